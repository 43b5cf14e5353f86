/* SPDX-License-Identifier: MIT */
/*
 * GPUs that nothing here executes: the driver says that its device is another one, and what a suspended queue has in its save area
 * is prepared here, in that family's layout. What the library writes back is found there, and prepared anew.
 */
#include "tests/unit/kfd/live.h"

#include <string.h>

#include "device/queue-structure.h"
#include "device/save-area/area.h"
#include "device/trap-handler.h"

#define VGPRS 8
#define SGPRS 10 /* and six others */
#define LANES_64 64
#define BREAKPOINT_ID (1u << WT_TTMP6_TRAP_ID_SHIFT)
#define PC UINT64_C(0x7f1122334400)
#define HEAD_BYTES 24 /* of which the last eight are the debugger's memory */
#define MODE_STEP (1u << 11)
#define MODE_WATCH (1u << 19)
/* The same of gfx12, where they are in trap_ctrl. */
#define TRAP_CTRL_STEP (1u << 9)
#define TRAP_CTRL_WATCH (1u << 7)
#define SCC_GFX12 (1u << 9) /* of state_priv */
#define AREA_PAGES 60
#define ENGINES 8 /* of the driver's device */
#define NORMAL AMD_DBGAPI_RESUME_MODE_NORMAL
#define WAVE_STOP AMD_DBGAPI_EVENT_KIND_WAVE_STOP

/* The device that the driver is to have, and its one wave. */
static struct {
	uint32_t target;
	const struct wt_save_area_layout *layout;
	struct gfx_wave wave;
	uint32_t vgprs[VGPRS * LANES_64], agprs[VGPRS * LANES_64];
	struct wt_save_area_wave place;
	bool suspended;
	uint8_t head[HEAD_BYTES]; /* the driver's own */
	uint32_t xccs, engines;	  /* of the device; its wave is in the save area of the last one */
	bool scratch;		  /* the wave has private memory */
	bool hits;		  /* it hits the second watch register when it runs */
} family;

/* gfx12 has other registers for what a debugger and hardware tell each other. */
static bool is_gfx12(void)
{
	return family.layout->handler->excp_flags;
}

static bool watching_is_enabled(void)
{
	return is_gfx12() ? family.wave.trap_ctrl & TRAP_CTRL_WATCH : family.wave.mode & MODE_WATCH;
}

/* ---- Memory of this process ---- */

static size_t read_own(void *opaque, uint64_t address, void *data, size_t size)
{
	(void)opaque;
	memcpy(data, (const void *)(uintptr_t)address, size);
	return size;
}

static const struct wt_memory_view own_memory = {.read = read_own};

static struct wt_error *note_place(void *opaque, const struct wt_save_area_wave *wave)
{
	(void)opaque;
	family.place = *wave;
	return NULL;
}

/* ---- What hardware does ---- */

/* One that was told to make a step has made it, and stands behind the instruction, as does one that has hit what is watched. */
static void execute(void)
{
	struct gfx_wave *wave = &family.wave;
	bool steps = is_gfx12() ? wave->trap_ctrl & TRAP_CTRL_STEP : wave->mode & MODE_STEP;
	bool hits = family.hits && watching_is_enabled();
	uint32_t *told = is_gfx12() ? &wave->excp_flag_priv : &wave->trapsts;

	if (wave->ttmps[6] & WT_TTMP6_STOPPED || !(steps || hits))
		return;
	wave->pc += 4;
	*told |= steps ? family.layout->handler->after_inst : 0;
	*told |= !hits ? 0 : is_gfx12() ? 1u << 1 : 1u << 12;
	wave->ttmps[6] |= WT_TTMP6_STOPPED;
	wt_wave_set_halted(wave, true);
}

static uint32_t area_size(void)
{
	return (uint32_t)(AREA_PAGES * PAGE);
}

