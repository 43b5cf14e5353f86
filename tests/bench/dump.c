/* SPDX-License-Identifier: MIT */
#include "tests/bench/dump.h"

#include <inttypes.h>
#include <stdio.h>

#include "tests/bench/session.h"
#include "trace-format/reader/reader.h"

static void require(struct wt_error *error)
{
	if (error)
		die("%s: %s: %s", error->what, error->where, error->why);
}

static uint64_t put(FILE *file, const void *data, size_t size)
{
	if (size && fwrite(data, 1, size, file) != size)
		die("cannot write the dump");
	return size;
}

static uint64_t dump_item(FILE *file, const struct wt_item *item)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < item->answer_count; i++)
		bytes += put(file, item->answers[i].value, item->answers[i].size);
	bytes += put(file, item->handles, item->handle_count * sizeof(*item->handles));
	bytes += put(file, item->numbers, item->number_count * sizeof(*item->numbers));
	if (item->bytes)
		bytes += put(file, item->bytes->data, item->bytes->size);
	return bytes;
}

static uint64_t dump_moment(struct wt_reader *reader, uint32_t number, FILE *file)
{
	struct wt_state *state;
	uint64_t bytes = 0;

	require(wt_reader_state(reader, number, &state));
	for (size_t i = 0; i < wt_state_count(state); i++)
		bytes += dump_item(file, wt_state_at(state, i));
	wt_state_destroy(state);
	return bytes;
}

void dump_states(const char *trace, const char *path)
{
	struct wt_reader *reader;
	const char *separator = "";
	FILE *file = fopen(path, "wbe");

	if (!file)
		die("cannot create %s", path);
	require(wt_reader_open(trace, &reader));
	printf("{\"stops\": [");
	for (uint32_t i = 0; i < wt_reader_moment_count(reader); i++) {
		const struct wt_moment *moment;

		require(wt_reader_moment(reader, i, &moment));
		if (moment->cause != WT_MOMENT_STOP)
			continue;
		printf("%s%" PRIu64, separator, dump_moment(reader, i, file));
		separator = ", ";
	}
	puts("]}");
	wt_reader_close(reader);
	if (fclose(file))
		die("cannot write %s", path);
}
