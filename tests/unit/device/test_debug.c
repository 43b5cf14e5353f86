/* SPDX-License-Identifier: MIT */
/* What the device has for a debugger alone: watch registers, imprecise memory, buffers, the program. */
#include "tests/unit/device/support.h"

#include <stdio.h>

#include "device/trap-handler.h"

#define KIND(name) ((uint32_t)AMD_DBGAPI_WATCHPOINT_KIND_##name)
#define MODE_ADDRESS_WATCH (1u << 19)
#define TRAP_CTRL_ADDRESS_WATCH (1u << 7) /* of gfx12 */
#define S_NOP 0xbf800000u

static const struct wt_device_operations *operations(const struct support_session *session)
{
	return session->device->operations;
}

static void watch(struct support_session *session, uint32_t index, uint64_t address, uint64_t size,
		  uint32_t kind)
{
	const struct wt_device_watchpoint watchpoint = {address, size, kind};

	operations(session)->set_watchpoint(session->device, index, &watchpoint);
}

/* The kinds of access to one word of a program of atomics, and the bits of trapsts they leave. */
static void check_kind(uint32_t kind, bool stops)
{
	struct support_session *session = support_open("atomics-global.json");
	uint64_t address, size;

	assert_true(wt_simulated_buffer(session->device, "words", &address, &size));
	watch(session, 2, address, 4, kind);
	if (stops) {
		assert_int_equal(support_run(session), WT_DEVICE_EVENT);
		assert_int_equal(session->stopped[0]->stop_reasons, REASON(WATCHPOINT));
		assert_int_equal(session->stopped[0]->gfx->trapsts & 0x7080, 1u << 13);
		assert_true(session->stopped[0]->gfx->mode & MODE_ADDRESS_WATCH);
	} else {
		assert_int_equal(support_run(session), WT_DEVICE_IDLE);
	}
	support_close(session);
}

static void test_kinds_of_access(void **state)
{
	(void)state;
	check_kind(KIND(RMW), true);
	check_kind(KIND(STORE_AND_RMW), true);
	check_kind(KIND(ALL), true);
	/* A read-modify-write is no load. */
	check_kind(KIND(LOAD), false);
}

/* A session whose first wave alone runs, and stops at an access to a range of its private memory. */
static struct support_session *watch_private(const char *workload, uint64_t offset, uint64_t size,
					     uint32_t kind)
{
	struct support_session *session = support_open(workload);

	session->halt_new = true;
	support_run(session);
	assert_true(session->wave_count >= 2);
	assert_true(session->waves[0]->gfx->scratch_base != session->waves[1]->gfx->scratch_base);
	watch(session, 1, session->waves[0]->gfx->scratch_base + offset,
	      size ? size : session->waves[0]->gfx->scratch_size, kind);
	operations(session)->wave_resume(session->device, session->waves[0], false);
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	assert_int_equal(session->stopped[0]->number, 0);
	assert_int_equal(session->stopped[0]->stop_reasons, REASON(WATCHPOINT));
	assert_int_equal(session->stopped[0]->gfx->trapsts & 0x7080, 1u << 12);
	return session;
}

/* Where the first word of the wave's memory is that is not zero, seen at its global address. */
static uint64_t first_written(struct support_session *session)
{
	const struct gfx_wave *gfx = session->waves[0]->gfx;
	uint64_t offset = 0;
	uint32_t word = 0;

	while (!word) {
		assert_true(offset < gfx->scratch_size);
		assert_int_equal(operations(session)->read_memory(session->device,
								  gfx->scratch_base + offset, &word,
								  sizeof(word)),
				 sizeof(word));
		offset += sizeof(word);
	}
	return offset - sizeof(word);
}

/*
 * Private memory is watched at its global address, however the program reaches it: what a store to any of
 * it has written, that store stops at when it alone is watched, and no load before it does.
 */
static void check_private(const char *workload)
{
	struct support_session *session = watch_private(workload, 0, 0, KIND(STORE_AND_RMW));
	uint64_t offset, executed = session->waves[0]->gfx->instruction_count;

	offset = first_written(session);
	support_close(session);
	session = watch_private(workload, offset, 4, KIND(STORE_AND_RMW));
	assert_int_equal(session->waves[0]->gfx->instruction_count, executed);
	support_close(session);
	session = watch_private(workload, offset, 4, KIND(LOAD));
	assert_true(session->waves[0]->gfx->instruction_count > executed);
	support_close(session);
}

static void test_private_memory_is_watched(void **state)
{
	(void)state;
	check_private("private-sort-O0.json");
	check_private("private-sort-gfx90a-O0.json");
	check_private("private-sort.json");
	check_private("private-sort-gfx90a.json");
}

