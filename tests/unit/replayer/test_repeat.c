/* SPDX-License-Identifier: MIT */
/*
 * Recorded callbacks that no library makes, as a damaged or a hostile trace may have them: the client, which expects what the
 * header says, is not called with them. Those that libraries make are.
 */
#include <stdint.h>

#include "tests/unit/with-cmocka.h"
#include <stdlib.h>
#include <string.h>

#include "replayer/library/repeat.h"
#include "trace-format/writer/value.h"

static unsigned int called;
static char said[16];

static amd_dbgapi_status_t process_info(amd_dbgapi_client_process_id_t process,
					amd_dbgapi_client_process_info_t query, size_t size,
					void *value)
{
	(void)process;
	(void)query;
	called++;
	memset(value, 1, size);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t transfer(amd_dbgapi_client_process_id_t process,
				    amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				    void *read_buffer, const void *write_buffer)
{
	(void)process;
	(void)address;
	called++;
	assert_true(!read_buffer != !write_buffer);
	if (read_buffer) {
		memset(read_buffer, 1, *size);
	} else {
		char *copy = malloc(*size + 1);

		assert_non_null(copy);
		memcpy(copy, write_buffer, *size);
		free(copy);
	}
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	(void)level;
	called++;
	assert_true(strlen(message) < sizeof(said));
	memcpy(said, message, strlen(message) + 1);
}

static amd_dbgapi_callbacks_t callbacks = {
	.client_process_get_info = process_info,
	.xfer_global_memory = transfer,
	.log_message = log_message,
};

static bool any_is_core(amd_dbgapi_client_process_id_t client)
{
	(void)client;
	return true;
}

/* How often the client is called for a callback of a call. */
static unsigned int repeat_in(enum wt_function function, enum wt_callback_kind kind,
			      struct wt_value *inputs, size_t count)
{
	struct wt_identities identities = {0};
	struct wt_whole_callback callback = {
		.kind = (int)kind, .inputs = inputs, .input_count = count};
	struct wt_whole_call call = {
		.function = function, .callbacks = &callback, .callback_count = 1};
	const struct wt_argument arguments[WT_ARGUMENTS] = {{0}};
	struct wt_repeat repeat = {
		.call = &call,
		.arguments = arguments,
		.identities = &identities,
		.callbacks = &callbacks,
		.log_level = AMD_DBGAPI_LOG_LEVEL_VERBOSE,
		.is_core = any_is_core,
	};

	called = 0;
	assert_true(wt_repeat_callbacks(&repeat));
	return called;
}

static unsigned int repeat(enum wt_callback_kind kind, struct wt_value *inputs, size_t count)
{
	return repeat_in(WT_FUNCTION_PROCESS_ATTACH, kind, inputs, count);
}

static struct wt_value bytes(const void *data, size_t size)
{
	return (struct wt_value){.form = WT_VALUE_DATA, .data = size ? data : NULL, .size = size};
}

static void an_answer_has_a_place(void **state)
{
	struct wt_value inputs[] = {
		wt_value_number(0),
		wt_value_number(AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID),
		wt_value_number(sizeof(amd_dbgapi_os_process_id_t)),
		wt_value_present(true),
	};

	(void)state;
	assert_int_equal(repeat(WT_CALLBACK_CLIENT_PROCESS_GET_INFO, inputs, 4), 1);
	assert_int_equal(repeat(WT_CALLBACK_CLIENT_PROCESS_GET_INFO, inputs, 3), 0);
	inputs[3] = wt_value_absent();
	assert_int_equal(repeat(WT_CALLBACK_CLIENT_PROCESS_GET_INFO, inputs, 4), 0);
	inputs[3] = wt_value_present(true);
	inputs[2] = wt_value_number(UINT64_MAX);
	assert_int_equal(repeat(WT_CALLBACK_CLIENT_PROCESS_GET_INFO, inputs, 4), 0);
}

static unsigned int transfer_with(struct wt_value size, struct wt_value read,
				  struct wt_value written)
{
	struct wt_value inputs[] = {wt_value_number(0), wt_value_number(0x1000), size, read,
				    written};

	return repeat(WT_CALLBACK_XFER_GLOBAL_MEMORY, inputs, 5);
}

static void a_transfer_has_one_direction_and_all_bytes(void **state)
{
	const struct wt_value four = wt_value_number(4), none = wt_value_absent(),
			      there = wt_value_present(true);

	(void)state;
	assert_int_equal(transfer_with(four, there, none), 1);
	assert_int_equal(transfer_with(four, none, bytes("abcd", 4)), 1);
	assert_int_equal(transfer_with(wt_value_number(0), there, none), 1);
	assert_int_equal(transfer_with(wt_value_number(0), none, bytes("", 0)), 1);
	/* Less than is said to be written, as a client would read behind it. */
	assert_int_equal(transfer_with(four, none, bytes("abc", 3)), 0);
	assert_int_equal(transfer_with(wt_value_number(1 << 20), none, bytes("abc", 3)), 0);
	assert_int_equal(transfer_with(wt_value_number(UINT64_MAX), there, none), 0);
	/* A redacted one. */
	assert_int_equal(transfer_with(four, none, there), 0);
	assert_int_equal(transfer_with(none, there, none), 0);
	assert_int_equal(transfer_with(there, there, none), 0);
	assert_int_equal(transfer_with(four, none, none), 0);
	assert_int_equal(transfer_with(four, there, bytes("abcd", 4)), 0);
}

static void a_message_has_a_text(void **state)
{
	struct wt_value inputs[] = {wt_value_number(AMD_DBGAPI_LOG_LEVEL_WARNING),
				    bytes("some", 4)};

	(void)state;
	assert_int_equal(repeat(WT_CALLBACK_LOG_MESSAGE, inputs, 2), 1);
	assert_string_equal(said, "some");
	inputs[1] = bytes("", 0);
	assert_int_equal(repeat(WT_CALLBACK_LOG_MESSAGE, inputs, 2), 1);
	assert_string_equal(said, "");
	inputs[1] = wt_value_absent();
	assert_int_equal(repeat(WT_CALLBACK_LOG_MESSAGE, inputs, 2), 0);
	/* Too long to be kept. */
	inputs[1] = wt_value_present(true);
	assert_int_equal(repeat(WT_CALLBACK_LOG_MESSAGE, inputs, 2), 0);
}

static void there_is_a_symbolizer(void **state)
{
	struct wt_value inputs[] = {wt_value_number(0), wt_value_number(0x1000)};

	(void)state;
	assert_int_equal(
		repeat_in(WT_FUNCTION_DISASSEMBLE_INSTRUCTION, WT_CALLBACK_SYMBOLIZER, inputs, 2),
		0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_has_a_place),
		cmocka_unit_test(a_transfer_has_one_direction_and_all_bytes),
		cmocka_unit_test(a_message_has_a_text),
		cmocka_unit_test(there_is_a_symbolizer),
	};

	return cmocka_run_group_tests_name("repeat", tests, NULL, NULL);
}
