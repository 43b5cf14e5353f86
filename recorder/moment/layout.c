/* SPDX-License-Identifier: MIT */
#include "recorder/moment/layout.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/moment/facts.h"

/* Waves of one dispatch are alike. Of a program that has more kinds at once, the one not used for longest is found again. */
#define KEPT 16u

static bool is_taken(const struct wt_register_fact *fact, enum wt_extent extent)
{
	return extent == WT_REGISTERS_EVERY ||
	       (fact->wanted && (extent == WT_REGISTERS_WANTED || fact->plain));
}

static bool same_handles(const uint64_t *kept, size_t count, const struct wt_item *item)
{
	size_t wanted = item ? item->handle_count : 0;

	return count == wanted && (!count || !memcmp(kept, item->handles, count * sizeof(*kept)));
}

static uint64_t *copy_handles(const struct wt_item *item)
{
	size_t count = item ? item->handle_count : 0;
	uint64_t *copy = malloc((count + 1) * sizeof(*copy));

	if (copy && count)
		memcpy(copy, item->handles, count * sizeof(*copy));
	return copy;
}

/* ---- Plans ---- */

static struct wt_register_plan *plan_create(struct wt_recorder *recorder,
					    const struct wt_item *list, enum wt_extent extent)
{
	struct wt_register_plan *plan = calloc(1, sizeof(*plan));

	if (!plan)
		return NULL;
	plan->extent = extent;
	plan->facts = recorder->session.register_count;
	plan->list_count = list->handle_count;
	plan->list = copy_handles(list);
	plan->handles = calloc(list->handle_count + 1, sizeof(*plan->handles));
	plan->sizes = calloc(list->handle_count + 1, sizeof(*plan->sizes));
	if (!plan->list || !plan->handles || !plan->sizes) {
		wt_register_plan_destroy(plan);
		return NULL;
	}
	for (size_t i = 0; i < list->handle_count; i++) {
		const struct wt_register_fact *fact =
			wt_facts_register(&recorder->session, list->handles[i]);

		if (!fact || !is_taken(fact, extent))
			continue;
		plan->handles[plan->count] = list->handles[i];
		plan->sizes[plan->count++] = fact->size;
		plan->bytes += fact->size;
	}
	return plan;
}

const struct wt_register_plan *wt_register_plan_find(struct wt_recorder *recorder,
						     const struct wt_item *list,
						     enum wt_extent extent)
{
	struct wt_session *session = &recorder->session;
	struct wt_register_plan **link = &session->plans, *plan;

	for (size_t kept = 0; (plan = *link); link = &plan->next, kept++) {
		if (plan->extent == extent && plan->facts == session->register_count &&
		    same_handles(plan->list, plan->list_count, list)) {
			*link = plan->next;
			break;
		}
		if (kept + 1 == KEPT) {
			*link = plan->next;
			wt_register_plan_destroy(plan);
			plan = NULL;
			break;
		}
	}
	if (!plan)
		plan = plan_create(recorder, list, extent);
	if (!plan)
		return NULL;
	plan->next = session->plans;
	session->plans = plan;
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

static void place_registers(struct wt_recorder *recorder, struct wt_register_layout *layout)
{
	uint32_t offset = 0, number;

	memset(layout->sgprs, 0xff, sizeof(layout->sgprs));
	memset(layout->vgprs, 0xff, sizeof(layout->vgprs));
	for (size_t i = 0; i < layout->count; i++) {
		const struct wt_register_fact *fact =
			wt_facts_register(&recorder->session, layout->handles[i]);

		if (!fact)
			return;
		/* Names are not unique: the first is the real one, a later one its shadow. */
		if (wt_register_numbered(fact->name, 's', GFX_MAX_SGPRS, &number) &&
		    fact->size == 4 && layout->sgprs[number] == UINT32_MAX)
			layout->sgprs[number] = offset;
		if (wt_register_numbered(fact->name, 'v', GFX_MAX_VGPRS, &number) &&
		    fact->size == 4 * layout->lane_count && layout->vgprs[number] == UINT32_MAX)
			layout->vgprs[number] = offset;
		offset += fact->size;
	}
}

static struct wt_register_layout *
layout_create(struct wt_recorder *recorder, const struct wt_item *registers, uint32_t lane_count)
{
	struct wt_register_layout *layout = calloc(1, sizeof(*layout));

	if (!layout)
		return NULL;
	layout->handles = copy_handles(registers);
	if (!layout->handles) {
		free(layout);
		return NULL;
	}
	layout->count = registers ? registers->handle_count : 0;
	layout->facts = recorder->session.register_count;
	layout->lane_count = lane_count;
	place_registers(recorder, layout);
	return layout;
}

const struct wt_register_layout *wt_register_layout_find(struct wt_recorder *recorder,
							 const struct wt_item *registers,
							 uint32_t lane_count)
{
	struct wt_session *session = &recorder->session;
	struct wt_register_layout **link = &session->layouts, *layout;

	for (size_t kept = 0; (layout = *link); link = &layout->next, kept++) {
		if (layout->lane_count == lane_count && layout->facts == session->register_count &&
		    same_handles(layout->handles, layout->count, registers)) {
			*link = layout->next;
			break;
		}
		if (kept + 1 == KEPT) {
			*link = layout->next;
			wt_register_layout_destroy(layout);
			layout = NULL;
			break;
		}
	}
	if (!layout)
		layout = layout_create(recorder, registers, lane_count);
	if (!layout)
		return NULL;
	layout->next = session->layouts;
	session->layouts = layout;
	return layout;
}
