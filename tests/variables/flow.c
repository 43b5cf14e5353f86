/* SPDX-License-Identifier: MIT */
#include "device.h"

/* Five levels that are inlined into each other. */
INLINE int level5(int x)
{
	int five = x * 5;

	MARK(x, five);
	return five - 1;
}
INLINE int level4(int x)
{
	int four = x ^ 4;

	return level5(four) + four;
}
INLINE int level3(int x)
{
	int three = x + 3;

	if (three % 2)
		three += level4(three);
	MARK(x, three);
	return three;
}
INLINE int level2(int x)
{
	int two = x * 2 + 1;

	return level3(two) ^ two;
}
INLINE int level1(int x)
{
	int one = x - 1;

	one += level2(one);
	MARK(x, one);
	return one;
}

/* Recursion, with an array in each frame. */
NOINLINE int recurse(int depth, int *up)
{
	int own[3] = {depth, depth * depth, *up};

	if (depth <= 0) {
		MARK(depth, own, up);
		return own[2];
	}
	own[1] += recurse(depth - 1, &own[0]);
	MARK(depth, own, up);
	return own[0] + own[1];
}

/* Loops of a length that differs from lane to lane. */
NOINLINE int loops(int lane, int n, const GLOBAL u32 *data)
{
	int total = 0, evens = 0;
	u32 product = 1;

	for (int i = 0; i < lane % 4; i++) {
		int square = i * i;

		total += square + (int)data[i];
		if (i % 2 == 0) {
			evens++;
			MARK(i, total, evens, square, lane);
		} else {
			product *= (u32)i + 2;
			MARK(i, total, product, n);
		}
	}
	for (int i = 0; i < n; i++)
		total += (int)data[i] * i;
	MARK(total, evens, product, lane, n);
	return total + evens + (int)product;
}

/* Branches that lanes take apart. */
NOINLINE int branches(int lane, int n)
{
	int result = n, kind = lane % 3;
	_Bool upper = lane > 31;

	if (upper) {
		int here = lane - 31;

		result = here * n;
		MARK(result, here, kind, lane);
	} else {
		int there = lane + 1000;

		if (kind == 1)
			there = 5;
		MARK(result, there, kind, lane);
		result -= there;
	}
	switch (kind) {
	case 0:
		result += 100;
		break;
	case 1:
		result = 7;
		MARK(result, lane);
		break;
	default:
		result ^= lane;
	}
	MARK(result, kind, upper, lane, n);
	return result + upper;
}

/* A loop that calls behind the place where it stops: registers are as the last call left them. */
NOINLINE int add(int a, int b)
{
	MARK(a, b);
	return a + b;
}
NOINLINE int again(int lane)
{
	int sum = 1;

	for (int round = 0; round < 3; round++) {
		MARK(sum, round, lane);
		sum = add(sum, lane) * 3;
	}
	return sum;
}

static LOCAL __attribute__((loader_uninitialized)) int shared[64];

KERNEL void flow(GLOBAL u32 *log, int n, const GLOBAL u32 *data)
{
	int lane = (int)__builtin_amdgcn_workitem_id_x();
	int sum, start = lane + 100;

	START(log);
	shared[lane] = lane * 3;
	sum = level1(lane + n);
	MARK(lane, n, sum);
	sum += recurse(3, &start);
	MARK(sum, start, lane);
	sum += loops(lane, n, data);
	sum += branches(lane, n);
	sum += again(lane);
	sum += shared[lane ^ 1];
	MARK(sum, lane, n);
	log[(u32)lane * RECORDS * WORDS + (RECORDS - 1) * WORDS] = (u32)sum;
}
