/* SPDX-License-Identifier: MIT */
/*
 * The replaying library over any packets, asked by a client that makes calls in any order. The
 * first eight bytes of the input choose the calls.
 */
#include <stdlib.h>
#include <string.h>

#include "dbgapi/table/api.h"
#include "fuzz.h"
#include "mutate.h"
#include "dbgapi/table/invoke.h"

#define CALLS 120u
#define ATTACHES 2u
#define PLACE 64u

static struct wt_api api;
static void *given_out[64]; /* what one call allocated */
static size_t given_out_count;

/* splitmix64: the same numbers everywhere. */
static uint64_t next(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void *allocate(size_t size)
{
	FUZZ_CHECK(given_out_count < sizeof(given_out) / sizeof(*given_out));
	return given_out[given_out_count++] = malloc(size ? size : 1);
}

static void deallocate(void *data)
{
	for (size_t i = 0; i < given_out_count; i++)
		if (given_out[i] == data)
			given_out[i] = NULL;
	free(data);
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	(void)level;
	FUZZ_CHECK(message);
}

static amd_dbgapi_status_t process_info(amd_dbgapi_client_process_id_t process,
					amd_dbgapi_client_process_info_t query, size_t size,
					void *value)
{
	int32_t number = 4711;

	(void)process;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || size != sizeof(number))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &number, sizeof(number));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	(void)address;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t transfer(amd_dbgapi_client_process_id_t process,
				    amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				    void *read_buffer, const void *write_buffer)
{
	(void)process;
	(void)address;
	(void)write_buffer;
	*size = read_buffer ? *size / 2 : *size;
	if (read_buffer)
		memset(read_buffer, 0x5a, *size);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = allocate,
	.deallocate_memory = deallocate,
	.client_process_get_info = process_info,
	.insert_breakpoint = insert_breakpoint,
	.remove_breakpoint = remove_breakpoint,
	.xfer_global_memory = transfer,
	.log_message = log_message,
};

static uint64_t pick(uint64_t *seed, const struct wt_parameter *parameter, uint64_t process)
{
	static const uint64_t numbers[] = {
		0,	    1,	       2, 3, 4, 7, 8, 500, 0x10000, 0x200000001960, 0x210000000000,
		UINT32_MAX, UINT64_MAX};

	if (!strcmp(parameter->name, "process_id") && next(seed) % 8)
		return process;
	if (parameter->enumeration && parameter->enumeration->count && next(seed) % 8)
		return (uint64_t)parameter->enumeration
			->values[next(seed) % parameter->enumeration->count]
			.value;
	return numbers[next(seed) % (sizeof(numbers) / sizeof(*numbers))];
}

/* Arguments of one call; sizes are those of the buffers, so that only the library can be wrong. */
static void fill(uint64_t *seed, const struct wt_function_info *info, uint64_t process,
		 struct wt_argument *arguments, uint64_t (*places)[PLACE])
{
	for (size_t i = 0; i < info->parameter_count; i++) {
		const struct wt_parameter *parameter = &info->parameters[i];

		arguments[i] = (struct wt_argument){.number = pick(seed, parameter, process)};
		memset(places[i], 0, sizeof(places[i]));
		if (!strcmp(parameter->name, "value_size"))
			arguments[i].number = 1 + next(seed) % 16;
		if (parameter->shape == WT_SHAPE_INOUT)
			places[i][0] = 1 + next(seed) % 256;
		if (parameter->shape == WT_SHAPE_OPAQUE)
			arguments[i].pointer = (void *)(uintptr_t)(next(seed) % 3);
		else if (parameter->shape != WT_SHAPE_VALUE &&
			 parameter->shape != WT_SHAPE_SYMBOLIZER && next(seed) % 16)
			arguments[i].pointer = places[i];
	}
}

static void call_anything(uint64_t seed, uint64_t process)
{
	static uint64_t places[WT_ARGUMENTS][PLACE];

	for (unsigned int i = 0; i < CALLS; i++) {
		enum wt_function function = (enum wt_function)(next(&seed) % WT_FUNCTION_COUNT);
		struct wt_argument arguments[WT_ARGUMENTS] = {0};
		const char *text;
		int64_t status;

		/* More stops than resumes, else the session is over at once. */
		if (next(&seed) % 4 == 0)
			function = WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT;
		/* The text of the build name is never freed: with many traces that is a leak. */
		if (function == WT_FUNCTION_INITIALIZE || function == WT_FUNCTION_FINALIZE ||
		    function == WT_FUNCTION_GET_BUILD_NAME)
			continue;
		fill(&seed, &wt_functions[function], process, arguments, places);
		given_out_count = 0;
		wt_invoke(&api, function, arguments, &status, &text);
		while (given_out_count)
			free(given_out[--given_out_count]);
	}
}

static void load(void)
{
	struct wt_error *error =
		wt_api_load(fuzz_neighbour("librocm-dbgapi.so.0", WT_REPLAY_LIBRARY), &api);

	FUZZ_CHECK(!error);
}

/* Before libFuzzer looks which libraries there are, so that it sees what of this one is reached. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	load();
	return 0;
}

/* The recorded client may have been refused at first. The client's own name of the process must be one. */
static bool attach(amd_dbgapi_process_id_t *process)
{
	amd_dbgapi_status_t status = AMD_DBGAPI_STATUS_FATAL;

	for (unsigned int i = 0; i < ATTACHES && status != AMD_DBGAPI_STATUS_SUCCESS; i++)
		status = api.process_attach((amd_dbgapi_client_process_id_t)process, process);
	return status == AMD_DBGAPI_STATUS_SUCCESS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	amd_dbgapi_process_id_t process = {0};
	uint64_t seed;

	if (size < sizeof(seed))
		return 0;
	memcpy(&seed, data, sizeof(seed));
	setenv("WAVETAPE_TRACE", fuzz_stage(data + sizeof(seed), size - sizeof(seed)), 1);
	given_out_count = 0;
	if (api.initialize(&callbacks) != AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	if (attach(&process)) {
		fuzz_reached++;
		call_anything(seed, process.handle);
	}
	api.finalize();
	return 0;
}

/* Other calls over the same trace, or another trace. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	const size_t head = sizeof(uint64_t);
	uint64_t state = seed;

	if (size <= head)
		return LLVMFuzzerMutate(data, size, max_size);
	if (!mutate_below(&state, 4)) {
		LLVMFuzzerMutate(data, head, head);
		return size;
	}
	return head + mutate_packets(data + head, size - head, max_size - head, &state);
}
