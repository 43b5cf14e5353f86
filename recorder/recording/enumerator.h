/* SPDX-License-Identifier: MIT */
/*
 * Values of enumerations that the table does not have: of a library that is newer than all that is known here. They are passed
 * on and recorded as the numbers that they are, and the trace names each once.
 */
#ifndef WT_RECORDER_RECORDING_ENUMERATOR_H
#define WT_RECORDER_RECORDING_ENUMERATOR_H

#include "recorder/recording/recorder.h"

/** The place where a value is kept once it was found to be known. */
static inline size_t wt_known_place(const struct wt_enumeration *enumeration, uint32_t value)
{
	return ((uintptr_t)enumeration >> 4 ^ value) & (WT_KNOWN_VALUES - 1);
}

/** Does for an enumeration what wt_enumerator_answered() does, for a value that need not have been looked at before. */
void wt_enumerator_look(struct wt_recorder *recorder, const struct wt_enumeration *enumeration,
			uint32_t value);

/**
 * A library has answered with a value of an enumeration. Bits of flags count one by one.
 *
 * @enumeration: NULL is none.
 * @value: as the enumeration has it: 32 bits wide.
 */
static inline void wt_enumerator_answered(struct wt_recorder *recorder,
					  const struct wt_enumeration *enumeration, uint32_t value)
{
	const struct wt_known_values *known = &recorder->session.known_values;
	size_t place;

	if (!enumeration)
		return;
	place = wt_known_place(enumeration, value);
	if (known->enumerations[place] != enumeration || known->values[place] != value)
		wt_enumerator_look(recorder, enumeration, value);
}

/** Is it one of the table's? They are told in one comparison: most calls succeed. */
static inline bool wt_status_is_known(int64_t status)
{
	return status >= AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN && status <= 0;
}

/** The same of what a call returned. */
void wt_status_answered(struct wt_recorder *recorder, int64_t status);

#endif /* WT_RECORDER_RECORDING_ENUMERATOR_H */
