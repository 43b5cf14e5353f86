/* SPDX-License-Identifier: MIT */
#include "replayer/verify/differences.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are shown of a long value. */
#define SHOWN 32u

static void difference_deinit(struct wt_difference *difference)
{
	free(difference->function);
	free(difference->what);
	free(difference->recorded);
	free(difference->replayed);
}

void wt_differences_deinit(struct wt_differences *differences)
{
	for (size_t i = 0; i < differences->first_count; i++)
		difference_deinit(&differences->first[i]);
	free(differences->first);
	memset(differences, 0, sizeof(*differences));
}

void wt_differences_add(struct wt_differences *differences, uint64_t call, const char *function,
			const char *what, char *recorded, char *replayed)
{
	struct wt_difference difference = {
		.call = call, .recorded = recorded, .replayed = replayed};

	differences->count++;
	if (differences->first_count < WT_VERIFY_DIFFERENCES && !differences->first)
		differences->first = calloc(WT_VERIFY_DIFFERENCES, sizeof(*differences->first));
	difference.function = strdup(function ? function : "");
	difference.what = strdup(what);
	if (!differences->first || differences->first_count == WT_VERIFY_DIFFERENCES ||
	    !difference.function || !difference.what || !recorded || !replayed) {
		difference_deinit(&difference);
		return;
	}
	differences->first[differences->first_count++] = difference;
}

void wt_differences_add_values(struct wt_differences *differences, uint64_t call,
			       const char *function, const char *what,
			       const struct wt_value *recorded, const struct wt_value *replayed)
{
	wt_differences_add(differences, call, function, what, wt_text_value(recorded),
			   wt_text_value(replayed));
}

char *wt_text(const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	return length < 0 ? NULL : text;
}

char *wt_text_bytes(const void *data, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	size_t shown = size < SHOWN ? size : SHOWN;
	char hex[2 * SHOWN + 1];

	for (size_t i = 0; i < shown; i++) {
		uint8_t byte = ((const uint8_t *)data)[i];

		hex[2 * i] = digits[byte >> 4];
		hex[2 * i + 1] = digits[byte & 15];
	}
	hex[2 * shown] = '\0';
	return wt_text("%zu bytes: %s%s", size, hex, shown < size ? "..." : "");
}

char *wt_text_value(const struct wt_value *value)
{
	switch (value->form) {
	case WT_VALUE_NUMBER:
		return wt_text("%" PRIu64 " (0x%" PRIx64 ")", value->number, value->number);
	case WT_VALUE_DATA:
		return wt_text_bytes(value->data, value->size);
	case WT_VALUE_PRESENT:
		return wt_text("%s", value->number ? "a pointer" : "NULL");
	case WT_VALUE_ABSENT:
		break;
	}
	return wt_text("nothing");
}
