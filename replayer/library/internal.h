/* SPDX-License-Identifier: MIT */
/*
 * The replaying library's one object: the trace, the client, and the process it is attached to. The
 * API has no context parameter, so there is one per loaded library.
 *
 * The files of this room use each other in a circle, through this header. They are parts of that object: a call of one part moves the
 * timeline, and then the host, the notifier, the control socket and the breakpoints follow, each of which may make it move on.
 *
 * What a trace does not hold is answered with an error, never made up. A trace that cannot be
 * opened is told when a process is attached to: until then there is nothing to answer, and a client
 * may have other uses for the library.
 */
#ifndef WT_REPLAYER_LIBRARY_INTERNAL_H
#define WT_REPLAYER_LIBRARY_INTERNAL_H

#include <amd-dbgapi/amd-dbgapi.h>

#include "dbgapi/table/api.h"
#include "replay-answers.h"
#include "dbgapi/architecture/instruction.h"
#include "dbgapi/client/client.h"
#include "replayer/library/debuggee.h"
#include "replayer/control/control.h"
#include "replayer/journal/cursor.h"
#include "replayer/recorded/known.h"
#include "replayer/recorded/memory.h"
#include "replayer/library/substitute.h"
#include "replayer/timeline/timeline.h"
#include "trace-format/reader/reader.h"

#define WT_REPLAY_WATCHPOINTS 16

struct wt_replay_watchpoint {
	uint64_t handle; /* 0: none */
	uint64_t address, size;
};

/* A wave's last displaced stepping, and where its pc was moved from and to. */
struct wt_replay_displaced {
	uint64_t wave, handle;
	uint64_t from, to;
	bool active;
	uint32_t since; /* position of the moment with the state that has it */
	size_t begun;	/* by the wave, of those that are in this state */
};

#define WT_REPLAY_BREAKPOINTS 16

/* The recorded library's own, in the host program. */
struct wt_replay_breakpoint {
	uint64_t handle; /* 0: none */
	size_t hits;	 /* that the client reported since the state of the present moment */
	bool inserted;	 /* by the client, which may refuse */
};

/* The process that is attached, beside its timeline. */
struct wt_replay_process {
	uint64_t handle; /* 0: none is attached */
	amd_dbgapi_client_process_id_t client;
	bool has_os_id;
	amd_dbgapi_os_process_id_t os_id;
	int notifier[2]; /* a pipe: the client's end, ours */
	amd_dbgapi_progress_t progress;
	amd_dbgapi_wave_creation_t creation;
	bool frozen;
	struct wt_replay_watchpoint watchpoints[WT_REPLAY_WATCHPOINTS];
	struct wt_replay_breakpoint breakpoints[WT_REPLAY_BREAKPOINTS];
	bool breakpoints_synced; /* with the moment at this position */
	uint32_t breakpoints_position;
	struct wt_replay_displaced *displaced;
	size_t displaced_count;
	/* The highest handles that the client has been given. */
	uint64_t last_watchpoint, last_displaced;
	bool core;		    /* the recorded library read a core through the client */
	struct wt_control *control; /* NULL: nobody else has a say */
	bool travels;		    /* a request is with the timeline */
	uint64_t selected;	    /* the wave that the client showed then, as it knows it */
};

#define WT_REPLAY_OTHERS 8

/* A process beside that one, of which there is no timeline: see other.h. */
struct wt_replay_other {
	uint64_t handle; /* 0: none */
	bool has_os_id;
	amd_dbgapi_os_process_id_t os_id;
	int notifier[2];
};

#define WT_REPLAY_DIRECTORIES 3

/* From the environment (library.c), as they were when the process was attached to. */
struct wt_replay_options {
	bool host;    /* the client debugs wavetape-host in place of the recorded process */
	bool extract; /* code objects have URIs of copies that are here */
	bool without_debug_frame; /* in the copies */
	bool from_state;	  /* the recorded calls are not looked at */
	char *directories[WT_REPLAY_DIRECTORIES +
			  1]; /* for them, the first that can be had; ends with NULL */
};

