/* SPDX-License-Identifier: MIT */
#include "replayer/view/loop-group.h"

#include <stdlib.h>
#include <string.h>

#include "device/trap-handler.h"
#include "gfx/isa/run.h"
#include "gfx/isa/tables.h"
#include "replayer/view/loop-run.h"

#define GROUP_WAVES 32u

struct group {
	struct wt_loop_run *waves[GROUP_WAVES];
	bool waits[GROUP_WAVES];
	size_t count, last; /* the wave that was executed last, which has the memory as it is now */
	unsigned int steps;
};

static void group_deinit(struct group *group)
{
	for (size_t i = 0; i < group->count; i++) {
		wt_loop_run_deinit(group->waves[i]);
		free(group->waves[i]);
	}
}

/* @known_ret: false if the wave cannot be followed. */
static struct wt_error *group_add(struct group *group, struct wt_explainer *explainer,
				  uint64_t wave, bool *known_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	struct wt_loop_run *run = calloc(1, sizeof(*run));
	struct wt_error *error;

	if (!run)
		return &wt_error_no_memory;
	group->waves[group->count] = run;
	run->view = view;
	run->handle = wave;
	run->has_group = true;
	if (group->count)
		wt_loop_take_launch(run, group->waves[0]);
	error = wt_loop_run_init(run, group->count ? NULL : explainer,
				 wt_view_architecture(view, WT_OBJECT_WAVE, wave), known_ret);
	group->waits[group->count] = run->now.wave.status & WT_STATUS_IN_BARRIER;
	group->count++;
	/* They have one local memory, that of the first. */
	run->now.wave.lds = group->waves[0]->now.lds;
	return error;
}

/* All waves of the workgroup that have not ended. @known_ret: false if they cannot be followed. */
static struct wt_error *group_init(struct group *group, struct wt_explainer *explainer,
				   uint64_t wave, bool *known_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	struct wt_error *error = NULL;
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	uint64_t workgroup, other;

	*known_ret = wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP,
				    &workgroup) &&
		     workgroup;
	for (size_t i = 0; i < count && *known_ret && !error; i++) {
		if (!wt_view_number(view, WT_OBJECT_WAVE, waves[i], AMD_DBGAPI_WAVE_INFO_WORKGROUP,
				    &other) ||
		    other != workgroup)
			continue;
		*known_ret = group->count < GROUP_WAVES;
		if (*known_ret)
			error = group_add(group, explainer, waves[i], known_ret);
	}
	return error;
}

/* Bytes that the wave which was executed last has written are there for another one. */
static void group_share(const struct group *group, size_t at)
{
	const struct wt_loop_state *from = &group->waves[group->last]->now;
	struct wt_loop_state *to = &group->waves[at]->now;

	if (from == to)
		return;
	memcpy(to->written, from->written, from->written_count * sizeof(to->written[0]));
	memset(to->written + from->written_count, 0,
	       (WT_LOOP_WRITTEN - from->written_count) * sizeof(to->written[0]));
	to->written_count = from->written_count;
}

/* Execute a wave up to the next barrier. */
static bool group_go_wave(struct group *group, size_t at, struct wt_loop *loop)
{
	group_share(group, at);
	group->last = at;
	while (group->steps++ < WT_LOOP_STEPS) {
		enum gfx_step step = wt_loop_step(group->waves[at], loop);

		if (step != GFX_STEP_DONE)
			return step == GFX_STEP_BARRIER;
	}
	return false;
}

/* Execute all waves up to the next barrier, which opens then. */
static bool group_go(struct group *group, struct wt_loop *loop)
{
	for (size_t i = 0; i < group->count; i++)
		if (!group->waits[i] && !group_go_wave(group, i, loop))
			return false;
	memset(group->waits, 0, sizeof(group->waits));
	for (size_t i = 0; i < group->count; i++)
		group_share(group, i);
	return true;
}

static void group_remember(struct group *group)
{
	for (size_t i = 0; i < group->count; i++)
		wt_loop_remember(group->waves[i]);
}

static bool group_is_same(const struct group *group)
{
	for (size_t i = 0; i < group->count; i++)
		if (group->waves[i]->now.wave.pc != group->waves[i]->then.wave.pc ||
		    !wt_loop_is_same(group->waves[i]))
			return false;
	return true;
}

/* Up to the same barrier with all as it was: that is compared with a time that is farther back each time. */
static void group_go_round(struct group *group, struct wt_loop *loop)
{
	size_t barriers = 0, next = 1;

	if (!group_go(group, loop))
		return;
	group_remember(group);
	*loop = (struct wt_loop){.from = UINT64_MAX};
	while (group_go(group, loop)) {
		loop->is_same = group_is_same(group);
		if (loop->is_same)
			return;
		if (++barriers < next)
			continue;
		group_remember(group);
		next *= 2;
		*loop = (struct wt_loop){.from = UINT64_MAX};
	}
}

struct wt_error *wt_loop_follow_group(struct wt_explainer *explainer, uint64_t wave,
				      struct wt_loop *loop_ret)
{
	struct group group = {.count = 0};
	struct wt_loop loop = {.from = UINT64_MAX};
	struct wt_error *error;
	bool known;

	*loop_ret = (struct wt_loop){0};
	if (!gfx_isa_of(wt_view_architecture(wt_explainer_view(explainer), WT_OBJECT_WAVE, wave)))
		return NULL;
	error = group_init(&group, explainer, wave, &known);
	if (!error && known && group.count)
		group_go_round(&group, &loop);
	/* Waves that see each other by local memory alone may do so in another order than they are followed in. */
	if (!error && loop.is_same && (loop.count || loop.scalar))
		*loop_ret = loop;
	group_deinit(&group);
	return error;
}
