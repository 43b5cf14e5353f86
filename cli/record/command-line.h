/* SPDX-License-Identifier: MIT */
/* The command line of `wavetape record`. */
#ifndef WT_CLI_RECORD_COMMAND_LINE_H
#define WT_CLI_RECORD_COMMAND_LINE_H

#include <stdbool.h>

#include "cli/record/from-core.h"
#include "cli/record/from-process.h"
#include "cli/record/from-workload.h"
#include "cli/record/words.h"
#include "recorder/naming/place.h"
#include "replayer/view/explain-lines.h"

#define WT_RECORD_WRITTEN 2u

struct wt_record_options {
	const char *output, *library;
	const char *pattern; /* that the output's name is made of; NULL: it is a name */
	struct wt_place_limits keep;
	const char *limit; /* the option of these that was given last */
	struct wt_record_words words;
	bool json, agent;
	const char *limited; /* the option of these two that was given last */
	struct wt_record_workload workload;
	struct wt_record_core core;
	struct wt_record_attach attach;
	struct wt_source_maps sources;
	char **client; /* NULL-terminated; NULL without one */
	/* The trace, and what it is called as long as an older one is kept: neither may be something that is read. */
	const char *written[WT_RECORD_WRITTEN];
};

/** Parse it: ends the process for --help and for wrong usage. What is not on the command line is as it is by default. */
void wt_record_options_parse(int argc, char **argv, struct wt_record_options *options_ret);

#endif /* WT_CLI_RECORD_COMMAND_LINE_H */
