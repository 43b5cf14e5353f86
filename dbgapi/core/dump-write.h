/* SPDX-License-Identifier: MIT */
/* Write a GPU core dump: an ELF core file with the core-state note and the memory of a device. */
#ifndef WT_DBGAPI_CORE_DUMP_WRITE_H
#define WT_DBGAPI_CORE_DUMP_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "device/device.h"

/* The memory that a core file has. */
struct wt_core_file_memory {
	void *opaque;
	/* A range by its position; false if there are no more. */
	bool (*range)(void *opaque, size_t index, uint64_t *address_ret, uint64_t *size_ret);
	/* Copy bytes of a range. Return: how many. */
	size_t (*read)(void *opaque, uint64_t address, void *data, size_t size);
};

/**
 * Write a core file: a note segment with the core-state note, and a segment for each range of memory.
 *
 * @fd: of an empty file that can be written at any place. @path: its name, for errors.
 * @state: the core-state note.
 *
 * Errors: WT_ERROR_IO; WT_ERROR_LIMIT for more ranges than an ELF file can have.
 */
struct wt_error *wt_core_file_put(int fd, const char *path, const struct wt_buffer *state,
				  const struct wt_core_file_memory *memory);

/**
 * Save the waves of a device and write a core file: a note segment with the core-state note, and a
 * segment for each range of memory. Replaces an existing file.
 *
 * @path: of the file. Only its owner may read it, since it contains memory of the program.
 * @os_id: the process id, for the URIs of code objects in memory.
 *
 * Errors: WT_ERROR_IO, WT_ERROR_UNSUPPORTED if the device cannot save, and those of its operation `save`.
 */
struct wt_error *wt_core_file_write(const char *path, struct wt_device *device, uint64_t os_id);

#endif /* WT_DBGAPI_CORE_DUMP_WRITE_H */
