/* SPDX-License-Identifier: MIT */
/* Windows of rounds: when one begins, who is executed ahead in it, and what becomes of it. */
#include "device/machine/windows.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS_MIN 64u
#define ROUNDS_FIRST 256u
/* Instructions of a window that saves more than it costs. */
#define WINDOW_WORTH UINT64_C(4096)
/* Instructions of a window at most: what is lost if it cannot be kept. */
#define WINDOW_INSTRUCTIONS (UINT64_C(1) << 17)
/* Copying so many bytes takes as long as an instruction of a wave; it may take a part of the time of the window. */
#define BYTES_PER_INSTRUCTION 32u
/* After so many windows in a row that were no use the pause does not become longer. */
#define FAILURES_MAX 6u

struct wt_windows *wt_windows_create(struct wt_machine *machine, unsigned int cores)
{
	struct wt_windows *windows = calloc(1, sizeof(*windows));

	if (!windows)
		return NULL;
	windows->machine = machine;
	windows->claims.memory = &machine->memory;
	windows->cores = cores < WT_CREW_MAX ? cores : WT_CREW_MAX;
	windows->length = ROUNDS_FIRST;
	wt_crew_init(&windows->crew);
	return windows;
}

void wt_windows_destroy(struct wt_windows *windows)
{
	if (!windows)
		return;
	wt_crew_dismiss(&windows->crew);
	wt_crew_deinit(&windows->crew);
	for (size_t i = 0; i < WT_CREW_MAX; i++)
		free(windows->codes[i]);
	for (size_t i = 0; i < WT_QUEUE_GROUPS; i++) {
		wt_claimant_deinit(&windows->parts[i].claimant);
		free(windows->parts[i].before);
		free(windows->parts[i].ends);
	}
	wt_claims_deinit(&windows->claims);
	free(windows);
}

static struct wt_window_part *part_of(struct wt_windows *windows, const struct wt_group *group)
{
	return &windows->parts[group - windows->queue->groups];
}

/* ---- The end of a window ---- */

static void shorten(struct wt_windows *windows)
{
	if (windows->length > ROUNDS_MIN)
		windows->length /= 2;
}

/* It takes longer each time until this is tried again. */
static void pause(struct wt_windows *windows)
{
	windows->pause = windows->length << windows->failures;
	if (windows->failures < FAILURES_MAX)
		windows->failures++;
}

/*
 * Nobody is ahead any more. The next window is longer or shorter, by how many workgroups one sees. Where all of them ended
 * before it was worth it the next ones will, too.
 */
static void close_window(struct wt_windows *windows)
{
	windows->queue = NULL;
	windows->kept++;
	if (windows->executed < WINDOW_WORTH && !windows->eager) {
		pause(windows);
		return;
	}
	windows->failures = 0;
	if (windows->began > 1)
		shorten(windows);
	else if (!windows->began && windows->length < WT_WINDOW_ROUNDS)
		windows->length *= 2;
}

/* Memory first, all of it: what one has read then is what it will read again. */
static void put_back(struct wt_windows *windows)
{
	struct wt_queue *queue = windows->queue;
	struct gfx_code *code = wt_code_known(windows->machine, queue->agent->code);

	for (size_t i = 0; i < queue->resident_count; i++)
		if (queue->resident[i]->ahead)
			wt_claimant_undo(&part_of(windows, queue->resident[i])->claimant);
	for (size_t i = 0; i < queue->resident_count; i++)
		if (queue->resident[i]->ahead)
			wt_window_part_restore(part_of(windows, queue->resident[i]),
					       queue->resident[i], &queue->agent->memory, code);
	windows->queue = NULL;
}

/* More workgroups have begun in a window than it can tell from each other. */
static void cut_short(struct wt_windows *windows)
{
	put_back(windows);
	windows->lost++;
	shorten(windows);
}

/* Workgroups have met, or a debugger is to hear of something. */
static void give_up(struct wt_windows *windows)
{
	pause(windows);
	cut_short(windows);
}

