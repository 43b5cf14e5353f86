// SPDX-License-Identifier: MIT
// Faults of which the first thing that meets the eye is not the cause: `blamed NAME` runs one.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

struct node {
	float *target;
	const float *source;
	int count;
};

typedef int (*operation)(int);

// Both pointers are bad; the first one that is read is what fails.
__global__ void look_up(const float *table, const float *factors, float *out)
{
	float value = table[threadIdx.x];
	float factor = factors[threadIdx.x];
	out[threadIdx.x] = value * factor;
}

__global__ void gather(float **layers, float *out)
{
	float *layer = layers[blockIdx.x];
	out[blockIdx.x * 64 + threadIdx.x] = layer[threadIdx.x];
}

// The memory of both is the program's own; the driver knows of one.
__global__ void add_up(const float *registered, const float *plain, float *out)
{
	out[threadIdx.x] = registered[threadIdx.x] + plain[threadIdx.x];
}

__global__ void run_node(const node *nodes, int which)
{
	node chosen = nodes[which];
	int i = blockIdx.x * 64 + threadIdx.x;
	if (i < chosen.count)
		chosen.target[i] = chosen.source[i] + 1;
}

__global__ void fill(float *out, int count, int last)
{
	int i = blockIdx.x * 64 + threadIdx.x;
	if (i < last)
		out[i] = 2;
}

// The indices lie in memory that is far from where the wave stores, and one of them is wrong.
__global__ void count_up(const unsigned char *key, unsigned int *bins)
{
	atomicAdd(&bins[key[blockIdx.x * 256 + threadIdx.x] * 1305], 1U);
}

__global__ void scatter(const int *places, float *out)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	out[places[i]] = 2;
}

// How often it goes round is read from memory, and of the columns one is wrong.
__global__ void multiply(const int *rows, const int *columns, const double *in, double *out, int count)
{
	int row = blockIdx.x * 256 + threadIdx.x;
	double sum = 0;
	if (row >= count)
		return;
	for (int i = rows[row]; i < rows[row + 1]; i++)
		sum += in[columns[i]];
	out[row] = sum;
}

// How far it goes is in memory that nobody records all of.
__global__ void search(const char *text, int *found)
{
	int i = threadIdx.x;
	while (text[i] != 'x')
		i += 64;
	found[0] = i;
}

// One work-item, wherever it is told to.
__global__ void store_at(float *out, size_t index)
{
	out[index] = 2;
}

__global__ void apply(const operation *operations, int *out)
{
	operation chosen = operations[1];
	out[threadIdx.x] = chosen(threadIdx.x);
}

__global__ void refuse(const int *codes, int *out)
{
	int code = codes[threadIdx.x];
	if (code < 0)
		__builtin_trap();
	out[threadIdx.x] = code;
}

template <typename T>
static T *allocate(size_t count)
{
	T *memory = nullptr;

	if (hipMalloc(&memory, count * sizeof(T)) != hipSuccess)
		exit(3);
	return memory;
}

/* Element 200 of 8: on hardware it is 0, and nothing is reported. */
__global__ void past_local(int *out, int far)
{
	__shared__ int *rows[8];

	if (threadIdx.x < 8)
		rows[threadIdx.x] = out + 64 * threadIdx.x;
	__syncthreads();
	int *row = rows[far];
	row[threadIdx.x] = 3;
}

template <typename T, size_t count>
static T *upload(const T (&values)[count])
{
	T *memory = allocate<T>(count);

	if (hipMemcpy(memory, values, sizeof(values), hipMemcpyHostToDevice) != hipSuccess)
		exit(3);
	return memory;
}

static void release(void *memory)
{
	if (hipFree(memory) != hipSuccess)
		exit(3);
}

