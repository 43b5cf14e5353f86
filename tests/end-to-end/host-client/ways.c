/* SPDX-License-Identifier: MIT */
/* Ways to go that are not from stop to stop. */
#include "client.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* At the pc of the first wave, as a debugger has to correct it. */
static uint64_t find_breakpoint(void)
{
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_global_address_t pc;
	amd_dbgapi_size_t adjustment;
	amd_dbgapi_wave_id_t *waves;
	size_t count;

	host_must("waves", amd_dbgapi_process_wave_list(target.process, &count, &waves, NULL));
	if (!count)
		host_die("no wave");
	host_must("pc",
		  amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc));
	host_must("architecture",
		  amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
					   sizeof(architecture), &architecture));
	host_must("adjustment",
		  amd_dbgapi_architecture_get_info(
			  architecture,
			  AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST,
			  sizeof(adjustment), &adjustment));
	free(waves);
	return pc - adjustment;
}

/* All waves that have stopped execute the instruction at an address. */
static void go_from(uint64_t address)
{
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_register_id_t pc;
	amd_dbgapi_wave_id_t *waves;
	size_t count;

	host_must("waves", amd_dbgapi_process_wave_list(target.process, &count, &waves, NULL));
	for (size_t i = 0; i < count; i++) {
		host_must("architecture",
			  amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						   sizeof(architecture), &architecture));
		host_must("pc", amd_dbgapi_architecture_get_info(
					architecture, AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER,
					sizeof(pc), &pc));
		host_must("write",
			  amd_dbgapi_write_register(waves[i], pc, 0, sizeof(address), &address));
	}
	free(waves);
	host_every_wave(false);
}

void host_go_back(const char *command)
{
	uint64_t address;

	host_run(1);
	address = find_breakpoint();
	for (uint64_t i = 0; i < sizeof(uint32_t); i++)
		host_poke(address + i, 0);
	if (system(command))
		host_die("this failed: %s", command);
	host_every_wave(false);
	host_run(1);
	host_every_wave(false);
}

void host_stop_again(void)
{
	host_run(1);
	go_from(find_breakpoint());
	printf("stopped %zu again\n", host_every_wave(true));
	host_drain(true);
	host_every_wave(false);
}

/* As a debugger inserts one while no wave is selected: into the program's memory. Then the instruction is there again. */
void host_break_at_entry(void)
{
	amd_dbgapi_global_address_t entry;
	amd_dbgapi_dispatch_id_t *dispatches;
	amd_dbgapi_architecture_id_t architecture;
	uint32_t instruction, *trap;
	size_t count;

	host_must("dispatches",
		  amd_dbgapi_process_dispatch_list(target.process, &count, &dispatches, NULL));
	if (!count)
		host_die("no dispatch");
	host_must("entry",
		  amd_dbgapi_dispatch_get_info(dispatches[0],
					       AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS,
					       sizeof(entry), &entry));
	host_must("architecture",
		  amd_dbgapi_dispatch_get_info(dispatches[0], AMD_DBGAPI_DISPATCH_INFO_ARCHITECTURE,
					       sizeof(architecture), &architecture));
	host_must("trap", amd_dbgapi_architecture_get_info(
				  architecture, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION,
				  sizeof(trap), &trap));
	free(dispatches);
	if (pread(target.memory, &instruction, sizeof(instruction), (off_t)entry) !=
		    sizeof(instruction) ||
	    pwrite(target.memory, trap, sizeof(*trap), (off_t)entry) != sizeof(*trap))
		host_die("the host has no kernel");
	free(trap);
	target.own_breakpoint = true;
	host_run(1);
	if (pwrite(target.memory, &instruction, sizeof(instruction), (off_t)entry) !=
	    sizeof(instruction))
		host_die("the instruction is lost");
	go_from(entry);
}

void host_go(char *const *commands)
{
	for (; *commands; commands++) {
		host_run(1);
		if (system(*commands))
			host_die("this failed: %s", *commands);
		host_every_wave(false);
	}
}

/* Print the waves, of which those that the client has had no event of run; how many do. */
static size_t list_waves(void)
{
	amd_dbgapi_wave_id_t *waves;
	amd_dbgapi_wave_state_t state;
	size_t count, running = 0;

	host_must("waves", amd_dbgapi_process_wave_list(target.process, &count, &waves, NULL));
	for (size_t i = 0; i < count; i++) {
		host_must("state", amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STATE,
							    sizeof(state), &state));
		running += state != AMD_DBGAPI_WAVE_STATE_STOP;
		if (state == AMD_DBGAPI_WAVE_STATE_STOP)
			host_look_at(waves[i]);
		else
			printf("wave %" PRIu64 ": new\n", waves[i].handle);
	}
	free(waves);
	return running;
}

/* Until it calls, as in some steps of its thread. No wave is to stop on the way. */
static void let_host_go(void)
{
	for (int i = 0; i < PATIENCE; i++) {
		bool did;

		host_must("progress", amd_dbgapi_process_set_progress(target.process,
								      AMD_DBGAPI_PROGRESS_NORMAL));
		poll(NULL, 0, 10);
		did = host_did_something();
		host_must("progress", amd_dbgapi_process_set_progress(
					      target.process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
		if (did)
			return;
		if (host_drain(false))
			host_die("a wave has stopped");
	}
	host_die("the host does not call");
}

/* With all waves held, as a debugger goes to another stop that has nothing to lose by it. */
void host_jump(char *const *commands)
{
	host_run(1);
	for (; *commands; commands++) {
		if (!strcmp(*commands, "-")) {
			let_host_go();
			continue;
		}
		if (!strcmp(*commands, "step")) {
			host_step();
			continue;
		}
		if (system(*commands))
			host_die("this failed: %s", *commands);
		if (list_waves() && !host_run(1))
			host_die("the host is gone");
	}
}
