/* SPDX-License-Identifier: MIT */
/* The client's session: its processes, what it did since the last moment, and the state that the trace holds. */
#ifndef WT_RECORDER_RECORDING_SESSION_H
#define WT_RECORDER_RECORDING_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dbgapi/table/api.h"
#include "gfx/wave/wave.h"
#include "recorder/recording/handle-set.h"
#include "trace-format/state/held.h"
#include "trace-format/state/state.h"
#include "trace-format/writer/writer.h"

static inline void wt_cleanup_statep(struct wt_state **state)
{
	wt_state_destroy(*state);
}

#define wt_cleanup_state __attribute__((cleanup(wt_cleanup_statep)))

/* An attached process, and what happened to it since its last moment. */
struct wt_attached {
	struct wt_attached *next;
	uint64_t handle;
	bool no_forward;	 /* its progress mode */
	bool creation_stopped;	 /* its wave creation mode */
	uint64_t precision;	 /* amd_dbgapi_memory_precision_t; process_attach leaves NONE */
	struct wt_event *events; /* reported to the client; each with its answers, owned */
	size_t event_count, event_capacity;
	bool after_resume;
	struct wt_handles stop_requested;
	/* BREAKPOINT_RESUME events that the client has not processed yet: until then the program waits. */
	struct wt_handles waiting;
};

/* Facts of a register, so that the library need not be asked again. */
struct wt_register_fact {
	uint64_t handle;
	uint32_t size;
	char name[20];
	bool plain;  /* neither vector nor scalar: taken of every stopped wave */
	bool wanted; /* the policy names it */
};

/* The common part of waves that have the same registers begins with this. */
struct wt_register_set {
	struct wt_register_set *next;
	struct wt_handle_list *list;
	/*
	 * For plans: the registers that are taken, in the order of the list, and the places that their bytes come from.
	 */
	struct wt_handle_list *taken;
	struct wt_bytes_pool *pool;
	size_t facts; /* registers that were known then: there may be more to say when more are */
	unsigned int variant; /* of plans the extent, of layouts how many lanes the wave has */
};

/* The registers of a list that an extent names (moment/wave-registers.h). */
struct wt_register_plan {
	struct wt_register_set of; /* all that the wave has */
	size_t bytes;		   /* of all that are taken */
	uint32_t sizes[];	   /* of each, bytes */
};

/* The places of registers in the values of a REGISTERS item. */
struct wt_register_layout {
	struct wt_register_set of; /* those of the item */
	/* Offsets by number of s and v; UINT32_MAX where there is none. */
	uint32_t sgprs[GFX_MAX_SGPRS], vgprs[GFX_MAX_VGPRS];
	uint32_t sgpr_end, vgpr_end; /* behind the last that is there */
};

/* Some values of enumerations that the library answered with before, and that the table has. */
#define WT_KNOWN_VALUES 16u /* a power of two */

struct wt_known_values {
	const struct wt_enumeration *enumerations[WT_KNOWN_VALUES];
	uint32_t values[WT_KNOWN_VALUES];
};

/* An address space that was looked for by its name, and found. */
struct wt_space_fact {
	uint64_t architecture, handle;
	char name[16];
};

#define WT_SPACES_KEPT 8u

