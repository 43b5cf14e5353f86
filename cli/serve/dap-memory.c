/* SPDX-License-Identifier: MIT */
/* Memory and instructions, as an editor shows them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/arguments.h"
#include "cli/describe.h"
#include "cli/output.h"
#include "cli/serve/dap.h"
#include "replayer/recorded/table-names.h"

#define MEMORY_MAX ((json_int_t)1 << 24) /* bytes of one request */
#define INSTRUCTIONS_MAX 10000

/* ---- References to memory: "0x7f00", "local:17:0x40", "private:17:3:0x10" ---- */

json_t *wt_dap_memory_reference(enum gfx_space space, uint64_t wave, uint32_t lane,
				uint64_t address)
{
	if (space == GFX_SPACE_GLOBAL)
		return json_sprintf("0x%" PRIx64, address);
	if (space == GFX_SPACE_LOCAL || space == GFX_SPACE_PRIVATE_WAVE)
		return json_sprintf("%s:%" PRIu64 ":0x%" PRIx64, wt_table_names_space_name(space),
				    wave, address);
	return json_sprintf("%s:%" PRIu64 ":%u:0x%" PRIx64, wt_table_names_space_name(space), wave,
			    lane, address);
}

struct wt_error *wt_dap_memory_parse(const char *what, const char *text,
				     struct wt_dap_memory *memory_ret)
{
	uint64_t parts[3] = {0};
	const char *rest = text;
	size_t wanted = 1;

	*memory_ret = (struct wt_dap_memory){.space = GFX_SPACE_GLOBAL};
	for (int space = GFX_SPACE_GLOBAL; rest && space <= GFX_SPACE_LOCAL; space++) {
		const char *name = wt_table_names_space_name((enum gfx_space)space);

		if (strncmp(text, name, strlen(name)) != 0 || text[strlen(name)] != ':')
			continue;
		memory_ret->space = (enum gfx_space)space;
		rest = text + strlen(name) + 1;
		wanted = space == GFX_SPACE_LOCAL || space == GFX_SPACE_PRIVATE_WAVE ? 2 : 3;
	}
	for (size_t i = 0; rest && i < wanted; i++) {
		const char *end = strchrnul(rest, ':');
		char number[32];

		if ((size_t)(end - rest) >= sizeof(number) || (*end != ':') != (i + 1 == wanted))
			break;
		snprintf(number, sizeof(number), "%.*s", (int)(end - rest), rest);
		if (!wt_cli_number(number, &parts[i]))
			break;
		rest = *end ? end + 1 : NULL;
		if (i + 1 < wanted)
			continue;
		memory_ret->wave = wanted > 1 ? parts[0] : 0;
		memory_ret->lane = wanted > 2 ? (uint32_t)parts[1] : 0;
		memory_ret->address = parts[wanted - 1];
		if (wanted < 3 || parts[1] < 64)
			return NULL;
	}
	return wt_dap_wrong(what, "%.64s is no reference to memory", text ? text : "(none)");
}

/* Memory as a wave sees it on its way. */
static size_t way_memory_read(struct wt_way *way, const struct wt_dap_memory *memory, void *data,
			      size_t size)
{
	wt_cleanup_free enum wt_way_status *status = calloc(size + 1, sizeof(*status));
	size_t known = 0;

	if (!status)
		return 0;
	wt_way_memory(way, memory->space, memory->lane, memory->address, data, status, size);
	while (known < size && status[known] != WT_WAY_NOT_KNOWN)
		known++;
	return known;
}

size_t wt_dap_memory_read(struct wt_dap *dap, const struct wt_dap_memory *memory, void *data,
			  size_t size)
{
	struct wt_way *way = wt_opened_way_at(dap->opened, memory->wave ? memory->wave : dap->wave);

	/* Nothing is behind the end of the address space. */
	if (size && size - 1 > UINT64_MAX - memory->address)
		size = (size_t)(UINT64_MAX - memory->address) + 1;
	if (way)
		return way_memory_read(way, memory, data, size);
	return wt_view_memory(dap->opened->view, wt_table_names_space_name(memory->space),
			      memory->wave, memory->lane, memory->address, data, size);
}

