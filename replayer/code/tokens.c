/* SPDX-License-Identifier: MIT */
#include "replayer/code/tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NESTED 256
#define MAX_DELIMITER 16	       /* of a raw string */
#define MAX_TOKENS (UINT32_C(1) << 18) /* what looks through them takes time by their square */

struct lexer {
	struct wt_tokens *tokens;
	const char *at, *end;
	uint32_t line;
	bool is_directive, is_line_start, failed;
	size_t open[MAX_NESTED], open_count; /* brackets */
	/* Conditions: how many brackets were open there, and whether they have another branch. */
	size_t conditions[MAX_NESTED], condition_count;
	bool has_branches[MAX_NESTED];
};

static char lexer_peek(const struct lexer *lexer, size_t distance)
{
	if (distance >= (size_t)(lexer->end - lexer->at))
		return '\0';
	return lexer->at[distance];
}

/* How long a line end behind a backslash is at a distance; 0 if none is there. */
static size_t lexer_splice(const struct lexer *lexer, size_t distance)
{
	if (lexer_peek(lexer, distance) != '\\')
		return 0;
	if (lexer_peek(lexer, distance + 1) == '\n')
		return 2;
	return lexer_peek(lexer, distance + 1) == '\r' && lexer_peek(lexer, distance + 2) == '\n'
		       ? 3
		       : 0;
}

/* Room grows by half each time. */
static bool tokens_grow(void **list, size_t count, size_t size)
{
	void *grown;

	if (count & (count - 1))
		return true;
	grown = reallocarray(*list, count ? 2 * count : 1, size);
	if (grown)
		*list = grown;
	return grown;
}

static void lexer_bracket(struct lexer *lexer, struct wt_token *token, size_t index)
{
	static const char opening[] = "([{", closing[] = ")]}";
	struct wt_tokens *tokens = lexer->tokens;
	const char *closes;

	/* A byte of zeros would be found at the end of both. */
	if (token->size != 1 || !*token->text)
		return;
	closes = strchr(closing, *token->text);
	if (strchr(opening, *token->text)) {
		if (lexer->open_count == MAX_NESTED)
			tokens->is_odd = true;
		else
			lexer->open[lexer->open_count++] = index;
	}
	if (!closes)
		return;
	if (!lexer->open_count ||
	    *tokens->list[lexer->open[lexer->open_count - 1]].text != opening[closes - closing]) {
		tokens->is_odd = true;
		return;
	}
	token->partner = lexer->open[--lexer->open_count];
	tokens->list[token->partner].partner = index;
	token->around = tokens->list[token->partner].around;
}

static void lexer_put(struct lexer *lexer, enum wt_token_kind kind, const char *from)
{
	struct wt_tokens *tokens = lexer->tokens;
	struct wt_token token = {
		.kind = kind,
		.line = lexer->line,
		.size = (uint32_t)(lexer->at - from),
		.text = from,
		.partner = WT_NO_TOKEN,
		.around = lexer->open_count ? lexer->open[lexer->open_count - 1] : WT_NO_TOKEN,
	};
	struct wt_token **list = lexer->is_directive ? &tokens->words : &tokens->list;
	size_t *count = lexer->is_directive ? &tokens->word_count : &tokens->count;

	if (tokens->count + tokens->word_count == MAX_TOKENS) {
		tokens->is_odd = true;
		lexer->at = lexer->end;
		return;
	}
	if (!tokens_grow((void **)list, *count, sizeof(**list))) {
		lexer->failed = true;
		return;
	}
	if (kind == WT_TOKEN_SIGN && !lexer->is_directive)
		lexer_bracket(lexer, &token, *count);
	(*list)[(*count)++] = token;
	if (lexer->is_directive)
		tokens->directives[tokens->directive_count - 1].count++;
}

static void lexer_begin_directive(struct lexer *lexer)
{
	struct wt_tokens *tokens = lexer->tokens;

	if (!tokens_grow((void **)&tokens->directives, tokens->directive_count,
			 sizeof(*tokens->directives))) {
		lexer->failed = true;
		return;
	}
	tokens->directives[tokens->directive_count++] =
		(struct wt_directive){.at = tokens->count, .first = tokens->word_count};
	lexer->is_directive = true;
	lexer->at++;
}

