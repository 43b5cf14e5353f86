/* SPDX-License-Identifier: MIT */
/* Operations that gfx950 has and gfx942 has not. Words are those that LLVM 21 makes: LLVM 19 does not know it. */
#include "fixture.h"

#include "gfx/isa/run.h"

static struct fixture *prepare(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.architecture = gfx_architecture_by_name("gfx950");
	return fixture;
}

static void set_lanes(struct fixture *fixture, uint32_t number, uint32_t first)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, number)[lane] = first + lane;
}

static void test_random_numbers(void **state)
{
	struct fixture *fixture = prepare(state);

	set_vgpr(fixture, 1, 0x40000001);
	RUN(fixture, 0x7e04b101); /* v_prng_b32 v2, v1 */
	assert_int_equal(vgpr(fixture, 2)[9], 0x80000002);
	set_vgpr(fixture, 1, 0x80000002);
	RUN(fixture, 0x7e04b101);
	assert_int_equal(vgpr(fixture, 2)[9], 4 ^ 197);
}

/* Odd rows of the first register change places with even ones of the second; or its upper half with the lower one. */
static void test_exchanges(void **state)
{
	struct fixture *fixture = prepare(state);

	for (uint32_t distance = 16; distance <= 32; distance *= 2) {
		set_lanes(fixture, 1, 100);
		set_lanes(fixture, 2, 200);
		RUN(fixture, distance == 16 ? 0x7e04b301 : 0x7e04b501); /* v2, v1 */
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
			bool upper = lane & distance;

			assert_int_equal(vgpr(fixture, 2)[lane],
					 upper ? 100 + lane - distance : 200 + lane);
			assert_int_equal(vgpr(fixture, 1)[lane],
					 upper ? 100 + lane : 200 + lane + distance);
		}
	}
	/* Lanes whose other one is off keep what they have, or get 0, or all the same. */
	fixture->wave.exec = 0xffff0000;
	set_lanes(fixture, 1, 100);
	set_lanes(fixture, 2, 200);
	RUN(fixture, 0x7e04b301);
	assert_int_equal(vgpr(fixture, 2)[17], 217);
	RUN(fixture, 0xd1991002, 0x00000101); /* bound_ctrl:1 */
	assert_int_equal(vgpr(fixture, 2)[17], 0);
	RUN(fixture, 0xd1990802, 0x00000101); /* fi:1 */
	assert_int_equal(vgpr(fixture, 2)[17], 101);
	assert_int_equal(vgpr(fixture, 1)[1], 101);
}

static void test_truth_tables(void **state)
{
	struct fixture *fixture = prepare(state);

	set_vgpr(fixture, 1, 0xf0f0aa00);
	set_vgpr(fixture, 3, 0xcccc5500);
	set_vgpr(fixture, 4, 0xaaaa0ff0);
	RUN(fixture, 0xd2340502,
	    0x4c120701); /* v_bitop3_b32 v2, v1, v3, v4 bitop3:0x6a: (a & b) ^ c */
	assert_int_equal(vgpr(fixture, 2)[5], (0xf0f0aa00 & 0xcccc5500) ^ 0xaaaa0ff0);
	set_vgpr(fixture, 2, 0x1234abcd);
	RUN(fixture, 0xd2334802,
	    0x14120701); /* v_bitop3_b16 bitop3:0x80 op_sel:[1,0,0,1]: a & b & c */
	assert_int_equal(vgpr(fixture, 2)[5], (0xf0f0 & 0x5500 & 0x0ff0) << 16 | 0xabcd);
}

