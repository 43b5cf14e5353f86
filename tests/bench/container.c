/* SPDX-License-Identifier: MIT */
/*
 * Measures the container apart from the rest; tests/bench/run makes ratios of it.
 *
 * Usage: container grow TRACE MEGABYTES   make a trace of about so many bytes that do not compress
 *        container open TRACE             nanoseconds to open it, and to reach any stop, as JSON
 *        container stops TRACE            the states of a trace written again in several ways, as JSON
 *        container compress TRACE         its calls, and processor time in ns to compress its chunks once more, as JSON
 *        container cores TRACE WAVES      a stop of so many waves written with one core and with two: nanoseconds that
 *                                         the program waits, bytes of registers, as JSON
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/compare.h"
#include "tests/bench/session.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/reader.h"
#include "trace-format/rewrite/extract.h"
#include "trace-format/writer/internal.h"

#define OPENINGS 21
#define SEEKS 200
#define ROUNDS 5

static void require(struct wt_error *error)
{
	if (error)
		die("%s: %s: %s", error->what, error->where, error->why);
}

static uint64_t median(uint64_t *values, size_t count)
{
	qsort(values, count, sizeof(*values), wt_compare_u64);
	return values[count / 2];
}

static uint64_t next(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* ---- A large trace ---- */

#define GROW_WAVES 16u
#define GROW_BYTES ((size_t)64 << 10) /* of registers in a wave */
#define GROW_CALLS 50u		      /* between two stops */

static void grow_state(struct wt_state *state, uint64_t *seed)
{
	for (uint64_t wave = 1; wave <= GROW_WAVES; wave++) {
		struct wt_bytes *bytes = wt_bytes_create(NULL, GROW_BYTES);
		struct wt_item item = {.key = {.type = WT_ITEM_REGISTERS, .owner = wave},
				       .bytes = bytes};

		if (!bytes)
			die("no memory");
		for (size_t i = 0; i < GROW_BYTES; i += sizeof(*seed)) {
			uint64_t word = next(seed);

			memcpy(bytes->data + i, &word, sizeof(word));
		}
		require(wt_state_set(state, &item));
		wt_bytes_release(bytes);
	}
}

static void grow_calls(struct wt_writer *writer, uint64_t *calls)
{
	const struct wt_value value = {.form = WT_VALUE_NUMBER, .number = *calls};

	for (unsigned int i = 0; i < GROW_CALLS; i++) {
		const struct wt_call_begin begin = {.number = ++*calls,
						    .function = wt_writer_name(writer, "call"),
						    .thread = 1,
						    .inputs = &value,
						    .input_count = 1};
		const struct wt_call_end end = {
			.number = *calls, .outputs = &value, .output_count = 1};

		require(wt_writer_call_begin(writer, &begin));
		require(wt_writer_call_end(writer, &end));
	}
}

static void grow(const char *path, const char *size_text)
{
	uint64_t size = strtoull(size_text, NULL, 10) * 1000000, seed = 88172645463325252u;
	const struct wt_writer_options options = {.size = sizeof(options), .recorder = "bench"};
	uint64_t calls = 0, stored, raw;
	struct wt_writer *writer;

	require(wt_writer_create(path, &options, &writer));
	do {
		struct wt_moment moment = {.cause = WT_MOMENT_STOP, .call = calls};
		struct wt_state *state = wt_state_create();

		if (!state)
			die("no memory");
		grow_calls(writer, &calls);
		grow_state(state, &seed);
		require(wt_writer_moment(writer, &moment, state));
		wt_state_destroy(state);
		wt_writer_sizes(writer, &stored, &raw);
	} while (stored < size);
	require(wt_writer_close(writer, "detached"));
}

/* ---- Opening it, and going anywhere ---- */

