/* SPDX-License-Identifier: MIT */
/* Matrices of gfx11 and gfx12, in waves of 32 lanes and of 64: products of whole numbers, which are exact in every format. Words are those that LLVM makes. */
#include "fixture.h"

#include "gfx/alu/half.h"

#define FIRST_A 0U /* the first register of each */
#define FIRST_B 8U
#define FIRST_C 16U
#define FIRST_INDEX 24U

enum format { HALF, BRAIN, WIDE, WHOLE, SIGNED_BYTE, BYTE, NIBBLE, OPEN_FP8, OPEN_BF8 };

struct shape {
	const char *gpu;
	uint32_t words[2], depth;
	enum format a, b, c;
	bool upper;   /* results are in the upper halves */
	uint32_t set; /* where A is sparse: which set of indices it has; 0 is none, 1 the first */
};

/* The sixteen lanes of a wave of 64 with the first four rows of a D of gfx12, and so on. */
static const uint32_t sixteens[] = {0, 2, 1, 3};

/* Formats of 8 bits: sign, exponent with its bias, and the fraction, of whole numbers up to 3. */
static const uint8_t fp8[] = {0, 0x38, 0x40, 0x44}, bf8[] = {0, 0x3c, 0x40, 0x42};

static uint32_t encode(enum format format, int32_t value)
{
	uint32_t size = (uint32_t)abs(value), sign = value < 0 ? 0x80 : 0;

	switch (format) {
	case HALF:
		return gfx_half_from_double(value, GFX_ROUND_NEAREST);
	case BRAIN:
		return float_bits((float)value) >> 16;
	case WIDE:
		return float_bits((float)value);
	case OPEN_FP8:
		return sign | fp8[size];
	case OPEN_BF8:
		return sign | bf8[size];
	default:
		return (uint32_t)value;
	}
}

static uint32_t format_bits(enum format format)
{
	static const uint8_t bits[] = {16, 16, 32, 32, 8, 8, 4, 8, 8};

	return bits[format];
}

static void put(struct fixture *fixture, uint32_t first, uint32_t lane, uint32_t at, uint32_t bits,
		uint32_t value)
{
	uint32_t *word = &vgpr(fixture, first + at / 32)[lane];
	uint32_t mask = bits == 32 ? UINT32_MAX : (1U << bits) - 1;

	*word = (*word & ~(mask << at % 32)) | (value & mask) << at % 32;
}

/* Eight nibbles fill a register; with fewer for each lane the upper lanes have none. */
static uint32_t share_of(enum format format, uint32_t depth, uint32_t lanes)
{
	uint32_t share = 16 * depth / lanes;

	return format == NIBBLE && share < 8 ? 8 : share;
}

/* Number k of a row of A, or of a column of B. */
static void put_number(struct fixture *fixture, const struct shape *shape, uint32_t first,
		       enum format format, uint32_t row, uint32_t k, int32_t value)
{
	uint32_t bits = format_bits(format), lanes = fixture->wave.lane_count;
	uint32_t part, depth = shape->set && first == FIRST_A ? shape->depth / 2 : shape->depth;
	uint32_t share = share_of(format, depth, lanes);

	if (strcmp(shape->gpu, "gfx1100") == 0)
		for (uint32_t lane = row; lane < lanes; lane += 16)
			put(fixture, first, lane, k * bits, bits, encode(format, value));
	else {
		part = k / share;
		if (shape->depth > 16 && bits < 16 && depth / share == 4)
			part = sixteens[part];
		put(fixture, first, row + part * 16, k % share * bits, bits, encode(format, value));
	}
}

