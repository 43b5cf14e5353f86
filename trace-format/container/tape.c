/* SPDX-License-Identifier: MIT */
#include "trace-format/container/tape.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace-format/container/tape-chunk.h"
#include "trace-format/container/tape-defer.h"
#include "trace-format/container/tape-tail.h"
#include "trace-format/message/encode.h"

#define CANNOT_WRITE "cannot write the trace"
#define CLOSE_AFTER_MS 100u
/*
 * A chunk with less stays open whatever its age: a client that asks now and then for days would fill its trace with heads, and the
 * memory for the final index. What is in it is in the file all the same.
 */
#define CLOSE_OLD_MIN ((size_t)64 << 10)
/* A trace with more bytes of notices has none of them in its summary. */
#define NOTICES_MAX ((size_t)1 << 20)
/* Less than this is compressed in the time that it takes to start another thread, and to take back what it made. */
#define DEFER_MIN ((size_t)32 << 10)

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

/* Write all of them to the file, in order. Waits for their compression. The stage is not in use afterwards. */
static struct wt_error *tape_pool_drain(struct wt_tape *tape)
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
	error = tape_pool_drain(tape);
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

/*
 * Let a thread compress the first @size bytes of `raw`. @done_ret: false if the caller has to compress them itself, after
 * tape_pool_drain(). Errors: those of chunks that were added before.
 */
static struct wt_error *tape_pool_add(struct wt_tape *tape, size_t size, bool *done_ret)
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

/* Bytes of memory that the pool takes. */
static size_t tape_pool_size(const struct wt_tape *tape)
{
	const struct wt_pool *pool = tape->workers.pool;
	size_t size = 0;

	for (unsigned int i = 0; pool && i < WT_POOL_MAX; i++)
		size += wt_pending_size(&pool->chunks[i].pending) +
			pool->chunks[i].pending.zstd_size;
	return size;
}

static void tape_destroy_pool(struct wt_tape *tape)
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

static struct wt_error *write_file_head(struct wt_tape *tape)
{
	uint8_t head[WT_BLOCK_SIZE];
	struct wt_block block = {
		.kind = WT_BLOCK_FILE,
		.flags = WT_BLOCK_REQUIRED,
		.file_id = wt_file_id_low(tape->identity.id),
		.file = tape->identity,
	};

	wt_block_encode(&block, head);
	return wt_file_write(&tape->file, head, sizeof(head), 0);
}

static struct wt_error *tape_prepare(struct wt_tape *tape, int level)
{
	struct wt_error *error;

	tape->packing.zstd = ZSTD_createCCtx();
	if (!tape->packing.zstd)
		return &wt_error_no_memory;
	tape->packing.level = level;
	if (ZSTD_isError(
		    ZSTD_CCtx_setParameter(tape->packing.zstd, ZSTD_c_compressionLevel, level)))
		return wt_error_create(WT_ERROR_USAGE, "cannot create the trace", tape->file.path,
				       "%d is no compression level", level);
	/* First of all, so that a kill at any time leaves a trace, be it an empty one. */
	error = write_file_head(tape);
	return error ? error : wt_tape_place_stage(tape);
}

struct wt_error *wt_tape_create(struct wt_file *file, const uint8_t id[16], int level,
				uint64_t features, bool may_defer, struct wt_tape **tape_ret)
{
	struct wt_tape *tape = calloc(1, sizeof(*tape));
	struct wt_error *error;

	if (!tape) {
		wt_file_close(file);
		return &wt_error_no_memory;
	}
	tape->file = *file;
	*file = (struct wt_file){.fd = -1};
	tape->identity.major = WT_FORMAT_MAJOR;
	tape->identity.minor = WT_FORMAT_MINOR;
	tape->identity.required =
		WT_FEATURE_CHANGES | WT_FEATURE_ROWS | WT_FEATURE_ITEM_TYPES | features;
	memcpy(tape->identity.id, id, sizeof(tape->identity.id));
	tape->tail.end = WT_BLOCK_SIZE;
	tape->chunk.target = WT_CHUNK_TARGET;
	tape->tail.sequence = 1;
	tape->chunk.next_name = 1;
	tape->workers.may_defer = may_defer;
	tape->workers.defer_min = DEFER_MIN;
	tape->tail.slots = may_defer ? WT_SLOTS_NARROW : WT_SLOTS_ONE;
	tape->tail.slots_most = WT_SLOTS_WIDE;
	tape->chunk.fields = (struct wt_chunk_fields){
		.first_call = 1, .first_blob = 1, .first_name = 1, .keyframe = WT_NO_MOMENT};
	error = tape_prepare(tape, level);
	if (error) {
		wt_tape_destroy(tape);
		return error;
	}
	*tape_ret = tape;
	return NULL;
}

