/* SPDX-License-Identifier: MIT */
/* The browser's session: the trace that is open; the stop, wave and frame that the user is at; and the pages that show them. */
#ifndef WT_CLI_BROWSE_BROWSER_SESSION_H
#define WT_CLI_BROWSE_BROWSER_SESSION_H

#include "cli/browse/model.h"
#include "cli/trace.h"
#include "replayer/view/explain-lines.h"
#include "replayer/view/explain.h"
#include "replayer/view/sources.h"
#include "replayer/view/stack.h"

struct wt_session;

/*
 * A page over a session. `version` of the session is what its lines depend on: the pages make what they show when they are
 * asked for it, and keep it as long as this number stays.
 */
struct wt_page_kind {
	size_t size; /* bytes of its structure, which begins with `struct wt_session *session` */
	void (*begin)(void *page); /* all else is zero; NULL: that is all */
	void (*deinit)(void *page);
	size_t (*count)(void *page, size_t want);
	void (*line)(void *page, size_t number, struct wt_line *line);
	void (*title)(void *page, struct wt_line *line);
	/*
	 * Each of these may be NULL: the page always knows its end; it changes with stop and wave; its home is the first line;
	 * nobody follows its cursor; it has no keys.
	 */
	bool (*ended)(void *page);
	uint64_t (*version)(void *page);
	size_t (*home)(void *page);
	void (*moved)(void *page, size_t line);
	bool (*key)(void *page, size_t line, int key, struct wt_outcome *answer);
	const char *hint;
};

extern const struct wt_page_kind wt_page_overview, wt_page_stops, wt_page_waves, wt_page_code,
	wt_page_registers, wt_page_memory, wt_page_stack, wt_page_cause, wt_page_journal,
	wt_page_help, wt_page_way;

#define WT_EXPRESSIONS_MAX 8

enum wt_memory_space { WT_SPACE_GLOBAL, WT_SPACE_LOCAL, WT_SPACE_PRIVATE, WT_SPACES };

struct wt_session {
	struct wt_cli_trace *trace;
	const struct wt_source_maps *maps;
	struct wt_sources *sources; /* NULL: there is no memory for them */
	bool (*interrupted)(void);
	/* The place that the user is at. */
	uint32_t stop;	/* as users count; 0: the trace has none */
	uint32_t begun; /* the stop that one comes to first */
	uint64_t wave;	/* 0: the stop has none */
	size_t frame;
	uint64_t address; /* in memory, of the space */
	enum wt_memory_space space;
	uint64_t code; /* an address to see in the code; 0: where the wave stands */
	/* Count up when something of the above changes. */
	uint64_t stop_version, wave_version, frame_version, address_version, code_version;
	/* Expressions that are shown of each wave, the newest first; the rest is NULL. */
	char *expressions[WT_EXPRESSIONS_MAX];
	uint64_t expressions_version;
	/* The state at the stop, each part opened when it is first asked for. */
	struct wt_view *view;
	struct wt_explainer *explainer;
	struct wt_view *earlier; /* the stop before, of the same process */
	uint32_t earlier_stop;	 /* its number; 0: there is none */
	bool earlier_looked;
	char *lost; /* why the stop cannot be looked at */
	struct wt_stacks *stacks;
	struct wt_stack *stack; /* of the wave */
	uint64_t stack_wave;	/* whose it is */
	bool is_listed;		/* stops are those of the list at the end of the trace */
	/* Columns of each page on the screen, and the line of its cursor. */
	size_t widths[WT_PAGES], cursors[WT_PAGES];
	void *pages[WT_PAGES];
};

/**
 * Begin with an open trace, at the stop of its --stop and the wave of its --wave.
 *
 * @session_ret: for the caller to wt_session_destroy(). The trace and the maps must outlive it.
 */
struct wt_error *wt_session_create(struct wt_cli_trace *trace, const struct wt_source_maps *maps,
				   bool (*interrupted)(void), struct wt_session **session_ret);
void wt_session_destroy(struct wt_session *session);

/** The book that a model shows the session's pages from. */
struct wt_book wt_session_book(struct wt_session *session);

/** Let go of what the pages hold. */
void wt_session_close_pages(struct wt_session *session);

/* ---- For the pages ---- */

/** The state at the stop; NULL if there is none, or it is lost: then session->lost says why. */
struct wt_view *wt_session_view(struct wt_session *session);
/** An explainer over it; NULL where there is no view. */
struct wt_explainer *wt_session_explainer(struct wt_session *session);
/** The state at the stop before; NULL if there is none, or it is lost. */
struct wt_view *wt_session_earlier(struct wt_session *session);
/** The calls of the wave; NULL if it is not stopped. */
struct wt_stack *wt_session_stack(struct wt_session *session);

/** Go to a stop. The wave stays where it is there too, else it is the one that tells most. */
void wt_session_go_stop(struct wt_session *session, uint32_t stop);
void wt_session_go_wave(struct wt_session *session, uint64_t wave);
void wt_session_go_frame(struct wt_session *session, size_t frame);
/** See an address in memory, or in code. */
void wt_session_go_address(struct wt_session *session, enum wt_memory_space space,
			   uint64_t address);
void wt_session_go_code(struct wt_session *session, uint64_t address);

/** Show the value of an expression from now on; the oldest makes room. NULL: show none. */
void wt_session_keep_expression(struct wt_session *session, const char *expression);

/** Follow a value as a pointer: into code, into recorded memory, or say that it leads to nothing. */
void wt_session_follow(struct wt_session *session, uint64_t value, struct wt_outcome *answer);

/** Follow the first address in a text that stands for itself: "0x2100". False if there is none. */
bool wt_session_follow_text(struct wt_session *session, const char *text,
			    struct wt_outcome *answer);

/** Say in a page's only line why the page is empty. */
void wt_session_put_why(const struct wt_session *session, struct wt_line *line);

/** Write the message of an answer; a longer one is cut. */
__attribute__((format(printf, 2, 3))) void wt_outcome_say(struct wt_outcome *answer,
							  const char *format, ...);

/* An error as one line for the caller to free; the error is destroyed. NULL if there is no error, or no memory. */
char *wt_error_line(struct wt_error *error);

/** Go to the next stop or wave, or to the one before if @by is negative. The answer's message says if there is none. */
void wt_session_step_stop(struct wt_session *session, int by, struct wt_outcome *answer);
void wt_session_step_wave(struct wt_session *session, int by, struct wt_outcome *answer);

#endif /* WT_CLI_BROWSE_BROWSER_SESSION_H */
