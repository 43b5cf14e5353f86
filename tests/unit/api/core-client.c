/* SPDX-License-Identifier: MIT */
#include "core-client.h"

const char *kernels;
amd_dbgapi_process_id_t live, core;
struct kept kept;

static amd_dbgapi_status_t get_info(amd_dbgapi_client_process_id_t process,
				    amd_dbgapi_client_process_info_t query, size_t size,
				    void *value)
{
	const amd_dbgapi_os_process_id_t pid = CLIENT_PID;
	amd_dbgapi_core_state_data_t state = kept.state;
	void *copy;

	(void)size;
	if ((uintptr_t)process != CORE_PROCESS) {
		memcpy(value, &pid, sizeof(pid));
		return SUCCESS;
	}
	if (query == AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || kept.no_note)
		return STATUS(NOT_AVAILABLE);
	copy = malloc(state.size);
	memcpy(copy, state.data, state.size);
	state.data = copy;
	memcpy(value, &state, sizeof(state));
	return SUCCESS;
}

static amd_dbgapi_status_t transfer(amd_dbgapi_client_process_id_t process,
				    amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				    void *read, const void *write)
{
	assert_int_equal((uintptr_t)process, CORE_PROCESS);
	if (kept.lies && !write)
		return SUCCESS;
	for (size_t i = 0; i < kept.count && !write; i++) {
		uint64_t offset = address - kept.chunks[i]->address;

		if (offset >= kept.chunks[i]->size)
			continue;
		/* Never all at once: what is left must be asked for again. */
		*size = *size < 100 ? *size : 100;
		if (*size > kept.chunks[i]->size - offset)
			*size = kept.chunks[i]->size - offset;
		memcpy(read, kept.chunks[i]->bytes + offset, *size);
		return SUCCESS;
	}
	return STATUS(MEMORY_ACCESS);
}

static void keep_memory(void)
{
	for (uint64_t region = 0x20; region <= 0x25; region++)
		for (uint64_t i = 0; i < 64; i++) {
			struct chunk *chunk = malloc(sizeof(*chunk));
			amd_dbgapi_size_t size = CHUNK;

			chunk->address = (region << 40) + i * CHUNK;
			if (amd_dbgapi_read_memory(live, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
						   AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, chunk->address,
						   &size, chunk->bytes) != SUCCESS) {
				free(chunk);
				continue;
			}
			chunk->size = size;
			assert_in_range(kept.count, 0, MAX_CHUNKS - 1);
			kept.chunks[kept.count++] = chunk;
		}
}

void set_progress(amd_dbgapi_process_id_t process, amd_dbgapi_progress_t progress)
{
	assert_success(amd_dbgapi_process_set_progress(process, progress));
}

void set_creation(amd_dbgapi_wave_creation_t creation)
{
	assert_success(amd_dbgapi_process_set_wave_creation(live, creation));
}

void begin(const char *workload)
{
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	amd_dbgapi_event_id_t event = AMD_DBGAPI_EVENT_NONE;
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.json", kernels, workload);
	setenv("WAVETAPE_WORKLOAD", path, 1);
	client_callbacks.client_process_get_info = get_info;
	client_callbacks.xfer_global_memory = transfer;
	memset(&kept, 0, sizeof(kept));
	client_start();
	live = client_attach_ready(1);
	while (kind == AMD_DBGAPI_EVENT_KIND_NONE)
		event = client_next(live, &kind);
	set_progress(live, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	for (; event.handle; event = client_next(live, &kind))
		assert_success(amd_dbgapi_event_processed(event));
	set_creation(AMD_DBGAPI_WAVE_CREATION_STOP);
}

void freeze_and_keep(void)
{
	assert_success(amd_dbgapi_process_freeze(live));
	assert_success(amd_dbgapi_process_get_info(live, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
						   sizeof(kept.state), &kept.state));
	assert_int_equal(kept.state.endianness, AMD_DBGAPI_ENDIAN_LITTLE);
	keep_memory();
}

int finish(void **state)
{
	(void)state;
	for (size_t i = 0; i < kept.count; i++)
		free(kept.chunks[i]);
	kept.count = 0;
	free((void *)(uintptr_t)kept.state.data);
	kept.state.data = NULL;
	return amd_dbgapi_finalize() == SUCCESS ? 0 : -1;
}