void wt_windows_settle(struct wt_machine *machine)
{
	if (machine->windows && machine->windows->queue)
		put_back(machine->windows);
}

void wt_windows_leave(struct wt_machine *machine)
{
	if (!machine->windows)
		return;
	wt_windows_settle(machine);
	wt_crew_dismiss(&machine->windows->crew);
}

/* ---- What can be executed ahead ---- */

static bool runs_freely(const struct wt_group *group)
{
	for (uint32_t i = 0; i < group->wave_count; i++)
		if (group->waves[i].live && !wt_wave_runs_freely(&group->waves[i]))
			return false;
	return true;
}

static bool can_run(const struct wt_group *group)
{
	for (uint32_t i = 0; i < group->wave_count; i++)
		if (wt_wave_can_run(&group->waves[i]))
			return true;
	return false;
}

/* Others could access the same memory, or wait for a signal. */
static bool is_alone(const struct wt_queue *queue)
{
	const struct wt_machine *machine = queue->machine;

	for (size_t i = 0; i < machine->queue_count; i++) {
		const struct wt_queue *other = machine->queues[i];

		if (other != queue && !other->held &&
		    (other->active || !other->operations->is_empty(other)))
			return false;
	}
	return true;
}

/* The rounds that the next window may have; 0 if it is not worth it. */
static uint32_t window_length(const struct wt_windows *windows, const struct wt_queue *queue)
{
	uint64_t waves = 0, bytes = 0, rounds, most;
	uint32_t groups = 0;

	for (size_t i = 0; i < queue->resident_count; i++) {
		waves += queue->resident[i]->live_count;
		groups += can_run(queue->resident[i]);
		bytes += wt_window_part_size(queue->resident[i]);
	}
	if (groups < 2)
		return 0;
	most = windows->budget < WINDOW_INSTRUCTIONS ? windows->budget : WINDOW_INSTRUCTIONS;
	rounds = most / (waves * WT_WAVE_QUANTUM);
	rounds = rounds < windows->length ? rounds : windows->length;
	if (windows->eager)
		return rounds ? (uint32_t)rounds : 1;
	if (rounds * waves * WT_WAVE_QUANTUM < bytes / BYTES_PER_INSTRUCTION ||
	    rounds * waves * WT_WAVE_QUANTUM < WINDOW_WORTH)
		return 0;
	return (uint32_t)rounds;
}

/* ---- Executing ---- */

/* Workgroups that catch up with the end of the window. */
struct batch {
	struct wt_windows *windows;
	struct wt_group *groups[WT_QUEUE_GROUPS];
	unsigned int count;
	uint32_t rounds;
	atomic_bool stop;
};

/* A thread has instructions of its own, as its agent has them. */
static bool has_code(struct wt_windows *windows, unsigned int thread, const struct wt_agent *agent)
{
	struct wt_code **code = &windows->codes[thread];

	if (!*code)
		*code = wt_code_create();
	if (!*code)
		return false;
	if (windows->agents[thread] != agent || (*code)->code.path != agent->code->code.path)
		gfx_code_clear(&(*code)->code);
	windows->agents[thread] = agent;
	(*code)->code.path = agent->code->code.path;
	return true;
}

static void execute_job(void *opaque, unsigned int job, unsigned int thread)
{
	struct batch *batch = opaque;
	struct wt_windows *windows = batch->windows;
	struct wt_group *group = batch->groups[job];

	wt_window_part_execute(part_of(windows, group), group,
			       wt_code_known(windows->machine, windows->codes[thread]),
			       batch->rounds, &batch->stop);
}

/* Everything that can fail before anything is executed. */
static bool prepare(struct batch *batch)
{
	struct wt_windows *windows = batch->windows;
	const struct wt_agent *agent = windows->queue->agent;

	for (unsigned int i = 0; i < windows->cores; i++)
		if (!has_code(windows, i, agent))
			return false;
	for (unsigned int i = 0; i < batch->count; i++) {
		struct wt_window_part *part = part_of(windows, batch->groups[i]);

		if (!runs_freely(batch->groups[i]) ||
		    !wt_window_part_prepare(part, batch->groups[i]) ||
		    !wt_claimant_begin(&part->claimant, &windows->claims))
			return false;
		part->memory = wt_claimant_memory(&part->claimant, &agent->memory);
	}
	return true;
}

