/* SPDX-License-Identifier: MIT */
/* Learns what the client sets and takes away: watchpoints and displaced steppings, which no function lists, and precision. */

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "recorder/moment/hooks.h"
#include "recorder/moment/late.h"
#include "recorder/moment/memory-pages.h"
#include "recorder/moment/snapshot.h"
#include "recorder/recording/question.h"

/* Learns what the client's own calls show of objects: answers, lists, packets, and that an object is gone. */

static struct wt_error *late_removal(struct wt_recorder *recorder, const struct wt_key *key)
{
	wt_cleanup_state struct wt_state *more = wt_state_create();
	const struct wt_item item = {.key = *key, .removed = true};
	struct wt_error *error = more ? wt_state_set(more, &item) : &wt_error_no_memory;

	return error ? error : wt_late_write(recorder, more);
}

/* An object's answers, and one more, whose value is not in the recorder's scratch buffer. */
static struct wt_error *late_object_take_with(struct wt_recorder *recorder, struct wt_state *state,
					      enum wt_object object, uint64_t handle,
					      const struct wt_answer *more)
{
	const struct wt_key key = wt_key_object(recorder, object, handle);
	struct wt_error *error = wt_take_object(recorder, state, object, handle);
	const struct wt_item *taken = error ? NULL : wt_state_get(state, &key);
	struct wt_answer answers[WT_MAX_QUERIES + 1];
	struct wt_item item;

	if (!taken)
		return error;
	item = *taken;
	memcpy(answers, taken->answers, taken->answer_count * sizeof(*answers));
	answers[item.answer_count++] = *more;
	item.answers = answers;
	return wt_state_set(state, &item);
}

/*
 * The client has it, while the process is frozen; asking once more could give another. It is one more
 * answer of the process, until the next moment. That there is none to be had, of a core, is one, too.
 */
static void learn_core_state(struct wt_call *call, amd_dbgapi_status_t status, uint64_t process,
			     const struct wt_query *query, const struct wt_value *value)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_answer answer = {
		.query = wt_number_query(&recorder->numbers, WT_OBJECT_PROCESS, query),
		.status = status,
	};
	wt_cleanup_state struct wt_state *more = NULL;
	wt_cleanup_free uint8_t *data = NULL;
	struct wt_state *into;
	struct wt_error *error;

	if (!recorder->session.state)
		return;
	if (status == AMD_DBGAPI_STATUS_SUCCESS && value->form == WT_VALUE_DATA) {
		answer.size = value->size;
		answer.value = data = malloc(value->size + 1);
		if (data && value->size)
			memcpy(data, value->data, value->size);
	} else if (status != AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE) {
		return;
	}
	into = wt_late_target(call, &more);
	error = into && (data || !answer.size)
			? late_object_take_with(recorder, into, WT_OBJECT_PROCESS, process, &answer)
			: &wt_error_no_memory;
	if (!error && more)
		error = wt_late_write(recorder, more);
	wt_recorder_check(recorder, error);
}

static bool same_answer(const struct wt_answer *recorded, amd_dbgapi_status_t status,
			const struct wt_value *answer)
{
	if (!recorded || recorded->status != status)
		return false;
	if (answer->form != WT_VALUE_DATA)
		return true;
	return recorded->size == answer->size &&
	       wt_same_bytes(recorded->value, answer->data, answer->size);
}

/* An answer about a wave that is not the moment's; that it is gone may still be, though it was touched before. */
static bool is_of_the_client(const struct wt_session *session, uint64_t wave,
			     amd_dbgapi_status_t status)
{
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID)
		return wt_handles_has(&session->resumed, wave);
	return wt_handles_has(&session->touched, wave) || wt_handles_has(&session->written, wave);
}

/* The state of a wave, as the client was told it; 0 if it was told something else. */
static uint64_t told_state(const struct wt_query *query, amd_dbgapi_status_t status,
			   const struct wt_value *answer)
{
	return query && query->value == AMD_DBGAPI_WAVE_INFO_STATE &&
			       status == AMD_DBGAPI_STATUS_SUCCESS &&
			       answer->form == WT_VALUE_DATA && answer->size == sizeof(uint32_t)
		       ? wt_value_load(answer->data, sizeof(uint32_t), false)
		       : 0;
}

