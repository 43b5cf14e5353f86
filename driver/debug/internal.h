/* SPDX-License-Identifier: MIT */
/* What the files of the room share. */
#ifndef WT_DRIVER_DEBUG_INTERNAL_H
#define WT_DRIVER_DEBUG_INTERNAL_H

#include "driver/debug/session.h"

/* queues.c */
/** The place of a device's id; -1: there is none. */
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

/* control.c */
int wt_debug_launch_override(struct wt_debug_session *session, struct kfd_debug_trap *args);
int wt_debug_launch_mode(struct wt_debug_session *session, const struct kfd_debug_trap *args);
int wt_debug_set_watch(struct wt_debug_session *session, struct kfd_debug_trap *args);
int wt_debug_clear_watch(struct wt_debug_session *session, const struct kfd_debug_trap *args);
int wt_debug_set_flags(struct wt_debug_session *session, struct kfd_debug_trap *args);
/** Tell the engine how waves are launched and what of them is watched; nothing special if nobody is attached. */
void wt_debug_apply(struct wt_debug_session *session);
void wt_debug_forget_controls(struct wt_debug_session *session);

#endif /* WT_DRIVER_DEBUG_INTERNAL_H */
