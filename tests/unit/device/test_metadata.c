/* SPDX-License-Identifier: MIT */
#include "tests/unit/device/support.h"

#include <stdlib.h>

#include "device/code-object/metadata.h"

#define BYTES(text) wt_cursor_init(text, sizeof(text) - 1)

static void test_counts(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		bool map;
		uint32_t count;
	} forms[] = {
		{"\x80", 1, true, 0},
		{"\x8f", 1, true, 15},
		{"\xde\x01\x02", 3, true, 0x102},
		{"\xdf\xff\xff\xff\xfe", 5, true, 0xfffffffe},
		{"\x90", 1, false, 0},
		{"\x9f", 1, false, 15},
		{"\xdc\x80\x00", 3, false, 0x8000},
		{"\xdd\x00\x00\x00\x07", 5, false, 7},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		for (size_t size = 0; size <= forms[i].size; size++) {
			struct wt_cursor cursor = wt_cursor_init(forms[i].bytes, size);
			struct wt_cursor other = cursor;
			uint32_t count = 77;
			bool fine = forms[i].map ? wt_msgpack_map(&cursor, &count)
						 : wt_msgpack_array(&cursor, &count);

			assert_int_equal(fine, size == forms[i].size);
			assert_int_equal(count, fine ? forms[i].count : 77);
			assert_false(forms[i].map ? wt_msgpack_array(&other, &count)
						  : wt_msgpack_map(&other, &count));
		}
	}
}

static void test_strings(void **state)
{
	struct wt_msgpack_string string;
	struct wt_cursor cursor;

	(void)state;
	cursor = BYTES("\xa3"
		       "abc"
		       "\xd9\x02"
		       "de"
		       "\xda\x00\x01"
		       "f"
		       "\xdb\x00\x00\x00\x00"
		       "\xa2"
		       "x");
	assert_true(wt_msgpack_string(&cursor, &string) && wt_msgpack_equals(string, "abc"));
	assert_false(wt_msgpack_equals(string, "ab"));
	assert_false(wt_msgpack_equals(string, "abcd"));
	assert_true(wt_msgpack_string(&cursor, &string) && wt_msgpack_equals(string, "de"));
	assert_true(wt_msgpack_string(&cursor, &string) && wt_msgpack_equals(string, "f"));
	assert_true(wt_msgpack_string(&cursor, &string) && wt_msgpack_equals(string, ""));
	assert_false(wt_msgpack_string(&cursor, &string));
	cursor = BYTES("\xc4\x01"
		       "a");
	assert_false(wt_msgpack_string(&cursor, &string));
	cursor = BYTES("\xdb\xff\xff\xff\xff"
		       "abc");
	assert_false(wt_msgpack_string(&cursor, &string));
}

static void test_numbers(void **state)
{
	static const uint64_t expected[] = {0,	 127,	 1,	     0,
					    200, 0x8001, 0x80000001, UINT64_MAX - 1,
					    5,	 0x7fff, 0x70000000, INT64_MAX};
	struct wt_cursor cursor = BYTES("\x00\x7f\xc3\xc2\xcc\xc8\xcd\x80\x01\xce\x80\x00\x00\x01"
					"\xcf\xff\xff\xff\xff\xff\xff\xff\xfe\xd0\x05\xd1\x7f\xff"
					"\xd2\x70\x00\x00\x00\xd3\x7f\xff\xff\xff\xff\xff\xff\xff");
	const char *const refused[] = {"\xff", "\xd0\x80", "\xd1\xff", "\xc0", "\2411", "\xca"};
	uint64_t value;

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		assert_true(wt_msgpack_unsigned(&cursor, &value));
		assert_true(value == expected[i]);
	}
	assert_false(wt_msgpack_unsigned(&cursor, &value));
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		cursor = wt_cursor_init(refused[i], strlen(refused[i]));
		assert_false(wt_msgpack_unsigned(&cursor, &value));
	}
}

