/* SPDX-License-Identifier: MIT */
/* Write a GPU core dump: an ELF core file with the core-state note and the memory of a device. */
#ifndef WT_DBGAPI_CORE_FILE_H
#define WT_DBGAPI_CORE_FILE_H

#include <stdint.h>

#include "base/error.h"
#include "device/device.h"

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

#endif /* WT_DBGAPI_CORE_FILE_H */
