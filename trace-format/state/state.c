/* SPDX-License-Identifier: MIT */
#include "trace-format/state/state.h"

#include <stdlib.h>
#include <string.h>

#include "trace-format/state/held.h"

/* So many items behind one that goes are moved up at once. */
#define NEAR 1024u

/*
 * Three runs, one behind the other: a sorted one, a short sorted one of what came later, and items as they came.
 * These are sorted into the short run when somebody asks for a key, and all are one run when somebody asks for the
 * order: filling a state in any order costs one sort, and who asks and changes in turn pays for the short run alone.
 * In the later runs one that is `gone` says that its key is.
 */
struct wt_state {
	size_t shared; /* how many more have it */
	struct wt_held_item **items;
	size_t sorted, recent, count, capacity; /* where the runs end, and the array */
	/*
	 * A shared state below the runs, which nobody changes: it has the items of the keys that they do not have. There is room
	 * for its items, so that it can be made part of the run when somebody asks for the order. NULL: there is none.
	 */
	struct wt_state *under;
	/* Empty bytes that stand for these contents, NULL until they are needed; and those of another state. */
	struct wt_bytes *mark, *source;
};

/* ---- The order of items ---- */

/* The order of the items in two places: that of their keys. */
static int held_compare(struct wt_held_item *const *a, struct wt_held_item *const *b)
{
	return wt_key_compare(&(*a)->item.key, &(*b)->item.key);
}

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
							   held_compare(&items[left],
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

/*
 * Sort items as they come, stable: of two with one key the later stays later. Those of a kind are mostly in order already, with
 * those of other kinds between them. There is @room for as many more.
 */
static void held_sort(struct wt_held_item **items, size_t count, struct wt_held_item **room)
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

/* ---- The runs ---- */

struct wt_state *wt_state_create(void)
{
	return calloc(1, sizeof(struct wt_state));
}

/* Keeps the last of sorted items that have one key. Return: how many are left. */
static size_t drop_older(struct wt_held_item **items, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept && !held_compare(&items[kept - 1], &items[i]))
			wt_held_item_release(items[--kept]);
		items[kept++] = items[i];
	}
	return kept;
}

