/* SPDX-License-Identifier: MIT */
/*
 * A session of the Debug Adapter Protocol over a trace: an editor asks, and walks through what was recorded.
 *
 * Waves are the threads; their numbers are those of the command. One lane is in focus: of values that differ from lane to lane its own
 * comes first. Numbers of frames and references of variables hold as long as nothing moves, as the protocol has it.
 */
#ifndef WT_CLI_SERVE_DAP_H
#define WT_CLI_SERVE_DAP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/look/variable-value.h"
#include "cli/serve/opened.h"
#include "cli/serve/message.h"
#include "replayer/control/name.h"

struct wt_dap_options {
	const char *path; /* NULL: the client says what is opened */
	uint32_t stop;	  /* 0: the one that tells most */
	const struct wt_source_maps *maps;
};

/** Serve one client. The descriptors stay open. Errors: IO, if it cannot be answered; no memory. */
struct wt_error *wt_dap_serve(const struct wt_dap_options *options, int input, int output);

/* ---- For the parts of the session ---- */

/* The thread where there is no wave: clients want one. */
#define WT_DAP_NO_WAVE (INT32_MAX)

enum wt_dap_kind {
	WT_DAP_ARGUMENTS,
	WT_DAP_LOCALS,
	WT_DAP_REGISTERS,
	WT_DAP_REGISTER_CLASS, /* `index` in the list of classes */
	WT_DAP_REGISTER,       /* `index` among the wave's: its lanes */
	WT_DAP_LANES,
	WT_DAP_LOCAL_MEMORY,
	WT_DAP_MEMORY_RUN, /* of local memory: from `index`, `size` bytes */
	WT_DAP_OBJECT,	   /* its parts */
	WT_DAP_GROUPS,	   /* the different values of an object */
	WT_DAP_JSON,	   /* what was put together already */
};

/* Something that a client can open: the number of one is its place in the list, from 1. */
struct wt_dap_reference {
	enum wt_dap_kind kind;
	uint64_t wave;
	size_t frame, index;
	uint64_t size;
	/* For an object: an expression, or the variable at `index`, and which part of it. */
	char *expression, *name;
	uint64_t *parts;
	size_t depth;
	json_t *json;
};

struct wt_dap_frame {
	uint64_t wave;
	size_t index;
};

/* So many frames and references are given out between two moves. */
#define WT_DAP_REFERENCES_MAX 200000

struct wt_dap {
	struct wt_server *server;
	const struct wt_dap_options *options;
	json_int_t sequence;
	struct wt_source_maps maps;
	char *map_texts[WT_SOURCE_MAPS]; /* those that the client has given */
	size_t map_text_count;
	struct {
		bool lines_from_0, columns_from_0, types, progress, invalidated;
	} client;
	bool is_initialized, is_configured, is_stop_told, is_over;
	struct wt_opened *opened; /* NULL: nothing is yet */
	struct wt_control_name replay;
	bool has_replay; /* that one is sent along */
	uint64_t wave;	 /* that is looked at; 0: there is none */
	uint32_t lane;	 /* in focus */
	uint64_t failed_lanes;
	json_t *later;	    /* events that go out behind the response */
	json_int_t current; /* the request that is handled */
	bool is_cancelled;  /* and it was told so, and gives up */
	bool has_cancelled; /* it is a cancel, of a request that gave up */
	/* The last fault that was asked for: clients ask each time that they show the wave. NULL: what was not asked for. */
	struct {
		uint64_t wave;
		uint32_t stop;
		json_t *body;  /* the answer to exceptionInfo */
		json_t *facts; /* see wt_dap_fault_facts() */
	} exception;
	struct wt_dap_frame *frames;
	size_t frame_count;
	struct wt_dap_reference *references;
	size_t reference_count;
	struct wt_dap_breakpoint *breakpoints;
	size_t breakpoint_count;
	json_int_t breakpoint_number; /* of the one that was made last */
	/* Places that a client was told it can go to. */
	struct wt_dap_target {
		uint64_t wave, position;
		uint32_t stop; /* 0: a position on the wave's way */
	} * targets;
	size_t target_count;
	/* Work that may take long. */
	struct {
		uint64_t begun_ns, told_ns;
		const char *title;
		bool is_shown;
	} work;
};

