/* SPDX-License-Identifier: MIT */
/* Find what differs of two values, for text and for JSON. */
#include "cli/files/verb-diff.h"

struct wt_diff_bytes wt_diff_count_bytes(const struct wt_diff_value value[WT_DIFF_SIDES])
{
	const struct wt_diff_value *a = &value[WT_DIFF_A], *b = &value[WT_DIFF_B];
	size_t shorter = a->size < b->size ? a->size : b->size;
	size_t longer = a->size < b->size ? b->size : a->size;
	struct wt_diff_bytes bytes = {.first = shorter, .count = longer - shorter};

	for (size_t i = shorter; i-- > 0;) {
		if (a->data[i] == b->data[i])
			continue;
		bytes.first = i;
		bytes.count++;
	}
	return bytes;
}

uint32_t wt_diff_lane(const struct wt_diff_value *value, uint32_t lane)
{
	uint32_t number = 0;

	for (size_t i = 0; i < 4 && lane * 4 + i < value->size; i++)
		number |= (uint32_t)value->data[lane * 4 + i] << 8 * i;
	return number;
}

uint64_t wt_diff_lanes(const struct wt_diff_value value[WT_DIFF_SIDES])
{
	uint64_t lanes = 0;

	for (uint32_t lane = 0; lane < 64; lane++)
		if (wt_diff_lane(&value[WT_DIFF_A], lane) != wt_diff_lane(&value[WT_DIFF_B], lane))
			lanes |= UINT64_C(1) << lane;
	return lanes;
}
