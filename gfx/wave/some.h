/* SPDX-License-Identifier: MIT */
/* Functions over planes of vector registers that are compiled into those of GFX_LANE_LOOPS. */
#ifndef GFX_WAVE_SOME_H
#define GFX_WAVE_SOME_H

#include "gfx/wave/lanes.h"
#include "gfx/wave/plan.h"

/* Code that is compiled for some hosts must be a part of the function that is. */
#define GFX_ALWAYS static inline __attribute__((always_inline))

/* A word of a plane in the wave's memory, which begins anywhere. */
typedef uint32_t gfx_loose_word __attribute__((aligned(1), may_alias));

static const uint32_t gfx_lane_bits[GFX_HALF_LANES] = {GFX_BITS16(0), GFX_BITS16(16)};

/** Copy the words of @lanes from one plane to another. */
GFX_ALWAYS void gfx_take_lanes(gfx_loose_word *restrict to, const gfx_loose_word *restrict from,
			       uint64_t lanes)
{
	if (lanes == UINT64_MAX) {
		memcpy(to, from, GFX_MAX_LANES * sizeof(*from));
		return;
	}
	for (uint32_t half = 0; half < GFX_MAX_LANES; half += GFX_HALF_LANES, lanes >>= 32) {
		uint32_t on = (uint32_t)lanes;

		/* Written so that compilers make no branch of it. */
		for (uint32_t i = 0; i < GFX_HALF_LANES; i++) {
			uint32_t taken = on & gfx_lane_bits[i] ? UINT32_MAX : 0;

			to[half + i] = (to[half + i] & ~taken) | (from[half + i] & taken);
		}
	}
}

/** Put the lowest @width bits of the words of @lanes into those of another plane, at bit @shift. */
GFX_ALWAYS void gfx_merge_lanes(gfx_loose_word *restrict to, const gfx_loose_word *restrict from,
				uint64_t lanes, uint32_t shift, uint32_t width)
{
	uint32_t mask = ((1U << width) - 1) << shift;

	for (uint32_t half = 0; half < GFX_MAX_LANES; half += GFX_HALF_LANES, lanes >>= 32) {
		uint32_t on = (uint32_t)lanes;

		for (uint32_t i = 0; i < GFX_HALF_LANES; i++) {
			uint32_t taken = on & gfx_lane_bits[i] ? mask : 0;

			to[half + i] = (to[half + i] & ~taken) | (from[half + i] << shift & taken);
		}
	}
}

#endif /* GFX_WAVE_SOME_H */
