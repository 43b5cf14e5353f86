/* SPDX-License-Identifier: MIT */
#include "tests/unit/device/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/workload/workload.h"

/* Everything a workload can say, once. */
static const char whole[] =
	"{\"architecture\": \"gfx942\", \"code_objects\": [\"a.co\", \"/abs/b.co\"],"
	" \"agents\": [{}, {\"architecture\": \"gfx942\"}],"
	" \"queues\": [{\"agent\": 1}, {\"packets\": 4}, {\"agent\": 1, \"packets\": 1}],"
	" \"buffers\": {\"z\": {\"bytes\": 3},"
	"  \"c\": {\"bytes\": 8, \"fill\": {\"constant\": {\"type\": \"i16\", \"value\": -2}}},"
	"  \"i\": {\"bytes\": 4, \"fill\": {\"iota\": {\"type\": \"u8\", \"start\": 254, \"step\": "
	"1}}},"
	"  \"d\": {\"bytes\": 24, \"fill\": {\"iota\": {\"type\": \"f64\", \"start\": 1, \"step\": "
	"-0.5}}},"
	"  \"f\": {\"bytes\": 5, \"fill\": {\"file\": \"f.bin\"}}},"
	" \"dispatches\": [{\"kernel\": \"k\", \"grid\": [4294967295, 2, 3], \"workgroup\": [256, "
	"2, 2],"
	"  \"dynamic_group_bytes\": 12, \"queue\": 2, \"agent\": 1, \"arguments\": ["
	"   {\"buffer\": \"c\", \"offset\": 8}, {\"i8\": -128}, {\"u16\": 65535}, {\"i64\": -2},"
	"   {\"u64\": \"0xfedcba9876543210\"}, {\"f32\": 1.5}, {\"f64\": -2}, {\"bytes\": "
	"\"00aBff\"}]},"
	"  {\"kernel\": \"l\", \"grid\": [1, 1, 1], \"workgroup\": [1, 1, 1], \"arguments\": []},"
	"  {\"kernel\": \"l\", \"grid\": [1, 1, 1], \"workgroup\": [1, 1, 1], \"arguments\": [],"
	"   \"agent\": 1}]}";

static struct wt_workload *load(const char *text)
{
	struct wt_workload *workload = NULL;
	struct wt_error *error;

	error = wt_workload_create(support_write("w.json", text, strlen(text)), &workload);
	if (error)
		fail_msg("%s: %s: %s", error->what, error->where, error->why);
	return workload;
}

static void test_everything(void **state)
{
	struct wt_workload *workload = load(whole);
	const struct wt_workload_dispatch *dispatch = &workload->dispatches[0];

	(void)state;
	assert_int_equal(workload->agent_count, 2);
	assert_string_equal(workload->agents[1].architecture->name, "gfx942");
	assert_int_equal(workload->queue_count, 3);
	assert_int_equal(workload->queues[0].agent, 1);
	assert_int_equal(workload->queues[0].packets, 64);
	assert_int_equal(workload->queues[1].agent, 0);
	assert_int_equal(workload->queues[1].packets, 4);
	assert_int_equal(workload->code_object_count, 2);
	assert_non_null(strstr(workload->code_objects[0].path, "/a.co"));
	assert_memory_equal(workload->code_objects[0].path, workload->path,
			    strlen(workload->path) - strlen("w.json"));
	assert_string_equal(workload->code_objects[1].path, "/abs/b.co");
	assert_int_equal(workload->buffer_count, 5);
	assert_string_equal(workload->buffers[0].name, "z");
	assert_string_equal(workload->buffers[4].name, "f");
	assert_int_equal(dispatch->grid[0], UINT32_MAX);
	assert_int_equal(dispatch->workgroup[2], 2);
	assert_int_equal(dispatch->dynamic_group_bytes, 12);
	assert_int_equal(dispatch->queue, 2);
	assert_int_equal(workload->dispatches[1].queue, 1);
	assert_int_equal(workload->dispatches[2].queue, 0);
	wt_workload_destroy(workload);
}

