/* SPDX-License-Identifier: MIT */
/* The forms in which `wavetape export` writes a trace, one in each file. */
#ifndef WT_CLI_FILES_VERB_EXPORT_H
#define WT_CLI_FILES_VERB_EXPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/output-file.h"
#include "cli/trace.h"

/* Kinds of lines of --json-lines, in the order of wt_export_lines_types. */
enum wt_export_line {
	WT_EXPORT_TRACE,
	WT_EXPORT_HOST,
	WT_EXPORT_ARCHITECTURE,
	WT_EXPORT_SOURCE,
	WT_EXPORT_STOP,
	WT_EXPORT_EVENT,
	WT_EXPORT_AGENT,
	WT_EXPORT_QUEUE,
	WT_EXPORT_DISPATCH,
	WT_EXPORT_WORKGROUP,
	WT_EXPORT_CODE_OBJECT,
	WT_EXPORT_IMAGE,
	WT_EXPORT_WAVE,
	WT_EXPORT_REGISTERS,
	WT_EXPORT_MEMORY,
	WT_EXPORT_CALL,
	WT_EXPORT_NOTICE,
	WT_EXPORT_END,
	WT_EXPORT_LINE_COUNT,
};
extern const char *const wt_export_lines_types[WT_EXPORT_LINE_COUNT];

struct wt_export {
	struct wt_cli_trace trace;
	struct wt_cli_output output; /* open */
	bool partial;		     /* something could not be written, and was named */
	uint32_t lines;		     /* bits 1 << enum wt_export_line: those that are wanted */
	bool base64;		     /* bytes in lines, in place of hexadecimal digits */
};

/** Write lines of JSON: everything in the trace, or in the stop of --stop. */
struct wt_error *wt_export_lines(struct wt_export *export);

/** Write a core of the stop of --stop, or of the crash. What it lacks is printed, and `partial` set. */
struct wt_error *wt_export_core(struct wt_export *export);

/** Write a timeline for Perfetto. Errors: NOT_FOUND if the trace has no times. */
struct wt_error *wt_export_perfetto(struct wt_export *export);

#endif /* WT_CLI_FILES_VERB_EXPORT_H */
