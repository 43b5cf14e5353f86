/* SPDX-License-Identifier: MIT */
/* Packets of a whole chunk that cannot be decoded all the same: each is named, once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "sample.h"
#include "trace-format/reader/check.h"
#include "trace-format/message/packet.h"
#include "trace-format/rewrite/rewrite.h"
#include "trace-format/container/tape.h"

/* A text of five bytes, of which one is there. */
static const uint8_t cut_notice[] = {0x12, 0x05, 'a'};

static void write_notice(struct wt_writer *writer, const void *body, size_t size)
{
	struct wt_buffer *packet = NULL;

	sample_must(wt_writer_begin(writer, WT_PACKET_NOTICE, &packet));
	wt_buffer_append(packet, body, size);
	sample_must(wt_tape_end(writer->tape, 0));
}

/* Notices, of which the second and the fourth are malformed. */
static struct wt_reader *open_malformed(void)
{
	const char *path = sample_path("malformed.wtape");
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;
	struct wt_reader *reader;

	sample_must(wt_writer_create(path, &options, &writer));
	for (int i = 0; i < 2; i++) {
		sample_must(wt_writer_notice(writer, WT_NOTICE_CONTEXT, 0, "whole"));
		write_notice(writer, cut_notice, sizeof(cut_notice));
	}
	sample_must(wt_writer_close(writer, "done"));
	sample_must(wt_reader_open(path, &reader));
	assert_null(wt_reader_damage(reader));
	return reader;
}

/* How many records of the journal say that a packet is lost. */
static unsigned int read_journal(struct wt_reader *reader)
{
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	unsigned int lost = 0;

	sample_must(wt_journal_open(reader, &journal));
	for (;;) {
		sample_must(wt_journal_next(journal, &record));
		if (!record)
			break;
		lost += record->kind == WT_JOURNAL_NOTICE && record->notice_kind == WT_NOTICE_LOST;
	}
	wt_journal_close(journal);
	return lost;
}

static void assert_both_are_named(const struct wt_reader *reader)
{
	unsigned long long first, second;

	assert_int_equal(wt_reader_damage_count(reader), 2);
	for (size_t i = 0; i < 2; i++) {
		assert_true(wt_reader_damage_at(reader, i)->loss);
		assert_non_null(strstr(wt_reader_damage_at(reader, i)->text, " is malformed"));
	}
	assert_int_equal(sscanf(wt_reader_damage_at(reader, 0)->text, "packet %llu, ", &first), 1);
	assert_int_equal(sscanf(wt_reader_damage_at(reader, 1)->text, "packet %llu, ", &second), 1);
	assert_int_equal(second, first + 2);
}

static void the_journal_names_each(void **state)
{
	struct wt_reader *reader = open_malformed();

	(void)state;
	assert_int_equal(read_journal(reader), 2);
	assert_both_are_named(reader);
	assert_int_equal(read_journal(reader), 2);
	assert_both_are_named(reader);
	wt_reader_close(reader);
}

static void a_check_and_the_journal_name_each_once(void **state)
{
	struct wt_reader *reader = open_malformed();
	struct wt_check check;

	(void)state;
	sample_must(wt_reader_examine(reader, NULL, &check));
	assert_int_equal(check.packets.lost, 2);
	assert_true(check.loss);
	assert_both_are_named(reader);
	assert_int_equal(read_journal(reader), 2);
	assert_both_are_named(reader);
	wt_reader_close(reader);
	reader = open_malformed();
	assert_int_equal(read_journal(reader), 2);
	sample_must(wt_reader_examine(reader, NULL, &check));
	assert_int_equal(check.packets.lost, 2);
	assert_both_are_named(reader);
	wt_reader_close(reader);
}

enum { EMPTY_ITEMS = 1000000 };

/* A moment, the first one, of so many empty items that a tree of them takes a hundred times the bytes of the packet. */
static void write_moment_of_empty_items(struct wt_writer *writer, bool malformed)
{
	static const uint8_t keyframe[] = {WT_FIELD_MOMENT_KEYFRAME << 3, 1};
	static const uint8_t item[] = {WT_FIELD_MOMENT_ITEM << 3 | 2, 0};
	static const uint8_t no_item[] = {WT_FIELD_MOMENT_ITEM << 3 | 2, 1,
					  WT_FIELD_ITEM_OWNER << 3};
	struct wt_buffer *packet = NULL;

	sample_must(wt_writer_begin(writer, WT_PACKET_MOMENT, &packet));
	wt_buffer_append(packet, keyframe, sizeof(keyframe));
	for (unsigned int i = 0; i < EMPTY_ITEMS; i++)
		wt_buffer_append(packet, item, sizeof(item));
	if (malformed)
		wt_buffer_append(packet, no_item, sizeof(no_item));
	sample_must(wt_tape_end(writer->tape, 1));
}

static void write_empty_items(const char *path, bool malformed)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	sample_must(wt_writer_create(path, &options, &writer));
	write_moment_of_empty_items(writer, malformed);
	sample_must(wt_writer_notice(writer, WT_NOTICE_CONTEXT, 0, "whole"));
	sample_must(wt_writer_close(writer, "done"));
}

/* No tree is built of items, which has a limit: a packet of very many is read as any other. */
static void a_packet_of_very_many_parts_is_whole(void **state)
{
	const struct wt_moment *moment;
	struct wt_reader *reader;
	struct wt_state *items;
	struct wt_check check;

	(void)state;
	write_empty_items(sample_path("parts.wtape"), false);
	sample_must(wt_reader_open(sample_path("parts.wtape"), &reader));
	sample_must(wt_reader_moment(reader, 0, &moment));
	sample_must(wt_reader_state(reader, 0, &items));
	assert_int_equal(wt_state_count(items), 0);
	wt_state_destroy(items);
	sample_must(wt_reader_examine(reader, NULL, &check));
	assert_true(check.whole);
	assert_int_equal(check.moments.count, 1);
	wt_reader_close(reader);
}

/* One of them cannot be decoded: the moment is lost, and nothing else. */
static void a_packet_with_a_malformed_part_is_lost_alone(void **state)
{
	char source[128], target[128];
	struct wt_rewrite result;
	struct wt_reader *reader;
	struct wt_check check;

	(void)state;
	strcpy(source, sample_path("parts.wtape"));
	strcpy(target, sample_path("parts-recovered.wtape"));
	write_empty_items(source, true);
	sample_must(wt_reader_open(source, &reader));
	sample_must(wt_reader_examine(reader, NULL, &check));
	assert_int_equal(check.packets.lost, 1);
	assert_int_equal(check.moments.lost, 1);
	assert_int_equal(check.chunks.lost, 0);
	sample_must(wt_trace_recover(reader, target, NULL, &result));
	wt_reader_close(reader);
	sample_must(wt_reader_open(target, &reader));
	sample_must(wt_reader_examine(reader, NULL, &check));
	assert_true(check.whole);
	assert_int_equal(check.moments.count, 0);
	wt_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_journal_names_each),
		cmocka_unit_test(a_check_and_the_journal_name_each_once),
		cmocka_unit_test(a_packet_of_very_many_parts_is_whole),
		cmocka_unit_test(a_packet_with_a_malformed_part_is_lost_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