/*
 * The branches of a condition must open and close the same brackets. One that has no other, as that around the brackets of extern "C", is
 * taken to be there.
 */
static void lexer_end_directive(struct lexer *lexer)
{
	struct wt_tokens *tokens = lexer->tokens;
	const struct wt_directive *directive = &tokens->directives[tokens->directive_count - 1];
	const struct wt_token *word;

	lexer->is_directive = false;
	if (!directive->count)
		return;
	word = &tokens->words[directive->first];
	/* Debug information counts lines as this says. */
	tokens->is_odd |= wt_token_is(word, "line") || word->kind == WT_TOKEN_NUMBER;
	if (word->size > 1 && !memcmp(word->text, "if", 2)) {
		if (lexer->condition_count == MAX_NESTED)
			tokens->is_odd = true;
		else
			lexer->conditions[lexer->condition_count++] = lexer->open_count;
		lexer->has_branches[lexer->condition_count - 1] = false;
		return;
	}
	if (!wt_token_is(word, "endif") && !(word->size > 2 && !memcmp(word->text, "el", 2)))
		return;
	if (!lexer->condition_count) {
		tokens->is_odd = true;
		return;
	}
	lexer->has_branches[lexer->condition_count - 1] |= !wt_token_is(word, "endif");
	if (lexer->has_branches[lexer->condition_count - 1] &&
	    lexer->conditions[lexer->condition_count - 1] != lexer->open_count)
		tokens->is_odd = true;
	lexer->condition_count -= wt_token_is(word, "endif");
}

static void lexer_newline(struct lexer *lexer)
{
	if (lexer->is_directive)
		lexer_end_directive(lexer);
	lexer->line++;
	lexer->is_line_start = true;
	lexer->at++;
}

static void lexer_skip_comment(struct lexer *lexer)
{
	bool is_line = lexer->at[1] == '/';

	for (lexer->at += 2; lexer->at < lexer->end; lexer->at++) {
		size_t splice = lexer_splice(lexer, 0);

		if (is_line && *lexer->at == '\n')
			return;
		if (is_line && splice)
			lexer->at += splice - 1;
		if (*lexer->at == '\n')
			lexer->line++;
		if (!is_line && *lexer->at == '*' && lexer_peek(lexer, 1) == '/') {
			lexer->at += 2;
			return;
		}
	}
	if (!is_line)
		lexer->tokens->is_odd = true;
}

static void lexer_take_text(struct lexer *lexer)
{
	const char *from = lexer->at;
	char quote = *lexer->at++;
	uint32_t lines = 0;

	for (; lexer->at < lexer->end && *lexer->at != quote; lexer->at++) {
		size_t splice = lexer_splice(lexer, 0);

		if (*lexer->at == '\n')
			break;
		lines += splice > 0;
		if (*lexer->at == '\\')
			lexer->at += splice ? splice - 1 : 1;
	}
	if (lexer->at >= lexer->end || *lexer->at != quote) {
		lexer->tokens->is_odd = true;
		lexer->at = lexer->at > lexer->end ? lexer->end : lexer->at;
		return;
	}
	lexer->at++;
	lexer_put(lexer, WT_TOKEN_TEXT, from);
	lexer->line += lines;
}

/* R"delimiter(...)delimiter" */
static void lexer_take_raw(struct lexer *lexer)
{
	const char *from = lexer->at, *text;
	char closing[MAX_DELIMITER + 3] = ")";
	size_t length = 0, left;

	for (; length < MAX_DELIMITER && lexer_peek(lexer, 1 + length) &&
	       lexer_peek(lexer, 1 + length) != '(';
	     length++)
		closing[1 + length] = lexer_peek(lexer, 1 + length);
	closing[1 + length] = '"';
	left = (size_t)(lexer->end - lexer->at);
	text = lexer_peek(lexer, 1 + length) == '(' ? memmem(from, left, closing, length + 2)
						    : NULL;
	if (!text || lexer->is_directive) {
		lexer->tokens->is_odd = true;
		lexer->at = lexer->end;
		return;
	}
	lexer->at = text + length + 2;
	lexer_put(lexer, WT_TOKEN_TEXT, from);
	for (; from < lexer->at; from++)
		lexer->line += *from == '\n';
}

