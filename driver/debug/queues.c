/* SPDX-License-Identifier: MIT */
/* Queues and devices as debuggers find them, and queues that stand still while one looks at their waves. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/debug/internal.h"

#define QUEUES_MAX 65536u /* ids of one call */

int wt_debug_device(const struct wt_debug_session *session, uint32_t gpu_id)
{
	for (uint32_t i = 0; i < session->device_count; i++)
		if (session->devices[i].gpu_id == gpu_id)
			return (int)i;
	return -1;
}

bool wt_debug_add_queue(struct wt_debug_session *session, const struct kfd_queue_entry *entry)
{
	struct wt_debug_queue *queue = calloc(1, sizeof(*queue)), **link = &session->queues;

	if (!queue)
		return false;
	queue->entry = *entry;
	queue->entry.exceptions = KFD_EXCEPTION(KFD_EXCEPTION_QUEUE_NEW);
	while (*link)
		link = &(*link)->next;
	*link = queue;
	return true;
}

struct wt_debug_queue *wt_debug_find_queue(struct wt_debug_session *session, uint32_t id)
{
	struct wt_debug_queue *queue = session->queues;

	while (queue && queue->entry.queue_id != id)
		queue = queue->next;
	return queue;
}

void wt_debug_remove_queue(struct wt_debug_session *session, uint32_t id)
{
	struct wt_debug_queue **link = &session->queues, *queue;

	while (*link && (*link)->entry.queue_id != id)
		link = &(*link)->next;
	queue = *link;
	if (!queue)
		return;
	*link = queue->next;
	free(queue);
}

/* One queue, by its id in a call's array. Return: the id with what came of it. */
static uint32_t suspend_one(struct wt_debug_session *session, uint32_t id, uint64_t clear)
{
	struct wt_debug_queue *queue = wt_debug_find_queue(session, id);

	/* Until a debugger has seen it in a snapshot, a queue runs. */
	if (!queue || queue->entry.exceptions & KFD_EXCEPTION(KFD_EXCEPTION_QUEUE_NEW))
		return id | KFD_QUEUE_INVALID;
	if (!queue->suspended && wt_engine_queue_suspend(session->engine, id))
		return id | KFD_QUEUE_ERROR;
	queue->suspended = true;
	queue->entry.exceptions &= ~clear;
	return id;
}

static void resume_queue(struct wt_debug_session *session, struct wt_debug_queue *queue)
{
	if (queue->suspended)
		wt_engine_queue_resume(session->engine, queue->entry.queue_id);
	queue->suspended = false;
}

static uint32_t resume_one(struct wt_debug_session *session, uint32_t id)
{
	struct wt_debug_queue *queue = wt_debug_find_queue(session, id);

	if (!queue || queue->entry.exceptions & KFD_EXCEPTION(KFD_EXCEPTION_QUEUE_NEW))
		return id | KFD_QUEUE_INVALID;
	resume_queue(session, queue);
	return id;
}

void wt_debug_resume_all(struct wt_debug_session *session)
{
	for (struct wt_debug_queue *queue = session->queues; queue; queue = queue->next)
		resume_queue(session, queue);
}

/* Each id of an array is replaced by what came of it. Return: how many went well, or -errno. */
static int for_each(struct wt_debug_session *session, const struct wt_debug_caller *caller,
		    uint64_t address, uint32_t count, bool suspend, uint64_t clear)
{
	int done = 0, error;
	uint32_t *ids;

	if (!count)
		return 0;
	if (count > QUEUES_MAX)
		return -EINVAL;
	ids = calloc(count, sizeof(*ids));
	if (!ids)
		return -ENOMEM;
	error = caller->copy_in(caller->opaque, ids, address, count * sizeof(*ids));
	for (uint32_t i = 0; i < count && !error; i++) {
		ids[i] &= ~(KFD_QUEUE_INVALID | KFD_QUEUE_ERROR);
		ids[i] =
			suspend ? suspend_one(session, ids[i], clear) : resume_one(session, ids[i]);
		done += !(ids[i] & (KFD_QUEUE_INVALID | KFD_QUEUE_ERROR));
	}
	if (!error)
		error = caller->copy_out(caller->opaque, address, ids, count * sizeof(*ids));
	free(ids);
	return error ? error : done;
}

int wt_debug_suspend(struct wt_debug_session *session, const struct wt_debug_caller *caller,
		     struct kfd_debug_trap *args)
{
	return for_each(session, caller, args->suspend.queues, args->suspend.count, true,
			args->suspend.exceptions);
}

int wt_debug_resume(struct wt_debug_session *session, const struct wt_debug_caller *caller,
		    struct kfd_debug_trap *args)
{
	int count = 0;

	if (args->resume.queues)
		return for_each(session, caller, args->resume.queues, args->resume.count, false, 0);
	for (struct wt_debug_queue *queue = session->queues; queue; queue = queue->next) {
		resume_queue(session, queue);
		count++;
	}
	return count;
}

/* A snapshot's next entry, if there is room. */
struct cursor {
	const struct wt_debug_caller *caller;
	uint64_t address;
	uint32_t room, stride, size, count;
};

static int cursor_put(struct cursor *cursor, const void *entry, uint64_t *exceptions,
		      uint64_t clear)
{
	uint32_t index = cursor->count++;

	if (index >= cursor->room)
		return 0;
	if (cursor->caller->copy_out(cursor->caller->opaque,
				     cursor->address + (uint64_t)index * cursor->stride, entry,
				     cursor->size))
		return -EFAULT;
	*exceptions &= ~clear;
	return 0;
}

static int cursor_begin(struct cursor *cursor, const struct wt_debug_caller *caller,
			struct kfd_debug_trap *args, size_t size)
{
	if (!args->snapshot.entry_size)
		return -EINVAL;
	*cursor = (struct cursor){
		.caller = caller,
		.address = args->snapshot.buffer,
		.room = args->snapshot.count,
		.stride = args->snapshot.entry_size,
		.size = args->snapshot.entry_size < size ? args->snapshot.entry_size
							 : (uint32_t)size,
	};
	return 0;
}

static int cursor_finish(const struct cursor *cursor, struct kfd_debug_trap *args, int error)
{
	if (error)
		return error;
	args->snapshot.count = cursor->count;
	args->snapshot.entry_size = cursor->size;
	return 0;
}

int wt_debug_snapshot_queues(struct wt_debug_session *session, const struct wt_debug_caller *caller,
			     struct kfd_debug_trap *args)
{
	struct cursor cursor;
	int error = cursor_begin(&cursor, caller, args, sizeof(struct kfd_queue_entry));

	if (error)
		return error;
	for (struct wt_debug_queue *queue = session->queues; queue && !error; queue = queue->next)
		error = cursor_put(&cursor, &queue->entry, &queue->entry.exceptions,
				   args->snapshot.exceptions);
	return cursor_finish(&cursor, args, error);
}

int wt_debug_snapshot_devices(struct wt_debug_session *session,
			      const struct wt_debug_caller *caller, struct kfd_debug_trap *args)
{
	struct cursor cursor;
	int error = cursor_begin(&cursor, caller, args, sizeof(struct kfd_device_entry));

	if (error)
		return error;
	for (uint32_t i = 0; i < session->device_count && !error; i++)
		error = cursor_put(&cursor, &session->devices[i], &session->devices[i].exceptions,
				   args->snapshot.exceptions);
	return cursor_finish(&cursor, args, error);
}
