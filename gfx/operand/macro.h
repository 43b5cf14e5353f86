/* SPDX-License-Identifier: MIT */
/* Parse sendmsg(...) and hwreg(...). Private to gfx/operand/. */
#ifndef GFX_OPERAND_MACRO_H
#define GFX_OPERAND_MACRO_H

#include "gfx/operand/assembly-reader.h"

/** Parse such an operand, and stop after it. Return: false, with a report, if it is wrong. */
bool gfx_operand_parse_sendmsg(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			       uint32_t *operand);
bool gfx_operand_parse_hwreg(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			     uint32_t *operand);

#endif /* GFX_OPERAND_MACRO_H */
