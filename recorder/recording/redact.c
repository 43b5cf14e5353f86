/* SPDX-License-Identifier: MIT */
#include "recorder/recording/redact.h"

const struct wt_value *wt_redact(const struct wt_recorder *recorder, const struct wt_value *values,
				 size_t count, struct wt_value store[WT_REDACT_VALUES])
{
	if (!recorder->options.policy.redact)
		return values;
	for (size_t i = 0; i < count && i < WT_REDACT_VALUES; i++)
		store[i] = wt_redact_value(recorder, values[i]);
	return store;
}
