/* SPDX-License-Identifier: MIT */
/*
 * The journal from its first call to its last.
 *
 * Not driven are calls with bytes that the recorder did not keep (unreadable, or very long),
 * transfers of more than 64 MiB, and functions that this version does not know: they are counted.
 */
#include "replayer/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "replayer/verify/internal.h"

/*
 * The client that a recorded library had, as far as its callbacks go: each answers what the
 * recorded one answered at that place, and says so if the library called it otherwise than then.
 */

/* Callbacks have no context: one journal is driven at a time. */
static struct wt_driver *current;

static void logs_add(struct wt_logs *logs, uint32_t level, const char *text)
{
	if (logs->count == logs->capacity) {
		size_t capacity = logs->capacity ? 2 * logs->capacity : 16;
		struct wt_logged *grown =
			reallocarray(logs->messages, capacity, sizeof(*logs->messages));

		if (!grown) {
			logs->failed = true;
			return;
		}
		logs->messages = grown;
		logs->capacity = capacity;
	}
	logs->messages[logs->count] = (struct wt_logged){.level = level, .text = strdup(text)};
	if (logs->messages[logs->count].text)
		logs->count++;
	else
		logs->failed = true;
}

static void logs_deinit(struct wt_logs *logs)
{
	for (size_t i = 0; i < logs->count; i++)
		free(logs->messages[i].text);
	free(logs->messages);
	memset(logs, 0, sizeof(*logs));
}

static const char *callback_name(int kind)
{
	if (kind < WT_CALLBACK_COUNT)
		return wt_callback_names[kind];
	return kind == WT_CALLBACK_SYMBOLIZER ? "symbolizer" : "unknown";
}

static void difference(const char *what, char *recorded, char *replayed)
{
	wt_differences_add(&current->result->differences, current->call->number,
			   wt_functions[current->call->function].name, what, recorded, replayed);
}

/*
 * Callbacks by which a library reads the process that it debugs, or a core of it. A replay from state has no such
 * process; one in step makes the client read its core as it did then.
 */
static bool is_reading(const struct wt_whole_call *call, const struct wt_whole_callback *callback)
{
	switch (callback->kind) {
	case WT_CALLBACK_XFER_GLOBAL_MEMORY:
		return true;
	case WT_CALLBACK_CLIENT_PROCESS_GET_INFO:
		return callback->input_count > 1 &&
		       callback->inputs[1].number == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE;
	case WT_CALLBACK_DEALLOCATE_MEMORY: /* of the core state */
		return call->function == WT_FUNCTION_PROCESS_ATTACH;
	default:
		return false;
	}
}

/*
 * A breakpoint in the host program. Which ones there were is in newer traces alone, and one that the client
 * refused, or that it only removed because the library was finalized, is not asked for again.
 */
static bool callback_is_breakpoint(int kind)
{
	return kind == WT_CALLBACK_INSERT_BREAKPOINT || kind == WT_CALLBACK_REMOVE_BREAKPOINT;
}

/* Is it about a process that is a core dump? The client names its process first. */
static bool is_of_core(const struct wt_whole_callback *callback)
{
	for (size_t i = 0; i < current->core_count; i++)
		if (callback->input_count && current->cores[i].client == callback->inputs[0].number)
			return true;
	return false;
}

/* Is it a callback that is not made again, or need not be? @kind: of what was called now; -1 for none. */
static bool is_passed_over(const struct wt_whole_callback *callback, int kind)
{
	const struct wt_whole_call *call = current->call;

	if (!current->from_state)
		return callback->kind == WT_CALLBACK_XFER_GLOBAL_MEMORY && !is_of_core(callback) &&
		       !wt_whole_call_gives_core(call);
	/* Log messages are compared on their own. */
	return callback->kind == WT_CALLBACK_LOG_MESSAGE || is_reading(call, callback) ||
	       (callback->kind != kind && callback_is_breakpoint(callback->kind));
}

static const struct wt_whole_callback *callback_next_recorded(int kind)
{
	const struct wt_whole_call *call = current->call;

	for (; current->next_callback < call->callback_count; current->next_callback++) {
		const struct wt_whole_callback *next = &call->callbacks[current->next_callback];

		if (!is_passed_over(next, kind))
			break;
	}
	return current->next_callback < call->callback_count
		       ? &call->callbacks[current->next_callback]
		       : NULL;
}

