/* SPDX-License-Identifier: MIT */
#include "replayer/control/name.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"

static const char what[] = "cannot use the directory of control sockets";

void wt_control_name_print(const struct wt_control_name *name, char text[WT_CONTROL_NAME_MAX])
{
	snprintf(text, WT_CONTROL_NAME_MAX, "%d-%" PRIx64 "-%" PRIx64 ".sock", (int)name->pid,
		 name->device, name->inode);
}

bool wt_control_name_parse(const char *text, struct wt_control_name *name_ret)
{
	char again[WT_CONTROL_NAME_MAX];
	struct wt_control_name name;
	int pid;

	if (sscanf(text, "%d-%" SCNx64 "-%" SCNx64, &pid, &name.device, &name.inode) != 3 ||
	    pid <= 0)
		return false;
	name.pid = pid;
	/* There is one way to write it. */
	wt_control_name_print(&name, again);
	if (strcmp(again, text))
		return false;
	*name_ret = name;
	return true;
}

static struct wt_error *directory_path(const char *runtime, const char *temporary, char **path_ret)
{
	int length;

	if (runtime && *runtime)
		length = asprintf(path_ret, "%s/wavetape", runtime);
	else
		length = asprintf(path_ret, "%s/wavetape-%u",
				  temporary && *temporary ? temporary : "/tmp",
				  (unsigned int)geteuid());
	if (length >= 0)
		return NULL;
	*path_ret = NULL;
	return &wt_error_no_memory;
}

struct wt_error *wt_control_directory(const char *runtime, const char *temporary, bool create,
				      int *fd_ret)
{
	wt_cleanup_free char *path = NULL;
	wt_cleanup_close int fd = -1;
	struct wt_error *error = directory_path(runtime, temporary, &path);
	struct stat stat;

	if (error)
		return error;
	if (create && mkdir(path, S_IRWXU) && errno != EEXIST)
		return wt_error_errno(errno, what, path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return wt_error_create(WT_ERROR_NOT_FOUND, what, path, "it is not there");
	if (fd < 0 || fstat(fd, &stat))
		return wt_error_errno(errno, what, path);
	if (stat.st_uid != geteuid() || stat.st_mode & (S_IRWXG | S_IRWXO))
		return wt_error_create(WT_ERROR_IO, what, path,
				       "it is not the user's alone: mode %03o, owner %u; remove it",
				       (unsigned int)stat.st_mode & 0777,
				       (unsigned int)stat.st_uid);
	*fd_ret = fd;
	fd = -1;
	return NULL;
}

struct sockaddr_storage wt_control_address(int directory, const char *name, socklen_t *size_ret)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct sockaddr_storage storage = {0};

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%.*s", directory,
		 (int)WT_CONTROL_NAME_MAX, name);
	memcpy(&storage, &address, sizeof(address));
	*size_ret = sizeof(address);
	return storage;
}
