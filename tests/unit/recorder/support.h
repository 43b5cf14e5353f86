/* SPDX-License-Identifier: MIT */
/* A recording library of its own for each test: a copy, since a library reads its environment once. */
#ifndef WT_TEST_RECORDER_SUPPORT_H
#define WT_TEST_RECORDER_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "dbgapi/api.h"
#include "trace-format/reader.h"

/* A directory for the files of this program, removed at exit. */
const char *support_directory(void);
/** A path in it, valid until the next but seven. */
const char *support_path(const char *name);

/** Print and fail if there is an error. */
void support_must(struct wt_error *error);

struct support_library {
	char *path;
	struct wt_api api;
};

/**
 * Load a fresh copy of the recording library with an environment: NULL leaves a variable unset.
 */
struct support_library support_load(const char *dbgapi, const char *trace, const char *options);
/** Unload it, which ends its trace. */
void support_unload(struct support_library *library);

/** Copy a file, with its mode. */
void support_copy(const char *from, const char *to);

#endif /* WT_TEST_RECORDER_SUPPORT_H */
