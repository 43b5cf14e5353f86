/* SPDX-License-Identifier: MIT */
/*
 * What the stand-in answers with STAND_IN_WAITS: as if the program waited though nothing runs. It has no waves, and each queue is at
 * packet 5, a barrier, with the workload's first dispatch behind it. The barrier waits for two signals: where the ring begins, and
 * at an address that is not mapped.
 */
#ifndef WT_TESTS_HABITS_WAITS_H
#define WT_TESTS_HABITS_WAITS_H

#include "replayer/library/replay-call.h"

/** Answer a call. Return: false where the library below is to answer it. */
bool wt_waits_answer(const struct wt_api *api, const amd_dbgapi_callbacks_t *client,
		     enum wt_function function, const struct wt_argument *arguments,
		     int64_t *status_ret);

#endif /* WT_TESTS_HABITS_WAITS_H */
