/* SPDX-License-Identifier: MIT */
#include "replayer/library/replay-follow.h"

#include "replayer/library/created.h"
#include "replayer/library/replay-breakpoint.h"
#include "replayer/library/replay-wave.h"
#include "replayer/library/substitute.h"
#include "replayer/timeline/timeline.h"

static bool is_fine(struct wt_error *error)
{
	bool fine = !error;

	wt_replay_log_error(error);
	return fine;
}

/* Messages come with the calls that they were made in, and not with the moments. */
static void pass_over_log(struct wt_replay_process *process)
{
	while (wt_timeline_log(&process->timeline))
		;
}

static bool go_to(uint64_t call)
{
	struct wt_replay_process *process;
	bool fine = true;

	for (process = wt_replayer.processes; fine && process; process = process->next) {
		fine = is_fine(wt_timeline_follow(&process->timeline, call));
		if (!fine)
			break;
		pass_over_log(process);
		wt_replay_breakpoints_followed(process);
	}
	return fine;
}

bool wt_follow_before(const struct wt_whole_call *call)
{
	return go_to(call->number - 1);
}

/* An argument, or what a pointer to an argument leads to, as a number. */
static uint64_t input_number(const struct wt_repeat *repeat, size_t index)
{
	return index < repeat->call->input_count ? repeat->call->inputs[index].number : 0;
}

static uint64_t output_number(const struct wt_repeat *repeat, size_t index)
{
	return index < repeat->call->output_count ? repeat->call->outputs[index].number : 0;
}

static bool follow_attach(struct wt_repeat *repeat)
{
	const struct wt_replay_process like = {
		.client = repeat->arguments[0].pointer,
		.has_os_id = repeat->has_os_id,
		.os_id = repeat->os_id,
		.core = repeat->core,
	};

	struct wt_replay_process *attached = wt_replay_follow_attach(&like, repeat->call->number);

	if (attached)
		repeat->process = attached;
	return attached;
}

static void follow_detach(struct wt_replay_process *process, uint64_t handle)
{
	if (handle == process->handle)
		wt_replay_forget_process(process);
}

static bool process_is_named(const struct wt_replay_process *process, uint64_t handle)
{
	return handle == AMD_DBGAPI_PROCESS_NONE.handle || handle == process->handle;
}

static bool get_event(const struct wt_repeat *repeat)
{
	bool of_all = wt_replay_is_of_all(input_number(repeat, 0)), fine = true;
	struct wt_replay_process *process = of_all ? wt_replayer.processes : repeat->process;

	/* The event belongs to one process: the others follow events of their own. */
	for (; fine && process && process->handle; process = of_all ? process->next : NULL) {
		if (output_number(repeat, 0))
			fine = is_fine(wt_timeline_follow_event(&process->timeline,
								output_number(repeat, 0)));
		else
			wt_timeline_follow_none(&process->timeline);
	}
	return fine;
}

static bool follow_resume(struct wt_replay_process *process, const struct wt_repeat *repeat)
{
	if (input_number(repeat, 2) && !process->timeline.core)
		process->timeline.aborting = true;
	return is_fine(wt_timeline_follow_resume(&process->timeline, input_number(repeat, 0),
						 input_number(repeat, 1) ==
							 AMD_DBGAPI_RESUME_MODE_SINGLE_STEP));
}

/* Writes as many bytes as the recorded library took. */
static void follow_write_memory(const struct wt_repeat *repeat)
{
	const struct wt_argument *arguments = repeat->arguments;
	amd_dbgapi_size_t size = output_number(repeat, 0);

	if (size <= input_number(repeat, 5))
		wt_answer_write_memory((amd_dbgapi_process_id_t){input_number(repeat, 0)},
				       (amd_dbgapi_wave_id_t){input_number(repeat, 1)},
				       (amd_dbgapi_lane_id_t)input_number(repeat, 2),
				       (amd_dbgapi_address_space_id_t){input_number(repeat, 3)},
				       input_number(repeat, 4), &size, arguments[6].pointer);
}

static void follow_set_progress(uint64_t handle, amd_dbgapi_progress_t progress)
{
	bool of_all = handle == AMD_DBGAPI_PROCESS_NONE.handle;
	struct wt_replay_process *process = wt_replayer.processes;

	for (; process; process = process->next)
		if (of_all || process->handle == handle)
			process->progress = progress;
}

/* Follows calls that need no process, make one or end it. */
static bool follow_process(struct wt_repeat *repeat, bool *done_ret)
{
	struct wt_replay_process *process = repeat->process;

	*done_ret = true;
	switch ((int)repeat->call->function) {
	case WT_FUNCTION_FINALIZE:
		wt_answer_finalize();
		return true;
	case WT_FUNCTION_SET_LOG_LEVEL:
		wt_answer_set_log_level((amd_dbgapi_log_level_t)input_number(repeat, 0));
		return true;
	case WT_FUNCTION_PROCESS_ATTACH:
		return follow_attach(repeat);
	case WT_FUNCTION_PROCESS_DETACH:
		follow_detach(process, input_number(repeat, 0));
		return true;
	case WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT:
		return get_event(repeat);
	case WT_FUNCTION_PROCESS_SET_PROGRESS:
		follow_set_progress(input_number(repeat, 0),
				    (amd_dbgapi_progress_t)input_number(repeat, 1));
		return true;
	case WT_FUNCTION_PROCESS_SET_WAVE_CREATION:
		if (process_is_named(process, input_number(repeat, 0)))
			process->creation = (amd_dbgapi_wave_creation_t)input_number(repeat, 1);
		return true;
	case WT_FUNCTION_PROCESS_FREEZE:
	case WT_FUNCTION_PROCESS_UNFREEZE:
		if (process_is_named(process, input_number(repeat, 0)))
			process->frozen = repeat->call->function == WT_FUNCTION_PROCESS_FREEZE;
		return true;
	default:
		*done_ret = false;
		return true;
	}
}

