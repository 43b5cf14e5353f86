/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic exceptions of each kind of operation, by a list; which lanes raise them, and how modes and
 * modifiers change them.
 */
#include "raised.h"

#include "gfx/isa/tables.h"

#define MODE_FLUSH 0xf0U /* these bits keep denormals */
#define MODE_IEEE (1U << 9)

#define ONE 0x3f800000U
#define QUIET 0x7fc00000U
#define SIGNALLING 0x7f800001U
#define INFINITE 0x7f800000U
#define LARGEST 0x7f7fffffU
#define HALF_SIGNALLING 0x7c01U
#define LONG(op) VOP3(op, 3U, V(0), V(1), V(2))
#define CLAMPED_ONE(op) 0xd0008003U | (op) << 16, V(0)
#define SHORT(op) VOP1(op, 3U, V(0)), 0U
#define COMPARED(op) VOPC(op, V(0), 1U), 0U
#define LONG2(op) VOP3(op, 3U, V(0), V(1), 0U)

/* Where the manual says something, or IEEE 754 does of what they are named after. */
static const struct {
	const char *what;
	uint32_t words[2], operands[3], expected;
} listed[] = {
	{"v_cmp_lt_f32", {COMPARED(65U)}, {QUIET, ONE}, 0},
	{"v_cmp_lt_f32", {COMPARED(65U)}, {ONE, SIGNALLING}, I},
	{"v_cmp_nlt_f32", {COMPARED(78U)}, {QUIET, QUIET}, 0},
	{"v_cmp_u_f32", {COMPARED(72U)}, {SIGNALLING, ONE}, I},
	{"v_cmp_f_f32", {COMPARED(64U)}, {SIGNALLING, ONE}, I},
	{"v_cmp_eq_f32", {COMPARED(66U)}, {1, 0}, D},
	{"v_cmp_eq_f32 clamp", {0xd042806a, V(0) | V(1) << 9}, {QUIET, ONE}, I},
	{"v_cmp_eq_f32 clamp", {0xd042806a, V(0) | V(1) << 9}, {ONE, ONE}, 0},
	{"v_cmpx_gt_f32", {COMPARED(84U)}, {SIGNALLING, ONE}, I},
	{"v_cmp_eq_f16", {COMPARED(34U)}, {HALF_SIGNALLING, 0}, I},
	{"v_cmp_eq_f16", {COMPARED(34U)}, {0x7e00, 1}, D},
	{"v_cmp_class_f32", {COMPARED(16U)}, {SIGNALLING, 1}, 0},
	{"v_cmp_eq_u32", {COMPARED(202U)}, {SIGNALLING, 1}, 0},
	{"v_cvt_i32_f32", {SHORT(8U)}, {0x3fc00000}, 0},
	{"v_cvt_i32_f32 clamp", {CLAMPED_ONE(0x148U)}, {0x3fc00000}, X},
	{"v_cvt_i32_f32", {SHORT(8U)}, {0x4f000000}, I},
	{"v_cvt_i32_f32", {SHORT(8U)}, {0xcf000000}, 0},
	{"v_cvt_i32_f32", {SHORT(8U)}, {QUIET}, I},
	{"v_cvt_u32_f32", {SHORT(7U)}, {0xbf7fffff}, 0},
	{"v_cvt_u32_f32 clamp", {CLAMPED_ONE(0x147U)}, {0xbf7fffff}, X},
	{"v_cvt_u32_f32", {SHORT(7U)}, {0xbf800000}, I},
	{"v_cvt_u32_f32", {SHORT(7U)}, {0x4f7fffff}, 0},
	{"v_cvt_u32_f32", {SHORT(7U)}, {0x4f800000}, I},
	{"v_cvt_u16_f16", {SHORT(59U)}, {0x7bff}, 0},
	{"v_cvt_u16_f16", {SHORT(59U)}, {0xbc00}, I},
	{"v_cvt_u16_f16", {SHORT(59U)}, {0x7c00}, I},
	{"v_cvt_i16_f16", {SHORT(60U)}, {0x7800}, I},
	{"v_cvt_i16_f16", {SHORT(60U)}, {0xf800}, 0},
	{"v_cvt_i16_f16 clamp", {CLAMPED_ONE(0x17cU)}, {0x3801}, X},
	{"v_cvt_f32_f16", {SHORT(11U)}, {HALF_SIGNALLING}, I},
	{"v_cvt_f32_f16", {SHORT(11U)}, {1}, D},
	{"v_cvt_f16_f32", {SHORT(10U)}, {SIGNALLING}, I},
	{"v_cvt_f16_f32", {SHORT(10U)}, {1}, D | U},
	{"v_cvt_pk_u8_f32", {LONG(477U)}, {0x437f0000}, 0},
	{"v_cvt_pk_u8_f32", {LONG(477U)}, {0x43800000}, I},
	{"v_cvt_pkrtz_f16_f32", {LONG2(662U)}, {0x3f800000, 0x47800000}, O},
	{"v_cvt_pkrtz_f16_f32", {LONG2(662U)}, {0x477fffff, 0}, X},
	{"v_cvt_pknorm_i16_f32", {LONG2(660U)}, {0x40000000, 0x3f800000}, 0},
	{"v_cvt_pknorm_i16_f32", {LONG2(660U)}, {0, 0x3e800000}, X},
	{"v_cvt_pknorm_u16_f32", {LONG2(661U)}, {0xbf000000, QUIET}, I},
	{"v_cvt_norm_i16_f16", {SHORT(77U)}, {0x3c00}, 0},
	{"v_cvt_norm_u16_f16", {SHORT(78U)}, {0x3800}, X},
	{"v_cvt_rpi_i32_f32", {SHORT(12U)}, {SIGNALLING}, 0},
	{"v_cvt_flr_i32_f32", {SHORT(13U)}, {INFINITE}, 0},
	{"v_cvt_f32_ubyte1", {SHORT(18U)}, {UINT32_MAX}, 0},
	{"v_rcp_iflag_f32", {SHORT(35U)}, {0}, N},
	{"v_rcp_iflag_f32", {SHORT(35U)}, {0x80000000}, N},
	{"v_rcp_iflag_f32", {SHORT(35U)}, {0x40400000}, 0},
	{"v_rcp_iflag_f32", {SHORT(35U)}, {SIGNALLING}, 0},
	{"v_rcp_f16", {SHORT(61U)}, {0x8000}, Z},
	{"v_rcp_f16", {SHORT(61U)}, {1}, D | O},
	{"v_rcp_f16", {SHORT(61U)}, {0x7bff}, U},
	{"v_rcp_f16", {SHORT(61U)}, {0x4400}, 0},
	{"v_sqrt_f16", {SHORT(62U)}, {0x4880}, 0}, /* 9 */
	{"v_sqrt_f16", {SHORT(62U)}, {0x4800}, X},
	{"v_sqrt_f16", {SHORT(62U)}, {0xbc00}, I},
	{"v_rsq_f16", {SHORT(63U)}, {0}, Z},
	{"v_rsq_f32", {SHORT(36U)}, {0x80000000}, Z},
	{"v_rsq_f32", {SHORT(36U)}, {0xbf800000}, I},
	{"v_rsq_f32", {SHORT(36U)}, {0x40800000}, 0},
	{"v_rsq_f32", {SHORT(36U)}, {0x40000000}, X},
	{"v_log_f32", {SHORT(33U)}, {0}, Z},
	{"v_log_f32", {SHORT(33U)}, {0xbf800000}, I},
	{"v_log_f32", {SHORT(33U)}, {0x41000000}, 0},
	{"v_log_f32", {SHORT(33U)}, {0x40400000}, X},
	{"v_log_f16", {SHORT(64U)}, {0x4200}, X},
	{"v_exp_f32", {SHORT(32U)}, {0x40400000}, 0},
	{"v_exp_f32", {SHORT(32U)}, {0x3f000000}, X},
	{"v_exp_f32", {SHORT(32U)}, {0x43000000}, O}, /* 128 */
	{"v_exp_f32", {SHORT(32U)}, {LARGEST}, O},
	{"v_exp_f32", {SHORT(32U)}, {0xc3150000}, 0}, /* -149 */
	{"v_exp_f32", {SHORT(32U)}, {0xc3160000}, U}, /* -150 */
	{"v_exp_f32", {SHORT(32U)}, {0xff7fffff}, U},
	{"v_exp_f32", {SHORT(32U)}, {0xff800000}, 0},
	{"v_exp_f16", {SHORT(65U)}, {0x4c00}, O}, /* 16 */
	{"v_sin_f32", {SHORT(41U)}, {0x3e800000}, 0},
	{"v_sin_f32", {SHORT(41U)}, {0x3dcccccd}, X},
	{"v_sin_f32", {SHORT(41U)}, {1}, D | U},
	{"v_sin_f32", {SHORT(41U)}, {INFINITE}, I},
	{"v_cos_f32", {SHORT(42U)}, {0x3f000000}, 0},
	{"v_cos_f32", {SHORT(42U)}, {1}, D | X},
	{"v_cos_f16", {SHORT(74U)}, {0xfc00}, I},
	{"v_sin_f16", {SHORT(73U)}, {0x2e66}, X},
	{"v_fract_f32", {SHORT(27U)}, {0x3fa00000}, 0},
	{"v_fract_f32", {SHORT(27U)}, {0xb0800000}, X},
	{"v_fract_f32", {SHORT(27U)}, {INFINITE}, I},
	{"v_fract_f16", {SHORT(72U)}, {0x8401}, X},
	{"v_floor_f32", {SHORT(31U)}, {0x3fc00000}, 0},
	{"v_rndne_f32", {SHORT(30U)}, {SIGNALLING}, I},
	{"v_trunc_f16", {SHORT(70U)}, {1}, D},
	{"v_ceil_f16", {SHORT(69U)}, {HALF_SIGNALLING}, I},
	{"v_frexp_exp_i32_f32", {SHORT(51U)}, {SIGNALLING}, I},
	{"v_frexp_mant_f32", {SHORT(52U)}, {1}, D},
	{"v_frexp_mant_f16", {SHORT(66U)}, {0}, 0},
	{"v_ldexp_f16", {VOP2(51U, 3U, V(0), 1U)}, {0x3c00, 16}, O},
	{"v_ldexp_f16", {VOP2(51U, 3U, V(0), 1U)}, {0x3c00, 0xffe8}, 0},
	{"v_ldexp_f16", {VOP2(51U, 3U, V(0), 1U)}, {0x3c00, 0x8000}, U},
	{"v_ldexp_f32", {LONG2(648U)}, {0x3f800000, 0x80000000}, U},
	{"v_min_f32", {VOP2(10U, 3U, V(0), 1U)}, {QUIET, ONE}, 0},
	{"v_min_f32", {VOP2(10U, 3U, V(0), 1U)}, {SIGNALLING, ONE}, I},
	{"v_max_f16", {VOP2(45U, 3U, V(0), 1U)}, {0x3c00, HALF_SIGNALLING}, I},
	{"v_med3_f32", {LONG(470U)}, {ONE, ONE, SIGNALLING}, I},
	{"v_pk_min_f16", {VOP3P(17U, 3U, V(0), V(1), 0U)}, {0x3c003c00, 0x00013c00}, D},
	{"v_mul_legacy_f32", {LONG2(673U)}, {0, INFINITE}, 0},
	{"v_mul_legacy_f32", {LONG2(673U)}, {LARGEST, 0x40000000}, O},
	/* The product underflows, the sum is exact after that. */
	{"v_mad_f16", {LONG(515U)}, {0x0401, 0x3801, 0x3c00}, U},
	{"v_mad_f16", {LONG(515U)}, {0x7bff, 0x4000, 0xfbff}, O},
	{"v_mad_f16", {LONG(515U)}, {0x7c00, 0x3c00, 0xfc00}, I},
	{"v_fma_f16", {LONG(518U)}, {0x7bff, 0x4000, 0xfbff}, 0},
	{"v_div_scale_f32", {VOP3B(480U, 3U, VCC, V(0), V(1), V(2))}, {0, 0, ONE}, 0},
	{"v_div_fixup_f32", {LONG(478U)}, {INFINITE, 0, ONE}, Z},
	{"v_div_fixup_f32", {LONG(478U)}, {QUIET, 0, 0}, I},
	{"v_div_fixup_f32", {LONG(478U)}, {QUIET, INFINITE, INFINITE}, I},
	{"v_div_fixup_f32", {LONG(478U)}, {QUIET, 0, INFINITE}, 0},
	{"v_div_fixup_f32", {LONG(478U)}, {ONE, SIGNALLING, ONE}, I},
	{"v_div_fixup_f32", {LONG(478U)}, {SIGNALLING, ONE, 1}, D},
	{"v_div_fixup_f16", {LONG(519U)}, {0x7c00, 0, 0x3c00}, Z},
	/* Scaled down by 2^64 (the addend is small), or not. */
	{"v_div_fmas_f32", {LONG(482U)}, {ONE, 0x00800000, 0x00800001}, U},
	{"v_div_fmas_f32", {LONG(482U)}, {LARGEST, LARGEST, 0x7f000000}, O},
	{"v_cubema_f32", {LONG(455U)}, {LARGEST, ONE, ONE}, 0},
	{"v_dot2_f32_f16", {VOP3P(35U, 3U, V(0), V(1), V(2))}, {0x00003c00, 0x7c003c00, ONE}, I},
	{"v_dot2_f32_f16",
	 {VOP3P(35U, 3U, V(0), V(1), V(2))},
	 {0x3c003c00, 0x3c003c00, LARGEST},
	 X},
	{"v_dot2_f32_f16", {VOP3P(35U, 3U, V(0), V(1), V(2))}, {1, 1, 1}, 0},
	{"v_pk_mov_b32", {VOP3P(51U, 4U, V(0), V(2), 0U)}, {SIGNALLING, SIGNALLING}, 0},
	{"v_mov_b32", {SHORT(1U)}, {SIGNALLING}, 0},
	{"v_cndmask_b32", {VOP2(0U, 3U, V(0), 1U)}, {SIGNALLING, 1}, 0},
	/* Halves among singles. */
	{"v_fma_mix_f32", {0xd3a00003, 0x08000000 | V(0) | V(1) << 9 | V(2) << 18}, {1, ONE, 0}, D},
	{"v_fma_mix_f32",
	 {0xd3a00003, 0x08000000 | V(0) | V(1) << 9 | V(2) << 18},
	 {HALF_SIGNALLING, ONE, 0},
	 I},
	{"v_fma_mix_f32", {0xd3a00003, V(0) | V(1) << 9 | V(2) << 18}, {1, ONE, 0}, D},
	/* Parts of registers: the low byte is not a denormal half, the high half is none either. */
	{"v_add_f16_sdwa",
	 {VOP2(31U, 3U, 249U, 1U), 5U << 16 | 6U << 8 | 5U << 24},
	 {0x7c013c00, 0x3c007c01},
	 I},
	{"v_add_f16_sdwa",
	 {VOP2(31U, 3U, 249U, 1U), 4U << 16 | 6U << 8 | 5U << 24},
	 {0x7c013c00, 0x3c007c01},
	 0},
};

