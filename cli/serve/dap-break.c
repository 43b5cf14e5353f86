/* SPDX-License-Identifier: MIT */
/* Breakpoints: the places of code that editors name, and conditions. Whoever walks on or back stops at them: see dap-step.c. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "base/plural.h"
#include "base/text.h"
#include "cli/function-names.h"
#include "cli/output.h"
#include "cli/serve/dap.h"
#include "replayer/code/inlined.h"
#include "replayer/code/source.h"

#define CANNOT_SET "cannot set breakpoints"

static void breakpoint_deinit(struct wt_dap_breakpoint *breakpoint)
{
	free(breakpoint->source);
	free(breakpoint->file);
	free(breakpoint->text);
	free(breakpoint->addresses);
}

/* @functions: see struct wt_way_address. */
static struct wt_error *breakpoint_add(struct wt_dap_breakpoint *breakpoint, uint64_t address,
				       size_t functions)
{
	struct wt_way_address *grown =
		reallocarray(breakpoint->addresses, breakpoint->address_count + 1, sizeof(*grown));

	if (!grown)
		return &wt_error_no_memory;
	breakpoint->addresses = grown;
	if (!breakpoint->address_count)
		breakpoint->address = address;
	grown[breakpoint->address_count++] = (struct wt_way_address){address, functions};
	return NULL;
}

void wt_dap_breakpoints_drop(struct wt_dap *dap)
{
	for (size_t i = 0; i < dap->breakpoint_count; i++)
		breakpoint_deinit(&dap->breakpoints[i]);
	free(wt_take(dap->breakpoints));
	dap->breakpoint_count = 0;
}

/* Breakpoints of a kind, and of lines those of a file, are set anew with each request. */
static void breakpoints_clear(struct wt_dap *dap, enum wt_dap_breakpoint_kind kind,
			      const char *source)
{
	size_t kept = 0;

	for (size_t i = 0; i < dap->breakpoint_count; i++) {
		struct wt_dap_breakpoint *breakpoint = &dap->breakpoints[i];

		if (breakpoint->kind == kind && (!source || !strcmp(source, breakpoint->source)))
			breakpoint_deinit(breakpoint);
		else
			dap->breakpoints[kept++] = *breakpoint;
	}
	dap->breakpoint_count = kept;
}

/* @breakpoint: its texts are taken over. Return: NULL if there are too many, or no memory. */
static struct wt_dap_breakpoint *breakpoint_keep(struct wt_dap *dap,
						 struct wt_dap_breakpoint *breakpoint)
{
	struct wt_dap_breakpoint *grown =
		dap->breakpoint_count < WT_DAP_BREAKPOINTS_MAX
			? reallocarray(dap->breakpoints, dap->breakpoint_count + 1, sizeof(*grown))
			: NULL;

	if (!grown) {
		breakpoint_deinit(breakpoint);
		return NULL;
	}
	dap->breakpoints = grown;
	breakpoint->number = ++dap->breakpoint_number;
	grown[dap->breakpoint_count] = *breakpoint;
	return &grown[dap->breakpoint_count++];
}

char *wt_dap_condition(const struct wt_dap *dap, const char *text, uint32_t *lane_ret)
{
	static const char word[] = " in lane ";
	const char *found = NULL;
	unsigned int lane;
	char end;

	*lane_ret = dap->lane;
	for (const char *at = text; (at = strstr(at, word)); at++)
		found = at;
	if (!found || sscanf(found + strlen(word), "%u%c", &lane, &end) != 1 || lane > 63)
		return strdup(text);
	*lane_ret = lane;
	return strndup(text, (size_t)(found - text));
}

/* ---- Lines ---- */

/* How many of their last parts two names of files share. */
static size_t names_share(const char *a, const char *b)
{
	size_t i = strlen(a), j = strlen(b), parts = 0;

	while (i && j && a[i - 1] == b[j - 1]) {
		i--;
		j--;
		parts += a[i] == '/';
	}
	return parts + ((!i || !j) && (!i || a[i - 1] == '/') && (!j || b[j - 1] == '/'));
}

