/* SPDX-License-Identifier: MIT */
/* Allocations that are kept, and the callers that made them. */
#include <execinfo.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "tool/held-memory.h"

/* The runtime of a sanitizer stands between the C library and what that calls, and has no unwind tables of its own. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

static struct wt_allocation_source source;

struct seen {
	size_t there, gone, leaks;
	struct wt_allocation last_there, last_gone;
};

static void see(void *context, const struct wt_allocation *allocation)
{
	struct seen *seen = context;

	if (allocation->freed.function) {
		seen->gone++;
		seen->last_gone = *allocation;
	} else {
		seen->there++;
		seen->last_there = *allocation;
	}
}

static struct seen look(struct wt_allocations *allocations, bool *whole_ret)
{
	struct seen seen = {.there = 0};

	assert_ptr_equal(source.opaque, allocations);
	*whole_ret = source.each(source.opaque, see, &seen);
	return seen;
}

static struct wt_held held(uint64_t key, uint64_t size)
{
	return (struct wt_held){.key = key,
				.address = key,
				.size = size,
				.function = "allocate",
				.as = WT_HELD_MEMORY,
				.kind = WT_ALLOCATION_DEVICE};
}

static struct wt_allocations *create(void)
{
	struct wt_allocations *allocations = wt_allocations_begin(NULL, &source);

	assert_non_null(allocations);
	return allocations;
}

static void test_kept_until_freed(void **state)
{
	struct wt_allocations *allocations = create();
	struct wt_held was;
	struct seen seen;
	bool whole;

	(void)state;
	wt_allocations_add(allocations, held(0x1000, 64), NULL);
	wt_allocations_add(allocations, held(0x2000, 128), NULL);
	seen = look(allocations, &whole);
	assert_true(whole);
	assert_int_equal(seen.there, 2);
	assert_int_equal(seen.gone, 0);
	assert_true(wt_allocations_remove(allocations, WT_HELD_MEMORY, 0x1000, "free", NULL, &was));
	assert_false(
		wt_allocations_remove(allocations, WT_HELD_MEMORY, 0x1000, "free", NULL, &was));
	assert_false(
		wt_allocations_remove(allocations, WT_HELD_PINNED, 0x2000, "free", NULL, &was));
	seen = look(allocations, &whole);
	assert_int_equal(seen.there, 1);
	assert_int_equal(seen.last_there.address, 0x2000);
	assert_int_equal(seen.gone, 1);
	assert_int_equal(seen.last_gone.address, 0x1000);
	assert_string_equal(seen.last_gone.freed.function, "free");
	assert_true(seen.last_gone.freed.time >= seen.last_gone.made.time);
	assert_true(seen.last_gone.made.thread);
}

static void test_a_free_that_failed(void **state)
{
	struct wt_allocations *allocations = create();
	struct wt_held was;
	struct seen seen;
	bool whole;

	(void)state;
	wt_allocations_add(allocations, held(0x1000, 64), NULL);
	assert_true(wt_allocations_remove(allocations, WT_HELD_MEMORY, 0x1000, "free", NULL, &was));
	wt_allocations_add(allocations, was, NULL);
	seen = look(allocations, &whole);
	assert_int_equal(seen.there, 1);
	assert_int_equal(seen.gone, 0);
}

/* Given back in a way that nobody has noted, and handed out again. */
static void test_the_same_address_again(void **state)
{
	struct wt_allocations *allocations = create();
	struct seen seen;
	bool whole;

	(void)state;
	wt_allocations_add(allocations, held(0x1000, 64), NULL);
	wt_allocations_add(allocations, held(0x1000, 4096), NULL);
	seen = look(allocations, &whole);
	assert_int_equal(seen.there, 1);
	assert_int_equal(seen.last_there.size, 4096);
}

