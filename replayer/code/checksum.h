/* SPDX-License-Identifier: MIT */
/* MD5 sums of source files, as line tables of DWARF 5 have them: libdw does not tell them. */
#ifndef WT_REPLAYER_CODE_CHECKSUM_H
#define WT_REPLAYER_CODE_CHECKSUM_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

#define WT_MD5_SIZE 16

/**
 * The MD5 sum that a file had when it was compiled.
 *
 * @file: its number in the line table of the unit, as dwarf_getsrcfiles() counts.
 *
 * Return: WT_MD5_SIZE bytes, which belong to the DWARF; NULL if it has none, as before DWARF 5, or is broken.
 */
const uint8_t *wt_checksum_find(Dwarf_Die *unit, size_t file);

/** The same of the line table that begins where the cursor is. */
const uint8_t *wt_checksum_in(struct wt_cursor table, size_t file);

#endif /* WT_REPLAYER_CODE_CHECKSUM_H */
