/* SPDX-License-Identifier: MIT */
/* Recorded registers as the state of a wave. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "device/trap-handler.h"
#include "replayer/core/dumped-wave.h"
#include "replayer/recorded/recorded.h"

uint32_t wt_making_number(const struct wt_view *view, enum wt_object object, uint64_t handle,
			  uint32_t query)
{
	return (uint32_t)wt_view_number_or(view, object, handle, query, 0);
}

void wt_making_wave_deinit(struct wt_making_wave *wave)
{
	free(wave->registers);
	free(wave->local);
}

/* "v17" is 17 of 'v'; false if the name is not that letter and a number. */
static bool is_numbered(const char *name, const char *letter, uint32_t *number_ret)
{
	size_t length = strlen(letter);
	unsigned long number;
	char *end;

	if (strncmp(name, letter, length) != 0 || name[length] < '0' || name[length] > '9')
		return false;
	number = strtoul(name + length, &end, 10);
	if (*end || number >= GFX_MAX_VGPRS)
		return false;
	*number_ret = (uint32_t)number;
	return true;
}

static uint64_t view_register_number(const struct wt_view_register *reg)
{
	uint64_t number = 0;

	for (size_t i = 0; i < reg->size && i < sizeof(number); i++)
		number |= (uint64_t)reg->value[i] << (8 * i);
	return number;
}

/* ---- How many there are ---- */

static void vector_register_count(const char *name, struct gfx_wave *gfx)
{
	uint32_t number;

	if (is_numbered(name, "v", &number) && number >= gfx->vgpr_count)
		gfx->vgpr_count = number + 1;
	else if (is_numbered(name, "a", &number) && number >= gfx->agpr_count)
		gfx->agpr_count = number + 1;
	else if (is_numbered(name, "s", &number) && number >= gfx->sgpr_count &&
		 number < GFX_MAX_SGPRS + 2)
		gfx->sgpr_count = number + 1;
}

/*
 * If several registers have a name like v17, those with as many lanes as the wave are its own; the others are shared.
 */
static bool register_name_is_shared(struct wt_view *view, uint64_t reg, const char *name,
				    const struct gfx_wave *gfx)
{
	uint32_t number;

	return gfx->lane_count > WT_SAVE_AREA_SHARED_LANES && is_numbered(name, "v", &number) &&
	       wt_making_number(view, WT_OBJECT_REGISTER, reg, AMD_DBGAPI_REGISTER_INFO_SIZE) ==
		       4 * WT_SAVE_AREA_SHARED_LANES;
}

/* Among those that the library listed for the wave. */
static void count_registers(struct wt_view *view, uint64_t handle,
			    const struct wt_save_area_layout *layout, struct gfx_wave *gfx,
			    size_t *total_ret)
{
	const struct wt_item *list = wt_recorded_function(wt_view_recorded(view), WT_ITEM_LIST,
							  WT_FUNCTION_WAVE_REGISTER_LIST, handle);
	size_t total = list ? list->handle_count : 0;

	for (size_t i = 0; i < total; i++) {
		const char *name = wt_view_text(view, WT_OBJECT_REGISTER, list->handles[i],
						AMD_DBGAPI_REGISTER_INFO_NAME);

		if (name && register_name_is_shared(view, list->handles[i], name, gfx))
			gfx->shared_count++;
		else if (name)
			vector_register_count(name, gfx);
	}
	/* The last ones of the list are halves of vcc and others, which are saved behind the plain ones. */
	gfx->sgpr_count = wt_saved_wave_plain_sgprs(
		layout, layout->fixed_sgprs
				? layout->fixed_sgprs
				: (gfx->sgpr_count + WT_SAVE_AREA_SGPR_GRANULE - 1) /
					  WT_SAVE_AREA_SGPR_GRANULE * WT_SAVE_AREA_SGPR_GRANULE);
	*total_ret = total;
}

/* ---- Their values ---- */

static bool vector_register_take(const struct wt_view_register *reg, uint32_t number,
				 uint32_t lane_count, uint32_t *file)
{
	if (reg->size != 4 * lane_count)
		return false;
	for (uint32_t lane = 0; lane < lane_count; lane++) {
		uint32_t word;

		memcpy(&word, reg->value + (size_t)4 * lane, sizeof(word));
		file[(size_t)number * lane_count + lane] = le32toh(word);
	}
	return true;
}

