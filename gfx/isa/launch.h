/* SPDX-License-Identifier: MIT */
/* Launch: the initial state of a wave, from the kernel descriptor. */
#ifndef GFX_ISA_LAUNCH_H
#define GFX_ISA_LAUNCH_H

#include "gfx/wave/wave.h"

/* The fields of the 64-byte kernel descriptor (LLVM: AMDGPUUsage, "Kernel Descriptor"). */
struct gfx_kernel_descriptor {
	uint32_t group_segment_size, private_segment_size, kernarg_size;
	int64_t entry_offset; /* of the code, from the descriptor's own address */
	uint32_t rsrc1, rsrc2, rsrc3;
	uint16_t properties, kernarg_preload;
};

/**
 * Parse a kernel descriptor. @bytes: 64 bytes, little endian.
 * Return: NULL, or a static text that says what is wrong with it for @architecture.
 */
const char *gfx_kernel_descriptor_parse(const struct gfx_architecture *architecture,
					const uint8_t bytes[64],
					struct gfx_kernel_descriptor *descriptor_ret);

/* Register file sizes that the descriptor asks for, in registers (of the wave's lanes). */
struct gfx_wave_resources {
	uint32_t sgpr_count, vgpr_count, agpr_count, lane_count;
};
void gfx_kernel_descriptor_resources(const struct gfx_architecture *architecture,
				     const struct gfx_kernel_descriptor *descriptor,
				     struct gfx_wave_resources *resources_ret);

/* What a launch needs beyond the descriptor. Sizes in work-items. */
struct gfx_launch {
	uint64_t code_entry; /* address of the first instruction */
	uint64_t kernarg_address, dispatch_packet_address, queue_address, dispatch_id;
	uint64_t scratch_base; /* global address of the wave's private memory */
	/* The memory that all waves' private memory is taken from: its address and size in bytes.
	 * Programs of gfx90a find their own part in it; gfx942 does not look. */
	uint64_t scratch_pool_base, scratch_pool_size;
	uint32_t private_segment_size; /* per lane */
	uint32_t workgroup[3];	       /* coordinates in the grid, in workgroups */
	uint32_t workgroup_size[3];
	uint32_t grid_size[3]; /* for partial workgroups: lanes past the grid are off */
	uint32_t wave_in_group;
	uint32_t packet_index;
	uint64_t wave_id; /* kept in ttmp4:5 */
};

/**
 * Set a wave's registers as hardware does before the first instruction: user and system SGPRs in
 * the order of the ABI, work-item ids, exec, mode, status, trap temporaries; everything else zero.
 * The register files must be in place and have the sizes of gfx_kernel_descriptor_resources().
 */
void gfx_wave_launch(struct gfx_wave *wave, const struct gfx_kernel_descriptor *descriptor,
		     const struct gfx_launch *launch);

#endif /* GFX_ISA_LAUNCH_H */
