/* SPDX-License-Identifier: MIT */
#include "recorder/agent/core-file.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "device/save-area/note.h"

#define MAX_SEGMENTS (1u << 22)
#define SPOOL_BYTES (1u << 20)
#define HOLE_BYTES 4096u
#define NOTE_HEAD 12u

/* A run of memory that the file holds. */
struct segment {
	uint64_t address, offset, size; /* size: bytes that are in the file */
};

struct wt_core_file {
	const char *path;
	int fd;
	struct segment *segments; /* in order of addresses */
	size_t count;
	void *note;
	size_t note_size;
	struct wt_core_file_facts facts;
	struct wt_core_file *host; /* whose memory is where this file has none; NULL: nobody's */
};

static const char what[] = "cannot read the core file";
static const char keeping[] = "cannot keep what comes through the pipe";

static struct wt_error *core_file_error(const struct wt_core_file *file, const char *why)
{
	return wt_error_create(WT_ERROR_INPUT, what, file->path, "%s", why);
}

/* ---- A pipe ---- */

static bool bytes_are_zero(const uint8_t *data, size_t size)
{
	return !data[0] && !memcmp(data, data + 1, size - 1);
}

/* Zeros stay holes: memory has many. */
static struct wt_error *spool_write(int fd, const char *path, const uint8_t *data, size_t size,
				    uint64_t offset)
{
	struct wt_error *error = NULL;

	for (size_t done = 0; done < size && !error;) {
		size_t step = size - done < HOLE_BYTES ? size - done : HOLE_BYTES;

		if (!bytes_are_zero(data + done, step))
			error = wt_file_write_at(fd, offset + done, data + done, step, keeping,
						 path);
		done += step;
	}
	return error;
}

static struct wt_error *spool_open(const char *directory, int *fd_ret)
{
	wt_cleanup_free char *name = NULL;
	int fd;

	if (asprintf(&name, "%s/wavetape-core-XXXXXX", directory) < 0) {
		name = NULL;
		return &wt_error_no_memory;
	}
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return wt_error_errno(errno, keeping, directory);
	unlink(name);
	*fd_ret = fd;
	return NULL;
}

static struct wt_error *pipe_spool(const char *path, int from, int to,
				   wt_core_file_progress progress, void *opaque)
{
	wt_cleanup_free uint8_t *data = malloc(SPOOL_BYTES);
	struct wt_error *error;
	uint64_t offset = 0;
	ssize_t got;

	if (!data)
		return &wt_error_no_memory;
	while ((got = read(from, data, SPOOL_BYTES))) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return wt_error_errno(errno, what, path);
		error = spool_write(to, path, data, (size_t)got, offset);
		if (error)
			return error;
		offset += (uint64_t)got;
		if (progress)
			progress(opaque, offset);
	}
	return ftruncate(to, (off_t)offset) ? wt_error_errno(errno, what, path) : NULL;
}

/* The file itself, or what came through the pipe. */
static struct wt_error *core_file_open_bytes(struct wt_core_file *file, const char *temporary,
					     wt_core_file_progress progress, void *opaque)
{
	int fd = strcmp(file->path, "-") ? open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
					 : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	struct wt_error *error;
	struct stat status;
	int spooled = -1;

	if (fd < 0)
		return wt_error_errno(errno, what, file->path);
	file->fd = fd;
	if (fstat(fd, &status))
		return wt_error_errno(errno, what, file->path);
	if (S_ISDIR(status.st_mode))
		return wt_error_errno(EISDIR, what, file->path);
	if (!S_ISREG(status.st_mode)) {
		error = spool_open(temporary, &spooled);
		if (error)
			return error;
		file->fd = spooled;
		error = pipe_spool(file->path, fd, spooled, progress, opaque);
		close(fd);
		if (error)
			return error;
		if (fstat(spooled, &status))
			return wt_error_errno(errno, what, file->path);
	}
	file->facts.size = (uint64_t)status.st_size;
	return NULL;
}

