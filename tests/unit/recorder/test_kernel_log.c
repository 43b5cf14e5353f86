/* SPDX-License-Identifier: MIT */
/* The kernel's log of GPUs: out of files that are made as the kernel makes them, and as it answers syslog(2). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <errno.h>
#include <sys/stat.h>

#include "tests/unit/with-cmocka.h"

#include "base/clock.h"
#include "recorder/host/kernel-log.h"

#define SYSLOG_READ_ALL 3
#define SYSLOG_SIZE_BUFFER 10

/* The kernel's answers; NULL is a refusal. */
static const char *answer;
static bool asked;

int __wrap_klogctl(int type, char *buffer, int size);
int __wrap_klogctl(int type, char *buffer, int size)
{
	asked = true;
	if (!answer) {
		errno = EPERM;
		return -1;
	}
	if (type == SYSLOG_SIZE_BUFFER)
		return 4096;
	assert_int_equal(type, SYSLOG_READ_ALL);
	assert_true(strlen(answer) <= (size_t)size);
	memcpy(buffer, answer, strlen(answer));
	return (int)strlen(answer);
}

/* ---- A root with the files ---- */

static char root[64];

static char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s%s", root, name);
	return path;
}

static void make_folders(const char *name)
{
	char *path = path_of(name);

	for (char *at = path + strlen(root) + 1; *at; at++)
		if (*at == '/') {
			*at = '\0';
			assert_true(!mkdir(path, 0700) || errno == EEXIST);
			*at = '/';
		}
	assert_true(!mkdir(path, 0700) || errno == EEXIST);
}

static void make_link(const char *name, const char *target)
{
	assert_int_equal(symlink(target, path_of(name)), 0);
}

static int set_up(void **state)
{
	(void)state;
	answer = NULL;
	asked = false;
	strcpy(root, "/tmp/wt-kernel-log-XXXXXX");
	assert_non_null(mkdtemp(root));
	make_folders("/dev");
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command);
}

static FILE *log_open(void)
{
	FILE *file = fopen(path_of("/dev/kmsg"), "w");

	assert_non_null(file);
	return file;
}

/* A record of now. */
static void put_record(FILE *file, unsigned int priority, const char *text)
{
	fprintf(file, "%u,1234,%llu,-;%s\n", priority, (unsigned long long)wt_clock_ns() / 1000,
		text);
}

static struct wt_gathering begin(void)
{
	struct wt_gathering gathering = {
		.host = wt_host_create(),
		.process = (uint64_t)getpid(),
		.deadline = UINT64_MAX,
		.names = true,
		.alive = true,
	};

	assert_non_null(gathering.host);
	gathering.host->time = 5000000000;
	return gathering;
}

static void expect_missing(const struct wt_gathering *gathering, const char *text)
{
	assert_int_equal(gathering->host->missing_count, text ? 1 : 0);
	if (text)
		assert_string_equal(gathering->host->missing[0], text);
	assert_false(gathering->no_memory);
}

/* ---- Tests ---- */

static void test_records(void **state)
{
	struct wt_gathering gathering = begin();
	FILE *file = log_open();

	(void)state;
	/* The machine began long before this program, unless it has just begun. */
	if (wt_clock_ns() > UINT64_C(120000000000))
		fputs("4,1,17000000,-;amdgpu 0000:03:00.0: amdgpu: from before\n", file);
	put_record(file, 6, "usb 1-1: new device");
	put_record(file, 3, "amdgpu 0000:03:00.0: amdgpu: [gfxhub0] page fault (pasid:32770)");
	fputs(" SUBSYSTEM=pci\n DEVICE=+pci:0000:03:00.0\n", file);
	put_record(file, 12, "amdgpu: a line that a program wrote");
	put_record(file, 4, "kfd kfd: \\x1b[31mqueue reset");
	fputs("nonsense; amdgpu\n,,,;amdgpu\n4,99999999999999999999,1,-;amdgpu\n4,1;amdgpu", file);
	fclose(file);
	wt_gather_kernel_log(&gathering, root);
	assert_int_equal(gathering.host->kernel_lines_count, 2);
	assert_string_equal(gathering.host->kernel_lines[0].text,
			    "amdgpu 0000:03:00.0: amdgpu: [gfxhub0] page fault (pasid:32770)");
	assert_string_equal(gathering.host->kernel_lines[1].text, "kfd kfd: \\x1b[31mqueue reset");
	/* They were logged just now, which is 5 s after the trace began. */
	assert_true(gathering.host->kernel_lines[1].time > 4000000000 &&
		    gathering.host->kernel_lines[1].time <= 5000000000);
	expect_missing(&gathering, NULL);
	assert_false(asked);
	wt_host_destroy(gathering.host);
}

