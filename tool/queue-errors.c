/* SPDX-License-Identifier: MIT */
#include "tool/queue-errors.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- The runtime's interface: hsa.h, and hsa_api_trace.h, whose tables have only grown at their ends ---- */

#define TABLE_MAJOR_MAX 3u
#define CORE_MAJOR_MAX 2u
#define STATUS_SUCCESS 0

struct version {
	uint32_t major, size; /* of the table, in bytes */
	uint32_t step, reserved;
};

struct runtime_queue {
	uint32_t type, features;
	uint64_t ring_address;
};

typedef void (*queue_callback_fn)(int status, struct runtime_queue *queue, void *data);

typedef int (*queue_create_fn)(uint64_t agent, uint32_t size, uint32_t type,
			       queue_callback_fn callback, void *data, uint32_t private_size,
			       uint32_t group_size, struct runtime_queue **queue_ret);
typedef int (*queue_destroy_fn)(struct runtime_queue *queue);
typedef int (*status_string_fn)(int status, const char **text_ret);

struct core_table {
	struct version version;
	void (*before_create[7])(void);
	queue_create_fn queue_create;
	void (*soft_queue_create)(void);
	queue_destroy_fn queue_destroy;
	void (*before_string[85])(void);
	status_string_fn status_string;
};

_Static_assert(offsetof(struct core_table, queue_create) == 72 &&
		       offsetof(struct core_table, queue_destroy) == 88 &&
		       offsetof(struct core_table, status_string) == 776,
	       "the table is not as the runtime has it");

struct runtime_table {
	struct version version;
	struct core_table *core;
};

/* ---- Ours ---- */

/* A queue of the program, and whom it wants to be told. */
struct entry {
	struct entry *next;
	struct runtime_queue *queue;
	queue_callback_fn callback; /* NULL: nobody */
	void *data;
};

/* The interface has no context parameter. */
static struct {
	pthread_mutex_t lock;
	struct entry *entries;
	queue_create_fn queue_create;
	queue_destroy_fn queue_destroy;
	status_string_fn status_string;
	wt_tool_queue_error_fn told;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The program's callback may destroy the queue, and our entry with it. */
static void entry_tell(int status, struct runtime_queue *queue, void *data)
{
	const struct entry entry = *(const struct entry *)data;
	struct wt_host_queue_error error = {.status = status};
	const char *text = NULL;

	if (queue && status != STATUS_SUCCESS) {
		if (state.status_string(status, &text) != STATUS_SUCCESS || !text)
			text = "";
		error.ring_address = queue->ring_address;
		error.text = (char *)(uintptr_t)text;
		state.told(&error);
	}
	if (entry.callback)
		entry.callback(status, queue, entry.data);
}

static int entry_create_queue(uint64_t agent, uint32_t size, uint32_t type,
			      queue_callback_fn callback, void *data, uint32_t private_size,
			      uint32_t group_size, struct runtime_queue **queue_ret)
{
	struct entry *entry = calloc(1, sizeof(*entry));
	int status;

	if (!entry)
		return state.queue_create(agent, size, type, callback, data, private_size,
					  group_size, queue_ret);
	entry->callback = callback;
	entry->data = data;
	status = state.queue_create(agent, size, type, entry_tell, entry, private_size, group_size,
				    queue_ret);
	if (status != STATUS_SUCCESS) {
		free(entry);
		return status;
	}
	pthread_mutex_lock(&state.lock);
	entry->queue = *queue_ret;
	entry->next = state.entries;
	state.entries = entry;
	pthread_mutex_unlock(&state.lock);
	return status;
}

static struct entry *entry_take_out(const struct runtime_queue *queue)
{
	struct entry **place = &state.entries, *entry;

	pthread_mutex_lock(&state.lock);
	while (*place && (*place)->queue != queue)
		place = &(*place)->next;
	entry = *place;
	if (entry)
		*place = entry->next;
	pthread_mutex_unlock(&state.lock);
	return entry;
}

/* Taken before, for another queue may get the address as soon as it is free. */
static int entry_destroy_queue(struct runtime_queue *queue)
{
	struct entry *entry = entry_take_out(queue);
	int status = state.queue_destroy(queue);

	free(entry);
	return status;
}

static bool runtime_table_is_known(const struct runtime_table *table)
{
	if (!table || !table->version.major || table->version.major > TABLE_MAJOR_MAX ||
	    table->version.size < sizeof(*table) || !table->core)
		return false;
	return table->core->version.major && table->core->version.major <= CORE_MAJOR_MAX &&
	       table->core->version.size >= sizeof(*table->core);
}

bool wt_tool_queue_errors_watch(void *table, wt_tool_queue_error_fn told)
{
	struct core_table *core;

	if (!runtime_table_is_known(table))
		return false;
	core = ((struct runtime_table *)table)->core;
	state.told = told;
	/* A runtime that was shut down and begins anew has its own functions there again. */
	if (core->queue_create == entry_create_queue)
		return true;
	state.queue_create = core->queue_create;
	state.queue_destroy = core->queue_destroy;
	state.status_string = core->status_string;
	core->queue_create = entry_create_queue;
	core->queue_destroy = entry_destroy_queue;
	return true;
}
