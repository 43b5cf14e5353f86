/* SPDX-License-Identifier: MIT */
/* How moments are made, and those that are left when the client ends; and hooks that make them. */
#include <stdlib.h>

#include "base/clock.h"
#include "recorder/host/recorded-host.h"
#include "recorder/moment/client-breakpoint.h"
#include "recorder/moment/facts.h"
#include "recorder/moment/hooks.h"
#include "recorder/moment/late.h"
#include "recorder/moment/moment.h"
#include "recorder/moment/snapshot.h"
#include "recorder/recording/environment.h"
#include "recorder/recording/question.h"
#include "recorder/recording/thread.h"

/* Why a moment is made, and in which call. */
struct occasion {
	enum wt_moment_cause cause;
	enum wt_function function;
	uint64_t call;
	int64_t status; /* that refused it */
};

static struct wt_error *write_moment(struct wt_recorder *recorder, struct wt_attached *process,
				     const struct occasion *occasion, const struct wt_state *state)
{
	struct wt_session *session = &recorder->session;
	const struct wt_moment moment = {
		.process = process ? process->handle : 0,
		.cause = occasion->cause,
		.call = occasion->call,
		.time = wt_recorder_time(recorder),
		.function = occasion->function == WT_FUNCTION_COUNT
				    ? 0
				    : wt_number_function(&recorder->numbers, occasion->function),
		.status = occasion->status,
		.events = process ? process->events : NULL,
		.event_count = process ? process->event_count : 0,
		.after_resume = process && process->after_resume,
		.stop_requested = process ? process->stop_requested.values : NULL,
		.stop_requested_count = process ? process->stop_requested.count : 0,
		.log = session->log,
		.log_count = session->log_count,
	};
	struct wt_error *error = NULL;

	session->stopped = 0;
	if (session->log_cut)
		error = wt_recorder_notice(recorder, WT_NOTICE_NOT_TAKEN,
					   "the library logged more than one moment keeps");
	if (!error)
		error = wt_writer_moment(recorder->writer, &moment, state);
	if (error)
		return error;
	if (occasion->cause == WT_MOMENT_STOP)
		wt_recorder_keep(recorder);
	wt_session_clear_log(session);
	if (process)
		wt_attached_clear(process);
	return NULL;
}

static bool set_progress(struct wt_recorder *recorder, uint64_t process,
			 amd_dbgapi_progress_t progress)
{
	amd_dbgapi_status_t status;

	wt_own_begin();
	status = recorder->api.process_set_progress((amd_dbgapi_process_id_t){process}, progress);
	wt_own_end();
	return status == AMD_DBGAPI_STATUS_SUCCESS;
}

/*
 * The state of a program that runs, with its progress as the client has it, or held still where that is asked
 * for. A real GPU then is interrupted once, and not by every list and register. It is no default: of the simulated
 * GPU and of a replay going back to NORMAL is one of the two calls in which anything moves, and a library over a
 * core dump answers it with FATAL, and everything after it.
 */
static struct wt_error *take_state(struct wt_recorder *recorder, struct wt_state *state)
{
	struct wt_attached *process = recorder->session.processes;
	struct wt_handles held = {0};
	struct wt_error *error = NULL;

	for (; process && !error && recorder->options.policy.hold; process = process->next) {
		if (process->no_forward)
			continue;
		if (!wt_handles_add(&held, process->handle))
			error = &wt_error_no_memory;
		else if (!set_progress(recorder, process->handle, AMD_DBGAPI_PROGRESS_NO_FORWARD))
			wt_handles_remove(&held, process->handle);
	}
	wt_own_hold();
	if (!error)
		error = wt_snapshot_take(recorder, state);
	wt_own_let_go();
	for (size_t i = 0; i < held.count; i++)
		if (!set_progress(recorder, held.values[i], AMD_DBGAPI_PROGRESS_NORMAL) && !error)
			error = wt_error_create(WT_ERROR_INTERNAL, "the recording ends here",
						"hold", "the program could not be let go on");
	wt_handles_deinit(&held);
	return error;
}

