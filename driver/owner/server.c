/* SPDX-License-Identifier: MIT */
/* The owner's life: it is made, listens, answers one call after the other, and ends. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "driver/owner/internal.h"

#define CANNOT_MAKE "cannot make the device"
#define FIRST_GPU_ID 0x9000u
#define CONNECTIONS_MAX 4096u

#define SLICE_INSTRUCTIONS UINT64_C(100000)
/* Nanoseconds: naps between two looks at the queues, and for how long after the last work which of them is taken. */
#define BUSY_NAP UINT64_C(200000)
#define NAP_SHORT UINT64_C(100000)
#define AWAKE UINT64_C(100000000)
#define NAP_MAX UINT64_C(1000000)

static bool has_driver(const struct gfx_architecture *architecture)
{
	return architecture && architecture->product && architecture->product->firmware;
}

/* The error names those that there are. */
static struct wt_error *architecture_refuse(const char *name)
{
	char known[512];

	gfx_list_architectures(has_driver, known, sizeof(known));
	return wt_error_create(
		WT_ERROR_USAGE, CANNOT_MAKE, name,
		"no such architecture is simulated with a kernel driver: these are: %s", known);
}

static struct wt_error *architecture_choose(const char *name,
					    const struct gfx_architecture **architecture_ret)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name(name);

	if (!has_driver(architecture))
		return architecture_refuse(name);
	*architecture_ret = architecture;
	return NULL;
}

/* The architectures of a list, in turn. @count_ret: how many it has, of which no more than there may be agents are taken. */
static struct wt_error *
architectures_choose(const char *list, const struct gfx_architecture *chosen[WT_OWNER_AGENTS_MAX],
		     uint32_t *count_ret)
{
	wt_cleanup_free char *names = strdup(list);
	struct wt_error *error = names ? NULL : &wt_error_no_memory;
	char *rest = names;
	uint32_t count = 0;

	while (!error && rest) {
		const struct gfx_architecture *architecture;

		error = architecture_choose(strsep(&rest, ","), &architecture);
		if (!error && count < WT_OWNER_AGENTS_MAX)
			chosen[count] = architecture;
		count++;
	}
	*count_ret = count;
	return error;
}

/* @units_ret: of an agent, as asked for, or as few as its product may have. */
static struct wt_error *units_choose(const struct gfx_architecture *architecture, uint32_t asked,
				     uint32_t *units_ret)
{
	uint32_t step = architecture->product->units_step;

	*units_ret = asked ? asked : step;
	if (*units_ret % step || *units_ret > WT_OWNER_UNITS_MAX)
		return wt_error_create(
			WT_ERROR_USAGE, CANNOT_MAKE, NULL,
			"%u compute units: of %s, multiples of %u to %u are possible", *units_ret,
			architecture->name, step, WT_OWNER_UNITS_MAX);
	return NULL;
}

static struct wt_error *owner_choose(struct wt_owner *owner, const struct wt_owner_options *options)
{
	const struct gfx_architecture *chosen[WT_OWNER_AGENTS_MAX];
	uint32_t count, agents;
	struct wt_error *error = architectures_choose(options->architecture, chosen, &count);

	if (error)
		return error;
	agents = options->agents == WT_OWNER_AGENTS_AS_NAMED ? count : options->agents;
	if (!agents || agents > WT_OWNER_AGENTS_MAX || agents < count)
		return wt_error_create(WT_ERROR_USAGE, CANNOT_MAKE, NULL,
				       "%u agents: it may have %u to %u", agents,
				       agents < count ? count : 1, WT_OWNER_AGENTS_MAX);
	owner->agent_count = agents;
	owner->seed = options->seed;
	owner->local = options->local;
	for (uint32_t i = 0; !error && i < agents; i++) {
		owner->agents[i] = (struct wt_owner_agent){
			.architecture = chosen[i % count],
			.gpu_id = FIRST_GPU_ID + i,
			.node = 1 + i,
			.minor = WT_WIRE_FIRST_MINOR + i,
		};
		error = units_choose(chosen[i % count], options->compute_units,
				     &owner->agents[i].units);
	}
	return error;
}

