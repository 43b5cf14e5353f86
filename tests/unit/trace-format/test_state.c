/* SPDX-License-Identifier: MIT */
/* The state store, against a plain list. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "base/cleanup.h"
#include "trace-format/state/held.h"
#include "trace-format/state/state.h"

#define KEYS 3000u /* more than are moved up at once where one is removed */

static struct wt_key key_of(uint32_t n)
{
	return (struct wt_key){.type = (enum wt_item_type)(1 + n % 3),
			       .kind = n % 5,
			       .owner = n % 7,
			       .address = n};
}

static void set(struct wt_state *state, uint32_t n, uint64_t value)
{
	struct wt_item item = {.key = key_of(n), .handles = &value, .handle_count = 1};

	assert_null(wt_state_set(state, &item));
}

/* Does a state hold exactly @values (0: nothing there), in order? */
static void matches(const struct wt_state *state, const uint64_t *values)
{
	size_t count = 0;

	for (uint32_t n = 0; n < KEYS; n++) {
		struct wt_key key = key_of(n);
		const struct wt_item *item = wt_state_get(state, &key);

		assert_int_equal(item != NULL, values[n] != 0);
		if (!item)
			continue;
		count++;
		assert_int_equal(item->handle_count, 1);
		assert_int_equal(item->handles[0], values[n]);
		assert_ptr_equal(wt_state_at(state, wt_state_lower_bound(state, &key)), item);
	}
	assert_int_equal(wt_state_count(state), count);
	for (size_t i = 1; i < count; i++)
		assert_true(wt_key_compare(&wt_state_at(state, i - 1)->key,
					   &wt_state_at(state, i)->key) < 0);
	assert_null(wt_state_at(state, count));
}

static void random_changes(void **unused)
{
	struct wt_state *state = wt_state_create(), *copy = NULL;
	uint64_t values[KEYS] = {0}, copied[KEYS];
	unsigned int seed = 3;

	(void)unused;
	assert_non_null(state);
	for (unsigned int round = 1; round < 20000; round++) {
		uint32_t n = (uint32_t)rand_r(&seed) % KEYS;
		int what = rand_r(&seed) % 100;
		struct wt_key key = key_of(n);

		if (what < 70) {
			set(state, n, round);
			values[n] = round;
		} else if (what < 95) {
			wt_state_remove(state, &key);
			values[n] = 0;
		} else if (what < 97) {
			matches(state, values);
		} else if (!copy) {
			copy = wt_state_copy(state);
			memcpy(copied, values, sizeof(copied));
		} else {
			matches(copy, copied);
			wt_state_destroy(copy);
			copy = NULL;
		}
	}
	matches(state, values);
	wt_state_destroy(copy);
	wt_state_destroy(state);
}

static void what_is_shared_lives_as_long_as_its_last_owner(void **unused)
{
	struct wt_state *state = wt_state_create(), *shared;
	uint64_t values[KEYS] = {7};

	(void)unused;
	assert_non_null(state);
	set(state, 0, 7);
	shared = wt_state_share(wt_state_share(state));
	assert_ptr_equal(shared, state);
	wt_state_destroy(state);
	matches(shared, values);
	wt_state_destroy(shared);
	matches(shared, values);
	wt_state_destroy(shared);
}

/* What came late to a state may be that something is gone: that is an item of its own. */
static void an_item_that_says_removed_is_one(void **unused)
{
	struct wt_state *state = wt_state_create();

	(void)unused;
	assert_non_null(state);
	for (uint32_t n = KEYS; n-- > 0;) {
		struct wt_item item = {.key = key_of(n), .removed = true};

		assert_null(wt_state_set(state, &item));
		assert_true(wt_state_get(state, &item.key)->removed);
	}
	assert_int_equal(wt_state_count(state), KEYS);
	wt_state_destroy(state);
}

