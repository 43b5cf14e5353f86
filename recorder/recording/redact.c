/* SPDX-License-Identifier: MIT */
#include "recorder/recording/redact.h"

const struct wt_value *wt_redact(const struct wt_recorder *recorder, bool carries,
				 const struct wt_value *values, size_t count,
				 struct wt_value store[WT_REDACT_VALUES])
{
	if (!recorder->options.policy.redact || !carries)
		return values;
	for (size_t i = 0; i < count && i < WT_REDACT_VALUES; i++)
		store[i] = values[i].form == WT_VALUE_DATA ? wt_value_present(true) : values[i];
	return store;
}
