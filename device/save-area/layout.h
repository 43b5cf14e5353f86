/* SPDX-License-Identifier: MIT */
/*
 * How the hardware of each family saves a wave in a context save area: as data. The same tables
 * read an area and write one.
 *
 * An area has a control stack: two words of no interest, then words that are events (bit 30),
 * states (bit 31) or waves. A state says how large the register files and the local memory of the
 * waves after it are. The waves themselves lie downward from the end of the area, in the order of
 * the control stack. From the top of one: local memory (first wave of a workgroup only), trap
 * temporaries, hardware registers, scalar registers, accumulation registers, shared and private
 * vector registers.
 */
#ifndef WT_DEVICE_SAVE_AREA_LAYOUT_H
#define WT_DEVICE_SAVE_AREA_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "gfx/architecture/architecture.h"

#define WT_CORE_TTMPS 16u
#define WT_CORE_HWREGS 16u
#define WT_CORE_WORD_EVENT (UINT32_C(1) << 30)
#define WT_CORE_WORD_STATE (UINT32_C(1) << 31)

/* A run of bits in a word; none of them if `count` is 0. */
struct wt_core_bits {
	uint8_t first, count;
};

static inline uint32_t wt_core_get(struct wt_core_bits bits, uint32_t word)
{
	return bits.count ? word >> bits.first & ((UINT32_C(1) << bits.count) - 1) : 0;
}

/** A value that does not fit is cut: the caller has checked it. */
static inline uint32_t wt_core_put(struct wt_core_bits bits, uint32_t value)
{
	return bits.count ? (value & ((UINT32_C(1) << bits.count) - 1)) << bits.first : 0;
}

enum wt_core_accumulation {
	WT_CORE_ACCUMULATION_NONE,
	WT_CORE_ACCUMULATION_SAME,  /* as many as vector registers */
	WT_CORE_ACCUMULATION_SHARE, /* of one file with the vector registers */
};

/* Where the trap handler and the hardware leave what a debugger needs. */
enum wt_core_handler {
	WT_CORE_HANDLER_GFX9,
	WT_CORE_HANDLER_GFX94X,
	WT_CORE_HANDLER_GFX12,
};

/* Numbers of hardware registers, as words of their block. */
#define WT_CORE_HWREG_M0 0u
#define WT_CORE_HWREG_PC 1u
#define WT_CORE_HWREG_EXEC 3u
#define WT_CORE_HWREG_STATUS 5u
#define WT_CORE_HWREG_TRAPSTS 6u
#define WT_CORE_HWREG_XNACK_MASK 7u

struct wt_core_layout {
	const char *names[12]; /* of the architectures */
	/* Of a state word. */
	struct wt_core_bits vectors, scalars, local, vectors_alone, wave32, shared;
	uint32_t state_words;
	uint32_t vector_granule, vector_granule32; /* registers, for waves of 64 and of 32 lanes */
	uint32_t fixed_scalars;			   /* or 0: 16 times the field */
	enum wt_core_accumulation accumulation;
	/* Of a wave word. */
	struct wt_core_bits slot, engine, scratch, last, first;
	uint32_t unused_bytes; /* at the top of each wave */
	uint32_t mode;	       /* number of the hardware register */
	enum wt_core_handler handler;
	bool parks; /* a stopped wave's pc is in the trap temporaries */
};

#define WT_CORE_LOCAL_GRANULE 512u
#define WT_CORE_SCALAR_GRANULE 16u

/** The layout of an architecture; NULL if there is none. */
const struct wt_core_layout *wt_core_layout_find(const struct gfx_architecture *architecture);

/* What a state word says. */
struct wt_core_sizes {
	uint32_t lane_count;
	uint32_t vgpr_count, agpr_count, shared_count;
	uint32_t sgpr_count; /* saved: vcc and what else overlays scalar registers are among them */
	uint32_t lds_size;   /* bytes */
};

/** Read a state; @state has layout->state_words words. */
struct wt_core_sizes wt_core_sizes_decode(const struct wt_core_layout *layout,
					  const uint32_t *state);

/** The state word that says @sizes, which must fit: false if they do not. Waves of 64 lanes only. */
bool wt_core_sizes_encode(const struct wt_core_layout *layout, const struct wt_core_sizes *sizes,
			  uint32_t *state_ret);

#endif /* WT_DEVICE_SAVE_AREA_LAYOUT_H */
