/* SPDX-License-Identifier: MIT */
/*
 * Queues that have packets and no wave: what a program waits for that hangs though nothing runs. A barrier packet waits for signals;
 * a dispatch behind it never starts.
 */
#ifndef WT_REPLAYER_VIEW_WAITING_H
#define WT_REPLAYER_VIEW_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gfx/architecture/packet.h"
#include "replayer/view/explain.h"

#define WT_WAITING_PACKETS 4u /* of a queue that are described: the first */
#define WT_WAITING_TEXT 512u

struct wt_waiting_packet {
	uint64_t id;
	struct gfx_packet packet;
	const char
		*kernel; /* of a dispatch; NULL if it is not known. It belongs to the explainer */
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

/** Find them. @explainer: NULL for no names of kernels. */
struct wt_error *wt_waiting_find(struct wt_view *view, struct wt_explainer *explainer,
				 struct wt_waiting *waiting_ret);
void wt_waiting_deinit(struct wt_waiting *waiting);

/**
 * Describes a packet: "a barrier: waits until each of these signals is 0: 0x7f0000001000 (is 1)", or
 * "kernel step, grid 1024 x 1 x 1".
 */
void wt_waiting_describe(const struct wt_waiting_packet *packet, char text_ret[WT_WAITING_TEXT]);

#endif /* WT_REPLAYER_VIEW_WAITING_H */
