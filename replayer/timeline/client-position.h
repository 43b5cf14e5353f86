/* SPDX-License-Identifier: MIT */
/* The data of a timeline: its position, the state there, its events, and what it notes of each wave. */
#ifndef WT_REPLAYER_TIMELINE_CLIENT_POSITION_H
#define WT_REPLAYER_TIMELINE_CLIENT_POSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "replayer/recorded/incarnation.h"
#include "replayer/recorded/register-values.h"
#include "trace-format/reader/reader.h"

#define WT_TIMELINE_START UINT32_MAX
#define WT_TIMELINE_NOWHERE UINT32_MAX

struct wt_timeline_event {
	uint64_t handle;
	amd_dbgapi_event_kind_t kind;
	uint64_t wave;			    /* 0 if it is about none, or about one that is gone */
	uint64_t shown;			    /* the wave as the client knows it */
	bool arrival;			    /* made on arrival, from a recorded stop */
	bool step;			    /* made here: see wt_timeline_make_step() */
	amd_dbgapi_runtime_state_t runtime; /* of a RUNTIME event that was made here */
	bool reported;			    /* to the client, which has not processed it yet */
	const struct wt_event
		*recorded; /* NULL: made here, for a wave_stop that was not recorded */
	TAILQ_ENTRY(wt_timeline_event) link; /* while queued */
	UT_hash_handle hh;
};

/* The client's last act on a wave, or what was last reported about the wave. */
enum wt_wave_control {
	WT_WAVE_AS_RECORDED,
	WT_WAVE_RESUMED,
	WT_WAVE_STEPPED,
	WT_WAVE_HELD, /* its stop was reported: the client may rely on it */
};

struct wt_wave_track {
	uint64_t wave;
	enum wt_wave_control control;
	bool stop_requested; /* by wave_stop, whose event the client has not got yet */
	bool has_stepped;    /* its step was over when that was called, as its event says */
	uint32_t stepped_at; /* of WT_WAVE_RESUMED and _STEPPED: the position then */
	bool on_request;     /* held because the client asked for it, not for what was recorded */
	bool runs;	     /* though it was let go to make a step: see wt_timeline_let_run() */
	bool made_step; /* held behind a step that was made here: its next recorded stop is still to come */
	bool commanded;	   /* the client made it step, or asked it to stop, since it resumed it */
	bool owed;	   /* it is one of wt_timeline.owed */
	uint64_t reported; /* stop reasons with its last event, which it may not have shown yet */
	const struct wt_timeline_event *stop; /* queued, or reported and not processed */
	UT_hash_handle hh;
};

/* Waves that a moment names, in order: a moment may name thousands, and each may be looked for. */
struct wt_wave_index {
	bool known;
	uint32_t moment; /* its number */
	uint64_t *waves;
	size_t count;
};

/* The list of an object kind in a state, and how often the client was told that it had changed. */
struct wt_timeline_list {
	const struct wt_item *item; /* NULL: there is none */
	uint64_t answers;
};

/* The highest handles that a client was given of processes to which it was attached before. */
struct wt_timeline_given {
	uint64_t process, event;
	uint64_t highest[WT_OBJECT_COUNT]; /* of objects that come and go */
};

struct wt_timeline {
	struct wt_reader *reader;
	const struct wt_table_names *names;
	uint32_t position; /* of the moment reached, or WT_TIMELINE_START */
	uint32_t next;	   /* position of the process's next moment: see wt_timeline_find_next() */
	bool next_known;
	const struct wt_moment *next_moment; /* NULL: none, or it could not be read */
	bool attached;
	uint64_t process; /* handle */
	const struct wt_moment *moment;
	/*
	 * The state, of this process alone: that of the moment, or of a later one which was made for another process.
	 */
	uint32_t state_position;
	const struct wt_moment *state_moment;
	struct wt_state *state;
	uint64_t state_changes; /* how often it was replaced: items of one before are not valid */
	struct wt_layout layout;
	struct wt_overlay overlay;
	struct wt_recorded recorded; /* of the state; valid while attached */
	TAILQ_HEAD(wt_timeline_queue, wt_timeline_event) queue;
	struct wt_timeline_event *events; /* queued and reported ones */
	struct wt_wave_track *waves;
	struct wt_wave_index stopped, asked; /* of the moments that were looked at last */
	size_t owed;	       /* waves of which an event is due: see wt_timeline_owes_stop() */
	uint64_t owed_changes; /* state_changes when they were counted */
	struct wt_incarnations incarnations;
	bool hosted; /* by wavetape-host: of recorded events only those of waves are reported */
	bool core;   /* of a core: its process has no id */
	bool paused; /* it stays where it is, whatever the client does */
	/* A host calls the client at the end of a journey, and where code objects came or went. */
	bool calls;		/* it can */
	bool code_stale;	/* the client has the code objects of an earlier moment */
	bool call_awaited;	/* until then no wave's stop is reported, and nothing moves */
	uint32_t start;		/* position of the ATTACH moment */
	uint32_t destination;	/* where to go when the client is ready; or WT_TIMELINE_NOWHERE */
	uint64_t runtime;	/* state in the last RUNTIME event that was reported */
	bool arrived;		/* the moment was reached by travelling */
	bool closing;		/* a STOP's events are done: the next pump gives none */
	struct wt_state *ahead; /* of the next moment, if it was looked at */
	uint64_t *ending;	/* waves that are gone in it; NULL if that was not looked up */
	size_t ending_count;
	bool aborting;	     /* an exception was delivered, since attaching or travelling */
	bool resumed;	     /* a wave, since the moment was reached */
	bool stop_requested; /* likewise */
	bool changed[WT_OBJECT_COUNT];
	struct wt_timeline_list
		lists[WT_OBJECT_COUNT]; /* in `state`, of the process; known if that is not 0 */
	uint64_t lists_process;
	bool last_event_known;
	uint64_t last_event;		       /* handles above it are free, if that is known */
	const struct wt_timeline_given *given; /* NULL: none that matter here */
	size_t logged;	/* how many of the moment's log messages were passed on */
	size_t log_due; /* of these, how many are due by now */
};

#endif /* WT_REPLAYER_TIMELINE_CLIENT_POSITION_H */
