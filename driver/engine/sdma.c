/* SPDX-License-Identifier: MIT */
/*
 * SDMA queues: the commands that the runtime's copies are made of. The doorbell says how many bytes of commands have been
 * written. A command that is not known, or whose memory is not there, ends the queue, with a line in the log.
 */
#include <string.h>

#include "driver/engine/internal.h"

enum command {
	COMMAND_NOP = 0,
	COMMAND_COPY = 1,
	COMMAND_WRITE = 2,
	COMMAND_FENCE = 5,
	COMMAND_TRAP = 6,
	COMMAND_POLL = 8,
	COMMAND_ATOMIC = 10,
	COMMAND_FILL = 11,
	COMMAND_TIMESTAMP = 13,
	COMMAND_CACHE = 17,
};

enum { COPY_LINEAR = 0, COPY_RECTANGLE = 4, WRITE_LINEAR = 0 };

#define BROADCAST (1u << 27) /* a linear copy to two places */
#define ATOMIC_ADD_64 47u
#define POLL_MEMORY (1u << 31)
#define WORDS_MAX 13u /* of the longest command, but for data and padding */
#define WRITE_HEAD 4u /* words of a write before its data */
#define PIECE 65536u  /* bytes that are copied at once */
#define SLICE 256u    /* commands of a run */

static uint64_t wide(const uint32_t *words)
{
	return words[0] | (uint64_t)words[1] << 32;
}

static bool copy(struct wt_sight *view, uint64_t to, uint64_t from, uint64_t size)
{
	static uint8_t bytes[PIECE];

	while (size) {
		size_t piece = size < PIECE ? size : PIECE;

		if (!wt_sight_read(view, from, bytes, piece) ||
		    !wt_sight_write(view, to, bytes, piece))
			return false;
		to += piece;
		from += piece;
		size -= piece;
	}
	return true;
}

static bool copy_linear(struct wt_sight *view, const uint32_t *words)
{
	uint64_t from = wide(words + 3), size = (words[1] & 0x3fffff) + 1;

	return copy(view, wide(words + 5), from, size) &&
	       (!(words[0] & BROADCAST) || copy(view, wide(words + 7), from, size));
}

static bool fill(struct wt_sight *view, uint64_t to, uint32_t value, uint64_t size)
{
	bool fine = true;

	for (uint64_t i = 0; i + sizeof(value) <= size && fine; i += sizeof(value))
		fine = wt_sight_write(view, to + i, &value, sizeof(value));
	return fine;
}

/* One side of a copy of a rectangle: where it begins and how far apart rows and slices are, in elements. */
struct side {
	uint64_t address, x, y, z, pitch, slice;
};

static struct side side_of(const uint32_t *words)
{
	return (struct side){
		.address = wide(words),
		.x = words[2] & 0x3fff,
		.y = words[2] >> 16 & 0x3fff,
		.z = words[3] & 0x7ff,
		.pitch = (words[3] >> 13) + 1,
		.slice = (words[4] & 0xfffffff) + UINT64_C(1),
	};
}

static uint64_t row_of(const struct side *side, uint64_t y, uint64_t z, uint32_t shift)
{
	return side->address +
	       (((side->z + z) * side->slice + (side->y + y) * side->pitch + side->x) << shift);
}

static bool copy_rectangle(struct wt_sight *view, const uint32_t *words)
{
	struct side from = side_of(words + 1), to = side_of(words + 6);
	uint32_t shift = words[0] >> 29;
	uint64_t width = (words[11] & 0x3fff) + 1, height = (words[11] >> 16 & 0x3fff) + 1;
	uint64_t depth = (words[12] & 0x7ff) + 1;
	bool fine = true;

	for (uint64_t z = 0; z < depth && fine; z++)
		for (uint64_t y = 0; y < height && fine; y++)
			fine = copy(view, row_of(&to, y, z, shift), row_of(&from, y, z, shift),
				    width << shift);
	return fine;
}

/* How many words a command has, as far as its first @count words tell; 0 for one that is not known. */
static uint32_t length_of(const uint32_t *words, uint32_t count)
{
	uint32_t word = words[0];

	switch (word & 0xff) {
	case COMMAND_NOP:
		return 1 + (word >> 16 & 0x3fff);
	case COMMAND_COPY:
		if ((word >> 8 & 0xff) == COPY_LINEAR)
			return word & BROADCAST ? 9 : 7;
		return (word >> 8 & 0xff) == COPY_RECTANGLE ? 13 : 0;
	case COMMAND_WRITE:
		if ((word >> 8 & 0xff) != WRITE_LINEAR)
			return 0;
		return count < WRITE_HEAD ? WRITE_HEAD : WRITE_HEAD + 1 + (words[3] & 0xfffff);
	case COMMAND_FENCE:
		return 4;
	case COMMAND_TRAP:
		return 2;
	case COMMAND_POLL:
		return 6;
	case COMMAND_ATOMIC:
		return 8;
	case COMMAND_FILL:
	case COMMAND_CACHE:
		return 5;
	case COMMAND_TIMESTAMP:
		return 3;
	default:
		return 0;
	}
}

