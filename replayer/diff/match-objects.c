/* SPDX-License-Identifier: MIT */
/* Which objects of one state are those of the other, whatever their handles. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "replayer/diff/internal.h"

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Handles count up as objects are created. */
static bool find_handles(const struct wt_view *view, enum wt_object object,
			 struct wt_diff_handles *handles_ret)
{
	const uint64_t *listed;
	size_t count = wt_view_objects(view, object, &listed);

	handles_ret->sorted = calloc(count + 1, sizeof(*handles_ret->sorted));
	if (!handles_ret->sorted)
		return false;
	if (count)
		memcpy(handles_ret->sorted, listed, count * sizeof(*listed));
	handles_ret->count = count;
	qsort(handles_ret->sorted, count, sizeof(*listed), wt_compare_u64);
	return true;
}

uint32_t wt_diff_rank(const struct wt_diff_handles *handles, uint64_t handle)
{
	const uint64_t *found = bsearch(&handle, handles->sorted, handles->count,
					sizeof(*handles->sorted), wt_compare_u64);

	return found ? (uint32_t)(found - handles->sorted) + 1 : 0;
}

/* ---- Waves ---- */

/* Compares two numbers that may not be known; two unknown ones are equal. */
static int compare_known(bool known_a, bool known_b, uint64_t a, uint64_t b)
{
	if (known_a != known_b)
		return known_a ? 1 : -1;
	return known_a ? compare_numbers(a, b) : 0;
}

static int compare_dispatches(const struct wt_diff_place *a, const struct wt_diff_place *b)
{
	int order = compare_numbers(a->agent, b->agent);

	if (!order)
		order = compare_numbers(a->queue, b->queue);
	return order ? order : compare_known(a->has_packet, b->has_packet, a->packet, b->packet);
}

/* Everything but the number in the workgroup. */
static int place_groups_compare(const struct wt_diff_place *a, const struct wt_diff_place *b)
{
	int order = compare_dispatches(a, b);

	for (int i = 2; !order && i >= 0; i--)
		order = compare_known(a->has_workgroup, b->has_workgroup, a->workgroup[i],
				      b->workgroup[i]);
	return order;
}

int wt_diff_place_compare(const struct wt_diff_place *a, const struct wt_diff_place *b)
{
	int order = place_groups_compare(a, b);

	return order ? order : compare_numbers(a->number_in_group, b->number_in_group);
}

bool wt_diff_same_dispatch(const struct wt_diff_place *a, const struct wt_diff_place *b)
{
	return !compare_dispatches(a, b);
}

bool wt_diff_same_group(const struct wt_diff_place *a, const struct wt_diff_place *b)
{
	return a->has_workgroup && !place_groups_compare(a, b);
}

/* Two waves of one place cannot be told apart by it; their handles give an order at least. */
static int known_waves_compare(const void *a, const void *b)
{
	const struct wt_diff_known_wave *x = a, *y = b;
	int order = wt_diff_place_compare(&x->place, &y->place);

	return order ? order : compare_numbers(x->handle, y->handle);
}

static struct wt_diff_place wave_diff_place(const struct wt_diff_half *half, uint64_t wave)
{
	const struct wt_view *view = half->view;
	uint64_t dispatch =
		wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	struct wt_diff_place place = {
		.agent = wt_diff_rank(&half->agents,
				      wt_view_number_or(view, WT_OBJECT_WAVE, wave,
							AMD_DBGAPI_WAVE_INFO_AGENT, 0)),
		.queue = wt_diff_rank(&half->queues,
				      wt_view_number_or(view, WT_OBJECT_WAVE, wave,
							AMD_DBGAPI_WAVE_INFO_QUEUE, 0)),
	};

	place.has_packet =
		wt_view_number(view, WT_OBJECT_DISPATCH, dispatch,
			       AMD_DBGAPI_DISPATCH_INFO_OS_QUEUE_PACKET_ID, &place.packet);
	place.has_workgroup =
		wt_view_array(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
			      place.workgroup, 3);
	place.number_in_group = (uint32_t)wt_view_number_or(
		view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP, 0);
	return place;
}

static bool find_waves(struct wt_diff_half *half)
{
	const uint64_t *listed;
	size_t count = wt_view_objects(half->view, WT_OBJECT_WAVE, &listed);

	half->waves = calloc(count + 1, sizeof(*half->waves));
	if (!half->waves)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!wt_view_exists(half->view, WT_OBJECT_WAVE, listed[i])) {
			half->unknown_waves++;
			continue;
		}
		half->waves[half->wave_count++] =
			(struct wt_diff_known_wave){wave_diff_place(half, listed[i]), listed[i]};
	}
	qsort(half->waves, half->wave_count, sizeof(*half->waves), known_waves_compare);
	return true;
}

const struct wt_diff_place *wt_diff_find_place(const struct wt_diff_half *half, uint64_t wave)
{
	for (size_t i = 0; i < half->wave_count; i++)
		if (half->waves[i].handle == wave)
			return &half->waves[i].place;
	return NULL;
}

/* ---- Halves ---- */

struct wt_error *wt_diff_half_init(struct wt_diff_half *half)
{
	if (!find_handles(half->view, WT_OBJECT_AGENT, &half->agents) ||
	    !find_handles(half->view, WT_OBJECT_QUEUE, &half->queues) || !find_waves(half))
		return &wt_error_no_memory;
	return NULL;
}

void wt_diff_half_deinit(struct wt_diff_half *half)
{
	wt_explainer_destroy(half->explainer);
	wt_view_close(half->view);
	free(half->agents.sorted);
	free(half->queues.sorted);
	free(half->waves);
	free(half->codes);
	*half = (struct wt_diff_half){0};
}

struct wt_error *wt_diff_explainer(struct wt_diff_half *half, struct wt_explainer **explainer_ret)
{
	struct wt_error *error =
		half->explainer ? NULL : wt_explainer_create(half->view, &half->explainer);

	if (!error)
		*explainer_ret = half->explainer;
	return error;
}
