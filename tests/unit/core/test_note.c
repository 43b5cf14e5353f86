/* SPDX-License-Identifier: MIT */
#include "tests/unit/core/memory.h"

#include "device/save-area/note.h"

#define HEAD 40u
#define RUNTIME 16u
#define AGENT 120u
#define QUEUE 64u
#define SIZE (HEAD + RUNTIME + 2 * AGENT + 3 * QUEUE)

/* Offsets of the head's fields. */
enum {
	VERSION = 0,
	MAJOR = 8,
	MINOR = 12,
	RUNTIME_SIZE = 16,
	AGENTS = 24,
	AGENT_SIZE = 28,
	QUEUES = 32,
	QUEUE_SIZE = 36,
	R_DEBUG = 40,
	STATE = 48,
	SET_UP = 52
};

static void put(uint8_t *at, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

/* A note in which every byte of an entry's fields is told by its place. */
static void make(uint8_t note[SIZE])
{
	for (size_t i = HEAD + RUNTIME; i < SIZE; i++)
		note[i] = (uint8_t)(i * 7 + 1);
	memset(note, 0, HEAD + RUNTIME);
	for (size_t i = 0; i < 2; i++)
		put(note + HEAD + RUNTIME + i * AGENT + 108, 7 + i, 4); /* XCCs */
	put(note + VERSION, 1, 8);
	put(note + MAJOR, 1, 4);
	put(note + MINOR, 13, 4);
	put(note + RUNTIME_SIZE, RUNTIME, 8);
	put(note + AGENTS, 2, 4);
	put(note + AGENT_SIZE, AGENT, 4);
	put(note + QUEUES, 3, 4);
	put(note + QUEUE_SIZE, QUEUE, 4);
	put(note + R_DEBUG, 0x123456789abc, 8);
	put(note + STATE, 1, 4);
	put(note + SET_UP, 1, 4);
}

static uint64_t get(const uint8_t *at, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)at[i] << 8 * i;
	return value;
}

static void test_fields(void **state)
{
	uint8_t bytes[SIZE];
	struct wt_core_note note;
	const uint8_t *agent = bytes + HEAD + RUNTIME + AGENT;
	const uint8_t *queue = bytes + HEAD + RUNTIME + 2 * AGENT + 2 * QUEUE;

	(void)state;
	make(bytes);
	assert_null(wt_core_note_parse(bytes, SIZE, &note));
	assert_int_equal(note.r_debug, 0x123456789abc);
	assert_int_equal(note.runtime, WT_CORE_NOTE_RUNTIME_ENABLED);
	assert_true(note.ttmps_set_up);
	assert_int_equal(note.agent_count, 2);
	assert_int_equal(note.queue_count, 3);
	assert_int_equal(note.agents[1].exceptions, get(agent, 8));
	assert_int_equal(note.agents[1].local_base, get(agent + 8, 8));
	assert_int_equal(note.agents[1].private_base, get(agent + 24, 8));
	assert_int_equal(note.agents[1].memory_limit, get(agent + 48, 8));
	assert_int_equal(note.agents[1].gpu_id, get(agent + 56, 4));
	assert_int_equal(note.agents[1].vendor, get(agent + 64, 4));
	assert_int_equal(note.agents[1].target, get(agent + 88, 4));
	assert_int_equal(note.agents[1].xcc_count, get(agent + 108, 4));
	assert_int_equal(note.agents[1].debug_properties, get(agent + 116, 4));
	assert_int_equal(note.queues[2].ring_address, get(queue + 8, 8));
	assert_int_equal(note.queues[2].write_pointer_address, get(queue + 16, 8));
	assert_int_equal(note.queues[2].read_pointer_address, get(queue + 24, 8));
	assert_int_equal(note.queues[2].save_address, get(queue + 32, 8));
	assert_int_equal(note.queues[2].queue_id, get(queue + 40, 4));
	assert_int_equal(note.queues[2].gpu_id, get(queue + 44, 4));
	assert_int_equal(note.queues[2].ring_size, get(queue + 48, 4));
	assert_int_equal(note.queues[2].type, get(queue + 52, 4));
	assert_int_equal(note.queues[2].save_size, get(queue + 56, 4));
	wt_core_note_deinit(&note);
}

