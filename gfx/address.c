/* SPDX-License-Identifier: MIT */
/* Addresses of memory instructions. */
#include "gfx/lanes.h"
#include "gfx/memory.h"

bool gfx_touches_memory(const struct gfx_instruction *instruction)
{
	return instruction->operation->memory != GFX_MEMORY_NONE;
}

uint32_t gfx_address_words(const struct gfx_instruction *instruction)
{
	switch (instruction->encoding) {
	case GFX_DS:
		return 1;
	case GFX_SCRATCH:
		return instruction->has_address ? 1 : 0;
	case GFX_GLOBAL:
		return instruction->scalar_address == GFX_CODE_OFF ? 2 : 1;
	case GFX_FLAT:
		return 2;
	default:
		return 0;
	}
}

static enum gfx_access_space space_of(const struct gfx_instruction *instruction)
{
	switch (instruction->encoding) {
	case GFX_DS:
		return GFX_ACCESS_LOCAL;
	case GFX_SCRATCH:
		return GFX_ACCESS_PRIVATE;
	case GFX_FLAT:
		return GFX_ACCESS_GENERIC;
	default:
		return GFX_ACCESS_GLOBAL;
	}
}

static void compute_lanes(const struct gfx_instruction *instruction,
			  const struct gfx_address_inputs *inputs, struct gfx_access *access)
{
	uint32_t words = gfx_address_words(instruction);
	bool pair = instruction->operation->flags & GFX_PAIR;
	uint64_t offset = pair ? instruction->pair_offset[0] : (uint64_t)instruction->offset;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint64_t address = inputs->base + offset;

		if (words == 2)
			address += gfx_wide(inputs->address, lane);
		else if (words == 1)
			address += inputs->address[lane];
		/* Offsets in private memory are 32 bits and may wrap; those in LDS may not. */
		if (access->space == GFX_ACCESS_PRIVATE)
			address = (uint32_t)address;
		access->addresses[lane] = address;
	}
}

static void compute_scalar(const struct gfx_instruction *instruction,
			   const struct gfx_address_inputs *inputs, struct gfx_access *access)
{
	uint64_t address = inputs->base + (uint64_t)instruction->offset + inputs->base_offset;

	access->scalar = true;
	access->lanes = 1;
	access->addresses[0] = address & ~UINT64_C(3);
}

void gfx_compute_access(const struct gfx_instruction *instruction,
			const struct gfx_address_inputs *inputs, struct gfx_access *access_ret)
{
	const struct gfx_operation *operation = instruction->operation;
	bool pair = operation->flags & GFX_PAIR;

	access_ret->space = space_of(instruction);
	access_ret->scalar = false;
	access_ret->read = operation->memory != GFX_MEMORY_STORE;
	access_ret->write = operation->memory != GFX_MEMORY_LOAD;
	access_ret->size = operation->size;
	access_ret->parts = pair ? 2 : 1;
	access_ret->second_distance =
		pair ? (int32_t)instruction->pair_offset[1] - (int32_t)instruction->pair_offset[0]
		     : 0;
	access_ret->lanes = inputs->exec;
	if (instruction->encoding == GFX_SMEM)
		compute_scalar(instruction, inputs, access_ret);
	else
		compute_lanes(instruction, inputs, access_ret);
}
