/* SPDX-License-Identifier: MIT */
/* One function that a wave is in, and what is known of the registers there. */
#ifndef WT_REPLAYER_DWARF_FRAME_H
#define WT_REPLAYER_DWARF_FRAME_H

#include "replayer/dwarf/machine.h"
#include "replayer/dwarf/object.h"

/* Why there is no value. The texts are for users; the first three stand at the start of every reason. */
#define WT_DWARF_OPTIMIZED_OUT "optimized out"
#define WT_DWARF_NOT_RECORDED "not recorded"
#define WT_DWARF_UNKNOWN "unknown location: "

struct wt_dwarf_frame {
	const struct wt_dwarf_machine *machine;
	const struct wt_dwarf_object *object;
	uint64_t load_address; /* what to add to an address of the ELF file */
	uint64_t
		pc; /* in the ELF file: of the instruction that stopped, or to which a call returns */
	uint64_t lookup; /* the same, or inside the call: what lists and scopes are looked up by */
	/* The function that is there, not inlined; no DIE where DWARF does not say. */
	bool has_function;
	Dwarf_Die function;
	uint64_t low, high; /* its code */
	bool is_kernel;
	const struct wt_dwarf_frame *inner; /* the one that this called; NULL for the innermost */
	/* The function's changes to its caller's registers up to the pc; NULL if they are not known. */
	struct wt_dwarf_kept *kept;
	struct wt_dwarf_rules *rules; /* of call frame information; NULL if there are none */
};

/** Why a register or memory that is asked for has no value. */
static inline const char *wt_dwarf_not_there(const struct wt_dwarf_frame *frame)
{
	return frame->machine->not_there ? frame->machine->not_there : WT_DWARF_NOT_RECORDED;
}

/** Four bytes of a register as they are in this frame. Return: NULL, or why that is not known. */
const char *wt_dwarf_frame_register(const struct wt_dwarf_frame *frame, uint64_t number,
				    uint32_t lane, uint32_t *value_ret);

/** Memory: how many bytes are known from an address on. */
size_t wt_dwarf_frame_memory(const struct wt_dwarf_frame *frame, enum gfx_space space,
			     uint32_t lane, uint64_t address, void *data, size_t size);

#endif /* WT_REPLAYER_DWARF_FRAME_H */
