/* SPDX-License-Identifier: MIT */
/* Addresses of memory instructions. */
#include "gfx/wave/format.h"
#include "gfx/wave/lanes.h"
#include "gfx/wave/memory-access.h"

bool gfx_touches_memory(const struct gfx_instruction *instruction)
{
	return instruction->operation->memory != GFX_MEMORY_NONE;
}

bool gfx_address_is_lane(const struct gfx_instruction *instruction)
{
	return instruction->encoding == GFX_DS && gfx_touches_memory(instruction) &&
	       instruction->operation->flags & GFX_DS_FIELDS;
}

uint32_t gfx_address_words(const struct gfx_instruction *instruction)
{
	switch (instruction->encoding) {
	case GFX_DS:
		return gfx_address_is_lane(instruction) ? 0 : 1;
	case GFX_SCRATCH:
		return instruction->has_address ? 1 : 0;
	case GFX_GLOBAL:
		return instruction->scalar_address == GFX_CODE_OFF ? 2 : 1;
	case GFX_FLAT:
		return 2;
	case GFX_MUBUF:
		return (uint32_t)instruction->has_index + instruction->has_offset;
	default:
		return 0;
	}
}

enum gfx_access_space gfx_access_space_of(const struct gfx_instruction *instruction)
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
	uint64_t offset = gfx_address_offset(instruction);

	bool narrow = access->space == GFX_ACCESS_PRIVATE || access->space == GFX_ACCESS_LOCAL;
	/* Both are 32 bits wide and wrap: clang folds offsets into bases that are negative. */
	uint64_t keep = narrow ? UINT32_MAX : UINT64_MAX, base = inputs->base + offset;
	const uint32_t *low = inputs->address, *high = low + (words == 2 ? GFX_MAX_LANES : 0);
	uint64_t has_low = words ? UINT64_MAX : 0, has_high = words == 2 ? UINT64_MAX : 0;
	uint64_t lane_bytes = gfx_address_is_lane(instruction) ? instruction->operation->size : 0;

	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint64_t address = low[lane] & has_low;

		address |= ((uint64_t)high[lane] << 32) & has_high;
		access->addresses[lane] = (base + address + lane * lane_bytes) & keep;
	}
}

/* The fields of a buffer's descriptor that say where its bytes are. */
struct buffer {
	uint64_t base;
	uint32_t stride, index_stride, records;
	bool swizzled, lane_is_index;
	bool widely;	/* swizzled by more than a word */
	uint8_t bounds; /* enum buffer_bounds */
};

/* The part of a buffer that an element must be inside of: gfx9 decides by the kind of buffer, from gfx10 on the descriptor says it (OOB_SELECT). */
enum buffer_bounds {
	BOUNDS_OF_RECORD,  /* the records, and its own one */
	BOUNDS_OF_RECORDS, /* the records */
	BOUNDS_NOTHING,	   /* a buffer that has any */
	BOUNDS_OF_BYTES,   /* all bytes; of a swizzled one as the first */
	BOUNDS_GFX9,
};

static struct buffer resource_decode(enum gfx_generation generation, const uint32_t words[4])
{
	struct buffer buffer = {
		.base = words[0] | (uint64_t)(words[1] & 0xffff) << 32,
		.stride = words[1] >> 16 & 0x3fff,
		.swizzled = words[1] >> 31,
		.records = words[2],
		.index_stride = 8U << (words[3] >> 21 & 3),
		.lane_is_index = words[3] >> 23 & 1,
		.bounds = generation == GFX_GENERATION_9 ? BOUNDS_GFX9 : words[3] >> 28 & 3,
	};

	/* From gfx11 on there are two bits, for elements of 4, 8 and 16 bytes. */
	if (generation >= GFX_GENERATION_11) {
		buffer.swizzled = words[1] >> 30;
		buffer.widely = words[1] >> 30 > 1;
	}
	/* There the format's field has the upper bits of the stride. */
	if (buffer.lane_is_index && generation == GFX_GENERATION_9)
		buffer.stride |= (words[3] >> 15 & 15) << 14;
	return buffer;
}

uint64_t gfx_buffer_bytes(const struct gfx_instruction *instruction, const uint32_t resource[4])
{
	struct buffer buffer = resource_decode(instruction->generation, resource);

	return buffer.stride ? (uint64_t)buffer.stride * buffer.records : buffer.records;
}

/* Swizzling puts words of neighbouring records side by side. */
static uint32_t buffer_offset(const struct buffer *buffer, uint32_t index, uint32_t offset)
{
	uint32_t among = buffer->index_stride;

	if (!buffer->swizzled)
		return index * buffer->stride + offset;
	return (index / among * buffer->stride + offset / 4 * 4) * among + index % among * 4 +
	       offset % 4;
}

/* Lanes past the last byte or record take no part: they load zeros and store nothing. */
static bool buffer_holds(const struct buffer *buffer, uint32_t index, uint32_t in_record,
			 uint32_t offset, uint32_t size, uint32_t scalar)
{
	uint32_t records = buffer->records;
	bool by_records = buffer->stride && buffer->swizzled;

	if (buffer->bounds == BOUNDS_NOTHING)
		return records;
	if (buffer->bounds == BOUNDS_OF_RECORDS || (buffer->bounds == BOUNDS_GFX9 && by_records))
		return index < records;
	if (buffer->bounds == BOUNDS_OF_RECORD || (buffer->bounds == BOUNDS_OF_BYTES && by_records))
		return index < records && (uint64_t)in_record + size <= buffer->stride;
	return scalar <= records && size <= records - scalar && offset <= records - scalar - size;
}

