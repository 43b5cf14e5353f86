/* SPDX-License-Identifier: MIT */
/* Processes: attach, detach, progress, and what happens meanwhile. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "replayer/library/created.h"
#include "replayer/library/debuggee.h"
#include "replayer/library/replay-breakpoint.h"
#include "replayer/library/replay-notifier.h"
#include "replayer/library/substitute.h"
#include "replayer/timeline/timeline.h"

void wt_replay_log(struct wt_replay_process *process)
{
	const struct wt_log_message *message;

	/* A user who reads it in a debugger is to know that it was not said now. */
	const char *mark = process->timeline.hosted ? "recorded: " : "";

	while ((message = wt_timeline_log(&process->timeline)))
		wt_client_log(&wt_replayer.client, (amd_dbgapi_log_level_t)message->level, "%s%s",
			      mark, message->text);
}

void wt_replay_log_error(struct wt_error *error)
{
	/* An error that belongs to no one place in the trace is one of the whole trace. */
	if (error)
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR, "%s: %s: %s",
			      error->what, error->where[0] ? error->where : wt_replayer.path,
			      error->why);
	wt_error_destroy(error);
}

/* False of one that was detached from. */
static bool process_is_listed(const struct wt_replay_process *process)
{
	const struct wt_replay_process *listed = wt_replayer.processes;

	while (listed && listed != process)
		listed = listed->next;
	return listed;
}

/*
 * The client is asked for its process id, as the recorded library asked, and gets that back where
 * it asks: it finds its own process by it. The recorded id means nothing here.
 */
static bool client_ask_os_id(struct wt_replay_process *process)
{
	amd_dbgapi_status_t status = wt_replayer.client.callbacks.client_process_get_info(
		process->client, AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID, sizeof(process->os_id),
		&process->os_id);

	process->has_os_id = status == AMD_DBGAPI_STATUS_SUCCESS;
	/* The callback may have finalized the library. */
	return process_is_listed(process) &&
	       (process->has_os_id || status == AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE);
}

/* ---- Attaching ---- */

static bool process_handle_is_taken(const struct wt_replay_process *process)
{
	const struct wt_replay_process *other = wt_replayer.processes;

	while (other && (other == process || other->handle != process->timeline.process))
		other = other->next;
	return other;
}

/* The highest handles of a process that the client is attached to, or was until now. */
static void note_given(const struct wt_replay_process *process, struct wt_timeline_given *given)
{
	const struct wt_timeline *timeline = &process->timeline;

	if (process->shown > given->process)
		given->process = process->shown;
	if (timeline->last_event > given->event)
		given->event = timeline->last_event;
	for (int i = 0; i < WT_OBJECT_COUNT; i++)
		if (timeline->incarnations.highest[i] > given->highest[i])
			given->highest[i] = timeline->incarnations.highest[i];
}

/* A process that the client has detached from may be shown again; what the others have is not to be given twice, either. */
static struct wt_timeline_given gather_given(void)
{
	struct wt_timeline_given given = wt_replayer.given;

	for (const struct wt_replay_process *process = wt_replayer.processes;
	     given.process && process; process = process->next)
		note_given(process, &given);
	return given;
}

/*
 * To the next process of the trace that this client is not attached to. @call: as wt_timeline_attach() has it. @given: which handles were
 * given, of a client that is not in step.
 */
static struct wt_error *attach_timeline(struct wt_replay_process *process, uint64_t call,
					const struct wt_timeline_given *given,
					const struct wt_moment **refused_ret)
{
	struct wt_timeline *timeline = &process->timeline;
	uint32_t first = WT_TIMELINE_START;
	struct wt_error *error;

	wt_timeline_init(timeline, wt_replayer.reader, &wt_replayer.names);
	timeline->position = wt_replayer.attached_at;
	timeline->given = call ? NULL : given;
	/* A debugger is to see the process, however often the recorded one tried. */
	while (!(error = wt_timeline_attach(timeline, !wt_replayer.options.host, call,
					    refused_ret)) &&
	       !*refused_ret && process_handle_is_taken(process)) {
		if (timeline->position == first)
			return wt_error_create(WT_ERROR_NOT_FOUND,
					       "cannot attach to another process", NULL,
					       "the trace has none that was attached to");
		if (first == WT_TIMELINE_START)
			first = timeline->position;
	}
	if (!error)
		wt_replayer.attached_at = timeline->position;
	return error;
}

/* The recorded library refused, and said why. */
static amd_dbgapi_status_t attach_refuse(const struct wt_moment *refused)
{
	for (size_t i = 0; i < refused->log_count; i++)
		wt_client_log(&wt_replayer.client, (amd_dbgapi_log_level_t)refused->log[i].level,
			      "%s", refused->log[i].text);
	/* A damaged trace may say that it was granted, or what is no status. */
	return refused->status < 0 && refused->status >= INT32_MIN
		       ? (amd_dbgapi_status_t)refused->status
		       : AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
}

