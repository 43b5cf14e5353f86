/* SPDX-License-Identifier: MIT */
/* The terminal, by ncurses: drawing the screen, reading keys, and leaving the terminal as it was, whatever ends us. */
#ifndef WT_CLI_BROWSE_TERMINAL_H
#define WT_CLI_BROWSE_TERMINAL_H

#include "base/error.h"
#include "cli/browse/model.h"

/** Are stdin and stdout a terminal? USAGE if not. */
struct wt_error *wt_terminal_check(void);

/**
 * Take the terminal over.
 *
 * Errors: UNSUPPORTED if its kind is not known, or it cannot move its cursor.
 */
struct wt_error *wt_terminal_open(void);

/** Give it back. */
void wt_terminal_close(void);

/**
 * Show the model and let it have the keys, until the user quits or a signal ends us.
 *
 * Return: the signal; 0 if the user quit; -1 if the terminal is gone.
 */
int wt_terminal_run(struct wt_model *model);

/** Has the user pressed Ctrl-C, or has a signal come, since a key was last waited for? */
bool wt_terminal_is_interrupted(void);

#endif /* WT_CLI_BROWSE_TERMINAL_H */
