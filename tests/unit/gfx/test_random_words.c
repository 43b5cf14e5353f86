/* SPDX-License-Identifier: MIT */
/*
 * Decoding against LLVM: 1.2 million random words for each target that can be executed, a third of them where a share is tried. Each opcode
 * of our encodings is met without chance, too, with nothing else in its words and with one bit: some operations are legal only so.
 *
 * What both know must have the same name and length. What LLVM alone knows must be an operation
 * that is listed as not implemented (unimplemented-*.txt: a list without a name that is not met, and
 * without one missing), or be one of the forms below, which are counted. We alone may know nothing.
 *
 * Targets that are decoded by the tables of a relative, which has more than they: what we alone know there is none of their
 * instructions, and what LLVM alone knows is listed by patterns.
 */
#include "fixture.h"

#include <fnmatch.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/isa/decode.h"
#include "gfx/isa/tables.h"
#include "tests/unit/share.h"

#define WORD_PAIRS 1200000
#define RELATIVE_PAIRS 300000 /* of a target whose tables have been compared already */
#define SEED UINT64_C(0x9e3779b97f4a7c15)
#define TEXT_SIZE 320
#define WORDS GFX_INSTRUCTION_WORDS
#define NAME_SIZE 64
#define MAX_NAMES 400
#define SEGMENTS 0x37 /* the upper bits of FLAT, GLOBAL and SCRATCH */
#define SEGMENTS_GFX12 0x3b
#define LATER_MATRICES 0x331 /* the upper bits of WMMA and SWMMAC */
#define LATER_PACKED 0x198   /* those of packed operations */
#define LONG_FORMS 0x1a	     /* the upper bits of VOP3 from gfx10 on */

static uint32_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)(*state >> 16);
}

/* All opcodes of our tables in turn. */
struct turn {
	const struct gfx_isa *first, *isa;
	size_t row, opcode;
};

/* The bits of a word that say what the instruction is. */
static uint32_t turn_bits(const struct turn *turn)
{
	const struct gfx_encoding_row *row = &turn->isa->rows[turn->row];

	return row->mask | row->opcode_mask << row->opcode_shift;
}

/* Their values; false if the next turn is the first one again. */
static bool take_turn(struct turn *turn, uint32_t *word)
{
	const struct gfx_encoding_row *row = &turn->isa->rows[turn->row];

	*word &= ~turn_bits(turn);
	*word |= row->value | (uint32_t)(row->opcode_first + turn->opcode) << row->opcode_shift;
	if (++turn->opcode < row->opcode_count)
		return true;
	turn->opcode = 0;
	if (++turn->row < turn->isa->row_count)
		return true;
	turn->row = 0;
	turn->isa = turn->isa->base ? turn->isa->base : turn->first;
	return turn->isa != turn->first;
}

/*
 * Every third word has an opcode of ours, the others nothing but chance. Fields are made zero now and
 * then: most words are legal only so.
 */
