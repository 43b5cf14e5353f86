/* SPDX-License-Identifier: MIT */
#include "dbgapi/table/load.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "cannot load the debugger API library";

/* ---- initialize before 0.76 ---- */

amd_dbgapi_status_t (*wt_under_initialize_0_54)(struct wt_callbacks_0_54 *callbacks);

/* The API has no context parameter: this is whom the library's callback is passed on to. */
static amd_dbgapi_status_t (*client_process_get_info)(amd_dbgapi_client_process_id_t,
						      amd_dbgapi_client_process_info_t, size_t,
						      void *);

static amd_dbgapi_status_t get_os_pid(amd_dbgapi_client_process_id_t client_process_id,
				      amd_dbgapi_os_process_id_t *os_pid)
{
	return client_process_get_info(client_process_id, AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID,
				       sizeof(*os_pid), os_pid);
}

amd_dbgapi_status_t wt_over_initialize_0_54(amd_dbgapi_callbacks_t *callbacks)
{
	__typeof__(client_process_get_info) before = client_process_get_info;
	struct wt_callbacks_0_54 older;
	amd_dbgapi_status_t status;

	if (!callbacks)
		return wt_under_initialize_0_54(NULL);
	/* Callbacks that the client leaves out stay out, for the library to refuse. */
	older = (struct wt_callbacks_0_54){
		.allocate_memory = callbacks->allocate_memory,
		.deallocate_memory = callbacks->deallocate_memory,
		.get_os_pid = callbacks->client_process_get_info ? get_os_pid : NULL,
		.insert_breakpoint = callbacks->insert_breakpoint,
		.remove_breakpoint = callbacks->remove_breakpoint,
		.log_message = callbacks->log_message,
	};
	client_process_get_info = callbacks->client_process_get_info;
	status = wt_under_initialize_0_54(&older);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		client_process_get_info = before;
	return status;
}

/* ---- Loading ---- */

static unsigned int symbol_level(const struct wt_symbol *symbol)
{
	return (unsigned int)atoi(strrchr(symbol->version, '.') + 1);
}

/* Take a symbol of a library: false if its adaptor is at work for another library. */
static bool symbol_take(const struct wt_symbol *symbol, void *address, struct wt_api *api)
{
	void *called = address;

	if (symbol->adaptor) {
		if (*symbol->under && *symbol->under != address)
			return false;
		*symbol->under = address;
		called = symbol->adaptor;
	}
	memcpy((char *)api + wt_api_offsets[symbol->function], &called, sizeof(called));
	api->found_at[symbol->function] = (uint16_t)symbol_level(symbol);
	return true;
}

static struct wt_error *library_take_all(const char *path, void *library, unsigned int level,
					 struct wt_api *api_ret)
{
	bool there[WT_FUNCTION_COUNT] = {false}, any = false;
	struct wt_api api = {0};

	for (int i = 0; i < WT_FUNCTION_COUNT; i++)
		memcpy((char *)&api + wt_api_offsets[i], &wt_absent[i], sizeof(wt_absent[i]));
	for (size_t i = 0; i < wt_symbol_count; i++) {
		const struct wt_symbol *symbol = &wt_symbols[i];
		void *address = there[symbol->function] || symbol_level(symbol) > level
					? NULL
					: dlvsym(library, symbol->name, symbol->version);

		if (!address)
			continue;
		if (!symbol_take(symbol, address, &api))
			return wt_error_create(WT_ERROR_UNSUPPORTED, what, path,
					       "another library of its level is loaded already");
		there[symbol->function] = any = true;
	}
	if (!any)
		return wt_error_create(WT_ERROR_UNSUPPORTED, what, path,
				       "it has no function of the debugger API at a symbol version "
				       "from AMD_DBGAPI_0.54 to that of level " WT_API_LEVEL);
	*api_ret = api;
	return NULL;
}

struct wt_error *wt_api_load(const char *path, struct wt_api *api_ret)
{
	return wt_api_load_at(path, UINT_MAX, api_ret);
}

struct wt_error *wt_api_load_at(const char *path, unsigned int level, struct wt_api *api_ret)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	struct wt_error *error;

	if (!library)
		return wt_error_create(WT_ERROR_IO, what, path, "%s", dlerror());
	error = library_take_all(path, library, level, api_ret);
	if (error)
		dlclose(library);
	return error;
}
