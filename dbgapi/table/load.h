/* SPDX-License-Identifier: MIT */
/*
 * Loading an implementation of the API of any level. What it has at an older symbol version than today's is called through
 * an adaptor, where a level numbered queries otherwise or had other callbacks, so that callers always speak today's level.
 *
 * The tables and most adaptors are generated.
 */
#ifndef WT_DBGAPI_TABLE_LOAD_H
#define WT_DBGAPI_TABLE_LOAD_H

#include "dbgapi/table/api.h"

/* One symbol that a library may have. */
struct wt_symbol {
	enum wt_function function;
	const char *name, *version;
	void *adaptor; /* what to call in its place; NULL: itself, */
	void **under;  /* and where that finds it */
};

/* Symbols, for each function its newest version first. */
extern const struct wt_symbol wt_symbols[];
extern const size_t wt_symbol_count;

/* Stand-ins for functions that a library does not have: they answer NOT_IMPLEMENTED. */
extern void *const wt_absent[WT_FUNCTION_COUNT];

/** initialize for a library of a level before 0.76, which asks for a process id by a callback of its own. */
amd_dbgapi_status_t wt_over_initialize_0_54(amd_dbgapi_callbacks_t *callbacks);
extern amd_dbgapi_status_t (*wt_under_initialize_0_54)(struct wt_callbacks_0_54 *callbacks);

#endif /* WT_DBGAPI_TABLE_LOAD_H */
