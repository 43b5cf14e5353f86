/* SPDX-License-Identifier: MIT */
/* What AMD's library makes of a core, and ours as well: orders, numbers, agents, displaced stepping. */
#include "core-client.h"

/* Those that stopped by themselves come first, in the order of the core; then the others, in the list's. */
static void test_order(void **state)
{
	static const uint64_t listed[] = {16, 15, 14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
	static const uint64_t stopped[] = {4, 8, 12, 16, 15, 14, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13};
	amd_dbgapi_wave_id_t waves[MAX_WAVES];

	(void)state;
	begin("matmul-short-buffer");
	assert_success(amd_dbgapi_process_detach(live));
	assert_success(amd_dbgapi_finalize());
	begin("matmul-short-buffer");
	freeze_and_keep();
	assert_success(amd_dbgapi_finalize());
	client_start();
	core = client_attach_ready(CORE_PROCESS);
	assert_int_equal(client_waves(core, waves, MAX_WAVES), 16);
	for (int i = 0; i < 16; i++)
		assert_int_equal(waves[i].handle, listed[i]);
	for (int i = 0; i < 16; i++)
		assert_int_equal(client_take(core, STOP_EVENT).handle, stopped[i]);
}

static uint32_t read_word(amd_dbgapi_wave_id_t wave, const char *name)
{
	uint32_t word;

	assert_success(amd_dbgapi_read_register(wave, client_register(name), 0, 4, &word));
	return word;
}

/* Numbers go on over attachments, also those of dispatches. */
static void test_attach_again(void **state)
{
	amd_dbgapi_dispatch_id_t dispatch;
	uint64_t first;

	(void)state;
	begin("oob-load");
	freeze_and_keep();
	for (int i = 0; i < 3; i++) {
		amd_dbgapi_wave_id_t wave;

		core = client_attach_ready(CORE_PROCESS);
		wave = client_take(core, STOP_EVENT);
		assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_DISPATCH,
							sizeof(dispatch), &dispatch));
		first = i ? first : dispatch.handle;
		assert_int_equal(dispatch.handle, first + (uint64_t)i);
		assert_success(amd_dbgapi_process_detach(core));
	}
	/* Waves that do not say whose they are have no dispatch, and use up no number. */
	((uint8_t *)(uintptr_t)kept.state.data)[52] = 0;
	memset((uint8_t *)(uintptr_t)kept.state.data + 56 + 116, 0, 4);
	for (int i = 0; i < 2; i++) {
		amd_dbgapi_wave_id_t wave;

		core = client_attach_ready(CORE_PROCESS);
		wave = client_take(core, STOP_EVENT);
		assert_status(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_DISPATCH,
						       sizeof(dispatch), &dispatch),
			      STATUS(NOT_AVAILABLE));
		/* Nothing has set up trap temporaries, and the wave says so. */
		assert_int_equal(read_word(wave, "ttmp6") >> 30, 3);
		assert_int_equal(read_word(wave, "ttmp8"), 0);
		assert_int_equal(read_word(wave, "status") & 1u << 18, 0);
		assert_success(amd_dbgapi_process_detach(core));
	}
	((uint8_t *)(uintptr_t)kept.state.data)[52] = 1;
	core = client_attach_ready(CORE_PROCESS);
	assert_success(amd_dbgapi_wave_get_info(client_take(core, STOP_EVENT),
						AMD_DBGAPI_WAVE_INFO_DISPATCH, sizeof(dispatch),
						&dispatch));
	assert_int_equal(dispatch.handle, first + 3);
}

/* ---- Displaced stepping ---- */

#define ENDPGM 0xbf810000u
#define NOP 0xbf800000u
#define ILLEGAL 0xffffffffu
#define AREA_DEBUG 16

static amd_dbgapi_status_t start_step(amd_dbgapi_wave_id_t wave, uint32_t instruction,
				      amd_dbgapi_displaced_stepping_id_t *id_ret)
{
	const uint32_t bytes[5] = {instruction};

	return amd_dbgapi_displaced_stepping_start(wave, bytes, id_ret);
}

