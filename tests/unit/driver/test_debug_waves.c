/* SPDX-License-Identifier: MIT */
/* Waves as a debugger finds them in save areas, and what becomes of them when it has changed something there. */
#include "tests/unit/driver/debugger.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "device/save-area/area.h"

#define R_DEBUG UINT64_C(0x123456789000)
#define NEW KFD_EXCEPTION(KFD_EXCEPTION_QUEUE_NEW)
#define RUNTIME KFD_EXCEPTION(KFD_EXCEPTION_RUNTIME)
/* What a debugger subscribes to: exceptions of waves, memory violations, the runtime. */
#define ALL UINT64_C(0x80010000003f)
#define WAVES UINT64_C(0x3f)
#define TRAP KFD_EXCEPTION(KFD_EXCEPTION_WAVE_TRAP)

/* s_load_dwordx2 s[2:3], s[0:1]; v_lshlrev_b32 v1, 2, v0; v_mov_b32 v2, 7; TRAP; s_waitcnt; global_store v1, v2, s[2:3]; end */
#define KERNEL(trap)                                                                               \
	{                                                                                          \
		0xc0060080, 0, 0x24020082, 0x7e040287, trap, 0xbf8c0000, 0xdc708000, 0x00020201,   \
			0xbf810000,                                                                \
	}
#define NOP 0xbf800000
#define BREAKPOINT 0xbf920001
#define BEHIND_TRAP 20
#define BEHIND_STORE 32
#define ENDPGM_AT 32

static const uint32_t stops[] = KERNEL(BREAKPOINT), plain[] = KERNEL(NOP);
/* s_branch to itself; end. */
static const uint32_t forever[] = {0xbf82ffff, 0xbf810000};
/* s_mov_b32 s4, 64; s_mov_b32 s5, 0; s_load_dwordx2 s[2:3], s[4:5]; s_waitcnt; end */
static const uint32_t faults[] = {0xbe8400c0, 0xbe850080, 0xc0060082, 0, 0xbf8c0000, 0xbf810000};
static const uint32_t illegal[] = {0xffffffff, 0xbf810000};

/* A debugger of this process, whose runtime is there, and a queue that it has seen. */
static struct debugger begin(struct session *session, uint64_t exceptions, struct aql *queue)
{
	struct debugger debugger = debugger_of(session, getpid());
	struct kfd_runtime_info info;

	session_acquire(session);
	assert_int_equal(runtime_comes(session, session->thread, R_DEBUG), 0);
	*queue = session_queue(session);
	assert_int_equal(debugger_attach(&debugger, exceptions, &info), 0);
	debugger_see_queue(&debugger, NEW);
	return debugger;
}

static void detach(struct debugger *debugger)
{
	debug_must(debugger, KFD_DEBUG_DISABLE, &(struct kfd_debug_trap){0});
	debugger_close(debugger);
}

static void expect_event(const struct debugger *debugger, uint64_t exceptions, uint32_t queue)
{
	struct kfd_debug_trap args = {.query_event = {WAVES, 0, 0}};

	assert_true(debugger_notified(debugger));
	debug_must(debugger, KFD_DEBUG_QUERY_EVENT, &args);
	assert_int_equal(args.query_event.exceptions, exceptions);
	assert_int_equal(args.query_event.queue_id, queue);
	assert_int_equal(args.query_event.gpu_id, debugger->session->gpu_id);
	args.query_event.exceptions = WAVES;
	assert_int_equal(debug_call(debugger, KFD_DEBUG_QUERY_EVENT, &args), -EAGAIN);
}

static struct area suspend(const struct debugger *debugger, const struct aql *queue)
{
	struct area area;
	uint32_t id;

	assert_int_equal(debugger_suspend(debugger, queue->id, &id), 1);
	assert_int_equal(id, queue->id);
	assert_true(area_read(queue, &area));
	return area;
}

static void resume(const struct debugger *debugger, const struct aql *queue)
{
	uint32_t id;

	assert_int_equal(debugger_resume(debugger, queue->id, &id), 1);
	assert_int_equal(id, queue->id);
}

/* Suspend a queue whose wave makes no event of its own. */
static struct area suspend_when_launched(const struct debugger *debugger, const struct aql *queue)
{
	struct area area;

	while (true) {
		assert_int_equal(debugger_suspend(debugger, queue->id, NULL), 1);
		if (area_read(queue, &area))
			return area;
		resume(debugger, queue);
	}
}

/* ---- Stops ---- */

static void a_breakpoint_stops_a_wave(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	uint64_t entry = launch(&queue, stops, sizeof(stops) / 4);
	struct area area;

	expect_event(&debugger, TRAP, queue.id);
	area = suspend(&debugger, &queue);
	/* Packet 0, trap 1, stopped; parked behind the trap; halted. */
	assert_int_equal(area.ttmps[6], 1u << 25 | TTMP6_STOPPED);
	assert_int_equal(area_parked_pc(&area), entry + BEHIND_TRAP);
	assert_int_equal(area.hwregs[HW_PC] % 4, 0);
	assert_int_equal(area.hwregs[HW_STATUS] & (STATUS_HALT | 1u << 18), STATUS_HALT | 1u << 18);
	assert_int_equal(area.hwregs[HW_EXEC] & area.hwregs[HW_EXEC_HIGH], UINT32_MAX);
	/* Workgroup 0, wave 0 of it, no number of a debugger's yet. */
	assert_int_equal(area.ttmps[4] | area.ttmps[5] | area.ttmps[8] | area.ttmps[9] |
				 area.ttmps[10] | (area.ttmps[11] & 0x3f),
			 0);
	/* First and last of its workgroup, without scratch memory. */
	assert_int_equal(area.wave_word >> 15 & 7, 6);
	assert_int_equal(area.vgprs[2 * LANES], 7);
	assert_int_equal(area.vgprs[1 * LANES + 3], 12);
	resume(&debugger, &queue);
	/* It is still stopped: nobody has let it go. */
	assert_int_equal(*(uint64_t *)(void *)(queue.structure.data + 0x80), 0);
	area = suspend(&debugger, &queue);
	for (size_t lane = 0; lane < LANES; lane++)
		area.vgprs[2 * LANES + lane] = 9 + (uint32_t)lane;
	area.hwregs[HW_EXEC_HIGH] = 0;
	area.ttmps[4] = 0x1234;
	area_run(&area, false);
	resume(&debugger, &queue);
	assert_true(aql_wait(&queue, 1));
	assert_int_equal(result_of(&queue, 0), 9);
	assert_int_equal(result_of(&queue, 31), 40);
	assert_int_equal(result_of(&queue, 32), 0);
	detach(&debugger);
}

