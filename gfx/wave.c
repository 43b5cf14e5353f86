/* SPDX-License-Identifier: MIT */
/* One step of a wave: fetch, decode, execute, and the bookkeeping around them. */
#include "gfx/wave.h"

#include <string.h>

#include "gfx/operation.h"

#define STATUS_EXECZ (1U << 9)
#define STATUS_VCCZ (1U << 10)

enum gfx_step gfx_illegal(struct gfx_context *context, bool not_implemented, const char *reason)
{
	context->fault->not_implemented = not_implemented;
	context->fault->reason = reason;
	return GFX_STEP_ILLEGAL_INSTRUCTION;
}

/* The last word before unmapped memory is fetched alone. */
static size_t fetch(struct gfx_context *context, uint32_t words[2])
{
	const struct gfx_memory *memory = context->memory;
	uint64_t pc = context->wave->pc;

	if (pc % 4 != 0)
		return 0;
	if (memory->fetch(memory->opaque, pc, words, 8))
		return 2;
	words[1] = 0;
	return memory->fetch(memory->opaque, pc, words, 4) ? 1 : 0;
}

static enum gfx_step refuse(struct gfx_context *context, enum gfx_decode_status status,
			    const struct gfx_instruction *instruction)
{
	struct gfx_fault *fault = context->fault;

	memcpy(fault->words, instruction->words, sizeof(fault->words));
	fault->word_count = instruction->word_count;
	switch (status) {
	case GFX_DECODE_TRUNCATED:
		fault->word_count = 1;
		fault->address = context->wave->pc + 4;
		fault->reason = "the second word of the instruction is not mapped";
		return GFX_STEP_FETCH_VIOLATION;
	case GFX_DECODE_UNKNOWN_OPERATION:
		return gfx_illegal(context, true, "opcode not implemented in its encoding");
	case GFX_DECODE_UNKNOWN_OPERAND:
		return gfx_illegal(context, false, "reserved value in an operand field");
	default:
		return gfx_illegal(context, false, "no such encoding");
	}
}

/* vccz and execz are views of the two registers; a debugger reads them in status. */
static void update_status(struct gfx_wave *wave)
{
	uint32_t zero = (wave->exec ? 0 : STATUS_EXECZ) | (wave->vcc ? 0 : STATUS_VCCZ);

	wave->status = (wave->status & ~(STATUS_EXECZ | STATUS_VCCZ)) | zero;
}

static bool advances(enum gfx_step step)
{
	return step == GFX_STEP_DONE || step == GFX_STEP_BARRIER || step == GFX_STEP_END ||
	       step == GFX_STEP_HALT;
}

enum gfx_step gfx_wave_execute(struct gfx_wave *wave, const struct gfx_memory *memory,
			       const struct gfx_instruction *instruction, struct gfx_fault *fault)
{
	struct gfx_context context = {
		.wave = wave,
		.memory = memory,
		.fault = fault,
		.instruction = instruction,
		.next_pc = wave->pc + 4ULL * instruction->word_count,
	};
	enum gfx_step step = instruction->operation->execute(&context);

	if (advances(step)) {
		wave->pc = context.next_pc;
		wave->instruction_count++;
		update_status(wave);
	}
	if (step != GFX_STEP_DONE) {
		memcpy(fault->words, instruction->words, sizeof(instruction->words));
		fault->words[1] = instruction->word_count > 1 ? instruction->words[1] : 0;
		fault->word_count = instruction->word_count;
	}
	return step;
}

enum gfx_step gfx_wave_step(struct gfx_wave *wave, const struct gfx_memory *memory,
			    struct gfx_fault *fault)
{
	struct gfx_instruction instruction;
	struct gfx_context context = {
		.wave = wave, .memory = memory, .fault = fault, .instruction = &instruction};
	enum gfx_decode_status status;
	uint32_t words[2];
	size_t count;

	memset(fault, 0, sizeof(*fault));
	fault->reason = "";
	count = fetch(&context, words);
	if (count == 0) {
		fault->address = wave->pc;
		fault->reason = wave->pc % 4 ? "the pc is not aligned" : "the pc is not mapped";
		return GFX_STEP_FETCH_VIOLATION;
	}
	status = gfx_decode(wave->architecture, words, count, &instruction);
	if (status != GFX_DECODE_OK)
		return refuse(&context, status, &instruction);
	return gfx_wave_execute(wave, memory, &instruction, fault);
}
