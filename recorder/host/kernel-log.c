/* SPDX-License-Identifier: MIT */
/*
 * Lines that the kernel has logged of AMD's GPUs since the program began, and the dumps that it keeps of such devices. The log is read from
 * /dev/kmsg, else asked for by syslog(2), which a container may allow where it has no such file. Lines are data: nothing in them is obeyed.
 */
#include "recorder/host/kernel-log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

/* How much is read, of which what was logged last is kept. */
#define TIME_LIMIT_NS UINT64_C(100000000)
#define READ_MAX ((size_t)8 << 20)
#define KEPT_BYTES ((size_t)64 << 10)
#define KEPT_LINES 512u
#define DUMPS_MOST 16u

/* One read gives one record, and refuses a buffer that is too small for it: the kernel's limit is 8192 (CONSOLE_EXT_LOG_MAX). */
#define RECORD_MAX ((size_t)16 << 10)

/* linux/mem.h of the kernel's documentation: major 1, minor 11 are /dev/kmsg. */
#define KMSG_MAJOR 1u
#define KMSG_MINOR 11u

/* Numbers of syslog(2). */
#define SYSLOG_READ_ALL 3
#define SYSLOG_SIZE_BUFFER 10

#define SECOND INT64_C(1000000000)

static const char subject[] = "the kernel's log";

struct kernel_log {
	struct wt_gathering *gathering;
	int64_t begin; /* of the program, on the kernel's clock, in nanoseconds; a bit earlier, for its clock drifts */
	int64_t now;	/* on that clock */
	size_t bytes;	/* of the lines that are kept */
	size_t dropped; /* lines */
};

/* ---- Lines ---- */

static void log_drop_first(struct kernel_log *log)
{
	struct wt_host *host = log->gathering->host;

	log->bytes -= strlen(host->kernel_lines[0].text);
	free(host->kernel_lines[0].text);
	host->kernel_lines_count--;
	memmove(host->kernel_lines, host->kernel_lines + 1,
		host->kernel_lines_count * sizeof(*host->kernel_lines));
	log->dropped++;
}

/* Lines of GPU drivers: amdgpu names itself in all of its lines, and its part for computing is kfd. */
static bool line_is_of_gpu(const char *text, size_t size)
{
	return memmem(text, size, "amdgpu", 6) || memmem(text, size, "kfd", 3);
}

/* @time: nanoseconds on the kernel's clock. */
static void log_take_line(struct kernel_log *log, int64_t time, const char *text, size_t size)
{
	struct wt_host *host = log->gathering->host;
	struct wt_host_kernel_line *line;

	if (time < log->begin || !line_is_of_gpu(text, size))
		return;
	line = WT_HOST_ADD(host, kernel_lines);
	if (!line) {
		log->gathering->no_memory = true;
		return;
	}
	line->time = (int64_t)host->time - (log->now - time);
	line->text = wt_gathering_text(log->gathering, text, size);
	if (!line->text) {
		host->kernel_lines_count--;
		return;
	}
	log->bytes += strlen(line->text);
	while (log->bytes > KEPT_BYTES || host->kernel_lines_count > KEPT_LINES)
		log_drop_first(log);
}

/* A number in decimal, of so many digits that it does not overflow; @at is moved behind it. False if there is none. */
static bool line_take_number(const char **at, const char *end, int64_t *number_ret)
{
	const char *start = *at;

	*number_ret = 0;
	while (*at < end && **at >= '0' && **at <= '9' && *at - start < 15)
		*number_ret = *number_ret * 10 + (*(*at)++ - '0');
	return *at > start;
}

static bool line_take(const char **at, const char *end, char wanted)
{
	if (*at >= end || **at != wanted)
		return false;
	++*at;
	return true;
}

/* A record of /dev/kmsg: "PRIORITY,SEQUENCE,MICROSECONDS,FLAGS...;TEXT". Programs can write there, with another facility than the kernel's 0. */
static void log_take_record(struct kernel_log *log, const char *at, const char *end)
{
	int64_t priority, sequence, microseconds;
	const char *text;

	if (!line_take_number(&at, end, &priority) || !line_take(&at, end, ',') ||
	    !line_take_number(&at, end, &sequence) || !line_take(&at, end, ',') ||
	    !line_take_number(&at, end, &microseconds) || priority >= 8)
		return;
	text = memchr(at, ';', (size_t)(end - at));
	if (text)
		log_take_line(log, microseconds * 1000, text + 1, (size_t)(end - text - 1));
}

/* A line of syslog(2): "<PRIORITY>[SECONDS.MICROSECONDS] TEXT", with who wrote it in brackets behind the time where that is kept. */
static void log_take_printed(struct kernel_log *log, const char *at, const char *end)
{
	int64_t priority, seconds, microseconds;

	if (!line_take(&at, end, '<') || !line_take_number(&at, end, &priority) || priority >= 8 ||
	    !line_take(&at, end, '>') || !line_take(&at, end, '['))
		return;
	while (line_take(&at, end, ' '))
		;
	if (!line_take_number(&at, end, &seconds) || !line_take(&at, end, '.') ||
	    !line_take_number(&at, end, &microseconds) || !line_take(&at, end, ']'))
		return;
	if (line_take(&at, end, '[')) {
		const char *close = memchr(at, ']', (size_t)(end - at));

		at = close ? close + 1 : end;
	}
	line_take(&at, end, ' ');
	log_take_line(log, seconds * SECOND + microseconds * 1000, at, (size_t)(end - at));
}

