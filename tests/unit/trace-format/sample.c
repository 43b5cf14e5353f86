/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zstd.h>

#include "tests/unit/with-cmocka.h"

#include "trace-format/container/index.h"

#define WAVES 4u

static char directory[64];
static pid_t directory_owner;

static void remove_directory(void)
{
	char command[128];

	if (getpid() != directory_owner)
		return;
	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	if (system(command))
		fprintf(stderr, "cannot remove %s\n", directory);
}

/* In memory, where there is enough: a disk would be waited for at each sync. */
static bool is_roomy(const char *path)
{
	struct statvfs status;

	return !access(path, W_OK) && !statvfs(path, &status) &&
	       (uint64_t)status.f_bavail * status.f_frsize > (uint64_t)512 << 20;
}

const char *sample_path(const char *name)
{
	static char path[128];

	if (!directory[0]) {
		snprintf(directory, sizeof(directory), "%s/wavetape-test-XXXXXX",
			 is_roomy("/dev/shm") ? "/dev/shm" : "/tmp");
		if (!mkdtemp(directory))
			fail_msg("no directory for files");
		directory_owner = getpid();
		atexit(remove_directory);
	}
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

void sample_must(struct wt_error *error)
{
	if (error)
		fail_msg("%s: %s: %s", error->what, error->where, error->why);
}

uint8_t *sample_read(const char *path, size_t *size_ret)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data;
	long size;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	assert_true(size >= 0);
	rewind(file);
	data = malloc((size_t)size + 1);
	assert_non_null(data);
	assert_int_equal(fread(data, 1, (size_t)size, file), size);
	fclose(file);
	*size_ret = (size_t)size;
	return data;
}

void sample_save(const char *path, const void *data, size_t size)
{
	int fd;

	/* A file that is cut to nothing and written again may be waited for until it is on the disk. */
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), size);
	close(fd);
}

bool sample_is_zstd(const char *path)
{
	size_t size, at = 0;
	uint8_t *data = sample_read(path, &size);

	while (at < size) {
		size_t frame = ZSTD_findFrameCompressedSize(data + at, size - at);

		if (ZSTD_isError(frame))
			break;
		at += frame;
	}
	free(data);
	return size && at == size;
}