static struct wt_error *memory_arguments(const json_t *arguments, const char *what,
					 struct wt_dap_memory *memory_ret)
{
	json_int_t offset;
	struct wt_error *error =
		wt_dap_memory_parse(what, wt_dap_text(arguments, "memoryReference"), memory_ret);

	if (!error)
		error = wt_dap_number(arguments, "offset", INT64_MIN, INT64_MAX, 0, &offset);
	if (!error)
		memory_ret->address += (uint64_t)offset;
	return error;
}

static struct wt_error *handle_read_memory(struct wt_dap *dap, const json_t *arguments,
					   json_t **body_ret)
{
	static const char what[] = "cannot read memory";
	wt_cleanup_free uint8_t *data = NULL;
	struct wt_dap_memory memory;
	json_int_t count;
	size_t size = 0;
	struct wt_error *error = memory_arguments(arguments, what, &memory);

	if (!error)
		error = wt_dap_number(arguments, "count", 0, MEMORY_MAX, 0, &count);
	if (error)
		return error;
	if (count) {
		data = malloc((size_t)count);
		if (!data)
			return &wt_error_no_memory;
		size = wt_dap_memory_read(dap, &memory, data, (size_t)count);
	}
	*body_ret = json_pack("{s:o}", "address", json_sprintf("0x%" PRIx64, memory.address));
	if (size)
		json_object_set_new(*body_ret, "data", wt_cli_json_base64(data, size));
	if (size < (size_t)count)
		json_object_set_new(*body_ret, "unreadableBytes",
				    json_integer(count - (json_int_t)size));
	return NULL;
}

/* ---- Instructions ---- */

static const struct gfx_architecture *dap_architecture(struct wt_dap *dap)
{
	struct wt_view *view = dap->opened->view;
	const struct gfx_architecture *architecture =
		dap->wave ? wt_view_architecture(view, WT_OBJECT_WAVE, dap->wave) : NULL;
	const uint64_t *agents;

	if (!architecture && wt_view_objects(view, WT_OBJECT_AGENT, &agents))
		architecture = wt_view_architecture(view, WT_OBJECT_AGENT, agents[0]);
	return architecture;
}

static void instruction_add_source(struct wt_dap *dap, const struct wavetape_place *place,
				   json_t *json)
{
	if (place->symbol && !place->symbol_offset)
		json_object_set_new(json, "symbol", wt_describe_name_json(place->symbol));
	if (!place->file)
		return;
	json_object_set_new(json, "location", wt_dap_source(dap, place->file, place->md5, false));
	json_object_set_new(json, "line", json_integer(wt_dap_line(dap, place->line)));
	if (place->column)
		json_object_set_new(json, "column",
				    json_integer(wt_dap_column(dap, place->column)));
}

/* An address without code is listed all the same: a client gets as many as it wants. */
static json_t *instruction_missing(uint64_t address)
{
	return json_pack("{s:o, s:s, s:s}", "address", json_sprintf("0x%" PRIx64, address),
			 "instruction", "(no code was recorded here)", "presentationHint",
			 "invalid");
}

static json_t *instruction_json(struct wt_dap *dap, const struct wavetape_place *place)
{
	const char *text = place->instruction;
	struct wt_buffer words = {0};
	wt_cleanup_free char *bytes = NULL;
	json_t *json;

	for (uint32_t i = 0; i < place->instruction_bytes / 4 && i < WT_EXPLAIN_WORDS; i++)
		wt_buffer_append_format(&words, "%s%08x", i ? " " : "", place->words[i]);
	bytes = wt_buffer_take_text(&words);
	if (!text)
		text = place->not_decoded ? place->not_decoded : "(no instruction)";
	json = json_pack("{s:o, s:o, s:o}", "address", json_sprintf("0x%" PRIx64, place->address),
			 "instructionBytes", wt_cli_json_text(bytes), "instruction",
			 wt_cli_json_text(text));
	instruction_add_source(dap, place, json);
	return json;
}

