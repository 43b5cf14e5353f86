/* SPDX-License-Identifier: MIT */
/*
 * What the long proofs share. Each has a short form that always runs and a long one, with
 * WAVETAPE_LONG=1 in the environment; both say in one line how much they have tried.
 */
#ifndef WT_TEST_PROOF_H
#define WT_TEST_PROOF_H

#include "sample.h"
#include "tests/unit/share.h"

bool proof_is_long(void);

/** A line on stderr that begins with `proof: `. */
__attribute__((format(printf, 1, 2))) void proof_say(const char *format, ...);

/*
 * Sums over all processes of proof_run(), for its line.
 */
enum proof_sum { PROOF_TRIED, PROOF_HEADS, PROOF_RANDOM, PROOF_COSTLY, PROOF_TRACES, PROOF_SUMS };
void proof_add(enum proof_sum sum, uint64_t count);
uint64_t proof_total(enum proof_sum sum);

/**
 * Run a group of tests: in the long form in as many processes as there are processors. Each goes
 * through all of it and tries its share. Return: 0 if it passed in every one.
 */
int proof_run(int (*group)(void));

/** Is the next one to be tried this process's? Each call is one; so all must make the same calls. */
bool proof_is_mine(void);

/** Is this the process that says what all have in common? */
bool proof_is_first(void);

/* What a reader finds in a file that may be damaged. */
struct proof_found {
	bool opened;	  /* it was not refused as no trace */
	bool noted;	  /* something is said not to be whole */
	bool complete;	  /* it was closed in order */
	uint32_t moments; /* that it speaks of */
	uint32_t given;	  /* whose states it gave */
	uint64_t begins;  /* of calls */
};

/**
 * Ask for everything in a file, and hold it against what was written: a wrong answer fails the test.
 * @compare: false to open the file and no more.
 */
struct proof_found proof_look(const struct sample *sample, const char *path, bool compare,
			      enum sample_extent extent);

/* A record at a place of the file that the promise speaks of: with it comes what it holds. */
struct proof_unit {
	uint64_t end;	  /* in the file */
	uint32_t moments; /* in it and before it */
	uint64_t calls;
};

#define PROOF_UNITS 4096u

/* What FORMAT.md promises of a file that is cut, and where the bytes lie that mean nothing. */
struct proof_promise {
	struct proof_unit units[PROOF_UNITS];
	size_t unit_count;
	struct {
		uint64_t start, end;
	} idle[4]; /* reserved space */
	size_t idle_count;
};

/**
 * Read heads and entries of a stage straight from the bytes, with nothing of the reader but the
 * decoding of one head.
 */
void proof_promise_read(const uint8_t *data, size_t size, struct proof_promise *promise_ret);

/** What is in the first @length bytes. */
struct proof_unit proof_promise_at(const struct proof_promise *promise, uint64_t length);

/** Write one byte of a file. */
void proof_put(const char *path, uint64_t offset, uint8_t byte);

/** Change one byte of a head, and make its checksum fit again. */
void proof_forge(uint8_t *head, size_t offset, uint8_t value);

/** A walk that goes over records, and one that goes back to where records were, see the same records. */
void proof_positions(struct wt_reader *reader);

/** Ask for everything in a file. It may be an error; a crash, a hang or a leak is a failure. */
void proof_ask(const char *path);

/**
 * A file whose only packets are in a stage: there, nothing but their checksum says what they are.
 */
void proof_save_stage(const char *path, const uint8_t *raw, size_t size);

#endif /* WT_TEST_PROOF_H */
