/* SPDX-License-Identifier: MIT */
#include "tool/raised.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/isa/run.h"
#include "gfx/isa/uses.h"
#include "gfx/isa/whole-division.h"
#include "recorder/agent/follow-events.h"

#define MODE_EXCEPTIONS (UINT32_C(0x7f) << 12) /* EXCP_EN of the mode register */

/* ---- Which exceptions count ---- */

#define BEFORE                                                                                     \
	256u /* bytes of code in front of a wave, from which on it is decoded: soon it is in step with the instructions */
#define BEHIND 512u /* bytes of it that are executed at most */
#define ISSUED 96u  /* instructions of these */

/* Exceptions whose result is a NaN or infinity, by which they are followed. */
#define FOLLOWED                                                                                   \
	((uint32_t)AMD_DBGAPI_WAVE_STOP_REASON_FP_INVALID_OPERATION |                              \
	 (uint32_t)AMD_DBGAPI_WAVE_STOP_REASON_FP_DIVIDE_BY_0 |                                    \
	 (uint32_t)AMD_DBGAPI_WAVE_STOP_REASON_FP_OVERFLOW)

/* A stopped wave that is executed a little farther here, with what has become of the result of an exception. */
struct trial {
	const struct wt_agent_client *client;
	amd_dbgapi_wave_id_t wave;
	amd_dbgapi_register_id_t *ids;
	size_t id_count;
	struct gfx_wave state;
	uint32_t vgprs[GFX_MAX_VGPRS * GFX_MAX_LANES];
	bool loaded[GFX_MAX_VGPRS];
	uint64_t special[GFX_MAX_VGPRS]; /* lanes whose value comes from the exception */
	uint64_t unread[GFX_MAX_VGPRS];	 /* of these: from which no other value was made yet */
	uint16_t
		compared[GFX_MAX_VGPRS]; /* the code of the mask that a comparison of it has made */
	uint8_t code[BEFORE + BEHIND];
	size_t code_size;
};

static bool trial_register(const struct trial *trial, const char *name, void *value_ret,
			   size_t size)
{
	for (size_t i = 0; i < trial->id_count; i++)
		if (wt_agent_client_register_is(trial->client, trial->ids[i], name))
			return trial->client->api->read_register(trial->wave, trial->ids[i], 0,
								 size, value_ret) ==
			       AMD_DBGAPI_STATUS_SUCCESS;
	return false;
}

static const struct gfx_architecture *trial_architecture(const struct trial *trial)
{
	const struct wt_api *api = trial->client->api;
	amd_dbgapi_architecture_id_t architecture;
	uint32_t machine = 0;

	if (api->wave_get_info(trial->wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, sizeof(architecture),
			       &architecture) != AMD_DBGAPI_STATUS_SUCCESS ||
	    api->architecture_get_info(architecture,
				       AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE,
				       sizeof(machine), &machine) != AMD_DBGAPI_STATUS_SUCCESS)
		return NULL;
	return gfx_architecture_by_machine(machine & 0xff);
}

/* All of the code in front of the wave is read, and what there is behind it. */
static bool trial_read_code(struct trial *trial)
{
	for (size_t behind = BEHIND; behind >= 64; behind /= 2) {
		amd_dbgapi_size_t size = BEFORE + behind;

		if (trial->client->api->read_memory(
			    trial->client->process, trial->wave, AMD_DBGAPI_LANE_NONE,
			    AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, trial->state.pc - BEFORE, &size,
			    trial->code) == AMD_DBGAPI_STATUS_SUCCESS &&
		    size == BEFORE + behind) {
			trial->code_size = size;
			return true;
		}
	}
	return false;
}

