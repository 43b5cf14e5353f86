/* SPDX-License-Identifier: MIT */
#include "gfx/instruction/fields.h"

/* Words before a literal or an extension. */
static uint32_t own_words(const struct gfx_instruction *instruction)
{
	switch (instruction->encoding) {
	case GFX_VOP3:
	case GFX_VOP3E:
	case GFX_VOP3P:
	case GFX_VOPD:
		return 2;
	default:
		return 1;
	}
}

/* A last word that holds a 32-bit constant. */
static void take_literal(struct gfx_instruction *instruction)
{
	uint32_t at = own_words(instruction);

	instruction->word_count = (uint8_t)(at + 1);
	instruction->literal = instruction->words[at];
}

static void take_literal_if_used(struct gfx_instruction *instruction, uint32_t sources)
{
	const uint8_t *types = instruction->operation->src;

	for (uint32_t i = 0; i < sources; i++)
		if (types[i] != GFX_NONE && instruction->src[i] == GFX_CODE_LITERAL)
			take_literal(instruction);
}

bool gfx_scalar_source_known(const struct gfx_instruction *instruction, uint32_t code)
{
	return !(code >= 209 && code < GFX_CODE_SHARED_BASE) && code != GFX_CODE_SDWA &&
	       code != GFX_CODE_DPP && code != 254 && gfx_is_register(instruction, code);
}

static bool is_wide(uint32_t type)
{
	return gfx_type_words(type) > 1;
}

bool gfx_take_tuple(const struct gfx_instruction *instruction, uint16_t *code, uint32_t count)
{
	bool later = gfx_is_later(instruction);
	uint32_t step = count < 3 ? count : 4, end = later ? GFX_CODE_VCC : GFX_CODE_FLAT_SCRATCH;

	if (*code >= GFX_CODE_ZERO || (later && *code == GFX_CODE_NULL))
		return true;
	if (*code < end) {
		*code = (uint16_t)(*code / step * step);
		return *code + count <= (later ? end : (uint32_t)GFX_CODE_XNACK_MASK);
	}
	if (*code >= GFX_CODE_TTMP0 && *code < GFX_CODE_M0) {
		*code = (uint16_t)(GFX_CODE_TTMP0 + (*code - GFX_CODE_TTMP0) / step * step);
		return *code + count <= GFX_CODE_M0;
	}
	return count == 1 || (count == 2 && *code % 2 == 0 && *code != GFX_CODE_M0);
}

static bool take_scalar_destination(struct gfx_instruction *instruction)
{
	uint32_t type = instruction->operation->dst;

	if (instruction->operation->flags & GFX_DST_PAIR)
		return gfx_take_tuple(instruction, &instruction->dst, 2);
	if (type == GFX_NONE)
		return true;
	return gfx_is_register(instruction, instruction->dst) &&
	       (!is_wide(type) || gfx_take_tuple(instruction, &instruction->dst, 2));
}

/* Fields that the operation does not use as a source may hold anything. */
static bool take_scalar_operands(struct gfx_instruction *instruction, uint32_t sources)
{
	const uint8_t *types = instruction->operation->src;

	for (uint32_t i = 0; i < sources; i++)
		if (types[i] != GFX_NONE &&
		    (!gfx_scalar_source_known(instruction, instruction->src[i]) ||
		     (is_wide(types[i]) && !gfx_take_tuple(instruction, &instruction->src[i], 2))))
			return false;
	return take_scalar_destination(instruction);
}

bool gfx_fields_sop1(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0];

	if (instruction->operation->flags & GFX_HIGH_HALF) {
		instruction->op_sel = 1;
		instruction->modified = true;
	}
	instruction->src[0] = gfx_code(instruction, word, 0, 8);
	instruction->dst = gfx_code(instruction, word, 16, 7);
	take_literal_if_used(instruction, 1);
	return take_scalar_operands(instruction, 1);
}

/* The third source of a float operation: a literal, which may be the second one instead, or the old destination. */
static void take_scalar_third(struct gfx_instruction *instruction)
{
	uint32_t flags = instruction->operation->flags;

	if (flags & GFX_LITERAL_K) {
		instruction->src[2] = instruction->src[1];
		instruction->src[1] = GFX_CODE_LITERAL;
		take_literal(instruction);
	} else if (flags & GFX_LITERAL_K_ADD) {
		instruction->src[2] = GFX_CODE_LITERAL;
		take_literal(instruction);
	} else if (flags & GFX_READS_DST) {
		instruction->src[2] = instruction->dst;
	}
}

bool gfx_fields_sop2(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0];

	instruction->src[0] = gfx_code(instruction, word, 0, 8);
	instruction->src[1] = gfx_code(instruction, word, 8, 8);
	instruction->dst = gfx_code(instruction, word, 16, 7);
	take_scalar_third(instruction);
	take_literal_if_used(instruction, 2);
	return take_scalar_operands(instruction, 3);
}

bool gfx_fields_sopc(struct gfx_instruction *instruction)
{
	return gfx_fields_sop2(instruction);
}