/* Waves that are gone are not resumed any more. */
static void written_waves_forget(struct wt_recorder *recorder)
{
	struct wt_handles *written = &recorder->session.written;
	size_t place = 0;

	for (size_t i = written->count; i-- > 0;) {
		const struct wt_key key =
			wt_key_object(recorder, WT_OBJECT_WAVE, written->values[i]);

		if (!wt_state_get_near(recorder->session.state, &key, &place))
			wt_handles_remove(written, written->values[i]);
	}
}

static uint64_t milliseconds_since(uint64_t start)
{
	return (wt_clock_ns() - start) / 1000000u;
}

/*
 * The budget of time bounds what is taken. What it takes to write that, to drop older stops, to wait for the disk
 * and to look at the host comes on top: when it is too much, that is told each time.
 */
static struct wt_error *tell_time(struct wt_recorder *recorder, uint64_t start, uint64_t taken)
{
	uint64_t budget = recorder->options.max_stopped_ms;
	uint64_t all = budget ? milliseconds_since(start) : 0;

	if (all <= budget)
		return NULL;
	return wt_recorder_notice(
		recorder, WT_NOTICE_CONTEXT,
		"max-stopped-ms=%llu: this stop took %llu ms, %llu of them after its state was "
		"taken: to write it, to wait for the disk, and for the host",
		(unsigned long long)budget, (unsigned long long)all,
		(unsigned long long)(all - taken));
}

/*
 * Make a moment with a state of its own: the library is asked for everything, and the notes of what the client did since
 * the last moment are cleared.
 *
 * @function: in whose call; WT_FUNCTION_COUNT if in none.
 */
static struct wt_error *moment_make(struct wt_recorder *recorder, struct wt_attached *process,
				    enum wt_moment_cause cause, enum wt_function function,
				    uint64_t call)
{
	const struct occasion occasion = {.cause = cause, .function = function, .call = call};
	struct wt_session *session = &recorder->session;
	struct wt_state *state = wt_state_create();
	uint64_t start = wt_clock_ns(), taken = 0;
	struct wt_error *error;

	if (!state)
		return &wt_error_no_memory;
	error = wt_trace_file_check_room(&recorder->file);
	if (!error)
		error = take_state(recorder, state);
	if (!error)
		error = wt_own_check();
	taken = milliseconds_since(start);
	if (!error)
		error = write_moment(recorder, process, &occasion, state);
	if (!error && cause == WT_MOMENT_STOP && recorder->host.seen != WT_SEEN_NOTHING)
		error = wt_take_host(recorder, process->handle, state);
	if (!error)
		error = tell_time(recorder, start, taken);
	if (error) {
		wt_state_destroy(state);
		return error;
	}
	wt_state_destroy(session->state);
	session->state = state;
	session->passed = false;
	wt_handles_clear(&session->touched);
	wt_handles_clear(&session->resumed);
	wt_late_forget_stepped(recorder);
	written_waves_forget(recorder);
	wt_handles_clear(&session->looked_at);
	wt_state_destroy(session->early);
	wt_state_destroy(session->fresh);
	session->early = session->fresh = NULL;
	return NULL;
}

/*
 * Make a PASS: the state is the one before, and the library is asked for nothing. None is made before the first state.
 *
 * @process: NULL if it is of none in particular.
 */
static struct wt_error *moment_pass(struct wt_recorder *recorder, struct wt_attached *process,
				    enum wt_function function, uint64_t call)
{
	const struct occasion occasion = {
		.cause = WT_MOMENT_PASS, .function = function, .call = call};
	struct wt_error *error;

	if (!recorder->session.state)
		return NULL;
	error = write_moment(recorder, process, &occasion, recorder->session.state);
	if (!error && recorder->session.resumed.count)
		error = wt_late_forget_unreported(recorder);
	recorder->session.passed = true;
	wt_handles_clear(&recorder->session.resumed);
	wt_state_destroy(recorder->session.fresh);
	recorder->session.fresh = NULL;
	return error;
}

/*
 * The library refused to attach to a process while none was attached: make a moment of that.
 *
 * @status: its answer.
 */
