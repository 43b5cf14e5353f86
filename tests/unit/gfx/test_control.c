/* SPDX-License-Identifier: MIT */
/* Control flow, exec masks, and every way in which a step can end. */
#include "fixture.h"
#include "gfx/isa/decode.h"
#include "gfx/isa/run.h"

static void test_branches(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;

	assert_int_equal(STEP(fixture, SOPP(2U, 5)), GFX_STEP_DONE);
	assert_int_equal(wave->pc, CODE_BASE + 4 + 20);
	assert_int_equal(STEP(fixture, SOPP(2U, -1)), GFX_STEP_DONE);
	assert_int_equal(wave->pc, CODE_BASE);
	wave->status &= ~1U;
	assert_int_equal(STEP(fixture, SOPP(4U, 3)), GFX_STEP_DONE); /* s_cbranch_scc0 */
	assert_int_equal(wave->pc, CODE_BASE + 16);
	RUN(fixture, SOPP(5U, 3));
	wave->vcc = 0;
	assert_int_equal(STEP(fixture, SOPP(6U, 3)), GFX_STEP_DONE); /* s_cbranch_vccz */
	assert_int_equal(wave->pc, CODE_BASE + 16);
	RUN(fixture, SOPP(7U, 3));
	RUN(fixture, SOPP(8U, 3)); /* s_cbranch_execz */
	assert_int_equal(STEP(fixture, SOPP(9U, 3)), GFX_STEP_DONE);
	assert_int_equal(wave->pc, CODE_BASE + 16);
}

static void test_calls(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;

	assert_int_equal(STEP(fixture, SOPK(21U, 30U, 4)), GFX_STEP_DONE); /* s_call_b64 */
	assert_int_equal(wave->pc, CODE_BASE + 4 + 16);
	assert_int_equal(wave->sgprs[30], CODE_BASE + 4);
	assert_int_equal(STEP(fixture, SOP1(29U, 0U, S(30))), GFX_STEP_DONE); /* s_setpc_b64 */
	assert_int_equal(wave->pc, CODE_BASE + 4);
	RUN(fixture, SOP1(28U, 10U, 0U)); /* s_getpc_b64 */
	assert_int_equal(wave->sgprs[10], CODE_BASE + 4);
	wave->sgprs[30] = CODE_BASE + 40;
	assert_int_equal(STEP(fixture, SOP1(30U, 30U, S(30))), GFX_STEP_DONE); /* s_swappc_b64 */
	assert_int_equal(wave->pc, CODE_BASE + 40);
	assert_int_equal(wave->sgprs[30], CODE_BASE + 4);
}

static void test_saveexec(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;

	wave->exec = 0xff;
	wave->vcc = 0x3c;
	RUN(fixture, SOP1(32U, 4U, VCC)); /* s_and_saveexec_b64 */
	assert_true(wave->exec == 0x3c);
	assert_int_equal(wave->sgprs[4], 0xff);
	assert_int_equal(wave->status & 1, 1);
	RUN(fixture, SOP1(51U, 6U, VCC)); /* s_andn1_saveexec_b64 */
	assert_true(wave->exec == 0);
	assert_int_equal(wave->status & 1, 0);
	assert_true(wave->status & 1U << 9); /* execz */
	RUN(fixture, SOP1(33U, 6U, S(4)));   /* s_or_saveexec_b64 */
	assert_true(wave->exec == 0xff);
	assert_false(wave->status & 1U << 9);
}

static void test_barrier_and_end(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(STEP(fixture, SOPP(10U, 0)), GFX_STEP_BARRIER);
	assert_int_equal(fixture->wave.pc, CODE_BASE + 4);
	assert_int_equal(STEP(fixture, SOPP(1U, 0)), GFX_STEP_END);
	assert_int_equal(fixture->wave.pc, CODE_BASE + 4);
	assert_int_equal(STEP(fixture, SOPP(13U, 1)), GFX_STEP_HALT);
	assert_int_equal(fixture->wave.pc, CODE_BASE + 4);
	assert_true(fixture->wave.status & 1U << 13);
	RUN(fixture, SOPP(13U, 0));
	assert_false(fixture->wave.status & 1U << 13);
}

static void test_trap(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(STEP(fixture, SOPP(18U, 2)), GFX_STEP_TRAP);
	assert_int_equal(fixture->fault.trap_id, 2);
	assert_int_equal(fixture->wave.pc, CODE_BASE);
	assert_int_equal(fixture->fault.words[0], 0xbf920002);
	assert_int_equal(fixture->fault.word_count, 1);
	assert_non_null(fixture->fault.reason);
}

