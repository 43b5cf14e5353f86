/* SPDX-License-Identifier: MIT */
/*
 * The state moves along with a client that makes the recorded calls, so that it can be asked anything when the client
 * makes another one. What the recorded library granted is done; what it refused has no effect.
 */
#ifndef WT_REPLAYER_LIBRARY_FOLLOW_H
#define WT_REPLAYER_LIBRARY_FOLLOW_H

#include "replayer/library/repeat.h"

/** To where the recorded session was before a call. Return: false if the trace is damaged there. */
bool wt_follow_before(const struct wt_whole_call *call);

/** What a recorded call did, whose callbacks were made. Return: as above. */
bool wt_follow(const struct wt_repeat *repeat);

#endif /* WT_REPLAYER_LIBRARY_FOLLOW_H */
