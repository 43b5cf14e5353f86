/* SPDX-License-Identifier: MIT */
/* Executing a wave once more: what each instruction makes known or unknown. */
#include "replayer/analysis/rerun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/alu/operations.h"
#include "gfx/wave/context.h"
#include "gfx/wave/memory-access.h"

#define ALIASED_SGPRS 6U
#define NAMED_SGPRS 102U
/* Numbers of registers that s_getreg reads: the mode, and from gfx9 to gfx11 the upper 16 bits of both apertures. */
#define MODE_REGISTER 1U
#define APERTURES_REGISTER 15U
#define ALL UINT64_MAX

/* ---- Registers ---- */

bool wt_rerun_scalar(const struct wt_rerun *rerun, uint32_t code, uint32_t *code_ret)
{
	uint32_t own = rerun->wave.sgpr_count;

	/* The last of a wave's own registers are also vcc and its neighbours; see gfx/wave/operands.c. */
	if (code >= own && code < NAMED_SGPRS) {
		if (code - own >= ALIASED_SGPRS)
			return false;
		code = GFX_CODE_FLAT_SCRATCH + code - own;
	}
	*code_ret = code;
	return code < WT_RERUN_CODES;
}

static uint32_t *writers_of(struct wt_writers *writers, enum gfx_register_file file,
			    uint32_t number)
{
	if (number >= GFX_MAX_VGPRS)
		return NULL;
	return file == GFX_FILE_VECTOR ? writers->vector[number] : writers->accumulation[number];
}

static uint64_t *influence_of(struct wt_influence *influence, enum gfx_register_file file,
			      uint32_t number)
{
	if (number >= GFX_MAX_VGPRS)
		return NULL;
	return file == GFX_FILE_VECTOR ? &influence->vector[number]
				       : &influence->accumulation[number];
}

/* A word of a scalar source in a plane; what the wave has not reads s0. */
static uint32_t scalar_bits(const struct wt_rerun *rerun, const struct wt_plane *plane,
			    uint32_t code)
{
	return wt_rerun_scalar(rerun, code, &code) ? plane->scalar[code] : plane->scalar[0];
}

/* A vector register that the wave has not reads v0. */
static uint64_t vector_bits(const struct wt_rerun *rerun, const struct wt_plane *plane,
			    enum gfx_register_file file, uint32_t number)
{
	uint32_t have = file == GFX_FILE_VECTOR ? rerun->wave.vgpr_count : rerun->wave.agpr_count;

	if (number >= have)
		number = 0;
	return file == GFX_FILE_VECTOR ? plane->vector[number] : plane->accumulation[number];
}

/* The lanes of a vector source, in the half of it that matters. */
static uint64_t use_bits(const struct wt_rerun *rerun, const struct wt_plane *plane,
			 const struct gfx_use *use, uint32_t word)
{
	bool accumulation = use->file == GFX_FILE_ACCUMULATION;
	uint32_t have = accumulation ? rerun->wave.agpr_count : rerun->wave.vgpr_count;
	uint32_t number = use->number + word < have ? use->number + word : 0;
	uint64_t lower = vector_bits(rerun, plane, use->file, number);
	uint64_t upper = rerun->upper_unknown[accumulation][number];

	if (plane != &rerun->unknown || use->part == GFX_PART_LOWER)
		return lower;
	return use->part == GFX_PART_UPPER ? upper : lower | upper;
}

uint64_t wt_rerun_unknown_lanes(const struct wt_rerun *rerun, const struct wt_plane *plane,
				const struct gfx_uses *uses, bool addresses)
{
	uint64_t lanes = 0;

	for (uint32_t i = 0; i < uses->read_count; i++) {
		const struct gfx_use *use = &uses->reads[i];

		/* A half that stays is as it was. */
		if (use->kept || (addresses && !use->address))
			continue;
		for (uint32_t word = 0; word < use->words; word++) {
			if (use->file != GFX_FILE_SCALAR)
				lanes |= use_bits(rerun, plane, use, word);
			else if (use->mask)
				lanes |= (uint64_t)scalar_bits(rerun, plane, use->number + word)
					 << 32 * word;
			else if (scalar_bits(rerun, plane, use->number + word))
				return ALL;
		}
	}
	return lanes;
}

uint64_t wt_rerun_influence(const struct wt_rerun *rerun, const struct gfx_uses *uses)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < uses->read_count; i++)
		for (uint32_t word = 0; word < uses->reads[i].words; word++) {
			uint32_t number = uses->reads[i].number + word, code;
			enum gfx_register_file file = uses->reads[i].file;

			if (file == GFX_FILE_SCALAR)
				all |= wt_rerun_scalar(rerun, number, &code)
					       ? rerun->influence.scalar[code]
					       : rerun->influence.scalar[0];
			else
				all |= *influence_of((struct wt_influence *)&rerun->influence, file,
						     number % GFX_MAX_VGPRS);
		}
	return all;
}

