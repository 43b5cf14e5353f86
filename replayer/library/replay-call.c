/* SPDX-License-Identifier: MIT */
/*
 * A client that makes the recorded calls is in step, and gets the recorded answers (repeat.h), while the state moves
 * along: a call that succeeded when recorded has its effect; one that failed has none. Any other call is answered from the state. If it changes nothing the client is in step still, and the
 * cursor waits for the next recorded call; if it does, the client has turned away, and is answered from the
 * state until it attaches to a process again.
 */
#include "replayer/library/replay-call.h"

#include <pthread.h>
#include <string.h>

#include "replayer/library/cache.h"
#include "replayer/library/created.h"
#include "replayer/library/internal.h"
#include "replayer/library/repeat.h"
#include "replayer/library/replay-breakpoint.h"
#include "replayer/library/replay-wave.h"
#include "replayer/library/substitute.h"
#include "replayer/timeline/timeline.h"

/* Callbacks may call in again. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

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

/* Bring the state to where the recorded session was before @call. Return: false if the trace is damaged there. */
static bool follow_before(const struct wt_whole_call *call)
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

/*
 * Do what the recorded call did. Its callbacks have been made. If it attached to a process, that is the repeat's from then on.
 * Return: false if the trace is damaged there.
 */
static bool call_follow(struct wt_repeat *repeat)
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

bool wt_replay_is_in_step(void)
{
	const struct wt_replay_process *process = wt_replayer.processes;

	for (; process; process = process->next)
		if (wt_incarnations_translate(&process->timeline.incarnations) ||
		    process->timeline.destination != WT_TIMELINE_NOWHERE)
			return false;
	return wt_replayer.cursor.reader && !wt_replayer.turned && !wt_replayer.options.host &&
	       !wt_replayer.options.from_state;
}

/* Which trace, and how, may be another from one of these to the next. */
static void look_around(enum wt_function function, const struct wt_argument *arguments)
{
	switch ((int)function) {
	case WT_FUNCTION_GET_VERSION:
	case WT_FUNCTION_GET_BUILD_NAME:
	case WT_FUNCTION_INITIALIZE:
	case WT_FUNCTION_PROCESS_ATTACH:
		if (wt_replayer.processes)
			return;
		wt_replay_read_options(&wt_replayer.options);
		wt_replay_open();
		return;
	case WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT:
		wt_replay_control_take(wt_replay_process_of_call(function, arguments));
		return;
	default:
		if (!wt_replayer.reader && !wt_replayer.client.initialized)
			wt_replay_open();
	}
}

