/* SPDX-License-Identifier: MIT */
/*
 * Usage: host-client HOST IMAGE [once|twice|again|attach|detach|older|break|deliver|over N|inline N|told N|back COMMAND|go COMMAND...|jump COMMAND...]
 *
 * again: at a breakpoint it moves the waves back, lets them go, and stops them before the program may run.
 * break: at the entry of the first kernel.
 * deliver: a fault goes to the program while the wave with it stands at a breakpoint.
 * over: at the first N stops waves go over a breakpoint where they stand, by displaced stepping; inline: with it out; told: likewise, and faults go to the program.
 * go: at the first stop, and at each that follows, a COMMAND sends the replay somewhere.
 * back: at the first stop it clears the instruction under the first wave's breakpoint, and has COMMAND send the replay somewhere.
 * jump: with all waves held a COMMAND sends the replay somewhere; `-' lets the host go until it calls, `step' the waves step.
 * older: as a debugger that knows two GPUs only, and has asked for both at its start.
 */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is(const char *how, const char *word)
{
	return strcmp(how, word) == 0;
}

/* Up to the end of the host, by a way of its own before that. */
static void go_to_the_end(const char *how, char *const *commands)
{
	if (is(how, "attach")) {
		/* Leave at the first stop and come back: the host is ready this time. */
		host_run(1);
		host_detach();
		host_attach();
	} else if (is(how, "back") && commands[0]) {
		host_go_back(commands[0]);
	} else if (is(how, "again")) {
		host_stop_again();
	} else if (is(how, "break")) {
		host_break_at_entry();
	} else if ((is(how, "over") || is(how, "inline") || is(how, "told")) && commands[0]) {
		host_over(is(how, "over"), is(how, "told"), atoi(commands[0]));
	} else if (is(how, "deliver")) {
		host_deliver_at_breakpoint();
	} else if (is(how, "go")) {
		host_go(commands);
	}
	if (host_run(1000))
		host_die("there is no end");
}

static void debug(char **arguments, const char *how, char *const *commands)
{
	if (is(how, "older"))
		host_ask_for_gpus();
	host_start(arguments);
	host_attach();
	if (is(how, "older"))
		host_ask_for_gpus();
	if (!is(how, "detach"))
		host_be_ready();
	if (is(how, "jump"))
		host_jump(commands);
	else if (!is(how, "detach"))
		go_to_the_end(how, commands);
	host_detach();
	host_end();
}

int main(int argc, char **argv)
{
	const char *how = argc > 3 ? argv[3] : "once";

	if (argc < 3)
		host_die(
			"usage: host-client HOST IMAGE [once|twice|again|attach|detach|older|break|"
			"deliver|over N|inline N|told N|back COMMAND|go COMMAND...|jump "
			"COMMAND...]");
	argv[3] = NULL;
	setvbuf(stdout, NULL, _IOLBF, 0);
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	for (int i = 0; i < (is(how, "twice") ? 2 : 1); i++) {
		host_must("initialize", amd_dbgapi_initialize(&host_callbacks));
		debug(argv + 1, how, argc > 4 ? argv + 4 : argv + 3);
		host_must("finalize", amd_dbgapi_finalize());
		close(target.memory);
	}
	printf("fine\n");
	return 0;
}