static void choose_words(uint64_t *state, enum gfx_generation generation, struct turn *turn,
			 uint32_t words[WORDS])
{
	static const struct {
		uint32_t chance, keep[2];
	} thinned[] = {
		{2, {UINT32_MAX, 0x9e1e1e1e}},
		{3, {~0x00010100U, UINT32_MAX}},
		{3, {UINT32_MAX, 0x07ffffff}},
		{3, {~0x0001ff00U, UINT32_MAX}},
		{4, {UINT32_MAX, 0x0003ffff}},
		{4, {UINT32_MAX, 0x000001ff}},
		{4, {~0x0000ff00U, UINT32_MAX}},
		{3, {~1U, ~0x00040201U}},
		{6, {UINT32_MAX, 0}},
		{5, {0xffff0000, UINT32_MAX}},
		{12, {0xfdfe0000, 0}},
	};
	static const uint32_t extended[] = {GFX_CODE_DPP, GFX_CODE_DPP8, GFX_CODE_DPP8_FETCHES,
					    GFX_CODE_LITERAL};
	static const uint32_t all_vgprs = 0x04020100, no_permutation = 0x1fffffff;
	bool later = generation >= GFX_GENERATION_10;
	uint32_t null = generation == GFX_GENERATION_10 ? 0x007d0000 : 0x007c0000;

	words[0] = next_random(state);
	words[1] = next_random(state) & (next_random(state) | next_random(state));
	words[2] = words[1] * 0x9e3779b1;
	for (size_t i = 0; i < sizeof(thinned) / sizeof(thinned[0]); i++) {
		if (next_random(state) % thinned[i].chance)
			continue;
		words[0] &= thinned[i].keep[0];
		words[1] &= thinned[i].keep[1];
	}
	if (next_random(state) % 3 == 0)
		take_turn(turn, &words[0]);
	/* Long forms have literals and choices of lanes in a word behind them from gfx10 on. */
	if (later && words[0] >> 27 == LONG_FORMS && next_random(state) % 4 == 0)
		words[1] = (words[1] & ~0x1ffU) | extended[next_random(state) % 4];
	/* Generic addresses are in registers only: null says so. */
	if (later && words[0] >> 26 == SEGMENTS && next_random(state) % 2 == 0)
		words[1] = (words[1] & ~0x00ff0000U) | null;
	if (later && words[0] >> 26 == SEGMENTS_GFX12 && next_random(state) % 2 == 0)
		words[0] = (words[0] & ~0x7fU) | 0x7c;
	/* Matrices are in registers only. */
	if (words[0] >> 23 == 0x1a7 && next_random(state) % 2)
		words[1] = (words[1] | all_vgprs) & no_permutation;
	/* Floats of eight bits have no halves to choose, nor signs to change. */
	if (later && words[0] >> 23 == LATER_PACKED && next_random(state) % 4 == 0) {
		words[0] = (words[0] & ~0xbf00U) | 0x4000;
		words[1] = (words[1] & 0x1fffffff) | 0x18000000;
	}
	/* Those from gfx11 on choose no halves, either. */
	if (later && words[0] >> 22 == LATER_MATRICES && next_random(state) % 2) {
		words[0] = (words[0] & ~0x1800U) | 0x4000;
		words[1] |= all_vgprs | 0x18000000;
	}
}

/* LLVM 19 does not survive v_ldexp_f16 with SDWA, nor reserved selectors there. */
static bool crashes_other(const struct gfx_architecture *architecture, const uint32_t words[WORDS])
{
	bool sdwa = architecture->generation < GFX_GENERATION_11 && words[0] >> 31 == 0 &&
		    (words[0] & 0x1ff) == GFX_CODE_SDWA;

	return sdwa &&
	       (words[0] >> 25 == 51 || (words[1] >> 8 & 7) == 7 || (words[1] >> 16 & 7) == 7 ||
		(words[1] >> 24 & 7) == 7 || (words[1] >> 11 & 3) == 3);
}

/* Legal for LLVM, reserved for us. */
enum form {
	FORM_NONE,
	FORM_DOUBTED, /* it says itself that a value is wrong, or names what the target has not */
	FORM_GLOBAL_DATA_SHARE,
	FORM_LOAD_TO_LDS,
	FORM_PAGES_THERE, /* a load that says which pages are there, in a register more */
	FORM_CLAMP,	  /* or a factor, of an operation that has none */
	FORM_LONG_OFFSET,
	FORM_MASK_NOWHERE,	   /* a scalar result that goes to a constant */
	FORM_MATRIX_IS_ONE_NUMBER, /* an aperture or condition in the place of a matrix */
	FORM_EXEC_AS_OFFSET,	   /* of which nobody knows what it would be for */
	FORM_RELATIVE_LANES,	   /* lanes chosen of a register that m0 chooses: not implemented */
	FORM_WHOLE_ENCODING,	   /* graphics, images: not implemented */
	FORM_RELATIVE,		   /* known to us alone: an operation or bit of the relative; */
	FORM_RESERVED, /* and the other way round, a bit that the relative must not have */
	FORM_HALF,     /* known to us alone: LLVM 19 does not choose halves of registers there */
	FORM_LONG_WAVE, /* known to us alone, too: matrices whose registers a wave of 64 lanes alone has */
	FORM_COUNT,
};

