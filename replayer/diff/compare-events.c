/* SPDX-License-Identifier: MIT */
/* The events of two stops, in the order in which the client was given them. */
#include <stdlib.h>

#include "replayer/diff/internal.h"

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

struct wt_error *wt_diff_events(struct wt_diff_pair *pair)
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