/* A wave keeps what a debugger has written into it, whatever else is done. */
static void a_wave_makes_steps(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	uint64_t entry = launch(&queue, stops, sizeof(stops) / 4);
	const uint32_t after[] = {BEHIND_TRAP + 4, BEHIND_STORE};
	struct area area;

	expect_event(&debugger, TRAP, queue.id);
	area = suspend(&debugger, &queue);
	area.ttmps[4] = 0x1234;
	for (size_t i = 0; i < 2; i++) {
		area_run(&area, true);
		resume(&debugger, &queue);
		expect_event(&debugger, TRAP, queue.id);
		area = suspend(&debugger, &queue);
		assert_int_equal(area_parked_pc(&area), entry + after[i]);
		assert_true(area.ttmps[6] & TTMP6_STOPPED);
		assert_int_equal(area.ttmps[4], 0x1234);
	}
	assert_int_equal(result_of(&queue, 5), 7);
	area_run(&area, false);
	resume(&debugger, &queue);
	assert_true(aql_wait(&queue, 1));
	detach(&debugger);
}

static void a_wave_that_runs_is_saved_running(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	uint64_t entry = launch(&queue, forever, 2);
	struct area area;

	area = suspend_when_launched(&debugger, &queue);
	assert_int_equal(area.ttmps[6] & TTMP6_STOPPED, 0);
	assert_int_equal(area.hwregs[HW_STATUS] & STATUS_HALT, 0);
	assert_int_equal(area.hwregs[HW_PC] | (uint64_t)area.hwregs[HW_PC_HIGH] << 32, entry);
	/* Suspended again is the same; and nothing goes on meanwhile. */
	assert_int_equal(debugger_suspend(&debugger, queue.id, NULL), 1);
	area.hwregs[HW_PC] += 4;
	usleep(20000);
	assert_int_equal(*(uint64_t *)(void *)(queue.structure.data + 0x80), 0);
	resume(&debugger, &queue);
	assert_true(aql_wait(&queue, 1));
	/* No wave: the control stack ends where the waves would begin. */
	assert_int_equal(debugger_suspend(&debugger, queue.id, NULL), 1);
	assert_false(area_read(&queue, &area));
	detach(&debugger);
}

static int start_gfx942(void **state)
{
	return session_start_with(state, "gfx942", 0);
}

/* The newer handler parks no wave, sets its registers up only when it first runs, and says that a step was made. */
static void gfx942_stops_another_way(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	uint64_t entry;
	struct area area;

	launch(&queue, plain, sizeof(plain) / 4);
	assert_true(aql_wait(&queue, 1));
	entry = launch(&queue, stops, sizeof(stops) / 4);
	expect_event(&debugger, TRAP, queue.id);
	area = suspend(&debugger, &queue);
	assert_int_equal(area.ttmps[6], 1u << 25 | TTMP6_STOPPED);
	/* Packet 1, wave 0 of its workgroup, set up. */
	assert_int_equal(area.ttmps[11], 1u << 31 | 1u << 6);
	assert_int_equal(area.ttmps[4] | area.ttmps[5] | area.ttmps[7], 0);
	assert_int_equal(area.hwregs[HW_PC] | (uint64_t)area.hwregs[HW_PC_HIGH] << 32,
			 entry + BEHIND_TRAP);
	area.ttmps[6] &= ~TTMP6_STOPPED;
	area.hwregs[HW_STATUS] &= ~STATUS_HALT;
	area.hwregs[HW_MODE] |= MODE_STEP;
	resume(&debugger, &queue);
	expect_event(&debugger, TRAP, queue.id);
	area = suspend(&debugger, &queue);
	assert_int_equal(area.hwregs[HW_PC], (uint32_t)entry + BEHIND_TRAP + 4);
	assert_true(area.hwregs[HW_TRAPSTS] & 1u << 25);
	area.hwregs[HW_TRAPSTS] = 0;
	area.ttmps[6] &= ~TTMP6_STOPPED;
	area.hwregs[HW_STATUS] &= ~STATUS_HALT;
	area.hwregs[HW_MODE] &= ~MODE_STEP;
	resume(&debugger, &queue);
	assert_true(aql_wait(&queue, 2));
	assert_int_equal(result_of(&queue, 9), 7);
	detach(&debugger);
}

static int start_gfx1100(void **state)
{
	return session_start_with(state, "gfx1100", 0);
}

static int start_gfx1201(void **state)
{
	return session_start_with(state, "gfx1201", 0);
}

/* The same as KERNEL, in the words of gfx11 and gfx12. */
static const uint32_t stops_gfx11[] = {
	0xf4040080, 0xf8000000, 0x30020082, 0x7e040287, 0xbf900001,
	0xbf89fc07, 0xdc6a0000, 0x00020201, 0xbfb00000,
};
static const uint32_t stops_gfx12[] = {
	0xf4002080, 0xf8000000, 0x30020082, 0x7e040287, 0xbf900001,
	0xbfc70000, 0xee068002, 0x01000000, 0x00000001, 0xbfb00000,
};
static const uint32_t forever_gfx11[] = {0xbfa0ffff, 0xbfb00000};
/* s_cmp_eq_u32 s0, s0; s_cbranch_scc1 to itself; end. */
static const uint32_t equal_gfx12[] = {0xbf060000, 0xbfa2ffff, 0xbfb00000};

