/* SPDX-License-Identifier: MIT */
/* A process's notifier: a pipe that has a byte in it when there is something to get. */
#ifndef WT_REPLAYER_LIBRARY_NOTIFIER_H
#define WT_REPLAYER_LIBRARY_NOTIFIER_H

#include <stdbool.h>

/** @ends: the client's, ours; both -1 if there can be none. */
bool wt_notifier_open(int ends[2]);
void wt_notifier_close(int ends[2]);

/** Clients read single bytes until the pipe is empty, so one byte at most stands in it. */
void wt_notifier_raise(const int ends[2]);

#endif /* WT_REPLAYER_LIBRARY_NOTIFIER_H */
