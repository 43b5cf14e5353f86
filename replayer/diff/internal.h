/* SPDX-License-Identifier: MIT */
/* Shared by the files of this room: two states that are being compared, and how their objects correspond. */
#ifndef WT_REPLAYER_DIFF_INTERNAL_H
#define WT_REPLAYER_DIFF_INTERNAL_H

#include "replayer/diff/difference.h"

/* Handles of one kind in the order in which they were created. */
struct wt_diff_handles {
	uint64_t *sorted;
	size_t count;
};

struct wt_diff_known_wave {
	struct wt_diff_place place;
	uint64_t handle;
};

/* A code object, and the one on the other side that it corresponds to. */
struct wt_diff_code {
	uint64_t handle, load_address;
	const char *uri; /* NULL: not recorded */
	const uint8_t *data;
	size_t size;
	bool recorded;	/* its bytes */
	size_t partner; /* position on the other side; SIZE_MAX: none */
};

/* One of the two states. */
struct wt_diff_half {
	struct wt_view *view;
	struct wt_explainer *explainer; /* NULL until it is needed: most waves do not differ */
	struct wt_diff_handles agents, queues;
	struct wt_diff_known_wave *waves; /* in the order of their places */
	size_t wave_count, unknown_waves;
	struct wt_diff_code *codes; /* in the order of their handles */
	size_t code_count;
};

/* An argument that differs, and was told: not again at a later stop, and not as bytes of memory. */
struct wt_diff_told {
	struct wt_diff_place place; /* any wave of the dispatch */
	uint64_t address;	    /* of both sides; 0 if those differ */
	uint32_t offset, size;
	uint8_t *bytes; /* of A, then of B */
};

struct wt_diff_arguments {
	struct wt_diff_told *told;
	size_t count;
};

struct wt_diff_pair {
	struct wt_diff_half half[WT_DIFF_SIDES];
	const struct wt_diff_listener *listener;
	struct wt_diff_counts counts;
	bool same_layout; /* every code object has a partner, at the same address */
	struct wt_diff_arguments *arguments; /* of these two stops and those before */
	/* The kernel of the dispatch that was looked at last; waves come in the order of dispatches. */
	struct {
		bool known;
		struct wt_diff_place place;
		const char *name;
	} kernel;
	struct {
		bool known;
		struct wt_diff_place place;
	} compared; /* the dispatch whose arguments were compared last */
};

static inline enum wt_diff_side wt_diff_other(enum wt_diff_side side)
{
	return side == WT_DIFF_A ? WT_DIFF_B : WT_DIFF_A;
}

/** Count a difference and hand it to the listener. */
struct wt_error *wt_diff_report(struct wt_diff_pair *pair, const struct wt_diff *diff);

/** Find agents, queues and waves of a half whose view is set. wt_diff_half_deinit() also if this fails. */
struct wt_error *wt_diff_half_init(struct wt_diff_half *half);
void wt_diff_half_deinit(struct wt_diff_half *half);

/** The position of a handle in the order of creation, from 1; 0 if it is not there. */
uint32_t wt_diff_rank(const struct wt_diff_handles *handles, uint64_t handle);

/** The order of waves: agent, queue, packet, workgroup, number in the workgroup. */
int wt_diff_place_compare(const struct wt_diff_place *a, const struct wt_diff_place *b);

/** The place of a wave; NULL if the wave does not exist at the stop, or nothing is known of it. */
const struct wt_diff_place *wt_diff_find_place(const struct wt_diff_half *half, uint64_t wave);

/** Match the code objects and report what differs in them. */
struct wt_error *wt_diff_codes(struct wt_diff_pair *pair);

/** Is the same code at these two addresses, relative to the code objects that they lie in? */
bool wt_diff_same_code(const struct wt_diff_pair *pair, const uint64_t address[WT_DIFF_SIDES]);

/** Match the waves; compare them with their registers and their private and local memory. */
struct wt_error *wt_diff_waves(struct wt_diff_pair *pair);

/**
 * Compare memory, page by page.
 *
 * @space: "global", "local" or "private_wave".
 * @owners: workgroups or waves; 0 for global memory.
 * @diff: what the reports say besides.
 */
struct wt_error *wt_diff_memory(struct wt_diff_pair *pair, const char *space,
				const uint64_t owners[WT_DIFF_SIDES], struct wt_diff *diff);

#endif /* WT_REPLAYER_DIFF_INTERNAL_H */