static struct wt_error *listen_at(struct wt_owner *owner)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int length = snprintf(address.sun_path, sizeof(address.sun_path), "%s/" WT_WIRE_SOCKET,
			      owner->directory);

	if (length < 0 || (size_t)length >= sizeof(address.sun_path))
		return wt_error_create(WT_ERROR_USAGE, CANNOT_MAKE, owner->directory,
				       "the name is too long for a socket");
	owner->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (owner->listener < 0 ||
	    bind(owner->listener, (const struct sockaddr *)&address, sizeof(address)) ||
	    chmod(address.sun_path, 0600) || listen(owner->listener, 128))
		return wt_error_errno(errno, CANNOT_MAKE, address.sun_path);
	return NULL;
}

static struct wt_error *make_files(struct wt_owner *owner)
{
	struct wt_error *error = wt_store_init(&owner->store, WT_WIRE_MEMORY_NAME);
	int fd;

	if (error)
		return error;
	fd = owner->files[WT_WIRE_KFD] = memfd_create(WT_WIRE_KFD_NAME, MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, (off_t)WT_KFD_FILE_BYTES))
		return wt_error_errno(errno, CANNOT_MAKE, NULL);
	owner->files[WT_WIRE_RENDER] = owner->store.fd;
	owner->doorbells = mmap(NULL, WT_DOORBELL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
				(off_t)WT_DOORBELL_OFFSET);
	if (owner->doorbells == MAP_FAILED) {
		owner->doorbells = NULL;
		return wt_error_errno(errno, CANNOT_MAKE, NULL);
	}
	return NULL;
}

static struct wt_error *owner_watch(const struct wt_owner *owner, int fd, void *what)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};

	if (epoll_ctl(owner->poll, EPOLL_CTL_ADD, fd, &event))
		return wt_error_errno(errno, CANNOT_MAKE, NULL);
	return NULL;
}

static struct wt_error *owner_make(struct wt_owner *owner, const struct wt_owner_options *options)
{
	struct wt_error *error = owner_choose(owner, options);

	if (error)
		return error;
	owner->directory = strdup(options->directory);
	if (!owner->directory)
		return &wt_error_no_memory;
	owner->complain = options->complain;
	if (options->log) {
		owner->log = fopen(options->log, "we");
		if (!owner->log)
			return wt_error_errno(errno, "cannot write the device's log", options->log);
	}
	owner->poll = epoll_create1(EPOLL_CLOEXEC);
	if (owner->poll < 0)
		return wt_error_errno(errno, CANNOT_MAKE, NULL);
	error = make_files(owner);
	if (!error)
		error = listen_at(owner);
	if (!error)
		error = owner_watch(owner, owner->listener, &owner->listener);
	return error ? error : wt_tree_create(owner);
}

struct wt_error *wt_owner_create(const struct wt_owner_options *options,
				 struct wt_owner **owner_ret)
{
	struct wt_owner *owner = calloc(1, sizeof(*owner));
	struct wt_error *error;

	if (!owner)
		return &wt_error_no_memory;
	owner->listener = owner->poll = owner->signals = owner->store.fd = -1;
	owner->files[WT_WIRE_KFD] = -1;
	error = owner_make(owner, options);
	if (error) {
		wt_owner_destroy(owner);
		return error;
	}
	*owner_ret = owner;
	return NULL;
}

static void owner_close_connection(struct wt_owner *owner, struct wt_connection *connection)
{
	struct wt_connection **link = &owner->connections;
	struct wt_owner_process *process = connection->process;

	while (*link != connection)
		link = &(*link)->next;
	*link = connection->next;
	if (process && process->listener == connection)
		process->listener = NULL;
	close(connection->fd);
	free(connection->wait.ids);
	free(connection);
	if (process && !--process->connections)
		wt_owner_process_destroy(process);
}

/* When a process's anchor goes, all else it has is of no use. */
static void close_all_of(struct wt_owner *owner, const struct wt_owner_process *process)
{
	struct wt_connection *next;

	for (struct wt_connection *c = owner->connections; c; c = next) {
		next = c->next;
		if (c->process == process)
			c->closed = true;
	}
}

static void owner_sweep(struct wt_owner *owner)
{
	struct wt_connection *next;

	for (struct wt_connection *c = owner->connections; c; c = c->next)
		if (c->closed && c->anchor)
			close_all_of(owner, c->process);
	for (struct wt_connection *c = owner->connections; c; c = next) {
		next = c->next;
		if (c->closed)
			owner_close_connection(owner, c);
	}
}

