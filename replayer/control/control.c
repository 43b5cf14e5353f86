/* SPDX-License-Identifier: MIT */
/* The control socket: the client's side, which starts and ends the thread, and the thread, which answers requests. */
#include "replayer/control/control.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "replayer/control/name.h"
#include "replayer/control/request.h"
#include "replayer/timeline/itinerary.h"

#define WT_CONTROL_WHY 256u

struct wt_control {
	/* Set before the thread starts, and not changed after. */
	pthread_t thread;
	pid_t owner;
	int listener, notifier, wake, directory;
	bool bound;
	char file[WT_CONTROL_NAME_MAX];
	char *trace; /* absolute path */
	uint64_t device, inode;

	/* The thread's own. */
	bool surveyed;
	struct wt_itinerary itinerary;

	/* Shared, with the lock held. */
	pthread_mutex_t lock;
	struct wt_control_place place;
	atomic_bool requested; /* and not taken yet; also read without the lock */
	struct wt_control_request request;
	uint32_t wanted; /* position of the last destination; 0: there was none */
	/* Requests (journeys, in the protocol) are counted from 1: made, taken by the client's thread, over. */
	uint64_t asked, taken, done;
	uint64_t running; /* the last one to a stop at which no wave is stopped */
	uint64_t events;  /* the last one that the client has events of */
	uint64_t quiet;	  /* the last one that it has nothing of */
	uint64_t wave;	  /* to be shown at the end of the last one; 0: none */
	uint64_t failed;  /* the last one that could not be made, and why */
	char why[WT_CONTROL_WHY];
};

#define BACKLOG 16

static const char what[] = "cannot let others control the replay";

/*
 * The thread that serves the control socket: some connections at a time, none for long. Whoever
 * connects may be slow, send anything, or vanish.
 */

#define CONNECTIONS 16u
#define PATIENCE 2000 /* milliseconds for a request and its answer */

struct connection {
	int fd; /* -1: unused */
	int64_t deadline;
	char request[WT_CONTROL_REQUEST];
	size_t received;
	char answer[WT_CONTROL_ANSWER];
	size_t length, sent;
};

/*
 * Answers to requests. Fields of an answer:
 *
 *   pid        of the process that replays
 *   trace      absolute path; bytes that are not printable ASCII, and '%', as %XX
 *   stop       the last stop that was reached, counted as `wavetape stops` does; 0: none yet
 *   first      the stops that one can go to, first and last; 0 0: none
 *   last
 *   journey    how many were asked for over the socket
 *   done       how many of them are over; equal to journey if nothing is pending
 *   wanted     the stop that the last journey leads to; 0 if there was none
 *   running    the last journey to a stop at which no wave is stopped; 0: none
 *   events     the last journey of which there were events for the client; 0: none
 *   quiet      the last journey of which it has nothing to learn, by events or a call of the host; 0: none
 *   wave       to be shown where the last journey led, as the client knows it; 0: none
 *   failed     the last journey that could not be made; 0: none
 *   why        the reason of it
 */

struct answer {
	char *text;
	size_t length;
};

__attribute__((format(printf, 2, 3))) static void control_answer_add(struct answer *answer,
								     const char *format, ...)
{
	size_t left = WT_CONTROL_ANSWER - answer->length;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(answer->text + answer->length, left, format, arguments);
	va_end(arguments);
	if (length > 0 && (size_t)length < left)
		answer->length += (size_t)length;
}

static void add_escaped(struct answer *answer, const char *name, const char *text)
{
	control_answer_add(answer, "%s ", name);
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte > ' ' && byte < 0x7f && byte != '%')
			control_answer_add(answer, "%c", byte);
		else
			control_answer_add(answer, "%%%02X", (unsigned int)byte);
	}
	control_answer_add(answer, "\n");
}

__attribute__((format(printf, 2, 3))) static void control_answer_refuse(struct answer *answer,
									const char *format, ...)
{
	char why[WT_CONTROL_WHY];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, sizeof(why), format, arguments);
	va_end(arguments);
	/* One line, whatever a file's name brings in. */
	for (char *c = why; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	answer->length = 0;
	control_answer_add(answer, WT_CONTROL_HELLO "refused %s\n", why);
}

