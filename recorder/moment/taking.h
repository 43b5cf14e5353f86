/* SPDX-License-Identifier: MIT */
/* Takes memory for a snapshot of one process, within the budgets: around waves, and the ranges that the policy names. */
#ifndef WT_RECORDER_MOMENT_TAKING_H
#define WT_RECORDER_MOMENT_TAKING_H

#include "gfx/instruction/instruction.h"
#include "recorder/moment/memory-pages.h"
#include "recorder/moment/register-layout.h"
#include "recorder/recording/recorder.h"

/* A stopped wave, and where its registers are. */
struct wt_stopped_wave {
	uint64_t handle, architecture, workgroup, dispatch, pc, exec;
	uint32_t reasons, lane_count;
	const struct wt_item *registers;
	const struct wt_register_layout *layout; /* of the registers' bytes */
};

/* The code at a wave's pc, for the waves that stand there, too. */
struct wt_taken_code {
	uint64_t process, architecture, pc;
	const struct gfx_architecture *gfx; /* in our tables; NULL if it is not there */
	uint32_t words[GFX_INSTRUCTION_WORDS];
	size_t count;  /* of them that could be read */
	bool accesses; /* it is an instruction that accesses memory */
};

#define WT_HUNG_PLACES 256u

/* A snapshot of one process, while it is taken. The budgets are those of the whole snapshot. */
struct wt_taking {
	struct wt_recorder *recorder;
	struct wt_state *state;
	uint64_t process;
	struct wt_ordinals pages; /* of global memory, looked at so far */
	struct wt_reservations reservations;
	uint64_t last_pc; /* whose code was looked at last in this process; 0: none */
	size_t pages_left, tries_left;
	size_t boundaries;		   /* that were looked for */
	uint64_t followed_dispatch;	   /* whose arguments were looked at last, for pointers */
	uint64_t globals_of;		   /* a code object whose variables were taken last */
	uint64_t private_left, local_left; /* bytes */
	uint64_t registers_left;	   /* bytes, of WT_WAVES_AUTO */
	uint64_t bytes_left, deadline;	   /* of all; on wt_clock_ns() */
	bool over, out_of_memory;	   /* one of these two is spent */
	bool pages_cut, private_cut, local_cut;
	bool asked_only; /* no wave of this process has a reason of its own to stand */
	uint8_t hung_at
		[WT_HUNG_PLACES]; /* by pc: waves without a reason whose pointers were followed */
	size_t plain_waves, waves_left_out;
	struct wt_taken_code code; /* looked at last */
	uint64_t facts_of;	   /* an architecture whose facts are known */
};

/** Bytes of the registers that were taken of a wave; NULL if there are not as many. */
const uint8_t *wt_taking_bytes(const struct wt_stopped_wave *wave, uint32_t offset, size_t size);

/** Is a budget of time or bytes exhausted? Then take nothing more. */
bool wt_taking_is_over(struct wt_taking *taking);

/** Take all waves of the process: what there is to be asked about each, and of those that stand registers and memory. */
struct wt_error *wt_take_waves(struct wt_taking *taking);

/** Take the ranges of global memory that the policy names. */
struct wt_error *wt_take_ranges(struct wt_taking *taking);

/** Take pages of global memory from @address on; pages that cannot be read too, if the program accessed them. */
struct wt_error *wt_take_global(struct wt_taking *taking, uint64_t address, uint64_t size,
				bool keep_unreadable);

/**
 * Take the code around the pc, and the memory that the instruction there accesses in every lane; where that is none which is
 * missing, that of the instructions before it, since a wave may go on behind an access that fails (accessed-memory.c).
 */
struct wt_error *wt_take_instruction(struct wt_taking *taking, const struct wt_stopped_wave *wave);

/** Is the instruction before the pc a barrier? A wave that waits there has the pc behind it (accessed-memory.c). */
bool wt_taking_is_at_barrier(struct wt_taking *taking, const struct wt_stopped_wave *wave);

/** Take the kernel descriptor and the kernel arguments of a dispatch. */
struct wt_error *wt_take_kernel(struct wt_taking *taking, uint64_t dispatch);

/**
 * Take the signals that a queue waits for.
 *
 * @packets: the queue's; NULL if there are none.
 */
struct wt_error *wt_take_signals(struct wt_taking *taking, const struct wt_item *packets);

#endif /* WT_RECORDER_MOMENT_TAKING_H */