static void test_packing(void **state)
{
	struct fixture *fixture = prepare(state);

	set_vgpr(fixture, 1, (uint32_t)-1000);
	set_vgpr(fixture, 3, 1000);
	set_vgpr(fixture, 4, 2);
	set_vgpr(fixture, 2, 0x12345678);
	RUN(fixture, 0xd2650002, 0x04120701); /* v_ashr_pk_i8_i32 v2, v1, v3, v4 */
	assert_int_equal(vgpr(fixture, 2)[5], 0x12347f80);
	RUN(fixture, 0xd2664002, 0x04120701); /* v_ashr_pk_u8_i32 op_sel:[0,0,0,1] */
	assert_int_equal(vgpr(fixture, 2)[5], 0xfa007f80);
	set_vgpr(fixture, 1, float_bits(1.5F));
	set_vgpr(fixture, 3, float_bits(-2));
	RUN(fixture, 0xd2670002, 0x00020701); /* v_cvt_pk_f16_f32 v2, v1, v3 */
	assert_int_equal(vgpr(fixture, 2)[5], 0xc0003e00);
	/* Halfway, to the even one; and a NaN that would become infinite. */
	set_vgpr(fixture, 1, 0x3f808000);
	set_vgpr(fixture, 3, 0x7f800001);
	RUN(fixture, 0xd2680002, 0x00020701); /* v_cvt_pk_bf16_f32 */
	assert_int_equal(vgpr(fixture, 2)[5], 0x7fc03f80);
	set_vgpr(fixture, 1, 0xdeadc040);
	RUN(fixture, 0x7e04b701); /* v_cvt_f32_bf16 v2, v1 */
	assert_int_equal(vgpr(fixture, 2)[5], float_bits(-3));
	RUN(fixture, 0xd19b0002, 0x20000101); /* v_cvt_f32_bf16 v2, -v1 */
	assert_int_equal(vgpr(fixture, 2)[5], float_bits(3));
	RUN(fixture, 0x7e04b6f2); /* v_cvt_f32_bf16 v2, 1.0 */
	assert_int_equal(vgpr(fixture, 2)[5], float_bits(1));
}

#define NAN_BITS 0x7fc00001U

static void test_extremes(void **state)
{
	struct fixture *fixture = prepare(state);

	set_vgpr(fixture, 1, 0);
	set_vgpr(fixture, 3, 0x80000000);
	set_vgpr(fixture, 4, float_bits(1));
	RUN(fixture, 0xd2a80002, 0x04120701); /* v_minimum3_f32 v2, v1, v3, v4 */
	assert_int_equal(vgpr(fixture, 2)[5], 0x80000000);
	set_vgpr(fixture, 4, float_bits(-1));
	RUN(fixture, 0xd2a90002, 0x04120701); /* v_maximum3_f32 */
	assert_int_equal(vgpr(fixture, 2)[5], 0);
	set_vgpr(fixture, 3, NAN_BITS);
	RUN(fixture, 0xd2a80002, 0x04120701);
	assert_int_equal(vgpr(fixture, 2)[5], NAN_BITS);
	RUN(fixture, 0xd2a90002, 0x04120701);
	assert_int_equal(vgpr(fixture, 2)[5], NAN_BITS);
	set_vgpr(fixture, 1, 0x3c004000);     /* 2, 1 */
	set_vgpr(fixture, 3, 0x7e014200);     /* 3, NaN */
	set_vgpr(fixture, 4, 0xbc00c000);     /* -2, -1 */
	RUN(fixture, 0xd39b4002, 0x1c120701); /* v_pk_minimum3_f16 */
	assert_int_equal(vgpr(fixture, 2)[5], 0x7e01c000);
	RUN(fixture, 0xd39c4002, 0x1c120701); /* v_pk_maximum3_f16 */
	assert_int_equal(vgpr(fixture, 2)[5], 0x7e014200);
}

/* ---- Matrices of small whole numbers, whose products and sums are exact ---- */

/* Bits of 0 to 4; their sign is the uppermost bit but for bytes. */
struct numbers {
	uint32_t bits, codes[5];
};

static const struct numbers halves = {16, {0, 0x3c00, 0x4000, 0x4200, 0x4400}};
static const struct numbers bfloats = {16, {0, 0x3f80, 0x4000, 0x4040, 0x4080}};
static const struct numbers bytes = {8, {0, 1, 2, 3, 4}};
static const struct numbers e4m3 = {8, {0, 0x38, 0x40, 0x44, 0x48}};
static const struct numbers e5m2 = {8, {0, 0x3c, 0x40, 0x42, 0x44}};

static uint32_t number_code(const struct numbers *numbers, int32_t value)
{
	uint32_t code = numbers->codes[value < 0 ? -value : value];

	if (value >= 0)
		return code;
	return numbers == &bytes ? 256 - code : code | 1U << (numbers->bits - 1);
}

static int32_t number_a(uint32_t row, uint32_t k)
{
	return (int32_t)((row * 7 + k * 5 + row * k) % 9) - 4;
}

static int32_t number_b(uint32_t k, uint32_t column)
{
	return (int32_t)((column * 11 + k * 3 + column * k * k) % 9) - 4;
}

