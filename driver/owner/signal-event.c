/* SPDX-License-Identifier: MIT */
/*
 * Events: latches that programs wait for. One that was signalled before somebody waits counts; one with automatic reset is
 * quiet again once a wait has returned it, and returned by all waits that there are then. Whoever waits for an event that is
 * destroyed is answered.
 *
 * Runtimes before ROCm 6.2 have one thread, here the listener, that waits for memory violations and for everything else. It hears
 * of a violation only if it is in the wait call: when it comes to wait for a signal for which another thread waits already, it
 * looks at the signals' values instead, without a call, until one of them changes. Two rules let it hear of as many as can be:
 *
 * - A violation is told by its event first, as the page fault's interrupt comes before the trap handler's. The queue's exception
 *   follows when a wait has returned the event.
 * - When the program itself wakes the listener, which is how it adds a signal to those that are waited for, then that is
 *   put off while the device works: until the device signals something, or has nothing to do, or long enough.
 *
 * One that was out of its call all the same, and came back late on a busy machine, never hears of the violation, nor of a device that
 * hangs: nothing that the driver can do makes it call again, and the program would stand for ever. It is ended, as its runtime would have
 * ended it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/cleanup.h"
#include "driver/owner/internal.h"

#define MILLISECOND UINT64_C(1000000)
#define FOREVER 0xffffffffu
#define EMPTY UINT64_MAX /* of a mailbox: nobody has written into it */
#define WAIT_MAX 4096u	 /* events of one call */
#define HEARD                                                                                      \
	(1u << 31) /* of an event's number in a wait: it has come, and another wait has reset it */
#define HOLD_MAX (1000 * MILLISECOND)
#define UNHEARD_MAX                                                                                \
	(10000 * MILLISECOND) /* much longer than a thread may need to come back to its call */
#define WAKE_IDLE (1 * MILLISECOND) /* a packet may be about to be written */
#define WAKE_BUSY (30000 * MILLISECOND)

static struct wt_owner_event *event_of(struct wt_owner_process *process, uint32_t id)
{
	if (!id || id >= WT_EVENTS_MAX || process->events[id].state == WT_EVENT_FREE)
		return NULL;
	return &process->events[id];
}

/* The page of mailboxes is memory that the program has allocated before its first event. */
static int event_take_page(struct wt_owner_process *process, uint64_t handle)
{
	const struct wt_allocation *page = wt_space_find(&process->space, handle);

	if (!page || page->kind != WT_KIND_GTT || page->size < WT_EVENTS_MAX * sizeof(uint64_t))
		return -EINVAL;
	if (process->event_page && process->event_page != handle)
		return -EINVAL;
	process->event_page = handle;
	return 0;
}

/* The words that the device writes to, by event; NULL while there is no page. */
static uint64_t *mailboxes(struct wt_owner_process *process)
{
	const struct wt_allocation *page = wt_space_find(&process->space, process->event_page);

	return page ? (uint64_t *)(void *)wt_space_data(&process->space, page, page->address)
		    : NULL;
}

void wt_event_collect(struct wt_owner_process *process)
{
	uint64_t *words = mailboxes(process);

	/* This is asked many times for each word that is written. */
	for (uint32_t i = 1; words && i < process->event_count; i++)
		if (__atomic_load_n(&words[i], __ATOMIC_RELAXED) != EMPTY &&
		    __atomic_exchange_n(&words[i], EMPTY, __ATOMIC_SEQ_CST) != EMPTY)
			wt_event_signal(process, i);
}

