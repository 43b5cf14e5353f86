/* SPDX-License-Identifier: MIT */
/*
 * The host side of device.h: the same names for kernels that run on the host, and the runner's own
 * interface. Work-items of a workgroup run as fibers of one thread, one workgroup after another.
 */
#ifndef TESTS_KERNELS_HOST_H
#define TESTS_KERNELS_HOST_H

#include <stdbool.h>
#include <stdint.h>

#define KERNEL static
#define GLOBAL
#define LOCAL
/*
 * Local memory: refilled with a pattern before each workgroup, for on a device it starts unknown.
 */
#define LOCAL_ARRAY static __attribute__((section("host_local")))
#define DYNAMIC_LOCAL_ARRAY(type, name, most) LOCAL_ARRAY type name[most]
#define CONSTANT static const
#define DEVICE_INLINE static inline __attribute__((unused))
#define HALF_FUNCTION static __attribute__((noinline, unused))
#define DEVICE_CALL static __attribute__((noinline))

/* One argument of a kernel. */
union host_argument {
	void *pointer;
	uint32_t u32;
	float f32;
};

/*
 * A kernel: its name, one letter for each argument ('p' pointer, 'I' u32, 'f' f32), and its call.
 */
struct host_kernel {
	const char *name;
	const char *kinds;
	void (*call)(const union host_argument *arguments);
};

#define POINTER(n) arguments[n].pointer
#define U32(n) arguments[n].u32
#define F32(n) arguments[n].f32

/* Makes a kernel known to the runner; the remaining arguments say how each of its own is taken. */
#define HOST_KERNEL(name, kinds, ...)                                                              \
	static void host_call_##name(const union host_argument *arguments)                         \
	{                                                                                          \
		name(__VA_ARGS__);                                                                 \
	}                                                                                          \
	static const struct host_kernel host_kernel_##name = {#name, kinds, host_call_##name};     \
	static const struct host_kernel *const host_entry_##name                                   \
		__attribute__((section("host_kernels"), used)) = &host_kernel_##name

/* A dispatch, as its work-items see it. */
struct host_grid {
	uint32_t dimensions;
	uint32_t group_size[3];	 /* work-items of a complete workgroup */
	uint32_t group_count[3]; /* complete workgroups */
	uint32_t remainder[3];	 /* work-items of the incomplete workgroup at the end, or 0 */
};

/* The dispatch that runs, and the work-item of it that runs now. */
extern struct host_grid host_grid;
extern struct host_item {
	uint32_t group_id[3];
	uint32_t local_id[3];
} host_item;

/* Wait for the other work-items of the workgroup. */
void host_barrier(void);

/* The kernel cannot go on (a trap, an illegal instruction): leave the program, naming the place. */
_Noreturn void host_stop(const char *what);

/**
 * Run one workgroup: all its work-items to their end.
 *
 * @kernel, @arguments: what to run.
 * @size: work-items in each dimension; host_grid and host_item.group_id are set by the caller.
 *
 * Return: false if some work-items wait at a barrier that others have left out by returning.
 */
bool host_run_group(const struct host_kernel *kernel, const union host_argument *arguments,
		    const uint32_t size[3]);

static inline uint32_t local_id_x(void)
{
	return host_item.local_id[0];
}

static inline uint32_t local_id_y(void)
{
	return host_item.local_id[1];
}

static inline uint32_t local_id_z(void)
{
	return host_item.local_id[2];
}

static inline uint32_t group_id_x(void)
{
	return host_item.group_id[0];
}

static inline uint32_t group_id_y(void)
{
	return host_item.group_id[1];
}

static inline uint32_t group_id_z(void)
{
	return host_item.group_id[2];
}

static inline uint32_t full_group_size(uint32_t d)
{
	return host_grid.group_size[d];
}

static inline uint32_t full_group_count(uint32_t d)
{
	return host_grid.group_count[d];
}

static inline uint32_t group_remainder(uint32_t d)
{
	return host_grid.remainder[d];
}

static inline uint32_t grid_dimensions(void)
{
	return host_grid.dimensions;
}

static inline void barrier(void)
{
	host_barrier();
}

/* One thread runs all work-items: plain operations are atomic ones. The old value is the result. */
#define HOST_ATOMIC(pointer, expression)                                                           \
	({                                                                                         \
		__typeof__(*(pointer)) old_ = *(pointer);                                          \
		*(pointer) = (expression);                                                         \
		old_;                                                                              \
	})