void wt_tape_destroy(struct wt_tape *tape)
{
	if (!tape)
		return;
	/* First, for their threads use what is released below. */
	wt_tape_destroy_deferral(tape);
	tape_destroy_pool(tape);
	wt_tape_unmap(tape);
	wt_file_close(&tape->file);
	ZSTD_freeCCtx(tape->packing.zstd);
	wt_buffer_deinit(&tape->chunk.raw);
	wt_buffer_deinit(&tape->stage.entry);
	wt_buffer_deinit(&tape->stage.zeros);
	wt_buffer_deinit(&tape->packing.image);
	wt_buffer_deinit(&tape->index.entries);
	wt_buffer_deinit(&tape->index.copies);
	wt_buffer_deinit(&tape->index.offsets);
	wt_buffer_deinit(&tape->summary.stops);
	wt_buffer_deinit(&tape->summary.notices);
	free(tape);
}

uint64_t wt_tape_packets(const struct wt_tape *tape)
{
	return tape->chunk.fields.first_packet + tape->chunk.fields.packets;
}

bool wt_tape_is_old(const struct wt_tape *tape)
{
	return !tape->packed && tape->chunk.raw.size >= CLOSE_OLD_MIN &&
	       wt_tape_now() - tape->chunk.opened >= CLOSE_AFTER_MS;
}

struct wt_buffer *wt_tape_begin(struct wt_tape *tape, enum wt_field_packet field)
{
	if (!tape->chunk.raw.size)
		tape->chunk.opened = wt_tape_now();
	tape->chunk.packet = tape->chunk.raw.size;
	tape->chunk.packet_field = field;
	wt_buffer_extend(&tape->chunk.raw, WT_PACKET_HEAD);
	return &tape->chunk.raw;
}

/*
 * A summary has every notice, but for those with a host, which are large: it says where the last of them is. @body: bytes of
 * the packet's body, which is the end of `raw`.
 */
static void summarise_notice(struct wt_tape *tape, size_t body, bool host)
{
	struct wt_buffer *notices = &tape->summary.notices;

	if (host) {
		tape->summary.host_packet = 1 + wt_tape_packets(tape);
		return;
	}
	if (!tape->summary.notices_left_out)
		wt_encode_bytes(notices, WT_FIELD_SUMMARY_NOTICE,
				tape->chunk.raw.data + tape->chunk.raw.size - body, body);
	tape->summary.notices_left_out |= notices->failed || notices->size > NOTICES_MAX;
	if (tape->summary.notices_left_out)
		wt_buffer_deinit(notices);
}

void wt_tape_number_names(struct wt_tape *tape, uint32_t first)
{
	if (first > tape->chunk.next_name)
		tape->chunk.next_name = first;
}

static void count_packet(struct wt_tape *tape, uint32_t weight)
{
	struct wt_chunk_fields *open = &tape->chunk.fields;

	open->packets++;
	open->contents |= wt_packet_content(tape->chunk.packet_field);
	switch (tape->chunk.packet_field) {
	case WT_PACKET_CALL_BEGIN:
		open->calls++;
		break;
	case WT_PACKET_BLOB:
		open->blobs++;
		break;
	case WT_PACKET_NAMES:
		open->names += weight;
		tape->chunk.next_name += weight;
		break;
	case WT_PACKET_MOMENT:
		if (weight)
			open->keyframe = open->first_moment + open->moments;
		open->moments++;
		break;
	default:
		break;
	}
}

