/* SPDX-License-Identifier: MIT */
#include "proof.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

bool proof_is_long(void)
{
	const char *wanted = getenv("WAVETAPE_LONG");

	return wanted && !strcmp(wanted, "1");
}

void proof_say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("proof: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}

static uint64_t *sums; /* shared by the processes */
static unsigned int processes = 1, process;

void proof_add(enum proof_sum sum, uint64_t count)
{
	__atomic_fetch_add(&sums[sum], count, __ATOMIC_RELAXED);
}

uint64_t proof_total(enum proof_sum sum)
{
	return sums[sum];
}

bool proof_is_mine(void)
{
	static uint64_t turn;

	return turn++ % (processes * test_share()) == process;
}

bool proof_is_first(void)
{
	return !process;
}

/* One of them: its output is that of the first but for what fails. */
static void run_process(int (*group)(void))
{
	if (process && !freopen("/dev/null", "w", stdout))
		exit(1);
	exit(group() ? 1 : 0);
}

int proof_run(int (*group)(void))
{
	long count = proof_is_long() ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
	int status, failed = 0;

	sums = mmap(NULL, PROOF_SUMS * sizeof(*sums), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sums == MAP_FAILED) {
		perror("no memory that processes share");
		exit(1);
	}
	if (count <= 1)
		return group();
	processes = (unsigned int)count;
	for (process = 0; process < processes; process++) {
		pid_t child = fork();

		if (!child)
			run_process(group);
		failed |= child < 0;
	}
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}

struct proof_found proof_look(const struct sample *sample, const char *path, bool compare,
			      enum sample_extent extent)
{
	struct wt_trace_info info;
	struct proof_found found = {0};
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open(path, &reader);

	if (error) {
		if (error->code != WT_ERROR_INPUT && error->code != WT_ERROR_UNSUPPORTED)
			fail_msg("unexpected: %s: %s", error->where, error->why);
		wt_error_destroy(error);
		return found;
	}
	found.opened = true;
	found.moments = wt_reader_moment_count(reader);
	if (compare) {
		found.given = sample_compare(sample, reader, extent);
		found.begins = sample_count_begins(reader, true);
	}
	wt_reader_info(reader, &info);
	found.complete = info.complete;
	found.noted = wt_reader_damage(reader);
	wt_reader_close(reader);
	return found;
}

static bool take_varint(struct wt_cursor *cursor, uint64_t *value_ret)
{
	uint64_t value = 0;
	const uint8_t *byte;

	for (unsigned int shift = 0; shift < 64; shift += 7) {
		if (!wt_cursor_take(cursor, 1, &byte))
			return false;
		value |= (uint64_t)(*byte & 0x7f) << shift;
		if (*byte < 0x80) {
			*value_ret = value;
			return true;
		}
	}
	return false;
}

/* Count the packets of a run: field 1 of Trace, and in it the body's field. */
static void count_packets(const uint8_t *data, size_t size, struct proof_unit *unit)
{
	struct wt_cursor cursor = wt_cursor_init(data, size);

	while (cursor.remaining) {
		struct wt_cursor packet;
		const uint8_t *bytes;
		uint64_t tag = 0, length = 0;

		assert_true(take_varint(&cursor, &tag) && tag == (1 << 3 | 2));
		assert_true(take_varint(&cursor, &length) && length <= cursor.remaining);
		assert_true(wt_cursor_take(&cursor, (size_t)length, &bytes));
		packet = wt_cursor_init(bytes, (size_t)length);
		assert_true(take_varint(&packet, &tag));
		unit->moments += tag >> 3 == WT_PACKET_MOMENT;
		unit->calls += tag >> 3 == WT_PACKET_CALL_BEGIN;
	}
}

static void add_unit(struct proof_promise *promise, const struct proof_unit *unit)
{
	assert_true(promise->unit_count < PROOF_UNITS);
	promise->units[promise->unit_count++] = *unit;
}

/* What is in a block behind the bytes that are used, and a bit more. */
static void add_idle(struct proof_promise *promise, const struct wt_block *block, uint64_t used)
{
	size_t i = promise->idle_count++;

	assert_true(i < sizeof(promise->idle) / sizeof(promise->idle[0]));
	promise->idle[i].start = block->offset + WT_BLOCK_SIZE + used + 64;
	promise->idle[i].end = block->offset + WT_BLOCK_SIZE + block->stored;
}

/* The entries of the open chunk, as far as they check. */
static void read_stage(struct proof_promise *promise, const uint8_t *data,
		       const struct wt_block *stage, struct proof_unit unit)
{
	struct wt_cursor cursor =
		wt_cursor_init(data + stage->offset + WT_BLOCK_SIZE, (size_t)stage->stored);
	uint64_t used = 0;
	uint32_t length, crc;
	const uint8_t *bytes;

	while (wt_cursor_u32(&cursor, &length) && wt_cursor_u32(&cursor, &crc) && length &&
	       wt_cursor_take(&cursor, length, &bytes) &&
	       wt_stage_crc(stage->sequence, used, bytes, length) == crc) {
		used += WT_STAGE_ENTRY_HEAD + length;
		count_packets(bytes, length, &unit);
		unit.end = stage->offset + WT_BLOCK_SIZE + used;
		add_unit(promise, &unit);
	}
	add_idle(promise, stage, used);
}

void proof_promise_read(const uint8_t *data, size_t size, struct proof_promise *promise_ret)
{
	uint64_t offset = 0, sequence = 0;
	struct proof_unit unit = {0};

	memset(promise_ret, 0, sizeof(*promise_ret));
	while (size - offset >= WT_BLOCK_SIZE) {
		struct wt_block block;

		assert_int_equal(wt_block_decode(data + offset, &block), WT_BLOCK_FINE);
		assert_true(block.stored <= size - offset - WT_BLOCK_SIZE);
		if (block.kind == WT_BLOCK_CHUNK) {
			sequence = block.sequence;
			unit.moments += block.chunk.moments;
			unit.calls += block.chunk.calls;
			unit.end = offset + WT_BLOCK_SIZE + block.stored;
			add_unit(promise_ret, &unit);
		} else if (block.kind == WT_BLOCK_STAGE && block.sequence > sequence) {
			read_stage(promise_ret, data, &block, unit);
		} else if (block.kind == WT_BLOCK_GAP || block.kind == WT_BLOCK_STAGE) {
			add_idle(promise_ret, &block, 0);
		}
		offset += WT_BLOCK_SIZE + block.stored;
	}
}

struct proof_unit proof_promise_at(const struct proof_promise *promise, uint64_t length)
{
	size_t first = 0, end = promise->unit_count;

	/* They end one behind the other, and each length of a file is asked about. */
	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (promise->units[middle].end <= length)
			first = middle + 1;
		else
			end = middle;
	}
	return first ? promise->units[first - 1] : (struct proof_unit){0};
}

