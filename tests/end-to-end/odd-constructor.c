/* SPDX-License-Identifier: MIT */
/*
 * A library whose own code, which runs as it is loaded, does not come back to who loads it. WT_CONSTRUCTOR says how: hang, leave, forks;
 * WT_CONSTRUCTOR_OF in which program, by its name: in all, unless it is there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void wait_for_ever(void)
{
	for (;;)
		pause();
}

__attribute__((constructor)) static void begin(void)
{
	const char *how = getenv("WT_CONSTRUCTOR"), *of = getenv("WT_CONSTRUCTOR_OF");

	if (!how || (of && strcmp(of, program_invocation_short_name) != 0))
		return;
	if (!strcmp(how, "hang"))
		wait_for_ever();
	if (!strcmp(how, "leave"))
		_exit(5);
	/* A child that has all that is open, and outlives whoever has loaded it. */
	if (!strcmp(how, "forks") && !fork()) {
		sleep(120);
		_exit(0);
	}
}
