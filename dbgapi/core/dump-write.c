/* SPDX-License-Identifier: MIT */
#include "dbgapi/core/dump-write.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "device/save-area/note.h"

#define PAGE 4096u
#define COPY_BYTES (1u << 20)

#ifndef EM_AMDGPU
#define EM_AMDGPU 224
#endif

static const char what[] = "cannot write the core file";

static struct wt_error *core_elf_error(const char *path)
{
	return wt_error_create(WT_ERROR_IO, what, path, "%s", elf_errmsg(-1));
}

/* A note of the form of every ELF note: its name and its bytes, each filled up to a word. */
static void core_build_note(const struct wt_buffer *state, struct wt_buffer *note)
{
	static const uint8_t zeros[4];
	size_t name = sizeof(WT_CORE_NOTE_OWNER);

	wt_buffer_append_u32(note, (uint32_t)name);
	wt_buffer_append_u32(note, (uint32_t)state->size);
	wt_buffer_append_u32(note, WT_CORE_NOTE_TYPE);
	wt_buffer_append(note, WT_CORE_NOTE_OWNER, name);
	wt_buffer_append(note, zeros, -name % 4);
	wt_buffer_append(note, state->data, state->size);
	wt_buffer_append(note, zeros, -state->size % 4);
}

static struct wt_error *copy_memory(int fd, const char *path,
				    const struct wt_core_file_memory *memory,
				    const GElf_Phdr *segment)
{
	wt_cleanup_free uint8_t *data = malloc(COPY_BYTES);
	struct wt_error *error = NULL;

	if (!data)
		return &wt_error_no_memory;
	for (uint64_t done = 0; done < segment->p_filesz && !error;) {
		uint64_t left = segment->p_filesz - done;
		size_t step = left < COPY_BYTES ? (size_t)left : COPY_BYTES;

		if (memory->read(memory->opaque, segment->p_vaddr + done, data, step) != step)
			return wt_error_create(WT_ERROR_INTERNAL, what, path,
					       "a range does not give its bytes");
		error = wt_file_write_at(fd, segment->p_offset + done, data, step, what, path);
		done += step;
	}
	return error;
}

static size_t count_ranges(const struct wt_core_file_memory *memory)
{
	uint64_t address, size;
	size_t count = 0;

	while (memory->range(memory->opaque, count, &address, &size))
		count++;
	return count;
}

static uint64_t round_up(uint64_t offset)
{
	return (offset + PAGE - 1) / PAGE * PAGE;
}

/* The note first, then the ranges, each at a page of the file as in memory. */
static void place_segments(const struct wt_core_file_memory *memory, size_t count, size_t note_size,
			   GElf_Phdr *segments)
{
	uint64_t offset = sizeof(Elf64_Ehdr) + (count + 1) * sizeof(Elf64_Phdr);
	segments[0] = (GElf_Phdr){
		.p_type = PT_NOTE, .p_offset = offset, .p_filesz = note_size, .p_align = 4};
	offset += note_size;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr *segment = &segments[i + 1];

		*segment = (GElf_Phdr){.p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_align = PAGE};
		memory->range(memory->opaque, i, &segment->p_vaddr, &segment->p_memsz);
		segment->p_filesz = segment->p_memsz;
		segment->p_offset = round_up(offset) + segment->p_vaddr % PAGE;
		offset = segment->p_offset + segment->p_filesz;
	}
}

static struct wt_error *write_headers(int fd, const char *path, const GElf_Phdr *segments,
				      size_t count)
{
	struct wt_error *error = NULL;
	GElf_Ehdr header = {0};
	Elf *elf;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return core_elf_error(path);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	if (!elf || !gelf_newehdr(elf, ELFCLASS64) || !gelf_newphdr(elf, count) ||
	    !gelf_getehdr(elf, &header))
		error = core_elf_error(path);
	elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	header.e_ident[EI_OSABI] = ELFOSABI_NONE;
	header.e_type = ET_CORE;
	header.e_machine = EM_AMDGPU;
	header.e_version = EV_CURRENT;
	header.e_phoff = sizeof(Elf64_Ehdr);
	if (!error && !gelf_update_ehdr(elf, &header))
		error = core_elf_error(path);
	for (size_t i = 0; i < count && !error; i++) {
		GElf_Phdr segment = segments[i];

		if (!gelf_update_phdr(elf, (int)i, &segment))
			error = core_elf_error(path);
	}
	if (!error && elf_update(elf, ELF_C_WRITE) < 0)
		error = core_elf_error(path);
	elf_end(elf);
	return error;
}

struct wt_error *wt_core_file_put(int fd, const char *path, const struct wt_buffer *state,
				  const struct wt_core_file_memory *memory)
{
	size_t count = count_ranges(memory);
	wt_cleanup_buffer struct wt_buffer note = {0};
	wt_cleanup_free GElf_Phdr *segments = NULL;
	struct wt_error *error;

	if (count + 1 >= PN_XNUM)
		return wt_error_create(WT_ERROR_LIMIT, what, path,
				       "its memory is in %zu parts; an ELF file has at most %u",
				       count, PN_XNUM - 2u);
	segments = calloc(count + 1, sizeof(*segments));
	core_build_note(state, &note);
	if (!segments || note.failed)
		return &wt_error_no_memory;
	place_segments(memory, count, note.size, segments);
	error = write_headers(fd, path, segments, count + 1);
	if (!error)
		error = wt_file_write_at(fd, segments[0].p_offset, note.data, note.size, what,
					 path);
	for (size_t i = 0; i < count && !error; i++)
		error = copy_memory(fd, path, memory, &segments[i + 1]);
	return error;
}

static bool device_range(void *opaque, size_t index, uint64_t *address_ret, uint64_t *size_ret)
{
	const struct wt_device *device = opaque;

	return device->operations->memory_range(device, index, address_ret, size_ret);
}

static size_t device_read(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_device *device = opaque;

	return device->operations->read_memory(device, address, data, size);
}

struct wt_error *wt_core_file_write(const char *path, struct wt_device *device, uint64_t os_id)
{
	const struct wt_core_file_memory memory = {device, device_range, device_read};
	wt_cleanup_buffer struct wt_buffer state = {0};
	wt_cleanup_close int fd = -1;
	struct wt_error *error;

	if (!device->operations->save || !device->operations->memory_range)
		return wt_error_create(WT_ERROR_UNSUPPORTED, what, path,
				       "the device cannot save its waves");
	error = device->operations->save(device, os_id, &state);
	if (error)
		return error;
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return wt_error_errno(errno, what, path);
	return wt_core_file_put(fd, path, &state, &memory);
}
