/* SPDX-License-Identifier: MIT */
/*
 * The replaying library's one object: the trace, the client, and the processes it is attached to. The
 * API has no context parameter, so there is one per loaded library.
 *
 *     replay-state.h                      the data of all that
 *     replay-call.c                       where every call enters: answered as recorded (repeat.c), while the state moves along, or from the state (the rest)
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
 *     debuggee.c                          the host program under a debugger
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

#include "dbgapi/architecture/instruction.h"
#include "dbgapi/table/invoke.h"
#include "replay-answers.h"
#include "replayer/library/replay-state.h"

struct wt_control_options;

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

/**
 * The minor number of the level by whose rules the recorded library answered, as far as these are not the same at every level
 * (replay-library.c). Our own library keeps to those of 0.77, whatever level it has the functions of; so does a trace that
 * does not say.
 */
unsigned int wt_replay_recorded_level(void);

/** The code objects of the present moment, as memory. */
const struct wt_images *wt_replay_images(struct wt_replay_process *process);

/** Architectures of the trace that our own tables have too, under the recorded handles, and those of wt_replay_tables(). */
struct wt_static wt_replay_static(void);

/** Our own tables alone, under handles that the trace does not have: what is no fact of the trace is looked for there. */
struct wt_static wt_replay_tables(void);

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

/** Is it that process, which is attached, that the client names? */
bool wt_replay_is_process(struct wt_replay_process *process, amd_dbgapi_process_id_t process_id);

/** Is a handle that of a process that is attached, or of no process? */
bool wt_replay_is_process_or_none(uint64_t handle);

/**
 * The process that has an object (select.c). @handle: the client's. If none has it, or there is no such object in a process, it
 * is the first one, and a stand-in that nothing is known of where the client is attached to none.
 */
struct wt_replay_process *wt_replay_process_of(enum wt_object object, uint64_t handle);

/**
 * The process that a call is about which a client has attached to.
 *
 * @process_ret: written with SUCCESS alone. Return: else why there is none: NOT_INITIALIZED or INVALID_PROCESS_ID.
 */
amd_dbgapi_status_t wt_replay_check_process(amd_dbgapi_process_id_t process_id,
					    struct wt_replay_process **process_ret);

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
