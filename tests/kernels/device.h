/* SPDX-License-Identifier: MIT */
/*
 * What a test kernel may use, on the device and on the host.
 *
 * A kernel is one C file that includes this header, or matrix.h, and nothing else. It is compiled
 * twice: for an AMD GPU, where the names below are compiler built-ins, and for the host, where
 * host-runner.c runs each work-item as a fiber. Both give the same bytes, so that the host's result is the expected
 * value of the simulated device.
 *
 * Kernels keep to what has one answer everywhere: no contraction of floating point operations, no
 * library functions, no dependence on the order of work-items other than by barriers, and integers
 * only where several work-items add to one place.
 */
#ifndef TESTS_KERNELS_DEVICE_H
#define TESTS_KERNELS_DEVICE_H

typedef __UINT8_TYPE__ u8;
typedef __UINT16_TYPE__ u16;
typedef __UINT32_TYPE__ u32;
typedef __UINT64_TYPE__ u64;
typedef __INT8_TYPE__ i8;
typedef __INT16_TYPE__ i16;
typedef __INT32_TYPE__ i32;
typedef __INT64_TYPE__ i64;

typedef _Float16 f16;

#define ROUND_NEAREST 0
#define ROUND_UP 1
#define ROUND_DOWN 2
#define ROUND_ZERO 3

/* Patterns of wave_dpp(): counts go from 1 to 15. */
#define DPP_QUAD(a, b, c, d) ((a) | (b) << 2 | (c) << 4 | (d) << 6)
#define DPP_ROW_LEFT(count) (0x100 + (count))
#define DPP_ROW_RIGHT(count) (0x110 + (count))
#define DPP_ROW_ROTATE(count) (0x120 + (count))
#define DPP_WAVE_RIGHT 0x138
#define DPP_MIRROR 0x140
#define DPP_HALF_MIRROR 0x141
#define DPP_BROADCAST_15 0x142
#define DPP_BROADCAST_31 0x143

#if defined(__AMDGCN__)

/* Marks a kernel: a function that can be dispatched. It returns void. */
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected")))
/* Memory of a pointer's target. A pointer without one of these is a generic pointer. */
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
/* Declares an array in the memory that a workgroup shares. Its first content is unknown. */
#define LOCAL_ARRAY static LOCAL __attribute__((loader_uninitialized))
/* Declares an array of as many elements as the dispatch's dynamic bytes hold, at most @most. */
#define DYNAMIC_LOCAL_ARRAY(type, name, most) extern LOCAL type name[]
/* A table that is known at compile time. */
#define CONSTANT static __attribute__((address_space(4))) const
#define DEVICE_INLINE static inline __attribute__((always_inline))
#define HALF_FUNCTION DEVICE_INLINE
/* A device function that is really called. */
#define DEVICE_CALL static __attribute__((noinline))
/* Says how the host calls a kernel; nothing on the device. */
#define HOST_KERNEL(name, kinds, ...) _Static_assert(sizeof(kinds) > 0, "argument kinds")

/* The hidden arguments behind the explicit ones, code object version 5. */
struct hidden_arguments {
	u32 block_count[3]; /* complete workgroups in each dimension */
	u16 group_size[3];  /* work-items of a complete workgroup */
	u16 remainder[3];   /* work-items of the incomplete last one, or 0 */
	u8 reserved[16];
	u64 global_offset[3];
	u16 grid_dims;
};

#define HIDDEN                                                                                     \
	((__attribute__((address_space(4)))                                                        \
	  const struct hidden_arguments *)__builtin_amdgcn_implicitarg_ptr())

DEVICE_INLINE u32 local_id_x(void)
{
	return __builtin_amdgcn_workitem_id_x();
}

DEVICE_INLINE u32 local_id_y(void)
{
	return __builtin_amdgcn_workitem_id_y();
}

DEVICE_INLINE u32 local_id_z(void)
{
	return __builtin_amdgcn_workitem_id_z();
}

DEVICE_INLINE u32 group_id_x(void)
{
	return __builtin_amdgcn_workgroup_id_x();
}

