/* SPDX-License-Identifier: MIT */
/* A wave that is executed once more with what is known, and what is known of its state. */
#ifndef WT_REPLAYER_ANALYSIS_RERUN_H
#define WT_REPLAYER_ANALYSIS_RERUN_H

#include "base/cleanup.h"
#include "gfx/isa/run.h"
#include "gfx/isa/uses.h"
#include "replayer/analysis/stopped-wave.h"

#define WT_RERUN_CODES 256 /* operand codes of scalar registers */

/* A property of each bit of the scalar registers, and of each lane of the others. What is unknown of a vector register is so of its lower half. */
struct wt_plane {
	uint32_t scalar[WT_RERUN_CODES];
	uint64_t vector[GFX_MAX_VGPRS], accumulation[GFX_MAX_VGPRS];
};

/* The lanes of a register of lanes; NULL if there is no such number. */
static inline uint64_t *wt_plane_lanes(struct wt_plane *plane, enum gfx_register_file file,
				       uint32_t number)
{
	if (number >= GFX_MAX_VGPRS)
		return NULL;
	return file == GFX_FILE_VECTOR ? &plane->vector[number] : &plane->accumulation[number];
}

/* Which words of the kernel arguments a register depends on: a bit for each of the first, and one for all others. */
#define WT_INFLUENCE_WORDS 62u
#define WT_INFLUENCE_REST 63u
/* The value depends on memory that another wave can have changed between its load and the stop. */
#define WT_INFLUENCE_OTHERS (UINT64_C(1) << 62)

/* The words of arguments, as struct wt_analysis has them: where the last bit is set, so may be any behind the first. */
static inline uint64_t wt_influence_words(uint64_t influence)
{
	uint64_t rest = influence >> WT_INFLUENCE_REST;

	return (influence & ~WT_INFLUENCE_OTHERS) | rest << WT_INFLUENCE_WORDS;
}

struct wt_influence {
	uint64_t scalar[WT_RERUN_CODES], vector[GFX_MAX_VGPRS], accumulation[GFX_MAX_VGPRS];
};

/* Which instruction wrote a register last: the number of its step, from 1; 0: none. */
struct wt_writers {
	uint32_t scalar[WT_RERUN_CODES];
	uint32_t vector[GFX_MAX_VGPRS][GFX_MAX_LANES], accumulation[GFX_MAX_VGPRS][GFX_MAX_LANES];
};

/* The registers of the stopped wave, read once. */
struct wt_stopped {
	struct wt_plane has; /* which bits and lanes were recorded */
	uint32_t scalar[WT_RERUN_CODES];
	uint32_t vector[GFX_MAX_VGPRS][GFX_MAX_LANES], accumulation[GFX_MAX_VGPRS][GFX_MAX_LANES];
};

/*
 * The end of a way that was followed once. A register that an instruction of it was the last to write has the recorded value from
 * there on, also where what the instruction makes of its operands is not known.
 */
struct wt_rerun_end {
	struct wt_writers writers;
	struct wt_stopped stopped;
	uint64_t steps;
};

/* A word of global memory that the wave has written. */
struct wt_written {
	uint64_t address;
	uint32_t value, writer;
	uint32_t forgotten; /* as of the words, when it was looked at last */
	uint8_t place;	    /* which word of those that the writer stored */
	uint8_t bytes;	    /* which of the four; 0: the entry is free */
	bool unknown;
};

struct wt_written_words {
	struct wt_written *entries;
	size_t count, capacity; /* a power of two */
	uint32_t forgotten;	/* how often nothing of them was known any more */
};

/* The origin of a source of a step. */
struct wt_reference {
	uint32_t writer;
	uint16_t number; /* of the register that was read */
	bool address;	 /* it was only the address of a load */
	bool memory; /* loaded: the number has the word of the load, and above it that of the store */
};

#define WT_REFERENCE_PLACE                                                                         \
	8 /* bit of the number: which word of those that were stored; below it, which of those loaded */
#define WT_REFERENCE_ANY 0xffu /* not known which */

struct wt_step {
	uint64_t pc;
	uint32_t first; /* of its references */
	/* A load of kernel arguments: the byte of them, and the register that gets it; else -1. */
	int32_t argument;
	uint16_t number;
};

/*
 * The second half of a pair of operations has a pc of its own, which no instruction has: two bytes behind the first.
 */
#define WT_RERUN_HALF UINT64_C(2)

struct wt_rerun_code {
	uint64_t pc; /* odd: unused */
	struct gfx_instruction instruction;
	struct gfx_uses uses;
	int32_t skips; /* bytes from the end of the instruction on to where it goes on: of a half of a pair */
};

