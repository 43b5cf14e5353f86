/* SPDX-License-Identifier: MIT */
/*
 * Matrix operations: what the kernels that are compared with the host do not show. All lanes have the same numbers where
 * nothing else is said, so that a sum has one value wherever it stands.
 */
#include "fixture.h"

#include "gfx/isa/run.h"

#define MAI(op, d, a, b, c) 0xd3800000U | (op) << 16 | (d), (a) | (b) << 9 | (c) << 18
/* Modifiers of the first word, and of the second. */
#define CBSZ(value) (uint32_t)(value) << 8
#define ABID(value) (uint32_t)(value) << 11
#define RESULT_ACC (1U << 15)
#define FIRST_ACC (1U << 27)
#define BLGP(value) (uint32_t)(value) << 29

enum {
	XF32_16X16X8 = 62,
	F32_4X4X1 = 66,
	F32_16X16X4 = 69,
	F16_16X16X16 = 77,
	I8_16X16X32 = 87,
	SPARSE_F16_16X16X32 = 98,
	F64_4X4X4 = 111,
	BF8_BF8_16X16X32 = 112,
	FP8_FP8_16X16X32 = 115,
};

#define HALF_ONE 240U /* the constant 0.5 */
#define ONE 242U

static void use_gfx90a(struct fixture *fixture)
{
	fixture->wave.architecture = gfx_architecture_by_name("gfx90a");
}

static void assert_all_lanes(struct fixture *fixture, uint32_t number, uint32_t expected)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		assert_int_equal(vgpr(fixture, number)[lane], expected);
}

/* Four halves, in a pair of registers. */
static void set_halves(struct fixture *fixture, uint32_t number, const uint16_t halves[4])
{
	set_vgpr(fixture, number, halves[0] | (uint32_t)halves[1] << 16);
	set_vgpr(fixture, number + 1, halves[2] | (uint32_t)halves[3] << 16);
}

static void test_all_lanes_take_part(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.exec = 0;
	set_vgpr(fixture, 2, float_bits(1));
	set_vgpr(fixture, 4, float_bits(2));
	RUN(fixture, MAI(F32_16X16X4, 8U, V(2), V(4), HALF_ONE));
	for (uint32_t i = 8; i < 12; i++)
		assert_all_lanes(fixture, i, float_bits(8.5F));
	assert_int_equal(vgpr(fixture, 12)[0], 0);
}

static void test_accumulation_registers(void **state)
{
	struct fixture *fixture = *state;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		fixture->agprs[2 * GFX_MAX_LANES + lane] = float_bits(3);
	for (uint32_t i = 4 * GFX_MAX_LANES; i < 8 * GFX_MAX_LANES; i++)
		fixture->agprs[i] = float_bits(100);
	set_vgpr(fixture, 2, float_bits(1000));
	set_vgpr(fixture, 3, float_bits(2));
	RUN(fixture, MAI(F32_16X16X4, 4U | RESULT_ACC, V(2) | FIRST_ACC, V(3), V(4)));
	for (uint32_t i = 4 * GFX_MAX_LANES; i < 8 * GFX_MAX_LANES; i++)
		assert_int_equal(fixture->agprs[i], float_bits(124));
	assert_all_lanes(fixture, 4, 0);
}

/* A destination past the wave's registers is written nowhere, a source past them is the first one. */
static void test_registers_that_are_not_there(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr(fixture, 0, float_bits(5));
	set_vgpr(fixture, 4, float_bits(1));
	RUN(fixture, MAI(F32_16X16X4, 8U, V(200), V(4), INLINE(0)));
	assert_all_lanes(fixture, 8, float_bits(20));
	RUN(fixture, MAI(F32_16X16X4, VGPRS - 2U, V(0), V(4), INLINE(0)));
	assert_all_lanes(fixture, VGPRS - 2, 0);
	assert_all_lanes(fixture, VGPRS - 1, 0);
}

/* Block b has lanes 4b to 4b + 3: of A, these are rows, of B and D columns. */
static void test_a_block_for_others(void **state)
{
	struct fixture *fixture = *state;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 2)[lane] = float_bits((float)lane);
	set_vgpr(fixture, 4, float_bits(1));
	RUN(fixture, MAI(F32_4X4X1, 8U | CBSZ(2) | ABID(3), V(2), V(4), INLINE(0)));
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		for (uint32_t row = 0; row < 4; row++)
			assert_int_equal(vgpr(fixture, 8 + row)[lane],
					 float_bits((float)(lane / 16 * 16 + 12 + row)));
}

