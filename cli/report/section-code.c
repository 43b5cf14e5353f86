/* SPDX-License-Identifier: MIT */
/* Code in a report: the function around an address, or the part of it that is near, with source lines. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "cli/output.h"
#include "cli/report/report.h"

#define MOST_BEFORE 160 /* instructions of a function that is long */
#define MOST_AFTER 96
#define MOST_BYTES (UINT64_C(1) << 20) /* that are walked over for it */

/* ---- Sources ---- */

struct sources {
	const struct wt_view *view;
	const struct wt_source_maps *maps;
	json_t *files; /* names */
	json_t *lines; /* by number of the file: object of texts by line */
};

static size_t sources_file_number(struct sources *sources, const char *file)
{
	json_t *name = wt_cli_json_text(file);
	size_t i = 0;

	while (i < json_array_size(sources->files) &&
	       !json_equal(json_array_get(sources->files, i), name))
		i++;
	if (i == json_array_size(sources->files)) {
		json_array_append(sources->files, name);
		json_array_append_new(sources->lines, json_object());
	}
	json_decref(name);
	return i;
}

/* The text of a line, if it is not there yet. */
static struct wt_error *sources_take_line(struct sources *sources, size_t file, const char *path,
					  uint32_t line)
{
	json_t *texts = json_array_get(sources->lines, file);
	char number[16];
	struct wt_lines lines;
	struct wt_error *error;

	snprintf(number, sizeof(number), "%u", line);
	if (json_object_get(texts, number))
		return NULL;
	error = wt_lines_read(sources->view, sources->maps, path, line, &lines);
	if (error)
		return error;
	for (size_t i = 0; i < lines.count; i++) {
		snprintf(number, sizeof(number), "%u", lines.first + (uint32_t)i);
		json_object_set_new(texts, number, wt_cli_json_text(lines.text[i]));
	}
	wt_lines_deinit(&lines);
	return NULL;
}

/* ---- Instructions ---- */

/* Append a row: the instruction's size in bytes, its text, the number of the file, the line. */
static struct wt_error *instruction_append(struct sources *sources,
					   const struct wavetape_place *code, json_t *rows)
{
	json_t *row = json_pack("[I]", (json_int_t)code->instruction_bytes);
	struct wt_error *error = NULL;
	char words[24];

	snprintf(words, sizeof(words), ".long 0x%08x", code->words[0]);
	json_array_append_new(row, wt_cli_json_text(code->instruction ? code->instruction : words));
	if (code->file && code->line) {
		size_t file = sources_file_number(sources, code->file);

		json_array_append_new(row, json_integer((json_int_t)file));
		json_array_append_new(row, json_integer(code->line));
		error = sources_take_line(sources, file, code->file, code->line);
	}
	json_array_append_new(rows, row);
	return error;
}

/* Is the code still of the function in which it began? */
static bool code_is_of_function(const struct wavetape_place *code, const char *symbol)
{
	return code->instruction_bytes && wt_same_text(code->symbol, symbol);
}

struct walk {
	struct wt_explainer *explainer;
	const struct gfx_architecture *architecture;
	const char *symbol;
	uint64_t from, address; /* of the first instruction; that is meant */
};

/* Begin so late that no more than MOST_BEFORE instructions come before the one that is meant. */
static struct wt_error *walk_skip_ahead(struct walk *walk)
{
	uint64_t window[MOST_BEFORE] = {0}, at = walk->from;
	size_t steps = 0;

	while (at < walk->address) {
		struct wavetape_place code;
		struct wt_error *error =
			wt_explain_address(walk->explainer, walk->architecture, at, &code);
		uint32_t size = error ? 0 : code.instruction_bytes;

		if (error)
			return error;
		wt_explain_code_deinit(&code);
		/* Instructions before it cannot be told apart: the list begins with the one that is meant. */
		if (!size) {
			walk->from = walk->address;
			return NULL;
		}
		window[steps++ % MOST_BEFORE] = at;
		at += size;
	}
	if (steps > MOST_BEFORE)
		walk->from = window[steps % MOST_BEFORE];
	if (at != walk->address)
		walk->from = walk->address;
	return NULL;
}

