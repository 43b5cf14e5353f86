// SPDX-License-Identifier: MIT
// How many launches of an empty kernel a second the program gets done, of so many.
#include <hip/hip_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

__global__ void nothing()
{
}

static double run(int count)
{
	auto start = std::chrono::steady_clock::now();
	for (int i = 0; i < count; i++)
		nothing<<<1, 64>>>();
	if (hipDeviceSynchronize() != hipSuccess)
		exit(1);
	return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 40000;
	run(count / 10 + 1);
	printf("{\"per_second\": %.1f}\n", count / run(count));
	return 0;
}
