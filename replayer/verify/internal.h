/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of verify share: the driver, which makes recorded calls again and compares the results.
 *
 * The files use each other in a circle: verify.c drives calls (drive.c), callbacks come back into the middle of a call
 * (verify.c), and all of them report differences into the result, which verify.h declares.
 */
#ifndef WT_REPLAYER_VERIFY_INTERNAL_H
#define WT_REPLAYER_VERIFY_INTERNAL_H

#include "replayer/journal/calls.h"
#include "replayer/verify/differences.h"
#include "dbgapi/table/invoke.h"

struct wt_verify_result;

/* Memory that the client's callback gave out during a call. */
struct wt_allocation {
	struct wt_allocation *next;
	void *memory;
	size_t size; /* as the library asked for it */
};

struct wt_logged {
	uint32_t level;
	char *text;
};

struct wt_logs {
	struct wt_logged *messages;
	size_t count, capacity;
	bool failed;
};

#define WT_DRIVER_CORES 16

struct wt_driver {
	const struct wt_api *api;
	struct wt_reader *reader;
	struct wt_trace_info
		info; /* of the trace: it takes long to find out where there are many stops */
	struct wt_verify_result *result;
	struct wt_logs recorded_logs, replayed_logs;
	uint32_t event_moment;	/* the moment of the event found last */
	size_t event_place;	/* behind it, among the events of its moment */
	uint32_t attach_moment; /* behind the one of the attach found last */
	bool from_state;
	bool turned;	   /* from state, until the client attaches again */
	uint64_t attached; /* process that the library replays; 0: none */
	struct {
		uint64_t process,
			client;	  /* its handle, and the number of the client's name of it */
	} cores[WT_DRIVER_CORES]; /* processes that are core dumps, as far as there is room */
	size_t core_count;
	/* The call that is being made. */
	const struct wt_whole_call *call;
	size_t next_callback;
	struct wt_allocation *allocations;
};

/** The callbacks whose bits (1 << enum wt_callback_kind) are set; static. */
amd_dbgapi_callbacks_t *wt_driver_callbacks(uint64_t bits);

amd_dbgapi_status_t wt_driver_symbolizer(amd_dbgapi_symbolizer_id_t id,
					 amd_dbgapi_global_address_t address, char **symbol_text);

/** Report recorded callbacks that were not made, and free memory that the call allocated and did not free. */
void wt_driver_settle(struct wt_driver *driver);

/** Make one call and compare all its results (drive.c). Errors: out of memory. */
struct wt_error *wt_drive(struct wt_driver *driver, const struct wt_whole_call *call);

#endif /* WT_REPLAYER_VERIFY_INTERNAL_H */
