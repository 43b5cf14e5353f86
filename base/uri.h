/* SPDX-License-Identifier: MIT */
/*
 * URIs of code objects: a file or a range of it, or a range of a process's memory.
 *
 *   file://PATH[(#|?)offset=N&size=N]    PATH percent-encoded
 *   memory://PID(#|?)offset=N&size=N
 *
 * Numbers are decimal, 0x hexadecimal or 0 octal.
 */
#ifndef WT_BASE_URI_H
#define WT_BASE_URI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct wt_uri {
	enum wt_uri_kind { WT_URI_FILE, WT_URI_MEMORY } kind;
	char *path;	  /* of a file, decoded; owned */
	uint64_t process; /* of memory */
	bool has_range;	  /* always, for memory */
	uint64_t offset, size;
};

/** Errors: WT_ERROR_INPUT for anything that is no such URI. */
struct wt_error *wt_uri_parse(const char *text, struct wt_uri *uri_ret);
void wt_uri_deinit(struct wt_uri *uri);

/** The URI of @size bytes of a process's memory. Return: owned by the caller; NULL without memory. */
char *wt_uri_of_memory(uint64_t process, uint64_t address, uint64_t size);

#endif /* WT_BASE_URI_H */
