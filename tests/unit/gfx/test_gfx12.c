/* SPDX-License-Identifier: MIT */
/* The part of gfx1201 that gfx1151 has not: memory instructions of three words, barriers in two parts, extremes that NaNs are one of. Words are those that LLVM makes. */
#include "fixture.h"

#include "gfx/alu/half.h"
#include "gfx/isa/flow.h"
#include "gfx/isa/launch.h"
#include "gfx/isa/uses.h"

#define QUIET 0x7fc00001U
#define SIGNALLING 0x7f800001U

/* Vector register 0 has the number of the lane. */
static struct fixture *prepare(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1201", 32);

	fixture->wave.mode = 0xf0;
	return fixture;
}

static void set_lane64(struct fixture *fixture, uint32_t number, uint32_t lane, uint64_t value)
{
	vgpr(fixture, number)[lane] = (uint32_t)value;
	vgpr(fixture, number + 1)[lane] = (uint32_t)(value >> 32);
}

static void set_pair(struct fixture *fixture, uint32_t number, uint64_t value)
{
	fixture->wave.sgprs[number] = (uint32_t)value;
	fixture->wave.sgprs[number + 1] = (uint32_t)(value >> 32);
}

static void test_scalar_loads(void **state)
{
	struct fixture *fixture = prepare(state);

	set_pair(fixture, 2, DATA_BASE);
	store_data(fixture, 16, 0x80ff7f81);
	store_data(fixture, 20, 20);
	store_data(fixture, 24, 24);
	fixture->wave.sgprs[11] = 1234;
	RUN(fixture, 0xf400a201, 0xf8000010); /* s_load_b96 s[8:10], s[2:3], 0x10 */
	assert_int_equal(fixture->wave.sgprs[8], 0x80ff7f81);
	assert_int_equal(fixture->wave.sgprs[10], 24);
	assert_int_equal(fixture->wave.sgprs[11], 1234);
	RUN(fixture, 0xf4012201, 0xf8000011); /* s_load_u8 s8, s[2:3], 0x11 */
	assert_int_equal(fixture->wave.sgprs[8], 0x7f);
	RUN(fixture, 0xf4010201, 0xf8000013); /* s_load_i8 s8, s[2:3], 0x13 */
	assert_int_equal(fixture->wave.sgprs[8], 0xffffff80);
	RUN(fixture, 0xf4014201, 0xf8000012); /* s_load_i16 s8, s[2:3], 0x12 */
	assert_int_equal(fixture->wave.sgprs[8], 0xffff80ff);
	set_pair(fixture, 2, DATA_BASE + 0x800000 + 20);
	RUN(fixture, 0xf4000201, 0xf8800000); /* s_load_b32 s8, s[2:3], -0x800000 */
	assert_int_equal(fixture->wave.sgprs[8], 20);
	RUN(fixture, 0xf4003f01,
	    0xf8800000); /* s_load_b64 null, s[2:3], -0x800000: exec is no part of it */
	assert_int_equal(fixture->wave.exec, UINT32_MAX);
	/* Bytes behind a buffer of 32 read 0. */
	set_pair(fixture, 4, DATA_BASE);
	fixture->wave.sgprs[6] = 32;
	fixture->wave.sgprs[7] = 0;
	RUN(fixture, 0xf4036202, 0xf8000012); /* s_buffer_load_u16 s8, s[4:7], 0x12 */
	assert_int_equal(fixture->wave.sgprs[8], 0x80ff);
	RUN(fixture, 0xf4036202, 0xf8000020); /* s_buffer_load_u16 s8, s[4:7], 0x20 */
	assert_int_equal(fixture->wave.sgprs[8], 0);
	RUN(fixture, 0xf404c141, 0x0e000064); /* s_prefetch_data s[2:3], 0x64, s7, 5 */
}

