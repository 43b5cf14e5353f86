/* SPDX-License-Identifier: MIT */
/* The structures of a core that is made of a recorded stop. Private to replayer/core/. */
#ifndef WT_REPLAYER_CORE_INTERNAL_H
#define WT_REPLAYER_CORE_INTERNAL_H

#include "base/buffer.h"
#include "device/save-area/area.h"
#include "replayer/core/pieces.h"
#include "replayer/view/view.h"

struct wt_core_export;

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

struct wt_making_queue {
	uint64_t handle, ring_address, ring_size;
	uint32_t os_id, gpu_id, type;
	const struct gfx_architecture *architecture;
	const struct wt_save_area_layout *layout; /* NULL: it has no waves that could be saved */
	uint64_t read_id, write_id;
	struct wt_making_wave *waves; /* those of a workgroup are neighbours */
	size_t wave_count;
	struct wt_saved_wave *saved;
	/* Private memory: of each wave in its slot from the base on. */
	uint64_t scratch_base, scratch_bytes; /* bytes: of one wave; 0: there is none */
	uint32_t scratch_slots;
	bool scratch_placed; /* the base is known from a register */
	/* The addresses at which it is put: */
	uint64_t structure_address, save_address;
	struct wt_buffer structure, area;
};

struct wt_making {
	struct wt_view *view;
	struct wt_core_export *done;
	struct wt_pieces pieces;
	struct wt_pieces_run *reserved; /* private memory */
	struct wt_making_queue *queues;
	size_t queue_count;
	struct wt_buffer objects; /* r_debug and what follows */
	uint64_t r_debug;
};

/**
 * Take a wave as it was recorded.
 *
 * @queue: its architecture and layout are known.
 * @wave_ret: for the caller to wt_making_wave_deinit(), also if it is not whole.
 * @whole_ret: false if it has registers that were not recorded.
 */
struct wt_error *wt_making_wave_take(struct wt_view *view, const struct wt_making_queue *queue,
				     uint64_t handle, struct wt_making_wave *wave_ret,
				     bool *whole_ret);
void wt_making_wave_deinit(struct wt_making_wave *wave);

/** Returns a number that was answered, cut to 32 bits; 0 if none was. */
uint32_t wt_making_number(const struct wt_view *view, enum wt_object object, uint64_t handle,
			  uint32_t query);

#endif /* WT_REPLAYER_CORE_INTERNAL_H */