/*
 * A wave that was told to make a step, before the PASS, and shows as running after it: something else has stopped it,
 * and its event is still to come. One that the client itself has asked to stop shows so, too, but only since then.
 */
static bool ended_its_step(const struct wt_session *session, uint64_t wave, uint64_t state)
{
	return state == AMD_DBGAPI_WAVE_STATE_RUN && session->passed &&
	       wt_handles_has(&session->stepped, wave) &&
	       !wt_handles_has(&session->resumed, wave) && !wt_session_asked(session, wave);
}

/* One that shows as stepping though the client has asked it to stop had made its step before: it has stopped. */
static void note_step(struct wt_call *call, uint64_t wave, uint64_t state)
{
	bool unreported;

	if (state == AMD_DBGAPI_WAVE_STATE_SINGLE_STEP && wt_call_takes_state(call) &&
	    wt_session_asked(&call->recorder->session, wave))
		wt_recorder_check(call->recorder, wt_late_unreported(call, wave, &unreported));
}

/* The state should have an answer of an object that comes and goes. */
static struct wt_error *learn_object(struct wt_call *call, amd_dbgapi_status_t status,
				     enum wt_object object, uint64_t handle,
				     const struct wt_value_query *query,
				     const struct wt_value *answer)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_session *session = &recorder->session;
	const struct wt_key key = wt_key_object(recorder, object, handle);
	const struct wt_item *item = wt_state_get_near(session->state, &key, &session->object_item);
	const struct wt_answer *recorded;

	if (status == wt_objects[object].invalid)
		return item && session->passed ? late_removal(recorder, &key) : NULL;
	/* Only what is no fact of the recorder comes without an answer of the query's size. */
	if (!query->value || !query->query || query->query->result == WT_RESULT_CORE_STATE)
		return NULL;
	if (!item)
		return status == AMD_DBGAPI_STATUS_SUCCESS
			       ? wt_late_object(recorder, object, handle)
			       : NULL;
	if (!session->passed)
		return NULL;
	recorded = wt_item_answer(item, wt_number_query(&recorder->numbers, object, query->query));
	return same_answer(recorded, status, answer) ? NULL
						     : wt_late_object(recorder, object, handle);
}

void wt_learn_wave_info(struct wt_call *call, amd_dbgapi_status_t status, uint64_t wave,
			const struct wt_value_query *query, const struct wt_value *answer)
{
	const struct wt_session *session = &call->recorder->session;
	const uint64_t state = told_state(query->query, status, answer);

	if (state)
		note_step(call, wave, state);
	/* A state that the client has given it since is not part of the moment. */
	if (wt_late_possible(call) &&
	    (!is_of_the_client(session, wave, status) || ended_its_step(session, wave, state)))
		wt_recorder_check(call->recorder,
				  learn_object(call, status, WT_OBJECT_WAVE, wave, query, answer));
}

void wt_learn_object_info(struct wt_call *call, amd_dbgapi_status_t status, enum wt_object object,
			  uint64_t handle, const struct wt_value_query *query,
			  const struct wt_value *answer)
{
	if (object == WT_OBJECT_PROCESS && wt_call_takes_state(call) && query->query &&
	    query->query->result == WT_RESULT_CORE_STATE)
		learn_core_state(call, status, handle, query->query, answer);
	if (wt_late_possible(call) && object != WT_OBJECT_EVENT)
		wt_recorder_check(call->recorder,
				  learn_object(call, status, object, handle, query, answer));
}

/* An object of the state that is no more. */
static void late_end(struct wt_call *call, enum wt_object object, uint64_t handle)
{
	const struct wt_key key = wt_key_object(call->recorder, object, handle);

	if (wt_state_get(call->recorder->session.state, &key))
		wt_recorder_check(call->recorder, late_removal(call->recorder, &key));
}

/* Remove waves from the state, and from the trace, that no longer exist according to the library. */
static struct wt_error *late_ends(struct wt_call *call)
{
	struct wt_recorder *recorder = call->recorder;
	wt_cleanup_state struct wt_state *more = wt_state_create();
	const struct wt_state *state = recorder->session.state;
	struct wt_error *error = more ? NULL : &wt_error_no_memory;
	const struct wt_key first = wt_key_object(recorder, WT_OBJECT_WAVE, 0);
	uint64_t answer;

