/* SPDX-License-Identifier: MIT */
/* Floating point numbers of GPUs: their values, their text, and the way back. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/unit/with-cmocka.h"

#include "replayer/dwarf/real.h"

static const struct {
	enum wt_real_form form;
	unsigned int bits;
} forms[] = {
	{WT_REAL_IEEE, 16}, {WT_REAL_BFLOAT16, 16}, {WT_REAL_E4M3, 8},
	{WT_REAL_E5M2, 8},  {WT_REAL_E4M3_FNUZ, 8}, {WT_REAL_E5M2_FNUZ, 8},
};

/* Values from the documents that define the forms. */
static void test_known(void **state)
{
	static const struct {
		enum wt_real_form form;
		unsigned int bits, number;
		double real;
	} known[] = {
		{WT_REAL_IEEE, 16, 0x3c00, 1},
		{WT_REAL_IEEE, 16, 0x7bff, 65504},
		{WT_REAL_IEEE, 16, 0x0001, 0x1p-24},
		{WT_REAL_IEEE, 16, 0xfc00, -INFINITY},
		{WT_REAL_IEEE, 16, 0x7e00, NAN},
		{WT_REAL_BFLOAT16, 16, 0x3f80, 1},
		{WT_REAL_BFLOAT16, 16, 0x7f7f, 0x1.fep127},
		{WT_REAL_BFLOAT16, 16, 0x0001, 0x1p-133},
		{WT_REAL_BFLOAT16, 16, 0xff80, -INFINITY},
		{WT_REAL_E4M3, 8, 0x38, 1},
		{WT_REAL_E4M3, 8, 0x7e, 448},
		{WT_REAL_E4M3, 8, 0x7f, NAN},
		{WT_REAL_E4M3, 8, 0x01, 0x1p-9},
		{WT_REAL_E5M2, 8, 0x3c, 1},
		{WT_REAL_E5M2, 8, 0x7b, 57344},
		{WT_REAL_E5M2, 8, 0x7c, INFINITY},
		{WT_REAL_E5M2, 8, 0x7d, NAN},
		{WT_REAL_E5M2, 8, 0x01, 0x1p-16},
		{WT_REAL_E4M3_FNUZ, 8, 0x40, 1},
		{WT_REAL_E4M3_FNUZ, 8, 0x7f, 240},
		{WT_REAL_E4M3_FNUZ, 8, 0x80, NAN},
		{WT_REAL_E4M3_FNUZ, 8, 0x01, 0x1p-10},
		{WT_REAL_E5M2_FNUZ, 8, 0x40, 1},
		{WT_REAL_E5M2_FNUZ, 8, 0x7f, 57344},
		{WT_REAL_E5M2_FNUZ, 8, 0x80, NAN},
		{WT_REAL_E5M2_FNUZ, 8, 0x01, 0x1p-17},
		{WT_REAL_IEEE, 32, 0x3dcccccd, 0x1.99999ap-4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		double real = wt_real_of(known[i].form, known[i].bits, known[i].number);

		if (isnan(known[i].real))
			assert_true(isnan(real));
		else
			assert_true(real == known[i].real);
	}
}

/* Each number is its own nearest one, its text leads back to it, and no shorter text does. */
static void test_all(void **state)
{
	char text[WT_REAL_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		for (uint64_t number = 0; number >> forms[i].bits == 0; number++) {
			double real = wt_real_of(forms[i].form, forms[i].bits, number);
			double back = wt_real_round(forms[i].form, forms[i].bits, real);

			wt_real_text(forms[i].form, forms[i].bits, real, text);
			if (isnan(real)) {
				assert_true(isnan(back));
				assert_string_equal(text, "nan");
				continue;
			}
			assert_true(back == real && signbit(back) == signbit(real));
			back = strtod(text, NULL);
			back = wt_real_round(forms[i].form, forms[i].bits, back);
			assert_true(back == real);
		}
	}
}

/* Between two neighbours the nearer one is meant, and the even one in the middle. */
static void test_rounding(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		for (uint64_t number = 1; number + 1 < UINT64_C(1) << (forms[i].bits - 1);
		     number++) {
			double low = wt_real_of(forms[i].form, forms[i].bits, number);
			double high = wt_real_of(forms[i].form, forms[i].bits, number + 1);
			double middle = (low + high) / 2, even = number % 2 ? high : low;

			if (!isfinite(low) || !isfinite(high))
				continue;
			assert_true(wt_real_round(forms[i].form, forms[i].bits, middle) == even);
			assert_true(wt_real_round(forms[i].form, forms[i].bits,
						  nextafter(middle, 0)) == low);
			assert_true(wt_real_round(forms[i].form, forms[i].bits,
						  nextafter(middle, INFINITY)) == high);
		}
	}
	assert_true(isinf(wt_real_round(WT_REAL_IEEE, 16, 70000)));
	assert_true(isnan(wt_real_round(WT_REAL_E4M3, 8, 1000)));
	assert_true(isnan(wt_real_round(WT_REAL_E4M3_FNUZ, 8, INFINITY)));
}

static void test_text(void **state)
{
	static const struct {
		unsigned int bits;
		double real;
		const char *text;
	} expected[] = {
		{32, 10, "10"},
		{32, 0.1F, "0.1"},
		{32, 1e6F, "1000000"},
		{32, 123456792, "123456792"},
		{32, 1e9F, "1e+09"},
		{32, 1e-4F, "0.0001"},
		{32, 1e-5F, "1e-05"},
		{32, -0.0, "-0"},
		{32, -2.5, "-2.5"},
		{64, 1e16, "10000000000000000"},
		{64, 1e17, "1e+17"},
		{64, 5e-324, "5e-324"},
		{64, 1.7976931348623157e308, "1.7976931348623157e+308"},
		{64, 0.1, "0.1"},
		{64, 0x1p53, "9007199254740992"},
		{64, -INFINITY, "-inf"},
	};
	char text[WT_REAL_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		wt_real_text(WT_REAL_IEEE, expected[i].bits, expected[i].real, text);
		assert_string_equal(text, expected[i].text);
	}
}

static void test_classes(void **state)
{
	enum wt_real_form form;
	unsigned int bits;

	(void)state;
	assert_int_equal(wt_real_class("__half2", 32, &form, &bits), 2);
	assert_int_equal(form, WT_REAL_IEEE);
	assert_int_equal(bits, 16);
	assert_int_equal(wt_real_class("__hip_fp8x4_e5m2_fnuz", 32, &form, &bits), 4);
	assert_int_equal(form, WT_REAL_E5M2_FNUZ);
	/* A structure of another size is somebody else's. */
	assert_int_equal(wt_real_class("__half2", 64, &form, &bits), 0);
	assert_int_equal(wt_real_class("half2", 32, &form, &bits), 0);
	assert_true(wt_real_is_known(WT_REAL_BFLOAT16, 16));
	assert_false(wt_real_is_known(WT_REAL_BFLOAT16, 32));
	assert_false(wt_real_is_known(WT_REAL_IEEE, 128));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),	 cmocka_unit_test(test_all),
		cmocka_unit_test(test_rounding), cmocka_unit_test(test_text),
		cmocka_unit_test(test_classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
