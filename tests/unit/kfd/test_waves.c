/* SPDX-License-Identifier: MIT */
/* Waves of a process that runs: stopped, looked at, changed, stepped and let go, by what the driver finds in save areas. */
#include "tests/unit/kfd/live.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

/* s_load_dwordx2 s[2:3], s[0:1]; v_lshlrev_b32 v1, 2, v0; v_mov_b32 v2, 7; TRAP; s_waitcnt; global_store v1, v2, s[2:3]; end */
#define KERNEL(trap)                                                                               \
	{                                                                                          \
		0xc0060080, 0, 0x24020082, 0x7e040287, trap, 0xbf8c0000, 0xdc708000, 0x00020201,   \
			0xbf810000,                                                                \
	}
#define NOP 0xbf800000
#define BREAKPOINT 0xbf920001
#define AT_TRAP 16
#define BEHIND_TRAP 20
#define AT_STORE 24
#define AT_END 32

static const uint32_t stops[] = KERNEL(BREAKPOINT), plain[] = KERNEL(NOP);
/* s_trap 1; s_branch over the next; s_nop; s_branch to itself; end */
static const uint32_t branches[] = {BREAKPOINT, 0xbf820001, NOP, 0xbf82ffff, 0xbf810000};
/* s_branch to itself; end. */
static const uint32_t forever[] = {0xbf82ffff, 0xbf810000};
/* s_mov_b32 s4, 64; s_mov_b32 s5, 0; s_load_dwordx2 s[2:3], s[4:5]; s_waitcnt; end */
static const uint32_t faults[] = {0xbe8400c0, 0xbe850080, 0xc0060082, 0, 0xbf8c0000, 0xbf810000};

#define NORMAL AMD_DBGAPI_RESUME_MODE_NORMAL
#define STEP AMD_DBGAPI_RESUME_MODE_SINGLE_STEP
#define WAVE_STOP AMD_DBGAPI_EVENT_KIND_WAVE_STOP
#define TERMINATED AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED
#define NO_EXCEPTION AMD_DBGAPI_EXCEPTION_NONE
#define REASON(name) AMD_DBGAPI_WAVE_STOP_REASON_##name

static void read_word(amd_dbgapi_wave_id_t wave, const char *name, uint64_t offset, uint32_t *value)
{
	assert_success(amd_dbgapi_read_register(wave, live_register(wave, name), offset, 4, value));
}

static void write_word(amd_dbgapi_wave_id_t wave, const char *name, uint64_t offset, uint32_t value)
{
	assert_success(
		amd_dbgapi_write_register(wave, live_register(wave, name), offset, 4, &value));
}

static bool is_gfx90a(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_architecture_id_t architecture;
	bool found;
	char *name;

	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						sizeof(architecture), &architecture));
	assert_success(amd_dbgapi_architecture_get_info(
		architecture, AMD_DBGAPI_ARCHITECTURE_INFO_NAME, sizeof(name), &name));
	found = strstr(name, "gfx90a");
	free(name);
	return found;
}

static void set_progress(amd_dbgapi_progress_t progress)
{
	assert_success(amd_dbgapi_process_set_progress(live.process, progress));
}

/* ---- Stops and registers ---- */

static void a_wave_is_read_and_written(void **state)
{
	uint32_t coordinates[3], value;
	amd_dbgapi_wave_id_t wave;
	uint64_t entry, handle;

	live_begin(state, true);
	live_attach();
	entry = launch(&live.queue, stops, sizeof(stops) / 4);
	wave = live_take_wave(WAVE_STOP);
	assert_int_equal(live_reason(wave), REASON(BREAKPOINT));
	assert_int_equal(live_state(wave), AMD_DBGAPI_WAVE_STATE_STOP);
	assert_int_equal(live_pc(wave), entry + BEHIND_TRAP);
	assert_int_equal(live_wave().handle, wave.handle);
	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
						sizeof(coordinates), coordinates));
	assert_int_equal(coordinates[0] | coordinates[1] | coordinates[2], 0);
	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, 8, &handle));
	assert_success(amd_dbgapi_dispatch_get_info(
		(amd_dbgapi_dispatch_id_t){handle},
		AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, 8, &handle));
	assert_int_equal(handle, entry);
	read_word(wave, "v1", 4 * 3, &value);
	assert_int_equal(value, 12);
	read_word(wave, "v2", 0, &value);
	assert_int_equal(value, 7);
	for (uint32_t lane = 0; lane < LANES; lane++)
		write_word(wave, "v2", 4 * lane, 9 + lane);
	write_word(wave, "exec", 4, 0);
	/* The pc is in a trap temporary, too, where the handler parks waves. */
	write_word(wave, "pc", 0, (uint32_t)entry);
	read_word(wave, "ttmp7", 0, &value);
	assert_int_equal(value, is_gfx90a(wave) ? (uint32_t)entry : 0);
	write_word(wave, "pc", 0, (uint32_t)entry + BEHIND_TRAP);
	live_resume(wave, NORMAL, NO_EXCEPTION);
	assert_true(aql_wait(&live.queue, 1));
	assert_int_equal(result_of(&live.queue, 0), 9);
	assert_int_equal(result_of(&live.queue, 31), 40);
	assert_int_equal(result_of(&live.queue, 32), 0);
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 0);
	assert_int_equal(amd_dbgapi_wave_stop(wave), STATUS(INVALID_WAVE_ID));
	live_detach();
	live_end(1);
}

