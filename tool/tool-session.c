/* SPDX-License-Identifier: MIT */
#include "tool/tool-session.h"

#include <dlfcn.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/agent-notes.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "dbgapi/finding/search.h"
#include "recorder/recording/environment.h"
#include "recorder/recording/thread.h"
#include "replayer/view/keep-sources.h"
#include "tool/on-trace.h"
#include "tool/raised.h"
#include "tool/tool-report.h"
#include "tool/trapping.h"

/* A trace in memory that grows beyond this, by debug traps, begins anew. */
#define MEMORY_MAX ((uint64_t)32 << 20)
/* How often the library is asked for changed code objects while the loader is at work on them, and for how long it waits. */
#define CODE_TRIES 50
#define CODE_WAIT_NS 2000000
/* A program whose driver fails is taken to stand when its queues have for so long; and how often it is looked at. */
#define STRANDED_MS 30000
#define STRANDED_LOOK_MS 1000
#define STRANDED_LOOKS 3 /* where a wave is known to have stopped */

/* Takes the error over. */
static void tool_complain(const struct wt_tool *tool, struct wt_error *error)
{
	if (error && !tool->options.quiet)
		wt_tool_say("%s: %s: %s", error->what, error->where, error->why);
	wt_error_destroy(error);
}

/* ---- The client ---- */