static void test_segments(void **state)
{
	struct fixture *fixture = prepare(state);

	store_data(fixture, 0, 77);
	set_vgpr64(fixture, 2, DATA_BASE + 0x800000);
	RUN(fixture, 0xee05007c, 0x00000001,
	    0x80000002); /* global_load_b32 v1, v[2:3], off offset:-8388608 */
	assert_int_equal(vgpr(fixture, 1)[31], 77);
	set_pair(fixture, 2, DATA_BASE);
	for (uint32_t lane = 0; lane < 32; lane++)
		vgpr(fixture, 4)[lane] = 4 * lane;
	store_data(fixture, 8 + 4 * 9, 99);
	RUN(fixture, 0xee050002, 0x00000001,
	    0x00000804); /* global_load_b32 v1, v4, s[2:3] offset:8 */
	assert_int_equal(vgpr(fixture, 1)[9], 99);
	store_data(fixture, 64, 0x11223344);
	set_vgpr64(fixture, 2, DATA_BASE + 64);
	RUN(fixture, 0xec04007c, 0x00000001, 0x00000102); /* flat_load_u8 v1, v[2:3] offset:1 */
	assert_int_equal(vgpr(fixture, 1)[0], 0x33);
	fixture->wave.sgprs[4] = 8;
	set_vgpr(fixture, 5, 8);
	RUN(fixture, 0xed068004, 0x00000000,
	    0x00001000); /* scratch_store_b32 off, v0, s4 offset:16 */
	RUN(fixture, 0xed05007c, 0x00020001,
	    0x00001005); /* scratch_load_b32 v1, v5, off offset:16 */
	assert_int_equal(vgpr(fixture, 1)[21], 21);
	set_vgpr(fixture, 1, 0);
	set_vgpr(fixture, 5, 12);
	RUN(fixture, 0xed050004, 0x00020001, 0x00000405); /* scratch_load_b32 v1, v5, s4 offset:4 */
	assert_int_equal(vgpr(fixture, 1)[21], 21);
	RUN(fixture, 0xee0ac07c, 0x000c0000, 0x00000000); /* global_inv scope:SCOPE_SYS */
}

static void test_atomics(void **state)
{
	struct fixture *fixture = prepare(state);

	fixture->wave.exec = 1;
	set_vgpr64(fixture, 2, DATA_BASE);
	set_vgpr(fixture, 5, 10);
	store_data(fixture, 4, 15);
	/* global_atomic_sub_clamp_u32 v1, v[2:3], v5, off offset:4 th:TH_ATOMIC_RETURN */
	RUN(fixture, 0xee0dc07c, 0x02900001, 0x00000402);
	assert_int_equal(vgpr(fixture, 1)[0], 15);
	assert_int_equal(load_data(fixture, 4), 5);
	RUN(fixture, 0xee14007c, 0x02800000,
	    0x00000402); /* global_atomic_cond_sub_u32 v[2:3], v5, off offset:4 */
	assert_int_equal(load_data(fixture, 4), 5);
	RUN(fixture, 0xee0dc07c, 0x02900001, 0x00000402);
	assert_int_equal(load_data(fixture, 4), 0);
	set_vgpr(fixture, 2, 0);
	memset(fixture->lds, 12, 8);
	RUN(fixture, 0xdaa00004, 0x01000502); /* ds_cond_sub_rtn_u32 v1, v2, v5 offset:4 */
	assert_int_equal(vgpr(fixture, 1)[0], 0x0c0c0c0c);
	RUN(fixture, 0xdaa00004, 0x01000502);
	assert_int_equal(vgpr(fixture, 1)[0], 0x0c0c0c02);
}

