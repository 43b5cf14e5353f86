/* SPDX-License-Identifier: MIT */
/* gfx_translate: instructions of gfx10 to gfx12 as those of gfx9, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gfx/isa/translate.h"

#define V(number) (GFX_CODE_VGPR0 + (number))
#define LITERAL GFX_CODE_LITERAL
#define LOST (GFX_CODE_TTMP0 + 14)

static bool translate(const char *architecture, uint32_t lanes, const char *text,
		      struct gfx_translation *translation)
{
	return gfx_translate(gfx_architecture_by_name(architecture), lanes, text, 0xbf820007, 8,
			     translation);
}

static struct gfx_translated one(const char *architecture, uint32_t lanes, const char *text)
{
	struct gfx_translation translation = {.count = 0};

	if (!translate(architecture, lanes, text, &translation))
		fail_msg("%s: not translated: %s", architecture, text);
	assert_int_equal(translation.count, 1);
	assert_int_equal(translation.parts[0].instruction.word_count, 2);
	return translation.parts[0];
}

/* ---- Operands ---- */

static const struct {
	const char *architecture, *text, *name;
	uint16_t dst, sdst, src[3];
	uint32_t literal;
} operations[] = {
	{"gfx1100", "v_add_nc_u32_e32 v0, s3, v2", "v_add_u32", 0, 0, {3, V(2)}, 0},
	{"gfx1201", "v_sub_nc_u32_e64 v4, v4, v8", "v_sub_u32", 4, 0, {V(4), V(8)}, 0},
	{"gfx1100", "v_mov_b32_e32 v1, -16", "v_mov_b32", 1, 0, {208}, 0xfffffff0},
	{"gfx1100", "v_mov_b32_e32 v1, 64", "v_mov_b32", 1, 0, {192}, 64},
	{"gfx1100", "v_mov_b32_e32 v1, 0x41", "v_mov_b32", 1, 0, {LITERAL}, 0x41},
	{"gfx1100", "v_mov_b32_e32 v1, -4.0", "v_mov_b32", 1, 0, {247}, 0},
	{"gfx1100", "v_mov_b32_e32 v1, ttmp9", "v_mov_b32", 1, 0, {117}, 0},
	{"gfx1100",
	 "v_add_co_ci_u32_e64 v1, s0, s2, v1, s3",
	 "v_addc_co_u32",
	 1,
	 0,
	 {2, V(1), 3},
	 0},
	{"gfx1100",
	 "v_add_co_ci_u32_e32 v1, vcc_lo, s3, v4, vcc_lo",
	 "v_addc_co_u32",
	 1,
	 GFX_CODE_VCC,
	 {3, V(4), GFX_CODE_VCC},
	 0},
	{"gfx1100", "v_cndmask_b32_e64 v1, 0, s3, vcc_lo", "v_cndmask_b32", 1, 0, {128, 3, 106}, 0},
	{"gfx1100", "v_cmpx_gt_u32_e64 s3, v1", "v_cmpx_gt_u32", 0, GFX_CODE_EXEC, {3, V(1)}, 0},
	{"gfx1100",
	 "v_cmp_lt_u16_e32 vcc_lo, 0x5555, v1",
	 "v_cmp_lt_u16",
	 0,
	 106,
	 {LITERAL, V(1)},
	 0x5555},
	{"gfx1201",
	 "v_mad_co_u64_u32 v[1:2], null, v0, s3, 0x96af9a3d",
	 "v_mad_u64_u32",
	 1,
	 LOST,
	 {V(0), 3, LITERAL},
	 0x96af9a3d},
	{"gfx1100", "v_fmac_f32_e32 v3, v1, v2", "v_fmac_f32", 3, 0, {V(1), V(2), V(3)}, 0},
	{"gfx1100", "v_readlane_b32 s0, v7, 3", "v_readlane_b32", 0, 0, {V(7), 131}, 3},
	{"gfx1100", "s_and_not1_b32 exec_lo, exec_lo, s0", "s_andn2_b32", 126, 0, {126, 0}, 0},
	{"gfx1201", "s_add_co_i32 s1, s33, 24", "s_add_i32", 1, 0, {33, 152}, 24},
	{"gfx1201", "s_add_nc_u64 s[4:5], s[2:3], 16", "s_add_nc_u64", 4, 0, {2, 144}, 16},
	{"gfx1100", "s_mov_b64 s[2:3], src_private_base", "s_mov_b64", 2, 0, {237}, 0},
	{"gfx1030", "s_and_saveexec_b32 s2, vcc_lo", "s_and_saveexec_b32", 2, 0, {106}, 0},
	{"gfx1100", "s_mov_b32 null, m0", "s_mov_b32", LOST, 0, {GFX_CODE_M0}, 0},
};