static void test_more_than_there_is_room_for(void **state)
{
	struct wt_allocations *allocations = create();
	struct wt_held was;
	struct seen seen;
	bool whole;

	(void)state;
	for (uint64_t i = 1; i <= 200000; i++)
		wt_allocations_add(allocations, held(i << 12, 64), NULL);
	seen = look(allocations, &whole);
	assert_false(whole);
	assert_in_range(seen.there, 60000, 65536);
	for (uint64_t i = 1; i <= 200000; i++)
		wt_allocations_remove(allocations, WT_HELD_MEMORY, i << 12, "free", NULL, &was);
	seen = look(allocations, &whole);
	assert_int_equal(seen.there, 0);
	assert_in_range(seen.gone, 4000, 4096);
	/* Begun anew all is known again. */
	assert_ptr_equal(wt_allocations_begin(allocations, &source), allocations);
	wt_allocations_add(allocations, held(0x1000, 64), NULL);
	seen = look(allocations, &whole);
	assert_true(whole);
	assert_int_equal(seen.there, 1);
}

static void test_access_is_given(void **state)
{
	struct wt_allocations *allocations = create();
	struct wt_held mapped = held(0x10000, 0x2000);
	struct seen seen;
	bool whole;

	(void)state;
	mapped.closed = true;
	wt_allocations_add(allocations, mapped, NULL);
	wt_allocations_open(allocations, 0x20000, 0x1000);
	seen = look(allocations, &whole);
	assert_true(seen.last_there.closed);
	/* In the middle of one, and beyond. */
	wt_allocations_open(allocations, 0x11000, 0x8000);
	seen = look(allocations, &whole);
	assert_false(seen.last_there.closed);
}

/* ---- Threads ---- */

#define THREADS 4u
#define ROUNDS 20000u

static void *allocate_and_free(void *opaque)
{
	struct wt_allocations *allocations = opaque;
	uint64_t base = (uint64_t)(uintptr_t)&base;
	struct wt_held was;

	for (uint64_t i = 0; i < ROUNDS; i++) {
		wt_allocations_add(allocations, held(base + i % 100 * 64, 64),
				   __builtin_frame_address(0));
		if (!wt_allocations_remove(allocations, WT_HELD_MEMORY, base + i % 100 * 64, "free",
					   __builtin_frame_address(0), &was))
			return opaque;
	}
	return NULL;
}

static void test_many_threads(void **state)
{
	struct wt_allocations *allocations = create();
	pthread_t threads[THREADS];
	struct seen seen;
	bool whole;

	(void)state;
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, allocate_and_free, allocations),
				 0);
	for (size_t i = 0; i < 20; i++)
		look(allocations, &whole);
	for (size_t i = 0; i < THREADS; i++) {
		void *failed;

		pthread_join(threads[i], &failed);
		assert_null(failed);
	}
	seen = look(allocations, &whole);
	assert_true(whole);
	assert_int_equal(seen.there, 0);
}

/* ---- Stacks ---- */

static struct wt_call_stacks *stacks;

/* A call whose result goes through here is a call with every compiler: none can leave its function by a jump to what it calls. */
static inline uint32_t called(uint32_t number)
{
	__asm__ volatile("" : "+r"(number));
	return number;
}

/* This function stands for the runtime in a program. */
__attribute__((noinline)) static uint32_t noting(void)
{
	return called(wt_call_stack_number(stacks, __builtin_frame_address(0)));
}

__attribute__((noinline)) static uint32_t inner(void)
{
	return called(noting());
}

__attribute__((noinline)) static uint32_t outer(void)
{
	return called(inner());
}

/* Its frame has not the same size each time. */
__attribute__((noinline)) static uint32_t varying(size_t size)
{
	volatile char *room = __builtin_alloca(size);
	uint32_t number;

	room[0] = room[size - 1] = 1;
	number = called(inner());
	__asm__ volatile("" ::"r"(room));
	return number;
}

