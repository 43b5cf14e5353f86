/* SPDX-License-Identifier: MIT */
/* The journal of a client that attached, asked this and that, and detached. */
#include "session-write.h"

static struct wt_value n(uint64_t value)
{
	return (struct wt_value){.form = WT_VALUE_NUMBER, .number = value};
}

static struct wt_value data(const void *bytes, size_t size)
{
	return (struct wt_value){.form = WT_VALUE_DATA, .data = bytes, .size = size};
}

static const struct wt_value given = {.form = WT_VALUE_PRESENT, .number = 1};
static const struct wt_value absent = {.form = WT_VALUE_ABSENT};

static void begin(struct session_builder *b, uint64_t call, enum wt_function function,
		  const struct wt_value *inputs, size_t count)
{
	const struct wt_call_begin record = {.number = call,
					     .function =
						     session_name(b, wt_functions[function].name),
					     .thread = 1,
					     .inputs = inputs,
					     .input_count = count};

	session_must(wt_writer_call_begin(b->writer, &record));
	b->call = call;
}

static void end(struct session_builder *b, uint64_t call, int64_t status,
		const struct wt_value *outputs, size_t count)
{
	const struct wt_call_end record = {
		.number = call, .status = status, .outputs = outputs, .output_count = count};

	session_must(wt_writer_call_end(b->writer, &record));
}

static void called_back(struct session_builder *b, uint64_t call, const char *callback,
			const struct wt_value *inputs, size_t count, int64_t result,
			const struct wt_value *outputs, size_t output_count)
{
	const struct wt_callback record = {.call = call,
					   .function = session_name(b, callback),
					   .inputs = inputs,
					   .input_count = count,
					   .result = result,
					   .outputs = outputs,
					   .output_count = output_count};

	session_must(wt_writer_callback(b->writer, &record));
}

void session_journal_before_attach(struct session_builder *b)
{
	const struct wt_value callbacks = n(0x7f), client = n(1), pid = data("\x01\x02\x00\x00", 4);
	const struct wt_value attach[] = {client, given}, process = n(SESSION_PROCESS);
	const struct wt_value question[] = {client, n(AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID), n(4),
					    given};
	const struct wt_value level = n(AMD_DBGAPI_LOG_LEVEL_WARNING);

	begin(b, 1, WT_FUNCTION_SET_LOG_LEVEL, &level, 1);
	end(b, 1, 0, NULL, 0);
	begin(b, 2, WT_FUNCTION_INITIALIZE, &callbacks, 1);
	end(b, 2, 0, NULL, 0);
	begin(b, 3, WT_FUNCTION_PROCESS_ATTACH, attach, 2);
	called_back(b, 3, "client_process_get_info", question, 4, 0, &pid, 1);
	end(b, 3, 0, &process, 1);
}

/* The recorder answers in the place of a library that has no such function. */
static void call_newer(struct session_builder *b, uint64_t number)
{
	const struct wt_value inputs[] = {n(SESSION_PROCESS), n(0),
					  n(AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle), n(0x10),
					  given};
	const struct wt_value untouched = n(0);

	begin(b, number, WT_FUNCTION_ADDRESS_DEPENDENCY, inputs, 5);
	end(b, number, AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED, &untouched, 1);
}

/* There are more bytes in it than is kept of an answer. */
static void read_much(struct session_builder *b, uint64_t call)
{
	const struct wt_value size = n(WT_VALUE_DATA_MAX + 1);
	const struct wt_value inputs[] = {n(SESSION_PROCESS), n(0), n(UINT32_MAX), n(1),
					  n(SESSION_PAGE),    size, given};
	const struct wt_value outputs[] = {size, given};

	begin(b, call, WT_FUNCTION_READ_MEMORY, inputs, 7);
	end(b, call, 0, outputs, 2);
}

