/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

#define PATIENCE 200
#define CLIENT_PROCESS ((amd_dbgapi_client_process_id_t)(uintptr_t)&suite)

struct suite suite;

enum wt_object listed_objects[] = {
	WT_OBJECT_CODE_OBJECT, WT_OBJECT_AGENT,	    WT_OBJECT_QUEUE,
	WT_OBJECT_DISPATCH,    WT_OBJECT_WORKGROUP, WT_OBJECT_WAVE,
};
size_t listed_object_count = sizeof(listed_objects) / sizeof(*listed_objects);

bool lacks(enum wt_function function, const char *name)
{
	if (suite.api.found_at[function])
		return false;
	skip(name, "a library of this level does not have it");
	return true;
}

void find_lists(void)
{
	size_t count = 0;

	for (size_t i = 0; i < listed_object_count; i++)
		if (suite.api.found_at[wt_objects[listed_objects[i]].list])
			listed_objects[count++] = listed_objects[i];
	listed_object_count = count;
}

amd_dbgapi_status_t watch(uint64_t process, uint64_t address, uint64_t size,
			  amd_dbgapi_watchpoint_kind_t kind, amd_dbgapi_watchpoint_id_t *id,
			  uint64_t covered_ret[2])
{
	const amd_dbgapi_process_id_t process_id = {process};
	amd_dbgapi_status_t status;

	if (!suite.api.found_at[WT_FUNCTION_SET_WATCHPOINT])
		return suite.api.set_watchpoint_0_54(process_id, address, size, kind, id,
						     &covered_ret[0], &covered_ret[1]);
	status = suite.api.set_watchpoint(process_id, address, size, kind, id);
	for (int i = 0; id && status == SUCCESS && i < 2; i++)
		covered_ret[i] = ask(WT_OBJECT_WATCHPOINT, id->handle,
				     i ? AMD_DBGAPI_WATCHPOINT_INFO_SIZE
				       : AMD_DBGAPI_WATCHPOINT_INFO_ADDRESS);
	return status;
}

amd_dbgapi_status_t unwatch(uint64_t process, uint64_t watchpoint)
{
	const amd_dbgapi_watchpoint_id_t id = {watchpoint};

	return suite.api.found_at[WT_FUNCTION_REMOVE_WATCHPOINT]
		       ? suite.api.remove_watchpoint(id)
		       : suite.api.remove_watchpoint_0_54((amd_dbgapi_process_id_t){process}, id);
}

bool check(const char *name, bool good, const char *detail, ...)
{
	va_list arguments;

	printf("%s %s", good ? "ok" : "not ok", name);
	if (!good) {
		printf(": ");
		va_start(arguments, detail);
		vprintf(detail, arguments);
		va_end(arguments);
	}
	putchar('\n');
	fflush(stdout);
	suite.passed += good;
	suite.failed += !good;
	return good;
}

static const char *status_text(amd_dbgapi_status_t status)
{
	const char *name = wt_status_name(status);

	return name ? name : "a number that is no status";
}

bool check_status(const char *name, amd_dbgapi_status_t got, amd_dbgapi_status_t expected)
{
	return check(name, got == expected, "expected %s got %s", status_text(expected),
		     status_text(got));
}

bool check_number(const char *name, uint64_t got, uint64_t expected)
{
	return check(name, got == expected, "expected %#llx got %#llx",
		     (unsigned long long)expected, (unsigned long long)got);
}

void skip(const char *name, const char *why)
{
	printf("skip %s: %s\n", name, why);
	suite.skipped++;
}

const char *name_of(const char *format, ...)
{
	static char names[8][160];
	static unsigned int next;
	char *name = names[next++ % 8];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(name, sizeof(names[0]), format, arguments);
	va_end(arguments);
	return name;
}

#define GET_INFO(object, function, type, query_type)                                               \
	case object:                                                                               \
		return suite.api.function((type){handle}, (query_type)query, size, value)

