/* SPDX-License-Identifier: MIT */
/*
 * Execute a wave: one instruction, or many with each decoded only once.
 *
 * The room `isa` has the operation tables of the generations, and what uses them: decoding, executing and launching. It
 * must not know dispatches, queues or debuggers.
 */
#ifndef GFX_ISA_RUN_H
#define GFX_ISA_RUN_H

#include "gfx/isa/decode.h"
#include "gfx/instruction/operation.h"
#include "gfx/wave/plan.h"
#include "gfx/wave/wave.h"

/**
 * Execute one instruction of a wave.
 *
 * An instruction that fails changes neither registers nor memory. Cross-lane operations read all lanes
 * before they write one.
 *
 * @memory: the memory that the wave accesses.
 * @fault: set for every result other than GFX_STEP_DONE; may not be NULL.
 */
enum gfx_step gfx_wave_step(struct gfx_wave *wave, const struct gfx_memory *memory,
			    struct gfx_fault *fault);

/**
 * Execute a decoded instruction instead of the one at the pc: gfx_wave_step() without fetching and
 * decoding.
 *
 * @instruction: from gfx_decode(), which returned GFX_DECODE_OK.
 * @fault: as for gfx_wave_step(), but the caller has zeroed it. Its reason is not set for GFX_STEP_DONE.
 */
enum gfx_step gfx_wave_execute(struct gfx_wave *wave, const struct gfx_memory *memory,
			       const struct gfx_instruction *instruction, struct gfx_fault *fault);

/* A decoded instruction, its address, and the waves that its plan is for. An odd address marks an unused entry. */
struct gfx_decoded {
	uint64_t pc;
	uint32_t shape; /* gfx_plan_shape() */
	struct gfx_plan plan;
	struct gfx_instruction instruction;
};

/*
 * A cache of decoded instructions of one architecture and one memory. The caller must call
 * gfx_code_clear() when bytes that may be fetched have changed, and may do so at any time.
 */
struct gfx_code {
	struct gfx_decoded *entries;
	size_t count; /* a power of two; low bits of the pc select the entry */
};

/** Empty the cache. Must be called before the first use. */
void gfx_code_clear(struct gfx_code *code);

/**
 * Execute up to @limit instructions, until the result of one is not GFX_STEP_DONE. Faster than as many calls of
 * gfx_wave_step().
 *
 * Also returns after an instruction that enables exceptions or single-stepping in mode. Nothing else is checked between
 * two instructions.
 *
 * @code: the cache; instructions that are not in it are added.
 * @fault: as for gfx_wave_step().
 * @count_ret: how many instructions were begun, including the last one.
 */
enum gfx_step gfx_wave_run(struct gfx_wave *wave, const struct gfx_memory *memory,
			   struct gfx_code *code, uint64_t limit, struct gfx_fault *fault,
			   uint64_t *count_ret);

#endif /* GFX_ISA_RUN_H */
