/* SPDX-License-Identifier: MIT */
/*
 * Writes the file that wavetape-host maps: the global memory that a trace has, and its code objects. The room holds this alone:
 * the program is in dbgapi/host/, what a debugger is answered in library/.
 */
#ifndef WT_REPLAYER_HOST_IMAGE_H
#define WT_REPLAYER_HOST_IMAGE_H

#include "replayer/recorded/table-names.h"
#include "trace-format/reader/reader.h"

struct wt_host_image_result {
	size_t ranges;
	uint64_t bytes;
	uint64_t left_out; /* bytes that no program can have at their addresses */
	bool debug_frame;  /* a code object has a section of that name */
};

/**
 * Write the image: every page that was recorded at any moment, with its bytes at the first, and
 * those of code objects that the program may not write to.
 * @fd: an empty file that can be written to; stays open.
 * @path: what errors call it.
 * Errors: WT_ERROR_IO; WT_ERROR_LIMIT if there are more ranges than a process can have; those of
 * the reader.
 */
struct wt_error *wt_host_image_write(struct wt_reader *reader, int fd, const char *path,
				     struct wt_host_image_result *result_ret);

#endif /* WT_REPLAYER_HOST_IMAGE_H */
