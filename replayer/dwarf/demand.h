/* SPDX-License-Identifier: MIT */
/*
 * Does code still need what a register has? Compilers keep a value as it is in the source as far as instructions need its bits: else they
 * drop what computes it, or some of its bits, and leave the register to others, though they go on naming it.
 */
#ifndef WT_REPLAYER_DWARF_DEMAND_H
#define WT_REPLAYER_DWARF_DEMAND_H

#include "replayer/dwarf/frame.h"

struct wt_dwarf_demand {
	bool is_read;  /* some instruction reads it, or may do so */
	uint32_t bits; /* those that are certainly needed */
};

/* Which instructions of the function count, by their addresses. */
struct wt_dwarf_readers {
	bool (*counts)(const void *opaque, uint64_t address);
	const void *opaque;
};

/**
 * Finds what the instructions from an address on need of a register, before they write it: nothing if the code is not known.
 *
 * @number: of DWARF. @from: an address of the ELF file, in the frame's function. @readers: NULL if all count.
 */
struct wt_dwarf_demand wt_dwarf_demand(const struct wt_dwarf_frame *frame, uint64_t number,
				       uint64_t from, const struct wt_dwarf_readers *readers);

#endif /* WT_REPLAYER_DWARF_DEMAND_H */
