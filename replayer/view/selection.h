/* SPDX-License-Identifier: MIT */
/* Which of a wave's registers a list names: "pc,s0-s15,vector". */
#ifndef WT_REPLAYER_VIEW_SELECTION_H
#define WT_REPLAYER_VIEW_SELECTION_H

#include "replayer/view/view.h"

/* Positions among a wave's registers, in the order in which they are shown. */
struct wt_selection {
	size_t *positions, count;
	bool *selected; /* by position: a register is shown once */
};

/**
 * Find the registers that lists name, in the order of the lists; those of one element in the library's order.
 *
 * @lists: as gfx/architecture/register-list.h reads them, and their form is right. With none, all registers are taken.
 * @where: the trace, for errors.
 * @selection_ret: for the caller to wt_selection_deinit().
 *
 * Errors: NOT_FOUND if the wave has no recorded registers, or none that an element names.
 */
struct wt_error *wt_selection_make(struct wt_view *view, uint64_t wave, const char *const *lists,
				   size_t list_count, const char *where,
				   struct wt_selection *selection_ret);
void wt_selection_deinit(struct wt_selection *selection);

#endif /* WT_REPLAYER_VIEW_SELECTION_H */
