/* SPDX-License-Identifier: MIT */
/* The client's side of the control socket: starting and ending the thread, and what both threads share. */
#include "replayer/control/control.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "replayer/control/internal.h"

#define BACKLOG 16

static const char what[] = "cannot let others control the replay";

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
	failure = pthread_create(&control->thread, NULL, wt_control_serve, control);
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
