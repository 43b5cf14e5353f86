/* SPDX-License-Identifier: MIT */
/* Vector integer operations, masks, modifiers and operations across lanes. */
#include "fixture.h"

struct vector_case {
	uint32_t words[2];
	uint32_t word_count;
	uint32_t a, b, c; /* v0, v1, v2 */
	uint32_t result;  /* v3 */
};

#define SHORT(word) {(word)}, 1
#define LONG(...) {__VA_ARGS__}, 2

static void run_cases(struct fixture *fixture, const struct vector_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		set_vgpr(fixture, 0, cases[i].a);
		set_vgpr(fixture, 1, cases[i].b);
		set_vgpr(fixture, 2, cases[i].c);
		set_vgpr(fixture, 3, 0x55555555);
		assert_int_equal(fixture_step(fixture, cases[i].words, cases[i].word_count),
				 GFX_STEP_DONE);
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane += 21)
			if (vgpr(fixture, 3)[lane] != cases[i].result)
				fail_msg("case %zu lane %u: %08x, expected %08x", i, lane,
					 vgpr(fixture, 3)[lane], cases[i].result);
	}
}

#define RUN_CASES(state, cases) run_cases(*(state), cases, sizeof(cases) / sizeof((cases)[0]))

static void test_integers(void **state)
{
	static const struct vector_case cases[] = {
		{SHORT(VOP2(52U, 3U, V(0), 1U)), 5, 7, 0, 12},		 /* v_add_u32 */
		{SHORT(VOP2(53U, 3U, V(0), 1U)), 5, 7, 0, (uint32_t)-2}, /* v_sub_u32 */
		{SHORT(VOP2(54U, 3U, V(0), 1U)), 5, 7, 0, 2},		 /* v_subrev_u32 */
		{LONG(0xd1348003, V(0) | V(1) << 9), 0xffffffff, 2, 0, 0xffffffff}, /* clamp */
		{LONG(0xd1358003, V(0) | V(1) << 9), 1, 2, 0, 0},
		{LONG(0xd29c8003, V(0) | V(1) << 9), 0x7fffffff, 1, 0, 0x7fffffff}, /* add_i32 */
		{SHORT(VOP2(6U, 3U, V(0), 1U)), 0x00ffffff, 3, 0, (uint32_t)-3}, /* mul_i32_i24 */
		{SHORT(VOP2(8U, 3U, V(0), 1U)), 0xff000003, 5, 0, 15},		 /* mul_u32_u24 */
		{SHORT(VOP2(12U, 3U, V(0), 1U)), (uint32_t)-1, 1, 0, (uint32_t)-1}, /* min_i32 */
		{SHORT(VOP2(15U, 3U, V(0), 1U)), (uint32_t)-1, 1, 0, (uint32_t)-1}, /* max_u32 */
		{SHORT(VOP2(16U, 3U, V(0), 1U)), 36, 0x80, 0, 8},		/* lshrrev_b32 */
		{SHORT(VOP2(17U, 3U, V(0), 1U)), 4, 0x80000000, 0, 0xf8000000}, /* ashrrev_i32 */
		{SHORT(VOP2(38U, 3U, V(0), 1U)), 0x1ffff, 2, 0, 1},		/* v_add_u16 */
		{SHORT(VOP2(48U, 3U, V(0), 1U)), 0x8000, 1, 0, 1},		/* v_max_i16 */
		{LONG(VOP3(645U, 3U, V(0), V(1), 0U)), 0x10001, 0x10001, 0, 0x20001},
		{LONG(VOP3(646U, 3U, V(0), V(1), 0U)), 0xffffffff, 0xffffffff, 0, 0xfffffffe},
		{LONG(VOP3(647U, 3U, V(0), V(1), 0U)), 0xffffffff, 2, 0, 0xffffffff},
		{LONG(VOP3(451U, 3U, V(0), V(1), V(2))), 3, 4, 5, 17},		 /* mad_u32_u24 */
		{LONG(VOP3(511U, 3U, V(0), V(1), V(2))), 3, 4, 5, 12},		 /* add3_u32 */
		{LONG(VOP3(509U, 3U, V(0), V(1), V(2))), 3, 4, 5, 53},		 /* lshl_add_u32 */
		{LONG(VOP3(510U, 3U, V(0), V(1), V(2))), 3, 4, 5, 224},		 /* add_lshl_u32 */
		{LONG(VOP3(471U, 3U, V(0), V(1), V(2))), (uint32_t)-5, 9, 1, 1}, /* med3_i32 */
		{LONG(VOP3(466U, 3U, V(0), V(1), V(2))), (uint32_t)-5, 9, 1, 1}, /* min3_u32 */
		{LONG(VOP3(476U, 3U, V(0), V(1), V(2))), 3, 10, 5, 12},		 /* sad_u32 */
		{LONG(VOP3(473U, 3U, V(0), V(1), V(2))), 0x01020304, 0x04030201, 1, 9}, /* sad_u8 */
		/* msad_u8: the first and the third byte are not in the reference. */
		{LONG(VOP3(484U, 3U, V(0), V(1), V(2))), 0x11223344, 0x10003000, 5, 9},
		{LONG(VOP3(664U, 3U, V(0), V(1), 0U)), 0x12345, (uint32_t)-0x12345, 0, 0x80007fff},
		{LONG(VOP3P(2U, 3U, V(0), V(1), 0U)), 0x00017fff, 0x00020001, 0, 0x00038000},
		{LONG(VOP3P(10U, 3U, V(0), V(1), 0U) | 0), 0xffff0001, 0x00020003, 0, 0x00010004},
	};

	RUN_CASES(state, cases);
}