/*
 * The room that a library asks for is its own affair, as long as what it gives fits in: AMD's asks for all registers of an
 * architecture before it counts those of a wave. What was given is compared as the call's output.
 */
static bool is_spare_room(const struct wt_whole_callback *recorded, const struct wt_value *replayed)
{
	return current->from_state && recorded->kind == WT_CALLBACK_ALLOCATE_MEMORY &&
	       recorded->input_count == 1 && recorded->inputs[0].form == WT_VALUE_NUMBER &&
	       recorded->inputs[0].number > replayed->number;
}

static void compare_inputs(const struct wt_whole_callback *recorded, const struct wt_value *inputs,
			   size_t count)
{
	char what[96];

	for (size_t i = 0; i < count; i++) {
		const struct wt_value absent = {.form = WT_VALUE_ABSENT};
		const struct wt_value *then =
			i < recorded->input_count ? &recorded->inputs[i] : &absent;

		current->result->bytes +=
			inputs[i].form == WT_VALUE_DATA ? inputs[i].size : sizeof(uint64_t);
		if (wt_value_equal(then, &inputs[i]) || is_spare_room(recorded, &inputs[i]))
			continue;
		snprintf(what, sizeof(what), "callback %s: input %zu",
			 callback_name(recorded->kind), i);
		wt_differences_add_values(&current->result->differences, current->call->number,
					  wt_functions[current->call->function].name, what, then,
					  &inputs[i]);
	}
}

/*
 * The recorded callback that a callback of the replaying library corresponds to; NULL if none does.
 */
static const struct wt_whole_callback *callback_match(int kind, const struct wt_value *inputs,
						      size_t count)
{
	const struct wt_whole_callback *recorded;

	if (!current || !current->call)
		return NULL;
	recorded = callback_next_recorded(kind);
	current->result->callbacks++;
	if (!recorded || recorded->kind != kind) {
		difference("callback",
			   wt_text("%s", recorded ? callback_name(recorded->kind) : "no callback"),
			   wt_text("%s", callback_name(kind)));
		return NULL;
	}
	compare_inputs(recorded, inputs, count);
	current->next_callback++;
	return recorded;
}

static struct wt_value data(const void *bytes, size_t size)
{
	return bytes ? (struct wt_value){.form = WT_VALUE_DATA, .data = bytes, .size = size}
		     : (struct wt_value){.form = WT_VALUE_ABSENT};
}

static const struct wt_value *callback_output(const struct wt_whole_callback *recorded,
					      size_t index)
{
	static const struct wt_value absent = {.form = WT_VALUE_ABSENT};

	return recorded && index < recorded->output_count ? &recorded->outputs[index] : &absent;
}

static void *driver_allocation_make(size_t size)
{
	struct wt_allocation *allocation = current ? malloc(sizeof(*allocation)) : NULL;
	void *memory = malloc(size ? size : 1);

	if (!allocation || !memory) {
		free(allocation);
		free(memory);
		return NULL;
	}
	*allocation = (struct wt_allocation){
		.next = current->allocations,
		.memory = memory,
		.size = size,
	};
	current->allocations = allocation;
	return memory;
}

static void *driver_allocate_memory(size_t byte_size)
{
	const struct wt_value inputs[] = {wt_value_number(byte_size)};
	const struct wt_whole_callback *recorded =
		callback_match(WT_CALLBACK_ALLOCATE_MEMORY, inputs, 1);

	/* A client that gave nothing gives nothing again. */
	return recorded && !recorded->result ? NULL : driver_allocation_make(byte_size);
}

static void driver_allocation_release(void *memory)
{
	struct wt_allocation **link = &current->allocations;

	while (*link && (*link)->memory != memory)
		link = &(*link)->next;
	if (*link) {
		struct wt_allocation *found = *link;

		*link = found->next;
		free(found);
	}
	free(memory);
}

static void driver_deallocate_memory(void *memory)
{
	const struct wt_value inputs[] = {wt_value_pointer(memory != NULL)};

	callback_match(WT_CALLBACK_DEALLOCATE_MEMORY, inputs, 1);
	if (current)
		driver_allocation_release(memory);
}

