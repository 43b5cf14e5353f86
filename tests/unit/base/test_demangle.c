/* SPDX-License-Identifier: MIT */
/* Demangling with a demangler that knows the older types alone. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "base/demangle.h"

char *__cxa_demangle(const char *mangled, char *buffer, size_t *size, int *status_ret);

/* GCC 12's demangler knows no more than this one; newer ones know the types. */
static char *older(const char *mangled, char *buffer, size_t *size, int *status_ret)
{
	return strstr(mangled, "DF16") && !strstr(mangled, "Z4DF16")
		       ? NULL
		       : __cxa_demangle(mangled, buffer, size, status_ret);
}

static void assert_demangled(const char *name, const char *wanted)
{
	char *found = wt_demangle(older, name);

	if (wanted)
		assert_string_equal(found, wanted);
	else
		assert_null(found);
	free(found);
}

static void what_is_known_is_left_to_the_demangler(void **state)
{
	(void)state;
	assert_demangled("_Z5faultPi", "fault(int*)");
	assert_demangled("_Z4DF16v", "DF16()");
	assert_demangled("main", NULL);
	assert_demangled("_Z", NULL);
	assert_demangled("_Z9nonsense", NULL);
}

static void half_floats_are_known(void **state)
{
	(void)state;
	assert_demangled("_Z9half_copyPKDF16_PDF16_l",
			 "half_copy(_Float16 const*, _Float16*, long)");
	assert_demangled("_Z3sumIDF16bEvPT_S1_i", "void sum<__bf16>(__bf16*, __bf16*, int)");
	assert_demangled("_Z3addPKDF16_PKDF16bS0_",
			 "add(_Float16 const*, __bf16 const*, _Float16 const*)");
	assert_demangled("_Z3addDF16", NULL);
	/* The name has that of a known type in it: nothing could be told apart. */
	assert_demangled("_Z9decimal64DF16_", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_known_is_left_to_the_demangler),
		cmocka_unit_test(half_floats_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
