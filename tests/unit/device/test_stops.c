/* SPDX-License-Identifier: MIT */
/* What the client stops waves by: breakpoints, steps, halts, and the end of a queue. */
#include "tests/unit/device/support.h"

#include <stdlib.h>

static void check_vecadd(struct support_session *session)
{
	size_t size;
	float *c = (float *)(void *)support_buffer(session, "c", &size);

	for (int i = 0; i < 1024; i++)
		assert_true(c[i] == (float)(i + 2));
	free(c);
}

static void test_breakpoint(void **state)
{
	uint64_t entry;
	struct support_session *session = support_open_halted("vecadd.json", &entry);
	uint32_t word = support_code_word(session, entry);

	(void)state;
	support_set_code_word(session, entry, S_TRAP(1));
	support_resume_all(session);
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	assert_int_equal(session->stopped_count, 16);
	support_set_code_word(session, entry, word);
	for (size_t i = 0; i < 16; i++) {
		support_check_stopped(session->stopped[i], REASON(BREAKPOINT), 0, 1);
		assert_int_equal(session->stopped[i]->gfx->pc, entry + 4);
		session->stopped[i]->gfx->pc = entry;
	}
	support_resume_all(session);
	support_run_to_end(session);
	check_vecadd(session);
	support_close(session);
}

/* A breakpoint is met by a step before what it stands for is done. */
static void test_step_onto_breakpoint(void **state)
{
	uint64_t entry;
	struct support_session *session = support_open_halted("vecadd.json", &entry);
	struct wt_device_wave *wave = session->waves[0];

	(void)state;
	support_set_code_word(session, entry, S_TRAP(1));
	support_resume(session, wave, true);
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	support_check_stopped(wave, REASON(BREAKPOINT), 0, 1);
	support_close(session);
}

static void test_step_over_debug_trap(void **state)
{
	uint64_t entry;
	struct support_session *session = support_open_halted("vecadd.json", &entry);
	struct wt_device_wave *wave = session->waves[0];

	(void)state;
	support_set_code_word(session, entry, S_TRAP(3));
	support_resume(session, wave, true);
	assert_int_equal(wave->state, WT_WAVE_STEPPING);
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	support_check_stopped(wave, REASON(DEBUG_TRAP) | REASON(SINGLE_STEP), TRAP_AFTER_INST, 3);
	assert_int_equal(wave->gfx->pc, entry + 4);
	support_close(session);
}

static void test_step(void **state)
{
	uint64_t entry;
	struct support_session *session = support_open_halted("vecadd.json", &entry);
	struct wt_device_wave *wave = session->waves[3];

	(void)state;
	support_resume(session, wave, true);
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	support_check_stopped(wave, REASON(SINGLE_STEP), TRAP_AFTER_INST, 0);
	/* The kernel begins with an s_load, of two words. */
	assert_int_equal(wave->gfx->pc, entry + 8);
	assert_int_equal(session->waves[2]->gfx->pc, entry);
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	support_resume(session, wave, false);
	assert_int_equal(wave->gfx->trapsts & TRAP_AFTER_INST, 0);
	support_close(session);
}

static void test_step_to_the_end(void **state)
{
	uint64_t entry;
	struct support_session *session = support_open_halted("vecadd.json", &entry);

	(void)state;
	support_set_code_word(session, entry, S_ENDPGM);
	support_resume(session, session->waves[0], true);
	support_resume(session, session->waves[1], false);
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	assert_int_equal(session->event_count, 2);
	assert_string_equal(session->events[0], "wave 0 terminated stepping");
	assert_string_equal(session->events[1], "wave 1 terminated");
	support_close(session);
}

/* A step of s_barrier is done when the wave has come to it; it then waits for the others. */
static void test_step_into_barrier(void **state)
{
	uint64_t entry;
	struct support_session *session = support_open_halted("reduce.json", &entry);
	struct wt_device_wave *wave = session->waves[0];
	uint64_t pc;

	(void)state;
	do {
		support_resume(session, wave, true);
		assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	} while (support_code_word(session, wave->gfx->pc - 4) != 0xbf8a0000);
	assert_true(wave->gfx->status & 1u << 12);
	pc = wave->gfx->pc;
	support_resume(session, wave, true);
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	assert_int_equal(wave->gfx->pc, pc);
	assert_int_equal(wave->state, WT_WAVE_STEPPING);
	/* The others of the workgroup come, and the step can be done. */
	for (uint32_t i = 1; i < 4; i++)
		support_resume(session, session->waves[i], false);
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	assert_ptr_equal(session->stopped[session->stopped_count - 1], wave);
	assert_int_not_equal(wave->gfx->pc, pc);
	assert_false(wave->gfx->status & 1u << 12);
	support_resume_all(session);
	support_run_to_end(session);
	support_close(session);
}

