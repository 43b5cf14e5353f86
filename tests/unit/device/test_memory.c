/* SPDX-License-Identifier: MIT */
#include "tests/unit/device/support.h"

#include "device/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#define CODE UINT64_C(0x200000000000)
#define BUFFERS UINT64_C(0x210000000000)

static int set_up(void **state)
{
	static struct wt_memory memory;

	wt_memory_init(&memory);
	*state = &memory;
	return 0;
}

static int tear_down(void **state)
{
	wt_memory_deinit(*state);
	return 0;
}

static uint64_t allocate(struct wt_memory *memory, uint64_t size, uint32_t access)
{
	uint64_t address = 0;

	assert_null(wt_memory_allocate(memory, WT_MEMORY_BUFFERS, size, access, &address, NULL));
	return address;
}

static void test_map(void **state)
{
	struct wt_memory *memory = *state;

	/* The first of a region, then one alignment behind the end of each. */
	assert_int_equal(allocate(memory, 1, WT_MEMORY_READ), BUFFERS);
	assert_int_equal(allocate(memory, 0x10000, WT_MEMORY_READ), BUFFERS + 0x20000);
	assert_int_equal(allocate(memory, 0x10001, WT_MEMORY_READ), BUFFERS + 0x40000);
	assert_int_equal(allocate(memory, 1, WT_MEMORY_READ), BUFFERS + 0x70000);
	assert_int_equal(wt_memory_reserve(memory, WT_MEMORY_CODE, 5), CODE);
}

static void test_bounds_to_the_byte(void **state)
{
	struct wt_memory *memory = *state;
	uint64_t address = allocate(memory, 4097, WT_MEMORY_READ | WT_MEMORY_WRITE);
	uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, read[8];

	assert_true(wt_memory_write(memory, address + 4089, bytes, 8));
	assert_false(wt_memory_write(memory, address + 4090, bytes, 8));
	assert_true(wt_memory_read(memory, address + 4089, read, 8));
	assert_memory_equal(read, bytes, 8);
	assert_false(wt_memory_read(memory, address + 4097, read, 1));
	assert_false(wt_memory_read(memory, address - 1, read, 1));
	assert_false(wt_memory_read(memory, address - 1, read, 8));
	assert_false(wt_memory_read(memory, 0, read, 1));
	assert_false(wt_memory_read(memory, UINT64_MAX, read, 8));
	/* A refused write changes nothing, not even the part that is mapped. */
	assert_true(wt_memory_read(memory, address + 4096, read, 1));
	assert_int_equal(read[0], 8);
}

static void test_access(void **state)
{
	struct wt_memory *memory = *state;
	uint64_t code = allocate(memory, 8, WT_MEMORY_READ | WT_MEMORY_EXECUTE);
	uint64_t data = allocate(memory, 8, WT_MEMORY_READ | WT_MEMORY_WRITE);
	uint32_t word = 0xbf810000;

	assert_false(wt_memory_write(memory, code, &word, 4));
	assert_int_equal(wt_memory_poke(memory, code, &word, 4), 4);
	assert_true(wt_memory_fetch(memory, code, &word, 4));
	assert_int_equal(word, 0xbf810000);
	assert_false(wt_memory_fetch(memory, data, &word, 4));
	assert_true(wt_memory_write(memory, data, &word, 4));
	/* The place of the last hit is none for an access of another kind. */
	assert_false(wt_memory_write(memory, code, &word, 4));
	assert_false(wt_memory_fetch(memory, data, &word, 4));
}

static void test_many_ranges(void **state)
{
	struct wt_memory *memory = *state;
	uint64_t addresses[300];

	for (uint32_t i = 0; i < 300; i++)
		addresses[i] = allocate(memory, 4 + i, WT_MEMORY_READ | WT_MEMORY_WRITE);
	for (uint32_t i = 0; i < 300; i++)
		assert_true(wt_memory_write(memory, addresses[i * 7 % 300],
					    &(uint32_t){i * 7 % 300}, 4));
	for (uint32_t i = 0; i < 300; i++) {
		uint32_t value;

		assert_true(wt_memory_read(memory, addresses[i], &value, 4));
		assert_int_equal(value, i);
	}
}

/* Ranges that touch, as segments may: a debugger reads across, from the middle and up to the end.
 * Ranges that touch, as segments may: a debugger reads across, from the middle and up to the end.
 */
static void test_peek_across(void **state)
{
	struct wt_memory *memory = *state;
	uint64_t base = wt_memory_reserve(memory, WT_MEMORY_CODE, 32);
	uint8_t *first, *second, bytes[64];

	assert_null(wt_memory_map(memory, base + 16, 8, WT_MEMORY_READ, &second));
	assert_null(wt_memory_map(memory, base, 16, WT_MEMORY_READ, &first));
	memset(first, 1, 16);
	memset(second, 2, 8);
	assert_int_equal(wt_memory_peek(memory, base + 12, bytes, 64), 12);
	assert_memory_equal(bytes, "\1\1\1\1\2\2\2\2\2\2\2\2", 12);
	assert_int_equal(wt_memory_peek(memory, base + 24, bytes, 1), 0);
	assert_int_equal(wt_memory_peek(memory, base, bytes, 0), 0);
	memset(bytes, 3, 64);
	assert_int_equal(wt_memory_poke(memory, base + 15, bytes, 2), 2);
	assert_int_equal(first[15] << 8 | second[0], 0x303);
	assert_int_equal(second[1], 2);
}

