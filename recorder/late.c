/* SPDX-License-Identifier: MIT */
/*
 * Hooks that learn from the client's own calls what the state of the last moment does not hold. Between
 * an event and the STOP moment of it, what is learned goes into that one (session.early).
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "recorder/hooks.h"
#include "recorder/memory.h"
#include "recorder/question.h"
#include "recorder/registers.h"
#include "recorder/snapshot.h"

/* Pages that one read or write of the client's adds to the state. */
#define PAGES_PER_CALL 4096u

/* Put what is in @more into the trace and into the state that it is part of. Nothing if @error is set. */
static struct wt_error *write_late(struct wt_recorder *recorder, const struct wt_state *more)
{
	size_t count = wt_state_count(more);
	wt_cleanup_free const struct wt_item **items = calloc(count + 1, sizeof(*items));
	struct wt_error *error = wt_own_check();

	if (!items)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++) {
		items[i] = wt_state_at(more, i);
		if (items[i]->removed)
			wt_state_remove(recorder->session.state, &items[i]->key);
		else
			error = wt_state_set(recorder->session.state, items[i]);
	}
	if (error || !count)
		return error;
	return wt_writer_late(recorder->writer, items, count);
}

/* Is there a moment that what is learned now belongs to, and a finished one? */
static bool can_be_late(const struct wt_call *call)
{
	return wt_call_takes_state(call) && call->recorder->session.state &&
	       !wt_session_pending(&call->recorder->session);
}

static bool is_fact(enum wt_object object)
{
	return object == WT_OBJECT_ARCHITECTURE || object == WT_OBJECT_REGISTER ||
	       object == WT_OBJECT_REGISTER_CLASS || object == WT_OBJECT_ADDRESS_CLASS ||
	       object == WT_OBJECT_ADDRESS_SPACE;
}

static struct wt_error *late_removal(struct wt_recorder *recorder, const struct wt_key *key)
{
	wt_cleanup_state struct wt_state *more = wt_state_create();
	const struct wt_item item = {.key = *key, .removed = true};
	struct wt_error *error = more ? wt_state_set(more, &item) : &wt_error_no_memory;

	return error ? error : write_late(recorder, more);
}

static struct wt_error *late_object(struct wt_recorder *recorder, enum wt_object object,
				    uint64_t handle)
{
	wt_cleanup_state struct wt_state *more = wt_state_create();
	struct wt_error *error =
		more ? wt_take_object(recorder, more, object, handle) : &wt_error_no_memory;

	return error ? error : write_late(recorder, more);
}

/* Where to look whether something is held already, and where to put it: see the top. */
static struct wt_state *target(struct wt_call *call, struct wt_state **more)
{
	struct wt_session *session = &call->recorder->session;

	if (wt_session_pending(session)) {
		if (!session->early)
			session->early = wt_state_create();
		return session->early;
	}
	*more = wt_state_create();
	return *more;
}

static const struct wt_state *held(struct wt_call *call)
{
	struct wt_session *session = &call->recorder->session;

	return wt_session_pending(session) ? session->early : session->state;
}

/* An object's answers, and one more, whose value is not in the recorder's scratch buffer. */
static struct wt_error *take_with(struct wt_recorder *recorder, struct wt_state *state,
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
	into = target(call, &more);
	error = into && (data || !answer.size)
			? take_with(recorder, into, WT_OBJECT_PROCESS, process, &answer)
			: &wt_error_no_memory;
	if (!error && more)
		error = write_late(recorder, more);
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
	       (!answer->size || !memcmp(recorded->value, answer->data, answer->size));
}

/* An answer about a wave that is not the moment's; that it is gone may still be, though it was touched before. */
static bool is_of_the_client(const struct wt_session *session, uint64_t wave,
			     amd_dbgapi_status_t status)
{
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID)
		return wt_handles_has(&session->resumed, wave);
	return wt_handles_has(&session->touched, wave) || wt_handles_has(&session->written, wave);
}

