/* SPDX-License-Identifier: MIT */
#include "replayer/code/assignments.h"

#include <ctype.h>
#include <string.h>

#include "base/buffer.h"

#define MAX_DEPTH 24  /* of statements, and of macros in macros */
#define MAX_CALLED 64 /* functions of the file that are looked through for one */

/* ---- Words ---- */

static bool token_is_same(const struct wt_token *a, const struct wt_token *b)
{
	return a->word == b->word;
}

/* Does it assign to what stands beside it? */
static bool token_assigns(const struct wt_token *token)
{
	static const char *const signs[] = {"=",  "+=",	    "-=",    "*=",     "/=",  "%=",
					    "&=", "|=",	    "^=",    "<<=",    ">>=", "++",
					    "--", "and_eq", "or_eq", "xor_eq", NULL};

	return wt_token_is_among(token, signs);
}

/* An operator that makes a number of what stands beside it. */
static bool token_computes(const struct wt_token *token)
{
	static const char *const signs[] = {"+",     "-",   "*",     "/",      "%",   "|",  "^",
					    "==",    "!=",  "<",     ">",      "<=",  ">=", "&&",
					    "||",    "<<",  "~",     "!",      "and", "or", "not",
					    "bitor", "xor", "compl", "not_eq", NULL};

	return wt_token_is_among(token, signs);
}

/* Words that stand in front of a value, or of a parenthesis that is no call. */
static bool token_is_keyword(const struct wt_token *token)
{
	static const char *const words[] = {"if",
					    "for",
					    "while",
					    "switch",
					    "return",
					    "sizeof",
					    "else",
					    "do",
					    "case",
					    "throw",
					    "co_return",
					    "alignof",
					    "_Alignof",
					    "constexpr",
					    "typeof",
					    "__typeof__",
					    "decltype",
					    "__attribute__",
					    "alignas",
					    "_Alignas",
					    "static_assert",
					    "_Static_assert",
					    "noexcept",
					    "and",
					    "or",
					    "not",
					    "bitor",
					    "xor",
					    "compl",
					    "not_eq",
					    NULL};

	return token->kind == WT_TOKEN_WORD && wt_token_is_among(token, words);
}

/* Macros are written in capitals. */
static bool token_is_capital(const struct wt_token *token)
{
	bool capital = false;

	for (uint32_t i = 0; i < token->size; i++) {
		if (islower((unsigned char)token->text[i]))
			return false;
		capital |= isupper((unsigned char)token->text[i]) != 0;
	}
	return capital;
}

static bool token_begins(const struct wt_token *token, const char *with)
{
	return token->size >= strlen(with) && !memcmp(token->text, with, strlen(with));
}

/* Is a word the name of a member, or of a scope? */
static bool is_other_name(const struct wt_tokens *tokens, size_t at)
{
	static const char *const before[] = {".", "->", "::", NULL};

	return wt_token_is_among(wt_tokens_at(tokens, at - 1), before) ||
	       wt_tokens_is(tokens, at + 1, "::");
}

/* ---- Functions ---- */

/* The body behind the parenthesis that a parameter stands in. */
static size_t tokens_body_behind(const struct wt_tokens *tokens, size_t parameter)
{
	size_t at = tokens->list[parameter].around;

	if (at == WT_NO_TOKEN || !wt_token_is_sign(&tokens->list[at], '('))
		return WT_NO_TOKEN;
	for (at = tokens->list[at].partner; at < tokens->count; at++) {
		/* Members that are made of parameters stand in front of a body. */
		if (wt_token_is_sign(&tokens->list[at], ';') ||
		    wt_token_is_sign(&tokens->list[at], ':'))
			return WT_NO_TOKEN;
		if (wt_token_is_sign(&tokens->list[at], '('))
			at = tokens->list[at].partner;
		if (wt_token_is_sign(&tokens->list[at], '{'))
			return at;
	}
	return WT_NO_TOKEN;
}

/* ---- Macros and functions by name ---- */

struct look {
	const struct wt_assignments *text;
	unsigned int depth;
};

static enum wt_known_word look_word(const struct look *look, const struct wt_token *word);

/* Is a token in a list of parameters of a macro, from @from up to @to, or what stands for its rest? */
static bool words_include(const struct wt_token *words, size_t from, size_t to,
			  const struct wt_token *word)
{
	for (size_t i = from; i < to; i++)
		if (token_is_same(&words[i], word))
			return true;
	return wt_token_is(word, "__VA_ARGS__");
}

/* Does it have a parameter of the macro up to where its parenthesis closes? */
static bool call_has_parameter(const struct wt_token *words, size_t at, size_t count, size_t from,
			       size_t to)
{
	unsigned int depth = 0;

	for (; at < count; at++) {
		depth += wt_token_is_sign(&words[at], '(');
		depth -= wt_token_is_sign(&words[at], ')');
		if (!depth)
			return false;
		if (words_include(words, from, to, &words[at]))
			return true;
	}
	return true;
}

