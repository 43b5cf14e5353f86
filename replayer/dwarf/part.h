/* SPDX-License-Identifier: MIT */
/*
 * Parts of an object, as who looks at it opens one after the other: members of a structure, elements of an array, and the object that a
 * pointer leads to.
 */
#ifndef WT_REPLAYER_DWARF_PART_H
#define WT_REPLAYER_DWARF_PART_H

#include "replayer/dwarf/scene.h"

/** How many parts an object has. One whose place is not known has none, nor has a pointer that leads to nothing that can be shown. */
uint64_t wt_dwarf_part_count(const struct wt_dwarf_scene *scene, uint32_t lane,
			     const struct wt_dwarf_operand *operand);

/**
 * Make the operand one of its parts.
 *
 * @name_ret: "x", "[3]", "*p" without the p.
 * Return: false if there are fewer.
 */
bool wt_dwarf_part_take(const struct wt_dwarf_scene *scene, uint32_t lane,
			struct wt_dwarf_operand *operand, uint64_t index,
			char name_ret[WT_DWARF_MAX_TYPE]);

#endif /* WT_REPLAYER_DWARF_PART_H */
