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

#define WT_SAVE_AREA_TTMPS 16u	/* words of the trap temporaries */
#define WT_SAVE_AREA_HWREGS 16u /* words of the hardware registers */
#define WT_SAVE_AREA_WORD_EVENT (UINT32_C(1) << 30)
#define WT_SAVE_AREA_WORD_STATE (UINT32_C(1) << 31)

/* A field of a word; the family has no such field if `count` is 0. */
struct wt_bit_field {
	uint8_t first, count; /* bits */
};

static inline uint32_t wt_bit_field_get(struct wt_bit_field bits, uint32_t word)
{
	return bits.count ? word >> bits.first & ((UINT32_C(1) << bits.count) - 1) : 0;
}

/** The word with @value in the field and 0 elsewhere. The caller has checked that it fits. */
static inline uint32_t wt_bit_field_put(struct wt_bit_field bits, uint32_t value)
{
	return bits.count ? (value & ((UINT32_C(1) << bits.count) - 1)) << bits.first : 0;
}

/* How many accumulation registers a wave has saved. */
enum wt_save_area_agprs {
	WT_SAVE_AREA_AGPRS_NONE,
	WT_SAVE_AREA_AGPRS_SAME,  /* as many as vector registers */
	WT_SAVE_AREA_AGPRS_SHARE, /* the rest of one file of vector and accumulation registers */
};

/* In which registers the hardware and the trap handler leave what a debugger needs. */
enum wt_trap_handler {
	WT_TRAP_HANDLER_GFX9,
	WT_TRAP_HANDLER_GFX94X,
	WT_TRAP_HANDLER_GFX12,
};

/* Indices of words among the hardware registers. 64-bit registers take two words. */
#define WT_SAVE_AREA_HWREG_M0 0u
#define WT_SAVE_AREA_HWREG_PC 1u
#define WT_SAVE_AREA_HWREG_EXEC 3u
#define WT_SAVE_AREA_HWREG_STATUS 5u
#define WT_SAVE_AREA_HWREG_TRAPSTS 6u
#define WT_SAVE_AREA_HWREG_XNACK_MASK 7u

struct wt_save_area_layout {
	const char *names[12]; /* architectures with this layout; ends with NULL */
	/* Fields of a state word. */
	struct wt_bit_field vgprs, sgprs, lds, vgprs_only, wave32, shared;
	uint32_t state_words;
	uint32_t vgpr_granule, vgpr_granule32; /* registers, for waves of 64 and of 32 lanes */
	uint32_t lds_granule;		       /* bytes */
	uint32_t fixed_sgprs; /* saved scalar registers; 0: the state's field says how many */
	enum wt_save_area_agprs agprs;
	/* Fields of a wave word. */
	struct wt_bit_field slot, engine, scratch, last, first;
	uint32_t unused_bytes; /* at the highest addresses of each wave */
	uint32_t mode;	       /* index of the word among the hardware registers */
	enum wt_trap_handler handler;
	bool parks; /* the handler moves the pc of a stopped wave into the trap temporaries */
};

#define WT_SAVE_AREA_SGPR_GRANULE 16u

/** The layout of an architecture; NULL if there is none. */
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

/** Encode @sizes as a state word; false if they do not fit. For waves of 64 lanes only. */
bool wt_save_area_sizes_encode(const struct wt_save_area_layout *layout,
			       const struct wt_save_area_sizes *sizes, uint32_t *state_ret);

#endif /* WT_DEVICE_SAVE_AREA_LAYOUT_H */
