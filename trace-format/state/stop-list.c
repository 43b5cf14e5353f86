/* SPDX-License-Identifier: MIT */
#include "trace-format/state/stop-list.h"

#include <stdlib.h>
#include <string.h>

#include "trace-format/message/encode.h"
#include "trace-format/message/packet.h"
#include "trace-format/state/held.h"

/* A trace whose list of stops would take more is not given one. */
#define LIST_MAX ((size_t)32 << 20)
/* So many sets of reasons at one stop are none that a list could show. */
#define GROUPS_MAX 64u

/* Names as a trace has numbered them; 0: it does not have this one. */
struct numbers {
	uint32_t wave_list, wave, reasons, pc, architecture, dispatch_of;
	uint32_t dispatch, entry;
	uint32_t code_list, code, load_address;
};

static void find_numbers(const struct wt_names *names, struct numbers *numbers_ret)
{
	*numbers_ret = (struct numbers){
		.wave_list = wt_names_find(names, "amd_dbgapi_process_wave_list"),
		.wave = wt_names_find(names, "wave"),
		.reasons = wt_names_find(names, "AMD_DBGAPI_WAVE_INFO_STOP_REASON"),
		.pc = wt_names_find(names, "AMD_DBGAPI_WAVE_INFO_PC"),
		.architecture = wt_names_find(names, "AMD_DBGAPI_WAVE_INFO_ARCHITECTURE"),
		.dispatch_of = wt_names_find(names, "AMD_DBGAPI_WAVE_INFO_DISPATCH"),
		.dispatch = wt_names_find(names, "dispatch"),
		.entry = wt_names_find(names, "AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS"),
		.code_list = wt_names_find(names, "amd_dbgapi_process_code_object_list"),
		.code = wt_names_find(names, "code_object"),
		.load_address = wt_names_find(names, "AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS"),
	};
}

void wt_stop_deinit(struct wt_stop *stop)
{
	free(stop->events);
	free(stop->groups);
	free(stop->code);
	memset(stop, 0, sizeof(*stop));
}

/* A number of up to 8 bytes that was answered; false if it was not. */
static bool answered(const struct wt_item *item, uint32_t query, uint64_t *number_ret)
{
	const struct wt_answer *answer = item && query ? wt_item_answer(item, query) : NULL;
	uint64_t number = 0;

	if (!answer || answer->status || !answer->size || answer->size > sizeof(number))
		return false;
	for (size_t i = 0; i < answer->size; i++)
		number |= (uint64_t)answer->value[i] << 8 * i;
	*number_ret = number;
	return true;
}

/* @place: as of wt_state_get_near(). */
static const struct wt_item *object(const struct wt_state *state, uint32_t kind, uint64_t handle,
				    size_t *place)
{
	const struct wt_key key = {.type = WT_ITEM_OBJECT, .kind = kind, .owner = handle};

	return kind ? wt_state_get_near(state, &key, place) : NULL;
}

/* A walk over the objects of a kind: as the library listed them, or by handle where it was not asked. */
struct objects {
	const struct wt_state *state;
	const struct wt_item *list; /* NULL: by handle */
	uint32_t kind;
	size_t at;
	size_t place; /* of the item before in the state */
};

static struct objects objects_of(const struct wt_state *state, uint64_t process, uint32_t function,
				 uint32_t kind)
{
	const struct wt_key key = {.type = WT_ITEM_LIST, .kind = function, .owner = process};
	const struct wt_key first = {.type = WT_ITEM_OBJECT, .kind = kind};
	const struct wt_item *list = function ? wt_state_get(state, &key) : NULL;

	if (list && list->status)
		list = NULL;
	return (struct objects){state, list, kind, list ? 0 : wt_state_lower_bound(state, &first),
				0};
}

/* The next one, and its item if there is one; false at the end. */
static bool next_object(struct objects *objects, uint64_t *handle_ret,
			const struct wt_item **item_ret)
{
	const struct wt_item *item;

	if (objects->list) {
		if (objects->at == objects->list->handle_count)
			return false;
		*handle_ret = objects->list->handles[objects->at++];
		*item_ret = object(objects->state, objects->kind, *handle_ret, &objects->place);
		return true;
	}
	item = objects->kind ? wt_state_at(objects->state, objects->at++) : NULL;
	if (!item || item->key.type != WT_ITEM_OBJECT || item->key.kind != objects->kind)
		return false;
	*handle_ret = item->key.owner;
	*item_ret = item;
	return true;
}

struct wt_stop_events *wt_stop_events(const struct wt_moment *moment, size_t *count_ret)
{
	struct wt_stop_events *runs = calloc(moment->event_count + 1, sizeof(*runs));
	size_t count = 0;

