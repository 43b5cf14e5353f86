/* SPDX-License-Identifier: MIT */
#include "recorder/recording/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* Messages between two moments, at most; a library at its most talkative level is cut off here. */
#define LOG_COUNT_LIMIT 1024u
#define LOG_BYTES_LIMIT (256u << 10)

static bool values_grow(void **values, size_t *capacity, size_t count, size_t size)
{
	size_t wanted = *capacity ? *capacity * 2 : 16;
	void *grown;

	if (count < *capacity)
		return true;
	grown = reallocarray(*values, wanted, size);
	if (!grown)
		return false;
	*values = grown;
	*capacity = wanted;
	return true;
}

struct wt_attached *wt_session_process(struct wt_session *session, uint64_t handle)
{
	struct wt_attached *process = session->processes;

	while (process && process->handle != handle)
		process = process->next;
	return process;
}

struct wt_attached *wt_session_attach(struct wt_session *session, uint64_t handle)
{
	struct wt_attached *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	process->handle = handle;
	process->next = session->processes;
	session->processes = process;
	return process;
}

void wt_attached_clear(struct wt_attached *process)
{
	for (size_t i = 0; i < process->event_count; i++)
		free(process->events[i].answers);
	process->event_count = 0;
	process->after_resume = false;
	wt_handles_clear(&process->stop_requested);
}

static void attached_destroy(struct wt_attached *process)
{
	wt_attached_clear(process);
	wt_handles_deinit(&process->stop_requested);
	wt_handles_deinit(&process->waiting);
	free(process->events);
	free(process);
}

void wt_session_detach(struct wt_session *session, uint64_t handle)
{
	for (struct wt_attached **link = &session->processes; *link; link = &(*link)->next) {
		struct wt_attached *process = *link;

		if (process->handle != handle)
			continue;
		*link = process->next;
		attached_destroy(process);
		return;
	}
}

bool wt_attached_add_event(struct wt_attached *process, const struct wt_event *event)
{
	void *events = process->events;

	if (!values_grow(&events, &process->event_capacity, process->event_count, sizeof(*event)))
		return false;
	process->events = events;
	process->events[process->event_count++] = *event;
	return true;
}

bool wt_session_log(struct wt_session *session, uint32_t level, const char *text)
{
	size_t size = strlen(text) + 1;
	struct wt_log_message *log;

	if (session->log_count >= LOG_COUNT_LIMIT || size > LOG_BYTES_LIMIT - session->log_bytes) {
		session->log_cut = true;
		return true;
	}
	log = reallocarray(session->log, session->log_count + 1, sizeof(*log));
	if (!log)
		return false;
	session->log = log;
	log[session->log_count].level = level;
	log[session->log_count].event = 0;
	for (const struct wt_attached *process = session->processes; process;
	     process = process->next)
		log[session->log_count].event += (uint32_t)process->event_count;
	log[session->log_count].text = strdup(text);
	if (!log[session->log_count].text)
		return false;
	session->log_count++;
	session->log_bytes += size;
	return true;
}

void wt_session_clear_log(struct wt_session *session)
{
	for (size_t i = 0; i < session->log_count; i++)
		free((void *)(uintptr_t)session->log[i].text);
	session->log_count = session->log_bytes = 0;
	session->log_cut = false;
}

uint64_t *wt_session_changes(struct wt_session *session, uint64_t process, enum wt_object object)
{
	struct wt_changes *changes = session->changes;

	for (size_t i = 0; i < session->changes_count; i++)
		if (changes[i].process == process)
			return &changes[i].counts[object];
	changes = reallocarray(changes, session->changes_count + 1, sizeof(*changes));
	if (!changes)
		return NULL;
	session->changes = changes;
	changes += session->changes_count++;
	*changes = (struct wt_changes){.process = process};
	return &changes->counts[object];
}

/* The state `early` has what the client wrote since an event of which no moment tells, as it was before. */
bool wt_session_keeps(const struct wt_session *session, uint64_t wave)
{
	const struct wt_key key = {.type = WT_ITEM_REGISTERS, .owner = wave};

	return wt_handles_has(&session->written, wave) &&
	       !(session->early && wt_state_get(session->early, &key)) && session->state &&
	       wt_state_get(session->state, &key);
}

bool wt_session_asked(const struct wt_session *session, uint64_t wave)
{
	const struct wt_attached *process = session->processes;

	while (process && !wt_handles_has(&process->stop_requested, wave))
		process = process->next;
	return process;
}

/* The event that comes next is of what happened since, and the moment of that is yet to come. */
bool wt_session_stays(const struct wt_session *session, uint64_t wave)
{
	return wt_handles_has(&session->resumed, wave) && !wt_session_pending(session);
}

void wt_session_reset(struct wt_session *session)
{
	while (session->processes)
		wt_session_detach(session, session->processes->handle);
	wt_session_clear_log(session);
	wt_state_destroy(session->state);
	wt_state_destroy(session->early);
	wt_state_destroy(session->fresh);
	session->state = session->early = session->fresh = NULL;
	session->passed = false;
	session->stopped = 0;
	wt_handles_clear(&session->touched);
	wt_handles_clear(&session->resumed);
	wt_handles_clear(&session->stepped);
	wt_handles_clear(&session->written);
	wt_handles_clear(&session->looked_at);
	session->breakpoint_count = 0;
	wt_handles_clear(&session->watchpoints);
	wt_handles_clear(&session->displaced_steppings);
	session->changes_count = 0;
}

void wt_register_set_destroy(struct wt_register_set *set)
{
	wt_handle_list_release(set->list);
	wt_handle_list_release(set->taken);
	wt_bytes_pool_destroy(set->pool);
	free(set);
}

static void forget_sets(struct wt_register_set *set)
{
	while (set) {
		struct wt_register_set *next = set->next;

		wt_register_set_destroy(set);
		set = next;
	}
}

void wt_session_deinit(struct wt_session *session)
{
	wt_session_reset(session);
	wt_handles_deinit(&session->touched);
	wt_handles_deinit(&session->resumed);
	wt_handles_deinit(&session->stepped);
	wt_handles_deinit(&session->written);
	wt_handles_deinit(&session->looked_at);
	wt_handles_deinit(&session->watchpoints);
	wt_handles_deinit(&session->displaced_steppings);
	wt_state_destroy(session->facts);
	for (size_t i = 0; i < session->register_list_count; i++)
		wt_handle_list_release(session->register_lists[i]);
	free(session->register_lists);
	forget_sets(wt_take(session->plans));
	forget_sets(wt_take(session->layouts));
	wt_handles_deinit(&session->unknown_queries);
	wt_handles_deinit(&session->unknown_values);
	free(session->registers);
	free(session->changes);
	free(session->breakpoints);
	free(session->log);
	*session = (struct wt_session){0};
}
