/* SPDX-License-Identifier: MIT */
/* Recordings made from a seed, and what a reader must find in them. */
#ifndef WT_TEST_SAMPLE_H
#define WT_TEST_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace-format/container/tape-file.h"
#include "trace-format/reader/reader.h"
#include "trace-format/writer/internal.h"
#include "trace-format/writer/writer.h"

#define SAMPLE_MOMENTS_MAX 200u

/* What was written, as far as the writer said it was. */
struct sample {
	uint64_t seed;
	uint32_t moments;	    /* to write */
	size_t register_bytes;	    /* of one wave */
	unsigned int changes;	    /* of a few items each, before a moment; 0 is 1 */
	bool one_stop_each;	    /* every moment is a STOP */
	bool no_blocks_of_noise;    /* nothing that fills chunks */
	bool keyframes_as_they_pay; /* as nobody asked for an interval; else every 16th moment */
	size_t chunk_target;	    /* raw bytes that fill a chunk; 0: as many as usual */
	size_t defer_min; /* another thread compresses the chunk of a stop from so many bytes on; 0: as usual */
	unsigned int
		lag; /* with these: packets until a chunk that another thread compresses is there */
	bool no_thread; /* there is no such thread */
	uint32_t
		sync_every; /* where the world is played: as that of a writer; 0 is 1, UINT32_MAX never */
	unsigned int cores; /* threads that compress chunks of a stop at once; 0 is 1: no pool */
	uint64_t deferred;  /* chunks that another thread compressed */
	uint64_t pooled;    /* chunks of stops that several threads compressed */
	/* The tape that the writer was last seen with, and how many of these two it had by then. */
	const struct wt_tape *tape;
	uint64_t tape_deferred, tape_pooled;
	unsigned int tapes;	 /* it was seen with: a ring goes on in a new one */
	uint64_t later_deferred; /* those of `deferred` that were not in the first one */
	uint32_t first;		 /* moment that is the first one in a trace of a part */
	uint32_t written;	 /* moments whose call returned */
	uint32_t stops;		 /* 1 + number of the last STOP whose call returned; 0: none */
	uint64_t begins;	 /* call begins that returned */
	struct wt_state *bare[SAMPLE_MOMENTS_MAX];   /* as given with the moment */
	struct wt_state *states[SAMPLE_MOMENTS_MAX]; /* with what came late */
	struct wt_state *facts;
	uint64_t fact_count;
	void (*progress)(struct sample *sample); /* after each call; may be NULL */
	int progress_fd;
};

void sample_deinit(struct sample *sample);

/** Record with @writer until done or until a call fails. The writer stays the caller's. */
struct wt_error *sample_record(struct sample *sample, struct wt_writer *writer);

/** Options for a trace that comes out the same every time. */
struct wt_writer_options sample_options(void);

/** Record a whole file; fails the test when that does not work. */
void sample_write_file(struct sample *sample, const char *path);

enum sample_extent {
	SAMPLE_WHOLE,	/* everything is there */
	SAMPLE_DAMAGED, /* what is missing is spoken of as damage */
	SAMPLE_SHORTER, /* the recording may have ended before the sample does */
	SAMPLE_CUT, /* at its end facts, and what came late to the last moment, may be missing */
};

/**
 * Compare every state a reader gives with what was written. But for SAMPLE_WHOLE a state may be an
 * error of code INPUT or NOT_FOUND, and may lack items or what came late: whatever it says must
 * have been so all the same. Return: how many states were given.
 */
uint32_t sample_compare(const struct sample *sample, struct wt_reader *reader,
			enum sample_extent extent);

/**
 * Is a state what was written at moment @number of the trace? @partial: items may be missing, and
 * what came late. Fails the test if not.
 */
void sample_compare_state(const struct sample *sample, uint32_t number, struct wt_state *state,
			  bool partial);

/** Call begins in the journal: they must be numbered 1, 2, 3... unless @gaps. */
uint64_t sample_count_begins(struct wt_reader *reader, bool gaps);

/** Fail the test with the text of an error. */
void sample_must(struct wt_error *error);

/**
 * A directory of this process that is removed at its end; a path in it, good until the next call.
 */
const char *sample_path(const char *name);

/** The whole content of a file; the caller frees it. */
uint8_t *sample_read(const char *path, size_t *size_ret);
void sample_save(const char *path, const void *data, size_t size);

/** Take the parity of its chunks away from a trace that was closed: what is damaged afterwards is lost. */
void sample_drop_parity(uint8_t *data, size_t size);

/** Is every byte of a file part of a whole zstd frame? */
bool sample_is_zstd(const char *path);

#endif /* WT_TEST_SAMPLE_H */
