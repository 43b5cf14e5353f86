/* SPDX-License-Identifier: MIT */
/*
 * Who called: by call frame information (cfi.h) where it says something, else by the calling convention. Compilers write no call
 * frame information for AMD GPUs, or little, so what a function does to its caller's registers is read from its code: where it keeps the return address, the frame register and the
 * vector registers that it must give back.
 */
#ifndef WT_REPLAYER_DWARF_UNWIND_H
#define WT_REPLAYER_DWARF_UNWIND_H

#include "replayer/dwarf/frame.h"

/**
 * Follow the code of a frame's function from its start up to the pc: then registers of its caller can be asked for. Does
 * nothing if the code is not known.
 *
 * Return: false if memory ran out.
 */
bool wt_dwarf_frame_keep(struct wt_dwarf_frame *frame);
void wt_dwarf_frame_deinit(struct wt_dwarf_frame *frame);

/** Four bytes of a register as they were when the frame's function was called. Return: NULL, or why they are not known. */
const char *wt_dwarf_frame_entry(const struct wt_dwarf_frame *frame, uint64_t number, uint32_t lane,
				 uint32_t *value_ret);

/** The address in memory to which the function returns. Return: NULL, or why it is not known. */
const char *wt_dwarf_frame_return(const struct wt_dwarf_frame *frame, uint64_t *address_ret);

#endif /* WT_REPLAYER_DWARF_UNWIND_H */
