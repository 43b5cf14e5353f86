// SPDX-License-Identifier: MIT
// A thousand buffers, of which every second one is given back, and a kernel that stores to the first. Of small ones the runtime keeps the
// pages, and nothing would fail.
#include <hip/hip_runtime.h>

__global__ void fill(float *out)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main()
{
	float *buffers[1000];

	for (int i = 0; i < 1000; i++)
		if (hipMalloc(&buffers[i], i ? 1 << 12 : 1 << 22) != hipSuccess)
			return 1;
	for (int i = 0; i < 1000; i += 2)
		if (hipFree(buffers[i]) != hipSuccess)
			return 1;
	fill<<<16, 64>>>(buffers[0]);
	return hipDeviceSynchronize() != hipSuccess;
}
