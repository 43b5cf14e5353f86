/* SPDX-License-Identifier: MIT */
/* Names of C++ functions as their authors wrote them. */
#ifndef WT_BASE_DEMANGLE_H
#define WT_BASE_DEMANGLE_H

#include <stddef.h>

/* __cxa_demangle() of the C++ ABI, of whichever C++ library there is: the caller frees the result. */
typedef char *(*wt_demangler)(const char *mangled, char *buffer, size_t *size, int *status_ret);

/**
 * Demangle a name, also one with types that the demangler does not know yet: GCC's of before version 13 stop at the half floats of kernels
 * (_Float16, __bf16).
 *
 * Return: for the caller to free(); NULL if it is no mangled name, or one that is not known.
 */
char *wt_demangle(wt_demangler demangler, const char *name);

#endif /* WT_BASE_DEMANGLE_H */
