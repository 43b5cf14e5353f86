/* SPDX-License-Identifier: MIT */
/* The operands of an instruction's text, and what they are in the form of gfx9. */
#include "gfx/isa/translate.h"

#include <string.h>

#include "gfx/alu/operations.h"
#include "gfx/alu/scalar.h"
#include "gfx/isa/tables.h"
#include "gfx/isa/translate-text.h"
#include "gfx/wave/memory-access.h"

/* Writes to the registers of the trap handler are lost, as those to null are. */
#define CODE_LOST (GFX_CODE_TTMP0 + 14)

/* ---- From operands to fields ---- */

/* An instruction that is filled in, operand after operand. */
struct filling {
	const struct gfx_text *parsed;
	struct gfx_instruction *instruction;
	uint32_t next;
	bool wrong;
	bool inexact; /* a source's value is not what the operation of gfx9 would take it for */
};

static const struct gfx_text_operand *filling_take(struct filling *filling)
{
	static const struct gfx_text_operand none;

	filling->wrong |= filling->next >= filling->parsed->count;
	return filling->wrong ? &none : &filling->parsed->operands[filling->next++];
}

static const struct gfx_text_operand *take_vector(struct filling *filling, uint32_t words,
						  uint16_t *number)
{
	const struct gfx_text_operand *operand = filling_take(filling);

	filling->wrong |= operand->code < GFX_CODE_VGPR0 || operand->words != words ||
			  operand->negative || operand->absolute;
	filling->inexact |= operand->upper;
	*number = (uint16_t)(operand->code - GFX_CODE_VGPR0);
	return operand;
}

/* A scalar register that is written; writes to null are lost. */
static void take_written(struct filling *filling, uint32_t words, uint16_t *code)
{
	const struct gfx_text_operand *operand = filling_take(filling);

	*code = operand->null ? CODE_LOST : operand->code;
	filling->wrong |= !operand->null && (operand->code >= GFX_CODE_ZERO ||
					     operand->words != words || operand->off);
}

static void take_mask_written(struct filling *filling, uint16_t *code)
{
	uint32_t next = filling->next;
	uint32_t words = next < filling->parsed->count ? filling->parsed->operands[next].words : 0;

	take_written(filling, words == 2 ? 2 : 1, code);
}

static bool is_unsigned(const struct gfx_operation *operation)
{
	return !strcmp(operation->name, "v_mad_u64_u32");
}

static void filling_take_source(struct filling *filling, uint32_t index)
{
	struct gfx_instruction *instruction = filling->instruction;
	const struct gfx_operation *operation = instruction->operation;
	uint32_t type = operation->src[index], words = gfx_type_words(type);
	const struct gfx_text_operand *operand = filling_take(filling);

	instruction->src[index] = operand->code;
	instruction->neg |= (uint8_t)(operand->negative << index);
	instruction->abs |= (uint8_t)(operand->absolute << index);
	/* How many registers a mask's text names depends on the disassembler, not on the wave. */
	if (type == GFX_MASK && operand->words <= 2)
		words = operand->words;
	filling->wrong |= operand->off || (operand->words && operand->words != words);
	filling->inexact |= operand->upper;
	if (operand->code != GFX_CODE_LITERAL)
		return;
	/* Whether its sign is extended to 64 bits depends on the operation. */
	filling->inexact |=
		(type == GFX_B64 && operand->literal > INT32_MAX && !is_unsigned(operation)) ||
		type == GFX_F64;
	instruction->literal = operand->literal;
}

static void fill_scalar(struct filling *filling, uint32_t word)
{
	struct gfx_instruction *instruction = filling->instruction;
	const struct gfx_operation *operation = instruction->operation;

	if (operation->dst != GFX_NONE)
		take_written(filling, gfx_type_words(operation->dst), &instruction->dst);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t type = operation->src[i];

		if (type == GFX_DST)
			take_written(filling, 1, &instruction->dst);
		else if (type == GFX_K16 || type == GFX_U16)
			filling_take(filling);
		else if (type != GFX_NONE)
			filling_take_source(filling, i);
	}
	if (instruction->encoding == GFX_SOPK || instruction->encoding == GFX_SOPP)
		instruction->offset = (int16_t)(word & 0xffff);
	/* Its operand is the distance of its target. */
	if (instruction->encoding == GFX_SOPP || gfx_text_starts(operation->name, "s_call"))
		filling->next = filling->parsed->count;
}

/* Masks that are not named: vcc for the halves of pairs, exec for comparisons that write it. */
static void take_mask(struct filling *filling)
{
	if (filling->next < filling->parsed->count)
		filling_take_source(filling, 2);
	else
		filling->instruction->src[2] = GFX_CODE_VCC;
}

