/* SPDX-License-Identifier: MIT */
/* Loads, stores and atomics in every space; above all that a fault is exact and changes nothing. */
#include "fixture.h"

#define SCRATCH_BASE UINT64_C(0x7f0000300000)

/* v[4:5] = base + lane * stride */
static void set_addresses(struct fixture *fixture, uint64_t base, uint32_t stride)
{
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint64_t address = base + (uint64_t)lane * stride;

		vgpr(fixture, 4)[lane] = (uint32_t)address;
		vgpr(fixture, 5)[lane] = (uint32_t)(address >> 32);
	}
}

static void fill_data(struct fixture *fixture)
{
	for (uint32_t i = 0; i < DATA_SIZE; i++)
		fixture->data[i] = (uint8_t)(i * 7 + i / 256);
}

static void test_global_load(void **state)
{
	struct fixture *fixture = *state;

	fill_data(fixture);
	set_addresses(fixture, DATA_BASE + 16, 4);
	RUN(fixture, GLOBAL(20U, -16, 2U, 4U, 0U, OFF)); /* global_load_dword v2, v[4:5], off */
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		assert_int_equal(vgpr(fixture, 2)[lane], load_data(fixture, lane * 4));
	/* Neighbours are read together. */
	assert_int_equal(fixture->reads, 4);
	RUN(fixture, GLOBAL(23U, 0, 8U, 4U, 0U, OFF)); /* dwordx4, overlapping lanes */
	assert_int_equal(vgpr(fixture, 11)[9], load_data(fixture, 16 + 36 + 12));
	set_addresses(fixture, DATA_BASE, 3); /* unaligned */
	RUN(fixture, GLOBAL(20U, 1, 2U, 4U, 0U, OFF));
	assert_int_equal(vgpr(fixture, 2)[5], load_data(fixture, 16));
}

static void test_global_load_narrow(void **state)
{
	struct fixture *fixture = *state;
	uint32_t *v2 = vgpr(fixture, 2);

	store_data(fixture, 0, 0x8182f3f4);
	set_addresses(fixture, DATA_BASE, 0);
	RUN(fixture, GLOBAL(16U, 0, 2U, 4U, 0U, OFF)); /* ubyte */
	assert_int_equal(v2[1], 0xf4);
	RUN(fixture, GLOBAL(17U, 0, 2U, 4U, 0U, OFF)); /* sbyte */
	assert_int_equal(v2[1], 0xfffffff4);
	RUN(fixture, GLOBAL(19U, 0, 2U, 4U, 0U, OFF)); /* sshort */
	assert_int_equal(v2[1], 0xfffff3f4);
	set_vgpr(fixture, 2, 0x11112222);
	RUN(fixture, GLOBAL(36U, 0, 2U, 4U, 0U, OFF)); /* short_d16 */
	assert_int_equal(v2[1], 0x1111f3f4);
	RUN(fixture, GLOBAL(35U, 0, 2U, 4U, 0U, OFF)); /* sbyte_d16_hi */
	assert_int_equal(v2[1], 0xfff4f3f4);
}

static void test_global_store(void **state)
{
	struct fixture *fixture = *state;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 2)[lane] = lane * 0x01010101;
	set_addresses(fixture, DATA_BASE, 8);
	fixture->wave.exec = ~UINT64_C(2);
	RUN(fixture, GLOBAL(28U, 4, 0U, 4U, 2U, OFF));
	assert_int_equal(load_data(fixture, 4), 0);
	assert_int_equal(load_data(fixture, 12), 0); /* lane 1 is off */
	assert_int_equal(load_data(fixture, 20), 0x02020202);
	RUN(fixture, GLOBAL(24U, 0, 0U, 4U, 2U, OFF)); /* byte */
	assert_int_equal(load_data(fixture, 16), 0x02);
	RUN(fixture, GLOBAL(25U, 1, 0U, 4U, 2U, OFF)); /* byte_d16_hi */
	assert_int_equal(load_data(fixture, 16), 0x0202);
	/* Where lanes meet, the highest stays. */
	set_addresses(fixture, DATA_BASE, 0);
	RUN(fixture, GLOBAL(28U, 0, 0U, 4U, 2U, OFF));
	assert_int_equal(load_data(fixture, 0), 0x3f3f3f3f);
}

static void test_scalar_base(void **state)
{
	struct fixture *fixture = *state;

	store_data(fixture, 40, 0x1234);
	fixture->wave.sgprs[6] = (uint32_t)DATA_BASE;
	fixture->wave.sgprs[7] = (uint32_t)(DATA_BASE >> 32);
	set_vgpr(fixture, 4, 48);
	RUN(fixture, GLOBAL(20U, -8, 2U, 4U, 0U, 6U));
	assert_int_equal(vgpr(fixture, 2)[0], 0x1234);
}