bool gfx_fields_sopk(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0];

	instruction->offset = gfx_sign_extend(word & 0xffff, 16);
	instruction->dst = gfx_code(instruction, word, 16, 7);
	if (instruction->operation->flags & GFX_LITERAL_K)
		take_literal(instruction);
	return take_scalar_destination(instruction);
}

bool gfx_fields_sopp(struct gfx_instruction *instruction)
{
	uint32_t value = instruction->words[0] & 0xffff;

	instruction->offset = gfx_sign_extend(value, 16);
	return !value || !(instruction->operation->flags & GFX_NO_OPERANDS);
}

static struct gfx_sdwa_select sdwa_select(uint32_t word, uint32_t low)
{
	return (struct gfx_sdwa_select){
		.select = (uint8_t)gfx_bits(word, low, 3),
		.sign = gfx_bits(word, low + 3, 1),
	};
}

/* The sources of SDWA are VGPRs, or scalar codes if their S bit is set. */
static uint16_t sdwa_source(uint32_t code, bool scalar)
{
	return (uint16_t)(scalar ? code : code + GFX_CODE_VGPR0);
}

static bool takes_signs(uint32_t type)
{
	return type == GFX_F16 || type == GFX_F32 || type == GFX_F64 || type == GFX_S32;
}

/* Floats have signs of their own, and no constants or literals fit. */
static bool sdwa_source_known(const struct gfx_instruction *instruction, uint32_t index)
{
	uint32_t type = instruction->operation->src[index], code = instruction->src[index];

	if (type == GFX_NONE)
		return true;
	return !(instruction->sdwa_src[index].sign && takes_signs(type)) &&
	       (code >= GFX_CODE_VGPR0 ||
		(gfx_scalar_source_known(instruction, code) && code != GFX_CODE_LITERAL));
}

static bool take_sdwa(struct gfx_instruction *instruction, uint32_t sources)
{
	uint32_t second = instruction->words[1];
	uint32_t modifiers = gfx_bits(second, 20, 2), modifiers1 = gfx_bits(second, 28, 2);

	instruction->extension = GFX_EXTENSION_SDWA;
	instruction->word_count = 2;
	instruction->src[0] = sdwa_source(gfx_bits(second, 0, 8), gfx_bits(second, 23, 1));
	instruction->sdwa_src[0] = sdwa_select(second, 16);
	instruction->neg = modifiers & 1;
	instruction->abs = (uint8_t)(modifiers >> 1);
	if (sources > 1) {
		uint32_t code = instruction->src[1] - (uint32_t)GFX_CODE_VGPR0;

		instruction->src[1] = sdwa_source(code, gfx_bits(second, 31, 1));
		instruction->sdwa_src[1] = sdwa_select(second, 24);
		instruction->neg = (uint8_t)(instruction->neg | (modifiers1 & 1) << 1);
		instruction->abs = (uint8_t)(instruction->abs | (modifiers1 & 2));
	}
	if (instruction->encoding == GFX_VOPC) {
		if (gfx_bits(second, 15, 1) && instruction->sdst == GFX_CODE_EXEC)
			return false;
		if (gfx_bits(second, 15, 1))
			instruction->sdst = gfx_field(second, 8, 7);
	} else {
		instruction->sdwa_dst = (uint8_t)gfx_bits(second, 8, 3);
		instruction->sdwa_unused = (uint8_t)gfx_bits(second, 11, 2);
		instruction->clamp = gfx_bits(second, 13, 1);
		instruction->omod = (uint8_t)gfx_bits(second, 14, 2);
	}
	if (instruction->operation->flags & (GFX_READS_DST | GFX_NO_OPERANDS))
		return false;
	if (sources == 1 && gfx_bits(second, 24, 8))
		return false;
	if (instruction->operation->flags & GFX_WHOLE_SDWA && instruction->sdwa_dst != 6)
		return false;
	for (uint32_t i = 0; i < sources; i++)
		if (!sdwa_source_known(instruction, i))
			return false;
	return instruction->sdwa_dst < 7 && instruction->sdwa_unused < 3 &&
	       instruction->sdwa_src[0].select < 7 && instruction->sdwa_src[1].select < 7;
}

/* Shifts of the whole wave and broadcasts have gone in gfx10; a lane for all of a row, and an exclusive or, have come. */
static bool later_dpp_control_known(uint32_t control)
{
	if (control < 0x100)
		return true;
	if (control >= 0x101 && control <= 0x12f)
		return control % 16 != 0;
	return control == 0x140 || control == 0x141 || (control >= 0x150 && control <= 0x16f);
}

static bool dpp_control_known(uint32_t control)
{
	if (control < 0x100)
		return true;
	if (control == 0x100 || control == 0x110 || control == 0x120)
		return false;
	if (control < 0x130)
		return true;
	return control == 0x130 || control == 0x134 || control == 0x138 || control == 0x13c ||
	       (control >= 0x140 && control <= 0x143) || (control >= 0x150 && control <= 0x15f);
}