static void test_listed(void **state)
{
	struct fixture *fixture = *state;

	for (size_t i = 0; i < COUNT(listed); i++) {
		const uint32_t *operands = listed[i].operands;

		fixture->wave.mode = MODE_DEFAULT;
		fixture->wave.exec = ALL_LANES;
		fixture->wave.vcc = ALL_LANES;
		for (uint32_t j = 0; j < 3; j++)
			set_vgpr(fixture, j, operands[j]);
		check(listed[i].what, 0, operands[0], operands[1], operands[2],
		      raised(fixture, listed[i].words, 2), listed[i].expected);
	}
}

static void test_active_lanes_alone(void **state)
{
	struct fixture *fixture = *state;
	/* v_add_f32_dpp v3, v0, v1 quad_perm:[0,1,2,3], with rows and banks to write. */
	const uint32_t moved[] = {VOP2(1U, 3U, 250U, 1U), 0xe4U << 8};

	set_vgpr(fixture, 0, ONE);
	set_vgpr(fixture, 1, ONE);
	vgpr(fixture, 0)[17] = SIGNALLING;
	fixture->wave.exec = ~(UINT64_C(1) << 17);
	assert_int_equal(RAISED(fixture, VOP2(1U, 3U, V(0), 1U)), 0);
	assert_int_equal(RAISED(fixture, VOPC(65U, V(0), 1U)), 0);
	fixture->wave.exec = UINT64_C(1) << 17;
	assert_int_equal(RAISED(fixture, VOP2(1U, 3U, V(0), 1U)), I);
	assert_int_equal(RAISED(fixture, VOPC(65U, V(0), 1U)), I);
	fixture->wave.exec = 0;
	assert_int_equal(RAISED(fixture, VOP2(1U, 3U, V(0), 1U)), 0);
	assert_int_equal(RAISED(fixture, VOPC(65U, V(0), 1U)), 0);
	/* Lane 17 is in the second row and its first bank. */
	fixture->wave.exec = ALL_LANES;
	assert_int_equal(RAISED(fixture, moved[0], moved[1] | 0xffU << 24), I);
	assert_int_equal(RAISED(fixture, moved[0], moved[1] | 0xdfU << 24), 0);
	assert_int_equal(RAISED(fixture, moved[0], moved[1] | 0xfeU << 24), 0);
}

