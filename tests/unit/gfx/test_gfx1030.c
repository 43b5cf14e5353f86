/* SPDX-License-Identifier: MIT */
/* The part of gfx1030 that neither gfx9 nor gfx1100 has in this way. Words are those that LLVM makes. */
#include "fixture.h"

#include "gfx/alu/half.h"
#include "gfx/isa/run.h"

#define ONE_HALF 0x3c00U /* 1.0 as a half; then 2.0, 3.0, 5.0 */
#define TWO_HALF 0x4000U
#define THREE_HALF 0x4200U
#define FIVE_HALF 0x4500U

static void test_masks(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1030", 32);

	set_vgpr(fixture, 1, 10);
	fixture->wave.sgprs[4] = fixture->wave.sgprs[5] = 0x55555555;
	RUN(fixture, 0xd4c40004, 0x00020101); /* v_cmp_gt_u32 s4, v1, v0 */
	assert_int_equal(fixture->wave.sgprs[4], 0x3ff);
	assert_int_equal(fixture->wave.sgprs[5], 0x55555555);
	fixture->wave.vcc = UINT64_C(0x1234567812345678);
	RUN(fixture, 0x7da80101); /* v_cmpx_gt_u32 v1, v0: vcc stays */
	assert_int_equal(fixture->wave.exec, 0x3ff);
	assert_int_equal(fixture->wave.vcc, UINT64_C(0x1234567812345678));
	fixture->wave.sgprs[3] = 0xf0;
	RUN(fixture, 0xbe823c03); /* s_and_saveexec_b32 s2, s3 */
	assert_int_equal(fixture->wave.exec, 0xf0);
	assert_int_equal(fixture->wave.sgprs[2], 0x3ff);
	RUN(fixture, 0xbbfd0000); /* s_waitcnt_vscnt null, 0 */
	fixture_become(state, "gfx1030", 64);
	RUN(fixture, 0xd4c40004, 0x00020101);
	assert_int_equal(fixture->wave.sgprs[5], 0);
}

/* Null and m0 are where gfx11 has changed their places. */
static void test_null(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1030", 32);

	fixture->wave.m0 = 5;
	fixture->wave.sgprs[2] = 7;
	RUN(fixture, 0xbefd0302); /* s_mov_b32 null, s2 */
	RUN(fixture, 0x7e04027c); /* v_mov_b32 v2, m0 */
	assert_int_equal(vgpr(fixture, 2)[3], 5);
	RUN(fixture, 0x7e04027d); /* v_mov_b32 v2, null */
	assert_int_equal(vgpr(fixture, 2)[3], 0);
}

/* Parts of registers are chosen as in gfx9, and compares say so of exec alone. */
static void test_parts(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1030", 32);

	set_vgpr(fixture, 1, 0x0000050a);
	RUN(fixture, 0x7d8802f9, 0x01008401); /* v_cmp_gt_u32_sdwa s4, v1 (byte 0), v1 (byte 1) */
	assert_int_equal(fixture->wave.sgprs[4], UINT32_MAX);
	fixture->wave.vcc = 0;
	RUN(fixture, 0x7da802f9, 0x00010001); /* v_cmpx_gt_u32_sdwa v1 (byte 1), v1 (byte 0) */
	assert_int_equal(fixture->wave.exec, 0);
	/* A mask of its own is none of theirs. */
	assert_int_equal(STEP(fixture, 0x7da802f9, 0x00008400), GFX_STEP_ILLEGAL_INSTRUCTION);
	fixture_become(state, "gfx1030", 32);
	set_vgpr(fixture, 3, ONE_HALF << 16);
	set_vgpr(fixture, 4, TWO_HALF);
	set_vgpr(fixture, 2, 0xabcdef01);
	/* v_add_f16_sdwa v2, v3 (word 1), v4 (word 0) to word 1 */
	RUN(fixture, 0x640408f9, 0x04051503);
	assert_int_equal(vgpr(fixture, 2)[7], THREE_HALF << 16 | 0xef01);
}