	for (size_t i = wt_state_lower_bound(state, &first); i < wt_state_count(state) && !error;
	     i++) {
		const struct wt_item *wave = wt_state_at(state, i);
		const struct wt_item gone = {.key = wave->key, .removed = true};

		if (wave->key.type != first.type || wave->key.kind != first.kind)
			break;
		if (!wt_ask_number(recorder, WT_OBJECT_WAVE, wave->key.owner,
				   AMD_DBGAPI_WAVE_INFO_STATE, &answer))
			error = wt_state_set(more, &gone);
	}
	return error ? error : wt_late_write(recorder, more);
}

/* A wave that was found to be gone, or to have stopped, in any other call. */
void wt_after_wave_call(struct wt_call *call, amd_dbgapi_status_t status, bool needs_stopped,
			amd_dbgapi_wave_id_t wave_id)
{
	bool unreported;

	/* Mostly it is the one that was found to be stopped before. */
	if (wave_id.handle == call->recorder->session.stopped &&
	    status != AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID)
		return;
	if (wt_call_takes_state(call) && wave_id.handle && needs_stopped &&
	    status != AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED &&
	    status != AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID)
		wt_recorder_check(call->recorder,
				  wt_late_unreported(call, wave_id.handle, &unreported));
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID && wt_late_possible(call) &&
	    !wt_handles_has(&call->recorder->session.resumed, wave_id.handle) &&
	    call->recorder->session.passed)
		late_end(call, WT_OBJECT_WAVE, wave_id.handle);
}

static bool lists(const struct wt_item *list, uint64_t handle)
{
	for (size_t i = 0; list && i < list->handle_count; i++)
		if (list->handles[i] == handle)
			return true;
	return false;
}

/* The list, the objects that are new in it, and the removal of those that are no longer. */
static struct wt_error *take_difference(struct wt_recorder *recorder, struct wt_state *more,
					enum wt_object object, const struct wt_item *old,
					const struct wt_item *list)
{
	struct wt_error *error = wt_state_set(more, list);

	for (size_t i = 0; i < list->handle_count && !error; i++)
		if (!lists(old, list->handles[i]))
			error = wt_take_object(recorder, more, object, list->handles[i]);
	for (size_t i = 0; old && i < old->handle_count && !error; i++) {
		const struct wt_item gone = {
			.key = wt_key_object(recorder, object, old->handles[i]),
			.removed = true,
		};

		if (!lists(list, old->handles[i]))
			error = wt_state_set(more, &gone);
	}
	return error;
}

static struct wt_error *late_list(struct wt_recorder *recorder, enum wt_object object,
				  uint64_t process, size_t count, const uint64_t *handles)
{
	wt_cleanup_state struct wt_state *more = wt_state_create();
	const struct wt_item list = {
		.key = wt_key_function(recorder, WT_ITEM_LIST, wt_objects[object].list, process),
		.handles = (uint64_t *)(uintptr_t)handles,
		.handle_count = count,
	};
	const struct wt_item *old = wt_state_get(recorder->session.state, &list.key);
	struct wt_error *error;

	if (!more)
		return &wt_error_no_memory;
	if (old && (!recorder->session.passed || wt_item_equal(old, &list)))
		return NULL;
	error = take_difference(recorder, more, object, old, &list);
	/* The abilities of a process are those of its agents. */
	if (!error && object == WT_OBJECT_AGENT)
		error = wt_take_object(recorder, more, WT_OBJECT_PROCESS, process);
	return error ? error : wt_late_write(recorder, more);
}

static struct wt_error *count_change(struct wt_call *call, enum wt_object object, uint64_t process)
{
	wt_cleanup_state struct wt_state *more = wt_state_create();
	uint64_t *count = wt_session_changes(&call->recorder->session, process, object);
	struct wt_error *error;

	if (!count || !more)
		return &wt_error_no_memory;
	(*count)++;
	if (!wt_late_possible(call))
		return NULL;
	error = wt_take_changes(call->recorder, more, process);
	return error ? error : wt_late_write(call->recorder, more);
}

