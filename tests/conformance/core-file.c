/* SPDX-License-Identifier: MIT */
#include "core-file.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite.h"

#define WHAT "cannot open the core"
#define NOTE_NAME "AMDGPU"

static Elf *elf;
static int file = -1;
static uint8_t *image;
static size_t image_size, segment_count;
static const uint8_t *note;
static size_t note_size;

/* The AMDGPU note of a segment, if it has one. */
static void look_for_note(const GElf_Phdr *segment)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset, segment->p_filesz,
					      ELF_T_NHDR);
	size_t offset = 0, name, content;
	GElf_Nhdr header;

	while (data && (offset = gelf_getnote(data, offset, &header, &name, &content))) {
		const uint8_t *bytes = data->d_buf;

		if (header.n_namesz == sizeof(NOTE_NAME) &&
		    !memcmp(bytes + name, NOTE_NAME, sizeof(NOTE_NAME))) {
			note = bytes + content;
			note_size = header.n_descsz;
		}
	}
}

struct wt_error *core_file_open(const char *path)
{
	GElf_Phdr segment;

	elf_version(EV_CURRENT);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file >= 0)
		elf = elf_begin(file, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (elf)
		image = (uint8_t *)elf_rawfile(elf, &image_size);
	if (!image || elf_getphdrnum(elf, &segment_count))
		return wt_error_create(WT_ERROR_INPUT, WHAT, path, "it cannot be read as ELF");
	for (size_t i = 0; i < segment_count; i++)
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_NOTE)
			look_for_note(&segment);
	return note ? NULL : wt_error_create(WT_ERROR_INPUT, WHAT, path, "it has no note of a GPU");
}

void core_file_close(void)
{
	elf_end(elf);
	if (file >= 0)
		close(file);
}

amd_dbgapi_status_t core_file_state(size_t size, void *value)
{
	amd_dbgapi_core_state_data_t state = {.size = note_size,
					      .endianness = AMD_DBGAPI_ENDIAN_LITTLE};
	void *copy = malloc(note_size);

	if (size != sizeof(state) || !copy) {
		free(copy);
		return ERROR(INVALID_ARGUMENT_COMPATIBILITY);
	}
	memcpy(copy, note, note_size);
	state.data = copy;
	memcpy(value, &state, sizeof(state));
	return SUCCESS;
}

const void *core_file_note(size_t *size_ret)
{
	*size_ret = note_size;
	return note;
}

/* The bytes from an address on, and no more of them than there are; NULL if there is none. */
static uint8_t *find(amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size)
{
	GElf_Phdr segment;

	for (size_t i = 0; i < segment_count; i++) {
		uint64_t offset, left;

		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD)
			continue;
		offset = address - segment.p_vaddr;
		if (address < segment.p_vaddr || offset >= segment.p_filesz ||
		    segment.p_offset > image_size ||
		    segment.p_filesz > image_size - segment.p_offset)
			continue;
		left = segment.p_filesz - offset;
		*size = *size < left ? *size : left;
		return image + segment.p_offset + offset;
	}
	*size = 0;
	return NULL;
}

amd_dbgapi_status_t core_file_read(amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				   void *data)
{
	const uint8_t *bytes = find(address, size);

	if (!bytes)
		return ERROR(MEMORY_ACCESS);
	memcpy(data, bytes, *size);
	return SUCCESS;
}

amd_dbgapi_status_t core_file_write(amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				    const void *data)
{
	uint8_t *bytes = find(address, size);

	if (!bytes)
		return ERROR(MEMORY_ACCESS);
	memcpy(bytes, data, *size);
	return SUCCESS;
}
