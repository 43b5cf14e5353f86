/* SPDX-License-Identifier: MIT */
/*
 * A timeline says where in the recorded session a client is: the moment that has been reached, the events that are
 * queued, and what the client has done to waves since. Each process that is attached has its own, over the same trace.
 *
 *     timeline.c, move.c                      when the timeline goes on to the next moment, and what changes then; waves as the client may see them
 *     event.c                                 the queue of events
 *     command.c, held-waves.c, pc.c           what the client does to waves
 *     follow.c                                a client in step: the timeline goes where the recorded session went
 *     jump.c, weigh.c, itinerary.c  going to another stop, as timeline.c does with a client that is connected
 *
 * This room holds the rules of docs/trace-model.md, section "Replay", and is their only implementation. It must not know
 * of callbacks, notifiers or arguments of the API: those are library/.
 */
#ifndef WT_REPLAYER_TIMELINE_TIMELINE_H
#define WT_REPLAYER_TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replayer/timeline/client-position.h"

/** Is it a STOP that was made because the recorded client inspected something between two events, and resumed nothing? */
bool wt_moment_is_inspection(const struct wt_reader *reader, const struct wt_moment *moment);

/** A timeline before the first moment of a trace. @names and @reader must outlive it. */
void wt_timeline_init(struct wt_timeline *timeline, struct wt_reader *reader,
		      const struct wt_table_names *names);
void wt_timeline_deinit(struct wt_timeline *timeline);

/**
 * Go to the next ATTACH moment; after the last one, to the first.
 *
 * @refusals: where the recorded library refused to attach before that, this is refused, too, once for each. A trace that has
 *	nothing else refuses all.
 * @call: only the moment of this recorded call will do; 0: any.
 * @refused_ret: the moment of the refusal; NULL if the process is attached.
 * Errors: WT_ERROR_NOT_FOUND if the trace has none; those of the reader.
 */
struct wt_error *wt_timeline_attach(struct wt_timeline *timeline, bool refusals, uint64_t call,
				    const struct wt_moment **refused_ret);

/**
 * Another process has reached a moment. Take its state, or the last one before this process's next moment. The state stays
 * if the client holds a wave stopped that was not stopped there. Errors: those of the reader.
 */
struct wt_error *wt_timeline_look(struct wt_timeline *timeline, uint32_t position);

/** Forget the state, events and waves; the position stays. */
void wt_timeline_detach(struct wt_timeline *timeline);

/**
 * Request to go to a STOP. It is done when the client has resumed all waves and has got all events. Replaces an earlier
 * request that is not done yet.
 *
 * @destination: of a STOP since the process was attached.
 */
void wt_timeline_travel(struct wt_timeline *timeline, uint32_t destination);

/**
 * Go to a STOP at once, for a client that holds all waves and says that it forgets what it knows about them. No event is needed
 * then, if no wave is new to the client at that STOP.
 *
 * @selected: a wave whose stop it has shown; handle as the client knows it; 0: none.
 * @jumped_ret: whether the timeline is there.
 * Errors: those of the reader. The timeline then stays where it is.
 */
struct wt_error *wt_timeline_jump(struct wt_timeline *timeline, uint32_t destination,
				  uint64_t selected, bool *jumped_ret);

/**
 * The wave to show at a stop, by the client's handle: the selected one, unless another one is more important there (weigh.c);
 * 0 if there is none.
 *
 * @running_ret: no wave is stopped there.
 */
uint64_t wt_timeline_show(const struct wt_timeline *timeline, uint64_t selected, bool *running_ret);

/** Is there no later moment of the process? */
bool wt_timeline_is_last(const struct wt_timeline *timeline);

/** Did the client resume a wave that has not stopped since? */
bool wt_timeline_has_resumed(const struct wt_timeline *timeline);

enum wt_timeline_ended {
	WT_TIMELINE_ENDS_STEPS,
	WT_TIMELINE_ENDS_STEPS_THAT_RUN, /* also those of wt_timeline_let_run() */
	WT_TIMELINE_ENDS_ALL,		 /* also waves that the client resumed */
};

/**
 * End requested single steps at the pc where they began, with an event for each, and what else @which says. A wave with a fault stops
 * for that fault again.
 * Return: whether there was one.
 */
bool wt_timeline_end_commanded(struct wt_timeline *timeline, enum wt_timeline_ended which);

/**
 * A wave that was let go to make a step has made it, without the recording going on: queue the event of that. The timeline then
 * does not go over the wave's next recorded stop until the wave is let go.
 *
 * @over: over a breakpoint of the client's, whatever the wave stopped for; else not where it would meet a fault again.
 * Return: false, and nothing is done, if the wave makes no step, or none here, or there is no memory.
 */
bool wt_timeline_make_step(struct wt_timeline *timeline, uint64_t wave, bool over);

/**
 * A wave that was let go to make a step is to go on as others do: the step does not end where nothing comes of it. The client
 * has an event of its end all the same.
 */
void wt_timeline_let_run(struct wt_timeline *timeline, uint64_t wave);

/** Is it held behind a step that was made here? */
bool wt_timeline_made_step(const struct wt_timeline *timeline, uint64_t wave);

/** Was a wave let go to make a step, while the client holds all others, of which there are some? 0 if not. */
uint64_t wt_timeline_steps_alone(const struct wt_timeline *timeline);

/** The next wave by its handle behind @wave (0: the first) that was let go to make a step and has not stopped since; 0: none. */
uint64_t wt_timeline_next_step(const struct wt_timeline *timeline, uint64_t wave);

