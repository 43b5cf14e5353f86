/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic exceptions, bit for bit: those of IEEE operations against the host's own, those of halves
 * against whole numbers.
 */
#include "raised.h"

#include <fenv.h>
#include <math.h>

#include "gfx/alu/half.h"

static const int host_rounds[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

static void set_round(struct fixture *fixture, uint32_t round)
{
	fixture->wave.mode = MODE_DEFAULT | round | round << 2;
}

static uint32_t host_flags(void)
{
	int flags = fetestexcept(FE_ALL_EXCEPT);

	return (flags & FE_INVALID ? I : 0) | (flags & FE_DIVBYZERO ? Z : 0) |
	       (flags & FE_OVERFLOW ? (uint32_t)GFX_EXCEPTION_OVERFLOW : 0U) |
	       (flags & FE_UNDERFLOW ? (uint32_t)GFX_EXCEPTION_UNDERFLOW : 0U) |
	       (flags & FE_INEXACT ? X : 0);
}

/* What the host raises for one operation. The operands and the result pass through memory. */
#define ON_HOST(round, type, expression, ...)                                                      \
	({                                                                                         \
		volatile type operands_[] = {__VA_ARGS__};                                         \
		volatile __typeof__(expression) result_;                                           \
                                                                                                   \
		fesetround(host_rounds[round]);                                                    \
		feclearexcept(FE_ALL_EXCEPT);                                                      \
		result_ = (expression);                                                            \
		(void)result_;                                                                     \
		fesetround(FE_TONEAREST);                                                          \
		host_flags();                                                                      \
	})
#define HOST_A operands_[0]
#define HOST_B operands_[1]
#define HOST_C operands_[2]

static const uint32_t singles[] = {
	0,	    0x80000000, 1,	    0x80000001, 0x007fffff, 0x80400000,
	0x00800000, 0x80800001, 0x1f800000, 0x20000003, 0x33000000, 0x33800000,
	0x3effffff, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x40400000,
	0x4b7fffff, 0xcb800001, 0x5f800000, 0x7e7fffff, 0x7f7fffff, 0xff7fffff,
	0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0xffa00000,
};

static bool is_single_denormal(uint32_t bits)
{
	return !(bits & 0x7f800000) && bits & 0x7fffff;
}

/* Infinity times zero plus a quiet NaN is invalid or not, as one likes. */
static bool is_open(double a, double b, double c)
{
	return isnan(c) && ((isinf(a) && b == 0) || (a == 0 && isinf(b)));
}

static void check_single_pair(struct fixture *fixture, uint32_t round, uint32_t a, uint32_t b)
{
	uint32_t denormal = is_single_denormal(a) || is_single_denormal(b) ? D : 0;
	float x = gfx_f32(a), y = gfx_f32(b);

	set_vgpr(fixture, 0, a);
	set_vgpr(fixture, 1, b);
	check("v_add_f32", round, a, b, 0, RAISED(fixture, VOP2(1U, 3U, V(0), 1U)),
	      denormal | ON_HOST(round, float, HOST_A + HOST_B, x, y));
	check("v_sub_f32", round, a, b, 0, RAISED(fixture, VOP2(2U, 3U, V(0), 1U)),
	      denormal | ON_HOST(round, float, HOST_A - HOST_B, x, y));
	check("v_subrev_f32", round, a, b, 0, RAISED(fixture, VOP2(3U, 3U, V(0), 1U)),
	      denormal | ON_HOST(round, float, HOST_B - HOST_A, x, y));
	check("v_mul_f32", round, a, b, 0, RAISED(fixture, VOP2(5U, 3U, V(0), 1U)),
	      denormal | ON_HOST(round, float, HOST_A *HOST_B, x, y));
}

static void check_single_fused(struct fixture *fixture, uint32_t round, const uint32_t bits[3])
{
	const uint32_t words[] = {VOP3(459U, 3U, V(0), V(1), V(2))};
	float a = gfx_f32(bits[0]), b = gfx_f32(bits[1]), c = gfx_f32(bits[2]);
	uint32_t denormal = 0;

	if (is_open((double)a, (double)b, (double)c))
		return;
	for (uint32_t i = 0; i < 3; i++) {
		set_vgpr(fixture, i, bits[i]);
		denormal |= is_single_denormal(bits[i]) ? D : 0;
	}
	check("v_fma_f32", round, bits[0], bits[1], bits[2], raised(fixture, words, 2),
	      denormal | ON_HOST(round, float, fmaf(HOST_A, HOST_B, HOST_C), a, b, c));
}

static void test_sums_of_singles(void **state)
{
	struct fixture *fixture = *state;

	/* One lane will do. */
	fixture->wave.exec = 1;
	for (uint32_t i = 0; i < 4 * COUNT(singles) * COUNT(singles); i++) {
		uint32_t round = i % 4, a = i / 4 % COUNT(singles), b = i / 4 / COUNT(singles);

		set_round(fixture, round);
		check_single_pair(fixture, round, singles[a], singles[b]);
		/* Every other third operand, others in each rounding mode. */
		for (uint32_t c = round % 2; c < COUNT(singles); c += 2)
			check_single_fused(fixture, round,
					   (const uint32_t[]){singles[a], singles[b], singles[c]});
	}
}

/* Scaling by what is a number: one product. */
static void check_scaling(struct fixture *fixture, uint32_t round, uint32_t a)
{
	static const int32_t exponents[] = {-126, -125, -24, -1, 0, 1, 25, 127};

	for (size_t i = 0; i < COUNT(exponents); i++) {
		float factor = exp2f((float)exponents[i]);

		set_vgpr(fixture, 1, (uint32_t)exponents[i]);
		check("v_ldexp_f32", round, a, (uint32_t)exponents[i], 0,
		      RAISED(fixture, VOP3(648U, 3U, V(0), V(1), 0U)),
		      (is_single_denormal(a) ? D : 0) |
			      ON_HOST(round, float, HOST_A *HOST_B, gfx_f32(a), factor));
	}
}

/* C does not say what the host makes of a number that is out of range. */
static uint32_t to_i32_flags(double value)
{
	double towards_zero = trunc(value);

	if (isnan(value) || towards_zero < INT32_MIN || towards_zero > INT32_MAX)
		return I;
	return towards_zero == value ? 0 : X;
}

static void test_functions_of_singles(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.exec = 1;
	for (uint32_t i = 0; i < 4 * COUNT(singles); i++) {
		uint32_t round = i % 4, a = singles[i / 4],
			 denormal = is_single_denormal(a) ? D : 0;
		const uint32_t to_i32[] = {VOP3(0x148U, 3U, V(0), 0U, 0U)};
		float x = gfx_f32(a);

		set_round(fixture, round);
		set_vgpr(fixture, 0, a);
		check("v_rcp_f32", round, a, 0, 0, RAISED(fixture, VOP1(34U, 3U, V(0))),
		      denormal | ON_HOST(round, float, 1 / HOST_A, x));
		check("v_sqrt_f32", round, a, 0, 0, RAISED(fixture, VOP1(39U, 3U, V(0))),
		      denormal | ON_HOST(round, float, sqrtf(HOST_A), x));
		check("v_cvt_f64_f32", round, a, 0, 0, RAISED(fixture, VOP1(16U, 4U, V(0))),
		      denormal | ON_HOST(round, float, (double)HOST_A, x));
		check("v_cvt_i32_f32 clamp", round, a, 0, 0,
		      RAISED(fixture, to_i32[0] | 1U << 15, to_i32[1]),
		      denormal | to_i32_flags((double)x));
		check("v_cvt_f32_i32", round, a, 0, 0, RAISED(fixture, VOP1(5U, 3U, V(0))),
		      ON_HOST(round, int32_t, (float)HOST_A, (int32_t)a));
		check("v_cvt_f32_u32", round, a, 0, 0, RAISED(fixture, VOP1(6U, 3U, V(0))),
		      ON_HOST(round, uint32_t, (float)HOST_A, a));
		check_scaling(fixture, round, a);
	}
}

static const uint64_t doubles[] = {
	0,
	UINT64_C(0x8000000000000000),
	1,
	UINT64_C(0x800fffffffffffff),
	UINT64_C(0x0010000000000000),
	UINT64_C(0x8010000000000001),
	UINT64_C(0x1ff0000000000001),
	UINT64_C(0x3690000000000000), /* half of the smallest single */
	UINT64_C(0x380fffffffffffff), /* just below the smallest normal one */
	UINT64_C(0x380fffffe0000000),
	UINT64_C(0x3ca0000000000000),
	UINT64_C(0x3fefffffffffffff),
	UINT64_C(0x3ff0000000000000),
	UINT64_C(0xbff0000000000001),
	UINT64_C(0x3fd5555555555555),
	UINT64_C(0x4008000000000000),
	UINT64_C(0x433fffffffffffff),
	UINT64_C(0x47efffffe0000000), /* the largest single, and what rounds to infinity */
	UINT64_C(0xc7effffff0000000),
	UINT64_C(0x5ff0000000000000),
	UINT64_C(0x7fefffffffffffff),
	UINT64_C(0xffefffffffffffff),
	UINT64_C(0x7ff0000000000000),
	UINT64_C(0xfff0000000000000),
	UINT64_C(0x7ff8000000000000),
	UINT64_C(0x7ff0000000000001),
};

static bool is_double_denormal(uint64_t bits)
{
	return !(bits & UINT64_C(0x7ff0000000000000)) && bits & UINT64_C(0xfffffffffffff);
}

static void check_doubles(struct fixture *fixture, uint32_t round, uint64_t a, uint64_t b)
{
	uint32_t denormal = is_double_denormal(a) || is_double_denormal(b) ? D : 0;
	double x = gfx_f64(a), y = gfx_f64(b);

	set_vgpr64(fixture, 10, a);
	set_vgpr64(fixture, 12, b);
	check("v_add_f64", round, a, b, 0, RAISED(fixture, VOP3(640U, 16U, V(10), V(12), 0U)),
	      denormal | ON_HOST(round, double, HOST_A + HOST_B, x, y));
	check("v_mul_f64", round, a, b, 0, RAISED(fixture, VOP3(641U, 16U, V(10), V(12), 0U)),
	      denormal | ON_HOST(round, double, HOST_A *HOST_B, x, y));
	for (size_t i = round % 2; i < COUNT(doubles); i += 2) {
		uint64_t c = doubles[i];

		set_vgpr64(fixture, 14, c);
		if (is_open(x, y, gfx_f64(c)))
			continue;
		check("v_fma_f64", round, a, b, c,
		      RAISED(fixture, VOP3(460U, 16U, V(10), V(12), V(14))),
		      denormal | (is_double_denormal(c) ? D : 0) |
			      ON_HOST(round, double, fma(HOST_A, HOST_B, HOST_C), x, y,
				      gfx_f64(c)));
	}
}

static void test_doubles(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.exec = 1;
	for (uint32_t i = 0; i < 4 * COUNT(doubles); i++) {
		uint64_t a = doubles[i / 4];
		uint32_t round = i % 4, denormal = is_double_denormal(a) ? D : 0;
		const uint32_t to_i32[] = {VOP3(0x143U, 3U, V(10), 0U, 0U)};
		double x = gfx_f64(a);

		set_round(fixture, round);
		for (size_t j = 0; j < COUNT(doubles); j++)
			check_doubles(fixture, round, a, doubles[j]);
		set_vgpr64(fixture, 10, a);
		check("v_rcp_f64", round, a, 0, 0, RAISED(fixture, VOP1(37U, 16U, V(10))),
		      denormal | ON_HOST(round, double, 1 / HOST_A, x));
		check("v_sqrt_f64", round, a, 0, 0, RAISED(fixture, VOP1(40U, 16U, V(10))),
		      denormal | ON_HOST(round, double, sqrt(HOST_A), x));
		check("v_cvt_f32_f64", round, a, 0, 0, RAISED(fixture, VOP1(15U, 3U, V(10))),
		      denormal | ON_HOST(round, double, (float)HOST_A, x));
		check("v_cvt_i32_f64 clamp", round, a, 0, 0,
		      RAISED(fixture, to_i32[0] | 1U << 15, to_i32[1]), denormal | to_i32_flags(x));
	}
}

static const uint16_t halves[] = {
	0,	0x8000, 1,	0x8001, 0x03ff, 0x83fe, 0x0400, 0x0401, 0x8400,
	0x0c01, 0x1000, 0x1400, 0x3555, 0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x4200,
	0x5c00, 0x77ff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfd00,
};

static bool is_half_denormal(uint32_t half)
{
	return !(half & 0x7c00) && half & 0x3ff;
}

__extension__ typedef __int128 whole;

/* A finite half as a multiple of 2^-24. */
static whole half_units(uint32_t half)
{
	return (whole)((double)gfx_half_to_float((uint16_t)half) * 0x1p24);
}

/* What a value in units of 2^-48 raises when it is rounded to @result. */
static uint32_t half_flags(whole value, uint32_t round, uint32_t result)
{
	bool away = round == GFX_ROUND_NEAREST || (round == GFX_ROUND_UP && value > 0) ||
		    (round == GFX_ROUND_DOWN && value < 0);
	whole size = value < 0 ? -value : value, normal = (whole)1 << 34;
	/* From here on it is rounded up past the largest number, or to the smallest normal one. */
	whole huge = ((whole)65536 << 48) - ((whole)(away ? 16 : 0) << 48);
	whole up = normal - (away ? normal >> 12 : 0);

	if (away && round != GFX_ROUND_NEAREST) {
		huge = ((whole)65504 << 48) + 1;
		up = normal - (normal >> 11) + 1;
	}
	if (size >= huge)
		return O;
	if (value == half_units(result) * (1 << 24))
		return 0;
	return size < up ? U : X;
}

/* NaNs and infinities: true if they settle it. */
static bool half_specials(const uint32_t operands[3], bool multiplies, uint32_t *expected_ret)
{
	bool nan = false, infinite = false, signalling = false;

	for (uint32_t i = 0; i < 3; i++) {
		uint32_t size = operands[i] & 0x7fff;

		nan |= size > 0x7c00;
		signalling |= size > 0x7c00 && size < 0x7e00;
		infinite |= size == 0x7c00;
	}
	*expected_ret = signalling ? I : 0;
	if (!nan && infinite) {
		double a = (double)gfx_half_to_float((uint16_t)operands[0]);
		double b = (double)gfx_half_to_float((uint16_t)operands[1]);
		double c = (double)gfx_half_to_float((uint16_t)operands[2]);

		*expected_ret = isnan(multiplies ? a * b + c : a + b) ? I : 0;
	}
	return nan || infinite;
}

static uint32_t half_expected(const struct fixture *fixture, uint32_t round, uint32_t a, uint32_t b,
			      uint32_t c, whole value, bool multiplies)
{
	uint32_t denormal =
		is_half_denormal(a) || is_half_denormal(b) || is_half_denormal(c) ? D : 0;
	uint32_t expected;

	if (half_specials((const uint32_t[]){a, b, c}, multiplies, &expected))
		return denormal | expected;
	return denormal | half_flags(value, round, fixture->vgprs[3 * GFX_MAX_LANES] & 0xffff);
}

/* Wherever a half is one of a pair, the other one raises nothing. */
static void set_half_operands(struct fixture *fixture, uint32_t a, uint32_t b, uint32_t c,
			      bool high)
{
	const uint32_t one = 0x3c00;

	set_vgpr(fixture, 0, high ? a << 16 | one : a | one << 16);
	set_vgpr(fixture, 1, high ? b << 16 | one : b | one << 16);
	set_vgpr(fixture, 2, high ? c << 16 | one : c | one << 16);
}

static void check_halves(struct fixture *fixture, uint32_t round, uint32_t a, uint32_t b)
{
	whole x = 0, y = 0;
	uint32_t ours;

	if ((a & 0x7c00) != 0x7c00 && (b & 0x7c00) != 0x7c00) {
		x = half_units(a);
		y = half_units(b);
	}
	set_half_operands(fixture, a, b, 0, false);
	ours = RAISED(fixture, VOP2(31U, 3U, V(0), 1U));
	check("v_add_f16", round, a, b, 0, ours,
	      half_expected(fixture, round, a, b, 0, (x + y) * (1 << 24), false));
	check("v_pk_add_f16", round, a, b, 0, RAISED(fixture, VOP3P(15U, 4U, V(0), V(1), 0U)),
	      ours);
	ours = RAISED(fixture, VOP2(32U, 3U, V(0), 1U));
	check("v_sub_f16", round, a, b, 0, ours,
	      half_expected(fixture, round, a, b ^ 0x8000, 0, (x - y) * (1 << 24), false));
	ours = RAISED(fixture, VOP2(33U, 3U, V(0), 1U));
	check("v_subrev_f16", round, a, b, 0, ours,
	      half_expected(fixture, round, a ^ 0x8000, b, 0, (y - x) * (1 << 24), false));
	ours = RAISED(fixture, VOP2(34U, 3U, V(0), 1U));
	check("v_mul_f16", round, a, b, 0, ours,
	      half_expected(fixture, round, a, b, 0, x * y, true));
	set_half_operands(fixture, a, b, 0, true);
	check("v_pk_mul_f16", round, a, b, 0, RAISED(fixture, VOP3P(16U, 4U, V(0), V(1), 0U)),
	      ours);
}

/* The host rounds to a single first, which is a multiple of 2^-48 as well. */
static void check_mixed(struct fixture *fixture, uint32_t round, uint32_t a, uint32_t b, uint32_t c,
			uint32_t denormal)
{
	const uint32_t words[] = {VOP3P(33U, 3U, V(0), V(1), V(2))};
	uint32_t ours = raised(fixture, words, 2), expected;
	float x = gfx_half_to_float((uint16_t)a), y = gfx_half_to_float((uint16_t)b);
	volatile float z = gfx_half_to_float((uint16_t)c), sum;

	if (!half_specials((const uint32_t[]){a, b, c}, true, &expected)) {
		expected = ON_HOST(round, float, fmaf(HOST_A, HOST_B, HOST_C), x, y, z);
		fesetround(host_rounds[round]);
		sum = fmaf(x, y, z);
		fesetround(FE_TONEAREST);
		expected |= half_flags((whole)((double)sum * 0x1p48), round,
				       vgpr(fixture, 3)[0] & 0xffff);
	}
	check("v_fma_mixlo_f16", round, a, b, c, ours, denormal | expected);
}

static void check_half_fused(struct fixture *fixture, uint32_t round, uint32_t a, uint32_t b,
			     uint32_t c)
{
	bool finite = (a & 0x7c00) != 0x7c00 && (b & 0x7c00) != 0x7c00 && (c & 0x7c00) != 0x7c00;
	whole value = 0;
	uint32_t ours;

	if (finite)
		value = half_units(a) * half_units(b) + half_units(c) * (1 << 24);
	set_half_operands(fixture, a, b, c, false);
	ours = RAISED(fixture, VOP3(518U, 3U, V(0), V(1), V(2)));
	check("v_fma_f16", round, a, b, c, ours,
	      half_expected(fixture, round, a, b, c, value, true));
	check_mixed(fixture, round, a, b, c, ours & D);
	set_half_operands(fixture, a, b, c, true);
	check("v_pk_fma_f16", round, a, b, c, RAISED(fixture, VOP3P(14U, 4U, V(0), V(1), V(2))),
	      ours);
}

static void test_halves(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.exec = 1;
	for (uint32_t i = 0; i < 4 * COUNT(halves) * COUNT(halves); i++) {
		uint32_t round = i % 4, a = halves[i / 4 % COUNT(halves)];
		uint32_t b = halves[i / 4 / COUNT(halves)];

		set_round(fixture, round);
		check_halves(fixture, round, a, b);
		for (uint32_t c = round % 2; c < COUNT(halves); c += 2)
			check_half_fused(fixture, round, a, b, halves[c]);
	}
}

/* Singles and whole numbers as halves. All of these singles are multiples of 2^-48, or far below. */
static void test_conversions_to_halves(void **state)
{
	static const float values[] = {
		0x1p-40f,	-0x1p-25f,    0x1.000002p-25f, 0x1p-24f, 0x1.8p-24f,   0x1.ffcp-15f,
		0x1.ffep-15f,	0x1.fffp-15f, 0x1.ffefp-15f,   0x1p-14f, 0x1.001p-14f, 1,
		1.0009765625f,	0x1.001p0f,   -0x1.003p0f,     65504,	 65519,	       65520,
		0x1.ffdffep15f, 65536,	      -70000,	       1e20f,
	};
	struct fixture *fixture = *state;

	for (uint32_t i = 0; i < 4 * COUNT(values); i++) {
		uint32_t round = i % 4, bits = F(values[i / 4]), ours;
		double size = fmin(fabs((double)values[i / 4]), 0x1p20);
		whole value = (whole)(copysign(size, (double)values[i / 4]) * 0x1p48);

		set_round(fixture, round);
		set_vgpr(fixture, 0, bits);
		ours = RAISED(fixture, VOP1(10U, 3U, V(0)));
		check("v_cvt_f16_f32", round, bits, 0, 0, ours,
		      half_flags(value, round, vgpr(fixture, 3)[0]));
	}
	for (uint32_t i = 0; i < 4 * 0x10000; i += 4 * 31 + 1) {
		uint32_t round = i % 4, bits = i / 4, ours;

		set_round(fixture, round);
		set_vgpr(fixture, 0, bits);
		ours = RAISED(fixture, VOP1(57U, 3U, V(0)));
		check("v_cvt_f16_u16", round, bits, 0, 0, ours,
		      half_flags((whole)bits << 48, round, vgpr(fixture, 3)[0]));
		ours = RAISED(fixture, VOP1(58U, 3U, V(0)));
		check("v_cvt_f16_i16", round, bits, 0, 0, ours,
		      half_flags((whole)(int16_t)bits * ((whole)1 << 48), round,
				 vgpr(fixture, 3)[0]));
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_sums_of_singles), TEST(test_functions_of_singles),  TEST(test_doubles),
		TEST(test_halves),	    TEST(test_conversions_to_halves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
