/* SPDX-License-Identifier: MIT */
/*
 * What differs between two recorded states. Real traces are written again with one thing changed in them; exactly that
 * must be found.
 */
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/diff/diff.h"

/* ---- Traces with a change ---- */

/* What is written in place of a moment that was read. */
struct planted {
	struct wt_reader *reader;
	struct wt_state *state;
	struct wt_moment moment;
	struct wt_event events[64];
	struct wt_answer answers[64][8];
	uint8_t values[64][8][16];
};

typedef void (*change_function)(struct planted *planted);

static const char *vector(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s.wtape", getenv("WT_VECTORS"), name);
	return path;
}

static uint32_t name_of(const struct planted *planted, const char *text)
{
	uint32_t number = wt_reader_name_number(planted->reader, text);

	assert_int_not_equal(number, 0);
	return number;
}

/* Copies of the events, which a change may write to. */
static void copy_events(struct planted *planted, const struct wt_moment *moment)
{
	assert_true(moment->event_count <= 64);
	planted->moment = *moment;
	planted->moment.events = planted->events;
	for (size_t i = 0; i < moment->event_count; i++) {
		planted->events[i] = moment->events[i];
		planted->events[i].answers = planted->answers[i];
		assert_true(moment->events[i].answer_count <= 8);
		for (size_t j = 0; j < moment->events[i].answer_count; j++) {
			struct wt_answer *answer = &planted->answers[i][j];

			*answer = moment->events[i].answers[j];
			assert_true(answer->size <= 16);
			if (answer->size)
				memcpy(planted->values[i][j], answer->value, answer->size);
			answer->value = planted->values[i][j];
		}
	}
}

static void write_facts(struct wt_reader *reader, struct wt_writer *writer)
{
	struct wt_state *facts;
	wt_cleanup_free const struct wt_item **items = NULL;
	size_t count;

	session_must(wt_reader_facts(reader, &facts));
	count = wt_state_count(facts);
	items = calloc(count + 1, sizeof(*items));
	assert_non_null(items);
	for (size_t i = 0; i < count; i++)
		items[i] = wt_state_at(facts, i);
	session_must(wt_writer_facts(writer, items, count));
	wt_state_destroy(facts);
}

static void write_moment(struct wt_reader *reader, struct wt_writer *writer, uint32_t number,
			 change_function change)
{
	struct planted *planted = calloc(1, sizeof(*planted));
	const struct wt_moment *moment;

	assert_non_null(planted);
	planted->reader = reader;
	session_must(wt_reader_moment(reader, number, &moment));
	session_must(wt_reader_state(reader, number, &planted->state));
	copy_events(planted, moment);
	if (change)
		change(planted);
	session_must(wt_writer_moment(writer, &planted->moment, planted->state));
	wt_state_destroy(planted->state);
	free(planted);
}

/* @path written again; all stops get the change. */
static const char *plant(const char *path, change_function change)
{
	const struct wt_writer_options options = {.size = sizeof(options),
						  .recorder = "test",
						  .api_level = "0.77.0",
						  .library_version = "0.77.0",
						  .library_build_name = "test",
						  .reproducible = true};
	static char written[4096];
	struct wt_reader *reader;
	struct wt_writer *writer;
	const char *name;

	snprintf(written, sizeof(written), "%s", session_path("planted.wtape"));
	session_must(wt_reader_open(path, &reader));
	session_must(wt_writer_create(written, &options, &writer));
	/* Names keep their numbers. */
	for (uint32_t i = 1; (name = wt_reader_name(reader, i)); i++)
		assert_int_equal(wt_writer_name(writer, name), i);
	write_facts(reader, writer);
	for (uint32_t i = 0; i < wt_reader_moment_count(reader); i++)
		write_moment(reader, writer, i, change);
	session_must(wt_writer_close(writer, "finalized"));
	wt_reader_close(reader);
	return written;
}

/* ---- What was found ---- */

#define FOUND_MAX 256

struct found {
	struct wt_diff diff[FOUND_MAX]; /* shallow: values are gone, but for numbers and sizes */
	char name[FOUND_MAX][32];
	struct wt_diff_place place[FOUND_MAX];
	uint64_t first[FOUND_MAX], bytes[FOUND_MAX]; /* that differ */
	size_t count, stops;
	struct wt_diff_counts counts;
};

static struct wt_error *note(void *opaque, const struct wt_diff *diff)
{
	struct found *found = opaque;
	const struct wt_diff_value *a = &diff->value[WT_DIFF_A], *b = &diff->value[WT_DIFF_B];
	size_t size = a->size < b->size ? a->size : b->size, i = found->count++;

	assert_true(i < FOUND_MAX);
	found->diff[i] = *diff;
	snprintf(found->name[i], sizeof(found->name[i]), "%s", diff->name ? diff->name : "");
	if (diff->wave)
		found->place[i] = diff->wave->place;
	for (size_t at = size; at-- > 0;)
		if (a->data[at] != b->data[at]) {
			found->first[i] = at;
			found->bytes[i]++;
		}
	return NULL;
}