/* Find all stops, once; false if that was refused. */
static bool survey(struct wt_control *control, struct answer *answer)
{
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_reader *reader;
	struct stat trace;

	if (control->surveyed)
		return true;
	if (stat(control->trace, &trace) || trace.st_dev != control->device ||
	    trace.st_ino != control->inode) {
		control_answer_refuse(answer, "the trace is no longer where it was: %s",
				      control->trace);
		return false;
	}
	error = wt_reader_open(control->trace, &reader);
	if (!error) {
		error = wt_itinerary_init(&control->itinerary, reader);
		wt_reader_close(reader);
	}
	if (error)
		control_answer_refuse(answer, "%s: %s: %s", error->what, error->where, error->why);
	control->surveyed = !error;
	return control->surveyed;
}

static void control_place_report(struct wt_control *control, struct answer *answer)
{
	struct wt_itinerary_range range;
	bool none;

	pthread_mutex_lock(&control->lock);
	range = wt_itinerary_range(&control->itinerary, control->place.start,
				   control->place.process);
	none = range.first > range.last;
	control_answer_add(answer, WT_CONTROL_HELLO "ok\npid %d\n", (int)control->owner);
	add_escaped(answer, "trace", control->trace);
	control_answer_add(answer, "stop %u\nfirst %u\nlast %u\n",
			   wt_itinerary_at(&control->itinerary, control->place.position),
			   none ? 0 : range.first, none ? 0 : range.last);
	control_answer_add(answer, "journey %" PRIu64 "\ndone %" PRIu64 "\nwanted %u\n",
			   control->asked, control->done,
			   control->wanted ? wt_itinerary_at(&control->itinerary, control->wanted)
					   : 0);
	control_answer_add(answer, "running %" PRIu64 "\nevents %" PRIu64 "\nquiet %" PRIu64 "\n",
			   control->running, control->events, control->quiet);
	control_answer_add(answer, "wave %" PRIu64 "\nfailed %" PRIu64 "\n", control->wave,
			   control->failed);
	add_escaped(answer, "why", control->why);
	pthread_mutex_unlock(&control->lock);
}

/* Leave the request for the client's next call, and wake the client. */
static void leave_request(struct wt_control *control, const struct wt_control_request *request)
{
	ssize_t written;

	pthread_mutex_lock(&control->lock);
	control->request = *request;
	if (!request->stays)
		control->wanted = request->destination;
	control->requested = true;
	control->asked++;
	pthread_mutex_unlock(&control->lock);
	do
		written = write(control->notifier, "+", 1);
	while (written < 0 && errno == EINTR);
}

/* Finds the stop to which a step leads from the one that was reached, or that was asked for before; 0: nowhere. */
static uint32_t control_step_find(struct wt_control *control, const struct wt_control_place *place,
				  const struct wt_itinerary_range *range, bool forward)
{
	uint32_t stop = wt_itinerary_at(&control->itinerary, place->position);

	return forward ? wt_itinerary_next(&control->itinerary, range, place->process, stop)
		       : wt_itinerary_previous(&control->itinerary, range, place->process, stop);
}

/* The words behind a request: " at-once [WAVE]"; they are cut off. False if there are others. */
static bool take_mode(char *words, struct wt_control_request *wanted)
{
	static const char mode[] = " at-once";
	char *place = strstr(words, mode), *rest;

	if (!place)
		return true;
	rest = place + strlen(mode);
	wanted->at_once = true;
	if (*rest == ' ' && rest[1] >= '0' && rest[1] <= '9')
		wanted->selected = strtoull(rest + 1, &rest, 10);
	*place = '\0';
	return !*rest;
}

/* The stop that a request names; 0 if that was refused. */
static uint32_t control_stop_find(struct wt_control *control, const struct wt_control_place *place,
				  const struct wt_itinerary_range *range, const char *words,
				  struct answer *answer)
{
	unsigned int stop = 0;
	int length = 0;

