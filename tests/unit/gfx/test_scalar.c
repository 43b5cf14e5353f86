/* SPDX-License-Identifier: MIT */
/* Scalar operations: results, scc, and operands of every kind. */
#include "fixture.h"

#define SCC(fixture) ((fixture)->wave.status & 1)

struct scalar_case {
	uint32_t word;
	uint32_t a, b; /* s0, s1 */
	uint32_t result;
	uint32_t scc;
};

static void run_cases(struct fixture *fixture, const struct scalar_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fixture->wave.sgprs[0] = cases[i].a;
		fixture->wave.sgprs[1] = cases[i].b;
		fixture->wave.sgprs[2] = 0;
		fixture->wave.status &= ~1U;
		RUN(fixture, cases[i].word);
		if (fixture->wave.sgprs[2] != cases[i].result || SCC(fixture) != cases[i].scc)
			fail_msg("case %zu: %08x, scc %u; expected %08x, scc %u", i,
				 fixture->wave.sgprs[2], SCC(fixture), cases[i].result,
				 cases[i].scc);
	}
}

static void test_arithmetic(void **state)
{
	static const struct scalar_case cases[] = {
		{SOP2(0U, 2U, S(0), S(1)), 0xffffffff, 1, 0, 1},	  /* s_add_u32 */
		{SOP2(1U, 2U, S(0), S(1)), 1, 2, 0xffffffff, 1},	  /* s_sub_u32 */
		{SOP2(2U, 2U, S(0), S(1)), 0x7fffffff, 1, 0x80000000, 1}, /* s_add_i32 */
		{SOP2(2U, 2U, S(0), S(1)), 0xffffffff, 1, 0, 0},
		{SOP2(3U, 2U, S(0), S(1)), 0x80000000, 1, 0x7fffffff, 1},  /* s_sub_i32 */
		{SOP2(6U, 2U, S(0), S(1)), 0xffffffff, 1, 0xffffffff, 1},  /* s_min_i32 */
		{SOP2(7U, 2U, S(0), S(1)), 0xffffffff, 1, 1, 0},	   /* s_min_u32 */
		{SOP2(8U, 2U, S(0), S(1)), 0xffffffff, 1, 1, 0},	   /* s_max_i32 */
		{SOP2(9U, 2U, S(0), S(1)), 0xffffffff, 1, 0xffffffff, 1},  /* s_max_u32 */
		{SOP2(36U, 2U, S(0), S(1)), 0x10001, 0x10001, 0x20001, 0}, /* s_mul_i32 */
		{SOP2(44U, 2U, S(0), S(1)), 0xffffffff, 2, 1, 0},	   /* s_mul_hi_u32 */
		{SOP2(45U, 2U, S(0), S(1)), 0xffffffff, 2, 0xffffffff, 0}, /* s_mul_hi_i32 */
		{SOP2(42U, 2U, S(0), S(1)), 3, 5, 2, 1},		   /* s_absdiff_i32 */
		{SOP2(46U, 2U, S(0), S(1)), 0x80000001, 1, 3, 1},	   /* s_lshl1_add_u32 */
		{SOP2(51U, 2U, S(0), S(1)), 0x1234abcd, 0x56789abc, 0x5678abcd, 0}, /* pack_lh */
		{SOP1(48U, 2U, S(0)), 0xfffffffe, 0, 2, 1},			    /* s_abs_i32 */
		{SOP1(22U, 2U, S(0)), 0x80, 0, 0xffffff80, 0}, /* s_sext_i32_i8 */
	};

	run_cases(*state, cases, sizeof(cases) / sizeof(cases[0]));
}

