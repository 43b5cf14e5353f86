/* SPDX-License-Identifier: MIT */
/* Sessions of a debugger with real programs: run, fault, trap, breakpoint, step, end. */
#include "client.h"

#include <stdio.h>
#include <string.h>

#define STOP_EVENT AMD_DBGAPI_EVENT_KIND_WAVE_STOP
#define TERMINATED_EVENT AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED
#define NORMAL AMD_DBGAPI_RESUME_MODE_NORMAL
#define SINGLE AMD_DBGAPI_RESUME_MODE_SINGLE_STEP
#define NO_EXCEPTION AMD_DBGAPI_EXCEPTION_NONE
#define MAX_WAVES 64

static const char *kernels;
static amd_dbgapi_process_id_t process;

static void use_workload(const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.json", kernels, name);
	setenv("WAVETAPE_WORKLOAD", path, 1);
}

/* Attached, and nothing has run. */
static void begin(const char *workload)
{
	use_workload(workload);
	client_start();
	process = client_attach_ready(1);
}

static int finish(void **state)
{
	(void)state;
	return amd_dbgapi_finalize() == SUCCESS ? 0 : -1;
}

static uint64_t ask_dispatch(amd_dbgapi_dispatch_info_t query)
{
	amd_dbgapi_dispatch_id_t *list;
	uint64_t value = 0;
	size_t count;

	assert_success(amd_dbgapi_process_dispatch_list(process, &count, &list, NULL));
	assert_int_equal(count, 1);
	assert_success(amd_dbgapi_dispatch_get_info(list[0], query, sizeof(value), &value));
	free(list);
	return value;
}

static void read_global(uint64_t address, void *data, size_t size)
{
	amd_dbgapi_size_t done = size;

	assert_success(amd_dbgapi_read_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &done,
					      data));
	assert_int_equal(done, size);
}

static void write_global(uint64_t address, const void *data, size_t size)
{
	amd_dbgapi_size_t done = size;

	assert_success(amd_dbgapi_write_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					       AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &done,
					       data));
	assert_int_equal(done, size);
}

/* The dispatch is there, and its waves stand at their first instruction: nothing runs before an event is asked for. */
static void hold_at_launch(void)
{
	amd_dbgapi_wave_id_t wave;

	assert_true(client_waves(process, &wave, 1));
	assert_int_equal(client_wave_state(wave), AMD_DBGAPI_WAVE_STATE_RUN);
}

/* The address in the kernel's argument @index, if all before it are 8 bytes wide. */
static uint64_t pointer_argument(unsigned int index)
{
	uint64_t pointer;

	read_global(ask_dispatch(AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS) +
			    index * 8,
		    &pointer, sizeof(pointer));
	return pointer;
}

static bool is_finished(void)
{
	amd_dbgapi_dispatch_id_t *dispatches;
	size_t count;

	assert_success(amd_dbgapi_process_dispatch_list(process, &count, &dispatches, NULL));
	free(dispatches);
	return count == 0;
}

static void expect_end(void)
{
	client_expect_none(process);
	assert_true(is_finished());
	assert_int_equal(client_waves(process, NULL, 0), 0);
}

static void resume(amd_dbgapi_wave_id_t wave, amd_dbgapi_resume_mode_t mode)
{
	assert_success(amd_dbgapi_wave_resume(wave, mode, NO_EXCEPTION));
}

static void set_pc(amd_dbgapi_wave_id_t wave, uint64_t pc)
{
	assert_success(amd_dbgapi_write_register(wave, client_register("pc"), 0, sizeof(pc), &pc));
}

