/* SPDX-License-Identifier: MIT */
#include "trace-format/state/blob.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* 2 million entries of 24 bytes: what a map may take. */
#define MAP_CAPACITY_MAX ((size_t)1 << 21)

struct wt_blob_entry {
	struct wt_blob_hash hash;
	uint32_t number; /* 0: free */
};

_Static_assert(WT_BLOB_SECRET_SIZE >= XXH3_SECRET_SIZE_MIN, "XXH3 wants a longer secret");

void wt_planes4_encode(const uint8_t *from, size_t size, uint8_t *to)
{
	size_t words = size / 4;

	for (size_t plane = 0; plane < 4; plane++)
		for (size_t i = 0; i < words; i++)
			to[plane * words + i] = from[i * 4 + plane];
	if (size % 4)
		memcpy(to + words * 4, from + words * 4, size % 4);
}

void wt_planes4_decode(const uint8_t *from, size_t size, uint8_t *to)
{
	size_t words = size / 4;

	for (size_t plane = 0; plane < 4; plane++)
		for (size_t i = 0; i < words; i++)
			to[i * 4 + plane] = from[plane * words + i];
	if (size % 4)
		memcpy(to + words * 4, from + words * 4, size % 4);
}

static uint32_t blob_word_at(const uint8_t *data, size_t position)
{
	uint32_t word;

	memcpy(&word, data + position * sizeof(word), sizeof(word));
	return le32toh(word);
}

static void blob_put_word(uint8_t *data, size_t position, uint32_t word)
{
	word = htole32(word);
	memcpy(data + position * sizeof(word), &word, sizeof(word));
}

void wt_deltas4_encode(const uint8_t *from, size_t size, uint8_t *to)
{
	uint32_t before = 0;

	for (size_t i = 0; i < size / 4; i++) {
		uint32_t word = blob_word_at(from, i);

		blob_put_word(to, i, word - before);
		before = word;
	}
	if (size % 4)
		memcpy(to + size / 4 * 4, from + size / 4 * 4, size % 4);
}

void wt_deltas4_decode(const uint8_t *from, size_t size, uint8_t *to)
{
	uint32_t word = 0;

	for (size_t i = 0; i < size / 4; i++) {
		word += blob_word_at(from, i);
		blob_put_word(to, i, word);
	}
	if (size % 4)
		memcpy(to + size / 4 * 4, from + size / 4 * 4, size % 4);
}

