/* SPDX-License-Identifier: MIT */
/*
 * Decoding: random words through our tables and through llvm-mc must give the same mnemonics and
 * lengths. Where llvm-mc is not found that test is skipped; the others need nothing.
 */
#include "fixture.h"

#include <stdio.h>
#include <unistd.h>

#include "gfx/isa/decode.h"
#include "gfx/isa/tables.h"

#define WORD_PAIRS 40000
#define LINE_SIZE 512

struct sample {
	uint32_t words[2];
	enum gfx_decode_status status;
	uint32_t word_count;
	const struct gfx_operation *operation;
	char name[GFX_NAME_SIZE];
	/* What llvm-mc says: rejected if it knows no instruction here, else how many it saw in the
	 * words that are one for us, and if something was left over. */
	bool rejected, left_over;
	uint32_t other_count;
	char other[64];
};

static uint32_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)(*state >> 16);
}

/* Even, as pairs of registers must be; a VGPR, an SGPR or a small constant. */
static uint32_t random_source(uint64_t *state)
{
	uint32_t random = next_random(state), number = random >> 8 & 0x1e;

	return random & 1 ? V(number) : random & 2 ? S(number) : INLINE((int32_t)number);
}

static uint32_t source_or_none(uint64_t *state, const struct gfx_operation *operation,
			       uint32_t index)
{
	uint32_t type = operation->src[index];

	if (type == GFX_NONE)
		return 0;
	return type == GFX_MASK ? S(next_random(state) & 0x1e) : random_source(state);
}

/* Words that should be legal: fields the operation does not use are zero, registers are even. */
static void fill_long(uint64_t *state, const struct gfx_operation *operation, uint32_t words[2])
{
	words[0] |= next_random(state) & 0x1e;
	if (operation->flags & GFX_CARRY_OUT)
		words[0] |= (next_random(state) & 0x1e) << 8;
	words[1] = source_or_none(state, operation, 0) | source_or_none(state, operation, 1) << 9 |
		   source_or_none(state, operation, 2) << 18;
}

/* Matrices are in vector registers, the third one may be a constant. */
static void fill_matrix(uint64_t *state, uint32_t words[2])
{
	uint32_t random = next_random(state);

	words[0] |= random & 0x7f1e;
	words[1] = V(random >> 16 & 0x1e) | V(random >> 20 & 0x1e) << 9 |
		   (random >> 31 ? V(random & 0x1e) : INLINE((int32_t)(random & 0x1e))) << 18;
	words[1] |= next_random(state) & 3 << 27;
}

static void fill_memory(uint64_t *state, uint32_t words[2])
{
	static const uint32_t masks[] = {0x1e7f1e1e, 0x1e001e1e, 0x1e1e1e1e, 0x00001e1e,
					 0x1e00001e, 0x0000001e, 0x1e000000, 0x007f1e1e,
					 0x1e7f001e, 0x007f001e, 0};
	uint32_t mask = masks[next_random(state) % (sizeof(masks) / sizeof(masks[0]))];

	words[0] |= mask ? next_random(state) & 0x1fff : 0;
	words[1] = next_random(state) & mask;
	if (mask & 0x7f0000 && (mask & 0x7f0000) == 0x7f0000)
		words[1] |= 0x7f0000;
}

static void fill_short(uint64_t *state, const struct gfx_encoding_row *row, uint32_t words[2])
{
	uint32_t free = ~(row->mask | row->opcode_mask << row->opcode_shift);

	words[1] = 0;
	if (next_random(state) % 4 == 0)
		return;
	words[0] |= next_random(state) & free;
	if (next_random(state) & 1)
		words[0] &= ~0x01010101U | (row->value | row->opcode_mask << row->opcode_shift);
	words[1] = next_random(state);
}

/* Sample @number takes the operations of all tables in turn, and every 16th any opcode at all. */
static const struct gfx_encoding_row *choose_row(uint64_t *state, size_t number,
						 uint32_t *opcode_ret)
{
	const struct gfx_encoding_row *row;
	static size_t row_index, opcode;

	if (number == 0)
		row_index = opcode = 0;
	if (number % 16 == 0) {
		row = &gfx942_encodings[next_random(state) % GFX942_ENCODING_COUNT];
		*opcode_ret = next_random(state) % row->opcode_count;
		return row;
	}
	do {
		row = &gfx942_encodings[row_index];
		*opcode_ret = (uint32_t)opcode++;
		if (opcode >= row->operation_count) {
			opcode = 0;
			row_index = (row_index + 1) % GFX942_ENCODING_COUNT;
		}
	} while (*opcode_ret >= row->operation_count || !row->operations[*opcode_ret].name);
	return row;
}

