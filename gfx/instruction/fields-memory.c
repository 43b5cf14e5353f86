/* SPDX-License-Identifier: MIT */
/* Operand fields of the scalar and vector memory encodings. */
#include "gfx/instruction/fields.h"

#define TYPED_BUFFER 0x3au /* the encoding of MTBUF */
#define MTBUF_UPPER 8u	   /* rows of typed buffers whose opcode has its uppermost bit */

/* Cache operations have no operands, the clocks a destination. */
static bool take_smem_plain(struct gfx_instruction *instruction)
{
	if (gfx_bits(instruction->words[0], 17, 1))
		return false;
	if (instruction->operation->flags & GFX_NO_OPERANDS)
		return true;
	instruction->dst = gfx_field(instruction->words[0], 6, 7);
	return instruction->dst != 125 && gfx_take_tuple(instruction, &instruction->dst, 2);
}

/* The offset is an immediate, a scalar register, or the sum of both. */
bool gfx_fields_smem(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];
	bool immediate = gfx_bits(word, 17, 1), scalar = gfx_bits(word, 14, 1);

	if (instruction->operation->memory == GFX_MEMORY_NONE)
		return take_smem_plain(instruction);
	instruction->address = (uint16_t)(gfx_bits(word, 0, 6) << 1);
	instruction->dst = gfx_field(word, 6, 7);
	instruction->offset = immediate ? gfx_sign_extend(second & 0x1fffff, 21) : 0;
	instruction->scalar_address = GFX_CODE_OFF;
	if (scalar)
		instruction->scalar_address = gfx_field(second, 25, 7);
	else if (!immediate)
		instruction->scalar_address = gfx_field(second, 0, 7);
	return gfx_take_tuple(instruction, &instruction->address,
			      instruction->operation->flags & GFX_RESOURCE ? 4 : 2) &&
	       instruction->dst != 125 && instruction->scalar_address != 125 &&
	       gfx_take_tuple(instruction, &instruction->dst, instruction->operation->size / 4U);
}

/* The code of a scalar offset; null says that there is none, whose code inside is that of the upper lanes of exec, so that these are refused. */
static bool take_scalar_offset(struct gfx_instruction *instruction, uint32_t word, uint32_t low)
{
	uint16_t code = gfx_code(instruction, instruction->words[word], low, 7);

	instruction->scalar_address = code == GFX_CODE_NULL ? GFX_CODE_OFF : code;
	return code != GFX_CODE_OFF;
}

/*
 * From gfx10 on both offsets are there always, and null stands for none. gfx12 has 24 bits of the first one. A prefetch does
 * nothing; where others have the register of the result it says how much of the data.
 */
bool gfx_fields_smem_gfx10(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];
	uint32_t flags = instruction->operation->flags;
	uint32_t width = instruction->generation >= GFX_GENERATION_12 ? 24 : 21;

	instruction->dst = gfx_code(instruction, word, 6, 7);
	if (flags & GFX_NO_OPERANDS)
		return instruction->generation != GFX_GENERATION_11 || !gfx_bits(word, 13, 2);
	/* The clocks of gfx10. */
	if (instruction->operation->memory == GFX_MEMORY_NONE &&
	    instruction->generation == GFX_GENERATION_10)
		return gfx_take_tuple(instruction, &instruction->dst, 2);
	instruction->address = (uint16_t)(gfx_bits(word, 0, 6) << 1);
	instruction->offset = gfx_sign_extend(second & ((1U << width) - 1), width);
	if (!take_scalar_offset(instruction, 1, 25))
		return false;
	if (!(flags & GFX_NO_BASE) &&
	    !gfx_take_tuple(instruction, &instruction->address, flags & GFX_RESOURCE ? 4 : 2))
		return false;
	if (instruction->operation->memory == GFX_MEMORY_NONE)
		return !gfx_bits(word, 11, 2);
	return gfx_take_tuple(instruction, &instruction->dst,
			      (instruction->operation->size + 3U) / 4U);
}

