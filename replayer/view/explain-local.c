/* SPDX-License-Identifier: MIT */
/* Who may have stored what a wave loads from the local memory that it shares with other waves. */
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "gfx/isa/decode.h"
#include "gfx/isa/tables.h"
#include "gfx/isa/translate.h"
#include "replayer/view/explain-cause-internal.h"

#define MAX_LINES 4
#define MAX_CODE (UINT64_C(1) << 18) /* bytes of a kernel that are looked at */

/* The lines of instructions that may store there. */
struct lines {
	uint32_t list[MAX_LINES];
	size_t count;
	bool more; /* or no line is known, or not all of the code could be looked at */
};

enum stores {
	STORES_NOT,
	STORES_MAYBE, /* where FLAT stores depends on its address: unoptimised code has many that are private */
	STORES_LOCAL,
};

static enum stores stores_to_local(const struct gfx_instruction *instruction)
{
	uint8_t memory = instruction->operation->memory;

	if (memory != GFX_MEMORY_STORE && memory != GFX_MEMORY_ATOMIC)
		return STORES_NOT;
	if (instruction->encoding == GFX_FLAT)
		return STORES_MAYBE;
	return instruction->encoding == GFX_DS ? STORES_LOCAL : STORES_NOT;
}

/* The size of an instruction in bytes, and whether it may store; 0: it is not known. */
static size_t stores_look_at(struct wt_explainer *explainer,
			     const struct gfx_architecture *architecture, uint32_t lanes,
			     uint64_t address, enum stores *stores_ret)
{
	uint32_t words[GFX_TRANSLATED_WORDS];
	size_t size = wt_view_code(wt_explainer_view(explainer), address, words, sizeof(words));
	struct gfx_translation translation;
	char text[WT_ANALYSIS_TEXT];
	size_t used;

	if (gfx_isa_of(architecture)) {
		struct gfx_instruction instruction;

		if (gfx_decode(architecture, words, size / sizeof(words[0]), &instruction) !=
		    GFX_DECODE_OK)
			return 0;
		*stores_ret = stores_to_local(&instruction);
		return instruction.word_count * sizeof(words[0]);
	}
	if (!wt_explainer_disassemble(explainer, architecture, address, words, size, text,
				      sizeof(text), &used) ||
	    !gfx_translate(architecture, lanes, text, words[0], used, &translation))
		return 0;
	*stores_ret = stores_to_local(&translation.parts[0].instruction);
	return used;
}

static void add_line(struct lines *lines, const struct wavetape_place *place)
{
	for (size_t i = 0; i < lines->count; i++)
		if (lines->list[i] == place->line)
			return;
	if (lines->count == MAX_LINES)
		lines->more = true;
	else
		lines->list[lines->count++] = place->line;
}

static struct wt_error *write_lines(const struct lines *lines, char **text_ret)
{
	char list[16 * MAX_LINES] = "";
	size_t length = 0;

	for (size_t i = 0; i < lines->count; i++)
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%u",
					   i ? ", " : "", lines->list[i]);
	if (asprintf(text_ret, "%s %s%s", lines->count > 1 ? "lines" : "line", list,
		     lines->more ? " or elsewhere" : "") >= 0)
		return NULL;
	*text_ret = NULL;
	return &wt_error_no_memory;
}

struct wt_error *wt_cause_local_stores(struct wt_explainer *explainer,
				       const struct gfx_architecture *architecture, uint32_t lanes,
				       uint64_t entry, char **text_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	uint64_t load_address = 0, object = wt_view_code_object_at(view, entry, &load_address);
	struct wt_source *source = NULL;
	struct lines lines = {.count = 0};
	struct wt_source_symbol symbol;
	struct wt_error *error;

	*text_ret = NULL;
	if (!object)
		return NULL;
	error = wt_explainer_source(explainer, object, &source);
	if (error || !source || !wt_source_symbol_at(source, entry - load_address, &symbol))
		return error;
	lines.more = symbol.size > MAX_CODE;
	for (uint64_t at = 0; at < symbol.size && at < MAX_CODE;) {
		struct wavetape_place place = {0};
		enum stores stores = STORES_NOT;
		size_t size = stores_look_at(explainer, architecture, lanes, entry + at, &stores);

		if (stores == STORES_LOCAL &&
		    wt_source_find(source, entry + at - load_address, &place))
			add_line(&lines, &place);
		else
			lines.more |= stores != STORES_NOT || !size;
		at += size ? size : sizeof(uint32_t);
	}
	return lines.count ? write_lines(&lines, text_ret) : NULL;
}
