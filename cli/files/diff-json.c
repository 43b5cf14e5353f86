/* SPDX-License-Identifier: MIT */
/* `wavetape diff --json`: every difference, with what A and B have. */
#include <inttypes.h>

#include "cli/describe.h"
#include "cli/facts.h"
#include "cli/files/verb-diff.h"
#include "cli/output.h"

static const char *const sides[WT_DIFF_SIDES] = {"a", "b"};

static enum wt_diff_side diff_json_side_of(const struct wt_diff *diff)
{
	return diff->value[WT_DIFF_A].present ? WT_DIFF_A : WT_DIFF_B;
}

/* ---- Waves and events ---- */

static json_t *diff_json_wave_json(const struct wt_diff_wave *wave)
{
	json_t *json = wt_diff_place_facts_json(&wave->place);

	json_object_set_new(json, "kernel", wt_cli_json_text(wave->kernel));
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		json_object_set_new(json, sides[side],
				    wave->handle[side]
					    ? json_integer((json_int_t)wave->handle[side])
					    : json_null());
	return json;
}

static json_t *diff_json_event_json(const struct wt_diff_event *event)
{
	char text[WT_DESCRIBE_MAX];
	json_t *json = json_pack("{s:s}", "event", wt_describe_event_kind(event->kind, text));

	if (event->has_wave)
		json_object_set_new(json, "wave", wt_diff_place_facts_json(&event->wave));
	if (event->detail)
		json_object_set_new(json, "detail", json_integer((json_int_t)event->detail));
	return json;
}

/* ---- Values ---- */

static json_t *diff_json_value_json(const struct wt_diff *diff, enum wt_diff_side side)
{
	const struct wt_diff_value *value = &diff->value[side];
	char text[WT_DESCRIBE_MAX];

	if (diff->kind == WT_DIFF_EVENT)
		return diff_json_event_json(value->event);
	switch (diff->what) {
	case WT_DIFF_LOAD_ADDRESS:
		return wt_cli_json_hex(value->number);
	case WT_DIFF_STATE:
		return json_string(value->number == WT_DIFF_STOPPED ? "stopped" : "running");
	case WT_DIFF_REASONS:
		return json_string(wt_describe_reasons((uint32_t)value->number, text));
	case WT_DIFF_POSITION:
		return wt_describe_code_json(value->code);
	case WT_DIFF_BYTES:
		if (!value->text)
			return json_string(wt_describe_value(value->data, value->size, text));
		break;
	default:
		break;
	}
	return wt_cli_json_text(value->text);
}

static void diff_json_add_values(json_t *json, const struct wt_diff *diff)
{
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		if (diff->value[side].present)
			json_object_set_new(json, sides[side],
					    diff_json_value_json(diff, (enum wt_diff_side)side));
}

static void diff_json_add_lanes(json_t *json, const struct wt_diff *diff)
{
	uint64_t lanes = wt_diff_lanes(diff->value);
	json_t *array = json_array();

	for (uint32_t lane = 0; lane < 64; lane++)
		if (lanes >> lane & 1)
			json_array_append_new(
				array,
				json_pack(
					"{s:i, s:o, s:o}", "lane", (int)lane, "a",
					json_sprintf("0x%08" PRIx32,
						     wt_diff_lane(&diff->value[WT_DIFF_A], lane)),
					"b",
					json_sprintf("0x%08" PRIx32,
						     wt_diff_lane(&diff->value[WT_DIFF_B], lane))));
	json_object_set_new(json, "lanes", array);
}

/* How many bytes differ, where the first does, and the 16 bytes around it. */
static void diff_json_add_page(json_t *json, const struct wt_diff *diff)
{
	struct wt_diff_bytes bytes = wt_diff_count_bytes(diff->value);
	uint64_t line = bytes.first - bytes.first % WT_CLI_DUMP_BYTES;
	uint64_t left = diff->value[WT_DIFF_A].size - line;
	size_t size = left < WT_CLI_DUMP_BYTES ? (size_t)left : WT_CLI_DUMP_BYTES;

	json_object_set_new(json, "page", wt_cli_json_hex(diff->position));
	json_object_set_new(json, "bytes", json_integer((json_int_t)bytes.count));
	json_object_set_new(json, "first", wt_cli_json_hex(diff->position + bytes.first));
	json_object_set_new(json, "line", wt_cli_json_hex(diff->position + line));
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		json_object_set_new(json, sides[side],
				    wt_cli_json_bytes(diff->value[side].data + line, size));
}

static void diff_json_add_image(json_t *json, const struct wt_diff *diff)
{
	struct wt_diff_bytes bytes = wt_diff_count_bytes(diff->value);

	json_object_set_new(json, "bytes", json_integer((json_int_t)bytes.count));
	json_object_set_new(json, "first", json_integer((json_int_t)bytes.first));
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		json_object_set_new(
			json, sides[side],
			json_pack("{s:I}", "bytes", (json_int_t)diff->value[side].size));
}

/* ---- Differences ---- */

static const char *diff_json_what_name(enum wt_diff_what what)
{
	static const char *const names[] = {
		[WT_DIFF_EXISTENCE] = "existence",
		[WT_DIFF_BYTES] = "bytes",
		[WT_DIFF_LOAD_ADDRESS] = "load_address",
		[WT_DIFF_URI] = "uri",
		[WT_DIFF_ARCHITECTURE] = "architecture",
		[WT_DIFF_KERNEL] = "kernel",
		[WT_DIFF_STATE] = "state",
		[WT_DIFF_REASONS] = "stop_reason",
		[WT_DIFF_POSITION] = "position",
		[WT_DIFF_KIND] = "event",
	};

	return names[what];
}

