/* SPDX-License-Identifier: MIT */
/* The end of a trace that is being written: gap, stage, and how blocks get in front of them. */
#include "trace-format/container/tape-tail.h"

#include <endian.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace-format/container/index.h"

/* Chunks become smaller, down to this, when the disk is nearly full. */
#define UNIT_MIN ((size_t)16 << 10)
/* The file grows by this much at a time. */
#define GROWTH ((uint64_t)2 << 20)
/* How much of the gap chunks may use up, where there are two slots, before the slots are moved on: by wide slots, and by narrow ones. */
#define SLACK ((uint64_t)3 << 20)
#define NARROW_SLACK ((uint64_t)1 << 20)
/* Bytes behind an entry whose pages are made ready with its own; what is ready is written to the disk at the next sync. */
#define READY_AHEAD ((uint64_t)64 << 10)
/* An entry of so many bytes is written by system calls: faulting in its pages would take longer than they do. */
#define LONG_ENTRY ((size_t)16 << 10)
/* Room for the notice and the end of a trace on a full disk, besides its index. */
#define END_SIZE ((uint64_t)64 << 10)

static void fill_head(const struct wt_tape *tape, struct wt_block *block)
{
	block->file_id = wt_file_id_low(tape->identity.id);
	block->index = tape->index.newest;
}

void wt_tape_image_head(struct wt_tape *tape, struct wt_block *block)
{
	uint8_t head[WT_BLOCK_SIZE];

	fill_head(tape, block);
	block->sequence = tape->tail.sequence++;
	block->offset = tape->tail.end + tape->packing.image.size;
	wt_block_encode(block, head);
	wt_buffer_append(&tape->packing.image, head, sizeof(head));
}

static void encode_gap(const struct wt_tape *tape, uint64_t offset, uint64_t end,
		       uint8_t head[WT_BLOCK_SIZE])
{
	struct wt_block gap = {
		.kind = WT_BLOCK_GAP,
		.flags = WT_BLOCK_INLINE,
		.sequence = tape->tail.sequence,
		.stored = end - offset - WT_BLOCK_SIZE,
		.offset = offset,
	};

	fill_head(tape, &gap);
	wt_block_encode(&gap, head);
}

static struct wt_error *write_gap(struct wt_tape *tape, uint64_t offset, uint64_t end)
{
	uint8_t head[WT_BLOCK_SIZE];

	encode_gap(tape, offset, end, head);
	return wt_file_write(&tape->file, head, sizeof(head), offset);
}

static struct wt_error *write_stage_head(struct wt_tape *tape, uint64_t offset, uint64_t end,
					 uint64_t sequence, const struct wt_chunk_fields *fields)
{
	uint8_t head[WT_BLOCK_SIZE];
	struct wt_block stage = {
		.kind = WT_BLOCK_STAGE,
		.flags = WT_BLOCK_INLINE,
		.sequence = sequence,
		.stored = end - offset - WT_BLOCK_SIZE,
		.offset = offset,
		.chunk = *fields,
	};

	fill_head(tape, &stage);
	wt_block_encode(&stage, head);
	return wt_file_write(&tape->file, head, sizeof(head), offset);
}

uint64_t wt_tape_chunk_room(size_t unit)
{
	return 2 * WT_BLOCK_SIZE + wt_block_align(ZSTD_compressBound(unit));
}

uint64_t wt_tape_stage_size(size_t unit)
{
	return (uint64_t)unit + unit / 4;
}

uint64_t wt_tape_growth(const struct wt_tape *tape)
{
	uint64_t spare = tape->file.spare;

	return spare && spare < GROWTH ? spare : GROWTH;
}

/* Make the file at least @size bytes long, and @more bytes longer if the disk has them. */
static struct wt_error *extend_file(struct wt_tape *tape, uint64_t size, uint64_t more)
{
	uint64_t generous = wt_block_align(size + more);
	struct wt_error *error;

	if (size <= tape->tail.size)
		return NULL;
	error = wt_file_reserve(&tape->file, tape->tail.size, generous);
	if (!error) {
		tape->tail.size = generous;
		return NULL;
	}
	if (!more || !wt_file_is_full(&tape->file))
		return error;
	wt_error_destroy(error);
	error = wt_file_reserve(&tape->file, tape->tail.size, size);
	if (!error)
		tape->tail.size = size;
	return error;
}

