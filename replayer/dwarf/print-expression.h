/* SPDX-License-Identifier: MIT */
/*
 * Expressions of users, in the syntax of C: a[i].b, *p, &x, (float)n, $v4 + 1. They only read. Each is evaluated for one lane, over
 * the variables of a frame.
 */
#ifndef WT_REPLAYER_DWARF_PRINT_EXPRESSION_H
#define WT_REPLAYER_DWARF_PRINT_EXPRESSION_H

#include "base/buffer.h"
#include "replayer/dwarf/scene.h"

/** Evaluate an expression, for who wants to know where its object is. Return: false as of wt_dwarf_print(). */
bool wt_dwarf_operand_parse(const struct wt_dwarf_scene *scene, uint32_t lane, const char *text,
			    struct wt_dwarf_operand *operand_ret,
			    struct wt_dwarf_complaint *complaint_ret);

/**
 * Evaluate an expression and show its value.
 *
 * @type_ret: the name of its type.
 * Return: false if the expression is none; the complaint says why. What is not known is shown as such, and is no such case.
 */
bool wt_dwarf_print(const struct wt_dwarf_scene *scene, uint32_t lane, const char *text,
		    const struct wt_dwarf_sink *sink, char type_ret[WT_DWARF_MAX_TYPE],
		    struct wt_dwarf_complaint *complaint_ret);

/**
 * Say of which type an expression is, or what a type that is named stands for.
 *
 * @is_whole: with all that it is made of; else by its name, and a typedef by the name of what it stands for.
 * @type: what is said is appended to it.
 * Return: as above.
 */
bool wt_dwarf_print_type(const struct wt_dwarf_scene *scene, uint32_t lane, const char *text,
			 bool is_whole, struct wt_buffer *type,
			 struct wt_dwarf_complaint *complaint_ret);

/** The name of the type of what an expression came to: of at most WT_DWARF_MAX_TYPE bytes. */
const char *wt_dwarf_operand_type_name(const struct wt_dwarf_scene *scene,
				       const struct wt_dwarf_operand *operand, char *buffer);

/** Show its value. */
void wt_dwarf_operand_show(const struct wt_dwarf_scene *scene, uint32_t lane,
			   const struct wt_dwarf_operand *operand,
			   const struct wt_dwarf_sink *sink);

#endif /* WT_REPLAYER_DWARF_PRINT_EXPRESSION_H */
