/* SPDX-License-Identifier: MIT */
/*
 * Save areas for tests in Python: the waves in one, and a wave that nothing here executes, which is saved and loaded as hardware of its
 * family does it. What the library writes into the area is found in the wave, and prepared anew.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "device/save-area/area.h"
#include "device/trap-handler.h"

#define EXPORT __attribute__((visibility("default")))
#define VGPRS 8
#define SGPRS 10 /* and six others */
#define LANES_64 64
#define HEAD_BYTES 24 /* of which the last eight are the debugger's memory */
#define MODE_STEP (1u << 11)
#define MODE_WATCH (1u << 19)
/* The same of gfx12, where they are in trap_ctrl. */
#define TRAP_CTRL_STEP (1u << 9)
#define TRAP_CTRL_WATCH (1u << 7)
#define SCC_GFX12 (1u << 9) /* of state_priv */

/* The places of a wave's parts in an area, as the test has them. */
struct saved_wave {
	uint64_t hwregs, ttmps, vgprs, lane_count, vgpr_count;
};
EXPORT uint32_t saved_wave_find(const char *architecture, uint64_t address, uint64_t size,
				struct saved_wave *wave_ret);

/* The one wave of a device. */
EXPORT void family_prepare(const char *architecture, uint32_t lanes, uint64_t pc,
			   uint64_t flat_scratch);
EXPORT bool family_save(uint8_t *area, uint64_t bytes, uint32_t xccs);
EXPORT bool family_load(uint8_t *first_area, bool hits);
EXPORT uint64_t family_get(const char *what, uint32_t index);

static struct {
	const struct wt_save_area_layout *layout;
	struct gfx_wave wave;
	uint32_t vgprs[VGPRS * LANES_64], agprs[VGPRS * LANES_64];
	struct wt_save_area_wave place;
	uint8_t head[HEAD_BYTES]; /* the driver's own */
} family;

static size_t read_own(void *opaque, uint64_t address, void *data, size_t size)
{
	(void)opaque;
	memcpy(data, (const void *)(uintptr_t)address, size);
	return size;
}

static const struct wt_memory_view own_memory = {.read = read_own};

static struct wt_error *note_place(void *opaque, const struct wt_save_area_wave *wave)
{
	struct saved_wave *saved = opaque;

	family.place = *wave;
	if (saved)
		*saved = (struct saved_wave){wave->hwregs, wave->ttmps, wave->vgprs,
					     wave->sizes.lane_count, wave->sizes.vgpr_count};
	return NULL;
}

struct count {
	struct saved_wave *wave_ret;
	uint32_t count;
};

static struct wt_error *count_wave(void *opaque, const struct wt_save_area_wave *wave)
{
	struct count *count = opaque;

	count->count++;
	return note_place(count->wave_ret, wave);
}

/* Return: how many waves there are; the last of them in @wave_ret. UINT32_MAX for an area that is none. */
uint32_t saved_wave_find(const char *architecture, uint64_t address, uint64_t size,
			 struct saved_wave *wave_ret)
{
	struct count count = {.wave_ret = wave_ret};
	struct wt_error *error =
		wt_save_area_walk(wt_save_area_layout_find(gfx_architecture_by_name(architecture)),
				  &own_memory, address, size, count_wave, &count);

	wt_error_destroy(error);
	return error ? UINT32_MAX : count.count;
}

/* gfx12 has other registers for what a debugger and hardware tell each other. */
static bool is_gfx12(void)
{
	return family.layout->handler->excp_flags;
}

static bool watching_is_enabled(void)
{
	return is_gfx12() ? family.wave.trap_ctrl & TRAP_CTRL_WATCH : family.wave.mode & MODE_WATCH;
}

static uint32_t *told_at(void)
{
	return is_gfx12() ? &family.wave.excp_flag_priv : &family.wave.trapsts;
}

