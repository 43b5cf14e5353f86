/* SPDX-License-Identifier: MIT */
/*
 * Memory of a save area that is the debugger's, in which it puts instructions for displaced stepping. Nothing of a core
 * is executed, so no instruction is written: an address is all that a buffer has. They are those that AMD's library
 * gives: the buffer that was freed last, else the next one.
 */
#include <stdlib.h>

#include "dbgapi/core/internal.h"

#define HEAD_DEBUG_OFFSET 16
#define HEAD_DEBUG_SIZE 20
#define CHUNK UINT64_C(32)
#define GUARD 4 /* bytes of the trap at the end of each chunk */

void wt_core_open_buffers(const struct wt_core *core, struct wt_core_queue *queue)
{
	struct wt_core_buffers *buffers = &queue->buffers;
	uint64_t area = queue->entry.save_address, end;
	uint32_t offset, size;

	if (!wt_memory_view_read_u32(&core->memory, area + HEAD_DEBUG_OFFSET, &offset) ||
	    !wt_memory_view_read_u32(&core->memory, area + HEAD_DEBUG_SIZE, &size) || !offset)
		return;
	end = area + offset + size;
	buffers->base = (area + offset + CHUNK - 1) & ~(CHUNK - 1);
	buffers->count = end > buffers->base ? (uint32_t)((end - buffers->base) / CHUNK) : 0;
}

/* Room to free all buffers is made as they are taken, so that freeing cannot fail. */
static bool buffers_take_next(struct wt_core_buffers *buffers, uint32_t *index_ret)
{
	uint32_t *grown;

	if (buffers->next >= buffers->count)
		return false;
	grown = reallocarray(buffers->freed, (size_t)buffers->next + 1, sizeof(*grown));
	if (!grown)
		return false;
	buffers->freed = grown;
	*index_ret = buffers->next++;
	return true;
}

uint64_t wt_core_allocate_buffer(struct wt_device *device, const struct wt_device_queue *queue,
				 const void *instruction, size_t size)
{
	struct wt_core_buffers *buffers = &((struct wt_core_queue *)(uintptr_t)queue)->buffers;
	uint32_t index;

	(void)device;
	(void)instruction;
	if (buffers->freed_count)
		index = buffers->freed[--buffers->freed_count];
	else if (!buffers_take_next(buffers, &index))
		return 0;
	return buffers->base + (index + 1) * CHUNK - GUARD - size;
}

void wt_core_free_buffer(struct wt_device *device, const struct wt_device_queue *queue,
			 uint64_t address)
{
	struct wt_core_buffers *buffers = &((struct wt_core_queue *)(uintptr_t)queue)->buffers;

	(void)device;
	buffers->freed[buffers->freed_count++] = (uint32_t)((address - buffers->base) / CHUNK);
}
