/* SPDX-License-Identifier: MIT */
#include "cli/describe.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "base/compare.h"
#include "base/plural.h"
#include "base/visible.h"
#include "cli/function-names.h"
#include "cli/output.h"
#include "replayer/view/explain-cause.h"

#define VALUE_MAX 32			 /* bytes of a value that are shown */
#define SYMBOL_MAX (WT_DESCRIBE_MAX / 4) /* characters of a name in a line */

/** Append to a buffer of WT_DESCRIBE_MAX; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) static void description_append(char *buffer,
								     const char *format, ...)
{
	size_t used = strlen(buffer);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(buffer + used, WT_DESCRIBE_MAX - used, format, arguments);
	va_end(arguments);
}

/** Append a name from a trace; what does not fit is cut. */
static void description_append_name(char *buffer, const char *name)
{
	size_t used = strlen(buffer);

	wt_visible(name, buffer + used, WT_DESCRIBE_MAX - used);
}

const char *wt_describe_lanes(uint64_t lanes, char buffer[WT_DESCRIBE_MAX])
{
	unsigned int lane = 0;

	buffer[0] = '\0';
	while (lane < 64) {
		unsigned int first = lane;

		while (lane < 64 && (lanes >> lane & 1))
			lane++;
		if (lane - first == 1)
			description_append(buffer, "%s%u", buffer[0] ? "," : "", first);
		else if (lane > first)
			description_append(buffer, "%s%u-%u", buffer[0] ? "," : "", first,
					   lane - 1);
		lane++;
	}
	return buffer[0] ? buffer : strcpy(buffer, "none");
}

const char *wt_describe_reasons(uint32_t reasons, char buffer[WT_DESCRIBE_MAX])
{
	return wt_enumeration_flags("amd_dbgapi_wave_stop_reasons_t", reasons,
				    "AMD_DBGAPI_WAVE_STOP_REASON_", buffer, WT_DESCRIBE_MAX);
}

const char *wt_describe_reasons_plainly(uint32_t reasons, char buffer[WT_DESCRIBE_MAX])
{
	return wt_reasons_words(reasons, buffer, WT_DESCRIBE_MAX);
}

const char *wt_describe_place(const uint32_t workgroup[3], uint32_t number_in_group,
			      char buffer[WT_DESCRIBE_MAX])
{
	if (!workgroup)
		return strcpy(buffer, "(?)");
	snprintf(buffer, WT_DESCRIBE_MAX, "(%u,%u,%u)/%u", workgroup[0], workgroup[1], workgroup[2],
		 number_in_group);
	return buffer;
}

const char *wt_describe_coordinates(const struct wt_explain_wave *wave,
				    char buffer[WT_DESCRIBE_MAX])
{
	wt_describe_place(wave->has_coordinates ? wave->workgroup : NULL, wave->number_in_workgroup,
			  buffer);
	if (wave->in_cluster)
		description_append(buffer, " (%u,%u,%u) of cluster (%u,%u,%u)",
				   wave->workgroup_in_cluster[0], wave->workgroup_in_cluster[1],
				   wave->workgroup_in_cluster[2], wave->cluster[0],
				   wave->cluster[1], wave->cluster[2]);
	return buffer;
}

const char *wt_describe_time(uint64_t nanoseconds, char buffer[WT_DESCRIBE_MAX])
{
	time_t seconds = (time_t)(nanoseconds / 1000000000u);
	struct tm broken_down;

	gmtime_r(&seconds, &broken_down);
	strftime(buffer, WT_DESCRIBE_MAX, "%Y-%m-%d %H:%M:%S UTC", &broken_down);
	return buffer;
}

const char *wt_describe_value(const uint8_t *value, size_t size, char buffer[WT_DESCRIBE_MAX])
{
	size_t used = (size_t)snprintf(buffer, WT_DESCRIBE_MAX, "0x");

	for (size_t i = size < VALUE_MAX ? size : VALUE_MAX; i-- > 0;)
		used += (size_t)snprintf(buffer + used, WT_DESCRIBE_MAX - used, "%02x", value[i]);
	return buffer;
}