static bool character_is_name(char character)
{
	return isalnum((unsigned char)character) || character == '_' || character == '$' ||
	       (unsigned char)character >= 0x80;
}

static void lexer_take_word(struct lexer *lexer)
{
	static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
	const char *from = lexer->at;
	size_t length;

	while (lexer->at < lexer->end && character_is_name(*lexer->at))
		lexer->at++;
	length = (size_t)(lexer->at - from);
	/* A name that goes on behind a line end is not put together, nor one with a character by its number. */
	if (lexer_peek(lexer, 0) == '\\' &&
	    (!lexer_splice(lexer, 0) ||
	     character_is_name(lexer_peek(lexer, lexer_splice(lexer, 0)))))
		lexer->tokens->is_odd = true;
	for (size_t i = 0; lexer_peek(lexer, 0) == '"' && i < sizeof(prefixes) / sizeof(*prefixes);
	     i++)
		if (length == strlen(prefixes[i]) && !memcmp(from, prefixes[i], length)) {
			lexer_take_raw(lexer);
			return;
		}
	lexer_put(lexer, WT_TOKEN_WORD, from);
}

static void lexer_take_number(struct lexer *lexer)
{
	const char *from = lexer->at++;

	for (; lexer->at < lexer->end; lexer->at++) {
		char before = lexer->at[-1];
		bool is_exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';

		if (!character_is_name(*lexer->at) && *lexer->at != '.' &&
		    !(*lexer->at == '\'' && character_is_name(lexer_peek(lexer, 1))) &&
		    !(is_exponent && (*lexer->at == '+' || *lexer->at == '-')))
			break;
	}
	lexer_put(lexer, WT_TOKEN_NUMBER, from);
}

static void lexer_take_sign(struct lexer *lexer)
{
	/* Longer ones first. */
	static const char *const signs[] = {"<<=", ">>=", "...", "->*", "<=>", "++", "--",
					    "+=",  "-=",  "*=",	 "/=",	"%=",  "&=", "|=",
					    "^=",  "==",  "!=",	 "<=",	">=",  "&&", "||",
					    "<<",  ">>",  "->",	 "::",	"##",  ".*"};
	static const char *const odd[] = {"<%", "%>", "<:", ":>", "%:", "??"};
	const char *from = lexer->at;
	size_t length = 1;

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		if (*from == odd[i][0] && lexer_peek(lexer, 1) == odd[i][1])
			lexer->tokens->is_odd = true;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs) && length == 1; i++) {
		size_t size = strlen(signs[i]);

		if (size <= (size_t)(lexer->end - from) && !memcmp(from, signs[i], size))
			length = size;
	}
	lexer->at += length;
	lexer_put(lexer, WT_TOKEN_SIGN, from);
}

static void lexer_step(struct lexer *lexer)
{
	char here = *lexer->at, next = lexer_peek(lexer, 1);
	size_t splice = lexer_splice(lexer, 0);

	if (here == '\n') {
		lexer_newline(lexer);
		return;
	}
	if (splice) {
		lexer->at += splice;
		lexer->line++;
		return;
	}
	if (isspace((unsigned char)here)) {
		lexer->at++;
		return;
	}
	if (here == '/' && (next == '/' || next == '*')) {
		lexer_skip_comment(lexer);
		return;
	}
	if (here == '#' && lexer->is_line_start && !lexer->is_directive) {
		lexer_begin_directive(lexer);
		return;
	}
	lexer->is_line_start = false;
	if (here == '"' || here == '\'')
		lexer_take_text(lexer);
	else if (isdigit((unsigned char)here) || (here == '.' && isdigit((unsigned char)next)))
		lexer_take_number(lexer);
	else if (character_is_name(here))
		lexer_take_word(lexer);
	else
		lexer_take_sign(lexer);
}

/* ---- Words and functions ---- */