static struct wt_error *moment_refused(struct wt_recorder *recorder, enum wt_function function,
				       uint64_t call, int64_t status)
{
	const struct occasion occasion = {
		.cause = WT_MOMENT_REFUSED, .function = function, .call = call, .status = status};
	struct wt_session *session = &recorder->session;

	/* The state is that of the process that was attached to before, if any. */
	if (!session->state)
		session->state = wt_state_create();
	return session->state ? write_moment(recorder, NULL, &occasion, session->state)
			      : &wt_error_no_memory;
}

/*
 * Make a STOP for each process that has events which no moment holds.
 *
 * @handle: of a process; 0: of any.
 * @function: in whose call; WT_FUNCTION_COUNT if in none.
 * @made_ret: whether there was such a process.
 */
static struct wt_error *moment_make_stops(struct wt_recorder *recorder, uint64_t handle,
					  enum wt_function function, uint64_t call, bool *made_ret)
{
	struct wt_attached *process = recorder->session.processes;
	struct wt_error *error = NULL;

	*made_ret = false;
	for (; process && !error; process = process->next) {
		if (!process->event_count || (handle && process->handle != handle))
			continue;
		error = moment_make(recorder, process, WT_MOMENT_STOP, function, call);
		*made_ret = true;
	}
	return error;
}

/* ---- The end of the client ---- */

