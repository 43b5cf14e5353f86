/* SPDX-License-Identifier: MIT */
/*
 * Lists of registers as users write them: "pc,exec,s0-s15,vector". An element is a register's name, a run of numbered
 * registers (s0-s15), a register class (vector) or `all`; commas or colons stand between elements.
 *
 * Names are compared as text, so that a list also works for registers that our tables do not have.
 */
#ifndef GFX_ARCHITECTURE_REGISTER_LIST_H
#define GFX_ARCHITECTURE_REGISTER_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* The items that a list may hold, for help texts and errors. */
#define GFX_REGISTER_LIST_TAKES                                                                    \
	"registers (pc, v7), runs (s0-s15) and classes (general, scalar, vector, system, trap)"

/* An element: a part of the list's text, without a NUL at its end. */
struct gfx_register_word {
	const char *text;
	size_t length;
};

/**
 * Go through the elements of a list, in order.
 *
 * @rest: the list at first; moves on, and is NULL after the last element. An empty list has one empty element.
 * @return: false, and nothing written, if there is no element left.
 */
bool gfx_register_list_next(const char **rest, struct gfx_register_word *word_ret);

/**
 * Is a list well formed? This does not say whether there are such registers.
 *
 * @wrong_ret: the first wrong element; written only if there is one.
 * @return: NULL if it is, else the reason, a static text: "the run ends before it begins".
 */
const char *gfx_register_list_check(const char *list, struct gfx_register_word *wrong_ret);

/**
 * Does an element name this register?
 *
 * @classes: names of the register's classes, NULL-terminated.
 */
bool gfx_register_word_names(const struct gfx_register_word *word, const char *name,
			     const char *const *classes);

/** Does any element of a list? */
bool gfx_register_list_names(const char *list, const char *name, const char *const *classes);

/**
 * Find the first element that names no register of any architecture we know.
 *
 * @unknown_ret: written only if there is one.
 */
bool gfx_register_list_find_unknown(const char *list, struct gfx_register_word *unknown_ret);

#endif /* GFX_ARCHITECTURE_REGISTER_LIST_H */
