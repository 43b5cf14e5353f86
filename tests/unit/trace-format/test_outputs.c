/* SPDX-License-Identifier: MIT */
/* Where traces are written: what is replaced or refused there, whose a file is, and how a trace comes there from memory. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "sample.h"

static void other_traces_have_ids_of_their_own(void **state)
{
	struct wt_writer_options options = sample_options();
	struct wt_trace_info infos[2];
	struct wt_reader *reader;
	struct wt_writer *writer;

	(void)state;
	options.reproducible = false;
	for (size_t i = 0; i < 2; i++) {
		sample_must(wt_writer_create(sample_path("id.wtape"), &options, &writer));
		sample_must(wt_writer_close(writer, "detached"));
		sample_must(wt_reader_open(sample_path("id.wtape"), &reader));
		wt_reader_info(reader, &infos[i]);
		wt_reader_close(reader);
	}
	assert_memory_not_equal(infos[0].file_id, infos[1].file_id, 16);
}

/* What is in the way is replaced, and whoever has it open keeps it. */
static void an_old_file_is_replaced(void **state)
{
	struct sample sample = {.seed = 1, .moments = 2, .register_bytes = 20};
	struct wt_reader *reader;
	const char *path = sample_path("old.wtape");

	(void)state;
	sample_write_file(&sample, path);
	sample_must(wt_reader_open(path, &reader));
	sample.seed = 2;
	sample.moments = 9;
	sample_write_file(&sample, path);
	assert_int_equal(wt_reader_moment_count(reader), 2);
	wt_reader_close(reader);
	sample_must(wt_reader_open(path, &reader));
	assert_int_equal(wt_reader_moment_count(reader), 9);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

static void a_link_is_not_followed(void **state)
{
	struct wt_writer_options options = sample_options();
	char target[128], link_path[128];
	struct wt_writer *writer;
	uint8_t *content;
	size_t size;

	(void)state;
	snprintf(target, sizeof(target), "%s", sample_path("target"));
	snprintf(link_path, sizeof(link_path), "%s", sample_path("link.wtape"));
	sample_save(target, "precious", 8);
	assert_int_equal(symlink(target, link_path), 0);
	sample_must(wt_writer_create(link_path, &options, &writer));
	sample_must(wt_writer_close(writer, "detached"));
	content = sample_read(target, &size);
	assert_int_equal(size, 8);
	assert_memory_equal(content, "precious", 8);
	free(content);
}

static void expect_no_writer(const char *path)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer = NULL;
	struct wt_error *error = wt_writer_create(path, &options, &writer);

	assert_non_null(error);
	assert_null(writer);
	assert_int_equal(error->code, WT_ERROR_IO);
	assert_string_equal(error->where, path);
	assert_true(strlen(error->why) > 5);
	wt_error_destroy(error);
}

static void unwritable_outputs_are_errors(void **state)
{
	char pipe_path[128];

	(void)state;
	expect_no_writer(sample_path("no/such/directory.wtape"));
	expect_no_writer("/dev/full");
	expect_no_writer("/");
	expect_no_writer("/proc/trace.wtape");
	expect_no_writer("");
	snprintf(pipe_path, sizeof(pipe_path), "%s", sample_path("pipe"));
	assert_int_equal(mkfifo(pipe_path, 0600), 0);
	expect_no_writer(pipe_path);
}

static void expect_no_reader(const char *path, enum wt_error_code code)
{
	struct wt_reader *reader = NULL;
	struct wt_error *error = wt_reader_open(path, &reader);

	assert_non_null(error);
	assert_null(reader);
	assert_int_equal(error->code, code);
	assert_string_equal(error->where, path);
	wt_error_destroy(error);
}

