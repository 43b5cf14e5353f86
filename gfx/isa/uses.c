/* SPDX-License-Identifier: MIT */
#include "gfx/isa/uses.h"

#include <string.h>

#include "gfx/alu/operations.h"
#include "gfx/alu/scalar.h"
#include "gfx/wave/memory-access.h"

#define SDWA_WHOLE 6

/* Return: the use that was added; NULL if none was. */
static struct gfx_use *use_add(struct gfx_use *list, uint32_t *count, enum gfx_register_file file,
			       uint32_t number, uint32_t words, bool address)
{
	struct gfx_use *use;

	/* A write to null is lost, and reading it says nothing of a register. */
	if ((file == GFX_FILE_SCALAR && number == GFX_CODE_NULL) || !words ||
	    *count >= GFX_MAX_USES)
		return NULL;
	use = &list[(*count)++];
	*use = (struct gfx_use){
		.file = file,
		.number = (uint16_t)number,
		.words = (uint8_t)words,
		.address = address,
	};
	return use;
}

static struct gfx_use *reads(struct gfx_uses *uses, enum gfx_register_file file, uint32_t number,
			     uint32_t words)
{
	return use_add(uses->reads, &uses->read_count, file, number, words, false);
}

static void addresses(struct gfx_uses *uses, enum gfx_register_file file, uint32_t number,
		      uint32_t words)
{
	use_add(uses->reads, &uses->read_count, file, number, words, true);
}

static struct gfx_use *writes(struct gfx_uses *uses, enum gfx_register_file file, uint32_t number,
			      uint32_t words)
{
	return use_add(uses->writes, &uses->write_count, file, number, words, false);
}

static uint32_t mask_words(uint32_t lanes)
{
	return lanes > 32 ? 2 : 1;
}

/* The register behind a scalar operand's code; constants have none. */
static void reads_code(struct gfx_uses *uses, uint32_t code, uint32_t words, uint32_t lanes)
{
	if (code < GFX_CODE_ZERO)
		reads(uses, GFX_FILE_SCALAR, code, words);
	else if (code == GFX_CODE_VCCZ)
		reads(uses, GFX_FILE_SCALAR, GFX_CODE_VCC, mask_words(lanes));
	else if (code == GFX_CODE_EXECZ)
		reads(uses, GFX_FILE_SCALAR, GFX_CODE_EXEC, mask_words(lanes));
	else if (code == GFX_CODE_SCC)
		reads(uses, GFX_FILE_SCALAR, GFX_CODE_SCC, 1);
}

/* A mask with a bit for each lane. */
static void reads_mask(struct gfx_uses *uses, uint32_t code, uint32_t lanes)
{
	struct gfx_use *use = reads(uses, GFX_FILE_SCALAR, code, mask_words(lanes));

	if (use)
		use->mask = true;
}

static void writes_mask(struct gfx_uses *uses, uint32_t code, uint32_t lanes)
{
	struct gfx_use *use = writes(uses, GFX_FILE_SCALAR, code, mask_words(lanes));

	if (use)
		use->mask = true;
}

/* A part of a vector register. */
static struct gfx_use *reads_part(struct gfx_uses *uses, enum gfx_register_file file,
				  uint32_t number, uint32_t words, enum gfx_part part)
{
	struct gfx_use *use = reads(uses, file, number, words);

	if (use)
		use->part = (uint8_t)part;
	return use;
}

/* The other half stays. */
static void writes_half(struct gfx_uses *uses, enum gfx_register_file file, uint32_t number,
			enum gfx_part part)
{
	struct gfx_use *read = reads_part(uses, file, number, 1,
					  part == GFX_PART_LOWER ? GFX_PART_UPPER : GFX_PART_LOWER);
	struct gfx_use *written = writes(uses, file, number, 1);

	if (read)
		read->kept = true;
	if (written)
		written->part = (uint8_t)part;
}