static const char *const form_names[FORM_COUNT] = {
	[FORM_DOUBTED] = "values that LLVM doubts or the target has not",
	[FORM_GLOBAL_DATA_SHARE] = "DS with the bit of the global data share",
	[FORM_LOAD_TO_LDS] = "loads to LDS",
	[FORM_PAGES_THERE] = "buffers with a word for pages that are not there",
	[FORM_CLAMP] = "clamps and factors where there are none",
	[FORM_LONG_OFFSET] = "FLAT offsets of 13 bits",
	[FORM_MASK_NOWHERE] = "results into a constant",
	[FORM_MATRIX_IS_ONE_NUMBER] = "apertures and conditions as a matrix",
	[FORM_EXEC_AS_OFFSET] = "upper lanes of exec as an offset",
	[FORM_RELATIVE_LANES] = "lanes of registers that m0 chooses",
	[FORM_WHOLE_ENCODING] = "of encodings that are not implemented",
	[FORM_RELATIVE] = "of a relative",
	[FORM_RESERVED] = "with bits that a relative must not have",
	[FORM_HALF] = "halves of registers that we alone know",
	[FORM_LONG_WAVE] = "matrices that waves of 64 lanes alone have registers for",
};

static enum form form_of(const struct gfx_instruction *ours, const char *text)
{
	static const char *const doubts[] = {"null", "src_lds_direct", "Invalid", "only supports",
					     "not supported"};

	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++)
		if (strstr(text, doubts[i]))
			return FORM_DOUBTED;
	/* One bit for the signs of both halves of a packed sum: LLVM does not say of which. */
	if (strstr(text, "v_pk_fmac_f16_dpp") && strpbrk(text, "-|"))
		return FORM_DOUBTED;
	/* A whole number has no sign to change where there is no SDWA. */
	if (ours->generation >= GFX_GENERATION_11 && strstr(text, "sext("))
		return FORM_DOUBTED;
	if (ours->generation >= GFX_GENERATION_10 && strstr(text, ", exec_hi"))
		return FORM_EXEC_AS_OFFSET;
	if (ours->extension != GFX_EXTENSION_NONE && strstr(text, "v_movrel"))
		return FORM_RELATIVE_LANES;
	if (ours->encoding == GFX_DS &&
	    ours->words[0] & 1U << (ours->generation < GFX_GENERATION_10 ? 16 : 17))
		return FORM_GLOBAL_DATA_SHARE;
	if (strstr(text, " lds"))
		return FORM_LOAD_TO_LDS;
	if (strstr(text, " tfe"))
		return FORM_PAGES_THERE;
	if (ours->encoding == GFX_MAI && strstr(text, " src_"))
		return FORM_MATRIX_IS_ONE_NUMBER;
	/* LLVM takes a literal for the offset, for which a buffer's instruction has no room. */
	if (ours->encoding == GFX_MUBUF && strstr(text, ", 0x"))
		return FORM_DOUBTED;
	if (strstr(text, " clamp") || strstr(text, " mul:") || strstr(text, " div:"))
		return FORM_CLAMP;
	if (ours->encoding == GFX_FLAT && ours->words[0] & 1U << 12)
		return FORM_LONG_OFFSET;
	if (ours->encoding == GFX_VOP3E && ours->words[0] & 1U << 7 &&
	    ours->operation->dst == GFX_NONE)
		return FORM_MASK_NOWHERE;
	if (ours->operation->flags & GFX_SCALAR_DST && ours->dst >= GFX_CODE_ZERO)
		return FORM_MASK_NOWHERE;
	return FORM_NONE;
}

struct names {
	char name[MAX_NAMES][NAME_SIZE];
	bool met[MAX_NAMES];
	size_t count;
};

/* @listed: the target whose list it is. */
static void read_names(struct names *names, const char *listed)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/unimplemented-%s.txt", WT_DATA, listed);
	file = fopen(path, "r");
	assert_non_null(file);
	while (names->count < MAX_NAMES && fscanf(file, "%63s", names->name[names->count]) == 1)
		names->count++;
	fclose(file);
}

