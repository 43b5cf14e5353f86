/* SPDX-License-Identifier: MIT */
/* Heads, checksums, the encodings of blobs, the map of their numbers. */
#include <endian.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"
#include <zstd.h>

#include "trace-format/state/blob.h"
#include "trace-format/container/block.h"
#include "trace-format/state/names.h"

static struct wt_block sample_block(enum wt_block_kind kind)
{
	struct wt_block block = {
		.kind = (uint16_t)kind,
		.flags = WT_BLOCK_REQUIRED,
		.file_id = 0x12345678,
		.sequence = 7,
		.stored = 384,
		.offset = 1280,
		.index = 640,
		.stored_crc = 0xdeadbeef,
	};

	if (kind == WT_BLOCK_CHUNK)
		block.chunk = (struct wt_chunk_fields){.raw = 1000,
						       .first_packet = 20,
						       .first_call = 4,
						       .first_blob = 3,
						       .first_name = 9,
						       .first_moment = 2,
						       .keyframe = 1,
						       .packets = 12,
						       .calls = 5,
						       .blobs = 2,
						       .names = 1,
						       .moments = 3,
						       .contents = 0x1a8};
	return block;
}

static void crc_is_the_standard_one(void **state)
{
	uint32_t crc;

	(void)state;
	assert_int_equal(wt_crc32c(0, "123456789", 9), 0xE3069283);
	assert_int_equal(wt_crc32c(0, "", 0), 0);
	assert_int_equal(wt_crc32c(0, NULL, 0), 0);
	crc = wt_crc32c(0, "1234", 4);
	assert_int_equal(wt_crc32c(crc, NULL, 0), crc);
	assert_int_equal(wt_crc32c(crc, "56789", 5), 0xE3069283);
}

static void a_head_comes_back(void **state)
{
	struct wt_block block = sample_block(WT_BLOCK_CHUNK), back;
	uint8_t head[WT_BLOCK_SIZE];

	(void)state;
	wt_block_encode(&block, head);
	assert_int_equal(wt_block_decode(head, &back), WT_BLOCK_FINE);
	assert_int_equal(back.kind, WT_BLOCK_CHUNK);
	assert_int_equal(back.flags, WT_BLOCK_REQUIRED);
	assert_int_equal(back.file_id, 0x12345678);
	assert_int_equal(back.sequence, 7);
	assert_int_equal(back.stored, 384);
	assert_int_equal(back.offset, 1280);
	assert_int_equal(back.index, 640);
	assert_int_equal(back.stored_crc, 0xdeadbeef);
	assert_memory_equal(&back.chunk, &block.chunk, sizeof(block.chunk));
}

static void the_bytes_of_a_head_are_those_of_the_format(void **state)
{
	static const uint8_t start[] = {0x57, 0x2a, 0x4d, 0x18, 120,  0,    0, 0, 'W',	'T',
					'A',  'P',  'E',  1,	'\r', '\n', 2, 0, 1,	0,
					0x78, 0x56, 0x34, 0x12, 7,    0,    0, 0, 0,	0,
					0,    0,    0x80, 1,	0,    0,    0, 0, 0,	0,
					0,    5,    0,	  0,	0,    0,    0, 0, 0xe8, 3};
	struct wt_block block = sample_block(WT_BLOCK_CHUNK);
	uint8_t head[WT_BLOCK_SIZE];

	(void)state;
	wt_block_encode(&block, head);
	assert_memory_equal(head, start, sizeof(start));
	assert_int_equal(head[112], 0x80);
	assert_int_equal(head[113], 2);
	assert_int_equal(head[120], 0xef);
	assert_int_equal(head[123], 0xde);
	assert_int_equal(wt_crc32c(0, head, 124), (uint32_t)head[124] | (uint32_t)head[125] << 8 |
							  (uint32_t)head[126] << 16 |
							  (uint32_t)head[127] << 24);
}

static void every_flipped_bit_is_noticed(void **state)
{
	static const enum wt_block_kind kinds[] = {WT_BLOCK_FILE, WT_BLOCK_CHUNK, WT_BLOCK_FINAL,
						   WT_BLOCK_FOOTER, WT_BLOCK_GAP};
	uint8_t head[WT_BLOCK_SIZE];
	struct wt_block back;

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct wt_block block = sample_block(kinds[i]);

		wt_block_encode(&block, head);
		for (size_t bit = 0; bit < 8 * sizeof(head); bit++) {
			head[bit / 8] ^= (uint8_t)(1 << bit % 8);
			assert_int_equal(wt_block_decode(head, &back), WT_BLOCK_BAD);
			head[bit / 8] ^= (uint8_t)(1 << bit % 8);
		}
		assert_int_equal(wt_block_decode(head, &back), WT_BLOCK_FINE);
	}
}

