// SPDX-License-Identifier: MIT
// HIP programs, one for each name: programs NAME. Each computes on the device what the host computes, too, prints one line and
// exits with 0 if both are alike. Those behind `faults` are to end as they would on hardware.
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

#include <atomic>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		hipError_t error_ = (call);                                                        \
		if (error_ != hipSuccess) {                                                        \
			printf("%s: %s\n", #call, hipGetErrorName(error_));                        \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

// Unoptimized code of a group has all of what groups do, global wave sync among it, which compilers cannot select for gfx12.
#if !defined(__GFX12__) || defined(__OPTIMIZE__)
#define HAS_GROUPS
#endif

static constexpr int N = 1000;

// Memory of the device for the length of a program.
template <typename T> struct Buffer {
	T *data = nullptr;
	size_t count;
	explicit Buffer(size_t n) : count(n)
	{
		CHECK(hipMalloc(&data, n * sizeof(T)));
	}
	Buffer(const std::vector<T> &from) : Buffer(from.size())
	{
		CHECK(hipMemcpy(data, from.data(), count * sizeof(T), hipMemcpyHostToDevice));
	}
	~Buffer()
	{
		CHECK(hipFree(data));
	}
	std::vector<T> get() const
	{
		std::vector<T> to(count);
		CHECK(hipMemcpy(to.data(), data, count * sizeof(T), hipMemcpyDeviceToHost));
		return to;
	}
};

template <typename T> static bool same(const std::vector<T> &a, const std::vector<T> &b)
{
	return a.size() == b.size() && !memcmp(a.data(), b.data(), a.size() * sizeof(T));
}

static std::vector<int> numbers(size_t n, int factor = 1)
{
	std::vector<int> v(n);
	for (size_t i = 0; i < n; i++)
		v[i] = (int)i * factor;
	return v;
}

__global__ void add(const int *a, const int *b, int *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}

static bool vectors()
{
	Buffer<int> a(numbers(N)), b(numbers(N, 2)), c(N);
	add<<<(N + 255) / 256, 256>>>(a.data, b.data, c.data, N);
	return same(c.get(), numbers(N, 3));
}

__global__ void reduce(const int *in, int *out)
{
	__shared__ int sums[256];
	int t = threadIdx.x;
	sums[t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (int step = 128; step; step /= 2) {
		if (t < step)
			sums[t] += sums[t + step];
		__syncthreads();
	}
	if (!t)
		out[blockIdx.x] = sums[0];
}

static bool local()
{
	std::vector<int> in = numbers(8 * 256), expected(8);
	for (int i = 0; i < 8 * 256; i++)
		expected[i / 256] += in[i];
	Buffer<int> a(in), b(8);
	reduce<<<8, 256>>>(a.data, b.data);
	return same(b.get(), expected);
}

__global__ void reverse(int *data, int n)
{
	extern __shared__ int copy[];
	int t = threadIdx.x;
	copy[t] = data[t];
	__syncthreads();
	data[t] = copy[n - 1 - t];
}

static bool dynamic_local()
{
	std::vector<int> in = numbers(512), expected(in.rbegin(), in.rend());
	Buffer<int> a(in);
	reverse<<<1, 512, 512 * sizeof(int)>>>(a.data, 512);
	return same(a.get(), expected);
}

/* By instructions of local memory, however the compiler would do it. */
__device__ static int read_local(int at)
{
	int value;

	asm volatile("ds_read_b32 %0, %1\n\ts_waitcnt lgkmcnt(0)" : "=v"(value) : "v"(at));
	return value;
}

__device__ static void write_local(int at, int value)
{
	asm volatile("ds_write_b32 %0, %1\n\ts_waitcnt lgkmcnt(0)" : : "v"(at), "v"(value));
}

/* The workgroup asks for 256 bytes and gets 512. Behind them nothing is written, and 0 is read. */
__global__ void leave_local(int *out)
{
	__shared__ int values[64];

	values[threadIdx.x] = 5;
	__syncthreads();
	write_local(256 + 4 * threadIdx.x, 6);
	write_local(512 + 4 * threadIdx.x, 7);
	write_local(70000 + 4 * threadIdx.x, 8);
	__syncthreads();
	out[threadIdx.x] = values[threadIdx.x] + 10 * read_local(508 - 4 * threadIdx.x) +
			   100 * read_local(512 + 4 * threadIdx.x) + 100 * read_local(70000) +
			   100 * read_local(-4);
}

static bool past_local()
{
	Buffer<int> out(64);
	leave_local<<<1, 64>>>(out.data);
	return same(out.get(), std::vector<int>(64, 65));
}

__host__ __device__ static int shuffled(int seed, int n)
{
	int values[32];
	for (int i = 0; i < 32; i++)
		values[i] = seed * (i + 3);
	for (int i = 0; i < n; i++)
		values[(seed + i * 7) & 31] += values[(i * 5) & 31];
	int sum = 0;
	for (int i = 0; i < 32; i++)
		sum ^= values[i];
	return sum;
}

__global__ void use_private(int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = shuffled(i, n);
}

static bool scratch()
{
	std::vector<int> expected(4096);
	for (int i = 0; i < 4096; i++)
		expected[i] = shuffled(i, 40);
	Buffer<int> a(4096);
	use_private<<<16, 256>>>(a.data, 40);
	return same(a.get(), expected);
}

// Bytes of private memory that move by an odd distance: compilers of today take words for that which are not aligned.
__host__ __device__ static unsigned shift_bytes(int i)
{
	unsigned char bytes[80];
	unsigned sum = 2166136261u;

	for (int k = 0; k < 80; k++)
		bytes[k] = (unsigned char)(k * 3 + i);
	__builtin_memmove(bytes + 3, bytes, 70);
	for (int k = 0; k < 80; k++)
		sum = (sum ^ bytes[k]) * 16777619u;
	return sum;
}

__global__ void shift_all(unsigned *out)
{
	out[threadIdx.x] = shift_bytes((int)threadIdx.x);
}

static bool unaligned()
{
	std::vector<unsigned> expected(100);
	Buffer<unsigned> out(expected.size());

	for (size_t i = 0; i < expected.size(); i++)
		expected[i] = shift_bytes((int)i);
	shift_all<<<1, 100>>>(out.data);
	return same(out.get(), expected);
}

__host__ __device__ __attribute__((noinline)) static int ackermann(int m, int n)
{
	if (!m)
		return n + 1;
	return ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}

__global__ void recurse(int *out)
{
	out[threadIdx.x] = ackermann(2, threadIdx.x % 3);
}

static bool recursion()
{
	std::vector<int> expected(64);
	for (int i = 0; i < 64; i++)
		expected[i] = ackermann(2, i % 3);
	Buffer<int> a(64);
	recurse<<<1, 64>>>(a.data);
	return same(a.get(), expected);
}

__global__ void count(int *sum, unsigned *most, float *total)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(sum, i);
	atomicMax(most, (unsigned)(i * 2654435761u));
	atomicAdd(total, 0.5f);
}

static bool atomics()
{
	Buffer<int> sum(std::vector<int>{0});
	Buffer<unsigned> most(std::vector<unsigned>{0});
	Buffer<float> total(std::vector<float>{0});
	count<<<8, 128>>>(sum.data, most.data, total.data);
	unsigned expected = 0;
	for (unsigned i = 0; i < 1024; i++)
		expected = std::max(expected, i * 2654435761u);
	return sum.get()[0] == 1023 * 512 && most.get()[0] == expected && total.get()[0] == 512.0f;
}

static bool copies()
{
	const size_t size = 24 << 20;
	std::vector<char> from(size), to(size);
	for (size_t i = 0; i < size; i++)
		from[i] = (char)(i * 31 >> 3);
	Buffer<char> a(size), b(size);
	CHECK(hipMemcpy(a.data, from.data(), size, hipMemcpyHostToDevice));
	CHECK(hipMemcpy(b.data, a.data, size, hipMemcpyDeviceToDevice));
	CHECK(hipMemcpy(to.data(), b.data, size, hipMemcpyDeviceToHost));
	return same(from, to);
}

static bool rectangles()
{
	std::vector<int> from = numbers(64 * 48), to(32 * 40), expected(32 * 40);
	int *device;
	size_t pitch;
	CHECK(hipMallocPitch((void **)&device, &pitch, 64 * sizeof(int), 48));
	CHECK(hipMemcpy2D(device, pitch, from.data(), 64 * sizeof(int), 64 * sizeof(int), 48,
			  hipMemcpyHostToDevice));
	CHECK(hipMemcpy2D(to.data(), 32 * sizeof(int), device, pitch, 32 * sizeof(int), 40,
			  hipMemcpyDeviceToHost));
	for (int y = 0; y < 40; y++)
		for (int x = 0; x < 32; x++)
			expected[y * 32 + x] = from[y * 64 + x];
	CHECK(hipFree(device));
	return same(to, expected);
}

static bool fills()
{
	Buffer<unsigned char> a(5000);
	CHECK(hipMemset(a.data, 0xa5, 5000));
	CHECK(hipMemset(a.data + 100, 0x3c, 301));
	std::vector<unsigned char> expected(5000, 0xa5);
	std::fill(expected.begin() + 100, expected.begin() + 401, 0x3c);
	return same(a.get(), expected);
}

__global__ void scale(int *data, int n, int factor)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		data[i] *= factor;
}

static bool pinned()
{
	int *host, *device;
	CHECK(hipHostMalloc(&host, N * sizeof(int), hipHostMallocMapped));
	for (int i = 0; i < N; i++)
		host[i] = i;
	CHECK(hipHostGetDevicePointer((void **)&device, host, 0));
	scale<<<4, 256>>>(device, N, 5);
	CHECK(hipDeviceSynchronize());
	bool fine = same(std::vector<int>(host, host + N), numbers(N, 5));
	CHECK(hipHostFree(host));
	return fine;
}

static bool registered()
{
	std::vector<int> host = numbers(N);
	int *device;
	CHECK(hipHostRegister(host.data(), N * sizeof(int), hipHostRegisterMapped));
	CHECK(hipHostGetDevicePointer((void **)&device, host.data(), 0));
	scale<<<4, 256>>>(device, N, 7);
	CHECK(hipDeviceSynchronize());
	CHECK(hipHostUnregister(host.data()));
	return same(host, numbers(N, 7));
}

static bool managed()
{
	int *data;
	CHECK(hipMallocManaged(&data, N * sizeof(int)));
	for (int i = 0; i < N; i++)
		data[i] = i;
	scale<<<4, 256>>>(data, N, 9);
	CHECK(hipDeviceSynchronize());
	bool fine = same(std::vector<int>(data, data + N), numbers(N, 9));
	CHECK(hipFree(data));
	return fine;
}

static bool streams()
{
	hipStream_t stream[4];
	hipEvent_t event[4];
	Buffer<int> a(numbers(N));
	for (int i = 0; i < 4; i++) {
		CHECK(hipStreamCreate(&stream[i]));
		CHECK(hipEventCreate(&event[i]));
	}
	// Each waits for the one before it.
	for (int i = 0; i < 4; i++) {
		if (i)
			CHECK(hipStreamWaitEvent(stream[i], event[i - 1], 0));
		scale<<<4, 256, 0, stream[i]>>>(a.data, N, i + 2);
		CHECK(hipEventRecord(event[i], stream[i]));
	}
	CHECK(hipEventSynchronize(event[3]));
	bool fine = same(a.get(), numbers(N, 120));
	for (int i = 0; i < 4; i++) {
		CHECK(hipStreamDestroy(stream[i]));
		CHECK(hipEventDestroy(event[i]));
	}
	return fine;
}

__global__ void accumulate(volatile int *sums, int rounds)
{
	for (int i = 1; i <= rounds; i++)
		sums[threadIdx.x] += i;
}

// Two queues that do not wait for each other.
static bool queues()
{
	hipStream_t stream[2];
	Buffer<int> a(std::vector<int>(64, 0)), b(std::vector<int>(64, 0));
	for (hipStream_t &one : stream)
		CHECK(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
	accumulate<<<1, 64, 0, stream[0]>>>(a.data, 10);
	accumulate<<<1, 64, 0, stream[1]>>>(b.data, 20);
	for (hipStream_t one : stream) {
		CHECK(hipStreamSynchronize(one));
		CHECK(hipStreamDestroy(one));
	}
	return same(a.get(), std::vector<int>(64, 55)) && same(b.get(), std::vector<int>(64, 210));
}

static bool times()
{
	hipEvent_t begin, end;
	float milliseconds = -1;
	Buffer<int> a(numbers(N));
	CHECK(hipEventCreate(&begin));
	CHECK(hipEventCreate(&end));
	CHECK(hipEventRecord(begin));
	scale<<<4, 256>>>(a.data, N, 2);
	CHECK(hipEventRecord(end));
	CHECK(hipEventSynchronize(end));
	CHECK(hipEventElapsedTime(&milliseconds, begin, end));
	return milliseconds > 0 && milliseconds < 600000;
}

__constant__ int table[16];
__device__ int variable;

__global__ void look_up(int *out)
{
	out[threadIdx.x] = table[threadIdx.x & 15] + variable;
	if (!threadIdx.x)
		variable = 77;
}

static bool symbols()
{
	std::vector<int> values = numbers(16, 11), expected(64);
	int number = 5;
	CHECK(hipMemcpyToSymbol(HIP_SYMBOL(table), values.data(), 16 * sizeof(int)));
	CHECK(hipMemcpyToSymbol(HIP_SYMBOL(variable), &number, sizeof(number)));
	Buffer<int> a(64);
	look_up<<<1, 64>>>(a.data);
	for (int i = 0; i < 64; i++)
		expected[i] = values[i & 15] + 5;
	bool fine = same(a.get(), expected);
	CHECK(hipMemcpyFromSymbol(&number, HIP_SYMBOL(variable), sizeof(number)));
	return fine && number == 77;
}

__global__ void lanes(int *sums, unsigned long long *votes)
{
	int value = threadIdx.x, size = warpSize;
	for (int step = size / 2; step; step /= 2)
		value += __shfl_down(value, step);
	if (!(threadIdx.x % size))
		sums[threadIdx.x / size] = value;
	unsigned long long vote = __ballot(threadIdx.x % 3 == 0);
	if (!(threadIdx.x % size))
		votes[threadIdx.x / size] = vote;
}

static bool crossing()
{
	int size;
	CHECK(hipDeviceGetAttribute(&size, hipDeviceAttributeWarpSize, 0));
	Buffer<int> sums(128 / size);
	Buffer<unsigned long long> votes(128 / size);
	lanes<<<1, 128>>>(sums.data, votes.data);
	std::vector<int> expected(128 / size);
	std::vector<unsigned long long> mask(128 / size);
	for (int i = 0; i < 128; i++) {
		expected[i / size] += i;
		mask[i / size] |= (unsigned long long)(i % 3 == 0) << i % size;
	}
	return same(sums.get(), expected) && same(votes.get(), mask);
}

__global__ void compute(double *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double x = i * 0.25;
	out[i] = sqrt(x) + x * x / (1.0 + x);
}

static bool doubles()
{
	Buffer<double> a(512);
	compute<<<2, 256>>>(a.data);
	std::vector<double> found = a.get();
	for (int i = 0; i < 512; i++) {
		double x = i * 0.25, expected = sqrt(x) + x * x / (1.0 + x);
		if (fabs(found[i] - expected) > 1e-12 * (1 + expected))
			return false;
	}
	return true;
}

__global__ void wait_for(volatile int *flag, int *out)
{
	while (!*flag)
		;
	*out = *flag + 1;
}

// The device looks at memory until the host, or another queue, has written to it.
static bool spinning()
{
	int *flag;
	hipStream_t other;
	CHECK(hipHostMalloc(&flag, 2 * sizeof(int), hipHostMallocCoherent));
	flag[0] = flag[1] = 0;
	CHECK(hipStreamCreate(&other));
	wait_for<<<1, 1, 0, other>>>(flag, flag + 1);
	usleep(20000);
	*(volatile int *)flag = 41;
	CHECK(hipStreamSynchronize(other));
	bool fine = flag[1] == 42;
	CHECK(hipStreamDestroy(other));
	CHECK(hipHostFree(flag));
	return fine;
}

// Every workgroup waits until all have come, again and again.
__global__ void meet_often(int *counts, int *sums, int groups, int rounds)
{
	for (int round = 0; round < rounds; round++) {
		if (threadIdx.x == 0) {
			atomicAdd(&counts[round], 1);
			while (atomicAdd(&counts[round], 0) < groups)
				;
		}
		__syncthreads();
		// All have added in the round before.
		if (round && atomicAdd(&sums[round - 1], 0) != groups * (int)blockDim.x * round)
			atomicAdd(&sums[rounds], 1);
		atomicAdd(&sums[round], round + 1);
		__syncthreads();
	}
}

static bool meeting()
{
	static constexpr int ROUNDS = 5;
	for (int groups : {5, 64}) {
		Buffer<int> counts(numbers(ROUNDS, 0)), sums(numbers(ROUNDS + 1, 0));
		meet_often<<<groups, 128>>>(counts.data, sums.data, groups, ROUNDS);
		std::vector<int> expected = numbers(ROUNDS + 1, groups * 128), found = sums.get();
		expected.erase(expected.begin());
		expected.push_back(0);
		if (counts.get() != std::vector<int>(ROUNDS, groups) || !same(found, expected))
			return false;
	}
	return true;
}

// As many workgroups as the runtime says that fit, each with all of a compute unit's local memory.
__global__ void meet_alone(int *count)
{
	extern __shared__ int taken[];
	taken[threadIdx.x] = atomicAdd(count, 1);
	while (atomicAdd(count, 0) < (int)gridDim.x)
		;
}

static bool filling()
{
	hipDeviceProp_t properties;
	CHECK(hipGetDeviceProperties(&properties, 0));
	Buffer<int> count(std::vector<int>{0});
	meet_alone<<<properties.multiProcessorCount, 1, properties.sharedMemPerBlock>>>(count.data);
	return count.get()[0] == properties.multiProcessorCount;
}

// One workgroup more than there is room for waits for it, and so all of them.
static bool overfull()
{
	hipDeviceProp_t properties;
	CHECK(hipGetDeviceProperties(&properties, 0));
	Buffer<int> count(std::vector<int>{0});
	meet_alone<<<properties.multiProcessorCount + 1, 1, properties.sharedMemPerBlock>>>(count.data);
	return count.get()[0] == properties.multiProcessorCount + 1;
}

// Each round reads what other workgroups have written in the round before. Only its own barrier keeps the grid together.
__global__ void take_turns(int *values, int rounds)
{
#ifdef HAS_GROUPS
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	unsigned own = grid.thread_rank(), all = grid.size();

	for (int round = 0; round < rounds; round++) {
		int next = values[(own + blockDim.x + round) % all];
		grid.sync();
		values[own] = next * 3 + round;
		grid.sync();
	}
#endif
}

__global__ void nothing()
{
}

// AMD's runtime 6.4.3 prepares the heap of device code while it writes the arguments of the first launch whose code may use it, as all code
// at -O0 may, and gives to these arguments what it had given to the grid's barrier. That launch is an ordinary one here.
static void prepare_heap()
{
	nothing<<<1, 1>>>();
	CHECK(hipDeviceSynchronize());
}

// As many workgroups as the runtime says that fit at once, and a few; one more is refused.
static bool cooperative()
{
	static constexpr int SIZE = 128;
	int rounds = 3, fit = 0;
	hipDeviceProp_t properties;
	int *data;
	void *arguments[] = {&data, &rounds};

	prepare_heap();
	CHECK(hipGetDeviceProperties(&properties, 0));
	CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&fit, take_turns, SIZE, 0));
	fit *= properties.multiProcessorCount;
	if (!properties.cooperativeLaunch || fit < 5)
		return false;
	for (int groups : {fit, 1, 5, fit}) {
		std::vector<int> values = numbers(groups * SIZE), next(values.size());
		Buffer<int> device(values);
		data = device.data;
		CHECK(hipLaunchCooperativeKernel((void *)take_turns, dim3(groups), dim3(SIZE), arguments, 0, 0));
		for (int round = 0; round < rounds; round++) {
			for (size_t i = 0; i < values.size(); i++)
				next[i] = values[(i + SIZE + round) % values.size()] * 3 + round;
			values = next;
		}
		if (!same(device.get(), values))
			return false;
	}
	return hipLaunchCooperativeKernel((void *)take_turns, dim3(fit + 1), dim3(SIZE), arguments, 0, 0) ==
	       hipErrorCooperativeLaunchTooLarge;
}

