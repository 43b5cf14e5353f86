/* SPDX-License-Identifier: MIT */
#include "replayer/code/source.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <endian.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "device/code-object/elf.h"
#include "replayer/code/checksum.h"
#include "replayer/code/unpack.h"

struct wt_source {
	Elf *elf;
	uint8_t *unpacked; /* the file with its sections unpacked; NULL if none were compressed */
	Dwarf *dwarf;	   /* NULL if there is none */
	/* Symbols of .symtab, else of .dynsym: */
	Elf_Data *symbols;
	size_t symbol_count, string_section;
	/* Symbols that the dynamic section of a file without section headers names. */
	struct wt_source_symbol *dynamic;
	size_t dynamic_count;
};

static enum wt_source_symbol_kind elf_symbol_kind(unsigned char info)
{
	switch (GELF_ST_TYPE(info)) {
	case STT_FUNC:
		return WT_SYMBOL_FUNCTION;
	case STT_OBJECT:
		return WT_SYMBOL_OBJECT;
	default:
		return WT_SYMBOL_OTHER;
	}
}

/** Find a symbol table; one with locals first. */
static void source_find_symbols(struct wt_source *source)
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

/* The bytes of the file that are loaded at an address; NULL if there are none. */
static const uint8_t *elf_bytes_loaded_at(const struct wt_elf *elf, uint64_t address,
					  size_t *size_ret)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const GElf_Phdr *segment = &elf->segments[i];

		if (segment->p_type != PT_LOAD || address < segment->p_vaddr ||
		    address - segment->p_vaddr >= segment->p_filesz ||
		    segment->p_offset > elf->size ||
		    segment->p_filesz > elf->size - segment->p_offset)
			continue;
		*size_ret = segment->p_filesz - (address - segment->p_vaddr);
		return elf->image + segment->p_offset + (address - segment->p_vaddr);
	}
	return NULL;
}

static bool find_dynamic_symbols(const struct wt_elf *elf, struct wt_elf_symbols *symbols)
{
	struct wt_elf_dynamic dynamic;
	size_t size, hash_size;
	const uint8_t *data;

	for (size_t i = 0; i < elf->segment_count; i++) {
		const GElf_Phdr *segment = &elf->segments[i];
		wt_cleanup_error struct wt_error *error = NULL;

		if (segment->p_type != PT_DYNAMIC)
			continue;
		data = elf_bytes_loaded_at(elf, segment->p_vaddr, &size);
		if (!data)
			return false;
		error = wt_elf_dynamic_parse(wt_cursor_init(data, size), &dynamic);
		if (error)
			return false;
		symbols->strings =
			elf_bytes_loaded_at(elf, dynamic.strings, &symbols->strings_size);
		symbols->table = elf_bytes_loaded_at(elf, dynamic.symbols, &size);
		symbols->hash = elf_bytes_loaded_at(elf, dynamic.hash, &hash_size);
		if (!symbols->strings || !symbols->table || !symbols->hash || hash_size < 8)
			return false;
		if (symbols->strings_size > dynamic.strings_size)
			symbols->strings_size = dynamic.strings_size;
		/* A hash table begins with the number of its buckets, and that of the symbols. */
		memcpy(&symbols->count, symbols->hash + 4, sizeof(symbols->count));
		symbols->count = le32toh(symbols->count);
		if (symbols->count > size / sizeof(Elf64_Sym))
			symbols->count = (uint32_t)(size / sizeof(Elf64_Sym));
		return true;
	}
	return false;
}

/* A loader finds everything by program headers alone, so that a file may have no section headers. */
static struct wt_error *take_dynamic_symbols(struct wt_source *source, const void *image,
					     size_t size)
{
	struct wt_elf_symbols symbols = {0};
	struct wt_error *failure;
	struct wt_elf elf;

	failure = wt_elf_open(image, size, &elf);
	if (failure) {
		/* No code object; what it has is read from sections. */
		wt_error_destroy(failure);
		return NULL;
	}
	if (find_dynamic_symbols(&elf, &symbols) && symbols.count) {
		source->dynamic = calloc(symbols.count, sizeof(*source->dynamic));
		for (uint32_t i = 1; source->dynamic && i < symbols.count; i++) {
			struct wt_elf_symbol symbol;
			Elf64_Sym raw;

			memcpy(&raw, symbols.table + i * sizeof(raw), sizeof(raw));
			if (!wt_elf_symbol_at(&symbols, i, &symbol) || !symbol.defined ||
			    !*symbol.name)
				continue;
			source->dynamic[source->dynamic_count++] =
				(struct wt_source_symbol){symbol.name, symbol.value, symbol.size,
							  elf_symbol_kind(raw.st_info)};
		}
	}
	wt_elf_close(&elf);
	return symbols.count && !source->dynamic ? &wt_error_no_memory : NULL;
}

