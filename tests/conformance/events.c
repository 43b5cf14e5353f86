/* SPDX-License-Identifier: MIT */
/* Events, stops and resumption, in the orders that a client may choose. */
#include <poll.h>
#include <stdlib.h>

#include "suite.h"

#define NO_HANDLE UINT64_C(0x7fff1234567)
#define STOP_EVENT AMD_DBGAPI_EVENT_KIND_WAVE_STOP
#define TERMINATED AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED
#define REASON(name) AMD_DBGAPI_WAVE_STOP_REASON_##name
#define STATE(name) AMD_DBGAPI_WAVE_STATE_##name

static bool is_readable(uint64_t process)
{
	struct pollfd notifier = {
		.fd = (int)ask(WT_OBJECT_PROCESS, process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER),
		.events = POLLIN,
	};

	return poll(&notifier, 1, 0) == 1 && notifier.revents & POLLIN;
}

void check_event_errors(uint64_t process)
{
	const amd_dbgapi_process_id_t id = {process}, none = {NO_HANDLE};
	amd_dbgapi_event_kind_t kind = (amd_dbgapi_event_kind_t)77;
	amd_dbgapi_event_id_t event = {99};

	check_status("E21 next_pending_event without an event, process wrong too",
		     suite.api.process_next_pending_event(none, NULL, &kind),
		     ERROR(INVALID_ARGUMENT));
	check_status("E21 next_pending_event without a kind",
		     suite.api.process_next_pending_event(id, &event, NULL),
		     ERROR(INVALID_ARGUMENT));
	check_status("E20 next_pending_event of no process",
		     suite.api.process_next_pending_event(none, &event, &kind),
		     ERROR(INVALID_PROCESS_ID));
	check("E22 errors leave the outputs", event.handle == 99 && (int)kind == 77,
	      "they were written");
	check_status("E17 processing no event", suite.api.event_processed(event),
		     ERROR(INVALID_EVENT_ID));
	check_status("E17 processing NONE", suite.api.event_processed(AMD_DBGAPI_EVENT_NONE),
		     ERROR(INVALID_EVENT_ID));
}

static void check_runtime_event(uint64_t process)
{
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	uint64_t event, value;

	event = next_event(process, &kind);
	check_number("E22 the failed calls have taken no event: RUNTIME comes", (uint64_t)kind,
		     AMD_DBGAPI_EVENT_KIND_RUNTIME);
	check_number("E8 the runtime was loaded",
		     ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE),
		     AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS);
	check_number("the event is of the process",
		     ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_PROCESS), process);
	check_status("E12 the wave of RUNTIME",
		     get_info(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_WAVE, 8, &value),
		     ERROR(INVALID_ARGUMENT));
	check_status("E12 the breakpoint of RUNTIME",
		     get_info(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_BREAKPOINT, 8, &value),
		     ERROR(INVALID_ARGUMENT));
	check_status("E10 the queue of an event that is no QUEUE_ERROR",
		     get_info(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_QUEUE, 8, &value),
		     ERROR(INVALID_ARGUMENT));
	check("E18 the event does not come again", nothing_comes(process), "it does");
	check("W43 waves are listed before RUNTIME was processed",
	      handles_of(WT_OBJECT_WAVE, process, NULL, 0), "none is");
	check_status("E16 processing it", suite.api.event_processed((amd_dbgapi_event_id_t){event}),
		     SUCCESS);
	check_status("E16 processing it again",
		     suite.api.event_processed((amd_dbgapi_event_id_t){event}),
		     ERROR(INVALID_EVENT_ID));
	check_status("E16 asking about it",
		     get_info(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_KIND, 4, &value),
		     ERROR(INVALID_EVENT_ID));
}

