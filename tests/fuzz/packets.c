/* SPDX-License-Identifier: MIT */
/* Any bytes as the packets of a trace: names, blobs, moments with their changes, the journal. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_read(fuzz_stage(data, size));
	return 0;
}
