/* SPDX-License-Identifier: MIT */
/*
 * All architectures through the library over the simulated GPU, by its exported functions as a client
 * has them, before any process is attached.
 */
#include "tests/unit/facts.h"

#include <amd-dbgapi/amd-dbgapi.h>

#include "dbgapi/architecture/disassemble.h"

static void *allocate(size_t size)
{
	return malloc(size);
}

static amd_dbgapi_status_t no_info(amd_dbgapi_client_process_id_t process,
				   amd_dbgapi_client_process_info_t query, size_t size, void *value)
{
	(void)process, (void)query, (void)size, (void)value;
	return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
}

static amd_dbgapi_status_t insert(amd_dbgapi_client_process_id_t process,
				  amd_dbgapi_global_address_t address,
				  amd_dbgapi_breakpoint_id_t id)
{
	(void)process, (void)address, (void)id;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t take_away(amd_dbgapi_client_process_id_t process,
				     amd_dbgapi_breakpoint_id_t id)
{
	(void)process, (void)id;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t no_memory(amd_dbgapi_client_process_id_t process,
				     amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				     void *read_buffer, const void *write_buffer)
{
	(void)process, (void)address, (void)size, (void)read_buffer, (void)write_buffer;
	return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	(void)level, (void)message;
}

static int set_up(void **state)
{
	static amd_dbgapi_callbacks_t callbacks = {
		.allocate_memory = allocate,
		.deallocate_memory = free,
		.client_process_get_info = no_info,
		.insert_breakpoint = insert,
		.remove_breakpoint = take_away,
		.xfer_global_memory = no_memory,
		.log_message = log_message,
	};

	(void)state;
	return amd_dbgapi_initialize(&callbacks);
}

static int tear_down(void **state)
{
	(void)state;
	return amd_dbgapi_finalize();
}

static amd_dbgapi_architecture_id_t by_machine(const json_t *line)
{
	amd_dbgapi_architecture_id_t id = {0};
	uint32_t machine = (uint32_t)fact_hex(line, "elf_machine");

	assert_int_equal(amd_dbgapi_get_architecture(machine, &id), 0);
	return id;
}

/* What is planted as a breakpoint is also what disassembles and classifies as one. */
static bool is_decoded(const char *name)
{
	struct wt_disassembler *disassembler = NULL;
	struct wt_error *error =
		wt_disassembler_create(gfx_architecture_by_name(name), NULL, &disassembler);

	wt_disassembler_destroy(disassembler);
	if (error)
		assert_string_equal(name, "gfx1250");
	wt_error_destroy(error);
	return !error;
}

static void check_breakpoint(const json_t *line, amd_dbgapi_architecture_id_t id)
{
	amd_dbgapi_instruction_kind_t kind;
	uint8_t expected[8], *bytes = NULL;
	amd_dbgapi_size_t size = fact_bytes(line, "breakpoint", expected, sizeof(expected));
	uint64_t *trap = NULL;
	char *text = NULL;

	assert_int_equal(amd_dbgapi_architecture_get_info(
				 id, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION,
				 sizeof(bytes), &bytes),
			 0);
	assert_memory_equal(bytes, expected, size);
	/* What disassembles here may know neither this one nor one like it, as LLVM 19 does not. */
	if (!is_decoded(fact_text(line, "arch"))) {
		assert_int_equal(amd_dbgapi_classify_instruction(id, 0x1000, &size, bytes, &kind,
								 NULL, NULL),
				 AMD_DBGAPI_STATUS_ERROR);
		free(bytes);
		return;
	}
	assert_int_equal(amd_dbgapi_classify_instruction(id, 0x1000, &size, bytes, &kind, NULL,
							 (void **)&trap),
			 0);
	assert_int_equal(kind, AMD_DBGAPI_INSTRUCTION_KIND_TRAP);
	assert_int_equal(*trap, 1);
	assert_int_equal(
		amd_dbgapi_disassemble_instruction(id, 0x1000, &size, bytes, &text, NULL, NULL), 0);
	assert_string_equal(text, "s_trap 1");
	free(text);
	free(trap);
	free(bytes);
}

static void check_architecture(const json_t *line)
{
	amd_dbgapi_architecture_id_t id = by_machine(line);
	amd_dbgapi_size_t largest = 0;
	char *name = NULL;

	check_fact_id(line, 0, id.handle);
	assert_int_equal(amd_dbgapi_architecture_get_info(id, AMD_DBGAPI_ARCHITECTURE_INFO_NAME,
							  sizeof(name), &name),
			 0);
	assert_string_equal(name, fact_text(line, "arch"));
	free(name);
	assert_int_equal(amd_dbgapi_architecture_get_info(
				 id, AMD_DBGAPI_ARCHITECTURE_INFO_LARGEST_INSTRUCTION_SIZE,
				 sizeof(largest), &largest),
			 0);
	assert_int_equal(largest, fact_number(line, "largest_instruction"));
	check_breakpoint(line, id);
}

static void test_architectures(void **state)
{
	(void)state;
	assert_int_equal(each_fact(WT_FACTS, "architecture", check_architecture), 30);
}

/* Lines about registers name no machine: the id has the architecture's in its high half. */
static void check_registers(const json_t *line)
{
	amd_dbgapi_register_id_t *registers = NULL;
	uint64_t first, index = fact_number(line, "index");
	size_t count = 0;

	if (json_is_null(json_object_get(line, "id")))
		return;
	first = fact_hex(line, "id");

	assert_int_equal(amd_dbgapi_architecture_register_list(
				 (amd_dbgapi_architecture_id_t){first >> 32}, &count, &registers),
			 0);
	assert_true(index + fact_number(line, "count") <= count);
	for (uint64_t i = 0; i < fact_number(line, "count"); i++)
		assert_int_equal(registers[index + i].handle, first + i);
	free(registers);
}

static void test_registers(void **state)
{
	(void)state;
	assert_int_equal(each_fact(WT_FACTS, "registers", check_registers), 514);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_architectures),
		cmocka_unit_test(test_registers),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
