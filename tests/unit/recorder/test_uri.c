/* SPDX-License-Identifier: MIT */

#include "tests/unit/with-cmocka.h"

#include "base/uri.h"

static void good_ones(void **state)
{
	static const struct {
		const char *text;
		struct wt_uri uri;
	} cases[] = {
		{"file:///dir1/dir2/file1",
		 {.kind = WT_URI_FILE, .path = (char *)"/dir1/dir2/file1"}},
		{"file:///dir3/dir4/file2#offset=0x2000&size=3000",
		 {.kind = WT_URI_FILE,
		  .path = (char *)"/dir3/dir4/file2",
		  .has_range = true,
		  .offset = 0x2000,
		  .size = 3000}},
		{"file:///a?offset=0&size=010",
		 {.kind = WT_URI_FILE, .path = (char *)"/a", .has_range = true, .size = 8}},
		{"file:///with%20blank%25%C3%A4",
		 {.kind = WT_URI_FILE, .path = (char *)"/with blank%\xc3\xa4"}},
		{"file://relative", {.kind = WT_URI_FILE, .path = (char *)"relative"}},
		{"memory://1234#offset=0x20000&size=3000",
		 {.kind = WT_URI_MEMORY,
		  .process = 1234,
		  .has_range = true,
		  .offset = 0x20000,
		  .size = 3000}},
		{"memory://1?offset=0XfF&size=0xffffffffffffffff",
		 {.kind = WT_URI_MEMORY,
		  .process = 1,
		  .has_range = true,
		  .offset = 255,
		  .size = UINT64_MAX}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct wt_uri *expected = &cases[i].uri;
		struct wt_uri uri;

		assert_null(wt_uri_parse(cases[i].text, &uri));
		assert_int_equal(uri.kind, expected->kind);
		if (expected->path)
			assert_string_equal(uri.path, expected->path);
		else
			assert_null(uri.path);
		assert_int_equal(uri.process, expected->process);
		assert_int_equal(uri.has_range, expected->has_range);
		assert_true(uri.offset == expected->offset);
		assert_true(uri.size == expected->size);
		wt_uri_deinit(&uri);
	}
}

static void bad_ones(void **state)
{
	static const char *const cases[] = {
		"",
		"/plain/path",
		"http://x",
		"file:",
		"file://",
		"file://#offset=0&size=1",
		"file:///a#",
		"file:///a#offset=1",
		"file:///a#size=1&offset=1",
		"file:///a#offset=1&size=",
		"file:///a#offset=-1&size=1",
		"file:///a#offset= 1&size=1",
		"file:///a#offset=1&size=1x",
		"file:///a#offset=1&size=1#",
		"file:///a#offset=09&size=1",
		"file:///a#offset=0x&size=1",
		"file:///a#offset=1&size=0x10000000000000000",
		"file:///a%",
		"file:///a%4",
		"file:///a%zz",
		"file:///a%00b",
		"memory://",
		"memory://12",
		"memory://0x12#offset=0&size=1",
		"memory://#offset=0&size=1",
		"memory://12#offset=0",
		"memory://-1#offset=0&size=1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct wt_uri uri = {0};
		struct wt_error *error = wt_uri_parse(cases[i], &uri);

		if (!error)
			fail_msg("accepted: %s", cases[i]);
		assert_int_equal(error->code, WT_ERROR_INPUT);
		assert_null(uri.path);
		wt_error_destroy(error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(good_ones), cmocka_unit_test(bad_ones)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
