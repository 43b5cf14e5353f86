/* SPDX-License-Identifier: MIT */
/*
 * Every function of the API, with right and wrong arguments, made out of the one table: what a library
 * answers to exactly these calls, printed so that two libraries, or one with and without another in front of
 * it, can be compared line by line.
 *
 *   every-call.c  the sessions: which calls are made when
 *   arguments.c   arguments of each shape, and what a call left in them
 *   callbacks.c   the client's side: callbacks that note what they are asked, and fail where told
 */
#ifndef TRANSPARENCY_EVERY_H
#define TRANSPARENCY_EVERY_H

#include <stdio.h>

#include "dbgapi/table/api.h"
#include "dbgapi/table/invoke.h"

/* What a buffer holds before a call, so that every byte that is written shows. */
#define PATTERN 0xa5
#define BUFFER_SIZE 8192u
#define MAX_HANDLES 3

struct every {
	struct wt_api api;
	bool amd; /* AMD's library: leave out what is known to hang or crash it */
	bool count_transfers; /* print those through the client, and let them fail: a recorder causes some, too */
	uint64_t seed, calls;
	/* Handles that exist, by kind; WT_OBJECT_COUNT entries. */
	uint64_t handles[WT_OBJECT_COUNT][MAX_HANDLES];
	size_t handle_counts[WT_OBJECT_COUNT];
	uint64_t process; /* attached to; 0: none */
	int notifier;
	uint64_t events[256]; /* given, and perhaps not processed */
	size_t event_count;
	uint64_t addresses[4]; /* of memory that is there */
	size_t address_count;
	uint64_t arguments; /* which of them is the arguments of a kernel; 0: none */
};

extern struct every every;

/* ---- Arguments ---- */

/* A way to fill one parameter. */
struct choice {
	uint64_t number;
	bool null;   /* a NULL in place of a pointer */
	int variant; /* of callbacks and symbolizers: which */
};

/** How many choices there are for a parameter; the first is the right one. */
size_t choice_count(enum wt_function function, size_t parameter);
struct choice choice_get(enum wt_function function, size_t parameter, size_t index);

/** May this call be made, or is it known to hang or crash the library? */
bool choices_allowed(enum wt_function function, const struct choice *choices);

/** Make one call and print it and all that it did. */
int64_t every_perform(enum wt_function function, const struct choice *choices);

/* ---- Callbacks ---- */

/* Which callback fails, how, and from its how-manieth call on; kind WT_CALLBACK_COUNT: none. */
struct failure {
	enum wt_callback_kind kind;
	amd_dbgapi_status_t status;
	unsigned int after;
	bool reentrant; /* callbacks ask the library */
};

extern struct failure failure;

/** Callbacks, all there or without the one of number @without. */
amd_dbgapi_callbacks_t *every_callbacks(int without);
/** What the callbacks were asked since the last time, to print; and forget it. */
void every_print_callbacks(void);
/** Print and free what the client owns at a pointer that was filled. */
void every_print_memory(void *memory);
amd_dbgapi_client_process_id_t every_client(unsigned int number);
amd_dbgapi_status_t every_symbolizer(amd_dbgapi_symbolizer_id_t id,
				     amd_dbgapi_global_address_t address, char **text);
amd_dbgapi_status_t every_bad_symbolizer(amd_dbgapi_symbolizer_id_t id,
					 amd_dbgapi_global_address_t address, char **text);
/** Serve a core in place of a process. */
struct wt_error *every_serve_core(const char *path);
uint64_t every_hash(const void *data, size_t size);

#endif /* TRANSPARENCY_EVERY_H */
