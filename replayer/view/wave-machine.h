/* SPDX-License-Identifier: MIT */
/* A recorded wave as the machine that replayer/dwarf asks. */
#ifndef WT_REPLAYER_VIEW_WAVE_MACHINE_H
#define WT_REPLAYER_VIEW_WAVE_MACHINE_H

#include "dbgapi/architecture/disassemble.h"
#include "replayer/analysis/analysis.h"
#include "replayer/dwarf/machine.h"
#include "replayer/dwarf/object.h"
#include "replayer/view/view.h"

struct wt_code_cache;

/* Decoded functions of one code object. */
struct wt_code_cache *wt_code_cache_create(void);
void wt_code_cache_destroy(struct wt_code_cache *cache);

/* The code of a code object, which is found by its DWARF. */
struct wt_view_code {
	struct wt_dwarf_object object; /* first, so that who has it has the rest */
	struct wt_code_cache *cache;
	uint64_t load_address;
};

struct wt_view_machine {
	struct wt_dwarf_machine machine;
	struct wt_view *view;
	uint64_t wave;
	const struct gfx_architecture *architecture; /* NULL if it is not known */
	/* Values of registers; NULL where they were not recorded. */
	const uint8_t *scalars[106], *vectors[2][WT_DWARF_VECTORS];
	uint64_t exec;
	bool has_exec;
	struct wt_dwarf_effort effort;
	struct wt_disassembler *disassembler; /* NULL if there is none */
	/* Values that the wave has stored in private memory: found when they are first asked for. */
	struct wt_analysis_stored stored;
	bool has_stored;
};

/** Fill in a machine for a wave. @architecture: may be NULL. */
void wt_view_machine_init(struct wt_view_machine *machine, struct wt_view *view, uint64_t wave,
			  const struct gfx_architecture *architecture);

void wt_view_machine_deinit(struct wt_view_machine *machine);

#endif /* WT_REPLAYER_VIEW_WAVE_MACHINE_H */
