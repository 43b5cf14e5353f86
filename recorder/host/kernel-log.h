/* SPDX-License-Identifier: MIT */
#ifndef WT_RECORDER_HOST_KERNEL_LOG_H
#define WT_RECORDER_HOST_KERNEL_LOG_H

#include "recorder/host/gathering.h"

/**
 * Take the lines that the kernel has logged of AMD's GPUs since the program began, the last 64 KiB of them, and the names of dumps that it
 * keeps of such GPUs. What may not be read is named as missing. The host's time must be set: lines have theirs in relation to it.
 *
 * @root: stands before all paths: "" but for tests.
 */
void wt_gather_kernel_log(struct wt_gathering *gathering, const char *root);

#endif /* WT_RECORDER_HOST_KERNEL_LOG_H */
