/* SPDX-License-Identifier: MIT */
/* Strings that functions of the API return: the library owns them, and they stay valid until it is unloaded. */
#ifndef WT_REPLAYER_LIBRARY_KEEP_H
#define WT_REPLAYER_LIBRARY_KEEP_H

#include <stddef.h>

/** The string with these characters. The same characters give the same string. NULL if there is no memory. */
const char *wt_keep_text(const void *characters, size_t size);

#endif /* WT_REPLAYER_LIBRARY_KEEP_H */
