/* SPDX-License-Identifier: MIT */
/* Waves: looking at them, and letting them go from stop to stop. */
#include "client.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One image behind both ways, for reading and for writing. */
static void compare_memory(amd_dbgapi_wave_id_t wave, uint64_t address)
{
	uint8_t ours[64], theirs[64], other, back;
	amd_dbgapi_size_t size = sizeof(ours), one = 1;
	amd_dbgapi_status_t status = amd_dbgapi_read_memory(
		target.process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &one, ours);

	/* A wave may be where nothing is, or nothing was recorded. */
	if (status == AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS ||
	    status == AMD_DBGAPI_STATUS_ERROR_MEMORY_UNAVAILABLE) {
		printf("  no memory at 0x%" PRIx64 "\n", address);
		return;
	}
	one = 1;
	host_must("read",
		  amd_dbgapi_read_memory(target.process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					 address, &size, ours));
	if (pread(target.memory, theirs, size, (off_t)address) != (ssize_t)size ||
	    memcmp(ours, theirs, size) != 0)
		host_die("the host has other bytes at 0x%" PRIx64, address);
	other = (uint8_t)~ours[0];
	host_poke(address, other);
	host_must("read",
		  amd_dbgapi_read_memory(target.process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					 address, &one, &back));
	if (back != other)
		host_die("what the client wrote into the host is not seen");
	host_must("write",
		  amd_dbgapi_write_memory(target.process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					  address, &one, ours));
	if (pread(target.memory, &back, 1, (off_t)address) != 1 || back != ours[0])
		host_die("what was written through the wave is not in the host");
	printf("  memory at 0x%" PRIx64 " is one\n", address);
}

static uint32_t read_word(amd_dbgapi_wave_id_t wave, uint64_t address, amd_dbgapi_size_t size)
{
	uint32_t words[16];

	host_must("read",
		  amd_dbgapi_read_memory(target.process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					 address, &size, words));
	return words[0];
}

/* GDB ignores a wave's stop at a breakpoint if it does not find it. Disassembling it reads more than that. */
static void look_for_breakpoint(amd_dbgapi_wave_id_t wave, uint64_t address)
{
	uint32_t program = read_word(wave, address, 64), there;

	printf("  breakpoint at 0x%" PRIx64 ": %08" PRIx32 " over %08" PRIx32 "\n", address,
	       read_word(wave, address, sizeof(there)), program);
	if (read_word(wave, address, sizeof(there)) != program ||
	    pread(target.memory, &there, sizeof(there), (off_t)address) != sizeof(there) ||
	    there != program)
		host_die("the breakpoint is still there");
}

void host_look_at(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_wave_stop_reasons_t reason;
	amd_dbgapi_global_address_t pc;
	amd_dbgapi_status_t status;
	uint8_t byte;
	amd_dbgapi_size_t one = 1;

	host_must("reason", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
						     sizeof(reason), &reason));
	host_must("pc", amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(pc), &pc));
	printf("wave %" PRIu64 ": reason 0x%x pc 0x%" PRIx64 "\n", wave.handle,
	       (unsigned int)reason, pc);
	if (reason & AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT && !target.own_breakpoint)
		look_for_breakpoint(wave, pc);
	compare_memory(wave, pc);
	/* A debugger reaches its own breakpoints through a wave, too; not what nobody has. */
	host_must("host memory",
		  amd_dbgapi_read_memory(target.process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					 0x180000, &one, &byte));
	one = 1;
	status = amd_dbgapi_read_memory(target.process, wave, 0, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
					0x300000, &one, &byte);
	/* The live library knows that nothing is there, a recording that it has nothing of it. */
	if (status != AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS &&
	    status != AMD_DBGAPI_STATUS_ERROR_MEMORY_UNAVAILABLE)
		host_die("memory is read that was not recorded");
}

/* Get all events there are; how many waves stopped. */
size_t host_drain(bool look)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;
	amd_dbgapi_wave_id_t wave;
	size_t stops = 0;

	while ((kind = host_next_event(&event)) != AMD_DBGAPI_EVENT_KIND_NONE) {
		if (kind != AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
			host_die("an event of kind %d", (int)kind);
		host_must("wave", amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE,
							    sizeof(wave), &wave));
		if (look)
			host_look_at(wave);
		host_must("processed", amd_dbgapi_event_processed(event));
		stops++;
	}
	return stops;
}

