/* SPDX-License-Identifier: MIT */
#include "tests/unit/recorder/fake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fake fake = {.status = AMD_DBGAPI_STATUS_SUCCESS, .writes = true, .client = -1};

static amd_dbgapi_callbacks_t client;
static bool no_memory; /* in the present call */
static bool refuses;   /* the present call */

static bool is_refused(enum wt_function function)
{
	if (fake.client < 0)
		return false;
	if (fake.client == (int)function && !fake.client_seen) {
		fake.client_seen = true;
		return false;
	}
	fake.own_calls++;
	return fake.own_calls == fake.fail_own ||
	       (fake.fail_after && fake.own_calls > fake.fail_own);
}

void fake_enter(enum wt_function function)
{
	fake.error_number_seen = errno;
	errno = fake.error_number;
	no_memory = false;
	fake.calls[function]++;
	refuses = is_refused(function);
	fake.held ^= function == WT_FUNCTION_PROCESS_SET_PROGRESS;
	fake.asked += function == WT_FUNCTION_WAVE_GET_INFO;
	fake.asked_held += function == WT_FUNCTION_WAVE_GET_INFO && fake.held;
	if (fake.entered)
		fake.entered(function);
}

bool fake_writes(void)
{
	return fake.writes && !refuses;
}

bool fake_gives_event(amd_dbgapi_event_id_t *event_id, amd_dbgapi_event_kind_t *kind)
{
	if ((!fake.no_events && !fake.event_kind) || !fake_writes())
		return false;
	*event_id = fake.no_events ? AMD_DBGAPI_EVENT_NONE : (amd_dbgapi_event_id_t){0xe1};
	*kind = fake.no_events ? AMD_DBGAPI_EVENT_KIND_NONE
			       : (amd_dbgapi_event_kind_t)fake.event_kind;
	return true;
}

/* All callbacks, as a real library makes them inside an attach. */
static void call_back(void)
{
	amd_dbgapi_client_process_id_t process = (amd_dbgapi_client_process_id_t)(void *)&client;
	amd_dbgapi_os_process_id_t id = 0;
	amd_dbgapi_size_t size = 6;
	uint8_t buffer[8] = {0};
	char *text = NULL;

	(void)text;
	client.client_process_get_info(process, AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID, sizeof(id),
				       &id);
	client.insert_breakpoint(process, 0x1122334455, (amd_dbgapi_breakpoint_id_t){3});
	client.remove_breakpoint(process, (amd_dbgapi_breakpoint_id_t){3});
	client.xfer_global_memory(process, 0x5000, &size, buffer, NULL);
	size = 3;
	client.xfer_global_memory(process, 0x6000, &size, NULL, "abc");
	client.deallocate_memory(client.allocate_memory(40));
	client.log_message(AMD_DBGAPI_LOG_LEVEL_WARNING, "a warning");
	for (size_t i = 0; i < sizeof(fake.allocations) / sizeof(*fake.allocations); i++)
		if (fake.allocations[i])
			client.allocate_memory(fake.allocations[i]);
	if (fake.inside)
		fake.inside();
}

amd_dbgapi_status_t fake_leave(enum wt_function function)
{
	if (function == WT_FUNCTION_PROCESS_ATTACH && client.log_message &&
	    fake.status == AMD_DBGAPI_STATUS_SUCCESS)
		call_back();
	if (refuses)
		return AMD_DBGAPI_STATUS_FATAL;
	return no_memory ? AMD_DBGAPI_STATUS_ERROR_CLIENT_CALLBACK : fake.status;
}

void fake_initialize(const amd_dbgapi_callbacks_t *callbacks)
{
	if (callbacks)
		client = *callbacks;
}

void fake_symbolize(amd_dbgapi_symbolizer_id_t id,
		    amd_dbgapi_status_t (*symbolizer)(amd_dbgapi_symbolizer_id_t,
						      amd_dbgapi_global_address_t, char **))
{
	char *text = NULL;

	if (symbolizer && symbolizer(id, 0x1234, &text) == AMD_DBGAPI_STATUS_SUCCESS)
		client.deallocate_memory ? client.deallocate_memory(text) : free(text);
}

void *fake_memory(const void *data, size_t size)
{
	void *memory = client.allocate_memory ? client.allocate_memory(size) : malloc(size);

	no_memory |= !memory;
	if (memory)
		memcpy(memory, data, size);
	return memory;
}

char *fake_string(const char *text)
{
	return fake_memory(text, strlen(text) + 1);
}

void fake_fill(void *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)data)[i] = (uint8_t)(0xa0 + i);
}
