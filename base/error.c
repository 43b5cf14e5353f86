/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct wt_error wt_error_no_memory = {
	.code = WT_ERROR_MEMORY,
	.what = (char *)"out of memory",
	.where = (char *)"",
	.why = (char *)"the system has no memory left for this request",
};

struct wt_error *wt_error_create(enum wt_error_code code, const char *what, const char *where,
				 const char *why_format, ...)
{
	struct wt_error *error = calloc(1, sizeof(*error));
	va_list arguments;

	if (!error)
		return &wt_error_no_memory;
	error->code = code;
	va_start(arguments, why_format);
	error->why = wt_text_list(why_format, arguments);
	va_end(arguments);
	error->what = strdup(what);
	error->where = strdup(where ? where : "");
	if (!error->what || !error->where || !error->why) {
		wt_error_destroy(error);
		return &wt_error_no_memory;
	}
	return error;
}

struct wt_error *wt_error_errno(int errnum, const char *what, const char *where)
{
	char text[128];

	/* The GNU strerror_r() may return a static text and leave the buffer alone. */
	return wt_error_create(WT_ERROR_IO, what, where, "%s",
			       strerror_r(errnum, text, sizeof(text)));
}

struct wt_error *wt_error_prefix(struct wt_error *error, const char *where)
{
	char *joined;

	if (!error || error == &wt_error_no_memory)
		return error;
	if (asprintf(&joined, "%s%s%s", where, error->where[0] ? ": " : "", error->where) < 0)
		return error;
	free(error->where);
	error->where = joined;
	return error;
}

void wt_error_destroy(struct wt_error *error)
{
	if (!error || error == &wt_error_no_memory)
		return;
	free(error->what);
	free(error->where);
	free(error->why);
	free(error);
}