/* Lanes 62 and 63 reach past the end; and lane 5 points nowhere. */
static void test_load_fault(void **state)
{
	struct fixture *fixture = *state;
	uint64_t base = DATA_BASE + DATA_SIZE - 62 * 4;

	set_vgpr(fixture, 2, 0x77);
	set_addresses(fixture, base, 4);
	assert_int_equal(STEP(fixture, GLOBAL(20U, 0, 2U, 4U, 0U, OFF)), GFX_STEP_MEMORY_VIOLATION);
	assert_true(fixture->fault.lanes == UINT64_C(3) << 62);
	assert_true(fixture->fault.address == DATA_BASE + DATA_SIZE);
	assert_false(fixture->fault.write);
	assert_int_equal(fixture->fault.word_count, 2);
	assert_int_equal(fixture->wave.pc, CODE_BASE);
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		assert_int_equal(vgpr(fixture, 2)[lane], 0x77);
	vgpr(fixture, 5)[5] = 0;
	assert_int_equal(STEP(fixture, GLOBAL(20U, 4, 2U, 4U, 0U, OFF)), GFX_STEP_MEMORY_VIOLATION);
	assert_true(fixture->fault.lanes == (UINT64_C(7) << 61 | 1 << 5));
	assert_true(fixture->fault.address == (uint32_t)(base + 20 + 4));
	/* Lanes that are off do not fault. */
	fixture->wave.exec = 0xf;
	RUN(fixture, GLOBAL(20U, 0, 2U, 4U, 0U, OFF));
}

static void expect_store_fault(struct fixture *fixture)
{
	uint8_t before[DATA_SIZE];

	fill_data(fixture);
	memcpy(before, fixture->data, sizeof(before));
	set_addresses(fixture, DATA_BASE, 4);
	vgpr(fixture, 4)[40] = (uint32_t)READ_ONLY_BASE;
	vgpr(fixture, 5)[40] = (uint32_t)(READ_ONLY_BASE >> 32);
	vgpr(fixture, 5)[50] = 1;
	assert_int_equal(STEP(fixture, GLOBAL(28U, 0, 0U, 4U, 2U, OFF)), GFX_STEP_MEMORY_VIOLATION);
	assert_true(fixture->fault.lanes == (UINT64_C(1) << 40 | UINT64_C(1) << 50));
	assert_true(fixture->fault.address == READ_ONLY_BASE);
	assert_true(fixture->fault.write);
	assert_memory_equal(fixture->data, before, sizeof(before));
	assert_int_equal(fixture->wave.pc, CODE_BASE);
}

static void test_store_fault(void **state)
{
	expect_store_fault(*state);
}

static uint32_t probes;

static bool probe(void *opaque, uint64_t address, size_t size, bool write)
{
	uint64_t base = write ? DATA_BASE : READ_ONLY_BASE;

	(void)opaque;
	probes++;
	return (address >= DATA_BASE && address + size <= DATA_BASE + DATA_SIZE) ||
	       (address >= base && address + size <= base + DATA_SIZE);
}

static void test_store_fault_with_probe(void **state)
{
	struct fixture *fixture = *state;

	fixture->memory.probe = probe;
	probes = 0;
	expect_store_fault(fixture);
	assert_true(probes > 0);
	assert_int_equal(fixture->writes, 0);
	assert_int_equal(fixture->reads, 0);
}

static void test_global_atomics(void **state)
{
	struct fixture *fixture = *state;

	set_addresses(fixture, DATA_BASE + 8, 0);
	set_vgpr(fixture, 2, 3);
	RUN(fixture, GLOBAL(66U, 0, 7U, 4U, 2U, OFF)); /* add, nothing returned */
	assert_int_equal(load_data(fixture, 8), 192);
	assert_int_equal(vgpr(fixture, 7)[5], 0);
	store_data(fixture, 8, 0);
	fixture->code[0] = 0;
	{
		const uint32_t words[] = {GLOBAL(66U, 0, 7U, 4U, 2U, OFF)};

		RUN(fixture, words[0] | RETURN_OLD, words[1]);
	}
	assert_int_equal(vgpr(fixture, 7)[0], 0); /* lane by lane, lowest first */
	assert_int_equal(vgpr(fixture, 7)[63], 189);
	set_vgpr(fixture, 2, (uint32_t)-5);
	RUN(fixture, GLOBAL(68U, 0, 7U, 4U, 2U, OFF)); /* smin */
	assert_int_equal(load_data(fixture, 8), (uint32_t)-5);
	RUN(fixture, GLOBAL(75U, 0, 7U, 4U, 2U, OFF)); /* inc: 62 times up, wrap to 0 in between */
	assert_int_equal(load_data(fixture, 8), 63);
	set_vgpr(fixture, 2, 1000);
	set_vgpr(fixture, 3, 63);
	RUN(fixture, GLOBAL(65U, 0, 7U, 4U, 2U, OFF)); /* cmpswap: new v2, compared v3 */
	assert_int_equal(load_data(fixture, 8), 1000);
	set_vgpr64(fixture, 2, UINT64_C(1) << 32);
	RUN(fixture, GLOBAL(98U, 8, 7U, 4U, 2U, OFF)); /* add_x2 */
	assert_int_equal(load_data(fixture, 20), 64);
	set_vgpr(fixture, 2, float_bits(0.5f));
	RUN(fixture, GLOBAL(77U, 16, 7U, 4U, 2U, OFF)); /* add_f32 */
	assert_int_equal(load_data(fixture, 24), float_bits(32));
}