void wt_rerun_write_scalar(struct wt_rerun *rerun, uint32_t code, uint32_t unknown, uint32_t placed,
			   uint64_t influence)
{
	/* A wave of 32 lanes has no upper half of exec. */
	if (!wt_rerun_scalar(rerun, code, &code) ||
	    (code == GFX_CODE_EXEC + 1 && rerun->lanes < GFX_MAX_LANES))
		return;
	rerun->unknown.scalar[code] = unknown;
	rerun->wrote_unknown |= unknown != 0;
	rerun->placed.scalar[code] = placed;
	rerun->influence.scalar[code] = influence;
	rerun->writers->scalar[code] = (uint32_t)rerun->step_count;
	rerun->supposed += code == GFX_CODE_EXEC && influence & WT_INFLUENCE_OTHERS;
}

/* Lanes of @lanes get the bits of @value, others stay. */
static void merge(uint64_t *plane, uint64_t lanes, uint64_t value)
{
	*plane = (*plane & ~lanes) | (value & lanes);
}

void wt_rerun_write_lanes(struct wt_rerun *rerun, const struct gfx_use *use, uint64_t lanes,
			  uint64_t unknown, uint64_t placed, uint64_t influence)
{
	for (uint32_t word = 0; word < use->words; word++) {
		uint32_t number = use->number + word;
		uint32_t *writers = writers_of(rerun->writers, use->file, number);
		uint64_t *stays = wt_plane_lanes(&rerun->placed, use->file, number);
		bool whole = use->part == GFX_PART_WHOLE;

		if (!writers)
			return;
		if (use->part != GFX_PART_UPPER)
			merge(wt_plane_lanes(&rerun->unknown, use->file, number), lanes, unknown);
		if (use->part != GFX_PART_LOWER)
			merge(&rerun->upper_unknown[use->file == GFX_FILE_ACCUMULATION][number],
			      lanes, unknown);
		rerun->wrote_unknown |= (lanes & ~wt_rerun_known(rerun, use->file, number)) != 0;
		merge(stays, lanes, whole ? placed : placed | *stays);
		if (whole && !(rerun->first_exec & ~lanes))
			*influence_of(&rerun->influence, use->file, number) = 0;
		*influence_of(&rerun->influence, use->file, number) |= influence;
		for (uint64_t left = lanes; left; left &= left - 1)
			writers[gfx_first_lane(left)] = (uint32_t)rerun->step_count;
	}
}

/* ---- What a step remembers ---- */

void wt_rerun_refer(struct wt_rerun *rerun, const struct wt_reference *reference)
{
	if (!rerun->remembers || rerun->no_memory)
		return;
	if (rerun->reference_count == rerun->reference_capacity) {
		size_t capacity = rerun->reference_capacity ? rerun->reference_capacity * 2 : 4096;
		struct wt_reference *references =
			reallocarray(rerun->references, capacity, sizeof(*references));

		rerun->no_memory = !references;
		if (!references)
			return;
		rerun->references = references;
		rerun->reference_capacity = capacity;
	}
	rerun->references[rerun->reference_count++] = *reference;
}

static void rerun_step_begin(struct wt_rerun *rerun)
{
	rerun->step_count++;
	if (!rerun->remembers || rerun->no_memory)
		return;
	if (rerun->step_count > rerun->step_capacity) {
		size_t capacity = rerun->step_capacity ? rerun->step_capacity * 2 : 1024;
		struct wt_step *steps = reallocarray(rerun->steps, capacity, sizeof(*steps));

		rerun->no_memory = !steps;
		if (!steps)
			return;
		rerun->steps = steps;
		rerun->step_capacity = capacity;
	}
	rerun->steps[rerun->step_count - 1] =
		(struct wt_step){rerun->wave.pc, (uint32_t)rerun->reference_count, -1, 0};
}

/* The lane that v_readlane and v_writelane choose by an operand. */
static uint32_t operand_lane(const struct wt_rerun *rerun,
			     const struct gfx_instruction *instruction)
{
	const struct gfx_context context = {.wave = (struct gfx_wave *)&rerun->wave,
					    .memory = &rerun->memory,
					    .instruction = instruction};

	return gfx_read_scalar32(&context, instruction->src[1]) % rerun->lanes;
}

/* Is the lane that operand_lane() tells not known? */
static bool is_lane_unknown(const struct wt_rerun *rerun, const struct gfx_instruction *instruction)
{
	return instruction->src[1] < GFX_CODE_ZERO &&
	       scalar_bits(rerun, &rerun->unknown, instruction->src[1]);
}

/* The lane of a vector source that the result is made from: the followed one, but for scalars out of vectors. */
static uint32_t source_lane(const struct wt_rerun *rerun, const struct gfx_instruction *instruction)
{
	const struct gfx_operation *operation = instruction->operation;

	if (operation->execute == gfx_v_readfirstlane_b32)
		return gfx_first_lane(rerun->wave.exec);
	return operation->execute == gfx_v_readlane_b32 ? operand_lane(rerun, instruction)
							: rerun->input->lane;
}