/* The words of the one wave of a suspended queue, found as the reader of cores finds them. */
struct saved {
	struct wt_save_area_wave place;
	uint32_t *hwregs, *ttmps, *vgprs;
	uint32_t count;
};
enum { GFX11_MODE = 8, GFX12_STATE = 5, GFX12_EXCP_PRIV, GFX12_TRAP_CTRL = 12, GFX12_STATUS };

/* A debugger changes these on each GPU: words among the hardware registers, bits of them, and the temporary that a pc is parked in. */
struct later {
	const char *name;
	const uint32_t *words;
	size_t count;
	uint32_t halt_at, halt, step_at, step, told_at, stepped, parked;
};
static const struct later gfx11 = {
	"gfx1100", stops_gfx11, sizeof(stops_gfx11) / 4,
	HW_STATUS, STATUS_HALT, GFX11_MODE,
	MODE_STEP, HW_TRAPSTS,	1u << 20,
	7,
};
static const struct later gfx12 = {
	"gfx1201",	 stops_gfx12, sizeof(stops_gfx12) / 4, GFX12_STATE, 1u << 14,
	GFX12_TRAP_CTRL, 1u << 9,     GFX12_EXCP_PRIV,	       1u << 11,    10,
};

static size_t read_here(void *opaque, uint64_t address, void *data, size_t size)
{
	(void)opaque;
	memcpy(data, (const void *)(uintptr_t)address, size);
	return size;
}

static struct wt_error *found_saved(void *opaque, const struct wt_save_area_wave *wave)
{
	struct saved *saved = opaque;

	saved->place = *wave;
	saved->hwregs = (uint32_t *)(uintptr_t)wave->hwregs;
	saved->ttmps = (uint32_t *)(uintptr_t)wave->ttmps;
	saved->vgprs = (uint32_t *)(uintptr_t)wave->vgprs;
	saved->count++;
	return NULL;
}

static struct saved saved_find(const struct later *gpu, const struct aql *queue)
{
	const struct wt_memory_view memory = {.read = read_here};
	struct saved saved = {0};

	assert_null(wt_save_area_walk(wt_save_area_layout_find(gfx_architecture_by_name(gpu->name)),
				      &memory, queue->save.address, queue->save.size - PAGE,
				      found_saved, &saved));
	return saved;
}

static struct saved suspend_later(const struct later *gpu, const struct debugger *debugger,
				  const struct aql *queue)
{
	struct saved saved;

	assert_int_equal(debugger_suspend(debugger, queue->id, NULL), 1);
	saved = saved_find(gpu, queue);
	assert_int_equal(saved.count, 1);
	return saved;
}

static uint64_t saved_parked_pc(const struct later *gpu, const struct saved *saved)
{
	return saved->ttmps[gpu->parked] | (uint64_t)(saved->ttmps[11] >> 7 & 0xffff) << 32;
}

static void saved_run(const struct later *gpu, const struct saved *saved, bool step)
{
	uint64_t pc = saved_parked_pc(gpu, saved);

	saved->hwregs[HW_PC] = (uint32_t)pc;
	saved->hwregs[HW_PC_HIGH] = (uint32_t)(pc >> 32);
	saved->hwregs[gpu->halt_at] &= ~gpu->halt;
	saved->hwregs[gpu->told_at] = 0;
	saved->hwregs[gpu->step_at] &= ~gpu->step;
	saved->hwregs[gpu->step_at] |= step ? gpu->step : 0;
	saved->ttmps[6] &= ~(TTMP6_STOPPED | 1u << 29);
}

/* Parked as on gfx90a, with the packet where that has it. */
static void check_gfx11_state(const struct saved *saved)
{
	assert_int_equal(saved->ttmps[4] | saved->ttmps[5] | saved->ttmps[8] | saved->ttmps[9] |
				 saved->ttmps[10] | (saved->ttmps[11] & 0x3f),
			 0);
	assert_int_equal(saved->hwregs[HW_STATUS] & (STATUS_HALT | 1u << 18),
			 STATUS_HALT | 1u << 18);
}

/* The temporaries were set up by the trap handler, y and z are valid; status and mode have nothing of the stop. */
static void check_gfx12_state(const struct saved *saved)
{
	assert_int_equal(saved->ttmps[4] | saved->ttmps[5] | saved->ttmps[7] | saved->ttmps[9], 0);
	assert_int_equal(saved->ttmps[8], 3u << 30);
	assert_int_equal(saved->hwregs[GFX12_STATE] & 1u << 14, 1u << 14);
	assert_int_equal(saved->hwregs[GFX12_STATUS] & (STATUS_HALT | 1u << 18), 0);
	assert_int_equal(saved->hwregs[GFX11_MODE] & (MODE_STEP | 0xff000), 0);
}