static bool trial_begin(struct trial *trial)
{
	struct gfx_wave *state = &trial->state;
	bool has;

	state->architecture = trial_architecture(trial);
	state->vgprs = trial->vgprs;
	state->vgpr_count = GFX_MAX_VGPRS;
	state->sgpr_count = 102;
	state->lane_count = GFX_MAX_LANES;
	if (!state->architecture ||
	    trial->client->api->wave_register_list(trial->wave, &trial->id_count, &trial->ids) !=
		    AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	has = trial_register(trial, "pc", &state->pc, sizeof(state->pc)) &&
	      trial_register(trial, "exec", &state->exec, sizeof(state->exec)) &&
	      trial_register(trial, "vcc", &state->vcc, sizeof(state->vcc)) &&
	      trial_register(trial, "status", &state->status, sizeof(state->status)) &&
	      trial_register(trial, "mode", &state->mode, sizeof(state->mode));
	for (uint32_t i = 0; i < 102 && has; i++) {
		char name[16];

		snprintf(name, sizeof(name), "s%u", i);
		trial_register(trial, name, &state->sgprs[i], sizeof(state->sgprs[i]));
	}
	state->mode &= ~MODE_EXCEPTIONS;
	return has && trial_read_code(trial);
}

static bool trial_load(struct trial *trial, uint32_t number)
{
	char name[16];

	if (number >= GFX_MAX_VGPRS)
		return false;
	if (trial->loaded[number])
		return true;
	snprintf(name, sizeof(name), "v%u", number);
	trial->loaded[number] = trial_register(trial, name, &trial->vgprs[number * GFX_MAX_LANES],
					       GFX_MAX_LANES * sizeof(uint32_t));
	return trial->loaded[number];
}

static bool trial_decode(const struct trial *trial, size_t at, struct gfx_instruction *instruction)
{
	return gfx_decode_bytes(trial->state.architecture, trial->code + at, trial->code_size - at,
				instruction);
}

/* The instruction that ends where the wave stands. */
static bool trial_find_raiser(const struct trial *trial, struct gfx_instruction *raiser_ret)
{
	struct gfx_instruction instruction;
	bool found = false;
	size_t at = 0;

	while (at < BEFORE) {
		size_t size = 4;

		if (trial_decode(trial, at, &instruction)) {
			size = instruction.word_count * 4U;
			found = at + size == BEFORE;
			*raiser_ret = instruction;
		}
		at += size;
	}
	return found && at == BEFORE;
}

/* A NaN or infinity, in the format of a result; true of what is no float. */
static bool trial_is_special(const struct trial *trial, uint32_t type, uint32_t number,
			     uint32_t lane)
{
	uint32_t word = trial->vgprs[number * GFX_MAX_LANES + lane];

	if (type == GFX_F64)
		word = trial->vgprs[(number + 1) * GFX_MAX_LANES + lane] >> 20 & 0x7ff;
	else if (type == GFX_F32)
		word = word >> 23 & 0xff;
	else if (type == GFX_F16)
		word = word >> 10 & 0x1f;
	return word == (type == GFX_F64	  ? 0x7ffU
			: type == GFX_F32 ? 0xffU
			: type == GFX_F16 ? 0x1fU
					  : word);
}

static bool type_is_float(uint32_t type)
{
	return type == GFX_F64 || type == GFX_F32 || type == GFX_F16;
}

/* Notes which lanes of a result come from the exception: those of its sources in which it is a NaN or infinity still. */
static void trial_mark(struct trial *trial, const struct gfx_instruction *instruction,
		       const struct gfx_uses *uses, uint64_t lanes)
{
	const uint32_t type = instruction->operation->dst;

	for (uint32_t i = 0; i < uses->write_count; i++) {
		const struct gfx_use *write = &uses->writes[i];
		uint64_t marked = 0;

		if (write->file != GFX_FILE_VECTOR)
			continue;
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			if (lanes >> lane & 1 &&
			    (!type_is_float(type) ||
			     trial_is_special(trial, type, write->number, lane)))
				marked |= UINT64_C(1) << lane;
		for (uint32_t word = write->number; word < write->number + (uint32_t)write->words;
		     word++) {
			trial->special[word] = (trial->special[word] & ~trial->state.exec) | marked;
			trial->unread[word] = (trial->unread[word] & ~trial->state.exec) | marked;
		}
	}
}

static bool instruction_begins(const struct gfx_instruction *instruction, const char *beginning)
{
	return !strncmp(instruction->operation->name, beginning, strlen(beginning));
}

/* The lanes in which an operand comes from the exception. */
static uint64_t trial_operand(const struct trial *trial, const struct gfx_instruction *instruction,
			      uint32_t index)
{
	const uint32_t code = instruction->src[index];

	return code >= GFX_CODE_VGPR0 ? trial->special[code - GFX_CODE_VGPR0] : 0;
}

/*
 * The lanes in which a selection takes what comes from the exception: it is one of two words by a mask. A comparison that the mask was
 * made of has done all it does.
 */
static uint64_t trial_selected(struct trial *trial, const struct gfx_instruction *instruction)
{
	const uint32_t mask = gfx_selection_mask(instruction);
	uint64_t taken = 0, chosen = trial->state.vcc;

	if (mask < 101)
		chosen = trial->state.sgprs[mask] | (uint64_t)trial->state.sgprs[mask + 1] << 32;
	for (uint32_t i = 0; i < 2; i++)
		taken |= trial_operand(trial, instruction, i) & (i ? chosen : ~chosen);
	for (uint32_t i = 0; i < GFX_MAX_VGPRS; i++)
		if (trial->compared[i] == mask)
			trial->unread[i] &= ~trial->state.exec;
	return taken;
}

/* A comparison makes a new mask in place of an older one. */
static void trial_compare(struct trial *trial, const struct gfx_uses *uses)
{
	const uint16_t mask = uses->write_count ? uses->writes[0].number : 0;

	for (uint32_t i = 0; i < GFX_MAX_VGPRS; i++)
		if (trial->compared[i] == mask)
			trial->compared[i] = UINT16_MAX;
	for (uint32_t i = 0; i < uses->read_count; i++)
		for (uint32_t word = 0;
		     uses->reads[i].file == GFX_FILE_VECTOR && word < uses->reads[i].words; word++)
			trial->compared[uses->reads[i].number + word] = mask;
}

/* Lanes in which a source comes from the exception; they are read where another value is made of them. */
static uint64_t trial_sources(struct trial *trial, const struct gfx_uses *uses, bool makes)
{
	uint64_t lanes = 0;

	for (uint32_t i = 0; i < uses->read_count; i++) {
		const struct gfx_use *read = &uses->reads[i];

		for (uint32_t word = read->number;
		     read->file == GFX_FILE_VECTOR && word < read->number + (uint32_t)read->words;
		     word++) {
			lanes |= trial->special[word];
			if (makes)
				trial->unread[word] &= ~trial->state.exec;
		}
	}
	return lanes;
}

static bool trial_load_uses(struct trial *trial, const struct gfx_use *uses, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t word = 0; word < uses[i].words; word++)
			if (uses[i].file == GFX_FILE_ACCUMULATION ||
			    (uses[i].file == GFX_FILE_VECTOR &&
			     !trial_load(trial, uses[i].number + word)))
				return false;
	return true;
}