static void test_round_trip(void **state)
{
	struct wt_buffer built = {0};
	uint8_t bytes[SIZE];
	struct wt_core_note note;

	(void)state;
	make(bytes);
	/* The last word of a queue is reserved: it is not kept. */
	for (size_t i = 0; i < 3; i++)
		put(bytes + HEAD + RUNTIME + 2 * AGENT + i * QUEUE + 60, 0, 4);
	assert_null(wt_core_note_parse(bytes, SIZE, &note));
	wt_core_note_build(&note, &built);
	assert_int_equal(built.size, SIZE);
	assert_memory_equal(built.data, bytes, SIZE);
	wt_buffer_deinit(&built);
	wt_core_note_deinit(&note);
}

static void test_larger_entries(void **state)
{
	uint8_t bytes[HEAD + 24 + AGENT + 8 + QUEUE + 16];
	uint8_t usual[SIZE];
	struct wt_core_note note;

	(void)state;
	make(usual);
	memcpy(bytes, usual, HEAD + RUNTIME);
	memset(bytes + HEAD + RUNTIME, 0xff, sizeof(bytes) - HEAD - RUNTIME);
	memcpy(bytes + HEAD + 24, usual + HEAD + RUNTIME, AGENT);
	memcpy(bytes + HEAD + 24 + AGENT + 8, usual + HEAD + RUNTIME + 2 * AGENT, QUEUE);
	put(bytes + RUNTIME_SIZE, 24, 8);
	put(bytes + AGENTS, 1, 4);
	put(bytes + AGENT_SIZE, AGENT + 8, 4);
	put(bytes + QUEUES, 1, 4);
	put(bytes + QUEUE_SIZE, QUEUE + 16, 4);
	assert_null(wt_core_note_parse(bytes, sizeof(bytes), &note));
	assert_int_equal(note.agents[0].gpu_id, get(usual + HEAD + RUNTIME + 56, 4));
	assert_int_equal(note.queues[0].queue_id, get(usual + HEAD + RUNTIME + 2 * AGENT + 40, 4));
	wt_core_note_deinit(&note);
}

static void test_each_field_wrong(void **state)
{
	static const struct {
		size_t offset, size;
		uint64_t value;
		enum wt_error_code code;
		const char *part;
	} wrongs[] = {
		{VERSION, 8, 0, WT_ERROR_INPUT, "offset 0"},
		{VERSION, 8, 2, WT_ERROR_INPUT, "version of the note is known: 2"},
		{VERSION, 8, UINT64_C(1) << 32 | 1, WT_ERROR_INPUT, "offset 0"},
		{MAJOR, 4, 2, WT_ERROR_UNSUPPORTED, "offset 8"},
		{MAJOR, 4, 0, WT_ERROR_UNSUPPORTED, "offset 8"},
		{MINOR, 4, 12, WT_ERROR_UNSUPPORTED, "older than 1.13: 12"},
		{RUNTIME_SIZE, 8, 8, WT_ERROR_INPUT, "offset 16"},
		{RUNTIME_SIZE, 8, 20, WT_ERROR_INPUT, "offset 16"},
		{RUNTIME_SIZE, 8, UINT64_MAX - 7, WT_ERROR_INPUT, "offset 16"},
		{RUNTIME_SIZE, 8, 24, WT_ERROR_INPUT, "do not add up"},
		{AGENTS, 4, 1, WT_ERROR_INPUT, "do not add up"},
		{AGENTS, 4, 3, WT_ERROR_INPUT, "do not add up"},
		{AGENTS, 4, UINT32_MAX, WT_ERROR_LIMIT, "too many agents"},
		{AGENT_SIZE, 4, 0, WT_ERROR_INPUT, "offset 28"},
		{AGENT_SIZE, 4, AGENT - 8, WT_ERROR_INPUT, "offset 28"},
		{AGENT_SIZE, 4, AGENT + 4, WT_ERROR_INPUT, "offset 28"},
		{AGENT_SIZE, 4, UINT32_MAX - 7, WT_ERROR_INPUT, "do not add up"},
		{QUEUES, 4, 2, WT_ERROR_INPUT, "do not add up"},
		{QUEUES, 4, UINT32_MAX, WT_ERROR_LIMIT, "too many queues"},
		{QUEUE_SIZE, 4, 0, WT_ERROR_INPUT, "offset 36"},
		{QUEUE_SIZE, 4, QUEUE - 8, WT_ERROR_INPUT, "offset 36"},
		{QUEUE_SIZE, 4, QUEUE + 1, WT_ERROR_INPUT, "offset 36"},
		{STATE, 4, 4, WT_ERROR_INPUT, "offset 48"},
		{HEAD + RUNTIME + 92, 4, 0, WT_ERROR_INPUT, "offset 56"},	    /* SIMDs */
		{HEAD + RUNTIME + 96, 4, 0, WT_ERROR_INPUT, "a count"},		    /* waves */
		{HEAD + RUNTIME + 100, 4, 0, WT_ERROR_INPUT, "a count"},	    /* arrays */
		{HEAD + RUNTIME + AGENT + 104, 4, 0, WT_ERROR_INPUT, "offset 176"}, /* per engine */
		{HEAD + RUNTIME + AGENT + 108, 4, 257, WT_ERROR_LIMIT, "too many XCCs"},
		{HEAD + RUNTIME + AGENT + 108, 4, 0, WT_ERROR_INPUT, "a count"}, /* XCCs */
	};
	uint8_t bytes[SIZE];
	struct wt_core_note note;

	(void)state;
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(*wrongs); i++) {
		make(bytes);
		put(bytes + wrongs[i].offset, wrongs[i].value, wrongs[i].size);
		memory_expect_error(wt_core_note_parse(bytes, SIZE, &note), wrongs[i].code,
				    wrongs[i].part);
	}
}

