/* SPDX-License-Identifier: MIT */
#include "gfx/isa/decode.h"

#include <stdio.h>
#include <string.h>

#include "gfx/isa/tables.h"

static const struct gfx_isa isas[GFX_OPERATIONS_COUNT] = {
	[GFX_OPERATIONS_GFX942] = {.rows = gfx942_encodings, .row_count = GFX942_ENCODING_COUNT},
	[GFX_OPERATIONS_GFX90A] = {.rows = gfx90a_encodings,
				   .row_count = GFX90A_ENCODING_COUNT,
				   .base = &isas[GFX_OPERATIONS_GFX942]},
	[GFX_OPERATIONS_GFX908] = {.rows = gfx908_encodings,
				   .row_count = GFX908_ENCODING_COUNT,
				   .base = &isas[GFX_OPERATIONS_GFX90A]},
	[GFX_OPERATIONS_GFX900] = {.rows = gfx900_encodings,
				   .row_count = GFX900_ENCODING_COUNT,
				   .base = &isas[GFX_OPERATIONS_GFX908]},
	[GFX_OPERATIONS_GFX1010] = {.rows = gfx1010_encodings,
				    .row_count = GFX1010_ENCODING_COUNT,
				    .base = &isas[GFX_OPERATIONS_GFX1030]},
	[GFX_OPERATIONS_GFX950] = {.rows = gfx950_encodings,
				   .row_count = GFX950_ENCODING_COUNT,
				   .base = &isas[GFX_OPERATIONS_GFX942]},
	[GFX_OPERATIONS_GFX1030] = {.rows = gfx1030_encodings, .row_count = GFX1030_ENCODING_COUNT},
	[GFX_OPERATIONS_GFX11] = {.rows = gfx11_encodings, .row_count = GFX11_ENCODING_COUNT},
	[GFX_OPERATIONS_GFX1150] = {.rows = gfx1150_encodings,
				    .row_count = GFX1150_ENCODING_COUNT,
				    .base = &isas[GFX_OPERATIONS_GFX11]},
	[GFX_OPERATIONS_GFX1170] = {.rows = gfx1170_encodings,
				    .row_count = GFX1170_ENCODING_COUNT,
				    .base = &isas[GFX_OPERATIONS_GFX1150]},
	[GFX_OPERATIONS_GFX12] = {.rows = gfx12_encodings,
				  .row_count = GFX12_ENCODING_COUNT,
				  .base = &isas[GFX_OPERATIONS_GFX1150]},
};

const struct gfx_isa *gfx_isa_of(const struct gfx_architecture *architecture)
{
	return architecture && architecture->operations ? &isas[architecture->operations] : NULL;
}

/* Whether an opcode of a row is looked for in what stands below it. */
static bool row_is_open(const struct gfx_encoding_row *row, uint32_t opcode)
{
	return row->overlay && (opcode >= row->operation_count ||
				(!row->operations[opcode].name && !row->operations[opcode].flags));
}

static const struct gfx_encoding_row *find_own_row(const struct gfx_isa *isa, uint32_t word,
						   bool open, uint32_t *opcode_ret)
{
	for (size_t i = 0; i < isa->row_count; i++) {
		const struct gfx_encoding_row *row = &isa->rows[i];
		uint32_t opcode = word >> row->opcode_shift & row->opcode_mask;

		if ((word & row->mask) != row->value || opcode < row->opcode_first ||
		    opcode - row->opcode_first >= row->opcode_count ||
		    (!open && row_is_open(row, opcode - row->opcode_first)))
			continue;
		*opcode_ret = opcode - row->opcode_first;
		return row;
	}
	return NULL;
}

static const struct gfx_encoding_row *find_row(const struct gfx_isa *isa, uint32_t word,
					       uint32_t *opcode_ret)
{
	const struct gfx_encoding_row *row = NULL;

	for (const struct gfx_isa *at = isa; at && !row; at = at->base)
		row = find_own_row(at, word, false, opcode_ret);
	/* No row has the operation, but the encoding of one is known. */
	for (const struct gfx_isa *at = isa; at && !row; at = at->base)
		row = find_own_row(at, word, true, opcode_ret);
	return row;
}

/* Does the code of a source say that a word follows? In long forms one may from gfx10 on. */
static bool source_has_word(const struct gfx_instruction *instruction, uint32_t code)
{
	bool vector = instruction->encoding >= GFX_VOP1 && instruction->encoding <= GFX_VOP3P;
	bool later = instruction->generation >= GFX_GENERATION_10;

	return code == GFX_CODE_LITERAL ||
	       (vector && (code == GFX_CODE_SDWA || code == GFX_CODE_DPP ||
			   (later && (code == GFX_CODE_DPP8 || code == GFX_CODE_DPP8_FETCHES))));
}