static amd_dbgapi_status_t tool_give_process(void *context, void *value)
{
	const amd_dbgapi_os_process_id_t process = getpid();

	(void)context;
	memcpy(value, &process, sizeof(process));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* The kernel reads the memory: memory that is not there is an error then, and no signal. */
static amd_dbgapi_status_t tool_read_memory(void *context, uint64_t address,
					    amd_dbgapi_size_t *size, void *data)
{
	const struct iovec to = {data, *size}, from = {(void *)(uintptr_t)address, *size};
	ssize_t done = process_vm_readv(getpid(), &to, 1, &from, 1, 0);

	(void)context;
	if (done <= 0)
		return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
	*size = (amd_dbgapi_size_t)done;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static size_t tool_count_code(const struct wt_tool *tool)
{
	const struct wt_api *api = tool->follow.client.api;
	amd_dbgapi_code_object_id_t *objects = NULL;
	size_t count = 0;

	if (api->process_code_object_list(tool->follow.client.process, &count, &objects, NULL) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	free(objects);
	return count;
}

/* Let the library look for code objects, and wait for a loader that is at work; the program may run meanwhile. */
static void tool_wait_for_code(struct wt_tool *tool)
{
	const struct timespec pause = {.tv_nsec = CODE_WAIT_NS};

	wt_agent_client_look_for_code(&tool->follow.client);
	for (int i = 0;
	     i < CODE_TRIES && tool->follow.client.has_breakpoint && !tool_count_code(tool); i++) {
		nanosleep(&pause, NULL);
		wt_agent_client_look_for_code(&tool->follow.client);
	}
}

/* ---- A trace ---- */

/* Why the recorder does not record, without whose message that is. */
static const char *tool_plain_failure(const struct wt_tool *tool)
{
	static const char who[] = "wavetape: ";
	const char *failure = tool->recorder->failure;

	return strncmp(failure, who, strlen(who)) ? failure : failure + strlen(who);
}

/* Give the trace its file. */
static struct wt_error *tool_give_file(struct wt_tool *tool)
{
	const struct wt_name_facts facts = wt_name_facts_find(tool->variable);
	wt_cleanup_free char *place = NULL;
	struct wt_error *error;

	if (tool->recorder->failure)
		return wt_error_create(WT_ERROR_NOT_FOUND, "nothing was recorded", "the recorder",
				       "%s", tool_plain_failure(tool));
	error = wt_place_make(tool->options.output, &facts, &tool->options.keep, &place);
	if (error)
		return error;
	error = wt_recorder_move(tool->recorder, place);
	if (error) {
		unlink(place);
		return error;
	}
	/* The program may go to another directory. */
	tool->path = realpath(place, NULL);
	tool->path = tool->path ? tool->path : wt_take(place);
	tool->traces++;
	return NULL;
}

static void tool_drop_path(struct wt_tool *tool)
{
	free(wt_take(tool->path));
}

/* The trace stays as it was if sources cannot be kept with it. */
static void tool_keep_sources(const struct wt_tool *tool)
{
	struct wt_source_maps maps = {.count = 0};

	for (char *const *source = tool->options.sources; *source; source++)
		wt_source_maps_add(&maps, *source);
	tool_complain(tool, wt_sources_keep(tool->path, &maps));
}

/* The program waits for it no longer than for the trace: the runtime hears of a fault when it has ended. */
static void tool_run_command(const struct wt_tool *tool)
{
	const struct wt_tool_options *options = &tool->options;
	char why[256];

	if (!options->on_trace)
		return;
	wt_on_trace_run(options->on_trace, tool->path, options->on_trace_within_ms, why,
			sizeof(why));
	if (*why && !options->quiet)
		wt_tool_say("on-trace: %s: %s", options->on_trace, why);
}

/* Say what the trace has, which is closed. */
static void tool_tell(struct wt_tool *tool, bool whole)
{
	char text[WT_TOOL_REPORT_MAX];
	uint64_t waves = 0;
	struct wt_error *error = wt_tool_describe(tool->path, text, &waves);
	const char *broken = whole ? "" : " (not whole: its last notice says why)";

	if (whole)
		tool_keep_sources(tool);
	if (!tool->options.quiet) {
		if (error)
			wt_tool_say("%s: %s%s", tool->cause, tool->path, broken);
		else
			wt_tool_say("%s: %s: %s%s", tool->cause, text, tool->path, broken);
	}
	wt_tool_note(tool->options.notes, WT_AGENT_NOTE_TRACE);
	wt_tool_requests_answer(&tool->requests, tool->path, waves, NULL);
	wt_error_destroy(error);
	wt_place_tidy(tool->options.output, tool->path, &tool->options.keep);
	if (whole)
		tool_run_command(tool);
}

static void tool_refuse(struct wt_tool *tool, struct wt_error *error)
{
	wt_tool_requests_answer(&tool->requests, NULL, 0, error->why);
	tool_complain(tool, error);
}

/*
 * A wave has stopped for a fault. The trace is closed before the runtime hears of it, for that ends the program. Whatever of
 * ours fails, the runtime hears of it.
 */
static struct wt_error *tool_take_fault(struct wt_tool *tool)
{
	struct wt_error *error = NULL;

	tool->cause = tool->raised ? "GPU arithmetic exception" : "GPU fault";
	wt_tool_note(tool->options.notes, WT_AGENT_NOTE_FAULT);
	if (!tool->path && tool->traces < tool->options.traces)
		tool_complain(tool, tool_give_file(tool));
	if (tool->path) {
		error = wt_agent_stop_all(&tool->follow);
		tool_complain(tool, error);
		tool_tell(tool, wt_recorder_end(tool->recorder, "process exit"));
		tool_drop_path(tool);
	}
	wt_recorder_end(tool->recorder, "process exit");
	tool->delivered = true;
	tool->follow.fault = false;
	return wt_agent_deliver(&tool->follow);
}

/*
 * A wave has raised an exception that kernels were to stop at. From then on none stops: later ones cost nothing, and none is raised
 * while nobody watches.
 */
static struct wt_error *tool_take_exception(struct wt_tool *tool)
{
	struct wt_error *error = NULL;

	tool->told_raised = true;
	if (tool->options.trap_ends)
		return tool_take_fault(tool);
	tool->cause = "GPU arithmetic exception";
	if (tool->traces < tool->options.traces) {
		error = tool_give_file(tool);
		if (!error)
			error = wt_agent_stop_all(&tool->follow);
		tool->again = true;
	}
	if (error)
		tool_refuse(tool, error);
	wt_trapping_forget(&tool->follow.client);
	tool->raised = false;
	return tool->follow.fault ? tool_take_fault(tool) : wt_agent_resume(&tool->follow);
}

static void tool_note_raised(struct wt_agent_follow *follow, amd_dbgapi_wave_id_t wave,
			     uint32_t reasons)
{
	struct wt_tool *tool = follow->client.context;

	if (!tool->told_raised && !tool->raised)
		tool->raised = wt_raised_counts(&follow->client, wave, reasons);
}

/*
 * No wave can be stopped, so that there would be no stop but that of the attach. Where work waits all the same, the next
 * session's is taken, which shows how the program stands then.
 */
static struct wt_error *tool_take_without_waves(struct wt_tool *tool, const char *cause)
{
	if (wt_agent_queues_are_empty(&tool->follow)) {
		tool_refuse(tool,
			    wt_error_create(WT_ERROR_NOT_FOUND, "cannot take a snapshot", cause,
					    "no wave is running, and no queue has packets"));
	} else {
		tool->at_attach = true;
		tool->again = true;
	}
	return wt_agent_resume(&tool->follow);
}

/* The session has begun for this: take what the attach has shown, and waves that came meanwhile. */
static struct wt_error *tool_take_at_attach(struct wt_tool *tool)
{
	struct wt_error *error = tool_give_file(tool);

	tool->at_attach = false;
	if (error) {
		tool_refuse(tool, error);
		return NULL;
	}
	error = wt_agent_stop_all(&tool->follow);
	if (!error && tool->follow.fault)
		return tool_take_fault(tool);
	tool->again = true;
	return error ? error : wt_agent_resume(&tool->follow);
}

/* Take all waves where they stand, and let them go on. The trace is closed when the session has ended. */
static struct wt_error *tool_take_snapshot(struct wt_tool *tool, const char *cause)
{
	struct wt_error *error;
	bool any;

	tool->cause = cause;
	if (tool->delivered || tool->traces >= tool->options.traces) {
		tool_refuse(tool,
			    wt_error_create(WT_ERROR_LIMIT, "cannot take a snapshot", cause,
					    tool->delivered ? "the program had a fault before"
							    : "it has as many traces as it may"));
		return NULL;
	}
	tool_wait_for_code(tool);
	error = wt_agent_set_progress(&tool->follow, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	if (!error)
		error = wt_agent_pump(&tool->follow, &any);
	if (error)
		return error;
	if (tool->follow.fault)
		return tool_take_fault(tool);
	if (tool->raised)
		return tool_take_exception(tool);
	if (!wt_agent_client_count_waves(&tool->follow.client))
		return tool_take_without_waves(tool, cause);
	error = tool_give_file(tool);
	if (error) {
		tool_refuse(tool, error);
		return wt_agent_resume(&tool->follow);
	}
	error = wt_agent_stop_all(&tool->follow);
	if (!error && tool->follow.fault)
		return tool_take_fault(tool);
	tool->again = true;
	return error ? error : wt_agent_resume(&tool->follow);
}

/*
 * The runtime gives a queue up, and has stopped it: the next session's attach shows how it stands, whether there are waves or not.
 * After a fault of a wave that is what the fault has led to.
 */
static struct wt_error *tool_take_queue_error(struct wt_tool *tool,
					      const struct wt_host_queue_error *queue_error)
{
	tool->cause = "queue error";
	if (tool->delivered || tool->traces >= tool->options.traces) {
		wt_tool_requests_queue_error(&tool->requests, NULL);
		tool->answered(tool->opaque);
		return NULL;
	}
	wt_tool_note(tool->options.notes, WT_AGENT_NOTE_FAULT);
	tool_wait_for_code(tool);
	tool->queue_error = queue_error;
	tool->at_attach = true;
	tool->again = true;
	return wt_agent_resume(&tool->follow);
}

/* The program's thread goes on. */
static void tool_answer_queue_error(struct wt_tool *tool)
{
	if (!tool->queue_error)
		return;
	tool->queue_error = NULL;
	wt_tool_requests_queue_error(&tool->requests, NULL);
	tool->answered(tool->opaque);
}

/* ---- The session ---- */

static bool tool_is_restricted(const struct wt_tool *tool)
{
	return tool->follow.runtime_state == AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION;
}

/* The library says that there are events. */
static struct wt_error *tool_handle_events(struct wt_tool *tool)
{
	struct wt_error *error;
	bool any;

	if (!tool->delivered)
		wt_agent_client_look_for_code(&tool->follow.client);
	error = wt_agent_pump(&tool->follow, &any);
	if (error)
		return error;
	if (tool->follow.fault)
		return tool_take_fault(tool);
	if (tool->raised)
		return tool_take_exception(tool);
	return any ? wt_agent_resume(&tool->follow) : NULL;
}

/* The recording in memory is of use only with what comes after it: a new session begins where it has grown long. */
static bool tool_keeps_too_much(const struct wt_tool *tool)
{
	uint64_t stored = 0, raw = 0;

	if (atomic_load(&tool->recorder->recording))
		wt_writer_sizes(tool->recorder->writer, &stored, &raw);
	return stored > MEMORY_MAX;
}

/* The recorded library is asked past the recorder: calls that are made again and again do not belong in the journal. */
static bool tool_sees_hang(struct wt_tool *tool)
{
	struct wt_thread *thread = wt_thread_self();
	struct wt_recorder *recorder = tool->recorder;
	bool found;

	if (!tool->hang.after_ms || wt_clock_ms() < tool->hang.next_ms ||
	    !wt_thread_lock(thread, &recorder->lock, __builtin_frame_address(0)))
		return false;
	wt_own_begin();
	found = wt_tool_hang_check(&tool->hang, &recorder->api, tool->follow.client.process,
				   wt_clock_ms());
	wt_own_end();
	wt_thread_unlock(thread, &recorder->lock);
	return found;
}

static struct wt_error *tool_watch(struct wt_tool *tool)
{
	struct wt_error *error = NULL;

	while (!error && !tool->again && !atomic_load(&tool->requests.ends)) {
		const struct wt_host_queue_error *queue_error;
		int wait = tool->delivered ? -1 : wt_tool_hang_wait(&tool->hang, wt_clock_ms());

		if (wt_agent_wait(&tool->follow, tool->requests.wake, wait))
			error = tool_handle_events(tool);
		if (!error && wt_tool_requests_take(&tool->requests))
			error = tool_take_snapshot(tool, "snapshot");
		queue_error = atomic_load(&tool->requests.queue_error);
		if (!error && !tool->again && queue_error)
			error = tool_take_queue_error(tool, queue_error);
		if (!error && !tool->again && !tool->delivered && tool_sees_hang(tool))
			error = tool_take_snapshot(tool, "no queue has moved while work waits");
		tool->again |= !error && !tool->delivered && tool_keeps_too_much(tool);
	}
	return error;
}

/* If a GPU cannot, the program is watched as it is. */
static void tool_ask_for_precise_memory(struct wt_tool *tool)
{
	const struct wt_agent_client *client = &tool->follow.client;
	amd_dbgapi_status_t status;

	if (!tool->options.precise)
		return;
	status = client->api->set_memory_precision(client->process,
						   AMD_DBGAPI_MEMORY_PRECISION_PRECISE);
	if (status == AMD_DBGAPI_STATUS_SUCCESS || tool->options.precise_try ||
	    tool->told_imprecise)
		return;
	tool->told_imprecise = true;
	if (status == AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED)
		tool_complain(tool,
			      wt_error_create(WT_ERROR_UNSUPPORTED, "memory is not precise",
					      "precise", "not every GPU of this process can"));
	else
		tool_complain(tool, wt_agent_client_failed(
					    client, "amd_dbgapi_set_memory_precision", status));
}

/* Who is not watched must not be stopped: kernels trap from now on. */
static void tool_watched(struct wt_tool *tool)
{
	wt_tool_note(tool->options.notes, WT_AGENT_NOTE_WATCHED);
	if (tool->trapping && !tool->told_raised && !tool->delivered)
		wt_trapping_arm(tool->options.trap);
}

/* Does the library debug none of the GPUs that there are, as for their firmware? False also where it does not say. */
static bool tool_debugs_no_gpu(const struct wt_agent_client *client)
{
	amd_dbgapi_agent_id_t *agents = NULL;
	amd_dbgapi_agent_state_t state;
	size_t count = 0, supported = 0;

	if (client->api->process_agent_list(client->process, &count, &agents, NULL) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	for (size_t i = 0; i < count; i++)
		supported += client->api->agent_get_info(agents[i], AMD_DBGAPI_AGENT_INFO_STATE,
							 sizeof(state),
							 &state) != AMD_DBGAPI_STATUS_SUCCESS ||
			     state == AMD_DBGAPI_AGENT_STATE_SUPPORTED;
	free(agents);
	return count && !supported;
}

static struct wt_error *tool_follow(void *context)
{
	struct wt_tool *tool = context;
	struct wt_error *error = wt_agent_follow_begin(&tool->follow);
	bool any;

	if (!error)
		error = wt_agent_pump(&tool->follow, &any);
	if (!error && !tool_is_restricted(tool))
		tool_ask_for_precise_memory(tool);
	if (!error && tool_is_restricted(tool))
		return wt_error_create(WT_ERROR_UNSUPPORTED, "the GPU is not watched",
				       "the debugger library",
				       "it is restricted with this runtime or device: %s",
				       tool->follow.client.last_log);
	/* Waves of such a GPU that stop would wait for a debugger that does not see them. */
	if (!error && tool_debugs_no_gpu(&tool->follow.client))
		return wt_error_create(WT_ERROR_UNSUPPORTED, "the GPU is not watched",
				       "the debugger library",
				       "it debugs no GPU of this machine: their firmware or the "
				       "driver is too old: `wavetape doctor` says more");
	if (!error)
		tool_watched(tool);
	/* Waves may have stopped before, as with a session that begins anew. */
	if (!error && tool->follow.fault)
		error = tool_take_fault(tool);
	else if (!error && tool->raised)
		error = tool_take_exception(tool);
	else if (!error && tool->at_attach)
		error = tool_take_at_attach(tool);
	else if (!error && any)
		error = wt_agent_resume(&tool->follow);
	tool->ready(tool->opaque);
	return error ? error : tool_watch(tool);
}

/* The library that is recorded is called through this very object. */
static struct wt_error *load_self(struct wt_api *api_ret)
{
	static const char anchor;
	Dl_info info;

	if (!dladdr(&anchor, &info) || !info.dli_fname)
		return wt_error_create(WT_ERROR_INTERNAL, "the GPU is not watched", "wavetape",
				       "the tool does not find its own file");
	return wt_api_load(info.dli_fname, api_ret);
}

static struct wt_error *tool_begin_recording(struct wt_tool *tool)
{
	const char *library =
		tool->options.library ? tool->options.library : tool->variable("WAVETAPE_DBGAPI");
	const struct wt_recorder_options options = {
		.level = WT_SEARCH_LIVE_LEVEL,
		.library = library,
		.trace = "memory",
		.in_memory = true,
		.queue_error = tool->queue_error,
		.words = wt_options_parse(tool->variable("WAVETAPE_OPTIONS")),
		.allocations = tool->allocations,
	};

	tool->recorder = wt_recorder_begin(&options);
	if (tool->recorder->wrapped)
		return NULL;
	return wt_error_create(WT_ERROR_NOT_FOUND, "the GPU is not watched", "the recorder", "%s",
			       tool->recorder->failure ? tool_plain_failure(tool)
						       : "there is no memory");
}

/* One attach: until a trace was written, the program ends, or something fails. */
static struct wt_error *tool_run_session(struct wt_tool *tool)
{
	const struct wt_host_queue_error *begun_for = tool->queue_error;
	struct wt_error *error;
	struct wt_api api;

	tool->again = tool->raised = false;
	error = tool_begin_recording(tool);
	if (!error)
		error = load_self(&api);
	if (error)
		return error;
	tool->follow = (struct wt_agent_follow){
		.watches_runtime = true,
		.device_faults = tool->recorder->device_faults,
		.device_fault_room = WT_RECORDER_DEVICE_FAULTS,
		.device_fault_count = &tool->recorder->device_fault_count,
		.passing = tool->trapping ? WT_AGENT_ARITHMETIC_REASONS : 0,
		.pass = tool_note_raised,
		.client =
			{
				.api = &api,
				.what = "the GPU is not watched",
				.log_level = AMD_DBGAPI_LOG_LEVEL_WARNING,
				.context = tool,
				.query = AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID,
				.query_size = sizeof(amd_dbgapi_os_process_id_t),
				.answer = tool_give_process,
				.read = tool_read_memory,
				.takes_breakpoint = true,
				.follow = tool_follow,
			},
	};
	error = wt_agent_client_run(&tool->follow.client);
	wt_agent_follow_deinit(&tool->follow);
	if (tool->path) {
		tool_tell(tool, wt_recorder_end(tool->recorder, "finalized"));
		tool_drop_path(tool);
	}
	if (begun_for)
		tool_answer_queue_error(tool);
	return error;
}

/* Nothing is taken any more. */
static void tool_refuse_requests(struct wt_tool *tool)
{
	tool->queue_error = atomic_load(&tool->requests.queue_error);
	tool_answer_queue_error(tool);
	wt_tool_requests_answer(&tool->requests, NULL, 0, "the GPU is not watched");
}

/*
 * The library has failed, and the driver does not let the program go: nobody tells the runtime of a wave that stops, and the program would wait
 * for its kernel for ever. A driver that is itself again is told, and all is well. Else the program is ended where a wave is known to have
 * stopped, or where its queues stand, which is what such a program looks like from outside.
 */
static void tool_end_stranded(struct wt_tool *tool)
{
	struct wt_tool_hang hang = wt_tool_hang_start(STRANDED_MS, wt_clock_ms());
	int looks = 0;

	hang.look = tool->queues.look;
	while ((tool->follow.held || tool->follow.unheard) && !atomic_load(&tool->requests.ends)) {
		struct pollfd request = {.fd = tool->requests.wake, .events = POLLIN};

		if ((tool->follow.unheard && looks++ == STRANDED_LOOKS) ||
		    (hang.look &&
		     wt_tool_hang_check(&hang, NULL, tool->follow.client.process, wt_clock_ms()))) {
			if (!tool->options.quiet)
				wt_tool_say(
					"the program stands, and the driver lets nobody tell its "
					"runtime why: it is ended by SIGABRT");
			kill(getpid(), SIGABRT);
			return;
		}
		if (poll(&request, 1, STRANDED_LOOK_MS) > 0) {
			wt_tool_requests_take(&tool->requests);
			tool_refuse_requests(tool);
		}
		wt_error_destroy(wt_agent_deliver(&tool->follow));
	}
}

void wt_tool_run(struct wt_tool *tool)
{
	struct wt_error *error;
	bool failed;

	tool->hang = wt_tool_hang_start(tool->options.hang_after_ms, wt_clock_ms());
	do
		error = tool_run_session(tool);
	while (!error && tool->again && !atomic_load(&tool->requests.ends));
	wt_trapping_arm(0);
	failed = error && tool->follow.client.over;
	tool_complain(tool, error);
	/* That may end the program. */
	if (failed)
		wt_error_destroy(wt_agent_deliver(&tool->follow));
	tool_refuse_requests(tool);
	tool->ready(tool->opaque);
	if (failed)
		tool_end_stranded(tool);
}