DEVICE_INLINE u32 group_id_y(void)
{
	return __builtin_amdgcn_workgroup_id_y();
}

DEVICE_INLINE u32 group_id_z(void)
{
	return __builtin_amdgcn_workgroup_id_z();
}

/* Work-items of a complete workgroup, in dimension @d. */
DEVICE_INLINE u32 full_group_size(u32 d)
{
	return HIDDEN->group_size[d];
}

/* Complete workgroups of the dispatch, in dimension @d. */
DEVICE_INLINE u32 full_group_count(u32 d)
{
	return HIDDEN->block_count[d];
}

/* Work-items of the incomplete workgroup at the end of dimension @d; 0 if there is none. */
DEVICE_INLINE u32 group_remainder(u32 d)
{
	return HIDDEN->remainder[d];
}

DEVICE_INLINE u32 grid_dimensions(void)
{
	return HIDDEN->grid_dims;
}

/* All work-items of a workgroup wait for each other; their memory accesses become visible. */
DEVICE_INLINE void barrier(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

#define atomic_add_global(pointer, value)                                                          \
	__scoped_atomic_fetch_add(pointer, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_add_local(pointer, value)                                                           \
	__scoped_atomic_fetch_add(pointer, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
/* @operation: add, sub, and, or, xor, min, max. All give the old value back. */
#define ATOMIC_GLOBAL(operation, pointer, value)                                                   \
	__scoped_atomic_fetch_##operation(pointer, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define ATOMIC_LOCAL(operation, pointer, value)                                                    \
	__scoped_atomic_fetch_##operation(pointer, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
#define atomic_swap_global(pointer, value)                                                         \
	__scoped_atomic_exchange_n(pointer, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_swap_local(pointer, value)                                                          \
	__scoped_atomic_exchange_n(pointer, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
/* If it is *expected, make it @value and return true; else *expected becomes what it is. */
#define atomic_replace_global(pointer, expected, value)                                            \
	__scoped_atomic_compare_exchange_n(pointer, expected, value, 0, __ATOMIC_RELAXED,          \
					   __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_replace_local(pointer, expected, value)                                             \
	__scoped_atomic_compare_exchange_n(pointer, expected, value, 0, __ATOMIC_RELAXED,          \
					   __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
/* Those that are one instruction for floating point. */
#define atomic_add_f32_global(pointer, value)                                                      \
	__builtin_amdgcn_global_atomic_fadd_f32(pointer, value)
#define atomic_add_f64_global(pointer, value)                                                      \
	__builtin_amdgcn_global_atomic_fadd_f64(pointer, value)
#define atomic_min_f64_global(pointer, value)                                                      \
	__builtin_amdgcn_global_atomic_fmin_f64(pointer, value)
#define atomic_max_f64_global(pointer, value)                                                      \
	__builtin_amdgcn_global_atomic_fmax_f64(pointer, value)
#define atomic_add_f32_local(pointer, value) __builtin_amdgcn_ds_faddf(pointer, value, 0, 0, 0)
#define atomic_min_f32_local(pointer, value) __builtin_amdgcn_ds_fminf(pointer, value, 0, 0, 0)
#define atomic_max_f32_local(pointer, value) __builtin_amdgcn_ds_fmaxf(pointer, value, 0, 0, 0)
#define atomic_add_f64_local(pointer, value) __builtin_amdgcn_ds_atomic_fadd_f64(pointer, value)
/* Add the number of work-items that do it to a counter, or take it away; the old value. */
#define local_append(pointer) __builtin_amdgcn_ds_append((LOCAL i32 *)(pointer))
#define local_consume(pointer) __builtin_amdgcn_ds_consume((LOCAL i32 *)(pointer))

/*
 * Between the work-items of a wave, 64 that follow each other. All work-items of the wave must take
 * part.
 */
DEVICE_INLINE u32 wave_lane(void)
{
	return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}

/* A bit for each lane whose condition holds. */
#define wave_ballot(condition) __builtin_amdgcn_ballot_w64(condition)
/* The value of another lane. */
#define wave_fetch(value, lane) ((u32)__builtin_amdgcn_ds_bpermute((int)(4 * (lane)), (int)(value)))
/* Send to another lane; each must be sent to once. */
#define wave_send(value, lane) ((u32)__builtin_amdgcn_ds_permute((int)(4 * (lane)), (int)(value)))
#define wave_first(value) ((u32)__builtin_amdgcn_readfirstlane((int)(value)))
/* @lane is the same in all lanes. */
#define wave_read(value, lane) ((u32)__builtin_amdgcn_readlane((int)(value), lane))
/* The value of the lane whose number differs in the bits of @mask, below 32. */
#define wave_exchange(value, mask)                                                                 \
	((u32)__builtin_amdgcn_ds_swizzle((int)(value), (mask) << 10 | 31))
/*
 * One of DPP's patterns, with its number below; a lane without a source keeps @old. Rows are 16
 * lanes; row and bank masks say which rows, and which quads of each, are written.
 */
#define wave_dpp(old, value, pattern, rows, banks)                                                 \
	((u32)__builtin_amdgcn_update_dpp((int)(old), (int)(value), pattern, rows, banks, 0))
/* The same with 0 for what has no source. */
#define wave_dpp_zero(value, pattern)                                                              \
	((u32)__builtin_amdgcn_update_dpp(0, (int)(value), pattern, 15, 15, 1))

/* The fields of the mode register that rounding and denormals have, single and double. */
#define SET_MODE(first, mode)                                                                      \
	__builtin_amdgcn_s_setreg(1 | (first) << 6 | 1 << 11, wave_first(mode))
#define set_round_single(mode) SET_MODE(0, mode)
#define set_round_double(mode) SET_MODE(2, mode)
#define set_denormals_single(mode) SET_MODE(4, mode)
#define set_denormals_double(mode) SET_MODE(6, mode)
/* The compiler must have the value here, and knows nothing of it from here on. */
#define OPAQUE(value) __asm__ volatile("" : "+v"(value))

/* The program gives up: the wave stops at this place and cannot be resumed. */
#define trap_assert() __builtin_trap()
/* The program asks for the debugger: the wave stops behind this place and can be resumed. */
#define trap_debug() __builtin_debugtrap()
/* A word in a scalar encoding (SOPP, opcode 127) that stands for no instruction. */
#define trap_illegal() __asm__ volatile(".long 0xbfff1234")

#else

#include "host.h"

#endif

/* Halves by their bits. */
DEVICE_INLINE f16 half_of_bits(u16 bits)
{
	union {
		u16 bits;
		f16 half;
	} value = {.bits = bits};

	return value.half;
}

DEVICE_INLINE u16 bits_of_half(f16 half)
{
	union {
		f16 half;
		u16 bits;
	} value = {.half = half};

	return value.bits;
}

/* One operation, rounded to a half at once: hosts would like to keep more bits. */
#define HALF_OPERATION(name, expression)                                                           \
	HALF_FUNCTION f16 half_##name(f16 a, f16 b)                                                \
	{                                                                                          \
		return expression;                                                                 \
	}
HALF_OPERATION(add, a + b)
HALF_OPERATION(subtract, a - b)
HALF_OPERATION(multiply, a *b)
HALF_OPERATION(divide, a / b)

/* The place of this work-item in the whole grid. */
DEVICE_INLINE u32 global_id_x(void)
{
	return group_id_x() * full_group_size(0) + local_id_x();
}

DEVICE_INLINE u32 global_id_y(void)
{
	return group_id_y() * full_group_size(1) + local_id_y();
}

DEVICE_INLINE u32 global_id_z(void)
{
	return group_id_z() * full_group_size(2) + local_id_z();
}

/* Work-items of the whole grid, in dimension @d. */
DEVICE_INLINE u32 global_size(u32 d)
{
	return full_group_count(d) * full_group_size(d) + group_remainder(d);
}

#endif
