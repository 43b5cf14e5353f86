/* SPDX-License-Identifier: MIT */
/* A way is found, held against the recording, and gone along. */
#include "replayer/way/way.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "replayer/recorded/recorded.h"
#include "replayer/view/stops.h"
#include "replayer/way/internal.h"

/* Earlier moments that are looked at for a stop of the wave. */
#define EARLIER_MOMENTS 256u

/* ---- Memory that no other wave can have changed ---- */

/* The recording has no other wave that was there, and the dispatch no other one, so that nobody else has executed. */
static bool wave_is_alone(const struct wt_way *way)
{
	const struct wt_cause_dispatch *dispatch = &way->followed->dispatch;
	const struct wt_analysis_input *input = &way->followed->input;
	struct gfx_wave_resources resources;
	const uint64_t *handles;
	uint64_t items = 1;

	gfx_kernel_descriptor_resources(input->architecture, &input->descriptor, &resources);
	for (uint32_t i = 0; i < 3; i++)
		items *= dispatch->grid_size[i] ? dispatch->grid_size[i] : 1;
	return items <= resources.lane_count &&
	       wt_view_objects(way->view, WT_OBJECT_WAVE, &handles) == 1 &&
	       wt_view_objects(way->view, WT_OBJECT_QUEUE, &handles) <= 1;
}

/* The packet processor and the loader have written packet, arguments and constants; nobody does while kernels execute. */
static bool way_is_fixed(void *opaque, uint64_t address)
{
	const struct wt_way *way = (const struct wt_way *)opaque;
	const struct wt_cause_source *source = &way->followed->source;
	uint64_t arguments = way->input.launch.kernarg_address;
	uint8_t byte;

	return way->alone || address - arguments < way->input.descriptor.kernarg_size ||
	       (source->packet_address &&
		address - source->packet_address < sizeof(source->packet.bytes)) ||
	       wt_view_constant(way->view, address, &byte, 1);
}

/* ---- The input of the analysis, with the way as its `opaque` ---- */

static struct wt_way *way_of(void *opaque)
{
	return (struct wt_way *)opaque;
}

static bool way_fetch(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_followed *followed = way_of(opaque)->followed;

	return followed->input.fetch(&followed->source, address, data, size);
}

/* Memory is that of the place where the way begins, where that is a stop: the other one is later. */
static bool way_read(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_way *way = way_of(opaque);
	struct wt_followed *followed = way->first ? way->first : way->followed;

	return followed->input.read(&followed->source, address, data, size);
}

static enum wt_access_verdict way_judge(void *opaque, const struct gfx_access *access,
					enum gfx_access_space space, uint64_t address)
{
	struct wt_followed *followed = way_of(opaque)->followed;

	return followed->input.judge(&followed->source, access, space, address);
}

static bool way_is_code(void *opaque, uint64_t address)
{
	struct wt_followed *followed = way_of(opaque)->followed;

	return followed->input.is_code(&followed->source, address);
}

static bool way_read_stopped(void *opaque, const char *name, uint32_t lane, uint64_t *value_ret)
{
	const struct wt_way *way = way_of(opaque);

	return wt_view_register_value(way->view, way->wave, name, lane, value_ret);
}

static bool way_read_earlier(void *opaque, const char *name, uint32_t lane, uint64_t *value_ret)
{
	const struct wt_way *way = way_of(opaque);

	return wt_view_register_value(way->earlier, way->wave, name, lane, value_ret);
}

static bool way_read_earlier_memory(void *opaque, bool local, uint32_t lane, uint64_t address,
				    void *data, size_t size)
{
	const struct wt_way *way = way_of(opaque);

	return wt_view_memory(way->earlier, local ? "local" : "private_lane", way->wave, lane,
			      address, data, size) == size;
}

static void way_make_input(struct wt_way *way)
{
	way->input = way->followed->input;
	way->input.opaque = way;
	way->input.lane = 0;
	way->input.fetch = way_fetch;
	way->input.read = way_read;
	way->input.is_fixed = way_is_fixed;
	way->input.judge = way_judge;
	way->input.is_code = way_is_code;
	way->input.read_register = way_read_stopped;
	way->input.start = way->earlier ? &way->start : NULL;
}

/* ---- The stop before ---- */

