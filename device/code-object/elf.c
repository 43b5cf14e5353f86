/* SPDX-License-Identifier: MIT */
#include "device/code-object/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/newer-names.h"
#include "base/text.h"

#define WHAT "cannot load the code object"

/* The OSABI of the AMDGPU ABI; elf.h of this age has the machine only. */
#define OSABI_AMDGPU_HSA 64
#define NOTE_AMDGPU_METADATA 32
#define SYMBOL_SIZE 24

__attribute__((format(printf, 1, 2), returns_nonnull)) static struct wt_error *
elf_refuse(const char *format, ...)
{
	struct wt_error *error;
	va_list arguments;
	char *why;

	va_start(arguments, format);
	why = wt_text_list(format, arguments);
	va_end(arguments);
	if (!why)
		return &wt_error_no_memory;
	error = wt_error_create(WT_ERROR_INPUT, WHAT, NULL, "%s", why);
	free(why);
	return error;
}

static struct wt_error *check_header(const GElf_Ehdr *header)
{
	const unsigned char *ident = header->e_ident;

	if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB)
		return elf_refuse(
			"this ELF file is not 64-bit little endian, as AMD GPU code objects are");
	if (header->e_machine != EM_AMDGPU)
		return elf_refuse(
			"this ELF file is for machine %u, not for AMD GPUs (%u); compile with "
			"-target amdgcn-amd-amdhsa",
			header->e_machine, EM_AMDGPU);
	if (ident[EI_OSABI] != OSABI_AMDGPU_HSA)
		return elf_refuse("its OS ABI is %u, not AMDGPU HSA (%u); compile with -target "
				  "amdgcn-amd-amdhsa",
				  ident[EI_OSABI], OSABI_AMDGPU_HSA);
	if (ident[EI_ABIVERSION] < 1)
		return elf_refuse(
			"it is a code object of version 2; version 3 (ABI version 1) is the "
			"oldest that can be loaded");
	if (header->e_type != ET_DYN)
		return elf_refuse(
			"it is no shared object (ELF type %u): link it with ld.lld -shared",
			header->e_type);
	if (header->e_phentsize != sizeof(Elf64_Phdr))
		return elf_refuse("its program headers have %u bytes each, not %zu",
				  header->e_phentsize, sizeof(Elf64_Phdr));
	return NULL;
}

static struct wt_error *elf_read_segments(struct wt_elf *elf)
{
	size_t count;

	if (elf_getphdrnum(elf->elf, &count))
		return elf_refuse("its program headers cannot be read: %s", elf_errmsg(-1));
	if (count == 0 || count > WT_ELF_MAX_SEGMENTS)
		return elf_refuse("it has %zu program headers; 1 to %d are accepted", count,
				  WT_ELF_MAX_SEGMENTS);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr *segment = &elf->segments[i];

		if (!gelf_getphdr(elf->elf, (int)i, segment))
			return elf_refuse("program header %zu cannot be read: %s", i,
					  elf_errmsg(-1));
		if (segment->p_type == PT_LOAD && segment->p_align & (segment->p_align - 1))
			return elf_refuse(
				"program header %zu: its alignment, %llu, is no power of two", i,
				(unsigned long long)segment->p_align);
		if (segment->p_type == PT_NULL || segment->p_filesz == 0)
			continue;
		if (segment->p_offset > elf->size ||
		    segment->p_filesz > elf->size - segment->p_offset)
			return elf_refuse(
				"program header %zu: %llu bytes at offset %llu are not in the "
				"file of %zu bytes; it may be truncated",
				i, (unsigned long long)segment->p_filesz,
				(unsigned long long)segment->p_offset, elf->size);
	}
	elf->segment_count = count;
	return NULL;
}

struct wt_error *wt_elf_open(const uint8_t *image, size_t size, struct wt_elf *elf_ret)
{
	struct wt_elf elf = {.image = image, .size = size};
	struct wt_error *error = NULL;
	GElf_Ehdr header;

	elf_version(EV_CURRENT);
	/* libelf does not write to what it was given for reading; its type only does not say so. */
	elf.elf = elf_memory((char *)(uintptr_t)image, size);
	if (!elf.elf || elf_kind(elf.elf) != ELF_K_ELF || !gelf_getehdr(elf.elf, &header))
		error = elf_refuse("this is not an ELF file");
	if (!error)
		error = check_header(&header);
	if (!error)
		error = elf_read_segments(&elf);
	if (error) {
		wt_elf_close(&elf);
		return error;
	}
	elf.machine = header.e_flags & 0xff;
	*elf_ret = elf;
	return NULL;
}

void wt_elf_close(struct wt_elf *elf)
{
	elf_end(elf->elf);
	elf->elf = NULL;
}

/* The next metadata among the notes of one segment, from *@offset on. */
static bool find_note(const struct wt_elf *elf, const GElf_Phdr *segment, size_t *offset,
		      const uint8_t **data_ret, size_t *size_ret)
{
	Elf_Data *data = elf_getdata_rawchunk(elf->elf, (int64_t)segment->p_offset,
					      segment->p_filesz, ELF_T_NHDR);
	size_t name, description;
	GElf_Nhdr note;

	while (data && (*offset = gelf_getnote(data, *offset, &note, &name, &description))) {
		const uint8_t *bytes = data->d_buf;

		if (note.n_type != NOTE_AMDGPU_METADATA || note.n_namesz != 7 ||
		    memcmp(bytes + name, "AMDGPU", 7) != 0)
			continue;
		*data_ret = bytes + description;
		*size_ret = note.n_descsz;
		return true;
	}
	return false;
}

