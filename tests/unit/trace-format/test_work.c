/* SPDX-License-Identifier: MIT */
/*
 * The work of a reader is in proportion to what it reads. Where nothing counts the work, there is so much of what
 * once took its square that a reader who does that again needs minutes, and the test runs out of time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "proof.h"
#include "trace-format/check.h"
#include "trace-format/encode.h"
#include "trace-format/fields.h"
#include "trace-format/reader-inside.h"

#define PACKET 1u /* the field of a Trace */

/* A packet around a body. */
static void put_packet(struct wt_buffer *raw, enum wt_packet_field field,
		       const struct wt_buffer *body)
{
	size_t mark = wt_encode_begin(raw, PACKET);

	wt_encode_bytes(raw, field, body->data, body->size);
	wt_encode_end(raw, mark);
}

static void put_moment(struct wt_buffer *raw, uint32_t number, bool keyframe)
{
	wt_cleanup_buffer struct wt_buffer body = {0};

	wt_encode_number(&body, WT_MOMENT_NUMBER, number);
	wt_encode_number(&body, WT_MOMENT_KEYFRAME, keyframe);
	put_packet(raw, WT_PACKET_MOMENT, &body);
}

/* A reader of packets that are all in one chunk. */
static struct wt_reader *open_packets(const struct wt_buffer *raw)
{
	const char *path = sample_path("work.wtape");
	struct wt_reader *reader;

	assert_false(raw->failed);
	proof_save_stage(path, raw->data, raw->size);
	sample_must(wt_reader_open(path, &reader));
	assert_int_equal(reader->place_count, 1);
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
		put_moment(&raw, i, !i);
	reader = open_packets(&raw);
	check = examine(reader);
	assert_int_equal(check.moments.count, MOMENTS);
	assert_int_equal(check.moments.lost, 0);
	wt_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_moment_of_a_chunk_is_found_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
