/* SPDX-License-Identifier: MIT */
#ifndef WT_BASE_PLURAL_H
#define WT_BASE_PLURAL_H

#include <stdint.h>

/** The form of a word for a count: wt_plural(1, "wave", "waves") is "wave"; 0 takes the plural. */
static inline const char *wt_plural(uint64_t count, const char *one, const char *more)
{
	return count == 1 ? one : more;
}

#endif /* WT_BASE_PLURAL_H */