/* splitmix64: the same numbers everywhere. */
static uint64_t next(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static uint64_t below(uint64_t *seed, uint64_t limit)
{
	return next(seed) % limit;
}

void sample_deinit(struct sample *sample)
{
	for (uint32_t i = 0; i < SAMPLE_MOMENTS_MAX; i++) {
		wt_state_destroy(sample->bare[i]);
		wt_state_destroy(sample->states[i]);
	}
	wt_state_destroy(sample->facts);
	memset(sample, 0, sizeof(*sample));
}

struct wt_writer_options sample_options(void)
{
	return (struct wt_writer_options){
		.size = sizeof(struct wt_writer_options),
		.recorder = "wavetape test",
		.api_level = "0.77.0",
		.library_version = "0.77.0",
		.library_build_name = "sample",
		.reproducible = true,
		.keyframe_interval = 16,
		.shares_items = true,
	};
}

static void tell(struct sample *sample)
{
	if (sample->progress)
		sample->progress(sample);
}

static struct wt_error *record_call(struct sample *sample, struct wt_writer *writer, uint64_t *seed)
{
	static uint8_t noise[3000];
	char name[32];
	struct wt_value values[4] = {
		{.form = WT_VALUE_NUMBER, .number = below(seed, 3) ? next(seed) : 0},
		{.form = WT_VALUE_ABSENT},
		{.form = WT_VALUE_PRESENT},
		{.form = WT_VALUE_DATA, .data = noise},
	};
	struct wt_call_begin begin = {
		.number = sample->begins + 1, .thread = 1, .inputs = values, .input_count = 4};
	struct wt_callback callback = {.call = begin.number,
				       .inputs = values,
				       .input_count = 1,
				       .result = -1,
				       .outputs = values,
				       .output_count = 2};
	struct wt_call_end end = {.number = begin.number,
				  .status = -(int64_t)below(seed, 9),
				  .outputs = values,
				  .output_count = 2};
	struct wt_error *error;

	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (uint8_t)next(seed);
	values[3].size = below(seed, 4) ? below(seed, 20) : sizeof(noise);
	if (sample->no_blocks_of_noise)
		values[3].size %= 20;
	snprintf(name, sizeof(name), "function_%u", (unsigned int)below(seed, 40));
	begin.function = callback.function = wt_writer_name(writer, name);
	error = wt_writer_call_begin(writer, &begin);
	if (error)
		return error;
	sample->begins++;
	tell(sample);
	error = below(seed, 2) ? wt_writer_callback(writer, &callback) : NULL;
	return error ? error : wt_writer_call_end(writer, &end);
}

static void put(struct wt_state *state, const struct wt_item *item)
{
	sample_must(wt_state_set(state, item));
}

/* Registers of a wave, changed in places or all over. */
static void change_registers(struct sample *sample, struct wt_state *state, uint64_t *seed)
{
	struct wt_key key = {.type = WT_ITEM_REGISTERS, .owner = 1 + below(seed, WAVES)};
	const struct wt_item *old = wt_state_get(state, &key);
	struct wt_bytes *bytes = wt_bytes_create(NULL, sample->register_bytes);
	size_t changes = below(seed, 4) ? 5 : sample->register_bytes;
	uint64_t handles[40];
	struct wt_item item = {.key = key, .handles = handles, .handle_count = 40, .bytes = bytes};

	assert_non_null(bytes);
	for (uint64_t i = 0; i < 40; i++)
		handles[i] = 1000 + i;
	if (old && old->bytes && old->bytes->size == bytes->size)
		memcpy(bytes->data, old->bytes->data, bytes->size);
	else
		memset(bytes->data, 0x5a, bytes->size);
	for (size_t i = 0; i < changes; i++)
		bytes->data[below(seed, bytes->size)] = (uint8_t)next(seed);
	put(state, &item);
	wt_bytes_release(bytes);
}

static void change_object(struct wt_state *state, uint64_t *seed)
{
	uint8_t value[8] = {(uint8_t)next(seed), 2, 3};
	struct wt_answer answers[] = {
		{.query = 1, .value = value, .size = below(seed, 9)},
		{.query = 2, .status = -5},
		{.query = 3, .value = (const uint8_t *)"text", .size = 4},
	};
	struct wt_item item = {.key = {.type = WT_ITEM_OBJECT, .kind = 1, .owner = below(seed, 20)},
			       .answers = answers,
			       .answer_count = below(seed, 4)};

	put(state, &item);
}

static void change_list(struct wt_state *state, uint64_t *seed)
{
	uint64_t handles[30];
	struct wt_item item = {.key = {.type = WT_ITEM_LIST, .kind = 2, .owner = below(seed, 3)},
			       .handles = handles,
			       .handle_count = below(seed, 30),
			       .status = below(seed, 5) ? 0 : -18};

	for (size_t i = 0; i < item.handle_count; i++)
		handles[i] = next(seed) >> below(seed, 60);
	put(state, &item);
}

static void change_memory(struct wt_state *state, uint64_t *seed)
{
	struct wt_item item = {.key = {.type = below(seed, 2) ? WT_ITEM_MEMORY : WT_ITEM_PACKETS,
				       .kind = 3,
				       .owner = 1,
				       .address = below(seed, 6) << 12}};
	uint64_t numbers[2] = {below(seed, 100), next(seed)};

	item.bytes = wt_bytes_create(NULL, below(seed, 8) * 37);
	assert_non_null(item.bytes);
	for (size_t i = 0; i < item.bytes->size; i++)
		item.bytes->data[i] = (uint8_t)(below(seed, 2) * 17);
	item.numbers = numbers;
	item.number_count = 2;
	put(state, &item);
	wt_bytes_release(item.bytes);
}

static void change(struct sample *sample, struct wt_state *state, uint64_t *seed)
{
	for (uint64_t i = 1 + below(seed, 6); i; i--) {
		switch (below(seed, 6)) {
		case 0:
		case 1:
			change_registers(sample, state, seed);
			break;
		case 2:
			change_object(state, seed);
			break;
		case 3:
			change_list(state, seed);
			break;
		case 4:
			change_memory(state, seed);
			break;
		default:
			if (wt_state_count(state))
				wt_state_remove(
					state,
					&wt_state_at(state, below(seed, wt_state_count(state)))
						 ->key);
		}
	}
}

static struct wt_error *record_facts(struct sample *sample, struct wt_writer *writer,
				     uint64_t *seed)
{
	uint64_t words[50];
	struct wt_item item = {
		.key = {.type = WT_ITEM_MAP, .kind = 9, .owner = sample->fact_count++},
		.handles = words,
		.numbers = words,
		.handle_count = 50,
		.number_count = 50};
	const struct wt_item *items = &item;

	for (size_t i = 0; i < 50; i++)
		words[i] = next(seed) >> 40;
	put(sample->facts, &item);
	return wt_writer_facts(writer, &items, 1);
}

/* Items that are in @changed and not so in @state. */
static struct wt_error *record_late(struct wt_writer *writer, struct wt_state *state,
				    const struct wt_state *changed)
{
	const struct wt_item *items[64];
	size_t count = 0;

	for (size_t i = 0; i < wt_state_count(changed) && count < 64; i++) {
		const struct wt_item *item = wt_state_at(changed, i);
		const struct wt_item *old = wt_state_get(state, &item->key);

		if (!old || !wt_item_equal(old, item))
			items[count++] = item;
	}
	for (size_t i = 0; i < count; i++)
		put(state, items[i]);
	return wt_writer_late(writer, items, count);
}

static struct wt_error *record_moment(struct sample *sample, struct wt_writer *writer,
				      struct wt_state *state, uint64_t *seed)
{
	struct wt_answer answer = {.query = 7, .value = (const uint8_t *)"xy", .size = 2};
	struct wt_event events[2] = {
		{.handle = 5, .kind = 1, .answers = &answer, .answer_count = 1},
		{.handle = 6, .kind = 2}};
	struct wt_log_message log = {.level = 3, .text = "said \xff something"};
	struct wt_moment moment = {
		.process = 1,
		.cause = sample->one_stop_each || below(seed, 3) ? WT_MOMENT_STOP : WT_MOMENT_PASS,
		.call = sample->begins,
		.events = events,
		.event_count = 2,
		.stop_requested = &(uint64_t){77},
		.stop_requested_count = 1,
		.log = &log,
		.log_count = 1,
	};
	uint32_t number = sample->written;
	struct wt_error *error;

	wt_state_destroy(sample->bare[number]);
	wt_state_destroy(sample->states[number]);
	sample->bare[number] = wt_state_copy(state);
	sample->states[number] = wt_state_copy(state);
	assert_non_null(sample->bare[number]);
	assert_non_null(sample->states[number]);
	error = wt_writer_moment(writer, &moment, state);
	if (error)
		return error;
	sample->written++;
	if (moment.cause == WT_MOMENT_STOP)
		sample->stops = sample->written;
	tell(sample);
	return NULL;
}

static void set_up_tape(const struct sample *sample, struct wt_tape *tape)
{
	if (sample->chunk_target)
		tape->chunk.target = sample->chunk_target;
	if (sample->defer_min)
		tape->workers.defer_min = sample->defer_min;
	if (sample->chunk_target || sample->defer_min)
		tape->workers.lag = sample->lag;
	/* Whatever machine the test runs on. */
	tape->workers.cores = sample->cores ? sample->cores : 1;
}

/*
 * Count the tape's chunks. Behind a moment a ring may go on in a new one, which is made as the first was. What the old one had since it
 * was last seen is not counted.
 */
static void watch_tape(struct sample *sample, const struct wt_writer *writer)
{
	struct wt_tape *tape = writer->tape;

	if (tape != sample->tape) {
		set_up_tape(sample, tape);
		sample->tape = tape;
		sample->tape_deferred = sample->tape_pooled = 0;
		sample->tapes++;
	}
	sample->deferred += tape->workers.deferred - sample->tape_deferred;
	sample->pooled += tape->workers.pooled - sample->tape_pooled;
	if (sample->tapes > 1)
		sample->later_deferred += tape->workers.deferred - sample->tape_deferred;
	sample->tape_deferred = tape->workers.deferred;
	sample->tape_pooled = tape->workers.pooled;
}

static struct wt_error *record(struct sample *sample, struct wt_writer *writer,
			       struct wt_state *state)
{
	uint64_t seed = sample->seed;
	struct wt_error *error = NULL;

	while (!error && sample->written < sample->moments) {
		watch_tape(sample, writer);
		for (uint64_t calls = below(&seed, 6); calls && !error; calls--)
			error = record_call(sample, writer, &seed);
		if (!error && !below(&seed, 6))
			error = record_facts(sample, writer, &seed);
		for (unsigned int i = 0; !i || i < sample->changes; i++)
			change(sample, state, &seed);
		if (!error)
			error = record_moment(sample, writer, state, &seed);
		watch_tape(sample, writer);
		if (error || below(&seed, 3))
			continue;
		change(sample, state, &seed);
		error = record_late(writer, sample->states[sample->written - 1], state);
	}
	return error;
}

struct wt_error *sample_record(struct sample *sample, struct wt_writer *writer)
{
	struct wt_state *state = wt_state_create();
	struct wt_error *error;

	assert_non_null(state);
	wt_state_destroy(sample->facts);
	sample->facts = wt_state_create();
	sample->written = sample->stops = 0;
	sample->begins = sample->fact_count = 0;
	sample->deferred = sample->later_deferred = sample->pooled = 0;
	sample->tape = NULL;
	sample->tapes = 0;
	error = record(sample, writer, state);
	watch_tape(sample, writer);
	wt_state_destroy(state);
	return error;
}

void sample_write_file(struct sample *sample, const char *path)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	if (sample->keyframes_as_they_pay)
		options.keyframe_interval = 0;
	options.no_thread = sample->no_thread;
	sample_must(wt_writer_create(path, &options, &writer));
	sample_must(sample_record(sample, writer));
	sample_must(wt_writer_close(writer, "detached"));
}

