/* SPDX-License-Identifier: MIT */
#include "replayer/diff/diff.h"

#include <stdlib.h>
#include <string.h>

#include "replayer/diff/internal.h"

static const char what[] = "cannot compare the stops";

/* The events of two stops, in the order in which the client was given them. */

static struct wt_diff_event diff_event_describe(const struct wt_diff_half *half, size_t position)
{
	const struct wt_event *event = &wt_view_moment(half->view)->events[position];
	struct wt_diff_event result = {.kind = event->kind};
	const struct wt_diff_place *place = NULL;
	uint64_t number;

	if (wt_view_event_number(half->view, position, AMD_DBGAPI_EVENT_INFO_WAVE, &number))
		place = wt_diff_find_place(half, number);
	if (place) {
		result.has_wave = true;
		result.wave = *place;
	}
	if (wt_view_event_number(half->view, position, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
				 &number))
		result.detail = number;
	else if (wt_view_event_number(half->view, position, AMD_DBGAPI_EVENT_INFO_QUEUE, &number))
		result.detail = wt_diff_rank(&half->queues, number);
	return result;
}

static bool is_equal(const struct wt_diff_event *a, const struct wt_diff_event *b)
{
	return a->kind == b->kind && a->has_wave == b->has_wave && a->detail == b->detail &&
	       (!a->has_wave || !wt_diff_place_compare(&a->wave, &b->wave));
}

/* All events of a half; NULL if there is no memory. */
static struct wt_diff_event *diff_events_describe(const struct wt_diff_half *half, size_t count)
{
	struct wt_diff_event *events = calloc(count + 1, sizeof(*events));

	for (size_t i = 0; events && i < count; i++)
		events[i] = diff_event_describe(half, i);
	return events;
}

/* @events: each NULL where that side has no more. */
static struct wt_error *event_diff_report(struct wt_diff_pair *pair, size_t position,
					  const struct wt_diff_event *const events[WT_DIFF_SIDES])
{
	bool both = events[WT_DIFF_A] && events[WT_DIFF_B];
	struct wt_diff diff = {.kind = WT_DIFF_EVENT,
			       .what = both ? WT_DIFF_KIND : WT_DIFF_EXISTENCE,
			       .position = position + 1};

	if (both && is_equal(events[WT_DIFF_A], events[WT_DIFF_B]))
		return NULL;
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		diff.value[side] = (struct wt_diff_value){.present = events[side] != NULL,
							  .event = events[side]};
	return wt_diff_report(pair, &diff);
}

/* Events that are equal at both ends are left out, so that an event too many is one difference. */
static struct wt_error *events_compare(struct wt_diff_pair *pair,
				       const struct wt_diff_event *const events[WT_DIFF_SIDES],
				       const size_t counts[WT_DIFF_SIDES])
{
	size_t left[WT_DIFF_SIDES] = {counts[WT_DIFF_A], counts[WT_DIFF_B]}, first = 0;
	struct wt_error *error = NULL;

	while (first < left[WT_DIFF_A] && first < left[WT_DIFF_B] &&
	       is_equal(&events[WT_DIFF_A][first], &events[WT_DIFF_B][first]))
		first++;
	while (left[WT_DIFF_A] > first && left[WT_DIFF_B] > first &&
	       is_equal(&events[WT_DIFF_A][left[WT_DIFF_A] - 1],
			&events[WT_DIFF_B][left[WT_DIFF_B] - 1])) {
		left[WT_DIFF_A]--;
		left[WT_DIFF_B]--;
	}
	for (size_t i = first; !error && (i < left[WT_DIFF_A] || i < left[WT_DIFF_B]); i++) {
		const struct wt_diff_event *here[WT_DIFF_SIDES];

		for (int side = 0; side < WT_DIFF_SIDES; side++)
			here[side] = i < left[side] ? &events[side][i] : NULL;
		error = event_diff_report(pair, i, here);
	}
	return error;
}