	if (!strcmp(words, "next") || !strcmp(words, "previous")) {
		stop = control_step_find(control, place, range, *words == 'n');
		if (!stop)
			control_answer_refuse(
				answer, "there is no stop %s stop %u",
				*words == 'n' ? "after" : "before",
				wt_itinerary_at(&control->itinerary, place->position));
		return stop;
	}
	if (sscanf(words, "goto %9u%n", &stop, &length) != 1 || words[length]) {
		control_answer_refuse(answer,
				      "no such request: info, goto STOP, next, previous, stay");
		return 0;
	}
	if (stop >= range->first && stop <= range->last &&
	    control->itinerary.stops[stop - 1].process == place->process)
		return stop;
	control_answer_refuse(answer, "no stop %u: stops %u to %u can be gone to", stop,
			      range->first, range->last);
	return 0;
}

static void control_move(struct wt_control *control, char *words, struct answer *answer)
{
	struct wt_control_request wanted = {.stays = !strcmp(words, "stay")};
	struct wt_itinerary_range range;
	struct wt_control_place place;
	uint32_t stop;

	pthread_mutex_lock(&control->lock);
	place = control->place;
	pthread_mutex_unlock(&control->lock);
	range = wt_itinerary_range(&control->itinerary, place.start, place.process);
	if (range.first > range.last) {
		control_answer_refuse(answer, "there is no stop in what is replayed");
		return;
	}
	if (!wanted.stays) {
		/* Words that are not understood are no stop's name either. */
		stop = control_stop_find(control, &place, &range,
					 take_mode(words, &wanted) ? words : "", answer);
		if (!stop)
			return;
		wanted.destination = control->itinerary.stops[stop - 1].position;
	}
	leave_request(control, &wanted);
	control_place_report(control, answer);
}

/*
 * Answer a request.
 *
 * @request: a line without its newline.
 * @answer_ret: text of at most WT_CONTROL_ANSWER bytes.
 *
 * Return: its length.
 */
static size_t control_answer(struct wt_control *control, const char *request,
			     char answer_ret[WT_CONTROL_ANSWER])
{
	const size_t hello = strlen(WT_CONTROL_HELLO);
	struct answer answer = {.text = answer_ret};
	char words[WT_CONTROL_REQUEST] = "";

	if (strlen(request) > hello)
		snprintf(words, sizeof(words), "%s", request + hello);
	if (strncmp(request, WT_CONTROL_HELLO, hello))
		control_answer_refuse(&answer, "a request begins with '%s'", WT_CONTROL_HELLO);
	else if (!survey(control, &answer))
		;
	else if (!strcmp(request + hello, "info"))
		control_place_report(control, &answer);
	else
		control_move(control, words, &answer);
	return answer.length;
}

static void hang_up(struct connection *connection)
{
	close(connection->fd);
	connection->fd = -1;
}

/* Whoever comes when all are busy may come again. */
static void connection_accept(struct wt_control *control, struct connection *connections)
{
	int fd = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	for (size_t i = 0; wt_user_socket_is_own(fd) && i < CONNECTIONS; i++) {
		if (connections[i].fd >= 0)
			continue;
		connections[i].fd = fd;
		connections[i].deadline = (int64_t)wt_clock_ms() + PATIENCE;
		connections[i].received = connections[i].length = connections[i].sent = 0;
		return;
	}
	close(fd);
}