static void a_wave_is_stepped_to_its_end(void **state)
{
	static const uint32_t pcs[] = {AT_STORE, AT_END};
	amd_dbgapi_wave_id_t wave;
	uint64_t entry;

	live_begin(state, true);
	live_attach();
	entry = launch(&live.queue, stops, sizeof(stops) / 4);
	wave = live_take_wave(WAVE_STOP);
	for (size_t i = 0; i < sizeof(pcs) / sizeof(*pcs); i++) {
		live_resume(wave, STEP, NO_EXCEPTION);
		assert_int_equal(live_take_wave(WAVE_STOP).handle, wave.handle);
		assert_int_equal(live_reason(wave), REASON(SINGLE_STEP));
		assert_int_equal(live_pc(wave), entry + pcs[i]);
	}
	assert_int_equal(result_of(&live.queue, 5), 7);
	live_resume(wave, STEP, NO_EXCEPTION);
	assert_int_equal(live_take_wave(TERMINATED).handle, wave.handle);
	assert_int_equal(amd_dbgapi_wave_stop(wave), STATUS(INVALID_WAVE_ID));
	assert_true(aql_wait(&live.queue, 1));
	assert_int_equal(live_count(amd_dbgapi_process_dispatch_list), 0);
	live_detach();
	live_end(1);
}

/* Hardware would not say of a branch to itself that it was executed. */
static void branches_are_stepped(void **state)
{
	static const uint32_t pcs[] = {12, 12, 12};
	amd_dbgapi_wave_id_t wave;
	uint64_t entry;

	live_begin(state, true);
	live_attach();
	entry = launch(&live.queue, branches, sizeof(branches) / 4);
	wave = live_take_wave(WAVE_STOP);
	for (size_t i = 0; i < sizeof(pcs) / sizeof(*pcs); i++) {
		live_resume(wave, STEP, NO_EXCEPTION);
		assert_int_equal(live_state(wave), AMD_DBGAPI_WAVE_STATE_SINGLE_STEP);
		live_take_wave(WAVE_STOP);
		assert_int_equal(live_reason(wave), REASON(SINGLE_STEP));
		assert_int_equal(live_pc(wave), entry + pcs[i]);
	}
	write_word(wave, "pc", 0, (uint32_t)(entry + 16));
	live_resume(wave, NORMAL, NO_EXCEPTION);
	live_detach();
	live_end(1);
}

/* ---- What is asked of a wave that runs ---- */

static void a_wave_that_runs_is_stopped(void **state)
{
	amd_dbgapi_wave_id_t wave;
	uint64_t entry;

	live_begin(state, true);
	live_attach();
	entry = launch(&live.queue, forever, 2);
	wave = live_wave();
	assert_int_equal(live_state(wave), AMD_DBGAPI_WAVE_STATE_RUN);
	assert_success(amd_dbgapi_wave_stop(wave));
	assert_int_equal(amd_dbgapi_wave_stop(wave), STATUS(WAVE_OUTSTANDING_STOP));
	assert_int_equal(live_take_wave(WAVE_STOP).handle, wave.handle);
	assert_int_equal(live_reason(wave), REASON(NONE));
	assert_int_equal(live_pc(wave), entry);
	live_resume(wave, NORMAL, NO_EXCEPTION);
	assert_success(amd_dbgapi_wave_stop(wave));
	live_take_wave(WAVE_STOP);
	write_word(wave, "pc", 0, (uint32_t)(entry + 4));
	live_detach();
	live_end(1);
}

/* It may have ended since it was listed: then there is none, and no event of it. */
static void a_wave_that_has_ended_is_none(void **state)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;
	amd_dbgapi_wave_id_t wave;

	live_begin(state, true);
	live_attach();
	for (uint64_t i = 0; i < 2; i++) {
		launch(&live.queue, stops, sizeof(stops) / 4);
		wave = live_take_wave(WAVE_STOP);
		live_resume(wave, NORMAL, NO_EXCEPTION);
		assert_true(aql_wait(&live.queue, i + 1));
		assert_int_equal(i ? amd_dbgapi_wave_stop(wave)
				   : amd_dbgapi_wave_resume(wave, NORMAL, NO_EXCEPTION),
				 STATUS(INVALID_WAVE_ID));
		assert_success(amd_dbgapi_process_next_pending_event(live.process, &event, &kind));
		assert_int_equal(kind, AMD_DBGAPI_EVENT_KIND_NONE);
	}
	live_detach();
	live_end(2);
}

