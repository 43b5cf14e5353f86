/* SPDX-License-Identifier: MIT */
/* What one instruction raises: for the tests of arithmetic exceptions. */
#ifndef TESTS_GFX_RAISED_H
#define TESTS_GFX_RAISED_H

#include "fixture.h"

#include "gfx/alu/exact.h"

#define MODE_ALL_ENABLED (0x7fU << 12)

/* Exceptions as bits of trapsts; an overflow and an underflow are inexact as well. */
#define I ((uint32_t)GFX_EXCEPTION_INVALID)
#define D ((uint32_t)GFX_EXCEPTION_DENORMAL)
#define Z ((uint32_t)GFX_EXCEPTION_DIVIDE_BY_ZERO)
#define O (GFX_EXCEPTION_OVERFLOW | X)
#define U (GFX_EXCEPTION_UNDERFLOW | X)
#define X ((uint32_t)GFX_EXCEPTION_INEXACT)
#define N ((uint32_t)GFX_EXCEPTION_INTEGER_DIVIDE_BY_ZERO)

#define F float_bits
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** Execute one instruction with all exceptions enabled. Return: trapsts after it. */
static inline uint32_t raised(struct fixture *fixture, const uint32_t *words, size_t count)
{
	fixture->wave.trapsts = 0;
	fixture->wave.mode |= MODE_ALL_ENABLED;
	assert_int_equal(fixture_step(fixture, words, count), GFX_STEP_DONE);
	return fixture->wave.trapsts;
}
#define RAISED(fixture, ...)                                                                       \
	raised(fixture, (const uint32_t[]){__VA_ARGS__},                                           \
	       sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/** Fail with the operands in words unless @ours is @expected. */
static inline void check(const char *what, uint32_t round, uint64_t a, uint64_t b, uint64_t c,
			 uint32_t ours, uint32_t expected)
{
	if (ours != expected)
		fail_msg("%s(%llx, %llx, %llx), rounding %u: raises %02x, expected %02x", what,
			 (unsigned long long)a, (unsigned long long)b, (unsigned long long)c, round,
			 ours, expected);
}

#endif /* TESTS_GFX_RAISED_H */
