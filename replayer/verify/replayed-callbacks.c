/* SPDX-License-Identifier: MIT */
/*
 * The client that a recorded library had, as far as its callbacks go: each answers what the
 * recorded one answered at that place, and says so if the library called it otherwise than then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "replayer/verify/internal.h"
#include "replayer/verify/verify.h"

/* Callbacks have no context: one journal is driven at a time. */
static struct wt_driver *current;

static const char *callback_name(int kind)
{
	if (kind < WT_CALLBACK_COUNT)
		return wt_callback_names[kind];
	return kind == WT_CALLBACK_SYMBOLIZER ? "symbolizer" : "unknown";
}

static void difference(const char *what, char *recorded, char *replayed)
{
	wt_differences_add(&current->result->differences, current->call->number,
			   wt_functions[current->call->function].name, what, recorded, replayed);
}

/*
 * Callbacks by which a library reads the process that it debugs, or a core of it. A replay from state has no such
 * process; one in step makes the client read its core as it did then.
 */
static bool is_reading(const struct wt_whole_call *call, const struct wt_whole_callback *callback)
{
	switch (callback->kind) {
	case WT_CALLBACK_XFER_GLOBAL_MEMORY:
		return true;
	case WT_CALLBACK_CLIENT_PROCESS_GET_INFO:
		return callback->input_count > 1 &&
		       callback->inputs[1].number == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE;
	case WT_CALLBACK_DEALLOCATE_MEMORY: /* of the core state */
		return call->function == WT_FUNCTION_PROCESS_ATTACH;
	default:
		return false;
	}
}

/*
 * A breakpoint in the host program. Which ones there were is in newer traces alone, and one that the client
 * refused, or that it only removed because the library was finalized, is not asked for again.
 */
static bool callback_is_breakpoint(int kind)
{
	return kind == WT_CALLBACK_INSERT_BREAKPOINT || kind == WT_CALLBACK_REMOVE_BREAKPOINT;
}

/* Is it about a process that is a core dump? The client names its process first. */
static bool is_of_core(const struct wt_whole_callback *callback)
{
	for (size_t i = 0; i < current->core_count; i++)
		if (callback->input_count && current->cores[i].client == callback->inputs[0].number)
			return true;
	return false;
}

/* Is it a callback that is not made again, or need not be? @kind: of what was called now; -1 for none. */
static bool is_passed_over(const struct wt_whole_callback *callback, int kind)
{
	const struct wt_whole_call *call = current->call;

	if (!current->from_state)
		return callback->kind == WT_CALLBACK_XFER_GLOBAL_MEMORY && !is_of_core(callback) &&
		       !wt_whole_call_gives_core(call);
	/* Log messages are compared on their own. */
	return callback->kind == WT_CALLBACK_LOG_MESSAGE || is_reading(call, callback) ||
	       (callback->kind != kind && callback_is_breakpoint(callback->kind));
}

static const struct wt_whole_callback *callback_next_recorded(int kind)
{
	const struct wt_whole_call *call = current->call;

	for (; current->next_callback < call->callback_count; current->next_callback++) {
		const struct wt_whole_callback *next = &call->callbacks[current->next_callback];

		if (!is_passed_over(next, kind))
			break;
	}
	return current->next_callback < call->callback_count
		       ? &call->callbacks[current->next_callback]
		       : NULL;
}

/*
 * The room that a library asks for is its own affair, as long as what it gives fits in: AMD's asks for all registers of an
 * architecture before it counts those of a wave. What was given is compared as the call's output.
 */
static bool is_spare_room(const struct wt_whole_callback *recorded, const struct wt_value *replayed)
{
	return current->from_state && recorded->kind == WT_CALLBACK_ALLOCATE_MEMORY &&
	       recorded->input_count == 1 && recorded->inputs[0].form == WT_VALUE_NUMBER &&
	       recorded->inputs[0].number > replayed->number;
}

