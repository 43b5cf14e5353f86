/* SPDX-License-Identifier: MIT */
/* An SDMA queue without a runtime: each command that is executed, around the end of the ring too, and what ends the queue. */
#include "tests/unit/driver/support.h"

#include <string.h>

#define RING_BYTES 4096u
#define LONGEST 13u
#define PATIENCE 5000 /* milliseconds and more */
#define POLL_EQUAL (3U << 28 | 1U << 31)
#define ATOMIC_ADD_64 (47U << 25)
#define FILL_WORDS (2U << 30)
#define TIMESTAMP_GLOBAL (13 | 2 << 8)
#define NOT_MAPPED UINT64_C(0x10000)

/* The queue, and a page whose words it reads and writes. */
struct copies {
	struct session *session;
	struct memory pointers, ring, page;
	struct kfd_create_queue create;
	uint64_t written;
};

static struct copies begin(struct session *session)
{
	struct copies copies = {.session = session};

	session_acquire(session);
	copies.pointers = session_memory(session, PAGE);
	copies.ring = session_memory(session, RING_BYTES);
	copies.page = session_memory(session, PAGE);
	copies.create = (struct kfd_create_queue){
		.ring_address = copies.ring.address,
		.write_pointer_address = copies.pointers.address,
		.read_pointer_address = copies.pointers.address + 8,
		.ring_size = RING_BYTES,
		.gpu_id = session->gpu_id,
		.type = KFD_QUEUE_SDMA,
		.percentage = 100,
	};
	assert_int_equal(call(session, 0x02, &copies.create), 0);
	return copies;
}

/* The doorbell is in the file that stands for the device. */
static void ring_doorbell(const struct copies *copies)
{
	int fd = copies->session->files[WT_WIRE_KFD];

	assert_int_equal(pwrite(fd, &copies->written, 8, (off_t)copies->create.doorbell_offset), 8);
}

