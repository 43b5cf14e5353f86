/* SPDX-License-Identifier: MIT */
/*
 * The effect of an instruction on the control flow, decoded from its words: the first, and where that says so the constant
 * behind it.
 *
 * Register operands come back as AMD's library names them. It knows halves of the 64-bit registers
 * by numbers of their own, which are in no register list.
 */
#include "gfx/architecture/architecture.h"

enum {
	/* The first half of the pair; the second is the next number. */
	NUMBER_SGPR = 0x400,
	NUMBER_FLAT_SCRATCH_LO = 0x532,
	NUMBER_EXEC_LO = 0x534,
	NUMBER_VCC_LO = 0x536,
	NUMBER_XNACK_MASK_LO = 0x538,
	/* A register that reads as 0: what trap temporaries are outside the trap handler. */
	NUMBER_NULL = 0x542,
};

/* Scalar operands that are numbers. */
enum {
	INLINE_ZERO = 128,
	INLINE_64 = 192,
	INLINE_MINUS_16 = 208,
	LITERAL_64 = 254,
	LITERAL_32 = 255,
};

/* Top bits of the scalar encodings. */
enum {
	FORM_SOP1 = 0x17d, /* bits 31..23 */
	FORM_SOPP = 0x17f,
	FORM_SOPK = 0xb, /* bits 31..28 */
	FORM_SOP2 = 0x2, /* bits 31..30 */
};

/* No opcode: the generation does not have the instruction. */
#define NONE (-1)

/* Opcodes within their forms, as generations number them. */
struct opcodes {
	/* SOPP */
	int16_t endpgm, branch, trap, sethalt, barrier, sleep, code_end;
	int16_t cbranch_first, cbranch_last;
	int16_t cbranch_debug_first, cbranch_debug_last;
	/* SOPK */
	int16_t call, cbranch_i_fork, subvector_loop_begin, subvector_loop_end;
	/* SOP1 */
	int16_t setpc, swappc, cbranch_join, add_pc;
	/* SOP2 */
	int16_t cbranch_g_fork;
};

/* The barrier is s_barrier_wait: s_barrier_signal and its like do not make a wave wait. */
#define OPCODES_GFX12                                                                              \
	.endpgm = 48, .branch = 32, .trap = 16, .sethalt = 2, .barrier = 20, .sleep = 3,           \
	.code_end = 31, .cbranch_first = 33, .cbranch_last = 38, .cbranch_debug_first = NONE,      \
	.cbranch_debug_last = NONE, .call = 20, .cbranch_i_fork = NONE,                            \
	.subvector_loop_begin = NONE, .subvector_loop_end = NONE, .setpc = 72, .swappc = 73,       \
	.cbranch_join = NONE, .cbranch_g_fork = NONE

static const struct opcodes generations[] = {
	[GFX_GENERATION_9] =
		{
			.endpgm = 1,
			.branch = 2,
			.trap = 18,
			.sethalt = 13,
			.barrier = 10,
			.sleep = 14,
			.code_end = NONE,
			.cbranch_first = 4,
			.cbranch_last = 9,
			.cbranch_debug_first = 23,
			.cbranch_debug_last = 26,
			.call = 21,
			.cbranch_i_fork = 16,
			.subvector_loop_begin = NONE,
			.subvector_loop_end = NONE,
			.setpc = 29,
			.swappc = 30,
			.cbranch_join = 46,
			.add_pc = NONE,
			.cbranch_g_fork = 41,
		},
	[GFX_GENERATION_10] =
		{
			.endpgm = 1,
			.branch = 2,
			.trap = 18,
			.sethalt = 13,
			.barrier = 10,
			.sleep = 14,
			.code_end = 31,
			.cbranch_first = 4,
			.cbranch_last = 9,
			.cbranch_debug_first = 23,
			.cbranch_debug_last = 26,
			.call = 22,
			.cbranch_i_fork = NONE,
			.subvector_loop_begin = 27,
			.subvector_loop_end = 28,
			.setpc = 32,
			.swappc = 33,
			.cbranch_join = NONE,
			.add_pc = NONE,
			.cbranch_g_fork = NONE,
		},
	[GFX_GENERATION_11] =
		{
			.endpgm = 48,
			.branch = 32,
			.trap = 16,
			.sethalt = 2,
			.barrier = 61,
			.sleep = 3,
			.code_end = 31,
			.cbranch_first = 33,
			.cbranch_last = 38,
			.cbranch_debug_first = 39,
			.cbranch_debug_last = 42,
			.call = 20,
			.cbranch_i_fork = NONE,
			.subvector_loop_begin = 22,
			.subvector_loop_end = 23,
			.setpc = 72,
			.swappc = 73,
			.cbranch_join = NONE,
			.add_pc = NONE,
			.cbranch_g_fork = NONE,
		},
	[GFX_GENERATION_12] = {OPCODES_GFX12, .add_pc = NONE},
	[GFX_GENERATION_12_5] = {OPCODES_GFX12, .add_pc = 75},
};