/* A wave that only the debugger has stopped goes on without it; it is another one for the next. */
static void detaching_lets_waves_go(void **state)
{
	amd_dbgapi_wave_id_t wave;

	live_begin(state, true);
	live_attach();
	launch(&live.queue, stops, sizeof(stops) / 4);
	wave = live_take_wave(WAVE_STOP);
	write_word(wave, "v2", 0, 77);
	live_detach();
	assert_true(aql_wait(&live.queue, 1));
	assert_int_equal(result_of(&live.queue, 0), 77);
	live_attach();
	launch(&live.queue, stops, sizeof(stops) / 4);
	assert_int_equal(live_take_wave(WAVE_STOP).handle, wave.handle + 1);
	live_end(2);
}

/* What has stopped before the debugger came is reported after the runtime. */
static void a_stop_is_older_than_the_debugger(void **state)
{
	struct debugger debugger;
	amd_dbgapi_wave_id_t wave;
	struct kfd_runtime_info info;

	live_begin(state, true);
	told_runtime(&live.queue);
	debugger = debugger_of(live.session, getpid());
	assert_int_equal(debugger_attach(&debugger, UINT64_C(0x80010000003f), &info), 0);
	launch(&live.queue, faults, sizeof(faults) / 4);
	assert_true(debugger_notified(&debugger));
	debug_must(&debugger, KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0});
	debugger_close(&debugger);
	live_attach();
	wave = live_take_wave(WAVE_STOP);
	assert_int_equal(live_reason(wave), REASON(MEMORY_VIOLATION));
	live_resume(wave, NORMAL, AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION);
	live_detach();
	live_end(0);
}

static void a_fault_is_passed_on(void **state)
{
	const uint64_t violation = KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MEMORY);
	amd_dbgapi_wave_id_t wave;
	uint64_t *told, entry;

	live_begin(state, true);
	told = told_runtime(&live.queue);
	live_attach();
	assert_success(
		amd_dbgapi_set_memory_precision(live.process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE));
	entry = launch(&live.queue, faults, sizeof(faults) / 4);
	wave = live_take_wave(WAVE_STOP);
	assert_int_equal(live_reason(wave), REASON(MEMORY_VIOLATION));
	/* Right behind the load, which has two words. */
	assert_int_equal(live_pc(wave), entry + 16);
	assert_int_equal(*told, 0);
	live_resume(wave, NORMAL, AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION);
	assert_int_equal(*told, violation);
	/* It stays where it is: the runtime ends the program. */
	assert_success(amd_dbgapi_wave_stop(wave));
	live_take_wave(WAVE_STOP);
	assert_int_equal(live_pc(wave), entry + 16);
	live_detach();
	live_end(0);
}

/* ---- Progress, launches ---- */

/* While nothing has to go on, one suspension is enough for whatever is asked. */
static void progress_is_held(void **state)
{
	amd_dbgapi_wave_id_t wave;
	unsigned int suspended;
	struct aql second;
	uint32_t value;

	live_begin(state, true);
	live_attach();
	launch(&live.queue, stops, sizeof(stops) / 4);
	wave = live_take_wave(WAVE_STOP);
	suspended = live_faults.suspended;
	set_progress(AMD_DBGAPI_PROGRESS_NO_FORWARD);
	for (uint32_t i = 0; i < 8; i++) {
		assert_int_equal(live_wave().handle, wave.handle);
		read_word(wave, "v2", 4 * i, &value);
		write_word(wave, "v2", 4 * i, i);
		live_resume(wave, NORMAL, NO_EXCEPTION);
		assert_success(amd_dbgapi_wave_stop(wave));
		live_take_wave(WAVE_STOP);
	}
	assert_int_equal(live_faults.suspended, suspended + 1);
	live_resume(wave, NORMAL, NO_EXCEPTION);
	usleep(20000);
	assert_int_equal(result_of(&live.queue, 7), 0);
	/* A queue that is made meanwhile is there, and stands, too. */
	second = session_queue_with(live.session, 126 * PAGE);
	assert_int_equal(live_count(amd_dbgapi_process_queue_list), 2);
	launch(&second, plain, sizeof(plain) / 4);
	usleep(20000);
	assert_int_equal(result_of(&second, 7), 0);
	set_progress(AMD_DBGAPI_PROGRESS_NORMAL);
	assert_true(aql_wait(&second, 1));
	assert_true(aql_wait(&live.queue, 1));
	assert_int_equal(result_of(&live.queue, 6), 6);
	assert_int_equal(result_of(&live.queue, 8), 7);
	live_detach();
	live_end(1);
}

static void new_waves_are_held_at_their_launch(void **state)
{
	amd_dbgapi_wave_id_t wave;
	uint64_t entry;

	live_begin(state, true);
	live_attach();
	assert_success(
		amd_dbgapi_process_set_wave_creation(live.process, AMD_DBGAPI_WAVE_CREATION_STOP));
	entry = launch(&live.queue, forever, 2);
	while (!live_count(amd_dbgapi_process_dispatch_list))
		;
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 0);
	assert_success(amd_dbgapi_process_set_wave_creation(live.process,
							    AMD_DBGAPI_WAVE_CREATION_NORMAL));
	wave = live_wave();
	assert_success(amd_dbgapi_wave_stop(wave));
	live_take_wave(WAVE_STOP);
	write_word(wave, "pc", 0, (uint32_t)(entry + 4));
	live_resume(wave, NORMAL, NO_EXCEPTION);
	assert_true(aql_wait(&live.queue, 1));
	/* Those that nobody has let go do so when the debugger has gone. */
	assert_success(
		amd_dbgapi_process_set_wave_creation(live.process, AMD_DBGAPI_WAVE_CREATION_STOP));
	launch(&live.queue, plain, sizeof(plain) / 4);
	while (!live_count(amd_dbgapi_process_dispatch_list))
		;
	live_detach();
	live_end(2);
	assert_int_equal(result_of(&live.queue, 3), 7);
}

