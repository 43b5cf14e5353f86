/* SPDX-License-Identifier: MIT */
/* The library that keeps what HIP's runtime compiles, with a directory of its own: what is damaged there is made again. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */
#include <dirent.h>

#include "kept-comgr.c" /* NOLINT(bugprone-suspicious-include): its functions are the library's own */

#define SOURCE "int answer = NUMBER;\n"

static amd_comgr_data_set_t set_of(const char *name, const char *source)
{
	amd_comgr_data_set_t set;
	amd_comgr_data_t data;

	assert_int_equal(amd_comgr_create_data_set(&set), 0);
	if (!source)
		return set;
	assert_int_equal(amd_comgr_create_data(AMD_COMGR_DATA_KIND_SOURCE, &data), 0);
	assert_int_equal(amd_comgr_set_data(data, strlen(source), source), 0);
	assert_int_equal(amd_comgr_set_data_name(data, name), 0);
	assert_int_equal(amd_comgr_data_set_add(set, data), 0);
	amd_comgr_release_data(data);
	return set;
}

/* The text that the preprocessor makes of the source, through the library; the caller frees it. */
static char *preprocess(const char *option)
{
	amd_comgr_data_set_t input = set_of("answer.cl", SOURCE), result = set_of(NULL, NULL);
	struct content content = {.bytes = NULL};
	amd_comgr_action_info_t info;

	assert_int_equal(amd_comgr_create_action_info(&info), 0);
	assert_int_equal(amd_comgr_action_info_set_isa_name(info, "amdgcn-amd-amdhsa--gfx90a"), 0);
	assert_int_equal(amd_comgr_action_info_set_language(info, AMD_COMGR_LANGUAGE_OPENCL_1_2),
			 0);
	assert_int_equal(amd_comgr_action_info_set_option_list(info, &option, 1), 0);
	assert_int_equal(
		amd_comgr_do_action(AMD_COMGR_ACTION_SOURCE_TO_PREPROCESSOR, info, input, result),
		0);
	assert_true(content_read(result, AMD_COMGR_DATA_KIND_SOURCE, 0, &content));
	content.bytes[content.head.size] = 0;
	amd_comgr_destroy_action_info(info);
	amd_comgr_destroy_data_set(input);
	amd_comgr_destroy_data_set(result);
	return content.bytes;
}

static void expect(const char *option, const char *wanted)
{
	char *text = preprocess(option);

	assert_non_null(strstr(text, wanted));
	free(text);
}

/* How many files are kept, and the path of one; where @removes says so they are gone then. */
static size_t kept_find(char path[MAX_TEXT], bool removes)
{
	DIR *directory = opendir(WT_KEPT);
	struct dirent *entry;
	size_t count = 0;

	while (directory && (entry = readdir(directory))) {
		if (*entry->d_name == '.')
			continue;
		snprintf(path, MAX_TEXT, WT_KEPT "/%s", entry->d_name);
		count++;
		if (removes)
			assert_int_equal(unlink(path), 0);
	}
	if (directory)
		closedir(directory);
	return count;
}

static ino_t file_number(const char *path, off_t *size_ret)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	*size_ret = status.st_size;
	return status.st_ino;
}

static void test_kept(void **state)
{
	char path[MAX_TEXT];
	off_t size;
	ino_t first;

	(void)state;
	kept_find(path, true);
	expect("-DNUMBER=42", "int answer = 42");
	assert_int_equal(kept_find(path, false), 1);
	first = file_number(path, &size);
	/* The second time it is taken, and not written again. */
	expect("-DNUMBER=42", "int answer = 42");
	assert_int_equal(file_number(path, &size), first);
	expect("-DNUMBER=43", "int answer = 43");
	assert_int_equal(kept_find(path, false), 2);
}

/* Changes the lowest bit of a byte. */
static void file_spoil(const char *path, off_t at)
{
	FILE *file = fopen(path, "r+");
	int byte;

	assert_non_null(file);
	assert_int_equal(fseek(file, at, SEEK_SET), 0);
	byte = fgetc(file);
	assert_int_equal(fseek(file, at, SEEK_SET), 0);
	assert_int_equal(fputc(byte ^ 1, file), byte ^ 1);
	assert_int_equal(fclose(file), 0);
}

static void test_damaged(void **state)
{
	char path[MAX_TEXT];
	off_t whole, size;

	(void)state;
	kept_find(path, true);
	expect("-DNUMBER=42", "int answer = 42");
	assert_int_equal(kept_find(path, false), 1);
	file_number(path, &whole);
	for (off_t part = 0; part < 8; part++) {
		assert_int_equal(truncate(path, whole * part / 8), 0);
		expect("-DNUMBER=42", "int answer = 42");
		file_number(path, &size);
		assert_int_equal(size, whole);
		file_spoil(path, whole * part / 8);
		expect("-DNUMBER=42", "int answer = 42");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
