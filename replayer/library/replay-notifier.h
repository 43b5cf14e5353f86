/* SPDX-License-Identifier: MIT */
/* The notifier of a process: a pipe that has a byte in it while an event may be pending. */
#ifndef WT_REPLAYER_LIBRARY_REPLAY_NOTIFIER_H
#define WT_REPLAYER_LIBRARY_REPLAY_NOTIFIER_H

#include <stdbool.h>

/** Make a pipe. @ends: the client's end, ours; both -1 if it cannot be made. */
bool wt_notifier_open(int ends[2]);
void wt_notifier_close(int ends[2]);

/** Make the client's end readable. The pipe never has more than one byte. */
void wt_notifier_raise(const int ends[2]);

#endif /* WT_REPLAYER_LIBRARY_REPLAY_NOTIFIER_H */
