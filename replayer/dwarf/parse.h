/* SPDX-License-Identifier: MIT */
/* Reading expressions of users: parse.c reads names, numbers and what stands beside one operand, print-expression.c what stands between two. */
#ifndef WT_REPLAYER_DWARF_PARSE_H
#define WT_REPLAYER_DWARF_PARSE_H

#include "replayer/dwarf/expression-value.h"
#include "replayer/dwarf/named.h"

/* Operands and expressions inside others, since each takes some ten thousand bytes of the stack. */
#define WT_DWARF_MAX_NESTING 48

/** Go to what is no blank. */
void wt_dwarf_skip_blanks(struct wt_dwarf_parser *parser);

/** Take a token if it stands here, behind blanks. */
bool wt_dwarf_take(struct wt_dwarf_parser *parser, const char *token);

/** The same; a complaint if it does not. */
void wt_dwarf_need(struct wt_dwarf_parser *parser, const char *token);

/** A type, if one stands here; a variable of the name is meant before a type. */
bool wt_dwarf_take_type(struct wt_dwarf_parser *parser, struct wt_dwarf_named *named_ret);

/** Complains of an operand that is several objects: these are only printed. */
void wt_dwarf_need_one(struct wt_dwarf_parser *parser, const struct wt_dwarf_operand *operand);

/** An operand with what stands in front of it and behind it: -a, (int)b, *c[d].e. */
void wt_dwarf_parse_unary(struct wt_dwarf_parser *parser, struct wt_dwarf_operand *operand_ret);

/** A whole expression, up to what cannot be a part of it. */
void wt_dwarf_parse_expression(struct wt_dwarf_parser *parser,
			       struct wt_dwarf_operand *operand_ret);

#endif /* WT_REPLAYER_DWARF_PARSE_H */