static void test_arguments(void **state)
{
	static const struct {
		const char *kind;
		size_t size;
		uint8_t bytes[8];
	} expected[] = {
		{"buffer", 0, {0}},
		{"i8", 1, {0x80}},
		{"u16", 2, {0xff, 0xff}},
		{"i64", 8, {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
		{"u64", 8, {0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe}},
		{"f32", 4, {0, 0, 0xc0, 0x3f}},
		{"f64", 8, {0, 0, 0, 0, 0, 0, 0, 0xc0}},
		{"bytes", 3, {0x00, 0xab, 0xff}},
	};
	struct wt_workload *workload = load(whole);
	const struct wt_workload_argument *arguments = workload->dispatches[0].arguments;

	(void)state;
	assert_int_equal(workload->dispatches[0].argument_count, 8);
	for (size_t i = 0; i < 8; i++) {
		assert_string_equal(arguments[i].kind, expected[i].kind);
		assert_int_equal(arguments[i].size, expected[i].size);
		assert_int_equal(arguments[i].is_buffer, i == 0);
		if (i)
			assert_memory_equal(arguments[i].data, expected[i].bytes, expected[i].size);
	}
	assert_int_equal(arguments[0].buffer, 1);
	assert_int_equal(arguments[0].offset, 8);
	wt_workload_destroy(workload);
}

static void test_fills(void **state)
{
	struct wt_workload *workload = load(whole);
	const double numbers[3] = {1, 0.5, 0};
	uint8_t data[24] = {0};

	(void)state;
	assert_null(wt_workload_fill(workload, 0, data));
	assert_memory_equal(data, "\0\0\0", 3);
	assert_null(wt_workload_fill(workload, 1, data));
	assert_memory_equal(data, "\xfe\xff\xfe\xff\xfe\xff\xfe\xff", 8);
	assert_null(wt_workload_fill(workload, 2, data));
	assert_memory_equal(data, "\xfe\xff\0\1", 4);
	assert_null(wt_workload_fill(workload, 3, data));
	assert_memory_equal(data, numbers, sizeof(numbers));
	support_expect_error(wt_workload_fill(workload, 4, data), "buffers.f.fill.file");
	support_write("f.bin", "12345", 5);
	assert_null(wt_workload_fill(workload, 4, data));
	assert_memory_equal(data, "12345", 5);
	for (size_t size = 4; size <= 6; size += 2) {
		support_write("f.bin", "123456", size);
		support_expect_error(wt_workload_fill(workload, 4, data), "must be equal");
	}
	wt_workload_destroy(workload);
}

/* One part of a good workload put in the place of another, and what the error must say. */
struct mistake {
	const char *part, *wrong, *says;
};

static const char plain[] =
	"{\"architecture\":\"gfx942\",\"code_objects\":[\"a.co\"],\"agents\":[{}],"
	"\"queues\":[{\"agent\":0,\"packets\":8}],"
	"\"buffers\":{\"a\":{\"bytes\":16,\"fill\":{\"iota\":{\"type\":\"u32\",\"start\":0,"
	"\"step\":1}}}},"
	"\"dispatches\":[{\"kernel\":\"k\",\"grid\":[64,1,1],\"workgroup\":[32,1,1],\"queue\":0,"
	"\"agent\":0,\"arguments\":[{\"buffer\":\"a\",\"offset\":4},{\"u32\":7}]}]}";

static const struct mistake mistakes[] = {
	{"\"architecture\":\"gfx942\",", "", "w.json: architecture: this field is required"},
	{"\"gfx942\"", "942", "architecture: expected a string, found a whole number"},
	{"\"gfx942\"", "\"\"", "architecture: this may not be empty"},
	{"\"gfx942\"", "\"gfx43\"", "architecture: unknown architecture \"gfx43\""},
	{"\"gfx942\"", "\"gfx1250\"", "architecture: gfx1250 cannot be simulated"},
	{"[\"a.co\"]", "[]", "code_objects: expected 1 to 256 elements, found 0"},
	{"[\"a.co\"]", "\"a.co\"", "code_objects: expected an array, found a string"},
	{"\"a.co\"", "null", "code_objects[0]: expected a string, found null"},
	{"\"code_objects\":[\"a.co\"],", "", "code_objects: this field is required"},
	{"[{}]", "[]", "agents: expected 1 to 16 elements, found 0"},
	{"[{}]", "{}", "agents: expected an array, found an object"},
	{"[{}]", "[7]", "agents[0]: expected an object, found a whole number"},
	{"[{}]", "[{},{\"architecture\":\"x\"}]", "agents[1].architecture: unknown"},
	{"[{}]", "[{\"name\":\"x\"}]", "agents[0].name: unknown field; known here: architecture"},
	{"\"agent\":0,\"packets\"", "\"agent\":1,\"packets\"",
	 "queues[0].agent: 1 is out of range"},
	{"\"packets\":8", "\"packets\":12", "queues[0].packets: 12 is no power of two"},
	{"\"packets\":8", "\"packets\":0", "queues[0].packets: 0 is out of range"},
	{"\"packets\":8", "\"packets\":131072", "queues[0].packets: 131072 is out of range"},
	{"\"packets\":8", "\"priority\":8", "queues[0].priority: unknown field"},
	{"[{\"agent\":0,\"packets\":8}]", "[]", "queues: expected 1 to 1024 elements"},
	{"\"bytes\":16", "\"bytes\":0", "buffers.a.bytes: 0 is out of range"},
	{"\"bytes\":16", "\"bytes\":-1", "buffers.a.bytes: -1 is out of range"},
	{"\"bytes\":16", "\"bytes\":1073741825", "buffers.a.bytes: 1073741825 is out of range"},
	{"\"bytes\":16", "\"bytes\":16.0",
	 "buffers.a.bytes: expected a whole number, found a number"},
	{"\"bytes\":16", "\"bytes\":true", "buffers.a.bytes: expected a whole number, found true"},
	{"\"bytes\":16,", "", "buffers.a.bytes: this field is required"},
	{"\"bytes\":16", "\"bytes\":17", "buffers.a.fill.iota.type: the buffer's 17 bytes"},
	{"\"bytes\":16", "\"bytes\":16,\"free_after\":9",
	 "buffers.a.free_after: 9 is out of range"},
	{"\"bytes\":16", "\"bytes\":16,\"x\":1", "buffers.a.x: unknown field"},
	{"{\"a\":{\"bytes\"", "[{\"a\":{\"bytes\"", "this is no JSON"},
	{"\"type\":\"u32\"", "\"type\":\"u24\"", "buffers.a.fill.iota.type: unknown type \"u24\""},
	{"\"type\":\"u32\",", "", "buffers.a.fill.iota.type: this field is required"},
	{"\"type\":\"u32\"", "\"type\":1", "buffers.a.fill.iota.type: expected a string"},
	{"\"start\":0", "\"start\":-1", "buffers.a.fill.iota.start: -1 is out of range"},
	{"\"start\":0", "\"start\":4294967296", "buffers.a.fill.iota.start: 4294967296 is out of"},
	{"\"start\":0", "\"start\":0.5", "buffers.a.fill.iota.start: expected a whole number"},
	{"\"start\":0,", "", "buffers.a.fill.iota.start: this field is required"},
	{",\"step\":1", "", "buffers.a.fill.iota.step: this field is required"},
	{"\"step\":1", "\"step\":\"1\"", "buffers.a.fill.iota.step: expected a whole number"},
	{"\"step\":1", "\"step\":1,\"end\":2", "buffers.a.fill.iota.end: unknown field"},
	{"{\"iota\":", "{\"iota\":1,\"file\":", "buffers.a.fill: 2 fields; a fill is one of"},
	{"{\"iota\":", "{\"ramp\":", "buffers.a.fill.ramp: unknown field; known here: constant"},
	{"{\"iota\":", "{\"constant\":", "buffers.a.fill.constant.start: unknown field"},
	{"{\"iota\":{\"type\":\"u32\",\"start\":0,\"step\":1}}", "{}", "buffers.a.fill: 0 fields"},
	{"{\"iota\":{\"type\":\"u32\",\"start\":0,\"step\":1}}", "{\"file\":\"\"}",
	 "buffers.a.fill.file: this may not be empty"},
	{"{\"iota\":{\"type\":\"u32\",\"start\":0,\"step\":1}}", "[]",
	 "buffers.a.fill: expected an object, found an array"},
	{"{\"type\":\"u32\",\"start\":0,\"step\":1}",
	 "{\"type\":\"f32\",\"start\":1e39,\"step\":1}",
	 "buffers.a.fill.iota.start: 1e+39 is out of the range of f32"},
	{"\"kernel\":\"k\",", "", "dispatches[0].kernel: this field is required"},
	{"\"kernel\":\"k\"", "\"kernel\":[]", "dispatches[0].kernel: expected a string"},
	{"[64,1,1]", "[64,1]", "dispatches[0].grid: expected 3 elements, found 2"},
	{"[64,1,1]", "64", "dispatches[0].grid: expected an array"},
	{"[64,1,1]", "[64,0,1]",
	 "dispatches[0].grid[1]: 0 is out of range; expected 1 to 4294967295"},
	{"[64,1,1]", "[4294967296,1,1]", "dispatches[0].grid[0]: 4294967296 is out of range"},
	{"\"grid\":[64,1,1],", "", "dispatches[0].grid: this field is required"},
	{"[32,1,1]", "[0,1,1]", "dispatches[0].workgroup[0]: 0 is out of range"},
	{"[32,1,1]", "[1025,1,1]", "dispatches[0].workgroup[0]: 1025 is out of range"},
	{"[32,1,1]", "[1024,1,2]",
	 "dispatches[0].workgroup: 1024 x 1 x 2 work-items; a workgroup has"},
	{"[32,1,1]", "[1024,1024,1024]", "dispatches[0].workgroup: 1024 x 1024 x 1024 work-items"},
	{"\"queue\":0", "\"queue\":1", "dispatches[0].queue: 1 is out of range"},
	{"\"queue\":0", "\"queue\":-1", "dispatches[0].queue: -1 is out of range"},
	{"\"queue\":0", "\"dynamic_group_bytes\":-1",
	 "dispatches[0].dynamic_group_bytes: -1 is out of"},
	{"\"queue\":0", "\"stream\":0", "dispatches[0].stream: unknown field"},
	{"\"agent\":0,\"arguments\"", "\"agent\":3,\"arguments\"",
	 "dispatches[0].agent: 3 is out of"},
	{"[{}]", "[{},{}]\n,\"x\":0", "x: unknown field"},
	{",\"arguments\":[{\"buffer\":\"a\",\"offset\":4},{\"u32\":7}]", "",
	 "dispatches[0].arguments: this field is required"},
	{"{\"u32\":7}", "7", "dispatches[0].arguments[1]: expected an object such as {\"u32\": 1}"},
	{"{\"u32\":7}", "{}", "dispatches[0].arguments[1]: 0 fields"},
	{"{\"u32\":7}", "{\"u32\":7,\"i32\":8}", "dispatches[0].arguments[1]: 2 fields"},
	{"{\"u32\":7}", "{\"u33\":7}", "dispatches[0].arguments[1].u33: unknown kind of argument"},
	{"{\"u32\":7}", "{\"u32\":-7}", "dispatches[0].arguments[1].u32: -7 is out of range"},
	{"{\"u32\":7}", "{\"u32\":7.5}", "dispatches[0].arguments[1].u32: expected a whole number"},
	{"{\"u32\":7}", "{\"u32\":\"0x7\"}", "dispatches[0].arguments[1].u32: expected a whole"},
	{"{\"u32\":7}", "{\"i8\":128}", "dispatches[0].arguments[1].i8: 128 is out of range"},
	{"{\"u32\":7}", "{\"u8\":256}", "dispatches[0].arguments[1].u8: 256 is out of range"},
	{"{\"u32\":7}", "{\"i16\":-32769}", "arguments[1].i16: -32769 is out of range"},
	{"{\"u32\":7}", "{\"i32\":2147483648}", "arguments[1].i32: 2147483648 is out of range"},
	{"{\"u32\":7}", "{\"u64\":-1}", "arguments[1].u64: -1 is out of range"},
	{"{\"u32\":7}", "{\"u64\":18446744073709551615}", "this is no JSON: too big integer"},
	{"{\"u32\":7}", "{\"u64\":\"0x10000000000000000\"}", "arguments[1].u64: \"0x1000000000000"},
	{"{\"u32\":7}", "{\"u64\":\"0x\"}", "arguments[1].u64: \"0x\" is not"},
	{"{\"u32\":7}", "{\"u64\":\"12\"}", "arguments[1].u64: \"12\" is not"},
	{"{\"u32\":7}", "{\"address\":-1}", "arguments[1].address: -1 is out of range"},
	{"{\"u32\":7}", "{\"f32\":\"1\"}", "arguments[1].f32: expected a number, found a string"},
	{"{\"u32\":7}", "{\"f32\":-1e300}", "arguments[1].f32: -1e+300 is out of the range of f32"},
	{"{\"u32\":7}", "{\"f64\":null}", "arguments[1].f64: expected a number, found null"},
	{"{\"u32\":7}", "{\"bytes\":\"123\"}", "arguments[1].bytes: an odd number of hex digits"},
	{"{\"u32\":7}", "{\"bytes\":\"12 4\"}", "arguments[1].bytes: byte 1 is not two hex digits"},
	{"{\"u32\":7}", "{\"bytes\":\"\"}", "arguments[1].bytes: this may not be empty"},
	{"{\"u32\":7}", "{\"bytes\":12}", "arguments[1].bytes: expected a string"},
	{"\"buffer\":\"a\"", "\"buffer\":\"b\"",
	 "arguments[0].buffer: no buffer \"b\" in \"buffers\""},
	{"\"buffer\":\"a\"", "\"buffer\":0", "arguments[0].buffer: expected a string"},
	{"\"offset\":4", "\"offset\":17",
	 "arguments[0].offset: 17 is out of range; expected 0 to 16"},
	{"\"offset\":4", "\"offset\":-1", "arguments[0].offset: -1 is out of range"},
	{"\"offset\":4", "\"u32\":4",
	 "arguments[0].u32: unknown field; known here: buffer and offset"},
	{"\"queue\":0,", "\"queue\":0,\"queue\":0,", "this is no JSON: duplicate object key"},
	{"}]}", "}]} x", "line 1, column"},
	{"}]}", "}]", "this is no JSON"},
};

static void test_mistakes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		const struct mistake *mistake = &mistakes[i];
		const char *at = strstr(plain, mistake->part);
		struct wt_workload *workload = NULL;
		char text[2048];

		assert_non_null(at);
		/* The end is meant where the part is the end. */
		if (strcmp(mistake->part, "}]}") == 0)
			at = plain + strlen(plain) - 3;
		snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - plain), plain, mistake->wrong,
			 at + strlen(mistake->part));
		support_expect_error(
			wt_workload_create(support_write("w.json", text, strlen(text)), &workload),
			mistake->says);
		assert_null(workload);
	}
	wt_workload_destroy(load(plain));
}

