/* SPDX-License-Identifier: MIT */
/* Takes the bytes of code objects, from the file or memory that their URIs name. */
#ifndef WT_RECORDER_MOMENT_CODE_BYTES_H
#define WT_RECORDER_MOMENT_CODE_BYTES_H

#include "recorder/recording/recorder.h"

/**
 * Put the ELF file of a code object into a state, as an IMAGE item: copied from the state @previous (may be NULL) if it is
 * there, else loaded. If it cannot be loaded, the item has a status, and the trace gets a notice.
 */
struct wt_error *wt_take_image(struct wt_recorder *recorder, struct wt_state *state,
			       const struct wt_state *previous, uint64_t process,
			       uint64_t code_object);

#endif /* WT_RECORDER_MOMENT_CODE_BYTES_H */
