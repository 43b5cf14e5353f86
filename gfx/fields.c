/* SPDX-License-Identifier: MIT */
#include "gfx/fields.h"

static uint32_t bits(uint32_t word, uint32_t low, uint32_t count)
{
	return word >> low & ((1U << count) - 1);
}

static int32_t sign_extend(uint32_t value, uint32_t width)
{
	return (int32_t)(value << (32 - width)) >> (32 - width);
}

static uint16_t field(uint32_t word, uint32_t low, uint32_t count)
{
	return (uint16_t)bits(word, low, count);
}

/* A second word that holds a 32-bit constant. */
static void take_literal(struct gfx_instruction *instruction)
{
	instruction->word_count = 2;
	instruction->literal = instruction->words[1];
}

static void take_literal_if_used(struct gfx_instruction *instruction, uint32_t sources)
{
	const uint8_t *types = instruction->operation->src;

	for (uint32_t i = 0; i < sources; i++)
		if (types[i] != GFX_NONE && instruction->src[i] == GFX_CODE_LITERAL)
			take_literal(instruction);
}

/* Scalar sources reach from 0 to 255, without the two codes that stand for an extension word. */
static bool scalar_source_known(uint32_t code)
{
	return !(code >= 209 && code < GFX_CODE_SHARED_BASE) && code != GFX_CODE_SDWA &&
	       code != GFX_CODE_DPP && code != 254 && code != 125;
}

/* Fields that the operation does not use as a source may hold anything. */
static bool scalar_sources_known(const struct gfx_instruction *instruction, uint32_t sources)
{
	for (uint32_t i = 0; i < sources; i++)
		if (instruction->operation->src[i] != GFX_NONE &&
		    !scalar_source_known(instruction->src[i]))
			return false;
	return true;
}

bool gfx_fields_sop1(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0];

	instruction->src[0] = field(word, 0, 8);
	instruction->dst = field(word, 16, 7);
	take_literal_if_used(instruction, 1);
	return scalar_sources_known(instruction, 1);
}

bool gfx_fields_sop2(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0];

	instruction->src[0] = field(word, 0, 8);
	instruction->src[1] = field(word, 8, 8);
	instruction->dst = field(word, 16, 7);
	take_literal_if_used(instruction, 2);
	return scalar_sources_known(instruction, 2);
}

bool gfx_fields_sopc(struct gfx_instruction *instruction)
{
	return gfx_fields_sop2(instruction);
}

bool gfx_fields_sopk(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0];

	instruction->offset = sign_extend(word & 0xffff, 16);
	instruction->dst = field(word, 16, 7);
	if (instruction->operation->flags & GFX_LITERAL_K)
		take_literal(instruction);
	return true;
}

bool gfx_fields_sopp(struct gfx_instruction *instruction)
{
	instruction->offset = sign_extend(instruction->words[0] & 0xffff, 16);
	return true;
}

/* The offset is an immediate, a scalar register, or the sum of both. */
bool gfx_fields_smem(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];
	bool immediate = bits(word, 17, 1), scalar = bits(word, 14, 1);

	instruction->address = (uint16_t)(bits(word, 0, 6) << 1);
	instruction->dst = field(word, 6, 7);
	instruction->offset = immediate ? sign_extend(second & 0x1fffff, 21) : 0;
	instruction->scalar_address = GFX_CODE_OFF;
	if (scalar)
		instruction->scalar_address = field(second, 25, 7);
	else if (!immediate)
		instruction->scalar_address = field(second, 0, 7);
	return true;
}

static struct gfx_sdwa_select sdwa_select(uint32_t word, uint32_t low)
{
	return (struct gfx_sdwa_select){
		.select = (uint8_t)bits(word, low, 3),
		.sign = bits(word, low + 3, 1),
	};
}

/* The sources of SDWA are VGPRs, or scalar codes if their S bit is set. */
static uint16_t sdwa_source(uint32_t code, bool scalar)
{
	return (uint16_t)(scalar ? code : code + GFX_CODE_VGPR0);
}