static void test_agent_without_queue(void **state)
{
	static const char text[] =
		"{\"architecture\":\"gfx942\",\"code_objects\":[\"a\"],\"agents\":[{},{}],"
		"\"queues\":[{\"agent\":1}],\"dispatches\":[{\"kernel\":\"k\",\"grid\":[1,1,1],"
		"\"workgroup\":[1,1,1],\"arguments\":[],%s}]}";
	struct wt_workload *workload;
	char filled[512];

	(void)state;
	snprintf(filled, sizeof(filled), text, "\"agent\":0");
	support_expect_error(
		wt_workload_create(support_write("w.json", filled, strlen(filled)), &workload),
		"dispatches[0].agent: agent 0 has no queue");
	snprintf(filled, sizeof(filled), text, "\"agent\":0,\"queue\":0");
	support_expect_error(
		wt_workload_create(support_write("w.json", filled, strlen(filled)), &workload),
		"dispatches[0].agent: queue 0 belongs to agent 1, not to agent 0");
}

static void test_buffers_too_large_together(void **state)
{
	static const char text[] =
		"{\"architecture\":\"gfx942\",\"code_objects\":[\"a\"],\"buffers\":"
		"{\"a\":{\"bytes\":1073741823},\"b\":{\"bytes\":1},\"c\":{\"bytes\":1}},"
		"\"dispatches\":[]}";
	struct wt_workload *workload;

	(void)state;
	support_expect_error(
		wt_workload_create(support_write("w.json", text, strlen(text)), &workload),
		"buffers.c: with this one the buffers have more than 1073741824 bytes");
}

