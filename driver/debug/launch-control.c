/* SPDX-License-Identifier: MIT */
/* How waves are launched, what of memory is watched, and how exact faults are. */
#include <errno.h>
#include <string.h>

#include "driver/debug/internal.h"

/* Exceptions that can be enabled for new waves: arithmetic, address watch, memory violation; and of gfx9.4.3, start and end. */
#define TRAPS_GFX90A 0x1ffu
#define TRAPS_GFX942 0xc00001ffu
#define TARGET_GFX942 90402u

static uint32_t supported_traps(const struct wt_debug_session *session)
{
	uint32_t traps = TRAPS_GFX942;

	for (uint32_t i = 0; i < session->device_count; i++)
		if (session->devices[i].target_version < TARGET_GFX942)
			traps = TRAPS_GFX90A;
	return traps;
}

void wt_debug_apply(struct wt_debug_session *session)
{
	const bool active = session->attached && session->runtime.state == KFD_RUNTIME_ENABLED;
	const struct wt_engine_debug debug = {
		.attached = active,
		.imprecise = active && !(session->flags & KFD_FLAG_PRECISE_MEMORY),
		.halt = session->launch_mode == KFD_LAUNCH_HALT,
		.step = session->launch_mode == KFD_LAUNCH_DEBUG,
		.traps = session->launch_traps,
	};

	wt_engine_set_debug(session->engine, &debug);
}

void wt_debug_forget_controls(struct wt_debug_session *session)
{
	session->launch_mode = KFD_LAUNCH_NORMAL;
	session->launch_traps = session->flags = 0;
	memset(session->watches, 0, sizeof(session->watches));
	for (uint32_t i = 0; i < WT_ENGINE_WATCHES; i++)
		wt_engine_watch(session->engine, i, NULL);
}

int wt_debug_launch_override(struct wt_debug_session *session, struct kfd_debug_trap *args)
{
	uint32_t supported = supported_traps(session), before = session->launch_traps;
	uint32_t requested = args->launch_override.support;

	if (args->launch_override.mode != KFD_OVERRIDE_OR &&
	    args->launch_override.mode != KFD_OVERRIDE_REPLACE)
		return -EPERM;
	args->launch_override.support = supported;
	if (requested & ~supported)
		return -EACCES;
	session->launch_traps = (before & ~requested) | (args->launch_override.enable & requested);
	args->launch_override.enable = before;
	wt_debug_apply(session);
	return 0;
}

int wt_debug_launch_mode(struct wt_debug_session *session, const struct kfd_debug_trap *args)
{
	switch (args->launch_mode.mode) {
	case KFD_LAUNCH_NORMAL:
	case KFD_LAUNCH_HALT:
	case KFD_LAUNCH_DEBUG:
		session->launch_mode = args->launch_mode.mode;
		wt_debug_apply(session);
		return 0;
	default:
		return -EINVAL;
	}
}

/* Ranges are of a power of two: the bits that the mask leaves out are the lowest. */
static bool is_range(uint32_t mask)
{
	uint32_t left_out = ~mask;

	return !(left_out & (left_out + 1));
}

int wt_debug_set_watch(struct wt_debug_session *session, struct kfd_debug_trap *args)
{
	int device = wt_debug_device(session, args->set_watch.gpu_id);
	struct wt_debug_watch *watches;
	uint32_t id = 0;

	if (device < 0)
		return -ENODEV;
	if (!is_range(args->set_watch.mask) || args->set_watch.mode > KFD_WATCH_ALL)
		return -EINVAL;
	watches = session->watches[device];
	while (id < WT_ENGINE_WATCHES && watches[id].set)
		id++;
	if (id == WT_ENGINE_WATCHES)
		return -ENOMEM;
	watches[id] = (struct wt_debug_watch){
		.set = true,
		.address = args->set_watch.address,
		.mode = args->set_watch.mode,
		.mask = args->set_watch.mask,
	};
	args->set_watch.id = id;
	wt_engine_watch(
		session->engine, id,
		&(struct wt_engine_watch){
			.address = watches[id].address & (watches[id].mask | ~(uint64_t)UINT32_MAX),
			.size = (uint64_t)~watches[id].mask + 1,
			.kind = (enum wt_engine_watch_kind)watches[id].mode,
		});
	return 0;
}

int wt_debug_clear_watch(struct wt_debug_session *session, const struct kfd_debug_trap *args)
{
	int device = wt_debug_device(session, args->clear_watch.gpu_id);
	uint32_t id = args->clear_watch.id;
	bool others = false;

	if (device < 0)
		return -ENODEV;
	if (id >= WT_ENGINE_WATCHES || !session->watches[device][id].set)
		return -EINVAL;
	session->watches[device][id].set = false;
	for (uint32_t i = 0; i < session->device_count; i++)
		others |= session->watches[i][id].set;
	if (!others)
		wt_engine_watch(session->engine, id, NULL);
	return 0;
}

int wt_debug_set_flags(struct wt_debug_session *session, struct kfd_debug_trap *args)
{
	uint32_t before = session->flags;

	/* No device that is simulated can make arithmetic exceptions precise on request. */
	if (args->set_flags.flags & KFD_FLAG_PRECISE_ALU)
		return -EACCES;
	session->flags = args->set_flags.flags & KFD_FLAG_PRECISE_MEMORY;
	args->set_flags.flags = before;
	wt_debug_apply(session);
	return 0;
}
