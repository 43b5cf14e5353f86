/* SPDX-License-Identifier: MIT */
/* Declarations that the files of this room share: one function for each operation of the debug call. */
#ifndef WT_DRIVER_DEBUG_INTERNAL_H
#define WT_DRIVER_DEBUG_INTERNAL_H

#include "driver/debug/debugger-session.h"

/* queues.c */
/** The index of the device with this id; -1 if there is none. */
int wt_debug_device(const struct wt_debug_session *session, uint32_t gpu_id);
int wt_debug_suspend(struct wt_debug_session *session, const struct wt_debug_caller *caller,
		     struct kfd_debug_trap *args);
int wt_debug_resume(struct wt_debug_session *session, const struct wt_debug_caller *caller,
		    struct kfd_debug_trap *args);
int wt_debug_snapshot_queues(struct wt_debug_session *session, const struct wt_debug_caller *caller,
			     struct kfd_debug_trap *args);
int wt_debug_snapshot_devices(struct wt_debug_session *session,
			      const struct wt_debug_caller *caller, struct kfd_debug_trap *args);
void wt_debug_resume_all(struct wt_debug_session *session);

#endif /* WT_DRIVER_DEBUG_INTERNAL_H */
