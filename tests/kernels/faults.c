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

/* ---- Null ---- */

KERNEL void null_store(GLOBAL u32 *out, u32 n)
{
	u32 i = global_id_x();

	if (i < n)
		out[i] = i;
}

KERNEL void null_field(GLOBAL struct particle *particles, GLOBAL float *out)
{
	out[local_id_x()] = particles->mass;
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

/* ---- No simple cause ---- */

typedef GLOBAL u32 *global_words;

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

/* A stale pointer: where it points nothing was mapped, at any time that is known. */
KERNEL void stale(GLOBAL u32 *out, u32 n)
{
	u32 i = local_id_x();

	if (i < n)
		out[i] = i;
}