struct line_search {
	const char *source; /* as the client names it */
	uint32_t from, to;
	/* Found: the file that is most like it, and the first line in it that has code. */
	char *file;
	size_t shared;
	uint32_t line;
	uint64_t address;
	json_t *lines; /* all of them; NULL: nobody wants to know */
};

static bool search_note_file(struct line_search *search, const char *file)
{
	size_t shared = names_share(search->source, file);

	if (!shared || shared < search->shared)
		return false;
	if (shared == search->shared)
		return search->file && !strcmp(search->file, file);
	free(search->file);
	search->file = strdup(file);
	search->shared = shared;
	search->line = 0;
	if (search->lines)
		json_object_clear(search->lines);
	return search->file != NULL;
}

static void search_rows(struct line_search *search, struct wt_source *source, uint64_t load)
{
	struct wt_source_lines lines = {0};
	struct wt_source_row row;

	while (wt_source_line_next(source, &lines, &row)) {
		char number[16];

		if (!search_note_file(search, row.file) || row.line < search->from ||
		    row.line > search->to)
			continue;
		snprintf(number, sizeof(number), "%u", row.line);
		if (search->lines)
			json_object_set_new(search->lines, number, json_integer(row.line));
		if (search->line && row.line >= search->line)
			continue;
		search->line = row.line;
		search->address = row.address + load;
	}
}

/* Calls a function for each code object whose file was recorded. */
static struct wt_error *code_objects_visit(struct wt_dap *dap,
					   void (*visit)(void *opaque, struct wt_source *source,
							 uint64_t load),
					   void *opaque)
{
	const uint64_t *numbers;
	size_t count = wt_view_objects(dap->opened->view, WT_OBJECT_CODE_OBJECT, &numbers);

	for (size_t i = 0; i < count; i++) {
		struct wt_source *source = NULL;
		struct wt_error *error =
			wt_explainer_source(dap->opened->explainer, numbers[i], &source);

		if (error)
			return error;
		if (source)
			visit(opaque, source,
			      wt_view_number_or(dap->opened->view, WT_OBJECT_CODE_OBJECT,
						numbers[i],
						AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, 0));
	}
	return NULL;
}

static void search_visit(void *opaque, struct wt_source *source, uint64_t load)
{
	search_rows(opaque, source, load);
}

/* The name of a source that a request has: its reference goes before its path. */
static const char *request_source_name(const struct wt_dap *dap, const json_t *source)
{
	json_int_t number = json_integer_value(json_object_get(source, "sourceReference"));

	if (number > 0 && (size_t)number <= wt_sources_count(dap->opened->sources))
		return wt_sources_at(dap->opened->sources, (size_t)number - 1)->name;
	return wt_dap_text(source, "path") ? wt_dap_text(source, "path")
					   : wt_dap_text(source, "name");
}

static struct wt_error *line_argument(const struct wt_dap *dap, const json_t *arguments,
				      const char *name, uint32_t otherwise, uint32_t *line_ret)
{
	json_int_t line;
	struct wt_error *error =
		wt_dap_number(arguments, name, 0, INT32_MAX - 1, (json_int_t)otherwise, &line);

	if (!error)
		*line_ret = (uint32_t)line +
			    (dap->client.lines_from_0 && json_object_get(arguments, name) ? 1 : 0);
	return error;
}

struct wt_error *wt_dap_line_find(struct wt_dap *dap, const json_t *arguments, char **file_ret,
				  uint32_t *line_ret)
{
	struct line_search search = {.to = UINT32_MAX};
	struct wt_error *error = line_argument(dap, arguments, "line", 0, &search.from);

	search.source = request_source_name(dap, json_object_get(arguments, "source"));
	if (!error && !search.source)
		error = wt_dap_wrong("cannot find the line", "source has no path");
	if (!error)
		error = code_objects_visit(dap, search_visit, &search);
	if (error || !search.line) {
		free(search.file);
		return error;
	}
	*file_ret = search.file;
	*line_ret = search.line;
	return NULL;
}

/* ---- What a client is told of one ---- */

