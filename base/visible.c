/* SPDX-License-Identifier: MIT */
#include "base/visible.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* How many bytes a character has that begins so; 0: none begins so. */
static size_t character_length(uint8_t first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xC2 || first > 0xF4)
		return 0;
	return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

size_t wt_utf8_length(const char *text)
{
	const uint8_t *bytes = (const uint8_t *)text;
	size_t length = character_length(bytes[0]);

	for (size_t i = 1; i < length; i++)
		if ((bytes[i] & 0xC0) != 0x80)
			return 0;
	/* Sequences that could be shorter, surrogates, and code points behind the last one are refused. */
	if (length > 2 &&
	    ((bytes[0] == 0xE0 && bytes[1] < 0xA0) || (bytes[0] == 0xED && bytes[1] > 0x9F) ||
	     (bytes[0] == 0xF0 && bytes[1] < 0x90) || (bytes[0] == 0xF4 && bytes[1] > 0x8F)))
		return 0;
	return length;
}

/* Does this, which is one character of more than one byte, change how others are shown, or is it nothing that can be seen? */
static bool character_is_control(const char *text, size_t length)
{
	/* From and to: of the second set, marks and embeddings of direction, ends of lines and paragraphs, and what has no width. */
	static const char controls[][2][4] = {
		{"\xC2\x80", "\xC2\x9F"},	  {"\xC2\xAD", "\xC2\xAD"},
		{"\xD8\x9C", "\xD8\x9C"},	  {"\xE2\x80\x8B", "\xE2\x80\x8F"},
		{"\xE2\x80\xA8", "\xE2\x80\xAE"}, {"\xE2\x81\xA0", "\xE2\x81\xAF"},
		{"\xEF\xBB\xBF", "\xEF\xBB\xBF"},
	};

	for (size_t i = 0; i < sizeof(controls) / sizeof(*controls); i++)
		if (length == strlen(controls[i][0]) && memcmp(text, controls[i][0], length) >= 0 &&
		    memcmp(text, controls[i][1], length) <= 0)
			return true;
	return false;
}

size_t wt_visible_character(const char *text, char *shown)
{
	unsigned char first = (unsigned char)*text;
	size_t length = isprint(first) && first < 0x80 ? 1 : wt_utf8_length(text);

	if (first == '\n' || first == '\t') {
		snprintf(shown, WT_VISIBLE_CHARACTER, "%s", first == '\n' ? "\\n" : "\\t");
		return 1;
	}
	if (!length || iscntrl(first) || character_is_control(text, length)) {
		snprintf(shown, WT_VISIBLE_CHARACTER, "\\x%02x", first);
		return 1;
	}
	memcpy(shown, text, length);
	shown[length] = '\0';
	return length;
}

const char *wt_visible(const char *text, char *buffer, size_t size)
{
	size_t used = 0;

	buffer[0] = '\0';
	while (*text) {
		char shown[WT_VISIBLE_CHARACTER];

		text += wt_visible_character(text, shown);
		if (used + strlen(shown) >= size)
			break;
		strcpy(buffer + used, shown);
		used += strlen(shown);
	}
	return buffer;
}