/* The wave is stopped, makes a step, of which a bit tells, and goes on with other registers. */
static void check_later(const struct later *gpu, struct session *session, uint32_t lanes)
{
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	uint64_t entry = launch_lanes(&queue, gpu->words, gpu->count, lanes);
	struct saved saved;

	expect_event(&debugger, TRAP, queue.id);
	saved = suspend_later(gpu, &debugger, &queue);
	assert_int_equal(saved.place.sizes.lane_count, lanes);
	assert_int_equal(saved.place.sizes.vgpr_count, lanes == 32 ? 16 : 8);
	assert_int_equal(saved.ttmps[6], 1u << 25 | TTMP6_STOPPED);
	if (gpu == &gfx12)
		check_gfx12_state(&saved);
	else
		check_gfx11_state(&saved);
	assert_int_equal(saved_parked_pc(gpu, &saved), entry + BEHIND_TRAP);
	assert_int_equal(saved.vgprs[2 * lanes], 7);
	assert_int_equal(saved.vgprs[1 * lanes + 3], 12);
	saved_run(gpu, &saved, true);
	resume(&debugger, &queue);
	expect_event(&debugger, TRAP, queue.id);
	saved = suspend_later(gpu, &debugger, &queue);
	assert_int_equal(saved_parked_pc(gpu, &saved), entry + BEHIND_TRAP + 4);
	assert_int_equal(saved.hwregs[gpu->told_at], gpu->stepped);
	for (uint32_t lane = 0; lane < lanes; lane++)
		saved.vgprs[2 * lanes + lane] = 9 + lane;
	saved_run(gpu, &saved, false);
	resume(&debugger, &queue);
	assert_true(aql_wait(&queue, 1));
	for (uint32_t lane = 0; lane < LANES; lane++)
		assert_int_equal(result_of(&queue, lane), lane < lanes ? 9 + lane : 0);
	detach(&debugger);
}

static void gfx1100_stops_short_waves(void **state)
{
	check_later(&gfx11, *state, 32);
}

static void gfx1100_stops_long_waves(void **state)
{
	check_later(&gfx11, *state, 64);
}

static void gfx1201_stops_short_waves(void **state)
{
	check_later(&gfx12, *state, 32);
}

static void gfx1201_stops_long_waves(void **state)
{
	check_later(&gfx12, *state, 64);
}

/* A wave that runs has its state where gfx12 has it, as far as a debugger finds it, and goes on with what that has changed. */
static void gfx1201_runs_with_its_state(void **state)
{
	struct aql queue;
	struct debugger debugger = begin(*state, ALL, &queue);
	struct kfd_debug_trap args = {.launch_override = {KFD_OVERRIDE_OR, 0x81, 0x81, 0}};
	const uint32_t equal = 1u << 9;
	struct saved saved;

	debug_must(&debugger, KFD_DEBUG_LAUNCH_OVERRIDE, &args);
	assert_int_equal(args.launch_override.support, 0xc00001ff);
	launch_lanes(&queue, equal_gfx12, sizeof(equal_gfx12) / 4, 32);
	while (true) {
		assert_int_equal(debugger_suspend(&debugger, queue.id, NULL), 1);
		saved = saved_find(&gfx12, &queue);
		if (saved.count && saved.hwregs[GFX12_STATE] & equal)
			break;
		resume(&debugger, &queue);
	}
	assert_int_equal(saved.hwregs[GFX12_TRAP_CTRL], 0x81);
	assert_int_equal(saved.hwregs[GFX12_STATE] & 1u << 14, 0);
	assert_int_equal(saved.hwregs[GFX12_STATUS] & 1, 0);
	assert_int_equal(saved.hwregs[GFX12_EXCP_PRIV], 0);
	/* The trap handler has not run. */
	assert_int_equal(saved.ttmps[8], 1u << 30);
	resume(&debugger, &queue);
	saved = suspend_later(&gfx12, &debugger, &queue);
	saved.hwregs[GFX12_STATE] &= ~equal;
	resume(&debugger, &queue);
	assert_true(aql_wait(&queue, 1));
	detach(&debugger);
}

/* Exceptions of arithmetic can be made precise, memory cannot. */
static void gfx1201_has_precise_arithmetic(void **state)
{
	struct kfd_debug_trap args = {.set_flags = {KFD_FLAG_PRECISE_ALU, 0}};
	struct aql queue;
	struct debugger debugger = begin(*state, ALL, &queue);

	debug_must(&debugger, KFD_DEBUG_SET_FLAGS, &args);
	assert_int_equal(args.set_flags.flags, 0);
	args.set_flags.flags = KFD_FLAG_PRECISE_ALU | KFD_FLAG_PRECISE_MEMORY;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_SET_FLAGS, &args), -EACCES);
	args.set_flags.flags = 0;
	debug_must(&debugger, KFD_DEBUG_SET_FLAGS, &args);
	assert_int_equal(args.set_flags.flags, KFD_FLAG_PRECISE_ALU);
	detach(&debugger);
}

/* Its clauses hang where memory is precise, so that its driver has taken that back; nor does it trap at the ends of waves. */
static void gfx1100_refuses_what_it_has_not(void **state)
{
	struct kfd_debug_trap args = {.set_flags = {KFD_FLAG_PRECISE_MEMORY, 0}};
	struct aql queue;
	struct debugger debugger = begin(*state, ALL, &queue);

	assert_int_equal(debug_call(&debugger, KFD_DEBUG_SET_FLAGS, &args), -EACCES);
	args = (struct kfd_debug_trap){.launch_override = {KFD_OVERRIDE_OR, 0, 1u << 30, 0}};
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_LAUNCH_OVERRIDE, &args), -EACCES);
	assert_int_equal(args.launch_override.support, 0x1ff);
	detach(&debugger);
}

/*
 * Four workgroups each add to one word 32767 times, and make of its values what they store by their number: it depends on
 * the order of their turns. (s_load s[4:5]; one lane; loop: global_atomic_add v3; v4 = 31 * v4 + v3; store v4 at 64.)
 */
static const uint32_t counts[] = {
	0xc0060100, 0x00000000, 0xbefe0181, 0x7e020280, 0x7e040281, 0x7e080280,
	0x7e0a029f, 0xb0067fff, 0xbf8cc07f, 0xdd098000, 0x03040201, 0xbf8c0f70,
	0xd2850004, 0x00020b04, 0x68080704, 0x80868106, 0xbf078006, 0xbf85fff7,
	0x8e078202, 0x7e020207, 0xdc708040, 0x00040401, 0xbf810000,
};