struct wt_error *wt_source_open(const void *image, size_t size, struct wt_source **source_ret)
{
	static const char what[] = "cannot read the code object";
	struct wt_source *source = calloc(1, sizeof(*source));
	struct wt_error *error;

	if (!source)
		return &wt_error_no_memory;
	error = wt_elf_unpack(image, size, &source->unpacked, &size);
	if (error) {
		wt_source_close(source);
		return error;
	}
	if (source->unpacked)
		image = source->unpacked;
	elf_version(EV_CURRENT);
	/* elf_memory() does not write unless asked to. */
	source->elf = elf_memory((char *)(uintptr_t)image, size);
	if (!source->elf || elf_kind(source->elf) != ELF_K_ELF) {
		wt_source_close(source);
		return wt_error_create(WT_ERROR_INPUT, what, NULL, "it is no ELF file");
	}
	source->dwarf = dwarf_begin_elf(source->elf, DWARF_C_READ, NULL);
	source_find_symbols(source);
	error = source->symbols ? NULL : take_dynamic_symbols(source, image, size);
	if (error) {
		wt_source_close(source);
		return error;
	}
	*source_ret = source;
	return NULL;
}

void wt_source_close(struct wt_source *source)
{
	if (!source)
		return;
	dwarf_end(source->dwarf);
	elf_end(source->elf);
	free(source->unpacked);
	free(source->dynamic);
	free(source);
}

Dwarf *wt_source_dwarf(struct wt_source *source)
{
	return source->dwarf;
}

/* Finds where an inlined function is called. */
static void find_call(Dwarf_Die *unit, Dwarf_Die *scope, struct wavetape_place *place)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t count;

	if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attribute), &file) ||
	    dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attribute), &line) ||
	    dwarf_getsrcfiles(unit, &files, &count) || file >= count || line > INT_MAX || !line)
		return;
	place->call_file = dwarf_filesrc(files, file, NULL, NULL);
	if (place->call_file && !strncmp(place->call_file, "./", 2))
		place->call_file += 2;
	place->call_line = (uint32_t)line;
}

/**
 * The name of the innermost function, inlined or not, around the address. (dwarf_getscopes() would find it
 * too, but leaks memory where DWARF is broken.)
 */