/* Each whole line of a text. Return: the bytes that they are. */
static size_t log_take_lines(struct kernel_log *log, const char *text, size_t size,
			     void (*take)(struct kernel_log *log, const char *at, const char *end))
{
	size_t at = 0;

	while (at < size) {
		const char *end = memchr(text + at, '\n', size - at);

		if (!end)
			break;
		take(log, text + at, end);
		at = (size_t)(end - text) + 1;
	}
	return at;
}

/* ---- Where they come from ---- */

/* Other things may stand there: a container's may be a terminal, from which a read would take what is typed. */
static bool file_is_log(const struct stat *status)
{
	return S_ISREG(status->st_mode) ||
	       (S_ISCHR(status->st_mode) && status->st_rdev == makedev(KMSG_MAJOR, KMSG_MINOR));
}

/* Takes one piece more. Return: false at the end, or if nothing more comes. */
static bool kmsg_read(int fd, struct kernel_log *log, char *buffer, size_t *held)
{
	ssize_t got = read(fd, buffer + *held, 2 * RECORD_MAX - *held);
	size_t taken;

	/* EPIPE: records that would be next have been overwritten, and the next read gives the first that is there. */
	if (got < 0)
		return errno == EINTR || errno == EPIPE;
	*held += (size_t)got;
	taken = log_take_lines(log, buffer, *held, log_take_record);
	/* A line that is longer than any record can be is none. */
	if (!taken && *held > RECORD_MAX)
		taken = *held;
	*held -= taken;
	memmove(buffer, buffer + taken, *held);
	return got > 0;
}

/* Return: 0, or why it cannot be read. */
static int log_read_kmsg(struct kernel_log *log, const char *path)
{
	uint64_t deadline = wt_clock_ns() + TIME_LIMIT_NS;
	wt_cleanup_close int fd = -1;
	wt_cleanup_free char *buffer = NULL;
	size_t held = 0;
	struct stat status;

	if (stat(path, &status))
		return errno;
	if (!file_is_log(&status))
		return ENODEV;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno;
	if (fstat(fd, &status) || !file_is_log(&status))
		return ENODEV;
	buffer = malloc(2 * RECORD_MAX);
	if (!buffer) {
		log->gathering->no_memory = true;
		return 0;
	}
	while (kmsg_read(fd, log, buffer, &held))
		if (wt_clock_ns() >= deadline) {
			wt_gathering_missing(log->gathering,
					     "the end of %s: the time for it was over", subject);
			break;
		}
	return 0;
}

/* A filter of system calls may end a program for one that it does not know; where there is one, nothing is risked. */
static bool process_is_filtered(void)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	const char *line;

	if (!wt_gathering_read_file("/proc/self/status", WT_HOST_TEXT, &text))
		return true;
	line = strstr((const char *)text.data, "\nSeccomp:");
	return line && line[strcspn(line + 1, "0123456789\n") + 1] != '0';
}

static int log_ask_kernel(struct kernel_log *log)
{
	wt_cleanup_free char *text = NULL;
	int size, got;

	if (process_is_filtered())
		return EPERM;
	size = klogctl(SYSLOG_SIZE_BUFFER, NULL, 0);
	if (size < 0)
		return errno;
	/* The kernel fills a buffer that is too small with what was logged last. */
	if ((size_t)size > READ_MAX)
		size = (int)READ_MAX;
	text = malloc((size_t)size + 1);
	if (!text) {
		log->gathering->no_memory = true;
		return 0;
	}
	got = klogctl(SYSLOG_READ_ALL, text, size);
	if (got < 0)
		return errno;
	log_take_lines(log, text, (size_t)got < (size_t)size ? (size_t)got : (size_t)size,
		       log_take_printed);
	return 0;
}

/* When the program began, in nanoseconds on the clock that counts from the start of the machine and stands while it sleeps. */
static bool process_find_begin(const struct wt_gathering *gathering, int64_t *begin_ret)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	struct timespec boot, now;
	long ticks = sysconf(_SC_CLK_TCK);
	unsigned long long began;
	const char *at;

	if (ticks <= 0 || !wt_gathering_read(gathering, "stat", WT_HOST_TEXT, &text) ||
	    clock_gettime(CLOCK_BOOTTIME, &boot) || clock_gettime(CLOCK_MONOTONIC, &now))
		return false;
	/* Its name is in parentheses, and may have some; the state follows, and is the 3rd field of which this is the 22nd (proc(5)). */
	at = strrchr((const char *)text.data, ')');
	for (int field = 2; at && field < 22; field++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	if (!at || sscanf(at, "%llu", &began) != 1)
		return false;
	*begin_ret = (int64_t)(began * (unsigned long long)SECOND / (unsigned long long)ticks) -
		     ((boot.tv_sec - now.tv_sec) * SECOND + boot.tv_nsec - now.tv_nsec);
	return true;
}

