/* SPDX-License-Identifier: MIT */
/* The registers of gfx1100 to gfx1153 (RDNA 3 and 3.5). Only table.c includes it. */
#ifndef GFX_ARCHITECTURE_REGISTERS_GFX11_H
#define GFX_ARCHITECTURE_REGISTERS_GFX11_H

#include "gfx/architecture/data.h"
#include "gfx/architecture/types.h"

static const char mode_gfx11[] = GFX_TYPE_MODE_LOW("TRAP_AFTER_INST_EN") "  bool WAVE_END @21;"
									 "  bool FP16_OVFL @23;"
									 "  bool DISABLE_PERF @27;"
									 "}";

static const char trapsts_gfx11[] = GFX_TYPE_TRAPSTS_LOW "  bool BUFFER_OOB @15;"
							 "  bool HOST_TRAP @16;"
							 "  bool WAVE_START @17;"
							 "  bool WAVE_END @18;"
							 "  bool PERF_SNAPSHOT @19;"
							 "  bool TRAP_AFTER_INST @20;"
							 "  bool UTC_ERROR @28;"
							 "}";

static const char status_gfx11[] =
	GFX_TYPE_STATUS_LOW("TTRACE_SIMD_EN") "  bool OREO_CONFLICT @22;"
					      "  bool FATAL_HALT @23;"
					      "  bool NO_VGPRS @24;"
					      "  bool LDS_PARAM_READY @25;"
					      "  bool MUST_GS_ALLOC @26;"
					      "  bool MUST_EXPORT @27;"
					      "  bool IDLE @28;"
					      "  bool SCRATCH_EN @29;"
					      "}";

static const struct gfx_register_range registers_gfx11[] = {
	GFX_REGISTERS_GFX10(mode_gfx11, trapsts_gfx11, status_gfx11, ),
};

#endif /* GFX_ARCHITECTURE_REGISTERS_GFX11_H */