void wt_after_list(struct wt_call *call, amd_dbgapi_status_t status, enum wt_object object,
		   amd_dbgapi_process_id_t process_id, const size_t *count, const uint64_t *handles,
		   const amd_dbgapi_changed_t *changed)
{
	struct wt_attached *process = call->recorder->session.processes;
	bool told = !changed || *changed == AMD_DBGAPI_CHANGED_YES;
	struct wt_error *error = NULL;

	/* Mostly the client was told that nothing has changed. */
	if (!told || !wt_call_takes_state(call) || status != AMD_DBGAPI_STATUS_SUCCESS || !count)
		return;
	/* The list of all processes together is that of one only if there is one. Which one's has changed is not told. */
	if (process_id.handle)
		process = wt_session_process(&call->recorder->session, process_id.handle);
	else if (process && process->next)
		process = NULL;
	if (process && changed)
		error = count_change(call, object, process->handle);
	if (!error && process && wt_late_possible(call))
		error = late_list(call->recorder, object, process->handle, *count, handles);
	wt_recorder_check(call->recorder, error);
}

/* Notes the answer of a queue that does not exist. That of others is part of their packets. */
static struct wt_error *note_unknown_queue(struct wt_call *call, uint64_t queue,
					   amd_dbgapi_status_t status)
{
	const struct wt_key key = wt_key_object(call->recorder, WT_OBJECT_QUEUE, queue);
	const struct wt_state *held = wt_late_held(call), *state = call->recorder->session.state;

	if ((held && wt_state_get(held, &key)) || (state && wt_state_get(state, &key)))
		return NULL;
	return wt_late_refusal(call, call->function, 0, status);
}

void wt_after_queue_packet_list(struct wt_call *call, amd_dbgapi_status_t status,
				amd_dbgapi_queue_id_t queue_id,
				const amd_dbgapi_os_queue_packet_id_t *read_packet_id,
				const amd_dbgapi_os_queue_packet_id_t *write_packet_id,
				const amd_dbgapi_size_t *packets_byte_size,
				void *const *packets_bytes)
{
	const struct wt_key key = wt_key_plain(WT_ITEM_PACKETS, queue_id.handle);
	wt_cleanup_state struct wt_state *more = NULL;
	struct wt_recorder *recorder = call->recorder;
	const struct wt_item *old, *new;
	struct wt_error *error;

	(void)read_packet_id;
	(void)write_packet_id;
	(void)packets_byte_size;
	(void)packets_bytes;
	if (wt_call_takes_state(call) && status == AMD_DBGAPI_STATUS_FATAL)
		wt_recorder_check(recorder, note_unknown_queue(call, queue_id.handle, status));
	if (!wt_late_possible(call) || !recorder->session.passed)
		return;
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_QUEUE_ID)
		late_end(call, WT_OBJECT_QUEUE, queue_id.handle);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	/* Asked again, since the client may not have wanted the bytes; nothing moves for it. */
	more = wt_state_create();
	error = more ? wt_take_packets(recorder, more, queue_id.handle) : &wt_error_no_memory;
	if (!error) {
		old = wt_state_get(recorder->session.state, &key);
		new = wt_state_get(more, &key);
		if (!old || !wt_item_equal(old, new))
			error = wt_late_write(recorder, more);
	}
	wt_recorder_check(recorder, error);
}

/* Words of eight bytes: more than an instruction of any architecture has. */
#define INSTRUCTION_WORDS 4u

/*
 * Objects that no function lists: kept by their coming and going. That the client removes one is its own
 * doing, and no part of a moment.
 */
static void learn_unlisted(struct wt_call *call, struct wt_handles *handles, enum wt_object object,
			   uint64_t handle)
{
	wt_cleanup_state struct wt_state *more = NULL;
	struct wt_error *error = NULL;
	struct wt_state *into;

	if (!wt_handles_add(handles, handle))
		error = &wt_error_no_memory;
	else if (call->recorder->session.state) {
		into = wt_late_target(call, &more);
		error = into ? wt_take_object(call->recorder, into, object, handle)
			     : &wt_error_no_memory;
		if (!error && more)
			error = wt_late_write(call->recorder, more);
	}
	wt_recorder_check(call->recorder, error);
}

