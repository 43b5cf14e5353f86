/* SPDX-License-Identifier: MIT */
/* Files made to hurt their reader: bombs, absurd numbers, deep nesting, circles. */
#include "fail-once.h"
#include "proof.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "tests/unit/with-cmocka.h"

#include "base/cleanup.h"
#include "trace-format/reader/check.h"
#include "trace-format/message/encode.h"

/* The longest payload of a chunk, and a little. */
#define LARGEST (80u << 20)

static uint64_t files;

/* As proof_ask(); nothing larger than what FORMAT.md allows may be asked for on the way. */
static void ask(const char *path)
{
	fail_once_arm(0, 0);
	fail_once_start();
	proof_ask(path);
	fail_once_stop();
	fail_once_disarm();
	if (fail_once_largest() > LARGEST)
		fail_msg("%zu bytes were asked for in one piece", fail_once_largest());
	files++;
}

static void put_u64(uint8_t *place, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		place[i] = (uint8_t)(value >> 8 * i);
}

static uint8_t *make_file(struct sample *sample, const char *path, size_t *size_ret)
{
	sample_write_file(sample, path);
	return sample_read(path, size_ret);
}

/* Every number of every head, in turn, as large as it gets, with the checksum that fits. */
static void absurd_numbers_in_heads(void **state)
{
	static const uint64_t values[] = {UINT64_MAX,	     UINT64_MAX - 127, UINT64_C(1) << 63,
					  UINT64_C(1) << 40, UINT32_MAX,       0x7fffff80};
	struct sample sample = {
		.seed = 81, .moments = 6, .register_bytes = 60, .one_stop_each = true};
	const char *path = sample_path("absurd.wtape");
	uint8_t *data, *copy;
	size_t size;

	(void)state;
	data = make_file(&sample, path, &size);
	copy = malloc(size);
	assert_non_null(copy);
	for (size_t offset = 0; offset < size; offset += WT_BLOCK_SIZE) {
		struct wt_block block;

		if (wt_block_decode(data + offset, &block) != WT_BLOCK_FINE)
			continue;
		for (size_t at = 24; at < 120; at += 4) {
			for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
				memcpy(copy, data, size);
				put_u64(copy + offset + at, values[i], at % 8 || at >= 72 ? 4 : 8);
				proof_forge(copy + offset, 16, copy[offset + 16]);
				sample_save(path, copy, size);
				ask(path);
				/* And without the footer, so that it is believed. */
				sample_save(path, copy, size - WT_BLOCK_SIZE);
				ask(path);
			}
		}
	}
	free(copy);
	free(data);
	sample_deinit(&sample);
}

/* Likewise in the entries of the final index. */
static void absurd_numbers_in_the_index(void **state)
{
	struct sample sample = {
		.seed = 82, .moments = 6, .register_bytes = 60, .one_stop_each = true};
	const char *path = sample_path("absurd.wtape");
	struct wt_block final = {0}, footer;
	uint8_t *data, *copy;
	size_t size;

	(void)state;
	data = make_file(&sample, path, &size);
	copy = malloc(size);
	assert_non_null(copy);
	assert_int_equal(wt_block_decode(data + size - WT_BLOCK_SIZE, &footer), WT_BLOCK_FINE);
	assert_int_equal(wt_block_decode(data + footer.footer.final_offset, &final), WT_BLOCK_FINE);
	for (size_t at = 0; at < final.stored; at += 4) {
		uint8_t *head = copy + final.offset;

		memcpy(copy, data, size);
		put_u64(head + WT_BLOCK_SIZE + at, at % 8 ? UINT32_MAX : UINT64_MAX - 127,
			at % 8 ? 4 : 8);
		put_u64(head + 120, wt_crc32c(0, head + WT_BLOCK_SIZE, (size_t) final.stored), 4);
		proof_forge(head, 16, head[16]);
		sample_save(path, copy, size);
		ask(path);
	}
	free(copy);
	free(data);
	sample_deinit(&sample);
}

/* Indexes that name themselves, one another or a later one as the one before them. */
static void indexes_in_a_circle(void **state)
{
	struct sample sample = {.seed = 83,
				.moments = 150,
				.register_bytes = 50,
				.one_stop_each = true,
				.no_blocks_of_noise = true};
	const char *path = sample_path("circle.wtape");
	size_t size, indexes[8], count = 0;
	uint8_t *data;

	(void)state;
	data = make_file(&sample, path, &size);
	size -= WT_BLOCK_SIZE; /* the footer */
	for (size_t offset = 0; offset < size; offset += WT_BLOCK_SIZE) {
		struct wt_block block;

		if (wt_block_decode(data + offset, &block) == WT_BLOCK_FINE &&
		    block.kind == WT_BLOCK_INDEX && count < 8)
			indexes[count++] = offset;
	}
	assert_true(count >= 2);
	for (size_t from = 0; from < count; from++) {
		for (size_t to = 0; to < count; to++) {
			struct proof_found found;
			uint8_t before[WT_BLOCK_SIZE];

			memcpy(before, data + indexes[from], WT_BLOCK_SIZE);
			put_u64(data + indexes[from] + 112, indexes[to], 8);
			proof_forge(data + indexes[from], 16, before[16]);
			sample_save(path, data, size);
			ask(path);
			found = proof_look(&sample, path, true, SAMPLE_DAMAGED);
			assert_int_equal(found.given, sample.moments);
			memcpy(data + indexes[from], before, WT_BLOCK_SIZE);
		}
	}
	free(data);
	sample_deinit(&sample);
}

#define BOMBS 40u