/* Long forms have signs in their own fields. */
static bool take_dpp(struct gfx_instruction *instruction)
{
	uint32_t at = own_words(instruction), word = instruction->words[at];

	instruction->extension = GFX_EXTENSION_DPP;
	instruction->word_count = (uint8_t)(at + 1);
	instruction->src[0] = (uint16_t)(gfx_bits(word, 0, 8) + GFX_CODE_VGPR0);
	instruction->dpp_control = gfx_field(word, 8, 9);
	instruction->dpp_bound_zero = gfx_bits(word, 19, 1);
	instruction->dpp_bank_mask = (uint8_t)gfx_bits(word, 24, 4);
	instruction->dpp_row_mask = (uint8_t)gfx_bits(word, 28, 4);
	if (at == 1) {
		instruction->neg = (uint8_t)(gfx_bits(word, 20, 1) | gfx_bits(word, 22, 1) << 1);
		instruction->abs = (uint8_t)(gfx_bits(word, 21, 1) | gfx_bits(word, 23, 1) << 1);
	}
	if (!gfx_is_later(instruction))
		return dpp_control_known(instruction->dpp_control);
	instruction->dpp_fetches = gfx_bits(word, 18, 1);
	return later_dpp_control_known(instruction->dpp_control);
}

static bool take_dpp8(struct gfx_instruction *instruction, bool fetches)
{
	uint32_t at = own_words(instruction), word = instruction->words[at];

	instruction->extension = GFX_EXTENSION_DPP8;
	instruction->word_count = (uint8_t)(at + 1);
	instruction->src[0] = (uint16_t)(gfx_bits(word, 0, 8) + GFX_CODE_VGPR0);
	instruction->dpp_lanes = word >> 8;
	instruction->dpp_fetches = fetches;
	return true;
}

/* Whether the first source's code says that the source is in an extension word. */
static bool is_extended(const struct gfx_instruction *instruction)
{
	uint32_t code = instruction->src[0];

	if (gfx_is_later(instruction) && (code == GFX_CODE_DPP8 || code == GFX_CODE_DPP8_FETCHES))
		return true;
	return code == GFX_CODE_DPP ||
	       (code == GFX_CODE_SDWA && instruction->generation < GFX_GENERATION_11);
}

static bool take_extension(struct gfx_instruction *instruction, uint32_t sources)
{
	instruction->modified = true;
	switch (instruction->src[0]) {
	case GFX_CODE_SDWA:
		return take_sdwa(instruction, sources);
	case GFX_CODE_DPP:
		return take_dpp(instruction);
	default:
		return take_dpp8(instruction, instruction->src[0] == GFX_CODE_DPP8_FETCHES);
	}
}

static bool is_single_float(uint32_t type)
{
	return type == GFX_F16 || type == GFX_F32 || type == GFX_F64;
}

/* A bit for each source that a field names. */
static uint32_t named_sources(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	bool implicit = operation->flags & GFX_READS_DST;
	uint32_t sources = 0;

	for (uint32_t i = 0; i < (implicit ? 2U : 3U); i++)
		if (operation->src[i] != GFX_NONE && operation->src[i] != GFX_MASK)
			sources |= 1U << i;
	return sources;
}

/* From gfx11 on all operations of 16 bits choose halves; in gfx10 all keep the other one, and most of those with a long form alone choose. */
static bool chooses_halves(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	bool has_half = gfx_type_is_half(operation->dst);

	if (instruction->generation == GFX_GENERATION_10)
		return operation->flags & GFX_SELECTS_HALF ||
		       (operation->flags & GFX_KEEPS_HIGH && instruction->encoding == GFX_VOP3 &&
			!(operation->flags & GFX_WHOLE_GFX10));

	for (uint32_t i = 0; i < 3; i++)
		has_half |= gfx_type_is_half(operation->src[i]);
	return operation->flags & (GFX_KEEPS_HIGH | GFX_SELECTS_HALF) ||
	       (has_half && instruction->generation >= GFX_GENERATION_11);
}

/*
 * Signs are changed of floats only, and only floats are scaled; what else is clamped says so.
 * Operations that choose halves have fields for signs, too, whether they mean something or not; the
 * fields for halves have no meaning in others.
 */
static bool take_modifiers(struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	bool halves = chooses_halves(instruction), sign_fields;
	uint32_t signs = 0, named = named_sources(instruction);

	for (uint32_t i = 0; i < 3; i++)
		if (takes_signs(operation->src[i]))
			signs |= 1U << i;
	if (operation->flags & GFX_NOT_ARITHMETIC)
		named = signs;
	/* From gfx11 on short forms that choose lanes have signs of floats alone. */
	sign_fields = halves &&
		      (instruction->generation < GFX_GENERATION_11 || own_words(instruction) > 1);
	if ((instruction->abs | instruction->neg) & ~(signs || sign_fields ? named : 0))
		return false;
	instruction->abs &= (uint8_t)signs;
	instruction->neg &= (uint8_t)signs;
	if (!halves)
		instruction->op_sel = 0;
	if (operation->flags & GFX_READS_DST)
		named |= 4;
	/* An exchange between lanes says by two halves what becomes of lanes that are off. */
	if (operation->flags & GFX_LANE_SELECT)
		named |= 2;
	/* From gfx11 on the halves of sources that are not there are no matter, but where the bits mean something else. */
	if (operation->flags & GFX_LANE_SELECT && instruction->op_sel & 4 & ~named)
		return false;
	if (instruction->generation >= GFX_GENERATION_11)
		instruction->op_sel &= (uint8_t)(named | 8);
	if (instruction->op_sel & 7 & ~named)
		return false;
	/* A sum of products of halves is neither scaled nor clamped. */
	if ((instruction->omod || instruction->clamp) && operation->src[0] == GFX_V2F16)
		return false;
	if (instruction->omod && !is_single_float(operation->dst))
		return false;
	return !instruction->clamp || is_single_float(operation->dst) ||
	       operation->flags & GFX_INTEGER_CLAMP ||
	       (operation->dst == GFX_NONE && is_single_float(operation->src[1]));
}

