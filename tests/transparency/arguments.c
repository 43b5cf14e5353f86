/* SPDX-License-Identifier: MIT */
#include "every.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* Numbers for parameters that are neither handles nor enumerators. */
static const uint64_t numbers[] = {0, 1, 4, 0x4c, 0x3f, 63, 64, 4096, UINT32_MAX, UINT64_MAX};
static const uint64_t lengths[] = {4, 0, 1, 8, 64, 256, 4096};
static const uint64_t wrong_handles[] = {0, 9999, UINT64_MAX};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct wt_parameter *parameter_of(enum wt_function function, size_t index)
{
	return &wt_functions[function].parameters[index];
}

/* The kind of object that a handle parameter names. */
static enum wt_object object_of(const struct wt_parameter *parameter)
{
	for (int i = 0; i < WT_OBJECT_COUNT; i++)
		if (!strcmp(wt_objects[i].handle_type, parameter->type))
			return (enum wt_object)i;
	return WT_OBJECT_COUNT;
}

/* Is the parameter the size of the answer to a query? */
static bool is_query_size(enum wt_function function, size_t index)
{
	const struct wt_function_info *info = &wt_functions[function];

	for (size_t i = 0; i < info->parameter_count; i++)
		if (info->parameters[i].shape == WT_SHAPE_OUT_QUERY &&
		    info->parameters[i].length_index == (int)index)
			return true;
	return false;
}

/* Is it the length of a buffer? Then no more than there is room for. */
static bool is_length(enum wt_function function, size_t index)
{
	const struct wt_function_info *info = &wt_functions[function];

	for (size_t i = 0; i < info->parameter_count; i++)
		if (info->parameters[i].length_index == (int)index)
			return true;
	return false;
}

static bool is_address(const struct wt_parameter *parameter)
{
	return strstr(parameter->type, "address_t") != NULL;
}

size_t choice_count(enum wt_function function, size_t index)
{
	const struct wt_parameter *parameter = parameter_of(function, index);

	switch (parameter->shape) {
	case WT_SHAPE_VALUE:
		if (parameter->is_handle && object_of(parameter) < WT_OBJECT_COUNT)
			return every.handle_counts[object_of(parameter)] + COUNT(wrong_handles);
		if (parameter->enumeration)
			return parameter->enumeration->count + 3;
		if (is_query_size(function, index))
			return 4;
		if (is_length(function, index))
			return COUNT(lengths);
		return COUNT(numbers) + (is_address(parameter) ? every.address_count : 0);
	case WT_SHAPE_OPAQUE:
		return 3;
	case WT_SHAPE_INOUT:
		return COUNT(lengths) + 1;
	case WT_SHAPE_SYMBOLIZER:
		return 3;
	case WT_SHAPE_CALLBACKS:
		return WT_CALLBACK_COUNT + 2;
	default:
		return 2;
	}
}

static struct choice choose_value(enum wt_function function, size_t index, size_t choice)
{
	const struct wt_parameter *parameter = parameter_of(function, index);
	enum wt_object object = object_of(parameter);

	if (parameter->is_handle && object < WT_OBJECT_COUNT) {
		size_t known = every.handle_counts[object];

		return (struct choice){.number = choice < known ? every.handles[object][choice]
								: wrong_handles[choice - known]};
	}
	if (parameter->enumeration) {
		size_t count = parameter->enumeration->count;

		if (choice < count)
			return (struct choice){
				.number = (uint64_t)parameter->enumeration->values[choice].value};
		return (struct choice){.number = choice == count       ? 0
						 : choice == count + 1 ? 1000
								       : (uint64_t)-77};
	}
	/* Of a query's size: right, none, too short, too long. The right one is put in later. */
	if (is_query_size(function, index))
		return (struct choice){.number = choice, .variant = 1};
	if (is_length(function, index))
		return (struct choice){.number = lengths[choice]};
	if (is_address(parameter) && choice < every.address_count)
		return (struct choice){.number = every.addresses[choice]};
	return (struct choice){
		.number = numbers[choice - (is_address(parameter) ? every.address_count : 0)]};
}

struct choice choice_get(enum wt_function function, size_t index, size_t choice)
{
	switch (parameter_of(function, index)->shape) {
	case WT_SHAPE_VALUE:
		return choose_value(function, index, choice);
	case WT_SHAPE_INOUT:
		if (choice == COUNT(lengths))
			return (struct choice){.null = true};
		return (struct choice){.number = lengths[choice]};
	case WT_SHAPE_OPAQUE:
	case WT_SHAPE_SYMBOLIZER:
		return (struct choice){.number = choice, .null = choice == 2};
	case WT_SHAPE_CALLBACKS:
		return (struct choice){.variant = (int)choice - 1,
				       .null = choice == WT_CALLBACK_COUNT + 1};
	default:
		return (struct choice){.null = choice == 1};
	}
}

