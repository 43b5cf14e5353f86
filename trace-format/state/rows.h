/* SPDX-License-Identifier: MIT */
/*
 * The encoding ROWS: the registers of a wave as rows of words, one word for each lane. Of each row only that is kept by which its
 * words are not what the lanes beside them, or the rows before them, let expect (FORMAT.md, "Rows").
 */
#ifndef WT_TRACE_FORMAT_STATE_ROWS_H
#define WT_TRACE_FORMAT_STATE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Less is not worth the heads. */
#define WT_ROWS_SIZE_MIN ((size_t)2 << 10)
/* Places for rows that may come again: more than a wave has registers. */
#define WT_ROWS_SEEN 2048u

/*
 * Rows of the bytes that are being encoded, by their hash. It must be zeroed before the first call; rows of the one before are told
 * by their numbers, which go on from call to call, so that the places need not be cleared for each.
 */
struct wt_rows_seen {
	uint32_t before; /* rows of earlier calls */
	struct wt_row_seen {
		uint32_t hash;
		uint32_t row; /* 1 + its number; not more than `before`: none */
	} places[WT_ROWS_SEEN];
};

/** Bytes that @size bytes, as many as a blob may have, take at most when they are encoded. */
size_t wt_rows_bound(size_t size);

/** Encode @size bytes into @to, which has room for wt_rows_bound() of them. Return: how many bytes they became. */
size_t wt_rows_encode(struct wt_rows_seen *seen, const uint8_t *data, size_t size, uint8_t *to);

/**
 * Is this, in all its parts, what wt_rows_encode() may have made?
 *
 * @length_ret: bytes before they were encoded; a few hundred times @size at most.
 */
bool wt_rows_check(const uint8_t *from, size_t size, size_t *length_ret);

/** Decode what wt_rows_check() has found to be whole. @to: room for the bytes that it said. */
void wt_rows_decode(const uint8_t *from, uint8_t *to);

#endif /* WT_TRACE_FORMAT_STATE_ROWS_H */
