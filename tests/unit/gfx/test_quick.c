/* SPDX-License-Identifier: MIT */
/*
 * Random programs on random states, instruction by instruction and then in one run, as plans have it: the states
 * afterwards are the same, bit for bit, and so are the faults.
 */
#include "random-state.h"

#include "gfx/isa/run.h"
#include "gfx/isa/tables.h"
#include "tests/unit/share.h"

#define PROGRAMS 4000
#define LENGTH 12 /* instructions, of up to two words */
#define ENTRIES 64
#define MODE_EXCEPTIONS 0x7f000U
#define MODE_INDEXED (1U << 27)

static uint64_t mapped;

static uint32_t random_scalar(void)
{
	static const uint32_t special[] = {VCC, EXEC, LITERAL, 102, 104, 124, 126, 108, 235, 253};
	uint32_t random = next_random();

	if (random % 3 == 0)
		return 128 + random / 3 % 81;
	if (random % 3 == 1)
		return random / 3 % 30;
	return random / 3 % 2 ? special[random / 6 % 10] : 240 + random / 6 % 9;
}

static uint32_t random_source(void)
{
	uint32_t random = next_random();

	return random % 3 ? V(random / 3 % VGPRS) : random_scalar();
}

/* The long form: registers that exist, a third source or none, and now and then modifiers. */
static void choose_long(uint32_t words[2])
{
	uint32_t random = next_random();
	uint32_t signs = random % 4 ? 0 : random / 4 % 8, sizes = random % 5 ? 0 : random / 8 % 8;

	words[0] &= 0xffff0000;
	words[0] |= random >> 8 & (VGPRS - 1);
	words[0] |= random >> 16 & 1 ? sizes << 8 : (random >> 20 & 30) << 8;
	if ((random >> 17) % 8 == 0)
		words[0] |= 0x8000;
	words[1] = random_source() | random_source() << 9 |
		   (random & 0x20000000 ? random_source() << 18 : 0) | signs << 29;
	if (words[0] >> 23 == 0x1a7)
		words[0] = (words[0] & 0xffff00ff) | (random >> 18 & 3 ? 0x4000 : sizes << 11);
	if (words[0] >> 23 == 0x1a7 && random >> 18 & 3)
		words[1] = (words[1] & 0xe7ffffff) | 0x18000000;
}

static const uint32_t dpp_controls[] = {0x00,  0x1b,  0x4e,  0xd8,  0x101, 0x10f, 0x118, 0x124,
					0x130, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143, 0x153};

static void choose_short(uint32_t words[2])
{
	uint32_t random = next_random();

	words[0] = (words[0] & 0xfffffe00) | (random % 8 ? random_source() : 0xf9 + random / 8 % 2);
	words[1] = next_random();
	if ((words[0] & 0x1ff) == 0xf9)
		words[1] = (words[1] & 0x0606061f) | 0x06060600;
	if ((words[0] & 0x1ff) == 0xfa)
		words[1] = (words[1] & 0x0f0800ff & ~0xe0U) | 0xf0000000 |
			   dpp_controls[random >> 9 & 15] << 8;
	/* Registers that exist, in the other two fields. */
	words[0] &= words[0] >> 25 == 0x3e ? ~0x1c000U : ~0x1c1c000U;
}

static void choose_scalar(uint32_t words[2])
{
	uint32_t random = next_random();

	if (words[0] >> 28 != 11)
		words[0] = (words[0] & 0xffff0000) | random_scalar() | random_scalar() << 8;
	if (words[0] >> 23 == 0x17d)
		words[0] = 0xbe800000 | (random & 63) << 8 | random_scalar();
	if (words[0] >> 23 != 0x17e && words[0] >> 23 != 0x17f && random >> 8 & 3)
		words[0] = (words[0] & 0xff80ffff) | (random >> 10 & 30) << 16;
}

