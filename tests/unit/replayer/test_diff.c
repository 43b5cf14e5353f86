/* SPDX-License-Identifier: MIT */
/*
 * What differs between two recorded states. Real traces are written again with one thing changed in them; exactly that
 * must be found.
 */
#include "planted.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* ---- Changes ---- */

static const struct wt_item *first_item(const struct planted *planted, enum wt_item_type type,
					const char *kind)
{
	const struct wt_key key = {.type = type, .kind = kind ? planted_name(planted, kind) : 0};
	size_t at = wt_state_lower_bound(planted->state, &key);
	const struct wt_item *item =
		at < wt_state_count(planted->state) ? wt_state_at(planted->state, at) : NULL;

	/* A page that could not be read has no bytes. */
	while (item && item->key.type == type && item->key.kind == key.kind &&
	       type == WT_ITEM_MEMORY && !item->bytes)
		item = ++at < wt_state_count(planted->state) ? wt_state_at(planted->state, at)
							     : NULL;
	return item && item->key.type == type && item->key.kind == key.kind ? item : NULL;
}

/* Put a copy of an item with a byte of its bytes inverted. */
static void flip_byte(struct planted *planted, const struct wt_item *item, size_t offset)
{
	struct wt_item changed = *item;

	assert_true(offset < item->bytes->size);
	changed.bytes = wt_bytes_create(item->bytes->data, item->bytes->size);
	assert_non_null(changed.bytes);
	changed.bytes->data[offset] ^= 0xff;
	session_must(wt_state_set(planted->state, &changed));
	wt_bytes_release(changed.bytes);
}

/* The number in an answer of an object is changed by @change. */
static void change_answer(struct planted *planted, const struct wt_item *item,
			  enum wt_object object, uint32_t query, uint8_t change)
{
	uint32_t name = planted_name(planted, wt_query_find(object, query)->name);
	struct wt_answer answers[32];
	struct wt_item changed = *item;
	uint8_t value[64];

	assert_true(item->answer_count <= 32);
	memcpy(answers, item->answers, item->answer_count * sizeof(*answers));
	changed.answers = answers;
	for (size_t i = 0; i < item->answer_count; i++) {
		if (answers[i].query != name || answers[i].status || !answers[i].size)
			continue;
		assert_true(answers[i].size <= sizeof(value));
		memcpy(value, answers[i].value, answers[i].size);
		value[0] = (uint8_t)(value[0] ^ change);
		answers[i].value = value;
	}
	session_must(wt_state_set(planted->state, &changed));
}

static void change_nothing(struct planted *planted)
{
	(void)planted;
}

static void flip_registers(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_REGISTERS, NULL);

	/* The first register of the list is v0: lane 5 of it. */
	if (item)
		flip_byte(planted, item, 20);
}

static void flip_last_register(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_REGISTERS, NULL);

	if (item)
		flip_byte(planted, item, item->bytes->size - 1);
}

static void flip_global(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_MEMORY, "global");

	if (item)
		flip_byte(planted, item, 17);
}

static void flip_local(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_MEMORY, "local");

	if (item)
		flip_byte(planted, item, 3);
}

static void flip_private(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_MEMORY, "private_wave");

	if (item)
		flip_byte(planted, item, 100);
}

static void flip_image(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_IMAGE, NULL);

	/* A byte of the ELF header that nobody reads: padding behind the identification. */
	if (item)
		flip_byte(planted, item, 15);
}

static void change_reason(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_OBJECT, "wave");

	if (item)
		change_answer(planted, item, WT_OBJECT_WAVE, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
			      AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
}

static void change_pc(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_OBJECT, "wave");

	if (item)
		change_answer(planted, item, WT_OBJECT_WAVE, AMD_DBGAPI_WAVE_INFO_PC, 4);
}

static void move_code(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_OBJECT, "code_object");

	if (item)
		change_answer(planted, item, WT_OBJECT_CODE_OBJECT,
			      AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, 0x80);
}

