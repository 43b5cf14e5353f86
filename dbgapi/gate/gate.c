/* SPDX-License-Identifier: MIT */
#include "dbgapi/gate/gate.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/own-note.h"

/* The library that is recorded is never this one, though it has its name. */
WT_OWN_NOTE(gate_note);

/* ---- Without a provider ---- */

static int missing_call(void)
{
	return -1; /* AMD_DBGAPI_STATUS_ERROR */
}

/* A client learns that it cannot use the library by its level. */
static void missing_version(uint32_t *major, uint32_t *minor, uint32_t *patch)
{
	uint32_t *const places[] = {major, minor, patch};

	for (size_t i = 0; i < 3; i++)
		if (places[i])
			*places[i] = 0;
}

static const char *missing_build_name(void)
{
	return "wavetape " WT_VERSION " (no library)";
}

static int missing_status_text(int status, const char **text_ret)
{
	(void)status;
	if (!text_ret)
		return -1;
	*text_ret = "wavetape could not load its library";
	return 0;
}

static void *missing_function(const char *name)
{
	static const struct {
		const char *name;
		void *function;
	} functions[] = {
		{"amd_dbgapi_get_version", (void *)missing_version},
		{"amd_dbgapi_get_build_name", (void *)missing_build_name},
		{"amd_dbgapi_get_status_string", (void *)missing_status_text},
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strcmp(name, functions[i].name))
			return functions[i].function;
	return (void *)missing_call;
}

/* ---- The environment ---- */

/* The next name of a list as LD_PRELOAD is: blanks and colons are between names. NULL behind the last. */
static const char *next_name(const char **rest, size_t *length_ret)
{
	static const char between[] = " :";
	const char *name = *rest + strspn(*rest, between);

	*length_ret = strcspn(name, between);
	*rest = name + *length_ret;
	return *length_ret ? name : NULL;
}

/* The list without this library; NULL if it is not in it, or there is no memory. The caller frees it. */
static char *without_self(const char *list)
{
	const char *rest = list, *name;
	char *kept = calloc(1, strlen(list) + 1);
	bool found = false;
	size_t length;
	Dl_info self;

	if (!kept || !dladdr((void *)wt_gate_find, &self))
		self.dli_fname = "";
	while (kept && (name = next_name(&rest, &length))) {
		if (length == strlen(self.dli_fname) && !memcmp(name, self.dli_fname, length)) {
			found = true;
			continue;
		}
		if (*kept)
			strcat(kept, ":");
		strncat(kept, name, length);
	}
	if (found)
		return kept;
	free(kept);
	return NULL;
}

static void leave_environment(void)
{
	const char *list = getenv("LD_PRELOAD");
	char *kept = list ? without_self(list) : NULL;

	if (kept && *kept)
		setenv("LD_PRELOAD", kept, 1);
	else if (kept)
		unsetenv("LD_PRELOAD");
	free(kept);
}

static void gate_write_note(char how, const char *text)
{
	const char *path = getenv("WAVETAPE_PROVIDER_NOTES");
	char line[512];
	int length = snprintf(line, sizeof(line), "%c%s\n", how, text), fd;

	if (!path || length < 0)
		return;
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	if (write(fd, line, (size_t)length < sizeof(line) ? (size_t)length : sizeof(line) - 1) < 0)
		length = -1; /* the command then says that it does not know */
	close(fd);
}

/* ---- The provider ---- */

static void load_provider(void)
{
	const char *path = getenv("WAVETAPE_PROVIDER"), *why = NULL;
	void *provider = NULL;

	leave_environment();
	if (path && *path)
		provider = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!provider) {
		why = path && *path ? dlerror() : NULL;
		gate_write_note(WT_GATE_FAILED, why ? why : "WAVETAPE_PROVIDER is not set");
	}
	for (size_t i = 0; i < wt_gate_count; i++) {
		const struct wt_gate_symbol *symbol = &wt_gate_symbols[i];
		void *function = provider ? dlvsym(provider, symbol->name, symbol->version) : NULL;

		if (!function)
			function = missing_function(symbol->name);
		__atomic_store_n(&wt_gate_functions[i], function, __ATOMIC_RELEASE);
	}
	if (provider)
		gate_write_note(WT_GATE_LOADED, "");
}

void *wt_gate_find(size_t index)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int error = errno, state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_once(&once, load_provider);
	pthread_setcancelstate(state, NULL);
	errno = error;
	return __atomic_load_n(&wt_gate_functions[index], __ATOMIC_ACQUIRE);
}