static json_t *breakpoint_json(struct wt_dap *dap, const struct wt_dap_breakpoint *breakpoint,
			       const char *why)
{
	json_t *json = json_pack("{s:b}", "verified", breakpoint && breakpoint->is_known);

	if (breakpoint)
		json_object_set_new(json, "id", json_integer(breakpoint->number));
	if (why)
		json_object_set_new(json, "message", wt_cli_json_text(why));
	if (!breakpoint || !breakpoint->is_known || breakpoint->kind == WT_DAP_BREAK_DATA)
		return json;
	json_object_set_new(json, "instructionReference",
			    wt_dap_memory_reference(GFX_SPACE_GLOBAL, 0, 0, breakpoint->address));
	if (breakpoint->file)
		json_object_set_new(json, "source",
				    wt_dap_source(dap, breakpoint->file, NULL, false));
	if (breakpoint->line)
		json_object_set_new(json, "line", json_integer(wt_dap_line(dap, breakpoint->line)));
	return json;
}

static const char *kept_why(const struct wt_dap_breakpoint *kept, const char *why)
{
	return kept ? why : "there are too many";
}

static void condition_take(struct wt_dap *dap, const json_t *wanted,
			   struct wt_dap_breakpoint *breakpoint)
{
	const char *text = wt_dap_text(wanted, "condition");

	if (text && *text)
		breakpoint->text = wt_dap_condition(dap, text, &breakpoint->lane);
}

static struct wt_error *line_set(struct wt_dap *dap, const char *source, const json_t *wanted,
				 json_t *array)
{
	struct wt_dap_breakpoint breakpoint = {.kind = WT_DAP_BREAK_LINE}, *kept;
	struct line_search search = {.source = source, .to = UINT32_MAX};
	const char *why = NULL;
	struct wt_error *error = line_argument(dap, wanted, "line", 0, &search.from);

	if (!error)
		error = code_objects_visit(dap, search_visit, &search);
	if (error) {
		free(search.file);
		return error;
	}
	breakpoint.source = strdup(source);
	breakpoint.file = search.file;
	breakpoint.line = search.line;
	if (search.line)
		error = breakpoint_add(&breakpoint, search.address, 0);
	if (error) {
		breakpoint_deinit(&breakpoint);
		return error;
	}
	breakpoint.is_known = search.line && breakpoint.source;
	if (!search.file)
		why = "no code object has code of this file";
	else if (!search.line)
		why = "there is no code at this line, nor behind it";
	condition_take(dap, wanted, &breakpoint);
	kept = breakpoint_keep(dap, &breakpoint);
	json_array_append_new(array, breakpoint_json(dap, kept, kept_why(kept, why)));
	return NULL;
}

static struct wt_error *handle_set_breakpoints(struct wt_dap *dap, const json_t *arguments,
					       json_t **body_ret)
{
	const char *name = request_source_name(dap, json_object_get(arguments, "source"));
	json_t *array = json_array(), *wanted;
	struct wt_error *error = NULL;
	size_t i;

	if (!name) {
		json_decref(array);
		return wt_dap_wrong(CANNOT_SET, "source has no path");
	}
	breakpoints_clear(dap, WT_DAP_BREAK_LINE, name);
	json_array_foreach(json_object_get(arguments, "breakpoints"), i, wanted)
	{
		if (!error)
			error = line_set(dap, name, wanted, array);
	}
	if (error)
		json_decref(array);
	else
		*body_ret = json_pack("{s:o}", "breakpoints", array);
	return error;
}

static struct wt_error *handle_locations(struct wt_dap *dap, const json_t *arguments,
					 json_t **body_ret)
{
	struct line_search search = {
		.source = request_source_name(dap, json_object_get(arguments, "source"))};
	json_t *array, *line;
	const char *key;
	struct wt_error *error = line_argument(dap, arguments, "line", 0, &search.from);

	if (!error)
		error = line_argument(dap, arguments, "endLine", search.from, &search.to);
	if (!error && !search.source)
		error = wt_dap_wrong("cannot show where breakpoints can be", "source has no path");
	if (error)
		return error;
	if (dap->client.lines_from_0 && !json_object_get(arguments, "endLine"))
		search.to = search.from;
	search.lines = json_object();
	error = code_objects_visit(dap, search_visit, &search);
	array = json_array();
	json_object_foreach(search.lines, key, line) json_array_append_new(
		array,
		json_pack("{s:I}", "line", wt_dap_line(dap, (uint32_t)json_integer_value(line))));
	json_decref(search.lines);
	free(search.file);
	if (error)
		json_decref(array);
	else
		*body_ret = json_pack("{s:o}", "breakpoints", array);
	return error;
}

