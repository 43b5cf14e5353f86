/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as the packets of a trace that is recovered: what comes out is whole. Some of its stops are then cut out of it,
 * and now and then it is packed: they are the same stops.
 */
#include <errno.h>
#include <fcntl.h>

#include "fuzz.h"
#include "mutate.h"
#include "trace-format/container/block.h"
#include "trace-format/rewrite/rewrite.h"

static const struct wt_rewrite_options options = {.size = sizeof(options), .compression = 1};

/* Megabytes that are reserved for each trace would be filled with zeros: as on file systems that cannot reserve any. */
int fallocate(int fd, int mode, off_t offset, off_t length)
{
	(void)fd;
	(void)mode;
	(void)offset;
	(void)length;
	errno = EOPNOTSUPP;
	return -1;
}

/* What was written is whole. */
static struct wt_reader *open_output(const char *name, const struct wt_rewrite *rewrite,
				     struct wt_check *check)
{
	const struct wt_reader_options small = {.size = sizeof(small), .small_caches = true};
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open_with(fuzz_place(name), &small, &reader);

	FUZZ_CHECK(!error && !wt_reader_damage(reader));
	error = wt_reader_examine(reader, NULL, check);
	FUZZ_CHECK(!error && check->complete && check->whole);
	FUZZ_CHECK(check->moments.count == rewrite->moments &&
		   check->calls.count == rewrite->calls);
	return reader;
}

/* The state at a stop, counted from 0. */
static struct wt_state *stop_state(struct wt_reader *reader, uint64_t stop)
{
	const struct wt_moment *moment;
	struct wt_state *state;

	for (uint32_t i = 0;; i++) {
		FUZZ_CHECK(!wt_reader_moment(reader, i, &moment));
		if (moment->cause != WT_MOMENT_STOP || stop--)
			continue;
		FUZZ_CHECK(!wt_reader_state(reader, i, &state));
		return state;
	}
}

static void compare_stops(struct wt_reader *reader, uint64_t stop, struct wt_reader *other,
			  uint64_t other_stop)
{
	struct wt_state *state = stop_state(reader, stop);
	struct wt_state *same = stop_state(other, other_stop);

	FUZZ_CHECK(wt_state_count(state) == wt_state_count(same));
	for (size_t i = 0; i < wt_state_count(state); i++)
		FUZZ_CHECK(wt_item_equal(wt_state_at(state, i), wt_state_at(same, i)));
	wt_state_destroy(state);
	wt_state_destroy(same);
}

/* Of a trace of few bytes a part, or what is packed at the lowest level, may take more. */
static bool is_too_large(struct wt_error *error)
{
	if (!error)
		return false;
	FUZZ_CHECK(error->code == WT_ERROR_LIMIT);
	wt_error_destroy(error);
	return true;
}

static void check_trim(struct wt_reader *whole, uint32_t first, uint32_t last)
{
	struct wt_rewrite rewrite;
	struct wt_reader *part;
	struct wt_check check;
	struct wt_error *error =
		wt_trace_trim(whole, first, last, fuzz_place("part.wtape"), &options, &rewrite);

	if (is_too_large(error))
		return;
	part = open_output("part.wtape", &rewrite, &check);
	FUZZ_CHECK(check.stops.count - check.stops.lost == last - first + 1);
	compare_stops(whole, first - 1, part, 0);
	compare_stops(whole, last - 1, part, last - first);
	fuzz_reached++;
	wt_reader_close(part);
}

static void check_repack(struct wt_reader *whole, uint64_t stops)
{
	struct wt_rewrite rewrite;
	struct wt_reader *packed;
	struct wt_check check;
	struct wt_error *error =
		wt_trace_repack(whole, fuzz_place("packed.wtape"), &options, &rewrite);

	if (is_too_large(error))
		return;
	packed = open_output("packed.wtape", &rewrite, &check);
	FUZZ_CHECK(check.stops.count - check.stops.lost == stops);
	compare_stops(whole, stops - 1, packed, stops - 1);
	wt_reader_close(packed);
}

/* @choice: of what is done with it; any number. */
static void use_output(const struct wt_rewrite *recovered, uint32_t choice)
{
	struct wt_check check;
	struct wt_reader *reader = open_output("out.wtape", recovered, &check);
	uint32_t stops = (uint32_t)(check.stops.count - check.stops.lost), first, last;

	if (stops) {
		first = 1 + choice / 8 % stops;
		last = first + choice / 64 % (stops - first + 1);
		check_trim(reader, first, last);
	}
	if (stops && choice % 8 == 0)
		check_repack(reader, stops);
	wt_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wt_rewrite rewrite;
	struct wt_reader *reader;
	struct wt_error *error;

	error = fuzz_open(fuzz_stage(data, size), &reader);
	if (error) {
		wt_error_destroy(error);
		return 0;
	}
	error = wt_trace_recover(reader, fuzz_place("out.wtape"), &options, &rewrite);
	if (!error)
		use_output(&rewrite, wt_crc32c(0, data, size));
	wt_error_destroy(error);
	wt_reader_close(reader);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	uint64_t state = seed;

	return mutate_packets(data, size, max_size, &state);
}
