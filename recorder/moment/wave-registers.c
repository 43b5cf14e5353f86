/* SPDX-License-Identifier: MIT */
#include "recorder/moment/wave-registers.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "recorder/moment/register-layout.h"
#include "recorder/recording/call.h"
#include "recorder/recording/question.h"
#include "trace-format/state/held.h"

/* Lists of registers that are remembered: waves of one dispatch have the same. */
#define LISTS 256u

static struct wt_key list_key(struct wt_recorder *recorder, uint64_t wave)
{
	return wt_key_function(recorder, WT_ITEM_LIST, WT_FUNCTION_WAVE_REGISTER_LIST, wave);
}

/* ---- Which registers a wave has ---- */

/* A list with these handles, for all waves that have it; NULL where there is no memory for another, or there are too many. */
static struct wt_handle_list *session_share_list(struct wt_session *session,
						 const uint64_t *handles, size_t count)
{
	const size_t size = count * sizeof(*handles);
	struct wt_handle_list **lists;

	/* The newest first: waves of one dispatch come together. */
	for (size_t i = session->register_list_count; i > 0; i--) {
		struct wt_handle_list *list = session->register_lists[i - 1];

		if (list->count == count && !memcmp(list->handles, handles, size))
			return list;
	}
	if (!count || session->register_list_count >= LISTS)
		return NULL;
	lists = reallocarray(session->register_lists, session->register_list_count + 1,
			     sizeof(struct wt_handle_list *));
	if (!lists)
		return NULL;
	session->register_lists = lists;
	lists[session->register_list_count] = wt_handle_list_create(handles, count);
	if (!lists[session->register_list_count])
		return NULL;
	return lists[session->register_list_count++];
}

static struct wt_error *put_old(struct wt_state *state, struct wt_held_item *old,
				const struct wt_item **item_ret)
{
	*item_ret = &old->item;
	return wt_state_hold(state, old);
}

/* The list stays the same for a wave's life. */
static struct wt_error *register_list_take(struct wt_recorder *recorder, struct wt_state *state,
					   uint64_t wave, const struct wt_item **list_ret)
{
	struct wt_session *session = &recorder->session;
	const struct wt_item item = {.key = list_key(recorder, wave)};
	struct wt_held_item *old =
		session->state ? wt_state_held_near(session->state, &item.key, &session->list_place)
			       : NULL;
	wt_cleanup_free uint64_t *handles = NULL;
	struct wt_handle_list *list;
	struct wt_error *error;
	size_t count = 0;

	if (old && old->item.handle_count)
		return put_old(state, old, list_ret);
	error = wt_take_list(recorder, state, WT_FUNCTION_WAVE_REGISTER_LIST, wave, &count,
			     &handles);
	if (error)
		return error;
	list = session_share_list(session, handles, count);
	if (list)
		return wt_state_put_of(state, &item, list, list_ret);
	*list_ret = wt_state_get(state, &item.key);
	/* Its key had no name when it was put there, or has none now: there was no memory for it. */
	return *list_ret ? NULL : &wt_error_no_memory;
}

/* ---- Their values ---- */

bool wt_registers_hold(const struct wt_item *item, uint64_t handle, size_t *place)
{
	size_t count = item ? item->handle_count : 0;

	if (*place < count && item->handles[*place] == handle)
		return true;
	for (size_t i = 0; i < count; i++) {
		if (item->handles[i] == handle) {
			*place = i;
			return true;
		}
	}
	return false;
}

/* UINT64_MAX: there is no memory to find out, so that it is never enough. */
static size_t count_taken(struct wt_recorder *recorder, const struct wt_item *list,
			  enum wt_extent extent)
{
	const struct wt_register_plan *plan = wt_register_plan_find(recorder, list, extent);

	return plan ? plan->of.taken->count : SIZE_MAX;
}

bool wt_registers_are_whole(struct wt_recorder *recorder, const struct wt_state *state,
			    uint64_t wave)
{
	const struct wt_key values = wt_key_plain(WT_ITEM_REGISTERS, wave);
	const struct wt_key key = list_key(recorder, wave);
	const struct wt_item *item = state ? wt_state_get(state, &values) : NULL;
	const struct wt_item *list = state ? wt_state_get(state, &key) : NULL;

	return item &&
	       (!list || item->handle_count >= count_taken(recorder, list, WT_REGISTERS_EVERY));
}

