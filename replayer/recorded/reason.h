/* SPDX-License-Identifier: MIT */
/* Words for a user about what stop reasons mean. */
#ifndef WT_REPLAYER_RECORDED_REASON_H
#define WT_REPLAYER_RECORDED_REASON_H

#include <stdint.h>

#include <amd-dbgapi/amd-dbgapi.h>

/* Stop reasons of arithmetic exceptions. */
#define WT_ARITHMETIC_REASONS                                                                      \
	((uint32_t)(AMD_DBGAPI_WAVE_STOP_REASON_FP_INPUT_DENORMAL |                                \
		    AMD_DBGAPI_WAVE_STOP_REASON_FP_DIVIDE_BY_0 |                                   \
		    AMD_DBGAPI_WAVE_STOP_REASON_FP_OVERFLOW |                                      \
		    AMD_DBGAPI_WAVE_STOP_REASON_FP_UNDERFLOW |                                     \
		    AMD_DBGAPI_WAVE_STOP_REASON_FP_INEXACT |                                       \
		    AMD_DBGAPI_WAVE_STOP_REASON_FP_INVALID_OPERATION |                             \
		    AMD_DBGAPI_WAVE_STOP_REASON_INT_DIVIDE_BY_0))
/* Stop reasons that are a fault of the program, of amd_dbgapi_wave_stop_reasons_t. */
#define WT_FAULT_REASONS                                                                           \
	((uint32_t)(AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP | AMD_DBGAPI_WAVE_STOP_REASON_TRAP |   \
		    AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION |                                 \
		    AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR |                                    \
		    AMD_DBGAPI_WAVE_STOP_REASON_ILLEGAL_INSTRUCTION |                              \
		    AMD_DBGAPI_WAVE_STOP_REASON_ECC_ERROR |                                        \
		    AMD_DBGAPI_WAVE_STOP_REASON_FATAL_HALT | WT_ARITHMETIC_REASONS))

#endif /* WT_REPLAYER_RECORDED_REASON_H */
