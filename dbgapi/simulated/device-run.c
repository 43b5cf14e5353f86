/* SPDX-License-Identifier: MIT */
/* The device: when it runs, and what of its doings becomes objects and events of the client. */
#include "dbgapi/simulated/internal.h"

/* Instructions of all waves together; some tenths of a second. */
#define SLICE_BUDGET 2000000

static void *run_create_object(struct wt_api_process *process, enum wt_object kind, uint32_t number,
			       size_t size)
{
	void *object = wt_create(process, kind, number, size);

	if (!object)
		process->out_of_memory = true;
	return object;
}

static void run_dispatch_created(void *opaque, struct wt_device_dispatch *device)
{
	struct wt_api_process *process = opaque;
	struct wt_api_queue *queue =
		wt_find_number(process, WT_OBJECT_QUEUE, device->queue->number);
	struct wt_api_dispatch *dispatch;

	/* Waves that do not tell their dispatch have the null one. */
	if (device->unknown)
		dispatch = wt_create_nameless(process, WT_OBJECT_DISPATCH, device->number,
					      sizeof(*dispatch));
	else
		dispatch =
			wt_create(process, WT_OBJECT_DISPATCH, device->number, sizeof(*dispatch));
	if (!dispatch) {
		process->out_of_memory = true;
		return;
	}
	dispatch->device = device;
	dispatch->queue = queue;
}

/* Without memory for a dispatch, what belongs to it is not told either. */
static void workgroup_created(void *opaque, struct wt_device_workgroup *device)
{
	struct wt_api_process *process = opaque;
	struct wt_api_dispatch *dispatch =
		wt_find_number(process, WT_OBJECT_DISPATCH, device->dispatch->number);
	struct wt_api_workgroup *workgroup = NULL;

	if (dispatch)
		workgroup = run_create_object(process, WT_OBJECT_WORKGROUP, device->number,
					      sizeof(*workgroup));
	if (!workgroup)
		return;
	workgroup->device = device;
	workgroup->dispatch = dispatch;
}

/* While wave creation is stopped, a new wave waits at its first instruction, unseen. */
static void hide(struct wt_api_process *process, struct wt_api_wave *wave, bool changed)
{
	wave->entry.hidden = true;
	wave->device->halted_at_launch = true;
	process->changed[WT_OBJECT_WAVE] = changed;
	process->device->operations->wave_halt(process->device, wave->device);
}

static void run_wave_created(void *opaque, struct wt_device_wave *device)
{
	struct wt_api_process *process = opaque;
	struct wt_api_workgroup *workgroup =
		wt_find_number(process, WT_OBJECT_WORKGROUP, device->workgroup->number);
	bool changed = process->changed[WT_OBJECT_WAVE];
	struct wt_api_wave *wave = NULL;

	if (workgroup)
		wave = run_create_object(process, WT_OBJECT_WAVE, device->number, sizeof(*wave));
	device->client = wave;
	if (!wave)
		return;
	wave->device = device;
	wave->workgroup = workgroup;
	/* A wave of a live process may have begun before launches were stopped: its device knows. */
	if (device->halted_at_launch ||
	    (process->wave_creation == AMD_DBGAPI_WAVE_CREATION_STOP && !process->device->live))
		hide(process, wave, changed);
}

static void run_wave_stopped(void *opaque, struct wt_device_wave *device)
{
	struct wt_api_wave *wave = device->client;

	if (wave)
		wt_event_queue(opaque, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, wave);
}

/*
 * A client that told a wave to step or to stop waits for an event of it. If the wave is gone before the client was given one, the client
 * learns that its command was cut short. An event of a stop which the client does not wait for is taken back: debuggers ask of each
 * stop why the wave stands, and end where there is no such wave. (AMD's library returns such an event, of a wave that is no more.)
 */
static void wave_terminated(void *opaque, struct wt_device_wave *device, bool stepping)
{
	struct wt_api_process *process = opaque;
	struct wt_api_wave *wave = device->client;
	struct wt_api_event *untold;
	bool commanded;

	if (!wave)
		return;
	untold = wave->stop && !wave->stop->reported ? wave->stop : NULL;
	commanded = stepping || wave->stop_requested ||
		    wt_wave_state(wave) == AMD_DBGAPI_WAVE_STATE_SINGLE_STEP;
	if (untold && commanded)
		untold->kind = AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED;
	else if (untold)
		wt_event_drop(untold);
	else if (commanded)
		wt_event_queue(process, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED, wave);
	device->client = NULL;
	wt_displaced_release(wave);
	wt_remove(WT_OBJECT_WAVE, &wave->entry);
}