static bool ds_unused_are_zero(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	bool stores = operation->memory == GFX_MEMORY_STORE;
	bool two = operation->flags & GFX_TWO_DATA || (stores && operation->flags & GFX_PAIR);
	uint32_t used;

	if (operation->flags & GFX_NO_OPERANDS)
		return !instruction->words[1] && !instruction->acc && !instruction->offset;
	if (operation->memory == GFX_MEMORY_LOAD)
		used = 0xff0000ff;
	else if (operation->memory == GFX_MEMORY_NONE)
		used = operation->flags & GFX_GLOBAL_SYNC ? 0xff
		       : operation->flags & GFX_TWO_DATA  ? 0xff00ffff
							  : 0xff0000ff;
	else
		used = (stores || !instruction->returns ? 0xffff : 0xff00ffff) |
		       (two ? 0xff0000 : 0);
	if (operation->flags & GFX_DS_FIELDS)
		used &= ~0xffU;
	return !(instruction->words[1] & ~used);
}

/* All registers of the data are there, whichever of the fields are used. */
static bool data_known(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	bool pair = operation->flags & GFX_PAIR, ds = instruction->encoding == GFX_DS;
	uint32_t words = (operation->size + 3U) / 4, loaded = pair ? 2 * words : words;

	if (instruction->to_local)
		return !instruction->acc;
	if (!ds && operation->flags & GFX_TWO_DATA)
		words *= 2;
	if ((operation->memory == GFX_MEMORY_LOAD || instruction->returns) &&
	    instruction->dst + loaded > GFX_CODE_VGPR0)
		return false;
	if (operation->memory == GFX_MEMORY_LOAD || operation->memory == GFX_MEMORY_NONE)
		return true;
	return instruction->data[0] + words <= GFX_CODE_VGPR0 &&
	       (!ds || instruction->data[1] + words <= GFX_CODE_VGPR0);
}

bool gfx_fields_ds(struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	uint32_t word = instruction->words[0], second = instruction->words[1];
	uint32_t scale = operation->size * (operation->flags & GFX_PAIR_64 ? 64U : 1U);

	instruction->offset = (int32_t)gfx_bits(word, 0, 16);
	instruction->pair_offset[0] = gfx_bits(word, 0, 8) * scale;
	instruction->pair_offset[1] = gfx_bits(word, 8, 8) * scale;
	instruction->acc = !gfx_is_later(instruction) && gfx_bits(word, 25, 1);
	instruction->address = gfx_field(second, 0, 8);
	instruction->data[0] = gfx_field(second, 8, 8);
	instruction->data[1] = gfx_field(second, 16, 8);
	instruction->dst = gfx_field(second, 24, 8);
	instruction->returns = operation->flags & GFX_RETURNS;
	/* There is no global data share behind bit 16, but global wave sync. */
	return gfx_bits(word, gfx_is_later(instruction) ? 17 : 16, 1) ==
		       !!(operation->flags & GFX_GLOBAL_SYNC) &&
	       ds_unused_are_zero(instruction) && data_known(instruction);
}

/* An address of 64 bits is in two registers. */
static bool is_wide_address_known(const struct gfx_instruction *instruction)
{
	return instruction->address + 2 <= GFX_CODE_VGPR0;
}

/* Offsets of FLAT have 12 bits, and bit 13 is scratch's alone. */
static bool flat_known(struct gfx_instruction *instruction)
{
	if (!data_known(instruction))
		return false;
	if (instruction->encoding != GFX_SCRATCH && instruction->scalar_address == GFX_CODE_OFF &&
	    !is_wide_address_known(instruction))
		return false;
	switch (instruction->encoding) {
	case GFX_FLAT:
		return !gfx_bits(instruction->words[1], 16, 7) &&
		       !gfx_bits(instruction->words[0], 12, 2);
	case GFX_GLOBAL:
		return !gfx_bits(instruction->words[0], 13, 1) &&
		       (instruction->scalar_address == GFX_CODE_OFF ||
			gfx_take_tuple(instruction, &instruction->scalar_address, 2));
	default:
		return instruction->scalar_address != 125;
	}
}