/* The bits that are not known of a scalar register that a step wrote to a lane; the step is 0 where none did. */
struct wt_spilled {
	uint32_t step, unknown;
	uint16_t number, lane;
};

#define WT_RERUN_SPILLED 256u
/* Loads of global memory that the wave had not written, as bits by a hash of their words. */
#define WT_RERUN_LOADED_BITS 65536u
struct wt_loaded {
	uint64_t bits[WT_RERUN_LOADED_BITS / 64];
	bool overwritten; /* it may be that the wave wrote to one of them afterwards */
	bool anywhere;	  /* the wave has stored nobody knows where */
};

#define WT_RERUN_CACHE 4096
#define WT_RERUN_DEPTH 4096u

struct wt_rerun {
	const struct wt_analysis_input *input;
	uint32_t lanes; /* of the wave */
	struct gfx_wave wave;
	struct gfx_memory memory;
	struct wt_plane unknown;
	uint64_t upper_unknown
		[2][GFX_MAX_VGPRS]; /* and of the upper half: [1] of accumulation registers */
	/* The register that the first of two operations has written, as it was before. */
	struct wt_rerun_before {
		bool is_one;
		uint32_t number, values[GFX_MAX_LANES], writers[GFX_MAX_LANES];
		uint64_t unknown, upper_unknown, placed, influence;
	} before;
	struct wt_plane placed; /* depends on where private memory is, which is made up here */
	struct wt_influence influence;
	struct wt_spilled spilled
		[WT_RERUN_SPILLED]; /* the last of each register and lane, as far as there is room */
	struct wt_writers *writers;
	struct wt_stopped *stopped; /* NULL until it is needed */
	uint64_t written_influence; /* of all that was stored elsewhere than in private memory */
	uint64_t first_exec;	    /* the lanes that the wave has */
	uint64_t compared_arguments;
	uint64_t supposed; /* decisions that hang on memory which another wave can have changed */
	/* By word of a lane: which lanes' are unknown, and by word and lane who wrote it. */
	uint64_t *private_unknown, *private_influence;
	uint32_t *private_writers;
	uint8_t *private_places; /* which word of those that the writer stored */
	uint8_t *private_stored; /* by word and lane: which of its bytes were */
	size_t private_words;
	bool private_anywhere; /* a lane stored nobody knows where: any word may be that */
	/* Nobody else writes to the workgroup's local memory, nor this wave nobody knows where. */
	bool alone;
	/* Otherwise its words may have been changed which the wave has not written after this step. */
	uint32_t local_since;
	/* By word of it. */
	bool *local_unknown;
	uint32_t *local_writers;
	struct wt_written_words written;
	struct wt_loaded *loaded; /* never forgotten where the wave is brought back */
	/* Words that are known to change: memory that was recorded at the stop says nothing of what is there before. NULL: none. */
	const struct wt_written_words *later;
	struct wt_rerun_code *cache;
	struct wt_step *steps;
	struct wt_reference *references;
	size_t step_count, step_capacity, reference_count, reference_capacity;
	/* Calls that have not returned, the outermost first; more than there is room for are counted only. */
	uint64_t calls[WT_RERUN_DEPTH];
	size_t call_steps[WT_RERUN_DEPTH]; /* how many instructions were executed before each */
	size_t call_count;
	bool remembers;	    /* steps and references are kept */
	bool wrote_unknown; /* a register was written with what is not known */
	bool no_memory;
	size_t compared;
	/*
	 * The first register of the stopped wave that was another one, the time that the wave came by with the most that agreed before
	 * it; `lane` is 0 of a scalar one.
	 */
	struct wt_difference {
		bool is_one;
		enum gfx_register_file file;
		uint32_t number, lane, executed, recorded;
		size_t agreed; /* values */
		size_t steps;  /* executed until then */
	} difference;
	/* If the input is `late`: the last loads of which some lane's address is not known, at their numbers' rest. */
	uint32_t doubtful[WT_ANALYSIS_LATE];
};

/** A wave at its launch. */
struct wt_error *wt_rerun_create(const struct wt_analysis_input *input, bool remembers,
				 struct wt_rerun **rerun_ret);
void wt_rerun_destroy(struct wt_rerun *rerun);

static inline void wt_rerun_destroyp(struct wt_rerun **rerun)
{
	wt_rerun_destroy(*rerun);
}
#define wt_cleanup_rerun wt_cleanup(wt_rerun_destroyp)

