/* SPDX-License-Identifier: MIT */
/* Scalar loads, and the clock. */
#include "gfx/wave/memory-access.h"

#define MAX_DWORDS 16

/* A byte or two, as a word. */
static uint32_t widen(uint32_t value, uint32_t size, bool has_sign)
{
	uint32_t unused = 32 - 8 * size;

	value <<= unused;
	return has_sign ? (uint32_t)((int32_t)value >> unused) : value >> unused;
}

/* Null takes any number of words: exec is behind it. */
static void load_write(const struct gfx_context *context, const uint32_t *data, uint32_t words)
{
	uint32_t dst = context->instruction->dst;

	for (uint32_t i = 0; i < words && dst != GFX_CODE_NULL; i++)
		gfx_write_scalar32(context->wave, dst + i, data[i]);
}

enum gfx_step gfx_s_load(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	const struct gfx_memory *memory = context->memory;
	uint32_t data[MAX_DWORDS] = {0}, size = instruction->operation->size;
	struct gfx_address_inputs inputs = {
		.base = gfx_read_scalar64(context, instruction->address)};
	struct gfx_access access;

	if (instruction->scalar_address != GFX_CODE_OFF)
		inputs.base_offset = gfx_read_scalar32(context, instruction->scalar_address);
	gfx_compute_access(instruction, &inputs, &access);
	if (!memory->read(memory->opaque, access.addresses[0], data, size)) {
		context->fault->address = access.addresses[0];
		context->fault->reason = "scalar address not accessible";
		return GFX_STEP_MEMORY_VIOLATION;
	}
	if (size < 4)
		data[0] = widen(data[0], size, instruction->operation->flags & GFX_SIGNED);
	load_write(context, data, (size + 3) / 4);
	return GFX_STEP_DONE;
}

/* Words past the buffer's end are zeros; the others must be mapped. */
enum gfx_step gfx_s_buffer_load(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	uint32_t data[MAX_DWORDS] = {0}, size = instruction->operation->size;
	uint32_t unit = size < 4 ? size : 4, words = size / unit, inside = 0;
	const struct gfx_memory *memory = context->memory;
	struct gfx_address_inputs inputs = {.exec = 1};
	struct gfx_access access;
	uint64_t offset, bytes;

	gfx_read_resource(context, &inputs);
	gfx_compute_access(instruction, &inputs, &access);
	bytes = gfx_buffer_bytes(instruction, inputs.resource);
	offset = (inputs.base_offset + (uint64_t)instruction->offset) & ~(uint64_t)(unit - 1);
	while (inside < words && offset + (uint64_t)unit * (inside + 1) <= bytes)
		inside++;
	if (inside &&
	    !memory->read(memory->opaque, access.addresses[0], data, (size_t)unit * inside)) {
		context->fault->address = access.addresses[0];
		context->fault->reason = "scalar buffer address not accessible";
		return GFX_STEP_MEMORY_VIOLATION;
	}
	if (size < 4)
		data[0] = widen(data[0], size, instruction->operation->flags & GFX_SIGNED);
	load_write(context, data, words);
	return GFX_STEP_DONE;
}

enum gfx_step gfx_s_memtime(struct gfx_context *context)
{
	gfx_write_scalar64(context->wave, context->instruction->dst,
			   context->wave->instruction_count);
	return GFX_STEP_DONE;
}