// The first workgroup comes to the grid's barrier when the host lets it, for which the others wait there.
__global__ void gather_grid(volatile int *flag, int *values)
{
#ifdef HAS_GROUPS
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();

	while (!blockIdx.x && !*flag)
		;
	grid.sync();
	values[grid.thread_rank()]++;
	grid.sync();
	if (values[(grid.thread_rank() + blockDim.x) % grid.size()] != 1)
		atomicAdd(&values[grid.size()], 1);
#endif
}

// For as long as somebody holds the program's input open.
static bool gathered()
{
	static constexpr int GROUPS = 10, SIZE = 64;
	std::vector<int> expected(GROUPS * SIZE + 1, 1);
	Buffer<int> values(numbers(GROUPS * SIZE + 1, 0));
	int *flag, c;
	CHECK(hipHostMalloc(&flag, sizeof(int), hipHostMallocCoherent));
	*flag = 0;
	void *arguments[] = {&flag, &values.data};
	prepare_heap();
	CHECK(hipLaunchCooperativeKernel((void *)gather_grid, dim3(GROUPS), dim3(SIZE), arguments, 0, 0));
	while ((c = getchar()) != EOF)
		;
	*(volatile int *)flag = 1;
	CHECK(hipDeviceSynchronize());
	CHECK(hipHostFree(flag));
	expected.back() = 0;
	return same(values.get(), expected);
}