static struct wt_error *note_stop(void *opaque,
				  const struct wt_diff_stop *const stops[WT_DIFF_SIDES])
{
	struct found *found = opaque;

	assert_true(stops[WT_DIFF_A] || stops[WT_DIFF_B]);
	found->stops++;
	return NULL;
}

static void find_stops(struct wt_diff_trace *trace, uint32_t *stops)
{
	trace->stops = stops;
	for (uint32_t i = 0; i < wt_reader_moment_count(trace->reader); i++) {
		const struct wt_moment *moment;

		session_must(wt_reader_moment(trace->reader, i, &moment));
		if (moment->cause == WT_MOMENT_STOP)
			stops[trace->stop_count++] = i;
	}
}

/* Compare two files; @numbers: their stops, NULL for all. @may_lack: both may lack stops. */
static struct found *compare_files(const char *a, const char *b, const uint32_t *numbers,
				   bool may_lack)
{
	struct wt_diff_trace traces[WT_DIFF_SIDES] = {{.may_lack_stops = may_lack},
						      {.may_lack_stops = may_lack}};
	struct found *found = calloc(1, sizeof(*found));
	const struct wt_diff_listener listener = {
		.opaque = found, .begin = note_stop, .difference = note};
	uint32_t stops[WT_DIFF_SIDES][64];

	assert_non_null(found);
	session_must(wt_reader_open(a, &traces[WT_DIFF_A].reader));
	session_must(wt_reader_open(b, &traces[WT_DIFF_B].reader));
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		find_stops(&traces[side], stops[side]);
	session_must(numbers ? wt_diff_stops(traces, numbers, &listener, &found->counts)
			     : wt_diff_traces(traces, &listener, &found->counts));
	assert_int_equal(found->counts.differences,
			 found->count + (found->stops - found->counts.stops -
					 found->counts.only_stops[WT_DIFF_A] -
					 found->counts.only_stops[WT_DIFF_B]));
	wt_reader_close(traces[WT_DIFF_A].reader);
	wt_reader_close(traces[WT_DIFF_B].reader);
	return found;
}

static const char *copy(const char *path)
{
	static char kept[4096];

	snprintf(kept, sizeof(kept), "%s", path);
	return kept;
}

/* A trace against itself with a change, at its last stop. */
static struct found *find_planted(const char *path, uint32_t stop, change_function change)
{
	const uint32_t numbers[] = {stop, stop};
	const char *original = copy(path);

	return compare_files(original, plant(original, change), numbers, false);
}

/* ---- Changes ---- */

static const struct wt_item *first_item(const struct planted *planted, enum wt_item_type type,
					const char *kind)
{
	const struct wt_key key = {.type = type, .kind = kind ? name_of(planted, kind) : 0};
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
	uint32_t name = name_of(planted, wt_query_find(object, query)->name);
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
	uint32_t wave =
		name_of(planted, wt_query_find(WT_OBJECT_EVENT, AMD_DBGAPI_EVENT_INFO_WAVE)->name);
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
		const char *original = copy(vector(all[i].name));
		wt_cleanup_free struct found *found =
			compare_files(original, plant(original, change_nothing), NULL, false);

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
		const char *original = copy(vector(names[i]));
		wt_cleanup_free struct found *found =
			compare_files(original, plant(original, shift_handles), NULL, false);

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
	lane = find_planted(vector("recorded-session"), 3, flip_registers);
	one(lane, WT_DIFF_REGISTER, WT_DIFF_BYTES);
	assert_string_equal(lane->name[0], "v0");
	assert_true(lane->diff[0].vector);
	assert_int_equal(lane->first[0], 20);
	assert_int_equal(lane->bytes[0], 1);
	assert_true(lane->place[0].has_workgroup);
	last = find_planted(vector("recorded-session"), 3, flip_last_register);
	one(last, WT_DIFF_REGISTER, WT_DIFF_BYTES);
	assert_false(last->diff[0].vector);
}

static void memory_is_found_by_page(void **state)
{
	wt_cleanup_free struct found *global = NULL, *private = NULL, *local = NULL;
	const struct session_options options = {0};

	(void)state;
	global = find_planted(vector("recorded-session"), 3, flip_global);
	one(global, WT_DIFF_MEMORY, WT_DIFF_BYTES);
	assert_string_equal(global->name[0], "global");
	assert_int_equal(global->first[0], 17);
	assert_int_equal(global->bytes[0], 1);
	assert_null(global->diff[0].wave);
	private = find_planted(vector("recorded-assert-trap-O0"), 2, flip_private);
	one(private, WT_DIFF_MEMORY, WT_DIFF_BYTES);
	assert_string_equal(private->name[0], "private_wave");
	assert_non_null(private->diff[0].wave);
	local = find_planted(session_write(&options), 2, flip_local);
	assert_int_equal(local->count, 1);
	assert_string_equal(local->name[0], "local");
	assert_int_equal(local->first[0], 3);
	assert_non_null(local->diff[0].group);
}

