/* SPDX-License-Identifier: MIT */
/*
 * A simulated GPU over a copy of the recorded memory, with the waves of a stop in it. It has one queue, and that has one dispatch, which is
 * under way.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "device/trap-handler.h"
#include "gfx/architecture/local.h"
#include "replayer/what-if/internal.h"

static struct wt_going_on *going_of(const struct wt_queue *queue)
{
	return (struct wt_going_on *)((uintptr_t)queue - offsetof(struct wt_going_on, queue));
}

/* ---- Memory as waves see it ---- */

/* Is an address in the image of code, which is not to be written? */
static bool address_is_constant(const struct wt_prepared_stop *stop, uint64_t address)
{
	for (size_t i = 0; i < stop->images.count; i++)
		if (address - stop->images.ranges[i].address < stop->images.ranges[i].size)
			return true;
	return false;
}

/* Is it known that an access fails? */
static bool access_fails(const struct wt_going_on *going, uint64_t address, size_t size, bool write)
{
	const struct wt_analysis_input *input = &going->stop->followed->input;
	const struct gfx_access access = {
		.space = GFX_ACCESS_GLOBAL, .read = !write, .write = write, .size = (uint32_t)size};

	return write && address_is_constant(going->stop, address)
		       ? true
		       : input->judge(input->opaque, &access, GFX_ACCESS_GLOBAL, address) ==
				 WT_ACCESS_FAILS;
}

/* An access is not possible with what is here: either it fails, or what it needs is missing. */
static bool access_miss(struct wt_going_on *going, uint64_t address, size_t size, bool write,
			bool code)
{
	if (going->missing.found || access_fails(going, address, size, write))
		return false;
	going->missing.found = true;
	going->missing.write = write;
	going->missing.code = code;
	going->missing.address = address;
	going->missing.size = size;
	return false;
}

static bool going_read(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_going_on *going = opaque;

	return wt_memory_read(&going->machine.memory, address, data, size) ||
	       access_miss(going, address, size, false, false);
}

static bool going_write(void *opaque, uint64_t address, const void *data, size_t size)
{
	struct wt_going_on *going = opaque;

	return wt_memory_write(&going->machine.memory, address, data, size) ||
	       access_miss(going, address, size, true, false);
}

static bool going_fetch(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_going_on *going = opaque;

	return wt_memory_fetch(&going->machine.memory, address, data, size) ||
	       access_miss(going, address, size, false, true);
}

static bool going_probe(void *opaque, uint64_t address, size_t size, bool write)
{
	struct wt_going_on *going = opaque;

	return wt_memory_may(&going->machine.memory, address, size,
			     write ? WT_MEMORY_WRITE : WT_MEMORY_READ) ||
	       access_miss(going, address, size, write, false);
}

static uint8_t *going_map(void *opaque, uint64_t address, uint64_t size, bool write)
{
	struct wt_going_on *going = opaque;

	return wt_memory_in_place(&going->machine.memory, address, size, write);
}

static size_t going_peek(void *opaque, uint64_t address, void *data, size_t size)
{
	return wt_memory_peek(&((struct wt_going_on *)opaque)->machine.memory, address, data, size);
}

static size_t going_poke(void *opaque, uint64_t address, const void *data, size_t size)
{
	return wt_memory_poke(&((struct wt_going_on *)opaque)->machine.memory, address, data, size);
}

static uint64_t going_code_changes(void *opaque)
{
	return ((struct wt_going_on *)opaque)->machine.memory.code_changes;
}

/* Pieces that touch, and are all to be written or all not, are one range. */
static struct wt_error *going_map_pieces(struct wt_going_on *going)
{
	const struct wt_pieces *pieces = &going->stop->pieces;
	struct wt_error *error = NULL;

