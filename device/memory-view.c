/* SPDX-License-Identifier: MIT */
#include "device/memory-view.h"

#include <endian.h>

bool wt_memory_view_read(const struct wt_memory_view *memory, uint64_t address, void *data,
			 size_t size)
{
	return !size || memory->read(memory->opaque, address, data, size) == size;
}

bool wt_memory_view_read_u32(const struct wt_memory_view *memory, uint64_t address,
			     uint32_t *value_ret)
{
	uint32_t value;

	if (!wt_memory_view_read(memory, address, &value, sizeof(value)))
		return false;
	*value_ret = le32toh(value);
	return true;
}

bool wt_memory_view_read_u64(const struct wt_memory_view *memory, uint64_t address,
			     uint64_t *value_ret)
{
	uint64_t value;

	if (!wt_memory_view_read(memory, address, &value, sizeof(value)))
		return false;
	*value_ret = le64toh(value);
	return true;
}
