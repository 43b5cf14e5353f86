/* SPDX-License-Identifier: MIT */
/*
 * Further processes to which a client in step has attached. A trace is replayed for one process at a time, so that there is no
 * state of the others: all answers about them are the recorded ones. Here is what cannot be recorded: their notifiers, and
 * their OS ids.
 */
#ifndef WT_REPLAYER_LIBRARY_OTHER_H
#define WT_REPLAYER_LIBRARY_OTHER_H

#include "replayer/library/internal.h"

/** The client attached to one. @like: its number. Return: false if there are too many, or it has no notifier. */
bool wt_other_attach(uint64_t handle, const struct wt_replay_process *like);

/** It detached from it, if it is one of them. */
void wt_other_detach(uint64_t handle);
void wt_other_detach_all(void);

/** A query of one of them for what is its own; false if it is none of them, or the query is another. */
bool wt_other_info(uint64_t handle, uint32_t query, size_t value_size, void *value,
		   amd_dbgapi_status_t *status_ret);

/** Make the notifiers readable of those that the client gets an event from next. */
void wt_other_notify(void);

#endif /* WT_REPLAYER_LIBRARY_OTHER_H */
