/* SPDX-License-Identifier: MIT */
/* The recorder of this library: the API has no context parameter, so there is one for each loaded library. */
#ifndef WT_RECORDER_RECORDING_ENVIRONMENT_H
#define WT_RECORDER_RECORDING_ENVIRONMENT_H

#include "recorder/recording/recorder.h"

/** The recorder, opened as the environment says when it is first asked for. */
struct wt_recorder *wt_recorder_get(void);

/**
 * Record with these options from now on, whatever the environment says. Before the first call of the library, or between two
 * sessions, while no thread is in a call. A recording that is there is ended.
 *
 * Return: the recorder, as wt_recorder_open() leaves it.
 */
struct wt_recorder *wt_recorder_begin(const struct wt_recorder_options *options);

/** The same, but NULL if nobody has asked for it yet. */
struct wt_recorder *wt_recorder_opened(void);

#endif /* WT_RECORDER_RECORDING_ENVIRONMENT_H */
