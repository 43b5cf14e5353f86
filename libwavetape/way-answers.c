/* SPDX-License-Identifier: MIT */
/* The way of a wave to where it stopped. */
#include <stdlib.h>
#include <string.h>

#include "libwavetape/handles.h"
#include "replayer/way/way.h"

static const char cannot_follow[] = "cannot follow the wave";

struct wavetape_way {
	struct wavetape_stop *stop;
	struct wt_way *way;
	struct wt_way_step step; /* that is next where it stands, if it was asked for */
	bool has_step, is_described;
};

static void way_forget_step(struct wavetape_way *way)
{
	if (way->is_described)
		wt_way_step_deinit(&way->step);
	way->is_described = way->has_step = false;
}

void wavetape_way_close(struct wavetape_way *way)
{
	if (!way)
		return;
	way_forget_step(way);
	wt_way_destroy(way->way);
	wt_stop_release(way->stop);
	free(way);
}

struct wavetape_error *wavetape_way_open(struct wavetape_stop *stop, uint64_t wave,
					 struct wavetape_way **way_ret)
{
	const struct wt_explain_wave *known;
	struct wavetape_way *way;
	struct wt_error *error;

	if (!stop || !way_ret)
		return wt_wrong_argument(cannot_follow,
					 "the stop or the place for the way is NULL");
	error = wt_stop_wave(stop, wave, &known);
	if (error)
		return wt_public(error);
	way = calloc(1, sizeof(*way));
	if (!way)
		return wt_public(&wt_error_no_memory);
	way->stop = stop;
	stop->users++;
	error = wt_way_create(stop->explainer, wave, NULL, &way->way);
	if (error)
		wavetape_way_close(way);
	else
		*way_ret = way;
	return wt_public(error);
}

struct wavetape_error *wavetape_way_info(const struct wavetape_way *way,
					 struct wavetape_way_info *info_ret)
{
	struct wavetape_way_info info;

	if (!way)
		return wt_wrong_argument(cannot_follow, "the way is NULL");
	wt_way_facts(way->way, &info);
	return wt_give(cannot_follow, &info, sizeof(info), info_ret);
}

uint64_t wavetape_way_position(const struct wavetape_way *way)
{
	return way ? wt_way_position(way->way) : 0;
}

struct wavetape_error *wavetape_way_go(struct wavetape_way *way, uint64_t position)
{
	if (!way)
		return wt_wrong_argument(cannot_follow, "the way is NULL");
	way_forget_step(way);
	return wt_public(wt_way_go(way->way, position));
}

/* Describes the step that is next, if that was not done. */
static struct wt_error *way_describe_step(struct wavetape_way *way)
{
	struct wt_error *error;

	if (way->is_described)
		return NULL;
	error = wt_way_step(way->way, &way->has_step, &way->step);
	way->is_described = !error;
	return error;
}

static struct wavetape_error *way_need_step(struct wavetape_way *way)
{
	struct wt_error *error;

	if (!way)
		return wt_wrong_argument(cannot_follow, "the way is NULL");
	error = way_describe_step(way);
	if (!error && !way->has_step)
		error = wt_error_create(WT_ERROR_NOT_FOUND, cannot_follow, NULL,
					"no step is next where the way stands");
	return wt_public(error);
}

struct wavetape_error *wavetape_way_step(struct wavetape_way *way,
					 struct wavetape_way_step *step_ret)
{
	struct wavetape_error *error = way_need_step(way);
	struct wavetape_way_step filled;

	if (error)
		return error;
	wt_way_step_facts(&way->step, &filled);
	return wt_give(cannot_follow, &filled, sizeof(filled), step_ret);
}

struct wavetape_error *wavetape_way_place(struct wavetape_way *way,
					  struct wavetape_place *place_ret)
{
	struct wavetape_error *error = way_need_step(way);

	return error ? error
		     : wt_give(cannot_follow, &way->step.place, sizeof(way->step.place), place_ret);
}

size_t wavetape_way_touch_count(struct wavetape_way *way)
{
	struct wavetape_error *error = way_need_step(way);

	if (!error)
		return way->step.touch_count;
	wavetape_error_destroy(error);
	return 0;
}

struct wavetape_error *wavetape_way_touch(struct wavetape_way *way, size_t index,
					  struct wavetape_way_touch *touch_ret)
{
	struct wavetape_error *error = way_need_step(way);
	struct wavetape_way_touch filled;

	if (error)
		return error;
	if (index >= way->step.touch_count)
		return wt_wrong_argument(cannot_follow, "the step touches less");
	wt_way_touch_facts(&way->step.touches[index], &filled);
	return wt_give(cannot_follow, &filled, sizeof(filled), touch_ret);
}

struct wavetape_error *wavetape_way_value(const struct wavetape_way *way, const char *name,
					  uint32_t lane, struct wavetape_way_value *value_ret)
{
	struct wavetape_way_value filled;
	struct wt_way_value value;

	if (!way || !name)
		return wt_wrong_argument(cannot_follow, "the way or the register's name is NULL");
	if (!wt_way_register(way->way, name, lane, &value))
		return wt_public(wt_error_create(WT_ERROR_NOT_FOUND, cannot_follow, name,
						 "the wave has no such register"));
	wt_way_value_facts(&value, &filled);
	return wt_give(cannot_follow, &filled, sizeof(filled), value_ret);
}

struct wavetape_error *wavetape_way_last_write(struct wavetape_way *way, const char *what, int lane,
					       uint32_t *answer_ret, uint64_t *position_ret)
{
	const struct wt_way_target target = {
		.text = what,
		.lane = lane < 0 ? UINT32_MAX : (uint32_t)lane,
	};
	struct wt_way_found found;
	struct wt_error *error;

	if (!way || !what || !answer_ret || !position_ret)
		return wt_wrong_argument(cannot_follow,
					 "the way, what is asked for, or a place is NULL");
	way_forget_step(way);
	error = wt_way_last_write(way->way, &target, &found);
	if (error)
		return wt_public(error);
	*answer_ret = found.answer == WT_WAY_FOUND	 ? WAVETAPE_WAY_FOUND
		      : found.answer == WT_WAY_UNCERTAIN ? WAVETAPE_WAY_MAY_BE
		      : found.answer == WT_WAY_IN_CUT	 ? WAVETAPE_WAY_LEFT_OUT
							 : WAVETAPE_WAY_NOWHERE;
	*position_ret = found.position;
	return NULL;
}
