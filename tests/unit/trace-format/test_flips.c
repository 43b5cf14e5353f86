/* SPDX-License-Identifier: MIT */
/* Bits flipped in traces: found, or harmless, and never a wrong answer. */
#include "proof.h"

#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "trace-format/reader/check.h"

/* Where it would take too long to try all bits. */
#define RANDOM_FLIPS_SHORT 1000u
#define RANDOM_FLIPS_LONG 10000u

struct flipping {
	const struct sample *sample;
	const char *path;
	uint8_t *data;
	size_t size;
	struct proof_found whole;
	bool closed; /* then every byte is covered by some checksum */
	uint64_t flips, noticed, costly;
};

/* Does `check` find it? */
static void expect_found(const struct flipping *flipping, size_t bit)
{
	struct wt_check check;
	struct wt_reader *reader;

	sample_must(wt_reader_open(flipping->path, &reader));
	sample_must(wt_reader_examine(reader, NULL, &check));
	if (check.whole)
		fail_msg("bit %zu of byte %zu was flipped, and all is said to be whole", bit % 8,
			 bit / 8);
	wt_reader_close(reader);
}

static void flip(struct flipping *flipping, size_t bit)
{
	const struct proof_found *whole = &flipping->whole;
	uint8_t byte = flipping->data[bit / 8];
	struct proof_found found;

	if (!proof_is_mine())
		return;
	proof_put(flipping->path, bit / 8, byte ^ (uint8_t)(1 << bit % 8));
	found = proof_look(flipping->sample, flipping->path, true, SAMPLE_DAMAGED);
	if (!found.opened)
		fail_msg("bit %zu of byte %zu was flipped, and nothing opens", bit % 8, bit / 8);
	/* What is not said to be damaged must all be there. */
	if (!found.noted && (found.given != whole->given || found.begins != whole->begins))
		fail_msg("bit %zu of byte %zu was flipped, and what is lost is not told", bit % 8,
			 bit / 8);
	if (flipping->closed)
		expect_found(flipping, bit);
	proof_put(flipping->path, bit / 8, byte);
	flipping->flips++;
	flipping->noticed += found.noted;
	flipping->costly += found.given != whole->given;
}

static void start(struct flipping *flipping, struct sample *sample, bool closed)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	*flipping = (struct flipping){
		.sample = sample, .path = sample_path("flip.wtape"), .closed = closed};
	unlink(flipping->path);
	sample_must(wt_writer_create(flipping->path, &options, &writer));
	sample_must(sample_record(sample, writer));
	if (closed) {
		sample_must(wt_writer_close(writer, "detached"));
	} else {
		sample_must(wt_tape_flush(writer->tape));
		wt_writer_abandon(writer);
	}
	flipping->data = sample_read(flipping->path, &flipping->size);
	flipping->whole = proof_look(sample, flipping->path, true, SAMPLE_DAMAGED);
	assert_int_equal(flipping->whole.given, sample->moments);
	assert_int_equal(flipping->whole.begins, sample->begins);
	assert_int_equal(flipping->whole.noted, !closed);
}

static void finish(struct flipping *flipping, struct sample *sample)
{
	proof_add(PROOF_TRIED, flipping->flips);
	proof_add(PROOF_COSTLY, flipping->costly);
	free(flipping->data);
	sample_deinit(sample);
}

/* Heads of all blocks, and what is in indexes: every bit, or every @step'th in the short form. */
static void flip_heads(struct flipping *flipping, size_t step)
{
	size_t offset = 0, before = flipping->flips;

	step = proof_is_long() ? 1 : step;
	while (flipping->size - offset >= WT_BLOCK_SIZE) {
		struct wt_block block;
		size_t length = WT_BLOCK_SIZE;

		assert_int_equal(wt_block_decode(flipping->data + offset, &block), WT_BLOCK_FINE);
		if (block.kind == WT_BLOCK_INDEX || block.kind == WT_BLOCK_FINAL)
			length += (size_t)block.stored;
		for (size_t bit = (offset * 8 + step - 1) / step * step;
		     bit < (offset + length) * 8; bit += step)
			flip(flipping, bit);
		offset += WT_BLOCK_SIZE + (size_t)block.stored;
	}
	proof_add(PROOF_HEADS, flipping->flips - before);
}