static void compare_inputs(const struct wt_whole_callback *recorded, const struct wt_value *inputs,
			   size_t count)
{
	char what[96];

	for (size_t i = 0; i < count; i++) {
		const struct wt_value absent = {.form = WT_VALUE_ABSENT};
		const struct wt_value *then =
			i < recorded->input_count ? &recorded->inputs[i] : &absent;

		current->result->bytes +=
			inputs[i].form == WT_VALUE_DATA ? inputs[i].size : sizeof(uint64_t);
		if (wt_value_equal(then, &inputs[i]) || is_spare_room(recorded, &inputs[i]))
			continue;
		snprintf(what, sizeof(what), "callback %s: input %zu",
			 callback_name(recorded->kind), i);
		wt_differences_add_values(&current->result->differences, current->call->number,
					  wt_functions[current->call->function].name, what, then,
					  &inputs[i]);
	}
}

/*
 * The recorded callback that a callback of the replaying library corresponds to; NULL if none does.
 */
static const struct wt_whole_callback *callback_match(int kind, const struct wt_value *inputs,
						      size_t count)
{
	const struct wt_whole_callback *recorded;

	if (!current || !current->call)
		return NULL;
	recorded = callback_next_recorded(kind);
	current->result->callbacks++;
	if (!recorded || recorded->kind != kind) {
		difference("callback",
			   wt_text("%s", recorded ? callback_name(recorded->kind) : "no callback"),
			   wt_text("%s", callback_name(kind)));
		return NULL;
	}
	compare_inputs(recorded, inputs, count);
	current->next_callback++;
	return recorded;
}

static struct wt_value data(const void *bytes, size_t size)
{
	return bytes ? (struct wt_value){.form = WT_VALUE_DATA, .data = bytes, .size = size}
		     : (struct wt_value){.form = WT_VALUE_ABSENT};
}

static const struct wt_value *callback_output(const struct wt_whole_callback *recorded,
					      size_t index)
{
	static const struct wt_value absent = {.form = WT_VALUE_ABSENT};

	return recorded && index < recorded->output_count ? &recorded->outputs[index] : &absent;
}

static void *driver_allocation_make(size_t size)
{
	struct wt_allocation *allocation = current ? malloc(sizeof(*allocation)) : NULL;
	void *memory = malloc(size ? size : 1);

	if (!allocation || !memory) {
		free(allocation);
		free(memory);
		return NULL;
	}
	*allocation = (struct wt_allocation){
		.next = current->allocations,
		.memory = memory,
		.size = size,
	};
	current->allocations = allocation;
	return memory;
}

static void *driver_allocate_memory(size_t byte_size)
{
	const struct wt_value inputs[] = {wt_value_number(byte_size)};
	const struct wt_whole_callback *recorded =
		callback_match(WT_CALLBACK_ALLOCATE_MEMORY, inputs, 1);

	/* A client that gave nothing gives nothing again. */
	return recorded && !recorded->result ? NULL : driver_allocation_make(byte_size);
}

static void driver_allocation_release(void *memory)
{
	struct wt_allocation **link = &current->allocations;

	while (*link && (*link)->memory != memory)
		link = &(*link)->next;
	if (*link) {
		struct wt_allocation *found = *link;

		*link = found->next;
		free(found);
	}
	free(memory);
}

static void driver_deallocate_memory(void *memory)
{
	const struct wt_value inputs[] = {wt_value_pointer(memory != NULL)};

	callback_match(WT_CALLBACK_DEALLOCATE_MEMORY, inputs, 1);
	if (current)
		driver_allocation_release(memory);
}

static bool give_core_state(const struct wt_value *answer, void *value)
{
	amd_dbgapi_core_state_data_t core = {0};
	struct wt_cursor cursor = wt_cursor_init(answer->data, answer->size);
	uint32_t endianness;
	void *copy;

	if (!wt_cursor_u32(&cursor, &endianness))
		return false;
	copy = driver_allocation_make(cursor.remaining);
	if (!copy)
		return false;
	if (cursor.remaining)
		memcpy(copy, cursor.data, cursor.remaining);
	core.endianness = (amd_dbgapi_endianness_t)endianness;
	core.size = cursor.remaining;
	core.data = copy;
	memcpy(value, &core, sizeof(core));
	return true;
}