void wt_tape_unmap(struct wt_tape *tape)
{
	if (tape->mapping.data) {
		/* The worker makes memory ready, which must not be somebody else's by then. */
		wt_worker_wait(&tape->workers.thread);
		munmap(tape->mapping.data, tape->mapping.size);
	}
	tape->mapping.data = NULL;
	tape->mapping.ready = tape->mapping.other_ready = 0;
}

/*
 * See that the stage is mapped, if it can be: then a packet gets into the file without a system
 * call. A mapping is kept until the stage has moved out of it.
 */
static void map_stage(struct wt_tape *tape)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t offset = tape->tail.front / page * page;

	if (tape->mapping.data && tape->tail.front >= tape->mapping.offset &&
	    tape->tail.size <= tape->mapping.offset + tape->mapping.size)
		return;
	wt_tape_unmap(tape);
	tape->mapping.offset = offset;
	tape->mapping.size = (size_t)(tape->tail.size - offset);
	tape->mapping.data = wt_file_map(&tape->file, offset, tape->mapping.size);
}

struct wt_error *wt_tape_move(struct wt_tape *tape, const char *path)
{
	struct wt_error *error;

	wt_tape_unmap(tape);
	error = wt_file_move(&tape->file, path, tape->tail.size);
	/* The file may have room for slots that memory had no room for. */
	tape->tail.slots_most = WT_SLOTS_WIDE;
	map_stage(tape);
	return error;
}

struct wt_error *wt_tape_check_file(struct wt_tape *tape)
{
	if (!wt_file_is_cut(&tape->file, tape->tail.size))
		return NULL;
	wt_tape_unmap(tape);
	return wt_error_create(WT_ERROR_IO, "cannot write the trace", tape->file.path,
			       "somebody made the file shorter while it was written");
}

/*
 * The second slot has left a head in its place, now within the first one: who searches the file from the head of the
 * first slot on, because that was torn, must not come upon it, for it leads past the second one.
 */
static struct wt_error *wipe_second(struct wt_tape *tape, uint64_t front, uint64_t second)
{
	static const uint8_t zeros[WT_BLOCK_SIZE];

	if (tape->tail.second_head <= front || tape->tail.second_head >= second)
		return NULL;
	return wt_file_write(&tape->file, zeros, sizeof(zeros), tape->tail.second_head);
}

/*
 * Put a gap with @room bytes of room, and an empty stage, behind the last whole block; and another slot for a stage,
 * if the first one is not to have more than @width bytes.
 */
static struct wt_error *gap_place(struct wt_tape *tape, uint64_t room, uint64_t width,
				  uint64_t behind)
{
	uint64_t front = tape->tail.end + wt_block_align(room) + WT_BLOCK_SIZE;
	uint64_t second = width ? front + WT_BLOCK_SIZE + width : 0;
	uint64_t size = (second ? second : front) + WT_BLOCK_SIZE + behind;
	/* Slots stay where they are for many chunks. */
	struct wt_error *error = extend_file(tape, size, second ? 0 : wt_tape_growth(tape));

	if (!error && second)
		error = write_gap(tape, second, tape->tail.size);
	if (!error)
		error = write_stage_head(tape, front, second ? second : tape->tail.size,
					 tape->tail.sequence, &tape->chunk.fields);
	/* Nothing sees the new stage until the gap leads to it. */
	if (!error)
		error = write_gap(tape, tape->tail.end, front);
	if (!error)
		error = wipe_second(tape, front, second);
	if (error)
		return error;
	tape->tail.front = tape->stage.start = front;
	tape->tail.second = second;
	tape->tail.second_head = second ? second : tape->tail.second_head;
	tape->stage.end = second ? second : tape->tail.size;
	tape->stage.used = 0;
	tape->stage.staged = 0;
	tape->mapping.ready = tape->mapping.other_ready = 0;
	tape->stage.is_live = behind;
	return NULL;
}

struct wt_error *wt_tape_make_room(struct wt_tape *tape, uint64_t room)
{
	return gap_place(tape, room, 0, 0);
}

/* An upper bound for the payload of the final index, were it written after three more chunks. */
static uint64_t index_size(const struct wt_tape *tape)
{
	return tape->index.entries.size + 3 * WT_INDEX_ENTRY_SIZE + tape->index.copies.size +
	       tape->summary.stops.size + tape->summary.notices.size +
	       (uint64_t)64 * sizeof(uint64_t) + 4 * WT_BLOCK_SIZE;
}

/* Bytes that the file has behind its stages. */
static uint64_t end_size(const struct wt_tape *tape)
{
	return END_SIZE + index_size(tape);
}

