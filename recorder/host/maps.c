/* SPDX-License-Identifier: MIT */
/* Gathers the files that are mapped in the recorded program, and which build of each file it is. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <libelf.h>

#include "base/cleanup.h"
#include "recorder/host/gathering.h"
#include "recorder/host/reserved.h"

#define MAPS_LIMIT ((size_t)4 << 20)

/* One line of the maps file. */
struct line {
	uint64_t start, end, offset, inode;
	unsigned int major, minor;
	char access[8];
	const char *path;
	size_t path_size;
};

static bool line_parse(const char *text, struct line *line)
{
	unsigned long long start, end, offset, inode;
	int used = 0;

	if (sscanf(text, "%llx-%llx %7s %llx %x:%x %llu%n", &start, &end, line->access, &offset,
		   &line->major, &line->minor, &inode, &used) < 7)
		return false;
	line->start = start;
	line->end = end;
	line->offset = offset;
	line->inode = inode;
	/* A line without a name ends here. */
	line->path = text + used + strspn(text + used, " ");
	line->path_size = strcspn(line->path, "\n");
	return true;
}

/*
 * The file as the program sees it, which may be in a container. Only if it is still the one that is mapped:
 * another of the same name may be there by now.
 */
static int line_open_mapped(uint64_t process, const struct line *line)
{
	char path[WT_HOST_TEXT + 64];
	struct stat status;
	int fd;

	snprintf(path, sizeof(path), "/proc/%llu/root%.*s", (unsigned long long)process,
		 (int)line->path_size, line->path);
	if (lstat(path, &status) || (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_ino == line->inode)
		return fd;
	close(fd);
	return -1;
}

static void take_build_id(uint64_t process, const struct line *line, struct wt_host_map *map)
{
	wt_cleanup_close int fd = line_open_mapped(process, line);
	const void *bits;
	ssize_t size;
	Elf *elf;

	if (fd < 0)
		return;
	/* Not mapped: whoever cuts the file meanwhile must not harm the program. */
	elf = elf_begin(fd, ELF_C_READ, NULL);
	size = elf ? dwelf_elf_gnu_build_id(elf, &bits) : -1;
	if (size > 0) {
		map->build_id_size =
			(size_t)size < sizeof(map->build_id) ? (size_t)size : sizeof(map->build_id);
		memcpy(map->build_id, bits, map->build_id_size);
	}
	elf_end(elf);
}

static void gathering_add_line(struct wt_gathering *gathering, const struct line *line)
{
	const struct wt_host *host = gathering->host;
	const struct wt_host_map *before =
		host->maps_count ? &host->maps[host->maps_count - 1] : NULL;
	size_t previous = host->maps_count - 1;
	bool same = before && before->path && line->path_size &&
		    strlen(before->path) == line->path_size &&
		    !memcmp(before->path, line->path, line->path_size);
	struct wt_host_map *map = WT_HOST_ADD(gathering->host, maps);

	gathering->no_memory |= !map;
	if (!map)
		return;
	map->start = line->start;
	map->end = line->end;
	map->offset = line->offset;
	memcpy(map->access, line->access, sizeof(map->access));
	map->path = wt_gathering_text(gathering, line->path, line->path_size);
	/* The parts of a file stand side by side. */
	if (same) {
		map->build_id_size = host->maps[previous].build_id_size;
		memcpy(map->build_id, host->maps[previous].build_id, sizeof(map->build_id));
	} else if (line->path_size && line->path[0] == '/' && !wt_gathering_is_over(gathering)) {
		take_build_id(gathering->process, line, map);
	}
}

void wt_gather_maps(struct wt_gathering *gathering)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	const char *at;

	if (!wt_gathering_read(gathering, "maps", MAPS_LIMIT, &text)) {
		wt_gathering_missing(gathering, "maps: %s", strerror(errno));
		return;
	}
	elf_version(EV_CURRENT);
	for (at = (const char *)text.data; *at;) {
		struct line line = {0};

		if (gathering->host->maps_count == WT_HOST_MAPS) {
			wt_gathering_missing(gathering, "maps after the first %u", WT_HOST_MAPS);
			return;
		}
		if (line_parse(at, &line))
			gathering_add_line(gathering, &line);
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
}

/* ---- What is reserved alone ---- */

static bool line_is_reserved(const struct line *line)
{
	return !strncmp(line->access, "---p", 4) && !line->path_size && !line->inode;
}

static void reserved_add(struct wt_reserved *reserved, const struct line *line)
{
	struct wt_reserved_range *ranges;

	/* Room is made for a power of two. */
	if (!(reserved->count & (reserved->count - 1))) {
		ranges = reallocarray(reserved->ranges, reserved->count ? reserved->count * 2 : 1,
				      sizeof(*ranges));
		if (!ranges)
			return;
		reserved->ranges = ranges;
	}
	reserved->ranges[reserved->count++] =
		(struct wt_reserved_range){.start = line->start, .end = line->end};
}

void wt_reserved_read(uint64_t process, struct wt_reserved *reserved_ret)
{
	const struct wt_gathering gathering = {.process = process};
	wt_cleanup_buffer struct wt_buffer text = {0};
	const char *at;

	*reserved_ret = (struct wt_reserved){.count = 0};
	if (!wt_gathering_read(&gathering, "maps", MAPS_LIMIT, &text))
		return;
	for (at = (const char *)text.data; *at;) {
		struct line line = {0};

		if (line_parse(at, &line) && line_is_reserved(&line))
			reserved_add(reserved_ret, &line);
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
}

void wt_reserved_deinit(struct wt_reserved *reserved)
{
	free(reserved->ranges);
	*reserved = (struct wt_reserved){.count = 0};
}

bool wt_reserved_has(const struct wt_reserved *reserved, uint64_t address)
{
	size_t from = 0, to = reserved->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (address < reserved->ranges[middle].start)
			to = middle;
		else if (address >= reserved->ranges[middle].end)
			from = middle + 1;
		else
			return true;
	}
	return false;
}
