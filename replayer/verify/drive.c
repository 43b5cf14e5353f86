/* SPDX-License-Identifier: MIT */
/*
 * One recorded call: its arguments as the client gave them, its outputs as the recorder told them,
 * and the comparison of both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "dbgapi/client/level.h"
#include "dbgapi/client/marshal.h"
#include "replayer/verify/internal.h"
#include "replayer/verify/verify.h"

#define UNAVAILABLE_SINCE 78 /* the level that has MEMORY_UNAVAILABLE, 0.78 */
/* Places for outputs are filled with it before the call. */
#define PATTERN 0xa5
/* Transfers longer than this are not made again. */
#define LONGEST_TRANSFER ((uint64_t)64 << 20)
/* A get_info with a larger size than this is refused by every library. */
#define LARGEST_VALUE 4096u
/* Bytes for a pointer whose length the client did not give. */
#define UNCOUNTED_BYTES 64u

/* One parameter: what is handed over, and where its output will be. */
struct slot {
	const struct wt_parameter *parameter;
	union {
		uint64_t number;
		void *pointer;
		uint8_t bytes[16];
	} place;	 /* out, inout, and pointers to pointers */
	uint64_t before; /* inout */
	void *buffer;	 /* bytes in or out */
	size_t buffer_size;
	struct wt_buffer marshalled;
};

struct drive {
	struct wt_driver *driver;
	const struct wt_whole_call *call;
	const struct wt_function_info *info;
	struct slot slots[WT_ARGUMENTS];
	struct wt_argument arguments[WT_ARGUMENTS];
	int64_t status;
	const char *text;
	bool failed;
};

static const struct wt_value *input(const struct drive *drive, int index)
{
	return &drive->call->inputs[index];
}

/* The number that a length, count or query parameter was given. */
static uint64_t given(const struct drive *drive, int index)
{
	return index >= 0 && input(drive, index)->form == WT_VALUE_NUMBER
		       ? input(drive, index)->number
		       : 0;
}

/* Whether the client gave a length. Without one no library reads more than an instruction. */
static bool was_counted(const struct drive *drive, int index)
{
	return index >= 0 && input(drive, index)->form != WT_VALUE_ABSENT;
}

static bool make_buffer(struct slot *slot, size_t size)
{
	slot->buffer = malloc(size ? size : 1);
	slot->buffer_size = size;
	if (slot->buffer)
		memset(slot->buffer, PATTERN, size ? size : 1);
	return slot->buffer;
}

/* Finds what was recorded for an output; NULL: nothing. */
static const struct wt_value *recorded_output(const struct drive *drive, const struct slot *slot)
{
	size_t index = 0;

	for (const struct slot *other = drive->slots; other < slot; other++)
		index += wt_shape_is_output(other->parameter->shape);
	return index < drive->call->output_count ? &drive->call->outputs[index] : NULL;
}

/* Bytes that came back and were too many to be kept: no state has as many of the program's memory, either. */
static bool was_too_long(const struct drive *drive, const struct slot *slot)
{
	const struct wt_value *recorded = recorded_output(drive, slot);

	return recorded && recorded->form == WT_VALUE_PRESENT;
}

enum prepared { PREPARED, NOT_DRIVABLE, NO_MEMORY };

static enum prepared prepare_bytes(struct drive *drive, struct slot *slot,
				   const struct wt_value *value, struct wt_argument *argument)
{
	uint64_t length = given(drive, slot->parameter->length_index);

	switch (slot->parameter->shape) {
	case WT_SHAPE_IN_BYTES:
		if (value->form == WT_VALUE_DATA) {
			argument->pointer = (void *)(uintptr_t)value->data;
			return PREPARED;
		}
		/* The recorder does not keep what it could not read, or what is very long. */
		if (was_counted(drive, slot->parameter->length_index))
			return NOT_DRIVABLE;
		length = UNCOUNTED_BYTES;
		break;
	case WT_SHAPE_OUT_QUERY:
		/* Room for any result, should the library be wrong about the size. */
		length = length < LARGEST_VALUE ? length : LARGEST_VALUE;
		break;
	default:
		if (length > LONGEST_TRANSFER || was_too_long(drive, slot))
			return NOT_DRIVABLE;
	}
	if (!make_buffer(slot, (size_t)length))
		return NO_MEMORY;
	argument->pointer = slot->buffer;
	return PREPARED;
}

