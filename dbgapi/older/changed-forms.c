/* SPDX-License-Identifier: MIT */
/* Functions whose older form differs from today's in more than numbers and parameters that are gone. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "dbgapi/table/api-functions.h"
#include "older-wrappers.h"

/*
 * ---- State: the older form has to remember the client's callbacks, and the attached processes. The API has no context parameter, so
 * there is one of it for each library. ----
 */

struct process {
	struct wt_older_attached attached;
	LIST_ENTRY(process) link;
};

static struct {
	pthread_mutex_t lock;
	bool initialized;
	struct wt_older_callbacks client;
	uint64_t libraries; /* handles given out */
	LIST_HEAD(, process) processes;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The callbacks of the client. Valid while the library is initialized. */
static const struct wt_older_callbacks *older_client(void)
{
	return &state.client;
}

static bool older_is_initialized(void)
{
	bool initialized;

	pthread_mutex_lock(&state.lock);
	initialized = state.initialized;
	pthread_mutex_unlock(&state.lock);
	return initialized;
}

static struct process *process_find(amd_dbgapi_process_id_t process_id,
				    amd_dbgapi_client_process_id_t client)
{
	struct process *process;

	LIST_FOREACH(process, &state.processes, link)
	{
		if (process_id.handle ? process->attached.process_id.handle == process_id.handle
				      : process->attached.client == client)
			return process;
	}
	return NULL;
}

/* Forget a process or, if the handle is 0, any one; false if there is none. */
static bool older_remove(amd_dbgapi_process_id_t process_id, struct wt_older_attached *attached_ret)
{
	struct process *process;

	pthread_mutex_lock(&state.lock);
	process = process_id.handle ? process_find(process_id, NULL) : LIST_FIRST(&state.processes);
	if (process) {
		*attached_ret = process->attached;
		LIST_REMOVE(process, link);
	}
	pthread_mutex_unlock(&state.lock);
	free(process);
	return process;
}

/* Note that the library was initialized or finalized. Forgets all processes. */
static void older_set_initialized(bool initialized)
{
	struct wt_older_attached attached;

	while (older_remove((amd_dbgapi_process_id_t){0}, &attached))
		;
	pthread_mutex_lock(&state.lock);
	state.initialized = initialized;
	pthread_mutex_unlock(&state.lock);
}

/* Add a process that is being attached; false if there is no memory. */
static bool older_add(amd_dbgapi_client_process_id_t client, struct wt_older_attached *attached_ret)
{
	struct process *process = calloc(1, sizeof(*process));

	if (!process)
		return false;
	pthread_mutex_lock(&state.lock);
	process->attached.client = client;
	process->attached.library.handle = ++state.libraries;
	LIST_INSERT_HEAD(&state.processes, process, link);
	*attached_ret = process->attached;
	pthread_mutex_unlock(&state.lock);
	return true;
}

/* Note that it was attached or, if the handle is 0, that attaching failed; then it is forgotten. */
static void older_added(struct wt_older_shared_library library, amd_dbgapi_process_id_t process_id)
{
	struct process *process, *next;

	pthread_mutex_lock(&state.lock);
	for (process = LIST_FIRST(&state.processes); process; process = next) {
		next = LIST_NEXT(process, link);
		if (process->attached.library.handle != library.handle)
			continue;
		process->attached.process_id = process_id;
		if (!process_id.handle) {
			LIST_REMOVE(process, link);
			free(process);
		}
	}
	pthread_mutex_unlock(&state.lock);
}

/* Find a process by its handle or, if that is 0, the newest one by its client id; false if there is none. */
static bool older_find(amd_dbgapi_process_id_t process_id, amd_dbgapi_client_process_id_t client,
		       struct wt_older_attached *attached_ret)
{
	const struct process *process;

