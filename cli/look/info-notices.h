/* SPDX-License-Identifier: MIT */
/* Notices of the recorder, in order: losses, what was left out. */
#ifndef WT_CLI_LOOK_INFO_NOTICES_H
#define WT_CLI_LOOK_INFO_NOTICES_H

#include "cli/describe.h"
#include "replayer/view/missing.h"

struct wt_info_notices {
	struct wt_journal *journal;
	char **texts;
	size_t count, capacity;
	struct wt_losses losses;
	struct wt_error *error; /* which ended the reading */
	bool at_end;
};

void wt_info_notices_deinit(struct wt_info_notices *notices);

/** Keep a copy of a notice behind the others. Errors: no memory. */
struct wt_error *wt_info_keep_notice(struct wt_info_notices *notices, const char *text);

/**
 * Read on in the journal, to a moment or, if there is none such, to the end.
 *
 * @opaque: the notices, since who walks through a trace calls it. What goes wrong is kept there.
 */
void wt_info_read_notices(void *opaque, uint32_t moment);

/** Print them, or append them to @array. Errors: what went wrong while they were read. */
struct wt_error *wt_info_show_notices(struct wt_info_notices *notices, json_t *array);

#endif /* WT_CLI_LOOK_INFO_NOTICES_H */