static void test_overlaps(void **state)
{
	struct wt_memory *memory = *state;
	uint64_t base = wt_memory_reserve(memory, WT_MEMORY_CODE, 0x100);

	assert_null(wt_memory_map(memory, base + 0x40, 0x40, WT_MEMORY_READ, NULL));
	support_expect_error(wt_memory_map(memory, base, 0x41, WT_MEMORY_READ, NULL), "overlap");
	support_expect_error(wt_memory_map(memory, base + 0x40, 1, WT_MEMORY_READ, NULL),
			     "overlap");
	support_expect_error(wt_memory_map(memory, base + 0x7f, 9, WT_MEMORY_READ, NULL),
			     "overlap");
	assert_null(wt_memory_map(memory, base + 0x80, 1, WT_MEMORY_READ, NULL));
	assert_null(wt_memory_map(memory, base, 0x40, WT_MEMORY_READ, NULL));
	assert_null(wt_memory_at(memory, base + 0x3f, 2));
	assert_non_null(wt_memory_at(memory, base + 0x3f, 1));
}

static void test_full_region(void **state)
{
	struct wt_memory *memory = *state;

	assert_int_equal(wt_memory_reserve(memory, WT_MEMORY_CODE, UINT64_MAX), 0);
	assert_int_equal(wt_memory_reserve(memory, WT_MEMORY_CODE, WT_MEMORY_REGION_SIZE), 0);
	assert_int_not_equal(wt_memory_reserve(memory, WT_MEMORY_CODE,
					       WT_MEMORY_REGION_SIZE - 2 * WT_MEMORY_ALIGNMENT),
			     0);
	assert_int_equal(wt_memory_reserve(memory, WT_MEMORY_CODE, 1), 0);
}

/* Two ranges of one page, and what another process does to it. */
static void test_shared(void **state)
{
	struct wt_memory *memory = *state;
	uint32_t old = 0xbf810000, new = 0xbf920001, word;
	int file = memfd_create("memory", MFD_CLOEXEC);
	uint64_t base, changes;

	assert_int_not_equal(file, -1);
	wt_memory_share(memory, file);
	base = wt_memory_reserve(memory, WT_MEMORY_CODE, 0x2000);
	assert_null(wt_memory_map(memory, base + 0x40, 0x20, WT_MEMORY_READ, NULL));
	assert_null(wt_memory_map(memory, base + 0x60, 0xfa1, WT_MEMORY_EXECUTE, NULL));
	assert_int_equal(lseek(file, 0, SEEK_END), wt_memory_offset(base) + 0x2000);
	assert_int_equal(wt_memory_poke(memory, base + 0x80, &old, 4), 4);
	assert_int_equal(pread(file, &word, 4, (off_t)wt_memory_offset(base + 0x80)), 4);
	assert_int_equal(word, old);
	changes = memory->code_changes;
	assert_int_equal(pwrite(file, &new, 4, (off_t)wt_memory_offset(base + 0x80)), 4);
	wt_memory_revisit(memory);
	assert_int_not_equal(memory->code_changes, changes);
	assert_true(wt_memory_fetch(memory, base + 0x80, &word, 4));
	assert_int_equal(word, new);
	assert_int_equal(pwrite(file, &new, 4, (off_t)wt_memory_offset(base + 0x40)), 4);
	assert_true(wt_memory_read(memory, base + 0x40, &word, 4));
	assert_int_equal(word, new);
	/* The bytes end where they do without a file, though the page goes on. */
	assert_null(wt_memory_at(memory, base + 0x1001, 1));
	wt_memory_deinit(memory);
	close(file);
}

/* Ranges around it stay, and its addresses do not come back. */
static void test_unmap(void **state)
{
	struct wt_memory *memory = *state;
	uint64_t addresses[3];
	uint8_t byte = 1;

	for (int i = 0; i < 3; i++)
		addresses[i] = allocate(memory, 16, WT_MEMORY_READ | WT_MEMORY_WRITE);
	assert_true(wt_memory_write(memory, addresses[2], &byte, 1));
	wt_memory_unmap(memory, addresses[1] + 1);
	wt_memory_unmap(memory, addresses[1]);
	wt_memory_unmap(memory, addresses[1]);
	assert_false(wt_memory_read(memory, addresses[1], &byte, 1));
	assert_false(wt_memory_write(memory, addresses[1], &byte, 1));
	assert_int_equal(wt_memory_peek(memory, addresses[1], &byte, 1), 0);
	assert_true(wt_memory_read(memory, addresses[0], &byte, 1));
	assert_int_equal(byte, 0);
	assert_true(wt_memory_read(memory, addresses[2], &byte, 1));
	assert_int_equal(byte, 1);
	wt_memory_unmap(memory, addresses[2]);
	wt_memory_unmap(memory, addresses[0]);
	assert_int_equal(memory->count, 0);
	assert_false(wt_memory_read(memory, addresses[0], &byte, 1));
	assert_true(allocate(memory, 1, WT_MEMORY_READ) > addresses[2]);
}

static int run(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_map),		TEST(test_bounds_to_the_byte),
		TEST(test_access),	TEST(test_many_ranges),
		TEST(test_peek_across), TEST(test_overlaps),
		TEST(test_full_region), TEST(test_shared),
		TEST(test_unmap),
	};

	return cmocka_run_group_tests_name("device-memory", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run);
}