	if (!runs)
		return NULL;
	for (size_t i = 0; i < moment->event_count; i++) {
		const struct wt_event *event = &moment->events[i];
		struct wt_stop_events *run = runs + count;

		if (count && run[-1].kind == event->kind &&
		    run[-1].first + run[-1].count == event->handle) {
			run[-1].count++;
			continue;
		}
		*run = (struct wt_stop_events){event->handle, 1, event->kind};
		count++;
	}
	*count_ret = count;
	return runs;
}

/* Describes the first wave of a group. */
static void describe_wave(const struct numbers *numbers, const struct wt_state *state,
			  const struct wt_item *wave, struct wt_stop_group *group)
{
	uint64_t dispatch;
	size_t place = 0;

	if (answered(wave, numbers->pc, &group->pc))
		group->known |= WT_STOP_PC;
	if (answered(wave, numbers->architecture, &group->architecture))
		group->known |= WT_STOP_ARCHITECTURE;
	if (answered(wave, numbers->dispatch_of, &dispatch) &&
	    answered(object(state, numbers->dispatch, dispatch, &place), numbers->entry,
		     &group->entry))
		group->known |= WT_STOP_ENTRY;
}

static struct wt_stop_group *stop_find_group(struct wt_stop *stop, uint64_t reasons)
{
	for (size_t i = 0; i < stop->group_count; i++)
		if (stop->groups[i].reasons == reasons)
			return &stop->groups[i];
	return NULL;
}

static struct wt_error *describe_waves(const struct numbers *numbers, const struct wt_state *state,
				       struct wt_stop *stop, bool *whole)
{
	struct objects waves = objects_of(state, stop->process, numbers->wave_list, numbers->wave);
	const struct wt_item *item;
	uint64_t handle, reasons;

	stop->groups = calloc(GROUPS_MAX, sizeof(*stop->groups));
	if (!stop->groups)
		return &wt_error_no_memory;
	for (; next_object(&waves, &handle, &item); stop->waves++) {
		struct wt_stop_group *group;

		if (!answered(item, numbers->reasons, &reasons))
			continue;
		group = stop_find_group(stop, reasons);
		if (!group && stop->group_count == GROUPS_MAX) {
			*whole = false;
			continue;
		}
		if (!group) {
			group = &stop->groups[stop->group_count++];
			*group = (struct wt_stop_group){.reasons = reasons, .wave = handle};
			describe_wave(numbers, state, item, group);
		}
		group->count++;
	}
	return NULL;
}

/* The image of a code object, as blobs. False if there is one and it is not a row of blobs as they are. */
static bool describe_image(const struct wt_state *state, struct wt_stop_code *code)
{
	const struct wt_key key = {.type = WT_ITEM_IMAGE, .owner = code->handle};
	const struct wt_held_item *held = wt_state_held(state, &key);

	if (!held || held->item.status || !held->item.bytes || !held->item.bytes->size)
		return true;
	if (!held->stored || held->stored->base != held->item.bytes)
		return false;
	code->blobs = held->stored->blobs;
	code->blob_count = held->stored->count;
	return true;
}

static struct wt_error *describe_code(const struct numbers *numbers, const struct wt_state *state,
				      struct wt_stop *stop, bool *whole)
{
	struct objects objects =
		objects_of(state, stop->process, numbers->code_list, numbers->code);
	size_t capacity = 0;
	const struct wt_item *item;
	uint64_t handle;

	while (next_object(&objects, &handle, &item)) {
		struct wt_stop_code code = {.handle = handle};

		if (!answered(item, numbers->load_address, &code.load_address))
			continue;
		*whole &= describe_image(state, &code);
		if (!code.blob_count)
			continue;
		if (stop->code_count == capacity) {
			struct wt_stop_code *grown;

			capacity = capacity ? 2 * capacity : 16;
			grown = reallocarray(stop->code, capacity, sizeof(*grown));
			if (!grown)
				return &wt_error_no_memory;
			stop->code = grown;
		}
		stop->code[stop->code_count++] = code;
	}
	return NULL;
}

struct wt_error *wt_stop_describe(const struct wt_names *names, const struct wt_moment *moment,
				  const struct wt_state *state, struct wt_stop *stop_ret,
				  bool *whole_ret)
{
	struct wt_stop stop = {
		.moment = moment->number,
		.process = moment->process,
		.call = moment->call,
		.time = moment->time,
	};
	struct numbers numbers;
	struct wt_error *error;
	bool whole = true;

	find_numbers(names, &numbers);
	stop.events = wt_stop_events(moment, &stop.event_count);
	if (!stop.events)
		return &wt_error_no_memory;
	error = describe_waves(&numbers, state, &stop, &whole);
	if (!error)
		error = describe_code(&numbers, state, &stop, &whole);
	if (error) {
		wt_stop_deinit(&stop);
		return error;
	}
	*stop_ret = stop;
	*whole_ret = whole;
	return NULL;
}