static bool give_core_state(const struct wt_value *answer, void *value)
{
	amd_dbgapi_core_state_data_t core = {0};
	struct wt_cursor cursor = wt_cursor_init(answer->data, answer->size);
	uint32_t endianness;
	void *copy;

	if (!wt_cursor_u32(&cursor, &endianness))
		return false;
	copy = driver_allocation_make(cursor.remaining);
	if (!copy)
		return false;
	if (cursor.remaining)
		memcpy(copy, cursor.data, cursor.remaining);
	core.endianness = (amd_dbgapi_endianness_t)endianness;
	core.size = cursor.remaining;
	core.data = copy;
	memcpy(value, &core, sizeof(core));
	return true;
}

static amd_dbgapi_status_t driver_process_get_info(amd_dbgapi_client_process_id_t client_process_id,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	const struct wt_value inputs[] = {
		wt_value_number((uintptr_t)client_process_id), wt_value_number((uint32_t)query),
		wt_value_number(value_size), wt_value_pointer(value != NULL)};
	const struct wt_whole_callback *recorded =
		callback_match(WT_CALLBACK_CLIENT_PROCESS_GET_INFO, inputs, 4);
	const struct wt_value *answer = callback_output(recorded, 0);

	if (!recorded)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (recorded->result != AMD_DBGAPI_STATUS_SUCCESS || !value)
		return (amd_dbgapi_status_t)recorded->result;
	if (answer->form != WT_VALUE_DATA)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (query == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE &&
	    value_size == sizeof(amd_dbgapi_core_state_data_t))
		return give_core_state(answer, value) ? AMD_DBGAPI_STATUS_SUCCESS
						      : AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (answer->size != value_size)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, answer->data, answer->size);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t status_of(const struct wt_whole_callback *recorded)
{
	return recorded ? (amd_dbgapi_status_t)recorded->result : AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t
driver_insert_breakpoint(amd_dbgapi_client_process_id_t client_process_id,
			 amd_dbgapi_global_address_t address,
			 amd_dbgapi_breakpoint_id_t breakpoint_id)
{
	const struct wt_value inputs[] = {wt_value_number((uintptr_t)client_process_id),
					  wt_value_number(address),
					  wt_value_number(breakpoint_id.handle)};

	return status_of(callback_match(WT_CALLBACK_INSERT_BREAKPOINT, inputs, 3));
}

static amd_dbgapi_status_t
driver_remove_breakpoint(amd_dbgapi_client_process_id_t client_process_id,
			 amd_dbgapi_breakpoint_id_t breakpoint_id)
{
	const struct wt_value inputs[] = {wt_value_number((uintptr_t)client_process_id),
					  wt_value_number(breakpoint_id.handle)};

	return status_of(callback_match(WT_CALLBACK_REMOVE_BREAKPOINT, inputs, 2));
}

static amd_dbgapi_status_t
driver_xfer_global_memory(amd_dbgapi_client_process_id_t client_process_id,
			  amd_dbgapi_global_address_t global_address, amd_dbgapi_size_t *value_size,
			  void *read_buffer, const void *write_buffer)
{
	const struct wt_value inputs[] = {
		wt_value_number((uintptr_t)client_process_id), wt_value_number(global_address),
		value_size ? wt_value_number(*value_size) : wt_value_absent(),
		wt_value_pointer(read_buffer != NULL),
		data(write_buffer, value_size ? *value_size : 0)};
	const struct wt_whole_callback *recorded =
		callback_match(WT_CALLBACK_XFER_GLOBAL_MEMORY, inputs, 5);
	const struct wt_value *bytes = callback_output(recorded, 1);

	if (!recorded)
		return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
	if (bytes->form == WT_VALUE_DATA && read_buffer && value_size && bytes->size <= *value_size)
		memcpy(read_buffer, bytes->data, bytes->size);
	if (value_size && callback_output(recorded, 0)->form == WT_VALUE_NUMBER &&
	    callback_output(recorded, 0)->number <= *value_size)
		*value_size = callback_output(recorded, 0)->number;
	return (amd_dbgapi_status_t)recorded->result;
}

static void driver_log_message(amd_dbgapi_log_level_t level, const char *message)
{
	const struct wt_value inputs[] = {wt_value_number((uint32_t)level),
					  data(message, message ? strlen(message) : 0)};

	if (current && current->from_state)
		logs_add(&current->replayed_logs, (uint32_t)level, message ? message : "");
	else if (current && current->call)
		callback_match(WT_CALLBACK_LOG_MESSAGE, inputs, 2);
}

amd_dbgapi_status_t wt_driver_symbolizer(amd_dbgapi_symbolizer_id_t id,
					 amd_dbgapi_global_address_t address, char **symbol_text)
{
	const struct wt_value inputs[] = {wt_value_number((uintptr_t)id), wt_value_number(address),
					  wt_value_pointer(symbol_text != NULL)};
	const struct wt_whole_callback *recorded =
		callback_match(WT_CALLBACK_SYMBOLIZER, inputs, 3);
	const struct wt_value *text = callback_output(recorded, 0);

	if (!recorded)
		return AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND;
	if (text->form == WT_VALUE_DATA && symbol_text) {
		*symbol_text = driver_allocation_make(text->size + 1);
		if (!*symbol_text)
			return AMD_DBGAPI_STATUS_ERROR;
		memcpy(*symbol_text, text->data, text->size);
		(*symbol_text)[text->size] = '\0';
	}
	return (amd_dbgapi_status_t)recorded->result;
}

amd_dbgapi_callbacks_t *wt_driver_callbacks(uint64_t bits)
{
	static amd_dbgapi_callbacks_t callbacks;

#define GIVEN(callback, kind) ((bits >> (kind)) & 1 ? (callback) : NULL)
	callbacks = (amd_dbgapi_callbacks_t){
		.allocate_memory = GIVEN(driver_allocate_memory, WT_CALLBACK_ALLOCATE_MEMORY),
		.deallocate_memory = GIVEN(driver_deallocate_memory, WT_CALLBACK_DEALLOCATE_MEMORY),
		.client_process_get_info =
			GIVEN(driver_process_get_info, WT_CALLBACK_CLIENT_PROCESS_GET_INFO),
		.insert_breakpoint = GIVEN(driver_insert_breakpoint, WT_CALLBACK_INSERT_BREAKPOINT),
		.remove_breakpoint = GIVEN(driver_remove_breakpoint, WT_CALLBACK_REMOVE_BREAKPOINT),
		.xfer_global_memory =
			GIVEN(driver_xfer_global_memory, WT_CALLBACK_XFER_GLOBAL_MEMORY),
		.log_message = GIVEN(driver_log_message, WT_CALLBACK_LOG_MESSAGE),
	};
#undef GIVEN
	return &callbacks;
}

/* Start the driver's own client, whose callbacks answer as the recorded ones did. */
static void driver_begin(struct wt_driver *driver)
{
	current = driver;
}

static void driver_end(struct wt_driver *driver)
{
	logs_deinit(&driver->recorded_logs);
	logs_deinit(&driver->replayed_logs);
	current = NULL;
}

void wt_driver_settle(struct wt_driver *driver)
{
	const struct wt_whole_callback *recorded;

	while ((recorded = callback_next_recorded(-1))) {
		difference("callback", wt_text("%s", callback_name(recorded->kind)),
			   wt_text("no callback"));
		driver->next_callback++;
	}
	while (driver->allocations)
		driver_allocation_release(driver->allocations->memory);
}

void wt_verify_deinit(struct wt_verify_result *result)
{
	wt_differences_deinit(&result->differences);
}

static bool verify_error_is_loss(const struct wt_error *error)
{
	return error && (error->code == WT_ERROR_INPUT || error->code == WT_ERROR_NOT_FOUND);
}

static struct wt_error *note_moment(void *opaque, uint32_t number)
{
	struct wt_driver *driver = opaque;
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(driver->reader, number, &moment);

	/* A lost one is a gap: what comes behind it is not compared. */
	if (verify_error_is_loss(error)) {
		wt_error_destroy(error);
		return NULL;
	}
	for (size_t i = 0; !error && i < moment->log_count; i++)
		logs_add(&driver->recorded_logs, moment->log[i].level, moment->log[i].text);
	return error;
}

static char *log_text(const struct wt_logs *logs, size_t index)
{
	if (index >= logs->count)
		return wt_text("no message");
	return wt_text("level %u: %s", logs->messages[index].level, logs->messages[index].text);
}

static void compare_logs(struct wt_driver *driver)
{
	const struct wt_logs *recorded = &driver->recorded_logs, *replayed = &driver->replayed_logs;
	size_t count = recorded->count > replayed->count ? recorded->count : replayed->count;

	for (size_t i = 0; i < count; i++) {
		driver->result->callbacks++;
		if (i < recorded->count && i < replayed->count &&
		    recorded->messages[i].level == replayed->messages[i].level &&
		    !strcmp(recorded->messages[i].text, replayed->messages[i].text))
			continue;
		wt_differences_add(&driver->result->differences, 0, NULL, "log message",
				   log_text(recorded, i), log_text(replayed, i));
		return;
	}
}

/* Returns what a call brought that a moment is made of: its event, or the process it attached to; 0 for other calls. */
static uint64_t brought_by(const struct wt_whole_call *call)
{
	bool attach = call->function == WT_FUNCTION_PROCESS_ATTACH &&
		      call->status == AMD_DBGAPI_STATUS_SUCCESS;

	return (attach || call->function == WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT) &&
			       call->output_count && call->outputs[0].form == WT_VALUE_NUMBER
		       ? call->outputs[0].number
		       : 0;
}

/* The event that comes next is mostly the one behind that which was found last: a moment may have thousands. */
static bool driver_moment_has_event(struct wt_driver *driver, const struct wt_moment *moment,
				    uint64_t event)
{
	for (size_t i = 0; i < moment->event_count; i++) {
		size_t place = (driver->event_place + i) % moment->event_count;

		if (moment->events[place].handle == event) {
			driver->event_place = place + 1;
			return true;
		}
	}
	return false;
}

/* Is this the moment of what a call brought? */
static bool moment_is_of_call(struct wt_driver *driver, const struct wt_moment *moment,
			      const struct wt_whole_call *call)
{
	uint64_t brought = brought_by(call);

	return call->function == WT_FUNCTION_PROCESS_ATTACH
		       ? moment->cause == WT_MOMENT_ATTACH && moment->process == brought
		       : driver_moment_has_event(driver, moment, brought);
}

/*
 * Was the process ended after it got this event, or attached, and before the moment of it was written? Then
 * there is nothing to replay from here on. A trace that was closed in order has a moment for every
 * event and attach, unless one of them is lost.
 */
static struct wt_error *call_outcome_is_lost(struct wt_driver *driver,
					     const struct wt_whole_call *call, bool *lost_ret)
{
	bool attach = call->function == WT_FUNCTION_PROCESS_ATTACH;
	uint32_t count = wt_reader_moment_count(driver->reader);
	uint32_t *from = attach ? &driver->attach_moment : &driver->event_moment;

	*lost_ret = false;
	if (!brought_by(call) || (!count && !attach))
		return NULL;
	/* Later events have later moments. */
	for (uint32_t i = *from; (i = wt_reader_next_moment(driver->reader, i)) < count; i++) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(driver->reader, i, &moment);

		if (verify_error_is_loss(error)) {
			wt_error_destroy(error);
			continue;
		}
		if (error)
			return error;
		if (moment_is_of_call(driver, moment, call)) {
			/* One moment is of several events, but of one attach. */
			*from = attach ? i + 1 : i;
			return NULL;
		}
	}
	*lost_ret = true;
	return NULL;
}