static void test_halt(void **state)
{
	uint64_t entry;
	struct support_session *session = support_open_halted("divergent.json", &entry);
	struct wt_device_wave *wave = session->waves[0];

	(void)state;
	support_resume(session, wave, false);
	assert_int_equal(session->device->operations->run(session->device, 20), WT_DEVICE_RUNNING);
	session->device->operations->wave_halt(session->device, wave);
	support_check_stopped(wave, REASON(NONE), 0, 0);
	assert_int_not_equal(wave->gfx->pc, entry);
	assert_int_equal(session->stopped_count, 0);
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	support_resume_all(session);
	support_run_to_end(session);
	support_close(session);
}

/* A program that halts itself is not stopped, but does not go on; the client can let it. */
static void test_program_halts_itself(void **state)
{
	uint64_t entry;
	struct support_session *session = support_open_halted("vecadd.json", &entry);
	struct wt_device_wave *wave = session->waves[0];

	(void)state;
	support_set_code_word(session, entry, S_SETHALT(1));
	support_resume(session, wave, false);
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	assert_int_equal(wave->state, WT_WAVE_RUNNING);
	assert_int_equal(session->stopped_count, 0);
	session->device->operations->wave_halt(session->device, wave);
	assert_int_equal(wave->gfx->ttmps[6] >> 29, 3);
	assert_int_equal(wave->gfx->pc, entry + 4);
	support_resume(session, wave, false);
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	session->device->operations->wave_halt(session->device, wave);
	wave->gfx->ttmps[6] &= ~(1u << 29);
	support_set_code_word(session, entry + 4, S_ENDPGM);
	support_resume(session, wave, false);
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	assert_null(session->waves[0]);
	support_close(session);
}

static void test_abort(void **state)
{
	struct support_session *session = support_open("assert-trap.json");
	const struct wt_device_queue *queue =
		session->device->operations->queue(session->device, 0);
	size_t left = 0;

	(void)state;
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	for (uint32_t i = 0; i < session->wave_count; i++)
		left += session->waves[i] != NULL;
	support_clear(session);
	session->device->operations->queue_abort(session->device, queue);
	assert_int_equal(queue->read_packet_id, queue->write_packet_id);
	assert_true(session->event_count >= left + 2);
	assert_string_equal(session->events[session->event_count - 1], "dispatch 0 ended");
	for (uint32_t i = 0; i < session->wave_count; i++)
		assert_null(session->waves[i]);
	support_run_to_end(session);
	session->device->operations->queue_abort(session->device, queue);
	support_run_to_end(session);
	support_close(session);
}

/* An aborted queue takes its later dispatches with it, and leaves the other queue alone. */
static void test_abort_one_of_two(void **state)
{
	struct support_session *session = support_open("two-queues.json");
	const struct wt_device_queue *queue =
		session->device->operations->queue(session->device, 0);
	uint32_t *y;
	size_t size;

	(void)state;
	session->halt_new = true;
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	session->halt_new = false;
	session->device->operations->queue_abort(session->device, queue);
	support_resume_all(session);
	support_run_to_end(session);
	y = (uint32_t *)(void *)support_buffer(session, "y", &size);
	assert_int_equal(y[0], 0xc1b00000); /* -22.0f = 2.5 * -10 + 3 */
	free(y);
	y = (uint32_t *)(void *)support_buffer(session, "c", &size);
	assert_int_equal(y[1], 0);
	free(y);
	support_close(session);
}

static void test_trap_temporaries(void **state)
{
	uint64_t entry;
	struct support_session *session = support_open_halted("geometry.json", &entry);

	(void)state;
	for (uint32_t i = 0; i < session->wave_count; i++) {
		const struct wt_device_wave *wave = session->waves[i];

		assert_int_equal(wave->gfx->ttmps[4], wave->number + 1);
		assert_int_equal(wave->gfx->ttmps[5], 0);
		assert_memory_equal(&wave->gfx->ttmps[8], wave->workgroup->coordinates, 12);
		assert_int_equal(wave->gfx->ttmps[11] & 63, wave->number_in_group);
		assert_int_equal(wave->gfx->ttmps[11] >> 31, 1);
	}
	support_close(session);
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_breakpoint),
		cmocka_unit_test(test_step_onto_breakpoint),
		cmocka_unit_test(test_step_over_debug_trap),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_step_to_the_end),
		cmocka_unit_test(test_step_into_barrier),
		cmocka_unit_test(test_halt),
		cmocka_unit_test(test_program_halts_itself),
		cmocka_unit_test(test_abort),
		cmocka_unit_test(test_abort_one_of_two),
		cmocka_unit_test(test_trap_temporaries),
	};

	return cmocka_run_group_tests_name("device-stops", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run);
}
