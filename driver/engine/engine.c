/* SPDX-License-Identifier: MIT */
/* The engine's life: its agents, its queues, and its turns. */
#include "driver/engine/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/engine/internal.h"

/* The offset of the write index of an AQL queue in the structure that the runtime calls amd_queue_t. */
#define STRUCTURE_WRITE_ID 0x38

static void engine_message(void *opaque, bool warning, const char *text)
{
	const struct wt_engine *engine = opaque;

	(void)warning;
	engine->host.message(engine->host.opaque, text);
}

static void engine_not_implemented(void *opaque, const char *text)
{
	const struct wt_engine *engine = opaque;

	engine->host.missing(engine->host.opaque, text);
}

/* The machine looks only at packets and code, which the queue's own agent can see. */
static size_t engine_peek(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_engine *engine = opaque;

	return wt_sight_read(&engine->views[0], address, data, size) ? size : 0;
}

static size_t engine_poke(void *opaque, uint64_t address, const void *data, size_t size)
{
	struct wt_engine *engine = opaque;

	return wt_sight_write(&engine->views[0], address, data, size) ? size : 0;
}

static uint64_t engine_code_changes(void *opaque)
{
	const struct wt_engine *engine = opaque;

	return engine->space->changes + engine->code_changes;
}

static bool init_agents(struct wt_engine *engine,
			const struct gfx_architecture *const *architectures, uint32_t units)
{
	struct wt_machine *machine = &engine->machine;

	machine->agents = calloc(engine->agents, sizeof(*machine->agents));
	engine->views = calloc(engine->agents, sizeof(*engine->views));
	engine->remote = calloc(WT_REMOTE_PAGES, sizeof(*engine->remote));
	if (!machine->agents || !engine->views || !engine->remote)
		return false;
	for (uint32_t i = 0; i < engine->agents; i++) {
		struct wt_agent *agent = &machine->agents[i];

		engine->views[i] = (struct wt_sight){.engine = engine, .agent = i};
		agent->agent.number = i;
		agent->agent.architecture = architectures[i];
		agent->agent.execution_unit_count = units * architectures[i]->unit.simds;
		agent->memory = wt_sight_memory(&engine->views[i], architectures[i]);
		agent->machine = machine;
		agent->watched = wt_watch_memory(agent);
		agent->code = wt_code_create();
		if (!agent->code)
			return false;
	}
	return true;
}

struct wt_engine *wt_engine_create(struct wt_space *space,
				   const struct gfx_architecture *const *architectures,
				   uint32_t agents, uint32_t units, uint64_t seed,
				   enum wt_engine_local local, const struct wt_engine_host *host)
{
	struct wt_engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return NULL;
	engine->space = space;
	engine->host = *host;
	engine->agents = agents;
	engine->local = local;
	engine->machine.seed = seed;
	engine->machine.bytes = (struct wt_machine_memory){.opaque = engine,
							   .peek = engine_peek,
							   .poke = engine_poke,
							   .code_changes = engine_code_changes};
	engine->machine.listener = (struct wt_device_listener){
		.opaque = engine,
		.wave_created = wt_engine_wave_created,
		.wave_stopped = wt_engine_wave_stopped,
		.wave_left_local = wt_engine_wave_left_local,
		.message = engine_message,
		.not_implemented = engine_not_implemented,
	};
	if (!init_agents(engine, architectures, units)) {
		wt_engine_destroy(engine);
		return NULL;
	}
	return engine;
}

static void free_queue(struct wt_engine_queue *queue)
{
	wt_queue_deinit(&queue->queue);
	free(queue->saved);
	free(queue);
}

void wt_engine_destroy(struct wt_engine *engine)
{
	if (!engine)
		return;
	for (size_t i = 0; i < engine->machine.queue_count; i++)
		free_queue(wt_engine_queue_of(engine->machine.queues[i]));
	for (size_t i = 0; i < engine->sdma_count; i++)
		free_queue(engine->sdma[i]);
	for (uint32_t i = 0; engine->machine.agents && i < engine->agents; i++)
		free(engine->machine.agents[i].code);
	free(engine->machine.agents);
	free(engine->machine.queues);
	free(engine->sdma);
	free(engine->views);
	free(engine->remote);
	free(engine);
}

static bool array_add(void ***array, size_t *count, void *item)
{
	void **grown = reallocarray(*array, *count + 1, sizeof(*grown));

	if (!grown)
		return false;
	*array = grown;
	grown[(*count)++] = item;
	return true;
}