/* v_nop, and v_clrexcp, which has no destination either. */
static void test_no_destination(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr(fixture, 0, 0x12345678);
	RUN(fixture, VOP1(0U, 0U, 0U));
	RUN(fixture, VOP1(53U, 0U, 0U));
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		assert_int_equal(vgpr(fixture, 0)[lane], 0x12345678);
}

static void test_bits(void **state)
{
	static const struct vector_case cases[] = {
		{SHORT(VOP2(19U, 3U, V(0), 1U)), 0xff00, 0x0ff0, 0, 0x0f00},
		{SHORT(VOP2(61U, 3U, V(0), 1U)), 0xff00, 0x0ff0, 0, 0xffff0f0f}, /* xnor */
		{SHORT(VOP1(43U, 3U, V(0))), 0xff, 0, 0, 0xffffff00},
		{SHORT(VOP1(44U, 3U, V(0))), 0x1, 0, 0, 0x80000000}, /* bfrev */
		{SHORT(VOP1(45U, 3U, V(0))), 0x00010000, 0, 0, 15},  /* ffbh_u32 */
		{SHORT(VOP1(45U, 3U, V(0))), 0, 0, 0, UINT32_MAX},
		{SHORT(VOP1(46U, 3U, V(0))), 0x00010000, 0, 0, 16}, /* ffbl_b32 */
		{SHORT(VOP1(47U, 3U, V(0))), 0xff000000, 0, 0, 8},  /* ffbh_i32 */
		{LONG(VOP3(456U, 3U, V(0), V(1), V(2))), 0xabcd1234, 8, 8, 0x12},
		{LONG(VOP3(457U, 3U, V(0), V(1), V(2))), 0x0000f100, 8, 8, 0xfffffff1},
		{LONG(VOP3(457U, 3U, V(0), V(1), V(2))), 0x80000000, 28, 8, 0xfffffff8},
		{LONG(VOP3(458U, 3U, V(0), V(1), V(2))), 0xf0, 0xaa, 0x55, 0xa5}, /* bfi */
		{LONG(VOP3(462U, 3U, V(0), V(1), V(2))), 0x12345678, 0x9abcdef0, 8, 0x789abcde},
		{LONG(VOP3(463U, 3U, V(0), V(1), V(2))), 0x12345678, 0x9abcdef0, 3, 0x3456789a},
		{LONG(VOP3(493U, 3U, V(0), V(1), V(2))), 0x77665544, 0x33221100, 0x0c0d0407,
		 0x00ff4477}, /* perm */
		{LONG(VOP3(493U, 3U, V(0), V(1), V(2))), 0x80000000, 0x00008000, 0x0b0a0908,
		 0xff0000ff},
		{LONG(VOP3(512U, 3U, V(0), V(1), V(2))), 1, 4, 3, 0x13}, /* lshl_or */
		{LONG(VOP3(513U, 3U, V(0), V(1), V(2))), 6, 3, 8, 10},	 /* and_or */
		{LONG(VOP3(651U, 3U, V(0), V(1), 0U)), 0xff, 3, 0, 11},	 /* bcnt */
		{LONG(VOP3(659U, 3U, V(0), V(1), 0U)), 4, 8, 0, 0xf00},	 /* bfm */
	};

	RUN_CASES(state, cases);
}