static amd_dbgapi_status_t process_timeline_open(struct wt_replay_process *process, uint64_t call)
{
	const struct wt_timeline_given given = gather_given();
	const struct wt_moment *refused;
	struct wt_error *error;

	if (!wt_notifier_open(process->notifier))
		return AMD_DBGAPI_STATUS_ERROR;
	if (!wt_replayer.reader) {
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR, "%s",
			      wt_replayer.failure ? wt_replayer.failure : "out of memory");
		return AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
	}
	error = attach_timeline(process, call, &given, &refused);
	if (error) {
		wt_replay_log_error(error);
		return AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
	}
	if (refused)
		return attach_refuse(refused);
	/* No process has the null handle, but a damaged trace may say so. */
	process->handle = process->timeline.process;
	process->shown = process->timeline.incarnations.again ? given.process + 1 : process->handle;
	process->timeline.given = NULL;
	process->timeline.core = !process->has_os_id;
	return process->handle ? AMD_DBGAPI_STATUS_SUCCESS : AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
}

static unsigned int process_free_slot(void)
{
	const struct wt_replay_process *process = wt_replayer.processes;
	unsigned int slot = 0;

	while (process) {
		bool taken = process->slot == slot;

		slot += taken;
		process = taken ? wt_replayer.processes : process->next;
	}
	return slot;
}

/* One more process. NULL if there is no memory. */
static struct wt_replay_process *add_process(const struct wt_replay_process *like)
{
	struct wt_replay_process **link = &wt_replayer.processes;
	struct wt_replay_process *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	*process = *like;
	process->notifier[0] = process->notifier[1] = -1;
	process->slot = process_free_slot();
	while (*link)
		link = &(*link)->next;
	*link = process;
	wt_replayer.process_count++;
	return process;
}

/*
 * Unlinks a process; the library goes on with the rest of them. A callback may have detached from it, and the call that made the
 * callback still works on it: until that has returned, the process stays as one that is not attached.
 */
static void remove_process(struct wt_replay_process *process)
{
	struct wt_replay_process **link = &wt_replayer.processes;

	while (*link != process)
		link = &(*link)->next;
	*link = process->next;
	wt_replayer.process_count--;
	process->handle = 0;
	process->next_closed = wt_replayer.closed;
	wt_replayer.closed = process;
	if (!wt_replayer.processes)
		wt_substitute_deinit(&wt_replayer.substitute);
}

void wt_replay_free_closed(void)
{
	struct wt_replay_process *process, *next;

	for (process = wt_take(wt_replayer.closed); process; process = next) {
		next = process->next_closed;
		wt_images_deinit(&process->images);
		free(process->displaced);
		free(process->steps);
		if (process->timeline.reader)
			wt_timeline_detach(&process->timeline);
		free(process);
	}
}

static void close_process(struct wt_replay_process *process)
{
	bool controlled = process->control;

	wt_replay_control_close(process);
	if (process->handle) {
		note_given(process, &wt_replayer.given);
		wt_debuggee_close(process);
	}
	wt_notifier_close(process->notifier);
	remove_process(process);
	/* There is one socket, for the process that was attached to first. */
	if (controlled && wt_replayer.processes)
		wt_replay_control_open(wt_replayer.processes);
}

void wt_replay_forget_process(struct wt_replay_process *process)
{
	if (process->handle)
		close_process(process);
}

void wt_replay_detach_all(void)
{
	while (wt_replayer.processes)
		close_process(wt_replayer.processes);
}

/* Sets up what an attached process has beside its timeline. */
static void begin_process(struct wt_replay_process *process)
{
	wt_replay_read_options(&wt_replayer.options);
	wt_substitute_look();
	wt_substitute_choose();
	wt_debuggee_open(process);
}

static bool replayed_client_is_attached(amd_dbgapi_client_process_id_t client)
{
	const struct wt_replay_process *process = wt_replayer.processes;

	while (process && process->client != client)
		process = process->next;
	return process;
}

