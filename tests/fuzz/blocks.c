/* SPDX-License-Identifier: MIT */
/* Any bytes as a file: heads, chunks, stages, indexes, footer. */
#include "fuzz.h"
#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_read(fuzz_file(data, size));
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	uint64_t state = seed;

	return mutate_file(data, size, max_size, &state);
}
