/* SPDX-License-Identifier: MIT */
/* One step of a wave: fetch, decode, execute, and the bookkeeping around them. */
#include "gfx/isa/run.h"

#include <string.h>

#include "gfx/alu/quick.h"
#include "gfx/wave/plan.h"

#define STATUS_EXECZ (1U << 9)
#define STATUS_VCCZ (1U << 10)

/* The last word before unmapped memory is fetched alone, and a third one when it turns out that there is one. */
static size_t instruction_fetch(struct gfx_context *context, uint32_t words[GFX_INSTRUCTION_WORDS])
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

/* The encoding of an operation without a name says what it is about. */
static const char *encoding_lacks(const struct gfx_architecture *architecture,
				  enum gfx_encoding encoding)
{
	switch (encoding) {
	case GFX_MIMG:
		/* Programs meet them by the runtime's kernel that fills an array: none of their own names a texture. */
		return architecture->generation < GFX_GENERATION_10
			       ? "an operation on images that is not implemented"
			       : "an operation on images, which are executed on gfx90a alone: "
				 "textures and surfaces of arrays and of pitched memory";
	case GFX_EXP:
		return "an export, which is not implemented";
	case GFX_VINTERP:
		return "an interpolation, which is not implemented";
	default:
		return "opcode not implemented in its encoding";
	}
}

/* @count: words that could be fetched. */
static enum gfx_step instruction_refuse(struct gfx_context *context, enum gfx_decode_status status,
					size_t count, const struct gfx_instruction *instruction)
{
	struct gfx_fault *fault = context->fault;

	memcpy(fault->words, instruction->words, sizeof(fault->words));
	fault->word_count = instruction->word_count;
	switch (status) {
	case GFX_DECODE_TRUNCATED:
		fault->word_count = (uint32_t)count;
		fault->address = context->wave->pc + 4 * count;
		fault->reason = count == 1 ? "the second word of the instruction is not mapped"
					   : "the third word of the instruction is not mapped";
		return GFX_STEP_FETCH_VIOLATION;
	case GFX_DECODE_UNKNOWN_OPERATION:
		return gfx_illegal(
			context, true,
			encoding_lacks(context->wave->architecture, instruction->encoding));
	case GFX_DECODE_UNKNOWN_OPERAND:
		return gfx_illegal(context, false, "reserved value in an operand field");
	default:
		return gfx_illegal(context, false, "no such encoding");
	}
}

/* vccz and execz are views of the two registers; a debugger reads them in status. */
static inline void update_status(struct gfx_wave *wave)
{
	uint32_t zero = (wave->exec ? 0 : STATUS_EXECZ) | (gfx_vcc_lanes(wave) ? 0 : STATUS_VCCZ);

	wave->status = (wave->status & ~(STATUS_EXECZ | STATUS_VCCZ)) | zero;
}

static inline bool advances(enum gfx_step step)
{
	return step == GFX_STEP_DONE || step == GFX_STEP_BARRIER || step == GFX_STEP_GLOBAL_SYNC ||
	       step == GFX_STEP_END || step == GFX_STEP_HALT;
}

static void fault_note_words(const struct gfx_instruction *instruction, struct gfx_fault *fault)
{
	memset(fault->words, 0, sizeof(fault->words));
	memcpy(fault->words, instruction->words, instruction->word_count * sizeof(uint32_t));
	fault->word_count = instruction->word_count;
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
	if (step != GFX_STEP_DONE)
		fault_note_words(instruction, fault);
	return step;
}

/* Decode what stands at the pc; anything but GFX_STEP_DONE says why there is nothing to execute. */
static enum gfx_step instruction_look(struct gfx_wave *wave, const struct gfx_memory *memory,
				      struct gfx_instruction *instruction_ret,
				      struct gfx_fault *fault)
{
	struct gfx_context context = {
		.wave = wave, .memory = memory, .fault = fault, .instruction = instruction_ret};
	enum gfx_decode_status status;
	uint32_t words[GFX_INSTRUCTION_WORDS];
	size_t count;

	count = instruction_fetch(&context, words);
	if (count == 0) {
		fault->address = wave->pc;
		fault->reason = wave->pc % 4 ? "the pc is not aligned" : "the pc is not mapped";
		return GFX_STEP_FETCH_VIOLATION;
	}
	status = gfx_decode(wave->architecture, words, count, instruction_ret);
	if (status == GFX_DECODE_TRUNCATED && count == 2 && instruction_ret->word_count == 3 &&
	    memory->fetch(memory->opaque, wave->pc + 8, &words[2], 4))
		status = gfx_decode(wave->architecture, words, 3, instruction_ret);
	return status == GFX_DECODE_OK
		       ? GFX_STEP_DONE
		       : instruction_refuse(&context, status, count, instruction_ret);
}

static void clear_fault(struct gfx_fault *fault)
{
	memset(fault, 0, sizeof(*fault));
	fault->reason = "";
}

