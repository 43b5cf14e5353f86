/* SPDX-License-Identifier: MIT */
#include "replayer/code/inlined.h"

#include <dwarf.h>
#include <stdbool.h>

#include "replayer/code/address-scope.h"

#define MAX_ENTRIES 10000000u

struct search {
	void (*visit)(void *opaque, const struct wt_inlined *inlined);
	void *opaque;
	size_t entries; /* that were looked at */
};

/* Code in several pieces begins with the first of them. */
static bool entry_address(Dwarf_Die *entry, uint64_t *address_ret)
{
	Dwarf_Addr address, base, end;

	if (dwarf_entrypc(entry, &address) && dwarf_ranges(entry, 0, &base, &address, &end) <= 0)
		return false;
	*address_ret = address;
	return true;
}

static void entry_visit(struct search *search, Dwarf_Die *entry, size_t functions)
{
	struct wt_inlined inlined = {.name = dwarf_diename(entry), .functions = functions};
	Dwarf_Attribute attribute;

	if (!inlined.name || !entry_address(entry, &inlined.address))
		return;
	inlined.linked =
		dwarf_formstring(dwarf_attr_integrate(entry, DW_AT_linkage_name, &attribute));
	search->visit(search->opaque, &inlined);
}

/* @functions: around the entries in @parent. */
static void entries_search(struct search *search, Dwarf_Die *parent, size_t functions, int depth)
{
	Dwarf_Die child;

	if (!depth || dwarf_child(parent, &child))
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_inlined_subroutine:
			entry_visit(search, &child, functions + 1);
			entries_search(search, &child, functions + 1, depth - 1);
			break;
		case DW_TAG_subprogram:
			entries_search(search, &child, functions + 1, depth - 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			entries_search(search, &child, functions, depth - 1);
			break;
		default:
			break;
		}
	} while (++search->entries < MAX_ENTRIES && !dwarf_siblingof(&child, &child));
}

void wt_inlined_visit(Dwarf *dwarf, void (*visit)(void *opaque, const struct wt_inlined *inlined),
		      void *opaque)
{
	struct search search = {visit, opaque, 0};
	Dwarf_CU *unit = NULL;
	Dwarf_Die entry;

	while (search.entries < MAX_ENTRIES &&
	       !dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &entry, NULL))
		entries_search(&search, &entry, 0, WT_SCOPE_MAX_DEPTH);
}
