/* SPDX-License-Identifier: MIT */
/* Plans of scalar and vector arithmetic. */
#ifndef GFX_ALU_QUICK_H
#define GFX_ALU_QUICK_H

#include "gfx/wave/plan.h"

/**
 * Plan an operation of the scalar unit, or a vector operation. The wave of @context says which registers there are.
 *
 * Return: false if gfx_operation.execute has to do it; then what is in @plan does not matter.
 */
bool gfx_plan_scalar_operation(const struct gfx_context *context, struct gfx_plan *plan);
bool gfx_plan_vector_operation(const struct gfx_context *context, struct gfx_plan *plan);

/** Whether an instruction reads status, or may change mode beyond indexing. */
bool gfx_is_alone(const struct gfx_instruction *instruction);

/** A function that does all of a vector operation at once, as its plan says; NULL if there is none. */
gfx_execute_function *gfx_find_fused(const struct gfx_instruction *instruction);

#endif /* GFX_ALU_QUICK_H */
