/* SPDX-License-Identifier: MIT */
/* What programs are made of, without a GPU's own: structures, enumerations, loops in loops, tables, calls with pointers. */
#include "device.h"

enum state { IDLE, BUSY = 3, BROKEN = -2 };

struct point {
	int x, y;
	float weight;
};

struct queue {
	struct point items[4];
	u32 head, count;
	enum state state : 4;
	u32 flags : 3;
};

NOINLINE enum state push(struct queue *queue, int x, int y)
{
	u32 at = (queue->head + queue->count) % 4;

	if (queue->count == 4) {
		queue->state = BROKEN;
		MARK(x, y, at);
		return queue->state;
	}
	queue->items[at].x = x;
	queue->items[at].y = y;
	queue->items[at].weight = (float)x / 4;
	queue->count++;
	queue->state = queue->count > 2 ? BUSY : IDLE;
	queue->flags ^= 5;
	MARK(x, y, at);
	return queue->state;
}

NOINLINE int gcd(int a, int b)
{
	while (b) {
		int rest = a % b;

		a = b;
		b = rest;
		MARK(a, b);
	}
	return a;
}

NOINLINE double table(int lane, int n)
{
	double cells[3][3], trace = 0;

	for (int i = 0; i < 9; i++)
		cells[i / 3][i % 3] = (double)(i + 1) + lane;
	MARK(cells, lane, n);
	for (int i = 0; i < 3; i++)
		trace += cells[i][i];
	MARK(trace, n);
	return trace + cells[lane % 3][2];
}

NOINLINE int rounds(int lane, const GLOBAL u32 *data)
{
	int total = 0, largest = lane;

	for (int i = 0; i < 8; i++) {
		total += (int)data[i] ^ lane;
		if (total > largest)
			largest = total;
		if (i == 5)
			MARK(i, total, largest);
	}
	for (int i = lane & 3; i < 4; i++)
		for (int k = 0; k < 2; k++) {
			total -= i * k;
			MARK(i, k, total);
		}
	return total + largest;
}

NOINLINE i64 mixed(i8 small, u16 middle, i64 large, _Bool odd)
{
	i64 result = large * small;
	u8 low = (u8)(middle >> 3);

	MARK(small, middle, large, odd, result, low);
	if (odd)
		result -= low;
	small = (i8)(small * 3);
	MARK(small, result);
	return result + small;
}

KERNEL void both(GLOBAL u32 *log, int n, const GLOBAL u32 *data)
{
	int lane = (int)__builtin_amdgcn_workitem_id_x();
	struct queue queue = {.state = IDLE, .flags = 2};
	enum state last = IDLE;
	i64 sum;

	START(log);
	for (int i = 0; i < n; i++)
		last = push(&queue, lane - i, i * i);
	MARK(queue, last, n);
	sum = gcd(lane * 6 + 4, n * 5);
	sum += (i64)table(lane, n);
	sum += rounds(lane, data);
	sum += mixed((i8)(lane - 40), (u16)(lane * 1000), -((i64)lane << 33), lane & 1);
	MARK(sum, lane);
	log[(u32)lane * RECORDS * WORDS + (RECORDS - 1) * WORDS] =
		(u32)sum + (u32)last + queue.head;
}
