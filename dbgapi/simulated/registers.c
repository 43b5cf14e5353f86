/* SPDX-License-Identifier: MIT */
#include "dbgapi/simulated/registers.h"

#include <string.h>

#include "dbgapi/architecture/register-rules.h"
#include "device/trap-handler.h"

#define SHARED_LANES 32u

/* Of vector registers, some of 32 lanes may lie behind the wave's own. */
static bool is_shared(const struct gfx_wave *wave, const struct gfx_register_range *range,
		      uint32_t index)
{
	return range->size == 4 * SHARED_LANES && index >= wave->vgpr_count &&
	       index - wave->vgpr_count < wave->shared_count;
}

static bool has_vgpr(const struct gfx_wave *wave, const struct gfx_register_range *range,
		     uint32_t index)
{
	if (wave->architecture->generation >= GFX_GENERATION_11 &&
	    wave->status & WT_STATUS_NO_VGPRS)
		return false;
	return (range->size == 4 * wave->lane_count && index < wave->vgpr_count) ||
	       is_shared(wave, range, index);
}

bool wt_register_exists(const struct gfx_wave *wave, const struct gfx_register_range *range,
			uint32_t index)
{
	struct wt_register_alias alias;

	switch (range->kind) {
	case GFX_REGISTER_VGPR:
		return has_vgpr(wave, range, index);
	/* From gfx10 on there is one for each number of lanes, and xnack_mask for 32 alone. */
	case GFX_REGISTER_EXEC:
	case GFX_REGISTER_VCC:
	case GFX_REGISTER_XNACK_MASK:
		return range->size * 8 == wave->lane_count;
	case GFX_REGISTER_AGPR:
		return index < wave->agpr_count;
	case GFX_REGISTER_SGPR:
		return index < wave->sgpr_count;
	case GFX_REGISTER_SHADOW_SGPR:
		return wt_register_shadow_alias(wave->sgpr_count, index, &alias);
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
	case GFX_REGISTER_TRAP_CTRL:
		return &wave->trap_ctrl;
	case GFX_REGISTER_EXCP_FLAG_PRIV:
		return &wave->excp_flag_priv;
	case GFX_REGISTER_EXCP_FLAG_USER:
		return &wave->excp_flag_user;
	case GFX_REGISTER_STATE_PRIV:
		return &wave->state_priv;
	default:
		return NULL;
	}
}

/* The lanes of a vector register stand one behind the other, as the client wants them. */
static uint32_t *find_vector(const struct gfx_wave *wave, const struct gfx_register_range *range,
			     uint32_t index)
{
	uint32_t *file = range->kind == GFX_REGISTER_VGPR ? wave->vgprs : wave->agprs;

	if (range->kind == GFX_REGISTER_VGPR && is_shared(wave, range, index))
		return wave->shared + (size_t)(index - wave->vgpr_count) * SHARED_LANES;
	return file + (size_t)index * wave->lane_count;
}

static bool is_vector(const struct gfx_register_range *range)
{
	return range->kind == GFX_REGISTER_VGPR || range->kind == GFX_REGISTER_AGPR;
}

/* The register that says whether the wave is halted. */
static bool has_halt(const struct gfx_wave *wave, enum gfx_register_kind kind)
{
	return kind ==
	       (wt_wave_has_state_priv(wave) ? GFX_REGISTER_STATE_PRIV : GFX_REGISTER_STATUS);
}

static uint32_t halt_bit(enum gfx_register_kind kind)
{
	return kind == GFX_REGISTER_STATUS ? WT_STATUS_HALT : WT_STATE_PRIV_HALT;
}

/* The status of the program. A stopped wave itself is halted, and may be in the trap handler. */
static uint32_t as_program_has_it(const struct gfx_wave *wave, enum gfx_register_kind kind,
				  uint32_t value)
{
	if (kind == GFX_REGISTER_STATUS)
		value &= ~WT_STATUS_PRIVILEGED;
	if (!has_halt(wave, kind))
		return value;
	if (kind == GFX_REGISTER_STATUS)
		value &= ~WT_STATUS_SKIP_EXPORT;
	value &= ~halt_bit(kind);
	return wave->ttmps[6] & WT_TTMP6_SAVED_HALT ? value | halt_bit(kind) : value;
}

/* @return: what the register itself has then. */
static uint32_t store_halt(struct gfx_wave *wave, enum gfx_register_kind kind, uint32_t value)
{
	bool halted = wt_wave_is_halted(wave);

	wave->ttmps[6] &= ~WT_TTMP6_SAVED_HALT;
	wave->ttmps[6] |= value & halt_bit(kind) ? WT_TTMP6_SAVED_HALT : 0;
	return (value & ~halt_bit(kind)) | (halted ? halt_bit(kind) : 0);
}

static uint64_t load(const struct gfx_wave *wave, enum gfx_register_kind kind, uint32_t index,
		     size_t size)
{
	const void *place = find_scalar((struct gfx_wave *)wave, kind, index);
	uint64_t value;
	uint32_t word;

	if (size == sizeof(value)) {
		memcpy(&value, place, sizeof(value));
		return value;
	}
	memcpy(&word, place, sizeof(word));
	if (kind == GFX_REGISTER_STATUS || kind == GFX_REGISTER_STATE_PRIV)
		return as_program_has_it(wave, kind, word);
	return word;
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
	if (has_halt(wave, kind))
		stored = store_halt(wave, kind, (uint32_t)stored);
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

void wt_register_get(const struct gfx_wave *wave, const struct gfx_register_range *range,
		     uint32_t index, uint64_t offset, size_t size, void *value_ret)
{
	uint64_t value;

	if (is_vector(range)) {
		memcpy(value_ret, (const uint8_t *)find_vector(wave, range, index) + offset, size);
		return;
	}
	if (range->kind == GFX_REGISTER_SHADOW_SGPR)
		value = get_shadow(wave, index);
	else
		value = load(wave, range->kind, index, range->size);
	if (!offset && size == sizeof(uint32_t)) {
		const uint32_t word = (uint32_t)value;

		memcpy(value_ret, &word, sizeof(word));
		return;
	}
	memcpy(value_ret, (const uint8_t *)&value + offset, size);
}

void wt_register_set(struct gfx_wave *wave, const struct gfx_register_range *range, uint32_t index,
		     const void *value)
{
	uint64_t scalar = 0;

	if (is_vector(range)) {
		memcpy(find_vector(wave, range, index), value, range->size);
		return;
	}
	memcpy(&scalar, value, range->size);
	if (range->kind == GFX_REGISTER_SHADOW_SGPR)
		set_shadow(wave, index, scalar);
	else
		store(wave, range->kind, index, range->size, scalar);
}