static void test_carry(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;

	wave->exec = 0x0f;
	wave->vcc = ALL_LANES;
	set_vgpr(fixture, 1, 1);
	vgpr(fixture, 0)[0] = 0xffffffff;
	vgpr(fixture, 0)[1] = 5;
	vgpr(fixture, 0)[2] = 0xffffffff;
	RUN(fixture, VOP2(25U, 2U, V(0), 1U)); /* v_add_co_u32 */
	assert_true(wave->vcc == 5);	       /* inactive lanes get 0 */
	assert_int_equal(vgpr(fixture, 2)[0], 0);
	assert_int_equal(vgpr(fixture, 2)[1], 6);
	assert_int_equal(vgpr(fixture, 2)[63], 0);
	RUN(fixture, VOP2(28U, 3U, INLINE(10), 1U)); /* v_addc_co_u32 */
	assert_int_equal(vgpr(fixture, 3)[0], 12);
	assert_int_equal(vgpr(fixture, 3)[1], 11);
	assert_true(wave->vcc == 0);
	wave->sgprs[10] = 2;
	wave->sgprs[11] = 0;
	/* v_subb_co_u32 v4, s[12:13], 0, v1, s[10:11] */
	RUN(fixture, VOP3B(0x11dU, 4U, 12U, INLINE(0), V(1), S(10)));
	assert_int_equal(vgpr(fixture, 4)[0], 0xffffffff);
	assert_int_equal(vgpr(fixture, 4)[1], 0xfffffffe);
	assert_int_equal(wave->sgprs[12], 0xf);
	assert_int_equal(wave->sgprs[13], 0);
}

