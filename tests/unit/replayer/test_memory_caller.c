/* SPDX-License-Identifier: MIT */
/* Who has allocated memory, by the frames that were found: the program's own, behind those of runtimes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "replayer/view/explain-memory.h"
#include "trace-format/state/host-facts.h"

#define RUNTIME "/usr/lib/libamdhip64.so.6"
#define PROGRAM "/home/me/train"
#define HEADER "/usr/include/hip/hip_runtime_api.h"

struct frame {
	const char *symbol, *path, *file;
	uint32_t line;
};

static struct wt_memory_caller find_caller(const struct frame *from, size_t count)
{
	static struct wt_host_frame frames[8];
	static struct wt_host_stack stack;
	static struct wt_host host;
	static char function[] = "hsa_amd_memory_pool_allocate";
	const struct wt_host_allocating call = {.function = function, .stack = 1};

	for (size_t i = 0; i < count; i++)
		frames[i] = (struct wt_host_frame){
			.symbol = (char *)from[i].symbol,
			.path = (char *)from[i].path,
			.file = (char *)from[i].file,
			.line = from[i].line,
		};
	stack = (struct wt_host_stack){.frames = frames, .frame_count = count};
	host = (struct wt_host){.stacks = &stack, .stacks_count = 1};
	return wt_memory_caller_find(&host, &call);
}

static void test_inlined(void **state)
{
	static const struct frame frames[] = {
		{"", RUNTIME, "", 0},
		{"hipMalloc", RUNTIME, "", 0},
		{"_ZL9hipMallocIfE10hipError_tPPT_m", PROGRAM, HEADER, 9762},
		{"main", PROGRAM, "/home/me/train.cpp", 33},
		{"__libc_start_main", "/usr/lib/libc.so.6", "", 0},
	};
	const struct wt_memory_caller caller = find_caller(frames, 5);

	(void)state;
	assert_string_equal(caller.function, "hipMalloc");
	assert_string_equal(caller.file, "/home/me/train.cpp");
	assert_int_equal(caller.line, 33);
	assert_string_equal(caller.symbol, "main");
	assert_null(caller.from_file);
}

/* Split DWARF has lines, and does not say what was inlined: then the program's function has the header's line, and is the program's all the same. */
static void test_inlined_unseen(void **state)
{
	static const struct frame frames[] = {
		{"hipMalloc", RUNTIME, "", 0},
		{"main", PROGRAM, HEADER, 9762},
		{"", "/usr/lib/libc.so.6", "", 0},
		{"_start", PROGRAM, "", 0},
	};
	struct wt_memory_caller caller = find_caller(frames, 4);

	(void)state;
	assert_string_equal(caller.function, "hipMalloc");
	assert_string_equal(caller.module, "train");
	assert_string_equal(caller.symbol, "main");
	assert_null(caller.file);
	assert_int_equal(caller.line, 0);
	/* The same where nothing is behind it. */
	caller = find_caller(frames, 2);
	assert_string_equal(caller.module, "train");
	assert_null(caller.file);
}

static void test_runtime_alone(void **state)
{
	static const struct frame frames[] = {{"hipMalloc", RUNTIME, "", 0}};
	const struct wt_memory_caller caller = find_caller(frames, 1);

	(void)state;
	assert_string_equal(caller.function, "hipMalloc");
	assert_null(caller.module);
}

/* A span keeps what is on the same side of the ends of a range as the address that was asked for. */
static void test_spans(void **state)
{
	struct wt_span in = {0, UINT64_MAX}, below = in, above = in, wrapped = in;
	const struct wt_span other = {0x2800, 0x8000};

	(void)state;
	wt_span_narrow(&in, 0x2000, 0x2000, 0x3000);
	assert_int_equal(in.first, 0x2000);
	assert_int_equal(in.last, 0x2fff);
	wt_span_narrow(&in, 0x2000, 0x2001, 0x3000);
	assert_int_equal(in.last, 0x2000);
	wt_span_narrow(&below, 0x1fff, 0x2000, 0x3000);
	assert_int_equal(below.first, 0);
	assert_int_equal(below.last, 0x1fff);
	wt_span_narrow(&above, 0x3000, 0x2000, 0x3000);
	assert_int_equal(above.first, 0x3000);
	assert_int_equal(above.last, UINT64_MAX);
	wt_span_intersect(&above, &other);
	assert_int_equal(above.first, 0x3000);
	assert_int_equal(above.last, 0x8000);
	/* A range of no bytes, and one whose end is beyond all addresses. */
	wt_span_narrow(&wrapped, 0x4000, 0, 0);
	assert_int_equal(wrapped.first, 0);
	wt_span_narrow(&wrapped, 0x4000, 0x3000, 0x10);
	assert_int_equal(wrapped.first, 0x3000);
	assert_int_equal(wrapped.last, UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inlined),
		cmocka_unit_test(test_inlined_unseen),
		cmocka_unit_test(test_runtime_alone),
		cmocka_unit_test(test_spans),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
