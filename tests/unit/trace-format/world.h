/* SPDX-License-Identifier: MIT */
/* Recording where the system calls of the writer fail, or the world ends between two of them. */
#ifndef WT_TEST_WORLD_H
#define WT_TEST_WORLD_H

#include "sample.h"

enum fault {
	FAULT_ERROR, /* the call fails, and so do all writes after it if `lasting` */
	FAULT_KILL,  /* the call and all after it do nothing: nobody is there to make them */
	FAULT_TORN,  /* of the call a part is done, of those after it nothing */
};

struct world {
	enum fault fault;
	int errnum;
	bool lasting, no_fallocate;
	uint64_t at;	/* the call that it happens to; counted from 1 */
	uint64_t calls; /* so far */
	uint64_t grown; /* the last call that made the file longer */
	uint64_t disk;	/* bytes a file can have; 0: any number */
	bool dead;
};

/* What the program being recorded was told before the world ended. */
struct outcome {
	uint64_t begins;
	uint32_t stops;
	bool failed;
};

/** System calls that do as @world says, which they count in. */
struct wt_io_ops world_ops(struct world *world);

/** Record a sample at @path, with a sync at each stop. */
struct outcome world_record(struct sample *sample, const char *path, struct world *world);

/**
 * Fail the test unless what the program was told is in the file. @strict: and that is a legal zstd file. @at: what
 * to name if not.
 */
void world_check(struct sample *sample, const char *path, const struct outcome *outcome,
		 bool strict, uint64_t at);

#endif /* WT_TEST_WORLD_H */