static enum prepared prepare_pointer(struct drive *drive, struct slot *slot,
				     const struct wt_value *value, struct wt_argument *argument)
{
	if (value->form == WT_VALUE_ABSENT)
		return PREPARED;
	memset(&slot->place, PATTERN, sizeof(slot->place));
	switch (slot->parameter->shape) {
	case WT_SHAPE_INOUT:
		slot->place.number = slot->before = value->number;
		argument->pointer = &slot->place;
		return PREPARED;
	case WT_SHAPE_IN_BYTES:
	case WT_SHAPE_OUT_BYTES:
	case WT_SHAPE_OUT_QUERY:
		return prepare_bytes(drive, slot, value, argument);
	case WT_SHAPE_SYMBOLIZER:
		argument->symbolizer = wt_driver_symbolizer;
		return PREPARED;
	case WT_SHAPE_CALLBACKS:
		argument->pointer = wt_driver_callbacks(value->number);
		return PREPARED;
	default:
		argument->pointer = &slot->place;
		return PREPARED;
	}
}

static enum prepared drive_prepare(struct drive *drive)
{
	for (size_t i = 0; i < drive->info->parameter_count; i++) {
		const struct wt_value *value = input(drive, (int)i);
		struct wt_argument *argument = &drive->arguments[i];
		struct slot *slot = &drive->slots[i];
		enum prepared prepared = PREPARED;

		slot->parameter = &drive->info->parameters[i];
		if (slot->parameter->shape == WT_SHAPE_VALUE)
			argument->number = value->number;
		else if (slot->parameter->shape == WT_SHAPE_OPAQUE)
			/* Its number in order of appearance serves as the identity. */
			argument->pointer =
				(void *)(uintptr_t)(value->form == WT_VALUE_NUMBER ? value->number
										   : UINTPTR_MAX);
		else
			prepared = prepare_pointer(drive, slot, value, argument);
		if (prepared != PREPARED)
			return prepared;
	}
	return PREPARED;
}

static bool bytes_are_pattern(const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (((const uint8_t *)bytes)[i] != PATTERN)
			return false;
	return true;
}

/* An integer as the journal has it. */
static uint64_t slot_load(const struct slot *slot)
{
	return wt_value_load(&slot->place, slot->parameter->size, slot->parameter->is_signed);
}

static bool was_given(const struct drive *drive, int index)
{
	return index >= 0 && drive->arguments[index].pointer;
}

static struct wt_value output_integer(const struct drive *drive, const struct slot *slot)
{
	size_t size =
		slot->parameter->size < sizeof(uint64_t) ? slot->parameter->size : sizeof(uint64_t);
	bool unchanged = slot->parameter->shape == WT_SHAPE_INOUT
				 ? slot_load(slot) == slot->before
				 : bytes_are_pattern(&slot->place, size);

	return drive->failed && unchanged ? wt_value_absent() : wt_value_number(slot_load(slot));
}

/* How many bytes came back, as the length parameter says after the call; false if no one knows. */
static bool output_length(const struct drive *drive, const struct slot *slot, uint64_t *length_ret)
{
	int index = slot->parameter->shape == WT_SHAPE_OUT_ARRAY ? slot->parameter->count_index
								 : slot->parameter->length_index;
	const struct slot *other;

	if (index < 0)
		return false;
	other = &drive->slots[index];
	if (other->parameter->shape == WT_SHAPE_VALUE) {
		*length_ret = drive->arguments[index].number;
		return true;
	}
	if (!was_given(drive, index)) {
		*length_ret = 0;
		return other->parameter->shape == WT_SHAPE_INOUT;
	}
	*length_ret = slot_load(other);
	if (other->parameter->shape == WT_SHAPE_INOUT && other->before < *length_ret)
		*length_ret = other->before;
	if (slot->parameter->shape == WT_SHAPE_OUT_ARRAY)
		*length_ret *= slot->parameter->size;
	return true;
}

static struct wt_value output_bytes(const struct drive *drive, const struct slot *slot)
{
	uint64_t length = 0;