/* ---- Functions and instructions ---- */

struct function_search {
	const char *name;
	struct wt_dap_breakpoint *breakpoint;
	struct wt_source *source; /* that is searched */
	uint64_t load;
	const char *linked; /* the name that was looked at last, and whether it is the one */
	bool is_linked;
	struct wt_error *error;
};

/* The line of a function that begins with others, inlined into it, is the one that calls the first of these. */
static void search_note_call(struct function_search *search, uint64_t address, size_t functions)
{
	struct wt_source_function around[WT_SOURCE_MAX_FUNCTIONS];

	if (wt_source_functions(search->source, address, around) <= functions ||
	    !around[functions].call_file)
		return;
	search->breakpoint->file = strdup(around[functions].call_file);
	search->breakpoint->line = around[functions].call_line;
}

static void search_add_place(struct function_search *search, uint64_t address, size_t functions)
{
	if (search->error)
		return;
	if (!search->breakpoint->address_count)
		search_note_call(search, address, functions);
	search->error = breakpoint_add(search->breakpoint, address + search->load, functions);
}

/* A name takes long to be taken apart: those that do not have the other in them are left out, and each is looked at once. */
static bool search_is_inlined(struct function_search *search, const struct wt_inlined *inlined)
{
	const char *linked = inlined->linked ? inlined->linked : inlined->name;
	wt_cleanup_free char *alone = strndup(inlined->name, strcspn(inlined->name, "<"));

	if (!alone || (strncmp(search->name, "_Z", 2) && !strstr(search->name, alone)))
		return false;
	if (linked != search->linked)
		search->is_linked = wt_cli_name_is(linked, search->name, false);
	search->linked = linked;
	return search->is_linked;
}

static void inlined_visit(void *opaque, const struct wt_inlined *inlined)
{
	struct function_search *search = opaque;

	if (search_is_inlined(search, inlined))
		search_add_place(search, inlined->address, inlined->functions);
}

static void function_visit(void *opaque, struct wt_source *source, uint64_t load)
{
	struct function_search *search = opaque;
	struct wt_source_symbol symbol;

	search->source = source;
	search->load = load;
	search->linked = NULL;
	for (size_t position = 0; wt_source_symbol_next(source, &position, &symbol);)
		if (symbol.kind == WT_SYMBOL_FUNCTION &&
		    wt_cli_name_is(symbol.name, search->name, false))
			search_add_place(search, symbol.address, 1);
	if (wt_source_dwarf(source))
		wt_inlined_visit(wt_source_dwarf(source), inlined_visit, search);
}

/* Symbols can be several of one function. */
static void breakpoint_order(struct wt_dap_breakpoint *breakpoint)
{
	struct wt_way_address *addresses = breakpoint->addresses;
	size_t kept = 0;

	if (breakpoint->address_count)
		qsort(addresses, breakpoint->address_count, sizeof(*addresses), wt_compare_u64);
	for (size_t i = 0; i < breakpoint->address_count; i++) {
		if (!kept || addresses[kept - 1].address != addresses[i].address)
			addresses[kept++] = addresses[i];
		else if (addresses[kept - 1].functions > addresses[i].functions)
			addresses[kept - 1] = addresses[i];
	}
	breakpoint->address_count = kept;
}

/* How many places a function has, for the client; NULL if it has one, of its own. For the caller to free(). */
static char *function_describe(const struct wt_dap_breakpoint *breakpoint)
{
	size_t inlined = 0, own;

	for (size_t i = 0; i < breakpoint->address_count; i++)
		inlined += breakpoint->addresses[i].functions > 1;
	own = breakpoint->address_count - inlined;
	if (!inlined)
		return own > 1 ? wt_text("%zu functions", own) : NULL;
	if (!own)
		return wt_text("%zu %s where it is inlined", inlined,
			       wt_plural(inlined, "place", "places"));
	return wt_text("%zu %s, and %zu %s where it is inlined", own,
		       wt_plural(own, "function", "functions"), inlined,
		       wt_plural(inlined, "place", "places"));
}

