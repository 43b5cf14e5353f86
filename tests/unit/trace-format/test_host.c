/* SPDX-License-Identifier: MIT */
/* Facts of the host: each field that is written comes back as it was, from a trace that was closed and from one that was not. */
#include "sample.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "trace-format/state/host-facts.h"

#define ELEMENTS 2u /* of each list */

static uint64_t last;

/* No two fields have the same value. */
static uint64_t next_number(void)
{
	return UINT64_C(0x123456789) * ++last;
}

static char *next_text(void)
{
	char text[32];

	snprintf(text, sizeof(text), "text %" PRIu64, ++last);
	return strdup(text);
}

static void frames_fill(struct wt_host_frame **frames, size_t *count)
{
	*frames = calloc(ELEMENTS, sizeof(**frames));
	*count = ELEMENTS;
	for (size_t i = 0; i < ELEMENTS; i++)
		(*frames)[i] = (struct wt_host_frame){
			.address = next_number(),
			.symbol_offset = next_number(),
			.symbol = next_text(),
			.path = next_text(),
			.file = next_text(),
			.line = (uint32_t)++last,
		};
}

static void allocation_fill(struct wt_host_allocation *allocation)
{
	struct wt_host_allocating *calls[] = {&allocation->made, &allocation->freed};

	allocation->address = next_number();
	allocation->size = next_number();
	allocation->host_address = next_number();
	allocation->kind = (uint32_t)++last % WT_ALLOCATION_KINDS;
	allocation->closed = last % 2;
	allocation->agent = next_text();
	for (size_t i = 0; i < 2; i++) {
		calls[i]->function = next_text();
		calls[i]->time = -(int64_t)next_number();
		calls[i]->thread = next_number();
		/* A stack that there is. */
		calls[i]->stack = 1 + (uint32_t)i;
	}
}

static void program_fill(struct wt_host *host)
{
	for (size_t i = 0; i < ELEMENTS; i++) {
		struct wt_host_map *map = WT_HOST_ADD(host, maps);
		struct wt_host_thread *thread = WT_HOST_ADD(host, threads);
		struct wt_host_stack *stack = WT_HOST_ADD(host, stacks);

		map->start = next_number();
		map->end = map->start + ++last;
		map->offset = next_number();
		memcpy(map->access, i ? "rwxp" : "r--s", 5);
		map->path = next_text();
		map->build_id_size = 20 + i;
		for (size_t at = 0; at < map->build_id_size; at++)
			map->build_id[at] = (uint8_t)(++last);
		thread->id = next_number();
		thread->name = next_text();
		thread->state = next_text();
		thread->waiting = next_text();
		frames_fill(&thread->frames, &thread->frame_count);
		frames_fill(&stack->frames, &stack->frame_count);
		allocation_fill(WT_HOST_ADD(host, allocations));
		*WT_HOST_ADD(host, command_line) = next_text();
		*WT_HOST_ADD(host, missing) = next_text();
	}
}

static void machine_fill(struct wt_host *host)
{
	for (size_t i = 0; i < ELEMENTS; i++) {
		*WT_HOST_ADD(host, versions) =
			(struct wt_host_version){.of = next_text(), .text = next_text()};
		/* One whose value was left out. */
		*WT_HOST_ADD(host, environment) = (struct wt_host_variable){
			.name = next_text(), .value = i ? NULL : next_text()};
		*WT_HOST_ADD(host, device_faults) = (struct wt_host_device_fault){
			.gpu_id = (uint32_t)++last, .address = next_number()};
		*WT_HOST_ADD(host, kernel_lines) = (struct wt_host_kernel_line){
			.time = -(int64_t)next_number(), .text = next_text()};
		*WT_HOST_ADD(host, device_dumps) = next_text();
	}
	host->queue_error = calloc(1, sizeof(*host->queue_error));
	*host->queue_error = (struct wt_host_queue_error){.ring_address = next_number(),
							  .status = -(int64_t)next_number(),
							  .text = next_text()};
}

static struct wt_host *make_host(bool known, bool closed)
{
	struct wt_host *host = wt_host_create();

	assert_non_null(host);
	host->process_id = next_number();
	host->time = next_number();
	host->executable = next_text();
	host->allocations_known = known;
	host->memory_closed = closed;
	program_fill(host);
	machine_fill(host);
	return host;
}

static void assert_frames(const struct wt_host_frame *a, size_t a_count,
			  const struct wt_host_frame *b, size_t b_count)
{
	assert_int_equal(a_count, b_count);
	for (size_t i = 0; i < a_count; i++) {
		assert_int_equal(a[i].address, b[i].address);
		assert_int_equal(a[i].symbol_offset, b[i].symbol_offset);
		assert_string_equal(a[i].symbol, b[i].symbol);
		assert_string_equal(a[i].path, b[i].path);
		assert_string_equal(a[i].file, b[i].file);
		assert_int_equal(a[i].line, b[i].line);
	}
}

static void assert_allocating(const struct wt_host_allocating *a,
			      const struct wt_host_allocating *b)
{
	assert_string_equal(a->function, b->function);
	assert_int_equal(a->time, b->time);
	assert_int_equal(a->thread, b->thread);
	assert_int_equal(a->stack, b->stack);
}

