/* SPDX-License-Identifier: MIT */
/*
 * Kernels that fault for a reason that is planted: what `wavetape explain` has to name, and what it must not name.
 * check-explain.py has the arguments with which each faults.
 */
#include "device.h"

struct particle {
	float x, y, z, mass;
};

/* ---- Past the end ---- */

/* One element more than there are: the condition is off by one. */
KERNEL void off_by_one(GLOBAL u32 *out, u32 n)
{
	u32 i = global_id_x();

	if (i <= n)
		out[i] = i;
}

/* The right neighbour of the last element. */
KERNEL void right_neighbour(GLOBAL const float *in, GLOBAL float *out, u32 n)
{
	u32 i = global_id_x();

	if (i < n)
		out[i] = in[i] + in[(u64)i + 1];
}

/* Two elements per work-item into a buffer for one. */
KERNEL void wrong_stride(GLOBAL u64 *out, u32 n)
{
	u32 i = global_id_x();

	if (i < n)
		out[2 * (u64)i] = i;
}

/* A loop that goes on to the end itself. */
KERNEL void grid_stride(GLOBAL u32 *out, u32 n)
{
	for (u32 i = global_id_x(); i <= n; i += global_size(0))
		out[i] = 7 * i;
}

/* An index that was read, and points a little too far. */
KERNEL void gather(GLOBAL const float *table, GLOBAL const u32 *index, GLOBAL float *out, u32 n)
{
	u32 i = global_id_x();

	if (i < n)
		out[i] = table[index[i]];
}

/* The number of elements of one of two buffers. */
KERNEL void too_small(GLOBAL const u32 *in, GLOBAL u32 *out, u32 n)
{
	u32 i = global_id_x();

	if (i < n)
		out[i] = in[i];
}

/* A row too many; the guard looks at the columns alone. */
KERNEL void rows(GLOBAL u16 *image, u32 width, u32 height)
{
	u32 column = local_id_x(), row = group_id_x();

	if (column < width)
		image[(u64)row * width + column] = (u16)(row + height);
}

/* ---- Before the start ---- */

KERNEL void left_neighbour(GLOBAL const float *in, GLOBAL float *out, u32 n)
{
	u32 i = global_id_x();

	if (i < n)
		out[i] = in[i] - in[(i64)i - 1];
}

/* Counts down past zero. */
KERNEL void backwards(GLOBAL u32 *out, i32 last)
{
	for (i32 i = last; i >= -3; i--)
		out[i] = (u32)i;
}

/* Below zero, in 32 bits without a sign. */
KERNEL void wrapped(GLOBAL u32 *out, u32 n)
{
	u32 i = global_id_x();

	if (i < n)
		out[i - 1] = i;
}

/* What says that there is none is taken for an index. */
KERNEL void scatter(GLOBAL const u32 *index, GLOBAL u64 *out, u32 n)
{
	u32 i = global_id_x();

	if (i < n)
		out[index[i]] = i;
}

/* ---- Null ---- */

KERNEL void null_store(GLOBAL u32 *out, u32 n)
{
	u32 i = global_id_x();

	if (i < n)
		out[i] = i;
}

/* Stores run into the arguments, from behind, before later workgroups load them. */
KERNEL void overrun(GLOBAL u32 *out, u32 n)
{
	u64 arguments = (u64)__builtin_amdgcn_kernarg_segment_ptr();

	/* To the compiler nobody writes there. */
	__asm__ volatile("" : "+v"(arguments));
	if (group_id_x() == 0)
		for (u32 i = 8; i > 0; i--)
			((GLOBAL u64 *)arguments)[i - 1] = 0x3f8000003f800000;
	else
		out[local_id_x()] = n + full_group_size(0);
}

KERNEL void null_field(GLOBAL struct particle *particles, GLOBAL float *out)
{
	out[local_id_x()] = particles->mass;
}

struct node {
	GLOBAL const struct node *next;
	u64 value;
};

/* Goes one node too far in a list. */
KERNEL void null_next(GLOBAL const struct node *list, GLOBAL u64 *out, u32 hops)
{
	GLOBAL const struct node *node = list;

	for (u32 i = 0; i < hops; i++)
		node = node->next;
	out[local_id_x()] = node->value;
}

typedef GLOBAL u32 *global_words;

/* A table of pointers, of which one was not filled in. */
KERNEL void null_row(GLOBAL const global_words *rows, u32 column)
{
	rows[local_id_x()][column] = 1;
}

/* ---- Misaligned ---- */

KERNEL void misaligned(GLOBAL u8 *bytes, u32 offset)
{
	GLOBAL u32 *counter = (GLOBAL u32 *)(bytes + offset);

	(void)atomic_add_global(counter, 1);
}