/* Breakpoints that a client has set, of each kind. */
#define WT_DAP_BREAKPOINTS_MAX 1000

struct wt_dap_breakpoint {
	json_int_t number;
	enum wt_dap_breakpoint_kind {
		WT_DAP_BREAK_LINE,
		WT_DAP_BREAK_FUNCTION,
		WT_DAP_BREAK_INSTRUCTION,
		WT_DAP_BREAK_DATA,
	} kind;
	char *source; /* of a line: as the client names it */
	char *file;   /* of a line: as debug information names it */
	char *text;   /* a condition, or what is to change; NULL: none */
	uint32_t line, lane;
	uint64_t address; /* that a client is told */
	/* All, in order: of a function each place where it is inlined has one. */
	struct wt_way_address *addresses;
	size_t address_count;
	bool is_known; /* there is such a place */
};

typedef struct wt_error *(*wt_dap_handler)(struct wt_dap *dap, const json_t *arguments,
					   json_t **body_ret);

struct wt_dap_command {
	const char *name;
	wt_dap_handler handle;
	bool without_trace; /* it can be answered before something is opened */
};

/* The requests that each part answers; the last has no name. */
extern const struct wt_dap_command wt_dap_begin_commands[], wt_dap_stop_commands[],
	wt_dap_value_commands[], wt_dap_evaluate_commands[], wt_dap_memory_commands[],
	wt_dap_break_commands[], wt_dap_step_commands[];

/** Errors of requests. */
__attribute__((format(printf, 2, 3), returns_nonnull)) struct wt_error *
wt_dap_wrong(const char *what, const char *format, ...);

/** A number of the arguments within limits; false if it is not there. The error is said where it is there and wrong. */
struct wt_error *wt_dap_number(const json_t *arguments, const char *name, json_int_t least,
			       json_int_t most, json_int_t otherwise, json_int_t *number_ret);

/** A text of the arguments; NULL if it is not there, or no text. */
const char *wt_dap_text(const json_t *arguments, const char *name);

/** Send an event at once, or behind the response that is being made. @body is taken over. */
void wt_dap_event(struct wt_dap *dap, const char *name, json_t *body);
void wt_dap_event_later(struct wt_dap *dap, const char *name, json_t *body);

/** Say something in the console, with a line end. */
void wt_dap_say(struct wt_dap *dap, const char *category, const char *text);

/** Was the request that is handled taken back? Looks at what came in. */
bool wt_dap_is_cancelled(struct wt_dap *dap);

/* The name by which a client takes back work that it was told of. */
#define WT_DAP_PROGRESS "way"

/** Forget frames and references: something has moved. */
void wt_dap_forget(struct wt_dap *dap);

/** Give out a frame, or something that can be opened. 0: there are too many. */
json_int_t wt_dap_frame_number(struct wt_dap *dap, uint64_t wave, size_t index);
/** @reference: its texts, parts and JSON are taken over. */
json_int_t wt_dap_refer(struct wt_dap *dap, const struct wt_dap_reference *reference);

/** The frame of a number that was given out; with @arguments that have none, the innermost of the wave that is looked at. */
struct wt_error *wt_dap_frame_find(struct wt_dap *dap, const json_t *arguments, const char *what,
				   struct wt_dap_frame *frame_ret, struct wt_stack **stack_ret);

/** The calls of a wave, as it is now. @stack_ret: NULL if it is not stopped. */
struct wt_error *wt_dap_stack(struct wt_dap *dap, uint64_t wave, struct wt_stack **stack_ret);

/** The lane whose values come first: that in focus if it is active, else the first that is. */
uint32_t wt_dap_lane(const struct wt_dap *dap, uint64_t active);