/* Find an address of code in the source. */
static struct wt_error *breakpoint_place(struct wt_dap *dap, struct wt_dap_breakpoint *breakpoint)
{
	struct wavetape_place place;
	struct wt_error *error =
		wt_explain_address(dap->opened->explainer, NULL, breakpoint->address, &place);

	if (error)
		return error;
	if (place.file && !breakpoint->file) {
		breakpoint->file = strdup(place.file);
		breakpoint->line = place.line;
	}
	breakpoint->is_known = place.instruction_bytes || place.symbol;
	wt_explain_code_deinit(&place);
	return NULL;
}

static struct wt_error *address_set(struct wt_dap *dap, struct wt_dap_breakpoint *breakpoint,
				    const json_t *wanted, const char *why, json_t *array)
{
	struct wt_dap_breakpoint *kept;
	struct wt_error *error =
		breakpoint->address_count ? breakpoint_place(dap, breakpoint) : NULL;

	if (error) {
		breakpoint_deinit(breakpoint);
		return error;
	}
	if (!why && !breakpoint->is_known)
		why = "there is no code";
	condition_take(dap, wanted, breakpoint);
	kept = breakpoint_keep(dap, breakpoint);
	json_array_append_new(array, breakpoint_json(dap, kept, kept_why(kept, why)));
	return NULL;
}

static struct wt_error *function_set(struct wt_dap *dap, const json_t *wanted, json_t *array)
{
	struct wt_dap_breakpoint breakpoint = {.kind = WT_DAP_BREAK_FUNCTION};
	struct function_search search = {.name = wt_dap_text(wanted, "name"),
					 .breakpoint = &breakpoint};
	wt_cleanup_free char *places = NULL;
	struct wt_error *error = NULL;

	if (search.name)
		error = code_objects_visit(dap, function_visit, &search);
	if (!error)
		error = search.error;
	else
		wt_error_destroy(search.error);
	if (error) {
		breakpoint_deinit(&breakpoint);
		return error;
	}
	breakpoint_order(&breakpoint);
	places = function_describe(&breakpoint);
	return address_set(dap, &breakpoint, wanted,
			   breakpoint.address_count ? places : "no code object has such a function",
			   array);
}

static struct wt_error *instruction_set(struct wt_dap *dap, const json_t *wanted, json_t *array)
{
	struct wt_dap_breakpoint breakpoint = {.kind = WT_DAP_BREAK_INSTRUCTION};
	struct wt_dap_memory memory;
	json_int_t offset;
	struct wt_error *error = wt_dap_memory_parse(
		CANNOT_SET, wt_dap_text(wanted, "instructionReference"), &memory);

	if (!error)
		error = wt_dap_number(wanted, "offset", INT64_MIN, INT64_MAX, 0, &offset);
	if (error)
		return error;
	error = breakpoint_add(&breakpoint, memory.address + (uint64_t)offset, 0);
	if (error)
		return error;
	return address_set(dap, &breakpoint, wanted, NULL, array);
}

/* ---- Data ---- */

/* "index in lane 3": what changes, and where. */
static struct wt_error *data_set(struct wt_dap *dap, const json_t *wanted, json_t *array)
{
	struct wt_dap_breakpoint breakpoint = {.kind = WT_DAP_BREAK_DATA}, *kept;
	const char *name = wt_dap_text(wanted, "dataId");

	if (name)
		breakpoint.text = wt_dap_condition(dap, name, &breakpoint.lane);
	breakpoint.is_known = breakpoint.text != NULL;
	kept = breakpoint_keep(dap, &breakpoint);
	json_array_append_new(
		array,
		breakpoint_json(dap, kept, kept_why(kept, name ? NULL : "dataId is missing")));
	return NULL;
}

