/* SPDX-License-Identifier: MIT */
/* Any bytes as a workload. */
#include "device/workload/workload.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wt_workload *workload;
	struct wt_error *error = wt_workload_create(fuzz_file(data, size), &workload);

	if (error) {
		FUZZ_CHECK(error->what && error->where && error->why);
		wt_error_destroy(error);
		return 0;
	}
	FUZZ_CHECK(workload->agent_count && workload->queue_count);
	fuzz_reached += workload->dispatch_count > 0;
	for (size_t i = 0; i < workload->dispatch_count; i++)
		FUZZ_CHECK(workload->dispatches[i].queue < workload->queue_count);
	wt_workload_destroy(workload);
	return 0;
}