static void swap_events(struct planted *planted)
{
	struct wt_event first = planted->events[0];

	if (planted->moment.event_count < 2)
		return;
	planted->events[0] = planted->events[1];
	planted->events[1] = first;
}

static void drop_first_event(struct planted *planted)
{
	if (planted->moment.event_count < 2)
		return;
	planted->moment.events++;
	planted->moment.event_count--;
}

static void drop_registers(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_REGISTERS, NULL);

	if (item)
		wt_state_remove(planted->state, &item->key);
}

static void drop_page(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_MEMORY, "global");

	if (item)
		wt_state_remove(planted->state, &item->key);
}

static void drop_image(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_IMAGE, NULL);

	if (item)
		wt_state_remove(planted->state, &item->key);
}

/* A wave that was only listed: nothing is known of it. */
static void forget_wave(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_OBJECT, "wave");

	if (item)
		wt_state_remove(planted->state, &item->key);
}

static void drop_from_list(struct planted *planted, uint64_t wave)
{
	const struct wt_item *list =
		first_item(planted, WT_ITEM_LIST, "amd_dbgapi_process_wave_list");
	struct wt_item changed = *list;
	uint64_t handles[64];
	size_t count = 0;

	assert_true(list->handle_count <= 64);
	for (size_t i = 0; i < list->handle_count; i++)
		if (list->handles[i] != wave)
			handles[count++] = list->handles[i];
	changed.handles = handles;
	changed.handle_count = count;
	session_must(wt_state_set(planted->state, &changed));
}

static void remove_wave(struct planted *planted)
{
	const struct wt_item *item = first_item(planted, WT_ITEM_OBJECT, "wave");

	if (!item)
		return;
	drop_from_list(planted, item->key.owner);
	forget_wave(planted);
}

static void drop_first_stop(struct planted *planted)
{
	if (planted->moment.cause == WT_MOMENT_STOP &&
	    planted->events[0].kind == AMD_DBGAPI_EVENT_KIND_RUNTIME)
		planted->moment.cause = WT_MOMENT_PASS;
}

static void shift_calls(struct planted *planted)
{
	planted->moment.call++;
}

/* ---- New handles: what a second run has ---- */

#define SHIFT 100u

static bool is_renumbered(const struct planted *planted, const struct wt_item *item)
{
	static const char *const kinds[] = {"wave", "private_wave"};

	if (item->key.type == WT_ITEM_REGISTERS)
		return true;
	for (size_t i = 0; i < 2; i++)
		if ((item->key.type == WT_ITEM_OBJECT || item->key.type == WT_ITEM_MEMORY) &&
		    item->key.kind == wt_reader_name_number(planted->reader, kinds[i]))
			return true;
	return item->key.type == WT_ITEM_LIST &&
	       item->key.kind ==
		       wt_reader_name_number(planted->reader, "amd_dbgapi_wave_register_list");
}

static void shift_list(struct planted *planted)
{
	const struct wt_item *list =
		first_item(planted, WT_ITEM_LIST, "amd_dbgapi_process_wave_list");
	struct wt_item changed;
	uint64_t handles[64];

	if (!list)
		return;
	changed = *list;
	assert_true(list->handle_count <= 64);
	/* Another order, too. */
	for (size_t i = 0; i < list->handle_count; i++)
		handles[i] = list->handles[list->handle_count - 1 - i] + SHIFT;
	changed.handles = handles;
	session_must(wt_state_set(planted->state, &changed));
}

