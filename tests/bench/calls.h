/* SPDX-License-Identifier: MIT */
/* What the calls cost that GDB makes most. */
#ifndef WT_TESTS_BENCH_CALLS_H
#define WT_TESTS_BENCH_CALLS_H

#include "tests/bench/session.h"

/**
 * Make each of the calls many times in a session, and print two members of a JSON object: `calls`, the median of
 * each call's batches in nanoseconds, and `tenth`, their tenth percentile; in place of a call that fails, its status.
 */
void calls_measure(struct session *session);

/** Nanoseconds of a call, on average over so many in a row that they fill chunks of a trace. */
double calls_row(struct session *session);

/** The same of calls that make the library call back: for memory of the answer, and for symbols. */
double calls_callbacks(struct session *session);

/** Nanoseconds to read CLOCK_MONOTONIC: what the figures of this machine can be held against. */
double calls_clock(void);

#endif /* WT_TESTS_BENCH_CALLS_H */