/* Four words of v[0:1], each a byte on, and four sums of 16 bits. */
static void test_quad_differences(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr64(fixture, 0, UINT64_C(0x0706050403020100));
	set_vgpr(fixture, 2, 0x00020100);
	set_vgpr64(fixture, 4, UINT64_C(0xffff000300020001));
	RUN(fixture,
	    VOP3(485U, 6U, V(0), V(2), V(4))); /* v_qsad_pk_u16_u8 v[6:7], v[0:1], v2, v[4:5] */
	assert_true(get_vgpr64(fixture, 6, 63) == UINT64_C(0x000e000e00090004));
	RUN(fixture, VOP3(486U, 6U, V(0), V(2), V(4))); /* v_mqsad_pk_u16_u8 */
	assert_true(get_vgpr64(fixture, 6, 0) == UINT64_C(0x0005000700040001));
	/* With clamp a sum stays the largest. */
	RUN(fixture, 0xd1e58006, V(0) | V(2) << 9 | V(4) << 18);
	assert_true(get_vgpr64(fixture, 6, 0) >> 48 == 0xffff);
	/* v_mqsad_u32_u8 v[8:11], v[0:1], v2, v[12:15]: a register for each sum. */
	set_vgpr64(fixture, 12, UINT64_C(0x0000000200010001));
	set_vgpr64(fixture, 14, UINT64_C(0xffffffff00000003));
	RUN(fixture, VOP3(487U, 8U, V(0), V(2), V(12)));
	assert_true(get_vgpr64(fixture, 8, 63) == UINT64_C(0x0000000400010001));
	assert_true(get_vgpr64(fixture, 10, 63) == UINT64_C(0x0000000500000007));
	RUN(fixture, 0xd1e78008, V(0) | V(2) << 9 | V(12) << 18); /* clamp */
	assert_true(get_vgpr64(fixture, 10, 0) == UINT64_C(0xffffffff00000007));
	/* Sums are in vector registers alone. */
	assert_int_equal(STEP(fixture, VOP3(487U, 8U, V(0), V(2), S(12))),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
}

static void test_wide(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr(fixture, 0, 0xffffffff);
	set_vgpr(fixture, 1, 3);
	set_vgpr64(fixture, 2, UINT64_C(0xfffffffe00000000));
	/* v_mad_u64_u32 v[4:5], s[8:9], v0, v1, v[2:3] */
	RUN(fixture, VOP3B(488U, 4U, 8U, V(0), V(1), V(2)));
	assert_true(get_vgpr64(fixture, 4, 7) == UINT64_C(0xfffffffe00000000) + 0x2fffffffd);
	assert_int_equal(fixture->wave.sgprs[8], 0xffffffff);
	RUN(fixture, VOP3(520U, 6U, V(2), INLINE(2), V(4))); /* v_lshl_add_u64 */
	assert_true(get_vgpr64(fixture, 6, 9) ==
		    (UINT64_C(0xfffffffe00000000) << 2) + get_vgpr64(fixture, 4, 9));
	RUN(fixture, VOP3(657U, 6U, INLINE(4), V(2), 0U)); /* v_ashrrev_i64 */
	assert_true(get_vgpr64(fixture, 6, 9) == UINT64_C(0xffffffffe0000000));
	RUN(fixture, VOP1(56U, 6U, INLINE(-3))); /* v_mov_b64 */
	assert_true(get_vgpr64(fixture, 6, 0) == (uint64_t)-3);
	/* Source and destination may overlap. */
	set_vgpr64(fixture, 2, UINT64_C(0x123456789abcdef0));
	RUN(fixture, VOP3(656U, 3U, INLINE(8), V(2), 0U)); /* v_lshrrev_b64 v[3:4], 8, v[2:3] */
	assert_true(get_vgpr64(fixture, 3, 0) == UINT64_C(0x123456789abcde));
}

static void test_compare(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 0)[lane] = lane;
	RUN(fixture, VOPC(201U, V(0), 0U)); /* v_cmp_lt_u32 vcc, v0, v0 */
	assert_true(wave->vcc == 0);
	set_vgpr(fixture, 1, 10);
	RUN(fixture, VOPC(201U, V(0), 1U));
	assert_true(wave->vcc == 0x3ff);
	wave->exec = 0xf0;
	RUN(fixture, VOP3(204U, 20U, V(0), INLINE(5), 0U)); /* v_cmp_gt_u32_e64 s[20:21] */
	assert_int_equal(wave->sgprs[20], 0xc0);
	assert_int_equal(wave->sgprs[21], 0);
	RUN(fixture, VOPC(218U, V(0), 1U)); /* v_cmpx_eq_u32: none */
	assert_true(wave->exec == 0 && wave->vcc == 0);
	wave->exec = ALL_LANES;
	set_vgpr(fixture, 1, (uint32_t)-1);
	RUN(fixture, VOPC(196U, V(0), 1U)); /* v_cmp_gt_i32 */
	assert_true(wave->vcc == ALL_LANES);
	RUN(fixture, VOPC(204U, V(0), 1U)); /* v_cmp_gt_u32 */
	assert_true(wave->vcc == 0);
	set_vgpr64(fixture, 2, UINT64_C(1) << 40);
	set_vgpr64(fixture, 4, 7);
	RUN(fixture, VOPC(233U, V(4), 2U)); /* v_cmp_lt_u64 */
	assert_true(wave->vcc == ALL_LANES);
}

static void test_select(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.vcc = 0xffff0000;
	RUN(fixture, VOP2(0U, 2U, INLINE(1), 0U)); /* v_cndmask_b32 v2, 1, v0, vcc */
	assert_int_equal(vgpr(fixture, 2)[3], 1);
	assert_int_equal(vgpr(fixture, 2)[20], 0);
	fixture->wave.sgprs[4] = 1;
	RUN(fixture, VOP3(0x100U, 2U, INLINE(7), INLINE(9), S(4)));
	assert_int_equal(vgpr(fixture, 2)[0], 9);
	assert_int_equal(vgpr(fixture, 2)[1], 7);
	set_vgpr(fixture, 0, float_bits(2));
	/* The sign of the chosen value may be flipped, in a signalling NaN too. */
	set_vgpr(fixture, 1, 0x7f800001);
	RUN(fixture, VOP3(0x100U, 2U, V(0), V(1), S(4)) | 3U << 29);
	assert_int_equal(vgpr(fixture, 2)[0], 0xff800001);
	assert_int_equal(vgpr(fixture, 2)[1], float_bits(-2));
}

