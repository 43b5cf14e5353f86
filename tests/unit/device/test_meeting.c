/* SPDX-License-Identifier: MIT */
/* Workgroups that wait for each other: as many are resident as the compute units have room for, and no more. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "device/machine/machine.h"
#include "device/machine/room.h"
#include "device/save-area/area.h"
#include "tests/unit/device/support.h"

#define UNITS 110u   /* of the simulated gfx90a */
#define WHOLE 65536u /* local memory of a compute unit */
#define SLICE UINT64_C(1000000)
#define SLICES 100

/* @local_bytes: of a workgroup, for dynamic local memory. */
static struct support_session *open_meeting(const char *code_object, uint32_t groups,
					    uint32_t waited_for, uint32_t local_bytes)
{
	char path[64], text[2048];

	snprintf(path, sizeof(path), "../unit/device/%s", code_object);
	snprintf(text, sizeof(text),
		 "{\"architecture\":\"gfx90a\",\"code_objects\":[\"%s\"],\"buffers\":{\"count\":{"
		 "\"bytes\":4},\"out\":{\"bytes\":%u}},"
		 "\"dispatches\":[{\"kernel\":\"meet\",\"grid\":[%u,1,1],\"workgroup\":[64,1,1],"
		 "\"dynamic_group_bytes\":%u,"
		 "\"arguments\":[{\"buffer\":\"count\"},{\"buffer\":\"out\"},{\"u32\":%u}]}]}",
		 support_path(path), 256 * groups, 64 * groups, local_bytes, waited_for);
	return support_open(text);
}

static void check_out(struct support_session *session, uint32_t groups)
{
	size_t size;
	uint32_t *out = (uint32_t *)(void *)support_buffer(session, "out", &size);

	assert_int_equal(size, 256 * groups);
	for (uint32_t i = 0; i < 64 * groups; i++)
		assert_int_equal(out[i], i * 3 + groups);
	free(out);
}

static void check_meeting(const char *code_object, uint32_t groups, uint32_t local_bytes)
{
	struct support_session *session = open_meeting(code_object, groups, groups, local_bytes);

	support_run_to_end(session);
	check_out(session, groups);
	assert_string_equal(session->message, "");
	support_close(session);
}

static void test_some(void **state)
{
	(void)state;
	check_meeting("meet-gfx90a.co", 4, 0);
	check_meeting("meet-gfx90a.co", 5, 0);
	check_meeting("meet-gfx90a.co", 64, 0);
	/* With private memory, which is made for them. */
	check_meeting("meet-gfx90a-O0.co", 5, 0);
	check_meeting("meet-gfx90a-O0.co", 64, 0);
}

static void test_as_many_as_fit(void **state)
{
	(void)state;
	check_meeting("meet-gfx90a.co", UNITS, WHOLE);
	check_meeting("meet-gfx90a-O0.co", UNITS, WHOLE);
}

static void run_slices(struct support_session *session, bool until_told)
{
	for (int i = 0; i < (until_told ? SLICES : 2); i++) {
		if (until_told && *session->message)
			return;
		assert_int_equal(session->device->operations->run(session->device, SLICE),
				 WT_DEVICE_RUNNING);
	}
	assert_false(until_told);
}

/* One more than fit waits for ever, and that is said once. */
static void test_one_more(void **state)
{
	struct support_session *session =
		open_meeting("meet-gfx90a.co", UNITS + 1, UNITS + 1, WHOLE);

	(void)state;
	run_slices(session, true);
	assert_true(session->warning);
	assert_string_equal(session->message,
			    "queue 0, kernel meet: none of the 110 workgroups that are resident "
			    "has ended within 67 million "
			    "instructions, and there is no room for more: if they wait for one "
			    "that has not begun, they wait for ever");
	assert_int_equal(session->wave_count, UNITS);
	*session->message = '\0';
	run_slices(session, false);
	assert_string_equal(session->message, "");
	assert_int_equal(session->wave_count, UNITS);
	support_close(session);
}