static void fill_vector_sources(struct filling *filling)
{
	struct gfx_instruction *instruction = filling->instruction;
	const struct gfx_operation *operation = instruction->operation;

	for (uint32_t i = 0; i < 3; i++) {
		if (operation->src[i] == GFX_MASK)
			take_mask(filling);
		else if (i == 2 && operation->flags & GFX_READS_DST)
			instruction->src[2] = (uint16_t)(instruction->dst + GFX_CODE_VGPR0);
		else if (operation->src[i] != GFX_NONE)
			filling_take_source(filling, i);
	}
}

static void fill_vector(struct filling *filling)
{
	struct gfx_instruction *instruction = filling->instruction;
	const struct gfx_operation *operation = instruction->operation;
	uint32_t words = gfx_type_words(operation->dst);

	if (operation->flags & GFX_SCALAR_DST)
		take_written(filling, words, &instruction->dst);
	else if (operation->dst != GFX_NONE)
		take_vector(filling, words, &instruction->dst);
	if (operation->flags & GFX_WRITES_EXEC)
		instruction->sdst = GFX_CODE_EXEC;
	else if (operation->flags & GFX_CARRY_OUT || operation->execute == gfx_execute_compare)
		take_mask_written(filling, &instruction->sdst);
	fill_vector_sources(filling);
	instruction->clamp = filling->parsed->modifiers.clamp;
	instruction->omod = filling->parsed->modifiers.omod;
	instruction->op_sel_hi = 7;
	instruction->modified =
		instruction->abs || instruction->neg || instruction->omod || instruction->clamp;
	if (instruction->encoding == GFX_VOP3P && instruction->modified)
		filling->inexact = true;
}

static void fill_scalar_load(struct filling *filling)
{
	struct gfx_instruction *instruction = filling->instruction;
	const struct gfx_text_operand *operand;

	take_written(filling, (instruction->operation->size + 3U) / 4, &instruction->dst);
	operand = filling_take(filling);
	filling->wrong |= operand->words != 2 || operand->code >= GFX_CODE_ZERO;
	instruction->address = operand->code;
	instruction->scalar_address = GFX_CODE_OFF;
	instruction->offset = filling->parsed->modifiers.distance;
	if (filling->next == filling->parsed->count)
		return;
	operand = filling_take(filling);
	if (operand->words == 1 && operand->code < GFX_CODE_ZERO)
		instruction->scalar_address = operand->code;
	else
		instruction->offset += (int32_t)operand->literal;
	filling->wrong |= operand->off || operand->words > 1;
}

static uint32_t data_words(const struct gfx_operation *operation, bool ds, bool loaded)
{
	uint32_t words = (operation->size + 3U) / 4;

	if (loaded)
		return operation->flags & GFX_PAIR ? 2 * words : words;
	return operation->flags & GFX_TWO_DATA && !ds ? 2 * words : words;
}

static void take_data(struct filling *filling)
{
	struct gfx_instruction *instruction = filling->instruction;
	const struct gfx_operation *operation = instruction->operation;
	bool ds = instruction->encoding == GFX_DS;
	bool two = ds && (operation->flags & (GFX_TWO_DATA | GFX_PAIR));

	if (operation->memory == GFX_MEMORY_LOAD)
		return;
	take_vector(filling, data_words(operation, ds, false), &instruction->data[0]);
	if (two)
		take_vector(filling, data_words(operation, ds, false), &instruction->data[1]);
}

static void fill_local(struct filling *filling)
{
	struct gfx_instruction *instruction = filling->instruction;
	const struct gfx_operation *operation = instruction->operation;
	uint32_t scale = operation->size * (operation->flags & GFX_PAIR_64 ? 64U : 1U);

	instruction->returns = operation->flags & GFX_RETURNS;
	if (operation->memory == GFX_MEMORY_LOAD || instruction->returns)
		take_vector(filling, data_words(operation, true, true), &instruction->dst);
	take_vector(filling, 1, &instruction->address);
	take_data(filling);
	instruction->offset = filling->parsed->modifiers.distance;
	for (uint32_t i = 0; i < 2; i++)
		instruction->pair_offset[i] = filling->parsed->modifiers.offset[i] * scale;
}

/* The scalar part of an address behind the others: a pair of a global one, a word of a private one. */
static void take_scalar_address(struct filling *filling)
{
	struct gfx_instruction *instruction = filling->instruction;
	const struct gfx_text_operand *operand = filling_take(filling);
	uint32_t words = instruction->encoding == GFX_GLOBAL ? 2 : 1;

	instruction->scalar_address = operand->code;
	if (operand->null)
		instruction->scalar_address = GFX_CODE_OFF;
	else
		filling->wrong |= !operand->off &&
				  (operand->words != words || operand->code >= GFX_CODE_ZERO);
}

