/* SPDX-License-Identifier: MIT */
/*
 * A client that calls anything in any order, the same for the same seed, and prints what comes of
 * it. Over the simulated GPU, over a recording library in front of it, and over a replay it must
 * print the same.
 *
 * Usage: random-client LIBRARY SEED CALLS
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dbgapi/table/invoke.h"
#include "gfx/architecture/architecture.h"

#define PLACE_WORDS 128

static struct wt_api api;
static uint64_t seed;

/* splitmix64: the same numbers everywhere. */
static uint64_t next(void)
{
	uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static bool one_in(unsigned n)
{
	return next() % n == 0;
}

static void *given_out[256];
static size_t given_out_sizes[256], given_out_count;

static void *allocate(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (given_out_count < 256) {
		given_out_sizes[given_out_count] = size;
		given_out[given_out_count++] = memory;
	}
	return memory;
}

static void deallocate(void *memory)
{
	(void)memory; /* freed after each call */
}

static amd_dbgapi_status_t process_info(amd_dbgapi_client_process_id_t id,
					amd_dbgapi_client_process_info_t query, size_t size,
					void *value)
{
	amd_dbgapi_os_process_id_t pid = 17;

	printf("  callback %d %d\n", (int)(uintptr_t)id, (int)query);
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || size != sizeof(pid))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &pid, sizeof(pid));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static uint64_t inserted; /* the library's own breakpoint */

static amd_dbgapi_status_t insert(amd_dbgapi_client_process_id_t id,
				  amd_dbgapi_global_address_t address,
				  amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)id;
	inserted = breakpoint.handle;
	printf("  insert %" PRIx64 " %" PRIu64 "\n", address, breakpoint.handle);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t withdraw(amd_dbgapi_client_process_id_t id,
				    amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)id;
	printf("  remove %" PRIu64 "\n", breakpoint.handle);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t transfer(amd_dbgapi_client_process_id_t id,
				    amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				    void *read, const void *write)
{
	(void)id;
	(void)size;
	(void)read;
	(void)write;
	printf("  transfer %" PRIx64 "\n", address);
	return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

static void log_message(amd_dbgapi_log_level_t level, const char *text)
{
	printf("  log %d %s\n", (int)level, text);
}

static amd_dbgapi_status_t symbolize(amd_dbgapi_symbolizer_id_t id,
				     amd_dbgapi_global_address_t address, char **text)
{
	printf("  symbol %d %" PRIx64 "\n", (int)(uintptr_t)id, address);
	if (address % 8)
		return AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND;
	*text = strdup("a_symbol");
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = allocate,
	.deallocate_memory = deallocate,
	.client_process_get_info = process_info,
	.insert_breakpoint = insert,
	.remove_breakpoint = withdraw,
	.xfer_global_memory = transfer,
	.log_message = log_message,
};

/* Objects that the client was told of. */
static struct {
	uint64_t handles[32];
	size_t count;
} known[WT_OBJECT_COUNT];

/* What the library gave out for a list. */
static void learn(enum wt_object object)
{
	for (size_t i = 0; i < given_out_count; i++) {
		const uint64_t *handles = given_out[i];

		for (size_t j = 0; j < given_out_sizes[i] / sizeof(*handles); j++) {
			bool seen = false;

			for (size_t k = 0; k < known[object].count; k++)
				seen = seen || known[object].handles[k] == handles[j];
			if (!seen && known[object].count < 32)
				known[object].handles[known[object].count++] = handles[j];
		}
	}
}

static uint64_t pick_known(const char *type)
{
	for (int i = 0; i < WT_OBJECT_COUNT; i++)
		if (!strcmp(wt_objects[i].handle_type, type) && known[i].count && !one_in(12))
			return known[i].handles[next() % known[i].count];
	return 0;
}

/* Debuggers touch what is in a wave once they were told that it is stopped. */
static bool is_stopped(uint64_t wave)
{
	uint32_t state = 0;

	return !api.wave_get_info((amd_dbgapi_wave_id_t){wave}, AMD_DBGAPI_WAVE_INFO_STATE,
				  sizeof(state), &state) &&
	       state == AMD_DBGAPI_WAVE_STATE_STOP;
}

static uint64_t pick_register(void)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name("gfx942");
	struct gfx_register reg;

	gfx_register_at(architecture, next() % gfx_register_count(architecture), &reg);
	return reg.id;
}

