// SPDX-License-Identifier: MIT
// HIP programs whose kernels fail deep in calls, one for each name on the command line: check-stacks.py knows who called whom.
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CALLED __device__ __attribute__((noinline))

// The address is that of no memory.
CALLED int fails(int *out, int value)
{
	out[value] = value;
	return value + 1;
}

CALLED int middle(int *out, int value)
{
	return fails(out, value * 3) - value;
}

__global__ void chain(int *out)
{
	out[0] = middle(out, threadIdx.x) + 1;
}

CALLED int sinks(int *out, int depth)
{
	if (!depth)
		return fails(out, threadIdx.x) + 1;
	return depth - sinks(out, depth - 1);
}

__global__ void recursion(int *out)
{
	out[0] = sinks(out, 48);
}

typedef int (*way)(int *, int);

CALLED int left(int *out, int value)
{
	return fails(out, value + 2) - 1;
}

CALLED int right(int *out, int value)
{
	return fails(out, value + 1) - 2;
}

__device__ way ways[2] = {left, right};

__global__ void pointer(int *out)
{
	out[0] = ways[blockIdx.x & 1](out, threadIdx.x) + 3;
}

CALLED int jumps(int *out, int value)
{
	return fails(out, value + 5);
}

__global__ void tail(int *out)
{
	out[0] = jumps(out, threadIdx.x) + 1;
}

template <typename T> CALLED int applies(T what, int value)
{
	return what(value) + 1;
}

__global__ void lambda(int *out)
{
	out[0] = applies([out](int value) { return fails(out, value) - 1; }, threadIdx.x) + 2;
}

CALLED int says(int *out, int value)
{
	if (!threadIdx.x)
		printf("value %d\n", value);
	return fails(out, value) + value;
}

__global__ void prints(int *out)
{
	out[0] = says(out, threadIdx.x) + 2;
}

CALLED int asserts(int value)
{
	assert(value < 0);
	return value + 1;
}

CALLED int checks(int value)
{
	return asserts(value + 1) - value;
}

__global__ void asserted(int *out)
{
	out[0] = checks(threadIdx.x);
}

int main(int count, char **names)
{
	static const struct {
		const char *name;
		void (*kernel)(int *);
	} kernels[] = {{"chain", chain},   {"recursion", recursion}, {"pointer", pointer}, {"tail", tail},
		       {"lambda", lambda}, {"prints", prints},	     {"asserted", asserted}};
	int *out = reinterpret_cast<int *>(0x7e7e00000000);

	for (const auto &one : kernels)
		if (count > 1 && !strcmp(one.name, names[1])) {
			one.kernel<<<1, 64>>>(out);
			(void)hipDeviceSynchronize();
		}
	return 0;
}
