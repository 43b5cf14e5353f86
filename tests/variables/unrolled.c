/* SPDX-License-Identifier: MIT */
/* Loops that compilers unroll: lines of the source come again in straight code, and instructions of one round move into another. */
#include "device.h"

NOINLINE int squares(int lane, const GLOBAL u32 *data)
{
	int total = lane, old = 0;

	for (int i = 0; i < 4; i++) {
		int square = i * lane + lane * lane;
		int from = (int)data[i];

		old = total;
		MARK(i, square, from, old, total);
		total += square * from;
		old += i;
		MARK(i, old, total);
		total ^= old;
	}
	MARK(total, old, lane);
	return total;
}

/* A window over an array: what one round has loaded, the next one knows by another name. */
NOINLINE int window(int lane, const GLOBAL u32 *data)
{
	int before = lane, here = (int)data[0], most = 0;

	for (int i = 1; i < 5; i++) {
		int next = (int)data[i], middle = before + here * 2 + next;

		if (middle > most)
			most = middle;
		MARK(before, here, next, middle, most, i);
		before = here;
		here = next + lane;
	}
	return most + before;
}

/* In each round another one. */
NOINLINE u32 mixed(u32 lane)
{
	u32 state = lane * 2654435761u, parity = 0;

	for (u32 round = 0; round < 2; round++) {
		u32 kept = state;

		for (u32 step = 0; step < 3; step++) {
			u32 bit = state >> (step * 3 + round) & 1;

			parity ^= bit;
			MARK(round, step, bit, parity, state, kept);
			state = state * 5 + step;
		}
		parity += round;
		MARK(round, parity, kept, state);
	}
	return state + parity;
}

NOINLINE int add(int a, int b)
{
	MARK(a, b);
	return a + b;
}

NOINLINE int calls(int lane, int n)
{
	int sum = lane;

	for (int i = 0; i < 3; i++) {
		int more = i * n;

		sum = add(sum, more) * 2;
		MARK(i, more, sum);
		sum -= i;
	}
	return sum;
}

KERNEL void unrolled(GLOBAL u32 *log, int n, const GLOBAL u32 *data)
{
	int lane = (int)__builtin_amdgcn_workitem_id_x();
	int sum;

	START(log);
	sum = squares(lane, data);
	MARK(sum, lane, n);
	sum += window(lane, data);
	MARK(sum, lane);
	sum += (int)mixed((u32)lane);
	MARK(sum);
	for (int i = 0; i < 3; i++) {
		int twice = sum * 2 + i;

		MARK(i, sum, twice, n);
		sum = twice ^ n;
		MARK(sum, i);
	}
	sum += calls(lane, n);
	MARK(sum);
	log[(u32)lane * RECORDS * WORDS + (RECORDS - 1) * WORDS] = (u32)sum;
}
