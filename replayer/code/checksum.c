/* SPDX-License-Identifier: MIT */
#include "replayer/code/checksum.h"

#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "replayer/code/bytes.h"

/* A line table of which more is claimed than this is not read. */
#define MAX_COLUMNS 16
#define MAX_ENTRIES 1000000

struct column {
	uint64_t content, form;
};

/* How directories or files are described, each by a row of columns. */
struct table {
	struct column columns[MAX_COLUMNS];
	size_t column_count;
	uint64_t count;
};

static bool line_table_skip(struct wt_cursor *cursor, uint64_t size)
{
	const uint8_t *data;

	return size <= SIZE_MAX && wt_cursor_take(cursor, (size_t)size, &data);
}

static bool line_table_skip_string(struct wt_cursor *cursor)
{
	const uint8_t *end = memchr(cursor->data, '\0', cursor->remaining);

	return end && line_table_skip(cursor, (uint64_t)(end - cursor->data) + 1);
}

/* @offset_size: 4 or 8, as the table's own length. */
static bool skip_form(struct wt_cursor *cursor, uint64_t form, size_t offset_size)
{
	uint64_t size;

	switch (form) {
	case DW_FORM_string:
		return line_table_skip_string(cursor);
	case DW_FORM_line_strp:
	case DW_FORM_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
		return line_table_skip(cursor, offset_size);
	case DW_FORM_udata:
	case DW_FORM_strx:
		return wt_dwarf_uleb(cursor, &size);
	case DW_FORM_data1:
	case DW_FORM_strx1:
		return line_table_skip(cursor, 1);
	case DW_FORM_data2:
	case DW_FORM_strx2:
		return line_table_skip(cursor, 2);
	case DW_FORM_strx3:
		return line_table_skip(cursor, 3);
	case DW_FORM_data4:
	case DW_FORM_strx4:
		return line_table_skip(cursor, 4);
	case DW_FORM_data8:
		return line_table_skip(cursor, 8);
	case DW_FORM_data16:
		return line_table_skip(cursor, WT_MD5_SIZE);
	case DW_FORM_block:
		return wt_dwarf_uleb(cursor, &size) && line_table_skip(cursor, size);
	case DW_FORM_block1:
		return wt_dwarf_fixed(cursor, 1, &size) && line_table_skip(cursor, size);
	default:
		return false;
	}
}

static bool take_table(struct wt_cursor *cursor, struct table *table_ret)
{
	struct table table = {.count = 0};
	uint64_t count;

	if (!wt_dwarf_fixed(cursor, 1, &count) || count > MAX_COLUMNS)
		return false;
	for (; table.column_count < count; table.column_count++) {
		struct column *column = &table.columns[table.column_count];

		if (!wt_dwarf_uleb(cursor, &column->content) ||
		    !wt_dwarf_uleb(cursor, &column->form))
			return false;
	}
	if (!wt_dwarf_uleb(cursor, &table.count) || table.count > MAX_ENTRIES)
		return false;
	*table_ret = table;
	return true;
}

/* @md5_ret: of the row; NULL if it has none. */
static bool take_row(struct wt_cursor *cursor, const struct table *table, size_t offset_size,
		     const uint8_t **md5_ret)
{
	*md5_ret = NULL;
	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];

		if (column->content == DW_LNCT_MD5 && column->form == DW_FORM_data16) {
			if (!wt_cursor_take(cursor, WT_MD5_SIZE, md5_ret))
				return false;
		} else if (!skip_form(cursor, column->form, offset_size)) {
			return false;
		}
	}
	return true;
}

/* From the table's length to its directories; false if it is not of DWARF 5. */
static bool line_table_take_head(struct wt_cursor *cursor, size_t *offset_size_ret)
{
	uint64_t length, version, ignored, opcode_base;
	size_t offset_size = 4;

	if (!wt_dwarf_fixed(cursor, 4, &length))
		return false;
	if (length == UINT32_MAX) {
		offset_size = 8;
		if (!wt_dwarf_fixed(cursor, 8, &length))
			return false;
	}
	if (length > cursor->remaining)
		return false;
	cursor->remaining = (size_t)length;
	/*
	 * Behind the version: sizes of addresses and segments, the header's length, the smallest instruction, operations in one,
	 * whether lines are statements, and two numbers of the program; then how many opcodes there are, and a length of each.
	 */
	if (!wt_dwarf_fixed(cursor, 2, &version) || version != 5 || !line_table_skip(cursor, 2) ||
	    !wt_dwarf_fixed(cursor, offset_size, &ignored) || !line_table_skip(cursor, 5) ||
	    !wt_dwarf_fixed(cursor, 1, &opcode_base) || !opcode_base ||
	    !line_table_skip(cursor, opcode_base - 1))
		return false;
	*offset_size_ret = offset_size;
	return true;
}

const uint8_t *wt_checksum_in(struct wt_cursor cursor, size_t file)
{
	const uint8_t *md5 = NULL;
	struct table table;
	size_t offset_size;

	if (!line_table_take_head(&cursor, &offset_size) || !take_table(&cursor, &table))
		return NULL;
	for (uint64_t i = 0; i < table.count; i++)
		if (!take_row(&cursor, &table, offset_size, &md5))
			return NULL;
	if (!take_table(&cursor, &table) || file >= table.count)
		return NULL;
	for (size_t i = 0; i <= file; i++)
		if (!take_row(&cursor, &table, offset_size, &md5))
			return NULL;
	return md5;
}

/* libdw has uncompressed it. */
static Elf_Data *find_section(Elf *elf, const char *wanted)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *name;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && !strcmp(name, wanted))
			return elf_getdata(section, NULL);
	}
	return NULL;
}

const uint8_t *wt_checksum_find(Dwarf_Die *unit, size_t file)
{
	Elf_Data *data = find_section(dwarf_getelf(dwarf_cu_getdwarf(unit->cu)), ".debug_line");
	Dwarf_Attribute attribute;
	Dwarf_Word offset;

	if (!data || !data->d_buf ||
	    dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &attribute), &offset) ||
	    offset > data->d_size)
		return NULL;
	return wt_checksum_in(wt_cursor_init((const uint8_t *)data->d_buf + offset,
					     data->d_size - (size_t)offset),
			      file);
}
