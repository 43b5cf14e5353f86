/* SPDX-License-Identifier: MIT */
/*
 * What a test kernel may use, on the device and on the host.
 *
 * A kernel is one C file that includes this header and nothing else. It is compiled twice: for an
 * AMD GPU, where the names below are compiler built-ins, and for the host, where host-runner.c runs
 * each work-item as a fiber. Both give the same bytes, so that the host's result is the expected
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

#if defined(__AMDGCN__)

/* Marks a kernel: a function that can be dispatched. It returns void. */
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected")))
/* Memory of a pointer's target. A pointer without one of these is a generic pointer. */
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
/* Declares an array in the memory that a workgroup shares. Its first content is unknown. */
#define LOCAL_ARRAY static LOCAL __attribute__((loader_uninitialized))
#define DEVICE_INLINE static inline __attribute__((always_inline))
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

/* The program gives up: the wave stops at this place and cannot be resumed. */
#define trap_assert() __builtin_trap()
/* The program asks for the debugger: the wave stops behind this place and can be resumed. */
#define trap_debug() __builtin_debugtrap()
/* A word in a scalar encoding (SOPP, opcode 127) that stands for no instruction. */
#define trap_illegal() __asm__ volatile(".long 0xbfff1234")

#else

#include "host.h"

#endif

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
