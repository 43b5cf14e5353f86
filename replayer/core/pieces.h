/* SPDX-License-Identifier: MIT */
/* Memory in pieces: what was recorded, in the order of addresses and without overlaps. */
#ifndef WT_REPLAYER_CORE_PIECES_H
#define WT_REPLAYER_CORE_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "replayer/view/view.h"

struct wt_piece {
	uint64_t address;
	const uint8_t *data; /* somebody else's */
	size_t size;
};

/* Zero it before use. */
struct wt_pieces {
	struct wt_piece *list;
	size_t count, capacity;
	/* Addresses that are taken, though not all of their bytes are there: no room is found in them. The caller's. */
	const struct wt_pieces_run *reserved;
	size_t reserved_count;
	/* Runs of pieces without a gap between them; made by wt_pieces_join(). */
	struct wt_pieces_run {
		uint64_t address, size;
	} * runs;
	size_t run_count;
};

void wt_pieces_deinit(struct wt_pieces *pieces);

/**
 * Add bytes where there are none yet; those that are there stay.
 *
 * Errors: no memory.
 */
struct wt_error *wt_pieces_add(struct wt_pieces *pieces, uint64_t address, const void *data,
			       size_t size);

/**
 * Add the global memory of a process that is recorded at a stop. Bytes stay those of the view.
 *
 * Errors: no memory.
 */
struct wt_error *wt_pieces_add_recorded(struct wt_pieces *pieces, const struct wt_view *view,
					uint64_t process);

/**
 * Find room that no piece is near to.
 *
 * @address_ret: a multiple of 64 KiB; false if there is none.
 */
bool wt_pieces_find_room(const struct wt_pieces *pieces, uint64_t size, uint64_t *address_ret);

/** Make the runs, when all pieces are there. Errors: no memory. */
struct wt_error *wt_pieces_join(struct wt_pieces *pieces);

/** Copy bytes. Return: how many there are without a gap from @address on, at most @size. */
size_t wt_pieces_read(const struct wt_pieces *pieces, uint64_t address, void *data, size_t size);

#endif /* WT_REPLAYER_CORE_PIECES_H */
