/* SPDX-License-Identifier: MIT */
/* Text of a trace, which may be any bytes, in a form that cannot act on a terminal. */
#ifndef WT_BASE_VISIBLE_H
#define WT_BASE_VISIBLE_H

#include <stddef.h>

#define WT_VISIBLE_CHARACTER 8

/** The bytes of the UTF-8 character at the start of @text, which is not empty; 0 if it is none. */
size_t wt_utf8_length(const char *text);

/**
 * Shows the character at the start of @text, which is not empty: control characters and bytes that are not UTF-8 are
 * shown as \x1b, \n and so on.
 *
 * @shown: at least WT_VISIBLE_CHARACTER bytes.
 * Return: how many bytes of @text that was.
 */
size_t wt_visible_character(const char *text, char *shown);

/** A text in a buffer of @size bytes, which is returned; what does not fit is cut. */
const char *wt_visible(const char *text, char *buffer, size_t size);

#endif /* WT_BASE_VISIBLE_H */
