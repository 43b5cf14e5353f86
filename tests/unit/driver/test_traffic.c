/* SPDX-License-Identifier: MIT */
/*
 * Today's runtime asks these things of the driver, in this form: the calls of a program were recorded, and are made again.
 * None of them may be refused, or be named as not implemented; each queue does its work.
 *
 * A line of traffic-*.txt is a call: K (/dev/kfd) or d (the render node), its number, the bytes of its argument, and the
 * argument's words in hexadecimal, or in the place of some: G is the agent's id, A<i>+<offset> and H<i> are the address and the handle of
 * the allocation that was made as number i, E<i> and Q<i> an event and a queue, G* points to the agent's id, P to a buffer, U to memory of the program.
 */
#include "tests/unit/driver/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MANY 128u
#define ALLOCATE 0x16u
#define MAP 0x18u
#define CREATE_EVENT 0x08u
#define CREATE_QUEUE 0x02u
#define ARGUMENT_MAX 256u
#define BUFFER_BYTES 4096u
#define BARRIER_AND 3
#define SYSTEM (2 << 9 | 2 << 11 | 1 << 8) /* scopes, and the barrier bit */
#define SDMA_FENCE 5u
#define PATIENCE 5000 /* milliseconds and more */

struct traffic {
	struct session *session;
	uint64_t addresses[MANY], handles[MANY];
	uint32_t events[MANY], queues[MANY];
	uint32_t allocations, event_count, queue_count, calls;
	uint8_t *buffer;
};

/* The value of a token of the table, which takes one word or two. */
static uint64_t traffic_value(struct traffic *traffic, const char *token, uint32_t *words_ret)
{
	struct session *session = traffic->session;
	unsigned long index = strtoul(token + 1, NULL, 10);
	const char *offset = strchr(token, '+');

	*words_ret = strchr("AHPU", *token) || !strcmp(token, "G*") ? 2 : 1;
	assert_true(!strchr("AHEQ", *token) || index < MANY);
	switch (*token) {
	case 'G':
		return token[1] ? (uintptr_t)&session->gpu_id : session->gpu_id;
	case 'A':
		assert_non_null(offset);
		return traffic->addresses[index] + strtoull(offset + 1, NULL, 16);
	case 'H':
		return traffic->handles[index];
	case 'E':
		return traffic->events[index];
	case 'Q':
		return traffic->queues[index];
	case 'P':
	case 'U':
		return (uintptr_t)traffic->buffer;
	default:
		return strtoul(token, NULL, 16);
	}
}

/* Two words that have a whole number of 64 bits, at an offset of the argument. */
static uint64_t wide_at(const uint8_t *argument, size_t offset)
{
	uint64_t value;

	memcpy(&value, argument + offset, sizeof(value));
	return value;
}

static bool wait_for_value(const volatile uint64_t *place, uint64_t value)
{
	for (int i = 0; i < PATIENCE; i++) {
		if (__atomic_load_n(place, __ATOMIC_ACQUIRE) == value)
			return true;
		usleep(1000);
	}
	return false;
}

/* The queue does one packet or command: a barrier, or a word that is written behind the read pointer. */
static void traffic_try_queue(const struct traffic *traffic, const struct kfd_create_queue *queue)
{
	volatile uint64_t *read = (uint64_t *)(uintptr_t)queue->read_pointer_address;
	uint64_t *written = (uint64_t *)(uintptr_t)queue->write_pointer_address;
	uint8_t *ring = (uint8_t *)(uintptr_t)queue->ring_address;
	uint64_t target = queue->read_pointer_address + 64, count;

	*(uint64_t *)(uintptr_t)target = 0;
	if (queue->type == KFD_QUEUE_COMPUTE_AQL) {
		const uint16_t header = BARRIER_AND | SYSTEM;

		for (size_t i = 0; i < queue->ring_size; i += 64)
			ring[i] = 1;
		memset(ring + 2, 0, 62);
		memcpy(ring, &header, sizeof(header));
		__atomic_store_n(written, 1, __ATOMIC_RELEASE);
		assert_true(wait_for_value(read, 1));
		return;
	}
	memcpy(ring, (const uint32_t[]){SDMA_FENCE, (uint32_t)target, (uint32_t)(target >> 32), 42},
	       16);
	count = 16;
	assert_int_equal(pwrite(traffic->session->files[WT_WIRE_KFD], &count, sizeof(count),
				(off_t)queue->doorbell_offset),
			 sizeof(count));
	assert_true(wait_for_value((uint64_t *)(uintptr_t)target, 42));
}