static void test_stacks_have_numbers(void **state)
{
	uint32_t first = 0, second = 0;

	/* The compiler is to make one call of each: a round of its own is another place to return to. */
	(void)state;
	stacks = calloc(1, sizeof(*stacks));
	assert_non_null(stacks);
	for (volatile int i = 0; i < 3; i++) {
		uint32_t a = outer(), b = inner();

		if (!i) {
			first = a;
			second = b;
		}
		assert_int_equal(a, first);
		assert_int_equal(b, second);
	}
	assert_int_not_equal(first, 0);
	assert_int_not_equal(first, second);
	/* The innermost call is the same; the one in outer() is there but once. */
	assert_int_equal(wt_call_stack_get(stacks, first)->frames[0],
			 wt_call_stack_get(stacks, second)->frames[0]);
	assert_int_equal(wt_call_stack_get(stacks, first)->count,
			 wt_call_stack_get(stacks, second)->count + 1);
	assert_null(wt_call_stack_get(stacks, 0));
	free(stacks);
}

static void test_a_frame_that_varies(void **state)
{
	static const size_t sizes[] = {64, 4096, 64, 256, 100000, 64, 4096};
	uint32_t number = 0;

	(void)state;
	stacks = calloc(1, sizeof(*stacks));
	assert_non_null(stacks);
	for (volatile size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		volatile size_t size = sizes[i];
		const struct wt_call_stack *stack;

		number = varying(size);
		stack = wt_call_stack_get(stacks, number);
		assert_non_null(stack);
		/* From main() on all frames are the same, whatever the size. */
		assert_int_equal(number, 1);
		assert_in_range(stack->count, 4, WT_CALL_STACK_FRAMES);
	}
	free(stacks);
}

/* Our frames are those of the unwinder, which is asked here; through code of the C library, too. */
static size_t compared;

__attribute__((noinline)) static int compare_stacks(const void *a, const void *b)
{
	const struct wt_call_stack *stack;
	void *expected[2 * WT_CALL_STACK_FRAMES];
	int count, first = 0;

	(void)a;
	(void)b;
	stack = wt_call_stack_get(stacks, noting());
	count = backtrace(expected, 2 * WT_CALL_STACK_FRAMES);
	/* The innermost is another place of this very function. */
	for (uint32_t i = 1; i < stack->count; i++, first++) {
		assert_in_range(first + 1, 1, count - 1);
		assert_int_equal(stack->frames[i], (uint64_t)(uintptr_t)expected[first + 1]);
	}
	assert_int_equal(first + 1, count);
	compared++;
	return 0;
}

static void test_stacks_are_those_of_the_unwinder(void **state)
{
	int numbers[] = {1, 2, 3, 4, 5};

	(void)state;
	if (SANITIZED)
		skip();
	stacks = calloc(1, sizeof(*stacks));
	assert_non_null(stacks);
	qsort(numbers, 5, sizeof(*numbers), compare_stacks);
	assert_in_range(compared, 4, 20);
	free(stacks);
}

__attribute__((noinline)) static uint32_t deep(int left)
{
	return called(left ? deep(left - 1) : inner());
}

static void test_deep_stacks_are_cut(void **state)
{
	(void)state;
	stacks = calloc(1, sizeof(*stacks));
	assert_non_null(stacks);
	for (volatile int i = 0; i < 3; i++)
		assert_int_equal(wt_call_stack_get(stacks, deep(100))->count, WT_CALL_STACK_FRAMES);
	free(stacks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept_until_freed),
		cmocka_unit_test(test_a_free_that_failed),
		cmocka_unit_test(test_the_same_address_again),
		cmocka_unit_test(test_more_than_there_is_room_for),
		cmocka_unit_test(test_access_is_given),
		cmocka_unit_test(test_many_threads),
		cmocka_unit_test(test_stacks_have_numbers),
		cmocka_unit_test(test_a_frame_that_varies),
		cmocka_unit_test(test_stacks_are_those_of_the_unwinder),
		cmocka_unit_test(test_deep_stacks_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