static void suspending_changes_nothing(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	uint32_t results[2][4];
	size_t suspended = 0;

	for (size_t run = 0; run < 2; run++) {
		launch_groups(&queue, counts, sizeof(counts) / 4, 4);
		while (run && *(volatile uint64_t *)(void *)(queue.structure.data + 0x80) < 2) {
			const uint32_t *head = (const uint32_t *)(const void *)queue.save.data;

			assert_int_equal(debugger_suspend(&debugger, queue.id, NULL), 1);
			suspended += head[3] != 0;
			resume(&debugger, &queue);
		}
		assert_true(aql_wait(&queue, run + 1));
		assert_int_equal(result_of(&queue, 0), 4 * 32767);
		for (size_t i = 0; i < 4; i++)
			results[run][i] = result_of(&queue, 16 + i);
	}
	assert_memory_equal(results[0], results[1], sizeof(results[0]));
	assert_true(suspended > 3);
	detach(&debugger);
}

/* ---- Exceptions ---- */

static void a_memory_violation_is_the_debuggers_and_can_be_passed_on(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	const uint64_t of_queue = KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MEMORY);
	const uint64_t of_device = KFD_EXCEPTION(KFD_EXCEPTION_DEVICE_MEMORY);
	struct kfd_device_memory_exception violation;
	struct kfd_debug_trap args = {.set_flags = {KFD_FLAG_PRECISE_MEMORY, 0}};
	uint64_t *told = told_runtime(&queue);
	struct area area;

	debug_must(&debugger, KFD_DEBUG_SET_FLAGS, &args);
	launch(&queue, faults, sizeof(faults) / 4);
	assert_true(debugger_notified(&debugger));
	/* The queue comes first, then the device, in two queries. */
	args.query_event.exceptions = ALL & ~RUNTIME;
	debug_must(&debugger, KFD_DEBUG_QUERY_EVENT, &args);
	assert_int_equal(args.query_event.exceptions, of_queue);
	args.query_event.exceptions = 0;
	debug_must(&debugger, KFD_DEBUG_QUERY_EVENT, &args);
	assert_int_equal(args.query_event.exceptions, of_device);
	assert_int_equal(args.query_event.queue_id, 0);
	args = (struct kfd_debug_trap){.query_exception = {(uintptr_t)&violation, sizeof(violation),
							   session->gpu_id,
							   KFD_EXCEPTION_DEVICE_MEMORY, 1}};
	debug_must(&debugger, KFD_DEBUG_QUERY_EXCEPTION, &args);
	assert_int_equal(args.query_exception.size, sizeof(violation));
	assert_int_equal(violation.address, 64);
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_QUERY_EXCEPTION, &args), -ENODATA);
	area = suspend(&debugger, &queue);
	assert_int_equal(area.hwregs[HW_TRAPSTS] & (1u << 8 | 1u << 28), 1u << 8 | 1u << 28);
	assert_int_equal(area.ttmps[6] >> 25 & 15, 0);
	resume(&debugger, &queue);
	assert_int_equal(*told, 0);
	args = (struct kfd_debug_trap){.send = {of_queue | of_device, session->gpu_id, queue.id}};
	debug_must(&debugger, KFD_DEBUG_SEND_RUNTIME_EVENT, &args);
	assert_int_equal(*told, of_queue);
	args.send.queue_id = 999;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_SEND_RUNTIME_EVENT, &args), -EINVAL);
	args.send.gpu_id = 1;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_SEND_RUNTIME_EVENT, &args), -ENODEV);
	detach(&debugger);
}

/* What nobody has subscribed to goes to the runtime, and is kept for who subscribes later. */
static void what_is_not_wanted_is_the_runtimes(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, RUNTIME, &queue);
	const uint64_t exception = KFD_EXCEPTION(KFD_EXCEPTION_WAVE_ILLEGAL);
	struct kfd_debug_trap args = {.query_event = {WAVES, 0, 0}};
	uint64_t *told = told_runtime(&queue);
	struct area area;

	launch(&queue, illegal, 2);
	for (int i = 0; i < 20000 && !__atomic_load_n(told, __ATOMIC_ACQUIRE); i++)
		usleep(1000);
	assert_int_equal(*told, exception);
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_QUERY_EVENT, &args), -EAGAIN);
	args.set_exceptions.exceptions = ALL;
	debug_must(&debugger, KFD_DEBUG_SET_EXCEPTIONS, &args);
	expect_event(&debugger, exception, queue.id);
	area = suspend(&debugger, &queue);
	assert_int_equal(area.hwregs[HW_TRAPSTS] & 1u << 11, 1u << 11);
	detach(&debugger);
}

/* Suspending takes exceptions off the queue, but no others. */
static void suspending_clears_exceptions(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	uint32_t id = queue.id;
	struct kfd_debug_trap args;

	launch(&queue, stops, sizeof(stops) / 4);
	assert_true(debugger_notified(&debugger));
	args = (struct kfd_debug_trap){.suspend = {WAVES, (uintptr_t)&id, 1, 0}};
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_SUSPEND_QUEUES, &args), 1);
	args.query_event.exceptions = 0;
	assert_int_equal(debug_call(&debugger, KFD_DEBUG_QUERY_EVENT, &args), -EAGAIN);
	detach(&debugger);
}

/* ---- Launches and watches ---- */

