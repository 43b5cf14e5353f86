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

/* The client has ended without a word of the recorder's: say what has kept it out. */
static struct wt_error *client_explain(const struct wt_cli_gate *gate, const char *output,
				       const struct wt_search *search)
{
	static const char what[] = "nothing was recorded";
	wt_cleanup_free char *why = NULL, *places = NULL;

	switch (wt_cli_gate_look(gate, &why)) {
	case WT_CLI_GATE_FAILED:
		return wt_error_create(WT_ERROR_IO, what, output,
				       "the recording library could not be loaded: %s",
				       why ? why : "out of memory");
	case WT_CLI_GATE_UNUSED:
		return wt_error_create(WT_ERROR_NOT_FOUND, what, output,
				       "the client made no call of the recording library: it does "
				       "not use " WT_CLI_SONAME
				       ", or loads another by its path, or runs where LD_PRELOAD "
				       "does not reach");
	case WT_CLI_GATE_USED:
		break;
	}
	if (wt_search_taken(search))
		return NULL;
	places = wt_search_text(search);
	return places ? wt_error_create(WT_ERROR_NOT_FOUND, what, output,
					"AMD's debugger library was not found: it is not in %s; "
					"name it with --dbgapi",
					places)
		      : &wt_error_no_memory;
}

struct wt_error *wt_record_client_run(char **client, const struct wt_record_output *output,
				      const char *library, int *code_ret)
{
	struct wt_search search = wt_record_library_search(client);
	const struct wt_search_place *taken = wt_search_taken(&search);
	struct wt_cli_gate gate = {0};
	struct wt_error *error = taken && wt_unknown_functions(taken->path, NULL, NULL)
					 ? client_preload_beside(taken->path)
					 : client_put_in_front(client, library, &gate);

	if (!error)
		error = wt_cli_run_client(client, code_ret);
	if (!error && wt_record_output_is_idle(output))
		error = client_explain(&gate, output->path, &search);
	wt_cli_gate_deinit(&gate);
	wt_search_deinit(&search);
	return error;
}
