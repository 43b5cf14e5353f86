/* SPDX-License-Identifier: MIT */
/* Which registers a wave of each family has, what they hold, and what changes when a client writes them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "dbgapi/architecture/register-rules.h"
#include "dbgapi/simulated/registers.h"
#include "device/trap-handler.h"

#define EXECZ (1u << 9)
#define VCCZ (1u << 10)
#define FILE_WORDS (32u * 64)

static struct {
	struct gfx_wave gfx;
	uint32_t words[3][FILE_WORDS];
} wave;

static void begin(const char *name, uint32_t lanes, uint32_t vgprs, uint32_t shared)
{
	memset(&wave, 0, sizeof(wave));
	wave.gfx = (struct gfx_wave){
		.architecture = gfx_architecture_by_name(name),
		.lane_count = lanes,
		.sgpr_count = 106,
		.vgpr_count = vgprs,
		.shared_count = shared,
		.vgprs = wave.words[0],
		.agprs = wave.words[1],
		.shared = wave.words[2],
	};
	for (uint32_t i = 0; i < 3 * FILE_WORDS; i++)
		wave.words[i / FILE_WORDS][i % FILE_WORDS] = i;
}

/* The one of a name that the wave has; there is at most one. @ret: not written if it has none. */
static bool find(const char *name, struct gfx_register *ret)
{
	char its_name[GFX_REGISTER_NAME];
	struct gfx_register reg;
	int found = 0;

	for (size_t i = 0; gfx_register_at(wave.gfx.architecture, i, &reg); i++) {
		gfx_register_name(&reg, its_name);
		if (strcmp(its_name, name) != 0 ||
		    !wt_register_exists(&wave.gfx, reg.range, reg.index))
			continue;
		*ret = reg;
		found++;
	}
	assert_in_range(found, 0, 1);
	return found;
}

static uint32_t size_of(const char *name)
{
	struct gfx_register reg;

	return find(name, &reg) ? reg.range->size : 0;
}

static uint64_t get(const char *name)
{
	uint8_t bytes[WT_REGISTER_MAX_BYTES] = {0};
	struct gfx_register reg;
	uint64_t value;

	assert_true(find(name, &reg));
	wt_register_get(&wave.gfx, reg.range, reg.index, 0, reg.range->size, bytes);
	memcpy(&value, bytes, sizeof(value));
	return value;
}

static void set(const char *name, uint64_t value)
{
	uint8_t bytes[WT_REGISTER_MAX_BYTES] = {0};
	struct gfx_register reg;

	assert_true(find(name, &reg));
	memcpy(bytes, &value, sizeof(value));
	wt_register_set(&wave.gfx, reg.range, reg.index, bytes);
}