// All workgroups of all devices count, and each finds what all have counted.
__global__ void count_together(int *count, int *wrong, int rounds)
{
#ifdef HAS_GROUPS
	cooperative_groups::multi_grid_group grids = cooperative_groups::this_multi_grid();
	int groups = grids.size() / blockDim.x;

	for (int round = 1; round <= rounds; round++) {
		if (!threadIdx.x)
			atomicAdd_system(count, 1);
		grids.sync();
		if (!threadIdx.x && *(volatile int *)count != round * groups)
			atomicAdd_system(wrong, 1);
		grids.sync();
	}
#endif
}

static bool cooperative_devices()
{
	static constexpr int GROUPS = 6, ROUNDS = 3;
	int devices = 0, rounds = ROUNDS, *shared;

	CHECK(hipGetDeviceCount(&devices));
	CHECK(hipHostMalloc(&shared, 2 * sizeof(int), hipHostMallocCoherent));
	shared[0] = shared[1] = 0;
	int *wrong = shared + 1;
	void *arguments[] = {&shared, &wrong, &rounds};
	std::vector<hipLaunchParams> launches(devices);
	std::vector<hipStream_t> streams(devices);
	for (int d = 0; d < devices; d++) {
		CHECK(hipSetDevice(d));
		CHECK(hipStreamCreate(&streams[d]));
		launches[d].func = (void *)count_together;
		launches[d].gridDim = dim3(GROUPS);
		launches[d].blockDim = dim3(128);
		launches[d].args = arguments;
		launches[d].sharedMem = 0;
		launches[d].stream = streams[d];
	}
	CHECK(hipLaunchCooperativeKernelMultiDevice(launches.data(), devices, 0));
	for (int d = 0; d < devices; d++) {
		CHECK(hipSetDevice(d));
		CHECK(hipStreamSynchronize(streams[d]));
	}
	printf("devices: %d\n", devices);
	return shared[0] == devices * GROUPS * ROUNDS && !shared[1];
}