uint64_t wt_rerun_touched_lanes(const struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	const struct gfx_instruction *instruction = &code->instruction;
	gfx_execute_function *execute = instruction->operation->execute;

	if (execute == gfx_v_readlane_b32 || execute == gfx_v_writelane_b32)
		return is_lane_unknown(rerun, instruction)
			       ? ALL
			       : UINT64_C(1) << operand_lane(rerun, instruction);
	if (execute == gfx_v_readfirstlane_b32)
		return wt_rerun_exec_unknown(rerun)
			       ? ALL
			       : UINT64_C(1) << gfx_first_lane(rerun->wave.exec);
	return code->uses.all_lanes ? ALL : rerun->wave.exec;
}

uint32_t wt_rerun_writer(const struct wt_rerun *rerun, enum gfx_register_file file, uint32_t number,
			 uint32_t lane)
{
	uint32_t *writers;

	if (file == GFX_FILE_SCALAR)
		return wt_rerun_scalar(rerun, number, &number) ? rerun->writers->scalar[number] : 0;
	writers = writers_of(rerun->writers, file, number);
	return writers ? writers[lane] : 0;
}

static uint32_t scalar_value(const struct wt_rerun *rerun, uint32_t code);

/* The code of the mask by which lanes take one of two sources. */
static uint32_t selection_mask_code(const struct wt_rerun *rerun,
				    const struct gfx_instruction *instruction)
{
	return gfx_mask_code(instruction, gfx_selection_mask(instruction), rerun->lanes);
}

/* The operand that a selection leaves out in a lane; UINT32_MAX where it is none, or where it is not known which. */
static uint32_t find_left_out(const struct wt_rerun *rerun,
			      const struct gfx_instruction *instruction, uint32_t lane)
{
	const char *name = gfx_computes(instruction->operation);
	uint32_t condition = GFX_CODE_SCC, bit = 0;
	bool second, vector = !strcmp(name, "v_cndmask_b32");

	if ((!vector && strcmp(name, "s_cselect") != 0) ||
	    instruction->extension != GFX_EXTENSION_NONE ||
	    instruction->src[0] == instruction->src[1])
		return UINT32_MAX;
	if (vector) {
		condition = selection_mask_code(rerun, instruction) + lane / 32;
		bit = lane % 32;
	}
	if (scalar_bits(rerun, &rerun->unknown, condition) >> bit & 1)
		return UINT32_MAX;
	/* A scalar selection takes its first source where scc is set, one of lanes its second where the lane's bit is. */
	second = vector ? scalar_value(rerun, condition) >> bit & 1 : !(rerun->wave.status & 1);
	return instruction->src[second ? 0 : 1];
}

static void refer_to_sources(struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	uint32_t lane = source_lane(rerun, &code->instruction);
	bool loads = code->instruction.operation->memory != GFX_MEMORY_NONE;
	/* The place in private memory where a value was kept in between says nothing of the value. */
	bool hides = loads && wt_rerun_is_private(rerun, code);
	uint32_t left_out = find_left_out(rerun, &code->instruction, rerun->input->lane);

	for (uint32_t i = 0; i < code->uses.read_count; i++) {
		const struct gfx_use *use = &code->uses.reads[i];

		for (uint32_t word = 0; word < use->words; word++) {
			const struct wt_reference reference = {
				.writer = (hides && use->address) ||
							  wt_rerun_is_operand(use, left_out)
						  ? 0
						  : wt_rerun_writer(rerun, use->file,
								    use->number + word, lane),
				.number = (uint16_t)(use->number + word),
				.address = loads && use->address,
			};

			wt_rerun_refer(rerun, &reference);
		}
	}
}

static bool moves_value(const struct gfx_instruction *instruction)
{
	static const char *const names[] = {"v_mov_b", "v_cndmask_b"};
	const char *name = gfx_computes(instruction->operation);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return instruction->extension == GFX_EXTENSION_NONE;
	return false;
}

bool wt_rerun_reads_unset(const struct wt_rerun *rerun, const struct wt_rerun_code *code,
			  const bool *beside, uint32_t count)
{
	uint32_t lane = rerun->input->lane, place = 0;
	uint32_t left_out = find_left_out(rerun, &code->instruction, lane);
	bool accesses = gfx_touches_memory(&code->instruction);

	if (!accesses && !moves_value(&code->instruction))
		return false;
	for (uint32_t i = 0; i < code->uses.read_count; i++) {
		const struct gfx_use *use = &code->uses.reads[i];
		bool counts = use->file != GFX_FILE_SCALAR && !use->kept &&
			      !wt_rerun_is_operand(use, left_out) && (!accesses || use->address);

		for (uint32_t word = 0; word < use->words; word++, place++)
			if (counts && !(place < count && beside[place]) &&
			    !wt_rerun_writer(rerun, use->file, use->number + word, lane) &&
			    !(wt_rerun_known(rerun, use->file, use->number + word) >> lane & 1))
				return true;
	}
	return false;
}

/* ---- Scalar operations ---- */

static uint32_t scalar_value(const struct wt_rerun *rerun, uint32_t code)
{
	struct gfx_instruction none = {0};
	struct gfx_context context = {.wave = (struct gfx_wave *)&rerun->wave,
				      .memory = &rerun->memory,
				      .instruction = &none};

	return gfx_read_scalar32(&context, code);
}

/* The value of a source that makes the result known whatever the other one is; 2: there is none. */
struct dominance {
	const char *name; /* of what is computed */
	uint8_t first, second;
};