static bool is_listed(struct names *names, const char *mnemonic)
{
	for (size_t i = 0; i < names->count; i++) {
		if (fnmatch(names->name[i], mnemonic, 0) == 0) {
			names->met[i] = true;
			return true;
		}
	}
	return false;
}

static void cut_suffix(char *mnemonic)
{
	static const char *const suffixes[] = {"_dpp", "_e32", "_e64", "_sdwa"};

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		size_t size = strlen(suffixes[i]), length = strlen(mnemonic);

		if (length > size && strcmp(mnemonic + length - size, suffixes[i]) == 0)
			mnemonic[length - size] = 0;
	}
}

struct comparison {
	const char *target;
	const struct gfx_architecture *architecture;
	LLVMDisasmContextRef other;
	struct names names;
	bool is_relative; /* it has the tables of another */
	bool is_again;	  /* it has tables that have been compared for another target */
	size_t words, agreed, refused, unimplemented, wrong, forms[FORM_COUNT];
	/* Operations that were compared. */
	const struct gfx_operation *seen[4096];
	size_t seen_count;
};

static void note_seen(struct comparison *comparison, const struct gfx_operation *operation)
{
	for (size_t i = 0; i < comparison->seen_count; i++)
		if (comparison->seen[i] == operation)
			return;
	assert_true(comparison->seen_count < sizeof(comparison->seen) / sizeof(void *));
	comparison->seen[comparison->seen_count++] = operation;
}

static void complain(struct comparison *comparison, const uint32_t words[WORDS], const char *ours,
		     uint32_t word_count, const char *text)
{
	if (comparison->wrong++ < 20)
		print_error("%s: %08x %08x %08x: ours %s, %u words; LLVM%s\n", comparison->target,
			    words[0], words[1], words[2], ours, word_count, text);
}

static bool is_whole_encoding(enum gfx_decode_status status, const struct gfx_instruction *ours)
{
	if (status != GFX_DECODE_UNKNOWN_OPERATION || ours->generation < GFX_GENERATION_10)
		return false;
	switch (ours->encoding) {
	case GFX_MUBUF:
	case GFX_MIMG:
	case GFX_EXP:
	case GFX_LDSDIR:
	case GFX_VINTERP:
		return true;
	default:
		return false;
	}
}

#define HALF_FIELDS_0 0x7f00	 /* op_sel and abs of long forms, */
#define HALF_FIELDS_1 0xe0000000 /* and neg */

static bool has_half(const struct gfx_operation *operation)
{
	for (uint32_t i = 0; i < 3; i++)
		if (operation->src[i] == GFX_B16 || operation->src[i] == GFX_F16)
			return true;
	return operation->dst == GFX_B16 || operation->dst == GFX_F16;
}

/* Hardware takes them for all 16-bit operations from gfx11 on; LLVM 19 for some, signs of whole numbers among them. */
static bool is_half_of_ours(const struct gfx_instruction *ours)
{
	bool long_form = ours->encoding == GFX_VOP3 || ours->encoding == GFX_VOP3E;

	if (ours->generation < GFX_GENERATION_11 || !has_half(ours->operation))
		return false;
	return ours->op_sel || strcmp(ours->operation->name, "v_mov_b16") == 0 ||
	       (long_form && (ours->words[0] & HALF_FIELDS_0 || ours->words[1] & HALF_FIELDS_1));
}

/* A matrix that a wave of 64 lanes alone has registers for: LLVM thinks of one of 32 here. */
static bool is_matrix_of_long_waves(const struct gfx_instruction *ours)
{
	const struct gfx_matrix *matrix = ours->operation->matrix;
	const uint32_t codes[] = {ours->src[0], ours->src[1], ours->src[2],
				  ours->dst + (uint32_t)GFX_CODE_VGPR0};

	if (ours->encoding != GFX_MAI || ours->generation < GFX_GENERATION_11)
		return false;
	for (uint32_t i = 0; i < 4; i++)
		if (codes[i] + gfx_wave_matrix_words(matrix, ours->generation, i < 2 ? i : 2, 32) >
		    2 * GFX_CODE_VGPR0)
			return true;
	return false;
}

