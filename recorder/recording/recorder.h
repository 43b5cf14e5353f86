/* SPDX-License-Identifier: MIT */
/*
 * The recording library's one object: the wrapped library, the trace, and what is known of the client's
 * session. The API has no context parameter, so there is one per loaded library.
 *
 * `lock` guards everything below it. It is held while we work for ourselves, never while the wrapped
 * library works for the client: a client that calls from several threads is not serialised by us, and one
 * that calls back into the API from a callback does not deadlock.
 */
#ifndef WT_RECORDER_RECORDING_RECORDER_H
#define WT_RECORDER_RECORDING_RECORDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "dbgapi/table/api.h"
#include "recorder/recording/clock.h"
#include "recorder/recording/lock.h"
#include "recorder/recording/numbers.h"
#include "recorder/recording/options.h"
#include "recorder/recording/session.h"
#include "trace-format/writer/writer.h"

/* What the environment asks for. Strings are the caller's for the call. */
struct wt_recorder_options {
	const char
		*library; /* full path of the library to wrap; NULL: the next in the search order */
	const char *trace; /* file to write; NULL: do not record */
	struct wt_options words;
};

struct wt_recorder {
	/* Set once, when the library is opened; read without the lock. */
	struct wt_api api;
	bool has_api;
	char *failure;	 /* why nothing is wrapped or nothing is recorded; NULL if all is well */
	int claim;	 /* of the trace, for wt_claim_release() */
	int claim_next;	 /* of the file that is about to take its place */
	int claim_begun; /* while it is looked whose the trace is */
	bool claimed;	 /* nothing is recorded because the trace is another process's */
	bool reproducible, journal_only;
	struct wt_options options;
	/* Where an older trace is to be replaced: what this one is called until then, and after. */
	char *partial_name, *final_name;
	int directory; /* of the trace, for min-free; -1 without */
	/* What a stop has shown of the program so far, and with what of it facts of the host were written. */
	enum wt_seen { WT_SEEN_NOTHING, WT_SEEN_STOP, WT_SEEN_FAULT } seen, host_seen;
	bool has_host;
	bool disk_spent;	 /* there is less room left than min-free */
	uint32_t told;		 /* remarks that were made: see wt_recorder_remark() */
	uint64_t start_time;	 /* monotonic, nanoseconds */
	volatile uint8_t *owner; /* see wt_recorder_is_owner() */
	pid_t process;
	atomic_bool recording; /* false for ever once it is false */
	atomic_uint
		unrecorded; /* calls and callbacks of signal handlers in the middle of our work */

	struct wt_lock lock;
	struct wt_writer *writer;
	uint64_t calls;	     /* number of the last one */
	unsigned int inside; /* calls in which the wrapped library is at work for the client */
	uint64_t stored;     /* bytes of chunks in the file when that one was written */
	struct wt_clock clock;
	struct wt_numbers numbers;
	struct wt_ordinals client_processes, symbolizers, client_threads, threads;
	struct wt_buffer scratch; /* of the call that holds the lock */
	amd_dbgapi_callbacks_t client;
	bool initialized;
	bool silent;  /* the client is not in a call of ours: it gets no log message */
	bool at_exit; /* wt_moment_last() will be called there */
	bool ending;  /* it was: the library is not asked any more */
	struct wt_session session;
};

/**
 * Open: load the library to wrap and create the trace. What fails is kept in `failure`; without a
 * library `has_api` is false, without a trace `recording` is.
 *
 * @recorder: zeroed.
 */
void wt_recorder_open(struct wt_recorder *recorder, const struct wt_recorder_options *options);

/** End the trace, if there is one, for the process is about to end. The library goes on unrecorded. */
void wt_recorder_close(struct wt_recorder *recorder);

/* What wt_recorder_check() does about an error. */
void wt_recorder_fail(struct wt_recorder *recorder, struct wt_error *error);

/**
 * Something of ours failed: say so in the trace if that can still be done, and else to the client, as a log
 * message of the library; end the trace, and let everything after it pass through. Takes @error over; NULL
 * does nothing. Called with the lock held.
 *
 * Return: whether we are still recording.
 */
static inline bool wt_recorder_check(struct wt_recorder *recorder, struct wt_error *error)
{
	if (error)
		wt_recorder_fail(recorder, error);
	return atomic_load(&recorder->recording);
}

/** The trace has its first stop: it takes the place of an older one of that name. */
void wt_recorder_keep(struct wt_recorder *recorder);

/** An error when there is less room in the file system than there should be: the recording then ends. */
struct wt_error *wt_recorder_check_disk(struct wt_recorder *recorder);

/** Is this the process that opened the trace, and not a child of it after fork()? */
static inline bool wt_recorder_is_owner(const struct wt_recorder *recorder)
{
	return recorder->owner ? *recorder->owner : recorder->process == getpid();
}

/** A remark in the trace. Called with the lock held, while recording. */
__attribute__((format(printf, 3, 4))) struct wt_error *
wt_recorder_notice(struct wt_recorder *recorder, enum wt_notice_kind kind, const char *format, ...);

/* What holds for the rest of a trace, so that it is said once in it. */
enum wt_remark {
	WT_REMARK_PLAIN_WAVES,
	WT_REMARK_PAGES_CUT,
	WT_REMARK_PRIVATE_CUT,
	WT_REMARK_LOCAL_CUT,
	WT_REMARK_REDACT,
	WT_REMARK_NO_CODE,
	WT_REMARK_NO_MEMORY,
	WT_REMARK_REGISTERS,
	WT_REMARK_LONG_ANSWER,
};

/** A remark that something was not taken, if it has not been made. As wt_recorder_notice(). */
__attribute__((format(printf, 3, 4))) struct wt_error *
wt_recorder_remark(struct wt_recorder *recorder, enum wt_remark remark, const char *format, ...);

/** Nanoseconds since the trace began; 0 in a reproducible trace. The lock is held. */
uint64_t wt_recorder_time(struct wt_recorder *recorder);

#endif /* WT_RECORDER_RECORDING_RECORDER_H */