static bool may_try_again(ssize_t result)
{
	return result < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Takes what has arrived of the request; with its end it is answered. */
static void connection_receive(struct wt_control *control, struct connection *connection)
{
	size_t room = sizeof(connection->request) - connection->received;
	ssize_t count = read(connection->fd, connection->request + connection->received, room);
	char *end;

	if (may_try_again(count))
		return;
	if (count <= 0) {
		hang_up(connection);
		return;
	}
	connection->received += (size_t)count;
	end = memchr(connection->request, '\n', connection->received);
	if (!end && connection->received < sizeof(connection->request))
		return;
	/* A line that is too long is no request; nor is one with a NUL in it, which ends it early. */
	if (!end)
		end = connection->request + sizeof(connection->request) - 1;
	*end = '\0';
	connection->length = control_answer(control, connection->request, connection->answer);
}

static void reply(struct connection *connection)
{
	ssize_t count = send(connection->fd, connection->answer + connection->sent,
			     connection->length - connection->sent, MSG_NOSIGNAL);

	if (may_try_again(count))
		return;
	if (count > 0)
		connection->sent += (size_t)count;
	if (count <= 0 || connection->sent == connection->length)
		hang_up(connection);
}

static void serve_connection(struct wt_control *control, struct connection *connection, short ready)
{
	if (connection->deadline <= (int64_t)wt_clock_ms() || ready & (POLLERR | POLLNVAL)) {
		hang_up(connection);
		return;
	}
	if (ready & POLLIN && !connection->length)
		connection_receive(control, connection);
	else if (ready & POLLHUP && !connection->length)
		hang_up(connection);
	if (connection->fd >= 0 && connection->length)
		reply(connection);
}

/* How long to wait: until the first deadline; -1: for ever. */
static int patience(const struct connection *connections)
{
	int64_t first = -1, left;

	for (size_t i = 0; i < CONNECTIONS; i++)
		if (connections[i].fd >= 0 && (first < 0 || connections[i].deadline < first))
			first = connections[i].deadline;
	if (first < 0)
		return -1;
	left = first - (int64_t)wt_clock_ms();
	return left > 0 ? (int)left + 1 : 0;
}

/* False when the thread is to end. */
static bool control_serve_once(struct wt_control *control, struct connection *connections)
{
	struct pollfd files[CONNECTIONS + 2];

	files[0] = (struct pollfd){.fd = control->wake, .events = POLLIN};
	files[1] = (struct pollfd){.fd = control->listener, .events = POLLIN};
	for (size_t i = 0; i < CONNECTIONS; i++)
		files[i + 2] = (struct pollfd){.fd = connections[i].fd,
					       .events = connections[i].length ? POLLOUT : POLLIN};
	if (poll(files, CONNECTIONS + 2, patience(connections)) < 0 && errno != EINTR)
		return false;
	if (files[0].revents)
		return false;
	for (size_t i = 0; i < CONNECTIONS; i++)
		if (connections[i].fd >= 0)
			serve_connection(control, &connections[i], files[i + 2].revents);
	if (files[1].revents & POLLIN)
		connection_accept(control, connections);
	return true;
}

/* The function that the thread runs. */
static void *control_serve(void *argument)
{
	struct connection *connections = calloc(CONNECTIONS, sizeof(*connections));
	struct wt_control *control = argument;

	if (!connections)
		return NULL;
	for (size_t i = 0; i < CONNECTIONS; i++)
		connections[i].fd = -1;
	while (control_serve_once(control, connections))
		;
	for (size_t i = 0; i < CONNECTIONS; i++)
		if (connections[i].fd >= 0)
			close(connections[i].fd);
	free(connections);
	return NULL;
}

static struct wt_error *listen_in(struct wt_control *control)
{
	struct sockaddr_storage address;
	socklen_t size;

	address = wt_control_address(control->directory, control->file, &size);
	control->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (control->listener < 0)
		return wt_error_errno(errno, what, control->file);
	/* A process that had our number before and was killed may have left its socket. */
	unlinkat(control->directory, control->file, 0);
	if (bind(control->listener, (struct sockaddr *)&address, size))
		return wt_error_errno(errno, what, control->file);
	control->bound = true;
	if (fchmodat(control->directory, control->file, S_IRUSR | S_IWUSR, 0) ||
	    listen(control->listener, BACKLOG))
		return wt_error_errno(errno, what, control->file);
	return NULL;
}

/* Signals are the client's: none may come to a thread that it does not know of. */
static int control_thread_start(struct wt_control *control)
{
	sigset_t all, before;
	int failure;

	sigfillset(&all);
	failure = pthread_sigmask(SIG_SETMASK, &all, &before);
	if (failure)
		return failure;
	failure = pthread_create(&control->thread, NULL, control_serve, control);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failure;
}

static struct wt_error *control_prepare(struct wt_control *control,
					const struct wt_control_options *options, int notifier)
{
	struct wt_control_name name = {.pid = getpid()};
	struct wt_error *error;
	struct stat trace;

	if (stat(options->trace, &trace))
		return wt_error_errno(errno, what, options->trace);
	control->device = name.device = trace.st_dev;
	control->inode = name.inode = trace.st_ino;
	wt_control_name_print(&name, control->file);
	control->trace = realpath(options->trace, NULL);
	if (!control->trace)
		return wt_error_errno(errno, what, options->trace);
	control->notifier = fcntl(notifier, F_DUPFD_CLOEXEC, 0);
	control->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (control->notifier < 0 || control->wake < 0)
		return wt_error_errno(errno, what, control->file);
	error = wt_control_directory(options->runtime, options->temporary, true,
				     &control->directory);
	return error ? error : listen_in(control);
}

static void control_files_release(struct wt_control *control)
{
	const int files[] = {control->listener, control->notifier, control->wake,
			     control->directory};

	if (control->bound && getpid() == control->owner)
		unlinkat(control->directory, control->file, 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (files[i] >= 0)
			close(files[i]);
	wt_itinerary_deinit(&control->itinerary);
	free(control->trace);
	free(control);
}

struct wt_error *wt_control_open(const struct wt_control_options *options,
				 const struct wt_control_place *place, int notifier,
				 struct wt_control **control_ret)
{
	struct wt_control *control = calloc(1, sizeof(*control));
	struct wt_error *error;
	int failure;

	if (!control)
		return &wt_error_no_memory;
	control->owner = getpid();
	control->listener = control->notifier = control->wake = control->directory = -1;
	control->place = *place;
	pthread_mutex_init(&control->lock, NULL);
	error = control_prepare(control, options, notifier);
	if (error)
		goto out_release;
	failure = control_thread_start(control);
	if (failure) {
		error = wt_error_errno(failure, what, control->file);
		goto out_release;
	}
	*control_ret = control;
	return NULL;

out_release:
	control_files_release(control);
	return error;
}

void wt_control_close(struct wt_control *control)
{
	const uint64_t one = 1;

	if (!control)
		return;
	if (getpid() == control->owner) {
		while (write(control->wake, &one, sizeof(one)) < 0 && errno == EINTR)
			;
		pthread_join(control->thread, NULL);
		pthread_mutex_destroy(&control->lock);
	}
	control_files_release(control);
}

bool wt_control_has_request(const struct wt_control *control)
{
	return atomic_load_explicit(&control->requested, memory_order_relaxed);
}

bool wt_control_take_request(struct wt_control *control, struct wt_control_request *request_ret)
{
	bool requested;

	/* A client asks for events again and again, and there is hardly ever a request. */
	if (!wt_control_has_request(control))
		return false;
	pthread_mutex_lock(&control->lock);
	requested = control->requested;
	control->requested = false;
	if (requested) {
		*request_ret = control->request;
		control->taken = control->asked;
	}
	pthread_mutex_unlock(&control->lock);
	return requested;
}

void wt_control_set_position(struct wt_control *control, uint32_t position)
{
	/* Nobody else changes it. */
	if (control->place.position == position)
		return;
	pthread_mutex_lock(&control->lock);
	control->place.position = position;
	pthread_mutex_unlock(&control->lock);
}

void wt_control_complete(struct wt_control *control, const struct wt_control_result *result)
{
	pthread_mutex_lock(&control->lock);
	control->done = control->taken;
	control->wave = result->wave;
	if (!result->why && result->running)
		control->running = control->taken;
	if (!result->why && result->events)
		control->events = control->taken;
	if (!result->why && result->quiet)
		control->quiet = control->taken;
	if (result->why) {
		control->failed = control->taken;
		snprintf(control->why, sizeof(control->why), "%s", result->why);
	}
	pthread_mutex_unlock(&control->lock);
}
