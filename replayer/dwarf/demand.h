/* SPDX-License-Identifier: MIT */
/*
 * Does code still need what a register has? Compilers keep a value as it is in the source as long as an instruction needs all of it:
 * else they drop what computes it, or its upper bits, and leave the register to others, though they go on naming it.
 */
#ifndef WT_REPLAYER_DWARF_DEMAND_H
#define WT_REPLAYER_DWARF_DEMAND_H

#include "replayer/dwarf/frame.h"

enum wt_dwarf_demand {
	WT_DWARF_NOT_NEEDED, /* nothing reads it */
	WT_DWARF_NEEDED_IN_PART,
	WT_DWARF_NEEDED,
};

/**
 * How much of a register do the instructions from an address on need, before they write it? NOT_NEEDED also if the code is not known.
 *
 * @number: of DWARF. @from: an address of the ELF file, in the frame's function.
 */
enum wt_dwarf_demand wt_dwarf_demand(const struct wt_dwarf_frame *frame, uint64_t number,
				     uint64_t from);

#endif /* WT_REPLAYER_DWARF_DEMAND_H */