static void test_atomic_faults(void **state)
{
	struct fixture *fixture = *state;

	set_addresses(fixture, DATA_BASE, 4);
	set_vgpr(fixture, 2, 1);
	vgpr(fixture, 4)[9] += 2;
	assert_int_equal(STEP(fixture, GLOBAL(66U, 0, 0U, 4U, 2U, OFF)), GFX_STEP_ADDRESS_ERROR);
	assert_true(fixture->fault.lanes == 1 << 9);
	assert_int_equal(load_data(fixture, 0), 0);
	set_addresses(fixture, DATA_BASE, 4);
	vgpr(fixture, 5)[63] = 5;
	assert_int_equal(STEP(fixture, GLOBAL(66U, 0, 0U, 4U, 2U, OFF)), GFX_STEP_MEMORY_VIOLATION);
	assert_true(fixture->fault.lanes == UINT64_C(1) << 63);
	assert_int_equal(load_data(fixture, 0), 0);
}

static void test_lds(void **state)
{
	struct fixture *fixture = *state;
	uint32_t word;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		vgpr(fixture, 4)[lane] = lane * 8;
		vgpr(fixture, 2)[lane] = lane;
		vgpr(fixture, 3)[lane] = lane + 1000;
	}
	RUN(fixture, DS(77U, 8U, 0U, 4U, 2U, 0U)); /* ds_write_b64 */
	memcpy(&word, fixture->lds + 8 + 5 * 8 + 4, 4);
	assert_int_equal(word, 1005);
	RUN(fixture, DS(55U, 2U | 3U << 8, 8U, 4U, 0U, 0U)); /* ds_read2_b32 offset0:2 offset1:3 */
	assert_int_equal(vgpr(fixture, 8)[5], 5);
	assert_int_equal(vgpr(fixture, 9)[5], 1005);
	set_vgpr(fixture, 4, 0);
	RUN(fixture, DS(15U, 0U | 1U << 8, 0U, 4U, 2U, 3U)); /* ds_write2st64_b32 */
	memcpy(&word, fixture->lds + 256, 4);
	assert_int_equal(word, 1063);
	RUN(fixture, DS(118U, 257U, 8U, 4U, 0U, 0U)); /* unaligned ds_read_b64 */
	memcpy(&word, fixture->lds + 257, 4);
	assert_int_equal(vgpr(fixture, 8)[0], word);
	RUN(fixture, DS(31U, 1U, 0U, 4U, 2U, 0U)); /* ds_write_b16 */
	RUN(fixture, DS(57U, 1U, 8U, 4U, 0U, 0U)); /* ds_read_i8 */
	assert_int_equal(vgpr(fixture, 8)[0], 63);
}

/* Each lane takes what two places have, and leaves something else there; the second one is further away, by 64 elements a step. */
static void test_lds_exchanges_pairs(void **state)
{
	struct fixture *fixture = *state;
	uint64_t *places = (uint64_t *)(void *)fixture->lds;

	set_vgpr(fixture, 4, 0);
	for (uint32_t i = 0; i < LDS_SIZE / 8; i++)
		places[i] = UINT64_C(0x100000000) * (2 * i + 1) + 2 * i;
	fixture->wave.exec = 2;
	set_vgpr(fixture, 2, 50);
	set_vgpr(fixture, 3, 60);
	/* ds_wrxchg2_rtn_b32 v[8:9], v4, v2, v3 offset0:3 offset1:6 */
	RUN(fixture, DS(46U, 3U | 6U << 8, 8U, 4U, 2U, 3U));
	assert_int_equal(vgpr(fixture, 8)[1], 3);
	assert_int_equal(vgpr(fixture, 9)[1], 6);
	assert_true(places[1] == UINT64_C(0x3200000002));
	assert_true(places[3] == UINT64_C(0x70000003c));
	set_vgpr64(fixture, 2, UINT64_C(0x7700000066));
	set_vgpr64(fixture, 6, UINT64_C(0x9900000088));
	/* ds_wrxchg2st64_rtn_b64 v[8:11], v4, v[2:3], v[6:7] offset0:0 offset1:1 */
	RUN(fixture, DS(111U, 0U | 1U << 8, 8U, 4U, 2U, 6U));
	assert_true(get_vgpr64(fixture, 8, 1) == UINT64_C(0x100000000));
	assert_true(get_vgpr64(fixture, 10, 1) == UINT64_C(0x8100000080));
	assert_true(places[0] == UINT64_C(0x7700000066));
	assert_true(places[64] == UINT64_C(0x9900000088));
	/* The same place twice: both see what was there, and the second stays. */
	RUN(fixture, DS(46U, 3U | 3U << 8, 8U, 4U, 2U, 6U));
	assert_int_equal(vgpr(fixture, 8)[1], 50);
	assert_int_equal(vgpr(fixture, 9)[1], 50);
	assert_true(places[1] == UINT64_C(0x8800000002));
	/* Nothing is written where one of them is not there. */
	assert_int_equal(STEP(fixture, DS(111U, 0U | 2U << 8, 8U, 4U, 2U, 6U)),
			 GFX_STEP_ADDRESS_ERROR);
	assert_true(places[0] == UINT64_C(0x7700000066));
}