/* The place of number k of a row of a sparse A among four neighbours, and its index in the set that is chosen; the other sets have other ones. */
static uint32_t put_index(struct fixture *fixture, const struct shape *shape, uint32_t row,
			  uint32_t k)
{
	static const uint8_t pairs[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
	uint32_t lanes = fixture->wave.lane_count, depth = shape->depth / 2;
	uint32_t share = share_of(shape->a, depth, lanes), part = k / share;
	uint32_t index = pairs[(row * 5 + k / 2 * 7) % 6][k % 2], sets = 16 / share;

	if (format_bits(shape->a) < 16 && depth / share == 4)
		part = sixteens[part];
	for (uint32_t set = 0; set < sets; set++)
		put(fixture, FIRST_INDEX, row + part * 16, (set * share + k % share) * 2, 2,
		    set == (shape->set - 1) % sets ? index : 3 - index);
	return index;
}

static void find_result(const struct fixture *fixture, const struct shape *shape, uint32_t row,
			uint32_t column, uint32_t *lane_ret, uint32_t *at_ret)
{
	uint32_t lanes = fixture->wave.lane_count, rows = 256 / lanes, groups = lanes / 16;

	if (strcmp(shape->gpu, "gfx1100") == 0) {
		*lane_ret = column + row % groups * 16;
		*at_ret = row / groups * 32 + (shape->upper ? 16 : 0);
	} else {
		*lane_ret = column + (lanes == 64 ? sixteens[row / rows] : row / rows) * 16;
		*at_ret = row % rows * format_bits(shape->c);
	}
}

static int32_t number(uint32_t seed, enum format format)
{
	uint32_t value = seed * 2654435761U >> 13;

	if (format == BYTE)
		return (int32_t)(value % 256);
	return (int32_t)(value % 7) - 3;
}

static void check(struct fixture *fixture, const struct shape *shape)
{
	uint32_t depth = shape->set ? shape->depth / 2 : shape->depth, places[16][64];
	int32_t a[16][64], b[16][64];

	for (uint32_t i = 0; i < 16; i++) {
		for (uint32_t k = 0; k < shape->depth; k++) {
			b[i][k] = number(5000 + i * 64 + k, shape->b);
			put_number(fixture, shape, FIRST_B, shape->b, i, k, b[i][k]);
		}
		for (uint32_t k = 0; k < depth; k++) {
			a[i][k] = number(i * 64 + k, shape->a);
			put_number(fixture, shape, FIRST_A, shape->a, i, k, a[i][k]);
			places[i][k] = shape->set ? k / 2 * 4 + put_index(fixture, shape, i, k) : k;
		}
	}
	for (uint32_t word = 0; word < 8; word++)
		set_vgpr(fixture, FIRST_C + word, 0x5a5a5a5a);
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t lane, at;

		find_result(fixture, shape, i / 16, i % 16, &lane, &at);
		put(fixture, FIRST_C, lane, at, format_bits(shape->c),
		    encode(shape->c, (int32_t)i % 5));
	}
	fixture->wave.exec = 0;
	RUN(fixture, shape->words[0], shape->words[1]);
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t lane, at, bits = format_bits(shape->c), found;
		int32_t sum = (int32_t)i % 5;

		for (uint32_t k = 0; k < depth; k++)
			sum += a[i / 16][k] * b[i % 16][places[i / 16][k]];
		find_result(fixture, shape, i / 16, i % 16, &lane, &at);
		found = vgpr(fixture, FIRST_C + at / 32)[lane];
		assert_int_equal(bits == 16 ? found >> at % 32 & 0xffff : found,
				 encode(shape->c, sum));
		if (shape->upper)
			assert_int_equal(found & 0xffff, 0x5a5a);
	}
}

