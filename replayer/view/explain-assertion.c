/* SPDX-License-Identifier: MIT */
/*
 * The place at which the program ended itself, and which of its assertions failed. The function that reports it is told the condition, the file and the line, calls the
 * host, and traps: at -O2 nothing of that is in a register any more, nor is the address to return to, since it does not. So the wave is
 * followed from its launch to where it entered that function. Arguments that are the same for all calls, the compiler has put
 * into the function itself.
 */
#include "replayer/view/explain-cause-internal.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define TEXT_MAX 512u
#define TEXTS_MAX 16u
#define NO_WORD UINT32_MAX
#define FUNCTION_MAX 65536u /* bytes of code that are looked through */

/* Strings that may be the condition, the name of the file, or that of the function. */
struct texts {
	struct {
		uint64_t address;
		uint32_t word; /* which of the arguments it is; NO_WORD: it was not passed */
		char text[TEXT_MAX];
		bool ended; /* code that points to what is behind it was seen: that counts its letters */
	} list[TEXTS_MAX];
	size_t count;
};

/* ---- Strings ---- */

/* A text of one line, in memory that the program does not change. */
static bool text_read(const struct wt_view *view, uint64_t address, char text_ret[TEXT_MAX])
{
	size_t length = 0;

	for (; length < TEXT_MAX && wt_view_constant(view, address + length, &text_ret[length], 1);
	     length++) {
		if (!text_ret[length])
			return length > 0;
		if ((unsigned char)text_ret[length] < ' ' || text_ret[length] == 0x7f)
			return false;
	}
	return false;
}

/*
 * Behind a text another one may begin, to which nothing need point: code that counts the letters of a text of its own points there. Of what
 * was passed it knows no end.
 */
static void texts_add(struct texts *texts, const struct wt_view *view, uint64_t address,
		      uint32_t word)
{
	for (size_t i = 0; i < texts->count; i++) {
		if (texts->list[i].word == NO_WORD && !texts->list[i].ended &&
		    address == texts->list[i].address + strlen(texts->list[i].text) + 1) {
			texts->list[i].ended = true;
			return;
		}
		if (address == texts->list[i].address)
			return;
	}
	if (texts->count == TEXTS_MAX || !text_read(view, address, texts->list[texts->count].text))
		return;
	texts->list[texts->count].ended = false;
	texts->list[texts->count].word = word;
	texts->list[texts->count++].address = address;
}

/* The pointers among the arguments: two words each. */
static void texts_take_arguments(struct texts *texts, const struct wt_view *view,
				 const struct wt_entry *entry)
{
	for (uint32_t i = 0; i + 1 < WT_ENTRY_WORDS; i++) {
		size_t before = texts->count;

		if (entry->known >> i & 1 && entry->known >> (i + 1) & 1)
			texts_add(texts, view,
				  entry->words[i] | (uint64_t)entry->words[i + 1] << 32, i);
		i += texts->count > before;
	}
}

static bool operation_is(const struct gfx_instruction *instruction, const char *name)
{
	return instruction->operation && !strcmp(gfx_computes(instruction->operation), name);
}

/* "s_getpc_b64 s[4:5]; s_add_u32 s4, s4, LOW; s_addc_u32 s5, s5, HIGH": the address that it makes. False if there is none. */
static bool code_makes_address(const struct gfx_instruction parts[3], uint64_t behind_first,
			       uint64_t *address_ret)
{
	uint16_t low = parts[0].dst;

	if (!operation_is(&parts[0], "s_getpc_b64") || !operation_is(&parts[1], "s_add_u32") ||
	    !operation_is(&parts[2], "s_addc_u32") || parts[1].dst != low ||
	    parts[1].src[0] != low || parts[2].dst != low + 1 || parts[2].src[0] != low + 1 ||
	    parts[1].src[1] != GFX_CODE_LITERAL)
		return false;
	/* Distances within a code object have 32 bits, with their sign. */
	*address_ret = behind_first + (uint64_t)(int64_t)(int32_t)parts[1].literal;
	return true;
}

/* Between these some GPUs wait, and gfx12 extends the sign of its pc. */
static bool code_only_lies_between(const struct gfx_instruction *instruction,
				   const struct gfx_instruction *last)
{
	if (operation_is(instruction, "s_sext_i32_i16"))
		return operation_is(last, "s_getpc_b64") && instruction->dst == last->dst + 1 &&
		       instruction->src[0] == instruction->dst;
	return operation_is(instruction, "s_wait_alu") || operation_is(instruction, "s_delay_alu");
}

