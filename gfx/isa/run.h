/* SPDX-License-Identifier: MIT */
/*
 * Executing a wave: one instruction, or many of which each is decoded once.
 *
 * The room `isa` has what a generation can do: its operation tables and what goes through them, from decoding to running
 * and launching. Nothing in gfx allocates, does I/O or keeps globals.
 */
#ifndef GFX_ISA_RUN_H
#define GFX_ISA_RUN_H

#include "gfx/isa/decode.h"
#include "gfx/instruction/operation.h"
#include "gfx/wave/wave.h"

/**
 * Execute one instruction of a wave.
 *
 * All effects of an instruction happen, or none: a faulting instruction leaves registers and memory
 * as they were. Cross-lane operations read every lane before they write any.
 *
 * @wave: the state, changed in place.
 * @memory: what it sees.
 * @fault: filled in for every result other than GFX_STEP_DONE; may not be NULL.
 */
enum gfx_step gfx_wave_step(struct gfx_wave *wave, const struct gfx_memory *memory,
			    struct gfx_fault *fault);

/**
 * Execute an instruction decoded before, in place of the one at the pc: gfx_wave_step() without
 * fetch and decoding, for callers that keep decoded instructions of code that does not change.
 *
 * @instruction: from gfx_decode() with GFX_DECODE_OK.
 * @fault: as for gfx_wave_step(), but to be zeroed by the caller; its reason is not set when the
 * step
 *         is GFX_STEP_DONE.
 */
enum gfx_step gfx_wave_execute(struct gfx_wave *wave, const struct gfx_memory *memory,
			       const struct gfx_instruction *instruction, struct gfx_fault *fault);

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
 * What gfx_wave_step() does many times, faster. Execute up to @limit instructions of a wave, until one does not end in GFX_STEP_DONE.
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

#endif /* GFX_ISA_RUN_H */