static long resident_kilobytes(void)
{
	long pages = 0, ignored;
	FILE *file = fopen("/proc/self/statm", "re");

	if (!file || fscanf(file, "%ld %ld", &ignored, &pages) != 2)
		die("cannot read /proc/self/statm");
	fclose(file);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void measure_open(const char *path)
{
	/* With caches that hold little of any of these files, so that they are alike. */
	const struct wt_reader_options options = {.size = sizeof(options), .small_caches = true};
	uint64_t times[OPENINGS], seeks[SEEKS], seed = 88172645463325252u;
	struct wt_trace_info info;
	struct wt_reader *reader;
	long memory;
	uint32_t count;

	for (size_t i = 0; i < OPENINGS; i++) {
		uint64_t before = nanoseconds();

		require(wt_reader_open_with(path, &options, &reader));
		times[i] = nanoseconds() - before;
		if (i + 1 < OPENINGS)
			wt_reader_close(reader);
	}
	memory = resident_kilobytes();
	wt_reader_info(reader, &info);
	count = wt_reader_moment_count(reader);
	for (size_t i = 0; i < SEEKS; i++) {
		uint64_t before = nanoseconds();
		struct wt_state *state;

		require(wt_reader_state(reader, (uint32_t)(next(&seed) % count), &state));
		seeks[i] = nanoseconds() - before;
		wt_state_destroy(state);
	}
	printf("{\"bytes\": %" PRIu64 ", \"moments\": %" PRIu32 ", \"open\": %" PRIu64
	       ", \"heads\": %" PRIu64 ", \"seek\": %" PRIu64
	       ", \"open_kb\": %ld, \"seek_kb\": %ld}\n",
	       info.file_size, count, median(times, OPENINGS), reader->places.heads_read,
	       median(seeks, SEEKS), memory, resident_kilobytes());
	wt_reader_close(reader);
}

/* ---- The states of a recording, in several forms ---- */

struct stop {
	struct wt_moment moment;
	struct wt_state *state; /* without facts */
};

struct recording {
	struct wt_reader *reader;
	struct stop *stops;
	size_t count;
	uint8_t *dump; /* the states of all stops, one after the other */
	size_t *sizes; /* of each in it */
	size_t dump_size;
};

static void add_to_dump(struct wt_buffer *dump, const struct wt_state *state)
{
	for (size_t i = 0; i < wt_state_count(state); i++) {
		const struct wt_item *item = wt_state_at(state, i);

		for (size_t j = 0; j < item->answer_count; j++)
			wt_buffer_append(dump, item->answers[j].value, item->answers[j].size);
		wt_buffer_append(dump, item->handles, item->handle_count * sizeof(*item->handles));
		wt_buffer_append(dump, item->numbers, item->number_count * sizeof(*item->numbers));
		if (item->bytes)
			wt_buffer_append(dump, item->bytes->data, item->bytes->size);
	}
}

static struct recording load(const char *path)
{
	struct recording recording = {0};
	struct wt_buffer dump = {0};
	uint32_t count;

	require(wt_reader_open(path, &recording.reader));
	count = wt_reader_moment_count(recording.reader);
	recording.stops = calloc(count, sizeof(*recording.stops));
	recording.sizes = calloc(count, sizeof(*recording.sizes));
	if (!recording.stops || !recording.sizes)
		die("no memory");
	for (uint32_t i = 0; i < count; i++) {
		struct stop *stop = &recording.stops[recording.count];
		const struct wt_moment *moment;
		struct wt_state *state;

		require(wt_reader_moment(recording.reader, i, &moment));
		if (moment->cause != WT_MOMENT_STOP)
			continue;
		require(wt_reader_state(recording.reader, i, &state));
		wt_state_destroy(state);
		stop->moment = *moment;
		stop->state = wt_state_copy(recording.reader->states.last);
		if (!stop->state)
			die("no memory");
		recording.sizes[recording.count] = dump.size;
		add_to_dump(&dump, stop->state);
		recording.sizes[recording.count] = dump.size - recording.sizes[recording.count];
		recording.count++;
	}
	if (dump.failed)
		die("no memory");
	recording.dump = dump.data;
	recording.dump_size = dump.size;
	return recording;
}

#define AS_IT_PAYS UINT32_MAX

struct form {
	const char *name;
	int level;
	uint32_t keyframes; /* interval; 0: full dumps, compressed one by one */
	bool words;	    /* encoded, for what they are */
};

/* What was tried. The first is what others do, the last what the writer does by default. */
static const struct form forms[] = {
	{"full dumps", 1, 0, false},
	{"full dumps", 3, 0, false},
	{"full dumps", 19, 0, false},
	{"every stop a keyframe", 1, 1, false},
	{"every stop a keyframe, words", 1, 1, true},
	{"deltas", 1, 16, false},
	{"deltas, words", 1, 4, true},
	{"deltas, words", 1, 16, true},
	{"deltas, words", 1, 64, true},
	{"deltas, words", 3, 16, true},
	{"deltas, words", 3, 64, true},
	{"deltas, words", 1, AS_IT_PAYS, true},
};

static uint64_t write_dumps(const struct recording *recording, const struct form *form,
			    uint64_t *size_ret)
{
	size_t bound = ZSTD_compressBound(recording->dump_size);
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	uint8_t *room = malloc(bound + 1), *from = recording->dump;
	uint64_t before = nanoseconds(), after, size = 0;

	if (!zstd || !room)
		die("no memory");
	for (size_t i = 0; i < recording->count; i++) {
		size_t stored = ZSTD_compressCCtx(zstd, room, bound, from, recording->sizes[i],
						  form->level);

		if (ZSTD_isError(stored))
			die("compression failed");
		from += recording->sizes[i];
		size += stored;
	}
	after = nanoseconds();
	ZSTD_freeCCtx(zstd);
	free(room);
	*size_ret = size;
	return after - before;
}

static uint64_t write_trace(const struct recording *recording, const struct form *form,
			    const char *path, uint64_t *size_ret)
{
	const struct wt_writer_options options = {
		.size = sizeof(options),
		.recorder = "bench",
		.compression = form->level,
		.keyframe_interval = form->keyframes == AS_IT_PAYS ? 0 : form->keyframes};
	struct wt_rebuild rebuild = {.reader = recording->reader};
	uint64_t before, raw, empty;
	struct stat status;

	require(wt_writer_create(path, &options, &rebuild.writer));
	rebuild.writer->no_words = !form->words;
	require(wt_rebuild_names(&rebuild));
	require(wt_tape_close_chunk(rebuild.writer->tape, false));
	wt_writer_sizes(rebuild.writer, &empty, &raw);
	before = nanoseconds();
	for (size_t i = 0; i < recording->count; i++)
		require(wt_writer_moment(rebuild.writer, &recording->stops[i].moment,
					 recording->stops[i].state));
	require(wt_writer_close(rebuild.writer, "detached"));
	before = nanoseconds() - before;
	if (stat(path, &status))
		die("cannot look at %s", path);
	*size_ret = (uint64_t)status.st_size;
	return before;
}

/* What of the time for the default form, or of a recording, goes into compression: its chunks, once more. */
static uint64_t compress_again(const char *path, uint64_t (*clock)(void))
{
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	struct wt_reader *reader;
	uint64_t time = 0;

	if (!zstd)
		die("no memory");
	require(wt_reader_open(path, &reader));
	for (size_t i = 0; i < reader->places.count; i++) {
		struct wt_chunk *chunk;
		uint64_t before;
		size_t bound;
		uint8_t *room;

		require(wt_reader_load(reader, i, &chunk));
		bound = ZSTD_compressBound(chunk->size);
		room = calloc(1, bound);
		if (!room)
			die("no memory");
		memset(room, 1, bound);
		before = clock();
		if (ZSTD_isError(ZSTD_compressCCtx(zstd, room, bound, chunk->raw, chunk->size, 1)))
			die("compression failed");
		time += clock() - before;
		free(room);
		wt_chunk_release(chunk);
	}
	wt_reader_close(reader);
	ZSTD_freeCCtx(zstd);
	return time;
}

static void measure_compression(const char *path)
{
	uint64_t times[ROUNDS];
	struct wt_trace_info info;
	struct wt_reader *reader;

	for (size_t round = 0; round < ROUNDS; round++)
		times[round] = compress_again(path, cpu_nanoseconds);
	require(wt_reader_open(path, &reader));
	wt_reader_info(reader, &info);
	printf("{\"calls\": %" PRIu64 ", \"chunks\": %zu, \"ns\": %" PRIu64 "}\n", info.calls,
	       reader->places.count, median(times, ROUNDS));
	wt_reader_close(reader);
}

static void measure_stops(const char *path)
{
	struct recording recording = load(path);
	char *beside = NULL;
	uint64_t last = 1;

	if (asprintf(&beside, "%s.again", path) < 0)
		die("no memory");
	printf("{\"stops\": %zu, \"raw\": %zu, \"forms\": [", recording.count, recording.dump_size);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		uint64_t times[ROUNDS], size = 0;

		for (size_t round = 0; round < ROUNDS; round++)
			times[round] = forms[i].keyframes
					       ? write_trace(&recording, &forms[i], beside, &size)
					       : write_dumps(&recording, &forms[i], &size);
		last = median(times, ROUNDS);
		printf("%s{\"name\": \"%s\", \"level\": %d, \"keyframes\": %" PRIu32
		       ", \"bytes\": %" PRIu64 ", \"ns\": %" PRIu64 "}",
		       i ? ", " : "", forms[i].name, forms[i].level, forms[i].keyframes, size,
		       last);
	}
	printf("], \"compression\": %.3f}\n",
	       (double)compress_again(beside, nanoseconds) / (double)last);
	unlink(beside);
	free(beside);
	for (size_t i = 0; i < recording.count; i++)
		wt_state_destroy(recording.stops[i].state);
	free(recording.stops);
	free(recording.sizes);
	free(recording.dump);
	wt_reader_close(recording.reader);
}

