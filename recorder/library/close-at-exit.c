/* SPDX-License-Identifier: MIT */
/* The recording library's way out; its way in is the first call, which record.c (generated) passes through. */
#include "recorder/moment/moment.h"
#include "recorder/recording/environment.h"

__attribute__((destructor)) static void close_at_exit(void)
{
	struct wt_recorder *recorder = wt_recorder_opened();

	if (!recorder)
		return;
	wt_moment_last(recorder);
	wt_recorder_close(recorder);
}