void proof_put(const char *path, uint64_t offset, uint8_t byte)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &byte, 1, (off_t)offset), 1);
	close(fd);
}

void proof_forge(uint8_t *head, size_t offset, uint8_t value)
{
	uint32_t crc;

	head[offset] = value;
	crc = wt_crc32c(0, head, WT_BLOCK_SIZE - 4);
	for (unsigned int i = 0; i < 4; i++)
		head[WT_BLOCK_SIZE - 4 + i] = (uint8_t)(crc >> 8 * i);
}

/* To its end, or to a packet that cannot be decoded. */
static void walk_journal(struct wt_reader *reader)
{
	const struct wt_journal_record *record = NULL;
	struct wt_journal *journal;
	struct wt_error *error;

	sample_must(wt_journal_open(reader, &journal));
	do
		error = wt_journal_next(journal, &record);
	while (!error && record);
	wt_error_destroy(error);
	wt_journal_close(journal);
}

/* What both ways of reading a record must agree about. */
static uint64_t sum_up(const struct wt_journal_record *record)
{
	uint64_t number = 0;

	switch (record->kind) {
	case WT_JOURNAL_BEGIN:
		number = record->begin.number;
		break;
	case WT_JOURNAL_CALLBACK:
		number = record->callback.call;
		break;
	case WT_JOURNAL_END:
		number = record->end.number;
		break;
	case WT_JOURNAL_MOMENT:
		number = record->moment;
		break;
	case WT_JOURNAL_NOTICE:
		for (const char *at = record->notice; *at; at++)
			number = 31 * number + (unsigned char)*at;
		break;
	}
	return number << 3 | record->kind;
}

