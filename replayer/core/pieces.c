/* SPDX-License-Identifier: MIT */
#include "replayer/core/pieces.h"

#include <stdlib.h>
#include <string.h>

#define GRAIN (UINT64_C(64) << 10)
#define LOWEST (UINT64_C(1) << 32)
/* Room is looked for from here on: programs rarely have anything there, and few numbers look like addresses of it. */
#define FIRST (UINT64_C(0x6a5) << 36)
#define LAST (UINT64_C(0x7ff) << 36) /* above are stacks */

void wt_pieces_deinit(struct wt_pieces *pieces)
{
	free(pieces->list);
	free(pieces->runs);
	*pieces = (struct wt_pieces){0};
}

/** The first piece that ends behind an address. */
static size_t pieces_find(const struct wt_pieces *pieces, uint64_t address)
{
	size_t low = 0, high = pieces->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct wt_piece *piece = &pieces->list[middle];

		if (piece->address + piece->size <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct wt_error *pieces_insert(struct wt_pieces *pieces, size_t position,
				      const struct wt_piece *piece)
{
	if (pieces->count == pieces->capacity) {
		size_t capacity = pieces->capacity ? 2 * pieces->capacity : 256;
		struct wt_piece *list = reallocarray(pieces->list, capacity, sizeof(*list));

		if (!list)
			return &wt_error_no_memory;
		pieces->list = list;
		pieces->capacity = capacity;
	}
	memmove(&pieces->list[position + 1], &pieces->list[position],
		(pieces->count - position) * sizeof(*piece));
	pieces->list[position] = *piece;
	pieces->count++;
	return NULL;
}

struct wt_error *wt_pieces_add(struct wt_pieces *pieces, uint64_t address, const void *data,
			       size_t size)
{
	const uint8_t *bytes = data;
	struct wt_error *error = NULL;

	/* The last byte of all has no address behind it. */
	if (size > UINT64_MAX - address)
		size = (size_t)(UINT64_MAX - address);
	while (size && !error) {
		size_t position = pieces_find(pieces, address), step = size;
		const struct wt_piece *next =
			position < pieces->count ? &pieces->list[position] : NULL;

		if (next && next->address <= address) {
			step = (size_t)(next->address + next->size - address);
		} else {
			if (next && next->address - address < step)
				step = (size_t)(next->address - address);
			error = pieces_insert(pieces, position,
					      &(const struct wt_piece){address, bytes, step});
		}
		if (step >= size)
			break;
		address += step;
		bytes += step;
		size -= step;
	}
	return error;
}

/** Behind what is reserved of a range, or its begin. */
static uint64_t skip_reserved(const struct wt_pieces *pieces, uint64_t begin, uint64_t size)
{
	for (size_t i = 0; i < pieces->reserved_count; i++) {
		const struct wt_pieces_run *reserved = &pieces->reserved[i];
		uint64_t end = reserved->address + reserved->size;

		if (begin < end && reserved->address < begin + size) {
			begin = (end + 2 * GRAIN - 1) & ~(GRAIN - 1);
			i = SIZE_MAX; /* another one may be there */
		}
	}
	return begin;
}

static bool find_room_from(const struct wt_pieces *pieces, uint64_t begin, uint64_t size,
			   uint64_t *address_ret)
{
	for (size_t i = 0; i <= pieces->count && begin < LAST; i++) {
		const struct wt_piece *piece = i < pieces->count ? &pieces->list[i] : NULL;
		uint64_t end = piece && piece->address < LAST ? piece->address : LAST;
		uint64_t place = skip_reserved(pieces, begin, size);

		if (end > place && end - place >= GRAIN && end - place - GRAIN >= size) {
			*address_ret = place;
			return true;
		}
		if (piece && piece->address + piece->size > begin)
			begin = (piece->address + piece->size + 2 * GRAIN - 1) & ~(GRAIN - 1);
	}
	return false;
}

struct wt_error *wt_pieces_add_recorded(struct wt_pieces *pieces, const struct wt_view *view,
					uint64_t process)
{
	uint64_t address = 0, from, to;
	struct wt_error *error = NULL;

	while (!error && wt_view_memory_next(view, "global", process, address, &from, &to)) {
		uint64_t page = from / WT_PAGE * WT_PAGE;
		size_t size = 0;
		const uint8_t *data = wt_view_page(view, "global", process, page, &size);

		if (data && from - page < size)
			error = wt_pieces_add(pieces, from, data + (from - page),
					      size - (size_t)(from - page));
		address = page + WT_PAGE;
		if (address < page)
			break;
	}
	return error;
}

bool wt_pieces_find_room(const struct wt_pieces *pieces, uint64_t size, uint64_t *address_ret)
{
	return find_room_from(pieces, FIRST, size, address_ret) ||
	       find_room_from(pieces, LOWEST, size, address_ret);
}

struct wt_error *wt_pieces_join(struct wt_pieces *pieces)
{
	pieces->runs = calloc(pieces->count + 1, sizeof(*pieces->runs));
	if (!pieces->runs)
		return &wt_error_no_memory;
	for (size_t i = 0; i < pieces->count; i++) {
		const struct wt_piece *piece = &pieces->list[i];
		struct wt_pieces_run *run = &pieces->runs[pieces->run_count];

		if (pieces->run_count && run[-1].address + run[-1].size == piece->address) {
			run[-1].size += piece->size;
			continue;
		}
		*run = (struct wt_pieces_run){piece->address, piece->size};
		pieces->run_count++;
	}
	return NULL;
}

size_t wt_pieces_read(const struct wt_pieces *pieces, uint64_t address, void *data, size_t size)
{
	size_t done = 0;

	for (size_t i = pieces_find(pieces, address); i < pieces->count && done < size; i++) {
		const struct wt_piece *piece = &pieces->list[i];
		size_t offset, step;

		if (piece->address > address + done)
			break;
		offset = (size_t)(address + done - piece->address);
		step = piece->size - offset < size - done ? piece->size - offset : size - done;
		memcpy((uint8_t *)data + done, piece->data + offset, step);
		done += step;
	}
	return done;
}