static bool starts(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static bool contains(const char *name, const char *part)
{
	return strstr(name, part);
}

/* ---- Scalar operations ---- */

/* @name: of what is computed. */
static bool reads_scc(const char *name)
{
	return starts(name, "s_cselect") || starts(name, "s_cmov") || starts(name, "s_addc_") ||
	       starts(name, "s_subb_") || starts(name, "s_cbranch_scc");
}

static bool writes_scc(const struct gfx_instruction *instruction)
{
	static const char *const prefixes[] = {
		"s_add_",   "s_sub_",	"s_addc_",  "s_subb_", "s_min_", "s_max_",    "s_lshl1_",
		"s_lshl2_", "s_lshl3_", "s_lshl4_", "s_addk_", "s_abs_", "s_absdiff_"};
	const struct gfx_operation *operation = instruction->operation;
	const char *name = gfx_computes(operation);

	if (operation->execute == gfx_execute_scalar_float)
		return operation->dst == GFX_NONE;
	if (operation->flags & GFX_NONZERO_SCC || starts(name, "s_cmp") ||
	    starts(name, "s_bitcmp") || contains(name, "saveexec") || contains(name, "wrexec"))
		return true;
	/* "No carry". */
	if (contains(name, "_nc_"))
		return false;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (starts(name, prefixes[i]))
			return true;
	return false;
}

/* @name: of what is computed, which says nothing of how wide it is. */
static bool is_bitwise(const char *name)
{
	static const char *const names[] = {"s_mov",  "s_and",	"s_or",	 "s_xor",  "s_andn2",
					    "s_orn2", "s_nand", "s_nor", "s_xnor", "s_not"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return contains(name, "saveexec") || contains(name, "wrexec");
}

static void list_scalar_sources(const struct gfx_instruction *instruction, uint32_t lanes,
				struct gfx_uses *uses)
{
	const struct gfx_operation *operation = instruction->operation;

	for (uint32_t i = 0; i < (operation->flags & GFX_READS_DST ? 2U : 3U); i++) {
		uint32_t type = operation->src[i];

		if (type == GFX_DST)
			reads(uses, GFX_FILE_SCALAR, instruction->dst, 1);
		else if (type != GFX_NONE && type != GFX_K16 && type != GFX_U16)
			reads_code(uses, instruction->src[i], gfx_type_words(type), lanes);
	}
	if (operation->flags & GFX_READS_DST)
		reads(uses, GFX_FILE_SCALAR, instruction->dst, gfx_type_words(operation->dst));
}

static void list_hardware_register(const struct gfx_instruction *instruction, struct gfx_uses *uses)
{
	if (starts(instruction->operation->name, "s_getreg") ||
	    starts(instruction->operation->name, "s_sendmsg_rtn"))
		uses->volatile_result = true;
	else if (!strcmp(instruction->operation->name, "s_setreg_b32"))
		reads(uses, GFX_FILE_SCALAR, instruction->dst, 1);
}

static void list_scalar(const struct gfx_instruction *instruction, uint32_t lanes,
			struct gfx_uses *uses)
{
	const struct gfx_operation *operation = instruction->operation;
	const char *name = gfx_computes(operation);
	uint32_t words = gfx_type_words(operation->dst);

	list_scalar_sources(instruction, lanes, uses);
	list_hardware_register(instruction, uses);
	if (reads_scc(name))
		reads(uses, GFX_FILE_SCALAR, GFX_CODE_SCC, 1);
	if (operation->dst != GFX_NONE)
		writes(uses, GFX_FILE_SCALAR, instruction->dst, words);
	if (contains(name, "saveexec") || contains(name, "wrexec")) {
		reads(uses, GFX_FILE_SCALAR, GFX_CODE_EXEC, words);
		writes(uses, GFX_FILE_SCALAR, GFX_CODE_EXEC, words);
	}
	if (writes_scc(instruction))
		writes(uses, GFX_FILE_SCALAR, GFX_CODE_SCC, 1);
	uses->bitwise = is_bitwise(name);
	uses->dynamic = starts(name, "s_movrel") || starts(name, "s_set_gpr_idx");
}

static void list_control(const struct gfx_instruction *instruction, uint32_t lanes,
			 struct gfx_uses *uses)
{
	const char *name = instruction->operation->name;

	if (reads_scc(name))
		reads(uses, GFX_FILE_SCALAR, GFX_CODE_SCC, 1);
	else if (starts(name, "s_cbranch_vcc"))
		reads(uses, GFX_FILE_SCALAR, GFX_CODE_VCC, mask_words(lanes));
	else if (starts(name, "s_cbranch_exec"))
		reads(uses, GFX_FILE_SCALAR, GFX_CODE_EXEC, mask_words(lanes));
	else if (starts(name, "s_cbranch_cdbg"))
		uses->volatile_result = true;
	uses->dynamic = starts(name, "s_set_gpr_idx");
}

/* ---- Vector operations ---- */

static bool has_long_form(const struct gfx_instruction *instruction)
{
	return instruction->encoding == GFX_VOP3 || instruction->encoding == GFX_VOP3E ||
	       instruction->encoding == GFX_VOP3P;
}

/* Integers up to 64, and literals of 16 bits. */
static bool is_small_constant(const struct gfx_instruction *instruction, uint32_t code)
{
	if (code == GFX_CODE_LITERAL)
		return instruction->literal <= UINT16_MAX;
	return code >= GFX_CODE_ZERO && code < GFX_CODE_MINUS_ONE;
}

/*
 * A packed operation takes one half, or one register of a pair, for its low result and one for its high one. Return: those that it takes of a
 * source, as bits.
 */
static uint32_t packed_taken(const struct gfx_instruction *instruction, uint32_t index)
{
	uint32_t low = instruction->op_sel >> index & 1, high = instruction->op_sel_hi >> index & 1;

	/* v_pk_mov_b32 makes its low result of the first source, its high one of the second. */
	if (instruction->operation->src[index] == GFX_V2B32)
		return 1U << low;
	return 1U << low | 1U << high;
}

/* Sources of 16 bits, and what a mask cuts off. */
static enum gfx_part source_part(const struct gfx_instruction *instruction, uint32_t index)
{
	static const enum gfx_part halves[] = {GFX_PART_WHOLE, GFX_PART_LOWER, GFX_PART_UPPER,
					       GFX_PART_WHOLE};
	const struct gfx_operation *operation = instruction->operation;
	uint32_t type = operation->src[index];

	if (instruction->extension == GFX_EXTENSION_SDWA)
		return GFX_PART_WHOLE;
	if (gfx_type_is_half(type) || (type == GFX_MIX && instruction->op_sel_hi >> index & 1))
		return instruction->op_sel >> index & 1 ? GFX_PART_UPPER : GFX_PART_LOWER;
	if (type == GFX_V2F16 || type == GFX_V2B16)
		return halves[packed_taken(instruction, index)];
	if (index < 2 && !strcmp(gfx_computes(operation), "v_and_b32") &&
	    is_small_constant(instruction, instruction->src[1 - index]))
		return GFX_PART_LOWER;
	return GFX_PART_WHOLE;
}

/* Two registers whose values, or some of their lanes, change places. */
static bool changes_two(const struct gfx_operation *operation)
{
	return operation->execute == gfx_v_swap_b32 ||
	       operation->execute == gfx_v_permlane16_swap_b32 ||
	       operation->execute == gfx_v_permlane32_swap_b32;
}

static void list_vector_source(const struct gfx_instruction *instruction, uint32_t lanes,
			       uint32_t index, struct gfx_uses *uses)
{
	const struct gfx_operation *operation = instruction->operation;
	uint32_t type = operation->src[index], code = instruction->src[index];
	uint32_t words = gfx_type_words(type);
	bool acc = index == 0 && operation->flags & GFX_SRC_AGPR;

	if (type == GFX_NONE || changes_two(operation))
		return;
	if (type == GFX_V2F32 || type == GFX_V2B32) {
		uint32_t taken = packed_taken(instruction, index);

		words = (uint32_t)__builtin_popcount(taken);
		/* A constant is the same in both words. */
		if (taken == 2 && (code >= GFX_CODE_VGPR0 || code < GFX_CODE_ZERO))
			code++;
	}
	if (type == GFX_MASK && has_long_form(instruction) && code >= GFX_CODE_ZERO)
		return;
	if (type == GFX_MASK)
		reads_mask(uses,
			   has_long_form(instruction) ? gfx_mask_code(instruction, code, lanes)
						      : GFX_CODE_VCC,
			   lanes);
	else if (code >= GFX_CODE_VGPR0)
		reads_part(uses, acc ? GFX_FILE_ACCUMULATION : GFX_FILE_VECTOR,
			   code - GFX_CODE_VGPR0, words, source_part(instruction, index));
	else
		reads_code(uses, code, words, lanes);
}

/* Lanes that get nothing, and what SDWA leaves. */
static bool leaves_old(const struct gfx_instruction *instruction)
{
	gfx_execute_function *execute = instruction->operation->execute;

	if (execute == gfx_v_permlane16_b32 || execute == gfx_v_permlanex16_b32)
		return !(instruction->op_sel & 2);
	if (execute == gfx_v_permlane64_b32)
		return true;
	return instruction->extension == GFX_EXTENSION_DPP ||
	       (instruction->extension == GFX_EXTENSION_SDWA &&
		instruction->sdwa_dst != SDWA_WHOLE);
}

static enum gfx_part written_part(const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;

	if (!gfx_type_is_half(operation->dst) || !(operation->flags & GFX_KEEPS_HIGH))
		return GFX_PART_WHOLE;
	return instruction->op_sel & 8 || operation->flags & GFX_HIGH_HALF ? GFX_PART_UPPER
									   : GFX_PART_LOWER;
}

static void list_destination(const struct gfx_instruction *instruction, struct gfx_uses *uses)
{
	const struct gfx_operation *operation = instruction->operation;
	uint32_t flags = operation->flags, words = gfx_type_words(operation->dst);
	enum gfx_register_file file = flags & GFX_SCALAR_DST ? GFX_FILE_SCALAR
				      : flags & GFX_DST_AGPR ? GFX_FILE_ACCUMULATION
							     : GFX_FILE_VECTOR;
	enum gfx_part part = written_part(instruction);

	if (operation->dst == GFX_NONE)
		return;
	if (leaves_old(instruction))
		reads_part(uses, file, instruction->dst, words, part);
	if (part == GFX_PART_WHOLE)
		writes(uses, file, instruction->dst, words);
	else
		writes_half(uses, file, instruction->dst, part);
}

static bool has_mask_result(const struct gfx_operation *operation)
{
	return operation->execute == gfx_execute_compare || operation->flags & GFX_CARRY_OUT;
}

static void list_lane_operation(const struct gfx_instruction *instruction, struct gfx_uses *uses)
{
	const struct gfx_operation *operation = instruction->operation;
	gfx_execute_function *execute = operation->execute;

	uses->dynamic = starts(operation->name, "v_movrel");
	uses->cross_lane = execute != gfx_v_swap_b32;
	uses->fetches_inactive = execute == gfx_v_permlane64_b32 || instruction->op_sel & 1;
	if (execute == gfx_v_writelane_b32)
		reads(uses, GFX_FILE_VECTOR, instruction->dst, 1);
	if (!changes_two(operation))
		return;
	reads(uses, GFX_FILE_VECTOR, instruction->dst, 1);
	reads(uses, GFX_FILE_VECTOR, instruction->src[0] & 0xffU, 1);
	writes(uses, GFX_FILE_VECTOR, instruction->src[0] & 0xffU, 1);
}

static void list_vector(const struct gfx_instruction *instruction, uint32_t lanes,
			struct gfx_uses *uses)
{
	const struct gfx_operation *operation = instruction->operation;
	const uint32_t mask = gfx_mask_code(instruction, instruction->sdst, lanes);
	const bool has_mask = has_mask_result(operation);

	for (uint32_t i = 0; i < 3; i++)
		list_vector_source(instruction, lanes, i, uses);
	if (operation->flags & GFX_READS_VCC)
		reads_mask(uses, GFX_CODE_VCC, lanes);
	list_destination(instruction, uses);
	if (has_mask)
		writes_mask(uses, mask, lanes);
	/* From gfx10 on that is exec itself. */
	if (operation->flags & GFX_WRITES_EXEC && !(has_mask && mask == GFX_CODE_EXEC))
		writes_mask(uses, GFX_CODE_EXEC, lanes);
	uses->cross_lane |= instruction->extension == GFX_EXTENSION_DPP ||
			    instruction->extension == GFX_EXTENSION_DPP8;
	uses->fetches_inactive |= instruction->dpp_fetches;
	if (operation->flags & GFX_LANE_SELECT)
		list_lane_operation(instruction, uses);
}

static void list_both(const struct gfx_instruction *instruction, uint32_t lanes,
		      struct gfx_uses *uses)
{
	struct gfx_instruction part;

	list_vector(instruction, lanes, uses);
	if (!instruction->second)
		return;
	gfx_instruction_part(instruction, true, &part);
	list_vector(&part, lanes, uses);
}

/* Tuples: A, B, and C, which is also D where A is sparse, whose indices are a register of their own. */
static void list_matrix(const struct gfx_instruction *instruction, uint32_t lanes,
			struct gfx_uses *uses)
{
	const struct gfx_matrix *matrix = instruction->operation->matrix;
	enum gfx_register_file file = instruction->acc ? GFX_FILE_ACCUMULATION : GFX_FILE_VECTOR;
	enum gfx_generation generation = instruction->generation;
	bool later = generation >= GFX_GENERATION_11;
	uint32_t third = instruction->src[2];
	uint32_t words = later ? gfx_wave_matrix_words(matrix, generation, 2, lanes)
			       : gfx_matrix_result_words(matrix);

	for (uint32_t i = 0; i < 2; i++)
		reads(uses, instruction->src_acc[i] ? GFX_FILE_ACCUMULATION : GFX_FILE_VECTOR,
		      instruction->src[i] - (uint32_t)GFX_CODE_VGPR0,
		      later ? gfx_wave_matrix_words(matrix, generation, i, lanes)
			    : gfx_matrix_words(matrix, i));
	if (matrix->sparse) {
		reads(uses, GFX_FILE_VECTOR, third - GFX_CODE_VGPR0, 1);
		reads(uses, file, instruction->dst, words);
	} else if (third >= GFX_CODE_VGPR0) {
		reads(uses, file, third - GFX_CODE_VGPR0, words);
	}
	/* A half in a register of its own leaves the other one there. */
	if (generation == GFX_GENERATION_11 && gfx_element_bits(matrix->result) == 16)
		reads(uses, file, instruction->dst, words);
	writes(uses, file, instruction->dst, words);
	uses->cross_lane = uses->all_lanes = true;
}

/* ---- Memory ---- */

static void list_scalar_load(const struct gfx_instruction *instruction, struct gfx_uses *uses)
{
	const struct gfx_operation *operation = instruction->operation;

	if (operation->memory == GFX_MEMORY_NONE) {
		/* The clocks. Cache operations have no operands, and prefetches, which gfx12 has, change nothing. */
		if (operation->flags & GFX_NO_OPERANDS ||
		    instruction->generation >= GFX_GENERATION_12)
			return;
		writes(uses, GFX_FILE_SCALAR, instruction->dst, 2);
		uses->volatile_result = true;
		return;
	}
	addresses(uses, GFX_FILE_SCALAR, instruction->address,
		  operation->flags & GFX_RESOURCE ? 4 : 2);
	if (instruction->scalar_address < GFX_CODE_ZERO &&
	    instruction->scalar_address != GFX_CODE_OFF)
		addresses(uses, GFX_FILE_SCALAR, instruction->scalar_address, 1);
	writes(uses, GFX_FILE_SCALAR, instruction->dst, (operation->size + 3U) / 4);
}

static void list_address(const struct gfx_instruction *instruction, uint32_t lanes,
			 struct gfx_uses *uses)
{
	uint32_t scalar = instruction->scalar_address, count;
	bool named = scalar < GFX_CODE_ZERO && scalar != GFX_CODE_OFF;

	addresses(uses, GFX_FILE_VECTOR, instruction->address, gfx_address_words(instruction));
	if (gfx_address_is_lane(instruction))
		addresses(uses, GFX_FILE_SCALAR, GFX_CODE_M0, 1);
	if (instruction->encoding == GFX_GLOBAL && named)
		addresses(uses, GFX_FILE_SCALAR, scalar, 2);
	if (instruction->encoding == GFX_SCRATCH && named)
		addresses(uses, GFX_FILE_SCALAR, scalar, 1);
	if (instruction->encoding != GFX_MUBUF)
		return;
	addresses(uses, GFX_FILE_SCALAR, instruction->resource, 4);
	count = uses->read_count;
	/* The offset may be a bit, too: that of scc, or whether a mask is zero. */
	if (scalar != GFX_CODE_OFF)
		reads_code(uses, scalar, 1, lanes);
	if (uses->read_count > count)
		uses->reads[count].address = true;
}

/* Less than a word is stored from the half that has it. */
static enum gfx_part stored_part(const struct gfx_operation *operation)
{
	if (operation->memory != GFX_MEMORY_STORE || operation->size >= 4)
		return GFX_PART_WHOLE;
	return operation->flags & GFX_HIGH_HALF ? GFX_PART_UPPER : GFX_PART_LOWER;
}

static void list_memory_data(const struct gfx_instruction *instruction, struct gfx_uses *uses)
{
	const struct gfx_operation *operation = instruction->operation;
	enum gfx_register_file file = instruction->acc ? GFX_FILE_ACCUMULATION : GFX_FILE_VECTOR;
	bool ds = instruction->encoding == GFX_DS, pair = operation->flags & GFX_PAIR;
	bool two = operation->flags & GFX_TWO_DATA;
	uint32_t words = (operation->size + 3U) / 4;
	uint32_t loaded = pair ? 2 * words : words;

	if (instruction->to_local) {
		reads(uses, GFX_FILE_SCALAR, GFX_CODE_M0, 1);
		return;
	}
	if (operation->memory != GFX_MEMORY_LOAD)
		reads_part(uses, file, instruction->data[0], two && !ds ? 2 * words : words,
			   stored_part(operation));
	if (ds && (two || (pair && operation->memory == GFX_MEMORY_STORE)))
		reads(uses, file, instruction->data[1], words);
	if (operation->memory != GFX_MEMORY_LOAD && !instruction->returns)
		return;
	if (!(operation->flags & (GFX_D16 | GFX_HIGH_HALF))) {
		writes(uses, file, instruction->dst, loaded);
		return;
	}
	/* Halves fill registers in pairs, and the last one may be alone. */
	if (operation->size / 4)
		writes(uses, file, instruction->dst, operation->size / 4U);
	if (operation->size % 4)
		writes_half(uses, file, instruction->dst + operation->size / 4U,
			    operation->flags & GFX_HIGH_HALF ? GFX_PART_UPPER : GFX_PART_LOWER);
}

/* Lanes that send values to each other, and counters. */
static void list_exchange(const struct gfx_instruction *instruction, struct gfx_uses *uses)
{
	const struct gfx_operation *operation = instruction->operation;
	enum gfx_register_file file = instruction->acc ? GFX_FILE_ACCUMULATION : GFX_FILE_VECTOR;

	if (operation->flags & GFX_NO_OPERANDS)
		return;
	uses->cross_lane = true;
	if (operation->flags & GFX_GLOBAL_SYNC) {
		reads(uses, file, instruction->address, 1);
		return;
	}
	if (operation->flags & GFX_DS_FIELDS) {
		reads(uses, GFX_FILE_SCALAR, GFX_CODE_M0, 1);
		uses->volatile_result = true;
	} else {
		reads(uses, GFX_FILE_VECTOR, instruction->address, 1);
		if (operation->flags & GFX_TWO_DATA)
			reads(uses, file, instruction->data[0], 1);
	}
	writes(uses, file, instruction->dst, 1);
}

static void list_vector_memory(const struct gfx_instruction *instruction, uint32_t lanes,
			       struct gfx_uses *uses)
{
	if (gfx_touches_memory(instruction)) {
		list_address(instruction, lanes, uses);
		list_memory_data(instruction, uses);
		uses->cross_lane = instruction->operation->flags & GFX_LANE_SELECT;
	} else if (instruction->encoding == GFX_DS) {
		list_exchange(instruction, uses);
	}
}

/* The number of coordinates depends on the descriptor: there are at most two, and a slice. */
static void list_image(const struct gfx_instruction *instruction, struct gfx_uses *uses)
{
	enum gfx_register_file file = instruction->acc ? GFX_FILE_ACCUMULATION : GFX_FILE_VECTOR;
	uint32_t words = (uint32_t)__builtin_popcount(instruction->words[0] >> 8 & 15);
	const char *name = instruction->operation->name;

	addresses(uses, GFX_FILE_VECTOR, instruction->address, 3);
	addresses(uses, GFX_FILE_SCALAR, instruction->resource, 8);
	if (instruction->operation->flags & GFX_RESOURCE)
		addresses(uses, GFX_FILE_SCALAR, instruction->scalar_address, 4);
	if (contains(name, "_store"))
		reads(uses, file, instruction->data[0], words);
	else
		writes(uses, file, instruction->dst, words);
	uses->volatile_result = true;
}

void gfx_instruction_uses(const struct gfx_instruction *instruction, uint32_t lanes,
			  struct gfx_uses *uses_ret)
{
	memset(uses_ret, 0, sizeof(*uses_ret));
	switch (instruction->encoding) {
	case GFX_SOP1:
	case GFX_SOP2:
	case GFX_SOPC:
	case GFX_SOPK:
		list_scalar(instruction, lanes, uses_ret);
		break;
	case GFX_SOPP:
		list_control(instruction, lanes, uses_ret);
		break;
	case GFX_SMEM:
		list_scalar_load(instruction, uses_ret);
		break;
	case GFX_DS:
	case GFX_FLAT:
	case GFX_SCRATCH:
	case GFX_GLOBAL:
	case GFX_MUBUF:
		list_vector_memory(instruction, lanes, uses_ret);
		break;
	case GFX_MIMG:
		list_image(instruction, uses_ret);
		break;
	case GFX_MAI:
		list_matrix(instruction, lanes, uses_ret);
		break;
	default:
		list_both(instruction, lanes, uses_ret);
		break;
	}
}