/* Addresses have 32 bits: an offset brings back what is below zero, in each part of an access. */
static void test_lds_wraps(void **state)
{
	struct fixture *fixture = *state;
	uint32_t words[3];

	set_vgpr(fixture, 4, 0xffffff00);
	set_vgpr(fixture, 2, 11);
	set_vgpr(fixture, 3, 12);
	RUN(fixture, DS(13U, 0x100U, 0U, 4U, 2U, 0U)); /* ds_write_b32 offset:256 */
	RUN(fixture,
	    DS(14U, 65U | 66U << 8, 0U, 4U, 2U, 3U)); /* ds_write2_b32 offset0:65 offset1:66 */
	memcpy(words, fixture->lds, sizeof(words));
	assert_int_equal(words[0], 11);
	assert_int_equal(words[1], 11);
	assert_int_equal(words[2], 12);
	set_vgpr(fixture, 4, 0xfffffffc);
	RUN(fixture, DS(54U, 8U, 8U, 4U, 0U, 0U)); /* ds_read_b32 offset:8 */
	assert_int_equal(vgpr(fixture, 8)[0], 11);
	/* Only the second part is there, and it alone is no whole access. */
	assert_int_equal(STEP(fixture, DS(55U, 0U | 1U << 8, 8U, 4U, 0U, 0U)),
			 GFX_STEP_ADDRESS_ERROR);
	assert_int_equal(STEP(fixture, DS(13U, 0U, 0U, 4U, 2U, 0U)), GFX_STEP_ADDRESS_ERROR);
}

static uint32_t lds_word(const struct fixture *fixture, uint32_t at)
{
	uint32_t word;

	memcpy(&word, fixture->lds + at, sizeof(word));
	return word;
}

/* Words of lanes go side by side to local memory, from m0 on; the offset counts on both sides. No register changes. */
static void test_loads_to_lds(void **state)
{
	struct fixture *fixture = *state;

	fill_data(fixture);
	set_addresses(fixture, DATA_BASE, 8);
	set_vgpr(fixture, 0, 77);
	fixture->wave.m0 = 64;
	fixture->wave.exec = ~UINT64_C(4);
	RUN(fixture,
	    GLOBAL(42U, 16, 0U, 4U, 0U, OFF)); /* global_load_lds_dword v[4:5], off offset:16 */
	assert_int_equal(lds_word(fixture, 76), 0);
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		assert_int_equal(lds_word(fixture, 80 + 4 * lane),
				 lane == 2 ? 0 : load_data(fixture, 16 + 8 * lane));
	assert_int_equal(lds_word(fixture, 80 + 256), 0);
	assert_int_equal(vgpr(fixture, 0)[0], 77);
}

static void test_faults_of_loads_to_lds(void **state)
{
	struct fixture *fixture = *state;

	fill_data(fixture);
	set_addresses(fixture, DATA_BASE, 4);
	fixture->wave.m0 = LDS_SIZE - 4 * 63; /* of all but one */
	assert_int_equal(STEP(fixture, GLOBAL(42U, 0, 0U, 4U, 0U, OFF)), GFX_STEP_ADDRESS_ERROR);
	assert_true(fixture->fault.outside_local);
	assert_true(fixture->fault.write);
	assert_int_equal(fixture->fault.lanes, UINT64_C(1) << 63);
	assert_int_equal(lds_word(fixture, LDS_SIZE - 4), 0);
	/* Hardware loses what is outside. */
	fixture->memory.lenient_local = true;
	RUN(fixture, GLOBAL(42U, 0, 0U, 4U, 0U, OFF));
	assert_int_equal(lds_word(fixture, LDS_SIZE - 4), load_data(fixture, 4 * 62));
	memset(fixture->lds, 0, LDS_SIZE);
	fixture->wave.m0 = 0;
	vgpr(fixture, 5)[3] = 1;
	assert_int_equal(STEP(fixture, GLOBAL(42U, 0, 0U, 4U, 0U, OFF)), GFX_STEP_MEMORY_VIOLATION);
	assert_int_equal(fixture->fault.lanes, 8);
	assert_false(fixture->fault.write);
	assert_int_equal(lds_word(fixture, 0), 0);
}

/* Lanes past the end of a buffer bring zeros. */
static void test_buffer_to_lds(void **state)
{
	struct fixture *fixture = *state;
	uint32_t *resource = fixture->wave.sgprs + 8;

	fill_data(fixture);
	memset(fixture->lds, 0xff, LDS_SIZE);
	resource[0] = (uint32_t)DATA_BASE;
	resource[1] = (uint32_t)(DATA_BASE >> 32);
	resource[2] = 4 * 60;
	resource[3] = 0;
	fixture->wave.sgprs[3] = 0;
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 4)[lane] = 4 * lane;
	fixture->wave.m0 = 8;
	RUN(fixture, 0xe0511008,
	    0x03020004); /* buffer_load_dword v4, s[8:11], s3 offen offset:8 lds */
	assert_int_equal(lds_word(fixture, 12), UINT32_MAX);
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		assert_int_equal(lds_word(fixture, 16 + 4 * lane),
				 lane < 58 ? load_data(fixture, 8 + 4 * lane) : 0);
	/* Nobody says what becomes of the rest of a word of which less is loaded. */
	assert_int_equal(STEP(fixture, 0xe0411008, 0x03020004), GFX_STEP_ILLEGAL_INSTRUCTION);
}