/* Which of four neighbours the two numbers of a sparse row are. */
static uint32_t chosen(uint32_t row, uint32_t k)
{
	return k % 2 ? 2 + (row + k / 2) % 2 : (row + k / 2) % 2;
}

struct product {
	uint32_t opcode, rows, depth;
	const struct numbers *a, *b;
	bool sparse;
};

#define MATRIX_A 0U
#define MATRIX_B 4U
#define MATRIX_D 12U
#define INDICES 28U

static void put(struct fixture *fixture, uint32_t first, const struct numbers *numbers,
		uint32_t index, uint32_t lane, int32_t value)
{
	uint32_t bits = numbers->bits, shift = index * bits % 32;
	uint32_t *word = vgpr(fixture, first + index * bits / 32) + lane;

	*word = (*word & ~(((1U << bits) - 1) << shift)) | number_code(numbers, value) << shift;
}

/* A lane has a run of each row of A, and of each column of B. */
static void put_matrices(struct fixture *fixture, const struct product *product)
{
	uint32_t rows = product->rows,
		 stored = product->sparse ? product->depth / 2 : product->depth;
	uint32_t run_a = rows * stored / 64, run_b = rows * product->depth / 64;

	set_vgpr(fixture, INDICES, 0);
	for (uint32_t row = 0; row < rows; row++) {
		for (uint32_t k = 0; k < stored; k++) {
			uint32_t lane = row + rows * (k / run_a);

			put(fixture, MATRIX_A, product->a, k % run_a, lane, number_a(row, k));
			if (product->sparse)
				vgpr(fixture, INDICES)[lane] |= chosen(row, k) << 2 * (k % run_a);
		}
		for (uint32_t k = 0; k < product->depth; k++)
			put(fixture, MATRIX_B, product->b, k % run_b, row + rows * (k / run_b),
			    number_b(k, row));
	}
}

static int32_t expected_sum(const struct product *product, uint32_t row, uint32_t column)
{
	uint32_t stored = product->sparse ? product->depth / 2 : product->depth;
	int32_t sum = 3;

	for (uint32_t k = 0; k < stored; k++) {
		uint32_t at = product->sparse ? k / 2 * 4 + chosen(row, k) : k;

		sum += number_a(row, k) * number_b(at, column);
	}
	return sum;
}

static void check_product(struct fixture *fixture, const struct product *product)
{
	uint32_t rows = product->rows, groups = 64 / rows;
	bool whole = product->a == &bytes;
	uint32_t third = product->sparse ? V(INDICES) : V(MATRIX_D);

	put_matrices(fixture, product);
	for (uint32_t i = 0; i < rows * rows / 64; i++)
		set_vgpr(fixture, MATRIX_D + i, whole ? 3 : float_bits(3));
	RUN(fixture, 0xd3800000U | product->opcode << 16 | MATRIX_D,
	    V(MATRIX_A) | V(MATRIX_B) << 9 | third << 18);
	for (uint32_t row = 0; row < rows; row++) {
		for (uint32_t column = 0; column < rows; column++) {
			uint32_t word = row / (4 * groups) * 4 + row % 4;
			uint32_t lane = row / 4 % groups * rows + column;
			int32_t sum = expected_sum(product, row, column);

			if (vgpr(fixture, MATRIX_D + word)[lane] !=
			    (whole ? (uint32_t)sum : float_bits((float)sum)))
				fail_msg("opcode %u, row %u, column %u: not %d", product->opcode,
					 row, column, sum);
		}
	}
}

