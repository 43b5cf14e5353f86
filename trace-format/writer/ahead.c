/* SPDX-License-Identifier: MIT */
#include "trace-format/writer/ahead.h"

#include <stdlib.h>

#include "trace-format/writer/internal.h"

/* Values in half of a batch. */
#define BATCH 16u
/* Their bytes, at least: work for a good part of a millisecond, which starting a thread is a small part of. */
#define BATCH_BYTES ((size_t)256 << 10)
/* The registers of any wave are less. */
#define SIZE_MAX_AHEAD ((size_t)512 << 10)

/* Values of which a thread makes blobs, or has made them. */
struct batch {
	struct wt_ahead_blob blobs[BATCH];
	unsigned int count;
};

struct wt_ahead {
	struct wt_worker worker;
	struct wt_blob_map *map;      /* of the writer, for its hashes */
	const struct wt_state *state; /* that is being written */
	size_t next;		      /* item of it behind those that are in a batch */
	struct batch batches[2];      /* in turn */
	struct batch *coming;	      /* the one that the thread is at */
	struct wt_rows_seen seen;
};

/* The thread touches nothing but this. */
static void ahead_work(void *argument)
{
	struct wt_ahead *ahead = argument;

	for (unsigned int i = 0; i < ahead->coming->count; i++) {
		struct wt_ahead_blob *blob = &ahead->coming->blobs[i];
		const struct wt_bytes *bytes = blob->bytes;

		blob->hash = wt_blob_map_hash(ahead->map, bytes->data, bytes->size);
		blob->rows.size =
			wt_rows_encode(&ahead->seen, bytes->data, bytes->size, blob->rows.data);
	}
}

/* Is it sure to become a blob? What the writer knows an earlier value of may become a patch. */
static bool is_new(const struct wt_writer *writer, const struct wt_item *item)
{
	return item->key.type == WT_ITEM_REGISTERS && item->bytes &&
	       item->bytes->size >= WT_ROWS_SIZE_MIN && item->bytes->size <= SIZE_MAX_AHEAD &&
	       !wt_state_get(writer->state, &item->key);
}

static bool batch_add(struct batch *batch, const struct wt_bytes *bytes)
{
	struct wt_ahead_blob *blob = &batch->blobs[batch->count];

	wt_buffer_clear(&blob->rows);
	if (!wt_buffer_extend(&blob->rows, wt_rows_bound(bytes->size))) {
		blob->rows.failed = false;
		return false;
	}
	blob->bytes = bytes;
	batch->count++;
	return true;
}

/* The next half of a batch for the writer, and the other one for the thread. Without a thread, or memory, there is none. */
static void start_batch(const struct wt_writer *writer, struct wt_ahead *ahead)
{
	struct batch *batch = &ahead->batches[ahead->coming == &ahead->batches[0]];
	unsigned int own = 0;

	batch->count = 0;
	for (; ahead->next < wt_state_count(ahead->state) && batch->count < BATCH; ahead->next++) {
		const struct wt_item *item = wt_state_at(ahead->state, ahead->next);

		if (!is_new(writer, item))
			continue;
		if (own < BATCH)
			own++;
		else if (!batch_add(batch, item->bytes))
			break;
	}
	ahead->coming = batch;
	if (batch->count && !wt_worker_start(&ahead->worker, ahead_work, ahead))
		batch->count = 0;
}

void wt_ahead_begin(struct wt_writer *writer, const struct wt_state *state)
{
	struct wt_ahead *ahead;
	size_t found = 0, bytes = 0;

	if (!writer->tape->workers.may_defer || writer->tape->workers.cores < 2 || writer->no_words)
		return;
	for (size_t i = 0; i < wt_state_count(state) && found < 2 * (size_t)BATCH; i++) {
		const struct wt_item *item = wt_state_at(state, i);

		if (!is_new(writer, item))
			continue;
		found++;
		bytes += item->bytes->size;
	}
	if (found < 2 * (size_t)BATCH || bytes < 2 * BATCH_BYTES)
		return;
	ahead = calloc(1, sizeof(*ahead));
	if (!ahead)
		return;
	ahead->map = &writer->blobs;
	ahead->state = state;
	/* The first hash sets up what the map makes hashes with. */
	wt_blob_map_hash(ahead->map, "", 0);
	writer->ahead = ahead;
	start_batch(writer, ahead);
}

static const struct wt_ahead_blob *batch_find(const struct batch *batch, const uint8_t *data)
{
	for (unsigned int i = 0; i < batch->count; i++)
		if (batch->blobs[i].bytes->data == data)
			return &batch->blobs[i];
	return NULL;
}

const struct wt_ahead_blob *wt_ahead_take(struct wt_writer *writer, const uint8_t *data)
{
	struct wt_ahead *ahead = writer->ahead;
	const struct wt_ahead_blob *blob;

	if (!ahead)
		return NULL;
	blob = batch_find(ahead->coming, data);
	if (blob) {
		wt_worker_wait(&ahead->worker);
		start_batch(writer, ahead);
	} else {
		blob = batch_find(&ahead->batches[ahead->coming == &ahead->batches[0]], data);
	}
	writer->taken_ahead += blob != NULL;
	return blob;
}

void wt_ahead_end(struct wt_writer *writer)
{
	struct wt_ahead *ahead = writer->ahead;

	writer->ahead = NULL;
	if (!ahead)
		return;
	wt_worker_wait(&ahead->worker);
	for (unsigned int i = 0; i < 2 * BATCH; i++)
		wt_buffer_deinit(&ahead->batches[i / BATCH].blobs[i % BATCH].rows);
	free(ahead);
}