static void save_waves(void)
{
	const struct wt_saved_wave saved = {
		.wave = &family.wave,
		.scratch = family.scratch,
		.first = true,
		.last = true,
		.stopped = family.wave.ttmps[6] & WT_TTMP6_STOPPED,
	};
	memcpy(family.head, live.queue.save.data, HEAD_BYTES);
	for (uint32_t xcc = 0; xcc < family.xccs; xcc++) {
		uint8_t *save = live.queue.save.data + (size_t)xcc * area_size();
		wt_cleanup_buffer struct wt_buffer area = {0};

		assert_null(
			wt_save_area_build(family.layout, &saved, xcc + 1 == family.xccs, &area));
		memcpy(save, area.data, 16);
		memcpy(save + HEAD_BYTES, area.data + HEAD_BYTES, area.size - HEAD_BYTES);
		assert_null(wt_save_area_walk(family.layout, &own_memory, (uintptr_t)save,
					      area_size(), note_place, NULL));
	}
	family.suspended = true;
}

static void load_waves(void)
{
	assert_true(wt_saved_wave_load_hardware(family.layout, &own_memory, &family.place,
						&family.wave));
	assert_true(wt_saved_wave_load_registers(family.layout, &own_memory, &family.place,
						 &family.wave));
	memcpy(live.queue.save.data, family.head, HEAD_BYTES);
	family.suspended = false;
	execute();
}

static void before(const struct kfd_debug_trap *args)
{
	if (family.layout && family.suspended &&
	    (args->operation == KFD_DEBUG_RESUME_QUEUES || args->operation == KFD_DEBUG_DISABLE))
		load_waves();
}

static void after(struct kfd_debug_trap *args)
{
	void *entries = (void *)(uintptr_t)args->snapshot.buffer;
	struct kfd_device_entry *device = entries;
	struct kfd_queue_entry *queue = entries;

	if (args->operation == KFD_DEBUG_DEVICE_SNAPSHOT) {
		device->target_version = family.target;
		device->xcc_count = family.xccs;
		family.engines = device->array_count / device->arrays_per_engine;
	}
	if (args->operation == KFD_DEBUG_QUEUE_SNAPSHOT && args->snapshot.count)
		queue->save_size = area_size();
	if (family.layout && args->operation == KFD_DEBUG_SUSPEND_QUEUES && args->suspend.count &&
	    !family.suspended)
		save_waves();
}

/* @lanes: of its wave; 0: it has none. */
static void prepare(void **state, uint32_t target, const char *name, uint32_t lanes)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name(name);

	memset(&family, 0, sizeof(family));
	family.target = target;
	family.xccs = 1;
	live_begin(state, true);
	live_faults.before = before;
	live_faults.after = after;
	if (!lanes)
		return;
	family.layout = wt_save_area_layout_find(architecture);
	family.wave = (struct gfx_wave){
		.architecture = architecture,
		.lane_count = lanes,
		.pc = PC,
		.exec = UINT64_C(0xff00ff00ff00ff00) >> (LANES_64 - lanes),
		.sgpr_count = family.layout->fixed_sgprs ? family.layout->named_sgprs : SGPRS,
		.vcc = 0x1234,
		.ttmps = {[6] = WT_TTMP6_STOPPED | BREAKPOINT_ID},
		.vgpr_count = VGPRS,
		.agpr_count = family.layout->agprs == WT_SAVE_AREA_AGPRS_SAME ? VGPRS : 0,
		.vgprs = family.vgprs,
		.agprs = family.agprs,
	};
	wt_ttmp_put(family.layout->handler->set_up, 1, family.wave.ttmps);
	wt_wave_set_halted(&family.wave, true);
	if (is_gfx12())
		family.wave.state_priv |= SCC_GFX12;
	else
		family.wave.status |= 1;
	for (uint32_t i = 0; i < SGPRS; i++)
		family.wave.sgprs[i] = 100 + i;
	for (uint32_t i = 0; i < VGPRS * LANES_64; i++) {
		family.vgprs[i] = 1000 + i;
		family.agprs[i] = 5000 + i;
	}
}

