/* SPDX-License-Identifier: MIT */
/*
 * Divisions of whole numbers, which GPUs have no instruction for: compilers multiply by the reciprocal of a float that they make of
 * the divisor. These floats raise exceptions that no float of the program raises.
 */
#ifndef GFX_ISA_WHOLE_DIVISION_H
#define GFX_ISA_WHOLE_DIVISION_H

#include "gfx/architecture/architecture.h"

/**
 * Is an instruction one of those that compute with floats for a division, or remainder, of whole numbers?
 *
 * Code is followed as it lies there, without branches, and the steps of LLVM's expansions are looked for (of 24, 32 and 64 bits).
 *
 * @code: instructions, from some in front of the one asked about on. They need not begin at an instruction's start.
 * @at: where in @code the instruction is.
 *
 * Return: whether it is certain; false of what is not recognised.
 */
bool gfx_divides_whole_numbers(const struct gfx_architecture *architecture, const uint8_t *code,
			       size_t size, size_t at);

#endif /* GFX_ISA_WHOLE_DIVISION_H */
