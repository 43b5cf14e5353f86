/* SPDX-License-Identifier: MIT */
/* The bytes of code objects, read from what their URIs name. */
#ifndef WT_RECORDER_MOMENT_IMAGE_H
#define WT_RECORDER_MOMENT_IMAGE_H

#include "recorder/recording/recorder.h"

/**
 * The ELF file of a code object into a state, as an IMAGE item: taken over from @previous (which may be
 * NULL) if it is there, else loaded. What cannot be loaded gets an item with a status, and a notice.
 */
struct wt_error *wt_take_image(struct wt_recorder *recorder, struct wt_state *state,
			       const struct wt_state *previous, uint64_t process,
			       uint64_t code_object);

#endif /* WT_RECORDER_MOMENT_IMAGE_H */
