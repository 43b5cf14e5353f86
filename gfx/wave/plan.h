/* SPDX-License-Identifier: MIT */
/*
 * How a decoded instruction is executed quickly again and again: where its operands are in a wave, and which function
 * knows that. A plan holds for all waves that have as many registers. What a quick function cannot do it leaves to
 * gfx_operation.execute, which can do everything; the results are the same.
 */
#ifndef GFX_WAVE_PLAN_H
#define GFX_WAVE_PLAN_H

#include <string.h>

#include "gfx/wave/context.h"

/* Files of registers that a word of an operand is in. */
enum gfx_file {
	GFX_FILE_NONE,	 /* there is no operand: zeros */
	GFX_FILE_VGPRS,	 /* words from gfx_wave.vgprs */
	GFX_FILE_AGPRS,	 /* words from gfx_wave.agprs */
	GFX_FILE_WAVE,	 /* bytes from the beginning of struct gfx_wave; the same for all lanes */
	GFX_FILE_VALUES, /* bytes from gfx_plan.values, the same */
};

struct gfx_plan_source {
	uint8_t file; /* enum gfx_file */
	uint8_t words;
	bool in_place;		    /* planes that follow each other, without a change of signs */
	uint32_t place[2];	    /* of each word */
	uint32_t clear[2], flip[2]; /* bits of each word: cleared first, then inverted */
};

/* Steps that are left to be done with the results of a vector operation. */
enum gfx_plan_finish {
	GFX_FINISH_NOTHING,
	GFX_FINISH_HALVES,  /* the upper halves become 0 */
	GFX_FINISH_SINGLES, /* NaNs are settled */
	GFX_FINISH_DOUBLES,
	GFX_FINISH_PAIRS, /* of singles */
};

#define GFX_NO_PLACE UINT32_MAX

struct gfx_plan {
	gfx_execute_function *execute;
	/* The plan is used if mode has these values in these bits: never with a value that is not in the mask. */
	uint32_t mode_mask, mode_value;
	uint32_t bytes;	  /* of the instruction */
	bool short_masks; /* of one word */
	uint8_t dst_file; /* enum gfx_file; NONE: no result */
	uint8_t dst_words;
	uint8_t finish; /* enum gfx_plan_finish; of an access enum gfx_access_space */
	uint32_t dst;	/* place of the result */
	uint32_t mask_in,
		mask_out; /* places of 64-bit masks in the wave, or GFX_NO_PLACE; of a scalar address */
	gfx_vector_function *vector;
	struct gfx_plan_source src[3];
	uint64_t values[3];
};

/** A plan holds for all waves with the same shape: as many lanes, and registers of each kind. Never 0. */
static inline uint32_t gfx_plan_shape(const struct gfx_wave *wave)
{
	return 1U << 31 | (uint32_t)gfx_is_short(wave) << 30 | wave->sgpr_count << 22 |
	       wave->agpr_count << 11 | wave->vgpr_count;
}

/**
 * The place in a wave of @words scalar registers from the one with a code on.
 *
 * Return: false if they are no plain registers, one behind the other, of this wave.
 */
bool gfx_plan_scalar(const struct gfx_wave *wave, uint32_t code, uint32_t words, bool write,
		     uint32_t *place_ret);

/** The same for a source that may be a constant, too, of @type; it is put into plan->values[@index]. */
bool gfx_plan_uniform(const struct gfx_context *context, uint32_t code, enum gfx_type type,
		      uint32_t index, struct gfx_plan *plan);

/**
 * Plan a load or a store. The wave of @context says which registers there are.
 *
 * Return: false if gfx_operation.execute has to do it.
 */
bool gfx_plan_memory(const struct gfx_context *context, struct gfx_plan *plan);

static inline uint32_t gfx_wave_word(const struct gfx_wave *wave, uint32_t place)
{
	uint32_t value;

	memcpy(&value, (const uint8_t *)wave + place, sizeof(value));
	return value;
}

static inline uint64_t gfx_wave_pair(const struct gfx_wave *wave, uint32_t place)
{
	uint64_t value;

	memcpy(&value, (const uint8_t *)wave + place, sizeof(value));
	return value;
}

static inline uint64_t gfx_wave_mask(const struct gfx_wave *wave, const struct gfx_plan *plan)
{
	return plan->short_masks ? gfx_wave_word(wave, plan->mask_in)
				 : gfx_wave_pair(wave, plan->mask_in);
}

static inline void gfx_set_wave_word(struct gfx_wave *wave, uint32_t place, uint32_t value)
{
	memcpy((uint8_t *)wave + place, &value, sizeof(value));
}

static inline void gfx_set_wave_pair(struct gfx_wave *wave, uint32_t place, uint64_t value)
{
	memcpy((uint8_t *)wave + place, &value, sizeof(value));
}

static inline void gfx_set_wave_mask(struct gfx_wave *wave, const struct gfx_plan *plan,
				     uint64_t mask)
{
	if (plan->short_masks)
		gfx_set_wave_word(wave, plan->mask_out, (uint32_t)mask);
	else
		gfx_set_wave_pair(wave, plan->mask_out, mask);
}

#endif /* GFX_WAVE_PLAN_H */