/* Scalar loads do not pass the watch registers. */
static void test_scalar_loads_are_not_watched(void **state)
{
	struct support_session *session = support_open("vecadd.json");
	const struct wt_device_queue *queue = operations(session)->queue(session->device, 0);
	uint64_t arguments = 0;

	(void)state;
	operations(session)->read_memory(session->device, queue->ring_address + 40, &arguments, 8);
	assert_int_not_equal(arguments, 0);
	watch(session, 0, arguments / 128 * 128, 128, KIND(ALL));
	assert_int_equal(support_run(session), WT_DEVICE_IDLE);
	support_close(session);
}

static bool watching_is_enabled(const struct support_session *session, bool gfx12)
{
	const struct gfx_wave *gfx = session->stopped[0]->gfx;

	return gfx12 ? gfx->trap_ctrl & TRAP_CTRL_ADDRESS_WATCH : gfx->mode & MODE_ADDRESS_WATCH;
}

static void check_watching(const char *workload, bool gfx12)
{
	struct support_session *session = support_open(workload);

	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	assert_false(watching_is_enabled(session, gfx12));
	watch(session, 0, 64, 4, KIND(ALL));
	watch(session, 1, 64, 4, KIND(ALL));
	assert_true(watching_is_enabled(session, gfx12));
	operations(session)->set_watchpoint(session->device, 0, NULL);
	assert_true(watching_is_enabled(session, gfx12));
	operations(session)->set_watchpoint(session->device, 1, NULL);
	assert_false(watching_is_enabled(session, gfx12));
	support_close(session);
}

/* The exception is enabled in waves that are there and in those to come, as long as something is set. */
static void test_watching_shows_in_mode(void **state)
{
	(void)state;
	check_watching("debug-trap.json", false);
	check_watching("debug-trap-gfx1201.json", true);
}

/* Waves of gfx12 that stand while something is set are stopped by it, too, and say by which register. */
static void test_standing_waves_are_stopped_by_a_watch(void **state)
{
	uint64_t entry, address, size;
	struct support_session *session =
		support_open_halted("atomics-global-gfx1201.json", &entry);

	(void)state;
	assert_true(wt_simulated_buffer(session->device, "words", &address, &size));
	watch(session, 2, address, 4, KIND(ALL));
	for (uint32_t i = 0; i < session->wave_count; i++)
		operations(session)->wave_resume(session->device, session->waves[i], false);
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	assert_int_equal(session->stopped[0]->stop_reasons, REASON(WATCHPOINT));
	assert_int_equal(session->stopped[0]->gfx->excp_flag_priv & 0xf, 1u << 2);
	assert_int_equal(wt_wave_watches_hit(session->stopped[0]->gfx), 1u << 2);
	support_close(session);
}

enum setting { NOT_SET, PRECISE, IMPRECISE };

/* Where the first wave of a faulting program stops. */
static uint64_t first_fault(enum setting setting, uint32_t *reasons_ret)
{
	struct support_session *session = support_open("oob-store.json");
	uint64_t pc;

	if (setting != NOT_SET)
		operations(session)->set_precise_memory(session->device, setting == PRECISE);
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	*reasons_ret = session->stopped[0]->stop_reasons;
	pc = session->stopped[0]->gfx->pc;
	assert_true(session->stopped[0]->fault.lanes == UINT64_C(7) << 61);
	assert_true(session->stopped[0]->gfx->trapsts & 1u << 28);
	support_close(session);
	return pc;
}

/* The access that fails has two words. With precise memory the wave has gone past it, and no farther. */
static void test_precision_of_memory(void **state)
{
	uint32_t reasons, again;
	uint64_t at, late;

	(void)state;
	at = first_fault(NOT_SET, &reasons);
	assert_int_equal(reasons, REASON(MEMORY_VIOLATION));
	assert_int_equal(first_fault(PRECISE, &reasons), at + 8);
	assert_int_equal(reasons, REASON(MEMORY_VIOLATION));
	late = first_fault(IMPRECISE, &reasons);
	assert_int_equal(reasons, REASON(MEMORY_VIOLATION));
	assert_true(late >= at + 8 && late <= at + 64);
	assert_true(first_fault(IMPRECISE, &again) == late);
}

static void test_buffers_run_out(void **state)
{
	struct support_session *session = support_open("vecadd.json");
	const struct wt_device_queue *queue = operations(session)->queue(session->device, 0);
	const uint32_t nop = S_NOP;
	uint64_t first = 0, last = 0, next;
	uint32_t words[2] = {0};
	size_t count = 0;

	(void)state;
	while ((next = operations(session)->buffer_allocate(session->device, queue, &nop, 4))) {
		assert_true(next != last);
		first = first ? first : next;
		last = next;
		assert_true(++count < 1000);
	}
	assert_int_equal(count, 16);
	operations(session)->read_memory(session->device, last, words, sizeof(words));
	assert_int_equal(words[0], S_NOP);
	assert_int_equal(words[1], 0xbf920002); /* the guard */
	operations(session)->buffer_free(session->device, queue, first);
	assert_true(operations(session)->buffer_allocate(session->device, queue, &nop, 4) == first);
	assert_int_equal(operations(session)->buffer_allocate(session->device, queue, &nop, 12), 0);
	support_close(session);
}