/* Like a debugger with `break kernel`: all waves of the first workgroups stop at its first instruction. */
static size_t break_at_entry(amd_dbgapi_wave_id_t *waves, uint64_t *entry_ret)
{
	static const uint8_t trap[4] = {0x01, 0x00, 0x92, 0xbf};
	uint64_t entry = ask_dispatch(AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS);
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;
	size_t count = 0;
	uint8_t saved[4];

	read_global(entry, saved, sizeof(saved));
	write_global(entry, trap, sizeof(trap));
	waves[count++] = client_take(process, STOP_EVENT);
	assert_success(amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD));
	while ((event = client_next(process, &kind)).handle) {
		assert_int_equal(kind, STOP_EVENT);
		assert_true(count < MAX_WAVES);
		assert_success(amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE,
							 sizeof(*waves), &waves[count++]));
		assert_success(amd_dbgapi_event_processed(event));
	}
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(client_stop_reason(waves[i]),
				 AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT);
		assert_int_equal(client_pc(waves[i]), entry + 4);
		set_pc(waves[i], entry);
	}
	write_global(entry, saved, sizeof(saved));
	*entry_ret = entry;
	return count;
}

static void allow_progress(void)
{
	assert_success(amd_dbgapi_process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL));
}

static void test_run_to_the_end(void **state)
{
	float c[1024];
	uint64_t address;

	(void)state;
	begin("vecadd");
	hold_at_launch();
	address = pointer_argument(2);
	expect_end();
	read_global(address, c, sizeof(c));
	for (unsigned int i = 0; i < 1024; i++)
		assert_true(c[i] == (float)i + 2);
}

static void test_memory_violation(void **state)
{
	amd_dbgapi_wave_id_t wave;
	uint32_t number = 99;
	uint64_t pc;

	(void)state;
	begin("oob-store");
	wave = client_take(process, STOP_EVENT);
	assert_int_equal(client_stop_reason(wave), AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	/* work-items 189 to 191 are lanes 61 to 63 of the third wave */
	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP,
						sizeof(number), &number));
	assert_int_equal(number, 2);
	pc = client_pc(wave);
	/* it is still there, and does the same again */
	resume(wave, NORMAL);
	assert_int_equal(client_take(process, STOP_EVENT).handle, wave.handle);
	assert_int_equal(client_pc(wave), pc);
	/* passed to the program, the exception ends all of the queue */
	assert_success(
		amd_dbgapi_wave_resume(wave, NORMAL, AMD_DBGAPI_EXCEPTION_WAVE_MEMORY_VIOLATION));
	expect_end();
}

/* Waves that were there before go on, and those that are created are held. */
static void test_wave_creation(void **state)
{
	(void)state;
	begin("two-kernels");
	hold_at_launch();
	assert_success(
		amd_dbgapi_process_set_wave_creation(process, AMD_DBGAPI_WAVE_CREATION_STOP));
	client_expect_none(process);
	assert_int_equal(client_waves(process, NULL, 0), 0);
	assert_false(is_finished());
	assert_success(
		amd_dbgapi_process_set_wave_creation(process, AMD_DBGAPI_WAVE_CREATION_NORMAL));
	assert_true(client_waves(process, NULL, 0));
	expect_end();
}

static void test_debug_trap(void **state)
{
	amd_dbgapi_wave_id_t waves[2];
	uint32_t data[256], word;
	uint64_t address;

	(void)state;
	begin("debug-trap");
	hold_at_launch();
	address = pointer_argument(0);
	for (unsigned int i = 0; i < 2; i++) {
		waves[i] = client_take(process, STOP_EVENT);
		assert_int_equal(client_stop_reason(waves[i]),
				 AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP);
		read_global(client_pc(waves[i]) - 4, &word, sizeof(word));
		assert_int_equal(word, 0xbf920003);
	}
	client_expect_none(process);
	assert_false(is_finished());
	resume(waves[0], NORMAL);
	resume(waves[1], NORMAL);
	expect_end();
	read_global(address, data, sizeof(data));
	for (unsigned int i = 0; i < 256; i++)
		assert_int_equal(data[i], (i + 1) * 5);
}

static void test_assert_trap(void **state)
{
	amd_dbgapi_wave_id_t wave;
	uint32_t word;

	(void)state;
	begin("assert-trap");
	wave = client_take(process, STOP_EVENT);
	assert_int_equal(client_stop_reason(wave), AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP);
	read_global(client_pc(wave), &word, sizeof(word));
	assert_int_equal(word, 0xbf920002);
}

