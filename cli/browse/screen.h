/* SPDX-License-Identifier: MIT */
/* Rows of the screen: bars, tabs, and the windows on pages. */
#ifndef WT_CLI_BROWSE_SCREEN_H
#define WT_CLI_BROWSE_SCREEN_H

#include "cli/browse/model.h"

/** Make a row of the screen, model->columns wide. */
void wt_screen_row(struct wt_model *model, size_t row, struct wt_line *line);

/**
 * Find the place of the terminal's own cursor: behind the text that is typed.
 *
 * Return: false if nothing is typed.
 */
bool wt_screen_cursor(const struct wt_model *model, size_t *row_ret, size_t *column_ret);

#endif /* WT_CLI_BROWSE_SCREEN_H */
