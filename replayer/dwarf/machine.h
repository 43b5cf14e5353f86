/* SPDX-License-Identifier: MIT */
/*
 * Frames and variables of source code, from DWARF.
 *
 * This room asks a machine for what it needs of a stopped wave: registers, memory and code. It must not know where these come
 * from. What the machine does not know is not known here either: every value has a reason where it has none.
 */
#ifndef WT_REPLAYER_DWARF_MACHINE_H
#define WT_REPLAYER_DWARF_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gfx/architecture/architecture.h"
#include "gfx/instruction/operation.h"

/* Register numbers of DWARF (LLVM: AMDGPUUsage), the same on every architecture but for the wave size. */
enum wt_dwarf_number {
	WT_DWARF_PC = 16,
	WT_DWARF_EXEC_32 = 1,
	WT_DWARF_EXEC_64 = 17,
	WT_DWARF_SGPR = 32, /* s0 to s63 */
	WT_DWARF_SGPR_END = 96,
	WT_DWARF_SGPR_HIGH = 1088, /* s64 to s105 */
	WT_DWARF_SGPR_HIGH_END = 1130,
	WT_DWARF_VGPR_32 = 1536, /* v0 to v255 of waves of 32 lanes */
	WT_DWARF_AGPR_32 = 2048,
	WT_DWARF_VGPR_64 = 2560,
	WT_DWARF_AGPR_64 = 3072,
	WT_DWARF_VECTORS = 256, /* of each kind */
};

struct wt_dwarf_object;
struct wt_tokens;

/*
 * The cost of finding one value: rules that are evaluated may ask for other registers, which have rules. Values that
 * were found are kept, since each of many frames may ask twice for what the next one keeps.
 */
struct wt_dwarf_effort {
	unsigned int depth, steps;
	struct wt_dwarf_found_register {
		const void *frame; /* NULL: none */
		uint64_t number;
		uint32_t lane, value;
		const char *why;
	} found[256];
	/* Variables of a frame, and whether the compiler's word on them holds there: see struct wt_dwarf_trust. */
	struct wt_dwarf_judged {
		const void *frame; /* NULL: none */
		uint64_t entry;
		bool known;
		const char *why;
	} judged[257]; /* a prime number, as entries of one function differ in their upper halves */
	/* Values that declarations compute, or do not, in a lane: see replayer/dwarf/declared-value.c. */
	struct wt_dwarf_computed {
		const void *frame; /* NULL: none */
		uint64_t entry;
		uint32_t lane;
		unsigned int
			height; /* declarations of which one needs the next; of an unknown one: so many were not enough */
		bool is_known, has_operand, has_real;
		uint64_t number;
		double real;
	} computed[1021];
};

/* Registers that follow each other, as instructions name them: s33, v40, a2. */
struct wt_dwarf_range {
	char kind; /* 's', 'v' or 'a' */
	uint32_t first, last;
};
#define WT_DWARF_MAX_WRITTEN 4
#define WT_DWARF_MAX_READ 8
/* The longest instruction is an image of gfx10, each address in a register of its own. */
#define WT_DWARF_INSTRUCTION_WORDS 5

/* One decoded instruction. */
struct wt_dwarf_instruction {
	uint64_t address; /* in the ELF file */
	uint64_t target;  /* of a direct branch or call */
	uint32_t size;	  /* bytes */
	bool has_target;  /* it is a branch, not a call */
	bool is_known; /* `code` has been decoded; else no more is known than its size and where it goes on */
	enum gfx_instruction_kind kind;
	struct gfx_instruction code;
	/* The registers that it writes, those that have a name of their own (vcc, exec) left out; not known where the operation is not. */
	bool has_written;
	uint32_t written_count;
	struct wt_dwarf_range written[WT_DWARF_MAX_WRITTEN];
	/* The same of those that it reads, but for lanes that are not active. */
	bool has_read;
	uint32_t read_count;
	struct wt_dwarf_range read[WT_DWARF_MAX_READ];
};

/* Has the wave stored a byte of its private memory? */
enum wt_dwarf_stored {
	WT_DWARF_STORED_UNKNOWN,
	WT_DWARF_STORED,
	WT_DWARF_NOT_STORED,
};