static void test_products(void **state)
{
	static const struct product products[] = {
		{84, 16, 32, &halves, &halves, false},	 {85, 32, 16, &halves, &halves, false},
		{53, 16, 32, &bfloats, &bfloats, false}, {55, 32, 16, &bfloats, &bfloats, false},
		{54, 16, 64, &bytes, &bytes, false},	 {56, 32, 32, &bytes, &bytes, false},
		{112, 16, 32, &e5m2, &e5m2, false},	 {113, 16, 32, &e5m2, &e4m3, false},
		{114, 16, 32, &e4m3, &e5m2, false},	 {115, 16, 32, &e4m3, &e4m3, false},
		{116, 32, 16, &e5m2, &e5m2, false},	 {117, 32, 16, &e5m2, &e4m3, false},
		{118, 32, 16, &e4m3, &e5m2, false},	 {119, 32, 16, &e4m3, &e4m3, false},
		{90, 16, 64, &halves, &halves, true},	 {91, 32, 32, &halves, &halves, true},
		{57, 16, 64, &bfloats, &bfloats, true},	 {70, 32, 32, &bfloats, &bfloats, true},
		{58, 16, 128, &bytes, &bytes, true},	 {71, 32, 64, &bytes, &bytes, true},
		{59, 16, 128, &e5m2, &e5m2, true},	 {60, 16, 128, &e5m2, &e4m3, true},
		{61, 16, 128, &e4m3, &e5m2, true},	 {67, 16, 128, &e4m3, &e4m3, true},
		{75, 32, 64, &e5m2, &e5m2, true},	 {78, 32, 64, &e5m2, &e4m3, true},
		{79, 32, 64, &e4m3, &e5m2, true},	 {83, 32, 64, &e4m3, &e4m3, true},
		{120, 16, 64, &e5m2, &e5m2, true},	 {123, 16, 64, &e4m3, &e4m3, true},
		{124, 32, 32, &e5m2, &e5m2, true},	 {127, 32, 32, &e4m3, &e4m3, true},
	};

	for (size_t i = 0; i < sizeof(products) / sizeof(*products); i++)
		check_product(prepare(state), &products[i]);
}

/* Numbers of eight bits that are no whole ones: infinities, NaNs, -0, and what is denormal. */
static void test_numbers_of_eight_bits(void **state)
{
	static const struct {
		uint32_t opcode, code, expected;
	} rows[] = {
		{115, 0x7e, 0x43e00000}, /* 448 */
		{115, 0x7f, 0x7fc00000}, /* the NaN */
		{115, 0x80, 0},		 /* -0, to which 0 is added */
		{115, 0x01, 0x3b000000}, /* 2^-9 */
		{112, 0x7b, 0x47600000}, /* 57344 */
		{112, 0x7c, 0x7f800000}, /* infinite */
		{112, 0xfc, 0xff800000}, {112, 0x7d, 0x7fc00000},
		{112, 0x01, 0x37800000}, /* 2^-16 */
	};
	struct fixture *fixture = prepare(state);

	/* A has it as the first number of each row, B has ones. */
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint32_t one = rows[i].opcode == 115 ? 0x38383838 : 0x3c3c3c3c;

		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			vgpr(fixture, 0)[lane] = lane < 16 ? rows[i].code : 0;
		set_vgpr(fixture, 1, 0);
		set_vgpr(fixture, 4, one);
		set_vgpr(fixture, 5, one);
		RUN(fixture, 0xd3800000U | rows[i].opcode << 16 | MATRIX_D,
		    V(0) | V(4) << 9 | INLINE(0) << 18);
		assert_int_equal(vgpr(fixture, MATRIX_D)[20], rows[i].expected);
	}
}

/* 1 * 3 + 2 * 4 of bfloats, added to a single. */
static void test_pairs_of_bfloats(void **state)
{
	struct fixture *fixture = prepare(state);

	set_vgpr(fixture, 0, 0x40003f80);
	set_vgpr(fixture, 1, 0x40804040);
	set_vgpr(fixture, 2, 0x3f000000);
	RUN(fixture, 0xd39a4003, 0x1c0a0300); /* v_dot2_f32_bf16 v3, v0, v1, v2 */
	assert_int_equal(vgpr(fixture, 3)[17], 0x41380000);
	RUN(fixture, 0x2c040300); /* v_dot2c_f32_bf16 v2, v0, v1 */
	assert_int_equal(vgpr(fixture, 2)[17], 0x41380000);
}

/* Singles as bytes: rounded, too small, too large, infinite, and no number. */
static const uint32_t singles[] = {0x3f800000, 0xbf880000, 0x3f980000, 0x80000000,
				   0x49742400, 0xff800000, 0x7fc00000, 0x3b000000};
/* 1, -1.0625, 1.1875, -0, 1e6, -inf, nan, 2^-9 */
static const struct {
	const char *gpu;
	uint8_t fp8[8], bf8[8];
} byte_rows[] = {
	{"gfx942",
	 {0x40, 0xc0, 0x42, 0, 0x80, 0x80, 0x80, 0x02},
	 {0x40, 0xc0, 0x41, 0, 0x80, 0x80, 0x80, 0x1c}},
	{"gfx950",
	 {0x38, 0xb8, 0x3a, 0x80, 0x7f, 0xff, 0x7f, 0x01},
	 {0x3c, 0xbc, 0x3d, 0x80, 0x7c, 0xfc, 0x7f, 0x18}},
};

