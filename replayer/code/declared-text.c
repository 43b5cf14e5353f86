/* SPDX-License-Identifier: MIT */
#include "replayer/code/declared-text.h"

/* Tokens of an expression, up to @to. */
struct range {
	const struct wt_tokens *tokens;
	size_t from, to;
};

/* Does a directive stand between two tokens? Then what is between them may be there under a condition only. */
static bool tokens_have_directive(const struct wt_tokens *tokens, size_t from, size_t to)
{
	for (size_t i = 0; i < tokens->directive_count; i++)
		if (tokens->directives[i].at > from && tokens->directives[i].at <= to)
			return true;
	return false;
}

/* ---- In a declaration ---- */

/* Is a statement between braces one that a switch may jump over? Words that keep a variable for other calls do not belong to it either. */
static bool declaration_is_odd(const struct wt_tokens *tokens, size_t at)
{
	static const char *const kept[] = {"static",	    "extern",	  "thread_local",
					   "_Thread_local", "__shared__", NULL};
	size_t around = tokens->list[at].around, before;

	if (around == WT_NO_TOKEN)
		return true;
	before = wt_tokens_at(tokens, around - 1)->partner;
	if (wt_token_is_sign(&tokens->list[around], '{') && before != WT_NO_TOKEN && before &&
	    wt_tokens_is(tokens, before - 1, "switch"))
		return true;
	for (size_t i = at - 1; i > around && !wt_token_is_sign(&tokens->list[i], ';') &&
				!wt_token_is_sign(&tokens->list[i], '}');
	     i--)
		if (wt_token_is_among(&tokens->list[i], kept))
			return true;
	return false;
}

/* The end of an expression that a list may go on behind: at its comma, or at its end. */
static size_t expression_end(const struct wt_tokens *tokens, size_t at, size_t limit)
{
	for (; at < limit; at++) {
		const struct wt_token *token = &tokens->list[at];

		if (wt_token_is_sign(token, ',') || wt_token_is_sign(token, ';'))
			return at;
		if (token->partner != WT_NO_TOKEN && token->partner > at)
			at = token->partner;
	}
	return limit;
}

/* Finds the expression behind the name in a declaration: "= 1", "(1)", "{1}". */
static bool declaration_find_value(const struct wt_text_variable *variable, struct range *range)
{
	const struct wt_tokens *tokens = variable->file;
	size_t at = variable->at + 1, end = tokens->list[variable->body].partner;

	if (declaration_is_odd(tokens, variable->at))
		return false;
	if (wt_token_is_sign(wt_tokens_at(tokens, at), '='))
		at++;
	if (wt_token_is_sign(wt_tokens_at(tokens, at), '{') ||
	    (at == variable->at + 1 && wt_token_is_sign(wt_tokens_at(tokens, at), '('))) {
		end = tokens->list[at].partner;
		at++;
		if (expression_end(tokens, at, end) != end)
			return false;
	}
	*range = (struct range){tokens, at, expression_end(tokens, at, end)};
	return !tokens_have_directive(tokens, variable->at, range->to);
}

/* ---- In a call ---- */

/* May commas of a list, up to a token, belong to what stands between < and > in C++? */
static bool list_has_template(const struct wt_tokens *tokens, size_t open, size_t end)
{
	bool is_open = false;

	for (size_t i = open; i < end; i++) {
		is_open |= wt_token_is_sign(&tokens->list[i], '<');
		if (is_open &&
		    (wt_token_is_sign(&tokens->list[i], '>') || wt_tokens_is(tokens, i, ">>")))
			return true;
	}
	return false;
}

/* The number of a parameter in its list. */
static size_t parameter_number(const struct wt_tokens *tokens, size_t at)
{
	size_t number = 0;

	for (size_t i = tokens->list[at].around + 1; i < at; i++)
		number += wt_token_is_sign(&tokens->list[i], ',') &&
			  tokens->list[i].around == tokens->list[at].around;
	return number;
}

/* The parenthesis of the one call of a function in a line; WT_NO_TOKEN if there are none or several. */
static size_t call_in_line(const struct wt_tokens *tokens, uint32_t line, const char *name)
{
	size_t found = WT_NO_TOKEN;

	for (size_t i = wt_tokens_in_line(tokens, line);
	     i < tokens->count && tokens->list[i].line == line; i++) {
		if (!wt_token_is(&tokens->list[i], name))
			continue;
		if (found != WT_NO_TOKEN || !wt_token_is_sign(wt_tokens_at(tokens, i + 1), '('))
			return WT_NO_TOKEN;
		found = i + 1;
	}
	return found;
}

