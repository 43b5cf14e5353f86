/* SPDX-License-Identifier: MIT */
/* The list of stops that the final index repeats. */
#include <stdlib.h>

#include "trace-format/writer/internal.h"
#include "trace-format/writer/writer.h"

static void pending_stop_drop(struct wt_pending_stop *stop)
{
	free(stop->events);
	*stop = (struct wt_pending_stop){0};
}

void wt_writer_keep_stop(struct wt_writer *writer, const struct wt_moment *moment, uint32_t number)
{
	struct wt_pending_stop *stop = &writer->stop;

	pending_stop_drop(stop);
	stop->events = calloc(moment->event_count + 1, sizeof(*stop->events));
	if (!stop->events) {
		writer->listed.broken = true;
		return;
	}
	for (size_t i = 0; i < moment->event_count; i++)
		stop->events[i] = (struct wt_event){.handle = moment->events[i].handle,
						    .kind = moment->events[i].kind};
	stop->moment = (struct wt_moment){
		.number = number,
		.process = moment->process,
		.call = moment->call,
		.time = writer->reproducible ? 0 : moment->time,
		.events = stop->events,
		.event_count = moment->event_count,
	};
	stop->pending = true;
}

void wt_writer_list_stop(struct wt_writer *writer)
{
	struct wt_pending_stop *pending = &writer->stop;
	struct wt_stop stop;
	struct wt_error *error;
	bool whole;

	if (!pending->pending)
		return;
	error = wt_stop_describe(&writer->names, &pending->moment, writer->state, &stop, &whole);
	if (!error) {
		writer->listed.broken |= !whole;
		wt_stop_list_add(&writer->listed, &stop);
		wt_stop_deinit(&stop);
	}
	writer->listed.broken |= error != NULL;
	wt_error_destroy(error);
	pending_stop_drop(pending);
}
