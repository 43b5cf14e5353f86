/* SPDX-License-Identifier: MIT */
#include "replayer/library/repeat.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "dbgapi/client/marshal.h"
#include "replayer/library/keep.h"

/* A transfer is passed on to the client up to this size; no library reads more of a core at once. */
#define LONGEST_TRANSFER ((uint64_t)16 << 20)

static const struct wt_value absent = {.form = WT_VALUE_ABSENT};

static const struct wt_value *callback_input(const struct wt_whole_callback *callback, size_t index)
{
	return index < callback->input_count ? &callback->inputs[index] : &absent;
}

/* ---- Is all there that has to be told? ---- */

/* An output that is memory of the client's, and how much of it. */
static bool needs_block(const struct wt_whole_call *call, const struct wt_parameter *parameter,
			const struct wt_value *value, size_t *size_ret)
{
	const struct wt_query *query = NULL;

	if (value->form != WT_VALUE_DATA)
		return false;
	*size_ret = value->size;
	switch (parameter->shape) {
	case WT_SHAPE_OUT_STRING:
		*size_ret = value->size + 1;
		return true;
	case WT_SHAPE_OUT_ARRAY:
	case WT_SHAPE_OUT_MEMORY:
	case WT_SHAPE_OUT_INFORMATION:
		return true;
	case WT_SHAPE_OUT_QUERY:
		query = wt_query_find(wt_functions[call->function].object,
				      (uint32_t)call->inputs[parameter->query_index].number);
		break;
	default:
		break;
	}
	if (!query || query->result == WT_RESULT_FIXED)
		return false;
	if (query->result == WT_RESULT_STRING)
		*size_ret = value->size + 1;
	if (query->result == WT_RESULT_CORE_STATE)
		*size_ret = value->size - sizeof(uint32_t);
	return true;
}

static bool is_whole_query(const struct wt_whole_call *call, const struct wt_parameter *parameter,
			   const struct wt_value *value)
{
	const struct wt_query *query =
		wt_query_find(wt_functions[call->function].object,
			      (uint32_t)call->inputs[parameter->query_index].number);
	bool failed = call->status != AMD_DBGAPI_STATUS_SUCCESS;

	if (value->form != WT_VALUE_DATA || !query ||
	    call->inputs[parameter->length_index].number != query->size)
		return false;
	switch (query->result) {
	case WT_RESULT_FIXED:
		return value->size == query->size;
	case WT_RESULT_HANDLES:
		return !failed && value->size % sizeof(uint64_t) == 0;
	case WT_RESULT_CORE_STATE:
		return !failed && value->size >= sizeof(uint32_t);
	default:
		return !failed;
	}
}

/* The bytes that the client's buffer takes, as it said: the call matches, so that it says the same now. */
static uint64_t room(const struct wt_whole_call *call, const struct wt_parameter *parameter)
{
	return parameter->length_index < 0 ? 0 : call->inputs[parameter->length_index].number;
}

static bool is_whole_output(const struct wt_whole_call *call, const struct wt_parameter *parameter,
			    const struct wt_value *value)
{
	if (value->form == WT_VALUE_ABSENT)
		return true;
	switch (parameter->shape) {
	case WT_SHAPE_OUT:
	case WT_SHAPE_INOUT:
		return value->form == WT_VALUE_NUMBER;
	case WT_SHAPE_OUT_BYTES:
		return value->form == WT_VALUE_DATA && value->size <= room(call, parameter);
	case WT_SHAPE_OUT_QUERY:
		return is_whole_query(call, parameter, value);
	default:
		return value->form == WT_VALUE_DATA ||
		       (value->form == WT_VALUE_PRESENT && !value->number);
	}
}

/* Does the client give the library something to read in it, which it gets back? */
static bool lends(const struct wt_whole_callback *callback)
{
	if (callback->kind == WT_CALLBACK_SYMBOLIZER)
		return callback->output_count && callback->outputs[0].form == WT_VALUE_DATA;
	return callback->kind == WT_CALLBACK_CLIENT_PROCESS_GET_INFO &&
	       callback_input(callback, 1)->number == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE &&
	       callback->result == AMD_DBGAPI_STATUS_SUCCESS;
}