/* A byte, or two of them above what is kept, and back again. */
static void test_conversions_of_bytes(void **state)
{
	struct fixture *fixture = *state;

	for (size_t row = 0; row < 2; row++)
		for (size_t i = 0; i < 8; i++) {
			fixture->wave.architecture = gfx_architecture_by_name(byte_rows[row].gpu);
			set_vgpr(fixture, 3, singles[i]);
			set_vgpr(fixture, 4, 0xc0000000);
			set_vgpr(fixture, 2, 0x1234);
			/* v_cvt_pk_fp8_f32 v2, v3, v4 op_sel:[0,0,1] */
			RUN(fixture, 0xd2a24002, 0x00020903);
			assert_int_equal(vgpr(fixture, 2)[9] & 0xffffff,
					 0x1234 | (uint32_t)byte_rows[row].fp8[i] << 16);
			RUN(fixture, 0xd2a30002, 0x00020903); /* v_cvt_pk_bf8_f32 v2, v3, v4 */
			assert_int_equal(vgpr(fixture, 2)[9] & 0xff, byte_rows[row].bf8[i]);
		}
	/* The mode may let numbers that are too large become the largest one. */
	fixture->wave.mode |= 1U << 23;
	set_vgpr(fixture, 3, 0x49742400);
	RUN(fixture, 0xd2a24002, 0x00020903);
	assert_int_equal(vgpr(fixture, 2)[9] >> 16 & 0xff, 0x7e);
	set_vgpr(fixture, 1, 0x3a38b87f);
	RUN(fixture, 0x7e04a8f9, 0x00010601); /* v_cvt_f32_fp8_sdwa v2, v1 src0_sel:BYTE_1 */
	assert_int_equal(vgpr(fixture, 2)[9], 0xbf800000);
	/* dst_sel:WORD_1 */
	assert_int_equal(STEP(fixture, 0x7e04a8f9, 0x00010501), GFX_STEP_ILLEGAL_INSTRUCTION);
	RUN(fixture, 0x7e04acf9, 0x00050601); /* v_cvt_pk_f32_fp8_sdwa v[2:3], v1 src0_sel:WORD_1 */
	assert_int_equal(vgpr(fixture, 2)[9], 0x3f800000);
	assert_int_equal(vgpr(fixture, 3)[9], 0x3fa00000);
	fixture->wave.architecture = gfx_architecture_by_name("gfx942");
	set_vgpr(fixture, 1, 0xc1);
	RUN(fixture, 0x7e04ab01); /* v_cvt_f32_bf8 v2, v1 */
	assert_int_equal(vgpr(fixture, 2)[9], 0xbfa00000);
}

/* A seed's uppermost bits are added to those that a byte has no room for; a byte of the result is written. */
static void test_bytes_by_chance(void **state)
{
	static const struct {
		const char *gpu;
		uint32_t single, seed, fp8, bf8;
	} cases[] = {
		/* 1.09375 is three quarters of the way from 1 to 1.125, and three eighths of that to 1.25. */
		{"gfx950", 0x3f8c0000, 0x3fffffff, 0x38, 0x3c},
		{"gfx950", 0x3f8c0000, 0x40000000, 0x39, 0x3c},
		{"gfx950", 0xbf8c0000, 0x9fffffff, 0xb9, 0xbc},
		{"gfx950", 0xbf8c0000, 0xa0000000, 0xb9, 0xbd},
		{"gfx942", 0x3f8c0000, 0x40000000, 0x41, 0x40},
		/* A carry goes into the exponent; what a byte has is not changed by any seed. */
		{"gfx950", 0x3fff0000, 0xffffffff, 0x40, 0x40},
		{"gfx950", 0x3f800000, 0xffffffff, 0x38, 0x3c},
		/* Too large with a carry, too large without, and infinite. */
		{"gfx950", 0x43ef0000, 0xffffffff, 0x7f, 0x60},
		{"gfx950", 0x7f7fffff, 0xffffffff, 0x7f, 0x7c},
		{"gfx942", 0x7f7fffff, 0xffffffff, 0x80, 0x80},
		{"gfx950", 0xff800000, 0xffffffff, 0xff, 0xfc},
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		fixture->wave.architecture = gfx_architecture_by_name(cases[i].gpu);
		set_vgpr(fixture, 3, cases[i].single);
		set_vgpr(fixture, 4, cases[i].seed);
		set_vgpr(fixture, 2, 0x12345678);
		RUN(fixture, 0xd2a40002, 0x00020903); /* v_cvt_sr_fp8_f32 v2, v3, v4 */
		assert_int_equal(vgpr(fixture, 2)[9], 0x12345600 | cases[i].fp8);
		RUN(fixture, 0xd2a54002, 0x00020903); /* v_cvt_sr_bf8_f32 op_sel:[0,0,0,1] */
		assert_int_equal(vgpr(fixture, 2)[9],
				 0x12005600 | cases[i].bf8 << 16 | cases[i].fp8);
	}
	RUN(fixture, 0xd2a46102, 0x20020903); /* v_cvt_sr_fp8_f32 v2, -|v3|, v4 op_sel:[0,0,1,1] */
	assert_int_equal(vgpr(fixture, 2)[9], 0xff0056ff | cases[10].bf8 << 16);
}

