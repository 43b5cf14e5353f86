/* SPDX-License-Identifier: MIT */
/*
 * What the agent adds to an allocation and its free: nothing but the note, the note with who called, and in comparison the unwinder of
 * exceptions. `bench-allocations`: nanoseconds for each, of one allocation.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

#include "base/clock.h"
#include "tool/held-memory.h"

#define DEPTH 12 /* between the program and where the runtime is called: as in HIP */
#define ROUNDS 200000u

static struct wt_allocations *allocations;

static _Unwind_Reason_Code count_frame(struct _Unwind_Context *context, void *opaque)
{
	*(uint64_t *)opaque += _Unwind_GetIP(context);
	return _URC_NO_REASON;
}

enum way { PLAIN, WITH_FRAMES, UNWINDER };

__attribute__((noinline)) static void allocate(enum way way, uint64_t round)
{
	const struct wt_held held = {.key = 4096 + round % 1024 * 4096,
				     .address = 4096 + round % 1024 * 4096,
				     .size = 4096,
				     .function = "allocate"};
	const void *frame = way == WITH_FRAMES ? __builtin_frame_address(0) : NULL;
	struct wt_held was;
	uint64_t sum = 0;

	if (way == UNWINDER) {
		_Unwind_Backtrace(count_frame, &sum);
		__asm__ volatile("" ::"r"(sum));
		return;
	}
	wt_allocations_add(allocations, held, frame);
	wt_allocations_remove(allocations, WT_HELD_MEMORY, held.key, "free", frame, &was);
}

__attribute__((noinline)) static void descend(int depth, enum way way, uint64_t round)
{
	if (depth)
		descend(depth - 1, way, round);
	else
		allocate(way, round);
	__asm__ volatile("");
}

static double measure(enum way way)
{
	double best = 1e9;

	for (int repeat = 0; repeat < 5; repeat++) {
		uint64_t start = wt_clock_ns();
		double each;

		for (uint64_t i = 0; i < ROUNDS; i++)
			descend(DEPTH, way, i);
		each = (double)(wt_clock_ns() - start) / ROUNDS / (way == UNWINDER ? 1 : 2);
		best = each < best ? each : best;
	}
	return best;
}

int main(void)
{
	struct wt_allocation_source source;
	double plain, frames, unwinder;

	allocations = wt_allocations_begin(NULL, &source);
	if (!allocations)
		return 1;
	plain = measure(PLAIN);
	frames = measure(WITH_FRAMES);
	unwinder = measure(UNWINDER);
	printf("%.1f %.1f %.1f\n", plain, frames, unwinder);
	return 0;
}
