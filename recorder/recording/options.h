/* SPDX-License-Identifier: MIT */
/*
 * Options of a recording: which parts of a session it holds, how much of them, and how it is kept. They are the words
 * of WAVETAPE_OPTIONS, which are also options of `wavetape record`.
 *
 *   waves=auto|faulting|stopped|all    whose registers are taken in full
 *   registers=all|WORD[:WORD...]       which ones: see gfx/architecture/register-list.h
 *   memory=near|none|BYTES|ADDRESS+SIZE[:...]
 *   redact                             no memory of the program at all
 *   no-code                            no code object images
 *   no-host, environment               nothing of the host; values of environment variables, too
 *   max-bytes=N, max-memory=N, max-stopped-ms=N, min-free=N
 *   ring=N                             keep the newest N stops
 *   sync=none|stop|every=N             when to wait for the disk
 *   no-mapping                         a system call for each record, and no fault where the file is cut
 *   no-thread                          compress where the calls are made, and start no thread
 *   keyframes=N                        the whole state at every Nth moment, not as it pays
 *   hold                               hold a program that runs still while it is asked: see moment.c
 *   reproducible, journal-only
 *
 * N may end in K, M or G, where it counts bytes. Words are separated by commas or blanks, the elements of a list by
 * colons; a single word may also have commas in its list. Of a word that is there again the last one holds; what has no
 * value stays once it was said.
 */
#ifndef WT_RECORDER_RECORDING_OPTIONS_H
#define WT_RECORDER_RECORDING_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace-format/writer/writer.h"

/* Whose registers are taken in full. Of the other stopped waves: those that are neither vector nor scalar. */
enum wt_policy_waves {
	/* Waves with a stop reason, then the others, each up to a number of bytes: see snapshot.c. */
	WT_WAVES_AUTO,
	WT_WAVES_FAULTING, /* all that have a stop reason */
	WT_WAVES_STOPPED,  /* all that are stopped */
	WT_WAVES_ALL,	   /* and what the library gives of those whose stop is not reported yet */
};

/* Appended to the name of a trace while an older one of that name is kept: until the first stop. */
#define WT_PARTIAL ".partial"

#define WT_POLICY_RANGES 16u
#define WT_POLICY_WORDS 256u
#define WT_POLICY_CONTENT                                                                          \
	2048u /* of all words that the trace is to say, with blanks between them */
#define WT_POLICY_MEMORY (2u << 20) /* default of memory_bytes */
#define WT_OPTIONS_MEMORY_MIN (4u << 20)
/* The smallest max-bytes, as text for help and errors. With less nothing is recorded, and the log says why. */
#define WT_OPTIONS_TEXT_OF(number) #number
#define WT_OPTIONS_TEXT(number) WT_OPTIONS_TEXT_OF(number)
#define WT_OPTIONS_BYTES_MIN WT_OPTIONS_TEXT(WT_WRITER_KIB_MIN) "K"

struct wt_policy {
	enum wt_policy_waves waves;
	char registers[WT_POLICY_WORDS]; /* a list with colons; "" for all */
	uint64_t memory_bytes;		 /* of global memory at one stop; 0: none is looked for */
	bool all_memory; /* whatever kernel arguments lead to, whole, and of every wave that has stopped */
	struct {
		uint64_t address, size;
	} ranges[WT_POLICY_RANGES]; /* of global memory, taken whatever points there */
	size_t range_count;
	bool redact, no_code;
	bool no_host, environment;
	bool lightweight; /* memory that cannot be read may be there all the same: nothing is kept of it */
	bool hold;	  /* hold programs that run still while they are asked */
};

struct wt_options {
	struct wt_policy policy;
	bool reproducible;   /* leave out times, process ids, descriptors, command line and host */
	bool journal_only;   /* calls only: no moments, no state */
	uint32_t sync_every; /* stops between two waits for the disk; 0: never */
	bool no_mapping;     /* do not store through a mapping of the file */
	bool no_thread;	     /* compress where the calls are made */
	uint32_t ring_stops; /* 0: keep all */
	uint32_t keyframes;  /* moments from one whole state to the next; 0: as it pays */
	/* Budgets, 0: none. Bytes, except for the one in milliseconds. */
	uint64_t max_bytes, max_memory, max_stopped_ms, min_free;
	char content[WT_POLICY_CONTENT]; /* the words that decide what is recorded, for the trace */
	char refused
		[WT_POLICY_WORDS]; /* words that were not understood, with the reason; "" if none */
};

/** Options that hold without any word. */
struct wt_options wt_options_default(void);

/**
 * One word ("waves=all"), into options.
 *
 * Errors: WT_ERROR_USAGE; the text has what is allowed in place of it. Then nothing is changed.
 */
struct wt_error *wt_options_set(struct wt_options *options, const char *word);

/**
 * Words as WAVETAPE_OPTIONS has them, into options; NULL for none.
 *
 * Errors: as of one word, for the first that is wrong. Those before it are set then.
 */
struct wt_error *wt_options_set_all(struct wt_options *options, const char *text);

/**
 * Words as WAVETAPE_OPTIONS has them; NULL for none. A word that is not understood changes nothing but
 * `refused` and that memory is left out: it may have been meant to keep something out of the trace, and the
 * program that is recorded must not fail for it.
 */
struct wt_options wt_options_parse(const char *text);

/** A number of bytes as words have it: "64M". False if @text is anything else. */
bool wt_options_size(const char *text, uint64_t *bytes_ret);

/** Does a list of registers name this one? @classes: names of its classes, NULL-terminated. */
bool wt_policy_names(const struct wt_policy *policy, const char *name, const char *const *classes);

#endif /* WT_RECORDER_RECORDING_OPTIONS_H */
