/* SPDX-License-Identifier: MIT */
#include "dbgapi/simulated/registers.h"

#include <string.h>

#include "dbgapi/architecture/register-rules.h"
#include "device/trap-handler.h"

bool wt_register_exists(const struct gfx_wave *wave, const struct gfx_register *reg)
{
	struct wt_register_alias alias;

	switch (reg->range->kind) {
	case GFX_REGISTER_VGPR:
		return reg->index < wave->vgpr_count;
	case GFX_REGISTER_AGPR:
		return reg->index < wave->agpr_count;
	case GFX_REGISTER_SGPR:
		return reg->index < wave->sgpr_count;
	case GFX_REGISTER_SHADOW_SGPR:
		return wt_register_shadow_alias(wave->sgpr_count, reg->index, &alias);
	default:
		return true;
	}
}

/* Where a register of 4 or 8 bytes is kept; NULL if it is none of these. */
static void *find_scalar(struct gfx_wave *wave, enum gfx_register_kind kind, uint32_t index)
{
	switch (kind) {
	case GFX_REGISTER_SGPR:
		return &wave->sgprs[index];
	case GFX_REGISTER_TTMP:
		return &wave->ttmps[index];
	case GFX_REGISTER_M0:
		return &wave->m0;
	case GFX_REGISTER_PC:
		return &wave->pc;
	case GFX_REGISTER_MODE:
		return &wave->mode;
	case GFX_REGISTER_TRAPSTS:
		return &wave->trapsts;
	case GFX_REGISTER_XNACK_MASK:
		return &wave->xnack_mask;
	case GFX_REGISTER_FLAT_SCRATCH:
		return &wave->flat_scratch;
	case GFX_REGISTER_STATUS:
		return &wave->status;
	case GFX_REGISTER_EXEC:
		return &wave->exec;
	case GFX_REGISTER_VCC:
		return &wave->vcc;
	default:
		return NULL;
	}
}

/* The lanes of a vector register stand one behind the other, as the client wants them. */
static uint32_t *find_vector(const struct gfx_wave *wave, const struct gfx_register *reg)
{
	uint32_t *file = reg->range->kind == GFX_REGISTER_VGPR ? wave->vgprs : wave->agprs;

	return file + (size_t)reg->index * wave->lane_count;
}

static bool is_vector(const struct gfx_register *reg)
{
	return reg->range->kind == GFX_REGISTER_VGPR || reg->range->kind == GFX_REGISTER_AGPR;
}

/* The status of the program. A stopped wave itself is halted, and may be in the trap handler. */
static uint32_t load_status(const struct gfx_wave *wave)
{
	uint32_t status =
		wave->status & ~(WT_STATUS_PRIVILEGED | WT_STATUS_HALT | WT_STATUS_SKIP_EXPORT);

	return wave->ttmps[6] & WT_TTMP6_SAVED_HALT ? status | WT_STATUS_HALT : status;
}

static void store_status(struct gfx_wave *wave, uint32_t status)
{
	wave->status = (wave->status & WT_STATUS_HALT) | (status & ~WT_STATUS_HALT);
	wave->ttmps[6] &= ~WT_TTMP6_SAVED_HALT;
	wave->ttmps[6] |= status & WT_STATUS_HALT ? WT_TTMP6_SAVED_HALT : 0;
}

static uint64_t load(const struct gfx_wave *wave, enum gfx_register_kind kind, uint32_t index,
		     size_t size)
{
	uint64_t value = 0;

	if (kind == GFX_REGISTER_STATUS)
		return load_status(wave);
	memcpy(&value, find_scalar((struct gfx_wave *)wave, kind, index), size);
	return value;
}

/* Write a scalar register of 4 or 8 bytes, and what follows from it. */
static void store(struct gfx_wave *wave, enum gfx_register_kind kind, uint32_t index, size_t size,
		  uint64_t value)
{
	void *place = find_scalar(wave, kind, index);
	struct wt_register_effect effect;
	uint64_t stored = 0;

	memcpy(&stored, place, size);
	stored = wt_register_written(wave->architecture, kind, stored, value);
	if (kind == GFX_REGISTER_STATUS)
		store_status(wave, (uint32_t)stored);
	else
		memcpy(place, &stored, size);
	if (wt_register_side_effect(kind, stored, &effect))
		wave->status = (wave->status & ~(uint32_t)effect.mask) | (uint32_t)effect.bits;
}

static uint64_t get_shadow(const struct gfx_wave *wave, uint32_t index)
{
	struct wt_register_alias alias;

	if (!wt_register_shadow_alias(wave->sgpr_count, index, &alias))
		return 0;
	return load(wave, alias.kind, 0, 8) >> (32 * alias.half) & UINT32_MAX;
}

static void set_shadow(struct gfx_wave *wave, uint32_t index, uint64_t value)
{
	struct wt_register_alias alias;
	uint64_t pair, mask;

	if (!wt_register_shadow_alias(wave->sgpr_count, index, &alias))
		return;
	mask = (uint64_t)UINT32_MAX << (32 * alias.half);
	pair = load(wave, alias.kind, 0, 8);
	store(wave, alias.kind, 0, 8, (pair & ~mask) | value << (32 * alias.half));
}

void wt_register_get(const struct gfx_wave *wave, const struct gfx_register *reg, void *value_ret)
{
	uint64_t value;

	if (is_vector(reg)) {
		memcpy(value_ret, find_vector(wave, reg), reg->range->size);
		return;
	}
	if (reg->range->kind == GFX_REGISTER_SHADOW_SGPR)
		value = get_shadow(wave, reg->index);
	else
		value = load(wave, reg->range->kind, reg->index, reg->range->size);
	memcpy(value_ret, &value, reg->range->size);
}

void wt_register_set(struct gfx_wave *wave, const struct gfx_register *reg, const void *value)
{
	uint64_t scalar = 0;

	if (is_vector(reg)) {
		memcpy(find_vector(wave, reg), value, reg->range->size);
		return;
	}
	memcpy(&scalar, value, reg->range->size);
	if (reg->range->kind == GFX_REGISTER_SHADOW_SGPR)
		set_shadow(wave, reg->index, scalar);
	else
		store(wave, reg->range->kind, reg->index, reg->range->size, scalar);
}
