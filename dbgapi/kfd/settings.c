/* SPDX-License-Identifier: MIT */
/*
 * Settings of a process: whether new waves are halted, which exceptions they have enabled, how exact its memory
 * accesses are, and which of its memory is watched. They are kept for a runtime that is loaded later.
 */
#include <errno.h>
#include <stdlib.h>

#include "dbgapi/kfd/internal.h"
#include "device/trap-handler.h"

/* The bit of the launch override by which an address watch traps. */
#define TRAP_ADDRESS_WATCH 0x80u

/* ---- At launch ---- */

static void set_launch_mode(struct wt_live *live, bool halt)
{
	struct kfd_debug_trap args = {
		.launch_mode = {halt ? KFD_LAUNCH_HALT : KFD_LAUNCH_NORMAL, 0}};

	wt_live_call(live, KFD_DEBUG_LAUNCH_MODE, &args);
}

/* Devices that cannot do it refuse it; then only waves that are there when a watchpoint is set hit it. */
static void override_launch(struct wt_live *live, bool watch)
{
	struct kfd_debug_trap args = {.launch_override = {KFD_OVERRIDE_OR,
							  watch ? TRAP_ADDRESS_WATCH : 0,
							  TRAP_ADDRESS_WATCH, 0}};
	int result = wt_live_try(live, KFD_DEBUG_LAUNCH_OVERRIDE, &args);

	if (result != -EACCES && result != -EPERM)
		wt_live_check(live, KFD_DEBUG_LAUNCH_OVERRIDE, result);
}

void wt_live_halt_launches(struct wt_device *device, bool halt)
{
	struct wt_live *live = wt_live_of(device);

	if (live->halting != halt && wt_live_is_loaded(live))
		set_launch_mode(live, halt);
	live->halting = halt;
}

/* ---- Precise memory, and precise exceptions of arithmetic ---- */

static void set_flags(struct wt_live *live, uint32_t flags)
{
	struct kfd_debug_trap args = {.set_flags = {flags, 0}};

	if (live->flags != flags && wt_live_is_loaded(live))
		wt_live_call(live, KFD_DEBUG_SET_FLAGS, &args);
	live->flags = flags;
}

static void settings_set_flag(struct wt_device *device, uint32_t flag, bool wanted)
{
	struct wt_live *live = wt_live_of(device);

	set_flags(live, wanted ? live->flags | flag : live->flags & ~flag);
}

void wt_live_set_precise(struct wt_device *device, bool precise)
{
	settings_set_flag(device, KFD_FLAG_PRECISE_MEMORY, precise);
}

void wt_live_set_precise_alu(struct wt_device *device, bool precise)
{
	settings_set_flag(device, KFD_FLAG_PRECISE_ALU, precise);
}

void wt_live_apply_settings(struct wt_live *live)
{
	const uint32_t flags = live->flags;

	set_launch_mode(live, live->halting);
	live->flags = 0;
	set_flags(live, flags);
}

void wt_live_drop_settings(struct wt_live *live)
{
	for (uint32_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++)
		wt_live_set_watchpoint(&live->core.device, i, NULL);
	if (live->halting)
		set_launch_mode(live, false);
	set_flags(live, 0);
	live->halting = false;
}

/* ---- Watchpoints ---- */

/* Every wave stops, or none does. */
static void set_watching(struct wt_live *live, bool watch)
{
	if (live->watching == watch)
		return;
	live->watching = watch;
	override_launch(live, watch);
	wt_live_hold(live);
	for (size_t i = 0; i < live->core.wave_count; i++) {
		struct wt_core_wave *wave = live->core.waves[i];

		wt_wave_set_watching(&wave->gfx, watch);
		wave->live.dirty = true;
	}
	wt_live_let_go(live);
}

static bool any_watch(const struct wt_live *live)
{
	for (size_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++)
		if (live->watches[i].set)
			return true;
	return false;
}

static void clear_on(struct wt_live *live, const struct wt_live_watch *watch, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct kfd_debug_trap args = {
			.clear_watch = {live->core.agents[i].entry.gpu_id, watch->ids[i]}};

		if (live->core.agents[i].agent.supported)
			wt_live_call(live, KFD_DEBUG_CLEAR_WATCH, &args);
	}
}

/* Return: 0; -ENOMEM if others have all registers of the agent; another error is looked into. */
static int set_on(struct wt_live *live, struct wt_live_watch *watch, size_t agent,
		  const struct wt_device_watchpoint *range)
{
	struct kfd_debug_trap args = {.set_watch = {range->address, range->kind - WT_WATCH_LOAD,
						    (uint32_t)-range->size,
						    live->core.agents[agent].entry.gpu_id, 0}};
	int result;

	if (!live->core.agents[agent].agent.supported)
		return 0;
	result = wt_live_try(live, KFD_DEBUG_SET_WATCH, &args);
	if (result != -ENOMEM)
		wt_live_check(live, KFD_DEBUG_SET_WATCH, result);
	watch->ids[agent] = args.set_watch.id;
	return result;
}

static bool set_everywhere(struct wt_live *live, struct wt_live_watch *watch,
			   const struct wt_device_watchpoint *range)
{
	for (size_t i = 0; i < live->core.agent_count; i++)
		if (set_on(live, watch, i, range) < 0) {
			clear_on(live, watch, i);
			return false;
		}
	return true;
}

bool wt_live_set_watchpoint(struct wt_device *device, uint32_t index,
			    const struct wt_device_watchpoint *watchpoint)
{
	struct wt_live *live = wt_live_of(device);
	struct wt_live_watch *watch = &live->watches[index];

	if (!wt_live_is_loaded(live)) {
		watch->set = false;
		return false;
	}
	if (!watchpoint && watch->set) {
		clear_on(live, watch, live->core.agent_count);
		watch->set = false;
	}
	if (watchpoint && !watch->ids)
		watch->ids = calloc(live->core.agent_count + 1, sizeof(*watch->ids));
	if (watchpoint && !watch->ids)
		return false;
	if (watchpoint) {
		set_watching(live, true);
		watch->set = set_everywhere(live, watch, watchpoint);
	}
	if (!any_watch(live))
		set_watching(live, false);
	return watch->set == !!watchpoint;
}

/* The driver's register of a watchpoint need not have the same number on each agent. */
uint32_t wt_live_watchpoints_hit(struct wt_device *device, const struct wt_device_wave *device_wave)
{
	const struct wt_core_wave *wave = wt_live_wave_of(device_wave);
	const struct wt_live *live = wt_live_of(device);
	size_t agent = (size_t)(wave->queue->agent - live->core.agents);
	uint32_t registers = wt_wave_watches_hit(&wave->gfx), hit = 0;

	for (uint32_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++) {
		const struct wt_live_watch *watch = &live->watches[i];

		if (watch->set && watch->ids[agent] < WT_DEVICE_WATCHPOINTS &&
		    registers >> watch->ids[agent] & 1)
			hit |= UINT32_C(1) << i;
	}
	return hit;
}