static void filled_in_any_order(void **unused)
{
	(void)unused;
	for (uint32_t step = 1; step < KEYS; step += 37) {
		struct wt_state *state = wt_state_create();
		uint64_t values[KEYS] = {0};

		assert_non_null(state);
		for (uint32_t i = 0; i < 2 * KEYS; i++) {
			uint32_t n = i * step % KEYS;

			set(state, n, i + 1);
			values[n] = i + 1;
		}
		matches(state, values);
		wt_state_destroy(state);
	}
}

static void items_are_deep_copies_that_share_bytes(void **unused)
{
	uint8_t value[] = {1, 2, 3};
	struct wt_answer answers[] = {{.query = 4, .status = -1, .value = value, .size = 3},
				      {.query = 5}};
	uint64_t numbers[] = {8, 9};
	struct wt_bytes *bytes = wt_bytes_create("content", 7);
	struct wt_item item = {.key = key_of(1),
			       .answers = answers,
			       .answer_count = 2,
			       .numbers = numbers,
			       .number_count = 2,
			       .bytes = bytes};
	struct wt_state *state = wt_state_create(), *copy;
	const struct wt_item *held;

	(void)unused;
	assert_non_null(state);
	assert_null(wt_state_set(state, &item));
	copy = wt_state_copy(state);
	wt_state_destroy(state);
	assert_int_equal(bytes->references, 2);
	value[0] = 77;
	numbers[0] = 77;
	held = wt_state_at(copy, 0);
	assert_int_equal(held->answers[0].value[0], 1);
	assert_int_equal(held->numbers[0], 8);
	assert_ptr_equal(held->bytes, bytes);
	assert_ptr_equal(wt_item_answer(held, 5), &held->answers[1]);
	assert_null(wt_item_answer(held, 6));
	wt_state_destroy(copy);
	assert_int_equal(bytes->references, 1);
	wt_bytes_release(bytes);
}

static void items_may_have_one_list(void **unused)
{
	const uint64_t handles[] = {3, 1, 4};
	struct wt_handle_list *list = wt_handle_list_create(handles, 3);
	struct wt_state *state = wt_state_create(), *copy;
	const struct wt_item *items[2], *own;
	struct wt_held_item *clone;
	const uint64_t *shared;
	struct wt_key key;

	(void)unused;
	for (uint32_t n = 0; n < 2; n++)
		assert_null(wt_state_put_of(state, &(struct wt_item){.key = key_of(n)}, list,
					    &items[n]));
	assert_ptr_equal(items[0]->handles, items[1]->handles);
	copy = wt_state_copy(state);
	clone = wt_held_item_clone(wt_held_of(items[1]));
	wt_handle_list_release(list);
	wt_state_destroy(state);
	key = key_of(1);
	items[1] = wt_state_get(copy, &key);
	assert_non_null(items[1]);
	assert_int_equal(items[1]->handle_count, 3);
	assert_memory_equal(items[1]->handles, handles, sizeof(handles));
	assert_true(wt_item_equal(&clone->item, items[1]));
	wt_held_item_release(clone);
	/* A deep copy has the handles by itself. */
	shared = items[1]->handles;
	assert_null(wt_state_put(copy, items[1], &own));
	assert_ptr_not_equal(own->handles, shared);
	assert_memory_equal(own->handles, handles, sizeof(handles));
	key = key_of(0);
	assert_ptr_equal(wt_state_get(copy, &key)->handles, shared);
	wt_state_destroy(copy);
}

