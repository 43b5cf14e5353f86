/* SPDX-License-Identifier: MIT */
/* Which library a program is linked with, read from its ELF file. */
#ifndef WT_REPLAYER_CODE_NEEDED_H
#define WT_REPLAYER_CODE_NEEDED_H

#include <stdbool.h>

struct wt_needed {
	bool program; /* it is a dynamically linked ELF file: only then the rest means anything */
	bool needs;   /* the library */
	bool rpath;   /* it has a DT_RPATH, which comes before LD_LIBRARY_PATH */
};

/**
 * Look for a library (by its soname) among those that a file names. What cannot be read is no
 * program.
 */
struct wt_needed wt_needed_find(const char *path, const char *soname);

/** Does an ELF file have a text among its constants? */
bool wt_needed_has_text(const char *path, const char *text);

#endif /* WT_REPLAYER_CODE_NEEDED_H */
