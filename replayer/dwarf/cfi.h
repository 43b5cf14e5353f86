/* SPDX-License-Identifier: MIT */
/*
 * Call frame information: where a function's caller has its registers. It is in .debug_frame or .eh_frame, with AMD's extensions:
 * the frame's address has an address space, and a register may be kept in lanes of a vector register or in the memory of lanes.
 *
 * Upstream's clang writes empty rows; then unwind.c follows the code.
 */
#ifndef WT_REPLAYER_DWARF_CFI_H
#define WT_REPLAYER_DWARF_CFI_H

#include "replayer/dwarf/expression.h"

struct wt_dwarf_rules;

/**
 * The rules that hold at an address.
 *
 * @address: of the ELF file.
 * @rules_ret: NULL if nothing is said of it, or what is said cannot be read; for the caller to wt_dwarf_rules_destroy().
 *
 * Return: false if memory ran out.
 */
bool wt_dwarf_rules_find(const struct wt_dwarf_object *object, uint64_t address,
			 struct wt_dwarf_rules **rules_ret);
void wt_dwarf_rules_destroy(struct wt_dwarf_rules *rules); /* NULL is legal */

/**
 * Four bytes of a register as the frame's caller has it, by the rules of the frame.
 *
 * @lane: of a vector register; of one that is wider than four bytes, which four of it.
 * @why_ret: NULL, or why the value is not known.
 *
 * Return: false if the rules say nothing of the register.
 */
bool wt_dwarf_rules_entry(const struct wt_dwarf_frame *frame, uint64_t number, uint32_t lane,
			  uint32_t *value_ret, const char **why_ret);

/** The address to which the frame's function returns, in the same way. */
bool wt_dwarf_rules_return(const struct wt_dwarf_frame *frame, uint64_t *address_ret,
			   const char **why_ret);

/** The address of the frame for a lane. Return: NULL, or why it is not known. */
const char *wt_dwarf_rules_frame(const struct wt_dwarf_frame *frame, uint32_t lane,
				 struct wt_dwarf_piece *piece_ret);

#endif /* WT_REPLAYER_DWARF_CFI_H */