void wt_after_get_info(struct wt_call *call, amd_dbgapi_status_t status, enum wt_object object,
		       uint64_t handle, const struct wt_value_query *query,
		       const struct wt_value *answer)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_session *session = &recorder->session;
	struct wt_key key;
	const struct wt_item *item;
	struct wt_error *error = NULL;

	if (wt_call_takes_state(call) && object == WT_OBJECT_PROCESS && query->query &&
	    query->query->result == WT_RESULT_CORE_STATE)
		learn_core_state(call, status, handle, query->query, answer);
	if (!can_be_late(call) || object == WT_OBJECT_EVENT || is_fact(object))
		return;
	if (object == WT_OBJECT_WAVE && is_of_the_client(session, handle, status))
		return; /* what the client made of it since is not part of the moment */
	key = wt_key_object(recorder, object, handle);
	item = wt_state_get(session->state, &key);
	if (status == wt_objects[object].invalid)
		error = item && session->passed ? late_removal(recorder, &key) : NULL;
	else if (!query->value || query->query->result == WT_RESULT_CORE_STATE)
		return;
	else if (item ? session->passed &&
				 !same_answer(wt_item_answer(item,
							     wt_number_query(&recorder->numbers,
									     object, query->query)),
					      status, answer)
		      : status == AMD_DBGAPI_STATUS_SUCCESS)
		error = late_object(recorder, object, handle);
	wt_recorder_check(recorder, error);
}

/* An object of the state that is no more. */
static void late_end(struct wt_call *call, enum wt_object object, uint64_t handle)
{
	const struct wt_key key = wt_key_object(call->recorder, object, handle);

	if (wt_state_get(call->recorder->session.state, &key))
		wt_recorder_check(call->recorder, late_removal(call->recorder, &key));
}

/* A wave that was found to be gone in any other call. */
void wt_after_wave_call(struct wt_call *call, amd_dbgapi_status_t status,
			amd_dbgapi_wave_id_t wave_id)
{
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID && can_be_late(call) &&
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
	return error ? error : write_late(recorder, more);
}

static struct wt_error *count_change(struct wt_call *call, enum wt_object object, uint64_t process)
{
	wt_cleanup_state struct wt_state *more = wt_state_create();
	uint64_t *count = wt_session_changes(&call->recorder->session, process, object);
	struct wt_error *error;

	if (!count || !more)
		return &wt_error_no_memory;
	(*count)++;
	if (!can_be_late(call))
		return NULL;
	error = wt_take_changes(call->recorder, more, process);
	return error ? error : write_late(call->recorder, more);
}

void wt_after_list(struct wt_call *call, amd_dbgapi_status_t status, enum wt_object object,
		   amd_dbgapi_process_id_t process_id, const size_t *count, const uint64_t *handles,
		   const amd_dbgapi_changed_t *changed)
{
	struct wt_attached *process = call->recorder->session.processes;
	bool told = !changed || *changed == AMD_DBGAPI_CHANGED_YES;
	struct wt_error *error = NULL;

	if (!wt_call_takes_state(call) || status != AMD_DBGAPI_STATUS_SUCCESS || !count)
		return;
	for (; process && !error; process = process->next)
		if (changed && told && (!process_id.handle || process->handle == process_id.handle))
			error = count_change(call, object, process->handle);
	/* The list of all processes together is that of one only if there is one. */
	process = call->recorder->session.processes;
	if (process_id.handle)
		process = wt_session_process(&call->recorder->session, process_id.handle);
	else if (process && process->next)
		process = NULL;
	if (!error && process && told && can_be_late(call))
		error = late_list(call->recorder, object, process->handle, *count, handles);
	wt_recorder_check(call->recorder, error);
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
	if (!can_be_late(call) || !recorder->session.passed)
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
			error = write_late(recorder, more);
	}
	wt_recorder_check(recorder, error);
}