/* Is a word all that a macro leaves, in as many parentheses as it may have? Then what stands around the macro may assign to it. */
static bool word_is_left(const struct wt_token *words, size_t at, size_t first, size_t count)
{
	size_t from = at, to = at + 1;

	while (from > first && wt_token_is_sign(&words[from - 1], '('))
		from--;
	while (to < count && wt_token_is_sign(&words[to], ')'))
		to++;
	return (from == first || wt_token_is_sign(&words[from - 1], ',')) &&
	       (to == count || wt_token_is_sign(&words[to], ',') ||
		wt_token_is_sign(&words[to], ';'));
}

/* Does a word of a macro's text do nothing but read? */
static bool macro_word_reads(const struct look *look, const struct wt_token *words, size_t at,
			     size_t count, size_t from, size_t to)
{
	static const char *const never[] = {"for",   "goto", "asm",    "__asm__", "__asm",
					    "while", "if",   "return", NULL};
	const struct wt_token *word = &words[at];
	bool is_called = at + 1 < count && wt_token_is_sign(&words[at + 1], '(');
	enum wt_known_word known;

	if (word->kind == WT_TOKEN_SIGN)
		return !token_assigns(word) && !wt_token_is_sign(word, '&') &&
		       !wt_token_is(word, "##") && !wt_token_is_sign(word, '{');
	if (word->kind != WT_TOKEN_WORD)
		return true;
	if (wt_token_is_among(word, never))
		return false;
	if (words_include(words, from, to, word))
		return !is_called && !word_is_left(words, at, to ? to + 1 : 2, count);
	if (token_is_keyword(word))
		return true;
	known = look_word(look, word);
	if (is_called && known != WT_WORD_TAKES_VALUES)
		return known != WT_WORD_NAME && (known || !token_is_capital(word)) &&
		       !call_has_parameter(words, at + 1, count, from, to);
	return known || !token_is_capital(word);
}

/* Finds the parameters of a macro, which are right behind its name. Return: where its text begins. */
static size_t macro_parameters(const struct wt_token *words, size_t count, size_t *from, size_t *to)
{
	if (count < 3 || !wt_token_is_sign(&words[2], '(') ||
	    words[2].text != words[1].text + words[1].size)
		return 2;
	for (*from = *to = 3; *to < count && !wt_token_is_sign(&words[*to], ')'); ++*to)
		;
	return *to + 1;
}

static bool macro_reads(const struct look *look, const struct wt_tokens *tokens,
			const struct wt_directive *directive)
{
	const struct wt_token *words = &tokens->words[directive->first];
	size_t from = 0, to = 0, at = macro_parameters(words, directive->count, &from, &to);

	for (; at < directive->count; at++)
		if (!macro_word_reads(look, words, at, directive->count, from, to))
			return false;
	return true;
}

/* All macros of a name: are there any, and do all of them only read? */
static bool macros_find(const struct look *look, const struct wt_tokens *tokens,
			const struct wt_token *word, bool *reads)
{
	bool found = false;

	for (size_t i = 0; i < tokens->directive_count; i++) {
		const struct wt_directive *directive = &tokens->directives[i];
		const struct wt_token *words = &tokens->words[directive->first];

		if (directive->count < 2 || !wt_token_is(words, "define") ||
		    !token_is_same(&words[1], word))
			continue;
		found = true;
		*reads = *reads && macro_reads(look, tokens, directive);
	}
	return found;
}

/* Does the text of a macro name a variable? What the macro does to it depends on what stands around that. */
static bool macros_name(const struct wt_tokens *tokens, const char *name)
{
	for (size_t i = 0; i < tokens->directive_count; i++) {
		const struct wt_directive *directive = &tokens->directives[i];
		const struct wt_token *words = &tokens->words[directive->first];
		size_t from = 0, to = 0, at = macro_parameters(words, directive->count, &from, &to);

		if (!directive->count || !wt_token_is(words, "define"))
			continue;
		for (; at < directive->count; at++)
			if (wt_token_is(&words[at], name) &&
			    !words_include(words, from, to, &words[at]))
				return true;
	}
	return false;
}

/* Does a list of parameters, or of arguments, have a reference? */
static bool parenthesis_has_reference(const struct wt_tokens *tokens, size_t open)
{
	for (size_t i = open; i < tokens->list[open].partner; i++)
		if (wt_token_is_sign(&tokens->list[i], '&') || wt_tokens_is(tokens, i, "&&"))
			return true;
	return false;
}

/* The number of the function whose body begins there; WT_NO_TOKEN if none does. */
static size_t tokens_function(const struct wt_tokens *tokens, size_t body)
{
	for (size_t i = 0; i < tokens->function_count; i++)
		if (tokens->functions[i].body == body)
			return i;
	return WT_NO_TOKEN;
}