/* The instruction so many before or behind another one: they differ in length, so a function is walked from where it begins. */
static struct wt_error *instruction_walk(struct wt_dap *dap, uint64_t address, json_int_t offset,
					 uint64_t *address_ret, json_int_t *missing_ret)
{
	const struct gfx_architecture *architecture = dap_architecture(dap);
	size_t back = offset < 0 ? (size_t)-offset : 0, steps = 0;
	wt_cleanup_free uint64_t *window = calloc(back + 1, sizeof(*window));
	struct wavetape_place place;
	struct wt_error *error;
	uint64_t at;

	*missing_ret = 0;
	*address_ret = address;
	if (!window)
		return &wt_error_no_memory;
	error = wt_explain_address(dap->opened->explainer, architecture, address, &place);
	if (error)
		return error;
	at = place.symbol ? address - place.symbol_offset : address;
	wt_explain_code_deinit(&place);
	while (back && at < address) {
		error = wt_explain_address(dap->opened->explainer, architecture, at, &place);
		if (error)
			return error;
		window[steps++ % back] = at;
		at += place.instruction_bytes;
		wt_explain_code_deinit(&place);
		if (!place.instruction_bytes)
			break;
	}
	if (back) {
		size_t here = steps < back ? steps : back;

		*missing_ret = (json_int_t)(back - here);
		if (here)
			*address_ret = window[steps < back ? 0 : steps % back];
	}
	for (json_int_t i = 0; i < offset; i++) {
		error = wt_explain_address(dap->opened->explainer, architecture, *address_ret,
					   &place);
		if (error)
			return error;
		*address_ret += place.instruction_bytes ? place.instruction_bytes : 4;
		wt_explain_code_deinit(&place);
	}
	return NULL;
}

static struct wt_error *instructions_list(struct wt_dap *dap, uint64_t address, json_int_t missing,
					  json_int_t count, json_t *array)
{
	const struct gfx_architecture *architecture = dap_architecture(dap);

	for (json_int_t i = 0; i < count; i++) {
		struct wavetape_place place;
		struct wt_error *error;

		if (missing) {
			json_array_append_new(array,
					      instruction_missing(address - 4 * (uint64_t)missing));
			missing--;
			continue;
		}
		error = wt_explain_address(dap->opened->explainer, architecture, address, &place);
		if (error)
			return error;
		json_array_append_new(array, place.instruction_bytes
						     ? instruction_json(dap, &place)
						     : instruction_missing(address));
		address += place.instruction_bytes ? place.instruction_bytes : 4;
		wt_explain_code_deinit(&place);
	}
	return NULL;
}

static struct wt_error *handle_disassemble(struct wt_dap *dap, const json_t *arguments,
					   json_t **body_ret)
{
	static const char what[] = "cannot disassemble";
	json_int_t offset = 0, count = 0, missing;
	struct wt_dap_memory memory;
	json_t *array;
	struct wt_error *error = memory_arguments(arguments, what, &memory);

	if (!error)
		error = wt_dap_number(arguments, "instructionOffset", -INSTRUCTIONS_MAX,
				      INSTRUCTIONS_MAX, 0, &offset);
	if (!error)
		error = wt_dap_number(arguments, "instructionCount", 0, INSTRUCTIONS_MAX, 0,
				      &count);
	if (!error && memory.space != GFX_SPACE_GLOBAL)
		error = wt_dap_wrong(what, "code is in global memory");
	if (!error)
		error = instruction_walk(dap, memory.address, offset, &memory.address, &missing);
	if (error)
		return error;
	array = json_array();
	error = instructions_list(dap, memory.address, missing, count, array);
	if (error)
		json_decref(array);
	else
		*body_ret = json_pack("{s:o}", "instructions", array);
	return error;
}

const struct wt_dap_command wt_dap_memory_commands[] = {
	{"readMemory", handle_read_memory, false},
	{"disassemble", handle_disassemble, false},
	{NULL, NULL, false},
};
