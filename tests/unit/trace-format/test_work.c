/* SPDX-License-Identifier: MIT */
/*
 * The work of a reader is in proportion to what it reads. Where nothing counts the work, there is so much of what
 * once took its square that a reader who does that again needs minutes, and the test runs out of time.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "base/cleanup.h"
#include "proof.h"
#include "trace-format/message/encode.h"
#include "trace-format/message/packet.h"
#include "trace-format/reader/blobs.h"
#include "trace-format/reader/check.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/reader.h"

/* Names that the linker gives. */
void *__real_reallocarray(void *old, size_t count, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);

static uint64_t bytes_asked;

void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
	bytes_asked += count * size;
	return __real_reallocarray(old, count, size);
}

#define PACKET 1u /* the field of a Trace */

/* A packet around a body. */
static void put_packet(struct wt_buffer *raw, enum wt_field_packet field,
		       const struct wt_buffer *body)
{
	size_t mark = wt_encode_begin(raw, PACKET);

	wt_encode_bytes(raw, field, body->data, body->size);
	wt_encode_end(raw, mark);
}

/* @items: as they are in the packet; NULL: none. */
static void put_moment(struct wt_buffer *raw, uint32_t number, bool keyframe,
		       const struct wt_buffer *items)
{
	wt_cleanup_buffer struct wt_buffer body = {0};

	wt_encode_number(&body, WT_FIELD_MOMENT_NUMBER, number);
	wt_encode_number(&body, WT_FIELD_MOMENT_KEYFRAME, keyframe);
	if (items)
		wt_buffer_append(&body, items->data, items->size);
	put_packet(raw, WT_PACKET_MOMENT, &body);
}

static void put_blob(struct wt_buffer *raw, const void *data, size_t size)
{
	wt_cleanup_buffer struct wt_buffer body = {0};

	wt_encode_bytes(&body, WT_FIELD_BLOB_DATA, data, size);
	put_packet(raw, WT_PACKET_BLOB, &body);
}

/* A reader of packets that are all in one chunk, with a budget for what one call may decode; 0: the usual one. */
static struct wt_reader *open_packets(const struct wt_buffer *raw, uint64_t budget)
{
	struct wt_reader_options options = {.size = sizeof(options), .decode_budget = budget};
	const char *path = sample_path("work.wtape");
	struct wt_reader *reader;

	assert_false(raw->failed);
	proof_save_stage(path, raw->data, raw->size);
	sample_must(wt_reader_open_with(path, &options, &reader));
	assert_int_equal(reader->places.count, 1);
	return reader;
}

static struct wt_check examine(struct wt_reader *reader)
{
	struct wt_check check;

	sample_must(wt_reader_examine(reader, NULL, &check));
	return check;
}

/* ---- Moments ---- */

#define MOMENTS 200000u

static void each_moment_of_a_chunk_is_found_at_once(void **state)
{
	wt_cleanup_buffer struct wt_buffer raw = {0};
	struct wt_reader *reader;
	struct wt_check check;

	(void)state;
	for (uint32_t i = 0; i < MOMENTS; i++)
		put_moment(&raw, i, !i, NULL);
	reader = open_packets(&raw, 0);
	check = examine(reader);
	assert_int_equal(check.moments.count, MOMENTS);
	assert_int_equal(check.moments.lost, 0);
	wt_reader_close(reader);
}

/* A chunk of one packet and of no moment behind the gap that its numbers tell of. */
static void put_chunk(struct wt_buffer *file, uint64_t sequence, uint64_t packet, uint32_t moment,
		      uint32_t moments)
{
	struct wt_block block = {.kind = WT_BLOCK_CHUNK,
				 .flags = WT_BLOCK_REQUIRED,
				 .sequence = sequence,
				 .offset = file->size,
				 .chunk = {.raw = moments + 1,
					   .first_packet = packet,
					   .first_call = 1,
					   .first_blob = 1,
					   .first_name = 1,
					   .first_moment = moment,
					   .keyframe = WT_NO_MOMENT,
					   .packets = moments + 1,
					   .moments = moments}};
	uint8_t head[WT_BLOCK_SIZE];

	wt_block_encode(&block, head);
	wt_buffer_append(file, head, sizeof(head));
}

