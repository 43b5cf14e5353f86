/* SPDX-License-Identifier: MIT */
/* Over a breakpoint of the client's own, as a debugger lets waves go that stand at one. */
#include "client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_OVER 64

/* A wave on its way over the client's breakpoint. */
struct over {
	amd_dbgapi_wave_id_t wave;
	amd_dbgapi_displaced_stepping_id_t stepping; /* 0: with the breakpoint out */
	amd_dbgapi_exceptions_t told;		     /* what the program hears of with it */
	bool stopped;
};

static uint64_t pc_of(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_global_address_t pc;

	host_must("pc", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc));
	return pc;
}

/* Four bytes of the program's memory. */
static void write_word(amd_dbgapi_wave_id_t wave, uint64_t address, uint32_t word)
{
	amd_dbgapi_size_t size = sizeof(word);

	host_must("write",
		  amd_dbgapi_write_memory(target.process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					  address, &size, &word));
}

/* Put a breakpoint where a wave stands. */
static uint32_t insert(amd_dbgapi_wave_id_t wave, uint64_t pc)
{
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_size_t size = sizeof(uint32_t);
	uint32_t instruction, *trap;

	host_must("architecture", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
							   sizeof(architecture), &architecture));
	host_must("trap", amd_dbgapi_architecture_get_info(
				  architecture, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION,
				  sizeof(trap), &trap));
	host_must("read",
		  amd_dbgapi_read_memory(target.process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					 pc, &size, &instruction));
	write_word(wave, pc, *trap);
	free(trap);
	return instruction;
}

static void let_over(struct over *over, const uint32_t *instruction)
{
	if (instruction) {
		host_must("start", amd_dbgapi_displaced_stepping_start(over->wave, instruction,
								       &over->stepping));
		pc_of(over->wave);
	}
	host_must("step", amd_dbgapi_wave_resume(over->wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
						 over->told));
}

static struct over *find_over(struct over *all, size_t count, uint64_t wave)
{
	for (size_t i = 0; i < count; i++)
		if (all[i].wave.handle == wave)
			return &all[i];
	return NULL;
}

/* As a debugger does: it takes all events that there are before it looks at the first. */
static void take_events(struct over *all, size_t count)
{
	amd_dbgapi_wave_stop_reasons_t reason;
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;
	amd_dbgapi_wave_id_t wave;
	struct over *over;

	while ((kind = host_next_event(&event)) != AMD_DBGAPI_EVENT_KIND_NONE) {
		host_must("wave", amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE,
							    sizeof(wave), &wave));
		over = find_over(all, count, wave.handle);
		if (!over)
			host_die("wave %" PRIu64 " stopped meanwhile", wave.handle);
		host_must("reason", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
							     sizeof(reason), &reason));
		printf("over: wave %" PRIu64 " event %d reason 0x%x\n", wave.handle, (int)kind,
		       (unsigned int)reason);
		over->stopped = true;
		host_must("processed", amd_dbgapi_event_processed(event));
	}
}

/* Which registers of a wave the client is not told of behind its step. */
static void print_hidden(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_register_id_t *registers;
	uint8_t value[256];
	size_t count;

	host_must("registers", amd_dbgapi_wave_register_list(wave, &count, &registers));
	printf("  not known:");
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_size_t size;
		char *name;

		host_must("size",
			  amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_SIZE,
						       sizeof(size), &size));
		host_must("name",
			  amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_NAME,
						       sizeof(name), &name));
		if (size > sizeof(value) ||
		    amd_dbgapi_read_register(wave, registers[i], 0, size, value) ==
			    AMD_DBGAPI_STATUS_ERROR_REGISTER_NOT_AVAILABLE)
			printf(" %s", name);
		free(name);
	}
	putchar('\n');
	free(registers);
}