/* Does the body of a function follow its parameters? */
static bool is_defined_behind(const struct wt_tokens *tokens, size_t close)
{
	static const char *const between[] = {"const", "noexcept", "override", "final", NULL};

	while (wt_token_is_among(wt_tokens_at(tokens, ++close), between))
		;
	return tokens_function(tokens, close) != WT_NO_TOKEN;
}

/* Finds what the text of a file says of a word where it declares it. */
static enum wt_known_word declared_as(const struct wt_tokens *tokens, const struct wt_token *word,
				      bool is_c)
{
	bool is_function = false, is_name = false, has_reference = false;

	for (size_t at = 1; at < tokens->count; at++) {
		const struct wt_token *before = &tokens->list[at - 1],
				      *next = wt_tokens_at(tokens, at + 1);
		size_t around = tokens->list[at].around;

		if (!token_is_same(&tokens->list[at], word))
			continue;
		if (around != WT_NO_TOKEN && around &&
		    wt_token_is_sign(&tokens->list[around], '{')) {
			const struct wt_token *kind = wt_tokens_at(tokens, around - 1);

			is_name |= wt_token_is(kind, "enum") ||
				   wt_tokens_is(tokens, around - 2, "enum") ||
				   wt_tokens_is(tokens, around - 3, "enum") ||
				   wt_tokens_is(tokens, around - 4, "enum");
		}
		if (before->kind != WT_TOKEN_WORD && !wt_token_is_sign(before, '*') &&
		    !wt_token_is_sign(before, '&') && !wt_token_is_sign(before, '>'))
			continue;
		if (token_is_keyword(before))
			continue;
		if (!wt_token_is_sign(next, '(')) {
			is_name = true;
			continue;
		}
		if (wt_tokens_at(tokens, at)->body != WT_NO_TOKEN)
			continue;
		has_reference |= parenthesis_has_reference(tokens, at + 1);
		is_function |= is_defined_behind(tokens, next->partner);
	}
	/* A variable that has the name of a function, too, may be called in its place. */
	if (is_function)
		return (has_reference || is_name) && !is_c ? WT_WORD_FUNCTION
							   : WT_WORD_TAKES_VALUES;
	return is_name ? WT_WORD_NAME : WT_WORD_UNKNOWN;
}

/* Names of the language, and macros of its library for numbers: the standard keeps both from meaning something else. */
static enum wt_known_word known_to_all(const struct wt_token *word)
{
	static const char *const names[] = {
		/* of the language */
		"this", "true", "false", "nullptr", "NULL",
		/* limits.h */
		"CHAR_BIT", "CHAR_MIN", "CHAR_MAX", "SCHAR_MIN", "SCHAR_MAX", "UCHAR_MAX",
		"SHRT_MIN", "SHRT_MAX", "USHRT_MAX", "INT_MIN", "INT_MAX", "UINT_MAX", "LONG_MIN",
		"LONG_MAX", "ULONG_MAX", "LLONG_MIN", "LLONG_MAX", "ULLONG_MAX",
		/* stdint.h */
		"INT8_MIN", "INT8_MAX", "UINT8_MAX", "INT16_MIN", "INT16_MAX", "UINT16_MAX",
		"INT32_MIN", "INT32_MAX", "UINT32_MAX", "INT64_MIN", "INT64_MAX", "UINT64_MAX",
		"SIZE_MAX",
		/* float.h and math.h */
		"FLT_MIN", "FLT_MAX", "FLT_EPSILON", "DBL_MIN", "DBL_MAX", "DBL_EPSILON",
		"INFINITY", "NAN", "HUGE_VAL", "HUGE_VALF", "M_PI", "M_PI_2", "M_PI_4", "M_1_PI",
		"M_2_PI", "M_E", "M_LOG2E", "M_LN2", "M_LN10", "M_SQRT2", "M_SQRT1_2", NULL};

	if (wt_token_is_among(word, names))
		return WT_WORD_NAME;
	if (token_begins(word, "__builtin_") && !token_begins(word, "__builtin_va_"))
		return WT_WORD_TAKES_VALUES;
	return WT_WORD_UNKNOWN;
}

/*
 * Finds what is known of a word. One that nobody knows, and a macro that may do anything, is WT_WORD_UNKNOWN; a macro that only reads is
 * like a function that takes values.
 */
static enum wt_known_word word_find(const struct look *look, const struct wt_token *word)
{
	const struct wt_assignments *text = look->text;
	struct look deeper = {text, look->depth + 1};
	enum wt_known_word known, other = WT_WORD_UNKNOWN;
	bool reads = true, found;