/* One instruction on its way: what it is of, and what has been found out. */
struct classified {
	const struct gfx_architecture *architecture;
	const struct opcodes *opcodes;
	uint64_t address;
	uint32_t word;		  /* the first */
	const uint32_t *constant; /* the words behind it */
	size_t constant_count;
	struct gfx_classification *result;
};

/* The number of the low half of what an even scalar operand names; false if that is no register. */
static bool operand_number(enum gfx_generation generation, uint32_t operand, uint32_t *number_ret)
{
	bool gfx9 = generation == GFX_GENERATION_9;

	if (operand <= (gfx9 ? 101u : 105u))
		*number_ret = NUMBER_SGPR + operand;
	else if (operand == 102)
		*number_ret = NUMBER_FLAT_SCRATCH_LO;
	else if (operand == 104)
		*number_ret = NUMBER_XNACK_MASK_LO;
	else if (operand == 106)
		*number_ret = NUMBER_VCC_LO;
	else if (operand >= 108 && operand <= 123)
		*number_ret = NUMBER_NULL;
	else if (operand == 124 && generation >= GFX_GENERATION_11)
		*number_ret = NUMBER_NULL;
	else if (operand == 126)
		*number_ret = NUMBER_EXEC_LO;
	else
		return false;
	return true;
}

/*
 * The id of a register that has a number in our own table. In a trace an architecture has the numbers that the recorded library
 * gave: it then is a copy of our table, with its runs of registers numbered anew. Halves of vcc and
 * exec are in no list: they keep their numbers.
 */
static uint64_t id_of(const struct gfx_architecture *architecture, uint32_t number)
{
	const struct gfx_architecture *own = gfx_architecture_by_name(architecture->name);
	const struct gfx_register_range *range = architecture->registers;
	struct gfx_register known;

	if (!own || own == architecture || !gfx_register_by_id(own, own->id << 32 | number, &known))
		return architecture->id << 32 | number;
	for (size_t i = 0; i < architecture->register_range_count; i++, range++)
		if (range->kind == known.range->kind && range->prefix == known.range->prefix &&
		    range->first == known.range->first)
			return architecture->id << 32 |
			       (range->number + (known.index - range->first));
	return architecture->id << 32 | number;
}

/* The register pair that a scalar operand names: false if it is none, or not an even one. */
static bool pair_of(const struct gfx_architecture *architecture, uint32_t operand,
		    uint64_t registers_ret[2])
{
	uint32_t number;

	if (operand & 1 || !operand_number(architecture->generation, operand, &number))
		return false;
	registers_ret[0] = id_of(architecture, number);
	registers_ret[1] = id_of(architecture, number + 1);
	return true;
}

/* The target of a branch is 16 bits, signed, in words after the instruction. */
static uint64_t branch_target(const struct classified *c)
{
	return c->address + 4 + (uint64_t)((int64_t)(int16_t)(c->word & 0xffff) * 4);
}

static bool is_conditional(const struct opcodes *o, int opcode)
{
	return (opcode >= o->cbranch_first && opcode <= o->cbranch_last) ||
	       (o->cbranch_debug_first != NONE && opcode >= o->cbranch_debug_first &&
		opcode <= o->cbranch_debug_last);
}

static void classify_sopp(struct classified *c)
{
	int opcode = (int)(c->word >> 16 & 0x7f);
	const struct opcodes *o = c->opcodes;

	if (opcode == o->branch || is_conditional(o, opcode)) {
		c->result->kind = opcode == o->branch ? GFX_INSTRUCTION_DIRECT_BRANCH
						      : GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL;
		c->result->target = branch_target(c);
	} else if (opcode == o->endpgm) {
		c->result->kind = GFX_INSTRUCTION_TERMINATE;
	} else if (opcode == o->trap) {
		c->result->kind = GFX_INSTRUCTION_TRAP;
		c->result->trap_id = c->word & 0xff;
	} else if (opcode == o->sethalt && (c->word & 1)) {
		c->result->kind = GFX_INSTRUCTION_HALT;
	} else if (opcode == o->barrier) {
		c->result->kind = GFX_INSTRUCTION_BARRIER;
	} else if (opcode == o->sleep) {
		c->result->kind = GFX_INSTRUCTION_SLEEP;
	} else if (opcode == o->code_end) {
		/* Padding behind a program: nothing that runs. */
		c->result->kind = GFX_INSTRUCTION_UNKNOWN;
	}
}

