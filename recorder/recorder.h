/* SPDX-License-Identifier: MIT */
/*
 * The recording library's one object: the wrapped library, the trace, and what is known of the client's
 * session. The API has no context parameter, so there is one per loaded library.
 *
 * `lock` guards everything below it. It is held while we work for ourselves, never while the wrapped
 * library works for the client: a client that calls from several threads is not serialised by us, and one
 * that calls back into the API from a callback does not deadlock.
 */
#ifndef WT_RECORDER_RECORDER_H
#define WT_RECORDER_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/error.h"
#include "dbgapi/api.h"
#include "recorder/numbers.h"
#include "recorder/session.h"
#include "trace-format/writer.h"

/* What the environment asks for. Strings are the caller's for the call. */
struct wt_recorder_options {
	const char
		*library; /* full path of the library to wrap; NULL: the next in the search order */
	const char *trace; /* file to write; NULL: do not record */
	bool reproducible; /* leave out times, process ids, descriptors, and the command line */
	bool sync_stops;   /* wait for the disk after each stop */
	bool journal_only; /* calls only: no moments, no state */
};

struct wt_recorder {
	/* Set once, when the library is opened; read without the lock. */
	struct wt_api api;
	bool has_api;
	char *failure; /* why nothing is wrapped or nothing is recorded; NULL if all is well */
	bool reproducible, journal_only;
	uint64_t start_time;	 /* monotonic, nanoseconds */
	volatile uint8_t *owner; /* see wt_recorder_is_owner() */
	pid_t process;
	atomic_bool recording; /* false for ever once it is false */

	pthread_mutex_t lock;
	struct wt_writer *writer;
	uint64_t calls; /* number of the last one */
	struct wt_numbers numbers;
	struct wt_ordinals client_processes, symbolizers, client_threads, threads;
	struct wt_buffer scratch; /* of the call that holds the lock */
	amd_dbgapi_callbacks_t client;
	bool initialized;
	struct wt_session session;
};

/** The recorder of this library, opened from the environment when it is first asked for. */
struct wt_recorder *wt_recorder_get(void);

/**
 * Open: load the library to wrap and create the trace. What fails is kept in `failure`; without a
 * library `has_api` is false, without a trace `recording` is.
 *
 * @recorder: zeroed.
 */
void wt_recorder_open(struct wt_recorder *recorder, const struct wt_recorder_options *options);

/** End the trace, if there is one, for the process is about to end. The library goes on unrecorded. */
void wt_recorder_close(struct wt_recorder *recorder);

/**
 * Something of ours failed: say so in the trace if that can still be done, end it, and let everything
 * after it pass through. Takes @error over; NULL does nothing. Called with the lock held.
 *
 * Return: whether we are still recording.
 */
bool wt_recorder_check(struct wt_recorder *recorder, struct wt_error *error);

/** Is this the process that opened the trace, and not a child of it after fork()? */
bool wt_recorder_is_owner(const struct wt_recorder *recorder);

/** A remark in the trace. Called with the lock held, while recording. */
__attribute__((format(printf, 3, 4))) struct wt_error *
wt_recorder_notice(struct wt_recorder *recorder, enum wt_notice_kind kind, const char *format, ...);

/** Nanoseconds since the trace began; 0 in a reproducible trace. */
uint64_t wt_recorder_time(const struct wt_recorder *recorder);

#endif /* WT_RECORDER_RECORDER_H */