/* A whole head of another major version: only its checksum and its version are looked at. */
static void a_newer_major_is_told_from_damage(void **state)
{
	struct wt_block block = sample_block(WT_BLOCK_FILE), back;
	uint8_t head[WT_BLOCK_SIZE];
	uint32_t crc;

	(void)state;
	wt_block_encode(&block, head);
	head[13] = WT_FORMAT_MAJOR + 1;
	assert_int_equal(wt_block_decode(head, &back), WT_BLOCK_BAD);
	crc = wt_crc32c(0, head, 124);
	for (unsigned int i = 0; i < 4; i++)
		head[124 + i] = (uint8_t)(crc >> 8 * i);
	assert_int_equal(wt_block_decode(head, &back), WT_BLOCK_NEWER);
}

static void heads_are_skippable_frames(void **state)
{
	struct wt_block block = sample_block(WT_BLOCK_GAP);
	uint8_t frame[1024] = {0};

	(void)state;
	block.stored = 896;
	wt_block_encode(&block, frame);
	assert_int_equal(ZSTD_findFrameCompressedSize(frame, sizeof(frame)), WT_BLOCK_SIZE);
	block.flags = WT_BLOCK_INLINE;
	wt_block_encode(&block, frame);
	assert_int_equal(ZSTD_findFrameCompressedSize(frame, sizeof(frame)), sizeof(frame));
}

static void checksums_are_the_same_without_the_instruction(void **state)
{
	uint8_t bytes[300];

	(void)state;
	assert_int_equal(wt_crc32c_by(false, 0, "123456789", 9), 0xe3069283);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 13 + i / 7);
	for (size_t size = 0; size < sizeof(bytes); size++)
		assert_int_equal(wt_crc32c_by(false, (uint32_t)size, bytes, size),
				 wt_crc32c((uint32_t)size, bytes, size));
}

static void an_entry_belongs_to_its_stage_and_place(void **state)
{
	uint32_t crc = wt_stage_crc(5, 0, "packet", 6);

	(void)state;
	assert_int_not_equal(crc, wt_stage_crc(6, 0, "packet", 6));
	assert_int_not_equal(crc, wt_stage_crc(5, 14, "packet", 6));
	assert_int_not_equal(crc, wt_stage_crc(5, 0, "packe", 5));
	assert_int_equal(crc, wt_stage_crc(5, 0, "packet", 6));
}

static void an_entry_is_copied_as_it_is_checked(void **state)
{
	uint8_t from[1100], to[WT_STAGE_ENTRY_HEAD + sizeof(from) + 1];
	uint32_t head[2];

	(void)state;
	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (uint8_t)(i * 7 + i / 256);
	for (size_t size = 0; size <= sizeof(from); size += size < 80 || size > 1000 ? 1 : 37) {
		memset(to, 0xee, sizeof(to));
		wt_stage_put(3, 128, from, size, to);
		memcpy(head, to, sizeof(head));
		assert_int_equal(le32toh(head[0]), size);
		assert_int_equal(le32toh(head[1]), wt_stage_crc(3, 128, from, size));
		assert_memory_equal(to + sizeof(head), from, size);
		assert_int_equal(to[sizeof(head) + size], 0xee);
	}
}

static void planes_come_back(void **state)
{
	static const uint8_t words[11] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
	static const uint8_t planes[11] = {1, 5, 2, 6, 3, 7, 4, 8, 9, 10, 11};
	uint8_t out[11], back[11];

	(void)state;
	wt_planes4_encode(words, sizeof(words), out);
	assert_memory_equal(out, planes, sizeof(planes));
	for (size_t size = 0; size <= sizeof(words); size++) {
		wt_planes4_encode(words, size, out);
		wt_planes4_decode(out, size, back);
		assert_memory_equal(back, words, size);
	}
}

/* Bytes that are not as in the word before, counted one by one. */
static size_t count_unlike(const uint32_t *words, size_t count)
{
	size_t unlike = 0;
	uint32_t before = 0;

	for (size_t i = 0; i < count; i++) {
		for (int byte = 0; byte < 4; byte++)
			unlike += ((words[i] ^ before) >> 8 * byte & 0xff) != 0;
		before = words[i];
	}
	return unlike;
}

