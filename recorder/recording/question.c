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

/* As wt_ask(), between wt_own_begin() and wt_own_end(): once around many of them costs each less. */
static amd_dbgapi_status_t ask(struct wt_recorder *recorder, enum wt_object object, uint64_t handle,
			       const struct wt_query *query, struct wt_buffer *buffer)
{
	_Alignas(16) uint8_t value[64] = {0};
	amd_dbgapi_status_t status;
	uint64_t length = 0;

	/* The core state is not for us to ask: it wants the process frozen, and is as large as memory. */
	if (query->result == WT_RESULT_CORE_STATE || query->size > sizeof(value))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	status = wt_ask_get_info(&recorder->api, object, handle, query->value, query->size, value);
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

amd_dbgapi_status_t wt_ask(struct wt_recorder *recorder, enum wt_object object, uint64_t handle,
			   const struct wt_query *query, struct wt_buffer *buffer)
{
	amd_dbgapi_status_t status;

	wt_own_begin();
	status = ask(recorder, object, handle, query, buffer);
	wt_own_end();
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

/*
 * What an object has for its life, once it is known: of a wave where it came from, and what it is made of. All else is asked
 * again at each moment.
 */
static bool is_for_life(enum wt_object object, uint32_t query)
{
	if (object != WT_OBJECT_WAVE)
		return false;
	switch (query) {
	case AMD_DBGAPI_WAVE_INFO_WORKGROUP:
	case AMD_DBGAPI_WAVE_INFO_DISPATCH:
	case AMD_DBGAPI_WAVE_INFO_QUEUE:
	case AMD_DBGAPI_WAVE_INFO_AGENT:
	case AMD_DBGAPI_WAVE_INFO_PROCESS:
	case AMD_DBGAPI_WAVE_INFO_ARCHITECTURE:
	case AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP:
	case AMD_DBGAPI_WAVE_INFO_LANE_COUNT:
		return true;
	default:
		return false;
	}
}

/* A null handle says that it is not known, and may be another answer later. */
static bool is_set(const struct wt_answer *answer)
{
	for (size_t i = 0; i < answer->size; i++)
		if (answer->value[i])
			return true;
	return false;
}

/* The answer that a query had at the last moment, if it is the same now. @place: where it mostly is. */
static const struct wt_answer *find_known(const struct wt_item *known, enum wt_object object,
					  const struct wt_query *query, uint32_t name, size_t place)
{
	const struct wt_answer *answer;

	if (!known || !is_for_life(object, query->value))
		return NULL;
	answer = place < known->answer_count && known->answers[place].query == name
			 ? &known->answers[place]
			 : wt_item_answer(known, name);
	return answer && answer->status == AMD_DBGAPI_STATUS_SUCCESS && is_set(answer) ? answer
										       : NULL;
}

/* Ask all queries of a kind, as ask(). The values point into @buffer. @known: the answers of the last moment, or NULL. */
static struct wt_error *ask_all(struct wt_recorder *recorder, enum wt_object object,
				uint64_t handle, const struct wt_item *known,
				struct wt_buffer *buffer, struct wt_answer answers[WT_MAX_QUERIES],
				size_t *count_ret)
{
	const struct wt_object_info *info = &wt_objects[object];
	size_t count = 0, offsets[WT_MAX_QUERIES];

	for (size_t i = 0; i < info->query_count && i < WT_MAX_QUERIES; i++) {
		const struct wt_query *query = &info->queries[i];
		const struct wt_answer *before;

		if (query->result == WT_RESULT_CORE_STATE ||
		    !wt_api_has_query(&recorder->api, object, query))
			continue;
		offsets[count] = buffer->size;
		answers[count] = (struct wt_answer){
			.query = wt_number_query(&recorder->numbers, object, query)};
		before = find_known(known, object, query, answers[count].query, count);
		if (before)
			wt_buffer_append(buffer, before->value, before->size);
		else
			answers[count].status = ask(recorder, object, handle, query, buffer);
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
	struct wt_session *session = &recorder->session;
	const struct wt_item *known = NULL;
	struct wt_error *error;

	if (object == WT_OBJECT_WAVE && session->state)
		known = wt_state_get_near(session->state, &item.key, &session->wave_place);
	wt_buffer_clear(&recorder->scratch);
	wt_own_begin();
	error = ask_all(recorder, object, handle, known, &recorder->scratch, answers,
			&item.answer_count);
	wt_own_end();
	return error ? error : wt_state_set(state, &item);
}

/* A copy of answers and, behind them, of their values, in one piece; NULL without memory. */
static struct wt_answer *copy_answers(const struct wt_answer *answers, size_t count)
{
	size_t size = count * sizeof(*answers);
	struct wt_answer *copy;
	uint8_t *room;

	for (size_t i = 0; i < count; i++)
		size += answers[i].size;
	copy = malloc(size + 1);
	if (!copy)
		return NULL;
	room = (uint8_t *)copy;
	wt_answers_copy(&room, answers, count);
	return copy;
}

struct wt_error *wt_take_event(struct wt_recorder *recorder, uint64_t handle, uint32_t kind,
			       struct wt_event *event_ret)
{
	struct wt_answer answers[WT_MAX_QUERIES];
	struct wt_event event = {.handle = handle, .kind = kind};
	struct wt_error *error;

	wt_buffer_clear(&recorder->scratch);
	wt_own_begin();
	error = ask_all(recorder, WT_OBJECT_EVENT, handle, NULL, &recorder->scratch, answers,
			&event.answer_count);
	wt_own_end();
	if (error)
		return error;
	event.answers = copy_answers(answers, event.answer_count);
	if (!event.answers)
		return &wt_error_no_memory;
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
