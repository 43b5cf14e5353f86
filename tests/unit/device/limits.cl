/* SPDX-License-Identifier: MIT */
/* Kernels that say for which workgroups they were compiled. OpenCL C 1.2 has complete ones only. */
__kernel __attribute__((amdgpu_flat_work_group_size(1, 64))) void small(__global uint *out)
{
	out[0] = 1;
}

__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void fixed(__global uint *out)
{
	out[0] = 2;
}
