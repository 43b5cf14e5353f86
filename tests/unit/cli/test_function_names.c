/* SPDX-License-Identifier: MIT */
/* Functions as a user names them: by the symbol, the whole, or the name alone. */
#include "cli/function-names.h"

#include <stdio.h>

#include "tests/unit/with-cmocka.h"

static void test_names(void **state)
{
	static const struct {
		const char *symbol, *wanted;
		bool is;
	} rows[] = {
		{"served", "served", true},
		{"served", "serve", false},
		{"_Z3mixRK5Point4Kindi", "_Z3mixRK5Point4Kindi", true},
		{"_Z3mixRK5Point4Kindi", "mix(Point const&, Kind, int)", true},
		{"_Z3mixRK5Point4Kindi", "mix", true},
		{"_Z3mixRK5Point4Kindi", "mi", false},
		{"_Z3mixRK5Point4Kindi", "ix", false},
		{"_Z3mixRK5Point4Kindi", "Kind", false},
		{"_Z3mixRK5Point4Kindi", "", false},
		/* part::mix(int) */
		{"_ZN4part3mixEi", "part::mix", true},
		{"_ZN4part3mixEi", "mix", true},
		{"_ZN4part3mixEi", "part", false},
		{"_ZN4part3mixEi", ":mix", false},
		/* (anonymous namespace)::mix(int) */
		{"_ZN12_GLOBAL__N_13mixEi", "mix", true},
		{"_ZN12_GLOBAL__N_13mixEi", "(anonymous namespace)::mix", true},
		/* part::vector<float> mix<part::kind<int> >(void (*)(int)) */
		{"_Z3mixIN4part4kindIiEEENS0_6vectorIfEEPFviE", "mix", true},
		{"_Z3mixIN4part4kindIiEEENS0_6vectorIfEEPFviE", "vector", false},
		{"_Z3mixIN4part4kindIiEEENS0_6vectorIfEEPFviE", "part::vector", false},
		{"_Z3mixIN4part4kindIiEEENS0_6vectorIfEEPFviE", "kind", false},
		/* void scale<float>(float*) */
		{"_Z5scaleIfEvPT_", "scale", true},
		{"_Z5scaleIfEvPT_", "scale<float>", true},
		{"_Z5scaleIfEvPT_", "void scale<float>(float*)", true},
		{"_Z5scaleIfEvPT_", "void", false},
		{"_Z5scaleIfEvPT_", "float", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (wt_cli_name_is(rows[i].symbol, rows[i].wanted, false) != rows[i].is)
			fail_msg("%s by %s", rows[i].symbol, rows[i].wanted);
	/* The whole name has all that a function is in. */
	assert_false(wt_cli_name_is("_ZN4part3mixEi", "mix", true));
	assert_true(wt_cli_name_is("_ZN4part3mixEi", "part::mix", true));
	assert_true(wt_cli_name_is("_Z3mixRK5Point4Kindi", "mix", true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
