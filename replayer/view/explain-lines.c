/* SPDX-License-Identifier: MIT */
#include "replayer/view/explain-lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"

#define FILE_LIMIT (16L << 20)
#define LINE_LIMIT 400 /* bytes that are kept of a line */

/* A name that goes up could lead anywhere. */
static bool goes_up(const char *name)
{
	while (*name) {
		size_t length = strcspn(name, "/");

		if (length == 2 && name[0] == '.' && name[1] == '.')
			return true;
		name += length;
		name += *name == '/';
	}
	return false;
}

/* The rest of a name behind FROM, in whole parts; NULL if FROM is not its beginning. */
static const char *behind(const struct wt_source_map *map, const char *name)
{
	size_t size = map->from_size;

	if (!size)
		return name[0] == '/' ? NULL : name;
	if (strncmp(name, map->from, size))
		return NULL;
	if (map->from[size - 1] != '/' && name[size] && name[size] != '/')
		return NULL;
	return name + size + strspn(name + size, "/");
}

/* Opens regular files of a reasonable size only; @fd_ret is -1 for others. */
static struct wt_error *open_mapped(const struct wt_source_map *map, const char *name, int *fd_ret)
{
	wt_cleanup_free char *path = NULL;
	struct stat status;

	*fd_ret = -1;
	if (asprintf(&path, "%s/%s", map->to, name) < 0) {
		path = NULL;
		return &wt_error_no_memory;
	}
	*fd_ret = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (*fd_ret < 0)
		return NULL;
	if (fstat(*fd_ret, &status) || !S_ISREG(status.st_mode) || status.st_size > FILE_LIMIT) {
		close(*fd_ret);
		*fd_ret = -1;
	}
	return NULL;
}

static struct wt_error *keep_line(const char *line, struct wt_lines *lines)
{
	size_t length = strcspn(line, "\r\n");

	lines->text[lines->count] = strndup(line, length < LINE_LIMIT ? length : LINE_LIMIT);
	return lines->text[lines->count++] ? NULL : &wt_error_no_memory;
}

static struct wt_error *read_lines(FILE *file, uint32_t line, struct wt_lines *lines)
{
	wt_cleanup_free char *text = NULL;
	struct wt_error *error = NULL;
	size_t capacity = 0;

	lines->first = line > WT_LINES_AROUND ? line - WT_LINES_AROUND : 1;
	for (uint32_t number = 1; !error && number <= line + WT_LINES_AROUND; number++) {
		if (getline(&text, &capacity, file) < 0)
			break;
		if (number >= lines->first)
			error = keep_line(text, lines);
	}
	/* A file that ends before the line is another one. */
	if (lines->count && lines->first + lines->count <= line)
		wt_lines_deinit(lines);
	return error;
}

/* The stream is NULL if the map has no such file. */
static struct wt_error *open_stream(const struct wt_source_map *map, const char *file,
				    FILE **stream_ret)
{
	const char *name = behind(map, file);
	struct wt_error *error;
	int fd;

	*stream_ret = NULL;
	if (!name || goes_up(name))
		return NULL;
	error = open_mapped(map, name, &fd);
	if (error || fd < 0)
		return error;
	*stream_ret = fdopen(fd, "r");
	if (!*stream_ret)
		close(fd);
	return NULL;
}

char *wt_source_maps_path(const struct wt_source_maps *maps, const char *file)
{
	for (size_t i = 0; i < maps->count; i++) {
		const char *name = behind(&maps->list[i], file);
		char *path;

		if (!name || goes_up(name))
			continue;
		path = wt_text("%s/%s", maps->list[i].to, name);
		if (path && !access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}

/* The recorded text of a file; NULL if none was recorded. */
static FILE *open_recorded(const struct wt_view *view, const char *file)
{
	const uint8_t *data;
	size_t size;

	if (!view || !file || !wt_view_source(view, file, &data, &size) || !size)
		return NULL;
	return fmemopen((void *)(uintptr_t)data, size, "r");
}

struct wt_error *wt_lines_read(const struct wt_view *view, const struct wt_source_maps *maps,
			       const char *file, uint32_t line, struct wt_lines *lines_ret)
{
	wt_cleanup_fclose FILE *recorded = open_recorded(view, file);
	struct wt_lines lines = {.count = 0};
	struct wt_error *error = NULL;

	if (recorded && line)
		error = read_lines(recorded, line, &lines);
	for (size_t i = 0; file && line && i < maps->count && !error && !lines.count; i++) {
		wt_cleanup_fclose FILE *stream = NULL;

		error = open_stream(&maps->list[i], file, &stream);
		if (stream)
			error = read_lines(stream, line, &lines);
	}
	if (error) {
		wt_lines_deinit(&lines);
		return error;
	}
	*lines_ret = lines;
	return NULL;
}

static bool find_starts(struct wt_source_text *text, size_t size)
{
	size_t count = 1;

	for (size_t i = 0; i < size; i++)
		count += text->data[i] == '\n';
	text->starts = calloc(count, sizeof(*text->starts));
	if (!text->starts)
		return false;
	for (size_t i = 0, start = 0; i <= size; i++) {
		if (i < size && text->data[i] != '\n')
			continue;
		/* An empty rest behind the last line end is no line. */
		if (i < size || i > start)
			text->starts[text->count++] = start;
		text->data[i] = '\0';
		if (i > start && text->data[i - 1] == '\r')
			text->data[i - 1] = '\0';
		start = i + 1;
	}
	return true;
}

static struct wt_error *read_text(FILE *stream, struct wt_source_text *text)
{
	size_t size;

	text->data = malloc(FILE_LIMIT + 1);
	if (!text->data)
		return &wt_error_no_memory;
	size = fread(text->data, 1, FILE_LIMIT, stream);
	return find_starts(text, size) ? NULL : &wt_error_no_memory;
}

struct wt_error *wt_source_text_read(const struct wt_view *view, const struct wt_source_maps *maps,
				     const char *file, struct wt_source_text *text_ret)
{
	wt_cleanup_fclose FILE *recorded = open_recorded(view, file);
	struct wt_source_text text = {.count = 0};
	struct wt_error *error = NULL;

	if (recorded)
		error = read_text(recorded, &text);
	for (size_t i = 0; file && i < maps->count && !error && !text.data; i++) {
		wt_cleanup_fclose FILE *stream = NULL;

		error = open_stream(&maps->list[i], file, &stream);
		if (stream)
			error = read_text(stream, &text);
	}
	if (error) {
		wt_source_text_deinit(&text);
		return error;
	}
	*text_ret = text;
	return NULL;
}

void wt_source_text_deinit(struct wt_source_text *text)
{
	free(text->data);
	free(text->starts);
	*text = (struct wt_source_text){.count = 0};
}

struct wt_error *wt_source_read(const struct wt_source_maps *maps, const char *file, size_t limit,
				struct wt_buffer *text_ret)
{
	wt_cleanup_fclose FILE *stream = NULL;
	struct wt_error *error = NULL;
	uint8_t *data;

	for (size_t i = 0; i < maps->count && !error && !stream; i++)
		error = open_stream(&maps->list[i], file, &stream);
	if (error || !stream)
		return error;
	data = wt_buffer_extend(text_ret, limit + 1);
	if (!data)
		return &wt_error_no_memory;
	/* One that is too large is none. */
	text_ret->size = fread(data, 1, limit + 1, stream);
	if (text_ret->size > limit)
		text_ret->size = 0;
	return NULL;
}

void wt_lines_deinit(struct wt_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->text[i]);
	lines->count = 0;
}
