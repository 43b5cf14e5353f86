/* SPDX-License-Identifier: MIT */
/* Words of registers and memory as numbers of a kind. */
#ifndef WT_CLI_BROWSE_NUMBER_H
#define WT_CLI_BROWSE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/** Bytes as a number: little endian, up to 8. */
uint64_t wt_number_read(const uint8_t *bytes, size_t size);

#define WT_NUMBER_MAX 32

/** A word of 4 bytes as a float, with as few digits as tell it from others. */
const char *wt_number_float(uint32_t word, char text[WT_NUMBER_MAX]);

#endif /* WT_CLI_BROWSE_NUMBER_H */