/*
 * Does the journal tell of a loss? Then a moment that is not there may be part of it; in a trace of a part of a
 * session it is one that was not wanted.
 */
static struct wt_error *has_gap(struct wt_reader *reader, bool *gap_ret)
{
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	struct wt_error *error = wt_journal_open(reader, &journal);

	*gap_ret = false;
	if (error)
		return error;
	for (;;) {
		error = wt_journal_next(journal, &record);
		if (error || !record)
			break;
		*gap_ret |= record->kind == WT_JOURNAL_NOTICE &&
			    record->notice_kind == WT_NOTICE_LOST && !record->notice_call;
	}
	wt_journal_close(journal);
	return error;
}

static void find_lost(struct wt_verify_result *result, const struct wt_whole_call *call,
		      const char *why)
{
	if (result->lost)
		return;
	result->lost = true;
	result->lost_call = call->number;
	snprintf(result->lost_why, sizeof(result->lost_why), "%s", why);
}

/* The moment of what a call brought is not there: why? In a recording that was killed the call is its end. */
static void find_lost_moment(struct wt_driver *driver, const struct wt_whole_call *call,
			     const struct wt_trace_info *info)
{
	char why[WT_CALLS_WHY_MAX];

	if (!info->complete)
		return;
	snprintf(why, sizeof(why), "the recording ended early: %s", info->end_reason);
	if (info->cut)
		find_lost(driver->result, call, why);
	else if (call->function == WT_FUNCTION_PROCESS_ATTACH)
		find_lost(driver->result, call,
			  "the state that it attached to is not in the trace");
	else
		find_lost(driver->result, call,
			  "the stop that its event was of is not in the trace");
}