void section_events(void)
{
	uint64_t process = attach("debug-trap"), event, wave, value, queue = 0, *waves = NULL;
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;

	check("E2 E3 the notifier is readable after attach", is_readable(process), "it is not");
	check_event_errors(process);
	check_runtime_event(process);
	event = next_event(process, &kind);
	check_number("E4 a debug trap gives WAVE_STOP", (uint64_t)kind, STOP_EVENT);
	wave = ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_WAVE);
	check_number("E4 which names a stopped wave", wave_state(wave), STATE(STOP));
	check_status(
		"E12 the runtime state of WAVE_STOP",
		get_info(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE, 4, &value),
		ERROR(INVALID_ARGUMENT));
	check_status("W32 resuming it before the event is processed", wave_resume(wave, false),
		     ERROR(WAVE_NOT_RESUMABLE));
	check_status("W38 stopping it", wave_stop(wave), ERROR(WAVE_STOPPED));
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
	handles_of(WT_OBJECT_QUEUE, process, &queue, 1);
	check_status("E10 the state of a queue",
		     get_info(WT_OBJECT_QUEUE, queue, AMD_DBGAPI_QUEUE_INFO_STATE, 4, &value),
		     ERROR(NOT_IMPLEMENTED));
	check_status(
		"E10 the errors of a queue",
		get_info(WT_OBJECT_QUEUE, queue, AMD_DBGAPI_QUEUE_INFO_ERROR_REASON, 4, &value),
		ERROR(NOT_IMPLEMENTED));
	detach(process);
	check_status("a detached process is no process",
		     list(WT_OBJECT_WAVE, process, &value, &waves, NULL),
		     ERROR(INVALID_PROCESS_ID));
	/* A library may have given memory for a list before it refused. */
	free(waves);
}

/* Two waves trap in the same round: the second has stopped, and the client does not know. */
static void check_unreported(uint64_t process, uint64_t wave)
{
	amd_dbgapi_event_kind_t kind;
	uint64_t value, event;

	check_number("W3 a wave whose stop event was not returned is RUN", wave_state(wave),
		     STATE(RUN));
	check_status("W2 its stop reason",
		     get_info(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, 4, &value),
		     ERROR(WAVE_NOT_STOPPED));
	check_status("W2 its pc",
		     get_info(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC, 8, &value),
		     ERROR(WAVE_NOT_STOPPED));
	check_status("W33 resuming it", wave_resume(wave, false), ERROR(WAVE_NOT_STOPPED));
	check_status("W40 stopping it", wave_stop(wave), SUCCESS);
	event = next_event(process, &kind);
	check_number("W40 its own event answers the request",
		     ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_WAVE), wave);
	check_number("W3 then it is STOP", wave_state(wave), STATE(STOP));
	check_number("W40 with its own reason", stop_reason(wave), REASON(DEBUG_TRAP));
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
	check("W40 and no other event comes", nothing_comes(process), "one does");
}

