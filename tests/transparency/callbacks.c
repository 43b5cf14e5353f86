/* SPDX-License-Identifier: MIT */
#include "every.h"

#include "tests/conformance/core-file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct failure failure = {.kind = WT_CALLBACK_COUNT};

static unsigned int calls_of[WT_CALLBACK_COUNT];

/* What happened during a call. */
static char notes[1 << 16];
static size_t noted;
static uint64_t transfers;

/* Memory that was given to the library. */
static struct allocation {
	uint8_t *memory;
	size_t size;
} allocations[1 << 14];
static size_t allocation_count;

/* The client's processes are told apart by address. */
static char processes[4];

/* A core that is served: its note; NULL if there is none. */
static const void *core;
static size_t core_size;

uint64_t every_hash(const void *data, size_t size)
{
	const uint8_t *bytes = data;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(notes + noted, sizeof(notes) - noted, format, arguments);
	va_end(arguments);
	if (length > 0 && noted + (size_t)length < sizeof(notes))
		noted += (size_t)length;
}

/* Does this call of a callback fail? */
static bool fails(enum wt_callback_kind kind)
{
	return calls_of[kind]++ >= failure.after && failure.kind == kind;
}

/* Harmless questions from inside a callback. */
static void ask_inside(void)
{
	amd_dbgapi_wave_state_t state = (amd_dbgapi_wave_state_t)99;
	amd_dbgapi_architecture_id_t architecture = {77};
	uint32_t major = 0, minor = 0, patch = 0;
	const char *text = NULL;

	if (!failure.reentrant)
		return;
	every.api.get_version(&major, &minor, &patch);
	note("[inside %u.%u.%u", major, minor, patch);
	note(" %d", (int)every.api.get_status_string(AMD_DBGAPI_STATUS_FATAL, &text));
	note(" %s", text);
	note(" %d", (int)every.api.get_architecture(0x4c, &architecture));
	note(" %llu", (unsigned long long)architecture.handle);
	note(" %d %d]",
	     (int)every.api.wave_get_info((amd_dbgapi_wave_id_t){1}, AMD_DBGAPI_WAVE_INFO_STATE,
					  sizeof(state), &state),
	     (int)state);
}

static struct allocation *find_allocation(const void *memory)
{
	for (size_t i = 0; i < allocation_count; i++)
		if (allocations[i].memory == memory)
			return &allocations[i];
	return NULL;
}

static void forget_allocation(struct allocation *allocation)
{
	free(allocation->memory);
	*allocation = allocations[--allocation_count];
}

static void *allocate_memory(size_t size)
{
	uint8_t *memory;

	if (fails(WT_CALLBACK_ALLOCATE_MEMORY)) {
		note("  allocate %zu: refused\n", size);
		return NULL;
	}
	note("  allocate %zu\n", size);
	if (allocation_count == sizeof(allocations) / sizeof(*allocations))
		return NULL;
	memory = malloc(size + 8);
	if (!memory)
		return NULL;
	memset(memory, PATTERN, size + 8);
	allocations[allocation_count++] = (struct allocation){memory, size};
	return memory;
}

static void deallocate_memory(void *memory)
{
	struct allocation *allocation = find_allocation(memory);

	fails(WT_CALLBACK_DEALLOCATE_MEMORY);
	if (!allocation) {
		note("  deallocate %s\n", memory ? "what was never allocated" : "NULL");
		return;
	}
	note("  deallocate %zu %016llx\n", allocation->size,
	     (unsigned long long)every_hash(memory, allocation->size));
	forget_allocation(allocation);
}

static size_t process_number(amd_dbgapi_client_process_id_t client)
{
	for (size_t i = 0; i < sizeof(processes); i++)
		if ((const char *)(const void *)client == &processes[i])
			return i;
	return 99;
}

