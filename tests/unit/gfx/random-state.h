/* SPDX-License-Identifier: MIT */
/* Random states of the fixture's wave, and random instructions. */
#ifndef TESTS_GFX_RANDOM_STATE_H
#define TESTS_GFX_RANDOM_STATE_H

#include "fixture.h"

/** Begin a sequence of random numbers. @seed: not 0. */
void start_random(uint64_t seed);
uint32_t next_random(void);

/** Registers and memory in which floats of every class and good and bad addresses are frequent. */
void fill_state(struct fixture *fixture);
/** The words of an instruction that the architecture may have: its encoding and opcode are in the tables. */
void choose_words(uint32_t words[2]);

/** The same state, in memory of its own. */
void copy_fixture(struct fixture *to, const struct fixture *from);
/** Fail if the states differ, but for the counters of the fixture's own callbacks. @words: for the message. */
void expect_same(const struct fixture *a, const struct fixture *b, const uint32_t *words);

#endif /* TESTS_GFX_RANDOM_STATE_H */
