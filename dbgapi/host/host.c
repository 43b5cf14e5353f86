/* SPDX-License-Identifier: MIT */
/*
 * wavetape-host [IMAGE]: holds the memory of a recorded process, or of a simulated GPU, for a debugger. It maps the
 * ranges of the file IMAGE, of the one that WAVETAPE_HOST_IMAGE names, or of the one that a library has written into
 * its block, at their addresses, calls the function wavetape_host_ready(), at which the library has its breakpoint, and
 * waits to be told to go. It has no C library and moves to a stack of its own, so that it can give up whatever of its
 * address space the ranges need. The file may have been made from a trace by anyone.
 */
/* Headers of the kernel use what this one declares, and older ones do not include it. */
#include <stddef.h>

#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/prctl.h>
#include <linux/signal.h>
#include <linux/stat.h>
#include <stdbool.h>

#include "dbgapi/host/host.h"

#define STACK_SIZE 32768
#define PATH_SIZE 4096
#define MAPS_SIZE 65536
#define POLL_NANOSECONDS 2000000 /* between looks at the block */

#define ERROR_EXISTS 17 /* EEXIST */

#define CANNOT_READ "cannot read the image"

__attribute__((section(".wavetape_host"), used)) volatile struct wt_host_block wavetape_host_block;

static char path[PATH_SIZE];
static long shared_file = -1; /* stays open: more ranges may come */
static char maps[MAPS_SIZE];
__attribute__((aligned(16), used)) char wavetape_host_stack[STACK_SIZE];

static long system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static void __attribute__((noreturn)) host_leave(int code)
{
	for (;;)
		system_call(__NR_exit_group, code, 0, 0, 0, 0, 0);
}

static size_t length(const char *text)
{
	size_t size = 0;

	while (text[size])
		size++;
	return size;
}

static void host_say(const char *text)
{
	system_call(__NR_write, 2, (long)text, (long)length(text), 0, 0, 0);
}

static void say_hex(uint64_t number)
{
	char text[sizeof("0x0123456789abcdef")] = "0x";

	for (int i = 0; i < 16; i++)
		text[2 + i] = "0123456789abcdef"[number >> (60 - 4 * i) & 15];
	text[18] = '\0';
	host_say(text);
}

/* The parts of every message: wavetape-host: WHAT: WHERE: WHY. */
static void __attribute__((noreturn)) host_fail(int code, const char *what, const char *why)
{
	host_say("wavetape-host: ");
	host_say(what);
	host_say(": ");
	host_say(path);
	host_say(": ");
	host_say(why);
	host_say("\n");
	host_leave(code);
}

static void __attribute__((noreturn)) fail_range(const struct wt_host_range *range, const char *why)
{
	host_say("wavetape-host: cannot map the memory: ");
	say_hex(range->address);
	host_say(" of ");
	say_hex(range->size);
	host_say(" bytes: ");
	host_say(why);
	host_say("\n");
	host_leave(WT_HOST_EXIT_FAILED);
}

/* ---- What of ours is in the way ---- */

static bool take_hex(const char **text, const char *end, uint64_t *number_ret)
{
	uint64_t number = 0;
	const char *start = *text;

	for (; *text < end; (*text)++) {
		char c = **text;

		if (c >= '0' && c <= '9')
			number = number << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			number = number << 4 | (uint64_t)(c - 'a' + 10);
		else
			break;
	}
	*number_ret = number;
	return *text != start;
}

/*
 * All of /proc/self/maps. A host has few mappings, so that it is small: what does not fit is not
 * seen.
 */
