/* SPDX-License-Identifier: MIT */
/*
 * Many steps of a wave, with instructions that are decoded once. What gfx_wave_step() does is done;
 * that it is done faster is all the difference.
 */
#ifndef GFX_RUN_H
#define GFX_RUN_H

#include "gfx/isa/decode.h"

/* An instruction and where it stands; an odd pc is none. */
struct gfx_decoded {
	uint64_t pc;
	struct gfx_instruction instruction;
};

/*
 * Instructions decoded before, of one architecture and one memory. The caller's: it may throw all away
 * at any time by gfx_code_clear(), and must do so when bytes that may be fetched have changed.
 */
struct gfx_code {
	struct gfx_decoded *entries;
	size_t count; /* a power of two; the entry of a pc is found by its low bits */
};

/** Forget every instruction. To be called once before the first use. */
void gfx_code_clear(struct gfx_code *code);

/**
 * Execute up to @limit instructions of a wave, until one does not end in GFX_STEP_DONE.
 *
 * Between two of them nothing is looked at but the mode register: when an exception is enabled there,
 * or the wave is to stop after each instruction, the one that made it so is the last.
 *
 * @code: instructions known already; those met for the first time are added.
 * @fault: as for gfx_wave_step().
 * @count_ret: how many were begun, the last one included.
 */
enum gfx_step gfx_wave_run(struct gfx_wave *wave, const struct gfx_memory *memory,
			   struct gfx_code *code, uint64_t limit, struct gfx_fault *fault,
			   uint64_t *count_ret);

#endif /* GFX_RUN_H */