void section_waves(void)
{
	uint64_t process = attach_ready("debug-trap"), waves[MAX_LISTED] = {0};
	uint64_t first = take(process, STOP_EVENT), other = 0;
	const amd_dbgapi_process_id_t id = {process};
	size_t count;

	suite.api.process_set_progress(id, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	count = handles_of(WT_OBJECT_WAVE, process, waves, MAX_LISTED);
	check("W42 waves are there, and no event told of them", count > 1, "%zu", count);
	check_number("W8 the reason is the debug trap", stop_reason(first), REASON(DEBUG_TRAP));
	check_number("W8 the pc is behind it", read_word(process, wave_pc(first) - 4), 0xbf920003);
	/* In each workgroup the first wave has the trap. */
	for (size_t i = 0; i < count; i++)
		if (waves[i] != first &&
		    !ask(WT_OBJECT_WAVE, waves[i], AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP))
			other = waves[i];
	if (other)
		check_unreported(process, other);
	check_status("W24 resuming a stopped wave", wave_resume(first, false), SUCCESS);
	check_number("W24 it is RUN", wave_state(first), STATE(RUN));
	check_status("W31 resuming it again", wave_resume(first, false), ERROR(WAVE_NOT_STOPPED));
	wave_resume(other, false);
	suite.api.process_set_progress(id, AMD_DBGAPI_PROGRESS_NORMAL);
	check("W26 E19 waves that end make no event", nothing_comes(process), "one comes");
	check_status("W30 asking about a wave that has ended",
		     get_info(WT_OBJECT_WAVE, first, AMD_DBGAPI_WAVE_INFO_STATE, 4, waves),
		     ERROR(INVALID_WAVE_ID));
	check_status("W30 stopping it", wave_stop(first), ERROR(INVALID_WAVE_ID));
	check_status("W30 resuming it", wave_resume(first, false), ERROR(INVALID_WAVE_ID));
	check_number("no wave is left", handles_of(WT_OBJECT_WAVE, process, NULL, 0), 0);
	detach(process);
}

void check_resume_errors(uint64_t wave)
{
	const amd_dbgapi_wave_id_t id = {wave}, none = {NO_HANDLE};

	check_status("W14 resuming no wave, mode wrong too",
		     suite.api.wave_resume(none, (amd_dbgapi_resume_mode_t)9, 0),
		     ERROR(INVALID_WAVE_ID));
	check_status("W14 stopping no wave", suite.api.wave_stop(none), ERROR(INVALID_WAVE_ID));
	check_status(
		"W34 a mode that is none",
		suite.api.wave_resume(id, (amd_dbgapi_resume_mode_t)9, AMD_DBGAPI_EXCEPTION_NONE),
		ERROR(INVALID_ARGUMENT));
	check_status("W34 an exception that is none",
		     suite.api.wave_resume(id, AMD_DBGAPI_RESUME_MODE_NORMAL,
					   (amd_dbgapi_exceptions_t)(1 << 20)),
		     ERROR(INVALID_ARGUMENT));
	check_number("W34 the wave stays stopped", wave_state(wave), STATE(STOP));
}

/* Step until the program ends; how many steps that took. */
static unsigned int step_to_end(uint64_t process, uint64_t wave)
{
	amd_dbgapi_event_kind_t kind = STOP_EVENT;
	unsigned int steps = 0;
	uint64_t event = 1;

	while (event && kind == STOP_EVENT && steps < 500) {
		if (wave_resume(wave, true) != SUCCESS)
			return 0;
		event = next_event(process, &kind);
		suite.api.event_processed((amd_dbgapi_event_id_t){event});
		steps++;
	}
	return kind == TERMINATED ? steps : 0;
}

void section_steps(void)
{
	uint64_t process = attach_ready("vecadd"), wave = first_wave_stopped(process), before;
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	uint64_t event;

	check_number("W4 a requested stop has no reason", stop_reason(wave), REASON(NONE));
	before = wave_pc(wave);
	check_status("W27 resuming for a step", wave_resume(wave, true), SUCCESS);
	check_number("W27 it is SINGLE_STEP", wave_state(wave), STATE(SINGLE_STEP));
	event = next_event(process, &kind);
	check_number("W28 the step gives WAVE_STOP", (uint64_t)kind, STOP_EVENT);
	check_number("W28 W7 of the reason SINGLE_STEP", stop_reason(wave), REASON(SINGLE_STEP));
	check("W28 at another instruction", wave_pc(wave) != before, "the pc is the same");
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
	check("W29 stepping to the end ends in COMMAND_TERMINATED", step_to_end(process, wave) > 4,
	      "it did not");
	check_status("W30 E5 the wave that has ended so is no wave", wave_stop(wave),
		     ERROR(INVALID_WAVE_ID));
	detach(process);
}

static uint64_t read_register(uint64_t wave, const char *name)
{
	uint64_t value = 0;

	suite.api.read_register((amd_dbgapi_wave_id_t){wave}, find_register(wave, name), 0,
				sizeof(uint32_t), &value);
	return value;
}

static void write_register(uint64_t wave, const char *name, uint64_t value, size_t size)
{
	check_status(name_of("writing %s", name),
		     suite.api.write_register((amd_dbgapi_wave_id_t){wave},
					      find_register(wave, name), 0, size, &value),
		     SUCCESS);
}

/* Instructions of a client's own, at the start of the program, for one wave. */
static void check_exception(const char *what, uint32_t enable, const uint32_t *instructions,
			    uint32_t reason)
{
	uint64_t process = attach_ready("vecadd"), wave = first_wave_stopped(process);
	uint64_t pc = wave_pc(wave);
	amd_dbgapi_size_t size = 4 * sizeof(*instructions);

	suite.api.write_memory((amd_dbgapi_process_id_t){process}, AMD_DBGAPI_WAVE_NONE,
			       AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, pc, &size,
			       instructions);
	write_register(wave, "mode", read_register(wave, "mode") | enable << 12, sizeof(enable));
	wave_resume(wave, false);
	check_number(name_of("W12 %s stops the wave", what), take(process, STOP_EVENT), wave);
	check_number(name_of("W12 %s is the reason", what), stop_reason(wave), reason);
	check_number(name_of("W12 %s: trapsts has its bit", what),
		     read_register(wave, "trapsts") & enable, enable);
	check("W12 the instruction was completed", wave_pc(wave) > pc, "the pc has not moved");
	wave_resume(wave, true);
	take(process, STOP_EVENT);
	check_number(name_of("W12 %s: after resuming its bit is clear", what),
		     read_register(wave, "trapsts") & enable, 0);
	detach(process);
}

/* One or two instructions that raise it, and only it among those enabled. */
void section_arithmetic(void)
{
	static const uint32_t nops = 0xbf800000;
	const struct {
		const char *what;
		uint32_t bit, reason, instructions[4];
	} cases[] = {
		{"a division by zero",
		 1u << 2,
		 REASON(FP_DIVIDE_BY_0),
		 {0x7e004480, nops, nops, nops}},
		{"an integer division by zero",
		 1u << 6,
		 REASON(INT_DIVIDE_BY_0),
		 {0x7e004680, nops, nops, nops}},
		{"an overflow",
		 1u << 3,
		 REASON(FP_OVERFLOW),
		 {0x7e0002ff, 0x7f7fffff, 0x02000100, nops}},
		{"an invalid operation",
		 1u << 0,
		 REASON(FP_INVALID_OPERATION),
		 {0x7e0002ff, 0x7f800000, 0x04000100, nops}},
		{"a denormal input",
		 1u << 1,
		 REASON(FP_INPUT_DENORMAL),
		 {0x7e0002ff, 0x00000001, 0x020000f2, nops}},
		{"an underflow",
		 1u << 4,
		 REASON(FP_UNDERFLOW),
		 {0x7e0002ff, 0x00800001, 0x0a0000f0, nops}},
		{"an inexact result",
		 1u << 5,
		 REASON(FP_INEXACT),
		 {0x7e0002ff, 0x33000000, 0x020000f2, nops}},
		{"a half that overflows",
		 1u << 3,
		 REASON(FP_OVERFLOW),
		 {0x7e0002ff, 0x00007bff, 0x3e000100, nops}},
		{"a conversion of no number to a whole one",
		 1u << 0,
		 REASON(FP_INVALID_OPERATION),
		 {0x7e0002ff, 0x7fc00000, 0x7e001100, nops}},
		{"a comparison of a signalling NaN",
		 1u << 0,
		 REASON(FP_INVALID_OPERATION),
		 {0x7e0002ff, 0x7f800001, 0x7c820100, nops}},
	};

	if (left_out("W12 arithmetic exceptions", "a trace executes nothing",
		     sizeof(cases) / sizeof(*cases)))
		return;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_exception(cases[i].what, cases[i].bit, cases[i].instructions,
				cases[i].reason);
}

/* A breakpoint at the next instruction of a wave, as a debugger plants it. */
void section_breakpoints(void)
{
	uint64_t process = attach_ready("vecadd"), wave = first_wave_stopped(process), architecture;
	uint64_t pc, adjust, size;
	uint8_t *instruction = NULL, saved[8];

	step(process, wave);
	pc = wave_pc(wave);
	architecture = ask(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE);
	size = ask(WT_OBJECT_ARCHITECTURE, architecture,
		   AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE);
	adjust = ask(WT_OBJECT_ARCHITECTURE, architecture,
		     AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST);
	get_info(WT_OBJECT_ARCHITECTURE, architecture,
		 AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION, sizeof(instruction),
		 &instruction);
	suite.api.read_memory((amd_dbgapi_process_id_t){process}, AMD_DBGAPI_WAVE_NONE,
			      AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, pc, &size,
			      saved);
	suite.api.write_memory((amd_dbgapi_process_id_t){process}, AMD_DBGAPI_WAVE_NONE,
			       AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, pc, &size,
			       instruction);
	free(instruction);
	wave_resume(wave, false);
	check_number("W25 a wave that was resumed stops at the breakpoint",
		     take(process, STOP_EVENT), wave);
	check_number("W5 for that reason", stop_reason(wave), REASON(BREAKPOINT));
	check_number("W5 the adjusted pc is that of the breakpoint", wave_pc(wave) - adjust, pc);
	detach(process);
}

/* The stop request of a running wave, and its answer. */
static void check_stop_request(uint64_t process, uint64_t wave)
{
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	uint64_t event;

	check_status("W38 stopping a stopped wave", wave_stop(wave), ERROR(WAVE_STOPPED));
	check_status("W24 resuming it", wave_resume(wave, false), SUCCESS);
	check_number("W24 it is RUN", wave_state(wave), STATE(RUN));
	check_status("W31 resuming it again", wave_resume(wave, false), ERROR(WAVE_NOT_STOPPED));
	check_status("W35 stopping a running wave", wave_stop(wave), SUCCESS);
	check_status("W39 stopping it again", wave_stop(wave), ERROR(WAVE_OUTSTANDING_STOP));
	event = next_event(process, &kind);
	check_number("W35 W37 the stop event comes, also without forward progress", (uint64_t)kind,
		     STOP_EVENT);
	check_number("W35 of this wave", ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_WAVE),
		     wave);
	check_status("W32 resuming it before the event is processed", wave_resume(wave, false),
		     ERROR(WAVE_NOT_RESUMABLE));
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
	check_number("W4 without a reason", stop_reason(wave), REASON(NONE));
}

