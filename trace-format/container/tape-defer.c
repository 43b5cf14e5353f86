/* SPDX-License-Identifier: MIT */
/*
 * A full chunk, while another thread compresses it. There are two slots for a stage behind the gap:
 *
 *     whole blocks | gap | slot | slot |
 *
 * 1. The chunk's packets are in the stage; those of the next chunk are put there behind them.
 * 2. When it is compressed, the packets of the next chunk are written into the other slot as well, which
 *    becomes a stage of the next sequence.
 * 3. The chunk is written over the gap. Its sequence is that of the first stage, which from then on means nothing.
 *
 * A reader that finds both stages and not yet the chunk takes that of the lower sequence, which holds all.
 * The thread sees nothing but memory: it compresses, and this one writes. Before that it makes ready those pages of both
 * slots that are mapped and stored to next: otherwise each of them stops the caller for as long as ten calls.
 */
#include "trace-format/container/tape-defer.h"

#include <stdlib.h>

#include "trace-format/container/index.h"
#include "trace-format/container/tape-chunk.h"
#include "trace-format/container/tape-tail.h"

/* The packets that come while a chunk is compressed take such a part of its size, at most. */
#define MEANWHILE_PART 4u

struct wt_deferral {
	bool active;		     /* a chunk is on its way */
	unsigned int flushes;	     /* since then */
	struct wt_pending pending;   /* that chunk, with the tape's zstd context */
	struct wt_chunk_fields next; /* of the open chunk, when that began */
	uint8_t *map;		     /* the tape's */
	uint64_t coming[2],
		coming_end[2]; /* bytes of that which are stored to next, in each slot */
};

static void deferral_work(void *argument)
{
	struct wt_deferral *deferral = argument;

	for (size_t i = 0; deferral->map && i < 2; i++)
		wt_file_make_ready(deferral->map, deferral->coming[i], deferral->coming_end[i]);
	wt_pending_compress(&deferral->pending);
}

/* Without memory there is none, and it is tried again at the next chunk. */
static struct wt_deferral *get_deferral(struct wt_tape *tape)
{
	if (!tape->workers.deferral)
		tape->workers.deferral = calloc(1, sizeof(*tape->workers.deferral));
	if (tape->workers.deferral)
		tape->workers.deferral->pending.zstd = tape->packing.zstd;
	return tape->workers.deferral;
}

/* Is there room in the stage behind the chunk for what comes while it is compressed? A full one leaves none in a narrow slot. */
static bool leaves_room(const struct wt_tape *tape, size_t size)
{
	uint64_t room = wt_tape_slot_room(tape, tape->stage.start);

	return tape->stage.used + (size - tape->stage.staged) + size / MEANWHILE_PART <= room;
}

/* The index block that is due behind every so many chunks is written when the last of these is closed at once. */
static bool can_defer(const struct wt_tape *tape, size_t size)
{
	return size && tape->workers.may_defer && !tape->packed && tape->tail.second &&
	       tape->stage.is_live && leaves_room(tape, size) && !wt_tape_is_index_due(tape, 1) &&
	       wt_tape_has_room(tape, wt_tape_chunk_room(size));
}

/*
 * Makes ready the part behind the stage in the slot that has it, and the first part of the other slot: each as long as
 * this chunk's stage. What is made ready is written to the disk, with the next sync at the latest, so not for chunks
 * that are not full: the next one will hardly be fuller.
 */
