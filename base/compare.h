/* SPDX-License-Identifier: MIT */
#ifndef WT_BASE_COMPARE_H
#define WT_BASE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** The order of two uint64_t, for qsort() and bsearch(): handles, addresses. */
static inline int wt_compare_u64(const void *a, const void *b)
{
	const uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

/** Are both NULL, or the same text? */
static inline bool wt_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/** Are so many bytes the same? Most that are compared are a word: too few to ask the C library for. Of none, either may be NULL. */
static inline bool wt_same_bytes(const void *a, const void *b, size_t size)
{
	if (size == sizeof(uint64_t))
		return !memcmp(a, b, sizeof(uint64_t));
	if (size == sizeof(uint32_t))
		return !memcmp(a, b, sizeof(uint32_t));
	return !size || !memcmp(a, b, size);
}

#endif /* WT_BASE_COMPARE_H */
