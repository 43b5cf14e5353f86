/* SPDX-License-Identifier: MIT */
/*
 * From instruction words to a decoded instruction: which operation, and its operand fields.
 * Decoding walks the tables of the architecture (gfx/operation.h) and needs no wave, so that a
 * decoded instruction may be kept and executed many times.
 */
#ifndef GFX_DECODE_H
#define GFX_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gfx/wave/wave.h"

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

enum gfx_decode_status {
	GFX_DECODE_OK,
	GFX_DECODE_TRUNCATED,	      /* more words are needed: word_count says how many */
	GFX_DECODE_UNKNOWN_ENCODING,  /* the bits belong to no encoding of this architecture */
	GFX_DECODE_UNKNOWN_OPERATION, /* the encoding is known, the operation is not in the table */
	GFX_DECODE_UNKNOWN_OPERAND,   /* a field holds a value that is reserved */
};

/**
 * Decode one instruction.
 *
 * @words: @word_count words (1 or 2 suffice) from its address on.
 * @instruction_ret: filled in; its word_count is right for GFX_DECODE_TRUNCATED too.
 *
 * Return: GFX_DECODE_OK, or why there is nothing to execute. GFX_DECODE_UNKNOWN_ENCODING also when
 * there are no tables for @architecture.
 */
enum gfx_decode_status gfx_decode(const struct gfx_architecture *architecture,
				  const uint32_t *words, size_t word_count,
				  struct gfx_instruction *instruction_ret);

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

#define GFX_NAME_SIZE 40

/** The mnemonic with LLVM's suffix for the form (_e32, _e64, _dpp, _sdwa), into @name_ret. */
void gfx_instruction_name(const struct gfx_instruction *instruction, char name_ret[GFX_NAME_SIZE]);

#endif /* GFX_DECODE_H */
