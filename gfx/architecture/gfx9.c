/* SPDX-License-Identifier: MIT */
/* gfx900 to gfx950 (Vega, Instinct MI25 to MI350) as data. */
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
#define SCALAR_AND_SYSTEM(mode_, trapsts_, status_)                                                \
	GFX_SGPRS(102), GFX_TTMPS, GFX_M0, GFX_PC, GFX_MODE(mode_), GFX_TRAPSTS(trapsts_),         \
		GFX_XNACK_MASK_64, GFX_FLAT_SCRATCH("flat_scratch"), GFX_STATUS(status_),          \
		GFX_EXEC_WAVE64, GFX_VCC_WAVE64

static const struct gfx_register_range registers_gfx900[] = {
	GFX_VGPRS_WAVE64,
	SCALAR_AND_SYSTEM(mode_gfx900, trapsts_gfx900, status_gfx900),
};
static const struct gfx_register_range registers_gfx908[] = {
	GFX_VGPRS_WAVE64,
	GFX_AGPRS_WAVE64,
	SCALAR_AND_SYSTEM(mode_gfx900, trapsts_gfx900, status_gfx900),
};
static const struct gfx_register_range registers_gfx940[] = {
	GFX_VGPRS_WAVE64,
	GFX_AGPRS_WAVE64,
	SCALAR_AND_SYSTEM(mode_gfx940, trapsts_gfx940, status_gfx940),
};

#define GFX9(id_, name_, machine_, registers_)                                                     \
	GFX_IDENTITY(id_, name_, machine_), GFX_REGISTERS(registers_),                             \
		.generation = GFX_GENERATION_9, .largest_instruction = 8,                          \
		.breakpoint = GFX_BREAKPOINT_GFX9

const struct gfx_architecture gfx_architecture_gfx900 = {
	GFX9(1, "gfx900", 0x2c, registers_gfx900),
};
const struct gfx_architecture gfx_architecture_gfx906 = {
	GFX9(2, "gfx906", 0x2f, registers_gfx900),
};
const struct gfx_architecture gfx_architecture_gfx908 = {
	GFX9(3, "gfx908", 0x30, registers_gfx908),
};
const struct gfx_architecture gfx_architecture_gfx90a = {
	GFX9(4, "gfx90a", 0x3f, registers_gfx908),
	.simulated = true,
};

#define GFX94(id_, name_, machine_)                                                                \
	GFX9(id_, name_, machine_, registers_gfx940), .trap_after_instruction = true

const struct gfx_architecture gfx_architecture_gfx940 = {
	GFX94(5, "gfx940", 0x40),
	.llvm = 15,
	.llvm_last = 19, /* it was never sold, and removed in 21; AMD's builds of 20 may lack it */
	.alike = "gfx942",
};
const struct gfx_architecture gfx_architecture_gfx941 = {
	GFX94(6, "gfx941", 0x4b),
	.llvm = 17,
	.llvm_last = 19,
	.alike = "gfx942",
};
const struct gfx_architecture gfx_architecture_gfx942 = {
	GFX94(7, "gfx942", 0x4c),
	.llvm = 17,
	.alike = "gfx940",
	.simulated = true,
};
const struct gfx_architecture gfx_architecture_gfx950 = {
	GFX94(19, "gfx950", 0x4f),
	.llvm = 20,
	.alike = "gfx942",
};

/* What code is compiled for that runs on several of them. */
const struct gfx_architecture gfx_architecture_gfx9_generic = {
	GFX9(25, "gfx9-generic", 0x51, registers_gfx900),
	.llvm = 19,
	.alike = "gfx900",
};
const struct gfx_architecture gfx_architecture_gfx9_4_generic = {
	GFX94(26, "gfx9-4-generic", 0x5f),
	.llvm = 20,
	.alike = "gfx942",
};
