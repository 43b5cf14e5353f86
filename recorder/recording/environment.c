/* SPDX-License-Identifier: MIT */
/* The only file of the recorder that reads the environment. */
#include "recorder/recording/environment.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/cancel.h"

static struct wt_recorder recorder = {.file = WT_TRACE_FILE_NONE};
static atomic_bool is_open; /* so that calls after the first need not ask the system's library */

static void open_once(void)
{
	int state = wt_cancel_disable();
	struct wt_recorder_options options = {
		.library = getenv("WAVETAPE_DBGAPI"),
		.trace = getenv("WAVETAPE_TRACE"),
		.words = wt_options_parse(getenv("WAVETAPE_OPTIONS")),
	};

	wt_recorder_open(&recorder, &options);
	atomic_store(&is_open, true);
	wt_cancel_restore(state);
}

struct wt_recorder *wt_recorder_get(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (__builtin_expect(!atomic_load_explicit(&is_open, memory_order_acquire), 0))
		pthread_once(&once, open_once);
	return &recorder;
}

struct wt_recorder *wt_recorder_begin(const struct wt_recorder_options *options)
{
	/* The page belongs to the process, and not to one recording. */
	volatile uint8_t *page = recorder.process.page;
	bool registered = recorder.exit.registered;

	if (atomic_load(&is_open))
		wt_recorder_close(&recorder);
	recorder = (struct wt_recorder){.file = WT_TRACE_FILE_NONE};
	recorder.process.page = page;
	recorder.exit.registered = registered;
	wt_recorder_open(&recorder, options);
	atomic_store(&is_open, true);
	return &recorder;
}

struct wt_recorder *wt_recorder_opened(void)
{
	return atomic_load(&is_open) ? &recorder : NULL;
}