static void waves_are_halted_at_their_launch(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	struct kfd_debug_trap args = {.launch_mode = {KFD_LAUNCH_HALT, 0}};
	struct area area;
	uint64_t entry;

	debug_must(&debugger, KFD_DEBUG_LAUNCH_MODE, &args);
	entry = launch(&queue, plain, sizeof(plain) / 4);
	area = suspend_when_launched(&debugger, &queue);
	assert_int_equal(area.hwregs[HW_PC] | (uint64_t)area.hwregs[HW_PC_HIGH] << 32, entry);
	assert_int_equal(area.hwregs[HW_STATUS] & STATUS_HALT, STATUS_HALT);
	assert_int_equal(area.ttmps[6] & TTMP6_STOPPED, 0);
	args.launch_mode.mode = KFD_LAUNCH_NORMAL;
	debug_must(&debugger, KFD_DEBUG_LAUNCH_MODE, &args);
	resume(&debugger, &queue);
	usleep(20000);
	assert_int_equal(*(uint64_t *)(void *)(queue.structure.data + 0x80), 0);
	area = suspend(&debugger, &queue);
	area.hwregs[HW_STATUS] &= ~STATUS_HALT;
	resume(&debugger, &queue);
	assert_true(aql_wait(&queue, 1));
	assert_int_equal(result_of(&queue, 0), 7);
	detach(&debugger);
}

static void waves_are_launched_stepping(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	struct kfd_debug_trap args = {.launch_mode = {KFD_LAUNCH_DEBUG, 0}};
	struct area area;
	uint64_t entry;

	debug_must(&debugger, KFD_DEBUG_LAUNCH_MODE, &args);
	entry = launch(&queue, plain, sizeof(plain) / 4);
	expect_event(&debugger, TRAP, queue.id);
	area = suspend(&debugger, &queue);
	assert_int_equal(area_parked_pc(&area), entry + 8);
	assert_true(area.hwregs[HW_MODE] & MODE_STEP);
	area_run(&area, false);
	resume(&debugger, &queue);
	assert_true(aql_wait(&queue, 1));
	detach(&debugger);
}

static void a_watched_address_stops_who_writes_there(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	struct kfd_debug_trap args = {.launch_override = {KFD_OVERRIDE_OR, 0x80, 0x80, 0}};
	struct area area;
	uint64_t entry;

	debug_must(&debugger, KFD_DEBUG_LAUNCH_OVERRIDE, &args);
	args = (struct kfd_debug_trap){.set_watch = {queue.room.address + 12288 + 64,
						     KFD_WATCH_NONREAD, 0xffffffc0, session->gpu_id,
						     0}};
	debug_must(&debugger, KFD_DEBUG_SET_WATCH, &args);
	entry = launch(&queue, plain, sizeof(plain) / 4);
	expect_event(&debugger, TRAP, queue.id);
	area = suspend(&debugger, &queue);
	assert_int_equal(area.hwregs[HW_TRAPSTS] & (1u << 7 | 7u << 12), 1u << 7);
	assert_true(area.hwregs[HW_MODE] & 1u << 19);
	assert_int_equal(area_parked_pc(&area), entry + BEHIND_STORE);
	assert_int_equal(result_of(&queue, 16), 7);
	area.hwregs[HW_TRAPSTS] = 0;
	area_run(&area, false);
	resume(&debugger, &queue);
	assert_true(aql_wait(&queue, 1));
	/* Reading is something else, and so is a watch that has been taken away. */
	args = (struct kfd_debug_trap){.clear_watch = {session->gpu_id, 0}};
	debug_must(&debugger, KFD_DEBUG_CLEAR_WATCH, &args);
	args = (struct kfd_debug_trap){.set_watch = {queue.room.address + 12288 + 64,
						     KFD_WATCH_READ, 0xffffffc0, session->gpu_id,
						     0}};
	debug_must(&debugger, KFD_DEBUG_SET_WATCH, &args);
	launch(&queue, plain, sizeof(plain) / 4);
	assert_true(aql_wait(&queue, 2));
	detach(&debugger);
}

/* ---- Queues that go, and debuggers ---- */

struct destruction {
	struct session *session;
	int connection, result;
	uint32_t queue;
};

static void *destroy_queue(void *opaque)
{
	struct destruction *destruction = opaque;
	struct kfd_destroy_queue args = {.queue_id = destruction->queue};

	destruction->result = call_on(destruction->connection, WT_WIRE_KFD,
				      (uint32_t)CALL(0x03, args), &args, sizeof(args));
	return NULL;
}

static void destroying_waits_for_the_debugger(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	struct destruction destruction = {.session = session, .result = 1, .queue = queue.id};
	pthread_t thread;
	uint32_t id;

	destruction.connection = wt_wire_connect(session->directory, WT_WIRE_THREAD, NULL, NULL);
	assert_int_equal(debugger_suspend(&debugger, queue.id, NULL), 1);
	assert_int_equal(pthread_create(&thread, NULL, destroy_queue, &destruction), 0);
	usleep(50000);
	assert_int_equal(destruction.result, 1);
	resume(&debugger, &queue);
	pthread_join(thread, NULL);
	assert_int_equal(destruction.result, 0);
	assert_int_equal(debugger_suspend(&debugger, queue.id, &id), 0);
	assert_int_equal(id, queue.id | KFD_QUEUE_INVALID);
	assert_int_equal(debugger_resume(&debugger, queue.id, &id), 0);
	assert_int_equal(id, queue.id | KFD_QUEUE_INVALID);
	close(destruction.connection);
	detach(&debugger);
}

/* Letting go takes what is in the save areas, and forgets all that was asked for. */
static void letting_go_resumes(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	struct kfd_debug_trap args = {.launch_mode = {KFD_LAUNCH_HALT, 0}};
	struct kfd_runtime_info info;
	struct area area;

	launch(&queue, stops, sizeof(stops) / 4);
	expect_event(&debugger, TRAP, queue.id);
	debug_must(&debugger, KFD_DEBUG_LAUNCH_MODE, &args);
	area = suspend(&debugger, &queue);
	area_run(&area, false);
	debug_must(&debugger, KFD_DEBUG_DISABLE, &args);
	assert_true(aql_wait(&queue, 1));
	launch(&queue, plain, sizeof(plain) / 4);
	assert_true(aql_wait(&queue, 2));
	assert_int_equal(debugger_attach(&debugger, ALL, &info), 0);
	assert_int_equal(info.state, KFD_RUNTIME_ENABLED);
	detach(&debugger);
}

