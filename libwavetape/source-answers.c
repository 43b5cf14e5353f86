/* SPDX-License-Identifier: MIT */
/* The text of source files. */
#include <stddef.h>
#include <stdlib.h>

#include "libwavetape/handles.h"
#include "replayer/view/sources.h"

static const char cannot_show[] = "cannot show the source";

struct wavetape_sources {
	struct wt_sources *sources; /* the caller's own: it needs no trace */
};

struct wavetape_error *wavetape_sources_open(struct wavetape_trace *trace, const char *const *maps,
					     struct wavetape_sources **sources_ret)
{
	struct wavetape_sources *sources;
	struct wt_error *error;

	if (!trace || !sources_ret)
		return wt_wrong_argument(cannot_show,
					 "the trace or the place for the sources is NULL");
	sources = calloc(1, sizeof(*sources));
	if (!sources)
		return wt_public(&wt_error_no_memory);
	error = wt_sources_create(trace->reader, maps, &sources->sources);
	if (error)
		free(sources);
	else
		*sources_ret = sources;
	return wt_public(error);
}

void wavetape_sources_close(struct wavetape_sources *sources)
{
	if (!sources)
		return;
	wt_sources_destroy(sources->sources);
	free(sources);
}

size_t wavetape_sources_count(const struct wavetape_sources *sources)
{
	return sources ? wt_sources_count(sources->sources) : 0;
}

static struct wavetape_error *give(const struct wt_source_file *file,
				   struct wavetape_source *source_ret)
{
	struct wavetape_source source;

	wt_source_facts_take(file, &source);
	return wt_give(cannot_show, &source, sizeof(source), source_ret);
}

struct wavetape_error *wavetape_sources_get(const struct wavetape_sources *sources, size_t index,
					    struct wavetape_source *source_ret)
{
	if (!sources || index >= wt_sources_count(sources->sources))
		return wt_wrong_argument(cannot_show, "the sources are NULL, or there are fewer");
	return give(wt_sources_at(sources->sources, index), source_ret);
}

static struct wt_error *source_file_find(struct wavetape_sources *sources, const char *name,
					 const struct wt_source_file **file_ret)
{
	struct wt_error *error = wt_sources_find(sources->sources, name, file_ret);

	if (!error && !*file_ret)
		error = wt_error_create(WT_ERROR_NOT_FOUND, cannot_show, name,
					"it was not kept with the trace, and no map leads to it");
	return error;
}

struct wavetape_error *wavetape_sources_find(struct wavetape_sources *sources, const char *name,
					     struct wavetape_source *source_ret)
{
	const struct wt_source_file *file;
	struct wt_error *error;

	if (!sources || !name)
		return wt_wrong_argument(cannot_show, "the sources or the name are NULL");
	error = source_file_find(sources, name, &file);
	return error ? wt_public(error) : give(file, source_ret);
}

struct wavetape_error *wavetape_sources_line(struct wavetape_sources *sources, const char *name,
					     uint32_t line, const char **text_ret,
					     size_t *length_ret)
{
	const struct wt_source_file *file;
	struct wt_error *error;
	const char *text;
	size_t length;

	if (!sources || !name || !text_ret || !length_ret)
		return wt_wrong_argument(cannot_show,
					 "the sources, the name or a place for a result is NULL");
	error = source_file_find(sources, name, &file);
	if (error)
		return wt_public(error);
	length = wt_source_line(file, line, &text);
	if (!text)
		return wt_public(wt_error_create(WT_ERROR_NOT_FOUND, cannot_show, name,
						 "it has %zu lines, counted from 1, and no line %u",
						 file->lines, line));
	*text_ret = text;
	*length_ret = length;
	return NULL;
}

/* A place of a caller that was compiled before places had sums has none. */
static bool has_md5(const struct wavetape_place *place)
{
	return place->size >= offsetof(struct wavetape_place, md5) + sizeof(place->md5);
}

struct wavetape_error *wavetape_sources_compare(struct wavetape_sources *sources,
						const struct wavetape_place *place,
						uint32_t *match_ret)
{
	_Static_assert((int)WAVETAPE_SOURCE_SAME == (int)WT_SOURCE_SAME &&
			       (int)WAVETAPE_SOURCE_DIFFERS == (int)WT_SOURCE_DIFFERS,
		       "the same numbers");
	enum wt_source_match match;
	struct wt_error *error;

	if (!sources || !place || !match_ret)
		return wt_wrong_argument(
			cannot_show, "the sources, the place or the one for the result is NULL");
	error = wt_sources_check(sources->sources,
				 &(const struct wavetape_place){
					 .file = place->file,
					 .md5 = has_md5(place) ? place->md5 : NULL,
				 },
				 &match);
	if (!error)
		*match_ret = (uint32_t)match;
	return wt_public(error);
}