static bool vector_source_known(const struct gfx_instruction *instruction, uint32_t code)
{
	return code >= GFX_CODE_VGPR0 || gfx_scalar_source_known(instruction, code);
}

/* DPP has no 64-bit form but for the row broadcast of gfx90a and later; SDWA has none at all. */
static bool extension_allowed(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	/* A pair of singles is made of one register: gfx942 chooses lanes for it, gfx12 does not. */
	bool made = operation->dst == GFX_V2F32 && !gfx_is_later(instruction);
	bool wide = (gfx_type_words(operation->dst) > 1 && !made) ||
		    gfx_type_words(operation->src[0]) > 1 || gfx_type_words(operation->src[1]) > 1;
	bool broadcast = instruction->dpp_control >= 0x150;

	if (operation->flags &
	    (GFX_LANE_SELECT | GFX_LITERAL_K | GFX_LITERAL_K_ADD | GFX_SRC_AGPR | GFX_NO_LANES))
		return false;
	/* Packed operations choose lanes if they have a single result; short ones from gfx11 on. */
	if ((operation->dst == GFX_V2B16 || operation->dst == GFX_V2F16) &&
	    (instruction->encoding != GFX_VOP2 || instruction->generation < GFX_GENERATION_11))
		return false;
	if (instruction->extension != GFX_EXTENSION_SDWA && instruction->encoding == GFX_VOPC &&
	    instruction->generation < GFX_GENERATION_11)
		return false;
	if (instruction->extension == GFX_EXTENSION_DPP && !gfx_is_later(instruction))
		return !wide || broadcast;
	return !wide;
}

/* Registers of the whole width are there. */
static bool vector_pair_known(uint32_t code, uint32_t type)
{

	return code < GFX_CODE_VGPR0 || code + gfx_type_words(type) <= 2 * GFX_CODE_VGPR0;
}

static bool take_vector_source(struct gfx_instruction *instruction, uint32_t index)
{
	uint32_t type = instruction->operation->src[index];
	uint16_t *code = &instruction->src[index];

	if (!vector_pair_known(*code, type) || (type == GFX_B128 && *code < GFX_CODE_VGPR0))
		return false;
	/* How many words a mask has depends on the wave from gfx10 on. */
	return (!is_wide(type) && (type != GFX_MASK || gfx_is_later(instruction))) ||
	       *code >= GFX_CODE_ZERO || gfx_take_tuple(instruction, code, 2);
}

static bool vector_destination_known(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;

	if (operation->flags & GFX_SCALAR_DST)
		return instruction->dst < GFX_CODE_ZERO &&
		       gfx_is_register(instruction, instruction->dst);
	return operation->dst == GFX_NONE ||
	       vector_pair_known(instruction->dst + GFX_CODE_VGPR0, operation->dst);
}

/* From gfx11 on short forms name the halves of 128 registers, the upper ones behind the lower ones. */
static void take_halves(struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;

	if (instruction->generation < GFX_GENERATION_11)
		return;
	for (uint32_t i = 0; i < 3; i++)
		if (gfx_type_is_half(operation->src[i]) &&
		    instruction->src[i] >= GFX_CODE_VGPR0 + 128) {
			instruction->src[i] = (uint16_t)(instruction->src[i] - 128);
			instruction->op_sel |= (uint8_t)(1U << i);
		}
	if (gfx_type_is_half(operation->dst) && instruction->dst >= 128) {
		instruction->dst = (uint16_t)(instruction->dst - 128);
		instruction->op_sel |= 8;
	}
	instruction->modified |= instruction->op_sel != 0;
}

static bool take_source0(struct gfx_instruction *instruction, uint32_t sources)
{
	bool known;

	instruction->modified = false;
	if (instruction->operation->flags & GFX_SCALAR_DST)
		instruction->dst = gfx_code(instruction, instruction->words[0], 17, 8);
	if (!is_extended(instruction)) {
		take_literal_if_used(instruction, 1);
		if (instruction->operation->src[0] != GFX_NONE &&
		    !vector_source_known(instruction, instruction->src[0]))
			return false;
		for (uint32_t i = 0; i < 3; i++)
			if (instruction->operation->src[i] != GFX_NONE &&
			    !take_vector_source(instruction, i))
				return false;
		take_halves(instruction);
		return vector_destination_known(instruction);
	}
	known = take_extension(instruction, sources) && extension_allowed(instruction) &&
		take_modifiers(instruction);
	take_halves(instruction);
	return known;
}

