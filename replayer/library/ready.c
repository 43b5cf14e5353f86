/* SPDX-License-Identifier: MIT */
/*
 * The ready function of the host program: the library has a breakpoint there, as a real one has where the runtime
 * loads code, and lets the host call it when the client is to look.
 */
#include <stddef.h>

#include "base/plural.h"
#include "dbgapi/host/debugged-process.h"
#include "replayer/library/debuggee.h"
#include "replayer/library/internal.h"
#include "replayer/library/replay-breakpoint.h"

#define PATIENCE 16 /* looks of the client, of which each could find an event of the host */

static struct wt_debuggee *awaited_debuggee(void)
{
	return &wt_replayer.process->debuggee;
}

/* ---- The breakpoint ---- */

uint64_t wt_debuggee_breakpoint(void)
{
	return (UINT64_C(1) << 40) + wt_replayer.process->slot;
}

void wt_debuggee_ask_for_breakpoint(void)
{
	amd_dbgapi_status_t status = wt_replayer.client.callbacks.insert_breakpoint(
		wt_replayer.process->client, awaited_debuggee()->ready,
		(amd_dbgapi_breakpoint_id_t){wt_debuggee_breakpoint()});

	awaited_debuggee()->breakpoint = status == AMD_DBGAPI_STATUS_SUCCESS;
	wt_replayer.process->timeline.calls = awaited_debuggee()->breakpoint;
	if (!awaited_debuggee()->breakpoint)
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
			      "wavetape: the client cannot put a breakpoint into wavetape-host: it "
			      "will not see the recorded stops");
}

void wt_debuggee_take_breakpoint_back(void)
{
	if (awaited_debuggee()->breakpoint)
		wt_replayer.client.callbacks.remove_breakpoint(
			wt_replayer.process->client,
			(amd_dbgapi_breakpoint_id_t){wt_debuggee_breakpoint()});
	awaited_debuggee()->breakpoint = wt_replayer.process->timeline.calls = false;
	wt_replayer.process->timeline.call_awaited = false;
}

void wt_debuggee_pump(void)
{
	/* The first time is for the runtime. */
	if (TAILQ_EMPTY(&wt_replayer.process->timeline.queue))
		awaited_debuggee()->quiet = false;
	if (awaited_debuggee()->leaving == WT_DEBUGGEE_MAY_LEAVE)
		wt_debuggee_take_breakpoint_back();
}

void wt_debuggee_processed(amd_dbgapi_event_kind_t kind)
{
	if (kind == AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME &&
	    awaited_debuggee()->leaving == WT_DEBUGGEE_LEAVES)
		awaited_debuggee()->leaving = WT_DEBUGGEE_MAY_LEAVE;
}

/* ---- Calls ---- */

static uint32_t last_command(void)
{
	struct wt_host_block block;

	return wt_debuggee_read_block(&block) ? block.command : (uint32_t)WT_HOST_WAIT;
}

/* A debugger may keep the host's thread from running, and let waves go. */
static bool host_runs(void)
{
	return !wt_replayer.process->has_os_id || wt_host_runs(wt_replayer.process->os_id);
}

/*
 * Let the host call the ready function; false if the client keeps it from running, so that it never would. The host may
 * also be stopped for an event that the client has not looked at yet: so the client is made to look, some times.
 */
static bool call_host(void)
{
	if (awaited_debuggee()->calling && last_command() == WT_HOST_WAIT)
		return true; /* it is there, and the client has not said so yet */
	if (host_runs()) {
		if (!awaited_debuggee()->calling)
			wt_debuggee_tell(WT_HOST_CALL);
		awaited_debuggee()->calling = true;
		awaited_debuggee()->stopped = 0;
		return true;
	}
	if (awaited_debuggee()->stopped++ < PATIENCE) {
		wt_replay_make_pump();
		return true;
	}
	awaited_debuggee()->stopped = 0;
	if (awaited_debuggee()->calling)
		wt_debuggee_tell(WT_HOST_WAIT);
	awaited_debuggee()->calling = false;
	return false;
}

/* Queues the events that let the host's thread go on, and tell of a changed list of code objects. */
static bool queue_answer(bool code)
{
	struct wt_timeline *timeline = &wt_replayer.process->timeline;
	struct wt_timeline_event *resume =
		wt_timeline_make_event(timeline, AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME, 0, NULL);
	struct wt_timeline_event *update = NULL;

	if (resume)
		wt_timeline_put_first(timeline, resume);
	if (resume && code)
		update = wt_timeline_make_event(
			timeline, AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED, 0, NULL);
	if (update)
		wt_timeline_put_first(timeline, update);
	return resume && (update || !code);
}

