/* SPDX-License-Identifier: MIT */
/*
 * Keeps the replay's state up to date while recorded answers are repeated (repeat.h), so that any other call can be answered
 * from the state at any time. A call that succeeded when recorded has its effect; one that failed has none.
 */
#ifndef WT_REPLAYER_LIBRARY_REPLAY_FOLLOW_H
#define WT_REPLAYER_LIBRARY_REPLAY_FOLLOW_H

#include "replayer/library/repeat.h"

/** Bring the state to where the recorded session was before @call. Return: false if the trace is damaged there. */
bool wt_follow_before(const struct wt_whole_call *call);

/**
 * Do what the recorded call did. Its callbacks have been made. If it attached to a process, that is the repeat's from then on.
 * Return: false if the trace is damaged there.
 */
bool wt_follow(struct wt_repeat *repeat);

#endif /* WT_REPLAYER_LIBRARY_REPLAY_FOLLOW_H */