/* Execute all resident workgroups that are not ahead. False: one could not; the window cannot be kept. */
static bool catch_up(struct wt_windows *windows)
{
	struct batch batch = {.windows = windows, .rounds = windows->left};
	struct wt_queue *queue = windows->queue;

	for (size_t i = 0; i < queue->resident_count; i++)
		if (!queue->resident[i]->ahead)
			batch.groups[batch.count++] = queue->resident[i];
	if (!batch.count)
		return true;
	if (!prepare(&batch))
		return false;
	wt_crew_run(&windows->crew, windows->cores, execute_job, &batch, batch.count);
	return !atomic_load_explicit(&batch.stop, memory_order_relaxed);
}

static void begin_window(struct wt_windows *windows, struct wt_queue *queue)
{
	uint32_t rounds;

	if (windows->machine->seed || windows->machine->watching || !is_alone(queue))
		return;
	rounds = window_length(windows, queue);
	if (!rounds || !wt_claims_renew(&windows->claims))
		return;
	windows->queue = queue;
	windows->left = rounds;
	windows->began = 0;
	windows->executed = 0;
	if (catch_up(windows))
		windows->left--;
	else
		give_up(windows);
}

static bool is_anyone_ahead(const struct wt_queue *queue)
{
	for (size_t i = 0; i < queue->resident_count; i++)
		if (queue->resident[i]->ahead)
			return true;
	return false;
}

/* A round within a window, in which workgroups may have begun. */
static void go_on(struct wt_windows *windows)
{
	const struct wt_queue *queue = windows->queue;
	uint32_t fresh = 0;

	for (size_t i = 0; i < queue->resident_count; i++)
		fresh += !queue->resident[i]->ahead;
	windows->began += fresh;
	if (windows->claims.owners + fresh > WT_CLAIM_OWNERS)
		cut_short(windows);
	else if (catch_up(windows))
		windows->left--;
	else
		give_up(windows);
}

void wt_windows_look(struct wt_queue *queue)
{
	struct wt_windows *windows = queue->machine->windows;

	if (!windows || windows->cores < 2 || !queue->resident_count)
		return;
	if (windows->queue && (!windows->left || !is_anyone_ahead(windows->queue)))
		close_window(windows);
	if (windows->queue) {
		go_on(windows);
		return;
	}
	if (windows->pause)
		windows->pause--;
	else
		begin_window(windows, queue);
}

/* The listener has asked for what is there between the turns of two waves: those behind them go on as always. */
static uint64_t finish_turn(struct wt_queue *queue, struct wt_group *group,
			    const struct wt_window_part *part)
{
	uint64_t done = part->counts[part->round];

	for (uint32_t i = part->turns; i < group->wave_count; i++)
		done += wt_wave_run(queue, &group->waves[i], WT_WAVE_QUANTUM);
	return done;
}

uint64_t wt_windows_turn(struct wt_machine *machine, struct wt_group *group)
{
	struct wt_windows *windows = machine->windows;
	struct wt_queue *queue = windows->queue;
	struct wt_window_part *part = part_of(windows, group);
	uint32_t round = part->round;

	while (part->ends_heard < part->end_count && part->ends[part->ends_heard].round == round) {
		struct wt_wave *wave = &group->waves[part->ends[part->ends_heard].wave];

		part->turns = part->ends[part->ends_heard++].wave + 1;
		if (machine->listener.wave_terminated)
			machine->listener.wave_terminated(machine->listener.opaque, &wave->wave,
							  false);
		if (!windows->queue)
			return finish_turn(queue, group, part);
	}
	part->turns = 0;
	part->round++;
	if (!--group->ahead)
		wt_claimant_settle(&part->claimant, &windows->claims);
	windows->executed += part->counts[round];
	return part->counts[round];
}