/* Whether what a command waits for is so. */
static bool is_met(struct wt_sight *view, const uint32_t *words)
{
	uint32_t value = 0;

	if (!(words[0] & POLL_MEMORY))
		return true;
	if (!wt_sight_read(view, wide(words + 1), &value, sizeof(value)))
		return false;
	value &= words[4];
	switch (words[0] >> 28 & 7) {
	case 1:
		return value < words[3];
	case 2:
		return value <= words[3];
	case 3:
		return value == words[3];
	case 4:
		return value != words[3];
	case 5:
		return value >= words[3];
	case 6:
		return value > words[3];
	default:
		return true;
	}
}

static bool stamp(struct wt_sight *view, uint64_t address)
{
	uint64_t now = wt_engine_ticks();

	return wt_sight_write(view, address, &now, sizeof(now));
}

/* A word of the command at the read position, which may wrap around. */
static bool read_word(struct wt_engine_queue *queue, uint32_t index, uint32_t *word_ret)
{
	const struct wt_engine_queue_options *options = &queue->options;
	uint64_t at = (queue->sdma_read + index * sizeof(*word_ret)) % options->ring_size;

	return wt_sight_read(queue->view, options->ring_address + at, word_ret, sizeof(*word_ret));
}

static bool write_data(struct wt_engine_queue *queue, const uint32_t *words, uint32_t length)
{
	uint64_t to = wide(words + 1);
	bool fine = true;

	for (uint32_t i = WRITE_HEAD; i < length && fine; i++) {
		uint32_t word;

		fine = read_word(queue, i, &word) &&
		       wt_sight_write(queue->view, to, &word, sizeof(word));
		to += sizeof(word);
	}
	return fine;
}

static bool run_command(struct wt_engine_queue *queue, const uint32_t *words, uint32_t length)
{
	const struct wt_engine_host *host = &queue->view->engine->host;
	struct wt_sight *view = queue->view;

	switch (words[0] & 0xff) {
	case COMMAND_COPY:
		if ((words[0] >> 8 & 0xff) == COPY_RECTANGLE)
			return copy_rectangle(view, words);
		return copy_linear(view, words);
	case COMMAND_WRITE:
		return write_data(queue, words, length);
	case COMMAND_FENCE:
		return wt_sight_publish(view, wide(words + 1), &words[3], sizeof(words[3]));
	case COMMAND_TRAP:
		host->signal(host->opaque, words[1]);
		return true;
	case COMMAND_ATOMIC:
		return words[0] >> 25 == ATOMIC_ADD_64 &&
		       wt_sight_add(view, wide(words + 1), (int64_t)wide(words + 3));
	case COMMAND_FILL:
		return fill(view, wide(words + 1), words[3], words[4] + UINT64_C(4));
	case COMMAND_TIMESTAMP:
		return stamp(view, wide(words + 1));
	default:
		return true;
	}
}

/* The words of the command at the read position but for data. Return: how many it has; 0 if it is not known or cannot be read. */
static uint32_t fetch(struct wt_engine_queue *queue, uint32_t words[WORDS_MAX])
{
	uint32_t length = 1;

	for (uint32_t i = 0; i < length && i < WORDS_MAX; i++) {
		if (!read_word(queue, i, &words[i]))
			return 0;
		length = length_of(words, i + 1);
	}
	return length;
}

static void fail(struct wt_engine_queue *queue, const char *why, uint32_t word)
{
	queue->failed = true;
	wt_engine_message(queue->view->engine, "copy queue %u has failed: %s (%08x)", queue->id,
			  why, word);
}

bool wt_sdma_run(struct wt_engine_queue *queue)
{
	uint32_t words[WORDS_MAX] = {0};
	bool any = false;

	for (uint32_t i = 0; i < SLICE && queue->runs && !queue->failed && !queue->queue.held;
	     i++) {
		uint64_t written = __atomic_load_n(queue->options.doorbell, __ATOMIC_ACQUIRE);
		uint32_t length;

		if (queue->sdma_read >= written)
			break;
		length = fetch(queue, words);
		if (!length || length * sizeof(*words) > queue->options.ring_size) {
			fail(queue, "a command that it does not know", words[0]);
			break;
		}
		/* The rest of it has not been written yet. */
		if (length * sizeof(*words) > written - queue->sdma_read)
			break;
		if ((words[0] & 0xff) == COMMAND_POLL && !is_met(queue->view, words))
			break;
		if (!run_command(queue, words, length)) {
			const struct wt_engine_host *host = &queue->view->engine->host;

			fail(queue, "memory that it cannot access", words[0]);
			host->fault(host->opaque, &queue->view->fault);
			break;
		}
		queue->sdma_read += (uint64_t)length * sizeof(*words);
		wt_sight_publish(queue->view, queue->options.read_pointer_address,
				 &queue->sdma_read, sizeof(queue->sdma_read));
		any = true;
	}
	return any;
}
