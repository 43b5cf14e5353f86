/* SPDX-License-Identifier: MIT */
/* A stopped wave as it is handed to the analysis, and how following it can end. */
#ifndef WT_REPLAYER_ANALYSIS_STOPPED_WAVE_H
#define WT_REPLAYER_ANALYSIS_STOPPED_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gfx/isa/decode.h"
#include "gfx/isa/launch.h"
#include "gfx/isa/touched-memory.h"

#define WT_ANALYSIS_LOCAL_BYTES 65536u /* the most local memory that a workgroup can have */
#define WT_ANALYSIS_CALLS 8u /* of those that have not returned: the innermost that are told */
/* Bytes of one lane's private memory, at most, in a wave that can be followed. */
#define WT_ANALYSIS_PRIVATE_BYTES 65536u

/* Accesses that a wave may still be executed behind one that fails, unless memory is precise: until it waits for it, as a rule. */
#define WT_ANALYSIS_LATE 256u

enum wt_access_verdict {
	WT_ACCESS_MAY_FAIL, /* nothing is known that would rule it out */
	WT_ACCESS_FINE,
	WT_ACCESS_FAILS,
};

struct wt_rerun_end;

/* A wave that is not followed from its launch, but from an earlier stop. */
struct wt_analysis_start {
	void *opaque;
	gfx_register_reader read_register; /* of those that were recorded there */
	/* Bytes of its local memory, or of a lane's private memory; false if one is not known. */
	bool (*read)(void *opaque, bool local, uint32_t lane, uint64_t address, void *data,
		     size_t size);
	uint64_t pc;
	uint64_t private_place; /* the address of its private memory in that of all; 0: not known */
};

struct wt_analysis_input {
	const struct gfx_architecture *architecture;
	struct gfx_kernel_descriptor descriptor;
	/*
	 * Bytes of local memory that the workgroup was given, if that is known: of what lies behind them a DS instruction reads 0,
	 * and writes nothing.
	 */
	bool has_local_room;
	uint64_t local_room;
	/* The state in which the wave began. The address of private memory in it is not used: it is put anywhere. */
	struct gfx_launch launch;
	const struct wt_analysis_start *start; /* NULL: it begins with its launch */
	uint64_t target;		       /* where the wave stopped */
	uint32_t
		lane; /* whose values are followed; if `late`, UINT32_MAX for the first that fits */
	/*
	 * How many instructions the wave may have gone on since an access failed, that one among them: the first of these that
	 * fails is explained in place of the target, if there is one; 0: none.
	 */
	uint32_t late;
	/*
	 * The wave stands where no code is: what is explained is the jump with which it left the code, unless an access before it
	 * failed. It may have executed what it found there before it stopped.
	 */
	bool jumped;
	bool (*is_code)(void *opaque, uint64_t address); /* if `jumped` */
	/*
	 * The wave stands behind an instruction that raised one of these arithmetic exceptions, as bits of trapsts: the last one that it
	 * executed is explained, in the first lane that raises one of them, if there is one. 0: it does not.
	 */
	uint32_t raised;
	/* Limits: instructions to execute, bytes of memory to spend on remembering them. */
	uint64_t step_limit, memory_limit;
	void *opaque;
	/* Code and memory; false if a byte is not known. */
	bool (*fetch)(void *opaque, uint64_t address, void *data, size_t size);
	bool (*read)(void *opaque, uint64_t address, void *data, size_t size);
	/* Is a byte of global memory one that no other wave can have changed since the wave began? NULL: that does not matter. */
	bool (*is_fixed)(void *opaque, uint64_t address);
	/* If `late`: what is known of an access of a lane. Its address is one of the access's space. */
	enum wt_access_verdict (*judge)(void *opaque, const struct gfx_access *access,
					enum gfx_access_space space, uint64_t address);
	/* The registers of the stopped wave. */
	gfx_register_reader read_register;
	/* The end of the way, where it was followed once before (rerun.h); else NULL. */
	const struct wt_rerun_end *end;
};

/* How following the wave ended. */
enum wt_analysis_end {
	WT_ANALYSIS_ARRIVED,
	WT_ANALYSIS_BRANCH, /* a branch depends on what is not known */
	WT_ANALYSIS_INSTRUCTION, /* an instruction that is not known, or that selects registers by values */
	WT_ANALYSIS_LIMIT,
	WT_ANALYSIS_PRIVATE,   /* too much private memory */
	WT_ANALYSIS_MISSED,    /* the program ended, or failed elsewhere */
	WT_ANALYSIS_DIFFERENT, /* it arrived, but never with the registers of the stopped wave */
};

/* Scalar registers that held a part of the launch state: the first register; 0xff: none. */
struct wt_analysis_initial {
	uint8_t kernarg, workgroup_id[3], dispatch_packet;
};

#endif /* WT_REPLAYER_ANALYSIS_STOPPED_WAVE_H */