/* FLAT, GLOBAL and SCRATCH have one layout; scratch says in bit 13 whether a VGPR takes part. */
bool gfx_fields_flat(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];
	bool flat = instruction->encoding == GFX_FLAT;

	instruction->offset =
		flat ? (int32_t)gfx_bits(word, 0, 12) : gfx_sign_extend(gfx_bits(word, 0, 13), 13);
	instruction->has_address = instruction->encoding != GFX_SCRATCH || gfx_bits(word, 13, 1);
	instruction->address = gfx_field(second, 0, 8);
	instruction->data[0] = gfx_field(second, 8, 8);
	instruction->scalar_address = flat ? GFX_CODE_OFF : gfx_field(second, 16, 7);
	instruction->acc = gfx_bits(second, 23, 1);
	instruction->dst = gfx_field(second, 24, 8);
	instruction->to_local = instruction->operation->flags & GFX_TO_LOCAL;
	instruction->returns =
		instruction->operation->memory == GFX_MEMORY_ATOMIC && gfx_bits(word, 16, 1);
	return flat_known(instruction);
}

/* From gfx10 on generic addresses are in registers of lanes alone. */
static bool later_flat_known(struct gfx_instruction *instruction)
{
	bool alone = instruction->scalar_address == GFX_CODE_OFF;

	if (instruction->encoding == GFX_FLAT && !alone)
		return false;
	if (instruction->encoding == GFX_GLOBAL && !alone &&
	    !gfx_take_tuple(instruction, &instruction->scalar_address, 2))
		return false;
	return data_known(instruction) && (instruction->encoding == GFX_SCRATCH || !alone ||
					   is_wide_address_known(instruction));
}

/* From gfx11 on scratch alone has a bit that says whether a VGPR takes part. */
static bool segment_known(struct gfx_instruction *instruction, bool takes_vgpr)
{
	instruction->has_address = instruction->encoding != GFX_SCRATCH || takes_vgpr;
	return (instruction->encoding == GFX_SCRATCH || !takes_vgpr) &&
	       later_flat_known(instruction);
}

/* Offsets have 13 bits. Null stands for no scalar address. */
bool gfx_fields_flat_gfx11(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];

	instruction->offset = gfx_sign_extend(gfx_bits(word, 0, 13), 13);
	instruction->address = gfx_field(second, 0, 8);
	instruction->data[0] = gfx_field(second, 8, 8);
	instruction->dst = gfx_field(second, 24, 8);
	instruction->returns =
		instruction->operation->memory == GFX_MEMORY_ATOMIC && gfx_bits(word, 14, 1);
	return take_scalar_offset(instruction, 1, 16) &&
	       segment_known(instruction, gfx_bits(second, 23, 1));
}

/*
 * The same with offsets of 12 bits, of 11 without a sign in FLAT. A scratch address is a VGPR or an SGPR, never both: null stands for no SGPR, and
 * the upper lanes of exec for neither. Bit 13 would load to LDS.
 */
bool gfx_fields_flat_gfx10(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];
	uint16_t code = gfx_field(second, 16, 7);
	bool scratch = instruction->encoding == GFX_SCRATCH;

	instruction->offset = instruction->encoding == GFX_FLAT
				      ? (int32_t)gfx_bits(word, 0, 12)
				      : gfx_sign_extend(gfx_bits(word, 0, 12), 12);
	instruction->has_address = !scratch || code == GFX_CODE_NULL;
	instruction->address = gfx_field(second, 0, 8);
	instruction->data[0] = gfx_field(second, 8, 8);
	instruction->scalar_address = code == GFX_CODE_NULL ? GFX_CODE_OFF : code;
	instruction->dst = gfx_field(second, 24, 8);
	instruction->returns =
		instruction->operation->memory == GFX_MEMORY_ATOMIC && gfx_bits(word, 16, 1);
	return (scratch || code != GFX_CODE_OFF) && !gfx_bits(word, 13, 1) &&
	       !gfx_bits(second, 23, 1) && later_flat_known(instruction);
}