/* The operand before is a register or "off"; how wide it is depends on the scalar one. */
static void take_address(struct filling *filling, const struct gfx_text_operand *address)
{
	struct gfx_instruction *instruction = filling->instruction;

	instruction->has_address = !address->off;
	instruction->address = (uint16_t)(address->off ? 0 : address->code - GFX_CODE_VGPR0);
	filling->wrong |= address->off ? instruction->encoding != GFX_SCRATCH
				       : address->code < GFX_CODE_VGPR0 ||
						 address->words != gfx_address_words(instruction);
}

static void fill_segment(struct filling *filling)
{
	struct gfx_instruction *instruction = filling->instruction;
	const struct gfx_operation *operation = instruction->operation;
	const struct gfx_text_operand *address;

	instruction->returns =
		operation->memory == GFX_MEMORY_ATOMIC && filling->parsed->modifiers.returns;
	if (operation->memory == GFX_MEMORY_LOAD || instruction->returns)
		take_vector(filling, data_words(operation, false, true), &instruction->dst);
	address = filling_take(filling);
	take_data(filling);
	instruction->scalar_address = GFX_CODE_OFF;
	if (instruction->encoding != GFX_FLAT)
		take_scalar_address(filling);
	take_address(filling, address);
	instruction->offset = filling->parsed->modifiers.distance;
}

/* gfx10 alone has these: its descriptor of private memory has the fields of gfx9 that are needed. */
static void fill_buffer(struct filling *filling)
{
	struct gfx_instruction *instruction = filling->instruction;
	const struct gfx_operation *operation = instruction->operation;
	const struct gfx_text_operand *operand;

	filling->wrong |= operation->memory == GFX_MEMORY_ATOMIC;
	take_vector(filling, data_words(operation, false, true), &instruction->data[0]);
	instruction->dst = instruction->data[0];
	instruction->has_offset = filling->parsed->modifiers.offen;
	instruction->has_index = filling->parsed->modifiers.idxen;
	if (gfx_address_words(instruction))
		take_vector(filling, gfx_address_words(instruction), &instruction->address);
	else
		filling->wrong |= !filling_take(filling)->off;
	operand = filling_take(filling);
	filling->wrong |= operand->words != 4 || operand->code >= GFX_CODE_ZERO;
	instruction->resource = operand->code;
	operand = filling_take(filling);
	filling->wrong |=
		operand->off || operand->words > 1 || operand->code >= GFX_CODE_SHARED_BASE;
	instruction->scalar_address = operand->code;
	instruction->offset = filling->parsed->modifiers.distance;
}

static void filling_take_operands(struct filling *filling, uint32_t word)
{
	switch (filling->instruction->encoding) {
	case GFX_SOP1:
	case GFX_SOP2:
	case GFX_SOPC:
	case GFX_SOPK:
	case GFX_SOPP:
		fill_scalar(filling, word);
		break;
	case GFX_SMEM:
		fill_scalar_load(filling);
		break;
	case GFX_VOP3:
	case GFX_VOP3E:
	case GFX_VOP3P:
		fill_vector(filling);
		break;
	case GFX_DS:
		fill_local(filling);
		break;
	case GFX_FLAT:
	case GFX_GLOBAL:
	case GFX_SCRATCH:
		fill_segment(filling);
		break;
	case GFX_MUBUF:
		fill_buffer(filling);
		break;
	default:
		filling->wrong = true;
	}
}

/* ---- Results that are not known ---- */

static const struct gfx_operation no_operation = {.name = "s_nop", .execute = gfx_execute_nothing};
static const struct gfx_operation unknown_scalar = {.name = "s_unknown",
						    .execute = gfx_execute_nothing};
static const struct gfx_operation unknown_vector = {.name = "v_unknown",
						    .execute = gfx_execute_nothing};

static struct gfx_use use_of(const struct gfx_text_operand *operand)
{
	bool vector = operand->code >= GFX_CODE_VGPR0;

	return (struct gfx_use){
		.file = vector ? GFX_FILE_VECTOR : GFX_FILE_SCALAR,
		.number = (uint16_t)(vector ? operand->code - GFX_CODE_VGPR0 : operand->code),
		.words = operand->words,
	};
}

/* The first operand is written, and nobody knows what. */
static bool forget_result(const struct gfx_text *parsed, struct gfx_translated *translated)
{
	struct gfx_uses *uses = &translated->uses;
	bool vector;

	if (!parsed->count || (!parsed->operands[0].words && !parsed->operands[0].null))
		return false;
	vector = parsed->operands[0].code >= GFX_CODE_VGPR0;
	memset(uses, 0, sizeof(*uses));
	for (uint32_t i = 0; i < parsed->count; i++)
		if (parsed->operands[i].words)
			uses->reads[uses->read_count++] = use_of(&parsed->operands[i]);
	if (parsed->operands[0].words)
		uses->writes[uses->write_count++] = uses->reads[0];
	uses->volatile_result = true;
	translated->instruction = (struct gfx_instruction){
		.operation = vector ? &unknown_vector : &unknown_scalar,
		.encoding = vector ? GFX_VOP3 : GFX_SOP1,
	};
	translated->keeps_high = false;
	return true;
}