/* ---- Program headers ---- */

static struct wt_error *core_file_read_all(const struct wt_core_file *file, uint64_t offset,
					   void *data, size_t size)
{
	ssize_t got = wt_file_read_at(file->fd, offset, data, size);

	if (got < 0)
		return wt_error_errno(errno, what, file->path);
	return (size_t)got == size ? NULL : core_file_error(file, "it is cut off");
}

/* Bytes of a range of the file that are there. */
static uint64_t core_file_present(const struct wt_core_file *file, uint64_t offset, uint64_t size)
{
	uint64_t left = offset < file->facts.size ? file->facts.size - offset : 0;

	return left < size ? left : size;
}

static void core_file_add_segment(struct wt_core_file *file, const GElf_Phdr *header)
{
	struct wt_core_file_facts *facts = &file->facts;
	uint64_t size = header->p_filesz, there;

	/* Nothing is at addresses that do not exist. */
	if (size > UINT64_MAX - header->p_vaddr)
		size = UINT64_MAX - header->p_vaddr;
	if (!size)
		return;
	there = core_file_present(file, header->p_offset, size);
	if (there < size &&
	    (!facts->missing_bytes || header->p_vaddr + there < facts->missing_address))
		facts->missing_address = header->p_vaddr + there;
	facts->segments++;
	facts->memory_bytes += size;
	facts->missing_bytes += size - there;
	if (there)
		file->segments[file->count++] =
			(struct segment){header->p_vaddr, header->p_offset, there};
}

/* One note after the other; false at the end of what is well-formed. */
static bool core_file_next_note(const struct wt_core_file *file, uint64_t *offset, uint64_t end,
				uint32_t words[3])
{
	wt_cleanup_error struct wt_error *error = NULL;
	uint8_t head[NOTE_HEAD] = {0};
	struct wt_cursor cursor = wt_cursor_init(head, sizeof(head));

	if (end - *offset < NOTE_HEAD)
		return false;
	error = core_file_read_all(file, *offset, head, sizeof(head));
	if (error)
		return false;
	for (int i = 0; i < 3; i++)
		wt_cursor_u32(&cursor, &words[i]);
	*offset += NOTE_HEAD;
	return words[0] <= end - *offset;
}

static uint64_t note_padded(uint32_t size)
{
	return ((uint64_t)size + 3) / 4 * 4;
}

static bool note_is_ours(const struct wt_core_file *file, uint64_t offset, const uint32_t words[3])
{
	wt_cleanup_error struct wt_error *error = NULL;
	char name[sizeof(WT_CORE_NOTE_OWNER)] = "";

	/* The NUL may be left out, and was by some. */
	if (words[2] != WT_CORE_NOTE_TYPE || words[0] < sizeof(name) - 1 || words[0] > sizeof(name))
		return false;
	error = core_file_read_all(file, offset, name, sizeof(name) - 1);
	return !error && !strcmp(name, WT_CORE_NOTE_OWNER);
}

static struct wt_error *core_file_take_note(struct wt_core_file *file, uint64_t offset,
					    uint32_t size)
{
	struct wt_error *error;

	if (size > WT_CORE_NOTE_MAX_BYTES)
		return wt_error_create(WT_ERROR_LIMIT, what, file->path,
				       "the note of the GPU is too long: %u bytes", size);
	file->note = malloc(size ? size : 1);
	if (!file->note)
		return &wt_error_no_memory;
	file->note_size = size;
	error = core_file_read_all(file, offset, file->note, size);
	return error;
}

static struct wt_error *core_file_search_notes(struct wt_core_file *file, const GElf_Phdr *header)
{
	uint64_t offset = header->p_offset;
	uint64_t end = offset + core_file_present(file, offset, header->p_filesz);
	uint32_t words[3];