	if (deeper.depth > MAX_DEPTH)
		return WT_WORD_UNKNOWN;
	found = macros_find(&deeper, text->file, word, &reads);
	if (found)
		return reads ? WT_WORD_TAKES_VALUES : WT_WORD_UNKNOWN;
	known = known_to_all(word);
	if (!known)
		known = declared_as(text->file, word, text->is_c);
	/* Another file may have a function of the same name. */
	if ((!known || known == WT_WORD_TAKES_VALUES) && text->know)
		other = text->know(text->opaque, word->text, word->size);
	if (!known || other == WT_WORD_FUNCTION)
		known = other;
	return known == WT_WORD_FUNCTION && text->is_c ? WT_WORD_TAKES_VALUES : known;
}

/* Notes that hold for who asks now. */
static struct wt_token_notes *text_notes(const struct wt_assignments *text)
{
	struct wt_token_notes *notes = text->file->notes;

	if (notes->whose != text->whose) {
		memset(notes->words, 0, text->file->different);
		memset(notes->functions, 0, text->file->function_count);
		notes->whose = text->whose;
	}
	return notes;
}

static enum wt_known_word look_word(const struct look *look, const struct wt_token *word)
{
	uint8_t *note = &text_notes(look->text)->words[word->word];
	enum wt_known_word known;

	if (*note)
		return (enum wt_known_word)(*note - 1);
	/* Macros that lead to themselves, or too deep, are not known, whoever asks then: each word is looked for once. */
	*note = WT_WORD_UNKNOWN + 1;
	known = word_find(look, word);
	*note = (uint8_t)(known + 1);
	return known;
}

/* ---- Statements ---- */

/* The end of a statement: the index behind it. Notes whether a token is in a loop. */
static size_t statement_end(const struct wt_tokens *tokens, size_t at, size_t wanted,
			    bool *is_in_loop, unsigned int depth);

static size_t statement_loop(const struct wt_tokens *tokens, size_t from, size_t body,
			     size_t wanted, bool *is_in_loop, unsigned int depth)
{
	size_t end = statement_end(tokens, body, wanted, is_in_loop, depth);

	*is_in_loop |= from <= wanted && wanted < end;
	return end;
}

/* Blocks in brackets, as of a lambda, or of a statement that is an expression, have loops of their own. */
static void bracket_search(const struct wt_tokens *tokens, size_t open, size_t wanted,
			   bool *is_in_loop, unsigned int depth)
{
	for (size_t at = open; at < tokens->list[open].partner; at++)
		if (wt_token_is_sign(&tokens->list[at], '{')) {
			statement_end(tokens, at, wanted, is_in_loop, depth);
			at = tokens->list[at].partner;
		}
}

static size_t statement_end(const struct wt_tokens *tokens, size_t at, size_t wanted,
			    bool *is_in_loop, unsigned int depth)
{
	static const char *const loops[] = {"for", "while", "do", NULL};
	size_t from = at;

	if (depth > MAX_DEPTH) {
		*is_in_loop = true;
		return tokens->count;
	}
	depth++;
	if (wt_token_is_sign(wt_tokens_at(tokens, at), '{')) {
		size_t end = tokens->list[at].partner;

		for (at++; at < end;)
			at = statement_end(tokens, at, wanted, is_in_loop, depth);
		return end + 1;
	}
	if (wt_tokens_is(tokens, at, "do"))
		return statement_loop(tokens, from, at + 1, wanted, is_in_loop, depth);
	if (wt_tokens_is(tokens, at, "else"))
		return statement_end(tokens, at + 1, wanted, is_in_loop, depth);
	if (wt_tokens_is(tokens, at, "if") && wt_tokens_is(tokens, at + 1, "constexpr"))
		at++;
	if (wt_token_is_sign(wt_tokens_at(tokens, at + 1), '(')) {
		size_t behind = tokens->list[at + 1].partner + 1;

		if (wt_tokens_is(tokens, at, "for") || wt_tokens_is(tokens, at, "while"))
			return statement_loop(tokens, from, behind, wanted, is_in_loop, depth);
		if (wt_tokens_is(tokens, from, "if") || wt_tokens_is(tokens, at, "switch")) {
			bracket_search(tokens, at + 1, wanted, is_in_loop, depth);
			at = statement_end(tokens, behind, wanted, is_in_loop, depth);
			if (wt_tokens_is(tokens, at, "else"))
				at = statement_end(tokens, at, wanted, is_in_loop, depth);
			return at;
		}
	}
	for (; at < tokens->count; at++) {
		const struct wt_token *token = &tokens->list[at];

		if (wt_token_is_sign(token, ';'))
			return at + 1;
		/* A label is a part of the statement behind it, as a choice is of its own. */
		if (wt_token_is_sign(token, ':'))
			return statement_end(tokens, at + 1, wanted, is_in_loop, depth);
		if (wt_token_is_sign(token, '}'))
			return at;
		/* A loop behind a block, or an attribute. */
		if (at > from && wt_token_is_among(token, loops))
			return statement_end(tokens, at, wanted, is_in_loop, depth);
		if (token->partner != WT_NO_TOKEN && token->partner > at) {
			bracket_search(tokens, at, wanted, is_in_loop, depth);
			at = token->partner;
		}
	}
	return at;
}