/** The code at the pc, decoded; NULL if it is not known. In rerun-code.c. */
const struct wt_rerun_code *wt_rerun_code(struct wt_rerun *rerun);

/*
 * Two operations that an instruction does at once are two steps. Both read their sources before one writes: while the wave stands at the
 * second, the register that the first has written and the one it was are exchanged, and with the next call back again.
 */
void wt_rerun_see_before(struct wt_rerun *rerun);

/** Keep a register that the first of them is about to write. */
void wt_rerun_take_before(struct wt_rerun *rerun, uint32_t number);

/** Execute it. False if there is no way on: @end_ret says why. */
bool wt_rerun_step(struct wt_rerun *rerun, const struct wt_rerun_code *code,
		   enum wt_analysis_end *end_ret);

/**
 * Does an instruction that moves a value, or one that accesses memory, take it from a vector register that nobody has written, in
 * the followed lane? Others may read what they have no use for.
 *
 * @beside: of each of the first words that are read, in the order of `uses.reads`, whether nothing is made of it that is asked for
 */
bool wt_rerun_reads_unset(const struct wt_rerun *rerun, const struct wt_rerun_code *code,
			  const bool *beside, uint32_t count);

/** The calls that have not returned, the innermost first. Return: how many; 0 also where they are too many. */
size_t wt_rerun_calls(const struct wt_rerun *rerun, uint64_t calls_ret[WT_ANALYSIS_CALLS]);

/** Is all that is known as it was in the stopped wave? Counts in `compared`. In rerun-matches.c. */
bool wt_rerun_matches(struct wt_rerun *rerun);

/**
 * A call whose target is not known, for it was loaded from memory that was not recorded: where the wave stands where no code is, the register that
 * it returns by says that it was called from here, and the one that was called by has no code's address, that is the target. In rerun-matches.c.
 */
bool wt_rerun_know_jump(struct wt_rerun *rerun, const struct wt_rerun_code *code);

/** Is the wave where it stopped, and as it was? @came_by: set where it comes by, also if it was not. */
bool wt_rerun_has_arrived(struct wt_rerun *rerun, bool *came_by);

/** The end of the way, which has arrived, for the inputs of others; for the caller to free(). NULL: no memory. */
struct wt_rerun_end *wt_rerun_take_end(struct wt_rerun *rerun);

/**
 * Has a register that was last written by a step the recorded value, because nothing writes it from there to the end?
 *
 * @number: of a scalar register as wt_rerun_scalar() has it. @value_ret: the recorded value then.
 */
bool wt_rerun_is_held(const struct wt_rerun_end *end, enum gfx_register_file file, uint32_t number,
		      uint32_t lane, uint32_t writer, uint32_t *value_ret);

/** After a step of a way whose end is known: what it wrote is known where nothing writes it from there on. In rerun-matches.c. */
void wt_rerun_know_recorded(struct wt_rerun *rerun, const struct wt_rerun_code *code);

/** The register that an operand code stands for; false where the wave has none such. */
bool wt_rerun_scalar(const struct wt_rerun *rerun, uint32_t code, uint32_t *code_ret);

/** The lanes in which a register's value is known; of a scalar register 1 or 0. */
uint64_t wt_rerun_known(const struct wt_rerun *rerun, enum gfx_register_file file, uint32_t number);
uint32_t wt_rerun_value(const struct wt_rerun *rerun, enum gfx_register_file file, uint32_t number,
			uint32_t lane);
uint32_t wt_rerun_writer(const struct wt_rerun *rerun, enum gfx_register_file file, uint32_t number,
			 uint32_t lane);

/**
 * The lanes in which an instruction that is next reads or writes vector registers: those that are active, the one that v_readlane,
 * v_readfirstlane or v_writelane means, where that is known, or else all.
 */
uint64_t wt_rerun_touched_lanes(const struct wt_rerun *rerun, const struct wt_rerun_code *code);

/** The access of the memory instruction at the pc, and the lanes whose address is known. */
void wt_rerun_access(struct wt_rerun *rerun, const struct wt_rerun_code *code,
		     struct gfx_access *access_ret, uint64_t *known_ret);

/* Memory (rerun-memory.c). */

/**
 * A buffer instruction reaches private memory by an address of all memory, where that of the lanes lies word by word and is made
 * up here: tell the address that each lane has in its own, also behind its end. Nothing else has addresses there.
 */
void wt_rerun_name_private(const struct wt_rerun *rerun, struct gfx_access *access, uint64_t known);