/* ---- Tests ---- */

static uint64_t read_register(amd_dbgapi_wave_id_t wave, const char *name, size_t offset,
			      size_t size)
{
	uint64_t value = 0;

	assert_success(
		amd_dbgapi_read_register(wave, live_register(wave, name), offset, size, &value));
	return value;
}

static void write_register(amd_dbgapi_wave_id_t wave, const char *name, size_t offset, size_t size,
			   uint64_t value)
{
	assert_success(
		amd_dbgapi_write_register(wave, live_register(wave, name), offset, size, &value));
}

static void check_registers(amd_dbgapi_wave_id_t wave)
{
	const size_t lanes = family.wave.lane_count;

	assert_int_equal(live_reason(wave), AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT);
	assert_int_equal(live_pc(wave), PC);
	assert_int_equal(read_register(wave, "exec", 0, lanes / 8), family.wave.exec);
	assert_int_equal(read_register(wave, "vcc", 0, lanes / 8), 0x1234);
	assert_int_equal(read_register(wave, "s9", 0, 4), 109);
	assert_int_equal(read_register(wave, "v0", 0, 4), 1000);
	assert_int_equal(read_register(wave, "v7", (lanes - 1) * 4, 4), 1000 + 8 * lanes - 1);
	if (family.wave.agpr_count)
		assert_int_equal(read_register(wave, "a7", 4, 4), 5000 + 7 * LANES_64 + 1);
}

/* Changed, stepped, let go: what it has in the end is what the library has written. */
static void check_control(amd_dbgapi_wave_id_t wave)
{
	write_register(wave, "v3", 8, 4, 77);
	write_register(wave, "s2", 0, 4, 78);
	write_register(wave, "pc", 0, 8, PC + 64);
	live_resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP, AMD_DBGAPI_EXCEPTION_NONE);
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 1);
	assert_int_equal(live_take_wave(WAVE_STOP).handle, wave.handle);
	assert_int_equal(live_reason(wave), AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
	assert_int_equal(live_pc(wave), PC + 68);
	assert_int_equal(family.vgprs[3 * family.wave.lane_count + 2], 77);
	assert_int_equal(family.wave.sgprs[2], 78);
	live_resume(wave, NORMAL, AMD_DBGAPI_EXCEPTION_NONE);
	assert_int_equal(family.wave.pc, PC + 68);
	assert_int_equal(family.wave.ttmps[6] & (WT_TTMP6_STOPPED | WT_TTMP6_TRAP_ID), 0);
	assert_false(wt_wave_is_halted(&family.wave));
	assert_success(amd_dbgapi_wave_stop(wave));
	assert_int_equal(live_take_wave(WAVE_STOP).handle, wave.handle);
	assert_int_equal(live_reason(wave), AMD_DBGAPI_WAVE_STOP_REASON_NONE);
	assert_true(wt_wave_is_halted(&family.wave));
}

/* A branch is executed by the library, with the wave's scc: it is taken, over one word. */
static void check_branch(amd_dbgapi_wave_id_t wave)
{
	struct memory code = session_memory(live.session, PAGE);
	const uint32_t branch =
		family.wave.architecture->generation >= GFX_GENERATION_11 ? 0xbfa20001 : 0xbf850001;
	const struct gfx_wave *gfx = &family.wave;
	uint32_t state = is_gfx12() ? gfx->state_priv : gfx->status;

	memcpy(code.data, &branch, sizeof(branch));
	write_register(wave, "pc", 0, 8, (uintptr_t)code.data);
	live_resume(wave, AMD_DBGAPI_RESUME_MODE_SINGLE_STEP, AMD_DBGAPI_EXCEPTION_NONE);
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 1);
	assert_int_equal(live_take_wave(WAVE_STOP).handle, wave.handle);
	assert_int_equal(live_reason(wave), AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP);
	assert_int_equal(live_pc(wave), (uintptr_t)code.data + 8);
	assert_int_equal(is_gfx12() ? gfx->state_priv : gfx->status, state);
}