/* Anywhere in blocks, and in a stage as far as it is used. */
static void flip_at_random(struct flipping *flipping, unsigned int count, unsigned int seed)
{
	static struct proof_promise promise;
	size_t end, before = flipping->flips;

	proof_promise_read(flipping->data, flipping->size, &promise);
	end = (size_t)promise.units[promise.unit_count - 1].end;
	while (count--) {
		size_t bit = ((size_t)rand_r(&seed) << 8 ^ (size_t)rand_r(&seed)) % (end * 8);

		flip(flipping, bit);
	}
	proof_add(PROOF_RANDOM, flipping->flips - before);
}

static void every_bit_of_a_small_trace(void **state)
{
	struct sample sample = {
		.seed = 30, .moments = 4, .register_bytes = 40, .no_blocks_of_noise = true};
	struct flipping flipping;

	(void)state;
	start(&flipping, &sample, true);
	flip_heads(&flipping, 5);
	for (size_t bit = 0; bit < flipping.size * 8; bit += proof_is_long() ? 1 : 29)
		flip(&flipping, bit);
	/* A closed trace so small has each chunk twice. */
	assert_int_equal(flipping.costly, 0);
	finish(&flipping, &sample);
}

/* A recording that was killed: here reserved space may change as it likes. */
static void heads_and_stage_of_a_killed_recording(void **state)
{
	struct sample sample = {
		.seed = 32, .moments = 6, .register_bytes = 40, .no_blocks_of_noise = true};
	struct flipping flipping;

	(void)state;
	start(&flipping, &sample, false);
	flip_heads(&flipping, 31);
	flip_at_random(&flipping,
		       proof_is_long() ? RANDOM_FLIPS_LONG / 10 : RANDOM_FLIPS_SHORT / 10, 7);
	assert_true(flipping.costly > 0);
	finish(&flipping, &sample);
}

/* Long enough for indexes in the stream. */
static const struct sample long_sample = {
	.seed = 31,
	.moments = 70,
	.register_bytes = 60,
	.one_stop_each = true,
	.no_blocks_of_noise = true,
};

/* Indexes in the stream: what they restore must be what was there. */
static void heads_and_indexes_of_a_long_trace(void **state)
{
	struct sample sample = long_sample;
	struct flipping flipping;

	(void)state;
	start(&flipping, &sample, true);
	flip_heads(&flipping, 641);
	flip_at_random(&flipping, proof_is_long() ? RANDOM_FLIPS_LONG : RANDOM_FLIPS_SHORT, 11);
	assert_int_equal(flipping.costly, 0);
	finish(&flipping, &sample);
}

/* The same without the footer: now heads and indexes in the stream are all there is. */
static void heads_and_indexes_without_a_footer(void **state)
{
	struct sample sample = long_sample;
	struct flipping flipping;

	(void)state;
	start(&flipping, &sample, true);
	flipping.size -= WT_BLOCK_SIZE;
	assert_int_equal(truncate(flipping.path, (off_t)flipping.size), 0);
	flip_heads(&flipping, 1601);
	finish(&flipping, &sample);
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_bit_of_a_small_trace),
		cmocka_unit_test(heads_and_stage_of_a_killed_recording),
		cmocka_unit_test(heads_and_indexes_of_a_long_trace),
		cmocka_unit_test(heads_and_indexes_without_a_footer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
	int failed = proof_run(run);
	unsigned long long tried = proof_total(PROOF_TRIED), costly = proof_total(PROOF_COSTLY);

	if (!failed)
		proof_say("flipped bits: %llu of heads and indexes, %llu at random (seeds 7, 11), "
			  "%llu "
			  "in all; %llu cost nothing, %llu some states, none gave a wrong answer",
			  (unsigned long long)proof_total(PROOF_HEADS),
			  (unsigned long long)proof_total(PROOF_RANDOM), tried, tried - costly,
			  costly);
	return failed;
}
