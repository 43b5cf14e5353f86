/* SPDX-License-Identifier: MIT */
/* How kernels were launched. */
#include "libwavetape/handles.h"

#include <inttypes.h>
#include <string.h>

#include "replayer/view/kernel-launch.h"

static const char cannot_show[] = "cannot show the dispatch";

struct wavetape_error *wavetape_dispatch(struct wavetape_stop *stop, uint64_t number,
					 struct wavetape_dispatch *dispatch_ret)
{
	struct wavetape_dispatch filled;
	struct wt_view_dispatch known;

	if (!stop)
		return wt_wrong_argument(cannot_show, "the stop is NULL");
	if (!wt_view_lists(stop->view, WT_OBJECT_DISPATCH, number))
		return wt_public(wt_error_create(WT_ERROR_NOT_FOUND, cannot_show, stop->trace->path,
						 "there is no dispatch %" PRIu64 " at stop %u",
						 number, stop->number));
	wt_view_dispatch(stop->view, number, &known);
	filled = (struct wavetape_dispatch){
		.number = number,
		.agent = known.agent,
		.queue = known.queue,
		.kernel = known.entry ? wt_explainer_kernel(stop->explainer, known.entry) : NULL,
		.entry = known.entry,
		.descriptor = known.descriptor,
		.arguments = known.arguments,
		.completion = known.completion,
		.private_bytes = known.private_bytes,
		.local_bytes = known.local_bytes,
		.packet = known.packet,
		.dimensions = known.dimensions,
		.has_packet = known.has_packet,
		.has_sizes = known.has_sizes,
	};
	memcpy(filled.grid, known.grid, sizeof(filled.grid));
	memcpy(filled.workgroup, known.workgroup, sizeof(filled.workgroup));
	return wt_give(cannot_show, &filled, sizeof(filled), dispatch_ret);
}
