/* SPDX-License-Identifier: MIT */
/* Dispatches that do not fit the kernels of their code objects. */
#include "tests/unit/device/support.h"

#include <stdio.h>

/* Make a device for one dispatch, given as its fields, over some code objects. */
static struct wt_error *try_dispatch(const char *objects, const char *dispatch,
				     struct wt_device **device)
{
	char text[4096];

	snprintf(text, sizeof(text),
		 "{\"architecture\":\"gfx942\",\"code_objects\":[%s],"
		 "\"buffers\":{\"a\":{\"bytes\":64}},\"dispatches\":[{%s}]}",
		 objects, dispatch);
	*device = NULL;
	return wt_simulated_create(support_write("w.json", text, strlen(text)), device);
}

static const char *quoted(const char *name)
{
	static char text[600];

	snprintf(text, sizeof(text), "\"%s\"", support_path(name));
	return text;
}

#define A "{\"buffer\":\"a\"}"
#define SIZES "\"grid\":[64,1,1],\"workgroup\":[64,1,1],"
#define VECADD(arguments) "\"kernel\":\"vecadd\"," SIZES "\"arguments\":[" arguments "]"

static void test_arguments(void **state)
{
	static const struct {
		const char *dispatch, *says;
	} mistakes[] = {
		{VECADD(""), "dispatches[0].arguments: 0 arguments; kernel vecadd takes 4"},
		{VECADD(A "," A "," A),
		 "dispatches[0].arguments: 3 arguments; kernel vecadd takes 4"},
		{VECADD(A "," A "," A ",{\"u32\":1},{\"u32\":1}"),
		 "5 arguments; kernel vecadd takes"},
		{VECADD(A "," A "," A "," A), "dispatches[0].arguments[3]: kernel vecadd takes a "
					      "value here (\"n\", by_value, 4 bytes)"},
		{VECADD("{\"u64\":1}," A "," A ",{\"u32\":1}"),
		 "dispatches[0].arguments[0]: kernel vecadd takes a pointer here (\"a\", "
		 "global_buffer"},
		{VECADD(A "," A "," A ",{\"address\":1}"), "4 bytes), not an address"},
		{VECADD(A "," A "," A ",{\"u16\":1}"), "takes another size here"},
		{VECADD(A "," A "," A ",{\"bytes\":\"0102030405\"}"), "the 5 bytes of bytes"},
	};
	struct wt_device *device;

	(void)state;
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++)
		support_expect_error(
			try_dispatch(quoted("vecadd.co"), mistakes[i].dispatch, &device),
			mistakes[i].says);
	assert_null(try_dispatch(quoted("vecadd.co"),
				 VECADD(A "," A "," A ",{\"bytes\":\"01020304\"}"), &device));
	device->operations->destroy(device);
}

static void test_kernel_names(void **state)
{
	struct wt_device *device;
	char objects[1200];

	(void)state;
	snprintf(objects, sizeof(objects), "%s,", quoted("vecadd.co"));
	strcat(objects, quoted("saxpy.co"));
	support_expect_error(
		try_dispatch(objects, "\"kernel\":\"vecad\"," SIZES "\"arguments\":[]", &device),
		"dispatches[0].kernel: the code objects have no kernel \"vecad\" for "
		"gfx942; they have: vecadd, saxpy");
	snprintf(objects, sizeof(objects), "%s,", quoted("vecadd.co"));
	strcat(objects, quoted("vecadd-O0.co"));
	support_expect_error(try_dispatch(objects, VECADD(A "," A "," A ",{\"u32\":1}"), &device),
			     "vecadd-O0.co have a kernel \"vecadd\"; rename one");
}

static void test_local_memory(void **state)
{
	static const char matmul[] = "\"kernel\":\"matmul\"," SIZES "\"dynamic_group_bytes\":%u,"
				     "\"arguments\":[" A "," A "," A ",{\"u32\":0}]";
	struct wt_device *device;
	char text[512];

	(void)state;
	snprintf(text, sizeof(text), matmul, 65536 - 2048 + 1);
	support_expect_error(try_dispatch(quoted("matmul.co"), text, &device),
			     "dispatches[0].dynamic_group_bytes: kernel matmul needs 2048 bytes of "
			     "local memory and 63489 are added; a workgroup has at most 65536");
	snprintf(text, sizeof(text), matmul, 4294967295u);
	support_expect_error(try_dispatch(quoted("matmul.co"), text, &device), "at most 65536");
	snprintf(text, sizeof(text), matmul, 65536 - 2048);
	assert_null(try_dispatch(quoted("matmul.co"), text, &device));
	device->operations->destroy(device);
}

/* What a kernel was compiled for: limits.cl has attributes that say so. */
static void test_workgroup_limits(void **state)
{
	static const struct {
		const char *kernel, *grid, *workgroup, *says;
	} cases[] = {
		{"small", "[128,1,1]", "[128,1,1]",
		 "dispatches[0].workgroup: 128 x 1 x 1 work-items; kernel small was compiled for "
		 "at most "
		 "64"},
		{"small", "[8,8,2]", "[8,8,2]", "8 x 8 x 2 work-items; kernel small"},
		{"small", "[65,1,1]", "[64,1,1]",
		 "dispatches[0].workgroup: the grid's 65 work-items are no multiple of 64"},
		{"small", "[64,3,1]", "[32,2,1]", "the grid's 3 work-items are no multiple of 2"},
		{"small", "[64,4,1]", "[32,2,1]", NULL},
		{"fixed", "[32,4,1]", "[16,2,1]",
		 "16 x 2 x 1 work-items; kernel fixed was compiled for 8 x 4 x 1"},
		{"fixed", "[32,4,1]", "[8,4,1]", NULL},
	};
	struct wt_device *device;
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct wt_error *error;

		snprintf(text, sizeof(text),
			 "\"kernel\":\"%s\",\"grid\":%s,\"workgroup\":%s,\"arguments\":[" A "]",
			 cases[i].kernel, cases[i].grid, cases[i].workgroup);
		error = try_dispatch(quoted("../unit/device/limits.co"), text, &device);
		if (cases[i].says) {
			support_expect_error(error, cases[i].says);
			continue;
		}
		assert_null(error);
		device->operations->destroy(device);
	}
}

/* Everything that a workload names and that is not there or not right, with its place. */
static void test_places(void **state)
{
	static const struct {
		const char *workload, *says;
	} places[] = {
		{"bad-missing-code-object.json", "bad-missing-code-object.json: code_objects[0]: "},
		{"bad-missing-fill-file.json", "bad-missing-fill-file.json: buffers.a.fill.file: "},
		{"bad-not-a-code-object.json", "code_objects[0]: "},
		{"bad-code-object-for-gfx90a.json", "it is for gfx90a"},
	};
	struct wt_device *device = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		support_expect_error(wt_simulated_create(support_path(places[i].workload), &device),
				     places[i].says);
	assert_null(device);
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arguments),    cmocka_unit_test(test_kernel_names),
		cmocka_unit_test(test_local_memory), cmocka_unit_test(test_workgroup_limits),
		cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests_name("device-plan", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run);
}
