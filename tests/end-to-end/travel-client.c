/* SPDX-License-Identifier: MIT */
/*
 * A client of the API that does what it is told on its standard input, a command a line, and answers each
 * with lines of which the last begins with "ok". It asks everything there is to ask at a stop, so that two
 * visits can be compared: objects go by their place in their list, since their handles may differ.
 *
 *   pump [KEEP]  fetch events until there are none: "event KIND WAVE REASON"; processed unless KEEP is given
 *   wait         until the notifier is readable, and empty it; "timeout" after ten seconds
 *   resume [N]   resume all stopped waves, or only the first N
 *   step [N]     as resume, but the first wave makes a step
 *   stop         stop all waves that run
 *   waves        "wave HANDLE STATE"
 *   show         "show WAVES STOPPED HASH": a hash of all answers
 *   dump         all answers as text
 *   poke         overwrite the first vector register and the kernel's arguments of each stopped wave
 *   gone HANDLE  the status of questions to a wave
 *   changed      the lists that have changed since the last time
 *   runtime      state in the last RUNTIME event
 *   detach, attach, end
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "dbgapi/table/api.h"
#include "dbgapi/client/marshal.h"
#include "tests/end-to-end/blind-callbacks.h"

#define PATIENCE 10000
#define PAGE 4096u

static amd_dbgapi_process_id_t process;
static int notifier = -1;
static uint32_t runtime;

static const enum wt_object kinds[] = {
	WT_OBJECT_AGENT,    WT_OBJECT_CODE_OBJECT, WT_OBJECT_QUEUE,
	WT_OBJECT_DISPATCH, WT_OBJECT_WORKGROUP,   WT_OBJECT_WAVE,
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

struct list {
	uint64_t *handles;
	size_t count;
};

static struct list lists[WT_OBJECT_COUNT];

/* ---- Callbacks ---- */

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t client,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	amd_dbgapi_os_process_id_t id = getpid();

	(void)client;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || value_size != sizeof(id))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &id, sizeof(id));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t client,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)client;
	(void)address;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_ERROR;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	printf("log %d %s\n", (int)level, message);
}

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
	.client_process_get_info = client_process_get_info,
	.insert_breakpoint = insert_breakpoint,
	.remove_breakpoint = blind_remove_breakpoint,
	.xfer_global_memory = blind_xfer_global_memory,
	.log_message = log_message,
};

static void must(const char *what, amd_dbgapi_status_t status)
{
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		return;
	printf("FAILED %s: %s\n", what, wt_status_name(status));
	exit(1);
}

/* ---- Questions ---- */

#define ASK(object, name)                                                                          \
	case object:                                                                               \
		return amd_dbgapi_##name##_get_info((amd_dbgapi_##name##_id_t){handle},            \
						    (amd_dbgapi_##name##_info_t)query, size,       \
						    value)

static amd_dbgapi_status_t ask(enum wt_object object, uint64_t handle, uint32_t query, size_t size,
			       void *value)
{
	switch (object) {
		ASK(WT_OBJECT_PROCESS, process);
		ASK(WT_OBJECT_AGENT, agent);
		ASK(WT_OBJECT_CODE_OBJECT, code_object);
		ASK(WT_OBJECT_QUEUE, queue);
		ASK(WT_OBJECT_DISPATCH, dispatch);
		ASK(WT_OBJECT_WORKGROUP, workgroup);
		ASK(WT_OBJECT_WAVE, wave);
		ASK(WT_OBJECT_EVENT, event);
	default:
		abort();
	}
}

#define LIST(object, name)                                                                         \
	case object: {                                                                             \
		amd_dbgapi_##name##_id_t *handles = NULL;                                          \
		must(#name " list",                                                                \
		     amd_dbgapi_process_##name##_list(process, &list.count, &handles, changed));   \
		list.handles = (uint64_t *)handles;                                                \
		return list;                                                                       \
	}

static struct list ask_list(enum wt_object object, amd_dbgapi_changed_t *changed)
{
	struct list list = {0};

	switch (object) {
		LIST(WT_OBJECT_AGENT, agent)
		LIST(WT_OBJECT_CODE_OBJECT, code_object)
		LIST(WT_OBJECT_QUEUE, queue)
		LIST(WT_OBJECT_DISPATCH, dispatch)
		LIST(WT_OBJECT_WORKGROUP, workgroup)
		LIST(WT_OBJECT_WAVE, wave)
	default:
		abort();
	}
}

static void list_all(void)
{
	for (size_t i = 0; i < KINDS; i++) {
		free(lists[kinds[i]].handles);
		lists[kinds[i]] = ask_list(kinds[i], NULL);
	}
}

/* The place of a handle in its list, from 1; 0 if it is not there. */
static uint64_t place_of(enum wt_object object, uint64_t handle)
{
	for (size_t i = 0; i < lists[object].count; i++)
		if (lists[object].handles[i] == handle)
			return i + 1;
	return 0;
}

static uint64_t number(enum wt_object object, uint64_t handle, uint32_t query)
{
	uint64_t value = 0;

	if (ask(object, handle, query, wt_query_find(object, query)->size, &value) !=
	    AMD_DBGAPI_STATUS_SUCCESS)
		return 0;
	return value;
}

static bool is_stopped(uint64_t wave)
{
	return number(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STATE) ==
	       AMD_DBGAPI_WAVE_STATE_STOP;
}

static amd_dbgapi_wave_id_t wave_at(size_t i)
{
	return (amd_dbgapi_wave_id_t){lists[WT_OBJECT_WAVE].handles[i]};
}

/* ---- All answers ---- */

static struct wt_buffer answers;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	char text[256];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	wt_buffer_append(&answers, text, (size_t)length);
}

