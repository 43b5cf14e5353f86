/* SPDX-License-Identifier: MIT */
/*
 * Usage: gdb-client --script COMMAND[:ARGUMENT][*TIMES],...
 *
 * Makes the calls that GDB makes for its commands, in GDB's order, asserts what GDB asserts, and prints what
 * came back. The program that is debugged is whatever the library offers, so there is no thread of the
 * host: `run` attaches and goes on, `attach` stops what is there.
 *
 * Commands after the program's end are skipped, except `run` and `attach`, which start again in a library that
 * was initialized anew. A session that hangs is ended by SIGALRM.
 */
#include "gdb.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HANG_SECONDS 40

static void run(const char *argument)
{
	(void)argument;
	if (!gdb_attach())
		return;
	gdb_breakpoints_insert(true);
	if (gdb_wait_and_report())
		return;
	printf("the program is at its end\n");
	gdb_breakpoints_insert(false);
	gdb_detach();
}

static void attach(const char *argument)
{
	(void)argument;
	if (gdb_attach())
		gdb_interrupt();
}

static void go_on(const char *argument)
{
	/* `continue:quiet` as after `handle SIGSEGV nopass`. */
	gdb_proceed(false, !argument);
}

static void stepi(const char *argument)
{
	gdb_proceed(true, !argument);
}

/* Ctrl-C while everything runs. */
static void interrupt(const char *argument)
{
	struct gdb_wave *wave;

	(void)argument;
	gdb_require_progress(false);
	for (size_t i = 0; i < gdb.wave_count; i++) {
		wave = &gdb.waves[i];
		if (wave->executing || wave->pending)
			continue;
		gdb_check("wave_resume",
			  amd_dbgapi_wave_resume(wave->id, AMD_DBGAPI_RESUME_MODE_NORMAL,
						 AMD_DBGAPI_EXCEPTION_NONE));
		wave->executing = true;
		wave->signal = SIGNAL_0;
	}
	gdb_require_progress(true);
	gdb_interrupt();
}

static void thread_command(const char *argument)
{
	size_t index = argument ? (size_t)atol(argument) : 0;

	if (index >= gdb.wave_count) {
		printf("no wave number %zu\n", index);
		return;
	}
	gdb.current = gdb.waves[index].id.handle;
	printf("selected %s, pc 0x%" PRIx64 "\n", gdb.waves[index].label, gdb_read_pc(gdb.current));
}

static void detach(const char *argument)
{
	(void)argument;
	gdb_breakpoints_insert(false);
	gdb_detach();
}

static void delete_command(const char *argument)
{
	(void)argument;
	gdb_delete_breakpoints();
}

/* `set amdgpu precise-memory on`: asked for where the program is attached to. */
static void precise(const char *argument)
{
	(void)argument;
	gdb.precise = true;
}

static const struct command {
	const char *name;
	void (*perform)(const char *argument);
	bool without_process; /* may be given when there is none */
} commands[] = {
	{"run", run, true},
	{"attach", attach, true},
	{"break", gdb_break, true},
	{"precise", precise, true},
	{"delete", delete_command, true},
	{"debug-agent", gdb_debug_agent, true},
	{"continue", go_on, false},
	{"stepi", stepi, false},
	{"interrupt", interrupt, false},
	{"thread", thread_command, false},
	{"detach", detach, false},
	{"kill", detach, false},
	{"info-threads", gdb_info_threads, false},
	{"info-registers", gdb_info_registers, false},
	{"info-sharedlibrary", gdb_info_sharedlibrary, false},
	{"disassemble", gdb_disassemble, false},
	{"x", gdb_examine, false},
	{"set-register", gdb_set_register, false},
	{"info-agents", gdb_info_agents, false},
	{"info-queues", gdb_info_queues, false},
	{"info-dispatches", gdb_info_dispatches, false},
	{"info-lanes", gdb_info_lanes, false},
	{"fetch-all", gdb_fetch_all, false},
	{"address-spaces", gdb_address_spaces, false},
	{"displaced-step", gdb_displaced_step, false},
	{"watch", gdb_watch, false},
	{"freeze", gdb_freeze, false},
};

static void perform(const char *name, const char *argument)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(commands[i].name, name))
			continue;
		printf("(gdb) %s%s%s\n", name, argument ? " " : "", argument ? argument : "");
		if ((gdb.id.handle == 0) != commands[i].without_process && strcmp(name, "break") &&
		    strcmp(name, "delete"))
			printf("The program is %sbeing run.\n", gdb.id.handle ? "" : "not ");
		else
			commands[i].perform(argument);
		return;
	}
	printf("no such command: %s\n", name);
	exit(2);
}

/* NAME[:ARGUMENT][*TIMES] */
static void perform_word(char *word)
{
	char *times = strrchr(word, '*'), *argument;
	long count = times ? atol(times + 1) : 1;

	if (times)
		*times = 0;
	argument = strchr(word, ':');
	if (argument)
		*argument++ = 0;
	for (long i = 0; i < count; i++)
		perform(word, argument);
}

int main(int argc, char **argv)
{
	char *rest = NULL;

	if (argc != 3 || strcmp(argv[1], "--script")) {
		printf("usage: gdb-client --script COMMAND[:ARGUMENT][*TIMES],...\n");
		return 2;
	}
	alarm(HANG_SECONDS);
	setvbuf(stdout, NULL, _IOLBF, 0);
	gdb_library_start();
	for (char *word = strtok_r(argv[2], ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		perform_word(word);
	if (gdb.id.handle) {
		printf("(gdb) quit\n");
		detach(NULL);
	}
	gdb_check("finalize", amd_dbgapi_finalize());
	gdb_arch_forget_all();
	free(gdb.met);
	return 0;
}