/* ---- A stop of a whole GPU, by one core and by two ---- */

#define WAVE_WORDS ((size_t)256 * 64) /* 256 vector registers of 64 lanes */

/* Numbers as a simulation has them: of like magnitude, without regularity below that. */
static void fill_floats(uint8_t *data, uint64_t *seed)
{
	for (size_t i = 0; i < WAVE_WORDS; i++) {
		float number = 1.0f + (float)(next(seed) >> 40) / (float)(1 << 20);

		memcpy(data + i * sizeof(number), &number, sizeof(number));
	}
}

static struct wt_state *make_gpu(uint64_t waves)
{
	struct wt_state *state = wt_state_create();
	uint64_t seed = 88172645463325252u;

	if (!state)
		die("no memory");
	for (uint64_t wave = 1; wave <= waves; wave++) {
		struct wt_bytes *bytes = wt_bytes_create(NULL, WAVE_WORDS * sizeof(float));
		struct wt_item item = {.key = {.type = WT_ITEM_REGISTERS, .owner = wave},
				       .bytes = bytes};

		if (!bytes)
			die("no memory");
		fill_floats(bytes->data, &seed);
		require(wt_state_set(state, &item));
		wt_bytes_release(bytes);
	}
	return state;
}

/* @threads: that compress. */
static uint64_t write_gpu(const struct wt_state *state, const char *path, unsigned int threads)
{
	const struct wt_writer_options options = {
		.size = sizeof(options), .recorder = "bench", .no_thread = !threads};
	const struct wt_moment moment = {.cause = WT_MOMENT_STOP};
	struct wt_writer *writer;
	uint64_t before, time;

	require(wt_writer_create(path, &options, &writer));
	writer->tape->workers.cores = threads;
	before = nanoseconds();
	require(wt_writer_moment(writer, &moment, state));
	time = nanoseconds() - before;
	require(wt_writer_close(writer, "detached"));
	return time;
}

