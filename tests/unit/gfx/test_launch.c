/* SPDX-License-Identifier: MIT */
/* Kernel descriptors and the first state of a wave. */
#include "fixture.h"
#include "gfx/isa/launch.h"

/* A descriptor's fields, put into bytes. */
struct fields {
	uint32_t rsrc1, rsrc2, rsrc3;
	uint16_t properties, preload;
	int64_t entry;
};

static void put32(uint8_t *bytes, uint32_t value)
{
	for (uint32_t i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static void make_bytes(const struct fields *fields, uint8_t bytes[64])
{
	memset(bytes, 0, 64);
	put32(bytes, 512);
	put32(bytes + 4, 48);
	put32(bytes + 8, 280);
	put32(bytes + 16, (uint32_t)fields->entry);
	put32(bytes + 20, (uint32_t)((uint64_t)fields->entry >> 32));
	put32(bytes + 44, fields->rsrc3);
	put32(bytes + 48, fields->rsrc1);
	put32(bytes + 52, fields->rsrc2);
	put32(bytes + 56, fields->properties | (uint32_t)fields->preload << 16);
}

/* 24 VGPRs and 8 AGPRs behind 16, 32 SGPRs; dispatch and kernarg pointers, ids x and z, three
 * items. */
static const struct fields usual = {
	.rsrc1 = 2 | 2 << 6 | 0xf << 16 | 1 << 21 | 1 << 23,
	.rsrc2 = 4 << 1 | 1 << 7 | 1 << 9 | 2 << 11,
	.rsrc3 = 3,
	.properties = 1 << 1 | 1 << 3,
	.entry = 0x1000,
};

static const char *parse(const struct fields *fields, struct gfx_kernel_descriptor *descriptor)
{
	uint8_t bytes[64];

	make_bytes(fields, bytes);
	return gfx_kernel_descriptor_parse(gfx_architecture_by_name("gfx942"), bytes, descriptor);
}

static void test_parse(void **state)
{
	struct gfx_kernel_descriptor descriptor;
	struct gfx_wave_resources resources;

	(void)state;
	assert_null(parse(&usual, &descriptor));
	assert_int_equal(descriptor.group_segment_size, 512);
	assert_int_equal(descriptor.private_segment_size, 48);
	assert_int_equal(descriptor.kernarg_size, 280);
	assert_int_equal(descriptor.entry_offset, 0x1000);
	gfx_kernel_descriptor_resources(gfx_architecture_by_name("gfx942"), &descriptor,
					&resources);
	assert_int_equal(resources.lane_count, 64);
	assert_int_equal(resources.vgpr_count, 16);
	assert_int_equal(resources.agpr_count, 8);
	assert_int_equal(resources.sgpr_count, 26); /* 32 less vcc and its neighbours */
}

/* Before gfx90a vector registers are given by fours, and accumulation registers are others, as many where there are some. */
static void test_parse_older(void **state)
{
	static const struct {
		const char *name;
		uint32_t accumulations;
	} older[] = {{"gfx900", 0}, {"gfx906", 0}, {"gfx908", 12}};
	struct gfx_kernel_descriptor descriptor;
	struct gfx_wave_resources resources;
	uint8_t bytes[64];

	(void)state;
	make_bytes(&usual, bytes);
	for (size_t i = 0; i < sizeof(older) / sizeof(older[0]); i++) {
		const struct gfx_architecture *architecture =
			gfx_architecture_by_name(older[i].name);

		assert_null(gfx_kernel_descriptor_parse(architecture, bytes, &descriptor));
		gfx_kernel_descriptor_resources(architecture, &descriptor, &resources);
		assert_int_equal(resources.vgpr_count, 12);
		assert_int_equal(resources.agpr_count, older[i].accumulations);
	}
}

static void test_parse_wrong(void **state)
{
	struct gfx_kernel_descriptor descriptor;
	struct fields fields;
	uint8_t bytes[64];

	(void)state;
	fields = usual;
	fields.properties |= 1 << 10;
	assert_non_null(parse(&fields, &descriptor)); /* wave32 */
	fields = usual;
	fields.properties |= 1 << 7;
	assert_non_null(parse(&fields, &descriptor)); /* reserved */
	fields = usual;
	fields.rsrc2 = 3 << 1;
	assert_non_null(parse(&fields, &descriptor)); /* four user SGPRs named, three counted */
	fields = usual;
	fields.entry = 0x1001;
	assert_non_null(parse(&fields, &descriptor));
	make_bytes(&usual, bytes);
	bytes[30] = 1;
	assert_non_null(gfx_kernel_descriptor_parse(gfx_architecture_by_name("gfx942"), bytes,
						    &descriptor));
	bytes[30] = 0;
	assert_non_null(gfx_kernel_descriptor_parse(gfx_architecture_by_name("gfx1250"), bytes,
						    &descriptor));
}

static const struct gfx_launch two_dimensions = {
	.code_entry = CODE_BASE,
	.kernarg_address = UINT64_C(0x1111222233334444),
	.dispatch_packet_address = UINT64_C(0x5555666677778888),
	.scratch_base = UINT64_C(0x9999aaaabbbbcccc),
	.workgroup = {1, 2, 3},
	.workgroup_size = {20, 6, 1},
	.grid_size = {40, 18, 4},
	.wave_in_group = 1,
	.packet_index = 9,
	.wave_id = UINT64_C(0x700000005),
};

static void test_registers(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;
	struct gfx_kernel_descriptor descriptor;

	assert_null(parse(&usual, &descriptor));
	set_vgpr(fixture, 7, 5);
	wave->sgprs[20] = 4;
	gfx_wave_launch(wave, &descriptor, &two_dimensions);
	assert_int_equal(wave->pc, CODE_BASE);
	assert_int_equal(wave->sgprs[0], 0x77778888);
	assert_int_equal(wave->sgprs[1], 0x55556666);
	assert_int_equal(wave->sgprs[2], 0x33334444);
	assert_int_equal(wave->sgprs[3], 0x11112222);
	assert_int_equal(wave->sgprs[4], 1); /* workgroup x */
	assert_int_equal(wave->sgprs[5], 3); /* and z: y is not asked for */
	assert_int_equal(wave->sgprs[6], 0);
	assert_int_equal(wave->sgprs[20], 0);
	assert_int_equal(vgpr(fixture, 7)[0], 0);
	assert_true(wave->flat_scratch == two_dimensions.scratch_base);
	assert_int_equal(wave->mode, 0x3f0);
	assert_int_equal(wave->ttmps[4], 5);
	assert_int_equal(wave->ttmps[5], 7);
	assert_int_equal(wave->ttmps[8], 1);
	assert_int_equal(wave->ttmps[9], 2);
	assert_int_equal(wave->ttmps[10], 3);
	assert_int_equal(wave->ttmps[11], 0x80000000U | 9 << 6 | 1);
}

/* A program that uses neither flat_scratch nor xnack_mask has the registers that they lie in, from its first word on. */
static void test_registers_behind_its_own(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_wave *wave = &fixture->wave;
	struct gfx_kernel_descriptor descriptor;

	assert_null(parse(&usual, &descriptor));
	wave->sgpr_count = 4;
	gfx_wave_launch(wave, &descriptor, &two_dimensions);
	assert_int_equal(wave->sgprs[3], 0x11112222);
	assert_true(wave->flat_scratch == (1 | UINT64_C(3) << 32)); /* workgroup x and z */
}

static void test_work_items(void **state)
{
	struct fixture *fixture = *state;
	struct gfx_launch launch = two_dimensions;
	struct gfx_kernel_descriptor descriptor;

	assert_null(parse(&usual, &descriptor));
	gfx_wave_launch(&fixture->wave, &descriptor, &launch);
	/* 120 items: the second wave has 56, from item 64 on: x 4, y 3 */
	assert_true(fixture->wave.exec == (UINT64_C(1) << 56) - 1);
	assert_int_equal(vgpr(fixture, 0)[0], 4 | 3 << 10);
	assert_int_equal(vgpr(fixture, 0)[55], 19 | 5 << 10);
	/* A workgroup cut by the grid is smaller, and its items follow each other. */
	launch.wave_in_group = 0;
	launch.grid_size[0] = 25;
	gfx_wave_launch(&fixture->wave, &descriptor, &launch);
	assert_true(fixture->wave.exec == (UINT64_C(1) << 30) - 1);
	assert_int_equal(vgpr(fixture, 0)[7], 2 | 1 << 10);
	/* Only x asked for: no bits of y. */
	descriptor.rsrc2 &= ~(3U << 11);
	gfx_wave_launch(&fixture->wave, &descriptor, &launch);
	assert_int_equal(vgpr(fixture, 0)[7], 2);
	/* Before gfx90a each has its register. */
	descriptor.rsrc2 |= 2U << 11;
	fixture->wave.architecture = gfx_architecture_by_name("gfx900");
	gfx_wave_launch(&fixture->wave, &descriptor, &launch);
	assert_int_equal(vgpr(fixture, 0)[7], 2);
	assert_int_equal(vgpr(fixture, 1)[7], 1);
	launch.wave_in_group = 1;
	gfx_wave_launch(&fixture->wave, &descriptor, &launch);
	assert_true(fixture->wave.exec == 0);
	assert_true(fixture->wave.status & 1U << 9);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_parse),      TEST(test_parse_wrong),
		TEST(test_registers),  TEST(test_registers_behind_its_own),
		TEST(test_work_items), TEST(test_parse_older),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