	for (size_t i = 0, end; i < pieces->count && !error; i = end) {
		const struct wt_piece *first = &pieces->list[i];
		bool constant = address_is_constant(going->stop, first->address);
		uint64_t size = first->size;
		uint8_t *data;

		for (end = i + 1;
		     end < pieces->count && pieces->list[end].address == first->address + size &&
		     address_is_constant(going->stop, pieces->list[end].address) == constant;
		     end++)
			size += pieces->list[end].size;
		error = wt_memory_map(&going->machine.memory, first->address, size,
				      constant ? WT_MEMORY_READ | WT_MEMORY_EXECUTE
					       : WT_MEMORY_READ | WT_MEMORY_WRITE,
				      &data);
		for (; i < end && !error; i++) {
			memcpy(data, pieces->list[i].data, pieces->list[i].size);
			data += pieces->list[i].size;
		}
	}
	return error;
}

static struct wt_error *going_map_pool(struct wt_going_on *going)
{
	const struct wt_prepared_stop *stop = going->stop;
	uint64_t bytes = stop->pool_groups * stop->wave_private * wt_task_waves(&stop->task);

	return bytes ? wt_memory_map(&going->machine.memory, stop->pool_address, bytes,
				     WT_MEMORY_READ | WT_MEMORY_WRITE, NULL)
		     : NULL;
}

/* ---- What the machine tells ---- */

static struct wt_going_wave *going_wave_of(struct wt_going_on *going,
					   const struct wt_device_wave *wave)
{
	return wave->number < going->wave_count ? &going->waves[wave->number] : NULL;
}

static void note_created(void *opaque, struct wt_device_wave *wave)
{
	struct wt_going_on *going = opaque;
	struct wt_going_wave *known;

	if (going->wave_count == going->wave_room) {
		size_t room = going->wave_room ? 2 * going->wave_room : 64;
		struct wt_going_wave *grown = reallocarray(going->waves, room, sizeof(*grown));

		if (!grown) {
			going->no_memory = true;
			return;
		}
		going->waves = grown;
		going->wave_room = room;
	}
	known = &going->waves[going->wave_count++];
	*known = (struct wt_going_wave){
		.number_in_workgroup = wave->number_in_group,
		.wave = (struct wt_wave *)wave,
		.from = going->stop->task.entry,
	};
	memcpy(known->workgroup, wave->workgroup->coordinates, sizeof(known->workgroup));
}

static void note_terminated(void *opaque, struct wt_device_wave *wave, bool stepping)
{
	struct wt_going_wave *known = going_wave_of(opaque, wave);

	(void)stepping;
	if (known)
		known->wave = NULL;
}

/* A debug trap is none of a fault's: who records lets the wave go on, too. */
static void note_stopped(void *opaque, struct wt_device_wave *wave)
{
	(void)opaque;
	if (wave->stop_reasons == WT_STOP_DEBUG_TRAP)
		wt_wave_resume((struct wt_wave *)wave, false);
}

static bool note_left_local(void *opaque, struct wt_device_wave *wave)
{
	(void)wave;
	return !((const struct wt_going_on *)opaque)->stop->strict_local;
}

static void group_place_in_pool(struct wt_queue *queue, struct wt_group *group, size_t index)
{
	const struct wt_prepared_stop *stop = going_of(queue)->stop;
	uint64_t address =
		stop->pool_address + index * stop->wave_private * wt_task_waves(&stop->task);

	for (uint32_t i = 0; i < group->slot_count && stop->wave_private; i++) {
		struct wt_wave *wave = &group->waves[i];

		wave->scratch_address = address + i * stop->wave_private;
		wave->scratch = wt_memory_at(&queue->machine->memory, wave->scratch_address,
					     stop->wave_private);
	}
}

/* The slot is free for a workgroup that begins; as many as have pool memory. */
static void note_group_ended(void *opaque, struct wt_device_workgroup *workgroup)
{
	struct wt_going_on *going = opaque;
	struct wt_queue *queue = &going->queue;

	for (size_t i = 0; i < queue->group_count && i < going->stop->pool_groups; i++)
		if (&queue->groups[i]->workgroup == workgroup)
			group_place_in_pool(queue, queue->groups[i], i);
}

