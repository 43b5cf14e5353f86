/* SPDX-License-Identifier: MIT */
/* The recording library's way in: the only file that reads the environment. */
#include <pthread.h>
#include <stdlib.h>

#include "recorder/recorder.h"

static struct wt_recorder recorder = {.claim = -1};

static void open_once(void)
{
	struct wt_recorder_options options = {
		.library = getenv("WAVETAPE_DBGAPI"),
		.trace = getenv("WAVETAPE_TRACE"),
		.words = wt_options_parse(getenv("WAVETAPE_OPTIONS")),
	};

	wt_recorder_open(&recorder, &options);
}

struct wt_recorder *wt_recorder_get(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, open_once);
	return &recorder;
}

__attribute__((destructor)) static void close_at_exit(void)
{
	wt_recorder_close(&recorder);
}