static void test_skip(void **state)
{
	/* A map of an array, binary data, an extension, floats, nil, numbers and an empty map. */
	struct wt_cursor cursor =
		BYTES("\x82\xa1k\x98\xc4\x02zz\xc7\x01\x05z\xca____\xcb________\xc0"
		      "\xd4\x01_\xd1__\xe0\xa1v\x80\x2a");
	static const char *const refused[] = {"\xc1",
					      "\x91",
					      "\x81\xa1k",
					      "\xdd\xff\xff\xff\xff",
					      "\xdf\xff\xff\xff\xff\x01",
					      "\xc6\x01",
					      "\xd8\x01__",
					      "\xcb___",
					      "\xc9\xff\xff\xff\xff_"};
	uint8_t deep[100000];
	uint64_t value;

	(void)state;
	assert_true(wt_msgpack_skip(&cursor));
	assert_true(wt_msgpack_unsigned(&cursor, &value));
	assert_int_equal(value, 42);
	assert_int_equal(cursor.remaining, 0);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		cursor = wt_cursor_init(refused[i], strlen(refused[i]));
		assert_false(wt_msgpack_skip(&cursor));
	}
	memset(deep, 0x91, sizeof(deep));
	deep[sizeof(deep) - 1] = 0;
	cursor = wt_cursor_init(deep, sizeof(deep));
	assert_true(wt_msgpack_skip(&cursor));
	assert_int_equal(cursor.remaining, 0);
}

static struct wt_buffer document;

/* Short documents: maps, arrays and strings of up to 15 elements or 31 bytes. */
static void byte(uint32_t value)
{
	uint8_t one = (uint8_t)value;

	wt_buffer_append(&document, &one, 1);
}

static void map(uint32_t count)
{
	byte(0x80 | count);
}

static void array(uint32_t count)
{
	byte(0x90 | count);
}

static void number(uint32_t value)
{
	byte(0xcd);
	byte(value >> 8);
	byte(value);
}

static void text(const char *string)
{
	byte(0xa0 | (uint32_t)strlen(string));
	wt_buffer_append(&document, string, strlen(string));
}

static void append_argument(uint16_t offset, uint16_t size, const char *kind)
{
	map(4);
	text(".offset"), number(offset);
	text(".later"), array(1), map(0);
	text(".size"), number(size);
	text(".value_kind"), text(kind);
}

/* One kernel with 24 bytes of arguments. */
static void build(uint16_t last_size, const char *last_kind, bool with_symbol)
{
	wt_buffer_clear(&document);
	map(3);
	text("amdhsa.version"), array(2), number(1), number(2);
	text("amdhsa.target"), text("amdgcn-amd-amdhsa--gfx942");
	text("amdhsa.kernels"), array(1), map(6);
	text(".name"), text("k");
	text(with_symbol ? ".symbol" : ".sym"), text("k.kd");
	text(".kernarg_segment_size"), number(24);
	text(".reqd_workgroup_size"), array(3), number(64), number(2), number(1);
	text(".uses_dynamic_stack"), wt_buffer_append(&document, "\xc3", 1);
	text(".args"), array(2);
	append_argument(0, 8, "global_buffer");
	append_argument(16, last_size, last_kind);
}

static struct wt_error *parse(struct wt_metadata *metadata)
{
	return wt_metadata_parse(document.data, document.size, metadata);
}

static void test_kernel(void **state)
{
	const struct wt_kernel_metadata *kernel;
	struct wt_metadata metadata;

	(void)state;
	build(4, "hidden_group_size_y", true);
	assert_null(parse(&metadata));
	assert_string_equal(metadata.target, "amdgcn-amd-amdhsa--gfx942");
	assert_int_equal(metadata.kernel_count, 1);
	kernel = metadata.kernels;
	assert_string_equal(kernel->name, "k");
	assert_string_equal(kernel->symbol, "k.kd");
	assert_int_equal(kernel->kernarg_size, 24);
	assert_int_equal(kernel->required_workgroup[1], 2);
	assert_true(kernel->dynamic_stack);
	assert_false(kernel->uniform_workgroups);
	assert_int_equal(kernel->argument_count, 2);
	assert_int_equal(kernel->arguments[0].value, WT_VALUE_GLOBAL_BUFFER);
	assert_int_equal(kernel->arguments[1].value, WT_VALUE_HIDDEN_GROUP_SIZE_Y);
	assert_int_equal(kernel->arguments[1].offset, 16);
	assert_false(wt_kernel_argument_explicit(&kernel->arguments[1]));
	wt_metadata_deinit(&metadata);
}