bool gfx_fields_vop1(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0];

	instruction->src[0] = gfx_code(instruction, word, 0, 9);
	instruction->dst = gfx_field(word, 17, 8);
	instruction->sdst = GFX_CODE_VCC;
	if (instruction->operation->flags & GFX_NO_OPERANDS)
		return !(word & 0x01fe0000);
	return take_source0(instruction, 1);
}

bool gfx_fields_vop2(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], flags = instruction->operation->flags;

	instruction->src[0] = gfx_code(instruction, word, 0, 9);
	instruction->src[1] = (uint16_t)(gfx_field(word, 9, 8) + GFX_CODE_VGPR0);
	instruction->dst = gfx_field(word, 17, 8);
	instruction->sdst = GFX_CODE_VCC;
	/* A packed operation has no bits that choose halves: it takes both. */
	if (instruction->operation->dst == GFX_V2F16)
		instruction->op_sel_hi = 7;
	if (flags & GFX_LITERAL_K) {
		instruction->src[2] = instruction->src[1];
		instruction->src[1] = GFX_CODE_LITERAL;
		take_literal(instruction);
	} else if (flags & GFX_LITERAL_K_ADD) {
		instruction->src[2] = GFX_CODE_LITERAL;
		take_literal(instruction);
	} else if (flags & GFX_READS_DST) {
		instruction->src[2] = (uint16_t)(instruction->dst + GFX_CODE_VGPR0);
	}
	return take_source0(instruction, 2);
}

bool gfx_fields_vopc(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0];

	instruction->src[0] = gfx_code(instruction, word, 0, 9);
	instruction->src[1] = (uint16_t)(gfx_field(word, 9, 8) + GFX_CODE_VGPR0);
	instruction->sdst = GFX_CODE_VCC;
	/* From gfx10 on exec alone is written. */
	if (gfx_is_later(instruction) && instruction->operation->flags & GFX_WRITES_EXEC)
		instruction->sdst = GFX_CODE_EXEC;
	return take_source0(instruction, 2);
}

/* Source fields that are not used are zero, that of the third one too if it is the destination. */
static bool long_sources_known(struct gfx_instruction *instruction)
{
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t type = instruction->operation->src[i];

		if (type == GFX_NONE && instruction->src[i])
			return false;
		if (type == GFX_NONE)
			continue;
		if (!take_vector_source(instruction, i))
			return false;
		if (!vector_source_known(instruction, instruction->src[i]) ||
		    (instruction->src[i] == GFX_CODE_LITERAL && !gfx_is_later(instruction)))
			return false;
	}
	return true;
}

static bool long_destinations_known(struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	bool mask = (operation->dst == GFX_NONE && operation->src[0] != GFX_NONE) ||
		    operation->flags & GFX_CARRY_OUT;

	if (mask && instruction->sdst >= GFX_CODE_ZERO)
		return false;
	if (mask && !gfx_is_later(instruction) &&
	    !gfx_take_tuple(instruction, &instruction->sdst, 2))
		return false;
	return vector_destination_known(instruction);
}

static void take_long_sources(struct gfx_instruction *instruction)
{
	uint32_t second = instruction->words[1];

	instruction->src[0] = gfx_code(instruction, second, 0, 9);
	instruction->src[1] = gfx_code(instruction, second, 9, 9);
	instruction->src[2] = gfx_code(instruction, second, 18, 9);
	instruction->neg = (uint8_t)gfx_bits(second, 29, 3);
}

/* A last word from gfx10 on: a literal, or from gfx11 on a choice of lanes. */
static bool take_long_extension(struct gfx_instruction *instruction)
{
	if (!gfx_is_later(instruction))
		return true;
	if (instruction->generation < GFX_GENERATION_11 || !is_extended(instruction)) {
		take_literal_if_used(instruction, 3);
		return true;
	}
	/* The last word has no room for a literal, too. */
	for (uint32_t i = 1; i < 3; i++)
		if (instruction->operation->src[i] != GFX_NONE &&
		    instruction->src[i] == GFX_CODE_LITERAL)
			return false;
	return take_extension(instruction, 3) && extension_allowed(instruction);
}

/* A compare has its scalar destination where others have the VGPR; a carry has it in place of
 * abs. */
