/* SPDX-License-Identifier: MIT */
/* Registers, memory, modes, processes: the order of checks, and what follows. */
#include <stdlib.h>

#include "suite.h"

#define NO_HANDLE UINT64_C(0x7fff1234567)
#define STOP_EVENT AMD_DBGAPI_EVENT_KIND_WAVE_STOP
#define FIRST_CLIENT ((amd_dbgapi_client_process_id_t)0x101)
#define SECOND_CLIENT ((amd_dbgapi_client_process_id_t)0x102)

void check_register_order(uint64_t running, uint64_t stopped)
{
	const amd_dbgapi_wave_id_t none = {NO_HANDLE}, run = {running}, stop = {stopped};
	const amd_dbgapi_register_id_t bad = {NO_HANDLE}, pc = find_register(stopped, "pc");
	uint64_t value = 99;

	check_status("read_register: the wave first",
		     suite.api.read_register(none, bad, 0, 0, NULL), ERROR(INVALID_WAVE_ID));
	check_status("read_register: then the register",
		     suite.api.read_register(run, bad, 0, 0, NULL), ERROR(INVALID_REGISTER_ID));
	check_status("read_register: then whether it is stopped",
		     suite.api.read_register(run, pc, 0, 0, NULL), ERROR(WAVE_NOT_STOPPED));
	check_status("read_register: then NULL", suite.api.read_register(stop, pc, 6, 8, NULL),
		     ERROR(INVALID_ARGUMENT));
	check_status("read_register: or no bytes", suite.api.read_register(stop, pc, 0, 0, &value),
		     ERROR(INVALID_ARGUMENT));
	check_status("read_register: then the bounds",
		     suite.api.read_register(stop, pc, 6, 8, &value),
		     ERROR(INVALID_ARGUMENT_COMPATIBILITY));
	check_number("errors leave the value", value, 99);
	check_status("read_register", suite.api.read_register(stop, pc, 0, 8, &value), SUCCESS);
	check_number("the pc is the register pc", value, wave_pc(stopped));
	value = 0;
	check_status("a part of a register", suite.api.read_register(stop, pc, 4, 4, &value),
		     SUCCESS);
	check_number("is that part", value, wave_pc(stopped) >> 32);
	check_status("write_register: the wave first",
		     suite.api.write_register(none, bad, 0, 0, NULL), ERROR(INVALID_WAVE_ID));
	check_status("write_register: whether it is stopped",
		     suite.api.write_register(run, pc, 0, 8, &value), ERROR(WAVE_NOT_STOPPED));
}

static void check_register_writes(uint64_t wave)
{
	const amd_dbgapi_register_id_t pc = find_register(wave, "pc");
	const amd_dbgapi_register_id_t exec = find_register(wave, "exec");
	const amd_dbgapi_register_id_t status = find_register(wave, "status");
	uint64_t old = wave_pc(wave), value = old | 3;
	uint32_t bits = 0;

	suite.api.write_register((amd_dbgapi_wave_id_t){wave}, pc, 0, sizeof(value), &value);
	check_number("the low bits of the pc cannot be written", wave_pc(wave), old);
	value = 0;
	suite.api.write_register((amd_dbgapi_wave_id_t){wave}, exec, 0, sizeof(value), &value);
	suite.api.read_register((amd_dbgapi_wave_id_t){wave}, status, 0, sizeof(bits), &bits);
	check_number("status says that exec is zero", bits >> 9 & 1, 1);
	check_number("as the query does", ask(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_EXEC_MASK),
		     0);
	value = UINT64_MAX;
	suite.api.write_register((amd_dbgapi_wave_id_t){wave}, exec, 0, sizeof(value), &value);
}

void section_registers(void)
{
	uint64_t process = attach_ready("vecadd"), wave = first_wave_stopped(process);
	uint64_t waves[MAX_LISTED] = {0};

	handles_of(WT_OBJECT_WAVE, process, waves, MAX_LISTED);
	suite.api.process_set_progress((amd_dbgapi_process_id_t){process},
				       AMD_DBGAPI_PROGRESS_NO_FORWARD);
	wave_resume(waves[1], false);
	check_register_order(waves[1], wave);
	check_register_writes(wave);
	detach(process);
}

