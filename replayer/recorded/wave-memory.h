/* SPDX-License-Identifier: MIT */
/*
 * Memory as a wave addresses it: all five address spaces, from the three that are recorded. Generic addresses are
 * lowered by the apertures of the architecture; a lane's private memory is every n-th word of its wave's.
 */
#ifndef WT_REPLAYER_RECORDED_WAVE_MEMORY_H
#define WT_REPLAYER_RECORDED_WAVE_MEMORY_H

#include "replayer/recorded/images.h"
#include "replayer/recorded/recorded.h"

struct wt_access {
	const struct wt_recorded *recorded;
	const struct wt_images *images; /* for global memory that was not recorded; may be NULL */
	uint64_t process, workgroup, wave;
	uint32_t lane, lane_count;
	const struct gfx_architecture *architecture; /* for generic addresses; may be NULL */
};

/**
 * Makes what an access to a wave's memory needs to know.
 *
 * @process: whose global memory it is.
 * @wave: may be 0: then only global memory can be had.
 */
struct wt_access wt_access_init(const struct wt_recorded *recorded, uint64_t process, uint64_t wave,
				uint32_t lane);

/** Read: how many bytes are there from @address on, up to the first that is not. */
size_t wt_access_read(const struct wt_access *access, enum gfx_space space, uint64_t address,
		      void *data, size_t size);

/**
 * Whether there is no memory at an address of which wt_access_read() has no byte: the recorded library refused it, or what is there
 * ends before it. Else the trace does not say.
 */
bool wt_access_is_bad(const struct wt_access *access, enum gfx_space space, uint64_t address);

/** Write to the overlay, as far as memory was recorded. */
size_t wt_access_write(const struct wt_access *access, struct wt_overlay *overlay,
		       enum gfx_space space, uint64_t address, const void *data, size_t size);

#endif /* WT_REPLAYER_RECORDED_WAVE_MEMORY_H */
