/* SPDX-License-Identifier: MIT */
/* A full chunk that is no longer open and not yet in the file, while it is compressed. */
#include "trace-format/container/tape-pending.h"

#include "trace-format/container/tape-chunk.h"

void wt_pending_compress(struct wt_pending *pending)
{
	wt_pack(pending->zstd, &pending->raw, pending->raw.size, &pending->image, &pending->packed);
}

bool wt_pending_prepare(const struct wt_tape *tape, struct wt_pending *pending, size_t size)
{
	size_t rest = tape->chunk.raw.size - size;

	wt_buffer_clear(&pending->raw);
	if (!wt_pack_prepare(&pending->image, size) || !wt_buffer_extend(&pending->raw, rest + 1))
		return false;
	wt_buffer_clear(&pending->raw);
	wt_buffer_append(&pending->raw, tape->chunk.raw.data + size, rest);
	return true;
}

void wt_pending_take(struct wt_tape *tape, struct wt_pending *pending, size_t size)
{
	struct wt_buffer raw = tape->chunk.raw;

	raw.size = size;
	tape->chunk.raw = pending->raw;
	tape->stage.staged = 0;
	tape->chunk.opened = wt_tape_now();
	tape->chunk.fields.raw = size;
	tape->chunk.raw_before += size;
	pending->raw = raw;
	pending->fields = tape->chunk.fields;
	pending->zstd_size = ZSTD_sizeof_CCtx(pending->zstd);
	wt_tape_open_next(tape);
}

struct wt_error *wt_pending_finish(const struct wt_tape *tape, struct wt_pending *pending)
{
	if (ZSTD_isError(pending->packed.result))
		wt_pending_compress(pending);
	return wt_pack_check(&pending->packed, tape->file.path);
}

static void swap_images(struct wt_tape *tape, struct wt_pending *pending)
{
	struct wt_buffer image = tape->packing.image;

	tape->packing.image = pending->image;
	pending->image = image;
}

struct wt_error *wt_pending_write(struct wt_tape *tape, struct wt_pending *pending)
{
	struct wt_error *error;

	swap_images(tape, pending);
	error = wt_tape_append_chunk(tape, &pending->fields, &pending->packed);
	swap_images(tape, pending);
	return error;
}

void wt_pending_deinit(struct wt_pending *pending)
{
	wt_buffer_deinit(&pending->raw);
	wt_buffer_deinit(&pending->image);
}
