/* SPDX-License-Identifier: MIT */
/* The addresses that an instruction accesses, from the values of registers. */
#ifndef GFX_ISA_TOUCHED_MEMORY_H
#define GFX_ISA_TOUCHED_MEMORY_H

#include "gfx/instruction/instruction.h"
#include "gfx/wave/wave.h"

/**
 * Read a register for gfx_decode_access().
 *
 * @name: as debuggers name it: "s4", "v7", "exec", "m0", "flat_scratch".
 * @lane: of a vector register.
 *
 * Return: false if the value is not known.
 */
typedef bool (*gfx_register_reader)(void *opaque, const char *name, uint32_t lane, uint64_t *value);

/**
 * Compute the addresses that the instruction at the pc accesses. Needs no gfx_wave, so that it works on recorded waves.
 *
 * @words: the instruction's @word_count words.
 * @read: reads a register.
 * @access_ret: set on success; its space is GFX_ACCESS_NONE for an instruction that does not access memory.
 *
 * Return: false if the words are no known instruction of @architecture, or if the value of a register is not known.
 */
bool gfx_decode_access(const struct gfx_architecture *architecture, const uint32_t *words,
		       size_t word_count, gfx_register_reader read, void *opaque,
		       struct gfx_access *access_ret);

/** Whether it accesses memory, whatever is in the registers; false also if it is no known instruction. */
bool gfx_decode_touches_memory(const struct gfx_architecture *architecture, const uint32_t *words,
			       size_t word_count);

#endif /* GFX_ISA_TOUCHED_MEMORY_H */
