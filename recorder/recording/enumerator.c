/* SPDX-License-Identifier: MIT */
#include "recorder/recording/enumerator.h"

/* So many at most are named: more than that are no values of any level. */
#define NAMED 64u
/* An enumeration of this many single bits and nothing else has flags. */
#define FLAGS 3u

/* The bits of an enumeration of flags; 0 for others. */
static uint32_t flags_of(const struct wt_enumeration *enumeration)
{
	uint32_t flags = 0, count = 0;

	for (size_t i = 0; i < enumeration->count; i++) {
		const uint32_t value = (uint32_t)enumeration->values[i].value;

		if (value & (value - 1))
			return 0;
		count += value && !(flags & value);
		flags |= value;
	}
	return count >= FLAGS ? flags : 0;
}

static void enumerator_tell(struct wt_recorder *recorder, const struct wt_enumeration *enumeration,
			    uint32_t value, bool flag)
{
	struct wt_handles *named = &recorder->session.unknown_values;
	const uint64_t is = (uint64_t)(enumeration - wt_enumerations) << 32 | value;

	if (named->count >= NAMED || wt_handles_has(named, is))
		return;
	if (!wt_handles_add(named, is)) {
		wt_recorder_check(recorder, &wt_error_no_memory);
		return;
	}
	wt_recorder_check(
		recorder,
		flag ? wt_recorder_notice(recorder, WT_NOTICE_NOT_TAKEN,
					  "flag %#x of %s is not known: it is kept as it is",
					  (unsigned int)value, enumeration->name)
		     : wt_recorder_notice(recorder, WT_NOTICE_NOT_TAKEN,
					  "value %d of %s is not known: it is kept as it is",
					  (int)value, enumeration->name));
}

/* All that are known: it has been looked at, and nothing need be told. */
static bool enumerator_is_known(const struct wt_enumeration *enumeration, uint32_t value,
				uint32_t *flags_ret)
{
	*flags_ret = 0;
	for (size_t i = 0; i < enumeration->count; i++)
		if ((uint32_t)enumeration->values[i].value == value)
			return true;
	*flags_ret = flags_of(enumeration);
	return *flags_ret && !(value & ~*flags_ret);
}

void wt_enumerator_look(struct wt_recorder *recorder, const struct wt_enumeration *enumeration,
			uint32_t value)
{
	struct wt_known_values *known = &recorder->session.known_values;
	uint32_t flags;

	if (enumerator_is_known(enumeration, value, &flags)) {
		known->enumerations[wt_known_place(enumeration, value)] = enumeration;
		known->values[wt_known_place(enumeration, value)] = value;
		return;
	}
	if (!flags)
		enumerator_tell(recorder, enumeration, value, false);
	for (uint32_t unknown = flags ? value & ~flags : 0; unknown; unknown &= unknown - 1)
		enumerator_tell(recorder, enumeration, unknown & -unknown, true);
}

void wt_status_answered(struct wt_recorder *recorder, int64_t status)
{
	if (!wt_status_is_known(status))
		wt_enumerator_answered(recorder, wt_enumeration_find("amd_dbgapi_status_t"),
				       (uint32_t)status);
}
