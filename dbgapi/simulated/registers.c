/* SPDX-License-Identifier: MIT */
#include "dbgapi/simulated/registers.h"

#include <string.h>

#include "dbgapi/architecture/register-rules.h"
#include "device/trap-handler.h"

#define SHARED_LANES 32u

/* Some vector registers of 32 lanes may lie behind the wave's own. */
static bool range_is_shared(const struct gfx_wave *wave, const struct gfx_register_range *range,
			    uint32_t index)
{
	return range->size == 4 * SHARED_LANES && index >= wave->vgpr_count &&
	       index - wave->vgpr_count < wave->shared_count;
}

static bool has_vgpr(const struct gfx_wave *wave, const struct gfx_register_range *range,
		     uint32_t index)
{
	if (wt_register_vectors_are_gone(wave->architecture, wave->status))
		return false;
	return (range->size == 4 * wave->lane_count && index < wave->vgpr_count) ||
	       range_is_shared(wave, range, index);
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

/* Places in a wave at which registers of 4 or 8 bytes are kept, the first of each kind; 0: they are none of these. */
static const uint16_t places[] = {
	[GFX_REGISTER_SGPR] = offsetof(struct gfx_wave, sgprs),
	[GFX_REGISTER_TTMP] = offsetof(struct gfx_wave, ttmps),
	[GFX_REGISTER_M0] = offsetof(struct gfx_wave, m0),
	[GFX_REGISTER_PC] = offsetof(struct gfx_wave, pc),
	[GFX_REGISTER_MODE] = offsetof(struct gfx_wave, mode),
	[GFX_REGISTER_TRAPSTS] = offsetof(struct gfx_wave, trapsts),
	[GFX_REGISTER_XNACK_MASK] = offsetof(struct gfx_wave, xnack_mask),
	[GFX_REGISTER_FLAT_SCRATCH] = offsetof(struct gfx_wave, flat_scratch),
	[GFX_REGISTER_STATUS] = offsetof(struct gfx_wave, status),
	[GFX_REGISTER_EXEC] = offsetof(struct gfx_wave, exec),
	[GFX_REGISTER_VCC] = offsetof(struct gfx_wave, vcc),
	[GFX_REGISTER_TRAP_CTRL] = offsetof(struct gfx_wave, trap_ctrl),
	[GFX_REGISTER_EXCP_FLAG_PRIV] = offsetof(struct gfx_wave, excp_flag_priv),
	[GFX_REGISTER_EXCP_FLAG_USER] = offsetof(struct gfx_wave, excp_flag_user),
	[GFX_REGISTER_STATE_PRIV] = offsetof(struct gfx_wave, state_priv),
};

/* A register of one of these kinds: those that are numbered are words. */
static void *find_scalar(struct gfx_wave *wave, enum gfx_register_kind kind, uint32_t index)
{
	return (uint8_t *)wave + places[kind] + index * sizeof(uint32_t);
}

/* The lanes of a vector register stand one behind the other, as the client wants them. */
static uint32_t *find_vector(const struct gfx_wave *wave, const struct gfx_register_range *range,
			     uint32_t index)
{
	uint32_t *file = range->kind == GFX_REGISTER_VGPR ? wave->vgprs : wave->agprs;

	if (range->kind == GFX_REGISTER_VGPR && range_is_shared(wave, range, index))
		return wave->shared + (size_t)(index - wave->vgpr_count) * SHARED_LANES;
	return file + (size_t)index * gfx_vector_words(wave);
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

/* Registers of which a stopped wave itself shows more than the program does. */
static bool is_of_program(enum gfx_register_kind kind)
{
	return kind == GFX_REGISTER_STATUS || kind == GFX_REGISTER_STATE_PRIV;
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

static uint64_t register_load(const struct gfx_wave *wave, enum gfx_register_kind kind,
			      uint32_t index, size_t size)
{
	const void *place = find_scalar((struct gfx_wave *)wave, kind, index);
	uint64_t value;
	uint32_t word;

	if (size == sizeof(value)) {
		memcpy(&value, place, sizeof(value));
		return value;
	}
	memcpy(&word, place, sizeof(word));
	return is_of_program(kind) ? as_program_has_it(wave, kind, word) : word;
}

/* Write a scalar register of 4 or 8 bytes, and what follows from it. */
static void register_store(struct gfx_wave *wave, enum gfx_register_kind kind, uint32_t index,
			   size_t size, uint64_t value)
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
	return register_load(wave, alias.kind, 0, 8) >> (32 * alias.half) & UINT32_MAX;
}

static void set_shadow(struct gfx_wave *wave, uint32_t index, uint64_t value)
{
	struct wt_register_alias alias;
	uint64_t pair, mask;

	if (!wt_register_shadow_alias(wave->sgpr_count, index, &alias))
		return;
	mask = (uint64_t)UINT32_MAX << (32 * alias.half);
	pair = register_load(wave, alias.kind, 0, 8);
	register_store(wave, alias.kind, 0, 8, (pair & ~mask) | value << (32 * alias.half));
}

/* Makes the values of registers that are not shown as they are kept. */
static uint64_t get_made(const struct gfx_wave *wave, const struct gfx_register_range *range,
			 uint32_t index)
{
	return range->kind == GFX_REGISTER_SHADOW_SGPR
		       ? get_shadow(wave, index)
		       : register_load(wave, range->kind, index, range->size);
}

void wt_register_get(const struct gfx_wave *wave, const struct gfx_register_range *range,
		     uint32_t index, uint64_t offset, size_t size, void *value_ret)
{
	const uint8_t *place;
	uint64_t made;

	if (is_vector(range)) {
		place = (const uint8_t *)find_vector(wave, range, index);
	} else if (range->kind == GFX_REGISTER_SHADOW_SGPR || is_of_program(range->kind)) {
		made = get_made(wave, range, index);
		place = (const uint8_t *)&made;
	} else {
		place = find_scalar((struct gfx_wave *)wave, range->kind, index);
	}
	if (size == sizeof(uint32_t))
		memcpy(value_ret, place + offset, sizeof(uint32_t));
	else
		memcpy(value_ret, place + offset, size);
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
		register_store(wave, range->kind, index, range->size, scalar);
}

/* ---- Shapes ---- */

static bool has_shape(const struct gfx_wave *wave, const struct wt_register_shape *shape)
{
	return wave->architecture == shape->architecture && wave->lane_count == shape->lane_count &&
	       wave->sgpr_count == shape->sgpr_count && wave->vgpr_count == shape->vgpr_count &&
	       wave->agpr_count == shape->agpr_count && wave->shared_count == shape->shared_count;
}

/* In words; no file if it is not kept as it is shown, or if whether the wave has it can change. */
static struct wt_register_place range_find_place(const struct gfx_wave *wave,
						 const struct gfx_register_range *range,
						 uint32_t index)
{
	struct wt_register_place place = {.words = (uint8_t)(range->size / sizeof(uint32_t))};
	struct wt_register_alias alias;

	if (is_of_program(range->kind) || !wt_register_exists(wave, range, index) ||
	    (is_vector(range) && (wave->architecture->generation >= GFX_GENERATION_11 ||
				  range_is_shared(wave, range, index))))
		return place;
	if (is_vector(range)) {
		place.file = range->kind == GFX_REGISTER_VGPR ? WT_REGISTER_FILE_VGPRS
							      : WT_REGISTER_FILE_AGPRS;
		place.word = (uint16_t)(index * gfx_vector_words(wave));
		return place;
	}
	place.file = WT_REGISTER_FILE_WAVE;
	if (range->kind != GFX_REGISTER_SHADOW_SGPR)
		place.word = (uint16_t)(places[range->kind] / sizeof(uint32_t) + index);
	else if (wt_register_shadow_alias(wave->sgpr_count, index, &alias))
		place.word = (uint16_t)(places[alias.kind] / sizeof(uint32_t) + alias.half);
	return place;
}

void wt_register_shape_take(struct wt_register_shape *shape, const struct gfx_wave *wave)
{
	const struct gfx_architecture *architecture = wave->architecture;

	if (has_shape(wave, shape))
		return;
	*shape = (struct wt_register_shape){
		.architecture = architecture,
		.lane_count = wave->lane_count,
		.sgpr_count = wave->sgpr_count,
		.vgpr_count = wave->vgpr_count,
		.agpr_count = wave->agpr_count,
		.shared_count = wave->shared_count,
	};
	for (size_t i = 0; i < architecture->register_range_count; i++) {
		const struct gfx_register_range *range = &architecture->registers[i];

		for (uint32_t n = 0; n < range->count && range->number + n < WT_REGISTER_NUMBERS;
		     n++)
			shape->places[range->number + n] =
				range_find_place(wave, range, range->first + n);
	}
}