// A wave runs for as long as somebody holds the program's input open.
static bool patient()
{
	int *flag, c;
	CHECK(hipHostMalloc(&flag, 2 * sizeof(int), hipHostMallocCoherent));
	flag[0] = flag[1] = 0;
	wait_for<<<1, 1>>>(flag, flag + 1);
	while ((c = getchar()) != EOF)
		;
	*(volatile int *)flag = 41;
	CHECK(hipDeviceSynchronize());
	bool fine = flag[1] == 42;
	CHECK(hipHostFree(flag));
	return fine;
}

// More workgroups than a queue begins with wait, for as long as somebody holds the program's input open.
__global__ void wait_together(const volatile int *flag, int *here)
{
	atomicAdd_system(here, 1);
	while (!*flag)
		;
}

static bool crowded()
{
	static constexpr int GROUPS = 200;
	int *flag, c;
	CHECK(hipHostMalloc(&flag, 2 * sizeof(int), hipHostMallocCoherent));
	flag[0] = flag[1] = 0;
	wait_together<<<GROUPS, 1>>>(flag, flag + 1);
	CHECK(hipGetLastError());
	while (((volatile int *)flag)[1] < GROUPS)
		usleep(1000);
	printf("%d are here\n", GROUPS);
	while ((c = getchar()) != EOF)
		;
	*(volatile int *)flag = 1;
	CHECK(hipDeviceSynchronize());
	bool fine = flag[1] == GROUPS;
	CHECK(hipHostFree(flag));
	return fine;
}

