/* SPDX-License-Identifier: MIT */
#include "cli/replay/running.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/user-socket.h"
#include "cli/arguments.h"

#define PATIENCE 60000 /* milliseconds: a replay may have to read its whole trace first */

static const char talk[] = "cannot talk to the replay";

static void closedirp(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

static struct wt_error *running_open_directory(int *fd_ret)
{
	return wt_control_directory(getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), false, fd_ret);
}

void wt_replay_answer_deinit(struct wt_replay_answer *answer)
{
	free(answer->trace);
	free(answer->why);
	memset(answer, 0, sizeof(*answer));
}

/* -1 and errno, or a connection. */
static int running_connect_to(int directory, const char *file)
{
	struct sockaddr_storage address;
	socklen_t size;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address = wt_control_address(directory, file, &size);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, size)) {
		int failure = errno;

		close(fd);
		errno = failure;
		return -1;
	}
	return fd;
}

/* Does somebody listen? What a process left behind that was killed goes away. */
static bool running_is_alive(int directory, const char *file)
{
	wt_cleanup_close int fd = running_connect_to(directory, file);

	if (fd < 0 && errno == ECONNREFUSED)
		unlinkat(directory, file, 0);
	return fd >= 0;
}

static int running_compare_names(const void *a, const void *b)
{
	pid_t left = ((const struct wt_control_name *)a)->pid;
	pid_t right = ((const struct wt_control_name *)b)->pid;

	return left < right ? -1 : left > right;
}

static struct wt_error *read_names(int directory, struct wt_control_name **names, size_t *count)
{
	wt_cleanup(closedirp) DIR *entries = fdopendir(fcntl(directory, F_DUPFD_CLOEXEC, 0));
	const struct dirent *entry;
	size_t capacity = 0;

	if (!entries)
		return wt_error_errno(errno, "cannot list the running replays", "");
	while ((entry = readdir(entries))) {
		struct wt_control_name name;

		if (!wt_control_name_parse(entry->d_name, &name) ||
		    !running_is_alive(directory, entry->d_name))
			continue;
		if (*count == capacity) {
			struct wt_control_name *more;

			capacity = capacity ? 2 * capacity : 8;
			more = reallocarray(*names, capacity, sizeof(name));
			if (!more)
				return &wt_error_no_memory;
			*names = more;
		}
		(*names)[(*count)++] = name;
	}
	return NULL;
}

struct wt_error *wt_replays_list(struct wt_control_name **names_ret, size_t *count_ret)
{
	wt_cleanup_free struct wt_control_name *names = NULL;
	wt_cleanup_close int directory = -1;
	struct wt_error *error = running_open_directory(&directory);
	size_t count = 0;

	/* Nobody has replayed anything yet. */
	if (error && error->code == WT_ERROR_NOT_FOUND) {
		wt_error_destroy(error);
		error = NULL;
	} else if (!error) {
		error = read_names(directory, &names, &count);
	}
	if (error)
		return error;
	if (count)
		qsort(names, count, sizeof(*names), running_compare_names);
	*names_ret = wt_take(names);
	*count_ret = count;
	return NULL;
}

static struct wt_error *several(const char *text, const struct wt_control_name *names, size_t count)
{
	char list[256] = "";
	size_t length = 0;

	for (size_t i = 0; i < count && length < sizeof(list) - 16; i++)
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%d",
					   i ? ", " : "", (int)names[i].pid);
	return wt_error_create(WT_ERROR_USAGE, "cannot tell which replay is meant", text,
			       "%zu processes replay it: name one of %s", count, list);
}

static bool is_meant(const struct wt_control_name *name, uint64_t pid, const struct stat *trace)
{
	return trace ? name->device == trace->st_dev && name->inode == trace->st_ino
		     : (uint64_t)name->pid == pid;
}

struct wt_error *wt_replays_find(const char *text, struct wt_control_name *name_ret)
{
	wt_cleanup_free struct wt_control_name *names = NULL;
	size_t count = 0, meant = 0;
	struct stat trace = {0};
	bool by_pid;
	struct wt_error *error;
	uint64_t pid = 0;