static void put_file_head(struct wt_buffer *file)
{
	struct wt_block block = {.kind = WT_BLOCK_FILE, .file = {.major = WT_FORMAT_MAJOR}};
	uint8_t head[WT_BLOCK_SIZE];

	wt_block_encode(&block, head);
	wt_buffer_append(file, head, sizeof(head));
}

static void expect_all_lost(const struct wt_buffer *file, uint32_t moments)
{
	const char *path = sample_path("work.wtape");
	struct wt_reader *reader;
	struct wt_check check;

	sample_save(path, file->data, file->size);
	sample_must(wt_reader_open(path, &reader));
	check = examine(reader);
	assert_int_equal(check.moments.count, moments);
	assert_int_equal(check.moments.lost, moments);
	assert_int_equal(check.stops.count, 0);
	wt_reader_close(reader);
}

static void moments_that_are_claimed_cost_nothing(void **state)
{
	const uint32_t most = UINT32_MAX - 1, each = WT_LIMIT_RAW - 1;
	wt_cleanup_buffer struct wt_buffer gap = {0}, damaged = {0};
	uint32_t moments = 0;

	(void)state;
	put_file_head(&gap);
	put_chunk(&gap, 1, (uint64_t)1 << 40, most, 0);
	expect_all_lost(&gap, most);
	/* As many in chunks that are not whole. */
	put_file_head(&damaged);
	for (uint64_t i = 0; i < 60; i++, moments += each)
		put_chunk(&damaged, i + 1, i * WT_LIMIT_RAW, moments, each);
	expect_all_lost(&damaged, moments);
}

/* ---- Blobs ---- */

#define BLOBS 500000u

static void each_blob_of_a_chunk_is_found_at_once(void **state)
{
	wt_cleanup_buffer struct wt_buffer raw = {0};
	struct wt_reader *reader;

	(void)state;
	for (uint32_t i = 1; i <= BLOBS; i++)
		put_blob(&raw, &i, sizeof(i));
	reader = open_packets(&raw, 0);
	for (uint32_t i = 1; i <= BLOBS; i++) {
		struct wt_bytes *bytes;

		sample_must(wt_reader_blob(reader, i, &bytes));
		assert_int_equal(bytes->size, sizeof(i));
		assert_memory_equal(bytes->data, &i, sizeof(i));
		wt_bytes_release(bytes);
	}
	wt_reader_close(reader);
}

#define PARTS 1000u
#define PART_SIZE 4096u

/* A value of many blobs costs what its parts do. */
static void a_value_is_decoded_once(void **state)
{
	static const uint8_t part[PART_SIZE] = {1, 2, 3};
	wt_cleanup_buffer struct wt_buffer raw = {0}, items = {0};
	uint64_t more[PARTS];
	struct wt_reader *reader;
	struct wt_state *found;
	size_t mark;

	(void)state;
	put_blob(&raw, part, sizeof(part));
	for (size_t i = 0; i < PARTS; i++)
		more[i] = 1;
	mark = wt_encode_begin(&items, WT_FIELD_MOMENT_ITEM);
	wt_encode_number(&items, WT_FIELD_ITEM_TYPE, WT_ITEM_MEMORY);
	wt_encode_number(&items, WT_FIELD_ITEM_BLOB, 1);
	wt_encode_packed(&items, WT_FIELD_ITEM_MORE_BLOB, more, PARTS);
	wt_encode_end(&items, mark);
	put_moment(&raw, 0, true, &items);
	reader = open_packets(&raw, 2 * PARTS * PART_SIZE);
	sample_must(wt_reader_state(reader, 0, &found));
	assert_int_equal(wt_state_count(found), 1);
	assert_int_equal(wt_state_at(found, 0)->bytes->size, (PARTS + 1) * PART_SIZE);
	for (size_t i = 0; i <= PARTS; i++)
		assert_memory_equal(wt_state_at(found, 0)->bytes->data + i * PART_SIZE, part,
				    PART_SIZE);
	wt_state_destroy(found);
	wt_reader_close(reader);
}

#define COPIES 100u