/* Vector registers, exec, vcc and xnack_mask are those of its lanes; behind the vector registers are shared ones. */
static void which_it_has(void **state)
{
	static const struct {
		const char *name;
		uint32_t lanes, shared, xnack, v7, v8, v15, v16;
	} cases[] = {
		{"gfx1010", 32, 8, 4, 128, 128, 128, 0}, {"gfx1010", 64, 8, 0, 256, 128, 128, 0},
		{"gfx1030", 64, 0, 0, 256, 0, 0, 0},	 {"gfx1100", 32, 0, 0, 128, 0, 0, 0},
		{"gfx1201", 64, 8, 0, 256, 128, 128, 0}, {"gfx90a", 64, 0, 8, 256, 0, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		begin(cases[i].name, cases[i].lanes, 8, cases[i].shared);
		assert_int_equal(size_of("exec"), cases[i].lanes / 8);
		assert_int_equal(size_of("vcc"), cases[i].lanes / 8);
		assert_int_equal(size_of("xnack_mask"), cases[i].xnack);
		assert_int_equal(size_of("v7"), cases[i].v7);
		assert_int_equal(size_of("v8"), cases[i].v8);
		assert_int_equal(size_of("v15"), cases[i].v15);
		assert_int_equal(size_of("v16"), cases[i].v16);
	}
	/* The first word of v7, and of the first two shared ones. */
	begin("gfx1032", 64, 8, 8);
	assert_int_equal((uint32_t)get("v7"), 7 * 64);
	assert_int_equal((uint32_t)get("v8"), 2 * FILE_WORDS);
	assert_int_equal((uint32_t)get("v9"), 2 * FILE_WORDS + 32);
	set("v9", 4711);
	assert_int_equal(wave.words[2][32], 4711);
}

/* From gfx11 on a wave can give its vector registers back, and runs on without. */
static void without_vector_registers(void **state)
{
	static const char *const names[] = {"gfx1100", "gfx1201", "gfx1030"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		begin(names[i], 32, 8, 8);
		wave.gfx.status = WT_STATUS_NO_VGPRS;
		assert_int_equal(size_of("v0"), i == 2 ? 128 : 0);
		assert_int_equal(size_of("v8"), i == 2 ? 128 : 0);
		assert_int_equal(size_of("s105"), 4);
	}
}

/* A stopped wave is halted: what a client sees is whether its program had halted it. */
static void halted_by_its_program(void **state)
{
	(void)state;
	begin("gfx1100", 32, 8, 0);
	wave.gfx.status = WT_STATUS_PRIVILEGED | WT_STATUS_SKIP_EXPORT | 1;
	wt_wave_set_stopped(&wave.gfx);
	assert_int_equal((uint32_t)get("status"), 1);
	set("status", WT_STATUS_HALT | 3);
	assert_int_equal((uint32_t)get("status"), WT_STATUS_HALT | 3);
	set("status", 3);
	assert_true(wt_wave_is_halted(&wave.gfx));
	wt_wave_set_running(&wave.gfx, true);
	assert_false(wt_wave_is_halted(&wave.gfx));
	assert_int_equal(wave.gfx.mode, WT_MODE_SINGLE_STEP);

	begin("gfx1201", 32, 8, 0);
	wave.gfx.status = WT_STATUS_PRIVILEGED | WT_STATUS_HALT;
	wave.gfx.state_priv = WT_STATE_PRIV_HALT | 1;
	wt_wave_set_stopped(&wave.gfx);
	/* In status it is no bit of that meaning. */
	assert_int_equal((uint32_t)get("status"), WT_STATUS_HALT);
	assert_int_equal((uint32_t)get("state_priv"), WT_STATE_PRIV_HALT | 1);
	set("state_priv", 2 | 1u << 31);
	assert_int_equal((uint32_t)get("state_priv"), 2);
	assert_true(wt_wave_is_halted(&wave.gfx));
	wt_wave_set_running(&wave.gfx, true);
	assert_int_equal(wave.gfx.state_priv, 2);
	assert_int_equal(wave.gfx.mode, 0);
	assert_int_equal(wave.gfx.trap_ctrl, WT_TRAP_CTRL_AFTER_INST);
	set("trap_ctrl", UINT32_MAX);
	assert_int_equal((uint32_t)get("trap_ctrl"), 0x3ff);
	set("excp_flag_priv", UINT32_MAX);
	assert_int_equal(wave.gfx.excp_flag_priv, 0xc0001fff);
	set("excp_flag_user", UINT32_MAX);
	assert_int_equal(wave.gfx.excp_flag_user, 0xc000007f);
}

/* Of 32 lanes the lower half is written, and whether it is zero is said in status. */
static void masks_of_32_lanes(void **state)
{
	(void)state;
	begin("gfx1201", 32, 8, 0);
	wave.gfx.vcc = UINT64_C(0x700000000);
	set("exec", 0);
	set("vcc", 0);
	assert_int_equal(wave.gfx.status, EXECZ | VCCZ);
	assert_int_equal(wave.gfx.vcc, UINT64_C(0x700000000));
	set("vcc", 5);
	assert_int_equal(wave.gfx.vcc, UINT64_C(0x700000005));
	assert_int_equal(wave.gfx.status, EXECZ);
}

/* The same rules for a device and a replay. */
static void rules_of_writing(void **state)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name("gfx942");
	struct wt_register_alias alias;
	struct wt_register_effect effect;

	(void)state;
	assert_int_equal(wt_register_readonly_bits(architecture, GFX_REGISTER_VCC), 0);
	assert_int_equal(wt_register_written(architecture, GFX_REGISTER_PC, 0x1003, 0x2000),
			 0x2003);
	assert_int_equal(
		wt_register_readonly_bits(gfx_architecture_by_name("gfx90a"), GFX_REGISTER_TRAPSTS),
		0x0fc08200);
	assert_int_equal(
		wt_register_readonly_bits(gfx_architecture_by_name("gfx90a"), GFX_REGISTER_MODE),
		0x00600000);
	assert_int_equal(wt_register_readonly_bits(gfx_architecture_by_name("gfx1030"),
						   GFX_REGISTER_TRAPSTS),
			 0x0fc08200);
	assert_int_equal(
		wt_register_readonly_bits(gfx_architecture_by_name("gfx1100"), GFX_REGISTER_STATUS),
		0xffffffff);
	assert_int_equal(
		wt_register_readonly_bits(gfx_architecture_by_name("gfx1201"), GFX_REGISTER_MODE),
		0xf67fff00);
	assert_int_equal(wt_register_readonly_bits(gfx_architecture_by_name("gfx1200"),
						   GFX_REGISTER_STATE_PRIV),
			 0xfffb8000);
	assert_false(wt_register_side_effect(GFX_REGISTER_M0, 0, &effect));
	assert_true(wt_register_side_effect(GFX_REGISTER_VCC, 4, &effect));
	assert_int_equal(effect.kind, GFX_REGISTER_STATUS);
	assert_int_equal(effect.mask, 1u << 10);
	assert_int_equal(effect.bits, 0);
	assert_false(wt_register_shadow_alias(10, 9, &alias));
	assert_false(wt_register_shadow_alias(10, 16, &alias));
	assert_false(wt_register_shadow_alias(102, 102, &alias));
	assert_true(wt_register_shadow_alias(10, 15, &alias));
	assert_int_equal(alias.kind, GFX_REGISTER_VCC);
	assert_int_equal(alias.half, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(which_it_has),		 cmocka_unit_test(without_vector_registers),
		cmocka_unit_test(halted_by_its_program), cmocka_unit_test(masks_of_32_lanes),
		cmocka_unit_test(rules_of_writing),
	};

	return cmocka_run_group_tests_name("registers of families", tests, NULL, NULL);
}
