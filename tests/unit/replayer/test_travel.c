/* SPDX-License-Identifier: MIT */
/* Going back and forth: handles of objects that come back, stops as places, and events on arrival. */
#include "session.h"

#include <string.h>

#include "replayer/control/name.h"
#include "replayer/timeline/itinerary.h"
#include "replayer/timeline/timeline.h"

/* ---- Handles ---- */

static const struct wt_table_names names = {
	.objects = {[WT_OBJECT_WAVE] = 3, [WT_OBJECT_QUEUE] = 4}};

static struct wt_state *state_of(const uint64_t *waves, size_t count)
{
	struct wt_state *state = wt_state_create();

	assert_non_null(state);
	for (size_t i = 0; i < count; i++) {
		const struct wt_item item = {
			.key = {.type = WT_ITEM_OBJECT, .kind = 3, .owner = waves[i]}};

		session_must(wt_state_set(state, &item));
	}
	return state;
}

static uint64_t shown(const struct wt_incarnations *incarnations, uint64_t wave)
{
	return wt_incarnation_shown(incarnations, WT_OBJECT_WAVE, wave);
}

static uint64_t recorded(const struct wt_incarnations *incarnations, uint64_t wave)
{
	return wt_incarnation_recorded(incarnations, WT_OBJECT_WAVE, wave);
}

static void test_new_handles_for_what_comes_back(void **state)
{
	static const uint64_t few[] = {2}, many[] = {1, 2, 7}, later[] = {2, 9};
	struct wt_incarnations incarnations = {0};
	struct wt_state *a = state_of(many, 3), *b = state_of(few, 1), *c = state_of(later, 2);

	(void)state;
	session_must(wt_incarnations_move(&incarnations, &names, NULL, a));
	incarnations.travelled = true;
	session_must(wt_incarnations_move(&incarnations, &names, a, b));
	/* Gone, and still called as it was. */
	assert_int_equal(shown(&incarnations, 7), 7);
	session_must(wt_incarnations_move(&incarnations, &names, b, a));
	assert_int_equal(shown(&incarnations, 1), 8);
	assert_int_equal(shown(&incarnations, 2), 2);
	assert_int_equal(shown(&incarnations, 7), 9);
	assert_int_equal(recorded(&incarnations, 8), 1);
	assert_int_equal(recorded(&incarnations, 9), 7);
	assert_true(recorded(&incarnations, 1) == WT_NO_HANDLE);
	assert_true(recorded(&incarnations, 7) == WT_NO_HANDLE);
	/* One that was never seen has a handle that was given to another by now. */
	session_must(wt_incarnations_move(&incarnations, &names, a, c));
	assert_int_equal(shown(&incarnations, 9), 10);
	assert_int_equal(recorded(&incarnations, 10), 9);
	session_must(wt_incarnations_move(&incarnations, &names, c, a));
	assert_int_equal(shown(&incarnations, 1), 11);
	assert_true(recorded(&incarnations, 8) == WT_NO_HANDLE || recorded(&incarnations, 8) == 8);
	/* Other kinds have handles of their own. */
	assert_int_equal(wt_incarnation_shown(&incarnations, WT_OBJECT_QUEUE, 7), 7);
	assert_int_equal(wt_incarnation_shown(&incarnations, WT_OBJECT_REGISTER, 7), 7);
	wt_incarnations_deinit(&incarnations);
	wt_state_destroy(a);
	wt_state_destroy(b);
	wt_state_destroy(c);
}

