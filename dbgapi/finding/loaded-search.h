/* SPDX-License-Identifier: MIT */
/* Searching for AMD's libraries from within a program that uses them: what is loaded into it says where they may be. */
#ifndef WT_DBGAPI_FINDING_LOADED_SEARCH_H
#define WT_DBGAPI_FINDING_LOADED_SEARCH_H

#include "dbgapi/finding/search.h"

/**
 * Look where the loader would have looked for what is linked with the library, and for the program; then in all known places, those
 * of this program's Python and runtime among them.
 *
 * @self: path of the library that asks, whose own way is gone, too.
 */
void wt_search_add_loaded(struct wt_search *search, const char *self);

#endif /* WT_DBGAPI_FINDING_LOADED_SEARCH_H */
