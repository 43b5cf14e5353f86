/* SPDX-License-Identifier: MIT */
/* Texts as by printf(), in memory of their own: asprintf() without its rules for failure. */
#ifndef WT_BASE_TEXT_H
#define WT_BASE_TEXT_H

#include <stdarg.h>
#include <string.h>

/** Make a text. Return: for the caller to free(); NULL if there is no memory. */
__attribute__((format(printf, 1, 2))) char *wt_text(const char *format, ...);

/** The same with a list of arguments. */
__attribute__((format(printf, 1, 0))) char *wt_text_list(const char *format, va_list arguments);

/** The name of a file without its folders; the whole path where it ends with a slash. */
static inline const char *wt_text_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

#endif /* WT_BASE_TEXT_H */