/* A scalar operand that is a signed number; false if it is a register, or its words are not there. */
static bool constant_of(const struct classified *c, uint32_t operand, int64_t *constant_ret)
{
	if (operand >= INLINE_ZERO && operand <= INLINE_64)
		*constant_ret = (int64_t)operand - INLINE_ZERO;
	else if (operand > INLINE_64 && operand <= INLINE_MINUS_16)
		*constant_ret = INLINE_64 - (int64_t)operand;
	else if (operand == LITERAL_32 && c->constant_count >= 1)
		*constant_ret = (int32_t)c->constant[0];
	else if (operand == LITERAL_64 && c->constant_count >= 2)
		*constant_ret = (int64_t)((uint64_t)c->constant[1] << 32 | c->constant[0]);
	else
		return false;
	return true;
}

/* s_add_pc_i64: from the next instruction so many bytes on. */
static void classify_add_pc(struct classified *c, uint32_t source)
{
	size_t words = source == LITERAL_32 ? 2 : source == LITERAL_64 ? 3 : 1;
	struct gfx_classification *result = c->result;
	int64_t distance;

	if (constant_of(c, source, &distance)) {
		result->kind = GFX_INSTRUCTION_DIRECT_BRANCH;
		result->target = c->address + 4 * words + (uint64_t)distance;
	} else if (pair_of(c->architecture, source, result->source_registers)) {
		result->kind = GFX_INSTRUCTION_RELATIVE_BRANCH;
	}
}

static void classify_sop1(struct classified *c)
{
	uint32_t source = c->word & 0xff, destination = c->word >> 16 & 0x7f;
	int opcode = (int)(c->word >> 8 & 0xff);
	struct gfx_classification *result = c->result;

	if (opcode == c->opcodes->setpc) {
		result->kind = pair_of(c->architecture, source, result->source_registers)
				       ? GFX_INSTRUCTION_INDIRECT_BRANCH
				       : GFX_INSTRUCTION_UNKNOWN;
	} else if (opcode == c->opcodes->swappc) {
		result->kind = pair_of(c->architecture, source, result->source_registers) &&
					       pair_of(c->architecture, destination,
						       result->saved_registers)
				       ? GFX_INSTRUCTION_INDIRECT_CALL
				       : GFX_INSTRUCTION_UNKNOWN;
	} else if (opcode == c->opcodes->cbranch_join) {
		result->kind = GFX_INSTRUCTION_SPECIAL;
	} else if (opcode == c->opcodes->add_pc) {
		classify_add_pc(c, source);
	}
}

static void classify_sopk(struct classified *c)
{
	int opcode = (int)(c->word >> 23 & 0x1f);
	uint32_t destination = c->word >> 16 & 0x7f;
	const struct opcodes *o = c->opcodes;
	struct gfx_classification *result = c->result;

	if (opcode == o->call) {
		result->kind = pair_of(c->architecture, destination, result->saved_registers)
				       ? GFX_INSTRUCTION_DIRECT_CALL
				       : GFX_INSTRUCTION_UNKNOWN;
		result->target = branch_target(c);
	} else if (opcode == o->cbranch_i_fork) {
		result->kind = destination & 1 ? GFX_INSTRUCTION_UNKNOWN
					       : GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL;
		result->target = branch_target(c);
	} else if (opcode == o->subvector_loop_begin || opcode == o->subvector_loop_end) {
		result->kind = GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL;
		result->target = branch_target(c);
	}
}

static void classify_sop2(struct classified *c)
{
	int opcode = (int)(c->word >> 23 & 0x7f);
	uint32_t condition = c->word & 0xff, source = c->word >> 8 & 0xff;

	if (opcode == c->opcodes->cbranch_g_fork)
		c->result->kind = !(condition & 1) && pair_of(c->architecture, source,
							      c->result->source_registers)
					  ? GFX_INSTRUCTION_INDIRECT_BRANCH_CONDITIONAL
					  : GFX_INSTRUCTION_UNKNOWN;
}

void gfx_classify(const struct gfx_architecture *architecture, uint64_t address,
		  const uint32_t *words, size_t count,
		  struct gfx_classification *classification_ret)
{
	struct gfx_classification result = {.kind = GFX_INSTRUCTION_SEQUENTIAL};
	const uint32_t word = words[0];
	struct classified c = {
		.architecture = architecture,
		.opcodes = &generations[architecture->generation],
		.address = address,
		.word = word,
		.constant = words + 1,
		.constant_count = count - 1,
		.result = &result,
	};

	/* The order matters: the longer forms are carved out of the shorter ones. */
	if (word >> 23 == FORM_SOPP)
		classify_sopp(&c);
	else if (word >> 23 == FORM_SOP1)
		classify_sop1(&c);
	else if (word >> 28 == FORM_SOPK)
		classify_sopk(&c);
	else if (word >> 30 == FORM_SOP2)
		classify_sop2(&c);
	if (result.kind == GFX_INSTRUCTION_UNKNOWN)
		result = (struct gfx_classification){.kind = GFX_INSTRUCTION_UNKNOWN};
	*classification_ret = result;
}