/* LLVM knows an instruction and we do not. */
static void compare_unknown(struct comparison *comparison, enum gfx_decode_status status,
			    const struct gfx_instruction *ours, size_t size, const char *text)
{
	char mnemonic[NAME_SIZE];
	enum form form;

	assert_int_equal(sscanf(text, " %63s", mnemonic), 1);
	cut_suffix(mnemonic);
	/* An instruction has as many words, whoever knows what it does: whoever goes through code needs that. */
	if (status == GFX_DECODE_UNKNOWN_OPERATION && size != 4U * ours->word_count &&
	    ours->encoding != GFX_MUBUF && !strstr(text, "Invalid") && !strstr(text, "v_interp"))
		complain(comparison, ours->words, "another length", ours->word_count, text);
	if (status == GFX_DECODE_UNKNOWN_OPERATION && is_listed(&comparison->names, mnemonic)) {
		comparison->unimplemented++;
		return;
	}
	form = status == GFX_DECODE_UNKNOWN_OPERAND ? form_of(ours, text)
	       : is_whole_encoding(status, ours)    ? FORM_WHOLE_ENCODING
						    : FORM_NONE;
	if (form == FORM_NONE && comparison->is_relative && status == GFX_DECODE_UNKNOWN_OPERAND)
		form = FORM_RESERVED;
	comparison->forms[form]++;
	if (form == FORM_NONE)
		complain(comparison, ours->words, "nothing", ours->word_count, text);
}

static void compare(struct comparison *comparison, uint32_t words[WORDS])
{
	char text[TEXT_SIZE] = "", name[GFX_NAME_SIZE] = "nothing", mnemonic[NAME_SIZE] = "";
	/* gfx9 knows no third word, and LLVM would take it for the next instruction's anyway. */
	size_t bytes = sizeof(uint32_t) * WORDS;
	size_t size = LLVMDisasmInstruction(comparison->other, (uint8_t *)words, bytes, 0, text,
					    sizeof(text));
	struct gfx_instruction ours;
	enum gfx_decode_status status = gfx_decode(comparison->architecture, words, WORDS, &ours);

	comparison->words++;
	if (status != GFX_DECODE_OK) {
		if (size)
			compare_unknown(comparison, status, &ours, size, text);
		else
			comparison->refused++;
		return;
	}
	if (!size && comparison->is_relative) {
		comparison->forms[FORM_RELATIVE]++;
		return;
	}
	if (!size && is_half_of_ours(&ours)) {
		comparison->forms[FORM_HALF]++;
		return;
	}
	if (!size && is_matrix_of_long_waves(&ours)) {
		comparison->forms[FORM_LONG_WAVE]++;
		return;
	}
	gfx_instruction_name(&ours, name);
	sscanf(text, " %63s", mnemonic);
	if (size != 4U * ours.word_count || strcmp(name, mnemonic) != 0) {
		complain(comparison, words, name, ours.word_count, size ? text : " nothing");
		return;
	}
	comparison->agreed++;
	note_seen(comparison, ours.operation);
}

/* Whether a word with this opcode means this row: those of a base may have been replaced. */
static bool is_reached(const struct comparison *comparison, const struct gfx_encoding_row *row,
		       size_t opcode)
{
	uint32_t words[2] = {row->value | (uint32_t)(row->opcode_first + opcode)
						  << row->opcode_shift};
	struct gfx_instruction instruction;

	gfx_decode(comparison->architecture, words, 2, &instruction);
	return instruction.operation == &row->operations[opcode];
}

static bool is_seen(const struct comparison *comparison, const struct gfx_operation *operation)
{
	for (size_t i = 0; i < comparison->seen_count; i++)
		if (comparison->seen[i] == operation)
			return true;
	print_message("%s: not met: %s\n", comparison->target, operation->name);
	return false;
}

/* Operations of the tables that were not met. */
static size_t count_unseen(const struct comparison *comparison)
{
	const struct gfx_isa *isa = gfx_isa_of(comparison->architecture);
	size_t unseen = 0;

	for (; isa; isa = isa->base) {
		for (size_t i = 0; i < isa->row_count; i++) {
			const struct gfx_encoding_row *row = &isa->rows[i];

			for (size_t j = 0; j < row->operation_count; j++)
				unseen += row->operations[j].name &&
					  is_reached(comparison, row, j) &&
					  !is_seen(comparison, &row->operations[j]);
		}
	}
	return unseen;
}

