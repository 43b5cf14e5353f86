/* SPDX-License-Identifier: MIT */
/*
 * The one error object. A function that can fail returns `struct wt_error *`: NULL means fine, anything
 * else is owned by the caller, who passes it on or destroys it. Nothing is logged and returned.
 *
 * A full message has three parts, printed by the command as `wavetape: WHAT: WHERE: WHY`.
 */
#ifndef WT_BASE_ERROR_H
#define WT_BASE_ERROR_H

#include <stdarg.h>

enum wt_error_code {
	WT_ERROR_USAGE,	      /* the caller's arguments are wrong */
	WT_ERROR_INPUT,	      /* a file or a message is malformed, truncated or does not fit */
	WT_ERROR_LIMIT,	      /* input is well-formed but larger than we accept */
	WT_ERROR_IO,	      /* the system said no: open, read, write */
	WT_ERROR_NOT_FOUND,   /* what was asked for is not there */
	WT_ERROR_UNSUPPORTED, /* a known thing that this version does not do */
	WT_ERROR_MEMORY,      /* out of memory */
	WT_ERROR_INTERNAL,    /* a bug of ours */
};

struct wt_error {
	enum wt_error_code code;
	char *what;  /* what could not be done: "cannot open the trace" */
	char *where; /* file, line, offset, chunk: may be empty, never NULL */
	char *why;   /* the cause, and what to do about it */
};

/** Out of memory, as a static object: never allocated, safe to pass to wt_error_destroy(). */
extern struct wt_error wt_error_no_memory;

/**
 * Make an error. @where may be NULL. @why_format is a printf format for the last part.
 *
 * Return: never NULL; &wt_error_no_memory if there is no memory for the text.
 */
__attribute__((format(printf, 4, 5))) struct wt_error *wt_error_create(enum wt_error_code code,
								       const char *what,
								       const char *where,
								       const char *why_format, ...);

/** As wt_error_create() with code WT_ERROR_IO; the last part is the text of @errnum. */
struct wt_error *wt_error_errno(int errnum, const char *what, const char *where);

/**
 * Put a place in front of an error's own: "file.json" before "dispatches[0].kernel" gives
 * "file.json: dispatches[0].kernel". Takes @error over and returns it.
 */
struct wt_error *wt_error_prefix(struct wt_error *error, const char *where);

/** Free an error. NULL and the static one are legal. */
void wt_error_destroy(struct wt_error *error);

#endif /* WT_BASE_ERROR_H */