static bool threads()
{
	std::atomic<int> fine{0};
	std::vector<std::thread> all;
	for (int t = 0; t < 4; t++)
		all.emplace_back([&fine, t] {
			hipStream_t stream;
			CHECK(hipStreamCreate(&stream));
			Buffer<int> a(numbers(N));
			scale<<<4, 256, 0, stream>>>(a.data, N, t + 2);
			CHECK(hipStreamSynchronize(stream));
			fine += same(a.get(), numbers(N, t + 2));
			CHECK(hipStreamDestroy(stream));
		});
	for (std::thread &thread : all)
		thread.join();
	return fine == 4;
}

// A child has nothing of the device, and its parent goes on.
static bool forks()
{
	Buffer<int> a(numbers(N));
	int status = -1;
	pid_t child = fork();
	if (!child)
		_exit(7);
	waitpid(child, &status, 0);
	scale<<<4, 256>>>(a.data, N, 3);
	return WEXITSTATUS(status) == 7 && same(a.get(), numbers(N, 3));
}

__global__ void say(int n)
{
	if (threadIdx.x < (unsigned)n)
		printf("lane %d of %d\n", (int)threadIdx.x, n);
}

static bool prints()
{
	say<<<1, 64>>>(3);
	CHECK(hipDeviceSynchronize());
	return true;
}

