/* SPDX-License-Identifier: MIT */
#include "trace-format/state/names.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void wt_names_deinit(struct wt_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->texts[i]);
	free(names->texts);
	free(names->slots);
	memset(names, 0, sizeof(*names));
}

uint32_t wt_names_next(const struct wt_names *names, uint32_t number)
{
	while (number < names->count && !names->texts[number - 1])
		number++;
	return number;
}

const char *wt_names_text(const struct wt_names *names, uint32_t number)
{
	return number && number <= names->count ? names->texts[number - 1] : NULL;
}

size_t wt_names_size(const struct wt_names *names)
{
	/* A text is short, and malloc rounds it up. */
	return names->capacity * sizeof(*names->texts) + names->slot_count * sizeof(*names->slots) +
	       (size_t)names->known * 48;
}

/* The slot of a text, or the free one where it belongs. */
static uint32_t *name_slot_find(const struct wt_names *names, uint32_t *slots, uint32_t slot_count,
				const char *text)
{
	uint32_t at = (uint32_t)XXH3_64bits(text, strlen(text)) & (slot_count - 1);

	while (slots[at] && strcmp(names->texts[slots[at] - 1], text))
		at = (at + 1) & (slot_count - 1);
	return &slots[at];
}

uint32_t wt_names_find(const struct wt_names *names, const char *text)
{
	return names->slot_count ? *name_slot_find(names, names->slots, names->slot_count, text)
				 : 0;
}

static bool grow_slots(struct wt_names *names)
{
	uint32_t slot_count = names->slot_count ? names->slot_count * 2 : 64;
	uint32_t *slots;

	if (names->slots_used < names->slot_count / 2)
		return true;
	slots = calloc(slot_count, sizeof(*slots));
	if (!slots)
		return false;
	for (uint32_t i = 0; i < names->slot_count; i++)
		if (names->slots[i])
			*name_slot_find(names, slots, slot_count,
					names->texts[names->slots[i] - 1]) = names->slots[i];
	free(names->slots);
	names->slots = slots;
	names->slot_count = slot_count;
	return true;
}

static bool grow_texts(struct wt_names *names, uint32_t number)
{
	uint32_t capacity = names->capacity ? names->capacity : 64;
	char **texts;

	while (capacity < number)
		capacity *= 2;
	if (capacity == names->capacity)
		return true;
	/* Pages that nobody writes to cost nothing: numbers may be far apart. */
	texts = calloc(capacity, sizeof(*texts));
	if (!texts)
		return false;
	if (names->count)
		memcpy(texts, names->texts, names->count * sizeof(*texts));
	free(names->texts);
	names->texts = texts;
	names->capacity = capacity;
	return true;
}

bool wt_names_set(struct wt_names *names, uint32_t number, const char *text, size_t length)
{
	uint32_t *slot;
	char *copy;

	if (wt_names_text(names, number))
		return true;
	if (!number || number > WT_LIMIT_NAMES || !grow_slots(names) || !grow_texts(names, number))
		return false;
	copy = strndup(text, length);
	if (!copy)
		return false;
	names->texts[number - 1] = copy;
	names->known++;
	if (names->count < number)
		names->count = number;
	slot = name_slot_find(names, names->slots, names->slot_count, copy);
	if (!*slot) {
		*slot = number;
		names->slots_used++;
	}
	return true;
}
