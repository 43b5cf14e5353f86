/* SPDX-License-Identifier: MIT */
#include "replayer/library/keep.h"

#include <stdlib.h>
#include <string.h>

/* One for each status there is, and a name or two: few enough to look through. */
static struct kept {
	struct kept *next;
	size_t size;
	char text[];
} * all;

const char *wt_keep_text(const void *characters, size_t size)
{
	struct kept *kept = all;

	while (kept && (kept->size != size || memcmp(kept->text, characters, size) != 0))
		kept = kept->next;
	if (kept)
		return kept->text;
	kept = malloc(sizeof(*kept) + size + 1);
	if (!kept)
		return NULL;
	memcpy(kept->text, characters, size);
	kept->text[size] = '\0';
	kept->size = size;
	kept->next = all;
	all = kept;
	return kept->text;
}
