/* SPDX-License-Identifier: MIT */
/* Floats: rounding and denormals by mode, NaNs, clamp, conversions, division steps, halves. */
#include "fixture.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

#include "gfx/alu/exact.h"
#include "gfx/alu/half.h"

#define NAN_DEFAULT 0x7fc00000U
#define MODE_FLUSH 0x300U /* no denormals at all */

/* v3 = op(v0, v1, v2) in all lanes, by one or two words. */
static uint32_t compute(struct fixture *fixture, const uint32_t *words, size_t count, uint32_t a,
			uint32_t b, uint32_t c)
{
	set_vgpr(fixture, 0, a);
	set_vgpr(fixture, 1, b);
	set_vgpr(fixture, 2, c);
	assert_int_equal(fixture_step(fixture, words, count), GFX_STEP_DONE);
	assert_int_equal(vgpr(fixture, 3)[0], vgpr(fixture, 3)[63]);
	return vgpr(fixture, 3)[0];
}
#define COMPUTE(fixture, a, b, c, ...)                                                             \
	compute(fixture, (const uint32_t[]){__VA_ARGS__},                                          \
		sizeof((const uint32_t[]){__VA_ARGS__}) / 4, a, b, c)
#define F float_bits

static uint64_t compute64(struct fixture *fixture, const uint32_t words[2], uint64_t a, uint64_t b,
			  uint64_t c)
{
	set_vgpr64(fixture, 10, a);
	set_vgpr64(fixture, 12, b);
	set_vgpr64(fixture, 14, c);
	assert_int_equal(fixture_step(fixture, words, 2), GFX_STEP_DONE);
	return get_vgpr64(fixture, 16, 33);
}
/* Operations on v[10:11], v[12:13], v[14:15] to v[16:17] */
#define COMPUTE64(fixture, op, a, b, c)                                                            \
	compute64(fixture,                                                                         \
		  (const uint32_t[]){VOP3(op, 16U, V(10), V(12), (op) < 500U ? V(14) : 0U)}, a, b, \
		  c)

static void test_arithmetic(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(COMPUTE(fixture, F(1.5f), F(2), 0, VOP2(1U, 3U, V(0), 1U)), F(3.5f));
	assert_int_equal(COMPUTE(fixture, F(1.5f), F(2), 0, VOP2(2U, 3U, V(0), 1U)), F(-0.5f));
	assert_int_equal(COMPUTE(fixture, F(1.5f), F(2), 0, VOP2(3U, 3U, V(0), 1U)), F(0.5f));
	assert_int_equal(COMPUTE(fixture, F(1.5f), F(2), 0, VOP2(5U, 3U, V(0), 1U)), F(3));
	/* The product is not rounded before the sum: (1+e)(1-e) - 1 = -e*e */
	assert_int_equal(COMPUTE(fixture, F(1 + FLT_EPSILON), F(1 - FLT_EPSILON), F(-1),
				 VOP3(459U, 3U, V(0), V(1), V(2))),
			 F(-FLT_EPSILON * FLT_EPSILON));
	set_vgpr(fixture, 3, F(10));
	assert_int_equal(COMPUTE(fixture, F(2), F(3), 0, VOP2(59U, 3U, V(0), 1U)), F(16));
	assert_int_equal(COMPUTE(fixture, F(2), F(3), 0, VOP2(23U, 3U, V(0), 1U), F(5)), F(13));
	assert_int_equal(COMPUTE(fixture, F(2), F(3), 0, VOP2(24U, 3U, V(0), 1U), F(5)), F(11));
}

static void test_modifiers(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t add[] = {VOP3(0x101U, 3U, V(0), V(1), 0U)};

	assert_int_equal(COMPUTE(fixture, F(-3), F(1), 0, add[0], add[1] | 1U << 29), F(4));
	assert_int_equal(COMPUTE(fixture, F(-3), F(1), 0, add[0] | 1U << 8, add[1]), F(4));
	assert_int_equal(COMPUTE(fixture, F(-3), F(1), 0, add[0] | 1U << 8, add[1] | 1U << 29),
			 F(-2));
	assert_int_equal(COMPUTE(fixture, F(3), F(1), 0, add[0] | 1U << 15, add[1]), F(1));
	assert_int_equal(COMPUTE(fixture, F(-3), F(1), 0, add[0] | 1U << 15, add[1]), 0);
	assert_int_equal(COMPUTE(fixture, NAN_DEFAULT, F(1), 0, add[0] | 1U << 15, add[1]), 0);
	/* Factors are ignored in IEEE mode, and where denormals are kept. */
	assert_int_equal(COMPUTE(fixture, F(3), F(1), 0, add[0], add[1] | 1U << 27), F(4));
	fixture->wave.mode = 0x1f0;
	assert_int_equal(COMPUTE(fixture, F(3), F(1), 0, add[0], add[1] | 1U << 27), F(4));
	fixture->wave.mode = 0x100;
	assert_int_equal(COMPUTE(fixture, F(3), F(1), 0, add[0], add[1] | 1U << 27), F(8));
	assert_int_equal(COMPUTE(fixture, F(3), F(1), 0, add[0], add[1] | 3U << 27), F(2));
}