void wt_event_fault(struct wt_owner_process *process, const struct wt_engine_fault *fault)
{
	const struct wt_owner_agent *agent = &process->owner->agents[fault->agent];

	process->untold = false;
	process->unheard = wt_owner_clock(CLOCK_MONOTONIC);
	process->unheard_hang = false;
	process->unheard_address = fault->address;
	wt_owner_log(process->owner, "process %d: agent %u cannot %s %#llx: it is %s", process->pid,
		     fault->agent,
		     fault->execute ? "execute"
		     : fault->write ? "write"
				    : "read",
		     (unsigned long long)fault->address,
		     fault->mapped ? "not for that" : "not mapped");
	for (uint32_t i = 1; i < process->event_count; i++) {
		struct wt_owner_event *event = &process->events[i];

		if (event->state == WT_EVENT_FREE || event->type != KFD_EVENT_MEMORY)
			continue;
		event->memory = (struct kfd_memory_exception){
			.not_present = !fault->mapped,
			.read_only = fault->mapped && fault->write,
			.no_execute = fault->mapped && fault->execute,
			.address = fault->address / WT_PAGE * WT_PAGE,
			.gpu_id = agent->gpu_id,
		};
		event->taken = false;
		wt_event_signal(process, i);
	}
}

static bool has_events(const struct wt_owner_process *process, uint32_t type)
{
	for (uint32_t i = 1; i < process->event_count; i++)
		if (process->events[i].state != WT_EVENT_FREE && process->events[i].type == type)
			return true;
	return false;
}

bool wt_event_hold(struct wt_owner_process *process, uint32_t queue)
{
	if (queue >= WT_QUEUES_MAX || !has_events(process, KFD_EVENT_MEMORY))
		return false;
	if (!process->holds)
		process->held_until = wt_owner_clock(CLOCK_MONOTONIC) + HOLD_MAX;
	process->held[queue] = process->holds = true;
	return true;
}

/* Is there a memory violation, or a device that hangs, that the program has not been given? */
static bool is_untold(const struct wt_owner_process *process)
{
	for (uint32_t i = 1; i < process->event_count; i++) {
		const struct wt_owner_event *event = &process->events[i];

		if ((event->type == KFD_EVENT_MEMORY || event->type == KFD_EVENT_HW_EXCEPTION) &&
		    event->state == WT_EVENT_SIGNALLED && !event->taken)
			return true;
	}
	return false;
}

/* Threads that a debugger holds cannot hear of anything. */
static void process_end_unheard(struct wt_owner_process *process)
{
	uint64_t now = wt_owner_clock(CLOCK_MONOTONIC);
	char what[64] = "that the device hangs";

	if (!is_untold(process)) {
		process->unheard = 0;
		return;
	}
	if (now < process->unheard + UNHEARD_MAX)
		return;
	process->unheard = now;
	if (wt_owner_is_stopped(process->pid))
		return;
	if (!process->unheard_hang)
		snprintf(what, sizeof(what), "of the memory violation at %#llx",
			 (unsigned long long)process->unheard_address);
	wt_owner_complain(process->owner,
			  "process %d: its runtime has not heard %s: the thread that would does "
			  "not call the driver, as in runtimes before ROCm 6.2 that wait for a "
			  "signal in two threads: it is ended by SIGABRT",
			  process->pid, what);
	kill(process->pid, SIGABRT);
}

void wt_event_release(struct wt_owner *owner)
{
	for (struct wt_owner_process *p = owner->processes; p; p = p->next) {
		if (p->unheard)
			process_end_unheard(p);
		if (!p->holds || (is_untold(p) && wt_owner_clock(CLOCK_MONOTONIC) < p->held_until))
			continue;
		p->holds = false;
		for (uint32_t id = 0; id < WT_QUEUES_MAX; id++) {
			if (!p->held[id])
				continue;
			p->held[id] = false;
			wt_engine_tell_violation(p->engine, id);
		}
	}
}

