/* SPDX-License-Identifier: MIT */
/*
 * SDMA queues: the commands that the runtime's copies are made of. The doorbell says how many bytes of commands have been
 * written. A command that is not known, or whose memory is not there, ends the queue, and the program is told.
 *
 * Layouts are those of SDMA 4.4, which gfx90a and gfx942 have: counts of bytes have 30 bits, where engines before it have 22
 * and runtimes that know only those leave the others 0. SDMA 7, which gfx1201 has, differs in the copies of rectangles.
 */
#include <stdio.h>
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

/* A command with its variant, as the low half of the first word has them. */
#define COMMAND(command, variant) ((command) | (variant) << 8)
#define COPY_LINEAR COMMAND(COMMAND_COPY, 0)
#define COPY_RECTANGLE COMMAND(COMMAND_COPY, 4)
#define TIMESTAMP_GLOBAL COMMAND(COMMAND_TIMESTAMP, 2)
#define CACHE_USER COMMAND(COMMAND_CACHE, 1)

#define BROADCAST (1u << 27) /* a linear copy to two places */
#define COUNT_MASK 0x3fffffffu
#define SWAP_MASK (3u << 16 | 3u << 24) /* of bytes, in the third word of a linear copy */
#define FILL_SIZE(word) ((word) >> 30)	/* of an element: log2 of its bytes */
#define FILL_SIZE_MAX 2u
#define ATOMIC_ADD_64 47u
#define POLL_MEMORY (1u << 31)
#define POLL_FUNCTION(word) ((word) >> 28 & 7)
#define POLL_FUNCTION_MAX 6u
#define POLL_FLUSH (1u << 26) /* host memory behind the bus: there is nothing to be flushed here */
#define POLL_FLUSH_WORD (1u << 31)	 /* in the third word: the same, as newer firmware has it */
#define WORDS_MAX 13u			 /* of the longest command, but for data and padding */
#define WRITE_HEAD 4u			 /* words of a write before its data */
#define PIECE 65536u			 /* bytes that are filled at once */
#define SLICE 256u			 /* commands of a run */
#define SLICE_BYTES (UINT64_C(64) << 20) /* after so many, others have their turn, too */

static uint64_t wide(const uint32_t *words)
{
	return words[0] | (uint64_t)words[1] << 32;
}

static bool copy_linear(struct wt_sight *view, const uint32_t *words)
{
	uint64_t from = wide(words + 3), size = (words[1] & COUNT_MASK) + UINT64_C(1);

	return wt_sight_copy(view, wide(words + 5), from, size) &&
	       (!(words[0] & BROADCAST) || wt_sight_copy(view, wide(words + 7), from, size));
}

/* The count is that of the bytes less one, of whole elements: runtimes write a byte less, or an element less. */
static uint64_t fill_size(const uint32_t *words)
{
	uint64_t element = UINT64_C(1) << FILL_SIZE(words[0]);

	return ((words[4] & COUNT_MASK) | (element - 1)) + 1;
}

static bool sdma_fill(struct wt_sight *view, const uint32_t *words)
{
	static uint8_t bytes[PIECE];
	size_t element = (size_t)1 << FILL_SIZE(words[0]);
	uint64_t to = wide(words + 1), size = fill_size(words);

	for (size_t i = 0; i < sizeof(bytes) && i < size; i += element)
		memcpy(bytes + i, &words[3], element);
	while (size) {
		size_t piece = size < sizeof(bytes) ? size : sizeof(bytes);

		if (!wt_sight_write(view, to, bytes, piece))
			return false;
		to += piece;
		size -= piece;
	}
	return true;
}

/* One side of a copy of a rectangle: where it begins and how far apart rows and slices are, in elements. */
struct side {
	uint64_t address, x, y, z, pitch, slice;
};

/* The words of such a copy have sizes behind these masks, and a pitch from this bit on. */
struct rectangle_form {
	uint32_t plane, depth, slice, pitch;
};

static const struct rectangle_form form_4 = {0x3fff, 0x7ff, 0xfffffff, 13},
				   form_7 = {0xffff, 0x3fff, UINT32_MAX, 16};

static const struct rectangle_form *rectangle_form(const struct wt_engine_queue *queue)
{
	return queue->queue.agent->agent.architecture->product->copy_block >= 7 ? &form_7 : &form_4;
}

static struct side sdma_side(const struct rectangle_form *form, const uint32_t *words)
{
	return (struct side){
		.address = wide(words),
		.x = words[2] & form->plane,
		.y = words[2] >> 16 & form->plane,
		.z = words[3] & form->depth,
		.pitch = (words[3] >> form->pitch) + 1,
		.slice = (words[4] & form->slice) + UINT64_C(1),
	};
}

