/* SPDX-License-Identifier: MIT */
/* Floats in scalar registers, which gfx1150 to gfx1153 have: results against the host's in every mode. */
#include "fixture.h"

#include <fenv.h>
#include <math.h>

#include "gfx/alu/half.h"
#include "gfx/isa/uses.h"

#define NAN_DEFAULT 0x7fc00000U
#define DENORMALS 0xf0U /* all are kept */
#define F float_bits
#define ROUNDS 20000

/* Opcodes. */
enum {
	ADD = 64,
	SUB,
	MIN,
	MAX,
	MUL,
	FMAAK,
	FMAMK,
	FMAC,
	PACK,
	ADD_HALF,
	SUB_HALF,
	MIN_HALF,
	MAX_HALF,
	MUL_HALF,
	FMAC_HALF,
};
enum {
	CEIL = 96,
	FLOOR,
	TRUNC,
	NEAREST,
	FROM_INT,
	FROM_UINT,
	TO_INT,
	TO_UINT,
	TO_HALF,
	FROM_HALF,
	FROM_HIGH_HALF,
	CEIL_HALF,
	FLOOR_HALF,
	TRUNC_HALF,
	NEAREST_HALF,
};

static const int host_rounds[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

static struct fixture *prepare(void **state, uint32_t mode)
{
	struct fixture *fixture = fixture_become(state, "gfx1151", 32);

	/* No lane is active: that is no matter. */
	fixture->wave.exec = 0;
	fixture->wave.mode = mode;
	fixture->wave.status &= ~1U;
	return fixture;
}

/* s4 = op(s5, s6). What is in s4 before is @old. scc stays, and s7. */
static uint32_t two(struct fixture *fixture, uint32_t op, uint32_t a, uint32_t b, uint32_t old)
{
	uint32_t scc = a & 1;

	fixture->wave.sgprs[4] = old;
	fixture->wave.sgprs[5] = a;
	fixture->wave.sgprs[6] = b;
	fixture->wave.sgprs[7] = 0x12345678;
	fixture->wave.status = (fixture->wave.status & ~1U) | scc;
	RUN(fixture, SOP2(op, 4U, S(5), S(6)));
	assert_int_equal(fixture->wave.status & 1, scc);
	assert_int_equal(fixture->wave.sgprs[7], 0x12345678);
	return fixture->wave.sgprs[4];
}

static uint32_t one(struct fixture *fixture, uint32_t op, uint32_t a)
{
	fixture->wave.sgprs[5] = a;
	RUN(fixture, SOP1(op, 4U, S(5)));
	return fixture->wave.sgprs[4];
}

static float number(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static bool is_nan(uint32_t bits)
{
	return (bits & 0x7fffffff) > 0x7f800000;
}

static uint32_t next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (uint32_t)(*state >> 32);
}

/* Any bits, and often those at an end: zeros, denormals, the largest ones, infinities, NaNs; others are near each other. */
static uint32_t any_single(uint64_t *state)
{
	static const uint32_t ends[] = {0,	    1,		0x007fffff, 0x00800000, 0x7f7fffff,
					0x7f800000, 0x7f800001, 0x7fc12345, 0x3f800000, 0x00400000};
	uint32_t bits = next(state), which = next(state) % 30;

	if (which < 10)
		return ends[which] | (bits & 0x80000000);
	return which < 20 ? (bits & 0x81ffffff) | 0x3e000000 : bits;
}

/* The NaN of a result that is one: of the first source that is one, quiet, or the usual. */
static uint32_t with_nan(float result, const uint32_t *sources, uint32_t count)
{
	if (!isnan(result))
		return F(result);
	for (uint32_t i = 0; i < count; i++)
		if (is_nan(sources[i]))
			return sources[i] | 0x400000;
	return NAN_DEFAULT;
}

static void check_singles(struct fixture *fixture, int round, const uint32_t x[3])
{
	volatile float a = number(x[0]), b = number(x[1]), c = number(x[2]);
	volatile float sum, difference, product, fused, keyed;

	fesetround(round);
	sum = a + b;
	difference = a - b;
	product = a * b;
	fused = fmaf(a, b, c);
	keyed = fmaf(a, c, b);
	fesetround(FE_TONEAREST);
	assert_int_equal(two(fixture, ADD, x[0], x[1], 0), with_nan(sum, x, 2));
	assert_int_equal(two(fixture, SUB, x[0], x[1], 0), with_nan(difference, x, 2));
	assert_int_equal(two(fixture, MUL, x[0], x[1], 0), with_nan(product, x, 2));
	assert_int_equal(two(fixture, FMAC, x[0], x[1], x[2]), with_nan(fused, x, 3));
	fixture->wave.sgprs[4] = 0;
	RUN(fixture, SOP2((uint32_t)FMAAK, 4U, S(5), S(6)), x[2]);
	assert_int_equal(fixture->wave.sgprs[4], with_nan(fused, x, 3));
	RUN(fixture, SOP2((uint32_t)FMAMK, 4U, S(5), S(6)), x[2]);
	assert_int_equal(fixture->wave.sgprs[4],
			 with_nan(keyed, (const uint32_t[]){x[0], x[2], x[1]}, 3));
}

static void test_singles(void **state)
{
	uint64_t seed = 1;

	for (uint32_t mode = 0; mode < 4; mode++) {
		struct fixture *fixture = prepare(state, DENORMALS | mode);

		for (uint32_t i = 0; i < ROUNDS; i++) {
			const uint32_t x[] = {any_single(&seed), any_single(&seed),
					      any_single(&seed)};

			check_singles(fixture, host_rounds[mode], x);
		}
	}
}

/* Sums and products of halves are exact as doubles, and are rounded once. */
static void test_halves(void **state)
{
	uint64_t seed = 2;

	for (uint32_t mode = 0; mode < 4; mode++) {
		struct fixture *fixture = prepare(state, DENORMALS | mode << 2);
		enum gfx_round round = (enum gfx_round)mode;

		for (uint32_t i = 0; i < ROUNDS; i++) {
			uint32_t a = next(&seed), b = next(&seed), c = next(&seed) & 0xffff;
			double x = (double)gfx_half_to_float((uint16_t)a),
			       y = (double)gfx_half_to_float((uint16_t)b);
			uint32_t fused = gfx_half_fma((uint16_t)a, (uint16_t)b, (uint16_t)c, round);

			/* The upper half of a source is no matter, that of the result is zero. */
			if (isnan(x) || isnan(y) || isnan(x * y) || isnan(x + y) || isnan(x - y))
				continue;
			if (x + y != 0)
				assert_int_equal(two(fixture, ADD_HALF, a, b, c),
						 gfx_half_from_double(x + y, round));
			if (x - y != 0)
				assert_int_equal(two(fixture, SUB_HALF, a, b, c),
						 gfx_half_from_double(x - y, round));
			assert_int_equal(two(fixture, MUL_HALF, a, b, c),
					 gfx_half_from_double(x * y, round));
			if ((fused & 0x7fff) <= 0x7c00)
				assert_int_equal(two(fixture, FMAC_HALF, a, b, c), fused);
			if (x != y)
				assert_int_equal(two(fixture, MIN_HALF, a, b, c),
						 (x < y ? a : b) & 0xffff);
			if (x != y)
				assert_int_equal(two(fixture, MAX_HALF, a, b, c),
						 (x > y ? a : b) & 0xffff);
		}
	}
}

/* Inputs that are flushed count as zeros, and so do results. The two widths have bits of their own. */
static void test_denormals(void **state)
{
	struct fixture *fixture = prepare(state, 0xc0);

	assert_int_equal(two(fixture, ADD, 0x80000001, 0x00400000, 0), 0);
	assert_int_equal(two(fixture, MUL, F(0x1p-100f), F(-0x1p-30f), 0), 0x80000000);
	assert_int_equal(two(fixture, MIN, 0x007fffff, F(1), 0), 0);
	assert_int_equal(two(fixture, FMAC, F(2), 0x00400000, F(3)), F(3));
	assert_int_equal(two(fixture, ADD_HALF, 1, 1, 0), 2);
	RUN(fixture, SOPC(68U, S(5), INLINE(0))); /* s_cmp_gt_f32: of 1, a denormal */
	assert_int_equal(fixture->wave.status & 1, 0);
	fixture = prepare(state, 0x30);
	assert_int_equal(two(fixture, ADD, 0x00000001, 0x00400000, 0), 0x00400001);
	assert_int_equal(two(fixture, ADD_HALF, 1, 0x3c00, 0), 0x3c00);
	assert_int_equal(two(fixture, MUL_HALF, 0x0400, 0x3800, 0), 0);
	RUN(fixture, SOPC(68U, S(5), INLINE(0)));
	assert_int_equal(fixture->wave.status & 1, 1);
	/* Inputs alone, and results alone. */
	fixture = prepare(state, 0x20);
	assert_int_equal(two(fixture, MUL, F(0x1p-100f), F(0x1p-40f), 0), 0x00000200);
	assert_int_equal(two(fixture, ADD, 0x00000001, 0x00400000, 0), 0);
	fixture = prepare(state, 0x10);
	assert_int_equal(two(fixture, MUL, 0x00400000, F(0x1p20f), 0), F(0x1p-107f));
	assert_int_equal(two(fixture, ADD, 0x00000001, 0x00400000, 0), 0);
}

static void test_extremes(void **state)
{
	struct fixture *fixture = prepare(state, DENORMALS);

	assert_int_equal(two(fixture, MIN, F(-0.0f), F(0), 0), F(-0.0f));
	assert_int_equal(two(fixture, MAX, F(-0.0f), F(0), 0), F(0));
	assert_int_equal(two(fixture, MIN, F(3), F(-2), 0), F(-2));
	assert_int_equal(two(fixture, MAX, F(3), F(-2), 0), F(3));
	assert_int_equal(two(fixture, MIN, 0x7fc00001, F(-2), 0), F(-2));
	assert_int_equal(two(fixture, MAX, F(3), 0x7f800001, 0), F(3));
	fixture = prepare(state, DENORMALS | 1U << 9);
	assert_int_equal(two(fixture, MAX, F(3), 0x7f800001, 0), 0x7fc00001);
	assert_int_equal(two(fixture, MIN, F(3), 0x7fc00001, 0), F(3));
}

static uint32_t whole(double value, double low, double high)
{
	if (isnan(value))
		return 0;
	value = trunc(value);
	return (uint32_t)(int64_t)(value < low ? low : value > high ? high : value);
}

static void check_conversions(struct fixture *fixture, int round, uint32_t bits)
{
	volatile int32_t integer = (int32_t)bits;
	volatile uint32_t natural = bits;
	volatile float single = number(bits), from_integer, from_natural;

	fesetround(round);
	from_integer = (float)integer;
	from_natural = (float)natural;
	fesetround(FE_TONEAREST);
	assert_int_equal(one(fixture, FROM_INT, bits), F(from_integer));
	assert_int_equal(one(fixture, FROM_UINT, bits), F(from_natural));
	assert_int_equal(one(fixture, TO_INT, bits), whole((double)single, INT32_MIN, INT32_MAX));
	assert_int_equal(one(fixture, TO_UINT, bits), whole((double)single, 0, UINT32_MAX));
	assert_int_equal(one(fixture, CEIL, bits), with_nan(ceilf(single), &bits, 1));
	assert_int_equal(one(fixture, FLOOR, bits), with_nan(floorf(single), &bits, 1));
	assert_int_equal(one(fixture, TRUNC, bits), with_nan(truncf(single), &bits, 1));
	assert_int_equal(one(fixture, NEAREST, bits), with_nan(nearbyintf(single), &bits, 1));
	if (!isnan(gfx_half_to_float((uint16_t)bits)))
		assert_int_equal(one(fixture, FROM_HALF, bits),
				 F(gfx_half_to_float((uint16_t)bits)));
	if (!isnan(gfx_half_to_float((uint16_t)(bits >> 16))))
		assert_int_equal(one(fixture, FROM_HIGH_HALF, bits),
				 F(gfx_half_to_float((uint16_t)(bits >> 16))));
}

static void test_conversions(void **state)
{
	uint64_t seed = 3;

	for (uint32_t mode = 0; mode < 4; mode++) {
		struct fixture *fixture = prepare(state, DENORMALS | mode | mode << 2);
		enum gfx_round round = (enum gfx_round)mode;

		for (uint32_t i = 0; i < ROUNDS; i++) {
			uint32_t bits = any_single(&seed);

			check_conversions(fixture, host_rounds[mode], bits);
			if (!is_nan(bits))
				assert_int_equal(one(fixture, TO_HALF, bits),
						 gfx_half_from_double((double)number(bits), round));
		}
		/* 2.5 and -0.5: whatever the mode is. */
		assert_int_equal(one(fixture, CEIL_HALF, 0xffff4100), 0x4200);
		assert_int_equal(one(fixture, FLOOR_HALF, 0xffffb800), 0xbc00);
		assert_int_equal(one(fixture, TRUNC_HALF, 0x4100), 0x4000);
		assert_int_equal(one(fixture, NEAREST_HALF, 0x4100), 0x4000);
		/* Towards zero. */
		assert_int_equal(two(fixture, PACK, F(2.999999f), F(-65519), 0), 0xfbff41ff);
	}
}

static bool holds(uint32_t condition, double a, double b)
{
	bool unordered = isnan(a) || isnan(b);
	const bool conditions[] = {false,
				   a<b, a == b, a <= b, a>
					   b,
				   !unordered && a != b,
				   a >= b,
				   !unordered,
				   unordered,
				   !(a >= b),
				   unordered || a == b,
				   !(a > b),
				   !(a <= b),
				   !(a == b),
				   !(a < b)};

	return conditions[condition];
}

static void test_compares(void **state)
{
	struct fixture *fixture = prepare(state, DENORMALS);
	uint64_t seed = 4;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t a = any_single(&seed), b = i % 5 ? any_single(&seed) : a;
		uint32_t condition = 1 + i % 14;

		fixture->wave.sgprs[5] = a;
		fixture->wave.sgprs[6] = b;
		RUN(fixture, SOPC(64 + condition, S(5), S(6)));
		assert_int_equal(fixture->wave.status & 1,
				 holds(condition, (double)number(a), (double)number(b)));
		RUN(fixture, SOPC(80 + condition, S(5), S(6)));
		assert_int_equal(fixture->wave.status & 1,
				 holds(condition, (double)gfx_half_to_float((uint16_t)a),
				       (double)gfx_half_to_float((uint16_t)b)));
	}
}

