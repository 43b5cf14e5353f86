/* SPDX-License-Identifier: MIT */
#include "replayer/library/follow.h"

#include "replayer/library/breakpoint.h"
#include "replayer/library/given.h"
#include "replayer/library/other.h"
#include "replayer/library/wave.h"

static bool is_fine(struct wt_error *error)
{
	bool fine = !error;

	wt_replay_log_error(error);
	return fine;
}

/* Messages come with the calls that they were made in, and not with the moments. */
static void pass_over_log(void)
{
	while (wt_timeline_log(&wt_replayer.timeline))
		;
}

static bool go_to(uint64_t call)
{
	if (!wt_replayer.process.handle)
		return true;
	if (!is_fine(wt_timeline_follow(&wt_replayer.timeline, call)))
		return false;
	pass_over_log();
	wt_replay_breakpoints_followed();
	return true;
}

bool wt_follow_before(const struct wt_whole_call *call)
{
	return go_to(call->number - 1);
}

/* An argument, or what a pointer to an argument leads to, as a number. */
static uint64_t given(const struct wt_recount *recount, size_t index)
{
	return index < recount->call->input_count ? recount->call->inputs[index].number : 0;
}

static uint64_t returned(const struct wt_recount *recount, size_t index)
{
	return index < recount->call->output_count ? recount->call->outputs[index].number : 0;
}

static bool attach(const struct wt_recount *recount)
{
	const struct wt_replay_process like = {
		.client = recount->arguments[0].pointer,
		.has_os_id = recount->has_os_id,
		.os_id = recount->os_id,
		.core = recount->core,
	};

	if (wt_replayer.process.handle)
		return wt_other_attach(returned(recount, 0), &like);
	return wt_replay_follow_attach(&like, recount->call->number);
}

static void detach(uint64_t process)
{
	if (process == wt_replayer.process.handle)
		wt_replay_forget_process();
	else
		wt_other_detach(process);
}

static bool is_ours(uint64_t process)
{
	return process == AMD_DBGAPI_PROCESS_NONE.handle || process == wt_replayer.process.handle;
}

static bool get_event(const struct wt_recount *recount)
{
	if (!wt_replayer.process.handle)
		return true;
	if (returned(recount, 0))
		return is_fine(
			wt_timeline_follow_event(&wt_replayer.timeline, returned(recount, 0)));
	wt_timeline_follow_none(&wt_replayer.timeline);
	return true;
}

static bool resume(const struct wt_recount *recount)
{
	if (given(recount, 2))
		wt_replayer.timeline.aborting = true;
	return is_fine(
		wt_timeline_follow_resume(&wt_replayer.timeline, given(recount, 0),
					  given(recount, 1) == AMD_DBGAPI_RESUME_MODE_SINGLE_STEP));
}

/* As many bytes as the recorded library took. */
static void write_memory(const struct wt_recount *recount)
{
	const struct wt_argument *arguments = recount->arguments;
	amd_dbgapi_size_t size = returned(recount, 0);

	if (size <= given(recount, 5))
		wt_answer_write_memory((amd_dbgapi_process_id_t){given(recount, 0)},
				       (amd_dbgapi_wave_id_t){given(recount, 1)},
				       (amd_dbgapi_lane_id_t)given(recount, 2),
				       (amd_dbgapi_address_space_id_t){given(recount, 3)},
				       given(recount, 4), &size, arguments[6].pointer);
}

/* What may be done without a process, or makes one, or ends it. */
static bool follow_process(const struct wt_recount *recount, bool *done_ret)
{
	struct wt_replay_process *process = &wt_replayer.process;

	*done_ret = true;
	switch ((int)recount->call->function) {
	case WT_FUNCTION_FINALIZE:
		wt_answer_finalize();
		return true;
	case WT_FUNCTION_SET_LOG_LEVEL:
		wt_answer_set_log_level((amd_dbgapi_log_level_t)given(recount, 0));
		return true;
	case WT_FUNCTION_PROCESS_ATTACH:
		return attach(recount);
	case WT_FUNCTION_PROCESS_DETACH:
		detach(given(recount, 0));
		return true;
	case WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT:
		return get_event(recount);
	case WT_FUNCTION_PROCESS_SET_PROGRESS:
		if (is_ours(given(recount, 0)))
			process->progress = (amd_dbgapi_progress_t)given(recount, 1);
		return true;
	case WT_FUNCTION_PROCESS_SET_WAVE_CREATION:
		if (is_ours(given(recount, 0)))
			process->creation = (amd_dbgapi_wave_creation_t)given(recount, 1);
		return true;
	case WT_FUNCTION_PROCESS_FREEZE:
	case WT_FUNCTION_PROCESS_UNFREEZE:
		if (is_ours(given(recount, 0)))
			process->frozen = recount->call->function == WT_FUNCTION_PROCESS_FREEZE;
		return true;
	default:
		*done_ret = false;
		return true;
	}
}

