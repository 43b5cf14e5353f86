/* SPDX-License-Identifier: MIT */
#ifndef WT_TESTS_BENCH_DUMP_H
#define WT_TESTS_BENCH_DUMP_H

/**
 * Write the whole state at each stop of a trace to a file, one after the other and without any
 * encoding: what a recorder would write that knew nothing of what it had written before. Prints, as JSON, the number
 * of stops and the bytes of each.
 */
void dump_states(const char *trace, const char *path);

#endif /* WT_TESTS_BENCH_DUMP_H */
