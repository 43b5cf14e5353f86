/* SPDX-License-Identifier: MIT */
/* Waves of a view: which have a fault, and which of them to look at. */
#include "replayer/recorded/reason.h"
#include "replayer/view/view.h"

bool wt_view_wave_has_fault(const struct wt_view *view, uint64_t wave)
{
	return wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, 0) &
	       WT_FAULT_REASONS;
}

bool wt_view_has_fault(const struct wt_view *view)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);

	for (size_t i = 0; i < count; i++)
		if (wt_view_wave_has_fault(view, waves[i]))
			return true;
	return false;
}

uint64_t wt_view_telling_wave(const struct wt_view *view)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	uint64_t first = 0;

	for (size_t i = 0; i < count; i++) {
		if (wt_view_wave_has_fault(view, waves[i]))
			return waves[i];
		if (!first && wt_view_register_count(view, waves[i]))
			first = waves[i];
	}
	return first;
}
