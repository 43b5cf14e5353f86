/* SPDX-License-Identifier: MIT */
/*
 * A recorded session of a few moments, made by hand, and a client without any recorder in between.
 *
 *   0 ATTACH  agent 1, queue 1, code object 1; no waves
 *   1 STOP    RUNTIME (event 1); made in process_next_pending_event
 *   2 PASS    made in process_next_pending_event
 *   3 STOP    waves 1, 2, 3, of workgroup 1: 1 and 2 stop (events 2, 3), 3 runs on; not in a pump
 *   4 STOP    after a resume: wave 1 has stepped (event 4); a page and its registers are others
 *   5 STOP    wave 3 was asked to stop (event 5)
 *   6 PASS    after a resume; made in process_set_progress
 *   7 STOP    wave 2 is gone (event 6, COMMAND_TERMINATED), and so is wave 1
 */
#ifndef TEST_REPLAYER_SESSION_H
#define TEST_REPLAYER_SESSION_H

#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include "dbgapi/table/api.h"
#include "gfx/architecture/architecture.h"
#include "trace-format/writer/writer.h"

#define SESSION_ARCHITECTURE (gfx_architecture_by_name("gfx942"))
#define SESSION_PROCESS 7u
#define SESSION_MOMENTS 8u
#define SESSION_PAGE UINT64_C(0x10000) /* global: 4096 bytes, then 100 in the page after it */
#define SESSION_TAIL 100u
#define SESSION_REFUSED_PAGE                                                                       \
	UINT64_C(0x80000) /* global: the recorded library had no memory there */
#define SESSION_LOCAL 64u
#define SESSION_LANES 64u
#define SESSION_PRIVATE (16u * SESSION_LANES) /* 16 bytes for each lane */

/* What a test wants to be otherwise than in a good trace. */
struct session_options {
	unsigned last_moment;	/* write no moments after it; 0 means all */
	unsigned polled_before; /* a PASS more in front of this moment, 4 or 5; 0: none */
	bool journal;		/* with the calls of a client that attached and detached */
	bool wrong_status, wrong_output, wrong_allocation, no_end;
	bool roomy_allocation; /* of more than what is in it */
	bool refused;	       /* a call that the state would answer, with NOT_AVAILABLE */
	unsigned questions;    /* so often the journal's client asks the same thing once more */
	unsigned polls;	       /* and so often for an event, which it does not get */
	bool newer_function; /* the journal's client calls one that the recorded library, 0.77, does not have */
	bool vain_read; /* it reads memory that the trace does not have, and was told that there is none */
	bool long_read;	    /* the journal's client reads more than a journal takes of one answer */
	bool stands;	    /* the third wave was stopped, and no event said so */
	bool hostile;	    /* values of wrong sizes, lists of handles that do not exist */
	bool abandoned;	    /* the trace has no end */
	unsigned refusals;  /* so many times the recorded client was refused before it attached */
	bool refused_alone; /* and never did attach */
	bool unable;	    /* the agent has no watchpoints, and no precise memory */
	bool no_status;	    /* the architecture has no register of that name */
	const char *library_version; /* of the recorded library; NULL: 0.77.3 */
	bool attach_alone; /* killed behind the call that attached; unless abandoned, it was recovered */
};

/** Write the session; the path is good until the test program ends. */
const char *session_write(const struct session_options *options);

/** A path for a file of the test's own. */
const char *session_path(const char *name);

void session_must(struct wt_error *error);

/** The replaying library, loaded once, with WAVETAPE_TRACE set to @path. */
const struct wt_api *session_api(const char *path);

/** Callbacks of an ordinary client: malloc(), process id 4711, log to the string below. */
extern amd_dbgapi_callbacks_t session_callbacks;
extern char session_log[4096];
extern unsigned session_allocations;

/** Initialize and attach; end with session_end(). */
const struct wt_api *session_begin(const char *path, amd_dbgapi_process_id_t *process_ret);
void session_end(const struct wt_api *api);

/** Ask for an event: its handle, 0 for none; of the kind that is expected. */
uint64_t session_pump(const struct wt_api *api, amd_dbgapi_event_kind_t expected);

/** The register of that name of gfx942. */
uint64_t session_register(const char *name);
uint64_t session_space(enum gfx_space space);

#endif /* TEST_REPLAYER_SESSION_H */