/* What is there when it hangs can be saved: each wave's private memory has a place of its own. */
static void test_saved(void **state)
{
	struct support_session *session =
		open_meeting("meet-gfx90a-O0.co", UNITS + 1, UNITS + 1, WHOLE);
	const struct wt_machine *machine = (const struct wt_machine *)(void *)session->device;
	wt_cleanup_buffer struct wt_buffer note = {0};
	struct wt_saved_wave saved[UNITS];
	bool seen[512] = {false};

	(void)state;
	while (session->wave_count < UNITS)
		assert_int_equal(session->device->operations->run(session->device, SLICE),
				 WT_DEVICE_RUNNING);
	assert_null(session->device->operations->save(session->device, 1, &note));
	assert_int_equal(wt_queue_describe_waves(machine->queues[0], saved), UNITS);
	for (size_t i = 0; i < UNITS; i++) {
		const struct wt_wave *wave = wt_wave_of(saved[i].wave);
		uint64_t offset = wave->scratch_address - machine->queues[0]->scratch_address;
		uint64_t place = offset / machine->queues[0]->scratch_wave;

		assert_non_null(wave->scratch);
		assert_int_equal(offset % machine->queues[0]->scratch_wave, 0);
		assert_true(place < 512 && !seen[place] &&
			    offset < machine->queues[0]->scratch_size);
		seen[place] = true;
	}
	support_close(session);
}

static struct support_session *meet_in_pieces(uint64_t budget)
{
	struct support_session *session = open_meeting("meet-gfx90a.co", 20, 20, 0);

	while (session->device->operations->run(session->device, budget) == WT_DEVICE_RUNNING)
		;
	return session;
}

/* When there are more slots depends on what was executed, not on how often somebody looked meanwhile. */
static void test_in_pieces(void **state)
{
	struct support_session *whole = meet_in_pieces(UINT64_MAX), *pieces = meet_in_pieces(777);

	(void)state;
	check_out(pieces, 20);
	assert_int_equal(pieces->event_count, whole->event_count);
	for (size_t i = 0; i < whole->event_count; i++)
		assert_string_equal(pieces->events[i], whole->events[i]);
	support_close(whole);
	support_close(pieces);
}

/* Waits of one dispatch do not change how the next begins: as ever, with four workgroups. */
static void test_next_begins_anew(void **state)
{
	struct support_session *session;
	char text[2048];
	uint32_t resident = 0;

	(void)state;
	snprintf(text, sizeof(text),
		 "{\"architecture\":\"gfx90a\",\"code_objects\":[\"%s\"],\"buffers\":{\"count\":{"
		 "\"bytes\":4},\"out\":{\"bytes\":2048}},"
		 "\"dispatches\":[",
		 support_path("../unit/device/meet-gfx90a.co"));
	for (int i = 0; i < 2; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s{\"kernel\":\"meet\",\"grid\":[512,1,1],\"workgroup\":[64,1,1],"
			 "\"arguments\":[{\"buffer\":\"count\"},{\"buffer\":\"out\"},{\"u32\":8}]}",
			 i ? "," : "");
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "]}");
	session = support_open(text);
	support_run_to_end(session);
	for (size_t i = 0, begun = 0; i < session->event_count; i++) {
		begun += !strcmp(session->events[i], "dispatch 1 created");
		if (!begun || strncmp(session->events[i], "workgroup", 9) != 0)
			continue;
		resident += strstr(session->events[i], "created") ? 1 : UINT32_MAX;
		assert_true(resident <= WT_QUEUE_GROUPS);
	}
	assert_int_equal(session->wave_count, 16);
	support_close(session);
}

/* No dispatch begins with instructions of which it has executed none. */
static void test_begins_with_patience(void **state)
{
	struct support_session *session = open_meeting("meet-gfx90a.co", 20, 20, 0);
	const struct wt_machine *machine = (const struct wt_machine *)(void *)session->device;

	(void)state;
	session->halt_new = true;
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	assert_int_equal(session->wave_count, WT_QUEUE_GROUPS);
	assert_int_equal(machine->queues[0]->waited, 0);
	support_close(session);
}

