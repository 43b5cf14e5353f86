/* SPDX-License-Identifier: MIT */
/* Attributes that release a local variable when it goes out of scope. */
#ifndef WT_BASE_CLEANUP_H
#define WT_BASE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"

#define wt_cleanup(function) __attribute__((cleanup(function)))

static inline void wt_cleanup_freep(void *pointer)
{
	free(*(void **)pointer);
}

static inline void wt_cleanup_closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void wt_cleanup_fclosep(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void wt_cleanup_errorp(struct wt_error **error)
{
	wt_error_destroy(*error);
}

#define wt_cleanup_free wt_cleanup(wt_cleanup_freep)
#define wt_cleanup_close wt_cleanup(wt_cleanup_closep)
#define wt_cleanup_fclose wt_cleanup(wt_cleanup_fclosep)
#define wt_cleanup_error wt_cleanup(wt_cleanup_errorp)

/** Give a local's value away: the local becomes NULL, so that its cleanup releases nothing. */
#define wt_take(pointer)                                                                           \
	({                                                                                         \
		__typeof__(pointer) wt_taken_ = (pointer);                                         \
		(pointer) = NULL;                                                                  \
		wt_taken_;                                                                         \
	})

#endif /* WT_BASE_CLEANUP_H */