/* ---- The queue ---- */

static bool dispatch_begin(struct wt_queue *queue)
{
	struct wt_going_on *going = going_of(queue);

	if (going->begun)
		return false;
	going->begun = true;
	queue->task = &going->stop->task;
	queue->dispatch = going->stop->dispatch;
	return true;
}

static void dispatch_complete(struct wt_queue *queue)
{
	(void)queue;
}

/* Room for as many as are there, and those for which there is private memory. */
static size_t dispatch_provide(struct wt_queue *queue, size_t groups)
{
	const struct wt_prepared_stop *stop = going_of(queue)->stop;
	size_t most = stop->wave_private ? stop->pool_groups : groups;

	groups = groups < most ? groups : most;
	return groups > stop->group_count ? groups : stop->group_count;
}

static bool dispatch_is_empty(const struct wt_queue *queue)
{
	return going_of(queue)->begun;
}

static const struct wt_queue_operations operations = {
	.begin = dispatch_begin,
	.complete = dispatch_complete,
	.provide = dispatch_provide,
	.place = group_place_in_pool,
	.is_empty = dispatch_is_empty,
};

/* ---- Waves as they were recorded ---- */

/* Waves that are executed have room for 64 lanes in each vector register, recorded ones for those that they have. */
static void registers_restore(uint32_t *to, size_t to_words, const uint32_t *from,
			      const struct gfx_wave *recorded, uint32_t count)
{
	for (size_t i = 0; i < count; i++)
		memcpy(&to[i * to_words], &from[i * gfx_vector_words(recorded)],
		       sizeof(*to) * recorded->lane_count);
}

static void wave_restore(struct wt_wave *wave, const struct wt_prepared_wave *prepared)
{
	const struct gfx_wave *recorded = &prepared->recorded.gfx;
	struct gfx_wave *gfx = &wave->gfx;
	struct gfx_wave whole = *recorded;

	/* The machine's own memory, with as many registers as the kernel has. */
	whole.vgprs = gfx->vgprs;
	whole.agprs = gfx->agprs;
	whole.shared = NULL;
	whole.shared_count = 0;
	whole.vgpr_count = gfx->vgpr_count;
	whole.agpr_count = gfx->agpr_count;
	whole.sgpr_count = gfx->sgpr_count;
	whole.lds = gfx->lds;
	whole.lds_size = gfx->lds_size;
	whole.lds_room = gfx->lds_room;
	whole.scratch = gfx->scratch;
	whole.scratch_size = gfx->scratch_size;
	whole.scratch_base = wave->scratch_address;
	whole.vector_words = gfx->vector_words;
	registers_restore(gfx->vgprs, gfx->vector_words, recorded->vgprs, recorded,
			  gfx->vgpr_count);
	registers_restore(gfx->agprs, gfx->vector_words, recorded->agprs, recorded,
			  gfx->agpr_count);
	*gfx = whole;
	if (wave->scratch && prepared->private_bytes)
		memcpy(wave->scratch, prepared->private_bytes, gfx->scratch_size);
	wave->wave.state = WT_WAVE_STOPPED;
	wave->wave.stop_reasons = prepared->recorded.reasons;
	wt_wave_resume(wave, false);
	gfx->pc = prepared->from;
	if (gfx->status & WT_STATUS_IN_BARRIER) {
		wave->waiting = wave->arrived = true;
		wave->group->arrived_count++;
	}
}

