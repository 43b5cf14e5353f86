/* SPDX-License-Identifier: MIT */
/* How kernels were launched. */
#include "libwavetape/handles.h"

#include <inttypes.h>

#include "replayer/view/kernel-launch.h"

static const char cannot_show[] = "cannot show the dispatch";

struct wavetape_error *wavetape_dispatch(struct wavetape_stop *stop, uint64_t number,
					 struct wavetape_dispatch *dispatch_ret)
{
	struct wt_view_dispatch known;

	if (!stop)
		return wt_wrong_argument(cannot_show, "the stop is NULL");
	if (!wt_view_lists(stop->view, WT_OBJECT_DISPATCH, number))
		return wt_public(wt_error_create(WT_ERROR_NOT_FOUND, cannot_show, stop->trace->path,
						 "there is no dispatch %" PRIu64 " at stop %u",
						 number, stop->number));
	wt_view_dispatch(stop->view, number, &known);
	if (known.entry)
		known.kernel = wt_explainer_kernel(stop->explainer, known.entry);
	return wt_give(cannot_show, &known.facts, sizeof(known.facts), dispatch_ret);
}
