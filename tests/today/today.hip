// SPDX-License-Identifier: MIT
// HIP programs that need a runtime of ROCm 6 or later, one for each name: today NAME. Each compares what the device did with the host,
// prints one line and exits with 0 if both are alike.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

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

static const char *self;

__global__ void count_up(int *out, int from, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] += from + i;
}

static void launch(void *out, int from, size_t bytes)
{
	int n = (int)(bytes / sizeof(int));

	count_up<<<(n + 255) / 256, 256>>>((int *)out, from, n);
	CHECK(hipDeviceSynchronize());
}

static bool holds(const void *memory, int times, int from, size_t bytes)
{
	std::vector<int> host(bytes / sizeof(int));

	CHECK(hipMemcpy(host.data(), memory, bytes, hipMemcpyDeviceToHost));
	for (size_t i = 0; i < host.size(); i++)
		if (host[i] != times * (from + (int)i))
			return false;
	return true;
}

// A segment that grows, as PyTorch's does: addresses are reserved, and memory comes and goes behind them.
static bool virtual_memory()
{
	hipMemAllocationProp properties = {};
	hipMemAccessDesc access = {};
	hipMemGenericAllocationHandle_t handles[3];
	size_t step = 2 << 20;
	int supported = 0;
	char *at = nullptr;
	bool fine = true;

	properties.type = hipMemAllocationTypePinned;
	properties.location.type = hipMemLocationTypeDevice;
	access.location = properties.location;
	access.flags = hipMemAccessFlagsProtReadWrite;
	CHECK(hipDeviceGetAttribute(&supported, hipDeviceAttributeVirtualMemoryManagementSupported, 0));
	CHECK(hipMemAddressReserve((void **)&at, 8 * step, step, nullptr, 0));
	for (int i = 0; i < 3; i++) {
		CHECK(hipMemCreate(&handles[i], step, &properties, 0));
		CHECK(hipMemMap(at + i * step, step, 0, handles[i], 0));
		CHECK(hipMemSetAccess(at + i * step, step, &access, 1));
		CHECK(hipMemset(at + i * step, 0, step));
	}
	// One launch over all three.
	launch(at, 7, 3 * step);
	fine &= holds(at, 1, 7, 3 * step);
	// The middle one goes and comes again elsewhere, with what it holds.
	CHECK(hipMemUnmap(at + step, step));
	CHECK(hipMemMap(at + 5 * step, step, 0, handles[1], 0));
	CHECK(hipMemSetAccess(at + 5 * step, step, &access, 1));
	fine &= holds(at + 5 * step, 1, 7 + (int)(step / sizeof(int)), step);
	// Released while it is mapped: it lives on until it is unmapped.
	CHECK(hipMemRelease(handles[2]));
	launch(at + 2 * step, 7 + 2 * (int)(step / sizeof(int)), step);
	fine &= holds(at + 2 * step, 2, 7 + 2 * (int)(step / sizeof(int)), step);
	CHECK(hipMemUnmap(at, step));
	CHECK(hipMemUnmap(at + 2 * step, step));
	CHECK(hipMemUnmap(at + 5 * step, step));
	CHECK(hipMemRelease(handles[0]));
	CHECK(hipMemRelease(handles[1]));
	CHECK(hipMemAddressFree(at, 8 * step));
	return supported && fine;
}

static int use_of_another(int from)
{
	hipIpcMemHandle_t handle;
	void *memory;

	if (read(from, &handle, sizeof(handle)) != sizeof(handle))
		return 1;
	CHECK(hipIpcOpenMemHandle(&memory, handle, hipIpcMemLazyEnablePeerAccess));
	launch(memory, 3, 4 << 20);
	CHECK(hipIpcCloseMemHandle(memory));
	return 0;
}

// Two processes use the same memory, which the runtime hands on as a file if it is not told to do as before.
static bool processes()
{
	hipIpcMemHandle_t handle;
	void *memory;
	int ends[2], status = 1;
	pid_t child;

	setenv("HSA_ENABLE_IPC_MODE_LEGACY", "0", 1);
	if (pipe(ends))
		return false;
	child = fork();
	if (!child) {
		char number[16];

		close(ends[1]);
		snprintf(number, sizeof(number), "%d", ends[0]);
		execl(self, self, "--child", number, nullptr);
		_exit(1);
	}
	close(ends[0]);
	CHECK(hipMalloc(&memory, 4 << 20));
	CHECK(hipMemset(memory, 0, 4 << 20));
	launch(memory, 3, 4 << 20);
	CHECK(hipIpcGetMemHandle(&handle, memory));
	if (write(ends[1], &handle, sizeof(handle)) != sizeof(handle) || waitpid(child, &status, 0) != child)
		return false;
	return !status && holds(memory, 2, 3, 4 << 20);
}

#if defined(__gfx90a__) || defined(__gfx942__)
#define BUFFERS_TO_LOCAL 0x27000
#elif defined(__gfx1030__)
#define BUFFERS_TO_LOCAL 0x31014000
#endif

/* Each wave's lanes go side by side to where its first one goes. A buffer has @words of them, and zeros behind. */
__global__ void turn_round(const unsigned *from, unsigned *to, int words)
{
	__shared__ unsigned direct[256], buffered[256];
	unsigned lane = threadIdx.x, wave = lane / warpSize * warpSize;

#ifdef BUFFERS_TO_LOCAL
	__builtin_amdgcn_raw_ptr_buffer_load_lds(
		__builtin_amdgcn_make_buffer_rsrc((void *)from, 0, words * 4, BUFFERS_TO_LOCAL),
		(__attribute__((address_space(3))) void *)(buffered + wave), 4, lane * 4, 0, 0, 0);
#else
	buffered[lane] = (int)lane < words ? from[lane] : 0;
#endif
#ifdef __gfx942__
	__builtin_amdgcn_global_load_lds((const __attribute__((address_space(1))) void *)(from + lane),
					 (__attribute__((address_space(3))) void *)(direct + wave), 4, 0,
					 0);
#else
	direct[lane] = from[lane];
#endif
#ifdef BUFFERS_TO_LOCAL
	__builtin_amdgcn_s_waitcnt(0);
#endif
	__syncthreads();
	to[2 * lane] = direct[255 - lane];
	to[2 * lane + 1] = buffered[255 - lane];
}

static bool loads_to_local()
{
	const int words = 200;
	std::vector<unsigned> numbers(256), turned(512);
	unsigned *from, *to;

	for (unsigned i = 0; i < 256; i++)
		numbers[i] = i * 0x1234567 + 1;
	CHECK(hipMalloc(&from, 1024));
	CHECK(hipMalloc(&to, 2048));
	CHECK(hipMemcpy(from, numbers.data(), 1024, hipMemcpyHostToDevice));
	turn_round<<<1, 256>>>(from, to, words);
	CHECK(hipGetLastError());
	CHECK(hipMemcpy(turned.data(), to, 2048, hipMemcpyDeviceToHost));
	for (int i = 0; i < 256; i++)
		if (turned[2 * i] != numbers[255 - i] ||
		    turned[2 * i + 1] != (255 - i < words ? numbers[255 - i] : 0))
			return false;
	return true;
}

static const struct {
	const char *name;
	bool (*run)();
} programs[] = {
	{"virtual-memory", virtual_memory},
	{"processes", processes},
	{"loads-to-local", loads_to_local},
};

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc == 3 && !strcmp(argv[1], "--child"))
		return use_of_another(atoi(argv[2]));
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