static void test_exec(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.exec = UINT64_C(0x8000000000000001);
	set_vgpr(fixture, 5, 3);
	RUN(fixture, VOP1(1U, 5U, INLINE(9)));
	assert_int_equal(vgpr(fixture, 5)[0], 9);
	assert_int_equal(vgpr(fixture, 5)[1], 3);
	assert_int_equal(vgpr(fixture, 5)[62], 3);
	assert_int_equal(vgpr(fixture, 5)[63], 9);
}

static void test_lanes(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 0)[lane] = 100 + lane;
	wave->exec = 0xff0;
	RUN(fixture, VOP1(2U, 5U, V(0))); /* v_readfirstlane_b32 s5, v0 */
	assert_int_equal(wave->sgprs[5], 104);
	RUN(fixture, VOP3(649U, 6U, V(0), INLINE(63), 0U)); /* v_readlane_b32 */
	assert_int_equal(wave->sgprs[6], 163);
	wave->sgprs[7] = 65;				   /* counts modulo 64 */
	RUN(fixture, VOP3(650U, 0U, INLINE(5), S(7), 0U)); /* v_writelane_b32, lane is off */
	assert_int_equal(vgpr(fixture, 0)[1], 5);
	wave->exec = 0;
	RUN(fixture, VOP1(2U, 5U, V(0)));
	assert_int_equal(wave->sgprs[5], 100);
	wave->exec = ALL_LANES;
	RUN(fixture, VOP3(652U, 1U, INLINE(-1), INLINE(0), 0U)); /* v_mbcnt_lo */
	RUN(fixture, VOP3(653U, 1U, INLINE(-1), V(1), 0U));	 /* v_mbcnt_hi */
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		assert_int_equal(vgpr(fixture, 1)[lane], lane);
	wave->exec = 2;
	RUN(fixture, VOP1(81U, 0U, V(1))); /* v_swap_b32 */
	assert_int_equal(vgpr(fixture, 0)[1], 1);
	assert_int_equal(vgpr(fixture, 1)[1], 5);
	assert_int_equal(vgpr(fixture, 1)[2], 2);
}

#define DPP(source, control, flags) ((source) | (control) << 8 | (flags))
#define DPP_ALL 0xff000000U
#define DPP_ZERO (1U << 19)

static void test_dpp(void **state)
{
	struct fixture *fixture = *state;
	uint32_t *v2 = vgpr(fixture, 2);

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 0)[lane] = lane;
	set_vgpr(fixture, 2, 999);
	/* row_shr:1, old values stay where the row begins */
	RUN(fixture, VOP1(1U, 2U, 0xfaU), DPP(0U, 0x111U, DPP_ALL));
	assert_int_equal(v2[0], 999);
	assert_int_equal(v2[15], 14);
	assert_int_equal(v2[16], 999);
	RUN(fixture, VOP1(1U, 2U, 0xfaU), DPP(0U, 0x111U, DPP_ALL | DPP_ZERO));
	assert_int_equal(v2[16], 0);
	RUN(fixture, VOP1(1U, 2U, 0xfaU), DPP(0U, 0x1bU, DPP_ALL)); /* quad_perm:[3,2,1,0] */
	assert_int_equal(v2[4], 7);
	RUN(fixture, VOP1(1U, 2U, 0xfaU),
	    DPP(0U, 0x142U, 0xaf000000U)); /* row_bcast:15 row_mask:0xa */
	assert_int_equal(v2[16], 15);
	assert_int_equal(v2[31], 15);
	assert_int_equal(v2[32], 35); /* not written: still the quad permutation */
	assert_int_equal(v2[48], 47);
	/* A register that is source and destination: all lanes are read first. */
	RUN(fixture, VOP1(1U, 0U, 0xfaU), DPP(0U, 0x13cU, DPP_ALL)); /* wave_ror:1 */
	assert_int_equal(vgpr(fixture, 0)[0], 63);
	assert_int_equal(vgpr(fixture, 0)[1], 0);
	assert_int_equal(vgpr(fixture, 0)[63], 62);
	/* Lanes that are off are no sources. */
	fixture->wave.exec = ~UINT64_C(1);
	RUN(fixture, VOP2(52U, 3U, 0xfaU, 0U), DPP(0U, 0x111U, DPP_ALL | DPP_ZERO));
	assert_int_equal(vgpr(fixture, 3)[1], 0);
	assert_int_equal(vgpr(fixture, 3)[2], 0 + 1);
}

