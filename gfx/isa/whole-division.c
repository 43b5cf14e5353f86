/* SPDX-License-Identifier: MIT */
#include "gfx/isa/whole-division.h"

#include "gfx/instruction/operation.h"
#include "gfx/isa/decode.h"
#include "gfx/isa/uses.h"
#include "gfx/wave/wave.h"

#define BEHIND                                                                                     \
	24u /* instructions of an expansion behind one of its own, with others between them */
#define REGISTERS 512u

/* The contents of a register, as a step of a division has made them. */
enum content {
	CONTENT_OTHER,
	CONTENT_WHOLE,	    /* a float that was made of a whole number */
	CONTENT_RECIPROCAL, /* 1 divided by one */
	CONTENT_SCALED, /* a reciprocal in the scale of 32 or 64 bits: there is no other use of it */
	CONTENT_QUOTIENT,  /* a whole number by a reciprocal */
	CONTENT_TRUNCATED, /* this without its fraction */
	CONTENT_REMAINDER,
	CONTENT_RESULT,	       /* a whole number, of one that is truncated; */
	CONTENT_SCALED_RESULT, /* or scaled */
};

/* Divisions are told from each other, since compilers mix their instructions. */
struct held {
	enum content content;
	uint8_t division;
};

struct search {
	struct held held
		[REGISTERS]; /* by operand code: scalar registers, vectors from GFX_CODE_VGPR0 on */
	uint32_t constants[GFX_CODE_VGPR0]; /* 0: not known */
	uint8_t divisions;
	/* Which contents each of them has made, a bit each. Those of small numbers may be the program's by themselves. */
	uint32_t made[UINT8_MAX + 1];
};

/* The scales of LLVM: a little less than 2^32 and 2^64, so that the quotient is not too large. */
static bool constant_is_scale(uint32_t constant)
{
	return constant == 0x4f7ffffe || constant == 0x5f7ffffc;
}

static const char *instruction_kind(const struct gfx_instruction *instruction)
{
	const char *name = instruction->operation->name;

	if (!strncmp(name, "v_s_", 4))
		return name + 4;
	return !strncmp(name, "v_", 2) || !strncmp(name, "s_", 2) ? name + 2 : name;
}

static bool search_has_scale(const struct search *search, const struct gfx_instruction *instruction)
{
	for (uint32_t i = 0; i < 2; i++) {
		const uint32_t code = instruction->src[i];

		if (code == GFX_CODE_LITERAL
			    ? constant_is_scale(instruction->literal)
			    : code < GFX_CODE_VGPR0 && constant_is_scale(search->constants[code]))
			return true;
	}
	return false;
}

/* The register among those read that holds this; NULL if none does. */
static const struct held *search_find(const struct search *search, const struct gfx_uses *uses,
				      enum content content)
{
	for (uint32_t i = 0; i < uses->read_count; i++) {
		const struct gfx_use *read = &uses->reads[i];
		const uint32_t code =
			read->number + (read->file == GFX_FILE_VECTOR ? GFX_CODE_VGPR0 : 0U);

		if (read->file != GFX_FILE_ACCUMULATION && read->words == 1 && code < REGISTERS &&
		    search->held[code].content == content)
			return &search->held[code];
	}
	return NULL;
}

/* How a step goes on with what it reads: in this order, the first that fits. */
struct way {
	const char *kinds[8];
	enum content from, with; /* CONTENT_OTHER: whatever the second is */
	enum content to;
};

static const struct way ways[] = {
	{{"rcp_f32", "rcp_iflag_f32"}, CONTENT_WHOLE, CONTENT_OTHER, CONTENT_RECIPROCAL},
	{{"mul_f32"}, CONTENT_RECIPROCAL, CONTENT_WHOLE, CONTENT_QUOTIENT},
	{{"mul_f32", "trunc_f32", "fma_f32", "fmac_f32", "mad_f32", "mac_f32", "fmamk_f32",
	  "madmk_f32"},
	 CONTENT_SCALED,
	 CONTENT_OTHER,
	 CONTENT_SCALED},
	{{"trunc_f32"}, CONTENT_QUOTIENT, CONTENT_OTHER, CONTENT_TRUNCATED},
	{{"cvt_u32_f32", "cvt_i32_f32"}, CONTENT_SCALED, CONTENT_OTHER, CONTENT_SCALED_RESULT},
	{{"cvt_u32_f32", "cvt_i32_f32"}, CONTENT_TRUNCATED, CONTENT_OTHER, CONTENT_RESULT},
	{{"fma_f32", "fmac_f32", "mad_f32", "mac_f32"},
	 CONTENT_TRUNCATED,
	 CONTENT_WHOLE,
	 CONTENT_REMAINDER},
	/* The halves of a number of 64 bits are put together. */
	{{"fma_f32", "fmac_f32", "mad_f32", "mac_f32", "fmamk_f32", "madmk_f32"},
	 CONTENT_WHOLE,
	 CONTENT_OTHER,
	 CONTENT_WHOLE},
};