/* The first position from @low on and before @high whose key is not below @key. */
static size_t bound(struct wt_held_item *const *items, size_t low, size_t high,
		    const struct wt_key *key)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (wt_key_compare(&items[middle]->item.key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A run of @count items, and behind it one of @more that came later. */
struct runs {
	struct wt_held_item **items;
	size_t count, more;
	bool lowest; /* there is nothing below: what is gone need not be told any more */
};

/*
 * The later item of each key that both have takes the place of the other one, or makes it NULL; those of other keys
 * go to @room. Return: how many went there.
 */
static size_t replace_older(const struct runs *runs, struct wt_held_item **room)
{
	size_t kept = 0, at = 0;

	for (size_t i = runs->count; i < runs->count + runs->more; i++) {
		struct wt_held_item *held = runs->items[i];
		bool gone = runs->lowest && held->gone;

		/* They mostly go to one place. */
		if (at < runs->count && held_compare(&runs->items[at], &held) < 0)
			at = bound(runs->items, at, runs->count, &held->item.key);
		if (at < runs->count && !held_compare(&runs->items[at], &held)) {
			wt_held_item_release(runs->items[at]);
			runs->items[at++] = gone ? NULL : held;
		} else if (!gone) {
			room[kept++] = held;
		}
		if (gone)
			wt_held_item_release(held);
	}
	return kept;
}

static size_t drop_gone(struct wt_held_item **items, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (items[i])
			items[kept++] = items[i];
	return kept;
}

/* Make one of two runs: what is moved is compared with nothing. Return: how many are left. */
static size_t merge_runs(const struct runs *runs, struct wt_held_item **room)
{
	struct wt_held_item **items = runs->items;
	size_t more = replace_older(runs, room), left = drop_gone(items, runs->count);
	size_t count = left + more;

	while (more--) {
		size_t position = left;

		if (left && held_compare(&items[left - 1], &room[more]) > 0)
			position = bound(items, 0, left, &room[more]->item.key);
		memmove(&items[position + more + 1], &items[position],
			(left - position) * sizeof(*items));
		items[position + more] = room[more];
		left = position;
	}
	return count;
}

/* Make one run of what is from @from on: two that are sorted, of which the first ends at @end. */
static void merge_from(struct wt_state *state, size_t from, size_t end)
{
	struct runs runs = {state->items + from, end - from, state->count - end, !from};

	state->count = from + merge_runs(&runs, state->items + state->capacity);
	state->recent = state->count;
	if (!from)
		state->sorted = state->count;
}

/* Sort in what came, so that keys are found. The short run is merged when merging costs no more than it has cost. */
static void settle_recent(const struct wt_state *constant)
{
	struct wt_state *state = (struct wt_state *)(uintptr_t)constant;
	struct wt_held_item **came;
	size_t recent;

	if (state->recent == state->count)
		return;
	came = state->items + state->recent;
	held_sort(came, state->count - state->recent, state->items + state->capacity);
	state->count = state->recent + drop_older(came, state->count - state->recent);
	merge_from(state, state->sorted, state->recent);
	recent = state->recent - state->sorted;
	if (recent * recent > state->sorted)
		merge_from(state, 0, state->sorted);
}

/* Make the runs one. */
static void settle_runs(const struct wt_state *constant)
{
	struct wt_state *state = (struct wt_state *)(uintptr_t)constant;

	settle_recent(state);
	if (state->sorted < state->count)
		merge_from(state, 0, state->sorted);
}

/* A run of items that somebody has, and one that goes above it. */
struct layers {
	struct wt_held_item *const *under, *const *over;
	size_t under_count, over_count;
};

/* Make one run of both, which has references of its own. Return: how many there are. */
static size_t merge_layers(const struct layers *layers, struct wt_held_item **merged)
{
	size_t a = 0, b = 0, count = 0;

	while (a < layers->under_count || b < layers->over_count) {
		int order = a == layers->under_count ? 1
			    : b == layers->over_count
				    ? -1
				    : held_compare(&layers->under[a], &layers->over[b]);
		struct wt_held_item *next = order < 0 ? layers->under[a] : layers->over[b];

		merged[count++] = wt_held_item_reference(next);
		a += order <= 0;
		b += order >= 0;
	}
	return count;
}

/* Make what is below part of the run. */
static void take_under(struct wt_state *state)
{
	struct wt_held_item **room = state->items + state->capacity;
	const struct layers layers = {state->under->items, state->items, state->under->count,
				      state->count};
	size_t count = merge_layers(&layers, room);

	for (size_t i = 0; i < state->count; i++)
		wt_held_item_release(state->items[i]);
	memcpy(state->items, room, count * sizeof(*room));
	state->sorted = state->recent = state->count = count;
	wt_state_destroy(state->under);
	state->under = NULL;
}

/* Make it one run. */
static void state_settle(const struct wt_state *constant)
{
	settle_runs(constant);
	if (constant->under)
		take_under((struct wt_state *)(uintptr_t)constant);
}

struct wt_state *wt_state_share(struct wt_state *state)
{
	state->shared++;
	return state;
}

/* An empty state with room for so many items; NULL if there is no memory. */
static struct wt_state *create_for(size_t capacity)
{
	struct wt_state *state = wt_state_create();

	if (!state || !capacity)
		return state;
	state->items = reallocarray(NULL, 2 * capacity, sizeof(struct wt_held_item *));
	if (!state->items) {
		free(state);
		return NULL;
	}
	state->capacity = capacity;
	return state;
}

struct wt_state *wt_state_copy(const struct wt_state *state)
{
	struct wt_state *copy;

	state_settle(state);
	copy = create_for(state->count);
	if (!copy)
		return NULL;
	copy->sorted = copy->recent = copy->count = state->count;
	for (size_t i = 0; i < state->count; i++)
		copy->items[i] = wt_held_item_reference(state->items[i]);
	return copy;
}

struct wt_state *wt_state_merge(const struct wt_state *under, const struct wt_state *over)
{
	struct wt_state *merged;

	state_settle(under);
	state_settle(over);
	merged = create_for(under->count + over->count);
	if (!merged)
		return NULL;
	merged->count =
		merge_layers(&(struct layers){under->items, over->items, under->count, over->count},
			     merged->items);
	merged->sorted = merged->recent = merged->count;
	return merged;
}

struct wt_state *wt_state_lay(struct wt_state *under, const struct wt_state *over)
{
	struct wt_state *laid;

	state_settle(under);
	state_settle(over);
	laid = create_for(under->count + over->count);
	if (!laid)
		return NULL;
	laid->under = under->count ? wt_state_share(under) : NULL;
	laid->sorted = laid->recent = laid->count = over->count;
	for (size_t i = 0; i < over->count; i++)
		laid->items[i] = wt_held_item_reference(over->items[i]);
	return laid;
}

/* The contents change. */
static void drop_mark(struct wt_state *state)
{
	wt_bytes_release(state->mark);
	wt_bytes_release(state->source);
	state->mark = state->source = NULL;
}

void wt_state_set_source(struct wt_state *state, const struct wt_state *source)
{
	struct wt_state *marked = (struct wt_state *)(uintptr_t)source;

	if (!marked->mark)
		marked->mark = wt_bytes_create(NULL, 0);
	wt_bytes_reference(marked->mark);
	wt_bytes_release(state->source);
	state->source = marked->mark;
}

bool wt_state_has_source(const struct wt_state *state, const struct wt_state *source)
{
	return state->source && state->source == source->mark;
}

void wt_state_destroy(struct wt_state *state)
{
	if (!state || state->shared) {
		if (state)
			state->shared--;
		return;
	}
	for (size_t i = 0; i < state->count; i++)
		wt_held_item_release(state->items[i]);
	drop_mark(state);
	wt_state_destroy(state->under);
	free(state->items);
	free(state);
}

/* The array is twice its capacity: the upper half is where it is sorted, so that looking cannot fail. */
static bool state_grow(struct wt_state *state)
{
	size_t capacity = state->capacity ? state->capacity * 2 : 16;
	struct wt_held_item **items;

	if (state->count < state->capacity)
		return true;
	items = reallocarray(state->items, capacity, 2 * sizeof(struct wt_held_item *));
	if (!items)
		return false;
	state->items = items;
	state->capacity = capacity;
	return true;
}

/* The position of @key in the runs that are sorted, or SIZE_MAX. */
static size_t state_find_position(const struct wt_state *state, const struct wt_key *key)
{
	struct wt_held_item *const *items = state->items;
	size_t position = bound(items, state->sorted, state->recent, key);

	if (position < state->recent && !wt_key_compare(&items[position]->item.key, key))
		return items[position]->gone ? SIZE_MAX : position;
	position = bound(items, 0, state->sorted, key);
	if (position < state->sorted && !wt_key_compare(&items[position]->item.key, key))
		return position;
	return SIZE_MAX;
}

/* The states below are not changed. */
static void prepare_change(struct wt_state *state)
{
	if (state->under)
		state_settle(state);
}

struct wt_error *wt_state_hold(struct wt_state *state, struct wt_held_item *held)
{
	const struct wt_key *key = &held->item.key;
	bool settled, last;
	size_t position;

	prepare_change(state);
	settled = state->sorted == state->count;
	last = !state->count || wt_key_compare(&state->items[state->count - 1]->item.key, key) < 0;
	drop_mark(state);
	if (settled && !last) {
		position = state_find_position(state, key);
		if (position != SIZE_MAX) {
			wt_held_item_reference(held);
			wt_held_item_release(state->items[position]);
			state->items[position] = held;
			return NULL;
		}
	}
	if (!state_grow(state))
		return &wt_error_no_memory;
	state->items[state->count++] = wt_held_item_reference(held);
	if (settled && last)
		state->sorted = state->recent = state->count;
	return NULL;
}

struct wt_error *wt_state_put(struct wt_state *state, const struct wt_item *item,
			      const struct wt_item **copy_ret)
{
	return wt_state_put_of(state, item, NULL, copy_ret);
}

struct wt_error *wt_state_put_of(struct wt_state *state, const struct wt_item *item,
				 struct wt_handle_list *list, const struct wt_item **copy_ret)
{
	struct wt_held_item *held = wt_held_item_create_of(item, list);
	struct wt_error *error = held ? wt_state_hold(state, held) : &wt_error_no_memory;

	if (!error)
		*copy_ret = &held->item;
	wt_held_item_release(held);
	return error;
}

struct wt_error *wt_state_set(struct wt_state *state, const struct wt_item *item)
{
	const struct wt_item *copy;

	return wt_state_put(state, item, &copy);
}

struct wt_error *wt_state_set_all(struct wt_state *state, const struct wt_state *more)
{
	struct wt_error *error = NULL;

	state_settle(more);
	for (size_t i = 0; i < more->count && !error; i++)
		error = wt_state_hold(state, more->items[i]);
	return error;
}

/* Take an item out of a state that is one run. */
static void cut_out(struct wt_state *state, size_t position)
{
	wt_held_item_release(state->items[position]);
	memmove(&state->items[position], &state->items[position + 1],
		(state->count - position - 1) * sizeof(*state->items));
	state->sorted = state->recent = --state->count;
}

/* Add that a key is gone; false if there is no memory. */
static bool add_removal(struct wt_state *state, const struct wt_key *key)
{
	struct wt_held_item *held = wt_held_item_create(&(struct wt_item){.key = *key});

	if (!held || !state_grow(state)) {
		wt_held_item_release(held);
		return false;
	}
	held->gone = true;
	state->items[state->count++] = held;
	return true;
}

void wt_state_remove(struct wt_state *state, const struct wt_key *key)
{
	size_t position;
	bool near;

	prepare_change(state);
	settle_recent(state);
	position = state_find_position(state, key);
	if (position == SIZE_MAX)
		return;
	drop_mark(state);
	near = state->sorted == state->count && state->count - position <= NEAR;
	if (!near && add_removal(state, key))
		return;
	state_settle(state);
	cut_out(state, state_find_position(state, key));
}

struct wt_held_item *wt_state_held(const struct wt_state *state, const struct wt_key *key)
{
	size_t position;

	settle_recent(state);
	position = state_find_position(state, key);
	if (position != SIZE_MAX)
		return state->items[position];
	return state->under ? wt_state_held(state->under, key) : NULL;
}

const struct wt_item *wt_state_get(const struct wt_state *state, const struct wt_key *key)
{
	const struct wt_held_item *held = wt_state_held(state, key);

	return held ? &held->item : NULL;
}

struct wt_held_item *wt_state_own(struct wt_state *state, const struct wt_key *key)
{
	struct wt_held_item *held;

	prepare_change(state);
	held = wt_state_held(state, key);
	if (!held || held->references > 1)
		return NULL;
	drop_mark(state);
	return held;
}

static inline bool is_at(const struct wt_state *state, size_t position, const struct wt_key *key)
{
	return position < state->count && wt_key_equal(&state->items[position]->item.key, key);
}

/* Finds what wt_state_held_near() did not find at that very place. */
__attribute__((noinline)) static struct wt_held_item *
held_beside(const struct wt_state *state, const struct wt_key *key, size_t *place)
{
	size_t position = *place;

	if (state->sorted < state->count)
		settle_runs(state);
	if (!is_at(state, position, key))
		position = is_at(state, position + 1, key) ? position + 1
			   : position && is_at(state, position - 1, key)
				   ? position - 1
				   : state_find_position(state, key);
	if (position == SIZE_MAX)
		return state->under ? wt_state_held_near(state->under, key, place) : NULL;
	*place = position;
	return state->items[position];
}

struct wt_held_item *wt_state_held_near(const struct wt_state *state, const struct wt_key *key,
					size_t *place)
{
	if (state->sorted >= state->count && is_at(state, *place, key))
		return state->items[*place];
	return held_beside(state, key, place);
}

const struct wt_item *wt_state_get_near(const struct wt_state *state, const struct wt_key *key,
					size_t *place)
{
	const struct wt_held_item *held = wt_state_held_near(state, key, place);

	return held ? &held->item : NULL;
}

size_t wt_state_count(const struct wt_state *state)
{
	state_settle(state);
	return state->count;
}

struct wt_held_item *wt_state_held_at(const struct wt_state *state, size_t position)
{
	state_settle(state);
	return position < state->count ? state->items[position] : NULL;
}

const struct wt_item *wt_state_at(const struct wt_state *state, size_t position)
{
	struct wt_held_item *held = wt_state_held_at(state, position);

	return held ? &held->item : NULL;
}

size_t wt_state_lower_bound(const struct wt_state *state, const struct wt_key *key)
{
	state_settle(state);
	return bound(state->items, 0, state->count, key);
}

/*
 * Does what bound() does, if the place is mostly soon behind @low: objects of a kind are a few, and most kinds have
 * none.
 */
static size_t bound_near(struct wt_held_item *const *items, size_t low, size_t high,
			 const struct wt_key *key)
{
	for (size_t step = 1; step < high - low; step *= 2) {
		if (wt_key_compare(&items[low + step - 1]->item.key, key) >= 0)
			return bound(items, low, low + step - 1, key);
		low += step;
	}
	return bound(items, low, high, key);
}

/* The range of the keys from one on and before another one. */
static struct wt_state_range range_in(const struct wt_state *state, const struct wt_key *from,
				      const struct wt_key *end)
{
	size_t first = bound(state->items, 0, state->count, from);

	if (!state->count)
		return (struct wt_state_range){0};
	return (struct wt_state_range){state->items + first,
				       bound_near(state->items, first, state->count, end) - first};
}

struct wt_state_range wt_state_range(const struct wt_state *state, const struct wt_key *from,
				     const struct wt_key *end)
{
	struct wt_state_range range, below;

	settle_runs(state);
	range = range_in(state, from, end);
	if (!state->under)
		return range;
	below = range_in(state->under, from, end);
	if (!below.count)
		return range;
	if (!range.count)
		return below;
	state_settle(state);
	return range_in(state, from, end);
}

bool wt_state_shares(const struct wt_state *a, const struct wt_state *b, const struct wt_key *from,
		     const struct wt_key *end)
{
	struct wt_state_range in_a, in_b;

	settle_runs(a);
	settle_runs(b);
	in_a = range_in(a, from, end);
	in_b = range_in(b, from, end);
	return a->under == b->under && in_a.count == in_b.count &&
	       (!in_a.count || !memcmp(in_a.items, in_b.items, in_a.count * sizeof(*in_a.items)));
}