void wt_event_hang(struct wt_owner_process *process, uint32_t agent)
{
	uint32_t gpu_id = process->owner->agents[agent].gpu_id;
	bool hardware = has_events(process, KFD_EVENT_HW_EXCEPTION);

	process->unheard = wt_owner_clock(CLOCK_MONOTONIC);
	process->unheard_hang = true;
	for (uint32_t i = 1; i < process->event_count; i++) {
		struct wt_owner_event *event = &process->events[i];

		if (event->state == WT_EVENT_FREE)
			continue;
		if (event->type == KFD_EVENT_HW_EXCEPTION)
			event->hardware = (struct kfd_hardware_exception){
				.reset_cause = KFD_RESET_HANG, .memory_lost = 1, .gpu_id = gpu_id};
		else if (event->type == KFD_EVENT_MEMORY && !hardware)
			event->memory =
				(struct kfd_memory_exception){.imprecise = 1,
							      .gpu_id = gpu_id,
							      .error_type = KFD_MEMORY_ERROR_HANG};
		else
			continue;
		event->taken = false;
		wt_event_signal(process, i);
	}
}

int wt_event_create(struct wt_owner_process *process, struct kfd_create_event *args)
{
	uint32_t id = 1;
	int error;

	if (args->type > KFD_EVENT_MEMORY)
		return -EINVAL;
	if (args->page_offset) {
		error = event_take_page(process, args->page_offset);
		if (error)
			return error;
	}
	while (id < WT_EVENTS_MAX && process->events[id].state != WT_EVENT_FREE)
		id++;
	if (id == WT_EVENTS_MAX)
		return -ENOSPC;
	process->events[id] = (struct wt_owner_event){
		.state = WT_EVENT_QUIET,
		.type = args->type,
		.auto_reset = args->auto_reset,
	};
	if (id >= process->event_count)
		process->event_count = id + 1;
	if (mailboxes(process))
		mailboxes(process)[id] = EMPTY;
	args->event_id = args->trigger_data = args->slot_index = id;
	args->page_offset = process->event_page;
	return 0;
}

int wt_event_destroy(struct wt_owner_process *process, uint32_t id)
{
	struct wt_owner_event *event = event_of(process, id);

	if (!event)
		return -EINVAL;
	event->state = WT_EVENT_FREE;
	wt_event_answer(process->owner);
	return 0;
}

int wt_event_set(struct wt_owner_process *process, uint32_t id)
{
	struct wt_owner_event *event = event_of(process, id);

	if (!event)
		return -EINVAL;
	event->state = WT_EVENT_SIGNALLED;
	wt_event_answer(process->owner);
	return 0;
}

void wt_event_signal(struct wt_owner_process *process, uint32_t id)
{
	struct wt_owner_event *event = event_of(process, id);

	process->woken = 0;
	if (event)
		event->by_device = true;
	wt_event_set(process, id);
}

int wt_event_set_by(struct wt_connection *connection, uint32_t id)
{
	struct wt_owner_process *process = connection->process;
	struct wt_owner_event *event = event_of(process, id);

	if (event && event->state != WT_EVENT_SIGNALLED)
		event->by_device = false;
	if (process->listener && !process->woken && wt_engine_queue_count(process->engine))
		process->woken = wt_owner_clock(CLOCK_MONOTONIC);
	return wt_event_set(process, id);
}

static void listener_wake(struct wt_owner_process *process)
{
	process->woken = 0;
	wt_event_answer(process->owner);
}

/* Does a debugger hold what the device would do, or what it has to say? */
static bool process_is_held(const struct wt_owner_process *process)
{
	for (const struct wt_debug_queue *queue = process->debug.queues; queue; queue = queue->next)
		if (queue->suspended)
			return true;
	return process->untold;
}

void wt_event_wake_idle(struct wt_owner_process *process)
{
	if (process->woken && !process_is_held(process) &&
	    wt_owner_clock(CLOCK_MONOTONIC) >= process->woken + WAKE_IDLE)
		listener_wake(process);
}

static bool is_over(const struct wt_wait *wait)
{
	return !wait->forever && wt_owner_clock(CLOCK_MONOTONIC) >= wait->deadline;
}

/* A listener may make other calls, which nobody puts off. */
static bool is_of_listener(const struct wt_connection *connection)
{
	return connection->process->listener == connection && connection->wait.listens;
}

