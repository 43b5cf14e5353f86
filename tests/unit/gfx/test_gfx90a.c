/* SPDX-License-Identifier: MIT */
/* GPUs up to gfx90a do some things otherwise than gfx942; buffers, which both have; instructions that are kept. */
#include "fixture.h"

#include <math.h>

#include "gfx/isa/launch.h"
#include "gfx/isa/run.h"

#define MUBUF(op, offset, d, address, resource, scalar)                                            \
	0xe0000000U | (op) << 18 | (offset),                                                       \
		(uint32_t)(scalar) << 24 | (resource) / 4U << 16 | (uint32_t)(d) << 8 | (address)
#define OFFSET_VGPR (1U << 12)
#define INDEX_VGPR (1U << 13)
#define LOAD_USHORT 18U
#define LOAD_DWORD 20U
#define LOAD_DWORDX2 21U
#define STORE_SHORT 26U
#define STORE_DWORD 28U
#define STORE_DWORDX2 29U

static int setup(void **state)
{
	int result = fixture_setup(state);
	struct fixture *fixture = *state;

	if (!result)
		fixture->wave.architecture = gfx_architecture_by_name("gfx90a");
	return result;
}

static void set_resource(struct fixture *fixture, uint32_t records, uint32_t stride, bool swizzled)
{
	uint32_t *words = fixture->wave.sgprs + 4;

	words[0] = (uint32_t)DATA_BASE;
	words[1] = (uint32_t)(DATA_BASE >> 32) | stride << 16 | (uint32_t)swizzled << 31;
	words[2] = records;
	words[3] = swizzled ? 3U << 21 | 1U << 23 : 0;
}

/* Words of the lanes stand side by side, and a pair of words is one row apart. */
static void test_private_buffer(void **state)
{
	struct fixture *fixture = *state;

	set_resource(fixture, DATA_SIZE, 0, true);
	fixture->wave.sgprs[32] = 256;
	for (uint32_t lane = 0; lane < 64; lane++) {
		vgpr(fixture, 2)[lane] = 100 + lane;
		vgpr(fixture, 3)[lane] = 200 + lane;
		vgpr(fixture, 1)[lane] = 4;
	}
	RUN(fixture, MUBUF(STORE_DWORDX2, 0U, 2U, 0U, 4U, 32U));
	assert_int_equal(load_data(fixture, 256 + 4 * 7), 107);
	assert_int_equal(load_data(fixture, 512 + 4 * 7), 207);
	/* The second word again, by an offset of four bytes in each lane. */
	RUN(fixture, MUBUF(LOAD_DWORD | 0U, OFFSET_VGPR, 5U, 1U, 4U, 32U));
	assert_int_equal(vgpr(fixture, 5)[63], 263);
	/* Bytes are within their word. */
	RUN(fixture, MUBUF(16U, 5U, 6U, 0U, 4U, 32U));
	assert_int_equal(vgpr(fixture, 6)[0], 0);
	RUN(fixture, MUBUF(16U, 4U, 6U, 0U, 4U, 32U));
	assert_int_equal(vgpr(fixture, 6)[9], 209);
}

/* A byte of the private memory of a lane. */
static uint8_t *private_byte(struct fixture *fixture, uint32_t lane, uint32_t offset)
{
	return fixture->data + 256 + offset / 4 * 256 + 4 * lane + offset % 4;
}