	pthread_mutex_lock(&state.lock);
	process = process_find(process_id, client);
	if (process)
		*attached_ret = process->attached;
	pthread_mutex_unlock(&state.lock);
	return process;
}

bool wt_older_only_process(void)
{
	const struct process *first;
	bool only;

	pthread_mutex_lock(&state.lock);
	first = LIST_FIRST(&state.processes);
	only = first && !LIST_NEXT(first, link);
	pthread_mutex_unlock(&state.lock);
	return only;
}

int wt_older_process(amd_dbgapi_process_id_t process_id)
{
	struct wt_older_attached attached;

	if (!older_is_initialized())
		return WT_OLDER_NOT_INITIALIZED;
	if (!process_id.handle || !older_find(process_id, NULL, &attached))
		return WT_OLDER_INVALID_PROCESS_ID;
	return WT_OLDER_SUCCESS;
}

int wt_older_architecture(amd_dbgapi_architecture_id_t architecture_id)
{
	uint32_t machine;

	return wt_older_status(amd_dbgapi_architecture_get_info(
		architecture_id, AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE, sizeof(machine),
		&machine));
}

int wt_older_gone(int status)
{
	return status ? status : WT_OLDER_UNIMPLEMENTED;
}

/* ---- Callbacks ---- */

WT_OLDER_CALLS_CLIENT static amd_dbgapi_status_t
older_process_get_info(amd_dbgapi_client_process_id_t client_process_id,
		       amd_dbgapi_client_process_info_t query, size_t value_size, void *value)
{
	if (query == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || !value)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (value_size != sizeof(pid_t))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	return wt_older_callback_status(state.client.get_os_pid(client_process_id, value));
}

WT_OLDER_CALLS_CLIENT static amd_dbgapi_status_t
older_insert_breakpoint(amd_dbgapi_client_process_id_t client_process_id,
			amd_dbgapi_global_address_t address,
			amd_dbgapi_breakpoint_id_t breakpoint_id)
{
	struct wt_older_attached attached;

	if (!older_find((amd_dbgapi_process_id_t){0}, client_process_id, &attached))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_CLIENT_PROCESS_ID;
	return wt_older_callback_status(state.client.insert_breakpoint(
		client_process_id, attached.library, address, breakpoint_id));
}

WT_OLDER_CALLS_CLIENT static amd_dbgapi_status_t
older_remove_breakpoint(amd_dbgapi_client_process_id_t client_process_id,
			amd_dbgapi_breakpoint_id_t breakpoint_id)
{
	return wt_older_callback_status(
		state.client.remove_breakpoint(client_process_id, breakpoint_id));
}

amd_dbgapi_status_t wt_older_no_memory(amd_dbgapi_client_process_id_t client_process_id,
				       amd_dbgapi_global_address_t address,
				       amd_dbgapi_size_t *value_size, void *read_buffer,
				       const void *write_buffer)
{
	(void)client_process_id;
	(void)address;
	(void)value_size;
	(void)read_buffer;
	(void)write_buffer;
	return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

WT_OLDER_CALLS_CLIENT static void older_log_message(amd_dbgapi_log_level_t level,
						    const char *message)
{
	state.client.log_message(wt_older_then_log_level((uint32_t)level), message);
}

/* Keep the client's callbacks. @callbacks_ret: callbacks of today's form that call them. */
static void older_keep_callbacks(const struct wt_older_callbacks *client,
				 amd_dbgapi_callbacks_t *callbacks_ret)
{
	bool whole = client->get_os_pid && client->enable_notify_shared_library &&
		     client->disable_notify_shared_library && client->get_symbol_address &&
		     client->insert_breakpoint && client->remove_breakpoint && client->log_message;

	state.client = *client;
	/* One that is missing is refused by the provider, in its own order of checks. */
	*callbacks_ret = (amd_dbgapi_callbacks_t){
		.allocate_memory = client->allocate_memory,
		.deallocate_memory = client->deallocate_memory,
		.client_process_get_info = whole ? older_process_get_info : NULL,
		.insert_breakpoint = older_insert_breakpoint,
		.remove_breakpoint = older_remove_breakpoint,
		.xfer_global_memory = wt_older_no_memory,
		.log_message = older_log_message,
	};
}

/* The runtime. Today's libraries look for it themselves; a client of the older form reported its loading. */
#define RUNTIME_LIBRARY "libhsa-runtime64.so.1"

static const struct wt_older_calls exported = {
	.set_watchpoint = amd_dbgapi_set_watchpoint,
	.watchpoint_get_info = amd_dbgapi_watchpoint_get_info,
	.remove_watchpoint = amd_dbgapi_remove_watchpoint,
	.address_space_get_info = amd_dbgapi_address_space_get_info,
};

/* ---- Library ---- */

int wt_older_initialize(struct wt_older_callbacks *callbacks)
{
	struct wt_older_callbacks before = *older_client();
	amd_dbgapi_callbacks_t now, ignored;
	amd_dbgapi_status_t status;

	if (!callbacks)
		return wt_older_status(amd_dbgapi_initialize(NULL));
	older_keep_callbacks(callbacks, &now);
	status = amd_dbgapi_initialize(&now);
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		older_set_initialized(true);
	else
		older_keep_callbacks(&before, &ignored);
	return wt_older_status(status);
}
WT_OLDER_VERSIONS(initialize);

/* The client is told that a process's shared library need not be watched any more. */
WT_OLDER_CALLS_CLIENT static void client_forget_library(const struct wt_older_attached *attached)
{
	older_client()->disable_notify_shared_library(attached->client, attached->library);
}

int wt_older_finalize(void)
{
	struct wt_older_attached attached;
	amd_dbgapi_status_t status = amd_dbgapi_finalize();

	if (status == AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED)
		return wt_older_status(status);
	while (older_remove((amd_dbgapi_process_id_t){0}, &attached))
		client_forget_library(&attached);
	older_set_initialized(false);
	return wt_older_status(status);
}
WT_OLDER_VERSIONS(finalize);

int wt_older_get_status_string(int status, const char **status_string)
{
	if (!status_string)
		return WT_OLDER_INVALID_ARGUMENT;
	for (size_t i = 0; i < wt_older_text_count; i++) {
		if (wt_older_texts[i].status == status) {
			*status_string = wt_older_texts[i].name;
			return WT_OLDER_SUCCESS;
		}
	}
	return WT_OLDER_INVALID_ARGUMENT;
}
WT_OLDER_VERSIONS(get_status_string);

void wt_older_set_log_level(uint32_t level)
{
	uint32_t now = wt_older_now_log_level(level);

	if (now != WT_OLDER_UNKNOWN)
		amd_dbgapi_set_log_level((amd_dbgapi_log_level_t)now);
}
WT_OLDER_VERSIONS(set_log_level);

/* ---- Processes ---- */

/* Attach, with the client told beforehand which shared library it will be asked for breakpoints in. */
WT_OLDER_CALLS_CLIENT static int client_attach(amd_dbgapi_client_process_id_t client_process_id,
					       amd_dbgapi_process_id_t *process_id)
{
	struct wt_older_attached attached;
	amd_dbgapi_status_t status;
	uint32_t library_state = 0;

	if (!older_add(client_process_id, &attached))
		return wt_older_status(AMD_DBGAPI_STATUS_ERROR);
	if (older_client()->enable_notify_shared_library(client_process_id, RUNTIME_LIBRARY,
							 attached.library, &library_state)) {
		older_added(attached.library, (amd_dbgapi_process_id_t){0});
		return WT_OLDER_CLIENT_CALLBACK;
	}
	status = amd_dbgapi_process_attach(client_process_id, process_id);
	older_added(attached.library, status == AMD_DBGAPI_STATUS_SUCCESS
					      ? *process_id
					      : (amd_dbgapi_process_id_t){0});
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		client_forget_library(&attached);
	return wt_older_status(status);
}

int wt_older_process_attach(amd_dbgapi_client_process_id_t client_process_id,
			    amd_dbgapi_process_id_t *process_id)
{
	struct wt_older_attached attached;

	/* The provider refuses what cannot succeed before the client hears of a library. */
	if (!older_is_initialized() || !process_id ||
	    older_find((amd_dbgapi_process_id_t){0}, client_process_id, &attached))
		return wt_older_status(amd_dbgapi_process_attach(client_process_id, process_id));
	return client_attach(client_process_id, process_id);
}
WT_OLDER_VERSIONS(process_attach);

int wt_older_process_detach(amd_dbgapi_process_id_t process_id)
{
	struct wt_older_attached attached;
	amd_dbgapi_status_t status;
	int failed = wt_older_process(process_id);

	if (failed)
		return failed;
	status = amd_dbgapi_process_detach(process_id);
	if (status == AMD_DBGAPI_STATUS_SUCCESS && older_remove(process_id, &attached))
		client_forget_library(&attached);
	return wt_older_status(status);
}
WT_OLDER_VERSIONS(process_detach);

int wt_older_report_shared_library(amd_dbgapi_process_id_t process_id,
				   struct wt_older_shared_library shared_library_id,
				   uint32_t shared_library_state)
{
	struct wt_older_attached attached;
	int failed = wt_older_process(process_id);

	if (failed)
		return failed;
	if (!older_find(process_id, NULL, &attached) ||
	    attached.library.handle != shared_library_id.handle)
		return WT_OLDER_INVALID_SHARED_LIBRARY_ID;
	/* The provider sees for itself what the runtime does. */
	if (shared_library_state != WT_OLDER_SHARED_LIBRARY_STATE_LOADED &&
	    shared_library_state != WT_OLDER_SHARED_LIBRARY_STATE_UNLOADED)
		return WT_OLDER_INVALID_ARGUMENT;
	return WT_OLDER_SUCCESS;
}
WT_OLDER_VERSIONS(report_shared_library);

/* ---- Instructions ---- */

struct symbolizer {
	wt_older_symbolizer call;
	amd_dbgapi_symbolizer_id_t id;
};

WT_OLDER_CALLS_CLIENT static amd_dbgapi_status_t
client_symbolize(amd_dbgapi_symbolizer_id_t id, amd_dbgapi_global_address_t address, char **text)
{
	const struct symbolizer *symbolizer = (const struct symbolizer *)id;

	return wt_older_callback_status(symbolizer->call(symbolizer->id, address, text));
}

int wt_older_disassemble_instruction(amd_dbgapi_architecture_id_t architecture_id,
				     amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				     const void *memory, char **instruction_text,
				     amd_dbgapi_symbolizer_id_t symbolizer_id,
				     wt_older_symbolizer symbolizer)
{
	struct symbolizer both = {.call = symbolizer, .id = symbolizer_id};

	return wt_older_status(amd_dbgapi_disassemble_instruction(
		architecture_id, address, size, memory, instruction_text,
		symbolizer ? (amd_dbgapi_symbolizer_id_t)&both : NULL,
		symbolizer ? client_symbolize : NULL));
}
WT_OLDER_VERSIONS(disassemble_instruction);

int wt_older_classify_instruction(amd_dbgapi_architecture_id_t architecture_id,
				  amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				  const void *memory, uint32_t *instruction_kind,
				  void **instruction_properties)
{
	amd_dbgapi_instruction_kind_t kind = AMD_DBGAPI_INSTRUCTION_KIND_UNKNOWN;
	amd_dbgapi_status_t status = amd_dbgapi_classify_instruction(
		architecture_id, address, size, memory, instruction_kind ? &kind : NULL, NULL,
		instruction_properties);

	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the provider has refused a null pointer */
		*instruction_kind = wt_older_then_instruction_kind((uint32_t)kind);
	return wt_older_status(status);
}
WT_OLDER_VERSIONS(classify_instruction);

/* ---- Queues and waves ---- */

int wt_older_queue_packet_list(amd_dbgapi_process_id_t process_id, amd_dbgapi_queue_id_t queue_id,
			       uint64_t *first_packet_id, amd_dbgapi_size_t *packets_byte_size,
			       void **packets_bytes)
{
	amd_dbgapi_os_queue_packet_id_t read_id, write_id;
	amd_dbgapi_status_t status;
	size_t size;
	int failed = wt_older_process(process_id);

	failed = failed ? failed : wt_older_queue_of(process_id, queue_id);
	if (failed)
		return failed;
	if (!first_packet_id || !packets_byte_size || !packets_bytes)
		return WT_OLDER_INVALID_ARGUMENT;
	status = amd_dbgapi_queue_packet_list(queue_id, &read_id, &write_id, &size, packets_bytes);
	if (status == AMD_DBGAPI_STATUS_SUCCESS) {
		*first_packet_id = read_id;
		*packets_byte_size = size;
	}
	return wt_older_status(status);
}
WT_OLDER_VERSIONS(queue_packet_list);

/* Stop reasons were a set of 64 bits, and numbered otherwise. */
static int stop_reason(amd_dbgapi_wave_id_t wave_id, size_t value_size, void *value)
{
	uint32_t now = 0;
	uint64_t older;
	amd_dbgapi_status_t status = amd_dbgapi_wave_get_info(
		wave_id, AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(now), value ? &now : NULL);

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return wt_older_status(status);
	older = wt_older_stop_reasons(now);
	if (value_size != sizeof(older))
		return WT_OLDER_INVALID_ARGUMENT_SIZE;
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): the provider has refused a null pointer */
	memcpy(value, &older, sizeof(older));
	return WT_OLDER_SUCCESS;
}

int wt_older_wave_get_info(amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
			   uint32_t query, size_t value_size, void *value)
{
	uint32_t now = wt_older_now_wave_info(query);
	amd_dbgapi_status_t status;
	int failed = wt_older_process(process_id);

	failed = failed ? failed : wt_older_wave_of(process_id, wave_id);
	if (failed)
		return failed;
	if (now == AMD_DBGAPI_WAVE_INFO_STOP_REASON)
		return stop_reason(wave_id, value_size, value);
	status = amd_dbgapi_wave_get_info(wave_id, (amd_dbgapi_wave_info_t)now, value_size, value);
	/* A wave of no known dispatch was of the null one. */
	if (status == AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE &&
	    now == AMD_DBGAPI_WAVE_INFO_DISPATCH && value &&
	    value_size == sizeof(amd_dbgapi_dispatch_id_t)) {
		memset(value, 0, value_size);
		return WT_OLDER_SUCCESS;
	}
	return wt_older_status(status);
}
WT_OLDER_VERSIONS(wave_get_info);

int wt_older_wave_resume(amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
			 amd_dbgapi_resume_mode_t resume_mode)
{
	/* Reasons with which a wave could not be resumed; today that delivers an exception. */
	static const uint32_t final_reasons =
		AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP | AMD_DBGAPI_WAVE_STOP_REASON_TRAP |
		AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION |
		AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR |
		AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION |
		AMD_DBGAPI_WAVE_STOP_REASON_ECC_ERROR | AMD_DBGAPI_WAVE_STOP_REASON_FATAL_HALT;
	uint32_t reasons;
	int failed = wt_older_process(process_id);

	failed = failed ? failed : wt_older_wave_of(process_id, wave_id);
	if (failed)
		return failed;
	if ((resume_mode == AMD_DBGAPI_RESUME_MODE_NORMAL ||
	     resume_mode == AMD_DBGAPI_RESUME_MODE_SINGLE_STEP) &&
	    amd_dbgapi_wave_get_info(wave_id, AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reasons),
				     &reasons) == AMD_DBGAPI_STATUS_SUCCESS &&
	    reasons & final_reasons)
		return WT_OLDER_WAVE_NOT_RESUMABLE;
	return wt_older_status(
		amd_dbgapi_wave_resume(wave_id, resume_mode, AMD_DBGAPI_EXCEPTION_NONE));
}
WT_OLDER_VERSIONS(wave_resume);