static void put(struct copies *copies, const uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		memcpy(copies->ring.data + copies->written % RING_BYTES, &words[i], 4);
		copies->written += 4;
	}
}
#define PUT(copies, ...)                                                                           \
	put(copies, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* How far it has come. */
static uint64_t read_position(const struct copies *copies)
{
	return __atomic_load_n((const uint64_t *)(const void *)(copies->pointers.data + 8),
			       __ATOMIC_ACQUIRE);
}

static bool reaches(const struct copies *copies, uint64_t position)
{
	for (int i = 0; i < PATIENCE && read_position(copies) < position; i++)
		usleep(1000);
	return read_position(copies) == position;
}

static bool done(const struct copies *copies)
{
	ring_doorbell(copies);
	return reaches(copies, copies->written);
}

static uint32_t word_at(const struct copies *copies, size_t offset)
{
	uint32_t word;

	memcpy(&word, copies->page.data + offset, sizeof(word));
	return word;
}

#define LOW(address) (uint32_t)(address)
#define HIGH(address) (uint32_t)((address) >> 32)

static void commands_do_what_they_say(void **state)
{
	struct copies copies = begin(*state);
	uint64_t at = copies.page.address;
	uint64_t sum;

	PUT(&copies, 2, LOW(at), HIGH(at), 2, 11, 12, 13);
	PUT(&copies, 1, 11, 0, LOW(at), HIGH(at), LOW(at + 64), HIGH(at + 64));
	PUT(&copies, 11 | FILL_WORDS, LOW(at + 128), HIGH(at + 128), 0x77777777, 12);
	PUT(&copies, 10 | ATOMIC_ADD_64, LOW(at + 256), HIGH(at + 256), 0xffffffff, 1, 0, 0, 0);
	PUT(&copies, 5, LOW(at + 320), HIGH(at + 320), 42);
	PUT(&copies, TIMESTAMP_GLOBAL, LOW(at + 328), HIGH(at + 328));
	PUT(&copies, 2U << 16, 0xdead, 0xbeef);
	assert_true(done(&copies));
	assert_int_equal(word_at(&copies, 64), 11);
	assert_int_equal(word_at(&copies, 72), 13);
	assert_int_equal(word_at(&copies, 76), 0);
	assert_int_equal(word_at(&copies, 128), 0x77777777);
	assert_int_equal(word_at(&copies, 140), 0x77777777);
	assert_int_equal(word_at(&copies, 144), 0);
	memcpy(&sum, copies.page.data + 256, sizeof(sum));
	assert_int_equal(sum, UINT64_C(0x1ffffffff));
	assert_int_equal(word_at(&copies, 320), 42);
	assert_true(word_at(&copies, 328) | word_at(&copies, 332));
}

static void a_copy_goes_to_two_places(void **state)
{
	struct copies copies = begin(*state);
	uint64_t at = copies.page.address;

	PUT(&copies, 2, LOW(at), HIGH(at), 1, 21, 22);
	PUT(&copies, 1 | 1U << 27, 7, 0, LOW(at), HIGH(at), LOW(at + 64), HIGH(at + 64),
	    LOW(at + 128), HIGH(at + 128));
	PUT(&copies, 5, LOW(at + 320), HIGH(at + 320), 42);
	assert_true(done(&copies));
	assert_int_equal(word_at(&copies, 68), 22);
	assert_int_equal(word_at(&copies, 128), 21);
	assert_int_equal(word_at(&copies, 132), 22);
	assert_int_equal(word_at(&copies, 320), 42);
}

/* Each byte says where it is, so that none is found at another's place. */
static uint8_t byte_at(size_t index)
{
	return (uint8_t)(index * 31 + index / 251 + 1);
}

#define MARGIN 64u

/* From 1 to 30 bits of count: exactly so many bytes arrive, from an odd address too. */
static void counts_have_30_bits(void **state)
{
	static const uint32_t sizes[] = {1,	   4,	     4095,     0x3fffff,
					 0x400000, 0x400001, 0x500000, 0x2000003};
	struct copies copies = begin(*state);
	size_t room = sizes[7] + 2 * MARGIN;
	struct memory from = session_memory(*state, (room + PAGE - 1) / PAGE * PAGE);
	struct memory to = session_memory(*state, (room + PAGE - 1) / PAGE * PAGE);

	for (size_t i = 0; i < from.size; i++)
		from.data[i] = byte_at(i);
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		uint32_t size = sizes[s];
		uint64_t source = from.address + s, target = to.address + MARGIN - s;
		size_t bad = 0;

		memset(to.data, 0, to.size);
		PUT(&copies, 1, size - 1, 0, LOW(source), HIGH(source), LOW(target), HIGH(target));
		assert_true(done(&copies));
		for (size_t i = 0; i < size; i++)
			bad += to.data[MARGIN - s + i] != from.data[s + i];
		assert_int_equal(bad, 0);
		assert_int_equal(to.data[MARGIN - s - 1], 0);
		assert_int_equal(to.data[MARGIN - s + size], 0);
	}
}

/* Bytes, halves and words; a count of the bytes less one, or of the words less one. */
static void fills_have_30_bits(void **state)
{
	static const struct {
		uint32_t element, count, size;
	} fills[] = {
		{0, 0, 1}, {0, 2, 3}, {1, 2, 4}, {2, 12, 16}, {2, 15, 16}, {2, 0x4fffff, 0x500000},
	};
	struct copies copies = begin(*state);
	struct memory to = session_memory(*state, 0x501000);
	static const uint8_t value[4] = {0x11, 0x22, 0x33, 0x44};
	uint32_t word;

	memcpy(&word, value, sizeof(word));
	for (size_t f = 0; f < sizeof(fills) / sizeof(fills[0]); f++) {
		size_t bad = 0;

		memset(to.data, 0, to.size);
		PUT(&copies, 11 | fills[f].element << 30, LOW(to.address), HIGH(to.address), word,
		    fills[f].count);
		assert_true(done(&copies));
		for (size_t i = 0; i < fills[f].size; i++)
			bad += to.data[i] != value[i % (1U << fills[f].element)];
		assert_int_equal(bad, 0);
		assert_int_equal(to.data[fills[f].size], 0);
	}
}

