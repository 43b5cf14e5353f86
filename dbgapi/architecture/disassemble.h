/* SPDX-License-Identifier: MIT */
/*
 * Disassembly of AMD GPU instructions by LLVM.
 *
 * LLVM's shared library is loaded at the first use and then stays. Loading takes 12 to 22 ms
 * (measured with LLVM 19, 130 MB), which a client that never disassembles should not pay at
 * start-up; it is loaded apart from any LLVM that the client itself has (RTLD_LOCAL).
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
	uint64_t target; /* where a branch with an address in its own word goes */
	char text[1024]; /* without blanks at its start: "s_branch 4" */
};

/**
 * Make a disassembler. It costs under a millisecond once LLVM is loaded: keep it.
 *
 * @as_ret: whose instructions it decodes, to say so: @architecture, or one alike where LLVM is older than that;
 *	may be NULL.
 * @disassembler_ret: to be freed with wt_disassembler_destroy(). For one thread at a time.
 *
 * Errors: WT_ERROR_UNSUPPORTED if this was built without LLVM or LLVM knows neither the architecture nor one like it,
 * WT_ERROR_IO if its library cannot be loaded.
 */
struct wt_error *wt_disassembler_create(const struct gfx_architecture *architecture,
					const struct gfx_architecture **as_ret,
					struct wt_disassembler **disassembler_ret);

void wt_disassembler_destroy(struct wt_disassembler *disassembler);

/**
 * Decode the first instruction in @bytes.
 *
 * @address: of the instruction, for the branch target.
 * @size: of @bytes; less than the instruction takes is the same as an illegal one.
 *
 * Return: false, and nothing written, if it is no instruction.
 */
bool wt_disassembler_decode(struct wt_disassembler *disassembler, uint64_t address,
			    const void *bytes, size_t size, struct wt_disassembled *result_ret);

#endif /* WT_DBGAPI_ARCHITECTURE_DISASSEMBLE_H */
