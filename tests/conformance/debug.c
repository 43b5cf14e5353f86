/* SPDX-License-Identifier: MIT */
/* Watchpoints and displaced stepping. */
#include <stdlib.h>

#include "suite.h"

#define NO_HANDLE UINT64_C(0x7fff1234567)
#define STOP_EVENT AMD_DBGAPI_EVENT_KIND_WAVE_STOP
#define REASON(name) AMD_DBGAPI_WAVE_STOP_REASON_##name
#define KIND(name) AMD_DBGAPI_WATCHPOINT_KIND_##name
#define WATCHPOINTS 4
#define STEP_LIMIT 200

static amd_dbgapi_status_t set_watchpoint(uint64_t process, uint64_t address, uint64_t size,
					  amd_dbgapi_watchpoint_kind_t kind, uint64_t *ret)
{
	amd_dbgapi_watchpoint_id_t id = {*ret};
	uint64_t covered[2];
	amd_dbgapi_status_t status = watch(process, address, size, kind, &id, covered);

	*ret = id.handle;
	return status;
}

static void remove_watchpoint(uint64_t process, uint64_t watchpoint)
{
	check_status("removing a watchpoint", unwatch(process, watchpoint), SUCCESS);
}

/* What is set covers what was asked for, and is a power of two at a multiple of it. */
static void check_cover(uint64_t process, uint64_t address, uint64_t size)
{
	amd_dbgapi_watchpoint_id_t watchpoint = {0};
	uint64_t covered[2] = {0}, first, bytes;

	if (!check_status(name_of("watching %#llx bytes at %#llx of a page",
				  (unsigned long long)size, (unsigned long long)address % 4096),
			  watch(process, address, size, KIND(ALL), &watchpoint, covered), SUCCESS))
		return;
	first = covered[0];
	bytes = covered[1];
	check("it covers them", first <= address && address + size <= first + bytes,
	      "%#llx bytes at %#llx", (unsigned long long)bytes, (unsigned long long)first);
	check("with a power of two at a multiple of it",
	      !(bytes & (bytes - 1)) && first % bytes == 0, "%#llx bytes at %#llx",
	      (unsigned long long)bytes, (unsigned long long)first);
	if (!lacks(WT_FUNCTION_WATCHPOINT_GET_INFO, "of this process"))
		check_number("of this process",
			     ask(WT_OBJECT_WATCHPOINT, watchpoint.handle,
				 AMD_DBGAPI_WATCHPOINT_INFO_PROCESS),
			     process);
	remove_watchpoint(process, watchpoint.handle);
}

static void check_watchpoint_errors(uint64_t process)
{
	uint64_t watchpoints[WATCHPOINTS + 1] = {0}, covered[2], id = 99, value;

	check_status("a watchpoint of no process, all else wrong too",
		     watch(NO_HANDLE, 0, 0, (amd_dbgapi_watchpoint_kind_t)99, NULL, covered),
		     ERROR(INVALID_PROCESS_ID));
	check_status("a watchpoint of no bytes", set_watchpoint(process, 64, 0, KIND(ALL), &id),
		     ERROR(INVALID_ARGUMENT));
	check_status("a watchpoint of a kind that is none",
		     set_watchpoint(process, 64, 4, (amd_dbgapi_watchpoint_kind_t)99, &id),
		     ERROR(INVALID_ARGUMENT));
	check_status("a watchpoint without an output",
		     watch(process, 64, 4, KIND(ALL), NULL, covered), ERROR(INVALID_ARGUMENT));
	check_number("errors leave the handle", id, 99);
	for (int i = 0; i < WATCHPOINTS; i++)
		set_watchpoint(process, 4096, 4, KIND(ALL), &watchpoints[i]);
	check_status("one watchpoint more than there are registers",
		     set_watchpoint(process, 4096, 4, KIND(ALL), &id),
		     ERROR(NO_WATCHPOINT_AVAILABLE));
	for (int i = 0; i < WATCHPOINTS; i++)
		remove_watchpoint(process, watchpoints[i]);
	check_status("removing one again", unwatch(process, watchpoints[0]),
		     ERROR(INVALID_WATCHPOINT_ID));
	if (lacks(WT_FUNCTION_WATCHPOINT_GET_INFO, "asking about it"))
		return;
	check_status("asking about it",
		     get_info(WT_OBJECT_WATCHPOINT, watchpoints[0], AMD_DBGAPI_WATCHPOINT_INFO_SIZE,
			      8, &value),
		     ERROR(INVALID_WATCHPOINT_ID));
}

