/* SPDX-License-Identifier: MIT */
/*
 * The time of calls, on CLOCK_MONOTONIC. Every recorded call reads it twice. Where the kernel itself
 * keeps that time by the processor's counter, the counter alone is read, which takes half as long, and compared
 * with the kernel's time every few milliseconds. Elsewhere a tick is a nanosecond and the kernel is asked. The clock of a
 * reproducible trace stands still.
 */
#ifndef WT_RECORDER_RECORDING_CLOCK_H
#define WT_RECORDER_RECORDING_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct wt_clock {
	bool counter; /* ticks are the processor's; set once */
	bool still;   /* it is always 0; set once */
	/* Of the last comparison, and of the one that the rate is taken from. */
	uint64_t ticks, ns, first_ticks, first_ns;
	uint64_t
		rate; /* nanoseconds of a tick, times 2^32; 0: not known yet, or there is no counter */
	uint64_t window; /* ticks until they are compared again; 0 without a counter */
	uint64_t last;	 /* the newest time returned: time never goes back */
};

/** Choose what to read, and start. @still: it is to show no time. */
void wt_clock_init(struct wt_clock *clock, bool still);

/** CLOCK_MONOTONIC in nanoseconds, asked of the kernel. */
__attribute__((noinline)) uint64_t wt_clock_monotonic(void);

/** As wt_clock_time(), of now, after comparing the counter with the kernel's time. */
__attribute__((cold, noinline)) uint64_t wt_clock_compare(struct wt_clock *clock);

/* The three functions below where there is no counter, or no rate, or they have to be compared. */
__attribute__((noinline)) uint64_t wt_clock_ask(const struct wt_clock *clock);
__attribute__((noinline)) uint64_t wt_clock_other_time(struct wt_clock *clock, uint64_t ticks);
__attribute__((noinline)) uint64_t wt_clock_other_interval(struct wt_clock *clock, uint64_t from,
							   uint64_t to, uint64_t from_time);

/** A reading, for the two functions below. Any thread may make it. */
static inline uint64_t wt_clock_ticks(const struct wt_clock *clock)
{
#ifdef __x86_64__
	/* <x86intrin.h> has a name for it, among tens of thousands of lines that every file of the recorder would read. */
	if (clock->counter)
		return __builtin_ia32_rdtsc();
#endif
	return wt_clock_ask(clock);
}

/** The time of a reading that was just made, in nanoseconds. One thread at a time. */
static inline uint64_t wt_clock_time(struct wt_clock *clock, uint64_t ticks)
{
	uint64_t time;

	if (__builtin_expect(ticks - clock->ticks >= clock->window, 0))
		return wt_clock_other_time(clock, ticks);
	time = clock->ns + ((ticks - clock->ticks) * clock->rate >> 32);
	if (time > clock->last)
		clock->last = time;
	return clock->last;
}

/**
 * Nanoseconds between two readings, of which the second was just made; 0 where it is not the later one. One
 * thread at a time. @from_time: the time of the first.
 */
static inline uint64_t wt_clock_interval(struct wt_clock *clock, uint64_t from, uint64_t to,
					 uint64_t from_time)
{
	uint64_t interval;

	if (__builtin_expect(!clock->rate || to <= from, 0))
		return wt_clock_other_interval(clock, from, to, from_time);
	interval = (uint64_t)((unsigned __int128)(to - from) * clock->rate >> 32);
	/* By the rate it may end later than by a comparison: what comes next comes behind it all the same. */
	if (from_time + interval > clock->last)
		clock->last = from_time + interval;
	return interval;
}

#endif /* WT_RECORDER_RECORDING_CLOCK_H */