/*
 * The width of one of two slots. In a wide one there is room for a full chunk that is compressed, and for the next one
 * meanwhile.
 */
static uint64_t slot_width(enum wt_slots slots)
{
	return wt_block_align(
		wt_tape_stage_size(slots == WT_SLOTS_WIDE ? 2 * WT_CHUNK_TARGET : WT_CHUNK_TARGET));
}

/*
 * Two slots. @room: for chunks in the gap. Not done if the disk has no room for them.
 *
 * They are never moved back: of a first slot that lay further on, a head would be left within the new one, and lead a reader
 * past the second.
 */
static struct wt_error *try_slots(struct wt_tape *tape, enum wt_slots slots, uint64_t room,
				  bool *done_ret)
{
	uint64_t width = slot_width(slots);
	uint64_t before = tape->tail.second ? tape->tail.front - tape->tail.end - WT_BLOCK_SIZE : 0;
	struct wt_error *error;

	room = room > before ? room : before;
	*done_ret = !tape->file.spare || room + 2 * width <= tape->file.spare;
	if (!*done_ret)
		return NULL;
	error = gap_place(tape, room, width, wt_block_align(width + end_size(tape)));
	if (!error || !wt_file_is_full(&tape->file))
		return error;
	wt_error_destroy(error);
	tape->file.over_limit = *done_ret = false;
	return NULL;
}

/* Tries one kind of slots; wide ones with room for the chunks of a pool if there is to be one, and the disk has it. */
static struct wt_error *try_kind(struct wt_tape *tape, enum wt_slots slots, bool *done_ret)
{
	const uint64_t chunk = wt_tape_chunk_room(WT_CHUNK_TARGET);
	struct wt_error *error = NULL;

	if (slots == WT_SLOTS_NARROW)
		return try_slots(tape, slots, 2 * chunk + NARROW_SLACK, done_ret);
	*done_ret = false;
	if (tape->workers.bulk && tape->workers.cores > 1)
		error = try_slots(tape, slots, chunk + SLACK + tape->workers.cores * chunk,
				  done_ret);
	if (!error && !*done_ret)
		error = try_slots(tape, slots, chunk + SLACK, done_ret);
	return error;
}

static enum wt_slots best_slots(const struct wt_tape *tape)
{
	return tape->tail.slots < tape->tail.slots_most ? tape->tail.slots : tape->tail.slots_most;
}

/* The best there is room for. What there was none for is not tried again at every chunk of a disk that is nearly full. */
static struct wt_error *place_slots(struct wt_tape *tape, bool *done_ret)
{
	struct wt_error *error = NULL;

	*done_ret = false;
	while (!error && !*done_ret && best_slots(tape) != WT_SLOTS_ONE) {
		enum wt_slots slots = best_slots(tape);

		error = try_kind(tape, slots, done_ret);
		if (!error && !*done_ret)
			tape->tail.slots_most = slots - 1;
	}
	return error;
}

/* The usual unit, unless that takes more than is to be reserved. */
static size_t first_unit(const struct wt_tape *tape)
{
	uint64_t spare = tape->file.spare;
	size_t unit = WT_CHUNK_TARGET;

	while (spare && unit > UNIT_MIN &&
	       wt_tape_chunk_room(unit) + wt_tape_stage_size(unit) > spare)
		unit /= 4;
	return unit;
}

struct wt_error *wt_tape_place_stage(struct wt_tape *tape)
{
	size_t unit = first_unit(tape);
	bool done;
	struct wt_error *error = place_slots(tape, &done);

	while (!done) {
		error = gap_place(tape, wt_tape_chunk_room(unit), 0,
				  wt_block_align(wt_tape_stage_size(unit) + end_size(tape)));
		if (!error)
			break;
		if (!wt_file_is_full(&tape->file) || unit <= UNIT_MIN)
			return error;
		wt_error_destroy(error);
		unit /= 4;
	}
	if (error)
		return error;
	tape->tail.unit = unit;
	map_stage(tape);
	return NULL;
}

bool wt_tape_has_room(const struct wt_tape *tape, uint64_t room)
{
	return tape->tail.end + room + wt_tape_chunk_room(WT_CHUNK_TARGET) + WT_BLOCK_SIZE <=
	       tape->tail.front;
}

uint64_t wt_tape_other_slot(const struct wt_tape *tape)
{
	return tape->stage.start == tape->tail.front ? tape->tail.second : tape->tail.front;
}

