/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/location.h"

#include <dwarf.h>

#include "replayer/code/bytes.h"

/* Entries of a list; a longer one is taken for broken. */
#define MAX_ENTRIES 65536

/* One entry of a list, or of what stands between them. */
struct entry {
	enum { RANGE, DEFAULT, BASE, END } kind;
	uint64_t from, to;
	struct wt_cursor bytes;
};

static bool expression_block_take(struct wt_cursor *cursor, uint64_t size,
				  struct wt_cursor *block_ret)
{
	const uint8_t *data;

	if (size > cursor->remaining || !wt_cursor_take(cursor, (size_t)size, &data))
		return false;
	*block_ret = wt_cursor_init(data, (size_t)size);
	return true;
}

/* An address of an entry: by its index, or as it is. */
static bool entry_address_take(struct wt_dwarf_unit *unit, struct wt_cursor *cursor, bool indexed,
			       uint64_t *address_ret)
{
	uint64_t index;

	if (!indexed)
		return wt_dwarf_fixed(cursor, unit->address_size, address_ret);
	return wt_dwarf_uleb(cursor, &index) && wt_dwarf_unit_address(unit, index, address_ret);
}

/* The two ends of an entry of .debug_loclists; @base: what offsets count from. */
static bool take_bounds(struct wt_dwarf_unit *unit, struct wt_cursor *cursor, uint8_t kind,
			uint64_t base, struct entry *entry)
{
	bool indexed = kind == DW_LLE_startx_endx || kind == DW_LLE_startx_length;
	uint64_t length;

	switch (kind) {
	case DW_LLE_offset_pair:
		if (!wt_dwarf_uleb(cursor, &entry->from) || !wt_dwarf_uleb(cursor, &entry->to))
			return false;
		entry->from += base;
		entry->to += base;
		return true;
	case DW_LLE_startx_endx:
	case DW_LLE_start_end:
		return entry_address_take(unit, cursor, indexed, &entry->from) &&
		       entry_address_take(unit, cursor, indexed, &entry->to);
	case DW_LLE_startx_length:
	case DW_LLE_start_length:
		if (!entry_address_take(unit, cursor, indexed, &entry->from) ||
		    !wt_dwarf_uleb(cursor, &length))
			return false;
		entry->to = entry->from + length;
		return true;
	default:
		return false;
	}
}

static bool list_entry_take(struct wt_dwarf_unit *unit, struct wt_cursor *cursor, uint64_t base,
			    struct entry *entry)
{
	const uint8_t *kind;
	uint64_t size;

	if (!wt_cursor_take(cursor, 1, &kind))
		return false;
	entry->kind = RANGE;
	switch (*kind) {
	case DW_LLE_end_of_list:
		entry->kind = END;
		return true;
	case DW_LLE_base_addressx:
	case DW_LLE_base_address:
		entry->kind = BASE;
		return entry_address_take(unit, cursor, *kind == DW_LLE_base_addressx,
					  &entry->from);
	case DW_LLE_default_location:
		entry->kind = DEFAULT;
		break;
	default:
		if (!take_bounds(unit, cursor, *kind, base, entry))
			return false;
	}
	return wt_dwarf_uleb(cursor, &size) && expression_block_take(cursor, size, &entry->bytes);
}

/* The same of .debug_loc, before DWARF 5. */
static bool take_old_entry(struct wt_dwarf_unit *unit, struct wt_cursor *cursor, uint64_t base,
			   struct entry *entry)
{
	uint64_t largest =
		unit->address_size < 8 ? (UINT64_C(1) << 8 * unit->address_size) - 1 : UINT64_MAX;
	uint64_t size;

	if (!wt_dwarf_fixed(cursor, unit->address_size, &entry->from) ||
	    !wt_dwarf_fixed(cursor, unit->address_size, &entry->to))
		return false;
	entry->kind = RANGE;
	if (!entry->from && !entry->to) {
		entry->kind = END;
		return true;
	}
	if (entry->from == largest) {
		entry->kind = BASE;
		entry->from = entry->to;
		return true;
	}
	entry->from += base;
	entry->to += base;
	return wt_dwarf_fixed(cursor, 2, &size) &&
	       expression_block_take(cursor, size, &entry->bytes);
}

/* The entry that is wanted of a list. */
struct wanted {
	uint64_t pc;
	bool is_indexed; /* not the entry at the pc, but that of a number */
	size_t index;
};

static enum wt_dwarf_found location_list_search(struct wt_dwarf_unit *unit, struct wt_cursor cursor,
						const struct wanted *wanted,
						struct wt_dwarf_expression *expression_ret)
{
	enum wt_dwarf_found found = WT_DWARF_NONE;
	uint64_t base = unit->base, ranges = 0;
	bool is_listed = false;

