/* SPDX-License-Identifier: MIT */
#include "replayer/verify/differences.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Bytes that are shown of a long value. */
#define SHOWN 32u
/* More kinds of differences than anyone reads. */
#define KINDS 256u

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
	for (size_t i = 0; i < differences->kind_count; i++) {
		free(differences->kinds[i].function);
		free(differences->kinds[i].what);
	}
	free(differences->kinds);
	memset(differences, 0, sizeof(*differences));
}

static bool is_of_kind(const struct wt_difference_kind *kind, const char *function,
		       const char *what)
{
	return !strcmp(kind->function, function) && !strcmp(kind->what, what);
}

static void add_kind(struct wt_differences *differences, const char *function, const char *what)
{
	struct wt_difference_kind *kinds = differences->kinds, *added;

	for (size_t i = 0; i < differences->kind_count; i++) {
		if (is_of_kind(&kinds[i], function, what)) {
			kinds[i].count++;
			return;
		}
	}
	if (differences->kind_count == KINDS)
		return;
	kinds = reallocarray(kinds, differences->kind_count + 1, sizeof(*kinds));
	if (!kinds)
		return;
	differences->kinds = kinds;
	added = &kinds[differences->kind_count];
	*added = (struct wt_difference_kind){
		.function = strdup(function), .what = strdup(what), .count = 1};
	if (added->function && added->what) {
		differences->kind_count++;
		return;
	}
	free(added->function);
	free(added->what);
}

/* A differing status counts by which one it was, and which it is. */
static void count_kind(struct wt_differences *differences, const char *function, const char *what,
		       const char *recorded, const char *replayed)
{
	char *statuses = NULL;

	if (!strcmp(what, "status") && recorded && replayed)
		statuses = wt_text("status %s, replayed %s", recorded, replayed);
	add_kind(differences, function, statuses ? statuses : what);
	free(statuses);
}

static int compare_kinds(const void *a, const void *b)
{
	const struct wt_difference_kind *left = a, *right = b;

	if (left->count != right->count)
		return left->count < right->count ? 1 : -1;
	return strcmp(left->function, right->function) ? strcmp(left->function, right->function)
						       : strcmp(left->what, right->what);
}

void wt_differences_sort(struct wt_differences *differences)
{
	if (differences->kind_count)
		qsort(differences->kinds, differences->kind_count, sizeof(*differences->kinds),
		      compare_kinds);
}

void wt_differences_add(struct wt_differences *differences, uint64_t call, const char *function,
			const char *what, char *recorded, char *replayed)
{
	struct wt_difference difference = {
		.call = call, .recorded = recorded, .replayed = replayed};

	differences->count++;
	count_kind(differences, function ? function : "", what, recorded, replayed);
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