/* Of the registers that fill_state() has put addresses into, and offsets that are now and then too large. */
static void choose_access(uint32_t words[2])
{
	/* Never to v4 and v5 themselves. */
	uint32_t random = next_random(), registers = (random & 0x1f) | (random >> 5 & 0x1f) << 8;
	bool lds = words[0] >> 26 == 0x36;

	if (random >> 10 & 7)
		words[0] &= lds ? ~0xffe7U : ~0x1fe7U;
	words[1] = (random >> 13 & 0x17) << 24 | 0x8000000 | (registers << 8 & 0x1f1f00);
	if (lds)
		words[1] |= random >> 18 & 7 ? 6 : 4;
	else if (random >> 18 & 1)
		words[1] = (words[1] & 0xff00ff00) | 0x7f0000 | 4;
	else
		words[1] = (words[1] & 0xff00ff00) | 0x080000 | 6;
	/* Private memory: a register or none. */
	if (words[0] >> 26 == 0x37 && (words[0] >> 14 & 3) == 1 && random >> 19 & 3)
		words[1] = (words[1] & 0xff00ff00) | 0x7f0000 | (words[0] & 0x2000 ? 6 : 0);
}

/* One that is likely to be legal. Without privilege and without leaving the program. */
static uint32_t choose(uint32_t words[2])
{
	choose_words(words);
	if (words[0] >> 26 == 0x34)
		choose_long(words);
	else if (words[0] >> 31 == 0)
		choose_short(words);
	else if (words[0] >> 30 == 2)
		choose_scalar(words);
	if (words[0] >> 23 == 0x17f)
		words[0] = (words[0] & 0xffff0000) | next_random() % 3;
	if ((words[0] >> 26 == 0x36 || words[0] >> 26 == 0x37) && next_random() % 8)
		choose_access(words);
	return words[0] >> 30 == 3 ? 2 : 1;
}

/* The address in v4 and v5 of each lane: mostly of global memory, one behind the other, apart, or the same. */
static void aim(struct fixture *fixture)
{
	uint32_t random = next_random(), stride = 4 * (random & 3);
	uint32_t unit = random & 0x30 ? 8 : 1; /* atomics want whole ones */
	uint64_t base = random & 4 ? DATA_BASE : READ_ONLY_BASE;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint64_t address = base + (random & 8 ? lane * stride : next_random() % 256 * unit);

		vgpr(fixture, 4)[lane] = (uint32_t)address;
		vgpr(fixture, 5)[lane] = (uint32_t)(address >> 32);
	}
	/* A lane is as far away as 32 bits do not tell, or before the first byte of LDS. */
	if (random & 0x700)
		return;
	vgpr(fixture, 5)[random >> 11 & 63] += random >> 17 & 1;
	vgpr(fixture, 6)[random >> 18 & 63] -= 0x100 * (random >> 24 & 1);
}

/* Numbers of which few operations make a NaN, and then in few lanes. */
static void tame(struct fixture *fixture)
{
	for (uint32_t i = 0; i < VGPRS * GFX_MAX_LANES; i++)
		fixture->vgprs[i] = 0x3f000000 + next_random() % 0x1000000;
	for (uint32_t i = 0; i < VGPRS; i += 4)
		vgpr(fixture, i + next_random() % 4)[next_random() % GFX_MAX_LANES] =
			next_random() & 1 ? 0x7f800000 : 0xff800000;
}

/* The long form of an operation that has a loop of its own (quick-fused.c), by its opcode; packed ones from 0x380 on. */
static void choose_fused(uint32_t words[2])
{
	static const uint32_t opcodes[] = {
		257, 258, 259, 261, 256, 268,	269,   270,   271,   272,   273,   274,
		275, 276, 277, 308, 309, 310,	459,   509,   512,   513,   514,   511,
		520, 645, 321, 376, 363, 0x3b0, 0x3b1, 0x3b2, 0x3b0, 0x3b1, 0x3b2,
	};

	words[0] = 0xd0000000 | opcodes[next_random() % (sizeof(opcodes) / sizeof(*opcodes))] << 16;
	choose_long(words);
	/* Without absolute values and halves, which most of them do not have; some with clamp. */
	if (words[0] >> 23 != 0x1a7 && next_random() % 4)
		words[0] = (words[0] & 0xffff00ff) | (next_random() % 4 ? 0 : 0x8000);
}

