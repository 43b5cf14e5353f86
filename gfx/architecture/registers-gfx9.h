/* SPDX-License-Identifier: MIT */
/* The registers of gfx900 to gfx950 (Vega, Instinct MI25 to MI350). Only table.c includes it. */
#ifndef GFX_ARCHITECTURE_REGISTERS_GFX9_H
#define GFX_ARCHITECTURE_REGISTERS_GFX9_H

#include "gfx/architecture/data.h"
#include "gfx/architecture/types.h"

#define MODE_HIGH                                                                                  \
	"  bool FP16_OVFL @23;"                                                                    \
	"  bool POPS_PACKER0 @24;"                                                                 \
	"  bool POPS_PACKER1 @25;"                                                                 \
	"  bool DISABLE_PERF @26;"                                                                 \
	"  bool GPR_IDX_EN @27;"                                                                   \
	"  bool VSKIP @28;"                                                                        \
	"  uint32_t CSP @29-31;"                                                                   \
	"}"

#define TRAPSTS_CYCLE "  uint32_t EXCP_CYCLE @16-21;"
#define TRAPSTS_HIGH "  bool XNACK_ERROR @28;" GFX_TYPE_DP_RATE "}"

#define STATUS_HIGH                                                                                \
	"  bool ALLOW_REPLAY @22;"                                                                 \
	"  bool FATAL_HALT @23;"                                                                   \
	"  bool MUST_EXPORT @27;"

static const char mode_gfx900[] = GFX_TYPE_MODE_LOW("DEBUG_EN") MODE_HIGH;
static const char trapsts_gfx900[] = GFX_TYPE_TRAPSTS_LOW TRAPSTS_CYCLE TRAPSTS_HIGH;
static const char status_gfx900[] = GFX_TYPE_STATUS_LOW("TTRACE_CU_EN") STATUS_HIGH "}";

static const char mode_gfx940[] = GFX_TYPE_MODE_LOW("DEBUG_EN") "  bool TRAP_ON_END @21;" MODE_HIGH;
static const char trapsts_gfx940[] =
	GFX_TYPE_TRAPSTS_LOW TRAPSTS_CYCLE "  bool HOST_TRAP @22;"
					   "  bool WAVE_BEGIN @23;"
					   "  bool WAVE_END @24;"
					   "  bool TRAP_AFTER_INST @25;"
					   "  bool PERF_SNAPSHOT @26;" TRAPSTS_HIGH;
static const char status_gfx940[] =
	GFX_TYPE_STATUS_LOW("TTRACE_CU_EN") STATUS_HIGH "  bool SCRATCH_EN @28;"
							"  bool IDLE @31;"
							"}";

/* All but the vector registers. */
#define SCALAR_AND_SYSTEM_GFX9(mode_, trapsts_, status_)                                           \
	GFX_SGPRS(102), GFX_TTMPS, GFX_M0, GFX_PC, GFX_MODE(mode_), GFX_TRAPSTS(trapsts_),         \
		GFX_XNACK_MASK_64, GFX_FLAT_SCRATCH("flat_scratch"), GFX_STATUS(status_),          \
		GFX_EXEC_WAVE64, GFX_VCC_WAVE64

static const struct gfx_register_range registers_gfx900[] = {
	GFX_VGPRS_WAVE64,
	SCALAR_AND_SYSTEM_GFX9(mode_gfx900, trapsts_gfx900, status_gfx900),
};
static const struct gfx_register_range registers_gfx908[] = {
	GFX_VGPRS_WAVE64,
	GFX_AGPRS_WAVE64,
	SCALAR_AND_SYSTEM_GFX9(mode_gfx900, trapsts_gfx900, status_gfx900),
};
static const struct gfx_register_range registers_gfx940[] = {
	GFX_VGPRS_WAVE64,
	GFX_AGPRS_WAVE64,
	SCALAR_AND_SYSTEM_GFX9(mode_gfx940, trapsts_gfx940, status_gfx940),
};

#endif /* GFX_ARCHITECTURE_REGISTERS_GFX9_H */
