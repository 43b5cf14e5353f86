/* SPDX-License-Identifier: MIT */
#include "replayer/library/cache.h"

#include "replayer/library/internal.h"

struct wt_cached wt_cache_entries[1u << WT_CACHE_BITS];
uint64_t wt_cache_epochs[WT_CACHE_COUNT] = {1, 1};

void wt_cache_forget(void)
{
	wt_cache_epochs[WT_CACHE_MOMENT]++;
}

void wt_cache_forget_all(void)
{
	wt_cache_epochs[WT_CACHE_MOMENT]++;
	wt_cache_epochs[WT_CACHE_FACTS]++;
}

bool wt_cache_give_text(enum wt_cache_for what, const struct wt_cached *kept, void *value,
			amd_dbgapi_status_t *status_ret)
{
	/* The client's callback may make calls, and one of them may have its answer kept in this place. */
	size_t size = kept->size <= WT_CACHE_BYTES ? kept->size : WT_CACHE_BYTES;
	char text[WT_CACHE_BYTES];
	void *memory;

	memcpy(text, kept->data, size);
	if (!wt_cache_holds(what, kept))
		return false;
	*status_ret = wt_client_allocate(&wt_replayer.client, size, &memory);
	if (*status_ret != AMD_DBGAPI_STATUS_SUCCESS)
		return true;
	memcpy(memory, text, size);
	memcpy(value, &memory, sizeof(memory));
	return true;
}

bool wt_cache_no_event(enum wt_cache_for what, enum wt_function function, uint64_t process,
		       amd_dbgapi_event_id_t *event_id, amd_dbgapi_event_kind_t *kind)
{
	if (!event_id || !kind || !wt_cache_done(what, function, process, 0) ||
	    wt_replay_control_asks())
		return false;
	event_id->handle = AMD_DBGAPI_EVENT_NONE.handle;
	*kind = AMD_DBGAPI_EVENT_KIND_NONE;
	return true;
}

/* ---- Keeping ---- */

/* The bytes that an answer wrote to the client's memory. */
struct written {
	const void *data;
	size_t size;
	bool text;
};

static bool find_query_result(enum wt_object object, const struct wt_argument *arguments,
			      struct written *ret)
{
	const struct wt_query *query = wt_query_find(object, (uint32_t)arguments[1].number);
	const char *text;

	*ret = (struct written){.data = arguments[3].pointer, .size = arguments[2].number};
	if (!query || query->result == WT_RESULT_FIXED)
		return query;
	if (query->result != WT_RESULT_STRING)
		return false;
	memcpy(&text, arguments[3].pointer, sizeof(text));
	*ret = (struct written){.data = text, .size = strlen(text) + 1, .text = true};
	return true;
}

/* Finds where a function wrote its answer; false if this one is not kept. */
static bool cached_answer_find_written(enum wt_function function,
				       const struct wt_argument *arguments, struct written *ret)
{
	const struct wt_function_info *info = &wt_functions[function];
	const size_t last = info->parameter_count - 1;

	switch (wt_cache_ways[function].form) {
	case WT_CACHE_QUERY:
		return find_query_result(info->object, arguments, ret);
	case WT_CACHE_VALUE:
		*ret = (struct written){.data = arguments[last].pointer,
					.size = info->parameters[last].size};
		return true;
	case WT_CACHE_REGISTER:
		*ret = (struct written){.data = arguments[4].pointer, .size = arguments[3].number};
		return arguments[2].number == 0;
	case WT_CACHE_NO_EVENT:
	case WT_CACHE_DONE:
		*ret = (struct written){0};
		return true;
	default:
		return false;
	}
}

/* Its arguments that are no pointers, as those who look for it name them. */
static void put_key(struct wt_cached *kept, enum wt_function function,
		    const struct wt_argument *arguments)
{
	const struct wt_function_info *info = &wt_functions[function];
	size_t count = 0;

	memset(kept->key, 0, sizeof(kept->key));
	kept->key[count++] = function;
	for (size_t i = 0; i < info->parameter_count && count < WT_CACHE_KEYS; i++)
		if (info->parameters[i].shape == WT_SHAPE_VALUE &&
		    (wt_cache_ways[function].form != WT_CACHE_REGISTER || i != 2))
			kept->key[count++] = arguments[i].number;
}

void wt_cache_keep(enum wt_function function, const struct wt_argument *arguments,
		   const uint64_t epochs[WT_CACHE_COUNT])
{
	const enum wt_cache_for what = wt_cache_ways[function].what;
	struct written written;
	struct wt_cached *kept;

	if (wt_cache_ways[function].form == WT_CACHE_NOTHING ||
	    epochs[what] != wt_cache_epochs[what] ||
	    !cached_answer_find_written(function, arguments, &written) ||
	    written.size > WT_CACHE_BYTES)
		return;
	kept = wt_cache_place(function, arguments[0].number,
			      wt_functions[function].parameter_count > 1 ? arguments[1].number : 0);
	atomic_store_explicit(&kept->epoch, 0, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	put_key(kept, function, arguments);
	kept->size = (uint32_t)written.size;
	kept->text = written.text;
	if (written.size)
		memcpy(kept->data, written.data, written.size);
	atomic_store_explicit(&kept->epoch, wt_cache_epochs[what], memory_order_release);
}