/* In memory of just that size, so that a read past the end is seen. */
static struct wt_error *parse_copy(const uint8_t *bytes, size_t size)
{
	struct wt_core_note note = {0};
	uint8_t *copy = malloc(size ? size : 1);
	struct wt_error *error;

	memcpy(copy, bytes, size);
	error = wt_core_note_parse(copy, size, &note);
	if (!error)
		wt_core_note_deinit(&note);
	free(copy);
	return error;
}

static void test_every_length(void **state)
{
	uint8_t bytes[SIZE + 1] = {0};

	(void)state;
	make(bytes);
	for (size_t size = 0; size <= SIZE + 1; size++) {
		struct wt_error *error = parse_copy(bytes, size);

		assert_true(!error == (size == SIZE));
		wt_error_destroy(error);
	}
}

static void test_any_bytes(void **state)
{
	uint8_t bytes[SIZE];
	uint32_t random = 1;
	size_t fine = 0;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct wt_error *error;

		make(bytes);
		for (int change = 0; change < 1 + round % 3; change++) {
			random = random * 1664525 + 1013904223;
			bytes[(random >> 8) % (round % 2 ? HEAD + RUNTIME : SIZE)] =
				(uint8_t)(random >> 24);
		}
		error = parse_copy(bytes, SIZE);
		fine += !error;
		wt_error_destroy(error);
	}
	assert_in_range(fine, 1000, 19000);
}

/* A GPU has in a note the properties that its driver gives it. */
static void test_properties(void **state)
{
	static const struct {
		const char *name;
		uint32_t target;
		bool ttmps, precise;
		uint32_t watch;
	} cases[] = {
		{"gfx906", 90006, true, false, 6 | 29 << 4},
		{"gfx90a", 90010, false, true, 6 | 29 << 4},
		{"gfx942", 90402, true, true, 7 | 30 << 4},
		{"gfx950", 90500, true, true, 6 | 29 << 4},
		{"gfx1030", 100300, true, false, 7 | 29 << 4},
		{"gfx1201", 120001, true, false, 7 | 29 << 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct wt_core_note_agent agent =
			wt_core_note_agent_init(gfx_architecture_by_name(cases[i].name));

		print_message("%s\n", cases[i].name);
		assert_int_equal(agent.target, cases[i].target);
		assert_int_equal(!!(agent.debug_properties & WT_CORE_NOTE_DEBUG_TTMPS_ALWAYS),
				 cases[i].ttmps);
		assert_int_equal(!!(agent.capability & WT_CORE_NOTE_CAPABILITY_PRECISE_MEMORY),
				 cases[i].precise);
		assert_int_equal(agent.debug_properties & 0x3ff, cases[i].watch);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),	       cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_larger_entries), cmocka_unit_test(test_each_field_wrong),
		cmocka_unit_test(test_every_length),   cmocka_unit_test(test_any_bytes),
		cmocka_unit_test(test_properties),
	};

	return cmocka_run_group_tests_name("core note", tests, NULL, NULL);
}