/* Half of the programs do little but access memory. */
static void choose_program(struct fixture *fixture)
{
	uint32_t words[2] = {0, 0}, at = 0;
	bool accesses = next_random() % 2;
	struct gfx_instruction instruction;

	if (accesses && next_random() % 4)
		aim(fixture);
	else if (next_random() % 2)
		tame(fixture);
	while (at + 2 <= 2 * LENGTH) {
		if (!accesses && next_random() % 2)
			choose_fused(words);
		else
			(void)choose(words);
		if (accesses && words[0] >> 26 != 0x36 && words[0] >> 26 != 0x37 &&
		    next_random() % 16)
			continue;
		if (gfx_decode(fixture->wave.architecture, words, 2, &instruction) != GFX_DECODE_OK)
			continue;
		memcpy(fixture->code + at, words, 4 * (size_t)instruction.word_count);
		at += instruction.word_count;
	}
	for (; at < CODE_WORDS; at++)
		fixture->code[at] = SOPP(0U, 0U);
}

/* As the fixture's callbacks have it. */
static uint8_t *map(void *opaque, uint64_t address, uint64_t size, bool write)
{
	struct fixture *fixture = opaque;
	uint64_t base = !write && address >= READ_ONLY_BASE ? READ_ONLY_BASE : DATA_BASE;

	if (address < base || address - base >= DATA_SIZE || size > DATA_SIZE - (address - base))
		return NULL;
	mapped++;
	return fixture->data + (address - base);
}

static void choose_mode(struct fixture *fixture)
{
	uint32_t random = next_random();

	if (random % 4)
		fixture->wave.mode = MODE_DEFAULT;
	if (random % 32 == 1)
		fixture->wave.mode |= random >> 5 & MODE_EXCEPTIONS;
	if (random % 32 == 2)
		fixture->wave.mode |= MODE_INDEXED;
	if (random / 32 % 8 == 0)
		fixture->wave.exec = 0;
	fixture->wave.pc = CODE_BASE;
	fixture->wave.status = random >> 8 & 1;
	fixture->wave.instruction_count = random;
}

/* What gfx_wave_run() would do, one step after the other. Return: how many were begun. */
static uint64_t step_through(struct fixture *fixture, enum gfx_step *step_ret)
{
	uint64_t done = 0;

	do {
		*step_ret = gfx_wave_step(&fixture->wave, &fixture->memory, &fixture->fault);
		done++;
	} while (*step_ret == GFX_STEP_DONE && done < LENGTH);
	return done;
}

/* It returns early where exceptions are enabled. */
static uint64_t run_through(struct fixture *fixture, struct gfx_code *code, enum gfx_step *step_ret)
{
	uint64_t done = 0, count;

	do {
		*step_ret = gfx_wave_run(&fixture->wave, &fixture->memory, code, LENGTH - done,
					 &fixture->fault, &count);
		done += count;
	} while (*step_ret == GFX_STEP_DONE && done < LENGTH);
	return done;
}

static void expect_same_fault(const struct gfx_fault *a, const struct gfx_fault *b)
{
	assert_int_equal(a->trap_id, b->trap_id);
	assert_memory_equal(a->words, b->words, sizeof(a->words));
	assert_int_equal(a->word_count, b->word_count);
	assert_int_equal(a->lanes, b->lanes);
	assert_int_equal(a->address, b->address);
	assert_int_equal(a->write, b->write);
	assert_int_equal(a->not_implemented, b->not_implemented);
	assert_string_equal(a->reason, b->reason);
}

static void expect_equal(const struct fixture *expected, const struct fixture *found)
{
	if (expected->wave.trapsts != found->wave.trapsts ||
	    expected->wave.instruction_count != found->wave.instruction_count ||
	    expected->wave.flat_scratch != found->wave.flat_scratch ||
	    expected->wave.xnack_mask != found->wave.xnack_mask ||
	    memcmp(expected->wave.ttmps, found->wave.ttmps, sizeof(found->wave.ttmps)) != 0)
		fail_msg("the registers differ");
	for (uint32_t i = 0; i < VGPRS * GFX_MAX_LANES; i++)
		if (expected->vgprs[i] != found->vgprs[i])
			fail_msg("v%u[%u]: %08x in place of %08x in the program %08x %08x...",
				 i / GFX_MAX_LANES, i % GFX_MAX_LANES, found->vgprs[i],
				 expected->vgprs[i], found->code[0], found->code[1]);
	expect_same(expected, found, found->code);
}

