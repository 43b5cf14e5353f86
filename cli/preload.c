/* SPDX-License-Identifier: MIT */
#include "cli/preload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/libraries.h"
#include "dbgapi/gate/gate.h"
#include "replayer/code/needed.h"

/* ---- Notes ---- */

static char *gate_make_notes(void)
{
	const char *directory = wt_cli_temporary();
	char *path;
	int fd;

	if (*directory != '/')
		directory = "/tmp";
	if (asprintf(&path, "%s/wavetape-notes-XXXXXX", directory) < 0)
		return NULL;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0) {
		close(fd);
		return path;
	}
	free(path);
	return NULL;
}

struct wt_error *wt_cli_gate_init(const char *provider, struct wt_cli_gate *gate_ret)
{
	wt_cleanup_free char *library = NULL;
	struct wt_error *error = wt_cli_gate_library(&library);

	*gate_ret = (struct wt_cli_gate){0};
	if (!error)
		error = wt_cli_preload(library);
	if (!error && setenv("WAVETAPE_PROVIDER", provider, 1))
		error = &wt_error_no_memory;
	if (error)
		return error;
	gate_ret->notes = gate_make_notes();
	if (gate_ret->notes ? setenv("WAVETAPE_PROVIDER_NOTES", gate_ret->notes, 1)
			    : unsetenv("WAVETAPE_PROVIDER_NOTES"))
		return &wt_error_no_memory;
	return NULL;
}

void wt_cli_gate_deinit(struct wt_cli_gate *gate)
{
	if (gate->notes)
		unlink(gate->notes);
	free(gate->notes);
	*gate = (struct wt_cli_gate){0};
}

enum wt_cli_gate_state wt_cli_gate_look(const struct wt_cli_gate *gate, char **why_ret)
{
	enum wt_cli_gate_state state = WT_CLI_GATE_UNUSED;
	wt_cleanup_free char *line = NULL;
	FILE *notes;
	size_t room = 0;

	/* Without a file for notes the client has the benefit of the doubt. */
	if (!gate->notes)
		return WT_CLI_GATE_USED;
	notes = fopen(gate->notes, "re");
	while (notes && state != WT_CLI_GATE_USED && getline(&line, &room, notes) > 0) {
		if (*line == WT_GATE_LOADED)
			state = WT_CLI_GATE_USED;
		else if (*line == WT_GATE_FAILED && state == WT_CLI_GATE_UNUSED) {
			state = WT_CLI_GATE_FAILED;
			line[strcspn(line, "\n")] = '\0';
			*why_ret = strdup(line + 1);
		}
	}
	if (notes)
		fclose(notes);
	return state;
}

/* ---- The library of a program ---- */

/* The loader prints of a library its name, =>, its path, and where it would be. */
static char *line_path(char *line, const char *name)
{
	static const char arrow[] = " => ";
	size_t length = strlen(name);
	char *end;

	line += strspn(line, " \t");
	if (strncmp(line, name, length) != 0 || strncmp(line + length, arrow, strlen(arrow)) != 0)
		return NULL;
	line += length + strlen(arrow);
	end = strstr(line, " (0x");
	if (*line != '/' || !end)
		return NULL;
	*end = '\0';
	return strdup(line);
}

static char *gate_read_list(int fd, const char *name)
{
	FILE *list = fdopen(fd, "re");
	wt_cleanup_free char *line = NULL;
	char *path = NULL;
	size_t room = 0;

	if (!list) {
		close(fd);
		return NULL;
	}
	while (getline(&line, &room, list) > 0)
		if (!path)
			path = line_path(line, name);
	fclose(list);
	return path;
}

/* The loader lists what a program is linked with where it is started in the place of the program. */
static void gate_list_libraries(const char *loader, const char *program, int output)
{
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0 ||
	    dup2(output, STDOUT_FILENO) < 0)
		_exit(127);
	execl(loader, loader, "--list", program, (char *)NULL);
	_exit(127);
}

char *wt_cli_linked_library(const char *program, const char *name)
{
	char loader[PATH_MAX], *path;
	int ends[2], status;
	pid_t child;

	if (!wt_needed_find(program, name).needs ||
	    !wt_needed_loader(program, loader, sizeof(loader)) || pipe2(ends, O_CLOEXEC))
		return NULL;
	fflush(NULL);
	child = fork();
	if (!child)
		gate_list_libraries(loader, program, ends[1]);
	close(ends[1]);
	path = gate_read_list(ends[0], name);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return path;
}
