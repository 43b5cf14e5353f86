/* SPDX-License-Identifier: MIT */
/* A lane's private memory lies in that of its wave in the same way on every architecture. */
#ifndef GFX_ARCHITECTURE_PRIVATE_H
#define GFX_ARCHITECTURE_PRIVATE_H

#include <stdint.h>

/* Bytes of a lane that stand side by side. */
#define GFX_PRIVATE_WORD 4U

/**
 * The place in a wave's private memory, in bytes, of a byte of a lane's: the lanes take turns, a word each.
 *
 * @lane: below @lane_count, which is the wave's.
 */
static inline uint64_t gfx_private_place(uint64_t lane_count, uint64_t lane, uint64_t address)
{
	return (address / GFX_PRIVATE_WORD * lane_count + lane) * GFX_PRIVATE_WORD +
	       address % GFX_PRIVATE_WORD;
}

#endif /* GFX_ARCHITECTURE_PRIVATE_H */
