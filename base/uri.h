/* SPDX-License-Identifier: MIT */
/*
 * URIs of code objects, which name a file, a range of a file, or a range of a process's memory:
 *
 *   file://PATH[(#|?)offset=N&size=N]    PATH percent-encoded
 *   memory://PID(#|?)offset=N&size=N
 *
 * Numbers are decimal, hexadecimal (0x...) or octal (0...).
 */
#ifndef WT_BASE_URI_H
#define WT_BASE_URI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct wt_uri {
	enum wt_uri_kind { WT_URI_FILE, WT_URI_MEMORY } kind;
	char *path;	  /* of the file, percent-decoded; owned */
	uint64_t process; /* of memory: its process id */
	bool has_range;	  /* always true for memory */
	uint64_t offset, size;
};

/** Parse a URI. Errors: WT_ERROR_INPUT if @text does not follow the grammar above. */
struct wt_error *wt_uri_parse(const char *text, struct wt_uri *uri_ret);
void wt_uri_deinit(struct wt_uri *uri);

/** The URI of a range of a process's memory. Return: the caller frees it; NULL if there is no memory. */
char *wt_uri_of_memory(uint64_t process, uint64_t address, uint64_t size);

#endif /* WT_BASE_URI_H */