/* Words behind those of the encoding, of an operation that has no row to say what its fields are. */
static uint8_t words_behind(const struct gfx_instruction *instruction)
{
	const uint32_t word = instruction->words[0], second = instruction->words[1];
	bool later = instruction->generation >= GFX_GENERATION_10;

	switch (instruction->encoding) {
	case GFX_SOP1:
		return source_has_word(instruction, word & 0xff);
	case GFX_SOP2:
	case GFX_SOPC:
		return source_has_word(instruction, word & 0xff) ||
		       source_has_word(instruction, word >> 8 & 0xff);
	case GFX_VOP1:
	case GFX_VOP2:
	case GFX_VOPC:
		return source_has_word(instruction, word & 0x1ff);
	case GFX_VOP3:
	case GFX_VOP3E:
	case GFX_VOP3P:
		return later && (source_has_word(instruction, second & 0x1ff) ||
				 (second >> 9 & 0x1ff) == GFX_CODE_LITERAL ||
				 (second >> 18 & 0x1ff) == GFX_CODE_LITERAL);
	case GFX_MIMG:
		/* Addresses in registers that do not follow each other. */
		return instruction->generation == GFX_GENERATION_10   ? word >> 1 & 3
		       : instruction->generation == GFX_GENERATION_11 ? word & 1
								      : 0;
	default:
		return 0;
	}
}

static enum gfx_decode_status decode_with(const struct gfx_encoding_row *row, uint32_t opcode,
					  size_t available, struct gfx_instruction *instruction)
{
	bool known;

	instruction->word_count = row->word_count;
	instruction->encoding = row->encoding;
	if (opcode < row->operation_count && row->operations[opcode].name)
		instruction->operation = &row->operations[opcode];
	if (!instruction->operation || !instruction->operation->execute) {
		instruction->word_count = (uint8_t)(row->word_count + words_behind(instruction));
		return GFX_DECODE_UNKNOWN_OPERATION;
	}
	known = row->fields(instruction);
	if (instruction->word_count > available)
		return GFX_DECODE_TRUNCATED;
	return known ? GFX_DECODE_OK : GFX_DECODE_UNKNOWN_OPERAND;
}

enum gfx_decode_status gfx_decode(const struct gfx_architecture *architecture,
				  const uint32_t *words, size_t word_count,
				  struct gfx_instruction *instruction_ret)
{
	const struct gfx_isa *isa = gfx_isa_of(architecture);
	const struct gfx_encoding_row *row;
	uint32_t opcode;

	memset(instruction_ret, 0, sizeof(*instruction_ret));
	instruction_ret->word_count = 1;
	if (!isa)
		return GFX_DECODE_UNKNOWN_ENCODING;
	if (word_count < 1)
		return GFX_DECODE_TRUNCATED;
	instruction_ret->generation = architecture->generation;
	for (size_t i = 0; i < word_count && i < GFX_INSTRUCTION_WORDS; i++)
		instruction_ret->words[i] = words[i];
	row = find_row(isa, words[0], &opcode);
	if (!row)
		return GFX_DECODE_UNKNOWN_ENCODING;
	return decode_with(row, opcode, word_count, instruction_ret);
}

bool gfx_decode_bytes(const struct gfx_architecture *architecture, const uint8_t *code, size_t size,
		      struct gfx_instruction *instruction_ret)
{
	uint32_t words[GFX_INSTRUCTION_WORDS] = {0};
	size_t count = size / sizeof(*words);

	count = count < GFX_INSTRUCTION_WORDS ? count : GFX_INSTRUCTION_WORDS;
	memcpy(words, code, count * sizeof(*words));
	return count && gfx_decode(architecture, words, count, instruction_ret) == GFX_DECODE_OK;
}

void gfx_instruction_name(const struct gfx_instruction *instruction, char name_ret[GFX_NAME_SIZE])
{
	const struct gfx_operation *operation = instruction->operation;
	bool chooses = instruction->extension == GFX_EXTENSION_DPP ||
		       instruction->extension == GFX_EXTENSION_DPP8;
	bool short_form = instruction->encoding == GFX_VOP1 || instruction->encoding == GFX_VOP2 ||
			  instruction->encoding == GFX_VOPC;
	const char *suffix = "";

	if (chooses && instruction->encoding == GFX_VOPC)
		; /* LLVM prints the name alone */
	else if (chooses)
		suffix = short_form ? "_dpp" : "_e64_dpp";
	else if (instruction->extension == GFX_EXTENSION_SDWA)
		suffix = "_sdwa";
	else if (instruction->encoding == GFX_VOP3E && !(operation->flags & GFX_NO_OPERANDS))
		suffix = "_e64";
	else if (short_form && !(operation->flags & GFX_NO_SUFFIX))
		suffix = "_e32";
	snprintf(name_ret, GFX_NAME_SIZE, "%s%s", operation ? operation->name : "?", suffix);
}

bool gfx_name_depends_on_position(const char *name)
{
	static const char *const beginnings[] = {
		"s_branch", "s_cbranch_", "s_call_",  "s_getpc_",
		"s_setpc_", "s_swappc_",  "s_endpgm",
	};

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

bool gfx_instruction_depends_on_position(const struct gfx_instruction *instruction)
{
	char name[GFX_NAME_SIZE];

	gfx_instruction_name(instruction, name);
	return gfx_name_depends_on_position(name);
}
