/* SPDX-License-Identifier: MIT */
/*
 * Parts of register types that generations share. A type is text that GDB parses. It must equal that of AMD's
 * library byte for byte, including blanks.
 */
#ifndef GFX_ARCHITECTURE_TYPES_H
#define GFX_ARCHITECTURE_TYPES_H

#define GFX_TYPE_ROUND                                                                             \
	"  enum fp_round {"                                                                        \
	"    NEAREST_EVEN = 0,"                                                                    \
	"    PLUS_INF  = 1,"                                                                       \
	"    MINUS_INF = 2,"                                                                       \
	"    ZERO      = 3  } FP_ROUND.32 @0-1;"                                                   \
	"  enum fp_round FP_ROUND.64_16 @2-3;"

#define GFX_TYPE_DENORM                                                                            \
	"  enum fp_denorm {"                                                                       \
	"    FLUSH_SRC_DST = 0,"                                                                   \
	"    FLUSH_DST     = 1,"                                                                   \
	"    FLUSH_SRC     = 2,"                                                                   \
	"    FLUSH_NONE    = 3  } FP_DENORM.32 @4-5;"                                              \
	"  enum fp_denorm FP_DENORM.64_16 @6-7;"

/* Mode up to gfx11: bits 0 to 19, but for the name of the single-step bit. */
#define GFX_TYPE_MODE_LOW(step_)                                                                   \
	"flags32_t mode {" GFX_TYPE_ROUND GFX_TYPE_DENORM "  bool DX10_CLAMP @8;"                  \
	"  bool IEEE @9;"                                                                          \
	"  bool LOD_CLAMPED @10;"                                                                  \
	"  bool " step_ " @11;"                                                                    \
	"  bool EXCP_EN.INVALID @12;"                                                              \
	"  bool EXCP_EN.DENORM @13;"                                                               \
	"  bool EXCP_EN.DIV0 @14;"                                                                 \
	"  bool EXCP_EN.OVERFLOW @15;"                                                             \
	"  bool EXCP_EN.UNDERFLOW @16;"                                                            \
	"  bool EXCP_EN.INEXACT @17;"                                                              \
	"  bool EXCP_EN.INT_DIV0 @18;"                                                             \
	"  bool EXCP_EN.ADDR_WATCH @19;"

/* Trap status up to gfx11: bits 0 to 14. */
#define GFX_TYPE_TRAPSTS_LOW                                                                       \
	"flags32_t trapsts {"                                                                      \
	"  bool EXCP.INVALID @0;"                                                                  \
	"  bool EXCP.DENORM @1;"                                                                   \
	"  bool EXCP.DIV0 @2;"                                                                     \
	"  bool EXCP.OVERFLOW @3;"                                                                 \
	"  bool EXCP.UNDERFLOW @4;"                                                                \
	"  bool EXCP.INEXACT @5;"                                                                  \
	"  bool EXCP.INT_DIV0 @6;"                                                                 \
	"  bool EXCP.ADDR_WATCH @7;"                                                               \
	"  bool EXCP.MEM_VIOL @8;"                                                                 \
	"  bool SAVE_CTX @10;"                                                                     \
	"  bool ILLEGAL_INST @11;"                                                                 \
	"  bool EXCP_HI.ADDR_WATCH1 @12;"                                                          \
	"  bool EXCP_HI.ADDR_WATCH2 @13;"                                                          \
	"  bool EXCP_HI.ADDR_WATCH3 @14;"

#define GFX_TYPE_DP_RATE                                                                           \
	"  enum dp_rate {"                                                                         \
	"    NONE    = 0,"                                                                         \
	"    QUARTER = 1,"                                                                         \
	"    FULL    = 4  } DP_RATE @29-31;"

/* Status up to gfx11: bits 0 to 21, but for the name of the one that traces. */
#define GFX_TYPE_STATUS_LOW(trace_)                                                                \
	"flags32_t status {"                                                                       \
	"  bool SCC @0;"                                                                           \
	"  uint32_t SPI_PRIO @1-2;"                                                                \
	"  uint32_t USER_PRIO @3-4;"                                                               \
	"  bool PRIV @5;"                                                                          \
	"  bool TRAP_EN @6;"                                                                       \
	"  bool TTRACE_EN @7;"                                                                     \
	"  bool EXPORT_RDY @8;"                                                                    \
	"  bool EXECZ @9;"                                                                         \
	"  bool VCCZ @10;"                                                                         \
	"  bool IN_TG @11;"                                                                        \
	"  bool IN_BARRIER @12;"                                                                   \
	"  bool HALT @13;"                                                                         \
	"  bool TRAP @14;"                                                                         \
	"  bool " trace_ " @15;"                                                                   \
	"  bool VALID @16;"                                                                        \
	"  bool ECC_ERR @17;"                                                                      \
	"  bool SKIP_EXPORT @18;"                                                                  \
	"  bool PERF_EN @19;"                                                                      \
	"  bool COND_DBG_USER @20;"                                                                \
	"  bool COND_DBG_SYS @21;"

/* The flags of arithmetic in gfx12's trap_ctrl and excp_flag_user. */
#define GFX_TYPE_ALU_FLAGS                                                                         \
	"  bool ALU_INVALID @0;"                                                                   \
	"  bool ALU_INPUT_DENORM @1;"                                                              \
	"  bool ALU_FLOAT_DIV0 @2;"                                                                \
	"  bool ALU_OVERFLOW @3;"                                                                  \
	"  bool ALU_UNDERFLOW @4;"                                                                 \
	"  bool ALU_INEXACT @5;"                                                                   \
	"  bool ALU_INT_DIV0 @6;"

#endif /* GFX_ARCHITECTURE_TYPES_H */