static uint64_t row_of(const struct side *side, uint64_t y, uint64_t z, uint32_t shift)
{
	return side->address +
	       (((side->z + z) * side->slice + (side->y + y) * side->pitch + side->x) << shift);
}

static bool copy_rectangle(const struct wt_engine_queue *queue, const uint32_t *words)
{
	const struct rectangle_form *form = rectangle_form(queue);
	struct side from = sdma_side(form, words + 1), to = sdma_side(form, words + 6);
	struct wt_sight *view = queue->view;
	uint32_t shift = words[0] >> 29;
	uint64_t width = (words[11] & form->plane) + 1,
		 height = (words[11] >> 16 & form->plane) + 1;
	uint64_t depth = (words[12] & form->depth) + 1;
	bool fine = true;

	for (uint64_t z = 0; z < depth && fine; z++)
		for (uint64_t y = 0; y < height && fine; y++)
			fine = wt_sight_copy(view, row_of(&to, y, z, shift),
					     row_of(&from, y, z, shift), width << shift);
	return fine;
}

/* How many words a command has, as far as its first @count words tell; 0 for one that is not known. */
static uint32_t sdma_command_length(const uint32_t *words, uint32_t count)
{
	uint32_t word = words[0];

	switch (word & 0xffff) {
	case COMMAND_NOP:
		return 1 + (word >> 16 & 0x3fff);
	case COPY_LINEAR:
		return word & BROADCAST ? 9 : 7;
	case COPY_RECTANGLE:
		return 13;
	case COMMAND_WRITE:
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
	case CACHE_USER:
		return 5;
	case TIMESTAMP_GLOBAL:
		return 3;
	default:
		return 0;
	}
}

static bool is_flush(const uint32_t *words)
{
	return words[0] & POLL_FLUSH || (!words[1] && words[2] == POLL_FLUSH_WORD && !words[3]);
}

/* Whether a command asks for what is done here. What would be left out or cut off is not. */
static bool sdma_is_known(const uint32_t *words)
{
	switch (words[0] & 0xffff) {
	case COPY_LINEAR:
		return !(words[1] & ~COUNT_MASK) && !(words[2] & SWAP_MASK);
	case COMMAND_FILL:
		return !(words[4] & ~COUNT_MASK) && FILL_SIZE(words[0]) <= FILL_SIZE_MAX;
	case COMMAND_ATOMIC:
		return words[0] >> 25 == ATOMIC_ADD_64;
	case COMMAND_POLL:
		return words[0] & POLL_MEMORY ? POLL_FUNCTION(words[0]) <= POLL_FUNCTION_MAX
					      : is_flush(words);
	default:
		return true;
	}
}

/* Whether what a command waits for is so. Return: false if it cannot be read. */
static bool poll(struct wt_sight *view, const uint32_t *words, bool *met_ret)
{
	uint32_t value = 0;

	*met_ret = true;
	if (!(words[0] & POLL_MEMORY))
		return true;
	if (!wt_sight_read(view, wide(words + 1), &value, sizeof(value)))
		return false;
	value &= words[4];
	switch (POLL_FUNCTION(words[0])) {
	case 1:
		*met_ret = value < words[3];
		break;
	case 2:
		*met_ret = value <= words[3];
		break;
	case 3:
		*met_ret = value == words[3];
		break;
	case 4:
		*met_ret = value != words[3];
		break;
	case 5:
		*met_ret = value >= words[3];
		break;
	case 6:
		*met_ret = value > words[3];
		break;
	default:
		break;
	}
	return true;
}

static bool stamp(struct wt_sight *view, uint64_t address)
{
	uint64_t now = wt_engine_ticks();

	return wt_sight_write(view, address, &now, sizeof(now));
}

/* A word of the command at the read position, which may wrap around. */
static bool sdma_read_word(struct wt_engine_queue *queue, uint32_t index, uint32_t *word_ret)
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

		fine = sdma_read_word(queue, i, &word) &&
		       wt_sight_write(queue->view, to, &word, sizeof(word));
		to += sizeof(word);
	}
	return fine;
}