static void test_lds_atomics(void **state)
{
	struct fixture *fixture = *state;
	uint32_t word;

	set_vgpr(fixture, 4, 16);
	set_vgpr(fixture, 2, 2);
	RUN(fixture, DS(0U, 0U, 0U, 4U, 2U, 0U)); /* ds_add_u32 */
	memcpy(&word, fixture->lds + 16, 4);
	assert_int_equal(word, 128);
	RUN(fixture, DS(32U, 0U, 8U, 4U, 2U, 0U)); /* ds_add_rtn_u32 */
	assert_int_equal(vgpr(fixture, 8)[63], 254);
	set_vgpr(fixture, 2, 256);
	set_vgpr(fixture, 3, 7);
	RUN(fixture, DS(48U, 0U, 8U, 4U, 2U, 3U)); /* ds_cmpst_rtn_b32: compared v2, new v3 */
	assert_int_equal(vgpr(fixture, 8)[0], 256);
	assert_int_equal(vgpr(fixture, 8)[1], 7);
	/* The instruction writes the word whose uppermost bit is set, without that bit; the lowest lane comes first. */
	set_vgpr(fixture, 2, 0x80000005);
	set_vgpr(fixture, 3, 6);
	memset(fixture->lds + 16, 0x77, 8);
	RUN(fixture, DS(126U, 0U, 8U, 4U, 2U, 0U)); /* ds_condxchg32_rtn_b64 v[8:9], v4, v[2:3] */
	assert_int_equal(get_vgpr64(fixture, 8, 0), 0x7777777777777777);
	assert_int_equal(get_vgpr64(fixture, 8, 1), 0x7777777700000005);
	set_vgpr(fixture, 4, 18);
	assert_int_equal(STEP(fixture, DS(0U, 0U, 0U, 4U, 2U, 0U)), GFX_STEP_ADDRESS_ERROR);
}

static void test_lds_fault(void **state)
{
	struct fixture *fixture = *state;
	uint8_t before[LDS_SIZE];

	memcpy(before, fixture->lds, sizeof(before));
	set_vgpr(fixture, 2, 1);
	set_vgpr(fixture, 4, 0);
	vgpr(fixture, 4)[3] = LDS_SIZE - 2;
	vgpr(fixture, 4)[7] = 0xfffffff4; /* with the offset still below 2^32: not around to 0 */
	assert_int_equal(STEP(fixture, DS(13U, 8U, 0U, 4U, 2U, 0U)), GFX_STEP_ADDRESS_ERROR);
	assert_true(fixture->fault.lanes == 0x88);
	assert_int_equal(fixture->fault.address, LDS_SIZE + 6);
	assert_true(fixture->fault.write);
	assert_memory_equal(fixture->lds, before, sizeof(before));
	set_vgpr(fixture, 4, LDS_SIZE - 4);
	RUN(fixture, DS(54U, 0U, 8U, 4U, 0U, 0U));
	assert_int_equal(STEP(fixture, DS(54U, 1U, 8U, 4U, 0U, 0U)), GFX_STEP_ADDRESS_ERROR);
	/* The second of a pair counts too. */
	assert_int_equal(STEP(fixture, DS(55U, 0U | 1U << 8, 8U, 4U, 0U, 0U)),
			 GFX_STEP_ADDRESS_ERROR);
}

/*
 * As on hardware: the unit that the workgroup was given is its own. Behind it each part of a lane's access reads 0, or writes
 * nothing, and nothing is said; by a generic address it fails.
 */
static void test_lds_as_hardware(void **state)
{
	struct fixture *fixture = *state;
	uint8_t before[LDS_SIZE];
	const uint32_t size = LDS_SIZE / 2;

	memset(fixture->lds, 0, LDS_SIZE);
	fixture->memory.lenient_local = true;
	fixture->wave.lds_size = size - 64;
	fixture->wave.lds_room = size;
	set_vgpr(fixture, 2, 11);
	set_vgpr(fixture, 3, 12);
	set_vgpr(fixture, 4, size - 4);
	vgpr(fixture, 4)[1] = size - 2;
	vgpr(fixture, 4)[2] = size;
	vgpr(fixture, 4)[3] = 0xfffffff0;
	RUN(fixture, DS(13U, 0U, 0U, 4U, 2U, 0U)); /* ds_write_b32 */
	memcpy(before, fixture->lds, LDS_SIZE);
	set_vgpr(fixture, 8, 99);
	RUN(fixture, DS(54U, 0U, 8U, 4U, 0U, 0U)); /* ds_read_b32 */
	for (uint32_t lane = 0; lane < 5; lane++)
		assert_int_equal(vgpr(fixture, 8)[lane], lane % 4 ? 0 : 11);
	set_vgpr(fixture, 8, 0xffff0055);
	RUN(fixture, DS(86U, 0U, 8U, 4U, 0U, 0U)); /* ds_read_u8_d16 */
	assert_int_equal(vgpr(fixture, 8)[0], 0xffff000b);
	assert_int_equal(vgpr(fixture, 8)[2], 0xffff0000);
	/* A pair: one part is there. */
	RUN(fixture, DS(14U, 0U | 1U << 8, 0U, 4U, 3U, 2U)); /* ds_write2_b32 */
	RUN(fixture, DS(55U, 0U | 1U << 8, 8U, 4U, 0U, 0U)); /* ds_read2_b32 */
	assert_int_equal(vgpr(fixture, 8)[0], 12);
	assert_int_equal(vgpr(fixture, 9)[0], 0);
	assert_int_equal(vgpr(fixture, 8)[2], 0);
	set_vgpr(fixture, 4, size);
	vgpr(fixture, 4)[63] = size - 4;
	RUN(fixture, DS(32U, 0U, 8U, 4U, 2U, 0U)); /* ds_add_rtn_u32 */
	assert_int_equal(vgpr(fixture, 8)[0], 0);
	assert_int_equal(vgpr(fixture, 8)[63], 12);
	fixture->wave.m0 = size;
	RUN(fixture, DS(190U, 0U, 3U, 0U, 0U, 0U)); /* ds_append */
	assert_int_equal(vgpr(fixture, 3)[0], 0);
	for (uint32_t i = 0; i < 4; i++)
		before[size - 4 + i] = i ? 0 : 23;
	assert_memory_equal(fixture->lds, before, LDS_SIZE);
	set_addresses(fixture, LOCAL_BASE + size - 4, 0);
	RUN(fixture, FLAT(20U, 0U, 8U, 4U, 0U)); /* flat_load_dword */
	assert_int_equal(vgpr(fixture, 8)[0], 23);
	set_addresses(fixture, LOCAL_BASE + size, 0);
	assert_int_equal(STEP(fixture, FLAT(20U, 0U, 8U, 4U, 0U)), GFX_STEP_ADDRESS_ERROR);
	assert_int_equal(STEP(fixture, FLAT(28U, 0U, 0U, 4U, 2U)), GFX_STEP_ADDRESS_ERROR);
	/* Where it is to fail, what the unit has more is nobody's. */
	fixture->memory.lenient_local = false;
	set_vgpr(fixture, 4, size - 64);
	assert_int_equal(STEP(fixture, DS(54U, 0U, 8U, 4U, 0U, 0U)), GFX_STEP_ADDRESS_ERROR);
	assert_true(fixture->fault.outside_local);
	fixture->wave.m0 = size - 64;
	assert_int_equal(STEP(fixture, DS(190U, 0U, 3U, 0U, 0U, 0U)), GFX_STEP_ADDRESS_ERROR);
	assert_true(fixture->fault.outside_local);
	set_vgpr(fixture, 4, 2);
	assert_int_equal(STEP(fixture, DS(0U, 0U, 0U, 4U, 2U, 0U)), GFX_STEP_ADDRESS_ERROR);
	assert_false(fixture->fault.outside_local);
}

