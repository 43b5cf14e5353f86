/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share. A target is one function that takes any bytes; it is linked with
 * libFuzzer, or with run-corpus.c into a plain test.
 */
#ifndef WT_FUZZ_H
#define WT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct wt_error;
struct wt_reader;

/** The target. Return: 0, as libFuzzer wants it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Called once before it, of a target that has it. Return: 0, as libFuzzer wants it. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/**
 * Put bytes into a file in memory; its path is good until the next call, and differs from that
 * before: the replaying library keeps a trace open as long as its name stays the same.
 */
const char *fuzz_file(const void *data, size_t size);

/**
 * A path in a directory of this process, in memory where there is a place: a disk would be waited for. All that is
 * there is removed at the end. One path is good until the next call.
 */
const char *fuzz_place(const char *name);

/** Put bytes into a file of that directory, for what asks for a file's real name. Return: its path. */
const char *fuzz_save(const char *name, const void *data, size_t size);

/**
 * A file that a target needs besides its inputs: the one of that name beside the program, where targets were put into a
 * folder of their own, else the one of the build. The path is good until the next call.
 */
const char *fuzz_neighbour(const char *name, const char *built);

/** A trace whose only packets are these bytes, in the open chunk of a recording that was killed. */
const char *fuzz_stage(const void *packets, size_t size);

/** Open a trace with caches that are cheap to make, and with a budget: an input that unpacks to a lot is no time-out. */
struct wt_error *fuzz_open(const char *path, struct wt_reader **reader_ret);

/** Ask a reader everything: any answer will do, if it comes. */
void fuzz_read(const char *path);

/**
 * Counts the inputs that got to where a target wants them. A corpus of which none does tests nothing, and run-corpus.c
 * says so.
 */
extern unsigned long fuzz_reached;

/** Stop where the target has found a bug that does not crash by itself. */
#define FUZZ_CHECK(condition)                                                                      \
	do {                                                                                       \
		if (!(condition))                                                                  \
			__builtin_trap();                                                          \
	} while (0)

#endif /* WT_FUZZ_H */