/* A wave, as far as this room sees it. Addresses of code are those of the ELF file, those of memory are not. */
struct wt_dwarf_machine {
	void *opaque;
	uint32_t lanes; /* of the wave: 32 or 64 */
	/*
	 * Frame and stack registers (s33, s32) count bytes of the whole wave where scratch memory is accessed through buffer
	 * instructions, so 6 or 5; else 0: bytes of one lane.
	 */
	unsigned int scratch_shift;
	bool has_scratch_shift; /* else that is not known */
	/* Generic addresses of local and of private memory begin here; 0: not known. */
	uint64_t local_aperture, private_aperture;
	struct wt_dwarf_effort *effort; /* the owner's, zeroed at first; of one wave */
	const char
		*not_there; /* why a register or memory has no value; NULL: it was not recorded */
	/** Four bytes of a register, of one lane if it is a vector register, of EXEC those of a word; false if it was not recorded. */
	bool (*read_register)(void *opaque, uint64_t number, uint32_t lane, uint32_t *value_ret);
	/** How many bytes are known from an address on. */
	size_t (*read_memory)(void *opaque, enum gfx_space space, uint32_t lane, uint64_t address,
			      void *data, size_t size);
	/** Tells what is known of a byte of a lane's private memory. NULL: nothing is. */
	enum wt_dwarf_stored (*is_stored)(void *opaque, uint32_t lane, uint64_t address);
	/*
	 * The wave's way, if it is known: NULL or false if it is not. Calls that have not returned are numbered from the last one, 0.
	 */
	/** The address to which such a call returns. */
	bool (*return_address)(void *opaque, uint32_t call, uint64_t *address_ret);
	/** Four bytes of a register, as read_register() has them, at the call of that number, if that is the one that returns to @address. */
	bool (*read_at_call)(void *opaque, uint32_t call, uint64_t address, uint64_t number,
			     uint32_t lane, uint32_t *value_ret);
	/**
	 * The tokens of a source file whose text has an MD5 sum: NULL if nobody has that, or the file is another by now. The function may be
	 * NULL.
	 */
	const struct wt_tokens *(*tokens)(void *stack_opaque, const char *file, const uint8_t *md5);
	/** The first 8 bytes of what the wave's kernel was given for a parameter, or all if it has less: false if that is not known. May be NULL. */
	bool (*argument)(void *stack_opaque, const char *name, size_t size, uint64_t *value_ret);
	/** A value of the launch in a lane, as struct wt_dwarf_scene has it. May be NULL. */
	bool (*launch_value)(void *stack_opaque, const char *name, uint32_t dimension,
			     uint32_t lane, uint32_t *value_ret, const char **why_ret);
	void *stack_opaque; /* of these three */
	/** The instructions of a code object from one address up to another, as far as they can be decoded: how many. Good until the next call. */
	size_t (*decode)(void *opaque, const struct wt_dwarf_object *object, uint64_t from,
			 uint64_t to, const struct wt_dwarf_instruction **instructions_ret);
};

/* Is it a scalar register that code may use as it likes? */
static inline bool wt_dwarf_is_scalar(uint64_t number, uint32_t *index_ret)
{
	if (number >= WT_DWARF_SGPR && number < WT_DWARF_SGPR_END)
		*index_ret = (uint32_t)(number - WT_DWARF_SGPR);
	else if (number >= WT_DWARF_SGPR_HIGH && number < WT_DWARF_SGPR_HIGH_END)
		*index_ret = (uint32_t)(number - WT_DWARF_SGPR_HIGH) + 64;
	else
		return false;
	return true;
}

static inline uint64_t wt_dwarf_scalar(uint32_t index)
{
	return index < 64 ? WT_DWARF_SGPR + index : WT_DWARF_SGPR_HIGH + index - 64;
}

/* Is it a vector register, and which? The numbers of both wave sizes are taken: assemblers write those of 64 lanes only. */
static inline bool wt_dwarf_is_vector(uint64_t number, bool *accumulation_ret, uint32_t *index_ret)
{
	static const struct {
		uint64_t first;
		bool accumulation;
	} runs[] = {{WT_DWARF_VGPR_32, false},
		    {WT_DWARF_AGPR_32, true},
		    {WT_DWARF_VGPR_64, false},
		    {WT_DWARF_AGPR_64, true}};

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		if (number < runs[i].first || number - runs[i].first >= WT_DWARF_VECTORS)
			continue;
		*accumulation_ret = runs[i].accumulation;
		*index_ret = (uint32_t)(number - runs[i].first);
		return true;
	}
	return false;
}

#endif /* WT_REPLAYER_DWARF_MACHINE_H */
