/* SPDX-License-Identifier: MIT */
/* Signals in memory of the program, and whom they wake. */
#include "driver/engine/internal.h"

/* Offsets in a signal, and the kind of one that is no user's. */
#define SIGNAL_VALUE 8
#define SIGNAL_MAILBOX 16
#define SIGNAL_EVENT 24
#define SIGNAL_START 32
#define SIGNAL_END 40

static void signal_wake(const struct wt_engine_queue *queue, uint64_t signal)
{
	const struct wt_engine_host *host = &queue->view->engine->host;
	uint64_t mailbox = 0, value;
	uint32_t event = 0;

	if (!wt_sight_read(queue->view, signal + SIGNAL_MAILBOX, &mailbox, sizeof(mailbox)) ||
	    !wt_sight_read(queue->view, signal + SIGNAL_EVENT, &event, sizeof(event)) || !mailbox)
		return;
	value = event;
	wt_sight_publish(queue->view, mailbox, &value, sizeof(value));
	host->signal(host->opaque, event);
}

bool wt_signal_read(const struct wt_engine_queue *queue, uint64_t signal, int64_t *value_ret)
{
	return wt_sight_read(queue->view, signal + SIGNAL_VALUE, value_ret, sizeof(*value_ret));
}

void wt_signal_set(struct wt_engine_queue *queue, uint64_t signal, int64_t value)
{
	if (!signal)
		return;
	wt_sight_publish(queue->view, signal + SIGNAL_VALUE, &value, sizeof(value));
	signal_wake(queue, signal);
}

void wt_signal_complete(struct wt_engine_queue *queue, uint64_t signal, uint64_t start)
{
	uint64_t end = wt_engine_ticks();

	if (!signal)
		return;
	wt_sight_write(queue->view, signal + SIGNAL_START, &start, sizeof(start));
	wt_sight_write(queue->view, signal + SIGNAL_END, &end, sizeof(end));
	wt_sight_add(queue->view, signal + SIGNAL_VALUE, -1);
	signal_wake(queue, signal);
}
