/* SPDX-License-Identifier: MIT */
/* What holds for every kind of object, driven by the one table: handles, queries, lists. */
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#define NO_HANDLE UINT64_C(0x7fff1234567)
#define NO_QUERY 9999u
#define FILLER 0xa5

static bool untouched(const void *value, size_t size)
{
	const uint8_t *bytes = value;

	for (size_t i = 0; i < size; i++)
		if (bytes[i] != FILLER)
			return false;
	return true;
}

/* The statements of the reference pages that a kind of check holds; "" for kinds without a page. */
static const char *statement(enum wt_object object, const char *wave, const char *event,
			     const char *code_object)
{
	if (object == WT_OBJECT_WAVE)
		return wave;
	if (object == WT_OBJECT_EVENT)
		return event;
	return object == WT_OBJECT_CODE_OBJECT ? code_object : "";
}

void section_uninitialized(void)
{
	const amd_dbgapi_wave_id_t wave = {1};
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;
	uint32_t major, minor, patch;
	const char *text = NULL;
	uint64_t value;

	suite.api.get_version(&major, &minor, &patch);
	check_number("version is that of the header", major, AMD_DBGAPI_VERSION_MAJOR);
	check("build name is a text", suite.api.get_build_name() != NULL, "NULL");
	check_status("status text without initialize", suite.api.get_status_string(SUCCESS, &text),
		     SUCCESS);
	for (int i = 0; i < WT_OBJECT_COUNT; i++)
		if (suite.api.found_at[wt_objects[i].get_info])
			check_status(name_of("%sget_info of %s uninitialized",
					     statement((enum wt_object)i, "W13 ", "E15 ", "C5 "),
					     wt_objects[i].name),
				     get_info((enum wt_object)i, 1, 1, 8, &value),
				     ERROR(NOT_INITIALIZED));
	for (size_t i = 0; i < listed_object_count; i++)
		check_status(name_of("%slist of %s uninitialized",
				     statement(listed_objects[i], "W13 ", "", "C5 "),
				     wt_objects[listed_objects[i]].name),
			     list(listed_objects[i], 0, NULL, NULL, NULL), ERROR(NOT_INITIALIZED));
	check_status("W13 wave_stop uninitialized", suite.api.wave_stop(wave),
		     ERROR(NOT_INITIALIZED));
	check_status("W13 wave_resume uninitialized", wave_resume(1, false),
		     ERROR(NOT_INITIALIZED));
	check_status("E15 next_pending_event uninitialized",
		     suite.api.process_next_pending_event(AMD_DBGAPI_PROCESS_NONE, &event, &kind),
		     ERROR(NOT_INITIALIZED));
	check_status("E15 event_processed uninitialized",
		     suite.api.event_processed((amd_dbgapi_event_id_t){1}), ERROR(NOT_INITIALIZED));
	check_status("finalize uninitialized", suite.api.finalize(), ERROR(NOT_INITIALIZED));
}

void section_initialize(void)
{
	amd_dbgapi_callbacks_t incomplete = suite.callbacks;
	amd_dbgapi_process_id_t process;

	/* One that clients have had at every level. */
	incomplete.insert_breakpoint = NULL;
	check_status("initialize without callbacks", suite.api.initialize(NULL),
		     ERROR(INVALID_ARGUMENT));
	check_status("initialize with a callback missing", suite.api.initialize(&incomplete),
		     ERROR(INVALID_ARGUMENT));
	check_status("initialize", suite.api.initialize(&suite.callbacks), SUCCESS);
	check_status("initialize again is looked at before its argument",
		     suite.api.initialize(NULL), ERROR(ALREADY_INITIALIZED));
	check_status("finalize", suite.api.finalize(), SUCCESS);
	check_status("initialize after finalize", suite.api.initialize(&suite.callbacks), SUCCESS);
	check_status("attach without a client process", suite.api.process_attach(NULL, &process),
		     ERROR(INVALID_ARGUMENT));
	check_status("attach without an output",
		     suite.api.process_attach((amd_dbgapi_client_process_id_t)&process, NULL),
		     ERROR(INVALID_ARGUMENT));
	check_status("detach of no process",
		     suite.api.process_detach((amd_dbgapi_process_id_t){NO_HANDLE}),
		     ERROR(INVALID_PROCESS_ID));
}

