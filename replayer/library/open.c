/* SPDX-License-Identifier: MIT */
/* The trace: opening it, and what it knows of architectures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "replayer/library/cache.h"
#include "replayer/library/internal.h"

struct wt_replayer wt_replayer = {
	.nobody = {.notifier = {-1, -1},
		   .timeline = {.position = WT_TIMELINE_START, .destination = WT_TIMELINE_NOWHERE}},
	.attached_at = WT_TIMELINE_START,
};

/* @reader: stays open if it is that of the trace. */
static void close_trace(const struct wt_reader *kept)
{
	wt_cache_forget_all();
	wt_call_cursor_close(&wt_replayer.cursor);
	if (wt_replayer.reader) {
		wt_layout_deinit(&wt_replayer.facts_layout);
		wt_state_destroy(wt_replayer.facts_state);
		wt_table_names_deinit(&wt_replayer.names);
		if (wt_replayer.reader != kept)
			wt_reader_close(wt_replayer.reader);
	}
	wt_replayer.reader = NULL;
	wt_replayer.facts_state = NULL;
	/* They are of these architectures. */
	wt_disassemblers_deinit(&wt_replayer.disassemblers);
	wt_replay_forget_registers();
	wt_known_deinit(&wt_replayer.known);
	free(wt_replayer.path);
	free(wt_replayer.failure);
	wt_replayer.path = wt_replayer.failure = NULL;
}

/* Without the first calls of a session no client begins where the trace does. */
static void find_first_call(void)
{
	struct wt_trace_info info;

	wt_reader_info(wt_replayer.reader, &info);
	wt_replayer.turned = info.part.calls_before;
	/* A journal that cannot be read is none: the state answers. */
	wt_error_destroy(wt_call_cursor_open(&wt_replayer.cursor, wt_replayer.reader));
}

/* Everything that is needed of an open trace. */
static struct wt_error *replayer_trace_load(struct wt_reader *reader)
{
	struct wt_error *error = wt_table_names_init(&wt_replayer.names, reader);

	if (error)
		return error;
	error = wt_reader_facts(reader, &wt_replayer.facts_state);
	if (error) {
		wt_table_names_deinit(&wt_replayer.names);
		return error;
	}
	wt_replayer.facts = (struct wt_recorded){.names = &wt_replayer.names,
						 .state = wt_replayer.facts_state,
						 .layout = &wt_replayer.facts_layout};
	error = wt_known_init(&wt_replayer.known, &wt_replayer.facts);
	if (error) {
		wt_state_destroy(wt_replayer.facts_state);
		wt_replayer.facts_state = NULL;
		wt_table_names_deinit(&wt_replayer.names);
		return error;
	}
	wt_replayer.reader = reader;
	wt_replayer.attached_at = WT_TIMELINE_START;
	find_first_call();
	return NULL;
}

/*
 * The reader of a trace that was closed in order and is still what its name stands for: what it has read and decoded need not be
 * read again by a client that begins anew. NULL: there is none.
 */
static struct wt_reader *unchanged_reader(const char *path)
{
	struct stat now, then;
	struct wt_trace_info info;
	struct wt_error *error;
	bool there;

	if (!wt_replayer.reader || !path || strcmp(path, wt_replayer.path))
		return NULL;
	wt_reader_info(wt_replayer.reader, &info);
	if (!info.complete || stat(path, &now))
		return NULL;
	error = wt_reader_stat(wt_replayer.reader, &then);
	there = !error;
	wt_error_destroy(error);
	return there && now.st_dev == then.st_dev && now.st_ino == then.st_ino &&
			       (uint64_t)now.st_size == info.file_size
		       ? wt_replayer.reader
		       : NULL;
}

/* @reader: the one that is open already; NULL: there is none. */
static struct wt_error *open_path(const char *path, struct wt_reader *reader)
{
	struct wt_error *error = NULL;

	if (!path || !*path)
		return wt_error_create(WT_ERROR_USAGE, "cannot replay", "WAVETAPE_TRACE",
				       "the variable is not set: it names the trace to replay");
	if (!reader)
		error = wt_reader_open(path, &reader);
	if (error)
		return error;
	error = replayer_trace_load(reader);
	if (error)
		wt_reader_close(reader);
	return error;
}

/* Another way of replaying it begins at the beginning, too. */
static bool trace_is_open(const char *path)
{
	return wt_replayer.reader &&
	       (wt_replayer.processes || wt_replayer.closed ||
		(path && !strcmp(path, wt_replayer.path) &&
		 wt_replayer.opened_from_state == wt_replayer.options.from_state));
}

void wt_replay_open(void)
{
	wt_cleanup_error struct wt_error *error = NULL;
	const char *path = wt_trace_path();
	struct wt_reader *reader;

	if (trace_is_open(path))
		return;
	reader = unchanged_reader(path);
	close_trace(reader);
	wt_replayer.opened_from_state = wt_replayer.options.from_state;
	wt_replayer.path = strdup(path ? path : "");
	if (wt_replayer.path) {
		error = open_path(path, reader);
	} else {
		wt_reader_close(reader);
		error = &wt_error_no_memory;
	}
	if (error &&
	    asprintf(&wt_replayer.failure, "%s: %s: %s", error->what, error->where, error->why) < 0)
		wt_replayer.failure = NULL;
}

const struct wt_images *wt_replay_images(struct wt_replay_process *process)
{
	const struct wt_timeline *timeline = &process->timeline;

	if (process->images_state == timeline->state &&
	    process->images_position == timeline->state_position)
		return &process->images;
	wt_replay_log_error(wt_images_load(&process->images, &timeline->recorded));
	process->images_state = timeline->state;
	process->images_position = timeline->state_position;
	return &process->images;
}

struct wt_static wt_replay_static(void)
{
	return (struct wt_static){
		.client = &wt_replayer.client,
		.architectures = wt_replayer.known.architectures,
		.architecture_count = wt_replayer.known.count + wt_replayer.known.table_count,
		.address_level = wt_replay_recorded_level(),
	};
}

struct wt_static wt_replay_tables(void)
{
	struct wt_static tables = wt_replay_static();

	tables.architectures += wt_replayer.known.count;
	tables.architecture_count = wt_replayer.known.table_count;
	return tables;
}
