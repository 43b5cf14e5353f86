/* SPDX-License-Identifier: MIT */
#include "cli/browse/terminal-kind.h"

#include <curses.h>
#include <stdlib.h>
#include <term.h>
#include <unistd.h>

struct wt_error *wt_terminal_check_kind(void)
{
	const char *kind = getenv("TERM");
	bool moves;
	int status;

	if (setupterm(NULL, STDOUT_FILENO, &status) != OK)
		return wt_error_create(WT_ERROR_UNSUPPORTED, "cannot browse", "TERM",
				       "%s is no kind of terminal that is known here",
				       kind && *kind ? kind : "(nothing)");
	moves = cursor_address != NULL;
	del_curterm(cur_term);
	return moves ? NULL
		     : wt_error_create(WT_ERROR_UNSUPPORTED, "cannot browse", "TERM",
				       "a terminal of kind %s cannot move its cursor", kind);
}