static void test_bits(void **state)
{
	static const struct scalar_case cases[] = {
		{SOP2(12U, 2U, S(0), S(1)), 0xf0, 0x0f, 0, 0},			 /* s_and_b32 */
		{SOP2(18U, 2U, S(0), S(1)), 0xff, 0x0f, 0xf0, 1},		 /* s_andn2_b32 */
		{SOP2(22U, 2U, S(0), S(1)), UINT32_MAX, UINT32_MAX, 0, 0},	 /* s_nand_b32 */
		{SOP2(26U, 2U, S(0), S(1)), 5, 5, UINT32_MAX, 1},		 /* s_xnor_b32 */
		{SOP2(28U, 2U, S(0), S(1)), 1, 33, 2, 1},			 /* s_lshl_b32 */
		{SOP2(30U, 2U, S(0), S(1)), 0x80000000, 31, 1, 1},		 /* s_lshr_b32 */
		{SOP2(32U, 2U, S(0), S(1)), 0x80000000, 31, UINT32_MAX, 1},	 /* s_ashr_i32 */
		{SOP2(34U, 2U, S(0), S(1)), 4, 8, 0xf00, 0},			 /* s_bfm_b32 */
		{SOP2(37U, 2U, S(0), S(1)), 0xabcd1234, 0x80008, 0x12, 1},	 /* s_bfe_u32 */
		{SOP2(38U, 2U, S(0), S(1)), 0x0000f100, 0x80008, 0xfffffff1, 1}, /* s_bfe_i32 */
		{SOP2(37U, 2U, S(0), S(1)), 0xabcd1234, 0x8, 0, 0},
		{SOP1(4U, 2U, S(0)), 0, 0, UINT32_MAX, 1},	     /* s_not_b32 */
		{SOP1(8U, 2U, S(0)), 1, 0, 0x80000000, 0},	     /* s_brev_b32 */
		{SOP1(10U, 2U, S(0)), 0xff, 0, 24, 1},		     /* s_bcnt0_i32_b32 */
		{SOP1(12U, 2U, S(0)), 0xff, 0, 8, 1},		     /* s_bcnt1_i32_b32 */
		{SOP1(14U, 2U, S(0)), UINT32_MAX, 0, UINT32_MAX, 0}, /* s_ff0_i32_b32 */
		{SOP1(16U, 2U, S(0)), 0x100, 0, 8, 0},		     /* s_ff1_i32_b32 */
		{SOP1(16U, 2U, S(0)), 0, 0, UINT32_MAX, 0},
		{SOP1(18U, 2U, S(0)), 0x00ff0000, 0, 8, 0},   /* s_flbit_i32_b32 */
		{SOP1(20U, 2U, S(0)), 0xff000000, 0, 8, 0},   /* s_flbit_i32 */
		{SOP1(6U, 2U, S(0)), 0x10080, 0, 0xf00f0, 1}, /* s_wqm_b32 */
	};

	run_cases(*state, cases, sizeof(cases) / sizeof(cases[0]));
}

static void test_compares(void **state)
{
	static const struct scalar_case cases[] = {
		{SOPC(0U, S(0), S(1)), 7, 7, 0, 1},	     /* s_cmp_eq_i32 */
		{SOPC(2U, S(0), S(1)), 0xffffffff, 1, 0, 0}, /* s_cmp_gt_i32 */
		{SOPC(8U, S(0), S(1)), 0xffffffff, 1, 0, 1}, /* s_cmp_gt_u32 */
		{SOPC(11U, S(0), S(1)), 1, 1, 0, 1},	     /* s_cmp_le_u32 */
		{SOPC(13U, S(0), S(1)), 0x10, 4, 0, 1},	     /* s_bitcmp1_b32 */
		{SOPC(0U, S(0), INLINE(-1)), 0xffffffff, 0, 0, 1},
		{SOPK(3U, 0U, -1), 0xffffffff, 0, 0, 0}, /* s_cmpk_lg_i32 */
		{SOPK(4U, 0U, -2), 0xffffffff, 0, 0, 1}, /* s_cmpk_gt_i32: s0 > k */
		{SOPK(8U, 0U, 0xffff), 0xffff, 0, 0, 1}, /* s_cmpk_eq_u32 */
		{SOPK(12U, 0U, 5), 4, 0, 0, 1},		 /* s_cmpk_lt_u32 */
	};

	run_cases(*state, cases, sizeof(cases) / sizeof(cases[0]));
}

static void test_immediates(void **state)
{
	struct fixture *fixture = *state;
	uint32_t *s = fixture->wave.sgprs;

	RUN(fixture, SOPK(0U, 3U, -5)); /* s_movk_i32 */
	assert_int_equal(s[3], (uint32_t)-5);
	RUN(fixture, SOPK(14U, 3U, 8)); /* s_addk_i32 */
	assert_int_equal(s[3], 3);
	RUN(fixture, SOPK(15U, 3U, -2)); /* s_mulk_i32 */
	assert_int_equal(s[3], (uint32_t)-6);
	RUN(fixture, SOP1(0U, 4U, LITERAL), 0xdeadbeef);
	assert_int_equal(s[4], 0xdeadbeef);
	RUN(fixture, SOP1(1U, 4U, LITERAL), 0xffffffff); /* s_mov_b64: zeros above a literal */
	assert_int_equal(s[4], 0xffffffff);
	assert_int_equal(s[5], 0);
	RUN(fixture, SOP1(1U, 4U, INLINE(-1)));
	assert_int_equal(s[5], 0xffffffff);
	RUN(fixture, SOP1(0U, 4U, 240U)); /* 0.5 */
	assert_int_equal(s[4], 0x3f000000);
	RUN(fixture, SOP1(1U, 4U, 242U)); /* 1.0 as a double */
	assert_int_equal(s[5], 0x3ff00000);
	fixture->wave.status &= ~1U;
	RUN(fixture, SOPK(1U, 4U, 1)); /* s_cmovk_i32 with scc 0 */
	assert_int_equal(s[4], 0);
	fixture->wave.status |= 1;
	RUN(fixture, SOPK(1U, 4U, 1));
	assert_int_equal(s[4], 1);
}

