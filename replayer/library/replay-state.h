/* SPDX-License-Identifier: MIT */
/* The data of the replaying library: the trace, the client, and each process that it is attached to. */
#ifndef WT_REPLAYER_LIBRARY_REPLAY_STATE_H
#define WT_REPLAYER_LIBRARY_REPLAY_STATE_H

#include <amd-dbgapi/amd-dbgapi.h>

#include "dbgapi/architecture/instruction.h"
#include "dbgapi/client/client.h"
#include "gfx/isa/uses.h"
#include "replayer/journal/cursor.h"
#include "replayer/recorded/images.h"
#include "replayer/recorded/known.h"
#include "replayer/recorded/wave-memory.h"
#include "replayer/timeline/client-position.h"

struct wt_control;
struct wt_debuggee_page;
struct wt_debuggee_trap;
struct wt_debuggee_wave;
struct wt_substitute_uri;

/* ---- Answers in place of recorded ones (substitute.c) ---- */

#define WT_SUBSTITUTE_MACHINES 64
#define WT_SUBSTITUTE_NAMES 8
#define WT_SUBSTITUTE_GPUS 32

/* A GPU that the client sees under the ELF machine number of another one. */
struct wt_substitute_name {
	uint64_t architecture; /* recorded handle */
	uint32_t recorded, served;
};

struct wt_substitute {
	struct wt_substitute_uri *uris; /* of extracted code objects */
	/* Machine numbers that the client asked for. A debugger asks for all that it knows when it starts. */
	uint32_t asked[WT_SUBSTITUTE_MACHINES];
	size_t asked_count;
	/*
	 * Architectures of the recorded GPUs. The trace may have others, for which the recorded client asked. If the list
	 * is empty, each architecture of the trace may be that of a GPU.
	 */
	uint64_t gpus[WT_SUBSTITUTE_GPUS];
	size_t gpu_count;
	struct wt_substitute_name names[WT_SUBSTITUTE_NAMES];
	size_t name_count;
	bool told;	    /* the client was told that there are such names */
	bool told_of_names; /* and that of some code objects only the name is known */
};

/* ---- The host program under a debugger (debuggee.c) ---- */

/* Steps to the host's exit: it was told to call the ready function; the client has reported that call. */
enum wt_debuggee_leaving { WT_DEBUGGEE_STAYS, WT_DEBUGGEE_LEAVES, WT_DEBUGGEE_MAY_LEAVE };

struct wt_debuggee {
	bool present;
	bool held;	 /* the host has not called the ready function yet: report no event */
	bool quiet;	 /* the client does not ask for events yet: do not notify it */
	bool breakpoint; /* the client has a breakpoint at the ready function */
	bool calling; /* the host was told to call that function; the client has not reported it */
	int stopped;  /* how often the host was found stopped when there was a command for it */
	enum wt_debuggee_leaving leaving;
	int memory;			/* /proc/PID/mem; -1: use the client's callback */
	uint64_t ready;			/* address of the ready function */
	struct wt_debuggee_page *pages; /* pages that were written to the host, by address */
	struct wt_images images;	/* code objects that were written to the host */
	struct wt_debuggee_trap *traps; /* breakpoints that were put there beside these */
	struct wt_debuggee_wave *waves; /* where waves were seen last */
	bool told; /* the client was told that a wave's pc is of an earlier moment */
	const struct wt_state *state; /* the state that the host has */
	uint32_t position;	      /* its position */
};

/* ---- Processes ---- */

#define WT_STEP_BYTES 20 /* of the longest instruction */

/* The step that a wave is making, or has made last. */
struct wt_replay_step {
	uint64_t wave;
	uint64_t from; /* pc before it; 0: not known */
	bool told;     /* the runtime was told of what the wave had stopped for */
	bool made;
	bool uses_known; /* else any register may have been written */
	struct gfx_uses uses;
	/* The program's code at the pc, where the client may have put a breakpoint. Size 0: memory has it. */
	uint8_t bytes[WT_STEP_BYTES];
	size_t size;
};

#define WT_REPLAY_WATCHPOINTS 16

struct wt_replay_watchpoint {
	uint64_t handle; /* 0: none */
	uint64_t address, size;
};

/* A wave's last displaced stepping, and where its pc was moved from and to. */
struct wt_replay_displaced {
	uint64_t wave, handle;
	uint64_t from, to;
	bool active;
	uint32_t since; /* position of the first moment whose state has it */
	size_t begun;	/* how many the wave has begun in this state */
};

#define WT_REPLAY_BREAKPOINTS 16

/* A breakpoint that the recorded library had its client insert into the host program. */
struct wt_replay_breakpoint {
	uint64_t handle; /* 0: none */
	size_t hits;	 /* reported by the client since the state of the present moment */
	bool inserted;	 /* the client may have refused */
};

/* The wave whose registers the client asked about last, in a state: debuggers ask about each register of one. */
struct wt_replay_recent_wave {
	uint64_t state_changes;		 /* of the timeline, then */
	uint64_t wave;			 /* 0: none */
	const struct wt_item *registers; /* that it has; NULL if that was not recorded */
	bool ordered;			 /* these are in order */
	bool has_architecture;
	uint64_t architecture;
};