static void check_bad_handle(enum wt_object object, uint64_t handle, const char *what)
{
	uint8_t value[64];

	memset(value, FILLER, sizeof(value));
	check_status(name_of("%s%s %s, query and result wrong too",
			     statement(object, "W14 ", "E11 ", "C6 "), wt_objects[object].name,
			     what),
		     get_info(object, handle, NO_QUERY, 3, NULL), wt_objects[object].invalid);
	check_status(name_of("%s%s %s", statement(object, "W14 ", "E11 ", "C6 "),
			     wt_objects[object].name, what),
		     get_info(object, handle, wt_objects[object].queries[0].value,
			      wt_objects[object].queries[0].size, value),
		     wt_objects[object].invalid);
	check(name_of("%s%s %s leaves the result", statement(object, "W18 ", "E14 ", "C10 "),
		      wt_objects[object].name, what),
	      untouched(value, sizeof(value)), "it was written");
}

/* Whether a query has an answer now; if not, that wins over a result that is wrong. */
static bool is_unavailable(amd_dbgapi_status_t status)
{
	return status == ERROR(NOT_AVAILABLE) || status == ERROR(NOT_IMPLEMENTED) ||
	       status == ERROR(WAVE_NOT_STOPPED) || status == ERROR(INVALID_ARGUMENT) ||
	       status == ERROR(PROCESS_NOT_FROZEN) || status == AMD_DBGAPI_STATUS_FATAL;
}

static void release(const struct wt_query *query, const uint8_t *value)
{
	amd_dbgapi_watchpoint_list_t watchpoints;
	void *memory = NULL;

	if (query->result == WT_RESULT_STRING || query->result == WT_RESULT_BYTES) {
		memcpy(&memory, value, sizeof(memory));
		free(memory);
	}
	if (query->result == WT_RESULT_HANDLES) {
		memcpy(&watchpoints, value, sizeof(watchpoints));
		free(watchpoints.watchpoint_ids);
	}
}

/* No memory: only what needs some fails, and says so. */
static void check_out_of_memory(enum wt_object object, uint64_t handle,
				const struct wt_query *query)
{
	uint8_t value[64];

	if (query->result != WT_RESULT_STRING && query->result != WT_RESULT_BYTES)
		return;
	suite.out_of_memory = true;
	memset(value, FILLER, sizeof(value));
	check_status(
		name_of("%s%s without memory", statement(object, "W17 ", "", "C9 "), query->name),
		get_info(object, handle, query->value, query->size, value), ERROR(CLIENT_CALLBACK));
	suite.out_of_memory = false;
	check(name_of("%s%s without memory leaves the result",
		      statement(object, "W18 ", "E14 ", "C10 "), query->name),
	      untouched(value, sizeof(value)), "it was written");
}

/* @status: what is answered to a query as it should be. */
static void check_null(enum wt_object object, uint64_t handle, const struct wt_query *query,
		       amd_dbgapi_status_t status)
{
	amd_dbgapi_status_t wrong = is_unavailable(status) ? status : ERROR(INVALID_ARGUMENT);

	/* AMD's library of level 0.80 writes this result without a look at the pointer; ours must not. */
	if (object == WT_OBJECT_PROCESS &&
	    query->value == AMD_DBGAPI_PROCESS_INFO_SIGNIFICANT_ADDRESS_BITS &&
	    !strstr(suite.api.get_build_name(), "wavetape"))
		return;
	check_status(
		name_of("%s%s with NULL", statement(object, "W15 ", "E12 ", "C7 "), query->name),
		get_info(object, handle, query->value, query->size, NULL), wrong);
	check_status(name_of("%s%s with NULL and a wrong size",
			     statement(object, "W15 ", "E12 ", "C7 "), query->name),
		     get_info(object, handle, query->value, query->size + 1, NULL), wrong);
}

static void check_query(enum wt_object object, uint64_t handle, const struct wt_query *query)
{
	unsigned int allocations = suite.allocations;
	amd_dbgapi_status_t status, wrong;
	uint8_t value[64];

	memset(value, FILLER, sizeof(value));
	status = get_info(object, handle, query->value, query->size, value);
	if (status == SUCCESS) {
		check(name_of("%s writes what it should", query->name),
		      untouched(value + query->size, sizeof(value) - query->size), "it wrote more");
		check(name_of("%s%s allocates if it must",
			      object == WT_OBJECT_WAVE && query->result == WT_RESULT_HANDLES ? "W1 "
			      : object == WT_OBJECT_CODE_OBJECT && query->result == WT_RESULT_STRING
				      ? "C2 "
				      : "",
			      query->name),
		      (suite.allocations != allocations) == (query->result != WT_RESULT_FIXED),
		      "%u allocations", suite.allocations - allocations);
		release(query, value);
	} else {
		check(name_of("%s%s leaves the result", statement(object, "W18 ", "E14 ", "C10 "),
			      query->name),
		      untouched(value, sizeof(value)), "it was written");
	}
	check_null(object, handle, query, status);
	wrong = is_unavailable(status) ? status : ERROR(INVALID_ARGUMENT_COMPATIBILITY);
	memset(value, FILLER, sizeof(value));
	check_status(name_of("%s%s with a wrong size", statement(object, "W16 ", "E13 ", "C8 "),
			     query->name),
		     get_info(object, handle, query->value, query->size + 1, value), wrong);
	check(name_of("%s%s with a wrong size leaves the result",
		      statement(object, "W18 ", "E14 ", "C10 "), query->name),
	      untouched(value, sizeof(value)), "it was written");
	if (status == SUCCESS)
		check_out_of_memory(object, handle, query);
}