static void test_rounding(void **state)
{
	struct fixture *fixture = *state;
	static const struct {
		uint32_t mode;
		float positive, negative; /* 1 + 2^-25 and its negative */
	} cases[] = {
		{0, 1, -1},
		{1, 1 + FLT_EPSILON, -1},
		{2, 1, -1 - FLT_EPSILON},
		{3, 1, -1},
	};

	for (size_t i = 0; i < 4; i++) {
		fixture->wave.mode = MODE_DEFAULT | cases[i].mode;
		assert_int_equal(COMPUTE(fixture, F(1), F(0x1p-25f), 0, VOP2(1U, 3U, V(0), 1U)),
				 F(cases[i].positive));
		assert_int_equal(COMPUTE(fixture, F(-1), F(-0x1p-25f), 0, VOP2(1U, 3U, V(0), 1U)),
				 F(cases[i].negative));
		/* This field is not the doubles'. */
		assert_true(COMPUTE64(fixture, 640U, double_bits(1), double_bits(0x1p-60), 0) ==
			    double_bits(1));
		/* Whole numbers do not depend on it. */
		assert_int_equal(COMPUTE(fixture, F(2.5f), 0, 0, VOP1(30U, 3U, V(0))), F(2));
	}
	fixture->wave.mode = MODE_DEFAULT | 1 << 2;
	assert_true(COMPUTE64(fixture, 640U, double_bits(1), double_bits(0x1p-60), 0) ==
		    double_bits(1 + DBL_EPSILON));
	assert_int_equal(fegetround(), FE_TONEAREST);
}

static void test_denormals(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t add = VOP2(1U, 3U, V(0), 1U), multiply = VOP2(5U, 3U, V(0), 1U);

	assert_int_equal(COMPUTE(fixture, 1, 2, 0, add), 3);
	assert_int_equal(COMPUTE(fixture, F(0x1p-100f), F(0x1p-40f), 0, multiply), 1 << 9);
	fixture->wave.mode = MODE_FLUSH;
	assert_int_equal(COMPUTE(fixture, 1, 2, 0, add), 0);
	assert_int_equal(COMPUTE(fixture, 0x80000001, 0x80000000, 0, add), 0x80000000);
	assert_int_equal(COMPUTE(fixture, F(0x1p-100f), F(-0x1p-40f), 0, multiply), 0x80000000);
	/* Doubles keep the sign, too. */
	assert_true(COMPUTE64(fixture, 640U, UINT64_C(1) << 63 | 1, UINT64_C(1) << 63, 0) ==
		    UINT64_C(1) << 63);
	assert_true(COMPUTE64(fixture, 640U, 1, 2, 0) == 0);
	/* Moves and selections keep what they move. */
	assert_int_equal(COMPUTE(fixture, 1, 2, 0, VOP1(1U, 3U, V(0))), 1);
	fixture->wave.vcc = 0;
	assert_int_equal(COMPUTE(fixture, 1, 2, 0, VOP2(0U, 3U, V(0), 1U)), 1);
	/* Inputs alone, outputs alone. */
	fixture->wave.mode = MODE_FLUSH | 2 << 4;
	assert_int_equal(COMPUTE(fixture, 1, F(0x1p-126f), 0, add), F(0x1p-126f));
	assert_int_equal(COMPUTE(fixture, F(0x1p-100f), F(0x1p-40f), 0, multiply), 1 << 9);
	fixture->wave.mode = MODE_FLUSH | 1 << 4;
	assert_int_equal(COMPUTE(fixture, 1, 2, 0, add), 0);
	assert_int_equal(COMPUTE(fixture, 1, F(1), 0, add), F(1));
}

