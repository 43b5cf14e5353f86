/* SPDX-License-Identifier: MIT */
#include "trace-format/state/held.h"

#include <stdlib.h>
#include <string.h>

size_t wt_item_size(const struct wt_item *item)
{
	size_t size = sizeof(struct wt_held_item), part;

	if (__builtin_mul_overflow(item->answer_count, sizeof(*item->answers), &part) ||
	    __builtin_add_overflow(size, part, &size) ||
	    __builtin_mul_overflow(item->handle_count, sizeof(*item->handles), &part) ||
	    __builtin_add_overflow(size, part, &size) ||
	    __builtin_mul_overflow(item->number_count, sizeof(*item->numbers), &part) ||
	    __builtin_add_overflow(size, part, &size))
		return SIZE_MAX;
	for (size_t i = 0; i < item->answer_count; i++)
		if (__builtin_add_overflow(size, item->answers[i].size, &size))
			return SIZE_MAX;
	return size;
}

static uint64_t *copy_words(uint8_t **room, const uint64_t *words, size_t count)
{
	uint64_t *copy = (uint64_t *)(void *)*room;

	if (!count)
		return NULL;
	memcpy(copy, words, count * sizeof(*words));
	*room += count * sizeof(*words);
	return copy;
}

struct wt_answer *wt_answers_copy(uint8_t **room, const struct wt_answer *answers, size_t count)
{
	struct wt_answer *copy = (struct wt_answer *)(void *)*room;
	uint8_t *values = *room + count * sizeof(*copy);

	if (!count)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		copy[i] = answers[i];
		copy[i].value = values;
		/* Most are one number, which is copied without a call. */
		if (answers[i].size == sizeof(uint64_t))
			memcpy(values, answers[i].value, sizeof(uint64_t));
		else if (answers[i].size)
			memcpy(values, answers[i].value, answers[i].size);
		values += answers[i].size;
	}
	*room = values;
	return copy;
}

struct wt_handle_list *wt_handle_list_create(const uint64_t *handles, size_t count)
{
	struct wt_handle_list *list = malloc(sizeof(*list) + count * sizeof(*handles));

	if (!list)
		return NULL;
	list->references = 1;
	list->count = count;
	if (count)
		memcpy(list->handles, handles, count * sizeof(*handles));
	return list;
}

struct wt_handle_list *wt_handle_list_reference(struct wt_handle_list *list)
{
	if (list)
		list->references++;
	return list;
}

void wt_handle_list_release(struct wt_handle_list *list)
{
	if (list && --list->references == 0)
		free(list);
}

struct wt_held_item *wt_held_item_create_of(const struct wt_item *item, struct wt_handle_list *list)
{
	struct wt_item rest = *item;
	struct wt_held_item *held;

	rest.handles = NULL;
	rest.handle_count = 0;
	held = wt_held_item_create(list ? &rest : item);
	if (!held || !list)
		return held;
	held->list = wt_handle_list_reference(list);
	held->item.handles = list->handles;
	held->item.handle_count = list->count;
	return held;
}

struct wt_held_item *wt_held_item_create(const struct wt_item *item)
{
	size_t size = wt_item_size(item);
	struct wt_held_item *held;
	uint8_t *room;

	if (size == SIZE_MAX)
		return NULL;
	held = malloc(size);
	if (!held)
		return NULL;
	memset(held, 0, sizeof(*held));
	room = (uint8_t *)(held + 1);
	held->references = 1;
	held->item = *item;
	held->item.handles = copy_words(&room, item->handles, item->handle_count);
	held->item.numbers = copy_words(&room, item->numbers, item->number_count);
	held->item.answers = wt_answers_copy(&room, item->answers, item->answer_count);
	held->item.bytes = wt_bytes_reference(item->bytes);
	return held;
}

/* The address, in a copy at @to, of what lies behind @from. */
static void *pointer_in_copy(const void *pointer, const void *from, void *to)
{
	return pointer ? (uint8_t *)to + ((const uint8_t *)pointer - (const uint8_t *)from) : NULL;
}

/* The values of its answers lie last, in their order. */
static size_t held_size(const struct wt_held_item *held)
{
	const struct wt_answer *last = held->item.answers;
	struct wt_item own = held->item;

	if (own.answer_count) {
		last += own.answer_count - 1;
		return (size_t)(last->value + last->size - (const uint8_t *)held);
	}
	if (held->list)
		own.handle_count = 0;
	return wt_item_size(&own);
}

struct wt_held_item *wt_held_item_clone(const struct wt_held_item *held)
{
	size_t size = held_size(held);
	struct wt_held_item *clone = malloc(size);
	struct wt_item *item;

	if (!clone)
		return NULL;
	memcpy(clone, held, size);
	item = &clone->item;
	*clone = (struct wt_held_item){
		.item = *item,
		.references = 1,
		.list = wt_handle_list_reference(held->list),
	};
	if (!clone->list)
		item->handles = pointer_in_copy(item->handles, held, clone);
	item->numbers = pointer_in_copy(item->numbers, held, clone);
	item->answers = pointer_in_copy(item->answers, held, clone);
	for (size_t i = 0; i < item->answer_count; i++)
		item->answers[i].value = pointer_in_copy(item->answers[i].value, held, clone);
	wt_bytes_reference(item->bytes);
	return clone;
}

struct wt_stored *wt_stored_create(struct wt_bytes *base, size_t count)
{
	struct wt_stored *stored = calloc(1, sizeof(*stored) + count * sizeof(*stored->blobs));

	if (!stored)
		return NULL;
	stored->references = 1;
	stored->base = wt_bytes_reference(base);
	stored->count = count;
	return stored;
}

struct wt_stored *wt_stored_reference(struct wt_stored *stored)
{
	if (stored)
		stored->references++;
	return stored;
}

void wt_stored_release(struct wt_stored *stored)
{
	if (!stored || --stored->references)
		return;
	wt_bytes_release(stored->base);
	free(stored);
}

struct wt_held_item *wt_held_item_reference(struct wt_held_item *held)
{
	held->references++;
	return held;
}

void wt_held_item_release(struct wt_held_item *held)
{
	if (!held || --held->references)
		return;
	wt_bytes_release(held->item.bytes);
	wt_stored_release(held->stored);
	wt_handle_list_release(held->list);
	wt_held_item_release(held->origin);
	free(held->unread);
	free(held->handles);
	free(held);
}