static uint64_t pick_address(void)
{
	static const uint64_t bases[] = {UINT64_C(0x200000000000),  UINT64_C(0x200000001800),
					 UINT64_C(0x220000000000),  UINT64_C(0x210000000000),
					 UINT64_C(0x230000000000),  0,
					 UINT64_C(0x1000000000000), UINT64_MAX - 64};

	return bases[next() % 8] + next() % 512 + (one_in(4) ? 4000 : 0);
}

static uint64_t pick_handle(const char *type)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name("gfx942");

	/* Handles that no one was ever given. */
	if (one_in(24))
		return one_in(2) ? 0 : 5000 + next() % 40;
	if (!strcmp(type, "amd_dbgapi_process_id_t"))
		return one_in(12) ? 0 : 1;
	if (!strcmp(type, "amd_dbgapi_architecture_id_t"))
		return architecture->id;
	if (!strcmp(type, "amd_dbgapi_register_id_t"))
		return pick_register();
	if (!strcmp(type, "amd_dbgapi_register_class_id_t"))
		return architecture->classes[next() % GFX_CLASS_COUNT].id;
	if (!strcmp(type, "amd_dbgapi_address_space_id_t"))
		return architecture->spaces[next() % architecture->space_count].id;
	if (!strcmp(type, "amd_dbgapi_address_class_id_t"))
		return architecture->address_classes[next() % architecture->address_class_count].id;
	if (!strcmp(type, "amd_dbgapi_event_id_t"))
		return 1 + next() % 12;
	if (!strcmp(type, "amd_dbgapi_breakpoint_id_t"))
		return inserted;
	return pick_known(type);
}

static uint64_t pick_number(const struct wt_parameter *parameter)
{
	if (parameter->is_handle)
		return pick_handle(parameter->type);
	if (parameter->enumeration && !one_in(16))
		return (uint64_t)parameter->enumeration
			->values[next() % parameter->enumeration->count]
			.value;
	if (strstr(parameter->name, "address"))
		return pick_address();
	if (!strcmp(parameter->name, "lane_id"))
		return one_in(2) ? AMD_DBGAPI_LANE_NONE : next() % 66;
	if (!strcmp(parameter->name, "offset"))
		return one_in(4) ? next() % 300 : 0;
	if (!strcmp(parameter->name, "value_size")) {
		static const uint64_t sizes[] = {1, 2, 4, 4, 8, 8, 8, 12, 16, 256};

		return sizes[next() % 10];
	}
	if (!strcmp(parameter->name, "elf_amdgpu_machine"))
		return 0x4c + next() % 2;
	if (!strncmp(parameter->name, "dwarf", 5))
		return next() % 64;
	if (!strcmp(parameter->name, "resume_mode"))
		return next() % 2;
	return next() % 4;
}

static void fill(const struct wt_function_info *info, struct wt_argument *arguments,
		 uint64_t (*places)[PLACE_WORDS])
{
	for (size_t i = 0; i < info->parameter_count; i++) {
		const struct wt_parameter *parameter = &info->parameters[i];

		arguments[i] = (struct wt_argument){.number = pick_number(parameter)};
		memset(places[i], 0, sizeof(places[i]));
		if (parameter->shape == WT_SHAPE_INOUT)
			places[i][0] = next() % 512;
		if (parameter->shape == WT_SHAPE_IN_BYTES)
			for (int j = 0; j < 4; j++)
				places[i][j] = one_in(2) ? UINT64_C(0xbf800000bf810000) : next();
		if (parameter->shape == WT_SHAPE_SYMBOLIZER && one_in(2))
			arguments[i].symbolizer = symbolize;
		if (parameter->shape == WT_SHAPE_OPAQUE)
			arguments[i].pointer = (void *)(uintptr_t)(next() % 3);
		else if (parameter->shape != WT_SHAPE_VALUE && !one_in(32))
			arguments[i].pointer = places[i];
	}
}