/* Counts the blocks of memory given by the client in the call that it did not get back, with their sizes. */
static bool count_blocks(const struct wt_whole_call *call, size_t sizes[WT_REPEAT_BLOCKS],
			 size_t *count_ret)
{
	size_t count = 0, lent = 0;

	for (size_t i = 0; i < call->callback_count; i++) {
		const struct wt_whole_callback *callback = &call->callbacks[i];

		if (callback->kind == WT_CALLBACK_UNKNOWN || count == WT_REPEAT_BLOCKS ||
		    lent == WT_REPEAT_BLOCKS)
			return false;
		lent += lends(callback);
		if (callback->kind == WT_CALLBACK_ALLOCATE_MEMORY && callback->result)
			sizes[count++] = callback_input(callback, 0)->number;
		if (callback->kind != WT_CALLBACK_DEALLOCATE_MEMORY)
			continue;
		if (lent)
			lent--;
		else
			count -= count > 0;
	}
	*count_ret = count;
	return true;
}

bool wt_repeat_is_whole(const struct wt_whole_call *call)
{
	const struct wt_function_info *info = &wt_functions[call->function];
	size_t sizes[WT_REPEAT_BLOCKS], count, used = 0, output = 0, size;

	if (!count_blocks(call, sizes, &count))
		return false;
	for (size_t i = 0; i < info->parameter_count; i++) {
		const struct wt_parameter *parameter = &info->parameters[i];
		const struct wt_value *value;

		if (!wt_shape_is_output(parameter->shape))
			continue;
		value = output < call->output_count ? &call->outputs[output] : &absent;
		output++;
		if (!is_whole_output(call, parameter, value))
			return false;
		if (!needs_block(call, parameter, value, &size))
			continue;
		if (used == count || sizes[count - 1 - used] < size)
			return false;
		used++;
	}
	return true;
}

/* ---- Callbacks ---- */

static bool repeat_allocate(struct wt_repeat *repeat, const struct wt_whole_callback *callback)
{
	size_t size = callback_input(callback, 0)->number;
	void *memory = repeat->callbacks->allocate_memory(size);

	if (memory && repeat->block_count < WT_REPEAT_BLOCKS)
		repeat->blocks[repeat->block_count++] = (struct wt_repeat_block){memory, size};
	/* An allocation of no bytes may give a pointer or NULL. */
	return !size || (memory != NULL) == (callback->result != 0);
}

/* Lent memory goes back first; it was lent for the call. */
static void deallocate(struct wt_repeat *repeat, const struct wt_whole_callback *callback)
{
	void *memory = NULL;

	if (callback_input(callback, 0)->form != WT_VALUE_ABSENT) {
		if (repeat->lent_count) {
			memory = repeat->lent[0];
			repeat->lent_count--;
			memmove(repeat->lent, repeat->lent + 1,
				repeat->lent_count * sizeof(*repeat->lent));
		} else if (repeat->block_count) {
			memory = repeat->blocks[--repeat->block_count].memory;
		}
		/* The memory is of an earlier call, and the client knows it no more. */
		if (!memory)
			return;
	}
	repeat->callbacks->deallocate_memory(memory);
}

static void lend(struct wt_repeat *repeat, void *memory)
{
	if (memory && repeat->lent_count < WT_REPEAT_BLOCKS)
		repeat->lent[repeat->lent_count++] = memory;
}

static amd_dbgapi_client_process_id_t
callback_client_process(const struct wt_repeat *repeat, const struct wt_whole_callback *callback)
{
	const void *process =
		wt_identities_find(repeat->identities, "amd_dbgapi_client_process_id_t",
				   callback_input(callback, 0)->number);

	return (amd_dbgapi_client_process_id_t)(uintptr_t)process;
}

static bool is_answer(int64_t status)
{
	return status == AMD_DBGAPI_STATUS_SUCCESS ||
	       status == AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
}

