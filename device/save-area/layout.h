/* SPDX-License-Identifier: MIT */
/*
 * How the hardware of each GPU family saves a wave in a context save area, as data. The same tables
 * serve to read an area and to write one.
 *
 * An area begins with a header, then has a control stack: two words that are skipped, then words
 * that are events (bit 30), states (bit 31) or waves. A state gives the sizes of the register files
 * and of the LDS of the waves that follow it. The waves themselves are stored downward from the end
 * of the area, in the order of the control stack. Each wave is, from its highest address down: LDS
 * (first wave of a workgroup only), trap temporaries, hardware registers, scalar registers,
 * accumulation registers, shared and private vector registers.
 *
 * The room `save-area` knows what of a GPU's state lies in the memory of a process that has been
 * stopped or dumped: save areas (area.h), the core-state note (note.h) and the list of code objects
 * (link-map.h). It does not know where that memory is kept, nor the debugger API.
 */
#ifndef WT_DEVICE_SAVE_AREA_LAYOUT_H
#define WT_DEVICE_SAVE_AREA_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "gfx/architecture/architecture.h"
#include "gfx/wave/wave.h"

#define WT_SAVE_AREA_TTMPS 16u	      /* words of the trap temporaries */
#define WT_SAVE_AREA_HWREGS 16u	      /* words of the hardware registers */
#define WT_SAVE_AREA_SHARED_LANES 32u /* of a shared vector register */
#define WT_SAVE_AREA_WORD_EVENT (UINT32_C(1) << 30)
#define WT_SAVE_AREA_WORD_STATE (UINT32_C(1) << 31)

/* A field of a word; the family has no such field if `count` is 0. */
struct wt_bit_field {
	uint8_t first, count; /* bits */
};

static inline uint32_t wt_bit_field_get(struct wt_bit_field bits, uint32_t word)
{
	return bits.count ? word >> bits.first & UINT32_MAX >> (32 - bits.count) : 0;
}

/** The word with @value in the field and 0 elsewhere. The caller has checked that it fits. */
static inline uint32_t wt_bit_field_put(struct wt_bit_field bits, uint32_t value)
{
	return bits.count ? (value & UINT32_MAX >> (32 - bits.count)) << bits.first : 0;
}

/* How many accumulation registers a wave has saved. */
enum wt_save_area_agprs {
	WT_SAVE_AREA_AGPRS_NONE,
	WT_SAVE_AREA_AGPRS_SAME,  /* as many as vector registers */
	WT_SAVE_AREA_AGPRS_SHARE, /* the rest of one file of vector and accumulation registers */
};

/* A field of a trap temporary; there is none if its count is 0. */
struct wt_ttmp_field {
	uint8_t ttmp;
	struct wt_bit_field bits;
};

static inline uint32_t wt_ttmp_get(struct wt_ttmp_field field, const uint32_t *ttmps)
{
	return wt_bit_field_get(field.bits, ttmps[field.ttmp]);
}

static inline void wt_ttmp_put(struct wt_ttmp_field field, uint32_t value, uint32_t *ttmps)
{
	ttmps[field.ttmp] &= ~wt_bit_field_put(field.bits, UINT32_MAX);
	ttmps[field.ttmp] |= wt_bit_field_put(field.bits, value);
}

/*
 * In which registers the hardware and the trap handler leave what a debugger needs. What all have alike, in ttmp6 and ttmp11,
 * is in device/trap-handler.h.
 */
struct wt_trap_handler {
	struct wt_ttmp_field packet; /* index in the ring */
	struct wt_ttmp_field number; /* of the wave in its workgroup */
	struct wt_ttmp_field coordinates[3];
	struct wt_ttmp_field
		has_yz; /* where there is such a field: it is 0 if y and z are not valid */
	struct wt_ttmp_field
		set_up;	     /* where there is one: the handler has set up its temporaries */
	bool says_missing;   /* ttmp6 tells that hardware has not set up the temporaries */
	uint32_t undefined;  /* mask of those that hardware sets up, and nobody if it does not */
	uint8_t parked;	     /* the temporary with the lower half of a parked pc */
	uint32_t after_inst; /* bits of trapsts, on gfx12 of excp_flag_priv; 0: nothing tells it */
	uint32_t begin_end;
	bool excp_flags; /* excp_flag_priv and its neighbours take the place of trapsts */
};

/* Registers that are saved among the hardware registers: words from `index` on. */
struct wt_save_area_hwreg {
	uint8_t index, words; /* 0 words end a list */
	uint16_t place;	      /* of the value in struct gfx_wave */
	bool wide;	      /* it has 64 bits there */
};