static bool way_has(const struct way *way, const char *kind)
{
	for (size_t i = 0; i < sizeof(way->kinds) / sizeof(*way->kinds) && way->kinds[i]; i++)
		if (!strcmp(kind, way->kinds[i]))
			return true;
	return false;
}

static struct held search_result(struct search *search, const struct gfx_instruction *instruction,
				 const struct gfx_uses *uses)
{
	const char *kind = instruction_kind(instruction);
	const struct held *found;

	if (!strncmp(kind, "cvt_f32_u", 9) || !strcmp(kind, "cvt_f32_i32"))
		return (struct held){CONTENT_WHOLE, 0};
	found = search_find(search, uses, CONTENT_RECIPROCAL);
	if (found && !strcmp(kind, "mul_f32") && search_has_scale(search, instruction))
		return (struct held){CONTENT_SCALED, found->division};
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (!way_has(&ways[i], kind) ||
		    (ways[i].with && !search_find(search, uses, ways[i].with)))
			continue;
		found = search_find(search, uses, ways[i].from);
		if (found && ways[i].to == CONTENT_RECIPROCAL)
			return (struct held){CONTENT_RECIPROCAL, ++search->divisions};
		if (found)
			return (struct held){ways[i].to, found->division};
	}
	return (struct held){CONTENT_OTHER, 0};
}

static void search_note_constant(struct search *search, const struct gfx_instruction *instruction,
				 uint32_t code)
{
	if (code < GFX_CODE_VGPR0)
		search->constants[code] = !strcmp(instruction->operation->name, "s_mov_b32") &&
							  instruction->src[0] == GFX_CODE_LITERAL
						  ? instruction->literal
						  : 0;
}

/* Takes one more instruction; the division that it is a step of, 0 if of none. */
static uint8_t search_step(struct search *search, const struct gfx_instruction *instruction)
{
	struct gfx_uses uses;
	struct held made;

	gfx_instruction_uses(instruction, GFX_MAX_LANES, &uses);
	made = search_result(search, instruction, &uses);
	search->made[made.division] |= 1U << made.content;
	for (uint32_t i = 0; i < uses.write_count; i++)
		for (uint32_t word = 0; word < uses.writes[i].words; word++) {
			uint32_t code = uses.writes[i].number + word;

			code += uses.writes[i].file == GFX_FILE_VECTOR ? GFX_CODE_VGPR0 : 0U;
			if (uses.writes[i].file == GFX_FILE_ACCUMULATION || code >= REGISTERS)
				continue;
			search->held[code] = made;
			search_note_constant(search, instruction, code);
		}
	return made.division;
}

static bool search_is_certain(const struct search *search, uint8_t division)
{
	const uint32_t small = 1U << CONTENT_REMAINDER | 1U << CONTENT_RESULT;
	const uint32_t made = search->made[division];

	return division && (made & 1U << CONTENT_SCALED || (made & small) == small);
}

bool gfx_divides_whole_numbers(const struct gfx_architecture *architecture, const uint8_t *code,
			       size_t size, size_t at)
{
	struct search search = {.divisions = 0};
	struct gfx_instruction instruction;
	uint8_t division = 0;

	for (size_t i = 0, behind = 0; i < size && behind < BEHIND; behind += (i > at)) {
		uint8_t made;

		if (!gfx_decode_bytes(architecture, code + i, size - i, &instruction)) {
			i += sizeof(uint32_t);
			continue;
		}
		made = search_step(&search, &instruction);
		if (i == at)
			division = made;
		if (i >= at && (!division || search_is_certain(&search, division)))
			return division;
		i += instruction.word_count * sizeof(uint32_t);
	}
	return false;
}