static void test_nans(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t add = VOP2(1U, 3U, V(0), 1U), minimum = VOP2(10U, 3U, V(0), 1U);
	const uint32_t infinity = F(INFINITY);

	assert_int_equal(COMPUTE(fixture, infinity, infinity | 1U << 31, 0, add), NAN_DEFAULT);
	assert_int_equal(COMPUTE(fixture, 0xff800123, 0x7fc00456, 0, add), 0xffc00123);
	assert_int_equal(COMPUTE(fixture, F(1), 0x7fc00456, 0, add), 0x7fc00456);
	assert_int_equal(COMPUTE(fixture, F(1), 0x7fc00456, 0, minimum), F(1));
	assert_int_equal(COMPUTE(fixture, F(1), 0x7f800456, 0, minimum), 0x7fc00456);
	assert_int_equal(COMPUTE(fixture, 0, 0x80000000, 0, minimum), 0x80000000);
	fixture->wave.mode &= ~(1U << 9); /* without IEEE a signalling NaN is like any other */
	assert_int_equal(COMPUTE(fixture, F(1), 0x7f800456, 0, minimum), F(1));
	assert_int_equal(COMPUTE(fixture, F(-1), 0, 0, VOP1(39U, 3U, V(0))), NAN_DEFAULT);
}

static void test_compares(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr(fixture, 0, F(1));
	set_vgpr(fixture, 1, NAN_DEFAULT);
	RUN(fixture, VOPC(65U, V(0), 1U)); /* v_cmp_lt_f32 */
	assert_true(fixture->wave.vcc == 0);
	RUN(fixture, VOPC(78U, V(0), 1U)); /* v_cmp_nlt_f32 */
	assert_true(fixture->wave.vcc == ALL_LANES);
	RUN(fixture, VOPC(72U, V(0), 1U)); /* v_cmp_u_f32 */
	assert_true(fixture->wave.vcc == ALL_LANES);
	RUN(fixture, VOPC(68U, V(0), 0U)); /* v_cmp_gt_f32 v0, v0 */
	assert_true(fixture->wave.vcc == 0);
	RUN(fixture, VOPC(66U, 242U, 0U)); /* v_cmp_eq_f32 1.0, v0 */
	assert_true(fixture->wave.vcc == ALL_LANES);
	set_vgpr(fixture, 1, 1 << 4 | 1 << 0); /* negative denormal, signalling NaN */
	set_vgpr(fixture, 0, 0x80000001);
	RUN(fixture, VOPC(16U, V(0), 1U)); /* v_cmp_class_f32 */
	assert_true(fixture->wave.vcc == ALL_LANES);
	set_vgpr(fixture, 0, NAN_DEFAULT);
	RUN(fixture, VOPC(16U, V(0), 1U));
	assert_true(fixture->wave.vcc == 0);
	/* Absolute value and sign in the long form. */
	set_vgpr(fixture, 0, F(-2));
	{
		const uint32_t words[] = {VOP3(68U, 106U, V(0), INLINE(1), 0U)};

		RUN(fixture, words[0] | 1U << 8, words[1]); /* |v0| > (denormal 1) */
		assert_true(fixture->wave.vcc == ALL_LANES);
	}
}

static void test_conversions(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(COMPUTE(fixture, (uint32_t)-7, 0, 0, VOP1(5U, 3U, V(0))), F(-7));
	assert_int_equal(COMPUTE(fixture, (uint32_t)-1, 0, 0, VOP1(6U, 3U, V(0))), F(0x1p32f));
	assert_int_equal(COMPUTE(fixture, F(-1.9f), 0, 0, VOP1(7U, 3U, V(0))), 0);
	assert_int_equal(COMPUTE(fixture, F(1e20f), 0, 0, VOP1(7U, 3U, V(0))), UINT32_MAX);
	assert_int_equal(COMPUTE(fixture, F(-1.9f), 0, 0, VOP1(8U, 3U, V(0))), (uint32_t)-1);
	assert_int_equal(COMPUTE(fixture, F(-1e20f), 0, 0, VOP1(8U, 3U, V(0))), 0x80000000);
	assert_int_equal(COMPUTE(fixture, NAN_DEFAULT, 0, 0, VOP1(8U, 3U, V(0))), 0);
	assert_int_equal(COMPUTE(fixture, 0x00c80000, 0, 0, VOP1(19U, 3U, V(0))), F(200));
	set_vgpr64(fixture, 0, double_bits(1.0 / 3));
	RUN(fixture, VOP1(15U, 3U, V(0)));
	assert_int_equal(vgpr(fixture, 3)[0], F((float)(1.0 / 3)));
	set_vgpr(fixture, 0, F(0.1f));
	RUN(fixture, VOP1(16U, 4U, V(0)));
	assert_true(get_vgpr64(fixture, 4, 0) == double_bits((double)0.1f));
	RUN(fixture, VOP1(4U, 4U, INLINE(-16)));
	assert_true(get_vgpr64(fixture, 4, 0) == double_bits(-16));
}

