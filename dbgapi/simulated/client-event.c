/* SPDX-License-Identifier: MIT */
/* Events: made, and queued for the client. */
#include "dbgapi/simulated/internal.h"

struct wt_api_event *wt_event_create(struct wt_api_process *process, amd_dbgapi_event_kind_t kind)
{
	uint32_t number = (uint32_t)wt_provider.last_handle[WT_OBJECT_EVENT] + 1;
	struct wt_api_event *event = wt_create(process, WT_OBJECT_EVENT, number, sizeof(*event));

	if (!event) {
		process->out_of_memory = true;
		return NULL;
	}
	event->kind = kind;
	event->runtime_state = AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS;
	return event;
}

void wt_event_enqueue(struct wt_api_event *event)
{
	TAILQ_INSERT_TAIL(&event->entry.process->queued, event, link);
	wt_notifier_mark(event->entry.process);
}

void wt_event_queue(struct wt_api_process *process, amd_dbgapi_event_kind_t kind,
		    struct wt_api_wave *wave)
{
	struct wt_api_event *event = wt_event_create(process, kind);

	if (!event)
		return;
	if (wave) {
		event->wave = wave->entry.handle;
		wave->stop = event;
	}
	wt_event_enqueue(event);
}

void wt_event_drop(struct wt_api_event *event)
{
	TAILQ_REMOVE(&event->entry.process->queued, event, link);
	wt_remove(WT_OBJECT_EVENT, &event->entry);
}