/* Nothing of a queue that is held goes on; it does so when it is let go, as if nothing had been. */
static void test_held(void **state)
{
	struct support_session *session = open_meeting("meet-gfx90a.co", 4, 4, 0);
	struct wt_machine *machine = (struct wt_machine *)(void *)session->device;
	uint64_t executed;

	(void)state;
	assert_int_equal(session->device->operations->run(session->device, 1), WT_DEVICE_RUNNING);
	executed = session->waves[0]->gfx->instruction_count;
	assert_int_not_equal(executed, 0);
	machine->queues[0]->held = true;
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	assert_int_equal(session->waves[0]->gfx->instruction_count, executed);
	machine->queues[0]->held = false;
	support_run_to_end(session);
	check_out(session, 4);
	support_close(session);
}

static void test_room(void **state)
{
	static const struct {
		const char *architecture;
		uint32_t lanes, waves, vgprs, agprs, sgprs, local_bytes, groups;
	} rows[] = {
		/* Eight waves on each of four SIMDs; 512 / 72 waves of a SIMD; 800 / 112. */
		{"gfx90a", 64, 1, 16, 0, 32, 0, 32},
		{"gfx90a", 64, 4, 64, 0, 32, 0, 8},
		{"gfx90a", 64, 1, 64, 0, 32, 0, 32},
		{"gfx90a", 64, 1, 72, 0, 32, 0, 28},
		{"gfx90a", 64, 1, 256, 256, 32, 0, 4},
		{"gfx90a", 64, 1, 16, 0, 102, 0, 28},
		{"gfx90a", 64, 16, 16, 0, 32, 0, 2},
		{"gfx90a", 64, 16, 128, 0, 32, 0, 1},
		{"gfx90a", 64, 16, 136, 0, 32, 0, 0},
		{"gfx90a", 64, 1, 16, 0, 32, 65536, 1},
		{"gfx90a", 64, 1, 16, 0, 32, 32769, 1},
		{"gfx90a", 64, 1, 16, 0, 32, 1, 32},
		{"gfx90a", 64, 3, 16, 0, 32, 0, 10},
		{"gfx90a", 64, 2, 16, 0, 32, 5120, 12},
		/* 160 KiB, in steps of 1280 bytes. */
		{"gfx950", 64, 1, 16, 0, 32, 163840, 1},
		{"gfx950", 64, 1, 16, 0, 32, 65537, 2},
		{"gfx950", 64, 1, 16, 0, 32, 5121, 25},
		/* Sixteen waves on each of two SIMDs; 1536 / 120 and 1536 / 264 waves of a SIMD, of 64 lanes half as many. */
		{"gfx1100", 32, 1, 16, 0, 106, 0, 32},
		{"gfx1100", 32, 1, 96, 0, 106, 0, 32},
		{"gfx1100", 32, 1, 97, 0, 106, 0, 24},
		{"gfx1100", 32, 1, 256, 0, 106, 0, 10},
		{"gfx1100", 64, 1, 97, 0, 106, 0, 14},
		{"gfx1100", 64, 1, 256, 0, 106, 0, 4},
		{"gfx1100", 32, 32, 96, 0, 106, 0, 1},
		{"gfx1100", 32, 1, 16, 0, 106, 65536, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct gfx_wave_resources resources = {rows[i].sgprs, rows[i].vgprs,
							     rows[i].agprs, rows[i].lanes};
		const struct gfx_unit *unit = &gfx_architecture_by_name(rows[i].architecture)->unit;
		uint32_t groups =
			wt_unit_groups(unit, &resources, rows[i].waves, rows[i].local_bytes);

		if (groups != rows[i].groups)
			fail_msg("row %zu: %u workgroups", i, groups);
	}
}

static int run_all(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_some),
		cmocka_unit_test(test_as_many_as_fit),
		cmocka_unit_test(test_one_more),
		cmocka_unit_test(test_saved),
		cmocka_unit_test(test_next_begins_anew),
		cmocka_unit_test(test_begins_with_patience),
		cmocka_unit_test(test_held),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_in_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run_all);
}
