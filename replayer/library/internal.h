/* SPDX-License-Identifier: MIT */
/*
 * The replaying library's one object: the trace, the client, and the processes it is attached to. The
 * API has no context parameter, so there is one per loaded library.
 *
 *     replay-call.c                       where every call enters: answered as recorded (repeat.c, replay-follow.c), or from the state (the rest)
 *     replay-library.c                    initialize, finalize, and the environment
 *     open.c                              opens the trace and attaches
 *     replay-process.c                    process functions; replay-events.c: events
 *     replay-objects.c                    queries (get_info) and lists; queries.c: those that are not simply recorded
 *     replay-wave.c, replay-registers.c   waves and their registers
 *     transfer.c                          memory
 *     replay-architecture.c               architectures, instructions, packets of queues
 *     replay-watchpoint.c, replay-displaced.c, replay-breakpoint.c  what debuggers and the recorded library set
 *     step.c                              steps that the recording does not have
 *     cache.c                             answers of the present moment that were given once
 *     substitute.c                        answers in place of recorded ones that the client could not use
 *     debuggee.c, memory-sync.c, ready.c  the host program under a debugger
 *     replay-notifier.c, replay-travel.c, select.c  the notifier, requests to go to another stop, further processes
 *
 * The files use each other in a circle, through this header, because they are parts of one object: a call of one part moves
 * the timeline, and then the host, the notifier, the control socket and the breakpoints follow, each of which may make it move on.
 *
 * What a trace does not hold is answered with an error, never made up. If the trace cannot be opened, process_attach fails:
 * functions before that need no trace, and a client may use the library for them alone.
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
#include "replayer/recorded/wave-memory.h"
#include "replayer/library/step.h"
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
	uint32_t since; /* position of the first moment whose state has it */
	size_t begun;	/* how many the wave has begun in this state */
};

#define WT_REPLAY_BREAKPOINTS 16

/* A breakpoint that the recorded library had its client insert into the host program. */
struct wt_replay_breakpoint {
	uint64_t handle; /* 0: none */
	size_t hits;	 /* reported by the client since the state of the present moment */
	bool inserted;	 /* the client may have refused */
};

/* The wave whose registers the client asked about last, in a state: debuggers ask about each register of one. */
struct wt_replay_recent_wave {
	uint64_t state_changes;		 /* of the timeline, then */
	uint64_t wave;			 /* 0: none */
	const struct wt_item *registers; /* that it has; NULL if that was not recorded */
	bool ordered;			 /* these are in order */
	bool has_architecture;
	uint64_t architecture;
};

/*
 * The access through which memory was last read or written in a state: debuggers read on in the same space, through the
 * same wave.
 */
struct wt_replay_recent_access {
	uint64_t state_changes;	  /* as above */
	uint64_t wave, space_id;  /* 0: none was asked about */
	enum gfx_space space;	  /* that space_id names */
	bool wave_has_space;	  /* its architecture has that space */
	struct wt_access through; /* without a lane and code objects */
};

/* The recorded facts of a register, for a debugger that asks about each register of every wave. */
struct wt_replay_register {
	uint64_t id;
	uint32_t size;
	bool has_architecture;
	uint64_t architecture;
	UT_hash_handle hh;
};

/* A process that is attached. */
struct wt_replay_process {
	struct wt_replay_process *next; /* attached to later */
	struct wt_replay_process *next_closed;
	uint64_t handle;   /* 0: none is attached */
	unsigned int slot; /* no other that is attached has it; from 0 */
	struct wt_timeline timeline;
	struct wt_debuggee debuggee;
	struct wt_images images; /* of the present moment: see wt_replay_images() */
	const struct wt_state *images_state;
	uint32_t images_position;
	struct wt_replay_recent_wave recent_wave;
	struct wt_replay_recent_access recent_access;
	amd_dbgapi_client_process_id_t client;
	bool has_os_id;
	amd_dbgapi_os_process_id_t os_id;
	int notifier[2]; /* a pipe: the client's end, ours */
	amd_dbgapi_progress_t progress;
	amd_dbgapi_wave_creation_t creation;
	bool frozen;
	bool precise_memory, precise_alu; /* as the client has set them */
	struct wt_replay_watchpoint watchpoints[WT_REPLAY_WATCHPOINTS];
	struct wt_replay_breakpoint breakpoints[WT_REPLAY_BREAKPOINTS];
	bool breakpoints_synced; /* with the moment at breakpoints_position */
	uint32_t breakpoints_position;
	struct wt_replay_displaced *displaced;
	size_t displaced_count;
	uint64_t own_displaced; /* how many were begun that the recording does not have */
	struct wt_replay_step *steps;
	size_t step_count;
	/* The highest handles that the client got. */
	uint64_t last_watchpoint, last_displaced;
	bool core;		    /* the recorded library read a core through the client */
	struct wt_control *control; /* NULL: no control socket */
	bool travels;		    /* the timeline has a request to go to another stop */
	uint64_t selected;	    /* the client's handle of the wave that it showed then */
};

