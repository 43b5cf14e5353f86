/* SPDX-License-Identifier: MIT */
/*
 * Waves that have stopped while their event has not been reported to the client: it sees them running, but the library
 * lets it read their registers and memory. No answer of a wave says so, so it is noted when a call of the client's
 * shows it.
 */
#include "base/cleanup.h"
#include "recorder/moment/hooks.h"
#include "recorder/moment/late.h"
#include "recorder/moment/wave-registers.h"
#include "recorder/recording/question.h"

static bool ask_wave(struct wt_recorder *recorder, uint64_t wave, uint32_t query,
		     uint64_t *number_ret)
{
	return wt_ask_number(recorder, WT_OBJECT_WAVE, wave, query, number_ret);
}

bool wt_late_pc(struct wt_recorder *recorder, uint64_t wave, uint64_t *pc_ret)
{
	uint64_t architecture, handle, size, pc;
	amd_dbgapi_status_t status;

	if (ask_wave(recorder, wave, AMD_DBGAPI_WAVE_INFO_PC, pc_ret))
		return true;
	if (!ask_wave(recorder, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, &architecture) ||
	    !wt_ask_number(recorder, WT_OBJECT_ARCHITECTURE, architecture,
			   AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER, &handle) ||
	    !wt_ask_number(recorder, WT_OBJECT_REGISTER, handle, AMD_DBGAPI_REGISTER_INFO_SIZE,
			   &size) ||
	    size != sizeof(pc))
		return false;
	wt_own_begin();
	status =
		recorder->api.read_register((amd_dbgapi_wave_id_t){wave},
					    (amd_dbgapi_register_id_t){handle}, 0, sizeof(pc), &pc);
	wt_own_end();
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		*pc_ret = pc;
	return status == AMD_DBGAPI_STATUS_SUCCESS;
}

static struct wt_error *unreported_note(struct wt_call *call, const struct wt_key *key,
					bool stepped)
{
	struct wt_recorder *recorder = call->recorder;
	wt_cleanup_state struct wt_state *more = NULL;
	struct wt_state *into = wt_late_target(call, &more);
	/* Until the client asked for the stop the wave may have run, if it had not made its step before. */
	uint64_t requested = !stepped && wt_session_asked(&recorder->session, key->owner);
	const struct wt_item item = {.key = *key, .numbers = &requested, .number_count = 1};
	struct wt_error *error = into ? wt_state_set(into, &item) : &wt_error_no_memory;

	if (!error)
		error = wt_take_registers(recorder, into, key->owner, WT_REGISTERS_EVERY, NULL);
	return error || !more ? error : wt_late_write(recorder, more);
}

struct wt_key wt_late_unreported_key(struct wt_recorder *recorder, uint64_t wave)
{
	return wt_key_function(recorder, WT_ITEM_MAP, WT_FUNCTION_READ_REGISTER, wave);
}

struct wt_error *wt_late_unreported(struct wt_call *call, uint64_t wave, bool *unreported_ret)
{
	struct wt_recorder *recorder = call->recorder;
	const struct wt_state *held;
	struct wt_key key;
	uint64_t state, pc;

	*unreported_ret = false;
	if (!recorder->session.state || wave == recorder->session.stopped ||
	    !ask_wave(recorder, wave, AMD_DBGAPI_WAVE_INFO_STATE, &state))
		return NULL;
	if (state == AMD_DBGAPI_WAVE_STATE_STOP) {
		recorder->session.stopped = wave;
		return NULL;
	}
	key = wt_late_unreported_key(recorder, wave);
	held = wt_late_held(call);
	*unreported_ret = held && wt_state_get(held, &key);
	if (*unreported_ret || !wt_late_pc(recorder, wave, &pc))
		return NULL;
	*unreported_ret = true;
	return unreported_note(call, &key, state == AMD_DBGAPI_WAVE_STATE_SINGLE_STEP);
}

/* Mostly there is none, and no wave need be looked for. */
static bool any_unreported(struct wt_recorder *recorder)
{
	const struct wt_state *state = recorder->session.state;
	const struct wt_key key = wt_late_unreported_key(recorder, 0);
	const struct wt_item *first = wt_state_at(state, wt_state_lower_bound(state, &key));

	return first && first->key.type == key.type && first->key.kind == key.kind;
}

struct wt_error *wt_late_forget_unreported(struct wt_recorder *recorder)
{
	wt_cleanup_state struct wt_state *more = wt_state_create();
	const struct wt_handles *resumed = &recorder->session.resumed;
	bool any = resumed->count && any_unreported(recorder);
	struct wt_error *error = more ? NULL : &wt_error_no_memory;

	for (size_t i = 0; i < resumed->count && !error && any; i++) {
		const struct wt_item gone = {
			.key = wt_late_unreported_key(recorder, resumed->values[i]),
			.removed = true};

		if (wt_state_get(recorder->session.state, &gone.key))
			error = wt_state_set(more, &gone);
	}
	return error ? error : wt_late_write(recorder, more);
}

void wt_late_forget_stepped(struct wt_recorder *recorder)
{
	const uint32_t query =
		wt_number_query(&recorder->numbers, WT_OBJECT_WAVE,
				wt_query_find(WT_OBJECT_WAVE, AMD_DBGAPI_WAVE_INFO_STATE));
	struct wt_handles *stepped = &recorder->session.stepped;
	size_t place = 0;

	for (size_t i = stepped->count; i-- > 0;) {
		const struct wt_key key =
			wt_key_object(recorder, WT_OBJECT_WAVE, stepped->values[i]);
		const struct wt_item *wave =
			wt_state_get_near(recorder->session.state, &key, &place);
		const struct wt_answer *state = wave ? wt_item_answer(wave, query) : NULL;

		if (!state || state->size != sizeof(uint32_t) ||
		    wt_value_load(state->value, sizeof(uint32_t), false) !=
			    AMD_DBGAPI_WAVE_STATE_SINGLE_STEP)
			wt_handles_remove(stepped, stepped->values[i]);
	}
}