/* ---- Is all of a function what it seems to be? ---- */

/* Is the type that decltype makes a reference: that of a variable in parentheses? */
static bool begins_reference_type(const struct wt_tokens *tokens, size_t at)
{
	return wt_token_is_sign(wt_tokens_at(tokens, at + 2), '(') ||
	       wt_tokens_is(tokens, at + 2, "auto");
}

/* Does a lambda begin that returns a reference? */
static bool returns_reference(const struct wt_tokens *tokens, size_t at)
{
	return (wt_token_is_sign(&tokens->list[at], '&') || wt_tokens_is(tokens, at, "&&")) &&
	       wt_token_is_sign(wt_tokens_at(tokens, at + 1), '{');
}

/* Does a sign end what stands before a statement? */
static bool sign_leads_statement(const struct wt_token *sign)
{
	static const char *const signs[] = {";", "{", "}", ")", ":", NULL};

	return wt_token_is_among(sign, signs);
}

/* May a statement begin at an index? What is behind a cast in an expression is an operand. */
static bool may_begin_statement(const struct wt_tokens *tokens, size_t at)
{
	const struct wt_token *before = wt_tokens_at(tokens, at - 1), *cast;

	if (!wt_token_is_sign(before, ')'))
		return sign_leads_statement(before);
	cast = wt_tokens_at(tokens, before->partner - 1);
	return cast->kind != WT_TOKEN_SIGN ? !wt_token_is(cast, "return")
					   : sign_leads_statement(cast);
}

/* May a word of a function's body be a macro that does more than read? */
static bool word_may_hide(const struct look *look, size_t at)
{
	static const char *const jumps[] = {"goto", "asm", "__asm__", "__asm", NULL};
	static const char *const alone[] = {"break",	"continue", "return", "default",
					    "throw",	"try",	    "const",  "mutable",
					    "override", "final",    "enum",   NULL};
	const struct wt_tokens *tokens = look->text->file;
	const struct wt_token *word = &tokens->list[at], *next = wt_tokens_at(tokens, at + 1);
	enum wt_known_word known;
	bool reads = true, found;

	if (wt_token_is(word, "decltype"))
		return begins_reference_type(tokens, at);
	if (token_is_keyword(word) || wt_token_is_among(word, alone))
		return false;
	if (wt_token_is_among(word, jumps))
		return wt_token_is(word, "goto");
	found = macros_find(look, look->text->file, word, &reads);
	if (found)
		return !reads;
	/* Behind the parenthesis of a call no word stands, and no block. */
	if (wt_token_is_sign(next, '(') && !wt_token_is_prefix(word)) {
		const struct wt_token *behind = wt_tokens_at(tokens, next->partner + 1);

		if (wt_token_is_sign(behind, '{') ||
		    (behind->kind != WT_TOKEN_SIGN && !token_is_keyword(behind)))
			return true;
	}
	if (is_other_name(tokens, at) ||
	    (!token_is_capital(word) &&
	     !(may_begin_statement(tokens, at) &&
	       (wt_token_is_sign(next, ';') || wt_token_is_sign(next, '{')))))
		return false;
	known = look_word(look, word);
	return !known;
}

static bool has_directive_in(const struct wt_tokens *tokens, size_t from, size_t to)
{
	for (size_t i = 0; i < tokens->directive_count; i++) {
		const struct wt_directive *directive = &tokens->directives[i];
		const struct wt_token *word = &tokens->words[directive->first];

		if (directive->at <= from || directive->at > to || !directive->count)
			continue;
		if (wt_token_is(word, "include") || wt_token_is(word, "define") ||
		    wt_token_is(word, "undef"))
			return true;
		/* Pragmas that unroll say nothing of variables. */
		if (wt_token_is(word, "pragma") && directive->count > 1 &&
		    !wt_token_is(&word[1], "unroll") && !wt_token_is(&word[1], "nounroll") &&
		    !wt_token_is(&word[1], "clang"))
			return true;
	}
	return false;
}

/* Is a function, which has a body, declared with a name: does that stand in front of a parenthesis there? Several may stand in one line. */
static bool function_is_named(const struct wt_tokens *tokens,
			      const struct wt_text_function *function, const char *name,
			      size_t size)
{
	for (size_t at = function->head; at < function->body; at++) {
		const struct wt_token *token = &tokens->list[at];

		if (token->size == size && !memcmp(token->text, name, size) &&
		    wt_token_is_sign(token + 1, '('))
			return true;
	}
	return false;
}

