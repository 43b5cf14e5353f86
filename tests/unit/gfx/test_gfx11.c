/* SPDX-License-Identifier: MIT */
/* The part of gfx1100 that gfx9 has not: waves of 32 lanes, two operations at once, other choices of lanes, null. Words are those that LLVM makes. */
#include "fixture.h"

#include "gfx/alu/half.h"
#include "gfx/isa/run.h"

/* Masks have one word, and what is in the other half of vcc is the program's. */
static void test_short_masks(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	fixture->wave.sgprs[4] = fixture->wave.sgprs[5] = 0x55555555;
	RUN(fixture, 0xd44c0004, 0x0002008a); /* v_cmp_gt_u32 s4, 10, v0 */
	assert_int_equal(fixture->wave.sgprs[4], 0x3ff);
	assert_int_equal(fixture->wave.sgprs[5], 0x55555555);
	fixture->wave.vcc = UINT64_C(0x1234567800000000);
	RUN(fixture, 0x7c98008a); /* v_cmp_gt_u32 vcc_lo, 10, v0 */
	assert_int_equal(fixture->wave.vcc, UINT64_C(0x12345678000003ff));
	RUN(fixture, 0xbe882004); /* s_and_saveexec_b32 s8, s4 */
	assert_int_equal(fixture->wave.exec, 0x3ff);
	assert_int_equal(fixture->wave.sgprs[8], UINT32_MAX);
	RUN(fixture, 0xbe883204); /* s_or_not1_saveexec_b32 s8, s4 */
	assert_int_equal(fixture->wave.exec, UINT32_MAX);
	RUN(fixture, 0xbeff0004); /* s_mov_b32 exec_hi, s4: there is none */
	assert_int_equal(fixture->wave.exec, UINT32_MAX);
	RUN(fixture, 0x7d98008a); /* v_cmpx_gt_u32 10, v0: vcc stays */
	assert_int_equal(fixture->wave.exec, 0x3ff);
	assert_int_equal(fixture->wave.vcc, UINT64_C(0x12345678000003ff));
}

static void test_long_masks(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 64);

	fixture->wave.sgprs[4] = fixture->wave.sgprs[5] = 0x55555555;
	RUN(fixture, 0xd44c0004, 0x0002008a);
	assert_int_equal(fixture->wave.sgprs[4], 0x3ff);
	assert_int_equal(fixture->wave.sgprs[5], 0);
	RUN(fixture, 0xbe882004);
	assert_int_equal(fixture->wave.exec, UINT64_C(0xffffffff000003ff));
	RUN(fixture, 0xd7600004, 0x00014300); /* v_readlane_b32 s4, v0, 33 */
	assert_int_equal(fixture->wave.sgprs[4], 33);
}

/* Null is no register, and nothing stands behind it; m0 has changed places with it. */
static void test_null(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 64);

	fixture->wave.m0 = 5;
	fixture->wave.sgprs[4] = fixture->wave.sgprs[5] = 0;
	RUN(fixture, 0xbefc017e);	      /* s_mov_b64 null, exec */
	RUN(fixture, 0xd5207c01, 0x00120100); /* v_add_co_ci_u32 v1, null, v0, v0, s4 */
	assert_int_equal(fixture->wave.m0, 5);
	assert_int_equal(fixture->wave.exec, UINT64_MAX);
	assert_int_equal(vgpr(fixture, 1)[21], 42);
	RUN(fixture, 0xbee90087); /* s_mov_b32 s105, 7 */
	assert_int_equal(fixture->wave.sgprs[105], 7);
}

/* Both read before one writes. */
static void test_two_at_once(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	set_vgpr(fixture, 2, 22);
	set_vgpr(fixture, 3, 33);
	fixture->wave.exec = 0xffff;
	RUN(fixture, 0xca100103, 0x02020102); /* v_dual_mov_b32 v2, v3 :: v_dual_mov_b32 v3, v2 */
	assert_int_equal(vgpr(fixture, 2)[15], 33);
	assert_int_equal(vgpr(fixture, 3)[15], 22);
	assert_int_equal(vgpr(fixture, 2)[16], 22);
	assert_int_equal(vgpr(fixture, 3)[16], 33);
}

