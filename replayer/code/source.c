/* SPDX-License-Identifier: MIT */
#include "replayer/code/source.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "replayer/code/checksum.h"
#include "replayer/code/scope.h"

/* Deeper nesting of scopes than this is not looked into. */
#define MAX_DEPTH 64

struct wt_source {
	Elf *elf;
	Dwarf *dwarf; /* NULL if there is none */
	/* Of .symtab, else of .dynsym: */
	Elf_Data *symbols;
	size_t symbol_count, string_section;
};

/** Find a symbol table; one with locals first. */
static void find_symbols(struct wt_source *source)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(source->elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || !header.sh_entsize ||
		    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		if (source->symbols && header.sh_type != SHT_SYMTAB)
			continue;
		source->symbols = elf_getdata(section, NULL);
		source->symbol_count = header.sh_size / header.sh_entsize;
		source->string_section = header.sh_link;
	}
	if (!source->symbols)
		source->symbol_count = 0;
}

struct wt_error *wt_source_open(const void *image, size_t size, struct wt_source **source_ret)
{
	static const char what[] = "cannot read the code object";
	struct wt_source *source = calloc(1, sizeof(*source));

	if (!source)
		return &wt_error_no_memory;
	elf_version(EV_CURRENT);
	/* elf_memory() does not write unless asked to. */
	source->elf = elf_memory((char *)(uintptr_t)image, size);
	if (!source->elf || elf_kind(source->elf) != ELF_K_ELF) {
		wt_source_close(source);
		return wt_error_create(WT_ERROR_INPUT, what, NULL, "it is no ELF file");
	}
	source->dwarf = dwarf_begin_elf(source->elf, DWARF_C_READ, NULL);
	find_symbols(source);
	*source_ret = source;
	return NULL;
}

void wt_source_close(struct wt_source *source)
{
	if (!source)
		return;
	dwarf_end(source->dwarf);
	elf_end(source->elf);
	free(source);
}

Dwarf *wt_source_dwarf(struct wt_source *source)
{
	return source->dwarf;
}

/* Where an inlined function is called. */
static void find_call(Dwarf_Die *unit, Dwarf_Die *scope, struct wt_source_place *place)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t count;

	if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attribute), &file) ||
	    dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attribute), &line) ||
	    dwarf_getsrcfiles(unit, &files, &count) || file >= count || line > INT_MAX)
		return;
	place->call_file = dwarf_filesrc(files, file, NULL, NULL);
	place->call_line = (int)line;
}

/**
 * The name of the innermost function, inlined or not, around the address. (dwarf_getscopes() would find it
 * too, but leaks memory where DWARF is broken.)
 */
static void find_function(Dwarf_Die *unit, uint64_t address, struct wt_source_place *place)
{
	Dwarf_Die scope = *unit;

	for (int depth = 0; depth < MAX_DEPTH && wt_scope_find(&scope, address, MAX_DEPTH, &scope);
	     depth++) {
		if (dwarf_tag(&scope) != DW_TAG_lexical_block)
			place->function = dwarf_diename(&scope);
		if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine && !place->call_file)
			find_call(unit, &scope, place);
	}
}

static const uint8_t *find_md5(Dwarf_Die *unit, Dwarf_Line *line)
{
	Dwarf_Files *files;
	size_t file;

	return dwarf_line_file(line, &files, &file) ? NULL : wt_checksum_find(unit, file);
}

static bool line_is_of(Dwarf_Line *line, const char *file)
{
	const char *own = dwarf_linesrc(line, NULL, NULL);
	bool ends;
	int number;

	return own && !dwarf_lineendsequence(line, &ends) && !ends &&
	       !dwarf_lineno(line, &number) && number > 0 && (!file || !strcmp(own, file));
}

/*
 * Compilers give line 0 to code that they made of several lines, or of none. Such code stands for the nearest row before it that
 * has a line: of the same file, if there is one in the function, and else of any. NULL if no row of the function before it has
 * one.
 */