static void code_objects_are_matched(void **state)
{
	wt_cleanup_free struct found *bytes = NULL, *moved = NULL;

	(void)state;
	bytes = find_planted(vector("recorded-session"), 3, flip_image);
	one(bytes, WT_DIFF_CODE_OBJECT, WT_DIFF_BYTES);
	assert_int_equal(bytes->first[0], 15);
	/* Every wave stands somewhere else in it then. */
	moved = find_planted(vector("recorded-session"), 3, move_code);
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
	reason = find_planted(vector("recorded-session"), 3, change_reason);
	one(reason, WT_DIFF_WAVE, WT_DIFF_REASONS);
	assert_int_equal(reason->diff[0].value[WT_DIFF_A].number ^
				 reason->diff[0].value[WT_DIFF_B].number,
			 AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
	position = find_planted(vector("recorded-session"), 3, change_pc);
	one(position, WT_DIFF_WAVE, WT_DIFF_POSITION);
}

static void events_are_compared_in_order(void **state)
{
	wt_cleanup_free struct found *swapped = NULL, *dropped = NULL;

	(void)state;
	swapped = find_planted(vector("recorded-session"), 2, swap_events);
	assert_int_equal(swapped->count, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(swapped->diff[i].kind, WT_DIFF_EVENT);
		assert_int_equal(swapped->diff[i].position, i + 1);
	}
	/* One that is missing is one difference, wherever it is missing. */
	dropped = find_planted(vector("recorded-session"), 2, drop_first_event);
	one(dropped, WT_DIFF_EVENT, WT_DIFF_EXISTENCE);
	assert_int_equal(dropped->diff[0].position, 1);
	assert_true(dropped->diff[0].value[WT_DIFF_A].present);
	assert_false(dropped->diff[0].value[WT_DIFF_B].present);
}

static void a_wave_of_one_side(void **state)
{
	wt_cleanup_free struct found *found =
		find_planted(vector("recorded-session"), 3, remove_wave);
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
	registers = find_planted(vector("recorded-session"), 3, drop_registers);
	assert_int_equal(registers->count, 0);
	assert_int_equal(registers->counts.only_registers[WT_DIFF_A], 42);
	assert_int_equal(registers->counts.only_registers[WT_DIFF_B], 0);
	assert_true(wt_diff_is_partial(&registers->counts));
	page = find_planted(vector("recorded-session"), 3, drop_page);
	assert_int_equal(page->count, 0);
	assert_int_equal(page->counts.only_pages[WT_DIFF_A], 1);
	assert_true(wt_diff_is_partial(&page->counts));
	image = find_planted(vector("recorded-session"), 3, drop_image);
	assert_int_equal(image->count, 0);
	assert_int_equal(image->counts.only_images[WT_DIFF_A], 1);
	assert_true(wt_diff_is_partial(&image->counts));
	/* Of a wave nothing but its handle is known: it may be any of those that the other side has. */
	wave = find_planted(vector("recorded-session"), 3, forget_wave);
	assert_int_equal(wave->counts.unknown_waves[WT_DIFF_B], 1);
	assert_true(wt_diff_is_partial(&wave->counts));
	for (size_t i = 0; i < wave->count; i++)
		assert_int_equal(wave->diff[i].kind, WT_DIFF_EVENT);
}

static void stops_are_paired_by_call(void **state)
{
	wt_cleanup_free struct found *lacking = NULL, *whole = NULL, *other = NULL;
	const char *path = copy(vector("recorded-session"));

	(void)state;
	/* The first stop is written as a PASS: the others keep their calls. */
	lacking = compare_files(path, plant(path, drop_first_stop), NULL, true);
	assert_int_equal(lacking->counts.stops, 4);
	assert_int_equal(lacking->counts.only_stops[WT_DIFF_A], 1);
	assert_int_equal(lacking->counts.differences, 0);
	assert_false(wt_diff_is_partial(&lacking->counts));
	whole = compare_files(path, plant(path, drop_first_stop), NULL, false);
	assert_int_equal(whole->counts.stops, 4);
	assert_int_equal(whole->counts.differences, 1);
	assert_int_equal(whole->count, 0);
	/* All calls have other numbers: then the first is compared with the first. */
	other = compare_files(path, plant(path, shift_calls), NULL, false);
	assert_int_equal(other->counts.stops, 5);
	assert_int_equal(other->counts.differences, 0);
}

static void two_stops_of_one(void **state)
{
	const char *path = copy(vector("recorded-session"));
	const uint32_t numbers[] = {2, 3}, none[] = {9, 1};
	struct wt_diff_trace traces[WT_DIFF_SIDES] = {{.stop_count = 1}, {.stop_count = 1}};
	const struct wt_diff_listener listener = {0};
	wt_cleanup_free struct found *found = compare_files(path, path, numbers, false);
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
