/* SPDX-License-Identifier: MIT */
/*
 * The older form of the API, before level 0.54: thin wrappers around the functions of today's form, which are linked into every
 * provider and exported at the older symbol versions, so that clients built for it work. And what levels since then had otherwise
 * than today's (levels.c, forms.c, and the generated api-versions.c), for clients of those.
 *
 * The older form numbered statuses, queries and stop reasons differently. Most functions had a process or an architecture
 * as their first parameter. The client reported the loading of the runtime's shared library, which libraries of today's
 * form watch themselves. Most wrappers are generated from dbgapi/table/older.toml; those with further differences are in
 * changed-forms.c, with the state that they need.
 *
 * The room `older` uses the API only, and must not know which provider it is linked into.
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
 * For functions that call the client. The types of its functions have enumerations of the older form, which are other
 * types than ours but have the same representation. The sanitizer that compares types of functions must not check these.
 */
#if defined(__clang__)
#define WT_OLDER_CALLS_CLIENT __attribute__((no_sanitize("function")))
#else
#define WT_OLDER_CALLS_CLIENT
#endif

/* Results of converting a number to today's: it has no successor; it is not a number of the older form. */
#define WT_OLDER_GONE 0xFFFFFFFEU
#define WT_OLDER_UNKNOWN 0xFFFFFFFFU

struct wt_older_shared_library {
	uint64_t handle;
};

struct wt_older_callbacks;

/* Functions of today's to make calls of: those that are exported, or what answers behind them. */
struct wt_older_calls {
	__typeof__(amd_dbgapi_set_watchpoint) *set_watchpoint;
	__typeof__(amd_dbgapi_watchpoint_get_info) *watchpoint_get_info;
	__typeof__(amd_dbgapi_remove_watchpoint) *remove_watchpoint;
	__typeof__(amd_dbgapi_address_space_get_info) *address_space_get_info;
};

/** Set a watchpoint, and tell what it covers. INVALID_ARGUMENT, in its order of checks, if a place for an answer is NULL. */
amd_dbgapi_status_t
wt_older_watch(const struct wt_older_calls *calls, amd_dbgapi_process_id_t process_id,
	       amd_dbgapi_global_address_t address, amd_dbgapi_size_t size,
	       amd_dbgapi_watchpoint_kind_t kind, amd_dbgapi_watchpoint_id_t *id_ret,
	       amd_dbgapi_global_address_t *address_ret, amd_dbgapi_size_t *size_ret);

/** Whether addresses of two spaces may be the same memory. */
amd_dbgapi_status_t wt_older_may_alias(const struct wt_older_calls *calls,
				       amd_dbgapi_address_space_id_t first_id,
				       amd_dbgapi_address_space_id_t second_id, bool *alias_ret);

/** The xfer_global_memory of clients that have no way to say what memory of their process holds: MEMORY_ACCESS. */
amd_dbgapi_status_t wt_older_no_memory(amd_dbgapi_client_process_id_t client_process_id,
				       amd_dbgapi_global_address_t address,
				       amd_dbgapi_size_t *value_size, void *read_buffer,
				       const void *write_buffer);

/* A status of the older form and its name. */
struct wt_older_text {
	int status;
	const char *name;
};
extern const struct wt_older_text wt_older_texts[];
extern const size_t wt_older_text_count;

/** Convert a status of today to the older form. */
int wt_older_status(amd_dbgapi_status_t status);

/** Convert a status that a callback returned to today's form. */
amd_dbgapi_status_t wt_older_callback_status(int status);

/** Convert stop reasons of today to bits of the older form. */
uint64_t wt_older_stop_reasons(uint32_t now);

/** Check a process id. Return: SUCCESS, NOT_INITIALIZED or INVALID_PROCESS_ID of the older form. */
int wt_older_process(amd_dbgapi_process_id_t process_id);

/** Whether only one process is attached, to which all objects belong then. */
bool wt_older_only_process(void);

/** Check an architecture id. Return: SUCCESS or an error of the older form. */
int wt_older_architecture(amd_dbgapi_architecture_id_t architecture_id);

/** The result of a query without a successor: UNIMPLEMENTED, or @status if the check of its object failed. */
int wt_older_gone(int status);

/* An attached process, with the client's id of it and the id of the runtime's shared library. */
struct wt_older_attached {
	amd_dbgapi_process_id_t process_id; /* 0 while it is being attached */
	amd_dbgapi_client_process_id_t client;
	struct wt_older_shared_library library;
};

#endif /* WT_DBGAPI_OLDER_OLDER_H */
