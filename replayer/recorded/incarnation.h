/* SPDX-License-Identifier: MIT */
/*
 * Translates handles between what the client knows and what was recorded. They are the same until the replay is sent to
 * another moment, or the client attaches once more to what it has detached from: then objects that the client saw vanish come
 * back, and a handle that has become invalid must never become valid again. So an object that comes back gets a new handle.
 *
 * Only objects that come and go are translated: code objects, agents, queues, dispatches, clusters, workgroups and waves. All
 * other handles are always the recorded ones.
 */
#ifndef WT_REPLAYER_RECORDED_INCARNATION_H
#define WT_REPLAYER_RECORDED_INCARNATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "dbgapi/table/api.h"
#include "replayer/recorded/table-names.h"
#include "trace-format/state/state.h"

/* The recorded handle of a handle that names nothing. Not null, which often has a meaning. */
#define WT_NO_HANDLE UINT64_MAX

struct wt_incarnation {
	uint64_t recorded, shown;
	UT_hash_handle by_recorded, by_shown;
};

struct wt_incarnations {
	bool travelled; /* until then nothing is translated, */
	bool again;	/* unless the client was attached to the process before */
	struct wt_incarnation *by_recorded[WT_OBJECT_COUNT], *by_shown[WT_OBJECT_COUNT];
	uint64_t highest[WT_OBJECT_COUNT]; /* that was ever shown */
};

/** Forget everything; zeroed memory is a start, too. */
void wt_incarnations_deinit(struct wt_incarnations *incarnations);

/** Are any handles translated? */
static inline bool wt_incarnations_translate(const struct wt_incarnations *incarnations)
{
	return incarnations->travelled || incarnations->again;
}

/** Are handles of this kind of object translated? */
bool wt_incarnation_is_translated(enum wt_object object);

/** The recorded handle of what the client names; WT_NO_HANDLE if that is no more. */
uint64_t wt_incarnation_recorded(const struct wt_incarnations *incarnations, enum wt_object object,
				 uint64_t shown);

/** The handle that the client knows a recorded object by, or knew it by last. */
uint64_t wt_incarnation_shown(const struct wt_incarnations *incarnations, enum wt_object object,
			      uint64_t recorded);

/**
 * An object that exists goes, and a new one comes in its place at once: it gets another handle. Only after travelling.
 * Return: false if there is no memory; it then has none.
 */
bool wt_incarnation_renew(struct wt_incarnations *incarnations, enum wt_object object,
			  uint64_t recorded);

/**
 * The state changes: objects that are new in it get handles.
 *
 * @before: NULL if there is none.
 * Errors: out of memory; what is in @before is then still known by the same handles.
 */
struct wt_error *wt_incarnations_move(struct wt_incarnations *incarnations,
				      const struct wt_table_names *names,
				      const struct wt_state *before, const struct wt_state *after);

#endif /* WT_REPLAYER_RECORDED_INCARNATION_H */