static bool has_stop(const struct wt_attached *process)
{
	for (size_t i = 0; i < process->event_count; i++)
		if (process->events[i].kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
			return true;
	return false;
}

static bool has_waves(struct wt_recorder *recorder, uint64_t process)
{
	const struct wt_key key =
		wt_key_function(recorder, WT_ITEM_LIST, wt_objects[WT_OBJECT_WAVE].list, process);
	const struct wt_item *list = wt_state_get(recorder->session.state, &key);

	return list && list->handle_count;
}

static struct wt_error *note_lost_stop(struct wt_recorder *recorder, const char *why)
{
	return wt_recorder_notice(recorder, WT_NOTICE_LOST,
				  "the client ended right after an event, whose stop is not in the "
				  "trace: %s",
				  why);
}

static struct wt_error *last_stop(struct wt_recorder *recorder, struct wt_attached *process)
{
	bool stopped = has_stop(process);
	struct wt_error *error;
	uint64_t notifier;

	if (!wt_ask_number(recorder, WT_OBJECT_PROCESS, process->handle,
			   AMD_DBGAPI_PROCESS_INFO_NOTIFIER, &notifier))
		return note_lost_stop(recorder, "the library did not answer any more");
	error = moment_make(recorder, process, WT_MOMENT_STOP, WT_FUNCTION_COUNT,
			    recorder->calls.last);
	if (error || !stopped || has_waves(recorder, process->handle))
		return error;
	return wt_recorder_notice(recorder, WT_NOTICE_LOST,
				  "when the client ended, the waves of its last events were gone");
}

static struct wt_error *last_stops(struct wt_recorder *recorder)
{
	struct wt_attached *process = recorder->session.processes;
	struct wt_error *error = NULL;

	if (!wt_session_pending(&recorder->session))
		return NULL;
	if (recorder->exit.over)
		return note_lost_stop(recorder, "that was too late to ask the library");
	if (recorder->calls.inside)
		return note_lost_stop(recorder, "the library was still at work on a call");
	for (; process && !error; process = process->next)
		if (process->event_count)
			error = last_stop(recorder, process);
	return error;
}

/*
 * At exit() or when the library is unloaded: no signal is handled, so that nothing is taken where one ends the program.
 * The lock is kept by a thread that is inside a call of ours, if the client ends there.
 */
void wt_moment_last(struct wt_recorder *recorder)
{
	struct wt_thread *thread = wt_thread_self();

	if (!atomic_load(&recorder->recording) || recorder->options.journal_only ||
	    !wt_recorder_is_owner(recorder) ||
	    !wt_thread_try_lock(thread, &recorder->lock, __builtin_frame_address(0)))
		return;
	recorder->client.silent = true;
	if (atomic_load(&recorder->recording))
		wt_recorder_check(recorder, last_stops(recorder));
	recorder->client.silent = false;
	recorder->exit.over = true;
	wt_thread_unlock(thread, &recorder->lock);
}

static void last_at_exit(void)
{
	wt_moment_last(wt_recorder_get());
}

/*
 * The wrapped library and the client have set up what they need when a process is attached to; a function that is registered
 * after that is called at exit before they take it down. Our own destructor may come too late.
 */
static void moment_last_at_exit(struct wt_recorder *recorder)
{
	if (!recorder->exit.registered)
		recorder->exit.registered = !atexit(last_at_exit);
}

/* ---- Hooks that make moments: when the client has got all events, and when it lets something run on ---- */

/* The client goes on without having asked whether there is more. */
static void make_stops_before(struct wt_call *call)
{
	bool made;

	if (wt_call_takes_state(call))
		wt_recorder_check(call->recorder,
				  moment_make_stops(call->recorder, 0, call->function,
						    call->recorder->calls.last, &made));
}

void wt_inspection_of_events(struct wt_call *call)
{
	make_stops_before(call);
}

void wt_after_initialize(struct wt_call *call, amd_dbgapi_status_t status,
			 const amd_dbgapi_callbacks_t *callbacks)
{
	(void)callbacks;
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		call->recorder->client.initialized = true;
}

void wt_before_finalize(struct wt_call *call)
{
	make_stops_before(call);
}

/* Whatever it answers: the library is uninitialized after it. */
void wt_after_finalize(struct wt_call *call, amd_dbgapi_status_t status)
{
	(void)status;
	call->recorder->client.initialized = false;
	wt_session_reset(&call->recorder->session);
}

/* ---- Processes ---- */

/*
 * Does a replay have to be told of it? The client's arguments, and what it says of its process, are refused again by
 * themselves.
 */
static bool is_refusal(const struct wt_call *call, amd_dbgapi_status_t status)
{
	switch ((int)status) {
	case AMD_DBGAPI_STATUS_SUCCESS:
	case AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED:
	case AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT:
	case AMD_DBGAPI_STATUS_ERROR_ALREADY_ATTACHED:
		return false;
	default:
		return !call->client_unknown && !call->recorder->session.processes;
	}
}

void wt_after_process_attach(struct wt_call *call, amd_dbgapi_status_t status,
			     amd_dbgapi_client_process_id_t client_process_id,
			     const amd_dbgapi_process_id_t *process_id)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_attached *process;

	(void)client_process_id;
	if (!wt_call_takes_state(call))
		return;
	if (is_refusal(call, status))
		wt_recorder_check(recorder,
				  moment_refused(recorder, call->function, call->number, status));
	if (status != AMD_DBGAPI_STATUS_SUCCESS || !process_id)
		return;
	process = wt_session_attach(&recorder->session, process_id->handle);
	wt_recorder_check(recorder, process ? moment_make(recorder, process, WT_MOMENT_ATTACH,
							  call->function, call->number)
					    : &wt_error_no_memory);
	/* Behind the names that each moment has, whose numbers are shorter so. The recording may have ended with the moment. */
	if (recorder->writer)
		wt_recorder_check(recorder, wt_facts_take_statuses(recorder));
	moment_last_at_exit(recorder);
}

void wt_before_process_detach(struct wt_call *call, amd_dbgapi_process_id_t process_id)
{
	make_stops_before(call);
	if (wt_call_takes_state(call) &&
	    wt_session_process(&call->recorder->session, process_id.handle))
		wt_recorder_check(call->recorder, wt_take_host(call->recorder, process_id.handle,
							       call->recorder->session.state));
}

void wt_after_process_detach(struct wt_call *call, amd_dbgapi_status_t status,
			     amd_dbgapi_process_id_t process_id)
{
	call->recorder->session.stopped = 0;
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		wt_session_detach(&call->recorder->session, process_id.handle);
}

void wt_before_process_set_progress(struct wt_call *call, amd_dbgapi_process_id_t process_id,
				    amd_dbgapi_progress_t progress)
{
	(void)process_id;
	if (progress == AMD_DBGAPI_PROGRESS_NORMAL)
		make_stops_before(call);
}

