/* SPDX-License-Identifier: MIT */
/*
 * Queues that have packets and no wave: what a program waits for that hangs though nothing runs. A barrier packet waits for signals;
 * a dispatch behind it never starts. And a queue that the runtime has given up, and what queues have run before a stop.
 */
#ifndef WT_REPLAYER_VIEW_WAITING_H
#define WT_REPLAYER_VIEW_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "gfx/architecture/packet.h"
#include "replayer/view/explain.h"
#include "trace-format/state/host-facts.h"

#define WT_WAITING_PACKETS 4u /* of a queue that are described: the first */
#define WT_WAITING_TEXT 512u

struct wt_waiting_packet {
	uint64_t id;
	struct gfx_packet packet;
	const char
		*kernel; /* of a dispatch; NULL if it is not known. It belongs to the explainer */
	/* The GPU that a dispatch's code was compiled for, and the one it is on, where these differ; else NULL. */
	const char *compiled_for, *runs_on;
	/* The packet's signals, in order. */
	struct {
		bool known; /* it was recorded */
		int64_t value;
	} signals[GFX_PACKET_SIGNALS];
};

struct wt_waiting_queue {
	uint64_t queue;		  /* handle */
	uint64_t os_id;		  /* of the driver */
	uint64_t waiting;	  /* packets that are not taken */
	uint64_t first, recorded; /* the first one's id, and how many of them the trace has */
	size_t count;		  /* of `packets` */
	struct wt_waiting_packet packets[WT_WAITING_PACKETS];
};

struct wt_waiting {
	struct wt_waiting_queue *queues; /* as the library listed them */
	size_t count, all;		 /* that wait; that there are */
};

/** Find them, but for one that the runtime has given up. @explainer: NULL for no names of kernels. */
struct wt_error *wt_waiting_find(struct wt_view *view, struct wt_explainer *explainer,
				 struct wt_waiting *waiting_ret);
void wt_waiting_deinit(struct wt_waiting *waiting);

/**
 * Describes a packet: "a barrier: waits until each of these signals is 0: 0x7f0000001000 (is 1)", or
 * "kernel step, grid 1024 x 1 x 1", behind which ", compiled for gfx90a, on gfx942" may follow.
 */
void wt_waiting_describe(const struct wt_waiting_packet *packet, char text_ret[WT_WAITING_TEXT]);

/*
 * A dispatch in a queue's ring: in flight, waiting, or taken before. The packet processor takes the type out of a packet that it is done
 * with and leaves the rest, until the ring has gone round and another packet is written there.
 */
struct wt_dispatched_packet {
	uint64_t id;
	uint64_t
		dispatch; /* handle of the dispatch that the library listed for it: it was at work; 0: there is none */
	const char *kernel; /* it belongs to the explainer; NULL if it is not known */
	struct gfx_packet packet;
	bool taken; /* by the packet processor: it comes before the read index */
};

struct wt_dispatched_queue {
	uint64_t queue, os_id;		      /* handle; of the driver */
	struct wt_dispatched_packet *packets; /* in order */
	size_t count;
};

struct wt_dispatched {
	struct wt_dispatched_queue *queues; /* those that have any, as the library listed them */
	size_t count;
};

/** Find them. @explainer: NULL for no names; then only what the library listed is known to be a dispatch. */
struct wt_error *wt_dispatched_find(struct wt_view *view, struct wt_explainer *explainer,
				    struct wt_dispatched *dispatched_ret);

static inline void wt_dispatched_deinit(struct wt_dispatched *dispatched)
{
	for (size_t i = 0; i < dispatched->count; i++)
		free(dispatched->queues[i].packets);
	free(dispatched->queues);
	*dispatched = (struct wt_dispatched){.count = 0};
}

/*
 * A queue that the runtime has given up, for which a trace was taken: what the runtime told the program, which queue and packet
 * that was, and what the program was started with. There need be no wave.
 */
struct wt_queue_error {
	bool there;
	int64_t status;	  /* hsa_status_t */
	const char *text; /* the runtime's words for it, without a stop at their end; "" for none */
	/* The queue; `handle` is 0 if the library did not list it. */
	uint64_t handle, os_id;
	bool has_packets; /* that it has not taken, and that were recorded: the first one is in `queue` */
	struct wt_waiting_queue queue;
	struct wt_host *
		host; /* whose variables with wt_host_is_of_runtime() the program was started with */
};

/**
 * Find it. @ret: `there` is false in a trace that was taken for something else.
 *
 * @explainer: NULL for no names of kernels.
 */
struct wt_error *wt_queue_error_find(struct wt_view *view, struct wt_explainer *explainer,
				     struct wt_queue_error *ret);
void wt_queue_error_deinit(struct wt_queue_error *error);

/** The runtime's words, or the number of the status where it has none. @text_ret: room for WT_WAITING_TEXT bytes. */
const char *wt_queue_error_words(const struct wt_queue_error *error,
				 char text_ret[WT_WAITING_TEXT]);

#endif /* WT_REPLAYER_VIEW_WAITING_H */
