/* SPDX-License-Identifier: MIT */
/* The places at which functions are inlined. */
#ifndef WT_REPLAYER_CODE_INLINED_H
#define WT_REPLAYER_CODE_INLINED_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

/* A copy of a function that is inlined. Strings belong to the DWARF. */
struct wt_inlined {
	const char *name;   /* in the source */
	const char *linked; /* the name that it would be linked by; NULL if that is not known */
	uint64_t address;   /* of its first instruction, in the ELF file */
	size_t functions;   /* around that, with itself, as wt_source_functions() counts them */
};

/** Call a function for each. Those without code or name are left out, and what goes beyond ten million entries of DWARF. */
void wt_inlined_visit(Dwarf *dwarf, void (*visit)(void *opaque, const struct wt_inlined *inlined),
		      void *opaque);

#endif /* WT_REPLAYER_CODE_INLINED_H */