static bool word_is_macro(const struct wt_tokens *tokens, const struct wt_token *word)
{
	for (size_t i = 0; i < tokens->directive_count; i++) {
		const struct wt_directive *directive = &tokens->directives[i];
		const struct wt_token *words = &tokens->words[directive->first];

		if (directive->count > 1 && wt_token_is(words, "define") &&
		    words[1].word == word->word)
			return true;
	}
	return false;
}

/* Finds what the call that stands around a function passes for a parameter. */
static bool call_find_value(const struct wt_text_variable *variable, struct range *range)
{
	const struct wt_tokens *tokens = variable->call.file, *own = variable->file;
	size_t number = parameter_number(own, variable->at), open, at, end;

	if (!tokens)
		return false;
	open = call_in_line(tokens, variable->call.line, variable->declared.function);
	if (open == WT_NO_TOKEN || word_is_macro(tokens, &tokens->list[open - 1]))
		return false;
	end = tokens->list[open].partner;
	if (tokens_have_directive(own, own->list[variable->at].around, variable->at) ||
	    tokens_have_directive(tokens, open, end))
		return false;
	if (!variable->is_c &&
	    (list_has_template(own, own->list[variable->at].around, variable->at) ||
	     list_has_template(tokens, open, end)))
		return false;
	for (at = open + 1; number && at < end; number--)
		at = expression_end(tokens, at, end) + 1;
	*range = (struct range){tokens, at, at < end ? expression_end(tokens, at, end) : at};
	return true;
}

/* ---- Its text ---- */

/* Does a directive begin or end what is there under a condition only? */
static int directive_nests(const struct wt_token *word)
{
	static const char *const begins[] = {"if", "ifdef", "ifndef", NULL};

	return wt_token_is_among(word, begins) ? 1 : wt_token_is(word, "endif") ? -1 : 0;
}

/* The text of a macro that is one number, under no condition; NULL if the word is none. @is_other: it is another macro. */
static const struct wt_token *macro_number(const struct wt_tokens *tokens,
					   const struct wt_token *word, bool *is_other)
{
	const struct wt_token *number = NULL;
	int depth = 0;

	for (size_t i = 0; i < tokens->directive_count; i++) {
		const struct wt_directive *directive = &tokens->directives[i];
		const struct wt_token *words = &tokens->words[directive->first];

		if (directive->count)
			depth += directive_nests(words);
		if (directive->count < 2 || words[1].word != word->word ||
		    !(wt_token_is(words, "define") || wt_token_is(words, "undef")))
			continue;
		*is_other = number || depth || directive->count != 3 ||
			    words[2].kind != WT_TOKEN_NUMBER;
		if (*is_other)
			return NULL;
		number = &words[2];
	}
	return number;
}

/* Is a number one with a fraction? */
static bool number_is_real(const struct wt_token *number)
{
	bool is_hexadecimal =
		number->size > 1 && (number->text[1] == 'x' || number->text[1] == 'X');

	for (uint32_t i = 0; i < number->size; i++)
		if (number->text[i] == '.' || (!is_hexadecimal && strchr("eEfF", number->text[i])))
			return true;
	return false;
}

/* Only operators that compute numbers: what reads memory, or calls a function, may do so again with another result. */
static bool token_is_computed(const struct wt_token *token)
{
	static const char *const signs[] = {
		"(", ")",  "+",	 "-",  "*",  "/",  "%",	 "&",  "|",  "^", "~", "!", "<",
		">", "<=", ">=", "==", "!=", "<<", ">>", "&&", "||", "?", ":", NULL};

	if (token->kind == WT_TOKEN_SIGN)
		return wt_token_is_among(token, signs);
	return token->kind != WT_TOKEN_TEXT && *token->text != '$';
}