void wt_after_wave_register_list(struct wt_call *call, amd_dbgapi_status_t status,
				 amd_dbgapi_wave_id_t wave_id, const size_t *register_count,
				 amd_dbgapi_register_id_t *const *registers)
{
	wt_cleanup_state struct wt_state *more = NULL;
	struct wt_recorder *recorder = call->recorder;
	struct wt_item list = {0};
	struct wt_error *error;

	if (!can_be_late(call) || status != AMD_DBGAPI_STATUS_SUCCESS || !register_count ||
	    !registers)
		return;
	list.key = wt_key_function(recorder, WT_ITEM_LIST, call->function, wave_id.handle);
	list.handles = (uint64_t *)(void *)*registers;
	list.handle_count = *register_count;
	if (wt_state_get(recorder->session.state, &list.key))
		return;
	more = wt_state_create();
	error = more ? wt_state_set(more, &list) : &wt_error_no_memory;
	wt_recorder_check(recorder, error ? error : write_late(recorder, more));
}

/*
 * All registers of a wave, if the state does not hold them.
 *
 * @handle: the one that is wanted; 0 for all.
 */
static struct wt_error *learn_registers(struct wt_call *call, uint64_t wave, uint64_t handle)
{
	wt_cleanup_state struct wt_state *more = NULL;
	const struct wt_key key = wt_key_plain(WT_ITEM_REGISTERS, wave);
	const struct wt_state *known = held(call);
	uint64_t architecture = 0;
	struct wt_state *into;
	struct wt_error *error;

	if (!call->recorder->session.state ||
	    (known && handle &&
	     wt_registers_hold(wt_state_get(known, &key), handle,
			       &call->recorder->session.register_place)) ||
	    wt_registers_are_whole(call->recorder, known, wave))
		return NULL;
	wt_ask_number(call->recorder, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
		      &architecture);
	into = target(call, &more);
	error = into ? wt_take_registers(call->recorder, into, wave, architecture,
					 WT_REGISTERS_EVERY, NULL)
		     : &wt_error_no_memory;
	if (!error && !more)
		error = wt_take_object(call->recorder, into, WT_OBJECT_WAVE, wave);
	return error || !more ? error : write_late(call->recorder, more);
}

void wt_after_read_register(struct wt_call *call, amd_dbgapi_status_t status,
			    amd_dbgapi_wave_id_t wave_id, amd_dbgapi_register_id_t register_id,
			    amd_dbgapi_size_t offset, amd_dbgapi_size_t value_size,
			    const void *value)
{
	struct wt_recorder *recorder = call->recorder;

	(void)offset;
	(void)value_size;
	(void)value;
	if (!wt_call_takes_state(call) || status != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	if (can_be_late(call))
		wt_recorder_check(recorder,
				  learn_registers(call, wave_id.handle, register_id.handle));
	/* The moment that is to come takes them. */
	else if (!wt_handles_add(&recorder->session.looked_at, wave_id.handle))
		wt_recorder_check(recorder, &wt_error_no_memory);
}

/* The client is about to change registers of a wave: they are learned as they are, if it is stopped. */
static void before_change(struct wt_call *call, uint64_t wave)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_error *error = NULL;
	uint64_t state;

	if (!wt_call_takes_state(call))
		return;
	if (!wt_handles_add(&recorder->session.touched, wave))
		error = &wt_error_no_memory;
	else if (!wt_session_keeps(&recorder->session, wave) &&
		 wt_ask_number(recorder, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STATE,
			       &state) &&
		 state == AMD_DBGAPI_WAVE_STATE_STOP) {
		error = learn_registers(call, wave, 0);
		if (!error && !wt_handles_add(&recorder->session.written, wave))
			error = &wt_error_no_memory;
	}
	wt_recorder_check(recorder, error);
}

