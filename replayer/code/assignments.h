/* SPDX-License-Identifier: MIT */
/*
 * Does a variable keep the value of its declaration? The text of a function says so where debug information cannot: an assignment that
 * compilers leave out is still there.
 *
 * This reads tokens, knows no types, and expands no macros. So it says yes only if each place that names the variable is sure to read it,
 * and nothing around may hide an assignment or a loop: no macro that was not seen, no goto, no call that may take a reference. Macros of
 * other files are not seen: words in capitals that nobody declares are taken for them.
 */
#ifndef WT_REPLAYER_CODE_ASSIGNMENTS_H
#define WT_REPLAYER_CODE_ASSIGNMENTS_H

#include "replayer/code/tokens.h"

/* How a word is known to somebody else. */
enum wt_known_word {
	WT_WORD_UNKNOWN,
	WT_WORD_NAME,	      /* no function and no macro */
	WT_WORD_FUNCTION,     /* which may take references */
	WT_WORD_TAKES_VALUES, /* a function that can change none of its arguments */
};

struct wt_assignments {
	const struct wt_tokens *file;
	bool is_c; /* nothing is passed by reference */
	enum wt_known_word (*know)(void *opaque, const char *word, size_t size);
	void *opaque;
	const void *whose; /* the same as long as know() answers the same */
};

struct wt_declared {
	const char *name, *function; /* both as the source has them */
	uint32_t line;		     /* where the variable is declared */
	bool is_parameter, is_pointer;
	bool is_constant; /* nothing may assign to it */
};

/* A call in whose place a function stands that was inlined. */
struct wt_text_call {
	const struct wt_tokens *file;
	const char *function; /* that calls */
	uint32_t line;
};

/* A variable that is given its value where it is declared, and never another one. */
struct wt_text_variable {
	struct wt_declared declared;
	int first, last; /* the lines of its declaration: behind them it has the value */
	bool is_once; /* the declaration is reached once only while the function runs that it was inlined into */
	bool is_c;
	const struct wt_tokens *file;
	size_t at, body; /* its name, and the brace of its function */
	struct wt_text_call
		call; /* the innermost one; no file if there is none, or if a macro may make it */
};

/**
 * Is a variable given its value where it is declared, and never another one?
 *
 * @calls: in whose place its function stands, the innermost first.
 */
bool wt_assignments_none(const struct wt_assignments *text, const struct wt_declared *declared,
			 const struct wt_text_call *calls, size_t call_count,
			 struct wt_text_variable *variable_ret);

#endif /* WT_REPLAYER_CODE_ASSIGNMENTS_H */