static void test_parts(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(COMPUTE(fixture, F(-1.5f), 0, 0, VOP1(28U, 3U, V(0))), F(-1));
	assert_int_equal(COMPUTE(fixture, F(-1.5f), 0, 0, VOP1(29U, 3U, V(0))), F(-1));
	assert_int_equal(COMPUTE(fixture, F(-0.5f), 0, 0, VOP1(30U, 3U, V(0))), 0x80000000);
	assert_int_equal(COMPUTE(fixture, F(3.5f), 0, 0, VOP1(30U, 3U, V(0))), F(4));
	assert_int_equal(COMPUTE(fixture, F(-1.5f), 0, 0, VOP1(31U, 3U, V(0))), F(-2));
	assert_int_equal(COMPUTE(fixture, F(-1.25f), 0, 0, VOP1(27U, 3U, V(0))), F(0.75f));
	assert_int_equal(COMPUTE(fixture, 0x80000001, 0, 0, VOP1(27U, 3U, V(0))),
			 F(0x1.fffffep-1f));
	assert_int_equal(COMPUTE(fixture, F(12), 0, 0, VOP1(51U, 3U, V(0))), 4);
	assert_int_equal(COMPUTE(fixture, F(12), 0, 0, VOP1(52U, 3U, V(0))), F(0.75f));
	assert_int_equal(COMPUTE(fixture, F(3), (uint32_t)-2, 0, VOP3(648U, 3U, V(0), V(1), 0U)),
			 F(0.75f));
	assert_int_equal(COMPUTE(fixture, F(4), 0, 0, VOP1(34U, 3U, V(0))), F(0.25f));
	assert_int_equal(COMPUTE(fixture, F(4), 0, 0, VOP1(36U, 3U, V(0))), F(0.5f));
	assert_int_equal(COMPUTE(fixture, F(3), 0, 0, VOP1(32U, 3U, V(0))), F(8));
	assert_int_equal(COMPUTE(fixture, F(8), 0, 0, VOP1(33U, 3U, V(0))), F(3));
	assert_int_equal(COMPUTE(fixture, F(-7.25f), 0, 0, VOP1(41U, 3U, V(0))), F(-1));
	assert_int_equal(COMPUTE(fixture, F(2), F(-1), F(7), VOP3(470U, 3U, V(0), V(1), V(2))),
			 F(2));
}

/* The sequence compilers emit for a correctly rounded quotient, with v4 to v9 for work. */
static uint32_t divide(struct fixture *fixture, float n, float d)
{
	const uint32_t negate_first = 1U << 29;
	const uint32_t step[] = {VOP3(459U, 7U, V(4), V(6), 242U)};
	const uint32_t rest[] = {VOP3(459U, 8U, V(4), V(9), V(5))};

	set_vgpr(fixture, 0, F(n));
	set_vgpr(fixture, 1, F(d));
	RUN(fixture, VOP3B(480U, 4U, 20U, V(1), V(1), V(0))); /* scaled denominator */
	RUN(fixture, VOP3B(480U, 5U, VCC, V(0), V(1), V(0))); /* scaled numerator */
	RUN(fixture, VOP1(34U, 6U, V(4)));
	RUN(fixture, step[0], step[1] | negate_first);
	RUN(fixture, VOP3(459U, 6U, V(7), V(6), V(6)));
	RUN(fixture, VOP2(5U, 9U, V(5), 6U));
	RUN(fixture, rest[0], rest[1] | negate_first);
	RUN(fixture, VOP3(459U, 9U, V(8), V(6), V(9)));
	RUN(fixture, rest[0], rest[1] | negate_first);
	RUN(fixture, VOP3(482U, 9U, V(8), V(6), V(9))); /* v_div_fmas_f32 */
	RUN(fixture, VOP3(478U, 3U, V(9), V(1), V(0))); /* v_div_fixup_f32 */
	return vgpr(fixture, 3)[0];
}