	/* A file of that name comes first; `./123` always means the file. */
	by_pid = stat(text, &trace) != 0;
	if (by_pid && !wt_cli_number(text, &pid))
		return wt_error_errno(errno, "cannot find the replay", text);
	error = wt_replays_list(&names, &count);
	if (error)
		return error;
	for (size_t i = 0; i < count; i++)
		if (is_meant(&names[i], pid, by_pid ? NULL : &trace))
			names[meant++] = names[i];
	if (meant > 1)
		return several(text, names, meant);
	if (!meant)
		return wt_error_create(WT_ERROR_NOT_FOUND, "cannot find the replay", text,
				       by_pid ? "no process of that number replays a trace"
					      : "no running process replays this trace");
	*name_ret = names[0];
	return NULL;
}

/* "%2F" and its like back to bytes. */
static char *unescape(const char *text)
{
	char *plain = malloc(strlen(text) + 1), *to = plain;
	unsigned int byte;

	for (; plain && *text; text++) {
		if (*text == '%' && sscanf(text + 1, "%2X", &byte) == 1) {
			*to++ = (char)byte;
			text += 2;
		} else {
			*to++ = *text;
		}
	}
	if (plain)
		*to = '\0';
	return plain;
}

/* One line of an answer. */
static void read_field(struct wt_replay_answer *answer, const char *name, const char *value)
{
	const struct {
		const char *name;
		uint32_t *small;
		uint64_t *large;
		char **text;
	} fields[] = {
		{"stop", &answer->stop, NULL, NULL},	   {"first", &answer->first, NULL, NULL},
		{"last", &answer->last, NULL, NULL},	   {"wanted", &answer->wanted, NULL, NULL},
		{"journey", NULL, &answer->journey, NULL}, {"done", NULL, &answer->done, NULL},
		{"failed", NULL, &answer->failed, NULL},   {"trace", NULL, NULL, &answer->trace},
		{"why", NULL, NULL, &answer->why},
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (strcmp(fields[i].name, name))
			continue;
		if (fields[i].small)
			*fields[i].small = (uint32_t)strtoul(value, NULL, 10);
		else if (fields[i].large)
			*fields[i].large = strtoull(value, NULL, 10);
		else if (!*fields[i].text)
			*fields[i].text = unescape(value);
	}
}

static struct wt_error *running_read_answer(char *text, const char *file,
					    struct wt_replay_answer *answer_ret)
{
	struct wt_replay_answer answer = {0};
	char *line = strsep(&text, "\n");
	static const char refused[] = WT_CONTROL_HELLO "refused ";

	if (!strncmp(line, refused, strlen(refused)))
		return wt_error_create(WT_ERROR_NOT_FOUND, "the replay refuses", file, "%s",
				       line + strlen(refused));
	if (strcmp(line, WT_CONTROL_HELLO "ok"))
		return wt_error_create(WT_ERROR_INPUT, talk, file,
				       "it does not answer as this version does");
	while ((line = strsep(&text, "\n"))) {
		char *value = strchr(line, ' ');

		if (!value)
			continue;
		*value++ = '\0';
		read_field(&answer, line, value);
	}
	if (!answer.trace || !answer.why) {
		wt_replay_answer_deinit(&answer);
		return wt_error_create(WT_ERROR_INPUT, talk, file, "its answer is not whole");
	}
	*answer_ret = answer;
	return NULL;
}

struct wt_error *wt_replay_ask(const struct wt_control_name *name, const char *request,
			       struct wt_replay_answer *answer_ret)
{
	wt_cleanup_close int directory = -1;
	wt_cleanup_close int fd = -1;
	char file[WT_CONTROL_NAME_MAX], line[WT_CONTROL_REQUEST], text[WT_CONTROL_ANSWER + 1];
	struct wt_error *error = running_open_directory(&directory);
	int length;

	if (error)
		return error;
	wt_control_name_print(name, file);
	fd = running_connect_to(directory, file);
	if (fd < 0)
		return wt_error_errno(errno, talk, file);
	if (!wt_user_socket_is_own(fd))
		return wt_error_create(WT_ERROR_IO, talk, file, "it is another user's");
	length = snprintf(line, sizeof(line), WT_CONTROL_HELLO "%s\n", request);
	if (send(fd, line, (size_t)length, MSG_NOSIGNAL) != length)
		return wt_error_errno(errno, talk, file);
	error = wt_user_socket_receive(fd, PATIENCE, talk, file, "it has not answered for a minute",
				       text, sizeof(text));
	return error ? error : running_read_answer(text, file, answer_ret);
}
