/* SPDX-License-Identifier: MIT */
#include "cli/look/libwavetape.h"

#include <stdlib.h>
#include <string.h>

#include "libwavetape/handles.h"

/* The words are put together by who does not change them, nor frees them. */
static char *borrowed(const char *text)
{
	return (char *)(uintptr_t)text;
}

static void take_place(const struct wavetape_place *place, struct wt_explain_code *code_ret)
{
	*code_ret = (struct wt_explain_code){
		.address = place->address,
		.code_object = place->code_object,
		.elf_address = place->elf_address,
		.symbol = place->symbol,
		.symbol_offset = place->symbol_offset,
		.place =
			{
				.function = place->function,
				.file = place->file,
				.line = (int)place->line,
				.column = (int)place->column,
				.call_file = place->call_file,
				.call_line = (int)place->call_line,
				.md5 = place->md5,
			},
		.instruction_size = place->instruction_bytes,
		.text = borrowed(place->instruction),
		.not_decoded = borrowed(place->not_decoded),
		.decoded_as = place->decoded_as,
	};
	memcpy(code_ret->words, place->words, sizeof(code_ret->words));
}

static enum gfx_access_space space_named(const char *name)
{
	enum gfx_access_space space = GFX_ACCESS_GENERIC;

	while (space != GFX_ACCESS_NONE && strcmp(wt_access_space_name(space), name) != 0)
		space--;
	return space;
}

static void take_access(const struct wavetape_access *access, struct wt_explain_wave *wave)
{
	wave->access = (struct gfx_access){
		.space = space_named(access->space),
		.lanes = access->lanes,
		.size = access->bytes,
		.read = access->read,
		.write = access->write,
		.scalar = access->scalar,
	};
	memcpy(wave->access.addresses, access->addresses, sizeof(access->addresses));
	wave->failed_lanes = access->unmapped_lanes;
	wave->unknown_lanes = access->unknown_lanes;
}

static void take_wave(const struct wavetape_wave *info, struct wt_explain_wave *wave)
{
	*wave = (struct wt_explain_wave){
		.wave = info->wave,
		.known = info->state != WAVETAPE_WAVE_UNKNOWN,
		.stopped = info->state == WAVETAPE_WAVE_STOPPED,
		.reasons = info->reasons,
		.pc = info->pc,
		.exec = info->exec,
		.has_coordinates = info->has_coordinates,
		.number_in_group = info->number_in_workgroup,
		.in_cluster = info->in_cluster,
		.kernel = info->kernel,
		.has_access = info->has_access,
		.memory_fault = info->memory_fault,
		.certain = info->certain,
	};
	memcpy(wave->workgroup, info->workgroup, sizeof(wave->workgroup));
	memcpy(wave->cluster, info->cluster, sizeof(wave->cluster));
	memcpy(wave->workgroup_in_cluster, info->workgroup_in_cluster,
	       sizeof(wave->workgroup_in_cluster));
}

struct wt_error *wt_cli_take_wave(struct wavetape_stop *stop, uint64_t number,
				  struct wt_explain_wave *wave_ret)
{
	struct wavetape_access access = {.size = sizeof(access)};
	struct wavetape_place place = {.size = sizeof(place)};
	struct wavetape_wave info = {.size = sizeof(info)};
	struct wavetape_error *error = wavetape_wave_info(stop, number, &info);

	if (error)
		return wt_inside(error);
	take_wave(&info, wave_ret);
	if (wave_ret->stopped) {
		error = wavetape_wave_place(stop, number, &place);
		if (!error)
			take_place(&place, &wave_ret->code);
	}
	if (!error && info.has_access) {
		error = wavetape_wave_access(stop, number, &access);
		if (!error)
			take_access(&access, wave_ret);
	}
	return wt_inside(error);
}

static struct wt_error *take_events(const struct wavetape_stops *stops, size_t index,
				    uint32_t count, struct wt_stop_events **events)
{
	struct wavetape_events run = {.size = sizeof(run)};
	void *grown = reallocarray(*events, count ? count : 1, sizeof(**events));

	if (!grown)
		return &wt_error_no_memory;
	*events = grown;
	for (uint32_t i = 0; i < count; i++) {
		struct wavetape_error *error = wavetape_stops_events(stops, index, i, &run);

		if (error)
			return wt_inside(error);
		(*events)[i] = (struct wt_stop_events){
			.kind = run.kind_number, .first = run.first, .count = run.count};
	}
	return NULL;
}

struct wt_error *wt_cli_take_stop(const struct wavetape_stops *stops, size_t index,
				  struct wt_stop_events **events,
				  struct wt_stop_summary *summary_ret)
{
	struct wavetape_stop_summary known = {.size = sizeof(known)};
	struct wavetape_place place = {.size = sizeof(place)};
	struct wavetape_error *error = wavetape_stops_get(stops, index, &known);
	struct wt_error *failed;

	if (!error && known.has_place)
		error = wavetape_stops_place(stops, index, &place);
	failed = error ? wt_inside(error) : take_events(stops, index, known.event_runs, events);
	if (failed)
		return failed;
	*summary_ret = (struct wt_stop_summary){
		.number = known.number,
		.process = known.process,
		.call = known.call,
		.time = known.time_ns,
		.events = *events,
		.event_count = known.event_runs,
		.wave_count = known.waves,
		.stopped = known.stopped,
		.reasons = known.reasons,
		.kernel = known.kernel,
		.has_place = known.has_place,
		.lost = known.state_lost,
	};
	take_place(&place, &summary_ret->place);
	return NULL;
}
