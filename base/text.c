/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <stdio.h>

char *wt_text_list(const char *format, va_list arguments)
{
	char *text;

	return vasprintf(&text, format, arguments) < 0 ? NULL : text;
}

char *wt_text(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = wt_text_list(format, arguments);
	va_end(arguments);
	return text;
}