/* Follows calls that act on a process that is there. */
static bool follow_act(struct wt_replay_process *process, const struct wt_repeat *repeat)
{
	struct wt_timeline *timeline = &process->timeline;

	switch ((int)repeat->call->function) {
	case WT_FUNCTION_EVENT_PROCESSED:
		wt_timeline_processed(timeline, input_number(repeat, 0));
		return true;
	case WT_FUNCTION_WAVE_STOP:
		return is_fine(wt_timeline_follow_stop(timeline, input_number(repeat, 0)));
	case WT_FUNCTION_WAVE_RESUME:
		return follow_resume(process, repeat);
	case WT_FUNCTION_WRITE_REGISTER:
		wt_replay_follow_write(process, input_number(repeat, 0), input_number(repeat, 1),
				       input_number(repeat, 2), input_number(repeat, 3),
				       repeat->arguments[4].pointer);
		return true;
	case WT_FUNCTION_WRITE_MEMORY:
		follow_write_memory(repeat);
		return true;
	case WT_FUNCTION_SET_MEMORY_PRECISION:
		process->precise_memory =
			input_number(repeat, 1) == AMD_DBGAPI_MEMORY_PRECISION_PRECISE;
		return true;
	case WT_FUNCTION_SET_ALU_EXCEPTIONS_PRECISION:
		process->precise_alu =
			input_number(repeat, 1) == AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE;
		return true;
	case WT_FUNCTION_SET_WATCHPOINT:
	case WT_FUNCTION_SET_WATCHPOINT_0_54:
		wt_created_follow_watchpoint(process, output_number(repeat, 0),
					     input_number(repeat, 1), input_number(repeat, 2));
		return true;
	case WT_FUNCTION_REMOVE_WATCHPOINT_0_54:
		wt_created_follow_removal(process, input_number(repeat, 1));
		return true;
	case WT_FUNCTION_REMOVE_WATCHPOINT:
		wt_created_follow_removal(process, input_number(repeat, 0));
		return true;
	case WT_FUNCTION_DISPLACED_STEPPING_START:
		wt_created_follow_displaced(process, input_number(repeat, 0),
					    output_number(repeat, 0));
		return true;
	case WT_FUNCTION_DISPLACED_STEPPING_COMPLETE:
		wt_created_follow_completion(process, input_number(repeat, 0));
		return true;
	case WT_FUNCTION_REPORT_BREAKPOINT_HIT:
		wt_replay_breakpoint_was_hit(process, input_number(repeat, 0));
		return true;
	default:
		return true;
	}
}

/* Follows what a question leaves behind. */
static void follow_question(const struct wt_repeat *repeat)
{
	const struct wt_function_info *info = &wt_functions[repeat->call->function];
	struct wt_replay_process *process = wt_replayer.processes;
	size_t last = info->parameter_count;

	if (repeat->call->function == WT_FUNCTION_GET_ARCHITECTURE)
		wt_substitute_asked((uint32_t)input_number(repeat, 0));
	/* A list that told of a change does not do so again. */
	if (info->object == WT_OBJECT_COUNT || !last ||
	    wt_objects[info->object].list != repeat->call->function ||
	    !repeat->arguments[last - 1].pointer)
		return;
	for (; process; process = process->next)
		if (!input_number(repeat, 0) || input_number(repeat, 0) == process->handle)
			process->timeline.changed[info->object] = false;
}

/*
 * A library that is fatally refused what a core has not, a runtime or a driver, has changed its own state before: the wave runs, and
 * there is progress.
 */
static bool took_effect(const struct wt_repeat *repeat)
{
	const struct wt_whole_call *call = repeat->call;
	struct wt_replay_process *process = repeat->process;

	if (call->status != AMD_DBGAPI_STATUS_FATAL || !process->timeline.core || process->broken)
		return call->status == AMD_DBGAPI_STATUS_SUCCESS;
	if (call->function == WT_FUNCTION_PROCESS_SET_PROGRESS)
		process->broken = true;
	return process->broken ||
	       (call->function == WT_FUNCTION_WAVE_RESUME && input_number(repeat, 2));
}

bool wt_follow(struct wt_repeat *repeat)
{
	const struct wt_whole_call *call = repeat->call;
	bool granted = took_effect(repeat), done, fine = true;

	/* The trace has numbers for the client's threads, in the order in which it named them. */
	if (call->function == WT_FUNCTION_REPORT_BREAKPOINT_HIT)
		wt_replay_note_thread(repeat->arguments[1].pointer);
	/* Finalizing happens even where it fails. */
	if (granted || call->function == WT_FUNCTION_FINALIZE) {
		fine = follow_process(repeat, &done);
		if (!done && wt_functions[call->function].acts && repeat->process->handle)
			fine = follow_act(repeat->process, repeat);
		else if (!done)
			follow_question(repeat);
	}
	if (!granted && call->function == WT_FUNCTION_PROCESS_ATTACH)
		fine = wt_replay_follow_refusal(call->number);
	/* Breakpoints that came with the process belong to it. */
	for (size_t i = 0; i < repeat->breakpoint_count; i++)
		wt_replay_breakpoint_follow(repeat->process, repeat->breakpoints[i].handle,
					    repeat->breakpoints[i].there);
	return go_to(call->number) && fine;
}
