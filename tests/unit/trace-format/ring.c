/* SPDX-License-Identifier: MIT */
#include "ring.h"

#include <linux/magic.h>
#include <stdio.h>
#include <sys/vfs.h>
#include <unistd.h>

char ring_source[128], ring_beside[160];

void ring_name_files(void)
{
	snprintf(ring_source, sizeof(ring_source), "%s", sample_path("ring.wtape"));
	snprintf(ring_beside, sizeof(ring_beside), "%s.ring", ring_source);
	unlink(ring_source);
	unlink(ring_beside);
}

struct sample ring_sample(void)
{
	return (struct sample){.seed = 81,
			       .moments = RING_SAMPLE_STOPS,
			       .register_bytes = 3000,
			       .one_stop_each = true,
			       .no_blocks_of_noise = true};
}

int __real_fstatfs64(int fd, struct statfs *status);
int __wrap_fstatfs64(int fd, struct statfs *status);
int __wrap_fstatfs64(int fd, struct statfs *status)
{
	int result = __real_fstatfs64(fd, status);

	status->f_type = TMPFS_MAGIC;
	return result;
}
