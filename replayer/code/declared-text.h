/* SPDX-License-Identifier: MIT */
/* The expression that gives a variable its one value, as the text of the source has it. */
#ifndef WT_REPLAYER_CODE_DECLARED_TEXT_H
#define WT_REPLAYER_CODE_DECLARED_TEXT_H

#include "replayer/code/assignments.h"

#define WT_MAX_DECLARED_TEXT 512

/*
 * An expression of numbers, names and operators, and of members of names that the file does not declare: whoever evaluates it says which of them
 * keep their values. Macros that stand for a number are replaced by that.
 */
struct wt_declared_text {
	const struct wt_tokens *file; /* where it stands: */
	size_t at, body;	      /* its first token, and the brace of its function */
	bool has_real;		      /* a number with a fraction is in it */
	char text[WT_MAX_DECLARED_TEXT];
};

/**
 * Find it: of a parameter, it stands in the call.
 *
 * Return: false if there is none, or if more may be behind it than it says: a call, a read of memory, a macro.
 */
bool wt_declared_text_find(const struct wt_text_variable *variable,
			   struct wt_declared_text *text_ret);

#endif /* WT_REPLAYER_CODE_DECLARED_TEXT_H */
