/* SPDX-License-Identifier: MIT */
/*
 * The rows of operation tables, and the results of executing an instruction. An architecture has a list of encodings,
 * each with a table of operations that is indexed by opcode. Architectures share the functions in the rows.
 */
#ifndef GFX_INSTRUCTION_OPERATION_H
#define GFX_INSTRUCTION_OPERATION_H

#include "gfx/instruction/instruction.h"

/* Types of operands: width, and which modifiers, constants and denormal rules apply. */
enum gfx_type {
	GFX_NONE,
	GFX_B16, /* low half of a register; the high half of a result becomes 0 */
	GFX_B32,
	GFX_B64,
	GFX_B128, /* four vector registers */
	GFX_F16,
	GFX_F32,
	GFX_F64,
	GFX_S32,   /* 32 bits with float modifiers but no arithmetic: no flush, no rounding */
	GFX_V2B16, /* packed pairs */
	GFX_V2F16,
	GFX_V2BF16, /* bfloats: the upper halves of singles */
	GFX_V2F32,
	GFX_V2B32,
	GFX_MIX,  /* op_sel_hi and op_sel select f32, or f16 in one half */
	GFX_MASK, /* a bit per lane, in a scalar pair */
	GFX_K16,  /* sign-extended simm16 */
	GFX_U16,  /* zero-extended simm16 */
	GFX_DST,  /* 32 bits of the register in the destination field */
};

enum gfx_operation_flags {
	GFX_NONZERO_SCC = 1 << 0,   /* scalar: scc = result != 0 */
	GFX_READS_DST = 1 << 1,	    /* the old destination is an input */
	GFX_CARRY_IN = 1 << 2,	    /* vcc, or the third source of a VOP3, is an input mask */
	GFX_CARRY_OUT = 1 << 3,	    /* vcc, or sdst of a VOP3, gets a mask besides the result */
	GFX_READS_VCC = 1 << 4,	    /* the mask input is always vcc */
	GFX_WRITES_EXEC = 1 << 5,   /* compare: exec gets the mask, too */
	GFX_INTEGER_CLAMP = 1 << 6, /* the function applies clamp itself */
	GFX_KEEPS_HIGH = 1 << 7,    /* a 16-bit result does not change the other half of dst */
	GFX_LITERAL_K = 1 << 8,	    /* a literal always follows: mk (second source), */
	GFX_LITERAL_K_ADD = 1 << 9, /* or ak (third source) */
	GFX_SRC_AGPR = 1 << 10,	    /* the first source is an AGPR */
	GFX_TO_LOCAL = 1 << 10,	    /* load: the data goes to local memory */
	GFX_DST_AGPR = 1 << 11,
	GFX_NO_SUFFIX = 1 << 12,   /* LLVM prints the name without _e32 */
	GFX_PAIR = 1 << 13,	   /* DS: two offsets of 8 bits */
	GFX_NO_LANES = 1 << 13,	   /* vector: a long form for which DPP chooses no lanes */
	GFX_NO_BASE = 1 << 13,	   /* scalar prefetch: the address counts from the pc */
	GFX_PAIR_64 = 1 << 14,	   /* and they count 64 elements */
	GFX_WHOLE_SDWA = 1 << 14,  /* vector: SDWA leaves no part of the destination as it is */
	GFX_WHOLE_GFX10 = 1 << 14, /* vector: gfx10 chooses no halves, where others do */
	GFX_RETURNS = 1 << 15,	   /* DS atomic: the old value goes to dst */
	GFX_HIGH_HALF = 1 << 16, /* memory, scalar: the data is in the high half of the register */
	GFX_D16 = 1 << 17,	 /* a load that does not change the other half of the register */
	GFX_SIGNED = 1 << 18,	 /* load: sign-extend */
	GFX_NOT_ARITHMETIC = 1 << 19, /* float types, but NaNs, denormals and modes do not matter */
	GFX_SCALAR_DST = 1 << 20,     /* vector encoding, scalar destination */
	GFX_LANE_SELECT =
		1
		<< 21, /* sources are one lane or scalars: sources are not prepared; memory: lanes get what others load */
	GFX_TWO_DATA = 1 << 22,	    /* atomic with two data operands */
	GFX_OWN_NAN = 1 << 23,	    /* the function chooses the NaN that is its result */
	GFX_NO_OPERANDS = 1 << 25,  /* all operand fields are zero */
	GFX_DS_FIELDS = 1 << 26,    /* DS: no address register, but m0; memory: and the lane */
	GFX_SELECTS_HALF = 1 << 27, /* op_sel selects halves of the sources */
	GFX_DST_PAIR = 1 << 28,	    /* scalar: the destination field names a pair */
	GFX_RESOURCE =
		1
		<< 24, /* scalar load: the base is a buffer's descriptor; image: there is a sampler's, too */
	GFX_NO_MODE = 1 << 29,	   /* ignores mode: rounds to nearest, flushes denormals */
	GFX_GLOBAL_SYNC = 1 << 30, /* DS: of global wave sync, which bit 16 says */
	GFX_FORMATTED =
		1U << 31, /* buffer: elements have a format, components registers or halves */
};

