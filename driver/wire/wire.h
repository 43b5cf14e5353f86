/* SPDX-License-Identifier: MIT */
/*
 * What is said between a program that uses the simulated GPU and the process that owns it: one message for a system call
 * on a driver's file, one for its answer, over a sequenced-packet socket in the session's directory.
 *
 * The room knows how messages look, and must not know what a call means.
 *
 * A process first connects its anchor: it is the process's hold on the driver, and when it closes, all that the process had is
 * given back, as the kernel does when a file of the driver is released. The anchor is answered with the descriptors of the
 * two memory files that stand for /dev/kfd and the render node. Then each thread that makes calls has a connection of its
 * own, since a call may wait. Structures that a call points to are read and written by the owner in the memory of the
 * caller, as a kernel would.
 */
#ifndef WT_DRIVER_WIRE_WIRE_H
#define WT_DRIVER_WIRE_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The directory of the session: its socket, and below "root" the files that stand for those of the system. */
#define WT_WIRE_VARIABLE "WAVETAPE_DEVICE"
#define WT_WIRE_SOCKET "socket"
#define WT_WIRE_ROOT "root"

#define WT_WIRE_MAGIC UINT32_C(0x30445457) /* "WTD0" */
#define WT_WIRE_ARGUMENT_MAX 128 /* bytes of the longest argument of a call that is served */

/* Which of the driver's files a call is made on. */
enum wt_wire_file {
	WT_WIRE_KFD,
	WT_WIRE_RENDER,
	WT_WIRE_FILES,
};

enum wt_wire_kind {
	WT_WIRE_ANCHOR = 1,
	WT_WIRE_THREAD,
};

/* The first message of a connection. Who it is from the owner asks the kernel. */
struct wt_wire_hello {
	uint32_t magic, kind;
};

/* The answer to it; that of an anchor brings the descriptors of the files, in the order of enum wt_wire_file. */
struct wt_wire_welcome {
	uint32_t magic;
	int32_t owner; /* process id */
};

struct wt_wire_call {
	uint32_t file;	  /* enum wt_wire_file */
	uint32_t request; /* the number that ioctl() was given */
	uint8_t argument[WT_WIRE_ARGUMENT_MAX];
};

struct wt_wire_answer {
	int32_t result; /* what the call returns, or a negative errno */
	uint32_t reserved;
	uint8_t argument[WT_WIRE_ARGUMENT_MAX];
};

/** Send one message. Return: 0, or a negative errno. No signal is raised. */
int wt_wire_send(int fd, const void *message, size_t size);

/**
 * Receive one message of exactly @size bytes; it waits, whatever signals come.
 *
 * Return: 0; -EPIPE where the other side has gone; -EPROTO for a message of another size; a negative errno.
 */
int wt_wire_receive(int fd, void *message, size_t size);

/** As above, with descriptors. On receipt they are close-on-exec, and -EPROTO closes those that came. */
int wt_wire_send_files(int fd, const void *message, size_t size, const int *files, size_t count);
int wt_wire_receive_files(int fd, void *message, size_t size, int *files, size_t count);

/**
 * Connect to the owner of a session and greet it.
 *
 * @files_ret: for an anchor, the descriptors of the two files, the caller's; else NULL.
 * @owner_ret: the owner's process id; may be NULL.
 *
 * Return: the connection, or a negative errno.
 */
int wt_wire_connect(const char *directory, enum wt_wire_kind kind, int files_ret[WT_WIRE_FILES],
		    pid_t *owner_ret);

#endif /* WT_DRIVER_WIRE_WIRE_H */
