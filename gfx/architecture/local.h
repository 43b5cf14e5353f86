/* SPDX-License-Identifier: MIT */
/* How local memory is given to workgroups. */
#ifndef GFX_ARCHITECTURE_LOCAL_H
#define GFX_ARCHITECTURE_LOCAL_H

#include "gfx/architecture/architecture.h"

/** How many bytes of local memory a workgroup has that asks for @bytes: whole steps, or no more where they are not known. */
static inline uint64_t gfx_local_room(const struct gfx_architecture *architecture, uint64_t bytes)
{
	uint64_t step = architecture->unit.local_step;

	return step ? (bytes + step - 1) / step * step : bytes;
}

#endif /* GFX_ARCHITECTURE_LOCAL_H */
