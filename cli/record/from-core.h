/* SPDX-License-Identifier: MIT */
/* `wavetape record --core`: a GPU core dump as a trace of one stop. */
#ifndef WT_CLI_RECORD_FROM_CORE_H
#define WT_CLI_RECORD_FROM_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "recorder/agent/core-kind.h"

struct wt_record_core {
	const char *path; /* of the core; NULL: it is another recording */
	const char *host; /* the core of the process itself; NULL: it is merged in, or not there */
	const char *output; /* of the trace */
	bool json, progress;
	bool own_library; /* whose warnings say that something is missing */
	struct wt_core_file *file;
	struct wt_core_kind kind;
	uint64_t code_list; /* address of the runtime's list of code objects */
};

/** Open the core, before anything is written: most of what can be wrong with it shows then. */
struct wt_error *wt_record_core_open(struct wt_record_core *core);

/** Add to WAVETAPE_OPTIONS what follows from the core's kind: memory that a lightweight one left out is not told to be absent. */
struct wt_error *wt_record_core_set_words(const struct wt_record_core *core);

/**
 * Is a file that is to be written the file of a code object that the core names? As wt_cli_check_output(). A list that
 * cannot be read is left to the library that reads the core.
 */
struct wt_error *wt_record_core_check_output(const struct wt_record_core *core, const char *what,
					     const char *output);

/** Run the agent over it. The exit code; what is missing is told on stderr. */
int wt_record_core_run(const struct wt_record_core *core, const char *library);

#endif /* WT_CLI_RECORD_FROM_CORE_H */