/* The number of a parameter by its name; 0 if there is none. */
static uint64_t number_of(enum wt_function function, const struct choice *choices, const char *name)
{
	const struct wt_function_info *info = &wt_functions[function];

	for (size_t i = 0; i < info->parameter_count; i++)
		if (!strcmp(info->parameters[i].name, name))
			return choices[i].number;
	return 0;
}

static bool is_null(enum wt_function function, const struct choice *choices, const char *name)
{
	const struct wt_function_info *info = &wt_functions[function];

	for (size_t i = 0; i < info->parameter_count; i++)
		if (!strcmp(info->parameters[i].name, name))
			return choices[i].null;
	return false;
}

bool choices_allowed(enum wt_function function, const struct choice *choices)
{
	const char *name = wt_functions[function].name + strlen("amd_dbgapi_");

	/* These have no status to refuse with. */
	if (!strcmp(name, "get_version"))
		return !choices[0].null && !choices[1].null && !choices[2].null;
	/* A range that wraps around passes AMD's check of bounds. */
	if (strstr(name, "_register") && number_of(function, choices, "offset") > UINT64_MAX / 2)
		return false;
	/* Code and packets are left as they are, or there is soon nothing to stop any more. */
	if (!strcmp(name, "write_memory") && every.address_count &&
	    number_of(function, choices, "segment_address") != every.arguments)
		for (size_t i = 0; i < every.address_count; i++)
			if (number_of(function, choices, "segment_address") == every.addresses[i])
				return false;
	if (!every.amd)
		return true;
	if (!strcmp(name, "queue_packet_list"))
		return !is_null(function, choices, "packets_byte_size");
	/* Also in the form that it had before. */
	if (!strncmp(name, "address_dependency", strlen("address_dependency")))
		return !is_null(function, choices, "segment_address_dependency");
	/* The null address of private memory: AMD's library does not come back. */
	if (!strcmp(name, "read_memory") || !strcmp(name, "write_memory"))
		return (uint32_t)number_of(function, choices, "segment_address") != UINT32_MAX;
	/* Log messages of these levels print what NULLs point to. */
	if (!strcmp(name, "set_log_level"))
		return choices[0].number < AMD_DBGAPI_LOG_LEVEL_TRACE &&
		       choices[0].number != AMD_DBGAPI_LOG_LEVEL_TRACE;
	return true;
}

/* ---- One call ---- */

struct place {
	uint64_t number; /* what out and inout parameters point to */
	uint8_t *buffer; /* bytes */
	void *memory;	 /* what an output of the client's memory points to */
};

static const struct wt_query *query_of(const struct wt_function_info *info,
				       const struct choice *choices)
{
	for (size_t i = 0; i < info->parameter_count; i++)
		if (info->parameters[i].shape == WT_SHAPE_OUT_QUERY)
			return wt_query_find(
				info->object,
				(uint32_t)choices[info->parameters[i].query_index].number);
	return NULL;
}

static uint64_t query_size(const struct wt_query *query, uint64_t choice)
{
	uint64_t size = query ? query->size : 8;

	return choice == 0 ? size : choice == 1 ? 0 : choice == 2 ? size - 1 : size + 1;
}

static struct wt_argument make_argument(const struct wt_function_info *info, size_t index,
					const struct choice *choices, struct place *place)
{
	const struct choice *choice = &choices[index];
	struct wt_argument argument = {.number = choice->number};

	if (info->parameters[index].shape == WT_SHAPE_VALUE) {
		if (choice->variant)
			argument.number = query_size(query_of(info, choices), choice->number);
		return argument;
	}
	if (info->parameters[index].shape == WT_SHAPE_SYMBOLIZER) {
		argument.symbolizer = choice->number == 0 ? every_symbolizer : every_bad_symbolizer;
		if (choice->null)
			argument.symbolizer = NULL;
		return argument;
	}
	if (choice->null)
		return argument;
	switch (info->parameters[index].shape) {
	case WT_SHAPE_OPAQUE:
		argument.pointer = (void *)every_client((unsigned int)choice->number);
		break;
	case WT_SHAPE_CALLBACKS:
		argument.pointer = every_callbacks(choice->variant);
		break;
	case WT_SHAPE_INOUT:
		place->number = choice->number;
		argument.pointer = &place->number;
		break;
	case WT_SHAPE_OUT:
		memset(&place->number, PATTERN, sizeof(place->number));
		argument.pointer = &place->number;
		break;
	case WT_SHAPE_IN_BYTES:
	case WT_SHAPE_OUT_BYTES:
	case WT_SHAPE_OUT_QUERY:
		place->buffer = malloc(BUFFER_SIZE);
		memset(place->buffer, PATTERN, BUFFER_SIZE);
		if (info->parameters[index].shape == WT_SHAPE_IN_BYTES)
			memcpy(place->buffer, "\0\0\x80\xbf\0\0\x81\xbf", 8);
		argument.pointer = place->buffer;
		break;
	default:
		memset(&place->memory, PATTERN, sizeof(place->memory));
		argument.pointer = &place->memory;
		break;
	}
	return argument;
}