static size_t read_maps(void)
{
	long fd = system_call(__NR_open, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
	size_t size = 0;

	while (fd >= 0 && size < sizeof(maps)) {
		long got = system_call(__NR_read, fd, (long)(maps + size),
				       (long)(sizeof(maps) - size), 0, 0, 0);

		if (got <= 0)
			break;
		size += (size_t)got;
	}
	if (fd >= 0)
		system_call(__NR_close, fd, 0, 0, 0, 0, 0);
	return size;
}

/* The first stack, the kernel's data and code pages: none of them is needed any more. */
static void give_up(const struct wt_host_range *range)
{
	size_t size = read_maps();
	const char *text = maps, *end = maps + size;

	while (text < end) {
		uint64_t start, stop;

		if (take_hex(&text, end, &start) && text < end && *text++ == '-' &&
		    take_hex(&text, end, &stop) && start >= WT_HOST_END && stop <= WT_HOST_LIMIT &&
		    start < range->address + range->size && stop > range->address)
			system_call(__NR_munmap, (long)start, (long)(stop - start), 0, 0, 0, 0);
		while (text < end && *text++ != '\n')
			;
	}
}

/* ---- The ranges ---- */

static long map_at(long fd, const struct wt_host_range *range)
{
	long kind = shared_file < 0 ? MAP_PRIVATE | MAP_NORESERVE : MAP_SHARED;

	return system_call(__NR_mmap, (long)range->address, (long)range->size,
			   PROT_READ | PROT_WRITE, kind | MAP_FIXED_NOREPLACE, fd,
			   (long)range->offset);
}

static void map_range(long fd, const struct wt_host_range *range)
{
	long result = map_at(fd, range);

	if (result == -ERROR_EXISTS) {
		give_up(range);
		result = map_at(fd, range);
	}
	if (result == -ERROR_EXISTS)
		fail_range(range, "the place is taken");
	if (result < 0)
		fail_range(range, "the system refuses");
	/* A kernel that does not know the flag takes the address for a wish. */
	if ((uint64_t)result != range->address)
		fail_range(range, "the system has another place for it alone");
}

static void host_range_check(const struct wt_host_range *range, uint64_t last, uint64_t file_size)
{
	const uint64_t mask = WT_HOST_PAGE - 1;

	if (!range->size || (range->address | range->size | range->offset) & mask)
		fail_range(range, "it is not of whole pages");
	if (range->address < last)
		fail_range(range, "it is out of order, or where the host itself is");
	if (range->address >= WT_HOST_LIMIT || range->size > WT_HOST_LIMIT - range->address)
		fail_range(range, "no program has such addresses");
	if (range->offset > file_size || range->size > file_size - range->offset)
		fail_range(range, "its bytes are not in the file");
}

static void read_exactly(long fd, void *data, size_t size, uint64_t offset)
{
	for (size_t done = 0; done < size;) {
		long got = system_call(__NR_pread64, fd, (long)((char *)data + done),
				       (long)(size - done), (long)(offset + done), 0, 0);

		if (got <= 0)
			host_fail(WT_HOST_EXIT_FAILED, CANNOT_READ,
				  got == -EISDIR ? "it is no file" : "it ends early");
		done += (size_t)got;
	}
}

static long host_open_file(int flags)
{
	return system_call(__NR_open, (long)path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0, 0,
			   0, 0);
}

static uint64_t file_size(long fd)
{
	long end = system_call(__NR_lseek, fd, 0, 2, 0, 0, 0);

	if (end < 0)
		host_fail(WT_HOST_EXIT_FAILED, CANNOT_READ, "it is no file");
	return (uint64_t)end;
}

/* Range @index of the file, which begins at @last or behind it. Return: its end. */
static uint64_t take_range(long fd, uint64_t index, uint64_t last, uint64_t end)
{
	struct wt_host_range range;

	read_exactly(fd, &range, sizeof(range),
		     sizeof(struct wt_host_file) + index * sizeof(range));
	host_range_check(&range, last, end);
	map_range(fd, &range);
	return range.address + range.size;
}

static void map_file(void)
{
	long fd = host_open_file(O_RDONLY);
	uint64_t last = WT_HOST_END, end;
	struct wt_host_file header;

	if (fd < 0)
		host_fail(WT_HOST_EXIT_FAILED, CANNOT_READ, "it cannot be opened");
	end = file_size(fd);
	read_exactly(fd, &header, sizeof(header), 0);
	if (header.magic == WT_HOST_SHARED_MAGIC) {
		system_call(__NR_close, fd, 0, 0, 0, 0, 0);
		fd = shared_file = host_open_file(O_RDWR);
		if (fd < 0)
			host_fail(WT_HOST_EXIT_FAILED, CANNOT_READ, "it cannot be written to");
	} else if (header.magic != WT_HOST_FILE_MAGIC) {
		host_fail(WT_HOST_EXIT_FAILED, CANNOT_READ, "it is no host image of this version");
	}
	if (header.range_count > WT_HOST_RANGES)
		host_fail(WT_HOST_EXIT_FAILED, CANNOT_READ, "it has too many ranges");
	for (uint64_t i = 0; i < header.range_count; i++)
		last = take_range(fd, i, last, end);
	wavetape_host_block.mapped = (uint32_t)header.range_count;
	if (shared_file < 0)
		system_call(__NR_close, fd, 0, 0, 0, 0, 0);
}

/* Maps what has come to a shared file since then. */
static void map_more(void)
{
	while (shared_file >= 0 && wavetape_host_block.mapped < wavetape_host_block.ranges) {
		uint32_t index = wavetape_host_block.mapped;

		if (index >= WT_HOST_RANGES)
			host_fail(WT_HOST_EXIT_FAILED, CANNOT_READ, "it has too many ranges");
		take_range(shared_file, index, WT_HOST_END, file_size(shared_file));
		wavetape_host_block.mapped = index + 1;
	}
}

/* ---- The life of the host ---- */

/*
 * The library's breakpoint is here: it is called when there is something for the debugger to see.
 */
__attribute__((noinline, used, visibility("default"))) void wavetape_host_ready(void)
{
	__asm__ volatile("" ::: "memory");
}

/*
 * Here the host is whenever a debugger looks. It has the name at which debuggers begin, and end their backtraces.
 */
__attribute__((noinline, used, noreturn)) int main(void)
{
	const struct {
		long seconds, nanoseconds;
	} pause = {0, POLL_NANOSECONDS};

	wavetape_host_ready();
	for (;;) {
		map_more();
		switch (wavetape_host_block.command) {
		case WT_HOST_EXIT:
			host_leave(WT_HOST_EXIT_FINE);
		case WT_HOST_CALL:
			wavetape_host_block.command = WT_HOST_WAIT;
			wavetape_host_ready();
			break;
		default:
			system_call(__NR_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
		}
	}
}

static void copy_path(const char *from)
{
	size_t size = length(from) + 1;

	if (size > sizeof(path)) {
		path[0] = '\0';
		host_fail(WT_HOST_EXIT_USAGE, CANNOT_READ, "its path is too long");
	}
	for (size_t i = 0; i < size; i++)
		path[i] = from[i];
}

/* The value of a variable, by its name with the `='; NULL if there is none. */
static const char *environment_find_variable(const char *const *variables, const char *name)
{
	for (; *variables; variables++) {
		size_t i = 0;

		while (name[i] && (*variables)[i] == name[i])
			i++;
		if (!name[i])
			return *variables + i;
	}
	return NULL;
}

/*
 * The image that a library has named, or the environment, whatever arguments a debugger's user has for the recorded
 * program; without it that of the one argument.
 */
static const char *find_image(const long *arguments)
{
	const char *const *words = (const char *const *)(arguments + 1);
	const char *image =
		environment_find_variable(words + arguments[0] + 1, "WAVETAPE_HOST_IMAGE=");

	if (wavetape_host_block.image[0])
		return (const char *)wavetape_host_block.image;
	if (image && *image)
		return image;
	return arguments[0] == 2 ? words[1] : NULL;
}

/* On the first stack; from here on nothing of it is used. */
__attribute__((used, noreturn)) void wavetape_host_start(long *arguments)
{
	const char *image = find_image(arguments);

	if (!image) {
		host_say("usage: wavetape-host IMAGE\n"
			 "Hold the memory of a recorded process for a debugger; wavetape replay "
			 "starts "
			 "it.\n");
		host_leave(WT_HOST_EXIT_USAGE);
	}
	copy_path(image);
	__asm__ volatile("mov %0, %%rsp\n\txor %%ebp, %%ebp\n\tjmp wavetape_host_run"
			 :
			 : "r"(wavetape_host_stack + STACK_SIZE - 8)
			 : "memory");
	__builtin_unreachable();
}

__attribute__((used, noreturn)) void wavetape_host_run(void)
{
	/* A host whose debugger is gone has nobody to wait for. */
	system_call(__NR_prctl, PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0, 0);
	map_file();
	wavetape_host_block.state = WT_HOST_READY;
	main();
}

/* Readable from the first instruction on: a library finds the block before anything has run. */
__attribute__((section(".wavetape_host"),
	       used)) volatile struct wt_host_block wavetape_host_block = {
	.magic = WT_HOST_MAGIC,
	.ready = (uint64_t)(uintptr_t)wavetape_host_ready,
	.state = WT_HOST_MAPPING,
	.command = WT_HOST_WAIT,
};

__asm__(".globl _start\n"
	".type _start, @function\n"
	"_start:\n"
	"\txor %ebp, %ebp\n"
	"\tmov %rsp, %rdi\n"
	"\tand $-16, %rsp\n"
	"\tcall wavetape_host_start\n"
	"\tud2\n"
	".size _start, .-_start\n");
