/* SPDX-License-Identifier: MIT */
/*
 * The common parts of vector operations: sources (operand-planes.c), results, modifiers (vector.c). Private to gfx/alu/. The two
 * share this header, so they are a circle in the graph of files; no function calls back up.
 */
#ifndef GFX_ALU_VECTOR_H
#define GFX_ALU_VECTOR_H

#include "gfx/alu/operations.h"

/* Memory for one vector operation: copies of the sources that had to be prepared, and the result. */
struct gfx_vector_room {
	uint32_t src[3][4 * GFX_MAX_LANES];
	uint32_t dst[4 * GFX_MAX_LANES];
};

/**
 * Prepare the sources of a vector operation. Registers are used in place where nothing is to be done.
 * Otherwise they are copied: constants to all lanes, with modifiers, DPP and SDWA applied and denormals
 * flushed as the mode says.
 *
 * @lanes: the active lanes; set to those that will be written, since DPP may disable some.
 */
void gfx_prepare_sources(struct gfx_vector *vector, struct gfx_vector_room *room, uint64_t *lanes);

/** The bits of mode that enable arithmetic exceptions. Exceptions are noted in trapsts while one is set. */
#define GFX_MODE_EXCEPTIONS (0x7fU << 12)

/** Set the bits of trapsts for the exceptions that the operation raises in @lanes. */
void gfx_note_exceptions(const struct gfx_vector *vector, uint64_t lanes);

/** The rounding mode of an operation's results. */
enum gfx_round gfx_rounding(const struct gfx_operation *operation, uint32_t mode);

/** Complete the results of an operation: NaNs, output modifier, clamp and denormals. */
void gfx_finish_result(struct gfx_vector *vector);

/** The exponent of the output modifier's factor; 0 where the modifier has no effect. */
int32_t gfx_output_scale(const struct gfx_vector *vector);
/** Whether denormal results become zero. */
bool gfx_flushes_result(const struct gfx_vector *vector);

/** Replace denormals of @type among the values of all lanes by zeros of the same sign. */
void gfx_flush_denormals(uint32_t *values, uint32_t type);
/** Whether the mode keeps denormals of @type, as inputs or, if @result, as results. */
bool gfx_keeps_denormals(uint32_t mode, uint32_t type, bool result);

/** Copy sources from @from to @to by the lane selection of DPP. Lanes without a source are removed from *lanes. */
void gfx_dpp_select(const struct gfx_instruction *instruction, uint64_t exec, const uint32_t *from,
		    uint32_t *to, uint64_t *lanes);

#endif /* GFX_ALU_VECTOR_H */