static void test_override_is_for_one_instruction(void **state)
{
	struct support_session *session = support_open("debug-trap.json");
	const uint32_t end = S_ENDPGM;
	struct wt_device_wave *wave;
	uint32_t number;

	(void)state;
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	wave = session->stopped[0];
	number = wave->number;
	operations(session)->wave_override(session->device, wave, &end, 1);
	operations(session)->wave_override(session->device, wave, NULL, 0);
	operations(session)->wave_resume(session->device, wave, true);
	support_run(session);
	assert_non_null(session->waves[number]);
	operations(session)->wave_override(session->device, wave, &end, 1);
	operations(session)->wave_resume(session->device, wave, true);
	support_run(session);
	assert_null(session->waves[number]);
	support_close(session);
}

static bool is_loaded(const struct support_session *session, size_t index)
{
	return operations(session)->code_object(session->device, index)->loaded;
}

static void test_program_stops_at_its_breakpoint(void **state)
{
	struct support_session *session = support_open("loads.json");
	const struct wt_device_queue *queue = operations(session)->queue(session->device, 0);

	(void)state;
	assert_int_not_equal(operations(session)->program_breakpoint(session->device, true), 0);
	assert_true(is_loaded(session, 0) && !is_loaded(session, 1));
	assert_int_equal(queue->write_packet_id, 1);
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	assert_true(operations(session)->program_is_stopped(session->device));
	assert_false(is_loaded(session, 1));
	operations(session)->program_change(session->device);
	assert_true(is_loaded(session, 1));
	assert_int_equal(queue->write_packet_id, 1);
	operations(session)->program_continue(session->device);
	assert_int_equal(queue->write_packet_id, 2);
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	operations(session)->program_change(session->device);
	assert_true(!is_loaded(session, 0) && is_loaded(session, 1));
	operations(session)->program_continue(session->device);
	assert_int_equal(support_run(session), WT_DEVICE_IDLE);
	support_close(session);
}

static void test_program_goes_by(void **state)
{
	struct support_session *session = support_open("loads.json");

	(void)state;
	support_run_to_end(session);
	assert_true(!is_loaded(session, 0) && is_loaded(session, 1));
	support_close(session);
	session = support_open("vecadd.json");
	assert_int_equal(operations(session)->program_breakpoint(session->device, true), 0);
	support_close(session);
}

/* Mistakes in what a workload says of its code objects' comings and goings. */
static void test_wrong_times(void **state)
{
	static const struct {
		const char *fields, *rest, *says;
	} mistakes[] = {
		{"\"load_after\":1", "", "code_objects[0].load_after: "},
		{"\"load_after\":-1", "", "code_objects[0].load_after: "},
		{"\"load_after\":0,\"unload_after\":0", "",
		 "code_objects[0].unload_after: it is loaded after dispatch 0"},
		{"\"load_after\":0", "",
		 "dispatches[0].kernel: \"debug_trap\" is of a code object that is loaded after"},
		{"\"loaded_after\":0", "", "code_objects[0].loaded_after: unknown field"},
		{"\"unload_after\":0", ",\"end\":\"later\"", "end: it is \"stay\", \"unload\" or"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		struct wt_device *device;
		char text[1024];

		snprintf(text, sizeof(text),
			 "{\"architecture\":\"gfx942\",\"code_objects\":[{\"file\":\"%s\",%s}],"
			 "\"buffers\":{\"a\":{\"bytes\":1024}},\"dispatches\":[{"
			 "\"kernel\":\"debug_trap\",\"grid\":[64,1,1],\"workgroup\":[64,1,1],"
			 "\"arguments\":[{\"buffer\":\"a\"}]}]%s}",
			 support_path("debug-trap.co"), mistakes[i].fields, mistakes[i].rest);
		support_expect_error(
			wt_simulated_create(support_write("w.json", text, strlen(text)), &device),
			mistakes[i].says);
	}
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds_of_access),
		cmocka_unit_test(test_private_memory_is_watched),
		cmocka_unit_test(test_scalar_loads_are_not_watched),
		cmocka_unit_test(test_watching_shows_in_mode),
		cmocka_unit_test(test_standing_waves_are_stopped_by_a_watch),
		cmocka_unit_test(test_precision_of_memory),
		cmocka_unit_test(test_buffers_run_out),
		cmocka_unit_test(test_override_is_for_one_instruction),
		cmocka_unit_test(test_program_stops_at_its_breakpoint),
		cmocka_unit_test(test_program_goes_by),
		cmocka_unit_test(test_wrong_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run);
}