static void print_pointer(void *memory, bool client)
{
	void *untouched;

	memset(&untouched, PATTERN, sizeof(untouched));
	if (memory == untouched)
		printf(" untouched");
	else if (!memory)
		printf(" NULL");
	else if (client)
		every_print_memory(memory);
	else
		printf(" \"%s\"", (const char *)memory);
}

/* The answer to a query, which may hold pointers; their values differ from run to run. */
static void print_answer(const struct wt_query *query, uint8_t *buffer, bool success)
{
	size_t pointer_at = 0;
	void *pointer;

	if (success && query && query->result != WT_RESULT_FIXED) {
		if (query->result == WT_RESULT_HANDLES || query->result == WT_RESULT_CORE_STATE)
			pointer_at = query->size - sizeof(pointer);
		memcpy(&pointer, buffer + pointer_at, sizeof(pointer));
		print_pointer(pointer, true);
		memset(buffer + pointer_at, 0, sizeof(pointer));
	} else if (success && query && query->identity) {
		memset(buffer, 0, query->size);
	}
	/* Client threads are pointers of the client's, unless there are none. */
	printf(" %016llx", (unsigned long long)every_hash(buffer, BUFFER_SIZE));
}

static void print_output(const struct wt_function_info *info, size_t index,
			 const struct choice *choices, struct place *place, int64_t status)
{
	enum wt_shape shape = info->parameters[index].shape;

	if (choices[index].null || !wt_shape_is_output(shape))
		return;
	printf(" %s=", info->parameters[index].name);
	switch (shape) {
	case WT_SHAPE_OUT:
	case WT_SHAPE_INOUT:
		printf("%llx", (unsigned long long)place->number);
		break;
	case WT_SHAPE_OUT_BYTES:
		printf("%016llx", (unsigned long long)every_hash(place->buffer, BUFFER_SIZE));
		break;
	case WT_SHAPE_OUT_QUERY:
		print_answer(query_of(info, choices), place->buffer,
			     status == AMD_DBGAPI_STATUS_SUCCESS);
		break;
	default:
		print_pointer(place->memory, shape != WT_SHAPE_OUT_STATIC_STRING);
		break;
	}
}

/* Handles of what a call made: of no list can they be had. */
static void keep_made(const struct wt_parameter *parameter, uint64_t handle)
{
	static const enum wt_object made[] = {WT_OBJECT_WATCHPOINT, WT_OBJECT_DISPLACED_STEPPING};

	for (size_t i = 0; i < COUNT(made); i++) {
		size_t *count = &every.handle_counts[made[i]];
		const char *type = wt_objects[made[i]].handle_type;

		if (!strncmp(parameter->type, type, strlen(type)) && *count < MAX_HANDLES)
			every.handles[made[i]][(*count)++] = handle;
	}
}

/* Is there something for the client to read? It is not read. */
static void print_notifier(void)
{
	struct pollfd notifier = {.fd = every.notifier, .events = POLLIN};

	if (every.notifier >= 0)
		printf(" notifier %d", poll(&notifier, 1, 0) > 0 ? (int)notifier.revents : 0);
}

int64_t every_perform(enum wt_function function, const struct choice *choices)
{
	const struct wt_function_info *info = &wt_functions[function];
	struct wt_argument arguments[WT_ARGUMENTS] = {{.number = 0}};
	struct place places[WT_ARGUMENTS] = {{.number = 0}};
	const char *text = NULL;
	int64_t status = 0;

	every.calls++;
	printf("%s(", info->name + strlen("amd_dbgapi_"));
	for (size_t i = 0; i < info->parameter_count; i++) {
		arguments[i] = make_argument(info, i, choices, &places[i]);
		if (choices[i].null)
			printf("%sNULL", i ? ", " : "");
		else
			printf("%s%llx", i ? ", " : "",
			       (unsigned long long)(choices[i].variant ? arguments[i].number
								       : choices[i].number));
	}
	printf(")");
	fflush(stdout);
	wt_invoke(&every.api, function, arguments, &status, &text);
	printf(" = %lld%s%s", (long long)status, text ? " " : "", text ? text : "");
	for (size_t i = 0; i < info->parameter_count; i++)
		print_output(info, i, choices, &places[i], status);
	for (size_t i = 0; status == AMD_DBGAPI_STATUS_SUCCESS && i < info->parameter_count; i++)
		if (info->parameters[i].shape == WT_SHAPE_OUT && info->parameters[i].is_handle)
			keep_made(&info->parameters[i], places[i].number);
	if (function == WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT && !choices[1].null &&
	    !choices[2].null && status == AMD_DBGAPI_STATUS_SUCCESS && places[1].number &&
	    every.event_count < COUNT(every.events))
		every.events[every.event_count++] = places[1].number;
	print_notifier();
	putchar('\n');
	every_print_callbacks();
	for (size_t i = 0; i < info->parameter_count; i++)
		free(places[i].buffer);
	return status;
}