/* Where the target begins within the source, it gets what the source had. */
static void ranges_may_overlap(void **state)
{
	struct copies copies = begin(*state);
	struct memory both = session_memory(*state, 0x600000);
	size_t bad = 0;

	for (size_t i = 0; i < both.size; i++)
		both.data[i] = byte_at(i);
	PUT(&copies, 1, 0x4fffff, 0, LOW(both.address), HIGH(both.address),
	    LOW(both.address + 4097), HIGH(both.address + 4097));
	assert_true(done(&copies));
	for (size_t i = 0; i < 0x500000; i++)
		bad += both.data[4097 + i] != byte_at(i);
	assert_int_equal(bad, 0);
}

/* Two of three by three words, from the second column on. */
static void a_rectangle_is_copied(void **state)
{
	struct copies copies = begin(*state);
	uint64_t at = copies.page.address;

	for (uint32_t i = 0; i < 9; i++)
		memcpy(copies.page.data + 4 * i, &i, 4);
	PUT(&copies, 1 | 4 << 8 | 2U << 29, LOW(at), HIGH(at), 1, 2 << 13, 8, LOW(at + 512),
	    HIGH(at + 512), 0, 1 << 13, 3, 1 | 2 << 16, 0);
	assert_true(done(&copies));
	for (uint32_t row = 0; row < 3; row++)
		for (uint32_t column = 0; column < 2; column++)
			assert_int_equal(word_at(&copies, 512 + 8 * row + 4 * column),
					 3 * row + column + 1);
}

/* Engines of gfx1201 have other fields: from the second column and the second of two slices on, and another slice. */
static void a_rectangle_is_copied_by_a_later_engine(void **state)
{
	struct copies copies = begin(*state);
	uint64_t at = copies.page.address;

	for (uint32_t i = 0; i < 18; i++)
		memcpy(copies.page.data + 4 * i, &i, 4);
	PUT(&copies, 1 | 4 << 8 | 2U << 29, LOW(at), HIGH(at), 1, 1 | 2 << 16, 8, LOW(at + 512),
	    HIGH(at + 512), 0, 1 << 16, 3, 1 | 2 << 16, 0);
	assert_true(done(&copies));
	for (uint32_t row = 0; row < 3; row++)
		for (uint32_t column = 0; column < 2; column++)
			assert_int_equal(word_at(&copies, 512 + 8 * row + 4 * column),
					 9 + 3 * row + column + 1);
}

static int start_gfx1201(void **state)
{
	return session_start_with(state, "gfx1201", 0);
}

static void a_poll_waits(void **state)
{
	struct copies copies = begin(*state);
	uint64_t at = copies.page.address, before;
	const uint32_t value = 5;

	PUT(&copies, 5, LOW(at), HIGH(at), 1);
	before = copies.written;
	PUT(&copies, 8 | POLL_EQUAL, LOW(at + 8), HIGH(at + 8), 5, 0xffffffff, 0);
	PUT(&copies, 5, LOW(at), HIGH(at), 2);
	ring_doorbell(&copies);
	assert_true(reaches(&copies, before));
	usleep(20000);
	assert_int_equal(word_at(&copies, 0), 1);
	memcpy(copies.page.data + 8, &value, sizeof(value));
	assert_true(reaches(&copies, copies.written));
	assert_int_equal(word_at(&copies, 0), 2);
}

/* A command goes on at the ring's beginning, and one of which a part is missing waits for the rest. */
static void commands_wrap_around(void **state)
{
	struct copies copies = begin(*state);
	uint64_t at = copies.page.address, before;

	PUT(&copies, (RING_BYTES / 4 - 6 - 1) << 16);
	copies.written = RING_BYTES - 24;
	assert_true(done(&copies));
	PUT(&copies, 2, LOW(at), HIGH(at), 7, 1, 2, 3, 4, 5, 6, 7, 8);
	assert_true(done(&copies));
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(word_at(&copies, 4 * i), i + 1);
	before = copies.written;
	PUT(&copies, 2, LOW(at), HIGH(at), 1, 99);
	ring_doorbell(&copies);
	usleep(20000);
	assert_int_equal(read_position(&copies), before);
	assert_int_equal(word_at(&copies, 0), 1);
	PUT(&copies, 100);
	assert_true(done(&copies));
	assert_int_equal(word_at(&copies, 0), 99);
	assert_int_equal(word_at(&copies, 4), 100);
}

static uint32_t make_event(struct session *session, uint32_t type)
{
	struct kfd_create_event event = {.type = type};

	assert_int_equal(call(session, 0x08, &event), 0);
	return event.event_id;
}