/* A workgroup that is there: of its waves those that were recorded have not ended. */
static void group_restore(struct wt_going_on *going, size_t index)
{
	const struct wt_prepared_stop *stop = going->stop;
	const struct wt_prepared_group *prepared = &stop->groups[index];
	struct wt_queue *queue = &going->queue;
	struct wt_group *group = queue->groups[index];
	size_t first = going->wave_count;

	for (size_t i = 0; i < prepared->count && stop->wave_private; i++) {
		const struct wt_prepared_wave *known = &stop->waves[prepared->first + i];
		struct wt_wave *wave = &group->waves[known->recorded.number_in_group];

		wave->scratch_address = known->place;
		wave->scratch =
			wt_memory_at(&going->machine.memory, known->place, stop->wave_private);
	}
	wt_queue_create_group(queue, group, prepared->coordinates);
	for (uint32_t w = 0, next = 0; w < group->wave_count; w++) {
		const struct wt_prepared_wave *known = &stop->waves[prepared->first + next];

		if (next < prepared->count && known->recorded.number_in_group == w) {
			wave_restore(&group->waves[w], known);
			if (first + w < going->wave_count) {
				going->waves[first + w].handle = known->recorded.handle;
				going->waves[first + w].from = known->from;
			}
			next++;
		} else {
			group->waves[w].live = false;
			group->live_count--;
			if (first + w < going->wave_count) {
				going->waves[first + w].wave = NULL;
				going->waves[first + w].gone = true;
			}
		}
	}
	if (prepared->local)
		memcpy(group->lds, prepared->local,
		       gfx_local_room(stop->architecture, stop->task.group_bytes));
}

static struct wt_error *dispatch_restore(struct wt_going_on *going)
{
	const struct wt_prepared_stop *stop = going->stop;
	struct wt_queue *queue = &going->queue;

	if (!wt_queue_reserve(queue, &stop->task, stop->group_count))
		return &wt_error_no_memory;
	for (size_t i = stop->group_count; i < queue->group_count && i < stop->pool_groups; i++)
		group_place_in_pool(queue, queue->groups[i], i);
	wt_queue_begin(queue);
	for (size_t i = 0; i < stop->group_count; i++)
		group_restore(going, i);
	memcpy(queue->next_group, stop->next, sizeof(queue->next_group));
	queue->all_groups_exist = !stop->not_begun;
	return going->no_memory ? &wt_error_no_memory : NULL;
}

static void going_init_machine(struct wt_going_on *going)
{
	const struct wt_prepared_stop *stop = going->stop;
	struct wt_machine *machine = &going->machine;

	machine->bytes = (struct wt_machine_memory){.opaque = going,
						    .peek = going_peek,
						    .poke = going_poke,
						    .code_changes = going_code_changes};
	machine->listener = (struct wt_device_listener){
		.opaque = going,
		.wave_created = note_created,
		.wave_terminated = note_terminated,
		.wave_stopped = note_stopped,
		.wave_left_local = note_left_local,
		.workgroup_ended = note_group_ended,
	};
	machine->memory_mode = WT_MEMORY_AT;
	machine->seed = stop->options.seed;
	machine->agents = &going->agent;
	machine->queues = going->queues;
	machine->queue_count = 1;
	going->queues[0] = &going->queue;
	going->agent.machine = machine;
	going->agent.agent.architecture = stop->architecture;
	going->agent.agent.execution_unit_count = (uint32_t)stop->compute_units;
	going->agent.memory = (struct gfx_memory){
		.opaque = going,
		.read = going_read,
		.write = going_write,
		.fetch = going_fetch,
		.probe = going_probe,
		.map = going_map,
		.local_base = stop->architecture->local_aperture,
		.local_limit = stop->architecture->local_aperture + UINT32_MAX,
		.private_base = stop->architecture->private_aperture,
		.private_limit = stop->architecture->private_aperture + UINT32_MAX,
	};
	going->queue.machine = machine;
	going->queue.operations = &operations;
	going->queue.agent = &going->agent;
	going->queue.scratch_address = stop->pool_address;
	going->queue.scratch_size =
		stop->pool_groups * stop->wave_private * wt_task_waves(&stop->task);
	going->queue.queue = (struct wt_device_queue){
		.agent = &going->agent.agent,
		.ring_address = stop->ring_address,
		.ring_size = stop->ring_size,
		.type = WT_QUEUE_AQL,
	};
}

