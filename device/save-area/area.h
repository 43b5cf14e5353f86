/* SPDX-License-Identifier: MIT */
/* Context save areas: find the waves in one, read a wave's registers, and write an area. */
#ifndef WT_DEVICE_SAVE_AREA_AREA_H
#define WT_DEVICE_SAVE_AREA_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "device/memory-view.h"
#include "device/save-area/layout.h"
#include "gfx/wave/wave.h"

/* A wave in an area: what the control stack says of it, and the addresses of its parts. */
struct wt_save_area_wave {
	struct wt_save_area_sizes sizes;
	uint32_t slot, engine; /* scratch slot, shader engine */
	bool scratch, first, last;
	uint64_t lds; /* of the workgroup; 0 unless this is its first wave */
	uint64_t ttmps, hwregs, sgprs, agprs, shared, vgprs;
	uint64_t begin, end; /* of all parts together */
};

/** Called for each wave in the order of the control stack. An error ends the walk. */
typedef struct wt_error *(*wt_save_area_visitor)(void *opaque,
						 const struct wt_save_area_wave *wave);

/**
 * Visit the waves of an area. Nothing in it is trusted: every part of every wave is checked to lie
 * within the area.
 *
 * @address, @size: of the area in @memory, in bytes.
 *
 * Errors: WT_ERROR_NOT_FOUND if the header or the control stack is not in memory, WT_ERROR_INPUT if
 * they contradict themselves, WT_ERROR_LIMIT, and what @visitor returns.
 */
struct wt_error *wt_save_area_walk(const struct wt_save_area_layout *layout,
				   const struct wt_memory_view *memory, uint64_t address,
				   uint64_t size, wt_save_area_visitor visitor, void *opaque);

/* A wave to be saved. `wave` is in the state that the trap handler leaves. */
struct wt_saved_wave {
	const struct gfx_wave *wave;
	uint32_t slot, engine; /* scratch slot, shader engine */
	bool scratch, first, last;
	bool stopped; /* at an exception, or on the debugger's request */
	bool stands;  /* the runtime is one whose trap handler parks no wave of its family */
	bool halted_at_launch;	 /* before its first instruction; the debugger has not seen it */
	uint32_t packet_index;	 /* of its dispatch in the queue's ring */
	uint32_t coordinates[3]; /* of its workgroup */
	uint32_t number_in_group;
};

/** The size in bytes of an area for these waves; 0 if one of them does not fit the layout. */
size_t wt_save_area_size(const struct wt_save_area_layout *layout,
			 const struct wt_saved_wave *waves, size_t count);

/**
 * Write an area as the hardware and the newest trap handler do, but for waves that an older one leaves where they stand.
 *
 * @waves: the waves of a workgroup must be neighbours.
 * @buffer: wt_save_area_size() bytes are appended.
 *
 * Errors: WT_ERROR_UNSUPPORTED if a wave does not fit the layout.
 */
struct wt_error *wt_save_area_build(const struct wt_save_area_layout *layout,
				    const struct wt_saved_wave *waves, size_t count,
				    struct wt_buffer *buffer);

/* The state of a saved wave, as its trap temporaries and hardware registers tell it. */
struct wt_saved_wave_state {
	bool has_position; /* the trap temporaries were set up: the next four fields are valid */
	bool has_packet;
	uint32_t packet_index; /* in the queue's ring */
	uint32_t coordinates[3], number_in_group;
	bool stopped;
	uint32_t stop_reasons; /* of enum wt_stop_reason */
	bool halted;	       /* by its program, or at its launch */
	uint64_t debugger_id;  /* that a debugger has given it; 0 if none has */
};

/* The setup that holds for all waves of an agent. */
struct wt_saved_wave_setup {
	bool ttmps_set_up; /* hardware sets up trap temporaries at launch */
	bool are_known; /* a debugger has set up those of waves that have its ids: they stay as they are */
	uint32_t r_debug_version;
};

/**
 * Read the trap temporaries and hardware registers of a wave.
 *
 * @gfx: its architecture is set. Gets the registers that the family saves among its hardware registers, and ttmps. Trap
 *	temporaries that were not set up are initialized.
 *
 * Return: false if they are not in memory.
 */
bool wt_saved_wave_load(const struct wt_save_area_layout *layout,
			const struct wt_memory_view *memory, const struct wt_save_area_wave *wave,
			const struct wt_saved_wave_setup *setup, struct gfx_wave *gfx,
			struct wt_saved_wave_state *state_ret);

/** Why a stopped wave stopped, by its registers: of enum wt_stop_reason. */
uint32_t wt_saved_wave_stop_reasons(const struct wt_save_area_layout *layout,
				    const struct gfx_wave *gfx);

/** A debugger lets the wave go on: clear the bits that said these reasons, which would say so again. */
void wt_saved_wave_clear_reasons(const struct wt_save_area_layout *layout, uint32_t reasons,
				 struct gfx_wave *gfx);

/**
 * Does what wt_saved_wave_load() does, but leaves all as it is in the area. The pc is the one at which the wave goes
 * on.
 *
 * @r_debug_version: of the runtime.
 */
bool wt_saved_wave_load_hardware(const struct wt_save_area_layout *layout,
				 const struct wt_memory_view *memory,
				 const struct wt_save_area_wave *wave, uint32_t r_debug_version,
				 struct gfx_wave *gfx);

/**
 * Read the remaining registers: scalar registers, vcc and vector registers, and flat_scratch up to gfx9.
 *
 * @gfx: its counts are set and its register files have these sizes.
 *
 * Return: false if they are not in memory.
 */
bool wt_saved_wave_load_registers(const struct wt_save_area_layout *layout,
				  const struct wt_memory_view *memory,
				  const struct wt_save_area_wave *wave, struct gfx_wave *gfx);

/**
 * Write what wt_saved_wave_load() reads back to where it was read. The pc of a stopped wave is in the trap temporaries where the
 * runtime's trap handler parks it.
 *
 * @r_debug_version: of the runtime.
 * @park_address: where such a wave stands; 0: where it does.
 * @memory: its operation `write` is not NULL.
 *
 * Return: false if not all of it could be written.
 */
bool wt_saved_wave_store(const struct wt_save_area_layout *layout,
			 const struct wt_memory_view *memory, const struct wt_save_area_wave *wave,
			 const struct gfx_wave *gfx, uint32_t r_debug_version,
			 uint64_t park_address);

/** The same for wt_saved_wave_load_registers(). */
bool wt_saved_wave_store_registers(const struct wt_save_area_layout *layout,
				   const struct wt_memory_view *memory,
				   const struct wt_save_area_wave *wave,
				   const struct gfx_wave *gfx);

/** How many of @saved scalar registers are plain ones, that is, not overlaid by vcc and others. */
uint32_t wt_saved_wave_plain_sgprs(const struct wt_save_area_layout *layout, uint32_t saved);

/**
 * The words of a wave's hardware registers.
 *
 * @used_ret: mask of those that are a register's; the others are not set.
 */
void wt_saved_wave_hwregs(const struct wt_save_area_layout *layout, const struct gfx_wave *gfx,
			  uint32_t words_ret[WT_SAVE_AREA_HWREGS], uint32_t *used_ret);

/** Put the pc of a parked wave into its trap temporaries. */
void wt_saved_wave_park(const struct wt_save_area_layout *layout, uint64_t pc, uint32_t *ttmps);

#endif /* WT_DEVICE_SAVE_AREA_AREA_H */