static void bytes_come_back_from_a_pool(void **unused)
{
	enum { SIZE = 100, KEPT = 2, TAKEN = 4 };
	const size_t each = sizeof(struct wt_bytes) + SIZE;
	size_t left = KEPT * each + each / 2;
	struct wt_bytes_pool *pool = wt_bytes_pool_create(SIZE, &left), *other;
	struct wt_bytes *taken[TAKEN], *again[KEPT];

	(void)unused;
	for (int i = 0; i < TAKEN; i++) {
		taken[i] = wt_bytes_pool_take(pool);
		assert_int_equal(taken[i]->size, SIZE);
		memset(taken[i]->data, i, SIZE);
		for (int j = 0; j < i; j++)
			assert_ptr_not_equal(taken[i], taken[j]);
	}
	taken[3]->size = 7;
	wt_bytes_reference(taken[2]);
	wt_bytes_release(taken[2]);
	for (int i = TAKEN; i-- > 0;)
		wt_bytes_release(taken[i]);
	/* Those that came back first were kept, and are as long as they were. */
	for (int i = 0; i < KEPT; i++) {
		again[i] = wt_bytes_pool_take(pool);
		assert_true(again[i] == taken[2] || again[i] == taken[3]);
		assert_int_equal(again[i]->size, SIZE);
		assert_int_equal(again[i]->references, 1);
	}
	assert_ptr_not_equal(again[0], again[1]);
	wt_bytes_release(again[0]);
	assert_int_equal(left, each + each / 2);
	/* One that shares what is left with it. */
	other = wt_bytes_pool_create(SIZE, &left);
	for (int i = 0; i < TAKEN; i++)
		taken[i] = wt_bytes_pool_take(other);
	for (int i = 0; i < TAKEN; i++)
		wt_bytes_release(taken[i]);
	assert_int_equal(left, each / 2);
	wt_bytes_pool_destroy(pool);
	wt_bytes_pool_destroy(other);
	assert_int_equal(left, KEPT * each + each / 2);
	memset(again[1]->data, 0xff, SIZE);
	wt_bytes_release(again[1]);
	assert_int_equal(left, KEPT * each + each / 2);
	/* One that keeps none. */
	left = 0;
	pool = wt_bytes_pool_create(SIZE, &left);
	again[0] = wt_bytes_pool_take(pool);
	again[1] = wt_bytes_pool_take(pool);
	wt_bytes_release(again[1]);
	wt_bytes_pool_destroy(pool);
	wt_bytes_release(again[0]);
	assert_int_equal(left, 0);
	wt_bytes_pool_destroy(NULL);
}

static void every_part_counts_for_equality(void **unused)
{
	uint64_t words[] = {1, 2};
	struct wt_answer answer = {.query = 1, .value = (const uint8_t *)"a", .size = 1};
	struct wt_answer other = {.query = 1, .value = (const uint8_t *)"b", .size = 1};
	struct wt_bytes *bytes = wt_bytes_create("x", 1), *same = wt_bytes_create("x", 1);
	struct wt_bytes *changed = wt_bytes_create("y", 1), *none = wt_bytes_create(NULL, 0);
	struct wt_item a = {.key = key_of(1),
			    .status = 2,
			    .answers = &answer,
			    .answer_count = 1,
			    .handles = words,
			    .handle_count = 2,
			    .numbers = words,
			    .number_count = 1,
			    .bytes = bytes};
	struct wt_item b = a;

	(void)unused;
	assert_true(wt_item_equal(&a, &b));
	b.bytes = same;
	assert_true(wt_item_equal(&a, &b));
	b.bytes = changed;
	assert_false(wt_item_equal(&a, &b));
	b.bytes = NULL;
	assert_false(wt_item_equal(&a, &b));
	b = a;
	b.status = 3;
	assert_false(wt_item_equal(&a, &b));
	b = a;
	b.answers = &other;
	assert_false(wt_item_equal(&a, &b));
	b = a;
	b.handle_count = 1;
	assert_false(wt_item_equal(&a, &b));
	b = a;
	b.number_count = 2;
	assert_false(wt_item_equal(&a, &b));
	b = a;
	b.key.address++;
	assert_false(wt_item_equal(&a, &b));
	a.bytes = none;
	b = a;
	b.bytes = NULL;
	assert_true(wt_item_equal(&a, &b));
	wt_bytes_release(bytes);
	wt_bytes_release(same);
	wt_bytes_release(changed);
	wt_bytes_release(none);
}

