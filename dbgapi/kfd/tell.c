/* SPDX-License-Identifier: MIT */
/* Tells the listener, first what has come, then what has happened to it, then what has gone. */
#include <stdlib.h>

#include "dbgapi/kfd/internal.h"

/* ---- What has come ---- */

static void tell_queue(const struct wt_device_listener *listener, struct wt_core_queue *queue)
{
	if (queue->live.told || queue->live.gone)
		return;
	queue->live.told = true;
	listener->queue_created(listener->opaque, &queue->queue);
}

static void tell_dispatches(const struct wt_device_listener *listener, struct wt_core_queue *queue)
{
	for (struct wt_core_dispatch *d = queue->dispatches; d; d = d->next) {
		if (d->told)
			continue;
		d->told = true;
		listener->dispatch_created(listener->opaque, &d->dispatch);
	}
}

static void tell_wave(const struct wt_device_listener *listener, struct wt_core_wave *wave)
{
	if (wave->live.told || wave->live.gone || !wave->queue->live.told)
		return;
	wave->live.told = true;
	if (!wave->group->told) {
		wave->group->told = true;
		listener->workgroup_created(listener->opaque, &wave->group->group);
	}
	listener->wave_created(listener->opaque, &wave->wave);
}

static void tell_new(struct wt_live *live)
{
	const struct wt_device_listener *listener = &live->core.listener;

	for (size_t i = 0; i < live->core.queue_count; i++)
		tell_queue(listener, live->core.queues[i]);
	for (size_t i = 0; i < live->core.queue_count; i++)
		if (live->core.queues[i]->live.told)
			tell_dispatches(listener, live->core.queues[i]);
	for (size_t i = 0; i < live->core.wave_count; i++)
		tell_wave(listener, live->core.waves[i]);
}

static void tell_stops(struct wt_live *live)
{
	const struct wt_device_listener *listener = &live->core.listener;

	for (size_t i = 0; i < live->core.wave_count; i++) {
		struct wt_core_wave *wave = live->core.waves[i];

		if (!wave->live.pending || wave->live.gone || wave->queue->live.gone ||
		    !wave->live.told)
			continue;
		wave->live.pending = false;
		wave->wave.state = WT_WAVE_STOPPED;
		wave->wave.stop_reasons = wave->live.reasons;
		listener->wave_stopped(listener->opaque, &wave->wave);
	}
}

/* ---- What has gone ---- */

void wt_live_free_wave(struct wt_live *live, struct wt_core_wave *wave)
{
	wt_core_unload_wave(&live->core, wave);
	free(wave);
}

/* One that executes its last instruction is gone for the listener before it is. */
static void live_tell_end(struct wt_live *live, struct wt_core_wave *wave)
{
	const struct wt_device_listener *listener = &live->core.listener;

	if (!wave->live.told)
		return;
	wave->live.told = false;
	listener->wave_terminated(listener->opaque, &wave->wave,
				  wave->wave.state == WT_WAVE_STEPPING);
}

/*
 * A client that asks for events may be in the middle of one: the wave that it tells of stays, and its queue, until the client asks
 * what there is.
 */
static bool wave_stays(const struct wt_core_wave *wave, enum wt_live_news news)
{
	return news == WT_LIVE_NEWS_OF_EVENTS && wave->live.told &&
	       wave->wave.state == WT_WAVE_STOPPED;
}

static void drop_waves(struct wt_live *live, enum wt_live_news news)
{
	struct wt_core *core = &live->core;
	size_t kept = 0;

	for (size_t i = 0; i < core->wave_count; i++) {
		struct wt_core_wave *wave = core->waves[i];

		if (wave->queue->live.gone && wave_stays(wave, news))
			live->untold = true;
		else if (wave->queue->live.gone)
			wave->live.gone = true;
		if (wave->live.gone || wave->live.ending)
			live_tell_end(live, wave);
		if (wave->live.gone)
			wt_live_free_wave(live, wave);
		else
			core->waves[kept++] = wave;
	}
	core->wave_count = kept;
}

/* Objects that have waves are still there. */
static void mark_used(struct wt_live *live)
{
	for (size_t i = 0; i < live->core.queue_count; i++) {
		for (struct wt_core_group *g = live->core.queues[i]->groups; g; g = g->next)
			g->used = false;
		for (struct wt_core_dispatch *d = live->core.queues[i]->dispatches; d; d = d->next)
			d->used = false;
	}
	for (size_t i = 0; i < live->core.wave_count; i++) {
		struct wt_core_group *group = live->core.waves[i]->group;

		group->used = true;
		((struct wt_core_dispatch *)(uintptr_t)group->group.dispatch)->used = true;
	}
}

static void drop_groups(struct wt_live *live, struct wt_core_queue *queue)
{
	const struct wt_device_listener *listener = &live->core.listener;
	struct wt_core_group **place = &queue->groups;

	while (*place) {
		struct wt_core_group *group = *place;

		if (group->used) {
			place = &group->next;
			continue;
		}
		*place = group->next;
		if (group->told)
			listener->workgroup_ended(listener->opaque, &group->group);
		free(group->group.lds);
		free(group);
	}
}

static void drop_dispatches(struct wt_live *live, struct wt_core_queue *queue)
{
	const struct wt_device_listener *listener = &live->core.listener;
	struct wt_core_dispatch **place = &queue->dispatches;

	while (*place) {
		struct wt_core_dispatch *dispatch = *place;

		if (dispatch->used) {
			place = &dispatch->next;
			continue;
		}
		*place = dispatch->next;
		if (dispatch->told)
			listener->dispatch_ended(listener->opaque, &dispatch->dispatch);
		free(dispatch);
	}
	queue->dispatches_end = place;
}

static void drop_queues(struct wt_live *live)
{
	const struct wt_device_listener *listener = &live->core.listener;
	struct wt_core *core = &live->core;
	size_t kept = 0;

	for (size_t i = 0; i < core->queue_count; i++) {
		struct wt_core_queue *queue = core->queues[i];

		if (!queue->live.gone || queue->groups) {
			core->queues[kept++] = queue;
			continue;
		}
		if (queue->live.told)
			listener->queue_ended(listener->opaque, &queue->queue);
		wt_core_free_queue(queue);
	}
	core->queue_count = kept;
}

/* The end of the process is the end of all, of which nothing else is told. */
static void tell_exit(struct wt_live *live)
{
	const struct wt_device_listener *listener = &live->core.listener;
	struct wt_core *core = &live->core;

	if (live->exit_told)
		return;
	live->exit_told = true;
	listener->program_ended(listener->opaque, true);
	while (core->wave_count)
		wt_live_free_wave(live, core->waves[--core->wave_count]);
	while (core->queue_count)
		wt_core_free_queue(core->queues[--core->queue_count]);
	wt_live_free_code(live);
}

void wt_live_tell(struct wt_live *live, enum wt_live_news news)
{
	const struct wt_device_listener *listener = &live->core.listener;

	if (!live->started)
		return;
	if (live->exited) {
		tell_exit(live);
		return;
	}
	if (!live->untold)
		return;
	live->untold = false;
	tell_new(live);
	tell_stops(live);
	drop_waves(live, live->unloaded_untold ? WT_LIVE_NEWS_ALL : news);
	mark_used(live);
	for (size_t i = 0; i < live->core.queue_count; i++) {
		drop_groups(live, live->core.queues[i]);
		drop_dispatches(live, live->core.queues[i]);
	}
	drop_queues(live);
	if (live->unloaded_untold)
		listener->program_ended(listener->opaque, false);
	live->unloaded_untold = false;
}