void wt_after_process_set_progress(struct wt_call *call, amd_dbgapi_status_t status,
				   amd_dbgapi_process_id_t process_id,
				   amd_dbgapi_progress_t progress)
{
	struct wt_attached *process = call->recorder->session.processes;
	struct wt_error *error = NULL;

	if (!wt_call_takes_state(call) || status != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	for (; process && !error; process = process->next) {
		if (process_id.handle && process->handle != process_id.handle)
			continue;
		if (process->no_forward && progress == AMD_DBGAPI_PROGRESS_NORMAL)
			error = moment_pass(call->recorder, process, call->function, call->number);
		process->no_forward = progress == AMD_DBGAPI_PROGRESS_NO_FORWARD;
	}
	wt_recorder_check(call->recorder, error);
}

void wt_before_process_set_wave_creation(struct wt_call *call, amd_dbgapi_process_id_t process_id,
					 amd_dbgapi_wave_creation_t creation)
{
	(void)process_id;
	if (creation == AMD_DBGAPI_WAVE_CREATION_NORMAL)
		make_stops_before(call);
}

/* Waves that were kept back come into sight. */
void wt_after_process_set_wave_creation(struct wt_call *call, amd_dbgapi_status_t status,
					amd_dbgapi_process_id_t process_id,
					amd_dbgapi_wave_creation_t creation)
{
	struct wt_attached *process;
	struct wt_error *error = NULL;

	if (!wt_call_takes_state(call))
		return;
	if (creation != AMD_DBGAPI_WAVE_CREATION_NORMAL)
		wt_recorder_check(call->recorder,
				  wt_late_refusal(call, call->function, process_id.handle, status));
	process = wt_session_process(&call->recorder->session, process_id.handle);
	if (!process || status != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	if (process->creation_stopped && creation == AMD_DBGAPI_WAVE_CREATION_NORMAL)
		error = moment_pass(call->recorder, process, call->function, call->number);
	process->creation_stopped = creation == AMD_DBGAPI_WAVE_CREATION_STOP;
	wt_recorder_check(call->recorder, error);
}

static struct wt_error *keep_event(struct wt_recorder *recorder, uint64_t handle, uint32_t kind)
{
	struct wt_attached *process = recorder->session.processes;
	struct wt_event event;
	struct wt_error *error;
	uint64_t owner;

	/* With only one attached there is nothing to ask. */
	if (process && process->next &&
	    wt_ask_number(recorder, WT_OBJECT_EVENT, handle, AMD_DBGAPI_EVENT_INFO_PROCESS, &owner))
		process = wt_session_process(&recorder->session, owner);
	if (!process)
		return NULL;
	if (kind == AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME &&
	    !wt_handles_add(&process->waiting, handle))
		return &wt_error_no_memory;
	error = wt_take_event(recorder, handle, kind, &event);
	if (error)
		return error;
	return wt_attached_add_event(process, &event) ? NULL : &wt_error_no_memory;
}

void wt_after_process_next_pending_event(struct wt_call *call, amd_dbgapi_status_t status,
					 amd_dbgapi_process_id_t process_id,
					 const amd_dbgapi_event_id_t *event_id,
					 const amd_dbgapi_event_kind_t *kind)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_attached *process = recorder->session.processes;
	struct wt_error *error;
	bool made;

	if (!wt_call_takes_state(call) || status != AMD_DBGAPI_STATUS_SUCCESS || !event_id || !kind)
		return;
	if (event_id->handle) {
		wt_recorder_check(recorder,
				  keep_event(recorder, event_id->handle, (uint32_t)*kind));
		return;
	}
	error = moment_make_stops(recorder, process_id.handle, call->function, call->number, &made);
	if (!error && !made) {
		/* Asked of all processes at once, and there are several: it is of none in particular. */
		if (process_id.handle)
			process = wt_session_process(&recorder->session, process_id.handle);
		else if (process && process->next)
			process = NULL;
		error = moment_pass(recorder, process, call->function, call->number);
	}
	wt_recorder_check(recorder, error);
}

/* The process whose program waits until the client has processed an event; NULL if none does. */
static struct wt_attached *waits_for(const struct wt_session *session, uint64_t event)
{
	struct wt_attached *process = session->processes;

	while (process && !wt_handles_has(&process->waiting, event))
		process = process->next;
	return process;
}

void wt_before_event_processed(struct wt_call *call, amd_dbgapi_event_id_t event_id)
{
	if (waits_for(&call->recorder->session, event_id.handle))
		make_stops_before(call);
}

/* The program goes on from its breakpoint at once, not only when the client asks for events. */
void wt_after_event_processed(struct wt_call *call, amd_dbgapi_status_t status,
			      amd_dbgapi_event_id_t event_id)
{
	struct wt_attached *process = waits_for(&call->recorder->session, event_id.handle);

	if (!process || !wt_call_takes_state(call) || status != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	wt_handles_remove(&process->waiting, event_id.handle);
	wt_recorder_check(call->recorder,
			  moment_pass(call->recorder, process, call->function, call->number));
}

void wt_before_wave_resume(struct wt_call *call, amd_dbgapi_wave_id_t wave_id,
			   amd_dbgapi_resume_mode_t resume_mode, amd_dbgapi_exceptions_t exceptions)
{
	(void)wave_id;
	(void)resume_mode;
	(void)exceptions;
	make_stops_before(call);
	call->recorder->session.stopped = 0;
}

/* The process of a wave; with only one attached there is nothing to ask. */
static struct wt_attached *process_of(struct wt_recorder *recorder, uint64_t wave)
{
	struct wt_attached *process = recorder->session.processes;
	uint64_t handle;

	if (!process || !process->next)
		return process;
	if (!wt_ask_number(recorder, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PROCESS, &handle))
		return NULL;
	return wt_session_process(&recorder->session, handle);
}

void wt_after_wave_resume(struct wt_call *call, amd_dbgapi_status_t status,
			  amd_dbgapi_wave_id_t wave_id, amd_dbgapi_resume_mode_t resume_mode,
			  amd_dbgapi_exceptions_t exceptions)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_attached *process;

	(void)exceptions;
	/* Again: another thread may have looked at it meanwhile. */
	recorder->session.stopped = 0;
	if (!wt_call_takes_state(call) || status != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	process = process_of(recorder, wave_id.handle);
	if (process)
		process->after_resume = true;
	wt_handles_remove(&recorder->session.written, wave_id.handle);
	wt_handles_remove(&recorder->session.stepped, wave_id.handle);
	if (!wt_handles_add(&recorder->session.touched, wave_id.handle) ||
	    !wt_handles_add(&recorder->session.resumed, wave_id.handle) ||
	    (resume_mode == AMD_DBGAPI_RESUME_MODE_SINGLE_STEP &&
	     !wt_handles_add(&recorder->session.stepped, wave_id.handle)))
		wt_recorder_check(recorder, &wt_error_no_memory);
}

void wt_after_wave_stop(struct wt_call *call, amd_dbgapi_status_t status,
			amd_dbgapi_wave_id_t wave_id)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_attached *process;

	if (!wt_call_takes_state(call) || status != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	process = process_of(recorder, wave_id.handle);
	if (process && !wt_handles_add(&process->stop_requested, wave_id.handle))
		wt_recorder_check(recorder, &wt_error_no_memory);
}

/*
 * The program halts there for a change of its code objects, which the client may look at from now on: at once, or, where it has been given events
 * of which no moment tells yet, at the stop that is made of those.
 */
void wt_after_report_breakpoint_hit(struct wt_call *call, amd_dbgapi_status_t status,
				    amd_dbgapi_breakpoint_id_t breakpoint_id,
				    amd_dbgapi_client_thread_id_t client_thread_id,
				    const amd_dbgapi_breakpoint_action_t *action)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_attached *process;
	struct wt_error *error;

	(void)client_thread_id;
	if (!wt_call_takes_state(call))
		return;
	error = wt_take_hit(call, breakpoint_id.handle, status, action);
	if (!error && status == AMD_DBGAPI_STATUS_SUCCESS && action &&
	    *action == AMD_DBGAPI_BREAKPOINT_ACTION_HALT) {
		process = wt_session_process(&recorder->session,
					     wt_breakpoint_process(recorder, breakpoint_id.handle));
		if (!process || !process->event_count)
			error = moment_pass(recorder, process, call->function, call->number);
	}
	wt_recorder_check(recorder, error);
}