static bool take_sdwa(struct gfx_instruction *instruction, uint32_t sources)
{
	uint32_t second = instruction->words[1];
	uint32_t modifiers = bits(second, 20, 2), modifiers1 = bits(second, 28, 2);

	instruction->extension = GFX_EXTENSION_SDWA;
	instruction->word_count = 2;
	instruction->src[0] = sdwa_source(bits(second, 0, 8), bits(second, 23, 1));
	instruction->sdwa_src[0] = sdwa_select(second, 16);
	instruction->neg = modifiers & 1;
	instruction->abs = (uint8_t)(modifiers >> 1);
	if (sources > 1) {
		uint32_t code = instruction->src[1] - (uint32_t)GFX_CODE_VGPR0;

		instruction->src[1] = sdwa_source(code, bits(second, 31, 1));
		instruction->sdwa_src[1] = sdwa_select(second, 24);
		instruction->neg |= (uint8_t)((modifiers1 & 1) << 1);
		instruction->abs |= (uint8_t)(modifiers1 & 2);
	}
	if (instruction->encoding == GFX_VOPC) {
		instruction->sdst = bits(second, 15, 1) ? field(second, 8, 7) : GFX_CODE_VCC;
	} else {
		instruction->sdwa_dst = (uint8_t)bits(second, 8, 3);
		instruction->sdwa_unused = (uint8_t)bits(second, 11, 2);
		instruction->clamp = bits(second, 13, 1);
		instruction->omod = (uint8_t)bits(second, 14, 2);
	}
	return instruction->sdwa_dst < 7 && instruction->sdwa_unused < 3 &&
	       instruction->sdwa_src[0].select < 7 && instruction->sdwa_src[1].select < 7;
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

static bool take_dpp(struct gfx_instruction *instruction)
{
	uint32_t second = instruction->words[1];

	instruction->extension = GFX_EXTENSION_DPP;
	instruction->word_count = 2;
	instruction->src[0] = (uint16_t)(bits(second, 0, 8) + GFX_CODE_VGPR0);
	instruction->dpp_control = field(second, 8, 9);
	instruction->dpp_bound_zero = bits(second, 19, 1);
	instruction->neg = (uint8_t)(bits(second, 20, 1) | bits(second, 22, 1) << 1);
	instruction->abs = (uint8_t)(bits(second, 21, 1) | bits(second, 23, 1) << 1);
	instruction->dpp_bank_mask = (uint8_t)bits(second, 24, 4);
	instruction->dpp_row_mask = (uint8_t)bits(second, 28, 4);
	return dpp_control_known(instruction->dpp_control);
}

static bool vector_source_known(uint32_t code)
{
	return code >= GFX_CODE_VGPR0 || scalar_source_known(code);
}

/* DPP has no 64-bit form but for the row broadcast of gfx90a and later; SDWA has none at all. */
static bool extension_allowed(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	bool wide = gfx_type_words(operation->dst) > 1 || gfx_type_words(operation->src[0]) > 1 ||
		    gfx_type_words(operation->src[1]) > 1;
	bool broadcast = instruction->dpp_control >= 0x150;

	if (operation->flags & (GFX_LANE_SELECT | GFX_LITERAL_K | GFX_LITERAL_K_ADD))
		return false;
	if (instruction->extension == GFX_EXTENSION_DPP)
		return instruction->encoding != GFX_VOPC && (!wide || broadcast);
	return !wide;
}

static bool take_source0(struct gfx_instruction *instruction, uint32_t sources)
{
	bool known;

	instruction->modified = false;
	if (instruction->src[0] != GFX_CODE_SDWA && instruction->src[0] != GFX_CODE_DPP) {
		take_literal_if_used(instruction, 1);
		return instruction->operation->src[0] == GFX_NONE ||
		       vector_source_known(instruction->src[0]);
	}
	instruction->modified = true;
	known = instruction->src[0] == GFX_CODE_SDWA ? take_sdwa(instruction, sources)
						     : take_dpp(instruction);
	return known && extension_allowed(instruction);
}

bool gfx_fields_vop1(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0];

	instruction->src[0] = field(word, 0, 9);
	instruction->dst = field(word, 17, 8);
	instruction->sdst = GFX_CODE_VCC;
	return take_source0(instruction, 1);
}

bool gfx_fields_vop2(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], flags = instruction->operation->flags;

	instruction->src[0] = field(word, 0, 9);
	instruction->src[1] = (uint16_t)(field(word, 9, 8) + GFX_CODE_VGPR0);
	instruction->dst = field(word, 17, 8);
	instruction->sdst = GFX_CODE_VCC;
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

	instruction->src[0] = field(word, 0, 9);
	instruction->src[1] = (uint16_t)(field(word, 9, 8) + GFX_CODE_VGPR0);
	instruction->sdst = GFX_CODE_VCC;
	return take_source0(instruction, 2);
}

