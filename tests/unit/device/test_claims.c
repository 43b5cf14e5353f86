/* SPDX-License-Identifier: MIT */
/* Claims of memory by workgroups that are executed side by side: who fails, and that all that was written can be taken back. */
#include "device/machine/claims.h"
#include "tests/unit/device/support.h"

#define SIZE ((size_t)8 << 20)

struct place {
	struct wt_memory memory;
	struct wt_claims claims;
	uint64_t address;
	uint8_t *bytes;
};

static void set_up(struct place *place)
{
	*place = (struct place){.claims = {.memory = &place->memory}};
	wt_memory_init(&place->memory);
	assert_null(wt_memory_allocate(&place->memory, WT_MEMORY_BUFFERS, SIZE,
				       WT_MEMORY_READ | WT_MEMORY_WRITE, &place->address,
				       &place->bytes));
	assert_true(wt_claims_renew(&place->claims));
}

static struct gfx_memory begin(struct place *place, struct wt_claimant *claimant)
{
	const struct gfx_memory none = {.local_base = 1, .private_base = 2};

	assert_true(wt_claimant_begin(claimant, &place->claims));
	return wt_claimant_memory(claimant, &none);
}

static bool write_word(const struct place *place, const struct gfx_memory *memory, uint64_t offset,
		       uint32_t word)
{
	return memory->write(memory->opaque, place->address + offset, &word, sizeof(word));
}

static bool read_word(const struct place *place, const struct gfx_memory *memory, uint64_t offset)
{
	uint32_t word;

	return memory->read(memory->opaque, place->address + offset, &word, sizeof(word));
}

static void check_zeros(const struct place *place)
{
	for (size_t i = 0; i < SIZE; i++)
		if (place->bytes[i])
			fail_msg("byte %zu was not put back", i);
}

/* Any number may read; who writes must be alone, until it has ended. */
static void test_meeting(void **state)
{
	struct wt_claimant a = {0}, b = {0}, c = {0};
	struct gfx_memory of_a, of_b, of_c;
	struct place place;

	(void)state;
	set_up(&place);
	of_a = begin(&place, &a);
	of_b = begin(&place, &b);
	assert_true(read_word(&place, &of_a, 0) && read_word(&place, &of_b, 4));
	assert_true(write_word(&place, &of_a, 64, 1) && write_word(&place, &of_b, 96, 2));
	assert_false(a.failed || b.failed);
	wt_claimant_settle(&a, &place.claims);
	of_c = begin(&place, &c);
	assert_true(read_word(&place, &of_c, 64) && write_word(&place, &of_c, 64, 3));
	assert_false(read_word(&place, &of_c, 96));
	assert_true(c.failed);
	assert_false(write_word(&place, &of_b, 0, 4));
	assert_true(b.failed);
	wt_claimant_undo(&c);
	assert_int_equal(place.bytes[64], 1);
	wt_claimant_deinit(&a);
	wt_claimant_deinit(&b);
	wt_claimant_deinit(&c);
	wt_memory_deinit(&place.memory);
}

/*
 * One that writes more than can be put back fails, and from then on it writes nothing: a wave tries the lanes of an instruction
 * one by one, and goes on with the next lane when one fails.
 */
static void test_too_much(void **state)
{
	struct wt_claimant claimant = {0};
	struct gfx_memory memory;
	struct place place;
	uint64_t offset = 0;

	(void)state;
	set_up(&place);
	memory = begin(&place, &claimant);
	while (offset < SIZE && write_word(&place, &memory, offset, 1))
		offset += WT_CLAIM_LINE;
	assert_true(offset > 0 && offset < SIZE);
	assert_true(claimant.failed);
	assert_false(write_word(&place, &memory, offset + 4, 1));
	assert_false(write_word(&place, &memory, offset, 1));
	assert_false(write_word(&place, &memory, 0, 2));
	wt_claimant_undo(&claimant);
	check_zeros(&place);
	wt_claimant_deinit(&claimant);
	wt_memory_deinit(&place.memory);
}

static int run_all(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_meeting),
		cmocka_unit_test(test_too_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run_all);
}
