/* SPDX-License-Identifier: MIT */
#include "replayer/recorded/overlay.h"

#include <stdlib.h>
#include <string.h>

static void overlay_entry_drop(struct wt_overlay *overlay, struct wt_overlay_entry *entry)
{
	HASH_DEL(overlay->entries, entry);
	wt_bytes_release(entry->bytes);
	wt_bytes_release(entry->base);
	free(entry);
}

void wt_overlay_deinit(struct wt_overlay *overlay)
{
	struct wt_overlay_entry *entry, *next;

	HASH_ITER(hh, overlay->entries, entry, next)
	overlay_entry_drop(overlay, entry);
}

/* Keys are hashed as bytes, so the padding has to be the same in all of them. */
static struct wt_key clean_key(const struct wt_key *key)
{
	struct wt_key clean;

	memset(&clean, 0, sizeof(clean));
	clean.type = key->type;
	clean.kind = key->kind;
	clean.owner = key->owner;
	clean.address = key->address;
	return clean;
}

static struct wt_overlay_entry *overlay_entry_find(const struct wt_overlay *overlay,
						   const struct wt_key *key)
{
	struct wt_overlay_entry *entry = NULL;
	struct wt_key clean;

	if (!overlay || !overlay->entries)
		return NULL;
	clean = clean_key(key);
	HASH_FIND(hh, overlay->entries, &clean, sizeof(clean), entry);
	return entry;
}

struct wt_bytes *wt_overlay_get(const struct wt_overlay *overlay, const struct wt_key *key)
{
	struct wt_overlay_entry *entry = overlay_entry_find(overlay, key);

	return entry ? entry->bytes : NULL;
}

/* @base: NULL where nothing was recorded. */
static struct wt_bytes *lay(struct wt_overlay *overlay, const struct wt_key *key,
			    struct wt_bytes *base, const void *data, size_t size)
{
	struct wt_overlay_entry *entry = overlay_entry_find(overlay, key), *added;

	if (entry) {
		entry->resumed = false;
		return entry->bytes;
	}
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->key = clean_key(key);
	entry->bytes = wt_bytes_create(data, size);
	if (!entry->bytes) {
		free(entry);
		return NULL;
	}
	entry->base = base ? wt_bytes_reference(base) : NULL;
	HASH_ADD(hh, overlay->entries, key, sizeof(entry->key), entry);
	HASH_FIND(hh, overlay->entries, &entry->key, sizeof(entry->key), added);
	if (!added) {
		wt_bytes_release(entry->bytes);
		wt_bytes_release(entry->base);
		free(entry);
		return NULL;
	}
	return entry->bytes;
}

struct wt_bytes *wt_overlay_cover(struct wt_overlay *overlay, const struct wt_key *key,
				  struct wt_bytes *base)
{
	return lay(overlay, key, base, base->data, base->size);
}

struct wt_bytes *wt_overlay_lay(struct wt_overlay *overlay, const struct wt_key *key,
				const void *data, size_t size)
{
	return lay(overlay, key, NULL, data, size);
}

void wt_overlay_forget_wave(struct wt_overlay *overlay, uint64_t wave)
{
	struct wt_overlay_entry *entry, *next;

	HASH_ITER(hh, overlay->entries, entry, next)
	if (entry->key.type == WT_ITEM_REGISTERS && entry->key.owner == wave)
		overlay_entry_drop(overlay, entry);
}

void wt_overlay_resume(struct wt_overlay *overlay, uint64_t wave)
{
	struct wt_overlay_entry *entry, *next;

	HASH_ITER(hh, overlay->entries, entry, next)
	if (entry->key.type == WT_ITEM_REGISTERS && entry->key.owner == wave)
		entry->resumed = true;
}

void wt_overlay_forget_registers(struct wt_overlay *overlay)
{
	struct wt_overlay_entry *entry, *next;

	HASH_ITER(hh, overlay->entries, entry, next)
	if (entry->key.type == WT_ITEM_REGISTERS)
		overlay_entry_drop(overlay, entry);
}

static bool overlay_bytes_are_same(const struct wt_bytes *a, const struct wt_bytes *b)
{
	return a == b || (a && b && a->size == b->size && !memcmp(a->data, b->data, a->size));
}

void wt_overlay_move(struct wt_overlay *overlay, const struct wt_state *state)
{
	struct wt_overlay_entry *entry, *next;

	HASH_ITER(hh, overlay->entries, entry, next)
	{
		const struct wt_item *item = wt_state_get(state, &entry->key);

		if (entry->resumed ||
		    (entry->key.type == WT_ITEM_MEMORY &&
		     !overlay_bytes_are_same(entry->base, item ? item->bytes : NULL)))
			overlay_entry_drop(overlay, entry);
	}
}