static amd_dbgapi_notifier_t find_notifier(void)
{
	amd_dbgapi_notifier_t notifier;

	assert_success(amd_dbgapi_process_get_info(live.process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
						   sizeof(notifier), &notifier));
	return notifier;
}

/* Makes the driver's next word on what happens the first one. */
static void forget_notices(void)
{
	char byte;

	while (read(find_notifier(), &byte, 1) == 1)
		;
}

/* Waits until something has happened, of which the library is not asked yet. */
static void wait_for_notice(void)
{
	struct pollfd wait = {.fd = find_notifier(), .events = POLLIN};

	assert_int_equal(poll(&wait, 1, 60000), 1);
}

/* A wave that nobody has seen yet may have run before: it is not one that waits at its launch, and its stop is one like others. */
static void waves_that_run_already_are_not_held(void **state)
{
	amd_dbgapi_wave_id_t wave;

	live_begin(state, true);
	live_attach();
	forget_notices();
	launch(&live.queue, stops, sizeof(stops) / 4);
	wait_for_notice();
	assert_success(
		amd_dbgapi_process_set_wave_creation(live.process, AMD_DBGAPI_WAVE_CREATION_STOP));
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 1);
	wave = live_take_wave(WAVE_STOP);
	assert_int_equal(live_reason(wave), REASON(BREAKPOINT));
	live_resume(wave, NORMAL, NO_EXCEPTION);
	assert_true(aql_wait(&live.queue, 1));
	live_detach();
	live_end(1);
}

/* Nobody has looked between the launch and the end of holding. */
static void waves_that_were_held_unseen_go_on(void **state)
{
	live_begin(state, true);
	live_attach();
	assert_success(
		amd_dbgapi_process_set_wave_creation(live.process, AMD_DBGAPI_WAVE_CREATION_STOP));
	launch(&live.queue, plain, sizeof(plain) / 4);
	usleep(50000);
	assert_int_equal(result_of(&live.queue, 3), 0);
	assert_success(amd_dbgapi_process_set_wave_creation(live.process,
							    AMD_DBGAPI_WAVE_CREATION_NORMAL));
	assert_true(aql_wait(&live.queue, 1));
	assert_int_equal(result_of(&live.queue, 3), 7);
	live_detach();
	live_end(1);
}

/* What is frozen is read as a core: the same waves, with what the debugger has changed of them. */
static void a_frozen_process_is_its_core(void **state)
{
	amd_dbgapi_process_id_t process;
	amd_dbgapi_wave_id_t wave, same, *waves;
	uint32_t value;
	size_t count;
	uint64_t pc;

	live_begin(state, true);
	live_attach();
	launch(&live.queue, stops, sizeof(stops) / 4);
	wave = live_take_wave(WAVE_STOP);
	pc = live_pc(wave);
	write_word(wave, "v2", 12, 4711);
	assert_int_equal(amd_dbgapi_process_freeze(live.process),
			 STATUS(INCOMPATIBLE_PROCESS_STATE));
	set_progress(AMD_DBGAPI_PROGRESS_NO_FORWARD);
	assert_success(
		amd_dbgapi_process_set_wave_creation(live.process, AMD_DBGAPI_WAVE_CREATION_STOP));
	assert_success(amd_dbgapi_process_freeze(live.process));
	assert_success(amd_dbgapi_process_get_info(live.process, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
						   sizeof(live.core), &live.core));
	assert_success(amd_dbgapi_process_attach(LIVE_CORE, &process));
	assert_success(amd_dbgapi_process_wave_list(process, &count, &waves, NULL));
	assert_int_equal(count, 1);
	same = waves[0];
	free(waves);
	read_word(same, "v2", 12, &value);
	assert_int_equal(value, 4711);
	read_word(same, "v1", 12, &value);
	assert_int_equal(value, 12);
	read_word(same, "pc", 0, &value);
	assert_int_equal(value, (uint32_t)pc);
	assert_success(amd_dbgapi_process_detach(process));
	assert_success(amd_dbgapi_process_unfreeze(live.process));
	free((void *)(uintptr_t)live.core.data);
	live_resume(wave, NORMAL, NO_EXCEPTION);
	live_detach();
	live_end(1);
	assert_int_equal(result_of(&live.queue, 3), 4711);
}

/* ---- Precise memory and arithmetic ---- */

static uint32_t flags_told, flags_calls; /* the driver, and how often */

static void note_flags(const struct kfd_debug_trap *args)
{
	if (args->operation != KFD_DEBUG_SET_FLAGS)
		return;
	flags_told = args->set_flags.flags;
	flags_calls++;
}