/* Was an item so at a moment, be it before something came late? */
static bool was_so(const struct sample *sample, uint32_t number, const struct wt_item *item,
		   bool partial)
{
	const struct wt_item *wanted = wt_state_get(sample->states[number], &item->key);

	if (!wanted)
		wanted = wt_state_get(sample->facts, &item->key);
	if (wanted && wt_item_equal(item, wanted))
		return true;
	wanted = partial ? wt_state_get(sample->bare[number], &item->key) : NULL;
	return wanted && wt_item_equal(item, wanted);
}

void sample_compare_state(const struct sample *sample, uint32_t number, struct wt_state *state,
			  bool partial)
{
	uint32_t original = number + sample->first;
	size_t expected = wt_state_count(sample->facts) + wt_state_count(sample->states[original]);

	for (size_t i = 0; i < wt_state_count(state); i++)
		if (!was_so(sample, original, wt_state_at(state, i), partial))
			fail_msg("moment %u: item %zu is wrong", number, i);
	if (!partial)
		assert_int_equal(wt_state_count(state), expected);
}

/* Of a moment that is there, whatever was cut off behind it. */
static void compare_cut(const struct sample *sample, uint32_t number, struct wt_state *state,
			bool last)
{
	uint32_t original = number + sample->first;
	struct wt_state *wanted = last ? sample->bare[original] : sample->states[original];

	for (size_t i = 0; i < wt_state_count(state); i++)
		if (!was_so(sample, original, wt_state_at(state, i), last))
			fail_msg("moment %u: item %zu is wrong", number, i);
	for (size_t i = 0; i < wt_state_count(wanted); i++)
		if (!wt_state_get(state, &wt_state_at(wanted, i)->key))
			fail_msg("moment %u: item %zu is missing", number, i);
}