#define WT_REPLAY_DIRECTORIES 3

/* From the environment (replay-library.c), as they were when the process was attached to. */
struct wt_replay_options {
	bool host;    /* the client debugs wavetape-host in place of the recorded process */
	bool extract; /* URIs of code objects are those of extracted copies */
	bool without_debug_frame; /* in the copies */
	bool from_state;	  /* answer from the state only, never as recorded */
	char *directories[WT_REPLAY_DIRECTORIES +
			  1]; /* for them, the first that can be had; ends with NULL */
};

struct wt_replayer {
	struct wt_client client;
	struct wt_replay_options options;
	struct wt_substitute substitute;
	struct wt_reader *reader; /* NULL: no trace is open, and `failure` says why */
	bool opened_from_state;
	char *path, *failure;
	struct wt_call_cursor cursor; /* where the client is in the journal */
	bool turned;		      /* the client is no longer in step: do not use the cursor */
	/*
	 * The cache (cache.h) learns from the present call: would the same question be answered the same way; did a
	 * call that acts change nothing?
	 */
	bool answer_stays, changed_nothing;
	struct wt_table_names names;
	struct wt_state *facts_state;
	struct wt_layout facts_layout;
	struct wt_recorded facts;
	/* Attached processes, in the order of attaching; and a stand-in where there is none. */
	struct wt_replay_process *processes, nobody;
	size_t process_count;
	struct wt_replay_process *closed; /* to be freed when no call works on them any more */
	size_t call_depth; /* calls that the client is in: a callback may have made all but the first */
	uint32_t attached_at; /* position of the ATTACH moment that a client was given last */
	amd_dbgapi_client_thread_id_t *threads; /* the client's: see wt_replay_note_thread() */
	size_t thread_count;
	struct wt_disassemblers disassemblers;
	struct wt_known known;		      /* architectures of the trace */
	struct wt_replay_register *registers; /* that were asked about */
};

extern struct wt_replayer wt_replayer;

/** The path that the environment names; NULL if it names none (replay-library.c). */
const char *wt_trace_path(void);

/**
 * Open the trace that the environment names, unless it is open. If no process is attached, first close a trace that the
 * environment no longer names, or that was opened with another wt_replay_options.from_state. Sets `failure` if the trace
 * cannot be opened.
 */
void wt_replay_open(void);

/** Read the options from the environment again (replay-library.c). If there is no memory, no option is set. */
void wt_replay_read_options(struct wt_replay_options *options);

/** The code objects of the present moment, as memory. */
const struct wt_images *wt_replay_images(struct wt_replay_process *process);

/** Architectures of the trace that our own tables have too, under the recorded handles. */
struct wt_static wt_replay_static(void);

/** Returns what has the objects of this kind: the facts, or the state of the moment. */
const struct wt_recorded *wt_replay_recorded(const struct wt_replay_process *process,
					     enum wt_object object);

/** The recorded handle for a handle of the client's. If the object no longer exists, a handle that names nothing. */
uint64_t wt_replay_handle(const struct wt_replay_process *process, enum wt_object object,
			  uint64_t shown);

/** The item of an object that is the same at every moment (wt_replay_is_fact()); NULL if there is none. */
const struct wt_item *wt_replay_fact(enum wt_object object, uint64_t handle);

/** Does the object with this recorded handle exist? */
bool wt_replay_exists(struct wt_replay_process *process, enum wt_object object, uint64_t handle);

/** All get_info functions. @handle: the client's. */
amd_dbgapi_status_t wt_replay_get_info(enum wt_object object, uint64_t handle, uint32_t query,
				       size_t value_size, void *value);