__global__ void allocate(int *out)
{
	int *own = (int *)malloc(16);
	if (!own)
		return;
	*own = threadIdx.x * 3;
	out[threadIdx.x] = *own;
	free(own);
}

static bool heap()
{
	Buffer<int> a(64);
	allocate<<<1, 64>>>(a.data);
	return same(a.get(), numbers(64, 3));
}

__device__ static int twice(int x)
{
	return 2 * x;
}

__device__ static int square(int x)
{
	return x * x;
}

__global__ void choose(int *out)
{
	int (*function)(int) = threadIdx.x & 1 ? twice : square;
	out[threadIdx.x] = function(threadIdx.x);
}

static bool pointers()
{
	std::vector<int> expected(64);
	for (int i = 0; i < 64; i++)
		expected[i] = i & 1 ? 2 * i : i * i;
	Buffer<int> a(64);
	choose<<<1, 64>>>(a.data);
	return same(a.get(), expected);
}

// Grids of three dimensions, with workgroups that are not full.
__global__ void place(int *out, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
	    z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x < width && y < height)
		out[(z * height + y) * width + x] = x + 100 * y + 10000 * z;
}

static bool grids()
{
	const int width = 33, height = 17, depth = 4;
	std::vector<int> expected(width * height * depth);
	for (int i = 0; i < width * height * depth; i++)
		expected[i] = i % width + 100 * (i / width % height) + 10000 * (i / width / height);
	Buffer<int> a(expected.size());
	place<<<dim3(5, 3, 2), dim3(8, 8, 2)>>>(a.data, width, height);
	return same(a.get(), expected);
}

// More launches than a ring has packets.
static bool many()
{
	Buffer<int> a(std::vector<int>(64, 1)), b(std::vector<int>(64, 1));
	for (int i = 0; i < 500; i++)
		add<<<1, 64>>>(a.data, b.data, a.data, 64);
	return same(a.get(), std::vector<int>(64, 501));
}

// ---- What ends a program ----

__global__ void store(int *to)
{
	*to = 1;
}

static bool bad_address()
{
	store<<<1, 1>>>((int *)0x7f0000001000);
	CHECK(hipDeviceSynchronize());
	return false;
}

// Memory of the host that the device has never been given.
static bool host_memory()
{
	int *own = new int;
	store<<<1, 1>>>(own);
	CHECK(hipDeviceSynchronize());
	return false;
}

__global__ void trap()
{
	__builtin_trap();
}

static bool traps()
{
	trap<<<1, 1>>>();
	CHECK(hipDeviceSynchronize());
	return false;
}

__global__ void check_that(int x)
{
	assert(x == 3);
}

static bool asserts()
{
	check_that<<<1, 1>>>(2);
	CHECK(hipDeviceSynchronize());
	return false;
}

__global__ void illegal()
{
	asm volatile(".long 0xbfff0000");
}

// An instruction that the device does not have: the end of a wave that is saved.
__global__ void end_saved()
{
	asm volatile("s_endpgm_saved");
}

static bool not_there()
{
	end_saved<<<1, 1>>>();
	CHECK(hipDeviceSynchronize());
	return false;
}

// Halves of a typed buffer: four singles become halves in two registers, and singles again.
#if defined(__GFX12__)
#define HALVES(kind) "buffer_" kind "_d16_format_xyzw %[four], %[offset], s[8:11], null offen\n\ts_wait_loadcnt 0x0\n\ts_wait_storecnt 0x0"
#elif defined(__GFX11__)
#define HALVES(kind) "buffer_" kind "_d16_format_xyzw %[four], %[offset], s[8:11], 0 offen\n\ts_waitcnt vmcnt(0)"
#else
#define HALVES(kind) "buffer_" kind "_format_d16_xyzw %[four], %[offset], s[8:11], 0 offen\n\ts_waitcnt vmcnt(0)"
#endif
// All components in their order; numbers of 32 bits that are floats. From gfx10 on a format has one number, and the bounds are bytes.
#if defined(__GFX12__) || defined(__GFX11__)
#define DESCRIPTION (0xfac | 63 << 12 | 3 << 28)
#elif defined(__GFX10__)
#define DESCRIPTION (0xfac | 77 << 12 | 1 << 24 | 3 << 28)
#else
#define DESCRIPTION (0xfac | 7 << 12 | 14 << 15)
#endif
// Unoptimized code has no four registers in a row for an operand.
#define DESCRIBE                                                                                   \
	"s_mov_b32 s8, %[low]\n\ts_mov_b32 s9, %[high]\n\ts_mov_b32 s10, %[bytes]\n\ts_mov_b32 s11, %[rest]\n\t"