static amd_dbgapi_status_t read_memory(uint64_t process, uint64_t wave, amd_dbgapi_lane_id_t lane,
				       uint64_t space, uint64_t address, amd_dbgapi_size_t *size,
				       void *value)
{
	return suite.api.read_memory((amd_dbgapi_process_id_t){process},
				     (amd_dbgapi_wave_id_t){wave}, lane,
				     (amd_dbgapi_address_space_id_t){space}, address, size, value);
}

void check_memory_order(uint64_t process, uint64_t wave)
{
	const uint64_t global = AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle;
	uint64_t value = 99;
	amd_dbgapi_size_t size = 8;

	check_status("read_memory: the process first",
		     read_memory(NO_HANDLE, NO_HANDLE, 0, NO_HANDLE, 0, NULL, NULL),
		     ERROR(INVALID_PROCESS_ID));
	check_status("read_memory: then NULL",
		     read_memory(process, wave, 0, NO_HANDLE, 0, &size, NULL),
		     ERROR(INVALID_ARGUMENT));
	check_status("read_memory: then the space",
		     read_memory(process, NO_HANDLE, 0, NO_HANDLE, 0, &size, &value),
		     ERROR(INVALID_ADDRESS_SPACE_ID));
	check_status("read_memory: then the wave",
		     read_memory(process, NO_HANDLE, 0, global, 0, &size, &value),
		     ERROR(INVALID_WAVE_ID));
	check_status("read_memory: a lane that the wave does not have",
		     read_memory(process, wave, 64, global, 0, &size, &value),
		     ERROR(INVALID_LANE_ID));
	check_number("errors other than of the access leave the size", size, 8);
	check_status("read_memory: then the access",
		     read_memory(process, 0, AMD_DBGAPI_LANE_NONE, global, 64, &size, &value),
		     ERROR(MEMORY_ACCESS));
	check_number("whose failure gives no bytes", size, 0);
	check_number("and leaves the buffer", value, 99);
	check_status("no bytes are no error",
		     read_memory(process, 0, AMD_DBGAPI_LANE_NONE, global, 64, &size, &value),
		     SUCCESS);
	size = 8;
	check_status(
		"memory that is there",
		read_memory(process, 0, AMD_DBGAPI_LANE_NONE, global, wave_pc(wave), &size, &value),
		SUCCESS);
	check_number("is read whole", size, 8);
}

void section_memory(void)
{
	uint64_t process = attach_ready("vecadd");

	check_memory_order(process, first_wave_stopped(process));
	detach(process);
}

static void check_mode_errors(uint64_t process)
{
	const amd_dbgapi_process_id_t id = {process}, none = {NO_HANDLE};

	check_status("set_progress looks at the mode before the process",
		     suite.api.process_set_progress(none, (amd_dbgapi_progress_t)9),
		     ERROR(INVALID_ARGUMENT));
	check_status("set_progress of no process",
		     suite.api.process_set_progress(none, AMD_DBGAPI_PROGRESS_NORMAL),
		     ERROR(INVALID_PROCESS_ID));
	check_status("set_wave_creation looks at the process before the mode",
		     suite.api.process_set_wave_creation(none, (amd_dbgapi_wave_creation_t)9),
		     ERROR(INVALID_PROCESS_ID));
	check_status("set_wave_creation of no mode",
		     suite.api.process_set_wave_creation(id, (amd_dbgapi_wave_creation_t)9),
		     ERROR(INVALID_ARGUMENT));
	check_status("set_memory_precision of no process",
		     suite.api.set_memory_precision(none, (amd_dbgapi_memory_precision_t)9),
		     ERROR(INVALID_PROCESS_ID));
	check_status("set_memory_precision of no precision",
		     suite.api.set_memory_precision(id, (amd_dbgapi_memory_precision_t)9),
		     ERROR(INVALID_ARGUMENT));
	if (lacks(WT_FUNCTION_PROCESS_FREEZE, "freezing"))
		return;
	check_status("unfreezing what is not frozen", suite.api.process_unfreeze(id),
		     ERROR(PROCESS_NOT_FROZEN));
	check_status("freezing what goes on", suite.api.process_freeze(id),
		     ERROR(INCOMPATIBLE_PROCESS_STATE));
}