static void the_encoding_is_that_of_fewer_changes(void **state)
{
	uint32_t words[4200] = {0}, deltas[4200] = {0}, seed = 1;
	size_t chosen[WT_BLOB_DELTAS4 + 1] = {0};

	(void)state;
	for (size_t count = 0; count <= 4200; count += count < 40 ? 1 : 130) {
		for (size_t i = 0; i < count; i++) {
			seed = seed * 1664525u + 1013904223u;
			/* Steps of one size, and words that are put in between: which of them win is a matter of few bytes. */
			words[i] = (i ? words[i - 1] : 7) + (seed >> 30 ? 0x101u : seed >> 8);
			if (seed >> 24 < 90)
				words[i] = i > 2 ? words[i - 2] : 0;
			deltas[i] = words[i] - (i ? words[i - 1] : 0);
		}
		enum wt_blob_encoding expected =
			count_unlike(deltas, count) < count_unlike(words, count) ? WT_BLOB_DELTAS4
										 : WT_BLOB_PLANES4;

		assert_int_equal(wt_words_encoding((const uint8_t *)words, 4 * count), expected);
		chosen[expected]++;
	}
	assert_true(chosen[WT_BLOB_DELTAS4] > 5 && chosen[WT_BLOB_PLANES4] > 5);
}

static void the_map_finds_what_was_put(void **state)
{
	struct wt_blob_map map = {0};
	struct wt_blob_hash hash;

	(void)state;
	for (uint32_t i = 1; i <= 3000; i++) {
		hash = wt_blob_map_hash(&map, &i, sizeof(i));
		assert_int_equal(wt_blob_map_get(&map, hash), 0);
		assert_null(wt_blob_map_put(&map, hash, i));
	}
	for (uint32_t i = 1; i <= 3000; i++) {
		hash = wt_blob_map_hash(&map, &i, sizeof(i));
		assert_int_equal(wt_blob_map_get(&map, hash), i);
	}
	wt_blob_map_deinit(&map);
}

/* Of every length, of which XXH3 has several forms: any other byte is another blob, and no two maps hash alike. */
static void a_hash_is_of_all_bytes_and_of_one_map(void **state)
{
	struct wt_blob_map map = {0}, other = {0};
	uint8_t data[600] = {0};

	(void)state;
	for (size_t size = 1; size <= sizeof(data); size++) {
		const struct wt_blob_hash hash = wt_blob_map_hash(&map, data, size);
		const struct wt_blob_hash elsewhere = wt_blob_map_hash(&other, data, size);
		const struct wt_blob_hash shorter = wt_blob_map_hash(&map, data, size - 1);

		assert_null(wt_blob_map_put(&map, hash, (uint32_t)size));
		assert_int_equal(wt_blob_map_get(&map, elsewhere), 0);
		assert_int_not_equal(wt_blob_map_get(&map, shorter), size);
		data[size * 7 / 9] ^= 1;
		assert_int_equal(wt_blob_map_get(&map, wt_blob_map_hash(&map, data, size)), 0);
		data[size * 7 / 9] ^= 1;
	}
	wt_blob_map_deinit(&map);
	wt_blob_map_deinit(&other);
}

static void names_have_numbers(void **state)
{
	struct wt_names names = {0};
	char text[16];

	(void)state;
	assert_int_equal(wt_names_find(&names, "x"), 0);
	assert_null(wt_names_text(&names, 0));
	for (uint32_t i = 1; i <= 1000; i++) {
		snprintf(text, sizeof(text), "name %u", i);
		assert_true(wt_names_set(&names, i, text, strlen(text)));
	}
	for (uint32_t i = 1; i <= 1000; i++) {
		snprintf(text, sizeof(text), "name %u", i);
		assert_int_equal(wt_names_find(&names, text), i);
		assert_string_equal(wt_names_text(&names, i), text);
	}
	assert_false(wt_names_set(&names, 0, "x", 1));
	assert_false(wt_names_set(&names, WT_LIMIT_NAMES + 1, "x", 1));
	assert_true(wt_names_set(&names, 2000, "far", 3));
	assert_null(wt_names_text(&names, 1500));
	assert_null(wt_names_text(&names, 2001));
	wt_names_deinit(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crc_is_the_standard_one),
		cmocka_unit_test(a_head_comes_back),
		cmocka_unit_test(the_bytes_of_a_head_are_those_of_the_format),
		cmocka_unit_test(every_flipped_bit_is_noticed),
		cmocka_unit_test(a_newer_major_is_told_from_damage),
		cmocka_unit_test(heads_are_skippable_frames),
		cmocka_unit_test(checksums_are_the_same_without_the_instruction),
		cmocka_unit_test(an_entry_belongs_to_its_stage_and_place),
		cmocka_unit_test(an_entry_is_copied_as_it_is_checked),
		cmocka_unit_test(planes_come_back),
		cmocka_unit_test(the_encoding_is_that_of_fewer_changes),
		cmocka_unit_test(the_map_finds_what_was_put),
		cmocka_unit_test(a_hash_is_of_all_bytes_and_of_one_map),
		cmocka_unit_test(names_have_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
