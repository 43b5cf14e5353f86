/* SPDX-License-Identifier: MIT */
#include "trace-format/rewrite/internal.h"

void wt_rewriting_progress(const struct wt_rewriting *rewriting, uint64_t done, uint64_t total)
{
	if (rewriting->options.progress && done <= total)
		rewriting->options.progress(rewriting->options.opaque, total + done, 2 * total);
}