static void say_bytes(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		say("%02x", (unsigned int)bytes[i]);
}

static void say_result(enum wt_object object, uint64_t handle, const struct wt_query *query,
		       void *value)
{
	struct wt_buffer bytes = {0};
	size_t length = 0;
	uint64_t named;

	for (size_t i = 0; query->is_handle && i < KINDS; i++) {
		if (strcmp(query->type, wt_objects[kinds[i]].handle_type))
			continue;
		memcpy(&named, value, sizeof(named));
		say("#%" PRIu64, place_of(kinds[i], named));
		return;
	}
	if (query->result == WT_RESULT_BYTES)
		length = number(object, handle, query->length_of);
	wt_marshal_result(query, value, length, &bytes);
	say_bytes(bytes.data, bytes.size);
	wt_marshal_release(query, value);
	wt_buffer_deinit(&bytes);
}

static void say_object(enum wt_object object, uint64_t handle)
{
	const struct wt_object_info *info = &wt_objects[object];

	say("%s %" PRIu64 "\n", info->name, place_of(object, handle));
	for (size_t i = 0; i < info->query_count; i++) {
		const struct wt_query *query = &info->queries[i];
		_Alignas(16) uint8_t value[64] = {0};
		amd_dbgapi_status_t status;

		if (query->result == WT_RESULT_CORE_STATE || query->identity)
			continue;
		status = ask(object, handle, query->value, query->size, value);
		say("  %s %s ", query->name, wt_status_name(status));
		if (status == AMD_DBGAPI_STATUS_SUCCESS)
			say_result(object, handle, query, value);
		say("\n");
	}
}

static void say_packets(amd_dbgapi_queue_id_t queue)
{
	uint64_t first = 0, past = 0;
	void *bytes = NULL;
	size_t size = 0;
	amd_dbgapi_status_t status =
		amd_dbgapi_queue_packet_list(queue, &first, &past, &size, &bytes);

	say("  packets %s %" PRIu64 " %" PRIu64 " ", wt_status_name(status), first, past);
	say_bytes(bytes, size);
	say("\n");
	free(bytes);
}

static void say_registers(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_register_id_t *registers = NULL;
	size_t count = 0;
	amd_dbgapi_status_t status = amd_dbgapi_wave_register_list(wave, &count, &registers);

	say("  registers %s\n", wt_status_name(status));
	for (size_t i = 0; status == AMD_DBGAPI_STATUS_SUCCESS && i < count; i++) {
		uint8_t value[256] = {0};
		uint64_t size = 0;
		amd_dbgapi_status_t read;

		must("register size",
		     amd_dbgapi_register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_SIZE,
						  sizeof(size), &size));
		if (size > sizeof(value))
			continue;
		read = amd_dbgapi_read_register(wave, registers[i], 0, size, value);
		say("    %" PRIx64 " %s ", registers[i].handle, wt_status_name(read));
		say_bytes(value, size);
		say("\n");
	}
	free(registers);
}

static void say_page(amd_dbgapi_wave_id_t wave, amd_dbgapi_lane_id_t lane,
		     amd_dbgapi_address_space_id_t space, uint64_t address)
{
	uint8_t bytes[PAGE];
	size_t size = sizeof(bytes);
	amd_dbgapi_status_t status =
		amd_dbgapi_read_memory(process, wave, lane, space, address, &size, bytes);

	say("    %" PRIx64 ":%" PRIx64 " %s ", space.handle, address, wt_status_name(status));
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		say_bytes(bytes, size);
	say("\n");
}