/* Which arithmetic exceptions an operation may raise, by what it computes (gfx/alu/exceptions.c). */
enum gfx_raises {
	GFX_RAISES_NOTHING,
	GFX_RAISES_OPERANDS,   /* for its operands: signalling NaNs, denormals */
	GFX_RAISES_COMPARISON, /* the same, and for quiet NaNs if clamp is set */
	GFX_RAISES_SUM,
	GFX_RAISES_DIFFERENCE,
	GFX_RAISES_REVERSED, /* second operand minus first */
	GFX_RAISES_PRODUCT,
	GFX_RAISES_LEGACY,	 /* a product in which zero times anything is zero */
	GFX_RAISES_FUSED,	 /* product and sum, rounded once */
	GFX_RAISES_SCALED_FUSED, /* the same, and scaled in lanes of the mask */
	GFX_RAISES_MIXED,	 /* rounded to a single, then to a half */
	GFX_RAISES_PRODUCT_SUM,	 /* rounded twice */
	GFX_RAISES_DOT,		 /* of two pairs of halves */
	GFX_RAISES_QUOTIENT,	 /* of the third operand and the second */
	GFX_RAISES_RECIPROCAL,
	GFX_RAISES_INTEGER_RECIPROCAL, /* of a float that was a whole number */
	GFX_RAISES_ROOT,
	GFX_RAISES_RECIPROCAL_ROOT,
	GFX_RAISES_LOGARITHM,
	GFX_RAISES_EXPONENTIAL,
	GFX_RAISES_SINE,
	GFX_RAISES_COSINE,
	GFX_RAISES_FRACTION,
	GFX_RAISES_SCALING,    /* by a power of two */
	GFX_RAISES_CONVERSION, /* to a float: of a float, */
	GFX_RAISES_TRUNCATION, /* of two floats, towards zero, to a pair of halves, */
	GFX_RAISES_FROM_SIGNED,
	GFX_RAISES_FROM_UNSIGNED,
	GFX_RAISES_TO_I32, /* to whole numbers */
	GFX_RAISES_TO_U32,
	GFX_RAISES_TO_I16,
	GFX_RAISES_TO_U16,
	GFX_RAISES_TO_U8,
	GFX_RAISES_TO_SIGNED_PART, /* of the largest whole number */
	GFX_RAISES_TO_UNSIGNED_PART,
};

/* The result of executing an instruction. Only GFX_STEP_DONE, _BARRIER, _GLOBAL_SYNC, _END and _HALT advance the pc. */
enum gfx_step {
	GFX_STEP_DONE,		      /* the instruction was executed */
	GFX_STEP_BARRIER,	      /* s_barrier: the wave waits for its workgroup */
	GFX_STEP_GLOBAL_SYNC,	      /* ds_gws_*: the wave's `sync` says what it asks for */
	GFX_STEP_END,		      /* s_endpgm: the wave has ended */
	GFX_STEP_TRAP,		      /* s_trap: the pc is at it; fault->trap_id is set */
	GFX_STEP_HALT,		      /* s_sethalt 1 */
	GFX_STEP_ILLEGAL_INSTRUCTION, /* the pc is at it; fault->words is set */
	GFX_STEP_MEMORY_VIOLATION,    /* an address is not mapped; the pc is at the instruction */
	GFX_STEP_ADDRESS_ERROR,	      /* LDS or scratch: out of range, or misaligned; the same */
	GFX_STEP_FETCH_VIOLATION,     /* the pc is not mapped, or misaligned */
};