	while (!file->note && core_file_next_note(file, &offset, end, words)) {
		uint64_t content = offset + note_padded(words[0]);

		if (content > end)
			break;
		if (note_is_ours(file, offset, words)) {
			if (words[1] > end - content)
				return core_file_error(file,
						       "it is cut off in the note of the GPU");
			return core_file_take_note(file, content, words[1]);
		}
		if (note_padded(words[1]) > end - content)
			break;
		offset = content + note_padded(words[1]);
	}
	return NULL;
}

static int segment_by_address(const void *a, const void *b)
{
	const struct segment *left = a, *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static struct wt_error *core_file_elf_error(const struct wt_core_file *file)
{
	return wt_error_create(WT_ERROR_INPUT, what, file->path,
			       "its program headers cannot be read: %s", elf_errmsg(-1));
}

static struct wt_error *core_file_read_segments(struct wt_core_file *file, Elf *elf, size_t count)
{
	struct wt_error *error = NULL;
	GElf_Phdr header;

	if (count > MAX_SEGMENTS)
		return wt_error_create(WT_ERROR_LIMIT, what, file->path,
				       "it has more than %u program headers", MAX_SEGMENTS);
	file->segments = calloc(count + 1, sizeof(*file->segments));
	if (!file->segments)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++) {
		if (!gelf_getphdr(elf, (int)i, &header))
			return core_file_elf_error(file);
		if (header.p_type == PT_LOAD)
			core_file_add_segment(file, &header);
		else if (header.p_type == PT_NOTE)
			error = core_file_search_notes(file, &header);
	}
	qsort(file->segments, file->count, sizeof(*file->segments), segment_by_address);
	return error;
}

static struct wt_error *core_file_read_elf(struct wt_core_file *file, Elf *elf)
{
	GElf_Ehdr header;
	size_t count;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return core_file_error(file, "it is no ELF file");
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
		return core_file_error(file,
				       "it is not of 64 bits and little endian, as GPUs' are");
	if (header.e_type != ET_CORE)
		return core_file_error(file, "it is an ELF file, but no core file");
	if (elf_getphdrnum(elf, &count))
		return core_file_elf_error(file);
	file->facts.of_process = header.e_machine != EM_AMDGPU;
	return core_file_read_segments(file, elf, count);
}

static struct wt_error *core_file_read_headers(struct wt_core_file *file)
{
	struct wt_error *error;
	Elf *elf;

	if (!file->facts.size)
		return core_file_error(file, "it is empty");
	if (elf_version(EV_CURRENT) == EV_NONE)
		return core_file_elf_error(file);
	/* Not mapped: the file may be cut while we read, and be larger than the address space. */
	elf = elf_begin(file->fd, ELF_C_READ, NULL);
	error = elf ? core_file_read_elf(file, elf) : core_file_error(file, "it is no ELF file");
	elf_end(elf);
	return error;
}

static struct wt_error *core_file_check_note(const struct wt_core_file *file)
{
	if (file->note)
		return NULL;
	return core_file_error(file,
			       file->facts.missing_bytes
				       ? "it is cut off, and what is there has no note of a GPU"
				       : "it has no note of a GPU (owner AMDGPU, type 33): "
					 "no GPU was in use, or its dump was not merged in");
}

static struct wt_error *core_file_open(const char *path, const char *temporary,
				       wt_core_file_progress progress, void *opaque,
				       struct wt_core_file **file_ret)
{
	struct wt_core_file *file = calloc(1, sizeof(*file));
	struct wt_error *error;

	if (!file)
		return &wt_error_no_memory;
	file->path = path;
	file->fd = -1;
	error = core_file_open_bytes(file, temporary, progress, opaque);
	if (!error)
		error = core_file_read_headers(file);
	if (error)
		wt_core_file_close(file);
	else
		*file_ret = file;
	return error;
}

