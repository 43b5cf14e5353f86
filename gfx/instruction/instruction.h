/* SPDX-License-Identifier: MIT */
/*
 * A decoded instruction: which operation, and its operand fields, as the encodings have them. It needs no wave, so that it
 * may be kept and executed many times.
 *
 * The room knows what instruction words and the rows of operation tables look like, and must not know what an operation
 * does or which generation has it.
 */
#ifndef GFX_INSTRUCTION_INSTRUCTION_H
#define GFX_INSTRUCTION_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	GFX_DS,
	GFX_FLAT,
	GFX_SCRATCH,
	GFX_GLOBAL,
	GFX_MUBUF,
};

/* What follows a VOP1, VOP2 or VOPC word in place of a literal. */
enum gfx_extension {
	GFX_EXTENSION_NONE,
	GFX_EXTENSION_DPP,
	GFX_EXTENSION_SDWA,
};

/* Codes of the scalar operands that need a name; 256 and above are VGPRs. */
enum gfx_operand_code {
	GFX_CODE_FLAT_SCRATCH = 102,
	GFX_CODE_XNACK_MASK = 104,
	GFX_CODE_VCC = 106,
	GFX_CODE_TTMP0 = 108,
	GFX_CODE_M0 = 124,
	GFX_CODE_EXEC = 126,
	GFX_CODE_OFF = 127, /* as the scalar address of a vector memory instruction: none */
	GFX_CODE_ZERO = 128,
	GFX_CODE_SHARED_BASE = 235,
	GFX_CODE_SHARED_LIMIT,
	GFX_CODE_PRIVATE_BASE,
	GFX_CODE_PRIVATE_LIMIT,
	GFX_CODE_FLOATS = 240, /* 0.5, and the other float constants after it */
	GFX_CODE_INVERSE_2PI = 248,
	GFX_CODE_SDWA = 249,
	GFX_CODE_DPP = 250,
	GFX_CODE_VCCZ,
	GFX_CODE_EXECZ,
	GFX_CODE_SCC,
	GFX_CODE_LITERAL = 255,
	GFX_CODE_VGPR0 = 256,
};

/* One lane selection of SDWA: a byte, a half or the whole, sign-extended or not. */
struct gfx_sdwa_select {
	uint8_t select; /* 0-3 byte, 4-5 word, 6 dword */
	bool sign;
};

struct gfx_instruction {
	const struct gfx_operation *operation;
	enum gfx_encoding encoding;
	uint32_t words[2];
	uint8_t word_count; /* literal or extension word included */
	uint32_t literal;   /* of operand code GFX_CODE_LITERAL, and K of the mk and ak forms */
	uint16_t dst;	    /* scalar code; VGPR number of vector operations */
	uint16_t sdst;	    /* where a lane mask goes, as a scalar code */
	uint16_t src[3];    /* operand codes */
	int32_t offset;	    /* simm16, branch distance, or memory offset in bytes */
	/* Source modifiers, a bit per source; of packed operations for the low half. */
	uint8_t abs, neg, neg_hi, op_sel, op_sel_hi;
	uint8_t omod;
	bool clamp;
	bool modified; /* any of the six above, or an extension: the sources need work */
	enum gfx_extension extension;
	uint16_t dpp_control;
	uint8_t dpp_row_mask, dpp_bank_mask;
	bool dpp_bound_zero;
	struct gfx_sdwa_select sdwa_src[2];
	uint8_t sdwa_dst, sdwa_unused;
	/* Vector memory: which registers, and what the cache bits mean for an atomic. */
	uint16_t address, data[2], scalar_address;
	uint16_t resource; /* of a buffer: the first of four scalar registers */
	bool has_address;  /* a VGPR takes part in the address (scratch) */
	bool has_index,
		has_offset; /* buffer: VGPRs hold an index, an offset, or both in this order */
	bool acc;	    /* data is in AGPRs */
	bool returns;	    /* the atomic gives the old value back */
	/* DS: the two byte offsets of the paired forms, already scaled. */
	uint32_t pair_offset[2];
};

#endif /* GFX_INSTRUCTION_INSTRUCTION_H */