/* The start of each space; and of global memory the code and the arguments. */
static void say_memory(amd_dbgapi_wave_id_t wave)
{
	uint64_t architecture =
		number(WT_OBJECT_WAVE, wave.handle, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE);
	uint64_t dispatch = number(WT_OBJECT_WAVE, wave.handle, AMD_DBGAPI_WAVE_INFO_DISPATCH);
	amd_dbgapi_address_space_id_t *spaces;
	size_t count;

	must("spaces", amd_dbgapi_architecture_address_space_list(
			       (amd_dbgapi_architecture_id_t){architecture}, &count, &spaces));
	for (size_t i = 0; i < count; i++)
		say_page(wave, 1, spaces[i], 0);
	say_page(wave, AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
		 number(WT_OBJECT_WAVE, wave.handle, AMD_DBGAPI_WAVE_INFO_PC));
	say_page(wave, AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
		 number(WT_OBJECT_DISPATCH, dispatch,
			AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS));
	free(spaces);
}

static size_t say_all(void)
{
	size_t stopped = 0;

	answers.size = 0;
	list_all();
	for (size_t i = 0; i < KINDS; i++)
		for (size_t j = 0; j < lists[kinds[i]].count; j++)
			say_object(kinds[i], lists[kinds[i]].handles[j]);
	for (size_t i = 0; i < lists[WT_OBJECT_QUEUE].count; i++)
		say_packets((amd_dbgapi_queue_id_t){lists[WT_OBJECT_QUEUE].handles[i]});
	for (size_t i = 0; i < lists[WT_OBJECT_WAVE].count; i++) {
		say("wave %zu\n", i + 1);
		say_registers(wave_at(i));
		say_memory(wave_at(i));
		stopped += is_stopped(wave_at(i).handle);
	}
	if (answers.failed)
		exit(1);
	return stopped;
}

static uint64_t hash(const uint8_t *bytes, size_t size)
{
	uint64_t value = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		value = (value ^ bytes[i]) * UINT64_C(0x100000001b3);
	return value;
}

/* ---- Commands ---- */

static void show(void)
{
	size_t stopped = say_all();

	printf("show %zu %zu %016" PRIx64 "\n", lists[WT_OBJECT_WAVE].count, stopped,
	       hash(answers.data, answers.size));
}

static void dump(void)
{
	say_all();
	fwrite(answers.data, 1, answers.size, stdout);
}

static void say_event(amd_dbgapi_event_id_t event, amd_dbgapi_event_kind_t kind)
{
	const struct wt_enumeration *kinds_of = wt_enumeration_find("amd_dbgapi_event_kind_t");
	uint64_t wave = number(WT_OBJECT_EVENT, event.handle, AMD_DBGAPI_EVENT_INFO_WAVE);
	const char *name = wt_enumerator_name(kinds_of, kind);

	printf("event %s wave %" PRIu64 " reason %" PRIu64 "\n",
	       name + strlen("AMD_DBGAPI_EVENT_KIND_"), wave,
	       number(WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON));
	if (kind == AMD_DBGAPI_EVENT_KIND_RUNTIME)
		runtime = (uint32_t)number(WT_OBJECT_EVENT, event.handle,
					   AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE);
}

static void pump(bool keep)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;

	for (;;) {
		must("next event", amd_dbgapi_process_next_pending_event(process, &event, &kind));
		if (kind == AMD_DBGAPI_EVENT_KIND_NONE)
			return;
		say_event(event, kind);
		if (!keep)
			must("processed", amd_dbgapi_event_processed(event));
	}
}

static void wait_for_notifier(void)
{
	struct pollfd file = {.fd = notifier, .events = POLLIN};
	char byte;

	if (poll(&file, 1, PATIENCE) != 1)
		puts("timeout");
	while (read(notifier, &byte, 1) >= 0 || errno == EINTR)
		;
}

static void resume(size_t limit, bool step)
{
	list_all();
	for (size_t i = 0; i < lists[WT_OBJECT_WAVE].count && limit; i++) {
		if (!is_stopped(wave_at(i).handle))
			continue;
		must("resume", amd_dbgapi_wave_resume(wave_at(i),
						      step ? AMD_DBGAPI_RESUME_MODE_SINGLE_STEP
							   : AMD_DBGAPI_RESUME_MODE_NORMAL,
						      AMD_DBGAPI_EXCEPTION_NONE));
		step = false;
		limit--;
	}
}

static void stop(void)
{
	list_all();
	for (size_t i = 0; i < lists[WT_OBJECT_WAVE].count; i++)
		if (!is_stopped(wave_at(i).handle))
			must("stop", amd_dbgapi_wave_stop(wave_at(i)));
}

