/* SPDX-License-Identifier: MIT */
#include "recorder/recording/question.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "dbgapi/client/marshal.h"
#include "recorder/recording/enumerator.h"
#include "recorder/recording/journal-value.h"
#include "recorder/recording/thread.h"
#include "trace-format/state/held.h"

uint64_t wt_question_client_thread(struct wt_recorder *recorder, const void *thread)
{
	uint64_t ordinal = 0;

	wt_ordinal(&recorder->ordinals.client_threads, (uintptr_t)thread, &ordinal);
	return ordinal;
}

static amd_dbgapi_status_t object_get_info(struct wt_recorder *recorder, enum wt_object object,
					   uint64_t handle, uint32_t query, size_t size,
					   void *value)
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
	    object_get_info(recorder, object, handle, query, info->size, &value) !=
		    AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	*number_ret = wt_value_load(&value, info->size == sizeof(value) ? info->size : 4, false);
	return true;
}

/* Puts what the trace holds in place of numbers that mean something in the recorded process only. */
static void disguise(struct wt_recorder *recorder, const struct wt_query *query, void *value)
{
	uint64_t ordinal;

	if (query->identity && recorder->options.reproducible)
		memset(value, 0, query->size);
	if (query->is_pointer) {
		ordinal = wt_question_client_thread(recorder, wt_value_load_pointer(value));
		memcpy(value, &ordinal, sizeof(ordinal));
	}
}

/* Does what wt_ask() does, between wt_own_begin() and wt_own_end(): once around many of them costs each less. */
static amd_dbgapi_status_t object_ask(struct wt_recorder *recorder, enum wt_object object,
				      uint64_t handle, const struct wt_query *query,
				      struct wt_buffer *buffer)
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

/* The same of a question that is plain: straight into @value, of the query's size. */
static amd_dbgapi_status_t ask_plain(struct wt_recorder *recorder, enum wt_object object,
				     uint64_t handle, const struct wt_query *query, uint8_t *value)
{
	amd_dbgapi_status_t status;

	memset(value, 0, query->size);
	status = wt_ask_get_info(&recorder->api, object, handle, query->value, query->size, value);
	if (status == AMD_DBGAPI_STATUS_SUCCESS && query->enumeration &&
	    query->size == sizeof(uint32_t))
		wt_enumerator_answered(recorder, query->enumeration,
				       (uint32_t)wt_value_load(value, query->size, false));
	return status;
}

/* One of them, behind what is in the buffer. */
static amd_dbgapi_status_t ask_one(struct wt_recorder *recorder, enum wt_object object,
				   uint64_t handle, const struct wt_question *question,
				   struct wt_buffer *buffer)
{
	const struct wt_query *query = question->query;
	amd_dbgapi_status_t status;
	uint8_t *value;

	if (!query->plain)
		return object_ask(recorder, object, handle, query, buffer);
	value = wt_buffer_extend(buffer, query->size);
	if (!value)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	status = ask_plain(recorder, object, handle, query, value);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		buffer->size -= query->size;
	return status;
}

amd_dbgapi_status_t wt_ask(struct wt_recorder *recorder, enum wt_object object, uint64_t handle,
			   const struct wt_query *query, struct wt_buffer *buffer)
{
	amd_dbgapi_status_t status;

	wt_own_begin();
	status = object_ask(recorder, object, handle, query, buffer);
	wt_own_end();
	return status;
}

struct wt_key wt_key_function(struct wt_recorder *recorder, enum wt_item_type type,
			      enum wt_function function, uint64_t owner)
{
	return (struct wt_key){.type = type,
			       .kind = wt_number_function(&recorder->numbers, function),
			       .owner = owner};
}

/* ---- All queries of an object ---- */

/*
 * A wave keeps some answers for its life, once they are known: where it came from, and what it is made of. All else is
 * asked again at each moment.
 */
static enum wt_lasting find_lasting(enum wt_object object, uint32_t query)
{
	if (object != WT_OBJECT_WAVE)
		return WT_LASTS_NOT;
	switch (query) {
	case AMD_DBGAPI_WAVE_INFO_WORKGROUP:
	case AMD_DBGAPI_WAVE_INFO_DISPATCH:
	case AMD_DBGAPI_WAVE_INFO_QUEUE:
	case AMD_DBGAPI_WAVE_INFO_AGENT:
	case AMD_DBGAPI_WAVE_INFO_PROCESS:
	case AMD_DBGAPI_WAVE_INFO_ARCHITECTURE:
	case AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP:
	case AMD_DBGAPI_WAVE_INFO_LANE_COUNT:
		return WT_LASTS_IF_SET;
	case AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD:
	case AMD_DBGAPI_WAVE_INFO_CLUSTER:
	case AMD_DBGAPI_WAVE_INFO_CLUSTER_COORD:
	case AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD_IN_CLUSTER:
		return WT_LASTS_IN_DISPATCH;
	default:
		return WT_LASTS_NOT;
	}
}