/* What has been raised stays, until the program or the debugger clears it. */
static void test_sticky_and_enabled(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr(fixture, 0, SIGNALLING);
	RUN(fixture, VOP2(1U, 3U, V(0), 0U));
	assert_int_equal(fixture->wave.trapsts, 0);
	/* One that is enabled has all of them looked for. */
	fixture->wave.mode |= 1U << 18;
	RUN(fixture, VOP2(1U, 3U, V(0), 0U));
	assert_int_equal(fixture->wave.trapsts, I);
	set_vgpr(fixture, 0, 0);
	RUN(fixture, VOP1(34U, 3U, V(0)));
	RUN(fixture, VOP1(53U, 0U, 0U)); /* v_clrexcp */
	assert_int_equal(fixture->wave.trapsts, I | Z);
}

static void check_mode(struct fixture *fixture, uint32_t mode, uint32_t a, uint32_t b,
		       const uint32_t words[2], uint32_t expected)
{
	fixture->wave.mode = mode;
	set_vgpr(fixture, 0, a);
	set_vgpr(fixture, 1, b);
	check("with modes", mode, a, b, 0, raised(fixture, words, 2), expected);
}

static void test_flushing(void **state)
{
	const uint32_t add[] = {VOP2(1U, 3U, V(0), 1U), 0},
		       multiply[] = {VOP2(5U, 3U, V(0), 1U), 0};
	const uint32_t halves_add[] = {VOP2(31U, 3U, V(0), 1U), 0};
	const uint32_t reciprocal[] = {VOP1(34U, 3U, V(0)), 0}, compare[] = {COMPARED(66U)};
	const uint32_t keeps = MODE_DEFAULT, flushes = MODE_DEFAULT & ~MODE_FLUSH;
	struct fixture *fixture = *state;

	check_mode(fixture, keeps, 1, ONE, add, D | X);
	check_mode(fixture, flushes, 1, ONE, add, 0);
	check_mode(fixture, flushes, 1, INFINITE, multiply, I);
	check_mode(fixture, keeps, 1, INFINITE, multiply, D);
	check_mode(fixture, flushes, 1, 0, reciprocal, Z);
	check_mode(fixture, flushes, 1, 0, compare, 0);
	/* An exact denormal underflows when it is flushed. */
	check_mode(fixture, keeps, 0x00800000, 0x3f000000, multiply, 0);
	check_mode(fixture, flushes, 0x00800000, 0x3f000000, multiply, U);
	/* Inputs and results apart; halves follow the other field. */
	check_mode(fixture, flushes | 1U << 4, 0x00800000, 0x3f000000, multiply, U);
	check_mode(fixture, flushes | 1U << 5, 0x00800000, 0x3f000000, multiply, 0);
	check_mode(fixture, flushes | 3U << 4, 1, 1, halves_add, 0);
	check_mode(fixture, flushes | 3U << 6, 1, 1, halves_add, D);
}