/*
 * Does a function come to be called while it runs? All functions of the file that it names are looked through. Compilers make a loop of such
 * a call.
 */
static bool is_recursive(const struct wt_tokens *tokens, size_t body, const char *function)
{
	size_t bodies[MAX_CALLED] = {body}, count = 1;

	for (size_t i = 0; i < count; i++)
		for (size_t at = bodies[i]; at < tokens->list[bodies[i]].partner; at++) {
			const struct wt_token *word = &tokens->list[at];

			if (word->kind != WT_TOKEN_WORD || token_is_keyword(word))
				continue;
			if (wt_token_is(word, function))
				return true;
			for (size_t j = 0; j < tokens->function_count; j++) {
				bool is_new = function_is_named(tokens, &tokens->functions[j],
								word->text, word->size);

				for (size_t k = 0; k < count; k++)
					is_new &= bodies[k] != tokens->functions[j].body;
				if (is_new && count == MAX_CALLED)
					return true;
				if (is_new)
					bodies[count++] = tokens->functions[j].body;
			}
		}
	return false;
}

/* Is the function of a body one that is read in full: nothing in it may hide something, and it is not called again while it runs? */
static bool body_find_plain(const struct look *look, size_t body, const char *function)
{
	const struct wt_tokens *tokens = look->text->file;
	size_t end = tokens->list[body].partner;

	if (has_directive_in(tokens, body, end) || is_recursive(tokens, body, function))
		return false;
	for (size_t at = body; at < end; at++)
		if (returns_reference(tokens, at) ||
		    (tokens->list[at].kind == WT_TOKEN_WORD && word_may_hide(look, at)))
			return false;
	return true;
}

static bool body_is_plain(const struct look *look, size_t body, const char *function)
{
	const struct wt_tokens *tokens = look->text->file;
	size_t number = tokens_function(tokens, body);
	uint8_t *note;

	if (number == WT_NO_TOKEN ||
	    !function_is_named(tokens, &tokens->functions[number], function, strlen(function)))
		return false;
	note = &text_notes(look->text)->functions[number];
	if (!*note)
		*note = body_find_plain(look, body, function) ? 1 : 2;
	return *note == 1;
}

/* Only functions with a name can be looked for where they are called. */
static bool is_plain_name(const char *name)
{
	for (const char *at = name; *at; at++)
		if (!isalnum((unsigned char)*at) && *at != '_')
			return false;
	return *name && strncmp(name, "operator", strlen("operator")) != 0;
}

/* ---- Does a place only read the variable? ---- */

/* Which arguments may a parenthesis change? */
enum taking {
	TAKES_NOTHING, /* no variable, as arithmetic */
	TAKES_WHOLE,   /* those that are a variable and nothing else */
	TAKES_ANY,     /* it may be a macro */
};

static enum taking parenthesis_takes(const struct look *look, size_t open)
{
	const struct wt_tokens *tokens = look->text->file;
	const struct wt_token *before = wt_tokens_at(tokens, open - 1);

	if (before->kind == WT_TOKEN_TEXT)
		return TAKES_ANY; /* of asm */
	if (before->kind != WT_TOKEN_WORD) {
		bool is_called = wt_token_is_sign(before, '>') || wt_token_is_sign(before, ')') ||
				 wt_token_is_sign(before, ']') || wt_token_is_sign(before, '}');

		return look->text->is_c || !is_called ? TAKES_NOTHING : TAKES_WHOLE;
	}
	if (token_is_keyword(before))
		return TAKES_NOTHING;
	switch (look_word(look, before)) {
	case WT_WORD_TAKES_VALUES:
		return TAKES_NOTHING;
	case WT_WORD_FUNCTION:
		return TAKES_WHOLE;
	case WT_WORD_NAME: /* a pointer to a function, or an object that is called */
		return look->text->is_c ? TAKES_NOTHING : TAKES_WHOLE;
	case WT_WORD_UNKNOWN:
		break;
	}
	return TAKES_ANY;
}

/* Is '&' at an index an address or a reference? */
static bool takes_address(const struct wt_tokens *tokens, size_t at)
{
	const struct wt_token *before = wt_tokens_at(tokens, at - 1);

	if (!wt_tokens_is(tokens, at, "&") && !wt_tokens_is(tokens, at, "bitand"))
		return false;
	return !(before->kind == WT_TOKEN_NUMBER || wt_token_is_sign(before, ']') ||
		 (before->kind == WT_TOKEN_WORD && !token_is_keyword(before)));
}

/* Is what '=' at an index begins a reference? */
static bool begins_reference(const struct wt_tokens *tokens, size_t at)
{
	const struct wt_token *before = wt_tokens_at(tokens, at - 2);

	return wt_token_is_sign(wt_tokens_at(tokens, at), '=') &&
	       (wt_token_is_sign(before, '&') || wt_token_is(before, "&&"));
}