	for (size_t i = 0; i < MAX_ENTRIES; i++) {
		struct entry entry = {0};
		bool is_here;

		if (unit->version >= 5 ? !list_entry_take(unit, &cursor, base, &entry)
				       : !take_old_entry(unit, &cursor, base, &entry))
			return is_listed ? WT_DWARF_FOUND : WT_DWARF_BROKEN;
		if (entry.kind == END) {
			if (is_listed)
				expression_ret->is_only = ranges == 1;
			return found;
		}
		is_here = wanted->is_indexed ? ranges == wanted->index
					     : entry.from <= wanted->pc && wanted->pc < entry.to;
		ranges += entry.kind == RANGE;
		if (entry.kind == BASE)
			base = entry.from;
		/* Two entries that hold at one address are two places of one variable: the first will do. */
		if (entry.kind == RANGE && !is_listed && is_here) {
			is_listed = true;
			found = WT_DWARF_FOUND;
			*expression_ret = (struct wt_dwarf_expression){
				.bytes = entry.bytes,
				.listed = true,
				.from = entry.from,
				.to = entry.to,
			};
		}
		if (entry.kind == DEFAULT && found == WT_DWARF_NONE && !wanted->is_indexed) {
			*expression_ret = (struct wt_dwarf_expression){.bytes = entry.bytes};
			found = WT_DWARF_FOUND;
		}
	}
	return is_listed ? WT_DWARF_FOUND : WT_DWARF_BROKEN;
}

/* Finds where a list begins in its section. */
static bool list_offset(struct wt_dwarf_unit *unit, Dwarf_Attribute *attribute,
			uint64_t *offset_ret)
{
	const struct wt_dwarf_section *section = &unit->object->loclists;
	Dwarf_Attribute base_attribute;
	Dwarf_Word base, number;
	struct wt_cursor cursor;
	uint64_t offset;

	if (dwarf_formudata(attribute, &number))
		return false;
	*offset_ret = number;
	if (dwarf_whatform(attribute) != DW_FORM_loclistx)
		return true;
	/* For this form libdw gives the index among the offsets that stand at the base. */
	if (dwarf_formudata(dwarf_attr(&unit->die, DW_AT_loclists_base, &base_attribute), &base) ||
	    base > section->size || number >= (section->size - base) / unit->offset_size)
		return false;
	cursor = wt_cursor_init(section->data + base + number * unit->offset_size,
				unit->offset_size);
	if (!wt_dwarf_fixed(&cursor, unit->offset_size, &offset) || offset > section->size - base)
		return false;
	*offset_ret = base + offset;
	return true;
}

static enum wt_dwarf_found location_list_find(struct wt_dwarf_unit *unit,
					      Dwarf_Attribute *attribute,
					      const struct wanted *wanted,
					      struct wt_dwarf_expression *expression_ret)
{
	const struct wt_dwarf_section *section =
		unit->version >= 5 ? &unit->object->loclists : &unit->object->loc;
	uint64_t offset;

	if (!section->data || !list_offset(unit, attribute, &offset) || offset > section->size)
		return WT_DWARF_BROKEN;
	return location_list_search(unit,
				    wt_cursor_init(section->data + offset, section->size - offset),
				    wanted, expression_ret);
}

enum wt_dwarf_found wt_dwarf_location_find(struct wt_dwarf_unit *unit, Dwarf_Die *die,
					   unsigned int name, uint64_t pc,
					   struct wt_dwarf_expression *expression_ret)
{
	const struct wanted wanted = {.pc = pc};
	Dwarf_Attribute attribute;
	Dwarf_Block block;

	if (!dwarf_attr(die, name, &attribute))
		return WT_DWARF_NONE;
	if (!dwarf_formblock(&attribute, &block)) {
		*expression_ret = (struct wt_dwarf_expression){
			.bytes = wt_cursor_init(block.data, block.length)};
		return WT_DWARF_FOUND;
	}
	return location_list_find(unit, &attribute, &wanted, expression_ret);
}

enum wt_dwarf_found wt_dwarf_location_entry(struct wt_dwarf_unit *unit, Dwarf_Die *die,
					    unsigned int name, size_t index,
					    struct wt_dwarf_expression *expression_ret)
{
	const struct wanted wanted = {.is_indexed = true, .index = index};
	Dwarf_Attribute attribute;
	Dwarf_Block block;

	if (!dwarf_attr(die, name, &attribute) || !dwarf_formblock(&attribute, &block))
		return WT_DWARF_NONE;
	return location_list_find(unit, &attribute, &wanted, expression_ret);
}
