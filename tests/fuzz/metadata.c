/* SPDX-License-Identifier: MIT */
/* Any bytes as what a code object says of its kernels. */
#include "device/code-object/metadata.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wt_metadata metadata;
	struct wt_error *error = wt_metadata_parse(data, size, &metadata);

	if (error) {
		FUZZ_CHECK(error->code == WT_ERROR_INPUT);
		wt_error_destroy(error);
		return 0;
	}
	fuzz_reached += metadata.kernel_count > 0;
	for (size_t i = 0; i < metadata.kernel_count; i++)
		FUZZ_CHECK(metadata.kernels[i].name && metadata.kernels[i].symbol);
	wt_metadata_deinit(&metadata);
	return 0;
}
