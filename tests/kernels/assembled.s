// SPDX-License-Identifier: MIT
// Two kernels as generators of assembly write them: functions have no size, labels are symbols, each kernel has a note of metadata of its
// own, and its descriptor does not say how many bytes of arguments it has. Both store to what their argument points to.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text

	.macro kernel name, offset
	.globl	\name
	.p2align	8
	.type	\name,@function
\name:
	s_load_dwordx2 s[2:3], s[0:1], \offset
	v_mov_b32 v0, 0
label_\name:
	v_mov_b32 v1, 7
	s_waitcnt lgkmcnt(0)
	global_store_dword v0, v1, s[2:3]
	s_waitcnt vmcnt(0)
	s_endpgm

	.section .rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 2
		.amdhsa_next_free_sgpr 4
		.amdhsa_accum_offset 4
	.end_amdhsa_kernel
	.text
	.endm

	kernel first, 0
	kernel second, 8

	.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: first
    .symbol: first.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 4
    .vgpr_count: 2
    .max_flat_workgroup_size: 64
    .args:
      - {.name: there, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
...
	.end_amdgpu_metadata

	.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: second
    .symbol: second.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 4
    .vgpr_count: 2
    .max_flat_workgroup_size: 64
    .args:
      - {.name: count, .offset: 0, .size: 4, .value_kind: by_value}
      - {.name: nowhere, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
	.end_amdgpu_metadata