static void check_step_request(uint64_t process, uint64_t wave)
{
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	uint64_t event;

	check_status("W27 resuming for a step", wave_resume(wave, true), SUCCESS);
	check_number("W27 it is SINGLE_STEP", wave_state(wave), STATE(SINGLE_STEP));
	check_status("W41 stopping it before it has made the step", wave_stop(wave), SUCCESS);
	event = next_event(process, &kind);
	check_number("W41 is answered with COMMAND_TERMINATED", (uint64_t)kind, TERMINATED);
	check_number("W41 of this wave", ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_WAVE),
		     wave);
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
	check_number("W41 which is stopped", wave_state(wave), STATE(STOP));
}

void check_control(uint64_t process, uint64_t wave)
{
	check_resume_errors(wave);
	check_stop_request(process, wave);
	check_step_request(process, wave);
}

void section_stop_requests(void)
{
	uint64_t process = attach_ready("vecadd"), wave = first_wave_stopped(process);
	const amd_dbgapi_process_id_t id = {process};

	suite.api.process_set_progress(id, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	check_control(process, wave);
	suite.api.process_set_progress(id, AMD_DBGAPI_PROGRESS_NORMAL);
	detach(process);
}

/* The first stop of a workload, and the instruction that is so far from its pc; 0: do not look. */
static void check_reason(const char *statement, const char *workload, uint32_t reason, int offset,
			 uint32_t instruction)
{
	uint64_t process = attach_ready(workload), wave;

	suite.api.set_memory_precision((amd_dbgapi_process_id_t){process},
				       AMD_DBGAPI_MEMORY_PRECISION_PRECISE);
	wave = take(process, STOP_EVENT);
	check_number(name_of("%s the first stop of %s", statement, workload), stop_reason(wave),
		     reason);
	if (instruction)
		check_number(name_of("%s the pc of %s is at the instruction", statement, workload),
			     read_word(process, wave_pc(wave) + (uint64_t)offset), instruction);
	detach(process);
}

void section_reasons(void)
{
	/* A trap handler leaves the pc behind the trap; the simulated GPU without one leaves it there, as is documented. */
	check_reason("W9", "assert-trap", REASON(ASSERT_TRAP), suite.over == OVER_DRIVER ? -4 : 0,
		     0xbf920002);
	check_reason("W10", "oob-store", REASON(MEMORY_VIOLATION), 0, 0);
	check_reason("W10", "oob-load", REASON(MEMORY_VIOLATION), 0, 0);
	check_reason("W11", "illegal", REASON(ILLEGAL_INSTRUCTION), 0, 0);
}

/*
 * The first stop of a workload whose exception the runtime is to hear of. A runtime that hears of a bad address ends the program,
 * or cannot end the queue any more; so where there is one it is another exception.
 */
static uint64_t attach_to_failure(uint64_t *wave_ret, amd_dbgapi_exceptions_t *exception_ret)
{
	const bool runtime = suite.over == OVER_DRIVER;
	uint64_t process = attach_ready(runtime ? "illegal" : "oob-store");

	*wave_ret = take(process, STOP_EVENT);
	*exception_ret = runtime ? AMD_DBGAPI_EXCEPTION_WAVE_ILLEGAL_INSTRUCTION
				 : AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION;
	return process;
}

static amd_dbgapi_status_t let_through(uint64_t wave, amd_dbgapi_resume_mode_t mode,
				       amd_dbgapi_exceptions_t exception)
{
	return suite.api.wave_resume((amd_dbgapi_wave_id_t){wave}, mode, exception);
}

/* What a client lets through makes the queue fail: its waves are gone, its packets too. */
static void check_failed_queue(void)
{
	amd_dbgapi_exceptions_t exception;
	uint64_t wave, process = attach_to_failure(&wave, &exception), value;

	check_status("resuming with the exception",
		     let_through(wave, AMD_DBGAPI_RESUME_MODE_NORMAL, exception), SUCCESS);
	check_number("the wave is RUN, and waits for what the runtime does", wave_state(wave),
		     STATE(RUN));
	check("E10 no event tells of the queue's error", nothing_comes(process), "one comes");
	check_number("its queue's waves are gone", handles_of(WT_OBJECT_WAVE, process, NULL, 0), 0);
	check_number("and its dispatch", handles_of(WT_OBJECT_DISPATCH, process, NULL, 0), 0);
	check_status("W30 the wave is no wave any more",
		     get_info(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STATE, 4, &value),
		     ERROR(INVALID_WAVE_ID));
	detach(process);
}

void section_exceptions(void)
{
	amd_dbgapi_exceptions_t exception;
	uint64_t wave, process;

	check_failed_queue();
	process = attach_to_failure(&wave, &exception);
	let_through(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP, exception);
	check_number("E5 a step that the queue's error cuts short gives COMMAND_TERMINATED",
		     take(process, TERMINATED), wave);
	detach(process);
	process = attach_to_failure(&wave, &exception);
	suite.api.process_set_progress((amd_dbgapi_process_id_t){process},
				       AMD_DBGAPI_PROGRESS_NO_FORWARD);
	let_through(wave, AMD_DBGAPI_RESUME_MODE_NORMAL, exception);
	check_status("W36 stopping a wave that is about to end", wave_stop(wave), SUCCESS);
	suite.api.process_set_progress((amd_dbgapi_process_id_t){process},
				       AMD_DBGAPI_PROGRESS_NORMAL);
	check_number("W36 is answered with WAVE_STOP, though its queue fails",
		     take(process, STOP_EVENT), wave);
	detach(process);
}
