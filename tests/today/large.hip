// SPDX-License-Identifier: MIT
// A program with a code object as large as the file "ballast", and 401 kernels, one of which stores where no memory is.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <utility>

// In the place of the code of a library that has a kernel for each shape. It is never executed.
__global__ void ballast()
{
	asm volatile(".incbin \"ballast\"");
}

template <int N> __global__ void store(int *to, int value)
{
	to[threadIdx.x * N] = value;
}

template <int... N> static void (*find(int wanted, std::integer_sequence<int, N...>))(int *, int)
{
	static void (*const kernels[])(int *, int) = {store<N>...};

	return kernels[wanted];
}

int main(int argc, char **argv)
{
	auto kernel = find(333, std::make_integer_sequence<int, 400>());
	int *memory = nullptr;

	if (argc > 1 && hipMalloc(&memory, 1 << 20))
		return 1;
	if (argc > 2)
		ballast<<<1, 64>>>();
	kernel<<<1, 64>>>(memory, 7); // large
	int error = hipDeviceSynchronize();
	printf("%d\n", error);
	return error;
}
