/* SPDX-License-Identifier: MIT */
/* Strings and their numbers, both ways. Numbers start at 1. */
#ifndef WT_TRACE_FORMAT_STATE_NAMES_H
#define WT_TRACE_FORMAT_STATE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A trace with more names than this is refused. */
#define WT_LIMIT_NAMES ((uint32_t)1 << 22)

/* All zeros is an empty table. */
struct wt_names {
	char **texts;		  /* indexed by number - 1; NULL if a name is not known */
	uint32_t count, capacity; /* count: the highest number that has a text */
	uint32_t known;		  /* how many numbers have a text */
	uint32_t *slots;	  /* numbers, by hash of their text; 0: free */
	uint32_t slot_count, slots_used;
};

void wt_names_deinit(struct wt_names *names);

/** Bytes of memory it takes, about. */
size_t wt_names_size(const struct wt_names *names);

/** The number of a text, or 0. */
uint32_t wt_names_find(const struct wt_names *names, const char *text);
/** The text of a number, or NULL. */
const char *wt_names_text(const struct wt_names *names, uint32_t number);
/** The first number from @number on that has a text: beyond `count` if there is none. */
uint32_t wt_names_next(const struct wt_names *names, uint32_t number);

/**
 * Give @number the @length bytes at @text. A number that has a text keeps it. False if there is no
 * memory or the number is beyond the limit.
 */
bool wt_names_set(struct wt_names *names, uint32_t number, const char *text, size_t length);

#endif /* WT_TRACE_FORMAT_STATE_NAMES_H */
