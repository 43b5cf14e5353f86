/* SPDX-License-Identifier: MIT */
#include "recorder/recording/numbers.h"

#include <stdlib.h>

#define ORDINAL_LIMIT 65536u
#define FIRST_SLOTS 64u

static uint32_t numbers_keep_name(struct wt_numbers *numbers, uint32_t *kept, const char *name)
{
	if (!*kept && numbers->writer)
		*kept = wt_writer_name(numbers->writer, name);
	return *kept;
}

uint32_t wt_number_new_function(struct wt_numbers *numbers, enum wt_function function)
{
	return numbers_keep_name(numbers, &numbers->functions[function],
				 wt_functions[function].name);
}

uint32_t wt_number_new_callback(struct wt_numbers *numbers, enum wt_callback_kind callback)
{
	return numbers_keep_name(numbers, &numbers->callbacks[callback],
				 wt_callback_names[callback]);
}

uint32_t wt_number_new_object(struct wt_numbers *numbers, enum wt_object object)
{
	return numbers_keep_name(numbers, &numbers->objects[object], wt_objects[object].name);
}

uint32_t wt_number_global(struct wt_numbers *numbers)
{
	return numbers_keep_name(numbers, &numbers->global, "global");
}

uint32_t wt_number_new_query(struct wt_numbers *numbers, enum wt_object object,
			     const struct wt_query *query)
{
	size_t index = (size_t)(query - wt_objects[object].queries);

	if (index >= WT_MAX_QUERIES)
		return 0;
	return numbers_keep_name(numbers, &numbers->queries[object][index], query->name);
}

static size_t identity_slot_find(const uintptr_t *slots, size_t slot_count, uintptr_t identity)
{
	/* The multiplier spreads pointers, whose low bits are mostly equal. */
	size_t slot = (size_t)((identity * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (slot_count - 1);

	while (slots[slot] && slots[slot] != identity)
		slot = (slot + 1) & (slot_count - 1);
	return slot;
}

static bool ordinals_grow(struct wt_ordinals *ordinals)
{
	size_t slot_count = ordinals->slot_count ? ordinals->slot_count * 2 : FIRST_SLOTS;
	uintptr_t *slots = calloc(slot_count, sizeof(*slots));
	uint32_t *values = calloc(slot_count, sizeof(*values));

	if (!slots || !values) {
		free(slots);
		free(values);
		return false;
	}
	for (size_t i = 0; i < ordinals->slot_count; i++) {
		size_t slot;

		if (!ordinals->slots[i])
			continue;
		slot = identity_slot_find(slots, slot_count, ordinals->slots[i]);
		slots[slot] = ordinals->slots[i];
		values[slot] = ordinals->ordinals[i];
	}
	free(ordinals->slots);
	free(ordinals->ordinals);
	ordinals->slots = slots;
	ordinals->ordinals = values;
	ordinals->slot_count = slot_count;
	return true;
}

bool wt_ordinal(struct wt_ordinals *ordinals, uintptr_t identity, uint64_t *ordinal_ret)
{
	size_t slot;

	if (!identity) {
		*ordinal_ret = 0;
		return true;
	}
	/* At most half full, so that a search ends soon. */
	if (ordinals->count * 2 >= ordinals->slot_count && !ordinals_grow(ordinals))
		return false;
	slot = identity_slot_find(ordinals->slots, ordinals->slot_count, identity);
	if (!ordinals->slots[slot]) {
		if (ordinals->count >= ORDINAL_LIMIT)
			return false;
		ordinals->slots[slot] = identity;
		ordinals->ordinals[slot] = (uint32_t)++ordinals->count;
	}
	*ordinal_ret = ordinals->ordinals[slot];
	return true;
}

void wt_ordinals_deinit(struct wt_ordinals *ordinals)
{
	free(ordinals->slots);
	free(ordinals->ordinals);
	*ordinals = (struct wt_ordinals){0};
}
