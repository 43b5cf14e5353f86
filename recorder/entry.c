/* SPDX-License-Identifier: MIT */
/* The recording library's way in: the only file that reads the environment. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/recorder.h"

static struct wt_recorder recorder;

/* WAVETAPE_OPTIONS: words separated by commas. What is not known is for a later version. */
static void read_options(const char *text, struct wt_recorder_options *options)
{
	while (text && *text) {
		size_t length = strcspn(text, ",");

#define IS(word) (length == strlen(word) && !memcmp(text, word, length))
		if (IS("reproducible"))
			options->reproducible = true;
		else if (IS("sync=none"))
			options->sync_stops = false;
		else if (IS("sync=stop"))
			options->sync_stops = true;
		else if (IS("journal-only"))
			options->journal_only = true;
#undef IS
		text += length;
		text += *text == ',';
	}
}

static void open_once(void)
{
	struct wt_recorder_options options = {
		.library = getenv("WAVETAPE_DBGAPI"),
		.trace = getenv("WAVETAPE_TRACE"),
		.sync_stops = true,
	};

	read_options(getenv("WAVETAPE_OPTIONS"), &options);
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
