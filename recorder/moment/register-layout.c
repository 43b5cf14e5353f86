/* SPDX-License-Identifier: MIT */
#include "recorder/moment/register-layout.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/moment/facts.h"

/* Waves of one dispatch are alike. Of a program that has more kinds at once, the one not used for longest is found again. */
#define KEPT 16u
/* Bytes of registers that are kept from one stop to the next, for the one after it. */
#define POOL_BYTES (8u << 20)
#define POOL_PART 16u /* of all memory that the recorder may take */

static bool is_taken(const struct wt_register_fact *fact, enum wt_extent extent)
{
	return extent == WT_REGISTERS_EVERY ||
	       (fact->wanted && (extent == WT_REGISTERS_WANTED || fact->plain));
}

static bool register_set_is_of(const struct wt_register_set *set, const struct wt_item *item,
			       size_t facts, unsigned int variant)
{
	const struct wt_handle_list *list = set->list;
	size_t count = item ? item->handle_count : 0;

	return set->variant == variant && set->facts == facts && list->count == count &&
	       (!count || list->handles == item->handles ||
		!memcmp(list->handles, item->handles, count * sizeof(*list->handles)));
}

/* The one that is kept for these registers, out of its row; NULL: there is none, and there is room for one more. */
static struct wt_register_set *take_kept(struct wt_register_set **link, const struct wt_item *item,
					 size_t facts, unsigned int variant)
{
	struct wt_register_set *set;

	for (size_t kept = 1; (set = *link); link = &set->next, kept++) {
		bool found = register_set_is_of(set, item, facts, variant);

		if (!found && kept < KEPT)
			continue;
		*link = set->next;
		if (found)
			return set;
		wt_register_set_destroy(set);
		break;
	}
	return NULL;
}

/* @size: of the structure that begins with it, whose other bytes are 0. */
static void *create_set(size_t size, const struct wt_item *item, size_t facts, unsigned int variant)
{
	struct wt_handle_list *list =
		item ? wt_handle_list_reference(wt_held_of(item)->list) : NULL;
	struct wt_register_set *set = calloc(1, size);

	if (!list)
		list = wt_handle_list_create(item ? item->handles : NULL,
					     item ? item->handle_count : 0);
	if (!list || !set) {
		wt_handle_list_release(list);
		free(set);
		return NULL;
	}
	*set = (struct wt_register_set){.list = list, .facts = facts, .variant = variant};
	return set;
}

static void put_first(struct wt_register_set **first, struct wt_register_set *set)
{
	set->next = *first;
	*first = set;
}

/* ---- Plans ---- */

static size_t pool_bytes(const struct wt_recorder *recorder)
{
	const uint64_t most = recorder->options.max_memory / POOL_PART;

	return most && most < POOL_BYTES ? (size_t)most : POOL_BYTES;
}

static struct wt_register_plan *plan_create(struct wt_recorder *recorder,
					    const struct wt_item *list, enum wt_extent extent)
{
	struct wt_register_plan *plan =
		create_set(sizeof(*plan) + list->handle_count * sizeof(*plan->sizes), list,
			   recorder->session.register_count, extent);
	struct wt_handle_list *taken =
		plan ? wt_handle_list_create(list->handles, list->handle_count) : NULL;

	if (!taken) {
		if (plan)
			wt_register_set_destroy(&plan->of);
		return NULL;
	}
	plan->of.taken = taken;
	taken->count = 0;
	for (size_t i = 0; i < list->handle_count; i++) {
		const struct wt_register_fact *fact =
			wt_facts_register(&recorder->session, list->handles[i]);

		if (!fact || !is_taken(fact, extent))
			continue;
		taken->handles[taken->count] = list->handles[i];
		plan->sizes[taken->count++] = fact->size;
		plan->bytes += fact->size;
	}
	if (!recorder->session.plans)
		recorder->session.pool_left = pool_bytes(recorder);
	plan->of.pool = wt_bytes_pool_create(plan->bytes, &recorder->session.pool_left);
	if (plan->of.pool)
		return plan;
	wt_register_set_destroy(&plan->of);
	return NULL;
}

const struct wt_register_plan *wt_register_plan_find(struct wt_recorder *recorder,
						     const struct wt_item *list,
						     enum wt_extent extent)
{
	struct wt_session *session = &recorder->session;
	struct wt_register_plan *plan =
		(void *)take_kept(&session->plans, list, session->register_count, extent);

	if (!plan)
		plan = plan_create(recorder, list, extent);
	if (plan)
		put_first(&session->plans, &plan->of);
	return plan;
}

/* ---- Layouts ---- */

/* "s12" gives 12; false for other names and for numbers that are too high. */
bool wt_register_numbered(const char *name, char prefix, uint32_t limit, uint32_t *number_ret)
{
	char *end;
	unsigned long number;

	if (name[0] != prefix || name[1] < '0' || name[1] > '9')
		return false;
	number = strtoul(name + 1, &end, 10);
	if (*end || number >= limit)
		return false;
	*number_ret = (uint32_t)number;
	return true;
}

/* Names are not unique: the first is the real one, a later one its shadow. */
static void place(uint32_t *offsets, uint32_t number, uint32_t offset, uint32_t *end)
{
	if (offsets[number] != UINT32_MAX)
		return;
	offsets[number] = offset;
	if (number >= *end)
		*end = number + 1;
}

static void place_registers(struct wt_recorder *recorder, struct wt_register_layout *layout)
{
	uint32_t offset = 0, number;

	memset(layout->sgprs, 0xff, sizeof(layout->sgprs));
	memset(layout->vgprs, 0xff, sizeof(layout->vgprs));
	for (size_t i = 0; i < layout->of.list->count; i++) {
		const struct wt_register_fact *fact =
			wt_facts_register(&recorder->session, layout->of.list->handles[i]);

		if (!fact)
			return;
		if (wt_register_numbered(fact->name, 's', GFX_MAX_SGPRS, &number) &&
		    fact->size == 4)
			place(layout->sgprs, number, offset, &layout->sgpr_end);
		if (wt_register_numbered(fact->name, 'v', GFX_MAX_VGPRS, &number) &&
		    fact->size == 4 * layout->of.variant)
			place(layout->vgprs, number, offset, &layout->vgpr_end);
		offset += fact->size;
	}
}

const struct wt_register_layout *wt_register_layout_find(struct wt_recorder *recorder,
							 const struct wt_item *registers,
							 uint32_t lane_count)
{
	struct wt_session *session = &recorder->session;
	struct wt_register_layout *layout = (void *)take_kept(&session->layouts, registers,
							      session->register_count, lane_count);

	if (!layout) {
		layout =
			create_set(sizeof(*layout), registers, session->register_count, lane_count);
		if (layout)
			place_registers(recorder, layout);
	}
	if (layout)
		put_first(&session->layouts, &layout->of);
	return layout;
}