static void test_lanes_of_b(void **state)
{
	static const uint8_t of_lane_5[] = {5, 5, 37, 21, 5, 21, 37, 53};
	static const uint8_t of_lane_57[] = {57, 25, 57, 9, 9, 25, 41, 57};
	struct fixture *fixture = *state;

	set_vgpr(fixture, 2, float_bits(1));
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 4)[lane] = float_bits((float)lane);
	for (uint32_t i = 0; i < 8; i++) {
		RUN(fixture, MAI(F32_4X4X1, 8U, V(2) | BLGP(i), V(4), INLINE(0)));
		assert_int_equal(vgpr(fixture, 8)[5], float_bits(of_lane_5[i]));
		assert_int_equal(vgpr(fixture, 11)[57], float_bits(of_lane_57[i]));
	}
}

/* The field that permutes B elsewhere has the signs of doubles; gfx90a knows neither there. */
static void test_signs_of_doubles(void **state)
{
	static const double expected[] = {25, -23, -23, 25, 23, -25, -25, 23};
	struct fixture *fixture = *state;

	for (int gfx90a = 0; gfx90a < 2; gfx90a++) {
		if (gfx90a)
			use_gfx90a(fixture);
		for (uint32_t i = 0; i < 8; i++) {
			set_vgpr64(fixture, 2, double_bits(2));
			set_vgpr64(fixture, 4, double_bits(3));
			RUN(fixture, MAI(F64_4X4X4, 8U, V(2) | BLGP(i), V(4), ONE));
			assert_int_equal(get_vgpr64(fixture, 8, 63),
					 double_bits(gfx90a ? 25 : expected[i]));
		}
	}
}

/*
 * 2^20 and three times @small, four times in the row. Pairs: 2^20 + 2^-4 is 2^20, and with 2^-3 more
 * 2^20 + 2^-3. Aligned: what is below 2^-24 of the largest is cut off, and eight are rounded at once.
 */
static void add_halves(struct fixture *fixture, uint16_t small, float expected)
{
	set_halves(fixture, 2, (const uint16_t[]){0x6400, 0x2c00, 0x2c00, 0x2c00});
	set_halves(fixture, 4, (const uint16_t[]){0x6400, small, small, small});
	RUN(fixture, MAI(F16_16X16X16, 8U, V(2), V(4), INLINE(0)));
	assert_all_lanes(fixture, 8, float_bits(expected));
	assert_all_lanes(fixture, 11, float_bits(expected));
}

static void test_sums_of_halves(void **state)
{
	struct fixture *fixture = *state;

	add_halves(fixture, 0x3800, 0x1p22F);
	add_halves(fixture, 0x3c00, 0x1p22F + 1);
	use_gfx90a(fixture);
	add_halves(fixture, 0x3800, 0x1p22F);
	add_halves(fixture, 0x3c00, 0x1p22F + 0.5F);
}

static void test_denormals(void **state)
{
	struct fixture *fixture = *state;

	set_halves(fixture, 2, (const uint16_t[]){1, 0, 0, 0});
	set_halves(fixture, 4, (const uint16_t[]){0x3c00, 0, 0, 0});
	set_vgpr(fixture, 16, 1);
	RUN(fixture, MAI(F16_16X16X16, 8U, V(2), V(4), INLINE(0)));
	assert_all_lanes(fixture, 8, float_bits(0x1p-22F));
	use_gfx90a(fixture);
	RUN(fixture, MAI(F16_16X16X16, 8U, V(2), V(4), INLINE(0)));
	assert_all_lanes(fixture, 8, 0);
	/* The smallest single, as a constant of C. */
	RUN(fixture, MAI(F16_16X16X16, 8U, V(2), V(4), INLINE(1)));
	assert_all_lanes(fixture, 8, 0);
	RUN(fixture, MAI(F32_16X16X4, 8U, V(20), V(20), INLINE(1)));
	assert_all_lanes(fixture, 8, 1);
}

static void test_cut_off_singles(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr(fixture, 2, float_bits(1 + 0x1p-10F + 0x1p-11F));
	set_vgpr(fixture, 3, float_bits(1 + 0x1p-10F + 0x1p-11F));
	set_vgpr64(fixture, 4, float_bits(1) | (uint64_t)float_bits(1) << 32);
	RUN(fixture, MAI(XF32_16X16X8, 8U, V(2), V(4), INLINE(0)));
	assert_all_lanes(fixture, 8, float_bits(8 + 0x1p-7F));
}

/* One number of eight bits, four times in the row, times one. */
static void check_byte(struct fixture *fixture, uint32_t operation, uint32_t byte,
		       uint32_t expected)
{
	set_vgpr64(fixture, 2, byte);
	set_vgpr64(fixture, 4, 0x40);
	RUN(fixture, MAI(operation, 8U, V(2), V(4), INLINE(0)));
	assert_all_lanes(fixture, 8, expected);
}

