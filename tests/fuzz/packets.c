/* SPDX-License-Identifier: MIT */
/* Any bytes as the packets of a trace: names, blobs, moments with their changes, the journal. */
#include "fuzz.h"
#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_read(fuzz_stage(data, size));
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	uint64_t state = seed;

	return mutate_packets(data, size, max_size, &state);
}