/* The queries that the library has. A name that there is no memory for is looked for again the next time. */
static const struct wt_questions *find_questions(struct wt_recorder *recorder,
						 enum wt_object object)
{
	struct wt_questions *questions = &recorder->questions[object];
	const struct wt_object_info *info = &wt_objects[object];

	if (questions->complete)
		return questions;
	questions->count = 0;
	questions->complete = true;
	for (size_t i = 0; i < info->query_count && i < WT_MAX_QUERIES; i++) {
		const struct wt_query *query = &info->queries[i];
		struct wt_question *question = &questions->of[questions->count];

		if (query->result == WT_RESULT_CORE_STATE ||
		    !wt_api_has_query(&recorder->api, object, query))
			continue;
		*question = (struct wt_question){
			.query = query,
			.name = wt_number_query(&recorder->numbers, object, query),
			.lasting = find_lasting(object, query->value),
		};
		questions->count++;
		questions->complete &= question->name != 0;
	}
	return questions;
}

/* A null handle says that it is not known, and may be another answer later. */
static bool is_set(const struct wt_answer *answer)
{
	for (size_t i = 0; i < answer->size; i++)
		if (answer->value[i])
			return true;
	return false;
}

/* Is it known of which dispatch a wave is? Then so is its place there; that it has none is what its dispatch is like. */
static bool knows_dispatch(struct wt_recorder *recorder, const struct wt_item *wave)
{
	const struct wt_query *query = wt_query_find(WT_OBJECT_WAVE, AMD_DBGAPI_WAVE_INFO_DISPATCH);
	const struct wt_answer *answer =
		wt_item_answer(wave, wt_number_query(&recorder->numbers, WT_OBJECT_WAVE, query));

	return answer && answer->status == AMD_DBGAPI_STATUS_SUCCESS && is_set(answer);
}

/* Is the answer that a question had at the last moment the same now? */
static bool lasts(const struct wt_answer *answer, bool in_dispatch,
		  const struct wt_question *question)
{
	switch (question->lasting) {
	case WT_LASTS_NOT:
		return false;
	case WT_LASTS_IF_SET:
		return answer->status == AMD_DBGAPI_STATUS_SUCCESS && is_set(answer);
	case WT_LASTS_IN_DISPATCH:
		return in_dispatch && (answer->status == AMD_DBGAPI_STATUS_SUCCESS ||
				       answer->status == AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE);
	}
	return false;
}

/* That answer; NULL if it has to be asked for. @place: where it mostly is. */
static const struct wt_answer *find_known(const struct wt_item *known, bool in_dispatch,
					  const struct wt_question *question, size_t place)
{
	const struct wt_answer *answer;

	if (!known || question->lasting == WT_LASTS_NOT)
		return NULL;
	answer = place < known->answer_count && known->answers[place].query == question->name
			 ? &known->answers[place]
			 : wt_item_answer(known, question->name);
	return answer && lasts(answer, in_dispatch, question) ? answer : NULL;
}

/*
 * Ask the queries of a kind, as object_ask(). Their values are in recorder->scratch, or those of @known: the answers of the last
 * moment, or NULL.
 *
 * @first: so many of them are answered; the value of the last of these is at the start of the buffer if it has none.
 */
static struct wt_error *object_ask_all(struct wt_recorder *recorder, enum wt_object object,
				       uint64_t handle, const struct wt_item *known,
				       struct wt_answer answers[WT_MAX_QUERIES], size_t first,
				       size_t *count_ret)
{
	const struct wt_questions *questions = find_questions(recorder, object);
	bool in_dispatch = known && knows_dispatch(recorder, known);
	struct wt_buffer *buffer = &recorder->scratch;
	size_t offsets[WT_MAX_QUERIES] = {0};

	if (!first)
		wt_buffer_clear(buffer);
	wt_own_begin();
	for (size_t i = first; i < questions->count; i++) {
		const struct wt_question *question = &questions->of[i];
		const struct wt_answer *before = find_known(known, in_dispatch, question, i);

		if (before) {
			answers[i] = *before;
			continue;
		}
		offsets[i] = buffer->size;
		answers[i].query = question->name;
		answers[i].status = ask_one(recorder, object, handle, question, buffer);
		answers[i].size = buffer->size - offsets[i];
		answers[i].value = NULL;
	}
	wt_own_end();
	if (buffer->failed)
		return &wt_error_no_memory;
	/* Answers lie in the buffer, which has its place by now. */
	for (size_t i = 0; i < questions->count; i++)
		if (!answers[i].value && answers[i].size)
			answers[i].value = buffer->data + offsets[i];
	*count_ret = questions->count;
	return NULL;
}

/* ---- Objects that were asked at the last moment ---- */

