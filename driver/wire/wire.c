/* SPDX-License-Identifier: MIT */
#include "driver/wire/wire.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define FILES_MAX 4

int wt_wire_send_files(int fd, const void *message, size_t size, const int *files, size_t count)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int) * FILES_MAX)];
	} control = {0};
	struct iovec vector = {.iov_base = (void *)(uintptr_t)message, .iov_len = size};
	struct msghdr header = {.msg_iov = &vector, .msg_iovlen = 1};
	ssize_t done;

	if (count > FILES_MAX)
		return -EINVAL;
	if (count) {
		header.msg_control = control.bytes;
		header.msg_controllen = CMSG_SPACE(sizeof(int) * count);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int) * count);
		memcpy(CMSG_DATA(&control.header), files, sizeof(int) * count);
	}
	do
		done = sendmsg(fd, &header, MSG_NOSIGNAL);
	while (done < 0 && errno == EINTR);
	if (done < 0)
		return -errno;
	return (size_t)done == size ? 0 : -EPROTO;
}

int wt_wire_send(int fd, const void *message, size_t size)
{
	return wt_wire_send_files(fd, message, size, NULL, 0);
}

/* Take the descriptors of a message: none, or as many as there should be; else they are closed. */
static bool take_files(struct msghdr *header, int *files, size_t count)
{
	const struct cmsghdr *control = CMSG_FIRSTHDR(header);
	size_t came = 0;
	int taken[FILES_MAX];

	if (control && control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_RIGHTS) {
		came = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		came = came < FILES_MAX ? came : FILES_MAX;
		memcpy(taken, CMSG_DATA(control), came * sizeof(int));
	}
	if (came == count || !came) {
		for (size_t i = 0; i < count; i++)
			files[i] = came ? taken[i] : -1;
		return true;
	}
	for (size_t i = 0; i < came; i++)
		close(taken[i]);
	return false;
}

int wt_wire_receive_files(int fd, void *message, size_t size, int *files, size_t count)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int) * FILES_MAX)];
	} control = {0};
	struct iovec vector = {.iov_base = message, .iov_len = size};
	struct msghdr header = {.msg_iov = &vector,
				.msg_iovlen = 1,
				.msg_control = control.bytes,
				.msg_controllen = sizeof(control.bytes)};
	ssize_t done;

	if (count > FILES_MAX)
		return -EINVAL;
	do
		done = recvmsg(fd, &header, MSG_CMSG_CLOEXEC);
	while (done < 0 && errno == EINTR);
	if (done < 0)
		return -errno;
	if (!take_files(&header, files, count) && done)
		return -EPROTO;
	if (!done)
		return -EPIPE;
	return (size_t)done == size && !(header.msg_flags & MSG_TRUNC) ? 0 : -EPROTO;
}

int wt_wire_receive(int fd, void *message, size_t size)
{
	return wt_wire_receive_files(fd, message, size, NULL, 0);
}

/* The path must fit into an address: whoever makes the directory sees to that. */
static int wire_connect(const char *directory)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int length = snprintf(address.sun_path, sizeof(address.sun_path), "%s/" WT_WIRE_SOCKET,
			      directory);
	int fd;

	if (length < 0 || (size_t)length >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address))) {
		int error = errno;

		close(fd);
		return -error;
	}
	return fd;
}

int wt_wire_connect(const char *directory, enum wt_wire_kind kind, int files_ret[WT_WIRE_FILES],
		    pid_t *owner_ret)
{
	const struct wt_wire_hello hello = {.magic = WT_WIRE_MAGIC, .kind = kind};
	struct wt_wire_welcome welcome;
	int fd = wire_connect(directory), error;

	if (fd < 0)
		return fd;
	error = wt_wire_send(fd, &hello, sizeof(hello));
	if (!error)
		error = wt_wire_receive_files(fd, &welcome, sizeof(welcome), files_ret,
					      kind == WT_WIRE_ANCHOR ? WT_WIRE_FILES : 0);
	if (!error &&
	    (welcome.magic != WT_WIRE_MAGIC || (kind == WT_WIRE_ANCHOR && files_ret[0] < 0)))
		error = -EPROTO;
	if (error) {
		close(fd);
		return error;
	}
	if (owner_ret)
		*owner_ret = welcome.owner;
	return fd;
}
