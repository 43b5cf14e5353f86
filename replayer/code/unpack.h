/* SPDX-License-Identifier: MIT */
/* Sections of a code object that are compressed by zstd, which the libelf of many systems cannot unpack. */
#ifndef WT_REPLAYER_CODE_UNPACK_H
#define WT_REPLAYER_CODE_UNPACK_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/**
 * Unpack the sections of a 64-bit ELF file that are compressed by zstd.
 *
 * @image_ret: the file with the sections unpacked behind its end, for the caller to free(); NULL if there are none, or what they
 *	       say of themselves is not so: then the file is as good as it is.
 *
 * Errors: no memory.
 */
struct wt_error *wt_elf_unpack(const void *image, size_t size, uint8_t **image_ret,
			       size_t *size_ret);

#endif /* WT_REPLAYER_CODE_UNPACK_H */
