/* SPDX-License-Identifier: MIT */
/* Facts that the database of terminals has of ours. ncurses defines names such as `columns` for this, so it has files of its own. */
#ifndef WT_CLI_BROWSE_TERMINAL_KIND_H
#define WT_CLI_BROWSE_TERMINAL_KIND_H

#include "base/error.h"

/** Is its kind known, and can it move its cursor? UNSUPPORTED if not. */
struct wt_error *wt_terminal_check_kind(void);

#endif /* WT_CLI_BROWSE_TERMINAL_KIND_H */