static void test_carry_chain(void **state)
{
	struct fixture *fixture = *state;
	uint32_t *s = fixture->wave.sgprs;

	s[0] = 0xffffffff;
	s[1] = 1;
	RUN(fixture, SOP2(0U, 2U, S(0), INLINE(2)));
	RUN(fixture, SOP2(4U, 3U, S(1), INLINE(3))); /* s_addc_u32 */
	assert_int_equal(s[2], 1);
	assert_int_equal(s[3], 5);
	assert_int_equal(SCC(fixture), 0);
	RUN(fixture, SOP2(1U, 2U, INLINE(0), INLINE(1)));
	RUN(fixture, SOP2(5U, 3U, INLINE(0), INLINE(0))); /* s_subb_u32 */
	assert_int_equal(s[3], 0xffffffff);
	assert_int_equal(SCC(fixture), 1);
}

static void test_wide(void **state)
{
	struct fixture *fixture = *state;
	uint32_t *s = fixture->wave.sgprs;

	s[0] = 0x00000000;
	s[1] = 0x80000000;
	RUN(fixture, SOP2(33U, 4U, S(0), INLINE(63))); /* s_ashr_i64 */
	assert_int_equal(s[4], 0xffffffff);
	assert_int_equal(s[5], 0xffffffff);
	RUN(fixture, SOP2(31U, 4U, S(0), INLINE(60))); /* s_lshr_b64 */
	assert_int_equal(s[4], 8);
	RUN(fixture, SOP1(17U, 4U, S(0))); /* s_ff1_i32_b64 */
	assert_int_equal(s[4], 63);
	RUN(fixture, SOP1(13U, 4U, S(0))); /* s_bcnt1_i32_b64 */
	assert_int_equal(s[4], 1);
	RUN(fixture, SOP2(23U, 4U, S(0), S(0))); /* s_nand_b64 */
	assert_int_equal(s[4], 0xffffffff);
	assert_int_equal(s[5], 0x7fffffff);
	assert_int_equal(SCC(fixture), 1);
	RUN(fixture, SOPC(18U, S(0), S(0))); /* s_cmp_eq_u64 */
	assert_int_equal(SCC(fixture), 1);
	s[2] = 0x1234;
	RUN(fixture, SOP2(39U, 4U, S(0), LITERAL), 60 | 4 << 16); /* s_bfe_u64 */
	assert_int_equal(s[4], 8);
}

static void test_special_registers(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;

	wave->vcc = UINT64_C(0x1111111122222222);
	wave->flat_scratch = UINT64_C(0x3333333344444444);
	wave->xnack_mask = UINT64_C(0x5555555566666666);
	wave->m0 = 77;
	wave->ttmps[8] = 99;
	RUN(fixture, SOP1(0U, 0U, 107U));
	assert_int_equal(wave->sgprs[0], 0x11111111);
	RUN(fixture, SOP1(1U, 0U, 102U));
	assert_int_equal(wave->sgprs[1], 0x33333333);
	RUN(fixture, SOP1(0U, 0U, 104U));
	assert_int_equal(wave->sgprs[0], 0x66666666);
	RUN(fixture, SOP1(0U, 0U, 124U));
	assert_int_equal(wave->sgprs[0], 77);
	RUN(fixture, SOP1(0U, 0U, 116U)); /* ttmp8 */
	assert_int_equal(wave->sgprs[0], 99);
	RUN(fixture, SOP1(0U, 116U, INLINE(1))); /* without privilege: lost */
	assert_int_equal(wave->ttmps[8], 99);
	RUN(fixture, SOP1(1U, 0U, 235U)); /* src_shared_base */
	assert_int_equal(wave->sgprs[1], LOCAL_BASE >> 32);
	RUN(fixture, SOP1(0U, 0U, 237U)); /* src_private_base, as 32 bits */
	assert_int_equal(wave->sgprs[0], PRIVATE_BASE >> 32);
	wave->status |= 1;
	RUN(fixture, SOP1(0U, 0U, 253U)); /* src_scc */
	assert_int_equal(wave->sgprs[0], 1);
	RUN(fixture, SOP1(0U, 0U, 252U)); /* src_execz */
	assert_int_equal(wave->sgprs[0], 0);
	RUN(fixture, SOP1(1U, VCC, INLINE(0)));
	assert_true(wave->vcc == 0);
	assert_true(wave->status & 1U << 10); /* vccz follows */
}

static void test_out_of_range(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.sgpr_count = 10;
	fixture->wave.sgprs[0] = 42;
	fixture->wave.sgprs[20] = 7;
	RUN(fixture, SOP1(0U, 1U, S(20)));
	assert_int_equal(fixture->wave.sgprs[1], 42);
	RUN(fixture, SOP1(0U, 20U, INLINE(1)));
	assert_int_equal(fixture->wave.sgprs[20], 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_arithmetic, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_bits, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_compares, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_immediates, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_carry_chain, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_wide, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_special_registers, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_out_of_range, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
