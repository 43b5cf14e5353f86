/* SPDX-License-Identifier: MIT */
/* Inside the execution of vector operations: what their common parts need of each other. */
#ifndef GFX_ALU_VECTOR_H
#define GFX_ALU_VECTOR_H

#include "gfx/alu/operations.h"

/* Room for one vector operation: copies of sources that needed work, and the result. */
struct gfx_vector_room {
	uint32_t src[3][2 * GFX_MAX_LANES];
	uint32_t dst[2 * GFX_MAX_LANES];
};

/**
 * Prepare the sources of a vector operation: registers in place, or copies with constants spread,
 * modifiers applied, DPP and SDWA done and denormals flushed as the mode says.
 *
 * @lanes: in: the active lanes. Out: those of them that will be written (DPP takes some away).
 */
void gfx_prepare_sources(struct gfx_vector *vector, struct gfx_vector_room *room, uint64_t *lanes);

/** Enables of arithmetic exceptions in mode; while one is set, trapsts collects them. */
#define GFX_MODE_EXCEPTIONS (0x7fU << 12)

/** Note in trapsts what the operation raises in @lanes, from its prepared sources. */
void gfx_note_exceptions(const struct gfx_vector *vector, uint64_t lanes);

/** How the results of an operation are rounded. */
enum gfx_round gfx_rounding(const struct gfx_operation *operation, uint32_t mode);

/** What follows the operation proper: NaNs, output modifier, clamp, denormals of the result. */
void gfx_finish_result(struct gfx_vector *vector);

/** The output modifier as an exponent, where it has an effect. */
int32_t gfx_output_scale(const struct gfx_vector *vector);
/** Do denormal results become zero? */
bool gfx_flushes_result(const struct gfx_vector *vector);

/** Flush the denormals of @planes (1 or 2) that hold @type, keeping signs. */
void gfx_flush_denormals(uint32_t *values, uint32_t type);
/** Does the mode keep denormals of @type as they are, as inputs or as results? */
bool gfx_keeps_denormals(uint32_t mode, uint32_t type, bool result);

/** Lane selection of DPP: sources from @from to @to; lanes without a source leave *lanes. */
void gfx_dpp_select(const struct gfx_instruction *instruction, uint64_t exec, const uint32_t *from,
		    uint32_t *to, uint64_t *lanes);

#endif /* GFX_ALU_VECTOR_H */
