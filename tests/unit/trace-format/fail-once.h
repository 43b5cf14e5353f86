/* SPDX-License-Identifier: MIT */
/*
 * Of what trace-format asks of the system and of its libraries, the n'th call fails. The linker puts
 * these functions in place of those they are called like (--wrap), in this test alone. Only calls
 * between fail_once_start() and fail_once_stop() count, and those that a function of the writer makes.
 */
#ifndef WT_TEST_FAIL_ONCE_H
#define WT_TEST_FAIL_ONCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fail_once_kind {
	FAIL_ONCE_MEMORY,
	FAIL_ONCE_FILE,
	FAIL_ONCE_COMPRESSION,
	FAIL_ONCE_THREAD,
	FAIL_ONCE_KINDS
};

/** From now on calls made by the writer's functions count; number @at fails (0: none). */
void fail_once_arm(uint64_t at, int file_errnum);

/** How many calls there were since; nothing counts any more. */
uint64_t fail_once_disarm(void);

/** Everything counts between these, whoever calls. They nest. Legal when not armed. */
void fail_once_start(void);
void fail_once_stop(void);

/** Calls that were made to fail since the program began. */
uint64_t fail_once_failed(enum fail_once_kind kind);

/** The most that was asked for in one piece since fail_once_arm(), in bytes. */
size_t fail_once_largest(void);

#endif /* WT_TEST_FAIL_ONCE_H */