/* The runtime maps memory of the device at its address. Doorbells and the like are not accessed. */
static void traffic_map(struct traffic *traffic, const struct kfd_allocate_memory *memory)
{
	void *found = mmap((void *)(uintptr_t)memory->address, memory->size, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_FIXED, traffic->session->files[WT_WIRE_RENDER],
			   (off_t)memory->mmap_offset);

	assert_ptr_equal(found, (void *)(uintptr_t)memory->address);
}

/* The runtime keeps these of an answer. */
static void traffic_keep(struct traffic *traffic, uint32_t number, const uint8_t *argument)
{
	struct kfd_allocate_memory memory;
	struct kfd_create_queue queue;
	struct kfd_create_event event;

	switch (number) {
	case ALLOCATE:
		memcpy(&memory, argument, sizeof(memory));
		traffic->handles[traffic->allocations++] = memory.handle;
		if (memory.flags & (KFD_MEMORY_GTT | KFD_MEMORY_VRAM))
			traffic_map(traffic, &memory);
		break;
	case CREATE_EVENT:
		memcpy(&event, argument, sizeof(event));
		traffic->events[traffic->event_count++] = event.event_id;
		break;
	case CREATE_QUEUE:
		memcpy(&queue, argument, sizeof(queue));
		traffic->queues[traffic->queue_count++] = queue.queue_id;
		traffic_try_queue(traffic, &queue);
		break;
	default:
		break;
	}
}

/* The address that the next allocation has. Return: it in two words is the allocation's first field. */
static void traffic_place(struct traffic *traffic, uint64_t size)
{
	struct session *session = traffic->session;

	assert_true(traffic->allocations < MANY);
	traffic->addresses[traffic->allocations] = session->next_address;
	session->next_address += (size + PAGE - 1) / PAGE * PAGE + PAGE;
}

static void traffic_call(struct traffic *traffic, char *line)
{
	uint8_t argument[ARGUMENT_MAX] = {0};
	uint32_t number, size, words, at = 0;
	char *rest, *token = strtok_r(line, " \n", &rest);
	bool kfd = *token == 'K';
	uint32_t type = kfd ? KFD_IOCTL_BASE : 'd';
	int result;

	number = (uint32_t)strtoul(strtok_r(NULL, " \n", &rest), NULL, 16);
	size = (uint32_t)strtoul(strtok_r(NULL, " \n", &rest), NULL, 10);
	assert_true(size <= sizeof(argument));
	/* An allocation's size stands behind its address. */
	if (kfd && number == ALLOCATE)
		traffic_place(traffic, strtoull(strchr(rest, ' ') + 1, NULL, 16));
	while ((token = strtok_r(NULL, " \n", &rest))) {
		uint64_t value = traffic_value(traffic, token, &words);

		assert_true(at + 4 * words <= size);
		memcpy(argument + at, &value, (size_t)4 * words);
		at += 4 * words;
	}
	assert_int_equal(at, size);
	result =
		call_on(traffic->session->thread, kfd ? WT_WIRE_KFD : WT_WIRE_RENDER,
			(uint32_t)_IOC(_IOC_READ | _IOC_WRITE, type, number, size), argument, size);
	if (result)
		print_error("call %c %#x: %s\n", kfd ? 'K' : 'd', number, strerror(-result));
	assert_int_equal(result, 0);
	if (kfd && number == MAP)
		assert_int_equal(wide_at(argument, 16) >> 32, 1);
	if (kfd)
		traffic_keep(traffic, number, argument);
	traffic->calls++;
}

static void nothing_that_is_asked_is_refused(void **state)
{
	struct traffic traffic = {.session = *state};
	FILE *table = fopen(WT_DATA "/traffic-rocr-6.4.3.txt", "r"), *log;
	char line[512];

	assert_non_null(table);
	traffic.buffer = aligned_alloc(PAGE, BUFFER_BYTES);
	assert_non_null(traffic.buffer);
	session_acquire(traffic.session);
	while (fgets(line, sizeof(line), table))
		if (*line != '#')
			traffic_call(&traffic, line);
	fclose(table);
	free(traffic.buffer);
	assert_true(traffic.calls > 250 && traffic.queue_count == 5);
	log = fopen(traffic.session->log, "r");
	assert_non_null(log);
	while (fgets(line, sizeof(line), log))
		assert_null(strstr(line, "not implemented"));
	fclose(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_that_is_asked_is_refused, session_start,
						session_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