static void test_bytes(void **state)
{
	struct fixture *fixture = *state;

	check_byte(fixture, FP8_FP8_16X16X32, 0x7f, float_bits(4 * 240));
	check_byte(fixture, FP8_FP8_16X16X32, 0xff, float_bits(-4 * 240));
	check_byte(fixture, FP8_FP8_16X16X32, 0x01, float_bits(0x1p-8F));
	check_byte(fixture, FP8_FP8_16X16X32, 0x80, 0x7fc00000);
	check_byte(fixture, BF8_BF8_16X16X32, 0x7f, float_bits(4 * 57344));
	check_byte(fixture, BF8_BF8_16X16X32, 0x01, float_bits(0x1p-15F));
	check_byte(fixture, BF8_BF8_16X16X32, 0x80, 0x7fc00000);
}

static void test_integers_wrap(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr64(fixture, 2, UINT64_C(0x0101010101010101));
	set_vgpr64(fixture, 4, UINT64_C(0x0101010101010101));
	for (uint32_t i = 16; i < 20; i++)
		set_vgpr(fixture, i, INT32_MAX);
	RUN(fixture, MAI(I8_16X16X32, 8U, V(2), V(4), V(16)));
	assert_all_lanes(fixture, 8, 0x8000001f);
}

static void test_what_is_no_number(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr(fixture, 2, 0xff812345);
	set_vgpr(fixture, 4, float_bits(1));
	RUN(fixture, MAI(F32_16X16X4, 8U, V(2), V(4), INLINE(0)));
	assert_all_lanes(fixture, 8, 0x7fc00000);
	set_vgpr64(fixture, 2, UINT64_C(0x7ff0000000000000));
	set_vgpr64(fixture, 4, 0);
	RUN(fixture, MAI(F64_4X4X4, 8U, V(2), V(4), INLINE(0)));
	assert_int_equal(get_vgpr64(fixture, 8, 0), UINT64_C(0x7ff8000000000000));
	set_halves(fixture, 2, (const uint16_t[]){0x7c00, 0, 0, 0});
	set_halves(fixture, 4, (const uint16_t[]){0x3c00, 0, 0, 0});
	RUN(fixture, MAI(F16_16X16X16, 8U, V(2), V(4), INLINE(0)));
	assert_all_lanes(fixture, 8, 0x7f800000);
}

/* Of the four sets of indices abid chooses one; with cbsz it is the first. */
static void test_sets_of_indices(void **state)
{
	struct fixture *fixture = *state;

	set_halves(fixture, 2, (const uint16_t[]){0x3c00, 0, 0, 0});
	set_halves(fixture, 4, (const uint16_t[]){0x3c00, 0x4000, 0x4200, 0x4400});
	set_vgpr(fixture, 16, 1U << 24 | 2);
	for (uint32_t i = 8; i < 12; i++)
		set_vgpr(fixture, i, float_bits(100));
	RUN(fixture, MAI(SPARSE_F16_16X16X32, 8U | ABID(3), V(2), V(4), V(16)));
	assert_all_lanes(fixture, 8, float_bits(108));
	RUN(fixture, MAI(SPARSE_F16_16X16X32, 8U | ABID(3) | CBSZ(1), V(2), V(4), V(16)));
	assert_all_lanes(fixture, 8, float_bits(120));
}

/* A scalar is no matrix, and neither is a literal. */
static void test_sources_that_are_refused(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(STEP(fixture, MAI(F32_16X16X4, 8U, S(2), V(4), INLINE(0))),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_int_equal(STEP(fixture, MAI(F32_16X16X4, 8U, V(2), V(4), S(4))),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_int_equal(STEP(fixture, MAI(F32_16X16X4, 8U, V(2), V(4), LITERAL)),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_int_equal(STEP(fixture, MAI(F32_16X16X4, 254U, V(2), V(4), INLINE(0))),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
	use_gfx90a(fixture);
	assert_int_equal(STEP(fixture, MAI(FP8_FP8_16X16X32, 8U, V(2), V(4), INLINE(0))),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_lanes_take_part),
		TEST(accumulation_registers),
		TEST(registers_that_are_not_there),
		TEST(a_block_for_others),
		TEST(lanes_of_b),
		TEST(signs_of_doubles),
		TEST(sums_of_halves),
		TEST(denormals),
		TEST(cut_off_singles),
		TEST(bytes),
		TEST(integers_wrap),
		TEST(what_is_no_number),
		TEST(sets_of_indices),
		TEST(sources_that_are_refused),
	};

	return cmocka_run_group_tests_name("gfx matrix", tests, NULL, NULL);
}