/* The process can no longer do what it was taken to be able to: its agents are gone, and the client has not listed them. */
static struct wt_error *learn_process(struct wt_call *call, uint64_t process)
{
	return wt_late_possible(call) ? wt_late_object(call->recorder, WT_OBJECT_PROCESS, process)
				      : NULL;
}

static void learn_precision(struct wt_call *call, amd_dbgapi_status_t status, uint64_t process,
			    bool precise)
{
	if (!wt_call_takes_state(call))
		return;
	if (status == AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED)
		wt_recorder_check(call->recorder, learn_process(call, process));
	else if (precise)
		wt_recorder_check(call->recorder,
				  wt_late_refusal(call, call->function, process, status));
}

void wt_after_set_memory_precision(struct wt_call *call, amd_dbgapi_status_t status,
				   amd_dbgapi_process_id_t process_id,
				   amd_dbgapi_memory_precision_t memory_precision)
{
	struct wt_attached *process =
		wt_session_process(&call->recorder->session, process_id.handle);

	/* The precision holds from now on: the next moment has it. */
	if (process && status == AMD_DBGAPI_STATUS_SUCCESS)
		process->precision = (uint32_t)memory_precision;
	learn_precision(call, status, process_id.handle,
			memory_precision != AMD_DBGAPI_MEMORY_PRECISION_NONE);
}

void wt_after_set_alu_exceptions_precision(
	struct wt_call *call, amd_dbgapi_status_t status, amd_dbgapi_process_id_t process_id,
	amd_dbgapi_alu_exceptions_precision_t alu_exceptions_precision)
{
	learn_precision(call, status, process_id.handle,
			alu_exceptions_precision != AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_NONE);
}

void wt_after_set_watchpoint(struct wt_call *call, amd_dbgapi_status_t status,
			     amd_dbgapi_process_id_t process_id,
			     amd_dbgapi_global_address_t address, amd_dbgapi_size_t size,
			     amd_dbgapi_watchpoint_kind_t kind,
			     const amd_dbgapi_watchpoint_id_t *watchpoint_id)
{
	(void)address;
	(void)size;
	(void)kind;
	if (!wt_call_takes_state(call))
		return;
	if (status == AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED)
		wt_recorder_check(call->recorder, learn_process(call, process_id.handle));
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		wt_recorder_check(call->recorder, wt_late_refusal(call, WT_FUNCTION_SET_WATCHPOINT,
								  process_id.handle, status));
	else if (watchpoint_id)
		learn_unlisted(call, &call->recorder->session.watchpoints, WT_OBJECT_WATCHPOINT,
			       watchpoint_id->handle);
}

void wt_after_remove_watchpoint(struct wt_call *call, amd_dbgapi_status_t status,
				amd_dbgapi_watchpoint_id_t watchpoint_id)
{
	if (wt_call_takes_state(call) && status == AMD_DBGAPI_STATUS_SUCCESS)
		wt_handles_remove(&call->recorder->session.watchpoints, watchpoint_id.handle);
}

void wt_after_set_watchpoint_0_54(struct wt_call *call, amd_dbgapi_status_t status,
				  amd_dbgapi_process_id_t process_id,
				  amd_dbgapi_global_address_t address, amd_dbgapi_size_t size,
				  amd_dbgapi_watchpoint_kind_t kind,
				  const amd_dbgapi_watchpoint_id_t *watchpoint_id,
				  const amd_dbgapi_global_address_t *watchpoint_address,
				  const amd_dbgapi_size_t *watchpoint_size)
{
	(void)watchpoint_address;
	(void)watchpoint_size;
	wt_after_set_watchpoint(call, status, process_id, address, size, kind, watchpoint_id);
}

void wt_after_remove_watchpoint_0_54(struct wt_call *call, amd_dbgapi_status_t status,
				     amd_dbgapi_process_id_t process_id,
				     amd_dbgapi_watchpoint_id_t watchpoint_id)
{
	(void)process_id;
	wt_after_remove_watchpoint(call, status, watchpoint_id);
}

/* Is the page at an address held as it was at the moment, or when the client first looked at it? */
static bool is_page_held(struct wt_call *call, uint64_t process, uint64_t address)
{
	const struct wt_range range = wt_range_global(call->recorder, process, address, 1);
	const struct wt_key key = wt_range_key(&range, address);
	const struct wt_state *held = wt_late_held(call);

	return held && wt_state_get(held, &key);
}