static void assert_program(const struct wt_host *a, const struct wt_host *b)
{
	for (size_t i = 0; i < ELEMENTS; i++) {
		assert_int_equal(a->maps[i].start, b->maps[i].start);
		assert_int_equal(a->maps[i].end, b->maps[i].end);
		assert_int_equal(a->maps[i].offset, b->maps[i].offset);
		assert_string_equal(a->maps[i].access, b->maps[i].access);
		assert_string_equal(a->maps[i].path, b->maps[i].path);
		assert_int_equal(a->maps[i].build_id_size, b->maps[i].build_id_size);
		assert_memory_equal(a->maps[i].build_id, b->maps[i].build_id,
				    a->maps[i].build_id_size);
		assert_int_equal(a->threads[i].id, b->threads[i].id);
		assert_string_equal(a->threads[i].name, b->threads[i].name);
		assert_string_equal(a->threads[i].state, b->threads[i].state);
		assert_string_equal(a->threads[i].waiting, b->threads[i].waiting);
		assert_frames(a->threads[i].frames, a->threads[i].frame_count, b->threads[i].frames,
			      b->threads[i].frame_count);
		assert_frames(a->stacks[i].frames, a->stacks[i].frame_count, b->stacks[i].frames,
			      b->stacks[i].frame_count);
		assert_int_equal(a->allocations[i].address, b->allocations[i].address);
		assert_int_equal(a->allocations[i].size, b->allocations[i].size);
		assert_int_equal(a->allocations[i].host_address, b->allocations[i].host_address);
		assert_int_equal(a->allocations[i].kind, b->allocations[i].kind);
		assert_int_equal(a->allocations[i].closed, b->allocations[i].closed);
		assert_string_equal(a->allocations[i].agent, b->allocations[i].agent);
		assert_allocating(&a->allocations[i].made, &b->allocations[i].made);
		assert_allocating(&a->allocations[i].freed, &b->allocations[i].freed);
		assert_string_equal(a->command_line[i], b->command_line[i]);
		assert_string_equal(a->missing[i], b->missing[i]);
	}
}

static void assert_machine(const struct wt_host *a, const struct wt_host *b)
{
	for (size_t i = 0; i < ELEMENTS; i++) {
		assert_string_equal(a->versions[i].of, b->versions[i].of);
		assert_string_equal(a->versions[i].text, b->versions[i].text);
		assert_string_equal(a->environment[i].name, b->environment[i].name);
		assert_int_equal(!a->environment[i].value, !b->environment[i].value);
		if (a->environment[i].value)
			assert_string_equal(a->environment[i].value, b->environment[i].value);
		assert_int_equal(a->device_faults[i].gpu_id, b->device_faults[i].gpu_id);
		assert_int_equal(a->device_faults[i].address, b->device_faults[i].address);
		assert_int_equal(a->kernel_lines[i].time, b->kernel_lines[i].time);
		assert_string_equal(a->kernel_lines[i].text, b->kernel_lines[i].text);
		assert_string_equal(a->device_dumps[i], b->device_dumps[i]);
	}
	assert_non_null(b->queue_error);
	assert_int_equal(a->queue_error->ring_address, b->queue_error->ring_address);
	assert_int_equal(a->queue_error->status, b->queue_error->status);
	assert_string_equal(a->queue_error->text, b->queue_error->text);
}

static void assert_same(const struct wt_host *a, const struct wt_host *b)
{
	const size_t counts[] = {
		b->versions_count,     b->command_line_count, b->maps_count,
		b->threads_count,      b->environment_count,  b->missing_count,
		b->allocations_count,  b->stacks_count,	      b->device_faults_count,
		b->kernel_lines_count, b->device_dumps_count};

	assert_int_equal(a->process_id, b->process_id);
	assert_int_equal(a->time, b->time);
	assert_string_equal(a->executable, b->executable);
	assert_int_equal(a->allocations_known, b->allocations_known);
	assert_int_equal(a->memory_closed, b->memory_closed);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		assert_int_equal(counts[i], ELEMENTS);
	assert_program(a, b);
	assert_machine(a, b);
}

static void check_written(bool ended, bool known, bool closed)
{
	struct wt_host *host = make_host(known, closed), *older = make_host(!known, !closed), *read;
	struct wt_writer_options options = sample_options();
	const char *path = sample_path("host.wtape");
	struct wt_writer *writer;
	struct wt_reader *reader;

	sample_must(wt_writer_create(path, &options, &writer));
	/* The last ones count. */
	sample_must(wt_writer_host(writer, older));
	sample_must(wt_writer_host(writer, host));
	if (ended)
		sample_must(wt_writer_close(writer, "detached"));
	else
		wt_writer_abandon(writer);
	sample_must(wt_reader_open(path, &reader));
	sample_must(wt_reader_host(reader, &read));
	assert_non_null(read);
	assert_same(host, read);
	wt_host_destroy(read);
	wt_reader_close(reader);
	wt_host_destroy(older);
	wt_host_destroy(host);
}

static void a_closed_trace_has_all_of_it(void **state)
{
	(void)state;
	check_written(true, true, false);
	check_written(true, false, true);
}

static void one_that_was_killed_has_it_too(void **state)
{
	(void)state;
	check_written(false, true, true);
}

static void one_without_says_so(void **state)
{
	struct sample sample = {.seed = 5, .moments = 3, .register_bytes = 300};
	const char *path = sample_path("without.wtape");
	struct wt_host *read = NULL;
	struct wt_reader *reader;

	(void)state;
	sample_write_file(&sample, path);
	sample_must(wt_reader_open(path, &reader));
	sample_must(wt_reader_host(reader, &read));
	assert_null(read);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_closed_trace_has_all_of_it),
		cmocka_unit_test(one_that_was_killed_has_it_too),
		cmocka_unit_test(one_without_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
