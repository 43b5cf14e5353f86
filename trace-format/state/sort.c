/* SPDX-License-Identifier: MIT */
#include "trace-format/state/sort.h"

#include <string.h>

/* A merge sort from the bottom up: stable, so that of two items with one key the later stays later. */
static void sort_held(struct wt_held_item **items, size_t count, struct wt_held_item **room)
{
	for (size_t width = 1; width < count; width *= 2) {
		for (size_t start = 0; start < count; start += 2 * width) {
			size_t left = start, middle = start + width, right, end = start + 2 * width;

			middle = middle < count ? middle : count;
			end = end < count ? end : count;
			right = middle;
			for (size_t i = start; i < end; i++)
				room[i] = right >= end || (left < middle &&
							   wt_held_compare(&items[left],
									   &items[right]) <= 0)
						  ? items[left++]
						  : items[right++];
		}
		memcpy(items, room, count * sizeof(*items));
	}
}

/* So many types and kinds are told apart when items are sorted. */
#define GROUPS 32u

/* The items of one type and kind among those that are sorted. */
struct group {
	const struct wt_key *last; /* so far */
	size_t count, place;
	bool sorted;
	unsigned int next; /* group of the item that came after the last of these */
};

struct groups {
	struct group of[GROUPS];
	unsigned int count, now; /* group of the item before */
};

static bool is_in(const struct group *group, const struct wt_key *key)
{
	return group->last->type == key->type && group->last->kind == key->kind;
}

/* The group of a key, after that of the key before; NULL if there are too many. Objects come with what belongs to them, time and again. */
static struct group *groups_take_key(struct groups *groups, const struct wt_key *key)
{
	unsigned int found = groups->count ? groups->of[groups->now].next : 0;

	if (found >= groups->count || !is_in(&groups->of[found], key))
		for (found = 0; found < groups->count && !is_in(&groups->of[found], key);)
			found++;
	if (found == GROUPS)
		return NULL;
	if (found == groups->count)
		groups->of[groups->count++] = (struct group){.last = key, .sorted = true};
	groups->of[groups->now].next = found;
	groups->now = found;
	return &groups->of[found];
}

/* Count the items of each group, and see which are sorted already. False if there are too many groups. */
static bool find_groups(struct wt_held_item *const *items, size_t count, struct groups *groups)
{
	for (size_t i = 0; i < count; i++) {
		const struct wt_key *key = &items[i]->item.key;
		struct group *group = groups_take_key(groups, key);

		if (!group)
			return false;
		group->sorted &= !group->count || wt_key_compare(group->last, key) <= 0;
		group->last = key;
		group->count++;
	}
	return true;
}

static void place_groups(struct groups *groups)
{
	for (unsigned int i = 0; i < groups->count; i++) {
		struct group *group = &groups->of[i];

		for (unsigned int k = 0; k < groups->count; k++) {
			const struct wt_key *a = groups->of[k].last, *b = group->last;

			if (a->type < b->type || (a->type == b->type && a->kind < b->kind))
				group->place += groups->of[k].count;
		}
	}
}

void wt_held_sort(struct wt_held_item **items, size_t count, struct wt_held_item **room)
{
	struct groups groups = {0};

	if (!find_groups(items, count, &groups)) {
		sort_held(items, count, room);
		return;
	}
	place_groups(&groups);
	for (size_t i = 0; i < count; i++)
		room[groups_take_key(&groups, &items[i]->item.key)->place++] = items[i];
	memcpy(items, room, count * sizeof(*items));
	for (unsigned int i = 0; i < groups.count; i++) {
		struct group *group = &groups.of[i];

		if (!group->sorted)
			sort_held(items + group->place - group->count, group->count, room);
	}
}