static void compare_extent(const struct sample *sample, struct wt_reader *reader, uint32_t number,
			   struct wt_state *state, enum sample_extent extent)
{
	if (extent == SAMPLE_CUT)
		compare_cut(sample, number, state, number + 1 == wt_reader_moment_count(reader));
	else
		sample_compare_state(sample, number, state,
				     extent == SAMPLE_SHORTER || (extent == SAMPLE_DAMAGED &&
								  wt_reader_damage(reader)));
}

uint32_t sample_compare(const struct sample *sample, struct wt_reader *reader,
			enum sample_extent extent)
{
	uint32_t count = wt_reader_moment_count(reader), given = 0;

	assert_true(count <= sample->moments - sample->first);
	for (uint32_t i = 0; i < count; i++) {
		struct wt_state *state;
		struct wt_error *error = wt_reader_state(reader, i, &state);

		if (error && extent != SAMPLE_WHOLE &&
		    (error->code == WT_ERROR_INPUT || error->code == WT_ERROR_NOT_FOUND)) {
			wt_error_destroy(error);
			continue;
		}
		sample_must(error);
		compare_extent(sample, reader, i, state, extent);
		wt_state_destroy(state);
		given++;
	}
	return given;
}

uint64_t sample_count_begins(struct wt_reader *reader, bool gaps)
{
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	uint64_t count = 0, last = 0;

	sample_must(wt_journal_open(reader, &journal));
	for (;;) {
		sample_must(wt_journal_next(journal, &record));
		if (!record)
			break;
		if (record->kind != WT_JOURNAL_BEGIN)
			continue;
		assert_true(record->begin.number == last + 1 ||
			    (gaps && record->begin.number > last));
		assert_int_equal(record->begin.input_count, 4);
		last = record->begin.number;
		count++;
	}
	wt_journal_close(journal);
	return count;
}

/* A section of a kind that nobody knows is passed over. */
static void rename_parity(uint8_t *payload, size_t size)
{
	for (size_t at = 0; at + 16 <= size && payload[at];) {
		uint64_t length = 0;

		for (size_t i = 0; i < 8; i++)
			length |= (uint64_t)payload[at + 8 + i] << 8 * i;
		if (payload[at] == WT_INDEX_PARITY)
			payload[at] = 77;
		at += 16 + (size_t)(length + (8 - length % 8) % 8);
	}
}

void sample_drop_parity(uint8_t *data, size_t size)
{
	for (size_t offset = 0; offset + WT_BLOCK_SIZE <= size; offset += WT_BLOCK_SIZE) {
		uint8_t *payload = data + offset + WT_BLOCK_SIZE;
		struct wt_block block;

		if (wt_block_decode(data + offset, &block) != WT_BLOCK_FINE ||
		    block.kind != WT_BLOCK_FINAL || block.offset != offset)
			continue;
		rename_parity(payload, (size_t)block.stored);
		block.stored_crc = wt_crc32c(0, payload, (size_t)block.stored);
		wt_block_encode(&block, data + offset);
	}
}
