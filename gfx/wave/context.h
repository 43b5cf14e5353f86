/* SPDX-License-Identifier: MIT */
/* The arguments of an operation's function, and its access to operands of the wave. */
#ifndef GFX_WAVE_CONTEXT_H
#define GFX_WAVE_CONTEXT_H

#include "gfx/instruction/operation.h"
#include "gfx/wave/wave.h"

struct gfx_plan;

/* The execution of one instruction. */
struct gfx_context {
	struct gfx_wave *wave;
	const struct gfx_memory *memory;
	struct gfx_fault *fault;
	const struct gfx_instruction *instruction;
	uint64_t next_pc; /* branches set it */
	const struct gfx_plan
		*plan; /* of the instruction; only for functions that the plan names */
};

/* A scalar operation. Its caller reads and zero-extends the inputs and writes the result. */
struct gfx_scalar {
	struct gfx_context *context;
	uint64_t a, b;
	uint64_t d; /* result; with GFX_READS_DST, the old destination before */
	bool scc;   /* result; the old scc before */
};

/*
 * A vector operation, which is computed for all lanes. Operands are planes of GFX_MAX_LANES words: the
 * low words of all lanes, then the high words of 64-bit types. The caller has applied modifiers, and uses
 * the results of active lanes only.
 */
struct gfx_vector {
	struct gfx_context *context;
	const struct gfx_instruction *instruction;
	const uint32_t *src[3];
	uint32_t *dst;	  /* two planes */
	uint64_t mask_in; /* carry or condition of each lane */
	uint64_t mask;	  /* result: carry or condition of each lane */
	uint32_t mode;
};

/** Return this from an operation to report an illegal instruction. @reason: static text. */
enum gfx_step gfx_illegal(struct gfx_context *context, bool not_implemented, const char *reason);

/* Access to operands (operands.c). @code: of enum gfx_operand_code. */
uint32_t gfx_read_scalar32(const struct gfx_context *context, uint32_t code);
uint64_t gfx_read_scalar64(const struct gfx_context *context, uint32_t code);
void gfx_write_scalar32(struct gfx_wave *wave, uint32_t code, uint32_t value);
void gfx_write_scalar64(struct gfx_wave *wave, uint32_t code, uint64_t value);
/** Read a scalar operand or constant. Float constants have the width of @type. */
uint64_t gfx_read_constant(const struct gfx_context *context, uint32_t code, enum gfx_type type);
/** The planes of @count vector registers from @number on; NULL if the wave does not have all of them. */
static inline uint32_t *gfx_vgpr(const struct gfx_wave *wave, uint32_t number, uint32_t count,
				 bool acc)
{
	uint32_t have = acc ? wave->agpr_count : wave->vgpr_count;
	uint32_t *file = acc ? wave->agprs : wave->vgprs;

	if (number >= have || count > have - number)
		return NULL;
	return file + (size_t)number * GFX_MAX_LANES;
}

#define GFX_MODE_IEEE (1U << 9)

/*
 * Indexed registers: while mode has this bit, the index in m0 is added to the VGPR numbers of the operands
 * that m0 selects.
 */
#define GFX_MODE_INDEXED (1U << 27)
#define GFX_M0_INDEX 0xffU
#define GFX_M0_WHICH_SHIFT 12

/** The number that indexing adds to that of a VGPR. @operand: 0 to 2 for sources, 3 for the destination. */
static inline uint32_t gfx_register_index(const struct gfx_wave *wave, uint32_t operand)
{
	if (!(wave->mode & GFX_MODE_INDEXED) || !(wave->m0 >> (GFX_M0_WHICH_SHIFT + operand) & 1))
		return 0;
	return wave->m0 & GFX_M0_INDEX;
}

/** Whether the wave has 32 lanes: masks have one word then, and the upper half of exec is not there. */
static inline bool gfx_is_short(const struct gfx_wave *wave)
{
	return wave->lane_count == GFX_MAX_LANES / 2;
}

static inline uint32_t gfx_lanes(const struct gfx_wave *wave)
{
	return gfx_is_short(wave) ? GFX_MAX_LANES / 2 : GFX_MAX_LANES;
}

/** Read or write a mask, which has a bit for each lane, at a code. */
uint64_t gfx_read_mask(const struct gfx_context *context, uint32_t code);
void gfx_write_mask(const struct gfx_context *context, uint32_t code, uint64_t mask);

/** The bits of vcc that are of lanes; the upper half may have anything else in a wave of 32. */
static inline uint64_t gfx_vcc_lanes(const struct gfx_wave *wave)
{
	return gfx_is_short(wave) ? (uint32_t)wave->vcc : wave->vcc;
}

static inline uint32_t gfx_first_lane(uint64_t mask)
{
	return mask ? (uint32_t)__builtin_ctzll(mask) : 0;
}

#endif /* GFX_WAVE_CONTEXT_H */
