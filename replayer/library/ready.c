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
#include "replayer/library/step.h"
#include "replayer/timeline/timeline.h"

#define PATIENCE 16 /* looks of the client, of which each could find an event of the host */

/* ---- The breakpoint ---- */

uint64_t wt_debuggee_breakpoint(const struct wt_replay_process *process)
{
	return (UINT64_C(1) << 40) + process->slot;
}

void wt_debuggee_ask_for_breakpoint(struct wt_replay_process *process)
{
	amd_dbgapi_status_t status = wt_replayer.client.callbacks.insert_breakpoint(
		process->client, process->debuggee.ready,
		(amd_dbgapi_breakpoint_id_t){wt_debuggee_breakpoint(process)});

	process->debuggee.breakpoint = status == AMD_DBGAPI_STATUS_SUCCESS;
	process->timeline.calls = process->debuggee.breakpoint;
	if (!process->debuggee.breakpoint)
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
			      "wavetape: the client cannot put a breakpoint into wavetape-host: it "
			      "will not see the recorded stops");
}

void wt_debuggee_take_breakpoint_back(struct wt_replay_process *process)
{
	if (process->debuggee.breakpoint)
		wt_replayer.client.callbacks.remove_breakpoint(
			process->client,
			(amd_dbgapi_breakpoint_id_t){wt_debuggee_breakpoint(process)});
	process->debuggee.breakpoint = process->timeline.calls = false;
	process->timeline.call_awaited = false;
}

void wt_debuggee_pump(struct wt_replay_process *process)
{
	/* The first time is for the runtime. */
	if (TAILQ_EMPTY(&process->timeline.queue))
		process->debuggee.quiet = false;
	if (process->debuggee.leaving == WT_DEBUGGEE_MAY_LEAVE)
		wt_debuggee_take_breakpoint_back(process);
}

void wt_debuggee_processed(struct wt_replay_process *process, amd_dbgapi_event_kind_t kind)
{
	if (kind == AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME &&
	    process->debuggee.leaving == WT_DEBUGGEE_LEAVES)
		process->debuggee.leaving = WT_DEBUGGEE_MAY_LEAVE;
}

/* ---- Calls ---- */

static uint32_t last_command(const struct wt_replay_process *process)
{
	struct wt_host_block block;

	return wt_debuggee_read_block(process, &block) ? block.command : (uint32_t)WT_HOST_WAIT;
}

/* A debugger may keep the host's thread from running, and let waves go. */
static bool host_runs(const struct wt_replay_process *process)
{
	return !process->has_os_id || wt_host_runs(process->os_id);
}

/*
 * Let the host call the ready function; false if the client keeps it from running, so that it never would. The host may
 * also be stopped for an event that the client has not looked at yet: so the client is made to look, some times.
 */
static bool call_host(struct wt_replay_process *process)
{
	if (process->debuggee.calling && last_command(process) == WT_HOST_WAIT)
		return true; /* it is there, and the client has not said so yet */
	if (host_runs(process)) {
		if (!process->debuggee.calling)
			wt_debuggee_tell(process, WT_HOST_CALL);
		process->debuggee.calling = true;
		process->debuggee.stopped = 0;
		return true;
	}
	if (process->debuggee.stopped++ < PATIENCE) {
		wt_replay_make_pump(process);
		return true;
	}
	process->debuggee.stopped = 0;
	if (process->debuggee.calling)
		wt_debuggee_tell(process, WT_HOST_WAIT);
	process->debuggee.calling = false;
	return false;
}

