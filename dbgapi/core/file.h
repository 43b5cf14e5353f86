/* SPDX-License-Identifier: MIT */
/* Writing a GPU core dump: an ELF core file with the core-state note and a device's memory. */
#ifndef WT_DBGAPI_CORE_FILE_H
#define WT_DBGAPI_CORE_FILE_H

#include <stdint.h>

#include "base/error.h"
#include "device/device.h"

/**
 * Save a device's waves and write everything to a file: a note segment with the note (owner
 * "AMDGPU"), and a segment for each range of memory. A file that is there is replaced.
 *
 * @path: of the file; readable by its owner alone, since it holds the program's memory.
 * @os_id: the process's, for names of code objects in memory.
 *
 * Errors: WT_ERROR_IO, and those of the device's save; WT_ERROR_UNSUPPORTED if it cannot save.
 */
struct wt_error *wt_core_file_write(const char *path, struct wt_device *device, uint64_t os_id);

#endif /* WT_DBGAPI_CORE_FILE_H */