static void shift_handles(struct planted *planted)
{
	uint32_t wave = planted_name(
		planted, wt_query_find(WT_OBJECT_EVENT, AMD_DBGAPI_EVENT_INFO_WAVE)->name);
	struct wt_state *shifted = wt_state_create();

	assert_non_null(shifted);
	for (size_t i = 0; i < wt_state_count(planted->state); i++) {
		struct wt_item item = *wt_state_at(planted->state, i);

		if (is_renumbered(planted, &item))
			item.key.owner += SHIFT;
		session_must(wt_state_set(shifted, &item));
	}
	wt_state_destroy(planted->state);
	planted->state = shifted;
	shift_list(planted);
	for (size_t i = 0; i < planted->moment.event_count; i++) {
		planted->events[i].handle += SHIFT;
		for (size_t j = 0; j < planted->events[i].answer_count; j++)
			if (planted->answers[i][j].query == wave && planted->answers[i][j].size)
				planted->values[i][j][0] =
					(uint8_t)(planted->values[i][j][0] + SHIFT);
	}
}

/* ---- Tests ---- */

static void a_copy_is_equal(void **state)
{
	static const struct {
		const char *name;
		uint64_t stops, waves, registers, pages;
	} all[] = {{"recorded-session", 5, 8, 336, 20},
		   {"recorded-assert-trap-O0", 3, 8, 450, 26},
		   {"recorded-two-agents", 1, 0, 0, 0},
		   {"recorded-debug-trap-gfx90a", 2, 2, 84, 5}};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const char *original = planted_copy(planted_vector(all[i].name));
		wt_cleanup_free struct found *found = found_compare(
			original, planted_write(original, change_nothing), NULL, false);

		assert_int_equal(found->count, 0);
		assert_false(wt_diff_is_partial(&found->counts));
		assert_int_equal(found->counts.stops, all[i].stops);
		assert_int_equal(found->stops, all[i].stops);
		assert_int_equal(found->counts.waves, all[i].waves);
		assert_int_equal(found->counts.registers, all[i].registers);
		assert_int_equal(found->counts.pages, all[i].pages);
		assert_true(found->counts.code_objects);
	}
}

static void new_handles_are_no_difference(void **state)
{
	static const char *const names[] = {"recorded-session", "recorded-assert-trap-O0",
					    "recorded-debug-trap-gfx90a"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *original = planted_copy(planted_vector(names[i]));
		wt_cleanup_free struct found *found = found_compare(
			original, planted_write(original, shift_handles), NULL, false);

		assert_int_equal(found->count, 0);
		assert_false(wt_diff_is_partial(&found->counts));
		assert_true(found->counts.waves);
	}
}

static void one(const struct found *found, enum wt_diff_kind kind, enum wt_diff_what what)
{
	assert_int_equal(found->count, 1);
	assert_int_equal(found->diff[0].kind, kind);
	assert_int_equal(found->diff[0].what, what);
	assert_false(wt_diff_is_partial(&found->counts));
}

static void a_register_is_found_by_name(void **state)
{
	wt_cleanup_free struct found *lane = NULL, *last = NULL;

	(void)state;
	lane = found_planted(planted_vector("recorded-session"), 3, flip_registers);
	one(lane, WT_DIFF_REGISTER, WT_DIFF_BYTES);
	assert_string_equal(lane->name[0], "v0");
	assert_true(lane->diff[0].vector);
	assert_int_equal(lane->first[0], 20);
	assert_int_equal(lane->bytes[0], 1);
	assert_true(lane->place[0].has_workgroup);
	last = found_planted(planted_vector("recorded-session"), 3, flip_last_register);
	one(last, WT_DIFF_REGISTER, WT_DIFF_BYTES);
	assert_false(last->diff[0].vector);
}

