/* SPDX-License-Identifier: MIT */
/*
 * A decoded instruction: its operation and its operand fields. It does not depend on a wave, so that it can be kept and
 * executed many times.
 *
 * The room `instruction` has the encodings of instruction words and the rows of operation tables. It must not know what an
 * operation computes, or which generation has it.
 */
#ifndef GFX_INSTRUCTION_INSTRUCTION_H
#define GFX_INSTRUCTION_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gfx/architecture/architecture.h"

struct gfx_operation;

enum gfx_encoding {
	GFX_SOP1,
	GFX_SOP2,
	GFX_SOPC,
	GFX_SOPK,
	GFX_SOPP,
	GFX_SMEM,
	GFX_VOP1,
	GFX_VOP2,
	GFX_VOPC,
	GFX_VOP3,  /* an operation that has no shorter form */
	GFX_VOP3E, /* the long form of a VOP1, VOP2 or VOPC operation */
	GFX_VOP3P,
	GFX_MAI, /* the part of VOP3P that has matrices */
	GFX_DS,
	GFX_FLAT,
	GFX_SCRATCH,
	GFX_GLOBAL,
	GFX_MUBUF, /* and typed buffers */
	GFX_MIMG,
	GFX_VOPD, /* two operations at once */
	/* These are known, and no operation of them is implemented. */
	GFX_EXP,
	GFX_LDSDIR,
	GFX_VINTERP,
};

/* Words of the longest instruction that is decoded. */
#define GFX_INSTRUCTION_WORDS 3

/* The second word of a VOP1, VOP2 or VOPC instruction, other than a literal. */
enum gfx_extension {
	GFX_EXTENSION_NONE,
	GFX_EXTENSION_DPP,
	GFX_EXTENSION_DPP8, /* a lane for each of eight */
	GFX_EXTENSION_SDWA,
};

/* Codes of operands. Those from 0 to 101 are s0 to s101, from gfx10 on those to 105. In words m0 and null have changed places from gfx11 on. */
enum gfx_operand_code {
	GFX_CODE_FLAT_SCRATCH = 102,
	GFX_CODE_XNACK_MASK = 104,
	GFX_CODE_VCC = 106,
	GFX_CODE_TTMP0 = 108,
	GFX_CODE_M0 = 124,
	GFX_CODE_NULL = 125, /* from gfx10 on: reads 0, and what is written is lost */
	GFX_CODE_EXEC = 126,
	GFX_CODE_OFF = 127,	  /* vector memory instructions: no scalar address */
	GFX_CODE_ZERO = 128,	  /* integers up to 64 */
	GFX_CODE_MINUS_ONE = 193, /* integers down to -16 */
	GFX_CODE_DPP8 = 233,	  /* in the place of a source, from gfx10 on; */
	GFX_CODE_DPP8_FETCHES,	  /* lanes that are off are sources, too */
	GFX_CODE_SHARED_BASE = 235,
	GFX_CODE_SHARED_LIMIT,
	GFX_CODE_PRIVATE_BASE,
	GFX_CODE_PRIVATE_LIMIT,
	GFX_CODE_FLOATS = 240, /* 0.5; the other float constants follow */
	GFX_CODE_INVERSE_2PI = 248,
	GFX_CODE_SDWA = 249,
	GFX_CODE_DPP = 250,
	GFX_CODE_VCCZ,
	GFX_CODE_EXECZ,
	GFX_CODE_SCC,
	GFX_CODE_LITERAL = 255,
	GFX_CODE_VGPR0 = 256,
};

/** The value of an operand that is an integer constant; false if it is none. */
static inline bool gfx_code_integer(uint32_t code, uint32_t *value_ret)
{
	const uint32_t last = GFX_CODE_MINUS_ONE + 15;

	if (code < GFX_CODE_ZERO || code > last)
		return false;
	*value_ret =
		code < GFX_CODE_MINUS_ONE ? code - GFX_CODE_ZERO : GFX_CODE_MINUS_ONE - 1 - code;
	return true;
}