static void owner_accept(struct wt_owner *owner)
{
	int fd = accept4(owner->listener, NULL, NULL, SOCK_CLOEXEC);
	struct wt_connection *connection;
	struct wt_error *error;
	uint32_t count = 0;

	if (fd < 0)
		return;
	for (const struct wt_connection *c = owner->connections; c; c = c->next)
		count++;
	connection = count < CONNECTIONS_MAX ? calloc(1, sizeof(*connection)) : NULL;
	error = connection ? owner_watch(owner, fd, connection) : &wt_error_no_memory;
	if (error) {
		wt_error_destroy(error);
		free(connection);
		close(fd);
		return;
	}
	connection->fd = fd;
	connection->next = owner->connections;
	owner->connections = connection;
}

/* Whoever is at the other end: the kernel knows. Only the user's own processes get anything. */
static int greet(struct wt_owner *owner, struct wt_connection *connection)
{
	const struct wt_wire_welcome welcome = {.magic = WT_WIRE_MAGIC, .owner = getpid()};
	struct wt_owner_process *process;
	struct wt_wire_hello hello;
	struct ucred peer;
	socklen_t size = sizeof(peer);
	int error = wt_wire_receive(connection->fd, &hello, sizeof(hello));

	if (error)
		return error;
	if (getsockopt(connection->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
	    (peer.uid != geteuid() && peer.uid != 0))
		return -EPERM;
	if (hello.magic != WT_WIRE_MAGIC ||
	    (hello.kind != WT_WIRE_ANCHOR && hello.kind != WT_WIRE_THREAD))
		return -EPROTO;
	process = wt_owner_process_find(owner, peer.pid);
	connection->anchor = hello.kind == WT_WIRE_ANCHOR;
	if (connection->anchor == (process && process->anchored))
		return -EBUSY;
	if (!process)
		process = wt_owner_process_create(owner, peer.pid);
	if (!process)
		return -ENOMEM;
	connection->process = process;
	process->anchored = true;
	process->connections++;
	return wt_wire_send_files(connection->fd, &welcome, sizeof(welcome), owner->files,
				  connection->anchor ? WT_WIRE_FILES : 0);
}

static int serve_call(struct wt_connection *connection)
{
	struct wt_wire_answer *answer = &connection->answer;
	struct wt_wire_call call;
	size_t size;
	int result = wt_wire_receive(connection->fd, &call, sizeof(call));

	if (result)
		return result;
	if (connection->anchor || connection->waiting || call.file >= WT_WIRE_FILES)
		return -EPROTO;
	memset(answer, 0, sizeof(*answer));
	connection->file = -1;
	size = _IOC_SIZE(call.request);
	memcpy(answer->argument, call.argument,
	       size < sizeof(answer->argument) ? size : sizeof(answer->argument));
	result = call.file == WT_WIRE_KFD
			 ? wt_owner_kfd(connection, call.request, answer->argument)
			 : wt_owner_render(connection, call.minor, call.request, answer->argument);
	connection->waiting = result == WT_CALL_WAITS;
	if (connection->waiting)
		return 0;
	answer->result = result;
	return wt_wire_send_files(connection->fd, answer, sizeof(*answer), &connection->file,
				  connection->file >= 0);
}

/* Calls that wait for a debugger. Not while an engine runs: some of them destroy queues. */
static void answer_debugged(struct wt_owner *owner)
{
	for (struct wt_connection *c = owner->connections; c; c = c->next) {
		int result = c->waiting && c->wait.kind != WT_WAIT_EVENTS ? wt_owner_try_again(c)
									  : WT_CALL_WAITS;

		if (result != WT_CALL_WAITS)
			wt_owner_answer(c, result);
	}
}

static void owner_serve(struct wt_owner *owner, struct wt_connection *connection)
{
	if (connection->closed)
		return;
	if (connection->process ? serve_call(connection) : greet(owner, connection))
		connection->closed = true;
}

static struct wt_error *take_signals(struct wt_owner *owner)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	/* The notifier of a debugger may be a pipe that nobody reads any more. */
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	owner->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (owner->signals < 0)
		return wt_error_errno(errno, CANNOT_MAKE, NULL);
	return owner_watch(owner, owner->signals, &owner->signals);
}

