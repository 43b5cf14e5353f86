/* SPDX-License-Identifier: MIT */
/* fstat() for C libraries before 2.33: see stat.c. It is apart, for a library that has the others itself. */
#include <sys/stat.h>

#define LAYOUT 1 /* _STAT_VER_LINUX of x86-64 */

__asm__(".symver libc_fstat, __fxstat64@GLIBC_2.2.5");
int libc_fstat(int layout, int file, struct stat *status_ret);

/* The linker brings calls here (--wrap). */
int __wrap_fstat(int file, struct stat *status_ret);

int __wrap_fstat(int file, struct stat *status_ret)
{
	return libc_fstat(LAYOUT, file, status_ret);
}

__attribute__((alias("__wrap_fstat"))) __typeof__(__wrap_fstat) __wrap_fstat64;