static uint64_t slot_end(const struct wt_tape *tape, uint64_t slot)
{
	return tape->tail.second && slot == tape->tail.front ? tape->tail.second : tape->tail.size;
}

uint64_t wt_tape_slot_room(const struct wt_tape *tape, uint64_t slot)
{
	return slot_end(tape, slot) - slot - WT_BLOCK_SIZE;
}

void wt_tape_use_slot(struct wt_tape *tape, uint64_t slot)
{
	const uint64_t ready = tape->mapping.other_ready;

	tape->mapping.other_ready = tape->mapping.ready;
	tape->mapping.ready = ready;
	tape->stage.start = slot;
	tape->stage.end = slot_end(tape, slot);
}

/* Are the slots as wide as they are wanted, with room for two more chunks before them? The end may lie over them. */
static bool slots_may_stay(const struct wt_tape *tape)
{
	const uint64_t width = slot_width(best_slots(tape));

	return tape->tail.second && best_slots(tape) != WT_SLOTS_ONE &&
	       !(tape->workers.bulk && tape->workers.cores > 1) &&
	       tape->tail.front + WT_BLOCK_SIZE + width <= tape->tail.second &&
	       end_size(tape) <= tape->tail.size - tape->tail.front &&
	       wt_tape_has_room(tape, wt_tape_chunk_room(WT_CHUNK_TARGET));
}

/* In the second slot: the last head of the file is where readers look for the newest index. */
struct wt_error *wt_tape_next_stage(struct wt_tape *tape)
{
	struct wt_error *error;

	if (!slots_may_stay(tape))
		return wt_tape_place_stage(tape);
	error = write_stage_head(tape, tape->tail.second, tape->tail.size, tape->tail.sequence,
				 &tape->chunk.fields);
	if (error)
		return error;
	if (tape->stage.start != tape->tail.second)
		wt_tape_use_slot(tape, tape->tail.second);
	tape->stage.used = 0;
	tape->stage.staged = 0;
	tape->stage.is_live = true;
	return NULL;
}

struct wt_error *wt_tape_write_slot(struct wt_tape *tape, uint64_t slot,
				    const struct wt_chunk_fields *fields)
{
	uint64_t sequence = tape->tail.sequence + 1, place = slot + WT_BLOCK_SIZE;
	uint32_t head[2] = {
		htole32((uint32_t)tape->stage.staged),
		htole32(wt_stage_crc(sequence, 0, tape->chunk.raw.data, tape->stage.staged)),
	};
	struct wt_error *error = NULL;

	if (tape->stage.staged)
		error = wt_file_write(&tape->file, tape->chunk.raw.data, tape->stage.staged,
				      place + sizeof(head));
	if (!error && tape->stage.staged)
		error = wt_file_write(&tape->file, head, sizeof(head), place);
	return error ? error : write_stage_head(tape, slot, slot_end(tape, slot), sequence, fields);
}

struct wt_error *wt_tape_append_image(struct wt_tape *tape)
{
	struct wt_buffer *image = &tape->packing.image;
	uint64_t length = image->size;
	struct wt_error *error = NULL;
	uint8_t *gap;

	if (tape->tail.end + length + WT_BLOCK_SIZE > tape->tail.front) {
		if (tape->stage.used)
			return wt_error_create(WT_ERROR_INTERNAL, "cannot write the trace",
					       tape->file.path,
					       "a chunk does not fit into its gap");
		error = wt_tape_make_room(tape, length);
		if (error)
			return error;
	}
	gap = wt_buffer_extend(image, WT_BLOCK_SIZE);
	if (!gap)
		return &wt_error_no_memory;
	encode_gap(tape, tape->tail.end + length, tape->tail.front, gap);
	/* The first head is what makes the rest count, so it comes last. */
	error = wt_file_write(&tape->file, image->data + WT_BLOCK_SIZE, image->size - WT_BLOCK_SIZE,
			      tape->tail.end + WT_BLOCK_SIZE);
	if (!error)
		error = wt_file_write(&tape->file, image->data, WT_BLOCK_SIZE, tape->tail.end);
	if (!error)
		tape->tail.end += length;
	return error;
}