/* Indexes repeat the packets without which nothing else can be understood. */
static struct wt_error *index_copy_packet(struct wt_tape *tape)
{
	const uint32_t copied =
		1u << WT_PACKET_HEADER | 1u << WT_PACKET_NAMES | 1u << WT_PACKET_END;

	if (!(copied >> tape->chunk.packet_field & 1))
		return NULL;
	wt_buffer_append(&tape->index.copies, tape->chunk.raw.data + tape->chunk.packet,
			 tape->chunk.raw.size - tape->chunk.packet);
	if (tape->index.copies.failed) {
		tape->index.copies.failed = false;
		return &wt_error_no_memory;
	}
	if (tape->chunk.packet_field == WT_PACKET_HEADER)
		tape->index.header_size = tape->index.copies_indexed = tape->index.copies.size;
	return NULL;
}

/* Write the chunks that are full to the file. Where a pool had any there is no stage afterwards. */
static struct wt_error *tape_settle(struct wt_tape *tape)
{
	struct wt_error *error = wt_tape_settle(tape);

	return error ? error : tape_pool_drain(tape);
}

static struct wt_error *close_prefix(struct wt_tape *tape, size_t size, bool sync)
{
	bool pooled = wt_tape_pool_is_used(tape);
	struct wt_error *error = tape_settle(tape);

	if (error)
		return error;
	/* Packets that fill a chunk by themselves have closed it already, and nobody has synced that. */
	if (!size && !pooled)
		return sync ? wt_file_sync(&tape->file) : NULL;
	error = wt_tape_check_file(tape);
	if (!error && size)
		error = wt_tape_put_chunk(tape, size);
	if (!error && sync)
		error = wt_file_sync(&tape->file);
	if (!error)
		error = wt_tape_put_index(tape);
	return error ? error : wt_tape_next_stage(tape);
}

struct wt_error *wt_tape_close_chunk(struct wt_tape *tape, bool sync)
{
	tape->workers.bulk = false;
	return close_prefix(tape, tape->chunk.raw.size, sync);
}

/* Closes a chunk of the first packets of the buffer, for which nobody waits. */
static struct wt_error *close_later(struct wt_tape *tape, size_t size)
{
	bool done;
	struct wt_error *error = tape->workers.bulk && tape->workers.cores > 1
					 ? tape_pool_add(tape, size, &done)
					 : wt_tape_defer(tape, size, &done);

	return error || done ? error : close_prefix(tape, size, false);
}

/* On a disk that is nearly full chunks are no larger than what there is room for. */
static size_t chunk_target(const struct wt_tape *tape)
{
	return tape->tail.unit < WT_CHUNK_TARGET ? tape->tail.unit : tape->chunk.target;
}

static struct wt_error *open_packet_check(const struct wt_tape *tape)
{
	size_t size = tape->chunk.raw.size - tape->chunk.packet;

	if (tape->chunk.raw.failed)
		return &wt_error_no_memory;
	if (size > WT_LIMIT_PACKET)
		return wt_error_create(WT_ERROR_LIMIT, CANNOT_WRITE, tape->file.path,
				       "a record of %zu bytes is longer than the %u bytes a trace "
				       "takes in one piece",
				       size, WT_LIMIT_PACKET);
	return NULL;
}

/* Move the body to where it begins behind its lengths: false if there is no memory. */
static bool move_body(struct wt_tape *tape, size_t body, size_t head)
{
	struct wt_buffer *raw = &tape->chunk.raw;

	if (head > WT_PACKET_HEAD && !wt_buffer_extend(raw, head - WT_PACKET_HEAD))
		return false;
	memmove(raw->data + tape->chunk.packet + head,
		raw->data + tape->chunk.packet + WT_PACKET_HEAD, body);
	raw->size = tape->chunk.packet + head + body;
	return true;
}

/*
 * Tags and lengths of the packet and of its body. Most are so short that each takes the one byte it has. What is copied may
 * have no body, or one of a later version, whose tag takes two.
 */