const char *wt_describe_code(const struct wavetape_place *code, char buffer[WT_DESCRIBE_MAX])
{
	char name[SYMBOL_MAX + 1], plain[WT_CLI_NAME];

	buffer[0] = '\0';
	/* Names of templates can be very long; what follows them must not be lost for it. */
	if (code->symbol)
		description_append(buffer, "%s+0x%" PRIx64,
				   wt_visible(wt_cli_name(code->symbol, plain), name, sizeof(name)),
				   code->symbol_offset);
	else
		description_append(buffer, "0x%" PRIx64, code->address);
	if (code->function && code->symbol && strcmp(code->function, code->symbol))
		description_append(buffer, " in %s",
				   wt_visible(code->function, name, sizeof(name)));
	if (code->file) {
		description_append(buffer, " at ");
		description_append_name(buffer, code->file);
		description_append(buffer, ":%u", code->line);
	}
	if (code->file && code->column)
		description_append(buffer, ":%u", code->column);
	/* Inlined code may stand in a header that the user has never seen. */
	if (code->call_file) {
		description_append(buffer, ", from ");
		description_append_name(buffer, code->call_file);
		description_append(buffer, ":%u", code->call_line);
	}
	return buffer;
}

static const char *access_direction(const struct gfx_access *access)
{
	if (access->read && access->write)
		return "update";
	return access->write ? "store" : "load";
}

/** The address of the first and the last of some lanes. */
static void access_address_range(const struct gfx_access *access, uint64_t lanes,
				 uint64_t *first_ret, uint64_t *last_ret)
{
	*first_ret = access->addresses[__builtin_ctzll(lanes)];
	*last_ret = access->addresses[63 - __builtin_clzll(lanes)];
}

/** Which of the lanes failed, as far as the recorder looked at their memory. */
static void description_append_failure(const struct wt_explain_wave *wave, char *buffer)
{
	uint64_t unknown = wave->unknown_lanes;
	char names[WT_DESCRIBE_MAX];

	if (wave->failed_lanes && unknown)
		description_append(buffer, " (not mapped; of lane%s %s it is not known)",
				   unknown & (unknown - 1) ? "s" : "",
				   wt_describe_lanes(unknown, names));
	else if (wave->failed_lanes)
		description_append(buffer, " (not mapped)");
	else if (unknown &&
		 (wave->access.scalar || !(wave->access.lanes & (wave->access.lanes - 1))))
		description_append(buffer, " (whether that is mapped is not known)");
	else if (unknown)
		description_append(buffer, " (which of them failed is not known)");
}

const char *wt_describe_access(const struct wt_explain_wave *wave, char buffer[WT_DESCRIBE_MAX])
{
	uint64_t lanes = wave->failed_lanes ? wave->failed_lanes : wave->access.lanes;
	char names[WT_DESCRIBE_MAX];
	uint64_t first, last;

	buffer[0] = '\0';
	if (!wave->has_access)
		return buffer;
	if (!lanes) {
		description_append(buffer, "%ss %u %s at addresses that are not known",
				   access_direction(&wave->access), wave->access.size,
				   wt_plural(wave->access.size, "byte", "bytes"));
		return buffer;
	}
	access_address_range(&wave->access, lanes, &first, &last);
	if (wave->access.scalar)
		description_append(buffer, "the wave");
	else
		description_append(buffer, "lane%s %s", lanes & (lanes - 1) ? "s" : "",
				   wt_describe_lanes(lanes, names));
	description_append(buffer, " %s%s %u %s at ", access_direction(&wave->access),
			   wave->access.scalar || !(lanes & (lanes - 1)) ? "s" : "",
			   wave->access.size, wt_plural(wave->access.size, "byte", "bytes"));
	if (wave->access.space != GFX_ACCESS_GLOBAL)
		description_append(buffer, "%s ", wt_access_space_name(wave->access.space));
	description_append(buffer, "0x%" PRIx64, first);
	if (last != first)
		description_append(buffer, " .. 0x%" PRIx64, last);
	description_append_failure(wave, buffer);
	return buffer;
}