/* The part of a register that SDWA selects, sign-extended or not. */
struct gfx_sdwa_select {
	uint8_t select; /* 0-3 byte, 4-5 word, 6 dword */
	bool sign;
};

struct gfx_instruction {
	const struct gfx_operation *operation;
	enum gfx_encoding encoding;
	enum gfx_generation generation;
	uint32_t words[GFX_INSTRUCTION_WORDS];
	uint8_t word_count; /* including a literal or extension word */
	uint32_t literal;   /* for GFX_CODE_LITERAL, and K of madmk and madak */
	uint16_t dst;	    /* a code; of vector operations a VGPR number */
	uint16_t sdst;	    /* the code of the destination of a lane mask */
	uint16_t src[3];    /* operand codes */
	int32_t offset;	    /* simm16, branch distance, or memory offset in bytes */
	/* Source modifiers: one bit for each source; of packed operations for the low half. */
	uint8_t abs, neg, neg_hi, op_sel, op_sel_hi;
	uint8_t omod;
	bool clamp;
	bool modified; /* has a modifier of the six above or an extension: sources must be prepared */
	enum gfx_extension extension;
	uint16_t dpp_control;
	uint8_t dpp_row_mask, dpp_bank_mask;
	bool dpp_bound_zero;
	bool dpp_fetches;   /* lanes that are off are sources, too */
	uint32_t dpp_lanes; /* of DPP8: three bits for each of eight lanes */
	struct gfx_sdwa_select sdwa_src[2];
	uint8_t sdwa_dst, sdwa_unused;
	/* Memory instructions. */
	uint16_t address, data[2], scalar_address;
	uint16_t resource; /* of a buffer or image: the first of four or eight scalar registers */
	/* Typed buffers: the format of elements, data and number format, if it is not in the descriptor. */
	uint8_t format;
	bool has_format;
	bool has_address; /* scratch: the address has a VGPR */
	bool has_index,
		has_offset; /* buffer: VGPRs are an index, an offset, or both in this order */
	bool acc;	    /* data is in AGPRs */
	bool returns;	    /* the atomic returns the old value */
	bool to_local;	    /* the load's data goes to local memory, not to registers */
	/* DS: the two offsets of paired forms, in bytes. */
	uint32_t pair_offset[2];
	/* Matrix operations: a block of A that is used in 2^cbsz blocks, and which of them; which lanes of
	 * B are used. `acc` is for C and D. */
	uint8_t cbsz, abid, blgp;
	bool src_acc[2];
	/* The second operation of two. */
	const struct gfx_operation *second;
	uint16_t second_dst, second_src[3];
};

/**
 * The code of the first word of a mask with a bit for each lane. In a wave of 64 lanes the lower bit of a pair's code does not matter from gfx10 on;
 * decoding of gfx9, which knows that there are 64, has cleared it.
 */
static inline uint32_t gfx_mask_code(const struct gfx_instruction *instruction, uint32_t code,
				     uint32_t lanes)
{
	bool pair = lanes > 32 && instruction->generation >= GFX_GENERATION_10;

	return pair && code < GFX_CODE_M0 ? code & ~1U : code;
}

/** The operand in which a selection has its mask: by it each lane takes one of two sources. */
static inline uint32_t gfx_selection_mask(const struct gfx_instruction *instruction)
{
	return instruction->encoding == GFX_VOP3 || instruction->encoding == GFX_VOP3E
		       ? instruction->src[2]
		       : (uint32_t)GFX_CODE_VCC;
}

/**
 * The first or the second of two operations that an instruction does at once, as an instruction of its own.
 *
 * @second: of which there is one; the first one is the instruction itself where there is none.
 */
static inline void gfx_instruction_part(const struct gfx_instruction *instruction, bool second,
					struct gfx_instruction *part_ret)
{
	*part_ret = *instruction;
	part_ret->second = NULL;
	if (!second || !instruction->second)
		return;
	part_ret->operation = instruction->second;
	part_ret->dst = instruction->second_dst;
	memcpy(part_ret->src, instruction->second_src, sizeof(part_ret->src));
}

#endif /* GFX_INSTRUCTION_INSTRUCTION_H */