/* Wait for one of two events. Return: whether one came, with its data. */
static bool wait_event(struct session *session, const uint32_t ids[2],
		       struct kfd_event_data data[2])
{
	struct kfd_wait_events wait = {.events = (uintptr_t)data, .count = 2, .timeout = PATIENCE};

	memset(data, 0, 2 * sizeof(data[0]));
	data[0].event_id = ids[0];
	data[1].event_id = ids[1];
	assert_int_equal(call(session, 0x0c, &wait), 0);
	return wait.result == KFD_WAIT_COMPLETE;
}

/* The program is told: of a command that is not known that the device hangs, and of memory where it was accessed. */
static void ends_the_queue(struct copies *copies, const uint32_t events[2], bool memory)
{
	struct kfd_event_data data[2];
	struct kfd_event event = {.event_id = events[memory]};

	ring_doorbell(copies);
	assert_true(wait_event(copies->session, events, data));
	assert_true(read_position(copies) < copies->written);
	if (memory) {
		assert_int_equal(data[1].memory.gpu_id, copies->session->gpu_id);
		assert_int_equal(data[1].memory.address, NOT_MAPPED);
		assert_int_equal(data[1].memory.not_present, 1);
	} else {
		assert_int_equal(data[0].hardware.gpu_id, copies->session->gpu_id);
		assert_int_equal(data[0].hardware.memory_lost, 1);
		assert_int_equal(data[0].hardware.reset_cause, KFD_RESET_HANG);
	}
	assert_int_equal(call(copies->session, 0x0b, &event), 0);
}

/* Unknown ones, one that is longer than the ring, and memory that is not there; other queues are made after them. */
static void wrong_commands_end_the_queue(void **state)
{
	struct copies copies = begin(*state);
	const uint32_t events[2] = {make_event(*state, KFD_EVENT_HW_EXCEPTION),
				    make_event(*state, KFD_EVENT_MEMORY)};
	static const uint32_t wrong[][LONGEST] = {
		{99},
		{1 | 9 << 8},
		{1, 0x40000000},
		{1, 3, 1 << 16},
		{2 | 1 << 8},
		{2, 0, 0, 0xfffff},
		{5 | 1 << 8},
		{6 | 1 << 8},
		{8, 0x1234},
		{8 | 1 << 8 | POLL_EQUAL},
		{8 | 7U << 28 | 1U << 31},
		{10 | 46U << 25},
		{11 | 3U << 30},
		{11 | FILL_WORDS, 0, 0, 0, 0x80000000},
		{13},
		{17},
		{2, LOW(NOT_MAPPED), 0, 0, 1},
		{1, 3, 0, LOW(NOT_MAPPED), 0, LOW(NOT_MAPPED), 0},
		{8 | POLL_EQUAL, LOW(NOT_MAPPED)},
		{11 | FILL_WORDS, LOW(NOT_MAPPED), 0, 1, 0},
		{5, LOW(NOT_MAPPED), 0, 1},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct kfd_destroy_queue destroy = {.queue_id = copies.create.queue_id};

		put(&copies, wrong[i], LONGEST);
		ends_the_queue(&copies, events, i >= 16);
		assert_int_equal(call(copies.session, 0x03, &destroy), 0);
		copies.written = 0;
		memset(copies.pointers.data, 0, 16);
		assert_int_equal(call(copies.session, 0x02, &copies.create), 0);
	}
	PUT(&copies, 5, LOW(copies.page.address), HIGH(copies.page.address), 3);
	assert_true(done(&copies));
	assert_int_equal(word_at(&copies, 0), 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, session_start, session_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(commands_do_what_they_say),
		TEST(a_copy_goes_to_two_places),
		TEST(a_rectangle_is_copied),
		TEST(a_poll_waits),
		cmocka_unit_test_setup_teardown(a_rectangle_is_copied_by_a_later_engine,
						start_gfx1201, session_end),
		TEST(commands_wrap_around),
		TEST(wrong_commands_end_the_queue),
		TEST(counts_have_30_bits),
		TEST(fills_have_30_bits),
		TEST(ranges_may_overlap),
	};

	return cmocka_run_group_tests_name("driver copies", tests, NULL, NULL);
}
