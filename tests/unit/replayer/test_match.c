/* SPDX-License-Identifier: MIT */
/* Which calls of a client are recorded ones. */
#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include "replayer/journal/cursor.h"
#include "trace-format/writer/value.h"

static amd_dbgapi_status_t symbolize(amd_dbgapi_symbolizer_id_t id,
				     amd_dbgapi_global_address_t address, char **text)
{
	(void)id;
	(void)address;
	(void)text;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* process_attach of the client process that is a number in the trace, and of one that is a pointer here. */
static void check_attach(struct wt_identities *identities, uint64_t number, char *client,
			 bool expected)
{
	amd_dbgapi_process_id_t process;
	struct wt_value inputs[] = {wt_value_number(number), wt_value_present(true)};
	struct wt_whole_call call = {
		.function = WT_FUNCTION_PROCESS_ATTACH, .inputs = inputs, .input_count = 2};
	struct wt_argument arguments[WT_ARGUMENTS] = {{.pointer = client}, {.pointer = &process}};

	assert_int_equal(wt_match(identities, &call, arguments), expected);
	if (expected)
		assert_null(wt_match_bind(identities, &call, arguments));
}

/* From its first use on a number stands for one pointer, and a pointer for one number. */
static void test_identities(void **state)
{
	struct wt_identities identities = {0};
	char clients[3];

	(void)state;
	check_attach(&identities, 1, NULL, false);
	check_attach(&identities, 0, &clients[0], false);
	check_attach(&identities, 1, &clients[0], true);
	check_attach(&identities, 1, &clients[1], false);
	check_attach(&identities, 2, &clients[0], false);
	check_attach(&identities, 2, &clients[1], true);
	check_attach(&identities, 1, &clients[0], true);
	check_attach(&identities, 0, NULL, true);
	wt_identities_deinit(&identities);
}

static void check_disassembly(struct wt_identities *identities, uint64_t number, bool symbolizes,
			      void *id, bool does, bool expected)
{
	uint8_t code[4] = {1, 2, 3, 4};
	amd_dbgapi_size_t size = sizeof(code);
	char *text;
	struct wt_value inputs[] = {
		wt_value_number(7),
		wt_value_number(0x1000),
		wt_value_number(size),
		{.form = WT_VALUE_DATA, .data = code, .size = sizeof(code)},
		wt_value_present(true),
		wt_value_number(number),
		symbolizes ? wt_value_present(true) : wt_value_absent(),
	};
	struct wt_whole_call call = {
		.function = WT_FUNCTION_DISASSEMBLE_INSTRUCTION,
		.inputs = inputs,
		.input_count = sizeof(inputs) / sizeof(*inputs),
	};
	struct wt_argument arguments[WT_ARGUMENTS] = {
		{.number = 7},
		{.number = 0x1000},
		{.pointer = &size},
		{.pointer = code},
		{.pointer = &text},
		{.pointer = id},
		{.symbolizer = does ? symbolize : NULL},
	};

	assert_int_equal(wt_match(identities, &call, arguments), expected);
	if (expected)
		assert_null(wt_match_bind(identities, &call, arguments));
}

/* A recorder in front of a replay hands on what is its own, and not where the client has no symbolizer. */
static void test_what_a_symbolizer_is_handed(void **state)
{
	struct wt_identities identities = {0};
	char ids[2];

	(void)state;
	check_disassembly(&identities, 1, true, &ids[0], true, true);
	check_disassembly(&identities, 1, false, &ids[1], false, true);
	check_disassembly(&identities, 2, true, &ids[0], true, true);
	check_disassembly(&identities, 0, true, &ids[0], true, true);
	check_disassembly(&identities, 1, true, &ids[0], false, false);
	check_disassembly(&identities, 1, false, &ids[0], true, false);
	wt_identities_deinit(&identities);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identities),
		cmocka_unit_test(test_what_a_symbolizer_is_handed),
	};

	return cmocka_run_group_tests_name("matching of calls", tests, NULL, NULL);
}
