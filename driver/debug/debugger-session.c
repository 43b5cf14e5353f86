/* SPDX-License-Identifier: MIT */
/*
 * Attaching and letting go, the runtime's coming and going, exceptions from where they happen to who asks; and how waves are launched, what of
 * memory is watched, and how exact faults are.
 */
#include "driver/debug/debugger-session.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/save-area/note.h"

/* Exceptions that can be enabled for new waves: arithmetic, address watch, memory violation; and on some, start and end. */
#define TRAPS_ALL 0x1ffu
#define TRAPS_AT_ENDS 0xc0000000u

/* ---- Queues and devices as debuggers find them, and queues that stand still while one looks at their waves ---- */

#define QUEUES_MAX 65536u /* ids of one call */

/* The index of the device with this id; -1 if there is none. */
static int debug_device(const struct wt_debug_session *session, uint32_t gpu_id)
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

static void debug_resume_all(struct wt_debug_session *session)
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

static int debug_suspend(struct wt_debug_session *session, const struct wt_debug_caller *caller,
			 struct kfd_debug_trap *args)
{
	return for_each(session, caller, args->suspend.queues, args->suspend.count, true,
			args->suspend.exceptions);
}

static int debug_resume(struct wt_debug_session *session, const struct wt_debug_caller *caller,
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

static int debug_snapshot_queues(struct wt_debug_session *session,
				 const struct wt_debug_caller *caller, struct kfd_debug_trap *args)
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

static int debug_snapshot_devices(struct wt_debug_session *session,
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

/* ---- Launch mode, exceptions, watch registers, flags ---- */

static uint32_t supported_traps(const struct wt_debug_session *session)
{
	uint32_t traps = TRAPS_ALL | TRAPS_AT_ENDS;

	for (uint32_t i = 0; i < session->device_count; i++)
		if (!gfx_architecture_by_version(session->devices[i].target_version)->traps_at_ends)
			traps = TRAPS_ALL;
	return traps;
}

/* Pass launch mode, exceptions and watch registers to the engine; the defaults if no debugger is attached. */
static void session_apply(struct wt_debug_session *session)
{
	const bool active = session->attached && session->runtime.state == KFD_RUNTIME_ENABLED;
	const struct wt_engine_debug debug = {
		.attached = active,
		.imprecise = active && !(session->flags & KFD_FLAG_PRECISE_MEMORY),
		.halt = session->launch_mode == KFD_LAUNCH_HALT,
		.step = session->launch_mode == KFD_LAUNCH_DEBUG,
		.traps = session->launch_traps,
		.r_debug_version = session->r_debug_version,
	};

	wt_engine_set_debug(session->engine, &debug);
}

static void session_forget_controls(struct wt_debug_session *session)
{
	session->launch_mode = KFD_LAUNCH_NORMAL;
	session->launch_traps = session->flags = 0;
	memset(session->watches, 0, sizeof(session->watches));
	for (uint32_t i = 0; i < WT_ENGINE_WATCHES; i++)
		wt_engine_watch(session->engine, i, NULL);
}

static int session_launch_override(struct wt_debug_session *session, struct kfd_debug_trap *args)
{
	uint32_t supported = supported_traps(session), before = session->launch_traps;
	uint32_t requested = args->launch_override.support;

	if (args->launch_override.mode != KFD_OVERRIDE_OR &&
	    args->launch_override.mode != KFD_OVERRIDE_REPLACE)
		return -EPERM;
	args->launch_override.support = supported;
	if (requested & ~supported)
		return -EACCES;
	session->launch_traps = (before & ~requested) | (args->launch_override.enable & requested);
	args->launch_override.enable = before;
	session_apply(session);
	return 0;
}

static int session_launch_mode(struct wt_debug_session *session, const struct kfd_debug_trap *args)
{
	switch (args->launch_mode.mode) {
	case KFD_LAUNCH_NORMAL:
	case KFD_LAUNCH_HALT:
	case KFD_LAUNCH_DEBUG:
		session->launch_mode = args->launch_mode.mode;
		session_apply(session);
		return 0;
	default:
		return -EINVAL;
	}
}

/* Ranges are of a power of two: the bits that the mask leaves out are the lowest. */
static bool is_range(uint32_t mask)
{
	uint32_t left_out = ~mask;

	return !(left_out & (left_out + 1));
}

static int session_set_watch(struct wt_debug_session *session, struct kfd_debug_trap *args)
{
	int device = debug_device(session, args->set_watch.gpu_id);
	struct wt_debug_watch *watches;
	uint32_t id = 0;

	if (device < 0)
		return -ENODEV;
	if (!is_range(args->set_watch.mask) || args->set_watch.mode > KFD_WATCH_ALL)
		return -EINVAL;
	watches = session->watches[device];
	while (id < WT_ENGINE_WATCHES && watches[id].set)
		id++;
	if (id == WT_ENGINE_WATCHES)
		return -ENOMEM;
	watches[id] = (struct wt_debug_watch){
		.set = true,
		.address = args->set_watch.address,
		.mode = args->set_watch.mode,
		.mask = args->set_watch.mask,
	};
	args->set_watch.id = id;
	wt_engine_watch(
		session->engine, id,
		&(struct wt_engine_watch){
			.address = watches[id].address & (watches[id].mask | ~(uint64_t)UINT32_MAX),
			.size = (uint64_t)~watches[id].mask + 1,
			.kind = (enum wt_engine_watch_kind)watches[id].mode,
		});
	return 0;
}

static int session_clear_watch(struct wt_debug_session *session, const struct kfd_debug_trap *args)
{
	int device = debug_device(session, args->clear_watch.gpu_id);
	uint32_t id = args->clear_watch.id;
	bool others = false;

	if (device < 0)
		return -ENODEV;
	if (id >= WT_ENGINE_WATCHES || !session->watches[device][id].set)
		return -EINVAL;
	session->watches[device][id].set = false;
	for (uint32_t i = 0; i < session->device_count; i++)
		others |= session->watches[i][id].set;
	if (!others)
		wt_engine_watch(session->engine, id, NULL);
	return 0;
}

static bool session_has_capability(const struct wt_debug_session *session, uint32_t capability)
{
	for (uint32_t i = 0; i < session->device_count; i++)
		if (!(session->devices[i].capability & capability))
			return false;
	return true;
}

static int session_set_flags(struct wt_debug_session *session, struct kfd_debug_trap *args)
{
	uint32_t before = session->flags, flags = args->set_flags.flags;

	/* Arithmetic exceptions are precise on every device that is simulated: those that are asked for it stay as they are. */
	if ((flags & KFD_FLAG_PRECISE_ALU &&
	     !session_has_capability(session, WT_CORE_NOTE_CAPABILITY_PRECISE_ALU)) ||
	    (flags & KFD_FLAG_PRECISE_MEMORY &&
	     !session_has_capability(session, WT_CORE_NOTE_CAPABILITY_PRECISE_MEMORY)))
		return -EACCES;
	session->flags = flags & (KFD_FLAG_PRECISE_MEMORY | KFD_FLAG_PRECISE_ALU);
	args->set_flags.flags = before;
	session_apply(session);
	return 0;
}

/* ---- The session ---- */

void wt_debug_init(struct wt_debug_session *session, struct wt_engine *engine,
		   const struct wt_debug_host *host, const struct kfd_device_entry *devices,
		   uint32_t count)
{
	*session = (struct wt_debug_session){
		.engine = engine,
		.host = *host,
		.notifier = -1,
		.device_count = count,
	};
	for (uint32_t i = 0; i < count; i++)
		session->devices[i] = devices[i];
}

void wt_debug_deinit(struct wt_debug_session *session)
{
	if (session->notifier >= 0)
		close(session->notifier);
	session->notifier = -1;
	while (session->queues) {
		struct wt_debug_queue *next = session->queues->next;

		free(session->queues);
		session->queues = next;
	}
}

/* A full pipe says as much as one more byte would, and nobody must wait for who reads. */
static void notify(const struct wt_debug_session *session)
{
	struct pollfd poll_for = {.fd = session->notifier, .events = POLLOUT};

	if (session->notifier < 0 || poll(&poll_for, 1, 0) != 1 || !(poll_for.revents & POLLOUT))
		return;
	while (write(session->notifier, ".", 1) < 0 && errno == EINTR)
		;
}

/* Keep exceptions of a source while a debugger is attached. Return: whether it wants to hear of them. */
static bool session_keep(struct wt_debug_session *session, uint64_t *status, uint64_t exceptions)
{
	if (!session->attached)
		return false;
	*status |= exceptions;
	if (!(session->subscribed & exceptions))
		return false;
	notify(session);
	return true;
}

bool wt_debug_raise_queue(struct wt_debug_session *session, uint32_t id, uint64_t exceptions)
{
	struct wt_debug_queue *queue = wt_debug_find_queue(session, id);

	return queue && session_keep(session, &queue->entry.exceptions, exceptions);
}

bool wt_debug_raise_memory(struct wt_debug_session *session, uint32_t device, uint64_t address)
{
	/* The first one stays until the debugger takes it back. */
	if (!session->has_violation[device])
		session->violations[device] =
			(struct kfd_device_memory_exception){.address = address};
	session->has_violation[device] = true;
	return session_keep(session, &session->devices[device].exceptions,
			    KFD_EXCEPTION(KFD_EXCEPTION_DEVICE_MEMORY));
}

int wt_debug_runtime(struct wt_debug_session *session, const struct kfd_runtime_info *info,
		     uint32_t r_debug_version)
{
	bool comes = info->state == KFD_RUNTIME_ENABLED;

	if (comes && session->runtime.state != KFD_RUNTIME_DISABLED)
		return -EBUSY;
	if (comes && session->queues)
		return -EEXIST;
	session->runtime = comes ? *info : (struct kfd_runtime_info){0};
	session->r_debug_version = comes ? r_debug_version : 0;
	if (!comes)
		session_forget_controls(session);
	session_apply(session);
	if (!session->attached)
		return 0;
	session->runtime_waits = true;
	session_keep(session, &session->exceptions, KFD_EXCEPTION(KFD_EXCEPTION_RUNTIME));
	return 1;
}

int wt_debug_enable(struct wt_debug_session *session, const struct wt_debug_caller *caller,
		    struct kfd_debug_trap *args, int notifier)
{
	uint32_t size = args->enable.info_size;

	if (session->attached)
		return -EALREADY;
	if (size > sizeof(session->runtime))
		size = sizeof(session->runtime);
	if (size && caller->copy_out(caller->opaque, args->enable.info, &session->runtime, size))
		return -EFAULT;
	args->enable.info_size = sizeof(session->runtime);
	session->attached = true;
	session->notifier = notifier;
	session->subscribed = args->enable.exceptions;
	session_apply(session);
	return 0;
}

void wt_debug_disable(struct wt_debug_session *session)
{
	if (!session->attached)
		return;
	session->attached = false;
	session->runtime_waits = false;
	session->subscribed = session->exceptions = 0;
	for (uint32_t i = 0; i < session->device_count; i++) {
		session->devices[i].exceptions = 0;
		session->has_violation[i] = false;
	}
	for (struct wt_debug_queue *queue = session->queues; queue; queue = queue->next)
		queue->entry.exceptions &= KFD_EXCEPTION(KFD_EXCEPTION_QUEUE_NEW);
	close(session->notifier);
	session->notifier = -1;
	session_forget_controls(session);
	session_apply(session);
	debug_resume_all(session);
}

static int set_exceptions(struct wt_debug_session *session, const struct kfd_debug_trap *args)
{
	uint64_t pending = session->exceptions;

	session->subscribed = args->set_exceptions.exceptions;
	for (const struct wt_debug_queue *queue = session->queues; queue; queue = queue->next)
		pending |= queue->entry.exceptions;
	for (uint32_t i = 0; i < session->device_count; i++)
		pending |= session->devices[i].exceptions;
	if (pending & session->subscribed)
		notify(session);
	return 0;
}

/* Whole is given the status of the first that has something which the debugger wants to hear of. */
static bool take_event(const struct wt_debug_session *session, uint64_t *status, uint64_t *mask)
{
	uint64_t clear = *mask;

	if (!(*status & session->subscribed))
		return false;
	*mask = *status;
	*status &= ~clear;
	return true;
}

static int query_event(struct wt_debug_session *session, struct kfd_debug_trap *args)
{
	uint64_t *mask = &args->query_event.exceptions;

	args->query_event.gpu_id = args->query_event.queue_id = 0;
	for (struct wt_debug_queue *queue = session->queues; queue; queue = queue->next)
		if (take_event(session, &queue->entry.exceptions, mask)) {
			args->query_event.gpu_id = queue->entry.gpu_id;
			args->query_event.queue_id = queue->entry.queue_id;
			return 0;
		}
	for (uint32_t i = 0; i < session->device_count; i++)
		if (take_event(session, &session->devices[i].exceptions, mask)) {
			args->query_event.gpu_id = session->devices[i].gpu_id;
			return 0;
		}
	return take_event(session, &session->exceptions, mask) ? 0 : -EAGAIN;
}

/* Finds what has happened to the source of an exception, and the data that belongs to it. */
static int find_source(struct wt_debug_session *session, const struct kfd_debug_trap *args,
		       uint64_t **status_ret, const void **data_ret, uint32_t *size_ret)
{
	uint32_t code = args->query_exception.code;
	struct wt_debug_queue *queue;
	int device;

	if (!code || code > 64)
		return -EINVAL;
	*data_ret = NULL;
	*size_ret = 0;
	if (KFD_EXCEPTION(code) & KFD_EXCEPTIONS_QUEUE) {
		queue = wt_debug_find_queue(session, args->query_exception.source);
		*status_ret = queue ? &queue->entry.exceptions : NULL;
	} else if (KFD_EXCEPTION(code) & KFD_EXCEPTIONS_DEVICE) {
		device = debug_device(session, args->query_exception.source);
		*status_ret = device >= 0 ? &session->devices[device].exceptions : NULL;
		if (device >= 0 && code == KFD_EXCEPTION_DEVICE_MEMORY) {
			*data_ret = &session->violations[device];
			*size_ret = sizeof(session->violations[device]);
		}
	} else if (KFD_EXCEPTION(code) & KFD_EXCEPTIONS_PROCESS) {
		*status_ret = &session->exceptions;
		if (code == KFD_EXCEPTION_RUNTIME) {
			*data_ret = &session->runtime;
			*size_ret = sizeof(session->runtime);
		}
	} else {
		return -EINVAL;
	}
	return *status_ret ? 0 : -EINVAL;
}

static int query_exception(struct wt_debug_session *session, const struct wt_debug_caller *caller,
			   struct kfd_debug_trap *args)
{
	uint32_t room = args->query_exception.size, size;
	uint64_t *status;
	const void *data;
	int error = find_source(session, args, &status, &data, &size);

	if (error)
		return error;
	if (!(*status & KFD_EXCEPTION(args->query_exception.code)))
		return -ENODATA;
	room = room < size ? room : size;
	if (room && caller->copy_out(caller->opaque, args->query_exception.info, data, room))
		return -EFAULT;
	args->query_exception.size = size;
	if (args->query_exception.clear &&
	    args->query_exception.code == KFD_EXCEPTION_DEVICE_MEMORY)
		session->has_violation[debug_device(session, args->query_exception.source)] = false;
	if (args->query_exception.clear)
		*status &= ~KFD_EXCEPTION(args->query_exception.code);
	return 0;
}

static int send_runtime_event(struct wt_debug_session *session, const struct kfd_debug_trap *args)
{
	uint64_t exceptions = args->send.exceptions;
	int device = debug_device(session, args->send.gpu_id);

	if (exceptions & KFD_EXCEPTION(KFD_EXCEPTION_DEVICE_MEMORY)) {
		if (device < 0)
			return -ENODEV;
		session->host.tell_memory(session->host.opaque, (uint32_t)device);
		exceptions &= ~KFD_EXCEPTION(KFD_EXCEPTION_DEVICE_MEMORY);
	}
	if (exceptions & KFD_EXCEPTION(KFD_EXCEPTION_RUNTIME)) {
		session->runtime_waits = false;
		exceptions &= ~KFD_EXCEPTION(KFD_EXCEPTION_RUNTIME);
	}
	if (!exceptions)
		return 0;
	if (!wt_debug_find_queue(session, args->send.queue_id))
		return -EINVAL;
	return session->host.tell_runtime(session->host.opaque, args->send.queue_id, exceptions);
}

/* Operations that concern waves need a runtime. */
static bool operation_needs_runtime(uint32_t operation)
{
	return operation >= KFD_DEBUG_LAUNCH_OVERRIDE && operation <= KFD_DEBUG_SET_FLAGS;
}

int wt_debug_operate(struct wt_debug_session *session, const struct wt_debug_caller *caller,
		     struct kfd_debug_trap *args)
{
	if (!session->attached)
		return -EINVAL;
	if (operation_needs_runtime(args->operation) &&
	    session->runtime.state != KFD_RUNTIME_ENABLED)
		return -EPERM;
	switch (args->operation) {
	case KFD_DEBUG_DISABLE:
		wt_debug_disable(session);
		return 0;
	case KFD_DEBUG_SEND_RUNTIME_EVENT:
		return send_runtime_event(session, args);
	case KFD_DEBUG_SET_EXCEPTIONS:
		return set_exceptions(session, args);
	case KFD_DEBUG_LAUNCH_OVERRIDE:
		return session_launch_override(session, args);
	case KFD_DEBUG_LAUNCH_MODE:
		return session_launch_mode(session, args);
	case KFD_DEBUG_SUSPEND_QUEUES:
		return debug_suspend(session, caller, args);
	case KFD_DEBUG_RESUME_QUEUES:
		return debug_resume(session, caller, args);
	case KFD_DEBUG_SET_WATCH:
		return session_set_watch(session, args);
	case KFD_DEBUG_CLEAR_WATCH:
		return session_clear_watch(session, args);
	case KFD_DEBUG_SET_FLAGS:
		return session_set_flags(session, args);
	case KFD_DEBUG_QUERY_EVENT:
		return query_event(session, args);
	case KFD_DEBUG_QUERY_EXCEPTION:
		return query_exception(session, caller, args);
	case KFD_DEBUG_QUEUE_SNAPSHOT:
		return debug_snapshot_queues(session, caller, args);
	case KFD_DEBUG_DEVICE_SNAPSHOT:
		return debug_snapshot_devices(session, caller, args);
	default:
		return -EINVAL;
	}
}
