/* SPDX-License-Identifier: MIT */
/* Packets of Perfetto's trace format: tracks, and events on them. Texts may be any bytes. */
#ifndef WT_CLI_FILES_PERFETTO_H
#define WT_CLI_FILES_PERFETTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "cli/output-file.h"

#define WT_PERFETTO_NOTES 8

enum wt_perfetto_type { WT_PERFETTO_BEGIN = 1, WT_PERFETTO_END, WT_PERFETTO_INSTANT };

/* A note of an event: a text if there is one, else a number. */
struct wt_perfetto_note {
	const char *name, *text;
	uint64_t number;
	bool address; /* the number is shown in hexadecimal */
};

struct wt_perfetto_event {
	enum wt_perfetto_type type;
	uint64_t track, time;	     /* nanoseconds since the recording began */
	const char *name, *category; /* NULL for an end */
	struct wt_perfetto_note notes[WT_PERFETTO_NOTES];
	size_t note_count;
};

/* Zeros but for `output`. */
struct wt_perfetto {
	struct wt_cli_output *output;
	struct wt_buffer buffer; /* of the packet that is written */
	bool begun;
};

void wt_perfetto_deinit(struct wt_perfetto *perfetto);

/** Say when on the clock of the wall the recording began. @start: nanoseconds since 1970. */
struct wt_error *wt_perfetto_put_start(struct wt_perfetto *perfetto, uint64_t start);

/** @cmdline: NULL-terminated; may be NULL. */
struct wt_error *wt_perfetto_put_process(struct wt_perfetto *perfetto, uint64_t track, int32_t pid,
					 const char *name, const char *const *cmdline);
struct wt_error *wt_perfetto_put_track(struct wt_perfetto *perfetto, uint64_t track,
				       uint64_t parent, const char *name);
struct wt_error *wt_perfetto_put_event(struct wt_perfetto *perfetto,
				       const struct wt_perfetto_event *event);

/** Add a note of an event; one more than there is room for is left out. */
void wt_perfetto_note_text(struct wt_perfetto_event *event, const char *name, const char *text);
void wt_perfetto_note_number(struct wt_perfetto_event *event, const char *name, uint64_t number,
			     bool address);

#endif /* WT_CLI_FILES_PERFETTO_H */
