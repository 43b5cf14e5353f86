/* SPDX-License-Identifier: MIT */
#include "recorder/recording/question.h"

#include <stdlib.h>
#include <string.h>

#include "dbgapi/client/marshal.h"
#include "recorder/recording/enumerator.h"
#include "recorder/recording/thread.h"
#include "recorder/recording/value.h"

bool wt_question_is_pointer(const struct wt_query *query)
{
	return query->size == sizeof(void *) &&
	       !strcmp(query->type, "amd_dbgapi_client_thread_id_t");
}

uint64_t wt_question_client_thread(struct wt_recorder *recorder, const void *thread)
{
	uint64_t ordinal = 0;

	wt_ordinal(&recorder->ordinals.client_threads, (uintptr_t)thread, &ordinal);
	return ordinal;
}

static amd_dbgapi_status_t get_info(struct wt_recorder *recorder, enum wt_object object,
				    uint64_t handle, uint32_t query, size_t size, void *value)
{
	amd_dbgapi_status_t status;

	wt_own_begin();
	status = wt_ask_get_info(&recorder->api, object, handle, query, size, value);
	wt_own_end();
	return status;
}

bool wt_ask_number(struct wt_recorder *recorder, enum wt_object object, uint64_t handle,
		   uint32_t query, uint64_t *number_ret)
{
	const struct wt_query *info = wt_query_find(object, query);
	uint64_t value = 0;

	if (!info || info->result != WT_RESULT_FIXED || info->size > sizeof(value) ||
	    get_info(recorder, object, handle, query, info->size, &value) !=
		    AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	*number_ret = wt_value_load(&value, info->size == sizeof(value) ? info->size : 4, false);
	return true;
}

/* What the trace holds in place of numbers that mean something in the recorded process only. */
static void disguise(struct wt_recorder *recorder, const struct wt_query *query, void *value)
{
	uint64_t ordinal;

	if (query->identity && recorder->options.reproducible)
		memset(value, 0, query->size);
	if (wt_question_is_pointer(query)) {
		ordinal = wt_question_client_thread(recorder, wt_value_load_pointer(value));
		memcpy(value, &ordinal, sizeof(ordinal));
	}
}

amd_dbgapi_status_t wt_ask(struct wt_recorder *recorder, enum wt_object object, uint64_t handle,
			   const struct wt_query *query, struct wt_buffer *buffer)
{
	_Alignas(16) uint8_t value[64] = {0};
	amd_dbgapi_status_t status;
	uint64_t length = 0;

	/* The core state is not for us to ask: it wants the process frozen, and is as large as memory. */
	if (query->result == WT_RESULT_CORE_STATE || query->size > sizeof(value))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	status = get_info(recorder, object, handle, query->value, query->size, value);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (query->enumeration && query->size == sizeof(uint32_t))
		wt_enumerator_answered(recorder, query->enumeration,
				       (uint32_t)wt_value_load(value, query->size, false));
	disguise(recorder, query, value);
	if (query->result == WT_RESULT_BYTES &&
	    !wt_ask_number(recorder, object, handle, query->length_of, &length))
		status = AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	else
		wt_marshal_result(query, value, (size_t)length, buffer);
	wt_marshal_release(query, value);
	return status;
}

struct wt_key wt_key_object(struct wt_recorder *recorder, enum wt_object object, uint64_t handle)
{
	return (struct wt_key){.type = WT_ITEM_OBJECT,
			       .kind = wt_number_object(&recorder->numbers, object),
			       .owner = handle};
}

struct wt_key wt_key_function(struct wt_recorder *recorder, enum wt_item_type type,
			      enum wt_function function, uint64_t owner)
{
	return (struct wt_key){.type = type,
			       .kind = wt_number_function(&recorder->numbers, function),
			       .owner = owner};
}

struct wt_key wt_key_plain(enum wt_item_type type, uint64_t owner)
{
	return (struct wt_key){.type = type, .owner = owner};
}

/* Ask all queries of a kind. The values point into @buffer. */
static struct wt_error *ask_all(struct wt_recorder *recorder, enum wt_object object,
				uint64_t handle, struct wt_buffer *buffer,
				struct wt_answer answers[WT_MAX_QUERIES], size_t *count_ret)
{
	const struct wt_object_info *info = &wt_objects[object];
	size_t count = 0, offsets[WT_MAX_QUERIES];

	for (size_t i = 0; i < info->query_count && i < WT_MAX_QUERIES; i++) {
		const struct wt_query *query = &info->queries[i];

		if (query->result == WT_RESULT_CORE_STATE ||
		    !wt_api_has_query(&recorder->api, object, query))
			continue;
		offsets[count] = buffer->size;
		answers[count] = (struct wt_answer){
			.query = wt_number_query(&recorder->numbers, object, query),
			.status = wt_ask(recorder, object, handle, query, buffer),
		};
		answers[count].size = buffer->size - offsets[count];
		count++;
	}
	if (buffer->failed)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count; i++)
		answers[i].value = answers[i].size ? buffer->data + offsets[i] : NULL;
	*count_ret = count;
	return NULL;
}

