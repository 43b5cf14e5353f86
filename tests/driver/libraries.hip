// SPDX-License-Identifier: MIT
// Programs of libraries that nobody here wrote: libraries NAME. Each prints one line and exits with 0 if the device's result is
// the host's.
#include <hip/hip_runtime.h>

#include <rocprim/rocprim.hpp>
#include <rocrand/rocrand.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		auto error_ = (call);                                                              \
		if ((int)error_) {                                                                 \
			printf("%s: %d\n", #call, (int)error_);                                    \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static constexpr size_t COUNT = 5000;

static std::vector<unsigned> keys()
{
	std::vector<unsigned> v(COUNT);
	unsigned x = 12345;
	for (unsigned &key : v)
		key = x = x * 1664525u + 1013904223u;
	return v;
}

static bool sort()
{
	std::vector<unsigned> from = keys(), to(COUNT);
	unsigned *a, *b;
	void *room = nullptr;
	size_t size = 0;
	CHECK(hipMalloc(&a, COUNT * 4));
	CHECK(hipMalloc(&b, COUNT * 4));
	CHECK(hipMemcpy(a, from.data(), COUNT * 4, hipMemcpyHostToDevice));
	CHECK(rocprim::radix_sort_keys(nullptr, size, a, b, COUNT));
	CHECK(hipMalloc(&room, size));
	CHECK(rocprim::radix_sort_keys(room, size, a, b, COUNT));
	CHECK(hipMemcpy(to.data(), b, COUNT * 4, hipMemcpyDeviceToHost));
	std::sort(from.begin(), from.end());
	return from == to;
}

static bool sum()
{
	std::vector<unsigned> from = keys();
	unsigned *a, *b, result;
	void *room = nullptr;
	size_t size = 0;
	CHECK(hipMalloc(&a, COUNT * 4));
	CHECK(hipMalloc(&b, 4));
	CHECK(hipMemcpy(a, from.data(), COUNT * 4, hipMemcpyHostToDevice));
	CHECK(rocprim::reduce(nullptr, size, a, b, COUNT, rocprim::plus<unsigned>()));
	CHECK(hipMalloc(&room, size));
	CHECK(rocprim::reduce(room, size, a, b, COUNT, rocprim::plus<unsigned>()));
	CHECK(hipMemcpy(&result, b, 4, hipMemcpyDeviceToHost));
	return result == std::accumulate(from.begin(), from.end(), 0u);
}

// The prebuilt library has kernels of its own; the mean of uniform numbers tells whether they ran.
static bool random_numbers()
{
	std::vector<float> numbers(4096);
	rocrand_generator generator;
	double total = 0;
	float *a;
	CHECK(hipMalloc(&a, numbers.size() * 4));
	CHECK(rocrand_create_generator(&generator, ROCRAND_RNG_PSEUDO_PHILOX4_32_10));
	CHECK(rocrand_set_seed(generator, 7));
	CHECK(rocrand_generate_uniform(generator, a, numbers.size()));
	CHECK(hipMemcpy(numbers.data(), a, numbers.size() * 4, hipMemcpyDeviceToHost));
	for (float number : numbers) {
		if (!(number > 0 && number <= 1))
			return false;
		total += number;
	}
	CHECK(rocrand_destroy_generator(generator));
	return total > 0.47 * numbers.size() && total < 0.53 * numbers.size();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*run)();
	} programs[] = {{"sort", sort}, {"sum", sum}, {"random", random_numbers}};

	for (const auto &program : programs) {
		if (argc != 2 || strcmp(argv[1], program.name))
			continue;
		bool fine = program.run();
		printf("%s: %s\n", program.name, fine ? "the same" : "differs");
		return fine ? 0 : 1;
	}
	return 2;
}