const char *wt_describe_event_kind(uint32_t kind, char buffer[WT_DESCRIBE_MAX])
{
	const struct wt_enumeration *kinds = wt_enumeration_find("amd_dbgapi_event_kind_t");
	const char *name = wt_enumerator_name(kinds, kind);

	if (name)
		snprintf(buffer, WT_DESCRIBE_MAX, "%s", name + strlen("AMD_DBGAPI_EVENT_KIND_"));
	else
		snprintf(buffer, WT_DESCRIBE_MAX, "kind %u", kind);
	return buffer;
}

static json_t *words_json(const struct wavetape_place *code)
{
	json_t *words = json_array();

	for (uint32_t i = 0; i < code->instruction_bytes / 4; i++)
		json_array_append_new(words, json_sprintf("0x%08x", code->words[i]));
	return words;
}

static json_t *symbol_json(const struct wavetape_place *code)
{
	return json_pack("{s:o, s:I}", "name", wt_cli_json_text(code->symbol), "offset",
			 (json_int_t)code->symbol_offset);
}

static json_t *source_json(const struct wavetape_place *code)
{
	return json_pack("{s:o, s:I, s:I, s:o}", "file", wt_cli_json_text(code->file), "line",
			 (json_int_t)code->line, "column", (json_int_t)code->column, "function",
			 wt_cli_json_text(code->function));
}

json_t *wt_describe_name_json(const char *symbol)
{
	char name[WT_CLI_NAME];

	return wt_cli_json_text(wt_cli_name(symbol, name));
}

json_t *wt_describe_code_json(const struct wavetape_place *code)
{
	return wt_place_facts_json(code, code->instruction_bytes ? words_json(code) : NULL,
				   code->symbol ? symbol_json(code) : NULL,
				   code->file ? source_json(code) : NULL);
}

void wt_describe_match_into(enum wt_source_match match, json_t *json)
{
	if (match != WT_SOURCE_NOT_KNOWN)
		json_object_set_new(json, "source_differs",
				    json_boolean(match == WT_SOURCE_DIFFERS));
}

json_t *wt_describe_lanes_json(uint64_t lanes)
{
	json_t *array = json_array();

	for (int lane = 0; lane < 64; lane++)
		if (lanes >> lane & 1)
			json_array_append_new(array, json_integer(lane));
	return array;
}

static json_t *addresses_json(const struct wavetape_access *access)
{
	json_t *addresses = json_object();

	for (int lane = 0; lane < 64; lane++) {
		char name[8];

		if (!(access->lanes >> lane & 1))
			continue;
		snprintf(name, sizeof(name), "%d", lane);
		json_object_set_new(addresses, name, wt_cli_json_hex(access->addresses[lane]));
	}
	return addresses;
}

static json_t *access_json(const struct wt_explain_wave *wave)
{
	struct wavetape_access access;

	wt_explain_wave_access(wave, &access);
	return wt_access_facts_json(&access, json_string(access_direction(&wave->access)),
				    addresses_json(&access));
}

/* At one stop there is one instruction at an address; of waves of two architectures it may be called by two names. */
static bool is_same_code(const struct wavetape_place *a, const struct wavetape_place *b)
{
	return a->address == b->address && a->instruction_bytes == b->instruction_bytes &&
	       a->decoded_as == b->decoded_as && wt_same_text(a->instruction, b->instruction) &&
	       wt_same_text(a->not_decoded, b->not_decoded);
}

json_t *wt_describe_next_wave_json(const struct wt_explain_wave *wave,
				   struct wt_described_code *last)
{
	bool stopped = wave->state == WAVETAPE_WAVE_STOPPED;

	if (stopped && (!last->json || !is_same_code(&last->code, &wave->code))) {
		json_decref(last->json);
		*last = (struct wt_described_code){wave->code, wt_describe_code_json(&wave->code)};
	}
	return wt_wave_facts_json(&wave->facts, stopped ? json_incref(last->json) : NULL,
				  stopped && wave->has_access ? access_json(wave) : NULL);
}

json_t *wt_describe_wave_json(const struct wt_explain_wave *wave)
{
	struct wt_described_code code = {0};
	json_t *json = wt_describe_next_wave_json(wave, &code);

	json_decref(code.json);
	return json;
}

json_t *wt_describe_missing_json(const struct wt_missing *missing)
{
	json_t *array = json_array();

	for (size_t i = 0; i < missing->count; i++)
		json_array_append_new(array, json_string(missing->reasons[i]));
	return array;
}
