/* SPDX-License-Identifier: MIT */
/* Tests of the public library: what they share. */
#ifndef WT_TESTS_LIBWAVETAPE_VISIT_H
#define WT_TESTS_LIBWAVETAPE_VISIT_H

#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include <wavetape/wavetape.h>

/* No error, or the test fails with its text. */
#define must(call) visit_must(call, #call, __FILE__, __LINE__)
void visit_must(struct wavetape_error *error, const char *call, const char *file, int line);

/* An error with this code and, in its message, this text. */
#define must_fail(call, code, text) visit_must_fail(call, code, text, #call, __FILE__, __LINE__)
void visit_must_fail(struct wavetape_error *error, int code, const char *text, const char *call,
		     const char *file, int line);

/** Open the trace of tests/golden with stops, waves that moved, and a fault. */
struct wavetape_trace *visit_golden(void);

/* What a walk has met: the same for every walk over the same file. */
struct visit {
	uint64_t hash; /* of all answers, in order */
	size_t stops, waves, registers, errors;
	bool opened;
};

/** Ask everything of a trace, and of each error its text. */
struct visit visit_trace(const char *path);

#endif /* WT_TESTS_LIBWAVETAPE_VISIT_H */