static struct wt_error *walk_list(const struct walk *walk, struct sources *sources, json_t *rows,
				  uint64_t *to_ret)
{
	struct wt_error *error = NULL;
	uint64_t at = walk->from;
	size_t after = 0;
	bool more = true;

	while (!error && more) {
		struct wavetape_place code;

		error = wt_explain_address(walk->explainer, walk->architecture, at, &code);
		if (error)
			break;
		more = code_is_of_function(&code, walk->symbol) && after <= MOST_AFTER;
		if (more) {
			error = instruction_append(sources, &code, rows);
			after += at >= walk->address;
			at += code.instruction_bytes;
		}
		wt_explain_code_deinit(&code);
	}
	*to_ret = at;
	return error;
}

static struct wt_error *code_json(struct wt_report *report, struct walk *walk, uint64_t *to_ret,
				  json_t **json_ret)
{
	json_t *rows = json_array();
	struct sources sources = {wt_explainer_view(walk->explainer), report->maps, json_array(),
				  json_array()};
	struct wt_error *error = walk_skip_ahead(walk);

	if (!error)
		error = walk_list(walk, &sources, rows, to_ret);
	*json_ret = json_pack("{s:o, s:o, s:o, s:o, s:o}", "from", wt_cli_json_hex(walk->from),
			      "symbol", wt_cli_json_text(walk->symbol), "files", sources.files,
			      "lines", sources.lines, "rows", rows);
	return error;
}

static struct wt_error *report_keep_code(struct wt_report *report, uint64_t code_object,
					 uint64_t from, uint64_t to, json_t *json,
					 size_t *number_ret)
{
	struct wt_report_code *grown =
		reallocarray(report->codes, report->code_count + 1, sizeof(*grown));
	struct wt_error *error;
	bool added;
	char id[32];

	if (!grown) {
		json_decref(json);
		return &wt_error_no_memory;
	}
	report->codes = grown;
	snprintf(id, sizeof(id), "code-%zu", report->code_count);
	error = wt_report_page_add(&report->page, id, json, SIZE_MAX, &added);
	if (error)
		return error;
	*number_ret = added ? report->code_count : SIZE_MAX;
	grown[report->code_count++] = (struct wt_report_code){
		.code_object = code_object, .from = from, .to = to, .number = *number_ret};
	if (!added)
		wt_report_leave_out(report, "the code at 0x%" PRIx64, from);
	return NULL;
}

struct wt_error *wt_report_add_code(struct wt_report *report, struct wt_report_stop *stop,
				    const struct gfx_architecture *architecture, uint64_t address,
				    uint64_t code_object, size_t *number_ret)
{
	struct walk walk = {stop->explainer, architecture, NULL, address, address};
	struct wavetape_place code;
	struct wt_error *error;
	json_t *json = NULL;
	uint64_t to;

	for (size_t i = 0; i < report->code_count; i++) {
		const struct wt_report_code *old = &report->codes[i];

		*number_ret = old->number;
		if (old->code_object == code_object && address >= old->from && address < old->to)
			return NULL;
	}
	*number_ret = SIZE_MAX;
	error = wt_explain_address(stop->explainer, architecture, address, &code);
	if (error)
		return error;
	/* Instructions differ in length: what is before one is only known from the function's start on. */
	walk.symbol = code.symbol;
	if (code.symbol && code.symbol_offset <= MOST_BYTES)
		walk.from = address - code.symbol_offset;
	if (code.instruction_bytes)
		error = code_json(report, &walk, &to, &json);
	wt_explain_code_deinit(&code);
	if (error) {
		json_decref(json);
		return error;
	}
	return json ? report_keep_code(report, code_object, walk.from, to, json, number_ret) : NULL;
}
