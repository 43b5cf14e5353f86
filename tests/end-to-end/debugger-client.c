/* SPDX-License-Identifier: MIT */
/*
 * Looks like GDB to whoever looks into its program, and is linked with the library as one that knows GPUs. It prints what it
 * was given: options of the replaying library, then its arguments.
 */
#include <stdio.h>
#include <stdlib.h>

#include <amd-dbgapi/amd-dbgapi.h>

static const char text[] = "This GDB was configured as \"no GDB at all\".";

int main(int argc, char **argv)
{
	const char *options = getenv("WAVETAPE_REPLAY_OPTIONS");
	uint32_t major;

	amd_dbgapi_get_version(&major, NULL, NULL);
	printf("%s\n", options ? options : "no options");
	for (int i = 1; i < argc; i++)
		puts(argv[i]);
	/* The compiler is to keep it. */
	return getenv("DEBUGGER_CLIENT_TEXT") ? puts(text) : 0;
}