/* The payload of a chunk that is 64 MiB long: one packet with a body that nobody knows. */
static void make_bomb(struct wt_buffer *payload)
{
	const size_t size = WT_LIMIT_RAW;
	uint8_t *raw = calloc(1, size), *place = raw;
	size_t stored, pad;

	assert_non_null(raw);
	*place++ = 1 << 3 | 2;
	place += wt_varint_put(place, size - 5);
	place += wt_varint_put(place, 20 << 3 | 2);
	wt_varint_put(place, size - 5 - 6);
	place = wt_buffer_extend(payload, ZSTD_compressBound(size));
	assert_non_null(place);
	stored = ZSTD_compress(place, ZSTD_compressBound(size), raw, size, 1);
	assert_false(ZSTD_isError(stored));
	pad = (size_t)wt_block_align(stored + WT_FRAME_HEAD) - stored;
	memset(place + stored, 0, pad);
	wt_skippable_encode(pad - WT_FRAME_HEAD, place + stored);
	payload->size = stored + pad;
	free(raw);
}

static void save_bombs(const char *path)
{
	wt_cleanup_buffer struct wt_buffer buffer = {0}, payload = {0};
	struct wt_block file = {.kind = WT_BLOCK_FILE, .file = {.major = WT_FORMAT_MAJOR}};
	uint8_t head[WT_BLOCK_SIZE];

	make_bomb(&payload);
	wt_block_encode(&file, head);
	wt_buffer_append(&buffer, head, sizeof(head));
	for (uint64_t i = 0; i < BOMBS; i++) {
		struct wt_block chunk = {.kind = WT_BLOCK_CHUNK,
					 .flags = WT_BLOCK_REQUIRED,
					 .sequence = i + 1,
					 .offset = buffer.size,
					 .stored = payload.size,
					 .stored_crc = wt_crc32c(0, payload.data, payload.size),
					 .chunk = {.raw = WT_LIMIT_RAW,
						   .first_packet = i,
						   .first_call = 1,
						   .first_blob = 1,
						   .first_name = 1,
						   .keyframe = WT_NO_MOMENT,
						   .packets = 1,
						   .contents = 1u << 20}};

		wt_block_encode(&chunk, head);
		wt_buffer_append(&buffer, head, sizeof(head));
		wt_buffer_append(&buffer, payload.data, payload.size);
	}
	assert_false(buffer.failed);
	assert_true(buffer.size < (1u << 20));
	sample_save(path, buffer.data, buffer.size);
}

/* Chunks of 64 MiB in a few kilobytes each: what is decoded for one request is bounded. */
static void a_row_of_bombs(void **state)
{
	struct wt_reader_options options = {.size = sizeof(options), .small_caches = true};
	const char *path = sample_path("bombs.wtape");
	struct wt_reader *reader;
	struct wt_check check;
	struct wt_error *error;

	(void)state;
	save_bombs(path);
	for (unsigned int tight = 0; tight < 2; tight++) {
		options.decode_budget = tight ? WT_LIMIT_RAW / 2 : 0;
		sample_must(wt_reader_open_with(path, &options, &reader));
		fail_once_arm(0, 0);
		fail_once_start();
		error = wt_reader_examine(reader, NULL, &check);
		fail_once_stop();
		fail_once_disarm();
		assert_true(fail_once_largest() <= LARGEST);
		assert_int_equal(error && error->code == WT_ERROR_LIMIT, tight);
		if (!error)
			assert_int_equal(check.chunks.count, BOMBS);
		wt_error_destroy(error);
		wt_reader_close(reader);
		files++;
	}
}

/* Fields in fields, and groups in groups, to a depth that no stack has. */
static void deep_nesting(void **state)
{
	enum { DEPTH = 200000 };
	static const uint8_t bodies[] = {WT_PACKET_HEADER, WT_PACKET_MOMENT, WT_PACKET_FACTS,
					 WT_PACKET_NOTICE, 12};
	const char *path = sample_path("nested.wtape");
	uint8_t *nested = malloc((size_t)DEPTH * 8), *raw = malloc((size_t)DEPTH * 8 + 64);

	(void)state;
	assert_non_null(nested);
	assert_non_null(raw);
	for (unsigned int form = 0; form < 3; form++) {
		size_t end = (size_t)DEPTH * 8, start = end;

		if (form) {
			/* Groups that are opened: of field 1 or of one that nobody knows. */
			start = end - DEPTH;
			memset(nested + start, form == 1 ? 1 << 3 | 3 : 15 << 3 | 3, DEPTH);
		}
		/* From the inside out: a tag and the length of what is in it. */
		while (!form && start > 8 && end - start < (size_t)DEPTH * 4) {
			uint8_t head[12];
			size_t length = wt_varint_put(head + 1, end - start) + 1;

			head[0] = 1 << 3 | 2;
			start -= length;
			memcpy(nested + start, head, length);
		}
		for (size_t i = 0; i < sizeof(bodies); i++) {
			size_t size = end - start, inner = wt_varint_size(size);
			uint8_t *place = raw;

			*place++ = 1 << 3 | 2;
			place += wt_varint_put(place, 1 + inner + size);
			*place++ = (uint8_t)(bodies[i] << 3 | 2);
			place += wt_varint_put(place, size);
			memcpy(place, nested + start, size);
			proof_save_stage(path, raw, (size_t)(place - raw) + size);
			ask(path);
		}
	}
	free(nested);
	free(raw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absurd_numbers_in_heads),
		cmocka_unit_test(absurd_numbers_in_the_index),
		cmocka_unit_test(indexes_in_a_circle),
		cmocka_unit_test(a_row_of_bombs),
		cmocka_unit_test(deep_nesting),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	if (!failed)
		proof_say("hostile files: %llu (absurd numbers, circles, bombs, nesting), none "
			  "harmful",
			  (unsigned long long)files);
	return failed;
}