static void test_operands(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		struct gfx_translated found =
			one(operations[i].architecture, 32, operations[i].text);

		assert_string_equal(found.instruction.operation->name, operations[i].name);
		assert_int_equal(found.instruction.dst, operations[i].dst);
		assert_int_equal(found.instruction.sdst, operations[i].sdst);
		for (uint32_t j = 0; j < 3; j++)
			assert_int_equal(found.instruction.src[j], operations[i].src[j]);
		if (operations[i].src[0] == LITERAL || operations[i].src[2] == LITERAL)
			assert_int_equal(found.instruction.literal, operations[i].literal);
	}
}

static const struct {
	const char *architecture, *text, *name;
	uint32_t address, data, dst, scalar;
	int32_t offset;
} accesses[] = {
	{"gfx1100", "global_load_b32 v2, v[3:4], off offset:-4", "global_load_dword", 3, 0, 2, 127,
	 -4},
	{"gfx1201", "global_store_b64 v1, v[2:3], s[4:5] th:TH_STORE_NT scope:SCOPE_SYS",
	 "global_store_dwordx2", 1, 2, 0, 4, 0},
	{"gfx1030", "global_store_dwordx2 v[0:1], v[2:3], off", "global_store_dwordx2", 0, 2, 0,
	 127, 0},
	{"gfx1100", "flat_load_b64 v[0:1], v[2:3] glc dlc", "flat_load_dwordx2", 2, 0, 0, 127, 0},
	{"gfx1100", "scratch_store_b32 off, v0, s33 offset:40", "scratch_store_dword", 0, 0, 0, 33,
	 40},
	{"gfx1100", "scratch_load_b32 v4, v1, off", "scratch_load_dword", 1, 0, 4, 127, 0},
	{"gfx1100", "ds_store_b32 v2, v5 offset:16", "ds_write_b32", 2, 5, 0, 0, 16},
	{"gfx1201", "ds_load_u16 v2, v3", "ds_read_u16", 3, 0, 2, 0, 0},
	{"gfx1100", "s_load_b64 s[8:9], s[2:3], null", "s_load_dwordx2", 2, 0, 8, 127, 0},
	{"gfx1201", "s_load_b96 s[4:6], s[0:1], -0x8", "s_load_b96", 0, 0, 4, 127, -8},
	{"gfx1201", "s_load_u16 s4, s[4:5], s7 offset:0x12", "s_load_u16", 4, 0, 4, 7, 0x12},
	{"gfx1030", "buffer_store_dword v0, off, s[0:3], s33 offset:12", "buffer_store_dword", 0, 0,
	 0, 33, 12},
};

static void test_accesses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++) {
		struct gfx_instruction found =
			one(accesses[i].architecture, 32, accesses[i].text).instruction;

		assert_string_equal(found.operation->name, accesses[i].name);
		assert_int_equal(found.address, accesses[i].address);
		assert_int_equal(found.data[0], accesses[i].data);
		assert_int_equal(found.dst, accesses[i].dst);
		assert_int_equal(found.scalar_address, accesses[i].scalar);
		assert_int_equal(found.offset, accesses[i].offset);
	}
}

static void test_pair_of_offsets(void **state)
{
	struct gfx_instruction found =
		one("gfx1100", 32, "ds_store_2addr_stride64_b32 v1, v2, v3 offset0:1 offset1:2")
			.instruction;

	(void)state;
	assert_int_equal(found.pair_offset[0], 256);
	assert_int_equal(found.pair_offset[1], 512);
	assert_int_equal(found.data[1], 3);
}