/* A process that cannot be asked any more is another one; which one it is, or that it has no number, is the client's business. */
static bool ask_process(struct wt_repeat *repeat, const struct wt_whole_callback *callback)
{
	const amd_dbgapi_client_process_info_t query =
		(amd_dbgapi_client_process_info_t)callback_input(callback, 1)->number;
	size_t size = callback_input(callback, 2)->number;
	union {
		amd_dbgapi_os_process_id_t os_id;
		amd_dbgapi_core_state_data_t core;
		uint8_t bytes[64];
	} answer = {0};
	amd_dbgapi_status_t status;

	/* No library asks for an answer without a place for it, and no client expects that. */
	if (size > sizeof(answer) || callback_input(callback, 3)->form == WT_VALUE_ABSENT)
		return true;
	status = repeat->callbacks->client_process_get_info(
		callback_client_process(repeat, callback), query, size, &answer);
	if (query == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE) {
		if (status == AMD_DBGAPI_STATUS_SUCCESS)
			lend(repeat, (void *)(uintptr_t)answer.core.data);
		return true;
	}
	repeat->asked_os_id = true;
	repeat->has_os_id = status == AMD_DBGAPI_STATUS_SUCCESS;
	repeat->os_id = answer.os_id;
	return is_answer(status) == is_answer(callback->result);
}

static void note_breakpoint(struct wt_repeat *repeat, uint64_t handle, bool there)
{
	if (repeat->breakpoint_count < WT_REPEAT_BLOCKS)
		repeat->breakpoints[repeat->breakpoint_count++] =
			(struct wt_repeat_breakpoint){handle, there};
}

static void repeat_insert_breakpoint(struct wt_repeat *repeat,
				     const struct wt_whole_callback *callback)
{
	const amd_dbgapi_breakpoint_id_t id = {callback_input(callback, 2)->number};
	amd_dbgapi_status_t status = repeat->callbacks->insert_breakpoint(
		callback_client_process(repeat, callback), callback_input(callback, 1)->number, id);

	note_breakpoint(repeat, id.handle, status == AMD_DBGAPI_STATUS_SUCCESS);
}

static void repeat_remove_breakpoint(struct wt_repeat *repeat,
				     const struct wt_whole_callback *callback)
{
	const amd_dbgapi_breakpoint_id_t id = {callback_input(callback, 1)->number};

	repeat->callbacks->remove_breakpoint(callback_client_process(repeat, callback), id);
	note_breakpoint(repeat, id.handle, false);
}

/* A call may end several processes, each with callbacks of its own. */
static bool repeat_is_core(const struct wt_repeat *repeat, amd_dbgapi_client_process_id_t client)
{
	return repeat->core || repeat->is_core(client);
}

/* A transfer that a client can make: of memory in one direction, with all bytes there. Those of a redacted one are not. */
static bool is_transfer(const struct wt_value *size, const struct wt_value *read,
			const struct wt_value *written)
{
	if (size->form != WT_VALUE_NUMBER || size->number > LONGEST_TRANSFER)
		return false;
	return read->form != WT_VALUE_ABSENT
		       ? written->form == WT_VALUE_ABSENT
		       : written->form == WT_VALUE_DATA && written->size >= size->number;
}

/* The client of a core reads from it. The bytes are not looked at, since what came of them is known. */
static void repeat_transfer(struct wt_repeat *repeat, const struct wt_whole_callback *callback)
{
	const struct wt_value *written = callback_input(callback, 4);
	amd_dbgapi_size_t size = callback_input(callback, 2)->number;
	/* Nothing is written from somewhere, too. */
	const void *source = written->size ? (const void *)written->data : &size;
	wt_cleanup_free void *buffer = NULL;

	if (!repeat_is_core(repeat, callback_client_process(repeat, callback)) ||
	    !is_transfer(callback_input(callback, 2), callback_input(callback, 3), written))
		return;
	if (written->form == WT_VALUE_ABSENT) {
		buffer = malloc(size ? size : 1);
		if (!buffer)
			return;
	}
	repeat->callbacks->xfer_global_memory(callback_client_process(repeat, callback),
					      callback_input(callback, 1)->number, &size, buffer,
					      buffer ? NULL : source);
}