uint64_t wt_stop_reasons(const struct wt_stop *stop)
{
	uint64_t reasons = 0;

	for (size_t i = 0; i < stop->group_count; i++)
		reasons |= stop->groups[i].reasons;
	return reasons;
}

uint64_t wt_stop_stopped(const struct wt_stop *stop)
{
	uint64_t stopped = 0;

	for (size_t i = 0; i < stop->group_count; i++)
		stopped += stop->groups[i].count;
	return stopped;
}

static bool events_equal(const struct wt_stop_events *a, const struct wt_stop_events *b)
{
	return a->first == b->first && a->count == b->count && a->kind == b->kind;
}

/* Facts that are not known of both do not count. */
static bool groups_equal(const struct wt_stop_group *a, const struct wt_stop_group *b)
{
	return a->reasons == b->reasons && a->count == b->count && a->wave == b->wave &&
	       a->known == b->known && (!(a->known & WT_STOP_PC) || a->pc == b->pc) &&
	       (!(a->known & WT_STOP_ARCHITECTURE) || a->architecture == b->architecture) &&
	       (!(a->known & WT_STOP_ENTRY) || a->entry == b->entry);
}

static bool codes_equal(const struct wt_stop_code *a, const struct wt_stop_code *b)
{
	return a->handle == b->handle && a->load_address == b->load_address &&
	       a->blob_count == b->blob_count &&
	       (a->blobs == b->blobs ||
		!memcmp(a->blobs, b->blobs, a->blob_count * sizeof(*a->blobs)));
}

bool wt_stop_equal(const struct wt_stop *a, const struct wt_stop *b)
{
	if (a->moment != b->moment || a->process != b->process || a->call != b->call ||
	    a->time != b->time || a->waves != b->waves || a->event_count != b->event_count ||
	    a->group_count != b->group_count || a->code_count != b->code_count)
		return false;
	for (size_t i = 0; i < a->event_count; i++)
		if (!events_equal(&a->events[i], &b->events[i]))
			return false;
	for (size_t i = 0; i < a->group_count; i++)
		if (!groups_equal(&a->groups[i], &b->groups[i]))
			return false;
	for (size_t i = 0; i < a->code_count; i++)
		if (!codes_equal(&a->code[i], &b->code[i]))
			return false;
	return true;
}

/* ---- A list ---- */

void wt_stop_list_deinit(struct wt_stop_list *list)
{
	for (size_t i = 0; i < list->code_count; i++)
		free((uint32_t *)(uintptr_t)list->codes[i].blobs);
	free(list->codes);
	free(list->last);
	wt_buffer_deinit(&list->encoded);
	memset(list, 0, sizeof(*list));
}

size_t wt_stop_list_size(const struct wt_stop_list *list)
{
	return list->encoded.capacity + list->code_capacity * sizeof(*list->codes) +
	       list->last_capacity * sizeof(*list->last);
}

static void encode_code(struct wt_buffer *buffer, const struct wt_stop_code *code)
{
	size_t mark = wt_encode_begin(buffer, WT_FIELD_SUMMARY_CODE), blobs;

	wt_encode_number(buffer, WT_FIELD_LISTED_CODE_HANDLE, code->handle);
	wt_encode_number(buffer, WT_FIELD_LISTED_CODE_LOAD_ADDRESS, code->load_address);
	blobs = wt_encode_begin(buffer, WT_FIELD_LISTED_CODE_BLOB);
	for (size_t i = 0; i < code->blob_count; i++)
		wt_encode_varint(buffer, code->blobs[i]);
	wt_encode_end(buffer, blobs);
	wt_encode_end(buffer, mark);
}

static bool stop_list_add_code(struct wt_stop_list *list, const struct wt_stop_code *code)
{
	struct wt_stop_code kept = *code;
	uint32_t *blobs;

	if (list->code_count == list->code_capacity) {
		size_t capacity = list->code_capacity ? 2 * list->code_capacity : 16;
		struct wt_stop_code *codes = reallocarray(list->codes, capacity, sizeof(*codes));

		if (!codes)
			return false;
		list->codes = codes;
		list->code_capacity = capacity;
	}
	blobs = calloc(code->blob_count, sizeof(*blobs));
	if (!blobs)
		return false;
	memcpy(blobs, code->blobs, code->blob_count * sizeof(*blobs));
	kept.blobs = blobs;
	list->codes[list->code_count++] = kept;
	encode_code(&list->encoded, code);
	return true;
}

