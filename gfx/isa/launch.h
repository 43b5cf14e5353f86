/* SPDX-License-Identifier: MIT */
/* Launch a wave: its initial state, from the kernel descriptor and the dispatch. */
#ifndef GFX_ISA_LAUNCH_H
#define GFX_ISA_LAUNCH_H

#include "gfx/wave/wave.h"

/* The fields of the 64-byte kernel descriptor (LLVM: AMDGPUUsage, "Kernel Descriptor"). */
struct gfx_kernel_descriptor {
	uint32_t group_segment_size, private_segment_size, kernarg_size;
	int64_t entry_offset; /* of the first instruction, relative to the descriptor */
	uint32_t rsrc1, rsrc2, rsrc3;
	uint16_t properties, kernarg_preload;
};

/**
 * Parse the 64 bytes of a kernel descriptor.
 *
 * Return: NULL for success, or a static text that says why @architecture cannot run it.
 */
const char *gfx_kernel_descriptor_parse(const struct gfx_architecture *architecture,
					const uint8_t bytes[64],
					struct gfx_kernel_descriptor *descriptor_ret);

/* The sizes of register files, in registers, that the descriptor requires. */
struct gfx_wave_resources {
	uint32_t sgpr_count, vgpr_count, agpr_count, lane_count;
};
void gfx_kernel_descriptor_resources(const struct gfx_architecture *architecture,
				     const struct gfx_kernel_descriptor *descriptor,
				     struct gfx_wave_resources *resources_ret);

/* The inputs of a launch besides the descriptor. Sizes are in work-items. */
struct gfx_launch {
	uint64_t code_entry; /* address of the first instruction */
	uint64_t kernarg_address, dispatch_packet_address, queue_address, dispatch_id;
	uint64_t scratch_base; /* global address of the wave's private memory */
	/* Address and size in bytes of the scratch memory of all waves of the queue. Programs of gfx90a
	 * compute their own part of it; those of gfx942 do not need it. */
	uint64_t scratch_pool_base, scratch_pool_size;
	uint32_t private_segment_size; /* per lane */
	uint32_t workgroup[3];	       /* coordinates in the grid, in workgroups */
	uint32_t workgroup_size[3];
	uint32_t grid_size[3]; /* in a partial workgroup, lanes past the grid are inactive */
	uint32_t wave_in_group;
	uint32_t packet_index;
	uint64_t wave_id; /* for ttmp4 and ttmp5 */
};

/**
 * Set a wave's registers as hardware does before the first instruction: user and system SGPRs in the order of the ABI,
 * work-item ids, exec, mode, status and trap temporaries; all others to 0.
 *
 * @wave: its register files are set and have the sizes of gfx_kernel_descriptor_resources().
 */
void gfx_wave_launch(struct gfx_wave *wave, const struct gfx_kernel_descriptor *descriptor,
		     const struct gfx_launch *launch);

#endif /* GFX_ISA_LAUNCH_H */