struct wt_error *wt_going_on_init(struct wt_going_on *going, const struct wt_prepared_stop *stop)
{
	struct wt_error *error;

	going->stop = stop;
	wt_memory_init(&going->machine.memory);
	going_init_machine(going);
	going->agent.code = wt_code_create();
	if (!going->agent.code)
		return &wt_error_no_memory;
	error = going_map_pieces(going);
	if (!error)
		error = going_map_pool(going);
	return error ? error : dispatch_restore(going);
}

void wt_going_on_deinit(struct wt_going_on *going)
{
	wt_queue_free_slots(&going->queue);
	wt_memory_deinit(&going->machine.memory);
	free(going->agent.code);
	free(going->waves);
}

/* ---- Running ---- */

/* "a wave loads 4 bytes at 0x1000, 24 bytes into a buffer ..., which were not recorded". */
static struct wt_error *going_say_missing(const struct wt_going_on *going)
{
	wt_cleanup_free char *whose = NULL;
	struct wt_error *error = wt_prepared_whose(going->stop, going->missing.address, &whose);

	if (error)
		return error;
	return wt_what_if_refuse(
		WT_ERROR_NOT_FOUND,
		"a wave %s %llu bytes at 0x%llx%s%s, which were not recorded: a recording with "
		"`memory=all` may have them",
		going->missing.code    ? "comes to code,"
		: going->missing.write ? "stores to"
				       : "loads",
		(unsigned long long)going->missing.size, (unsigned long long)going->missing.address,
		whose ? ", " : "", whose ? whose : "");
}

static void wave_take_outcome(struct wt_going_wave *known)
{
	struct wt_what_if_outcome *outcome = &known->outcome;
	const struct wt_wave *wave = known->wave;
	const struct gfx_fault *fault;

	*outcome = (struct wt_what_if_outcome){.end = WT_WHAT_IF_ENDED};
	if (!wave)
		return;
	fault = &wave->wave.fault;
	outcome->pc = wave->gfx.pc;
	outcome->end = wave->wave.state == WT_WAVE_STOPPED   ? WT_WHAT_IF_STOPPED
		       : wave->waiting || wave->sync_waiting ? WT_WHAT_IF_WAITS
		       : wave->gfx.status & WT_STATUS_HALT   ? WT_WHAT_IF_HALTED
							     : WT_WHAT_IF_RUNS;
	if (outcome->end != WT_WHAT_IF_STOPPED)
		return;
	outcome->reasons = wave->wave.stop_reasons;
	outcome->why = fault->reason && *fault->reason ? fault->reason : NULL;
	outcome->has_address = fault->address || fault->lanes;
	outcome->address = fault->address;
	outcome->lanes = fault->lanes;
	outcome->write = fault->write;
}

struct wt_error *wt_going_on_run(struct wt_going_on *going)
{
	const struct wt_what_if_options *options = &going->stop->options;
	const uint64_t end = wt_clock_ms() + options->seconds * 1000;
	uint64_t rounds = 0, done;
	bool begun;

	do {
		done = wt_machine_round(&going->machine, &begun);
		going->instructions += done;
		going->limit_reached = going->instructions >= options->instructions ||
				       (!(++rounds & 0xff) && wt_clock_ms() >= end);
	} while ((done || begun) && !going->limit_reached && !going->missing.found &&
		 !going->no_memory);
	if (going->no_memory)
		return &wt_error_no_memory;
	if (going->missing.found)
		return going_say_missing(going);
	for (size_t i = 0; i < going->wave_count; i++)
		wave_take_outcome(&going->waves[i]);
	return NULL;
}