/* Which of the wave's memory an address is in, and where there. */
struct wt_rerun_place {
	enum { WT_RERUN_GLOBAL, WT_RERUN_LOCAL, WT_RERUN_PRIVATE } kind;
	uint64_t
		offset; /* of global memory the address; of local memory the byte; of private memory the byte of all lanes' at `scratch` */
	bool there;	/* of private and local memory: it is not behind the end */
};

/** The place of an address that an access of a lane has. */
struct wt_rerun_place wt_rerun_place_of(const struct wt_rerun *rerun, enum gfx_access_space space,
					uint32_t lane, uint64_t address);

/** Has a set the word around an address? */
bool wt_written_has(const struct wt_written_words *words, uint64_t address);

/** Add the words of a set to one that has room for them. */
void wt_written_add(struct wt_written_words *words, const struct wt_written_words *more);

/** Find what the wave has written to a byte of global memory; NULL if nothing. */
const struct wt_written *wt_rerun_written(const struct wt_rerun *rerun, uint64_t address);

/**
 * Lanes in which the instruction at the pc is known to access what it cannot, as the input's `judge` says.
 *
 * @suspect_ret: lanes of which that is possible, with an address that is known; may be NULL.
 * @unknown_ret: lanes whose address is not known; may be NULL.
 */
uint64_t wt_rerun_failing(struct wt_rerun *rerun, const struct wt_rerun_code *code,
			  uint64_t *suspect_ret, uint64_t *unknown_ret);

/** Does the instruction at the pc access private memory in the followed lane, as far as that is known? */
bool wt_rerun_is_private(struct wt_rerun *rerun, const struct wt_rerun_code *code);

/** Does the instruction at the pc load bytes in the followed lane that were never stored before? False if that is not certain. */
bool wt_rerun_is_never_written(struct wt_rerun *rerun, const struct wt_rerun_code *code);

/** Set up the callbacks of `memory`. */
void wt_rerun_memory_init(struct wt_rerun *rerun);

/** Execute a vector memory instruction: what it loads or stores may be unknown, lane by lane. */
void wt_rerun_vector_memory(struct wt_rerun *rerun, const struct wt_rerun_code *code);
void wt_rerun_scalar_load(struct wt_rerun *rerun, const struct wt_rerun_code *code);

/** The lanes in which a source of an instruction is unknown; @addresses: among those that are addresses. */
uint64_t wt_rerun_unknown_lanes(const struct wt_rerun *rerun, const struct wt_plane *plane,
				const struct gfx_uses *uses, bool addresses);

/** Note that the current step reads what @writer wrote. */
void wt_rerun_refer(struct wt_rerun *rerun, const struct wt_reference *reference);

/** Notes a write to a vector register, or to a half of it, in the lanes of @lanes: unknown or not, and by this step. */
void wt_rerun_write_lanes(struct wt_rerun *rerun, const struct gfx_use *use, uint64_t lanes,
			  uint64_t unknown, uint64_t placed, uint64_t influence);
void wt_rerun_write_scalar(struct wt_rerun *rerun, uint32_t code, uint32_t unknown, uint32_t placed,
			   uint64_t influence);

/** All that the sources of an instruction depend on. */
uint64_t wt_rerun_influence(const struct wt_rerun *rerun, const struct gfx_uses *uses);

/** A bit for each lane of the wave. */
static inline uint64_t wt_rerun_lane_bits(const struct wt_rerun *rerun)
{
	return rerun->lanes < GFX_MAX_LANES ? (UINT64_C(1) << rerun->lanes) - 1 : UINT64_MAX;
}

/** Is a register that an instruction reads the one that an operand code stands for, or that of its second word? */
static inline bool wt_rerun_is_operand(const struct gfx_use *use, uint32_t operand)
{
	if (operand == UINT32_MAX)
		return false;
	if (operand >= GFX_CODE_VGPR0)
		return use->file == GFX_FILE_VECTOR && use->number == operand - GFX_CODE_VGPR0;
	return use->file == GFX_FILE_SCALAR && use->number == operand;
}

/** The bits of exec that are not known. */
static inline uint64_t wt_rerun_exec_unknown(const struct wt_rerun *rerun)
{
	return rerun->unknown.scalar[GFX_CODE_EXEC] |
	       (uint64_t)rerun->unknown.scalar[GFX_CODE_EXEC + 1] << 32;
}

/* Private memory is put there: no program has such an address of 48 bits. */
#define WT_RERUN_PRIVATE_BASE UINT64_C(0xf00000000000)

#endif /* WT_REPLAYER_ANALYSIS_RERUN_H */