/* Compare the events of the two stops, in order. */
static struct wt_error *diff_events(struct wt_diff_pair *pair)
{
	struct wt_diff_event *events[WT_DIFF_SIDES];
	struct wt_error *error = NULL;
	size_t counts[WT_DIFF_SIDES];

	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		counts[side] = wt_view_moment(pair->half[side].view)->event_count;
		events[side] = diff_events_describe(&pair->half[side], counts[side]);
		if (!events[side])
			error = &wt_error_no_memory;
	}
	pair->counts.events +=
		counts[WT_DIFF_A] < counts[WT_DIFF_B] ? counts[WT_DIFF_A] : counts[WT_DIFF_B];
	if (!error)
		error = events_compare(pair, (const struct wt_diff_event *const *)events, counts);
	free(events[WT_DIFF_A]);
	free(events[WT_DIFF_B]);
	return error;
}

static void diff_counts_add(struct wt_diff_counts *sum, const struct wt_diff_counts *counts)
{
	sum->differences += counts->differences;
	sum->stops += counts->stops;
	sum->waves += counts->waves;
	sum->registers += counts->registers;
	sum->pages += counts->pages;
	sum->events += counts->events;
	sum->code_objects += counts->code_objects;
	sum->no_images += counts->no_images;
	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		sum->only_registers[side] += counts->only_registers[side];
		sum->only_pages[side] += counts->only_pages[side];
		sum->only_images[side] += counts->only_images[side];
		sum->unknown_waves[side] += counts->unknown_waves[side];
		sum->lost_stops[side] += counts->lost_stops[side];
		sum->only_stops[side] += counts->only_stops[side];
	}
}

bool wt_diff_is_partial(const struct wt_diff_counts *counts)
{
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		if (counts->only_registers[side] || counts->only_pages[side] ||
		    counts->only_images[side] || counts->only_sources[side] ||
		    counts->unknown_waves[side] || counts->lost_stops[side])
			return true;
	return counts->no_images != 0;
}

/* ---- Two stops ---- */

static const char *agent_architecture_name(const struct wt_diff_half *half, size_t position)
{
	uint64_t architecture = 0;

	if (position >= half->agents.count)
		return NULL;
	wt_view_number(half->view, WT_OBJECT_AGENT, half->agents.sorted[position],
		       AMD_DBGAPI_AGENT_INFO_ARCHITECTURE, &architecture);
	return wt_view_text(half->view, WT_OBJECT_ARCHITECTURE, architecture,
			    AMD_DBGAPI_ARCHITECTURE_INFO_NAME);
}

static struct wt_error *compare_agents(struct wt_diff_pair *pair)
{
	const struct wt_diff_half *half = pair->half;
	struct wt_error *error = NULL;

	for (size_t i = 0;
	     !error && (i < half[WT_DIFF_A].agents.count || i < half[WT_DIFF_B].agents.count);
	     i++) {
		struct wt_diff diff = {.kind = WT_DIFF_AGENT, .position = i + 1};
		const struct wt_diff_value *value = diff.value;

		for (int side = 0; side < WT_DIFF_SIDES; side++)
			diff.value[side] = (struct wt_diff_value){
				.present = i < half[side].agents.count,
				.text = agent_architecture_name(&half[side], i)};
		diff.what = value[WT_DIFF_A].present && value[WT_DIFF_B].present
				    ? WT_DIFF_ARCHITECTURE
				    : WT_DIFF_EXISTENCE;
		if (diff.what == WT_DIFF_EXISTENCE ||
		    (value[WT_DIFF_A].text && value[WT_DIFF_B].text &&
		     strcmp(value[WT_DIFF_A].text, value[WT_DIFF_B].text)))
			error = wt_diff_report(pair, &diff);
	}
	return error;
}

static struct wt_error *pair_states_compare(struct wt_diff_pair *pair)
{
	static const uint64_t process[WT_DIFF_SIDES];
	struct wt_diff global = {0};
	struct wt_error *error = compare_agents(pair);

	if (!error)
		error = wt_diff_codes(pair);
	if (!error)
		error = diff_events(pair);
	if (!error)
		error = wt_diff_waves(pair);
	return error ? error : wt_diff_memory(pair, "global", process, &global);
}

static bool diff_error_is_loss(const struct wt_error *error)
{
	return error && (error->code == WT_ERROR_INPUT || error->code == WT_ERROR_NOT_FOUND);
}