static void test_shapes(void **state)
{
	static const struct shape shapes[] = {
		{"gfx1100", {0xcc404010, 0x1c421100}, 16, HALF, HALF, WIDE, false, 0},
		{"gfx1100", {0xcc426010, 0x1c421100}, 16, HALF, HALF, HALF, true, 0},
		{"gfx1100", {0xcc44c010, 0x3c421100}, 16, SIGNED_BYTE, BYTE, WHOLE, false, 0},
		{"gfx1100", {0xcc454010, 0x7c421100}, 16, NIBBLE, NIBBLE, WHOLE, false, 0},
		{"gfx1201", {0xcc404010, 0x1c421100}, 16, HALF, HALF, WIDE, false, 0},
		{"gfx1201", {0xcc424010, 0x1c421100}, 16, HALF, HALF, HALF, false, 0},
		{"gfx1201", {0xcc434010, 0x1c421100}, 16, BRAIN, BRAIN, BRAIN, false, 0},
		{"gfx1201", {0xcc44c010, 0x3c421100}, 16, SIGNED_BYTE, BYTE, WHOLE, false, 0},
		{"gfx1201", {0xcc4a4010, 0x7c421100}, 32, NIBBLE, NIBBLE, WHOLE, false, 0},
		{"gfx1201", {0xcc474010, 0x1c421100}, 16, OPEN_FP8, OPEN_BF8, WIDE, false, 0},
		{"gfx1201", {0xcc454010, 0x7c421100}, 16, NIBBLE, NIBBLE, WHOLE, false, 0},
		{"gfx1201", {0xcc504810, 0x1c621100}, 32, HALF, HALF, WIDE, false, 2},
		{"gfx1201", {0xcc514010, 0x1c621100}, 32, BRAIN, BRAIN, WIDE, false, 1},
		{"gfx1201", {0xcc524810, 0x1c621100}, 32, HALF, HALF, HALF, false, 2},
		{"gfx1201", {0xcc54c810, 0x3c621100}, 32, SIGNED_BYTE, BYTE, WHOLE, false, 2},
		{"gfx1201", {0xcc554810, 0x7c621100}, 32, NIBBLE, NIBBLE, WHOLE, false, 2},
		{"gfx1201", {0xcc564010, 0x7c621100}, 64, NIBBLE, NIBBLE, WHOLE, false, 1},
		{"gfx1201", {0xcc584810, 0x1c621100}, 32, OPEN_FP8, OPEN_BF8, WIDE, false, 2},
	};
	struct fixture *fixture = *state;

	fixture->wave.sgpr_count = GFX_MAX_SGPRS;
	fixture->wave.agpr_count = 0;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		fixture->wave.architecture = gfx_architecture_by_name(shapes[i].gpu);
		for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
			fixture->wave.lane_count = lanes;
			check(fixture, &shapes[i]);
		}
	}
}

/* Signs of even numbers of A and of odd ones of B; C is a constant. */
static void test_signs(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.architecture = gfx_architecture_by_name("gfx1201");
	fixture->wave.lane_count = 32;
	for (uint32_t word = 0; word < 16; word++)
		set_vgpr(fixture, word, 0x3c003c00);
	set_vgpr(fixture, FIRST_A, 0x3c004000);
	RUN(fixture, 0xcc404210, 0x3bca1100);
	/* In both halves of the wave: -2 and 7 times -1 for even numbers, 8 times -1 for odd ones. */
	assert_int_equal(vgpr(fixture, FIRST_C)[0], float_bits(1 - 2 * (2 + 3) - 8));
	assert_int_equal(vgpr(fixture, FIRST_C + 7)[31], float_bits(1 - 2 * (2 + 3) - 8));
}

/* With clamp whole numbers stay at the largest one. */
static void test_clamp(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.architecture = gfx_architecture_by_name("gfx1201");
	fixture->wave.lane_count = 32;
	for (uint32_t word = 0; word < 16; word++)
		set_vgpr(fixture, word, 0x7f7f7f7f);
	for (uint32_t word = FIRST_C; word < FIRST_C + 8; word++)
		set_vgpr(fixture, word, INT32_MAX - 3);
	RUN(fixture, 0xcc44c010, 0x3c421100);
	assert_int_equal(vgpr(fixture, FIRST_C)[17], INT32_MAX);
	set_vgpr(fixture, FIRST_C, INT32_MAX - 3);
	RUN(fixture, 0xcc444010, 0x3c421100);
	assert_int_equal(vgpr(fixture, FIRST_C)[17], (uint32_t)INT32_MAX - 3 + 16 * 127 * 127);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_shapes, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_signs, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_clamp, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