/* Results of 16 bits leave the other half alone; operations that have a long form only choose halves. */
static void test_halves(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1030", 32);

	set_vgpr(fixture, 3, ONE_HALF);
	set_vgpr(fixture, 4, TWO_HALF);
	set_vgpr(fixture, 2, 0xabcdef01);
	RUN(fixture, 0x64040903); /* v_add_f16 v2, v3, v4 */
	assert_int_equal(vgpr(fixture, 2)[7], 0xabcd0000 | THREE_HALF);
	RUN(fixture, 0xd5320802,
	    0x00020903); /* v_add_f16_e64 with a bit that gfx11 chooses by: none here */
	assert_int_equal(vgpr(fixture, 2)[7], 0xabcd0000 | THREE_HALF);
	set_vgpr(fixture, 3, TWO_HALF << 16 | ONE_HALF);
	/* v_fma_f16 v2, v3, v4, v3 op_sel:[1,0,0,1] */
	RUN(fixture, 0xd74b4802, 0x040e0903);
	assert_int_equal(vgpr(fixture, 2)[7], FIVE_HALF << 16 | THREE_HALF);
	set_vgpr(fixture, 3, 4);
	set_vgpr(fixture, 4, 0x00110001);
	RUN(fixture, 0xd7141002, 0x00020903); /* v_lshlrev_b16 v2, v3, v4: it chooses none */
	assert_int_equal(vgpr(fixture, 2)[7], FIVE_HALF << 16 | 0x10);
}

static void test_choices_of_lanes(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1030", 32);
	struct gfx_instruction instruction;

	RUN(fixture, 0x7e0402e9, 0x05397700); /* v_mov_b32_dpp v2, v0 dpp8:[7,6,5,4,3,2,1,0] */
	for (uint32_t lane = 0; lane < 32; lane++)
		assert_int_equal(vgpr(fixture, 2)[lane], lane ^ 7);
	RUN(fixture, 0x7e0402fa, 0xff015300); /* row_share:3 */
	assert_int_equal(vgpr(fixture, 2)[31], 19);
	RUN(fixture, 0x7e0402fa, 0xff016100); /* row_xmask:1 */
	assert_int_equal(vgpr(fixture, 2)[30], 31);
	/* Long forms have literals, and no word for lanes. */
	RUN(fixture, 0xd76d0002, 0x03fe0100, 0x00012345); /* v_add3_u32 v2, v0, v0, 0x12345 */
	assert_int_equal(vgpr(fixture, 2)[3], 0x12345 + 6);
	assert_int_equal(gfx_decode(fixture->wave.architecture,
				    (const uint32_t[]){0xd76d0002, 0x040200fa, 0xff010100}, 3,
				    &instruction),
			 GFX_DECODE_UNKNOWN_OPERAND);
	/* Compares have no such form. */
	assert_int_equal(gfx_decode(fixture->wave.architecture,
				    (const uint32_t[]){0x7d8800fa, 0xff010100}, 2, &instruction),
			 GFX_DECODE_UNKNOWN_OPERAND);
}

/* A scratch address has a VGPR, an SGPR or neither; the program says where its memory is. */
static void test_private_memory(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1030", 32);
	uint32_t word = 0x1234;

	fixture->wave.scratch_size = 32 * PRIVATE_SIZE;
	memcpy(fixture->scratch + (2 * 32 + 9) * sizeof(word), &word, sizeof(word));
	set_vgpr(fixture, 1, 12);
	fixture->wave.sgprs[4] = 4;
	RUN(fixture, 0xdc304ffc, 0x027d0001); /* scratch_load_dword v2, v1, off offset:-4 */
	assert_int_equal(vgpr(fixture, 2)[9], 0x1234);
	set_vgpr(fixture, 2, 0);
	RUN(fixture, 0xdc304004, 0x02040000); /* scratch_load_dword v2, off, s4 offset:4 */
	assert_int_equal(vgpr(fixture, 2)[9], 0x1234);
	set_vgpr(fixture, 2, 0);
	RUN(fixture, 0xdc304008, 0x027f0000); /* scratch_load_dword v2, off, off offset:8 */
	assert_int_equal(vgpr(fixture, 2)[9], 0x1234);
	fixture->wave.flat_scratch = UINT64_C(0x1111111122222222);
	fixture->wave.sgprs[4] = 0x33333333;
	RUN(fixture, 0xb984f814); /* s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s4 */
	assert_int_equal(fixture->wave.flat_scratch, UINT64_C(0x1111111133333333));
	RUN(fixture, 0xb984f815); /* s_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s4 */
	assert_int_equal(fixture->wave.flat_scratch, UINT64_C(0x3333333333333333));
	RUN(fixture, 0xb905f814); /* s_getreg_b32 s5, hwreg(HW_REG_FLAT_SCR_LO) */
	assert_int_equal(fixture->wave.sgprs[5], 0x33333333);
}

