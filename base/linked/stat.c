/* SPDX-License-Identifier: MIT */
/*
 * stat() and the like for C libraries before 2.33, which have them under names and with a number that says which structure is meant. On
 * x86-64 there is one structure, with and without large files.
 */
#include <sys/stat.h>

#define LAYOUT 1 /* _STAT_VER_LINUX of x86-64 */

__asm__(".symver libc_stat, __xstat64@GLIBC_2.2.5");
__asm__(".symver libc_lstat, __lxstat64@GLIBC_2.2.5");
__asm__(".symver libc_fstatat, __fxstatat64@GLIBC_2.4");
int libc_stat(int layout, const char *path, struct stat *status_ret);
int libc_lstat(int layout, const char *path, struct stat *status_ret);
int libc_fstatat(int layout, int directory, const char *path, struct stat *status_ret, int flags);

/* The linker brings calls here (--wrap). */
int __wrap_stat(const char *path, struct stat *status_ret);
int __wrap_lstat(const char *path, struct stat *status_ret);
int __wrap_fstatat(int directory, const char *path, struct stat *status_ret, int flags);

int __wrap_stat(const char *path, struct stat *status_ret)
{
	return libc_stat(LAYOUT, path, status_ret);
}

int __wrap_lstat(const char *path, struct stat *status_ret)
{
	return libc_lstat(LAYOUT, path, status_ret);
}

int __wrap_fstatat(int directory, const char *path, struct stat *status_ret, int flags)
{
	return libc_fstatat(LAYOUT, directory, path, status_ret, flags);
}

__attribute__((alias("__wrap_stat"))) __typeof__(__wrap_stat) __wrap_stat64;
__attribute__((alias("__wrap_lstat"))) __typeof__(__wrap_lstat) __wrap_lstat64;
__attribute__((alias("__wrap_fstatat"))) __typeof__(__wrap_fstatat) __wrap_fstatat64;