/* What is done to a process that is there. */
static bool follow_act(const struct wt_recount *recount)
{
	struct wt_timeline *timeline = &wt_replayer.timeline;

	switch ((int)recount->call->function) {
	case WT_FUNCTION_EVENT_PROCESSED:
		wt_timeline_processed(timeline, given(recount, 0));
		return true;
	case WT_FUNCTION_WAVE_STOP:
		return is_fine(wt_timeline_follow_stop(timeline, given(recount, 0)));
	case WT_FUNCTION_WAVE_RESUME:
		return resume(recount);
	case WT_FUNCTION_WRITE_REGISTER:
		wt_replay_follow_write(given(recount, 0), given(recount, 1), given(recount, 2),
				       given(recount, 3), recount->arguments[4].pointer);
		return true;
	case WT_FUNCTION_WRITE_MEMORY:
		write_memory(recount);
		return true;
	case WT_FUNCTION_SET_WATCHPOINT:
	case WT_FUNCTION_SET_WATCHPOINT_0_54:
		wt_given_follow_watchpoint(returned(recount, 0), given(recount, 1),
					   given(recount, 2));
		return true;
	case WT_FUNCTION_REMOVE_WATCHPOINT_0_54:
		wt_given_follow_removal(given(recount, 1));
		return true;
	case WT_FUNCTION_REMOVE_WATCHPOINT:
		wt_given_follow_removal(given(recount, 0));
		return true;
	case WT_FUNCTION_DISPLACED_STEPPING_START:
		wt_given_follow_displaced(given(recount, 0), returned(recount, 0));
		return true;
	case WT_FUNCTION_DISPLACED_STEPPING_COMPLETE:
		wt_given_follow_completion(given(recount, 0));
		return true;
	case WT_FUNCTION_REPORT_BREAKPOINT_HIT:
		wt_replay_breakpoint_was_hit(given(recount, 0));
		return true;
	default:
		return true;
	}
}

/* What a question leaves behind. */
static void follow_question(const struct wt_recount *recount)
{
	const struct wt_function_info *info = &wt_functions[recount->call->function];
	size_t last = info->parameter_count;

	if (recount->call->function == WT_FUNCTION_GET_ARCHITECTURE)
		wt_served_asked((uint32_t)given(recount, 0));
	/* A list that told of a change does not do so again. */
	if (info->object != WT_OBJECT_COUNT && last &&
	    wt_objects[info->object].list == recount->call->function &&
	    recount->arguments[last - 1].pointer && is_ours(given(recount, 0)))
		wt_replayer.timeline.changed[info->object] = false;
}

bool wt_follow(const struct wt_recount *recount)
{
	const struct wt_whole_call *call = recount->call;
	bool granted = call->status == AMD_DBGAPI_STATUS_SUCCESS, done, fine = true;

	/* The trace has numbers for the client's threads, in the order in which it named them. */
	if (call->function == WT_FUNCTION_REPORT_BREAKPOINT_HIT)
		wt_replay_note_thread(recount->arguments[1].pointer);
	/* Finalizing happens even where it fails. */
	if (granted || call->function == WT_FUNCTION_FINALIZE) {
		fine = follow_process(recount, &done);
		if (!done && wt_functions[call->function].acts && wt_replayer.process.handle)
			fine = follow_act(recount);
		else if (!done)
			follow_question(recount);
	}
	/* Those that came with the process are its own. */
	for (size_t i = 0; i < recount->breakpoint_count; i++)
		wt_replay_breakpoint_follow(recount->breakpoints[i].handle,
					    recount->breakpoints[i].there);
	return go_to(call->number) && fine;
}
