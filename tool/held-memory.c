/* SPDX-License-Identifier: MIT */
#include "tool/held-memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

#define SHARDS 64u
#define ROOM 1024u /* of one shard */
#define LISTS 1024u
#define GONE 64u /* of one shard: those that were given back last */

struct gone {
	struct wt_held held;
	uint64_t time;
	const char *function;
	uint32_t thread, stack;
};

struct shard {
	pthread_mutex_t lock;
	uint16_t lists[LISTS]; /* first of those with the same hash, from 1; 0: none */
	uint16_t free;	       /* first of those that are free; 0: none */
	uint16_t used;	       /* entries that were ever used */
	uint64_t lost;	       /* that there was no room for */
	uint64_t gone_count;   /* that were ever given back */
	struct wt_held held[ROOM];
	struct gone gone[GONE];
};

struct wt_allocations {
	struct wt_call_stacks stacks;
	struct shard shards[SHARDS];
};

static void shard_clear(struct shard *shard)
{
	pthread_mutex_lock(&shard->lock);
	memset(shard->lists, 0, sizeof(shard->lists));
	shard->free = shard->used = 0;
	shard->lost = shard->gone_count = 0;
	pthread_mutex_unlock(&shard->lock);
}

/* ---- Entries ---- */

static uint32_t thread_id(void)
{
	static __thread uint32_t id;

	if (!id)
		id = (uint32_t)syscall(SYS_gettid);
	return id;
}

static uint64_t key_hash(uint64_t key, enum wt_held_as as)
{
	return (key + as) * UINT64_C(0x9e3779b97f4a7c15);
}

static struct shard *shard_of(struct wt_allocations *allocations, uint64_t hash)
{
	return &allocations->shards[hash >> 58];
}

static uint16_t *shard_list(struct shard *shard, uint64_t hash)
{
	return &shard->lists[(hash >> 40) % LISTS];
}

/* The link to an entry; NULL if it is not there. */
static uint16_t *shard_find(struct shard *shard, uint64_t hash, enum wt_held_as as, uint64_t key)
{
	uint16_t *link = shard_list(shard, hash);

	for (; *link; link = &shard->held[*link - 1].next)
		if (shard->held[*link - 1].key == key && shard->held[*link - 1].as == as)
			return link;
	return NULL;
}

static void shard_put(struct shard *shard, uint64_t hash, const struct wt_held *held)
{
	uint16_t *link = shard_find(shard, hash, held->as, held->key), *list, number;

	/* The one that is there was given back in a way that nobody has noted. */
	if (link) {
		number = shard->held[*link - 1].next;
		shard->held[*link - 1] = *held;
		shard->held[*link - 1].next = number;
		return;
	}
	number = shard->free;
	if (number)
		shard->free = shard->held[number - 1].next;
	else if (shard->used < ROOM)
		number = ++shard->used;
	if (!number) {
		shard->lost++;
		return;
	}
	list = shard_list(shard, hash);
	shard->held[number - 1] = *held;
	shard->held[number - 1].next = *list;
	*list = number;
}

/* One that was given back last is not; others may have been since, then it is there twice. */
static void shard_take_back(struct shard *shard, uint64_t key)
{
	if (shard->gone_count && shard->gone[(shard->gone_count - 1) % GONE].held.key == key)
		shard->gone_count--;
}

void wt_allocations_add(struct wt_allocations *allocations, struct wt_held held, const void *frame)
{
	uint64_t hash = key_hash(held.key, held.as);
	struct shard *shard = shard_of(allocations, hash);
	bool back = held.time;

	if (!back) {
		held.time = wt_clock_ns();
		held.thread = thread_id();
		held.stack = frame ? wt_call_stack_number(&allocations->stacks, frame) : 0;
	}
	pthread_mutex_lock(&shard->lock);
	shard_put(shard, hash, &held);
	if (back)
		shard_take_back(shard, held.key);
	pthread_mutex_unlock(&shard->lock);
}

bool wt_allocations_remove(struct wt_allocations *allocations, enum wt_held_as as, uint64_t key,
			   const char *function, const void *frame, struct wt_held *held_ret)
{
	uint64_t hash = key_hash(key, as);
	struct shard *shard = shard_of(allocations, hash);
	struct gone gone = {.time = wt_clock_ns(), .function = function, .thread = thread_id()};
	uint16_t *link, number;

	gone.stack = frame ? wt_call_stack_number(&allocations->stacks, frame) : 0;
	pthread_mutex_lock(&shard->lock);
	link = shard_find(shard, hash, as, key);
	if (!link) {
		pthread_mutex_unlock(&shard->lock);
		return false;
	}
	number = *link;
	gone.held = *held_ret = shard->held[number - 1];
	*link = shard->held[number - 1].next;
	shard->held[number - 1].next = shard->free;
	shard->free = number;
	shard->gone[shard->gone_count++ % GONE] = gone;
	pthread_mutex_unlock(&shard->lock);
	return true;
}

