// SPDX-License-Identifier: MIT
// Arithmetic that raises an exception, one for each name on the command line. check-exceptions.py finds the lines by the marks.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#define COUNT 200
#define WORK_ITEM (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void roots(const float *in, float *out, int count)
{
	int i = WORK_ITEM;
	if (i < count)
		out[i] = sqrtf(in[i]); // roots
}

// The NaN of the root goes into a division.
__global__ void scaled(const float *in, const float *below, float *out, int count)
{
	int i = WORK_ITEM;
	if (i < count)
		out[i] = in[i] / sqrtf(below[i]); // scaled
}

__global__ void quotients(const float *in, const float *below, float *out, int count)
{
	int i = WORK_ITEM;
	if (i < count)
		out[i] = in[i] / below[i]; // quotients
}

__global__ void differences(const float *in, const float *below, float *out, int count)
{
	int i = WORK_ITEM;
	if (i < count)
		out[i] = in[i] - below[i]; // differences
}

__global__ void products(const float *in, const float *below, float *out, int count)
{
	int i = WORK_ITEM;
	if (i < count)
		out[i] = in[i] * below[i]; // products
}

__global__ void shares(const int *in, const int *below, int *out, int count)
{
	int i = WORK_ITEM;
	if (i < count)
		out[i] = in[i] / below[i]; // shares
}

template <typename type> __global__ void ratios(const type *in, const type *below, type *out, int count)
{
	int i = WORK_ITEM;
	if (i < count)
		out[i] = in[i] / below[i]; // ratios
}

// Nothing of this raises one that counts.
__global__ void correct(const float *in, const float *below, float *out, double *wide, int count)
{
	int i = WORK_ITEM;
	if (i >= count)
		return;
	float x = in[i], y = below[i];
	double z = x, w = y;
	out[i] = x / y + sinf(x) + powf(x, 1.5f) + expf(-x) + logf(x + 1) + sqrtf(x) + (float)(i / (i % 7 + 1));
	wide[i] = z / w + sin(z) + pow(z, 1.5) + exp(-z) + log(z + 1) + sqrt(z) + rsqrt(z + 1);
}

// A selection that takes it, and could have taken another value.
__global__ void kept(const float *in, const float *below, float *out, int count)
{
	int i = WORK_ITEM;
	if (i >= count)
		return;
	float difference = in[i] - below[i]; // kept
	out[i] = isinf(below[count - 1]) ? 0 : difference;
}

// Whose results are numbers, or infinite as their operands are; steps on the way to them are not.
__global__ void limits(const float *in, const float *below, float *out, double *wide, int count)
{
	int i = WORK_ITEM;
	if (i >= count)
		return;
	out[i] = in[i] / below[i] + sqrtf(below[i]);
	wide[i] = (double)in[i] / (double)below[i] + sqrt((double)below[i]) + sqrt((double)in[i]);
}

static float in[COUNT], below[COUNT], out[COUNT];
static int numbers[COUNT], counts[COUNT], whole[COUNT];
static double wide[COUNT];
static long numbers64[COUNT], counts64[COUNT];
static unsigned char numbers8[COUNT], counts8[COUNT];

template <typename type> static type *copy(const type *from)
{
	type *memory = nullptr;
	(void)hipMalloc(&memory, COUNT * sizeof(type));
	(void)hipMemcpy(memory, from, COUNT * sizeof(type), hipMemcpyHostToDevice);
	return memory;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	const float infinity = INFINITY;
	double sum = 0;

	for (int i = 0; i < COUNT; i++) {
		in[i] = (float)(i + 1) / 4;
		below[i] = (float)(i % 5 + 1);
		numbers[i] = 3 * i;
		counts[i] = i % 5 + 1;
		numbers64[i] = i << 9, counts64[i] = counts[i];
		numbers8[i] = (unsigned char)(3 * i), counts8[i] = (unsigned char)counts[i];
	}
	if (!strcmp(name, "roots"))
		in[131] = -1.5f;
	if (!strcmp(name, "scaled"))
		below[131] = -1.5f;
	if (!strcmp(name, "quotients"))
		in[131] = below[131] = 0;
	if (!strcmp(name, "by-zero") || !strcmp(name, "both"))
		in[131] = 1, below[131] = 0;
	if (!strcmp(name, "both"))
		below[132] = 0, in[132] = 0, in[133] = 2, below[133] = 0;
	if (!strcmp(name, "differences") || !strcmp(name, "kept"))
		in[131] = below[131] = infinity;
	if (!strcmp(name, "products"))
		in[131] = below[131] = 2e30f;
	if (!strcmp(name, "shares"))
		counts[131] = 0;
	if (!strcmp(name, "longs"))
		counts64[131] = 0;
	if (!strcmp(name, "bytes"))
		counts8[131] = 0;
	if (!strcmp(name, "limits"))
		for (int i = 0; i < COUNT; i += 3)
			in[i] = i % 2 ? 0 : 5, below[i] = infinity;
	float *first = copy(in), *second = copy(below), *result = copy(out);
	int *third = copy(numbers), *fourth = copy(counts), *share = copy(whole);
	long *long_in = copy(numbers64), *long_below = copy(counts64);
	unsigned char *byte_in = copy(numbers8), *byte_below = copy(counts8);
	double *doubles = copy(wide);
	dim3 groups(4), items(64);

	for (int round = 0; round < 3; round++) {
		if (!strcmp(name, "roots"))
			roots<<<groups, items>>>(first, result, COUNT);
		if (!strcmp(name, "scaled"))
			scaled<<<groups, items>>>(first, second, result, COUNT);
		if (!strcmp(name, "quotients") || !strcmp(name, "by-zero") || !strcmp(name, "both"))
			quotients<<<groups, items>>>(first, second, result, COUNT);
		if (!strcmp(name, "differences"))
			differences<<<groups, items>>>(first, second, result, COUNT);
		if (!strcmp(name, "kept"))
			kept<<<groups, items>>>(first, second, result, COUNT);
		if (!strcmp(name, "products"))
			products<<<groups, items>>>(first, second, result, COUNT);
		if (!strcmp(name, "shares"))
			shares<<<groups, items>>>(third, fourth, share, COUNT);
		if (!strcmp(name, "longs"))
			ratios<<<groups, items>>>(long_in, long_below, long_in, COUNT);
		if (!strcmp(name, "bytes"))
			ratios<<<groups, items>>>(byte_in, byte_below, byte_in, COUNT);
		if (!strcmp(name, "correct"))
			correct<<<groups, items>>>(first, second, result, doubles, COUNT);
		if (!strcmp(name, "limits"))
			limits<<<groups, items>>>(first, second, result, doubles, COUNT);
		(void)hipDeviceSynchronize();
	}
	(void)hipMemcpy(out, result, sizeof(out), hipMemcpyDeviceToHost);
	(void)hipMemcpy(whole, share, sizeof(whole), hipMemcpyDeviceToHost);
	(void)hipMemcpy(wide, doubles, sizeof(wide), hipMemcpyDeviceToHost);
	for (int i = 0; i < COUNT; i++)
		if (i != 131)
			sum += out[i] + whole[i] + wide[i];
	printf("%g %g %d\n", sum, out[131], whole[131]);
	return hipGetLastError() != hipSuccess;
}
