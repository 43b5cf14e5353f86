/* SPDX-License-Identifier: MIT */
/* gfx1100 to gfx1153 (RDNA 3 and 3.5) as data. */
#include "gfx/architecture/data.h"
#include "gfx/architecture/types.h"

static const char mode_type[] = GFX_TYPE_MODE_LOW("TRAP_AFTER_INST_EN") "  bool WAVE_END @21;"
									"  bool FP16_OVFL @23;"
									"  bool DISABLE_PERF @27;"
									"}";

static const char trapsts_type[] = GFX_TYPE_TRAPSTS_LOW "  bool BUFFER_OOB @15;"
							"  bool HOST_TRAP @16;"
							"  bool WAVE_START @17;"
							"  bool WAVE_END @18;"
							"  bool PERF_SNAPSHOT @19;"
							"  bool TRAP_AFTER_INST @20;"
							"  bool UTC_ERROR @28;"
							"}";

static const char status_type[] =
	GFX_TYPE_STATUS_LOW("TTRACE_SIMD_EN") "  bool OREO_CONFLICT @22;"
					      "  bool FATAL_HALT @23;"
					      "  bool NO_VGPRS @24;"
					      "  bool LDS_PARAM_READY @25;"
					      "  bool MUST_GS_ALLOC @26;"
					      "  bool MUST_EXPORT @27;"
					      "  bool IDLE @28;"
					      "  bool SCRATCH_EN @29;"
					      "}";

static const struct gfx_register_range registers[] = {
	GFX_REGISTERS_GFX10(mode_type, trapsts_type, status_type, ),
};

#define GFX11(id_, name_, machine_)                                                                \
	GFX_IDENTITY(id_, name_, machine_), GFX_REGISTERS(registers),                              \
		.generation = GFX_GENERATION_11, .largest_instruction = 20,                        \
		.breakpoint = GFX_BREAKPOINT_GFX11

const struct gfx_architecture gfx_architecture_gfx1100 = {
	GFX11(14, "gfx1100", 0x41),
	.llvm = 15,
};
const struct gfx_architecture gfx_architecture_gfx1101 = {
	GFX11(15, "gfx1101", 0x46),
	.llvm = 15,
};
const struct gfx_architecture gfx_architecture_gfx1102 = {
	GFX11(16, "gfx1102", 0x47),
	.llvm = 15,
};
const struct gfx_architecture gfx_architecture_gfx1150 = {
	GFX11(20, "gfx1150", 0x43),
	.llvm = 17,
};
const struct gfx_architecture gfx_architecture_gfx1151 = {
	GFX11(21, "gfx1151", 0x4a),
	.llvm = 17,
};
const struct gfx_architecture gfx_architecture_gfx1152 = {
	GFX11(22, "gfx1152", 0x55),
	.llvm = 19,
	.alike = "gfx1151",
};
const struct gfx_architecture gfx_architecture_gfx1153 = {
	GFX11(23, "gfx1153", 0x58),
	.llvm = 20,
	.alike = "gfx1152",
};

/* What code is compiled for that runs on several of them. */
const struct gfx_architecture gfx_architecture_gfx11_generic = {
	GFX11(29, "gfx11-generic", 0x54),
	.llvm = 19,
	.alike = "gfx1100",
};