static void try_program(const struct fixture *fixture, struct fixture *expected,
			struct fixture *found, struct gfx_code *code, uint64_t *executed)
{
	enum gfx_step expected_step, step;
	uint64_t count;

	copy_fixture(expected, fixture);
	count = step_through(expected, &expected_step);
	*executed += count;
	copy_fixture(found, fixture);
	gfx_code_clear(code);
	assert_int_equal(run_through(found, code, &step), count);
	assert_int_equal(step, expected_step);
	expect_equal(expected, found);
	if (step != GFX_STEP_DONE)
		expect_same_fault(&expected->fault, &found->fault);
}

static void test_programs(void **state)
{
	struct fixture *fixture = *state, *expected = calloc(1, sizeof(*expected));
	struct fixture *found = calloc(1, sizeof(*found));
	struct gfx_decoded *entries = calloc(ENTRIES, sizeof(*entries));
	struct gfx_code code = {entries, ENTRIES};
	uint32_t programs = (uint32_t)(PROGRAMS / test_share());
	uint64_t executed = 0;

	assert_true(expected && found && entries);
	start_random(UINT64_C(0x9e3779b97f4a7c15));
	fixture->memory.map = map;
	for (uint32_t i = 0; i < programs; i++) {
		fill_state(fixture);
		choose_mode(fixture);
		choose_program(fixture);
		try_program(fixture, expected, found, &code, &executed);
	}
	free(expected);
	free(found);
	free(entries);
	assert_true(executed > 4 * (uint64_t)programs);
	assert_true(mapped > programs / 4);
}

#define ROWS_TRIED 4000

/* A descriptor as private memory has it, in s[4:7]: one in eight is another one, or has too few records. */
static void describe_private(struct fixture *fixture)
{
	uint32_t *words = fixture->wave.sgprs + 4, random = next_random();
	bool odd = random % 8 == 0;

	words[0] = (uint32_t)DATA_BASE + (random & 0x100 ? 0 : random >> 9 & 3);
	words[1] = (uint32_t)(DATA_BASE >> 32) | 1U << 31 | (random >> 3 & 1) << 16;
	words[2] = odd ? random >> 4 & 0x1ff : DATA_SIZE;
	words[3] = (odd ? random >> 16 & 3 : 3U) << 21 | (odd ? random >> 20 & 1 : 1U) << 23;
	fixture->wave.sgprs[32] = random >> 24 & 7 ? (random >> 27) * 64 : next_random();
}

/* buffer_load or buffer_store of 1 to 16 bytes, by no register, s32 and an offset. */
static void choose_row(uint32_t words[2])
{
	static const uint32_t operations[] = {16, 17, 18, 19, 20, 21, 22,
					      23, 24, 26, 28, 29, 30, 31};
	uint32_t random = next_random();
	uint32_t offset = random & 3 ? (random >> 2 & 15) * 4 : random >> 2 & 127;

	words[0] = 0xe0000000 | operations[(random >> 10) % 14] << 18 | offset;
	words[1] = 32U << 24 | 1U << 16 | (random >> 20 & 7) << 8;
}

/* Loads and stores of private memory by a buffer's descriptor: the same as step by step. */
static void test_private_rows(void **state)
{
	struct fixture *fixture = *state, *expected = calloc(1, sizeof(*expected));
	struct fixture *found = calloc(1, sizeof(*found));
	struct gfx_decoded *entries = calloc(ENTRIES, sizeof(*entries));
	struct gfx_code code = {entries, ENTRIES};
	uint64_t executed = 0;

	assert_true(expected && found && entries);
	start_random(UINT64_C(0x243f6a8885a308d3));
	fixture->memory.map = map;
	mapped = 0;
	for (uint32_t i = 0; i < ROWS_TRIED; i++) {
		fill_state(fixture);
		fixture->wave.mode = MODE_DEFAULT;
		fixture->wave.pc = CODE_BASE;
		describe_private(fixture);
		for (uint32_t at = 0; at < CODE_WORDS; at += 2)
			choose_row(fixture->code + at);
		try_program(fixture, expected, found, &code, &executed);
	}
	free(expected);
	free(found);
	free(entries);
	assert_true(mapped > ROWS_TRIED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_programs, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_private_rows, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
