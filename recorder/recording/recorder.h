/* SPDX-License-Identifier: MIT */
/*
 * The recorder: the wrapped library, the trace, and what is known of the client's session.
 *
 * This room holds what every recorded call needs:
 *
 *     recorder.c                begins and ends a recording, and its failure
 *     call.c, journal-value.c, query-value.c, redact.h  a call of the client in the journal
 *     question.c                the recorder's own questions to the wrapped library
 *     session.c, numbers.c, enumerator.c, unknown.c  what is known of the client's session
 *     options.c, environment.c  how it is recorded
 *     claim.c                   that one process alone records into a file
 *     lock.c, thread.c
 *
 * It must not decide when a moment is made or what is taken at it: that is moment/.
 *
 * The lock is held while the recorder works, never while the wrapped library works for the client. So calls from several
 * threads are not serialised, and a call from within a callback does not deadlock.
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
#include "recorder/recording/lock.h"
#include "recorder/recording/numbers.h"
#include "recorder/recording/options.h"
#include "recorder/recording/session.h"
#include "trace-format/state/host-facts.h"
#include "trace-format/writer/write-journal.h"
#include "trace-format/writer/writer.h"

struct wt_allocation_source;

/* GPUs of a process of which faults are remembered. */
#define WT_RECORDER_DEVICE_FAULTS 16u

/* The environment's wishes. Strings are the caller's for the call. */
struct wt_recorder_options {
	const char
		*library; /* full path of the library to wrap; NULL: the next in the search order */
	unsigned int
		level; /* of the API that it is to have at least, beyond what clients in this process ask for */
	const char *trace; /* file to write; NULL: do not record */
	bool in_memory; /* no file until wt_recorder_move(), and no ring: `trace` is what errors call it */
	/* For which the recording is made; NULL: for none. It outlives the recording. */
	const struct wt_host_queue_error *queue_error;
	struct wt_options words;
	/* A client inside of the program may know what that has allocated; NULL: nothing is known of it. It stays. */
	const struct wt_allocation_source *allocations;
};

/*
 * The trace as a file: which name it has, which process it belongs to, and how much room is left for it.
 *
 * Where there is a trace of that name already it stays until the new one has a stop to show: until then the new one is
 * called NAME.partial.
 */
struct wt_trace_file {
	char *partial_name,
		*final_name; /* NULL: it has had its final name from the start, or by now */
	/* For wt_claim_release(), -1 without: of the file, of one about to take its place, of its directory. */
	int claim, claim_next, claim_begun;
	bool is_others;	   /* another process records into it: nothing is recorded here */
	int directory;	   /* in whose file system the room is looked at; -1 without a limit */
	uint64_t min_free; /* bytes that are to be left there; 0: no limit */
	bool disk_spent;   /* there were fewer */
};

/* Without a file, which can be released all the same. */
#define WT_TRACE_FILE_NONE                                                                         \
	{                                                                                          \
		.claim = -1, .claim_next = -1, .claim_begun = -1, .directory = -1                  \
	}

/** WT_ERROR_LIMIT when there is less room in the file system than there should be: the recording then ends. */
struct wt_error *wt_trace_file_check_room(struct wt_trace_file *file);

/* How much a stop has shown of the program: the host is looked at again when that is more. */
enum wt_seen { WT_SEEN_NOTHING, WT_SEEN_STOP, WT_SEEN_FAULT };

/* The time for which an answer holds, so that the one of the last moment need not be asked for again (question.c). */
enum wt_lasting {
	WT_LASTS_NOT,
	WT_LASTS_IF_SET,      /* for the object's life, once it is not 0 */
	WT_LASTS_IN_DISPATCH, /* for a wave's life, once it is known of which dispatch it is */
};

struct wt_questions {
	bool complete;
	size_t count;
	struct wt_question {
		const struct wt_query *query;
		uint32_t name; /* in the trace */
		enum wt_lasting lasting;
	} of[WT_MAX_QUERIES];
};

struct wt_recorder {
	/*
	 * The library that this one stands in front of, and what it is asked to do. Set once, and read without the
	 * lock.
	 */
	struct wt_api api;
	const struct wt_api *wrapped; /* the same; NULL: there is none */
	struct wt_options options;
	const struct wt_allocation_source *allocations; /* NULL: there is none */
	/* Told by a client that asks the kernel's driver, in the thread that calls the library: of each GPU the last one. */
	struct wt_host_device_fault device_faults[WT_RECORDER_DEVICE_FAULTS];
	size_t device_fault_count;
	char *failure;	     /* why nothing is wrapped or recorded; NULL if all is well */
	uint64_t start_time; /* on CLOCK_MONOTONIC, nanoseconds */
	/* The process that opened it: its id, and a page with a 1 that is 0 in its children. See wt_recorder_is_owner(). */
	struct {
		pid_t id;
		volatile uint8_t *page; /* NULL: there is none, and ids are compared */
	} process;