/* The driver hears of each change, and once of the end; a setting that stays is not told. */
static void arithmetic_can_be_precise(void **state)
{
	const amd_dbgapi_alu_exceptions_precision_t precise =
		AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE;

	live_begin(state, true);
	live_attach();
	flags_told = flags_calls = 0;
	live_faults.before = note_flags;
	assert_int_equal(
		amd_dbgapi_set_memory_precision(live.process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE),
		STATUS(NOT_SUPPORTED));
	assert_int_equal(flags_calls, 0);
	assert_success(amd_dbgapi_set_alu_exceptions_precision(live.process, precise));
	assert_int_equal(flags_told, KFD_FLAG_PRECISE_ALU);
	assert_success(amd_dbgapi_set_alu_exceptions_precision(live.process, precise));
	assert_int_equal(flags_calls, 1);
	assert_success(amd_dbgapi_set_alu_exceptions_precision(
		live.process, AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_NONE));
	assert_int_equal(flags_told, 0);
	assert_success(amd_dbgapi_set_alu_exceptions_precision(live.process, precise));
	live_detach();
	assert_int_equal(flags_told, 0);
	assert_int_equal(flags_calls, 4);
	live_end(0);
}

static void memory_alone_can_be_precise(void **state)
{
	live_begin(state, true);
	live_attach();
	flags_told = flags_calls = 0;
	live_faults.before = note_flags;
	assert_success(
		amd_dbgapi_set_memory_precision(live.process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE));
	assert_int_equal(flags_told, KFD_FLAG_PRECISE_MEMORY);
	assert_int_equal(amd_dbgapi_set_alu_exceptions_precision(
				 live.process, AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE),
			 STATUS(NOT_SUPPORTED));
	assert_int_equal(amd_dbgapi_set_alu_exceptions_precision(
				 live.process, (amd_dbgapi_alu_exceptions_precision_t)2),
			 STATUS(INVALID_ARGUMENT));
	assert_int_equal(flags_calls, 1);
	live_detach();
	assert_int_equal(flags_told, 0);
	live_end(0);
}

/* ---- Watchpoints, displaced steps ---- */

static void a_watchpoint_is_hit(void **state)
{
	amd_dbgapi_watchpoint_id_t watchpoint[5];
	amd_dbgapi_watchpoint_list_t hit;
	amd_dbgapi_wave_id_t wave;
	uint64_t address;

	live_begin(state, true);
	address = live.queue.room.address + 12288;
	live_attach();
	assert_success(
		amd_dbgapi_set_memory_precision(live.process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE));
	for (size_t i = 0; i < 4; i++)
		assert_success(amd_dbgapi_set_watchpoint(
			live.process, i == 2 ? address : 0x10000 * (i + 1), 4,
			AMD_DBGAPI_WATCHPOINT_KIND_STORE_AND_RMW, &watchpoint[i]));
	assert_int_equal(amd_dbgapi_set_watchpoint(live.process, 0x90000, 4,
						   AMD_DBGAPI_WATCHPOINT_KIND_ALL, &watchpoint[4]),
			 STATUS(NO_WATCHPOINT_AVAILABLE));
	launch(&live.queue, plain, sizeof(plain) / 4);
	wave = live_take_wave(WAVE_STOP);
	assert_int_equal(live_reason(wave), REASON(WATCHPOINT));
	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_WATCHPOINTS, sizeof(hit),
						&hit));
	assert_int_equal(hit.count, 1);
	assert_int_equal(hit.watchpoint_ids[0].handle, watchpoint[2].handle);
	free(hit.watchpoint_ids);
	live_resume(wave, NORMAL, NO_EXCEPTION);
	assert_true(aql_wait(&live.queue, 1));
	for (size_t i = 0; i < 4; i++)
		assert_success(amd_dbgapi_remove_watchpoint(watchpoint[i]));
	launch(&live.queue, plain, sizeof(plain) / 4);
	assert_true(aql_wait(&live.queue, 2));
	live_detach();
	live_end(2);
}

/* The instruction that a breakpoint covers is executed elsewhere, or by the library if it is a branch. */
static void an_instruction_is_stepped_elsewhere(void **state)
{
	const uint32_t move = 0x7e0402ff, literal = 1234, branch = 0xbf820002;
	/* s_trap 1; v_mov_b32 v2, 1234 under a breakpoint; and a branch under one. */
	const uint32_t code[] = {BREAKPOINT, BREAKPOINT, literal, BREAKPOINT, NOP, NOP, 0xbf810000};
	amd_dbgapi_displaced_stepping_id_t displaced;
	amd_dbgapi_wave_id_t wave;
	uint64_t entry;
	uint32_t value;

	live_begin(state, true);
	live_attach();
	entry = launch(&live.queue, code, sizeof(code) / 4);
	wave = live_take_wave(WAVE_STOP);
	assert_success(amd_dbgapi_displaced_stepping_start(wave, &move, &displaced));
	assert_int_not_equal(live_pc(wave), entry + 4);
	live_resume(wave, STEP, NO_EXCEPTION);
	live_take_wave(WAVE_STOP);
	assert_success(amd_dbgapi_displaced_stepping_complete(wave, displaced));
	assert_int_equal(live_reason(wave), REASON(SINGLE_STEP));
	assert_int_equal(live_pc(wave), entry + 12);
	read_word(wave, "v2", 8, &value);
	assert_int_equal(value, literal);
	assert_success(amd_dbgapi_displaced_stepping_start(wave, &branch, &displaced));
	live_resume(wave, STEP, NO_EXCEPTION);
	live_take_wave(WAVE_STOP);
	assert_success(amd_dbgapi_displaced_stepping_complete(wave, displaced));
	assert_int_equal(live_pc(wave), entry + 24);
	live_detach();
	live_end(1);
}