amd_dbgapi_status_t get_info(enum wt_object object, uint64_t handle, uint32_t query, size_t size,
			     void *value)
{
	switch (object) {
		GET_INFO(WT_OBJECT_ARCHITECTURE, architecture_get_info,
			 amd_dbgapi_architecture_id_t, amd_dbgapi_architecture_info_t);
		GET_INFO(WT_OBJECT_PROCESS, process_get_info, amd_dbgapi_process_id_t,
			 amd_dbgapi_process_info_t);
		GET_INFO(WT_OBJECT_CODE_OBJECT, code_object_get_info, amd_dbgapi_code_object_id_t,
			 amd_dbgapi_code_object_info_t);
		GET_INFO(WT_OBJECT_AGENT, agent_get_info, amd_dbgapi_agent_id_t,
			 amd_dbgapi_agent_info_t);
		GET_INFO(WT_OBJECT_QUEUE, queue_get_info, amd_dbgapi_queue_id_t,
			 amd_dbgapi_queue_info_t);
		GET_INFO(WT_OBJECT_DISPATCH, dispatch_get_info, amd_dbgapi_dispatch_id_t,
			 amd_dbgapi_dispatch_info_t);
		GET_INFO(WT_OBJECT_CLUSTER, cluster_get_info, amd_dbgapi_cluster_id_t,
			 amd_dbgapi_cluster_info_t);
		GET_INFO(WT_OBJECT_WORKGROUP, workgroup_get_info, amd_dbgapi_workgroup_id_t,
			 amd_dbgapi_workgroup_info_t);
		GET_INFO(WT_OBJECT_WAVE, wave_get_info, amd_dbgapi_wave_id_t,
			 amd_dbgapi_wave_info_t);
		GET_INFO(WT_OBJECT_DISPLACED_STEPPING, displaced_stepping_get_info,
			 amd_dbgapi_displaced_stepping_id_t, amd_dbgapi_displaced_stepping_info_t);
		GET_INFO(WT_OBJECT_WATCHPOINT, watchpoint_get_info, amd_dbgapi_watchpoint_id_t,
			 amd_dbgapi_watchpoint_info_t);
		GET_INFO(WT_OBJECT_REGISTER_CLASS, architecture_register_class_get_info,
			 amd_dbgapi_register_class_id_t, amd_dbgapi_register_class_info_t);
		GET_INFO(WT_OBJECT_REGISTER, register_get_info, amd_dbgapi_register_id_t,
			 amd_dbgapi_register_info_t);
		GET_INFO(WT_OBJECT_ADDRESS_CLASS, address_class_get_info,
			 amd_dbgapi_address_class_id_t, amd_dbgapi_address_class_info_t);
		GET_INFO(WT_OBJECT_ADDRESS_SPACE, address_space_get_info,
			 amd_dbgapi_address_space_id_t, amd_dbgapi_address_space_info_t);
		GET_INFO(WT_OBJECT_EVENT, event_get_info, amd_dbgapi_event_id_t,
			 amd_dbgapi_event_info_t);
		GET_INFO(WT_OBJECT_BREAKPOINT, breakpoint_get_info, amd_dbgapi_breakpoint_id_t,
			 amd_dbgapi_breakpoint_info_t);
	default:
		return AMD_DBGAPI_STATUS_FATAL;
	}
}

#define LIST(object, function, type)                                                               \
	case object: {                                                                             \
		type *array_ = (type *)(void *)before;                                             \
                                                                                                   \
		status = suite.api.function((amd_dbgapi_process_id_t){process}, count,             \
					    handles ? &array_ : NULL, changed);                    \
		after = (uint64_t *)(void *)array_;                                                \
	} break

amd_dbgapi_status_t list(enum wt_object object, uint64_t process, size_t *count, uint64_t **handles,
			 amd_dbgapi_changed_t *changed)
{
	uint64_t *before = handles ? *handles : NULL, *after = before;
	amd_dbgapi_status_t status = AMD_DBGAPI_STATUS_FATAL;

	switch (object) {
		LIST(WT_OBJECT_CODE_OBJECT, process_code_object_list, amd_dbgapi_code_object_id_t);
		LIST(WT_OBJECT_AGENT, process_agent_list, amd_dbgapi_agent_id_t);
		LIST(WT_OBJECT_QUEUE, process_queue_list, amd_dbgapi_queue_id_t);
		LIST(WT_OBJECT_DISPATCH, process_dispatch_list, amd_dbgapi_dispatch_id_t);
		LIST(WT_OBJECT_WORKGROUP, process_workgroup_list, amd_dbgapi_workgroup_id_t);
		LIST(WT_OBJECT_WAVE, process_wave_list, amd_dbgapi_wave_id_t);
	default:
		break;
	}
	if (handles)
		*handles = after;
	return status;
}

uint64_t ask(enum wt_object object, uint64_t handle, uint32_t query)
{
	const struct wt_query *info = wt_query_find(object, query);
	uint64_t value = 0;
	amd_dbgapi_status_t status = get_info(object, handle, query, info->size, &value);

	if (status != SUCCESS)
		check_status(name_of("%s of %s %llu", info->name, wt_objects[object].name,
				     (unsigned long long)handle),
			     status, SUCCESS);
	return value;
}

size_t handles_of(enum wt_object object, uint64_t process, uint64_t *handles, size_t limit)
{
	uint64_t *array = NULL;
	size_t count = 0;

	if (list(object, process, &count, &array, NULL) != SUCCESS)
		return 0;
	for (size_t i = 0; i < count && i < limit; i++)
		handles[i] = array[i];
	free(array);
	return count;
}

uint64_t attach(const char *workload)
{
	amd_dbgapi_process_id_t process = {0};
	amd_dbgapi_status_t status;
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s%s.json", suite.workloads, workload, suite.variant);
	if (suite.over == OVER_LIVE)
		setenv("WAVETAPE_WORKLOAD", path, 1);
	if (suite.over == OVER_DRIVER)
		driver_choose(path);
	status = suite.api.process_attach(CLIENT_PROCESS, &process);
	if (status != SUCCESS)
		check_status(name_of("attach to %s", workload), status, SUCCESS);
	return process.handle;
}

