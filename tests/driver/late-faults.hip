// SPDX-License-Identifier: MIT
// Kernels that run for a while before they write behind their memory, with the host waiting in one of the ways in which programs do.
// `late-faults WAY LOG2`: the memory has 2^LOG2 bytes. It ends by the runtime's hand, or says that it has come to its end.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

__global__ void run_over(float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = i;
}

__global__ void count(float *y)
{
	y[0] += 1;
}

static hipStream_t streams[8];
static float *counted;

static bool is_way(const char *arg, const char *way)
{
	return !strcmp(arg, way);
}

static void launch(int which, int log2)
{
	float *memory;
	(void)hipMalloc(&memory, (size_t)1 << log2);
	run_over<<<1, 1, 0, streams[which]>>>(memory, ~(size_t)0);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	int log2 = atoi(argv[2]);
	float value;
	hipEvent_t event;
	(void)hipMalloc(&counted, sizeof(float));
	(void)hipEventCreate(&event);
	for (int i = 0; i < 8; i++)
		(void)hipStreamCreate(&streams[i]);
	if (is_way(argv[1], "after")) {
		// Something else has been waited for, and an event comes before the kernel.
		count<<<1, 1, 0, streams[0]>>>(counted);
		(void)hipStreamSynchronize(streams[0]);
		(void)hipEventRecord(event, streams[0]);
	}
	launch(0, log2);
	if (is_way(argv[1], "copy") || is_way(argv[1], "after")) {
		count<<<1, 1>>>(counted);
		(void)hipMemcpy(&value, counted, sizeof(value), hipMemcpyDeviceToHost);
	} else if (is_way(argv[1], "device")) {
		(void)hipDeviceSynchronize();
	} else if (is_way(argv[1], "stream")) {
		(void)hipStreamSynchronize(streams[0]);
	} else if (is_way(argv[1], "streams")) {
		for (int i = 1; i < 4; i++)
			launch(i, log2 + 1);
		for (int i = 0; i < 4; i++)
			(void)hipStreamSynchronize(streams[i]);
	} else if (is_way(argv[1], "event")) {
		(void)hipEventRecord(event, streams[0]);
		(void)hipEventSynchronize(event);
	} else if (is_way(argv[1], "event-query")) {
		(void)hipEventRecord(event, streams[0]);
		while (hipEventQuery(event) == hipErrorNotReady)
			usleep(1000);
	} else if (is_way(argv[1], "stream-query")) {
		while (hipStreamQuery(streams[0]) == hipErrorNotReady)
			usleep(1000);
	} else {
		return 2;
	}
	printf("no fault\n");
	return 0;
}