/* The offset within its record that a lane accesses. */
static uint32_t lane_offset(const struct gfx_instruction *instruction,
			    const struct gfx_address_inputs *inputs, uint32_t lane)
{
	const uint32_t *offsets = inputs->address + (instruction->has_index ? GFX_MAX_LANES : 0);

	return (instruction->has_offset ? offsets[lane] : 0) + (uint32_t)instruction->offset;
}

/* Does a lane access parts of several words of its record? Compilers do so where they do not know what is aligned. */
static bool crosses_words(const struct gfx_instruction *instruction,
			  const struct gfx_address_inputs *inputs, const struct gfx_access *access)
{
	for (uint64_t left = access->lanes; left; left &= left - 1) {
		uint32_t within = lane_offset(instruction, inputs, gfx_first_lane(left)) % 4;

		if (access->size < 4 ? within + access->size > 4 : within)
			return true;
	}
	return false;
}

/* A swizzled buffer, which begins at @start, has the words of a lane not one behind the other. */
static void swizzle_split(const struct gfx_instruction *instruction,
			  const struct gfx_address_inputs *inputs, uint64_t start,
			  uint32_t word_distance, struct gfx_access *access)
{
	if (access->read && access->write)
		return;
	if (crosses_words(instruction, inputs, access)) {
		/* gfx_part_address() sees by its address where a word of a record begins. */
		if (start % 4)
			access->not_implemented = "a swizzled buffer that begins within a word";
		access->word_distance = word_distance;
		access->parts = access->size;
		access->size = 1;
	} else if (access->size > 4 && access->size % 4 == 0) {
		access->parts = access->size / 4;
		access->size = 4;
		access->second_distance = (int32_t)word_distance;
	}
}

static void compute_buffer(const struct gfx_instruction *instruction,
			   const struct gfx_address_inputs *inputs, struct gfx_access *access)
{
	struct buffer buffer = resource_decode(instruction->generation, inputs->resource);
	uint32_t scalar = (uint32_t)inputs->base_offset;

	if (buffer.widely)
		access->not_implemented = "a buffer swizzled by more than a word";
	if (buffer.swizzled)
		swizzle_split(instruction, inputs, buffer.base + scalar, 4 * buffer.index_stride,
			      access);
	for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
		uint32_t index = (instruction->has_index ? inputs->address[lane] : 0) +
				 (buffer.lane_is_index ? lane : 0);
		uint32_t offset = lane_offset(instruction, inputs, lane);
		uint32_t at = buffer_offset(&buffer, index, offset);

		access->addresses[lane] = buffer.base + scalar + at;
		if (!buffer_holds(&buffer, index, offset, at, access->size, scalar))
			access->lanes &= ~(UINT64_C(1) << lane);
	}
}

bool gfx_buffer_row(const struct gfx_instruction *instruction,
		    const struct gfx_address_inputs *inputs, uint64_t *address_ret)
{
	struct buffer buffer = resource_decode(instruction->generation, inputs->resource);
	uint32_t size = instruction->operation->size, offset = (uint32_t)instruction->offset;
	uint32_t last = GFX_MAX_LANES - 1, scalar = (uint32_t)inputs->base_offset;
	uint32_t at = buffer_offset(&buffer, 0, offset);

	if (!buffer.swizzled || buffer.widely || !buffer.lane_is_index ||
	    buffer.index_stride != GFX_MAX_LANES || instruction->has_index ||
	    instruction->has_offset)
		return false;
	/* A word that is not one lane's alone. */
	if (size < 4 ? offset % 4 + size > 4 : offset % 4)
		return false;
	if (!buffer_holds(&buffer, last, offset, at + 4 * last, size < 4 ? size : 4, scalar))
		return false;
	*address_ret = buffer.base + scalar + at - offset % 4;
	return true;
}

static void compute_scalar(const struct gfx_instruction *instruction,
			   const struct gfx_address_inputs *inputs, struct gfx_access *access)
{
	uint64_t address = inputs->base + (uint64_t)instruction->offset + inputs->base_offset;
	uint32_t size = instruction->operation->size;

	if (instruction->operation->flags & GFX_RESOURCE)
		address = resource_decode(instruction->generation, inputs->resource).base +
			  inputs->base_offset + (uint64_t)instruction->offset;

	access->scalar = true;
	access->lanes = 1;
	/* Loads of less than a word are there from gfx12 on. */
	access->addresses[0] = size < 4 ? address : address & ~UINT64_C(3);
}

void gfx_compute_access(const struct gfx_instruction *instruction,
			const struct gfx_address_inputs *inputs, struct gfx_access *access_ret)
{
	const struct gfx_operation *operation = instruction->operation;
	bool pair = operation->flags & GFX_PAIR;

	access_ret->space = gfx_access_space_of(instruction);
	access_ret->scalar = false;
	access_ret->not_implemented = NULL;
	access_ret->read = operation->memory != GFX_MEMORY_STORE;
	access_ret->write = operation->memory != GFX_MEMORY_LOAD;
	access_ret->size = operation->size;
	access_ret->parts = pair ? 2 : 1;
	access_ret->second_distance =
		pair ? (int32_t)instruction->pair_offset[1] - (int32_t)instruction->pair_offset[0]
		     : 0;
	access_ret->lanes = inputs->exec;
	if (operation->flags & GFX_FORMATTED) {
		struct gfx_format format = gfx_buffer_format(instruction, inputs->resource);

		/* Nothing is accessed in a format that is not known. */
		access_ret->size = (uint32_t)format.count * format.bytes;
		access_ret->lanes = format.count ? inputs->exec : 0;
	}
	access_ret->word_distance = 0;
	if (instruction->encoding == GFX_SMEM)
		compute_scalar(instruction, inputs, access_ret);
	else if (instruction->encoding == GFX_MUBUF)
		compute_buffer(instruction, inputs, access_ret);
	else
		compute_lanes(instruction, inputs, access_ret);
}