/* The words of the pc, which are in the same place in all families. */
#define WT_SAVE_AREA_HWREG_PC 1u

struct wt_save_area_layout {
	/* Fields of a state word. */
	struct wt_bit_field vgprs, sgprs, lds, vgprs_only, wave32, shared;
	struct wt_bit_field lds_whole; /* the workgroup has WT_SAVE_AREA_LDS_WHOLE bytes of LDS */
	uint32_t state_words;
	uint32_t vgpr_granule, vgpr_granule32; /* registers, for waves of 64 and of 32 lanes */
	uint32_t lds_granule;		       /* bytes */
	uint32_t fixed_sgprs; /* saved scalar registers; 0: the state's field says how many */
	/*
	 * So many of the saved ones have names. The last of them overlay vcc and, if there are six, flat_scratch and
	 * xnack_mask.
	 */
	uint32_t named_sgprs, aliased_sgprs;
	enum wt_save_area_agprs agprs;
	/* Fields of a wave word. */
	struct wt_bit_field slot, engine, scratch, last, first;
	uint32_t unused_bytes; /* at the highest addresses of each wave */
	const struct wt_save_area_hwreg *hwregs;
	const struct wt_trap_handler *handler;
	bool parks; /* the handler moves the pc of a stopped wave into the trap temporaries */
	uint32_t
		parks_since; /* the first version of r_debug whose runtime's handler does; 0: all */
	/* Private memory: fields of the queue's TMPRING_SIZE, and bytes of a unit of the second. */
	struct wt_bit_field tmpring_waves, tmpring_units;
	uint32_t tmpring_unit;
	bool waves_of_engine;	 /* the first counts waves of each shader engine, not of all */
	bool flat_scratch_is_up; /* hardware sets flat_scratch up: private memory is there */
};

/** Bytes of private memory that a queue's TMPRING_SIZE gives a wave. */
static inline uint64_t wt_tmpring_wave_bytes(const struct wt_save_area_layout *layout,
					     uint32_t tmpring)
{
	return (uint64_t)wt_bit_field_get(layout->tmpring_units, tmpring) * layout->tmpring_unit;
}

/** For how many waves of an agent with @engines shader engines it has private memory. */
static inline uint64_t wt_tmpring_wave_count(const struct wt_save_area_layout *layout,
					     uint32_t tmpring, uint64_t engines)
{
	uint64_t waves = wt_bit_field_get(layout->tmpring_waves, tmpring);

	return layout->waves_of_engine ? waves * engines : waves;
}

/** TMPRING_SIZE for @waves of an agent with one shader engine, each with @bytes of private memory, a multiple of 1 KiB. */
static inline uint32_t wt_tmpring_make(const struct wt_save_area_layout *layout, uint64_t waves,
				       uint64_t bytes)
{
	return wt_bit_field_put(layout->tmpring_waves, (uint32_t)waves) |
	       wt_bit_field_put(layout->tmpring_units, (uint32_t)(bytes / layout->tmpring_unit));
}

#define WT_SAVE_AREA_SGPR_GRANULE 16u
#define WT_SAVE_AREA_LDS_WHOLE (UINT32_C(128) << 10)

/** The layout of an architecture's family; NULL for code that no GPU is named for, and where it is not known. */
const struct wt_save_area_layout *
wt_save_area_layout_find(const struct gfx_architecture *architecture);

/* The sizes that a state gives. */
struct wt_save_area_sizes {
	uint32_t lane_count;
	uint32_t vgpr_count, agpr_count, shared_count;
	uint32_t sgpr_count; /* saved, including vcc and the others that overlay the last ones */
	uint32_t lds_size;   /* bytes */
};

/** Decode a state of layout->state_words words. */
struct wt_save_area_sizes wt_save_area_sizes_decode(const struct wt_save_area_layout *layout,
						    const uint32_t *state);

/** Encode @sizes as the first word of a state, the others of which are 0; false if they do not fit. */
bool wt_save_area_sizes_encode(const struct wt_save_area_layout *layout,
			       const struct wt_save_area_sizes *sizes, uint32_t *state_ret);

/** Whether the trap handler of a runtime parks waves. */
static inline bool wt_save_area_parks(const struct wt_save_area_layout *layout,
				      uint32_t r_debug_version)
{
	return layout->parks && r_debug_version >= layout->parks_since;
}

#endif /* WT_DEVICE_SAVE_AREA_LAYOUT_H */