static void test_illegal_instruction(void **state)
{
	amd_dbgapi_wave_id_t wave;
	uint32_t group[3];

	(void)state;
	begin("illegal");
	wave = client_take(process, STOP_EVENT);
	assert_int_equal(client_stop_reason(wave), AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION);
	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
						sizeof(group), group));
	assert_int_equal(group[0], 2);
	client_expect_none(process);
	assert_int_equal(client_waves(process, NULL, 0), 1);
}

static void test_breakpoint(void **state)
{
	amd_dbgapi_wave_id_t waves[MAX_WAVES];
	uint64_t address, entry;
	float c[1024];
	size_t count;

	(void)state;
	begin("vecadd");
	hold_at_launch();
	address = pointer_argument(2);
	count = break_at_entry(waves, &entry);
	assert_int_equal(count, 16);
	for (size_t i = 0; i < count; i++)
		resume(waves[i], NORMAL);
	allow_progress();
	expect_end();
	read_global(address, c, sizeof(c));
	for (unsigned int i = 0; i < 1024; i++)
		assert_true(c[i] == (float)i + 2);
}

/* Each step goes over one instruction, as the disassembler counts them; the last ends the wave. */
static void test_single_step_to_the_end(void **state)
{
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_wave_id_t waves[MAX_WAVES];
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;
	uint64_t pc, next;
	unsigned int steps;

	(void)state;
	begin("vecadd");
	hold_at_launch();
	break_at_entry(waves, &pc);
	allow_progress();
	assert_success(amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						sizeof(architecture), &architecture));
	for (steps = 0;; steps++) {
		assert_true(steps < 1000);
		resume(waves[0], SINGLE);
		event = client_next(process, &kind);
		if (kind == TERMINATED_EVENT)
			break;
		assert_int_equal(kind, STOP_EVENT);
		assert_success(amd_dbgapi_event_processed(event));
		assert_int_equal(client_stop_reason(waves[0]),
				 AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
		next = client_pc(waves[0]);
		assert_true(next == pc + 4 || next == pc + 8);
		pc = next;
	}
	assert_true(steps > 10);
	assert_success(amd_dbgapi_event_processed(event));
	assert_int_equal(client_waves(process, NULL, 0), 15);
}

static void test_local_memory_is_of_the_workgroup(void **state)
{
	amd_dbgapi_address_space_id_t local;
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_wave_id_t waves[MAX_WAVES];
	amd_dbgapi_size_t size = 4;
	char bytes[4] = "";
	uint64_t entry;

	(void)state;
	begin("reduce");
	hold_at_launch();
	assert_int_equal(break_at_entry(waves, &entry), 16);
	assert_success(amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						sizeof(architecture), &architecture));
	assert_success(amd_dbgapi_dwarf_address_space_to_address_space(architecture, 3, &local));
	assert_success(amd_dbgapi_write_memory(process, waves[0], 0, local, 512, &size, "abcd"));
	/* four waves make a workgroup */
	assert_success(amd_dbgapi_read_memory(process, waves[3], 0, local, 512, &size, bytes));
	assert_memory_equal(bytes, "abcd", 4);
	assert_success(amd_dbgapi_read_memory(process, waves[4], 0, local, 512, &size, bytes));
	assert_memory_not_equal(bytes, "abcd", 4);
	size = 4096;
	assert_status(amd_dbgapi_read_memory(process, waves[0], 0, local, 4096, &size, &size),
		      STATUS(MEMORY_ACCESS));
}

/* What the program stored to its stack is where the debugger looks: lane by lane, and as a whole. */
static void test_private_memory(void **state)
{
	amd_dbgapi_address_space_id_t lane_space, wave_space;
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_wave_id_t waves[MAX_WAVES];
	uint32_t word, again, different = 0;
	amd_dbgapi_size_t size = 4;
	uint64_t entry;

	(void)state;
	begin("private-sort-O0");
	hold_at_launch();
	break_at_entry(waves, &entry);
	allow_progress();
	for (unsigned int i = 0; i < 600; i++) {
		resume(waves[0], SINGLE);
		client_take(process, STOP_EVENT);
	}
	assert_success(amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						sizeof(architecture), &architecture));
	assert_success(
		amd_dbgapi_dwarf_address_space_to_address_space(architecture, 5, &lane_space));
	assert_success(
		amd_dbgapi_dwarf_address_space_to_address_space(architecture, 6, &wave_space));
	for (uint64_t address = 0; address < 64; address += 4) {
		uint32_t first = 0;

		for (uint32_t lane = 0; lane < 64; lane++) {
			assert_success(amd_dbgapi_read_memory(process, waves[0], lane, lane_space,
							      address, &size, &word));
			assert_success(amd_dbgapi_read_memory(
				process, waves[0], AMD_DBGAPI_LANE_NONE, wave_space,
				address * 64 + lane * 4, &size, &again));
			assert_int_equal(word, again);
			first = lane ? first : word;
			different += word != first;
		}
	}
	/* lanes sort different numbers */
	assert_true(different > 0);
}