/* The next stop must be by one watchpoint. */
static void check_triggered(uint64_t process, const char *what, uint64_t watchpoint)
{
	uint64_t wave = take(process, STOP_EVENT);
	amd_dbgapi_watchpoint_list_t list = {0};

	check_number(name_of("W6 %s stops a wave", what), stop_reason(wave), REASON(WATCHPOINT));
	check_status(name_of("W6 %s: the watchpoints", what),
		     get_info(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_WATCHPOINTS, sizeof(list),
			      &list),
		     SUCCESS);
	check(name_of("W6 %s: is it", what),
	      list.count == 1 && list.watchpoint_ids[0].handle == watchpoint, "%zu of them",
	      list.count);
	free(list.watchpoint_ids);
	wave_resume(wave, false);
}

/* The kernel's arguments are its buffers' addresses. */
static void read_buffers(uint64_t process, uint64_t address_ret[3])
{
	uint64_t dispatch = 0, arguments;
	amd_dbgapi_size_t size = 3 * sizeof(uint64_t);

	handles_of(WT_OBJECT_DISPATCH, process, &dispatch, 1);
	arguments = ask(WT_OBJECT_DISPATCH, dispatch,
			AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS);
	suite.api.read_memory((amd_dbgapi_process_id_t){process}, AMD_DBGAPI_WAVE_NONE,
			      AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, arguments,
			      &size, address_ret);
}

/* vecadd reads a and b and writes c: what stops is a matter of kind and place. */
static void check_kinds(void)
{
	uint64_t process = attach_ready("vecadd"), load = 0, store = 0, other = 0;
	uint64_t address[3] = {0};

	first_wave_stopped(process);
	read_buffers(process, address);
	set_watchpoint(process, address[0], 4, KIND(LOAD), &load);
	set_watchpoint(process, address[2] + 512, 4, KIND(STORE_AND_RMW), &store);
	set_watchpoint(process, address[0] + 1024, 4, KIND(STORE_AND_RMW), &other);
	set_watchpoint(process, address[2] + 1024, 4, KIND(RMW), &other);
	for (size_t i = 0; i < 16; i++) {
		uint64_t waves[16];
		size_t count = handles_of(WT_OBJECT_WAVE, process, waves, 16);

		if (i < count && i < 16)
			wave_resume(waves[i], false);
	}
	check_triggered(process, "a load", load);
	check_triggered(process, "a store", store);
	check("nothing else is watched", nothing_comes(process), "another stop comes");
	detach(process);
}

void section_watchpoints(void)
{
	uint64_t process, address[3] = {0};

	if (left_out("W6 watchpoints", "a trace does not replay them", 2))
		return;
	process = attach_ready("vecadd");
	check_number("there are four",
		     ask(WT_OBJECT_PROCESS, process, AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT),
		     WATCHPOINTS);
	check_number("which no other process shares",
		     ask(WT_OBJECT_PROCESS, process, AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_SHARE),
		     AMD_DBGAPI_WATCHPOINT_SHARE_KIND_UNSHARED);
	first_wave_stopped(process);
	read_buffers(process, address);
	check_watchpoint_errors(process);
	check_cover(process, address[2] + 4, 4);
	check_cover(process, address[2] + 60, 8);
	check_cover(process, address[2] + 126, 4);
	check_cover(process, address[2], 4096);
	detach(process);
	check_kinds();
}

static amd_dbgapi_status_t start(uint64_t wave, uint32_t saved, uint64_t *stepping)
{
	amd_dbgapi_displaced_stepping_id_t id = {*stepping};
	amd_dbgapi_status_t status =
		suite.api.displaced_stepping_start((amd_dbgapi_wave_id_t){wave}, &saved, &id);

	*stepping = id.handle;
	return status;
}

static amd_dbgapi_status_t complete(uint64_t wave, uint64_t stepping)
{
	return suite.api.displaced_stepping_complete(
		(amd_dbgapi_wave_id_t){wave}, (amd_dbgapi_displaced_stepping_id_t){stepping});
}

