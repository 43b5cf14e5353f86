/* SPDX-License-Identifier: MIT */
/* Windows of rounds: when one begins, who is executed ahead in it, and what becomes of it. */
#include "device/machine/ahead.h"

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

struct wt_ahead *wt_ahead_create(struct wt_machine *machine, unsigned int cores)
{
	struct wt_ahead *ahead = calloc(1, sizeof(*ahead));

	if (!ahead)
		return NULL;
	ahead->machine = machine;
	ahead->claims.memory = &machine->memory;
	ahead->cores = cores < WT_CREW_MAX ? cores : WT_CREW_MAX;
	ahead->length = ROUNDS_FIRST;
	wt_crew_init(&ahead->crew);
	return ahead;
}

void wt_ahead_destroy(struct wt_ahead *ahead)
{
	if (!ahead)
		return;
	wt_crew_dismiss(&ahead->crew);
	wt_crew_deinit(&ahead->crew);
	for (size_t i = 0; i < WT_CREW_MAX; i++)
		free(ahead->codes[i]);
	for (size_t i = 0; i < WT_QUEUE_GROUPS; i++) {
		wt_claimant_deinit(&ahead->groups[i].claimant);
		free(ahead->groups[i].before);
		free(ahead->groups[i].ends);
	}
	wt_claims_deinit(&ahead->claims);
	free(ahead);
}

static struct wt_ahead_group *ahead_of(struct wt_ahead *ahead, const struct wt_group *group)
{
	return &ahead->groups[group - ahead->queue->groups];
}

/* ---- The end of a window ---- */

static void shorten(struct wt_ahead *ahead)
{
	if (ahead->length > ROUNDS_MIN)
		ahead->length /= 2;
}

/* It takes longer each time until this is tried again. */
static void pause(struct wt_ahead *ahead)
{
	ahead->pause = ahead->length << ahead->failures;
	if (ahead->failures < FAILURES_MAX)
		ahead->failures++;
}

/*
 * Nobody is ahead any more. The next window is longer or shorter, by how many workgroups one sees. Where all of them ended
 * before it was worth it the next ones will, too.
 */
static void close_window(struct wt_ahead *ahead)
{
	ahead->queue = NULL;
	ahead->kept++;
	if (ahead->executed < WINDOW_WORTH && !ahead->eager) {
		pause(ahead);
		return;
	}
	ahead->failures = 0;
	if (ahead->began > 1)
		shorten(ahead);
	else if (!ahead->began && ahead->length < WT_AHEAD_ROUNDS)
		ahead->length *= 2;
}

/* Memory first, all of it: what one has read then is what it will read again. */
static void put_back(struct wt_ahead *ahead)
{
	struct wt_queue *queue = ahead->queue;
	struct gfx_code *code = wt_code_known(ahead->machine, queue->agent->code);

	for (size_t i = 0; i < queue->resident_count; i++)
		if (queue->resident[i]->ahead)
			wt_claimant_undo(&ahead_of(ahead, queue->resident[i])->claimant);
	for (size_t i = 0; i < queue->resident_count; i++)
		if (queue->resident[i]->ahead)
			wt_ahead_restore(ahead_of(ahead, queue->resident[i]), queue->resident[i],
					 &queue->agent->memory, code);
	ahead->queue = NULL;
}

/* More workgroups have begun in a window than it can tell from each other. */
static void cut_short(struct wt_ahead *ahead)
{
	put_back(ahead);
	ahead->lost++;
	shorten(ahead);
}

/* Workgroups have met, or a debugger is to hear of something. */
static void give_up(struct wt_ahead *ahead)
{
	pause(ahead);
	cut_short(ahead);
}

void wt_ahead_settle(struct wt_machine *machine)
{
	if (machine->ahead && machine->ahead->queue)
		put_back(machine->ahead);
}