/* Drive it, or count it where what it builds on is lost. @end_ret: none behind it can be driven. */
static struct wt_error *recorded_call_take(struct wt_driver *driver, const struct wt_calls *calls,
					   const struct wt_whole_call *call, bool *end_ret)
{
	struct wt_verify_result *result = driver->result;
	struct wt_error *error = NULL;
	bool lost = false;

	if (call->torn && call->ended)
		find_lost(result, call, calls->why);
	if (!result->lost)
		error = call_outcome_is_lost(driver, call, &lost);
	if (!error && lost && driver->info.complete && !driver->info.cut)
		error = has_gap(driver->reader, &lost);
	if (error)
		return error;
	if (lost)
		find_lost_moment(driver, call, &driver->info);
	result->not_driven += result->lost;
	if (result->lost)
		return NULL;
	*end_ret = !call->ended || lost;
	if (!*end_ret)
		return wt_drive(driver, call);
	result->unfinished = true;
	result->unfinished_call = call->number;
	return NULL;
}

/* To write nothing is to do something, and changes nothing. Of a process alone. */
static void driver_turn_away(struct wt_driver *driver)
{
	amd_dbgapi_size_t size = 0;

	if (driver->api->write_memory((amd_dbgapi_process_id_t){driver->attached},
				      AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
				      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, 0, &size,
				      &size) == AMD_DBGAPI_STATUS_SUCCESS)
		driver->turned = driver->from_state = true;
}

