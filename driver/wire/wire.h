/* SPDX-License-Identifier: MIT */
/*
 * The protocol between a program that uses the simulated GPU and the process that owns it: one message for an ioctl on a
 * driver's file and one for its answer, over a sequenced-packet socket in the session's directory.
 *
 * The room knows the layout of messages. It must not know what a call means.
 *
 * A process first connects its anchor. When the anchor closes, the owner releases everything that the process had, as the
 * kernel does when the last descriptor of a driver's file is closed. The answer to an anchor has the descriptors of the two
 * memory files that stand for /dev/kfd and the render node. Then each thread that makes calls has its own connection, since a
 * call may wait. The owner reads and writes structures that a call points to in the memory of the caller, as a kernel would.
 */
#ifndef WT_DRIVER_WIRE_WIRE_H
#define WT_DRIVER_WIRE_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The directory of the session, with the socket; in "root" are the files that replace those of the system. */
#define WT_WIRE_VARIABLE "WAVETAPE_DEVICE"
#define WT_WIRE_SOCKET "socket"
#define WT_WIRE_ROOT "root"

/* Names of the two memory files, by which they are known in a process's list of mappings, and the number of the first render node. */
#define WT_WIRE_KFD_NAME "wavetape-kfd"
#define WT_WIRE_MEMORY_NAME "wavetape-memory"
#define WT_WIRE_FIRST_MINOR 128

#define WT_WIRE_MAGIC UINT32_C(0x30445457) /* "WTD0" */
#define WT_WIRE_ARGUMENT_MAX 128 /* bytes of the longest argument of a call that is served */

/* The driver's files. */
enum wt_wire_file {
	WT_WIRE_KFD,
	WT_WIRE_RENDER,
	WT_WIRE_FILES,
};

enum wt_wire_kind {
	WT_WIRE_ANCHOR = 1,
	WT_WIRE_THREAD,
};

/* The first message of a connection. The owner asks the kernel which process has sent it. */
struct wt_wire_hello {
	uint32_t magic, kind;
};

/* The answer. That to an anchor has the descriptors of the files, in the order of enum wt_wire_file. */
struct wt_wire_welcome {
	uint32_t magic;
	int32_t owner; /* process id */
};

struct wt_wire_call {
	uint32_t file;	  /* enum wt_wire_file */
	uint32_t minor;	  /* of the render node that was opened */
	uint32_t request; /* of ioctl() */
	uint32_t reserved;
	uint8_t argument[WT_WIRE_ARGUMENT_MAX];
};

struct wt_wire_answer {
	int32_t result; /* of the call, or a negative errno */
	uint32_t
		file_at; /* a descriptor comes along, whose number belongs at this byte of the argument; 0: none does */
	uint8_t argument[WT_WIRE_ARGUMENT_MAX];
};

/** Send one message. Return: 0, or a negative errno. No signal is raised. */
int wt_wire_send(int fd, const void *message, size_t size);

/**
 * Wait for one message of exactly @size bytes. Signals do not interrupt it.
 *
 * Return: 0; -EPIPE if the other side has closed; -EPROTO for a message of another size; another negative errno.
 */
int wt_wire_receive(int fd, void *message, size_t size);

/**
 * Send and receive with descriptors. So many come, or none: then each is -1. Received ones are close-on-exec. On -EPROTO they have been
 * closed.
 */
int wt_wire_send_files(int fd, const void *message, size_t size, const int *files, size_t count);
int wt_wire_receive_files(int fd, void *message, size_t size, int *files, size_t count);

/**
 * Connect to the owner of a session and send the first message.
 *
 * @files_ret: for an anchor, the descriptors of the two files, which the caller closes; else NULL.
 * @owner_ret: the owner's process id; may be NULL.
 *
 * Return: the connection, or a negative errno.
 */
int wt_wire_connect(const char *directory, enum wt_wire_kind kind, int files_ret[WT_WIRE_FILES],
		    pid_t *owner_ret);

#endif /* WT_DRIVER_WIRE_WIRE_H */