void wt_before_write_register(struct wt_call *call, amd_dbgapi_wave_id_t wave_id,
			      amd_dbgapi_register_id_t register_id, amd_dbgapi_size_t offset,
			      amd_dbgapi_size_t value_size, const void *value)
{
	(void)register_id;
	(void)offset;
	(void)value_size;
	(void)value;
	before_change(call, wave_id.handle);
}

/* These move the pc. */
void wt_before_displaced_stepping_start(struct wt_call *call, amd_dbgapi_wave_id_t wave_id,
					const void *saved_instruction_bytes,
					const amd_dbgapi_displaced_stepping_id_t *stepping)
{
	(void)saved_instruction_bytes;
	(void)stepping;
	before_change(call, wave_id.handle);
}

void wt_before_displaced_stepping_complete(struct wt_call *call, amd_dbgapi_wave_id_t wave_id,
					   amd_dbgapi_displaced_stepping_id_t displaced_stepping)
{
	(void)displaced_stepping;
	before_change(call, wave_id.handle);
}

/* After a PASS the program may have changed a page since it was taken: once is enough to find out. */
static bool is_stale(const struct wt_session *session, const struct wt_key *key)
{
	return session->passed && !wt_session_pending(session) &&
	       !(session->fresh && wt_state_get(session->fresh, key));
}

static struct wt_error *note_fresh(struct wt_session *session, struct wt_state *more,
				   const struct wt_key *key)
{
	const struct wt_item *old = wt_state_get(session->state, key);
	const struct wt_item *new = wt_state_get(more, key);
	const struct wt_item mark = {.key = *key};

	if (!session->fresh)
		session->fresh = wt_state_create();
	if (!session->fresh)
		return &wt_error_no_memory;
	if (old && new &&wt_item_equal(old, new))
		wt_state_remove(more, key);
	return wt_state_set(session->fresh, &mark);
}

static struct wt_error *learn_pages(struct wt_call *call, const struct wt_range *range)
{
	wt_cleanup_state struct wt_state *more = NULL;
	const uint64_t mask = ~(uint64_t)(WT_PAGE - 1);
	uint64_t page = range->address & mask, last = (range->address + range->size - 1) & mask;
	const struct wt_state *known = held(call);
	struct wt_state *into = NULL;
	struct wt_error *error = NULL;

	for (size_t i = 0; !error && page <= last && i < PAGES_PER_CALL; i++, page += WT_PAGE) {
		const struct wt_key key = wt_range_key(range, page);

		bool stale = is_stale(&call->recorder->session, &key);

		if (!stale && known && wt_state_get(known, &key))
			continue;
		if (!into)
			into = target(call, &more);
		if (!into)
			return &wt_error_no_memory;
		error = wt_take_page(call->recorder, into, range, page, true, NULL);
		if (!error && stale)
			error = note_fresh(&call->recorder->session, into, &key);
	}
	return error || !more ? error : write_late(call->recorder, more);
}

/* @size: what the client read or is about to write, at least one byte. */
static void learn_memory(struct wt_call *call, uint64_t process, uint64_t wave, uint32_t lane,
			 uint64_t space, uint64_t address, uint64_t size)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_range range;

	if (!recorder->session.state ||
	    !wt_range_resolve(recorder, process, wave, lane, space, address, size ? size : 1,
			      &range) ||
	    range.address + range.size < range.address)
		return;
	wt_recorder_check(recorder, learn_pages(call, &range));
}

void wt_after_read_memory(struct wt_call *call, amd_dbgapi_status_t status,
			  amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
			  amd_dbgapi_lane_id_t lane_id,
			  amd_dbgapi_address_space_id_t address_space_id,
			  amd_dbgapi_segment_address_t segment_address,
			  const amd_dbgapi_size_t *value_size, const void *value)
{
	(void)value;
	if (wt_call_takes_state(call) &&
	    (status == AMD_DBGAPI_STATUS_SUCCESS ||
	     status == AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS) &&
	    value_size)
		learn_memory(call, process_id.handle, wave_id.handle, lane_id,
			     address_space_id.handle, segment_address, *value_size);
}

