/* SPDX-License-Identifier: MIT */
/* How moments are made, and those that are left when the client ends. */
#include "recorder/moment/moment.h"

#include <stdlib.h>

#include "base/clock.h"
#include "recorder/host/recorded-host.h"
#include "recorder/moment/late.h"
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

struct wt_error *wt_moment_make(struct wt_recorder *recorder, struct wt_attached *process,
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

struct wt_error *wt_moment_pass(struct wt_recorder *recorder, struct wt_attached *process,
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

struct wt_error *wt_moment_refused(struct wt_recorder *recorder, enum wt_function function,
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

struct wt_error *wt_moment_make_stops(struct wt_recorder *recorder, uint64_t handle,
				      enum wt_function function, uint64_t call, bool *made_ret)
{
	struct wt_attached *process = recorder->session.processes;
	struct wt_error *error = NULL;

	*made_ret = false;
	for (; process && !error; process = process->next) {
		if (!process->event_count || (handle && process->handle != handle))
			continue;
		error = wt_moment_make(recorder, process, WT_MOMENT_STOP, function, call);
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
	error = wt_moment_make(recorder, process, WT_MOMENT_STOP, WT_FUNCTION_COUNT,
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
void wt_moment_last_at_exit(struct wt_recorder *recorder)
{
	if (!recorder->exit.registered)
		recorder->exit.registered = !atexit(last_at_exit);
}