/* As much as a GPU that fails again and again leaves: the end of it is kept, within bounds. */
static void test_much(void **state)
{
	struct wt_gathering gathering = begin();
	size_t bytes = 0, count;
	FILE *file = log_open();
	char text[128], expected[128];

	(void)state;
	for (unsigned int i = 0; i < 20000; i++) {
		snprintf(text, sizeof(text), "amdgpu 0000:03:00.0: amdgpu: line %u of 20000: %60s",
			 i, "");
		put_record(file, 4, text);
	}
	fclose(file);
	wt_gather_kernel_log(&gathering, root);
	count = gathering.host->kernel_lines_count;
	for (size_t i = 0; i < count; i++)
		bytes += strlen(gathering.host->kernel_lines[i].text);
	assert_true(count <= 512 && bytes <= 65536 && bytes > 40000);
	assert_string_equal(gathering.host->kernel_lines[count - 1].text, text);
	snprintf(expected, sizeof(expected),
		 "%zu earlier lines of the kernel's log: the last %zu were kept", 20000 - count,
		 count);
	expect_missing(&gathering, expected);
	wt_host_destroy(gathering.host);
}

/* A line that no kernel writes: longer than a record, and than a text that is kept. */
static void test_long_lines(void **state)
{
	struct wt_gathering gathering = begin();
	FILE *file = log_open();
	char *text = malloc(200001);

	(void)state;
	assert_non_null(text);
	memset(text, 'x', 200000);
	text[200000] = '\0';
	put_record(file, 4, text);
	text[9000] = '\0';
	memcpy(text, "amdgpu", 6);
	put_record(file, 4, text);
	put_record(file, 4, "amdgpu behind it");
	fclose(file);
	wt_gather_kernel_log(&gathering, root);
	assert_int_equal(gathering.host->kernel_lines_count, 2);
	assert_int_equal(strlen(gathering.host->kernel_lines[0].text), WT_HOST_TEXT);
	assert_string_equal(gathering.host->kernel_lines[1].text, "amdgpu behind it");
	free(text);
	wt_host_destroy(gathering.host);
}

/* A container may have something else there: a terminal, whose input is not ours. */
static void test_no_log(void **state)
{
	struct wt_gathering gathering = begin();

	(void)state;
	assert_int_equal(mkfifo(path_of("/dev/kmsg"), 0600), 0);
	wt_gather_kernel_log(&gathering, root);
	assert_true(asked);
	assert_int_equal(gathering.host->kernel_lines_count, 0);
	expect_missing(&gathering, "the kernel's log: Operation not permitted");
	wt_host_destroy(gathering.host);
}