/* The lane that a control names for a lane, one by one as the documents list them; -1: none. */
static int dpp_source(uint32_t control, int lane)
{
	int row = lane / 16 * 16, place = lane % 16, count = (int)(control & 15);

	if (control < 0x100)
		return lane / 4 * 4 + (int)(control >> lane % 4 * 2 & 3);
	switch (control & 0x1f0) {
	case 0x100:
		return place + count > 15 ? -1 : lane + count;
	case 0x110:
		return place < count ? -1 : lane - count;
	case 0x120:
		return row + (place + 16 - count) % 16;
	case 0x150:
		return row + count;
	default:
		break;
	}
	switch (control) {
	case 0x130:
		return lane == 63 ? -1 : lane + 1;
	case 0x134:
		return (lane + 1) % 64;
	case 0x138:
		return lane - 1;
	case 0x13c:
		return (lane + 63) % 64;
	case 0x140:
		return row + 15 - place;
	case 0x141:
		return row + place / 8 * 8 + 7 - place % 8;
	case 0x142:
		return row - 1;
	default:
		return lane < 32 ? -1 : 31;
	}
}

static bool dpp_is_known(uint32_t control)
{
	uint32_t kind = control & 0x1f0;

	return control < 0x100 ||
	       ((kind == 0x100 || kind == 0x110 || kind == 0x120) && control & 15) ||
	       kind == 0x150 || (kind == 0x130 && control % 4 == 0) ||
	       (control >= 0x140 && control <= 0x143);
}

static void dpp_try(struct fixture *fixture, uint32_t control, uint64_t exec, uint32_t masks,
		    bool zero)
{
	uint32_t *v2 = vgpr(fixture, 2);

	fixture->wave.exec = ALL_LANES;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 0)[lane] = 100 + lane;
	set_vgpr(fixture, 2, 7);
	fixture->wave.exec = exec;
	RUN(fixture, VOP1(1U, 2U, 0xfaU), DPP(0U, control, masks << 24 | (zero ? DPP_ZERO : 0)));
	for (int lane = 0; lane < GFX_MAX_LANES; lane++) {
		int source = dpp_source(control, lane);
		bool there = source >= 0 && exec >> source & 1;
		bool written = exec >> lane & 1 && masks >> (4 + lane / 16) & 1 &&
			       masks >> lane % 16 / 4 & 1 && (there || zero);
		uint32_t value = !written ? 7 : there ? 100 + (uint32_t)source : 0;

		assert_int_equal(v2[lane], value);
	}
}

static void test_dpp_controls(void **state)
{
	static const uint64_t some[] = {ALL_LANES, UINT64_C(0xfffefffd7fff8001), UINT64_C(0x55), 0};
	struct fixture *fixture = *state;
	uint32_t tried = 0;

	for (uint32_t control = 0; control < 0x200; control++) {
		if (!dpp_is_known(control))
			continue;
		for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
			dpp_try(fixture, control, some[i], 0xff, i % 2);
			dpp_try(fixture, control, some[i], 0xa7, i % 2 == 0);
		}
		tried++;
	}
	assert_int_equal(tried, 256 + 45 + 16 + 4 + 4);
}

