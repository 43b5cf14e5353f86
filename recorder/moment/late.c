/* SPDX-License-Identifier: MIT */
#include "recorder/moment/late.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "recorder/recording/question.h"

struct wt_error *wt_late_write(struct wt_recorder *recorder, const struct wt_state *more)
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

struct wt_error *wt_late_object(struct wt_recorder *recorder, enum wt_object object,
				uint64_t handle)
{
	wt_cleanup_state struct wt_state *more = wt_state_create();
	struct wt_error *error =
		more ? wt_take_object(recorder, more, object, handle) : &wt_error_no_memory;

	return error ? error : wt_late_write(recorder, more);
}

struct wt_state *wt_late_target(struct wt_call *call, struct wt_state **more)
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

/* Errors that a replay finds by itself, from what the client asked for and did before. */
static bool is_client_error(amd_dbgapi_status_t status)
{
	switch (status) {
	case AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT:
	case AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID:
	case AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID:
	case AMD_DBGAPI_STATUS_ERROR_INVALID_BREAKPOINT_ID:
	case AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED:
	case AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_ACTIVE:
	case AMD_DBGAPI_STATUS_ERROR_NO_WATCHPOINT_AVAILABLE:
	case AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN:
	/* A replay answers so without a note, as for a function that the library does not have. */
	case AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED:
		return true;
	default:
		return false;
	}
}

static bool is_held(struct wt_call *call, const struct wt_key *key)
{
	const struct wt_state *held = wt_late_held(call);

	return held && wt_state_get(held, key);
}

struct wt_error *wt_late_refusal(struct wt_call *call, enum wt_function function, uint64_t owner,
				 amd_dbgapi_status_t status)
{
	struct wt_recorder *recorder = call->recorder;
	wt_cleanup_state struct wt_state *more = NULL;
	struct wt_item item = {.status = status};
	struct wt_error *error;
	struct wt_state *into;

	if (!recorder->session.state || is_client_error(status))
		return NULL;
	item.key = wt_key_function(recorder, WT_ITEM_REFUSAL, function, owner);
	if (status == AMD_DBGAPI_STATUS_SUCCESS && !is_held(call, &item.key))
		return NULL;
	into = wt_late_target(call, &more);
	error = into ? wt_state_set(into, &item) : &wt_error_no_memory;
	return error || !more ? error : wt_late_write(recorder, more);
}

struct wt_error *wt_late_append(struct wt_call *call, enum wt_item_type type, uint64_t owner,
				uint64_t number, const uint64_t *handle)
{
	struct wt_recorder *recorder = call->recorder;
	wt_cleanup_state struct wt_state *more = NULL;
	wt_cleanup_free uint64_t *pairs = NULL;
	const struct wt_state *known = wt_late_held(call);
	struct wt_item item = {.key = wt_key_plain(type, owner)};
	const struct wt_item *old = known ? wt_state_get(known, &item.key) : NULL;
	size_t count = old ? old->number_count : 0;
	struct wt_state *into = recorder->session.state ? wt_late_target(call, &more) : NULL;
	struct wt_error *error;

	if (!recorder->session.state)
		return NULL;
	pairs = calloc(2 * (count + 1), sizeof(*pairs));
	if (!into || !pairs)
		return &wt_error_no_memory;
	item.numbers = pairs;
	item.handles = pairs + count + 1;
	if (old && count)
		memcpy(item.numbers, old->numbers, count * sizeof(*pairs));
	if (old && count && handle)
		memcpy(item.handles, old->handles, count * sizeof(*pairs));
	item.numbers[count] = number;
	item.handles[count] = handle ? *handle : 0;
	item.number_count = count + 1;
	item.handle_count = handle ? count + 1 : 0;
	error = wt_state_set(into, &item);
	return error || !more ? error : wt_late_write(recorder, more);
}
