/* SPDX-License-Identifier: MIT */
#include "recorder/recording/handle-set.h"

#include <stdlib.h>
#include <string.h>

/* So many are compared one by one. */
#define FEW 8u
#define NOWHERE SIZE_MAX

static size_t first_slot(const struct wt_handles *handles, uint64_t handle)
{
	return (size_t)((handle * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (handles->slot_count - 1);
}

/* The slot of a handle, or the free one where it belongs. */
static size_t handle_slot_find(const struct wt_handles *handles, uint64_t handle)
{
	size_t slot = first_slot(handles, handle);

	while (handles->slots[slot] && handles->values[handles->slots[slot] - 1] != handle)
		slot = (slot + 1) & (handles->slot_count - 1);
	return slot;
}

static size_t handles_find_position(const struct wt_handles *handles, uint64_t handle)
{
	if (handles->slots)
		return (size_t)handles->slots[handle_slot_find(handles, handle)] - 1;
	for (size_t i = 0; i < handles->count; i++)
		if (handles->values[i] == handle)
			return i;
	return NOWHERE;
}

bool wt_handles_find(const struct wt_handles *handles, uint64_t handle)
{
	return handles_find_position(handles, handle) != NOWHERE;
}

/* Room for one more value and its slot. */
static bool handles_grow(struct wt_handles *handles)
{
	size_t capacity = handles->capacity ? handles->capacity * 2 : FEW;
	uint64_t *values;
	uint32_t *slots = NULL;

	if (handles->count < handles->capacity)
		return true;
	if (capacity > UINT32_MAX / 4)
		return false;
	if (capacity > FEW) {
		slots = calloc(capacity * 2, sizeof(*slots));
		if (!slots)
			return false;
	}
	values = reallocarray(handles->values, capacity, sizeof(*values));
	if (!values) {
		free(slots);
		return false;
	}
	handles->values = values;
	handles->capacity = capacity;
	free(handles->slots);
	handles->slots = slots;
	handles->slot_count = slots ? capacity * 2 : 0;
	for (size_t i = 0; slots && i < handles->count; i++)
		slots[handle_slot_find(handles, values[i])] = (uint32_t)i + 1;
	return true;
}

bool wt_handles_add(struct wt_handles *handles, uint64_t handle)
{
	size_t slot;

	if (wt_handles_has(handles, handle))
		return true;
	if (!handles_grow(handles))
		return false;
	/* A free slot is compared with nothing: the value may come after it. */
	slot = handles->slots ? handle_slot_find(handles, handle) : 0;
	handles->values[handles->count++] = handle;
	if (handles->slots)
		handles->slots[slot] = (uint32_t)handles->count;
	return true;
}

/* Empty a slot, and move into it what was only put behind it because it was taken. */
static void handle_slot_free(struct wt_handles *handles, size_t slot)
{
	const size_t mask = handles->slot_count - 1;
	size_t next = slot;

	for (;;) {
		size_t home;

		next = (next + 1) & mask;
		if (!handles->slots[next])
			break;
		home = first_slot(handles, handles->values[handles->slots[next] - 1]);
		if (((next - home) & mask) < ((next - slot) & mask))
			continue;
		handles->slots[slot] = handles->slots[next];
		slot = next;
	}
	handles->slots[slot] = 0;
}

void wt_handles_remove(struct wt_handles *handles, uint64_t handle)
{
	size_t place = handles->count ? handles_find_position(handles, handle) : NOWHERE;
	uint64_t last;

	if (place == NOWHERE)
		return;
	last = handles->values[handles->count - 1];
	if (handles->slots) {
		handle_slot_free(handles, handle_slot_find(handles, handle));
		if (last != handle)
			handles->slots[handle_slot_find(handles, last)] = (uint32_t)place + 1;
	}
	handles->values[place] = last;
	handles->count--;
}

void wt_handles_clear(struct wt_handles *handles)
{
	if (handles->count && handles->slots)
		memset(handles->slots, 0, handles->slot_count * sizeof(*handles->slots));
	handles->count = 0;
}

void wt_handles_deinit(struct wt_handles *handles)
{
	free(handles->values);
	free(handles->slots);
	*handles = (struct wt_handles){0};
}