static void gather_lines(struct wt_gathering *gathering, const char *root)
{
	struct kernel_log log = {.gathering = gathering, .now = (int64_t)wt_clock_ns()};
	wt_cleanup_free char *path = NULL;
	int status;

	if (!gathering->names) {
		wt_gathering_missing(gathering, "%s: it was not to be taken (redact)", subject);
		return;
	}
	if (!process_find_begin(gathering, &log.begin)) {
		wt_gathering_missing(gathering, "%s: when the program began is not known", subject);
		return;
	}
	/* The kernel's clock for its log is not corrected as others are: it may be off by a part in ten thousand. */
	log.begin -= SECOND + log.now / 10000;
	if (asprintf(&path, "%s/dev/kmsg", root) < 0) {
		path = NULL;
		gathering->no_memory = true;
		return;
	}
	status = log_read_kmsg(&log, path);
	/* Why it is not told at all is the better reason than that there is no file. */
	if (status)
		status = log_ask_kernel(&log);
	if (status)
		wt_gathering_missing(gathering, "%s: %s", subject, strerror(status));
	if (log.dropped)
		wt_gathering_missing(gathering, "%zu earlier lines of %s: the last %zu were kept",
				     log.dropped, subject, gathering->host->kernel_lines_count);
}

/* ---- Dumps of devices ---- */

/* Is that a device of the amdgpu driver? Other drivers write such dumps, too. */
static bool device_is_amdgpu(const char *device)
{
	wt_cleanup_free char *path = NULL;
	char target[PATH_MAX];
	const char *name;
	ssize_t length;

	if (asprintf(&path, "%s/driver", device) < 0) {
		path = NULL;
		return false;
	}
	length = readlink(path, target, sizeof(target) - 1);
	target[length > 0 ? length : 0] = '\0';
	name = strrchr(target, '/');
	return name && !strcmp(name + 1, "amdgpu");
}

static bool host_has_dump(const struct wt_host *host, const char *root, const char *real)
{
	for (size_t i = 0; i < host->device_dumps_count; i++) {
		wt_cleanup_free char *path = NULL;
		wt_cleanup_free char *other = NULL;

		if (asprintf(&path, "%s%s", root, host->device_dumps[i]) < 0) {
			path = NULL;
			return false;
		}
		other = realpath(path, NULL);
		if (other && !strcmp(other, real))
			return true;
	}
	return false;
}

/* A folder of the name "%s/class/%s/..." with a dump, if it is there, of that device, and not named yet by another way. */
static void gather_dump(struct wt_gathering *gathering, const char *root, const char *dump,
			const char *device)
{
	wt_cleanup_free char *path = NULL;
	wt_cleanup_free char *real = NULL;
	wt_cleanup_free char *of = NULL;
	char **named;

	if (asprintf(&path, "%s%s", root, dump) < 0) {
		path = NULL;
		gathering->no_memory = true;
		return;
	}
	if (asprintf(&of, "%s%s", root, device) < 0) {
		of = NULL;
		gathering->no_memory = true;
		return;
	}
	real = realpath(path, NULL);
	if (!real || !device_is_amdgpu(of) || host_has_dump(gathering->host, root, real) ||
	    gathering->host->device_dumps_count >= DUMPS_MOST)
		return;
	named = WT_HOST_ADD(gathering->host, device_dumps);
	gathering->no_memory |= !named;
	if (named)
		*named = wt_gathering_text(gathering, dump, SIZE_MAX);
	if (named && !*named)
		gathering->host->device_dumps_count--;
}

/* Each entry of a class of devices whose name begins so. */
static void gather_class(struct wt_gathering *gathering, const char *root, const char *class,
			 const char *begin, const char *dump, const char *device)
{
	wt_cleanup_free char *path = NULL;
	const struct dirent *entry;
	DIR *directory;

	if (asprintf(&path, "%s/sys/class/%s", root, class) < 0) {
		path = NULL;
		gathering->no_memory = true;
		return;
	}
	directory = opendir(path);
	while (directory && (entry = readdir(directory))) {
		char of_dump[PATH_MAX], of_device[PATH_MAX];

		if (strncmp(entry->d_name, begin, strlen(begin)) != 0)
			continue;
		snprintf(of_dump, sizeof(of_dump), "/sys/class/%s/%s%s", class, entry->d_name,
			 dump);
		snprintf(of_device, sizeof(of_device), "/sys/class/%s/%s%s", class, entry->d_name,
			 device);
		gather_dump(gathering, root, of_dump, of_device);
	}
	if (directory)
		closedir(directory);
}

void wt_gather_kernel_log(struct wt_gathering *gathering, const char *root)
{
	gather_lines(gathering, root);
	gather_class(gathering, root, "devcoredump", "devcd", "", "/failing_device");
	gather_class(gathering, root, "drm", "card", "/device/devcoredump", "/device");
}