bool gfx_fields_vop3(struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	uint32_t word = instruction->words[0];

	/* LLVM does not look at which halves are chosen, of operands that are not there. */
	if (operation->flags & GFX_NO_OPERANDS)
		return !(word & 0x87ff) && !instruction->words[1];
	take_long_sources(instruction);
	instruction->dst = gfx_field(word, 0, 8);
	instruction->sdst = gfx_code(instruction, word, 0, 8);
	if (operation->flags & GFX_SCALAR_DST)
		instruction->dst = instruction->sdst;
	if (gfx_is_later(instruction) && operation->flags & GFX_WRITES_EXEC)
		instruction->sdst = GFX_CODE_EXEC;
	instruction->clamp = gfx_bits(word, 15, 1);
	instruction->omod = (uint8_t)gfx_bits(instruction->words[1], 27, 2);
	if (operation->flags & GFX_CARRY_OUT) {
		instruction->sdst = gfx_code(instruction, word, 8, 7);
	} else {
		instruction->abs = (uint8_t)gfx_bits(word, 8, 3);
		instruction->op_sel = (uint8_t)gfx_bits(word, 11, 4);
	}
	if (instruction->encoding == GFX_VOP3E && operation->flags & GFX_READS_DST &&
	    instruction->src[2])
		return false;
	if (instruction->encoding == GFX_VOP3E && operation->flags & GFX_READS_DST)
		instruction->src[2] = (uint16_t)(instruction->dst + GFX_CODE_VGPR0);
	/* The old value is in the half that gets the new one. */
	if (gfx_is_later(instruction) && operation->flags & GFX_READS_DST)
		instruction->op_sel =
			(uint8_t)((instruction->op_sel & 0xb) | (instruction->op_sel >> 1 & 4));
	if (instruction->encoding == GFX_VOP3E &&
	    (operation->flags & (GFX_LITERAL_K | GFX_LITERAL_K_ADD | GFX_NO_SUFFIX) ||
	     operation->dst == GFX_V2F16))
		return false;
	instruction->modified = instruction->abs | instruction->neg | instruction->op_sel |
				instruction->omod | instruction->clamp;
	if (!take_long_extension(instruction))
		return false;
	return long_sources_known(instruction) && take_modifiers(instruction) &&
	       long_destinations_known(instruction);
}

/* A truth table in place of signs and factor; `offset` has it. */
bool gfx_fields_bitop3(struct gfx_instruction *instruction)
{
	uint32_t first = instruction->words[0], second = instruction->words[1];
	bool known;

	/* A half is chosen of halves alone. */
	if (!(instruction->operation->flags & GFX_KEEPS_HIGH) && gfx_bits(first, 11, 4))
		return false;
	instruction->words[0] = first & ~0x700U;
	instruction->words[1] = second & 0x07ffffff;
	known = gfx_fields_vop3(instruction);
	instruction->words[0] = first;
	instruction->words[1] = second;
	instruction->offset = (int32_t)(gfx_bits(second, 29, 3) | gfx_bits(first, 8, 3) << 3 |
					gfx_bits(second, 27, 2) << 6);
	return known;
}

/* Both halves of a pair are sources, whatever op_sel says of them, and both have the signs. */
bool gfx_fields_dot16(struct gfx_instruction *instruction)
{
	bool known = gfx_fields_vop3(instruction);
	uint32_t pairs = 0;

	for (uint32_t i = 0; i < 3; i++)
		if (!gfx_type_is_half(instruction->operation->src[i]))
			pairs |= 1U << i;
	instruction->abs |= (uint8_t)(gfx_bits(instruction->words[0], 8, 3) & pairs);
	instruction->neg |= (uint8_t)(gfx_bits(instruction->words[1], 29, 3) & pairs);
	instruction->neg_hi = instruction->neg;
	instruction->op_sel &= 12;
	instruction->op_sel_hi = (uint8_t)pairs;
	return known;
}

/* The lowest of the bytes that a source has is chosen; `offset` has its number. Two follow each other from an even one on. */
bool gfx_fields_bytes(struct gfx_instruction *instruction)
{
	uint32_t first = instruction->words[0], unused;
	bool pair = gfx_type_words(instruction->operation->dst) > 1, known;

	instruction->words[0] = first & ~0x1800U;
	known = gfx_fields_vop3(instruction);
	instruction->words[0] = first;
	instruction->offset = (int32_t)(gfx_bits(first, 11, 1) << 1 | gfx_bits(first, 12, 1));
	/* LLVM does not look at the bits that choose nothing, if lanes are chosen. */
	unused = pair ? 0x3000 : instruction->extension == GFX_EXTENSION_NONE ? 0x6000 : 0;
	return known && !(first & unused) && !instruction->clamp && !instruction->omod;
}

/* The result is one byte of the destination, whose others stay; `offset` has its number. */
bool gfx_fields_to_byte(struct gfx_instruction *instruction)
{
	uint32_t first = instruction->words[0], second = instruction->words[1];
	bool known;

	/* The lower two bits for halves choose nothing, and the destination has no sign. gfx12 has no such bits, but those for halves where lanes are chosen. */
	instruction->words[0] = first & ~0x7c00U;
	instruction->words[1] = (second & 0x7803ffff) | (GFX_CODE_VGPR0 + gfx_bits(first, 0, 8))
								<< 18;
	known = gfx_fields_vop3(instruction);
	instruction->words[0] = first;
	instruction->words[1] = second;
	instruction->offset = (int32_t)gfx_bits(first, 13, 2);
	if (gfx_is_later(instruction) &&
	    (first & (instruction->extension == GFX_EXTENSION_NONE ? 0x1c00 : 0x400) ||
	     gfx_bits(second, 31, 1)))
		return false;
	return known && !gfx_bits(second, 18, 9);
}

/* An exchange of lanes has two halves that say what becomes of those that are off, and no other modifier. */
bool gfx_fields_swap(struct gfx_instruction *instruction)
{
	return !(instruction->words[0] & 0xe700) && !(instruction->words[1] & 0xf8000000) &&
	       gfx_fields_vop3(instruction);
}