static void test_branches(void **state)
{
	(void)state;
	/* The distance is in the word, whatever the text says. */
	assert_int_equal(one("gfx1100", 32, "s_cbranch_execz 13").instruction.offset, 7);
	assert_string_equal(
		one("gfx1201", 32, "s_wait_loadcnt_dscnt 0x0").instruction.operation->name,
		"s_nop");
	assert_string_equal(one("gfx1201", 32, "s_barrier_wait 0xffff").instruction.operation->name,
			    "s_barrier");
}

/* ---- What depends on the wave ---- */

static void test_masks(void **state)
{
	const char *text = "v_cmp_gt_u32_e32 vcc_lo, s2, v0";
	struct gfx_translated narrow = one("gfx1100", 32, text), wide = one("gfx1100", 64, text);

	(void)state;
	assert_int_equal(narrow.uses.writes[0].words, 1);
	assert_int_equal(wide.uses.writes[0].words, 2);
	assert_int_equal(one("gfx1100", 32, "s_cbranch_vccz 5").uses.reads[0].words, 1);
	assert_int_equal(one("gfx1100", 64, "v_cmp_gt_u32_e64 s[4:5], s2, v0").instruction.sdst, 4);
}

/* The part of the first register that is read. */
static uint8_t part_read(const char *text)
{
	return one("gfx1100", 32, text).uses.reads[0].part;
}

static void test_halves(void **state)
{
	struct gfx_translated found = one("gfx1100", 32, "v_mul_lo_u16 v1, 0xcccd, v0");

	(void)state;
	assert_true(found.keeps_high);
	assert_int_equal(found.uses.reads[0].part, GFX_PART_LOWER);
	assert_int_equal(found.uses.writes[0].part, GFX_PART_LOWER);
	assert_true(found.uses.reads[1].kept);
	assert_int_equal(found.uses.reads[1].part, GFX_PART_UPPER);
	assert_int_equal(part_read("v_and_b32_e32 v1, 0xffff, v0"), GFX_PART_LOWER);
	assert_int_equal(part_read("v_and_b32_e32 v1, 0x1ffff, v0"), GFX_PART_WHOLE);
	assert_int_equal(part_read("v_and_b32_e32 v1, -1, v0"), GFX_PART_WHOLE);
	assert_false(one("gfx1100", 32, "v_add_nc_u32_e32 v0, s3, v2").keeps_high);
	/* The upper half of a source is not what the operation of gfx9 reads. */
	assert_true(one("gfx1100", 32, "v_add_nc_u16 v0.l, v1.h, v2.l").uses.volatile_result);
}

static void test_unknown_results(void **state)
{
	static const char *const texts[] = {
		"s_cvt_f32_u32 s2, s0",
		"s_sendmsg_rtn_b64 s[2:3], sendmsg(MSG_RTN_GET_REALTIME)",
		"v_permlane16_b32 v1, v2, s3, s4",
		"v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf",
		"v_add_f16_e64 v1, v2, v3 op_sel:[1,0,0]",
		"ds_bpermute_b32 v1, v2, v3",
		"s_and_b64 s[0:1], s[2:3], 0xfffffff0",
		"v_add_f64 v[0:1], v[2:3], 0x40590000",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct gfx_translated found = one("gfx1201", 32, texts[i]);

		assert_true(found.uses.volatile_result);
		assert_int_equal(found.uses.write_count, 1);
	}
	assert_int_equal(one("gfx1201", 32, texts[1]).uses.writes[0].words, 2);
	assert_int_equal(one("gfx1201", 32, texts[2]).uses.writes[0].file, GFX_FILE_VECTOR);
}

/* ---- Pairs ---- */