static amd_dbgapi_status_t driver_process_get_info(amd_dbgapi_client_process_id_t client_process_id,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	const struct wt_value inputs[] = {
		wt_value_number((uintptr_t)client_process_id), wt_value_number((uint32_t)query),
		wt_value_number(value_size), wt_value_pointer(value != NULL)};
	const struct wt_whole_callback *recorded =
		callback_match(WT_CALLBACK_CLIENT_PROCESS_GET_INFO, inputs, 4);
	const struct wt_value *answer = callback_output(recorded, 0);

	if (!recorded)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (recorded->result != AMD_DBGAPI_STATUS_SUCCESS || !value)
		return (amd_dbgapi_status_t)recorded->result;
	if (answer->form != WT_VALUE_DATA)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (query == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE &&
	    value_size == sizeof(amd_dbgapi_core_state_data_t))
		return give_core_state(answer, value) ? AMD_DBGAPI_STATUS_SUCCESS
						      : AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (answer->size != value_size)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, answer->data, answer->size);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t status_of(const struct wt_whole_callback *recorded)
{
	return recorded ? (amd_dbgapi_status_t)recorded->result : AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t
driver_insert_breakpoint(amd_dbgapi_client_process_id_t client_process_id,
			 amd_dbgapi_global_address_t address,
			 amd_dbgapi_breakpoint_id_t breakpoint_id)
{
	const struct wt_value inputs[] = {wt_value_number((uintptr_t)client_process_id),
					  wt_value_number(address),
					  wt_value_number(breakpoint_id.handle)};

	return status_of(callback_match(WT_CALLBACK_INSERT_BREAKPOINT, inputs, 3));
}

static amd_dbgapi_status_t
driver_remove_breakpoint(amd_dbgapi_client_process_id_t client_process_id,
			 amd_dbgapi_breakpoint_id_t breakpoint_id)
{
	const struct wt_value inputs[] = {wt_value_number((uintptr_t)client_process_id),
					  wt_value_number(breakpoint_id.handle)};

	return status_of(callback_match(WT_CALLBACK_REMOVE_BREAKPOINT, inputs, 2));
}

static amd_dbgapi_status_t
driver_xfer_global_memory(amd_dbgapi_client_process_id_t client_process_id,
			  amd_dbgapi_global_address_t global_address, amd_dbgapi_size_t *value_size,
			  void *read_buffer, const void *write_buffer)
{
	const struct wt_value inputs[] = {
		wt_value_number((uintptr_t)client_process_id), wt_value_number(global_address),
		value_size ? wt_value_number(*value_size) : wt_value_absent(),
		wt_value_pointer(read_buffer != NULL),
		data(write_buffer, value_size ? *value_size : 0)};
	const struct wt_whole_callback *recorded =
		callback_match(WT_CALLBACK_XFER_GLOBAL_MEMORY, inputs, 5);
	const struct wt_value *bytes = callback_output(recorded, 1);

	if (!recorded)
		return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
	if (bytes->form == WT_VALUE_DATA && read_buffer && value_size && bytes->size <= *value_size)
		memcpy(read_buffer, bytes->data, bytes->size);
	if (value_size && callback_output(recorded, 0)->form == WT_VALUE_NUMBER &&
	    callback_output(recorded, 0)->number <= *value_size)
		*value_size = callback_output(recorded, 0)->number;
	return (amd_dbgapi_status_t)recorded->result;
}

static void driver_log_message(amd_dbgapi_log_level_t level, const char *message)
{
	const struct wt_value inputs[] = {wt_value_number((uint32_t)level),
					  data(message, message ? strlen(message) : 0)};

	if (current && current->from_state)
		wt_logs_add(&current->replayed_logs, (uint32_t)level, message ? message : "");
	else if (current && current->call)
		callback_match(WT_CALLBACK_LOG_MESSAGE, inputs, 2);
}

amd_dbgapi_status_t wt_driver_symbolizer(amd_dbgapi_symbolizer_id_t id,
					 amd_dbgapi_global_address_t address, char **symbol_text)
{
	const struct wt_value inputs[] = {wt_value_number((uintptr_t)id), wt_value_number(address),
					  wt_value_pointer(symbol_text != NULL)};
	const struct wt_whole_callback *recorded =
		callback_match(WT_CALLBACK_SYMBOLIZER, inputs, 3);
	const struct wt_value *text = callback_output(recorded, 0);

	if (!recorded)
		return AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND;
	if (text->form == WT_VALUE_DATA && symbol_text) {
		*symbol_text = driver_allocation_make(text->size + 1);
		if (!*symbol_text)
			return AMD_DBGAPI_STATUS_ERROR;
		memcpy(*symbol_text, text->data, text->size);
		(*symbol_text)[text->size] = '\0';
	}
	return (amd_dbgapi_status_t)recorded->result;
}

amd_dbgapi_callbacks_t *wt_driver_callbacks(uint64_t bits)
{
	static amd_dbgapi_callbacks_t callbacks;

#define GIVEN(callback, kind) ((bits >> (kind)) & 1 ? (callback) : NULL)
	callbacks = (amd_dbgapi_callbacks_t){
		.allocate_memory = GIVEN(driver_allocate_memory, WT_CALLBACK_ALLOCATE_MEMORY),
		.deallocate_memory = GIVEN(driver_deallocate_memory, WT_CALLBACK_DEALLOCATE_MEMORY),
		.client_process_get_info =
			GIVEN(driver_process_get_info, WT_CALLBACK_CLIENT_PROCESS_GET_INFO),
		.insert_breakpoint = GIVEN(driver_insert_breakpoint, WT_CALLBACK_INSERT_BREAKPOINT),
		.remove_breakpoint = GIVEN(driver_remove_breakpoint, WT_CALLBACK_REMOVE_BREAKPOINT),
		.xfer_global_memory =
			GIVEN(driver_xfer_global_memory, WT_CALLBACK_XFER_GLOBAL_MEMORY),
		.log_message = GIVEN(driver_log_message, WT_CALLBACK_LOG_MESSAGE),
	};
#undef GIVEN
	return &callbacks;
}

void wt_driver_begin(struct wt_driver *driver)
{
	current = driver;
}

void wt_driver_end(struct wt_driver *driver)
{
	wt_logs_deinit(&driver->recorded_logs);
	wt_logs_deinit(&driver->replayed_logs);
	current = NULL;
}

void wt_driver_settle(struct wt_driver *driver)
{
	const struct wt_whole_callback *recorded;

	while ((recorded = callback_next_recorded(-1))) {
		difference("callback", wt_text("%s", callback_name(recorded->kind)),
			   wt_text("no callback"));
		driver->next_callback++;
	}
	while (driver->allocations)
		driver_allocation_release(driver->allocations->memory);
}

void wt_logs_add(struct wt_logs *logs, uint32_t level, const char *text)
{
	if (logs->count == logs->capacity) {
		size_t capacity = logs->capacity ? 2 * logs->capacity : 16;
		struct wt_logged *grown =
			reallocarray(logs->messages, capacity, sizeof(*logs->messages));

		if (!grown) {
			logs->failed = true;
			return;
		}
		logs->messages = grown;
		logs->capacity = capacity;
	}
	logs->messages[logs->count] = (struct wt_logged){.level = level, .text = strdup(text)};
	if (logs->messages[logs->count].text)
		logs->count++;
	else
		logs->failed = true;
}

void wt_logs_deinit(struct wt_logs *logs)
{
	for (size_t i = 0; i < logs->count; i++)
		free(logs->messages[i].text);
	free(logs->messages);
	memset(logs, 0, sizeof(*logs));
}
