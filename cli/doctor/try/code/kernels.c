/* SPDX-License-Identifier: MIT */
/*
 * The kernels of `wavetape doctor --try`, compiled for each GPU and shipped: one that is right, one that uses local and private memory, and
 * three that end as is known beforehand, with values in registers that a trace must have. A workgroup is 64 work-items.
 *
 * The lines that a trace must name are those of the numbers below, whatever stands before them: cli/doctor/steps.c has them, too.
 */
typedef __UINT32_TYPE__ u32;

#define KERNEL __attribute__((amdgpu_kernel, visibility("protected")))
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
#define GROUP 64u

/* Registers that the compiler leaves alone from here on: a number in a scalar one, and one that differs by lane in a vector one. */
static inline __attribute__((always_inline)) void plant(u32 lane)
{
	__asm__ volatile("s_mov_b32 s40, 0x5a5a1234\n\tv_mov_b32 v40, %0" ::"v"(lane | 0x5a000000u)
			 : "s40", "v40");
}

KERNEL void wavetape_try_right(GLOBAL u32 *out)
{
	u32 i = __builtin_amdgcn_workgroup_id_x() * GROUP + __builtin_amdgcn_workitem_id_x();

	out[i] = 3 * i + 1;
}

/* Numbers go through local memory from lane to lane, and through an array of each work-item. */
KERNEL void wavetape_try_memory(GLOBAL u32 *out)
{
	static LOCAL __attribute__((loader_uninitialized)) u32 shared[GROUP];
	u32 lane = __builtin_amdgcn_workitem_id_x(), sum = 0;
	volatile u32 own[16];

	for (u32 i = 0; i < 16; i++)
		own[(i + lane) % 16] = i * lane;
	shared[lane] = own[lane % 16] + own[(lane + 5) % 16] + 7;
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
	for (u32 i = 0; i < 4; i++)
		sum += shared[(lane + i) % GROUP];
	out[__builtin_amdgcn_workgroup_id_x() * GROUP + lane] = sum;
}

/* Lane 5 of the first wave loads from where nothing is. */
KERNEL void wavetape_try_fault(GLOBAL u32 *out, GLOBAL u32 *bad)
{
	u32 lane = __builtin_amdgcn_workitem_id_x();
	GLOBAL u32 *from = lane == 5 ? bad : out + lane;

	plant(lane);
#line 1000
	out[lane] = *(volatile GLOBAL u32 *)from + 1;
}

KERNEL void wavetape_try_trap(GLOBAL u32 *out)
{
	u32 lane = __builtin_amdgcn_workitem_id_x();

	out[lane] = lane;
	plant(lane);
#line 2000
	__builtin_trap();
}

/* Waits for the host, and not for ever: a sleep is 8128 cycles or fewer. */
KERNEL void wavetape_try_hang(GLOBAL u32 *out, GLOBAL u32 *flag, u32 limit)
{
	u32 lane = __builtin_amdgcn_workitem_id_x();

	plant(lane);
#line 3000
	for (u32 i = 0; i < limit && !__atomic_load_n(flag, __ATOMIC_RELAXED); i++)
		__builtin_amdgcn_s_sleep(127);
	out[lane] = 3 * lane + 1;
}
