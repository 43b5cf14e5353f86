/* SPDX-License-Identifier: MIT */
/* Learns what the client reads, and is about to overwrite, of registers and memory, as it was. */
#include "base/cleanup.h"
#include "recorder/moment/hooks.h"
#include "recorder/moment/late.h"
#include "recorder/moment/memory-pages.h"
#include "recorder/moment/wave-registers.h"
#include "recorder/recording/question.h"

/* Pages that one read or write of the client's adds to the state. */
#define PAGES_PER_CALL 4096u

void wt_after_wave_register_list(struct wt_call *call, amd_dbgapi_status_t status,
				 amd_dbgapi_wave_id_t wave_id, const size_t *register_count,
				 amd_dbgapi_register_id_t *const *registers)
{
	wt_cleanup_state struct wt_state *more = NULL;
	struct wt_recorder *recorder = call->recorder;
	struct wt_item list = {0};
	struct wt_error *error;

	if (!wt_late_possible(call) || status != AMD_DBGAPI_STATUS_SUCCESS || !register_count ||
	    !registers)
		return;
	list.key = wt_key_function(recorder, WT_ITEM_LIST, call->function, wave_id.handle);
	list.handles = (uint64_t *)(void *)*registers;
	list.handle_count = *register_count;
	if (wt_state_get(recorder->session.state, &list.key))
		return;
	more = wt_state_create();
	error = more ? wt_state_set(more, &list) : &wt_error_no_memory;
	wt_recorder_check(recorder, error ? error : wt_late_write(recorder, more));
}

/* All registers of a wave, if the state does not hold them. */
static struct wt_error *learn_registers(struct wt_call *call, uint64_t wave)
{
	wt_cleanup_state struct wt_state *more = NULL;
	struct wt_state *into;
	struct wt_error *error;

	if (!call->recorder->session.state ||
	    wt_registers_are_whole(call->recorder, wt_late_held(call), wave))
		return NULL;
	into = wt_late_target(call, &more);
	error = into ? wt_take_registers(call->recorder, into, wave, WT_REGISTERS_EVERY, NULL)
		     : &wt_error_no_memory;
	if (!error && !more)
		error = wt_take_object(call->recorder, into, WT_OBJECT_WAVE, wave);
	return error || !more ? error : wt_late_write(call->recorder, more);
}

/* Does the state of the last moment hold a register? */
static bool holds(struct wt_session *session, uint64_t wave, uint64_t handle)
{
	const struct wt_key key = wt_key_plain(WT_ITEM_REGISTERS, wave);

	return wt_registers_hold(wt_state_get_near(session->state, &key, &session->registers_item),
				 handle, &session->register_place);
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
	if (wt_late_possible(call)) {
		if (!holds(&recorder->session, wave_id.handle, register_id.handle))
			wt_recorder_check(recorder, learn_registers(call, wave_id.handle));
		/* The moment that is to come takes them. */
	} else if (!wt_handles_add(&recorder->session.looked_at, wave_id.handle)) {
		wt_recorder_check(recorder, &wt_error_no_memory);
	}
}

/* All registers of a wave that has stopped, whether the client has got the event or not. */
static struct wt_error *learn_stopped(struct wt_call *call, uint64_t wave, bool *stopped_ret)
{
	struct wt_error *error;
	uint64_t state;

	*stopped_ret = false;
	if (!wt_ask_number(call->recorder, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STATE,
			   &state))
		return NULL;
	if (state != AMD_DBGAPI_WAVE_STATE_STOP)
		return wt_late_unreported(call, wave, stopped_ret);
	error = learn_registers(call, wave);
	*stopped_ret = !error;
	return error;
}

/* The client is about to change registers of a wave: they are learned as they are, if it is stopped. */
static void before_change(struct wt_call *call, uint64_t wave)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_error *error = NULL;
	bool stopped = false;

	if (!wt_call_takes_state(call))
		return;
	if (!wt_handles_add(&recorder->session.touched, wave))
		error = &wt_error_no_memory;
	else if (!wt_session_keeps(&recorder->session, wave))
		error = learn_stopped(call, wave, &stopped);
	else /* what is kept is of an earlier moment, in which the wave may have run as far as the trace tells */
		error = wt_late_unreported(call, wave, &stopped);
	/* A value that it writes into a wave that it let go at this moment goes with that: the next one has it as the library tells. */
	stopped = stopped && !wt_session_stays(&recorder->session, wave);
	if (!error && stopped && !wt_handles_add(&recorder->session.written, wave))
		error = &wt_error_no_memory;
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
	struct wt_session *session = &call->recorder->session;
	const struct wt_state *known = wt_late_held(call);
	struct wt_state *into = NULL;
	struct wt_error *error = NULL;

	for (size_t i = 0; !error && page <= last && i < PAGES_PER_CALL; i++, page += WT_PAGE) {
		const struct wt_key key = wt_range_key(range, page);

		bool stale = is_stale(session, &key);

		if (!stale && known && wt_state_get_near(known, &key, &session->page_item))
			continue;
		if (!into)
			into = wt_late_target(call, &more);
		if (!into)
			return &wt_error_no_memory;
		error = wt_take_page(call->recorder, into, range, NULL, page, true, NULL);
		if (!error && stale)
			error = note_fresh(session, into, &key);
	}
	return error || !more ? error : wt_late_write(call->recorder, more);
}

/* Learn how long a wave's private memory is: an address behind its end has no place in it. */
static struct wt_error *learn_private_place(struct wt_call *call, uint64_t process, uint64_t wave)
{
	wt_cleanup_state struct wt_state *more = NULL;
	const struct wt_key key = wt_key_plain(WT_ITEM_PRIVATE_PLACE, wave);
	const struct wt_state *known = wt_late_held(call);
	struct wt_state *into;
	struct wt_error *error;

	if (known && wt_state_get(known, &key))
		return NULL;
	into = wt_late_target(call, &more);
	error = into ? wt_take_private_place(call->recorder, into, process, wave, 0)
		     : &wt_error_no_memory;
	return error || !more ? error : wt_late_write(call->recorder, more);
}

/* @size: what the client read or is about to write, at least one byte. */
static void learn_memory(struct wt_call *call, uint64_t process, uint64_t wave, uint32_t lane,
			 uint64_t space, uint64_t address, uint64_t size)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_range range;

	if (!recorder->session.state)
		return;
	if (!wt_range_resolve(recorder, process, wave, lane, space, address, size ? size : 1,
			      &range)) {
		if (wave)
			wt_recorder_check(recorder, learn_private_place(call, process, wave));
		return;
	}
	/* No memory has the last byte of all, and none goes on behind it. */
	if (range.size > UINT64_MAX - range.address)
		range.size = UINT64_MAX - range.address;
	if (range.size)
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
	     status == AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS ||
	     status == AMD_DBGAPI_STATUS_ERROR_MEMORY_UNAVAILABLE) &&
	    value_size)
		learn_memory(call, process_id.handle, wave_id.handle, lane_id,
			     address_space_id.handle, segment_address, *value_size);
}

/* The number of bytes that it changes is known only after it: a refused write changes none. */
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
