/* SPDX-License-Identifier: MIT */
/* The registers of gfx1200 and gfx1201 (RDNA 4), and of gfx1250 (Instinct MI400). Only table.c includes it. */
#ifndef GFX_ARCHITECTURE_REGISTERS_GFX12_H
#define GFX_ARCHITECTURE_REGISTERS_GFX12_H

#include "gfx/architecture/data.h"
#include "gfx/architecture/types.h"

/* The same as in older generations, but with other blanks. */
#define ROUND                                                                                      \
	"  enum fp_round {"                                                                        \
	"    NEAREST_EVEN = 0,"                                                                    \
	"    PLUS_INF     = 1,"                                                                    \
	"    MINUS_INF    = 2,"                                                                    \
	"    ZERO         = 3  } FP_ROUND.32 @0-1;"                                                \
	"  enum fp_round FP_ROUND.64_16 @2-3;"

#define MODE_LOW "flags32_t mode {" ROUND GFX_TYPE_DENORM
#define MODE_MIDDLE "  bool FP16_OVFL @23;  bool SCALAR_PREFETCH_EN @24;"

static const char mode_gfx1200[] = MODE_LOW MODE_MIDDLE "  bool DISABLE_PERF @27;"
							"}";
static const char mode_gfx1250[] =
	MODE_LOW "  uint32_t DST_VGPR_MSB @12-13;"
		 "  uint32_t SRC0_VGPR_MSB @14-15;"
		 "  uint32_t SRC1_VGPR_MSB @16-17;"
		 "  uint32_t SRC2_VGPR_MSB @18-19;" MODE_MIDDLE "  enum replay_mode {"
		 "    SINGLE_VMEM_GROUP = 0,"
		 "    MULTI_VMEM_GROUP = 1"
		 "  } REPLAY_MODE @25-25;"
		 "  enum flat_scratch_is_nv {"
		 "    USE_ISA_NV_BIT = 0,"
		 "    OVERRIDE_TO_NV = 1"
		 "  } FLAT_SCRATCH_IS_NV @26-26;"
		 "  bool DISABLE_PERF @27;"
		 "}";

/* The type's name lacks the underscore that the register's has. */
static const char trap_ctrl_type[] =
	"flags32_t trapctrl {" GFX_TYPE_ALU_FLAGS "  bool ADDR_WATCH @7;"
	"  bool WAVE_END @8;"
	"  bool TRAP_AFTER_INST @9;"
	"}";

static const char excp_flag_priv_type[] = "flags32_t excp_flag_priv {"
					  "  bool ADDR_WATCH0 @0;"
					  "  bool ADDR_WATCH1 @1;"
					  "  bool ADDR_WATCH2 @2;"
					  "  bool ADDR_WATCH3 @3;"
					  "  bool MEMVIOL @4;"
					  "  bool SAVE_CONTEXT @5;"
					  "  bool ILLEGAL_INST @6;"
					  "  bool HOST_TRAP @7;"
					  "  bool WAVE_START @8;"
					  "  bool WAVE_END @9;"
					  "  bool PERF_SNAPSHOT @10;"
					  "  bool TRAP_AFTER_INST @11;"
					  "  bool XNACK_ERROR @12;"
					  "  enum first_memviol_source {"
					  "    INSTRUCTION = 0,"
					  "    SMEM        = 1,"
					  "    LDS         = 2,"
					  "    VMEM        = 3  } FIRST_MEMVIOL_SOURCE @30-31;"
					  "}";

static const char excp_flag_user_type[] =
	"flags32_t excp_flag_user {" GFX_TYPE_ALU_FLAGS "  bool BUFFER_OOB @30;"
	"  bool LOD_CLAMPED @31;"
	"}";

