/* SPDX-License-Identifier: MIT */
/* The last steps of a wave's way in a report, with the values that each has written. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/look/show.h"
#include "cli/output.h"
#include "cli/report/report.h"

#define SHOWN_STEPS 200u
#define SHOWN_INSTRUCTIONS UINT64_C(200000) /* a longer way is not followed for a page */

/* [name, value, changed]: values as `wavetape way` prints them. Before the step the list has names and values as they were. */
static json_t *step_values(const struct wt_way *way, const struct wt_way_step *step, uint32_t lane,
			   const json_t *before)
{
	json_t *values = json_array();

	for (size_t i = 0; i < step->touch_count; i++)
		for (uint32_t word = 0; word < step->touches[i].words; word++) {
			const struct wt_way_touch *touch = &step->touches[i];
			char name[24], text[WT_CLI_WAY_VALUE];
			struct wt_way_value value;
			const char *was, *is;

			if (!touch->write || touch->memory)
				continue;
			wt_cli_way_word(touch, word, name);
			if (!wt_way_register(way, name, lane, &value))
				continue;
			is = wt_cli_way_value(&value, text);
			was = json_string_value(
				json_array_get(json_array_get(before, json_array_size(values)), 1));
			json_array_append_new(values,
					      json_pack("[s, s, b]", name, is,
							before && (!was || strcmp(was, is))));
		}
	return values;
}

/* [position, "file:line", instruction, lane, values] */
static struct wt_error *step_row(struct wt_way *way, uint64_t next, json_t *rows)
{
	struct wt_way_step step;
	json_t *before = NULL, *row = NULL;
	uint32_t lane;
	bool has;
	struct wt_error *error = wt_way_step(way, &has, &step);

	if (error)
		return error;
	if (has) {
		const char *file = step.place.file ? strrchr(step.place.file, '/') : NULL;

		lane = step.exec ? (uint32_t)__builtin_ctzll(step.exec) : 0;
		before = step_values(way, &step, lane, NULL);
		row = json_pack("[I, o, I, o, I]", (json_int_t)step.position,
				wt_cli_json_text(file ? file + 1 : step.place.file),
				(json_int_t)step.place.line,
				wt_cli_json_text(step.place.instruction), (json_int_t)lane);
	}
	error = wt_way_go(way, next);
	if (!error && row) {
		json_array_append_new(row, step_values(way, &step, lane, before));
		json_array_append(rows, row);
	}
	json_decref(before);
	json_decref(row);
	if (has)
		wt_way_step_deinit(&step);
	return error;
}

static struct wt_error *way_rows(struct wt_way *way, json_t *rows)
{
	const struct wt_way_summary *summary = wt_way_summary(way);
	uint64_t from = summary->steps > SHOWN_STEPS ? summary->steps - SHOWN_STEPS : 0, next;
	struct wt_error *error = wt_way_go(way, from);

	while (!error && wt_way_next(way, false, &next))
		error = step_row(way, next, rows);
	return error;
}

struct wt_error *wt_report_put_way(struct wt_report_stop *stop, uint64_t wave, json_t *json)
{
	const struct wt_way_options options = {.instructions = SHOWN_INSTRUCTIONS,
					       .bytes = 16 << 20};
	wt_cleanup_free char *text = NULL;
	struct wt_way *way = NULL;
	json_t *rows = json_array();
	struct wt_error *error = wt_way_create(stop->explainer, wave, &options, &way);

	if (!error)
		error = wt_way_describe(way, &text);
	if (!error && wt_way_summary(way)->found)
		error = way_rows(way, rows);
	wt_way_destroy(way);
	if (error) {
		json_decref(rows);
		return error;
	}
	json_object_set_new(json, "way",
			    json_pack("{s:o, s:o}", "text", wt_cli_json_text(text), "rows", rows));
	return NULL;
}
