/* SPDX-License-Identifier: MIT */
/* `wavetape snapshot`: let the agent in a running program take a trace of all waves where they stand. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "base/user-socket.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output.h"

#define PATIENCE 120000 /* milliseconds: a full GPU takes seconds, a slow disk more */
#define ANSWER_MAX 8192

struct options {
	uint64_t process;
	bool json;
};

static const char what[] = "cannot take a snapshot";

static error_t snapshot_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->process)
			argp_error(state, "one PID, and no more");
		if (!wt_cli_number(argument, &options->process) || !options->process ||
		    options->process > INT_MAX)
			argp_error(state, "PID is the number of a process, not '%s'", argument);
		return 0;
	case ARGP_KEY_END:
		if (!options->process)
			argp_error(state, "of which process? Name its PID");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static struct wt_error *snapshot_no_agent(const struct options *options, const char *where)
{
	if (kill((pid_t)options->process, 0) && errno == ESRCH)
		return wt_error_create(WT_ERROR_NOT_FOUND, what, where, "there is no such process");
	return wt_error_create(WT_ERROR_NOT_FOUND, what, where,
			       "it has no agent that listens: start it by `wavetape record -- "
			       "PROGRAM`, or with HSA_TOOLS_LIB=libwavetape-agent.so");
}

static struct wt_error *snapshot_connect_to(const struct options *options, const char *where,
					    int *fd_ret)
{
	socklen_t size;
	const struct sockaddr_storage address =
		wt_user_socket_agent((pid_t)options->process, &size);
	wt_cleanup_close int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return wt_error_errno(errno, what, where);
	if (connect(fd, (const struct sockaddr *)&address, size))
		return errno == ECONNREFUSED ? snapshot_no_agent(options, where)
					     : wt_error_errno(errno, what, where);
	/* The name is anybody's to take. */
	if (!wt_user_socket_is_own(fd) || wt_user_socket_process(fd) != (pid_t)options->process)
		return wt_error_create(WT_ERROR_IO, what, where,
				       "who listens there is another user's, or another process");
	*fd_ret = fd;
	fd = -1;
	return NULL;
}

/* The rest of the line that begins with @name, its end cut off; NULL if there is none. */
static char *snapshot_find_field(char *text, const char *name)
{
	char *line = strstr(text, name);

	return line ? line + strlen(name) : NULL;
}

static struct wt_error *snapshot_read_answer(char *text, const char *where, const char **path_ret,
					     uint64_t *waves_ret)
{
	static const char refused[] = WT_USER_SOCKET_HELLO "refused ";
	static const char fine[] = WT_USER_SOCKET_HELLO "ok\n";
	char *path = snapshot_find_field(text, "\npath "),
	     *waves = snapshot_find_field(text, "\nwaves ");

	if (!strncmp(text, refused, strlen(refused)))
		return wt_error_create(WT_ERROR_NOT_FOUND, what, where, "the agent says: %.*s",
				       (int)strcspn(text + strlen(refused), "\n"),
				       text + strlen(refused));
	if (strncmp(text, fine, strlen(fine)) != 0 || !path || !waves)
		return wt_error_create(WT_ERROR_INPUT, what, where,
				       *text ? "it does not answer as this version does"
					     : "the program ended meanwhile");
	path[strcspn(path, "\n")] = '\0';
	*path_ret = path;
	*waves_ret = strtoull(waves, NULL, 10);
	return NULL;
}

static struct wt_error *snapshot_ask(const struct options *options, char text[ANSWER_MAX],
				     const char **path_ret, uint64_t *waves_ret)
{
	static const char request[] = WT_USER_SOCKET_HELLO "snapshot\n";
	wt_cleanup_close int fd = -1;
	struct wt_error *error;
	char where[40];

	snprintf(where, sizeof(where), "process %" PRIu64, options->process);
	error = snapshot_connect_to(options, where, &fd);
	if (error)
		return error;
	if (send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL) != (ssize_t)sizeof(request) - 1)
		return wt_error_errno(errno, what, where);
	error = wt_user_socket_receive(fd, PATIENCE, what, where,
				       "it has not answered for two minutes", text, ANSWER_MAX);
	return error ? error : snapshot_read_answer(text, where, path_ret, waves_ret);
}

int wt_command_snapshot(int argc, char **argv)
{
	static const struct argp_option entries[] = {WT_CLI_JSON_OPTION, {0}};
	static const struct argp argp = {
		.options = entries,
		.parser = snapshot_parse,
		.args_doc = "PID",
		.doc = "Let the agent in process PID take a trace of all waves where they stand, "
		       "and print its name. The program goes on. The agent is there if the "
		       "program was started with HSA_TOOLS_LIB=libwavetape-agent.so.",
	};
	struct options options = {0};
	char text[ANSWER_MAX];
	const char *path = NULL;
	uint64_t waves = 0;
	struct wt_error *error;

	wt_cli_parse(&argp, argc, argv, &options);
	error = snapshot_ask(&options, text, &path, &waves);
	if (error)
		return wt_cli_fail(error);
	if (options.json)
		return wt_cli_json(path, 0, json_pack("{s:I}", "waves", (json_int_t)waves));
	wt_cli_put(stdout, path);
	printf(": %" PRIu64 " %s\n", waves, wt_plural(waves, "wave", "waves"));
	return WT_EXIT_FINE;
}