static amd_dbgapi_status_t core_state(amd_dbgapi_core_state_data_t *value)
{
	void *copy = allocate_memory(core_size);

	if (!copy)
		return AMD_DBGAPI_STATUS_ERROR;
	memcpy(copy, core, core_size);
	value->size = core_size;
	value->endianness = AMD_DBGAPI_ENDIAN_LITTLE;
	value->data = copy;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t client,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	amd_dbgapi_os_process_id_t id = 4242 + (amd_dbgapi_os_process_id_t)process_number(client);

	note("  client_process_get_info process %zu query %d size %zu %s\n", process_number(client),
	     (int)query, value_size, value ? "" : "NULL");
	ask_inside();
	if (fails(WT_CALLBACK_CLIENT_PROCESS_GET_INFO))
		return failure.status;
	if (query == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE && core)
		return core_state(value);
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || core)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (value_size != sizeof(id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	memcpy(value, &id, sizeof(id));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	note("  insert_breakpoint process %zu %llx #%llu\n", process_number(client),
	     (unsigned long long)address, (unsigned long long)breakpoint.handle);
	ask_inside();
	return fails(WT_CALLBACK_INSERT_BREAKPOINT) ? failure.status : AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	note("  remove_breakpoint process %zu #%llu\n", process_number(client),
	     (unsigned long long)breakpoint.handle);
	ask_inside();
	return fails(WT_CALLBACK_REMOVE_BREAKPOINT) ? failure.status : AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t xfer_global_memory(amd_dbgapi_client_process_id_t client,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t *size, void *read_buffer,
					      const void *write_buffer)
{
	(void)client;
	transfers++;
	if (every.count_transfers)
		note("  xfer %s %llx %llu\n", write_buffer ? "write" : "read",
		     (unsigned long long)address, (unsigned long long)*size);
	if (every.count_transfers)
		ask_inside();
	if (fails(WT_CALLBACK_XFER_GLOBAL_MEMORY))
		return failure.status;
	if (!core) {
		*size = 0;
		return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
	}
	return read_buffer ? core_file_read(address, size, read_buffer)
			   : core_file_write(address, size, write_buffer);
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	fails(WT_CALLBACK_LOG_MESSAGE);
	/* AMD's library puts addresses of its own into what it says. */
	note("  log %d %s\n", (int)level, every.amd ? "" : message);
}

amd_dbgapi_callbacks_t *every_callbacks(int without)
{
	static amd_dbgapi_callbacks_t callbacks;

	callbacks = (amd_dbgapi_callbacks_t){
		.allocate_memory = without == 0 ? NULL : allocate_memory,
		.deallocate_memory = without == 1 ? NULL : deallocate_memory,
		.client_process_get_info = without == 2 ? NULL : client_process_get_info,
		.insert_breakpoint = without == 3 ? NULL : insert_breakpoint,
		.remove_breakpoint = without == 4 ? NULL : remove_breakpoint,
		.xfer_global_memory = without == 5 ? NULL : xfer_global_memory,
		.log_message = without == 6 ? NULL : log_message,
	};
	memset(calls_of, 0, sizeof(calls_of));
	return &callbacks;
}

void every_print_callbacks(void)
{
	fwrite(notes, 1, noted, stdout);
	noted = 0;
}

void every_print_memory(void *memory)
{
	struct allocation *allocation = find_allocation(memory);

	if (!allocation) {
		printf(" (not the client's memory)");
		return;
	}
	/* Eight bytes more than were asked for, which nobody may touch. */
	printf(" (%zu bytes %016llx)", allocation->size,
	       (unsigned long long)every_hash(memory, allocation->size + 8));
	forget_allocation(allocation);
}

amd_dbgapi_client_process_id_t every_client(unsigned int number)
{
	return (amd_dbgapi_client_process_id_t)(void *)&processes[number];
}

amd_dbgapi_status_t every_symbolizer(amd_dbgapi_symbolizer_id_t id,
				     amd_dbgapi_global_address_t address, char **text)
{
	note("  symbolize %d %llx\n", id != NULL, (unsigned long long)address);
	*text = allocate_memory(24);
	if (!*text)
		return AMD_DBGAPI_STATUS_ERROR;
	snprintf(*text, 24, "<%llx>", (unsigned long long)address);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t every_bad_symbolizer(amd_dbgapi_symbolizer_id_t id,
					 amd_dbgapi_global_address_t address, char **text)
{
	(void)text;
	note("  symbolize %d %llx: not found\n", id != NULL, (unsigned long long)address);
	return AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND;
}

struct wt_error *every_serve_core(const char *path)
{
	struct wt_error *error = core_file_open(path);

	if (!error)
		core = core_file_note(&core_size);
	return error;
}