/* Is an operand of "a ? b : c" in a statement that assigns its value to something that is no reference, or returns it? */
static bool is_chosen_value(const struct wt_tokens *tokens, size_t at)
{
	size_t around = tokens->list[at].around;

	if (around == WT_NO_TOKEN || !wt_token_is_sign(&tokens->list[around], '{'))
		return false;
	while (at-- > around + 1) {
		const struct wt_token *token = &tokens->list[at];

		if (token->around != around)
			continue;
		if (wt_token_is_sign(token, ';') || wt_token_is_sign(token, '{') ||
		    wt_token_is_sign(token, '}') || wt_token_is_sign(token, ','))
			return false;
		if (wt_token_is_sign(token, '='))
			return !begins_reference(tokens, at);
	}
	return false;
}

/* Is a value that stands alone, between commas or brackets, only read? */
static bool reads_whole(const struct look *look, size_t at, size_t from, size_t to)
{
	const struct wt_tokens *tokens = look->text->file;
	const struct wt_token *before = wt_tokens_at(tokens, from - 1),
			      *next = wt_tokens_at(tokens, to + 1);
	size_t around = tokens->list[from].around;

	if (wt_token_is(before, "?") || wt_token_is_sign(before, ':') ||
	    wt_token_is_sign(next, ':'))
		return (wt_token_is(before, "?") || wt_token_is_sign(before, ':')) &&
		       (look->text->is_c || is_chosen_value(tokens, at));
	if (around == WT_NO_TOKEN)
		return false;
	/* "(a, v) = 1" is an assignment to v in C++. */
	if (wt_token_is_sign(&tokens->list[around], '('))
		return parenthesis_takes(look, around) == TAKES_NOTHING &&
		       (look->text->is_c ||
			wt_tokens_at(tokens, around - 1)->kind == WT_TOKEN_WORD);
	if (wt_token_is_sign(&tokens->list[around], '['))
		return true;
	/* A list of values; a statement of the variable alone would be a declaration. */
	return look->text->is_c && !wt_token_is_sign(before, ';') && !wt_token_is_sign(next, ';') &&
	       !wt_token_is_sign(before, '}');
}

/* A variable, in as many parentheses as it may have. */
static bool place_reads(const struct look *look, size_t at, bool is_pointer)
{
	const struct wt_tokens *tokens = look->text->file;
	const struct wt_token *before, *next;
	size_t from = at, to = at;
	bool is_element;

	for (size_t around = tokens->list[at].around; around != WT_NO_TOKEN;
	     around = tokens->list[around].around)
		if (wt_token_is_sign(&tokens->list[around], '(') &&
		    parenthesis_takes(look, around) == TAKES_ANY)
			return false;
	while (from && wt_token_is_sign(wt_tokens_at(tokens, from - 1), '(') &&
	       wt_tokens_at(tokens, from - 1)->partner == to + 1 &&
	       wt_tokens_at(tokens, from - 2)->kind == WT_TOKEN_SIGN &&
	       parenthesis_takes(look, from - 1) == TAKES_NOTHING) {
		from--;
		to++;
	}
	before = wt_tokens_at(tokens, from - 1);
	next = wt_tokens_at(tokens, to + 1);
	is_element = is_pointer && (wt_token_is_sign(next, '[') || wt_token_is(next, "->"));
	/* "*p = 1" leaves p as it is. */
	if (is_pointer && wt_token_is_sign(before, '*') && token_assigns(next))
		return !wt_token_is(next, "++") && !wt_token_is(next, "--");
	if (token_assigns(next) || wt_token_is(before, "++") || wt_token_is(before, "--") ||
	    (takes_address(tokens, from - 1) && !is_element) || wt_token_is_sign(next, '(') ||
	    wt_token_is_sign(next, '.') ||
	    (!is_element && (wt_token_is_sign(next, '[') || wt_token_is(next, "->"))))
		return false;
	if (before->kind == WT_TOKEN_TEXT || before->kind == WT_TOKEN_NUMBER ||
	    (before->kind == WT_TOKEN_WORD && !token_is_keyword(before)))
		return false;
	if (wt_token_is(before, ">>"))
		return look->text->is_c;
	if (token_computes(before) || token_computes(next) || wt_token_is_sign(next, '&') ||
	    wt_token_is(next, ">>") || wt_token_is(next, "?") || is_element)
		return true;
	if (wt_token_is_sign(before, '&') || wt_token_is_sign(before, '[') ||
	    before->kind == WT_TOKEN_WORD)
		return true;
	if (token_assigns(before))
		return look->text->is_c || !begins_reference(tokens, from - 1);
	/* A cast makes a value, if it is not one to a reference. */
	if (wt_token_is_sign(before, ')') && wt_token_is_sign(wt_tokens_at(tokens, from - 2), '&'))
		return false;
	if (wt_token_is_sign(before, ')') && before->partner != WT_NO_TOKEN && before->partner &&
	    wt_tokens_at(tokens, before->partner - 1)->kind != WT_TOKEN_WORD)
		return !wt_token_is(wt_tokens_at(tokens, from - 2), "&&");
	return reads_whole(look, at, from, to);
}

