/* SPDX-License-Identifier: MIT */
#include "client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gfx/architecture/architecture.h"

amd_dbgapi_status_t client_pid_status;
bool client_out_of_memory;
char client_message[1024];
amd_dbgapi_log_level_t client_message_level;
unsigned int client_messages;

static void *allocate_memory(size_t size)
{
	return client_out_of_memory ? NULL : malloc(size);
}

static amd_dbgapi_status_t get_info(amd_dbgapi_client_process_id_t process,
				    amd_dbgapi_client_process_info_t query, size_t value_size,
				    void *value)
{
	amd_dbgapi_os_process_id_t pid = CLIENT_PID;

	(void)process;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || value_size != sizeof(pid))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (client_pid_status == SUCCESS)
		memcpy(value, &pid, sizeof(pid));
	return client_pid_status;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t id)
{
	(void)process;
	(void)address;
	(void)id;
	fail_msg("a simulated process needs no host breakpoint");
	return AMD_DBGAPI_STATUS_ERROR;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_breakpoint_id_t id)
{
	(void)process;
	(void)id;
	fail_msg("there is no host breakpoint");
	return AMD_DBGAPI_STATUS_ERROR;
}

static amd_dbgapi_status_t xfer_memory(amd_dbgapi_client_process_id_t process,
				       amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				       void *read, const void *write)
{
	(void)process;
	(void)address;
	(void)size;
	(void)read;
	(void)write;
	fail_msg("memory is the simulated GPU's own");
	return AMD_DBGAPI_STATUS_ERROR;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	client_message_level = level;
	client_messages++;
	snprintf(client_message, sizeof(client_message), "%s", message);
}

amd_dbgapi_callbacks_t client_callbacks = {
	.allocate_memory = allocate_memory,
	.deallocate_memory = free,
	.client_process_get_info = get_info,
	.insert_breakpoint = insert_breakpoint,
	.remove_breakpoint = remove_breakpoint,
	.xfer_global_memory = xfer_memory,
	.log_message = log_message,
};

void client_start(void)
{
	client_pid_status = SUCCESS;
	client_out_of_memory = false;
	client_messages = 0;
	client_message[0] = '\0';
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_VERBOSE);
	assert_success(amd_dbgapi_initialize(&client_callbacks));
}

amd_dbgapi_process_id_t client_attach(uintptr_t client_process)
{
	amd_dbgapi_process_id_t process = {0};

	assert_success(amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)client_process,
						 &process));
	return process;
}

amd_dbgapi_process_id_t client_attach_ready(uintptr_t client_process)
{
	amd_dbgapi_process_id_t process = client_attach(client_process);
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event = client_next(process, &kind);

	assert_int_equal(kind, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	assert_success(amd_dbgapi_event_processed(event));
	return process;
}

amd_dbgapi_event_id_t client_next(amd_dbgapi_process_id_t process,
				  amd_dbgapi_event_kind_t *kind_ret)
{
	amd_dbgapi_event_id_t event;

	assert_success(amd_dbgapi_process_next_pending_event(process, &event, kind_ret));
	assert_int_equal(event.handle != 0, *kind_ret != AMD_DBGAPI_EVENT_KIND_NONE);
	return event;
}

amd_dbgapi_wave_id_t client_expect(amd_dbgapi_process_id_t process, amd_dbgapi_event_kind_t kind,
				   amd_dbgapi_event_id_t *event_ret)
{
	amd_dbgapi_event_kind_t got;
	amd_dbgapi_wave_id_t wave;

	*event_ret = client_next(process, &got);
	assert_int_equal(got, kind);
	assert_success(amd_dbgapi_event_get_info(*event_ret, AMD_DBGAPI_EVENT_INFO_WAVE,
						 sizeof(wave), &wave));
	return wave;
}

amd_dbgapi_wave_id_t client_take(amd_dbgapi_process_id_t process, amd_dbgapi_event_kind_t kind)
{
	amd_dbgapi_event_id_t event;
	amd_dbgapi_wave_id_t wave = client_expect(process, kind, &event);

	assert_success(amd_dbgapi_event_processed(event));
	return wave;
}

void client_expect_none(amd_dbgapi_process_id_t process)
{
	amd_dbgapi_event_kind_t kind;

	client_next(process, &kind);
	assert_int_equal(kind, AMD_DBGAPI_EVENT_KIND_NONE);
}

uint32_t client_wave_state(amd_dbgapi_wave_id_t wave)
{
	uint32_t state;

	assert_success(
		amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STATE, sizeof(state), &state));
	return state;
}

uint32_t client_stop_reason(amd_dbgapi_wave_id_t wave)
{
	uint32_t reason;

	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
						sizeof(reason), &reason));
	return reason;
}

uint64_t client_pc(amd_dbgapi_wave_id_t wave)
{
	uint64_t pc;

	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc));
	return pc;
}

size_t client_waves(amd_dbgapi_process_id_t process, amd_dbgapi_wave_id_t *waves, size_t limit)
{
	amd_dbgapi_wave_id_t *list;
	size_t count;

	assert_success(amd_dbgapi_process_wave_list(process, &count, &list, NULL));
	for (size_t i = 0; i < count && i < limit; i++)
		waves[i] = list[i];
	free(list);
	return count;
}

amd_dbgapi_register_id_t client_register(const char *name)
{
	struct gfx_register reg;

	assert_true(gfx_register_by_name(gfx_architecture_by_name("gfx942"), name, &reg));
	return (amd_dbgapi_register_id_t){reg.id};
}

int client_drain(amd_dbgapi_process_id_t process)
{
	amd_dbgapi_notifier_t notifier;
	ssize_t got;
	int count = 0;
	char byte;

	assert_success(amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
						   sizeof(notifier), &notifier));
	while ((got = read(notifier, &byte, 1)) == 1)
		count++;
	if (got == 0)
		return -1;
	assert_int_equal(errno, EAGAIN);
	return count;
}