/* Whether another target with its tables has been looked at; notes that this one has. */
static bool isa_is_again(const struct gfx_isa *isa)
{
	static const struct gfx_isa *known[16];
	static size_t count;

	for (size_t i = 0; i < count; i++)
		if (known[i] == isa)
			return true;
	assert_true(count < sizeof(known) / sizeof(*known));
	known[count++] = isa;
	return false;
}

static size_t pairs_of_share(bool is_again)
{
	const size_t all = is_again ? RELATIVE_PAIRS : WORD_PAIRS;

	return test_share() > 1 ? all / 3 : all;
}

static void report(const struct comparison *comparison)
{
	print_message("%s: %zu words: %zu the same in both, %zu known to neither, %zu of %zu "
		      "operations that are not implemented\n",
		      comparison->target, comparison->words, comparison->agreed,
		      comparison->refused, comparison->unimplemented, comparison->names.count);
	for (size_t i = FORM_NONE + 1; i < FORM_COUNT; i++)
		print_message("%s: %zu %s\n", comparison->target, comparison->forms[i],
			      form_names[i]);
	for (size_t i = 0; i < comparison->names.count; i++)
		if (!comparison->names.met[i] && !comparison->is_relative && !comparison->is_again)
			print_error("%s: listed but not met: %s\n", comparison->target,
				    comparison->names.name[i]);
}

/* The same words, which are as many and the same each time, without LLVM: it has no sanitizer, and the other suite has asked it. */
static void decode_target(const char *target)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name(target);
	uint64_t state = SEED;
	struct turn turn = {.first = gfx_isa_of(architecture), .isa = gfx_isa_of(architecture)};
	size_t known = 0, pairs = pairs_of_share(isa_is_again(turn.first));

	for (size_t i = 0; i < pairs; i++) {
		struct gfx_instruction instruction;
		char name[GFX_NAME_SIZE];
		uint32_t words[WORDS];

		choose_words(&state, architecture->generation, &turn, words);
		if (gfx_decode(architecture, words, WORDS, &instruction) != GFX_DECODE_OK)
			continue;
		gfx_instruction_name(&instruction, name);
		known++;
	}
	assert_true(known > pairs / 20 * 7);
}

/* Few words have a bit that only a relative must not have. */
static void check_relative(const struct comparison *comparison)
{
	assert_int_equal(comparison->wrong, 0);
	assert_true(comparison->agreed > comparison->words / 20 * 8);
	assert_true(comparison->forms[FORM_RESERVED] < comparison->words / 10000);
}

static void check_target(const struct comparison *comparison)
{
	/* A share has fewer words, of which a few rare operations are not met by chance. */
	const size_t missed = test_share() > 1 ? 5 : 0;
	size_t unmet = 0;

	for (size_t i = 0; i < comparison->names.count; i++)
		unmet += !comparison->names.met[i];
	assert_int_equal(comparison->wrong, 0);
	assert_true(comparison->agreed >
		    comparison->words / 20 *
			    (comparison->architecture->generation >= GFX_GENERATION_10 ? 7 : 8));
	if (comparison->is_again)
		return;
	assert_in_range(unmet, 0, missed);
	assert_in_range(count_unseen(comparison), 0, missed);
}

static void compare_words(struct comparison *comparison, uint32_t words[WORDS])
{
	if (!crashes_other(comparison->architecture, words))
		compare(comparison, words);
}

/* Each opcode of our tables, with nothing else in its words and with each bit of the first one that does not belong to it. */
static void compare_opcodes(struct comparison *comparison, struct turn turn)
{
	bool goes_on = true;

	while (goes_on) {
		uint32_t bits = turn_bits(&turn), words[WORDS] = {0};

		goes_on = take_turn(&turn, &words[0]);
		compare_words(comparison, words);
		for (uint32_t bit = 1; bit; bit <<= 1) {
			uint32_t one[WORDS] = {words[0] | bit};

			if (!(bits & bit))
				compare_words(comparison, one);
		}
	}
}