static void test_sdwa(void **state)
{
	struct fixture *fixture = *state;
	uint32_t *v2 = vgpr(fixture, 2);

	set_vgpr(fixture, 0, 0x8899aabb);
	set_vgpr(fixture, 1, 0x00010002);
	set_vgpr(fixture, 2, 0x11223344);
	/* v_add_u32_sdwa v2, v0, v1: BYTE_1 of a, WORD_1 of b, all of the destination */
	RUN(fixture, VOP2(52U, 2U, 0xf9U, 1U), 0x05010600);
	assert_int_equal(v2[0], 0xaa + 1);
	/* the same sign-extended */
	RUN(fixture, VOP2(52U, 2U, 0xf9U, 1U), 0x05090600);
	assert_int_equal(v2[0], (uint32_t)-0x56 + 1);
	/* into BYTE_2 and the rest stays */
	set_vgpr(fixture, 2, 0x11223344);
	RUN(fixture, VOP2(52U, 2U, 0xf9U, 1U), 0x05011200);
	assert_int_equal(v2[0], 0x11ab3344);
	/* into WORD_0, sign-extended */
	RUN(fixture, VOP1(1U, 2U, 0xf9U), 0x00040c00);
	assert_int_equal(v2[0], 0xffffaabb);
}

static void test_agprs(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr(fixture, 1, 77);
	fixture->wave.exec = 1;
	RUN(fixture, VOP3P(89U, 3U, V(1), 0U, 0U)); /* v_accvgpr_write_b32 a3, v1 */
	assert_int_equal(fixture->agprs[3 * GFX_MAX_LANES], 77);
	assert_int_equal(fixture->agprs[3 * GFX_MAX_LANES + 1], 0);
	RUN(fixture, VOP1(82U, 4U, V(3)));	    /* v_accvgpr_mov_b32 a4, a3 */
	RUN(fixture, VOP3P(88U, 2U, V(4), 0U, 0U)); /* v_accvgpr_read_b32 v2, a4 */
	assert_int_equal(vgpr(fixture, 2)[0], 77);
}

static void test_indexed(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;

	set_vgpr(fixture, 7, 70);
	set_vgpr(fixture, 2, 20);
	wave->sgprs[0] = 5;
	wave->m0 = 0;
	RUN(fixture, SOPC(17U, S(0), 1U)); /* s_set_gpr_idx_on s0, gpr_idx(SRC0) */
	RUN(fixture, VOP1(1U, 3U, V(2)));
	assert_int_equal(vgpr(fixture, 3)[9], 70);
	RUN(fixture, SOPP(29U, 8)); /* s_set_gpr_idx_mode gpr_idx(DST) */
	RUN(fixture, VOP1(1U, 3U, V(2)));
	assert_int_equal(vgpr(fixture, 8)[9], 20);
	RUN(fixture, SOP1(50U, 0U, INLINE(6))); /* s_set_gpr_idx_idx */
	RUN(fixture, VOP1(1U, 3U, V(7)));
	assert_int_equal(vgpr(fixture, 9)[9], 70);
	RUN(fixture, SOPP(28U, 0)); /* s_set_gpr_idx_off */
	RUN(fixture, VOP1(1U, 3U, V(2)));
	assert_int_equal(vgpr(fixture, 3)[9], 20);
	wave->m0 = 4;
	wave->sgprs[14] = 1234;
	RUN(fixture, SOP1(42U, 20U, S(10))); /* s_movrels_b32 */
	assert_int_equal(wave->sgprs[20], 1234);
	RUN(fixture, SOP1(44U, 30U, INLINE(9))); /* s_movreld_b32 */
	assert_int_equal(wave->sgprs[34], 9);
}

static void test_out_of_range(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr(fixture, 0, 31);
	RUN(fixture, VOP1(1U, 1U, V(200))); /* reads v0 */
	assert_int_equal(vgpr(fixture, 1)[5], 31);
	RUN(fixture, VOP1(1U, 200U, V(1)));	  /* written nowhere */
	RUN(fixture, VOP1(56U, 31U, INLINE(-1))); /* a pair that is half there */
	assert_int_equal(vgpr(fixture, 31)[0], 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_integers),	 TEST(test_bits),
		TEST(test_carry),	 TEST(test_quad_differences),
		TEST(test_wide),	 TEST(test_compare),
		TEST(test_select),	 TEST(test_exec),
		TEST(test_lanes),	 TEST(test_dpp),
		TEST(test_dpp_controls), TEST(test_sdwa),
		TEST(test_agprs),	 TEST(test_indexed),
		TEST(test_out_of_range), TEST(test_no_destination),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
