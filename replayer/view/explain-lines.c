/* SPDX-License-Identifier: MIT */
#include "replayer/view/explain-lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define FILE_LIMIT (16L << 20)
#define LINE_LIMIT 400 /* bytes that are kept of a line */

bool wt_source_maps_add(struct wt_source_maps *maps, const char *text)
{
	const char *equal = strchr(text, '=');

	if (!equal || !equal[1] || maps->count == WT_SOURCE_MAPS)
		return false;
	maps->list[maps->count++] = (struct wt_source_map){text, (size_t)(equal - text), equal + 1};
	return true;
}

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

/* What is behind FROM in a name: whole parts of it; NULL if FROM is not its beginning. */
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

/* Of regular files of a reasonable size only; @fd_ret is -1 for others. */
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

static struct wt_error *read_lines(FILE *file, int line, struct wt_lines *lines)
{
	wt_cleanup_free char *text = NULL;
	struct wt_error *error = NULL;
	size_t capacity = 0;

	lines->first = line > WT_LINES_AROUND ? line - WT_LINES_AROUND : 1;
	for (int number = 1; !error && number <= line + WT_LINES_AROUND; number++) {
		if (getline(&text, &capacity, file) < 0)
			break;
		if (number >= lines->first)
			error = keep_line(text, lines);
	}
	/* A file that ends before the line is another one. */
	if (lines->count && lines->first + (int)lines->count <= line)
		wt_lines_deinit(lines);
	return error;
}

struct wt_error *wt_lines_read(const struct wt_source_maps *maps, const char *file, int line,
			       struct wt_lines *lines_ret)
{
	struct wt_lines lines = {.count = 0};
	struct wt_error *error = NULL;

	for (size_t i = 0; file && line > 0 && i < maps->count && !error && !lines.count; i++) {
		const char *name = behind(&maps->list[i], file);
		wt_cleanup_fclose FILE *stream = NULL;
		int fd;

		if (!name || goes_up(name))
			continue;
		error = open_mapped(&maps->list[i], name, &fd);
		if (error || fd < 0)
			continue;
		stream = fdopen(fd, "r");
		if (!stream)
			close(fd);
		else
			error = read_lines(stream, line, &lines);
	}
	if (error) {
		wt_lines_deinit(&lines);
		return error;
	}
	*lines_ret = lines;
	return NULL;
}

void wt_lines_deinit(struct wt_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->text[i]);
	lines->count = 0;
}
