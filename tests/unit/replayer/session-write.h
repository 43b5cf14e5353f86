/* SPDX-License-Identifier: MIT */
/* What the files that write the session of session.h share. */
#ifndef TEST_REPLAYER_SESSION_WRITE_H
#define TEST_REPLAYER_SESSION_WRITE_H

#include "session.h"

struct session_builder {
	struct wt_writer *writer;
	struct wt_state *state;
	const struct session_options *options;
	uint64_t call; /* the last one of the journal */
};

/** The number of a name in the trace. */
uint32_t session_name(struct session_builder *b, const char *text);

/** The calls of a client that attached, asked this and that, and detached: up to the moments, and after them. */
void session_journal_before_attach(struct session_builder *b);
void session_journal_after_attach(struct session_builder *b);

#endif /* TEST_REPLAYER_SESSION_WRITE_H */
