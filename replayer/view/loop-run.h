/* SPDX-License-Identifier: MIT */
/* A wave that is executed from where it was recorded, with the memory that was recorded. */
#ifndef WT_REPLAYER_VIEW_LOOP_RUN_H
#define WT_REPLAYER_VIEW_LOOP_RUN_H

#include <stddef.h>

#include "gfx/isa/uses.h"
#include "gfx/wave/memory-access.h"
#include "replayer/view/kernel-launch.h"
#include "replayer/view/view.h"

struct wt_explainer;

/* Instructions that are executed at most, calls that are followed, and bytes that may be written elsewhere than in private and local memory. */
#define WT_LOOP_STEPS 300000u
#define WT_LOOP_CALLS 32u
#define WT_LOOP_WRITTEN 1024u
/* Instructions that are executed at most to find what ends a loop. */
#define WT_LOOP_TRACED (4 * WT_LOOP_STEPS)

struct wt_loop_written {
	uint64_t address;
	uint64_t value; /* of a byte: without a gap, so that all of it can be compared at once */
};

/* Enough of a wave to compare it with what it was. */
struct wt_loop_state {
	struct gfx_wave wave; /* its files are apart */
	uint32_t *vgprs;      /* and agprs behind them */
	uint8_t *lds, *scratch;
	struct wt_loop_written written[WT_LOOP_WRITTEN]; /* in the order of addresses */
	size_t written_count;
};

/* Bytes of a wave's private memory, and of local memory, that are followed at most. */
#define WT_LOOP_PRIVATE (1u << 20)
#define WT_LOOP_LOCAL (160u << 10)
#define WT_LOOP_SCALARS 256u

/*
 * Places of a wave whose values change: a bit for each lane of a vector, and for each register or word of memory how many of its bits may change,
 * counted from the highest one. The bits below them are the same in each round, as those of what goes by multiples of 4 are.
 */
struct wt_loop_places {
	uint64_t vectors[2][GFX_MAX_VGPRS]; /* the second are accumulation registers */
	uint8_t changing[2][GFX_MAX_VGPRS]; /* bits of these */
	uint8_t scalars[WT_LOOP_SCALARS];
	uint8_t privates[WT_LOOP_PRIVATE / 4];
	uint8_t locals[WT_LOOP_LOCAL / 4];
	uint8_t written[WT_LOOP_WRITTEN]; /* bytes of other memory: 1 */
};

struct wt_loop_run {
	struct wt_view *view;
	uint64_t handle;
	struct gfx_memory memory;
	struct wt_loop_state now, then;
	bool has_then;
	/* Calls that have not returned since the wave is followed, the outermost first; more than there is room for are counted. */
	uint64_t calls[WT_LOOP_CALLS];
	size_t call_count;
	unsigned int traced; /* instructions that were executed to find what ends the loop */
	size_t register_words;
	/* Whether anything of this memory, which is global, was read. */
	uint64_t watched;
	size_t watched_size;
	bool was_read;
	const struct wt_loop_places
		*idle; /* values that change in each round, and decide nothing; or NULL */
	bool drops;    /* what is stored outside of private and local memory is not kept */
	bool keeps;    /* and what is stored as it was recorded is: it differs in other rounds */
	bool has_group; /* the waves of its workgroup are followed with it, which alone change local memory */
	bool whole; /* all lanes were made active, whoever takes part: compilers keep scalars in them */
	/* Addresses of the launch, 0 if they are not known; and its packet. */
	uint64_t packet_address, arguments, arguments_size;
	struct wt_view_packet packet;
};

/** Take what is known of the launch from another run: of the same wave, or of one of its workgroup. */
static inline void wt_loop_take_launch(struct wt_loop_run *run, const struct wt_loop_run *from)
{
	run->packet_address = from->packet_address;
	run->packet = from->packet;
	run->arguments = from->arguments;
	run->arguments_size = from->arguments_size;
}

/**
 * Take a wave as it was recorded.
 *
 * @run: zeros but for @view and @handle, and what else is not of the wave. Ended by wt_loop_run_deinit(), whatever comes of this.
 * @explainer: finds what is known of the launch; NULL if the caller has put it into @run.
 * @known_ret: false if the wave cannot be followed.
 */
struct wt_error *wt_loop_run_init(struct wt_loop_run *run, struct wt_explainer *explainer,
				  const struct gfx_architecture *architecture, bool *known_ret);
void wt_loop_run_deinit(struct wt_loop_run *run);

/** The first byte that was written at an address or above; the count of them if there is none. */
static inline size_t wt_loop_written_from(const struct wt_loop_state *state, uint64_t address)
{
	size_t low = 0, high = state->written_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (state->written[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/** Keep how the wave is now, for wt_loop_is_same(). */
void wt_loop_remember(struct wt_loop_run *run);

/** The instruction that is next; false if it is not known, or what it results in is not. */
bool wt_loop_decode(struct wt_loop_run *run, struct gfx_instruction *instruction,
		    struct gfx_uses *uses);

/** Are all places of one among those of the other? */
static inline bool wt_loop_places_contain(const struct wt_loop_places *all,
					  const struct wt_loop_places *some)
{
	for (size_t i = 0; i < 2 * GFX_MAX_VGPRS; i++)
		if (some->vectors[i / GFX_MAX_VGPRS][i % GFX_MAX_VGPRS] &
		    ~all->vectors[i / GFX_MAX_VGPRS][i % GFX_MAX_VGPRS])
			return false;
	for (size_t i = offsetof(struct wt_loop_places, changing); i < sizeof(*some); i++)
		if (((const uint8_t *)some)[i] > ((const uint8_t *)all)[i])
			return false;
	return true;
}

/** Find the places that differ from when the wave was remembered; false if such a place decides what is executed next. */
bool wt_loop_differ(const struct wt_loop_run *run, struct wt_loop_places *places_ret);

/** Whether the wave is as it was when it was remembered: but for the pc and the values in @idle, in all that it can see. */
bool wt_loop_is_same(const struct wt_loop_run *run);

/** Whether an address belongs to what others of the program can change: then @space becomes global, or local with the place in that. */
bool wt_loop_is_shared(const struct wt_loop_run *run, enum gfx_access_space *space,
		       uint64_t *address);

/**
 * Place in the wave's private memory of a lane's bytes; false if they are elsewhere.
 *
 * @part: which of the parts of the access.
 */
bool wt_loop_private_place(const struct wt_loop_run *run, const struct gfx_access *access,
			   uint32_t lane, uint32_t part, uint64_t *place_ret);

/** The memory that the next instruction accesses, if any: of scalar loads by lane 0; false if that is not known, as of a load from a buffer. */
bool wt_loop_access(struct wt_loop_run *run, const struct gfx_instruction *instruction,
		    struct gfx_access *access_ret);

/** Does an access of lanes reach into so many bytes of memory that is shared? @space: global, or local. */
bool wt_loop_reaches(const struct wt_loop_run *run, const struct gfx_access *access,
		     enum gfx_access_space space, uint64_t at, uint32_t size);

/** The little-endian number in memory as it is now, of up to 8 bytes; 0 where that is not known. @space: global, or local. */
uint64_t wt_loop_value(struct wt_loop_run *run, enum gfx_access_space space, uint64_t address,
		       uint32_t size);

/** How many different addresses the lanes of an access have. */
size_t wt_loop_count_addresses(const struct gfx_access *access);

#endif /* WT_REPLAYER_VIEW_LOOP_RUN_H */
