/* SPDX-License-Identifier: MIT */
/* How a kernel was launched, from which queue, and on which agent. */
#ifndef WT_REPLAYER_VIEW_KERNEL_LAUNCH_H
#define WT_REPLAYER_VIEW_KERNEL_LAUNCH_H

#include "base/compare.h"
#include "gfx/architecture/packet.h"
#include "replayer/facts/fields.h"
#include "replayer/view/view.h"

struct wt_view_dispatch {
	union {
		struct wavetape_dispatch facts;
		struct {
			WT_DISPATCH_FACTS
		};
	};
	bool has_local, has_private; /* else `local_bytes` or `private_bytes` is not known */
};

/*
 * A kernel in memory. The compiler may have left no code of it, which makes it begin where the next function does: its descriptor alone
 * tells which one it is. 0: not known.
 */
struct wt_view_kernel {
	uint64_t descriptor, entry;
};

/** An order of kernels, for qsort(): by place. */
static inline int wt_view_kernel_compare(struct wt_view_kernel a, struct wt_view_kernel b)
{
	int order = wt_compare_u64(&a.entry, &b.entry);

	return order ? order : wt_compare_u64(&a.descriptor, &b.descriptor);
}

/** The kernel of a dispatch. */
struct wt_view_kernel wt_view_kernel(const struct wt_view *view, uint64_t dispatch);

/** Tell what is known of an agent. A text belongs to the view. */
void wt_view_agent(struct wt_view *view, uint64_t handle, struct wavetape_agent *agent_ret);

/** All but the name of the kernel, which an explainer knows. */
void wt_view_dispatch(const struct wt_view *view, uint64_t handle,
		      struct wt_view_dispatch *dispatch_ret);

/** How many work-items the workgroup of a wave has: the last ones of a grid may be smaller. False if that is not known. */
bool wt_view_group_items(const struct wt_view *view, uint64_t wave, uint32_t items_ret[3]);

/* Workgroups of a dispatch. */
struct wt_view_groups {
	uint64_t all;  /* in its grid */
	uint64_t here; /* that have waves: each other one has ended, or has not begun */
};

/** Count them. False if it is not known of each wave to which it belongs, or if the grid is not known. */
bool wt_view_count_groups(const struct wt_view *view, uint64_t dispatch,
			  struct wt_view_groups *groups_ret);

/* A lane of a wave that has @lanes of them. */
struct wt_view_lane {
	uint64_t wave;
	uint32_t lane, lanes;
};

/**
 * Find what HIP calls threadIdx, blockIdx, blockDim and gridDim, in a lane.
 *
 * @dimension: 0 for x. @why_ret: NULL if the value is known.
 * Return: false if the name is none of them.
 */
bool wt_view_launch_value(const struct wt_view *view, const struct wt_view_lane *lane,
			  const char *name, uint32_t dimension, uint32_t *value_ret,
			  const char **why_ret);

/* A dispatch packet, as far as the API says what is in it. */
struct wt_view_packet {
	uint8_t bytes[GFX_PACKET_SIZE];
	uint64_t known; /* a bit for each byte */
};

/**
 * Read bytes of a packet.
 *
 * @packet_address: where it is; 0 if that is not known. Return: false if not all of them are in it, and known.
 */
bool wt_view_packet_read(const struct wt_view_packet *packet, uint64_t packet_address,
			 uint64_t address, void *data, size_t size);

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
