/* SPDX-License-Identifier: MIT */
/* Processes: attach and detach, what they are, and how they make progress. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "dbgapi/client/marshal.h"
#include "dbgapi/core/core.h"
#include "dbgapi/simulated/internal.h"

/* The client has the core's memory; it may give less than is asked for, or say that it has not kept what is there. */
static size_t core_transfer(void *opaque, uint64_t address, void *to, const void *from, size_t size)
{
	struct wt_api_process *process = opaque;
	amd_dbgapi_size_t done = size;

	if (!size)
		return 0;
	process->transferred = wt_provider.client.callbacks.xfer_global_memory(
		process->client, address, &done, to, from);
	if (process->transferred != AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	return done < size ? done : size;
}

/*
 * A callback may say that it read what it did not. No answer comes of bytes that nobody has set, and what is behind those that were
 * read stays as it is.
 */
static size_t process_read_core(void *opaque, uint64_t address, void *data, size_t size)
{
	wt_cleanup_free uint8_t *read = calloc(1, size ? size : 1);
	const struct wt_api_process *process = opaque;
	size_t done = 0, step;

	while (read && done < size &&
	       (step = core_transfer(opaque, address + done, read + done, NULL, size - done))) {
		done += step;
		if (process->asks_once)
			break;
	}
	if (read)
		memcpy(data, read, done);
	return done;
}

static size_t process_write_core(void *opaque, uint64_t address, const void *data, size_t size)
{
	return core_transfer(opaque, address, NULL, data, size);
}

/* A core without a usable note is a process in which there is nothing to see, as in AMD's library. */
static struct wt_error *parse_note(const amd_dbgapi_core_state_data_t *state,
				   struct wt_core_note *note)
{
	if (state->endianness != AMD_DBGAPI_ENDIAN_LITTLE)
		return wt_error_create(WT_ERROR_INPUT, "cannot read the core state", NULL,
				       "it is not little endian");
	return wt_core_note_parse(state->data, state->size, note);
}

static amd_dbgapi_status_t process_open_core(struct wt_api_process *process,
					     struct wt_core_note *note)
{
	const struct wt_memory_view memory = {
		.opaque = process,
		.read = process_read_core,
		.write = process_write_core,
	};
	wt_cleanup_error struct wt_error *error = NULL;

	error = wt_core_create(note, &memory, &process->device);
	if (!error)
		return AMD_DBGAPI_STATUS_SUCCESS;
	wt_client_log_error(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR, error);
	return AMD_DBGAPI_STATUS_FATAL;
}

/* Get the core state of a process from the client; false if it has none. */
static bool api_core_ask(const struct wt_api_process *process,
			 amd_dbgapi_core_state_data_t *state_ret)
{
	amd_dbgapi_core_state_data_t state = {0};

	if (wt_provider.client.callbacks.client_process_get_info(
		    process->client, AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE, sizeof(state),
		    &state) != AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	*state_ret = state;
	return true;
}

/* Make the device of a core. @state: its data is deallocated; NULL for a core without a note. */
static amd_dbgapi_status_t api_core_open(struct wt_api_process *process,
					 const amd_dbgapi_core_state_data_t *state)
{
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_core_note note = {0};
	amd_dbgapi_status_t status;

	if (state) {
		error = parse_note(state, &note);
		wt_provider.client.callbacks.deallocate_memory((void *)(uintptr_t)state->data);
	}
	if (error)
		wt_client_log_error(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_WARNING, error);
	if (error && error->code == WT_ERROR_UNSUPPORTED)
		return AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
	status = process_open_core(process, &note);
	wt_core_note_deinit(&note);
	return status;
}

/* RUNTIME comes first; then the events of all waves, which are there at once. */
static void api_core_start(struct wt_api_process *process)
{
	enum wt_core_access access = wt_core_access(process->device);

	if (access == WT_CORE_ACCESS_NONE)
		return;
	wt_event_queue(process, AMD_DBGAPI_EVENT_KIND_RUNTIME, NULL);
	if (access == WT_CORE_ACCESS_RESTRICTED && !process->out_of_memory)
		TAILQ_LAST(&process->queued, wt_api_event_queue)->runtime_state =
			AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION;
	process->device->operations->run(process->device, 0);
}

/*
 * Freezing needs the process to stand still: no progress, and no waves that start. What is frozen is
 * saved to its memory at once, so that the client finds it there. AMD's library answers FATAL to a
 * second freeze and to CORE_STATE of a process that is not frozen; the statuses here are those that
 * are documented.
 */
amd_dbgapi_status_t amd_dbgapi_process_freeze(amd_dbgapi_process_id_t process_id)
{
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_api_process *process;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = wt_process_find(process_id);
	if (!process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (process->progress != AMD_DBGAPI_PROGRESS_NO_FORWARD ||
	    process->wave_creation != AMD_DBGAPI_WAVE_CREATION_STOP)
		return AMD_DBGAPI_STATUS_ERROR_INCOMPATIBLE_PROCESS_STATE;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_ALREADY_FROZEN;
	wt_buffer_clear(&process->core_state);
	error = process->device->operations->save(process->device, (uint64_t)process->os_id,
						  &process->core_state);
	if (error) {
		wt_client_log_error(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR, error);
		return AMD_DBGAPI_STATUS_FATAL;
	}
	process->frozen = true;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t amd_dbgapi_process_unfreeze(amd_dbgapi_process_id_t process_id)
{
	struct wt_api_process *process;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = wt_process_find(process_id);
	if (!process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (!process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN;
	process->frozen = false;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* The result of AMD_DBGAPI_PROCESS_INFO_CORE_STATE. */
static amd_dbgapi_status_t api_core_state(const struct wt_api_process *process, size_t value_size,
					  void *value)
{
	size_t size = process->core_state.size;
	amd_dbgapi_status_t status;
	void *data = NULL;

	if (process->device->core)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (!process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN;
	if (!value)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (value_size != sizeof(amd_dbgapi_core_state_data_t))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	status = wt_client_allocate(&wt_provider.client, size, &data);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	memcpy(data, process->core_state.data, size);
	wt_marshal_core_state(value, AMD_DBGAPI_ENDIAN_LITTLE, data, size);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* Events that the client never got go too. */
void wt_process_destroy(struct wt_api_process *process)
{
	static const enum wt_object kinds[] = {
		WT_OBJECT_EVENT,       WT_OBJECT_WAVE,
		WT_OBJECT_WORKGROUP,   WT_OBJECT_DISPATCH,
		WT_OBJECT_QUEUE,       WT_OBJECT_AGENT,
		WT_OBJECT_CODE_OBJECT, WT_OBJECT_WATCHPOINT,
		WT_OBJECT_BREAKPOINT,  WT_OBJECT_DISPLACED_STEPPING,
	};

	if (process->device)
		process->device->operations->destroy(process->device);
	wt_stand_in_close(process);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		wt_remove_all(process, kinds[i]);
	wt_notifier_close(process);
	wt_buffer_deinit(&process->core_state);
	wt_remove(WT_OBJECT_PROCESS, &process->entry);
}

/*
 * The client is asked for the process id first, as AMD's library does. The simulated GPU belongs to
 * no process of the system, so a client that has none (NOT_AVAILABLE, as for a core file) is fine.
 */
static bool process_ask_os_id(struct wt_api_process *process)
{
	amd_dbgapi_status_t status = wt_provider.client.callbacks.client_process_get_info(
		process->client, AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID, sizeof(process->os_id),
		&process->os_id);

	process->has_os_id = status == AMD_DBGAPI_STATUS_SUCCESS;
	return process->has_os_id || status == AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
}

static struct wt_error *load_workload(struct wt_api_process *process)
{
	const char *path = wt_workload_path();
	struct wt_error *error;

	if (!path || !*path)
		return wt_error_create(
			WT_ERROR_USAGE, "cannot attach to a simulated GPU", "WAVETAPE_WORKLOAD",
			"the variable is not set: it names the workload file to run");
	error = wt_stand_in_open(process);
	if (!error)
		error = wt_simulated_create_shared(path, process->stand_in.shared.file,
						   &process->device);
	return error ? error : wt_stand_in_start(process);
}

static amd_dbgapi_status_t open_workload(struct wt_api_process *process)
{
	wt_cleanup_error struct wt_error *error = load_workload(process);

	if (!error)
		return AMD_DBGAPI_STATUS_SUCCESS;
	wt_client_log_error(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR, error);
	return AMD_DBGAPI_STATUS_ERROR_RESTRICTION;
}

/*
 * A process gets the workload, if one is named; else it is what the kernel driver knows of it. A client whose process has no id
 * may have a core of it. One that has neither gets the workload, or,
 * if there is none, what AMD's library makes of a core without a note: a process without anything.
 */
static amd_dbgapi_status_t open_device(struct wt_api_process *process)
{
	amd_dbgapi_core_state_data_t state;
	const char *path = wt_workload_path();

	if (process->has_os_id)
		return (!path || !*path) && wt_live_is_possible() ? wt_live_open(process)
								  : open_workload(process);
	if (api_core_ask(process, &state))
		return api_core_open(process, &state);
	return path && *path ? open_workload(process) : api_core_open(process, NULL);
}

static amd_dbgapi_status_t process_open(struct wt_api_process *process)
{
	amd_dbgapi_status_t status;

	if (!process_ask_os_id(process) || !wt_notifier_create(process))
		return AMD_DBGAPI_STATUS_ERROR;
	status = open_device(process);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (!wt_device_open(process))
		return AMD_DBGAPI_STATUS_FATAL;
	if (process->device->core) {
		api_core_start(process);
		return process->out_of_memory ? AMD_DBGAPI_STATUS_FATAL : AMD_DBGAPI_STATUS_SUCCESS;
	}
	if (process->device->live) {
		process->device->live->start(process->device);
		return wt_live_has_failed(process) || process->out_of_memory
			       ? AMD_DBGAPI_STATUS_FATAL
			       : AMD_DBGAPI_STATUS_SUCCESS;
	}
	wt_breakpoint_insert(process);
	wt_event_queue(process, AMD_DBGAPI_EVENT_KIND_RUNTIME, NULL);
	if (process->device->operations->begin && !wt_stand_in_is_held(process))
		process->device->operations->begin(process->device);
	return process->out_of_memory ? AMD_DBGAPI_STATUS_FATAL : AMD_DBGAPI_STATUS_SUCCESS;
}

static bool client_is_attached(amd_dbgapi_client_process_id_t client)
{
	struct wt_api_process *process = NULL;

	while ((process = wt_next_process(AMD_DBGAPI_PROCESS_NONE, process)))
		if (process->client == client)
			return true;
	return false;
}

static struct wt_api_process *create_process(amd_dbgapi_client_process_id_t client)
{
	struct wt_api_process *process = wt_create(NULL, WT_OBJECT_PROCESS, 0, sizeof(*process));

	if (!process)
		return NULL;
	process->entry.process = process;
	process->client = client;
	process->notifier[0] = process->notifier[1] = -1;
	process->stand_in.memory = process->stand_in.shared.file = -1;
	TAILQ_INIT(&process->queued);
	for (size_t kind = 0; kind < WT_OBJECT_COUNT; kind++)
		TAILQ_INIT(&process->objects[kind]);
	return process;
}

static void log_attached(const struct wt_api_process *process)
{
	const struct wt_device *device = process->device;

	if (device->live)
		wt_client_log(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_INFO,
			      "process %" PRIu64 " is process %ld, by the kernel driver",
			      process->entry.handle, (long)process->os_id);
	else
		wt_client_log(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_INFO,
			      "process %" PRIu64 " is attached to a %s%s", process->entry.handle,
			      device->core ? "GPU core dump" : "simulated GPU that runs ",
			      device->core ? "" : wt_workload_path());
}

/*
 * Without a kernel driver, or if the variable is set, each process gets a GPU of its own that runs the workload of
 * WAVETAPE_WORKLOAD. A workload that
 * cannot be loaded is ERROR_RESTRICTION, with a message of level FATAL_ERROR that says what, where
 * and why. At return its first dispatches have begun, as those of a program that runs: their waves are listed, and execute
 * nothing before the RUNTIME event was processed.
 */
amd_dbgapi_status_t amd_dbgapi_process_attach(amd_dbgapi_client_process_id_t client_process_id,
					      amd_dbgapi_process_id_t *process_id)
{
	struct wt_api_process *process;
	amd_dbgapi_status_t status;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!client_process_id || !process_id)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (client_is_attached(client_process_id))
		return AMD_DBGAPI_STATUS_ERROR_ALREADY_ATTACHED;
	process = create_process(client_process_id);
	if (!process)
		return AMD_DBGAPI_STATUS_FATAL;
	status = process_open(process);
	if (status != AMD_DBGAPI_STATUS_SUCCESS) {
		wt_process_destroy(process);
		return status;
	}
	log_attached(process);
	process_id->handle = process->entry.handle;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t amd_dbgapi_process_detach(amd_dbgapi_process_id_t process_id)
{
	struct wt_api_process *process;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = wt_process_find(process_id);
	if (!process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	wt_live_leave(process);
	wt_breakpoint_remove(process);
	wt_process_destroy(process);
	wt_client_log(&wt_provider.client, AMD_DBGAPI_LOG_LEVEL_INFO,
		      "process %" PRIu64 " is detached", process_id.handle);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* Abilities that all agents that can be debugged have in common. */
struct abilities {
	size_t watchpoint_count;
	enum wt_watch_sharing sharing;
	bool precise_memory, precise_alu_exceptions;
};

/* Agents that share watchpoints outweigh those that do not, and those without any outweigh both. */
static enum wt_watch_sharing join_sharing(enum wt_watch_sharing a, enum wt_watch_sharing b)
{
	if (a == WT_WATCH_UNSUPPORTED || b == WT_WATCH_UNSUPPORTED)
		return WT_WATCH_UNSUPPORTED;
	return a == WT_WATCH_SHARED || b == WT_WATCH_SHARED ? WT_WATCH_SHARED : WT_WATCH_UNSHARED;
}

static struct abilities find_abilities(struct wt_api_process *process)
{
	struct abilities found = {0};
	bool first = true;

	for (struct wt_api_agent *agent = NULL;
	     (agent = wt_next(process, WT_OBJECT_AGENT, agent));) {
		const struct wt_device_agent *device = agent->device;

		if (!device->supported)
			continue;
		if (first)
			found = (struct abilities){device->watchpoint_count, device->watch_sharing,
						   true, true};
		first = false;
		if (device->watchpoint_count < found.watchpoint_count)
			found.watchpoint_count = device->watchpoint_count;
		found.sharing = join_sharing(found.sharing, device->watch_sharing);
		found.precise_memory &= device->precise_memory;
		found.precise_alu_exceptions &= device->precise_alu_exceptions;
	}
	return found;
}

bool wt_process_can_watch(struct wt_api_process *process)
{
	return find_abilities(process).sharing != WT_WATCH_UNSUPPORTED;
}

/* The bits that an address of any space can have on any of the agents; 0 without one. */
static uint64_t significant_bits(struct wt_api_process *process)
{
	uint64_t bits = 0;

	for (struct wt_api_agent *agent = NULL; (agent = wt_next(process, WT_OBJECT_AGENT, agent));)
		bits |= agent->device->local_base | agent->device->private_base | UINT32_MAX |
			WT_DEVICE_LAST_ADDRESS;
	return bits;
}

amd_dbgapi_status_t amd_dbgapi_process_get_info(amd_dbgapi_process_id_t process_id,
						amd_dbgapi_process_info_t query, size_t value_size,
						void *value)
{
	struct wt_api_process *process;
	amd_dbgapi_segment_address_t bits;
	struct abilities abilities;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = wt_process_find(process_id);
	if (!process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	abilities = find_abilities(process);
	switch ((uint32_t)query) {
	case AMD_DBGAPI_PROCESS_INFO_NOTIFIER:
		return wt_answer(value_size, value, &process->notifier[0],
				 sizeof(process->notifier[0]));
	case AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT:
		return wt_answer(value_size, value, &abilities.watchpoint_count, sizeof(size_t));
	case AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_SHARE:
		return wt_answer_u32(value_size, value, abilities.sharing);
	case AMD_DBGAPI_PROCESS_INFO_PRECISE_MEMORY_SUPPORTED:
		return wt_answer_u32(value_size, value,
				     abilities.precise_memory ? AMD_DBGAPI_MEMORY_PRECISION_PRECISE
							      : AMD_DBGAPI_MEMORY_PRECISION_NONE);
	case AMD_DBGAPI_PROCESS_INFO_PRECISE_ALU_EXCEPTIONS_SUPPORTED:
		return wt_answer_u32(value_size, value,
				     abilities.precise_alu_exceptions
					     ? AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE
					     : AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_NONE);
	case AMD_DBGAPI_PROCESS_INFO_OS_ID:
		if (!process->has_os_id)
			return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
		return wt_answer(value_size, value, &process->os_id, sizeof(process->os_id));
	case AMD_DBGAPI_PROCESS_INFO_CORE_STATE:
		return api_core_state(process, value_size, value);
	case AMD_DBGAPI_PROCESS_INFO_SIGNIFICANT_ADDRESS_BITS:
		bits = significant_bits(process);
		return wt_answer(value_size, value, &bits, sizeof(bits));
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

/*
 * A process that may go on does so at once, for one slice, unless there are events to be fetched: what they tell of is still to be
 * there then. A core cannot, which is fatal to it, once. Return: whether all went well.
 */
static bool process_set_progress(struct wt_api_process *process, amd_dbgapi_progress_t progress)
{
	const bool was_broken = process->broken;
	bool released = process->progress == AMD_DBGAPI_PROGRESS_NO_FORWARD &&
			progress == AMD_DBGAPI_PROGRESS_NORMAL;

	wt_live_set_progress(process, progress);
	process->progress = progress;
	if (released && process->device->core)
		process->broken = true;
	else if (released && !process->device->live && TAILQ_EMPTY(&process->queued))
		wt_device_slice(process);
	return process->broken == was_broken;
}

amd_dbgapi_status_t amd_dbgapi_process_set_progress(amd_dbgapi_process_id_t process_id,
						    amd_dbgapi_progress_t progress)
{
	struct wt_api_process *process = NULL;
	bool complete = true;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (progress != AMD_DBGAPI_PROGRESS_NORMAL && progress != AMD_DBGAPI_PROGRESS_NO_FORWARD)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (process_id.handle != AMD_DBGAPI_PROCESS_NONE.handle && !wt_process_find(process_id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	while ((process = wt_next_process(process_id, process)))
		if (process->frozen)
			return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	while ((process = wt_next_process(process_id, process))) {
		complete = process_set_progress(process, progress) && complete &&
			   !process->out_of_memory && !wt_live_has_failed(process);
	}
	return complete ? AMD_DBGAPI_STATUS_SUCCESS : AMD_DBGAPI_STATUS_FATAL;
}

amd_dbgapi_status_t amd_dbgapi_process_set_wave_creation(amd_dbgapi_process_id_t process_id,
							 amd_dbgapi_wave_creation_t creation)
{
	struct wt_api_process *process;
	bool stopped;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = wt_process_find(process_id);
	if (!process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if (creation != AMD_DBGAPI_WAVE_CREATION_NORMAL &&
	    creation != AMD_DBGAPI_WAVE_CREATION_STOP)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (process->device->core)
		return creation == AMD_DBGAPI_WAVE_CREATION_STOP ? AMD_DBGAPI_STATUS_FATAL
								 : AMD_DBGAPI_STATUS_SUCCESS;
	stopped = process->wave_creation == AMD_DBGAPI_WAVE_CREATION_STOP;
	process->wave_creation = creation;
	if (process->device->live)
		process->device->live->halt_launches(process->device,
						     creation == AMD_DBGAPI_WAVE_CREATION_STOP);
	if (creation == AMD_DBGAPI_WAVE_CREATION_NORMAL) {
		/* Waves that were halted since the client looked last have to be found before they can go on. */
		if (stopped)
			wt_live_look(process, WT_OBJECT_WAVE);
		wt_device_release_waves(process);
	}
	return wt_live_status(process, AMD_DBGAPI_STATUS_SUCCESS);
}

/*
 * At first an instruction that faults stops its wave and changes nothing. When the client has set
 * PRECISE, the wave stands right behind it, as on GPUs that do not repeat accesses (XNACK is off).
 * When it has set NONE, the wave goes on behind it until it comes to wait for memory, or for a few
 * instructions. A process without agents, as when its program is over, can
 * not be made precise.
 */
amd_dbgapi_status_t amd_dbgapi_set_memory_precision(amd_dbgapi_process_id_t process_id,
						    amd_dbgapi_memory_precision_t memory_precision)
{
	struct wt_api_process *process;
	bool precise;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = wt_process_find(process_id);
	if (!process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (memory_precision != AMD_DBGAPI_MEMORY_PRECISION_NONE &&
	    memory_precision != AMD_DBGAPI_MEMORY_PRECISION_PRECISE)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	precise = memory_precision == AMD_DBGAPI_MEMORY_PRECISION_PRECISE;
	/* A process whose GPUs are gone can stay as it is, and cannot change, as with AMD's library. */
	if (precise != process->precise_memory && !find_abilities(process).precise_memory)
		return AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED;
	if (process->device->core)
		return precise ? AMD_DBGAPI_STATUS_FATAL : AMD_DBGAPI_STATUS_SUCCESS;
	process->precise_memory = precise;
	process->device->operations->set_precise_memory(process->device, precise);
	return wt_live_status(process, AMD_DBGAPI_STATUS_SUCCESS);
}

/*
 * The simulated GPU has, as gfx942, no mode of precise exceptions to switch on: its exceptions always stop a wave right
 * behind the instruction. Of programs that a kernel driver serves, those on gfx12 have one.
 */
amd_dbgapi_status_t amd_dbgapi_set_alu_exceptions_precision(
	amd_dbgapi_process_id_t process_id,
	amd_dbgapi_alu_exceptions_precision_t alu_exceptions_precision)
{
	struct wt_api_process *process;
	bool precise;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = wt_process_find(process_id);
	if (!process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (alu_exceptions_precision != AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_NONE &&
	    alu_exceptions_precision != AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	precise = alu_exceptions_precision == AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE;
	if (precise != process->precise_alu && !find_abilities(process).precise_alu_exceptions)
		return AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED;
	if (process->device->core)
		return precise ? AMD_DBGAPI_STATUS_FATAL : AMD_DBGAPI_STATUS_SUCCESS;
	process->precise_alu = precise;
	if (process->device->live)
		process->device->live->set_precise_alu(process->device, precise);
	return wt_live_status(process, AMD_DBGAPI_STATUS_SUCCESS);
}