static void check_displaced_errors(uint64_t wave, uint32_t saved)
{
	amd_dbgapi_displaced_stepping_id_t id = {99};
	uint64_t stepping = 99;

	check_status(
		"displaced stepping looks at NULL before the wave",
		suite.api.displaced_stepping_start((amd_dbgapi_wave_id_t){NO_HANDLE}, NULL, &id),
		ERROR(INVALID_ARGUMENT));
	check_status("displaced stepping of no wave", start(NO_HANDLE, saved, &stepping),
		     ERROR(INVALID_WAVE_ID));
	check_status("displaced stepping of no instruction", start(wave, 0xbf9effff, &stepping),
		     ERROR(ILLEGAL_INSTRUCTION));
	check_number("errors leave the handle", stepping, 99);
	check_status("completing none", complete(wave, 99), ERROR(INVALID_DISPLACED_STEPPING_ID));
	check_status("asking about none",
		     get_info(WT_OBJECT_DISPLACED_STEPPING, 99,
			      AMD_DBGAPI_DISPLACED_STEPPING_INFO_PROCESS, 8, &stepping),
		     ERROR(INVALID_DISPLACED_STEPPING_ID));
}

static void check_active(uint64_t process, uint64_t wave, uint64_t stepping, uint32_t saved)
{
	uint64_t other = 0;

	check_number("its process",
		     ask(WT_OBJECT_DISPLACED_STEPPING, stepping,
			 AMD_DBGAPI_DISPLACED_STEPPING_INFO_PROCESS),
		     process);
	check_status("starting a second one", start(wave, saved, &other),
		     ERROR(DISPLACED_STEPPING_ACTIVE));
	check_status("resuming the wave normally", wave_resume(wave, false),
		     ERROR(RESUME_DISPLACED_STEPPING));
}

/* Over a breakpoint that stays: as if it were not there. */
static bool step_displaced(uint64_t process, uint64_t wave, uint32_t breakpoint)
{
	uint64_t pc = wave_pc(wave), stepping = 0;
	uint32_t saved = read_word(process, pc);
	bool good;

	write_word(process, pc, breakpoint);
	good = start(wave, saved, &stepping) == SUCCESS && step(process, wave) &&
	       stop_reason(wave) == REASON(SINGLE_STEP) && complete(wave, stepping) == SUCCESS;
	write_word(process, pc, saved);
	return good;
}

/* All instructions of a wave, one wave stepping plainly, its twin out of place: the same pcs. */
static void check_twins(uint64_t process, uint64_t plain, uint64_t displaced, uint32_t breakpoint)
{
	unsigned int steps = 0;
	bool same = true;

	while (same && steps < STEP_LIMIT && read_word(process, wave_pc(plain)) != 0xbf810000) {
		same = step_displaced(process, displaced, breakpoint) && step(process, plain) &&
		       wave_pc(plain) == wave_pc(displaced);
		steps++;
	}
	check("stepping out of place goes where stepping goes", same && steps > 4, "after %u steps",
	      steps);
}

void section_displaced(void)
{
	uint32_t breakpoint = 0xbf920001, saved;
	uint64_t process, wave, stepping = 0, waves[MAX_LISTED] = {0}, pc, other = 0;

	if (left_out("displaced stepping", "a trace does not replay it", 1))
		return;
	process = attach_ready("vecadd");
	wave = first_wave_stopped(process);
	handles_of(WT_OBJECT_WAVE, process, waves, MAX_LISTED);
	pc = wave_pc(wave);
	saved = read_word(process, pc);
	check_displaced_errors(wave, saved);
	write_word(process, pc, breakpoint);
	check_status("displaced stepping starts", start(wave, saved, &stepping), SUCCESS);
	check_active(process, wave, stepping, saved);
	check_status("another wave at the same place", start(waves[1], saved, &other), SUCCESS);
	check_number("shares it", other, stepping);
	check_status("the step", wave_resume(wave, true), SUCCESS);
	check_status("completing while the wave is not stopped", complete(wave, stepping),
		     ERROR(WAVE_NOT_STOPPED));
	check_number("the step is made", take(process, STOP_EVENT), wave);
	check_status("completing it", complete(wave, stepping), SUCCESS);
	check("the pc is behind the instruction",
	      wave_pc(wave) == pc + 4 || wave_pc(wave) == pc + 8, "%#llx",
	      (unsigned long long)wave_pc(wave));
	check_status("completing it again", complete(wave, stepping),
		     ERROR(INVALID_ARGUMENT_COMPATIBILITY));
	check_status("completing what was not stepped", complete(waves[1], stepping), SUCCESS);
	check_number("leaves the pc", wave_pc(waves[1]), pc);
	check_status("when the last wave has completed it is no handle", complete(wave, stepping),
		     ERROR(INVALID_DISPLACED_STEPPING_ID));
	write_word(process, pc, saved);
	check_twins(process, waves[1], waves[2], breakpoint);
	detach(process);
}
