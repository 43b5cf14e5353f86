/* SPDX-License-Identifier: MIT */
#include "recorder/host/allocations.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "recorder/host/frames.h"
#include "recorder/host/regions.h"
#include "recorder/recording/journal-value.h"
#include "recorder/recording/question.h"

#define STACK_FRAMES 64u /* of one stack, with those of inlined functions */
#define POINTERS_ASKED 64u

/* ---- What counts ---- */

#define NEAR_MOST 65536u     /* addresses */
#define ARGUMENTS_MOST 1024u /* bytes of arguments of one kernel */
#define LOWEST_POINTER UINT64_C(0x10000)

static void near_add(uint64_t **list, size_t *count, uint64_t address)
{
	uint64_t *grown;

	if (*count == NEAR_MOST)
		return;
	/* Room is made for a power of two. */
	if (!(*count & (*count - 1))) {
		grown = reallocarray(*list, *count ? *count * 2 : 1, sizeof(*grown));
		if (!grown)
			return;
		*list = grown;
	}
	(*list)[(*count)++] = address;
}

/* Pointers in the arguments of a kernel: eight bytes each, as far as their page was taken. */
static void near_add_arguments(struct wt_recorder *recorder, const struct wt_state *state,
			       const struct wt_item *dispatch, uint64_t process,
			       struct wt_near *near)
{
	const struct wt_answer *answer = wt_item_answer(
		dispatch,
		wt_number_query(
			&recorder->numbers, WT_OBJECT_DISPATCH,
			wt_query_find(WT_OBJECT_DISPATCH,
				      AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS)));
	struct wt_key key = {.type = WT_ITEM_MEMORY,
			     .kind = wt_number_global(&recorder->numbers),
			     .owner = process};
	const struct wt_item *page;
	uint64_t address, offset;

	if (!answer || answer->status || answer->size != sizeof(address))
		return;
	address = wt_value_load(answer->value, sizeof(address), false);
	offset = address % WT_PAGE;
	key.address = address - offset;
	page = wt_state_get(state, &key);
	for (size_t i = 0; page && page->bytes && i < ARGUMENTS_MOST; i += sizeof(uint64_t)) {
		uint64_t value;

		if (offset + i + sizeof(value) > page->bytes->size)
			return;
		value = wt_value_load(page->bytes->data + offset + i, sizeof(value), false);
		if (value < LOWEST_POINTER || value >> 57)
			continue;
		near_add(&near->addresses, &near->count, value);
		near_add(&near->pointers, &near->pointer_count, value);
	}
}

static void near_find(struct wt_recorder *recorder, const struct wt_state *state, uint64_t process,
		      struct wt_near *near_ret)
{
	struct wt_near near = {.count = 0};
	const uint32_t global = wt_number_global(&recorder->numbers);
	const uint32_t dispatches = wt_key_object(recorder, WT_OBJECT_DISPATCH, 0).kind;

	for (size_t i = 0; state && i < wt_state_count(state); i++) {
		const struct wt_item *item = wt_state_at(state, i);

		if (item->key.type == WT_ITEM_MEMORY && item->key.kind == global)
			near_add(&near.addresses, &near.count, item->key.address);
		else if (item->key.type == WT_ITEM_OBJECT && item->key.kind == dispatches)
			near_add_arguments(recorder, state, item, process, &near);
	}
	if (near.count)
		qsort(near.addresses, near.count, sizeof(*near.addresses), wt_compare_u64);
	*near_ret = near;
}

/* ---- What a source gives ---- */

/* All of it, before it is known which of it is kept. */
struct candidates {
	struct candidate {
		struct wt_allocation allocation;
		uint64_t distance; /* from what counts; of those that are gone: how long ago */
	} * list;
	size_t count, capacity;
	bool no_memory;
};

static void candidate_take(void *context, const struct wt_allocation *allocation)
{
	struct candidates *candidates = context;

	if (candidates->count == candidates->capacity) {
		size_t wanted = candidates->capacity ? candidates->capacity * 2 : 256;
		struct candidate *grown =
			reallocarray(candidates->list, wanted, sizeof(*candidates->list));

		candidates->no_memory |= !grown;
		if (!grown)
			return;
		candidates->list = grown;
		candidates->capacity = wanted;
	}
	candidates->list[candidates->count++] = (struct candidate){.allocation = *allocation};
}

static uint64_t allocation_distance(const struct wt_near *near,
				    const struct wt_allocation *allocation)
{
	uint64_t distance = wt_near_distance(near, allocation->address, allocation->size), other;

	if (!allocation->host_address)
		return distance;
	other = wt_near_distance(near, allocation->host_address, allocation->size);
	return other < distance ? other : distance;
}

static int candidate_compare(const void *a, const void *b)
{
	const struct candidate *first = a, *second = b;

	if (first->distance != second->distance)
		return first->distance < second->distance ? -1 : 1;
	return wt_compare_u64(&first->allocation.address, &second->allocation.address);
}

/* ---- Names ---- */

struct naming {
	struct wt_gathering *gathering;
	const struct wt_allocation_source *source;
	uint64_t start_time;
	Dwfl *dwfl;
	/* Stacks that are in the host: the source's numbers, in order of the host's. */
	uint32_t *stacks;
	size_t stack_count;
};

/* A stack that cannot be named has its addresses all the same. */
static void stack_fill(struct naming *naming, struct wt_host_stack *stack,
		       const uint64_t *addresses, size_t count)
{
	stack->frames = calloc(STACK_FRAMES, sizeof(*stack->frames));
	naming->gathering->no_memory |= !stack->frames;
	for (size_t i = 0; stack->frames && i < count && stack->frame_count + 1 < STACK_FRAMES;
	     i++) {
		stack->frame_count += wt_frames_describe(
			naming->gathering, naming->dwfl, addresses[i], true,
			i ? addresses[i - 1] : 0, &stack->frames[stack->frame_count],
			STACK_FRAMES - stack->frame_count);
	}
}