struct wt_session {
	struct wt_attached *processes;
	/* The state of the last moment, with its late items. NULL before the first moment. */
	struct wt_state *state;
	uint64_t state_bytes; /* of its registers and memory, as they count for a budget */
	/* The last moment is a PASS: things may have moved since the state was taken. */
	bool passed;
	/*
	 * Memory and registers that the client read or is about to overwrite between an event and the STOP moment of
	 * it: the state of a stop is that of the events, not what the client made of it.
	 */
	struct wt_state *early;
	/* After a PASS: the keys of pages that the client has touched since, as they then were. */
	struct wt_state *fresh;
	/* Waves that were resumed or written since the state was taken: their registers are asked anew. */
	struct wt_handles touched;
	/* Waves that were resumed since the last moment, a PASS or not: in it they still exist. */
	struct wt_handles resumed;
	/* Waves that were told to step, and have not made their step in the state. */
	struct wt_handles stepped;
	/*
	 * Waves whose registers the client wrote, and which it has not resumed since: what the trace says of
	 * them stays what it was when they stopped.
	 */
	struct wt_handles written;
	/* Waves whose registers the client read between an event and the STOP moment of it. */
	struct wt_handles looked_at;
	/* Objects that no function lists. */
	struct wt_handles watchpoints, displaced_steppings;
	/* The library's own breakpoints that the client has inserted for it. */
	struct wt_breakpoint {
		uint64_t handle, address;
		uint64_t process; /* 0 until that is known */
	} * breakpoints;
	size_t breakpoint_count;
	/* How many answers `changed` = YES each list function gave the client, by process. */
	struct wt_changes {
		uint64_t process;
		uint64_t counts[WT_OBJECT_COUNT];
	} * changes;
	size_t changes_count;
	/* Logged by the library on the way to the next moment. */
	struct wt_log_message *log;
	size_t log_count, log_bytes;
	bool log_cut;
	/* Facts written so far. */
	struct wt_state *facts;
	/* The last answer of get_architecture. */
	uint64_t last_architecture;
	uint32_t last_machine;
	struct wt_register_fact *registers; /* in order of handles */
	size_t register_count;
	struct wt_space_fact spaces[WT_SPACES_KEPT];
	size_t space_count;
	size_t register_place; /* see wt_registers_hold() */
	/* Places at which the client's calls last found what they are about: see wt_state_get_near(). */
	size_t registers_item, page_item, object_item;
	/* The same of the recorder's own, for waves in their order: themselves, lists of registers, and values. */
	size_t wave_place, list_place, values_place;
	size_t other_place; /* and for all other objects */
	/* A wave that the library said is stopped: so it is until it is resumed, or the program may have moved. 0: none */
	uint64_t stopped;
	struct wt_handle_list **register_lists; /* of waves, each once */
	size_t register_list_count;
	/* Which of them are taken, and where they are then: see moment/register-layout.h. */
	struct wt_register_set *plans, *layouts; /* the one used last is first */
	size_t pool_left; /* bytes that all plans together may still keep for the next stop */
	/* Queries that are not in the table and were answered: kind of object and number, of which the trace tells once. */
	struct wt_handles unknown_queries;
	/* The same of values of enumerations: which enumeration, and the value. */
	struct wt_handles unknown_values;
	struct wt_known_values known_values;
};

/** Frees all of a plan or a layout. */
void wt_register_set_destroy(struct wt_register_set *set);

/** The attached process of a handle; NULL if there is none. */
struct wt_attached *wt_session_process(struct wt_session *session, uint64_t handle);
/** Add an attached process; NULL if there is no memory. */
struct wt_attached *wt_session_attach(struct wt_session *session, uint64_t handle);
void wt_session_detach(struct wt_session *session, uint64_t handle);

/** Keep an event reported to the client, with answers as wt_take_event() made them (taken over). */
bool wt_attached_add_event(struct wt_attached *process, const struct wt_event *event);

/** Clear what happened since the last moment: it has been written. */
void wt_attached_clear(struct wt_attached *process);

/** Does a process that was not told to stand still have events of which no moment tells yet? */
static inline bool wt_session_runs_on(const struct wt_session *session)
{
	const struct wt_attached *process = session->processes;

	while (process && (!process->event_count || process->no_forward))
		process = process->next;
	return process;
}

/** Does any process have events that are in no moment yet? */
static inline bool wt_session_pending(const struct wt_session *session)
{
	const struct wt_attached *process = session->processes;

	while (process && !process->event_count)
		process = process->next;
	return process;
}

/** Are a wave's registers as they were taken at the last moment, apart from what the client wrote? */
bool wt_session_keeps(const struct wt_session *session, uint64_t wave);

/**
 * Was a wave resumed at the moment that the state is of? In the trace it is where it was: what it does now belongs to
 * the next moment.
 */
bool wt_session_stays(const struct wt_session *session, uint64_t wave);

/** Did the client ask a wave to stop since the last moment? */
bool wt_session_asked(const struct wt_session *session, uint64_t wave);

/** Keep a log message for the next moment. */
bool wt_session_log(struct wt_session *session, uint32_t level, const char *text);
void wt_session_clear_log(struct wt_session *session);

/** The counter of `changed` = YES answers; NULL if there is no memory. */
uint64_t *wt_session_changes(struct wt_session *session, uint64_t process, enum wt_object object);

/** Forget everything but the facts: the library was finalized, and handles may be used again. */
void wt_session_reset(struct wt_session *session);
void wt_session_deinit(struct wt_session *session);

#endif /* WT_RECORDER_RECORDING_SESSION_H */