static const struct dominance *dominance_of(const struct gfx_instruction *instruction)
{
	/* The second source of those that save exec is exec. */
	static const struct dominance list[] = {
		{"s_and", 0, 0},
		{"s_or", 1, 1},
		{"s_andn2", 0, 1},
		{"s_orn2", 1, 0},
		{"s_nand", 0, 0},
		{"s_nor", 1, 1},
		{"s_and_saveexec", 0, 0},
		{"s_or_saveexec", 1, 1},
		{"s_andn2_saveexec", 0, 1},
		{"s_orn2_saveexec", 1, 0},
		{"s_nand_saveexec", 0, 0},
		{"s_nor_saveexec", 1, 1},
		{"s_andn1_saveexec", 1, 0},
		{"s_orn1_saveexec", 0, 1},
		{"s_andn1_wrexec", 1, 0},
		{"s_andn2_wrexec", 0, 1},
	};
	const char *name = gfx_computes(instruction->operation);

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (!strcmp(name, list[i].name))
			return &list[i];
	return NULL;
}

/* Bits of a source that are known and have the value that decides. */
static uint64_t deciding_bits(const struct wt_rerun *rerun,
			      const struct gfx_instruction *instruction, uint32_t code, bool value)
{
	struct gfx_context context = {.wave = (struct gfx_wave *)&rerun->wave,
				      .memory = &rerun->memory,
				      .instruction = instruction};
	uint64_t bits = gfx_read_scalar64(&context, code), unknown = 0;

	if (code < GFX_CODE_ZERO)
		unknown = scalar_bits(rerun, &rerun->unknown, code) |
			  (uint64_t)scalar_bits(rerun, &rerun->unknown, code + 1) << 32;
	return (value ? bits : ~bits) & ~unknown;
}

static uint64_t decided_bits(const struct wt_rerun *rerun,
			     const struct gfx_instruction *instruction)
{
	const struct dominance *dominance = dominance_of(instruction);
	uint32_t second =
		instruction->operation->src[1] == GFX_NONE ? GFX_CODE_EXEC : instruction->src[1];

	if (!dominance)
		return 0;
	return deciding_bits(rerun, instruction, instruction->src[0], dominance->first) |
	       deciding_bits(rerun, instruction, second, dominance->second);
}

struct scalar_result {
	uint32_t words[2]; /* bits of a bitwise result */
	bool any;
};

static struct scalar_result scalar_result(const struct wt_rerun *rerun,
					  const struct wt_plane *plane,
					  const struct wt_rerun_code *code)
{
	struct scalar_result result = {.any = false};
	uint32_t left_out = find_left_out(rerun, &code->instruction, 0);

	for (uint32_t i = 0; i < code->uses.read_count; i++) {
		if (wt_rerun_is_operand(&code->uses.reads[i], left_out))
			continue;
		for (uint32_t word = 0; word < code->uses.reads[i].words; word++) {
			uint32_t bits =
				scalar_bits(rerun, plane, code->uses.reads[i].number + word);

			result.any |= bits != 0;
			result.words[word & 1] |= bits;
		}
	}
	if (plane == &rerun->unknown && (result.words[0] | result.words[1])) {
		uint64_t decided = decided_bits(rerun, &code->instruction);

		result.words[0] &= ~(uint32_t)decided;
		result.words[1] &= ~(uint32_t)(decided >> 32);
	}
	return result;
}

/* The bits that a write of a scalar operation puts into a plane. */
static uint32_t scalar_written(const struct scalar_result *result, const struct gfx_uses *uses,
			       const struct gfx_use *use, uint32_t word)
{
	if (uses->bitwise && use->number != GFX_CODE_SCC)
		return result->words[word & 1];
	return result->any ? UINT32_MAX : 0;
}

static uint32_t hardware_register(const struct gfx_instruction *instruction)
{
	return (uint32_t)instruction->offset & 63;
}

static bool reads_apertures_register(const struct wt_rerun *rerun,
				     const struct gfx_instruction *instruction)
{
	return hardware_register(instruction) == APERTURES_REGISTER &&
	       rerun->input->architecture->generation < GFX_GENERATION_12 &&
	       !strcmp(instruction->operation->name, "s_getreg_b32");
}

static bool reads_aperture(const struct wt_rerun *rerun, const struct gfx_instruction *instruction)
{
	if (reads_apertures_register(rerun, instruction))
		return true;
	for (uint32_t i = 0; i < 3; i++)
		if (instruction->operation->src[i] != GFX_NONE &&
		    instruction->src[i] >= GFX_CODE_SHARED_BASE &&
		    instruction->src[i] <= GFX_CODE_PRIVATE_LIMIT)
			return true;
	return false;
}

/* Changes of the mode are followed. The kernel driver puts the apertures at the same place for all processes. */
static bool is_unknown_register(const struct wt_rerun *rerun,
				const struct gfx_instruction *instruction)
{
	return instruction->encoding == GFX_SMEM ||
	       (hardware_register(instruction) != MODE_REGISTER &&
		!reads_apertures_register(rerun, instruction));
}