void wt_ahead_leave(struct wt_machine *machine)
{
	if (!machine->ahead)
		return;
	wt_ahead_settle(machine);
	wt_crew_dismiss(&machine->ahead->crew);
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
static uint32_t window_length(const struct wt_ahead *ahead, const struct wt_queue *queue)
{
	uint64_t waves = 0, bytes = 0, rounds, most;
	uint32_t groups = 0;

	for (size_t i = 0; i < queue->resident_count; i++) {
		waves += queue->resident[i]->live_count;
		groups += can_run(queue->resident[i]);
		bytes += wt_ahead_size(queue->resident[i]);
	}
	if (groups < 2)
		return 0;
	most = ahead->budget < WINDOW_INSTRUCTIONS ? ahead->budget : WINDOW_INSTRUCTIONS;
	rounds = most / (waves * WT_WAVE_QUANTUM);
	rounds = rounds < ahead->length ? rounds : ahead->length;
	if (ahead->eager)
		return rounds ? (uint32_t)rounds : 1;
	if (rounds * waves * WT_WAVE_QUANTUM < bytes / BYTES_PER_INSTRUCTION ||
	    rounds * waves * WT_WAVE_QUANTUM < WINDOW_WORTH)
		return 0;
	return (uint32_t)rounds;
}

/* ---- Executing ---- */

/* Workgroups that catch up with the end of the window. */
struct batch {
	struct wt_ahead *ahead;
	struct wt_group *groups[WT_QUEUE_GROUPS];
	unsigned int count;
	uint32_t rounds;
	atomic_bool stop;
};

/* A thread has instructions of its own, as its agent has them. */
static bool has_code(struct wt_ahead *ahead, unsigned int thread, const struct wt_agent *agent)
{
	struct wt_code **code = &ahead->codes[thread];

	if (!*code)
		*code = wt_code_create();
	if (!*code)
		return false;
	if (ahead->agents[thread] != agent || (*code)->code.path != agent->code->code.path)
		gfx_code_clear(&(*code)->code);
	ahead->agents[thread] = agent;
	(*code)->code.path = agent->code->code.path;
	return true;
}

static void execute_job(void *opaque, unsigned int job, unsigned int thread)
{
	struct batch *batch = opaque;
	struct wt_ahead *ahead = batch->ahead;
	struct wt_group *group = batch->groups[job];

	wt_ahead_execute(ahead_of(ahead, group), group,
			 wt_code_known(ahead->machine, ahead->codes[thread]), batch->rounds,
			 &batch->stop);
}

/* Everything that can fail before anything is executed. */
static bool prepare(struct batch *batch)
{
	struct wt_ahead *ahead = batch->ahead;
	const struct wt_agent *agent = ahead->queue->agent;

	for (unsigned int i = 0; i < ahead->cores; i++)
		if (!has_code(ahead, i, agent))
			return false;
	for (unsigned int i = 0; i < batch->count; i++) {
		struct wt_ahead_group *group = ahead_of(ahead, batch->groups[i]);

		if (!runs_freely(batch->groups[i]) || !wt_ahead_prepare(group, batch->groups[i]) ||
		    !wt_claimant_begin(&group->claimant, &ahead->claims))
			return false;
		group->memory = wt_claimant_memory(&group->claimant, &agent->memory);
	}
	return true;
}

/* Execute all resident workgroups that are not ahead. False: one could not; the window cannot be kept. */
static bool catch_up(struct wt_ahead *ahead)
{
	struct batch batch = {.ahead = ahead, .rounds = ahead->left};
	struct wt_queue *queue = ahead->queue;

	for (size_t i = 0; i < queue->resident_count; i++)
		if (!queue->resident[i]->ahead)
			batch.groups[batch.count++] = queue->resident[i];
	if (!batch.count)
		return true;
	if (!prepare(&batch))
		return false;
	wt_crew_run(&ahead->crew, ahead->cores, execute_job, &batch, batch.count);
	return !atomic_load_explicit(&batch.stop, memory_order_relaxed);
}

static void begin_window(struct wt_ahead *ahead, struct wt_queue *queue)
{
	uint32_t rounds;

	if (ahead->machine->seed || ahead->machine->watching || !is_alone(queue))
		return;
	rounds = window_length(ahead, queue);
	if (!rounds || !wt_claims_renew(&ahead->claims))
		return;
	ahead->queue = queue;
	ahead->left = rounds;
	ahead->began = 0;
	ahead->executed = 0;
	if (catch_up(ahead))
		ahead->left--;
	else
		give_up(ahead);
}

static bool is_anyone_ahead(const struct wt_queue *queue)
{
	for (size_t i = 0; i < queue->resident_count; i++)
		if (queue->resident[i]->ahead)
			return true;
	return false;
}

/* A round within a window, in which workgroups may have begun. */
static void go_on(struct wt_ahead *ahead)
{
	const struct wt_queue *queue = ahead->queue;
	uint32_t fresh = 0;

	for (size_t i = 0; i < queue->resident_count; i++)
		fresh += !queue->resident[i]->ahead;
	ahead->began += fresh;
	if (ahead->claims.owners + fresh > WT_CLAIM_OWNERS)
		cut_short(ahead);
	else if (catch_up(ahead))
		ahead->left--;
	else
		give_up(ahead);
}

void wt_ahead_look(struct wt_queue *queue)
{
	struct wt_ahead *ahead = queue->machine->ahead;

	if (!ahead || ahead->cores < 2 || !queue->resident_count)
		return;
	if (ahead->queue && (!ahead->left || !is_anyone_ahead(ahead->queue)))
		close_window(ahead);
	if (ahead->queue) {
		go_on(ahead);
		return;
	}
	if (ahead->pause)
		ahead->pause--;
	else
		begin_window(ahead, queue);
}

uint64_t wt_ahead_turn(struct wt_machine *machine, struct wt_group *group)
{
	struct wt_ahead_group *ahead = ahead_of(machine->ahead, group);
	uint32_t round = ahead->round++;

	group->ahead--;
	while (ahead->ends_heard < ahead->end_count &&
	       ahead->ends[ahead->ends_heard].round == round) {
		struct wt_wave *wave = &group->waves[ahead->ends[ahead->ends_heard++].wave];

		if (machine->listener.wave_terminated)
			machine->listener.wave_terminated(machine->listener.opaque, &wave->wave,
							  false);
	}
	if (!group->ahead)
		wt_claimant_settle(&ahead->claimant, &machine->ahead->claims);
	machine->ahead->executed += ahead->counts[round];
	return ahead->counts[round];
}