/* Do the answers of an item have the same questions, in their order? */
static bool has_questions(const struct wt_item *item, const struct wt_questions *questions)
{
	if (!questions->complete || item->answer_count != questions->count)
		return false;
	for (size_t i = 0; i < questions->count; i++)
		if (item->answers[i].query != questions->of[i].name)
			return false;
	return true;
}

/*
 * An object that is asked again: the item that it had, or once an answer differs a copy of it, in which the answers are
 * put that are as long as they were.
 */
struct again {
	struct wt_held_item *known, *copy;
	size_t count;		    /* of questions that are answered */
	amd_dbgapi_status_t status; /* of one more, whose value in the buffer has another length */
};

/* Return: whether the answer is in the item. */
static bool put_again(struct again *again, amd_dbgapi_status_t status,
		      const struct wt_buffer *value)
{
	struct wt_answer *answer = &again->known->item.answers[again->count];

	if (value->size != answer->size)
		return false;
	if (status == answer->status && wt_same_bytes(value->data, answer->value, value->size))
		return true;
	if (!again->copy)
		again->copy = wt_held_item_clone(again->known);
	if (!again->copy)
		return false;
	answer = &again->copy->item.answers[again->count];
	answer->status = status;
	if (value->size)
		memcpy((uint8_t *)(uintptr_t)answer->value, value->data, value->size);
	return true;
}

/* Until an answer has another length, or there is no memory: then all from there on are asked as of a new object. */
static void ask_again(struct wt_recorder *recorder, enum wt_object object, uint64_t handle,
		      const struct wt_questions *questions, struct again *again)
{
	const struct wt_answer *answers = again->known->item.answers;
	struct wt_buffer *buffer = &recorder->scratch;
	bool in_dispatch =
		object == WT_OBJECT_WAVE && knows_dispatch(recorder, &again->known->item);

	wt_own_begin();
	for (; again->count < questions->count; again->count++) {
		const struct wt_question *question = &questions->of[again->count];

		if (lasts(&answers[again->count], in_dispatch, question))
			continue;
		wt_buffer_clear(buffer);
		again->status = ask_one(recorder, object, handle, question, buffer);
		if (buffer->failed || !put_again(again, again->status, buffer))
			break;
	}
	wt_own_end();
}

/* Takes the answers that are there by then, and one more; returns how many these are. */
static size_t take_answered(const struct wt_recorder *recorder, const struct again *again,
			    const struct wt_questions *questions, struct wt_answer *answers)
{
	const struct wt_held_item *held = again->copy ? again->copy : again->known;

	if (!held)
		return 0;
	memcpy(answers, held->item.answers, again->count * sizeof(*answers));
	answers[again->count] = (struct wt_answer){
		.query = questions->of[again->count].name,
		.status = again->status,
		.size = recorder->scratch.size,
	};
	return again->count + 1;
}

static struct wt_error *hold_again(struct wt_state *state, struct again *again,
				   const struct wt_item **item_ret)
{
	struct wt_held_item *held = again->copy ? again->copy : again->known;
	struct wt_error *error = wt_state_hold(state, held);

	*item_ret = &held->item;
	wt_held_item_release(again->copy);
	return error;
}

/* Its item of the last moment, as far as there is one. */
static struct wt_held_item *object_find_last(struct wt_session *session, enum wt_object object,
					     const struct wt_key *key)
{
	size_t *place = object == WT_OBJECT_WAVE ? &session->wave_place : &session->other_place;

	return session->state ? wt_state_held_near(session->state, key, place) : NULL;
}

struct wt_error *wt_take_object_item(struct wt_recorder *recorder, struct wt_state *state,
				     enum wt_object object, uint64_t handle,
				     const struct wt_item **item_ret)
{
	struct wt_answer answers[WT_MAX_QUERIES];
	struct wt_item item = {.key = wt_key_object(recorder, object, handle), .answers = answers};
	struct wt_held_item *last = object_find_last(&recorder->session, object, &item.key);
	/* After the key, so that the names of a trace have the order in which they are met in it. */
	const struct wt_questions *questions = find_questions(recorder, object);
	struct again again = {0};
	struct wt_error *error;

	if (last && has_questions(&last->item, questions)) {
		again.known = last;
		ask_again(recorder, object, handle, questions, &again);
		if (again.count == questions->count)
			return hold_again(state, &again, item_ret);
	}
	error = object_ask_all(
		recorder, object, handle, last && object == WT_OBJECT_WAVE ? &last->item : NULL,
		answers, take_answered(recorder, &again, questions, answers), &item.answer_count);
	if (!error)
		error = wt_state_put(state, &item, item_ret);
	wt_held_item_release(again.copy);
	return error;
}

struct wt_error *wt_take_object(struct wt_recorder *recorder, struct wt_state *state,
				enum wt_object object, uint64_t handle)
{
	const struct wt_item *item;

	return wt_take_object_item(recorder, state, object, handle, &item);
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

	error = object_ask_all(recorder, WT_OBJECT_EVENT, handle, NULL, answers, 0,
			       &event.answer_count);
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