/* All waves that run are stopped, or all that are stopped run. Return: how many. */
size_t host_every_wave(bool stop)
{
	amd_dbgapi_wave_id_t *waves;
	amd_dbgapi_wave_state_t state;
	size_t count, changed = 0;

	host_must("waves", amd_dbgapi_process_wave_list(target.process, &count, &waves, NULL));
	for (size_t i = 0; i < count; i++) {
		host_must("state", amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STATE,
							    sizeof(state), &state));
		if (stop == (state == AMD_DBGAPI_WAVE_STATE_STOP))
			continue;
		host_must("stop or resume",
			  stop ? amd_dbgapi_wave_stop(waves[i])
			       : amd_dbgapi_wave_resume(waves[i], AMD_DBGAPI_RESUME_MODE_NORMAL,
							AMD_DBGAPI_EXCEPTION_NONE));
		changed++;
	}
	free(waves);
	return changed;
}

/* Wait for something to get; false if the host exits first. */
bool host_wait_for_event(void)
{
	struct pollfd readable = {.fd = target.notifier, .events = POLLIN};
	char mark;

	for (int i = 0; i < PATIENCE; i++) {
		if (host_did_something())
			return target.pid;
		if (poll(&readable, 1, 10) > 0) {
			while (read(target.notifier, &mark, 1) > 0)
				;
			return true;
		}
	}
	host_die("nothing happens");
}

static void step_all(void)
{
	amd_dbgapi_wave_id_t *waves;
	amd_dbgapi_wave_state_t state;
	size_t count;

	host_must("waves", amd_dbgapi_process_wave_list(target.process, &count, &waves, NULL));
	for (size_t i = 0; i < count; i++) {
		host_must("state", amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_STATE,
							    sizeof(state), &state));
		if (state == AMD_DBGAPI_WAVE_STATE_STOP)
			host_must("step", amd_dbgapi_wave_resume(waves[i],
								 AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
								 AMD_DBGAPI_EXCEPTION_NONE));
	}
	free(waves);
}

/* What came of a step: a stop, with its reason, or the end of the command. */
static void print_step(amd_dbgapi_event_id_t event, amd_dbgapi_event_kind_t kind)
{
	amd_dbgapi_wave_stop_reasons_t reason;
	amd_dbgapi_wave_id_t wave;

	if (kind != AMD_DBGAPI_EVENT_KIND_WAVE_STOP &&
	    kind != AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED)
		host_die("an event of kind %d", (int)kind);
	host_must("wave", amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(wave),
						    &wave));
	printf("step: wave %" PRIu64 " ", wave.handle);
	if (amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reason),
				     &reason) != AMD_DBGAPI_STATUS_SUCCESS)
		printf("ended\n");
	else
		printf("%s, reason 0x%x\n",
		       kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP ? "stopped" : "stays",
		       (unsigned int)reason);
}

void host_step(void)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;

	step_all();
	host_must("progress",
		  amd_dbgapi_process_set_progress(target.process, AMD_DBGAPI_PROGRESS_NORMAL));
	if (!host_wait_for_event())
		host_die("the host is gone");
	host_must("progress",
		  amd_dbgapi_process_set_progress(target.process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
	while ((kind = host_next_event(&event)) != AMD_DBGAPI_EVENT_KIND_NONE) {
		print_step(event, kind);
		host_must("processed", amd_dbgapi_event_processed(event));
	}
}

/* From stop to stop, @limit times; false if the host is gone. */
bool host_run(int limit)
{
	size_t asked, stops;

	while (limit) {
		host_must("progress", amd_dbgapi_process_set_progress(target.process,
								      AMD_DBGAPI_PROGRESS_NORMAL));
		if (!host_wait_for_event())
			return false;
		host_must("progress", amd_dbgapi_process_set_progress(
					      target.process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
		if (!host_drain(true))
			continue;
		asked = host_every_wave(true);
		for (stops = 0; stops < asked;) {
			size_t more = host_drain(false);

			/* GDB does not come back for more. */
			if (!more)
				host_die("%zu of %zu waves do not stop", asked - stops, asked);
			stops += more;
		}
		printf("all stopped\n");
		limit--;
		if (limit)
			host_every_wave(false);
	}
	return true;
}
