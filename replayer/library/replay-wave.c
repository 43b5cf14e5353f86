/* SPDX-License-Identifier: MIT */
/* Waves: what the client knows of them, stop and resume. */
#include "replayer/library/replay-wave.h"

#include <string.h>

#include "replayer/library/created.h"
#include "replayer/library/debuggee.h"
#include "replayer/library/step.h"
#include "replayer/timeline/timeline.h"

uint64_t wt_replay_register_named(const struct wt_replay_process *process, uint64_t wave,
				  const char *name)
{
	const struct wt_item *item =
		wt_recorded_plain(&process->timeline.recorded, WT_ITEM_REGISTERS, wave);
	size_t length = strlen(name);

	for (size_t i = 0; item && i < item->handle_count; i++) {
		const struct wt_answer *answer =
			wt_recorded_answer(&wt_replayer.facts, WT_OBJECT_REGISTER, item->handles[i],
					   AMD_DBGAPI_REGISTER_INFO_NAME);

		if (answer && answer->status == AMD_DBGAPI_STATUS_SUCCESS &&
		    answer->size == length && !memcmp(answer->value, name, length))
			return item->handles[i];
	}
	return 0;
}

uint64_t wt_replay_pc_register(const struct wt_replay_process *process, uint64_t wave)
{
	uint64_t architecture, handle;

	if (!wt_recorded_number(&process->timeline.recorded, WT_OBJECT_WAVE, wave,
				AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, &architecture) ||
	    !wt_recorded_number(&wt_replayer.facts, WT_OBJECT_ARCHITECTURE, architecture,
				AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER, &handle))
		return 0;
	return handle;
}

bool wt_replay_wave_pc(const struct wt_replay_process *process, uint64_t wave, uint64_t *pc_ret)
{
	const struct wt_timeline *timeline = &process->timeline;
	const uint8_t *bytes;
	uint32_t size;

	if (wt_recorded_register(&timeline->recorded, wave, wt_replay_pc_register(process, wave),
				 &bytes, &size) != AMD_DBGAPI_STATUS_SUCCESS ||
	    size != sizeof(*pc_ret))
		return wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, wave,
					  AMD_DBGAPI_WAVE_INFO_PC, pc_ret);
	memcpy(pc_ret, bytes, sizeof(*pc_ret));
	return true;
}

bool wt_replay_wave_set_pc(struct wt_replay_process *process, uint64_t wave, uint64_t pc)
{
	const struct wt_key key = {.type = WT_ITEM_REGISTERS,
				   .owner = wave,
				   .address = wt_replay_pc_register(process, wave)};
	struct wt_bytes *over;

	if (!key.address)
		return false;
	over = wt_overlay_lay(&process->timeline.overlay, &key, &pc, sizeof(pc));
	if (!over || over->size != sizeof(pc))
		return false;
	memcpy(over->data, &pc, sizeof(pc));
	return true;
}

/*
 * A query that tells a register's value. The recorded answer is as good, unless the client wrote
 * the register, or the wave was recorded running and stopped only here.
 */
static bool register_info(const struct wt_replay_process *process, uint64_t wave,
			  uint64_t register_id, const struct wt_answer *answer, size_t value_size,
			  void *value, amd_dbgapi_status_t *status_ret)
{
	const struct wt_timeline *timeline = &process->timeline;
	bool recorded = answer && answer->status == AMD_DBGAPI_STATUS_SUCCESS;
	struct wt_key key = {.type = WT_ITEM_REGISTERS, .owner = wave, .address = register_id};
	const uint8_t *bytes;
	uint32_t size;
	uint64_t pc;

	if (wt_step_hides(process, wave, register_id)) {
		*status_ret = AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
		return true;
	}
	if (recorded && !wt_overlay_get(&timeline->overlay, &key))
		return false;
	if (!recorded && !wt_overlay_get(&timeline->overlay, &key) &&
	    register_id == wt_replay_pc_register(process, wave) &&
	    wt_debuggee_pc(process, wave, &pc)) {
		*status_ret =
			wt_client_return(&wt_replayer.client, value_size, value, &pc, sizeof(pc));
		return true;
	}
	if (!register_id || wt_recorded_register(&timeline->recorded, wave, register_id, &bytes,
						 &size) != AMD_DBGAPI_STATUS_SUCCESS)
		*status_ret = AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	else
		*status_ret = wt_client_return(&wt_replayer.client, value_size, value, bytes, size);
	return true;
}