static void test_division(void **state)
{
	static const float values[] = {
		1,	-1,	3,	 7,	     1e38f,	  -3.4e38f,
		1e-38f, 1e-44f, -1e-40f, 0x1p-149f,  0x1.8p-126f, 0x1.fffffep127f,
		0.1f,	1e10f,	-1e-20f, 12345.678f,
	};
	const size_t count = sizeof(values) / sizeof(values[0]);
	struct fixture *fixture = *state;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++) {
			volatile float quotient = values[i] / values[j];
			uint32_t result = divide(fixture, values[i], values[j]);

			if (result != F(quotient))
				fail_msg("%a / %a: %08x, expected %08x", (double)values[i],
					 (double)values[j], result, F(quotient));
		}
	}
	assert_int_equal(divide(fixture, 1, 0), F(INFINITY));
	assert_int_equal(divide(fixture, -1, 0), F(-INFINITY));
	assert_int_equal(divide(fixture, 0, -5), 0x80000000);
	assert_int_equal(divide(fixture, 5, INFINITY), 0);
	assert_true(isnan(gfx_f32(divide(fixture, 0, 0))));
	assert_true(isnan(gfx_f32(divide(fixture, INFINITY, INFINITY))));
}

static void test_doubles(void **state)
{
	struct fixture *fixture = *state;

	assert_true(COMPUTE64(fixture, 640U, double_bits(0.1), double_bits(0.2), 0) ==
		    double_bits(0.1 + 0.2));
	assert_true(COMPUTE64(fixture, 641U, double_bits(0.1), double_bits(0.2), 0) ==
		    double_bits(0.1 * 0.2));
	assert_true(COMPUTE64(fixture, 460U, double_bits(1 + DBL_EPSILON),
			      double_bits(1 - DBL_EPSILON),
			      double_bits(-1)) == double_bits(-DBL_EPSILON * DBL_EPSILON));
	assert_true(COMPUTE64(fixture, 643U, double_bits(3), double_bits((double)NAN), 0) ==
		    double_bits(3));
	fixture->wave.mode = MODE_FLUSH;
	assert_true(COMPUTE64(fixture, 640U, 1, 2, 0) == 0);
	fixture->wave.mode = MODE_DEFAULT;
	assert_true(COMPUTE64(fixture, 640U, 1, 2, 0) == 3);
	set_vgpr64(fixture, 10, double_bits(-2.5));
	RUN(fixture, VOP1(25U, 16U, V(10))); /* v_rndne_f64 */
	assert_true(get_vgpr64(fixture, 16, 0) == double_bits(-2));
	RUN(fixture, VOPC(97U, V(10), 16U)); /* v_cmp_lt_f64 */
	assert_true(fixture->wave.vcc == ALL_LANES);
	/* A literal is the upper half. */
	RUN(fixture, VOP1(56U, 4U, INLINE(0)));
	RUN(fixture, VOP2(4U, 4U, LITERAL, 10U), 0x40080000); /* v_fmac_f64 v[4:5], 3.0, v[10:11] */
	assert_true(get_vgpr64(fixture, 4, 0) == double_bits(-7.5));
}

static void test_packed(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t add[] = {VOP3P(50U, 8U, V(4), V(6), 0U)};

	set_vgpr(fixture, 4, F(1));
	set_vgpr(fixture, 5, F(2));
	set_vgpr(fixture, 6, F(10));
	set_vgpr(fixture, 7, F(20));
	RUN(fixture, add[0], add[1]); /* v_pk_add_f32 */
	assert_int_equal(vgpr(fixture, 8)[0], F(11));
	assert_int_equal(vgpr(fixture, 9)[0], F(22));
	RUN(fixture, add[0] | 2U << 11, add[1]); /* op_sel:[0,1]: low from the high of the second */
	assert_int_equal(vgpr(fixture, 8)[0], F(21));
	RUN(fixture, add[0], add[1] & ~(1U << 28)); /* op_sel_hi:[1,0] */
	assert_int_equal(vgpr(fixture, 9)[0], F(12));
	RUN(fixture, add[0] | 1U << 8, add[1] | 2U << 29); /* neg_lo:[0,1] neg_hi:[1,0] */
	assert_int_equal(vgpr(fixture, 8)[0], F(-9));
	assert_int_equal(vgpr(fixture, 9)[0], F(18));
	RUN(fixture, VOP3P(48U, 8U, V(4), V(6), V(4))); /* v_pk_fma_f32 */
	assert_int_equal(vgpr(fixture, 8)[0], F(11));
	assert_int_equal(vgpr(fixture, 9)[0], F(42));
	set_vgpr(fixture, 7, NAN_DEFAULT | 5);
	RUN(fixture, VOP3P(49U, 8U, V(4), V(6), 0U)); /* v_pk_mul_f32 */
	assert_int_equal(vgpr(fixture, 8)[0], F(10));
	assert_int_equal(vgpr(fixture, 9)[0], NAN_DEFAULT | 5);
}

