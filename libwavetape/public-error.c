/* SPDX-License-Identifier: MIT */
/* Errors as the public header has them, and structures of any size. */
#include "libwavetape/handles.h"

#include <stdio.h>
#include <string.h>

const char *wavetape_version(void)
{
	return WT_VERSION;
}

static const struct wt_error *inside(const struct wavetape_error *error)
{
	return (const struct wt_error *)error;
}

int wavetape_error_code(const struct wavetape_error *error)
{
	static const int codes[] = {
		[WT_ERROR_USAGE] = WAVETAPE_ERROR_USAGE,
		[WT_ERROR_INPUT] = WAVETAPE_ERROR_INPUT,
		[WT_ERROR_LIMIT] = WAVETAPE_ERROR_LIMIT,
		[WT_ERROR_IO] = WAVETAPE_ERROR_IO,
		[WT_ERROR_NOT_FOUND] = WAVETAPE_ERROR_NOT_FOUND,
		[WT_ERROR_UNSUPPORTED] = WAVETAPE_ERROR_UNSUPPORTED,
		[WT_ERROR_MEMORY] = WAVETAPE_ERROR_MEMORY,
		[WT_ERROR_INTERNAL] = WAVETAPE_ERROR_INTERNAL,
	};

	return error ? codes[inside(error)->code] : 0;
}

const char *wavetape_error_what(const struct wavetape_error *error)
{
	return error ? inside(error)->what : "";
}

const char *wavetape_error_where(const struct wavetape_error *error)
{
	return error ? inside(error)->where : "";
}

const char *wavetape_error_why(const struct wavetape_error *error)
{
	return error ? inside(error)->why : "";
}

size_t wavetape_error_message(const struct wavetape_error *error, char *buffer, size_t size)
{
	int length;

	if (!error || (!buffer && size))
		return 0;
	length = snprintf(buffer, size, "%s: %s%s%s", inside(error)->what, inside(error)->where,
			  inside(error)->where[0] ? ": " : "", inside(error)->why);
	return length > 0 ? (size_t)length : 0;
}

void wavetape_error_destroy(struct wavetape_error *error)
{
	wt_error_destroy((struct wt_error *)error);
}

struct wavetape_error *wt_wrong_argument(const char *what, const char *why)
{
	return wt_public(wt_error_create(WT_ERROR_USAGE, what, NULL, "%s", why));
}

struct wavetape_error *wt_give(const char *what, const void *full, size_t full_size, void *result)
{
	size_t size;

	if (!result)
		return wt_wrong_argument(what, "there is no place for the result: it is NULL");
	memcpy(&size, result, sizeof(size));
	if (size < sizeof(size))
		return wt_wrong_argument(what,
					 "the `size` of the structure for the result is not set");
	memset(result, 0, size);
	memcpy(result, full, size < full_size ? size : full_size);
	memcpy(result, &size, sizeof(size));
	return NULL;
}
