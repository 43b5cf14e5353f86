/* SPDX-License-Identifier: MIT */
/* Tests of base/guess.h. */
#include "base/guess.h"

#include "tests/unit/with-cmocka.h"

static const char *guess_among(const char *word, const char *const *names)
{
	struct wt_guess guess = wt_guess_begin(word);

	for (size_t i = 0; names[i]; i++)
		wt_guess_offer(&guess, names[i]);
	return guess.nearest;
}

static void test_near(void **state)
{
	static const char *const names[] = {"local", "weight", "left", "i", NULL};

	(void)state;
	assert_string_equal(guess_among("locl", names), "local");
	assert_string_equal(guess_among("weigth", names), "weight");
	assert_string_equal(guess_among("wei", names), "weight");
	assert_null(guess_among("nothing", names));
	/* One letter for another is another name. */
	assert_null(guess_among("j", names));
	/* One that was typed twice is not; a digit makes another number. */
	assert_string_equal(guess_among("ii", names), "i");
	assert_null(guess_among("ij", names));
	assert_null(guess_among("s00", (const char *const[]){"s", "s0", NULL}));
	assert_string_equal(guess_among("pcc", (const char *const[]){"s1", "pc", NULL}), "pc");
}

static void test_several(void **state)
{
	static const char *const names[] = {"row1", "row2", NULL};
	static const char *const twice[] = {"row1", "row1", NULL};

	(void)state;
	assert_null(guess_among("row3", names));
	assert_string_equal(guess_among("row3", twice), "row1");
}

static void test_long(void **state)
{
	static const char *const names[] = {"a_name_that_has_more_letters_than_are_compared", NULL};

	(void)state;
	assert_null(guess_among("a_name_that_has_more_letters_than_are_compard", names));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
