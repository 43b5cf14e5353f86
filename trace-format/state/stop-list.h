/* SPDX-License-Identifier: MIT */
/*
 * A list of stops shows of each stop: its events, how many waves stopped and why, and the pc of the first wave of each
 * group (FORMAT.md, "Summary"). The writer of a trace makes the list from its states; a reader compares the two.
 *
 * This is the only file below trace-format/ that knows what items mean. It uses the names that FORMAT.md gives.
 */
#ifndef WT_TRACE_FORMAT_STATE_STOP_LIST_H
#define WT_TRACE_FORMAT_STATE_STOP_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "trace-format/state/names.h"
#include "trace-format/state/record.h"
#include "trace-format/state/state.h"

/* The maximum number of events that a list can have, over all its stops. */
#define WT_LISTED_EVENTS_MAX ((uint64_t)4 << 20)

/* Consecutive events of the same kind, with consecutive handles. */
struct wt_stop_events {
	uint64_t first, count;
	uint32_t kind;
};

/* Facts known of the wave that represents its group: bits of `known`. */
enum { WT_STOP_PC = 1, WT_STOP_ARCHITECTURE = 2, WT_STOP_ENTRY = 4 };

/* The waves that stopped for the same reasons, and the first of them. */
struct wt_stop_group {
	uint64_t reasons, count;
	uint64_t wave;		   /* handle of the first one, in the order of the list of waves */
	uint32_t known;		   /* which of the next three are known */
	uint64_t pc, architecture; /* of that wave; architecture: a handle */
	uint64_t entry;		   /* address at which the kernel of its dispatch begins */
};

/* A code object with its image. */
struct wt_stop_code {
	uint64_t handle, load_address;
	const uint32_t *blobs; /* numbers of the blobs that make up its image, in order */
	size_t blob_count;
};

/* One stop. Whoever creates it owns the lists. */
struct wt_stop {
	uint32_t moment;
	uint64_t process, call, time;
	struct wt_stop_events *events;
	size_t event_count;
	uint64_t waves;
	struct wt_stop_group *groups; /* in the order of their first waves */
	size_t group_count;
	struct wt_stop_code *code; /* in the order of the list of code objects */
	size_t code_count;
};

/**
 * The events of a moment as *@count_ret runs; the caller frees them. NULL if there is no memory.
 */
struct wt_stop_events *wt_stop_events(const struct wt_moment *moment, size_t *count_ret);

/** Free the lists. Legal on all zeros. */
void wt_stop_deinit(struct wt_stop *stop);

/**
 * Make what a list shows of a moment.
 *
 * @names: those of the trace.
 * @state: at the moment; facts may be left out.
 * @stop_ret: the caller frees it with wt_stop_deinit(); `code` points into @state.
 * @whole_ret: false if the description is incomplete because a code object's image is not a sequence of unchanged blobs.
 */
struct wt_error *wt_stop_describe(const struct wt_names *names, const struct wt_moment *moment,
				  const struct wt_state *state, struct wt_stop *stop_ret,
				  bool *whole_ret);

/** The stop reasons of all its waves, combined. */
uint64_t wt_stop_reasons(const struct wt_stop *stop);

/** How many waves are stopped. */
uint64_t wt_stop_stopped(const struct wt_stop *stop);

/** Would a list show the same for two stops? */
bool wt_stop_equal(const struct wt_stop *a, const struct wt_stop *b);

/* A list that is being made. All zeros is an empty list. */
struct wt_stop_list {
	struct wt_buffer encoded; /* fields of message Summary so far */
	struct wt_stop_code
		*codes; /* of all stops; a stop refers to its code objects by position here */
	size_t code_count, code_capacity;
	uint32_t *last; /* positions of the last stop's code objects */
	size_t last_count, last_capacity;
	uint64_t events; /* at all stops */
	bool broken;	 /* something could not be listed: there will be no list */
};

void wt_stop_list_deinit(struct wt_stop_list *list);
/** Bytes of memory it takes. */
size_t wt_stop_list_size(const struct wt_stop_list *list);
/** Add the next stop. Sets `broken` if there is no memory. */
void wt_stop_list_add(struct wt_stop_list *list, const struct wt_stop *stop);

#endif /* WT_TRACE_FORMAT_STATE_STOP_LIST_H */
