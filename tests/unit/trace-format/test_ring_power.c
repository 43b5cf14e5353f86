/* SPDX-License-Identifier: MIT */
/* The power fails while a ring is recorded, also while one file takes the place of the other. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "base/cleanup.h"
#include "proof.h"
#include "ring.h"
#include "trace-format/rewrite/ring.h"

/* What was done, in order. */
struct event {
	enum { DATA, LENGTH, SYNC, CREATE, RENAME, SYNC_DIRECTORY, STOP } kind;
	unsigned int file; /* or the number of the stop */
	uint64_t offset;   /* or the length */
	size_t size;
	uint8_t *data;
};

#define EVENTS_MAX 65536u
#define FILES_MAX 64u
#define BLOCK 512u

/* A file, and what is known to be in it: stores through a mapping are found by comparing. */
struct file {
	int fd; /* keeps its inode from being used again */
	ino_t inode;
	uint8_t *content;
	uint64_t size, map_start, map_end;
};

static struct event events[EVENTS_MAX];
static struct file files[FILES_MAX];
static size_t event_count;
static unsigned int file_count;
static bool logging;

static void add_event(struct event event)
{
	assert_true(event_count < EVENTS_MAX);
	events[event_count++] = event;
}

static struct file *file_of(int fd)
{
	struct stat status;

	assert_int_equal(fstat(fd, &status), 0);
	for (unsigned int i = 0; i < file_count; i++)
		if (files[i].inode == status.st_ino)
			return &files[i];
	fail_msg("a file that was not created");
	return NULL;
}

static void set_length(struct file *file, uint64_t length)
{
	if (length > file->size) {
		file->content = realloc(file->content, length);
		assert_non_null(file->content);
		memset(file->content + file->size, 0, length - file->size);
	}
	file->size = length;
	add_event((struct event){
		.kind = LENGTH, .file = (unsigned int)(file - files), .offset = length});
}

static void add_data(struct file *file, uint64_t offset, const void *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	assert_non_null(copy);
	memcpy(copy, data, size);
	if (offset + size > file->size)
		set_length(file, offset + size);
	memcpy(file->content + offset, data, size);
	add_event((struct event){.kind = DATA,
				 .file = (unsigned int)(file - files),
				 .offset = offset,
				 .size = size,
				 .data = copy});
}

/* What was stored through mappings since the last event. */
static void find_stores(void)
{
	for (unsigned int i = 0; i < file_count; i++) {
		struct file *file = &files[i];
		uint64_t end = file->map_end < file->size ? file->map_end : file->size;
		size_t size = (size_t)(end - file->map_start);
		wt_cleanup_free uint8_t *now = NULL;

		if (end <= file->map_start)
			continue;
		now = malloc(size);
		assert_non_null(now);
		assert_int_equal(pread(file->fd, now, size, (off_t)file->map_start), size);
		for (size_t at = 0; at < size; at += BLOCK) {
			size_t part = size - at < BLOCK ? size - at : BLOCK;

			if (memcmp(now + at, file->content + file->map_start + at, part) != 0)
				add_data(file, file->map_start + at, now + at, part);
		}
	}
}

static ssize_t logged_pwrite(void *context, int fd, const void *data, size_t size, off_t offset)
{
	(void)context;
	find_stores();
	add_data(file_of(fd), (uint64_t)offset, data, size);
	return pwrite(fd, data, size, offset);
}

static int logged_fallocate(void *context, int fd, off_t offset, off_t size)
{
	(void)context;
	find_stores();
	set_length(file_of(fd), (uint64_t)(offset + size));
	return ftruncate(fd, offset + size);
}

static int logged_ftruncate(void *context, int fd, off_t size)
{
	(void)context;
	find_stores();
	set_length(file_of(fd), (uint64_t)size);
	return ftruncate(fd, size);
}

static int logged_fdatasync(void *context, int fd)
{
	(void)context;
	find_stores();
	add_event((struct event){.kind = SYNC, .file = (unsigned int)(file_of(fd) - files)});
	return 0;
}

static void *logged_map(void *context, int fd, size_t size, off_t offset)
{
	struct file *file = file_of(fd);

	find_stores();
	file->map_start = (uint64_t)offset;
	file->map_end = (uint64_t)offset + size;
	return wt_io_system.map(context, fd, size, offset);
}

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
	struct stat status;
	va_list arguments;
	mode_t mode;
	int fd;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	fd = __real_open64(path, flags, mode);
	if (fd < 0 || !logging || !(flags & O_CREAT))
		return fd;
	assert_true(file_count < FILES_MAX && !fstat(fd, &status));
	files[file_count] = (struct file){.fd = dup(fd), .inode = status.st_ino};
	/* The first one gets its name at once, the others are made beside it. */
	assert_string_equal(path, file_count ? ring_beside : ring_source);
	add_event((struct event){.kind = CREATE, .file = file_count++});
	return fd;
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
	if (logging) {
		find_stores();
		assert_string_equal(from, ring_beside);
		assert_string_equal(to, ring_source);
		add_event((struct event){.kind = RENAME, .file = file_count - 1});
	}
	return __real_rename(from, to);
}

int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	(void)fd;
	if (logging)
		add_event((struct event){.kind = SYNC_DIRECTORY});
	return 0;
}

static void log_stop(struct sample *sample)
{
	static uint32_t told;

	if (sample->stops != told)
		add_event((struct event){.kind = STOP, .file = sample->stops});
	told = sample->stops;
}

