/* SPDX-License-Identifier: MIT */
/* Blobs: bytes stored once. Their encoding, and which content has which number. */
#ifndef WT_TRACE_FORMAT_STATE_BLOB_H
#define WT_TRACE_FORMAT_STATE_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace-format/message/fields.h"

#define WT_BLOB_KEY_SIZE 32u

/** The key of some bytes: their BLAKE2b-256. */
void wt_blob_key(const void *data, size_t size, uint8_t key[WT_BLOB_KEY_SIZE]);

/**
 * Split 32-bit words into four planes, the lowest bytes of all words first; what is left over
 * follows. Values that resemble each other in neighbouring lanes compress better so. @to has room
 * for @size bytes.
 */
void wt_planes4_encode(const uint8_t *from, size_t size, uint8_t *to);
void wt_planes4_decode(const uint8_t *from, size_t size, uint8_t *to);

/**
 * Each 32-bit word less the one before it; what is left over follows. What a kernel computes from the number
 * of a lane, as indices and addresses are, is one number again and again so. @to has room for @size bytes.
 */
void wt_deltas4_encode(const uint8_t *from, size_t size, uint8_t *to);
void wt_deltas4_decode(const uint8_t *from, size_t size, uint8_t *to);

/** The encoding in which some words are likely to compress best: PLANES4 or DELTAS4. */
enum wt_blob_encoding wt_words_encoding(const uint8_t *data, size_t size);

void wt_words_encode(enum wt_blob_encoding encoding, const uint8_t *from, size_t size, uint8_t *to);
/** False if the encoding is none that this version knows. */
bool wt_words_decode(uint32_t encoding, const uint8_t *from, size_t size, uint8_t *to);

/* Keys and the numbers of their blobs. All zeros is an empty map. */
struct wt_blob_map {
	struct wt_blob_entry *entries;
	size_t count, capacity; /* capacity is a power of two */
};

void wt_blob_map_deinit(struct wt_blob_map *map);
/** Bytes of memory it takes. */
size_t wt_blob_map_size(const struct wt_blob_map *map);
/** The number of the blob with a key, or 0. */
uint32_t wt_blob_map_get(const struct wt_blob_map *map, const uint8_t key[WT_BLOB_KEY_SIZE]);
/**
 * Remember a blob. The map takes a bounded amount of memory: when it is full nothing is remembered,
 * and content may be stored twice.
 */
struct wt_error *wt_blob_map_put(struct wt_blob_map *map, const uint8_t key[WT_BLOB_KEY_SIZE],
				 uint32_t number);

#endif /* WT_TRACE_FORMAT_STATE_BLOB_H */