/* Zero less a number is no comparison. */
static bool negates(const struct gfx_instruction *instruction)
{
	const char *name = instruction->operation->name;

	return strstr(name, "_sub") && !instruction->clamp &&
	       instruction->src[strstr(name, "subrev") || strstr(name, "subbrev") ? 1 : 0] ==
		       GFX_CODE_ZERO;
}

static void note_comparison(struct wt_rerun *rerun, const struct wt_rerun_code *code,
			    uint64_t influence)
{
	const char *name = code->instruction.operation->name;
	uint64_t words = wt_influence_words(influence);

	/* Names are looked at where that says something new: millions of steps are gone through. */
	if (!(words & ~rerun->compared_arguments) || negates(&code->instruction))
		return;
	if (strstr(name, "cmp") || strstr(name, "min") || strstr(name, "max") ||
	    strstr(name, "med") || strstr(name, "clamp") || code->instruction.clamp ||
	    strstr(name, "sub"))
		rerun->compared_arguments |= words;
}

static void note_scalar(struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	struct scalar_result unknown = scalar_result(rerun, &rerun->unknown, code);
	struct scalar_result placed = scalar_result(rerun, &rerun->placed, code);
	uint64_t influence = wt_rerun_influence(rerun, &code->uses);
	/* The saved value of exec is as unknown as exec was. */
	const uint32_t saved[2] = {rerun->unknown.scalar[GFX_CODE_EXEC],
				   rerun->unknown.scalar[GFX_CODE_EXEC + 1]};
	bool saves = strstr(code->instruction.operation->name, "saveexec");

	if (code->uses.volatile_result && is_unknown_register(rerun, &code->instruction))
		unknown = (struct scalar_result){{UINT32_MAX, UINT32_MAX}, true};
	if (reads_aperture(rerun, &code->instruction))
		placed = (struct scalar_result){{UINT32_MAX, UINT32_MAX}, true};
	note_comparison(rerun, code, influence);
	for (uint32_t i = 0; i < code->uses.write_count; i++) {
		const struct gfx_use *use = &code->uses.writes[i];

		for (uint32_t word = 0; word < use->words; word++)
			wt_rerun_write_scalar(
				rerun, use->number + word,
				i == 0 && saves ? saved[word]
						: scalar_written(&unknown, &code->uses, use, word),
				scalar_written(&placed, &code->uses, use, word), influence);
	}
}

/* ---- Vector operations ---- */

/* Whether the one lane that counts is unknown, for scalars out of vectors. */
static uint64_t selected_unknown(const struct wt_rerun *rerun, const struct wt_plane *plane,
				 const struct wt_rerun_code *code)
{
	uint64_t lanes = wt_rerun_unknown_lanes(rerun, plane, &code->uses, false);

	if (lanes == ALL)
		return ALL;
	return lanes >> source_lane(rerun, &code->instruction) & 1 ? ALL : 0;
}

/* Lanes of a source that are set in a plane. */
static uint64_t operand_lanes(const struct wt_rerun *rerun, const struct wt_plane *plane,
			      uint32_t operand)
{
	const struct gfx_use use = {.file = GFX_FILE_VECTOR,
				    .number = (uint16_t)(operand - GFX_CODE_VGPR0)};

	if (operand >= GFX_CODE_VGPR0)
		return use_bits(rerun, plane, &use, 0);
	return operand < GFX_CODE_ZERO && scalar_bits(rerun, plane, operand) ? ALL : 0;
}

/*
 * Each lane of a selection has what the source has that it takes, the second where the lane's bit is set: what the other one has
 * does not matter to it.
 */
static uint64_t selection_result(const struct wt_rerun *rerun, const struct wt_plane *plane,
				 const struct gfx_instruction *instruction)
{
	uint32_t condition = selection_mask_code(rerun, instruction);
	uint64_t mask =
		scalar_value(rerun, condition) | (uint64_t)scalar_value(rerun, condition + 1) << 32;
	uint64_t open = scalar_bits(rerun, &rerun->unknown, condition) |
			(uint64_t)scalar_bits(rerun, &rerun->unknown, condition + 1) << 32;
	uint64_t first = operand_lanes(rerun, plane, instruction->src[0]);
	uint64_t second = operand_lanes(rerun, plane, instruction->src[1]);
	uint64_t taken = (second & mask) | (first & ~mask);

	return (taken & ~open) | (plane == &rerun->unknown ? open : (first | second) & open);
}

/* One of halves is looked at as any other operation. */
static bool is_selection_of_words(const struct gfx_instruction *instruction)
{
	return !strcmp(gfx_computes(instruction->operation), "v_cndmask_b32") &&
	       instruction->operation->dst != GFX_B16;
}

