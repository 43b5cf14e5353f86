/* SPDX-License-Identifier: MIT */
/* Names of functions without what differs between instances. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "replayer/view/signature.h"

static void test_names(void **state)
{
	static const struct {
		const char *name, *plain;
	} names[] = {
		{"", ""},
		{"vecadd", "vecadd"},
		{"vecadd.kd", "vecadd"},
		{".kd", ".kd"},
		{"vecadd(float*, int)", "vecadd"},
		{"void at::fill<4, float>(float*) [clone .kd]", "at::fill"},
		{"void a<b<c>, d>::e<(f)1>(g<h>) const", "a::e"},
		{"std::array<int, 3ul> make<int>(int)", "make"},
		/* Comparisons among arguments stand in parentheses. */
		{"void f<(4 > 3), (a < b)>(int)", "f"},
		{"void f<void (*)(g<int>)>(int)", "f"},
		{"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
		{"void a::(anonymous namespace)::f<int>(int)", "a::(anonymous namespace)::f"},
		{"a::f(int)::{lambda(float)#2}::operator()(float) const",
		 "a::f::{lambda#2}::operator()"},
		{"f<x::{lambda(int)#1}>(int)", "f"},
		{"bool operator< <int>(a<int>, a<int>)", "operator<"},
		{"a& operator<< <int>(a&, int)", "operator<<"},
		{"a::operator->() const", "a::operator->"},
		{"a::operator new(unsigned long)", "a::operator new"},
		{"void my_operator<int>(int)", "my_operator"},
		/* What is not well formed stays. */
		{"f<int", "f<int"},
		{"f(int", "f(int"},
		{"f<int)", "f<int)"},
		{"<int>", "<int>"},
		/* Kernels of OpenMP: device and inode of the source. */
		{"__omp_offloading_10302_b2a3c1_main_l12", "__omp_offloading_main_l12"},
		{"__omp_offloading_main", "__omp_offloading_main"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *plain = wt_signature_name(names[i].name);

		assert_non_null(plain);
		assert_string_equal(plain, names[i].plain);
		free(plain);
	}
}

/* Every start of a long name gives something, and reads and writes no byte outside. */
static void test_cut_names(void **state)
{
	static const char name[] = "void a<(b<c)>::f<x::{lambda(int)#1}, (4 > 3)>(g<h[3]>)::"
				   "{lambda(float)#2}::operator()<int>(float) const [clone .kd]";

	(void)state;
	for (size_t length = 0; length < sizeof(name); length++) {
		char *cut = strndup(name, length), *plain;

		assert_non_null(cut);
		plain = wt_signature_name(cut);
		assert_non_null(plain);
		assert_true(strlen(plain) <= length);
		free(plain);
		free(cut);
	}
}

static void test_hash(void **state)
{
	uint64_t parts, joined, none, empty;

	(void)state;
	parts = wt_signature_add(wt_signature_add(WT_SIGNATURE_START, "a"), "bc");
	joined = wt_signature_add(wt_signature_add(WT_SIGNATURE_START, "ab"), "c");
	none = wt_signature_add(WT_SIGNATURE_START, NULL);
	empty = wt_signature_add(WT_SIGNATURE_START, "");
	assert_true(parts != joined);
	assert_true(none != empty);
	assert_true(parts == wt_signature_add(wt_signature_add(WT_SIGNATURE_START, "a"), "bc"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_cut_names),
		cmocka_unit_test(test_hash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