static void repeat_log_message(struct wt_repeat *repeat, const struct wt_whole_callback *callback)
{
	const struct wt_value *text = callback_input(callback, 1);
	amd_dbgapi_log_level_t level = (amd_dbgapi_log_level_t)callback_input(callback, 0)->number;
	wt_cleanup_free char *message = NULL;

	if (level > repeat->log_level || text->form != WT_VALUE_DATA)
		return;
	message = strndup(text->size ? (const char *)text->data : "", text->size);
	if (message)
		repeat->callbacks->log_message(level, message);
}

/* The answer has the client's own words in it. */
static bool repeat_symbolize(struct wt_repeat *repeat, const struct wt_whole_callback *callback)
{
	const struct wt_function_info *info = &wt_functions[repeat->call->function];
	const struct wt_value *then = callback->output_count ? &callback->outputs[0] : &absent;
	amd_dbgapi_status_t status;
	char *text = NULL;
	bool same;

	for (size_t i = 1; i < info->parameter_count; i++) {
		if (info->parameters[i].shape != WT_SHAPE_SYMBOLIZER ||
		    !repeat->arguments[i].symbolizer)
			continue;
		status = repeat->arguments[i].symbolizer(
			(amd_dbgapi_symbolizer_id_t)repeat->arguments[i - 1].pointer,
			callback_input(callback, 1)->number, &text);
		same = status == callback->result;
		if (then->form == WT_VALUE_DATA)
			same = same && text && strlen(text) == then->size &&
			       wt_same_bytes(text, then->data, then->size);
		lend(repeat, status == AMD_DBGAPI_STATUS_SUCCESS ? text : NULL);
		return same;
	}
	return true;
}

static bool repeat_callback(struct wt_repeat *repeat, const struct wt_whole_callback *callback)
{
	switch (callback->kind) {
	case WT_CALLBACK_ALLOCATE_MEMORY:
		return repeat_allocate(repeat, callback);
	case WT_CALLBACK_DEALLOCATE_MEMORY:
		deallocate(repeat, callback);
		return true;
	case WT_CALLBACK_CLIENT_PROCESS_GET_INFO:
		return ask_process(repeat, callback);
	case WT_CALLBACK_INSERT_BREAKPOINT:
		repeat_insert_breakpoint(repeat, callback);
		return true;
	case WT_CALLBACK_REMOVE_BREAKPOINT:
		repeat_remove_breakpoint(repeat, callback);
		return true;
	case WT_CALLBACK_XFER_GLOBAL_MEMORY:
		repeat_transfer(repeat, callback);
		return true;
	case WT_CALLBACK_LOG_MESSAGE:
		repeat_log_message(repeat, callback);
		return true;
	default:
		return repeat_symbolize(repeat, callback);
	}
}

static void repeat_give_back(struct wt_repeat *repeat)
{
	while (repeat->lent_count)
		repeat->callbacks->deallocate_memory(repeat->lent[--repeat->lent_count]);
	while (repeat->block_count)
		repeat->callbacks->deallocate_memory(repeat->blocks[--repeat->block_count].memory);
}

bool wt_repeat_callbacks(struct wt_repeat *repeat)
{
	const struct wt_whole_call *call = repeat->call;

	if (!repeat->callbacks)
		return true;
	for (size_t i = 0; i < call->callback_count; i++) {
		if (!repeat_callback(repeat, &call->callbacks[i])) {
			repeat_give_back(repeat);
			return false;
		}
	}
	return true;
}

/* ---- Outputs ---- */

static void output_number_store(void *place, const struct wt_parameter *parameter, uint64_t number)
{
	uint32_t narrow = (uint32_t)number;

	if (parameter->size == sizeof(narrow))
		memcpy(place, &narrow, sizeof(narrow));
	else
		memcpy(place, &number, sizeof(number));
}

/* The client's memory with bytes in it, and a NUL where there is room for one. */
static void *repeat_block_fill(struct wt_repeat *repeat, const void *data, size_t size)
{
	struct wt_repeat_block *block;

	if (!repeat->block_count)
		return NULL;
	block = &repeat->blocks[--repeat->block_count];
	if (size)
		memcpy(block->memory, data, size);
	return block->memory;
}