/*
 * Registers that the list names and the wave does not give are not recorded.
 *
 * @values: room for all.
 * @given_ret: the registers that there are: the plan's, or a list of its own where some are left out.
 * @size_ret: how many bytes these are.
 */
static struct wt_error *read_values(struct wt_recorder *recorder,
				    const struct wt_register_plan *plan, uint64_t wave,
				    uint8_t *values, struct wt_handle_list **given_ret,
				    size_t *size_ret)
{
	__typeof__(recorder->api.read_register) read = recorder->api.read_register;
	const amd_dbgapi_wave_id_t id = {wave};
	const struct wt_handle_list *taken = plan->of.taken;
	const uint32_t *sizes = plan->sizes;
	struct wt_handle_list *given = NULL;
	size_t size = 0, count = 0;

	wt_own_begin();
	for (size_t i = 0; i < taken->count; i++) {
		const amd_dbgapi_register_id_t reg = {taken->handles[i]};

		if (read(id, reg, 0, sizes[i], values + size) == AMD_DBGAPI_STATUS_SUCCESS) {
			size += sizes[i];
			if (given)
				given->handles[count] = taken->handles[i];
			count++;
		} else if (!given) {
			given = wt_handle_list_create(taken->handles, taken->count);
			if (!given)
				break;
		}
	}
	wt_own_end();
	if (!given && count < taken->count)
		return &wt_error_no_memory;
	if (given)
		given->count = count;
	*given_ret = given ? given : wt_handle_list_reference(plan->of.taken);
	*size_ret = size;
	return NULL;
}

static struct wt_error *register_values_take(struct wt_recorder *recorder, struct wt_state *state,
					     uint64_t wave, const struct wt_item *list,
					     enum wt_extent extent,
					     const struct wt_item **values_ret)
{
	const struct wt_register_plan *plan = wt_register_plan_find(recorder, list, extent);
	struct wt_item item = {.key = wt_key_plain(WT_ITEM_REGISTERS, wave)};
	struct wt_handle_list *given = NULL;
	struct wt_error *error;

	item.bytes = plan ? wt_bytes_pool_take(plan->of.pool) : NULL;
	if (!item.bytes)
		return &wt_error_no_memory;
	error = read_values(recorder, plan, wave, item.bytes->data, &given, &item.bytes->size);
	if (!error)
		error = wt_state_put_of(state, &item, given, values_ret);
	wt_handle_list_release(given);
	wt_bytes_release(item.bytes);
	return error;
}

/* Values as they were at the last moment, if the wave has not moved since. NULL if there are not enough. */
static struct wt_held_item *values_find_old(struct wt_recorder *recorder, uint64_t wave,
					    const struct wt_item *list, enum wt_extent extent)
{
	struct wt_session *session = &recorder->session;
	const struct wt_key key = wt_key_plain(WT_ITEM_REGISTERS, wave);
	struct wt_held_item *held =
		session->state ? wt_state_held_near(session->state, &key, &session->values_place)
			       : NULL;
	const struct wt_item *old = held ? &held->item : NULL;

	if (old && (wt_session_keeps(session, wave) ||
		    (wt_session_stays(session, wave) && old->handle_count >= list->handle_count)))
		return held;
	if (!old || wt_handles_has(&session->touched, wave))
		return NULL;
	return old->handle_count >= list->handle_count ||
			       old->handle_count >= count_taken(recorder, list, extent)
		       ? held
		       : NULL;
}

struct wt_error *wt_take_registers(struct wt_recorder *recorder, struct wt_state *state,
				   uint64_t wave, enum wt_extent extent,
				   const struct wt_item **values_ret)
{
	const struct wt_item *list, *values;
	struct wt_held_item *old;
	struct wt_error *error = register_list_take(recorder, state, wave, &list);

	if (error)
		return error;
	old = values_find_old(recorder, wave, list, extent);
	error = old ? put_old(state, old, &values)
		    : register_values_take(recorder, state, wave, list, extent, &values);
	if (!error && values_ret)
		*values_ret = values;
	return error;
}
