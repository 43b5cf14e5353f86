/* SPDX-License-Identifier: MIT */
/* What is mapped in the recorded program, when something goes wrong meanwhile. What it is read from is made up here. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"
#include <elfutils/libdwelf.h>

#include "recorder/host/gathering.h"
#include "recorder/host/reserved.h"

static char maps[8192];
static unsigned int texts, text_that_fails; /* from 1; 0: none */
static const char *cut_path;		    /* made shorter while it is read */

char *wt_gathering_text(struct wt_gathering *gathering, const char *text, size_t size)
{
	char *copy = ++texts == text_that_fails ? NULL : strndup(text, size);

	gathering->no_memory |= !copy;
	return copy;
}

bool wt_gathering_read(const struct wt_gathering *gathering, const char *name, size_t limit,
		       struct wt_buffer *text)
{
	(void)gathering;
	(void)limit;
	assert_string_equal(name, "maps");
	wt_buffer_append(text, maps, strlen(maps) + 1);
	return !text->failed;
}

bool wt_gathering_is_over(struct wt_gathering *gathering)
{
	(void)gathering;
	return false;
}

void wt_gathering_missing(struct wt_gathering *gathering, const char *format, ...)
{
	(void)gathering;
	fail_msg("%s", format);
}

ssize_t __real_dwelf_elf_gnu_build_id(Elf *elf, const void **bits);
ssize_t __wrap_dwelf_elf_gnu_build_id(Elf *elf, const void **bits);

ssize_t __wrap_dwelf_elf_gnu_build_id(Elf *elf, const void **bits)
{
	if (cut_path)
		assert_int_equal(truncate(cut_path, 64), 0);
	return __real_dwelf_elf_gnu_build_id(elf, bits);
}

static struct wt_gathering gather(void)
{
	struct wt_gathering gathering = {.host = wt_host_create(), .process = (uint64_t)getpid()};

	assert_non_null(gathering.host);
	texts = 0;
	wt_gather_maps(&gathering);
	return gathering;
}

static void without_memory_for_a_name_the_rest_is_read(void **state)
{
	struct wt_gathering gathering;

	(void)state;
	snprintf(maps, sizeof(maps),
		 "1000-2000 r--p 00000000 08:01 7 /no/such\n"
		 "2000-3000 r-xp 00001000 08:01 7 /no/such\n"
		 "3000-4000 rw-p 00000000 00:00 0 \n");
	for (text_that_fails = 0; text_that_fails <= 3; text_that_fails++) {
		gathering = gather();
		assert_int_equal(gathering.no_memory, text_that_fails > 0);
		assert_int_equal(gathering.host->maps_count, 3);
		assert_int_equal(gathering.host->maps[2].start, 0x3000);
		wt_host_destroy(gathering.host);
	}
	text_that_fails = 0;
}

/* A copy of this program, with its build id, which nobody keeps from being cut. */
static void copy_self(const char *path)
{
	char command[512];

	snprintf(command, sizeof(command), "cp /proc/%d/exe '%s'", (int)getpid(), path);
	assert_int_equal(system(command), 0);
}

static void a_file_that_is_cut_meanwhile_has_no_build_id(void **state)
{
	const char *directory = getenv("TMPDIR");
	struct wt_gathering gathering;
	struct stat status;
	char path[256];

	(void)state;
	snprintf(path, sizeof(path), "%s/wavetape-maps-%d", directory ? directory : "/tmp",
		 (int)getpid());
	copy_self(path);
	assert_int_equal(stat(path, &status), 0);
	snprintf(maps, sizeof(maps), "1000-2000 r--p 00000000 08:01 %llu %s\n",
		 (unsigned long long)status.st_ino, path);
	gathering = gather();
	assert_true(gathering.host->maps[0].build_id_size > 0);
	wt_host_destroy(gathering.host);
	cut_path = path;
	gathering = gather();
	cut_path = NULL;
	assert_int_equal(gathering.host->maps_count, 1);
	assert_int_equal(gathering.host->maps[0].build_id_size, 0);
	wt_host_destroy(gathering.host);
	unlink(path);
}

/* Memory of a device that the program itself may not touch is no reservation, nor is what a library keeps others from writing. */
static void only_what_has_no_name_and_no_access_is_reserved(void **state)
{
	static const struct {
		uint64_t address;
		bool reserved;
	} cases[] = {{0xfff, false},  {0x1000, true},  {0x2fff, true},	{0x3000, false},
		     {0x5000, false}, {0x7000, false}, {0x9000, false}, {0xa800, true},
		     {0xb000, false}, {0xc000, true},  {0xd000, false}};
	struct wt_reserved reserved;

	(void)state;
	snprintf(maps, sizeof(maps),
		 "1000-2000 ---p 00000000 00:00 0 \n"
		 "2000-3000 ---p 00000000 00:00 0 \n"
		 "5000-6000 rw-p 00000000 00:00 0 \n"
		 "7000-8000 ---p 00100000 00:06 412 /dev/dri/renderD128\n"
		 "9000-a000 ---s 00000000 00:00 0 \n"
		 "a000-b000 ---p 00000000 00:00 0\n"
		 "no line of maps\n"
		 "c000-d000 ---p 00000000 00:00 0 \n");
	wt_reserved_read((uint64_t)getpid(), &reserved);
	assert_int_equal(reserved.count, 4);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(wt_reserved_has(&reserved, cases[i].address), cases[i].reserved);
	wt_reserved_deinit(&reserved);
	assert_false(wt_reserved_has(&reserved, 0x1000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_memory_for_a_name_the_rest_is_read),
		cmocka_unit_test(a_file_that_is_cut_meanwhile_has_no_build_id),
		cmocka_unit_test(only_what_has_no_name_and_no_access_is_reserved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
