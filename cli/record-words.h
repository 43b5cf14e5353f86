/* SPDX-License-Identifier: MIT */
/* Options of `wavetape record` that are words of the recording library: what is taken, and what it may cost. */
#ifndef WT_CLI_RECORD_WORDS_H
#define WT_CLI_RECORD_WORDS_H

#include "cli/command.h"
#include "recorder/options.h"

struct wt_record_words {
	char text[1024]; /* what WAVETAPE_OPTIONS is to be */
	struct wt_options
		parsed; /* the same, so that what is wrong is found before anything runs */
};

/** No words yet. */
struct wt_record_words wt_record_words_start(void);

/** Among an argp's children; its input is a struct wt_record_words. */
extern const struct argp wt_record_words_argp;

#endif /* WT_CLI_RECORD_WORDS_H */