/* Many items of one blob, of which each has a copy: in bytes of the state they are many times those of the file. */
static void expect_limit(enum wt_field_item field, uint64_t value, enum wt_field_item beside)
{
	static const uint8_t blob[PART_SIZE] = {1, 2, 3};
	wt_cleanup_buffer struct wt_buffer raw = {0}, items = {0};
	struct wt_reader *reader;
	struct wt_state *found;
	struct wt_error *error;

	put_blob(&raw, blob, sizeof(blob));
	for (uint64_t i = 0; i < COPIES; i++) {
		size_t mark = wt_encode_begin(&items, WT_FIELD_MOMENT_ITEM);

		wt_encode_number(&items, WT_FIELD_ITEM_TYPE, WT_ITEM_REGISTERS);
		wt_encode_number(&items, WT_FIELD_ITEM_OWNER, i + 1);
		wt_encode_number(&items, beside, 1);
		wt_encode_number(&items, field, value);
		wt_encode_end(&items, mark);
	}
	put_moment(&raw, 0, true, &items);
	reader = open_packets(&raw, COPIES / 2 * PART_SIZE);
	error = wt_reader_state(reader, 0, &found);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_LIMIT);
	wt_error_destroy(error);
	wt_reader_close(reader);
	reader = open_packets(&raw, COPIES * PART_SIZE);
	sample_must(wt_reader_state(reader, 0, &found));
	assert_int_equal(wt_state_count(found), COPIES);
	wt_state_destroy(found);
	wt_reader_close(reader);
}

static void copies_of_a_blob_are_paid_for(void **state)
{
	(void)state;
	expect_limit(WT_FIELD_ITEM_SIZE, PART_SIZE - 1, WT_FIELD_ITEM_BLOB);
	expect_limit(WT_FIELD_ITEM_HANDLE_BLOB, 1, WT_FIELD_ITEM_HANDLE_BLOB);
}

/* 32 KiB of rows that are all zeros become 8 MiB. */
static void rows_are_paid_for(void **state)
{
	enum { ROWS = (8 << 20) / 256 };
	static uint8_t blob[5 + ROWS] = {0, 0, 0x80, 0, 64};
	wt_cleanup_buffer struct wt_buffer raw = {0}, body = {0}, items = {0};
	struct wt_reader *reader;
	struct wt_state *found;
	struct wt_error *error;
	size_t mark = wt_encode_begin(&items, WT_FIELD_MOMENT_ITEM);

	(void)state;
	wt_encode_number(&body, WT_FIELD_BLOB_ENCODING, WT_BLOB_ROWS);
	wt_encode_bytes(&body, WT_FIELD_BLOB_DATA, blob, sizeof(blob));
	put_packet(&raw, WT_PACKET_BLOB, &body);
	wt_encode_number(&items, WT_FIELD_ITEM_TYPE, WT_ITEM_REGISTERS);
	wt_encode_number(&items, WT_FIELD_ITEM_BLOB, 1);
	wt_encode_end(&items, mark);
	put_moment(&raw, 0, true, &items);
	reader = open_packets(&raw, 7 << 20);
	error = wt_reader_state(reader, 0, &found);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_LIMIT);
	wt_error_destroy(error);
	wt_reader_close(reader);
	reader = open_packets(&raw, 9 << 20);
	sample_must(wt_reader_state(reader, 0, &found));
	assert_int_equal(wt_state_at(found, 0)->bytes->size, 8 << 20);
	wt_state_destroy(found);
	wt_reader_close(reader);
}

/* ---- The budget of a whole check ---- */

#define LARGE ((size_t)100 << 10)

/* Keyframes of @items copies each of one blob: each takes but a few bytes of the file. */
static struct wt_reader *open_copies(uint32_t moments, uint64_t copies)
{
	wt_cleanup_buffer struct wt_buffer raw = {0}, items = {0};
	wt_cleanup_free uint8_t *blob = calloc(1, LARGE);

