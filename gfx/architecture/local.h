/* SPDX-License-Identifier: MIT */
/* How local memory is given to workgroups, which is so on every architecture that is executed. */
#ifndef GFX_ARCHITECTURE_LOCAL_H
#define GFX_ARCHITECTURE_LOCAL_H

#include <stdint.h>

#define GFX_LOCAL_UNIT 512U /* bytes */

/** How many bytes of local memory a workgroup has that asks for @bytes: whole units. */
static inline uint64_t gfx_local_room(uint64_t bytes)
{
	return (bytes + GFX_LOCAL_UNIT - 1) / GFX_LOCAL_UNIT * GFX_LOCAL_UNIT;
}

#endif /* GFX_ARCHITECTURE_LOCAL_H */
