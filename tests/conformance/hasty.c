/* SPDX-License-Identifier: MIT */
/* Between the event of one wave and that of another which has stopped, too, with normal progress. */
#include "tests/conformance/suite.h"

#define DEBUG_TRAP_EXCEPTION AMD_DBGAPI_EXCEPTION_WAVE_TRAP
#define EVENTS 64

static amd_dbgapi_status_t read_pc(uint64_t wave)
{
	uint64_t pc;

	return suite.api.read_register((amd_dbgapi_wave_id_t){wave}, find_register(wave, "pc"), 0,
				       sizeof(pc), &pc);
}

/* A wave that has stopped, and whose event was not returned; 0 if there is none. */
static uint64_t find_unreported(uint64_t process)
{
	uint64_t waves[MAX_LISTED] = {0};
	size_t count = handles_of(WT_OBJECT_WAVE, process, waves, MAX_LISTED);

	for (size_t i = 0; i < count; i++)
		if (wave_state(waves[i]) == AMD_DBGAPI_WAVE_STATE_RUN &&
		    read_pc(waves[i]) == SUCCESS)
			return waves[i];
	return 0;
}

static uint64_t begin(uint64_t *first_ret, uint64_t *unreported_ret)
{
	uint64_t waves[MAX_LISTED] = {0}, process = attach_ready("debug-trap");

	check("W43 waves are there before an event is asked for",
	      handles_of(WT_OBJECT_WAVE, process, waves, MAX_LISTED), "none is");
	check_number("W43 and run", wave_state(waves[0]), AMD_DBGAPI_WAVE_STATE_RUN);
	*first_ret = take(process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	*unreported_ret = find_unreported(process);
	check("W44 registers of a wave that has stopped can be read before its event came",
	      *unreported_ret, "no wave's");
	return process;
}

/* Events up to the one of a wave: its stop reason then. */
static uint32_t reason_told(uint64_t process, uint64_t wave, bool *strange_ret)
{
	*strange_ret = false;
	for (int i = 0; i < EVENTS; i++) {
		uint64_t told = take(process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);

		if (told == wave || !told)
			return told ? stop_reason(wave) : 0;
		*strange_ret =
			*strange_ret || stop_reason(told) != AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP;
	}
	return 0;
}

static void check_stop_and_resume(void)
{
	uint64_t first, wave, process = begin(&first, &wave);
	bool strange;

	check_status("W45 stopping a wave whose event is on its way", wave_stop(wave), SUCCESS);
	check_status("W45 resuming another one", wave_resume(first, false), SUCCESS);
	check_number("W45 its own event comes, with its own reason",
		     reason_told(process, wave, &strange), AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP);
	check("W45 and none was made for the request", !strange, "one was");
	detach(process);
}

static void check_exception(void)
{
	uint64_t first, wave, process = begin(&first, &wave);
	bool strange;

	check_status("W46 resuming a wave with an exception",
		     suite.api.wave_resume((amd_dbgapi_wave_id_t){first},
					   AMD_DBGAPI_RESUME_MODE_NORMAL, DEBUG_TRAP_EXCEPTION),
		     SUCCESS);
	check_number("W46 the event of another wave of the queue comes, with its reason",
		     reason_told(process, wave, &strange), AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP);
	check("W46 when the events were given, the waves of the queue end", nothing_comes(process),
	      "an event comes");
	check_status("W46 and have no handle any more", read_pc(wave), ERROR(INVALID_WAVE_ID));
	detach(process);
}

/* As stopped as for its registers; and that the process is frozen is no hindrance. */
static void check_displaced(void)
{
	static const uint32_t instruction = 0xbf800000;
	uint64_t first, wave, process = begin(&first, &wave);
	amd_dbgapi_displaced_stepping_id_t stepping = {0}, other = {0};
	const amd_dbgapi_process_id_t id = {process};

	check_status("W47 displaced stepping of a wave whose event is on its way",
		     suite.api.displaced_stepping_start((amd_dbgapi_wave_id_t){wave}, &instruction,
							&stepping),
		     SUCCESS);
	check_status("W47 completing it",
		     suite.api.displaced_stepping_complete((amd_dbgapi_wave_id_t){wave}, stepping),
		     SUCCESS);
	suite.api.process_set_progress(id, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	suite.api.process_set_wave_creation(id, AMD_DBGAPI_WAVE_CREATION_STOP);
	if (lacks(WT_FUNCTION_PROCESS_FREEZE, "W48 freezing")) {
		detach(process);
		return;
	}
	check_status("W48 freezing", suite.api.process_freeze(id), SUCCESS);
	check_status("W48 displaced stepping in a frozen process",
		     suite.api.displaced_stepping_start((amd_dbgapi_wave_id_t){first}, &instruction,
							&other),
		     SUCCESS);
	check_status("W48 but completing it is PROCESS_FROZEN",
		     suite.api.displaced_stepping_complete((amd_dbgapi_wave_id_t){first}, other),
		     ERROR(PROCESS_FROZEN));
	suite.api.process_unfreeze(id);
	detach(process);
}

void section_hasty(void)
{
	check_stop_and_resume();
	check_exception();
	check_displaced();
}