static uint64_t field(size_t offset)
{
	uint64_t value;

	memcpy(&value, (const uint8_t *)kept.state.data + 56 + 120 + offset, sizeof(value));
	return value;
}

/* Where the save area says that the debugger's memory is. */
static void place_debug_memory(uint64_t area, uint32_t offset, uint32_t size)
{
	for (size_t i = 0; i < kept.count; i++)
		if (area - kept.chunks[i]->address < kept.chunks[i]->size) {
			uint8_t *bytes = kept.chunks[i]->bytes + (area - kept.chunks[i]->address);

			memcpy(bytes + AREA_DEBUG, &offset, sizeof(offset));
			memcpy(bytes + AREA_DEBUG + 4, &size, sizeof(size));
			return;
		}
	fail();
}

static void test_displaced_without_memory(void **state)
{
	amd_dbgapi_displaced_stepping_id_t id;
	amd_dbgapi_wave_id_t wave;
	uint64_t pc;

	(void)state;
	begin("oob-load");
	freeze_and_keep();
	core = client_attach_ready(CORE_PROCESS);
	wave = client_take(core, STOP_EVENT);
	pc = client_pc(wave);
	assert_status(start_step(wave, NOP, &id), AMD_DBGAPI_STATUS_FATAL);
	assert_status(start_step(wave, ILLEGAL, &id), STATUS(ILLEGAL_INSTRUCTION));
	/* One that depends on the pc needs no buffer. */
	assert_success(start_step(wave, ENDPGM, &id));
	assert_int_equal(client_pc(wave), pc);
	assert_status(start_step(wave, ENDPGM, &id), STATUS(DISPLACED_STEPPING_ACTIVE));
	assert_status(amd_dbgapi_wave_resume(wave, AMD_DBGAPI_RESUME_MODE_NORMAL,
					     AMD_DBGAPI_EXCEPTION_NONE),
		      STATUS(RESUME_DISPLACED_STEPPING));
	assert_success(amd_dbgapi_displaced_stepping_complete(wave, id));
	assert_int_equal(client_pc(wave), pc);
}

static void test_displaced_with_memory(void **state)
{
	amd_dbgapi_displaced_stepping_id_t first, second;
	amd_dbgapi_wave_id_t waves[2];
	uint64_t pc[2], area;

	(void)state;
	begin("oob-load");
	freeze_and_keep();
	area = field(32);
	place_debug_memory(area, 0x101, 0x7f);
	core = client_attach_ready(CORE_PROCESS);
	for (int i = 0; i < 2; i++) {
		waves[i] = client_take(core, STOP_EVENT);
		pc[i] = client_pc(waves[i]);
	}
	/* An instruction is right before the trap at the end of its 32 bytes. */
	assert_success(start_step(waves[0], NOP, &first));
	assert_int_equal(client_pc(waves[0]), area + 0x120 + 24);
	assert_int_not_equal(pc[0], pc[1]);
	assert_success(start_step(waves[1], NOP, &second));
	assert_int_equal(client_pc(waves[1]), area + 0x140 + 24);
	assert_success(amd_dbgapi_displaced_stepping_complete(waves[0], first));
	assert_success(amd_dbgapi_displaced_stepping_complete(waves[1], second));
	assert_int_equal(client_pc(waves[0]), pc[0]);
	assert_int_equal(client_pc(waves[1]), pc[1]);
	/* What was freed last is taken first. */
	assert_success(start_step(waves[0], NOP, &first));
	assert_int_equal(client_pc(waves[0]), area + 0x140 + 24);
	assert_success(start_step(waves[1], NOP, &second));
	assert_int_equal(client_pc(waves[1]), area + 0x120 + 24);
	assert_success(amd_dbgapi_process_detach(core));
	/* No room for one. */
	place_debug_memory(area, 0x101, 0x3e);
	core = client_attach_ready(CORE_PROCESS);
	assert_status(start_step(client_take(core, STOP_EVENT), NOP, &first),
		      AMD_DBGAPI_STATUS_FATAL);
}

/* ---- Agents ---- */

