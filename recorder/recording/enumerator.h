/* SPDX-License-Identifier: MIT */
/*
 * Values of enumerations that the table does not have: of a library that is newer than all that is known here. They are passed
 * on and recorded as the numbers that they are, and the trace names each once.
 */
#ifndef WT_RECORDER_RECORDING_ENUMERATOR_H
#define WT_RECORDER_RECORDING_ENUMERATOR_H

#include "recorder/recording/recorder.h"

/**
 * A library has answered with a value of an enumeration. Bits of flags count one by one.
 *
 * @enumeration: NULL is none.
 * @value: as the enumeration has it: 32 bits wide.
 */
void wt_enumerator_answered(struct wt_recorder *recorder, const struct wt_enumeration *enumeration,
			    uint32_t value);

/** The same of what a call returned. */
void wt_status_answered(struct wt_recorder *recorder, int64_t status);

#endif /* WT_RECORDER_RECORDING_ENUMERATOR_H */