static uint64_t vector_result(const struct wt_rerun *rerun, const struct wt_plane *plane,
			      const struct wt_rerun_code *code)
{
	gfx_execute_function *execute = code->instruction.operation->execute;
	uint64_t active = code->uses.fetches_inactive
				  ? wt_rerun_lane_bits(rerun)
				  : rerun->wave.exec | wt_rerun_exec_unknown(rerun);
	uint64_t lanes;

	if (execute == gfx_v_readlane_b32)
		return selected_unknown(rerun, plane, code);
	if (execute == gfx_v_readfirstlane_b32)
		return wt_rerun_exec_unknown(rerun) && plane == &rerun->unknown
			       ? ALL
			       : selected_unknown(rerun, plane, code);
	if (is_selection_of_words(&code->instruction) &&
	    code->instruction.extension == GFX_EXTENSION_NONE &&
	    code->instruction.src[0] != code->instruction.src[1])
		return selection_result(rerun, plane, &code->instruction);
	lanes = wt_rerun_unknown_lanes(rerun, plane, &code->uses, false);
	if (code->uses.cross_lane &&
	    (lanes & active || (plane == &rerun->unknown && wt_rerun_exec_unknown(rerun))))
		return ALL;
	return lanes;
}

static struct wt_spilled *spilled_at(const struct wt_rerun *rerun, uint32_t number, uint32_t lane)
{
	size_t at = (number * GFX_MAX_LANES + lane) % WT_RERUN_SPILLED;

	return (struct wt_spilled *)&rerun->spilled[at];
}

/*
 * v_readlane reads one lane, whatever exec is. Compilers keep scalar registers in lanes, masks among them of which some bits belong to
 * no lane of the wave: these are not known, and others are.
 */
static uint32_t readlane_unknown(const struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	uint32_t lane = source_lane(rerun, &code->instruction), number;
	const struct wt_spilled *spilled;

	if (!selected_unknown(rerun, &rerun->unknown, code))
		return 0;
	if (code->instruction.src[0] < GFX_CODE_VGPR0 || is_lane_unknown(rerun, &code->instruction))
		return UINT32_MAX;
	number = code->instruction.src[0] - GFX_CODE_VGPR0;
	spilled = spilled_at(rerun, number, lane);
	return spilled->number == number && spilled->lane == lane && spilled->step &&
			       spilled->step ==
				       wt_rerun_writer(rerun, GFX_FILE_VECTOR, number, lane)
		       ? spilled->unknown
		       : UINT32_MAX;
}

/* v_writelane writes one lane of any, and nothing else of the register. */
static void note_writelane(struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	const struct gfx_use *use = &code->uses.writes[0];
	uint32_t lane = operand_lane(rerun, &code->instruction);
	uint64_t unknown = 0, placed = 0;

	for (uint32_t i = 0; i < code->uses.read_count; i++)
		if (code->uses.reads[i].file == GFX_FILE_SCALAR) {
			unknown |= scalar_bits(rerun, &rerun->unknown, code->uses.reads[i].number);
			placed |= scalar_bits(rerun, &rerun->placed, code->uses.reads[i].number);
		}
	/* Which lane it is may be unknown itself. */
	if (unknown && code->instruction.src[1] < GFX_CODE_ZERO)
		wt_rerun_write_lanes(rerun, use, ALL, ALL, 0, ALL);
	else
		wt_rerun_write_lanes(rerun, use, UINT64_C(1) << lane, unknown ? ALL : 0,
				     placed ? ALL : 0, wt_rerun_influence(rerun, &code->uses));
	if (use->file == GFX_FILE_VECTOR)
		*spilled_at(rerun, use->number, lane) =
			(struct wt_spilled){(uint32_t)rerun->step_count, (uint32_t)unknown,
					    use->number, (uint16_t)lane};
}

/* The bits of a mask: those of inactive lanes are 0, and known if exec is. */
static void write_mask(struct wt_rerun *rerun, const struct gfx_use *use, uint64_t active,
		       uint64_t unknown, uint64_t placed, uint64_t influence)
{
	uint64_t maybe = wt_rerun_exec_unknown(rerun);
	uint64_t bits = (unknown & active) | maybe, made_up = placed & active;

	for (uint32_t word = 0; word < use->words; word++) {
		wt_rerun_write_scalar(rerun, use->number + word, (uint32_t)bits, (uint32_t)made_up,
				      influence);
		bits >>= 32;
		made_up >>= 32;
	}
}

/*
 * The lower word of a product and a sum of 64 bits does not depend on the upper word of what is added: compilers leave in
 * that what was there, where they need the lower word only.
 */
static uint64_t lower_unknown(const struct wt_rerun *rerun, const struct wt_rerun_code *code,
			      uint64_t unknown)
{
	struct gfx_uses uses = code->uses;
	uint32_t last = uses.read_count - 1;

	if (strcmp(gfx_computes(code->instruction.operation), "v_mad_u64_u32") ||
	    !uses.read_count || uses.reads[last].words != 2)
		return unknown;
	uses.reads[last].words = 1;
	return wt_rerun_unknown_lanes(rerun, &rerun->unknown, &uses, false) |
	       wt_rerun_exec_unknown(rerun);
}

static void write_vector(struct wt_rerun *rerun, const struct wt_rerun_code *code,
			 const struct gfx_use *use, uint64_t active, uint64_t unknown,
			 uint64_t placed, uint64_t influence)
{
	uint64_t lower = use->words == 2 ? lower_unknown(rerun, code, unknown) : unknown;
	struct gfx_use one = *use;

	if (lower == unknown) {
		wt_rerun_write_lanes(rerun, use, active, unknown, placed, influence);
		return;
	}
	one.words = 1;
	wt_rerun_write_lanes(rerun, &one, active, lower, placed, influence);
	one.number++;
	wt_rerun_write_lanes(rerun, &one, active, unknown, placed, influence);
}

