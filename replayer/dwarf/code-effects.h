/* SPDX-License-Identifier: MIT */
/* Reads what the code of a function does to registers, as far as its instructions are known. */
#ifndef WT_REPLAYER_DWARF_CODE_EFFECTS_H
#define WT_REPLAYER_DWARF_CODE_EFFECTS_H

#include "replayer/dwarf/frame.h"

/* A register as instructions name it: s33, v40, a2. */
struct wt_dwarf_name {
	char kind; /* 's', 'v' or 'a' */
	uint32_t index;
};

/** The name of a DWARF number; false if it has none that code uses. */
bool wt_dwarf_name(uint64_t number, struct wt_dwarf_name *name_ret);

/**
 * Find what an instruction does, by the tables of its architecture.
 *
 * @address: of its first word in the ELF file, which branches count from. @lanes: of the wave.
 *
 * Return: false if not even its size is known.
 */
bool wt_dwarf_decode(const struct gfx_architecture *architecture, uint32_t lanes, uint64_t address,
		     const uint32_t *words, size_t word_count,
		     struct wt_dwarf_instruction *instruction_ret);

/** May an instruction write a register? "No" is certain; one that is not known may write any. */
bool wt_dwarf_writes(const struct wt_dwarf_instruction *instruction, struct wt_dwarf_name name);

/** Does an instruction read a register? One that is not known may read any. */
bool wt_dwarf_reads(const struct wt_dwarf_instruction *instruction, struct wt_dwarf_name name);

/** The registers that a source is, from 0; false if it is something else, a mask or a register with its sign changed among them. */
bool wt_dwarf_source(const struct wt_dwarf_instruction *instruction, unsigned int index,
		     struct wt_dwarf_range *range_ret);

/** A source that is a number: false if it is something else, or there is none. */
bool wt_dwarf_source_number(const struct wt_dwarf_instruction *instruction, unsigned int index,
			    uint32_t *number_ret);

/** The registers of the result that is computed; false if there are none. What memory is loaded to is not computed. */
bool wt_dwarf_result(const struct wt_dwarf_instruction *instruction,
		     struct wt_dwarf_range *range_ret);

/** Is this what it computes, by the name that all generations have in common: "s_mov"? */
bool wt_dwarf_computes(const struct wt_dwarf_instruction *instruction, const char *name);

/** Is this a load or store in private memory by its encoding? Any buffer may be. @kind: of the access. */
bool wt_dwarf_is_private(const struct wt_dwarf_instruction *instruction, enum gfx_memory_kind kind);

enum wt_dwarf_lanes {
	WT_DWARF_LANES_KEPT,
	WT_DWARF_LANES_SAVED, /* exec is kept in a register and changed, as s_or_saveexec does */
	WT_DWARF_LANES_SET,   /* exec is written as a scalar register */
};

/** Says what an instruction does to exec itself. @all_ret: by all ones. */
enum wt_dwarf_lanes wt_dwarf_lanes(const struct wt_dwarf_instruction *instruction, bool *all_ret);

/** Does nothing run on past this instruction? */
bool wt_dwarf_ends(const struct wt_dwarf_instruction *instruction);

/** Does it call? */
bool wt_dwarf_calls(const struct wt_dwarf_instruction *instruction);

/** The index of the first of @count instructions that begins at an address, or behind it; @count if there is none. */
size_t wt_dwarf_instruction_from(const struct wt_dwarf_instruction *code, size_t count,
				 uint64_t address);

/** The index of the instruction at an address; @count if none is there. */
size_t wt_dwarf_instruction_at(const struct wt_dwarf_instruction *code, size_t count,
			       uint64_t address);

/** Does a branch of these instructions lead to an address? Calls are none. */
bool wt_dwarf_is_branched_to(const struct wt_dwarf_instruction *code, size_t count,
			     uint64_t address);

/**
 * Which function does a call lead to? That is known of direct calls: by their own target, or by an address that is computed from the
 * pc in front of them. Several calls may use one such address, also in a loop.
 *
 * @code: @count instructions of a function, of which the one at @at is the call.
 */
bool wt_dwarf_call_target(const struct wt_dwarf_instruction *code, size_t count, size_t at,
			  uint64_t *target_ret);

/**
 * The code of a function from its first instruction to the last one that can be reached from there without a call; 0 if it cannot be
 * decoded, is too long, or its end is not found.
 */
size_t wt_dwarf_whole_function(const struct wt_dwarf_machine *machine,
			       const struct wt_dwarf_object *object, uint64_t low,
			       const struct wt_dwarf_instruction **instructions_ret);

/** The code of a frame's function from its start up to an address; 0 if it is not known, or not whole. */
size_t wt_dwarf_function_code(const struct wt_dwarf_frame *frame, uint64_t to,
			      const struct wt_dwarf_instruction **instructions_ret);

/**
 * Does the frame or stack register (33, 32) point to the frame of the function where the wave is, and not yet or no more to
 * that of its caller? Return: NULL if so, else why that is not known.
 */
const char *wt_dwarf_base_holds(const struct wt_dwarf_frame *frame, uint32_t scalar);

/** Has a register of the frame its last value of the function: was it written for the last time before? */
bool wt_dwarf_is_settled(const struct wt_dwarf_frame *frame, uint64_t number);

/**
 * The block of code around the pc that runs from its start to its end: no branch leads into it or out of it in between. Calls do not
 * end it. Return: false if the code is not known.
 */
bool wt_dwarf_block(const struct wt_dwarf_frame *frame, uint64_t *from_ret, uint64_t *to_ret);

/** The address of the instruction that ends at an address; false if the code is not known. */
bool wt_dwarf_before(const struct wt_dwarf_frame *frame, uint64_t address, uint64_t *before_ret);

/** The first instruction from an address up to another that may write a register; false if there is none. */
bool wt_dwarf_next_write(const struct wt_dwarf_frame *frame, uint64_t number, uint64_t from,
			 uint64_t to, uint64_t *address_ret);

/** The last instruction from an address up to another that may write a register; UINT64_MAX if there is none. */
uint64_t wt_dwarf_last_write(const struct wt_dwarf_frame *frame, uint64_t number, uint64_t from,
			     uint64_t to);

/** Is there a loop around the pc that was entered after @from? Also true if the code is not known. */
bool wt_dwarf_may_loop(const struct wt_dwarf_frame *frame, uint64_t from);

#endif /* WT_REPLAYER_DWARF_CODE_EFFECTS_H */