/* @lost_ret: the state is lost; then there is no view, and no error. */
static struct wt_error *open_half(const struct wt_diff_trace *trace, uint32_t moment,
				  struct wt_diff_half *half, bool *lost_ret)
{
	struct wt_error *error = wt_view_open(trace->reader, moment, &half->view);

	*lost_ret = diff_error_is_loss(error);
	if (*lost_ret) {
		wt_error_destroy(error);
		return NULL;
	}
	return error ? error : wt_diff_half_init(half);
}

static struct wt_error *stop_diff_begin(const struct wt_diff_listener *listener,
					const struct wt_diff_stop *const stops[WT_DIFF_SIDES])
{
	return listener->begin ? listener->begin(listener->opaque, stops) : NULL;
}

static struct wt_error *stop_diff_end(const struct wt_diff_listener *listener,
				      const struct wt_diff_counts *own,
				      struct wt_diff_counts *counts)
{
	diff_counts_add(counts, own);
	return listener->end ? listener->end(listener->opaque, own) : NULL;
}

static void arguments_deinit(struct wt_diff_arguments *arguments)
{
	for (size_t i = 0; i < arguments->count; i++)
		free(arguments->told[i].bytes);
	free(arguments->told);
}

#define cleanup_arguments __attribute__((cleanup(arguments_deinit)))

static struct wt_error *stop_pair_compare(const struct wt_diff_trace traces[WT_DIFF_SIDES],
					  const struct wt_diff_stop *const stops[WT_DIFF_SIDES],
					  const struct wt_diff_listener *listener,
					  struct wt_diff_arguments *arguments,
					  struct wt_diff_counts *counts)
{
	struct wt_diff_pair pair = {.listener = listener, .arguments = arguments};
	struct wt_error *error = stop_diff_begin(listener, stops);
	bool lost = false;

	for (int side = 0; !error && side < WT_DIFF_SIDES; side++) {
		bool lost_here;

		error = open_half(&traces[side], stops[side]->moment, &pair.half[side], &lost_here);
		pair.counts.lost_stops[side] += lost_here;
		lost |= lost_here;
	}
	if (!error && !lost) {
		pair.counts.stops++;
		error = pair_states_compare(&pair);
	}
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		wt_diff_half_deinit(&pair.half[side]);
	return error ? error : stop_diff_end(listener, &pair.counts, counts);
}

struct wt_error *wt_diff_stops(const struct wt_diff_trace traces[WT_DIFF_SIDES],
			       const uint32_t numbers[WT_DIFF_SIDES],
			       const struct wt_diff_listener *listener,
			       struct wt_diff_counts *counts)
{
	cleanup_arguments struct wt_diff_arguments arguments = {0};
	struct wt_diff_stop stops[WT_DIFF_SIDES];

	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		if (!numbers[side] || numbers[side] > traces[side].stop_count)
			return wt_error_create(
				WT_ERROR_USAGE, what, NULL,
				"there is no stop %u in %s: it has %u, counted from 1",
				numbers[side], side == WT_DIFF_A ? "A" : "B",
				traces[side].stop_count);
		stops[side] =
			(struct wt_diff_stop){numbers[side], traces[side].stops[numbers[side] - 1]};
	}
	return stop_pair_compare(traces, (const struct wt_diff_stop *const[]){&stops[0], &stops[1]},
				 listener, &arguments, counts);
}

/* ---- Two traces ---- */

/* Which stops are compared: for each stop of a trace what it is matched by. */
struct keys {
	uint64_t *of[WT_DIFF_SIDES]; /* in order */
	uint32_t count[WT_DIFF_SIDES];
};

static void keys_deinit(struct keys *keys)
{
	free(keys->of[WT_DIFF_A]);
	free(keys->of[WT_DIFF_B]);
}

/* The number of the call before each stop. */
static struct wt_error *stop_calls_read(const struct wt_diff_trace *trace, uint64_t *calls)
{
	for (uint32_t i = 0; i < trace->stop_count; i++) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(trace->reader, trace->stops[i], &moment);

		if (error)
			return error;
		calls[i] = moment->call;
	}
	return NULL;
}

