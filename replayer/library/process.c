/* SPDX-License-Identifier: MIT */
/* Processes and events: attach, detach, progress, and what happens meanwhile. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "replayer/library/breakpoint.h"
#include "replayer/library/notifier.h"
#include "replayer/library/other.h"

/* Something is to be had, now or when the client has asked as often as the recorded one. */
static bool is_pending(void)
{
	return wt_timeline_pending(&wt_replayer.timeline) ||
	       (wt_replay_is_in_step() &&
		wt_call_cursor_expects_event(&wt_replayer.cursor, wt_replayer.process.handle));
}

void wt_replay_make_pump(void)
{
	wt_notifier_raise(wt_replayer.process.notifier);
}

void wt_replay_notify(void)
{
	wt_debuggee_sync();
	wt_replay_control_take();

	wt_other_notify();
	if (wt_replayer.process.handle && !wt_replayer.debuggee.quiet && is_pending())
		wt_replay_make_pump();
}

void wt_replay_log(void)
{
	const struct wt_log_message *message;

	/* A user who reads it in a debugger is to know that it was not said now. */
	const char *mark = wt_replayer.timeline.hosted ? "recorded: " : "";

	while ((message = wt_timeline_log(&wt_replayer.timeline)))
		wt_client_log(&wt_replayer.client, (amd_dbgapi_log_level_t)message->level, "%s%s",
			      mark, message->text);
}

void wt_replay_log_error(struct wt_error *error)
{
	/* What is of no one place in the trace is of all of it. */
	if (error)
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR, "%s: %s: %s",
			      error->what, error->where[0] ? error->where : wt_replayer.path,
			      error->why);
	wt_error_destroy(error);
}

/*
 * The client is asked for its process id, as the recorded library asked, and gets that back where
 * it asks: it finds its own process by it. The recorded id means nothing here.
 */
static bool ask_os_id(struct wt_replay_process *process)
{
	amd_dbgapi_status_t status = wt_replayer.client.callbacks.client_process_get_info(
		process->client, AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID, sizeof(process->os_id),
		&process->os_id);

	process->has_os_id = status == AMD_DBGAPI_STATUS_SUCCESS;
	return process->has_os_id || status == AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
}

/* @call: as wt_timeline_attach() has it. */
static amd_dbgapi_status_t open_process(struct wt_replay_process *process, uint64_t call)
{
	struct wt_error *error;

	if (!wt_notifier_open(process->notifier))
		return AMD_DBGAPI_STATUS_ERROR;
	if (!wt_replayer.reader) {
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR, "%s",
			      wt_replayer.failure ? wt_replayer.failure : "out of memory");
		return AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
	}
	error = wt_timeline_attach(&wt_replayer.timeline, call);
	if (error) {
		wt_replay_log_error(error);
		return AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
	}
	/* No process has the null handle, but a damaged trace may say so. */
	process->handle = wt_replayer.timeline.process;
	return process->handle ? AMD_DBGAPI_STATUS_SUCCESS : AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
}

static void close_process(void)
{
	struct wt_replay_process *process = &wt_replayer.process;

	wt_replay_control_close();
	if (process->handle)
		wt_debuggee_close();
	wt_images_deinit(&wt_replayer.images);
	wt_replayer.images_state = NULL;
	wt_substitute_deinit(&wt_replayer.substitute);
	wt_notifier_close(process->notifier);
	free(process->displaced);
	*process = (struct wt_replay_process){.notifier = {-1, -1}};
	if (wt_replayer.reader)
		wt_timeline_detach(&wt_replayer.timeline);
}

void wt_replay_forget_process(void)
{
	if (wt_replayer.process.handle)
		close_process();
}

void wt_replay_detach(void)
{
	wt_other_detach_all();
	wt_replay_forget_process();
}

/* What a process that was attached to has beside its timeline. */
static void begin_process(void)
{
	wt_replay_read_options(&wt_replayer.options);
	wt_substitute_look();
	wt_substitute_choose();
	wt_debuggee_open();
}

