/* SPDX-License-Identifier: MIT */
/*
 * What the tests of a ring share: its two files, and what is recorded into them. The stage is stored through a mapping,
 * wherever the test's files are: for that the linker leads fstatfs64 here (--wrap).
 */
#ifndef WT_TEST_RING_H
#define WT_TEST_RING_H

#include <stdint.h>

#include "sample.h"

#define RING_STOPS 4u /* that it keeps */
#define RING_SAMPLE_STOPS 40u
#define RING_BUDGET ((uint64_t)1 << 20)

/** The file, and the one that takes its place; named and removed by ring_name_files(). */
extern char ring_source[128], ring_beside[160];
void ring_name_files(void);

/** RING_SAMPLE_STOPS stops and nothing else. */
struct sample ring_sample(void);

#endif /* WT_TEST_RING_H */
