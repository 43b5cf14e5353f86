/* SPDX-License-Identifier: MIT */
/* Planes of vector registers: taking the results of some lanes. */
#include "gfx/wave/lanes.h"

/* Words to keep or to take, for each pattern of four lanes. */
#define TAKE(a, b, c, d)                                                                           \
	{                                                                                          \
		0U - (a), 0U - (b), 0U - (c), 0U - (d)                                             \
	}
static const uint32_t lane_masks[16][4] = {
	TAKE(0, 0, 0, 0), TAKE(1, 0, 0, 0), TAKE(0, 1, 0, 0), TAKE(1, 1, 0, 0),
	TAKE(0, 0, 1, 0), TAKE(1, 0, 1, 0), TAKE(0, 1, 1, 0), TAKE(1, 1, 1, 0),
	TAKE(0, 0, 0, 1), TAKE(1, 0, 0, 1), TAKE(0, 1, 0, 1), TAKE(1, 1, 0, 1),
	TAKE(0, 0, 1, 1), TAKE(1, 0, 1, 1), TAKE(0, 1, 1, 1), TAKE(1, 1, 1, 1),
};

/* Four lanes, which compilers have a register for; the planes are arrays of words. */
typedef uint32_t four_words __attribute__((vector_size(16), aligned(4), may_alias));
struct four {
	four_words words;
} __attribute__((may_alias));

void gfx_commit_lanes(uint32_t *to, const uint32_t *from, uint64_t lanes)
{
	if (lanes == UINT64_MAX) {
		memcpy(to, from, GFX_MAX_LANES * sizeof(*to));
		return;
	}
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane += 4) {
		struct four *some = (struct four *)(to + lane);
		four_words mask = ((const struct four *)lane_masks[lanes >> lane & 15])->words;

		some->words = (some->words & ~mask) |
			      (((const struct four *)(from + lane))->words & mask);
	}
}
