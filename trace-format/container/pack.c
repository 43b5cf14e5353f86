/* SPDX-License-Identifier: MIT */
#include "trace-format/container/pack.h"

#include <string.h>

#include "trace-format/container/block.h"

/* Padding makes the size of a payload a multiple of that of a head, with an empty frame; it takes so much at most. */
#define PAD_MAX (2 * WT_BLOCK_SIZE)

bool wt_pack_prepare(struct wt_buffer *image, size_t size)
{
	wt_buffer_clear(image);
	if (!wt_buffer_extend(image, 2 * WT_BLOCK_SIZE + ZSTD_compressBound(size) + PAD_MAX))
		return false;
	image->size = 0;
	return true;
}

/* Make the size of the image's last payload a multiple of that of a head, with an empty frame. */
static void pad_image(struct wt_buffer *image)
{
	size_t pad = wt_block_align(image->size) - image->size;
	uint8_t *place;

	if (!pad)
		return;
	if (pad < WT_FRAME_HEAD)
		pad += WT_BLOCK_SIZE;
	place = wt_buffer_extend(image, pad);
	if (!place)
		return;
	memset(place, 0, pad);
	wt_skippable_encode(pad - WT_FRAME_HEAD, place);
}

void wt_pack(ZSTD_CCtx *zstd, const struct wt_buffer *raw, size_t size, struct wt_buffer *image,
	     struct wt_packed *packed_ret)
{
	struct wt_packed packed = {
		.result = ZSTD_compress2(zstd, image->data + WT_BLOCK_SIZE,
					 ZSTD_compressBound(size), raw->data, size),
	};

	if (!ZSTD_isError(packed.result)) {
		image->size = WT_BLOCK_SIZE + packed.result;
		pad_image(image);
		packed.stored = image->size - WT_BLOCK_SIZE;
		packed.crc = wt_crc32c(0, image->data + WT_BLOCK_SIZE, packed.stored);
	}
	*packed_ret = packed;
}

struct wt_error *wt_pack_check(const struct wt_packed *packed, const char *path)
{
	if (!ZSTD_isError(packed->result))
		return NULL;
	return wt_error_create(WT_ERROR_INTERNAL, "cannot write the trace", path,
			       "compression failed: %s", ZSTD_getErrorName(packed->result));
}