/* A debugger in a process of its own, which ends without a word. It is attached when this returns. */
static pid_t start_debugger(struct session *session,
			    void (*act)(const struct debugger *, const struct aql *),
			    const struct aql *queue)
{
	struct session own = *session;
	struct debugger debugger;
	struct kfd_runtime_info info;
	pid_t child, target = getpid();
	int ready[2];
	char byte;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child) {
		close(ready[1]);
		assert_int_equal(read(ready[0], &byte, 1), 1);
		close(ready[0]);
		return child;
	}
	own.anchor = wt_wire_connect(own.directory, WT_WIRE_ANCHOR, own.files, NULL);
	prctl(PR_SET_PTRACER, (unsigned long)own.owner, 0, 0, 0);
	own.thread = wt_wire_connect(own.directory, WT_WIRE_THREAD, NULL, NULL);
	debugger = debugger_of(&own, target);
	if (ptrace(PTRACE_SEIZE, target, 0, 0))
		_exit(2);
	if (debugger_attach(&debugger, ALL, &info) || info.state != KFD_RUNTIME_ENABLED)
		_exit(3);
	debugger_see_queue(&debugger, NEW);
	if (write(ready[1], "x", 1) != 1)
		_exit(4);
	act(&debugger, queue);
	_exit(0);
}

static void wait_for_death(struct session *session, pid_t debugger)
{
	int status;

	assert_int_equal(waitpid(debugger, &status, 0), debugger);
	assert_int_equal(status, 0);
	prctl(PR_SET_PTRACER, (unsigned long)session->owner, 0, 0, 0);
}

/* What was asked for of waves to come, and a queue that stands still. */
static void hold(const struct debugger *debugger, const struct aql *queue)
{
	struct kfd_debug_trap args = {.launch_mode = {KFD_LAUNCH_HALT, 0}};

	debug_must(debugger, KFD_DEBUG_LAUNCH_MODE, &args);
	assert_int_equal(debugger_suspend(debugger, queue->id, NULL), 1);
}

/* The wave stands at a breakpoint. */
static void wait_for_stop(const struct debugger *debugger, const struct aql *queue)
{
	expect_event(debugger, TRAP, queue->id);
}

/* The wave that goes round is stopped, as a debugger does it, and would end. */
static void stop_wave(const struct debugger *debugger, const struct aql *queue)
{
	struct area area = suspend_when_launched(debugger, queue);
	uint32_t pc = area.hwregs[HW_PC] + 4;

	area.ttmps[6] |= TTMP6_STOPPED;
	area.ttmps[7] = pc;
	area.ttmps[11] |= area.hwregs[HW_PC_HIGH] << 7;
	area.hwregs[HW_STATUS] |= STATUS_HALT;
	resume(debugger, queue);
}

/* The wave cannot go on, and the debugger has heard of it. */
static void wait_for_fault(const struct debugger *debugger, const struct aql *queue)
{
	expect_event(debugger, KFD_EXCEPTION(KFD_EXCEPTION_WAVE_ILLEGAL), queue->id);
}

static void a_program_outlives_its_debugger(void **state)
{
	struct session *session = *state;
	struct aql queue;
	uint64_t *told;
	pid_t debugger;

	session_acquire(session);
	assert_int_equal(runtime_comes(session, session->thread, R_DEBUG), 0);
	queue = session_queue(session);
	wait_for_death(session, start_debugger(session, hold, &queue));
	launch(&queue, plain, sizeof(plain) / 4);
	assert_true(aql_wait(&queue, 1));
	debugger = start_debugger(session, wait_for_stop, &queue);
	launch(&queue, stops, sizeof(stops) / 4);
	wait_for_death(session, debugger);
	assert_true(aql_wait(&queue, 2));
	launch(&queue, forever, 2);
	wait_for_death(session, start_debugger(session, stop_wave, &queue));
	assert_true(aql_wait(&queue, 3));
	told = told_runtime(&queue);
	debugger = start_debugger(session, wait_for_fault, &queue);
	launch(&queue, illegal, 2);
	wait_for_death(session, debugger);
	for (int i = 0; i < 20000 && !__atomic_load_n(told, __ATOMIC_ACQUIRE); i++)
		usleep(1000);
	assert_int_equal(*told, KFD_EXCEPTION(KFD_EXCEPTION_WAVE_ILLEGAL));
}

static void a_save_area_that_is_too_small_is_an_error(void **state)
{
	struct session *session = *state;
	struct debugger debugger = debugger_of(session, getpid());
	struct kfd_runtime_info info;
	struct kfd_destroy_queue destroy;
	struct aql queue;
	uint32_t id;
	int result;

	session_acquire(session);
	assert_int_equal(runtime_comes(session, session->thread, R_DEBUG), 0);
	queue = session_queue_with(session, PAGE);
	assert_int_equal(debugger_attach(&debugger, ALL, &info), 0);
	debugger_see_queue(&debugger, NEW);
	launch(&queue, forever, 2);
	/* As long as there is no wave, it is large enough. */
	while ((result = debugger_suspend(&debugger, queue.id, &id)) == 1)
		assert_int_equal(debugger_resume(&debugger, queue.id, NULL), 1);
	assert_int_equal(result, 0);
	assert_int_equal(id, queue.id | KFD_QUEUE_ERROR);
	detach(&debugger);
	destroy.queue_id = queue.id;
	assert_int_equal(call(session, 0x03, &destroy), 0);
}