static void be_over(struct over *over)
{
	if (!over->stopped)
		host_die("wave %" PRIu64 " is still on its way", over->wave.handle);
	if (over->stepping.handle)
		host_must("complete",
			  amd_dbgapi_displaced_stepping_complete(over->wave, over->stepping));
	printf("over: wave %" PRIu64 " is at 0x%" PRIx64 "\n", over->wave.handle,
	       pc_of(over->wave));
	print_hidden(over->wave);
	host_must("resume", amd_dbgapi_wave_resume(over->wave, AMD_DBGAPI_RESUME_MODE_NORMAL,
						   AMD_DBGAPI_EXCEPTION_NONE));
}

/* The exception of a fault. */
static amd_dbgapi_exceptions_t exception_of(amd_dbgapi_wave_stop_reasons_t reason)
{
	switch (reason) {
	case AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION:
		return AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION;
	case AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP:
		return AMD_DBGAPI_EXCEPTION_WAVE_ABORT;
	case AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION:
		return AMD_DBGAPI_EXCEPTION_WAVE_ILLEGAL_INSTRUCTION;
	default:
		host_die("there is no fault: reason 0x%x", (unsigned int)reason);
	}
}

/* Waves that stand at the breakpoint, where one that stopped by itself does. */
static size_t find_waves(struct over all[MAX_OVER], bool told, uint64_t *pc_ret)
{
	amd_dbgapi_wave_stop_reasons_t reason;
	amd_dbgapi_wave_id_t *waves;
	size_t count, found = 0;

	host_must("waves", amd_dbgapi_process_wave_list(target.process, &count, &waves, NULL));
	for (size_t i = 0; i < count && found < MAX_OVER; i++) {
		host_must("reason",
			  amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STOP_REASON,
						   sizeof(reason), &reason));
		if (!reason || (found && pc_of(waves[i]) != *pc_ret))
			continue;
		*pc_ret = pc_of(waves[i]);
		all[found++] = (struct over){.wave = waves[i],
					     .told = told ? exception_of(reason)
							  : AMD_DBGAPI_EXCEPTION_NONE};
	}
	free(waves);
	if (!found)
		host_die("no wave has stopped");
	return found;
}

/* The waves go over it together, and the others run; or one by one, while all others stand. */
static void go_over(struct over *all, size_t count, const uint32_t *instruction)
{
	for (size_t i = 0; i < count; i++)
		let_over(&all[i], instruction);
	if (instruction && count > 1)
		host_every_wave(false);
	host_must("progress",
		  amd_dbgapi_process_set_progress(target.process, AMD_DBGAPI_PROGRESS_NORMAL));
	if (!host_wait_for_event())
		host_die("the host is gone");
	host_must("progress",
		  amd_dbgapi_process_set_progress(target.process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
	take_events(all, count);
}

void host_over(bool displaced, bool told, int stops)
{
	for (; stops; stops--) {
		struct over all[MAX_OVER];
		uint32_t instruction;
		uint64_t pc = 0;
		size_t count;

		if (!host_run(1))
			host_die("the host is gone");
		count = find_waves(all, told, &pc);
		instruction = insert(all[0].wave, pc);
		if (displaced) {
			go_over(all, count, &instruction);
		} else {
			write_word(all[0].wave, pc, instruction);
			for (size_t i = 0; i < count; i++)
				go_over(&all[i], 1, NULL);
		}
		/* Through the wave, which has to stand. */
		if (displaced)
			write_word(all[0].wave, pc, instruction);
		for (size_t i = 0; i < count; i++)
			be_over(&all[i]);
		host_every_wave(false);
	}
}

void host_deliver_at_breakpoint(void)
{
	struct over all[MAX_OVER];
	uint64_t pc = 0;

	if (!host_run(1))
		host_die("the host is gone");
	find_waves(all, false, &pc);
	insert(all[0].wave, pc);
	host_must("step", amd_dbgapi_wave_resume(all[0].wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
						 AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION));
	host_every_wave(false);
}