static amd_dbgapi_segment_address_t global_address(amd_dbgapi_wave_id_t wave, uint32_t lane,
						   amd_dbgapi_address_space_id_t space,
						   uint64_t address)
{
	amd_dbgapi_segment_address_t global = 0;
	amd_dbgapi_size_t contiguous;

	assert_success(amd_dbgapi_convert_address_space(process, wave, lane, space, address,
							AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, &global,
							&contiguous));
	assert_int_equal(amd_dbgapi_convert_address_space(
				 AMD_DBGAPI_PROCESS_NONE, wave, lane, space, address,
				 AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, &global, &contiguous),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID);
	return global;
}

/* The word that a watched lane has when the wave stops because of it. */
static void check_watched_word(amd_dbgapi_wave_id_t wave, uint32_t lane,
			       amd_dbgapi_address_space_id_t space, uint64_t private_address,
			       uint64_t address)
{
	amd_dbgapi_size_t size = 4;
	uint32_t word, again;

	assert_success(
		amd_dbgapi_read_memory(process, wave, lane, space, private_address, &size, &word));
	read_global(address, &again, sizeof(again));
	assert_int_not_equal(word, 0);
	assert_int_equal(word, again);
}

#define VALUES 32 /* where the kernel has its array */

/* Private memory is watched by its global address, here a word of one lane that the wave changes. */
static void test_watched_private_memory(void **state)
{
	amd_dbgapi_wave_id_t waves[MAX_WAVES];
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_address_space_id_t lane_space;
	amd_dbgapi_watchpoint_id_t watchpoint;
	amd_dbgapi_watchpoint_list_t list;
	uint64_t entry, address;

	(void)state;
	begin("private-sort-O0");
	hold_at_launch();
	break_at_entry(waves, &entry);
	allow_progress();
	assert_success(amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						sizeof(architecture), &architecture));
	assert_success(
		amd_dbgapi_dwarf_address_space_to_address_space(architecture, 5, &lane_space));
	address = global_address(waves[0], 40, lane_space, VALUES);
	assert_success(amd_dbgapi_set_watchpoint(
		process, address, 4, AMD_DBGAPI_WATCHPOINT_KIND_STORE_AND_RMW, &watchpoint));
	resume(waves[0], NORMAL);
	assert_int_equal(client_take(process, STOP_EVENT).handle, waves[0].handle);
	assert_int_equal(client_stop_reason(waves[0]), AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT);
	assert_success(amd_dbgapi_wave_get_info(waves[0], AMD_DBGAPI_WAVE_INFO_WATCHPOINTS,
						sizeof(list), &list));
	assert_int_equal(list.count, 1);
	assert_int_equal(list.watchpoint_ids[0].handle, watchpoint.handle);
	free(list.watchpoint_ids);
	check_watched_word(waves[0], 40, lane_space, VALUES, address);
}