/* Strings that the function's own code points to. */
static void texts_take_code(struct texts *texts, struct wt_view *view,
			    const struct gfx_architecture *architecture, uint64_t from, uint64_t to)
{
	struct gfx_instruction parts[3] = {0}, next;
	uint64_t behind[3] = {0}, address;

	while (from < to) {
		if (!wt_view_decode(view, architecture, from, &next))
			return;
		from += 4ULL * next.word_count;
		if (code_only_lies_between(&next, &parts[2]))
			continue;
		memmove(parts, parts + 1, 2 * sizeof(parts[0]));
		memmove(behind, behind + 1, 2 * sizeof(behind[0]));
		parts[2] = next;
		behind[2] = from;
		if (code_makes_address(parts, behind[0], &address))
			texts_add(texts, view, address, NO_WORD);
	}
}

/* "check", or "void ns::check(int)". */
static bool text_names_function(const char *text, const char *name)
{
	size_t length = strlen(name);

	if (!strcmp(text, name))
		return true;
	/* A short name may be a part of others in front of it. */
	for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
		if (at > text && strchr(" :*&", at[-1]) && at[length] && strchr("(<", at[length]))
			return true;
	return false;
}

/* Is a text the file of the place, or its function, as the source or the compiler writes it? */
static bool place_is_named(const struct wavetape_place *place, const char *text)
{
	return !strcmp(wt_text_file_name(text), wt_text_file_name(place->file)) ||
	       (place->function && text_names_function(text, place->function));
}

/* The one that is neither the file nor the function; NULL if there is none, or more than one. */
static const char *texts_condition(const struct texts *texts, const struct wavetape_place *place)
{
	const char *condition = NULL;

	for (size_t i = 0; place->file && i < texts->count; i++) {
		const char *text = texts->list[i].text;

		if (place_is_named(place, text) || strstr(text, "Device-side assertion"))
			continue;
		if (condition)
			return NULL;
		condition = text;
	}
	return condition;
}

/* ---- Without debug information ---- */

/* "fill.hip", "src/fill.cu": one word with an ending. @is_source: with one that sources have, as `all.ok` has not. */
static bool text_is_file(const char *text, bool is_source)
{
	static const char *const endings[] = {"c",   "cc",  "cpp", "cxx", "c++", "cu",
					      "cuh", "h",   "hh",  "hpp", "hxx", "h++",
					      "hip", "inl", "inc", "ipp", "tcc", "cl"};
	const char *dot = strrchr(wt_text_file_name(text), '.');
	size_t length = dot ? strlen(dot + 1) : 0;
	bool is_known = false;

	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(*endings); i++)
		is_known |= !strcmp(dot + 1, endings[i]);
	return !strchr(text, ' ') && length && length <= 4 && (is_known || !is_source) &&
	       strspn(dot + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+") ==
		       length;
}

/* "check", or "void ns::check(int)", of the function that is linked by a name with "5check" in it. */
static bool text_names_symbol(const char *text, const char *symbol)
{
	const char *end = text + strcspn(text, "(<"), *name = end;
	char mangled[TEXT_MAX + 32];

	while (name > text && !strchr(" :*&", name[-1]))
		name--;
	snprintf(mangled, sizeof(mangled), "%zu%.*s", (size_t)(end - name), (int)(end - name),
		 name);
	return (*end ? name > text : name == text) && end > name && symbol &&
	       strstr(symbol, mangled);
}

/* Parameters of that function, in their order. Those that are the same for all calls, it has in its own code. */
struct passed {
	size_t condition, file, function; /* places of texts; SIZE_MAX: not known */
	uint32_t line;			  /* 0: not known */
};

/* The one text of all that is the name of a file, of a source if there is one; SIZE_MAX if there is none, or more than one. */
static size_t texts_file(const struct texts *texts)
{
	size_t found = SIZE_MAX, count = 0;

	for (uint32_t pass = 0; pass < 2 && !count; pass++)
		for (size_t i = 0; i < texts->count; i++)
			if (text_is_file(texts->list[i].text, !pass)) {
				found = i;
				count++;
			}
	return count == 1 ? found : SIZE_MAX;
}

/* The first of two texts that are no file's name is the condition, and the line stands in front of the second. */
static struct passed texts_passed(const struct texts *texts, const struct wt_entry *entry)
{
	struct passed passed = {SIZE_MAX, texts_file(texts), SIZE_MAX, 0};
	uint32_t behind = 0, word;

	for (size_t i = 0; i < texts->count && texts->list[i].word != NO_WORD; i++) {
		if (i != passed.file && passed.condition == SIZE_MAX)
			passed.condition = i;
		else if (i != passed.file)
			passed.function = i;
		if (i == passed.function)
			break;
		behind = texts->list[i].word + 2;
	}
	if (passed.function == SIZE_MAX) {
		passed.condition = SIZE_MAX;
		return passed;
	}
	word = texts->list[passed.function].word;
	if (word == behind + 1 && entry->known >> behind & 1)
		passed.line = entry->words[behind];
	return passed;
}

