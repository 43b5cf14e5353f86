/* SPDX-License-Identifier: MIT */
/*
 * The places where AMD's libraries and LLVM are looked for, in order: the one list that recording, the agent, disassembly and `wavetape doctor` use. Who searches adds
 * what only it knows (a name that the user gave, the way of the loader for a client), and wt_search_add_known() adds the rest.
 * Everything that was looked at is kept, so that it can be shown.
 */
#ifndef WT_DBGAPI_FINDING_SEARCH_H
#define WT_DBGAPI_FINDING_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "dbgapi/finding/library-file.h"

#define WT_SEARCH_DBGAPI "librocm-dbgapi.so.0"
#define WT_SEARCH_RUNTIME "libhsa-runtime64.so.1"
/* Levels before that of ROCm 5.7 do not speak to the driver that Linux has: what debugs live needs this one or a later. */
#define WT_SEARCH_LIVE_LEVEL 70u
#define WT_SEARCH_LLVM "libLLVM" /* with a version behind it, in several ways */

/* A file that was looked at. */
struct wt_search_place {
	char *path;
	char *source; /* what led there: "LD_LIBRARY_PATH", "run path of CLIENT" */
	struct wt_library_file file;
};

struct wt_search {
	const char *root; /* stands before all paths that are not from the user: "" but for tests */
	char *(*variable)(const char *name); /* getenv(), or the variables of another process */
	const char *name;		     /* of the library's file */
	bool of_api;			     /* it is the debugger library, and has a level */
	bool of_llvm; /* the name is the beginning of files' names, and ROCm has a folder of LLVM's for them */
	unsigned int client_level; /* the newest that its client asks for; 0: not known */
	struct wt_search_place *places;
	size_t count;
	bool no_memory;
};

/** Is that the name of a file that is searched for? */
static inline bool wt_search_names(const struct wt_search *search, const char *name)
{
	size_t length = strlen(search->name);

	if (!search->of_llvm)
		return !strcmp(name, search->name);
	/* LLVM's folder has a static library of each of its parts beside it, too. */
	return !strncmp(name, search->name, length) &&
	       (name[length] == '-' || !strncmp(name + length, ".so.", 4));
}

/** Begin a search for a library: one of the names above, or another. Ended by wt_search_deinit(). */
struct wt_search wt_search_begin(const char *name);
void wt_search_deinit(struct wt_search *search);

/** Look at a file, unless it was looked at before. */
void wt_search_add(struct wt_search *search, const char *path, const char *source);

/** Look at the file of the searched name in a folder, or at all files whose names begin so, the newest first. */
void wt_search_add_folder(struct wt_search *search, const char *folder, const char *source);

/**
 * Look where AMD's libraries are known to be: LD_LIBRARY_PATH, the loader's cache, ROCM_PATH, /opt/rocm and its like, wheels of
 * Python, and beside the runtime.
 *
 * @program: path of the program whose Python that may be, as it was called; NULL: of none.
 * @runtime: path of the HSA runtime that the program has, or is going to have; NULL: not known.
 */
void wt_search_add_known(struct wt_search *search, const char *program, const char *runtime);

/** The first place that is good and of a level that the client can use; where there is none, the first that is good; else NULL. */
const struct wt_search_place *wt_search_taken(const struct wt_search *search);

/** All that was looked at in one line: "/a, /b (LD_LIBRARY_PATH), /c (wrong)". The caller frees it; NULL: no memory. */
char *wt_search_text(const struct wt_search *search);

/**
 * The version of the ROCm that a folder of libraries is of, by the file that each of its installations has.
 *
 * @library: path of a file in that folder.
 *
 * Return: for the caller to free; NULL if there is none.
 */
char *wt_search_rocm_of(const char *library);

/** The version of the ROCm of the place that was taken, else of the first place that belongs to one. As above. */
char *wt_search_rocm(const struct wt_search *search);

/* Searching for AMD's libraries from within a program that uses them: what is loaded into it says where they may be. */

/**
 * Look where the loader would have looked for what is linked with the library, and for the program; then in all known places, those
 * of this program's Python and runtime among them.
 *
 * @self: path of the library that asks, whose own way is gone, too.
 */
void wt_search_add_loaded(struct wt_search *search, const char *self);

#endif /* WT_DBGAPI_FINDING_SEARCH_H */