static void print_waves(void)
{
	list_all();
	for (size_t i = 0; i < lists[WT_OBJECT_WAVE].count; i++)
		printf("wave %" PRIu64 " %" PRIu64 "\n", wave_at(i).handle,
		       number(WT_OBJECT_WAVE, wave_at(i).handle, AMD_DBGAPI_WAVE_INFO_STATE));
}

static void poke_wave(amd_dbgapi_wave_id_t wave)
{
	uint64_t dispatch = number(WT_OBJECT_WAVE, wave.handle, AMD_DBGAPI_WAVE_INFO_DISPATCH);
	amd_dbgapi_register_id_t *registers;
	static const char text[] = "over";
	size_t count, size = sizeof(text);

	must("registers", amd_dbgapi_wave_register_list(wave, &count, &registers));
	must("poke", amd_dbgapi_write_register(wave, registers[0], 0, 4, text));
	free(registers);
	must("poke memory",
	     amd_dbgapi_write_memory(
		     process, wave, AMD_DBGAPI_LANE_NONE, AMD_DBGAPI_ADDRESS_SPACE_GLOBAL,
		     number(WT_OBJECT_DISPATCH, dispatch,
			    AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS),
		     &size, text));
}

static void poke(void)
{
	list_all();
	for (size_t i = 0; i < lists[WT_OBJECT_WAVE].count; i++)
		if (is_stopped(wave_at(i).handle))
			poke_wave(wave_at(i));
}

static void ask_gone(uint64_t handle)
{
	amd_dbgapi_wave_id_t wave = {handle};
	uint64_t value;
	size_t size = 4;

	printf("gone %s", wt_status_name(ask(WT_OBJECT_WAVE, handle, AMD_DBGAPI_WAVE_INFO_DISPATCH,
					     sizeof(value), &value)));
	printf(" %s", wt_status_name(amd_dbgapi_wave_stop(wave)));
	printf(" %s", wt_status_name(amd_dbgapi_wave_resume(wave, AMD_DBGAPI_RESUME_MODE_NORMAL,
							    AMD_DBGAPI_EXCEPTION_NONE)));
	printf(" %s\n", wt_status_name(amd_dbgapi_read_memory(process, wave, AMD_DBGAPI_LANE_NONE,
							      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, 0,
							      &size, &value)));
}

static void print_changed(void)
{
	printf("changed");
	for (size_t i = 0; i < KINDS; i++) {
		amd_dbgapi_changed_t changed = AMD_DBGAPI_CHANGED_NO;
		struct list list = ask_list(kinds[i], &changed);

		if (changed == AMD_DBGAPI_CHANGED_YES)
			printf(" %s", wt_objects[kinds[i]].name);
		free(list.handles);
	}
	putchar('\n');
}

static void attach(void)
{
	must("attach",
	     amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&process, &process));
	must("notifier", amd_dbgapi_process_get_info(process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
						     sizeof(notifier), &notifier));
}

/* False at the end. */
static bool obey(const char *command, const char *argument)
{
	size_t limit = *argument ? strtoul(argument, NULL, 10) : SIZE_MAX;

	if (!strcmp(command, "pump"))
		pump(*argument);
	else if (!strcmp(command, "wait"))
		wait_for_notifier();
	else if (!strcmp(command, "resume"))
		resume(limit, false);
	else if (!strcmp(command, "step"))
		resume(limit, true);
	else if (!strcmp(command, "stop"))
		stop();
	else if (!strcmp(command, "waves"))
		print_waves();
	else if (!strcmp(command, "show"))
		show();
	else if (!strcmp(command, "dump"))
		dump();
	else if (!strcmp(command, "poke"))
		poke();
	else if (!strcmp(command, "gone"))
		ask_gone(strtoull(argument, NULL, 10));
	else if (!strcmp(command, "changed"))
		print_changed();
	else if (!strcmp(command, "runtime"))
		printf("runtime %u\n", runtime);
	else if (!strcmp(command, "attach"))
		attach();
	else if (!strcmp(command, "detach"))
		must("detach", amd_dbgapi_process_detach(process));
	else
		return false;
	return true;
}

int main(void)
{
	char line[256];

	must("initialize", amd_dbgapi_initialize(&callbacks));
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	attach();
	printf("ok %d\n", (int)getpid());
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		char command[32] = "", argument[32] = "";

		if (sscanf(line, "%31s %31s", command, argument) < 1 || !obey(command, argument))
			break;
		puts("ok");
		fflush(stdout);
	}
	must("finalize", amd_dbgapi_finalize());
	for (size_t i = 0; i < KINDS; i++)
		free(lists[kinds[i]].handles);
	wt_buffer_deinit(&answers);
	return 0;
}