static bool long_sources_known(const struct gfx_instruction *instruction)
{
	for (uint32_t i = 0; i < 3; i++) {
		if (instruction->operation->src[i] == GFX_NONE)
			continue;
		if (!vector_source_known(instruction->src[i]) ||
		    instruction->src[i] == GFX_CODE_LITERAL)
			return false;
	}
	return true;
}

static void take_long_sources(struct gfx_instruction *instruction)
{
	uint32_t second = instruction->words[1];

	instruction->src[0] = field(second, 0, 9);
	instruction->src[1] = field(second, 9, 9);
	instruction->src[2] = field(second, 18, 9);
	instruction->neg = (uint8_t)bits(second, 29, 3);
}

/* A compare has its scalar destination where others have the VGPR; a carry has it in place of
 * abs. */
bool gfx_fields_vop3(struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	uint32_t word = instruction->words[0];

	take_long_sources(instruction);
	instruction->dst = field(word, 0, 8);
	instruction->sdst = instruction->dst;
	instruction->clamp = bits(word, 15, 1);
	instruction->omod = (uint8_t)bits(instruction->words[1], 27, 2);
	if (operation->flags & GFX_CARRY_OUT) {
		instruction->sdst = field(word, 8, 7);
	} else {
		instruction->abs = (uint8_t)bits(word, 8, 3);
		instruction->op_sel = (uint8_t)bits(word, 11, 4);
	}
	if (instruction->encoding == GFX_VOP3E && operation->flags & GFX_READS_DST)
		instruction->src[2] = (uint16_t)(instruction->dst + GFX_CODE_VGPR0);
	if (instruction->encoding == GFX_VOP3E &&
	    operation->flags & (GFX_LITERAL_K | GFX_LITERAL_K_ADD | GFX_NO_SUFFIX))
		return false;
	instruction->modified = instruction->abs | instruction->neg | instruction->op_sel |
				instruction->omod | instruction->clamp;
	return long_sources_known(instruction);
}

bool gfx_fields_vop3p(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0];

	take_long_sources(instruction);
	instruction->dst = field(word, 0, 8);
	instruction->neg_hi = (uint8_t)bits(word, 8, 3);
	instruction->op_sel = (uint8_t)bits(word, 11, 3);
	instruction->clamp = bits(word, 15, 1);
	instruction->op_sel_hi =
		(uint8_t)(bits(instruction->words[1], 27, 2) | bits(word, 14, 1) << 2);
	instruction->modified = true;
	return long_sources_known(instruction);
}

bool gfx_fields_ds(struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	uint32_t word = instruction->words[0], second = instruction->words[1];
	uint32_t scale = operation->size * (operation->flags & GFX_PAIR_64 ? 64U : 1U);

	instruction->offset = (int32_t)bits(word, 0, 16);
	instruction->pair_offset[0] = bits(word, 0, 8) * scale;
	instruction->pair_offset[1] = bits(word, 8, 8) * scale;
	instruction->acc = bits(word, 25, 1);
	instruction->address = field(second, 0, 8);
	instruction->data[0] = field(second, 8, 8);
	instruction->data[1] = field(second, 16, 8);
	instruction->dst = field(second, 24, 8);
	instruction->returns = operation->flags & GFX_RETURNS;
	/* There is no global data share behind bit 16. */
	return !bits(word, 16, 1);
}

/* FLAT, GLOBAL and SCRATCH have one layout; scratch says in bit 13 whether a VGPR takes part. */
bool gfx_fields_flat(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];
	bool flat = instruction->encoding == GFX_FLAT;

	instruction->offset =
		flat ? (int32_t)bits(word, 0, 12) : sign_extend(bits(word, 0, 13), 13);
	instruction->has_address = instruction->encoding != GFX_SCRATCH || bits(word, 13, 1);
	instruction->address = field(second, 0, 8);
	instruction->data[0] = field(second, 8, 8);
	instruction->scalar_address = flat ? GFX_CODE_OFF : field(second, 16, 7);
	instruction->acc = bits(second, 23, 1);
	instruction->dst = field(second, 24, 8);
	instruction->returns =
		instruction->operation->memory == GFX_MEMORY_ATOMIC && bits(word, 16, 1);
	return true;
}

bool gfx_fields_mubuf(struct gfx_instruction *instruction)
{
	return instruction->encoding == GFX_MUBUF;
}
