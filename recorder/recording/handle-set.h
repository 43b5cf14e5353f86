/* SPDX-License-Identifier: MIT */
/*
 * A growing set of handles. Of a whole GPU each wave is asked for and added at each stop, so that it is looked up by hash:
 * a stop of ten thousand waves must not take the square of that.
 */
#ifndef WT_RECORDER_RECORDING_HANDLE_SET_H
#define WT_RECORDER_RECORDING_HANDLE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros is an empty set. */
struct wt_handles {
	uint64_t *values; /* in the order in which they were added, as long as none is removed */
	size_t count, capacity;
	uint32_t *slots;   /* 1 + place among the values, 0: free; NULL while there are few */
	size_t slot_count; /* a power of two, at least twice the count */
};

/** Add a handle that may be there already. False without memory: the set is as it was. */
bool wt_handles_add(struct wt_handles *handles, uint64_t handle);
/** Remove one that may be there. The last one takes its place: who walks the set backwards may remove each on the way. */
void wt_handles_remove(struct wt_handles *handles, uint64_t handle);
/* Does what wt_handles_has() does, for a set that is not empty. */
bool wt_handles_find(const struct wt_handles *handles, uint64_t handle);

static inline bool wt_handles_has(const struct wt_handles *handles, uint64_t handle)
{
	return handles->count && wt_handles_find(handles, handle);
}

void wt_handles_clear(struct wt_handles *handles);
void wt_handles_deinit(struct wt_handles *handles);

#endif /* WT_RECORDER_RECORDING_HANDLE_SET_H */