/**
 * Queue a stop event for each wave that is recorded as stopped, that no recorded event reported, and that the client has done
 * nothing to. Cores have such waves: they were stopped only to be saved.
 * Return: how many.
 */
size_t wt_timeline_report_standing(struct wt_timeline *timeline);

/** Is an event queued, or may the timeline move to the next moment? */
bool wt_timeline_pending(struct wt_timeline *timeline);

/** Is no event queued, and the process's next moment a STOP that the timeline may move to now? The call it was made by. */
bool wt_timeline_stop_comes(struct wt_timeline *timeline, uint64_t *call_ret);

/** The first part of wt_timeline_pump(): if no event is queued, move on if that is allowed. Errors as below. */
struct wt_error *wt_timeline_fetch(struct wt_timeline *timeline);

/**
 * The client asks for an event: the first one in the queue, after the timeline has moved if it may (docs/trace-model.md).
 *
 * @event_ret: the event, now reported; NULL if there is none.
 *
 * Errors: those of the reader. The timeline then stays where it is, and a request to travel is dropped.
 */
struct wt_error *wt_timeline_pump(struct wt_timeline *timeline,
				  const struct wt_timeline_event **event_ret);

/**
 * The client does what the recorded one may have done only after it had asked for events once more, and got none: move over
 * that poll, which this client does not make.
 *
 * Return: whether there was one.
 */
bool wt_timeline_pass_poll(struct wt_timeline *timeline);

/**
 * The client lets the program go on: it sets progress from NO_FORWARD to NORMAL, or wave creation from STOP to NORMAL, or has
 * processed the event for which the program waited at a breakpoint. Errors as above.
 *
 * @function: of the API, that did it.
 */
struct wt_error *wt_timeline_release(struct wt_timeline *timeline, enum wt_function function);

/**
 * The next message that the recorded library had logged up to now. Each is returned once; NULL if there is none.
 */
const struct wt_log_message *wt_timeline_log(struct wt_timeline *timeline);

/** An event that was reported and not processed yet; NULL if there is no such event. */
const struct wt_timeline_event *wt_timeline_event(const struct wt_timeline *timeline,
						  uint64_t handle);

/** The client has processed a reported event; false if there is no such event. */
bool wt_timeline_processed(struct wt_timeline *timeline, uint64_t handle);

/** The state of a wave as reported to the client. The wave must exist. */
amd_dbgapi_wave_state_t wt_timeline_wave_state(const struct wt_timeline *timeline, uint64_t wave);

/** Is it stopped only because the client of the replay asked for it? */
bool wt_timeline_wave_stopped_on_request(const struct wt_timeline *timeline, uint64_t wave);

/** Can its registers and memory be read: is it stopped, even if that is not reported yet? */
bool wt_timeline_wave_stopped(const struct wt_timeline *timeline, uint64_t wave);

/**
 * Does a recorded stop of the wave come that this client has not been told of, without anybody's request, as of a wave of a core?
 * @reasons_ret: why the wave stops.
 */
bool wt_timeline_stops_unasked(struct wt_timeline *timeline, uint64_t wave, uint64_t *reasons_ret);

/** wave_stop and wave_resume of a wave that exists, all other checks included. */
amd_dbgapi_status_t wt_timeline_wave_stop(struct wt_timeline *timeline, uint64_t wave, bool frozen);
/** Whether wave_resume would be refused, and how. */
amd_dbgapi_status_t wt_timeline_wave_resumable(const struct wt_timeline *timeline, uint64_t wave);
amd_dbgapi_status_t wt_timeline_wave_resume(struct wt_timeline *timeline, uint64_t wave, bool step);

/*
 * For a client in step: the timeline does what the recorded library did, without the rules above. In a damaged trace, what
 * does not fit is ignored.
 */

/** To the last moment that was made by the end of a recorded call, and not past another attach. Errors: those of the reader. */
struct wt_error *wt_timeline_follow(struct wt_timeline *timeline, uint64_t call);

/** The recorded library refused to attach in a call: the attach that comes next is behind that. Errors as above. */
struct wt_error *wt_timeline_follow_refusal(struct wt_timeline *timeline, uint64_t call);

/** The client gets a recorded event: the timeline goes to the moment that has it. Errors as above. */
struct wt_error *wt_timeline_follow_event(struct wt_timeline *timeline, uint64_t event);

/** The client gets no event, and the moment has none. */
void wt_timeline_follow_none(struct wt_timeline *timeline);

/** wave_stop and wave_resume that the recorded library granted. Errors: out of memory. */
struct wt_error *wt_timeline_follow_stop(struct wt_timeline *timeline, uint64_t wave);
struct wt_error *wt_timeline_follow_resume(struct wt_timeline *timeline, uint64_t wave, bool step);

/**
 * Queue an event with a handle that no other event has.
 *
 * @wave: recorded handle; 0 for none.
 * @recorded: where its answers are; NULL if it is made here.
 *
 * Return: NULL if there is no memory.
 */
struct wt_timeline_event *wt_timeline_make_event(struct wt_timeline *timeline,
						 amd_dbgapi_event_kind_t kind, uint64_t wave,
						 const struct wt_event *recorded);

/** Make a queued event the next one that the client gets. */
void wt_timeline_put_first(struct wt_timeline *timeline, struct wt_timeline_event *event);

#endif /* WT_REPLAYER_TIMELINE_TIMELINE_H */