/* ---- Watchpoints ---- */

int wt_older_set_watchpoint(amd_dbgapi_process_id_t process_id, amd_dbgapi_global_address_t address,
			    amd_dbgapi_size_t size, amd_dbgapi_watchpoint_kind_t kind,
			    amd_dbgapi_watchpoint_id_t *watchpoint_id,
			    amd_dbgapi_global_address_t *watchpoint_address,
			    amd_dbgapi_size_t *watchpoint_size)
{
	int failed = wt_older_process(process_id);

	if (failed)
		return failed;
	if (!watchpoint_id || !watchpoint_address || !watchpoint_size)
		return WT_OLDER_INVALID_ARGUMENT;
	return wt_older_status(wt_older_watch(&exported, process_id, address, size, kind,
					      watchpoint_id, watchpoint_address, watchpoint_size));
}
WT_OLDER_VERSIONS(set_watchpoint);

/* ---- Address spaces ---- */

int wt_older_convert_address_space(amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
				   amd_dbgapi_lane_id_t lane_id,
				   amd_dbgapi_address_space_id_t source_address_space_id,
				   amd_dbgapi_segment_address_t source_segment_address,
				   amd_dbgapi_address_space_id_t destination_address_space_id,
				   amd_dbgapi_segment_address_t *destination_segment_address)
{
	amd_dbgapi_size_t contiguous;
	int failed = wt_older_process(process_id);

	failed = failed ? failed : wt_older_wave_of(process_id, wave_id);
	if (failed)
		return failed;
	return wt_older_status(amd_dbgapi_convert_address_space_0_62(
		wave_id, lane_id, source_address_space_id, source_segment_address,
		destination_address_space_id, destination_segment_address, &contiguous));
}
WT_OLDER_VERSIONS(convert_address_space);

int wt_older_address_spaces_may_alias(amd_dbgapi_architecture_id_t architecture_id,
				      amd_dbgapi_address_space_id_t address_space_id1,
				      amd_dbgapi_address_space_id_t address_space_id2,
				      uint32_t *address_space_alias)
{
	bool alias;
	int failed = wt_older_architecture(architecture_id);

	failed = failed ? failed
			: wt_older_status(wt_older_may_alias(&exported, address_space_id1,
							     address_space_id2, &alias));
	if (failed)
		return failed;
	if (!address_space_alias)
		return WT_OLDER_INVALID_ARGUMENT;
	*address_space_alias =
		alias ? WT_OLDER_ADDRESS_SPACE_ALIAS_MAY : WT_OLDER_ADDRESS_SPACE_ALIAS_NONE;
	return WT_OLDER_SUCCESS;
}
WT_OLDER_VERSIONS(address_spaces_may_alias);
