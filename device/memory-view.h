/* SPDX-License-Identifier: MIT */
/* Memory by address, wherever its bytes are kept: in a core dump, or in a live process. */
#ifndef WT_DEVICE_MEMORY_VIEW_H
#define WT_DEVICE_MEMORY_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wt_memory_view {
	void *opaque;
	/* Both return how many bytes were transferred from @address on: fewer where memory ends. */
	size_t (*read)(void *opaque, uint64_t address, void *data, size_t size);
	size_t (*write)(void *opaque, uint64_t address, const void *data,
			size_t size); /* or NULL */
};

/** Read exactly @size bytes; false if fewer are there. */
bool wt_memory_view_read(const struct wt_memory_view *memory, uint64_t address, void *data,
			 size_t size);

/** Read a little-endian number; false, and nothing written, if it is not there. */
bool wt_memory_view_read_u32(const struct wt_memory_view *memory, uint64_t address,
			     uint32_t *value_ret);
bool wt_memory_view_read_u64(const struct wt_memory_view *memory, uint64_t address,
			     uint64_t *value_ret);

#endif /* WT_DEVICE_MEMORY_VIEW_H */
