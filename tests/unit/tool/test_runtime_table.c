/* SPDX-License-Identifier: MIT */
/* Which functions of the runtime's tables are replaced, by what their heads say. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "base/clock.h"
#include "tool/runtime-table.h"

#define FUNCTIONS 130u

struct table {
	uint32_t major, size, step, reserved;
	void *functions[FUNCTIONS];
};

struct root {
	uint32_t major, size, step, reserved;
	struct table *core, *amd;
	void *more[6];
};

struct handle {
	uint64_t handle;
};

static int last_status;
static char memory[4096];

static int some_function(void)
{
	return 1;
}

static int allocate(struct handle pool, size_t size, uint32_t flags, void **address_ret)
{
	(void)pool;
	(void)size;
	(void)flags;
	*address_ret = memory;
	return last_status;
}

static int release(void *address)
{
	(void)address;
	return last_status;
}

static struct table core, amd;
static struct root root;

static void fill(uint32_t core_major, uint32_t amd_major, uint32_t amd_count)
{
	for (size_t i = 0; i < FUNCTIONS; i++)
		core.functions[i] = amd.functions[i] = (void *)some_function;
	amd.functions[13] = (void *)allocate;
	amd.functions[14] = (void *)release;
	core.major = core_major;
	core.size = (uint32_t)(offsetof(struct table, functions) + 125 * sizeof(void *));
	amd.major = amd_major;
	amd.size = (uint32_t)(offsetof(struct table, functions) + amd_count * sizeof(void *));
	root = (struct root){
		.major = core_major == 1 ? 1 : 3, .size = sizeof(root), .core = &core, .amd = &amd};
}

/* Positions, from 1, of functions that were replaced. */
static uint64_t replaced(const struct table *table)
{
	uint64_t positions = 0;

	for (size_t i = 0; i < 63; i++)
		if (table->functions[i] != (void *)some_function &&
		    table->functions[i] != (void *)allocate &&
		    table->functions[i] != (void *)release)
			positions |= UINT64_C(1) << (i + 1);
	return positions;
}

static uint64_t bits(const unsigned int *list, size_t count)
{
	uint64_t positions = 0;

	for (size_t i = 0; i < count; i++)
		positions |= UINT64_C(1) << list[i];
	return positions;
}

#define BITS(...)                                                                                  \
	bits((const unsigned int[]){__VA_ARGS__},                                                  \
	     sizeof((const unsigned int[]){__VA_ARGS__}) / sizeof(unsigned int))