static void test_output_modifiers(void **state)
{
	const uint32_t add[] = {VOP3(0x101U, 3U, V(0), V(1), 0U)};
	const uint32_t twice[] = {add[0], add[1] | 1U << 27}, half[] = {add[0], add[1] | 3U << 27};
	const uint32_t clamped[] = {add[0] | 1U << 15, add[1]};
	const uint32_t plain = MODE_DEFAULT & ~MODE_FLUSH & ~MODE_IEEE;
	struct fixture *fixture = *state;

	check_mode(fixture, plain, LARGEST, 0, twice, O);
	check_mode(fixture, plain, 0x00800000, 0, half, U);
	check_mode(fixture, plain, ONE, ONE, twice, 0);
	assert_int_equal(vgpr(fixture, 3)[0], F(4));
	check_mode(fixture, plain, 0x80000000, 0x80000000, half, 0);
	assert_int_equal(vgpr(fixture, 3)[0], 0);
	/* Ignored in IEEE mode, and where denormals are kept. */
	check_mode(fixture, plain | MODE_IEEE, LARGEST, 0, twice, 0);
	check_mode(fixture, plain | MODE_FLUSH, LARGEST, 0, twice, 0);
	assert_int_equal(vgpr(fixture, 3)[0], LARGEST);
	/* What is clamped was raised before; a clamped NaN is 0 or not. */
	check_mode(fixture, MODE_DEFAULT, LARGEST, LARGEST, clamped, O);
	assert_int_equal(vgpr(fixture, 3)[0], ONE);
	check_mode(fixture, MODE_DEFAULT, SIGNALLING, ONE, clamped, I);
	assert_int_equal(vgpr(fixture, 3)[0], 0);
	check_mode(fixture, MODE_DEFAULT & ~(1U << 8), SIGNALLING, ONE, clamped, I);
	assert_int_equal(vgpr(fixture, 3)[0], SIGNALLING | QUIET);
}