/* One process at a time: a trace has one timeline. */
amd_dbgapi_status_t wt_answer_process_attach(amd_dbgapi_client_process_id_t client_process_id,
					     amd_dbgapi_process_id_t *process_id)
{
	struct wt_replay_process *process = &wt_replayer.process;
	amd_dbgapi_status_t status;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!client_process_id || !process_id)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (process->handle && process->client == client_process_id)
		return AMD_DBGAPI_STATUS_ERROR_ALREADY_ATTACHED;
	if (process->handle) {
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR,
			      "cannot attach to a second process: a trace is replayed for one");
		return AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
	}
	wt_replay_open();
	*process = (struct wt_replay_process){.client = client_process_id, .notifier = {-1, -1}};
	status = ask_os_id(process) ? open_process(process, 0) : AMD_DBGAPI_STATUS_ERROR;
	if (status != AMD_DBGAPI_STATUS_SUCCESS) {
		close_process();
		return status;
	}
	process_id->handle = process->handle;
	begin_process();
	wt_replay_breakpoints_sync();
	wt_replay_control_open();
	wt_replay_log();
	wt_replay_notify();
	return AMD_DBGAPI_STATUS_SUCCESS;
}

bool wt_replay_follow_attach(const struct wt_replay_process *like, uint64_t call)
{
	struct wt_replay_process *process = &wt_replayer.process;

	*process = *like;
	process->notifier[0] = process->notifier[1] = -1;
	if (open_process(process, call) != AMD_DBGAPI_STATUS_SUCCESS) {
		close_process();
		return false;
	}
	begin_process();
	wt_replay_control_open();
	return true;
}