/* The lanes' words are side by side, from the lower half of m0 and the offset on; lanes that are off keep what they have. */
static void test_addresses_of_lanes(void **state)
{
	static const struct {
		const char *gpu;
		uint32_t store, load; /* v2 at offset 8; v3 from there */
	} cases[] = {{"gfx942", 0xd83a0008, 0xd96c0008},
		     {"gfx1030", 0xdac00008, 0xdac40008},
		     {"gfx1100", 0xdac00008, 0xdac40008},
		     {"gfx1201", 0xdac00008, 0xdac40008}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture *fixture = fixture_become(state, cases[i].gpu, 32);
		uint32_t word;

		for (uint32_t lane = 0; lane < 32; lane++)
			vgpr(fixture, 2)[lane] = 1000 + lane;
		set_vgpr(fixture, 3, 7);
		fixture->wave.m0 = 0xabcd0010;
		RUN(fixture, cases[i].store, 0x00000200);
		memcpy(&word, fixture->lds + 24 + 4 * 31, sizeof(word));
		assert_int_equal(word, 1031);
		fixture->wave.exec = 0xfffffffd;
		fixture->wave.m0 = 0x14;
		RUN(fixture, cases[i].load, 0x03000000);
		assert_int_equal(vgpr(fixture, 3)[0], 1001);
		assert_int_equal(vgpr(fixture, 3)[1], 7);
		assert_int_equal(vgpr(fixture, 3)[30], 1031);
		fixture->wave.m0 = LDS_SIZE;
		assert_int_equal(STEP(fixture, cases[i].load, 0x03000000), GFX_STEP_ADDRESS_ERROR);
		assert_true(fixture->fault.outside_local);
	}
}

/* Waves of a dispatch wait for each other by resources that are counted from m0. The machine does it. */
static void test_global_sync(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.exec = 0xf0;
	set_vgpr(fixture, 4, 11);
	vgpr(fixture, 4)[4] = 7;
	fixture->wave.m0 = 62u << 16 | 0xffff;
	assert_int_equal(STEP(fixture, DS(153U, 1U << 16 | 1U, 0U, 4U, 0U, 0U)),
			 GFX_STEP_GLOBAL_SYNC); /* ds_gws_init v4 offset:1 */
	assert_int_equal(fixture->wave.sync.kind, GFX_SYNC_INIT);
	assert_int_equal(fixture->wave.sync.resource, 63);
	assert_int_equal(fixture->wave.sync.value, 7);
	assert_int_equal(STEP(fixture, DS(157U, 1U << 16 | 3U, 0U, 4U, 0U, 0U)),
			 GFX_STEP_GLOBAL_SYNC); /* ds_gws_barrier v4 offset:3 */
	assert_int_equal(fixture->wave.sync.kind, GFX_SYNC_BARRIER);
	assert_int_equal(fixture->wave.sync.resource, 1);
	/* Without the bit that is of global wave sync there is no such instruction, and of others it makes none. */
	assert_int_equal(STEP(fixture, DS(157U, 0U, 0U, 4U, 0U, 0U)), GFX_STEP_ILLEGAL_INSTRUCTION);
	assert_int_equal(STEP(fixture, DS(54U, 1U << 16, 8U, 4U, 0U, 0U)),
			 GFX_STEP_ILLEGAL_INSTRUCTION);
}