void section_creation(void)
{
	uint64_t process = attach_ready("two-kernels");
	const amd_dbgapi_process_id_t id = {process};

	/* Those of the first dispatch run already; the others are held. */
	check_mode_errors(process);
	check_status("stopping waves at their creation",
		     suite.api.process_set_wave_creation(id, AMD_DBGAPI_WAVE_CREATION_STOP),
		     SUCCESS);
	check("no event of a wave that does not run comes", nothing_comes(process), "one does");
	check_number("and the waves are not listed", handles_of(WT_OBJECT_WAVE, process, NULL, 0),
		     0);
	check_status("letting them go",
		     suite.api.process_set_wave_creation(id, AMD_DBGAPI_WAVE_CREATION_NORMAL),
		     SUCCESS);
	check("W42 they are listed, without an event",
	      handles_of(WT_OBJECT_WAVE, process, NULL, 0) && nothing_comes(process), "no");
	check_number("and run to their ends", handles_of(WT_OBJECT_WAVE, process, NULL, 0), 0);
	detach(process);
}

/* What a frozen process refuses; and that it is as it was when it is let go. */
static void check_frozen(uint64_t process, uint64_t wave)
{
	const amd_dbgapi_process_id_t id = {process};
	amd_dbgapi_watchpoint_id_t watchpoint;
	amd_dbgapi_size_t size = 4;
	uint32_t word = 0;

	check_status("frozen: resuming a wave", wave_resume(wave, false), ERROR(PROCESS_FROZEN));
	check_status("frozen: set_progress",
		     suite.api.process_set_progress(id, AMD_DBGAPI_PROGRESS_NORMAL),
		     ERROR(PROCESS_FROZEN));
	check_status("frozen: set_wave_creation",
		     suite.api.process_set_wave_creation(id, AMD_DBGAPI_WAVE_CREATION_NORMAL),
		     ERROR(PROCESS_FROZEN));
	check_status(
		"frozen: set_watchpoint",
		suite.api.set_watchpoint(id, 64, 4, AMD_DBGAPI_WATCHPOINT_KIND_ALL, &watchpoint),
		ERROR(PROCESS_FROZEN));
	check_status("frozen: write_memory",
		     suite.api.write_memory(id, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					    AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, wave_pc(wave), &size,
					    &word),
		     ERROR(PROCESS_FROZEN));
	check_status("frozen: reading is allowed",
		     suite.api.read_memory(id, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					   AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, wave_pc(wave), &size,
					   &word),
		     SUCCESS);
}