/* Four words of a lane stay together in local memory. */
static void test_load_to_local(void **state)
{
	struct fixture *fixture = prepare(state);
	const uint32_t lanes = 16; /* that local memory has room for */

	for (uint32_t i = 0; i < DATA_SIZE; i++)
		fixture->data[i] = (uint8_t)(i * 7 + i / 256);
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		vgpr(fixture, 4)[lane] = (uint32_t)DATA_BASE + 32 * lane;
		vgpr(fixture, 5)[lane] = (uint32_t)(DATA_BASE >> 32);
	}
	fixture->wave.m0 = 16;
	fixture->wave.exec = (1U << lanes) - 1;
	RUN(fixture, GLOBAL(125U, 0, 0U, 4U, 0U, OFF)); /* global_load_lds_dwordx4 v[4:5], off */
	for (uint32_t lane = 0; lane < lanes; lane++)
		assert_memory_equal(fixture->lds + 16 + 16 * lane, fixture->data + 32 * lane, 16);
}

/* What is not executed is refused, and its name is known. */
static void test_known_by_name(void **state)
{
	static const struct {
		uint32_t words[2];
		const char *name;
	} rows[] = {
		{{0xd3ad0002, 0x04020100}, "v_mfma_f32_16x16x128_f8f6f4"},
		{{0xd3ae0002, 0x04020100}, "v_mfma_f32_32x32x64_f8f6f4"},
		{{0xd3ac0800, 0x10023318}, "v_mfma_ld_scale_b32"},
		{{0xd23d0002, 0x04020100}, "v_cvt_scalef32_pk_fp4_f32"},
		{{0xd26a0002, 0x00020300}, "v_cvt_scalef32_pk_bf16_bf8"},
		{{0xd9c60000, 0x02000000}, "ds_read_b64_tr_b16"},
		{{0xddf88000, 0x007f0000}, "global_load_lds_dwordx3"},
		{{0xd2a70002, 0x00020300}, "v_cvt_sr_bf16_f32"},
	};
	struct fixture *fixture = prepare(state);
	struct gfx_instruction instruction;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(
			gfx_decode(fixture->wave.architecture, rows[i].words, 2, &instruction),
			GFX_DECODE_UNKNOWN_OPERATION);
		assert_string_equal(instruction.operation->name, rows[i].name);
		assert_int_equal(STEP(fixture, rows[i].words[0], rows[i].words[1]),
				 GFX_STEP_ILLEGAL_INSTRUCTION);
		assert_true(fixture->fault.not_implemented);
	}
	/* Products of singles cut to 19 bits have gone. */
	assert_int_equal(gfx_decode(fixture->wave.architecture,
				    (const uint32_t[]){0xd3be0000, 0x04020100}, 2, &instruction),
			 GFX_DECODE_UNKNOWN_OPERATION);
	assert_null(instruction.operation);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_random_numbers),
		TEST(test_exchanges),
		TEST(test_truth_tables),
		TEST(test_packing),
		TEST(test_extremes),
		TEST(test_products),
		TEST(test_numbers_of_eight_bits),
		TEST(test_pairs_of_bfloats),
		TEST(test_conversions_of_bytes),
		TEST(test_bytes_by_chance),
		TEST(test_load_to_local),
		TEST(test_known_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