bool wt_replay_wave_info(struct wt_replay_process *process, uint64_t wave,
			 const struct wt_query *query, const struct wt_answer *answer,
			 size_t value_size, void *value, amd_dbgapi_status_t *status_ret)
{
	const struct wt_client *client = &wt_replayer.client;
	bool recorded = answer && answer->status == AMD_DBGAPI_STATUS_SUCCESS;
	uint32_t number;

	switch (query->value) {
	case AMD_DBGAPI_WAVE_INFO_STATE:
		number = (uint32_t)wt_timeline_wave_state(&process->timeline, wave);
		*status_ret = wt_client_return(client, value_size, value, &number, sizeof(number));
		return true;
	case AMD_DBGAPI_WAVE_INFO_STOP_REASON:
		if (wt_timeline_made_step(&process->timeline, wave)) {
			number = AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP;
			*status_ret = wt_client_return(client, value_size, value, &number,
						       sizeof(number));
			return true;
		}
		/*
		 * Stopped by the client's wish, where the recorded wave went on; or again, after it
		 * was resumed, which ends the reason.
		 */
		number = AMD_DBGAPI_WAVE_STOP_REASON_NONE;
		recorded =
			recorded && !wt_timeline_wave_stopped_on_request(&process->timeline, wave);
		if (!recorded)
			*status_ret = wt_client_return(client, value_size, value, &number,
						       sizeof(number));
		return !recorded;
	case AMD_DBGAPI_WAVE_INFO_WATCHPOINTS:
		if (!recorded)
			*status_ret = wt_client_return_handles(client, value_size, value, NULL, 0);
		else
			*status_ret =
				wt_created_watchpoints_hit(process, answer, value_size, value);
		return true;
	case AMD_DBGAPI_WAVE_INFO_PC:
		return register_info(process, wave, wt_replay_pc_register(process, wave), answer,
				     value_size, value, status_ret);
	case AMD_DBGAPI_WAVE_INFO_EXEC_MASK:
		return register_info(process, wave, wt_replay_register_named(process, wave, "exec"),
				     answer, value_size, value, status_ret);
	default:
		return false;
	}
}

#define KNOWN_EXCEPTIONS                                                                           \
	((uint32_t)AMD_DBGAPI_EXCEPTION_WAVE_ABORT | AMD_DBGAPI_EXCEPTION_WAVE_TRAP |              \
	 AMD_DBGAPI_EXCEPTION_WAVE_MATH_ERROR | AMD_DBGAPI_EXCEPTION_WAVE_ILLEGAL_INSTRUCTION |    \
	 AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION | AMD_DBGAPI_EXCEPTION_WAVE_ADDRESS_ERROR)

/*
 * A library has all waves of a core stop. One that stands has nothing to be asked for, and those that were saved running have
 * been asked already.
 */
static bool is_stopping(struct wt_replay_process *process, uint64_t wave,
			amd_dbgapi_status_t *status_ret)
{
	struct wt_timeline *timeline = &process->timeline;
	uint64_t reasons;

	if (!timeline->core ||
	    wt_timeline_wave_state(timeline, wave) == AMD_DBGAPI_WAVE_STATE_STOP ||
	    !wt_timeline_stops_unasked(timeline, wave, &reasons))
		return false;
	*status_ret = reasons == AMD_DBGAPI_WAVE_STOP_REASON_NONE
			      ? AMD_DBGAPI_STATUS_ERROR_WAVE_OUTSTANDING_STOP
			      : AMD_DBGAPI_STATUS_SUCCESS;
	return true;
}

