/* SPDX-License-Identifier: MIT */
/* `wavetape record`: the file of the trace, before and after the session. The recorder itself stays silent. */
#ifndef WT_CLI_RECORD_TRACE_OUTPUT_H
#define WT_CLI_RECORD_TRACE_OUTPUT_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

#define WT_RECORD_CANNOT_WRITE "cannot write the trace"

struct wt_record_output {
	const char *path; /* as the user names it */
	char *name,
		*partial; /* without links; what the recorder calls the trace as long as an older one is kept */
	bool made;  /* there was nothing of that name, or only what was made for this session */
	bool older; /* there was something in it, which stays until the first stop */
	struct stat before; /* of what is at @name */
	struct stat idle;   /* of an empty file that the recorder replaces when it begins */
	int fd, idle_fd; /* both files, open: no file of the recorder's gets their numbers and is taken for them */
};

/** An empty one, for wt_record_output_deinit(). */
struct wt_record_output wt_record_output_none(const char *path);

/**
 * Find what the recorder calls a trace of that name as long as an older one is kept. A file of this name is removed before
 * the session. To free().
 */
struct wt_error *wt_record_output_partial(const char *path, char **partial_ret);

/**
 * Find out before the session whether the trace can be written, and make what is looked at after it.
 *
 * Errors: IO; USAGE if another process records into that trace.
 */
struct wt_error *wt_record_output_open(struct wt_record_output *output);

/** There was no session: remove what was made for it. */
void wt_record_output_drop(const struct wt_record_output *output);

/** After the session: has no recorder begun? */
bool wt_record_output_is_idle(const struct wt_record_output *output);

/**
 * After the session: print what the recorder could not print while it recorded.
 *
 * @code: the exit code of the session.
 * @return: the exit code of the command.
 */
int wt_record_output_check(const struct wt_record_output *output, int code);

void wt_record_output_deinit(struct wt_record_output *output);

#endif /* WT_CLI_RECORD_TRACE_OUTPUT_H */