static void see_coming(struct wt_tape *tape, struct wt_deferral *deferral, size_t size)
{
	uint64_t start[2] = {tape->stage.start + tape->stage.used, wt_tape_other_slot(tape)};
	uint64_t mapped = tape->mapping.offset + tape->mapping.size;

	deferral->map = size >= WT_CHUNK_TARGET / 2 ? tape->mapping.data : NULL;
	for (size_t i = 0; i < 2; i++) {
		uint64_t end = start[i] + wt_tape_stage_size(size);

		deferral->coming[i] = start[i] - tape->mapping.offset;
		deferral->coming_end[i] = (end < mapped ? end : mapped) - tape->mapping.offset;
	}
	if (deferral->map) {
		tape->mapping.ready = tape->mapping.offset + deferral->coming_end[0];
		tape->mapping.other_ready = tape->mapping.offset + deferral->coming_end[1];
		/* The other slot is not looked at for so long that the worker need not be quick about it. */
		wt_tape_clear_ahead(tape, tape->mapping.ready);
	}
}

static void deferral_hand_over(struct wt_tape *tape, struct wt_deferral *deferral, size_t size)
{
	wt_pending_take(tape, &deferral->pending, size);
	deferral->next = tape->chunk.fields;
	deferral->flushes = 0;
	deferral->active = true;
	/* A chunk takes the same way from here if no thread can be had. */
	see_coming(tape, deferral, size);
	if (!wt_worker_start(&tape->workers.thread, deferral_work, deferral))
		wt_pending_compress(&deferral->pending);
}

struct wt_error *wt_tape_defer(struct wt_tape *tape, size_t size, bool *done_ret)
{
	struct wt_deferral *deferral;
	struct wt_error *error = wt_tape_settle(tape);
	bool fits;

	*done_ret = false;
	if (error || !can_defer(tape, size))
		return error;
	deferral = get_deferral(tape);
	if (!deferral || !wt_pending_prepare(tape, &deferral->pending, size))
		return NULL;
	/* Behind them come those of the next chunk. */
	error = wt_tape_stage_packets(tape, size, &fits);
	if (error || !fits)
		return error;
	deferral_hand_over(tape, deferral, size);
	*done_ret = true;
	return NULL;
}

bool wt_tape_is_deferred(const struct wt_tape *tape)
{
	return tape->workers.deferral && tape->workers.deferral->active;
}

bool wt_tape_is_settling(struct wt_tape *tape)
{
	if (!wt_tape_is_deferred(tape))
		return false;
	if (tape->workers.lag)
		return ++tape->workers.deferral->flushes >= tape->workers.lag;
	return wt_worker_is_done(&tape->workers.thread);
}

struct wt_error *wt_tape_settle(struct wt_tape *tape)
{
	struct wt_deferral *deferral = tape->workers.deferral;
	struct wt_error *error;
	uint64_t slot;

	if (!wt_tape_is_deferred(tape))
		return NULL;
	wt_worker_wait(&tape->workers.thread);
	error = wt_pending_finish(tape, &deferral->pending);
	if (!error)
		error = wt_tape_check_file(tape);
	slot = wt_tape_other_slot(tape);
	if (!error)
		error = wt_tape_write_slot(tape, slot, &deferral->next);
	if (!error)
		error = wt_pending_write(tape, &deferral->pending);
	if (error)
		return error;
	wt_tape_use_slot(tape, slot);
	tape->stage.used = tape->stage.staged ? WT_STAGE_ENTRY_HEAD + tape->stage.staged : 0;
	deferral->active = false;
	tape->workers.deferred++;
	return NULL;
}

size_t wt_tape_deferral_size(const struct wt_tape *tape)
{
	const struct wt_deferral *deferral = tape->workers.deferral;

	if (!deferral)
		return ZSTD_sizeof_CCtx(tape->packing.zstd);
	return wt_pending_size(&deferral->pending) +
	       (deferral->active ? deferral->pending.zstd_size
				 : ZSTD_sizeof_CCtx(tape->packing.zstd));
}

void wt_tape_destroy_deferral(struct wt_tape *tape)
{
	struct wt_deferral *deferral = tape->workers.deferral;

	if (!deferral)
		return;
	wt_worker_wait(&tape->workers.thread);
	wt_pending_deinit(&deferral->pending);
	free(deferral);
	tape->workers.deferral = NULL;
}