/* A number of the agent's in the topology. */
static uint32_t property_of(const struct session *session, const char *name)
{
	char path[256], found[64];
	uint32_t value = 0;
	uint64_t number;
	FILE *file;

	snprintf(path, sizeof(path),
		 "%s/" WT_WIRE_ROOT "/sys/devices/virtual/kfd/kfd/topology/nodes/1/properties",
		 session->directory);
	file = fopen(path, "re");
	assert_non_null(file);
	while (!value && fscanf(file, "%63s %" SCNu64, found, &number) == 2)
		value = !strcmp(found, name) ? (uint32_t)number : 0;
	fclose(file);
	return value;
}

/* As many waves as fill the device, to the last register, are saved in an area of the size that the topology tells, and go on. */
static void a_full_device_fits_into_its_save_area(void **state)
{
	struct session *session = *state;
	struct debugger debugger = debugger_of(session, getpid());
	uint32_t waves =
		property_of(session, "simd_count") * property_of(session, "max_waves_per_simd");
	uint32_t size = property_of(session, "cwsr_size"), found = 0;
	const bool later = property_of(session, "gfx_target_version") >= 110000;
	/* Words on the control stack, and bytes of a compute unit. */
	const uint32_t words = later ? 3 : 2, unit_bytes = later ? 0x75000 : 0x95000;
	struct kfd_destroy_queue destroy = {0};
	struct kfd_runtime_info info;
	const uint32_t *head;
	struct aql queue;

	assert_int_equal(size, property_of(session, "ctl_stack_size") + waves / 32 * unit_bytes);
	session_acquire(session);
	assert_int_equal(runtime_comes(session, session->thread, R_DEBUG), 0);
	queue = session_queue_with(session, size);
	head = (const uint32_t *)(const void *)queue.save.data;
	assert_int_equal(debugger_attach(&debugger, ALL, &info), 0);
	debugger_see_queue(&debugger, NEW);
	launch_full(&queue, later ? forever_gfx11 : forever, 2, waves + 1);
	/* Two words of the control stack are not of waves. */
	while (found < waves) {
		assert_int_equal(debugger_suspend(&debugger, queue.id, NULL), 1);
		found = head[3] ? (head[1] / 4 - 2) / words : 0;
		assert_true(found <= waves && head[2] <= size);
		assert_int_equal(debugger_resume(&debugger, queue.id, NULL), 1);
	}
	detach(&debugger);
	destroy.queue_id = queue.id;
	assert_int_equal(call(session, 0x03, &destroy), 0);
}

/* Whatever a debugger leaves in a save area, the owner is there afterwards. */
static void any_save_area_is_survived(void **state)
{
	struct session *session = *state;
	struct aql queue;
	struct debugger debugger = begin(session, ALL, &queue);
	uint64_t random = 88172645463325252u;
	struct kfd_destroy_queue destroy = {.queue_id = queue.id};

	launch(&queue, stops, sizeof(stops) / 4);
	assert_true(debugger_notified(&debugger));
	for (int i = 0; i < 2000; i++) {
		uint32_t *words = (uint32_t *)(void *)queue.save.data;

		assert_int_equal(debugger_suspend(&debugger, queue.id, NULL), 1);
		for (int change = 0; change < 3; change++) {
			random ^= random << 13, random ^= random >> 7, random ^= random << 17;
			words[random % (random & 1 << 20 ? 24 : words[2] % 0x7f000 / 4 + 1)] =
				(uint32_t)(random >> 32);
		}
		assert_int_equal(debugger_resume(&debugger, queue.id, NULL), 1);
	}
	detach(&debugger);
	assert_int_equal(call(session, 0x03, &destroy), 0);
	queue = session_queue(session);
	launch(&queue, plain, sizeof(plain) / 4);
	assert_true(aql_wait(&queue, 1));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, session_start, session_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_breakpoint_stops_a_wave),
		TEST(a_wave_makes_steps),
		TEST(a_wave_that_runs_is_saved_running),
		TEST(suspending_changes_nothing),
		cmocka_unit_test_setup_teardown(gfx942_stops_another_way, start_gfx942,
						session_end),
		TEST(a_memory_violation_is_the_debuggers_and_can_be_passed_on),
		TEST(what_is_not_wanted_is_the_runtimes),
		TEST(suspending_clears_exceptions),
		TEST(waves_are_halted_at_their_launch),
		TEST(waves_are_launched_stepping),
		TEST(a_watched_address_stops_who_writes_there),
		TEST(destroying_waits_for_the_debugger),
		TEST(letting_go_resumes),
		TEST(a_program_outlives_its_debugger),
		TEST(a_save_area_that_is_too_small_is_an_error),
		TEST(a_full_device_fits_into_its_save_area),
		cmocka_unit_test_setup_teardown(a_full_device_fits_into_its_save_area, start_gfx942,
						session_end),
		cmocka_unit_test_setup_teardown(a_full_device_fits_into_its_save_area,
						start_gfx1100, session_end),
		cmocka_unit_test_setup_teardown(gfx1100_stops_short_waves, start_gfx1100,
						session_end),
		cmocka_unit_test_setup_teardown(gfx1100_stops_long_waves, start_gfx1100,
						session_end),
		cmocka_unit_test_setup_teardown(gfx1100_refuses_what_it_has_not, start_gfx1100,
						session_end),
		cmocka_unit_test_setup_teardown(a_full_device_fits_into_its_save_area,
						start_gfx1201, session_end),
		cmocka_unit_test_setup_teardown(gfx1201_stops_short_waves, start_gfx1201,
						session_end),
		cmocka_unit_test_setup_teardown(gfx1201_stops_long_waves, start_gfx1201,
						session_end),
		cmocka_unit_test_setup_teardown(gfx1201_runs_with_its_state, start_gfx1201,
						session_end),
		cmocka_unit_test_setup_teardown(gfx1201_has_precise_arithmetic, start_gfx1201,
						session_end),
		TEST(any_save_area_is_survived),
	};

	return cmocka_run_group_tests_name("debugged waves", tests, NULL, NULL);
}