/* Is the same wave stopped in a view, with registers? */
static bool stops_in(struct wt_view *view, uint64_t wave)
{
	uint64_t state, pc;

	return wt_view_exists(view, WT_OBJECT_WAVE, wave) &&
	       wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STATE, &state) &&
	       state == AMD_DBGAPI_WAVE_STATE_STOP &&
	       wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC, &pc) &&
	       wt_view_has_registers(view, wave);
}

/* Opens the last stop of the wave before the way's, if there is one. Parts of the trace that are lost are no stops. */
static struct wt_error *way_open_earlier(struct wt_way *way)
{
	struct wt_reader *reader = wt_view_reader(way->view);
	const struct wt_moment *moment = wt_view_moment(way->view);
	uint32_t last[EARLIER_MOMENTS], count = 0;

	/* A file can claim to skip any number of moments. */
	for (uint32_t i = wt_reader_next_moment(reader, 0); moment && i < moment->number;
	     i = wt_reader_next_moment(reader, i + 1))
		last[count++ % EARLIER_MOMENTS] = i;
	for (uint32_t i = 0; i < count && i < EARLIER_MOMENTS && !way->earlier; i++) {
		struct wt_view *view = NULL;
		struct wt_error *error =
			wt_view_open(reader, last[(count - 1 - i) % EARLIER_MOMENTS], &view);

		if (error && wt_error_is_loss(error))
			continue;
		if (error)
			return error;
		if (stops_in(view, way->wave))
			way->earlier = view;
		else
			wt_view_close(view);
	}
	return NULL;
}

static struct wt_error *way_prepare_start(struct wt_way *way, const struct wt_cause_limits *limits)
{
	const struct wt_item *place;
	struct wt_error *error = wt_explainer_create(way->earlier, &way->earlier_explainer);

	if (!error)
		error = wt_followed_create(way->earlier_explainer, way->wave, limits, &way->first);
	if (error)
		return error;
	place = wt_recorded_plain(wt_view_recorded(way->earlier), WT_ITEM_PRIVATE_PLACE, way->wave);
	way->start = (struct wt_analysis_start){
		.opaque = way,
		.read_register = way_read_earlier,
		.read = way_read_earlier_memory,
		.pc = wt_view_next_address(way->earlier, way->first->input.architecture,
					   way->first->cause.wave.reasons,
					   way->first->cause.wave.pc),
		.private_place = place && place->number_count == 2 ? place->numbers[0] : 0,
	};
	return NULL;
}

/* ---- Following ---- */

static bool way_track_goes_on(void *opaque, uint64_t steps)
{
	return wt_way_goes_on(opaque, steps);
}

bool wt_way_goes_on(const struct wt_way *way, uint64_t instructions)
{
	return !way->options.go_on || way->options.go_on(way->options.opaque, instructions);
}

__attribute__((format(printf, 2, 3))) static struct wt_error *way_refuse(struct wt_way *way,
									 const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	free(way->why_not);
	way->why_not = wt_text_list(format, arguments);
	va_end(arguments);
	return way->why_not ? NULL : &wt_error_no_memory;
}

/* Why the wave did not arrive: with the first difference, if there is one. */
static struct wt_error *way_say_end(struct wt_way *way, struct wt_track *track)
{
	const struct wt_difference *difference = &track->rerun->difference;
	wt_cleanup_free char *text = NULL;
	struct wt_error *error = wt_followed_say_end(way->explainer, way->input.architecture,
						     track->end, track->end_pc, &text);
	char name[16], lane[32] = "";

	if (error)
		return error;
	if (track->end != WT_ANALYSIS_DIFFERENT || !difference->is_one)
		return way_refuse(way, "%s", text);
	if (difference->file == GFX_FILE_SCALAR) {
		wt_way_scalar_name(way, difference->number, name);
	} else {
		snprintf(name, sizeof(name), "%c%u",
			 difference->file == GFX_FILE_VECTOR ? 'v' : 'a', difference->number);
		snprintf(lane, sizeof(lane), " of lane %u", difference->lane);
	}
	return way_refuse(way,
			  "executed again, the wave comes here with other registers than it had: "
			  "%s%s is 0x%" PRIx32 ", and was recorded as 0x%" PRIx32,
			  name, lane, difference->executed, difference->recorded);
}

static uint64_t count_known_lanes(uint64_t bits)
{
	return (uint64_t)__builtin_popcountll(bits);
}