#define HOST_add(a, b) ((a) + (b))
#define HOST_sub(a, b) ((a) - (b))
#define HOST_and(a, b) ((a) & (b))
#define HOST_or(a, b) ((a) | (b))
#define HOST_xor(a, b) ((a) ^ (b))
#define HOST_min(a, b) ((a) < (b) ? (a) : (b))
#define HOST_max(a, b) ((a) > (b) ? (a) : (b))
#define ATOMIC_GLOBAL(operation, pointer, value)                                                   \
	HOST_ATOMIC(pointer, HOST_##operation(old_, (__typeof__(old_))(value)))
#define ATOMIC_LOCAL(operation, pointer, value) ATOMIC_GLOBAL(operation, pointer, value)
#define atomic_add_global(pointer, value) ATOMIC_GLOBAL(add, pointer, value)
#define atomic_add_local(pointer, value) ATOMIC_LOCAL(add, pointer, value)
#define atomic_swap_global(pointer, value) HOST_ATOMIC(pointer, value)
#define atomic_swap_local(pointer, value) HOST_ATOMIC(pointer, value)
#define atomic_replace_global(pointer, expected, value)                                            \
	__atomic_compare_exchange_n(pointer, expected, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define atomic_replace_local(pointer, expected, value)                                             \
	atomic_replace_global(pointer, expected, value)
#define atomic_add_f32_global(pointer, value) ATOMIC_GLOBAL(add, pointer, value)
#define atomic_add_f64_global(pointer, value) ATOMIC_GLOBAL(add, pointer, value)
#define atomic_min_f64_global(pointer, value) ATOMIC_GLOBAL(min, pointer, value)
#define atomic_max_f64_global(pointer, value) ATOMIC_GLOBAL(max, pointer, value)
#define atomic_add_f32_local(pointer, value) ATOMIC_LOCAL(add, pointer, value)
#define atomic_min_f32_local(pointer, value) ATOMIC_LOCAL(min, pointer, value)
#define atomic_max_f32_local(pointer, value) ATOMIC_LOCAL(max, pointer, value)
#define atomic_add_f64_local(pointer, value) ATOMIC_LOCAL(add, pointer, value)
#define local_append(pointer) ((*(pointer))++)
#define local_consume(pointer) ((*(pointer))--)

/* Exchanges between the work-items of a wave (host-fibers.c). */
#define HOST_WAVE 64

/* This work-item's place in its wave. */
uint32_t host_lane(void);

/**
 * Give @value to the other work-items of the wave, and wait for theirs.
 *
 * @mask_ret: a bit for each that takes part.
 *
 * Return: the values by lane, 0 for lanes that do not exist; valid until the exchange after the next.
 */
const uint64_t *host_wave_values(uint64_t value, uint64_t *mask_ret);

uint64_t host_wave_ballot(bool condition);
uint32_t host_wave_fetch(uint32_t value, uint32_t lane);
uint32_t host_wave_send(uint32_t value, uint32_t lane);
uint32_t host_wave_dpp(uint32_t old, uint32_t value, uint32_t pattern, uint32_t rows,
		       uint32_t banks, bool zero);

#define wave_lane() host_lane()
#define wave_ballot(condition) host_wave_ballot(condition)
#define wave_fetch(value, lane) host_wave_fetch(value, lane)
#define wave_send(value, lane) host_wave_send(value, lane)
#define wave_first(value) host_wave_fetch(value, 0)
#define wave_read(value, lane) host_wave_fetch(value, lane)
#define wave_exchange(value, mask) host_wave_fetch(value, host_lane() ^ (mask))
#define wave_dpp(old, value, pattern, rows, banks)                                                 \
	host_wave_dpp(old, value, pattern, rows, banks, false)
#define wave_dpp_zero(value, pattern) host_wave_dpp(0, value, pattern, 15, 15, true)

/* The host has one rounding mode for all; denormals are for the kernel to take care of. */
void host_round(uint32_t mode);
#define set_round_single(mode) host_round(mode)
#define set_round_double(mode) host_round(mode)
#define set_denormals_single(mode) ((void)(mode))
#define set_denormals_double(mode) ((void)(mode))
#define OPAQUE(value) __asm__ volatile("" : "+m"(value))

#define trap_assert() host_stop("assert trap")
#define trap_debug() ((void)0)
#define trap_illegal() host_stop("illegal instruction")

#endif
