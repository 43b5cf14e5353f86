/* SPDX-License-Identifier: MIT */
/* Memory for decoded packets: bounded, and freed all at once. */
#ifndef WT_TRACE_FORMAT_MESSAGE_ARENA_H
#define WT_TRACE_FORMAT_MESSAGE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct wt_arena_block;

struct wt_arena {
	struct wt_arena_block *blocks;
	size_t used, limit; /* bytes; `limit` 0 means no limit */
	bool exhausted;	    /* an allocation exceeded the limit */
	bool no_memory;	    /* the system had no memory */
};

/** An empty arena. @limit: bytes that may be allocated; 0: any number. */
void wt_arena_init(struct wt_arena *arena, size_t limit);
void wt_arena_deinit(struct wt_arena *arena);
/** Give up everything that was allocated, and set a new limit. Memory for small messages is kept. */
void wt_arena_reset(struct wt_arena *arena, size_t limit);

/** Memory aligned for any type, not cleared; NULL if there is none or the limit is reached. */
void *wt_arena_alloc(struct wt_arena *arena, size_t size);
/** The same for @count elements. */
void *wt_arena_array(struct wt_arena *arena, size_t count, size_t size);
void *wt_arena_copy(struct wt_arena *arena, const void *data, size_t size);

#endif /* WT_TRACE_FORMAT_MESSAGE_ARENA_H */