static void check_object(enum wt_object object, uint64_t handle)
{
	uint64_t value;

	if (!handle) {
		skip(name_of("queries of %s", wt_objects[object].name), "there is none");
		return;
	}
	check_bad_handle(object, NO_HANDLE, "that is none");
	check_bad_handle(object, 0, "NONE");
	check_status(name_of("%s%s with a query that is none",
			     statement(object, "W15 ", "E12 ", "C7 "), wt_objects[object].name),
		     get_info(object, handle, NO_QUERY, sizeof(value), &value),
		     ERROR(INVALID_ARGUMENT));
	for (size_t i = 0; i < wt_objects[object].query_count; i++) {
		const struct wt_query *query = &wt_objects[object].queries[i];

		/* NULL is looked at before the query there; and a core state is for the core. */
		if (query->result != WT_RESULT_CORE_STATE)
			check_query(object, handle, query);
	}
}

/* One object of each kind that an architecture has. */
static void check_architecture(uint64_t wave)
{
	const amd_dbgapi_architecture_id_t id = {
		ask(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE)};
	amd_dbgapi_register_class_id_t *classes = NULL;
	amd_dbgapi_address_space_id_t *spaces = NULL;
	amd_dbgapi_address_class_id_t *address_classes = NULL;
	amd_dbgapi_register_id_t *registers = NULL;
	size_t count;

	check_object(WT_OBJECT_ARCHITECTURE, id.handle);
	check_status("architecture_register_list",
		     suite.api.architecture_register_list(id, &count, &registers), SUCCESS);
	check_status("architecture_register_class_list",
		     suite.api.architecture_register_class_list(id, &count, &classes), SUCCESS);
	check_status("architecture_address_space_list",
		     suite.api.architecture_address_space_list(id, &count, &spaces), SUCCESS);
	check_status("architecture_address_class_list",
		     suite.api.architecture_address_class_list(id, &count, &address_classes),
		     SUCCESS);
	check_status("architecture lists look at the handle before NULL",
		     suite.api.architecture_register_list((amd_dbgapi_architecture_id_t){NO_HANDLE},
							  NULL, NULL),
		     ERROR(INVALID_ARCHITECTURE_ID));
	check_status("get_architecture looks at NULL before the number",
		     suite.api.get_architecture(0xffff, NULL), ERROR(INVALID_ARGUMENT));
	if (registers)
		check_object(WT_OBJECT_REGISTER, registers[0].handle);
	if (classes)
		check_object(WT_OBJECT_REGISTER_CLASS, classes[0].handle);
	if (spaces)
		check_object(WT_OBJECT_ADDRESS_SPACE, spaces[0].handle);
	if (address_classes)
		check_object(WT_OBJECT_ADDRESS_CLASS, address_classes[0].handle);
	free(registers);
	free(classes);
	free(spaces);
	free(address_classes);
}

void check_all_objects(uint64_t process)
{
	uint64_t handles[MAX_LISTED] = {0};

	check_object(WT_OBJECT_PROCESS, process);
	for (size_t i = 0; i < listed_object_count; i++) {
		size_t count = handles_of(listed_objects[i], process, handles, MAX_LISTED);

		check_object(listed_objects[i], count ? handles[0] : 0);
	}
	if (handles[0])
		check_architecture(handles[0]);
}

/* Before its first instruction a wave is there to be asked, stopped. */
void section_objects(void)
{
	uint64_t process = attach("vecadd");
	amd_dbgapi_event_kind_t kind;
	uint64_t event = next_event(process, &kind);

	check_object(WT_OBJECT_EVENT, event);
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
	first_wave_stopped(process);
	check_all_objects(process);
	/* Nothing lists the clusters. */
	if (suite.api.found_at[WT_FUNCTION_CLUSTER_GET_INFO]) {
		check_bad_handle(WT_OBJECT_CLUSTER, NO_HANDLE, "that is none");
		check_bad_handle(WT_OBJECT_CLUSTER, 0, "NONE");
	}
	detach(process);
}