static void write_pointer(struct wt_repeat *repeat, void *place, const struct wt_value *value)
{
	void *memory = NULL;

	if (value->form == WT_VALUE_DATA)
		memory = repeat_block_fill(repeat, value->data, value->size);
	memcpy(place, &memory, sizeof(memory));
}

static void write_string(struct wt_repeat *repeat, void *place, const struct wt_value *value)
{
	char *memory = NULL;

	if (value->form == WT_VALUE_DATA) {
		memory = repeat_block_fill(repeat, value->data, value->size);
		if (memory)
			memory[value->size] = '\0';
	}
	memcpy(place, &memory, sizeof(memory));
}

static void write_query(struct wt_repeat *repeat, const struct wt_query *query, void *place,
			const struct wt_value *value)
{
	amd_dbgapi_watchpoint_list_t list = {0};
	uint32_t endianness;
	size_t size;

	switch (query->result) {
	case WT_RESULT_FIXED:
		memcpy(place, value->data, value->size);
		return;
	case WT_RESULT_STRING:
		write_string(repeat, place, value);
		return;
	case WT_RESULT_BYTES:
		write_pointer(repeat, place, value);
		return;
	case WT_RESULT_HANDLES:
		list.count = value->size / sizeof(uint64_t);
		list.watchpoint_ids = repeat_block_fill(repeat, value->data, value->size);
		memcpy(place, &list, sizeof(list));
		return;
	case WT_RESULT_CORE_STATE:
		memcpy(&endianness, value->data, sizeof(endianness));
		size = value->size - sizeof(endianness);
		wt_marshal_core_state(
			place, le32toh(endianness),
			repeat_block_fill(repeat, value->data + sizeof(endianness), size), size);
		return;
	}
}

static bool repeat_write_output(struct wt_repeat *repeat, size_t index,
				const struct wt_value *value)
{
	const struct wt_function_info *info = &wt_functions[repeat->call->function];
	const struct wt_parameter *parameter = &info->parameters[index];
	void *place = repeat->arguments[index].pointer;
	const char *text;

	if (!place || value->form == WT_VALUE_ABSENT)
		return true;
	switch (parameter->shape) {
	case WT_SHAPE_OUT:
	case WT_SHAPE_INOUT:
		output_number_store(place, parameter, value->number);
		return true;
	case WT_SHAPE_OUT_BYTES:
		if (value->size)
			memcpy(place, value->data, value->size);
		return true;
	case WT_SHAPE_OUT_QUERY:
		write_query(
			repeat,
			wt_query_find(info->object,
				      (uint32_t)repeat->arguments[parameter->query_index].number),
			place, value);
		return true;
	case WT_SHAPE_OUT_STRING:
		write_string(repeat, place, value);
		return true;
	case WT_SHAPE_OUT_STATIC_STRING:
		text = value->form == WT_VALUE_DATA ? wt_keep_text(value->data, value->size) : NULL;
		memcpy(place, &text, sizeof(text));
		return text || value->form != WT_VALUE_DATA;
	default:
		write_pointer(repeat, place, value);
		return true;
	}
}

bool wt_repeat_outputs(struct wt_repeat *repeat, const char **text_ret)
{
	const struct wt_whole_call *call = repeat->call;
	const struct wt_function_info *info = &wt_functions[call->function];
	bool done = true;
	size_t output = 0;

	for (size_t i = 0; i < info->parameter_count; i++) {
		if (!wt_shape_is_output(info->parameters[i].shape))
			continue;
		if (output < call->output_count)
			done = repeat_write_output(repeat, i, &call->outputs[output]) && done;
		output++;
	}
	if (info->returns != WT_RETURNS_STRING)
		return done;
	*text_ret = NULL;
	if (output < call->output_count && call->outputs[output].form == WT_VALUE_DATA) {
		*text_ret = wt_keep_text(call->outputs[output].data, call->outputs[output].size);
		done = *text_ret && done;
	}
	return done;
}