static void test_scratch(void **state)
{
	struct fixture *fixture = *state;
	uint32_t word;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 2)[lane] = 0x1000 + lane;
	fixture->wave.sgprs[32] = 16;
	RUN(fixture,
	    SCRATCH(28U, 4, 0U, OFF, 2U, 32U)); /* scratch_store_dword off, v2, s32 offset:4 */
	memcpy(&word, fixture->scratch + 20 / 4 * 256 + 9 * 4, 4);
	assert_int_equal(word, 0x1009);
	set_vgpr(fixture, 4, 21);
	RUN(fixture, SCRATCH(16U, -1, 8U, 4U, 0U, OFF)); /* ubyte at 20 */
	assert_int_equal(vgpr(fixture, 8)[9], 0x09);
	RUN(fixture, SCRATCH(20U, 0, 8U, 4U, 0U, OFF)); /* unaligned, over two words */
	assert_int_equal(vgpr(fixture, 8)[9], 0x10);
	RUN(fixture, SCRATCH(20U, -17, 8U, 4U, 0U, 32U)); /* v4 + s32 - 17 */
	assert_int_equal(vgpr(fixture, 8)[9], 0x1009);
	set_vgpr(fixture, 4, PRIVATE_SIZE - 2);
	vgpr(fixture, 4)[0] = 0;
	assert_int_equal(STEP(fixture, SCRATCH(20U, 0, 8U, 4U, 0U, OFF)), GFX_STEP_ADDRESS_ERROR);
	assert_true(fixture->fault.lanes == ~UINT64_C(1));
	assert_int_equal(fixture->fault.address, PRIVATE_SIZE - 2);
	assert_int_equal(STEP(fixture, SCRATCH(20U, -4, 8U, OFF, 0U, OFF)), GFX_STEP_ADDRESS_ERROR);
}

static void test_flat(void **state)
{
	struct fixture *fixture = *state;
	uint32_t word;

	set_addresses(fixture, DATA_BASE, 4);
	vgpr(fixture, 4)[1] = 64;
	vgpr(fixture, 5)[1] = (uint32_t)(LOCAL_BASE >> 32);
	vgpr(fixture, 4)[2] = 12;
	vgpr(fixture, 5)[2] = (uint32_t)(PRIVATE_BASE >> 32);
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
		vgpr(fixture, 2)[lane] = 500 + lane;
	RUN(fixture, FLAT(28U, 0U, 0U, 4U, 2U));
	assert_int_equal(load_data(fixture, 0), 500);
	assert_int_equal(load_data(fixture, 4), 0);
	assert_int_equal(load_data(fixture, 12), 503);
	memcpy(&word, fixture->lds + 64, 4);
	assert_int_equal(word, 501);
	memcpy(&word, fixture->scratch + 3 * 256 + 2 * 4, 4);
	assert_int_equal(word, 502);
	RUN(fixture, FLAT(20U, 0U, 8U, 4U, 0U));
	assert_memory_equal(vgpr(fixture, 8), vgpr(fixture, 2), 256);
	vgpr(fixture, 4)[1] = LDS_SIZE;
	assert_int_equal(STEP(fixture, FLAT(20U, 0U, 8U, 4U, 0U)), GFX_STEP_ADDRESS_ERROR);
	assert_true(fixture->fault.lanes == 2);
	assert_true(fixture->fault.address == LOCAL_BASE + LDS_SIZE);
}

struct told {
	uint64_t address[8];
	size_t size[8];
	bool write[8];
	size_t count;
};
static struct told told;

static void note_private(void *opaque, uint64_t address, size_t size, bool write)
{
	(void)opaque;
	assert_in_range(told.count, 0, 7);
	told.address[told.count] = address;
	told.size[told.count] = size;
	told.write[told.count++] = write;
}

static void check_told(size_t index, uint64_t address, size_t size, bool write)
{
	assert_true(told.address[index] == SCRATCH_BASE + address);
	assert_int_equal(told.size[index], size);
	assert_int_equal(told.write[index], write);
}

/* What is watched is told of accesses to private memory, by the places that its words have in scratch. */
static void test_private_is_told(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t add[] = {FLAT(66U, 0U, 0U, 4U, 2U)};

	fixture->memory.note_private = note_private;
	fixture->wave.scratch_base = SCRATCH_BASE;
	fixture->wave.exec = 1 << 2;
	memset(&told, 0, sizeof(told));
	set_vgpr(fixture, 2, 7);
	set_vgpr(fixture, 3, 8);
	RUN(fixture, SCRATCH(29U, 4, 0U, OFF, 2U, OFF)); /* dwordx2 at 4 */
	assert_int_equal(told.count, 2);
	check_told(0, 256 + 8, 4, true);
	check_told(1, 2 * 256 + 8, 4, true);
	/* Unaligned, and through the aperture. */
	set_addresses(fixture, PRIVATE_BASE + 7, 0);
	RUN(fixture, FLAT(20U, 0U, 8U, 4U, 0U));
	assert_int_equal(told.count, 4);
	check_told(2, 256 + 8 + 3, 1, false);
	check_told(3, 2 * 256 + 8, 3, false);
	set_addresses(fixture, PRIVATE_BASE + 8, 0);
	RUN(fixture, add[0], add[1]);
	assert_int_equal(told.count, 6);
	check_told(4, 2 * 256 + 8, 4, false);
	check_told(5, 2 * 256 + 8, 4, true);
	/* Local memory is not told of, nor is an access that fails. */
	set_addresses(fixture, LOCAL_BASE, 0);
	RUN(fixture, FLAT(20U, 0U, 8U, 4U, 0U));
	set_addresses(fixture, PRIVATE_BASE + PRIVATE_SIZE, 0);
	assert_int_equal(STEP(fixture, FLAT(20U, 0U, 8U, 4U, 0U)), GFX_STEP_ADDRESS_ERROR);
	assert_int_equal(STEP(fixture, FLAT(28U, 0U, 0U, 4U, 2U)), GFX_STEP_ADDRESS_ERROR);
	assert_int_equal(told.count, 6);
}