/* Operations that write more than their first operand. */
static bool writes_more(const struct gfx_operation *operation)
{
	return operation->flags & (GFX_CARRY_OUT | GFX_WRITES_EXEC) ||
	       operation->execute == gfx_v_swap_b32 || operation->memory != GFX_MEMORY_NONE;
}

/* ---- All of it ---- */

static bool is_half_result(const struct gfx_instruction *instruction)
{
	uint32_t type = instruction->operation->dst;

	return (instruction->encoding == GFX_VOP3 || instruction->encoding == GFX_VOP3E) &&
	       gfx_type_is_half(type) && !(instruction->operation->flags & GFX_KEEPS_HIGH);
}

/* The operation of gfx9 clears the upper half of its result. */
static void keep_upper_half(struct gfx_translated *translated)
{
	struct gfx_uses *uses = &translated->uses;

	translated->keeps_high = true;
	uses->writes[0].part = GFX_PART_LOWER;
	if (uses->read_count == GFX_MAX_USES)
		return;
	uses->reads[uses->read_count] = uses->writes[0];
	uses->reads[uses->read_count].part = GFX_PART_UPPER;
	uses->reads[uses->read_count++].kept = true;
}

static bool translate_same(const struct gfx_later *later, uint32_t lanes, uint32_t word,
			   const struct gfx_text *parsed, struct gfx_translated *translated)
{
	struct filling filling = {.parsed = parsed, .instruction = &translated->instruction};
	bool other = parsed->extended || parsed->modifiers.changes_sources;

	translated->instruction.operation = later->operation;
	translated->instruction.encoding = later->encoding;
	if (other)
		return !writes_more(later->operation) && forget_result(parsed, translated);
	filling_take_operands(&filling, word);
	if (filling.wrong || filling.next != parsed->count)
		return false;
	if (filling.inexact)
		return !writes_more(later->operation) && forget_result(parsed, translated);
	gfx_instruction_uses(&translated->instruction, lanes, &translated->uses);
	if (is_half_result(&translated->instruction) && translated->uses.write_count)
		keep_upper_half(translated);
	return true;
}

static bool translate_part(const struct gfx_architecture *architecture, uint32_t lanes,
			   const char *text, size_t length, uint32_t word,
			   struct gfx_translated *translated)
{
	struct gfx_later later;
	struct gfx_text parsed;
	char *rest;

	memset(translated, 0, sizeof(*translated));
	if (!gfx_text_name(text, length, &parsed, &rest))
		return false;
	later = gfx_later_find(architecture, parsed.name);
	if (later.kind == GFX_LATER_UNKNOWN)
		return false;
	if (later.kind == GFX_LATER_NOTHING) {
		translated->instruction.operation = &no_operation;
		translated->instruction.encoding = GFX_SOPP;
		return true;
	}
	/* The operand of a branch is in its word. */
	if (later.encoding != GFX_SOPP && !gfx_text_operands(rest, &parsed) &&
	    later.kind != GFX_LATER_RESULT_UNKNOWN)
		return false;
	if (later.kind == GFX_LATER_RESULT_UNKNOWN)
		return forget_result(&parsed, translated);
	return translate_same(&later, lanes, word, &parsed, translated);
}

bool gfx_is_translated(const struct gfx_architecture *architecture)
{
	return gfx_has_short_waves(architecture) && !gfx_isa_of(architecture);
}

bool gfx_translate(const struct gfx_architecture *architecture, uint32_t lanes, const char *text,
		   uint32_t word, size_t size, struct gfx_translation *translation_ret)
{
	struct gfx_translation translation = {.count = 0};
	const char *pair = strstr(text, "::");
	size_t first = pair ? (size_t)(pair - text) : strlen(text);

	if (!translate_part(architecture, lanes, text, first, word,
			    &translation.parts[translation.count++]))
		return false;
	if (pair && !translate_part(architecture, lanes, pair + 2, strlen(pair + 2), word,
				    &translation.parts[translation.count++]))
		return false;
	for (uint32_t i = 0; i < translation.count; i++) {
		translation.parts[i].instruction.words[0] = word;
		translation.parts[i].instruction.word_count = (uint8_t)(size / sizeof(uint32_t));
	}
	*translation_ret = translation;
	return true;
}
