/* SPDX-License-Identifier: MIT */
/*
 * Our debug agents follow the events of a process that runs: they wait for them, find out why waves stopped, stop the
 * others, and let them go on.
 */
#ifndef WT_RECORDER_AGENT_FOLLOW_EVENTS_H
#define WT_RECORDER_AGENT_FOLLOW_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "recorder/agent/debugger-client.h"
#include "trace-format/state/host-facts.h"

/* Nodes of the driver's topology that are looked at: processors and GPUs. */
#define WT_AGENT_NODES 64u

/* Queues, and GPUs beside them, whose exceptions are kept; those beyond are left out. */
#define WT_AGENT_UNTOLD 64u

struct wt_agent_untold {
	uint64_t exceptions;	   /* the driver's bits: KFD_EXCEPTION() */
	uint32_t gpu_id, queue_id; /* queue_id: KFD_ALL_ONES for those of the GPU itself */
};

/* Counts of what happened so far. */
struct wt_agent_counts {
	uint32_t stops;	      /* times that events were handled until there were no more */
	uint32_t wave_stops;  /* events of waves that stopped by themselves */
	uint32_t debug_traps; /* of these: resumed */
	uint32_t faulted_waves;
	uint64_t fault_wave;	/* the first one's handle; 0 for a queue error alone */
	uint32_t fault_reasons; /* all of them, amd_dbgapi_wave_stop_reasons_t */
};

#define WT_AGENT_ARITHMETIC_REASONS                                                                \
	(AMD_DBGAPI_WAVE_STOP_REASON_FP_INPUT_DENORMAL |                                           \
	 AMD_DBGAPI_WAVE_STOP_REASON_FP_DIVIDE_BY_0 | AMD_DBGAPI_WAVE_STOP_REASON_FP_OVERFLOW |    \
	 AMD_DBGAPI_WAVE_STOP_REASON_FP_UNDERFLOW | AMD_DBGAPI_WAVE_STOP_REASON_FP_INEXACT |       \
	 AMD_DBGAPI_WAVE_STOP_REASON_FP_INVALID_OPERATION |                                        \
	 AMD_DBGAPI_WAVE_STOP_REASON_INT_DIVIDE_BY_0)

/* Zeros, but for @client, which is filled in as wt_agent_client_run() wants it. */
struct wt_agent_follow {
	struct wt_agent_client client;
	struct wt_agent_counts counts;
	bool fault; /* a wave stopped for one, or a queue has one */
	/* Stop reasons that are no fault, though a runtime that hears of them ends the program: waves that stop for them go on. */
	uint32_t passing;
	/* Hears of each such wave, which is stopped; may be NULL. */
	void (*pass)(struct wt_agent_follow *follow, amd_dbgapi_wave_id_t wave, uint32_t reasons);
	/* Ask the runtime's events for the runtime's state; and that state, 0 as long as there was none. */
	bool watches_runtime;
	uint32_t runtime_state; /* amd_dbgapi_runtime_state_t */

	/*
	 * If the process debugs itself: where to note the page that the kernel's driver names for a memory violation, the
	 * last of each GPU. NULL: nobody wants to know.
	 */
	struct wt_host_device_fault *device_faults;
	size_t device_fault_room, *device_fault_count;
	uint32_t gpus[WT_AGENT_NODES]; /* the driver's numbers of the machine's, if it does */
	size_t gpu_count;
	/*
	 * The driver has told the library of these, and the runtime of a process that debugs itself has not heard of them: the driver forgets an
	 * exception once a debugger has heard of it, so that nobody else would tell the runtime if the library fails.
	 */
	struct wt_agent_untold untold[WT_AGENT_UNTOLD];
	size_t untold_count;
	/* The driver does not let the process go, where the library is gone; and it lets nobody tell the runtime of these. */
	bool held, unheard;

	amd_dbgapi_notifier_t notifier;
	bool no_forward;     /* the program is held */
	uint64_t *resumable; /* waves that go on once all events are handled */
	size_t resumable_count, resumable_capacity;
};

/** After the attach: learn where the library says that there are events. */
struct wt_error *wt_agent_follow_begin(struct wt_agent_follow *follow);
void wt_agent_follow_deinit(struct wt_agent_follow *follow);

/**
 * Wait until the library says that it has something, or for @milliseconds; -1: for ever.
 *
 * @other: another descriptor that ends the waiting when it can be read; -1: none.
 *
 * Return: whether the library said so.
 */
bool wt_agent_wait(const struct wt_agent_follow *follow, int other, int milliseconds);

/**
 * Handle events until there are none. From the first on the program is held still, so that it is at the last event as it was
 * at the first.
 *
 * @any_ret: whether there were any.
 */
struct wt_error *wt_agent_pump(struct wt_agent_follow *follow, bool *any_ret);

/** Hold the program still, or let it go on; waves that are stopped stay so. */
struct wt_error *wt_agent_set_progress(struct wt_agent_follow *follow,
				       amd_dbgapi_progress_t progress);

/** Stop every wave: the stop at which the last one has stopped holds the whole program. */
struct wt_error *wt_agent_stop_all(struct wt_agent_follow *follow);

/** Let waves go on that stopped for nothing worse than a debug trap, and the program with them. */
struct wt_error *wt_agent_resume(struct wt_agent_follow *follow);

/**
 * Let all waves go on, and deliver to the runtime what they stopped for: it then does what it would have done without us.
 * The first error is returned, but all waves are tried. Where the client has come to its end, by a library that failed, the driver is told
 * in the library's place, of a process that debugs itself, and nobody debugs the process from then on; where the driver fails, too, it may be
 * tried again.
 */
struct wt_error *wt_agent_deliver(struct wt_agent_follow *follow);

/** Is anything left to do: packets in queues? Asks each queue for its packets. */
bool wt_agent_queues_are_empty(const struct wt_agent_follow *follow);

#endif /* WT_RECORDER_AGENT_FOLLOW_EVENTS_H */