void section_freeze(void)
{
	uint64_t process, wave;
	amd_dbgapi_process_id_t id;
	amd_dbgapi_core_state_data_t core = {0};

	if (lacks(WT_FUNCTION_PROCESS_FREEZE, "frozen processes") ||
	    left_out("frozen processes", "a trace does not replay them", 1))
		return;
	process = attach_ready("vecadd");
	wave = first_wave_stopped(process);
	id.handle = process;
	check_status("freezing no process",
		     suite.api.process_freeze((amd_dbgapi_process_id_t){NO_HANDLE}),
		     ERROR(INVALID_PROCESS_ID));
	suite.api.process_set_progress(id, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	check_status("freezing what may create waves", suite.api.process_freeze(id),
		     ERROR(INCOMPATIBLE_PROCESS_STATE));
	suite.api.process_set_wave_creation(id, AMD_DBGAPI_WAVE_CREATION_STOP);
	check_status("the core state of what is not frozen",
		     get_info(WT_OBJECT_PROCESS, process, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
			      sizeof(core), &core),
		     ERROR(PROCESS_NOT_FROZEN));
	check_status("freezing", suite.api.process_freeze(id), SUCCESS);
	check_status("freezing again", suite.api.process_freeze(id), ERROR(PROCESS_ALREADY_FROZEN));
	check_frozen(process, wave);
	check_status("frozen: the core state",
		     get_info(WT_OBJECT_PROCESS, process, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
			      sizeof(core), &core),
		     SUCCESS);
	check("which has its header", core.size >= 56, "%zu bytes", core.size);
	free((void *)(uintptr_t)core.data);
	check_status("unfreezing", suite.api.process_unfreeze(id), SUCCESS);
	check_status("unfreezing again", suite.api.process_unfreeze(id), ERROR(PROCESS_NOT_FROZEN));
	suite.api.process_set_progress(id, AMD_DBGAPI_PROGRESS_NORMAL);
	check("the wave can go on", step(process, wave), "it does not step");
	detach(process);
}

static uint64_t attach_client(amd_dbgapi_client_process_id_t client)
{
	amd_dbgapi_process_id_t process = {0};

	check_status("attaching one of two", suite.api.process_attach(client, &process), SUCCESS);
	return process.handle;
}

static void check_two(uint64_t first, uint64_t second)
{
	amd_dbgapi_process_id_t again = {99};
	amd_dbgapi_event_kind_t kind;
	uint64_t agents[2] = {0}, event;

	check("processes have handles of their own", first != second, "one handle");
	check_status("attaching the same twice", suite.api.process_attach(FIRST_CLIENT, &again),
		     ERROR(ALREADY_ATTACHED));
	check_number("leaves the handle", again.handle, 99);
	handles_of(WT_OBJECT_AGENT, first, &agents[0], 1);
	handles_of(WT_OBJECT_AGENT, second, &agents[1], 1);
	check("so have their agents", agents[0] && agents[1] && agents[0] != agents[1],
	      "%llu, %llu", (unsigned long long)agents[0], (unsigned long long)agents[1]);
	check_number("C14 the code objects of all are listed together",
		     handles_of(WT_OBJECT_CODE_OBJECT, 0, NULL, 0),
		     handles_of(WT_OBJECT_CODE_OBJECT, first, NULL, 0) +
			     handles_of(WT_OBJECT_CODE_OBJECT, second, NULL, 0));
	event = next_event(second, &kind);
	check_number("E1 an event of the second process is its own",
		     ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_PROCESS), second);
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
	event = next_event(first, &kind);
	check_number("E1 and the first has one, too",
		     ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_PROCESS), first);
}

void section_processes(void)
{
	uint64_t first, second, agents[MAX_LISTED];
	bool fresh = false;
	size_t count;

	detach(attach("vecadd"));
	first = attach_client(FIRST_CLIENT);
	second = attach_client(SECOND_CLIENT);
	check_two(first, second);
	detach(first);
	check_status("E1 detaching one leaves the other",
		     suite.api.process_set_progress((amd_dbgapi_process_id_t){second},
						    AMD_DBGAPI_PROGRESS_NO_FORWARD),
		     SUCCESS);
	check_status("finalize detaches it", suite.api.finalize(), SUCCESS);
	suite.api.initialize(&suite.callbacks);
	check_status("handles from before name nothing",
		     suite.api.process_detach((amd_dbgapi_process_id_t){second}),
		     ERROR(INVALID_PROCESS_ID));
	first = attach("vecadd");
	count = handles_of(WT_OBJECT_AGENT, first, agents, MAX_LISTED);
	for (size_t i = 0; i < count; i++)
		fresh = fresh || agents[i] == 1;
	check("finalize starts the handles from 1 again", fresh, "no agent has the first");
	check("but not those of processes", first > 1, "%llu", (unsigned long long)first);
	detach(first);
}

static void check_nothing_listed(uint64_t process, const char *name, bool agents)
{
	for (size_t i = 0; i < listed_object_count; i++)
		if (agents || listed_objects[i] != WT_OBJECT_AGENT)
			check_number(name_of("%s: no %s", name, wt_objects[listed_objects[i]].name),
				     handles_of(listed_objects[i], process, NULL, 0), 0);
}

