/* SPDX-License-Identifier: MIT */
/*
 * Why a recorded wave stopped, in a user's terms: kernel, source line, instruction, lanes and addresses. Everything is
 * derived from what was recorded; what was not recorded is left out, never guessed.
 */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_H
#define WT_REPLAYER_VIEW_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gfx/wave/wave.h"
#include "replayer/facts/fields.h"
#include "replayer/code/source.h"
#include "replayer/recorded/reason.h"
#include "replayer/view/kernel-launch.h"
#include "replayer/view/view.h"

struct wt_explainer;

/** Keeps what is costly between waves (DWARF, disassembler). The view must outlive it. */
struct wt_error *wt_explainer_create(struct wt_view *view, struct wt_explainer **explainer_ret);
void wt_explainer_destroy(struct wt_explainer *explainer);

/** The view that it was created for. */
struct wt_view *wt_explainer_view(const struct wt_explainer *explainer);

struct wt_mappings;

/** The mappings of the explainer's stop. */
struct wt_error *wt_explainer_mappings(struct wt_explainer *explainer,
				       const struct wt_mappings **mappings_ret);

/** Leave instructions undecoded from now on: no disassembler is loaded into this process. */
void wt_explainer_leave_text_out(struct wt_explainer *explainer);

/* The longest instruction of any architecture, in 32-bit words. */
#define WT_EXPLAIN_WORDS 6

/**
 * Describe an address. @architecture: of the code; NULL if it is not in our tables, which leaves the disassembly out.
 *
 * @code_ret: for the caller to wt_explain_code_deinit(), since the text of the instruction is its own, and why there is none. Other
 * strings belong to the explainer.
 */
struct wt_error *wt_explain_address(struct wt_explainer *explainer,
				    const struct gfx_architecture *architecture, uint64_t address,
				    struct wavetape_place *code_ret);
/**
 * Let a place that was described, where functions are inlined into each other, have the innermost call that is in the program's own files, in
 * place of the outermost one. Errors: memory.
 */
struct wt_error *wt_explain_inner_call(struct wt_explainer *explainer, struct wavetape_place *code);
void wt_explain_code_deinit(struct wavetape_place *code);

/* A variable of the program, in a code object that is loaded. */
struct wt_explain_variable {
	const char *symbol; /* it belongs to the explainer */
	uint64_t address, size;
};

/** Find the variable of the program that has an address. Its `symbol` is NULL where no variable is. */
struct wt_error *wt_explain_variable_at(struct wt_explainer *explainer, uint64_t address,
					struct wt_explain_variable *variable_ret);

/**
 * Name the variable of the program that has an address.
 *
 * @name_ret: "lock_table", "table + 8", for the caller to free(); NULL where no variable is.
 */
struct wt_error *wt_explain_variable(struct wt_explainer *explainer, uint64_t address,
				     char **name_ret);

struct wt_stack;

/**
 * Count the elements of an array of the program, by DWARF in the innermost frame. @count_ret: 0 where DWARF means no array by that name, or
 * another variable.
 */
struct wt_error *wt_explain_count_elements(struct wt_stack *stack, uint32_t lane,
					   const struct wt_explain_variable *variable,
					   uint64_t *count_ret);

/** Fill in symbol and source of a place whose `elf_address` is known. Strings belong to @source. */
void wt_explain_symbol(struct wt_source *source, struct wavetape_place *code);

/** Reads a word of code, little endian; false if it is not known. */
typedef bool (*wt_word_reader)(void *opaque, uint64_t address, uint32_t *word_ret);

/**
 * The address of the instruction that stopped a wave: the pc is behind a breakpoint or debug trap, and behind other traps as a rule. Of memory
 * faults see replayer/view/explain-place.h.
 */
uint64_t wt_stopping_address(const struct gfx_architecture *architecture, uint32_t reasons,
			     uint64_t pc, wt_word_reader read, void *opaque);

/** The same by the code of a view. */
uint64_t wt_view_stopping_address(struct wt_view *view, const struct gfx_architecture *architecture,
				  uint32_t reasons, uint64_t pc);

/**
 * The address of the instruction that a stopped wave executes next: the one that a debugger's breakpoint stood in the place of, by the code
 * object, where it came to one; else the one at its pc.
 */
uint64_t wt_view_next_address(struct wt_view *view, const struct gfx_architecture *architecture,
			      uint32_t reasons, uint64_t pc);

struct wt_explain_wave {
	union {
		struct wavetape_wave facts;
		struct {
			WT_WAVE_FACTS
		};
	};
	uint32_t lane_count; /* of a stopped wave: `lanes`, or as many as there can be */
	struct wavetape_place
		code; /* of the instruction that stopped it, which is where the pc is or before it */
	/* A wave with `has_access` is at a memory instruction whose addresses are known: */
	struct gfx_access access;
	bool kernel_codeless;	/* as wt_explainer_kernel() has it */
	uint64_t failed_lanes;	/* lanes whose address was found to be unmapped */
	uint64_t unknown_lanes; /* lanes whose address was not looked at while recording */
};

/** Explain one wave. */
struct wt_error *wt_explain_wave(struct wt_explainer *explainer, uint64_t wave,
				 struct wt_explain_wave *explanation_ret);
void wt_explain_wave_deinit(struct wt_explain_wave *explanation);

/** Say what the instruction of a wave that has an access accesses. */
void wt_explain_wave_access(const struct wt_explain_wave *wave, struct wavetape_access *access_ret);

/** "global": where an access goes. */
const char *wt_access_space_name(enum gfx_access_space space);

/** Symbols and lines of a code object, kept by the explainer; NULL if its image was not recorded or is no ELF file. */
struct wt_error *wt_explainer_source(struct wt_explainer *explainer, uint64_t code_object,
				     struct wt_source **source_ret);

/**
 * The name of a kernel; NULL if it is not known. It belongs to the explainer.
 *
 * @codeless_ret: whether it has no code of its own, and the function that follows it was executed. NULL is legal.
 */
const char *wt_explainer_kernel(struct wt_explainer *explainer, struct wt_view_kernel kernel,
				bool *codeless_ret);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_H */