static void note_vector(struct wt_rerun *rerun, const struct wt_rerun_code *code, uint64_t exec)
{
	uint64_t maybe = wt_rerun_exec_unknown(rerun), active = exec | maybe;
	uint64_t unknown = vector_result(rerun, &rerun->unknown, code) | maybe;
	uint64_t placed = vector_result(rerun, &rerun->placed, code);
	uint64_t influence = wt_rerun_influence(rerun, &code->uses);

	if (code->uses.volatile_result)
		unknown = ALL;
	if (reads_aperture(rerun, &code->instruction))
		placed = ALL;
	note_comparison(rerun, code, influence);
	if (code->instruction.operation->execute == gfx_v_writelane_b32) {
		note_writelane(rerun, code);
		return;
	}
	if (code->instruction.operation->execute == gfx_v_readlane_b32) {
		wt_rerun_write_scalar(rerun, code->uses.writes[0].number,
				      readlane_unknown(rerun, code), placed ? UINT32_MAX : 0,
				      influence);
		return;
	}
	for (uint32_t i = 0; i < code->uses.write_count; i++) {
		const struct gfx_use *use = &code->uses.writes[i];

		if (use->file != GFX_FILE_SCALAR)
			write_vector(rerun, code, use, active, unknown, placed, influence);
		else if (use->mask)
			write_mask(rerun, use, active, unknown, placed, influence);
		else
			wt_rerun_write_scalar(rerun, use->number, unknown ? UINT32_MAX : 0,
					      placed ? UINT32_MAX : 0, influence);
	}
}

/* ---- Control ---- */

static uint64_t pair_unknown(const struct wt_rerun *rerun, uint32_t code)
{
	return (rerun->unknown.scalar[code] | (uint64_t)rerun->unknown.scalar[code + 1] << 32) &
	       wt_rerun_lane_bits(rerun);
}

/* Whether a mask is zero is known if a bit of it is known to be set, or all are known. */
static bool zero_is_known(const struct wt_rerun *rerun, uint32_t code, uint64_t value)
{
	uint64_t unknown = pair_unknown(rerun, code);

	return !unknown || value & ~unknown & wt_rerun_lane_bits(rerun);
}

/* A decision by a value that another wave can have changed counts: where the way arrives all the same, that did not happen. */
static void note_decision(struct wt_rerun *rerun, uint32_t code)
{
	rerun->supposed += (rerun->influence.scalar[code] & WT_INFLUENCE_OTHERS) != 0;
}

static bool is_scalar_encoding(enum gfx_encoding encoding)
{
	return encoding == GFX_SOP1 || encoding == GFX_SOP2 || encoding == GFX_SOPC ||
	       encoding == GFX_SOPK || encoding == GFX_SOPP;
}

/*
 * Does the wave go on at a place that is known? Where it is not known whether any lane is active, skipping what they
 * would do is never needed: the code does nothing then.
 */
static bool way_is_known(struct wt_rerun *rerun, const struct wt_rerun_code *code, bool *skip_ret)
{
	const char *name = code->instruction.operation->name;

	*skip_ret = false;
	if (!is_scalar_encoding(code->instruction.encoding))
		return true;
	if (!strncmp(name, "s_cbranch_scc", 13)) {
		note_decision(rerun, GFX_CODE_SCC);
		return !rerun->unknown.scalar[GFX_CODE_SCC];
	}
	if (!strncmp(name, "s_cbranch_vcc", 13)) {
		note_decision(rerun, GFX_CODE_VCC);
		return zero_is_known(rerun, GFX_CODE_VCC, rerun->wave.vcc);
	}
	if (!strncmp(name, "s_cbranch_exec", 14)) {
		bool known = zero_is_known(rerun, GFX_CODE_EXEC, rerun->wave.exec);

		*skip_ret = !known && !strcmp(name, "s_cbranch_execz");
		return known || *skip_ret;
	}
	if (!strncmp(name, "s_cbranch_", 10))
		return false;
	if (!strncmp(name, "s_setpc", 7) || !strncmp(name, "s_swappc", 8))
		return (!scalar_bits(rerun, &rerun->unknown, code->instruction.src[0]) &&
			!scalar_bits(rerun, &rerun->unknown, code->instruction.src[0] + 1U)) ||
		       wt_rerun_know_jump(rerun, code);
	return true;
}

/* An instruction that is no access of memory. What depends on registers is noted before they change. */
static bool execute(struct wt_rerun *rerun, const struct wt_rerun_code *code,
		    enum wt_analysis_end *end_ret)
{
	struct gfx_fault fault = {0};
	enum gfx_step step;