#define WITH_DESCRIPTOR(memory, size)                                                              \
	[offset] "v"(offset), [low] "s"(__builtin_amdgcn_readfirstlane((int)(uintptr_t)(memory))),         \
		[high] "s"(__builtin_amdgcn_readfirstlane((int)((uintptr_t)(memory) >> 32) & 0xffff)),     \
		[bytes] "s"(__builtin_amdgcn_readfirstlane(size)),                                 \
		[rest] "s"(__builtin_amdgcn_readfirstlane(DESCRIPTION))

__global__ void fetch(const float *from, unsigned long long *halves, float *to, int n)
{
	int i = threadIdx.x, offset = 16 * (n - 1 - i);
	unsigned long long four;

	asm volatile(DESCRIBE HALVES("load")
		     : [four] "=&v"(four)
		     : WITH_DESCRIPTOR(from, 16 * n)
		     : "s8", "s9", "s10", "s11", "memory");
	halves[i] = four;
	asm volatile(DESCRIBE HALVES("store")::[four] "v"(four), WITH_DESCRIPTOR(to, 16 * n)
		     : "s8", "s9", "s10", "s11", "memory");
}

static bool fetches()
{
	const int n = 48;
	std::vector<float> from(4 * n);
	std::vector<unsigned long long> halves(n);

	for (int i = 0; i < 4 * n; i++)
		from[i] = (float)(i * 37 % 301 - 150) * 0.25f;
	for (int i = 0; i < n; i++)
		for (int c = 0; c < 4; c++) {
			_Float16 half = (_Float16)from[4 * (n - 1 - i) + c];

			memcpy((char *)&halves[i] + 2 * c, &half, 2);
		}
	Buffer<float> source(from), target(4 * n);
	Buffer<unsigned long long> found(n);
	fetch<<<1, n>>>(source.data, found.data, target.data, n);
	return same(found.get(), halves) && same(target.get(), from);
}

static bool illegal_instruction()
{
	illegal<<<1, 1>>>();
	CHECK(hipDeviceSynchronize());
	return false;
}

__global__ void debug_trap(int *out)
{
	__builtin_debugtrap();
	*out = 5;
}

// Without a debugger it does nothing.
static bool debug_traps()
{
	Buffer<int> a(1);
	debug_trap<<<1, 1>>>(a.data);
	return a.get()[0] == 5;
}

__global__ void count_from(int *out, const int *in, int first)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = first + i + (in ? in[i] : 0);
}

