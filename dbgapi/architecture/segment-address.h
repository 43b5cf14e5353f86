/* SPDX-License-Identifier: MIT */
/*
 * Segment addresses: resolve generic addresses, find what an address depends on, and convert between address spaces. These
 * functions use neither handles nor callbacks.
 */
#ifndef WT_DBGAPI_ARCHITECTURE_SEGMENT_ADDRESS_H
#define WT_DBGAPI_ARCHITECTURE_SEGMENT_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <amd-dbgapi/amd-dbgapi.h>

#include "gfx/architecture/architecture.h"

/* The facts about a wave that address conversion needs. */
struct wt_address_wave {
	const struct gfx_architecture *architecture;
	uint64_t lane_count;
	/* Global address and size in bytes of the wave's private memory. Size 0: it has none. */
	uint64_t scratch_base, scratch_size;
	bool scratch_unplaced; /* the address is not known */
	bool scratch_unsized;  /* the size is not known, only that it is no smaller */
};

/* The minor number of the level whose rules are those of the released libraries up to ROCm 7.0. */
#define WT_ADDRESS_LEVEL_RELEASED 77u

/**
 * Resolve a generic address to global, local or private_lane by its aperture. An address of another space keeps it. The
 * result is truncated to the width of its space.
 *
 * @architecture: not used for the global space; may be NULL then.
 */
void wt_address_lower(const struct gfx_architecture *architecture,
		      const struct gfx_address_space *space, uint64_t address,
		      const struct gfx_address_space **space_ret, uint64_t *address_ret);

/** Whether the meaning of an address depends on the lane, wave, workgroup or process. */
amd_dbgapi_segment_address_dependency_t
wt_address_dependency(const struct gfx_architecture *architecture,
		      const struct gfx_address_space *space, uint64_t address);

/**
 * Convert an address from one space of a wave's architecture to another.
 *
 * @wave: may be NULL if both addresses are global.
 * @lane: needed for private_lane; else AMD_DBGAPI_LANE_NONE.
 * @address_ret: the address in @to. The NULL address of @from becomes that of @to.
 * @bytes_ret: how many bytes from there on are contiguous in both spaces; 0 for NULL addresses, and for the whole 64-bit
 *	space, whose size does not fit.
 * @level: minor number of the level of the library whose answer this is. Since 0.79 private bytes end with the private memory
 *	(behind its end the count wraps, as there), and a generic address is one in every conversion, so that its NULL is that
 *	of every space, and needs a wave. Libraries of both kinds are called 0.78: how many bytes it counts is not known.
 *
 * Return: INVALID_WAVE_ID or INVALID_LANE_ID if one is needed and missing, INVALID_ADDRESS_SPACE_CONVERSION if @to has no
 * such address, NOT_AVAILABLE if that depends on where the wave's private memory is, or how large, and it is not known.
 */
amd_dbgapi_status_t wt_address_convert(unsigned int level, const struct wt_address_wave *wave,
				       amd_dbgapi_lane_id_t lane,
				       const struct gfx_architecture *architecture,
				       const struct gfx_address_space *from, uint64_t address,
				       const struct gfx_address_space *to, uint64_t *address_ret,
				       uint64_t *bytes_ret);

/**
 * Whether pointers of a class can have an address. Those of the generic class can have all addresses
 * except those of private_wave; other classes have addresses of one space.
 */
bool wt_address_in_class(const struct gfx_architecture *architecture,
			 const struct gfx_address_space *space, uint64_t address,
			 const struct gfx_address_class *class);

#endif /* WT_DBGAPI_ARCHITECTURE_SEGMENT_ADDRESS_H */