/* Gives each word its number: the same for the same word. */
static bool tokens_number(struct wt_tokens *tokens)
{
	size_t all = tokens->count + tokens->word_count, size = 16;
	struct wt_token **table;

	while (size < 2 * all)
		size *= 2;
	table = calloc(size, sizeof(struct wt_token *));
	for (size_t i = 0; table && i < all; i++) {
		struct wt_token *token =
			i < tokens->count ? &tokens->list[i] : &tokens->words[i - tokens->count];
		size_t at = 5381;

		for (uint32_t j = 0; j < token->size; j++)
			at = at * 33 + (unsigned char)token->text[j];
		for (at &= size - 1;
		     table[at] && (table[at]->size != token->size ||
				   memcmp(table[at]->text, token->text, token->size));
		     at = (at + 1) & (size - 1))
			;
		if (!table[at]) {
			token->word = tokens->different++;
			table[at] = token;
		}
		token->word = table[at]->word;
	}
	free(table);
	return table;
}

/* Is a brace that of a function's body, and not of a namespace, class or initial value? @head_ret: where its declaration begins. */
static bool brace_is_body(const struct wt_tokens *tokens, size_t brace, size_t *head_ret)
{
	static const char *const others[] = {"namespace", "enum", "extern", NULL};
	static const char *const classes[] = {"struct", "class", "union", NULL};
	bool is_called = false, is_class = false;
	size_t at;

	*head_ret = brace;
	for (at = brace; at && tokens->list[at - 1].around == tokens->list[brace].around;) {
		const struct wt_token *token = &tokens->list[--at];

		if (wt_token_is_sign(token, ';') || wt_token_is_sign(token, '{') ||
		    wt_token_is_sign(token, '}'))
			break;
		if (wt_token_is_sign(token, '=') &&
		    !(at && wt_token_is(&tokens->list[at - 1], "operator")))
			return false;
		if (wt_token_is_sign(token, ')')) {
			at = token->partner;
			is_called |= at && tokens->list[at - 1].kind == WT_TOKEN_WORD &&
				     !wt_token_is_prefix(&tokens->list[at - 1]);
		} else if (wt_token_is_among(token, others) && !is_called) {
			return false;
		}
		is_class |= wt_token_is_among(token, classes);
		*head_ret = at;
	}
	/* "struct pair f()" is a function. */
	return is_called || (!is_class && brace && wt_token_is_sign(&tokens->list[brace - 1], ')'));
}

static bool tokens_find_functions(struct wt_tokens *tokens)
{
	size_t body = WT_NO_TOKEN, head;

	for (size_t i = 0; i < tokens->count; i++) {
		struct wt_token *token = &tokens->list[i];

		if (body != WT_NO_TOKEN && i == tokens->list[body].partner)
			body = WT_NO_TOKEN;
		token->body = body;
		if (body != WT_NO_TOKEN || !wt_token_is_sign(token, '{') ||
		    !brace_is_body(tokens, i, &head))
			continue;
		if (!tokens_grow((void **)&tokens->functions, tokens->function_count,
				 sizeof(*tokens->functions)))
			return false;
		tokens->functions[tokens->function_count++] =
			(struct wt_text_function){.head = head, .body = i};
		body = i;
	}
	return true;
}

static bool tokens_make_notes(struct wt_tokens *tokens)
{
	tokens->notes = calloc(1, sizeof(*tokens->notes));
	if (!tokens->notes)
		return false;
	tokens->notes->words = calloc(tokens->different + 1, 1);
	tokens->notes->functions = calloc(tokens->function_count + 1, 1);
	return tokens->notes->words && tokens->notes->functions;
}

struct wt_error *wt_tokens_init(struct wt_tokens *tokens, const char *text, size_t size)
{
	struct lexer lexer = {
		.tokens = tokens, .at = text, .end = text + size, .line = 1, .is_line_start = true};

	*tokens = (struct wt_tokens){0};
	while (lexer.at < lexer.end && !lexer.failed)
		lexer_step(&lexer);
	if (lexer.is_directive && !lexer.failed)
		lexer_end_directive(&lexer);
	tokens->is_odd |= lexer.open_count || lexer.condition_count;
	if (!lexer.failed && tokens_number(tokens) &&
	    (tokens->is_odd || tokens_find_functions(tokens)) && tokens_make_notes(tokens))
		return NULL;
	wt_tokens_deinit(tokens);
	return &wt_error_no_memory;
}