static size_t list_agents(amd_dbgapi_agent_id_t agents[4])
{
	amd_dbgapi_agent_id_t *list;
	size_t count;

	assert_success(amd_dbgapi_process_agent_list(core, &count, &list, NULL));
	assert_in_range(count, 0, 4);
	memcpy(agents, list, count * sizeof(*agents));
	free(list);
	return count;
}

static uint32_t agent_state(amd_dbgapi_agent_id_t agent)
{
	uint32_t state;

	assert_success(amd_dbgapi_agent_get_info(agent, AMD_DBGAPI_AGENT_INFO_STATE, sizeof(state),
						 &state));
	return state;
}

/* Put another agent before the one that is there. */
static void add_agent(uint32_t target, uint32_t gpu_id)
{
	uint8_t *note = malloc(kept.state.size + 120);

	memcpy(note, kept.state.data, 56 + 120);
	memcpy(note + 56 + 120, (const uint8_t *)kept.state.data + 56, kept.state.size - 56);
	memcpy(note + 56 + 56, &gpu_id, sizeof(gpu_id));
	memcpy(note + 56 + 88, &target, sizeof(target));
	note[24]++;
	free((void *)(uintptr_t)kept.state.data);
	kept.state.data = note;
	kept.state.size += 120;
}

/* An agent that cannot be debugged is listed, and the others serve. */
static void test_other_agents(void **state)
{
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_agent_id_t agents[4];
	size_t watchpoints;

	(void)state;
	begin("oob-load");
	freeze_and_keep();
	add_agent(120500, 701);
	add_agent(80003, 702);
	core = client_attach_ready(CORE_PROCESS);
	assert_int_equal(list_agents(agents), 3);
	/* The newest first. */
	assert_int_equal(agent_state(agents[0]), AMD_DBGAPI_AGENT_STATE_SUPPORTED);
	assert_int_equal(agent_state(agents[1]), AMD_DBGAPI_AGENT_STATE_NOT_SUPPORTED);
	assert_int_equal(agent_state(agents[2]), AMD_DBGAPI_AGENT_STATE_NOT_SUPPORTED);
	assert_success(amd_dbgapi_agent_get_info(agents[1], AMD_DBGAPI_AGENT_INFO_ARCHITECTURE,
						 sizeof(architecture), &architecture));
	assert_status(amd_dbgapi_agent_get_info(agents[2], AMD_DBGAPI_AGENT_INFO_ARCHITECTURE,
						sizeof(architecture), &architecture),
		      STATUS(NOT_AVAILABLE));
	assert_int_equal(client_waves(core, NULL, 0), 4);
	assert_success(amd_dbgapi_process_get_info(core, AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT,
						   sizeof(watchpoints), &watchpoints));
	assert_int_equal(watchpoints, 4);
}

/* A driver that somebody else debugs shows nothing but that. */
static void test_busy(void **state)
{
	amd_dbgapi_agent_id_t agents[4];
	amd_dbgapi_runtime_state_t runtime;
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;

	(void)state;
	begin("oob-load");
	freeze_and_keep();
	((uint8_t *)(uintptr_t)kept.state.data)[48] = 2;
	core = client_attach(CORE_PROCESS);
	event = client_next(core, &kind);
	assert_int_equal(kind, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	assert_success(amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
						 sizeof(runtime), &runtime));
	assert_int_equal(runtime, AMD_DBGAPI_RUNTIME_STATE_LOADED_ERROR_RESTRICTION);
	assert_success(amd_dbgapi_event_processed(event));
	assert_int_equal(list_agents(agents), 0);
	client_expect_none(core);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_order, finish),
		cmocka_unit_test_teardown(test_attach_again, finish),
		cmocka_unit_test_teardown(test_displaced_without_memory, finish),
		cmocka_unit_test_teardown(test_displaced_with_memory, finish),
		cmocka_unit_test_teardown(test_other_agents, finish),
		cmocka_unit_test_teardown(test_busy, finish),
	};

	if (argc != 2)
		return 2;
	kernels = argv[1];
	return cmocka_run_group_tests_name("habits of cores", tests, NULL, NULL);
}