/* How many values of registers were recorded: a scalar one, or one of a lane. */
static uint64_t stopped_count(const struct wt_stopped *stopped)
{
	uint64_t count = 0;

	for (size_t i = 0; i < WT_RERUN_CODES; i++)
		count += stopped->has.scalar[i] != 0;
	for (size_t i = 0; i < GFX_MAX_VGPRS; i++)
		count += count_known_lanes(stopped->has.vector[i]) +
			 count_known_lanes(stopped->has.accumulation[i]);
	return count;
}

static struct wt_error *way_take_track(struct wt_way *way)
{
	struct wt_way_summary *summary = &way->summary;
	struct wt_track *track = way->track;
	uint64_t step, position, count = 0;

	*summary = (struct wt_way_summary){
		.found = true,
		.from_stop = way->earlier != NULL,
		.moment = way->earlier ? wt_view_moment(way->earlier)->number : 0,
		.steps = track->positions,
		.proved = track->compared,
		.recorded = stopped_count(track->rerun->stopped),
		.supposed = track->rerun->supposed,
	};
	/* The state at the end of what is kept of the beginning can be visited, and that where the rest begins. */
	if (wt_track_cut(track, &step, &position, &count) && count > 1) {
		summary->cut_from = position + 1;
		summary->cut_count = count - 1;
	}
	way->position = summary->steps;
	return wt_track_keep_end(track) ? NULL : &wt_error_no_memory;
}

static struct wt_error *way_try(struct wt_way *way)
{
	const struct wt_track_options options = {
		.bytes = way->options.bytes,
		.go_on = way_track_goes_on,
		.opaque = way,
	};
	wt_cleanup_track struct wt_track *track = NULL;
	struct wt_error *error;

	way_make_input(way);
	if (way->input.launch.private_segment_size > WT_ANALYSIS_PRIVATE_BYTES)
		return way_refuse(way, "it has too much private memory");
	if (way->earlier && way->input.launch.private_segment_size && !way->start.private_place)
		return way_refuse(way, "the place of its private memory was not recorded");
	error = wt_track_create(&way->input, &options, &track);
	if (!error)
		error = wt_track_arrive(track);
	if (error)
		return error;
	if (way->alone && track->rerun->loaded->anywhere) {
		/* Memory that it has not written is not known, so that its own stores count as those of others. */
		way->alone = false;
		return way_try(way);
	}
	if (track->given_up)
		return wt_error_create(WT_ERROR_INPUT, "cannot follow the wave", NULL,
				       "it was given up");
	if (track->end != WT_ANALYSIS_ARRIVED || !track->rerun->stopped)
		return way_say_end(way, track);
	way->track = wt_take(track);
	return way_take_track(way);
}

static struct wt_error *way_seek(struct wt_way *way)
{
	const struct wt_cause_limits limits = {
		.instructions = way->options.instructions,
		.bytes = way->options.bytes,
	};
	struct wt_error *error =
		wt_followed_create(way->explainer, way->wave, &limits, &way->followed);

	if (error)
		return error;
	if (way->followed->cause.wave.state != WAVETAPE_WAVE_STOPPED)
		return wt_error_create(WT_ERROR_INPUT, "cannot follow the wave", NULL,
				       "it did not stop here");
	if (way->followed->cause.why_not)
		return way_refuse(way, "%s", way->followed->cause.why_not);
	way->alone = wave_is_alone(way);
	if (way->options.from != WT_WAY_FROM_STOP)
		error = way_try(way);
	if (error || way->summary.found || way->options.from == WT_WAY_FROM_LAUNCH)
		return error;
	error = way_open_earlier(way);
	if (!error && way->earlier)
		error = way_prepare_start(way, &limits);
	if (error)
		return error;
	if (way->earlier && !way->first->cause.why_not)
		return way_try(way);
	return way->why_not ? NULL : way_refuse(way, "it has no recorded stop before");
}

struct wt_error *wt_way_create(struct wt_explainer *explainer, uint64_t wave,
			       const struct wt_way_options *options, struct wt_way **way_ret)
{
	struct wt_way *way = calloc(1, sizeof(*way));
	struct wt_error *error;

	if (!way)
		return &wt_error_no_memory;
	way->explainer = explainer;
	way->view = wt_explainer_view(explainer);
	way->wave = wave;
	if (options)
		way->options = *options;
	if (!way->options.instructions)
		way->options.instructions = WT_WAY_INSTRUCTIONS;
	if (!way->options.bytes)
		way->options.bytes = WT_WAY_BYTES;
	error = way_seek(way);
	if (!error)
		error = wt_explain_failed_lanes(explainer, wave, &way->summary.failed_lanes);
	if (!error) {
		way->summary.why_not = way->summary.found ? NULL : way->why_not;
		wt_way_state_init(way);
		error = wt_stacks_create(way->view, &way->stacks);
	}
	if (error) {
		wt_way_destroy(way);
		return error;
	}
	*way_ret = way;
	return NULL;
}