struct wt_replayer {
	struct wt_client client;
	struct wt_replay_options options;
	struct wt_debuggee debuggee;
	struct wt_substitute substitute;
	struct wt_images images; /* of the present moment: see wt_replay_images() */
	const struct wt_state *images_state;
	uint32_t images_position;
	struct wt_reader *reader; /* NULL: no trace is open, and `failure` says why */
	bool opened_from_state;
	char *path, *failure;
	struct wt_call_cursor cursor; /* where the client is in the journal */
	bool turned; /* it has gone its own way: the cursor says nothing any more */
	struct wt_table_names names;
	struct wt_state *facts_state;
	struct wt_layout facts_layout;
	struct wt_recorded facts;
	struct wt_timeline timeline;
	struct wt_replay_process process;
	struct wt_replay_other others[WT_REPLAY_OTHERS];
	amd_dbgapi_client_thread_id_t *threads; /* the client's: see wt_replay_note_thread() */
	size_t thread_count;
	struct wt_disassemblers disassemblers;
	struct wt_known known; /* architectures of the trace */
};

extern struct wt_replayer wt_replayer;

/** The path that the environment names; NULL if it names none (library.c). */
const char *wt_trace_path(void);

/**
 * Open the trace, unless it is open: also closes one that is no longer the one the environment
 * names, or is to be replayed in the other way (wt_replay_options.from_state), if no process is
 * attached. Sets `failure` if there is none to open.
 */
void wt_replay_open(void);

/** Read the options anew (library.c). Without memory for them there are none. */
void wt_replay_read_options(struct wt_replay_options *options);

/** The code objects of the present moment, as memory. */
const struct wt_images *wt_replay_images(void);

/** Architectures of the trace that our own tables know too, under the recorded handles. */
struct wt_static wt_replay_static(void);

/** Where an object of a kind is recorded: with the facts, or in the state of the moment. */
const struct wt_recorded *wt_replay_recorded(enum wt_object object);

/** The recorded handle of what the client names; one that names nothing if that is no more. */
uint64_t wt_replay_handle(enum wt_object object, uint64_t shown);

/** Is there such an object, by its recorded handle? */
bool wt_replay_exists(enum wt_object object, uint64_t handle);

/** All get_info functions. @handle: as the client knows it. */
amd_dbgapi_status_t wt_replay_get_info(enum wt_object object, uint64_t handle, uint32_t query,
				       size_t value_size, void *value);

/** The lists of what a process has. */
amd_dbgapi_status_t wt_replay_process_list(enum wt_object object, uint64_t process, size_t *count,
					   void *array, amd_dbgapi_changed_t *changed);

/**
 * The lists of what another object has: @function names the list, @owner an object of kind @object as
 * the client knows it, whose absence is the error of that kind. They hold handles that never change.
 */
amd_dbgapi_status_t wt_replay_owner_list(enum wt_function function, enum wt_object object,
					 uint64_t owner, size_t *count, void *array);

/** Make the notifier readable if there is something to get. */
void wt_replay_notify(void);

/** Make it readable whatever there is, so that the client asks. */
void wt_replay_make_pump(void);

/** Is the client one that makes the recorded calls, as far as is known (call.c)? */
bool wt_replay_is_in_step(void);

/** The client lets something go that was held back, by one of the functions that do that. */
amd_dbgapi_status_t wt_replay_release(enum wt_function function);

/** Whether others may control the replay, and where; fills in all but the trace (library.c). */
bool wt_control_wanted(struct wt_control_options *options_ret);

/** Let others control the process that was attached, and no longer (travel.c). */
void wt_replay_control_open(void);
void wt_replay_control_close(void);

/** Pass their requests on to the timeline. */
void wt_replay_control_take(void);

/**
 * Let them know where the timeline is, and what became of their requests.
 *
 * @error: of a call that may have carried one out; NULL if it went well.
 *
 * Return: NULL if it was the request that failed; else @error.
 */
struct wt_error *wt_replay_control_tell(struct wt_error *error);

/**
 * Attach as a recorded call did, without a word to the client.
 *
 * @like: the client's process, its number, and whether it is a core.
 * @call: number of the recorded call.
 * Return: false if it cannot be done, because the trace is damaged, say.
 */
bool wt_replay_follow_attach(const struct wt_replay_process *like, uint64_t call);

/** Detach from the process, without words to the client; also from those beside it. */
void wt_replay_detach(void);
/** Detach from the process alone. */
void wt_replay_forget_process(void);

/** Give the client what the recorded library had logged by now. */
void wt_replay_log(void);

/** Log an error of ours as FATAL_ERROR and destroy it. */
void wt_replay_log_error(struct wt_error *error);

#endif /* WT_REPLAYER_LIBRARY_INTERNAL_H */