static bool writes_exec(const struct gfx_uses *uses)
{
	for (uint32_t i = 0; i < uses->write_count; i++)
		if (uses->writes[i].file == GFX_FILE_SCALAR &&
		    (uses->writes[i].number & ~1U) == GFX_CODE_EXEC)
			return true;
	return false;
}

/* Executes an instruction; false where that is not possible here: it is not known, accesses memory or leads elsewhere. */
static bool trial_step(struct trial *trial, const struct gfx_instruction *instruction)
{
	static const struct gfx_memory none;
	struct gfx_fault fault = {0};
	struct gfx_uses uses;
	uint64_t lanes;
	bool makes = false;

	if (instruction_begins(instruction, "s_waitcnt") ||
	    instruction_begins(instruction, "s_nop"))
		return true;
	gfx_instruction_uses(instruction, trial->state.lane_count, &uses);
	if (instruction->operation->memory || uses.dynamic || uses.cross_lane ||
	    uses.volatile_result || writes_exec(&uses) ||
	    instruction_begins(instruction, "s_cbranch") ||
	    gfx_instruction_depends_on_position(instruction) ||
	    !trial_load_uses(trial, uses.reads, uses.read_count) ||
	    !trial_load_uses(trial, uses.writes, uses.write_count))
		return false;
	for (uint32_t i = 0; i < uses.write_count; i++)
		makes |= uses.writes[i].file == GFX_FILE_VECTOR;
	lanes = trial_sources(trial, &uses, makes);
	if (instruction_begins(instruction, "v_cndmask"))
		lanes = trial_selected(trial, instruction);
	else if (instruction_begins(instruction, "v_div_fixup"))
		/* The instruction raises itself what its own steps before have raised. */
		lanes = trial_operand(trial, instruction, 1) | trial_operand(trial, instruction, 2);
	else if (instruction_begins(instruction, "v_cmp"))
		trial_compare(trial, &uses);
	if (gfx_wave_execute(&trial->state, &none, instruction, &fault) != GFX_STEP_DONE)
		return false;
	trial_mark(trial, instruction, &uses, lanes & trial->state.exec);
	return true;
}

