/* SPDX-License-Identifier: MIT */
/* The tokens of a file of C or C++, as they are in its text: no macro is expanded, and all branches of conditions are there. */
#ifndef WT_REPLAYER_CODE_TOKENS_H
#define WT_REPLAYER_CODE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum wt_token_kind {
	WT_TOKEN_WORD, /* a name or a keyword */
	WT_TOKEN_NUMBER,
	WT_TOKEN_TEXT, /* a string or a character */
	WT_TOKEN_SIGN, /* an operator, or a bracket */
};

#define WT_NO_TOKEN SIZE_MAX

struct wt_token {
	enum wt_token_kind kind;
	uint32_t line, size;
	const char *text;
	size_t partner; /* of a bracket: the one that belongs to it; else WT_NO_TOKEN */
	size_t around;	/* the innermost bracket that is open there; WT_NO_TOKEN: none */
	size_t body;	/* the brace of the function's body that it is in; the same */
	size_t word;	/* the same number for the same word */
};

struct wt_directive {
	size_t at;	     /* it stands in front of this token */
	size_t first, count; /* its words, from the one behind '#' */
};

/* A function that has a body: its words from @head on, and its brace. */
struct wt_text_function {
	size_t head, body;
};

/* Answers that cost something, for whoever asks about words and functions; zeros at first. */
struct wt_token_notes {
	const void *whose; /* they are forgotten when somebody else asks */
	uint8_t *words, *functions;
};

struct wt_tokens {
	struct wt_token *list;	 /* without directives */
	size_t count, different; /* words */
	struct wt_text_function *functions;
	size_t function_count;
	struct wt_token_notes *notes;
	struct wt_token *words; /* of directives */
	size_t word_count;
	struct wt_directive *directives;
	size_t directive_count;
	bool is_odd; /* brackets do not fit, or it has what is not read here: nothing can be said of it */
};

/** Find the tokens of a text, which must outlive them. For the caller to wt_tokens_deinit(). Errors: no memory. */
struct wt_error *wt_tokens_init(struct wt_tokens *tokens, const char *text, size_t size);
static inline void wt_tokens_deinit(struct wt_tokens *tokens)
{
	free(tokens->list);
	free(tokens->words);
	free(tokens->directives);
	free(tokens->functions);
	if (tokens->notes) {
		free(tokens->notes->words);
		free(tokens->notes->functions);
	}
	free(tokens->notes);
	*tokens = (struct wt_tokens){0};
}

/** Is a token this one? */
static inline bool wt_token_is(const struct wt_token *token, const char *text)
{
	return token->size == strlen(text) && !memcmp(token->text, text, token->size);
}

static inline bool wt_token_is_sign(const struct wt_token *token, char sign)
{
	return token->kind == WT_TOKEN_SIGN && token->size == 1 && *token->text == sign;
}

/** Is it one of a list that ends with NULL? */
static inline bool wt_token_is_among(const struct wt_token *token, const char *const *list)
{
	for (; *list; list++)
		if (wt_token_is(token, *list))
			return true;
	return false;
}

/** The token at an index that may be outside of the list: then one that is nothing. */
static inline const struct wt_token *wt_tokens_at(const struct wt_tokens *tokens, size_t at)
{
	static const struct wt_token nothing = {.kind = WT_TOKEN_SIGN,
						.text = "",
						.partner = WT_NO_TOKEN,
						.around = WT_NO_TOKEN,
						.body = WT_NO_TOKEN,
						.word = SIZE_MAX};

	return at < tokens->count ? &tokens->list[at] : &nothing;
}

/** Is the token at such an index this one? */
static inline bool wt_tokens_is(const struct wt_tokens *tokens, size_t at, const char *text)
{
	return wt_token_is(wt_tokens_at(tokens, at), text);
}

/** The first token that stands in a line, or behind it. */
static inline size_t wt_tokens_in_line(const struct wt_tokens *tokens, uint32_t line)
{
	size_t from = 0, to = tokens->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (tokens->list[middle].line < line)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/** Words behind whose parenthesis a word or a block may stand. */
static inline bool wt_token_is_prefix(const struct wt_token *token)
{
	static const char *const words[] = {"if",	 "for",	       "while",	   "switch",
					    "typeof",	 "__typeof__", "decltype", "__attribute__",
					    "alignas",	 "_Alignas",   "catch",	   "noexcept",
					    "constexpr", NULL};

	return wt_token_is_among(token, words);
}

#endif /* WT_REPLAYER_CODE_TOKENS_H */