/* Every fourth time all bits that do not choose the operation are random. */
static void choose_words(uint64_t *state, size_t number, uint32_t words[2])
{
	uint32_t opcode;
	const struct gfx_encoding_row *row = choose_row(state, number, &opcode);
	const struct gfx_operation *operation =
		opcode < row->operation_count ? &row->operations[opcode] : NULL;

	words[0] = row->value | (row->opcode_first + opcode) << row->opcode_shift;
	if (row->word_count == 1 || !operation || next_random(state) % 4 == 0)
		fill_short(state, row, words);
	else if (row->encoding == GFX_VOP3 || row->encoding == GFX_VOP3E ||
		 row->encoding == GFX_VOP3P)
		fill_long(state, operation, words);
	else if (row->encoding == GFX_MAI)
		fill_matrix(state, words);
	else
		fill_memory(state, words);
	if (operation && operation->flags & GFX_GLOBAL_SYNC)
		words[0] |= 1u << 16;
}

/* llvm-mc 19 does not survive v_ldexp_f16 with SDWA, nor reserved selectors there. */
static bool crashes_other(const uint32_t words[2])
{
	bool sdwa = words[0] >> 31 == 0 && (words[0] & 0x1ff) == GFX_CODE_SDWA;

	return sdwa &&
	       (words[0] >> 25 == 51 || (words[1] >> 8 & 7) == 7 || (words[1] >> 16 & 7) == 7 ||
		(words[1] >> 24 & 7) == 7 || (words[1] >> 11 & 3) == 3);
}

static void decode_sample(struct sample *sample)
{
	struct gfx_instruction instruction;

	sample->status =
		gfx_decode(gfx_architecture_by_name("gfx942"), sample->words, 2, &instruction);
	sample->word_count = instruction.word_count;
	sample->operation = instruction.operation;
	if (sample->status == GFX_DECODE_OK)
		gfx_instruction_name(&instruction, sample->name);
}

static struct sample *make_samples(size_t count)
{
	struct sample *samples = calloc(count, sizeof(*samples));
	uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

	assert_non_null(samples);
	for (size_t i = 0; i < count; i++) {
		do
			choose_words(&state, i, samples[i].words);
		while (crashes_other(samples[i].words));
		decode_sample(&samples[i]);
	}
	return samples;
}

static void print_bytes(FILE *file, const uint32_t words[2], uint32_t word_count)
{
	for (uint32_t i = 0; i < 4 * word_count; i++)
		fprintf(file, "0x%02x ", words[i / 4] >> i % 4 * 8 & 255);
	fputc('\n', file);
}

/* Before each sample a move of its number, so that its output can be told apart. */
static void write_input(const char *path, const struct sample *samples, size_t count)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	for (size_t i = 0; i < count; i++) {
		const struct sample *sample = &samples[i];

		print_bytes(file, (const uint32_t[]){SOP1(0, 0, LITERAL), (uint32_t)i + 0x10000},
			    2);
		print_bytes(file, sample->words,
			    sample->status == GFX_DECODE_OK ? sample->word_count : 2);
	}
	assert_int_equal(fclose(file), 0);
}

/* What follows a number is its sample's, if its first byte was not complained about. */
static void read_output(const char *path, struct sample *samples, size_t count)
{
	FILE *file = fopen(path, "r");
	struct sample *current = NULL;
	char line[LINE_SIZE];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		unsigned int number;

		if (sscanf(line, " s_mov_b32 s0, 0x%x", &number) == 1 && number >= 0x10000 &&
		    number - 0x10000 < count) {
			current = &samples[number - 0x10000];
		} else if (current) {
			if (current->other_count++ == 0)
				assert_int_equal(sscanf(line, " %63s", current->other), 1);
		}
	}
	fclose(file);
}

