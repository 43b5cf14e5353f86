/* SPDX-License-Identifier: MIT */
#include "replayer/code/address-scope.h"

#include <dwarf.h>

bool wt_scope_unit(Dwarf *dwarf, uint64_t address, Dwarf_Die *unit_ret)
{
	Dwarf_CU *unit = NULL;

	while (!dwarf_get_units(dwarf, unit, &unit, NULL, NULL, unit_ret, NULL))
		if (dwarf_haspc(unit_ret, address) > 0)
			return true;
	return false;
}

bool wt_scope_find(Dwarf_Die *parent, uint64_t address, int depth, Dwarf_Die *scope_ret)
{
	size_t count = 0;
	Dwarf_Die child;

	if (!depth || dwarf_child(parent, &child))
		return false;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
			if (dwarf_haspc(&child, address) <= 0)
				break;
			*scope_ret = child;
			return true;
		case DW_TAG_namespace:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			if (wt_scope_find(&child, address, depth - 1, scope_ret))
				return true;
			break;
		default:
			break;
		}
	} while (++count < WT_SCOPE_MAX_CHILDREN && !dwarf_siblingof(&child, &child));
	return false;
}
