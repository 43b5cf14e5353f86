/* SPDX-License-Identifier: MIT */
/*
 * A test of something that speaks the debugger API, over a trace: it finds the wave that faulted. docs/test-fixture.md
 * says how it is built and run.
 */
#include <amd-dbgapi/amd-dbgapi.h>
#include <assert.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* Callbacks that any client has. Over a trace only memory is asked for, and the number of the process. */
static amd_dbgapi_status_t process_info(amd_dbgapi_client_process_id_t process,
					amd_dbgapi_client_process_info_t query, size_t size,
					void *value)
{
	(void)process;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID ||
	    size != sizeof(amd_dbgapi_os_process_id_t))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	*(amd_dbgapi_os_process_id_t *)value = 4242;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
static amd_dbgapi_status_t insert(amd_dbgapi_client_process_id_t p, amd_dbgapi_global_address_t a,
				  amd_dbgapi_breakpoint_id_t b)
{
	(void)p, (void)a, (void)b;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
static amd_dbgapi_status_t removed(amd_dbgapi_client_process_id_t p, amd_dbgapi_breakpoint_id_t b)
{
	(void)p, (void)b;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
static amd_dbgapi_status_t transfer(amd_dbgapi_client_process_id_t p, amd_dbgapi_global_address_t a,
				    amd_dbgapi_size_t *size, void *read, const void *write)
{
	(void)p, (void)a, (void)read, (void)write;
	*size = 0;
	return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}
static void message(amd_dbgapi_log_level_t level, const char *text)
{
	(void)level, (void)text;
}

int main(void)
{
	amd_dbgapi_callbacks_t callbacks = {
		.allocate_memory = malloc,
		.deallocate_memory = free,
		.client_process_get_info = process_info,
		.insert_breakpoint = insert,
		.remove_breakpoint = removed,
		.xfer_global_memory = transfer,
		.log_message = message,
	};
	amd_dbgapi_process_id_t process;
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;
	struct pollfd notifier = {.events = POLLIN};
	int faults = 0;

	assert(amd_dbgapi_initialize(&callbacks) == AMD_DBGAPI_STATUS_SUCCESS);
	assert(amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&process, &process) ==
	       AMD_DBGAPI_STATUS_SUCCESS);
	assert(amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
					   sizeof(notifier.fd),
					   &notifier.fd) == AMD_DBGAPI_STATUS_SUCCESS);
	/* Readable whenever there may be an event. Over a trace that is as long as the recording goes on. */
	while (!faults && poll(&notifier, 1, 0) == 1) {
		amd_dbgapi_wave_id_t wave;
		uint32_t reasons;
		char mark;

		while (read(notifier.fd, &mark, 1) == 1)
			;

		assert(amd_dbgapi_process_next_pending_event(process, &event, &kind) ==
		       AMD_DBGAPI_STATUS_SUCCESS);
		if (kind == AMD_DBGAPI_EVENT_KIND_NONE)
			continue;
		if (kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP &&
		    !amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(wave),
					       &wave) &&
		    !amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
					      sizeof(reasons), &reasons))
			faults += !!(reasons & AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
		amd_dbgapi_event_processed(event);
	}
	assert(faults == 1);
	assert(amd_dbgapi_process_detach(process) == AMD_DBGAPI_STATUS_SUCCESS);
	assert(amd_dbgapi_finalize() == AMD_DBGAPI_STATUS_SUCCESS);
	return 0;
}