static void test_illegal(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(STEP(fixture, 0xf8000000, 0), GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_false(fixture->fault.not_implemented);
	assert_int_equal(fixture->fault.words[0], 0xf8000000);
	assert_int_equal(fixture->wave.pc, CODE_BASE);
	assert_true(fixture->fault.reason[0] != '\0');
	/* A load from a typed buffer: its encoding is known. */
	assert_int_equal(STEP(fixture, 0xe8000000, 0), GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
	assert_int_equal(fixture->fault.word_count, 2);
	/* Saturation where the operation does not know it. */
	assert_int_equal(STEP(fixture, VOP3(0x113U, 0U, V(0), V(1), 0U) | 0), GFX_STEP_DONE);
	assert_int_equal(STEP(fixture, 0xd1138000, V(0) | V(1) << 9), GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_false(fixture->fault.not_implemented);
}

static void test_fetch(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;

	wave->pc = CODE_BASE + 2;
	assert_int_equal(gfx_wave_step(wave, &fixture->memory, &fixture->fault),
			 GFX_STEP_FETCH_VIOLATION);
	assert_int_equal(fixture->fault.address, CODE_BASE + 2);
	wave->pc = 0;
	assert_int_equal(gfx_wave_step(wave, &fixture->memory, &fixture->fault),
			 GFX_STEP_FETCH_VIOLATION);
	/* The last mapped word: alone it may run, but not as the first half of two. */
	wave->pc = CODE_BASE + 4 * (CODE_WORDS - 1);
	fixture->code[CODE_WORDS - 1] = SOPP(0U, 0);
	assert_int_equal(gfx_wave_step(wave, &fixture->memory, &fixture->fault), GFX_STEP_DONE);
	wave->pc = CODE_BASE + 4 * (CODE_WORDS - 1);
	fixture->code[CODE_WORDS - 1] = SOP1(0U, 0U, LITERAL);
	assert_int_equal(gfx_wave_step(wave, &fixture->memory, &fixture->fault),
			 GFX_STEP_FETCH_VIOLATION);
	assert_int_equal(fixture->fault.address, CODE_BASE + 4 * CODE_WORDS);
}

static void test_no_operation(void **state)
{
	static const uint32_t words[] = {SOPP(0U, 7),  SOPP(12U, 0x0f70), SOPP(14U, 1),
					 SOPP(16U, 1), SOPP(19U, 0),	  SOPP(22U, 0)};
	struct fixture *fixture = *state;
	struct gfx_wave before;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		before = fixture->wave;
		RUN(fixture, words[i]);
		before.pc = fixture->wave.pc;
		before.status = fixture->wave.status;
		before.instruction_count = fixture->wave.instruction_count;
		assert_memory_equal(&before, &fixture->wave, sizeof(before));
	}
	RUN(fixture, 0xe0a00000, 0); /* buffer_wbl2 */
	RUN(fixture, 0xe0a40000, 0); /* buffer_inv */
}

static void test_hardware_registers(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;

	wave->mode = 0x3f0;
	RUN(fixture, SOPK(17U, 5U, 1 | 4 << 6 | 3 << 11)); /* mode bits 7:4 */
	assert_int_equal(wave->sgprs[5], 0xf);
	RUN(fixture, SOPK(20U, 0U, 1 | 0 << 6 | 3 << 11), 0x5); /* s_setreg_imm32_b32 */
	assert_int_equal(wave->mode, 0x3f5);
	wave->sgprs[6] = 0;
	RUN(fixture, SOPK(18U, 6U, 1 | 4 << 6 | 1 << 11)); /* s_setreg_b32 */
	assert_int_equal(wave->mode, 0x3c5);
	wave->status |= 1U << 16;
	RUN(fixture, SOPK(18U, 6U, 2 | 31 << 11)); /* status is not the shader's to set */
	assert_true(wave->status & 1U << 16);
}

/* A decoded instruction executes as it does from memory, at whatever the pc is. */
static void test_decoded(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t words[] = {SOP2(0U, 2U, S(0), LITERAL), 40}, trap = SOPP(18U, 3);
	struct gfx_instruction instruction;

	fixture->wave.sgprs[0] = 2;
	fixture->wave.pc = 0x123400; /* not mapped */
	assert_int_equal(gfx_decode(fixture->wave.architecture, words, 2, &instruction),
			 GFX_DECODE_OK);
	assert_int_equal(
		gfx_wave_execute(&fixture->wave, &fixture->memory, &instruction, &fixture->fault),
		GFX_STEP_DONE);
	assert_int_equal(fixture->wave.sgprs[2], 42);
	assert_int_equal(fixture->wave.pc, 0x123408);
	assert_int_equal(gfx_decode(fixture->wave.architecture, &trap, 1, &instruction),
			 GFX_DECODE_OK);
	assert_int_equal(
		gfx_wave_execute(&fixture->wave, &fixture->memory, &instruction, &fixture->fault),
		GFX_STEP_TRAP);
	assert_int_equal(fixture->fault.trap_id, 3);
	assert_int_equal(fixture->fault.words[0], trap);
	assert_int_equal(fixture->wave.pc, 0x123408);
}

static void test_clock(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.instruction_count = 0;
	RUN(fixture, SOPP(0U, 0));
	RUN(fixture, 0xc0900000U | 8U << 6, 0); /* s_memtime */
	assert_int_equal(fixture->wave.sgprs[8], 1);
	RUN(fixture, 0xc0940000U | 8U << 6, 0); /* s_memrealtime */
	assert_int_equal(fixture->wave.sgprs[8], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_branches, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_calls, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_saveexec, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_barrier_and_end, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_trap, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_illegal, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_fetch, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_no_operation, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_hardware_registers, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_decoded, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_clock, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
