/* SPDX-License-Identifier: MIT */
/* Which memory a snapshot takes with the waves of one process, within its budgets. */
#ifndef WT_RECORDER_MOMENT_TAKING_H
#define WT_RECORDER_MOMENT_TAKING_H

#include "gfx/wave/wave.h"
#include "recorder/moment/memory.h"
#include "recorder/recording/recorder.h"

/* A stopped wave, with its registers found. */
struct wt_stopped_wave {
	uint64_t handle, architecture, workgroup, dispatch, pc, exec;
	uint32_t reasons, lane_count;
	const struct wt_item *registers; /* in `holder` */
	struct wt_state *holder;	 /* REGISTERS and LIST of this wave alone */
	/* Offsets in the registers' bytes by number of s and v; UINT32_MAX where there is none. */
	uint32_t sgprs[GFX_MAX_SGPRS], vgprs[GFX_MAX_VGPRS];
};

/* One snapshot's work on one process. Budgets are of the whole snapshot. */
struct wt_taking {
	struct wt_recorder *recorder;
	struct wt_state *state;
	uint64_t process;
	struct wt_ordinals pages; /* of global memory, looked at so far */
	size_t pages_left, tries_left;
	uint64_t private_left, local_left; /* bytes */
	uint64_t registers_left;	   /* bytes, of WT_WAVES_AUTO */
	uint64_t bytes_left, deadline;	   /* of all; on wt_clock_monotonic() */
	bool over, out_of_memory;	   /* one of these two is spent */
	bool pages_cut, private_cut, local_cut;
	size_t plain_waves, waves_left_out;
};

/** Take so many bytes off the budget: they are in the state. */
void wt_taking_spend(struct wt_taking *taking, uint64_t bytes);

/** Is a budget spent, so that nothing more is taken? */
bool wt_taking_is_over(struct wt_taking *taking);

/** The ranges of global memory that policy names. */
struct wt_error *wt_take_ranges(struct wt_taking *taking);

/** Are there stop reasons that are faults of the program, as opposed to a debugger's doing? */
bool wt_reasons_are_fault(uint32_t reasons);

/** Find a wave's registers by name, for what follows. */
void wt_stopped_wave_index(struct wt_recorder *recorder, struct wt_stopped_wave *wave);

/** Pages of global memory from @address on: even if unreadable, where the program went there. */
struct wt_error *wt_take_global(struct wt_taking *taking, uint64_t address, uint64_t size,
				bool keep_unreadable);

/** Code around the pc, and what the instruction there touches in every lane. */
struct wt_error *wt_take_instruction(struct wt_taking *taking, const struct wt_stopped_wave *wave);

/** What looks like a pointer in the scalar registers, and in those of the active lanes of a faulting wave. */
struct wt_error *wt_take_pointers(struct wt_taking *taking, const struct wt_stopped_wave *wave);

/** The local memory of the wave's workgroup; its private memory. */
struct wt_error *wt_take_local(struct wt_taking *taking, const struct wt_stopped_wave *wave);
struct wt_error *wt_take_private(struct wt_taking *taking, const struct wt_stopped_wave *wave);

/** Kernel descriptor and arguments of a dispatch. */
struct wt_error *wt_take_kernel(struct wt_taking *taking, uint64_t dispatch);

#endif /* WT_RECORDER_MOMENT_TAKING_H */
