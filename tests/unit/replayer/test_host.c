/* SPDX-License-Identifier: MIT */
/* What debuggers are given in place of what was recorded: copies of code objects, and their memory. */
#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "replayer/code/elf-copy.h"
#include "replayer/code/extract-code.h"
#include "replayer/recorded/images.h"
#include "replayer/code/needed.h"

static uint8_t *kernel;
static size_t kernel_size;
static char folder[] = "/tmp/wavetape-test-XXXXXX";

static int load_kernel(void **state)
{
	FILE *file = fopen(getenv("WT_KERNEL"), "rb");
	long size;

	(void)state;
	if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) <= 0)
		return 1;
	rewind(file);
	kernel_size = (size_t)size;
	kernel = malloc(kernel_size);
	if (!kernel || fread(kernel, 1, kernel_size, file) != kernel_size || !mkdtemp(folder))
		return 1;
	fclose(file);
	return 0;
}

static int unload_kernel(void **state)
{
	char command[64];

	(void)state;
	free(kernel);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static uint8_t *copy_of(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	assert_non_null(copy);
	memcpy(copy, data, size);
	return copy;
}

static void test_drop_debug_frame(void **state)
{
	wt_cleanup_free uint8_t *copy = copy_of(kernel, kernel_size);
	size_t differing = 0;

	(void)state;
	assert_true(wt_elf_has_debug_frame(copy, kernel_size));
	assert_true(wt_elf_drop_debug_frame(copy, kernel_size));
	assert_false(wt_elf_has_debug_frame(copy, kernel_size));
	assert_false(wt_elf_drop_debug_frame(copy, kernel_size));
	for (size_t i = 0; i < kernel_size; i++)
		differing += copy[i] != kernel[i];
	/* One section header, and nothing else. */
	assert_in_range(differing, 1, sizeof(Elf64_Shdr));
}

/* Several of them, under each of their names: a debugger would read any. */
static void test_drop_all_frames(void **state)
{
	static const char *const names[] = {".debug_frame", ".eh_frame", ".zdebug_frame"};
	wt_cleanup_free uint8_t *copy = copy_of(kernel, kernel_size);
	size_t renamed = 0, count = sizeof(names) / sizeof(*names);
	Elf64_Ehdr header;
	Elf64_Shdr strings;

	(void)state;
	memcpy(&header, copy, sizeof(header));
	memcpy(&strings, copy + header.e_shoff + header.e_shstrndx * sizeof(strings),
	       sizeof(strings));
	/* Sections of other names get these, in turns, where they fit. */
	for (size_t i = 1; i < header.e_shnum; i++) {
		Elf64_Shdr section;
		char *name;

		memcpy(&section, copy + header.e_shoff + i * sizeof(section), sizeof(section));
		name = (char *)copy + strings.sh_offset + section.sh_name;
		if (!strncmp(name, ".debug_", 7) && strlen(name) >= strlen(names[renamed % count]))
			strcpy(name, names[renamed++ % count]);
	}
	assert_in_range(renamed, count, header.e_shnum);
	assert_true(wt_elf_drop_debug_frame(copy, kernel_size));
	assert_false(wt_elf_has_debug_frame(copy, kernel_size));
}

/* Cut anywhere, and no byte past the end is touched: the sanitizer watches. */
static void test_cut_images(void **state)
{
	(void)state;
	for (size_t size = 0; size < kernel_size; size += 1 + size / 32) {
		wt_cleanup_free uint8_t *copy = copy_of(kernel, size);

		wt_elf_drop_debug_frame(copy, size);
		assert_int_equal(wt_elf_set_machine(copy, size, 0x3f), size >= sizeof(Elf64_Ehdr));
	}
}

static void test_wild_headers(void **state)
{
	(void)state;
	for (size_t byte = 0; byte < sizeof(Elf64_Ehdr); byte++) {
		wt_cleanup_free uint8_t *copy = copy_of(kernel, kernel_size);

		copy[byte] = 0xff;
		wt_elf_drop_debug_frame(copy, kernel_size);
	}
}

static void test_machine(void **state)
{
	wt_cleanup_free uint8_t *copy = copy_of(kernel, kernel_size);
	Elf64_Ehdr before, after;

	(void)state;
	assert_true(wt_elf_set_machine(copy, kernel_size, 0x3f));
	memcpy(&before, kernel, sizeof(before));
	memcpy(&after, copy, sizeof(after));
	assert_int_equal(after.e_flags & 0xff, 0x3f);
	assert_int_equal(after.e_flags >> 8, before.e_flags >> 8);
	copy[EI_CLASS] = ELFCLASS32;
	assert_false(wt_elf_set_machine(copy, kernel_size, 0x3f));
}

static char *in_folder(const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
	return path;
}

static void test_extract(void **state)
{
	wt_cleanup_free char *directory = in_folder("new/wavetape");
	const char *const directories[] = {directory, NULL};
	wt_cleanup_free char *path = NULL, *again = NULL;
	struct stat first, second;

	(void)state;
	assert_null(wt_extract(directories, "abc", 3, &path));
	assert_int_equal(stat(path, &first), 0);
	assert_int_equal(first.st_size, 3);
	assert_int_equal(first.st_mode & 0777, 0600);
	/* BLAKE2b-256 of "abc". */
	assert_string_equal(strrchr(path, '/') + 1,
			    "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319.elf");
	assert_null(wt_extract(directories, "abc", 3, &again));
	assert_string_equal(path, again);
	assert_int_equal(stat(path, &second), 0);
	assert_int_equal(first.st_ino, second.st_ino);
}

/* The first directory is a trap of some kind; the second is taken. */
static void test_extract_elsewhere(void **state)
{
	wt_cleanup_free char *link = in_folder("link"), *target = in_folder("target");
	wt_cleanup_free char *open = in_folder("open"), *good = in_folder("good");
	wt_cleanup_free char *path = NULL, *other = NULL;
	const char *const first[] = {link, good, NULL}, *const second[] = {open, good, NULL};
	const char *const neither[] = {link, open, NULL};
	struct wt_error *error;

	(void)state;
	assert_int_equal(mkdir(target, 0700), 0);
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(mkdir(open, 0700), 0);
	assert_int_equal(chmod(open, 0755), 0);
	assert_null(wt_extract(first, "x", 1, &path));
	assert_memory_equal(path, good, strlen(good));
	assert_null(wt_extract(second, "x", 1, &other));
	assert_string_equal(path, other);
	error = wt_extract(neither, "x", 1, &other);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_IO);
	assert_string_equal(error->where, open);
	wt_error_destroy(error);
}

