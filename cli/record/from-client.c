/* SPDX-License-Identifier: MIT */
#include "cli/record/from-client.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/libraries.h"
#include "cli/preload.h"
#include "cli/record/recorded-library.h"
#include "recorder/recording/unknown.h"

/**
 * A client of a library that is newer than all we know asks for symbols that ours does not have, and would not start with it in
 * that one's place: it gets its own library, and ours is preloaded.
 */
static struct wt_error *client_preload_beside(const char *clients_library)
{
	const char *name = strrchr(clients_library, '/');
	wt_cleanup_free char *ours = NULL;
	struct wt_error *error = wt_cli_preloaded_library(&ours);

	if (!error)
		error = wt_cli_preload(ours);
	if (error)
		return error;
	return name && !strcmp(name + 1, WT_CLI_SONAME) ? wt_cli_library_path(clients_library)
							: wt_cli_preload(clients_library);
}

/* Ours takes the place of the client's, which is named to it where the loader has told which one that is. */
static struct wt_error *client_put_in_front(char *const *client, const char *library,
					    struct wt_cli_gate *gate)
{
	wt_cleanup_free char *linked = wt_record_library_linked(client);
	const char *named = getenv("WAVETAPE_DBGAPI");

	if (linked && !(named && *named) && setenv("WAVETAPE_DBGAPI", linked, 1))
		return &wt_error_no_memory;
	return wt_cli_gate_init(library, gate);
}

struct wt_error *wt_record_client_run(char **client, const char *output, const char *library,
				      int *code_ret)
{
	wt_cleanup_free char *clients = wt_record_library_of_client(client), *why = NULL;
	struct wt_cli_gate gate = {0};
	struct wt_error *error = clients && wt_unknown_functions(clients, NULL, NULL)
					 ? client_preload_beside(clients)
					 : client_put_in_front(client, library, &gate);

	if (!error)
		error = wt_cli_run_client(client, code_ret);
	if (!error && wt_cli_gate_look(&gate, &why) == WT_CLI_GATE_FAILED)
		error = wt_error_create(WT_ERROR_IO, "nothing was recorded", output,
					"the recording library could not be loaded: %s",
					why ? why : "out of memory");
	wt_cli_gate_deinit(&gate);
	return error;
}