struct wt_error *wt_take_object(struct wt_recorder *recorder, struct wt_state *state,
				enum wt_object object, uint64_t handle)
{
	struct wt_answer answers[WT_MAX_QUERIES];
	struct wt_item item = {.key = wt_key_object(recorder, object, handle), .answers = answers};
	struct wt_error *error;

	wt_buffer_clear(&recorder->scratch);
	/* Around all of them, so that it costs each less. */
	wt_own_begin();
	error = ask_all(recorder, object, handle, &recorder->scratch, answers, &item.answer_count);
	wt_own_end();
	return error ? error : wt_state_set(state, &item);
}

struct wt_error *wt_take_event(struct wt_recorder *recorder, uint64_t handle, uint32_t kind,
			       struct wt_event *event_ret)
{
	struct wt_answer answers[WT_MAX_QUERIES];
	struct wt_event event = {.handle = handle, .kind = kind};
	struct wt_error *error;
	size_t count;

	wt_buffer_clear(&recorder->scratch);
	error = ask_all(recorder, WT_OBJECT_EVENT, handle, &recorder->scratch, answers, &count);
	if (error)
		return error;
	event.answers = calloc(count, sizeof(*event.answers));
	if (!event.answers)
		return &wt_error_no_memory;
	for (; event.answer_count < count; event.answer_count++) {
		struct wt_answer *answer = &event.answers[event.answer_count];
		uint8_t *value = malloc(answers[event.answer_count].size + 1);

		if (!value) {
			while (event.answer_count)
				free((void *)(uintptr_t)event.answers[--event.answer_count].value);
			free(event.answers);
			return &wt_error_no_memory;
		}
		*answer = answers[event.answer_count];
		if (answer->size)
			memcpy(value, answer->value, answer->size);
		answer->value = value;
	}
	*event_ret = event;
	return NULL;
}

struct wt_error *wt_take_list(struct wt_recorder *recorder, struct wt_state *state,
			      enum wt_function function, uint64_t owner, size_t *count_ret,
			      uint64_t **handles_ret)
{
	struct wt_item item = {.key = wt_key_function(recorder, WT_ITEM_LIST, function, owner)};
	struct wt_error *error;

	wt_own_begin();
	item.status =
		wt_ask_list(&recorder->api, function, owner, &item.handle_count, &item.handles);
	wt_own_end();
	if (item.status != AMD_DBGAPI_STATUS_SUCCESS) {
		item.handles = NULL;
		item.handle_count = 0;
	}
	error = wt_state_set(state, &item);
	if (error) {
		free(item.handles);
		return error;
	}
	*count_ret = item.handle_count;
	*handles_ret = item.handles;
	return NULL;
}

struct wt_error *wt_take_objects(struct wt_recorder *recorder, struct wt_state *state,
				 enum wt_object object, uint64_t owner, size_t *count_ret,
				 uint64_t **handles_ret)
{
	uint64_t *handles = NULL;
	struct wt_error *error;
	size_t count = 0;

	error = wt_take_list(recorder, state, wt_objects[object].list, owner, &count, &handles);
	for (size_t i = 0; !error && i < count; i++)
		error = wt_take_object(recorder, state, object, handles[i]);
	if (!error && handles_ret) {
		*count_ret = count;
		*handles_ret = handles;
		return NULL;
	}
	free(handles);
	return error;
}

struct wt_error *wt_take_bytes(struct wt_state *state, const struct wt_item *item, const void *data,
			       size_t size)
{
	struct wt_item with_bytes = *item;
	struct wt_error *error;

	with_bytes.bytes = wt_bytes_create(data, size);
	if (!with_bytes.bytes)
		return &wt_error_no_memory;
	error = wt_state_set(state, &with_bytes);
	wt_bytes_release(with_bytes.bytes);
	return error;
}
