// SPDX-License-Identifier: MIT
// The program whose crash is release-0.1.0.wtape: an index out of memory that nobody checks.
#include <hip/hip_runtime.h>

struct particle {
	float position[3];
	int cell;
};

__global__ void count(const particle *particles, int length, int *cells)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < length)
		atomicAdd(&cells[particles[i].cell], 1);
}

int main()
{
	const int length = 256;
	particle host[length] = {};
	particle *particles;
	int *cells;

	for (int i = 0; i < length; i++)
		host[i].cell = i == 77 ? 1 << 29 : i % 16;
	if (hipMalloc(&particles, sizeof(host)) || hipMalloc(&cells, 16 * sizeof(*cells)) ||
	    hipMemcpy(particles, host, sizeof(host), hipMemcpyHostToDevice))
		return 2;
	count<<<4, 64>>>(particles, length, cells);
	return hipDeviceSynchronize() ? 1 : 0;
}
