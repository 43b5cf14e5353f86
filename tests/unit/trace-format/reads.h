/* SPDX-License-Identifier: MIT */
/*
 * What tests of reading share: the reads of a file, counted in the reads themselves, since time says little of them. For that the
 * linker leads pread64 and lseek64 here (--wrap).
 */
#ifndef WT_TEST_READS_H
#define WT_TEST_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample.h"

#define READS_MAX 65536u

struct counted_read {
	uint64_t offset, size;
};

/** The reads since @read_count was set to 0. */
extern struct counted_read reads[READS_MAX];
extern size_t read_count;
/** False: the file system does not know where data follows a hole. */
extern bool holes_are_told;
/** Called before each read with its number, from 1 on; NULL: nothing is. */
extern void (*meanwhile)(size_t number);

/** The bytes of all counted reads. */
uint64_t bytes_read(void);

/** Open a trace, and count the reads from here on. */
struct wt_reader *open_counted(const char *path);

/** The head of the final index, which a footer at the end of the file leads to. */
struct wt_block read_final(const char *path);

/** What is recorded: stops, each in chunks of its own. */
struct sample closed_sample(uint32_t moments, size_t register_bytes);

#endif /* WT_TEST_READS_H */
