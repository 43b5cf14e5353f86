/* SPDX-License-Identifier: MIT */
/* The one place from which the listener is told. */
#include "replayer/diff/internal.h"

struct wt_error *wt_diff_report(struct wt_diff_pair *pair, const struct wt_diff *diff)
{
	pair->counts.differences++;
	return pair->listener->difference ? pair->listener->difference(pair->listener->opaque, diff)
					  : NULL;
}
