/* SPDX-License-Identifier: MIT */
#include "trace-format/message/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)32 << 10)

struct wt_arena_block {
	struct wt_arena_block *next;
	size_t size, used;
	alignas(max_align_t) unsigned char data[];
};

void wt_arena_init(struct wt_arena *arena, size_t limit)
{
	*arena = (struct wt_arena){.limit = limit};
}

void wt_arena_deinit(struct wt_arena *arena)
{
	struct wt_arena_block *block = arena->blocks;

	while (block) {
		struct wt_arena_block *next = block->next;

		free(block);
		block = next;
	}
	arena->blocks = NULL;
	arena->used = 0;
}

void wt_arena_reset(struct wt_arena *arena, size_t limit)
{
	struct wt_arena_block *kept = arena->blocks;

	/* One that is alone stays: an arena is emptied for each of a million packets. */
	if (kept && !kept->next && kept->size == BLOCK_SIZE) {
		kept->used = 0;
		arena->used = 0;
	} else {
		wt_arena_deinit(arena);
	}
	arena->limit = limit;
	arena->exhausted = arena->no_memory = false;
}

static struct wt_arena_block *add_block(struct wt_arena *arena, size_t size)
{
	size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
	struct wt_arena_block *block = malloc(sizeof(*block) + room);

	if (!block)
		return NULL;
	block->size = room;
	block->used = 0;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *wt_arena_alloc(struct wt_arena *arena, size_t size)
{
	struct wt_arena_block *block = arena->blocks;
	const size_t align = alignof(max_align_t);
	void *place;

	if (size > SIZE_MAX / 2)
		goto exhausted;
	size = size ? (size + align - 1) / align * align : align;
	if (arena->limit && (arena->used > arena->limit || size > arena->limit - arena->used))
		goto exhausted;
	if (!block || size > block->size - block->used) {
		block = add_block(arena, size);
		if (!block) {
			arena->no_memory = true;
			return NULL;
		}
	}
	place = block->data + block->used;
	block->used += size;
	arena->used += size;
	return place;

exhausted:
	arena->exhausted = true;
	return NULL;
}

void *wt_arena_array(struct wt_arena *arena, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total)) {
		arena->exhausted = true;
		return NULL;
	}
	return wt_arena_alloc(arena, total);
}

void *wt_arena_copy(struct wt_arena *arena, const void *data, size_t size)
{
	void *copy = wt_arena_alloc(arena, size);

	if (copy && size)
		memcpy(copy, data, size);
	return copy;
}