static Dwarf_Line *find_numbered(Dwarf_Die *unit, uint64_t address, const char *file)
{
	Dwarf_Line *any = NULL;
	Dwarf_Die function;
	Dwarf_Lines *lines;
	Dwarf_Addr low;
	size_t count;

	if (!wt_scope_find(unit, address, MAX_DEPTH, &function) || dwarf_lowpc(&function, &low) ||
	    dwarf_getsrclines(unit, &lines, &count))
		return NULL;
	while (count--) {
		Dwarf_Line *line = dwarf_onesrcline(lines, count);
		Dwarf_Addr at;

		if (!line || dwarf_lineaddr(line, &at) || at > address)
			continue;
		if (at < low)
			break;
		if (line_is_of(line, file))
			return line;
		if (!any && line_is_of(line, NULL))
			any = line;
	}
	return any;
}

bool wt_source_find(struct wt_source *source, uint64_t address, struct wt_source_place *place_ret)
{
	struct wt_source_place place = {0};
	Dwarf_Die unit;
	Dwarf_Line *line;
	int number;

	if (!source->dwarf || !wt_scope_unit(source->dwarf, address, &unit))
		return false;
	line = dwarf_getsrc_die(&unit, address);
	if (line && !dwarf_lineno(line, &number) && !number)
		line = find_numbered(&unit, address, dwarf_linesrc(line, NULL, NULL));
	if (!line)
		return false;
	place.file = dwarf_linesrc(line, NULL, NULL);
	/* A file of the compilation directory is named so, or without it, as the version of DWARF has it. */
	if (place.file && !strncmp(place.file, "./", 2))
		place.file += 2;
	if (!place.file || dwarf_lineno(line, &place.line))
		return false;
	dwarf_linecol(line, &place.column);
	place.md5 = find_md5(&unit, line);
	find_function(&unit, address, &place);
	if (place.call_file && !strncmp(place.call_file, "./", 2))
		place.call_file += 2;
	*place_ret = place;
	return true;
}

static enum wt_source_symbol_kind kind_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_FUNC:
		return WT_SYMBOL_FUNCTION;
	case STT_OBJECT:
		return WT_SYMBOL_OBJECT;
	default:
		return WT_SYMBOL_OTHER;
	}
}

/* Sections and files have symbols, too; others are elsewhere, or are numbers. */
static bool is_here(const GElf_Sym *symbol)
{
	unsigned char type = GELF_ST_TYPE(symbol->st_info);

	return type != STT_SECTION && type != STT_FILE && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_shndx != SHN_ABS;
}

bool wt_source_symbol_next(struct wt_source *source, size_t *position,
			   struct wt_source_symbol *symbol_ret)
{
	while (*position < source->symbol_count) {
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getsym(source->symbols, (int)(*position)++, &symbol) || !is_here(&symbol))
			continue;
		name = elf_strptr(source->elf, source->string_section, symbol.st_name);
		if (!name || !*name)
			continue;
		*symbol_ret = (struct wt_source_symbol){name, symbol.st_value, symbol.st_size,
							kind_of(&symbol)};
		return true;
	}
	return false;
}

/** Walk the function symbols: start with *position = 0; false after the last. */
static bool next_function(struct wt_source *source, size_t *position,
			  struct wt_source_symbol *symbol_ret)
{
	while (wt_source_symbol_next(source, position, symbol_ret))
		if (symbol_ret->kind == WT_SYMBOL_FUNCTION)
			return true;
	return false;
}

bool wt_source_symbol_at(struct wt_source *source, uint64_t address,
			 struct wt_source_symbol *symbol_ret)
{
	struct wt_source_symbol symbol;
	size_t position = 0;

	while (next_function(source, &position, &symbol)) {
		if (address < symbol.address || address - symbol.address >= symbol.size)
			continue;
		*symbol_ret = symbol;
		return true;
	}
	return false;
}

bool wt_source_symbol_named(struct wt_source *source, const char *name,
			    struct wt_source_symbol *symbol_ret)
{
	struct wt_source_symbol symbol;
	size_t position = 0;

	while (next_function(source, &position, &symbol)) {
		if (strcmp(symbol.name, name))
			continue;
		*symbol_ret = symbol;
		return true;
	}
	return false;
}