/* One that our tables do not have, but LLVM's: an image instruction. */
static void what_hardware_alone_executes_is_stepped_elsewhere(void **state)
{
	const uint32_t image[2] = {0xf0000f00, 0x00000001}, nothing[2] = {0xffffffff, 0xffffffff};
	const uint32_t code[] = {BREAKPOINT, BREAKPOINT, image[1], 0xbf810000};
	amd_dbgapi_displaced_stepping_id_t displaced;
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_wave_id_t wave;
	amd_dbgapi_size_t size = 8;
	amd_dbgapi_status_t known;
	uint64_t entry;
	uint32_t words[2];

	live_begin(state, true);
	live_attach();
	entry = launch(&live.queue, code, sizeof(code) / 4);
	wave = live_take_wave(WAVE_STOP);
	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						sizeof(architecture), &architecture));
	known = amd_dbgapi_disassemble_instruction(architecture, entry, &size, image, NULL,
						   (amd_dbgapi_symbolizer_id_t)0, NULL);
	assert_int_equal(amd_dbgapi_displaced_stepping_start(wave, nothing, &displaced),
			 STATUS(ILLEGAL_INSTRUCTION));
	/* Without LLVM, or with one that is too old, nobody knows it. */
	if (known == SUCCESS) {
		assert_success(amd_dbgapi_displaced_stepping_start(wave, image, &displaced));
		memcpy(words, (void *)(uintptr_t)live_pc(wave), sizeof(words));
		assert_memory_equal(words, image, sizeof(words));
		assert_success(amd_dbgapi_displaced_stepping_complete(wave, displaced));
	}
	assert_int_equal(live_pc(wave), entry + 4);
	write_word(wave, "pc", 0, (uint32_t)(entry + 12));
	live_detach();
	live_end(1);
}

/* ---- Workgroups, local memory, queues ---- */

/* v_mov_b32 v2, 42; v_mov_b32 v1, 0; s_mov_b32 m0, -1; ds_write_b32 v1, v2 offset:8; s_waitcnt; s_trap 1; ds_read_b32 v2, v1 offset:12;
   s_waitcnt; s_load_dwordx2 s[2:3], s[0:1]; s_waitcnt; global_store_dword v1, v2, s[2:3]; end */
static const uint32_t local[] = {0x7e0402ff, 42,	 0x7e020280, 0xbefc00c1, 0xd81a0008,
				 0x00000201, 0xbf8cc07f, BREAKPOINT, 0xd86c000c, 0x02000001,
				 0xbf8cc07f, 0xc0060080, 0,	     0xbf8cc07f, 0xdc708000,
				 0x00020201, 0xbf810000};

static void local_memory_is_read_and_written(void **state)
{
	amd_dbgapi_address_space_id_t space;
	amd_dbgapi_architecture_id_t architecture;
	uint32_t value = 0, written = 4711;
	amd_dbgapi_wave_id_t wave;
	amd_dbgapi_size_t size = 4;

	live_begin(state, true);
	live_attach();
	launch_with_local(&live.queue, local, sizeof(local) / 4, 64);
	wave = live_take_wave(WAVE_STOP);
	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						sizeof(architecture), &architecture));
	assert_success(amd_dbgapi_dwarf_address_space_to_address_space(architecture, 3, &space));
	assert_success(amd_dbgapi_read_memory(live.process, wave, AMD_DBGAPI_LANE_NONE, space, 8,
					      &size, &value));
	assert_int_equal(value, 42);
	assert_success(amd_dbgapi_write_memory(live.process, wave, AMD_DBGAPI_LANE_NONE, space, 12,
					       &size, &written));
	/* It has so much, in hardware's granules. */
	assert_int_equal(amd_dbgapi_read_memory(live.process, wave, AMD_DBGAPI_LANE_NONE, space,
						512, &size, &value),
			 STATUS(MEMORY_ACCESS));
	live_resume(wave, NORMAL, NO_EXCEPTION);
	assert_true(aql_wait(&live.queue, 1));
	assert_int_equal(result_of(&live.queue, 0), written);
	live_detach();
	live_end(1);
}

