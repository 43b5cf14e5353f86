/* SPDX-License-Identifier: MIT */
/* Memory of a process, as its calls point to it. */
#include <errno.h>
#include <sys/uio.h>

#include "driver/owner/internal.h"

int wt_owner_copy_in(const struct wt_owner_process *process, void *to, uint64_t from, size_t size)
{
	struct iovec local = {.iov_base = to, .iov_len = size};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)from, .iov_len = size};

	return process_vm_readv(process->pid, &local, 1, &remote, 1, 0) == (ssize_t)size ? 0
											 : -EFAULT;
}

int wt_owner_copy_out(const struct wt_owner_process *process, uint64_t to, const void *from,
		      size_t size)
{
	struct iovec local = {.iov_base = (void *)(uintptr_t)from, .iov_len = size};
	struct iovec remote = {.iov_base = (void *)(uintptr_t)to, .iov_len = size};

	return process_vm_writev(process->pid, &local, 1, &remote, 1, 0) == (ssize_t)size ? 0
											  : -EFAULT;
}
