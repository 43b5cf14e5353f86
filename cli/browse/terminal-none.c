/* SPDX-License-Identifier: MIT */
/* In place of terminal.c where wavetape is built without ncurses. */
#include "cli/browse/terminal.h"

struct wt_error *wt_terminal_check(void)
{
	return wt_error_create(WT_ERROR_UNSUPPORTED, "cannot browse", NULL,
			       "this wavetape was built without ncurses");
}

struct wt_error *wt_terminal_open(void)
{
	return wt_terminal_check();
}

void wt_terminal_close(void)
{
}

int wt_terminal_run(struct wt_model *model)
{
	(void)model;
	return -1;
}

bool wt_terminal_is_interrupted(void)
{
	return false;
}