/* As an allocator of its own writes it down that it has handed out a block. */
static void write_region(const void *base, uint64_t size)
{
	struct __attribute__((packed)) {
		char magic[4];
		uint16_t version, none, type;
		uint64_t sequence, time, thread;
		uint32_t length;
		uint16_t reserved;
		uint32_t count, flags;
		uint8_t operation, kind, device, region_flags;
		uint32_t tag;
		uint64_t base, size;
		int64_t region_time;
	} file = {{'H', 'R', 'R', 'R'}, 1, 0, 0xfffd, 0, 0, 0, 72, 0, 1, 0, 0, 0, 0, 0, 0, (uint64_t)base, size, 0};
	std::string name = std::string(getenv("HIP_HRR_CAPTURE_OUTPUT")) + "/pid-" + std::to_string(getpid()) + "/regions";
	FILE *stream;

	if (system(("mkdir -p " + name).c_str()))
		exit(3);
	stream = fopen((name + "/pool.hrrr").c_str(), "wb");
	if (!stream || fwrite(&file, sizeof(file), 1, stream) != 1 || fclose(stream))
		exit(3);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	float *out = allocate<float>(1 << 18);

	if (!strcmp(name, "two")) {
		float *table = allocate<float>(1 << 20);

		release(table);
		look_up<<<1, 64>>>(table, nullptr, out);
	} else if (!strcmp(name, "host")) {
		float *layers[] = {out, out, (float *)malloc(2 << 20), out};

		gather<<<4, 64>>>(upload(layers), out);
	} else if (!strcmp(name, "registered")) {
		float *registered = (float *)malloc(2 << 20), *plain = (float *)malloc(2 << 20), *seen;

		if (hipHostRegister(registered, 2 << 20, hipHostRegisterMapped) != hipSuccess ||
		    hipHostGetDevicePointer((void **)&seen, registered, 0) != hipSuccess)
			exit(3);
		add_up<<<1, 64>>>(seen, plain, out);
	} else if (!strcmp(name, "freed")) {
		float *target = allocate<float>(1 << 20);
		node nodes[] = {{out, out, 1 << 18}, {target, out, 1 << 18}};

		release(target);
		run_node<<<4, 64>>>(upload(nodes), 1);
	} else if (!strcmp(name, "limit")) {
		fill<<<8192, 64>>>(out, 1 << 18, 1 << 19);
	} else if (!strcmp(name, "end")) {
		fill<<<16, 64>>>(out, 1024, 1024);
		fill<<<32, 64>>>(out, 1024, 1024);
		store_at<<<1, 1>>>(out, (1 << 18) + 6);
	} else if (!strcmp(name, "block")) {
		store_at<<<1, 1>>>(out + 128, 1 << 18);
	} else if (!strcmp(name, "many")) {
		for (int i = 1; i <= 40; i++)
			fill<<<i, 64>>>(out, 1024, 1024);
		store_at<<<1, 1>>>(out, (1 << 18) + 6);
	} else if (!strcmp(name, "pool")) {
		write_region(out + (1 << 18) - 1024, 4096);
		store_at<<<1, 1>>>(out + (1 << 18) - 1024, 1030);
	} else if (!strcmp(name, "heap")) {
		store_at<<<1, 1>>>(new float[64], 3);
	} else if (!strcmp(name, "jump")) {
		operation operations[] = {nullptr, (operation)0x7000000000f0};

		apply<<<1, 64>>>(upload(operations), (int *)out);
	} else if (!strcmp(name, "past-local")) {
		past_local<<<1, 64>>>((int *)out, 200);
	} else if (!strcmp(name, "bins")) {
		static unsigned char keys[1 << 14];

		memset(keys, 3, sizeof(keys));
		keys[5000] = 201;
		count_up<<<64, 256>>>(upload(keys), (unsigned int *)out);
	} else if (!strcmp(name, "columns")) {
		static int rows[(1 << 13) + 1], columns[1 << 15];

		for (int i = 0; i <= 1 << 13; i++)
			rows[i] = 4 * i;
		columns[16001] = 1 << 28;
		multiply<<<32, 256>>>(upload(rows), upload(columns), (double *)out, (double *)out, 1 << 13);
	} else if (!strcmp(name, "search")) {
		if (hipMemset(out, 'y', 1 << 20) != hipSuccess)
			exit(3);
		search<<<1, 64>>>((const char *)out, (int *)out);
	} else if (!strcmp(name, "places")) {
		static int places[1 << 14];

		places[9001] = -370370366;
		scatter<<<64, 256>>>(upload(places), out);
	} else if (!strcmp(name, "trap")) {
		int codes[64] = {0};

		codes[5] = -3;
		refuse<<<1, 64>>>(upload(codes), (int *)out);
	}
	(void)hipDeviceSynchronize();
	puts("done");
}
