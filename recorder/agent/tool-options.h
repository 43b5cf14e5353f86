/* SPDX-License-Identifier: MIT */
/*
 * Options in WAVETAPE_AGENT, words with commas or blanks between them; a backslash before one of these makes it a part of the word:
 *
 *   output=PATTERN      names of traces: see recorder/naming/pattern.h
 *   keep=N              traces of that pattern that a directory keeps; keep-bytes=SIZE: bytes of them
 *   traces=N            traces of one process, at most
 *   library=PATH        the debugger library, as WAVETAPE_DBGAPI
 *   hang-after=60s      take a snapshot when no queue has moved for so long while work waits; ms, s, m and h
 *   signal=USR2         take a snapshot at this signal, where the program has no handler for it
 *   source=FROM=TO      keep source files with a trace whose names begin with FROM and that are below TO; any number of times
 *   precise             a wave stops at the access that fails, and not some instructions later: slower; precise=try: where the GPU can
 *   trap=invalid+div0   a trace of the first wave that raises one of these arithmetic exceptions: see tool/trapping.h
 *   on-trap=end         end the program then, in place of letting it go on (on-trap=continue)
 *   on-trace=COMMAND    run this with the path of each trace that is whole: see tool/on-trace.h; on-trace-within=30s: and end it then
 *   quiet               print nothing
 *   notes=PATH          a file of the command's that started the program: see base/agent-notes.h
 */
#ifndef WT_RECORDER_AGENT_TOOL_OPTIONS_H
#define WT_RECORDER_AGENT_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source-maps.h"
#include "recorder/naming/place.h"

#define WT_TOOL_PATTERN "wavetape-%e-%h-%p.wtape"
#define WT_TOOL_TRACES 8u
#define WT_ON_TRACE_WITHIN_MS UINT64_C(30000)

/* Arithmetic exceptions, in the order of the bits of a kernel's descriptor, of the mode register and of trapsts. */
enum wt_trapped {
	WT_TRAPPED_INVALID = 1 << 0,
	WT_TRAPPED_DENORMAL = 1 << 1,
	WT_TRAPPED_DIVISION = 1 << 2,
	WT_TRAPPED_OVERFLOW = 1 << 3,
	WT_TRAPPED_UNDERFLOW = 1 << 4,
	WT_TRAPPED_INEXACT = 1 << 5,
	WT_TRAPPED_INTEGER_DIVISION = 1 << 6,
	WT_TRAPPED_ALL = 0x7f,
};

struct wt_tool_options {
	char *output, *library, *notes, *on_trace; /* all but the first: NULL if not named */
	struct wt_place_limits keep;
	uint64_t traces;
	uint64_t hang_after_ms; /* 0: hangs are not looked for */
	uint64_t on_trace_within_ms;
	int signal;			   /* 0: none */
	char *sources[WT_SOURCE_MAPS + 1]; /* "FROM=TO", NULL behind the last */
	bool precise;			   /* memory is to be precise */
	bool precise_try;		   /* that a GPU cannot is no error */
	uint32_t trap;			   /* enum wt_trapped; 0: none */
	bool trap_ends;			   /* the program */
	bool quiet;
	char refused[256]; /* the first word that was not understood; "" if there is none */
	char why[320];	   /* what is wrong with it */
};

/**
 * Read the words; NULL for none. A word that is not understood changes nothing but `refused` and `why`: what the others ask
 * for is done all the same.
 *
 * Return: false if there is no memory.
 */
bool wt_tool_options_parse(const char *text, struct wt_tool_options *options_ret);
void wt_tool_options_deinit(struct wt_tool_options *options);

#endif /* WT_RECORDER_AGENT_TOOL_OPTIONS_H */