/* Three words, with offsets of 24 bits. What is written behind the caches returns nothing, and is addressed by nothing. */
bool gfx_fields_flat_gfx12(struct gfx_instruction *instruction)
{
	uint32_t second = instruction->words[1], third = instruction->words[2];

	instruction->offset = gfx_sign_extend(third >> 8, 24);
	instruction->address = gfx_field(third, 0, 8);
	instruction->data[0] = gfx_field(second, 23, 8);
	instruction->dst = gfx_field(second, 0, 8);
	instruction->returns =
		instruction->operation->memory == GFX_MEMORY_ATOMIC && gfx_bits(second, 20, 1);
	if (!take_scalar_offset(instruction, 0, 0))
		return false;
	if (instruction->operation->flags & GFX_NO_OPERANDS)
		return instruction->scalar_address == GFX_CODE_OFF && !gfx_bits(second, 17, 1);
	return segment_known(instruction, gfx_bits(second, 17, 1));
}

/* Sums and extremes of floats do not know the bit for coherence of the whole system. */
bool gfx_fields_float_atomic_gfx90a(struct gfx_instruction *instruction)
{
	if (instruction->encoding == GFX_MUBUF)
		return !gfx_bits(instruction->words[0], 15, 1) && gfx_fields_mubuf(instruction);
	return !gfx_bits(instruction->words[0], 25, 1) && gfx_fields_flat(instruction);
}

/* Before gfx940 a scratch address is a VGPR or an SGPR, never both; bit 13 would load to LDS. */
bool gfx_fields_scratch_gfx90a(struct gfx_instruction *instruction)
{
	bool known = gfx_fields_flat(instruction);

	instruction->has_address = instruction->scalar_address == GFX_CODE_OFF;
	return known && !gfx_bits(instruction->words[0], 13, 1);
}

/* The registers of a buffer instruction are there. */
static bool buffer_known(struct gfx_instruction *instruction)
{
	if (instruction->has_offset && instruction->has_index &&
	    !is_wide_address_known(instruction))
		return false;
	return gfx_scalar_source_known(instruction, instruction->scalar_address) &&
	       instruction->scalar_address != GFX_CODE_LITERAL &&
	       gfx_take_tuple(instruction, &instruction->resource, 4) && data_known(instruction);
}

/* Buffer instructions of two words have these fields at the same places. The resource is named by a fourth of its register number. */
static void buffer_take(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];

	instruction->has_format = gfx_bits(word, 26, 6) == TYPED_BUFFER;
	instruction->format = (uint8_t)gfx_bits(word, 19, 7);
	instruction->offset = (int32_t)gfx_bits(word, 0, 12);
	instruction->address = gfx_field(second, 0, 8);
	instruction->data[0] = gfx_field(second, 8, 8);
	instruction->dst = instruction->data[0];
	instruction->resource = (uint16_t)(gfx_bits(second, 16, 5) << 2);
	instruction->returns =
		instruction->operation->memory == GFX_MEMORY_ATOMIC && gfx_bits(word, 14, 1);
}

/* Words alone go to local memory here: what hardware makes of narrower ones there is not known. */
static bool take_to_local(struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;

	instruction->to_local = !instruction->has_format && gfx_bits(instruction->words[0], 16, 1);
	return !instruction->to_local ||
	       (operation->memory == GFX_MEMORY_LOAD && operation->size == 4 &&
		!(operation->flags & GFX_FORMATTED));
}

/* Bit 16 of the first word is for LDS, or one of a typed buffer's opcode, whose instruction has the format, too. */
bool gfx_fields_mubuf(struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;
	uint32_t word = instruction->words[0], second = instruction->words[1];

	/* Cache operations: nothing is addressed. */
	if (instruction->operation->memory == GFX_MEMORY_NONE)
		return !(word & (operation->flags & GFX_NO_OPERANDS ? 0x1f000U : 0x13000U)) &&
		       !gfx_bits(second, 23, 1);
	buffer_take(instruction);
	instruction->has_offset = gfx_bits(word, 12, 1);
	instruction->has_index = gfx_bits(word, 13, 1);
	instruction->acc = gfx_bits(second, 23, 1);
	instruction->scalar_address = gfx_field(second, 24, 8);
	return take_to_local(instruction) && buffer_known(instruction);
}

