/* SPDX-License-Identifier: MIT */
/* BLAKE2b-256, of RFC 7693: names of bytes that are the same everywhere. */
#ifndef WT_BASE_BLAKE2B_H
#define WT_BASE_BLAKE2B_H

#include <stddef.h>
#include <stdint.h>

#define WT_BLAKE2B_SIZE 32u

/** The hash of @size bytes at @data, without a key. */
void wt_blake2b(const void *data, size_t size, uint8_t hash[WT_BLAKE2B_SIZE]);

#endif /* WT_BASE_BLAKE2B_H */
