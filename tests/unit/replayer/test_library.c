/* SPDX-License-Identifier: MIT */
/* What the replaying library answers, at one moment: as a client asks, in any order. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

static const amd_dbgapi_wave_id_t wave1 = {1}, wave2 = {2}, wave3 = {3};
static const amd_dbgapi_process_id_t process = {SESSION_PROCESS};

/* Attached, with both stop events of the fourth moment fetched and processed. */
static const struct wt_api *at_the_stop_of(const struct session_options *options)
{
	amd_dbgapi_process_id_t id;
	const struct wt_api *api = session_begin(session_write(options), &id);

	session_pump(api, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	assert_int_equal(api->event_processed((amd_dbgapi_event_id_t){1}), 0);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 2);
	assert_int_equal(session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP), 3);
	assert_int_equal(api->event_processed((amd_dbgapi_event_id_t){2}), 0);
	assert_int_equal(api->event_processed((amd_dbgapi_event_id_t){3}), 0);
	return api;
}

static const struct wt_api *at_the_stop(void)
{
	const struct session_options options = {0};

	return at_the_stop_of(&options);
}

static void test_not_initialized(void **state)
{
	const struct session_options options = {0};
	const struct wt_api *api = session_api(session_write(&options));
	uint32_t major, minor, patch, value;

	(void)state;
	api->get_version(&major, &minor, &patch);
	assert_int_equal(major, 0);
	assert_int_equal(minor, 77);
	assert_int_equal(patch, 3);
	assert_string_equal(api->get_build_name(), "built by hand");
	assert_int_equal(api->wave_get_info(wave1, AMD_DBGAPI_WAVE_INFO_STATE, 4, &value),
			 AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED);
	assert_int_equal(api->wave_stop(wave1), AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED);
	assert_int_equal(api->finalize(), AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED);
	assert_int_equal(api->initialize(NULL), AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
}

static void test_no_trace(void **state)
{
	amd_dbgapi_process_id_t id = {77};
	const struct wt_api *api = session_api(NULL);

	(void)state;
	api->set_log_level(AMD_DBGAPI_LOG_LEVEL_FATAL_ERROR);
	assert_int_equal(api->initialize(&session_callbacks), 0);
	assert_int_equal(api->process_attach((amd_dbgapi_client_process_id_t)&id, &id),
			 AMD_DBGAPI_STATUS_ERROR_RESTRICTION);
	assert_int_equal(id.handle, 77);
	assert_non_null(strstr(session_log, "WAVETAPE_TRACE"));
	/* Questions without a process have no answers either, but are answered. */
	assert_int_equal(api->architecture_get_info((amd_dbgapi_architecture_id_t){1},
						    AMD_DBGAPI_ARCHITECTURE_INFO_NAME, 8, &id),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID);
	session_end(api);
	setenv("WAVETAPE_TRACE", "/nonexistent/file", 1);
	assert_int_equal(api->initialize(&session_callbacks), 0);
	assert_int_equal(api->process_attach((amd_dbgapi_client_process_id_t)&id, &id),
			 AMD_DBGAPI_STATUS_ERROR_RESTRICTION);
	assert_non_null(strstr(session_log, "/nonexistent/file"));
	api->set_log_level(AMD_DBGAPI_LOG_LEVEL_NONE);
	session_end(api);
}

static void test_facts_before_attach(void **state)
{
	const struct session_options options = {0};
	const struct wt_api *api = session_api(session_write(&options));
	const struct gfx_architecture *known = gfx_architecture_by_name("gfx942");
	amd_dbgapi_architecture_id_t architecture = {99};
	amd_dbgapi_register_id_t *registers, id;
	amd_dbgapi_register_class_state_t member;
	uint8_t *bytes;
	size_t count;
	char *text;

	(void)state;
	assert_int_equal(api->initialize(&session_callbacks), 0);
	assert_int_equal(api->get_architecture(0x7777, &architecture),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ELF_AMDGPU_MACHINE);
	assert_int_equal(architecture.handle, 99);
	assert_int_equal(api->get_architecture(known->elf_machine, &architecture), 0);
	assert_int_equal(architecture.handle, known->id);
	assert_int_equal(api->architecture_get_info(architecture, AMD_DBGAPI_ARCHITECTURE_INFO_NAME,
						    sizeof(text), &text),
			 0);
	assert_string_equal(text, "gfx942");
	free(text);
	assert_int_equal(api->architecture_get_info(
				 architecture, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION,
				 sizeof(bytes), &bytes),
			 0);
	assert_memory_equal(bytes, known->breakpoint, 4);
	free(bytes);
	assert_int_equal(api->architecture_register_list(architecture, &count, &registers), 0);
	assert_int_equal(count, 7);
	assert_int_equal(registers[3].handle, session_register("pc"));
	assert_int_equal(api->register_is_in_register_class(
				 (amd_dbgapi_register_class_id_t){known->classes[0].id},
				 registers[2], &member),
			 0);
	assert_int_equal(member, AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER);
	assert_int_equal(api->register_is_in_register_class(
				 (amd_dbgapi_register_class_id_t){known->classes[0].id},
				 registers[3], &member),
			 0);
	assert_int_equal(member, AMD_DBGAPI_REGISTER_CLASS_STATE_NOT_MEMBER);
	free(registers);
	assert_int_equal(api->dwarf_register_to_register(architecture, 16, &id), 0);
	assert_int_equal(id.handle, session_register("pc"));
	assert_int_equal(api->dwarf_register_to_register(architecture, 17, &id),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY);
	session_end(api);
}

static void test_order_of_checks(void **state)
{
	const struct wt_api *api = at_the_stop();
	uint64_t value = 0x5a5a;
	uint32_t number;
	size_t count;

	(void)state;
	/*
	 * The handle before all else; a wave that runs before the query; availability before NULL.
	 */
	assert_int_equal(
		api->wave_get_info((amd_dbgapi_wave_id_t){9}, (amd_dbgapi_wave_info_t)99, 0, NULL),
		AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID);
	assert_int_equal(api->wave_get_info(wave3, AMD_DBGAPI_WAVE_INFO_PC, 1, NULL),
			 AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED);
	assert_int_equal(api->wave_get_info(wave1, (amd_dbgapi_wave_info_t)99, 8, &value),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(
		api->wave_get_info(wave1, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP, 1, NULL),
		AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE);
	assert_int_equal(api->wave_get_info(wave1, AMD_DBGAPI_WAVE_INFO_PC, 4, NULL),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(api->wave_get_info(wave1, AMD_DBGAPI_WAVE_INFO_PC, 4, &value),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY);
	/* What was not recorded is not made up. */
	assert_int_equal(api->wave_get_info(wave1, AMD_DBGAPI_WAVE_INFO_QUEUE, 8, &value),
			 AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE);
	assert_int_equal(api->register_get_info((amd_dbgapi_register_id_t){session_register("pc")},
						(amd_dbgapi_register_info_t)99, 0, NULL),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(value, 0x5a5a);
	assert_int_equal(api->wave_get_info(wave1, AMD_DBGAPI_WAVE_INFO_PC, 8, &value), 0);
	assert_int_equal(value, 0x1010);
	assert_int_equal(api->queue_get_info((amd_dbgapi_queue_id_t){1},
					     AMD_DBGAPI_QUEUE_INFO_STATE, 4, &number),
			 AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED);
	assert_int_equal(api->process_get_info(process, AMD_DBGAPI_PROCESS_INFO_OS_ID, 4, &number),
			 0);
	assert_int_equal(number, 4711);
	assert_int_equal(api->process_agent_list((amd_dbgapi_process_id_t){8}, NULL, NULL, NULL),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID);
	assert_int_equal(api->process_agent_list(process, &count, NULL, NULL),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	session_end(api);
}

static void test_lists_and_changes(void **state)
{
	const struct wt_api *api = at_the_stop();
	amd_dbgapi_changed_t changed;
	amd_dbgapi_wave_id_t *waves;
	size_t count;

	(void)state;
	assert_int_equal(api->process_wave_list(process, &count, &waves, NULL), 0);
	assert_int_equal(count, 3);
	free(waves);
	assert_int_equal(api->process_wave_list(process, &count, &waves, &changed), 0);
	assert_int_equal(changed, AMD_DBGAPI_CHANGED_YES);
	assert_int_equal(count, 3);
	assert_int_equal(waves[2].handle, 3);
	free(waves);
	assert_int_equal(api->process_wave_list(AMD_DBGAPI_PROCESS_NONE, &count, &waves, &changed),
			 0);
	assert_int_equal(changed, AMD_DBGAPI_CHANGED_NO);
	assert_int_equal(count, 0);
	assert_null(waves);
	session_end(api);
	/* Nothing is attached: an empty list of all processes. */
	assert_int_equal(api->initialize(&session_callbacks), 0);
	assert_int_equal(api->process_wave_list(AMD_DBGAPI_PROCESS_NONE, &count, &waves, &changed),
			 0);
	assert_int_equal(count, 0);
	session_end(api);
}

static uint64_t read_register(const struct wt_api *api, amd_dbgapi_wave_id_t wave, const char *name,
			      size_t size)
{
	amd_dbgapi_register_id_t id = {session_register(name)};
	uint64_t value = 0;

	assert_int_equal(api->read_register(wave, id, 0, size, &value), 0);
	return value;
}

static void test_registers(void **state)
{
	const struct wt_api *api = at_the_stop();
	amd_dbgapi_register_id_t pc = {session_register("pc")}, s1 = {session_register("s1")};
	amd_dbgapi_register_id_t v0 = {session_register("v0")}, absent = {session_register("v1")};
	amd_dbgapi_register_id_t exec = {session_register("exec")};
	uint32_t lane5 = 0, other = 0xabcd;
	uint64_t value, zero = 0;

	(void)state;
	assert_int_equal(read_register(api, wave1, "s0", 4), 0x13121110);
	assert_int_equal(read_register(api, wave1, "pc", 8), UINT64_C(0x4746454443424140));
	assert_int_equal(api->read_register(wave1, v0, 20, 4, &lane5), 0);
	assert_int_equal(lane5, 0x47464544);
	assert_int_equal(api->read_register(wave1, v0, 256, 1, &lane5),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY);
	assert_int_equal(api->read_register(wave1, v0, UINT64_MAX - 1, 4, &lane5),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY);
	assert_int_equal(api->read_register(wave1, absent, 0, 4, &lane5),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_ID);
	assert_int_equal(api->read_register(wave3, pc, 0, 8, &value),
			 AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED);
	/*
	 * A write is seen by reads and by the queries that tell the same value; read-only bits
	 * stay.
	 */
	value = 0x2003;
	assert_int_equal(api->write_register(wave1, pc, 0, 8, &value), 0);
	assert_int_equal(read_register(api, wave1, "pc", 8), 0x2000);
	assert_int_equal(api->wave_get_info(wave1, AMD_DBGAPI_WAVE_INFO_PC, 8, &value), 0);
	assert_int_equal(value, 0x2000);
	assert_int_equal(api->write_register(wave1, s1, 1, 2, &other), 0);
	assert_int_equal(read_register(api, wave1, "s1", 4), 0x23abcd20);
	assert_int_equal(read_register(api, wave2, "s1", 4), 0x33323130);
	/* exec becomes zero, and status says so. */
	assert_int_equal(read_register(api, wave1, "status", 4) & 1u << 9, 0);
	assert_int_equal(api->write_register(wave1, exec, 0, 8, &zero), 0);
	assert_int_equal(read_register(api, wave1, "status", 4) & 1u << 9, 1u << 9);
	session_end(api);
}

static void check_existing(const struct wt_api *api, amd_dbgapi_wave_id_t wave, uint64_t id,
			   int expected)
{
	amd_dbgapi_register_exists_t exists = AMD_DBGAPI_REGISTER_ABSENT;

	assert_int_equal(api->wave_register_exists(wave, (amd_dbgapi_register_id_t){id}, &exists),
			 expected);
	assert_int_equal(exists,
			 expected ? AMD_DBGAPI_REGISTER_ABSENT : AMD_DBGAPI_REGISTER_PRESENT);
}

/* What was looked up of the last wave and of registers does not outlive what it is of. */
static void test_existing_registers(void **state)
{
	const struct wt_api *api = at_the_stop();
	const amd_dbgapi_wave_id_t nobody = {9};
	uint64_t s0 = session_register("s0"), absent = session_register("v1");

	(void)state;
	for (int i = 0; i < 2; i++) {
		check_existing(api, wave1, s0, 0);
		check_existing(api, wave1, absent, AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_ID);
		check_existing(api, wave3, s0, AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE);
		check_existing(api, wave2, s0, 0);
		check_existing(api, nobody, s0, AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID);
	}
	/* To the end, where the waves are gone. */
	check_existing(api, wave1, s0, 0);
	assert_int_equal(
		api->wave_resume(wave1, AMD_DBGAPI_RESUME_MODE_NORMAL, AMD_DBGAPI_EXCEPTION_NONE),
		0);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_NONE);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	assert_int_equal(api->event_processed((amd_dbgapi_event_id_t){4}), 0);
	assert_int_equal(api->wave_resume(wave2, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP,
					  AMD_DBGAPI_EXCEPTION_NONE),
			 0);
	assert_int_equal(
		api->wave_resume(wave1, AMD_DBGAPI_RESUME_MODE_NORMAL, AMD_DBGAPI_EXCEPTION_NONE),
		0);
	check_existing(api, wave1, s0, 0);
	assert_int_equal(api->process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD), 0);
	assert_int_equal(api->process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL), 0);
	session_pump(api, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED);
	check_existing(api, wave1, s0, AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID);
	/* Nor is it there when the process is not. */
	assert_int_equal(api->process_detach(process), 0);
	check_existing(api, wave1, s0, AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID);
	session_end(api);
	api = at_the_stop();
	check_existing(api, wave1, s0, 0);
	session_end(api);
}

/* Nor the trace that it is of. */
static void test_registers_of_another_trace(void **state)
{
	const struct session_options options = {.no_status = true};
	const uint64_t status = session_register("status");
	const struct wt_api *api = at_the_stop();

	(void)state;
	check_existing(api, wave1, status, 0);
	session_end(api);
	api = at_the_stop_of(&options);
	check_existing(api, wave1, session_register("vcc"), 0);
	check_existing(api, wave1, status, AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_ID);
	session_end(api);
}

/* Read @size bytes: how many came. */
static size_t read_memory(const struct wt_api *api, amd_dbgapi_wave_id_t wave, uint32_t lane,
			  enum gfx_space space, uint64_t address, void *data, size_t size,
			  int expected)
{
	amd_dbgapi_size_t done = size;

	assert_int_equal(api->read_memory(process, wave, lane,
					  (amd_dbgapi_address_space_id_t){session_space(space)},
					  address, &done, data),
			 expected);
	return done;
}

static void test_memory(void **state)
{
	const struct wt_api *api = at_the_stop();
	const amd_dbgapi_wave_id_t none = AMD_DBGAPI_WAVE_NONE;
	const uint32_t no_lane = AMD_DBGAPI_LANE_NONE;
	uint8_t bytes[512];

	(void)state;
	assert_int_equal(read_memory(api, none, no_lane, GFX_SPACE_GLOBAL, SESSION_PAGE + 4090,
				     bytes, 512, 0),
			 6 + SESSION_TAIL);
	assert_int_equal(bytes[0], (uint8_t)4090);
	assert_int_equal(bytes[6], 7);
	assert_int_equal(read_memory(api, none, no_lane, GFX_SPACE_GLOBAL, SESSION_PAGE - 1, bytes,
				     2, AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS),
			 0);
	assert_int_equal(read_memory(api, none, no_lane, GFX_SPACE_GLOBAL, 0, bytes, 0, 0), 0);
	assert_int_equal(read_memory(api, wave1, no_lane, GFX_SPACE_LOCAL, 60, bytes, 8, 0), 4);
	assert_int_equal(bytes[0], 0x40 + 60);
	read_memory(api, none, no_lane, GFX_SPACE_LOCAL, 0, bytes, 8,
		    AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID);
	read_memory(api, wave1, no_lane, GFX_SPACE_PRIVATE_LANE, 0, bytes, 8,
		    AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID);
	read_memory(api, wave1, 64, GFX_SPACE_PRIVATE_LANE, 0, bytes, 8,
		    AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID);
	read_memory(api, wave3, 0, GFX_SPACE_PRIVATE_LANE, 0, bytes, 8,
		    AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED);
	/* The lanes take turns at each word; 16 bytes belong to a lane. */
	assert_int_equal(read_memory(api, wave1, 3, GFX_SPACE_PRIVATE_LANE, 2, bytes, 32, 0), 14);
	assert_int_equal(bytes[0], (uint8_t)(0x80 + 3 * 4 + 2));
	assert_int_equal(bytes[2], (uint8_t)(0x80 + 256 + 3 * 4));
	/* Generic addresses lead to the others. */
	assert_int_equal(read_memory(api, wave1, 3, GFX_SPACE_GENERIC,
				     gfx_architecture_by_name("gfx942")->local_aperture + 60, bytes,
				     8, 0),
			 4);
	assert_int_equal(bytes[0], 0x40 + 60);
	assert_int_equal(
		read_memory(api, wave1, no_lane, GFX_SPACE_GENERIC, SESSION_PAGE + 1, bytes, 2, 0),
		2);
	assert_int_equal(bytes[0], 1);
	/* The NULL address of private memory, at which AMD's library does not come back. */
	read_memory(api, wave1, 0, GFX_SPACE_PRIVATE_WAVE, 0xffffffff, bytes, 8,
		    AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS);
	session_end(api);
}

static void test_memory_writes(void **state)
{
	const struct wt_api *api = at_the_stop();
	const amd_dbgapi_address_space_id_t global = {session_space(GFX_SPACE_GLOBAL)};
	const amd_dbgapi_address_space_id_t lane = {session_space(GFX_SPACE_PRIVATE_LANE)};
	const uint8_t written[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	amd_dbgapi_size_t size = 8;
	uint8_t bytes[16];

	(void)state;
	assert_int_equal(
		api->write_memory(process, wave1, 0, global, SESSION_PAGE + 4092, &size, written),
		0);
	assert_int_equal(size, 8);
	assert_int_equal(
		read_memory(api, wave1, 0, GFX_SPACE_GLOBAL, SESSION_PAGE + 4091, bytes, 10, 0),
		10);
	assert_int_equal(bytes[0], (uint8_t)4091);
	assert_memory_equal(bytes + 1, written, 8);
	assert_int_equal(bytes[9], 7 + 4);
	/* Bytes that were not recorded cannot be written. */
	assert_int_equal(api->write_memory(process, wave1, 0, global,
					   SESSION_PAGE + 4096 + SESSION_TAIL - 2, &size, written),
			 0);
	assert_int_equal(size, 2);
	size = 6;
	assert_int_equal(api->write_memory(process, wave1, 5, lane, 2, &size, written), 0);
	assert_int_equal(read_memory(api, wave1, 0, GFX_SPACE_PRIVATE_WAVE, 256 + 20, bytes, 4, 0),
			 4);
	assert_memory_equal(bytes, written + 2, 4);
	size = 1;
	assert_int_equal(api->write_memory(process, wave1, 0, global, 16, &size, written),
			 AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS);
	assert_int_equal(size, 0);
	session_end(api);
}

static void test_packets(void **state)
{
	const struct wt_api *api = at_the_stop();
	uint64_t first, last;
	void *bytes = NULL;
	size_t size;

	(void)state;
	assert_int_equal(
		api->queue_packet_list((amd_dbgapi_queue_id_t){1}, &first, &last, &size, &bytes),
		0);
	assert_int_equal(first, 4);
	assert_int_equal(last, 5);
	assert_int_equal(size, 6);
	assert_memory_equal(bytes, "packet", 6);
	free(bytes);
	assert_int_equal(
		api->queue_packet_list((amd_dbgapi_queue_id_t){1}, &first, &last, &size, NULL), 0);
	assert_int_equal(
		api->queue_packet_list((amd_dbgapi_queue_id_t){2}, &first, &last, &size, NULL),
		AMD_DBGAPI_STATUS_ERROR_INVALID_QUEUE_ID);
	session_end(api);
}

static void test_precision(void **state)
{
	const struct wt_api *api = at_the_stop();

	(void)state;
	assert_int_equal(api->set_memory_precision(process, AMD_DBGAPI_MEMORY_PRECISION_PRECISE),
			 0);
	assert_int_equal(api->set_memory_precision(process, (amd_dbgapi_memory_precision_t)5),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(api->set_alu_exceptions_precision(
				 process, AMD_DBGAPI_ALU_EXCEPTIONS_PRECISION_PRECISE),
			 AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED);
	assert_int_equal(api->process_freeze(process),
			 AMD_DBGAPI_STATUS_ERROR_INCOMPATIBLE_PROCESS_STATE);
	session_end(api);
}

/* Agents that cannot, as recorded: not one watchpoint too many, but none at all. */
static void test_unable(void **state)
{
	const struct session_options options = {.unable = true};
	amd_dbgapi_watchpoint_id_t watchpoint = {77};
	amd_dbgapi_process_id_t id;
	const struct wt_api *api = session_begin(session_write(&options), &id);

	(void)state;
	assert_int_equal(api->set_watchpoint(id, SESSION_PAGE, 4, AMD_DBGAPI_WATCHPOINT_KIND_ALL,
					     &watchpoint),
			 AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED);
	assert_int_equal(
		api->set_watchpoint(id, SESSION_PAGE, 0, AMD_DBGAPI_WATCHPOINT_KIND_ALL, NULL),
		AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED);
	assert_int_equal(watchpoint.handle, 77);
	assert_int_equal(api->set_memory_precision(id, AMD_DBGAPI_MEMORY_PRECISION_PRECISE),
			 AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED);
	assert_int_equal(api->set_memory_precision(id, AMD_DBGAPI_MEMORY_PRECISION_NONE), 0);
	session_end(api);
}

/* Nothing of the kind was recorded. */
static void test_set_up(void **state)
{
	const struct wt_api *api = at_the_stop();
	amd_dbgapi_displaced_stepping_id_t stepping = {77};
	amd_dbgapi_watchpoint_id_t watchpoint = {77};
	amd_dbgapi_core_state_data_t core;
	const uint32_t word = 0;

	(void)state;
	assert_int_equal(api->set_watchpoint(process, SESSION_PAGE, 0,
					     AMD_DBGAPI_WATCHPOINT_KIND_ALL, &watchpoint),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(api->set_watchpoint(process, SESSION_PAGE, 4,
					     AMD_DBGAPI_WATCHPOINT_KIND_ALL, &watchpoint),
			 AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED);
	assert_int_equal(watchpoint.handle, 77);
	assert_int_equal(api->remove_watchpoint(watchpoint),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_WATCHPOINT_ID);
	assert_int_equal(api->displaced_stepping_start(wave3, &word, &stepping),
			 AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED);
	assert_int_equal(api->displaced_stepping_start(wave1, &word, &stepping),
			 AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED);
	assert_int_equal(api->displaced_stepping_complete(wave1, stepping),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_DISPLACED_STEPPING_ID);
	assert_int_equal(api->process_get_info(process, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
					       sizeof(core), &core),
			 AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN);
	session_end(api);
}

static void test_frozen(void **state)
{
	const struct wt_api *api = at_the_stop();
	amd_dbgapi_core_state_data_t core;
	amd_dbgapi_size_t size = 4;
	uint32_t word = 0;

	(void)state;
	assert_int_equal(api->process_set_progress(process, AMD_DBGAPI_PROGRESS_NO_FORWARD), 0);
	assert_int_equal(api->process_freeze(process),
			 AMD_DBGAPI_STATUS_ERROR_INCOMPATIBLE_PROCESS_STATE);
	assert_int_equal(api->process_set_wave_creation(process, AMD_DBGAPI_WAVE_CREATION_STOP), 0);
	assert_int_equal(api->process_unfreeze(process),
			 AMD_DBGAPI_STATUS_ERROR_PROCESS_NOT_FROZEN);
	assert_int_equal(api->process_freeze(process), 0);
	assert_int_equal(api->process_freeze(process),
			 AMD_DBGAPI_STATUS_ERROR_PROCESS_ALREADY_FROZEN);
	assert_int_equal(api->process_get_info(process, AMD_DBGAPI_PROCESS_INFO_CORE_STATE,
					       sizeof(core), &core),
			 AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE);
	assert_int_equal(api->process_set_progress(process, AMD_DBGAPI_PROGRESS_NORMAL),
			 AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN);
	assert_int_equal(api->process_set_wave_creation(process, AMD_DBGAPI_WAVE_CREATION_NORMAL),
			 AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN);
	assert_int_equal(
		api->wave_resume(wave1, AMD_DBGAPI_RESUME_MODE_NORMAL, AMD_DBGAPI_EXCEPTION_NONE),
		AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN);
	assert_int_equal(api->wave_stop(wave3), AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN);
	assert_int_equal(api->wave_stop(wave1), AMD_DBGAPI_STATUS_ERROR_WAVE_STOPPED);
	assert_int_equal(api->write_register(wave1,
					     (amd_dbgapi_register_id_t){session_register("exec")},
					     0, 4, &word),
			 AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN);
	assert_int_equal(api->write_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					   AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, SESSION_PAGE, &size,
					   &word),
			 AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN);
	assert_int_equal(api->read_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					  AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, SESSION_PAGE, &size,
					  &word),
			 0);
	assert_int_equal(
		api->set_watchpoint(process, SESSION_PAGE, 4, AMD_DBGAPI_WATCHPOINT_KIND_ALL, NULL),
		AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN);
	assert_int_equal(api->process_unfreeze(process), 0);
	assert_int_equal(api->process_set_wave_creation(process, AMD_DBGAPI_WAVE_CREATION_NORMAL),
			 0);
	session_end(api);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_not_initialized),
		cmocka_unit_test(test_no_trace),
		cmocka_unit_test(test_facts_before_attach),
		cmocka_unit_test(test_order_of_checks),
		cmocka_unit_test(test_lists_and_changes),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_existing_registers),
		cmocka_unit_test(test_registers_of_another_trace),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_memory_writes),
		cmocka_unit_test(test_packets),
		cmocka_unit_test(test_precision),
		cmocka_unit_test(test_unable),
		cmocka_unit_test(test_set_up),
		cmocka_unit_test(test_frozen),
	};

	return cmocka_run_group_tests_name("replaying library", tests, NULL, NULL);
}
