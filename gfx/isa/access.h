/* SPDX-License-Identifier: MIT */
/* Which addresses an instruction touches, on any wave whose registers are known. */
#ifndef GFX_ISA_ACCESS_H
#define GFX_ISA_ACCESS_H

#include "gfx/wave/wave.h"

/**
 * Read a register for gfx_decode_access. @name as the debugger names it ("s4", "v7", "exec", "m0"
 * "flat_scratch"); @lane for vector registers. Return false if the value is not known.
 */
typedef bool (*gfx_register_reader)(void *opaque, const char *name, uint32_t lane, uint64_t *value);

/**
 * Which addresses the instruction at the pc touches, from its operands and the register values. Works
 * on any recorded wave: it needs no gfx_wave.
 *
 * @words: the instruction's bytes as words, @word_count of them (1 or 2).
 * @read: how to read a register.
 * @access_ret: set on success; space is GFX_ACCESS_NONE for instructions that touch no memory.
 *
 * Return: false if the words are no known instruction of @architecture or a register was not known.
 */
bool gfx_decode_access(const struct gfx_architecture *architecture, const uint32_t *words,
		       size_t word_count, gfx_register_reader read, void *opaque,
		       struct gfx_access *access_ret);

#endif /* GFX_ISA_ACCESS_H */