/*
 * The access through which memory was last read or written in a state: debuggers read on in the same space, through the
 * same wave.
 */
struct wt_replay_recent_access {
	uint64_t state_changes;	  /* as above */
	uint64_t wave, space_id;  /* 0: none was asked about */
	enum gfx_space space;	  /* that space_id names */
	bool wave_has_space;	  /* its architecture has that space */
	struct wt_access through; /* without a lane and code objects */
};

/* The recorded facts of a register, for a debugger that asks about each register of every wave. */
struct wt_replay_register {
	uint64_t id;
	uint32_t size;
	bool has_architecture;
	uint64_t architecture;
	/* Both are known of an architecture that we know: one of v0..., and one that a library reads when it is asked for. */
	bool vector, apart;
	UT_hash_handle hh;
};

/* A process that is attached. */
struct wt_replay_process {
	struct wt_replay_process *next; /* attached to later */
	struct wt_replay_process *next_closed;
	uint64_t handle;   /* the recorded one; 0: none is attached */
	uint64_t shown;	   /* by which the client knows it */
	unsigned int slot; /* no other that is attached has it; from 0 */
	struct wt_timeline timeline;
	struct wt_debuggee debuggee;
	struct wt_images images; /* of the present moment: see wt_replay_images() */
	const struct wt_state *images_state;
	uint32_t images_position;
	struct wt_replay_recent_wave recent_wave;
	struct wt_replay_recent_access recent_access;
	amd_dbgapi_client_process_id_t client;
	bool has_os_id;
	amd_dbgapi_os_process_id_t os_id;
	int notifier[2]; /* a pipe: the client's end, ours */
	amd_dbgapi_progress_t progress;
	amd_dbgapi_wave_creation_t creation;
	bool frozen;
	bool precise_memory, precise_alu; /* as the client has set them */
	struct wt_replay_watchpoint watchpoints[WT_REPLAY_WATCHPOINTS];
	struct wt_replay_breakpoint breakpoints[WT_REPLAY_BREAKPOINTS];
	bool breakpoints_synced; /* with the moment at breakpoints_position */
	uint32_t breakpoints_position;
	struct wt_replay_displaced *displaced;
	size_t displaced_count;
	uint64_t own_displaced; /* how many were begun that the recording does not have */
	struct wt_replay_step *steps;
	size_t step_count;
	/* The highest handles that the client got. */
	uint64_t last_watchpoint, last_displaced;
	bool core; /* the recorded library read a core through the client */
	bool broken; /* progress of a core was set to normal: what needs its queues suspended is FATAL */
	struct wt_control *control; /* NULL: no control socket */
	bool travels;		    /* the timeline has a request to go to another stop */
	uint64_t selected;	    /* the client's handle of the wave that it showed then */
};

#define WT_REPLAY_DIRECTORIES 3

/* From the environment (replay-library.c), as they were when the process was attached to. */
struct wt_replay_options {
	bool host;    /* the client debugs wavetape-host in place of the recorded process */
	bool extract; /* URIs of code objects are those of extracted copies */
	bool without_debug_frame; /* in the copies */
	bool from_state;	  /* answer from the state only, never as recorded */
	char *directories[WT_REPLAY_DIRECTORIES +
			  1]; /* for them, the first that can be had; ends with NULL */
};

struct wt_replayer {
	struct wt_client client;
	struct wt_replay_options options;
	struct wt_substitute substitute;
	struct wt_reader *reader; /* NULL: no trace is open, and `failure` says why */
	bool opened_from_state;
	char *path, *failure;
	struct wt_call_cursor cursor; /* where the client is in the journal */
	bool turned;		      /* the client is no longer in step: do not use the cursor */
	/*
	 * The cache (cache.h) learns from the present call: would the same question be answered the same way; did a
	 * call that acts change nothing?
	 */
	bool answer_stays, changed_nothing;
	struct wt_table_names names;
	struct wt_state *facts_state;
	struct wt_layout facts_layout;
	struct wt_recorded facts;
	/* Attached processes, in the order of attaching; and a stand-in where there is none. */
	struct wt_replay_process *processes, nobody;
	size_t process_count;
	struct wt_replay_process *closed; /* to be freed when no call works on them any more */
	size_t call_depth; /* calls that the client is in: a callback may have made all but the first */
	uint32_t attached_at; /* position of the ATTACH moment that a client was given last */
	struct wt_timeline_given given;		/* since the library was initialized */
	amd_dbgapi_client_thread_id_t *threads; /* the client's: see wt_replay_note_thread() */
	size_t thread_count;
	struct wt_disassemblers disassemblers;
	struct wt_known known;		      /* architectures of the trace */
	struct wt_replay_register *registers; /* that were asked about */
};

extern struct wt_replayer wt_replayer;

#endif /* WT_REPLAYER_LIBRARY_REPLAY_STATE_H */
