/* SPDX-License-Identifier: MIT */
/* Texts that the library owns and the client may keep: they stay where they are for as long as the library does. */
#ifndef WT_REPLAYER_LIBRARY_KEEP_H
#define WT_REPLAYER_LIBRARY_KEEP_H

#include <stddef.h>

/** A text with these characters, the same each time; NULL if there is no memory. */
const char *wt_keep_text(const void *characters, size_t size);

#endif /* WT_REPLAYER_LIBRARY_KEEP_H */
