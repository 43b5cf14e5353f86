/* SPDX-License-Identifier: MIT */
#include "replayer/view/view.h"

#include <stdlib.h>
#include <string.h>

#include "replayer/recorded/process-part.h"
#include "replayer/view/internal.h"

/* Handles of all objects of a kind, in the order of the state: by handle. */
static bool view_collect_objects(struct wt_view *view, enum wt_object object)
{
	struct wt_key first = {.type = WT_ITEM_OBJECT, .kind = view->names.objects[object]};
	size_t count = wt_state_count(view->state), from, to;

	if (!first.kind)
		return true;
	from = wt_state_lower_bound(view->state, &first);
	for (to = from; to < count; to++) {
		const struct wt_item *item = wt_state_at(view->state, to);

		if (item->key.type != first.type || item->key.kind != first.kind)
			break;
	}
	view->handles[object] = calloc(to - from + 1, sizeof(uint64_t));
	if (!view->handles[object])
		return false;
	for (size_t i = from; i < to; i++)
		view->handles[object][i - from] = wt_state_at(view->state, i)->key.owner;
	view->handle_counts[object] = to - from;
	return true;
}

static struct wt_error *view_init(struct wt_view *view, uint32_t moment)
{
	struct wt_error *error;

	error = wt_table_names_init(&view->names, view->reader);
	if (error)
		return error;
	if (moment == WT_VIEW_FACTS) {
		error = wt_reader_facts(view->reader, &view->state);
	} else {
		error = wt_reader_moment(view->reader, moment, &view->moment);
		if (!error)
			error = wt_reader_state_deferred(view->reader, moment, &view->state);
		if (!error) {
			view->processes = wt_recorded_process_count(&view->names, view->state);
			error = wt_recorded_keep_process(&view->names, view->moment->process,
							 &view->state);
		}
	}
	if (error)
		return error;
	view->recorded = (struct wt_recorded){
		.names = &view->names,
		.state = view->state,
		.layout = &view->layout,
		.reader = moment == WT_VIEW_FACTS ? NULL : view->reader,
	};
	for (int i = 0; i < WT_OBJECT_COUNT; i++)
		if (!view_collect_objects(view, (enum wt_object)i))
			return &wt_error_no_memory;
	view->segments = calloc(1, sizeof(*view->segments));
	return view->segments ? NULL : &wt_error_no_memory;
}

struct wt_error *wt_view_open(struct wt_reader *reader, uint32_t moment, struct wt_view **view_ret)
{
	struct wt_view *view = calloc(1, sizeof(*view));
	struct wt_error *error;

	if (!view)
		return &wt_error_no_memory;
	view->reader = reader;
	error = view_init(view, moment);
	if (error) {
		wt_view_close(view);
		return error;
	}
	*view_ret = view;
	return NULL;
}

void wt_view_close(struct wt_view *view)
{
	struct wt_view_string *string, *next;

	if (!view)
		return;
	HASH_ITER(hh, view->strings, string, next)
	{
		HASH_DEL(view->strings, string);
		free(string->text);
		free(string);
	}
	for (int i = 0; i < WT_OBJECT_COUNT; i++)
		free(view->handles[i]);
	if (view->segments)
		free(view->segments->list);
	free(view->segments);
	wt_layout_deinit(&view->layout);
	wt_table_names_deinit(&view->names);
	wt_state_destroy(view->state);
	free(view);
}

const struct wt_moment *wt_view_moment(const struct wt_view *view)
{
	return view->moment;
}

size_t wt_view_processes(const struct wt_view *view)
{
	return view->processes;
}

bool wt_view_memory_precision(const struct wt_view *view, uint32_t *mode_ret)
{
	const struct wt_item *precision =
		view->moment ? wt_recorded_plain(&view->recorded, WT_ITEM_MEMORY_PRECISION,
						 view->moment->process)
			     : NULL;

	if (!precision || precision->number_count != 1)
		return false;
	*mode_ret = (uint32_t)precision->numbers[0];
	return true;
}

struct wt_reader *wt_view_reader(const struct wt_view *view)
{
	return view->reader;
}

const struct wt_recorded *wt_view_recorded(const struct wt_view *view)
{
	return &view->recorded;
}

const struct wt_state *wt_view_state(const struct wt_view *view)
{
	return view->state;
}

size_t wt_view_objects(const struct wt_view *view, enum wt_object object,
		       const uint64_t **handles_ret)
{
	enum wt_function list = wt_objects[object].list;
	const struct wt_item *item = NULL;

	if (list != WT_FUNCTION_COUNT && view->moment)
		item = wt_recorded_function(&view->recorded, WT_ITEM_LIST, list,
					    view->moment->process);
	if (item && item->status == AMD_DBGAPI_STATUS_SUCCESS) {
		*handles_ret = item->handles;
		return item->handle_count;
	}
	*handles_ret = view->handles[object];
	return view->handle_counts[object];
}

bool wt_view_exists(const struct wt_view *view, enum wt_object object, uint64_t handle)
{
	return wt_recorded_object(&view->recorded, object, handle);
}

