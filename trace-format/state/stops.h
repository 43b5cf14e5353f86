/* SPDX-License-Identifier: MIT */
/*
 * What a list of the stops of a trace shows of each: its events, how many waves stopped and why, and where the first of
 * each kind stood (FORMAT.md, "Summary"). It is made of a state, by who writes a trace; who reads one compares.
 *
 * This is the one place of this folder that looks at what items mean. It knows the names that FORMAT.md gives.
 */
#ifndef WT_TRACE_FORMAT_STATE_STOPS_H
#define WT_TRACE_FORMAT_STATE_STOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "trace-format/state/names.h"
#include "trace-format/state/record.h"
#include "trace-format/state/state.h"

/* So many events are the most that a list can have at all its stops. */
#define WT_LISTED_EVENTS_MAX ((uint64_t)4 << 20)

/* Events in a row with the same kind and handles that follow one another. */
struct wt_stop_events {
	uint64_t first, count;
	uint32_t kind;
};

/* What is known of the wave that stands for its group. */
enum { WT_STOP_PC = 1, WT_STOP_ARCHITECTURE = 2, WT_STOP_ENTRY = 4 };

/* The waves that stopped for the same reasons, and the first of them. */
struct wt_stop_group {
	uint64_t reasons, count;
	uint64_t wave;		   /* handle of the first one, in the order of the list of waves */
	uint32_t known;		   /* which of the next three are */
	uint64_t pc, architecture; /* of it; a handle */
	uint64_t entry;		   /* address at which the kernel of its dispatch begins */
};

/* A code object with its image. */
struct wt_stop_code {
	uint64_t handle, load_address;
	const uint32_t *blobs; /* numbers of those that are its image, in order */
	size_t blob_count;
};

/* Lists belong to whoever made it. */
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
 * The events of a moment as runs, as many as @count_ret says; the caller frees them. NULL if there is no memory.
 */
struct wt_stop_events *wt_stop_events(const struct wt_moment *moment, size_t *count_ret);

/** Frees the lists. Zeros are legal. */
void wt_stop_deinit(struct wt_stop *stop);

/**
 * Find out what a list shows of a moment.
 *
 * @names: those of the trace.
 * @state: at the moment; facts may be left out.
 * @stop_ret: to be freed with wt_stop_deinit(); `code` points into @state.
 * @whole_ret: false if something of it cannot be told: a code object's image is not a row of blobs as they are.
 */
struct wt_error *wt_stop_describe(const struct wt_names *names, const struct wt_moment *moment,
				  const struct wt_state *state, struct wt_stop *stop_ret,
				  bool *whole_ret);

/** The reasons of all its waves together. */
uint64_t wt_stop_reasons(const struct wt_stop *stop);

/** How many waves are stopped. */
uint64_t wt_stop_stopped(const struct wt_stop *stop);

/** Does a list say the same of two stops? */
bool wt_stop_equal(const struct wt_stop *a, const struct wt_stop *b);

/* A list that is being made: zeros at first. */
struct wt_stop_list {
	struct wt_buffer encoded; /* fields of message Summary so far */
	struct wt_stop_code
		*codes; /* of all stops; those of one stop are told by their positions here */
	size_t code_count, code_capacity;
	uint32_t *last; /* positions of those of the last stop */
	size_t last_count, last_capacity;
	uint64_t events; /* at all stops */
	bool broken;	 /* something could not be told: there will be no list */
};

void wt_stop_list_deinit(struct wt_stop_list *list);
/** Bytes of memory it takes. */
size_t wt_stop_list_size(const struct wt_stop_list *list);
/** Add the next stop. Without memory the list is `broken`. */
void wt_stop_list_add(struct wt_stop_list *list, const struct wt_stop *stop);

#endif /* WT_TRACE_FORMAT_STATE_STOPS_H */