static void many_waves_of_two_queues_are_told_apart(void **state)
{
	enum { GROUPS = 4 }; /* so many the device has of a queue at once */
	amd_dbgapi_wave_id_t waves[2 * GROUPS];
	uint64_t queues[2] = {0}, queue;
	struct aql second;
	uint32_t group[3];
	bool seen[2][GROUPS] = {{false}};

	live_begin(state, true);
	second = session_queue_with(live.session, 126 * PAGE);
	live_attach();
	launch_groups(&live.queue, stops, sizeof(stops) / 4, GROUPS);
	launch_groups(&second, stops, sizeof(stops) / 4, GROUPS);
	for (size_t i = 0; i < 2 * GROUPS; i++) {
		waves[i] = live_take_wave(WAVE_STOP);
		assert_success(
			amd_dbgapi_wave_get_info(waves[i], AMD_DBGAPI_WAVE_INFO_QUEUE, 8, &queue));
		assert_success(amd_dbgapi_wave_get_info(
			waves[i], AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, sizeof(group), group));
		if (!queues[0])
			queues[0] = queue;
		if (queue != queues[0])
			queues[1] = queue;
		assert_true(group[0] < GROUPS && !seen[queue == queues[1]][group[0]]);
		seen[queue == queues[1]][group[0]] = true;
		write_word(waves[i], "v2", 0, 100 + group[0]);
	}
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 2 * GROUPS);
	assert_int_equal(live_count(amd_dbgapi_process_workgroup_list), 2 * GROUPS);
	assert_int_equal(live_count(amd_dbgapi_process_dispatch_list), 2);
	for (size_t i = 0; i < 2 * GROUPS; i += 2)
		live_resume(waves[i], NORMAL, NO_EXCEPTION);
	while (live_count(amd_dbgapi_process_wave_list) != GROUPS)
		;
	for (size_t i = 1; i < 2 * GROUPS; i += 2)
		live_resume(waves[i], NORMAL, NO_EXCEPTION);
	assert_true(aql_wait(&second, 1));
	assert_true(aql_wait(&live.queue, 1));
	assert_int_equal(live_count(amd_dbgapi_process_dispatch_list), 0);
	assert_int_equal(live_count(amd_dbgapi_process_workgroup_list), 0);
	assert_int_equal(live_count(amd_dbgapi_process_queue_list), 2);
	assert_int_equal(
		call(live.session, 0x03, &(struct kfd_destroy_queue){.queue_id = second.id}), 0);
	assert_int_equal(live_count(amd_dbgapi_process_queue_list), 1);
	live_detach();
	live_end(1);
}

/* ---- Queues that go with waves in them ---- */

/* s_trap 1; s_trap 1; s_branch to itself */
static const uint32_t two_stops[] = {BREAKPOINT, BREAKPOINT, 0xbf82ffff, 0xbf810000};

static void destroy_queue(uint32_t id)
{
	assert_int_equal(call(live.session, 0x03, &(struct kfd_destroy_queue){.queue_id = id}), 0);
}

static void expect_no_event(void)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;

	assert_success(amd_dbgapi_process_next_pending_event(live.process, &event, &kind));
	assert_int_equal(kind, AMD_DBGAPI_EVENT_KIND_NONE);
}

/* Lets the second of two waves come to its next stop, which is found when the first one goes on, and told to nobody. */
static void find_stop_of_the_second(void **state, amd_dbgapi_wave_id_t waves[2],
				    amd_dbgapi_resume_mode_t mode)
{
	live_begin(state, true);
	live_attach();
	launch_groups(&live.queue, two_stops, sizeof(two_stops) / 4, 2);
	for (size_t i = 0; i < 2; i++)
		waves[i] = live_take_wave(WAVE_STOP);
	forget_notices();
	live_resume(waves[1], mode, NO_EXCEPTION);
	wait_for_notice();
	live_resume(waves[0], NORMAL, NO_EXCEPTION);
	destroy_queue(live.queue.id);
}

/* A debugger asks of each stop why the wave stands, and ends if there is no such wave. */
static void no_stop_is_told_of_a_wave_that_is_gone(void **state)
{
	amd_dbgapi_wave_id_t waves[2];

	find_stop_of_the_second(state, waves, NORMAL);
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 0);
	expect_no_event();
	live_detach();
	live_end(0);
}

static void a_step_that_was_told_to_nobody_is_cut_short(void **state)
{
	amd_dbgapi_wave_id_t waves[2];

	find_stop_of_the_second(state, waves, STEP);
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 0);
	assert_int_equal(live_take_wave(TERMINATED).handle, waves[1].handle);
	expect_no_event();
	live_detach();
	live_end(0);
}

/* The queue goes right after the driver has said that something has happened in it. */
static void destroy_after_event(struct kfd_debug_trap *args)
{
	if (args->operation != KFD_DEBUG_QUERY_EVENT ||
	    !(args->query_event.exceptions & KFD_EXCEPTION(KFD_EXCEPTION_WAVE_TRAP)))
		return;
	live_faults.after = NULL;
	destroy_queue(args->query_event.queue_id);
}

