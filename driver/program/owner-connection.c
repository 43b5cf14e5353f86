/* SPDX-License-Identifier: MIT */
/* Connections to the owner of the device: an anchor for the process, one for each thread that makes calls. */
#include "driver/program/next.h"
#include "driver/program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The process's part of the session. A child after fork() has nothing: the kernel refuses it the parent's files, too.
 */
static struct {
	pthread_mutex_t lock;
	_Atomic pid_t process; /* whose the rest is; 0: nobody's yet */
	int anchor;
	int files[WT_WIRE_FILES];
	dev_t device[WT_WIRE_FILES];
	ino_t inode[WT_WIRE_FILES];
	bool handlers; /* the key and the fork handler are there */
	pthread_key_t connection;
} session = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *session_directory(void)
{
	const char *value = getenv(WT_WIRE_VARIABLE);

	return value && *value ? value : NULL;
}

static void session_close_connection(void *value)
{
	close((int)(intptr_t)value - 1);
}

/* The child has one thread, and the lock may have been held by another. What it holds of the parent's it closes. */
static void after_fork(void)
{
	pthread_mutex_init(&session.lock, NULL);
	if (!session.process)
		return;
	close(session.anchor);
	for (size_t i = 0; i < WT_WIRE_FILES; i++)
		close(session.files[i]);
	session.process = 0;
	if (pthread_getspecific(session.connection))
		session_close_connection(pthread_getspecific(session.connection));
	pthread_setspecific(session.connection, NULL);
}

static int add_handlers(void)
{
	int error;

	if (session.handlers)
		return 0;
	error = pthread_key_create(&session.connection, session_close_connection);
	if (!error)
		error = pthread_atfork(NULL, NULL, after_fork);
	session.handlers = !error;
	return -error;
}

/* Connect the process. The owner reads and writes what calls point to, which Yama asks us to allow. */
static int session_join(void)
{
	const char *where = session_directory();
	struct stat status;
	pid_t owner;
	int error;

	if (!where)
		return -ENOENT;
	error = add_handlers();
	if (error)
		return error;
	session.anchor = wt_wire_connect(where, WT_WIRE_ANCHOR, session.files, &owner);
	if (session.anchor < 0)
		return session.anchor == -ECONNREFUSED || session.anchor == -EPIPE ? -ENODEV
										   : session.anchor;
	for (size_t i = 0; i < WT_WIRE_FILES; i++) {
		fstat(session.files[i], &status);
		session.device[i] = status.st_dev;
		session.inode[i] = status.st_ino;
	}
	prctl(PR_SET_PTRACER, (unsigned long)owner, 0, 0, 0);
	session.process = getpid();
	return 0;
}

static int joined(void)
{
	int error = 0;

	pthread_mutex_lock(&session.lock);
	if (!session.process)
		error = session_join();
	pthread_mutex_unlock(&session.lock);
	return error;
}

/*
 * All render nodes are one file. The position of an opened one, which nobody reads or writes by, is the node's number: so it is known
 * behind dup(), too.
 */
static int session_open_render(const char *path, int flags)
{
	char again[64];
	int fd;

	snprintf(again, sizeof(again), "/proc/self/fd/%d", session.files[WT_WIRE_RENDER]);
	fd = NEXT(open)(again, O_RDWR | (flags & O_CLOEXEC));
	if (fd >= 0)
		lseek(fd, (off_t)strtoul(strpbrk(path, "0123456789"), NULL, 10), SEEK_SET);
	return fd;
}

int wt_program_open(enum wt_wire_file file, const char *path, int flags)
{
	int error = joined();

	if (error) {
		errno = -error;
		return -1;
	}
	if (file == WT_WIRE_RENDER && strpbrk(path, "0123456789"))
		return session_open_render(path, flags);
	return fcntl(session.files[file], flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
}

bool wt_program_has_device(void)
{
	return session.process == getpid();
}

enum wt_wire_file wt_program_file_at(int fd)
{
	struct stat status;

	if (!session.process || fstat(fd, &status))
		return WT_WIRE_FILES;
	for (size_t i = 0; i < WT_WIRE_FILES; i++)
		if (status.st_ino == session.inode[i] && status.st_dev == session.device[i])
			return (enum wt_wire_file)i;
	return WT_WIRE_FILES;
}

/* The thread's connection: kept as the descriptor and 1, since NULL is none. */
static int connection(void)
{
	intptr_t kept = (intptr_t)pthread_getspecific(session.connection);
	const char *where = session_directory();
	int fd;

	if (kept)
		return (int)kept - 1;
	fd = where ? wt_wire_connect(where, WT_WIRE_THREAD, NULL, NULL) : -ENODEV;
	if (fd < 0)
		return fd;
	if (pthread_setspecific(session.connection, (void *)(intptr_t)(fd + 1))) {
		close(fd);
		return -ENOMEM;
	}
	return fd;
}

/* Put the number of a descriptor where the owner says that it belongs. */
static void answer_place_file(struct wt_wire_answer *answer, int file)
{
	if (file < 0)
		return;
	if (answer->file_at && answer->file_at <= sizeof(answer->argument) - sizeof(file))
		memcpy(answer->argument + answer->file_at, &file, sizeof(file));
	else
		close(file);
}

int wt_program_call(enum wt_wire_file file, int opened, unsigned long request, void *argument)
{
	struct wt_wire_call call = {.file = file, .request = (uint32_t)request};
	struct wt_wire_answer answer;
	size_t size = _IOC_SIZE(request);
	int error = 0, fd, came;

	if (size > sizeof(call.argument))
		error = -EINVAL;
	if (!error && size && !argument)
		error = -EFAULT;
	fd = error ? error : connection();
	if (fd < 0)
		error = fd;
	if (!error && file == WT_WIRE_RENDER)
		call.minor = (uint32_t)lseek(opened, 0, SEEK_CUR);
	if (!error && _IOC_DIR(request) & _IOC_WRITE)
		memcpy(call.argument, argument, size);
	if (!error)
		error = wt_wire_send(fd, &call, sizeof(call));
	if (!error)
		error = wt_wire_receive_files(fd, &answer, sizeof(answer), &came, 1);
	if (!error)
		answer_place_file(&answer, came);
	/* The owner is gone: the device has been taken out of the machine. */
	if (error == -EPIPE || error == -ECONNRESET || error == -ECONNREFUSED || error == -ENOENT)
		error = -ENODEV;
	if (!error && _IOC_DIR(request) & _IOC_READ)
		memcpy(argument, answer.argument, size);
	if (!error && answer.result >= 0)
		return answer.result;
	errno = error ? -error : -answer.result;
	return -1;
}