/* Matrices of 16 columns in memory, the first one of halves and the second one of bytes, that have the number of their row and column. */
static void test_transposed(void **state)
{
	struct fixture *fixture = prepare(state);
	struct gfx_instruction instruction;
	struct gfx_uses uses;

	for (uint32_t i = 0; i < 256; i++) {
		fixture->data[2 * i] = fixture->data[1024 + i] = (uint8_t)i;
		fixture->data[2 * i + 1] = 0x5a;
	}
	/* A tile of 8 rows and 8 columns for each 8 lanes: those below each other are side by side in lanes. */
	for (uint32_t lane = 0; lane < 32; lane++) {
		uint32_t row = lane % 8 + lane / 16 * 8, column = lane / 8 % 2 * 8;

		set_lane64(fixture, 2, lane, DATA_BASE + 32 * row + 2 * column);
	}
	RUN(fixture, 0xee15c07c, 0x00000004,
	    0x00000002); /* global_load_tr_b128 v[4:7], v[2:3], off */
	for (uint32_t lane = 0; lane < 32; lane++)
		for (uint32_t i = 0; i < 8; i++)
			assert_int_equal(vgpr(fixture, 4 + i / 2)[lane] >> i % 2 * 16 & 0xffff,
					 0x5a00 | ((lane / 16 * 8 + i) * 16 + lane % 16));
	/* Half a row from each lane: the left halves of four rows, the right ones, and so on. */
	for (uint32_t lane = 0; lane < 32; lane++) {
		uint32_t row = lane % 4 + lane / 8 * 4, column = lane / 4 % 2 * 8;

		set_lane64(fixture, 2, lane, DATA_BASE + 1024 + 16 * row + column);
	}
	RUN(fixture, 0xee16007c, 0x00000004,
	    0x00000002); /* global_load_tr_b64 v[4:5], v[2:3], off */
	for (uint32_t lane = 0; lane < 32; lane++)
		for (uint32_t i = 0; i < 8; i++)
			assert_int_equal(vgpr(fixture, 4 + i / 4)[lane] >> i % 4 * 8 & 0xff,
					 (lane / 16 * 8 + i) * 16 + lane % 16);
	/* An address that is not mapped stops the wave before anything is written. */
	set_lane64(fixture, 2, 9, 4096);
	set_vgpr(fixture, 4, 7);
	assert_int_equal(STEP(fixture, 0xee16007c, 0x00000004, 0x00000002),
			 GFX_STEP_MEMORY_VIOLATION);
	assert_int_equal(fixture->fault.lanes, 1U << 9);
	assert_int_equal(vgpr(fixture, 4)[0], 7);
	/* Whoever follows values is told that they are not from the lane's own address. */
	assert_int_equal(
		gfx_decode(gfx_architecture_by_name("gfx1201"), fixture->code, 3, &instruction),
		GFX_DECODE_OK);
	gfx_instruction_uses(&instruction, 32, &uses);
	assert_true(uses.cross_lane);
	/* A destination past the wave's registers is written nowhere. */
	set_lane64(fixture, 2, 9, DATA_BASE);
	fixture->wave.vgpr_count = 5;
	assert_int_equal(STEP(fixture, 0xee16007c, 0x00000004, 0x00000002), GFX_STEP_DONE);
	assert_int_equal(vgpr(fixture, 4)[0], 7);
	fixture->wave.vgpr_count = VGPRS;
	/* Nobody says what lanes bring that are off. */
	fixture->wave.exec = 0xffff;
	assert_int_equal(STEP(fixture, 0xee16007c, 0x00000004, 0x00000002),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
}

static uint32_t two(struct fixture *fixture, const uint32_t words[2], uint32_t a, uint32_t b,
		    uint32_t c)
{
	set_vgpr(fixture, 2, a);
	set_vgpr(fixture, 3, b);
	set_vgpr(fixture, 4, c);
	RUN(fixture, words[0], words[1]);
	return vgpr(fixture, 1)[7];
}

static void test_extremes(void **state)
{
	static const uint32_t minimum[] = {0xd7650001, 0x00020702}, /* v_minimum_f32 v1, v2, v3 */
		maximum[] = {0xd7660001, 0x00020702},
			      least[] = {0xd62d0001,
					 0x04120702},  /* v_minimum3_f32 v1, v2, v3, v4 */
		high_low[] = {0xd66d0001, 0x04120702}, /* v_maximumminimum_f32 */
		low_high[] = {0xd66c0001, 0x04120702}, half[] = {0xd7670001, 0x00020702},
			      pair[] = {0xcc1e4001, 0x18020702}; /* v_pk_maximum_f16 */
	struct fixture *fixture = prepare(state);
	uint32_t one = float_bits(1), two_bits = float_bits(2), three = float_bits(3);

	assert_int_equal(two(fixture, minimum, one, two_bits, 0), one);
	assert_int_equal(two(fixture, minimum, one, QUIET, 0), QUIET);
	assert_int_equal(two(fixture, maximum, SIGNALLING, one, 0), QUIET);
	assert_int_equal(two(fixture, minimum, 0, 0x80000000, 0), 0x80000000);
	assert_int_equal(two(fixture, maximum, 0x80000000, 0, 0), 0);
	assert_int_equal(two(fixture, least, three, one, two_bits), one);
	assert_int_equal(two(fixture, least, three, one, QUIET), QUIET);
	assert_int_equal(two(fixture, high_low, one, three, two_bits), two_bits);
	assert_int_equal(two(fixture, low_high, one, three, two_bits), two_bits);
	assert_int_equal(two(fixture, low_high, QUIET, three, two_bits), QUIET);
	assert_int_equal(two(fixture, half, 0x3c00, 0x7d00, 0) & 0xffff, 0x7f00);
	assert_int_equal(two(fixture, pair, 0x7d003c00, 0x3c004000, 0), 0x7f004000);
	/* The number wins in the other ones, in the absence of a mode that says so, too. */
	set_vgpr(fixture, 2, SIGNALLING);
	set_vgpr(fixture, 3, one);
	RUN(fixture, 0x2a020702); /* v_min_num_f32 v1, v2, v3 */
	assert_int_equal(vgpr(fixture, 1)[0], one);
	RUN(fixture, 0x2c020702); /* v_max_num_f32 v1, v2, v3 */
	assert_int_equal(vgpr(fixture, 1)[0], one);
	RUN(fixture, 0xd5168001, 0x00020502); /* v_max_num_f32 v1, v2, v2 clamp */
	assert_int_equal(vgpr(fixture, 1)[0], 0);
	set_vgpr64(fixture, 2, double_bits(-1));
	set_vgpr64(fixture, 4, UINT64_C(0x7ff8000000000005));
	RUN(fixture, 0xd7410006, 0x00020902); /* v_minimum_f64 v[6:7], v[2:3], v[4:5] */
	assert_int_equal(get_vgpr64(fixture, 6, 3), UINT64_C(0x7ff8000000000005));
	set_vgpr64(fixture, 4, double_bits(5));
	RUN(fixture, 0xd7420006, 0x00020902); /* v_maximum_f64 */
	assert_int_equal(get_vgpr64(fixture, 6, 3), double_bits(5));
	RUN(fixture, 0x040c0902); /* v_add_f64 v[6:7], v[2:3], v[4:5] */
	assert_int_equal(get_vgpr64(fixture, 6, 3), double_bits(4));
}

/* One value, whatever lanes there are. */
static void test_one_value(void **state)
{
	struct fixture *fixture = prepare(state);

	fixture->wave.exec = 0;
	fixture->wave.sgprs[2] = float_bits(4);
	fixture->wave.sgprs[3] = QUIET;
	RUN(fixture, 0xd6840004, 0x00000002); /* v_s_rcp_f32 s4, s2 */
	assert_int_equal(fixture->wave.sgprs[4], float_bits(0.25F));
	RUN(fixture, 0xa7840302); /* s_minimum_f32 s4, s2, s3 */
	assert_int_equal(fixture->wave.sgprs[4], QUIET);
	fixture->wave.sgprs[2] = 0xffff4400;
	RUN(fixture, 0xd6890004, 0x00000002); /* v_s_sqrt_f16 s4, s2 */
	assert_int_equal(fixture->wave.sgprs[4], 0x4000);
	set_pair(fixture, 2, UINT64_C(0xfffffffff));
	set_pair(fixture, 4, 17);
	RUN(fixture, 0xaa880402); /* s_mul_u64 s[8:9], s[2:3], s[4:5] */
	assert_int_equal(fixture->wave.sgprs[8] | (uint64_t)fixture->wave.sgprs[9] << 32,
			 UINT64_C(0xfffffffff) * 17);
}

/* Each lane says itself which one of its row it takes. */
static void test_permutations(void **state)
{
	struct fixture *fixture = prepare(state);

	for (uint32_t lane = 0; lane < 32; lane++)
		vgpr(fixture, 2)[lane] = 48 + 15 - lane % 16;
	RUN(fixture, 0xd70f0001, 0x00020500); /* v_permlane16_var_b32 v1, v0, v2 */
	assert_int_equal(vgpr(fixture, 1)[0], 15);
	assert_int_equal(vgpr(fixture, 1)[20], 16 + 11);
	RUN(fixture, 0xd7100001, 0x00020500); /* v_permlanex16_var_b32 v1, v0, v2 */
	assert_int_equal(vgpr(fixture, 1)[0], 31);
	assert_int_equal(vgpr(fixture, 1)[20], 11);
}

static void test_barriers(void **state)
{
	struct fixture *fixture = prepare(state);

	assert_int_equal(STEP(fixture, 0xbe804ec1), GFX_STEP_GLOBAL_SYNC); /* s_barrier_signal -1 */
	assert_int_equal(fixture->wave.sync.kind, GFX_SYNC_SIGNAL);
	assert_int_equal(fixture->wave.sync.value, 0);
	assert_int_equal(STEP(fixture, 0xbe804fc1), GFX_STEP_GLOBAL_SYNC); /* _isfirst */
	assert_int_equal(fixture->wave.sync.value, 1);
	assert_int_equal(STEP(fixture, 0xbf94ffff), GFX_STEP_GLOBAL_SYNC); /* s_barrier_wait -1 */
	assert_int_equal(fixture->wave.sync.kind, GFX_SYNC_WAIT);
	assert_int_equal(fixture->wave.pc, CODE_BASE + 4);
	/* Barriers with a name, and the trap handlers', are errors that say so. */
	assert_int_equal(STEP(fixture, 0xbe804e83), GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_true(fixture->fault.not_implemented);
	assert_string_equal(fixture->fault.reason, "a barrier that is not the workgroup's");
	assert_int_equal(STEP(fixture, 0xbf94fffe), GFX_STEP_ILLEGAL_INSTRUCTION);
}

/* Bits that execution has in status, mode and trapsts are read from registers of their own. */
static void test_state(void **state)
{
	struct fixture *fixture = prepare(state);
	struct gfx_wave *wave = &fixture->wave, before;

	wave->status = 1U | 1U << 6 | 1U << 13;
	wave->mode = 0xf0 | 5U << 12 | 1U << 11;
	wave->trapsts = 4U | 1U << 8 | 1U << 13 | 1U << 28;
	RUN(fixture, 0xb884f804); /* s_getreg_b32 s4, hwreg(HW_REG_STATE_PRIV) */
	assert_int_equal(wave->sgprs[4], 1U << 9 | 1U << 14);
	RUN(fixture, 0xb884f801); /* HW_REG_MODE */
	assert_int_equal(wave->sgprs[4], 0xf0);
	RUN(fixture, 0xb884f813); /* HW_REG_TRAP_CTRL */
	assert_int_equal(wave->sgprs[4], 5U | 1U << 9);
	RUN(fixture, 0xb980f801, 0x000fffff); /* s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0xfffff */
	RUN(fixture, 0xb9800092, 0x00000000); /* hwreg(HW_REG_EXCP_FLAG_USER, 2, 1), 0 */
	RUN(fixture, 0xb884f812);	      /* HW_REG_EXCP_FLAG_USER */
	assert_int_equal(wave->sgprs[4], 0);
	RUN(fixture, 0xb884f813);
	assert_int_equal(wave->sgprs[4], 5U | 1U << 9);
	before = *wave;
	gfx_wave_part_state(wave);
	assert_int_equal(wave->excp_flag_priv, 1U << 4 | 1U << 2 | 1U << 12);
	assert_int_equal(wave->status & ~(3U << 9), 1U << 6);
	gfx_wave_join_state(wave);
	assert_int_equal(wave->status, before.status);
	assert_int_equal(wave->mode, before.mode);
	assert_int_equal(wave->trapsts, before.trapsts);
	assert_int_equal(wave->state_priv | wave->excp_flag_priv | wave->trap_ctrl, 0);
}

/* The place of the workgroup is in trap temporaries, and nothing of it in scalar registers. */
static void test_launch(void **state)
{
	struct fixture *fixture = prepare(state);
	const struct gfx_kernel_descriptor descriptor = {
		.rsrc1 = 2 | 0xf << 16 | 1 << 21 | 1 << 23,
		.rsrc2 = 4 << 1 | 7 << 7 | 2 << 11,
		.properties = 1 << 1 | 1 << 3 | 1 << 10,
	};
	const struct gfx_launch launch = {
		.code_entry = CODE_BASE,
		.workgroup = {70000, 5, 6},
		.workgroup_size = {64, 1, 1},
		.grid_size = {UINT32_MAX, 6, 7},
		.wave_in_group = 1,
		.packet_index = 9,
		.wave_id = 3,
	};

	gfx_wave_launch(&fixture->wave, &descriptor, &launch);
	assert_int_equal(fixture->wave.ttmps[9], 70000);
	assert_int_equal(fixture->wave.ttmps[7], 5 | 6 << 16);
	assert_int_equal(fixture->wave.ttmps[8], 9U | 1U << 25 | 3U << 30);
	assert_int_equal(fixture->wave.ttmps[10] | fixture->wave.ttmps[11], 0);
	assert_int_equal(fixture->wave.sgprs[4], 0);
	assert_int_equal(fixture->wave.mode, 0xf0);
}

/* Three words, with offsets that have a sign. */
static void test_buffers(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1201", 32);
	uint32_t *resource = fixture->wave.sgprs + 8;

	for (uint32_t i = 0; i < 64; i++)
		store_data(fixture, 4ULL * i, 100 + i);
	resource[0] = (uint32_t)DATA_BASE;
	resource[1] = (uint32_t)(DATA_BASE >> 32) | 8 << 16;
	resource[2] = 16;
	resource[3] = 4 | 5 << 3 | 28 << 12 | 1 << 28; /* BUF_FMT_16_16_SINT */
	fixture->wave.sgprs[4] = 8;
	set_vgpr(fixture, 1, 4);
	/* buffer_load_b64 v[2:3], v[0:1], s[8:11], s4 idxen offen offset:4 */
	RUN(fixture, 0xc4054004, 0xc0801002, 0x00000400);
	assert_int_equal(vgpr(fixture, 2)[5], 100 + 2 * 5 + 4);
	assert_int_equal(vgpr(fixture, 3)[5], 100 + 2 * 5 + 5);
	assert_int_equal(vgpr(fixture, 3)[16], 0);
	/* buffer_load_format_xy v[2:3], v0, s[8:11], null idxen */
	RUN(fixture, 0xc400407c, 0x80801002, 0);
	assert_int_equal(vgpr(fixture, 2)[3], 106);
	assert_int_equal(vgpr(fixture, 3)[3], 0);
	/* tbuffer_load_format_x v2, v0, s[8:11], null format:[BUF_FMT_8_8_8_8_UNORM] idxen */
	RUN(fixture, 0xc420007c, 0x95001002, 0);
	assert_int_equal(vgpr(fixture, 2)[3], gfx_f32_bits(106 / 255.0f));
	/* tbuffer_load_d16_format_xy v2, v0, s[8:11], null format:[BUF_FMT_8_8_UNORM] idxen */
	RUN(fixture, 0xc422407c, 0x87001002, 0);
	assert_int_equal(vgpr(fixture, 2)[3],
			 gfx_half_from_double(106 / 255.0f, GFX_ROUND_NEAREST));
	fixture->wave.exec = 1 << 8;
	set_vgpr(fixture, 2, 0x1234);
	/* buffer_store_b16 v2, v0, s[8:11], null offen offset:-2 */
	RUN(fixture, 0xc406407c, 0x40801002, 0xfffffe00);
	assert_int_equal(load_data(fixture, 4), 101 | 0x1234 << 16);
	/* buffer_atomic_add_u32 v2, v0, s[8:11], s4 offen th:TH_ATOMIC_RETURN */
	RUN(fixture, 0xc40d4004, 0x40901002, 0);
	assert_int_equal(vgpr(fixture, 2)[8], 104);
	assert_int_equal(load_data(fixture, 16), 104 + 0x1234);
	set_vgpr(fixture, 2, 0x3f800000);
	store_data(fixture, 8, 0x3f803f80);
	/* buffer_atomic_pk_add_bf16 v2, v0, s[8:11], null offen */
	RUN(fixture, 0xc416807c, 0x40801002, 0);
	assert_int_equal(load_data(fixture, 8), 0x40003f80);
}

/* Numbers of eight bits are those of the Open Compute Project; a field says which byte. */
static void test_bytes(void **state)
{
	struct fixture *fixture = fixture_become(state, "gfx1201", 32);

	set_vgpr(fixture, 1, 0x3ab87f38);
	RUN(fixture, 0xd5ec1802, 0x00000101); /* v_cvt_f32_fp8 v2, v1 byte_sel:3 */
	assert_int_equal(vgpr(fixture, 2)[9], 0x3fa00000);
	RUN(fixture, 0xd5ef0802, 0x00000101); /* v_cvt_pk_f32_bf8_e64 v[2:3], v1 op_sel:[1,0] */
	assert_int_equal(vgpr(fixture, 2)[9], gfx_f32_bits(-0.5f));
	assert_int_equal(vgpr(fixture, 3)[9], gfx_f32_bits(0.75f));
	set_vgpr(fixture, 2, 0x1234);
	set_vgpr(fixture, 3, gfx_f32_bits(1));
	set_vgpr(fixture, 4, gfx_f32_bits(-1));
	RUN(fixture, 0xd7694002, 0x00020903); /* v_cvt_pk_fp8_f32 v2, v3, v4 op_sel:[0,0,1] */
	assert_int_equal(vgpr(fixture, 2)[9], 0xb8381234);
	RUN(fixture, 0xd76a0002, 0x00020903); /* v_cvt_pk_bf8_f32 v2, v3, v4 */
	assert_int_equal(vgpr(fixture, 2)[9], 0xb838bc3c);
	set_vgpr(fixture, 4, 0xffffffff);
	RUN(fixture, 0xd76b4002, 0x00020903); /* v_cvt_sr_fp8_f32 v2, v3, v4 byte_sel:2 */
	assert_int_equal(vgpr(fixture, 2)[9], 0xb838bc3c);
	RUN(fixture, 0xd76c6002, 0x00020903); /* v_cvt_sr_bf8_f32 v2, v3, v4 byte_sel:3 */
	assert_int_equal(vgpr(fixture, 2)[9], 0x3c38bc3c);
	set_vgpr(fixture, 3, 0x38b83840); /* 1, -1, 1, 2 */
	set_vgpr(fixture, 4, 0x3c3c3c40); /* 1, 1, 1, 2 */
	set_vgpr(fixture, 5, gfx_f32_bits(0.5f));
	RUN(fixture, 0xcc244002, 0x1c160903); /* v_dot4_f32_fp8_bf8 v2, v3, v4, v5 */
	assert_int_equal(vgpr(fixture, 2)[9], gfx_f32_bits(5.5f));
}

/* A product of 64 bits is one for whoever follows values, too: its factors are no parts of an address any more. */
static void test_flow_of_product(void **state)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name("gfx1201");
	const uint32_t word = 0xaa840806; /* s_mul_u64 s[4:5], s[6:7], s[8:9] */
	struct gfx_instruction instruction;

	(void)state;
	assert_int_equal(gfx_decode(architecture, &word, 1, &instruction), GFX_DECODE_OK);
	assert_int_equal(gfx_operation_flow(instruction.operation), GFX_FLOW_PRODUCT);
}

/* A conversion of a byte chooses lanes, one of two bytes does not. */
static void test_lanes_of_bytes(void **state)
{
	static const struct {
		uint32_t words[3];
		bool known;
	} cases[] = {
		{{0x7ee8d8e9, 0x08001002, 0}, true},	      /* v_cvt_f32_fp8_dpp, dpp8 */
		{{0x7ee8deea, 0x08001002, 0}, false},	      /* v_cvt_pk_f32_bf8_dpp */
		{{0x7ee8dcfa, 0xff001b02, 0}, false},	      /* v_cvt_pk_f32_fp8_dpp, quad_perm */
		{{0xd5ec487c, 0x000000e9, 0x31eb9cd8}, true}, /* v_cvt_f32_fp8_e64_dpp byte_sel:2 */
		{{0xd5ec487c, 0x00000101, 0}, false},	      /* a bit that chooses nothing */
		{{0xd5ee087c, 0x000000e9, 0x31eb9cd8}, false}, /* v_cvt_pk_f32_fp8_e64_dpp */
		{{0xd76c0a0e, 0x000006ea, 0x03a05646}, true},  /* v_cvt_sr_bf8_f32_e64_dpp */
		/* The destination has no sign, with lanes that are chosen and without. */
		{{0xd76c0e0e, 0x000006ea, 0x03a05646}, false},
		{{0xd76c000e, 0x800006ea, 0x03a05646}, false},
		{{0xd76c000e, 0x80020646, 0}, false},
	};
	const struct gfx_architecture *architecture = gfx_architecture_by_name("gfx1200");
	struct gfx_instruction instruction;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(gfx_decode(architecture, cases[i].words, 3, &instruction) ==
					 GFX_DECODE_OK,
				 cases[i].known);
}

/* Encodings of which nothing is implemented, and what the tables below have that gfx12 has not. */
static void test_unknown(void **state)
{
	static const struct {
		uint32_t words[3], count;
		enum gfx_encoding encoding;
	} cases[] = {
		/* image_sample, export */
		{{0xe7c6c001, 0x04000000, 0x00000504}, 3, GFX_MIMG},
		{{0xf800000f, 0x03020100, 0}, 2, GFX_EXP},
		{{0xbfbd0000, 0, 0}, 1, GFX_SOPP},	    /* s_barrier */
		{{0xb1848001, 0, 0}, 1, GFX_SOPK},	    /* s_cmpk_eq_i32 */
		{{0xd5390001, 0, 0}, 2, GFX_VOP3E},	    /* v_max_f16 */
		{{0xdc520000, 0x017c0002, 0}, 2, GFX_FLAT}, /* global_load_b32 */
	};
	const struct gfx_architecture *architecture = gfx_architecture_by_name("gfx1201");
	struct gfx_instruction instruction;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(gfx_decode(architecture, cases[i].words, 3, &instruction),
				 GFX_DECODE_UNKNOWN_OPERATION);
		assert_int_equal(instruction.word_count, cases[i].count);
		assert_int_equal(instruction.encoding, cases[i].encoding);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_scalar_loads, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_segments, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_atomics, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_transposed, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_extremes, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_one_value, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_permutations, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_barriers, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_state, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_buffers, fixture_setup, fixture_teardown),
		cmocka_unit_test(test_flow_of_product),
		cmocka_unit_test_setup_teardown(test_bytes, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_launch, fixture_setup, fixture_teardown),
		cmocka_unit_test(test_lanes_of_bytes),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