/* A lane loads eight bytes of records of eight, of which there are two, at the offset 4 of its record. */
static uint32_t take_from_buffer(struct fixture *fixture, uint32_t bounds, uint32_t records,
				 uint32_t lane)
{
	uint32_t *resource = fixture->wave.sgprs + 8;

	resource[0] = (uint32_t)DATA_BASE;
	resource[1] = (uint32_t)(DATA_BASE >> 32) | 8 << 16;
	resource[2] = records;
	resource[3] = bounds << 28;
	set_vgpr(fixture, 2, 99);
	RUN(fixture, 0xe0302004,
	    0x80020200); /* buffer_load_dword v2, v0, s[8:11], 0 idxen offset:4 */
	return vgpr(fixture, 2)[lane];
}

/* One number says how many components there are, how wide, and what they mean. */
static void test_formats_of_buffers(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1030", 32);
	uint32_t *resource = fixture->wave.sgprs + 8;

	store_data(fixture, 4, 0x80ff4000);
	resource[0] = (uint32_t)DATA_BASE;
	resource[1] = (uint32_t)(DATA_BASE >> 32) | 4 << 16;
	resource[2] = 2;
	resource[3] = 4 | 5 << 3 | 28 << 12; /* BUF_FMT_16_16_SINT */
	RUN(fixture, 0xe0042000,
	    0x80020200); /* buffer_load_format_xy v[2:3], v0, s[8:11], 0 idxen */
	assert_int_equal(vgpr(fixture, 2)[1], 0x4000);
	assert_int_equal(vgpr(fixture, 3)[1], (uint32_t)(int16_t)0x80ff);
	assert_int_equal(vgpr(fixture, 2)[2], 0);
	/* tbuffer_load_format_x v2, v0, s[8:11], 0 format:[BUF_FMT_8_8_8_8_UNORM] idxen, of the third byte */
	resource[3] = 6;
	RUN(fixture, 0xe9c02000, 0x80020200);
	assert_int_equal(vgpr(fixture, 2)[1], 0x3f800000);
	set_vgpr(fixture, 2, 0x3f800000);
	set_vgpr(fixture, 3, 0xc0000000);
	resource[3] = 4 | 5 << 3;
	/* tbuffer_store_format_xy v[2:3], v0, s[8:11], 0 format:[BUF_FMT_16_16_FLOAT] idxen */
	RUN(fixture, 0xe8ed2000, 0x80020200);
	assert_int_equal(load_data(fixture, 4), 0xc0003c00);
	/* buffer_load_format_d16_x v2, v0, s[8:11], 0 idxen, and the same into the upper half */
	resource[3] = 4 | 29 << 12; /* BUF_FMT_16_16_FLOAT */
	RUN(fixture, 0xe2002000, 0x80020200);
	assert_int_equal(vgpr(fixture, 2)[1], 0x3f803c00);
	RUN(fixture, 0xe0982000, 0x80020200);
	assert_int_equal(vgpr(fixture, 2)[1], 0x3c003c00);
	/* tbuffer_load_format_d16_xy v2, v0, s[8:11], 0 format:[BUF_FMT_8_8_UNORM] idxen: a bit of its opcode is in the second word. */
	store_data(fixture, 4, 0xff00);
	resource[3] = 4 | 5 << 3;
	RUN(fixture, 0xe8712000, 0x80220200);
	assert_int_equal(vgpr(fixture, 2)[1], 0x3c000000);
	/* 10_11_11 bits. */
	resource[3] = 4 | 36 << 12;
	assert_int_equal(STEP(fixture, 0xe0042000, 0x80020200), GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
}

/* From gfx10 on the descriptor says what an access must be inside of. */
static void test_bounds_of_buffers(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1030", 32);

	for (uint32_t i = 0; i < 64; i++)
		store_data(fixture, 4ULL * i, 100 + i);
	assert_int_equal(take_from_buffer(fixture, 0, 2, 1), 103);
	assert_int_equal(take_from_buffer(fixture, 0, 2, 2), 0);
	assert_int_equal(take_from_buffer(fixture, 1, 2, 1), 103);
	assert_int_equal(take_from_buffer(fixture, 1, 2, 2), 0);
	assert_int_equal(take_from_buffer(fixture, 2, 2, 2), 105);
	assert_int_equal(take_from_buffer(fixture, 2, 0, 2), 0);
	assert_int_equal(take_from_buffer(fixture, 3, 16, 1), 103);
	assert_int_equal(take_from_buffer(fixture, 3, 16, 2), 0);
	/* The offset 8 is in the next record: only the first kind minds. */
	fixture->wave.sgprs[11] = 0;
	RUN(fixture, 0xe0302008, 0x80020200);
	assert_int_equal(vgpr(fixture, 2)[0], 0);
	fixture->wave.sgprs[11] = 1U << 28;
	RUN(fixture, 0xe0302008, 0x80020200);
	assert_int_equal(vgpr(fixture, 2)[0], 102);
}

static void test_memory(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1030", 32);

	fixture->wave.exec = 1;
	store_data(fixture, 0, float_bits(3));
	set_vgpr64(fixture, 4, DATA_BASE);
	set_vgpr(fixture, 3, float_bits(-2));
	RUN(fixture, 0xdcfd8000, 0x027d0304); /* global_atomic_fmin v2, v[4:5], v3, off glc */
	assert_int_equal(vgpr(fixture, 2)[0], float_bits(3));
	assert_int_equal(load_data(fixture, 0), float_bits(-2));
	/* ds_cmpst_rtn_b32 v2, v0, v1, v3: what is compared with comes first, unlike gfx11 */
	fixture->lds[0] = 5;
	set_vgpr(fixture, 1, 5);
	set_vgpr(fixture, 3, 6);
	RUN(fixture, 0xd8c00000, 0x02030100);
	assert_int_equal(fixture->lds[0], 6);
	assert_int_equal(vgpr(fixture, 2)[0], 5);
	RUN(fixture, 0xf4900080, 0); /* s_memtime s[2:3] */
	/* Floats are compared as such: zeros are equal. */
	set_vgpr(fixture, 5, float_bits(7));
	set_vgpr(fixture, 6, float_bits(-0.0f));
	set_vgpr64(fixture, 2, DATA_BASE);
	store_data(fixture, 0, 0);
	RUN(fixture, 0xdcf90000, 0x017d0502); /* flat_atomic_fcmpswap v1, v[2:3], v[5:6] glc */
	assert_int_equal(vgpr(fixture, 1)[0], 0);
	assert_int_equal(load_data(fixture, 0), float_bits(7));
	store_data(fixture, 0, 0);
	store_data(fixture, 4, 0);
	set_vgpr64(fixture, 5, double_bits(7));
	set_vgpr64(fixture, 7, double_bits(-0.0));
	RUN(fixture, 0xdd790000,
	    0x017d0502); /* flat_atomic_fcmpswap_x2 v[1:2], v[2:3], v[5:8] glc */
	assert_int_equal(load_data(fixture, 4), double_bits(7) >> 32);
	set_vgpr64(fixture, 2, DATA_BASE);
	store_data(fixture, 0, 15);
	set_vgpr(fixture, 5, 10);
	RUN(fixture, 0xdcd18000, 0x017d0502); /* global_atomic_csub v1, v[2:3], v5, off glc */
	assert_int_equal(vgpr(fixture, 1)[0], 15);
	RUN(fixture, 0xdcd08000, 0x007d0502); /* and again, without the old value */
	assert_int_equal(load_data(fixture, 0), 0);
}

/* An encoding that is known and not there says so. */
static void test_graphics(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1030", 32);

	assert_int_equal(STEP(fixture, 0xf0000f08, 0x00020000), GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
	assert_string_equal(fixture->fault.reason,
			    "an operation on images, which are executed on gfx90a alone: "
			    "textures and surfaces of arrays and of pitched memory");
	assert_int_equal(STEP(fixture, 0xf800080f, 0x03020100), GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
	assert_string_equal(fixture->fault.reason, "an export, which is not implemented");
	assert_int_equal(STEP(fixture, 0xc8000000), GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
	assert_string_equal(fixture->fault.reason, "an interpolation, which is not implemented");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_masks),
		TEST(test_null),
		TEST(test_parts),
		TEST(test_halves),
		TEST(test_choices_of_lanes),
		TEST(test_private_memory),
		TEST(test_bounds_of_buffers),
		TEST(test_formats_of_buffers),
		TEST(test_memory),
		TEST(test_graphics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