static void test_what_is_no_file(void **state)
{
	struct wt_workload *workload;
	char path[256];

	(void)state;
	support_expect_error(wt_workload_create("/absent.json", &workload),
			     "/absent.json: No such file");
	support_expect_error(wt_workload_create("/", &workload), "not a regular file");
	support_expect_error(wt_workload_create("/dev/zero", &workload), "not a regular file");
	support_expect_error(wt_workload_create(support_write("w.json", "", 0), &workload),
			     "this is no JSON");
	support_expect_error(wt_workload_create(support_write("w.json", "[]", 2), &workload),
			     "expected an object, found an array");
	snprintf(path, sizeof(path), "%s", support_write("w.json", "", 0));
	assert_int_equal(truncate(path, 17 << 20), 0);
	support_expect_error(wt_workload_create(path, &workload), "at most 16777216 are accepted");
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	support_expect_error(wt_workload_create(path, &workload), "not a regular file");
	unlink(path);
}

/* Prefixes of a workload, and bytes of it changed: an error or a workload, never more. */
static void test_mutations(void **state)
{
	size_t size = strlen(whole);
	char text[sizeof(whole)];

	(void)state;
	for (size_t i = 0; i < 2 * size; i += 3) {
		struct wt_workload *workload = NULL;
		struct wt_error *error;

		memcpy(text, whole, size);
		if (i >= size)
			text[i - size] ^= (char)(1 << i % 7);
		error = wt_workload_create(support_write("w.json", text, i < size ? i : size),
					   &workload);
		assert_true((error != NULL) != (workload != NULL));
		assert_true(i >= size || error);
		wt_error_destroy(error);
		wt_workload_destroy(workload);
	}
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everything),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_fills),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_agent_without_queue),
		cmocka_unit_test(test_buffers_too_large_together),
		cmocka_unit_test(test_what_is_no_file),
		cmocka_unit_test(test_mutations),
	};

	return cmocka_run_group_tests_name("device-workload", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run);
}