struct gfx_context;
struct gfx_scalar;
struct gfx_vector;

typedef enum gfx_step gfx_execute_function(struct gfx_context *context);
typedef void gfx_scalar_function(struct gfx_scalar *scalar);
typedef void gfx_vector_function(struct gfx_vector *vector);
/* The new value of memory from the old one; @compare is the second data operand. */
typedef uint64_t gfx_atomic_function(uint64_t old, uint64_t data, uint64_t compare);

enum gfx_memory_kind {
	GFX_MEMORY_NONE,
	GFX_MEMORY_LOAD,
	GFX_MEMORY_STORE,
	GFX_MEMORY_ATOMIC,
};

/* The numbers that a matrix operation multiplies. The first two formats of eight bits have neither infinities nor -0. */
enum gfx_element {
	GFX_ELEMENT_I8,
	GFX_ELEMENT_I4,
	GFX_ELEMENT_F16,
	GFX_ELEMENT_BF16,
	GFX_ELEMENT_FP8, /* 4 bits of exponent */
	GFX_ELEMENT_BF8, /* 5 bits of exponent */
	GFX_ELEMENT_OPEN_FP8, /* the same by the Open Compute Project: with -0, the second with infinities */
	GFX_ELEMENT_OPEN_BF8,
	GFX_ELEMENT_F32,
	GFX_ELEMENT_XF32, /* the upper 19 bits of a single */
	GFX_ELEMENT_F64,
};

/* How a matrix operation adds its products (gfx/alu/matrix-sum.c). */
enum gfx_matrix_sum {
	GFX_MATRIX_INTEGER,   /* modulo 2^32 */
	GFX_MATRIX_FUSED,     /* one after the other, each rounded once */
	GFX_MATRIX_PAIRS,     /* pair by pair, without denormals */
	GFX_MATRIX_TRUNCATED, /* aligned to the largest, bits below are cut off */
	GFX_MATRIX_HALVES,    /* the same, even and odd products apart */
};

/* A matrix operation: D = A * B + C, in several blocks at once. C and D are squares of singles, doubles or integers. */
struct gfx_matrix {
	uint8_t rows;	     /* of A and D; B and D have as many columns */
	uint8_t depth;	     /* columns of A and rows of B */
	uint8_t blocks;	     /* how many products of matrices */
	uint8_t elements[2]; /* enum gfx_element, of A and of B */
	uint8_t sum;	     /* enum gfx_matrix_sum */
	uint8_t result;	     /* enum gfx_element, of C and D from gfx11 on */
	uint8_t group;	     /* how many products are added at once */
	bool sparse; /* of four values in a row of A two are there; C has their indices, D is C, too */
	bool broadcasts; /* cbsz and abid have an effect */
	bool permutes;	 /* blgp has one: on lanes of B, */
	bool negates;	 /* or on the signs of A, B and C */
};

/** Bits of a number in a register. */
static inline uint32_t gfx_element_bits(uint32_t element)
{
	if (element == GFX_ELEMENT_F64)
		return 64;
	if (element >= GFX_ELEMENT_F32)
		return 32;
	if (element == GFX_ELEMENT_I4)
		return 4;
	return element == GFX_ELEMENT_F16 || element == GFX_ELEMENT_BF16 ? 16 : 8;
}

/** How many numbers of A (@side 0) or B (1) are in one lane. */
static inline uint32_t gfx_matrix_together(const struct gfx_matrix *matrix, uint32_t side)
{
	uint32_t depth = matrix->sparse && side == 0 ? matrix->depth / 2U : matrix->depth;

	return matrix->rows * matrix->blocks * depth / 64U;
}

/** How many registers A (@side 0) or B (1) has. */
static inline uint32_t gfx_matrix_words(const struct gfx_matrix *matrix, uint32_t side)
{
	return gfx_matrix_together(matrix, side) * gfx_element_bits(matrix->elements[side]) / 32;
}