amd_dbgapi_status_t wt_answer_process_detach(amd_dbgapi_process_id_t process_id)
{
	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_exists(WT_OBJECT_PROCESS, process_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	wt_replay_breakpoints_withdraw();
	wt_replay_detach();
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static bool is_process_or_none(amd_dbgapi_process_id_t process_id)
{
	return process_id.handle == AMD_DBGAPI_PROCESS_NONE.handle ||
	       wt_replay_exists(WT_OBJECT_PROCESS, process_id.handle);
}

amd_dbgapi_status_t wt_replay_release(enum wt_function function)
{
	struct wt_error *error = wt_timeline_release(&wt_replayer.timeline, function);

	error = wt_replay_control_tell(error);
	if (error) {
		wt_replay_log_error(error);
		return AMD_DBGAPI_STATUS_FATAL;
	}
	wt_replay_breakpoints_sync();
	wt_replay_log();
	wt_replay_notify();
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_answer_process_set_progress(amd_dbgapi_process_id_t process_id,
						   amd_dbgapi_progress_t progress)
{
	struct wt_replay_process *process = &wt_replayer.process;
	bool released;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (progress != AMD_DBGAPI_PROGRESS_NORMAL && progress != AMD_DBGAPI_PROGRESS_NO_FORWARD)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!is_process_or_none(process_id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (!process->handle)
		return AMD_DBGAPI_STATUS_SUCCESS;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	released = process->progress == AMD_DBGAPI_PROGRESS_NO_FORWARD &&
		   progress == AMD_DBGAPI_PROGRESS_NORMAL;
	process->progress = progress;
	if (released) {
		amd_dbgapi_status_t status = wt_replay_release(WT_FUNCTION_PROCESS_SET_PROGRESS);

		if (status != AMD_DBGAPI_STATUS_SUCCESS)
			return status;
	}
	if (progress == AMD_DBGAPI_PROGRESS_NORMAL) {
		wt_debuggee_run();
		wt_replay_notify();
	}
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/*
 * Which waves are there, and when, was recorded: those kept back come into sight with the next
 * moment.
 */
amd_dbgapi_status_t wt_answer_process_set_wave_creation(amd_dbgapi_process_id_t process_id,
							amd_dbgapi_wave_creation_t creation)
{
	struct wt_replay_process *process = &wt_replayer.process;
	bool released;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_exists(WT_OBJECT_PROCESS, process_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if (creation != AMD_DBGAPI_WAVE_CREATION_NORMAL &&
	    creation != AMD_DBGAPI_WAVE_CREATION_STOP)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	released = process->creation == AMD_DBGAPI_WAVE_CREATION_STOP &&
		   creation == AMD_DBGAPI_WAVE_CREATION_NORMAL;
	process->creation = creation;
	return released ? wt_replay_release(WT_FUNCTION_PROCESS_SET_WAVE_CREATION)
			: AMD_DBGAPI_STATUS_SUCCESS;
}

/* A replay has nothing to bring to a standstill: being frozen is a matter of what the client may do. */
amd_dbgapi_status_t wt_answer_process_freeze(amd_dbgapi_process_id_t process_id)
{
	struct wt_replay_process *process = &wt_replayer.process;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_exists(WT_OBJECT_PROCESS, process_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (process->progress != AMD_DBGAPI_PROGRESS_NO_FORWARD ||
	    process->creation != AMD_DBGAPI_WAVE_CREATION_STOP)
		return AMD_DBGAPI_STATUS_ERROR_INCOMPATIBLE_PROCESS_STATE;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_ALREADY_FROZEN;
	process->frozen = true;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_answer_process_unfreeze(amd_dbgapi_process_id_t process_id)
{
	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_exists(WT_OBJECT_PROCESS, process_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (!wt_replayer.process.frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN;
	wt_replayer.process.frozen = false;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* The recorded process can be had as precise as it was recorded to be able to. */
static amd_dbgapi_status_t set_precision(amd_dbgapi_process_id_t process_id, uint32_t query,
					 uint32_t precision, uint32_t none, uint32_t precise)
{
	uint64_t supported;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_exists(WT_OBJECT_PROCESS, process_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (precision != none && precision != precise)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (precision == none)
		return AMD_DBGAPI_STATUS_SUCCESS;
	if (!wt_recorded_number(&wt_replayer.timeline.recorded, WT_OBJECT_PROCESS,
				process_id.handle, query, &supported) ||
	    supported != precise)
		return AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_answer_set_memory_precision(amd_dbgapi_process_id_t process_id,
						   amd_dbgapi_memory_precision_t memory_precision)
{
	return set_precision(process_id, AMD_DBGAPI_PROCESS_INFO_PRECISE_MEMORY_SUPPORTED,
			     (uint32_t)memory_precision, AMD_DBGAPI_MEMORY_PRECISION_NONE,
			     AMD_DBGAPI_MEMORY_PRECISION_PRECISE);
}

amd_dbgapi_status_t wt_answer_set_alu_exceptions_precision(
	amd_dbgapi_process_id_t process_id,
	amd_dbgapi_alu_exceptions_precision_t alu_exceptions_precision)
{
	return set_precision(process_id, AMD_DBGAPI_PROCESS_INFO_PRECISE_ALU_EXCEPTIONS_SUPPORTED,
			     (uint32_t)alu_exceptions_precision,
			     AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_NONE,
			     AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE);
}

amd_dbgapi_status_t wt_answer_process_next_pending_event(amd_dbgapi_process_id_t process_id,
							 amd_dbgapi_event_id_t *event_id,
							 amd_dbgapi_event_kind_t *kind)
{
	const struct wt_timeline_event *event = NULL;
	struct wt_error *error = NULL;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!event_id || !kind)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!is_process_or_none(process_id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	wt_debuggee_pump();
	if (wt_replayer.process.handle) {
		wt_replay_control_take();
		error = wt_timeline_pump(&wt_replayer.timeline, &event);
		error = wt_replay_control_tell(error);
	}
	if (error) {
		wt_replay_log_error(error);
		return AMD_DBGAPI_STATUS_FATAL;
	}
	wt_debuggee_reported(event);
	wt_replay_breakpoints_sync();
	event_id->handle = event ? event->handle : AMD_DBGAPI_EVENT_NONE.handle;
	*kind = event ? event->kind : AMD_DBGAPI_EVENT_KIND_NONE;
	if (wt_replayer.process.handle)
		wt_replay_log();
	wt_replay_notify();
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_answer_event_processed(amd_dbgapi_event_id_t event_id)
{
	const struct wt_timeline_event *event;
	bool released;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	event = wt_replayer.process.handle
			? wt_timeline_event(&wt_replayer.timeline, event_id.handle)
			: NULL;
	released =
		event && event->recorded && event->kind == AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME;
	if (event)
		wt_debuggee_processed(event->kind);
	if (!wt_replayer.process.handle ||
	    !wt_timeline_processed(&wt_replayer.timeline, event_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_EVENT_ID;
	/* The recorded program went on from its breakpoint in this call. */
	if (released)
		return wt_replay_release(WT_FUNCTION_EVENT_PROCESSED);
	wt_replay_notify();
	return AMD_DBGAPI_STATUS_SUCCESS;
}
