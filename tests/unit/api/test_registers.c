/* SPDX-License-Identifier: MIT */
/* Register values of a wave: every register of the architecture, and the rules of writing. */
#include "client.h"

#include <string.h>

#include "dbgapi/architecture/register-rules.h"
#include "fake-device.h"

static amd_dbgapi_process_id_t process;
static amd_dbgapi_wave_id_t wave, running;
static struct gfx_wave *gfx;

static enum wt_device_progress launch_two(struct fake_device *device)
{
	struct wt_device_wave *waves[2];

	fake_launch(device, 2, waves);
	gfx = waves[0]->gfx;
	return WT_DEVICE_RUNNING;
}

static int start(void **state)
{
	amd_dbgapi_wave_id_t waves[2];

	(void)state;
	setenv("WAVETAPE_WORKLOAD", "fake.json", 1);
	client_start();
	process = client_attach_ready(1);
	fake_next_run = launch_two;
	client_expect_none(process);
	client_waves(process, waves, 2);
	wave = waves[0];
	running = waves[1];
	assert_success(amd_dbgapi_wave_stop(wave));
	client_take(process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	return 0;
}

static int finish(void **state)
{
	(void)state;
	return amd_dbgapi_finalize() == SUCCESS ? 0 : -1;
}

static bool exists(uint64_t id)
{
	amd_dbgapi_register_exists_t answer;

	assert_success(
		amd_dbgapi_wave_register_exists(wave, (amd_dbgapi_register_id_t){id}, &answer));
	return answer == AMD_DBGAPI_REGISTER_PRESENT;
}

static uint64_t read_scalar(amd_dbgapi_register_id_t reg, size_t size)
{
	uint64_t value = 0;

	assert_success(amd_dbgapi_read_register(wave, reg, 0, size, &value));
	return value;
}

static void write_scalar(amd_dbgapi_register_id_t reg, uint64_t value, size_t size)
{
	assert_success(amd_dbgapi_write_register(wave, reg, 0, size, &value));
}

static amd_dbgapi_register_id_t shadow(uint32_t number)
{
	return (amd_dbgapi_register_id_t){gfx->architecture->id << 32 | (0x480 + number)};
}

/* What the wave should have, said another way than the code says it. */
static bool expected(const struct gfx_register *reg)
{
	switch (reg->range->kind) {
	case GFX_REGISTER_VGPR:
		return reg->index <= 23;
	case GFX_REGISTER_AGPR:
		return reg->index <= 7;
	case GFX_REGISTER_SGPR:
		return reg->index <= 25;
	case GFX_REGISTER_SHADOW_SGPR:
		return reg->index >= 26 && reg->index <= 31;
	default:
		return true;
	}
}

static void test_existence_and_list(void **state)
{
	amd_dbgapi_register_id_t *list;
	struct gfx_register reg;
	size_t count, present = 0;

	(void)state;
	assert_success(amd_dbgapi_wave_register_list(wave, &count, &list));
	for (size_t i = 0; gfx_register_at(gfx->architecture, i, &reg); i++) {
		assert_int_equal(exists(reg.id), expected(&reg));
		if (!expected(&reg))
			continue;
		assert_true(present < count);
		assert_int_equal(list[present++].handle, reg.id);
	}
	assert_int_equal(count, present);
	assert_int_equal(count, 24 + 8 + 26 + 6 + 8 + 1 + 9);
	free(list);
}

/* A pattern goes in and comes out of each, but for bits that are not the debugger's to change. */
static void test_every_register_keeps_what_is_written(void **state)
{
	struct gfx_register reg;
	uint8_t pattern[256], got[256];

	(void)state;
	for (size_t i = 0; gfx_register_at(gfx->architecture, i, &reg); i++) {
		amd_dbgapi_register_id_t id = {reg.id};
		size_t size = reg.range->size;

		for (size_t b = 0; b < size; b++)
			pattern[b] = (uint8_t)(i * 5 + b * 3 + 1);
		if (!expected(&reg)) {
			assert_status(amd_dbgapi_read_register(wave, id, 0, size, got),
				      STATUS(REGISTER_NOT_AVAILABLE));
			assert_status(amd_dbgapi_write_register(wave, id, 0, size, pattern),
				      STATUS(REGISTER_NOT_AVAILABLE));
			assert_status(amd_dbgapi_prefetch_register(wave, id, 1),
				      STATUS(REGISTER_NOT_AVAILABLE));
			continue;
		}
		assert_success(amd_dbgapi_write_register(wave, id, 0, size, pattern));
		assert_success(amd_dbgapi_prefetch_register(wave, id, 1));
		memset(got, 0, sizeof(got));
		assert_success(amd_dbgapi_read_register(wave, id, 0, size, got));
		if (!(reg.range->properties & AMD_DBGAPI_REGISTER_PROPERTY_READONLY_BITS))
			assert_memory_equal(got, pattern, size);
	}
	/* and they really are where the simulated GPU looks */
	assert_int_equal(gfx->vgprs[7 * 64 + 5] & 0xff, (uint8_t)(7 * 5 + 20 * 3 + 1));
	assert_int_equal(gfx->agprs[0] & 0xff, (uint8_t)(256 * 5 + 1));
	assert_int_equal(gfx->sgprs[25] & 0xff, (uint8_t)((512 + 25) * 5 + 1));
}

static void test_parts(void **state)
{
	amd_dbgapi_register_id_t v3 = client_register("v3");
	uint32_t word = 0x11223344, got = 0;

	(void)state;
	assert_success(amd_dbgapi_write_register(wave, v3, 63 * 4, 4, &word));
	assert_int_equal(gfx->vgprs[3 * 64 + 63], 0x11223344);
	assert_int_equal(gfx->vgprs[3 * 64 + 62], 0);
	assert_success(amd_dbgapi_read_register(wave, v3, 63 * 4 + 1, 2, &got));
	assert_int_equal(got, 0x2233);
	gfx->exec = 0x1122334455667788;
	got = 0;
	assert_success(amd_dbgapi_read_register(wave, client_register("exec"), 3, 3, &got));
	assert_int_equal(got, 0x334455);
	assert_success(amd_dbgapi_read_register(wave, client_register("exec"), 4, 4, &got));
	assert_int_equal(got, 0x11223344);
	gfx->mode = 0xaabbccdd;
	assert_success(amd_dbgapi_read_register(wave, client_register("mode"), 1, 2, &got));
	assert_int_equal(got, 0x1122bbcc);
	gfx->exec = 0x1111111122222222;
	word = 0;
	assert_success(amd_dbgapi_write_register(wave, client_register("exec"), 4, 4, &word));
	assert_int_equal(gfx->exec, 0x22222222);
}

static void test_readonly_bits(void **state)
{
	(void)state;
	gfx->pc = FAKE_PC;
	write_scalar(client_register("pc"), FAKE_PC + 7, 8);
	assert_int_equal(read_scalar(client_register("pc"), 8), FAKE_PC + 4);

	gfx->mode = 0;
	write_scalar(client_register("mode"), UINT32_MAX, 4);
	assert_int_equal(gfx->mode, 0xffbfffff);
	write_scalar(client_register("mode"), 0, 4);
	assert_int_equal(gfx->mode, 0);

	gfx->trapsts = 0x200;
	write_scalar(client_register("trapsts"), 0xfffffdff, 4);
	assert_int_equal(gfx->trapsts, 0xf7ff7fff);

	/* Of status all bits are written, and privilege and the handler's mark are not shown. */
	gfx->status = 0x00010061;
	write_scalar(client_register("status"), 0, 4);
	assert_int_equal(gfx->status, 0);
	write_scalar(client_register("status"), UINT32_MAX, 4);
	assert_int_equal(read_scalar(client_register("status"), 4), 0xfffbffdf);
	gfx->status = 0x00050061;
	gfx->ttmps[6] = 0;
	assert_int_equal(read_scalar(client_register("status"), 4), 0x00010041);
}

/* The program's own halt is the trap handler's to keep while the wave is stopped. */
static void test_halt(void **state)
{
	amd_dbgapi_register_id_t status = client_register("status");

	(void)state;
	gfx->status = 0x2000;
	assert_int_equal(read_scalar(status, 4), 0);
	gfx->ttmps[6] = 0x60000000;
	assert_int_equal(read_scalar(status, 4), 0x2000);
	write_scalar(status, 0, 4);
	assert_int_equal(gfx->status, 0x2000);
	assert_int_equal(gfx->ttmps[6], 0x40000000);
	gfx->status = 0;
	write_scalar(status, 0x2001, 4);
	assert_int_equal(gfx->status, 1);
	assert_int_equal(read_scalar(client_register("ttmp6"), 4), 0x60000000);
}

static void test_status_follows_exec_and_vcc(void **state)
{
	amd_dbgapi_register_id_t status = client_register("status");

	(void)state;
	gfx->status = 0;
	write_scalar(client_register("exec"), 0, 8);
	assert_int_equal(read_scalar(status, 4), 1u << 9);
	write_scalar(client_register("vcc"), 0, 8);
	assert_int_equal(read_scalar(status, 4), 3u << 9);
	write_scalar(client_register("exec"), UINT64_C(1) << 63, 8);
	assert_int_equal(read_scalar(status, 4), 1u << 10);
	write_scalar(client_register("vcc"), 1, 8);
	assert_int_equal(read_scalar(status, 4), 0);
	/* also through the registers that lie over it */
	write_scalar(shadow(30), 0, 4);
	assert_int_equal(gfx->vcc, 0);
	assert_int_equal(read_scalar(status, 4), 1u << 10);
}

static void test_shadows(void **state)
{
	(void)state;
	gfx->flat_scratch = 0x1111111122222222;
	gfx->xnack_mask = 0x3333333344444444;
	gfx->vcc = 0x5555555566666666;
	assert_int_equal(read_scalar(shadow(26), 4), 0x22222222);
	assert_int_equal(read_scalar(shadow(27), 4), 0x11111111);
	assert_int_equal(read_scalar(shadow(28), 4), 0x44444444);
	assert_int_equal(read_scalar(shadow(29), 4), 0x33333333);
	assert_int_equal(read_scalar(shadow(30), 4), 0x66666666);
	assert_int_equal(read_scalar(shadow(31), 4), 0x55555555);
	write_scalar(shadow(27), 0xaaaaaaaa, 4);
	assert_int_equal(gfx->flat_scratch, 0xaaaaaaaa22222222);
	write_scalar(client_register("vcc"), 0x0102030405060708, 8);
	assert_int_equal(read_scalar(shadow(31), 4), 0x01020304);
}

static enum wt_device_progress end_all(struct fake_device *device)
{
	struct wt_device_wave *all[2];

	for (size_t left = fake_waves(device, all, 2); left > 0; left--)
		fake_end(device, all[left - 1]);
	return WT_DEVICE_IDLE;
}

/* What is known of the wave that was read last is not taken for another's, nor for what it is later. */
static void test_reading_in_turns(void **state)
{
	amd_dbgapi_register_id_t a7 = client_register("a7"), s25 = client_register("s25");
	struct wt_device_wave *all[2];
	uint32_t lanes[64];

	(void)state;
	assert_int_equal(fake_waves(fake_device, all, 2), 2);
	assert_success(amd_dbgapi_wave_stop(running));
	client_take(process, AMD_DBGAPI_EVENT_KIND_WAVE_STOP);
	all[1]->gfx->agpr_count = 7;
	for (uint32_t turn = 1; turn < 4; turn++) {
		gfx->sgprs[25] = turn;
		all[1]->gfx->sgprs[25] = 10 * turn;
		gfx->agprs[7 * 64 + 63] = 100 * turn;
		assert_int_equal(read_scalar(s25, 4), turn);
		assert_success(amd_dbgapi_read_register(wave, a7, 0, sizeof(lanes), lanes));
		assert_int_equal(lanes[63], 100 * turn);
		assert_success(amd_dbgapi_read_register(running, s25, 0, 4, lanes));
		assert_int_equal(lanes[0], 10 * turn);
		assert_status(amd_dbgapi_read_register(running, a7, 0, sizeof(lanes), lanes),
			      STATUS(REGISTER_NOT_AVAILABLE));
	}
	assert_success(amd_dbgapi_wave_resume(running, AMD_DBGAPI_RESUME_MODE_NORMAL,
					      AMD_DBGAPI_EXCEPTION_NONE));
	assert_status(amd_dbgapi_read_register(running, s25, 0, 4, lanes),
		      STATUS(WAVE_NOT_STOPPED));
	assert_int_equal(read_scalar(s25, 4), 3);
	fake_next_run = end_all;
	client_expect_none(process);
	assert_status(amd_dbgapi_read_register(wave, s25, 0, 4, lanes), STATUS(INVALID_WAVE_ID));
	assert_int_equal(lanes[0], 30);
}

/* A wave with all scalar registers: the special ones lie above s101 and have no shadows. */
static void test_no_shadows_in_a_large_wave(void **state)
{
	(void)state;
	gfx->sgpr_count = 102;
	assert_true(exists(client_register("s101").handle));
	for (uint32_t number = 0; number < 102; number++)
		assert_false(exists(shadow(number).handle));
}

static void test_order_of_checks(void **state)
{
	amd_dbgapi_register_id_t pc = client_register("pc"), absent = client_register("v24");
	amd_dbgapi_register_id_t bad = {UINT64_C(99) << 32};
	amd_dbgapi_wave_id_t nobody = {99};
	amd_dbgapi_register_exists_t answer;
	struct gfx_register other;
	uint64_t value = 77;

	(void)state;
	assert_status(amd_dbgapi_read_register(nobody, bad, 0, 8, &value), STATUS(INVALID_WAVE_ID));
	assert_status(amd_dbgapi_read_register(running, bad, 0, 8, NULL),
		      STATUS(INVALID_REGISTER_ID));
	assert_status(amd_dbgapi_read_register(running, pc, 0, 8, NULL), STATUS(WAVE_NOT_STOPPED));
	assert_status(amd_dbgapi_read_register(wave, pc, 99, 8, NULL), STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_read_register(wave, pc, 99, 0, &value), STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_read_register(wave, pc, 1, 8, &value),
		      STATUS(INVALID_ARGUMENT_COMPATIBILITY));
	assert_status(amd_dbgapi_read_register(wave, pc, UINT64_MAX - 3, 8, &value),
		      STATUS(INVALID_ARGUMENT_COMPATIBILITY));
	assert_status(amd_dbgapi_read_register(wave, pc, 1, UINT64_MAX, &value),
		      STATUS(INVALID_ARGUMENT_COMPATIBILITY));
	assert_status(amd_dbgapi_read_register(wave, absent, 1, 256, &value),
		      STATUS(INVALID_ARGUMENT_COMPATIBILITY));
	assert_status(amd_dbgapi_read_register(wave, absent, 0, 8, &value),
		      STATUS(REGISTER_NOT_AVAILABLE));
	assert_int_equal(value, 77);
	assert_status(amd_dbgapi_write_register(running, pc, 0, 8, NULL), STATUS(WAVE_NOT_STOPPED));
	assert_status(amd_dbgapi_write_register(wave, pc, 0, 8, NULL), STATUS(INVALID_ARGUMENT));
	assert_status(amd_dbgapi_prefetch_register(running, absent, 1), STATUS(WAVE_NOT_STOPPED));
	assert_status(amd_dbgapi_wave_register_exists(nobody, bad, NULL), STATUS(INVALID_WAVE_ID));
	assert_status(amd_dbgapi_wave_register_exists(wave, bad, NULL),
		      STATUS(INVALID_REGISTER_ID));
	assert_status(amd_dbgapi_wave_register_exists(wave, pc, NULL), STATUS(INVALID_ARGUMENT));
	/* of another architecture */
	assert_true(gfx_register_by_name(gfx_architecture_by_name("gfx90a"), "pc", &other));
	assert_status(
		amd_dbgapi_read_register(wave, (amd_dbgapi_register_id_t){other.id}, 0, 8, &value),
		STATUS(INVALID_ARGUMENT_COMPATIBILITY));
	assert_status(amd_dbgapi_wave_register_exists(wave, (amd_dbgapi_register_id_t){other.id},
						      &answer),
		      STATUS(INVALID_ARGUMENT_COMPATIBILITY));
	/* a running wave can be asked what it has */
	assert_success(amd_dbgapi_wave_register_exists(running, pc, &answer));
	assert_status(amd_dbgapi_wave_register_list(nobody, NULL, NULL), STATUS(INVALID_WAVE_ID));
	assert_status(amd_dbgapi_wave_register_list(wave, NULL, NULL), STATUS(INVALID_ARGUMENT));
}

static void test_rules(void **state)
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
		cmocka_unit_test_setup_teardown(test_existence_and_list, start, finish),
		cmocka_unit_test_setup_teardown(test_every_register_keeps_what_is_written, start,
						finish),
		cmocka_unit_test_setup_teardown(test_parts, start, finish),
		cmocka_unit_test_setup_teardown(test_readonly_bits, start, finish),
		cmocka_unit_test_setup_teardown(test_halt, start, finish),
		cmocka_unit_test_setup_teardown(test_status_follows_exec_and_vcc, start, finish),
		cmocka_unit_test_setup_teardown(test_shadows, start, finish),
		cmocka_unit_test_setup_teardown(test_reading_in_turns, start, finish),
		cmocka_unit_test_setup_teardown(test_no_shadows_in_a_large_wave, start, finish),
		cmocka_unit_test_setup_teardown(test_order_of_checks, start, finish),
		cmocka_unit_test(test_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