static void test_recorded_handles_without_travelling(void **state)
{
	static const uint64_t high[] = {50, UINT64_MAX}, low[] = {3};
	struct wt_incarnations incarnations = {0};
	struct wt_state *a = state_of(high, 2), *b = state_of(low, 1);

	(void)state;
	session_must(wt_incarnations_move(&incarnations, &names, NULL, a));
	session_must(wt_incarnations_move(&incarnations, &names, a, b));
	session_must(wt_incarnations_move(&incarnations, &names, b, a));
	assert_int_equal(shown(&incarnations, 50), 50);
	assert_int_equal(recorded(&incarnations, 3), 3);
	/* A handle that leaves no room above it does not count. */
	incarnations.travelled = true;
	session_must(wt_incarnations_move(&incarnations, &names, a, b));
	assert_int_equal(incarnations.highest[WT_OBJECT_WAVE], 4);
	assert_int_equal(shown(&incarnations, 3), 4);
	wt_incarnations_deinit(&incarnations);
	wt_state_destroy(a);
	wt_state_destroy(b);
}

/* ---- Places ---- */

static void test_places(void **state)
{
	const struct session_options options = {0};
	struct wt_itinerary itinerary;
	struct wt_itinerary_range range;
	struct wt_reader *reader;

	(void)state;
	session_must(wt_reader_open(session_write(&options), &reader));
	session_must(wt_itinerary_init(&itinerary, reader));
	wt_reader_close(reader);
	assert_int_equal(itinerary.count, 5);
	assert_int_equal(wt_itinerary_at(&itinerary, 0), 0);
	assert_int_equal(wt_itinerary_at(&itinerary, 2), 1);
	assert_int_equal(wt_itinerary_at(&itinerary, 7), 5);
	range = wt_itinerary_range(&itinerary, 0, SESSION_PROCESS);
	assert_int_equal(range.first, 1);
	assert_int_equal(range.last, 5);
	/* The third one went over into the fourth, for which the client had asked. */
	assert_int_equal(wt_itinerary_next(&itinerary, &range, SESSION_PROCESS, 0), 1);
	assert_int_equal(wt_itinerary_next(&itinerary, &range, SESSION_PROCESS, 2), 4);
	assert_int_equal(wt_itinerary_previous(&itinerary, &range, SESSION_PROCESS, 4), 2);
	assert_int_equal(wt_itinerary_next(&itinerary, &range, SESSION_PROCESS, 5), 0);
	assert_int_equal(wt_itinerary_previous(&itinerary, &range, SESSION_PROCESS, 1), 0);
	range = wt_itinerary_range(&itinerary, 0, SESSION_PROCESS + 1);
	assert_true(range.first > range.last);
	wt_itinerary_deinit(&itinerary);
}

static void test_socket_names(void **state)
{
	static const char *const wrong[] = {"",
					    "1-2-3",
					    "0-2-3.sock",
					    "-1-2-3.sock",
					    "1-2-3.sock ",
					    "01-2-3.sock",
					    "1-2-G.sock",
					    "1-2-03.sock",
					    "x1-2-3.sock",
					    "1-2-3.sockx",
					    "1- 2-3.sock",
					    "99999999999-2-3.sock"};
	const struct wt_control_name name = {.pid = 4711, .device = 0xfe01, .inode = UINT64_MAX};
	struct wt_control_name back;
	char text[WT_CONTROL_NAME_MAX];

	(void)state;
	wt_control_name_print(&name, text);
	assert_string_equal(text, "4711-fe01-ffffffffffffffff.sock");
	assert_true(wt_control_name_parse(text, &back));
	assert_int_equal(back.pid, 4711);
	assert_int_equal(back.device, 0xfe01);
	assert_true(back.inode == UINT64_MAX);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(wt_control_name_parse(wrong[i], &back));
}

/* ---- Events ---- */

struct journey {
	struct wt_reader *reader;
	struct wt_table_names names;
	struct wt_timeline timeline;
};

static void expect_event(struct wt_timeline *timeline, amd_dbgapi_event_kind_t kind,
			 uint64_t wave_shown)
{
	const struct wt_timeline_event *event;

	session_must(wt_timeline_pump(timeline, &event));
	assert_non_null(event);
	assert_int_equal(event->kind, kind);
	assert_int_equal(event->shown, wave_shown);
	assert_true(wt_timeline_processed(timeline, event->handle));
}