static void test_pairs(void **state)
{
	struct gfx_translation found;

	(void)state;
	assert_true(translate("gfx1100", 32, "v_dual_mov_b32 v3, 0 :: v_dual_add_nc_u32 v2, -1, v1",
			      &found));
	assert_int_equal(found.count, 2);
	assert_string_equal(found.parts[0].instruction.operation->name, "v_mov_b32");
	assert_string_equal(found.parts[1].instruction.operation->name, "v_add_u32");
	/* They exchange values. */
	assert_true(
		translate("gfx1100", 32, "v_dual_mov_b32 v1, v0 :: v_dual_mov_b32 v0, v1", &found));
	assert_int_equal(found.parts[0].instruction.src[0], GFX_CODE_VGPR0);
	assert_int_equal(found.parts[1].instruction.src[0], GFX_CODE_VGPR0 + 1);
	assert_true(translate("gfx1100", 32,
			      "v_dual_cndmask_b32 v2, v2, v5 :: v_dual_cndmask_b32 v3, v3, v4",
			      &found));
	assert_int_equal(found.parts[1].instruction.src[2], GFX_CODE_VCC);
}

/* ---- What is refused ---- */

static void test_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]",
		"image_sample v[0:3], v[0:1], s[0:7], s[8:11] dmask:0xf",
		"buffer_load_b32 v0, off, s[0:3], 0",
		"s_buffer_load_b32 s0, s[0:3], 0x0",
		"s_movrels_b32 s0, s1",
		"s_or_not1_saveexec_b32 s0, s1",
		/* Operands that are too few, too many, too wide, or not understood. */
		"v_add_nc_u32_e32 v0, s3",
		"v_add_nc_u32_e32 v0, s3, v2, v3",
		"v_add_nc_u32_e32 v0, s[2:3], v2",
		"v_add_nc_u32_e32 s0, s3, v2",
		"v_add_nc_u32_e32 v0, s3, v256",
		"v_add_nc_u32_e32 v0, s3, v2 whatever:1",
		"v_add_nc_u32_e32 v0, s3, 12x",
		"v_add_nc_u32_e32 v0, s3, 0x100000000",
		"s_mov_b32 s106, 0",
		"s_mov_b32 s[0:1, 0",
		"s_mov_b64 s0, 0",
		"s_mov_b32 0, s1",
		"global_load_b32 v0, v1, off",
		"global_load_b32 v0, v[1:2], s[0:1]",
		"global_load_b32 v[0:1], v[1:2], off",
		"global_store_b32 v[0:1], s2, off",
		"scratch_load_b32 v0, off, s[0:1]",
		"ds_load_b32 v0, v1 gds",
		"ds_load_b32 v0, off",
		"s_load_b32 s0, s1, 0x0",
		"s_load_b32 s0, s[2:3], off",
		/* Other lanes, and a result that is more than one register. */
		"v_add_co_u32_e64_dpp v0, vcc_lo, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf",
		"v_dual_mov_b32 v1, v0 :: v_dual_what_b32 v0, v1",
	};
	struct gfx_translation found;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (translate("gfx1100", 32, texts[i], &found))
			fail_msg("translated: %s", texts[i]);
}

static void test_long_text(void **state)
{
	struct gfx_translation found;
	char text[600];

	(void)state;
	memset(text, 'v', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_false(translate("gfx1100", 32, text, &found));
	memset(text + 3, ' ', sizeof(text) - 4);
	assert_false(translate("gfx1100", 32, text, &found));
}

static void test_architectures(void **state)
{
	static const struct {
		const char *name;
		bool translated;
	} list[] = {{"gfx1010", false},	{"gfx1030", false}, {"gfx1151", false}, {"gfx1201", false},
		    {"gfx1250", false}, {"gfx942", false},  {"gfx90a", false}};

	(void)state;
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		assert_int_equal(gfx_is_translated(gfx_architecture_by_name(list[i].name)),
				 list[i].translated);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operands),	cmocka_unit_test(test_accesses),
		cmocka_unit_test(test_pair_of_offsets), cmocka_unit_test(test_branches),
		cmocka_unit_test(test_masks),		cmocka_unit_test(test_halves),
		cmocka_unit_test(test_unknown_results), cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_refused),		cmocka_unit_test(test_long_text),
		cmocka_unit_test(test_architectures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
