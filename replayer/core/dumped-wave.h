/* SPDX-License-Identifier: MIT */
/* A recorded wave as the state of one that can be saved, or executed. */
#ifndef WT_REPLAYER_CORE_DUMPED_WAVE_H
#define WT_REPLAYER_CORE_DUMPED_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "device/save-area/area.h"
#include "replayer/view/view.h"

struct wt_making_wave {
	uint64_t handle, dispatch, workgroup, packet_id;
	uint32_t coordinates[3], number_in_group;
	uint32_t reasons; /* recorded */
	struct gfx_wave gfx;
	uint32_t *registers; /* the vector registers; owned */
	uint8_t *local;	     /* of the workgroup, in its first wave; owned */
	uint32_t slot;
	bool scratch;
};

/**
 * Take a wave as it was recorded.
 *
 * @layout: how waves of the architecture are saved, which says which registers they have.
 * @wave_ret: for the caller to wt_making_wave_deinit(), also if it is not whole. Its place in the grid is not set.
 * @whole_ret: false if it has registers that were not recorded.
 */
struct wt_error *wt_making_wave_take(struct wt_view *view,
				     const struct gfx_architecture *architecture,
				     const struct wt_save_area_layout *layout, uint64_t handle,
				     struct wt_making_wave *wave_ret, bool *whole_ret);
void wt_making_wave_deinit(struct wt_making_wave *wave);

/** Returns a number that was answered, cut to 32 bits; 0 if none was. */
uint32_t wt_making_number(const struct wt_view *view, enum wt_object object, uint64_t handle,
			  uint32_t query);

#endif /* WT_REPLAYER_CORE_DUMPED_WAVE_H */