bool wt_view_lists(const struct wt_view *view, enum wt_object object, uint64_t handle)
{
	const uint64_t *handles;
	size_t count;

	if (wt_view_exists(view, object, handle))
		return true;
	count = wt_view_objects(view, object, &handles);
	for (size_t i = 0; i < count; i++)
		if (handles[i] == handle)
			return true;
	return false;
}

amd_dbgapi_status_t wt_view_answer(const struct wt_view *view, enum wt_object object,
				   uint64_t handle, uint32_t query, const uint8_t **data_ret,
				   size_t *size_ret)
{
	const struct wt_answer *answer = wt_recorded_answer(&view->recorded, object, handle, query);

	if (!answer)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (answer->status != AMD_DBGAPI_STATUS_SUCCESS)
		return (amd_dbgapi_status_t)answer->status;
	*data_ret = answer->value;
	*size_ret = answer->size;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

bool wt_view_number(const struct wt_view *view, enum wt_object object, uint64_t handle,
		    uint32_t query, uint64_t *number_ret)
{
	return wt_recorded_number(&view->recorded, object, handle, query, number_ret);
}

uint64_t wt_view_number_or(const struct wt_view *view, enum wt_object object, uint64_t handle,
			   uint32_t query, uint64_t otherwise)
{
	uint64_t number = otherwise;

	wt_view_number(view, object, handle, query, &number);
	return number;
}

/* Keep a string for as long as the view lives. */
static const char *view_keep_string(struct wt_view *view, const struct wt_view_string_key *key,
				    const uint8_t *data, size_t size)
{
	struct wt_view_string *string = calloc(1, sizeof(*string)), *added;

	if (!string)
		return NULL;
	string->key = *key;
	string->text = strndup(size ? (const char *)data : "", size);
	if (string->text)
		HASH_ADD(hh, view->strings, key, sizeof(string->key), string);
	HASH_FIND(hh, view->strings, key, sizeof(*key), added);
	if (!added) {
		free(string->text);
		free(string);
		return NULL;
	}
	return string->text;
}

bool wt_view_event_number(const struct wt_view *view, size_t position, uint32_t query,
			  uint64_t *number_ret)
{
	const struct wt_query *known = wt_query_find(WT_OBJECT_EVENT, query);
	const struct wt_event *event;

	if (!known || !view->moment || position >= view->moment->event_count)
		return false;
	event = &view->moment->events[position];
	return wt_answer_number(wt_recorded_find(&view->recorded, WT_OBJECT_EVENT, known,
						 event->answers, event->answer_count),
				number_ret);
}

const char *wt_view_text(struct wt_view *view, enum wt_object object, uint64_t handle,
			 uint32_t query)
{
	struct wt_view_string_key key = {.handle = handle, .object = object, .query = query};
	struct wt_view_string *string;
	const uint8_t *data = NULL;
	size_t size = 0;

	/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the key has no gaps */
	HASH_FIND(hh, view->strings, &key, sizeof(key), string);
	if (string)
		return string->text;
	if (wt_view_answer(view, object, handle, query, &data, &size) != AMD_DBGAPI_STATUS_SUCCESS)
		return NULL;
	return view_keep_string(view, &key, data, size);
}

bool wt_view_array(const struct wt_view *view, enum wt_object object, uint64_t handle,
		   uint32_t query, uint32_t *numbers_ret, size_t count)
{
	const uint8_t *data = NULL;
	size_t size = 0, element;

	if (wt_view_answer(view, object, handle, query, &data, &size) !=
		    AMD_DBGAPI_STATUS_SUCCESS ||
	    !count || size % count)
		return false;
	element = size / count;
	if (element != sizeof(uint16_t) && element != sizeof(uint32_t))
		return false;
	for (size_t i = 0; i < count; i++) {
		numbers_ret[i] = 0;
		for (size_t j = 0; j < element; j++)
			numbers_ret[i] |= (uint32_t)data[i * element + j] << 8 * j;
	}
	return true;
}

const struct gfx_architecture *wt_view_architecture(struct wt_view *view, enum wt_object object,
						    uint64_t handle)
{
	static const uint32_t queries[WT_OBJECT_COUNT] = {
		[WT_OBJECT_WAVE] = AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
		[WT_OBJECT_AGENT] = AMD_DBGAPI_AGENT_INFO_ARCHITECTURE,
		[WT_OBJECT_QUEUE] = AMD_DBGAPI_QUEUE_INFO_ARCHITECTURE,
		[WT_OBJECT_DISPATCH] = AMD_DBGAPI_DISPATCH_INFO_ARCHITECTURE,
		[WT_OBJECT_WORKGROUP] = AMD_DBGAPI_WORKGROUP_INFO_ARCHITECTURE,
	};
	uint64_t architecture;

	if (!queries[object] ||
	    !wt_view_number(view, object, handle, queries[object], &architecture))
		return NULL;
	return wt_recorded_architecture(&view->recorded, architecture);
}
