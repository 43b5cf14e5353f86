/* SPDX-License-Identifier: MIT */
/* For builds without LLVM: there is no disassembler, and the reason is told. */
#include "dbgapi/architecture/disassemble.h"

struct wt_error *wt_disassembler_create(const struct gfx_architecture *architecture,
					const struct gfx_architecture **as_ret,
					struct wt_disassembler **disassembler_ret)
{
	(void)as_ret;
	(void)disassembler_ret;
	return wt_error_create(WT_ERROR_UNSUPPORTED, "cannot disassemble", architecture->name,
			       "built without LLVM (meson option `llvm`)");
}

void wt_disassembler_destroy(struct wt_disassembler *disassembler)
{
	(void)disassembler;
}

/* There is no disassembler to call this with. */
bool wt_disassembler_decode(struct wt_disassembler *disassembler, uint64_t address,
			    const void *bytes, size_t size, struct wt_disassembled *result_ret)
{
	(void)disassembler;
	(void)address;
	(void)bytes;
	(void)size;
	(void)result_ret;
	return false;
}
