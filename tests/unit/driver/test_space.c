/* SPDX-License-Identifier: MIT */
/* Memory that the driver hands out: handles, addresses, what an agent may see, and giving back. */
#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/memory/space.h"

#define AT UINT64_C(0x7f0000000000)

struct fixture {
	struct wt_store store;
	struct wt_space space;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	assert_null(wt_store_init(&fixture->store, "memory"));
	wt_space_init(&fixture->space, getpid(), &fixture->store);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	wt_space_deinit(&fixture->space);
	assert_int_equal(fixture->store.vram + fixture->store.gtt, 0);
	/* All of it is one gap again. */
	assert_int_equal(fixture->store.count, 1);
	wt_store_deinit(&fixture->store);
	free(fixture);
	return 0;
}

static uint64_t allocate(struct wt_space *space, enum wt_kind kind, uint64_t address, uint64_t size)
{
	struct wt_allocation allocation = {.kind = kind, .address = address, .size = size};
	uint64_t handle;

	assert_int_equal(wt_space_allocate(space, &allocation, &handle), 0);
	assert_true(handle);
	return handle;
}

static void what_is_mapped_is_found(void **state)
{
	struct wt_space *space = &((struct fixture *)*state)->space;
	uint64_t handle = allocate(space, WT_KIND_GTT, AT, 2 * WT_PAGE), size;
	struct wt_allocation *allocation = wt_space_find(space, handle);
	const struct wt_allocation *found;

	assert_null(wt_space_at(space, 0, AT, &size));
	assert_int_equal(wt_space_map(space, allocation, 1 << 0), 0);
	found = wt_space_at(space, 0, AT + 5, &size);
	assert_ptr_equal(found, allocation);
	assert_int_equal(size, 2 * WT_PAGE - 5);
	assert_null(wt_space_at(space, 1, AT, &size));
	assert_null(wt_space_at(space, 0, AT - 1, &size));
	assert_null(wt_space_at(space, 0, AT + 2 * WT_PAGE, &size));
	memset(wt_space_data(space, found, AT), 0x5a, 2 * WT_PAGE);
	assert_int_equal(wt_space_unmap(space, allocation, 1 << 0), 0);
	assert_null(wt_space_at(space, 0, AT, &size));
}

static void freed_memory_is_zero_when_it_comes_again(void **state)
{
	struct wt_space *space = &((struct fixture *)*state)->space;
	uint64_t handle = allocate(space, WT_KIND_VRAM, AT, WT_PAGE), offset;
	struct wt_allocation *allocation = wt_space_find(space, handle);

	offset = allocation->offset;
	memset(wt_space_data(space, allocation, AT), 0xff, WT_PAGE);
	assert_int_equal(wt_space_free(space, handle), 0);
	assert_null(wt_space_find(space, handle));
	assert_int_equal(wt_space_free(space, handle), -EINVAL);
	handle = allocate(space, WT_KIND_VRAM, AT, WT_PAGE);
	allocation = wt_space_find(space, handle);
	assert_int_equal(allocation->offset, offset);
	assert_int_equal(*wt_space_data(space, allocation, AT), 0);
}

static void wrong_allocations_are_refused(void **state)
{
	struct wt_space *space = &((struct fixture *)*state)->space;
	const struct wt_allocation wrong[] = {
		{.kind = WT_KIND_GTT, .address = AT, .size = 0},
		{.kind = WT_KIND_GTT, .address = AT, .size = 100},
		{.kind = WT_KIND_GTT, .address = AT + 1, .size = WT_PAGE},
		{.kind = WT_KIND_GTT, .address = UINT64_MAX - WT_PAGE + 1, .size = 2 * WT_PAGE},
		{.kind = WT_KIND_VRAM, .address = AT, .size = WT_VRAM_BYTES + WT_PAGE},
		{.kind = WT_KIND_GTT, .address = AT, .size = UINT64_MAX - WT_PAGE + 1},
	};
	uint64_t handle = 77;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct wt_allocation allocation = wrong[i];

		assert_true(wt_space_allocate(space, &allocation, &handle) < 0);
		assert_int_equal(handle, 77);
	}
	assert_null(wt_space_find(space, 0));
	assert_null(wt_space_find(space, 1));
	assert_null(wt_space_find(space, UINT64_MAX));
}

static void two_cannot_be_at_one_address(void **state)
{
	struct wt_space *space = &((struct fixture *)*state)->space;
	const struct {
		uint64_t address, pages;
		int expected;
	} second[] = {
		{AT - 2 * WT_PAGE, 2, 0},
		{AT - WT_PAGE, 2, -EINVAL},
		{AT, 1, -EINVAL},
		{AT + WT_PAGE, 1, -EINVAL},
		{AT + 3 * WT_PAGE, 1, -EINVAL},
		{AT + 4 * WT_PAGE, 1, 0},
		{AT - WT_PAGE, 9, -EINVAL},
	};
	uint64_t handle = allocate(space, WT_KIND_GTT, AT, 4 * WT_PAGE), other;

	assert_int_equal(wt_space_map(space, wt_space_find(space, handle), 1), 0);
	for (size_t i = 0; i < sizeof(second) / sizeof(second[0]); i++) {
		other = allocate(space, WT_KIND_GTT, second[i].address, second[i].pages * WT_PAGE);
		assert_int_equal(wt_space_map(space, wt_space_find(space, other), 1),
				 second[i].expected);
		assert_int_equal(wt_space_free(space, other), 0);
	}
}

/* Many, freed in another order: what is found is right at any time, and nothing is lost. */
static void many_come_and_go(void **state)
{
	struct wt_space *space = &((struct fixture *)*state)->space;
	uint64_t handles[300] = {0}, random = 1, size;

	for (int i = 0; i < 20000; i++) {
		size_t n = (random = random * 6364136223846793005u + 1442695040888963407u) >> 33;
		uint64_t address = AT + (n %= 300) * 16 * WT_PAGE;

		if (handles[n]) {
			assert_non_null(wt_space_at(space, 0, address, &size));
			assert_int_equal(wt_space_free(space, handles[n]), 0);
			handles[n] = 0;
			assert_null(wt_space_at(space, 0, address, &size));
			continue;
		}
		handles[n] = allocate(space, WT_KIND_VRAM, address, (1 + n % 16) * WT_PAGE);
		assert_int_equal(wt_space_map(space, wt_space_find(space, handles[n]), 1), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_mapped_is_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(freed_memory_is_zero_when_it_comes_again, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(wrong_allocations_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(two_cannot_be_at_one_address, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_come_and_go, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