static void memory_is_found_by_page(void **state)
{
	wt_cleanup_free struct found *global = NULL, *private = NULL, *local = NULL;
	const struct session_options options = {0};

	(void)state;
	global = found_planted(planted_vector("recorded-session"), 3, flip_global);
	one(global, WT_DIFF_MEMORY, WT_DIFF_BYTES);
	assert_string_equal(global->name[0], "global");
	assert_int_equal(global->first[0], 17);
	assert_int_equal(global->bytes[0], 1);
	assert_null(global->diff[0].wave);
	private = found_planted(planted_vector("recorded-assert-trap-O0"), 2, flip_private);
	one(private, WT_DIFF_MEMORY, WT_DIFF_BYTES);
	assert_string_equal(private->name[0], "private_wave");
	assert_non_null(private->diff[0].wave);
	local = found_planted(session_write(&options), 2, flip_local);
	assert_int_equal(local->count, 1);
	assert_string_equal(local->name[0], "local");
	assert_int_equal(local->first[0], 3);
	assert_non_null(local->diff[0].group);
}

static void code_objects_are_matched(void **state)
{
	wt_cleanup_free struct found *bytes = NULL, *moved = NULL;

	(void)state;
	bytes = found_planted(planted_vector("recorded-session"), 3, flip_image);
	one(bytes, WT_DIFF_CODE_OBJECT, WT_DIFF_BYTES);
	assert_int_equal(bytes->first[0], 15);
	/* Every wave stands somewhere else in it then. */
	moved = found_planted(planted_vector("recorded-session"), 3, move_code);
	assert_true(moved->count >= 2);
	assert_int_equal(moved->diff[0].kind, WT_DIFF_CODE_OBJECT);
	assert_int_equal(moved->diff[0].what, WT_DIFF_LOAD_ADDRESS);
	for (size_t i = 1; i < moved->count; i++)
		assert_true(moved->diff[i].what == WT_DIFF_POSITION ||
			    moved->diff[i].what == WT_DIFF_KERNEL);
}

