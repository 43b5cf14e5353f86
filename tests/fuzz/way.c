/* SPDX-License-Identifier: MIT */
/*
 * The way of each wave that has stopped in any packets: followed, gone along, and asked. Whatever the trace says, a way that is found ends in
 * what was recorded, and is the same from both sides.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fuzz.h"
#include "mutate.h"
#include "replayer/view/view.h"
#include "replayer/way/way.h"

#define WAVES 4u     /* of a moment */
#define MOMENTS 4u   /* the last ones */
#define POSITIONS 6u /* of a way */

/* A few registers are asked for where the way stands. */
static uint64_t way_digest(const struct wt_way *way)
{
	static const char *const names[] = {"v0", "v1",	  "v3",	 "s0", "s4",
					    "s8", "exec", "vcc", "scc"};
	uint64_t digest = wt_way_pc(way);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct wt_way_value value;

		if (!wt_way_register(way, names[i], 5, &value))
			continue;
		FUZZ_CHECK(value.status != WT_WAY_NOT_KNOWN || value.why);
		digest = (digest ^ value.value ^ (uint64_t)value.status << 61) *
			 UINT64_C(0x100000001b3);
	}
	return digest;
}

static void way_ask(struct wt_way *way)
{
	static const char *const targets[] = {"v1", "s[4:5]", "private 16:8", "0x210000000000",
					      "i",  "local 0"};
	const struct wt_way_until until[] = {
		{.kind = WT_WAY_UNTIL_CHANGE, .text = "i", .lane = UINT32_MAX},
		{.kind = WT_WAY_UNTIL_LINE, .file = "oob-store.c", .line = 16},
	};
	struct wt_way_found found;
	struct wt_way_step step;
	bool has;

	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		const struct wt_way_target target = {targets[i], i % 2 ? 3 : UINT32_MAX};

		wt_error_destroy(i % 2 ? wt_way_first_read(way, &target, &found)
				       : wt_way_last_write(way, &target, &found));
	}
	wt_error_destroy(wt_way_run(way, true, until, 2, &found));
	wt_error_destroy(wt_way_stride(way, false, WT_WAY_OVER, &found));
	if (!wt_way_step(way, &has, &step))
		wt_way_step_deinit(&step);
}

static void way_walk(struct wt_way *way)
{
	const struct wt_way_summary *summary = wt_way_summary(way);
	uint64_t digests[POSITIONS], places[POSITIONS];

	FUZZ_CHECK(summary->found == !summary->why_not);
	FUZZ_CHECK(summary->found || !summary->steps);
	FUZZ_CHECK(summary->proved <= summary->recorded);
	FUZZ_CHECK(wt_way_position(way) == summary->steps);
	for (size_t i = 0; i < POSITIONS; i++) {
		places[i] = summary->steps * i / (POSITIONS - 1);
		if (summary->cut_count)
			return;
		FUZZ_CHECK(!wt_way_go(way, places[i]));
		digests[i] = way_digest(way);
	}
	for (size_t i = POSITIONS; i--;) {
		FUZZ_CHECK(!wt_way_go(way, places[i]));
		FUZZ_CHECK(way_digest(way) == digests[i]);
		way_ask(way);
	}
	fuzz_reached += summary->found && summary->steps;
}

static void walk_waves(struct wt_view *view)
{
	const struct wt_way_options options = {.instructions = 3000, .bytes = 4 << 20};
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	struct wt_explainer *explainer = NULL;
	struct wt_error *error = wt_explainer_create(view, &explainer);

	for (size_t i = 0; !error && i < count && i < WAVES; i++) {
		struct wt_way *way = NULL;

		/* A wave that has not stopped has none. */
		wt_error_destroy(wt_way_create(explainer, waves[i], &options, &way));
		if (way)
			way_walk(way);
		wt_way_destroy(way);
	}
	wt_error_destroy(error);
	wt_explainer_destroy(explainer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wt_reader *reader = NULL;
	struct wt_error *error = fuzz_open(fuzz_stage(data, size), &reader);
	uint32_t last[MOMENTS], count = 0;

	for (uint32_t i = error ? UINT32_MAX : wt_reader_next_moment(reader, 0);
	     !error && i < wt_reader_moment_count(reader); i = wt_reader_next_moment(reader, i + 1))
		last[count++ % MOMENTS] = i;
	for (uint32_t i = 0; i < count && i < MOMENTS; i++) {
		struct wt_view *view = NULL;

		wt_error_destroy(wt_view_open(reader, last[i], &view));
		if (view)
			walk_waves(view);
		wt_view_close(view);
	}
	wt_error_destroy(error);
	wt_reader_close(reader);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	uint64_t state = seed;

	return mutate_packets(data, size, max_size, &state);
}