static void nothing_is_legal(void **unused)
{
	struct wt_state *state = wt_state_create();
	struct wt_key key = key_of(0);

	(void)unused;
	wt_state_destroy(NULL);
	wt_bytes_release(NULL);
	assert_null(wt_bytes_reference(NULL));
	assert_null(wt_bytes_create(NULL, SIZE_MAX));
	assert_int_equal(wt_state_count(state), 0);
	assert_null(wt_state_get(state, &key));
	wt_state_remove(state, &key);
	wt_state_destroy(state);
}

/* What is looked for near a place is found wherever it is, and the place follows. */
static void near_is_as_good_as_anywhere(void **unused)
{
	struct wt_state *state = wt_state_create();
	size_t place = 12345;
	struct wt_key key;

	(void)unused;
	for (uint32_t n = 0; n < KEYS; n += 2)
		set(state, n, n + 1);
	for (uint32_t n = 0; n < 4 * KEYS; n++) {
		uint32_t wanted = n * 7 % KEYS;

		key = key_of(wanted);
		for (int again = 0; again < 2; again++)
			assert_ptr_equal(wt_state_get_near(state, &key, &place),
					 wt_state_get(state, &key));
		if (!(wanted % 2))
			assert_ptr_equal(wt_state_at(state, place), wt_state_get(state, &key));
	}
	/* The place may be that of another item by now, or of none. */
	key = key_of(4);
	assert_non_null(wt_state_get_near(state, &key, &place));
	wt_state_remove(state, &key);
	assert_null(wt_state_get_near(state, &key, &place));
	wt_state_destroy(state);
}

/* Does a state say the same of some keys as one that was merged, without a position and by a range? */
static void same_without_order(const struct wt_state *state, const struct wt_state *merged,
			       unsigned int *seed)
{
	size_t place = 0;

	for (int i = 0; i < 200; i++) {
		struct wt_key key = key_of((uint32_t)rand_r(seed) % KEYS);

		assert_ptr_equal(wt_state_get(state, &key), wt_state_get(merged, &key));
		assert_ptr_equal(wt_state_get_near(state, &key, &place),
				 wt_state_get(merged, &key));
	}
}

static void same_range(const struct wt_state *state, const struct wt_state *merged,
		       unsigned int *seed)
{
	struct wt_key from = key_of((uint32_t)rand_r(seed) % KEYS);
	struct wt_key end = key_of((uint32_t)rand_r(seed) % KEYS);
	size_t first, behind;
	struct wt_state_range range;

	/* Now and then of one kind, which is in one of the two alone. */
	if (rand_r(seed) % 2) {
		end = from;
		end.address += (uint64_t)rand_r(seed) % KEYS;
	}
	range = wt_state_range(state, &from, &end);
	first = wt_state_lower_bound(merged, &from);
	behind = wt_state_lower_bound(merged, &end);
	assert_int_equal(range.count, behind > first ? behind - first : 0);
	for (size_t i = 0; i < range.count; i++)
		assert_ptr_equal(range.items[i], wt_state_held_at(merged, first + i));
}

static void same_in_order(const struct wt_state *state, const struct wt_state *merged)
{
	size_t count = wt_state_count(merged);

	assert_int_equal(wt_state_count(state), count);
	for (size_t i = 0; i < count; i++)
		assert_ptr_equal(wt_state_at(state, i), wt_state_at(merged, i));
}

/* A long state and a short one above it, which has some of its keys. Return: the values of both. */
static void make_layers(struct wt_state *under, struct wt_state *over, uint64_t *values,
			unsigned int *seed)
{
	uint32_t few = (uint32_t)rand_r(seed) % 3;

	for (uint32_t n = 0; n < KEYS; n++) {
		values[n] = few && (uint32_t)rand_r(seed) % few == 0 ? n + 1 : 0;
		if (values[n])
			set(under, n, values[n]);
	}
	for (uint32_t i = (uint32_t)rand_r(seed) % 50; i > 0; i--) {
		uint32_t n = (uint32_t)rand_r(seed) % KEYS;

		set(over, n, values[n] = KEYS + i);
	}
}

