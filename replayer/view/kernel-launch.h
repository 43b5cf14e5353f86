/* SPDX-License-Identifier: MIT */
/* How a kernel was launched. */
#ifndef WT_REPLAYER_VIEW_KERNEL_LAUNCH_H
#define WT_REPLAYER_VIEW_KERNEL_LAUNCH_H

#include "gfx/architecture/packet.h"
#include "replayer/view/view.h"

/* Fields that were not recorded are 0. */
struct wt_view_dispatch {
	uint64_t agent, queue;
	uint64_t entry;			     /* address of the kernel's first instruction */
	uint64_t descriptor;		     /* address of its kernel descriptor */
	uint64_t arguments;		     /* address of its arguments */
	uint64_t completion;		     /* address of its completion signal */
	uint64_t private_bytes, local_bytes; /* of each lane, and of each workgroup */
	uint64_t packet;		     /* its number in the queue */
	uint32_t dimensions;
	uint32_t grid[3], workgroup[3]; /* in work-items */
	/* Else `packet`; `grid` and `workgroup`; `local_bytes` are not known. */
	bool has_packet, has_sizes, has_local;
};

void wt_view_dispatch(const struct wt_view *view, uint64_t handle,
		      struct wt_view_dispatch *dispatch_ret);

/* A dispatch packet, as far as the API says what is in it. */
struct wt_view_packet {
	uint8_t bytes[GFX_PACKET_SIZE];
	uint64_t known; /* a bit for each byte */
};

/** "the workgroup size": what is at a byte of a dispatch packet. */
const char *wt_view_packet_field(uint64_t offset);

/**
 * The packet that a dispatch came from. Its fields are answers of the API, which reads them in the packet.
 *
 * Return: its address; 0 if that was not recorded.
 */
uint64_t wt_view_packet(const struct wt_view *view, uint64_t handle,
			struct wt_view_packet *packet_ret);

#endif /* WT_REPLAYER_VIEW_KERNEL_LAUNCH_H */
