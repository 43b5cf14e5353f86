/* SPDX-License-Identifier: MIT */
/* gfx1010 to gfx1032 (RDNA 1 and 2) as data. */
#include "gfx/architecture/data.h"
#include "gfx/architecture/types.h"

static const char mode_type[] = GFX_TYPE_MODE_LOW("DEBUG_EN") "  bool FP16_OVFL @23;"
							      "  bool DISABLE_PERF @27;"
							      "}";

static const char trapsts_type[] =
	GFX_TYPE_TRAPSTS_LOW "  bool BUFFER_OOB @15;"
			     "  uint32_t EXCP_CYCLE @16-19;"
			     "  uint32_t EXCP_GROUP_MASK @20-23;"
			     "  bool EXCP_WAVE64HI @24;"
			     "  bool UTC_ERROR @28;" GFX_TYPE_DP_RATE "}";

static const char status_type[] = GFX_TYPE_STATUS_LOW("TTRACE_SIMD_EN") "  bool FATAL_HALT @23;"
									"  bool MUST_EXPORT @27;"
									"}";

static const struct gfx_register_range registers_gfx1010[] = {
	GFX_REGISTERS_GFX10(mode_type, trapsts_type, status_type, GFX_XNACK_MASK_32, ),
};
static const struct gfx_register_range registers_gfx1030[] = {
	GFX_REGISTERS_GFX10(mode_type, trapsts_type, status_type, ),
};

#define GFX10(id_, name_, machine_, registers_)                                                    \
	GFX_IDENTITY(id_, name_, machine_), GFX_REGISTERS(registers_),                             \
		.generation = GFX_GENERATION_10, .largest_instruction = 20,                        \
		.breakpoint = GFX_BREAKPOINT_GFX9
#define GFX101(id_, name_, machine_) GFX10(id_, name_, machine_, registers_gfx1010)
#define GFX103(id_, name_, machine_) GFX10(id_, name_, machine_, registers_gfx1030)

const struct gfx_architecture gfx_architecture_gfx1010 = {GFX101(8, "gfx1010", 0x33)};
const struct gfx_architecture gfx_architecture_gfx1011 = {GFX101(9, "gfx1011", 0x34)};
const struct gfx_architecture gfx_architecture_gfx1012 = {GFX101(10, "gfx1012", 0x35)};
const struct gfx_architecture gfx_architecture_gfx1030 = {GFX103(11, "gfx1030", 0x36)};
const struct gfx_architecture gfx_architecture_gfx1031 = {GFX103(12, "gfx1031", 0x37)};
const struct gfx_architecture gfx_architecture_gfx1032 = {GFX103(13, "gfx1032", 0x38)};

/* What code is compiled for that runs on several of them; neither has the mask for replays. */
const struct gfx_architecture gfx_architecture_gfx10_1_generic = {
	GFX103(27, "gfx10-1-generic", 0x52),
	.llvm = 19,
	.alike = "gfx1010",
};
const struct gfx_architecture gfx_architecture_gfx10_3_generic = {
	GFX103(28, "gfx10-3-generic", 0x53),
	.llvm = 19,
	.alike = "gfx1030",
};