void section_ends(void)
{
	uint64_t process, event, wave;
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;

	if (left_out("E9 the end of the program", "the recorder asks in another order", 2))
		return;
	process = attach_ready("unloads");
	event = next_event(process, &kind);
	check_number("E9 an event of the runtime comes", (uint64_t)kind,
		     AMD_DBGAPI_EVENT_KIND_RUNTIME);
	check_number("E9 it was unloaded",
		     ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE),
		     AMD_DBGAPI_RUNTIME_STATE_UNLOADED);
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
	check_nothing_listed(process, "E9 unloaded", false);
	check("nothing more comes", nothing_comes(process), "something does");
	detach(process);
	process = attach_ready("exits");
	wave = take(process, STOP_EVENT);
	wave_resume(wave, false);
	check("the exit of the process is no event", nothing_comes(process), "one comes");
	check_nothing_listed(process, "exited", true);
	check_status("exited: its waves are none", wave_stop(wave), ERROR(INVALID_WAVE_ID));
	detach(process);
}

/* A core cannot be changed: what would have to reach a device is FATAL, and goes no further. */
static void check_core_refusals(amd_dbgapi_process_id_t process, uint64_t wave)
{
	amd_dbgapi_watchpoint_id_t watchpoint = {99};
	bool precise = ask(WT_OBJECT_PROCESS, process.handle,
			   AMD_DBGAPI_PROCESS_INFO_PRECISE_MEMORY_SUPPORTED);

	if (!lacks(WT_FUNCTION_PROCESS_FREEZE, "freezing a core")) {
		check_status("freezing a core", suite.api.process_freeze(process),
			     ERROR(INCOMPATIBLE_PROCESS_STATE));
		check_status("unfreezing a core", suite.api.process_unfreeze(process),
			     ERROR(PROCESS_NOT_FROZEN));
	}
	check_status("stopping the waves of a core at creation",
		     suite.api.process_set_wave_creation(process, AMD_DBGAPI_WAVE_CREATION_STOP),
		     AMD_DBGAPI_STATUS_FATAL);
	check_status("precise memory of a core",
		     suite.api.set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE),
		     precise ? AMD_DBGAPI_STATUS_FATAL : ERROR(NOT_SUPPORTED));
	check_status("a watchpoint of a core",
		     suite.api.set_watchpoint(process, 64, 4, AMD_DBGAPI_WATCHPOINT_KIND_ALL,
					      &watchpoint),
		     AMD_DBGAPI_STATUS_FATAL);
	check_number("leaves the handle", watchpoint.handle, 99);
	check_status("a wave of a core resumed with an exception",
		     suite.api.wave_resume((amd_dbgapi_wave_id_t){wave},
					   AMD_DBGAPI_RESUME_MODE_NORMAL,
					   AMD_DBGAPI_EXCEPTION_WAVE_ABORT),
		     AMD_DBGAPI_STATUS_FATAL);
	check_number("is left running", wave_state(wave), AMD_DBGAPI_WAVE_STATE_RUN);
}

/* Stopped for ever: what a library says of a core file of a GPU. */
void section_core(void)
{
	amd_dbgapi_process_id_t process = {0};
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	uint64_t event, wave = 0, waves[MAX_LISTED] = {0}, other;

	check_status("attach to a core",
		     suite.api.process_attach((amd_dbgapi_client_process_id_t)&suite, &process),
		     SUCCESS);
	event = next_event(process.handle, &kind);
	check_number("E8 the first event is RUNTIME", (uint64_t)kind,
		     AMD_DBGAPI_EVENT_KIND_RUNTIME);
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
	while ((event = next_event(process.handle, &kind))) {
		check_number("E4 then stops of waves", (uint64_t)kind, STOP_EVENT);
		if (!wave)
			wave = ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_WAVE);
		suite.api.event_processed((amd_dbgapi_event_id_t){event});
	}
	if (!wave) {
		skip("what a stopped wave shows", "the core has none");
		detach(process.handle);
		return;
	}
	check_event_errors(process.handle);
	check_all_objects(process.handle);
	check_all_lists(process.handle);
	check_memory_order(process.handle, wave);
	handles_of(WT_OBJECT_WAVE, process.handle, waves, MAX_LISTED);
	other = waves[0] == wave ? waves[1] : waves[0];
	check_status("set_progress of a core",
		     suite.api.process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD),
		     SUCCESS);
	check_control(process.handle, wave);
	if (other) {
		wave_resume(other, false);
		check_register_order(other, wave);
	}
	check_core_refusals(process, wave);
	detach(process.handle);
}
