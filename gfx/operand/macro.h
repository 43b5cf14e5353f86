/* SPDX-License-Identifier: MIT */
/* sendmsg(...) and hwreg(...). Private to gfx/operand*.c. */
#ifndef GFX_OPERAND_MACRO_H
#define GFX_OPERAND_MACRO_H

#include "gfx/operand/reader.h"

/** Read a whole operand up to what follows it; false, reported, if it is none. */
bool gfx_operand_parse_sendmsg(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			       uint32_t *operand);
bool gfx_operand_parse_hwreg(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			     uint32_t *operand);

#endif /* GFX_OPERAND_MACRO_H */