static void workgroup_ended(void *opaque, struct wt_device_workgroup *device)
{
	struct wt_api_workgroup *workgroup =
		wt_find_number(opaque, WT_OBJECT_WORKGROUP, device->number);

	if (workgroup)
		wt_remove(WT_OBJECT_WORKGROUP, &workgroup->entry);
}

static void dispatch_ended(void *opaque, struct wt_device_dispatch *device)
{
	struct wt_api_dispatch *dispatch =
		wt_find_number(opaque, WT_OBJECT_DISPATCH, device->number);

	if (dispatch)
		wt_remove(WT_OBJECT_DISPATCH, &dispatch->entry);
}

static void run_message(void *opaque, bool warning, const char *text)
{
	(void)opaque;
	wt_client_log(&wt_provider.client,
		      warning ? AMD_DBGAPI_LOG_LEVEL_WARNING : AMD_DBGAPI_LOG_LEVEL_INFO, "%s",
		      text);
}

static void code_object_changed(void *opaque, const struct wt_device_code_object *device)
{
	struct wt_api_process *process = opaque;
	struct wt_api_code_object *object =
		wt_find_number(process, WT_OBJECT_CODE_OBJECT, device->number);

	if (!device->loaded && object)
		wt_remove(WT_OBJECT_CODE_OBJECT, &object->entry);
	if (!device->loaded || object)
		return;
	object = run_create_object(process, WT_OBJECT_CODE_OBJECT, device->number, sizeof(*object));
	if (object)
		object->device = device;
}

/* Nobody waits for what waves do in a program that is gone. */
static void process_forget_waves(struct wt_api_process *process)
{
	struct wt_api_wave *wave = NULL;

	while ((wave = wt_next(process, WT_OBJECT_WAVE, wave))) {
		if (wave->stop && !wave->stop->reported)
			wt_event_drop(wave->stop);
		wt_displaced_release(wave);
		wave->device->client = NULL;
	}
	wt_remove_all(process, WT_OBJECT_WAVE);
	wt_remove_all(process, WT_OBJECT_WORKGROUP);
	wt_remove_all(process, WT_OBJECT_DISPATCH);
}

/*
 * A runtime that is unloaded takes code objects, queues and breakpoint with it and says so. A
 * program that is gone says nothing: its lists are empty from now on.
 */