/* @return: false if the wave cannot keep such a register. */
static bool scalar_register_take(const struct wt_view_register *reg, struct gfx_wave *gfx)
{
	const struct {
		const char *name;
		void *place;
		uint32_t size;
	} named[] = {
		{"pc", &gfx->pc, 8},
		{"exec", &gfx->exec, gfx->lane_count / 8},
		{"vcc", &gfx->vcc, gfx->lane_count / 8},
		{"flat_scratch", &gfx->flat_scratch, 8},
		{"scratch_base", &gfx->flat_scratch, 8},
		{"xnack_mask", &gfx->xnack_mask, gfx->lane_count / 8},
		{"m0", &gfx->m0, 4},
		{"status", &gfx->status, 4},
		{"mode", &gfx->mode, 4},
		{"trapsts", &gfx->trapsts, 4},
		{"state_priv", &gfx->state_priv, 4},
		{"excp_flag_priv", &gfx->excp_flag_priv, 4},
		{"excp_flag_user", &gfx->excp_flag_user, 4},
		{"trap_ctrl", &gfx->trap_ctrl, 4},
	};
	uint64_t value = view_register_number(reg);
	uint32_t number;

	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (!strcmp(reg->name, named[i].name)) {
			memcpy(named[i].place, &value, named[i].size);
			return reg->size == named[i].size;
		}
	if (is_numbered(reg->name, "s", &number)) {
		if (number < gfx->sgpr_count)
			gfx->sgprs[number] = (uint32_t)value;
	} else if (is_numbered(reg->name, "ttmp", &number) && number < WT_SAVE_AREA_TTMPS) {
		gfx->ttmps[number] = (uint32_t)value;
	} else {
		return false;
	}
	return reg->size == 4;
}

static bool take_register(const struct wt_view_register *reg, struct gfx_wave *gfx)
{
	uint32_t number;

	if (!reg->value)
		return false;
	if (is_numbered(reg->name, "v", &number))
		return number < gfx->vgpr_count
			       ? vector_register_take(reg, number, gfx->lane_count, gfx->vgprs)
			       : number - gfx->vgpr_count < gfx->shared_count &&
					 vector_register_take(reg, number - gfx->vgpr_count,
							      WT_SAVE_AREA_SHARED_LANES,
							      gfx->shared);
	if (is_numbered(reg->name, "a", &number))
		return number < gfx->agpr_count &&
		       vector_register_take(reg, number, gfx->lane_count, gfx->agprs);
	return scalar_register_take(reg, gfx);
}

/*
 * Sets the state as the trap handler leaves it: the halt bit was recorded as a client sees it, as the program has it. A
 * wave that stopped for no reason of its own was stopped by the client: it is saved running, and whoever reads the core
 * stops it.
 */
static void set_handler_state(struct wt_making_wave *wave)
{
	struct gfx_wave *gfx = &wave->gfx;

	gfx->ttmps[6] &= ~(WT_TTMP6_SAVED_HALT | WT_TTMP6_STOPPED);
	if (wave->reasons)
		wt_wave_set_stopped(gfx);
}

/* The vector registers, whose counts are known. */
static bool making_wave_make_room(struct wt_making_wave *wave)
{
	struct gfx_wave *gfx = &wave->gfx;
	size_t words = (size_t)gfx->vgpr_count * gfx->lane_count;
	size_t agprs = (size_t)gfx->agpr_count * gfx->lane_count;
	size_t shared = (size_t)gfx->shared_count * WT_SAVE_AREA_SHARED_LANES;

	wave->registers = calloc(words + agprs + shared + 1, sizeof(*wave->registers));
	gfx->vgprs = wave->registers;
	gfx->agprs = wave->registers + words;
	gfx->shared = wave->registers + words + agprs;
	return wave->registers;
}

struct wt_error *wt_making_wave_take(struct wt_view *view,
				     const struct gfx_architecture *architecture,
				     const struct wt_save_area_layout *layout, uint64_t handle,
				     struct wt_making_wave *wave_ret, bool *whole_ret)
{
	struct gfx_wave *gfx = &wave_ret->gfx;
	size_t recorded = wt_view_register_count(view, handle), total, taken = 0;

	*wave_ret = (struct wt_making_wave){.handle = handle};
	*whole_ret = false;
	gfx->architecture = architecture;
	gfx->lane_count =
		wt_making_number(view, WT_OBJECT_WAVE, handle, AMD_DBGAPI_WAVE_INFO_LANE_COUNT);
	wave_ret->reasons =
		wt_making_number(view, WT_OBJECT_WAVE, handle, AMD_DBGAPI_WAVE_INFO_STOP_REASON);
	if (!recorded || (gfx->lane_count != 64 && gfx->lane_count != 32))
		return NULL;
	count_registers(view, handle, layout, gfx, &total);
	if (!making_wave_make_room(wave_ret))
		return &wt_error_no_memory;
	for (size_t i = 0; i < recorded; i++) {
		struct wt_view_register reg;

		if (wt_view_register_at(view, handle, i, &reg))
			taken += take_register(&reg, gfx);
	}
	*whole_ret = total && taken >= total;
	set_handler_state(wave_ret);
	return NULL;
}