/* There are no AGPRs: their bit would ask for a word that says which pages are there. Bit 15 is for caches that atomics go past. */
bool gfx_fields_mubuf_gfx10(struct gfx_instruction *instruction)
{
	bool atomic = instruction->operation->memory == GFX_MEMORY_ATOMIC;

	return !gfx_bits(instruction->words[1], 23, 1) &&
	       !(atomic && gfx_bits(instruction->words[0], 15, 1)) && gfx_fields_mubuf(instruction);
}

/* The uppermost bit of a typed buffer's opcode is in the second word: the row that the first one has chosen is the other's. */
bool gfx_fields_mtbuf_gfx10(struct gfx_instruction *instruction)
{
	if (gfx_bits(instruction->words[1], 21, 1))
		instruction->operation += MTBUF_UPPER;
	return gfx_fields_mubuf_gfx10(instruction);
}

/* The bits that say that lanes have an offset, an index, and a word for pages that are not there have moved to the second word. */
bool gfx_fields_mubuf_gfx11(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];

	/* Operations on caches: nothing is addressed. */
	if (instruction->operation->flags & GFX_NO_OPERANDS)
		return !gfx_bits(word, 13, 2) && !gfx_bits(second, 21, 3);
	buffer_take(instruction);
	instruction->has_offset = gfx_bits(second, 22, 1);
	instruction->has_index = gfx_bits(second, 23, 1);
	instruction->scalar_address = gfx_code(instruction, second, 24, 8);
	return !gfx_bits(second, 21, 1) && buffer_known(instruction);
}

/* Three words, with offsets of 24 bits. Typed buffers are those whose opcode has the uppermost bit. */
bool gfx_fields_mubuf_gfx12(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];
	uint32_t third = instruction->words[2];

	instruction->has_format = gfx_bits(word, 21, 1);
	instruction->format = (uint8_t)gfx_bits(second, 23, 7);
	instruction->offset = gfx_sign_extend(third >> 8, 24);
	instruction->has_offset = gfx_bits(second, 30, 1);
	instruction->has_index = gfx_bits(second, 31, 1);
	instruction->address = gfx_field(third, 0, 8);
	instruction->data[0] = gfx_field(second, 0, 8);
	instruction->dst = instruction->data[0];
	instruction->resource = gfx_field(second, 9, 9);
	instruction->scalar_address = gfx_code(instruction, word, 0, 7);
	instruction->returns =
		instruction->operation->memory == GFX_MEMORY_ATOMIC && gfx_bits(second, 20, 1);
	/* From gfx11 on m0 has this number. No descriptor begins there. */
	return !gfx_bits(word, 22, 1) && instruction->resource < GFX_CODE_ZERO &&
	       instruction->resource != 125 && buffer_known(instruction);
}

/* An image's descriptor has eight registers, a sampler's four: `scalar_address` is the sampler's. */
bool gfx_fields_mimg(struct gfx_instruction *instruction)
{
	uint32_t word = instruction->words[0], second = instruction->words[1];
	uint32_t count = (uint32_t)__builtin_popcount(gfx_bits(word, 8, 4));

	instruction->address = gfx_field(second, 0, 8);
	instruction->data[0] = instruction->dst = gfx_field(second, 8, 8);
	instruction->resource = (uint16_t)(gfx_bits(second, 16, 5) << 2);
	instruction->scalar_address = (uint16_t)(gfx_bits(second, 21, 5) << 2);
	instruction->acc = gfx_bits(word, 16, 1);
	/* Without a sampler its field is empty. */
	if (!(instruction->operation->flags & GFX_RESOURCE) && instruction->scalar_address)
		return false;
	return gfx_take_tuple(instruction, &instruction->resource, 8) &&
	       gfx_take_tuple(instruction, &instruction->scalar_address, 4) &&
	       instruction->dst + count <= GFX_CODE_VGPR0;
}