/* Names what was opened, as an expression; NULL if it has none. */
static char *data_expression(struct wt_dap *dap, json_int_t number, const char *name)
{
	const struct wt_dap_reference *reference;

	if (!number)
		return strdup(name);
	if ((size_t)number > dap->reference_count)
		return NULL;
	reference = &dap->references[number - 1];
	switch (reference->kind) {
	case WT_DAP_ARGUMENTS:
	case WT_DAP_LOCALS:
		return reference->frame ? NULL : strdup(name);
	case WT_DAP_REGISTER_CLASS:
		return wt_text("$%s", name);
	case WT_DAP_OBJECT:
		if (reference->frame || !reference->name || strchr(name, ' '))
			return NULL;
		if (!strcmp(name, "*"))
			return wt_text("*(%s)", reference->name);
		return wt_text(name[0] == '[' ? "(%s)%s" : "(%s).%s", reference->name, name);
	default:
		return NULL;
	}
}

static struct wt_error *handle_data_info(struct wt_dap *dap, const json_t *arguments,
					 json_t **body_ret)
{
	const char *name = wt_dap_text(arguments, "name");
	wt_cleanup_free char *expression = NULL, *id = NULL;
	json_int_t number;
	struct wt_error *error =
		wt_dap_number(arguments, "variablesReference", 0, INT32_MAX, 0, &number);

	if (!error && !name)
		error = wt_dap_wrong("cannot watch this", "name is missing");
	if (error)
		return error;
	expression = data_expression(dap, number, name);
	if (!expression) {
		*body_ret = json_pack("{s:n, s:s}", "dataId", "description",
				      "only what the innermost function has is watched");
		return NULL;
	}
	id = wt_text("%s in lane %u", expression, dap->lane);
	*body_ret =
		json_pack("{s:o, s:o, s:[s], s:b}", "dataId", wt_cli_json_text(id), "description",
			  wt_cli_json_text(id), "accessTypes", "write", "canPersist", 0);
	return NULL;
}

/* ---- Lists ---- */

static struct wt_error *
list_set(struct wt_dap *dap, const json_t *arguments, enum wt_dap_breakpoint_kind kind,
	 struct wt_error *(*set)(struct wt_dap *dap, const json_t *wanted, json_t *array),
	 json_t **body_ret)
{
	json_t *array = json_array(), *wanted;
	struct wt_error *error = NULL;
	size_t i;

	breakpoints_clear(dap, kind, NULL);
	json_array_foreach(json_object_get(arguments, "breakpoints"), i, wanted)
	{
		if (!error)
			error = set(dap, wanted, array);
	}
	if (error)
		json_decref(array);
	else
		*body_ret = json_pack("{s:o}", "breakpoints", array);
	return error;
}

static struct wt_error *handle_set_functions(struct wt_dap *dap, const json_t *arguments,
					     json_t **body_ret)
{
	return list_set(dap, arguments, WT_DAP_BREAK_FUNCTION, function_set, body_ret);
}

static struct wt_error *handle_set_instructions(struct wt_dap *dap, const json_t *arguments,
						json_t **body_ret)
{
	return list_set(dap, arguments, WT_DAP_BREAK_INSTRUCTION, instruction_set, body_ret);
}

static struct wt_error *handle_set_data(struct wt_dap *dap, const json_t *arguments,
					json_t **body_ret)
{
	return list_set(dap, arguments, WT_DAP_BREAK_DATA, data_set, body_ret);
}

/* A fault is where a wave's way ends: there is nothing to choose. */
static struct wt_error *handle_set_exceptions(struct wt_dap *dap, const json_t *arguments,
					      json_t **body_ret)
{
	(void)dap;
	(void)arguments;
	*body_ret = json_pack("{s:[]}", "breakpoints");
	return NULL;
}

const struct wt_dap_command wt_dap_break_commands[] = {
	{"setBreakpoints", handle_set_breakpoints, false},
	{"breakpointLocations", handle_locations, false},
	{"setFunctionBreakpoints", handle_set_functions, false},
	{"setInstructionBreakpoints", handle_set_instructions, false},
	{"dataBreakpointInfo", handle_data_info, false},
	{"setDataBreakpoints", handle_set_data, false},
	{"setExceptionBreakpoints", handle_set_exceptions, false},
	{NULL, NULL, false},
};