// On each device in turn, with what the one before it has left, copied from device to device; then all at once; then each
// with the memory of the one before it.
static bool agents()
{
	const int n = 256;
	int devices = 0, expected = 0;
	std::vector<int *> buffers;
	std::vector<int> result(n);

	CHECK(hipGetDeviceCount(&devices));
	for (int d = 0; d < devices; d++) {
		int *out, *in = nullptr;

		CHECK(hipSetDevice(d));
		CHECK(hipMalloc(&out, n * sizeof(*out)));
		if (d) {
			CHECK(hipMalloc(&in, n * sizeof(*in)));
			CHECK(hipMemcpyPeer(in, d, buffers.back(), d - 1, n * sizeof(*in)));
		}
		count_from<<<n / 64, 64>>>(out, in, 1000 * d);
		CHECK(hipDeviceSynchronize());
		buffers.push_back(out);
		expected += 1000 * d;
	}
	CHECK(hipMemcpy(result.data(), buffers.back(), n * sizeof(int), hipMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		if (result[i] != expected + devices * i)
			return false;
	for (int d = 0; d < devices; d++) {
		CHECK(hipSetDevice(d));
		for (int i = 0; i < 20; i++)
			count_from<<<n / 64, 64>>>(buffers[d], nullptr, 7 * d + i);
	}
	for (int d = 0; d < devices; d++) {
		CHECK(hipSetDevice(d));
		CHECK(hipMemcpy(result.data(), buffers[d], n * sizeof(int), hipMemcpyDeviceToHost));
		for (int i = 0; i < n; i++)
			if (result[i] != 7 * d + 19 + i)
				return false;
	}
	for (int d = 1; d < devices; d++) {
		int possible = 0;

		CHECK(hipDeviceCanAccessPeer(&possible, d, d - 1));
		CHECK(hipSetDevice(d));
		CHECK(hipDeviceEnablePeerAccess(d - 1, 0));
		count_from<<<n / 64, 64>>>(buffers[d], buffers[d - 1], 500);
		CHECK(hipMemcpy(result.data(), buffers[d], n * sizeof(int), hipMemcpyDeviceToHost));
		for (int i = 0; i < n; i++)
			if (!possible || result[i] != 500 * d + 19 + (d + 1) * i)
				return false;
	}
	printf("agents: %d\n", devices);
	return true;
}

typedef float float4_vector __attribute__((ext_vector_type(4)));

// A tile of 16 by 16, four columns of A a step.
__global__ void multiply_matrices(float *d, const float *a, const float *b, int depth)
{
	int i = threadIdx.x % 16, k = threadIdx.x / 16;
	float4_vector sum = {0, 0, 0, 0};

#if defined(__gfx90a__) || defined(__gfx942__)
	for (int step = 0; step < depth; step += 4)
		sum = __builtin_amdgcn_mfma_f32_16x16x4f32(a[i * depth + step + k], b[(step + k) * 16 + i], sum, 0, 0, 0);
#else
	// Others have no such instruction.
	for (int step = 0; step < depth; step++)
		for (int r = 0; r < 4; r++)
			sum[r] += a[(4 * k + r) * depth + step] * b[step * 16 + i];
#endif
	for (int r = 0; r < 4; r++)
		d[(4 * k + r) * 16 + i] = sum[r];
}

static bool matrices()
{
	const int depth = 64;
	std::vector<float> a(16 * depth), b(16 * depth), result(256);
	float *buffers[3];

	for (int i = 0; i < 16 * depth; i++) {
		a[i] = (float)(i % 13) - 6;
		b[i] = (float)(i % 7) * 0.5f - 1;
	}
	for (float *&buffer : buffers)
		CHECK(hipMalloc(&buffer, 16 * depth * sizeof(float)));
	CHECK(hipMemcpy(buffers[1], a.data(), a.size() * sizeof(float), hipMemcpyHostToDevice));
	CHECK(hipMemcpy(buffers[2], b.data(), b.size() * sizeof(float), hipMemcpyHostToDevice));
	multiply_matrices<<<1, 64>>>(buffers[0], buffers[1], buffers[2], depth);
	CHECK(hipMemcpy(result.data(), buffers[0], 256 * sizeof(float), hipMemcpyDeviceToHost));
	for (int i = 0; i < 256; i++) {
		float sum = 0;

		for (int k = 0; k < depth; k++)
			sum += a[i / 16 * depth + k] * b[k * 16 + i % 16];
		if (sum != result[i])
			return false;
	}
	return true;
}

// Lines of the process's list of mappings that end with a word.
static int lines_with(const std::string &text, const char *word)
{
	int count = 0;

	for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at++)
		count += at && text[at - 1] == ' ' && text.find('\n', at) != std::string::npos;
	return count;
}

static std::string read_all(FILE *file)
{
	std::string text;

	for (int c; file && (c = fgetc(file)) != EOF;)
		text += (char)c;
	if (file)
		fclose(file);
	return text;
}

// Memory of the device has the names of the driver's files, as AMD's runtime wants them for its GPU core, however the list is opened.
static bool mappings()
{
	std::string pid = "/proc/" + std::to_string(getpid()) + "/maps";
	std::string before = read_all(fopen("/proc/self/maps", "r")), after;
	Buffer<int> memory(1 << 20);
	bool fine = !lines_with(before, "/dev/dri/renderD128") && !lines_with(before, "/dev/kfd");

	for (FILE *file : {fopen("/proc/self/maps", "r"), fdopen(open(pid.c_str(), O_RDONLY), "r")}) {
		after = read_all(file);
		fine &= lines_with(after, "/dev/dri/renderD128") > 0 && lines_with(after, "/dev/kfd") > 0;
		fine &= after.find("memfd:wavetape") == std::string::npos;
		fine &= lines_with(after, "[stack]") == 1;
	}
	return fine;
}

static const struct {
	const char *name;
	bool (*run)();
} programs[] = {
	{"mappings", mappings},
	{"vectors", vectors},	{"local", local},	  {"dynamic-local", dynamic_local},
	{"past-local", past_local},
	{"scratch", scratch},
	{"unaligned", unaligned},	{"recursion", recursion}, {"atomics", atomics},
	{"copies", copies},	{"rectangles", rectangles}, {"fills", fills},
	{"pinned", pinned},	{"registered", registered}, {"managed", managed},
	{"streams", streams},	{"queues", queues},	  {"times", times},	  {"symbols", symbols},
	{"crossing", crossing}, {"doubles", doubles},	  {"spinning", spinning},
	{"meeting", meeting},	{"filling", filling},	  {"crowded", crowded},
	{"patient", patient},
	{"cooperative", cooperative}, {"cooperative-devices", cooperative_devices},
	{"gathered", gathered},
	{"threads", threads},	{"forks", forks},	  {"prints", prints},
	{"heap", heap},		{"pointers", pointers},	  {"grids", grids},
	{"many", many},		{"debug-traps", debug_traps},
	{"matrices", matrices}, {"agents", agents},
	{"bad-address", bad_address}, {"host-memory", host_memory}, {"traps", traps},
	{"asserts", asserts},	{"illegal-instruction", illegal_instruction}, {"overfull", overfull},
	{"fetches", fetches},
	{"not-there", not_there},
};

int main(int argc, char **argv)
{
	setvbuf(stdout, nullptr, _IOLBF, 0);
	for (const auto &program : programs) {
		if (argc == 2 && !strcmp(argv[1], "--list"))
			printf("%s\n", program.name);
		if (argc != 2 || strcmp(argv[1], program.name))
			continue;
		bool fine = program.run();
		printf("%s: %s\n", program.name, fine ? "the same" : "differs");
		return fine ? 0 : 1;
	}
	return argc == 2 && !strcmp(argv[1], "--list") ? 0 : 2;
}