static void test_syslog(void **state)
{
	struct wt_gathering gathering = begin();
	unsigned long long now = wt_clock_ns() / 1000;
	char text[1024];

	(void)state;
	snprintf(text, sizeof(text),
		 "<6>[%5llu.%06llu] usb 1-1: new device\n"
		 "<3>[%5llu.%06llu] amdgpu 0000:03:00.0: amdgpu: ring gfx timeout\n"
		 "<3>[%5llu.%06llu][  T123] [drm:amdgpu_job_timedout [amdgpu]] *ERROR*\n"
		 "<12>[%5llu.%06llu] amdgpu of a program\n"
		 "amdgpu\n<3>amdgpu\n<3>[\n<3>[amdgpu]\n<3>[1.2",
		 now / 1000000, now % 1000000, now / 1000000, now % 1000000, now / 1000000,
		 now % 1000000, now / 1000000, now % 1000000);
	answer = text;
	wt_gather_kernel_log(&gathering, root);
	assert_int_equal(gathering.host->kernel_lines_count, 2);
	assert_string_equal(gathering.host->kernel_lines[0].text,
			    "amdgpu 0000:03:00.0: amdgpu: ring gfx timeout");
	assert_string_equal(gathering.host->kernel_lines[1].text,
			    "[drm:amdgpu_job_timedout [amdgpu]] *ERROR*");
	expect_missing(&gathering, NULL);
	wt_host_destroy(gathering.host);
}

/* Lines name other people's programs. */
static void test_redacted(void **state)
{
	struct wt_gathering gathering = begin();
	FILE *file = log_open();

	(void)state;
	put_record(file, 4, "amdgpu: process secret pid 12");
	fclose(file);
	gathering.names = false;
	wt_gather_kernel_log(&gathering, root);
	assert_int_equal(gathering.host->kernel_lines_count, 0);
	assert_false(asked);
	expect_missing(&gathering, "the kernel's log: it was not to be taken (redact)");
	wt_host_destroy(gathering.host);
}

/* Two GPUs and a network card that have left dumps, and a GPU that has left none. */
static void test_dumps(void **state)
{
	struct wt_gathering gathering = begin();

	(void)state;
	fclose(log_open());
	make_folders("/sys/bus/amdgpu");
	make_folders("/sys/bus/wifi");
	make_folders("/sys/devices/gpu0");
	make_folders("/sys/devices/gpu1");
	make_folders("/sys/devices/net");
	make_link("/sys/devices/gpu0/driver", "../../bus/amdgpu");
	make_link("/sys/devices/gpu1/driver", "../../bus/amdgpu");
	make_link("/sys/devices/net/driver", "../../bus/wifi");
	make_folders("/sys/devices/virtual/devcd1");
	make_folders("/sys/devices/virtual/devcd2");
	make_link("/sys/devices/virtual/devcd1/failing_device", "../../gpu0");
	make_link("/sys/devices/virtual/devcd2/failing_device", "../../net");
	make_link("/sys/devices/gpu0/devcoredump", "../virtual/devcd1");
	make_folders("/sys/devices/gpu1/devcoredump");
	make_folders("/sys/class/devcoredump");
	make_link("/sys/class/devcoredump/devcd1", "../../devices/virtual/devcd1");
	make_link("/sys/class/devcoredump/devcd2", "../../devices/virtual/devcd2");
	make_folders("/sys/class/drm/card0");
	make_folders("/sys/class/drm/card1");
	make_folders("/sys/class/drm/card2");
	make_link("/sys/class/drm/card0/device", "../../../devices/gpu0");
	make_link("/sys/class/drm/card1/device", "../../../devices/gpu1");
	make_link("/sys/class/drm/card2/device", "../../../devices/gpu2");
	wt_gather_kernel_log(&gathering, root);
	assert_int_equal(gathering.host->device_dumps_count, 2);
	assert_string_equal(gathering.host->device_dumps[0], "/sys/class/devcoredump/devcd1");
	assert_string_equal(gathering.host->device_dumps[1],
			    "/sys/class/drm/card1/device/devcoredump");
	expect_missing(&gathering, NULL);
	wt_host_destroy(gathering.host);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_records), TEST(test_much),	 TEST(test_long_lines), TEST(test_no_log),
		TEST(test_syslog),  TEST(test_redacted), TEST(test_dumps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