static void expect_none(struct wt_timeline *timeline)
{
	const struct wt_timeline_event *event;

	session_must(wt_timeline_pump(timeline, &event));
	assert_null(event);
}

static int to_waves_of(void **state, const struct session_options *options)
{
	static struct journey journey;
	struct wt_timeline *timeline = &journey.timeline;
	const struct wt_moment *refused;

	*state = &journey;
	session_must(wt_reader_open(session_write(options), &journey.reader));
	session_must(wt_table_names_init(&journey.names, journey.reader));
	wt_timeline_init(timeline, journey.reader, &journey.names);
	session_must(wt_timeline_attach(timeline, true, 0, &refused));
	assert_null(refused);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_RUNTIME, 0);
	expect_none(timeline);
	expect_none(timeline);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 1);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 2);
	return 0;
}

/* At the stop of waves 1 and 2, with all events fetched; 3 runs. */
static int to_three_waves(void **state)
{
	return to_waves_of(state, &(struct session_options){0});
}

/* As in a core: 3 was stopped to be saved. */
static int to_standing_wave(void **state)
{
	return to_waves_of(state, &(struct session_options){.stands = true, .last_moment = 3});
}

static int leave(void **state)
{
	struct journey *journey = *state;

	wt_timeline_deinit(&journey->timeline);
	wt_table_names_deinit(&journey->names);
	wt_reader_close(journey->reader);
	return 0;
}

static void resume(struct wt_timeline *timeline, uint64_t wave, bool step)
{
	assert_int_equal(wt_timeline_wave_resume(timeline, wave, step), 0);
}

static void test_waits_for_waves_that_are_held(void **state)
{
	struct wt_timeline *timeline = &((struct journey *)*state)->timeline;

	wt_timeline_travel(timeline, 7);
	expect_none(timeline);
	resume(timeline, 1, false);
	/* The session would go on by itself here; but it is to go elsewhere. */
	assert_false(wt_timeline_pending(timeline));
	expect_none(timeline);
	assert_int_equal(timeline->position, 3);
	resume(timeline, 2, false);
	assert_true(wt_timeline_pending(timeline));
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 3);
	assert_int_equal(timeline->position, 7);
}

static void test_commands_end_with_their_waves(void **state)
{
	struct wt_timeline *timeline = &((struct journey *)*state)->timeline;

	resume(timeline, 1, true);
	resume(timeline, 2, false);
	wt_timeline_travel(timeline, 7);
	/* Nobody waits for wave 2, which is gone as well. */
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED, 1);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 3);
	expect_none(timeline);
	resume(timeline, 3, false);
	wt_timeline_travel(timeline, 3);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 4);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 5);
	expect_none(timeline);
	/* By recorded handles: 4 and 5 are 1 and 2, and 3 runs there. */
	assert_int_equal(wt_timeline_wave_state(timeline, 1), AMD_DBGAPI_WAVE_STATE_STOP);
	assert_int_equal(wt_timeline_wave_state(timeline, 3), AMD_DBGAPI_WAVE_STATE_RUN);
}

static void test_runtime_comes_and_goes(void **state)
{
	struct wt_timeline *timeline = &((struct journey *)*state)->timeline;
	const struct wt_timeline_event *event;

	resume(timeline, 1, true);
	resume(timeline, 2, false);
	wt_timeline_travel(timeline, 0);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED, 1);
	session_must(wt_timeline_pump(timeline, &event));
	assert_int_equal(event->kind, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	assert_null(event->recorded);
	assert_int_equal(event->runtime, AMD_DBGAPI_RUNTIME_STATE_UNLOADED);
	wt_timeline_processed(timeline, event->handle);
	wt_timeline_travel(timeline, 3);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_RUNTIME, 0);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 4);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 5);
	resume(timeline, 1, false);
	resume(timeline, 2, false);
	wt_timeline_travel(timeline, 3);
	/* Not again: nothing of the kind happened. */
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 4);
}