void proof_positions(struct wt_reader *reader)
{
	enum { EVERY = 37, MANY = 4096 };
	struct wt_journal *journal, *passing;
	struct wt_journal_position positions[MANY];
	uint64_t expected[MANY];
	const struct wt_journal_record *record, *passed;
	size_t count = 0;

	sample_must(wt_journal_open(reader, &journal));
	sample_must(wt_journal_open(reader, &passing));
	for (size_t i = 0;; i++) {
		struct wt_journal_position position = wt_journal_position(passing);

		sample_must(wt_journal_next(journal, &record));
		sample_must(wt_journal_pass(passing, &passed));
		assert_int_equal(!record, !passed);
		if (!record)
			break;
		assert_int_equal(sum_up(record), sum_up(passed));
		if ((i % EVERY == 0 || record->kind == WT_JOURNAL_NOTICE) && count < MANY) {
			expected[count] = sum_up(record);
			positions[count++] = position;
		}
	}
	assert_true(count > 10);
	while (count--) {
		wt_journal_seek(journal, &positions[count]);
		sample_must(wt_journal_next(journal, &record));
		assert_non_null(record);
		assert_int_equal(sum_up(record), expected[count]);
	}
	wt_journal_close(passing);
	wt_journal_close(journal);
}

void proof_ask(const char *path)
{
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open(path, &reader);

	if (error) {
		wt_error_destroy(error);
		return;
	}
	for (uint32_t i = 0; i < wt_reader_moment_count(reader) && i < 20; i++) {
		const struct wt_moment *moment;
		struct wt_state *state;

		wt_error_destroy(wt_reader_moment(reader, i, &moment));
		error = wt_reader_state(reader, i, &state);
		if (!error)
			wt_state_destroy(state);
		wt_error_destroy(error);
	}
	walk_journal(reader);
	sample_must(wt_reader_check(reader));
	wt_reader_close(reader);
}

void proof_save_stage(const char *path, const uint8_t *raw, size_t size)
{
	size_t payload = (size_t)wt_block_align(size + WT_STAGE_ENTRY_HEAD);
	struct wt_block file = {.kind = WT_BLOCK_FILE, .file = {.major = WT_FORMAT_MAJOR}};
	struct wt_block stage = {.kind = WT_BLOCK_STAGE,
				 .flags = WT_BLOCK_INLINE,
				 .sequence = 1,
				 .stored = payload,
				 .offset = WT_BLOCK_SIZE,
				 .chunk = {.first_call = 1,
					   .first_blob = 1,
					   .first_name = 1,
					   .keyframe = WT_NO_MOMENT}};
	wt_cleanup_buffer struct wt_buffer buffer = {0};
	uint8_t head[WT_BLOCK_SIZE];

	wt_block_encode(&file, head);
	wt_buffer_append(&buffer, head, sizeof(head));
	wt_block_encode(&stage, head);
	wt_buffer_append(&buffer, head, sizeof(head));
	wt_buffer_append_u32(&buffer, (uint32_t)size);
	wt_buffer_append_u32(&buffer, wt_stage_crc(1, 0, raw, size));
	wt_buffer_append(&buffer, raw, size);
	sample_save(path, buffer.data, buffer.size);
}
