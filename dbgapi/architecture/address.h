/* SPDX-License-Identifier: MIT */
/*
 * Segment addresses: which space one really means, what it depends on, and conversion between
 * spaces.
 *
 * These work on the tables and on what a wave is; they know neither handles nor clients.
 */
#ifndef WT_DBGAPI_ARCHITECTURE_ADDRESS_H
#define WT_DBGAPI_ARCHITECTURE_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <amd-dbgapi/amd-dbgapi.h>

#include "gfx/architecture/architecture.h"

/* What address conversion has to know of a wave. */
struct wt_address_wave {
	const struct gfx_architecture *architecture;
	uint64_t lane_count;
	/* The wave's private memory as global addresses. Size 0: it has none, or where it is is
	 * unknown. */
	uint64_t scratch_base, scratch_size;
};

/**
 * Resolve a segment address to the space that it is in: a generic one to global, local or
 * private_lane by its top bits, any other to its own space; cut to the width of that space.
 *
 * @space: may be the global one, for which @architecture is not looked at and may be NULL.
 */
void wt_address_lower(const struct gfx_architecture *architecture,
		      const struct gfx_address_space *space, uint64_t address,
		      const struct gfx_address_space **space_ret, uint64_t *address_ret);

/** What the meaning of an address depends on: lane, wave, workgroup or process. */
amd_dbgapi_segment_address_dependency_t
wt_address_dependency(const struct gfx_architecture *architecture,
		      const struct gfx_address_space *space, uint64_t address);

/**
 * Convert an address from one space of a wave's architecture to another.
 *
 * @wave: for all conversions but those that lead from global to global; then it may be NULL.
 * @lane: needed for private_lane; AMD_DBGAPI_LANE_NONE otherwise.
 * @address_ret: the address in @to; its NULL address for the one of @from.
 * @bytes_ret: how many bytes from there stand side by side in both; 0 for NULL addresses, and for
 *	the whole 64-bit space, whose size is no number of 64 bits.
 *
 * Return: INVALID_WAVE_ID without a wave where one is needed, INVALID_LANE_ID without a lane of the
 * wave where one is needed, INVALID_ADDRESS_SPACE_CONVERSION if there is no such address.
 */
amd_dbgapi_status_t wt_address_convert(const struct wt_address_wave *wave,
				       amd_dbgapi_lane_id_t lane,
				       const struct gfx_architecture *architecture,
				       const struct gfx_address_space *from, uint64_t address,
				       const struct gfx_address_space *to, uint64_t *address_ret,
				       uint64_t *bytes_ret);

/**
 * Whether an address is one that pointers of a class may hold: the class of generic pointers takes
 * all but those of private_wave, any other those of its own space.
 */
bool wt_address_in_class(const struct gfx_architecture *architecture,
			 const struct gfx_address_space *space, uint64_t address,
			 const struct gfx_address_class *class);

/** Bytes of one lane that stand side by side in private memory. */
#define WT_ADDRESS_INTERLEAVE 4u

#endif /* WT_DBGAPI_ARCHITECTURE_ADDRESS_H */
