/* SPDX-License-Identifier: MIT */
/* Hooks that make moments: when the client has got all events, and when it lets something run on. */
#include "recorder/host/recorded-host.h"
#include "recorder/moment/client-breakpoint.h"
#include "recorder/moment/facts.h"
#include "recorder/moment/hooks.h"
#include "recorder/moment/late.h"
#include "recorder/moment/moment.h"
#include "recorder/recording/question.h"

/* The client goes on without having asked whether there is more. */
static void make_stops_before(struct wt_call *call)
{
	bool made;

	if (wt_call_takes_state(call))
		wt_recorder_check(call->recorder,
				  wt_moment_make_stops(call->recorder, 0, call->function,
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
		wt_recorder_check(recorder, wt_moment_refused(recorder, call->function,
							      call->number, status));
	if (status != AMD_DBGAPI_STATUS_SUCCESS || !process_id)
		return;
	process = wt_session_attach(&recorder->session, process_id->handle);
	wt_recorder_check(recorder, process ? wt_moment_make(recorder, process, WT_MOMENT_ATTACH,
							     call->function, call->number)
					    : &wt_error_no_memory);
	/* Behind the names that each moment has, whose numbers are shorter so. The recording may have ended with the moment. */
	if (recorder->writer)
		wt_recorder_check(recorder, wt_facts_take_statuses(recorder));
	wt_moment_last_at_exit(recorder);
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
			error = wt_moment_pass(call->recorder, process, call->function,
					       call->number);
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
		error = wt_moment_pass(call->recorder, process, call->function, call->number);
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
	error = wt_moment_make_stops(recorder, process_id.handle, call->function, call->number,
				     &made);
	if (!error && !made) {
		/* Asked of all processes at once, and there are several: it is of none in particular. */
		if (process_id.handle)
			process = wt_session_process(&recorder->session, process_id.handle);
		else if (process && process->next)
			process = NULL;
		error = wt_moment_pass(recorder, process, call->function, call->number);
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
			  wt_moment_pass(call->recorder, process, call->function, call->number));
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

void wt_before_report_breakpoint_hit(struct wt_call *call, amd_dbgapi_breakpoint_id_t breakpoint_id,
				     amd_dbgapi_client_thread_id_t client_thread_id,
				     const amd_dbgapi_breakpoint_action_t *action)
{
	(void)breakpoint_id;
	(void)client_thread_id;
	(void)action;
	make_stops_before(call);
}

/* The program halts there for a change of its code objects, which the client may look at from now on. */
void wt_after_report_breakpoint_hit(struct wt_call *call, amd_dbgapi_status_t status,
				    amd_dbgapi_breakpoint_id_t breakpoint_id,
				    amd_dbgapi_client_thread_id_t client_thread_id,
				    const amd_dbgapi_breakpoint_action_t *action)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_error *error;

	(void)client_thread_id;
	if (!wt_call_takes_state(call))
		return;
	error = wt_take_hit(call, breakpoint_id.handle, status, action);
	if (!error && status == AMD_DBGAPI_STATUS_SUCCESS && action &&
	    *action == AMD_DBGAPI_BREAKPOINT_ACTION_HALT)
		error = wt_moment_pass(
			recorder,
			wt_session_process(&recorder->session,
					   wt_breakpoint_process(recorder, breakpoint_id.handle)),
			call->function, call->number);
	wt_recorder_check(recorder, error);
}