/* Is the call that of a listener which is to sleep on? */
static bool is_put_off(const struct wt_connection *connection)
{
	const struct wt_owner_process *process = connection->process;

	return process->woken && is_of_listener(connection) && !is_over(&connection->wait) &&
	       wt_owner_clock(CLOCK_MONOTONIC) < process->woken + WAKE_BUSY;
}

int wt_event_reset(struct wt_owner_process *process, uint32_t id)
{
	struct wt_owner_event *event = event_of(process, id);

	if (!event)
		return -EINVAL;
	event->state = WT_EVENT_QUIET;
	return 0;
}

/* The numbers of the events that a call waits for, which are read once, as the kernel does. */
static int wait_read_ids(const struct wt_owner_process *process, struct wt_wait *wait)
{
	wt_cleanup_free struct kfd_event_data *entries = calloc(wait->count, sizeof(*entries));
	uint32_t *ids = malloc(wait->count * sizeof(*ids));

	if (!entries || !ids) {
		free(ids);
		return -ENOMEM;
	}
	if (wt_owner_copy_in(process, entries, wait->events, wait->count * sizeof(*entries))) {
		free(ids);
		return -EFAULT;
	}
	for (uint32_t i = 0; i < wait->count; i++)
		ids[i] = entries[i].event_id < WT_EVENTS_MAX ? entries[i].event_id : 0;
	wait->ids = ids;
	return 0;
}

static struct wt_owner_event *wait_event(struct wt_owner_process *process,
					 const struct wt_wait *wait, uint32_t index)
{
	return event_of(process, wait->ids[index] & ~HEARD);
}

static bool wait_has(const struct wt_wait *wait, uint32_t index, const struct wt_owner_event *event)
{
	return wait->ids[index] & HEARD || event->state == WT_EVENT_SIGNALLED;
}

/* All who wait for an event hear of it, and not the first alone: runtimes of ROCm 6 have several threads that wait for one. */
static void event_quieten(struct wt_owner_process *process, struct wt_owner_event *event)
{
	const uint32_t id = (uint32_t)(event - process->events);

	event->state = WT_EVENT_QUIET;
	for (struct wt_connection *c = process->owner->connections; c; c = c->next) {
		if (c->process != process || !c->waiting || c->wait.kind != WT_WAIT_EVENTS)
			continue;
		for (uint32_t i = 0; i < c->wait.count; i++)
			if (c->wait.ids[i] == id)
				c->wait.ids[i] |= HEARD;
	}
}

/* How many have been signalled; -EINVAL if there is one that is no event. */
static int count_signalled(struct wt_owner_process *process, const struct wt_wait *wait)
{
	int count = 0;

	for (uint32_t i = 0; i < wait->count; i++) {
		const struct wt_owner_event *event = wait_event(process, wait, i);

		if (!event)
			return -EINVAL;
		count += wait_has(wait, i, event);
	}
	return count;
}

/* The event's data into its entry. */
static int copy_event(const struct wt_owner_process *process, const struct wt_owner_event *event,
		      uint64_t entry)
{
	switch (event->type) {
	case KFD_EVENT_MEMORY:
		return wt_owner_copy_out(process, entry, &event->memory, sizeof(event->memory));
	case KFD_EVENT_HW_EXCEPTION:
		return wt_owner_copy_out(process, entry, &event->hardware, sizeof(event->hardware));
	default:
		return 0;
	}
}

/* Give back those that are signalled, with what they have to say. */
static int take_signalled(struct wt_owner_process *process, const struct wt_wait *wait)
{
	for (uint32_t i = 0; i < wait->count; i++) {
		uint64_t entry = wait->events + i * sizeof(struct kfd_event_data);
		struct wt_owner_event *event = wait_event(process, wait, i);

		if (!event || !wait_has(wait, i, event))
			continue;
		if (copy_event(process, event, entry))
			return -EFAULT;
		event->taken = true;
		if (event->auto_reset && event->state == WT_EVENT_SIGNALLED)
			event_quieten(process, event);
	}
	return 0;
}