/* Is every place that names a word one that takes a member of it? No declaration of a variable does. */
static bool words_have_members(const struct wt_token *words, size_t count,
			       const struct wt_token *word)
{
	static const char *const owners[] = {".", "->", "::", NULL};

	for (size_t i = 0; i < count; i++)
		if (words[i].word == word->word &&
		    (i + 1 == count || !wt_token_is_sign(&words[i + 1], '.') ||
		     (i && wt_token_is_among(&words[i - 1], owners))))
			return false;
	return true;
}

/* Is it the dot behind what the file does not declare? So are threadIdx and its kind, which never change. */
static bool token_is_foreign_member(const struct wt_tokens *tokens, size_t at)
{
	const struct wt_token *owner = wt_tokens_at(tokens, at - 1);

	return wt_token_is_sign(&tokens->list[at], '.') && owner->kind == WT_TOKEN_WORD &&
	       words_have_members(tokens->list, tokens->count, owner) &&
	       words_have_members(tokens->words, tokens->word_count, owner);
}

/*
 * Are names of the function's body declared there in ways that are not read: types of its own, which debug information may have left out, or
 * several variables at once?
 */
static bool body_is_read(const struct wt_tokens *tokens, size_t body)
{
	static const char *const types[] = {"typedef", "using", NULL};

	for (size_t i = body; i < tokens->list[body].partner; i++) {
		const struct wt_token *token = &tokens->list[i];
		size_t next = i + 1;

		if (wt_token_is_among(token, types))
			return false;
		if (!wt_token_is(token, "auto"))
			continue;
		if (wt_token_is(&tokens->list[next], "&") || wt_token_is(&tokens->list[next], "&&"))
			next++;
		if (wt_token_is_sign(&tokens->list[next], '['))
			return false;
	}
	return true;
}

/* Does a brace begin the names of an enumeration: "enum color : u8 {"? */
static bool brace_enumerates(const struct wt_tokens *tokens, size_t brace)
{
	static const char *const ends[] = {";", "{", "}", ")", "=", NULL};

	for (size_t at = brace; at; at--) {
		const struct wt_token *token = &tokens->list[at - 1];

		if (wt_token_is(token, "enum"))
			return true;
		if (wt_token_is_among(token, ends))
			return false;
	}
	return false;
}

/*
 * Is a word the name of a number in a function's own enumerations? Debug information has these with the function, whichever block they stand
 * in and wherever in it they begin: it does not tell which of them is meant, or whether one outside is.
 */
static bool body_enumerates(const struct wt_tokens *tokens, size_t body,
			    const struct wt_token *word)
{
	for (size_t i = body + 1; i < tokens->list[body].partner; i++) {
		size_t around = tokens->list[i].around;

		if (tokens->list[i].word == word->word && around != WT_NO_TOKEN && around > body &&
		    wt_token_is_sign(&tokens->list[around], '{') &&
		    brace_enumerates(tokens, around))
			return true;
	}
	return false;
}

/* The expression in one line. */
static bool text_write(struct wt_declared_text *text, const struct range *range)
{
	size_t length = 0;

	for (size_t i = range->from; i < range->to; i++) {
		const struct wt_token *token = &range->tokens->list[i], *number = NULL;
		bool is_other = false;

		if (!token_is_computed(token) && !token_is_foreign_member(range->tokens, i))
			return false;
		if (token->kind == WT_TOKEN_WORD &&
		    body_enumerates(range->tokens, text->body, token))
			return false;
		if (token->kind == WT_TOKEN_WORD)
			number = macro_number(range->tokens, token, &is_other);
		token = number ? number : token;
		if (is_other || token->size + 2 > sizeof(text->text) - length)
			return false;
		text->has_real |= token->kind == WT_TOKEN_NUMBER && number_is_real(token);
		memcpy(text->text + length, token->text, token->size);
		length += token->size;
		text->text[length++] = ' ';
	}
	text->text[length] = '\0';
	return length;
}

bool wt_declared_text_find(const struct wt_text_variable *variable, struct wt_declared_text *text)
{
	struct range range;

	if (!(variable->declared.is_parameter ? call_find_value(variable, &range)
					      : declaration_find_value(variable, &range)) ||
	    range.from >= range.to)
		return false;
	*text = (struct wt_declared_text){.file = range.tokens,
					  .at = range.from,
					  .body = range.tokens->list[range.from].body};
	return text->body != WT_NO_TOKEN && body_is_read(range.tokens, text->body) &&
	       text_write(text, &range);
}