static void program_ended(void *opaque, bool exited)
{
	struct wt_api_process *process = opaque;
	struct wt_api_event *event;

	if (exited)
		process_forget_waves(process);
	wt_remove_all(process, WT_OBJECT_CODE_OBJECT);
	wt_remove_all(process, WT_OBJECT_QUEUE);
	if (exited) {
		wt_remove_all(process, WT_OBJECT_AGENT);
		wt_remove_all(process, WT_OBJECT_BREAKPOINT);
		process->runtime_ready = false;
		return;
	}
	wt_breakpoint_remove(process);
	event = wt_event_create(process, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	if (!event)
		return;
	event->runtime_state = AMD_DBGAPI_RUNTIME_STATE_UNLOADED;
	wt_event_enqueue(event);
}

static void queue_created(void *opaque, struct wt_device_queue *device)
{
	struct wt_api_process *process = opaque;
	struct wt_api_queue *queue =
		run_create_object(process, WT_OBJECT_QUEUE, device->number, sizeof(*queue));

	if (!queue)
		return;
	queue->device = device;
	queue->agent = wt_find_number(process, WT_OBJECT_AGENT, device->agent->number);
}

static void queue_ended(void *opaque, struct wt_device_queue *device)
{
	struct wt_api_queue *queue = wt_find_number(opaque, WT_OBJECT_QUEUE, device->number);

	if (queue)
		wt_remove(WT_OBJECT_QUEUE, &queue->entry);
}

/* Without its breakpoint a client would not learn of code objects that come and go. */
static bool runtime_loaded(void *opaque, bool restricted)
{
	struct wt_api_process *process = opaque;
	bool inserted = restricted || wt_breakpoint_insert(process);
	struct wt_api_event *event = wt_event_create(process, AMD_DBGAPI_EVENT_KIND_RUNTIME);

	if (!event)
		return false;
	if (restricted || !inserted)
		event->runtime_state = AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION;
	wt_event_enqueue(event);
	return inserted;
}

static bool open_agents(struct wt_api_process *process)
{
	const struct wt_device_operations *operations = process->device->operations;

	for (size_t i = 0; i < operations->agent_count(process->device); i++) {
		const struct wt_device_agent *device = operations->agent(process->device, i);
		struct wt_api_agent *agent =
			wt_create(process, WT_OBJECT_AGENT, device->number, sizeof(*agent));

		if (!agent)
			return false;
		agent->device = device;
	}
	return true;
}

static bool process_open_queues(struct wt_api_process *process)
{
	const struct wt_device_operations *operations = process->device->operations;

	for (size_t i = 0; i < operations->queue_count(process->device); i++) {
		const struct wt_device_queue *device = operations->queue(process->device, i);
		struct wt_api_queue *queue =
			wt_create(process, WT_OBJECT_QUEUE, device->number, sizeof(*queue));

		if (!queue)
			return false;
		queue->device = device;
		queue->agent = wt_find_number(process, WT_OBJECT_AGENT, device->agent->number);
	}
	return true;
}

bool wt_device_show_code(struct wt_api_process *process)
{
	const struct wt_device_operations *operations = process->device->operations;

	for (size_t i = 0; i < operations->code_object_count(process->device); i++) {
		const struct wt_device_code_object *object =
			operations->code_object(process->device, i);

		if (object->loaded)
			code_object_changed(process, object);
	}
	return !process->out_of_memory;
}

bool wt_device_open(struct wt_api_process *process)
{
	const struct wt_device_listener listener = {
		.opaque = process,
		.dispatch_created = run_dispatch_created,
		.workgroup_created = workgroup_created,
		.wave_created = run_wave_created,
		.wave_stopped = run_wave_stopped,
		.wave_terminated = wave_terminated,
		.workgroup_ended = workgroup_ended,
		.dispatch_ended = dispatch_ended,
		.code_object_changed = code_object_changed,
		.program_ended = program_ended,
		.message = run_message,
		.queue_created = queue_created,
		.queue_ended = queue_ended,
		.runtime_loaded = runtime_loaded,
	};

	process->device->operations->set_listener(process->device, &listener);
	return open_agents(process) && process_open_queues(process) &&
	       (wt_stand_in_is_held(process) || wt_device_show_code(process));
}

/* Fails the queues whose exception the debugger lets through, as the runtime does. */
static void abort_queues(struct wt_api_process *process)
{
	for (struct wt_api_queue *queue = NULL;
	     (queue = wt_next(process, WT_OBJECT_QUEUE, queue));) {
		if (!queue->aborting)
			continue;
		queue->aborting = false;
		process->device->operations->queue_abort(process->device, queue->device);
	}
}

void wt_device_slice(struct wt_api_process *process)
{
	struct wt_device *device = process->device;
	enum wt_device_progress progress;

	if (device->live) {
		device->operations->run(device, 0);
		return;
	}
	if (!process->runtime_ready || process->progress != AMD_DBGAPI_PROGRESS_NORMAL ||
	    wt_stand_in_is_held(process))
		return;
	abort_queues(process);
	progress = device->operations->run(device, SLICE_BUDGET);
	if (progress == WT_DEVICE_RUNNING)
		wt_notifier_mark(process);
	wt_stand_in_ran(process, progress == WT_DEVICE_IDLE);
}

void wt_device_release_waves(struct wt_api_process *process)
{
	for (struct wt_api_wave *wave = NULL; (wave = wt_next(process, WT_OBJECT_WAVE, wave));) {
		if (!wave->entry.hidden)
			continue;
		wave->entry.hidden = false;
		wave->device->halted_at_launch = false;
		process->changed[WT_OBJECT_WAVE] = true;
		process->device->operations->wave_resume(process->device, wave->device, false);
	}
	wt_notifier_mark(process);
}