/* Let the engines of all processes go on for a while. Return: whether any queue may have something to do. */
static bool run_engines(struct wt_owner *owner)
{
	bool queues = false;

	for (struct wt_owner_process *p = owner->processes; p; p = p->next) {
		if (!wt_engine_queue_count(p->engine)) {
			wt_event_wake_idle(p);
			continue;
		}
		queues = true;
		if (wt_engine_run(p->engine, SLICE_INSTRUCTIONS))
			owner->busy = wt_owner_clock(CLOCK_MONOTONIC);
		else
			wt_event_wake_idle(p);
		wt_event_collect(p);
	}
	return queues;
}

/*
 * How long to sleep. Nobody tells when a packet is written: queues are looked at, often while there is work, and less
 * often when there was none for a while.
 */
static struct timespec nap(const struct wt_owner *owner, bool queues, bool *forever_ret)
{
	int patience = wt_event_patience(owner);
	uint64_t idle = wt_owner_clock(CLOCK_MONOTONIC) - owner->busy, left = UINT64_MAX;

	if (patience >= 0)
		left = (uint64_t)patience * 1000000;
	if (queues && left > NAP_MAX)
		left = idle < BUSY_NAP ? 0 : idle < AWAKE ? NAP_SHORT : NAP_MAX;
	*forever_ret = left == UINT64_MAX;
	return (struct timespec){.tv_sec = (time_t)(left / 1000000000),
				 .tv_nsec = (long)(left % 1000000000)};
}

static void tell_missing(const struct wt_owner *owner)
{
	for (size_t i = 0; i < owner->missing_count; i++)
		wt_owner_complain(owner, "not implemented: %s", owner->missing[i]);
	if (owner->missing_more)
		wt_owner_complain(owner, "not implemented: %zu times something else",
				  owner->missing_more);
}

struct wt_error *wt_owner_run(struct wt_owner *owner)
{
	struct wt_error *error = take_signals(owner);
	struct epoll_event events[64];

	while (!error) {
		bool forever, queues = run_engines(owner);
		struct timespec time = nap(owner, queues, &forever);
		struct pollfd ready = {.fd = owner->poll, .events = POLLIN};
		/* Shorter than a millisecond, which epoll_wait() cannot be asked for. */
		int count = ppoll(&ready, 1, forever ? NULL : &time, NULL);

		if (count > 0)
			count = epoll_wait(owner->poll, events, 64, 0);

		if (count < 0 && errno != EINTR)
			return wt_error_errno(errno, "the device cannot go on", NULL);
		for (int i = 0; i < count; i++) {
			if (events[i].data.ptr == &owner->signals) {
				tell_missing(owner);
				return NULL;
			}
			if (events[i].data.ptr == &owner->listener)
				owner_accept(owner);
			else
				owner_serve(owner, events[i].data.ptr);
		}
		wt_event_answer(owner);
		wt_event_release(owner);
		answer_debugged(owner);
		owner_sweep(owner);
	}
	return error;
}

void wt_owner_release(struct wt_owner *owner)
{
	while (owner->connections)
		owner_close_connection(owner, owner->connections);
	if (owner->doorbells)
		munmap(owner->doorbells, WT_DOORBELL_BYTES);
	if (owner->files[WT_WIRE_KFD] >= 0)
		close(owner->files[WT_WIRE_KFD]);
	wt_store_deinit(&owner->store);
	if (owner->listener >= 0)
		close(owner->listener);
	if (owner->signals >= 0)
		close(owner->signals);
	if (owner->poll >= 0)
		close(owner->poll);
	if (owner->log)
		fclose(owner->log);
	for (size_t i = 0; i < owner->missing_count; i++)
		free(owner->missing[i]);
	free(owner->directory);
	free(owner);
}

void wt_owner_destroy(struct wt_owner *owner)
{
	char path[sizeof(((struct sockaddr_un *)NULL)->sun_path)];

	if (!owner)
		return;
	if (owner->listener >= 0) {
		snprintf(path, sizeof(path), "%s/" WT_WIRE_SOCKET, owner->directory);
		unlink(path);
	}
	if (owner->directory)
		wt_tree_destroy(owner);
	wt_owner_release(owner);
}