/* As many bytes as it is going to change are known only after it: a refused write changes none. */
void wt_before_write_memory(struct wt_call *call, amd_dbgapi_process_id_t process_id,
			    amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
			    amd_dbgapi_address_space_id_t address_space_id,
			    amd_dbgapi_segment_address_t segment_address,
			    const amd_dbgapi_size_t *value_size, const void *value)
{
	if (wt_call_takes_state(call) && value && value_size && *value_size)
		learn_memory(call, process_id.handle, wave_id.handle, lane_id,
			     address_space_id.handle, segment_address, *value_size);
}

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
		into = target(call, &more);
		error = into ? wt_take_object(call->recorder, into, object, handle)
			     : &wt_error_no_memory;
		if (!error && more)
			error = write_late(call->recorder, more);
	}
	wt_recorder_check(call->recorder, error);
}

/* What a replay finds by itself, from what the client asked for and did before. */
static bool is_client_error(amd_dbgapi_status_t status)
{
	switch (status) {
	case AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT:
	case AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID:
	case AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID:
	case AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED:
	case AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_ACTIVE:
	case AMD_DBGAPI_STATUS_ERROR_NO_WATCHPOINT_AVAILABLE:
	case AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN:
		return true;
	default:
		return false;
	}
}

/* What only the library knows: why it does not do what it was asked for. */
static void learn_refusal(struct wt_call *call, uint64_t owner, amd_dbgapi_status_t status)
{
	struct wt_recorder *recorder = call->recorder;
	wt_cleanup_state struct wt_state *more = NULL;
	struct wt_item item = {.status = status};
	struct wt_error *error;
	struct wt_state *into;

	if (!recorder->session.state || is_client_error(status))
		return;
	item.key = wt_key_function(recorder, WT_ITEM_LIST, call->function, owner);
	into = target(call, &more);
	error = into ? wt_state_set(into, &item) : &wt_error_no_memory;
	if (!error && more)
		error = write_late(recorder, more);
	wt_recorder_check(recorder, error);
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
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		learn_refusal(call, process_id.handle, status);
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

/*
 * Where the wave is to execute, and which displaced stepping that is, behind those that the state knows
 * of already.
 */
static struct wt_error *learn_displaced(struct wt_call *call, uint64_t wave, uint64_t handle)
{
	struct wt_recorder *recorder = call->recorder;
	wt_cleanup_state struct wt_state *more = NULL;
	wt_cleanup_free uint64_t *pairs = NULL;
	const struct wt_state *known = held(call);
	struct wt_item item = {
		.key = wt_key_function(recorder, WT_ITEM_MAP, call->function, wave),
	};
	const struct wt_item *old = known ? wt_state_get(known, &item.key) : NULL;
	size_t count = old ? old->number_count : 0;
	struct wt_state *into = recorder->session.state ? target(call, &more) : NULL;
	struct wt_error *error;

	if (!recorder->session.state)
		return NULL;
	pairs = calloc(2 * (count + 1), sizeof(*pairs));
	if (!into || !pairs)
		return &wt_error_no_memory;
	item.numbers = pairs;
	item.handles = pairs + count + 1;
	if (old && count) {
		memcpy(item.numbers, old->numbers, count * sizeof(*pairs));
		memcpy(item.handles, old->handles, count * sizeof(*pairs));
	}
	if (!wt_ask_number(recorder, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC,
			   &item.numbers[count]))
		return NULL;
	item.handles[count] = handle;
	item.number_count = item.handle_count = count + 1;
	error = wt_state_set(into, &item);
	return error || !more ? error : write_late(recorder, more);
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
		learn_refusal(call, wave_id.handle, status);
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
	(void)wave_id;
	if (wt_call_takes_state(call) && status == AMD_DBGAPI_STATUS_SUCCESS)
		wt_handles_remove(&call->recorder->session.displaced_steppings,
				  displaced_stepping.handle);
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
