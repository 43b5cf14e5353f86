/* SPDX-License-Identifier: MIT */
#include "trace-format/state/item.h"

#include <stdlib.h>
#include <string.h>

struct wt_bytes *wt_bytes_create(const void *data, size_t size)
{
	struct wt_bytes *bytes;

	if (size > SIZE_MAX - sizeof(*bytes))
		return NULL;
	bytes = malloc(sizeof(*bytes) + size);
	if (!bytes)
		return NULL;
	bytes->references = 1;
	bytes->size = size;
	bytes->pool = NULL;
	if (data && size)
		memcpy(bytes->data, data, size);
	return bytes;
}

struct wt_bytes_pool {
	size_t references; /* its bytes that somebody has, and who made it */
	size_t size;	   /* of each */
	size_t *left;	   /* NULL: none is kept any more */
	struct wt_bytes *kept;
};

/* The memory that a value takes which nobody has. */
static size_t pooled_size(const struct wt_bytes_pool *pool)
{
	return sizeof(struct wt_bytes) + pool->size;
}

struct wt_bytes_pool *wt_bytes_pool_create(size_t size, size_t *left)
{
	struct wt_bytes_pool *pool = calloc(1, sizeof(*pool));

	if (!pool)
		return NULL;
	pool->references = 1;
	pool->size = size;
	pool->left = left;
	return pool;
}

static void release_pool(struct wt_bytes_pool *pool)
{
	if (--pool->references == 0)
		free(pool);
}

void wt_bytes_pool_destroy(struct wt_bytes_pool *pool)
{
	if (!pool)
		return;
	while (pool->kept) {
		struct wt_bytes *next = pool->kept->next;

		free(pool->kept);
		pool->kept = next;
		*pool->left += pooled_size(pool);
	}
	pool->left = NULL;
	release_pool(pool);
}

struct wt_bytes *wt_bytes_pool_take(struct wt_bytes_pool *pool)
{
	struct wt_bytes *bytes = pool->kept;

	if (bytes) {
		pool->kept = bytes->next;
		*pool->left += pooled_size(pool);
		bytes->references = 1;
		bytes->size = pool->size;
	} else {
		bytes = wt_bytes_create(NULL, pool->size);
		if (!bytes)
			return NULL;
		bytes->pool = pool;
	}
	pool->references++;
	return bytes;
}

/* Nobody has them any more. */
static void pool_give_back(struct wt_bytes_pool *pool, struct wt_bytes *bytes)
{
	if (pool->left && *pool->left >= pooled_size(pool)) {
		*pool->left -= pooled_size(pool);
		bytes->next = pool->kept;
		pool->kept = bytes;
	} else {
		free(bytes);
	}
	release_pool(pool);
}

struct wt_bytes *wt_bytes_reference(struct wt_bytes *bytes)
{
	if (bytes)
		bytes->references++;
	return bytes;
}

void wt_bytes_release(struct wt_bytes *bytes)
{
	if (!bytes || --bytes->references)
		return;
	if (bytes->pool)
		pool_give_back(bytes->pool, bytes);
	else
		free(bytes);
}

static bool bytes_equal(const struct wt_bytes *a, const struct wt_bytes *b)
{
	size_t a_size = a ? a->size : 0, b_size = b ? b->size : 0;

	return a == b || (a_size == b_size && (!a_size || !memcmp(a->data, b->data, a_size)));
}

static bool words_equal(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count)
{
	return a_count == b_count && (!a_count || a == b || !memcmp(a, b, a_count * sizeof(*a)));
}

static bool answers_equal(const struct wt_item *a, const struct wt_item *b)
{
	if (a->answer_count != b->answer_count)
		return false;
	for (size_t i = 0; i < a->answer_count; i++)
		if (!wt_answer_equal(&a->answers[i], &b->answers[i]))
			return false;
	return true;
}

bool wt_item_equal(const struct wt_item *a, const struct wt_item *b)
{
	return a == b || (!wt_key_compare(&a->key, &b->key) && a->status == b->status &&
			  words_equal(a->handles, a->handle_count, b->handles, b->handle_count) &&
			  words_equal(a->numbers, a->number_count, b->numbers, b->number_count) &&
			  answers_equal(a, b) && bytes_equal(a->bytes, b->bytes));
}

const struct wt_answer *wt_item_answer(const struct wt_item *item, uint32_t query)
{
	for (size_t i = 0; i < item->answer_count; i++)
		if (item->answers[i].query == query)
			return &item->answers[i];
	return NULL;
}