	if (code->instruction.encoding == GFX_SMEM ||
	    is_scalar_encoding(code->instruction.encoding))
		note_scalar(rerun, code);
	else
		note_vector(rerun, code, rerun->wave.exec);
	step = gfx_wave_execute(&rerun->wave, &rerun->memory, &code->instruction, &fault);
	switch (step) {
	case GFX_STEP_DONE:
	case GFX_STEP_BARRIER:
	case GFX_STEP_GLOBAL_SYNC:
	case GFX_STEP_HALT:
		/* Other waves of the workgroup have written before it what is read behind it. */
		if (step == GFX_STEP_BARRIER && !rerun->alone)
			rerun->local_since = (uint32_t)rerun->step_count;
		rerun->wave.pc += (uint64_t)(int64_t)code->skips;
		return true;
	case GFX_STEP_TRAP:
		/* A debugger has let it go on. */
		rerun->wave.pc += 4;
		return true;
	default:
		*end_ret = WT_ANALYSIS_MISSED;
		return false;
	}
}

/* An instruction at @from has been executed, as the last step: is it a call, or the return of the one that was made last? */
static void rerun_note_call(struct wt_rerun *rerun, const char *operation, uint64_t from)
{
	if (!strcmp(operation, "s_swappc_b64") || !strcmp(operation, "s_call_b64")) {
		if (rerun->call_count < WT_RERUN_DEPTH) {
			rerun->calls[rerun->call_count] = from;
			rerun->call_steps[rerun->call_count] = rerun->step_count - 1;
		}
		rerun->call_count++;
	} else if (!strcmp(operation, "s_setpc_b64") && rerun->call_count &&
		   (rerun->call_count > WT_RERUN_DEPTH ||
		    rerun->wave.pc == rerun->calls[rerun->call_count - 1] + 4)) {
		rerun->call_count--;
	}
}

size_t wt_rerun_calls(const struct wt_rerun *rerun, uint64_t calls_ret[WT_ANALYSIS_CALLS])
{
	size_t count = 0;

	if (rerun->call_count > WT_RERUN_DEPTH)
		return 0;
	while (count < WT_ANALYSIS_CALLS && count < rerun->call_count) {
		calls_ret[count] = rerun->calls[rerun->call_count - 1 - count];
		count++;
	}
	return count;
}

/* ---- One of two operations ---- */

static void rerun_begin_part(struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	if (rerun->wave.pc & WT_RERUN_HALF)
		wt_rerun_see_before(rerun);
	else if (code->skips)
		wt_rerun_take_before(rerun, code->instruction.dst);
}

static void rerun_end_part(struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	if (code->skips != -(int32_t)WT_RERUN_HALF)
		return;
	wt_rerun_see_before(rerun);
	rerun->before.is_one = false;
}

static bool rerun_execute(struct wt_rerun *rerun, const struct wt_rerun_code *code,
			  enum wt_analysis_end *end_ret)
{
	bool skip, done = true;

	if (code->uses.dynamic || rerun->wave.mode & GFX_MODE_INDEXED) {
		*end_ret = WT_ANALYSIS_INSTRUCTION;
		return false;
	}
	if (!way_is_known(rerun, code, &skip)) {
		*end_ret = WT_ANALYSIS_BRANCH;
		return false;
	}
	rerun_step_begin(rerun);
	rerun_begin_part(rerun, code);
	refer_to_sources(rerun, code);
	if (skip)
		rerun->wave.pc += 4;
	else if (!gfx_touches_memory(&code->instruction))
		done = execute(rerun, code, end_ret);
	else if (code->instruction.encoding == GFX_SMEM)
		wt_rerun_scalar_load(rerun, code);
	else
		wt_rerun_vector_memory(rerun, code);
	rerun_end_part(rerun, code);
	return done;
}

bool wt_rerun_step(struct wt_rerun *rerun, const struct wt_rerun_code *code,
		   enum wt_analysis_end *end_ret)
{
	const char *operation = code->instruction.operation->name;
	bool may_call =
		code->instruction.encoding == GFX_SOP1 || code->instruction.encoding == GFX_SOPK;
	uint64_t from = rerun->wave.pc & ~WT_RERUN_HALF;

	if (!rerun_execute(rerun, code, end_ret))
		return false;
	if (rerun->input->end)
		wt_rerun_know_recorded(rerun, code);
	if (may_call)
		rerun_note_call(rerun, operation, from);
	return true;
}

uint64_t wt_rerun_known(const struct wt_rerun *rerun, enum gfx_register_file file, uint32_t number)
{
	if (file == GFX_FILE_SCALAR)
		return wt_rerun_scalar(rerun, number, &number) && !rerun->unknown.scalar[number];
	return ~use_bits(rerun, &rerun->unknown,
			 &(struct gfx_use){.file = file, .number = (uint16_t)number}, 0);
}

uint32_t wt_rerun_value(const struct wt_rerun *rerun, enum gfx_register_file file, uint32_t number,
			uint32_t lane)
{
	const uint32_t *plane;

	if (file == GFX_FILE_SCALAR)
		return number == GFX_CODE_SCC ? rerun->wave.status & 1
					      : scalar_value(rerun, number);
	plane = gfx_vgpr(&rerun->wave, number, 1, file == GFX_FILE_ACCUMULATION);
	return plane ? plane[lane] : 0;
}
