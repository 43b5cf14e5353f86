/* SPDX-License-Identifier: MIT */
/*
 * Errors. A function that can fail returns `struct wt_error *`: NULL for success, otherwise an error that the caller
 * owns and either returns or destroys. An error is returned or reported, never both.
 *
 * The command prints an error's three parts as `wavetape: WHAT: WHERE: WHY`.
 */
#ifndef WT_BASE_ERROR_H
#define WT_BASE_ERROR_H

#include <stdarg.h>

enum wt_error_code {
	WT_ERROR_USAGE,	      /* the caller's arguments are wrong */
	WT_ERROR_INPUT,	      /* a file or a message is malformed, truncated or does not fit */
	WT_ERROR_LIMIT,	      /* input is well-formed but larger than we accept */
	WT_ERROR_IO,	      /* the system said no: open, read, write */
	WT_ERROR_NOT_FOUND,   /* the thing asked for does not exist */
	WT_ERROR_UNSUPPORTED, /* known, but not supported by this version */
	WT_ERROR_MEMORY,      /* out of memory */
	WT_ERROR_INTERNAL,    /* a bug in wavetape */
};

struct wt_error {
	enum wt_error_code code;
	char *what;  /* what could not be done: "cannot open the trace" */
	char *where; /* file, line, offset, chunk: may be empty, never NULL */
	char *why;   /* the cause, and what to do about it */
};

/** Out of memory. A static object, which wt_error_destroy() accepts. */
extern struct wt_error wt_error_no_memory;

/**
 * Make an error. @where may be NULL. @why_format is the printf format of the third part.
 *
 * Return: never NULL; &wt_error_no_memory if there is no memory for the texts.
 */
__attribute__((format(printf, 4, 5), returns_nonnull)) struct wt_error *
wt_error_create(enum wt_error_code code, const char *what, const char *where,
		const char *why_format, ...);

/** Makes an error as wt_error_create() does, with code WT_ERROR_IO; the third part is the text of @errnum. */
__attribute__((returns_nonnull)) struct wt_error *wt_error_errno(int errnum, const char *what,
								 const char *where);

/**
 * Put @where in front of an error's place: "file.json" before "dispatches[0].kernel" gives
 * "file.json: dispatches[0].kernel". Takes over @error and returns it, unchanged if there is no memory.
 */
struct wt_error *wt_error_prefix(struct wt_error *error, const char *where);

/** Free an error. @error may be NULL or &wt_error_no_memory. */
void wt_error_destroy(struct wt_error *error);

#endif /* WT_BASE_ERROR_H */