void wt_tape_clear_ahead(struct wt_tape *tape, uint64_t to)
{
	uint64_t from = tape->stage.start + WT_BLOCK_SIZE + tape->stage.used;
	struct wt_buffer *zeros = &tape->stage.zeros;

	from = from > tape->stage.cleared ? from : tape->stage.cleared;
	to = to < tape->stage.end ? to : tape->stage.end;
	if (!zeros->size && wt_buffer_extend(zeros, READY_AHEAD))
		memset(zeros->data, 0, READY_AHEAD);
	zeros->failed = false;
	if (from >= to || !zeros->size || wt_file_is_cut(&tape->file, tape->tail.size))
		return;
	wt_file_clear(&tape->file, zeros->data, zeros->size, from, to);
	tape->stage.cleared = to;
}

/*
 * The pages of an entry from @from up to @to, and some of those that come next: a page that the first store into it faults
 * in takes as long as 30 calls, one of several at once as 25, and one that was written before as 5.
 */
static void make_ready(struct wt_tape *tape, uint64_t from, uint64_t to)
{
	const uint64_t end = tape->mapping.offset + tape->mapping.size;

	to = (to + READY_AHEAD - 1) & ~(READY_AHEAD - 1);
	to = to < end ? to : end;
	wt_tape_clear_ahead(tape, to);
	wt_file_make_ready(tape->mapping.data, from - tape->mapping.offset,
			   to - tape->mapping.offset);
	tape->mapping.ready = to;
}

/* Places in the file at which the next entry begins, and ends. */
static uint64_t entry_offset(const struct wt_tape *tape)
{
	return tape->stage.start + WT_BLOCK_SIZE + tape->stage.used;
}

static uint64_t entry_end(const struct wt_tape *tape, size_t length)
{
	return entry_offset(tape) + WT_STAGE_ENTRY_HEAD + length;
}

static void entry_count(struct wt_tape *tape, size_t length)
{
	tape->stage.used += WT_STAGE_ENTRY_HEAD + length;
	tape->stage.staged += length;
}

/* An entry into the file's memory: the stage is mapped. */
static void entry_store(struct wt_tape *tape, size_t length)
{
	wt_stage_put(tape->tail.sequence, tape->stage.used,
		     tape->chunk.raw.data + tape->stage.staged, length,
		     tape->mapping.data + (entry_offset(tape) - tape->mapping.offset));
	entry_count(tape, length);
}

/* An entry by a system call. */
static struct wt_error *write_entry(struct wt_tape *tape, size_t length)
{
	const uint8_t *data = tape->chunk.raw.data + tape->stage.staged;
	struct wt_buffer *entry = &tape->stage.entry;
	struct wt_error *error;

	wt_buffer_clear(entry);
	wt_buffer_append_u32(entry, (uint32_t)length);
	wt_buffer_append_u32(entry,
			     wt_stage_crc(tape->tail.sequence, tape->stage.used, data, length));
	wt_buffer_append(entry, data, length);
	if (entry->failed)
		return &wt_error_no_memory;
	error = wt_file_write(&tape->file, entry->data, entry->size, entry_offset(tape));
	if (!error)
		entry_count(tape, length);
	return error;
}

/* The same without a copy. The entry counts when its head is there. */
static struct wt_error *write_long_entry(struct wt_tape *tape, size_t length)
{
	const uint8_t *data = tape->chunk.raw.data + tape->stage.staged;
	const uint64_t offset = entry_offset(tape);
	const uint32_t head[2] = {
		htole32((uint32_t)length),
		htole32(wt_stage_crc(tape->tail.sequence, tape->stage.used, data, length)),
	};
	struct wt_error *error =
		wt_file_write(&tape->file, data, length, offset + WT_STAGE_ENTRY_HEAD);

	if (!error)
		error = wt_file_write(&tape->file, head, sizeof(head), offset);
	if (!error)
		entry_count(tape, length);
	return error;
}

struct wt_error *wt_tape_stage_packets(struct wt_tape *tape, size_t size, bool *fits_ret)
{
	size_t length = size - tape->stage.staged;
	uint64_t capacity = tape->stage.end - tape->stage.start - WT_BLOCK_SIZE;

	*fits_ret = tape->stage.is_live && tape->stage.used <= capacity &&
		    length + WT_STAGE_ENTRY_HEAD <= capacity - tape->stage.used;
	if (!length || !*fits_ret)
		return NULL;
	if (length >= LONG_ENTRY)
		return write_long_entry(tape, length);
	if (!tape->mapping.data)
		return write_entry(tape, length);
	if (entry_end(tape, length) > tape->mapping.ready)
		make_ready(tape, entry_offset(tape), entry_end(tape, length));
	entry_store(tape, length);
	return NULL;
}