static void read_complaints(const char *path, struct sample *samples, size_t count)
{
	FILE *file = fopen(path, "r");
	char line[LINE_SIZE];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		unsigned int number, column;

		if (sscanf(line, "<stdin>:%u:%u: warning", &number, &column) != 2 || number % 2 ||
		    number / 2 - 1 >= count)
			continue;
		if (column == 1)
			samples[number / 2 - 1].rejected = true;
		else
			samples[number / 2 - 1].left_over = true;
	}
	fclose(file);
}

static bool ask_other(const char *program, struct sample *samples, size_t count)
{
	char folder[] = "/tmp/gfx-decode-XXXXXX", input[64], output[64], errors[64], command[512];
	bool ran;

	assert_non_null(mkdtemp(folder));
	snprintf(input, sizeof(input), "%s/in", folder);
	snprintf(output, sizeof(output), "%s/out", folder);
	snprintf(errors, sizeof(errors), "%s/err", folder);
	write_input(input, samples, count);
	snprintf(command, sizeof(command),
		 "'%s' -arch=amdgcn -mcpu=gfx942 -disassemble <%s >%s 2>%s", program, input, output,
		 errors);
	ran = system(command) == 0;
	if (ran) {
		read_output(output, samples, count);
		read_complaints(errors, samples, count);
	}
	unlink(input);
	unlink(output);
	unlink(errors);
	rmdir(folder);
	return ran;
}

/* The sets of instructions need not be equal: ours is a part, and takes some reserved fields. */
static bool agrees(const struct sample *sample)
{
	if (sample->rejected || !sample->other[0])
		return true;
	if (sample->status != GFX_DECODE_OK)
		return sample->status == GFX_DECODE_UNKNOWN_OPERATION ||
		       sample->status == GFX_DECODE_UNKNOWN_OPERAND;
	return strcmp(sample->name, sample->other) == 0 && sample->other_count == 1 &&
	       !sample->left_over;
}

static bool was_compared(const struct sample *sample)
{
	return sample->status == GFX_DECODE_OK && !sample->rejected && sample->other[0];
}

static bool is_covered(const struct gfx_operation *operation, const struct sample *samples)
{
	for (size_t i = 0; i < WORD_PAIRS; i++)
		if (samples[i].operation == operation && was_compared(&samples[i]))
			return true;
	return false;
}

/* Operations of the tables that no comparison reached. */
static size_t count_uncovered(const struct sample *samples)
{
	size_t uncovered = 0;

	for (size_t i = 0; i < GFX942_ENCODING_COUNT; i++) {
		const struct gfx_encoding_row *row = &gfx942_encodings[i];

		for (size_t j = 0; j < row->operation_count; j++) {
			if (!row->operations[j].name || is_covered(&row->operations[j], samples))
				continue;
			print_message("not compared: %s\n", row->operations[j].name);
			uncovered++;
		}
	}
	return uncovered;
}

static void test_against_llvm(void **state)
{
	size_t wrong = 0, uncovered;
	struct sample *samples;

	(void)state;
#ifndef LLVM_MC
	skip();
#else
	samples = make_samples(WORD_PAIRS);
	assert_true(ask_other(LLVM_MC, samples, WORD_PAIRS));
	for (size_t i = 0; i < WORD_PAIRS; i++) {
		const struct sample *sample = &samples[i];

		if (agrees(sample))
			continue;
		wrong++;
		print_error("%08x %08x: ours '%s' %u words status %d, llvm-mc '%s' %u of them\n",
			    sample->words[0], sample->words[1], sample->name, sample->word_count,
			    (int)sample->status, sample->other, sample->other_count);
	}
	uncovered = count_uncovered(samples);
	free(samples);
	assert_int_equal(wrong, 0);
	assert_int_equal(uncovered, 0);
#endif
}

static void test_truncated(void **state)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name("gfx942");
	const uint32_t literal = SOP2(0, 0, S(1), LITERAL), two[] = {VOP3(645, 0, V(0), V(1), 0)};
	struct gfx_instruction instruction;

	(void)state;
	assert_int_equal(gfx_decode(architecture, &literal, 1, &instruction), GFX_DECODE_TRUNCATED);
	assert_int_equal(instruction.word_count, 2);
	assert_int_equal(gfx_decode(architecture, two, 1, &instruction), GFX_DECODE_TRUNCATED);
	assert_int_equal(gfx_decode(architecture, two, 0, &instruction), GFX_DECODE_TRUNCATED);
	assert_int_equal(gfx_decode(architecture, two, 2, &instruction), GFX_DECODE_OK);
}

