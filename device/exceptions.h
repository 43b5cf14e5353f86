/* SPDX-License-Identifier: MIT */
/* Exceptions of a wave in trapsts, and the stop reasons that stand for them. */
#ifndef WT_DEVICE_EXCEPTIONS_H
#define WT_DEVICE_EXCEPTIONS_H

#include <stdint.h>

#include "device/device.h"

/* In trapsts: bits 0 to 6 are the arithmetic exceptions, 7 and 12 to 14 address watch registers 0 to 3. */
#define WT_TRAPSTS_ARITHMETIC 0x7fu
#define WT_TRAPSTS_ADDRESS_WATCH (1u << 7 | 7u << 12)
#define WT_TRAPSTS_MEM_VIOL (1u << 8)
#define WT_TRAPSTS_ILLEGAL_INST (1u << 11)
#define WT_TRAPSTS_XNACK_ERROR (1u << 28)
#define WT_TRAPSTS_AFTER_INST (1u << 25) /* of gfx94x */

/* In mode: which of them stop the wave. The program sets these bits, or the debugger. */
#define WT_MODE_ARITHMETIC_SHIFT 12 /* in the order of WT_TRAPSTS_ARITHMETIC */
#define WT_MODE_ADDRESS_WATCH (1u << 19)
#define WT_MODE_SINGLE_STEP (1u << 11) /* debug_en: the wave stops after each instruction */

/* The stop reason of each arithmetic exception, by its bit. */
static const uint32_t wt_arithmetic_reasons[] = {
	WT_STOP_FP_INVALID_OPERATION, WT_STOP_FP_INPUT_DENORMAL, WT_STOP_FP_DIVIDE_BY_0,
	WT_STOP_FP_OVERFLOW,	      WT_STOP_FP_UNDERFLOW,	 WT_STOP_FP_INEXACT,
	WT_STOP_INT_DIVIDE_BY_0,
};
#define WT_ARITHMETIC_REASON_COUNT                                                                 \
	(sizeof(wt_arithmetic_reasons) / sizeof(wt_arithmetic_reasons[0]))

/** The exceptions that are set in @trapsts and enabled in @mode, as stop reasons. */
static inline uint32_t wt_enabled_reasons(uint32_t trapsts, uint32_t mode)
{
	uint32_t raised = trapsts & mode >> WT_MODE_ARITHMETIC_SHIFT & WT_TRAPSTS_ARITHMETIC;
	uint32_t reasons = 0;

	for (size_t i = 0; i < WT_ARITHMETIC_REASON_COUNT; i++)
		reasons |= raised >> i & 1 ? wt_arithmetic_reasons[i] : 0;
	if (trapsts & WT_TRAPSTS_ADDRESS_WATCH && mode & WT_MODE_ADDRESS_WATCH)
		reasons |= WT_STOP_WATCHPOINT;
	return reasons;
}

#endif /* WT_DEVICE_EXCEPTIONS_H */
