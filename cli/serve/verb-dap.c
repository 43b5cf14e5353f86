/* SPDX-License-Identifier: MIT */
/* `wavetape dap`: an editor opens a trace. It speaks over standard input and output, or one after the other over a port or a socket. */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/user-socket.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/look/describe-cause.h"
#include "cli/output.h"
#include "cli/serve/dap.h"

static const char what[] = "cannot serve editors";

enum { KEY_PORT = 0x100, KEY_SOCKET, KEY_ONCE };

struct options {
	struct wt_source_maps maps;
	struct wt_dap_options dap;
	uint64_t port;
	uint64_t stop;
	const char *socket;
	bool has_port, once;
};

static error_t dap_parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case WT_CLI_SOURCE_MAP_KEY:
		wt_cli_take_source_map(state, &options->maps, argument);
		return 0;
	case 's':
		if (!wt_cli_number(argument, &options->stop) || !options->stop ||
		    options->stop > UINT32_MAX)
			argp_error(state, "--stop takes a number from 1, not '%s'", argument);
		options->dap.stop = (uint32_t)options->stop;
		return 0;
	case KEY_PORT:
		if (!wt_cli_number(argument, &options->port) || options->port > UINT16_MAX)
			argp_error(state, "--port takes 0 to 65535, not '%s'", argument);
		options->has_port = true;
		return 0;
	case KEY_SOCKET:
		options->socket = argument;
		return 0;
	case KEY_ONCE:
		options->once = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->dap.path)
			argp_error(state, "one FILE is opened: '%s' stands behind it", argument);
		options->dap.path = argument;
		return 0;
	case ARGP_KEY_END:
		if (options->has_port && options->socket)
			argp_error(state, "--port and --socket go not together");
		if (options->once && !options->has_port && !options->socket)
			argp_error(state, "--once goes with --port or --socket");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- A port of this machine alone, or a socket of this user alone ---- */

static struct wt_error *port_listen(uint16_t port, int *fd_ret)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_port = htons(port),
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	wt_cleanup_close int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const int on = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) || listen(fd, 1) ||
	    getsockname(fd, (struct sockaddr *)&address, &size))
		return wt_error_errno(errno, what, "127.0.0.1");
	/* Clients read this line to learn the port. */
	printf("listening on 127.0.0.1:%u\n", ntohs(address.sin_port));
	fflush(stdout);
	*fd_ret = fd;
	fd = -1;
	return NULL;
}

static struct wt_error *socket_listen(const char *path, int *fd_ret)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	wt_cleanup_close int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	mode_t before;
	int failed;

	if (strlen(path) >= sizeof(address.sun_path))
		return wt_error_create(WT_ERROR_USAGE, what, path,
				       "the name of a socket has less than %zu bytes",
				       sizeof(address.sun_path));
	memcpy(address.sun_path, path, strlen(path) + 1);
	/* Only this user may connect. */
	before = umask(S_IRWXG | S_IRWXO);
	failed = fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof(address)) ||
		 listen(fd, 1);
	umask(before);
	if (failed)
		return wt_error_errno(errno, what, path);
	*fd_ret = fd;
	fd = -1;
	return NULL;
}

/* Over a port the kernel does not say who connects: whoever is on this machine can. */
static bool connection_is_own(const struct options *options, int connection)
{
	return !options->socket || wt_user_socket_is_own(connection);
}

static struct wt_error *clients_serve(const struct options *options, int listener)
{
	for (;;) {
		wt_cleanup_close int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		struct wt_error *error;

		if (connection < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (connection < 0)
			return wt_error_errno(errno, what, "");
		if (!connection_is_own(options, connection))
			continue;
		error = wt_dap_serve(&options->dap, connection, connection);
		if (options->once)
			return error;
		/* A client that went away is no end. */
		if (error)
			wt_cli_fail(error);
	}
}

static struct wt_error *dap_run(const struct options *options)
{
	wt_cleanup_close int listener = -1;
	struct wt_error *error;

	if (!options->has_port && !options->socket) {
		/* Anything else that is printed would be in the midst of messages. */
		wt_cleanup_close int output = dup(STDOUT_FILENO);

		if (output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
			return wt_error_errno(errno, what, "standard output");
		return wt_dap_serve(&options->dap, STDIN_FILENO, output);
	}
	error = options->socket ? socket_listen(options->socket, &listener)
				: port_listen((uint16_t)options->port, &listener);
	if (!error)
		error = clients_serve(options, listener);
	if (options->socket && listener >= 0)
		unlink(options->socket);
	return error;
}

int wt_command_dap(int argc, char **argv)
{
	static const struct argp_option own[] = {
		{"port", KEY_PORT, "PORT", 0,
		 "listen on this port of 127.0.0.1 (0: any; the first line printed says which); "
		 "everybody on this machine can connect",
		 0},
		{"socket", KEY_SOCKET, "PATH", 0, "listen on this socket, of this user alone", 0},
		{"once", KEY_ONCE, NULL, 0, "end when the first client has gone", 0},
		{"stop", 's', "N", 0, WT_CLI_STOP_HELP, 0},
		WT_CLI_SOURCE_MAP_OPTION,
		{0},
	};
	static const struct argp argp = {
		.options = own,
		.parser = dap_parse_option,
		.args_doc = "[FILE]",
		.doc = "Let an editor open a trace, in the Debug Adapter Protocol: waves, calls "
		       "with "
		       "inlined functions, variables lane by lane, registers, memory, code, source "
		       "and the cause. It speaks over its standard input and output, unless a "
		       "port or a socket is named. Without FILE the editor says which trace is "
		       "opened: see docs/editors.md.",
	};
	struct options options = {.port = 0};
	struct wt_error *error;

	wt_cli_parse(&argp, argc, argv, &options);
	options.dap.maps = &options.maps;
	error = dap_run(&options);
	return error ? wt_cli_fail(error) : WT_EXIT_FINE;
}