/* The file that has the name after the power failed before event @end; -1: none. */
static int named_file(size_t end, unsigned int *seed)
{
	size_t synced = 0, last;
	int file = -1;

	for (size_t i = 0; i < end; i++)
		if (events[i].kind == SYNC_DIRECTORY)
			synced = i;
	/* What was not synced of the directory is there up to any time, as from a journal. */
	last = synced + (size_t)rand_r(seed) % (end - synced + 1);
	for (size_t i = 0; i < last; i++)
		if (events[i].kind == RENAME || (events[i].kind == CREATE && !events[i].file))
			file = (int)events[i].file;
	return file;
}

/* Of what was not synced any blocks are there, and the length of any time. */
static void write_lost(const char *path, unsigned int number, size_t end, unsigned int *seed)
{
	unsigned int kept = (unsigned int)rand_r(seed) % 101;
	bool shorter = false;
	uint64_t length = 0;
	size_t synced = 0;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	for (size_t i = 0; i < end; i++)
		if (events[i].kind == SYNC && events[i].file == number)
			synced = i;
	for (size_t i = 0; i < end; i++) {
		const struct event *event = &events[i];

		if (event->file != number || event->kind > LENGTH)
			continue;
		if (event->kind == LENGTH) {
			shorter |= i > synced && !(rand_r(seed) % 4);
			if (!shorter)
				length = event->offset;
			assert_int_equal(ftruncate(fd, (off_t)length), 0);
			continue;
		}
		for (size_t at = 0, part; at < event->size && event->offset + at < length;
		     at += part) {
			part = BLOCK - (event->offset + at) % BLOCK;
			part = part < event->size - at ? part : event->size - at;
			if (i < synced || (unsigned int)rand_r(seed) % 100 < kept)
				assert_int_equal(pwrite(fd, event->data + at, part,
							(off_t)(event->offset + at)),
						 part);
		}
	}
	close(fd);
}

static void check_lost(struct sample *sample, const char *path, uint32_t told, unsigned int seed)
{
	struct wt_trace_info info;
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open(path, &reader);
	uint32_t given;

	if (error && told)
		fail_msg("seed %u: %s", seed, error->why);
	if (error) {
		wt_error_destroy(error);
		return;
	}
	wt_reader_info(reader, &info);
	sample->first = (uint32_t)info.part.stops_before;
	given = sample_compare(sample, reader, SAMPLE_SHORTER);
	if (sample->first + given < told || given < (told < RING_STOPS ? told : RING_STOPS))
		fail_msg("seed %u: %u stops were on the disk, and %u after %u are", seed, told,
			 given, sample->first);
	sample->first = 0;
	wt_reader_close(reader);
}

static void record_with_log(struct sample *sample, bool no_mapping)
{
	const struct wt_io_ops ops = {.pwrite = logged_pwrite,
				      .fallocate = logged_fallocate,
				      .ftruncate = logged_ftruncate,
				      .fdatasync = logged_fdatasync,
				      .map = logged_map};
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	options.sync_every = 1;
	options.ring_stops = RING_STOPS;
	options.turn_ring = wt_ring_turn;
	options.no_mapping = no_mapping;
	/* So that files are short: they are compared often. */
	options.max_bytes = RING_BUDGET;
	sample->progress = log_stop;
	logging = true;
	sample_must(wt_writer_create_with(ring_source, &options, &ops, &writer));
	sample_must(sample_record(sample, writer));
	sample_must(wt_writer_close(writer, "detached"));
	logging = false;
}

static void forget_log(void)
{
	for (size_t i = 0; i < event_count; i++)
		free(events[i].data);
	for (unsigned int i = 0; i < file_count; i++) {
		free(files[i].content);
		close(files[i].fd);
	}
	event_count = file_count = 0;
}

static void power_fails(bool no_mapping)
{
	struct sample sample = ring_sample();
	unsigned int rounds = proof_is_long() ? 2000 : 120;
	char path[128];

	ring_name_files();
	snprintf(path, sizeof(path), "%s", sample_path("lost.wtape"));
	record_with_log(&sample, no_mapping);
	assert_true(file_count > RING_SAMPLE_STOPS / RING_STOPS / 2);
	for (unsigned int round = 1; round <= rounds; round++) {
		unsigned int seed = round;
		size_t end = (size_t)rand_r(&seed) % (event_count + 1);
		uint32_t told = 0;
		int file;

		for (size_t i = 0; i < end; i++)
			told = events[i].kind == STOP ? events[i].file : told;
		file = named_file(end, &seed);
		unlink(path);
		if (file >= 0)
			write_lost(path, (unsigned int)file, end, &seed);
		check_lost(&sample, path, told, round);
	}
	forget_log();
	sample_deinit(&sample);
	proof_say("the power fails while a ring is recorded%s: %u times, in %u stops (seeds 1 to "
		  "%u), no stop "
		  "that was on the disk is lost",
		  no_mapping ? " with system calls" : " through a mapping", rounds,
		  RING_SAMPLE_STOPS, rounds);
}

static void power_fails_with_a_mapping(void **state)
{
	(void)state;
	power_fails(false);
}

static void power_fails_without_a_mapping(void **state)
{
	(void)state;
	power_fails(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(power_fails_with_a_mapping),
		cmocka_unit_test(power_fails_without_a_mapping),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
