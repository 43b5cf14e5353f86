/* SPDX-License-Identifier: MIT */
/* How much of a long row of cases a unit test tries. */
#ifndef WT_TEST_SHARE_H
#define WT_TEST_SHARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/** Of many cases every so many'th is tried, as tests/end-to-end/support.py has it; 1 for all. */
static inline uint64_t test_share(void)
{
	const char *wanted = getenv("WAVETAPE_SHARE");
	long number = wanted ? strtol(wanted, NULL, 10) : 1;

	return number > 1 && number < 100 ? (uint64_t)number : 1;
}

/** Is it so small that whole tests are left to the other suite? */
static inline bool test_share_is_small(void)
{
	return test_share() > 4;
}

/** Is this part of a test tried, one of so many? A share tries one of them, and another one at the next commit. */
static inline bool test_turn_is(uint64_t part, uint64_t parts)
{
	const char *turn = getenv("WAVETAPE_TURN");

	return test_share() == 1 || (strtoull(turn ? turn : "0", NULL, 10) + part) % parts == 0;
}

#endif /* WT_TEST_SHARE_H */
