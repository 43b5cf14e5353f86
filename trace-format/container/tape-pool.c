/* SPDX-License-Identifier: MIT */
/*
 * Full chunks of one stop, which several threads compress at once.
 *
 * The state of a whole GPU fills many chunks, and none of their packets has to survive a kill before the stop is finished. So
 * they are not staged: a full chunk waits in memory until a thread has compressed it, and this thread writes the chunks to
 * the file one after another, in their order. Packets that are in the stage from before are in the first of these chunks;
 * the stage is valid until that chunk is in the file.
 *
 * Which chunks there are, and what is in the file after each call of the tape, depends on the number of threads only, never
 * on their speed. The finished trace does not depend on it at all.
 */
#include "trace-format/container/tape-pool.h"

#include <stdlib.h>

#include "trace-format/container/tape-chunk.h"
#include "trace-format/container/tape-defer.h"
#include "trace-format/container/tape-pending.h"
#include "trace-format/container/tape-tail.h"

struct pool_chunk {
	struct wt_pending pending; /* with a zstd context of its own */
	struct wt_worker worker;
};

struct wt_pool {
	struct pool_chunk chunks[WT_POOL_MAX];
	unsigned int first,
		used;  /* a ring of tape->workers.cores chunks: the oldest, and how many */
	uint64_t room; /* in the file, that the chunks take at most */
};

void wt_tape_begin_bulk(struct wt_tape *tape)
{
	tape->workers.bulk = true;
}

static void compress(void *argument)
{
	wt_pending_compress(argument);
}

static bool can_pool(const struct wt_tape *tape, size_t size)
{
	unsigned int used = tape->workers.pool ? tape->workers.pool->used : 0;

	return size && tape->workers.may_defer && tape->workers.cores > 1 && tape->tail.second &&
	       !wt_tape_is_index_due(tape, used + 1);
}

/* Without memory there is none, and it is tried again at the next chunk. */
static struct wt_pool *get_pool(struct wt_tape *tape)
{
	if (!tape->workers.pool)
		tape->workers.pool = calloc(1, sizeof(*tape->workers.pool));
	return tape->workers.pool;
}

static bool pool_chunk_prepare(const struct wt_tape *tape, struct pool_chunk *chunk, size_t size)
{
	struct wt_pending *pending = &chunk->pending;

	if (!pending->zstd) {
		pending->zstd = ZSTD_createCCtx();
		if (!pending->zstd)
			return false;
		if (ZSTD_isError(ZSTD_CCtx_setParameter(pending->zstd, ZSTD_c_compressionLevel,
							tape->packing.level))) {
			ZSTD_freeCCtx(pending->zstd);
			pending->zstd = NULL;
			return false;
		}
	}
	return wt_pending_prepare(tape, pending, size);
}

static struct wt_error *write_oldest(struct wt_tape *tape)
{
	struct wt_pool *pool = tape->workers.pool;
	struct pool_chunk *chunk = &pool->chunks[pool->first];
	struct wt_error *error;

	wt_worker_wait(&chunk->worker);
	error = wt_pending_finish(tape, &chunk->pending);
	if (!error)
		error = wt_tape_check_file(tape);
	if (!error)
		error = wt_pending_write(tape, &chunk->pending);
	if (error)
		return error;
	/* All that it has is in the first chunk that was written. */
	tape->stage.used = 0;
	pool->room -= wt_tape_chunk_room(chunk->pending.raw.size);
	pool->first = (pool->first + 1) % tape->workers.cores;
	pool->used--;
	tape->workers.pooled++;
	return NULL;
}

bool wt_tape_pool_is_used(const struct wt_tape *tape)
{
	return tape->workers.pool && tape->workers.pool->used;
}

struct wt_error *wt_tape_pool_drain(struct wt_tape *tape)
{
	struct wt_error *error = NULL;

	while (!error && wt_tape_pool_is_used(tape))
		error = write_oldest(tape);
	return error;
}

/* A place in the pool, and room in the gap for the chunks in it, for this one, and for another one. */
static struct wt_error *pool_make_room(struct wt_tape *tape, struct wt_pool *pool, size_t size,
				       bool *done_ret)
{
	struct wt_error *error = pool->used == tape->workers.cores ? write_oldest(tape) : NULL;
	bool had = pool->used;

	*done_ret = !error && wt_tape_has_room(tape, pool->room + wt_tape_chunk_room(size));
	if (error || *done_ret || !had)
		return error;
	error = wt_tape_pool_drain(tape);
	if (!error)
		error = wt_tape_place_stage(tape);
	*done_ret = !error && wt_tape_has_room(tape, wt_tape_chunk_room(size));
	return error;
}

static void pool_hand_over(struct wt_tape *tape, struct wt_pool *pool, struct pool_chunk *chunk,
			   size_t size)
{
	wt_pending_take(tape, &chunk->pending, size);
	/* The packets that follow are not in the stage of those before them. */
	tape->stage.is_live = false;
	pool->room += wt_tape_chunk_room(size);
	pool->used++;
	/* A chunk takes the same way from here if no thread can be had. */
	if (!wt_worker_start(&chunk->worker, compress, &chunk->pending))
		compress(&chunk->pending);
}

struct wt_error *wt_tape_pool_add(struct wt_tape *tape, size_t size, bool *done_ret)
{
	struct wt_error *error = wt_tape_settle(tape);
	struct pool_chunk *chunk;
	struct wt_pool *pool;
	bool fits;

	*done_ret = false;
	if (error || !can_pool(tape, size))
		return error;
	pool = get_pool(tape);
	if (!pool)
		return NULL;
	error = pool_make_room(tape, pool, size, &fits);
	if (error || !fits)
		return error;
	chunk = &pool->chunks[(pool->first + pool->used) % tape->workers.cores];
	if (!pool_chunk_prepare(tape, chunk, size))
		return NULL;
	pool_hand_over(tape, pool, chunk, size);
	*done_ret = true;
	return NULL;
}

size_t wt_tape_pool_size(const struct wt_tape *tape)
{
	const struct wt_pool *pool = tape->workers.pool;
	size_t size = 0;

	for (unsigned int i = 0; pool && i < WT_POOL_MAX; i++)
		size += wt_pending_size(&pool->chunks[i].pending) +
			pool->chunks[i].pending.zstd_size;
	return size;
}

void wt_tape_destroy_pool(struct wt_tape *tape)
{
	struct wt_pool *pool = tape->workers.pool;

	for (unsigned int i = 0; pool && i < WT_POOL_MAX; i++) {
		wt_worker_wait(&pool->chunks[i].worker);
		ZSTD_freeCCtx(pool->chunks[i].pending.zstd);
		wt_pending_deinit(&pool->chunks[i].pending);
	}
	free(pool);
	tape->workers.pool = NULL;
}