	assert_non_null(blob);
	put_blob(&raw, blob, LARGE);
	for (uint64_t i = 0; i < copies; i++) {
		size_t mark = wt_encode_begin(&items, WT_FIELD_MOMENT_ITEM);

		wt_encode_number(&items, WT_FIELD_ITEM_TYPE, WT_ITEM_REGISTERS);
		wt_encode_number(&items, WT_FIELD_ITEM_OWNER, i + 1);
		wt_encode_number(&items, WT_FIELD_ITEM_BLOB, 1);
		wt_encode_number(&items, WT_FIELD_ITEM_SIZE, LARGE - 1);
		wt_encode_end(&items, mark);
	}
	for (uint32_t i = 0; i < moments; i++)
		put_moment(&raw, i, true, &items);
	return open_packets(&raw, 0);
}

static void expect_examined(struct wt_reader *reader, uint64_t budget, bool fine)
{
	const struct wt_check_options options = {.size = sizeof(options), .budget = budget};
	struct wt_check check;
	struct wt_error *error = wt_reader_examine(reader, &options, &check);

	if (fine) {
		sample_must(error);
		assert_int_equal(check.moments.lost, 0);
		return;
	}
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_LIMIT);
	assert_non_null(strstr(error->why, "would have to be decoded"));
	wt_error_destroy(error);
}

/* Each request is within its own budget; all of them are not within that of the check. */
static void a_check_has_a_budget(void **unused)
{
	struct wt_reader *reader = open_copies(20, 20);
	struct wt_state *state;

	(void)unused;
	expect_examined(reader, 50 * LARGE, false);
	/* The budget ends with the check, whatever came of it. */
	for (uint32_t i = 20; i-- > 0;) {
		sample_must(wt_reader_state(reader, i, &state));
		assert_int_equal(wt_state_count(state), 20);
		wt_state_destroy(state);
	}
	expect_examined(reader, 500 * LARGE, true);
	wt_reader_close(reader);
}

/* Without being told of one: what is there for a file of this size is a few GiB, and this one asks for 20. */
static void a_check_ends_by_itself(void **unused)
{
	struct wt_reader *reader = open_copies(4000, 50);

	(void)unused;
	expect_examined(reader, 0, false);
	wt_reader_close(reader);
}

/* ---- States ---- */

#define ITEMS 200000u

static void expect_list(const struct wt_state *state, uint64_t owner, bool there)
{
	const struct wt_key key = {.type = WT_ITEM_LIST, .owner = owner};

	assert_int_equal(wt_state_get(state, &key) != NULL, there);
}

static void set_list(struct wt_state *state, uint64_t owner)
{
	const struct wt_item item = {.key = {.type = WT_ITEM_LIST, .owner = owner}};

	sample_must(wt_state_set(state, &item));
}

/* New items before all others, and questions and removals between them. */
static void who_asks_and_changes_in_turn_sorts_little(void **unused)
{
	struct wt_state *state = wt_state_create();

	(void)unused;
	assert_non_null(state);
	for (uint64_t i = 0; i < ITEMS; i++)
		set_list(state, ITEMS + i);
	for (uint64_t i = 0; i < ITEMS; i++) {
		const struct wt_key old = {.type = WT_ITEM_LIST, .owner = ITEMS + i};

		set_list(state, ITEMS - 1 - i);
		expect_list(state, ITEMS + i, true);
		wt_state_remove(state, &old);
		expect_list(state, ITEMS + i, false);
		expect_list(state, ITEMS - 1 - i, true);
	}
	assert_int_equal(wt_state_count(state), ITEMS);
	for (size_t i = 0; i < ITEMS; i++)
		assert_int_equal(wt_state_at(state, i)->key.owner, i);
	wt_state_destroy(state);
}

/* ---- Indexes ---- */

#define CHUNKS 1000u