static amd_dbgapi_status_t ready_hit(amd_dbgapi_breakpoint_action_t *action)
{
	struct wt_timeline *timeline = &wt_replayer.process->timeline;
	bool code = awaited_debuggee()->held || timeline->code_stale;

	awaited_debuggee()->calling = false;
	*action = AMD_DBGAPI_BREAKPOINT_ACTION_RESUME;
	if (code || awaited_debuggee()->leaving == WT_DEBUGGEE_LEAVES) {
		if (!queue_answer(code))
			return AMD_DBGAPI_STATUS_FATAL;
		*action = AMD_DBGAPI_BREAKPOINT_ACTION_HALT;
	}
	awaited_debuggee()->held = timeline->paused = false;
	timeline->code_stale = timeline->call_awaited = false;
	wt_replay_notify();
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t
wt_answer_report_breakpoint_hit(amd_dbgapi_breakpoint_id_t breakpoint_id,
				amd_dbgapi_client_thread_id_t client_thread_id,
				amd_dbgapi_breakpoint_action_t *breakpoint_action)
{
	amd_dbgapi_status_t status;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wt_replay_note_thread(client_thread_id);
	if (!breakpoint_action)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!wt_replay_exists(WT_OBJECT_BREAKPOINT, breakpoint_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
	if (breakpoint_id.handle == wt_debuggee_breakpoint())
		return ready_hit(breakpoint_action);
	status = wt_replay_breakpoint_hit(breakpoint_id.handle, breakpoint_action);
	if (status != AMD_DBGAPI_STATUS_SUCCESS ||
	    *breakpoint_action != AMD_DBGAPI_BREAKPOINT_ACTION_HALT)
		return status;
	return wt_replay_release(WT_FUNCTION_REPORT_BREAKPOINT_HIT);
}

amd_dbgapi_status_t wt_debuggee_no_code(size_t *count, void *array, amd_dbgapi_changed_t *changed)
{
	const uint64_t none = 0;
	amd_dbgapi_status_t status =
		wt_client_return_list(&wt_replayer.client, changed ? NULL : &none, 0, count, array);

	if (status == AMD_DBGAPI_STATUS_SUCCESS && changed)
		*changed = AMD_DBGAPI_CHANGED_NO;
	return status;
}

/* ---- The process is let go ---- */

/* Does the client keep a wave from running? */
static bool holds_a_wave(const struct wt_item *waves)
{
	for (size_t i = 0; waves && i < waves->handle_count; i++)
		if (wt_timeline_wave_state(&wt_replayer.process->timeline, waves->handles[i]) ==
		    AMD_DBGAPI_WAVE_STATE_STOP)
			return true;
	return false;
}

/* False if there is no need for a call, or it would never come. */
static bool code_call_announce(void)
{
	struct wt_timeline *timeline = &wt_replayer.process->timeline;

	if (!timeline->calls || !(timeline->code_stale || timeline->call_awaited))
		return false;
	if (call_host())
		return true;
	timeline->call_awaited = false;
	return false;
}

static bool end_commands(bool runs_too)
{
	if (!wt_timeline_end_commanded(&wt_replayer.process->timeline, runs_too))
		return false;
	wt_client_log(
		&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
		"wavetape: the recording does not go on with this wave alone: it stays where it "
		"is");
	wt_replay_notify();
	return true;
}

/*
 * The host has to be gone without the breakpoint: a client removes what is in memory. It does so while the host's thread
 * is stopped there for the last time. Where the client lets a wave go alone, and not the host's thread, it waits for the wave.
 */
static void host_breakpoint_leave(void)
{
	if (!awaited_debuggee()->breakpoint) {
		wt_debuggee_tell(WT_HOST_EXIT);
		return;
	}
	if (awaited_debuggee()->leaving == WT_DEBUGGEE_MAY_LEAVE)
		wt_replay_make_pump();
	else if (call_host())
		awaited_debuggee()->leaving = WT_DEBUGGEE_LEAVES;
	else
		end_commands(true);
}

/* GDB takes a wave for a running one until it has its event, and would wait for ever. */
static bool report_standing(void)
{
	size_t count = wt_timeline_report_standing(&wt_replayer.process->timeline);

	if (!count)
		return false;
	wt_client_log(
		&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
		"wavetape: no event reported that %zu recorded %s stopped: %s shown as stopped "
		"all the same",
		count, wt_plural(count, "wave", "waves"), count == 1 ? "it is" : "they are");
	wt_replay_notify();
	return true;
}

static bool told_of_step(bool made)
{
	if (!made)
		return false;
	wt_client_log(
		&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
		"wavetape: the recording does not have this step: the wave is shown behind the "
		"instruction, and what that has written is not known");
	wt_replay_notify();
	return true;
}

/* The recording goes on with all waves. Where the client holds the others, their next stops would be left out. */
static bool step_alone(void)
{
	uint64_t wave = wt_timeline_steps_alone(&wt_replayer.process->timeline);

	return told_of_step(wave && wt_step_make(wave, false));
}

static bool make_steps(void)
{
	return told_of_step(wt_step_make_all());
}

void wt_debuggee_stay(void)
{
	awaited_debuggee()->leaving = WT_DEBUGGEE_STAYS;
}

void wt_debuggee_run(void)
{
	struct wt_timeline *timeline = &wt_replayer.process->timeline;
	const struct wt_item *waves;
	bool held, made;

	awaited_debuggee()->quiet = false;

	if (!awaited_debuggee()->present || !timeline->attached || timeline->paused)
		return;
	if (TAILQ_EMPTY(&timeline->queue) && step_alone())
		return;
	if (wt_timeline_pending(timeline) || code_call_announce())
		return;
	waves = wt_recorded_function(&timeline->recorded, WT_ITEM_LIST,
				     WT_FUNCTION_PROCESS_WAVE_LIST, wt_replayer.process->handle);
	held = holds_a_wave(waves);
	made = make_steps();
	/* A host that does not run cannot exit: it may be held, as the wave is. */
	if (end_commands(held) || made)
		return;
	/* Waves that never were stopped run for ever: the client may stop them when it likes. */
	if (wt_timeline_is_last(timeline) &&
	    (!waves || !waves->handle_count || wt_timeline_has_resumed(timeline)))
		host_breakpoint_leave();
	else if (!report_standing())
		awaited_debuggee()->leaving = WT_DEBUGGEE_STAYS;
}