	if (drive->failed)
		return bytes_are_pattern(slot->buffer, slot->buffer_size)
			       ? wt_value_absent()
			       : wt_value_data(slot->buffer, slot->buffer_size);
	output_length(drive, slot, &length);
	return wt_value_data(slot->buffer,
			     length < slot->buffer_size ? (size_t)length : slot->buffer_size);
}

static bool unwritten(const struct drive *drive, const struct slot *slot)
{
	return drive->failed && bytes_are_pattern(&slot->place, sizeof(void *));
}

static struct wt_value output_memory(const struct drive *drive, const struct slot *slot)
{
	uint64_t length;

	if (unwritten(drive, slot))
		return wt_value_absent();
	if (drive->failed || !slot->place.pointer || !output_length(drive, slot, &length))
		return wt_value_present(slot->place.pointer);
	return wt_value_data(slot->place.pointer, (size_t)length);
}

static struct wt_value output_text(const struct drive *drive, const struct slot *slot)
{
	if (unwritten(drive, slot))
		return wt_value_absent();
	if (drive->failed || !slot->place.pointer)
		return wt_value_present(slot->place.pointer);
	return wt_value_data(slot->place.pointer, strlen(slot->place.pointer));
}

static struct wt_value output_information(const struct drive *drive, const struct slot *slot)
{
	const struct slot *kind = slot;

	if (unwritten(drive, slot))
		return wt_value_absent();
	for (size_t i = 0; i < drive->info->parameter_count; i++)
		if (!strcmp(drive->slots[i].parameter->name, "instruction_kind"))
			kind = &drive->slots[i];
	if (drive->failed || !slot->place.pointer || kind == slot)
		return wt_value_present(slot->place.pointer);
	return wt_value_data(slot->place.pointer,
			     wt_marshal_information_size((uint32_t)slot_load(kind)));
}

static const struct wt_query *query_of(const struct drive *drive, const struct slot *slot)
{
	return wt_query_find(drive->info->object,
			     (uint32_t)given(drive, slot->parameter->query_index));
}

/*
 * The length of memory that a query gave is another query's answer. That would be a call more than
 * was recorded, so it is taken from what the library asked the client to allocate.
 */
static size_t allocated_size(const struct drive *drive, const void *memory)
{
	const struct wt_allocation *allocation = drive->driver->allocations;

	while (allocation && allocation->memory != memory)
		allocation = allocation->next;
	return allocation ? allocation->size : 0;
}

static struct wt_value output_query(const struct drive *drive, struct slot *slot)
{
	const struct wt_query *query = query_of(drive, slot);
	size_t length = 0;
	void *memory;

	/* If the recorder says nothing of the memory, it must not have been written. */
	if (!query || slot->buffer_size != query->size)
		return bytes_are_pattern(slot->buffer, slot->buffer_size)
			       ? wt_value_absent()
			       : wt_value_data(slot->buffer, slot->buffer_size);
	if (drive->failed && bytes_are_pattern(slot->buffer, slot->buffer_size))
		return wt_value_absent();
	if (query->result == WT_RESULT_FIXED)
		return wt_value_data(slot->buffer, slot->buffer_size);
	if (drive->failed)
		return wt_value_present(true);
	if (query->result == WT_RESULT_BYTES) {
		memcpy(&memory, slot->buffer, sizeof(memory));
		length = allocated_size(drive, memory);
	}
	wt_marshal_result(query, slot->buffer, length, &slot->marshalled);
	return slot->marshalled.failed
		       ? wt_value_present(true)
		       : wt_value_data(slot->marshalled.data, slot->marshalled.size);
}

static struct wt_value slot_output(const struct drive *drive, struct slot *slot)
{
	if (!drive->arguments[slot - drive->slots].pointer)
		return wt_value_absent();
	switch (slot->parameter->shape) {
	case WT_SHAPE_OUT:
	case WT_SHAPE_INOUT:
		return output_integer(drive, slot);
	case WT_SHAPE_OUT_BYTES:
		return output_bytes(drive, slot);
	case WT_SHAPE_OUT_ARRAY:
	case WT_SHAPE_OUT_MEMORY:
		return output_memory(drive, slot);
	case WT_SHAPE_OUT_STRING:
	case WT_SHAPE_OUT_STATIC_STRING:
		return output_text(drive, slot);
	case WT_SHAPE_OUT_INFORMATION:
		return output_information(drive, slot);
	case WT_SHAPE_OUT_QUERY:
		return output_query(drive, slot);
	default:
		return wt_value_absent();
	}
}

