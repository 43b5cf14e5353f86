/* SPDX-License-Identifier: MIT */
/* The library: callbacks, attaching, and what the host calls for. */
#include "client.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static amd_dbgapi_status_t process_info(amd_dbgapi_client_process_id_t id,
					amd_dbgapi_client_process_info_t query, size_t size,
					void *value)
{
	amd_dbgapi_os_process_id_t pid = target.pid;

	(void)id;
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || size != sizeof(pid))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	memcpy(value, &pid, sizeof(pid));
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t insert(amd_dbgapi_client_process_id_t id,
				  amd_dbgapi_global_address_t address,
				  amd_dbgapi_breakpoint_id_t library_id)
{
	(void)id;
	if (target.breakpoint)
		host_die("a second breakpoint is asked for");
	if (pread(target.memory, &target.replaced, 1, (off_t)address) != 1)
		return AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
	target.breakpoint = address;
	target.breakpoint_id = library_id;
	host_poke(address, TRAP);
	printf("breakpoint in\n");
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t withdraw(amd_dbgapi_client_process_id_t id,
				    amd_dbgapi_breakpoint_id_t library_id)
{
	(void)id;
	if (!target.breakpoint || library_id.handle != target.breakpoint_id.handle)
		host_die("a breakpoint is taken out that is not in");
	host_poke(target.breakpoint, target.replaced);
	target.breakpoint = 0;
	printf("breakpoint out\n");
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t no_memory(amd_dbgapi_client_process_id_t id,
				     amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				     void *read_buffer, const void *write_buffer)
{
	(void)id;
	(void)address;
	(void)size;
	(void)read_buffer;
	(void)write_buffer;
	host_die("the library asks the client for memory, though it can reach the host");
}

static void say(amd_dbgapi_log_level_t level, const char *text)
{
	(void)level;
	printf("log: %s\n", text);
}

amd_dbgapi_callbacks_t host_callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
	.client_process_get_info = process_info,
	.insert_breakpoint = insert,
	.remove_breakpoint = withdraw,
	.xfer_global_memory = no_memory,
	.log_message = say,
};

/* ---- The process ---- */

amd_dbgapi_event_kind_t host_next_event(amd_dbgapi_event_id_t *event)
{
	amd_dbgapi_event_kind_t kind;

	host_must("next_pending_event",
		  amd_dbgapi_process_next_pending_event(target.process, event, &kind));
	return kind;
}

void host_attach(void)
{
	amd_dbgapi_os_process_id_t pid;
	amd_dbgapi_event_id_t event;
	amd_dbgapi_code_object_id_t *objects;
	size_t count;

	host_must("attach", amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&target.pid,
						      &target.process));
	host_must("notifier",
		  amd_dbgapi_process_get_info(target.process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
					      sizeof(target.notifier), &target.notifier));
	host_must("pid", amd_dbgapi_process_get_info(target.process, AMD_DBGAPI_PROCESS_INFO_OS_ID,
						     sizeof(pid), &pid));
	if (pid != target.pid)
		host_die("the process has another id than its host");
	if (host_next_event(&event) != AMD_DBGAPI_EVENT_KIND_RUNTIME)
		host_die("the first event is not of the runtime");
	host_must("processed", amd_dbgapi_event_processed(event));
	host_must("code objects",
		  amd_dbgapi_process_code_object_list(target.process, &count, &objects, NULL));
	printf("attached: %zu code objects\n", count);
	free(objects);
}

static void print_code_objects(void)
{
	amd_dbgapi_code_object_id_t *objects;
	size_t count;
	char *uri;

	host_must("code objects",
		  amd_dbgapi_process_code_object_list(target.process, &count, &objects, NULL));
	for (size_t i = 0; i < count; i++) {
		host_must("URI", amd_dbgapi_code_object_get_info(
					 objects[i], AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME,
					 sizeof(uri), &uri));
		printf("code object %s\n", uri);
		free(uri);
	}
	free(objects);
}

/* The host called its ready function: code may have come or gone. */
static void answer_hit(bool code_wanted)
{
	amd_dbgapi_breakpoint_action_t action;
	amd_dbgapi_breakpoint_id_t id = {0}, hit = target.breakpoint_id;
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;

	host_back_up();
	host_must("hit", amd_dbgapi_report_breakpoint_hit(
				 hit, (amd_dbgapi_client_thread_id_t)&target.pid, &action));
	if (action != AMD_DBGAPI_BREAKPOINT_ACTION_HALT) {
		/* It calls at the end of a journey, too. */
		if (code_wanted)
			host_die("nothing has changed, says the library");
		host_step_over();
		host_go_on();
		return;
	}
	kind = host_next_event(&event);
	if (kind == AMD_DBGAPI_EVENT_KIND_CODE_OBJECT_LIST_UPDATED) {
		printf("the list of code objects has changed\n");
		print_code_objects();
		host_must("processed", amd_dbgapi_event_processed(event));
		kind = host_next_event(&event);
	} else if (code_wanted) {
		host_die("no word of code objects");
	}
	if (kind != AMD_DBGAPI_EVENT_KIND_BREAKPOINT_RESUME)
		host_die("the thread is not to be resumed");
	host_must("breakpoint", amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_BREAKPOINT,
							  sizeof(id), &id));
	if (id.handle != hit.handle)
		host_die("another breakpoint is to be resumed");
	host_must("processed", amd_dbgapi_event_processed(event));
	host_step_over();
	host_go_on();
}

/* It called for the first time: now there is memory, and code in it. */
void host_be_ready(void)
{
	amd_dbgapi_event_id_t event;

	if (host_next_event(&event) != AMD_DBGAPI_EVENT_KIND_NONE)
		host_die("an event before the host is ready");
	host_go_on();
	host_wait_for_trap("ready");
	answer_hit(true);
}

/* Did the host do something: hit the breakpoint again, or exit, after which there is none? */
bool host_did_something(void)
{
	int status;
	pid_t got = waitpid(target.pid, &status, WNOHANG);

	if (!got)
		return false;
	if (got == target.pid && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP) {
		answer_hit(false);
		return true;
	}
	if (got != target.pid || !WIFEXITED(status))
		host_die("the host did something else than exit: 0x%x", (unsigned int)status);
	printf("the host exited: %d\n", WEXITSTATUS(status));
	target.pid = 0;
	return true;
}

/* What GPUs the library knows, of those that an older debugger does. */
void host_ask_for_gpus(void)
{
	static const uint32_t machines[] = {0x36, 0x3f};
	amd_dbgapi_architecture_id_t architecture;
	uint32_t named;

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		if (amd_dbgapi_get_architecture(machines[i], &architecture) !=
		    AMD_DBGAPI_STATUS_SUCCESS) {
			printf("machine 0x%x: none\n", machines[i]);
			continue;
		}
		host_must("machine",
			  amd_dbgapi_architecture_get_info(
				  architecture, AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE,
				  sizeof(named), &named));
		printf("machine 0x%x: architecture %" PRIu64 ", which is 0x%x\n", machines[i],
		       architecture.handle, named);
	}
}

void host_detach(void)
{
	host_must("detach", amd_dbgapi_process_detach(target.process));
	printf("detached, breakpoint %s\n", target.breakpoint ? "in" : "out");
}