static bool sdma_run_command(struct wt_engine_queue *queue, const uint32_t *words, uint32_t length)
{
	const struct wt_engine_host *host = &queue->view->engine->host;
	struct wt_sight *view = queue->view;

	switch (words[0] & 0xffff) {
	case COPY_LINEAR:
		return copy_linear(view, words);
	case COPY_RECTANGLE:
		return copy_rectangle(queue, words);
	case COMMAND_WRITE:
		return write_data(queue, words, length);
	case COMMAND_FENCE:
		return wt_sight_publish(view, wide(words + 1), &words[3], sizeof(words[3]));
	case COMMAND_TRAP:
		host->signal(host->opaque, words[1]);
		return true;
	case COMMAND_ATOMIC:
		return wt_sight_add(view, wide(words + 1), (int64_t)wide(words + 3));
	case COMMAND_FILL:
		return sdma_fill(view, words);
	case TIMESTAMP_GLOBAL:
		return stamp(view, wide(words + 1));
	default:
		return true;
	}
}

/* The words of the command at the read position but for data. Return: how many it has; 0 if it is not known or cannot be read. */
static uint32_t sdma_fetch(struct wt_engine_queue *queue, uint32_t words[WORDS_MAX])
{
	uint32_t length = 1;

	for (uint32_t i = 0; i < length && i < WORDS_MAX; i++) {
		if (!sdma_read_word(queue, i, &words[i]))
			return 0;
		length = sdma_command_length(words, i + 1);
	}
	return length;
}

/* How many bytes a command moves, about. */
static uint64_t moved_bytes(const struct wt_engine_queue *queue, const uint32_t *words)
{
	const struct rectangle_form *form = rectangle_form(queue);

	switch (words[0] & 0xffff) {
	case COPY_LINEAR:
		return (words[1] & COUNT_MASK) + UINT64_C(1);
	case COPY_RECTANGLE:
		return ((words[11] & form->plane) + UINT64_C(1)) *
			       ((words[11] >> 16 & form->plane) + 1) *
			       ((words[12] & form->depth) + 1)
		       << (words[0] >> 29);
	case COMMAND_FILL:
		return fill_size(words);
	default:
		return 0;
	}
}

/* An engine of hardware hangs on such a command, and the kernel resets it. */
static void refuse_command(struct wt_engine_queue *queue, const uint32_t *words, uint32_t length)
{
	const struct wt_engine_host *host = &queue->view->engine->host;
	char text[128];

	queue->failed = true;
	snprintf(text, sizeof(text),
		 "copy queue %u has failed: a command that it does not know (%08x %08x, %u words)",
		 queue->id, words[0], length > 1 ? words[1] : 0, length);
	host->hang(host->opaque, queue->view->agent, text);
}

static void fail_access(struct wt_engine_queue *queue, uint32_t word)
{
	const struct wt_engine_host *host = &queue->view->engine->host;

	queue->failed = true;
	wt_engine_message(queue->view->engine,
			  "copy queue %u has failed: memory that it cannot access (%08x)",
			  queue->id, word);
	host->fault(host->opaque, &queue->view->fault);
}

/* The command at the read position. Return: whether it is done. */
static bool sdma_step(struct wt_engine_queue *queue, uint64_t written, uint64_t *bytes)
{
	uint32_t words[WORDS_MAX] = {0}, length = sdma_fetch(queue, words);
	bool met = true;

	if (!length || length * sizeof(*words) > queue->options.ring_size) {
		refuse_command(queue, words, length);
		return false;
	}
	/* The rest of it has not been written yet. */
	if (length * sizeof(*words) > written - queue->sdma_read)
		return false;
	if (!sdma_is_known(words)) {
		refuse_command(queue, words, length);
		return false;
	}
	if (((words[0] & 0xffff) == COMMAND_POLL && !poll(queue->view, words, &met)) ||
	    (met && !sdma_run_command(queue, words, length))) {
		fail_access(queue, words[0]);
		return false;
	}
	if (!met)
		return false;
	*bytes += moved_bytes(queue, words);
	queue->sdma_read += (uint64_t)length * sizeof(*words);
	wt_sight_publish(queue->view, queue->options.read_pointer_address, &queue->sdma_read,
			 sizeof(queue->sdma_read));
	return true;
}

bool wt_sdma_run(struct wt_engine_queue *queue)
{
	uint64_t bytes = 0;
	bool any = false;

	for (uint32_t i = 0; i < SLICE && bytes < SLICE_BYTES && queue->runs && !queue->failed &&
			     !queue->queue.held;
	     i++) {
		uint64_t written = __atomic_load_n(queue->options.doorbell, __ATOMIC_ACQUIRE);

		if (queue->sdma_read >= written || !sdma_step(queue, written, &bytes))
			break;
		any = true;
	}
	return any;
}