/* Each gets the next process of the trace that it is not attached to, whichever of its own processes it names. */
amd_dbgapi_status_t wt_answer_process_attach(amd_dbgapi_client_process_id_t client_process_id,
					     amd_dbgapi_process_id_t *process_id)
{
	const struct wt_replay_process like = {.client = client_process_id};
	struct wt_replay_process *process;
	amd_dbgapi_status_t status;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!client_process_id || !process_id)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (replayed_client_is_attached(client_process_id))
		return AMD_DBGAPI_STATUS_ERROR_ALREADY_ATTACHED;
	wt_replay_open();
	process = add_process(&like);
	if (!process)
		return AMD_DBGAPI_STATUS_FATAL;
	status = client_ask_os_id(process) ? process_timeline_open(process, 0)
					   : AMD_DBGAPI_STATUS_ERROR;
	if (status != AMD_DBGAPI_STATUS_SUCCESS) {
		if (process_is_listed(process))
			close_process(process);
		return status;
	}
	process_id->handle = process->shown;
	begin_process(process);
	wt_replay_breakpoints_sync(process);
	wt_replay_control_open(process);
	wt_replay_log(process);
	wt_replay_notify();
	return AMD_DBGAPI_STATUS_SUCCESS;
}

struct wt_replay_process *wt_replay_follow_attach(const struct wt_replay_process *like,
						  uint64_t call)
{
	struct wt_replay_process *process = add_process(like);

	if (!process)
		return NULL;
	if (process_timeline_open(process, call) != AMD_DBGAPI_STATUS_SUCCESS) {
		close_process(process);
		return NULL;
	}
	begin_process(process);
	wt_replay_control_open(process);
	return process;
}

bool wt_replay_follow_refusal(uint64_t call)
{
	struct wt_timeline timeline;
	struct wt_error *error;

	wt_timeline_init(&timeline, wt_replayer.reader, &wt_replayer.names);
	timeline.position = wt_replayer.attached_at;
	error = wt_timeline_follow_refusal(&timeline, call);
	wt_replayer.attached_at = timeline.position;
	wt_timeline_deinit(&timeline);
	wt_replay_log_error(error);
	return !error;
}

