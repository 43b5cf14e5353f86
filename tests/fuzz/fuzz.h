/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share. A target is one function that takes any bytes; it is linked with
 * libFuzzer, or with run-corpus.c into a plain test.
 */
#ifndef WT_FUZZ_H
#define WT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "trace-format/reader.h"

/** The target. Return: 0, as libFuzzer wants it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/**
 * Put bytes into a file in memory; its path is good until the next call, and differs from that
 * before: the replaying library keeps a trace open as long as its name stays the same.
 */
const char *fuzz_file(const void *data, size_t size);

/** A trace whose only packets are these bytes, in the open chunk of a recording that was killed. */
const char *fuzz_stage(const void *packets, size_t size);

/** Ask a reader everything: any answer will do, if it comes. */
void fuzz_read(const char *path);

/** Stop where the target has found a bug that does not crash by itself. */
#define FUZZ_CHECK(condition)                                                                      \
	do {                                                                                       \
		if (!(condition))                                                                  \
			__builtin_trap();                                                          \
	} while (0)

#endif /* WT_FUZZ_H */