static void compare_target(const char *target, const char *listed, bool is_relative)
{
	struct comparison *comparison = calloc(1, sizeof(*comparison));
	uint64_t state = SEED;
	struct turn turn = {0};
	size_t pairs;

	assert_non_null(comparison);
	comparison->target = target;
	comparison->architecture = gfx_architecture_by_name(target);
	comparison->is_relative = is_relative;
	comparison->other = LLVMCreateDisasmCPU("amdgcn-amd-amdhsa", target, NULL, 0, NULL, NULL);
	assert_non_null(comparison->other);
	turn.first = turn.isa = gfx_isa_of(comparison->architecture);
	comparison->is_again = isa_is_again(turn.first);
	read_names(&comparison->names, listed);
	if (is_relative)
		read_names(&comparison->names, "relatives");
	pairs = pairs_of_share(is_relative || comparison->is_again);
	if (!is_relative && !comparison->is_again)
		compare_opcodes(comparison, turn);
	for (size_t i = 0; i < pairs; i++) {
		uint32_t words[WORDS];

		choose_words(&state, comparison->architecture->generation, &turn, words);
		compare_words(comparison, words);
	}
	report(comparison);
	(is_relative ? check_relative : check_target)(comparison);
	LLVMDisasmDispose(comparison->other);
	free(comparison);
}

static void try_words(const char *target, const char *listed, bool is_relative)
{
	if (test_share_is_small())
		decode_target(target);
	else
		compare_target(target, listed, is_relative);
}

static void try_target(const char *target, const char *listed)
{
	try_words(target, listed, false);
}

static void test_gfx942(void **state)
{
	(void)state;
	try_target("gfx942", "gfx942");
}

static void test_gfx1030(void **state)
{
	(void)state;
	try_target("gfx1030", "gfx1030");
}

static void test_gfx1100(void **state)
{
	(void)state;
	try_target("gfx1100", "gfx1100");
}

static void test_gfx1150(void **state)
{
	(void)state;
	try_target("gfx1150", "gfx1100");
}

static void test_gfx1151(void **state)
{
	(void)state;
	try_target("gfx1151", "gfx1100");
}

static void test_gfx1152(void **state)
{
	(void)state;
	try_target("gfx1152", "gfx1100");
}

static void test_gfx1200(void **state)
{
	(void)state;
	try_target("gfx1200", "gfx1200");
}

static void test_gfx1201(void **state)
{
	(void)state;
	try_target("gfx1201", "gfx1200");
}

static void test_gfx90a(void **state)
{
	(void)state;
	try_target("gfx90a", "gfx90a");
}

static void test_relatives(void **state)
{
	(void)state;
	try_words("gfx900", "gfx90a", true);
	try_words("gfx906", "gfx90a", true);
	try_words("gfx908", "gfx90a", true);
	try_words("gfx9-generic", "gfx90a", true);
	try_words("gfx1010", "gfx1030", true);
	try_words("gfx1011", "gfx1030", true);
	try_words("gfx10-1-generic", "gfx1030", true);
}

static void test_generics(void **state)
{
	(void)state;
	try_target("gfx940", "gfx942");
	try_target("gfx10-3-generic", "gfx1030");
	try_target("gfx11-generic", "gfx1100");
	try_target("gfx12-generic", "gfx1200");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gfx942),	 cmocka_unit_test(test_gfx90a),
		cmocka_unit_test(test_gfx1030),	 cmocka_unit_test(test_gfx1100),
		cmocka_unit_test(test_gfx1150),	 cmocka_unit_test(test_gfx1151),
		cmocka_unit_test(test_gfx1152),	 cmocka_unit_test(test_gfx1200),
		cmocka_unit_test(test_gfx1201),	 cmocka_unit_test(test_relatives),
		cmocka_unit_test(test_generics),
	};

	LLVMInitializeAMDGPUTargetInfo();
	LLVMInitializeAMDGPUTargetMC();
	LLVMInitializeAMDGPUDisassembler();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