static void init_queue(struct wt_engine *engine, struct wt_engine_queue *queue, uint32_t id,
		       const struct wt_engine_queue_options *options)
{
	queue->id = id;
	queue->options = *options;
	queue->view = &engine->views[options->agent];
	queue->runs = true;
	queue->structure = options->write_pointer_address - STRUCTURE_WRITE_ID;
	queue->queue.machine = &engine->machine;
	queue->queue.operations = &wt_aql_operations;
	queue->queue.agent = &engine->machine.agents[options->agent];
	queue->queue.structure_address = queue->structure;
	queue->queue.queue = (struct wt_device_queue){
		.number = id,
		.agent = &queue->queue.agent->agent,
		.os_id = id,
		.ring_address = options->ring_address,
		.ring_size = options->ring_size,
		.type = options->kind == WT_ENGINE_AQL ? WT_QUEUE_AQL : WT_QUEUE_SDMA,
	};
}

int wt_engine_queue_create(struct wt_engine *engine, uint32_t id,
			   const struct wt_engine_queue_options *options)
{
	struct wt_engine_queue *queue;
	bool added;

	if (options->agent >= engine->agents || options->ring_size < 64 ||
	    options->ring_size & (options->ring_size - 1))
		return -EINVAL;
	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return -ENOMEM;
	init_queue(engine, queue, id, options);
	if (options->kind == WT_ENGINE_AQL)
		added = array_add((void ***)&engine->machine.queues, &engine->machine.queue_count,
				  queue);
	else
		added = array_add((void ***)&engine->sdma, &engine->sdma_count, queue);
	if (added)
		return 0;
	free(queue);
	return -ENOMEM;
}

/* The list that a queue is in, and its place; NULL if there is none of that id. */
static void **engine_find_queue(struct wt_engine *engine, uint32_t id, size_t **count_ret)
{
	for (size_t i = 0; i < engine->machine.queue_count; i++)
		if (wt_engine_queue_of(engine->machine.queues[i])->id == id) {
			*count_ret = &engine->machine.queue_count;
			return (void **)&engine->machine.queues[i];
		}
	for (size_t i = 0; i < engine->sdma_count; i++)
		if (engine->sdma[i]->id == id) {
			*count_ret = &engine->sdma_count;
			return (void **)&engine->sdma[i];
		}
	return NULL;
}

struct wt_engine_queue *wt_engine_find(struct wt_engine *engine, uint32_t id)
{
	size_t *count;
	void **place = engine_find_queue(engine, id, &count);

	return place ? *place : NULL;
}

int wt_engine_queue_destroy(struct wt_engine *engine, uint32_t id)
{
	size_t *count;
	void **place = engine_find_queue(engine, id, &count);
	struct wt_engine_queue *queue;
	void **end;

	if (!place)
		return -EINVAL;
	queue = *place;
	end = count == &engine->sdma_count ? (void **)(engine->sdma + *count)
					   : (void **)(engine->machine.queues + *count);
	memmove(place, place + 1, (size_t)(end - place - 1) * sizeof(*place));
	(*count)--;
	free_queue(queue);
	return 0;
}

int wt_engine_queue_update(struct wt_engine *engine, uint32_t id, bool runs, uint64_t ring_address,
			   uint64_t ring_size)
{
	size_t *count;
	void **place = engine_find_queue(engine, id, &count);
	struct wt_engine_queue *queue;

	if (!place || (ring_size && (ring_size < 64 || ring_size & (ring_size - 1))))
		return -EINVAL;
	queue = *place;
	queue->runs = runs;
	if (ring_address && ring_size) {
		queue->options.ring_address = queue->queue.queue.ring_address = ring_address;
		queue->options.ring_size = queue->queue.queue.ring_size = ring_size;
	}
	return 0;
}

int wt_engine_queue_set_sync(struct wt_engine *engine, uint32_t id, bool has)
{
	struct wt_engine_queue *queue = wt_engine_find(engine, id);
	bool taken = false;

	if (!queue || queue->options.kind != WT_ENGINE_AQL)
		return -EINVAL;
	for (size_t i = 0; i < engine->machine.queue_count; i++)
		taken |= engine->machine.queues[i]->has_sync &&
			 engine->machine.queues[i]->agent == queue->queue.agent;
	if (has && taken)
		return -EBUSY;
	if (!has && !queue->queue.has_sync)
		return -EINVAL;
	queue->queue.has_sync = has;
	return 0;
}

uint32_t wt_engine_stack_waves(const struct gfx_product *product, uint32_t units)
{
	uint32_t waves = units * product->stack_unit_waves;
	uint32_t most = product->engines * product->stack_engine_waves;

	return most && most < waves ? most : waves;
}

uint32_t wt_engine_queue_count(const struct wt_engine *engine)
{
	return (uint32_t)(engine->machine.queue_count + engine->sdma_count);
}

bool wt_engine_run(struct wt_engine *engine, uint64_t budget)
{
	uint64_t done = 0, before;
	bool any = false, begun;

	wt_remote_forget(engine);
	engine->packets = 0;
	for (size_t i = 0; i < engine->sdma_count; i++)
		any |= wt_sdma_run(engine->sdma[i]);
	do {
		before = done;
		done += wt_machine_round(&engine->machine, &begun);
	} while ((done > before || begun) && done < budget);
	return any || done || engine->packets;
}
