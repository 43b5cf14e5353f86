/* SPDX-License-Identifier: MIT */
/* Learns what the client sets and takes away: watchpoints and displaced steppings, which no function lists, and precision. */
#include <endian.h>

#include "base/cleanup.h"
#include "recorder/moment/hooks.h"
#include "recorder/moment/late.h"
#include "recorder/moment/memory-pages.h"
#include "recorder/recording/question.h"

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
		wt_recorder_check(call->recorder, wt_late_ends(call));
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