amd_dbgapi_status_t wt_answer_process_detach(amd_dbgapi_process_id_t process_id)
{
	struct wt_replay_process *process;
	amd_dbgapi_status_t status = wt_replay_check_process(process_id, &process);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	wt_replay_breakpoints_withdraw(process);
	wt_replay_forget_process(process);
	wt_replay_notify();
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* The processes that a call names, one after the other: all of them where it names none. */
static struct wt_replay_process *next_named(amd_dbgapi_process_id_t process_id,
					    const struct wt_replay_process *previous)
{
	if (process_id.handle != AMD_DBGAPI_PROCESS_NONE.handle)
		return previous ? NULL : wt_replay_find_process(process_id.handle);
	return previous ? previous->next : wt_replayer.processes;
}

amd_dbgapi_status_t wt_replay_release(struct wt_replay_process *process, enum wt_function function)
{
	struct wt_error *error = wt_timeline_release(&process->timeline, function);

	error = wt_replay_control_tell(process, error);
	if (error) {
		wt_replay_log_error(error);
		return AMD_DBGAPI_STATUS_FATAL;
	}
	wt_replay_breakpoints_sync(process);
	wt_replay_log(process);
	wt_replay_notify();
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t replay_process_set_progress(struct wt_replay_process *process,
						       amd_dbgapi_progress_t progress)
{
	bool released = process->progress == AMD_DBGAPI_PROGRESS_NO_FORWARD &&
			progress == AMD_DBGAPI_PROGRESS_NORMAL;

	process->progress = progress;
	/* A core cannot go on, which is fatal to it, once. */
	if (released && process->timeline.core && !process->broken) {
		process->broken = true;
		return AMD_DBGAPI_STATUS_FATAL;
	}
	if (released) {
		amd_dbgapi_status_t status =
			wt_replay_release(process, WT_FUNCTION_PROCESS_SET_PROGRESS);

		if (status != AMD_DBGAPI_STATUS_SUCCESS)
			return status;
	}
	if (progress == AMD_DBGAPI_PROGRESS_NORMAL) {
		wt_debuggee_run(process);
		wt_replay_notify();
	}
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_answer_process_set_progress(amd_dbgapi_process_id_t process_id,
						   amd_dbgapi_progress_t progress)
{
	amd_dbgapi_status_t status = AMD_DBGAPI_STATUS_SUCCESS;
	struct wt_replay_process *process = NULL;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (progress != AMD_DBGAPI_PROGRESS_NORMAL && progress != AMD_DBGAPI_PROGRESS_NO_FORWARD)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!wt_replay_is_process_or_none(process_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	wt_replayer.changed_nothing = progress == AMD_DBGAPI_PROGRESS_NO_FORWARD;
	while ((process = next_named(process_id, process))) {
		if (process->frozen)
			return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
		wt_replayer.changed_nothing &= process->progress == progress;
	}
	while (status == AMD_DBGAPI_STATUS_SUCCESS && (process = next_named(process_id, process)))
		status = replay_process_set_progress(process, progress);
	return status;
}

/*
 * Which waves are there, and when, was recorded: those kept back come into sight with the next
 * moment.
 */
amd_dbgapi_status_t wt_answer_process_set_wave_creation(amd_dbgapi_process_id_t process_id,
							amd_dbgapi_wave_creation_t creation)
{
	struct wt_replay_process *process;
	amd_dbgapi_status_t status = wt_replay_check_process(process_id, &process);
	amd_dbgapi_status_t refusal = AMD_DBGAPI_STATUS_SUCCESS;
	bool released;

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if (creation != AMD_DBGAPI_WAVE_CREATION_NORMAL &&
	    creation != AMD_DBGAPI_WAVE_CREATION_STOP)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (creation == AMD_DBGAPI_WAVE_CREATION_STOP && process->timeline.core)
		return AMD_DBGAPI_STATUS_FATAL;
	if (creation == AMD_DBGAPI_WAVE_CREATION_STOP)
		refusal = wt_created_setting(process, WT_FUNCTION_PROCESS_SET_WAVE_CREATION,
					     process->handle);
	if (refusal != AMD_DBGAPI_STATUS_SUCCESS)
		return refusal;
	released = process->creation == AMD_DBGAPI_WAVE_CREATION_STOP &&
		   creation == AMD_DBGAPI_WAVE_CREATION_NORMAL;
	process->creation = creation;
	return released ? wt_replay_release(process, WT_FUNCTION_PROCESS_SET_WAVE_CREATION)
			: AMD_DBGAPI_STATUS_SUCCESS;
}

/* A replay has nothing to bring to a standstill: being frozen is a matter of what the client may do. */
amd_dbgapi_status_t wt_answer_process_freeze(amd_dbgapi_process_id_t process_id)
{
	struct wt_replay_process *process;
	amd_dbgapi_status_t status = wt_replay_check_process(process_id, &process);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
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
	struct wt_replay_process *process;
	amd_dbgapi_status_t status = wt_replay_check_process(process_id, &process);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (!process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN;
	process->frozen = false;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* The recorded process can be had as precise as it was recorded to be able to; when its GPUs are gone it stays as it is. */
static amd_dbgapi_status_t set_precision(struct wt_replay_process *process,
					 amd_dbgapi_process_id_t process_id, uint32_t query,
					 uint32_t precision, uint32_t none, uint32_t precise)
{
	bool memory = query == AMD_DBGAPI_PROCESS_INFO_PRECISE_MEMORY_SUPPORTED;
	bool *is_precise = memory ? &process->precise_memory : &process->precise_alu;
	amd_dbgapi_status_t refusal = AMD_DBGAPI_STATUS_SUCCESS;
	uint64_t supported;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_is_process(process, process_id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (precision != none && precision != precise)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if ((precision == precise) != *is_precise &&
	    (!wt_recorded_number(&process->timeline.recorded, WT_OBJECT_PROCESS, process->handle,
				 query, &supported) ||
	     supported != precise))
		return AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED;
	if (precision == precise && process->timeline.core)
		return AMD_DBGAPI_STATUS_FATAL;
	if (precision == precise)
		refusal = wt_created_setting(process,
					     memory ? WT_FUNCTION_SET_MEMORY_PRECISION
						    : WT_FUNCTION_SET_ALU_EXCEPTIONS_PRECISION,
					     process->handle);
	if (refusal == AMD_DBGAPI_STATUS_SUCCESS)
		*is_precise = precision == precise;
	return refusal;
}

amd_dbgapi_status_t wt_answer_set_memory_precision(amd_dbgapi_process_id_t process_id,
						   amd_dbgapi_memory_precision_t memory_precision)
{
	struct wt_replay_process *process =
		wt_replay_process_of(WT_OBJECT_PROCESS, process_id.handle);

	return set_precision(process, process_id, AMD_DBGAPI_PROCESS_INFO_PRECISE_MEMORY_SUPPORTED,
			     (uint32_t)memory_precision, AMD_DBGAPI_MEMORY_PRECISION_NONE,
			     AMD_DBGAPI_MEMORY_PRECISION_PRECISE);
}

amd_dbgapi_status_t wt_answer_set_alu_exceptions_precision(
	amd_dbgapi_process_id_t process_id,
	amd_dbgapi_alu_exceptions_precision_t alu_exceptions_precision)
{
	struct wt_replay_process *process =
		wt_replay_process_of(WT_OBJECT_PROCESS, process_id.handle);

	return set_precision(
		process, process_id, AMD_DBGAPI_PROCESS_INFO_PRECISE_ALU_EXCEPTIONS_SUPPORTED,
		(uint32_t)alu_exceptions_precision, AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_NONE,
		AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE);
}
