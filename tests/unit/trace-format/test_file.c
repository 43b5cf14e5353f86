/* SPDX-License-Identifier: MIT */
/* The mapped part of a file that is being written. */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "base/error.h"
#include "base/newer-names.h"
#include "trace-format/container/tape-file.h"
#include "trace-format/container/tape-tail.h"
#include "trace-format/container/tape.h"

#include "sample.h"

#define PAGES 64u
/* Who syncs another file may write out ours as well, and each page that was written takes a fault more. That is rare. */
#define TRIES 10

/* A file of so many pages, mapped. */
struct mapped {
	struct wt_file file;
	size_t page, size;
	volatile uint8_t *map;
};

static void make(struct mapped *mapped, const char *name)
{
	mapped->page = (size_t)sysconf(_SC_PAGESIZE);
	mapped->size = PAGES * mapped->page;
	assert_null(wt_file_create(sample_path(name), &wt_io_system, &mapped->file));
	assert_null(wt_file_reserve(&mapped->file, 0, mapped->size));
	mapped->map = wt_file_map(&mapped->file, 0, mapped->size);
	if (mapped->map)
		return;
	wt_file_close(&mapped->file);
	print_message("files are not mapped on this file system\n");
	skip();
}

static void done(struct mapped *mapped)
{
	munmap((uint8_t *)mapped->map, mapped->size);
	wt_file_close(&mapped->file);
}

/*
 * How many page faults it takes to store something into each page from @first up to @end. AddressSanitizer would look
 * into its own memory before each store, which takes more.
 */
__attribute__((no_sanitize_address)) static long store(const struct mapped *mapped, size_t first,
						       size_t end)
{
	struct rusage before, after;

	getrusage(RUSAGE_THREAD, &before);
	for (size_t page = first; page < end; page++)
		mapped->map[page * mapped->page] = 1;
	getrusage(RUSAGE_THREAD, &after);
	return after.ru_minflt + after.ru_majflt - before.ru_minflt - before.ru_majflt;
}

/* Is the kernel one that can? */
static void need_kernel(const struct mapped *mapped)
{
	if (!madvise((uint8_t *)mapped->map, mapped->page, MADV_POPULATE_WRITE))
		return;
	print_message("this kernel does not make pages ready\n");
	skip();
}

static long store_into_ready_pages(void)
{
	struct mapped mapped;
	long faults;

	make(&mapped, "ready.wtape");
	need_kernel(&mapped);
	store(&mapped, 0, 1);
	/* From within page 8 up to the start of page 40. */
	wt_file_make_ready((uint8_t *)mapped.map, 9 * mapped.page - 1, 40 * mapped.page);
	faults = store(&mapped, 8, 40);
	/* What was not asked for was left alone. */
	assert_true(store(&mapped, 40, PAGES) > 0);
	assert_true(store(&mapped, 1, 8) > 0);
	done(&mapped);
	return faults;
}

static void pages_made_ready_cost_a_store_no_fault(void **state)
{
	int tries = 0;

	(void)state;
	while (store_into_ready_pages())
		assert_true(++tries < TRIES);
}

/* It must do no harm where it cannot be done: for pages that somebody has cut off a store would be SIGBUS. */
static void what_cannot_be_made_ready_is_left(void **state)
{
	struct mapped mapped;

	(void)state;
	make(&mapped, "unready.wtape");
	assert_int_equal(ftruncate(mapped.file.fd, (off_t)mapped.page), 0);
	wt_file_make_ready((uint8_t *)mapped.map, 0, mapped.size);
	wt_file_make_ready((uint8_t *)mapped.map, 2 * mapped.page, 2 * mapped.page);
	mapped.map[0] = 1;
	assert_int_equal(mapped.map[0], 1);
	done(&mapped);
}

/* ---- The writer ---- */

static void add(struct wt_tape *tape)
{
	static uint8_t packet[1000];

	assert_non_null(wt_tape_begin(tape, WT_PACKET_NOTICE));
	wt_buffer_append(&tape->chunk.raw, packet, sizeof(packet));
	assert_null(wt_tape_end(tape, 0));
}

static void fill(struct wt_tape *tape)
{
	add(tape);
	assert_null(wt_tape_flush(tape));
}

/* One that has two slots. A chunk that is on its way stays so until it is destroyed. */
static struct wt_tape *start_tape(struct mapped *mapped)
{
	static const uint8_t id[16] = {1};
	struct wt_tape *tape;

	make(mapped, "probe.wtape");
	need_kernel(mapped);
	done(mapped);
	assert_null(wt_file_create(sample_path("chunks.wtape"), &wt_io_system, &mapped->file));
	assert_null(wt_tape_create(&mapped->file, id, 1, 0, true, &tape));
	tape->workers.lag = 1000000;
	while (!tape->tail.second)
		fill(tape);
	return tape;
}

/* How many page faults it takes to store into the part behind the stage, and into that slot which it is not in. */
static void store_next(struct mapped *mapped, struct wt_tape *tape, long *behind_ret,
		       long *other_ret)
{
	size_t pages = WT_CHUNK_TARGET / mapped->page, first, other;

	assert_non_null(tape->workers.deferral);
	wt_worker_wait(&tape->workers.thread);
	assert_non_null(tape->mapping.data);
	mapped->map = tape->mapping.data;
	first = (tape->stage.start + tape->stage.used - tape->mapping.offset) / mapped->page;
	other = (wt_tape_other_slot(tape) - tape->mapping.offset) / mapped->page;
	*behind_ret = store(mapped, first, first + pages);
	*other_ret = store(mapped, other, other + pages);
	wt_tape_destroy(tape);
}

static long store_behind_full_chunk(void)
{
	struct mapped mapped;
	struct wt_tape *tape = start_tape(&mapped);
	long behind, other;

	while (!tape->workers.deferral)
		fill(tape);
	store_next(&mapped, tape, &behind, &other);
	return behind + other;
}

/* While a chunk is compressed, so that whoever records does not wait for the file system at each page. */
static void a_chunk_on_its_way_makes_the_next_pages_ready(void **state)
{
	int tries = 0;

	(void)state;
	while (store_behind_full_chunk())
		assert_true(++tries < TRIES);
}

/* Of a stop that is synced not megabytes of empty pages are to be written. */
static void a_small_chunk_makes_none_ready(void **state)
{
	struct mapped mapped;
	struct wt_tape *tape = start_tape(&mapped);
	long behind, other;

	(void)state;
	for (int i = 0; i < 50; i++)
		fill(tape);
	assert_null(wt_tape_close_later(tape));
	store_next(&mapped, tape, &behind, &other);
	assert_true(behind > 100);
	assert_true(other > 100);
}

/* A child has the chunks of a stop and none of the threads that compress them: it must not wait for these. */
static void a_child_releases_a_pool_without_its_threads(void **state)
{
	struct mapped mapped;
	struct wt_tape *tape = start_tape(&mapped);
	int status;
	pid_t child;

	(void)state;
	tape->workers.cores = 3;
	assert_null(wt_tape_close_chunk(tape, false));
	wt_tape_begin_bulk(tape);
	while (!wt_tape_pool_is_used(tape))
		add(tape);
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		alarm(20);
		wt_tape_destroy(tape);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	wt_tape_destroy(tape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_made_ready_cost_a_store_no_fault),
		cmocka_unit_test(what_cannot_be_made_ready_is_left),
		cmocka_unit_test(a_chunk_on_its_way_makes_the_next_pages_ready),
		cmocka_unit_test(a_small_chunk_makes_none_ready),
		cmocka_unit_test(a_child_releases_a_pool_without_its_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