static void test_choices_of_lanes(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	RUN(fixture, 0x7e0202e9, 0x05397700); /* dpp8:[7,6,5,4,3,2,1,0] */
	for (uint32_t lane = 0; lane < 32; lane++)
		assert_int_equal(vgpr(fixture, 1)[lane], lane ^ 7);
	RUN(fixture, 0x7e0202fa, 0xff016300); /* row_xmask:3 */
	assert_int_equal(vgpr(fixture, 1)[21], 22);
	RUN(fixture, 0x7e0202fa, 0xff015500); /* row_share:5 */
	assert_int_equal(vgpr(fixture, 1)[31], 21);
	set_vgpr(fixture, 1, 1000);
	/* v_add_nc_u32_e64_dpp v1, v0, v0 row_shl:1: the last lane of a row has no source, and keeps what it has. */
	RUN(fixture, 0xd5250001, 0x000200fa, 0xff010100);
	assert_int_equal(vgpr(fixture, 1)[3], 4 + 3);
	assert_int_equal(vgpr(fixture, 1)[15], 1000);
}

static void test_permutations(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	fixture->wave.sgprs[2] = 0x89abcdef;
	fixture->wave.sgprs[3] = 0x01234567;
	RUN(fixture, 0xd65b0001, 0x000c0500); /* v_permlane16_b32 v1, v0, s2, s3 */
	assert_int_equal(vgpr(fixture, 1)[0], 15);
	assert_int_equal(vgpr(fixture, 1)[20], 16 + 11);
	RUN(fixture, 0xd65c0001, 0x000c0500); /* v_permlanex16_b32 */
	assert_int_equal(vgpr(fixture, 1)[0], 31);
	assert_int_equal(vgpr(fixture, 1)[20], 11);
	fixture->wave.exec = 1;
	set_vgpr(fixture, 1, 1000);
	RUN(fixture, 0xd65b0001, 0x000c0500);
	assert_int_equal(vgpr(fixture, 1)[0], 1000);
	RUN(fixture, 0xd65b0801, 0x000c0500); /* op_sel:[1,0]: from lanes that are off, too */
	assert_int_equal(vgpr(fixture, 1)[0], 15);
}

/* Each half of a wave of 64 lanes permutes by itself. */
static void test_backward_permutation(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 64);

	set_vgpr(fixture, 2, 4 * 33);
	RUN(fixture, 0xdacc0000, 0x01000002); /* ds_bpermute_b32 v1, v2, v0 */
	assert_int_equal(vgpr(fixture, 1)[5], 1);
	assert_int_equal(vgpr(fixture, 1)[40], 33);
}

/* A literal serves several sources of a long form; a short one names the upper half of its result. */
static void test_forms(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	set_vgpr(fixture, 0, float_bits(2));
	RUN(fixture, 0xd6130001, 0x03fdff00, 0x40400000); /* v_fma_f32 v1, v0, 3.0, 3.0 */
	assert_int_equal(vgpr(fixture, 1)[7], float_bits(9));
	set_vgpr(fixture, 0, 0x11112222);
	set_vgpr(fixture, 1, 0x33334444);
	RUN(fixture, 0x7f023900); /* v_mov_b16 v1.h, v0.l */
	assert_int_equal(vgpr(fixture, 1)[7], 0x22224444);
	set_vgpr(fixture, 2, 0x0f0f0f0f);
	RUN(fixture, 0xd6400001, 0x040a0100); /* v_xor3_b32 v1, v0, v0, v2 */
	assert_int_equal(vgpr(fixture, 1)[7], 0x0f0f0f0f);
	set_vgpr(fixture, 0, 7);
	RUN(fixture, 0xd6620001, 0x02292900); /* v_maxmin_u32 v1, v0, 20, 10 */
	assert_int_equal(vgpr(fixture, 1)[7], 10);
	RUN(fixture, 0xbf910005); /* s_round_mode 5 */
	RUN(fixture, 0xbf920003); /* s_denorm_mode 3 */
	assert_int_equal(fixture->wave.mode & 0xff, 0x35);
}

static uint32_t halves(float low, float high)
{
	return gfx_half_from_double((double)low, GFX_ROUND_NEAREST) |
	       (uint32_t)gfx_half_from_double((double)high, GFX_ROUND_NEAREST) << 16;
}

