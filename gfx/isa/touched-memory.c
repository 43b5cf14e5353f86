/* SPDX-License-Identifier: MIT */
/* Which addresses a recorded wave's instruction touches, from register values asked for by name. */
#include "gfx/isa/touched-memory.h"

#include <stdio.h>
#include <string.h>

#include "gfx/isa/decode.h"
#include "gfx/isa/tables.h"
#include "gfx/wave/memory-access.h"

/* Reads the values of registers. */
struct source {
	gfx_register_reader read;
	void *opaque;
	bool later; /* gfx10 or newer: flat_scratch and xnack_mask are none of the scalar registers */
};

static bool source_read_whole(const struct source *source, const char *name, uint64_t *value_ret)
{
	return source->read(source->opaque, name, 0, value_ret);
}

static bool source_read_half(const struct source *source, const char *name, uint32_t half,
			     uint32_t *value_ret)
{
	uint64_t value;

	if (!source_read_whole(source, name, &value))
		return false;
	*value_ret = (uint32_t)(half & 1 ? value >> 32 : value);
	return true;
}

static bool read_numbered(const struct source *source, const char *prefix, uint32_t number,
			  uint32_t *value_ret)
{
	uint64_t value;
	char name[16];

	snprintf(name, sizeof(name), "%s%u", prefix, number);
	if (!source_read_whole(source, name, &value))
		return false;
	*value_ret = (uint32_t)value;
	return true;
}

/* A scalar register by its operand code. Constants do not occur in addresses. */
static bool source_read_scalar(const struct source *source, uint32_t code, uint32_t *value_ret)
{
	if (code < GFX_CODE_FLAT_SCRATCH || (source->later && code < GFX_CODE_VCC))
		return read_numbered(source, "s", code, value_ret);
	if (code < GFX_CODE_XNACK_MASK)
		return source_read_half(source, "flat_scratch", code, value_ret);
	if (code < GFX_CODE_VCC)
		return source_read_half(source, "xnack_mask", code, value_ret);
	/* A wave of 32 lanes has one word of vcc, and nothing says what is in the next register: no address has zeros there. */
	if (code < GFX_CODE_TTMP0)
		return source_read_half(source, "vcc", code, value_ret) &&
		       (*value_ret || code == GFX_CODE_VCC || !source->later);
	if (code < GFX_CODE_M0)
		return read_numbered(source, "ttmp", code - GFX_CODE_TTMP0, value_ret);
	if (code == GFX_CODE_M0)
		return source_read_half(source, "m0", 0, value_ret);
	if (code == GFX_CODE_EXEC || code == GFX_CODE_EXEC + 1)
		return source_read_half(source, "exec", code, value_ret);
	return false;
}

static bool read_scalar_pair(const struct source *source, uint32_t code, uint64_t *value_ret)
{
	uint32_t low, high;

	if (!source_read_scalar(source, code, &low) || !source_read_scalar(source, code + 1, &high))
		return false;
	*value_ret = low | (uint64_t)high << 32;
	return true;
}

/* A scalar offset of a buffer may be a register or an integer constant. */
static bool source_read_offset(const struct source *source, uint32_t code, uint64_t *value_ret)
{
	uint32_t value;

	if (!gfx_code_integer(code, &value) && !source_read_scalar(source, code, &value))
		return false;
	*value_ret = value;
	return true;
}

static bool source_read_resource(const struct source *source, uint32_t first,
				 struct gfx_address_inputs *inputs)
{
	for (uint32_t i = 0; i < 4; i++)
		if (!source_read_scalar(source, first + i, &inputs->resource[i]))
			return false;
	return true;
}

/* The address registers of the active lanes; the others' do not matter. */
static bool read_lanes(const struct source *source, uint32_t number, uint32_t words, uint64_t exec,
		       uint32_t *planes)
{
	for (uint32_t i = 0; i < words; i++) {
		char name[16];

		snprintf(name, sizeof(name), "v%u", number + i);
		for (uint64_t left = exec; left; left &= left - 1) {
			uint32_t lane = gfx_first_lane(left);
			uint64_t value;

			if (!source->read(source->opaque, name, lane, &value))
				return false;
			planes[i * GFX_MAX_LANES + lane] = (uint32_t)value;
		}
	}
	return true;
}

static bool read_scalar_inputs(const struct source *source,
			       const struct gfx_instruction *instruction,
			       struct gfx_address_inputs *inputs)
{
	uint32_t scalar = instruction->scalar_address, value = 0;

	if (instruction->operation->flags & GFX_RESOURCE
		    ? !source_read_resource(source, instruction->address, inputs)
		    : !read_scalar_pair(source, instruction->address, &inputs->base))
		return false;
	if (scalar != GFX_CODE_OFF && !source_read_scalar(source, scalar, &value))
		return false;
	inputs->base_offset = value;
	return true;
}

static bool read_vector_inputs(const struct source *source,
			       const struct gfx_instruction *instruction,
			       struct gfx_address_inputs *inputs, uint32_t *planes)
{
	uint32_t words = gfx_address_words(instruction), scalar = instruction->scalar_address;
	uint32_t value = 0;

	if (!source_read_whole(source, "exec", &inputs->exec))
		return false;
	if (instruction->encoding == GFX_GLOBAL && scalar != GFX_CODE_OFF) {
		if (!read_scalar_pair(source, scalar, &inputs->base))
			return false;
	} else if (instruction->encoding == GFX_SCRATCH && scalar != GFX_CODE_OFF) {
		if (!source_read_scalar(source, scalar, &value))
			return false;
		inputs->base = value;
	} else if (gfx_address_is_lane(instruction)) {
		if (!source_read_scalar(source, GFX_CODE_M0, &value))
			return false;
		inputs->base = value & GFX_LANE_ADDRESS_M0;
	} else if (instruction->encoding == GFX_MUBUF) {
		if (!source_read_resource(source, instruction->resource, inputs) ||
		    !source_read_offset(source, scalar, &inputs->base_offset))
			return false;
	}
	return read_lanes(source, instruction->address, words, inputs->exec, planes);
}

static bool instruction_find_access(const struct gfx_instruction *instruction,
				    gfx_register_reader read, void *opaque,
				    struct gfx_access *access_ret)
{
	uint32_t planes[2 * GFX_MAX_LANES];
	struct gfx_address_inputs inputs = {.address = planes};
	struct source source = {.read = read,
				.opaque = opaque,
				.later = instruction->generation >= GFX_GENERATION_10};
	bool known;

	if (!gfx_touches_memory(instruction)) {
		memset(access_ret, 0, sizeof(*access_ret));
		return true;
	}
	memset(planes, 0, sizeof(planes));
	known = instruction->encoding == GFX_SMEM
			? read_scalar_inputs(&source, instruction, &inputs)
			: read_vector_inputs(&source, instruction, &inputs, planes);
	if (!known)
		return false;
	gfx_compute_access(instruction, &inputs, access_ret);
	return true;
}

bool gfx_decode_touches_memory(const struct gfx_architecture *architecture, const uint32_t *words,
			       size_t word_count)
{
	struct gfx_instruction instruction;

	return gfx_decode(architecture, words, word_count, &instruction) == GFX_DECODE_OK &&
	       gfx_touches_memory(&instruction);
}

bool gfx_decode_access(const struct gfx_architecture *architecture, const uint32_t *words,
		       size_t word_count, gfx_register_reader read, void *opaque,
		       struct gfx_access *access_ret)
{
	struct gfx_instruction instruction;

	return gfx_decode(architecture, words, word_count, &instruction) == GFX_DECODE_OK &&
	       instruction_find_access(&instruction, read, opaque, access_ret);
}
