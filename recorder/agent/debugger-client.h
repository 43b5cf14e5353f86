/* SPDX-License-Identifier: MIT */
/*
 * The client of the debugger API that our agents are: callbacks, and one attached process. It does not debug the host
 * program: it can neither stop nor change it.
 */
#ifndef WT_RECORDER_AGENT_DEBUGGER_CLIENT_H
#define WT_RECORDER_AGENT_DEBUGGER_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "dbgapi/table/api.h"

/* Filled in by the agent, which has it as part of its own; zeros where nothing is said. */
struct wt_agent_client {
	const struct wt_api *api;
	const char *what; /* the first part of an error: "cannot debug the program" */
	amd_dbgapi_log_level_t log_level;
	void *context; /* of the functions below */
	/*
	 * The one thing that this client knows of its process, and its size. The function copies it; what it
	 * points to is the library's.
	 */
	amd_dbgapi_client_process_info_t query;
	size_t query_size;
	amd_dbgapi_status_t (*answer)(void *context, void *value);
	/* Memory of the process; NULL: none can be read. As the API's callback, but never a write. */
	amd_dbgapi_status_t (*read)(void *context, uint64_t address, amd_dbgapi_size_t *size,
				    void *data);
	/*
	 * Take the library's breakpoint in the program, though it is inserted nowhere: wt_agent_client_look_for_code() reports it.
	 * Otherwise the library hears that none can be inserted.
	 */
	bool takes_breakpoint;
	/* Does what is to be done while attached. */
	struct wt_error *(*follow)(void *context);
	/* Takes what the library logs; may be NULL. */
	void (*log)(void *opaque, amd_dbgapi_log_level_t level, const char *text);
	void *opaque; /* of log */

	/* Filled in while it runs: */
	amd_dbgapi_process_id_t process;
	bool has_breakpoint;
	amd_dbgapi_breakpoint_id_t breakpoint;
	bool over;     /* the library is not to be called any more */
	bool attached; /* as the library says */
	bool left; /* something has failed, and the process may be attached whatever the library says */
	uint64_t warnings;  /* logged */
	char last_log[256]; /* the last warning or error; usually why something failed */
};

/**
 * Initialize the library, attach, follow, detach, finalize.
 *
 * One at a time in a process: the API's callbacks have no context.
 *
 * Errors: of client->follow; WT_ERROR_INTERNAL as wt_agent_client_failed() makes it.
 */
struct wt_error *wt_agent_client_run(struct wt_agent_client *client);

/**
 * Let the library look at the list of code objects, if it has a breakpoint for that. It does not look while the loader is at work
 * on the list, and says the same then as when nothing has changed.
 */
void wt_agent_client_look_for_code(const struct wt_agent_client *client);

/** Has a register this name? False also where the library does not say. */
bool wt_agent_client_register_is(const struct wt_agent_client *client, amd_dbgapi_register_id_t id,
				 const char *wanted);

/** How many waves there are; 0 also where the library does not say. */
size_t wt_agent_client_count_waves(const struct wt_agent_client *client);

/** The error of a function of the API that failed, with its status and what the library logged last. */
struct wt_error *wt_agent_client_failed(const struct wt_agent_client *client, const char *function,
					amd_dbgapi_status_t status);

#endif /* WT_RECORDER_AGENT_DEBUGGER_CLIENT_H */
