/* SPDX-License-Identifier: MIT */
#include "recorder/recording/clock.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "base/cleanup.h"

/* How long the counter is believed between two comparisons; at first as long as its rate was taken from. */
#define WINDOW_NS 10000000u
/* A rate is taken from no shorter time; after the longer one from a newer start, for rates are adjusted. */
#define RATE_NS 1000000u
#define RATE_MOST_NS 1000000000u
/* A change of the rate by more than one part in so many is a counter that was stopped or set. */
#define RATE_CHANGE 1024u
/* Both are read with so many ticks between them at most, if a few attempts get that. */
#define CLOSE_TICKS 4000u
#define ATTEMPTS 4u

uint64_t wt_clock_monotonic(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#ifdef __x86_64__
/* The kernel takes the counter for its own clock only where it runs evenly on all processors. */
static bool kernel_uses_counter(void)
{
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	char name[8];

	return fd >= 0 && read(fd, name, sizeof(name)) == 4 && !memcmp(name, "tsc\n", 4);
}

static bool has_counter(void)
{
	uint32_t a, b, c, d = 0;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && d >> 8 & 1 && kernel_uses_counter();
}
#else
static bool has_counter(void)
{
	return false;
}
#endif

/* One reading of both; the thread may lose the processor between them. */
static void read_both(const struct wt_clock *clock, uint64_t *ticks_ret, uint64_t *ns_ret)
{
	uint64_t closest = UINT64_MAX;

	for (unsigned int i = 0; i < ATTEMPTS && closest > CLOSE_TICKS; i++) {
		uint64_t before = wt_clock_ticks(clock), ns = wt_clock_monotonic();
		uint64_t apart = wt_clock_ticks(clock) - before;

		if (apart >= closest)
			continue;
		closest = apart;
		*ticks_ret = before + apart / 2;
		*ns_ret = ns;
	}
}

/* Nothing of what was seen before holds. */
static void start(struct wt_clock *clock, uint64_t ticks, uint64_t ns)
{
	clock->first_ticks = ticks;
	clock->first_ns = ns;
	clock->rate = 0;
	clock->window = 0;
}

static void take_rate(struct wt_clock *clock, uint64_t ticks, uint64_t ns)
{
	uint64_t elapsed = ns - clock->first_ns, rate, change;

	if (elapsed < RATE_NS)
		return;
	rate = (uint64_t)(((unsigned __int128)elapsed << 32) / (ticks - clock->first_ticks));
	change = rate > clock->rate ? rate - clock->rate : clock->rate - rate;
	if (!rate || (clock->rate && change > clock->rate / RATE_CHANGE)) {
		start(clock, ticks, ns);
		return;
	}
	clock->rate = rate;
	clock->window = ((elapsed < WINDOW_NS ? elapsed : WINDOW_NS) << 32) / rate;
	if (elapsed >= RATE_MOST_NS) {
		clock->first_ticks = ticks;
		clock->first_ns = ns;
	}
}

uint64_t wt_clock_compare(struct wt_clock *clock)
{
	uint64_t ticks = 0, ns = 0;

	read_both(clock, &ticks, &ns);
	if (ticks <= clock->ticks)
		start(clock, ticks, ns);
	else
		take_rate(clock, ticks, ns);
	clock->ticks = ticks;
	clock->ns = ns;
	if (ns > clock->last)
		clock->last = ns;
	return clock->last;
}

uint64_t wt_clock_ask(const struct wt_clock *clock)
{
	return clock->still ? 0 : wt_clock_monotonic();
}

uint64_t wt_clock_other_time(struct wt_clock *clock, uint64_t ticks)
{
	return clock->counter ? wt_clock_compare(clock) : ticks;
}

uint64_t wt_clock_other_interval(struct wt_clock *clock, uint64_t from, uint64_t to,
				 uint64_t from_time)
{
	if (clock->counter && !clock->rate)
		return wt_clock_compare(clock) - from_time;
	return to > from ? to - from : 0;
}

void wt_clock_init(struct wt_clock *clock, bool still)
{
	*clock = (struct wt_clock){.counter = !still && has_counter(), .still = still};
	if (!clock->counter)
		return;
	wt_clock_compare(clock);
	start(clock, clock->ticks, clock->ns);
}