/* Who changes the laid state changes that alone. */
static void change_laid(struct wt_state *laid, struct wt_state *merged, unsigned int *seed)
{
	uint32_t n = (uint32_t)rand_r(seed) % KEYS;
	const struct wt_item *item;
	struct wt_key key = key_of(n);
	uint64_t value = 3 * KEYS;
	struct wt_item changed = {.key = key, .handles = &value, .handle_count = 1};

	/* What others have, too, is not the state's own. */
	if (wt_state_get(laid, &key))
		assert_null(wt_state_own(laid, &key));
	if (rand_r(seed) % 2) {
		wt_state_remove(laid, &key);
		wt_state_remove(merged, &key);
		return;
	}
	assert_null(wt_state_put(laid, &changed, &item));
	assert_ptr_equal(wt_state_get(laid, &key), item);
	assert_null(wt_state_hold(merged, wt_state_held(laid, &key)));
}

static void what_is_laid_is_as_merged(void **unused)
{
	unsigned int seed = 5;

	(void)unused;
	for (int round = 0; round < 60; round++) {
		struct wt_state *under = wt_state_create(), *over = wt_state_create();
		struct wt_state *laid, *merged, *copy;
		uint64_t values[KEYS];

		make_layers(under, over, values, &seed);
		laid = wt_state_lay(under, over);
		merged = wt_state_merge(under, over);
		wt_state_destroy(over);
		same_without_order(laid, merged, &seed);
		for (int i = rand_r(&seed) % 6; i > 0; i--)
			same_range(laid, merged, &seed);
		same_without_order(laid, merged, &seed);
		if (rand_r(&seed) % 2)
			same_in_order(laid, merged);
		/* It lives as long as who is above it. */
		if (rand_r(&seed) % 2)
			wt_state_destroy(wt_take(under));
		copy = wt_state_lay(laid, merged);
		same_without_order(copy, merged, &seed);
		change_laid(copy, merged, &seed);
		same_in_order(copy, merged);
		matches(laid, values);
		wt_state_destroy(laid);
		wt_state_destroy(copy);
		wt_state_destroy(merged);
		wt_state_destroy(under);
	}
}

/* Of all keys of a type. */
static bool share_type(const struct wt_state *a, const struct wt_state *b, uint32_t type)
{
	const struct wt_key from = {.type = (enum wt_item_type)type},
			    end = {.type = (enum wt_item_type)(type + 1)};

	return wt_state_shares(a, b, &from, &end);
}

/* One that is built on another, and laid over the same: what did not change is shared. */
static void what_did_not_change_is_shared(void **unused)
{
	struct wt_state *under = wt_state_create(), *over = wt_state_create();
	struct wt_state *before, *after, *apart;
	struct wt_key changed, removed = key_of(10);

	(void)unused;
	for (uint32_t n = 0; n < 60; n++)
		set(n % 4 ? over : under, n, n + 1);
	before = wt_state_lay(under, over);
	for (uint32_t n = 1; n < 60; n += 3) {
		changed = key_of(n);
		set(over, n, 100 + n);
		after = wt_state_lay(under, over);
		assert_true(share_type(before, after, changed.type % 3 + 1));
		assert_true(share_type(before, after, (changed.type + 1) % 3 + 1));
		assert_false(share_type(before, after, changed.type));
		wt_state_destroy(before);
		before = after;
	}
	/* What comes, or goes, and what is below. */
	set(over, 60, 1);
	after = wt_state_lay(under, over);
	assert_false(share_type(before, after, key_of(60).type));
	wt_state_remove(over, &removed);
	apart = wt_state_lay(under, over);
	assert_false(share_type(after, apart, removed.type));
	assert_true(share_type(after, apart, key_of(60).type));
	wt_state_destroy(after);
	after = wt_state_merge(under, over);
	for (uint32_t type = 1; type < 4; type++) {
		assert_true(share_type(after, after, type));
		assert_false(share_type(after, apart, type));
	}
	wt_state_destroy(apart);
	wt_state_destroy(after);
	wt_state_destroy(before);
	wt_state_destroy(over);
	wt_state_destroy(under);
}

