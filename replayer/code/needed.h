/* SPDX-License-Identifier: MIT */
/* Which library a program is linked with, read from its ELF file. */
#ifndef WT_REPLAYER_CODE_NEEDED_H
#define WT_REPLAYER_CODE_NEEDED_H

#include <stdbool.h>
#include <stddef.h>

struct wt_needed {
	bool program; /* it is a dynamically linked ELF file: only then the rest means anything */
	bool needs;   /* the library */
};

/**
 * Look for a library among those that a file names. What cannot be read is no program.
 *
 * @soname: of the library, or a pattern of fnmatch() for that of any of its versions.
 */
struct wt_needed wt_needed_find(const char *path, const char *soname);

/**
 * The loader that a program names.
 *
 * @path_ret: its path, if it fits into @size bytes.
 *
 * Return: false if the file is no program that is loaded by one.
 */
bool wt_needed_loader(const char *program, char *path_ret, size_t size);

/** Does an ELF file have a text among its constants? */
bool wt_needed_has_text(const char *path, const char *text);

#endif /* WT_REPLAYER_CODE_NEEDED_H */