/* Functions that move things, more often than chance would have it. */
static enum wt_function pick_function(void)
{
	static const enum wt_function likely[] = {
		WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT,
		WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT,
		WT_FUNCTION_EVENT_PROCESSED,
		WT_FUNCTION_EVENT_PROCESSED,
		WT_FUNCTION_WAVE_RESUME,
		WT_FUNCTION_WAVE_STOP,
		WT_FUNCTION_PROCESS_SET_PROGRESS,
		WT_FUNCTION_PROCESS_WAVE_LIST,
		WT_FUNCTION_WAVE_GET_INFO,
		WT_FUNCTION_WAVE_GET_INFO,
		WT_FUNCTION_READ_REGISTER,
		WT_FUNCTION_READ_MEMORY,
		WT_FUNCTION_WRITE_REGISTER,
		WT_FUNCTION_WRITE_MEMORY,
	};
	enum wt_function function = one_in(2) ? likely[next() % (sizeof(likely) / sizeof(*likely))]
					      : (enum wt_function)(next() % WT_FUNCTION_COUNT);

	/* The session goes on for a while. */
	if ((function == WT_FUNCTION_PROCESS_DETACH || function == WT_FUNCTION_FINALIZE) &&
	    !one_in(40))
		return WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT;
	/* A resume with an exception ends the program. */
	return function;
}

static uint64_t hash(const void *data, size_t size)
{
	uint64_t value = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		value = (value ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3);
	return value;
}

static bool is_identity(enum wt_function function, const struct wt_argument *arguments)
{
	const struct wt_query *query = NULL;

	if (wt_functions[function].object != WT_OBJECT_COUNT &&
	    wt_objects[wt_functions[function].object].get_info == function)
		query = wt_query_find(wt_functions[function].object, (uint32_t)arguments[1].number);
	return query && query->identity;
}

/* Outputs as they are; of pointers, what was allocated for them. */
static void print_outputs(enum wt_function function, const struct wt_argument *arguments,
			  uint64_t (*places)[PLACE_WORDS])
{
	const struct wt_function_info *info = &wt_functions[function];

	for (size_t i = 0; i < info->parameter_count; i++) {
		if (!arguments[i].pointer)
			continue;
		switch (info->parameters[i].shape) {
		case WT_SHAPE_OUT:
		case WT_SHAPE_INOUT:
			printf(" %s=%" PRIx64, info->parameters[i].name, places[i][0]);
			break;
		case WT_SHAPE_OUT_BYTES:
			printf(" %016" PRIx64, hash(places[i], sizeof(places[i])));
			break;
		case WT_SHAPE_OUT_QUERY:
			if (given_out_count || is_identity(function, arguments))
				printf(" %s", places[i][0] ? "set" : "0");
			else
				printf(" %016" PRIx64, hash(places[i], sizeof(places[i])));
			break;
		case WT_SHAPE_OUT_ARRAY:
		case WT_SHAPE_OUT_MEMORY:
		case WT_SHAPE_OUT_STRING:
		case WT_SHAPE_OUT_STATIC_STRING:
		case WT_SHAPE_OUT_INFORMATION:
			printf(" %s", places[i][0] ? "pointer" : "NULL");
			break;
		default:
			break;
		}
	}
	for (size_t i = 0; i < given_out_count; i++)
		printf(" [%zu %016" PRIx64 "]", given_out_sizes[i],
		       hash(given_out[i], given_out_sizes[i]));
}

