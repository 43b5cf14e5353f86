/* SPDX-License-Identifier: MIT */
/* Only plain system calls on /proc: the thread that asks may be in a signal handler, or hold any lock of the C library. */
#include "recorder/recording/holder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/cleanup.h"

#define TASK_PATH 64u
#define TASK_TEXT 256u

/* Reads /proc/self/maps one character at a time: is there a mapping with both addresses? */
struct mapping {
	uintptr_t start, end;
	enum { IN_START, IN_END, IN_REST } at;
};

static uintptr_t hexadecimal(uintptr_t number, char digit)
{
	if (digit >= '0' && digit <= '9')
		return number << 4 | (uintptr_t)(digit - '0');
	return number << 4 | (uintptr_t)((digit | 0x20) - 'a' + 10);
}

/* True when the end of a mapping has been read. */
static bool read_mapping(struct mapping *mapping, char c)
{
	switch (mapping->at) {
	case IN_START:
		if (c == '-')
			mapping->at = IN_END;
		else
			mapping->start = hexadecimal(mapping->start, c);
		return false;
	case IN_END:
		if (c == ' ')
			mapping->at = IN_REST;
		else
			mapping->end = hexadecimal(mapping->end, c);
		return c == ' ';
	case IN_REST:
		if (c == '\n')
			*mapping = (struct mapping){.at = IN_START};
		return false;
	}
	return false;
}

/* On one stack, as far as mappings show: stacks of threads have a gap between them. */
static bool is_same_stack(uintptr_t a, uintptr_t b)
{
	wt_cleanup_close int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	struct mapping mapping = {.at = IN_START};
	char text[1024];
	ssize_t size;

	while (fd >= 0 && (size = read(fd, text, sizeof(text))) > 0)
		for (ssize_t i = 0; i < size; i++)
			if (read_mapping(&mapping, text[i]) && a >= mapping.start &&
			    a < mapping.end)
				return b >= mapping.start && b < mapping.end;
	return false;
}

/* Its frame has been used for something else, or its stack is gone. */
static bool is_overwritten(const struct wt_holder *holder)
{
	wt_cleanup_close int fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	uintptr_t self = 0;
	ssize_t size;

	if (fd < 0)
		return false;
	size = pread(fd, &self, sizeof(self), (off_t)holder->anchor);
	return size == sizeof(self) ? self != holder->anchor : size < 0 && errno == EIO;
}

static bool is_in(const stack_t *stack, uintptr_t address)
{
	return !(stack->ss_flags & SS_DISABLE) &&
	       address - (uintptr_t)stack->ss_sp < stack->ss_size;
}

static bool have_left(const struct wt_holder *holder, const struct wt_holder *now)
{
	stack_t signals;

	/* A handler on a stack of its own has interrupted what is on the other; nothing interrupts it from there. */
	if (!sigaltstack(NULL, &signals) &&
	    is_in(&signals, now->frame) != is_in(&signals, holder->frame))
		return is_in(&signals, holder->frame);
	if (now->frame >= holder->frame && is_same_stack(now->frame, holder->frame))
		return true;
	return is_overwritten(holder);
}

bool wt_holder_have_left(const struct wt_holder *holder, const struct wt_holder *now)
{
	int state = wt_cancel_disable();
	bool left = have_left(holder, now);

	wt_cancel_restore(state);
	return left;
}

/* What the kernel says of a thread, as text; its length, or -1 and errno. */
static ssize_t read_task(pid_t thread, char text[TASK_TEXT])
{
	char path[TASK_PATH];
	wt_cleanup_close int fd = -1;
	ssize_t size;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", (int)thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	size = read(fd, text, TASK_TEXT - 1);
	if (size >= 0)
		text[size] = '\0';
	return size;
}

/* The last word but one is the stack pointer of a thread that waits; of one that runs there is none, and 0. */
static uintptr_t stack_pointer(const char *text)
{
	const char *pc = strrchr(text, ' '), *word = pc;
	uintptr_t number = 0;

	if (!pc)
		return 0;
	while (word > text && word[-1] != ' ')
		word--;
	if (strncmp(word, "0x", 2) != 0)
		return 0;
	for (word += 2; word < pc; word++)
		number = hexadecimal(number, *word);
	return number;
}

static bool has_left(const struct wt_holder *holder)
{
	char text[TASK_TEXT];
	uintptr_t pointer;

	/* Without /proc nothing is known. */
	if (read_task((pid_t)syscall(SYS_gettid), text) < 0)
		return false;
	if (read_task(holder->thread, text) < 0)
		return errno == ENOENT || errno == ESRCH;
	pointer = stack_pointer(text);
	if (pointer > holder->frame && is_same_stack(pointer, holder->frame))
		return true;
	return is_overwritten(holder);
}

bool wt_holder_has_left(const struct wt_holder *holder)
{
	int state = wt_cancel_disable();
	bool left = has_left(holder);

	wt_cancel_restore(state);
	return left;
}
