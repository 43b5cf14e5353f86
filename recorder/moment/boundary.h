/* SPDX-License-Identifier: MIT */
/* Finds where mapped memory ends before an address that faulted: for whoever asks how far past its end that is. */
#ifndef WT_RECORDER_MOMENT_BOUNDARY_H
#define WT_RECORDER_MOMENT_BOUNDARY_H

#include "recorder/moment/taking.h"

/**
 * Take the last page that is mapped between the kernel argument that points next below an address and that address, and the
 * page behind it, which is not. Nothing if no argument points below it to mapped memory, or after a few of these in one snapshot.
 *
 * @address: of an access that failed: its page is not mapped.
 */
struct wt_error *wt_take_boundary(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				  uint64_t address);

#endif /* WT_RECORDER_MOMENT_BOUNDARY_H */
