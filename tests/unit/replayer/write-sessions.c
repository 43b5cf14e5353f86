/* SPDX-License-Identifier: MIT */
/*
 * Writes sessions made by hand (session.h), for scripts that replay them.
 *
 * Usage: write-sessions FOLDER: good.wtape, one whose agent is unable, one without a status register, and one of a newer
 * library.
 */
#include "session.h"

#include <stdio.h>

static void write_session(const char *folder, const char *name,
			  const struct session_options *options)
{
	const char *from = session_write(options);
	char to[4096];

	snprintf(to, sizeof(to), "%s/%s.wtape", folder, name);
	if (rename(from, to))
		fail_msg("cannot move %s to %s", from, to);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	write_session(argv[1], "good", &(struct session_options){.journal = false});
	write_session(argv[1], "unable", &(struct session_options){.unable = true});
	write_session(argv[1], "no-status", &(struct session_options){.no_status = true});
	write_session(argv[1], "newer", &(struct session_options){.library_version = "0.80.0"});
	return 0;
}