static void test_scalar_loads(void **state)
{
	struct fixture *fixture = *state;
	uint32_t *s = fixture->wave.sgprs;

	fill_data(fixture);
	s[2] = (uint32_t)DATA_BASE + 64;
	s[3] = (uint32_t)(DATA_BASE >> 32);
	RUN(fixture, SMEM(4U, 16U, 2U, -60)); /* s_load_dwordx16 s[16:31] */
	for (uint32_t i = 0; i < 16; i++)
		assert_int_equal(s[16 + i], load_data(fixture, 4 + 4 * i));
	s[5] = 9;
	/* register offset besides the immediate; the low bits of the sum are dropped */
	RUN(fixture, 0xc0024000U | 8U << 6 | 1U, 5U << 25 | 8U);
	assert_int_equal(s[8], load_data(fixture, 80));
	assert_int_equal(STEP(fixture, SMEM(1U, 2U, 2U, DATA_SIZE - 64 - 4)),
			 GFX_STEP_MEMORY_VIOLATION);
	assert_true(fixture->fault.lanes == 0);
	assert_true(fixture->fault.address == DATA_BASE + DATA_SIZE - 4);
	assert_int_equal(s[2], (uint32_t)DATA_BASE + 64);
	RUN(fixture, SMEM(1U, 2U, 2U, 0)); /* over its own base */
	assert_int_equal(s[3], load_data(fixture, 68));
}

static void test_agpr_data(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t load[] = {GLOBAL(20U, 0, 3U, 4U, 0U, OFF)};

	store_data(fixture, 0, 88);
	set_addresses(fixture, DATA_BASE, 0);
	RUN(fixture, load[0], load[1] | 1U << 23);
	assert_int_equal(fixture->agprs[3 * GFX_MAX_LANES + 5], 88);
	assert_int_equal(vgpr(fixture, 3)[5], 0);
}

static void test_crossbar(void **state)
{
	struct fixture *fixture = *state;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		vgpr(fixture, 2)[lane] = 100 + lane;
		vgpr(fixture, 4)[lane] = (lane ^ 1) * 4;
	}
	fixture->wave.exec = ~UINT64_C(4);
	RUN(fixture, DS(63U, 0U, 8U, 4U, 2U, 0U)); /* ds_bpermute_b32 */
	assert_int_equal(vgpr(fixture, 8)[0], 101);
	assert_int_equal(vgpr(fixture, 8)[3], 0);  /* lane 2 is off */
	RUN(fixture, DS(62U, 0U, 8U, 4U, 2U, 0U)); /* ds_permute_b32 */
	assert_int_equal(vgpr(fixture, 8)[1], 100);
	assert_int_equal(vgpr(fixture, 8)[3], 0);
	RUN(fixture, DS(61U, 0x8000U | 0x1bU, 8U, 2U, 0U, 0U)); /* ds_swizzle, quad permutation */
	assert_int_equal(vgpr(fixture, 8)[4], 107);
	RUN(fixture, DS(61U, 0x401fU, 8U, 2U, 0U, 0U)); /* xor 16 */
	assert_int_equal(vgpr(fixture, 8)[33], 149);
}

static void test_nothing_active(void **state)
{
	struct fixture *fixture = *state;

	fixture->wave.exec = 0;
	RUN(fixture, GLOBAL(20U, 0, 2U, 4U, 0U, OFF)); /* null addresses in all lanes */
	RUN(fixture, GLOBAL(28U, 0, 2U, 4U, 0U, OFF));
	assert_int_equal(fixture->reads + fixture->writes, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_global_load),
		TEST(test_global_load_narrow),
		TEST(test_global_store),
		TEST(test_scalar_base),
		TEST(test_load_fault),
		TEST(test_store_fault),
		TEST(test_store_fault_with_probe),
		TEST(test_global_atomics),
		TEST(test_atomic_faults),
		TEST(test_lds),
		TEST(test_lds_exchanges_pairs),
		TEST(test_lds_wraps),
		TEST(test_loads_to_lds),
		TEST(test_faults_of_loads_to_lds),
		TEST(test_buffer_to_lds),
		TEST(test_lds_atomics),
		TEST(test_lds_fault),
		TEST(test_lds_as_hardware),
		TEST(test_addresses_of_lanes),
		TEST(test_global_sync),
		TEST(test_scratch),
		TEST(test_flat),
		TEST(test_private_is_told),
		TEST(test_scalar_loads),
		TEST(test_agpr_data),
		TEST(test_crossbar),
		TEST(test_nothing_active),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