static struct wt_error *driver_drive_calls(struct wt_driver *driver, struct wt_calls *calls,
					   const struct wt_verify_options *options)
{
	struct wt_verify_result *result = driver->result;

	for (;;) {
		struct wt_whole_call *call;
		struct wt_error *error = wt_calls_next(calls, &call);
		bool end = false;

		if (error || !call)
			return error;
		error = recorded_call_take(driver, calls, call, &end);
		wt_whole_call_destroy(call);
		if (error || end)
			return error;
		if (options && options->turn_at && result->calls >= options->turn_at &&
		    driver->attached && !driver->turned)
			driver_turn_away(driver);
		if (options && options->progress)
			options->progress(options->opaque, result->calls);
	}
}

struct wt_error *wt_verify_run(struct wt_reader *reader, const struct wt_api *api,
			       const struct wt_verify_options *options,
			       struct wt_verify_result *result_ret)
{
	struct wt_driver driver = {.api = api,
				   .reader = reader,
				   .result = result_ret,
				   .from_state = options && options->from_state};
	struct wt_calls calls;
	struct wt_error *error;

	memset(result_ret, 0, sizeof(*result_ret));
	wt_reader_info(reader, &driver.info);
	error = wt_calls_open(reader, &calls);
	if (error)
		return error;
	calls.moment = note_moment;
	calls.opaque = &driver;
	/* The library was driven in step before, and left as the recorded client left it. */
	if (driver.from_state) {
		api->finalize();
		api->set_log_level(AMD_DBGAPI_LOG_LEVEL_NONE);
	}
	driver_begin(&driver);
	error = driver_drive_calls(&driver, &calls, options);
	if (!error && driver.from_state && !driver.turned && !result_ret->unfinished &&
	    !result_ret->lost)
		compare_logs(&driver);
	wt_differences_sort(&result_ret->differences);
	if (!error && (driver.recorded_logs.failed || driver.replayed_logs.failed))
		error = &wt_error_no_memory;
	wt_calls_close(&calls);
	driver_end(&driver);
	if (error)
		wt_verify_deinit(result_ret);
	return error;
}