/* Values that differ from process to process are only there or not. */
static bool slot_is_identity(const struct drive *drive, const struct slot *slot)
{
	const struct wt_query *query;

	if (slot->parameter->shape != WT_SHAPE_OUT_QUERY)
		return false;
	query = query_of(drive, slot);
	return query && query->identity;
}

/* Memory of the library's, or a text, that was too long to be kept, and is again. */
static bool is_too_long_again(const struct wt_value *recorded, const struct wt_value *replayed)
{
	return recorded->form == WT_VALUE_PRESENT && recorded->number &&
	       replayed->form == WT_VALUE_DATA && replayed->size > WT_VALUE_DATA_MAX;
}

static void drive_compare(struct drive *drive, size_t index, const char *name,
			  const struct wt_value *replayed, bool presence_only)
{
	const struct wt_value nothing = wt_value_absent();
	const struct wt_value *recorded =
		index < drive->call->output_count ? &drive->call->outputs[index] : &nothing;
	char what[96];

	drive->driver->result->bytes +=
		replayed->form == WT_VALUE_DATA ? replayed->size : sizeof(uint64_t);
	if (presence_only ? recorded->form == replayed->form : wt_value_equal(recorded, replayed))
		return;
	if (is_too_long_again(recorded, replayed))
		return;
	snprintf(what, sizeof(what), "output %s", name);
	wt_differences_add_values(&drive->driver->result->differences, drive->call->number,
				  drive->info->name, what, recorded, replayed);
}

static void compare_outputs(struct drive *drive)
{
	size_t index = 0;

	for (size_t i = 0; i < drive->info->parameter_count; i++) {
		struct slot *slot = &drive->slots[i];
		struct wt_value replayed;

		if (!wt_shape_is_output(slot->parameter->shape))
			continue;
		replayed = slot_output(drive, slot);
		drive_compare(drive, index++, slot->parameter->name, &replayed,
			      slot_is_identity(drive, slot));
	}
	if (drive->info->returns == WT_RETURNS_STRING) {
		struct wt_value text = drive->text ? wt_value_data(drive->text, strlen(drive->text))
						   : wt_value_present(false);

		drive_compare(drive, index, "text", &text, false);
	}
}

/* Whether the recorded library is older than a level, 0.@minor. */
static bool library_is_before(const struct drive *drive, unsigned int minor)
{
	const char *library = drive->driver->info.library_version;
	unsigned int major, its;

	return library && sscanf(library, "%9u.%9u", &major, &its) == 2 && !major && its < minor;
}

/*
 * Whether the recorded library did not have the function, which is then newer: the recorder has refused the call in its place. A
 * client that is linked with the function does not run over such a library, and the state may know an answer.
 */
static bool is_newer_than_library(const struct drive *drive)
{
	const char *version = strchr(drive->info->name, '@');

	return drive->driver->from_state &&
	       drive->call->status == AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED && version &&
	       library_is_before(drive, wt_version_minor(version + 1));
}

/* Clients of the recorded library's level know one status for memory that is none and for memory that was not kept. */
static bool is_one_status_there(const struct drive *drive)
{
	return library_is_before(drive, UNAVAILABLE_SINCE) &&
	       drive->call->status == AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS &&
	       drive->status == AMD_DBGAPI_STATUS_ERROR_MEMORY_UNAVAILABLE;
}

static void compare_status(struct drive *drive)
{
	if (drive->status != drive->call->status && !is_one_status_there(drive))
		wt_differences_add(&drive->driver->result->differences, drive->call->number,
				   drive->info->name, "status",
				   wt_text("%s", wt_status_name(drive->call->status)),
				   wt_text("%s", wt_status_name(drive->status)));
}

