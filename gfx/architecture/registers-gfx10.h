/* SPDX-License-Identifier: MIT */
/* The registers of gfx1010 to gfx1032 (RDNA 1 and 2). Only table.c includes it. */
#ifndef GFX_ARCHITECTURE_REGISTERS_GFX10_H
#define GFX_ARCHITECTURE_REGISTERS_GFX10_H

#include "gfx/architecture/data.h"
#include "gfx/architecture/types.h"

static const char mode_gfx10[] = GFX_TYPE_MODE_LOW("DEBUG_EN") "  bool FP16_OVFL @23;"
							       "  bool DISABLE_PERF @27;"
							       "}";

static const char trapsts_gfx10[] =
	GFX_TYPE_TRAPSTS_LOW "  bool BUFFER_OOB @15;"
			     "  uint32_t EXCP_CYCLE @16-19;"
			     "  uint32_t EXCP_GROUP_MASK @20-23;"
			     "  bool EXCP_WAVE64HI @24;"
			     "  bool UTC_ERROR @28;" GFX_TYPE_DP_RATE "}";

static const char status_gfx10[] = GFX_TYPE_STATUS_LOW("TTRACE_SIMD_EN") "  bool FATAL_HALT @23;"
									 "  bool MUST_EXPORT @27;"
									 "}";

static const struct gfx_register_range registers_gfx1010[] = {
	GFX_REGISTERS_GFX10(mode_gfx10, trapsts_gfx10, status_gfx10, GFX_XNACK_MASK_32, ),
};
static const struct gfx_register_range registers_gfx1030[] = {
	GFX_REGISTERS_GFX10(mode_gfx10, trapsts_gfx10, status_gfx10, ),
};

#endif /* GFX_ARCHITECTURE_REGISTERS_GFX10_H */