static void test_layouts(void **state)
{
	struct wt_allocation_source source = {.opaque = NULL};
	static const struct {
		uint32_t core_major, amd_major, count;
		unsigned int layout; /* 0: none, 1: until 5.5, 2: 5.6 and 5.7, 3: from 6.0 on */
	} cases[] = {
		{1, 1, 48, 1}, {1, 1, 51, 1}, {1, 1, 55, 2}, {2, 2, 67, 3}, {2, 2, 71, 3},
		{2, 2, 86, 3}, {1, 1, 47, 0}, {1, 1, 52, 0}, {1, 1, 53, 0}, {1, 1, 67, 0},
		{2, 2, 55, 0}, {2, 3, 86, 0}, {3, 2, 86, 0}, {0, 2, 86, 0}, {2, 2, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fill(cases[i].core_major, cases[i].amd_major, cases[i].count);
		assert_int_equal(wt_runtime_table_take(&root, NULL, &source), cases[i].layout != 0);
		assert_int_equal(replaced(&core), cases[i].layout ? BITS(32, 33, 34, 35) : 0);
		for (size_t j = 63; j < FUNCTIONS; j++)
			assert_int_equal(core.functions[j] != (void *)some_function,
					 cases[i].layout && (j == 115 || j == 116));
		switch (cases[i].layout) {
		case 1:
			assert_int_equal(replaced(&amd),
					 BITS(14, 15, 21, 22, 24, 25, 30, 31, 41, 45));
			break;
		case 2:
			assert_int_equal(replaced(&amd),
					 BITS(14, 15, 23, 24, 26, 27, 32, 33, 43, 47));
			break;
		case 3:
			assert_int_equal(replaced(&amd), BITS(14, 15, 23, 24, 26, 27, 32, 33, 43,
							      47, 56, 57, 60, 61, 62));
			assert_int_equal(amd.functions[69] != (void *)some_function,
					 cases[i].count >= 70);
			break;
		default:
			assert_int_equal(replaced(&amd), 0);
		}
	}
}

static void test_short_tables(void **state)
{
	struct wt_allocation_source source = {.opaque = NULL};

	(void)state;
	assert_false(wt_runtime_table_take(NULL, NULL, &source));
	fill(2, 2, 71);
	root.size = 24;
	assert_false(wt_runtime_table_take(&root, NULL, &source));
	fill(2, 2, 71);
	root.amd = NULL;
	assert_false(wt_runtime_table_take(&root, NULL, &source));
	/* A table of the core that ends before its functions: those of the other are replaced all the same. */
	fill(2, 2, 71);
	core.size = 16;
	assert_true(wt_runtime_table_take(&root, NULL, &source));
	assert_int_equal(replaced(&core), 0);
	fill(2, 2, 71);
	amd.size = 8;
	assert_false(wt_runtime_table_take(&root, NULL, &source));
}

/* ---- Asking ---- */

struct pointer_info {
	uint32_t size, type;
	uint64_t agent_base, host_base;
	size_t bytes;
};

static atomic_bool asleep, woken;
static size_t taken;

/* The runtime has work for longer than its time, as on a busy machine; or it waits for a lock that its program has. */
static int pointer_info(const void *address, struct pointer_info *info, void *(*room)(size_t),
			uint32_t *count_ret, struct handle **agents_ret)
{
	const uint64_t end = wt_clock_ms() + (asleep ? 0 : 900);

	(void)room;
	(void)count_ret;
	(void)agents_ret;
	while (asleep)
		usleep(1000);
	while (wt_clock_ms() < end)
		;
	info->type = 1;
	info->agent_base = (uintptr_t)address;
	info->bytes = 4096;
	woken = true;
	return 0;
}

static void take(void *context, const struct wt_allocation *allocation)
{
	assert_ptr_equal(context, &taken);
	assert_int_equal(allocation->size, 4096);
	taken++;
}

static void test_question(void **state)
{
	struct wt_allocation_source source = {.opaque = NULL};
	const uint64_t address = 0x10000;

	(void)state;
	fill(2, 2, 71);
	amd.functions[28] = (void *)pointer_info;
	assert_true(wt_runtime_table_take(&root, NULL, &source));
	source.ask(source.opaque, &address, 1, take, &taken);
	assert_int_equal(taken, 1);
	/* One that sleeps for ever is left behind, and uses what it has when it is woken at last. */
	asleep = true;
	woken = false;
	source.ask(source.opaque, &address, 1, take, &taken);
	assert_int_equal(taken, 1);
	asleep = false;
	while (!woken)
		usleep(1000);
	usleep(200000);
	wt_runtime_table_forget();
}

/* ---- Queues ---- */

struct runtime_queue {
	uint32_t type, features;
	uint64_t ring_address, unused[5], write_index, unused_too[8], read_index;
};

static struct runtime_queue made = {.ring_address = 0x1000};
static void (*runtime_tells)(int status, struct runtime_queue *queue, void *data);
static void *runtime_data;
static char heard[128];

static int create(struct handle agent, uint32_t size, uint32_t type,
		  void (*callback)(int status, struct runtime_queue *queue, void *data), void *data,
		  uint32_t private_size, uint32_t group_size, struct runtime_queue **queue_ret)
{
	(void)agent;
	(void)type;
	(void)private_size;
	(void)group_size;
	runtime_tells = callback;
	runtime_data = data;
	*queue_ret = &made;
	return size ? 0 : 1;
}

static int destroy(struct runtime_queue *queue)
{
	return queue == &made ? 0 : 1;
}

static int say(int status, const char **text_ret)
{
	*text_ret = "broken";
	return status == 7 ? 0 : 1;
}

static void hear_ours(const struct wt_host_queue_error *error)
{
	snprintf(heard + strlen(heard), sizeof(heard) - strlen(heard), "ours %d %s %x;",
		 (int)error->status, error->text, (unsigned int)error->ring_address);
}

static void hear_program(int status, struct runtime_queue *queue, void *data)
{
	snprintf(heard + strlen(heard), sizeof(heard) - strlen(heard), "program %d %d;", status,
		 queue == &made && data == heard);
}

typedef int (*create_fn)(struct handle agent, uint32_t size, uint32_t type,
			 void (*callback)(int status, struct runtime_queue *queue, void *data),
			 void *data, uint32_t private_size, uint32_t group_size,
			 struct runtime_queue **queue_ret);
typedef int (*destroy_fn)(struct runtime_queue *queue);

static void fill_queues(uint32_t amd_count)
{
	fill(2, 2, amd_count);
	core.functions[7] = (void *)create;
	core.functions[9] = (void *)destroy;
	core.functions[95] = (void *)say;
	*heard = '\0';
}

/* Whether packets wait in a queue that was made, and whether one was taken. */
static void test_looks(const struct wt_runtime_queues *wanted)
{
	uint64_t before, after;

	made.write_index = made.read_index = 0x100000005;
	assert_false(wanted->look(&before));
	made.write_index++;
	assert_true(wanted->look(&after));
	assert_int_equal(after, before);
	made.write_index++;
	made.read_index++;
	assert_true(wanted->look(&after));
	assert_int_not_equal(after, before);
}

/* Ours is called before the program's, and that also where the other table is not known; none of the three alone. */
static void test_queues(void **state)
{
	struct wt_runtime_queues wanted = {.told = hear_ours};
	struct wt_allocation_source source = {.opaque = NULL};
	struct runtime_queue *queue = NULL;
	const struct handle agent = {1};
	uint64_t moved;

	(void)state;
	for (int known = 0; known < 2; known++) {
		fill_queues(known ? 71 : 55);
		assert_int_equal(wt_runtime_table_take(&root, &wanted, &source), known);
		assert_int_equal(((create_fn)core.functions[7])(agent, 64, 0, hear_program, heard,
								0, 0, &queue),
				 0);
		assert_ptr_equal(queue, &made);
		runtime_tells(7, queue, runtime_data);
		runtime_tells(8, queue, runtime_data);
		runtime_tells(0, queue, runtime_data);
		assert_string_equal(heard, "ours 7 broken 1000;program 7 1;"
					   "ours 8  1000;program 8 1;program 0 1;");
		test_looks(&wanted);
		assert_int_equal(((destroy_fn)core.functions[9])(queue), 0);
		assert_false(wanted.look(&moved));
		assert_int_equal(moved, 0);
		assert_int_equal(
			((create_fn)core.functions[7])(agent, 0, 0, NULL, NULL, 0, 0, &queue), 1);
	}
	fill_queues(71);
	core.size = (uint32_t)(offsetof(struct table, functions) + 95 * sizeof(void *));
	wanted.look = NULL;
	assert_true(wt_runtime_table_take(&root, &wanted, &source));
	assert_null(wanted.look);
	assert_ptr_equal(core.functions[7], (void *)create);
	assert_ptr_equal(core.functions[9], (void *)destroy);
}

static void count(void *context, const struct wt_allocation *allocation)
{
	(void)allocation;
	++*(size_t *)context;
}

static size_t noted(const struct wt_allocation_source *source)
{
	size_t number = 0;

	source->each(source->opaque, count, &number);
	return number;
}

static void test_calls_go_through(void **state)
{
	struct wt_allocation_source source = {.opaque = NULL};
	int (*allocate_through)(struct handle, size_t, uint32_t, void **);
	int (*release_through)(void *);
	void *address = NULL;

	(void)state;
	fill(2, 2, 71);
	assert_true(wt_runtime_table_take(&root, NULL, &source));
	memcpy(&allocate_through, &amd.functions[13], sizeof(allocate_through));
	memcpy(&release_through, &amd.functions[14], sizeof(release_through));
	last_status = 4096;
	assert_int_equal(allocate_through((struct handle){0}, 64, 0, &address), 4096);
	assert_int_equal(noted(&source), 0);
	last_status = 0;
	assert_int_equal(allocate_through((struct handle){0}, 64, 0, &address), 0);
	assert_ptr_equal(address, memory);
	assert_int_equal(noted(&source), 1);
	/* Taken a second time, ours is not called by itself, and all begins anew. */
	assert_true(wt_runtime_table_take(&root, NULL, &source));
	assert_int_equal(allocate_through((struct handle){0}, 64, 0, &address), 0);
	assert_int_equal(noted(&source), 1);
	/* Freed: it is among those that are gone. */
	assert_int_equal(release_through(address), 0);
	assert_int_equal(noted(&source), 1);
	/* At the end, and in a child, nothing is noted, and everything is called. */
	wt_runtime_table_forget();
	assert_int_equal(allocate_through((struct handle){0}, 64, 0, &address), 0);
	assert_int_equal(noted(&source), 1);
	assert_int_equal(release_through(address), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),		 cmocka_unit_test(test_short_tables),
		cmocka_unit_test(test_question),	 cmocka_unit_test(test_queues),
		cmocka_unit_test(test_calls_go_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