/* Any change of either ends it, and so does a state of its own with the same items. */
static void a_state_knows_its_source(void **unused)
{
	struct wt_state *state = wt_state_create(), *source = wt_state_create(), *copy;
	struct wt_key key = key_of(1), missing = key_of(2);

	(void)unused;
	assert_false(wt_state_has_source(state, source));
	set(source, 1, 5);
	wt_state_set_source(state, source);
	assert_true(wt_state_has_source(state, source));
	assert_false(wt_state_has_source(source, state));
	wt_state_remove(source, &missing);
	assert_true(wt_state_has_source(state, source));
	copy = wt_state_copy(source);
	assert_false(wt_state_has_source(state, copy));
	set(source, 1, 5);
	assert_false(wt_state_has_source(state, source));
	wt_state_set_source(state, source);
	wt_state_remove(source, &key);
	assert_false(wt_state_has_source(state, source));
	wt_state_set_source(state, source);
	set(state, 3, 1);
	assert_false(wt_state_has_source(state, source));
	wt_state_set_source(state, source);
	wt_state_set_source(state, copy);
	assert_false(wt_state_has_source(state, source));
	wt_state_destroy(copy);
	wt_state_destroy(source);
	/* What is made where the source was is not the source. */
	source = wt_state_create();
	wt_state_set_source(source, source);
	assert_false(wt_state_has_source(state, source));
	wt_state_destroy(source);
	wt_state_destroy(state);
}

/* More kinds than are told apart, or few, each in order or against it, some of them twice. */
static void kinds_come_between_each_other(void **unused)
{
	(void)unused;
	for (uint32_t kinds = 1; kinds < 50; kinds += 6) {
		struct wt_state *state = wt_state_create();

		assert_non_null(state);
		for (uint32_t i = 0; i < 300; i++) {
			uint64_t value = i;
			const struct wt_item item = {
				.key = {.type = WT_ITEM_OBJECT,
					.kind = i % kinds,
					.owner = (i % kinds % 2 ? 300 - i : i) / 2},
				.handles = &value,
				.handle_count = 1,
			};

			assert_null(wt_state_set(state, &item));
		}
		for (size_t i = 0; i < wt_state_count(state); i++) {
			const struct wt_item *item = wt_state_at(state, i);
			uint32_t kind = item->key.kind, last = 0;

			assert_true(!i || wt_key_compare(&wt_state_at(state, i - 1)->key,
							 &item->key) < 0);
			for (uint32_t k = kind; k < 300; k += kinds)
				if ((kind % 2 ? 300 - k : k) / 2 == item->key.owner)
					last = k;
			assert_int_equal(item->handles[0], last);
		}
		wt_state_destroy(state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_changes),
		cmocka_unit_test(filled_in_any_order),
		cmocka_unit_test(kinds_come_between_each_other),
		cmocka_unit_test(what_is_shared_lives_as_long_as_its_last_owner),
		cmocka_unit_test(an_item_that_says_removed_is_one),
		cmocka_unit_test(items_are_deep_copies_that_share_bytes),
		cmocka_unit_test(items_may_have_one_list),
		cmocka_unit_test(bytes_come_back_from_a_pool),
		cmocka_unit_test(every_part_counts_for_equality),
		cmocka_unit_test(nothing_is_legal),
		cmocka_unit_test(near_is_as_good_as_anywhere),
		cmocka_unit_test(what_is_laid_is_as_merged),
		cmocka_unit_test(what_did_not_change_is_shared),
		cmocka_unit_test(a_state_knows_its_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