static void what_is_no_trace_is_refused(void **state)
{
	uint8_t noise[100000];

	(void)state;
	memset(noise, 0x57, sizeof(noise));
	sample_save(sample_path("noise"), noise, sizeof(noise));
	expect_no_reader(sample_path("noise"), WT_ERROR_INPUT);
	sample_save(sample_path("noise"), noise, 5);
	expect_no_reader(sample_path("noise"), WT_ERROR_INPUT);
	sample_save(sample_path("noise"), noise, 0);
	expect_no_reader(sample_path("noise"), WT_ERROR_INPUT);
	expect_no_reader(sample_path("missing"), WT_ERROR_IO);
	expect_no_reader("/tmp", WT_ERROR_INPUT);
	expect_no_reader("/dev/zero", WT_ERROR_INPUT);
}

static void descriptors_are_not_inherited(void **state)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;
	struct rlimit limit;

	(void)state;
	sample_must(wt_writer_create(sample_path("exec.wtape"), &options, &writer));
	assert_true(fcntl(writer->tape->file.fd, F_GETFD) & FD_CLOEXEC);
	/* Out of the way of programs that close what they take for their own, where that is allowed. */
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	if (limit.rlim_cur > 512)
		assert_true(writer->tape->file.fd >= 512);
	wt_writer_abandon(writer);
}

/* Begun in memory and moved to a file, at any point: the same trace, and no file before. */
static void moved(uint32_t before)
{
	struct sample sample = {.seed = 31, .moments = before, .register_bytes = 3000};
	struct wt_writer_options options = sample_options();
	const char *path;
	struct wt_writer *writer;
	struct wt_reader *reader;
	uint32_t all = 40;

	options.in_memory = true;
	sample_must(wt_writer_create("(memory)", &options, &writer));
	sample_must(sample_record(&sample, writer));
	path = sample_path("moved.wtape");
	unlink(path);
	sample_must(wt_writer_move(writer, path));
	for (uint32_t i = before; i < all; i++)
		sample_must(wt_writer_notice(writer, WT_NOTICE_CONTEXT, 0, "moved"));
	sample_must(wt_writer_close(writer, "process exit"));
	path = sample_path("moved.wtape");
	assert_true(sample_is_zstd(path));
	sample_must(wt_reader_open(path, &reader));
	assert_null(wt_reader_damage(reader));
	assert_int_equal(sample_compare(&sample, reader, SAMPLE_WHOLE), before);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

static void a_trace_moves_from_memory_to_a_file(void **state)
{
	(void)state;
	moved(0);
	moved(1);
	moved(40);
	moved(150);
}

static void a_trace_that_cannot_move_stays(void **state)
{
	struct sample sample = {.seed = 32, .moments = 5, .register_bytes = 300};
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;
	struct wt_reader *reader;
	struct wt_error *error;

	(void)state;
	options.in_memory = true;
	sample_must(wt_writer_create("(memory)", &options, &writer));
	error = wt_writer_move(writer, "/proc/none/trace.wtape");
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_IO);
	assert_string_equal(error->where, "/proc/none/trace.wtape");
	wt_error_destroy(error);
	sample_must(sample_record(&sample, writer));
	sample_must(wt_writer_move(writer, sample_path("stays.wtape")));
	sample_must(wt_writer_close(writer, "process exit"));
	sample_must(wt_reader_open(sample_path("stays.wtape"), &reader));
	assert_int_equal(sample_compare(&sample, reader, SAMPLE_WHOLE), 5);
	wt_reader_close(reader);
	sample_deinit(&sample);
	options.ring_stops = 2;
	error = wt_writer_create("(memory)", &options, &writer);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_USAGE);
	wt_error_destroy(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_traces_have_ids_of_their_own),
		cmocka_unit_test(an_old_file_is_replaced),
		cmocka_unit_test(a_link_is_not_followed),
		cmocka_unit_test(unwritable_outputs_are_errors),
		cmocka_unit_test(what_is_no_trace_is_refused),
		cmocka_unit_test(descriptors_are_not_inherited),
		cmocka_unit_test(a_trace_moves_from_memory_to_a_file),
		cmocka_unit_test(a_trace_that_cannot_move_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