static void shard_open(struct shard *shard, uint64_t address, uint64_t size)
{
	for (size_t list = 0; list < LISTS; list++)
		for (uint16_t at = shard->lists[list]; at; at = shard->held[at - 1].next) {
			struct wt_held *held = &shard->held[at - 1];

			if (held->closed && held->address < address + size &&
			    address < held->address + held->size)
				held->closed = false;
		}
}

void wt_allocations_open(struct wt_allocations *allocations, uint64_t address, uint64_t size)
{
	uint64_t hash = key_hash(address, WT_HELD_MEMORY);
	struct shard *shard = shard_of(allocations, hash);
	const uint16_t *link;
	bool found;

	pthread_mutex_lock(&shard->lock);
	link = shard_find(shard, hash, WT_HELD_MEMORY, address);
	found = link && shard->held[*link - 1].size >= size;
	if (found)
		shard->held[*link - 1].closed = false;
	pthread_mutex_unlock(&shard->lock);
	/* Access may be given to several at once, or to the middle of one. */
	for (size_t i = 0; !found && i < SHARDS; i++) {
		pthread_mutex_lock(&allocations->shards[i].lock);
		shard_open(&allocations->shards[i], address, size);
		pthread_mutex_unlock(&allocations->shards[i].lock);
	}
}

/* ---- Looking ---- */

static struct wt_allocation held_describe(const struct wt_held *held)
{
	struct wt_allocation allocation = {
		.address = held->address,
		.size = held->size,
		.host_address = held->as == WT_HELD_PINNED ? held->key : 0,
		.kind = (enum wt_allocation_kind)held->kind,
		.closed = held->closed,
		.made = {held->function, held->time, held->thread, held->stack},
	};

	if (held->agent)
		strncpy(allocation.agent, held->agent, sizeof(allocation.agent) - 1);
	return allocation;
}

/* Look at a copy of a shard, so that nobody waits for who takes it. */
static void shard_each(const struct shard *copy, wt_allocation_take take, void *context)
{
	for (size_t list = 0; list < LISTS; list++)
		for (uint16_t at = copy->lists[list]; at; at = copy->held[at - 1].next) {
			const struct wt_allocation allocation = held_describe(&copy->held[at - 1]);

			take(context, &allocation);
		}
	for (uint64_t i = copy->gone_count; i && copy->gone_count - i < GONE; i--) {
		const struct gone *gone = &copy->gone[(i - 1) % GONE];
		struct wt_allocation allocation = held_describe(&gone->held);

		allocation.freed = (struct wt_allocation_call){gone->function, gone->time,
							       gone->thread, gone->stack};
		take(context, &allocation);
	}
}

static bool allocations_each(void *opaque, wt_allocation_take take, void *context)
{
	struct wt_allocations *allocations = opaque;
	struct shard *copy = malloc(sizeof(*copy));
	bool whole = copy != NULL;

	for (size_t i = 0; copy && i < SHARDS; i++) {
		struct shard *shard = &allocations->shards[i];

		pthread_mutex_lock(&shard->lock);
		memcpy(copy, shard, sizeof(*copy));
		pthread_mutex_unlock(&shard->lock);
		whole &= !copy->lost;
		shard_each(copy, take, context);
	}
	free(copy);
	return whole;
}

static size_t allocations_stack(void *opaque, uint32_t number, const uint64_t **addresses_ret)
{
	struct wt_allocations *allocations = opaque;
	const struct wt_call_stack *stack = wt_call_stack_get(&allocations->stacks, number);

	if (!stack)
		return 0;
	*addresses_ret = stack->frames;
	return stack->count;
}

struct wt_allocations *wt_allocations_begin(struct wt_allocations *before,
					    struct wt_allocation_source *source_ret)
{
	struct wt_allocations *allocations = before;

	/* Pages that are never used take no memory, and a lock of zeros is one that nobody has. */
	if (!allocations)
		allocations = mmap(NULL, sizeof(*allocations), PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (allocations == MAP_FAILED)
		return NULL;
	for (size_t i = 0; i < SHARDS; i++)
		shard_clear(&allocations->shards[i]);
	source_ret->opaque = allocations;
	source_ret->each = allocations_each;
	source_ret->stack = allocations_stack;
	return allocations;
}
