/* SPDX-License-Identifier: MIT */
/* Options of `wavetape record` that are words of the recording library: what is taken, and what it may cost. */
#ifndef WT_CLI_RECORD_WORDS_H
#define WT_CLI_RECORD_WORDS_H

#include <argp.h>

#include "base/error.h"
#include "recorder/recording/options.h"

struct wt_record_words {
	char text[1024]; /* as WAVETAPE_OPTIONS would have them */
	struct wt_options
		parsed; /* the same, so that what is wrong is found before anything runs */
};

/** An empty set of words. */
struct wt_record_words wt_record_words_start(void);

/**
 * Put all words into the environment, for the recording library, and into @words->parsed: first @first, then those of
 * WAVETAPE_OPTIONS, then those of the command's options. The last one of a kind holds.
 *
 * @first: "waves=all"; "" for none.
 *
 * Errors: USAGE if WAVETAPE_OPTIONS has an invalid word.
 */
struct wt_error *wt_record_words_apply(struct wt_record_words *words, const char *first);

/**
 * Check words as WAVETAPE_OPTIONS has them; NULL for none.
 *
 * Errors: USAGE if one is invalid, names registers that no GPU has, or leaves too few bytes for a trace.
 */
struct wt_error *wt_record_words_check(const char *text);

/** Among an argp's children; its input is a struct wt_record_words. */
extern const struct argp wt_record_words_argp;

#endif /* WT_CLI_RECORD_WORDS_H */