/* The registers that a kernel begins with, seen through the API. */
static void test_registers_at_entry(void **state)
{
	amd_dbgapi_wave_id_t waves[MAX_WAVES];
	uint32_t v0[64], group = 99;
	uint64_t entry, exec = 0;

	(void)state;
	begin("vecadd");
	hold_at_launch();
	break_at_entry(waves, &entry);
	assert_success(
		amd_dbgapi_read_register(waves[5], client_register("v0"), 0, sizeof(v0), v0));
	/* the second wave of its workgroup: work-items 64 to 127 */
	for (uint32_t lane = 0; lane < 64; lane++)
		assert_int_equal(v0[lane] & 0x3ff, 64 + lane);
	assert_success(amd_dbgapi_read_register(waves[5], client_register("ttmp8"), 0, 4, &group));
	assert_int_equal(group, 1);
	assert_success(amd_dbgapi_read_register(waves[5], client_register("exec"), 0, 8, &exec));
	assert_int_equal(exec, UINT64_MAX);
}

/* Where the code object was loaded fits what runs. */
static void test_code_object(void **state)
{
	amd_dbgapi_code_object_id_t *list;
	int64_t load_address = 0;
	uint64_t entry;
	size_t count;
	char *uri;

	(void)state;
	begin("vecadd");
	hold_at_launch();
	entry = ask_dispatch(AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS);
	assert_success(amd_dbgapi_process_code_object_list(process, &count, &list, NULL));
	assert_int_equal(count, 1);
	assert_success(amd_dbgapi_code_object_get_info(
		list[0], AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, 8, &load_address));
	assert_in_range(entry, (uint64_t)load_address, (uint64_t)load_address + 0x10000);
	assert_success(amd_dbgapi_code_object_get_info(
		list[0], AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME, sizeof(uri), &uri));
	assert_memory_equal(uri, "file:///", 8);
	assert_non_null(strstr(uri, "/vecadd.co"));
	free(uri);
	free(list);
}

static void test_bad_workload(void **state)
{
	amd_dbgapi_process_id_t none = {0};

	(void)state;
	use_workload("bad-wrong-kernel");
	client_start();
	assert_status(amd_dbgapi_process_attach(CLIENT_PROCESS, &none), STATUS(RESTRICTION));
	assert_int_equal(client_message_level, AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR);
	assert_non_null(strstr(client_message, "bad-wrong-kernel.json"));
	use_workload("does-not-exist");
	assert_status(amd_dbgapi_process_attach(CLIENT_PROCESS, &none), STATUS(RESTRICTION));
	assert_non_null(strstr(client_message, "does-not-exist.json"));
}

/* Two processes at the same time get the same answers, each from its own GPU. */
static void test_same_answers(void **state)
{
	amd_dbgapi_process_id_t both[2];
	uint64_t pcs[2], exec[2];
	size_t counts[2];

	(void)state;
	use_workload("oob-load");
	client_start();
	for (unsigned int i = 0; i < 2; i++) {
		amd_dbgapi_wave_id_t wave;

		both[i] = client_attach_ready(i + 1);
		wave = client_take(both[i], STOP_EVENT);
		pcs[i] = client_pc(wave);
		assert_success(
			amd_dbgapi_read_register(wave, client_register("exec"), 0, 8, &exec[i]));
		counts[i] = client_waves(both[i], NULL, 0);
	}
	assert_int_equal(pcs[0], pcs[1]);
	assert_int_equal(exec[0], exec[1]);
	assert_int_equal(counts[0], counts[1]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_run_to_the_end, finish),
		cmocka_unit_test_teardown(test_memory_violation, finish),
		cmocka_unit_test_teardown(test_wave_creation, finish),
		cmocka_unit_test_teardown(test_debug_trap, finish),
		cmocka_unit_test_teardown(test_assert_trap, finish),
		cmocka_unit_test_teardown(test_illegal_instruction, finish),
		cmocka_unit_test_teardown(test_breakpoint, finish),
		cmocka_unit_test_teardown(test_single_step_to_the_end, finish),
		cmocka_unit_test_teardown(test_local_memory_is_of_the_workgroup, finish),
		cmocka_unit_test_teardown(test_private_memory, finish),
		cmocka_unit_test_teardown(test_watched_private_memory, finish),
		cmocka_unit_test_teardown(test_registers_at_entry, finish),
		cmocka_unit_test_teardown(test_code_object, finish),
		cmocka_unit_test_teardown(test_bad_workload, finish),
		cmocka_unit_test_teardown(test_same_answers, finish),
	};

	if (argc != 2)
		return 1;
	kernels = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