static void add_core(struct wt_driver *driver, const struct wt_whole_call *call)
{
	if (driver->core_count == WT_DRIVER_CORES || !wt_whole_call_gives_core(call))
		return;
	driver->cores[driver->core_count].process = call->outputs[0].number;
	driver->cores[driver->core_count++].client = call->inputs[0].number;
}

static void drop_core(struct wt_driver *driver, uint64_t process)
{
	for (size_t i = driver->core_count; i-- > 0;)
		if (driver->cores[i].process == process)
			driver->cores[i] = driver->cores[--driver->core_count];
}

/* The process that the recorded client attached to first, of those that it is attached to; and all that are cores. */
static void note_process(struct wt_driver *driver, const struct wt_whole_call *call)
{
	bool granted = call->status == AMD_DBGAPI_STATUS_SUCCESS;

	if (call->function == WT_FUNCTION_PROCESS_ATTACH && granted && call->output_count) {
		add_core(driver, call);
		if (driver->attached)
			return;
		driver->attached = call->outputs[0].number;
		driver->from_state = driver->from_state && !driver->turned;
	}
	if (call->function == WT_FUNCTION_PROCESS_DETACH && granted) {
		drop_core(driver, call->inputs[0].number);
		if (driver->attached == call->inputs[0].number)
			driver->attached = 0;
	}
	if (call->function == WT_FUNCTION_FINALIZE)
		driver->attached = driver->core_count = 0;
}

static void driven_call_make(struct drive *drive)
{
	struct wt_driver *driver = drive->driver;

	driver->call = drive->call;
	driver->next_callback = 0;
	wt_invoke(driver->api, drive->call->function, drive->arguments, &drive->status,
		  &drive->text);
	drive->failed = drive->status != AMD_DBGAPI_STATUS_SUCCESS;
	if (!is_newer_than_library(drive)) {
		compare_status(drive);
		compare_outputs(drive);
	}
	wt_driver_settle(driver);
	note_process(driver, drive->call);
	driver->call = NULL;
	driver->result->calls++;
}

/* A call with few parameters touches few slots: this is done for each call of a journal. */
static void drive_init(struct drive *drive, struct wt_driver *driver,
		       const struct wt_whole_call *call)
{
	size_t count = wt_functions[call->function].parameter_count;

	drive->driver = driver;
	drive->call = call;
	drive->info = &wt_functions[call->function];
	drive->status = 0;
	drive->text = NULL;
	drive->failed = false;
	memset(drive->slots, 0, count * sizeof(*drive->slots));
	memset(drive->arguments, 0, count * sizeof(*drive->arguments));
}

static void drive_deinit(struct drive *drive)
{
	for (size_t i = 0; i < drive->info->parameter_count; i++) {
		free(drive->slots[i].buffer);
		wt_buffer_deinit(&drive->slots[i].marshalled);
	}
}

/* Calls that carry memory, or what can be told from it: a redacted trace has nothing to compare them with. */
static bool was_redacted(const struct wt_driver *driver, const struct wt_whole_call *call)
{
	switch ((int)call->function) {
	case WT_FUNCTION_READ_MEMORY:
	case WT_FUNCTION_WRITE_MEMORY:
	case WT_FUNCTION_QUEUE_PACKET_LIST:
	case WT_FUNCTION_DISASSEMBLE_INSTRUCTION:
	case WT_FUNCTION_CLASSIFY_INSTRUCTION:
		return driver->info.redacted;
	default:
		return false;
	}
}

struct wt_error *wt_drive(struct wt_driver *driver, const struct wt_whole_call *call)
{
	enum prepared prepared = NOT_DRIVABLE;
	struct drive drive;

	if (call->function == WT_FUNCTION_COUNT ||
	    call->input_count != wt_functions[call->function].parameter_count) {
		driver->result->not_driven++;
		return NULL;
	}
	if (was_redacted(driver, call)) {
		driver->result->redacted++;
		return NULL;
	}
	drive_init(&drive, driver, call);
	prepared = drive_prepare(&drive);
	if (prepared == PREPARED)
		driven_call_make(&drive);
	else if (prepared == NOT_DRIVABLE)
		driver->result->not_driven++;
	drive_deinit(&drive);
	return prepared == NO_MEMORY ? &wt_error_no_memory : NULL;
}
