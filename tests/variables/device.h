/* SPDX-License-Identifier: MIT */
/*
 * Kernels that tell the values of their own variables. MARK(a, b) stops for the debugger and then writes size and bytes of a
 * and b to the log: check-variables.py compares that with what `wavetape locals` shows at the stop.
 */
#ifndef TESTS_VARIABLES_DEVICE_H
#define TESTS_VARIABLES_DEVICE_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef signed char i8;
typedef short i16;
typedef long i64;

#if defined(__OPENCL_C_VERSION__)
#define GLOBAL global
#define NOINLINE __attribute__((noinline)) static
/* OpenCL has no local variables outside of kernels: functions are given this. */
struct place {
	global u32 *log;
	u32 written;
};
#elif defined(__HIP__)
#define KERNEL __global__
#define GLOBAL
#define LOCAL __shared__
#define NOINLINE static __device__ __attribute__((noinline))
#define INLINE static __device__ inline __attribute__((always_inline))
#elif !defined(__AMDGCN__)
/* On the host a program is one lane, whose number it is told. */
#ifdef __cplusplus
extern "C" {
#endif
extern u32 host_lane;
void host_mark(void);
#ifdef __cplusplus
}
#endif
#define KERNEL
#define GLOBAL
#define LOCAL
#define NOINLINE __attribute__((noinline)) static
#define INLINE static inline
#define __builtin_amdgcn_workitem_id_x() host_lane
#else
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected")))
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
#define NOINLINE static __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))
#endif

/* Functions of classes. */
#ifdef __HIP__
#define DEVICE __device__
#else
#define DEVICE
#endif
#define METHOD DEVICE __attribute__((noinline))

/* Of each lane: how many records it may write, and how many words each has. */
#define RECORDS 48
#define WORDS 192

#if defined(__OPENCL_C_VERSION__)
#define NEXT_RECORD                                                                                \
	(place->log + (__builtin_amdgcn_workitem_id_x() * RECORDS + place->written++) * WORDS)
#else
#if defined(__HIP__)
static LOCAL u32 written[64];
static LOCAL u32 *log_start[1];
#else
static LOCAL __attribute__((loader_uninitialized)) u32 written[64];
typedef GLOBAL u32 *log_pointer;
static LOCAL __attribute__((loader_uninitialized)) log_pointer log_start[1];
#endif

/* At the start of each kernel. */
#define START(buffer)                                                                              \
	do {                                                                                       \
		written[__builtin_amdgcn_workitem_id_x()] = 0;                                     \
		log_start[0] = (buffer);                                                           \
	} while (0)

INLINE GLOBAL u32 *next_record(void)
{
	u32 lane = __builtin_amdgcn_workitem_id_x();

	return log_start[0] + (lane * RECORDS + written[lane]++) * WORDS;
}
#define NEXT_RECORD next_record()
#endif

#if defined(__OPENCL_C_VERSION__)
#define BYTES global void *
#else
#define BYTES void *
#endif

#define PUT(variable)                                                                              \
	*record = sizeof(variable);                                                                \
	__builtin_memcpy((BYTES)(record + 1), &(variable), sizeof(variable));                      \
	record += 1 + (sizeof(variable) + 3) / 4;

#define PUT_1(a) PUT(a)
#define PUT_2(a, ...) PUT(a) PUT_1(__VA_ARGS__)
#define PUT_3(a, ...) PUT(a) PUT_2(__VA_ARGS__)
#define PUT_4(a, ...) PUT(a) PUT_3(__VA_ARGS__)
#define PUT_5(a, ...) PUT(a) PUT_4(__VA_ARGS__)
#define PUT_6(a, ...) PUT(a) PUT_5(__VA_ARGS__)
#define PUT_7(a, ...) PUT(a) PUT_6(__VA_ARGS__)
#define PUT_8(a, ...) PUT(a) PUT_7(__VA_ARGS__)
#define PUT_9(a, ...) PUT(a) PUT_8(__VA_ARGS__)
#define PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, name, ...) name
#ifdef MARK
/* The source has its own. */
#elif defined(HOST)
#define MARK(...) host_mark()
#elif defined(QUIET)
/* Nothing reads the variables behind the stop: what they are is told by the same kernel with a log. */
#define MARK(...) __builtin_debugtrap()
#else
#define MARK(...)                                                                                  \
	do {                                                                                       \
		__builtin_debugtrap();                                                             \
		GLOBAL u32 *record = NEXT_RECORD;                                                  \
		PICK(__VA_ARGS__, PUT_9, PUT_8, PUT_7, PUT_6, PUT_5, PUT_4, PUT_3, PUT_2, PUT_1)   \
		(__VA_ARGS__)                                                                      \
	} while (0)
#endif

#endif