/* An index that tells of one chunk. */
static void put_index(struct wt_buffer *file, uint64_t sequence, uint64_t chunk)
{
	struct wt_block block, index = {.kind = WT_BLOCK_INDEX,
					.flags = WT_BLOCK_INLINE,
					.sequence = sequence,
					.offset = file->size,
					.stored = WT_BLOCK_SIZE};
	wt_cleanup_buffer struct wt_buffer payload = {0};
	struct wt_index_entry entry;
	uint8_t head[WT_BLOCK_SIZE];

	assert_int_equal(wt_block_decode(file->data + chunk, &block), WT_BLOCK_FINE);
	entry = (struct wt_index_entry){.offset = block.offset,
					.sequence = block.sequence,
					.chunk = block.chunk,
					.kind = block.kind,
					.flags = block.flags};
	wt_buffer_append_u32(&payload, WT_INDEX_CHUNKS);
	wt_buffer_append_u32(&payload, 0);
	wt_buffer_append_u64(&payload, WT_INDEX_ENTRY_SIZE);
	wt_index_entry_append(&payload, &entry);
	while (payload.size < WT_BLOCK_SIZE)
		wt_buffer_append(&payload, "", 1);
	index.stored_crc = wt_crc32c(0, payload.data, payload.size);
	wt_block_encode(&index, head);
	wt_buffer_append(file, head, sizeof(head));
	wt_buffer_append(file, payload.data, payload.size);
}

static void damage(struct wt_buffer *file, uint64_t offset)
{
	file->data[offset] ^= 1;
}

/* Where the newest index is said to be there is none, so that the file is walked. */
static struct wt_reader *walk_file(struct wt_buffer *file)
{
	struct wt_block gap = {.kind = WT_BLOCK_GAP,
			       .flags = WT_BLOCK_INLINE,
			       .sequence = UINT32_MAX,
			       .offset = file->size,
			       .index = WT_BLOCK_SIZE};
	const char *path = sample_path("work.wtape");
	struct wt_reader *reader;
	uint8_t head[WT_BLOCK_SIZE];

	wt_block_encode(&gap, head);
	wt_buffer_append(file, head, sizeof(head));
	assert_false(file->failed);
	sample_save(path, file->data, file->size);
	bytes_asked = 0;
	sample_must(wt_reader_open(path, &reader));
	return reader;
}

static void indexes_that_tell_nothing_new_move_nothing(void **state)
{
	wt_cleanup_buffer struct wt_buffer file = {0};
	struct wt_reader *reader;

	(void)state;
	put_file_head(&file);
	for (uint64_t i = 0; i < CHUNKS; i++)
		put_chunk(&file, i + 1, i, 0, 0);
	for (uint64_t i = 0; i < CHUNKS; i++)
		put_index(&file, CHUNKS + i + 1, WT_BLOCK_SIZE);
	reader = walk_file(&file);
	assert_int_equal(reader->places.count, CHUNKS);
	assert_true(bytes_asked < 4 * CHUNKS * sizeof(*reader->places.at));
	wt_reader_close(reader);
}

/* Those whose heads are damaged come to their places, from one index and from many. */
static void indexes_bring_what_is_missing(void **state)
{
	wt_cleanup_buffer struct wt_buffer file = {0};
	struct wt_reader *reader;

	(void)state;
	put_file_head(&file);
	for (uint64_t i = 0; i < CHUNKS; i++)
		put_chunk(&file, i + 1, i, 0, 0);
	for (uint64_t i = CHUNKS; i-- > 0;)
		put_index(&file, 2 * CHUNKS - i, (i + 1) * WT_BLOCK_SIZE);
	for (uint64_t i = 0; i < CHUNKS; i += 7)
		damage(&file, (i + 1) * WT_BLOCK_SIZE);
	reader = walk_file(&file);
	assert_int_equal(reader->places.count, CHUNKS);
	for (size_t i = 0; i < CHUNKS; i++)
		assert_int_equal(reader->places.at[i].entry.chunk.first_packet, i);
	wt_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_moment_of_a_chunk_is_found_at_once),
		cmocka_unit_test(moments_that_are_claimed_cost_nothing),
		cmocka_unit_test(each_blob_of_a_chunk_is_found_at_once),
		cmocka_unit_test(a_value_is_decoded_once),
		cmocka_unit_test(copies_of_a_blob_are_paid_for),
		cmocka_unit_test(rows_are_paid_for),
		cmocka_unit_test(a_check_has_a_budget),
		cmocka_unit_test(a_check_ends_by_itself),
		cmocka_unit_test(indexes_that_tell_nothing_new_move_nothing),
		cmocka_unit_test(indexes_bring_what_is_missing),
		cmocka_unit_test(who_asks_and_changes_in_turn_sorts_little),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
