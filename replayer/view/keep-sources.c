/* SPDX-License-Identifier: MIT */
#include "replayer/view/keep-sources.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "replayer/view/stack.h"
#include "replayer/view/stops.h"
#include "trace-format/rewrite/rewrite.h"

/* Limits of what is kept. The last stops are looked at, and the first of waves that stand at one place. */
#define MAX_FILES 64u
#define MAX_BYTES ((size_t)8 << 20) /* of all files */
#define MAX_STOPS 16u
#define MAX_PLACES 256u

/* Compression while recording; a trace is packed later, if at all. */
#define LEVEL 1

struct files {
	const struct wt_source_maps *maps;
	char *names[MAX_FILES];
	struct wt_buffer texts[MAX_FILES];
	size_t count, bytes;
	uint64_t places[MAX_PLACES]; /* of one stop */
	size_t place_count;
};

static void files_deinit(struct files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		free(files->names[i]);
		wt_buffer_deinit(&files->texts[i]);
	}
}

static struct wt_error *files_take(struct files *files, const char *name)
{
	struct wt_buffer *text;
	struct wt_error *error;
	size_t left = MAX_BYTES - files->bytes;

	for (size_t i = 0; i < files->count; i++)
		if (!strcmp(files->names[i], name))
			return NULL;
	if (files->count == MAX_FILES)
		return NULL;
	text = &files->texts[files->count];
	error = wt_source_read(files->maps, name,
			       left < WT_KEPT_SOURCE_MAX ? left : WT_KEPT_SOURCE_MAX, text);
	if (error || !text->size) {
		wt_buffer_deinit(text);
		*text = (struct wt_buffer){0};
		return error;
	}
	files->names[files->count] = strdup(name);
	if (!files->names[files->count]) {
		wt_buffer_deinit(text);
		return &wt_error_no_memory;
	}
	files->bytes += text->size;
	files->count++;
	return NULL;
}

/* Was a wave that stands there looked at? */
static bool files_know_place(struct files *files, uint64_t place)
{
	for (size_t i = 0; i < files->place_count; i++)
		if (files->places[i] == place)
			return true;
	if (files->place_count == MAX_PLACES)
		return true;
	files->places[files->place_count++] = place;
	return false;
}

static struct wt_error *files_take_wave(struct files *files, struct wt_stacks *stacks,
					const struct wt_view *view, uint64_t wave)
{
	struct wt_error *error = NULL;
	struct wt_stack *stack;
	uint64_t pc;

	if (!wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC, &pc) ||
	    files_know_place(files, pc))
		return NULL;
	error = wt_stack_create(stacks, wave, &stack);
	for (size_t i = 0; !error && stack && i < wt_stack_count(stack); i++) {
		const struct wavetape_place *place = &wt_stack_frame(stack, i)->place;

		if (place->file)
			error = files_take(files, place->file);
	}
	if (!error)
		wt_stack_destroy(stack);
	return error;
}

static struct wt_error *files_take_stop(struct files *files, struct wt_stops *stops,
					uint32_t number)
{
	struct wt_stacks *stacks = NULL;
	struct wt_view *view = NULL;
	const uint64_t *waves;
	uint32_t stop;
	struct wt_error *error = wt_stops_view(stops, number, &view, &stop);
	size_t count = 0;

	files->place_count = 0;
	if (!error)
		error = wt_stacks_create(view, &stacks);
	if (!error)
		count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	for (size_t i = 0; i < count && !error; i++)
		error = files_take_wave(files, stacks, view, waves[i]);
	wt_stacks_destroy(stacks);
	wt_view_close(view);
	return error;
}

static struct wt_error *find_files(struct files *files, struct wt_reader *reader, const char *path)
{
	struct wt_stops stops = {.reader = reader, .path = path};
	struct wt_error *error = wt_stops_find(&stops);
	uint32_t first = stops.count > MAX_STOPS ? stops.count - MAX_STOPS : 0;

	/* The last stop first: it has what is asked for most. */
	for (uint32_t number = stops.count; number > first && !error; number--)
		error = files_take_stop(files, &stops, number);
	wt_stops_deinit(&stops);
	return error;
}

static struct wt_error *add_files(const struct files *files, struct wt_reader *reader,
				  const char *path)
{
	const struct wt_rewrite_options options = {.size = sizeof(options), .compression = LEVEL};
	struct wt_kept_source texts[MAX_FILES];
	struct wt_rewrite ignored;

	for (size_t i = 0; i < files->count; i++)
		texts[i] = (struct wt_kept_source){files->names[i], files->texts[i].data,
						   files->texts[i].size};
	return wt_trace_add_sources(reader, texts, files->count, path, &options, &ignored);
}

struct wt_error *wt_sources_keep(const char *path, const struct wt_source_maps *maps)
{
	struct files files = {.maps = maps};
	struct wt_reader *reader = NULL;
	struct wt_trace_info info = {0};
	struct wt_error *error = NULL;
	struct stat status;

	if (!maps->count || stat(path, &status) || !S_ISREG(status.st_mode) || !status.st_size)
		return NULL;
	error = wt_reader_open(path, &reader);
	if (!error)
		wt_reader_info(reader, &info);
	if (!error && !info.redacted)
		error = find_files(&files, reader, path);
	if (!error && files.count)
		error = add_files(&files, reader, path);
	wt_reader_close(reader);
	files_deinit(&files);
	return error;
}