/* Queues the events that let the host's thread go on, and tell of a changed list of code objects. */
static bool queue_answer(struct wt_replay_process *process, bool code)
{
	struct wt_timeline *timeline = &process->timeline;
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

static amd_dbgapi_status_t ready_hit(struct wt_replay_process *process,
				     amd_dbgapi_breakpoint_action_t *action)
{
	struct wt_timeline *timeline = &process->timeline;
	bool code = process->debuggee.held || timeline->code_stale;

	process->debuggee.calling = false;
	*action = AMD_DBGAPI_BREAKPOINT_ACTION_RESUME;
	if (code || process->debuggee.leaving == WT_DEBUGGEE_LEAVES) {
		if (!queue_answer(process, code))
			return AMD_DBGAPI_STATUS_FATAL;
		*action = AMD_DBGAPI_BREAKPOINT_ACTION_HALT;
	}
	process->debuggee.held = timeline->paused = false;
	timeline->code_stale = timeline->call_awaited = false;
	wt_replay_notify();
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t
wt_answer_report_breakpoint_hit(amd_dbgapi_breakpoint_id_t breakpoint_id,
				amd_dbgapi_client_thread_id_t client_thread_id,
				amd_dbgapi_breakpoint_action_t *breakpoint_action)
{
	struct wt_replay_process *process =
		wt_replay_process_of(WT_OBJECT_BREAKPOINT, breakpoint_id.handle);
	amd_dbgapi_status_t status;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wt_replay_note_thread(client_thread_id);
	if (!breakpoint_action)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!wt_replay_exists(process, WT_OBJECT_BREAKPOINT, breakpoint_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID;
	if (breakpoint_id.handle == wt_debuggee_breakpoint(process))
		return ready_hit(process, breakpoint_action);
	status = wt_replay_breakpoint_hit(process, breakpoint_id.handle, breakpoint_action);
	if (status != AMD_DBGAPI_STATUS_SUCCESS ||
	    *breakpoint_action != AMD_DBGAPI_BREAKPOINT_ACTION_HALT)
		return status;
	return wt_replay_release(process, WT_FUNCTION_REPORT_BREAKPOINT_HIT);
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
static bool holds_a_wave(const struct wt_replay_process *process, const struct wt_item *waves)
{
	for (size_t i = 0; waves && i < waves->handle_count; i++)
		if (wt_timeline_wave_state(&process->timeline, waves->handles[i]) ==
		    AMD_DBGAPI_WAVE_STATE_STOP)
			return true;
	return false;
}

/* False if there is no need for a call, or it would never come. */
static bool code_call_announce(struct wt_replay_process *process)
{
	struct wt_timeline *timeline = &process->timeline;

	if (!timeline->calls || !(timeline->code_stale || timeline->call_awaited))
		return false;
	if (call_host(process))
		return true;
	timeline->call_awaited = false;
	return false;
}

static bool end_commands(struct wt_replay_process *process, bool runs_too)
{
	if (!wt_timeline_end_commanded(&process->timeline, runs_too))
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
static void host_breakpoint_leave(struct wt_replay_process *process)
{
	if (!process->debuggee.breakpoint) {
		wt_debuggee_tell(process, WT_HOST_EXIT);
		return;
	}
	if (process->debuggee.leaving == WT_DEBUGGEE_MAY_LEAVE)
		wt_replay_make_pump(process);
	else if (call_host(process))
		process->debuggee.leaving = WT_DEBUGGEE_LEAVES;
	else
		end_commands(process, true);
}

/* GDB takes a wave for a running one until it has its event, and would wait for ever. */
static bool report_standing(struct wt_replay_process *process)
{
	size_t count = wt_timeline_report_standing(&process->timeline);

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
static bool step_alone(struct wt_replay_process *process)
{
	uint64_t wave = wt_timeline_steps_alone(&process->timeline);

	return told_of_step(wave && wt_step_make(process, wave, false));
}

static bool make_steps(struct wt_replay_process *process)
{
	return told_of_step(wt_step_make_all(process));
}

void wt_debuggee_stay(struct wt_replay_process *process)
{
	process->debuggee.leaving = WT_DEBUGGEE_STAYS;
}

void wt_debuggee_run(struct wt_replay_process *process)
{
	struct wt_timeline *timeline = &process->timeline;
	const struct wt_item *waves;
	bool held, made;

	process->debuggee.quiet = false;

	if (!process->debuggee.present || !timeline->attached || timeline->paused)
		return;
	if (TAILQ_EMPTY(&timeline->queue) && step_alone(process))
		return;
	if (wt_timeline_pending(timeline) || code_call_announce(process))
		return;
	waves = wt_recorded_function(&timeline->recorded, WT_ITEM_LIST,
				     WT_FUNCTION_PROCESS_WAVE_LIST, process->handle);
	held = holds_a_wave(process, waves);
	made = make_steps(process);
	/* A host that does not run cannot exit: it may be held, as the wave is. */
	if (end_commands(process, held) || made)
		return;
	/* Waves that never were stopped run for ever: the client may stop them when it likes. */
	if (wt_timeline_is_last(timeline) &&
	    (!waves || !waves->handle_count || wt_timeline_has_resumed(timeline)))
		host_breakpoint_leave(process);
	else if (!report_standing(process))
		process->debuggee.leaving = WT_DEBUGGEE_STAYS;
}
