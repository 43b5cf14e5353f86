/* SPDX-License-Identifier: MIT */
/*
 * The older form of the API, served by whatever provider these files are linked into: thin wrappers around its functions
 * of today, exported at the older symbol versions. A client that was built then binds to them and works.
 *
 * Most wrappers are generated from dbgapi/table/older.toml. Here is what they share and, in state.c and calls.c, those whose
 * two forms differ in more than numbers: statuses, queries and stop reasons were numbered otherwise, most functions had a process
 * or an architecture as their first parameter, and the client told of the runtime's shared library, which today's form watches
 * itself.
 *
 * Numbers of the older form are plain integers here, since its enumerators have the names of today's. The generated
 * older-wrappers.h has them as WT_OLDER_INVALID_ARGUMENT, WT_OLDER_LOG_LEVEL_VERBOSE and so on, and the type of the client's
 * callbacks, struct wt_older_callbacks.
 */
#ifndef WT_DBGAPI_OLDER_OLDER_H
#define WT_DBGAPI_OLDER_OLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amd-dbgapi/amd-dbgapi.h>

#define WT_OLDER_EXPORTED __attribute__((visibility("default")))

/*
 * For what calls the client: its functions have enumerators of its own form in their types, which are other types than
 * ours with the same representation. A sanitizer that compares types of functions has to be told.
 */
#if defined(__clang__)
#define WT_OLDER_CALLS_CLIENT __attribute__((no_sanitize("function")))
#else
#define WT_OLDER_CALLS_CLIENT
#endif

/* What a conversion to today's numbers gives for one that has no successor, and for one that never was. */
#define WT_OLDER_GONE 0xFFFFFFFEU
#define WT_OLDER_UNKNOWN 0xFFFFFFFFU

struct wt_older_shared_library {
	uint64_t handle;
};

struct wt_older_callbacks;

/* A status of the older form and its name. */
struct wt_older_text {
	int status;
	const char *name;
};
extern const struct wt_older_text wt_older_texts[];
extern const size_t wt_older_text_count;

/** A status of today as the older form has it. */
int wt_older_status(amd_dbgapi_status_t status);

/** A status that a client's callback gave, as today's form has it. */
amd_dbgapi_status_t wt_older_callback_status(int status);

/** Stop reasons of today as bits of the older form. */
uint64_t wt_older_stop_reasons(uint32_t now);

/** Is this an attached process? SUCCESS, or NOT_INITIALIZED or INVALID_PROCESS_ID of the older form. */
int wt_older_process(amd_dbgapi_process_id_t process_id);

/** Whether one process alone is attached: then every object is its. */
bool wt_older_only_process(void);

/** Is this an architecture? SUCCESS or an error of the older form. */
int wt_older_architecture(amd_dbgapi_architecture_id_t architecture_id);

/** The answer to a query without a successor, about an object that was looked at: UNIMPLEMENTED if it exists. */
int wt_older_gone(int status);

/** Keep the client's callbacks and give what today's form calls, which calls those. */
void wt_older_keep_callbacks(const struct wt_older_callbacks *client,
			     amd_dbgapi_callbacks_t *callbacks_ret);

/* An attached process: what the client calls it, and what it knows the runtime's shared library by. */
struct wt_older_attached {
	amd_dbgapi_process_id_t process_id; /* 0 while it is being attached */
	amd_dbgapi_client_process_id_t client;
	struct wt_older_shared_library library;
};

/** The callbacks of the client; those of an initialized library. */
const struct wt_older_callbacks *wt_older_client(void);

/** Initialized, or no longer: all that is known of processes is forgotten. */
void wt_older_set_initialized(bool initialized);
bool wt_older_is_initialized(void);

/** Add a process that is about to be attached; false if there is no memory. It is the newest of its client id. */
bool wt_older_add(amd_dbgapi_client_process_id_t client, struct wt_older_attached *attached_ret);
/** It was attached, or with handle 0, it was not and is forgotten. */
void wt_older_added(struct wt_older_shared_library library, amd_dbgapi_process_id_t process_id);
/** Find by handle, or by client id where @process_id is 0; false if there is none. */
bool wt_older_find(amd_dbgapi_process_id_t process_id, amd_dbgapi_client_process_id_t client,
		   struct wt_older_attached *attached_ret);
/** Forget one, or with handle 0 any; false if there is none (left). */
bool wt_older_remove(amd_dbgapi_process_id_t process_id, struct wt_older_attached *attached_ret);

#endif /* WT_DBGAPI_OLDER_OLDER_H */
