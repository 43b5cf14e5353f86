/* SPDX-License-Identifier: MIT */
/* The cache of the dynamic loader, which ldconfig writes: where libraries are that no path names. */
#ifndef WT_RECORDER_FINDING_LOADER_CACHE_H
#define WT_RECORDER_FINDING_LOADER_CACHE_H

/**
 * Find a library in a cache. One that cannot be read, or is of a form that is not known, has none.
 *
 * @cache: path of the cache's file.
 * @name: of the library, as it is linked with.
 * @found: called for each path that the cache has for the name, in its order: there may be one for each kind of processor.
 */
void wt_loader_cache_find(const char *cache, const char *name,
			  void (*found)(void *opaque, const char *path), void *opaque);

#endif /* WT_RECORDER_FINDING_LOADER_CACHE_H */
