/* SPDX-License-Identifier: MIT */
/* No disassembler, because there was none to load: said, not guessed. */
#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include <string.h>

#include "dbgapi/architecture/instruction.h"

static int messages;

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	assert_int_equal(level, AMD_DBGAPI_LOG_LEVEL_WARNING);
	assert_non_null(strstr(message, "cannot disassemble"));
	messages++;
}

static void test_create(void **state)
{
	struct wt_disassembler *disassembler = (void *)0x55;
	struct wt_error *error =
		wt_disassembler_create(gfx_architecture_by_name("gfx942"), NULL, &disassembler);

	(void)state;
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_IO);
	/* With where it was looked for. */
	assert_non_null(strstr(error->why, "libLLVM.so.N, "));
	assert_non_null(strstr(error->why, "libamd_comgr.so"));
	assert_null(wt_disassembler_library());
	assert_ptr_equal(disassembler, (void *)0x55);
	wt_error_destroy(error);
	wt_disassembler_destroy(NULL);
}

static void test_api(void **state)
{
	static const uint8_t nop[] = {0, 0, 0x80, 0xbf};
	const amd_dbgapi_architecture_id_t gfx942 = {7};
	struct wt_client client = {
		.initialized = true,
		.log_level = AMD_DBGAPI_LOG_LEVEL_WARNING,
		.callbacks.log_message = log_message,
	};
	struct wt_static provider = wt_static_init(&client);
	struct wt_disassemblers disassemblers = {0};
	amd_dbgapi_instruction_kind_t kind = (amd_dbgapi_instruction_kind_t)99;
	amd_dbgapi_size_t size = 4;
	char *text = (char *)0x55;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(wt_static_disassemble_instruction(&provider, &disassemblers,
								   gfx942, 0x1000, &size, nop,
								   &text, NULL, NULL),
				 AMD_DBGAPI_STATUS_ERROR);
		assert_int_equal(wt_static_classify_instruction(&provider, &disassemblers, gfx942,
								0x1000, &size, nop, &kind, NULL,
								NULL),
				 AMD_DBGAPI_STATUS_ERROR);
	}
	assert_int_equal(messages, 1);
	assert_ptr_equal(text, (char *)0x55);
	assert_int_equal(kind, 99);
	assert_int_equal(size, 4);
	/* The checks of arguments come first all the same. */
	assert_int_equal(wt_static_disassemble_instruction(&provider, &disassemblers, gfx942,
							   0x1002, &size, nop, &text, NULL, NULL),
			 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT);
	wt_disassemblers_deinit(&disassemblers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_api),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