/* A wave that stands at a breakpoint. */
void family_prepare(const char *name, uint32_t lanes, uint64_t pc, uint64_t flat_scratch)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_name(name);

	memset(&family, 0, sizeof(family));
	family.layout = wt_save_area_layout_find(architecture);
	family.wave = (struct gfx_wave){
		.architecture = architecture,
		.lane_count = lanes,
		.pc = pc,
		.exec = UINT64_C(0xff00ff00ff00ff00) >> (LANES_64 - lanes),
		.sgpr_count = family.layout->fixed_sgprs ? family.layout->named_sgprs : SGPRS,
		.vcc = 0x1234,
		.ttmps = {[6] = WT_TTMP6_STOPPED | 1u << WT_TTMP6_TRAP_ID_SHIFT},
		.vgpr_count = VGPRS,
		.agpr_count = family.layout->agprs == WT_SAVE_AREA_AGPRS_SAME ? VGPRS : 0,
		.vgprs = family.vgprs,
		.agprs = family.agprs,
		.flat_scratch = flat_scratch,
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

/* One that was told to make a step has made it, and stands behind the instruction, as does one that has hit what is watched. */
static void family_execute(bool hits)
{
	struct gfx_wave *wave = &family.wave;
	bool steps = is_gfx12() ? wave->trap_ctrl & TRAP_CTRL_STEP : wave->mode & MODE_STEP;

	hits = hits && watching_is_enabled();
	if (wave->ttmps[6] & WT_TTMP6_STOPPED || !(steps || hits))
		return;
	wave->pc += 4;
	*told_at() |= steps ? family.layout->handler->after_inst : 0;
	*told_at() |= !hits ? 0 : is_gfx12() ? 1u << 1 : 1u << 12;
	wave->ttmps[6] |= WT_TTMP6_STOPPED;
	wt_wave_set_halted(wave, true);
}

/* Each part of the device has an area; the wave is in the last one's. */
bool family_save(uint8_t *area, uint64_t bytes, uint32_t xccs)
{
	const struct wt_saved_wave saved = {
		.wave = &family.wave,
		.scratch = family.wave.flat_scratch,
		.first = true,
		.last = true,
		.stopped = family.wave.ttmps[6] & WT_TTMP6_STOPPED,
	};
	memcpy(family.head, area, HEAD_BYTES);
	for (uint32_t xcc = 0; xcc < xccs; xcc++, area += bytes) {
		wt_cleanup_buffer struct wt_buffer made = {0};
		wt_cleanup_error struct wt_error *error =
			wt_save_area_build(family.layout, &saved, xcc + 1 == xccs, &made);

		if (error)
			return false;
		memcpy(area, made.data, 16);
		memcpy(area + HEAD_BYTES, made.data + HEAD_BYTES, made.size - HEAD_BYTES);
		error = wt_save_area_walk(family.layout, &own_memory, (uintptr_t)area, bytes,
					  note_place, NULL);
		if (error)
			return false;
	}
	return true;
}

/* Take what is in the area, give the driver its own back, and let the wave go. */
bool family_load(uint8_t *first_area, bool hits)
{
	if (!wt_saved_wave_load_hardware(family.layout, &own_memory, &family.place, UINT32_MAX,
					 &family.wave) ||
	    !wt_saved_wave_load_registers(family.layout, &own_memory, &family.place, &family.wave))
		return false;
	memcpy(first_area, family.head, HEAD_BYTES);
	family_execute(hits);
	return true;
}

/* A number of the wave. */
uint64_t family_get(const char *what, uint32_t index)
{
	const struct gfx_wave *wave = &family.wave;
	const struct {
		const char *name;
		uint64_t value;
	} values[] = {
		{"pc", wave->pc},
		{"exec", wave->exec},
		{"sgpr", wave->sgprs[index % SGPRS]},
		{"vgpr", family.vgprs[index % (VGPRS * LANES_64)]},
		{"agpr_count", wave->agpr_count},
		{"trapped", wave->ttmps[6] & (WT_TTMP6_STOPPED | WT_TTMP6_TRAP_ID)},
		{"halted", wt_wave_is_halted(wave)},
		{"watching", watching_is_enabled()},
		{"state", is_gfx12() ? wave->state_priv : wave->status},
		{"told", *told_at()},
		{"scc_branch",
		 wave->architecture->generation >= GFX_GENERATION_11 ? 0xbfa20001 : 0xbf850001},
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (!strcmp(values[i].name, what))
			return values[i].value;
	abort();
}
