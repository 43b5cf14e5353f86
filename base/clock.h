/* SPDX-License-Identifier: MIT */
#ifndef WT_BASE_CLOCK_H
#define WT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/** Nanoseconds on CLOCK_MONOTONIC. */
static inline uint64_t wt_clock_ns(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/** Milliseconds on CLOCK_MONOTONIC: for waiting, and for limits of time. */
static inline uint64_t wt_clock_ms(void)
{
	return wt_clock_ns() / 1000000u;
}

/** Nanoseconds for which the calling thread has had a core: neither its waits count nor the turns of others. */
static inline uint64_t wt_clock_work_ns(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif /* WT_BASE_CLOCK_H */