/* Asking for the next event takes nothing away from a client that is in the middle of one. */
static void a_wave_stays_while_its_event_is_looked_at(void **state)
{
	amd_dbgapi_wave_id_t waves[2];
	amd_dbgapi_event_id_t event;
	uint32_t value;

	live_begin(state, true);
	live_attach();
	launch_groups(&live.queue, two_stops, sizeof(two_stops) / 4, 2);
	waves[1] = live_take_wave(WAVE_STOP);
	event = live_expect(WAVE_STOP);
	assert_success(amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(*waves),
						 &waves[0]));
	forget_notices();
	live_resume(waves[1], NORMAL, NO_EXCEPTION);
	wait_for_notice();
	live_faults.after = destroy_after_event;
	expect_no_event();
	assert_null(live_faults.after);
	assert_int_equal(live_reason(waves[0]), REASON(BREAKPOINT));
	assert_int_equal(live_state(waves[0]), AMD_DBGAPI_WAVE_STATE_STOP);
	live_process(event);
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 0);
	assert_int_equal(live_count(amd_dbgapi_process_queue_list), 0);
	assert_int_equal(amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_STATE, 4, &value),
			 STATUS(INVALID_WAVE_ID));
	live_detach();
	live_end(0);
}

static uint32_t suspended_together;

static void note_suspended(const struct kfd_debug_trap *args)
{
	if (args->operation == KFD_DEBUG_SUSPEND_QUEUES && args->suspend.count > suspended_together)
		suspended_together = args->suspend.count;
}

static void what_concerns_one_queue_leaves_others_alone(void **state)
{
	amd_dbgapi_wave_id_t waves[2];
	struct aql second;
	uint32_t value;

	live_begin(state, true);
	second = session_queue_with(live.session, 126 * PAGE);
	live_attach();
	launch(&live.queue, stops, sizeof(stops) / 4);
	launch(&second, stops, sizeof(stops) / 4);
	for (size_t i = 0; i < 2; i++)
		waves[i] = live_take_wave(WAVE_STOP);
	suspended_together = 0;
	live_faults.before = note_suspended;
	read_word(waves[0], "s2", 0, &value);
	live_resume(waves[0], STEP, NO_EXCEPTION);
	assert_int_equal(live_take_wave(WAVE_STOP).handle, waves[0].handle);
	live_resume(waves[1], STEP, NO_EXCEPTION);
	assert_int_equal(live_take_wave(WAVE_STOP).handle, waves[1].handle);
	assert_int_equal(suspended_together, 1);
	/* What is asked of all suspends all. */
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 2);
	assert_int_equal(suspended_together, 2);
	for (size_t i = 0; i < 2; i++)
		live_resume(waves[i], NORMAL, NO_EXCEPTION);
	assert_true(aql_wait(&second, 1));
	live_detach();
	live_end(1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, session_start, session_end)
#define TEST_GFX942(name)                                                                          \
	{                                                                                          \
#name " on gfx942", name, start_gfx942, session_end, NULL                          \
	}

static int start_gfx942(void **state)
{
	return session_start_with(state, "gfx942", 0);
}

static int start_gfx1201(void **state)
{
	return session_start_with(state, "gfx1201", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_wave_is_read_and_written),
		TEST_GFX942(a_wave_is_read_and_written),
		TEST(a_wave_is_stepped_to_its_end),
		TEST_GFX942(a_wave_is_stepped_to_its_end),
		TEST(branches_are_stepped),
		TEST_GFX942(branches_are_stepped),
		TEST(a_wave_that_runs_is_stopped),
		TEST_GFX942(a_wave_that_runs_is_stopped),
		TEST(a_wave_that_has_ended_is_none),
		TEST(detaching_lets_waves_go),
		TEST(a_stop_is_older_than_the_debugger),
		TEST(a_fault_is_passed_on),
		TEST(progress_is_held),
		TEST(new_waves_are_held_at_their_launch),
		TEST_GFX942(new_waves_are_held_at_their_launch),
		TEST(waves_that_run_already_are_not_held),
		TEST_GFX942(waves_that_run_already_are_not_held),
		TEST(waves_that_were_held_unseen_go_on),
		TEST_GFX942(waves_that_were_held_unseen_go_on),
		TEST(a_frozen_process_is_its_core),
		TEST_GFX942(a_frozen_process_is_its_core),
		cmocka_unit_test_setup_teardown(arithmetic_can_be_precise, start_gfx1201,
						session_end),
		TEST(memory_alone_can_be_precise),
		TEST(a_watchpoint_is_hit),
		TEST_GFX942(a_watchpoint_is_hit),
		TEST(an_instruction_is_stepped_elsewhere),
		TEST_GFX942(an_instruction_is_stepped_elsewhere),
		TEST(what_hardware_alone_executes_is_stepped_elsewhere),
		TEST(local_memory_is_read_and_written),
		TEST_GFX942(local_memory_is_read_and_written),
		TEST(no_stop_is_told_of_a_wave_that_is_gone),
		TEST_GFX942(no_stop_is_told_of_a_wave_that_is_gone),
		TEST(a_step_that_was_told_to_nobody_is_cut_short),
		TEST_GFX942(a_step_that_was_told_to_nobody_is_cut_short),
		TEST(a_wave_stays_while_its_event_is_looked_at),
		TEST_GFX942(a_wave_stays_while_its_event_is_looked_at),
		TEST(what_concerns_one_queue_leaves_others_alone),
		TEST_GFX942(what_concerns_one_queue_leaves_others_alone),
		TEST(many_waves_of_two_queues_are_told_apart),
		TEST_GFX942(many_waves_of_two_queues_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