/* Its short form takes both halves; a constant is in both of them from gfx11 on, before in the lower one. */
static void test_packed_sums(void **state)
{
	static const struct {
		const char *name;
		float upper; /* of 1 + 2 * 7 and what the constant 2.0 adds there */
	} cases[] = {{"gfx90a", 1}, {"gfx1030", 1}, {"gfx1100", 15}, {"gfx1201", 15}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture *fixture = fixture_become(state, cases[i].name, 32);

		set_vgpr(fixture, 1, halves(1, 1));
		set_vgpr(fixture, 2, halves(3, 4));
		set_vgpr(fixture, 3, halves(5, 7));
		RUN(fixture, 0x78020702); /* v_pk_fmac_f16 v1, v2, v3 */
		assert_int_equal(vgpr(fixture, 1)[7], halves(16, 29));
		set_vgpr(fixture, 1, halves(1, 1));
		RUN(fixture, 0x780206f4); /* v_pk_fmac_f16 v1, 2.0, v3 */
		assert_int_equal(vgpr(fixture, 1)[7], halves(11, cases[i].upper));
		set_vgpr(fixture, 1, halves(1, 1));
		RUN(fixture, 0x780206ff, 0x44004000); /* a literal of 2 and 4 */
		assert_int_equal(vgpr(fixture, 1)[7], halves(11, 29));
		set_vgpr(fixture, 1, halves(1, 1));
		RUN(fixture,
		    0x78020682); /* v_pk_fmac_f16 v1, 2, v3: 2^-23 times 5 and 7 are lost */
		assert_int_equal(vgpr(fixture, 1)[7], halves(1, 1));
		if (fixture->wave.architecture->generation < GFX_GENERATION_11)
			continue;
		vgpr(fixture, 2)[4] = halves(2, 3);
		RUN(fixture, 0x780206fa, 0xff000002); /* the first lane's of each four */
		assert_int_equal(vgpr(fixture, 1)[7], halves(11, 22));
	}
}

/* Halves of registers, in long forms by op_sel, in short ones by the number: as LLVM 21 writes them. */
static void test_halves(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	set_vgpr(fixture, 0, halves(2, 3));
	set_vgpr(fixture, 2, halves(5, 7));
	set_vgpr(fixture, 1, halves(100, 1));
	RUN(fixture, 0xd5364001, 0x00020500); /* v_fmac_f16_e64 v1.h, v0.l, v2.l */
	assert_int_equal(vgpr(fixture, 1)[7], halves(100, 11));
	RUN(fixture, 0x6d030500); /* v_fmac_f16_e32 v1.h, v0.l, v2.h */
	assert_int_equal(vgpr(fixture, 1)[7], halves(100, 25));
	fixture->wave.sgprs[4] = 1U << 7;
	RUN(fixture, 0xd65d5001, 0x00120500); /* v_cndmask_b16 v1.h, v0.l, v2.h, s4 */
	assert_int_equal(vgpr(fixture, 1)[7], halves(100, 7));
	assert_int_equal(vgpr(fixture, 1)[8], halves(100, 2));
	RUN(fixture, 0xd58b0801, 0x00000100); /* v_cvt_f32_f16_e64 v1, v0.h */
	assert_int_equal(vgpr(fixture, 1)[7], float_bits(3));
	RUN(fixture, 0xd4010804, 0x00020500); /* v_cmp_lt_f16_e64 s4, v0.h, v2.l */
	assert_int_equal(fixture->wave.sgprs[4], UINT32_MAX);
}

static void test_moved_relatively(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	set_vgpr(fixture, 4, 44);
	set_vgpr(fixture, 5, 55);
	fixture->wave.m0 = 4;
	RUN(fixture, 0x7e028700); /* v_movrels_b32 v1, v0 */
	assert_int_equal(vgpr(fixture, 1)[9], 44);
	RUN(fixture, 0x7e028500); /* v_movreld_b32 v1, v0 */
	assert_int_equal(vgpr(fixture, 5)[9], 9);
}

/* Words of neighbouring lanes stand side by side: 32 of them in a short wave. */
static void test_private_memory(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);
	uint32_t word;

	fixture->wave.scratch_size = 32 * PRIVATE_SIZE;
	RUN(fixture, 0xdc690004, 0x007c0000); /* scratch_store_b32 off, v0, off offset:4 */
	memcpy(&word, fixture->scratch + (32 + 9) * sizeof(word), sizeof(word));
	assert_int_equal(word, 9);
	RUN(fixture, 0xdc510004, 0x017c0000); /* scratch_load_b32 v1, off, off offset:4 */
	assert_int_equal(vgpr(fixture, 1)[31], 31);
	fixture->wave.flat_scratch = UINT64_C(0x123456789abcdef0);
	RUN(fixture, 0xb884f814); /* s_getreg_b32 s4, hwreg(HW_REG_FLAT_SCR_LO) */
	assert_int_equal(fixture->wave.sgprs[4], 0x9abcdef0);
}