static void test_kinds_not_known(void **state)
{
	struct wt_metadata metadata;

	(void)state;
	build(8, "image", true);
	assert_null(parse(&metadata));
	assert_int_equal(metadata.kernels[0].arguments[1].value, WT_VALUE_OTHER);
	assert_true(wt_kernel_argument_explicit(&metadata.kernels[0].arguments[1]));
	wt_metadata_deinit(&metadata);
	build(8, "hidden_future", true);
	assert_null(parse(&metadata));
	assert_int_equal(metadata.kernels[0].arguments[1].value, WT_VALUE_HIDDEN_OTHER);
	wt_metadata_deinit(&metadata);
}

static void test_mistakes(void **state)
{
	struct wt_metadata metadata;

	(void)state;
	build(9, "by_value", true);
	support_expect_error(parse(&metadata),
			     "argument 1, 9 bytes at 16, is not within the 24 bytes");
	build(4, "by_value", false);
	support_expect_error(parse(&metadata), "a kernel has no .name or no .symbol");
	wt_buffer_clear(&document);
	map(1), text("amdhsa.kernels"), array(1), map(1), text(".name"), text("a b");
	document.data[document.size - 2] = 0;
	support_expect_error(parse(&metadata), "no string where one must be");
	wt_buffer_clear(&document);
	array(1);
	support_expect_error(parse(&metadata), "no map where one must be");
	wt_buffer_clear(&document);
	map(1), text("amdhsa.kernels"), map(0);
	support_expect_error(parse(&metadata), "amdhsa.kernels is no array");
	wt_buffer_clear(&document);
	map(1), number(1), map(0);
	support_expect_error(parse(&metadata), "a key is no string");
}

/* Claims of billions of elements, in every place that takes a count. */
static void test_claims(void **state)
{
	struct wt_metadata metadata;

	(void)state;
	for (size_t at = 0; at < 3; at++) {
		wt_buffer_clear(&document);
		map(1), text("amdhsa.kernels");
		if (at == 1)
			array(1), map(1), text(".args");
		if (at == 2)
			array(1), map(1), text(".other");
		wt_buffer_append(&document, "\xdd\xff\xff\xff\xff\x80\x80\x80", 8);
		support_expect_error(parse(&metadata), "cannot read the code object's metadata");
	}
}

static void test_mutations(void **state)
{
	(void)state;
	build(4, "by_value", true);
	for (size_t i = 0; i < document.size; i++) {
		for (uint32_t value = 0; value < 256; value += 5) {
			struct wt_metadata metadata;
			uint8_t *copy = malloc(document.size);
			struct wt_error *error;

			memcpy(copy, document.data, document.size);
			copy[i] = (uint8_t)value;
			error = wt_metadata_parse(copy, document.size, &metadata);
			if (!error)
				wt_metadata_deinit(&metadata);
			wt_error_destroy(error);
			/* A document that ends early is never fine. */
			error = wt_metadata_parse(copy, i, &metadata);
			assert_non_null(error);
			wt_error_destroy(error);
			free(copy);
		}
	}
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),	  cmocka_unit_test(test_strings),
		cmocka_unit_test(test_numbers),	  cmocka_unit_test(test_skip),
		cmocka_unit_test(test_kernel),	  cmocka_unit_test(test_kinds_not_known),
		cmocka_unit_test(test_mistakes),  cmocka_unit_test(test_claims),
		cmocka_unit_test(test_mutations),
	};
	int failed = cmocka_run_group_tests_name("device-metadata", tests, NULL, NULL);

	wt_buffer_deinit(&document);
	return failed;
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run);
}