/** How many registers C and D have. */
static inline uint32_t gfx_matrix_result_words(const struct gfx_matrix *matrix)
{
	uint32_t wide = matrix->elements[0] == GFX_ELEMENT_F64 ? 2 : 1;

	return wide * matrix->rows * matrix->rows * matrix->blocks / 64U;
}

/** How many numbers a row of A (@side 0), or a column of B (1), has in registers: a sparse A has half of them. */
static inline uint32_t gfx_wave_matrix_depth(const struct gfx_matrix *matrix, uint32_t side)
{
	return matrix->sparse && side == 0 ? matrix->depth / 2U : matrix->depth;
}

/**
 * How many numbers of A (@side 0) or B (1) a lane has from gfx11 on, in a wave of @lanes lanes. In gfx11 it has a whole row; in gfx12 its share, but
 * at least a register full: nibbles may be in the lower lanes alone.
 */
static inline uint32_t gfx_wave_matrix_together(const struct gfx_matrix *matrix,
						enum gfx_generation generation, uint32_t side,
						uint32_t lanes)
{
	uint32_t depth = gfx_wave_matrix_depth(matrix, side);
	uint32_t fewest = 32 / gfx_element_bits(matrix->elements[side]);
	uint32_t share = matrix->rows * depth / lanes;

	if (generation == GFX_GENERATION_11)
		return depth;
	return share < fewest ? fewest : share;
}

/** How many registers A (@side 0), B (1), or C and D (2) have then. In gfx11 halves of D have a register each. */
static inline uint32_t gfx_wave_matrix_words(const struct gfx_matrix *matrix,
					     enum gfx_generation generation, uint32_t side,
					     uint32_t lanes)
{
	uint32_t rows = matrix->rows;

	if (side < 2)
		return gfx_wave_matrix_together(matrix, generation, side, lanes) *
		       gfx_element_bits(matrix->elements[side]) / 32;
	if (generation == GFX_GENERATION_11)
		return rows * rows / lanes;
	return rows * rows / lanes * gfx_element_bits(matrix->result) / 32;
}

struct gfx_operation {
	const char *name;
	/* The same for all generations, whatever names they have for it: "v_add_u32" of v_add_nc_u32 and of one of two; NULL: the name. */
	const char *computes;
	gfx_execute_function *execute; /* reads operands and calls the function below */
	union {
		gfx_scalar_function *scalar;
		gfx_vector_function *vector;
		gfx_atomic_function *atomic;
		const struct gfx_matrix *matrix;
	};
	uint8_t dst, src[3]; /* enum gfx_type */
	uint8_t memory;	     /* enum gfx_memory_kind */
	uint8_t size;	     /* memory: bytes per lane, of one part */
	uint8_t raises;	     /* enum gfx_raises */
	uint32_t flags;
};

/* An encoding, or those of its opcodes that share a table. */
struct gfx_encoding_row {
	uint32_t mask, value; /* matches instructions with (first word & mask) == value */
	uint32_t opcode_mask;
	uint16_t opcode_first, opcode_count;
	uint8_t opcode_shift, word_count;
	enum gfx_encoding encoding;
	bool (*fields)(struct gfx_instruction *instruction); /* false: a reserved field value */
	const struct gfx_operation *operations;
	size_t operation_count;
	bool overlay; /* operations without a name are looked for in the rows behind it */
};

/** The name that all generations have in common for what an operation computes: operands may have other types. */
static inline const char *gfx_computes(const struct gfx_operation *operation)
{
	return operation->computes ? operation->computes : operation->name;
}

/** Operands of 16 bits. */
static inline bool gfx_type_is_half(uint32_t type)
{
	return type == GFX_B16 || type == GFX_F16;
}

static inline uint32_t gfx_type_words(uint32_t type)
{
	if (type == GFX_B128)
		return 4;
	return type == GFX_B64 || type == GFX_F64 || type == GFX_V2F32 || type == GFX_V2B32 ? 2 : 1;
}

#endif /* GFX_INSTRUCTION_OPERATION_H */
