/* SPDX-License-Identifier: MIT */
/* Whose memory an address is one of, from the mappings and the allocations that a trace has. */
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "replayer/view/explain-memory.h"
#include "trace-format/state/host-facts.h"
#include "trace-format/state/state.h"
#include "trace-format/writer/writer.h"

#define MIB (UINT64_C(1) << 20)
#define RESERVED (UINT64_C(0x7000) << 20)
#define DEVICE (UINT64_C(0x6000) << 20)
#define HEAP (UINT64_C(0x5000) << 20)
#define SMALL (UINT64_C(0x6800) << 20)
#define SMALL_BYTES UINT64_C(4096)
#define PROCESS 1

static void add_map(struct wt_host *host, uint64_t start, uint64_t size, const char *access,
		    const char *path)
{
	struct wt_host_map *map = WT_HOST_ADD(host, maps);

	assert_non_null(map);
	map->start = start;
	map->end = start + size;
	snprintf(map->access, sizeof(map->access), "%s", access);
	map->path = strdup(path);
}

static void name_call(struct wt_host_allocating *call, const char *function, int64_t time)
{
	call->function = strdup(function);
	call->time = time;
}

static void add_allocation(struct wt_host *host, enum wt_allocation_kind kind, uint64_t start,
			   uint64_t size, int64_t made, int64_t freed)
{
	struct wt_host_allocation *allocation = WT_HOST_ADD(host, allocations);

	assert_non_null(allocation);
	allocation->kind = (uint32_t)kind;
	allocation->address = start;
	allocation->size = size;
	allocation->agent = strdup("");
	name_call(&allocation->made, "makes", made);
	name_call(&allocation->freed, freed ? "frees" : "", freed);
}

/* A program with 16 MiB of addresses, where there is a buffer at the start, and was one in the third MiB. */
static struct wt_host *host_of_program(void)
{
	struct wt_host *host = wt_host_create();
	char **missing;

	assert_non_null(host);
	host->process_id = 4711;
	/* Builds of files and stacks take their time, and the list of mappings is there all the same. */
	missing = WT_HOST_ADD(host, missing);
	assert_non_null(missing);
	*missing = strdup("what comes after it: the time for it was over");
	host->time = 50;
	host->allocations_known = true;
	/* They are out of order, as no kernel lists them. */
	add_map(host, RESERVED + MIB, 15 * MIB, "---p", "");
	add_map(host, DEVICE, 2 * MIB, "rw-s", "/dev/dri/renderD128");
	add_map(host, HEAP, MIB, "rw-p", "[heap]");
	add_map(host, RESERVED, MIB, "rw-s", "/dev/dri/renderD128");
	add_allocation(host, WT_ALLOCATION_MAPPED, RESERVED, MIB, 20, 0);
	add_allocation(host, WT_ALLOCATION_MAPPED, RESERVED + 2 * MIB, MIB, 20, 30);
	/* One that was there before the addresses were reserved is nothing of theirs. */
	add_allocation(host, WT_ALLOCATION_DEVICE, RESERVED + 4 * MIB, MIB, 2, 5);
	add_allocation(host, WT_ALLOCATION_RESERVED, RESERVED, 16 * MIB, 10, 0);
	add_allocation(host, WT_ALLOCATION_DEVICE, DEVICE, 2 * MIB, 15, 0);
	/* Small ones, of which the first was handed out in two blocks. */
	add_allocation(host, WT_ALLOCATION_DEVICE, SMALL, SMALL_BYTES, 15, 0);
	add_allocation(host, WT_ALLOCATION_BLOCK, SMALL, SMALL_BYTES / 2, 16, 0);
	add_allocation(host, WT_ALLOCATION_BLOCK, SMALL + SMALL_BYTES / 2, SMALL_BYTES / 2, 16, 0);
	add_allocation(host, WT_ALLOCATION_DEVICE, SMALL + MIB, SMALL_BYTES, 15, 0);
	return host;
}

struct opened {
	struct wt_reader *reader;
	struct wt_view *view;
	struct wt_mappings *mappings;
};

static int trace_open(void **state)
{
	static struct opened opened;
	const struct wt_writer_options options = {.size = sizeof(options), .reproducible = true};
	const struct wt_moment moment = {.process = PROCESS, .cause = WT_MOMENT_STOP, .time = 40};
	struct wt_host *host = host_of_program();
	const char *path = session_path("memory.wtape");
	struct wt_state *nothing = wt_state_create();
	struct wt_writer *writer;

	session_must(wt_writer_create(path, &options, &writer));
	session_must(wt_writer_moment(writer, &moment, nothing));
	session_must(wt_writer_host(writer, host));
	session_must(wt_writer_close(writer, "finalized"));
	wt_state_destroy(nothing);
	wt_host_destroy(host);
	session_must(wt_reader_open(path, &opened.reader));
	session_must(wt_view_open(opened.reader, 0, &opened.view));
	session_must(wt_mappings_create(opened.view, &opened.mappings));
	*state = &opened;
	return 0;
}

static int trace_close(void **state)
{
	struct opened *opened = *state;

	wt_mappings_destroy(opened->mappings);
	wt_view_close(opened->view);
	wt_reader_close(opened->reader);
	return 0;
}