/*
 * Is nothing left of what the exception gave, a few instructions later? Steps of a division of whole numbers give garbage where the
 * divisor is 0, but none that a float of the program has come to; that the divisor is 0 is told of by the division by zero itself.
 */
static bool trial_comes_to_nothing(struct trial *trial, uint32_t reasons)
{
	struct gfx_instruction instruction;
	struct gfx_uses uses;
	uint64_t left = 0;
	size_t at = BEFORE;

	if (!trial_begin(trial) || !trial_find_raiser(trial, &instruction))
		return false;
	if (!(reasons & AMD_DBGAPI_WAVE_STOP_REASON_FP_DIVIDE_BY_0) &&
	    gfx_divides_whole_numbers(trial->state.architecture, trial->code, trial->code_size,
				      BEFORE - instruction.word_count * 4U))
		return true;
	if (!type_is_float(instruction.operation->dst) ||
	    instruction_begins(&instruction, "v_div_fixup"))
		return false;
	gfx_instruction_uses(&instruction, trial->state.lane_count, &uses);
	if (!trial_load_uses(trial, uses.writes, uses.write_count))
		return false;
	trial_mark(trial, &instruction, &uses, trial->state.exec);
	for (uint32_t i = 0; i < GFX_MAX_VGPRS; i++)
		left |= trial->special[i];
	if (!left)
		return false;
	for (uint32_t i = 0;
	     i < ISSUED && trial_decode(trial, at, &instruction) && trial_step(trial, &instruction);
	     i++)
		at += instruction.word_count * 4U;
	left = 0;
	for (uint32_t i = 0; i < GFX_MAX_VGPRS; i++)
		left |= trial->unread[i];
	return !left;
}

bool wt_raised_counts(const struct wt_agent_client *client, amd_dbgapi_wave_id_t wave,
		      uint32_t reasons)
{
	struct trial *trial;
	bool nothing;

	if (reasons & WT_AGENT_ARITHMETIC_REASONS & ~FOLLOWED)
		return true;
	trial = calloc(1, sizeof(*trial));
	if (!trial)
		return true;
	trial->client = client;
	trial->wave = wave;
	memset(trial->compared, 0xff, sizeof(trial->compared));
	nothing = trial_comes_to_nothing(trial, reasons);
	free(trial->ids);
	free(trial);
	return !nothing;
}
