/* SPDX-License-Identifier: MIT */
/* Blobs: bytes that a trace stores once. Their encodings, and the map from content to blob number. */
#ifndef WT_TRACE_FORMAT_STATE_BLOB_H
#define WT_TRACE_FORMAT_STATE_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace-format/message/packet.h"

/**
 * Split 32-bit words into four planes, the lowest bytes of all words first; remaining bytes follow. Similar values in
 * neighbouring lanes compress better this way. @to has room for @size bytes.
 */
void wt_planes4_encode(const uint8_t *from, size_t size, uint8_t *to);
void wt_planes4_decode(const uint8_t *from, size_t size, uint8_t *to);

/**
 * Replace each 32-bit word by its difference from the word before; remaining bytes follow. Values that a kernel computes
 * from the lane number, such as indices and addresses, become one repeated number. @to has room for @size bytes.
 */
void wt_deltas4_encode(const uint8_t *from, size_t size, uint8_t *to);
void wt_deltas4_decode(const uint8_t *from, size_t size, uint8_t *to);

/** The encoding that is likely to compress these words best: PLANES4 or DELTAS4. */
enum wt_blob_encoding wt_words_encoding(const uint8_t *data, size_t size);

void wt_words_encode(enum wt_blob_encoding encoding, const uint8_t *from, size_t size, uint8_t *to);
/** False if this version does not know the encoding. */
bool wt_words_decode(uint32_t encoding, const uint8_t *from, size_t size, uint8_t *to);

/* A stand-in for a blob's bytes in one map, which means nothing outside of it. */
struct wt_blob_hash {
	uint64_t low, high;
};

/* Bytes of the secret that hashes are made with: those of XXH3's own. */
#define WT_BLOB_SECRET_SIZE 192u

/* A map from content to blob numbers. All zeros is an empty map. */
struct wt_blob_map {
	struct wt_blob_entry *entries;
	size_t count, capacity; /* capacity is a power of two */
	bool has_secret;
	uint8_t secret[WT_BLOB_SECRET_SIZE];
};

void wt_blob_map_deinit(struct wt_blob_map *map);
/** Bytes of memory it takes. */
size_t wt_blob_map_size(const struct wt_blob_map *map);
/**
 * The hash of a blob's bytes: 128 bits of XXH3 with a secret that is random for each map, so that no program can have memory
 * that is made to have the hash of other memory.
 */
struct wt_blob_hash wt_blob_map_hash(struct wt_blob_map *map, const void *data, size_t size);
/** The number of the blob with a hash, or 0. */
uint32_t wt_blob_map_get(const struct wt_blob_map *map, struct wt_blob_hash hash);
/**
 * Add a blob. The memory of the map is bounded: a full map ignores new blobs, and content may then be stored twice.
 */
struct wt_error *wt_blob_map_put(struct wt_blob_map *map, struct wt_blob_hash hash,
				 uint32_t number);

#endif /* WT_TRACE_FORMAT_STATE_BLOB_H */
