/* SPDX-License-Identifier: MIT */
/* A recorded wave as the machine that replayer/dwarf asks. */
#ifndef WT_REPLAYER_VIEW_WAVE_MACHINE_H
#define WT_REPLAYER_VIEW_WAVE_MACHINE_H

#include "replayer/analysis/way-taken.h"
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

/* A wave as it was elsewhere than at the stop of the view: registers and memory come from whoever knows that. */
struct wt_machine_state {
	void *opaque;
	uint64_t pc, exec;
	bool has_exec;
	/**
	 * A register by its name. @why_ret: NULL if its value is known.
	 *
	 * Return: false if the wave has none of that name.
	 */
	bool (*read_register)(void *opaque, const char *name, uint32_t lane, uint64_t *value_ret,
			      unsigned int *bits_ret, const char **why_ret);
	/** How many bytes are known from an address on. */
	size_t (*read_memory)(void *opaque, enum gfx_space space, uint32_t lane, uint64_t address,
			      void *data, size_t size);
	enum wt_dwarf_stored (*is_stored)(void *opaque, uint32_t lane, uint64_t address);
	const char *not_there; /* why something is not known */
	bool is_innermost;     /* of its calls only the innermost is asked for */
	size_t hidden; /* functions that are inlined where it is, innermost first: so many have no frame, as if they were not yet called */
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
	struct wt_taken way; /* found when it is first asked for */
	bool has_way;
	const struct wt_machine_state *state; /* NULL: the wave as it was recorded */
};

/**
 * Fill in a machine for a wave.
 *
 * @architecture: may be NULL.
 * @state: registers and memory are those of it, and it must outlive the machine; NULL: those that were recorded.
 */
void wt_view_machine_init(struct wt_view_machine *machine, struct wt_view *view, uint64_t wave,
			  const struct gfx_architecture *architecture,
			  const struct wt_machine_state *state);
void wt_view_machine_deinit(struct wt_view_machine *machine);

#endif /* WT_REPLAYER_VIEW_WAVE_MACHINE_H */