/* Constants are singles or halves as the operation is. */
static void test_operands(void **state)
{
	struct fixture *fixture = prepare(state, DENORMALS);

	RUN(fixture, SOP2((uint32_t)ADD, 4U, 242U, 244U)); /* 1.0 and 2.0 */
	assert_int_equal(fixture->wave.sgprs[4], F(3));
	RUN(fixture, SOP2((uint32_t)ADD_HALF, 4U, 242U, 244U));
	assert_int_equal(fixture->wave.sgprs[4], 0x4200);
	RUN(fixture, SOP2((uint32_t)MUL, VCC, LITERAL, LITERAL), F(3));
	assert_int_equal((uint32_t)fixture->wave.vcc, F(9));
	RUN(fixture, SOP1((uint32_t)FROM_INT, 4U, INLINE(-5)));
	assert_int_equal(fixture->wave.sgprs[4], F(-5));
}

/* Exceptions are noted while a bit of mode asks for one, though no lane is active. */
static void test_exceptions(void **state)
{
	struct fixture *fixture = prepare(state, DENORMALS | 1U << 12);

	fixture->wave.trapsts = 0;
	two(fixture, MUL, F(0x1p100f), F(0x1p100f), 0);
	assert_int_equal(fixture->wave.trapsts & 0x7f, 0x28); /* overflow, inexact */
	fixture->wave.trapsts = 0;
	two(fixture, SUB, 0x7f800000, 0x7f800000, 0);
	assert_int_equal(fixture->wave.trapsts & 0x7f, 1); /* invalid */
}