static void measure_cores(const char *path, const char *waves)
{
	struct wt_state *state = make_gpu(strtoull(waves, NULL, 10));
	uint64_t none[ROUNDS], one[ROUNDS], two[ROUNDS];

	for (size_t round = 0; round < ROUNDS; round++) {
		none[round] = write_gpu(state, path, 0);
		one[round] = write_gpu(state, path, 1);
		two[round] = write_gpu(state, path, 2);
	}
	printf("{\"bytes\": %zu, \"none\": %" PRIu64 ", \"one\": %" PRIu64 ", \"two\": %" PRIu64
	       "}\n",
	       wt_state_count(state) * WAVE_WORDS * sizeof(float), median(none, ROUNDS),
	       median(one, ROUNDS), median(two, ROUNDS));
	wt_state_destroy(state);
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "grow"))
		grow(argv[2], argv[3]);
	else if (argc == 3 && !strcmp(argv[1], "open"))
		measure_open(argv[2]);
	else if (argc == 3 && !strcmp(argv[1], "stops"))
		measure_stops(argv[2]);
	else if (argc == 3 && !strcmp(argv[1], "compress"))
		measure_compression(argv[2]);
	else if (argc == 4 && !strcmp(argv[1], "cores"))
		measure_cores(argv[2], argv[3]);
	else
		die("usage: container grow TRACE MEGABYTES | open TRACE | stops TRACE | compress "
		    "TRACE | cores TRACE WAVES");
	return 0;
}