/* Does the answer name something of this process, or is it served otherwise than it was recorded? */
static bool is_of_here(const struct wt_whole_call *call)
{
	const struct wt_function_info *info = &wt_functions[call->function];
	const struct wt_query *query;

	if (info->object == WT_OBJECT_COUNT ||
	    wt_objects[info->object].get_info != call->function || call->input_count < 2 ||
	    call->status != AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	query = wt_query_find(info->object, (uint32_t)call->inputs[1].number);
	if (!query)
		return false;
	return query->identity ||
	       (info->object == WT_OBJECT_EVENT &&
		query->value == AMD_DBGAPI_EVENT_INFO_CLIENT_THREAD) ||
	       (info->object == WT_OBJECT_CODE_OBJECT && wt_replayer.options.extract &&
		query->value == AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME);
}

static void replayer_turn_away(void)
{
	wt_replayer.turned = true;
	/* Kept answers came from the recorded session, which this client has left. */
	wt_cache_forget_all();
}

/* After a call that went as recorded. */
static void recorded_call_settle(struct wt_replay_process *process,
				 const struct wt_whole_call *call)
{
	if (!wt_functions[call->function].acts)
		return;
	wt_replay_log_error(wt_replay_control_tell(process, NULL));
	wt_replay_notify();
}

static bool client_process_is_core(amd_dbgapi_client_process_id_t client)
{
	const struct wt_replay_process *process = wt_replayer.processes;

	while (process && (process->client != client || !process->core))
		process = process->next;
	return process;
}

static struct wt_repeat prepare_repeat(const struct wt_whole_call *call,
				       const struct wt_argument *arguments)
{
	return (struct wt_repeat){
		.process = wt_replay_process_of_call(call->function, arguments),
		.call = call,
		.arguments = arguments,
		.identities = &wt_replayer.cursor.identities,
		.callbacks = wt_replayer.client.initialized ? &wt_replayer.client.callbacks : NULL,
		.log_level = wt_replayer.client.log_level,
		.core = wt_whole_call_gives_core(call),
		.is_core = client_process_is_core,
	};
}

/* The trace says that it was granted, and not what the process was. */
static bool is_lost_attach(const struct wt_whole_call *call)
{
	return call->function == WT_FUNCTION_PROCESS_ATTACH &&
	       call->status == AMD_DBGAPI_STATUS_SUCCESS &&
	       (!call->output_count || !wt_replay_find_process(call->outputs[0].number));
}

/* Does what a recorded call did, and answers it. False: it is to be answered from the state. */
static bool repeat_call(const struct wt_whole_call *call, const struct wt_argument *arguments,
			int64_t *status_ret, const char **text_ret)
{
	struct wt_repeat repeat;

	if (!follow_before(call)) {
		replayer_turn_away();
		return false;
	}
	/* Only then are there callbacks to be made. */
	if (call->function == WT_FUNCTION_INITIALIZE && call->status == AMD_DBGAPI_STATUS_SUCCESS &&
	    wt_answer_initialize(arguments[0].pointer) != AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	repeat = prepare_repeat(call, arguments);
	if (!wt_repeat_callbacks(&repeat))
		return false;
	if (!call_follow(&repeat)) {
		replayer_turn_away();
		if (is_lost_attach(call)) {
			*status_ret = AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
			return true;
		}
	}
	wt_repeat_outputs(&repeat, text_ret);
	if (status_ret)
		*status_ret = call->status;
	recorded_call_settle(repeat.process, call);
	return true;
}

static bool answer_recorded(enum wt_function function, const struct wt_argument *arguments,
			    int64_t *status_ret, const char **text_ret)
{
	const struct wt_whole_call *call =
		wt_call_cursor_find(&wt_replayer.cursor, function, arguments);
	struct wt_call_cursor_entry *entry;
	bool told;

	wt_replayer.answer_stays = wt_call_cursor_has_all(&wt_replayer.cursor);
	if (!call || !wt_repeat_is_whole(call))
		return false;
	entry = wt_call_cursor_take(&wt_replayer.cursor, call, arguments);
	if (!entry) {
		replayer_turn_away();
		return false;
	}
	wt_replayer.answer_stays =
		wt_call_cursor_repeats(&wt_replayer.cursor, entry) && !call->callback_count;
	told = !is_of_here(call) && repeat_call(call, arguments, status_ret, text_ret);
	/* This client has not done what the recorded library did. */
	if (!told && wt_functions[function].acts)
		replayer_turn_away();
	wt_call_cursor_drop(&wt_replayer.cursor, entry);
	return told;
}

/* State by which to tell whether a call that no recorded call answered has changed something. */
struct before {
	uint64_t positions;  /* of all processes, added up */
	size_t held, closed; /* processes that make no progress; that keep new waves back */
};

static struct before call_effects_look(void)
{
	struct before found = {0};

	for (const struct wt_replay_process *process = wt_replayer.processes; process;
	     process = process->next) {
		found.positions += process->timeline.position;
		found.held += process->progress == AMD_DBGAPI_PROGRESS_NO_FORWARD;
		found.closed += process->creation == AMD_DBGAPI_WAVE_CREATION_STOP;
	}
	return found;
}

/* The client has attached to a process on its own: it is where the recorded one was after its attach. */
static void recorded_attach_join(const struct wt_argument *arguments)
{
	const amd_dbgapi_process_id_t *attached = arguments[1].pointer;
	const struct wt_replay_process *process = wt_replay_find_process(attached->handle);

	if (!process || wt_replayer.options.host || wt_replayer.options.from_state)
		return;
	/* Another process may be anywhere, and is not to be moved to where this one is. */
	if (wt_replayer.process_count == 1 &&
	    wt_call_cursor_seek(&wt_replayer.cursor, process->timeline.moment->call,
				WT_FUNCTION_PROCESS_ATTACH, arguments))
		wt_replayer.turned = false;
	else
		replayer_turn_away();
}

static bool changed_something(enum wt_function function, const struct wt_argument *arguments,
			      const struct before *before)
{
	const struct before now = call_effects_look();
	uint64_t event = 0;

	if (now.positions != before->positions)
		return true;
	switch ((int)function) {
	case WT_FUNCTION_INITIALIZE:
	case WT_FUNCTION_SET_LOG_LEVEL:
	case WT_FUNCTION_SET_MEMORY_PRECISION:
	case WT_FUNCTION_SET_ALU_EXCEPTIONS_PRECISION:
		return false;
	case WT_FUNCTION_PROCESS_SET_PROGRESS:
		return now.held != before->held;
	case WT_FUNCTION_PROCESS_SET_WAVE_CREATION:
		return now.closed != before->closed;
	case WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT:
		if (arguments[1].pointer)
			event = ((const amd_dbgapi_event_id_t *)arguments[1].pointer)->handle;
		return event;
	default:
		return true;
	}
}

static void answer_from_state(enum wt_function function, const struct wt_argument *arguments,
			      int64_t *status_ret, const char **text_ret)
{
	const bool acts = wt_functions[function].acts;
	const struct before before = call_effects_look();

	wt_invoke(&wt_answers, function, arguments, status_ret, text_ret);
	if (!acts || !wt_replayer.cursor.reader ||
	    (status_ret && *status_ret != AMD_DBGAPI_STATUS_SUCCESS &&
	     function != WT_FUNCTION_FINALIZE))
		return;
	if (function == WT_FUNCTION_PROCESS_ATTACH)
		recorded_attach_join(arguments);
	else if (changed_something(function, arguments, &before))
		replayer_turn_away();
}

static void answer(enum wt_function function, const struct wt_argument *arguments,
		   int64_t *status_ret, const char **text_ret)
{
	wt_replayer.answer_stays = true;
	wt_replayer.changed_nothing = false;
	if (!wt_replay_is_in_step() || !answer_recorded(function, arguments, status_ret, text_ret))
		answer_from_state(function, arguments, status_ret, text_ret);
}

/* Facts stay what they are while the state answers. */
static void cached_answers_forget(enum wt_function function)
{
	if (wt_replay_is_in_step() || function == WT_FUNCTION_INITIALIZE ||
	    function == WT_FUNCTION_FINALIZE || function == WT_FUNCTION_PROCESS_ATTACH ||
	    function == WT_FUNCTION_PROCESS_DETACH)
		wt_cache_forget_all();
	else
		wt_cache_forget();
}

/* A call that acts may have changed any answer, unless it says that it did not. */
static void cached_answer_remember(enum wt_function function, const struct wt_argument *arguments,
				   const int64_t *status, const uint64_t epochs[WT_CACHE_COUNT])
{
	if (wt_functions[function].acts && !wt_replayer.changed_nothing) {
		cached_answers_forget(function);
		return;
	}
	if (status && *status == AMD_DBGAPI_STATUS_SUCCESS && wt_replayer.answer_stays)
		wt_cache_keep(function, arguments, epochs);
}

void wt_replay_call(enum wt_function function, const struct wt_argument *arguments,
		    int64_t *status_ret, const char **text_ret)
{
	uint64_t epochs[WT_CACHE_COUNT];

	pthread_mutex_lock(&lock);
	wt_replayer.call_depth++;
	memcpy(epochs, wt_cache_epochs, sizeof(epochs));
	look_around(function, arguments);
	answer(function, arguments, status_ret, text_ret);
	cached_answer_remember(function, arguments, status_ret, epochs);
	if (!--wt_replayer.call_depth)
		wt_replay_free_closed();
	pthread_mutex_unlock(&lock);
}