/* How many of the four bytes of a word are not 0. */
static uint32_t bytes_set(uint32_t word)
{
	uint32_t high = ((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word;

	return (high >> 7 & 0x01010101u) * 0x01010101u >> 24;
}

/* Words beside each other, as many as every processor of today takes at once. */
#define LANES 4u

typedef uint32_t lanes __attribute__((vector_size(LANES * sizeof(uint32_t))));

static lanes load_lanes(const uint8_t *data, size_t position)
{
	lanes words;

	memcpy(&words, data + position * sizeof(uint32_t), sizeof(words));
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	for (size_t i = 0; i < LANES; i++)
		words[i] = le32toh(words[i]);
#endif
	return words;
}

/* 1 in each byte that is not 0. */
static lanes mark_bytes(lanes words)
{
	return ((((words & 0x7f7f7f7fu) + 0x7f7f7f7fu) | words) >> 7) & 0x01010101u;
}

static size_t add_bytes(lanes sums)
{
	size_t sum = 0;

	sums = (sums & 0x00ff00ffu) + (sums >> 8 & 0x00ff00ffu);
	for (size_t i = 0; i < LANES; i++)
		sum += (sums[i] & 0xffff) + (sums[i] >> 16);
	return sum;
}

/* Bytes of words that are not as in the word before; the same of what words differ by. */
struct unlike {
	size_t words, deltas;
};

static void count_word(const uint8_t *data, size_t i, struct unlike *unlike)
{
	uint32_t word = blob_word_at(data, i), before = i ? blob_word_at(data, i - 1) : 0;
	uint32_t earlier = i > 1 ? blob_word_at(data, i - 2) : 0;

	unlike->words += bytes_set(word ^ before);
	unlike->deltas += bytes_set((word - before) ^ (before - earlier));
}

/* From the third word on, so many at a time that a byte can count them. Return: the first that is left. */
static size_t words_count_unlike(const uint8_t *data, size_t count, struct unlike *unlike)
{
	size_t i = 2;

	while (i + LANES <= count) {
		lanes words = {0}, deltas = {0};

		for (int round = 0; round < UINT8_MAX && i + LANES <= count; round++, i += LANES) {
			lanes word = load_lanes(data, i), before = load_lanes(data, i - 1);
			lanes earlier = load_lanes(data, i - 2);

			words += mark_bytes(word ^ before);
			deltas += mark_bytes((word - before) ^ (before - earlier));
		}
		unlike->words += add_bytes(words);
		unlike->deltas += add_bytes(deltas);
	}
	return i;
}

/*
 * A byte compresses if it is as the one in the same place of the word before. So unlike bytes are counted, among the
 * words and among their differences.
 */
enum wt_blob_encoding wt_words_encoding(const uint8_t *data, size_t size)
{
	const size_t count = size / 4;
	struct unlike unlike = {0};

	for (size_t i = 0; i < count && i < 2; i++)
		count_word(data, i, &unlike);
	for (size_t i = words_count_unlike(data, count, &unlike); i < count; i++)
		count_word(data, i, &unlike);
	return unlike.deltas < unlike.words ? WT_BLOB_DELTAS4 : WT_BLOB_PLANES4;
}

void wt_words_encode(enum wt_blob_encoding encoding, const uint8_t *from, size_t size, uint8_t *to)
{
	if (encoding == WT_BLOB_PLANES4)
		wt_planes4_encode(from, size, to);
	else if (encoding == WT_BLOB_DELTAS4)
		wt_deltas4_encode(from, size, to);
	else if (size)
		memcpy(to, from, size);
}

bool wt_words_decode(uint32_t encoding, const uint8_t *from, size_t size, uint8_t *to)
{
	if (encoding == WT_BLOB_PLANES4)
		wt_planes4_decode(from, size, to);
	else if (encoding == WT_BLOB_DELTAS4)
		wt_deltas4_decode(from, size, to);
	else if (encoding == WT_BLOB_PLAIN && size)
		memcpy(to, from, size);
	return encoding <= WT_BLOB_DELTAS4;
}

static bool same_hash(const struct wt_blob_hash *a, const struct wt_blob_hash *b)
{
	return a->low == b->low && a->high == b->high;
}

/* The entry of a hash, or the free one where it belongs. */
static struct wt_blob_entry *blob_entry_find(struct wt_blob_entry *entries, size_t capacity,
					     const struct wt_blob_hash *hash)
{
	size_t at = (size_t)hash->low & (capacity - 1);

	while (entries[at].number && !same_hash(&entries[at].hash, hash))
		at = (at + 1) & (capacity - 1);
	return &entries[at];
}

void wt_blob_map_deinit(struct wt_blob_map *map)
{
	free(map->entries);
	memset(map, 0, sizeof(*map));
}

size_t wt_blob_map_size(const struct wt_blob_map *map)
{
	return map->capacity * sizeof(*map->entries);
}

/* A machine that has no random bytes yet hashes with what it has: only a program that was made for it could tell. */
static void make_secret(struct wt_blob_map *map)
{
	uint8_t random[WT_BLOB_SECRET_SIZE];
	uint64_t seed = 0;

	if (getrandom(random, sizeof(random), GRND_NONBLOCK) == sizeof(random))
		memcpy(map->secret, random, sizeof(random));
	else
		seed = (uintptr_t)map ^ (uintptr_t)&seed;
	for (size_t i = 0; seed && i + sizeof(seed) <= sizeof(map->secret); i += sizeof(seed)) {
		uint64_t word = XXH64(&i, sizeof(i), seed);

		memcpy(map->secret + i, &word, sizeof(word));
	}
	map->has_secret = true;
}

struct wt_blob_hash wt_blob_map_hash(struct wt_blob_map *map, const void *data, size_t size)
{
	XXH128_hash_t hash;

	if (!map->has_secret)
		make_secret(map);
	hash = XXH3_128bits_withSecret(data, size, map->secret, sizeof(map->secret));
	return (struct wt_blob_hash){.low = hash.low64, .high = hash.high64};
}

uint32_t wt_blob_map_get(const struct wt_blob_map *map, struct wt_blob_hash hash)
{
	return map->capacity ? blob_entry_find(map->entries, map->capacity, &hash)->number : 0;
}

static bool blob_map_grow(struct wt_blob_map *map)
{
	size_t capacity = map->capacity ? map->capacity * 2 : 256;
	struct wt_blob_entry *entries = calloc(capacity, sizeof(*entries));

	if (!entries)
		return false;
	for (size_t i = 0; i < map->capacity; i++)
		if (map->entries[i].number)
			*blob_entry_find(entries, capacity, &map->entries[i].hash) =
				map->entries[i];
	free(map->entries);
	map->entries = entries;
	map->capacity = capacity;
	return true;
}

struct wt_error *wt_blob_map_put(struct wt_blob_map *map, struct wt_blob_hash hash, uint32_t number)
{
	struct wt_blob_entry *entry;

	if (map->count >= map->capacity / 4 * 3) {
		if (map->capacity >= MAP_CAPACITY_MAX)
			return NULL;
		if (!blob_map_grow(map))
			return &wt_error_no_memory;
	}
	entry = blob_entry_find(map->entries, map->capacity, &hash);
	if (!entry->number)
		map->count++;
	entry->hash = hash;
	entry->number = number;
	return NULL;
}