static struct gfx_uses uses_of(uint32_t word, uint32_t second)
{
	const uint32_t words[] = {word, second};
	struct gfx_instruction instruction;
	struct gfx_uses uses;

	assert_int_equal(gfx_decode(gfx_architecture_by_name("gfx1151"), words, 2, &instruction),
			 GFX_DECODE_OK);
	gfx_instruction_uses(&instruction, 32, &uses);
	return uses;
}

static void test_uses(void **state)
{
	struct gfx_uses uses = uses_of(SOP2((uint32_t)ADD, 4U, S(5), S(6)), 0);

	(void)state;
	assert_int_equal(uses.read_count, 2);
	assert_int_equal(uses.write_count, 1); /* not scc, as s_add_u32 does */
	uses = uses_of(SOP2((uint32_t)FMAC, 4U, S(5), S(6)), 0);
	assert_int_equal(uses.read_count, 3);
	assert_int_equal(uses.reads[2].number, 4);
	uses = uses_of(SOP2((uint32_t)FMAMK, 4U, S(5), S(6)), 0);
	assert_int_equal(uses.read_count, 2);
	assert_int_equal(uses.reads[1].number, 6);
	uses = uses_of(SOPC(65U, S(5), S(6)), 0);
	assert_int_equal(uses.write_count, 1);
	assert_int_equal(uses.writes[0].number, GFX_CODE_SCC);
}

static void test_others_have_none(void **state)
{
	struct fixture *fixture = prepare(state, DENORMALS);

	RUN(fixture, SOPP(19U, 1)); /* s_singleuse_vdst */
	fixture->wave.architecture = gfx_architecture_by_name("gfx1100");
	assert_int_equal(STEP(fixture, SOP2((uint32_t)ADD, 4U, S(5), S(6))),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_int_equal(STEP(fixture, SOPP(19U, 1)), GFX_STEP_ILLEGAL_INSTRUCTION);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_singles),	     TEST(test_halves),	     TEST(test_denormals),
		TEST(test_extremes),	     TEST(test_conversions), TEST(test_compares),
		TEST(test_operands),	     TEST(test_exceptions),  TEST(test_uses),
		TEST(test_others_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
