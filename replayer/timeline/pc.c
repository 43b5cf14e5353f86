/* SPDX-License-Identifier: MIT */
/*
 * The pc of waves that hit a breakpoint. A client moves it back to the breakpoint when it gets the
 * event. In the stops that were recorded after that it is where the client put it; one that
 * gets an event there, on arrival, would move it back once more. So it gets the pc that came with the
 * recorded event.
 *
 * A debugger of a host is told that it has to move nothing, and has it moved here: at a breakpoint that it
 * does not have itself it would take the pc forward again, into the middle of an instruction.
 */
#include <string.h>

#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

/* The state at the moment of an event, kept for the next wave: many stop at once. */
struct past {
	uint32_t position;
	struct wt_state *state;
	struct wt_layout layout;
};

static void past_deinit(struct past *past)
{
	wt_layout_deinit(&past->layout);
	wt_state_destroy(past->state);
	memset(past, 0, sizeof(*past));
}

/* The last moment up to now with an event that stopped the wave. */
static struct wt_error *wave_last_stop_find(struct wt_timeline *timeline, uint64_t wave,
					    bool *found_ret, uint32_t *position_ret)
{
	*found_ret = false;
	for (uint32_t i = timeline->position + 1; i-- > timeline->start;) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(timeline->reader, i, &moment);

		if (error)
			return error;
		if (!wt_timeline_has_stop_of(timeline, moment, wave))
			continue;
		*found_ret = true;
		*position_ret = i;
		return NULL;
	}
	return NULL;
}

static struct wt_error *look_back(struct wt_timeline *timeline, uint32_t position,
				  struct past *past)
{
	struct wt_error *error;

	if (past->state && past->position == position)
		return NULL;
	past_deinit(past);
	error = wt_timeline_state_at(timeline, position, &past->state);
	past->position = position;
	return error;
}

/* An 8-byte register; false if it was not recorded. */
static bool pc_register_read(const struct wt_recorded *recorded, uint64_t wave, uint64_t id,
			     uint64_t *value_ret)
{
	const uint8_t *bytes;
	uint32_t size;

	if (wt_recorded_register(recorded, wave, id, &bytes, &size) != AMD_DBGAPI_STATUS_SUCCESS ||
	    size != sizeof(*value_ret))
		return false;
	memcpy(value_ret, bytes, sizeof(*value_ret));
	return true;
}

/* The pc as the library told it, which is the newest; the register may have been taken before. */
static bool read_pc(const struct wt_recorded *recorded, uint64_t wave, uint64_t id,
		    uint64_t *pc_ret)
{
	return wt_recorded_number(recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC,
				  pc_ret) ||
	       pc_register_read(recorded, wave, id, pc_ret);
}

/* Has the wave hit a breakpoint? Then gives the pc register, and how far debuggers move it. */
static bool needs_look(const struct wt_timeline *timeline, uint64_t wave, uint64_t *register_ret,
		       uint64_t *adjustment_ret)
{
	const struct wt_recorded *now = &timeline->recorded;
	uint64_t reason, architecture;

	return wt_recorded_number(now, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
				  &reason) &&
	       reason & AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT &&
	       wt_recorded_number(now, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
				  &architecture) &&
	       wt_recorded_number(now, WT_OBJECT_ARCHITECTURE, architecture,
				  AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER, register_ret) &&
	       wt_recorded_number(now, WT_OBJECT_ARCHITECTURE, architecture,
				  AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST,
				  adjustment_ret) &&
	       *adjustment_ret;
}

static bool put_pc(struct wt_timeline *timeline, uint64_t wave, uint64_t id, uint64_t pc)
{
	const struct wt_key key = {.type = WT_ITEM_REGISTERS, .owner = wave, .address = id};
	struct wt_bytes *base = wt_bytes_create(&pc, sizeof(pc));
	bool covered = base && wt_overlay_cover(&timeline->overlay, &key, base);

	wt_bytes_release(base);
	return covered;
}

static struct wt_error *wave_pc_restore(struct wt_timeline *timeline, uint64_t wave,
					struct past *past)
{
	uint64_t id, adjustment, before, now;
	struct wt_recorded then;
	struct wt_error *error;
	uint32_t position = 0;
	bool found;

	if (!needs_look(timeline, wave, &id, &adjustment))
		return NULL;
	error = wave_last_stop_find(timeline, wave, &found, &position);
	if (error || !found || position == timeline->position)
		return error;
	error = look_back(timeline, position, past);
	if (error)
		return error;
	then = (struct wt_recorded){
		.names = timeline->names, .state = past->state, .layout = &past->layout};
	if (!pc_register_read(&then, wave, id, &before) ||
	    !read_pc(&timeline->recorded, wave, id, &now) || before - now != adjustment)
		return NULL;
	return put_pc(timeline, wave, id, before) ? NULL : &wt_error_no_memory;
}

static struct wt_error *adjust(struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track = wt_timeline_track(timeline, wave);
	uint64_t id, adjustment, pc;

	if (!track || track->control != WT_WAVE_HELD || track->made_step ||
	    !needs_look(timeline, wave, &id, &adjustment) ||
	    !pc_register_read(&timeline->recorded, wave, id, &pc))
		return NULL;
	return put_pc(timeline, wave, id, pc - adjustment) ? NULL : &wt_error_no_memory;
}

struct wt_error *wt_timeline_adjust_pc(struct wt_timeline *timeline, uint64_t wave)
{
	__attribute__((cleanup(past_deinit))) struct past past = {0};
	struct wt_error *error = wave_pc_restore(timeline, wave, &past);

	return error ? error : adjust(timeline, wave);
}

struct wt_error *wt_timeline_adjust_pcs(struct wt_timeline *timeline)
{
	struct wt_error *error = NULL;
	uint64_t wave;

	for (size_t i = wt_timeline_waves_begin(timeline);
	     !error && (wave = wt_timeline_wave_at(timeline, i)); i++)
		error = adjust(timeline, wave);
	return error;
}

struct wt_error *wt_timeline_restore_pcs(struct wt_timeline *timeline)
{
	__attribute__((cleanup(past_deinit))) struct past past = {0};
	struct wt_error *error = NULL;
	uint64_t wave;

	for (size_t i = wt_timeline_waves_begin(timeline);
	     !error && (wave = wt_timeline_wave_at(timeline, i)); i++)
		error = wave_pc_restore(timeline, wave, &past);
	return error;
}
