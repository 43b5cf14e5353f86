/* SPDX-License-Identifier: MIT */
/*
 * Where in the journal a client is that makes the recorded calls. The journal is a row of acts (functions that
 * change something, and did so: wt_function_info.acts) with questions between them. Between two acts nothing
 * changes, so that questions there have their recorded answers in whatever order they are asked, again, or not at all;
 * acts come in the recorded order. Acts of which nothing comes, as asking for an event and getting none, may be
 * left out.
 *
 * A cursor answers nothing by itself and does nothing to the state.
 */
#ifndef WT_REPLAYER_JOURNAL_CURSOR_H
#define WT_REPLAYER_JOURNAL_CURSOR_H

#include "replayer/journal/match.h"

struct wt_call_cursor_entry;

struct wt_call_cursor {
	struct wt_reader *reader; /* NULL: there is no journal, or nothing more can be said of it */
	struct wt_calls calls;
	struct wt_identities identities;
	TAILQ_HEAD(wt_call_cursor_entries, wt_call_cursor_entry)
	entries; /* that were read, and may be asked for */
	struct wt_call_cursor_entry *by_hash;
	struct wt_call_cursor_entry *act; /* the first that was not made yet; NULL: not read yet */
	size_t entry_count, entry_bytes;
	bool at_end;
};

/** A cursor before the first call. Errors: those of the reader. */
struct wt_error *wt_call_cursor_open(struct wt_call_cursor *cursor, struct wt_reader *reader);
/** Also of one that was zeroed and never opened. */
void wt_call_cursor_close(struct wt_call_cursor *cursor);

/**
 * The recorded call that a call of the client's is; NULL if it is none. Looks ahead as far as it must.
 * What comes after a lost part of the journal is never found, nor a call without an end.
 */
const struct wt_whole_call *wt_call_cursor_find(struct wt_call_cursor *cursor,
						enum wt_function function,
						const struct wt_argument *arguments);

/**
 * The client makes a call that was found. An act is behind the client with all before it.
 *
 * Return: the call, kept until wt_call_cursor_drop(), whatever else becomes of the cursor; NULL if there is no memory.
 */
struct wt_call_cursor_entry *wt_call_cursor_take(struct wt_call_cursor *cursor,
						 const struct wt_whole_call *call,
						 const struct wt_argument *arguments);
void wt_call_cursor_drop(struct wt_call_cursor *cursor, struct wt_call_cursor_entry *entry);
const struct wt_whole_call *wt_call_cursor_call(const struct wt_call_cursor_entry *entry);

/** Does the client get an event of a process next, though it may have to ask for it more than once? */
bool wt_call_cursor_expects_event(struct wt_call_cursor *cursor, uint64_t process);

/**
 * Start again behind a call, which the client has just made without the cursor.
 *
 * @number: of the call; of a function that the arguments are of.
 * Return: whether the journal has it, and with these arguments but for identities, which are bound anew.
 */
bool wt_call_cursor_seek(struct wt_call_cursor *cursor, uint64_t number, enum wt_function function,
			 const struct wt_argument *arguments);

#endif /* WT_REPLAYER_JOURNAL_CURSOR_H */
