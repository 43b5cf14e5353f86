/* SPDX-License-Identifier: MIT */
/* The rows of call frame information: cfi-read.c makes them, cfi.c evaluates them. */
#ifndef WT_REPLAYER_DWARF_CFI_RULES_H
#define WT_REPLAYER_DWARF_CFI_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

enum wt_dwarf_rule_kind {
	WT_DWARF_RULE_NONE, /* nothing is said */
	WT_DWARF_RULE_UNDEFINED,
	WT_DWARF_RULE_SAME,
	WT_DWARF_RULE_AT,	 /* in memory, so many bytes from the frame's address */
	WT_DWARF_RULE_VALUE,	 /* it is that address */
	WT_DWARF_RULE_REGISTER,	 /* in another register */
	WT_DWARF_RULE_LOCATION,	 /* where an expression says */
	WT_DWARF_RULE_EXPRESSION /* what an expression says */
};

struct wt_dwarf_rule {
	uint64_t number; /* of the register that is meant */
	enum wt_dwarf_rule_kind kind;
	uint64_t operand; /* an offset, signed, or the other register */
	struct wt_cursor expression;
};

/* The rule for the frame's address. */
struct wt_dwarf_base {
	enum { WT_DWARF_BASE_NONE, WT_DWARF_BASE_REGISTER, WT_DWARF_BASE_EXPRESSION } kind;
	uint64_t number, offset, space;
	bool has_space;
	struct wt_cursor expression;
};

struct wt_dwarf_row {
	struct wt_dwarf_base base;
	struct wt_dwarf_rule *rules;
	size_t count;
};

struct wt_dwarf_rules {
	struct wt_dwarf_row row;
	uint64_t return_column;
	size_t address_size;
};

#endif /* WT_REPLAYER_DWARF_CFI_RULES_H */
