/* SPDX-License-Identifier: MIT */
/*
 * The host program (wavetape-host) that a client debugs in place of the recorded process. Its
 * memory is the recorded process's global memory: the client reaches it in its own way, and through
 * this library, and sees the same. The library puts there what was recorded at the moment that is
 * replayed. A client that has nothing that stands for the process, or another program, has none:
 * memory is then what was recorded, and the overlay of what the client wrote.
 */
#ifndef WT_REPLAYER_LIBRARY_DEBUGGEE_H
#define WT_REPLAYER_LIBRARY_DEBUGGEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amd-dbgapi/amd-dbgapi.h>

#include "dbgapi/host/host.h"
#include "replayer/recorded/images.h"
#include "replayer/recorded/memory.h"
#include "replayer/timeline/timeline.h"

struct wt_debuggee_page;
struct wt_debuggee_wave;

/* The way to the end: the host is told to call the ready function; the client has seen that. */
enum wt_debuggee_leaving { WT_DEBUGGEE_STAYS, WT_DEBUGGEE_LEAVES, WT_DEBUGGEE_MAY_LEAVE };

struct wt_debuggee {
	bool present;
	bool held;	 /* it has not called the ready function yet: nothing may happen */
	bool quiet;	 /* the client has not got round to events: it must not be told of any */
	bool breakpoint; /* the client has one at the ready function */
	bool calling;	 /* the host was told to call that, and the client has not reported it */
	int stopped;	 /* how often it was found not to run when it was to be told */
	enum wt_debuggee_leaving leaving;
	int memory;			/* /proc/PID/mem, or -1: by the client's callback */
	uint64_t ready;			/* address */
	struct wt_debuggee_page *pages; /* as they were put there, by address */
	struct wt_images images;	/* likewise */
	struct wt_debuggee_wave *waves; /* where they were seen last */
	bool told;			/* the client, that a wave's pc is not of this moment */
	const struct wt_state *state;	/* that they are of */
	uint32_t position;
};

/* The handle of the breakpoint at the ready function; recorded ones are counted from 1. */
#define WT_DEBUGGEE_BREAKPOINT (UINT64_C(1) << 40)

/**
 * Look whether the process that was just attached to is a host, and prepare for it: the client is
 * asked for a breakpoint at the ready function. Part of process_attach.
 */
void wt_debuggee_open(void);

/** Before the process is forgotten: takes the breakpoint back. */
void wt_debuggee_close(void);

/**
 * The client asks for events: before the host's end the breakpoint is taken back. (While the host
 * runs to its end it would be too late.)
 */
void wt_debuggee_pump(void);

/**
 * The client is given an event (NULL for none): one that tells of what was not recorded is remarked
 * on, once.
 */
void wt_debuggee_reported(const struct wt_timeline_event *event);

/** The program is not at its end, whatever the client let it do: the replay goes to another stop. */
void wt_debuggee_stay(void);

/** The timeline is at another stop, without an event: put its memory into the host, and say if waves ran there. */
void wt_debuggee_arrived(void);

/** An event of this kind was processed. */
void wt_debuggee_processed(amd_dbgapi_event_kind_t kind);

/** Put the memory of the present moment into the host, if it is not there. */
void wt_debuggee_sync(void);

/**
 * The client is about to let the process run. Code objects that have come or gone are announced: the
 * host calls the ready function. Where the recording has nothing more for what it let
 * go, there is nothing to wait for: the host is told to exit, or, if a wave was to make one step,
 * or the client holds others back, waves stop where they were.
 */
void wt_debuggee_run(void);

/** The answer to a client that asks for code objects before the host has its memory: none yet. */
amd_dbgapi_status_t wt_debuggee_no_code(size_t *count, void *array, amd_dbgapi_changed_t *changed);

/**
 * The pc of a wave that this client stopped where the recorded one let it run. Its registers are
 * not known, but a debugger cannot go on without any pc: it is the one that was recorded last, and
 * of a wave that was never seen stopped, the start of its kernel. False without a host, and if
 * there is neither.
 * @wave: as recorded.
 */
bool wt_debuggee_pc(uint64_t wave, uint64_t *pc_ret);

/** Memory that only a host has: its own. */
bool wt_debuggee_owns(uint64_t address);

/**
 * Global memory: of the host where the moment has it, and the host's own. As wt_access_read() and
 * wt_access_write() otherwise.
 */
size_t wt_debuggee_read(const struct wt_access *access, uint64_t address, void *data, size_t size);
size_t wt_debuggee_write(const struct wt_access *access, uint64_t address, const void *data,
			 size_t size);

/* ---- Between debuggee.c, memory-sync.c and ready.c ---- */

/** Move bytes between the host's memory and @read_to, or @write_from; how many were moved. */
size_t wt_debuggee_move(uint64_t address, void *read_to, const void *write_from, size_t size);

/** The host's block; false if the process has none. */
bool wt_debuggee_read_block(struct wt_host_block *block_ret);

/** Tell the host to do something. */
void wt_debuggee_tell(enum wt_host_command command);

/** Take note of where waves are. */
void wt_debuggee_note_waves(const struct wt_recorded *recorded);

/** Forget what was put into the host. */
void wt_debuggee_forget_pages(void);

/** Have the client put a breakpoint at the ready function, and take it out. */
void wt_debuggee_ask_for_breakpoint(void);
void wt_debuggee_take_breakpoint_back(void);

#endif /* WT_REPLAYER_LIBRARY_DEBUGGEE_H */
