/* SPDX-License-Identifier: MIT */
#include "replayer/library/step.h"

#include "replayer/library/internal.h"

void wt_step(enum wt_function function, const struct wt_argument *arguments, int64_t *status_ret,
	     const char **text_ret)
{
	wt_invoke(&wt_answers, function, arguments, status_ret, text_ret);
}