/* The position of a code object, which is added if it is new: at @near, where it was at the stop before, or anywhere. */
static bool stop_list_find_code(struct wt_stop_list *list, const struct wt_stop_code *code,
				size_t near, uint32_t *position_ret)
{
	if (near < list->last_count && codes_equal(&list->codes[list->last[near]], code)) {
		*position_ret = list->last[near];
		return true;
	}
	for (size_t i = list->code_count; i > 0; i--) {
		if (!codes_equal(&list->codes[i - 1], code))
			continue;
		*position_ret = (uint32_t)(i - 1);
		return true;
	}
	*position_ret = (uint32_t)list->code_count;
	return list->code_count < UINT32_MAX && stop_list_add_code(list, code);
}

/* Positions of a stop's code objects in place of those of the one before. False in @same if they are others. */
static bool stop_list_take_codes(struct wt_stop_list *list, const struct wt_stop *stop, bool *same)
{
	uint32_t position;

	*same = stop->code_count == list->last_count;
	if (stop->code_count > list->last_capacity) {
		uint32_t *last = reallocarray(list->last, stop->code_count, sizeof(*last));

		if (!last)
			return false;
		list->last = last;
		list->last_capacity = stop->code_count;
	}
	for (size_t i = 0; i < stop->code_count; i++) {
		if (!stop_list_find_code(list, &stop->code[i], i, &position))
			return false;
		*same = *same && i < list->last_count && list->last[i] == position;
		list->last[i] = position;
	}
	list->last_count = stop->code_count;
	return true;
}

static void encode_groups(struct wt_buffer *buffer, const struct wt_stop *stop)
{
	for (size_t i = 0; i < stop->group_count; i++) {
		const struct wt_stop_group *group = &stop->groups[i];
		size_t mark = wt_encode_begin(buffer, WT_FIELD_LISTED_STOP_GROUP);

		wt_encode_number(buffer, WT_FIELD_LISTED_WAVES_REASONS, group->reasons);
		wt_encode_number(buffer, WT_FIELD_LISTED_WAVES_COUNT, group->count);
		wt_encode_number(buffer, WT_FIELD_LISTED_WAVES_WAVE, group->wave);
		wt_encode_number(buffer, WT_FIELD_LISTED_WAVES_KNOWN, group->known);
		wt_encode_number(buffer, WT_FIELD_LISTED_WAVES_PC, group->pc);
		wt_encode_number(buffer, WT_FIELD_LISTED_WAVES_ARCHITECTURE, group->architecture);
		wt_encode_number(buffer, WT_FIELD_LISTED_WAVES_ENTRY, group->entry);
		wt_encode_end(buffer, mark);
	}
}

static void encode_stop(struct wt_stop_list *list, const struct wt_stop *stop, bool same_code)
{
	struct wt_buffer *buffer = &list->encoded;
	size_t mark = wt_encode_begin(buffer, WT_FIELD_SUMMARY_STOP), inner;

	wt_encode_number(buffer, WT_FIELD_LISTED_STOP_MOMENT, stop->moment);
	wt_encode_number(buffer, WT_FIELD_LISTED_STOP_PROCESS, stop->process);
	wt_encode_number(buffer, WT_FIELD_LISTED_STOP_CALL, stop->call);
	wt_encode_number(buffer, WT_FIELD_LISTED_STOP_TIME, stop->time);
	for (size_t i = 0; i < stop->event_count; i++) {
		inner = wt_encode_begin(buffer, WT_FIELD_LISTED_STOP_EVENT);
		wt_encode_number(buffer, WT_FIELD_LISTED_EVENTS_FIRST, stop->events[i].first);
		wt_encode_number(buffer, WT_FIELD_LISTED_EVENTS_COUNT, stop->events[i].count);
		wt_encode_number(buffer, WT_FIELD_LISTED_EVENTS_KIND, stop->events[i].kind);
		wt_encode_end(buffer, inner);
	}
	wt_encode_number(buffer, WT_FIELD_LISTED_STOP_WAVES, stop->waves);
	encode_groups(buffer, stop);
	wt_encode_number(buffer, WT_FIELD_LISTED_STOP_SAME_CODE, same_code);
	if (!same_code && list->last_count) {
		inner = wt_encode_begin(buffer, WT_FIELD_LISTED_STOP_CODE);
		for (size_t i = 0; i < list->last_count; i++)
			wt_encode_varint(buffer, list->last[i]);
		wt_encode_end(buffer, inner);
	}
	wt_encode_end(buffer, mark);
}

void wt_stop_list_add(struct wt_stop_list *list, const struct wt_stop *stop)
{
	bool same;

	if (list->broken)
		return;
	for (size_t i = 0; i < stop->event_count; i++)
		list->events += stop->events[i].count;
	if (stop_list_take_codes(list, stop, &same))
		encode_stop(list, stop, same);
	else
		list->broken = true;
	list->broken |= list->encoded.failed || list->encoded.size > LIST_MAX ||
			list->events > WT_LISTED_EVENTS_MAX;
}
