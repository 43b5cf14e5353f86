/* SPDX-License-Identifier: MIT */
/*
 * Takes events until a wave has stopped, and ends right then: it never asks whether there is more. Knows the public
 * header alone, and loads the library itself.
 *
 * Usage: ending-client HOW
 *
 *   exit     returns from main
 *   unload   unloads the library, and ends without anything that is done at exit
 *   inside   ends in a callback, while the library is at work on a call
 *   handler  asks for the other events and takes the library down in a handler of its own, at exit
 *   vanish   ends without anything that is done at exit
 */
#include <amd-dbgapi/amd-dbgapi.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/end-to-end/blind-callbacks.h"

#define EVENT_LIMIT 10000
#define EXIT_CODE 7
#define GFX942_MACHINE 0x4c /* EF_AMDGPU_MACH_AMDGCN_GFX942 */

static struct {
	amd_dbgapi_status_t (*initialize)(amd_dbgapi_callbacks_t *callbacks);
	amd_dbgapi_status_t (*finalize)(void);
	amd_dbgapi_status_t (*attach)(amd_dbgapi_client_process_id_t client,
				      amd_dbgapi_process_id_t *process);
	amd_dbgapi_status_t (*next_event)(amd_dbgapi_process_id_t process,
					  amd_dbgapi_event_id_t *event,
					  amd_dbgapi_event_kind_t *kind);
	amd_dbgapi_status_t (*processed)(amd_dbgapi_event_id_t event);
	amd_dbgapi_status_t (*architecture)(uint32_t machine,
					    amd_dbgapi_architecture_id_t *architecture);
	amd_dbgapi_status_t (*architecture_info)(amd_dbgapi_architecture_id_t architecture,
						 amd_dbgapi_architecture_info_t query, size_t size,
						 void *value);
	amd_dbgapi_status_t (*waves)(amd_dbgapi_process_id_t process, size_t *count,
				     amd_dbgapi_wave_id_t **waves, amd_dbgapi_changed_t *changed);
} api;

static void *library;
static amd_dbgapi_process_id_t process;
static bool attached, ends_inside;

static void *allocate(size_t size)
{
	if (ends_inside)
		exit(EXIT_CODE);
	return malloc(size);
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	printf("log %d: %s\n", (int)level, message);
}

static void find(const char *name, void *function_ret)
{
	void *function = dlsym(library, name);

	if (!function) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	memcpy(function_ret, &function, sizeof(function));
}

static void load(void)
{
	library = dlopen("librocm-dbgapi.so.0", RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	find("amd_dbgapi_initialize", &api.initialize);
	find("amd_dbgapi_finalize", &api.finalize);
	find("amd_dbgapi_process_attach", &api.attach);
	find("amd_dbgapi_process_next_pending_event", &api.next_event);
	find("amd_dbgapi_event_processed", &api.processed);
	find("amd_dbgapi_process_wave_list", &api.waves);
	find("amd_dbgapi_get_architecture", &api.architecture);
	find("amd_dbgapi_architecture_get_info", &api.architecture_info);
}

static void attach(void)
{
	amd_dbgapi_callbacks_t callbacks = {allocate,
					    free,
					    blind_process_get_info,
					    blind_insert_breakpoint,
					    blind_remove_breakpoint,
					    blind_xfer_global_memory,
					    log_message};

	printf("initialize %d\n", (int)api.initialize(&callbacks));
	printf("attach %d\n",
	       (int)api.attach((amd_dbgapi_client_process_id_t)(void *)&process, &process));
	attached = true;
}

static amd_dbgapi_event_kind_t take_event(void)
{
	amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_NONE;
	amd_dbgapi_event_id_t event = {0};
	amd_dbgapi_status_t status = api.next_event(process, &event, &kind);

	if (status || event.handle)
		printf("event %llu kind %d status %d\n", (unsigned long long)event.handle,
		       (int)kind, (int)status);
	/* That of a stop stays as it is, so that the wave does. */
	if (event.handle && kind != AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
		api.processed(event);
	return kind;
}

static void run_to_stop(void)
{
	for (int i = 0; i < EVENT_LIMIT; i++)
		if (take_event() == AMD_DBGAPI_EVENT_KIND_WAVE_STOP)
			return;
	printf("nothing stopped\n");
	exit(1);
}

static void at_exit(void)
{
	if (!attached)
		return;
	while (take_event() != AMD_DBGAPI_EVENT_KIND_NONE)
		;
	printf("finalize %d\n", (int)api.finalize());
}

int main(int argc, char **argv)
{
	const char *how = argc == 2 ? argv[1] : "";

	/* Before anything of the library's: it comes last. */
	if (!strcmp(how, "handler"))
		atexit(at_exit);
	load();
	attach();
	run_to_stop();
	fflush(stdout);
	if (!strcmp(how, "unload"))
		dlclose(library);
	if (!strcmp(how, "unload") || !strcmp(how, "vanish"))
		_exit(EXIT_CODE);
	if (!strcmp(how, "inside")) {
		amd_dbgapi_architecture_id_t architecture;
		char *name;

		/* No look at the program, before which the recorder would make the stop. */
		if (api.architecture(GFX942_MACHINE, &architecture))
			return 1;
		ends_inside = true;
		api.architecture_info(architecture, AMD_DBGAPI_ARCHITECTURE_INFO_NAME, sizeof(name),
				      &name);
		return 1;
	}
	return EXIT_CODE;
}