/* op_sel has a bit for each source, and op_sel_hi does nothing: "v_pk_mov_b32 v0, v2, v4 op_sel:[0,1]" is v2 and v5. */
static void test_packed_move(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t move[] = {VOP3P(51U, 8U, V(4), V(6), 0U)};
	const uint32_t scalars[] = {VOP3P(51U, 8U, 6U, 6U, 0U)};

	for (uint32_t i = 4; i < 8; i++)
		set_vgpr(fixture, i, 100 * i);
	for (uint32_t op_sel = 0; op_sel < 4; op_sel++)
		for (uint32_t high = 0; high < 4; high++) {
			uint32_t last = (move[1] & ~(3U << 27)) | high << 27;

			RUN(fixture, move[0] | op_sel << 11, last);
			assert_int_equal(vgpr(fixture, 8)[0], 400 + op_sel % 2 * 100);
			assert_int_equal(vgpr(fixture, 9)[63], 600 + op_sel / 2 * 100);
		}
	fixture->wave.sgprs[6] = 66;
	fixture->wave.sgprs[7] = 77;
	RUN(fixture, scalars[0] | 2U << 11, scalars[1]); /* op_sel:[0,1]: both words of s[6:7] */
	assert_int_equal(vgpr(fixture, 8)[0], 66);
	assert_int_equal(vgpr(fixture, 9)[0], 77);
	RUN(fixture, VOP3P(51U, 4U, V(4), V(6), 0U)); /* into a source */
	assert_int_equal(vgpr(fixture, 4)[0], 400);
	assert_int_equal(vgpr(fixture, 5)[0], 600);
}

/* Of a float constant a pair of halves has the half in its low part, a pair of integers both halves of the single. */
static void test_packed_constants(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t one = 242, less_one = INLINE(-1);

	set_vgpr(fixture, 4, 0x00020001);
	RUN(fixture, VOP3P(10U, 8U, V(4), one, 0U)); /* v_pk_add_u16 v8, v4, 1.0 */
	assert_int_equal(vgpr(fixture, 8)[0], 0x3f820001);
	RUN(fixture, VOP3P(10U, 8U, V(4), less_one, 0U));
	assert_int_equal(vgpr(fixture, 8)[0], 0x00010000);
	RUN(fixture, VOP3P(39U, 8U, V(4), one, less_one)); /* v_dot2_u32_u16 v8, v4, 1.0, -1 */
	assert_int_equal(vgpr(fixture, 8)[0], 2 * 0x3f80 - 1);
	set_vgpr(fixture, 4, 0x40004400);
	RUN(fixture, VOP3P(15U, 8U, V(4), one, 0U)); /* v_pk_add_f16 v8, v4, 1.0 */
	assert_int_equal(vgpr(fixture, 8)[0], 0x40004500);
}

static void test_half_conversions(void **state)
{
	(void)state;
	for (uint32_t bits = 0; bits < 0x10000; bits++) {
		float value = gfx_half_to_float((uint16_t)bits);
		bool nan = (bits & 0x7fff) > 0x7c00;

		assert_int_equal(gfx_half_from_double((double)value, GFX_ROUND_NEAREST),
				 nan ? bits | 0x200 : bits);
	}
	/* Between two neighbours: the four directions, and the tie to even. */
	for (uint32_t bits = 0; bits < 0x7bff; bits++) {
		double low = (double)gfx_half_to_float((uint16_t)bits);
		double high = (double)gfx_half_to_float((uint16_t)(bits + 1));
		double above = low + (high - low) * 0.25;

		assert_int_equal(gfx_half_from_double((low + high) / 2, GFX_ROUND_NEAREST),
				 bits + (bits & 1));
		assert_int_equal(gfx_half_from_double(above, GFX_ROUND_NEAREST), bits);
		assert_int_equal(gfx_half_from_double(above, GFX_ROUND_UP), bits + 1);
		assert_int_equal(gfx_half_from_double(above, GFX_ROUND_DOWN), bits);
		assert_int_equal(gfx_half_from_double(-above, GFX_ROUND_DOWN), 0x8000 | (bits + 1));
		assert_int_equal(gfx_half_from_double(-above, GFX_ROUND_ZERO), 0x8000 | bits);
	}
	assert_int_equal(gfx_half_from_double(65519, GFX_ROUND_NEAREST), 0x7bff);
	assert_int_equal(gfx_half_from_double(65520, GFX_ROUND_NEAREST), 0x7c00);
	assert_int_equal(gfx_half_from_double(1e300, GFX_ROUND_ZERO), 0x7bff);
	assert_int_equal(gfx_half_from_double(1e-300, GFX_ROUND_UP), 1);
	assert_int_equal(gfx_half_from_double(1e-320, GFX_ROUND_NEAREST), 0);
}

