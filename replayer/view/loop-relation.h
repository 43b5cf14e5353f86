/* SPDX-License-Identifier: MIT */
/* The relation that a comparison instruction tells, by its name. */
#ifndef WT_REPLAYER_VIEW_LOOP_RELATION_H
#define WT_REPLAYER_VIEW_LOOP_RELATION_H

#include <stdbool.h>
#include <stdint.h>

#include "gfx/isa/decode.h"

struct wt_loop_relation {
	/* "==", "!=", "<", "<=", ">" or ">=": of the left operand to the right one, and of the right one to the left. */
	const char *relation[2];
	const char *contrary[2]; /* of each: what holds if the result is false */
	uint32_t width;		 /* bits that are compared */
	bool is_signed, is_float;
};

/** Find it; false if an instruction compares no numbers, or changes them before. Of floats: finite ones of 32 bits. */
bool wt_loop_find_relation(const struct gfx_instruction *instruction,
			   struct wt_loop_relation *relation_ret);

#endif /* WT_REPLAYER_VIEW_LOOP_RELATION_H */