static void end_packet(struct wt_tape *tape)
{
	struct wt_buffer *raw = &tape->chunk.raw;
	size_t body = raw->size - tape->chunk.packet - WT_PACKET_HEAD, inner = 0, head;
	uint64_t tag = (uint64_t)tape->chunk.packet_field << 3 | 2;
	uint8_t *place;

	if (raw->failed)
		return;
	if (tape->chunk.packet_field)
		inner = wt_varint_size(tag) + wt_varint_size(body) + body;
	head = 1 + wt_varint_size(inner) + inner - body;
	if (head != WT_PACKET_HEAD && !move_body(tape, body, head))
		return;
	place = raw->data + tape->chunk.packet;
	*place++ = WT_TRACE_PACKET_TAG;
	place += wt_varint_put(place, inner);
	if (!tape->chunk.packet_field)
		return;
	place += wt_varint_put(place, tag);
	wt_varint_put(place, body);
}

struct wt_error *wt_tape_end(struct wt_tape *tape, uint32_t weight)
{
	size_t body = tape->chunk.raw.size - tape->chunk.packet - WT_PACKET_HEAD;
	struct wt_error *error;

	end_packet(tape);
	error = open_packet_check(tape);
	if (!error && tape->chunk.raw.size > chunk_target(tape)) {
		tape->tail.slots = tape->workers.may_defer ? WT_SLOTS_WIDE : WT_SLOTS_ONE;
		error = close_later(tape, tape->chunk.packet);
		/* The bytes before the packet may have left the buffer even if what followed failed. */
		if (!tape->chunk.fields.packets)
			tape->chunk.packet = 0;
	}
	if (!error)
		error = index_copy_packet(tape);
	if (error) {
		tape->chunk.raw.size = tape->chunk.packet;
		tape->chunk.raw.failed = false;
		return error;
	}
	if (tape->chunk.packet_field == WT_PACKET_NOTICE)
		summarise_notice(tape, body, weight);
	count_packet(tape, weight);
	return tape->chunk.raw.size > chunk_target(tape) ? close_later(tape, tape->chunk.raw.size)
							 : NULL;
}

/* The packets of a stop are all there: from here on each of them has to survive a kill. */
static struct wt_error *end_bulk(struct wt_tape *tape)
{
	struct wt_error *error;

	tape->workers.bulk = false;
	if (!wt_tape_pool_is_used(tape))
		return NULL;
	error = tape_pool_drain(tape);
	return error ? error : wt_tape_next_stage(tape);
}

struct wt_error *wt_tape_close_later(struct wt_tape *tape)
{
	struct wt_error *error;

	if (tape->chunk.raw.size < tape->workers.defer_min)
		return wt_tape_close_chunk(tape, false);
	error = end_bulk(tape);
	return error ? error : close_later(tape, tape->chunk.raw.size);
}

struct wt_error *wt_tape_flush(struct wt_tape *tape)
{
	struct wt_error *error;
	bool fits;

	if (tape->packed)
		return NULL;
	error = end_bulk(tape);
	if (error)
		return error;
	error = wt_tape_stage_packets(tape, tape->chunk.raw.size, &fits);
	if (!error && !fits)
		return wt_tape_close_chunk(tape, false);
	return !error && wt_tape_is_settling(tape) ? wt_tape_settle(tape) : error;
}

size_t wt_tape_compression_size(const struct wt_tape *tape)
{
	return wt_tape_deferral_size(tape) + tape_pool_size(tape);
}

struct wt_error *wt_tape_finish(struct wt_tape *tape, bool sync)
{
	struct wt_error *error = tape_settle(tape);

	if (!error)
		error = wt_tape_check_file(tape);
	if (!error && tape->chunk.raw.size)
		error = wt_tape_put_chunk(tape, tape->chunk.raw.size);
	if (error)
		return error;
	error = wt_tape_put_final(tape);
	if (!error)
		error = wt_file_truncate(&tape->file, tape->tail.end);
	if (!error && sync)
		error = wt_file_sync(&tape->file);
	return error;
}
