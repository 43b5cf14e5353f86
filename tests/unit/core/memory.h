/* SPDX-License-Identifier: MIT */
/* A run of memory for tests, and the includes that cmocka wants. */
#ifndef TESTS_CORE_MEMORY_H
#define TESTS_CORE_MEMORY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "device/save-area/area.h"

#define MEMORY_ADDRESS UINT64_C(0x7f0000000000)
#define MEMORY_SIZE (1u << 20)

struct memory {
	uint8_t bytes[MEMORY_SIZE];
	size_t size; /* what is there of them */
};

/** All of it, zeroed. The structure is static: one at a time. */
struct memory *memory_clear(void);
struct wt_memory_view memory_view(struct memory *memory);

void memory_put32(struct memory *memory, uint64_t address, uint32_t value);
void memory_put64(struct memory *memory, uint64_t address, uint64_t value);

/** Check that an error has this code and this part in its text, and destroy it. */
void memory_expect_error(struct wt_error *error, enum wt_error_code code, const char *part);

#endif /* TESTS_CORE_MEMORY_H */
