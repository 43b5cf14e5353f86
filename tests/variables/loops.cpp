/* SPDX-License-Identifier: MIT */
/*
 * Loops as people write them: what counts stands in a head of one line or of three, at the end of the body, in its middle or in the condition; what is counted
 * is declared in front of the loop, or is a parameter. Code does it as early as it likes. check-programs.py holds what is shown at each mark
 * against a debugger of the host.
 */
#ifdef HOST
#define MARK(...) host_mark()
#else
#define MARK(...) __builtin_debugtrap()
#endif
#include "device.h"
#define K extern "C" KERNEL void
#define ARGUMENTS GLOBAL u32 *log, int n, const GLOBAL u32 *data
#define LANE ((u32)__builtin_amdgcn_workitem_id_x())

/* ---- Declared in front of the loop ---- */

K k1(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	int j;
	for (j = lane & 3; j < 4; j++) {
		total -= (u32)j;
		MARK(lane, total, j);
	}
	log[lane] = total;
}

/* ---- A head of three lines ---- */

K k2(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	for (int j = lane & 3; j < 4; j++) {
		total -= (u32)j;
		MARK(lane, total, j);
	}
	log[lane] = total;
}

/* ---- Both ---- */

K k3(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	int j;
	for (j = lane & 3; j < 4; j++) {
		total -= (u32)j;
		MARK(lane, total, j);
	}
	log[lane] = total;
}

/* ---- Counted at the end of the body ---- */

K k4(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	int j = lane & 3;
	while (j < 5) {
		total -= (u32)j;
		MARK(lane, total, j);
		j++;
	}
	log[lane] = total;
}

/* ---- Counted at its beginning ---- */

K k5(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	int j = lane & 3;
	while (j < 5) {
		j++;
		total -= (u32)j;
		MARK(lane, total, j);
	}
	log[lane] = total;
}

/* ---- A loop that is left at its end ---- */

K k6(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	int j = lane & 3;
	do {
		j += 2;
		total -= (u32)j;
		MARK(lane, total, j);
	} while (j < 7);
	log[lane] = total;
}

/* ---- Two counters ---- */

K k7(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	int j, k;
	for (j = 4, k = n; j > (lane & 3); j--, k += 2) {
		total ^= data[j] + k;
		MARK(lane, total, j, k);
	}
	log[lane] = total;
}

/* ---- A loop in a loop ---- */

K k8(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	int j;
	u32 i;
	for (i = 0; i < (u32)n; i++) {
		total += data[i];
		for (j = lane & 3; j < 4; j++)
			total -= (u32)j;
		MARK(lane, total, i);
	}
	log[lane] = total;
}

/* ---- A pointer ---- */

K k9(ARGUMENTS)
{
	u32 lane = LANE;
	const GLOBAL u32 *p;
	u32 total = 0, c;
	for (p = data + lane, c = 0; *p < 100 && c < 9; p++, c++) {
		total += 3;
		MARK(lane, total, c);
	}
	log[lane] = total;
}

/* ---- No counter ---- */

K k10(ARGUMENTS)
{
	u32 lane = LANE;
	u64 bits = data[lane];
	u32 count = 0;
	for (; bits; bits >>= 1) {
		count += 2;
		MARK(lane, bits, count);
	}
	log[lane] = count;
}

/* ---- A number with a fraction ---- */

K k11(ARGUMENTS)
{
	u32 lane = LANE;
	float x;
	u32 count = 0;
	for (x = (float)data[lane]; x > 1; x *= 0.5f) {
		count += 2;
		MARK(lane, x, count);
	}
	log[lane] = count;
}

/* ---- A parameter ---- */

NOINLINE u32 walk(const GLOBAL u32 *data, int from, int to)
{
	u32 sum = 0;
	for (; from < to; ++from) {
		sum += 5;
		MARK(from, to, sum);
	}
	return sum;
}

K k12(ARGUMENTS)
{
	u32 lane = LANE;
	u32 sum = walk(data, lane & 3, n); /* MARK(lane, n); */
	log[lane] = sum;
}

/* ---- A branch in front of the mark ---- */

K k13(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	int j;
	for (j = lane & 3; j < 5; j++) {
		total -= (u32)j;
		if (total & 2)
			total = data[total % 64];
		MARK(lane, total, j);
	}
	log[lane] = total;
}

/* ---- A mark in a branch ---- */

K k14(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	for (int j = lane & 3; j < n; j++) {
		total -= data[j];
		if (total & 2) {
			total = data[total % 64];
			MARK(lane, total, j);
		}
	}
	log[lane] = total;
}

/* ---- The same with a head of three lines ---- */

K k15(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	for (int j = lane & 3; j < n; j++) {
		total -= data[j];
		if (total & 2) {
			total = data[total % 64];
			MARK(lane, total, j);
		}
	}
	log[lane] = total;
}

/* ---- A loop that is left in its middle ---- */

K k16(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	int j = lane & 3;
	while (true) {
		total -= data[j];
		j++;
		MARK(lane, total, j);
		if (j >= n)
			break;
	}
	log[lane] = total;
}

/* ---- A loop over an array, which becomes straight code ---- */

K k17(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	u32 parts[3] = {total, lane, total * lane};
	for (u32 part : parts) {
		total += part * 3;
		MARK(lane, total, part);
		if (total & 1)
			total = data[total % 64];
		MARK(lane, total, part);
	}
	log[lane] = total;
}

/* ---- Two heads around one body ---- */

K k18(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	int i, j;
	for (i = 0; i < n; i++)
		for (j = lane & 3; j < i; j++) {
			total -= data[j] * (u32)i;
			MARK(lane, total, i, j);
		}
	log[lane] = total;
}

/* ---- A loop without a word for it ---- */

K k19(ARGUMENTS)
{
	u32 lane = LANE;
	u32 total = data[lane];
	int i = (int)lane & 3, k = 7;
again:
	total -= data[i];
	k += i;
	MARK(lane, total, i, k);
	if (i++ < n)
		goto again;
	log[lane] = total + k;
}
