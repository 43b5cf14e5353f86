/* SPDX-License-Identifier: MIT */
/* The structures of a core that is made of a recorded stop. Private to replayer/core/. */
#ifndef WT_REPLAYER_CORE_INTERNAL_H
#define WT_REPLAYER_CORE_INTERNAL_H

#include "base/buffer.h"
#include "device/save-area/area.h"
#include "replayer/core/dumped-wave.h"
#include "replayer/core/pieces.h"
#include "replayer/view/view.h"

struct wt_core_export;

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

#endif /* WT_REPLAYER_CORE_INTERNAL_H */