/* One counter in each record of the wrong size. */
KERNEL void misaligned_records(GLOBAL u8 *bytes, u32 record)
{
	u32 i = local_id_x();
	GLOBAL u64 *counter = (GLOBAL u64 *)(bytes + (u64)i * record);

	(void)atomic_add_global(counter, 1);
}

/* ---- Pointers that are none ---- */

/* Whose caller has its arguments in the wrong order. */
KERNEL void exchanged(GLOBAL u32 *out, u64 n)
{
	u64 i = global_id_x();

	if (i < n)
		out[i] = 1;
}

/* A pointer that is kept as a number of 32 bits. */
KERNEL void truncated(GLOBAL u32 *out, u32 n)
{
	u32 kept = (u32)(u64)(out + n);

	*(GLOBAL u32 *)(u64)kept = n;
}

/* One of four pointers; it was never set unless n is large. */
KERNEL void never_set(GLOBAL u32 *out, u32 n)
{
	GLOBAL u32 *volatile pointers[4];

	if (n > 100)
		pointers[n % 4] = out;
	*pointers[n % 4] = n;
}

/* The same in local memory: of the first wave alone, which is all there is. */
KERNEL void never_set_local(GLOBAL u32 *out, u32 n)
{
	LOCAL_ARRAY volatile u64 pointers[64];
	u32 i = local_id_x();

	if (i < n)
		pointers[i] = (u64)out;
	*(GLOBAL u32 *)(pointers[i] + 16) = i;
}

/* ---- Overflow ---- */

KERNEL void pitch(GLOBAL float *image, i32 pitch, i32 row)
{
	i32 i = (i32)local_id_x();

	image[row * pitch + i] = 1;
}

KERNEL void pitch_each(GLOBAL float *image, i32 pitch, i32 first)
{
	i32 row = first + (i32)global_id_x();

	image[row * pitch] = 1;
}

KERNEL void pitch_unsigned(GLOBAL u64 *image, u32 pitch, u32 row)
{
	u32 i = local_id_x();

	image[row * pitch + i] = 1;
}

/* A row that went below zero before it was multiplied: it is not the product that is wrong. */
KERNEL void row_before(GLOBAL u32 *image, u32 pitch)
{
	u32 row = local_id_x() - 1;

	image[row * pitch] = 1;
}

/* ---- No guard ---- */

KERNEL void no_guard(GLOBAL u32 *out, u32 n)
{
	u32 i = global_id_x();

	(void)n;
	out[i] = i;
}

KERNEL void no_guard_sum(GLOBAL const double *a, GLOBAL const double *b, GLOBAL double *sum, u64 n)
{
	u32 i = global_id_x();

	(void)n;
	sum[i] = a[i] + b[i];
}

KERNEL void no_guard_scaled(GLOBAL const u16 *in, GLOBAL u16 *out, u32 n, u32 factor)
{
	u32 i = global_id_x();

	out[i] = (u16)(in[i] * factor / n);
}

/* ---- Local memory ---- */

KERNEL void local_end(GLOBAL u32 *out, u32 stride)
{
	DYNAMIC_LOCAL_ARRAY(u32, shared, 4096);
	u32 i = local_id_x();

	shared[i * stride] = i;
	barrier();
	out[i] = shared[0];
}

KERNEL void local_start(GLOBAL u32 *out, u32 n)
{
	LOCAL_ARRAY u32 shared[64];
	u32 i = local_id_x();

	shared[i - n] = i;
	barrier();
	out[i] = shared[63 - i];
}

/* An index that other lanes have put into local memory. */
KERNEL void through_local(GLOBAL u32 *out, u32 stride)
{
	LOCAL_ARRAY u32 places[64];
	u32 i = local_id_x();

	places[i] = i * stride;
	barrier();
	out[places[63 - i]] = i;
}

/* ---- Private memory ---- */

KERNEL void private_end(GLOBAL u32 *out, u32 index)
{
	volatile u32 own[16];

	own[index] = index;
	out[local_id_x()] = own[0];
}

/* An index that was kept in private memory, at a place that is known only when it runs. */
KERNEL void through_private(GLOBAL u32 *out, u32 stride)
{
	volatile u32 places[8];
	u32 i = local_id_x();

	for (u32 k = 0; k < 8; k++)
		places[k] = (i + k) * stride;
	out[places[i % 8]] = i;
}

/* Lanes go two ways, and come together again before the store. */
KERNEL void branches(GLOBAL u32 *out, u32 near, u32 far)
{
	u32 i = local_id_x(), place;

	if (i % 3 == 0)
		place = i + near;
	else if (i % 5 == 0)
		place = i + far;
	else
		place = i;
	out[place] = i;
}

