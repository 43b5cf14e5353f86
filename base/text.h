/* SPDX-License-Identifier: MIT */
/* Texts as by printf(), in memory of their own: asprintf() without its rules for failure. */
#ifndef WT_BASE_TEXT_H
#define WT_BASE_TEXT_H

#include <stdarg.h>

/** Make a text. Return: for the caller to free(); NULL if there is no memory. */
__attribute__((format(printf, 1, 2))) char *wt_text(const char *format, ...);

/** The same with a list of arguments. */
__attribute__((format(printf, 1, 0))) char *wt_text_list(const char *format, va_list arguments);

#endif /* WT_BASE_TEXT_H */
