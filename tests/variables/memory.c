/* SPDX-License-Identifier: MIT */
/* What lies in local memory, and arrays in private memory whose elements are found at run time. */
#include "device.h"

struct cell {
	int key;
	float weights[2];
	struct part {
		u16 low;
		i8 flags[3];
	} part;
	union any {
		u32 word;
		u16 halves[2];
		float real;
	} any;
};
struct node {
	LOCAL struct node *next;
	int value;
};
union word {
	struct fields {
		u8 first, second;
		i16 rest;
	} fields;
	u32 whole;
};

static LOCAL __attribute__((loader_uninitialized)) struct cell cells[64];
static LOCAL __attribute__((loader_uninitialized)) struct node nodes[64];
static LOCAL __attribute__((loader_uninitialized)) int grid[4][16];

/* Structures in local memory, by pointers to them. */
NOINLINE int local_structures(int lane, float scale)
{
	LOCAL struct cell *own = &cells[lane], *other = &cells[63 - lane];
	LOCAL int(*row)[16] = &grid[lane / 16];
	LOCAL int *element = &grid[lane / 16][lane % 16];

	own->key = lane * 7 - 100;
	own->weights[0] = scale * (float)lane;
	own->weights[1] = -scale;
	own->part.low = (u16)(lane * 1000);
	own->part.flags[0] = (i8)-lane;
	own->part.flags[1] = own->part.flags[2] = (i8)(lane * 2);
	own->any.real = (float)lane + 0.5f;
	*element = lane * lane;
	__builtin_amdgcn_s_barrier();
	MARK(*own, own->part.flags, own->any, own, lane);
	MARK(*other, *row, *element, scale);
	return other->key + (*row)[(lane + 1) % 16] + (int)other->any.halves[1];
}

/* A ring of nodes in local memory. */
NOINLINE int ring(int lane, int steps)
{
	LOCAL struct node *node = &nodes[lane], *walk;
	LOCAL struct node **hand = &walk;
	int sum = 0;

	node->next = &nodes[(lane + 5) % 64];
	node->value = lane * 3;
	__builtin_amdgcn_s_barrier();
	walk = node;
	for (int i = 0; i < steps; i++) {
		sum += (*hand)->value;
		*hand = (*hand)->next;
		MARK(i, sum, walk, *walk, walk->next->value);
	}
	MARK(sum, **hand, node->next);
	return sum;
}

/* Arrays whose elements are chosen by what differs from lane to lane. */
NOINLINE int private_arrays(int lane, int n)
{
	int stack[12], top = 0;
	i16 small[2][5];
	union word words[3];
	int *spots[3];

	for (int i = 0; i < 12; i++)
		stack[i] = -1;
	for (int i = 0; i < 10; i++)
		small[i / 5][i % 5] = (i16)(i * lane - 50);
	for (int left = lane + n; left && top < 12; left /= 3)
		stack[top++] = left % 3;
	for (int i = 0; i < 3; i++) {
		words[i].whole = (u32)lane * 0x01234567u * (u32)(i + 1);
		spots[i] = &stack[(lane + i) % 12];
	}
	MARK(stack, top, small, words, lane);
	*spots[lane % 3] = 77;
	small[lane % 2][lane % 5] += (i16)top;
	words[lane % 3].fields.rest = (i16)n;
	MARK(stack, small, words, spots, *spots[1]);
	return stack[lane % 12] + small[1][lane % 5] + (int)words[1].whole + top;
}

/* Each function knows one of the pointers on the way. */
NOINLINE int third(int ***way, int lane)
{
	MARK(way, *way, **way, ***way, lane);
	***way += lane;
	return ***way;
}
NOINLINE int second(int **way, int lane)
{
	int *own = *way, **short_way = &own, result;

	result = third(lane % 2 ? &way : &short_way, lane);
	MARK(own, *own, **short_way, result);
	return result;
}
NOINLINE int first(int lane)
{
	int values[4] = {lane, lane + 10, lane + 20, lane + 30}, result;
	int *chosen = &values[lane % 4];

	result = second(&chosen, lane);
	MARK(values, *chosen, result);
	return result + values[3];
}

KERNEL void memory(GLOBAL u32 *log, int n, float scale)
{
	int lane = (int)__builtin_amdgcn_workitem_id_x();
	int sum;

	START(log);
	sum = local_structures(lane, scale);
	MARK(sum, lane);
	sum += ring(lane, n / 2);
	sum += private_arrays(lane, n);
	MARK(sum, n);
	sum += first(lane);
	MARK(sum, scale);
	log[(u32)lane * RECORDS * WORDS + (RECORDS - 1) * WORDS] = (u32)sum;
}
