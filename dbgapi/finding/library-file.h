/* SPDX-License-Identifier: MIT */
/* A file that may be the library to record: read as ELF, and never loaded. */
#ifndef WT_DBGAPI_FINDING_LIBRARY_FILE_H
#define WT_DBGAPI_FINDING_LIBRARY_FILE_H

#include <stdbool.h>

enum wt_library_state {
	WT_LIBRARY_ABSENT,	  /* there is no such file */
	WT_LIBRARY_UNREADABLE,	  /* it may not be read, or is no regular file */
	WT_LIBRARY_NO_LIBRARY,	  /* it is no shared library of ELF */
	WT_LIBRARY_OTHER_MACHINE, /* it is for processors of another kind than this program's */
	WT_LIBRARY_OWN,		  /* it is a library of ours that stands in front of others */
	WT_LIBRARY_NO_LEVEL,	  /* it has no symbol version of the API from 0.54 on */
	WT_LIBRARY_GOOD,
};

struct wt_library_file {
	enum wt_library_state state;
	unsigned int
		level; /* the newest symbol version of the API that it has, as 77 of 0.77; 0: none */
};

/**
 * Look at a file.
 *
 * @of_api: it is to be a library of the debugger API; else any shared library of this machine is good.
 */
struct wt_library_file wt_library_file_look(const char *path, bool of_api);

/** Words for a state other than GOOD, to follow the path: "is for another kind of processor". */
const char *wt_library_state_text(enum wt_library_state state);

#endif /* WT_DBGAPI_FINDING_LIBRARY_FILE_H */