/* ---- Variables ---- */

/* The first word of a name in a line. */
static size_t find_in_line(const struct wt_tokens *tokens, uint32_t line, const char *name)
{
	for (size_t i = wt_tokens_in_line(tokens, line);
	     i < tokens->count && tokens->list[i].line == line; i++)
		if (wt_token_is(&tokens->list[i], name))
			return i;
	return WT_NO_TOKEN;
}

/* The last line of a declaration; 0 if it gives no value. */
static uint32_t declaration_last_line(const struct wt_tokens *tokens, size_t at)
{
	static const char *const signs[] = {"=", "(", "{", NULL};
	size_t end = at + 1;

	if (!wt_token_is_among(wt_tokens_at(tokens, end), signs))
		return 0;
	for (; end < tokens->count && !wt_token_is_sign(&tokens->list[end], ';'); end++)
		if (tokens->list[end].partner != WT_NO_TOKEN && tokens->list[end].partner > end)
			end = tokens->list[end].partner;
	return end < tokens->count ? tokens->list[end].line : 0;
}

static bool variable_is_set_once(const struct wt_assignments *text,
				 const struct wt_declared *declared,
				 struct wt_text_variable *variable)
{
	const struct wt_tokens *tokens = text->file;
	const struct look look = {text, 0};
	bool is_in_loop = false;
	size_t at, body;

	at = find_in_line(tokens, declared->line, declared->name);
	if (at == WT_NO_TOKEN)
		return false;
	body = declared->is_parameter ? tokens_body_behind(tokens, at)
				      : wt_tokens_at(tokens, at)->body;
	*variable = (struct wt_text_variable){
		.declared = *declared, .is_c = text->is_c, .file = tokens, .at = at, .body = body};
	variable->first = (int)declared->line;
	variable->last =
		declared->is_parameter ? variable->first : (int)declaration_last_line(tokens, at);
	if (body == WT_NO_TOKEN || !variable->last ||
	    !body_is_plain(&look, body, declared->function) ||
	    (!declared->is_constant && macros_name(tokens, declared->name)))
		return false;
	if (!declared->is_parameter)
		statement_end(tokens, body, at, &is_in_loop, 0);
	for (size_t i = at + 1; i < tokens->list[body].partner && !declared->is_constant; i++)
		if (wt_token_is(&tokens->list[i], declared->name) && !is_other_name(tokens, i) &&
		    !place_reads(&look, i, declared->is_pointer))
			return false;
	variable->is_once = !is_in_loop;
	return true;
}

/* The brace of the one function that a call's line is in, if that is read in full; WT_NO_TOKEN if there is none. Notes loops around the line. */
static size_t call_find_body(const struct wt_assignments *text, const struct wt_text_call *call,
			     bool *is_in_loop)
{
	const struct wt_assignments there = {.file = call->file,
					     .is_c = text->is_c,
					     .know = text->know,
					     .opaque = text->opaque,
					     .whose = text->whose};
	const struct look look = {&there, 0};
	const struct wt_tokens *tokens = call->file;
	size_t body = WT_NO_TOKEN;

	if (tokens->is_odd || !is_plain_name(call->function))
		return WT_NO_TOKEN;
	for (size_t i = wt_tokens_in_line(tokens, call->line);
	     i < tokens->count && tokens->list[i].line == call->line; i++) {
		size_t around = tokens->list[i].body;

		if (around == WT_NO_TOKEN)
			continue;
		statement_end(tokens, around, i, is_in_loop, 0);
		if (body != WT_NO_TOKEN && around != body)
			return WT_NO_TOKEN;
		body = around;
	}
	return body != WT_NO_TOKEN && body_is_plain(&look, body, call->function) ? body
										 : WT_NO_TOKEN;
}

bool wt_assignments_none(const struct wt_assignments *text, const struct wt_declared *declared,
			 const struct wt_text_call *calls, size_t call_count,
			 struct wt_text_variable *variable)
{
	if (text->file->is_odd || !is_plain_name(declared->function) ||
	    !variable_is_set_once(text, declared, variable))
		return false;
	for (size_t i = 0; i < call_count && (!i || variable->is_once); i++) {
		bool is_in_loop = false;
		size_t body = call_find_body(text, &calls[i], &is_in_loop);

		/* Code of the line is reached once only if no loop is around the line. */
		variable->is_once &= body != WT_NO_TOKEN && !is_in_loop;
		if (!i && body != WT_NO_TOKEN && !macros_name(calls->file, declared->function))
			variable->call = *calls;
	}
	return true;
}
