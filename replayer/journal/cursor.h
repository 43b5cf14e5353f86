/* SPDX-License-Identifier: MIT */
/*
 * The position in the journal of a client that makes the recorded calls.
 *
 * A call is an act if its function changes something and succeeded (wt_function_info.acts); other calls are questions. Between
 * two acts nothing changes. So the client may ask the questions there in any order, again, or not at all, and gets the
 * recorded answers. It must make the acts in the recorded order, except that it may leave out acts without effect, such as
 * a request for an event that returned none.
 */
#ifndef WT_REPLAYER_JOURNAL_CURSOR_H
#define WT_REPLAYER_JOURNAL_CURSOR_H

#include "dbgapi/table/invoke.h"
#include "replayer/journal/calls.h"

/*
 * Does a call of a client match a recorded call? It does if the function and all inputs are the same: numbers, bytes, and which
 * pointers are NULL. A pointer that is only an identity, such as a client process id, is a number in the trace: from its
 * first use on, a number stands for the same pointer.
 */

struct wt_identity {
	const char *type; /* of the parameter, from the table */
	uint64_t ordinal; /* number in the trace; 0 is NULL and has no entry */
	const void *pointer;
};

/* Zero it before use. */
struct wt_identities {
	struct wt_identity *all;
	size_t count;
};

void wt_identities_deinit(struct wt_identities *identities);

/** The client's pointer for a number of the trace; NULL if it is not known. */
const void *wt_identities_find(const struct wt_identities *identities, const char *type,
			       uint64_t ordinal);

/** Do these arguments match the recorded call? They are of the same function. */
bool wt_match(const struct wt_identities *identities, const struct wt_whole_call *call,
	      const struct wt_argument *arguments);

/** The client makes a call that matches: bind its pointers to the numbers of the trace. */
struct wt_error *wt_match_bind(struct wt_identities *identities, const struct wt_whole_call *call,
			       const struct wt_argument *arguments);

struct wt_call_cursor_entry;

struct wt_call_cursor {
	struct wt_reader *reader; /* NULL: there is no journal, or it cannot be read further */
	struct wt_calls calls;
	struct wt_identities identities;
	TAILQ_HEAD(wt_call_cursor_entries, wt_call_cursor_entry)
	entries; /* calls that were read and may still match */
	struct wt_call_cursor_entry *by_hash;
	struct wt_call_cursor_entry
		*unlisted; /* the first that is not in the table yet; NULL: all are */
	struct wt_call_cursor_entry
		*unmade; /* the first that the client did not make; NULL: it made all */
	/* The one behind that which the client made last: those before it are behind the client. NULL: the one that is read next. */
	struct wt_call_cursor_entry *position;
	struct wt_call_cursor_entry *act; /* the next act; NULL: not read yet */
	/* The first act that is no request for an event without an answer, or where the search for it ended; NULL: not known. */
	struct wt_call_cursor_entry *awaited;
	struct wt_call_cursor_entry *found; /* last, and not taken yet; only to be compared with */
	size_t entry_count, entry_bytes;
	bool at_end;
};

/** A cursor before the first call. Errors: those of the reader. */
struct wt_error *wt_call_cursor_open(struct wt_call_cursor *cursor, struct wt_reader *reader);
/** Legal for a cursor that is all zeros. */
void wt_call_cursor_close(struct wt_call_cursor *cursor);

/**
 * Find the recorded call that matches a call of the client. Reads ahead as far as needed: to the next act, or over 65,536
 * questions, those behind which the client is not counted. An act is found behind any number of them.
 * Return: NULL if none matches. Calls after a lost part of the journal and calls without a result never match.
 */
const struct wt_whole_call *wt_call_cursor_find(struct wt_call_cursor *cursor,
						enum wt_function function,
						const struct wt_argument *arguments);

/** Were all questions read that can be asked before the next act? One that was not found will not be found later. */
bool wt_call_cursor_has_all(const struct wt_call_cursor *cursor);

/**
 * The client makes a call that was found. An act moves the cursor past itself and all calls before it.
 *
 * Return: the call, valid until wt_call_cursor_drop() even if the cursor is closed; NULL if there is no memory.
 */
struct wt_call_cursor_entry *wt_call_cursor_take(struct wt_call_cursor *cursor,
						 const struct wt_whole_call *call,
						 const struct wt_argument *arguments);
void wt_call_cursor_drop(struct wt_call_cursor *cursor, struct wt_call_cursor_entry *entry);
/** Is it a question that was made before already, and the one that is found for it until an act is made? */
bool wt_call_cursor_repeats(const struct wt_call_cursor *cursor,
			    const struct wt_call_cursor_entry *entry);

/** Is the next event that the client gets one of this process? It may have to ask more than once. */
bool wt_call_cursor_expects_event(struct wt_call_cursor *cursor, uint64_t process);

/**
 * Move the cursor to behind call @number, which the client has just made without the cursor.
 *
 * Return: true if the journal has that call with this function and these arguments. Identities are not compared: they are
 * bound again.
 */
bool wt_call_cursor_seek(struct wt_call_cursor *cursor, uint64_t number, enum wt_function function,
			 const struct wt_argument *arguments);

#endif /* WT_REPLAYER_JOURNAL_CURSOR_H */
