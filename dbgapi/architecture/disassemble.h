/* SPDX-License-Identifier: MIT */
/*
 * Disassemble AMD GPU instructions with what there is: LLVM of any version, the newest first, else AMD's code object manager.
 *
 * The library is loaded at the first use, in a process of its own, which stays: bytes of which it dies are no instruction, and do
 * not end whoever asks. Loading takes 12 to 22 ms (measured with LLVM 19, 130 MB); clients that never disassemble should not pay for
 * it. It is loaded with RTLD_LOCAL, apart from any LLVM that the client itself uses.
 */
#ifndef WT_DBGAPI_ARCHITECTURE_DISASSEMBLE_H
#define WT_DBGAPI_ARCHITECTURE_DISASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gfx/architecture/architecture.h"

struct wt_disassembler;

/* One instruction. */
struct wt_disassembled {
	size_t size; /* of the instruction, in bytes */
	bool has_target;
	uint64_t target; /* the target of a direct branch */
	char text[1024]; /* without leading blanks: "s_branch 4" */
};

/** The library that disassembles, and where it was found; NULL if there is none. It is loaded. */
const char *wt_disassembler_library(void);

/**
 * Make a disassembler. It takes almost a millisecond even after the library is loaded, so keep it.
 *
 * @as_ret: the architecture whose instructions it decodes: @architecture, or a similar one if the library is too old to
 *	know @architecture. May be NULL.
 * @disassembler_ret: for the caller to wt_disassembler_destroy(). Only one thread may use it at a time.
 *
 * Errors: WT_ERROR_UNSUPPORTED if the library knows neither the architecture nor a similar one, WT_ERROR_IO if there is none,
 * with where it was looked for, or no process that looks for it.
 */
struct wt_error *wt_disassembler_create(const struct gfx_architecture *architecture,
					const struct gfx_architecture **as_ret,
					struct wt_disassembler **disassembler_ret);

void wt_disassembler_destroy(struct wt_disassembler *disassembler);

/**
 * Disassemble the first instruction in @bytes.
 *
 * @address: of the instruction, to compute branch targets.
 * @size: of @bytes. An instruction that is longer is illegal.
 *
 * Return: false, and nothing is written, if the instruction is illegal.
 */
bool wt_disassembler_decode(struct wt_disassembler *disassembler, uint64_t address,
			    const void *bytes, size_t size, struct wt_disassembled *result_ret);

/**
 * Take the marks out of a text with which LLVM 22 prints a number that has a word of its own though it would not need one:
 * "s_addc_u32 s5, s5, lit(0xffffffff)". All versions print the same then, and who reads operands finds numbers.
 */
void wt_disassembler_drop_literal_marks(char *text);

#endif /* WT_DBGAPI_ARCHITECTURE_DISASSEMBLE_H */
