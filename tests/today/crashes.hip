// SPDX-License-Identifier: MIT
// Programs that hand a wrong pointer or a wrong size to a library's call: crashes NAME ends by a memory violation in one of the
// library's kernels. The line of the call has a mark. crashes --list lists them.
#include <hip/hip_runtime.h>

#include <rocblas/rocblas.h>
#include <rocprim/rocprim.hpp>
#include <rocsparse/rocsparse.h>

#include <cstdio>
#include <cstring>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		auto error_ = (call);                                                              \
		if ((int)error_) {                                                                 \
			printf("%s: %d\n", #call, (int)error_);                                    \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static constexpr size_t COUNT = 4096;
// Memory that a caller has forgotten to copy to the device, and memory that nobody has.
static int *const nowhere = (int *)0x7f0000001000;

template <class T> static T *device(size_t count, T value)
{
	std::vector<T> all(count, value);
	T *memory;

	CHECK(hipMalloc(&memory, count * sizeof(T)));
	CHECK(hipMemcpy(memory, all.data(), count * sizeof(T), hipMemcpyHostToDevice));
	return memory;
}

static void *room_of(size_t size)
{
	void *room;

	CHECK(hipMalloc(&room, size));
	return room;
}

static void reduce_pointer()
{
	int *sum = device(1, 0);
	size_t size = 0;

	CHECK(rocprim::reduce(nullptr, size, nowhere, sum, COUNT, rocprim::plus<int>()));
	void *room = room_of(size);
	CHECK(rocprim::reduce(room, size, nowhere, sum, COUNT,
			      rocprim::plus<int>())); // reduce-pointer
}

static void scan_null()
{
	int *from = device(COUNT, 1);
	size_t size = 0;

	CHECK(rocprim::inclusive_scan(nullptr, size, from, (int *)nullptr, COUNT,
				      rocprim::plus<int>()));
	void *room = room_of(size);
	CHECK(rocprim::inclusive_scan(room, size, from, (int *)nullptr, COUNT,
				      rocprim::plus<int>())); // scan-null
}

static void sort_size()
{
	// Behind it is nothing for 2 MiB: the device's memory comes in pages of that size.
	unsigned *from = device(COUNT, 7u), *to = device(COUNT, 0u);
	size_t size = 0, count = COUNT << 12;

	CHECK(rocprim::radix_sort_keys(nullptr, size, from, to, count));
	void *room = room_of(size);
	CHECK(rocprim::radix_sort_keys(room, size, from, to, count)); // sort-size
}

static void gemm_pointer()
{
	const int n = 64;
	float *b = device(n * n, 1.0f), *c = device(n * n, 0.0f), one = 1, zero = 0;
	rocblas_handle handle;

	CHECK(rocblas_create_handle(&handle));
	CHECK(rocblas_sgemm(handle, rocblas_operation_none, rocblas_operation_none, n, n, n, &one,
			    (float *)nowhere, n, b, n, &zero, c, n)); // gemm-pointer
}

static void axpy_size()
{
	float *x = device(COUNT, 1.0f), *y = device(COUNT, 1.0f), two = 2;
	rocblas_handle handle;

	CHECK(rocblas_create_handle(&handle));
	CHECK(rocblas_saxpy(handle, COUNT << 12, &two, x, 1, y, 1)); // axpy-size
}

static void csrmv_pointer()
{
	const int n = 128;
	int rows[n + 1];
	float *values = device(n, 1.0f), *x = device(n, 1.0f), *y = device(n, 0.0f), one = 1,
	      zero = 0;
	rocsparse_mat_descr description;
	rocsparse_handle handle;
	int *starts = device(n + 1, 0);

	for (int i = 0; i <= n; i++)
		rows[i] = i;
	CHECK(hipMemcpy(starts, rows, sizeof(rows), hipMemcpyHostToDevice));
	CHECK(rocsparse_create_handle(&handle));
	CHECK(rocsparse_create_mat_descr(&description));
	CHECK(rocsparse_scsrmv(handle, rocsparse_operation_none, n, n, n, &one, description, values,
			       starts, nowhere, nullptr, x, &zero, y)); // csrmv-pointer
}

static const struct {
	const char *name;
	void (*run)();
} programs[] = {
	{"reduce-pointer", reduce_pointer}, {"scan-null", scan_null},
	{"sort-size", sort_size},	    {"gemm-pointer", gemm_pointer},
	{"axpy-size", axpy_size},	    {"csrmv-pointer", csrmv_pointer},
};

int main(int argc, char **argv)
{
	for (const auto &program : programs) {
		if (argc == 2 && !strcmp(argv[1], "--list"))
			puts(program.name);
		else if (argc == 2 && !strcmp(argv[1], program.name)) {
			program.run();
			CHECK(hipDeviceSynchronize());
			return 0;
		}
	}
	return argc == 2 && !strcmp(argv[1], "--list") ? 0 : 2;
}