static void read_in_vain(struct session_builder *b, uint64_t call)
{
	const struct wt_value inputs[] = {n(SESSION_PROCESS),  n(0), n(UINT32_MAX), n(1),
					  n(SESSION_PAGE / 2), n(8), given};
	const struct wt_value outputs[] = {n(0), absent};

	begin(b, call, WT_FUNCTION_READ_MEMORY, inputs, 7);
	end(b, call, AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS, outputs, 2);
}

void session_journal_after_attach(struct session_builder *b)
{
	const struct wt_value size = n(b->options->wrong_allocation   ? 5
				       : b->options->roomy_allocation ? 7
								      : 6);
	const struct wt_value agent[] = {n(1), n(AMD_DBGAPI_AGENT_INFO_NAME), n(8), given};
	const struct wt_value wrong_size[] = {n(1), n(AMD_DBGAPI_AGENT_INFO_NAME), n(3), given};
	const struct wt_value notifier[] = {n(SESSION_PROCESS), n(AMD_DBGAPI_PROCESS_INFO_NOTIFIER),
					    n(4), given};
	const struct wt_value text = data(b->options->wrong_output ? "agenT" : "agent", 5);
	const struct wt_value descriptor = data("\x63\x00\x00\x00", 4);
	const struct wt_value agents[] = {n(SESSION_PROCESS), given, given, given};
	const uint64_t one = 1;
	const struct wt_value list_outputs[] = {n(1), data(&one, 8), n(AMD_DBGAPI_CHANGED_YES)};
	const struct wt_value process = n(SESSION_PROCESS);
	const struct wt_value bytes8 = n(8);

	const struct wt_value pump[] = {process, given, given};
	const struct wt_value runtime[] = {n(1), n(AMD_DBGAPI_EVENT_KIND_RUNTIME)};
	const struct wt_value none[] = {n(0), n(0)};
	const struct wt_value message[] = {n(AMD_DBGAPI_LOG_LEVEL_WARNING), data("a stop", 6)};
	uint64_t last = 10;

	begin(b, 4, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, pump, 3);
	called_back(b, 4, "log_message", message, 2, 0, NULL, 0);
	end(b, 4, 0, runtime, 2);
	begin(b, 5, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, pump, 3);
	end(b, 5, 0, none, 2);
	begin(b, 6, WT_FUNCTION_AGENT_GET_INFO, agent, 4);
	if (b->options->refused) {
		end(b, 6, AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE, &absent, 1);
	} else {
		called_back(b, 6, "allocate_memory", &size, 1, 1, NULL, 0);
		end(b, 6, b->options->wrong_status ? -1 : 0, &text, 1);
	}
	begin(b, 7, WT_FUNCTION_AGENT_GET_INFO, wrong_size, 4);
	end(b, 7, AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY, &absent, 1);
	begin(b, 8, WT_FUNCTION_PROCESS_GET_INFO, notifier, 4);
	end(b, 8, 0, &descriptor, 1);
	begin(b, 9, WT_FUNCTION_PROCESS_AGENT_LIST, agents, 4);
	called_back(b, 9, "allocate_memory", &bytes8, 1, 1, NULL, 0);
	end(b, 9, 0, list_outputs, 3);
	if (b->options->newer_function)
		call_newer(b, last++);
	if (b->options->vain_read)
		read_in_vain(b, last++);
	if (b->options->long_read)
		read_much(b, last++);
	for (unsigned i = 0; i < b->options->questions; i++, last++) {
		begin(b, last, WT_FUNCTION_AGENT_GET_INFO, wrong_size, 4);
		end(b, last, AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY, &absent, 1);
	}
	for (unsigned i = 0; i < b->options->polls; i++, last++) {
		begin(b, last, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, pump, 3);
		end(b, last, 0, none, 2);
	}
	begin(b, last, WT_FUNCTION_PROCESS_DETACH, &process, 1);
	end(b, last++, 0, NULL, 0);
	begin(b, last, WT_FUNCTION_FINALIZE, NULL, 0);
	if (!b->options->no_end)
		end(b, last, 0, NULL, 0);
}