/*
 * The library puts the instruction into memory of its own, and the client may look at it there. That is no part of the
 * moment, whose pages are as they were before, but comes with the displaced stepping.
 */
static struct wt_error *learn_instruction(struct wt_call *call, uint64_t wave, uint64_t handle,
					  uint64_t pc)
{
	wt_cleanup_state struct wt_state *more = NULL;
	struct wt_recorder *recorder = call->recorder;
	uint64_t process, words[2 * INSTRUCTION_WORDS];
	struct wt_item item = {
		.key = wt_key_plain(WT_ITEM_DISPLACED_CODE, handle),
		.numbers = words,
	};
	struct wt_state *into;
	struct wt_error *error;

	if (recorder->options.policy.redact ||
	    !wt_ask_number(recorder, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PROCESS,
			   &process) ||
	    !is_page_held(call, process, pc))
		return NULL;
	for (size_t i = 0; i < INSTRUCTION_WORDS; i++, item.number_count += 2) {
		uint64_t *word = &words[2 * i];

		word[0] = pc + i * sizeof(*words);
		if (!wt_read_global(recorder, process, word[0], &word[1], sizeof(word[1])))
			break;
		word[1] = le64toh(word[1]);
	}
	into = wt_late_target(call, &more);
	error = into ? wt_state_set(into, &item) : &wt_error_no_memory;
	return error || !more ? error : wt_late_write(recorder, more);
}

/* Learns where the wave is to execute, which displaced stepping that is, and what it executes. */
static struct wt_error *learn_displaced(struct wt_call *call, uint64_t wave, uint64_t handle)
{
	struct wt_error *error;
	uint64_t pc;

	if (!call->recorder->session.state || !wt_late_pc(call->recorder, wave, &pc))
		return NULL;
	error = wt_late_append(call, WT_ITEM_DISPLACED_STEPPINGS, wave, pc, &handle);
	return error ? error : learn_instruction(call, wave, handle, pc);
}

void wt_after_displaced_stepping_start(struct wt_call *call, amd_dbgapi_status_t status,
				       amd_dbgapi_wave_id_t wave_id,
				       const void *saved_instruction_bytes,
				       const amd_dbgapi_displaced_stepping_id_t *displaced_stepping)
{
	(void)saved_instruction_bytes;
	if (!wt_call_takes_state(call))
		return;
	if (status != AMD_DBGAPI_STATUS_SUCCESS) {
		wt_recorder_check(call->recorder,
				  wt_late_refusal(call, call->function, wave_id.handle, status));
	} else if (displaced_stepping) {
		learn_unlisted(call, &call->recorder->session.displaced_steppings,
			       WT_OBJECT_DISPLACED_STEPPING, displaced_stepping->handle);
		wt_recorder_check(call->recorder, learn_displaced(call, wave_id.handle,
								  displaced_stepping->handle));
	}
}

void wt_after_displaced_stepping_complete(struct wt_call *call, amd_dbgapi_status_t status,
					  amd_dbgapi_wave_id_t wave_id,
					  amd_dbgapi_displaced_stepping_id_t displaced_stepping)
{
	struct wt_handles *steppings = &call->recorder->session.displaced_steppings;

	(void)wave_id;
	if (!wt_call_takes_state(call))
		return;
	/* One that the client did not complete is gone if all waves are that had part in it. */
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_DISPLACED_STEPPING_ID &&
	    wt_handles_has(steppings, displaced_stepping.handle) && wt_late_possible(call))
		wt_recorder_check(call->recorder, late_ends(call));
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		wt_handles_remove(steppings, displaced_stepping.handle);
}

struct wt_value wt_value_saved_instruction(struct wt_call *call, amd_dbgapi_wave_id_t wave_id,
					   const void *bytes)
{
	uint64_t architecture, size = 0;
	bool known = wt_ask_number(call->recorder, WT_OBJECT_WAVE, wave_id.handle,
				   AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, &architecture) &&
		     wt_ask_number(call->recorder, WT_OBJECT_ARCHITECTURE, architecture,
				   AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE, &size);

	return wt_value_in_bytes(call->recorder, bytes, known, size);
}