/* ---- Two dispatches: what the first one used is gone for the second ---- */

KERNEL void fill(GLOBAL u32 *out, u32 n)
{
	u32 i = global_id_x();

	if (i >= n)
		return;
	out[i] = i;
	trap_debug();
	out[i] += n;
}

/* The table of pointers is there still. */
KERNEL void freed_row(GLOBAL const global_words *rows, u32 column)
{
	GLOBAL u32 *row = rows[0];

	row[local_id_x() + column] = 1;
	trap_debug();
	row[local_id_x() + column] = 2;
}

/* ---- No simple cause ---- */

/* A pointer out of memory that never held one. */
KERNEL void wild_pointer(GLOBAL const global_words *table, GLOBAL u32 *out)
{
	u32 i = local_id_x();

	out[i] = table[i][i];
}

/* An index that is no index at all. */
KERNEL void wild_index(GLOBAL const u32 *index, GLOBAL float *out)
{
	u32 i = local_id_x();

	out[index[i]] = 1;
}

/* A hash that was meant to wrap, and a table that is too small for its mask. */
KERNEL void hash(GLOBAL u32 *table, u32 mask)
{
	u32 i = local_id_x();
	u32 h = (i + 77) * 2654435761u;

	table[(h >> 7) & mask] = i;
}

/* One of two pointers, of which neither is right. */
KERNEL void either(GLOBAL u32 *a, GLOBAL u32 *b, u32 offset, u32 which)
{
	u32 i = local_id_x();
	GLOBAL u32 *chosen = (i + which) % 3 == 0 ? a : b;

	chosen[i + offset] = i;
}

/* The distance of two buffers, added to one of them. */
KERNEL void distance(GLOBAL u32 *a, GLOBAL u32 *b, u32 factor)
{
	u64 from = (u64)a, to = (u64)b;

	*(GLOBAL u32 *)(from + (to - from) * factor) = 1;
}

/* A number taken for an address. */
KERNEL void number(u64 where)
{
	*(GLOBAL u32 *)where = 1;
}

/* Indices of 64 bits: what looks as if it had wrapped is what was meant. */
KERNEL void wide_index(GLOBAL u32 *out, u64 index)
{
	out[index + local_id_x()] = 1;
}

KERNEL void wide_loaded(GLOBAL const u64 *index, GLOBAL u32 *out)
{
	out[index[local_id_x()]] = 1;
}

KERNEL void wide_product(GLOBAL u32 *out, u32 a, u32 b)
{
	out[(u64)a * b + local_id_x()] = 1;
}

KERNEL void wide_sum(GLOBAL u32 *out, u32 a, u32 b)
{
	u64 sum = (u64)a + b;

	out[sum + local_id_x()] = 1;
}

/* Offsets from a number, of which one is 0: no pointer is null. */
KERNEL void offsets(GLOBAL const u64 *offset, u64 from)
{
	*(GLOBAL u32 *)(from + offset[local_id_x()]) = 1;
}

/* A stale pointer: where it points nothing was mapped, at any time that is known. */
KERNEL void stale(GLOBAL u32 *out, u32 n)
{
	u32 i = local_id_x();

	if (i < n)
		out[i] = i;
}

/* An index that another wave of the workgroup has put into local memory. */
KERNEL void through_shared(GLOBAL u32 *out, u32 stride)
{
	LOCAL_ARRAY u32 places[128];
	u32 i = local_id_x();

	places[i] = i * stride;
	barrier();
	out[places[127 - i]] = i;
}

/* ---- Half of a sum ---- */

/*
 * The address has the lower half of a sum alone. In the upper half stands what a register happened to have, here of another pointer, as in the sums of
 * unoptimised code. It is none of the address.
 */
KERNEL void lower_half(GLOBAL u32 *out, GLOBAL u32 *other, u32 width)
{
	u64 number = ((u64)other & ~0xffffffffULL) | global_id_x(), sum;

#if defined(__GFX9__) || (defined(__GFX11__) && __AMDGCN_WAVEFRONT_SIZE == 64)
	__asm__("v_mad_u64_u32 %0, vcc, %1, %2, %3"
		: "=v"(sum)
		: "v"(width), "v"(width), "v"(number)
		: "vcc");
#elif defined(__GFX11__)
	__asm__("v_mad_u64_u32 %0, vcc_lo, %1, %2, %3"
		: "=v"(sum)
		: "v"(width), "v"(width), "v"(number)
		: "vcc");
#else
	sum = (u64)width * width + number;
#endif
	out[(u32)sum] = 1;
}