bool wt_elf_next_metadata(const struct wt_elf *elf, struct wt_elf_place *place,
			  const uint8_t **data_ret, size_t *size_ret)
{
	for (; place->segment < elf->segment_count; place->segment++, place->offset = 0) {
		const GElf_Phdr *segment = &elf->segments[place->segment];

		if (segment->p_type == PT_NOTE && segment->p_filesz &&
		    find_note(elf, segment, &place->offset, data_ret, size_ret))
			return true;
	}
	return false;
}

struct wt_error *wt_elf_dynamic_parse(struct wt_cursor cursor, struct wt_elf_dynamic *dynamic_ret)
{
	struct wt_elf_dynamic dynamic = {0};
	uint64_t tag, value, entry_size = sizeof(Elf64_Rela);

	while (wt_cursor_u64(&cursor, &tag) && wt_cursor_u64(&cursor, &value) && tag != DT_NULL) {
		if (tag == DT_SYMTAB)
			dynamic.symbols = value;
		else if (tag == DT_STRTAB)
			dynamic.strings = value;
		else if (tag == DT_STRSZ)
			dynamic.strings_size = value;
		else if (tag == DT_HASH)
			dynamic.hash = value;
		else if (tag == DT_RELA)
			dynamic.relocations = value;
		else if (tag == DT_RELASZ)
			dynamic.relocations_size = value;
		else if (tag == DT_RELAENT)
			entry_size = value;
		else if (tag == DT_REL || tag == DT_JMPREL || tag == DT_RELR)
			dynamic.other_relocations = true;
	}
	if (!dynamic.symbols || !dynamic.strings || !dynamic.hash)
		return elf_refuse(
			"its dynamic section names no symbol table, strings or DT_HASH; link "
			"with --hash-style=both or sysv");
	if (dynamic.other_relocations || entry_size != sizeof(Elf64_Rela) ||
	    dynamic.relocations_size % sizeof(Elf64_Rela))
		return elf_refuse(
			"its relocations are not of the one form clang links, DT_RELA with "
			"entries of %zu bytes",
			sizeof(Elf64_Rela));
	*dynamic_ret = dynamic;
	return NULL;
}

/* A name in the string table: "" if it does not end there. */
static const char *name_at(const struct wt_elf_symbols *symbols, uint32_t offset)
{
	if (offset >= symbols->strings_size ||
	    !memchr(symbols->strings + offset, 0, symbols->strings_size - offset))
		return "";
	return (const char *)symbols->strings + offset;
}

bool wt_elf_symbol_at(const struct wt_elf_symbols *symbols, uint32_t index,
		      struct wt_elf_symbol *symbol_ret)
{
	struct wt_cursor cursor;
	uint16_t information, section;
	uint32_t name;

	if (index >= symbols->count)
		return false;
	cursor = wt_cursor_init(symbols->table + (size_t)index * SYMBOL_SIZE, SYMBOL_SIZE);
	if (!wt_cursor_u32(&cursor, &name) || !wt_cursor_u16(&cursor, &information) ||
	    !wt_cursor_u16(&cursor, &section) || !wt_cursor_u64(&cursor, &symbol_ret->value) ||
	    !wt_cursor_u64(&cursor, &symbol_ret->size))
		return false;
	symbol_ret->defined = section != SHN_UNDEF;
	symbol_ret->weak = (information & 0xff) >> 4 == STB_WEAK;
	symbol_ret->name = name_at(symbols, name);
	return true;
}

/* The hash of the System V ABI. */
static uint32_t hash_name(const char *name)
{
	uint32_t hash = 0;

	for (const unsigned char *byte = (const unsigned char *)name; *byte; byte++) {
		hash = (hash << 4) + *byte;
		hash ^= hash >> 24 & 0xf0;
		hash &= 0x0fffffff;
	}
	return hash;
}

/* Word @index of the hash section: two counts, the buckets, the chains. */
static uint32_t hash_word(const struct wt_elf_symbols *symbols, size_t index)
{
	struct wt_cursor cursor = wt_cursor_init(symbols->hash + 4 * index, 4);
	uint32_t word = 0;

	wt_cursor_u32(&cursor, &word);
	return word;
}

bool wt_elf_symbol_find(const struct wt_elf_symbols *symbols, const char *name,
			struct wt_elf_symbol *symbol_ret)
{
	struct wt_elf_symbol symbol;
	uint32_t index;

	if (!symbols->bucket_count)
		return false;
	index = hash_word(symbols, 2 + hash_name(name) % symbols->bucket_count);
	/* A chain that is longer than the table goes round in circles. */
	for (uint32_t steps = 0; index && steps < symbols->count; steps++) {
		if (!wt_elf_symbol_at(symbols, index, &symbol))
			return false;
		if (symbol.defined && strcmp(symbol.name, name) == 0) {
			*symbol_ret = symbol;
			return true;
		}
		index = hash_word(symbols, 2 + (size_t)symbols->bucket_count + index);
	}
	return false;
}