uint64_t attach_ready(const char *workload)
{
	uint64_t process = attach(workload);

	take(process, AMD_DBGAPI_EVENT_KIND_RUNTIME);
	return process;
}

void detach(uint64_t process)
{
	amd_dbgapi_status_t status = suite.api.process_detach((amd_dbgapi_process_id_t){process});

	if (status != SUCCESS)
		check_status("detach", status, SUCCESS);
}

uint64_t next_event(uint64_t process, amd_dbgapi_event_kind_t *kind_ret)
{
	amd_dbgapi_event_id_t event = {0};

	for (int i = 0; i < PATIENCE && !event.handle; i++)
		if (suite.api.process_next_pending_event((amd_dbgapi_process_id_t){process}, &event,
							 kind_ret) != SUCCESS)
			return 0;
	return event.handle;
}

uint64_t take(uint64_t process, amd_dbgapi_event_kind_t kind)
{
	const bool of_wave = kind == AMD_DBGAPI_EVENT_KIND_WAVE_STOP ||
			     kind == AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED;
	amd_dbgapi_event_kind_t got = AMD_DBGAPI_EVENT_KIND_NONE;
	uint64_t event = next_event(process, &got), subject = event;

	if (got != kind) {
		check(name_of("an event of kind %d comes", (int)kind), false, "expected %d got %d",
		      (int)kind, (int)got);
		return 0;
	}
	if (of_wave)
		subject = ask(WT_OBJECT_EVENT, event, AMD_DBGAPI_EVENT_INFO_WAVE);
	suite.api.event_processed((amd_dbgapi_event_id_t){event});
	return subject;
}

bool nothing_comes(uint64_t process)
{
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	amd_dbgapi_event_id_t event = {0};

	for (int i = 0; i < 3 && !event.handle; i++)
		suite.api.process_next_pending_event((amd_dbgapi_process_id_t){process}, &event,
						     &kind);
	return !event.handle;
}

uint64_t first_wave_stopped(uint64_t process)
{
	const amd_dbgapi_process_id_t id = {process};
	uint64_t waves[MAX_LISTED];
	size_t count;

	suite.api.process_set_progress(id, AMD_DBGAPI_PROGRESS_NO_FORWARD);
	count = handles_of(WT_OBJECT_WAVE, process, waves, MAX_LISTED);
	for (size_t i = 0; i < count && i < MAX_LISTED; i++)
		wave_stop(waves[i]);
	for (size_t i = 0; i < count && i < MAX_LISTED; i++)
		take(process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	suite.api.process_set_progress(id, AMD_DBGAPI_PROGRESS_NORMAL);
	return count ? waves[0] : 0;
}

amd_dbgapi_register_id_t find_register(uint64_t wave, const char *name)
{
	amd_dbgapi_register_id_t *registers = NULL, found = {0};
	size_t count = 0;

	suite.api.wave_register_list((amd_dbgapi_wave_id_t){wave}, &count, &registers);
	for (size_t i = 0; i < count && !found.handle; i++) {
		char *text = NULL;

		suite.api.register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_NAME,
					    sizeof(text), &text);
		if (text && !strcmp(text, name))
			found = registers[i];
		free(text);
	}
	free(registers);
	return found;
}

uint32_t wave_state(uint64_t wave)
{
	return (uint32_t)ask(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STATE);
}

uint32_t stop_reason(uint64_t wave)
{
	return (uint32_t)ask(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON);
}

uint64_t wave_pc(uint64_t wave)
{
	return ask(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC);
}

uint32_t read_word(uint64_t process, uint64_t address)
{
	amd_dbgapi_size_t size = sizeof(uint32_t);
	uint32_t word = 0;

	suite.api.read_memory((amd_dbgapi_process_id_t){process}, AMD_DBGAPI_WAVE_NONE,
			      AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &size,
			      &word);
	return word;
}

void write_word(uint64_t process, uint64_t address, uint32_t word)
{
	amd_dbgapi_size_t size = sizeof(word);

	check_status("writing an instruction",
		     suite.api.write_memory((amd_dbgapi_process_id_t){process},
					    AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
					    AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, address, &size, &word),
		     SUCCESS);
}

amd_dbgapi_status_t wave_stop(uint64_t wave)
{
	return suite.api.wave_stop((amd_dbgapi_wave_id_t){wave});
}

amd_dbgapi_status_t wave_resume(uint64_t wave, bool step_once)
{
	return suite.api.wave_resume((amd_dbgapi_wave_id_t){wave},
				     step_once ? AMD_DBGAPI_RESUME_MODE_SINGLE_STEP
					       : AMD_DBGAPI_RESUME_MODE_NORMAL,
				     AMD_DBGAPI_EXCEPTION_NONE);
}

bool step(uint64_t process, uint64_t wave)
{
	return wave_resume(wave, true) == SUCCESS &&
	       take(process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP) == wave;
}

bool left_out(const char *name, const char *why, unsigned int attaches)
{
	if (suite.over == OVER_LIVE || suite.over == OVER_DRIVER)
		return false;
	skip(name, why);
	for (unsigned int i = 0; i < attaches; i++)
		detach(attach(name));
	return true;
}