static uint32_t stack_number(struct naming *naming, uint32_t stack)
{
	struct wt_host_stack *added;
	const uint64_t *addresses;
	uint32_t *grown;
	size_t count;

	if (!stack || !naming->dwfl)
		return 0;
	for (size_t i = 0; i < naming->stack_count; i++)
		if (naming->stacks[i] == stack)
			return (uint32_t)i + 1;
	count = naming->source->stack(naming->source->opaque, stack, &addresses);
	if (!count || wt_gathering_is_over(naming->gathering))
		return 0;
	grown = reallocarray(naming->stacks, naming->stack_count + 1, sizeof(*grown));
	naming->stacks = grown ? grown : naming->stacks;
	added = grown ? WT_HOST_ADD(naming->gathering->host, stacks) : NULL;
	naming->gathering->no_memory |= !added;
	if (!added)
		return 0;
	stack_fill(naming, added, addresses, count);
	grown[naming->stack_count++] = stack;
	return (uint32_t)naming->stack_count;
}

static struct wt_host_allocating name_call(struct naming *naming,
					   const struct wt_allocation_call *call)
{
	return (struct wt_host_allocating){
		.function = wt_gathering_text(naming->gathering,
					      call->function ? call->function : "", SIZE_MAX),
		.time = call->function ? (int64_t)(call->time - naming->start_time) : 0,
		.thread = call->thread,
		.stack = stack_number(naming, call->stack),
	};
}

static void add_named(struct naming *naming, const struct wt_allocation *allocation)
{
	struct wt_gathering *gathering = naming->gathering;
	struct wt_host_allocation *added = WT_HOST_ADD(gathering->host, allocations);

	gathering->no_memory |= !added;
	if (!added)
		return;
	added->address = allocation->address;
	added->size = allocation->size;
	if (allocation->host_address != allocation->address)
		added->host_address = allocation->host_address;
	added->kind = (uint32_t)allocation->kind;
	added->closed = allocation->closed;
	added->agent = wt_gathering_text(gathering, allocation->agent, SIZE_MAX);
	added->made = name_call(naming, &allocation->made);
	added->freed = name_call(naming, &allocation->freed);
}

/* ---- Which ones ---- */

static bool candidate_is_gone(const struct candidate *candidate)
{
	return candidate->allocation.freed.function != NULL;
}

/* Keep the ones with the smallest distances of all that are there, or of all that are gone. */
static void keep_nearest(struct naming *naming, struct candidates *all, bool gone, size_t most)
{
	size_t kept = 0;

	for (size_t i = 0; i < all->count && kept < most; i++)
		if (candidate_is_gone(&all->list[i]) == gone) {
			add_named(naming, &all->list[i].allocation);
			kept++;
		}
}

static bool candidates_have(const struct candidates *candidates,
			    const struct wt_allocation *allocation)
{
	for (size_t i = 0; i < candidates->count; i++)
		if (!candidate_is_gone(&candidates->list[i]) &&
		    allocation->address >= candidates->list[i].allocation.address &&
		    allocation->address - candidates->list[i].allocation.address <
			    candidates->list[i].allocation.size)
			return true;
	return false;
}

/* The runtime knows more than was kept, as its own memory. */
static void add_asked(struct candidates *all, const struct wt_allocation_source *source,
		      const struct wt_near *near)
{
	struct candidates asked = {.count = 0};
	size_t count = near->pointer_count < POINTERS_ASKED ? near->pointer_count : POINTERS_ASKED;

	if (count)
		source->ask(source->opaque, near->pointers, count, candidate_take, &asked);
	for (size_t i = 0; i < asked.count; i++)
		if (!candidates_have(all, &asked.list[i].allocation))
			candidate_take(all, &asked.list[i].allocation);
	all->no_memory |= asked.no_memory;
	free(asked.list);
}

static void source_gather(struct wt_gathering *gathering, const struct wt_allocation_source *source,
			  const struct wt_near *near, uint64_t start_time)
{
	struct naming naming = {
		.gathering = gathering,
		.source = source,
		.start_time = start_time,
		.dwfl = wt_frames_open((pid_t)gathering->process),
	};
	struct candidates all = {.count = 0};

	gathering->host->allocations_known = source->each(source->opaque, candidate_take, &all);
	gathering->host->memory_closed = source->closed(source->opaque);
	add_asked(&all, source, near);
	for (size_t i = 0; i < all.count; i++)
		all.list[i].distance = candidate_is_gone(&all.list[i])
					       ? UINT64_MAX - all.list[i].allocation.freed.time
					       : allocation_distance(near, &all.list[i].allocation);
	if (all.count)
		qsort(all.list, all.count, sizeof(*all.list), candidate_compare);
	keep_nearest(&naming, &all, false, WT_ALLOCATIONS_KEPT);
	keep_nearest(&naming, &all, true, WT_ALLOCATIONS_FREED);
	gathering->no_memory |= all.no_memory;
	free(naming.stacks);
	free(all.list);
	dwfl_end(naming.dwfl);
}

void wt_gather_allocations(struct wt_recorder *recorder, struct wt_gathering *gathering,
			   uint64_t process, const struct wt_state *state)
{
	struct wt_near near;

	near_find(recorder, state, process, &near);
	if (recorder->allocations)
		source_gather(gathering, recorder->allocations, &near, recorder->start_time);
	wt_gather_regions(gathering, &near, recorder->start_time);
	free(near.addresses);
	free(near.pointers);
}
