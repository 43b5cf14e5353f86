/* SPDX-License-Identifier: MIT */
#include "base/uri.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wt_error *uri_error(const char *text, const char *why)
{
	return wt_error_create(WT_ERROR_INPUT, "cannot read the URI of a code object", text, "%s",
			       why);
}

static bool uri_skip(const char **text, const char *prefix)
{
	size_t length = strlen(prefix);

	if (strncmp(*text, prefix, length))
		return false;
	*text += length;
	return true;
}

/* A C integer literal: no sign, no blanks. */
static bool uri_take_number(const char **text, int base, uint64_t *number_ret)
{
	unsigned long long value;
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	value = strtoull(*text, &end, base);
	if (errno || end == *text || isalnum((unsigned char)*end))
		return false;
	*text = end;
	*number_ret = value;
	return true;
}

static bool range(const char *text, struct wt_uri *uri)
{
	if (*text != '#' && *text != '?')
		return false;
	text++;
	uri->has_range = true;
	return uri_skip(&text, "offset=") && uri_take_number(&text, 0, &uri->offset) &&
	       uri_skip(&text, "&size=") && uri_take_number(&text, 0, &uri->size) && !*text;
}

static int uri_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Decode up to @length characters in place of a new string; NULL if a % is not followed by a byte. */
static char *uri_decode(const char *text, size_t length)
{
	char *path = malloc(length + 1);
	size_t size = 0;

	if (!path)
		return NULL;
	for (size_t i = 0; i < length; i++) {
		int high, low;

		if (text[i] != '%') {
			path[size++] = text[i];
			continue;
		}
		high = length - i > 2 ? uri_hex_digit(text[i + 1]) : -1;
		low = length - i > 2 ? uri_hex_digit(text[i + 2]) : -1;
		if (high < 0 || low < 0 || !(high | low)) {
			free(path);
			return NULL;
		}
		path[size++] = (char)(high << 4 | low);
		i += 2;
	}
	path[size] = '\0';
	return path;
}

struct wt_error *wt_uri_parse(const char *text, struct wt_uri *uri_ret)
{
	struct wt_uri uri = {.kind = WT_URI_FILE};
	const char *rest = text;
	size_t length;

	if (uri_skip(&rest, "memory://")) {
		uri.kind = WT_URI_MEMORY;
		if (!uri_take_number(&rest, 10, &uri.process))
			return uri_error(text, "memory:// wants a process id");
		if (!range(rest, &uri))
			return uri_error(text, "memory:// wants #offset=NUMBER&size=NUMBER");
		*uri_ret = uri;
		return NULL;
	}
	if (!uri_skip(&rest, "file://"))
		return uri_error(text, "it begins with neither file:// nor memory://");
	length = strcspn(rest, "#?");
	if (rest[length] && !range(rest + length, &uri))
		return uri_error(text, "the range is not of the form offset=NUMBER&size=NUMBER");
	if (!length)
		return uri_error(text, "it has no path");
	uri.path = uri_decode(rest, length);
	if (!uri.path)
		return uri_error(
			text,
			"a % is not followed by two hexadecimal digits of a byte other than 0");
	*uri_ret = uri;
	return NULL;
}

char *wt_uri_of_memory(uint64_t process, uint64_t address, uint64_t size)
{
	char *uri;

	if (asprintf(&uri, "memory://%" PRIu64 "#offset=0x%" PRIx64 "&size=%" PRIu64, process,
		     address, size) < 0)
		return NULL;
	return uri;
}

void wt_uri_deinit(struct wt_uri *uri)
{
	free(uri->path);
	*uri = (struct wt_uri){0};
}
