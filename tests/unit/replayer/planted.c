/* SPDX-License-Identifier: MIT */
#include "planted.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* ---- Traces with a change ---- */

const char *planted_vector(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s.wtape", getenv("WT_VECTORS"), name);
	return path;
}

uint32_t planted_name(const struct planted *planted, const char *text)
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

const char *planted_write(const char *path, change_function change)
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

struct found *found_compare(const char *a, const char *b, const uint32_t *numbers, bool may_lack)
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

const char *planted_copy(const char *path)
{
	static char kept[4096];

	snprintf(kept, sizeof(kept), "%s", path);
	return kept;
}

struct found *found_planted(const char *path, uint32_t stop, change_function change)
{
	const uint32_t numbers[] = {stop, stop};
	const char *original = planted_copy(path);

	return found_compare(original, planted_write(original, change), numbers, false);
}
