/* SPDX-License-Identifier: MIT */
/*
 * A client that makes the recorded calls is in step, and gets the recorded answers (repeat.h), while the state moves
 * along (replay-follow.h). Any other call is answered from the state. If it changes nothing the client is in step still, and the
 * cursor waits for the next recorded call; if it does, the client has turned away, and is answered from the
 * state until it attaches to a process again.
 */
#include "replayer/library/replay-call.h"

#include <pthread.h>
#include <string.h>

#include "replayer/library/cache.h"
#include "replayer/library/internal.h"
#include "replayer/library/replay-follow.h"

/* Callbacks may call in again. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

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

	if (!wt_follow_before(call)) {
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
	if (!wt_follow(&repeat)) {
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