/* The one text that is neither the name of a file nor that of the function; NULL if there is none, or more than one. */
static const char *texts_rest(const struct texts *texts, size_t file, const char *symbol)
{
	const char *rest = NULL;

	for (size_t i = 0; i < texts->count; i++) {
		const char *text = texts->list[i].text;

		if (i == file || strstr(text, "Device-side assertion") ||
		    text_names_symbol(text, symbol))
			continue;
		if (rest)
			return NULL;
		rest = text;
	}
	return rest;
}

static struct wt_error *name_bare(struct wt_cause *cause, const struct texts *texts,
				  const struct wt_entry *entry)
{
	const struct passed passed = texts_passed(texts, entry);
	const char *file, *condition;

	if (passed.file == SIZE_MAX)
		return NULL;
	file = wt_text_file_name(texts->list[passed.file].text);
	condition = passed.condition != SIZE_MAX
			    ? texts->list[passed.condition].text
			    : texts_rest(texts, passed.file, cause->calls[0].symbol);
	if (!condition)
		return NULL;
	return passed.line ? wt_cause_say(cause, WT_CAUSE_ASSERTION,
					  "assertion failed at %.200s:%u: %s", file, passed.line,
					  condition)
			   : wt_cause_say(cause, WT_CAUSE_ASSERTION,
					  "assertion failed in %.200s: %s", file, condition);
}

/* ---- In words ---- */

static struct wt_error *say_place(struct wt_cause *cause, const struct wavetape_place *place,
				  const char *condition)
{
	char where[256] = "", from[256] = "";

	if (place->file && place->line)
		snprintf(where, sizeof(where), " at %.200s:%d", wt_text_file_name(place->file),
			 place->line);
	if (place->call_file && place->call_line)
		snprintf(from, sizeof(from), ", called at %.200s:%d",
			 wt_text_file_name(place->call_file), place->call_line);
	if (condition)
		return wt_cause_say(cause, WT_CAUSE_ASSERTION, "assertion failed%s: %s%s", where,
				    condition, from);
	return *where ? wt_cause_say(cause, WT_CAUSE_ASSERTION, "assertion failed%s%s", where, from)
		      : NULL;
}

/* A function of the program's own, as one of a class, may have the name, too. */
static bool place_is_abort(const struct wavetape_place *place)
{
	const char *file;
	uint32_t line;

	if (place->symbol && wt_cause_is_abort(place->symbol))
		return true;
	return place->function && !strcmp(place->function, "abort") &&
	       !(wt_source_own_line(place, &file, &line) && file == place->file);
}

/* No check failed: the code called abort(), or trapped by itself. */
static struct wt_error *say_trap(struct wt_cause *cause, const struct wavetape_place *place)
{
	const struct wavetape_place *trap = &cause->wave.code;
	bool aborts = place_is_abort(trap), is_inlined = aborts && !cause->call_count;
	const char *file = place->call_file;
	uint32_t line = place->call_line;
	char where[256] = "", from[256] = "";

	if (!is_inlined && !wt_source_own_line(place, &file, &line))
		file = NULL;
	if (file)
		snprintf(where, sizeof(where), " at %.200s:%u", wt_text_file_name(file), line);
	if (file && file == place->file && place->call_file)
		snprintf(from, sizeof(from), ", called at %.200s:%u",
			 wt_text_file_name(place->call_file), place->call_line);
	return wt_cause_say(cause, WT_CAUSE_GAVE_UP, "gave up: the code itself %s%s%s",
			    aborts ? "called abort()" : "traps", where, from);
}

struct wt_error *wt_cause_name_ending(struct wt_explainer *explainer,
				      const struct gfx_architecture *architecture,
				      const struct wt_entry *entry, struct wt_cause *cause)
{
	const struct wavetape_place *code = &cause->wave.code;
	struct wt_view *view = wt_explainer_view(explainer);
	struct texts texts = {.count = 0};
	uint64_t from = code->address - code->symbol_offset;
	struct wavetape_place place = cause->call_count ? cause->calls[0] : *code;
	struct wt_error *error = wt_explain_inner_call(explainer, &place);

	if (error || !entry || place_is_abort(code))
		return error ? error : say_trap(cause, &place);
	texts_take_arguments(&texts, view, entry);
	/* Arguments come first: with the condition among it the rest says nothing more. */
	if (!texts_condition(&texts, &cause->calls[0]))
		texts_take_code(&texts, view, architecture, from,
				from + (code->symbol_offset < FUNCTION_MAX ? code->symbol_offset
									   : FUNCTION_MAX));
	return place.file ? say_place(cause, &place, texts_condition(&texts, &place))
			  : name_bare(cause, &texts, entry);
}