static void diff_json_add_difference(json_t *json, const struct wt_diff *diff)
{
	bool image = diff->kind == WT_DIFF_CODE_OBJECT && diff->what == WT_DIFF_BYTES;

	if (diff->kind == WT_DIFF_MEMORY)
		diff_json_add_page(json, diff);
	else if (image)
		diff_json_add_image(json, diff);
	else if (diff->kind == WT_DIFF_REGISTER && diff->vector)
		diff_json_add_lanes(json, diff);
	else if (diff->kind != WT_DIFF_WAVE || diff->what != WT_DIFF_EXISTENCE)
		diff_json_add_values(json, diff);
}

static struct wt_error *diff_json_append_difference(void *opaque, const struct wt_diff *diff)
{
	static const char *const kinds[WT_DIFF_KINDS] = {
		[WT_DIFF_AGENT] = "agent",   [WT_DIFF_CODE_OBJECT] = "code_object",
		[WT_DIFF_EVENT] = "event",   [WT_DIFF_ARGUMENT] = "argument",
		[WT_DIFF_WAVE] = "wave",     [WT_DIFF_REGISTER] = "register",
		[WT_DIFF_MEMORY] = "memory",
	};
	const struct wt_diff_json *state = opaque;
	json_t *json = json_pack("{s:s, s:s}", "kind", kinds[diff->kind], "what",
				 diff_json_what_name(diff->what));

	if (diff->what == WT_DIFF_EXISTENCE)
		json_object_set_new(json, "only_in", json_string(sides[diff_json_side_of(diff)]));
	if (diff->wave || diff->group)
		json_object_set_new(json, diff->wave ? "wave" : "workgroup_of",
				    diff_json_wave_json(diff->wave ? diff->wave : diff->group));
	if (diff->dispatch)
		json_object_set_new(json, "dispatch_of", diff_json_wave_json(diff->dispatch));
	if (diff->name)
		json_object_set_new(json, diff->kind == WT_DIFF_MEMORY ? "space" : "name",
				    wt_cli_json_text(diff->name));
	if (diff->kind < WT_DIFF_WAVE)
		json_object_set_new(json, "position", json_integer((json_int_t)diff->position));
	diff_json_add_difference(json, diff);
	if (json_array_append_new(json_object_get(state->stop, "differences"), json))
		return &wt_error_no_memory;
	return NULL;
}

/* ---- Stops ---- */

static struct wt_error *diff_json_begin_stop(void *opaque,
					     const struct wt_diff_stop *const stops[WT_DIFF_SIDES])
{
	struct wt_diff_json *state = opaque;

	state->stop = json_object();
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		json_object_set_new(state->stop, sides[side],
				    stops[side] ? json_integer(stops[side]->number) : json_null());
	json_object_set_new(state->stop, "differences", json_array());
	return state->stop ? NULL : &wt_error_no_memory;
}

/* Tell of one side what only it has recorded, and what is lost of it. */
static json_t *diff_json_not_compared_json(const struct wt_diff_counts *counts,
					   enum wt_diff_side side)
{
	return json_pack("{s:I, s:I, s:I, s:b, s:I, s:b}", "only_code_objects",
			 (json_int_t)counts->only_images[side], "only_registers",
			 (json_int_t)counts->only_registers[side], "only_pages",
			 (json_int_t)counts->only_pages[side], "only_stop",
			 counts->only_stops[side] != 0, "unknown_waves",
			 (json_int_t)counts->unknown_waves[side], "state_lost",
			 counts->lost_stops[side] != 0);
}

static struct wt_error *diff_json_end_stop(void *opaque, const struct wt_diff_counts *counts)
{
	struct wt_diff_json *state = opaque;
	json_t *stop = state->stop;

	json_object_set_new(stop, "not_compared",
			    json_pack("{s:o, s:o, s:I}", "a",
				      diff_json_not_compared_json(counts, WT_DIFF_A), "b",
				      diff_json_not_compared_json(counts, WT_DIFF_B),
				      "code_objects", (json_int_t)counts->no_images));
	state->stop = NULL;
	return json_array_append_new(state->stops, stop) ? &wt_error_no_memory : NULL;
}

static struct wt_error *diff_json_append_source(void *opaque, const struct wt_diff_source *source)
{
	const struct wt_diff_json *state = opaque;
	json_t *json, *counts[WT_DIFF_SIDES];

	for (int side = 0; side < WT_DIFF_SIDES; side++)
		counts[side] = json_pack("{s:I, s:I}", "bytes", (json_int_t)source->bytes[side],
					 "lines", (json_int_t)source->lines[side]);
	json = wt_diff_source_facts_json(source, counts[WT_DIFF_A], counts[WT_DIFF_B]);
	return json_array_append_new(state->sources, json) ? &wt_error_no_memory : NULL;
}

struct wt_diff_listener wt_diff_json_listener(struct wt_diff_json *json)
{
	return (struct wt_diff_listener){
		.opaque = json,
		.source = diff_json_append_source,
		.begin = diff_json_begin_stop,
		.difference = diff_json_append_difference,
		.end = diff_json_end_stop,
	};
}