static void test_event_handles_are_new(void **state)
{
	struct wt_timeline *timeline = &((struct journey *)*state)->timeline;
	const struct wt_timeline_event *event;
	uint64_t last = 3;

	for (int i = 0; i < 5; i++) {
		resume(timeline, 1, false);
		resume(timeline, 2, false);
		wt_timeline_travel(timeline, 3);
		for (int j = 0; j < 2; j++) {
			session_must(wt_timeline_pump(timeline, &event));
			assert_true(event->handle > last);
			last = event->handle;
			wt_timeline_processed(timeline, event->handle);
		}
		expect_none(timeline);
	}
}

static void test_reasons_of_requested_stops(void **state)
{
	struct wt_timeline *timeline = &((struct journey *)*state)->timeline;

	resume(timeline, 1, false);
	resume(timeline, 2, false);
	wt_timeline_travel(timeline, 3);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 1);
	assert_false(wt_timeline_wave_stopped_on_request(timeline, 1));
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 2);
	resume(timeline, 1, false);
	wt_timeline_travel(timeline, 7);
	assert_int_equal(wt_timeline_wave_stop(timeline, 1, false), 0);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 1);
	assert_true(wt_timeline_wave_stopped_on_request(timeline, 1));
	assert_int_equal(timeline->position, 3);
}

static void test_waves_that_stand(void **state)
{
	struct wt_timeline *timeline = &((struct journey *)*state)->timeline;

	expect_none(timeline);
	/* Those whose stops were reported, and those that run, are none. */
	assert_int_equal(wt_timeline_report_standing(timeline), 1);
	assert_int_equal(wt_timeline_report_standing(timeline), 0);
	assert_int_equal(wt_timeline_wave_state(timeline, 3), AMD_DBGAPI_WAVE_STATE_RUN);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 3);
	assert_int_equal(wt_timeline_wave_state(timeline, 3), AMD_DBGAPI_WAVE_STATE_STOP);
	assert_false(wt_timeline_wave_stopped_on_request(timeline, 3));
	assert_int_equal(wt_timeline_report_standing(timeline), 0);
	resume(timeline, 3, false);
	assert_int_equal(wt_timeline_report_standing(timeline), 0);
}

/* A client that holds one wave is told no stop of another that it let go before and that has ended since. */
static void test_no_stop_of_a_wave_that_ended(void **state)
{
	struct wt_timeline *timeline = &((struct journey *)*state)->timeline;

	resume(timeline, 1, false);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 1);
	expect_none(timeline);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, 3);
	resume(timeline, 2, true);
	resume(timeline, 1, false);
	expect_none(timeline);
	expect_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED, 2);
	assert_int_equal(wt_timeline_wave_state(timeline, 3), AMD_DBGAPI_WAVE_STATE_STOP);
	assert_false(wt_timeline_end_commanded(timeline, WT_TIMELINE_ENDS_ALL));
	expect_none(timeline);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_handles_for_what_comes_back),
		cmocka_unit_test(test_recorded_handles_without_travelling),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_socket_names),
		cmocka_unit_test_setup_teardown(test_waits_for_waves_that_are_held, to_three_waves,
						leave),
		cmocka_unit_test_setup_teardown(test_commands_end_with_their_waves, to_three_waves,
						leave),
		cmocka_unit_test_setup_teardown(test_runtime_comes_and_goes, to_three_waves, leave),
		cmocka_unit_test_setup_teardown(test_event_handles_are_new, to_three_waves, leave),
		cmocka_unit_test_setup_teardown(test_reasons_of_requested_stops, to_three_waves,
						leave),
		cmocka_unit_test_setup_teardown(test_waves_that_stand, to_standing_wave, leave),
		cmocka_unit_test_setup_teardown(test_no_stop_of_a_wave_that_ended, to_three_waves,
						leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
