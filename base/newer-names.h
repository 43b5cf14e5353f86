/* SPDX-License-Identifier: MIT */
/* Names that headers of Debian 11 do not have yet. Their numbers are the kernel's and the ELF format's, and the same everywhere. */
#ifndef WT_BASE_NEWER_NAMES_H
#define WT_BASE_NEWER_NAMES_H

#include <elf.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* elf.h of glibc 2.36. */
#ifndef DT_RELR
#define DT_RELR 36
#endif

/* Linux 5.14. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Linux 5.6; calls have had the same number on all machines since 5.1. */
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

#endif /* WT_BASE_NEWER_NAMES_H */