static uint64_t next_bits(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

/* What is computed from the bits is what exact arithmetic gives, most of all where halves are near. */
/* Parts of the largest whole number, two at once. */
static void test_pairs_of_halves(void **state)
{
	static const struct {
		const char *gpu;
		uint32_t lanes, norm_signed, norm_unsigned;
	} cases[] = {
		{"gfx942", 64, 0xd2990002, 0xd29a0002},
		{"gfx1030", 32, 0xd7120002, 0xd7130002},
		{"gfx1100", 32, 0xd7120002, 0xd7130002},
		{"gfx1201", 64, 0xd7120002, 0xd7130002},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture *fixture = *state;

		if (i)
			fixture = fixture_become(state, cases[i].gpu, cases[i].lanes);
		set_vgpr(fixture, 3, 0x3c003800); /* 1, 0.5 */
		set_vgpr(fixture, 4, 0x7e00bc00); /* NaN, -1 */
		RUN(fixture, cases[i].norm_signed, 0x00020903);
		assert_int_equal(vgpr(fixture, 2)[5], 0x80014000);
		RUN(fixture, cases[i].norm_unsigned, 0x40020903); /* -v4 */
		assert_int_equal(vgpr(fixture, 2)[5], 0xffff8000);
		RUN(fixture, cases[i].norm_unsigned | 0x1800, 0x00020903); /* op_sel:[1,1,0] */
		assert_int_equal(vgpr(fixture, 2)[5], 0x0000ffff);
	}
}

static void test_half_rounding(void **state)
{
	uint64_t random = UINT64_C(0x2545f4914f6cdd1d);

	(void)state;
	for (uint32_t i = 0; i < 200000; i++) {
		uint64_t fraction = next_bits(&random), exponent = 990 + fraction % 55;
		uint64_t bits = exponent << 52 | fraction >> 63 << 63;
		uint32_t exceptions = 0;

		/* Halves, the middles between them, and what is next to either. */
		fraction =
			fraction & 1 ? fraction >> 12 : fraction >> 12 & ~((UINT64_C(1) << 41) - 1);
		bits |= (fraction + (uint64_t)(i % 3) - 1) & ((UINT64_C(1) << 52) - 1);
		assert_int_equal(gfx_half_from_double(gfx_f64(bits), GFX_ROUND_NEAREST),
				 gfx_exact_round(gfx_exact_float(bits, &gfx_double_format),
						 &gfx_half_format, GFX_ROUND_NEAREST, &exceptions));
	}
}

/* The same of products and sums. Zeros have their own rule: it is in the next test. */
static void test_half_sums(void **state)
{
	uint64_t random = UINT64_C(0x9e3779b97f4a7c15);

	(void)state;
	for (uint32_t i = 0; i < 200000; i++) {
		uint64_t bits = next_bits(&random);
		uint16_t a = (uint16_t)bits, b = (uint16_t)(bits >> 16), c = (uint16_t)(bits >> 32);
		uint32_t exceptions = 0;
		struct gfx_exact sum;

		if ((a & 0x7c00) == 0x7c00 || (b & 0x7c00) == 0x7c00 || (c & 0x7c00) == 0x7c00)
			continue;
		sum = gfx_exact_sum(gfx_exact_product(gfx_exact_float(a, &gfx_half_format),
						      gfx_exact_float(b, &gfx_half_format)),
				    gfx_exact_float(c, &gfx_half_format));
		if (sum.magnitude)
			assert_int_equal(gfx_half_fma(a, b, c, GFX_ROUND_NEAREST),
					 gfx_exact_round(sum, &gfx_half_format, GFX_ROUND_NEAREST,
							 &exceptions));
	}
}

static void test_half_fma(void **state)
{
	(void)state;
	assert_int_equal(gfx_half_fma(0x3c00, 0x3c00, 0x3c00, GFX_ROUND_NEAREST), 0x4000);
	/* 65504 + 2^-24 * 2^-24: nothing to nearest, something upward */
	assert_int_equal(gfx_half_fma(1, 1, 0x7bff, GFX_ROUND_NEAREST), 0x7bff);
	assert_int_equal(gfx_half_fma(1, 1, 0x7bff, GFX_ROUND_UP), 0x7c00);
	/* (1 + 2^-10)(1 - 2^-11) - 1 in full */
	assert_int_equal(
		gfx_half_fma(0x3c01, 0x3bff, 0xbc00, GFX_ROUND_NEAREST),
		gfx_half_from_double((1 + 0x1p-10) * (1 - 0x1p-11) - 1, GFX_ROUND_NEAREST));
	assert_int_equal(gfx_half_fma(0x3c00, 0x3c00, 0xbc00, GFX_ROUND_NEAREST), 0);
	assert_int_equal(gfx_half_fma(0x3c00, 0x3c00, 0xbc00, GFX_ROUND_DOWN), 0x8000);
	assert_int_equal(gfx_half_fma(0x7c00, 0, 0, GFX_ROUND_NEAREST), 0x7e00);
	assert_int_equal(gfx_half_fma(0x7c00, 0xbc00, 0, GFX_ROUND_NEAREST), 0xfc00);
}

static void test_halves(void **state)
{
	struct fixture *fixture = *state;

	/* v_add_f16: zeros above; v_fma_f16 leaves the other half, or writes that one. */
	set_vgpr(fixture, 3, 0xaaaaaaaa);
	assert_int_equal(COMPUTE(fixture, 0x3c00, 0x4000, 0, VOP2(31U, 3U, V(0), 1U)), 0x4200);
	set_vgpr(fixture, 3, 0xaaaaaaaa);
	assert_int_equal(COMPUTE(fixture, 0x3c00, 0x4000, 0x3c00, VOP3(518U, 3U, V(0), V(1), V(2))),
			 0xaaaa4200);
	{
		const uint32_t words[] = {VOP3(518U, 3U, V(0), V(1), V(2))};

		assert_int_equal(
			COMPUTE(fixture, 0x3c000000, 0x4000, 0x3c00, words[0] | 9U << 11, words[1]),
			0x42004200);
	}
	assert_int_equal(
		COMPUTE(fixture, 0x3c004000, 0x3c003c00, 0, VOP3P(15U, 3U, V(0), V(1), 0U)),
		0x40004200);
	assert_int_equal(COMPUTE(fixture, F(1 + 0x1p-11f), F(-1 - 0x1p-11f), 0,
				 VOP3(662U, 3U, V(0), V(1), 0U)),
			 0xbc003c00); /* v_cvt_pkrtz_f16_f32 */
	assert_int_equal(COMPUTE(fixture, 0x3555, 0, 0, VOP1(11U, 3U, V(0))), F(0x1.554p-2f));
	assert_int_equal(COMPUTE(fixture, 240U, 0, 0, VOP2(34U, 3U, 240U, 0U)), 120); /* 0.5 * x */
	/* v_fma_mix_f32 v3, v0.h, v1, v2: first source the high half */
	{
		const uint32_t words[] = {0xd3a00003U, V(0) | V(1) << 9 | V(2) << 18};

		assert_int_equal(COMPUTE(fixture, 0x40000000, F(3), F(1), words[0] | 1U << 11,
					 words[1] | 1U << 27),
				 F(7));
	}
	/* v_fma_mixlo_f16 v3, v0, v1, v2 of three halves: 2^-31 below a tie is on it in a single. */
	set_vgpr(fixture, 3, 0xaaaaaaaa);
	assert_int_equal(COMPUTE(fixture, 0x2801, 0x23fe, 0x3c01, VOP3P(33U, 3U, V(0), V(1), V(2))),
			 0xaaaa3c02);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_arithmetic),
		TEST(test_modifiers),
		TEST(test_rounding),
		TEST(test_denormals),
		TEST(test_nans),
		TEST(test_compares),
		TEST(test_conversions),
		TEST(test_parts),
		TEST(test_division),
		TEST(test_doubles),
		TEST(test_packed),
		TEST(test_packed_move),
		TEST(test_packed_constants),
		TEST(test_half_conversions),
		TEST(test_pairs_of_halves),
		TEST(test_half_rounding),
		TEST(test_half_sums),
		TEST(test_half_fma),
		TEST(test_halves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