/** Look at a lane that a client names; it may be none. */
struct wt_error *wt_dap_take_lane(struct wt_dap *dap, json_int_t lane);

/** Find the wave that a request names by its thread. */
struct wt_error *wt_dap_wave(struct wt_dap *dap, const json_t *arguments, const char *what,
			     uint64_t *wave_ret);

/** The facts of a wave with a fault of memory, as wt_describe_wave_json() has them, with the place and the access that failed, by its way. */
struct wt_error *wt_dap_fault_facts(struct wt_dap *dap, uint64_t wave, json_t **facts_ret);

/** Say that everything has stopped. @reason: as the protocol has it. @text: NULL: what happened to the wave. */
void wt_dap_tell_stop(struct wt_dap *dap, const char *reason, const char *text);

/** Look at another stop: the wave and the lane that tell most are looked at there. */
struct wt_error *wt_dap_go_stop(struct wt_dap *dap, uint32_t stop);

/** The source of a place; NULL if it names none. */
json_t *wt_dap_source(struct wt_dap *dap, const char *file, const uint8_t *md5, bool differs);

/** A line, or a column, as the client counts. */
json_int_t wt_dap_line(const struct wt_dap *dap, uint32_t line);
json_int_t wt_dap_column(const struct wt_dap *dap, uint32_t column);

/** Text of a memory reference, and what it says. */
json_t *wt_dap_memory_reference(enum gfx_space space, uint64_t wave, uint32_t lane,
				uint64_t address);

/* ---- Memory ---- */

struct wt_dap_memory {
	enum gfx_space space;
	uint64_t wave, address;
	uint32_t lane;
};

struct wt_error *wt_dap_memory_parse(const char *what, const char *text,
				     struct wt_dap_memory *memory_ret);

/** Read what is known from an address on, without a gap: how many bytes. */
size_t wt_dap_memory_read(struct wt_dap *dap, const struct wt_dap_memory *memory, void *data,
			  size_t size);

/* ---- Values ---- */

/**
 * Put an object into words.
 *
 * @key: "value" of a variable, "result" of an expression.
 * @name: as an expression; NULL if it has none.
 * @is_one_ret: false if there is no such thing; then the complaint says why.
 */
struct wt_error *wt_dap_object_json(struct wt_dap *dap, struct wt_stack *stack, uint64_t wave,
				    const struct wt_stack_object *object, const char *key,
				    const char *name, bool full, json_t **json_ret,
				    bool *is_one_ret, struct wt_dwarf_complaint *complaint_ret);

/* ---- Ways ---- */

/** The way of a wave; an error says why there is none. */
struct wt_error *wt_dap_way(struct wt_dap *dap, uint64_t wave, const char *what,
			    struct wt_way **way_ret);

/** Forget what was found where the wave stood, before its way goes elsewhere; and begin work that may take long. */
void wt_dap_leave(struct wt_dap *dap, uint64_t wave, const char *title);
void wt_dap_work_end(struct wt_dap *dap);

/** Say where the wave is on its way, "step 12 of 181", for the caller to free(); NULL if it is at the stop. */
char *wt_dap_position(struct wt_dap *dap, uint64_t wave);

/** Answer what the console asks of the way: true if it was such a line. */
bool wt_dap_console_way(struct wt_dap *dap, const char *line, char **text_ret,
			struct wt_error **error_ret);

/**
 * The line with code that a request means, by its source and line.
 *
 * @file_ret: as debug information names it, for the caller to free(); unchanged if there is no such line.
 */
struct wt_error *wt_dap_line_find(struct wt_dap *dap, const json_t *arguments, char **file_ret,
				  uint32_t *line_ret);

/** Forget all breakpoints. */
void wt_dap_breakpoints_drop(struct wt_dap *dap);

/** "i == 12 in lane 3": take the lane off. @lane_ret: that in focus where none is named. For the caller to free(). */
char *wt_dap_condition(const struct wt_dap *dap, const char *text, uint32_t *lane_ret);

#endif /* WT_CLI_SERVE_DAP_H */
