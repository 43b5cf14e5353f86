/* SPDX-License-Identifier: MIT */
/* Source files that were kept with both traces: which are not the same. */
#include <stdlib.h>
#include <string.h>

#include "replayer/diff/diff.h"
#include "replayer/diff/internal.h"
#include "replayer/view/sources.h"
#include "replayer/view/stops.h"

/* The files of one trace, in the order of their names. */
struct half {
	struct wt_sources *sources;
	const struct wt_source_file **files;
	size_t count;
};

static int source_names_compare(const void *a, const void *b)
{
	const struct wt_source_file *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static void half_deinit(struct half *half)
{
	free(half->files);
	wt_sources_destroy(half->sources);
}

static struct wt_error *half_init(struct half *half, struct wt_reader *reader)
{
	struct wt_error *error = wt_sources_create(reader, NULL, &half->sources);

	/* Losses of a trace are told elsewhere. */
	if (wt_error_is_loss(error)) {
		wt_error_destroy(error);
		return NULL;
	}
	if (error)
		return error;
	half->count = wt_sources_count(half->sources);
	half->files = calloc(half->count + 1, sizeof(struct wt_source_file *));
	if (!half->files)
		return &wt_error_no_memory;
	for (size_t i = 0; i < half->count; i++)
		half->files[i] = wt_sources_at(half->sources, i);
	qsort(half->files, half->count, sizeof(struct wt_source_file *), source_names_compare);
	return NULL;
}

/* The first line that is not the same, from 1. */
static size_t first_line(const struct wt_source_file *a, const struct wt_source_file *b)
{
	size_t at = 0, line = 1;

	for (; at < a->size && at < b->size && a->data[at] == b->data[at]; at++)
		line += a->data[at] == '\n';
	return line;
}

static struct wt_error *source_pair_compare(const struct wt_source_file *const files[WT_DIFF_SIDES],
					    const struct wt_diff_listener *listener,
					    struct wt_diff_counts *counts)
{
	const struct wt_source_file *a = files[WT_DIFF_A], *b = files[WT_DIFF_B];
	const struct wt_diff_source source = {
		.name = a->name,
		.bytes = {a->size, b->size},
		.lines = {a->lines, b->lines},
		.line = first_line(a, b),
	};

	counts->sources++;
	if (a->size == b->size && !memcmp(a->data, b->data, a->size))
		return NULL;
	counts->differences++;
	return listener->source ? listener->source(listener->opaque, &source) : NULL;
}

struct wt_error *wt_diff_sources(const struct wt_diff_trace traces[WT_DIFF_SIDES],
				 const struct wt_diff_listener *listener,
				 struct wt_diff_counts *counts)
{
	struct half half[WT_DIFF_SIDES] = {0};
	const struct half *a = &half[WT_DIFF_A], *b = &half[WT_DIFF_B];
	struct wt_error *error = NULL;
	size_t i = 0, j = 0;

	for (int side = 0; !error && side < WT_DIFF_SIDES; side++)
		error = half_init(&half[side], traces[side].reader);
	while (!error && (i < a->count || j < b->count)) {
		int order = i == a->count   ? 1
			    : j == b->count ? -1
					    : strcmp(a->files[i]->name, b->files[j]->name);

		if (!order)
			error = source_pair_compare(
				(const struct wt_source_file *const[]){a->files[i], b->files[j]},
				listener, counts);
		else
			counts->only_sources[order < 0 ? WT_DIFF_A : WT_DIFF_B]++;
		i += order <= 0;
		j += order >= 0;
	}
	half_deinit(&half[WT_DIFF_A]);
	half_deinit(&half[WT_DIFF_B]);
	return error;
}