amd_dbgapi_status_t wt_answer_wave_stop(amd_dbgapi_wave_id_t wave_id)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_WAVE, wave_id.handle);
	amd_dbgapi_status_t status;
	uint64_t wave;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wave = wt_replay_handle(process, WT_OBJECT_WAVE, wave_id.handle);
	if (!wt_replay_exists(process, WT_OBJECT_WAVE, wave))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (is_stopping(process, wave, &status))
		return status;
	if (process->broken &&
	    wt_timeline_wave_state(&process->timeline, wave) != AMD_DBGAPI_WAVE_STATE_STOP)
		return AMD_DBGAPI_STATUS_FATAL;
	status = wt_timeline_wave_stop(&process->timeline, wave, process->frozen);
	wt_replay_notify();
	return status;
}

/* A debugger that steps over its own breakpoint goes on when the step is made. @alone: nothing else comes of it. */
static amd_dbgapi_status_t client_wave_let_go(struct wt_replay_process *process, uint64_t wave,
					      bool step, bool alone)
{
	struct wt_timeline *timeline = &process->timeline;
	amd_dbgapi_status_t status;

	if (process->debuggee.present)
		wt_step_begin(process, wave, step, !alone);
	status = wt_timeline_wave_resume(timeline, wave, step);
	if (status != AMD_DBGAPI_STATUS_SUCCESS || !step)
		return status;
	if (alone ? wt_created_displaced_own(process, wave) && !wt_step_make(process, wave, true)
		  : wt_step_is_at_breakpoint(process, wave))
		wt_timeline_let_run(timeline, wave);
	return status;
}

/* Exceptions are let through to a runtime that is not there: what came of it was recorded. */
amd_dbgapi_status_t wt_answer_wave_resume(amd_dbgapi_wave_id_t wave_id,
					  amd_dbgapi_resume_mode_t resume_mode,
					  amd_dbgapi_exceptions_t exceptions)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_WAVE, wave_id.handle);
	amd_dbgapi_status_t status;
	uint64_t wave;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wave = wt_replay_handle(process, WT_OBJECT_WAVE, wave_id.handle);
	if (!wt_replay_exists(process, WT_OBJECT_WAVE, wave))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if ((resume_mode != AMD_DBGAPI_RESUME_MODE_NORMAL &&
	     resume_mode != AMD_DBGAPI_RESUME_MODE_SINGLE_STEP) ||
	    (uint32_t)exceptions & ~KNOWN_EXCEPTIONS)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	status = wt_timeline_wave_resumable(&process->timeline, wave);
	if (status == AMD_DBGAPI_STATUS_SUCCESS && wt_created_displaced(process, wave) &&
	    resume_mode != AMD_DBGAPI_RESUME_MODE_SINGLE_STEP)
		status = AMD_DBGAPI_STATUS_ERROR_RESUME_DISPLACED_STEPPING;
	if (status == AMD_DBGAPI_STATUS_SUCCESS && process->broken)
		status = AMD_DBGAPI_STATUS_FATAL;
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = client_wave_let_go(process, wave,
					    resume_mode == AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
					    exceptions == AMD_DBGAPI_EXCEPTION_NONE);
	/* A core has no runtime to be told, which a library notices when the wave goes on. */
	if (status == AMD_DBGAPI_STATUS_SUCCESS && exceptions && process->timeline.core)
		return AMD_DBGAPI_STATUS_FATAL;
	/* On the way to another stop nothing comes of it. */
	if (status == AMD_DBGAPI_STATUS_SUCCESS && exceptions &&
	    process->timeline.destination == WT_TIMELINE_NOWHERE)
		process->timeline.aborting = true;
	wt_replay_notify();
	return status;
}
