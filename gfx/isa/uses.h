/* SPDX-License-Identifier: MIT */
/* Which registers a decoded instruction reads and writes: what whoever follows values through code has to know. */
#ifndef GFX_ISA_USES_H
#define GFX_ISA_USES_H

#include "gfx/instruction/operation.h"

enum gfx_register_file {
	GFX_FILE_SCALAR, /* numbers are operand codes: s0 is 0, vcc GFX_CODE_VCC, scc GFX_CODE_SCC */
	GFX_FILE_VECTOR,
	GFX_FILE_ACCUMULATION,
};

/* The part of a vector register that matters. */
enum gfx_part {
	GFX_PART_WHOLE,
	GFX_PART_LOWER,
	GFX_PART_UPPER,
};

struct gfx_use {
	enum gfx_register_file file;
	uint16_t number; /* the first register */
	uint8_t words;	 /* how many registers, one behind the other */
	bool address;	 /* read to find out where to access memory */
	bool mask;	 /* scalar: bit i is for lane i alone */
	bool kept;	 /* vector: the half of the destination that stays as it was */
	uint8_t part;	 /* vector: enum gfx_part */
};

#define GFX_MAX_USES 10

struct gfx_uses {
	struct gfx_use reads[GFX_MAX_USES], writes[GFX_MAX_USES];
	uint32_t read_count, write_count;
	/* A lane's result depends on other lanes: on the vectors read, in all active lanes. */
	bool cross_lane;
	/* Lanes that are off are among those. */
	bool fetches_inactive;
	/* All lanes are read and written, whatever exec says: matrices. */
	bool all_lanes;
	/* The result depends on what is no register: the clock, a counter in memory, hardware registers. */
	bool volatile_result;
	/* Which registers are used depends on the values of others: the lists are not complete. */
	bool dynamic;
	/* All bits are computed alike: bit i of the result depends on bits i of the sources alone. */
	bool bitwise;
};

/**
 * List the registers of an instruction.
 *
 * Vector instructions also read exec: they write the active lanes only, but for v_writelane and matrices. That is not in the list, nor is
 * the mode, nor what memory is read or written. Partial writes (of a half, of some lanes) read the old destination; where a
 * half stays, that is `kept`. Of two operations at once the lists have the registers of both.
 *
 * @instruction: from gfx_decode(), which returned GFX_DECODE_OK.
 * @lanes: of the wave, 32 or 64: masks have as many bits.
 */
void gfx_instruction_uses(const struct gfx_instruction *instruction, uint32_t lanes,
			  struct gfx_uses *uses_ret);

#endif /* GFX_ISA_USES_H */