static void assert_said(const struct opened *opened, uint64_t address, uint64_t pointer,
			const char *wanted)
{
	const struct wt_memory_owner memory =
		wt_memory_whose(opened->mappings, PROCESS, address, pointer);
	char *text;

	session_must(wt_memory_describe(wt_mappings_host(opened->mappings, PROCESS), 50, &memory,
					false, &text));
	assert_string_equal(text ? text : "nothing", wanted);
	free(text);
}

/* Addresses that are only reserved: behind a buffer, where one was, and where none was. */
static void test_reserved(void **state)
{
	const struct opened *opened = *state;

	assert_said(opened, RESERVED + MIB + 16, RESERVED,
		    "16 bytes past the end of a buffer of 1048576 bytes, mapped");
	assert_said(opened, RESERVED + MIB + 16, RESERVED + MIB + 16,
		    "1048592 bytes into 16777216 bytes of addresses, reserved, where nothing "
		    "is mapped");
	assert_said(opened, RESERVED + 2 * MIB + 8, RESERVED + 2 * MIB,
		    "8 bytes into a buffer of 1048576 bytes, unmapped 0.0 ms before, mapped");
	assert_said(opened, RESERVED + 4 * MIB, 0,
		    "4194304 bytes into 16777216 bytes of addresses, reserved, where nothing "
		    "is mapped");
	assert_said(opened, RESERVED + 3, RESERVED + 3,
		    "3 bytes into a buffer of 1048576 bytes, mapped");
}

/* Nobody knows who called: that a buffer was allocated goes without saying. */
static void test_allocated(void **state)
{
	const struct opened *opened = *state;

	assert_said(opened, DEVICE + 2 * MIB + 8, DEVICE,
		    "8 bytes past the end of a buffer of 2097152 bytes");
}

/* By the address alone the nearest buffer counts, but for an address that is about as near to another one. */
static void test_next_buffer(void **state)
{
	const struct opened *opened = *state;

	assert_said(opened, SMALL + SMALL_BYTES, 0,
		    "the first byte past the end of a buffer of 4096 bytes");
	assert_said(opened, SMALL + MIB / 4, 0,
		    "258048 bytes past the end of a buffer of 4096 bytes");
	assert_said(opened, SMALL + MIB / 2, 0, "of no allocation");
	assert_said(opened, SMALL + MIB - 8, 0, "8 bytes before a buffer of 4096 bytes");
	/* Its pointer says which one it is, wherever it leads. */
	assert_said(opened, SMALL + MIB / 2, SMALL + MIB,
		    "524288 bytes before a buffer of 4096 bytes");
	/* One that is long is near. */
	assert_said(opened, DEVICE + 3 * MIB, 0,
		    "1048576 bytes past the end of a buffer of 2097152 bytes");
}

static void assert_mapped(const struct opened *opened, uint64_t address, enum wt_mapping_kind kind,
			  uint64_t start, uint64_t end)
{
	const struct wt_mapping mapping = wt_mapping_at(opened->mappings, PROCESS, address);

	assert_int_equal(mapping.kind, kind);
	assert_int_equal(mapping.start, start);
	assert_int_equal(mapping.end, end);
	assert_true(mapping.alike.first <= address && address <= mapping.alike.last);
}

/* The mappings are found by their addresses, in whatever order they were recorded. */
static void test_mappings(void **state)
{
	const struct opened *opened = *state;
	struct wt_mapping gap;

	assert_mapped(opened, HEAP, WT_MAPPING_HOST, HEAP, HEAP + MIB);
	assert_mapped(opened, HEAP + MIB - 1, WT_MAPPING_HOST, HEAP, HEAP + MIB);
	assert_mapped(opened, DEVICE + MIB, WT_MAPPING_DEVICE, DEVICE, DEVICE + 2 * MIB);
	assert_mapped(opened, RESERVED, WT_MAPPING_DEVICE, RESERVED, RESERVED + MIB);
	assert_mapped(opened, RESERVED + MIB, WT_MAPPING_RESERVED, RESERVED + MIB,
		      RESERVED + 16 * MIB);
	/* Nothing: behind the driver's, up to 1 MiB, that is named. */
	assert_mapped(opened, DEVICE + 2 * MIB, WT_MAPPING_NONE, DEVICE, DEVICE + 2 * MIB);
	assert_mapped(opened, DEVICE + 4 * MIB, WT_MAPPING_NONE, 0, 0);
	assert_mapped(opened, 0x1000, WT_MAPPING_NONE, 0, 0);
	assert_mapped(opened, UINT64_MAX, WT_MAPPING_NONE, 0, 0);
	gap = wt_mapping_at(opened->mappings, PROCESS, HEAP + MIB);
	assert_int_equal(gap.alike.first, HEAP + MIB);
	assert_int_equal(gap.alike.last, DEVICE - 1);
}

/* The span for which an answer holds ends where allocations do. */
static void test_spans_of_access(void **state)
{
	const struct opened *opened = *state;
	struct wt_span alike = {0, UINT64_MAX};

	assert_int_equal(wt_memory_access(opened->mappings, PROCESS, RESERVED + 2 * MIB, &alike),
			 WT_MEMORY_MAYBE);
	assert_int_equal(alike.first, RESERVED + 2 * MIB);
	assert_int_equal(alike.last, RESERVED + 3 * MIB - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reserved),	cmocka_unit_test(test_allocated),
		cmocka_unit_test(test_next_buffer),	cmocka_unit_test(test_mappings),
		cmocka_unit_test(test_spans_of_access),
	};

	return cmocka_run_group_tests(tests, trace_open, trace_close);
}