static void innermost_function_find(Dwarf_Die *unit, uint64_t address, struct wavetape_place *place)
{
	Dwarf_Die scope = *unit;

	for (int depth = 0; depth < WT_SCOPE_MAX_DEPTH &&
			    wt_scope_find(&scope, address, WT_SCOPE_MAX_DEPTH, &scope);
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

/* The innermost function around an address, inlined or not: the offset of its entry, 0 if there is none. */
static Dwarf_Off find_innermost(Dwarf_Die *unit, uint64_t address)
{
	Dwarf_Die scope = *unit;
	Dwarf_Off function = 0;

	for (int depth = 0; depth < WT_SCOPE_MAX_DEPTH &&
			    wt_scope_find(&scope, address, WT_SCOPE_MAX_DEPTH, &scope);
	     depth++)
		if (dwarf_tag(&scope) != DW_TAG_lexical_block)
			function = dwarf_dieoffset(&scope);
	return function;
}

/*
 * Compilers give line 0 to code that they made of several lines, or of none. Such code stands for the nearest row before it that
 * has a line: of the innermost function around it and the same file, if there is one, and else of any. NULL if no row of the function
 * before it has one.
 */
static Dwarf_Line *find_numbered(Dwarf_Die *unit, uint64_t address, const char *file)
{
	Dwarf_Off innermost = find_innermost(unit, address);
	Dwarf_Line *any = NULL;
	Dwarf_Die function;
	Dwarf_Lines *lines;
	Dwarf_Addr low;
	size_t count;

	if (!wt_scope_find(unit, address, WT_SCOPE_MAX_DEPTH, &function) ||
	    dwarf_lowpc(&function, &low) || dwarf_getsrclines(unit, &lines, &count))
		return NULL;
	while (count--) {
		Dwarf_Line *line = dwarf_onesrcline(lines, count);
		Dwarf_Addr at;

		if (!line || dwarf_lineaddr(line, &at) || at > address)
			continue;
		if (at < low)
			break;
		if (line_is_of(line, file) && find_innermost(unit, at) == innermost)
			return line;
		if (!any && line_is_of(line, NULL))
			any = line;
	}
	return any;
}

/* With -gsplit-dwarf the code object keeps lines alone. */
static const char *unit_find_split_file(Dwarf_Die *unit)
{
	static const unsigned int names[] = {DW_AT_dwo_name, DW_AT_GNU_dwo_name};
	Dwarf_Attribute attribute;
	Dwarf_Die child;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (dwarf_attr(unit, names[i], &attribute) && dwarf_child(unit, &child))
			return dwarf_formstring(&attribute);
	return NULL;
}

/* Is a file one of the compiler's, of the system or of ROCm, which who wrote the program has never seen? */
static bool file_is_foreign(const char *file)
{
	/* The first three stand at the beginning. */
	static const char *const parts[] = {"/usr/include/", "/usr/lib",    "/opt/rocm",
					    "/amd_detail/",  "/lib/clang/", "/lib/llvm"};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const char *found = strstr(file, parts[i]);

		if (found && (i > 2 || found == file))
			return true;
	}
	return false;
}

static bool line_is_own(const char *file, uint32_t line)
{
	return file && line && !file_is_foreign(file);
}

bool wt_source_own_line(const struct wavetape_place *place, const char **file_ret,
			uint32_t *line_ret)
{
	bool is_own = line_is_own(place->file, place->line);
	bool is_called = !is_own && line_is_own(place->call_file, place->call_line);

	*file_ret = is_called ? place->call_file : place->file;
	*line_ret = is_called ? place->call_line : place->line;
	return is_own || is_called;
}

size_t wt_source_functions(struct wt_source *source, uint64_t address,
			   struct wt_source_function *functions)
{
	Dwarf_Die unit, scope;
	size_t count = 0;

	if (!source->dwarf || !wt_scope_unit(source->dwarf, address, &unit))
		return 0;
	scope = unit;
	for (int depth = 0; depth < WT_SCOPE_MAX_DEPTH &&
			    wt_scope_find(&scope, address, WT_SCOPE_MAX_DEPTH, &scope);
	     depth++) {
		struct wavetape_place call = {0};

		if (dwarf_tag(&scope) == DW_TAG_lexical_block)
			continue;
		if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
			find_call(&unit, &scope, &call);
		functions[count++] = (struct wt_source_function){dwarf_dieoffset(&scope),
								 call.call_file, call.call_line};
	}
	return count;
}

bool wt_source_find(struct wt_source *source, uint64_t address, struct wavetape_place *found)
{
	struct wavetape_place place = *found;
	Dwarf_Die unit;
	Dwarf_Line *line;
	int number, column = 0;

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
	if (!place.file || dwarf_lineno(line, &number))
		return false;
	dwarf_linecol(line, &column);
	place.line = number > 0 ? (uint32_t)number : 0;
	place.column = column > 0 ? (uint32_t)column : 0;
	place.md5 = find_md5(&unit, line);
	place.split_file = unit_find_split_file(&unit);
	innermost_function_find(&unit, address, &place);
	*found = place;
	return true;
}

bool wt_source_line_next(struct wt_source *source, struct wt_source_lines *lines,
			 struct wt_source_row *row_ret)
{
	while (source->dwarf) {
		Dwarf_Line *line;
		Dwarf_Die unit;
		Dwarf_Off here = lines->unit;
		size_t head;
		int number;

		if (lines->position < lines->count) {
			line = dwarf_onesrcline(lines->lines, lines->position++);
			if (!line || dwarf_lineno(line, &number) || number <= 0 ||
			    dwarf_lineaddr(line, &row_ret->address))
				continue;
			row_ret->file = dwarf_linesrc(line, NULL, NULL);
			if (!row_ret->file)
				continue;
			if (!strncmp(row_ret->file, "./", 2))
				row_ret->file += 2;
			row_ret->line = (uint32_t)number;
			return true;
		}
		lines->position = lines->count = 0;
		if (dwarf_nextcu(source->dwarf, here, &lines->unit, &head, NULL, NULL, NULL))
			return false;
		if (!dwarf_offdie(source->dwarf, here + head, &unit) ||
		    dwarf_getsrclines(&unit, &lines->lines, &lines->count))
			lines->count = 0;
	}
	return false;
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
	if (*position < source->dynamic_count) {
		*symbol_ret = source->dynamic[(*position)++];
		return true;
	}
	while (*position < source->symbol_count) {
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getsym(source->symbols, (int)(*position)++, &symbol) || !is_here(&symbol))
			continue;
		name = elf_strptr(source->elf, source->string_section, symbol.st_name);
		if (!name || !*name)
			continue;
		*symbol_ret = (struct wt_source_symbol){name, symbol.st_value, symbol.st_size,
							elf_symbol_kind(symbol.st_info)};
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

/* The end of the code that is loaded in one piece with an address; the address itself if none is. */
static uint64_t code_end(struct wt_source *source, uint64_t address)
{
	size_t count = 0;

	if (elf_getphdrnum(source->elf, &count))
		return address;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;

		if (gelf_getphdr(source->elf, (int)i, &segment) && segment.p_type == PT_LOAD &&
		    segment.p_flags & PF_X && address >= segment.p_vaddr &&
		    address - segment.p_vaddr < segment.p_filesz)
			return segment.p_vaddr + segment.p_filesz;
	}
	return address;
}

/* Assemblers leave the size out unless the code says it: then a function reaches to the next one. */
static void function_measure(struct wt_source *source, struct wt_source_symbol *symbol)
{
	struct wt_source_symbol next;
	size_t position = 0;
	uint64_t end;

	if (symbol->size)
		return;
	end = code_end(source, symbol->address);
	while (next_function(source, &position, &next))
		if (next.address > symbol->address && next.address < end)
			end = next.address;
	symbol->size = end - symbol->address;
}

/* The function is the nearest without a size below the address, if none that has one covers it. */
bool wt_source_symbol_at(struct wt_source *source, uint64_t address,
			 struct wt_source_symbol *symbol_ret)
{
	struct wt_source_symbol symbol, nearest = {0};
	size_t position = 0;

	while (next_function(source, &position, &symbol)) {
		if (address < symbol.address)
			continue;
		if (address - symbol.address < symbol.size) {
			*symbol_ret = symbol;
			return true;
		}
		if (!nearest.name || symbol.address > nearest.address)
			nearest = symbol;
	}
	if (!nearest.name || nearest.size)
		return false;
	function_measure(source, &nearest);
	if (address - nearest.address >= nearest.size)
		return false;
	*symbol_ret = nearest;
	return true;
}

static bool symbol_describes(const struct wt_source_symbol *descriptor,
			     const struct wt_source_symbol *function)
{
	size_t length = strlen(function->name);

	return !strncmp(descriptor->name, function->name, length) &&
	       !strcmp(descriptor->name + length, ".kd");
}

static bool source_find_described(struct wt_source *source,
				  const struct wt_source_symbol *descriptor,
				  struct wt_source_symbol *function_ret)
{
	size_t position = 0;

	while (next_function(source, &position, function_ret))
		if (symbol_describes(descriptor, function_ret))
			return true;
	return false;
}

/* Do functions with a size, or without one, begin at an address? */
static bool function_begins(struct wt_source *source, uint64_t address, bool has_size)
{
	struct wt_source_symbol symbol;
	size_t position = 0;

	while (next_function(source, &position, &symbol))
		if (symbol.address == address && (symbol.size != 0) == has_size)
			return true;
	return false;
}

bool wt_source_kernel_at(struct wt_source *source, uint64_t descriptor, uint64_t entry,
			 struct wt_source_symbol *symbol_ret)
{
	struct wt_source_symbol symbol, function;
	size_t position = 0;

	while (wt_source_symbol_next(source, &position, &symbol)) {
		if (symbol.kind != WT_SYMBOL_OBJECT || symbol.address != descriptor ||
		    !source_find_described(source, &symbol, &function))
			continue;
		if (!function_begins(source, function.address, true))
			function_measure(source, &function);
		*symbol_ret = function;
		return true;
	}
	return !(function_begins(source, entry, true) && function_begins(source, entry, false)) &&
	       wt_source_symbol_at(source, entry, symbol_ret);
}