/* Both files are of one process: memory that the GPUs' file does not have is in the other. */
static struct wt_error *core_file_add_host(struct wt_core_file *file, const char *path,
					   const char *temporary, wt_core_file_progress progress,
					   void *opaque)
{
	struct wt_core_file_facts *facts = &file->facts;
	struct wt_error *error = core_file_open(path, temporary, progress, opaque, &file->host);

	if (error)
		return error;
	if (file->host->note)
		return core_file_error(file->host,
				       "it has the state of GPUs itself: it is read alone");
	if (!facts->missing_bytes)
		facts->missing_address = file->host->facts.missing_address;
	facts->missing_bytes += file->host->facts.missing_bytes;
	facts->memory_bytes += file->host->facts.memory_bytes;
	facts->segments += file->host->facts.segments;
	return NULL;
}

struct wt_error *wt_core_file_open(const char *path, const char *host, const char *temporary,
				   wt_core_file_progress progress, void *opaque,
				   struct wt_core_file **file_ret)
{
	struct wt_core_file *file;
	struct wt_error *error = core_file_open(path, temporary, progress, opaque, &file);

	if (error)
		return error;
	error = core_file_check_note(file);
	if (!error && host)
		error = core_file_add_host(file, host, temporary, progress, opaque);
	if (error)
		wt_core_file_close(file);
	else
		*file_ret = file;
	return error;
}

void wt_core_file_close(struct wt_core_file *file)
{
	if (!file)
		return;
	wt_core_file_close(file->host);
	if (file->fd >= 0)
		close(file->fd);
	free(file->segments);
	free(file->note);
	free(file);
}

const void *wt_core_file_note(const struct wt_core_file *file, size_t *size_ret)
{
	*size_ret = file->note_size;
	return file->note;
}

const struct wt_core_file_facts *wt_core_file_facts(const struct wt_core_file *file)
{
	return &file->facts;
}

bool wt_core_file_piece(const struct wt_core_file *file, size_t index, uint64_t *address_ret,
			uint64_t *size_ret)
{
	if (index >= file->count)
		return false;
	*address_ret = file->segments[index].address;
	*size_ret = file->segments[index].size;
	return true;
}

/* How many segments begin at or before an address. */
static size_t segments_until(const struct wt_core_file *file, uint64_t address)
{
	size_t low = 0, high = file->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->segments[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last segment that begins at or before an address, if the address is in it. */
static const struct segment *segment_find(const struct wt_core_file *file, uint64_t address)
{
	size_t low = segments_until(file, address);

	if (!low || address - file->segments[low - 1].address >= file->segments[low - 1].size)
		return NULL;
	return &file->segments[low - 1];
}

/* Which of the two files has memory at an address: the GPU's, as it is newer there. */
static const struct wt_core_file *core_file_at(const struct wt_core_file *file, uint64_t address,
					       const struct segment **segment_ret)
{
	*segment_ret = segment_find(file, address);
	if (*segment_ret || !file->host)
		return file;
	*segment_ret = segment_find(file->host, address);
	return file->host;
}

/* How many bytes of a file's segment hold: where the GPU's begin, the host's end. */
static size_t core_file_step(const struct wt_core_file *file, const struct wt_core_file *of,
			     const struct segment *segment, uint64_t address, size_t size)
{
	uint64_t left = segment->size - (address - segment->address);
	size_t next = of == file ? file->count : segments_until(file, address);

	if (next < file->count && file->segments[next].address - address < left)
		left = file->segments[next].address - address;
	return size < left ? size : (size_t)left;
}

size_t wt_core_file_read(struct wt_core_file *file, uint64_t address, void *data, size_t size)
{
	const struct segment *segment;
	const struct wt_core_file *of;
	size_t done = 0;

	while (done < size) {
		uint64_t at = address + done;
		size_t step;
		ssize_t got;

		of = core_file_at(file, at, &segment);
		if (!segment)
			break;
		step = core_file_step(file, of, segment, at, size - done);
		got = wt_file_read_at(of->fd, segment->offset + (at - segment->address),
				      (uint8_t *)data + done, step);
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}
