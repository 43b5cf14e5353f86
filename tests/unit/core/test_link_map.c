/* SPDX-License-Identifier: MIT */
#include "tests/unit/core/memory.h"

#include "device/save-area/link-map.h"

#define AT MEMORY_ADDRESS

static struct wt_error *read_list(struct memory *memory, struct wt_link_map *objects)
{
	const struct wt_memory_view view = memory_view(memory);

	return wt_link_map_read(&view, AT, WT_R_DEBUG_CORE, objects);
}

/* Two code objects, as the builder writes them. */
static void make(struct memory *memory)
{
	struct wt_link_map_entry entries[] = {{0x1000, (char *)"file:///a.co"},
					      {0x2000, (char *)"memory://1#offset=0x10&size=5"}};
	const struct wt_link_map objects = {.version = 10, .entries = entries, .count = 2};
	struct wt_buffer bytes = {0};

	wt_link_map_build(&objects, AT, &bytes);
	assert_false(bytes.failed);
	memcpy(memory->bytes, bytes.data, bytes.size);
	memory->size = bytes.size;
	wt_buffer_deinit(&bytes);
}

static void test_round_trip(void **state)
{
	struct memory *memory = memory_clear();
	struct wt_link_map objects;

	(void)state;
	make(memory);
	assert_null(read_list(memory, &objects));
	assert_int_equal(objects.version, 10);
	assert_int_equal(objects.count, 2);
	assert_int_equal(objects.entries[0].load_address, 0x1000);
	assert_string_equal(objects.entries[0].uri, "file:///a.co");
	assert_string_equal(objects.entries[1].uri, "memory://1#offset=0x10&size=5");
	wt_link_map_deinit(&objects);
}

static void test_every_length(void **state)
{
	struct memory *memory = memory_clear();
	struct wt_link_map objects;
	size_t size;

	(void)state;
	make(memory);
	size = memory->size;
	for (memory->size = 0; memory->size < size; memory->size++)
		memory_expect_error(read_list(memory, &objects), WT_ERROR_NOT_FOUND,
				    "cannot be read");
}

static void test_wrong(void **state)
{
	struct memory *memory = memory_clear();
	struct wt_link_map objects;

	(void)state;
	make(memory);
	for (uint32_t version = 0; version < 14; version++) {
		memory_put32(memory, AT, version);
		if (version >= 8 && version <= 10)
			continue;
		memory_expect_error(read_list(memory, &objects), WT_ERROR_UNSUPPORTED, "version");
		assert_int_equal(objects.version, version);
	}
	/* One that is being changed is empty. */
	memory_put32(memory, AT, 8);
	memory_put32(memory, AT + 24, 1);
	assert_null(read_list(memory, &objects));
	assert_int_equal(objects.count, 0);
	/* The second is before the first. */
	make(memory);
	memory_put64(memory, AT + 40 + 40 + 24, AT + 40);
	memory_expect_error(read_list(memory, &objects), WT_ERROR_LIMIT, "no end");
}

static void test_name_without_end(void **state)
{
	struct memory *memory = memory_clear();
	struct wt_link_map objects;

	(void)state;
	make(memory);
	memory->size = MEMORY_SIZE;
	memset(memory->bytes + 4096, 'a', MEMORY_SIZE - 4096);
	memory_put64(memory, AT + 40 + 8, AT + 4096);
	memory_expect_error(read_list(memory, &objects), WT_ERROR_LIMIT, "its name has no end");
	/* A long one is none that has no end. */
	memory->bytes[4096 + 1000] = 0;
	assert_null(read_list(memory, &objects));
	assert_int_equal(strlen(objects.entries[0].uri), 1000);
	wt_link_map_deinit(&objects);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_every_length),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_name_without_end),
	};

	return cmocka_run_group_tests_name("core link map", tests, NULL, NULL);
}
