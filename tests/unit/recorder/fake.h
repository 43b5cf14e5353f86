/* SPDX-License-Identifier: MIT */
/* A provider that makes its answers up, and how a test tells it what to do. */
#ifndef WT_TEST_RECORDER_FAKE_H
#define WT_TEST_RECORDER_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amd-dbgapi/amd-dbgapi.h>

#include "dbgapi/table/api-functions.h"

/* A query that is not in the table, and that every object answers, with as many bytes as it is asked for. */
#define FAKE_UNKNOWN_QUERY 77

/* So many callbacks are made in process_attach, before those for `allocations`. */
#define FAKE_CALLBACKS 8u

/* Exported by the provider, beside the API. */
struct fake {
	amd_dbgapi_status_t status; /* of every function */
	bool writes;		    /* outputs, even if the status is an error */
	bool empty;		    /* arrays and memory come back as NULL */
	bool no_events;		    /* process_next_pending_event gives none */
	uint32_t event_kind;	    /* of the events that it gives; 0: one that is made up */
	int error_number;	    /* errno that every function leaves */
	int error_number_seen;	    /* errno that the last function found */
	uint32_t calls[WT_FUNCTION_COUNT];
	/*
	 * Calls that are not the client's: all but the first one of the function that the client is
	 * calling. The one of this number fails without writing anything, and with `fail_after` all after it.
	 */
	int client; /* enum wt_function; -1: nothing is known of the client, and nothing fails */
	bool client_seen, fail_after;
	uint32_t own_calls, fail_own;
	bool held;		    /* progress was set an odd number of times */
	uint32_t asked, asked_held; /* calls of wave_get_info; while it was */
	/* Called when a function is entered, if set. */
	void (*entered)(enum wt_function function);
	/* How much memory process_attach asks for behind its other callbacks: one after the other, up to a 0. */
	size_t allocations[4];
	/* Called inside process_attach, if set: a client that calls the API from a callback, or forks. */
	void (*inside)(void);
};
__attribute__((visibility("default"))) extern struct fake fake;

void fake_enter(enum wt_function function);
bool fake_writes(void);
/* For process_next_pending_event: are the outputs what the test wants, and no made-up ones? */
bool fake_gives_event(amd_dbgapi_event_id_t *event_id, amd_dbgapi_event_kind_t *kind);
amd_dbgapi_status_t fake_leave(enum wt_function function);
void fake_initialize(const amd_dbgapi_callbacks_t *callbacks);
void fake_symbolize(amd_dbgapi_symbolizer_id_t id,
		    amd_dbgapi_status_t (*symbolizer)(amd_dbgapi_symbolizer_id_t,
						      amd_dbgapi_global_address_t, char **));
void *fake_memory(const void *data, size_t size);
char *fake_string(const char *text);
void fake_fill(void *data, size_t size);

#endif /* WT_TEST_RECORDER_FAKE_H */