/** The lists of a process: its agents, queues, waves... */
amd_dbgapi_status_t wt_replay_process_list(enum wt_object object, uint64_t handle, size_t *count,
					   void *array, amd_dbgapi_changed_t *changed);

/**
 * The lists of another object, of handles that are the same in every trace position.
 * @function: which list. @object, @owner: kind and handle (the client's) of the object. If it does not exist, returns the
 * error status of that kind.
 */
amd_dbgapi_status_t wt_replay_owner_list(enum wt_function function, enum wt_object object,
					 uint64_t owner, size_t *count, void *array);

/** Make the notifier readable if an event is pending. */
void wt_replay_notify(void);

/** Make the notifier readable in any case, so that the client asks for events. */
void wt_replay_make_pump(const struct wt_replay_process *process);

/** Has the client made the recorded calls only, so far (replay-call.c)? */
bool wt_replay_is_in_step(void);

/** @function releases what was held back, such as waves in process_set_progress: let the replay move on. */
amd_dbgapi_status_t wt_replay_release(struct wt_replay_process *process, enum wt_function function);

/** May other processes control the replay, and where? Fills in all but the trace (replay-library.c). */
bool wt_control_wanted(struct wt_control_options *options_ret);

/** Open the control socket for the attached process, and close it (replay-travel.c). */
void wt_replay_control_open(struct wt_replay_process *process);
void wt_replay_control_close(struct wt_replay_process *process);

/** Forget what is known of registers, before the facts are released. */
void wt_replay_forget_registers(void);

/** Is there a request from the control socket? */
bool wt_replay_control_asks(void);

/** Pass requests from the control socket to the timeline. */
void wt_replay_control_take(struct wt_replay_process *process);

/**
 * Tell the control socket where the timeline is, and the result of its request.
 *
 * @error: of the call that may have carried out the request; NULL for success.
 *
 * Return: NULL if @error was of the request; else @error.
 */
struct wt_error *wt_replay_control_tell(struct wt_replay_process *process, struct wt_error *error);

/** A process that is attached, by its handle; NULL if there is none. */
struct wt_replay_process *wt_replay_find_process(uint64_t handle);

/** Is a handle that of a process that is attached, or of no process? */
bool wt_replay_is_process_or_none(uint64_t handle);

/**
 * The process that has an object (select.c). @handle: the client's. If none has it, or there is no such object in a process, it
 * is the first one, and a stand-in that nothing is known of where the client is attached to none.
 */
struct wt_replay_process *wt_replay_process_of(enum wt_object object, uint64_t handle);

/** The process that a call is about, in the same way: by the first of the client's handles in it. */
struct wt_replay_process *wt_replay_process_of_call(enum wt_function function,
						    const struct wt_argument *arguments);

/** Does a kind of object hold at every moment, and can be asked about without a process? */
bool wt_replay_is_fact(enum wt_object object);

/** Several processes: no two of them give the same handle; and each sees what was recorded of it at the others' moments. */
void wt_replay_share_handles(void);
void wt_replay_look(void);

/** Is a handle that of no process, and are there several? Then the call is about all of them. */
static inline bool wt_replay_is_of_all(uint64_t handle)
{
	return handle == AMD_DBGAPI_PROCESS_NONE.handle && wt_replayer.process_count > 1;
}

/**
 * In a repeated call: attach without callbacks.
 *
 * @like: the client's process, its OS id, and whether it is a core.
 * @call: number of the recorded call.
 * Return: the process; NULL if that fails, for example because the trace is damaged.
 */
struct wt_replay_process *wt_replay_follow_attach(const struct wt_replay_process *like,
						  uint64_t call);

/** In a repeated call that was refused: an attach from the state comes after it. Return: false if the trace is damaged. */
bool wt_replay_follow_refusal(uint64_t call);

/** Detach from a process, without words to the client; and from all. */
void wt_replay_forget_process(struct wt_replay_process *process);
void wt_replay_detach_all(void);

/** Free processes that were detached from. Call it when the client is in no call. */
void wt_replay_free_closed(void);

/** Log what the recorded library had logged up to the present moment. */
void wt_replay_log(struct wt_replay_process *process);

/** Log an error at level FATAL_ERROR and destroy it. */
void wt_replay_log_error(struct wt_error *error);

#endif /* WT_REPLAYER_LIBRARY_INTERNAL_H */
