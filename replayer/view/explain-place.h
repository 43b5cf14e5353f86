/* SPDX-License-Identifier: MIT */
/*
 * Which instruction a stop is of, where the pc does not stand at it: trap handlers go past an s_trap, and GPUs that do not repeat
 * accesses (XNACK is off) go past one that has failed, even with precise memory. Where it is on, and in recordings of older simulated
 * GPUs, the wave stands at it.
 */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_PLACE_H
#define WT_REPLAYER_VIEW_EXPLAIN_PLACE_H

#include "replayer/view/explain.h"

/**
 * The instruction whose end an address is. Its function is decoded from the beginning.
 *
 * Return: false if no function is known there, an instruction of it is not, or none ends there.
 */
struct wt_error *wt_place_before(struct wt_explainer *explainer,
				 const struct gfx_architecture *architecture, uint64_t address,
				 uint64_t *before_ret, bool *found_ret);

/**
 * Find the instruction whose access a memory fault is of, by what is at the pc and before it, and whether that is certain. An instruction
 * that raised an arithmetic exception is executed, and the wave stands behind it: it is the one before the pc, if that can raise any.
 * Where exceptions are imprecise it may be an earlier one.
 *
 * @explanation: of a stopped wave, with the code at its pc. Where it has one of these faults, code and access become those of that
 * instruction.
 */
struct wt_error *wt_place_fault(struct wt_explainer *explainer,
				const struct gfx_architecture *architecture,
				struct wt_explain_wave *explanation);

/** Go back to the instruction at the pc, and what it accesses. */
struct wt_error *wt_place_at_pc(struct wt_explainer *explainer,
				const struct gfx_architecture *architecture,
				struct wt_explain_wave *explanation);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_PLACE_H */