static void check_list_errors(enum wt_object object, uint64_t process)
{
	uint64_t *array = (uint64_t *)&suite;
	amd_dbgapi_changed_t changed = (amd_dbgapi_changed_t)77;
	size_t count = 99;
	const char *name = wt_objects[object].name;

	check_status(name_of("%slist of %s of no process, outputs NULL",
			     statement(object, "W22 ", "", "C15 "), name),
		     list(object, NO_HANDLE, NULL, NULL, NULL), ERROR(INVALID_PROCESS_ID));
	check_status(
		name_of("%slist of %s of no process", statement(object, "W22 ", "", "C15 "), name),
		list(object, NO_HANDLE, &count, &array, &changed), ERROR(INVALID_PROCESS_ID));
	check_status(name_of("%slist of %s without a count", statement(object, "W22 ", "", "C16 "),
			     name),
		     list(object, process, NULL, &array, &changed), ERROR(INVALID_ARGUMENT));
	check_status(name_of("%slist of %s without an array", statement(object, "W22 ", "", "C16 "),
			     name),
		     list(object, process, &count, NULL, &changed), ERROR(INVALID_ARGUMENT));
	check(name_of("%slist of %s: errors leave the outputs",
		      statement(object, "W23 ", "", "C17 "), name),
	      count == 99 && array == (uint64_t *)&suite && changed == (amd_dbgapi_changed_t)77,
	      "they were written");
}

static void check_list_changes(enum wt_object object, uint64_t process)
{
	amd_dbgapi_changed_t changed = AMD_DBGAPI_CHANGED_NO;
	const char *name = wt_objects[object].name;
	unsigned int allocations;
	uint64_t *array = NULL;
	size_t count = 0;

	list(object, process, &count, &array, NULL);
	free(array);
	array = NULL;
	check_status(
		name_of("%slist of %s, first time", statement(object, "W20 ", "", "C12 "), name),
		list(object, process, &count, &array, &changed), SUCCESS);
	check(name_of("%slist of %s has changed, also after it was asked for without the flag",
		      statement(object, "W20 ", "", "C12 "), name),
	      changed == AMD_DBGAPI_CHANGED_YES && count && array, "changed %d, %zu", (int)changed,
	      count);
	free(array);
	array = (uint64_t *)&suite;
	list(object, process, &count, &array, &changed);
	check(name_of("%slist of %s has not changed", statement(object, "W20 ", "", "C12 "), name),
	      changed == AMD_DBGAPI_CHANGED_NO && !count && !array, "changed %d, %zu", (int)changed,
	      count);
	allocations = suite.allocations;
	array = NULL;
	list(object, process, &count, &array, NULL);
	check(name_of("%slist of %s without the flag is always given",
		      statement(object, "W21 ", "", "C13 "), name),
	      count && array && changed == AMD_DBGAPI_CHANGED_NO, "%zu", count);
	check(name_of("%slist of %s is in the client's memory",
		      statement(object, "W19 ", "", "C11 "), name),
	      suite.allocations == allocations + 1, "%u allocations",
	      suite.allocations - allocations);
	free(array);
	array = (uint64_t *)&suite;
	count = 99;
	suite.out_of_memory = true;
	check_status(
		name_of("%slist of %s without memory", statement(object, "W17 ", "", "C9 "), name),
		list(object, process, &count, &array, NULL), ERROR(CLIENT_CALLBACK));
	suite.out_of_memory = false;
	check(name_of("%slist of %s without memory leaves the outputs",
		      statement(object, "W23 ", "", "C17 "), name),
	      count == 99 && array == (uint64_t *)&suite, "they were written");
}

static void check_all_processes(enum wt_object object, uint64_t process)
{
	uint64_t one[MAX_LISTED], all[MAX_LISTED];
	size_t count = handles_of(object, process, one, MAX_LISTED);

	check(name_of("%slist of %s of all processes", statement(object, "", "", "C14 "),
		      wt_objects[object].name),
	      handles_of(object, 0, all, MAX_LISTED) == count && count &&
		      !memcmp(one, all, count * sizeof(*one)),
	      "it is not that of the only one");
}

void check_all_lists(uint64_t process)
{
	for (size_t i = 0; i < listed_object_count; i++) {
		check_list_errors(listed_objects[i], process);
		check_list_changes(listed_objects[i], process);
		check_all_processes(listed_objects[i], process);
	}
}

void section_lists(void)
{
	uint64_t process = attach_ready("two-agents"), *array = NULL;
	unsigned int allocations;
	size_t count;

	first_wave_stopped(process);
	check_all_lists(process);
	detach(process);
	/* Without a process there is nothing, and that is no error. */
	allocations = suite.allocations;
	check_status("lists without any process", list(WT_OBJECT_WAVE, 0, &count, &array, NULL),
		     SUCCESS);
	check("lists without any process are empty", !count, "%zu", count);
	check_number("W19 and in the client's memory, which may have no bytes", suite.allocations,
		     allocations + 1);
	free(array);
}