void wt_way_destroy(struct wt_way *way)
{
	if (!way)
		return;
	wt_stacks_destroy(way->stacks);
	wt_track_destroy(way->track);
	wt_followed_destroy(way->first);
	wt_explainer_destroy(way->earlier_explainer);
	wt_view_close(way->earlier);
	wt_followed_destroy(way->followed);
	for (size_t i = 0; i < way->line_capacity; i++)
		free(way->lines[i].functions);
	free(way->lines);
	free(way->why_not);
	free(way);
}

const struct wt_way_summary *wt_way_summary(const struct wt_way *way)
{
	return &way->summary;
}

void wt_way_facts(const struct wt_way *way, struct wavetape_way_info *facts_ret)
{
	const struct wt_way_summary *summary = &way->summary;

	*facts_ret = (struct wavetape_way_info){
		.why_not = summary->why_not,
		.steps = summary->steps,
		.cut_from = summary->cut_from,
		.cut_count = summary->cut_count,
		.proved = summary->proved,
		.recorded = summary->recorded,
		.supposed = summary->supposed,
		.moment = summary->moment,
		.found = summary->found,
		.from_stop = summary->from_stop,
	};
}

struct wt_error *wt_way_describe(const struct wt_way *way, char **text_ret)
{
	const struct wt_way_summary *summary = &way->summary;
	char from[64] = "its launch", cut[96] = "";

	if (summary->from_stop)
		snprintf(from, sizeof(from), "its stop before");
	if (summary->cut_count)
		snprintf(cut, sizeof(cut),
			 ", of which %" PRIu64 " from %" PRIu64 " on are left out",
			 summary->cut_count, summary->cut_from);
	*text_ret = summary->found ? wt_text("the way from %s, %" PRIu64
					     " instruction%s%s; proved: %" PRIu64 " of %" PRIu64
					     " register values",
					     from, summary->steps, summary->steps == 1 ? "" : "s",
					     cut, summary->proved, summary->recorded)
				   : wt_text("no way is known: %s", summary->why_not);
	return *text_ret ? NULL : &wt_error_no_memory;
}

/* ---- Going ---- */

uint64_t wt_way_position(const struct wt_way *way)
{
	return way->position;
}

struct wt_error *wt_way_go(struct wt_way *way, uint64_t position)
{
	const struct wt_way_summary *summary = &way->summary;
	uint64_t step;

	if (position == way->position)
		return NULL;
	if (position > summary->steps)
		return wt_error_create(WT_ERROR_INPUT, "cannot go there", NULL,
				       "the way ends at position %" PRIu64, summary->steps);
	if (summary->cut_count && position >= summary->cut_from &&
	    position - summary->cut_from < summary->cut_count)
		return wt_error_create(WT_ERROR_INPUT, "cannot go there", NULL,
				       "positions from %" PRIu64 " to %" PRIu64
				       " are left out of a way that is too long",
				       summary->cut_from,
				       summary->cut_from + summary->cut_count - 1);
	if (!wt_track_step_of(way->track, position, &step) || !wt_track_go(way->track, step))
		return way->track->rerun->no_memory
			       ? &wt_error_no_memory
			       : wt_error_create(WT_ERROR_INTERNAL, "cannot go there", NULL,
						 "position %" PRIu64 " is not on the way",
						 position);
	way->position = position;
	way->hidden = 0;
	return NULL;
}

bool wt_way_next(const struct wt_way *way, bool back, uint64_t *position_ret)
{
	const struct wt_way_summary *summary = &way->summary;
	uint64_t position = way->position;

	if (back ? !position : position == summary->steps)
		return false;
	position += back ? UINT64_MAX : 1;
	if (summary->cut_count && position >= summary->cut_from &&
	    position - summary->cut_from < summary->cut_count)
		position = back ? summary->cut_from - 1 : summary->cut_from + summary->cut_count;
	*position_ret = position;
	return true;
}