static void call(enum wt_function function, struct wt_argument *arguments,
		 uint64_t (*places)[PLACE_WORDS])
{
	const struct wt_function_info *info = &wt_functions[function];
	const char *text = NULL;
	int64_t status = 0;

	given_out_count = 0;
	if (function == WT_FUNCTION_INITIALIZE && arguments[0].pointer)
		arguments[0].pointer = &callbacks;
	printf("%s", wt_functions[function].name + strlen("amd_dbgapi_"));
	for (size_t i = 0; i < info->parameter_count; i++)
		if (info->parameters[i].shape == WT_SHAPE_VALUE)
			printf(" %" PRIx64, arguments[i].number);
	printf("\n");
	wt_invoke(&api, function, arguments, &status, &text);
	if (info->object != WT_OBJECT_COUNT && wt_objects[info->object].list == function)
		learn(info->object);
	printf("  %d %s", (int)status, text ? text : "");
	print_outputs(function, arguments, places);
	printf("\n");
	for (size_t i = 0; i < given_out_count; i++)
		free(given_out[i]);
}

/* Inside of waves, and memory through them, only of those that are stopped. */
static void settle_wave(enum wt_function function, struct wt_argument *arguments)
{
	const struct wt_function_info *info = &wt_functions[function];

	for (size_t i = 0; i < info->parameter_count; i++) {
		if (strcmp(info->parameters[i].type, "amd_dbgapi_wave_id_t") != 0 ||
		    function == WT_FUNCTION_WAVE_GET_INFO || function == WT_FUNCTION_WAVE_STOP ||
		    function == WT_FUNCTION_WAVE_RESUME)
			continue;
		if (!is_stopped(arguments[i].number))
			arguments[i].number = 0;
		/* Without a wave there is global memory only. */
		if (!arguments[i].number &&
		    (function == WT_FUNCTION_READ_MEMORY || function == WT_FUNCTION_WRITE_MEMORY))
			arguments[i + 2].number = AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle;
	}
}

/*
 * Events until there are none: with normal progress the program goes on between one and the next,
 * and what there was to see meanwhile is in no moment.
 */
static void pump(void)
{
	static uint64_t places[WT_ARGUMENTS][PLACE_WORDS];

	do {
		struct wt_argument arguments[WT_ARGUMENTS] = {
			{.number = 1}, {.pointer = places[1]}, {.pointer = places[2]}};

		memset(places, 0, sizeof(places));
		call(WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, arguments, places);
	} while (places[1][0]);
}

static void begin(void)
{
	static uint64_t places[WT_ARGUMENTS][PLACE_WORDS];
	struct wt_argument arguments[WT_ARGUMENTS] = {0};

	arguments[0].pointer = places[0];
	call(WT_FUNCTION_INITIALIZE, arguments, places);
	memset(arguments, 0, sizeof(arguments));
	arguments[0].number = 0x4c;
	arguments[1].pointer = places[1];
	call(WT_FUNCTION_GET_ARCHITECTURE, arguments, places);
	memset(arguments, 0, sizeof(arguments));
	arguments[0].pointer = (void *)(uintptr_t)1;
	arguments[1].pointer = places[1];
	call(WT_FUNCTION_PROCESS_ATTACH, arguments, places);
}

int main(int argc, char **argv)
{
	static uint64_t places[WT_ARGUMENTS][PLACE_WORDS];
	struct wt_error *error;
	unsigned long count;

	if (argc != 4)
		return 2;
	error = wt_api_load(argv[1], &api);
	if (error) {
		fprintf(stderr, "%s: %s: %s\n", error->what, error->where, error->why);
		return 1;
	}
	seed = strtoull(argv[2], NULL, 0);
	count = strtoul(argv[3], NULL, 0);
	api.set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	begin();
	for (unsigned long i = 0; i < count; i++) {
		struct wt_argument arguments[WT_ARGUMENTS] = {0};
		enum wt_function function = pick_function();

		/* What a session needs to stay alive is not left to chance. */
		if (function == WT_FUNCTION_SET_LOG_LEVEL || function == WT_FUNCTION_PROCESS_ATTACH)
			continue;
		if (function == WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT) {
			pump();
			continue;
		}
		fill(&wt_functions[function], arguments, places);
		settle_wave(function, arguments);
		call(function, arguments, places);
		if (function == WT_FUNCTION_FINALIZE || function == WT_FUNCTION_PROCESS_DETACH)
			begin();
	}
	api.finalize();
	return 0;
}
