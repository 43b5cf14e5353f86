/* SPDX-License-Identifier: MIT */
#include "recorder/moment/late.h"

#include <stdlib.h>

#include "base/cleanup.h"

struct wt_error *wt_late_write(struct wt_recorder *recorder, const struct wt_state *more)
{
	size_t count = wt_state_count(more);
	wt_cleanup_free const struct wt_item **items = calloc(count + 1, sizeof(*items));
	struct wt_error *error = wt_own_check();

	if (!items)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++) {
		items[i] = wt_state_at(more, i);
		if (items[i]->removed)
			wt_state_remove(recorder->session.state, &items[i]->key);
		else
			error = wt_state_set(recorder->session.state, items[i]);
	}
	if (error || !count)
		return error;
	return wt_writer_late(recorder->writer, items, count);
}

bool wt_late_possible(const struct wt_call *call)
{
	return wt_call_takes_state(call) && call->recorder->session.state &&
	       !wt_session_pending(&call->recorder->session);
}

struct wt_state *wt_late_target(struct wt_call *call, struct wt_state **more)
{
	struct wt_session *session = &call->recorder->session;

	if (wt_session_pending(session)) {
		if (!session->early)
			session->early = wt_state_create();
		return session->early;
	}
	*more = wt_state_create();
	return *more;
}

const struct wt_state *wt_late_held(struct wt_call *call)
{
	struct wt_session *session = &call->recorder->session;

	return wt_session_pending(session) ? session->early : session->state;
}