/* The second watchpoint of two is enabled in the wave, which hits it; with the last one it is disabled. */
static void check_watchpoints(amd_dbgapi_wave_id_t wave)
{
	amd_dbgapi_watchpoint_id_t watchpoints[2];
	amd_dbgapi_watchpoint_list_t list;

	for (size_t i = 0; i < 2; i++)
		assert_success(amd_dbgapi_set_watchpoint(live.process, PC + 128 * i, 4,
							 AMD_DBGAPI_WATCHPOINT_KIND_ALL,
							 &watchpoints[i]));
	family.hits = true;
	live_resume(wave, NORMAL, AMD_DBGAPI_EXCEPTION_NONE);
	assert_true(watching_is_enabled());
	assert_int_equal(live_count(amd_dbgapi_process_wave_list), 1);
	assert_int_equal(live_take_wave(WAVE_STOP).handle, wave.handle);
	assert_int_equal(live_reason(wave), AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT);
	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_WATCHPOINTS,
						sizeof(list), &list));
	assert_int_equal(list.count, 1);
	assert_int_equal(list.watchpoint_ids[0].handle, watchpoints[1].handle);
	free(list.watchpoint_ids);
	family.hits = false;
	for (size_t i = 0; i < 2; i++)
		assert_success(amd_dbgapi_remove_watchpoint(watchpoints[i]));
	live_resume(wave, NORMAL, AMD_DBGAPI_EXCEPTION_NONE);
	assert_false(watching_is_enabled());
	assert_int_equal(is_gfx12() ? family.wave.excp_flag_priv : family.wave.trapsts, 0);
	assert_success(amd_dbgapi_wave_stop(wave));
	assert_int_equal(live_take_wave(WAVE_STOP).handle, wave.handle);
}

static void check_family(void **state, uint32_t target, const char *name, uint32_t lanes)
{
	amd_dbgapi_wave_id_t wave;

	prepare(state, target, name, lanes);
	live_attach();
	wave = live_take_wave(WAVE_STOP);
	check_registers(wave);
	check_control(wave);
	check_watchpoints(wave);
	check_branch(wave);
	live_detach();
	/* It goes on where it stood. */
	assert_false(wt_wave_is_halted(&family.wave));
	live_end(0);
}

static void gfx906_is_debugged(void **state)
{
	check_family(state, 90006, "gfx906", 64);
}

static void gfx908_is_debugged(void **state)
{
	check_family(state, 90008, "gfx908", 64);
}

static void gfx1010_is_debugged(void **state)
{
	check_family(state, 100100, "gfx1010", 32);
}

static void gfx1010_is_debugged_in_long_waves(void **state)
{
	check_family(state, 100100, "gfx1010", 64);
}

/* Neither is a wave of it parked, nor does it tell that it has made a step. */
static void gfx1030_is_debugged(void **state)
{
	check_family(state, 100300, "gfx1030", 32);
}

static void gfx1030_is_debugged_in_long_waves(void **state)
{
	check_family(state, 100300, "gfx1030", 64);
}

static void gfx1100_is_debugged(void **state)
{
	check_family(state, 110000, "gfx1100", 32);
}

static void gfx1100_is_debugged_in_long_waves(void **state)
{
	check_family(state, 110000, "gfx1100", 64);
}

static void gfx1201_is_debugged(void **state)
{
	check_family(state, 120001, "gfx1201", 32);
}

static void gfx1201_is_debugged_in_long_waves(void **state)
{
	check_family(state, 120001, "gfx1201", 64);
}

