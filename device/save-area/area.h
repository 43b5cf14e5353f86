/* SPDX-License-Identifier: MIT */
/*
 * Context save areas: which waves one holds and where their parts are, and how one is written.
 */
#ifndef WT_DEVICE_SAVE_AREA_AREA_H
#define WT_DEVICE_SAVE_AREA_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "device/save-area/layout.h"
#include "gfx/wave/wave.h"

/* The memory that a core dump holds. */
struct wt_core_memory {
	void *opaque;
	/* Bytes done, from @address on; fewer where memory ends. */
	size_t (*read)(void *opaque, uint64_t address, void *data, size_t size);
	size_t (*write)(void *opaque, uint64_t address, const void *data, size_t size);
};

/** Read all of it, or say no. */
bool wt_core_read(const struct wt_core_memory *memory, uint64_t address, void *data, size_t size);
bool wt_core_read_u32(const struct wt_core_memory *memory, uint64_t address, uint32_t *value_ret);
bool wt_core_read_u64(const struct wt_core_memory *memory, uint64_t address, uint64_t *value_ret);

/* A wave in an area: what the control stack says of it, and the addresses of its parts. */
struct wt_core_place {
	struct wt_core_sizes sizes;
	uint32_t slot, engine; /* of its scratch memory */
	bool scratch, first, last;
	uint64_t lds; /* of its workgroup, for the first wave of one; else 0 */
	uint64_t ttmps, hwregs, sgprs, agprs, shared, vgprs;
	uint64_t begin, end;
};

/** Called for each wave in the order of the control stack. An error ends the walk. */
typedef struct wt_error *(*wt_core_found)(void *opaque, const struct wt_core_place *place);

/**
 * Walk an area. Nothing in it is trusted: every part of every wave is within the area.
 *
 * @address, @size: of the area in @memory.
 *
 * Errors: WT_ERROR_NOT_FOUND if the head or the control stack cannot be read, WT_ERROR_INPUT if they
 * contradict themselves, and what @found returns.
 */
struct wt_error *wt_core_area_walk(const struct wt_core_layout *layout,
				   const struct wt_core_memory *memory, uint64_t address,
				   uint64_t size, wt_core_found found, void *opaque);

/* A wave to be saved. `wave` has the state that a trap handler leaves. */
struct wt_core_saved {
	const struct gfx_wave *wave;
	uint32_t slot, engine;
	bool scratch, first, last;
	bool stopped;		 /* by the debugger or for it */
	bool halted_at_launch;	 /* before its first instruction, unseen by the debugger */
	uint32_t packet_index;	 /* of its dispatch in the ring */
	uint32_t coordinates[3]; /* of its workgroup */
	uint32_t number_in_group;
};

/** Bytes of an area that holds these waves; 0 if one of them does not fit the layout. */
size_t wt_core_area_size(const struct wt_core_layout *layout, const struct wt_core_saved *waves,
			 size_t count);

/**
 * Write an area, as the hardware saves waves. Families whose waves have one register file of a size
 * that is free to choose only: gfx9.
 *
 * @waves: waves of a workgroup one behind the other.
 * @buffer: gets wt_core_area_size() bytes.
 *
 * Errors: WT_ERROR_UNSUPPORTED if a wave does not fit the layout.
 */
struct wt_error *wt_core_area_build(const struct wt_core_layout *layout,
				    const struct wt_core_saved *waves, size_t count,
				    struct wt_buffer *buffer);

/* What a debugger reads from the trap temporaries and hardware registers of a saved wave. */
struct wt_core_handler_state {
	bool has_position; /* the next four are known */
	bool has_packet;
	uint32_t packet_index; /* in the ring */
	uint32_t coordinates[3], number_in_group;
	bool stopped;
	uint32_t stop_reasons; /* enum wt_stop_reason */
	bool halted;	       /* by its program, or at its launch */
};

/**
 * The registers that are saved as trap temporaries and hardware registers, and what they tell. For
 * the gfx9 family.
 *
 * @wave: gets pc, exec, m0, status, mode, trapsts, xnack_mask and ttmps.
 *
 * Return: false if the memory cannot be read.
 */
bool wt_core_wave_load(const struct wt_core_layout *layout, const struct wt_core_memory *memory,
		       const struct wt_core_place *place, bool ttmps_set_up, struct gfx_wave *wave,
		       struct wt_core_handler_state *state_ret);

/**
 * The rest: scalar registers, vcc, flat_scratch and vector registers.
 *
 * @wave: its counts are set, and its register files are of these sizes.
 *
 * Return: false if the memory cannot be read.
 */
bool wt_core_wave_load_registers(const struct wt_core_memory *memory,
				 const struct wt_core_place *place, struct gfx_wave *wave);

/** Plain scalar registers of a wave with so many saved ones: not those that vcc and others overlay. */
uint32_t wt_core_plain_sgprs(uint32_t saved);

#endif /* WT_DEVICE_SAVE_AREA_AREA_H */