/* Has the device something to say to who waits? */
static bool hears_device(struct wt_owner_process *process, const struct wt_wait *wait)
{
	for (uint32_t i = 0; i < wait->count; i++) {
		const struct wt_owner_event *event = wait_event(process, wait, i);

		if (!event || (event->state == WT_EVENT_SIGNALLED && event->by_device))
			return true;
	}
	return false;
}

/* Try to answer. WT_CALL_WAITS if that has to wait. */
static int try_answer(struct wt_owner_process *process, const struct wt_wait *wait, bool last,
		      uint32_t *result_ret)
{
	int count = count_signalled(process, wait);

	if (count < 0)
		return count;
	if (wait->all ? (uint32_t)count == wait->count : count > 0) {
		*result_ret = KFD_WAIT_COMPLETE;
		return take_signalled(process, wait);
	}
	if (!last)
		return WT_CALL_WAITS;
	*result_ret = KFD_WAIT_TIMEOUT;
	return 0;
}

/* Is one of the events for memory violations? */
static bool is_listening(struct wt_owner_process *process, const struct wt_wait *wait)
{
	for (uint32_t i = 0; i < wait->count; i++) {
		const struct wt_owner_event *event = wait_event(process, wait, i);

		if (event && event->type == KFD_EVENT_MEMORY)
			return true;
	}
	return false;
}

int wt_event_wait(struct wt_connection *connection, struct kfd_wait_events *args)
{
	struct wt_wait *wait = &connection->wait;
	int result;

	if (!args->count || args->count > WAIT_MAX)
		return -EINVAL;
	free(wait->ids);
	*wait = (struct wt_wait){
		.events = args->events,
		.count = args->count,
		.all = args->all,
		.forever = args->timeout == FOREVER,
		.deadline = wt_owner_clock(CLOCK_MONOTONIC) + args->timeout * MILLISECOND,
	};
	result = wait_read_ids(connection->process, wait);
	if (result)
		return result;
	wait->listens = is_listening(connection->process, wait);
	if (wait->listens)
		connection->process->listener = connection;
	/* The thread was on its way back to the call when the program woke it. */
	if (is_put_off(connection) && !hears_device(connection->process, wait))
		return WT_CALL_WAITS;
	return try_answer(connection->process, wait, !args->timeout, &args->result);
}

void wt_event_answer(struct wt_owner *owner)
{
	for (struct wt_connection *c = owner->connections; c; c = c->next) {
		struct kfd_wait_events *args = (void *)c->answer.argument;
		int result;

		if (!c->waiting || c->wait.kind != WT_WAIT_EVENTS || is_put_off(c))
			continue;
		result = try_answer(c->process, &c->wait, is_over(&c->wait), &args->result);
		if (result == WT_CALL_WAITS)
			continue;
		if (is_of_listener(c))
			c->process->woken = 0;
		wt_owner_answer(c, result);
	}
}

int wt_event_patience(const struct wt_owner *owner)
{
	uint64_t now = wt_owner_clock(CLOCK_MONOTONIC), least = UINT64_MAX;

	for (const struct wt_connection *c = owner->connections; c; c = c->next)
		if (c->waiting && c->wait.kind == WT_WAIT_EVENTS && !c->wait.forever &&
		    c->wait.deadline < least)
			least = c->wait.deadline;
	/* Processes with queues are looked at often enough. */
	for (const struct wt_owner_process *p = owner->processes; p; p = p->next)
		if (p->woken && !wt_engine_queue_count(p->engine) && p->woken + WAKE_IDLE < least)
			least = p->woken + WAKE_IDLE;
	if (least == UINT64_MAX)
		return -1;
	if (least <= now)
		return 0;
	least = (least - now + MILLISECOND - 1) / MILLISECOND;
	return least > 1000000 ? 1000000 : (int)least;
}