static void how_a_wave_stopped(void **state)
{
	wt_cleanup_free struct found *reason = NULL, *position = NULL;

	(void)state;
	reason = found_planted(planted_vector("recorded-session"), 3, change_reason);
	one(reason, WT_DIFF_WAVE, WT_DIFF_REASONS);
	assert_int_equal(reason->diff[0].value[WT_DIFF_A].number ^
				 reason->diff[0].value[WT_DIFF_B].number,
			 AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
	position = found_planted(planted_vector("recorded-session"), 3, change_pc);
	one(position, WT_DIFF_WAVE, WT_DIFF_POSITION);
}

static void events_are_compared_in_order(void **state)
{
	wt_cleanup_free struct found *swapped = NULL, *dropped = NULL;

	(void)state;
	swapped = found_planted(planted_vector("recorded-session"), 2, swap_events);
	assert_int_equal(swapped->count, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(swapped->diff[i].kind, WT_DIFF_EVENT);
		assert_int_equal(swapped->diff[i].position, i + 1);
	}
	/* One that is missing is one difference, wherever it is missing. */
	dropped = found_planted(planted_vector("recorded-session"), 2, drop_first_event);
	one(dropped, WT_DIFF_EVENT, WT_DIFF_EXISTENCE);
	assert_int_equal(dropped->diff[0].position, 1);
	assert_true(dropped->diff[0].value[WT_DIFF_A].present);
	assert_false(dropped->diff[0].value[WT_DIFF_B].present);
}

static void a_wave_of_one_side(void **state)
{
	wt_cleanup_free struct found *found =
		found_planted(planted_vector("recorded-session"), 3, remove_wave);
	size_t waves = 0;

	(void)state;
	for (size_t i = 0; i < found->count; i++) {
		bool event = found->diff[i].kind == WT_DIFF_EVENT;

		/* An event of that wave is about none any more. */
		assert_true(event || found->diff[i].kind == WT_DIFF_WAVE);
		if (event)
			continue;
		waves++;
		assert_int_equal(found->diff[i].what, WT_DIFF_EXISTENCE);
		assert_true(found->diff[i].value[WT_DIFF_A].present);
		assert_false(found->diff[i].value[WT_DIFF_B].present);
	}
	assert_int_equal(waves, 1);
}

static void what_was_not_recorded_is_no_difference(void **state)
{
	wt_cleanup_free struct found *registers = NULL, *page = NULL, *image = NULL, *wave = NULL;

	(void)state;
	registers = found_planted(planted_vector("recorded-session"), 3, drop_registers);
	assert_int_equal(registers->count, 0);
	assert_int_equal(registers->counts.only_registers[WT_DIFF_A], 42);
	assert_int_equal(registers->counts.only_registers[WT_DIFF_B], 0);
	assert_true(wt_diff_is_partial(&registers->counts));
	page = found_planted(planted_vector("recorded-session"), 3, drop_page);
	assert_int_equal(page->count, 0);
	assert_int_equal(page->counts.only_pages[WT_DIFF_A], 1);
	assert_true(wt_diff_is_partial(&page->counts));
	image = found_planted(planted_vector("recorded-session"), 3, drop_image);
	assert_int_equal(image->count, 0);
	assert_int_equal(image->counts.only_images[WT_DIFF_A], 1);
	assert_true(wt_diff_is_partial(&image->counts));
	/* Of a wave nothing but its handle is known: it may be any of those that the other side has. */
	wave = found_planted(planted_vector("recorded-session"), 3, forget_wave);
	assert_int_equal(wave->counts.unknown_waves[WT_DIFF_B], 1);
	assert_true(wt_diff_is_partial(&wave->counts));
	for (size_t i = 0; i < wave->count; i++)
		assert_int_equal(wave->diff[i].kind, WT_DIFF_EVENT);
}

static void stops_are_paired_by_call(void **state)
{
	wt_cleanup_free struct found *lacking = NULL, *whole = NULL, *other = NULL;
	const char *path = planted_copy(planted_vector("recorded-session"));

	(void)state;
	/* The first stop is written as a PASS: the others keep their calls. */
	lacking = found_compare(path, planted_write(path, drop_first_stop), NULL, true);
	assert_int_equal(lacking->counts.stops, 4);
	assert_int_equal(lacking->counts.only_stops[WT_DIFF_A], 1);
	assert_int_equal(lacking->counts.differences, 0);
	assert_false(wt_diff_is_partial(&lacking->counts));
	whole = found_compare(path, planted_write(path, drop_first_stop), NULL, false);
	assert_int_equal(whole->counts.stops, 4);
	assert_int_equal(whole->counts.differences, 1);
	assert_int_equal(whole->count, 0);
	/* All calls have other numbers: then the first is compared with the first. */
	other = found_compare(path, planted_write(path, shift_calls), NULL, false);
	assert_int_equal(other->counts.stops, 5);
	assert_int_equal(other->counts.differences, 0);
}

static void two_stops_of_one(void **state)
{
	const char *path = planted_copy(planted_vector("recorded-session"));
	const uint32_t numbers[] = {2, 3}, none[] = {9, 1};
	struct wt_diff_trace traces[WT_DIFF_SIDES] = {{.stop_count = 1}, {.stop_count = 1}};
	const struct wt_diff_listener listener = {0};
	wt_cleanup_free struct found *found = found_compare(path, path, numbers, false);
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_diff_counts counts = {0};

	(void)state;
	assert_true(found->count > 2);
	assert_int_equal(found->counts.stops, 1);
	error = wt_diff_stops(traces, none, &listener, &counts);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_USAGE);
	assert_string_equal(error->why, "there is no stop 9 in A: it has 1, counted from 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_is_equal),
		cmocka_unit_test(new_handles_are_no_difference),
		cmocka_unit_test(a_register_is_found_by_name),
		cmocka_unit_test(memory_is_found_by_page),
		cmocka_unit_test(code_objects_are_matched),
		cmocka_unit_test(how_a_wave_stopped),
		cmocka_unit_test(events_are_compared_in_order),
		cmocka_unit_test(a_wave_of_one_side),
		cmocka_unit_test(what_was_not_recorded_is_no_difference),
		cmocka_unit_test(stops_are_paired_by_call),
		cmocka_unit_test(two_stops_of_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