/* Whether the sources of a packed operation are anything but what stands in the registers. */
static bool packed_modifies(const struct gfx_instruction *instruction)
{
	uint32_t high = 0;

	for (uint32_t i = 0; i < 3; i++) {
		uint32_t type = instruction->operation->src[i];

		if (type != GFX_NONE && type != GFX_MIX)
			high |= 1U << i;
		else if (type == GFX_NONE)
			high |= instruction->op_sel_hi & 1U << i;
	}
	return instruction->neg | instruction->neg_hi | instruction->op_sel ||
	       instruction->op_sel_hi != high;
}

/*
 * Numbers of eight or four bits, as many as there is room for in a register, have no halves to choose, where bits for that must be as they are
 * without. Of floats among them the sign of the summand alone can be changed.
 */
static bool bytes_known(const struct gfx_instruction *instruction)
{
	bool floats = instruction->operation->dst == GFX_F32;

	if (instruction->operation->src[0] != GFX_B32 ||
	    (!floats && instruction->extension == GFX_EXTENSION_NONE))
		return true;
	return !instruction->op_sel && instruction->op_sel_hi == 7 &&
	       !(floats && (instruction->clamp || (instruction->neg | instruction->neg_hi) & 3));
}

bool gfx_fields_vop3p(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0];

	take_long_sources(instruction);
	instruction->dst = gfx_field(word, 0, 8);
	instruction->neg_hi = (uint8_t)gfx_bits(word, 8, 3);
	instruction->op_sel = (uint8_t)gfx_bits(word, 11, 3);
	instruction->clamp = gfx_bits(word, 15, 1);
	instruction->op_sel_hi =
		(uint8_t)(gfx_bits(instruction->words[1], 27, 2) | gfx_bits(word, 14, 1) << 2);
	instruction->modified = packed_modifies(instruction);
	if (!take_long_extension(instruction))
		return false;
	if (instruction->operation->flags & (GFX_SRC_AGPR | GFX_DST_AGPR) &&
	    (instruction->neg | instruction->neg_hi | instruction->op_sel))
		return false;
	if (!bytes_known(instruction))
		return false;
	for (uint32_t i = 0; i < 3; i++)
		if (instruction->operation->src[i] == GFX_NONE &&
		    (instruction->op_sel | instruction->neg | instruction->neg_hi) >> i & 1)
			return false;
	return long_sources_known(instruction) && vector_destination_known(instruction);
}

/* A and B are in registers of either file; C is there, too, or a constant; of sparse matrices, it is their index. */
static bool matrix_sources_known(const struct gfx_instruction *instruction)
{
	const struct gfx_matrix *matrix = instruction->operation->matrix;
	uint32_t third = instruction->src[2];
	uint32_t words = matrix->sparse ? 1 : gfx_matrix_result_words(matrix);

	for (uint32_t i = 0; i < 2; i++)
		if (instruction->src[i] < GFX_CODE_VGPR0 ||
		    instruction->src[i] + gfx_matrix_words(matrix, i) > 2 * GFX_CODE_VGPR0)
			return false;
	if (third >= GFX_CODE_VGPR0)
		return third + words <= 2 * GFX_CODE_VGPR0;
	return !matrix->sparse && third >= GFX_CODE_ZERO && third <= GFX_CODE_INVERSE_2PI &&
	       gfx_scalar_source_known(instruction, third) &&
	       (third < GFX_CODE_SHARED_BASE || third >= GFX_CODE_FLOATS);
}

bool gfx_fields_mai(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];

	take_long_sources(instruction);
	instruction->neg = 0;
	instruction->dst = gfx_field(word, 0, 8);
	instruction->cbsz = (uint8_t)gfx_bits(word, 8, 3);
	instruction->abid = (uint8_t)gfx_bits(word, 11, 4);
	instruction->acc = gfx_bits(word, 15, 1);
	instruction->src_acc[0] = gfx_bits(second, 27, 1);
	instruction->src_acc[1] = gfx_bits(second, 28, 1);
	instruction->blgp = (uint8_t)gfx_bits(second, 29, 3);
	if (instruction->operation->matrix->sparse && instruction->blgp)
		return false;
	return matrix_sources_known(instruction) &&
	       instruction->dst + gfx_matrix_result_words(instruction->operation->matrix) <=
		       GFX_CODE_VGPR0;
}

bool gfx_fields_mai_gfx908(struct gfx_instruction *instruction)
{
	bool known = gfx_fields_mai(instruction);

	instruction->acc = true;
	return known;
}

/* Whether a tuple of registers is there; a wave of 64 lanes has the fewest. */
static bool wave_matrix_is_there(const struct gfx_instruction *instruction, uint32_t code,
				 uint32_t side)
{
	return code + gfx_wave_matrix_words(instruction->operation->matrix, instruction->generation,
					    side, 64) <=
	       2 * GFX_CODE_VGPR0;
}

/*
 * Bits that mean nothing are as assemblers write them in gfx12: signs of whole numbers but whether A and B have one, those of bytes of A and
 * B, those of the indices of a sparse A, and the choice of upper halves.
 */
