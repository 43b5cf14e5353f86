/* SPDX-License-Identifier: MIT */
/* A value of a variable as text: {x = 1, name = "abc", next = 0x2000}. */
#ifndef WT_REPLAYER_VIEW_VALUE_TEXT_H
#define WT_REPLAYER_VIEW_VALUE_TEXT_H

#include <stdbool.h>

#include "base/buffer.h"
#include "replayer/dwarf/variable.h"

#define WT_VALUE_TEXT_DEPTH 64

/* Zeros at first. The buffer has the text, without a NUL; it is the caller's. */
struct wt_value_text {
	struct wt_buffer buffer;
	bool begun; /* something stands in the structure or array that is open */
	bool named; /* a member's name was just written */
	size_t depth;
	char closes[WT_VALUE_TEXT_DEPTH]; /* what stands at the end of what is open; NUL: nothing */
};

/** A sink that writes there. Names and texts of the trace are made visible: see base/visible.h. */
struct wt_dwarf_sink wt_value_text_sink(struct wt_value_text *text);

#endif /* WT_REPLAYER_VIEW_VALUE_TEXT_H */