/* Is each key of one side among those of the other? Both are in order. */
static bool is_subset(const struct keys *keys, enum wt_diff_side side)
{
	enum wt_diff_side other = wt_diff_other(side);
	uint32_t j = 0;

	for (uint32_t i = 0; i < keys->count[side]; i++) {
		while (j < keys->count[other] && keys->of[other][j] < keys->of[side][i])
			j++;
		if (j == keys->count[other] || keys->of[other][j] != keys->of[side][i])
			return false;
	}
	return true;
}

/* How many stops of the recording come before those of the trace. */
static uint64_t stops_before(const struct wt_diff_trace *trace)
{
	struct wt_trace_info info;

	wt_reader_info(trace->reader, &info);
	return info.part.stops_before;
}

static struct wt_error *find_keys(const struct wt_diff_trace traces[WT_DIFF_SIDES],
				  struct keys *keys)
{
	struct wt_error *error = NULL;

	for (int side = 0; !error && side < WT_DIFF_SIDES; side++) {
		keys->count[side] = traces[side].stop_count;
		keys->of[side] = calloc((size_t)keys->count[side] + 1, sizeof(uint64_t));
		if (!keys->of[side])
			return &wt_error_no_memory;
		error = stop_calls_read(&traces[side], keys->of[side]);
	}
	if (error || is_subset(keys, WT_DIFF_A) || is_subset(keys, WT_DIFF_B))
		return error;
	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		uint64_t before = stops_before(&traces[side]);

		for (uint32_t i = 0; i < keys->count[side]; i++)
			keys->of[side][i] = before + i;
	}
	return NULL;
}

/* A stop that only one trace has. */
static struct wt_error *single_stop_report(const struct wt_diff_trace traces[WT_DIFF_SIDES],
					   const struct wt_diff_stop *const stops[WT_DIFF_SIDES],
					   const struct wt_diff_listener *listener,
					   struct wt_diff_counts *counts)
{
	enum wt_diff_side side = stops[WT_DIFF_A] ? WT_DIFF_A : WT_DIFF_B;
	bool may_lack = traces[wt_diff_other(side)].may_lack_stops;
	struct wt_diff_counts own = {.differences = !may_lack};
	struct wt_error *error = stop_diff_begin(listener, stops);

	own.only_stops[side] = may_lack;
	return error ? error : stop_diff_end(listener, &own, counts);
}

/* The next stops in the order of their keys; NULL for a side whose next one comes later. */
static void next_stops_take(const struct wt_diff_trace traces[WT_DIFF_SIDES],
			    const struct keys *keys, uint32_t next[WT_DIFF_SIDES],
			    struct wt_diff_stop stops[WT_DIFF_SIDES],
			    const struct wt_diff_stop *taken_ret[WT_DIFF_SIDES])
{
	uint64_t first = UINT64_MAX;

	for (int side = 0; side < WT_DIFF_SIDES; side++)
		if (next[side] < keys->count[side] && keys->of[side][next[side]] < first)
			first = keys->of[side][next[side]];
	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		uint32_t here = next[side];

		taken_ret[side] = NULL;
		if (here == keys->count[side] || keys->of[side][here] != first)
			continue;
		stops[side] = (struct wt_diff_stop){here + 1, traces[side].stops[here]};
		taken_ret[side] = &stops[side];
		next[side]++;
	}
}

struct wt_error *wt_diff_traces(const struct wt_diff_trace traces[WT_DIFF_SIDES],
				const struct wt_diff_listener *listener,
				struct wt_diff_counts *counts)
{
	__attribute__((cleanup(keys_deinit))) struct keys keys = {0};
	cleanup_arguments struct wt_diff_arguments arguments = {0};
	struct wt_error *error = find_keys(traces, &keys);
	uint32_t next[WT_DIFF_SIDES] = {0};

	while (!error && (next[WT_DIFF_A] < keys.count[WT_DIFF_A] ||
			  next[WT_DIFF_B] < keys.count[WT_DIFF_B])) {
		struct wt_diff_stop stops[WT_DIFF_SIDES];
		const struct wt_diff_stop *taken[WT_DIFF_SIDES];

		next_stops_take(traces, &keys, next, stops, taken);
		error = taken[WT_DIFF_A] && taken[WT_DIFF_B]
				? stop_pair_compare(traces, taken, listener, &arguments, counts)
				: single_stop_report(traces, taken, listener, counts);
	}
	return error;
}