/* Bytes that are not aligned are in several words of their record, and none of them is another lane's. */
static void test_swizzled_unaligned(void **state)
{
	struct fixture *fixture = *state;
	uint16_t half;

	set_resource(fixture, DATA_SIZE, 0, true);
	fixture->wave.sgprs[32] = 256;
	for (uint32_t lane = 0; lane < 64; lane++) {
		vgpr(fixture, 1)[lane] = lane % 4;
		vgpr(fixture, 2)[lane] = 0x03020100 + 0x04040404 * lane % 0xc0;
		vgpr(fixture, 3)[lane] = ~vgpr(fixture, 2)[lane];
	}
	/* Lanes differ in how far they are from a word's beginning. */
	RUN(fixture, MUBUF(STORE_DWORDX2, OFFSET_VGPR | 1U, 2U, 1U, 4U, 32U));
	for (uint32_t lane = 0; lane < 64; lane++) {
		uint8_t bytes[8];

		memcpy(bytes, &vgpr(fixture, 2)[lane], 4);
		memcpy(bytes + 4, &vgpr(fixture, 3)[lane], 4);
		assert_int_equal(*private_byte(fixture, lane, lane % 4), 0);
		for (uint32_t i = 0; i < 8; i++)
			assert_int_equal(*private_byte(fixture, lane, 1 + lane % 4 + i), bytes[i]);
		assert_int_equal(*private_byte(fixture, lane, 9 + lane % 4), 0);
	}
	RUN(fixture, MUBUF(LOAD_DWORDX2, OFFSET_VGPR | 1U, 6U, 1U, 4U, 32U));
	assert_memory_equal(vgpr(fixture, 6), vgpr(fixture, 2), 2 * GFX_MAX_LANES * 4);
	/* The same for all lanes, and less than a word. */
	RUN(fixture, MUBUF(LOAD_DWORD, 5U, 8U, 0U, 4U, 32U));
	RUN(fixture, MUBUF(LOAD_USHORT, 3U, 9U, 0U, 4U, 32U));
	for (uint32_t lane = 0; lane < 64; lane++) {
		for (uint32_t i = 0; i < 4; i++)
			assert_int_equal(vgpr(fixture, 8)[lane] >> 8 * i & 0xff,
					 *private_byte(fixture, lane, 5 + i));
		half = (uint16_t)(*private_byte(fixture, lane, 3) | *private_byte(fixture, lane, 4)
									    << 8);
		assert_int_equal(vgpr(fixture, 9)[lane], half);
	}
	RUN(fixture, MUBUF(STORE_SHORT, 7U, 1U, 0U, 4U, 32U));
	assert_int_equal(*private_byte(fixture, 3, 7), 3);
	assert_int_equal(*private_byte(fixture, 3, 8), 0);
	/* Words that begin elsewhere than at their addresses are refused, not taken for others. */
	fixture->wave.sgprs[32] = 258;
	RUN(fixture, MUBUF(LOAD_DWORD, 4U, 8U, 0U, 4U, 32U));
	assert_int_equal(STEP(fixture, MUBUF(LOAD_DWORD, 5U, 8U, 0U, 4U, 32U)),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
}

/* Lanes behind the last record load zeros and store nothing. */
static void test_records(void **state)
{
	struct fixture *fixture = *state;

	set_resource(fixture, 40, 0, false);
	for (uint32_t lane = 0; lane < 64; lane++) {
		vgpr(fixture, 1)[lane] = lane * 4;
		vgpr(fixture, 2)[lane] = lane + 1;
		store_data(fixture, lane * 4, 77);
	}
	RUN(fixture, MUBUF(STORE_DWORD, OFFSET_VGPR, 2U, 1U, 4U, 128U));
	assert_int_equal(load_data(fixture, 36), 10);
	assert_int_equal(load_data(fixture, 40), 77);
	set_vgpr(fixture, 3, 5);
	RUN(fixture, MUBUF(LOAD_DWORD, OFFSET_VGPR, 3U, 1U, 4U, 128U));
	assert_int_equal(vgpr(fixture, 3)[9], 10);
	assert_int_equal(vgpr(fixture, 3)[10], 0);
	/* By index: records of twelve bytes. */
	set_resource(fixture, 240, 12, false);
	for (uint32_t lane = 0; lane < 64; lane++)
		vgpr(fixture, 1)[lane] = lane % 4;
	RUN(fixture, MUBUF(LOAD_DWORD, INDEX_VGPR | 4U, 3U, 1U, 4U, 128U));
	assert_int_equal(vgpr(fixture, 3)[2], 8); /* at 28 */
}

/* Inside the descriptor's size but not mapped: a fault, which changes nothing. */
static void test_fault(void **state)
{
	struct fixture *fixture = *state;

	set_resource(fixture, UINT32_MAX, 0, false);
	fixture->wave.sgprs[32] = DATA_SIZE;
	set_vgpr(fixture, 3, 5);
	assert_int_equal(STEP(fixture, MUBUF(LOAD_DWORD, 0U, 3U, 0U, 4U, 32U)),
			 GFX_STEP_MEMORY_VIOLATION);
	assert_int_equal(fixture->fault.address, DATA_BASE + DATA_SIZE);
	assert_int_equal(vgpr(fixture, 3)[0], 5);
}

static void test_scalar_buffer(void **state)
{
	struct fixture *fixture = *state;

	set_resource(fixture, 12, 0, false);
	for (uint32_t i = 0; i < 8; i++)
		store_data(fixture, 4 * i, 10 + i);
	RUN(fixture, 0xc0260000U | 10U << 6 | 2U,
	    4U); /* s_buffer_load_dwordx2 s[10:11], s[4:7], 4 */
	assert_int_equal(fixture->wave.sgprs[10], 11);
	assert_int_equal(fixture->wave.sgprs[11], 12);
	RUN(fixture, 0xc0260000U | 10U << 6 | 2U, 8U);
	assert_int_equal(fixture->wave.sgprs[10], 12);
	assert_int_equal(fixture->wave.sgprs[11], 0);
}

/* Rounded twice, and without denormals. */
static void test_mad(void **state)
{
	struct fixture *fixture = *state;

	set_vgpr(fixture, 1, float_bits(1.0f + 0x1p-12f));
	set_vgpr(fixture, 2, float_bits(1.0f + 0x1p-12f));
	set_vgpr(fixture, 3, float_bits(-1.0f));
	RUN(fixture, VOP3(449U, 4U, V(1), V(2), V(3)));
	assert_int_equal(vgpr(fixture, 4)[0], float_bits(0x1p-11f)); /* 2^-24 is lost */
	RUN(fixture, VOP2(22U, 3U, V(1), 2U));			     /* v_mac_f32 */
	assert_int_equal(vgpr(fixture, 3)[5], float_bits(0x1p-11f));
	set_vgpr(fixture, 3, 0x00400000);
	RUN(fixture, VOP3(449U, 4U, V(1), 128U, V(3)));
	assert_int_equal(vgpr(fixture, 4)[0], 0);
	/* v_mad_legacy_f32: zero times infinity is zero. */
	set_vgpr(fixture, 1, float_bits((float)INFINITY));
	RUN(fixture, VOP3(448U, 4U, V(1), 128U, 242U));
	assert_int_equal(vgpr(fixture, 4)[0], float_bits(1.0f));
	fixture->wave.architecture = gfx_architecture_by_name("gfx942");
	assert_int_equal(STEP(fixture, VOP3(449U, 4U, V(1), V(2), V(3))),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
}

/* An SGPR behind the program's own is flat_scratch, xnack_mask or vcc. */
static void test_aliases(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.sgpr_count = 10;
	RUN(fixture, SOP1(0U, 12U, INLINE(7)));
	assert_int_equal(fixture->wave.xnack_mask, 7);
	RUN(fixture, SOP1(0U, 15U, INLINE(3)));
	assert_int_equal(fixture->wave.vcc, UINT64_C(3) << 32);
	RUN(fixture, SOP1(0U, 9U, S(12)));
	assert_int_equal(fixture->wave.sgprs[9], 7);
}

/* The descriptor of private memory, its address and the wave's place in it. */
static void test_launch(void **state)
{
	struct fixture *fixture = *state;
	const struct gfx_launch launch = {
		.code_entry = CODE_BASE,
		.kernarg_address = 0x1234,
		.scratch_base = UINT64_C(0x240000008000),
		.scratch_pool_base = UINT64_C(0x240000000000),
		.scratch_pool_size = 0x20000,
		.workgroup = {5, 6, 7},
		.workgroup_size = {64, 1, 1},
		.grid_size = {640, 8, 8},
		.packet_index = 9,
	};
	const struct gfx_kernel_descriptor descriptor = {
		.rsrc2 = 1 | 8 << 1 | 1 << 7,
		.properties = 1 << 0 | 1 << 3 | 1 << 5,
	};
	const uint32_t *sgprs = fixture->wave.sgprs;

	gfx_wave_launch(&fixture->wave, &descriptor, &launch);
	assert_int_equal(sgprs[0], 0);
	assert_int_equal(sgprs[1], 0x80002400);
	assert_int_equal(sgprs[2], 0x20000);
	assert_int_equal(sgprs[3] >> 21 & 7, 7); /* index stride 64, the lane added */
	assert_int_equal(sgprs[4], 0x1234);
	assert_int_equal(sgprs[6], 0);
	assert_int_equal(sgprs[7], 0x2400);
	assert_int_equal(sgprs[8], 5);
	assert_int_equal(sgprs[9], 0x8000);
	assert_int_equal(fixture->wave.ttmps[6], 9);
	assert_int_equal(fixture->wave.ttmps[11], 0);
}

/* A counter in LDS moves by the active lanes, which all get what it was. */
static void test_append(void **state)
{
	struct fixture *fixture = *state;
	uint32_t value = 40;

	memcpy(fixture->lds + 24, &value, 4);
	fixture->wave.m0 = 16;
	fixture->wave.exec = 0xff;
	RUN(fixture, DS(190U, 8U, 3U, 0U, 0U, 0U));
	assert_int_equal(vgpr(fixture, 3)[7], 40);
	assert_int_equal(vgpr(fixture, 3)[8], 0);
	RUN(fixture, DS(189U, 8U, 3U, 0U, 0U, 0U));
	assert_int_equal(vgpr(fixture, 3)[0], 48);
	memcpy(&value, fixture->lds + 24, 4);
	assert_int_equal(value, 40);
	fixture->wave.m0 = LDS_SIZE;
	assert_int_equal(STEP(fixture, DS(190U, 0U, 3U, 0U, 0U, 0U)), GFX_STEP_ADDRESS_ERROR);
}

/* A loop of three instructions, run at once, does what its steps do; changed code needs clearing. */
static void test_run(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_decoded entries[8];
	struct gfx_code code = {entries, 8};
	const uint32_t words[] = {SOPK(14U, 3U, 2), SOPK(4U, 3U, 9), SOPP(5U, 1U), SOPP(2U, -4),
				  SOPP(1U, 0U)};
	uint64_t count;

	memcpy(fixture->code, words, sizeof(words));
	gfx_code_clear(&code);
	fixture->wave.sgprs[3] = 0;
	assert_int_equal(
		gfx_wave_run(&fixture->wave, &fixture->memory, &code, 6, &fixture->fault, &count),
		GFX_STEP_DONE);
	assert_int_equal(count, 6);
	assert_int_equal(fixture->wave.sgprs[3], 4);
	assert_int_equal(
		gfx_wave_run(&fixture->wave, &fixture->memory, &code, 100, &fixture->fault, &count),
		GFX_STEP_END);
	assert_int_equal(fixture->wave.sgprs[3], 10);
	assert_int_equal(fixture->wave.instruction_count, 6 + count);
	/* What is kept is what was there. */
	fixture->code[0] = SOPK(14U, 3U, 5);
	fixture->wave.pc = CODE_BASE;
	gfx_wave_run(&fixture->wave, &fixture->memory, &code, 1, &fixture->fault, &count);
	assert_int_equal(fixture->wave.sgprs[3], 12);
	gfx_code_clear(&code);
	fixture->wave.pc = CODE_BASE;
	gfx_wave_run(&fixture->wave, &fixture->memory, &code, 1, &fixture->fault, &count);
	assert_int_equal(fixture->wave.sgprs[3], 17);
	/* With an exception enabled each instruction is looked at. */
	fixture->wave.mode |= 1U << 12;
	fixture->wave.pc = CODE_BASE;
	gfx_wave_run(&fixture->wave, &fixture->memory, &code, 9, &fixture->fault, &count);
	assert_int_equal(count, 1);
}

static float float_at(const uint32_t *registers, uint32_t lane)
{
	float value;

	memcpy(&value, &registers[lane], sizeof(value));
	return value;
}

#define LOAD_XYZW 3U
#define STORE_XY 5U
#define SELECT(x, y, z, w) ((x) | (y) << 3 | (z) << 6 | (w) << 9)
/* tbuffer_load_format_x of unsigned whole bytes. */
#define LOAD_BYTES 0xe8000000U | 1U << 19 | 4U << 23 | INDEX_VGPR, 0x80010804U

/* Elements are converted by the format of the descriptor, or of the instruction, and past the end they are 0. */
static void test_typed_buffers(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t one = 0x3f800000, half = 0x3f000000, two = 0x40000000;
	const int16_t words[] = {32767, -32767, -16384, 0, 0};
	int16_t after[5];

	memcpy(fixture->data, words, sizeof(words));
	fixture->wave.exec = 7;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 4)[lane] = lane;
	/* Two signed shorts as fractions, the second one first. */
	set_resource(fixture, 8, 4, false);
	fixture->wave.sgprs[7] = SELECT(5U, 4U, 0U, 1U) | 1U << 12 | 5U << 15;
	RUN(fixture, MUBUF(LOAD_XYZW, INDEX_VGPR, 8U, 4U, 4U, 128U));
	assert_true(float_at(vgpr(fixture, 8), 0) == -1.0f);
	assert_true(float_at(vgpr(fixture, 9), 0) == 1.0f);
	assert_int_equal(vgpr(fixture, 10)[0], 0);
	assert_int_equal(vgpr(fixture, 11)[0], one);
	assert_true(float_at(vgpr(fixture, 9), 1) == -16384.0f / 32767);
	assert_int_equal(vgpr(fixture, 11)[2], 0);
	/* Values that are too large are cut, and the third lane is behind the end. */
	set_vgpr(fixture, 8, half);
	set_vgpr(fixture, 9, two);
	RUN(fixture, MUBUF(STORE_XY, INDEX_VGPR, 8U, 4U, 4U, 128U));
	memcpy(after, fixture->data, sizeof(after));
	assert_int_equal(after[0], 32767);
	assert_int_equal(after[1], 16384);
	assert_int_equal(after[3], 16384);
	assert_int_equal(after[4], 0);
	/* Only the selection is the descriptor's. */
	fixture->wave.sgprs[7] = SELECT(4U, 0U, 0U, 0U);
	RUN(fixture, LOAD_BYTES);
	assert_int_equal(vgpr(fixture, 8)[0], 0xff);
	/* A packed format. */
	fixture->wave.sgprs[7] |= 8U << 15;
	assert_int_equal(STEP(fixture, MUBUF(0U, INDEX_VGPR, 8U, 4U, 4U, 128U)),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
}

#define LOAD_HALVES_XYZ 10U
#define LOAD_UPPER_X 38U
#define STORE_HALVES_XYZ 14U
#define STORE_UPPER_X 39U
/* tbuffer_load_format_d16_xy of bytes as fractions. */
#define LOAD_BYTES_AS_HALVES 0xe8048000U | 3U << 19 | INDEX_VGPR, 0x80010804U

/* Halves: two components to a register, and what is left of the last one stays. */
static void test_typed_buffers_of_halves(void **state)
{
	struct fixture *fixture = *state;
	const float singles[] = {1.5f, -2, 1e6f, 7};
	const uint16_t numbers[] = {0xfff0, 3, 77};
	float after[4];

	memcpy(fixture->data, singles, sizeof(singles));
	fixture->wave.exec = 3;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 4)[lane] = lane;
	/* Four singles, of which one is too large for a half. The second lane is behind the end. */
	set_resource(fixture, 16, 16, false);
	fixture->wave.sgprs[7] = SELECT(4U, 5U, 6U, 7U) | 7U << 12 | 14U << 15;
	set_vgpr(fixture, 8, 0x11112222);
	set_vgpr(fixture, 9, 0x33334444);
	RUN(fixture, MUBUF(LOAD_HALVES_XYZ, INDEX_VGPR, 8U, 4U, 4U, 128U));
	assert_int_equal(vgpr(fixture, 8)[0], 0xc0003e00);
	assert_int_equal(vgpr(fixture, 9)[0], 0x33337c00);
	assert_int_equal(vgpr(fixture, 8)[1], 0);
	assert_int_equal(vgpr(fixture, 9)[1], 0x33330000);
	assert_int_equal(vgpr(fixture, 8)[2], 0x11112222);
	/* The fourth one of the element is not named, and becomes 0. */
	set_vgpr(fixture, 8, 0x3c00b800);
	set_vgpr(fixture, 9, 0x99993800);
	RUN(fixture, MUBUF(STORE_HALVES_XYZ, INDEX_VGPR, 8U, 4U, 4U, 128U));
	memcpy(after, fixture->data, sizeof(after));
	assert_true(after[0] == -0.5f && after[1] == 1.0f && after[2] == 0.5f && after[3] == 0);
	/* Whole numbers with a sign, in the upper half. */
	memcpy(fixture->data, numbers, sizeof(numbers));
	set_resource(fixture, 2, 2, false);
	fixture->wave.sgprs[7] = SELECT(4U, 0U, 0U, 0U) | 5U << 12 | 2U << 15;
	set_vgpr(fixture, 8, 0x11112222);
	RUN(fixture, MUBUF(LOAD_UPPER_X, INDEX_VGPR, 8U, 4U, 4U, 128U));
	assert_int_equal(vgpr(fixture, 8)[0], 0xfff02222);
	set_resource(fixture, 4, 2, false);
	fixture->wave.sgprs[7] = SELECT(4U, 0U, 0U, 0U) | 5U << 12 | 2U << 15;
	fixture->wave.exec = 1;
	vgpr(fixture, 4)[0] = 1;
	RUN(fixture, MUBUF(STORE_UPPER_X, INDEX_VGPR, 8U, 4U, 4U, 128U));
	assert_memory_equal(fixture->data, ((uint16_t[]){0xfff0, 0xfff0, 77}), sizeof(numbers));
	/* A format of the instruction's own. */
	memcpy(fixture->data + 2, (uint8_t[]){0xff, 0}, 2);
	fixture->wave.sgprs[7] = SELECT(4U, 5U, 0U, 0U);
	RUN(fixture, LOAD_BYTES_AS_HALVES);
	assert_int_equal(vgpr(fixture, 8)[0], 0x00003c00);
	/* Nobody says what becomes of whole numbers that are wider. */
	fixture->wave.sgprs[7] = SELECT(4U, 5U, 0U, 0U) | 4U << 12 | 4U << 15;
	assert_int_equal(STEP(fixture, MUBUF(LOAD_HALVES_XYZ, INDEX_VGPR, 8U, 4U, 4U, 128U)),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
}

#define MIMG(op, mask, d, address, resource, sampler)                                              \
	0xf0000000U | (op) << 18 | (mask) << 8,                                                    \
		(sampler) / 4U << 21 | (resource) / 4U << 16 | (d) << 8 | (address)
#define IMAGE_LOAD 0U
#define IMAGE_STORE 8U
#define IMAGE_SAMPLE 32U
#define ARRAY (1U << 14)
#define MODE_4KB_DISPLAY 22U
#define MODE_64KB_DISPLAY 26U

/* An image of 128 by 128 singles, @before bytes before the data. */
static void set_image(struct fixture *fixture, uint32_t mode, uint64_t before)
{
	uint64_t base = (DATA_BASE - before) >> 8;
	uint32_t *words = fixture->wave.sgprs + 8;

	memset(words, 0, 8 * sizeof(*words));
	words[0] = (uint32_t)base;
	words[1] = (uint32_t)(base >> 32) | 4U << 20 | 7U << 26;
	words[2] = 127U | 127U << 14;
	words[3] = SELECT(4U, 0U, 0U, 1U) | mode << 20 | 9U << 28;
	words[4] = 127U << 13;
}

/* Elements lie in blocks of 256 bytes, in larger ones, and mixed over the pipes. */
static void test_images(void **state)
{
	static const struct {
		uint32_t mode, x, y;
		uint64_t before, at;
	} cases[] = {
		{0, 3, 2, 0, 2 * 512 + 12},
		{MODE_4KB_DISPLAY, 1, 0, 0, 4},
		{MODE_4KB_DISPLAY, 0, 1, 0, 16},
		{MODE_4KB_DISPLAY, 4, 2, 0, 32 + 64},
		{MODE_4KB_DISPLAY, 0, 8, 0, 256},
		{MODE_4KB_DISPLAY, 8, 0, 0, 512},
		{MODE_4KB_DISPLAY, 64, 0, 0x2000, 0x100},
		{MODE_4KB_DISPLAY, 0, 64, 0x8000, 0x200},
		{MODE_64KB_DISPLAY, 64, 0, 0x8000, 0x100},
	};
	struct fixture *fixture = *state;

	fixture->wave.exec = 2;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(fixture->data, 0, sizeof(fixture->data));
		set_image(fixture, cases[i].mode, cases[i].before);
		set_vgpr(fixture, 4, cases[i].x);
		set_vgpr(fixture, 5, cases[i].y);
		set_vgpr(fixture, 2, 77 + (uint32_t)i);
		RUN(fixture, MIMG(IMAGE_STORE, 1U, 2U, 4U, 8U, 0U));
		assert_int_equal(load_data(fixture, cases[i].at), 77 + i);
		set_vgpr(fixture, 8, 1);
		RUN(fixture, MIMG(IMAGE_LOAD, 9U, 8U, 4U, 8U, 0U));
		assert_int_equal(vgpr(fixture, 8)[0], 1);
		assert_int_equal(vgpr(fixture, 8)[1], 77 + i);
		assert_int_equal(vgpr(fixture, 9)[1], 0x3f800000);
	}
	/* Outside nothing is accessed. */
	set_vgpr(fixture, 4, 128);
	RUN(fixture, MIMG(IMAGE_STORE, 1U, 2U, 4U, 8U, 0U));
	RUN(fixture, MIMG(IMAGE_LOAD, 1U, 8U, 4U, 8U, 0U));
	assert_int_equal(vgpr(fixture, 8)[1], 0);
	/* Not mapped. */
	set_vgpr(fixture, 4, 0);
	assert_int_equal(STEP(fixture, MIMG(IMAGE_LOAD, 1U, 8U, 4U, 8U, 0U)),
			 GFX_STEP_MEMORY_VIOLATION);
	assert_int_equal(fixture->fault.lanes, 2);
	/* A cube. */
	fixture->wave.sgprs[11] = (fixture->wave.sgprs[11] & 0xfffffff) | 11U << 28;
	assert_int_equal(STEP(fixture, MIMG(IMAGE_LOAD, 1U, 8U, 4U, 8U, 0U)),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
}

/* AMD's address library (ROCr's Addr2ComputeSurfaceAddrFromCoord) has these places for the elements of a 3-D image of 300 by 200 by 70 singles. */
static void test_solid_images(void **state)
{
	static const struct {
		uint32_t mode, pitch, x, y, z;
		uint64_t at;
	} cases[] = {
		{4, 304, 5, 139, 33, 0x8e8a6c},	    {4, 304, 164, 1, 60, 0xd96608},
		{5, 304, 12, 5, 60, 0xd83710},	    {5, 304, 31, 104, 68, 0x1057e0c},
		{6, 320, 258, 148, 13, 0x3be448},   {6, 320, 86, 36, 17, 0x4b28c8},
		{8, 320, 206, 29, 15, 0x67fb8},	    {8, 320, 298, 34, 64, 0x12b1050},
		{9, 320, 71, 90, 41, 0xa26a6c},	    {9, 320, 189, 87, 46, 0xa5f7b4},
		{10, 384, 224, 86, 53, 0x13fe460},  {10, 384, 268, 190, 13, 0x5317e0},
		{20, 304, 67, 100, 40, 0xa92a14},   {20, 304, 35, 143, 2, 0x1348dc},
		{21, 304, 108, 191, 40, 0xb55d30},  {21, 304, 132, 14, 63, 0xd924e0},
		{22, 320, 264, 27, 23, 0x652930},   {22, 320, 203, 22, 36, 0x9de56c},
		{24, 320, 65, 81, 60, 0xe86b0c},    {24, 320, 256, 156, 40, 0xbc6400},
		{25, 320, 236, 182, 66, 0x1515ca0}, {25, 320, 285, 129, 43, 0xbcb7d4},
		{26, 384, 7, 37, 41, 0xf611dc},	    {26, 384, 64, 29, 19, 0x728850},
	};
	struct fixture *fixture = *state;
	uint32_t *words = fixture->wave.sgprs + 8;

	fixture->wave.exec = 1;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(fixture->data, 0, sizeof(fixture->data));
		set_image(fixture, cases[i].mode, cases[i].at & ~UINT64_C(0xff));
		words[2] = 299U | 199U << 14;
		words[3] = SELECT(4U, 0U, 0U, 1U) | cases[i].mode << 20 | 10U << 28;
		words[4] = 69U | (cases[i].pitch - 1) << 13;
		set_vgpr(fixture, 4, cases[i].x);
		set_vgpr(fixture, 5, cases[i].y);
		set_vgpr(fixture, 6, cases[i].z);
		set_vgpr(fixture, 2, 77 + (uint32_t)i);
		RUN(fixture, MIMG(IMAGE_STORE, 1U, 2U, 4U, 8U, 0U));
		assert_int_equal(load_data(fixture, cases[i].at & 0xff), 77 + i);
		RUN(fixture, MIMG(IMAGE_LOAD, 1U, 8U, 4U, 8U, 0U));
		assert_int_equal(vgpr(fixture, 8)[0], 77 + i);
	}
	/* A sample is of the whole image, not of the slices that the array's bit declares, and is nearest: GPU and runtime have no other. */
	fixture->wave.sgprs[16] = 1U << 15;
	for (uint32_t linear = 0; linear < 2; linear++) {
		fixture->wave.sgprs[18] = linear ? 5U << 20 : 0;
		assert_int_equal(STEP(fixture, (linear ? 0 : ARRAY) |
						       MIMG(IMAGE_SAMPLE, 1U, 8U, 4U, 8U, 16U)),
				 GFX_STEP_ILLEGAL_INSTRUCTION);
		assert_string_equal(fixture->fault.reason,
				    linear ? "linear filtering of a 3-D image"
					   : "a sample of a 3-D image's slices");
	}
}

/* Four bytes along sRGB's curve, the last one without: 0.5 is 0.2140 there, and what is small is a thirteenth. */
static void test_srgb(void **state)
{
	struct fixture *fixture = *state;
	const float expected[] = {0.21586f, 1.0f, 10 / (255 * 12.92f), 128 / 255.0f};

	set_image(fixture, 0, 0);
	fixture->wave.sgprs[9] = (fixture->wave.sgprs[9] & 0x000fffff) | 10U << 20 | 9U << 26;
	fixture->wave.sgprs[11] =
		(fixture->wave.sgprs[11] & ~0xfffU) | 4U | 5U << 3 | 6U << 6 | 7U << 9;
	store_data(fixture, 0, 0x800aff80);
	fixture->wave.exec = 1;
	set_vgpr(fixture, 4, 0);
	set_vgpr(fixture, 5, 0);
	RUN(fixture, MIMG(IMAGE_LOAD, 15U, 8U, 4U, 8U, 0U));
	for (uint32_t i = 0; i < 4; i++) {
		float found;

		memcpy(&found, vgpr(fixture, 8 + i), sizeof(found));
		assert_true(fabsf(found - expected[i]) < 1e-5f);
	}
	/* Stores to such an image are not implemented. */
	assert_int_equal(STEP(fixture, MIMG(IMAGE_STORE, 15U, 8U, 4U, 8U, 0U)),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
}

/* Two elements of a row, a quarter and three quarters of them; the border; and a filter that is not there. */
static void test_sampler(void **state)
{
	struct fixture *fixture = *state;
	const float row[] = {8, 16}, at = 1.25f, half = 0.5f, far = -3;
	uint32_t bits;

	set_image(fixture, 0, 0);
	memcpy(fixture->data, row, sizeof(row));
	fixture->wave.exec = 1;
	memcpy(&bits, &at, sizeof(bits));
	set_vgpr(fixture, 4, bits);
	memcpy(&bits, &half, sizeof(bits));
	set_vgpr(fixture, 5, bits);
	fixture->wave.sgprs[16] = 6U | 2U << 3 | 1U << 15;
	fixture->wave.sgprs[18] = 5U << 20;
	fixture->wave.sgprs[19] = 2U << 30;
	RUN(fixture, MIMG(IMAGE_SAMPLE, 1U, 8U, 4U, 8U, 16U));
	assert_true(float_at(vgpr(fixture, 8), 0) == 14.0f);
	memcpy(&bits, &far, sizeof(bits));
	set_vgpr(fixture, 4, bits);
	RUN(fixture, MIMG(IMAGE_SAMPLE, 1U, 8U, 4U, 8U, 16U));
	assert_true(float_at(vgpr(fixture, 8), 0) == 1.0f);
	fixture->wave.sgprs[18] = 1U << 20;
	assert_int_equal(STEP(fixture, MIMG(IMAGE_SAMPLE, 1U, 8U, 4U, 8U, 16U)),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
}

/* Mixed products of gfx900 are rounded before the sum, where gfx906 has one rounding: of (1 + 2^-12)^2 - (1 + 2^-11) is 0 or 2^-24. */
static void test_mixed_mad(void **state)
{
	const uint32_t sources = (256U + 2) << 18 | (256U + 1) << 9 | (256U + 0);
	struct fixture *fixture = *state;
	const char *const gpus[] = {"gfx900", "gfx906"};

	for (uint32_t fused = 0; fused < 2; fused++) {
		fixture->wave.architecture = gfx_architecture_by_name(gpus[fused]);
		set_vgpr(fixture, 0, float_bits(1 + 0x1p-12f));
		set_vgpr(fixture, 1, float_bits(1 + 0x1p-12f));
		set_vgpr(fixture, 2, float_bits(-1 - 0x1p-11f));
		set_vgpr(fixture, 4, 0x12345678);
		RUN(fixture, 0xd3a00003, sources); /* v_mad_mix_f32 v3, v0, v1, v2 */
		assert_int_equal(vgpr(fixture, 3)[5], float_bits(fused ? 0x1p-24f : 0));
		RUN(fixture, 0xd3a10004, sources); /* v_mad_mixlo_f16 */
		assert_int_equal(vgpr(fixture, 4)[5], 0x12340000 | fused);
		RUN(fixture, 0xd3a20004, sources); /* v_mad_mixhi_f16 */
		assert_int_equal(vgpr(fixture, 4)[5], fused << 16 | fused);
	}
}

/* Matrices of gfx908 have their sums in accumulation registers without a bit that says so. */
static void test_matrix_of_gfx908(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.architecture = gfx_architecture_by_name("gfx908");
	set_vgpr(fixture, 0, float_bits(2));
	set_vgpr(fixture, 1, float_bits(3));
	for (uint32_t i = 0; i < 4 * GFX_MAX_LANES; i++)
		fixture->agprs[i] = float_bits(1);
	/* v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3] */
	RUN(fixture, 0xd3c20000, (256U + 0) << 18 | (256U + 1) << 9 | (256U + 0));
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(fixture->agprs[i * GFX_MAX_LANES + 9], float_bits(7));
	assert_int_equal(vgpr(fixture, 0)[9], float_bits(2));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_private_buffer), TEST(test_swizzled_unaligned),
		TEST(test_records),	   TEST(test_fault),
		TEST(test_scalar_buffer),  TEST(test_mad),
		TEST(test_aliases),	   TEST(test_launch),
		TEST(test_append),	   TEST(test_run),
		TEST(test_typed_buffers),  TEST(test_typed_buffers_of_halves),
		TEST(test_images),	   TEST(test_solid_images),
		TEST(test_srgb),	   TEST(test_sampler),
		TEST(test_mixed_mad),	   TEST(test_matrix_of_gfx908),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
