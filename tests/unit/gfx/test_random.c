/* SPDX-License-Identifier: MIT */
/*
 * Random instructions on random states. Whatever they are: a step that fails has changed nothing,
 * the same state gives the same next state, lanes that are off keep their vector registers, and no
 * step leaves the arrays it was given (which the sanitizers would tell).
 */
#include "random-state.h"

#include "gfx/isa/tables.h"

#define ROUNDS 60000

static bool advances(enum gfx_step step)
{
	return step == GFX_STEP_DONE || step == GFX_STEP_BARRIER || step == GFX_STEP_GLOBAL_SYNC ||
	       step == GFX_STEP_END || step == GFX_STEP_HALT;
}

/* v_writelane_b32 writes one lane, and matrices are written whole. */
static bool writes_where_off(const uint32_t *words)
{
	uint32_t opcode = words[0] >> 16 & 0x7f;
	bool matrix = opcode - GFX_MATRIX_LOW_FIRST < GFX_MATRIX_LOW_COUNT ||
		      opcode - GFX_MATRIX_HIGH_FIRST < GFX_MATRIX_HIGH_COUNT;

	return words[0] >> 16 == 0xd28a || (words[0] >> 23 == 0x1a7 && matrix);
}

static void expect_inactive_kept(const struct fixture *before, const struct fixture *after,
				 const uint32_t *words)
{
	if (writes_where_off(words))
		return;
	for (uint32_t i = 0; i < VGPRS * GFX_MAX_LANES; i++)
		if (!(before->wave.exec >> i % GFX_MAX_LANES & 1) &&
		    before->vgprs[i] != after->vgprs[i])
			fail_msg("%08x %08x: lane %u is off and was written", words[0], words[1],
				 i % GFX_MAX_LANES);
}

static void test_random_steps(void **state)
{
	struct fixture *fixture = *state, *before = NULL, *again = NULL;
	uint32_t done = 0, failed = 0;

	before = calloc(1, sizeof(*before));
	again = calloc(1, sizeof(*again));
	assert_true(before && again);
	start_random(UINT64_C(0x2545f4914f6cdd1d));
	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t words[2];
		enum gfx_step step;

		if (round % 16 == 0)
			fill_state(fixture);
		choose_words(words);
		memcpy(fixture->code, words, sizeof(words));
		fixture->wave.pc = CODE_BASE;
		copy_fixture(before, fixture);
		copy_fixture(again, fixture);
		step = fixture_step(fixture, words, 2);
		assert_int_equal(fixture_step(again, words, 2), step);
		expect_same(fixture, again, words);
		if (advances(step)) {
			expect_inactive_kept(before, fixture, words);
			done++;
			continue;
		}
		expect_same(fixture, before, words);
		assert_true(fixture->fault.reason && fixture->fault.reason[0]);
		failed += step == GFX_STEP_MEMORY_VIOLATION || step == GFX_STEP_ADDRESS_ERROR;
	}
	free(before);
	free(again);
	assert_true(done > ROUNDS / 8);
	assert_true(failed > ROUNDS / 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_random_steps, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