static bool wave_matrix_has_idle_bits(const struct gfx_instruction *instruction)
{
	const struct gfx_matrix *matrix = instruction->operation->matrix;

	if (instruction->generation < GFX_GENERATION_12)
		return false;
	if (!gfx_bits(instruction->words[0], 14, 1) || gfx_bits(instruction->words[1], 27, 2) != 3)
		return true;
	if (matrix->sparse && (instruction->neg | instruction->neg_hi) & 4)
		return true;
	if (matrix->sum == GFX_MATRIX_INTEGER)
		return instruction->neg_hi || instruction->neg & 4;
	return gfx_element_bits(matrix->elements[0]) == 8 &&
	       (instruction->neg | instruction->neg_hi) & 3;
}

/* Halves are chosen of a D of gfx11, whose lanes have one in a register, and of the indices of a sparse A those of one product; a wave of 64 lanes has the most. */
static bool wave_matrix_chooses(const struct gfx_instruction *instruction)
{
	const struct gfx_matrix *matrix = instruction->operation->matrix;

	if (matrix->sparse)
		return instruction->op_sel <
		       16 / gfx_wave_matrix_together(matrix, instruction->generation, 0, 64);
	return !instruction->op_sel || (instruction->generation == GFX_GENERATION_11 &&
					gfx_element_bits(matrix->result) == 16);
}

/*
 * A and B are in registers of lanes, C is there, too, or a constant; with a sparse A its indices are there, and C is D. Floats have signs, whole numbers say of A and B
 * whether they have.
 */
bool gfx_fields_wave_matrix(struct gfx_instruction *instruction)
{
	const struct gfx_matrix *matrix = instruction->operation->matrix;
	uint32_t word = instruction->words[0], third;

	take_long_sources(instruction);
	third = instruction->src[2];
	instruction->dst = gfx_field(word, 0, 8);
	instruction->neg_hi = (uint8_t)gfx_bits(word, 8, 3);
	instruction->op_sel = (uint8_t)gfx_bits(word, 11, 3);
	instruction->clamp = gfx_bits(word, 15, 1);
	if (!wave_matrix_chooses(instruction) || wave_matrix_has_idle_bits(instruction))
		return false;
	if (instruction->clamp && matrix->sum != GFX_MATRIX_INTEGER)
		return false;
	if (instruction->src[0] < GFX_CODE_VGPR0 || instruction->src[1] < GFX_CODE_VGPR0 ||
	    !wave_matrix_is_there(instruction, instruction->src[0], 0) ||
	    !wave_matrix_is_there(instruction, instruction->src[1], 1) ||
	    !wave_matrix_is_there(instruction, instruction->dst + (uint32_t)GFX_CODE_VGPR0, 2))
		return false;
	if (matrix->sparse || third >= GFX_CODE_VGPR0)
		return third >= GFX_CODE_VGPR0 &&
		       (matrix->sparse || wave_matrix_is_there(instruction, third, 2));
	return third >= GFX_CODE_ZERO && third <= GFX_CODE_INVERSE_2PI &&
	       gfx_scalar_source_known(instruction, third) &&
	       (third < GFX_CODE_SHARED_BASE || third >= GFX_CODE_FLOATS);
}

/* One of two operations: a source of any kind, and a VGPR; its literal is that of both. */
static bool take_half_of_two(struct gfx_instruction *instruction,
			     const struct gfx_operation *operation, uint16_t dst, uint16_t src[3])
{
	uint32_t flags = operation->flags;

	if (flags & GFX_LITERAL_K) {
		src[2] = src[1];
		src[1] = GFX_CODE_LITERAL;
	} else if (flags & GFX_LITERAL_K_ADD) {
		src[2] = GFX_CODE_LITERAL;
	} else if (flags & GFX_READS_DST) {
		src[2] = (uint16_t)(dst + GFX_CODE_VGPR0);
	} else {
		src[2] = GFX_CODE_VCC;
	}
	if (flags & (GFX_LITERAL_K | GFX_LITERAL_K_ADD) || src[0] == GFX_CODE_LITERAL)
		take_literal(instruction);
	if (operation->src[1] == GFX_NONE && src[1] != GFX_CODE_VGPR0)
		return false;
	return src[0] >= GFX_CODE_VGPR0 || gfx_scalar_source_known(instruction, src[0]);
}

/* The first operation's opcode chose the row; the second one's is in the same table. */
bool gfx_fields_vopd(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];
	const struct gfx_operation *table = instruction->operation - gfx_bits(word, 22, 4);
	bool known;

	instruction->second = table + gfx_bits(word, 17, 5);
	if (!instruction->second->name)
		return false;
	instruction->src[0] = gfx_code(instruction, word, 0, 9);
	instruction->src[1] = (uint16_t)(gfx_field(word, 9, 8) + GFX_CODE_VGPR0);
	instruction->dst = gfx_field(second, 24, 8);
	instruction->second_src[0] = gfx_code(instruction, second, 0, 9);
	instruction->second_src[1] = (uint16_t)(gfx_field(second, 9, 8) + GFX_CODE_VGPR0);
	/* One of the two registers is even and one is odd. */
	instruction->second_dst =
		(uint16_t)(gfx_field(second, 17, 7) << 1 | (~instruction->dst & 1));
	known = take_half_of_two(instruction, instruction->operation, instruction->dst,
				 instruction->src);
	return take_half_of_two(instruction, instruction->second, instruction->second_dst,
				instruction->second_src) &&
	       known;
}