static void test_unknown(void **state)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name("gfx942");
	const uint32_t encoding[] = {0xf8000000, 0}, operation[] = {SOP2(60U, 0, 0, 0), 0};
	const uint32_t operand[] = {SOP2(0, 0, 0, 254U), 0};
	struct gfx_instruction instruction;

	(void)state;
	assert_int_equal(gfx_decode(architecture, encoding, 2, &instruction),
			 GFX_DECODE_UNKNOWN_ENCODING);
	assert_int_equal(gfx_decode(architecture, operation, 2, &instruction),
			 GFX_DECODE_UNKNOWN_OPERATION);
	assert_int_equal(gfx_decode(architecture, operand, 2, &instruction),
			 GFX_DECODE_UNKNOWN_OPERAND);
	assert_int_equal(gfx_decode(gfx_architecture_by_name("gfx1250"), operand, 2, &instruction),
			 GFX_DECODE_UNKNOWN_ENCODING);
}

/* A literal or a choice of lanes behind a long form is a third word, and those of two operations at once. */
static void test_three_words(void **state)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name("gfx1100");
	/* v_fma_f32, v_add_f32; v_dual_mov_b32 v2, v1 :: v_dual_fmaak_f32 v3, v4, v5, 0x3f9d70a4 */
	const uint32_t literal[] = {0xd6130000, 0x040a02ff, 0x12345678};
	const uint32_t lanes[] = {0xd5030005, 0x000204fa, 0xff010101};
	const uint32_t dual[] = {0xca020101, 0x02020b04, 0x3f9d70a4};
	struct gfx_instruction instruction;
	char name[GFX_NAME_SIZE];

	(void)state;
	assert_int_equal(gfx_decode(architecture, literal, 2, &instruction), GFX_DECODE_TRUNCATED);
	assert_int_equal(instruction.word_count, 3);
	assert_int_equal(gfx_decode(architecture, literal, 3, &instruction), GFX_DECODE_OK);
	assert_int_equal(instruction.literal, 0x12345678);
	assert_int_equal(gfx_decode(architecture, lanes, 3, &instruction), GFX_DECODE_OK);
	assert_int_equal(instruction.word_count, 3);
	assert_int_equal(instruction.src[0], GFX_CODE_VGPR0 + 1);
	gfx_instruction_name(&instruction, name);
	assert_string_equal(name, "v_add_f32_e64_dpp");
	assert_int_equal(gfx_decode(architecture, dual, 3, &instruction), GFX_DECODE_OK);
	assert_int_equal(instruction.word_count, 3);
	assert_string_equal(instruction.operation->name, "v_dual_mov_b32");
	assert_string_equal(instruction.second->name, "v_dual_fmaak_f32");
	assert_int_equal(instruction.dst, 2);
	assert_int_equal(instruction.second_dst, 3);
	assert_int_equal(instruction.second_src[2], GFX_CODE_LITERAL);
	assert_int_equal(instruction.literal, 0x3f9d70a4);
}

static void test_names(void **state)
{
	static const struct {
		uint32_t words[2];
		const char *name;
	} cases[] = {
		{{VOP2(52U, 1U, V(2), 3U), 0}, "v_add_u32_e32"},
		{{VOP3(0x134U, 1U, V(2), V(3), 0U)}, "v_add_u32_e64"},
		{{VOP2(52U, 1U, 0xfaU, 3U), 0xff080111}, "v_add_u32_dpp"},
		{{VOP2(52U, 1U, 0xf9U, 3U), 0x06060602}, "v_add_u32_sdwa"},
		{{VOP3(511U, 1U, V(2), V(3), V(4))}, "v_add3_u32"},
		{{VOP1(2U, 1U, V(0)), 0}, "v_readfirstlane_b32"},
		{{VOP2(23U, 1U, V(2), 3U), 0}, "v_fmamk_f32"},
		{{SOPP(1U, 0), 0}, "s_endpgm"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gfx_instruction instruction;
		char name[GFX_NAME_SIZE];

		assert_int_equal(gfx_decode(gfx_architecture_by_name("gfx942"), cases[i].words, 2,
					    &instruction),
				 GFX_DECODE_OK);
		gfx_instruction_name(&instruction, name);
		assert_string_equal(name, cases[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_llvm), cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_unknown),	     cmocka_unit_test(test_three_words),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