/* What is there under the name is looked at before it is believed. */
static void test_extract_over(void **state)
{
	wt_cleanup_free char *directory = in_folder("over");
	wt_cleanup_free char *path = NULL, *again = NULL;
	const char *const directories[] = {directory, NULL};
	struct stat status;

	(void)state;
	assert_null(wt_extract(directories, "right", 5, &path));
	unlink(path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_null(wt_extract(directories, "right", 5, &again));
	assert_int_equal(lstat(path, &status), 0);
	assert_true(S_ISREG(status.st_mode));
	assert_int_equal(status.st_size, 5);
}

static void test_uri(void **state)
{
	wt_cleanup_free char *plain = wt_extract_uri("/a/b-c_d.e~1"),
			     *odd = wt_extract_uri("/ %#?&\xc3");

	(void)state;
	assert_string_equal(plain, "file:///a/b-c_d.e~1");
	assert_string_equal(odd, "file:///%20%25%23%3F%26%C3");
}

static void test_needed(void **state)
{
	struct wt_needed self = wt_needed_find("/proc/self/exe", "libcmocka.so.0");

	(void)state;
	assert_true(self.program);
	assert_true(self.needs);
	assert_false(wt_needed_find("/proc/self/exe", "libcmocka.so").needs);
	assert_false(wt_needed_find(getenv("WT_KERNEL"), "libc.so.6").needs);
	assert_false(wt_needed_find("/etc/passwd", "libc.so.6").program);
	assert_false(wt_needed_find("/", "libc.so.6").program);
	assert_false(wt_needed_find("/nowhere", "libc.so.6").program);
}

static void test_images_read(void **state)
{
	const uint8_t one[] = "abcd", two[] = "efgh";
	struct wt_image_range ranges[] = {{.address = 100, .size = 4, .data = one},
					  {.address = 104, .size = 4, .data = two},
					  {.address = UINT64_MAX - 1, .size = 2, .data = one}};
	const struct wt_images images = {.ranges = ranges, .count = 3};
	char read[16] = "";

	(void)state;
	assert_int_equal(wt_images_read(&images, 102, read, 4), 4);
	assert_memory_equal(read, "cdef", 4);
	assert_int_equal(wt_images_read(&images, 106, read, 4), 2);
	assert_memory_equal(read, "gh", 2);
	assert_int_equal(wt_images_read(&images, 99, read, 4), 0);
	assert_int_equal(wt_images_read(&images, 108, read, 4), 0);
	assert_int_equal(wt_images_read(&images, UINT64_MAX, read, 4), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drop_debug_frame),
		cmocka_unit_test(test_drop_all_frames),
		cmocka_unit_test(test_cut_images),
		cmocka_unit_test(test_wild_headers),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_extract),
		cmocka_unit_test(test_extract_elsewhere),
		cmocka_unit_test(test_extract_over),
		cmocka_unit_test(test_uri),
		cmocka_unit_test(test_needed),
		cmocka_unit_test(test_images_read),
	};

	return cmocka_run_group_tests(tests, load_kernel, unload_kernel);
}