static bool is_float(uint32_t type)
{
	return type == GFX_F16 || type == GFX_F32 || type == GFX_F64 || type == GFX_V2F16 ||
	       type == GFX_V2F32 || type == GFX_MIX;
}

static bool raises_nothing(const struct gfx_operation *operation)
{
	static const char *const names[] = {
		"v_cmp_class_",	    "v_cmpx_class_",	"v_cvt_f64_i32", "v_cvt_f64_u32",
		"v_cvt_f32_ubyte",  "v_cvt_off_f32_i4", "v_cvt_rpi_",	 "v_cvt_flr_",
		"v_cube",	    "v_div_scale_",	"v_trig_preop_", "v_pack_b32_f16",
		"v_mac_f32",	    "v_madmk_f32",	"v_madak_f32",	 "v_mad_f32",
		"v_mad_legacy_f32", "v_cvt_f32_fp8",	"v_cvt_f32_bf8", "v_cvt_pk_f32_",
		"v_cvt_pk_fp8_",    "v_cvt_pk_bf8_",	"v_dot4_f32_",	 "v_cvt_sr_",
	};

	for (size_t i = 0; i < COUNT(names); i++)
		if (!strncmp(operation->name, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Every operation on floats says what it raises, but for those that raise nothing. */
static size_t check_rows(const struct gfx_encoding_row *row)
{
	size_t count = 0;

	for (size_t i = 0; i < row->operation_count; i++) {
		const struct gfx_operation *operation = &row->operations[i];

		if (!operation->name || !(is_float(operation->dst) || is_float(operation->src[0])))
			continue;
		if ((operation->raises == GFX_RAISES_NOTHING) != raises_nothing(operation))
			fail_msg("%s", operation->name);
		count++;
	}
	return count;
}

static void test_rows(void **state)
{
	const struct gfx_isa *isa = gfx_isa_of(gfx_architecture_by_name("gfx90a"));
	size_t count = 0;

	(void)state;
	for (; isa; isa = isa->base)
		for (size_t i = 0; i < isa->row_count; i++)
			count += check_rows(&isa->rows[i]);
	assert_true(count > 200);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_listed),   TEST(test_active_lanes_alone), TEST(test_sticky_and_enabled),
		TEST(test_flushing), TEST(test_output_modifiers),   TEST(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