static const char status_gfx12[] = "flags32_t status {"
				   "  bool PRIV @5;"
				   "  bool TRAP_EN @6;"
				   "  bool EXPORT_RDY @8;"
				   "  bool EXECZ @9;"
				   "  bool VCCZ @10;"
				   "  bool IN_WG @11;"
				   "  bool TRAP @14;"
				   "  bool TRAP_BARRIER_COMPLETE @15;"
				   "  bool VALID @16;"
				   "  bool SKIP_EXPORT @18;"
				   "  bool OREO_CONFLICT @22;"
				   "  bool FATAL_HALT @23;"
				   "  bool NO_VGPRS @24;"
				   "  bool LDS_PARAM_RDY @25;"
				   "  bool MUST_GS_ALLOC @26;"
				   "  bool MUST_EXPORT @27;"
				   "  bool IDLE @28;"
				   "  bool WAVE64 @29;"
				   "  bool DYN_VGPR_EN @30;"
				   "  bool WGP_TAKEOVER @31;"
				   "}";

static const char state_priv_type[] = "flags32_t state_priv {"
				      "  bool WG_RR_EN @0;"
				      "  bool SLEEP_WAKEUP @1;"
				      "  bool BARRIER_COMPLETE @2;"
				      "  bool NAMED_BARRIER_COMPLETE @3;"
				      "  uint32_t NAMED_BARRIER_ID @4-8;"
				      "  bool SCC @9;"
				      "  uint32_t SYS_PRIO @10-11;"
				      "  uint32_t USER_PRIO @12-13;"
				      "  bool HALT @14;"
				      "  bool SCRATCH_EN @18;"
				      "  bool PERF_EN @19;"
				      "  bool TTRACE_EN @20;"
				      "}";

/* Registers of all of them between the vector registers and the masks, but for one that only gfx1250 has. */
#define SCALAR_AND_SYSTEM_GFX12(mode_, ...)                                                        \
	GFX_SGPRS(106), GFX_TTMPS, GFX_M0, GFX_PC, GFX_MODE(mode_),                                \
		GFX_SYSTEM(GFX_REGISTER_TRAP_CTRL, 0x527, "trap_ctrl", trap_ctrl_type),            \
		GFX_SYSTEM(GFX_REGISTER_EXCP_FLAG_PRIV, 0x528, "excp_flag_priv",                   \
			   excp_flag_priv_type),                                                   \
		GFX_SYSTEM(GFX_REGISTER_EXCP_FLAG_USER, 0x529, "excp_flag_user",                   \
			   excp_flag_user_type),                                                   \
		__VA_ARGS__ GFX_FLAT_SCRATCH("scratch_base"), GFX_STATUS(status_gfx12),            \
		GFX_SYSTEM(GFX_REGISTER_STATE_PRIV, 0x53b, "state_priv", state_priv_type)

static const struct gfx_register_range registers_gfx1200[] = {
	GFX_VGPRS_BOTH,
	SCALAR_AND_SYSTEM_GFX12(mode_gfx1200, ),
	GFX_MASKS_BOTH,
};

/* Its waves have 32 lanes and up to 1,024 vector registers; an instruction names 256 of them, in banks that the mode selects. */
#define MORE_VGPRS(first_, count_, number_, dwarf_)                                                \
	GFX_RUN(GFX_REGISTER_VGPR, (first_), (count_), (number_), "v", 128, "int32_t[32]",         \
		(dwarf_), GFX_PLAIN, GFX_IN_GENERAL | GFX_IN_VECTOR)

static const struct gfx_register_range registers_gfx1250[] = {
	GFX_VGPRS_BOTH,
	MORE_VGPRS(256, 256, 0x600, 1792),
	MORE_VGPRS(512, 512, 0x700, 3584),
	SCALAR_AND_SYSTEM_GFX12(mode_gfx1250,
				GFX_ONE(GFX_REGISTER_XNACK_MASK, 0x52e, "xnack_mask", 4, "uint32_t",
					GFX_DWARF_NONE, GFX_PLAIN, GFX_IN_SYSTEM), ),
	GFX_MASKS_BOTH,
};

#endif /* GFX_ARCHITECTURE_REGISTERS_GFX12_H */
