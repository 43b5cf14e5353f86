/* SPDX-License-Identifier: MIT */
/*
 * The client's callbacks, with ours in front: each is written to the journal and passed on.
 *
 * This room holds what the exported functions (generated: record.c) stand on: callbacks, the way out of the library, and
 * what a client gets that cannot be recorded. It must not hold anything that only one function of the API needs.
 */
#ifndef WT_RECORDER_LIBRARY_CALLBACKS_H
#define WT_RECORDER_LIBRARY_CALLBACKS_H

#include "recorder/recording/call.h"

/**
 * Take the client's callbacks and return those to give to the wrapped library in their place: NULL for NULL,
 * and without those that the client leaves out, so that the library checks what it would have checked.
 * While the library is initialized with other callbacks these stay.
 */
amd_dbgapi_callbacks_t *wt_callbacks_wrap(struct wt_call *call, amd_dbgapi_callbacks_t *callbacks);

/** One bit for each callback that is set; absent for NULL. */
struct wt_value wt_value_callbacks(const amd_dbgapi_callbacks_t *callbacks);

typedef amd_dbgapi_status_t (*wt_symbolizer)(amd_dbgapi_symbolizer_id_t,
					     amd_dbgapi_global_address_t, char **);

/* The client's symbolizer and its argument, for the duration of a call. */
struct wt_symbolizing {
	struct wt_recorder *recorder;
	amd_dbgapi_symbolizer_id_t client_id;
	wt_symbolizer client;
};

/** The symbolizer to give to the wrapped library; NULL if the client gave none. */
wt_symbolizer wt_symbolizer_wrap(struct wt_call *call, struct wt_symbolizing *symbolizing,
				 amd_dbgapi_symbolizer_id_t id, wt_symbolizer client);

#endif /* WT_RECORDER_LIBRARY_CALLBACKS_H */