/* Records of eight bytes, of which there are 16. */
static void set_buffer(struct fixture *fixture, uint32_t swizzle, uint32_t format)
{
	uint32_t *resource = fixture->wave.sgprs + 8;

	resource[0] = (uint32_t)DATA_BASE;
	resource[1] = (uint32_t)(DATA_BASE >> 32) | 8 << 16 | swizzle << 30;
	resource[2] = 16;
	resource[3] = format;
}

static void test_buffers(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	for (uint32_t i = 0; i < 64; i++)
		store_data(fixture, 4ULL * i, 100 + i);
	set_buffer(fixture, 0, 0);
	fixture->wave.sgprs[4] = 8;
	set_vgpr(fixture, 1, 4);
	/* buffer_load_b64 v[2:3], v[0:1], s[8:11], s4 idxen offen offset:4: past the record, where the descriptor minds */
	RUN(fixture, 0xe0540004, 0x04c20200);
	assert_int_equal(vgpr(fixture, 2)[5], 0);
	fixture->wave.sgprs[11] = 1 << 28;
	RUN(fixture, 0xe0540004, 0x04c20200);
	assert_int_equal(vgpr(fixture, 2)[5], 100 + 2 * 5 + 4);
	assert_int_equal(vgpr(fixture, 3)[5], 100 + 2 * 5 + 5);
	assert_int_equal(vgpr(fixture, 3)[16], 0);
	fixture->wave.exec = 1 << 8;
	RUN(fixture, 0xe0640002,
	    0x7c420200); /* buffer_store_b16 v2, v0, s[8:11], null offen offset:2 */
	assert_int_equal(load_data(fixture, 8), 102 | 120 << 16);
	RUN(fixture, 0xe0d44000,
	    0x84420200); /* buffer_atomic_add_u32 v2, v0, s[8:11], 4 offen glc */
	assert_int_equal(vgpr(fixture, 2)[8], 103);
	assert_int_equal(load_data(fixture, 12), 103 + 120);
	RUN(fixture, 0xe0ac0000, 0); /* buffer_gl0_inv */
	/* Swizzled by two words, which is not there; by one the words of eight records stand side by side. */
	set_buffer(fixture, 2, 1 << 28);
	assert_int_equal(STEP(fixture, 0xe0540000, 0x7c820200), GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
	set_buffer(fixture, 1, 1 << 28);
	RUN(fixture, 0xe0540000, 0x7c820200); /* buffer_load_b64 v[2:3], v0, s[8:11], null idxen */
	assert_int_equal(vgpr(fixture, 2)[8], 100 + 16);
	assert_int_equal(vgpr(fixture, 3)[8], 100 + 16 + 8);
}

/* The numbers of formats are others than those of gfx10 from 30 on. */
static void test_formats_of_buffers(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	store_data(fixture, 8, 0x80ff4000);
	set_buffer(fixture, 0, 4 | 5 << 3 | 28 << 12); /* BUF_FMT_16_16_SINT */
	RUN(fixture, 0xe0040000,
	    0x80820200); /* buffer_load_format_xy v[2:3], v0, s[8:11], 0 idxen */
	assert_int_equal(vgpr(fixture, 2)[1], 0x4000);
	assert_int_equal(vgpr(fixture, 3)[1], (uint32_t)(int16_t)0x80ff);
	/* tbuffer_load_format_x v2, v0, s[8:11], null format:[BUF_FMT_8_8_8_8_UNORM] idxen, of the third byte */
	set_buffer(fixture, 0, 6);
	RUN(fixture, 0xe9500000, 0x7c820200);
	assert_int_equal(vgpr(fixture, 2)[1], 0x3f800000);
	/* tbuffer_store_format_xy v[2:3], v0, s[8:11], s4 format:[BUF_FMT_16_16_FLOAT] idxen offset:4 */
	set_buffer(fixture, 0, 4 | 5 << 3);
	fixture->wave.sgprs[4] = 8;
	set_vgpr(fixture, 2, 0x3f800000);
	set_vgpr(fixture, 3, 0xc0000000);
	RUN(fixture, 0xe8ea8004, 0x04820200);
	assert_int_equal(load_data(fixture, 12 + 8), 0xc0003c00);
	assert_int_equal(load_data(fixture, 8), 0x80ff4000);
	/* tbuffer_load_d16_format_xy v2, v0, s[8:11], null format:[BUF_FMT_8_8_UNORM] idxen */
	store_data(fixture, 8, 0x00ff);
	RUN(fixture, 0xe8748000, 0x7c820200);
	assert_int_equal(vgpr(fixture, 2)[1], 0x00003c00);
	/* buffer_store_d16_hi_format_x v2, v0, s[8:11], null idxen */
	set_buffer(fixture, 0, 4 | 13 << 12); /* BUF_FMT_16_FLOAT */
	set_vgpr(fixture, 2, 0x12345678);
	RUN(fixture, 0xe09c0000, 0x7c820200);
	assert_int_equal(load_data(fixture, 8), 0x1234);
}

/* The value that memory is compared with comes second. Floats are compared as such: zeros are equal, and a NaN is to nothing. */
static void test_exchanges_of_floats(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	fixture->wave.exec = 1;
	set_vgpr(fixture, 0, 0);
	memset(fixture->lds, 0, 16);
	set_vgpr(fixture, 5, float_bits(7));
	set_vgpr(fixture, 6, float_bits(-0.0f));
	RUN(fixture, 0xd8440004, 0x00060500); /* ds_cmpstore_f32 v0, v5, v6 offset:4 */
	assert_int_equal(*(uint32_t *)(void *)(fixture->lds + 4), float_bits(7));
	set_vgpr64(fixture, 5, double_bits(7));
	set_vgpr64(fixture, 7, double_bits(-0.0));
	RUN(fixture, 0xd9c40000, 0x01070500); /* ds_cmpstore_rtn_f64 v[1:2], v0, v[5:6], v[7:8] */
	assert_int_equal(get_vgpr64(fixture, 1, 0), (uint64_t)float_bits(7) << 32);
	assert_int_equal(*(uint32_t *)(void *)(fixture->lds + 4), float_bits(7));
	set_vgpr64(fixture, 2, DATA_BASE);
	store_data(fixture, 0, 0x7fc00000);
	set_vgpr(fixture, 5, float_bits(7));
	set_vgpr(fixture, 6, 0x7fc00000);
	RUN(fixture, 0xdd404000, 0x017c0502); /* flat_atomic_cmpswap_f32 v1, v[2:3], v[5:6] glc */
	assert_int_equal(vgpr(fixture, 1)[0], 0x7fc00000);
	assert_int_equal(load_data(fixture, 0), 0x7fc00000);
	store_data(fixture, 0, 15);
	set_vgpr(fixture, 5, 10);
	RUN(fixture, 0xdcde4000, 0x017c0502); /* global_atomic_csub_u32 v1, v[2:3], v5, off glc */
	assert_int_equal(vgpr(fixture, 1)[0], 15);
	assert_int_equal(load_data(fixture, 0), 5);
	RUN(fixture, 0xdcde4000, 0x017c0502);
	assert_int_equal(load_data(fixture, 0), 0);
}

/* An encoding that is known and not there says so. */
static void test_images(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	assert_int_equal(STEP(fixture, 0xf0000100, 0), GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
	assert_string_equal(fixture->fault.reason,
			    "an operation on images, which are executed on gfx90a alone: "
			    "textures and surfaces of arrays and of pitched memory");
}

/* A third word that is not mapped is told as such. */
static void test_third_word(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	fixture->code[CODE_WORDS - 2] = 0xd6130001;
	fixture->code[CODE_WORDS - 1] = 0x03fdff00;
	fixture->wave.pc = CODE_BASE + 4 * (CODE_WORDS - 2);
	assert_int_equal(gfx_wave_step(&fixture->wave, &fixture->memory, &fixture->fault),
			 GFX_STEP_FETCH_VIOLATION);
	assert_int_equal(fixture->fault.address, CODE_BASE + 4 * CODE_WORDS);
	assert_int_equal(fixture->fault.word_count, 2);
}

/* Each source of whole numbers has signs or not; the sum is limited if it is to be. */
static void test_products_of_bytes(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	set_vgpr(fixture, 1, 0xff020304);
	set_vgpr(fixture, 2, 0x02fe0506);
	set_vgpr(fixture, 3, 100);
	RUN(fixture, 0xcc164004, 0x1c0e0501); /* v_dot4_i32_iu8 v4, v1, v2, v3 */
	assert_int_equal(vgpr(fixture, 4)[7], 255 * 2 + 2 * 254 + 3 * 5 + 4 * 6 + 100);
	RUN(fixture, 0xcc164004, 0x7c0e0501); /* v_dot4_i32_iu8 v4, v1, v2, v3 neg_lo:[1,1,0] */
	assert_int_equal(vgpr(fixture, 4)[7], -1 * 2 + 2 * -2 + 3 * 5 + 4 * 6 + 100);
	set_vgpr(fixture, 3, INT32_MAX);
	RUN(fixture, 0xcc16c004,
	    0x3c0e0501); /* v_dot4_i32_iu8 v4, v1, v2, v3 neg_lo:[1,0,0] clamp */
	assert_int_equal(vgpr(fixture, 4)[7], INT32_MAX);
	set_vgpr(fixture, 1, 0xf0000021);
	set_vgpr(fixture, 2, 0xf000003f);
	set_vgpr(fixture, 3, 5);
	RUN(fixture, 0xcc184004, 0x5c0e0501); /* v_dot8_i32_iu4 v4, v1, v2, v3 neg_lo:[0,1,0] */
	assert_int_equal((int32_t)vgpr(fixture, 4)[7], 15 * -1 + 2 * 3 + 1 * -1 + 5);
}

static void test_pairs_of_bfloats(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	set_vgpr(fixture, 1, 0x40003f80); /* 2 and 1 */
	set_vgpr(fixture, 2, 0x40804040); /* 4 and 3 */
	set_vgpr(fixture, 3, gfx_f32_bits(0.5f));
	/* v_dot2_f32_bf16 v4, v1, v2, v3 neg_lo:[1,0,0] neg_hi:[0,1,0] */
	RUN(fixture, 0xcc1a4204, 0x3c0e0501);
	assert_int_equal(vgpr(fixture, 4)[7], gfx_f32_bits(-3 - 8 + 0.5f));
	/* v_dot2_f32_bf16 v4, v1, 1.0, v3 op_sel_hi:[1,0,1] */
	RUN(fixture, 0xcc1a4004, 0x0c0de501);
	assert_int_equal(vgpr(fixture, 4)[7], gfx_f32_bits(1 + 2 + 0.5f));
	set_vgpr(fixture, 3, 0x3f801234);
	set_vgpr(fixture, 4, 0xabcd0000);
	/* v_dot2_bf16_bf16 v4, v1, v2, -v3 op_sel:[0,0,1,0] */
	RUN(fixture, 0xd6672004, 0x840e0501);
	assert_int_equal(vgpr(fixture, 4)[7], 0xabcd0000 | gfx_f32_bits(3 + 8 - 1) >> 16);
}

static void test_pairs_of_halves(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1100", 32);

	set_vgpr(fixture, 1, 0xc0003c00); /* -2 and 1 */
	set_vgpr(fixture, 2, 0x44004200); /* 4 and 3 */
	set_vgpr(fixture, 3, 0x38001234); /* 0.5 above */
	set_vgpr(fixture, 4, 0x5678);
	/* v_dot2_f16_f16 v4, v1, v2, v3 op_sel:[0,0,1,1] */
	RUN(fixture, 0xd6666004, 0x040e0501);
	assert_int_equal(vgpr(fixture, 4)[7],
			 0x5678 | (uint32_t)gfx_half_from_double(3 - 8 + 0.5, GFX_ROUND_NEAREST)
					  << 16);
	set_vgpr(fixture, 3, 0x3800);
	set_vgpr(fixture, 4, 0);
	RUN(fixture, 0xd6660104, 0x240e0501); /* v_dot2_f16_f16 v4, -|v1|, v2, v3 */
	assert_int_equal(vgpr(fixture, 4)[7],
			 gfx_half_from_double(-3 - 8 + 0.5, GFX_ROUND_NEAREST));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_short_masks),
		TEST(test_long_masks),
		TEST(test_null),
		TEST(test_two_at_once),
		TEST(test_choices_of_lanes),
		TEST(test_permutations),
		TEST(test_backward_permutation),
		TEST(test_forms),
		TEST(test_halves),
		TEST(test_moved_relatively),
		TEST(test_private_memory),
		TEST(test_exchanges_of_floats),
		TEST(test_images),
		TEST(test_third_word),
		TEST(test_products_of_bytes),
		TEST(test_packed_sums),
		TEST(test_buffers),
		TEST(test_formats_of_buffers),
		TEST(test_pairs_of_bfloats),
		TEST(test_pairs_of_halves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