enum gfx_step gfx_wave_step(struct gfx_wave *wave, const struct gfx_memory *memory,
			    struct gfx_fault *fault)
{
	struct gfx_instruction instruction;
	enum gfx_step step;

	clear_fault(fault);
	step = instruction_look(wave, memory, &instruction, fault);
	return step == GFX_STEP_DONE ? gfx_wave_execute(wave, memory, &instruction, fault) : step;
}

#define NO_PC 1 /* odd: no instruction stands there */
/* Bits of the mode register: exceptions that trap, address watch included, and debug_en. */
#define MODE_STOPS (0x1ffU << 11)

void gfx_code_clear(struct gfx_code *code)
{
	for (size_t i = 0; i < code->count; i++)
		code->entries[i].pc = NO_PC;
}

/* How the instruction of an entry is executed by waves like this one. */
static void make_plan(struct gfx_wave *wave, const struct gfx_memory *memory,
		      struct gfx_decoded *entry)
{
	const struct gfx_context context = {
		.wave = wave, .memory = memory, .instruction = &entry->instruction};

	memset(&entry->plan, 0, sizeof(entry->plan));
	if (gfx_plan_scalar_operation(&context, &entry->plan) ||
	    gfx_plan_vector_operation(&context, &entry->plan) ||
	    gfx_plan_memory(&context, &entry->plan)) {
		entry->plan.bytes = 4U * entry->instruction.word_count;
		return;
	}
	memset(&entry->plan, 0, sizeof(entry->plan));
	entry->plan.bytes = 4U * entry->instruction.word_count;
	entry->plan.execute = entry->instruction.operation->execute;
	if (gfx_is_alone(&entry->instruction))
		entry->plan.mode_value = 1;
}

/* Decode and plan the instruction at the pc. */
static enum gfx_step plan_enter(struct gfx_wave *wave, const struct gfx_memory *memory,
				struct gfx_decoded *entry, struct gfx_fault *fault)
{
	enum gfx_step step;

	entry->pc = NO_PC;
	step = instruction_look(wave, memory, &entry->instruction, fault);
	if (step != GFX_STEP_DONE)
		return step;
	make_plan(wave, memory, entry);
	entry->shape = gfx_plan_shape(wave);
	entry->pc = wave->pc;
	return GFX_STEP_DONE;
}

/* Instructions that look at what is brought up to date once a run, or that change how it goes on. */
static enum gfx_step execute_alone(struct gfx_context *context, bool advanced)
{
	if (advanced)
		update_status(context->wave);
	return context->instruction->operation->execute(context);
}

static inline bool is_expected(const struct gfx_decoded *entry, const struct gfx_wave *wave,
			       uint32_t shape)
{
	return __builtin_expect(entry->pc == wave->pc && entry->shape == shape, 1);
}

static inline bool plan_holds(const struct gfx_plan *plan, const struct gfx_wave *wave)
{
	return __builtin_expect((wave->mode & plan->mode_mask) == plan->mode_value, 1);
}

/* An instruction was executed that was not simply done. */
static void finish_run(struct gfx_context *context, enum gfx_step step)
{
	if (advances(step)) {
		context->wave->pc = context->next_pc;
		context->wave->instruction_count++;
	}
	fault_note_words(context->instruction, context->fault);
}

enum gfx_step gfx_wave_run(struct gfx_wave *wave, const struct gfx_memory *memory,
			   struct gfx_code *code, uint64_t limit, struct gfx_fault *fault,
			   uint64_t *count_ret)
{
	struct gfx_context context = {.wave = wave, .memory = memory, .fault = fault};
	uint64_t done = 0, begun_at = wave->instruction_count;
	uint32_t shape = gfx_plan_shape(wave);
	enum gfx_step step = GFX_STEP_DONE;

	clear_fault(fault);
	if (wave->mode & MODE_STOPS && limit > 1)
		limit = 1;
	while (done < limit) {
		struct gfx_decoded *entry = &code->entries[wave->pc / 4 & (code->count - 1)];

		done++;
		if (!is_expected(entry, wave, shape)) {
			step = plan_enter(wave, memory, entry, fault);
			if (step != GFX_STEP_DONE)
				break;
		}
		context.instruction = &entry->instruction;
		context.plan = &entry->plan;
		context.next_pc = wave->pc + entry->plan.bytes;
		if (plan_holds(&entry->plan, wave)) {
			step = entry->plan.execute(&context);
		} else {
			step = execute_alone(&context, wave->instruction_count != begun_at);
			if (wave->mode & MODE_STOPS)
				limit = done;
		}
		if (step != GFX_STEP_DONE) {
			finish_run(&context, step);
			break;
		}
		wave->pc = context.next_pc;
		wave->instruction_count++;
	}
	if (wave->instruction_count != begun_at)
		update_status(wave);
	*count_ret = done;
	return step;
}