	/* Read without the lock: is it recording (once false, false for ever)? Of signal handlers: see wt_thread_is_busy(). */
	atomic_bool recording;
	atomic_uint unrecorded;

	/* Guards everything below. */
	struct wt_lock lock;

	/* The trace that is written, and its place. */
	struct wt_trace_file file;
	struct wt_writer *writer; /* NULL once the recording is over */
	struct wt_buffer scratch; /* of the call that holds the lock */
	uint32_t remarks;	  /* those that were made: see wt_recorder_remark() */

	/* The journal: its last call, calls in which the library is at work, bytes of chunks when that one was written. */
	struct {
		uint64_t last;
		unsigned int inside;
		uint64_t stored;
	} calls;

	/*
	 * Numbers that stand in the trace for names, for the client's pointers by their type, and for threads that
	 * call.
	 */
	struct wt_numbers numbers;
	struct {
		struct wt_ordinals client_processes, symbolizers, client_threads, threads;
	} ordinals;

	/* Questions to an object of each kind. */
	struct wt_questions questions[WT_OBJECT_COUNT];

	/* The client, as it initialized the library. While it is silent it is in no call of ours, and gets no log message. */
	struct {
		amd_dbgapi_callbacks_t callbacks;
		bool initialized, silent;
	} client;

	/* The host: what stops have shown of the program so far, and had when the host was written last. */
	struct {
		enum wt_seen seen, written_at;
		bool written;
		const struct wt_host_queue_error *queue_error; /* NULL: none */
	} host;

	/* At the end of the client: wt_moment_last() is registered; it ran, and the library is not asked any more. */
	struct {
		bool registered, over;
	} exit;

	/* Calls of the client, and what the trace holds of them. */
	struct wt_session session;
};

/**
 * Open: load the library to wrap and create the trace. What fails is kept in `failure`; without a
 * library `wrapped` is NULL, without a trace `recording` is.
 *
 * @recorder: zeroed.
 */
void wt_recorder_open(struct wt_recorder *recorder, const struct wt_recorder_options *options);

/**
 * Move a trace that was begun in memory to a new file. After an error it stays in memory, and goes on.
 *
 * Errors: of wt_writer_move(); NOT_FOUND if nothing is recorded any more.
 */
struct wt_error *wt_recorder_move(struct wt_recorder *recorder, const char *path);

/**
 * End the trace, if there is one, while the client goes on. @reason: one of those of message End.
 *
 * Return: whether it was closed in order, with all that was to be in it.
 */
bool wt_recorder_end(struct wt_recorder *recorder, const char *reason);

/** End the trace, if there is one, for the process is about to end. The library goes on unrecorded. */
void wt_recorder_close(struct wt_recorder *recorder);

/* Handles the error that wt_recorder_check() was given. */
__attribute__((cold, noinline)) void wt_recorder_fail(struct wt_recorder *recorder,
						      struct wt_error *error);

/**
 * Something of ours failed: say so in the trace if that can still be done, and else to the client, as a log
 * message of the library; end the trace, and let everything after it pass through. Takes @error over; NULL
 * does nothing. Called with the lock held.
 *
 * Return: whether we are still recording.
 */
static inline bool wt_recorder_check(struct wt_recorder *recorder, struct wt_error *error)
{
	wt_lock_note_progress(&recorder->lock);
	if (error)
		wt_recorder_fail(recorder, error);
	return atomic_load(&recorder->recording);
}

/**
 * The lock is broken: a signal handler has left the work on the trace in the middle, and nobody can go on with it. The
 * recording ends where it is, as if the process had been killed, and the client's log says so. The lock is not held.
 */
__attribute__((cold, noinline)) void wt_recorder_abandon(struct wt_recorder *recorder);

/** The trace has a stop to show: it takes the place of an older one of that name. */
void wt_recorder_keep(struct wt_recorder *recorder);

/** Is this the process that opened the trace, and not a child of it after fork()? */
static inline bool wt_recorder_is_owner(const struct wt_recorder *recorder)
{
	return recorder->process.page ? *recorder->process.page : recorder->process.id == getpid();
}

/** A remark in the trace. Called with the lock held, while recording. */
__attribute__((format(printf, 3, 4))) struct wt_error *
wt_recorder_notice(struct wt_recorder *recorder, enum wt_notice_kind kind, const char *format, ...);

/* Remarks that hold for the rest of a trace, so that each is said once in it. */
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

/** Nanoseconds since the trace began; 0 in a reproducible trace. */
uint64_t wt_recorder_time(const struct wt_recorder *recorder);

#endif /* WT_RECORDER_RECORDING_RECORDER_H */