/* From version 11 of r_debug on, a queue does not say how much private memory each part of the device has. */
static void private_memory_of_a_part_is_found(void **state)
{
	const uint32_t wave_bytes = 1024, pattern = 4711, garbage[] = {0x1234567, 0x89};
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_address_space_id_t space;
	amd_dbgapi_size_t size = 4;
	amd_dbgapi_wave_id_t wave;
	uint32_t ring, value = 0;
	struct memory scratch;

	prepare(state, 90402, "gfx942", 64);
	memcpy(live.debug.data, &(uint32_t){11}, 4);
	family.xccs = 2;
	family.scratch = true;
	scratch = session_memory(live.session, 16 * PAGE);
	memcpy(live.queue.structure.data + WT_QUEUE_STRUCTURE_SCRATCH_BASE, &scratch.address, 8);
	memcpy(live.queue.structure.data + WT_QUEUE_STRUCTURE_SCRATCH_SIZE, garbage, 8);
	memcpy(scratch.data + ENGINES * wave_bytes, &pattern, sizeof(pattern));
	ring = ENGINES | 1 << 12;
	memcpy(live.queue.structure.data + WT_QUEUE_STRUCTURE_TMPRING_SIZE, &ring, 4);
	family.wave.flat_scratch = scratch.address + ENGINES * wave_bytes;
	live_attach();
	assert_int_equal(family.engines, ENGINES);
	wave = live_take_wave(WAVE_STOP);
	assert_success(amd_dbgapi_wave_get_info(wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						sizeof(architecture), &architecture));
	assert_success(amd_dbgapi_dwarf_address_space_to_address_space(architecture, 5, &space));
	assert_success(amd_dbgapi_read_memory(live.process, wave, 0, space, 0, &size, &value));
	assert_int_equal(value, pattern);
	live_detach();
	live_end(0);
}

/* Agents whose waves cannot be read are listed, and the log says why; the process is there all the same. */
static void later_families_are_refused(void **state)
{
	static const struct {
		uint32_t target;
		const char *name, *version;
	} families[] = {
		{120500, "gfx1250", "12.5.0"},
	};

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		amd_dbgapi_agent_id_t *agents;
		uint32_t supported;
		size_t count;

		prepare(state, families[i].target, families[i].name, 0);
		live_attach();
		assert_non_null(strstr(live.log, "it is not known how its waves are saved"));
		assert_non_null(strstr(live.log, families[i].version));
		assert_success(amd_dbgapi_process_agent_list(live.process, &count, &agents, NULL));
		assert_int_equal(count, 1);
		assert_success(amd_dbgapi_agent_get_info(agents[0], AMD_DBGAPI_AGENT_INFO_STATE,
							 sizeof(supported), &supported));
		assert_int_equal(supported, AMD_DBGAPI_AGENT_STATE_NOT_SUPPORTED);
		free(agents);
		assert_int_equal(live_count(amd_dbgapi_process_queue_list), 0);
		assert_int_equal(live_count(amd_dbgapi_process_wave_list), 0);
		live_detach();
		live_end(0);
		session_end(state);
		session_start(state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(gfx906_is_debugged, session_start, session_end),
		cmocka_unit_test_setup_teardown(gfx908_is_debugged, session_start, session_end),
		cmocka_unit_test_setup_teardown(gfx1010_is_debugged, session_start, session_end),
		cmocka_unit_test_setup_teardown(gfx1010_is_debugged_in_long_waves, session_start,
						session_end),
		cmocka_unit_test_setup_teardown(gfx1030_is_debugged, session_start, session_end),
		cmocka_unit_test_setup_teardown(gfx1030_is_debugged_in_long_waves, session_start,
						session_end),
		cmocka_unit_test_setup_teardown(gfx1100_is_debugged, session_start, session_end),
		cmocka_unit_test_setup_teardown(gfx1100_is_debugged_in_long_waves, session_start,
						session_end),
		cmocka_unit_test_setup_teardown(gfx1201_is_debugged, session_start, session_end),
		cmocka_unit_test_setup_teardown(gfx1201_is_debugged_in_long_waves, session_start,
						session_end),
		cmocka_unit_test_setup_teardown(private_memory_of_a_part_is_found, session_start,
						session_end),
		cmocka_unit_test_setup_teardown(later_families_are_refused, session_start,
						session_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
